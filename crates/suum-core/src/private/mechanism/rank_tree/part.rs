//! One rank of a tree: the choice of a position in the part of the data in which it is asked for.

use dashu_int::ops::{DivEuclid, UnsignedAbs};
use dashu_int::{IBig, UBig};

use crate::Randomness;
use crate::private::mechanism::ranks::Ranks;
use crate::private::noise::{Envelope, Run, UpperBounds};

/// Positions of a part, with the target of the choice.
pub(super) struct PartOfRanks<'r> {
    pub(super) ranks: &'r Ranks,
    pub(super) spread: u64,
    /// First and last position.
    pub(super) ends: (u64, u64),
    /// Weight below the part.
    pub(super) below: UBig,
    /// Factor of all weights that makes scores integers.
    pub(super) unit: UBig,
    /// f times the weight in the part, multiplied by `unit`.
    pub(super) target: UBig,
}

impl PartOfRanks<'_> {
    /// Returns the score (1 − f)·L − f·G = L − f·(L + G), which does not fall from one position to
    /// the next.
    fn score(&self, position: u64) -> IBig {
        let below = self.ranks.spread_below(position, self.spread) - &self.below;
        IBig::from(below * &self.unit) - IBig::from(self.target.clone())
    }

    fn distance(&self, position: u64) -> UBig {
        self.score(position).unsigned_abs()
    }

    /// Returns the first position in a range, ends included, with a larger score than this one;
    /// `to` + 1 if there is none.
    fn first_above(&self, score: IBig, from: u64, to: u64) -> u64 {
        if self.unit == UBig::ZERO {
            return if score < IBig::ZERO { from } else { to + 1 };
        }
        // (C − below)·unit − target > score.
        let unit = IBig::from(self.unit.clone());
        let inside = (score + IBig::from(self.target.clone())).div_euclid(unit);
        let weight = inside + IBig::from(self.below.clone());
        self.ranks.first_above(&weight, self.spread, (from, to))
    }

    /// Returns a position, drawn with probability proportional to exp(−distance/`scale`).
    pub(super) fn choose(
        &self,
        scale: &UBig,
        exponentials: &UpperBounds,
        randomness: &mut Randomness,
    ) -> u64 {
        let (from, to) = self.ends;
        // First position with a score of at least 0; the last position has such a score.
        let middle = self.first_above(-IBig::ONE, from, to).min(to);
        let mut least = self.distance(middle);
        if middle > from {
            least = least.min(self.distance(middle - 1));
        }
        if randomness.is_noiseless() || *scale == UBig::ZERO {
            let least = IBig::from(least);
            let low = self.first_above(-&least - IBig::ONE, from, middle);
            if randomness.is_noiseless() {
                return low;
            }
            let high = self.first_above(least, middle, to);
            return low + randomness.index_below(high.saturating_sub(low));
        }
        let runs = self.runs(middle, &least, scale);
        let candidates = || runs.iter().map(|(run, _)| run);
        let Some(envelope) = Envelope::new(candidates(), scale, exponentials) else {
            // Unreachable: there is at least one position.
            return middle;
        };
        loop {
            let chosen = envelope.propose(randomness);
            let (run, first) = &runs[chosen];
            let length = u64::try_from(run.length.clone()).unwrap_or(1);
            let position = first + randomness.index_below(length);
            if envelope.accepts(chosen, &self.distance(position), randomness) {
                return position;
            }
        }
    }

    /// Returns runs of positions, each with its first position. Distances in a run differ by at
    /// most the larger of `scale` and the excess of the run's nearest over `least`. So a draw is
    /// accepted soon, and there are few runs, however many positions there are.
    fn runs(&self, middle: u64, least: &UBig, scale: &UBig) -> Vec<(Run, u64)> {
        let mut runs = Vec::new();
        let limit = |distance: &UBig| distance + scale.max(&(distance - least)).clone();
        let mut first = middle;
        while first <= self.ends.1 {
            let distance = self.distance(first);
            let most = IBig::from(limit(&distance));
            let next = self.first_above(most, first, self.ends.1);
            runs.push((Run { length: UBig::from(next - first), distance }, first));
            first = next;
        }
        let mut end = middle;
        while end > self.ends.0 {
            let distance = self.distance(end - 1);
            let below = -IBig::from(limit(&distance)) - IBig::ONE;
            let first = self.first_above(below, self.ends.0, end - 1);
            runs.push((Run { length: UBig::from(end - first), distance }, first));
            end = first;
        }
        runs
    }
}
