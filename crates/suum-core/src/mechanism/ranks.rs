//! How far every candidate is from a rank.

use dashu_int::UBig;

use crate::{CellCounts, Epsilon, PrivacyUnits, Randomness, Rank};

/// One question to the ranks: which candidate is at `rank`, for `parts` of all parts of the budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RankQuery {
    /// q, the share of all weight that lies below the candidate sought.
    pub rank: Rank,
    /// The part of the budget that the answer may cost.
    pub parts: u64,
}

/// The counts, which ascend, at candidates that there are.
fn within(candidates: u32, counts: &[(u32, u64)]) -> &[(u32, u64)] {
    &counts[..counts.partition_point(|(place, _)| *place < candidates)]
}

/// The weight below each candidate, and that of all rows behind the last.
///
/// It changes only where rows lie: a level of few records has few places, whatever the number of
/// candidates.
pub(super) struct Ranks {
    candidates: u32,
    // The candidates with rows that weigh something, in ascending order.
    places: Vec<u32>,
    // The weight of the rows before each of these places, and that of all.
    sums: Vec<UBig>,
}

impl Ranks {
    /// From the counts at `steps` + 1 candidates, each list with the weight of one of its rows.
    pub(super) fn of<'a>(
        steps: u32,
        weighted: impl IntoIterator<Item = (&'a UBig, &'a CellCounts)>,
    ) -> Self {
        let candidates = steps + 1;
        let lists: Vec<(&UBig, &[(u32, u64)])> = weighted
            .into_iter()
            .filter(|(weight, _)| **weight != UBig::ZERO)
            .map(|(weight, cells)| (weight, within(candidates, cells.expose_raw())))
            .collect();
        let all = lists.iter().flat_map(|(_, counts)| counts.iter());
        let mut places: Vec<u32> = all.map(|(place, _)| *place).collect();
        // Each list ascends, which this sort makes use of.
        places.sort();
        places.dedup();
        let mut weights = vec![UBig::ZERO; places.len()];
        for (weight, counts) in lists {
            let mut at = 0;
            for (place, count) in counts {
                at += places[at..].iter().take_while(|other| *other < place).count();
                weights[at] += weight * UBig::from(*count);
            }
        }
        let mut sums = Vec::with_capacity(places.len() + 1);
        let mut sum = UBig::ZERO;
        for weight in weights {
            sums.push(sum.clone());
            sum += weight;
        }
        sums.push(sum);
        Self { candidates, places, sums }
    }

    /// The weight of the rows before a candidate, or of all behind the last.
    fn below(&self, candidate: u32) -> &UBig {
        // Places ascend: one that stands at its own number has all before it below.
        let at = match self.places.get(candidate as usize) == Some(&candidate) {
            true => candidate as usize,
            false => self.places.partition_point(|place| *place < candidate),
        };
        &self.sums[at]
    }

    /// The weight below every candidate, and that of all, as numbers that are made of it where it
    /// changes; `None` if one of them cannot be.
    pub(super) fn below_each<N: Clone>(&self, of: impl Fn(&UBig) -> Option<N>) -> Option<Vec<N>> {
        let mut below = Vec::with_capacity(self.candidates as usize + 1);
        for (at, sum) in self.sums.iter().enumerate() {
            let last = self.places.get(at).copied().unwrap_or(self.candidates);
            below.resize(last as usize + 1, of(sum)?);
        }
        Some(below)
    }

    /// From the counts of levels, each by its position among the weights.
    pub(super) fn of_levels(
        steps: u32,
        weights: &[UBig],
        cohorts: &[(usize, &CellCounts)],
    ) -> Self {
        let weighted = |(position, cells): &(usize, _)| Some((weights.get(*position)?, *cells));
        Self::of(steps, cohorts.iter().filter_map(weighted))
    }

    /// From the counts of all who allow some ε, in privacy units.
    pub(super) fn in_units(
        steps: u32,
        units: PrivacyUnits,
        records: &[(Epsilon, &CellCounts)],
    ) -> Self {
        let weighted = |(budget, cells): &(Epsilon, _)| (units.weight(*budget), *cells);
        let weighted: Vec<(UBig, &CellCounts)> = records.iter().map(weighted).collect();
        Self::of(steps, weighted.iter().map(|(weight, cells)| (weight, *cells)))
    }

    /// The weight of all rows.
    pub(super) fn all(&self) -> &UBig {
        self.below(self.candidates)
    }

    /// How many candidates there are.
    pub(super) fn candidates(&self) -> u32 {
        self.candidates
    }

    /// The weight below a position, in units of 1/`spread` of a weight, where the rows at each
    /// candidate are spread evenly over `spread` positions.
    pub(super) fn spread_below(&self, position: u64, spread: u64) -> UBig {
        let cell = u32::try_from(position / spread).unwrap_or(self.candidates);
        let (low, high) = (self.below(cell), self.below(cell.saturating_add(1)));
        low * UBig::from(spread) + (high - low) * UBig::from(position % spread)
    }

    /// The weight of the rows at the candidates from `first` to the one before `end`.
    pub(super) fn between(&self, first: u32, end: u32) -> UBig {
        match end > first {
            true => self.below(end) - self.below(first),
            false => UBig::ZERO,
        }
    }

    /// The weight of the rows at no candidate from `first` to `last`.
    pub(super) fn outside(&self, first: u32, last: u32) -> UBig {
        self.all() - self.between(first, last.saturating_add(1))
    }

    /// The candidate drawn for a question by permute-and-flip, with exp(−parts·distance/`scale`).
    pub(super) fn choose(
        &self,
        query: &RankQuery,
        scale: &UBig,
        randomness: &mut Randomness,
    ) -> u32 {
        let parts = UBig::from(query.parts);
        let target = self.target(query.rank);
        let distance = |candidate: u32| self.distance(candidate, query.rank, &target) * &parts;
        let candidates = self.candidates();
        // The intervals [L, L + E] cover [0, T], so some candidate has distance zero.
        randomness.permute_and_flip(candidates, &UBig::ZERO, scale, distance).unwrap_or(0)
    }

    /// qT in units of 1/denominator of a weight, in which it is an integer.
    fn target(&self, rank: Rank) -> UBig {
        let (numerator, _) = rank.fraction();
        self.all() * UBig::from(numerator)
    }

    /// The distance of qT from [L, L + E], in the same units.
    fn distance(&self, candidate: u32, rank: Rank, target: &UBig) -> UBig {
        let unit = UBig::from(rank.fraction().1);
        let (low, high) = (self.below(candidate), self.below(candidate + 1));
        let (low, high) = (low * &unit, high * &unit);
        if low > *target {
            low - target
        } else if high < *target {
            target - high
        } else {
            UBig::ZERO
        }
    }
}
