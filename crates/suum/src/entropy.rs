//! Secret randomness from the operating system.

use suum_core::{Error, Randomness, Result};

/// Randomness for one release, seeded with 32 bytes of the operating system's entropy.
///
/// # Errors
///
/// Fails if the operating system has no entropy.
///
/// # Example
///
/// ```
/// assert!(suum::entropy()?.is_private());
/// # Ok::<(), suum::Error>(())
/// ```
pub fn entropy() -> Result<Randomness> {
    let mut secret = [0u8; 32];
    getrandom::fill(&mut secret).map_err(|_| {
        Error::io("randomness", "the operating system has no entropy to give")
            .with_fix("allow the process getrandom or /dev/urandom, and run again")
    })?;
    Ok(Randomness::from_entropy(secret))
}
