//! A place among all doubles, chosen by how much weight lies below it.

use dashu_int::UBig;

use crate::noise::{Envelope, Run, UpperBounds};
use crate::session::{Cost, Measurement};
use crate::verify::Description;
use crate::{
    Distribution, Epsilon, Key, Lattice, LevelEntry, Loss, Neighbors, PrivacyUnits, Question,
    Randomness, Rank, Records, Result,
};

/// How many intervals the candidates are first cut into, and at most how many cuts a later look at
/// the data makes.
const FIRST_CUTS: u64 = 1 << 10;
const CUTS: u64 = 1 << 12;
/// How many candidates are drawn before the data are looked at again.
const PROPOSALS: usize = 24;

/// The exponential mechanism over the lattice of doubles: 2^60 candidates, none of which need be
/// listed.
///
/// # Formula
///
/// With L(y) and E(y) the weight of the records below and at candidate y, and T that of all, the
/// distance of y from rank q is that of qT from the interval [L(y), L(y) + E(y)], as for
/// [`RankChoice`](crate::RankChoice). A candidate is drawn with probability exactly proportional to
/// exp(−distance/(2Δ·2^k)), where W(ε) steps of 2^-k are a record's weight.
///
/// # Guarantee
///
/// Replacing a record leaves T as it is and moves L and L + E by at most W, and so all distances: Δ
/// = 1. Adding or removing one moves qT − L by at most (1 − q)W or qW, depending on its side: Δ =
/// max(q, 1 − q). The choice costs the record at most W(ε)/2^k: [`PrivacyUnits::loss`].
///
/// # Method
///
/// Between two cuts all that is needed of the data is the weight below each. Intervals get masses
/// that are too large rather than too small, and are cut finer where that matters; a candidate
/// drawn by these masses is kept with the probability that corrects them. So the draw is exact
/// whatever the cuts are, and a few passes over the data suffice. How many depends on the data.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlaceChoice {
    units: PrivacyUnits,
    rank: Rank,
    neighbors: Neighbors,
}

/// Candidates with keys from..to.
struct Interval {
    from: u64,
    to: u64,
    /// Their number, and the least distance that any of them can have.
    run: Run,
    /// The largest distance that any of them can have.
    farthest: UBig,
}

impl Interval {
    /// Whether all candidates have the same distance.
    fn is_even(&self) -> bool {
        self.run.distance == self.farthest
    }
}

impl PlaceChoice {
    /// A choice of the place with the share `rank` of all weight below it.
    pub fn new(units: PrivacyUnits, rank: Rank, neighbors: Neighbors) -> Self {
        Self { units, rank, neighbors }
    }

    /// Which datasets are neighbours.
    pub(crate) fn neighbors(&self) -> Neighbors {
        self.neighbors
    }

    /// What the choice may cost each record, and what records weigh.
    pub fn units(&self) -> PrivacyUnits {
        self.units
    }

    /// The exact loss of a record that allows this budget.
    pub fn loss(&self, budget: crate::Epsilon) -> Loss {
        self.units.loss(budget)
    }

    /// The key of the place drawn.
    ///
    /// # Errors
    ///
    /// Where the records cannot be read any more.
    pub(crate) fn choose(
        &self,
        records: &mut dyn Records,
        key: Key,
        randomness: &mut Randomness,
    ) -> Result<u64> {
        let mut search = Search::begin(self, records, key)?;
        if randomness.is_noiseless() {
            return search.nearest(records);
        }
        loop {
            let Some(envelope) = Envelope::new(search.runs(), &search.scale, &search.exponentials)
            else {
                // Never: there are candidates.
                return Ok(Lattice::key_of_zero());
            };
            let cuts = search.finer(&envelope);
            if !cuts.is_empty() {
                search.cut(records, &cuts)?;
            } else if let Some(chosen) = search.draw(&envelope, records, randomness)? {
                return Ok(chosen);
            }
        }
    }
}

impl Measurement for PlaceChoice {
    type Exact<'e> = (&'e mut dyn Records, Key);
    type Out = u64;

    fn cost(&self, neighbors: Neighbors) -> Option<Cost> {
        (neighbors == self.neighbors).then_some(Cost::OfAllowed(self.units))
    }

    fn description(&self, _: Neighbors) -> Description {
        Description {
            question: Question::place(self.rank),
            distribution: Distribution::Exponential,
            sensitivity: 1.into(),
            scale: Some(self.units.scale().into()),
        }
    }

    fn level(&self, allowed: Epsilon) -> LevelEntry {
        LevelEntry::weighing(self.units.weight(allowed))
    }

    fn draw(&self, (records, key): Self::Exact<'_>, randomness: &mut Randomness) -> Result<u64> {
        self.choose(records, key, randomness)
    }
}

/// A choice on its way.
struct Search {
    key: Key,
    weights: Vec<u64>,
    numerator: u64,
    denominator: u64,
    scale: UBig,
    /// qT times the denominator of q, as all distances are.
    target: UBig,
    intervals: Vec<Interval>,
    exponentials: UpperBounds,
}

impl Search {
    fn begin(choice: &PlaceChoice, records: &mut dyn Records, key: Key) -> Result<Self> {
        let (numerator, denominator) = choice.rank.fraction();
        let moves = match choice.neighbors {
            // No rank moves by more if a record joins or leaves.
            Neighbors::ReplaceOne | Neighbors::Both => denominator,
            Neighbors::AddRemove => numerator.max(denominator - numerator),
        };
        let mut search = Self {
            key,
            weights: weights(choice.units, records),
            numerator,
            denominator,
            scale: choice.units.scale() * UBig::from(2 * moves),
            target: UBig::ZERO,
            intervals: Vec::new(),
            exponentials: UpperBounds::new(),
        };
        let mut cuts = Vec::new();
        let candidates = Lattice::candidates(key);
        let pieces = FIRST_CUTS / candidates.len() as u64;
        for range in &candidates {
            cuts.extend(evenly(range.start, range.end, pieces));
        }
        let below = search.below(records, &cuts)?;
        for (pair, weight) in cuts.windows(2).zip(below.windows(2)) {
            // What lies between two ranges of candidates is none.
            if candidates.iter().any(|range| range.contains(&pair[0])) {
                let interval = search.interval(pair[0], pair[1], weight[0], weight[1]);
                search.intervals.push(interval);
            }
        }
        Ok(search)
    }

    fn runs(&self) -> impl Iterator<Item = &Run> + Clone {
        self.intervals.iter().map(|interval| &interval.run)
    }

    /// The weight below each cut; sets the target.
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

    /// The candidates from..to, with these weights below the first and the one behind the last.
    fn interval(&self, from: u64, to: u64, low: u128, high: u128) -> Interval {
        let (low, high) = (
            UBig::from(low) * UBig::from(self.denominator),
            UBig::from(high) * UBig::from(self.denominator),
        );
        let distance = distance(&self.target, &low, &high);
        // A single candidate is at the distance of the whole interval: what lies in it lies at the
        // candidate.
        let farthest = match to - from {
            1 => distance.clone(),
            _ => apart(&self.target, &low).max(apart(&self.target, &high)),
        };
        Interval { from, to, run: Run { length: UBig::from(to - from), distance }, farthest }
    }

    /// Cuts where the masses are far too large; none if most draws would be kept.
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
            // In proportion to the surplus, but every interval that is cut at all is cut in two.
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

    /// Looks at the data, and replaces each interval that was cut by its pieces.
    fn cut(&mut self, records: &mut dyn Records, cuts: &[u64]) -> Result<()> {
        let below = self.below(records, cuts)?;
        let mut pieces = Vec::with_capacity(self.intervals.len() + cuts.len());
        for interval in std::mem::take(&mut self.intervals) {
            let first = cuts.partition_point(|cut| *cut < interval.from);
            let last = cuts.partition_point(|cut| *cut <= interval.to);
            // Intervals are cut from end to end, or not at all; then a neighbour's cut may touch
            // one of the ends.
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

    /// The first of the candidates with the least distance: what is drawn without noise.
    fn nearest(&mut self, records: &mut dyn Records) -> Result<u64> {
        loop {
            let nearest = self.intervals.iter().min_by(|a, b| {
                (&a.run.distance, &a.farthest, a.from).cmp(&(&b.run.distance, &b.farthest, b.from))
            });
            match nearest {
                None => return Ok(Lattice::key_of_zero()),
                Some(interval) if interval.is_even() => return Ok(interval.from),
                Some(interval) => {
                    let cuts: Vec<u64> = evenly(interval.from, interval.to, CUTS).collect();
                    self.cut(records, &cuts)?;
                }
            }
        }
    }

    /// A candidate that is kept, if there is one among the next few drawn.
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

/// The weights of the levels, in steps.
pub(crate) fn weights(units: PrivacyUnits, records: &dyn Records) -> Vec<u64> {
    records
        .budgets()
        .iter()
        .map(|budget| u64::try_from(units.weight(*budget)).unwrap_or(0))
        .collect()
}

/// The distance of a number from the interval [low, high].
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

/// The ends of at most this many pieces of from..to that are nearly equally long, none of them
/// empty.
fn evenly(from: u64, to: u64, pieces: u64) -> impl Iterator<Item = u64> {
    let length = to - from;
    let pieces = pieces.min(length);
    let place = move |piece: u64| {
        from + (u128::from(length) * u128::from(piece) / u128::from(pieces)) as u64
    };
    (0..=pieces).map(place)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{MemoryRecords, Share};
    use proptest::prelude::*;

    fn units(clip: u32) -> PrivacyUnits {
        PrivacyUnits::new(Share::ALL, Epsilon::new(f64::from(clip)).unwrap()).unwrap()
    }

    /// The probability of a place in each part between `cuts`, by the definition, with all values
    /// and weights known.
    fn parts(
        values: &[(Epsilon, f64)],
        rank: Rank,
        neighbors: Neighbors,
        cuts: &[f64],
    ) -> Vec<f64> {
        let delta = match neighbors {
            Neighbors::ReplaceOne | Neighbors::Both => 1.0,
            Neighbors::AddRemove => rank.get().max(1.0 - rank.get()),
        };
        let total: f64 = values.iter().map(|(budget, _)| budget.get()).sum();
        let mut ends: Vec<u64> = values
            .iter()
            .flat_map(|(_, value)| [Lattice::key(*value), Lattice::key(*value) + 1])
            .collect();
        ends.extend(cuts.iter().map(|cut| Lattice::key(*cut)));
        for range in Lattice::candidates(Key::Value) {
            ends.extend([range.start, range.end]);
        }
        ends.sort_unstable();
        ends.dedup();
        let mut masses = vec![0.0; cuts.len() + 1];
        for pair in ends.windows(2) {
            if !Lattice::candidates(Key::Value).iter().any(|range| range.contains(&pair[0])) {
                continue;
            }
            let below: f64 = values
                .iter()
                .filter(|(_, value)| Lattice::key(*value) < pair[0])
                .map(|(b, _)| b.get())
                .sum();
            let upto: f64 = values
                .iter()
                .filter(|(_, value)| Lattice::key(*value) <= pair[0])
                .map(|(b, _)| b.get())
                .sum();
            let target = rank.get() * total;
            let distance = (below - target).max(target - upto).max(0.0);
            let part = cuts.partition_point(|cut| Lattice::key(*cut) <= pair[0]);
            masses[part] += (pair[1] - pair[0]) as f64 * (-distance / (2.0 * delta)).exp();
        }
        let sum: f64 = masses.iter().sum();
        masses.into_iter().map(|mass| mass / sum).collect()
    }

    /// χ² of 800 draws against the probabilities of `assumed` records.
    fn chi2(
        records: &[(Epsilon, f64)],
        assumed: &[(Epsilon, f64)],
        rank: Rank,
        neighbors: Neighbors,
        cuts: &[f64],
    ) -> f64 {
        let choice = PlaceChoice::new(units(1 << 10), rank, neighbors);
        let mut places = MemoryRecords::new(records.to_vec()).unwrap();
        let mut randomness = Randomness::insecure(7);
        let mut counts = vec![0.0; cuts.len() + 1];
        for _ in 0..800 {
            let key = choice.choose(&mut places, Key::Value, &mut randomness).unwrap();
            counts[cuts.partition_point(|cut| Lattice::key(*cut) <= key)] += 1.0;
        }
        let expected = parts(assumed, rank, neighbors, cuts);
        counts
            .iter()
            .zip(expected)
            .filter(|(_, p)| *p > 1e-9)
            .map(|(c, p)| (c - 800.0 * p).powi(2) / (800.0 * p))
            .sum()
    }

    fn records(budget: f64) -> Vec<(Epsilon, f64)> {
        // Ties, both signs, a wide and a narrow part; and a budget of its own for a third of them.
        let values = (0..36).map(|i| {
            [7.0, 7.0, -3.0, 7.0 + f64::from(i) * 1e-3, f64::from(i) * 40.0, 0.0][i as usize % 6]
        });
        values
            .enumerate()
            .map(|(i, value)| (Epsilon::new(if i % 3 == 0 { budget } else { 1.0 }).unwrap(), value))
            .collect()
    }

    const CUTS_BETWEEN: [f64; 6] = [-3.0, 0.0, 1.0, 7.0, 7.03, 300.0];

    #[test]
    #[ignore = "takes seconds"]
    fn draws_follow_the_definition() {
        for (rank, neighbors) in [
            (Rank::MEDIAN, Neighbors::ReplaceOne),
            (Rank::MEDIAN, Neighbors::AddRemove),
            ("0.9".parse().unwrap(), Neighbors::ReplaceOne),
            ("0.75".parse().unwrap(), Neighbors::AddRemove),
        ] {
            let value = chi2(&records(2.0), &records(2.0), rank, neighbors, &CUTS_BETWEEN);
            // 6 degrees of freedom: P(χ² > 30) = 4e-5 for each.
            assert!(value < 30.0, "{rank}, {neighbors:?}: χ² = {value}");
        }
    }

    #[test]
    #[ignore = "takes seconds"]
    fn other_weights_are_told_apart() {
        for neighbors in [Neighbors::ReplaceOne, Neighbors::AddRemove] {
            let value = chi2(&records(2.0), &records(0.3), Rank::MEDIAN, neighbors, &CUTS_BETWEEN);
            assert!(value > 30.0, "{neighbors:?}: χ² = {value}");
        }
    }

    #[test]
    fn one_candidate_among_very_many_is_found() {
        // All records at one place: it is a single key, 2^-60 of all candidates, at the distance
        // 300 from the others.
        let people = vec![(Epsilon::new(2.0).unwrap(), 1234.5); 300];
        let choice = PlaceChoice::new(units(8), Rank::MEDIAN, Neighbors::ReplaceOne);
        let mut places = MemoryRecords::new(people).unwrap();
        let key = choice.choose(&mut places, Key::Value, &mut Randomness::insecure(1)).unwrap();
        assert_eq!(Lattice::value(key), 1234.5);
    }

    proptest! {
        // The definition itself keeps the promise: no part of the candidates becomes likelier by
        // more than e^W.
        #[test]
        fn one_record_changes_no_probability_by_more_than_its_weight(
            values in prop::collection::vec((0usize..3, -3..4i32), 1..9),
            other in -3..4i32,
            rank in 1u64..8,
        ) {
            let budgets = [0.3, 0.9, 2.5].map(|budget| Epsilon::new(budget).unwrap());
            let rank = Rank::new(rank, 8).unwrap();
            let people: Vec<_> =
                values.iter().map(|(level, value)| (budgets[*level], f64::from(*value))).collect();
            let mut replaced = people.clone();
            replaced[0].1 = f64::from(other);
            let cuts: Vec<f64> =
                (-3..4).flat_map(|cut| [f64::from(cut), f64::from(cut).next_up()]).collect();
            for (neighbor, relation) in [
                (&replaced[..], Neighbors::ReplaceOne),
                (&people[1..], Neighbors::AddRemove),
                (&replaced[..], Neighbors::Both),
                (&people[1..], Neighbors::Both),
            ] {
                let (before, after) =
                    (parts(&people, rank, relation, &cuts), parts(neighbor, rank, relation, &cuts));
                for (before, after) in before.iter().zip(after).filter(|(before, _)| **before > 0.0)
                {
                    prop_assert!((before / after).ln().abs() <= people[0].0.get() * (1.0 + 1e-9));
                }
            }
        }
    }

    #[test]
    fn no_records_no_preference() {
        let choice = PlaceChoice::new(units(8), Rank::MEDIAN, Neighbors::AddRemove);
        let mut places = MemoryRecords::new(Vec::new()).unwrap();
        let mut randomness = Randomness::insecure(1);
        let negative = (0..400)
            .filter(|_| {
                choice.choose(&mut places, Key::Value, &mut randomness).unwrap() < Lattice::key(0.0)
            })
            .count();
        // Five standard deviations of 10.
        assert!((150..250).contains(&negative), "{negative}");
    }
}
