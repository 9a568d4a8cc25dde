//! Options of a connection by their libpq names; the first source that sets one wins.

use std::collections::BTreeMap;

use suum_core::{Error, Result};

use crate::environment::Environment;

/// Option, and the environment variable that sets it if nothing else does.
struct LibpqOption {
    name: &'static str,
    variable: Option<&'static str>,
}

const fn with_variable(name: &'static str, variable: &'static str) -> LibpqOption {
    LibpqOption { name, variable: Some(variable) }
}

const fn unnamed(name: &'static str) -> LibpqOption {
    LibpqOption { name, variable: None }
}

const KNOWN: [LibpqOption; 26] = [
    with_variable("host", "PGHOST"),
    with_variable("hostaddr", "PGHOSTADDR"),
    with_variable("port", "PGPORT"),
    with_variable("user", "PGUSER"),
    with_variable("password", "PGPASSWORD"),
    with_variable("dbname", "PGDATABASE"),
    with_variable("passfile", "PGPASSFILE"),
    with_variable("service", "PGSERVICE"),
    with_variable("options", "PGOPTIONS"),
    with_variable("application_name", "PGAPPNAME"),
    unnamed("fallback_application_name"),
    with_variable("connect_timeout", "PGCONNECT_TIMEOUT"),
    unnamed("tcp_user_timeout"),
    unnamed("keepalives"),
    unnamed("keepalives_idle"),
    unnamed("keepalives_interval"),
    unnamed("keepalives_count"),
    with_variable("sslmode", "PGSSLMODE"),
    with_variable("sslrootcert", "PGSSLROOTCERT"),
    with_variable("sslcert", "PGSSLCERT"),
    with_variable("sslkey", "PGSSLKEY"),
    with_variable("channel_binding", "PGCHANNELBINDING"),
    with_variable("gssencmode", "PGGSSENCMODE"),
    with_variable("target_session_attrs", "PGTARGETSESSIONATTRS"),
    // Text arrives as Unicode whatever it is.
    with_variable("client_encoding", "PGCLIENTENCODING"),
    with_variable("load_balance_hosts", "PGLOADBALANCEHOSTS"),
];

/// Options that libpq also accepts, listed so that a refusal can repeat the name.
const UNSUPPORTED: [&str; 17] = [
    "gssdelegation",
    "gsslib",
    "krbsrvname",
    "max_protocol_version",
    "min_protocol_version",
    "replication",
    "require_auth",
    "requirepeer",
    "requiressl",
    "ssl_max_protocol_version",
    "ssl_min_protocol_version",
    "sslcertmode",
    "sslcompression",
    "sslcrl",
    "sslcrldir",
    "sslnegotiation",
    "sslpassword",
];

/// Variables that ask for protection which would silently be missing.
const REFUSED_VARIABLES: [&str; 7] = [
    "PGREQUIREAUTH",
    "PGREQUIREPEER",
    "PGREQUIRESSL",
    "PGSSLCERTMODE",
    "PGSSLCRL",
    "PGSSLCRLDIR",
    "PGSSLMINPROTOCOLVERSION",
];

/// Options set so far. They hold the password, so there is no `Debug`.
#[derive(Default)]
pub(crate) struct Options(BTreeMap<&'static str, String>);

impl Options {
    /// Sets an option, in place of an earlier value.
    ///
    /// `place` is its source, for messages. They repeat no unknown name: in a URL with a typo, it
    /// can be part of a password.
    pub(crate) fn set(&mut self, place: &str, name: &str, value: String) -> Result<()> {
        let (name, value) = match (name, value.as_str()) {
            // Spelling of JDBC, which libpq accepts too.
            ("ssl", "true") => ("sslmode", "require".to_owned()),
            _ => (name, value),
        };
        if let Some(known) = KNOWN.iter().find(|known| known.name == name) {
            self.0.insert(known.name, value);
            return Ok(());
        }
        let what = match UNSUPPORTED.iter().find(|unsupported| **unsupported == name) {
            Some(name) => format!("the option {name} of libpq is not supported"),
            None => "an option is not known".to_owned(),
        };
        let names: Vec<_> = KNOWN.iter().map(|known| known.name).collect();
        Err(Error::parameter(place.to_owned(), what)
            .with_fix(format!("use some of {}", names.join(", "))))
    }

    /// Sets the options of `others` that are not set yet.
    pub(crate) fn fill(&mut self, others: Self) {
        for (name, value) in others.0 {
            self.0.entry(name).or_insert(value);
        }
    }

    /// Sets the options in the environment that are not set yet.
    pub(crate) fn fill_from(&mut self, environment: &Environment) -> Result<()> {
        if let Some(variable) =
            REFUSED_VARIABLES.iter().find(|variable| environment.get(variable).is_some())
        {
            return Err(Error::parameter(*variable, "what it asks for is not supported")
                .with_fix(format!("unset {variable}, if you can do without what it asks for")));
        }
        for known in &KNOWN {
            if let Some(value) = known.variable.and_then(|variable| environment.get(variable)) {
                self.0.entry(known.name).or_insert(value);
            }
        }
        Ok(())
    }

    /// Value of an option; an empty one counts as unset, as in libpq.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str).filter(|value| !value.is_empty())
    }
}
