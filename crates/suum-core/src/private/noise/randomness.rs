//! Source of randomness, which is passed in.

use rand_chacha::ChaCha20Rng;
use rand_core::{Rng, SeedableRng};

/// Cryptographic stream of random bytes that records whether its seed was secret entropy.
///
/// The core cannot fetch entropy: callers pass 32 bytes of it. A release made with a fixed seed is
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
    // True in sessions in which all people are public, and with the feature `noiseless`; otherwise
    // false.
    noiseless: bool,
}

impl Randomness {
    /// Returns randomness from 32 secret bytes of the operating system's entropy, which must not be
    /// used for anything else.
    pub fn from_entropy(secret: [u8; 32]) -> Self {
        Self { stream: ChaCha20Rng::from_seed(secret), private: true, noiseless: false }
    }

    /// Returns reproducible randomness for tests and simulation. Anybody who knows the seed can
    /// subtract the noise.
    pub fn insecure(seed: u64) -> Self {
        Self { stream: ChaCha20Rng::seed_from_u64(seed), private: false, noiseless: false }
    }

    /// Returns randomness without noise: sums stay as they are, and a choice is the first of the
    /// best candidates.
    ///
    /// Randomised response keeps every answer. It is for tests with recorded answers, and exists
    /// only with the feature `noiseless`, which no product is built with.
    #[cfg(feature = "noiseless")]
    pub fn noiseless() -> Self {
        Self { noiseless: true, ..Self::insecure(0) }
    }

    /// Returns randomness that adds no noise, without drawing from this one: for people who are all
    /// public.
    pub(crate) fn without_noise(&self) -> Self {
        Self { noiseless: true, ..self.fork(0) }
    }

    pub(crate) fn is_noiseless(&self) -> bool {
        self.noiseless
    }

    /// Returns true if the stream came from secret entropy.
    pub fn is_private(&self) -> bool {
        self.private
    }

    /// Returns true if nothing has been drawn yet. Then nothing that was computed with it can
    /// depend on chance, except for draws from a [`fork`](Self::fork), which leaves it unchanged.
    ///
    /// # Example
    ///
    /// ```
    /// use suum_core::Randomness;
    ///
    /// let mut parent = Randomness::insecure(1);
    /// assert!(parent.is_fresh());
    /// assert!(parent.spawn().is_fresh() && !parent.is_fresh());
    /// ```
    pub fn is_fresh(&self) -> bool {
        self.stream.get_word_pos() == 0
    }

    /// Returns independent randomness for part `index` of the work, the same for the same index and
    /// parent.
    ///
    /// The fork has a key of its own, drawn from stream `index` + 1 of the parent's key; the parent
    /// draws from stream 0 and is not changed. Two forks with the same index are the same
    /// randomness: never use both.
    ///
    /// # Example
    ///
    /// ```
    /// use suum_core::{DiscreteLaplace, Randomness};
    ///
    /// let parent = Randomness::insecure(1);
    /// let noise = DiscreteLaplace::new(1_000_000u32.into());
    /// assert_eq!(noise.sample(&mut parent.fork(0)), noise.sample(&mut parent.fork(0)));
    /// assert_ne!(noise.sample(&mut parent.fork(0)), noise.sample(&mut parent.fork(1)));
    /// assert_ne!(noise.sample(&mut parent.fork(0)), noise.sample(&mut parent.fork(0).fork(0)));
    /// ```
    #[must_use]
    pub fn fork(&self, index: u64) -> Self {
        let mut stream = self.stream.clone();
        stream.set_stream(index.saturating_add(1));
        stream.set_word_pos(0);
        let mut key = [0u8; 32];
        stream.fill_bytes(&mut key);
        Self {
            stream: ChaCha20Rng::from_seed(key),
            private: self.private,
            noiseless: self.noiseless,
        }
    }

    /// Returns independent randomness for another purpose, different at every call.
    ///
    /// Its key is drawn from this stream, which advances; it is as secret as this one.
    ///
    /// # Example
    ///
    /// ```
    /// use suum_core::{DiscreteLaplace, Randomness};
    ///
    /// let mut parent = Randomness::insecure(1);
    /// let noise = DiscreteLaplace::new(1_000_000u32.into());
    /// let (mut one, mut other) = (parent.spawn(), parent.spawn());
    /// assert_ne!(noise.sample(&mut one), noise.sample(&mut other));
    /// assert!(!one.is_private());
    /// ```
    #[must_use]
    pub fn spawn(&mut self) -> Self {
        let mut key = [0u8; 32];
        self.fill(&mut key);
        Self {
            stream: ChaCha20Rng::from_seed(key),
            private: self.private,
            noiseless: self.noiseless,
        }
    }

    pub(crate) fn word(&mut self) -> u64 {
        self.stream.next_u64()
    }

    /// Returns the number of 32-bit words drawn, which measures the effort of sampling without a
    /// clock.
    #[cfg(test)]
    pub(super) fn words_drawn(&self) -> u128 {
        self.stream.get_word_pos()
    }

    pub(super) fn fill(&mut self, bytes: &mut [u8]) {
        self.stream.fill_bytes(bytes);
    }

    pub(crate) fn bit(&mut self) -> bool {
        self.stream.next_u32() & 1 == 1
    }
}

/// Redacted: the state of the generator reveals the noise.
impl std::fmt::Debug for Randomness {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Randomness").field("private", &self.private).finish_non_exhaustive()
    }
}
