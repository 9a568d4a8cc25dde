//! Connecting to a real PostgreSQL server: TLS in every mode, passwords and where they come from.

use std::fs::{self, Permissions};
use std::io::{Read, Write};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::sync::LazyLock;
use std::thread;

use postgres::SimpleQueryMessage;
use rcgen::{
    BasicConstraints, CertificateParams, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair,
    KeyUsagePurpose,
};
use suum_core::{Error, ErrorKind, Result};
use suum_postgres::Connection;
use suum_testing::{PASSWORD, Server};
use tempfile::TempDir;

/// An authority: its certificate and its key.
struct Authority {
    pem: String,
    issuer: Issuer<'static, KeyPair>,
}

fn authority(name: &str) -> Authority {
    let mut params = CertificateParams::default();
    params.distinguished_name.push(DnType::CommonName, name);
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign];
    let key = KeyPair::generate().unwrap();
    let pem = params.self_signed(&key).unwrap().pem();
    Authority { pem, issuer: Issuer::new(params, key) }
}

/// A certificate for a host or a user and its key, both in PEM.
fn certificate(
    authority: &Authority,
    names: &[&str],
    user: &str,
    purpose: ExtendedKeyUsagePurpose,
) -> [String; 2] {
    let names: Vec<_> = names.iter().map(|name| (*name).to_owned()).collect();
    let mut params = CertificateParams::new(names).unwrap();
    params.distinguished_name.push(DnType::CommonName, user);
    params.extended_key_usages = vec![purpose];
    let key = KeyPair::generate().unwrap();
    [params.signed_by(&key, &authority.issuer).unwrap().pem(), key.serialize_pem()]
}

/// A server with TLS whose certificate is for `localhost`, and the files of those who connect.
struct TestServer {
    server: Server,
    folder: TempDir,
}

impl TestServer {
    fn file(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }
}

static SERVER: LazyLock<TestServer> = LazyLock::new(|| {
    let ours = authority("ours");
    let [certificate_pem, key] =
        certificate(&ours, &["localhost"], "server", ExtendedKeyUsagePurpose::ServerAuth);
    let rules = "\
local all all trust
hostssl all certified all cert
hostnossl all plain all scram-sha-256
hostssl all plain all reject
hostssl all encrypted all scram-sha-256
hostnossl all encrypted all reject
host all old all md5
host all word all password
host all all all scram-sha-256
";
    let server = Server::start_with(
        "ssl = on\nssl_ca_file = 'root.crt'\n",
        &[
            ("server.crt", &certificate_pem),
            ("server.key", &key),
            ("root.crt", &ours.pem),
            ("pg_hba.conf", rules),
        ],
    );
    server.run(
        "CREATE ROLE plain LOGIN PASSWORD 'word'; CREATE ROLE encrypted LOGIN PASSWORD 'word';
         CREATE ROLE certified LOGIN; CREATE ROLE word LOGIN PASSWORD 'word';
         SET password_encryption = md5; CREATE ROLE old LOGIN PASSWORD 'word';",
    );
    let folder = tempfile::tempdir().unwrap();
    let [user_certificate, user_key] =
        certificate(&ours, &[], "certified", ExtendedKeyUsagePurpose::ClientAuth);
    for (name, contents) in [
        ("root.crt", &ours.pem),
        ("other.crt", &authority("other").pem),
        ("user.crt", &user_certificate),
        ("user.key", &user_key),
    ] {
        let path = folder.path().join(name);
        fs::write(&path, contents).unwrap();
        fs::set_permissions(&path, Permissions::from_mode(0o600)).unwrap();
    }
    TestServer { server, folder }
});

/// The URL of a user at a host, with options and the password in the environment.
fn connect(user: &str, host: &str, options: &str) -> Result<Connection> {
    let password = if user == "ada" { PASSWORD } else { "word" };
    connect_where(user, host, options, &[("PGPASSWORD", password)])
}

fn connect_where(
    user: &str,
    host: &str,
    options: &str,
    variables: &[(&str, &str)],
) -> Result<Connection> {
    let lookup = |name: &str| {
        variables
            .iter()
            .find(|(variable, _)| *variable == name)
            .map(|(_, value)| (*value).to_owned())
    };
    let url = format!("{}?{options}", SERVER.server.tcp_url(user, host));
    Connection::open(&url, lookup)
}

fn one(connection: &mut Connection, query: &str) -> String {
    let answer = connection.client().simple_query(query).unwrap();
    let row = |message: &SimpleQueryMessage| match message {
        SimpleQueryMessage::Row(row) => row.get(0).map(str::to_owned),
        _ => None,
    };
    answer.iter().find_map(row).unwrap()
}

fn encrypted(session: &mut Connection) -> bool {
    one(session, "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()") == "t"
}

#[track_caller]
fn refused(result: Result<Connection>, what: &str) -> Error {
    let error = result.map(|_| ()).unwrap_err();
    assert!(error.to_string().contains(what), "{error}");
    assert!(error.fix().is_some(), "{error}");
    let shown = format!("{error:?}");
    assert!(!shown.contains(PASSWORD) && !shown.contains("wrong-one"), "{shown}");
    error
}

#[test]
fn every_sslmode_means_what_it_does_for_libpq() {
    if !Server::is_there() {
        return;
    }
    let root = format!("sslrootcert={}", SERVER.file("root.crt"));
    let other = format!("sslrootcert={}", SERVER.file("other.crt"));
    let mode = |mode: &str, host: &str, roots: &str| {
        connect("ada", host, &format!("sslmode={mode}&{roots}"))
    };

    // host, root certificates, and the modes that connect, with TLS or without.
    let all = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"];
    for (host, roots, plain, with_tls) in [
        ("localhost", root.as_str(), &all[..2], &all[2..]),
        // The certificate is not for the address.
        ("127.0.0.1", &root, &all[..2], &all[2..5]),
        ("localhost", &other, &all[..2], &all[2..3]),
        ("localhost", "", &all[..2], &all[2..4]),
    ] {
        for name in all {
            let result = mode(name, host, roots);
            let expected =
                plain.contains(&name).then_some(false).or(with_tls.contains(&name).then_some(true));
            match (expected, result) {
                (Some(expected), Ok(mut session)) => {
                    assert_eq!(encrypted(&mut session), expected, "{name} at {host} with {roots}");
                }
                (None, Err(error)) => assert!(error.fix().is_some(), "{error}"),
                (_, result) => panic!("{name} at {host} with {roots}: {result:?}"),
            }
        }
    }
    refused(mode("verify-full", "127.0.0.1", &root), "is not for this host");
    refused(mode("verify-ca", "localhost", &other), "not vouched for");
    refused(mode("verify-full", "localhost", &other), "not vouched for");
    refused(mode("verify-full", "localhost", ""), "no root certificate");
    refused(mode("verify-full", "localhost", "sslrootcert=/no/such/file"), "/no/such/file");
    // The name is what counts, however the address is found.
    let at_address = format!("hostaddr=127.0.0.1&{root}");
    assert!(encrypted(&mut mode("verify-full", "localhost", &at_address).unwrap()));
    refused(mode("verify-full", "db.example.org", &at_address), "is not for this host");
}

#[test]
fn libpq_agrees_about_sslmodes() {
    if !Server::is_there() {
        return;
    }
    for roots in ["root.crt", "other.crt", ""] {
        for host in ["localhost", "127.0.0.1"] {
            for mode in ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"] {
                let mut options = format!("sslmode={mode}");
                if !roots.is_empty() {
                    options += &format!("&sslrootcert={}", SERVER.file(roots));
                }
                let ours =
                    connect("ada", host, &options).ok().map(|mut session| encrypted(&mut session));
                let url =
                    format!("{}?{options}&gssencmode=disable", SERVER.server.tcp_url("ada", host));
                let query = "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()";
                let psql = SERVER
                    .server
                    .psql(&url)
                    .args(["--command", query])
                    .env("PGPASSWORD", PASSWORD)
                    .output();
                let psql = psql.unwrap();
                let libpq = psql.status.success().then(|| psql.stdout == b"t\n");
                match (mode, roots) {
                    // It verifies even here, and where that fails it goes on without TLS.
                    ("prefer", "other.crt") => assert_eq!((ours, libpq), (Some(true), Some(false))),
                    _ => assert_eq!(ours, libpq, "{host} with {options}"),
                }
            }
        }
    }
}

#[test]
fn the_roots_of_a_user_and_of_the_system() {
    if !Server::is_there() {
        return;
    }
    let home = tempfile::tempdir().unwrap();
    fs::create_dir(home.path().join(".postgresql")).unwrap();
    let home_path = home.path().display().to_string();
    let variables = [("HOME", home_path.as_str()), ("PGPASSWORD", PASSWORD)];
    let connect =
        |mode: &str| connect_where("ada", "localhost", &format!("sslmode={mode}"), &variables);
    let usual = home.path().join(".postgresql/root.crt");

    refused(connect("verify-ca"), "no root certificate");
    assert!(connect("require").is_ok());
    fs::copy(SERVER.file("root.crt"), &usual).unwrap();
    assert!(connect("verify-full").is_ok());
    // With a file of roots, `require` verifies too.
    fs::copy(SERVER.file("other.crt"), &usual).unwrap();
    refused(connect("require"), "not vouched for");

    let system = self::connect("ada", "localhost", "sslrootcert=system");
    // The system trusts somebody, but not us; or nobody at all.
    let error = refused(system, "");
    assert!(
        error.to_string().contains("not vouched for") || error.to_string().contains("system"),
        "{error}"
    );
}

#[test]
fn a_server_may_show_the_very_certificate_that_is_trusted() {
    if !Server::is_there() {
        return;
    }
    // One that `openssl req -x509` makes is that of an authority; another one of the same name is
    // not trusted.
    let [one, other] = ["one", "other"].map(|_| {
        let mut params = CertificateParams::new(["localhost".to_owned()]).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().unwrap();
        (params.self_signed(&key).unwrap().pem(), key.serialize_pem())
    });
    let server =
        Server::start_with("ssl = on\n", &[("server.crt", &one.0), ("server.key", &one.1)]);
    let folder = tempfile::tempdir().unwrap();
    let connect = |pem: &str| {
        let path = folder.path().join("root.crt");
        fs::write(&path, pem).unwrap();
        let options = format!("?sslmode=verify-full&sslrootcert={}", path.display());
        let environment = |name: &str| (name == "PGPASSWORD").then(|| PASSWORD.to_owned());
        Connection::open(&(server.tcp_url("ada", "localhost") + &options), environment)
    };
    assert!(connect(&one.0).is_ok());
    assert!(connect(&other.0).is_err());
}

#[test]
fn a_server_without_tls() {
    if !Server::is_there() {
        return;
    }
    let server = Server::start();
    let connect = |mode: &str| {
        let environment = |name: &str| (name == "PGPASSWORD").then(|| PASSWORD.to_owned());
        Connection::open(
            &format!("{}?sslmode={mode}", server.tcp_url("ada", "localhost")),
            environment,
        )
    };
    assert!(connect("disable").is_ok() && connect("prefer").is_ok());
    refused(connect("require"), "has no TLS");
    refused(connect("prefer&channel_binding=require"), "could not agree");
}

#[test]
fn rules_for_one_kind_of_connection_are_found() {
    if !Server::is_there() {
        return;
    }
    assert!(!encrypted(&mut connect("plain", "localhost", "sslmode=prefer").unwrap()));
    assert!(encrypted(&mut connect("encrypted", "localhost", "sslmode=allow").unwrap()));
    refused(connect("plain", "localhost", "sslmode=require"), "28000");
    refused(connect("encrypted", "localhost", "sslmode=disable"), "28000");
}

#[test]
fn passwords_are_proved_in_every_way_of_the_server() {
    if !Server::is_there() {
        return;
    }
    for user in ["ada", "old", "word"] {
        assert_eq!(one(&mut connect(user, "localhost", "").unwrap(), "SELECT current_user"), user);
    }
    let binding = |user, mode: &str| {
        connect(user, "localhost", &format!("sslmode={mode}&channel_binding=require"))
    };
    assert!(binding("ada", "require").is_ok());
    refused(binding("ada", "disable"), "could not agree");
    refused(binding("word", "require"), "could not agree");
}

#[test]
fn a_user_may_have_a_certificate() {
    if !Server::is_there() {
        return;
    }
    let options = format!(
        "sslmode=require&sslcert={}&sslkey={}",
        SERVER.file("user.crt"),
        SERVER.file("user.key")
    );
    let mut session = connect_where("certified", "localhost", &options, &[]).unwrap();
    assert_eq!(one(&mut session, "SELECT current_user"), "certified");
    assert!(connect_where("certified", "localhost", "sslmode=require", &[]).is_err());

    let open = SERVER.folder.path().join("open.key");
    fs::copy(SERVER.file("user.key"), &open).unwrap();
    fs::set_permissions(&open, Permissions::from_mode(0o644)).unwrap();
    let options =
        format!("sslmode=require&sslcert={}&sslkey={}", SERVER.file("user.crt"), open.display());
    refused(connect_where("certified", "localhost", &options, &[]), "others than its owner");
}

#[test]
fn a_wrong_password_is_not_repeated() {
    if !Server::is_there() {
        return;
    }
    let error = refused(
        connect_where("ada", "localhost", "", &[("PGPASSWORD", "wrong-one")]),
        "the password of user ada is wrong",
    );
    assert_eq!(error.kind(), ErrorKind::Io);
    refused(connect_where("ada:wrong-one", "localhost", "", &[]), "28P01");
    refused(connect_where("ada", "localhost", "password=wrong-one", &[]), "28P01");
    refused(connect_where("ada", "localhost", "", &[]), "a password is needed");
    refused(connect_where("nobody", "localhost", "", &[("PGPASSWORD", "wrong-one")]), "28P01");
}

#[test]
fn a_password_in_a_url_is_encoded() {
    if !Server::is_there() {
        return;
    }
    let encoded: String = PASSWORD.bytes().map(|byte| format!("%{byte:02X}")).collect();
    assert!(connect_where(&format!("ada:{encoded}"), "localhost", "", &[]).is_ok());
    let plain = connect_where(&format!("ada:{PASSWORD}"), "localhost", "", &[]);
    assert_eq!(refused(plain, "postgresql URL").kind(), ErrorKind::Parameter);
}

#[test]
fn the_password_file_needs_its_permissions() {
    if !Server::is_there() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(".pgpass");
    let escaped = PASSWORD.replace('\\', "\\\\").replace(':', "\\:");
    let port = SERVER.server.port();
    fs::write(
        &path,
        format!("# mine\nlocalhost:{port}:other:ada:wrong-one\n*:{port}:*:ada:{escaped}\n"),
    )
    .unwrap();
    let home = folder.path().display().to_string();
    let connect = |variables: &[(&str, &str)]| connect_where("ada", "localhost", "", variables);

    fs::set_permissions(&path, Permissions::from_mode(0o600)).unwrap();
    let session = connect(&[("HOME", &home)]).unwrap();
    assert!(session.warnings().is_empty(), "{:?}", session.warnings());
    let file = path.display().to_string();
    assert!(connect(&[("PGPASSFILE", &file)]).is_ok());
    let mut psql = SERVER.server.psql(&SERVER.server.tcp_url("ada", "localhost"));
    let psql = psql.args(["--command", "SELECT 1"]).env("PGPASSFILE", &file).output().unwrap();
    assert!(psql.status.success(), "libpq reads the file in the same way");
    refused(connect(&[("PGPASSFILE", &file), ("PGPASSWORD", "wrong-one")]), "28P01");
    refused(connect_where("ada", "localhost", "dbname=other", &[("HOME", &home)]), "28P01");

    fs::set_permissions(&path, Permissions::from_mode(0o644)).unwrap();
    let error = refused(connect(&[("HOME", &home)]), "a password is needed");
    assert!(error.fix().unwrap().to_string().contains("is ignored"), "{error:?}");
    let session = connect(&[("HOME", &home), ("PGPASSWORD", PASSWORD)]).unwrap();
    assert!(session.warnings().is_empty(), "the file was not looked at");
    let over_socket =
        Connection::open(&SERVER.server.url(), |name| (name == "HOME").then(|| home.clone()));
    assert!(over_socket.unwrap().warnings()[0].contains("chmod 600"));
}

#[test]
fn the_environment_is_enough() {
    if !Server::is_there() {
        return;
    }
    let port = SERVER.server.port().to_string();
    let root = SERVER.file("root.crt");
    let variables = [
        ("PGHOST", "localhost"),
        ("PGHOSTADDR", "127.0.0.1"),
        ("PGPORT", &port),
        ("PGUSER", "ada"),
        ("PGPASSWORD", PASSWORD),
        ("PGDATABASE", "postgres"),
        ("PGSSLMODE", "verify-full"),
        ("PGSSLROOTCERT", &root),
        ("PGCONNECT_TIMEOUT", "10"),
        ("PGAPPNAME", "a test"),
        ("PGOPTIONS", "-c statement_timeout=12345"),
    ];
    let lookup = |name: &str| {
        variables
            .iter()
            .find(|(variable, _)| *variable == name)
            .map(|(_, value)| (*value).to_owned())
    };
    let mut session = Connection::open("postgresql://", lookup).unwrap();
    assert!(encrypted(&mut session));
    assert_eq!(one(&mut session, "SELECT current_setting('application_name')"), "a test");
    assert_eq!(one(&mut session, "SELECT current_setting('statement_timeout')"), "12345ms");
}

#[test]
fn the_next_server_is_tried_but_no_other_password() {
    if !Server::is_there() {
        return;
    }
    let port = SERVER.server.port();
    let two = |hosts: &str| {
        let environment = |name: &str| (name == "PGPASSWORD").then(|| PASSWORD.to_owned());
        Connection::open(
            &format!("postgresql://ada@{hosts}/postgres?connect_timeout=5"),
            environment,
        )
    };
    assert!(two(&format!("localhost:1,localhost:{port}")).is_ok());
    assert!(two(&format!("no-such-host.invalid,localhost:{port}")).is_ok());
    refused(two("localhost:1"), "no connection (connection refused)");
    refused(two("no-such-host.invalid"), "has no address");
    refused(two("%2Fno%2Fsuch%2Ffolder"), "/no/such/folder/.s.PGSQL.5432");
    // The first server knows the user, and says no.
    let wrong = format!("postgresql://ada:wrong-one@localhost:{port},localhost:1/postgres");
    refused(Connection::open(&wrong, |_| None), "28P01");
    let missing = format!("postgresql://ada@localhost:{port}/nowhere");
    let missing =
        Connection::open(&missing, |name| (name == "PGPASSWORD").then(|| PASSWORD.to_owned()));
    refused(missing, "there is no database nowhere");
}

/// Something that is no PostgreSQL server, at a port: it answers everybody with these bytes.
fn impostor(answer: &'static [u8]) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        for connection in listener.incoming() {
            let mut connection = connection.unwrap();
            let _ = connection.read(&mut [0; 256]);
            let _ = connection.write_all(answer);
        }
    });
    port
}

#[test]
fn what_is_no_server_is_noticed() {
    if !Server::is_there() {
        return;
    }
    for answer in [
        &b""[..],
        b"HTTP/1.1 400 Bad Request\r\n\r\n",
        b"S",
        b"SSSSSSSSSSSSSS",
        b"N",
        b"NR\0\0\0\x08\0\0\0\x63",
    ] {
        let port = impostor(answer);
        for mode in ["disable", "prefer", "require"] {
            let url =
                format!("postgresql://ada:wrong-one@127.0.0.1:{port}/postgres?sslmode={mode}");
            let error = refused(Connection::open(&url, |_| None), &port.to_string());
            assert_eq!(error.kind(), ErrorKind::Io, "{error}");
        }
    }
    let port = impostor(b"");
    let silent =
        Connection::open(&format!("postgresql://ada@127.0.0.1:{port}?sslmode=disable"), |_| None);
    refused(silent, "does not answer as PostgreSQL does");
}

#[test]
fn a_server_that_says_nothing_is_given_up() {
    if !Server::is_there() {
        return;
    }
    // Connections wait in the queue of the listener, and nobody takes them.
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let silent = format!("postgresql://ada@127.0.0.1:{port}/postgres?connect_timeout=1");
    refused(Connection::open(&silent, |_| None), "does not answer in time");
    let next = format!(
        "postgresql://ada@127.0.0.1:{port},localhost:{}/postgres?connect_timeout=3",
        SERVER.server.port()
    );
    let mut session =
        Connection::open(&next, |name| (name == "PGPASSWORD").then(|| PASSWORD.to_owned()))
            .unwrap();
    assert_eq!(one(&mut session, "SELECT 1"), "1");
}

#[test]
fn a_query_is_cancelled_over_tls() {
    if !Server::is_there() {
        return;
    }
    let mut connection = connect("ada", "localhost", "sslmode=require").unwrap();
    let endless = "COPY (SELECT generate_series(1, 10000000000)) TO STDOUT";
    let mut rows = connection.client().copy_out(endless).unwrap();
    let mut first = [0; 2];
    rows.read_exact(&mut first).unwrap();
    drop(rows);
    connection.cancel();
    assert_eq!(&first, b"1\n");
    // It need not wait for all rows.
    assert_eq!(one(&mut connection, "SELECT 2"), "2");
}

#[test]
fn a_session_wants_the_kind_of_server_that_is_said() {
    if !Server::is_there() {
        return;
    }
    assert!(connect("ada", "localhost", "target_session_attrs=read-write").is_ok());
    refused(connect("ada", "localhost", "target_session_attrs=read-only"), "no connection");
}
