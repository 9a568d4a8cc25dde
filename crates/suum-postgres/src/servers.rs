//! Servers that are tried, and their addresses.

use std::fmt;
use std::net::IpAddr;
use std::path::Path;

use suum_core::{Error, Result};

use crate::options::Options;
use crate::password::Password;

/// Default folder of the Unix sockets of servers.
const SOCKET_FOLDER: &str = "/var/run/postgresql";

const PORT: u16 = 5432;

/// Server, and the password for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Server {
    pub(crate) host: Host,
    pub(crate) port: u16,
    pub(crate) password: Option<Password>,
}

/// Address on which a server listens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Host {
    /// Folder of a Unix socket.
    Socket(String),
    /// Host name or address, and the address to use for it if one is given.
    Network { name: String, address: Option<IpAddr> },
}

impl fmt::Display for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.host {
            Host::Socket(folder) => write!(f, "{folder}/.s.PGSQL.{}", self.port),
            Host::Network { name, .. } if name.contains(':') => write!(f, "[{name}]:{}", self.port),
            Host::Network { name, .. } => write!(f, "{name}:{}", self.port),
        }
    }
}

impl Host {
    /// Host in the lines of a password file: as written, but `localhost` for the default Unix
    /// socket.
    pub(crate) fn name_in_passfile(&self) -> String {
        match self {
            Host::Socket(folder) if folder == SOCKET_FOLDER => "localhost".to_owned(),
            Host::Socket(name) | Host::Network { name, .. } => name.clone(),
        }
    }
}

/// Servers that `host`, `hostaddr` and `port` list in parallel.
pub(crate) fn servers(options: &Options) -> Result<Vec<Server>> {
    let list =
        |name| options.get(name).map(|list| list.split(',').map(str::trim).collect::<Vec<_>>());
    let names = list("host");
    let addresses = list("hostaddr");
    let ports = list("port").unwrap_or_else(|| vec![""]);
    let count = addresses.as_ref().or(names.as_ref()).map_or(1, Vec::len);
    let uneven = |what: &'static str| {
        Error::parameter(what, "there are not as many as hosts").with_fix(
            "list hosts, addresses and ports with commas, one for one; a single port is for all \
            hosts",
        )
    };
    if names.as_ref().is_some_and(|names| names.len() != count) {
        return Err(uneven("hostaddr"));
    }
    if ports.len() != 1 && ports.len() != count {
        return Err(uneven("port"));
    }
    let nth = |list: &Option<Vec<&str>>, index: usize| {
        list.as_ref()
            .and_then(|list| list.get(index).copied())
            .filter(|text| !text.is_empty())
            .map(str::to_owned)
    };
    let mut servers = Vec::with_capacity(count);
    for index in 0..count {
        let port = match ports[if ports.len() == 1 { 0 } else { index }] {
            "" => PORT,
            port => match port.parse() {
                Ok(port) if port > 0 => port,
                _ => {
                    return Err(Error::parameter("port", "it is not a number between 1 and 65535")
                        .with_fix("write it in digits; without one it is 5432"));
                }
            },
        };
        let address = match nth(&addresses, index) {
            None => None,
            Some(address) => Some(address.parse::<IpAddr>().map_err(|_| {
                Error::parameter("hostaddr", "it is not a numeric address")
                    .with_fix("write it as 192.0.2.1 or 2001:db8::1, and names as host")
            })?),
        };
        let host = match (nth(&names, index), address) {
            (Some(name), None) if name.starts_with('/') => Host::Socket(name),
            (Some(name), address) => Host::Network { name, address },
            (None, Some(address)) => {
                Host::Network { name: address.to_string(), address: Some(address) }
            }
            (None, None) => default_host(port),
        };
        servers.push(Server { host, port, password: None });
    }
    Ok(servers)
}

/// Unix socket of this machine if there is one, otherwise its loopback address.
fn default_host(port: u16) -> Host {
    match cfg!(unix) && Path::new(SOCKET_FOLDER).join(format!(".s.PGSQL.{port}")).exists() {
        true => Host::Socket(SOCKET_FOLDER.to_owned()),
        false => Host::Network { name: "localhost".to_owned(), address: None },
    }
}
