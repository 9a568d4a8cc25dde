//! Set of persons by their numbers.

/// Numbers below a limit, one bit each.
pub(crate) struct NumberSet(Vec<u64>);

impl NumberSet {
    /// Makes an empty set of numbers below `limit`.
    pub(crate) fn new(limit: usize) -> Self {
        Self(vec![0; limit.div_ceil(64)])
    }

    /// Adds a number; false if it was there.
    pub(crate) fn insert(&mut self, number: u32) -> bool {
        let is_new = !self.contains(number);
        self.0[number as usize / 64] |= 1 << (number % 64);
        is_new
    }

    /// Returns true if a number was added.
    pub(crate) fn contains(&self, number: u32) -> bool {
        self.0[number as usize / 64] & (1 << (number % 64)) != 0
    }
}
