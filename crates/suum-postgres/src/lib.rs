//! Connections to PostgreSQL as programs with libpq make them, without libpq.
//!
//! A URL says where to connect and how. What it leaves out comes from a service file, the
//! environment (`PGHOST`, `PGUSER`, `PGSSLMODE` …), the password file, and the usual defaults. The
//! crate `postgres` speaks the protocol; it knows of URLs and TLS, but not of the other places, nor
//! of the modes of `sslmode` in between. No message has a password, or what a server says.
//!
//! # What is where
//!
//! * `url`, `service`, `environment` and `passfile` (with `password`) are the places; they become
//!   `options`, by name, and these the `settings`, of which `servers` are the first.
//! * `connect` makes the `Connection`; `tls` says whom it trusts, `handshake` how TLS went, and
//!   `channel_binding` what SCRAM proves of it.
//! * `fault`: what went wrong, in our words.

mod channel_binding;
mod connect;
mod environment;
mod fault;
mod handshake;
mod options;
mod passfile;
mod password;
mod servers;
mod service;
mod settings;
mod tls;
mod url;

pub use connect::{Connection, check};
pub use fault::{broken_off, query_error};
pub use url::{is_postgres_url, without_password};
