//! Any text as a URL of PostgreSQL, environment variables, a service file and a password file:
//! settings or a refusal.
//!
//! The four are separated by lines of `--`. Nothing is connected to.
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;

use crate::{file, path};
use suum_postgres::{is_postgres_url, without_password};

/// Any text as a URL of PostgreSQL, environment variables, a service file and a password file:
/// settings or a refusal.
///
/// # Panics
///
/// If that is not so.
pub fn postgres_settings(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let mut parts = text.splitn(4, "\n--\n");
    let mut part = || parts.next().unwrap_or_default();
    let (url, variables) = (part(), part());
    let services = file("services", part().as_bytes());
    let passwords = file("passwords", part().as_bytes());
    fs::set_permissions(&passwords, Permissions::from_mode(0o600)).expect("a file of ours");

    let shown = without_password(url);
    assert_eq!(without_password(&shown), shown);
    let variable = |name: &str| match name {
        "PGSERVICEFILE" => services.to_str().map(str::to_owned),
        "PGPASSFILE" => passwords.to_str().map(str::to_owned),
        // No file of the machine is read.
        "PGSYSCONFDIR" | "HOME" => path("nowhere").to_str().map(str::to_owned),
        _ => variables
            .lines()
            .find_map(|line| Some(line.strip_prefix(name)?.strip_prefix('=')?.to_owned())),
    };
    match suum_postgres::check(url, variable) {
        Ok(()) => assert!(is_postgres_url(url)),
        Err(refused) => assert!(refused.fix().is_some(), "{refused}"),
    }
}
