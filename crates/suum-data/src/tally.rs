//! The hot kernel: one count and one sum per level.

/// How many records a level has, and the exact sum of their grid indices.
///
/// An index is at most 2^50, so 2^63 records stay below 2^113: the sum cannot overflow.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) count: u64,
    pub(crate) sum: i128,
}

impl Tally {
    #[inline]
    pub(crate) fn add(&mut self, index: u64) {
        self.count += 1;
        self.sum += i128::from(index);
    }

    pub(crate) fn merge(&mut self, other: Tally) {
        self.count += other.count;
        self.sum += other.sum;
    }
}

/// Adds each record's grid index to the tally of its level.
///
/// Every slot must be a position in `tallies`.
pub(crate) fn add_all(tallies: &mut [Tally], slots: &[u32], indices: &[u64]) {
    for (slot, index) in slots.iter().zip(indices) {
        tallies[*slot as usize].add(*index);
    }
}
