//! Secret bytes from the operating system.

use suum_core::{Error, Result, option};

/// Returns `N` secret random bytes; `what` names their use in the error.
pub(crate) fn secret<const N: usize>(what: &str) -> Result<[u8; N]> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|_| {
        Error::io(
            option::LEDGER,
            format!("the operating system has no randomness to give for {what}"),
        )
        .with_fix("allow the process getrandom or /dev/urandom, and run again")
    })?;
    Ok(bytes)
}
