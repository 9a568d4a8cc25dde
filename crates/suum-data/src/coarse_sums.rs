//! What records of coarse budgets add up to, by the numbers of these budgets.

use fearless_simd::{Level, dispatch};
use suum_core::Epsilon;

use crate::briefs::{Added, Briefs};

/// Sums of records by [`Epsilon::coarse_number`]. There are some 700 000 numbers, of which records
/// have few: pages of zeros cost nothing until they are written to.
pub(crate) struct CoarseSums {
    briefs: Briefs,
    /// The least and the largest bits of the budgets, which ascend with them.
    ends: [u64; 2],
}

impl CoarseSums {
    /// No records yet.
    pub(crate) fn new(briefs: &Briefs) -> Self {
        Self { briefs: briefs.emptied(), ends: [u64::MAX, 0] }
    }

    /// Adds records. What a level has no room for any more goes to `settle`.
    pub(crate) fn add_all(
        &mut self,
        epsilons: &[Epsilon],
        indices: &[u64],
        mut settle: impl FnMut(Epsilon, Added),
    ) {
        // As many at a time as this processor has instructions for.
        let ends = dispatch!(Level::new(), _ => ends(epsilons));
        self.ends = [self.ends[0].min(ends[0]), self.ends[1].max(ends[1])];
        let numbers = epsilons.iter().map(|epsilon| epsilon.coarse_number());
        let records = numbers.zip(indices.iter().copied());
        self.briefs.add_all(Epsilon::COARSE, records, |number, added| {
            Epsilon::of_coarse_number(number).into_iter().for_each(|level| settle(level, added));
        });
    }

    /// The coarse budgets that records have, in ascending order, and what these add up to.
    pub(crate) fn into_levels(mut self) -> impl Iterator<Item = (Epsilon, Added)> {
        let [least, most] = self
            .ends
            .map(|bits| Epsilon::new(f64::from_bits(bits)).map_or(0, Epsilon::coarse_number));
        let numbers = least..most + 1;
        let levels = numbers.clone().filter_map(Epsilon::of_coarse_number);
        levels.zip(self.briefs.take(numbers)).filter(|(_, (count, ..))| *count > 0)
    }
}

// Inlined for whoever compiles it for more instructions than every processor has.
#[inline(always)]
fn ends(epsilons: &[Epsilon]) -> [u64; 2] {
    let bits = || epsilons.iter().map(|epsilon| epsilon.get().to_bits());
    [bits().fold(u64::MAX, u64::min), bits().fold(0, u64::max)]
}
