//! Failures of a server, in words of suum.
//!
//! A server's own message can repeat values ("invalid input syntax for type integer"), so only its
//! error code, the SQLSTATE, is passed on.

use std::error::Error as _;
use std::io;

use rustls::CertificateError;
use suum_core::{Error, ErrorKind, Phrase, say};

use crate::handshake::Outcome;
use crate::servers::Server;

/// Reason why a server refused the connection.
pub(crate) fn connection_error(
    server: &Server,
    user: &str,
    database: &str,
    outcome: Option<&Outcome>,
    tls_required: bool,
    error: &postgres::Error,
) -> Error {
    let refuse = |what: Phrase, hint: &'static str| {
        Error::io(format!("PostgreSQL at {server}"), what).with_fix(hint)
    };
    if let Some(outcome) = outcome
        && let Some((what, hint)) = describe_handshake(outcome)
    {
        return refuse(say(what), hint);
    }
    if let Some(state) = sql_state(error) {
        let (what, hint) = match state.as_str() {
            "28P01" => (
                format!("the password of user {user} is wrong"),
                "check the user and the password, in the URL, PGPASSWORD or ~/.pgpass",
            ),
            "28000" => (
                format!("user {user} may not connect from here in this way"),
                "check the user name, and the rules of the server's pg_hba.conf; it may ask for \
                TLS (sslmode=require)",
            ),
            "3D000" => (
                format!("there is no database {database}"),
                "name the database in the URL, as in postgresql://host/database",
            ),
            "42501" => (
                format!("user {user} has no right to connect to database {database}"),
                "ask for GRANT CONNECT ON DATABASE",
            ),
            "57P03" => {
                ("the server is starting or stopping".to_owned(), "wait a little and try again")
            }
            "53300" => (
                "all connections of the server are taken".to_owned(),
                "wait a little and try again",
            ),
            _ => ("the server refuses the connection".to_owned(), "the log of the server says why"),
        };
        return refuse(say(format!("{what} (SQLSTATE {state})")), hint);
    }
    if let Some(kind) = io_kind(error) {
        let hint = match kind {
            io::ErrorKind::PermissionDenied => {
                "check target_session_attrs, and that this user may open the socket"
            }
            _ => "check host and port, and that the server runs and accepts connections there",
        };
        return refuse(say(format!("no connection ({kind})")), hint);
    }
    if tls_required && outcome.is_none() {
        return refuse(
            say("the server has no TLS"),
            "turn TLS on at the server (ssl = on); sslmode=prefer or disable would send data and \
            passwords that all on the way can read",
        );
    }
    if error.is_closed() || error.source().is_none() {
        return refuse(
            say("it does not answer as PostgreSQL does"),
            "check host and port; something else may listen there, or a proxy without a server \
            behind it",
        );
    }
    match server.password {
        None => refuse(
            say(format!("a password is needed for user {user}, and none is given")),
            "put it into ~/.pgpass (then chmod 600 ~/.pgpass) or into PGPASSWORD",
        ),
        Some(_) => refuse(
            say("user and server could not agree on a way to prove who they are"),
            "give the user a password of the kind scram-sha-256; channel_binding=require needs \
            TLS; Kerberos is not supported",
        ),
    }
}

/// Refusal after a server did not answer in time.
pub(crate) fn no_answer(server: &Server) -> Error {
    Error::io(format!("PostgreSQL at {server}"), "it does not answer in time").with_fix(
        "check host and port; connect_timeout (PGCONNECT_TIMEOUT) says how many seconds to wait",
    )
}

/// Reason why a name has no address.
pub(crate) fn unresolved_host(server: &Server) -> Error {
    Error::io(format!("PostgreSQL at {server}"), "the host has no address")
        .with_fix("check the host in the URL or in PGHOST, and the name service of this machine")
}

fn describe_handshake(outcome: &Outcome) -> Option<(String, &'static str)> {
    let certificate = |what: &str| format!("the certificate of the server {what}");
    let refused = match outcome {
        Outcome::Done => return None,
        Outcome::BadName => {
            return Some((
                "the host cannot be a name in a certificate".to_owned(),
                "use the name of the host as it stands in the server's certificate",
            ));
        }
        Outcome::Broken(kind) => {
            return Some((
                format!("TLS broke off ({kind})"),
                "check that the server offers TLS 1.2 or newer; its log may say more",
            ));
        }
        Outcome::Refused(refused) => refused,
    };
    Some(match refused {
        rustls::Error::InvalidCertificate(why) => match why {
            CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
                (
                    certificate("is not for this host"),
                    "connect by a name that is among the subject alternative names of the \
                    certificate (a common name does not count), or use sslmode=verify-ca",
                )
            }
            CertificateError::UnknownIssuer => (
                certificate("is not vouched for by a root certificate"),
                "name the root of the server's authority as sslrootcert",
            ),
            CertificateError::Expired | CertificateError::ExpiredContext { .. } => {
                (certificate("has expired"), "renew it, or check the clock of this machine")
            }
            CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
                (certificate("is not valid yet"), "check the clock of this machine")
            }
            _ => (
                certificate("is not acceptable"),
                "it must be a certificate of X.509 version 3, for a server, signed with SHA-256 or \
                better",
            ),
        },
        rustls::Error::AlertReceived(_) => (
            "the server broke off TLS".to_owned(),
            "it may ask for a certificate of the user (sslcert and sslkey), or not accept it; its \
            log may say more",
        ),
        _ => (
            "no way of doing TLS is known to both sides".to_owned(),
            "the server must offer TLS 1.2 or newer, with a key that is not too short",
        ),
    })
}

/// Refusal after the connection broke off, with the reason if it is known.
///
/// # Example
///
/// ```
/// let gone = suum_postgres::broken_off(Some(std::io::ErrorKind::ConnectionReset));
/// assert!(gone.to_string().starts_with("PostgreSQL: the connection broke off (connection reset"));
/// ```
pub fn broken_off(kind: Option<io::ErrorKind>) -> Error {
    let why = kind.map_or(String::new(), |kind| format!(" ({kind})"));
    Error::io("PostgreSQL", format!("the connection broke off{why}"))
        .with_fix("check that the server still runs, and start again")
}

/// Reason why a query was refused or broke off, without the text of the server. `what` is the query
/// or the table in question.
///
/// # Example
///
/// ```no_run
/// # let mut connection = suum_postgres::Connection::open("postgresql:///survey", |_| None)?;
/// let found = connection.client().prepare("SELECT privacy FROM people");
/// let statement = found.map_err(|error| suum_postgres::query_error("table people", &error))?;
/// # Ok::<(), suum_core::Error>(())
/// ```
pub fn query_error(what: &str, error: &postgres::Error) -> Error {
    let Some(state) = sql_state(error) else { return broken_off(io_kind(error)) };
    let (kind, why, hint) = classify_state(&state);
    Error::new(kind, what.to_owned(), format!("{why} (SQLSTATE {state})")).with_fix(hint)
}

fn classify_state(state: &str) -> (ErrorKind, &'static str, &'static str) {
    const START_AGAIN: &str = "start again; nothing was released";
    match state {
        "42P01" | "3F000" => (
            ErrorKind::Data,
            "there is no such table",
            "check the spelling with upper and lower case, and name the schema, as in schema.table",
        ),
        "42703" => (
            ErrorKind::Data,
            "there is no such column",
            "check the spelling of the columns, with upper and lower case",
        ),
        "42501" => (
            ErrorKind::Io,
            "this user may not read it",
            "ask for GRANT SELECT on the table and GRANT USAGE on its schema",
        ),
        "42601" => (
            ErrorKind::Parameter,
            "it is not one SELECT that PostgreSQL understands",
            "give exactly one SELECT; try it in psql",
        ),
        "0A000" | "25006" | "25001" => (
            ErrorKind::Parameter,
            "it does more than read",
            "leave out what writes, locks or defines; the transaction is read-only",
        ),
        "42804" | "42846" | "42883" | "42P18" | "42725" => (
            ErrorKind::Parameter,
            "types in it do not fit",
            "check the types of the columns, and convert them in a query",
        ),
        "57014" => (
            ErrorKind::Io,
            "the server cancelled it, or its time is up",
            "raise statement_timeout for this user, for example with PGOPTIONS='-c \
            statement_timeout=0'",
        ),
        "55P03" => {
            (ErrorKind::Io, "somebody else holds a lock on it", "try again when they are done")
        }
        "40001" | "72000" => (
            ErrorKind::Io,
            "the server could not keep the snapshot",
            "start again; on a standby, raise max_standby_streaming_delay or use the primary",
        ),
        "25P02" => (ErrorKind::Io, "an earlier query of this session was refused", START_AGAIN),
        "25P03" | "25P04" | "57P05" => {
            (ErrorKind::Io, "the server ended a session that took too long", START_AGAIN)
        }
        "22003" => (
            ErrorKind::Data,
            "a number is too large or too small for its type",
            "clamp numbers in a query to what a double can be, about 1e-307 to 1e308",
        ),
        _ => match state.get(..2) {
            Some("22") => (
                ErrorKind::Data,
                "a value is not of the form or range that it needs",
                "look for values that a conversion or function in it does not take",
            ),
            Some("42") => (ErrorKind::Parameter, "it is not a valid query", "try it in psql"),
            Some("53" | "54") => (
                ErrorKind::Io,
                "the server has not enough memory, disk or other means",
                "ask who runs the server",
            ),
            Some("57") => {
                (ErrorKind::Io, "the server was stopped or ended the session", START_AGAIN)
            }
            Some("58" | "XX") => {
                (ErrorKind::Io, "the server is damaged", "ask who runs the server")
            }
            _ => (
                ErrorKind::Io,
                "the server refuses it",
                "try it in psql; the log of the server says why",
            ),
        },
    }
}

/// Code of a server's refusal, as the standard spells it.
pub(crate) fn sql_state(error: &postgres::Error) -> Option<String> {
    let state = error.code()?.code();
    let standard = state.len() == 5
        && state.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
    Some(if standard { state.to_owned() } else { "unknown".to_owned() })
}

fn io_kind(error: &postgres::Error) -> Option<io::ErrorKind> {
    error.source()?.downcast_ref::<io::Error>().map(io::Error::kind)
}
