//! The one source of randomness, passed in.

use rand_chacha::ChaCha20Rng;
use rand_core::{Rng, SeedableRng};

/// A cryptographic stream of random bytes that knows whether it was seeded with secret entropy.
///
/// The core has no way to fetch entropy: callers pass 32 bytes of it. A release made with a fixed seed is
/// marked as not private.
///
/// # Example
///
/// ```
/// use suum_core::Randomness;
///
/// assert!(!Randomness::insecure(7).is_private());
/// ```
pub struct Randomness {
    stream: ChaCha20Rng,
    private: bool,
}

impl Randomness {
    /// Randomness from 32 secret bytes of the operating system's entropy, to be used for nothing else.
    pub fn from_entropy(secret: [u8; 32]) -> Self {
        Self { stream: ChaCha20Rng::from_seed(secret), private: true }
    }

    /// Reproducible randomness for tests and simulation. Whoever knows the seed can subtract the noise.
    pub fn insecure(seed: u64) -> Self {
        Self { stream: ChaCha20Rng::seed_from_u64(seed), private: false }
    }

    /// Whether the stream came from secret entropy.
    pub fn is_private(&self) -> bool {
        self.private
    }

    pub(super) fn fill(&mut self, bytes: &mut [u8]) {
        self.stream.fill_bytes(bytes);
    }

    pub(super) fn bit(&mut self) -> bool {
        self.stream.next_u32() & 1 == 1
    }
}

/// Redacted: the state of the generator gives the noise away.
impl std::fmt::Debug for Randomness {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Randomness").field("private", &self.private).finish_non_exhaustive()
    }
}
