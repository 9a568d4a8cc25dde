//! Search of the exponential mechanism over doubles: intervals of candidates, cut finer where
//! needed.

use dashu_int::UBig;

use super::{FloatQuantile, weights};
use crate::private::noise::{Envelope, Run, UpperBounds};
use crate::{FloatOrder, Key, Neighbors, Randomness, Records, Result};

/// Number of intervals into which the candidates are first cut, and largest number of cuts in each
/// later pass over the data.
const FIRST_CUTS: u64 = 1 << 10;
const CUTS: u64 = 1 << 12;
/// Number of candidates drawn in each pass over the data.
const PROPOSALS: usize = 24;

/// Candidates with keys from `from` up to, but not including, `to`.
struct Interval {
    from: u64,
    to: u64,
    /// Number of candidates, and a lower bound on their distances.
    run: Run,
    /// Upper bound on their distances.
    farthest: UBig,
}

impl Interval {
    /// Returns true if all candidates have the same distance.
    fn is_even(&self) -> bool {
        self.run.distance == self.farthest
    }
}

/// State of a search.
pub(super) struct Search {
    key: Key,
    weights: Vec<u64>,
    numerator: u64,
    denominator: u64,
    scale: UBig,
    /// qT times the denominator of q, the factor of all distances.
    target: UBig,
    intervals: Vec<Interval>,
    exponentials: UpperBounds,
}

impl Search {
    pub(super) fn begin(
        choice: &FloatQuantile,
        records: &mut dyn Records,
        key: Key,
    ) -> Result<Self> {
        let (numerator, denominator) = choice.rank.fraction();
        let sensitivity = match choice.neighbors {
            // Sensitivity for a changed value, which bounds that of a record that joins or leaves.
            Neighbors::ReplaceOne | Neighbors::Both => denominator,
            Neighbors::AddRemove => numerator.max(denominator - numerator),
        };
        let mut search = Self {
            key,
            weights: weights(choice.units, records),
            numerator,
            denominator,
            scale: choice.units.scale() * UBig::from(2 * sensitivity),
            target: UBig::ZERO,
            intervals: Vec::new(),
            exponentials: UpperBounds::new(),
        };
        let mut cuts = Vec::new();
        let candidates = FloatOrder::candidates(key);
        let pieces = FIRST_CUTS / candidates.len() as u64;
        for range in &candidates {
            cuts.extend(evenly(range.start, range.end, pieces));
        }
        let below = search.below(records, &cuts)?;
        for (pair, weight) in cuts.windows(2).zip(below.windows(2)) {
            // Intervals between two ranges of candidates have no candidates.
            if candidates.iter().any(|range| range.contains(&pair[0])) {
                let interval = search.interval(pair[0], pair[1], weight[0], weight[1]);
                search.intervals.push(interval);
            }
        }
        Ok(search)
    }

    /// Returns the key of the candidate that was drawn, after as many passes over the data as
    /// needed.
    pub(super) fn find(
        mut self,
        records: &mut dyn Records,
        randomness: &mut Randomness,
    ) -> Result<u64> {
        if randomness.is_noiseless() {
            return self.nearest(records);
        }
        loop {
            let Some(envelope) = Envelope::new(self.runs(), &self.scale, &self.exponentials) else {
                // Unreachable: there are candidates.
                return Ok(FloatOrder::key_of_zero());
            };
            let cuts = self.finer(&envelope);
            if !cuts.is_empty() {
                self.cut(records, &cuts)?;
            } else if let Some(chosen) = self.draw(&envelope, records, randomness)? {
                return Ok(chosen);
            }
        }
    }

    fn runs(&self) -> impl Iterator<Item = &Run> + Clone {
        self.intervals.iter().map(|interval| &interval.run)
    }

    /// Returns the weight below each cut, and updates the target.
    fn below(&mut self, records: &mut dyn Records, cuts: &[u64]) -> Result<Vec<u128>> {
        let sums = records.weigh(self.key, cuts, &self.weights)?;
        let mut below: Vec<u128> = sums
            .iter()
            .scan(0, |sum, weight| {
                *sum += weight;
                Some(*sum)
            })
            .collect();
        self.target = UBig::from(below.pop().unwrap_or(0)) * UBig::from(self.numerator);
        Ok(below)
    }

    /// Returns the candidates from `from` up to, but not including, `to`. `low` and `high` are the
    /// weights below the two.
    fn interval(&self, from: u64, to: u64, low: u128, high: u128) -> Interval {
        let (low, high) = (
            UBig::from(low) * UBig::from(self.denominator),
            UBig::from(high) * UBig::from(self.denominator),
        );
        let distance = distance(&self.target, &low, &high);
        // A single candidate is at the distance of the whole interval, because all its records lie
        // at the candidate.
        let farthest = match to - from {
            1 => distance.clone(),
            _ => apart(&self.target, &low).max(apart(&self.target, &high)),
        };
        Interval { from, to, run: Run { length: UBig::from(to - from), distance }, farthest }
    }

    /// Returns new cuts where masses are far too large; none if most draws would be kept.
    fn finer(&self, envelope: &Envelope) -> Vec<u64> {
        let mut surplus = UBig::ZERO;
        let mut uneven: Vec<(UBig, &Interval)> = Vec::new();
        for (run, interval) in
            self.intervals.iter().enumerate().filter(|(_, interval)| !interval.is_even())
        {
            let least =
                envelope.mass_at(&interval.run.length, &interval.farthest, &self.exponentials);
            let mass = envelope.mass(run);
            if mass > least {
                surplus += &mass - &least;
                uneven.push((mass - least, interval));
            }
        }
        if &surplus * UBig::from(2u8) <= envelope.total() {
            return Vec::new();
        }
        uneven.sort_by(|a, b| b.0.cmp(&a.0));
        let (mut cuts, mut left) = (Vec::new(), CUTS);
        for (part, interval) in uneven {
            // Cuts are in proportion to the surplus, but at least two pieces for an interval.
            let share = u64::try_from(part * UBig::from(CUTS) / &surplus).unwrap_or(CUTS);
            let pieces = share.clamp(2, CUTS).min(left);
            if pieces < 2 {
                break;
            }
            left -= pieces;
            cuts.extend(evenly(interval.from, interval.to, pieces));
        }
        cuts.sort_unstable();
        cuts.dedup();
        cuts
    }

    /// Reads the data, and replaces each interval that was cut by its pieces.
    fn cut(&mut self, records: &mut dyn Records, cuts: &[u64]) -> Result<()> {
        let below = self.below(records, cuts)?;
        let mut pieces = Vec::with_capacity(self.intervals.len() + cuts.len());
        for interval in std::mem::take(&mut self.intervals) {
            let first = cuts.partition_point(|cut| *cut < interval.from);
            let last = cuts.partition_point(|cut| *cut <= interval.to);
            // An interval is cut from end to end, or not at all. In the second case the cuts of its
            // neighbours can touch its ends.
            if last - first < 3 {
                pieces.push(interval);
                continue;
            }
            for (pair, weight) in cuts[first..last].windows(2).zip(below[first..last].windows(2)) {
                pieces.push(self.interval(pair[0], pair[1], weight[0], weight[1]));
            }
        }
        self.intervals = pieces;
        Ok(())
    }

    /// Returns the first of the candidates with the least distance: the answer without noise.
    fn nearest(&mut self, records: &mut dyn Records) -> Result<u64> {
        loop {
            let nearest = self.intervals.iter().min_by(|a, b| {
                (&a.run.distance, &a.farthest, a.from).cmp(&(&b.run.distance, &b.farthest, b.from))
            });
            match nearest {
                None => return Ok(FloatOrder::key_of_zero()),
                Some(interval) if interval.is_even() => return Ok(interval.from),
                Some(interval) => {
                    let cuts: Vec<u64> = evenly(interval.from, interval.to, CUTS).collect();
                    self.cut(records, &cuts)?;
                }
            }
        }
    }

    /// Draws a few candidates, and returns the first one that is kept, if any.
    fn draw(
        &mut self,
        envelope: &Envelope,
        records: &mut dyn Records,
        randomness: &mut Randomness,
    ) -> Result<Option<u64>> {
        let drawn: Vec<(usize, u64)> = (0..PROPOSALS)
            .map(|_| {
                let run = envelope.propose(randomness);
                let interval = &self.intervals[run];
                (run, interval.from + randomness.index_below(interval.to - interval.from))
            })
            .collect();
        let uneven = |run: usize| !self.intervals[run].is_even();
        let mut cuts: Vec<u64> = drawn
            .iter()
            .filter(|(run, _)| uneven(*run))
            .flat_map(|(_, key)| [*key, key + 1])
            .collect();
        cuts.sort_unstable();
        cuts.dedup();
        let below = if cuts.is_empty() { Vec::new() } else { self.below(records, &cuts)? };
        let weight_below = |key| {
            UBig::from(below[cuts.partition_point(|cut| *cut < key)]) * UBig::from(self.denominator)
        };
        for (run, key) in drawn {
            let interval = &self.intervals[run];
            let own = match interval.is_even() {
                true => interval.run.distance.clone(),
                false => distance(&self.target, &weight_below(key), &weight_below(key + 1)),
            };
            if envelope.accepts(run, &own, randomness) {
                return Ok(Some(key));
            }
        }
        Ok(None)
    }
}

/// Returns the distance of a number from the interval [low, high].
fn distance(target: &UBig, low: &UBig, high: &UBig) -> UBig {
    if target < low {
        low - target
    } else if target > high {
        target - high
    } else {
        UBig::ZERO
    }
}

fn apart(a: &UBig, b: &UBig) -> UBig {
    if a < b { b - a } else { a - b }
}

/// Returns the ends of at most this many pieces of the range, all of nearly equal length and none
/// empty.
fn evenly(from: u64, to: u64, pieces: u64) -> impl Iterator<Item = u64> {
    let length = to - from;
    let pieces = pieces.min(length);
    let place = move |piece: u64| {
        from + (u128::from(length) * u128::from(piece) / u128::from(pieces)) as u64
    };
    (0..=pieces).map(place)
}
