//! Connection by settings: tries every server and every address, with and without TLS as `sslmode`
//! says.

use std::fmt;
use std::net::{IpAddr, ToSocketAddrs};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

use postgres::config::SslMode as Negotiation;
use postgres::{Client, Config, NoTls};
use rustls::ClientConfig;
use suum_core::{Error, Result};

use crate::environment::Environment;
use crate::fault;
use crate::handshake::{Handshake, Outcome};
use crate::servers::{Host, Server};
use crate::settings::Settings;
use crate::tls::SslMode;

/// Open connection to a PostgreSQL server. It ends when it is dropped.
///
/// # Example
///
/// ```no_run
/// use suum_postgres::Connection;
///
/// let url = "postgresql://ada@db.example.org/survey?sslmode=verify-full";
/// let mut connection = Connection::open(url, |variable| std::env::var(variable).ok())?;
/// connection.warnings().iter().for_each(|warning| eprintln!("{warning}"));
/// let statement = connection.client().prepare("SELECT count(*) FROM people");
/// # Ok::<(), suum_core::Error>(())
/// ```
pub struct Connection {
    client: Client,
    /// TLS configuration, if the connection is encrypted.
    tls: Option<Arc<ClientConfig>>,
    server: String,
    warnings: Vec<String>,
}

impl Connection {
    /// Connects to a `postgresql://` or `postgres://` URL; `environment` looks up the variables
    /// that libpq knows.
    ///
    /// # Errors
    ///
    /// Refuses settings that cannot be used, and those that ask for protection which is not
    /// available. Fails if no server accepts the connection. No message has a password, or text of
    /// the server.
    ///
    /// # Example
    ///
    /// ```
    /// use suum_postgres::Connection;
    ///
    /// let refused = Connection::open("postgresql://db.example.org", |variable| match variable {
    ///     "PGSSLMODE" => Some("sometimes".to_owned()),
    ///     _ => None,
    /// });
    /// assert!(refused.unwrap_err().to_string().starts_with("sslmode"));
    /// ```
    pub fn open(url: &str, environment: impl Fn(&str) -> Option<String>) -> Result<Self> {
        connect(Settings::new(url, &Environment::new(&environment))?)
    }

    /// Client that sends queries.
    pub fn client(&mut self) -> &mut Client {
        &mut self.client
    }

    /// Server that accepted the connection.
    pub fn server(&self) -> &str {
        &self.server
    }

    /// Warnings for the user: a password file that was ignored, or a connection that is not
    /// encrypted.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Cancels the running query, whose remaining rows would otherwise have to be read.
    pub fn cancel(&self) {
        let token = self.client.cancel_token();
        // If it cannot be asked, the rows come, and are thrown away.
        let _ = match &self.tls {
            Some(tls) => token.cancel_query(Handshake::new(tls.clone())),
            None => token.cancel_query(NoTls),
        };
    }
}

impl fmt::Debug for Connection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connection").field("server", &self.server).finish_non_exhaustive()
    }
}

/// Checks the settings of a connection, without connecting.
///
/// # Errors
///
/// Refuses what [`Connection::open`] refuses before it connects.
///
/// # Example
///
/// ```
/// assert!(suum_postgres::check("postgresql://ada@db.example.org/survey", |_| None).is_ok());
/// assert!(suum_postgres::check("postgresql://ada@db.example.org?sslmode=no", |_| None).is_err());
/// ```
pub fn check(url: &str, environment: impl Fn(&str) -> Option<String>) -> Result<()> {
    Settings::new(url, &Environment::new(&environment)).map(drop)
}

/// Reason for the failure of an attempt, and the next attempt that may succeed.
struct Refusal {
    error: Error,
    next: Next,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    /// Another attempt at this address, with the other choice about TLS.
    OtherWay,
    /// Another address or server.
    OtherServer,
    /// No further attempt: this server recognized the user, and refused.
    Nothing,
}

/// Use of TLS in one attempt.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tls {
    No,
    IfOffered,
    Yes,
}

/// Connects to the first server that accepts the connection.
fn connect(settings: Settings) -> Result<Connection> {
    let on_network =
        settings.servers.iter().any(|server| matches!(server.host, Host::Network { .. }));
    let tls = match on_network && settings.ssl_mode != SslMode::Disable {
        true => Some(Arc::new(settings.tls_files.config(settings.ssl_mode)?)),
        false => None,
    };
    let mut last = None;
    for server in &settings.servers {
        match connect_to(server, &settings, tls.as_ref()) {
            Ok((client, encrypted)) => {
                let mut warnings = settings.warnings;
                if !encrypted && !is_local(server) {
                    warnings.push(format!(
                        "PostgreSQL at {server}: the connection is not encrypted; \
                        sslmode=verify-full would see to it"
                    ));
                }
                return Ok(Connection {
                    client,
                    tls: tls.filter(|_| encrypted),
                    server: server.to_string(),
                    warnings,
                });
            }
            Err(Refusal { error, next: Next::OtherServer }) => last = Some(error),
            Err(Refusal { error, .. }) => return Err(with_warnings(error, &settings.warnings)),
        }
    }
    let error =
        last.unwrap_or_else(|| Error::internal("PostgreSQL: there is no server to connect to"));
    Err(with_warnings(error, &settings.warnings))
}

/// Adds warnings to an error: a password file that was ignored can be why the connection failed.
fn with_warnings(error: Error, warnings: &[String]) -> Error {
    match (error.fix().cloned(), warnings) {
        (Some(fix), [warning, ..]) => error.with_fix(fix.say(format!("({warning})"))),
        _ => error,
    }
}

fn is_local(server: &Server) -> bool {
    match &server.host {
        Host::Socket(_) => true,
        Host::Network { address: Some(address), .. } => address.is_loopback(),
        Host::Network { name, .. } => {
            name == "localhost" || name.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
        }
    }
}

/// Connects to one server; true if encrypted.
fn connect_to(
    server: &Server,
    settings: &Settings,
    tls: Option<&Arc<ClientConfig>>,
) -> std::result::Result<(Client, bool), Refusal> {
    let (name, address) = match &server.host {
        Host::Socket(folder) => {
            let mut config = config(server, settings);
            // A host that begins with a slash is such a folder.
            config.host(folder);
            return attempt(&config, Tls::No, None, server, settings);
        }
        Host::Network { name, address } => (name, address),
    };
    let addresses = match address {
        Some(address) => vec![*address],
        None => (name.as_str(), server.port)
            .to_socket_addrs()
            .map_err(|_| no_address(server))?
            .map(|socket| socket.ip())
            .collect(),
    };
    let mut last = no_address(server);
    for address in addresses {
        let mut config = config(server, settings);
        // The address is connected to, and the name is checked against the certificate.
        config.host(name).hostaddr(address);
        for way in ways(settings.ssl_mode) {
            match attempt(&config, *way, tls, server, settings) {
                Ok(opened) => return Ok(opened),
                Err(refusal) => last = refusal,
            }
            if last.next != Next::OtherWay {
                break;
            }
        }
        if last.next != Next::OtherServer {
            break;
        }
    }
    Err(last)
}

fn no_address(server: &Server) -> Refusal {
    Refusal { error: fault::unresolved_host(server), next: Next::OtherServer }
}

/// Attempts in order; the second is made only if the first failed because of TLS.
fn ways(mode: SslMode) -> &'static [Tls] {
    match mode {
        SslMode::Disable => &[Tls::No],
        SslMode::Allow => &[Tls::No, Tls::Yes],
        SslMode::Prefer => &[Tls::IfOffered, Tls::No],
        SslMode::Require | SslMode::VerifyCa | SslMode::VerifyFull => &[Tls::Yes],
    }
}

fn attempt(
    config: &Config,
    way: Tls,
    tls: Option<&Arc<ClientConfig>>,
    server: &Server,
    settings: &Settings,
) -> std::result::Result<(Client, bool), Refusal> {
    let mut config = config.clone();
    let handshake = tls.filter(|_| way != Tls::No).map(|tls| Handshake::new(tls.clone()));
    config.ssl_mode(match (&handshake, way) {
        (None, _) | (_, Tls::No) => Negotiation::Disable,
        (_, Tls::IfOffered) => Negotiation::Prefer,
        (_, Tls::Yes) => Negotiation::Require,
    });
    let with = handshake.clone();
    let result = within(settings.connect_timeout, move || match with {
        None => config.connect(NoTls),
        Some(handshake) => config.connect(handshake),
    });
    let outcome = handshake.as_ref().and_then(Handshake::outcome);
    let error = match result {
        Some(Ok(client)) => return Ok((client, matches!(outcome, Some(Outcome::Done)))),
        Some(Err(error)) => error,
        None => return Err(Refusal { error: fault::no_answer(server), next: Next::OtherServer }),
    };
    let next = match (fault::sql_state(&error).as_deref(), outcome) {
        // The server's rules can be for connections with TLS, or for those without.
        (Some("28000"), _) => Next::OtherWay,
        // A server that cannot serve just now knows nothing against us.
        (Some("57P03" | "53300"), _) => Next::OtherServer,
        (Some(_), _) => Next::Nothing,
        (None, None | Some(Outcome::Done)) => Next::OtherServer,
        (None, Some(_)) if way == Tls::IfOffered => Next::OtherWay,
        (None, Some(_)) => Next::OtherServer,
    };
    let error = fault::connection_error(
        server,
        &settings.user,
        &settings.database,
        outcome,
        way == Tls::Yes,
        &error,
    );
    Err(Refusal { error, next })
}

/// Connects within a time limit, which as in libpq covers the whole login. `None` if it has not
/// succeeded by then.
fn within<T: Send + 'static>(
    limit: Option<Duration>,
    connect: impl FnOnce() -> T + Send + 'static,
) -> Option<T> {
    let Some(limit) = limit else { return Some(connect()) };
    let (sender, receiver) = mpsc::channel();
    // The thread of an attempt that is given up waits on. It ends with the process, or with the
    // connection.
    let attempt = thread::Builder::new().spawn(move || sender.send(connect()));
    attempt.ok().and_then(|_| receiver.recv_timeout(limit).ok())
}

/// Configuration common to all addresses of a server.
fn config(server: &Server, settings: &Settings) -> Config {
    let mut config = Config::new();
    config
        .user(&settings.user)
        .dbname(&settings.database)
        .port(server.port)
        .application_name(&settings.application_name)
        .channel_binding(settings.channel_binding)
        .target_session_attrs(settings.session)
        .keepalives(settings.keepalive.on)
        // Notices can repeat values, and would go to whoever listens to logs.
        .notice_callback(|_| {});
    if let Some(password) = &server.password {
        config.password(password.reveal());
    }
    if let Some(options) = &settings.server_options {
        config.options(options);
    }
    if let Some(idle) = settings.keepalive.idle {
        config.keepalives_idle(idle);
    }
    if let Some(interval) = settings.keepalive.interval {
        config.keepalives_interval(interval);
    }
    if let Some(count) = settings.keepalive.count {
        config.keepalives_retries(count);
    }
    if let Some(limit) = settings.keepalive.unacknowledged {
        config.tcp_user_timeout(limit);
    }
    config
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stays_on_this_machine_needs_no_warning() {
        let local = |name: &str, address: Option<&str>| {
            let address = address.map(|address| address.parse().unwrap());
            is_local(&Server {
                host: Host::Network { name: name.into(), address },
                port: 5432,
                password: None,
            })
        };
        assert!(local("localhost", None) && local("127.0.0.1", None) && local("::1", None));
        assert!(local("db", Some("127.0.0.2")) && !local("localhost", Some("192.0.2.1")));
        assert!(!local("db.example.org", None) && !local("192.0.2.1", None));
    }
}
