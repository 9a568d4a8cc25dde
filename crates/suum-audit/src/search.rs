//! Search for an event that distinguishes two neighbours, on outputs that are used for nothing
//! else.

use crate::event::{Condition, Event, lowest_bit};
use crate::interval::{EventCount, wilson};
use crate::{Output, Side};

/// Number of quantiles of a number's outputs at which an event can begin or end.
const POSITIONS: usize = 64;
/// Width of a bin, in such quantiles.
const BIN: usize = 4;
/// Number of single values, the most frequent ones, that are tried as events.
const ATOMS: usize = 24;
/// Number of best conditions about a number that are combined with those about another.
const BEST: usize = 12;
/// Number of standard errors that the search subtracts from the observed evidence.
const DISTRUST: f64 = 2.5;

/// Event, the dataset that makes it likelier, and the evidence that it promises.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Suspicion {
    pub(crate) event: Event,
    pub(crate) likelier: Side,
    /// Bound on the loss that counting is expected to give.
    pub(crate) score: f64,
}

/// Equal numbers of outputs of two neighbours.
pub(crate) struct Search<'a> {
    one: &'a [Output],
    other: &'a [Output],
    /// Number of runs that will be counted, and the certainty of their bounds, in standard
    /// deviations.
    counted: f64,
    certainty: f64,
}

/// Outputs for which a condition is true, 64 to a word.
struct Hits {
    one: Vec<u64>,
    other: Vec<u64>,
}

impl<'a> Search<'a> {
    pub(crate) fn new(
        one: &'a [Output],
        other: &'a [Output],
        counted: u64,
        certainty: f64,
    ) -> Self {
        Self { one, other, counted: counted as f64, certainty }
    }

    /// Finds the event with the largest score; `None` if there are no outputs.
    pub(crate) fn best(&self) -> Option<Suspicion> {
        let mut singles: Vec<(Suspicion, Condition, Hits)> = Vec::new();
        for condition in self.conditions() {
            let hits =
                Hits { one: words(self.one, condition), other: words(self.other, condition) };
            let event = Event { first: condition, second: None };
            singles.extend(self.judge(event, &hits).map(|suspicion| (suspicion, condition, hits)));
        }
        singles.sort_by(|a, b| b.0.score.total_cmp(&a.0.score));
        let mut best = singles.first().map(|(suspicion, ..)| *suspicion)?;
        // The best few about each number, and in each direction.
        let mut few: Vec<&(Suspicion, Condition, Hits)> = Vec::new();
        for single in &singles {
            let alike = |other: &&&(Suspicion, Condition, Hits)| {
                other.1.at() == single.1.at() && other.0.likelier == single.0.likelier
            };
            if few.iter().filter(alike).count() < BEST {
                few.push(single);
            }
        }
        for (at, (_, first, hits)) in few.iter().enumerate() {
            for (_, second, others) in &few[..at] {
                if first.at() == second.at() {
                    continue;
                }
                let both = |a: &[u64], b: &[u64]| a.iter().zip(b).map(|(a, b)| a & b).collect();
                let hits = Hits {
                    one: both(&hits.one, &others.one),
                    other: both(&hits.other, &others.other),
                };
                let event = Event { first: *second, second: Some(*first) };
                if let Some(suspicion) = self.judge(event, &hits)
                    && suspicion.score > best.score
                {
                    best = suspicion;
                }
            }
        }
        Some(best)
    }

    /// Expected result of counting this event, in the direction in which it shows more.
    fn judge(&self, event: Event, hits: &Hits) -> Option<Suspicion> {
        let seen = |words: &[u64], runs: usize| EventCount {
            times: words.iter().map(|word| u64::from(word.count_ones())).sum(),
            runs: runs as u64,
        };
        let (one, other) = (seen(&hits.one, self.one.len()), seen(&hits.other, self.other.len()));
        if one.runs == 0 || other.runs == 0 {
            return None;
        }
        let shown = |often: EventCount, seldom: EventCount| {
            let (often, seldom) = (often.wilson(DISTRUST).0, seldom.wilson(DISTRUST).1);
            let often = wilson(often, self.counted, self.certainty).0;
            let seldom = wilson(seldom, self.counted, self.certainty).1;
            (often / seldom).ln()
        };
        let (forth, back) = (shown(one, other), shown(other, one));
        let (likelier, score) =
            if forth >= back { (Side::One, forth) } else { (Side::Other, back) };
        Some(Suspicion { event, likelier, score })
    }

    fn conditions(&self) -> Vec<Condition> {
        let mut conditions = vec![Condition::Refused, Condition::Released];
        let numbers = |outputs: &[Output]| {
            outputs.iter().find_map(|output| match output {
                Output::Numbers(numbers) => Some(numbers.len()),
                Output::Refused => None,
            })
        };
        let count = numbers(self.one).or(numbers(self.other)).unwrap_or(0);
        for at in 0..count {
            self.about(at, &mut conditions);
        }
        conditions
    }

    /// Adds conditions about one number: both tails, bins, single values, and low-order bits.
    fn about(&self, at: usize, conditions: &mut Vec<Condition>) {
        let values = |outputs: &[Output]| -> Vec<f64> {
            let number = |output: &Output| match output {
                Output::Numbers(numbers) => numbers.get(at).copied(),
                Output::Refused => None,
            };
            outputs.iter().filter_map(number).collect()
        };
        let mut all = values(self.one);
        all.extend(values(self.other));
        all.sort_by(f64::total_cmp);
        let places = quantiles(&all);
        for &threshold in &places {
            conditions.push(Condition::AtLeast { at, threshold });
            conditions.push(Condition::Below { at, threshold });
        }
        let bins = places.windows(BIN + 1).step_by(BIN / 2);
        conditions.extend(bins.map(|bin| Condition::Within { at, low: bin[0], high: bin[BIN] }));

        let mut atoms: Vec<(usize, f64)> = all
            .chunk_by(|a, b| a.to_bits() == b.to_bits())
            .map(|same| (same.len(), same[0]))
            .collect();
        atoms.sort_by_key(|(times, _)| std::cmp::Reverse(*times));
        let often = atoms.into_iter().take(ATOMS).filter(|(times, _)| *times > 1);
        conditions.extend(often.map(|(_, value)| Condition::Exactly { at, value }));

        let mut bits: Vec<i32> = all.iter().filter_map(|value| lowest_bit(*value)).collect();
        bits.sort_unstable();
        let steps =
            (0..POSITIONS).filter_map(|position| bits.get(position * bits.len() / POSITIONS));
        let mut exponents: Vec<i32> = steps.chain(bits.last()).copied().collect();
        exponents.dedup();
        for exponent in exponents {
            conditions.push(Condition::OnGrid { at, exponent });
            conditions.push(Condition::OffGrid { at, exponent });
        }
    }
}

/// Evenly spaced quantiles of sorted values, closer together at both ends.
fn quantiles(sorted: &[f64]) -> Vec<f64> {
    let Some(last) = sorted.len().checked_sub(1) else { return Vec::new() };
    let tail = (1..8).map(|power| 0.5 / f64::from(POSITIONS as u32) / 2f64.powi(power));
    let mut shares: Vec<f64> = tail.flat_map(|share| [share, 1.0 - share]).collect();
    shares.extend((0..=POSITIONS).map(|position| position as f64 / POSITIONS as f64));
    shares.sort_by(f64::total_cmp);
    let mut places: Vec<f64> =
        shares.iter().map(|share| sorted[(share * last as f64).round() as usize]).collect();
    places.dedup();
    places
}

fn words(outputs: &[Output], condition: Condition) -> Vec<u64> {
    let word = |outputs: &[Output]| {
        let bit = |(bit, output): (usize, &Output)| u64::from(condition.holds(output)) << bit;
        outputs.iter().enumerate().map(bit).fold(0, |word, bit| word | bit)
    };
    outputs.chunks(64).map(word).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn search(one: &[Output], other: &[Output]) -> Suspicion {
        Search::new(one, other, 10_000, 4.0).best().unwrap()
    }

    fn numbers(rows: impl IntoIterator<Item = [f64; 2]>) -> Vec<Output> {
        rows.into_iter().map(|row| Output::Numbers(row.to_vec())).collect()
    }

    #[test]
    fn a_shift_is_a_threshold() {
        let ramp = |shift: f64| numbers((0..1000).map(|i| [f64::from(i) + shift, 0.0]));
        let found = search(&ramp(0.0), &ramp(300.0));
        let Condition::AtLeast { at: 0, threshold } = found.event.first else {
            panic!("{}", found.event)
        };
        assert!(
            (950.0..1050.0).contains(&threshold) && found.likelier == Side::Other,
            "{threshold}"
        );
    }

    #[test]
    fn two_numbers_can_tell_what_none_of_them_does() {
        let parity = |odd: bool| {
            numbers((0..2000).map(|i| {
                let first = f64::from(i % 2);
                [first, if odd { 1.0 - first } else { first }]
            }))
        };
        let found = search(&parity(false), &parity(true));
        assert!(
            found.event.second.is_some() && found.score > 3.0,
            "{} {}",
            found.event,
            found.score
        );
    }

    #[test]
    fn refusals_and_low_order_bits_are_seen() {
        let released = vec![Output::from(1.0); 500];
        let refused: Vec<Output> =
            (0..500).map(|i| if i < 200 { Output::Refused } else { 1.0.into() }).collect();
        let found = search(&released, &refused);
        assert_eq!((found.event.first, found.likelier), (Condition::Refused, Side::Other));
        let fine =
            |step: f64| (0..500).map(|i| Output::from(f64::from(i) + step)).collect::<Vec<_>>();
        let found = search(&fine(0.5), &fine(0.25));
        assert!(matches!(found.event.first, Condition::OnGrid { .. } | Condition::OffGrid { .. }));
    }

    #[test]
    fn the_same_outputs_show_nothing() {
        let same = numbers((0..1000).map(|i| [f64::from(i % 37), f64::from(i % 11)]));
        assert!(search(&same, &same).score < 0.0);
    }
}
