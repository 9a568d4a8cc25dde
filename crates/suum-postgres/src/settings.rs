//! Settings of a connection, from the URL, the service file, the environment, and libpq's defaults,
//! in this order.

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use postgres::config::{ChannelBinding, TargetSessionAttrs};
use suum_core::{Error, Result};

use crate::environment::Environment;
use crate::options::Options;
use crate::passfile::PassFile;
use crate::password::Password;
use crate::servers::{Server, servers};
use crate::service::service;
use crate::tls::{SslMode, TlsFiles};
use crate::url;

/// All settings of a connection.
#[derive(Debug)]
pub(crate) struct Settings {
    /// Servers, in the order in which they are tried; at least one.
    pub(crate) servers: Vec<Server>,
    pub(crate) user: String,
    pub(crate) database: String,
    pub(crate) ssl_mode: SslMode,
    pub(crate) tls_files: TlsFiles,
    pub(crate) channel_binding: ChannelBinding,
    pub(crate) session: TargetSessionAttrs,
    pub(crate) application_name: String,
    pub(crate) server_options: Option<String>,
    pub(crate) connect_timeout: Option<Duration>,
    pub(crate) keepalive: Keepalive,
    /// Warnings for the user about ignored settings.
    pub(crate) warnings: Vec<String>,
}

/// Times after which a silent connection is given up; `None` leaves them to the operating system.
#[derive(Debug)]
pub(crate) struct Keepalive {
    pub(crate) on: bool,
    pub(crate) idle: Option<Duration>,
    pub(crate) interval: Option<Duration>,
    pub(crate) count: Option<u32>,
    pub(crate) unacknowledged: Option<Duration>,
}

impl Settings {
    /// Reads the settings from a URL and an environment.
    pub(crate) fn new(url: &str, environment: &Environment) -> Result<Self> {
        let mut options = url::parse(url)?;
        let name =
            options.get("service").map(str::to_owned).or_else(|| environment.get("PGSERVICE"));
        if let Some(name) = name {
            options.fill(service(&name, environment)?);
        }
        options.fill_from(environment)?;

        let user = match options.get("user") {
            Some(user) => user.to_owned(),
            None => whoami::username().map_err(|_| {
                Error::parameter("user", "none is given, and this process has no user name")
                    .with_fix("name one, as in postgresql://user@host/database or with PGUSER")
            })?,
        };
        let database = options.get("dbname").unwrap_or(&user).to_owned();
        let mut servers = servers(&options)?;
        let passfile = match options.get("password") {
            Some(password) => {
                servers
                    .iter_mut()
                    .for_each(|server| server.password = Some(Password::new(password)));
                PassFile::default()
            }
            None => {
                let path = options.get("passfile").map(PathBuf::from);
                PassFile::read(path.or_else(|| environment.file_of_user("pgpass.conf", ".pgpass")))
            }
        };
        for server in servers.iter_mut().filter(|server| server.password.is_none()) {
            let host = server.host.name_in_passfile();
            server.password = passfile.password(&host, server.port, &database, &user);
        }
        let tls_files = TlsFiles::new(&options, environment);
        let ssl_mode = match options.get("sslmode") {
            Some(name) => name.parse()?,
            // Trusting everybody whom the operating system trusts is worth nothing without the host
            // name.
            None if tls_files.system_roots() => SslMode::VerifyFull,
            None => SslMode::Prefer,
        };
        if tls_files.system_roots() && ssl_mode != SslMode::VerifyFull {
            return Err(Error::request(
                "sslrootcert=system",
                "it does not go with a weaker sslmode than verify-full",
            )
            .with_fix("say sslmode=verify-full, or leave sslmode out"));
        }
        one_of(&options, "gssencmode", &[("disable", ()), ("prefer", ())])?;
        one_of(&options, "load_balance_hosts", &[("disable", ())])?;
        let channel_binding = one_of(
            &options,
            "channel_binding",
            &[
                ("prefer", ChannelBinding::Prefer),
                ("disable", ChannelBinding::Disable),
                ("require", ChannelBinding::Require),
            ],
        )?;
        let session = one_of(
            &options,
            "target_session_attrs",
            &[
                ("any", TargetSessionAttrs::Any),
                ("read-write", TargetSessionAttrs::ReadWrite),
                ("read-only", TargetSessionAttrs::ReadOnly),
            ],
        )?;
        let application_name =
            options.get("application_name").or_else(|| options.get("fallback_application_name"));
        Ok(Self {
            servers,
            user,
            database,
            ssl_mode,
            tls_files,
            channel_binding: channel_binding.unwrap_or(ChannelBinding::Prefer),
            session: session.unwrap_or(TargetSessionAttrs::Any),
            application_name: application_name.unwrap_or("suum").to_owned(),
            server_options: options.get("options").map(str::to_owned),
            connect_timeout: positive(&options, "connect_timeout")?
                .map(|s| Duration::from_secs(u64::from(s))),
            keepalive: Keepalive {
                on: number(&options, "keepalives")? != Some(0),
                idle: positive(&options, "keepalives_idle")?
                    .map(|s| Duration::from_secs(u64::from(s))),
                interval: positive(&options, "keepalives_interval")?
                    .map(|s| Duration::from_secs(u64::from(s))),
                count: positive(&options, "keepalives_count")?,
                unacknowledged: positive(&options, "tcp_user_timeout")?
                    .map(|ms| Duration::from_millis(u64::from(ms))),
            },
            warnings: passfile.warning.into_iter().collect(),
        })
    }
}

fn one_of<T: Clone>(options: &Options, name: &str, values: &[(&str, T)]) -> Result<Option<T>> {
    let Some(said) = options.get(name) else { return Ok(None) };
    match values.iter().find(|(value, _)| *value == said) {
        Some((_, meaning)) => Ok(Some(meaning.clone())),
        None => {
            let names: Vec<_> = values.iter().map(|(value, _)| *value).collect();
            Err(Error::parameter(name.to_owned(), "its value is not supported")
                .with_fix(format!("use {}", names.join(" or "))))
        }
    }
}

fn number<T: FromStr>(options: &Options, name: &str) -> Result<Option<T>> {
    let Some(said) = options.get(name) else { return Ok(None) };
    said.trim().parse().map(Some).map_err(|_| {
        Error::parameter(name.to_owned(), "it is not a whole number")
            .with_fix(format!("write it in digits, as {name}=10, or leave it out"))
    })
}

/// Number above zero; other numbers mean that there is no limit, or that the system's applies.
fn positive(options: &Options, name: &str) -> Result<Option<u32>> {
    Ok(number::<i32>(options, name)?
        .and_then(|number| u32::try_from(number).ok())
        .filter(|number| *number > 0))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::servers::Host;

    fn settings(url: &str, variables: &[(&str, &str)]) -> Result<Settings> {
        let lookup = |name: &str| {
            variables
                .iter()
                .find(|(variable, _)| *variable == name)
                .map(|(_, value)| (*value).to_owned())
        };
        Settings::new(url, &Environment::new(&lookup))
    }

    fn network(name: &str, port: u16) -> Server {
        Server { host: Host::Network { name: name.into(), address: None }, port, password: None }
    }

    #[test]
    fn the_url_is_before_the_environment() {
        let environment = [
            ("PGHOST", "envhost"),
            ("PGPORT", "6000"),
            ("PGUSER", "eve"),
            ("PGDATABASE", "envdb"),
            ("PGPASSWORD", "envword"),
            ("PGAPPNAME", "envapp"),
            ("PGCONNECT_TIMEOUT", "7"),
            ("PGSSLMODE", "require"),
        ];
        let of_environment = settings("postgresql://", &environment).unwrap();
        assert_eq!(of_environment.servers[0].to_string(), "envhost:6000");
        assert_eq!(of_environment.servers[0].password, Some(Password::new("envword")));
        assert_eq!(
            (of_environment.user.as_str(), of_environment.database.as_str()),
            ("eve", "envdb")
        );
        assert_eq!(of_environment.application_name, "envapp");
        assert_eq!(of_environment.connect_timeout, Some(Duration::from_secs(7)));
        assert_eq!(of_environment.ssl_mode, SslMode::Require);

        let of_url = settings(
            "postgresql://ada:word@db:7000/survey?application_name=a&\
             connect_timeout=0&sslmode=disable",
            &environment,
        )
        .unwrap();
        assert_eq!(of_url.servers[0].to_string(), "db:7000");
        assert_eq!(of_url.servers[0].password, Some(Password::new("word")));
        assert_eq!((of_url.user.as_str(), of_url.database.as_str()), ("ada", "survey"));
        assert_eq!(of_url.application_name, "a");
        assert_eq!(of_url.connect_timeout, None);
        assert_eq!(of_url.ssl_mode, SslMode::Disable);
        assert!(
            !format!("{of_url:?}").contains("word@") && !format!("{of_url:?}").contains("\"word\"")
        );
    }

    #[test]
    fn defaults_are_those_of_libpq() {
        let defaults = settings("postgresql://ada@db", &[]).unwrap();
        assert_eq!(defaults.servers, [network("db", 5432)]);
        assert_eq!(defaults.database, "ada");
        assert_eq!(defaults.ssl_mode, SslMode::Prefer);
        assert_eq!(settings("postgresql://db", &[]).unwrap().user, whoami::username().unwrap());
        assert!(defaults.keepalive.on);
    }

    #[test]
    fn servers_are_listed_side_by_side() {
        let servers = |url| settings(url, &[]).unwrap().servers;
        assert_eq!(servers("postgresql://u@a,b:1"), [network("a", 5432), network("b", 1)]);
        assert_eq!(servers("postgresql://u@?host=a,b&port=9"), [network("a", 9), network("b", 9)]);
        assert_eq!(servers("postgresql://u@%2Ftmp%2Fx:9")[0].host, Host::Socket("/tmp/x".into()));
        let address = Some("192.0.2.1".parse().unwrap());
        let host = Host::Network { name: "db".into(), address };
        assert_eq!(servers("postgresql://u@db?hostaddr=192.0.2.1")[0].host, host);
        for refused in [
            "postgresql://u@a,b?hostaddr=192.0.2.1",
            "postgresql://u@a,b?port=1,2,3",
            "postgresql://u@a:0",
            "postgresql://u@a:70000",
            "postgresql://u@a?hostaddr=name",
        ] {
            assert!(settings(refused, &[]).is_err(), "{refused}");
        }
    }

    #[test]
    fn a_service_stands_between_url_and_environment() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("services");
        fs::write(&file, "[study]\nhost=db\nport=7000\nuser=ada\n").unwrap();
        let file = file.display().to_string();
        let variables =
            [("PGSERVICEFILE", file.as_str()), ("PGHOST", "envhost"), ("PGDATABASE", "envdb")];
        let found = settings("postgresql://:7001?service=study", &variables).unwrap();
        assert_eq!(found.servers, [network("db", 7001)]);
        assert_eq!((found.user.as_str(), found.database.as_str()), ("ada", "envdb"));
        let unknown = settings("postgresql://?service=none", &variables).unwrap_err();
        assert!(unknown.fix().unwrap().to_string().contains("[none]"), "{unknown:?}");
    }

    #[test]
    fn what_would_be_less_safe_than_asked_for_is_refused() {
        for (url, variables) in [
            ("postgresql://u@h?sslmode=verify", &[][..]),
            ("postgresql://u@h?sslmode=require&sslrootcert=system", &[]),
            ("postgresql://u@h?gssencmode=require", &[]),
            ("postgresql://u@h?sslcrl=file", &[]),
            ("postgresql://u@h?target_session_attrs=standby", &[]),
            ("postgresql://u@h", &[("PGREQUIREAUTH", "scram-sha-256")]),
            ("postgresql://u@h", &[("PGSSLCRL", "file")]),
        ] {
            let refused = settings(url, variables).unwrap_err();
            assert!(refused.fix().is_some(), "{refused}");
        }
        let system = settings("postgresql://u@h?sslrootcert=system", &[]).unwrap();
        assert_eq!(system.ssl_mode, SslMode::VerifyFull);
    }
}
