//! Consistency of a release of categories that were found: δ of every level, the threshold, and the
//! shares that follow from the noisy counts.
//!
//! δ is a second computation on purpose: it shares no code with the noise.

use dashu_int::IBig;
use dashu_ratio::RBig;
use serde::Deserialize;

use super::entry::MeasurementEntry;
use super::exact::Exact;
use super::numbers::EstimateNumber;
use super::question::Question;
use super::record::{ReleaseRecord, Row};
use crate::answer::found_law::{CountLaw, FoundLaw};
use crate::certificate::enclosure::{down, exact, exp_minus, up};
use crate::{Epsilon, PostProcessing, Target};

/// Noisy counts according to a release.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(super) struct FoundRecord {
    delta: f64,
    threshold: f64,
    counts: Vec<CountRecord>,
}

/// Noisy count of a category that shows.
#[derive(Debug, Clone, PartialEq, Deserialize)]
struct CountRecord {
    noisy: String,
    public: bool,
}

/// Question of a measurement of found categories, with its levels.
struct Asked<'m> {
    steps: u64,
    up: &'m RBig,
    down: &'m RBig,
    threshold: &'m RBig,
    entry: &'m MeasurementEntry,
}

/// Relative difference allowed between numbers that follow from each other.
const ROUNDING: f64 = 1e-6;

/// Returns the faults of a release of found categories; none of other releases.
pub(super) fn faults(release: &ReleaseRecord) -> Vec<String> {
    let asked = release.measurements.iter().flatten().find_map(Asked::of);
    let (asked, found) = match (asked, &release.found_categories) {
        (None, None) => return Vec::new(),
        (Some(asked), Some(found)) => (asked, found),
        (None, Some(_)) => return vec![fault("no measurement finds categories")],
        (Some(_), None) => return vec![fault("the noisy counts are missing")],
    };
    let rows = release.privacy.as_deref().unwrap_or_default();
    let mut faults: Vec<String> =
        rows.iter().filter_map(|row| asked.fault_of_delta(row, found)).collect();
    faults.extend(asked.fault_of_shares(release, rows, found));
    faults
}

fn fault(what: &str) -> String {
    format!("found_categories: {what}")
}

impl<'m> Asked<'m> {
    fn of(entry: &'m MeasurementEntry) -> Option<Self> {
        let Question::FoundCounts { steps, down, threshold } = &entry.question else {
            return None;
        };
        let Exact(up) = entry.scale.as_ref()?;
        Some(Self { steps: *steps, up, down: &down.0, threshold: &threshold.0, entry })
    }

    /// Returns the weight of a record of this row, in steps.
    fn weight(&self, row: &Row) -> Option<RBig> {
        let written = |epsilon: Epsilon| epsilon.written().get().to_bits();
        let mut levels = self.entry.levels.iter();
        let level = levels.find(|level| written(level.epsilon) == written(row.epsilon))?;
        Some(&level.weight.0 * RBig::from(self.steps))
    }

    /// Returns the fault of a row's δ, if any.
    fn fault_of_delta(&self, row: &Row, found: &FoundRecord) -> Option<String> {
        let stated = match row.delta {
            Some(delta) if (0.0..=1.0).contains(&delta) => delta,
            _ => return Some(format!("{}: δ is missing", row.level)),
        };
        let moved = self.weight(row)?;
        let [low, high] = match row.epsilon.is_public() || moved.is_zero() || self.up.is_zero() {
            true => [0.0, 0.0],
            false => self.alone(&moved).map(|bound| bound.to_f64().value()),
        };
        let room = 1.0 + 1e-9;
        if stated * room < low || stated > high * room {
            return Some(format!(
                "{}: δ is said to be {stated:?}, the measurement has {high:?}",
                row.level
            ));
        }
        (stated > found.delta * room)
            .then(|| format!("{}: δ is {stated:?}, requested is {:?}", row.level, found.delta))
    }

    /// Returns bounds on P(K > M − w): r^(M−w+1)·(1 − r^w) over 1 − r^(M+1) + (1 − r)·q/(1 − q),
    /// with r = exp(−1/u) and q = exp(−1/d).
    fn alone(&self, moved: &RBig) -> [RBig; 2] {
        let (one, up, down) = (RBig::ONE, self.up, self.down);
        if moved > self.threshold {
            return [one.clone(), one];
        }
        let beyond = self.threshold + &one;
        let near = power(&((&beyond - moved) / up));
        let moves = power(&(moved / up)).map(|power| &one - power);
        let cut = power(&(&beyond / up)).map(|power| &one - power);
        // x − x²/2 ≤ 1 − e^−x ≤ x − x²/2 + x³/6, and 1/x − 1/2 ≤ 1/(e^x − 1) ≤ 1/x − 1/2 + x/12.
        let (x, y) = (&one / up, &one / down);
        let step = &x - &x * &x / RBig::from(2);
        let steps = [step.clone(), step + &x * &x * &x / RBig::from(6)];
        let side = down - &one / RBig::from(2);
        let sides = [side.clone(), side + y / RBig::from(12)];
        let least = &cut[1] + &steps[0] * &sides[0];
        let most = &cut[0] + &steps[1] * &sides[1];
        [&near[0] * &moves[1] / most, &near[1] * &moves[0] / least]
    }

    /// Returns the first fault of the noisy counts, the shares and their intervals, if any.
    fn fault_of_shares(
        &self,
        release: &ReleaseRecord,
        rows: &[Row],
        found: &FoundRecord,
    ) -> Option<String> {
        let shares = release.frequencies.as_deref()?;
        if shares.len() != found.counts.len() {
            return Some(fault("there are not as many noisy counts as shares"));
        }
        let Some(others) = &release.others else { return Some("others: is missing".to_owned()) };
        let weigh = |row: &Row| Some(self.weight(row)? * RBig::from(row.count?));
        let Some(whole) = rows
            .iter()
            .map(weigh)
            .try_fold(RBig::ZERO, |sum, one| Some(sum + one?))
            .filter(|all| !all.is_zero())
        else {
            return Some("privacy: the weight of all records is unknown".to_owned());
        };
        let share = |number: &RBig| (number / &whole).to_f64().value();
        let mut counts = Vec::with_capacity(found.counts.len());
        for count in &found.counts {
            let Ok(noisy) = count.noisy.parse::<IBig>() else {
                return Some(fault("a noisy count is no integer"));
            };
            let noisy = RBig::from(noisy);
            if !count.public && noisy <= *self.threshold {
                return Some(fault("a category shows that is not above the threshold"));
            }
            counts.push(CountLaw { noisy: share(&noisy), is_always: count.public });
        }
        let threshold = share(self.threshold);
        if !agree(threshold, found.threshold, threshold) {
            return Some(fault("the threshold is not that of the measurement"));
        }
        let law = self.law(release, rows, [share(self.up), share(self.down), threshold], &counts);
        let (law, confidence, each) = law?;
        let post: PostProcessing = release.post.as_deref()?.parse().ok()?;
        let again = law.shares(&counts, (confidence, each), post);
        let unit = law.up + law.down;
        let differs = |(one, (estimate, interval)): (&EstimateNumber, &(f64, crate::Interval))| {
            let ends = one.interval.as_ref();
            let is = |stated: Option<f64>, again: f64| {
                stated.is_some_and(|stated| agree(stated, again, unit.max(again.abs())))
            };
            !(is(one.estimate, *estimate)
                && is(ends.map(|ends| ends.lower.0), interval.lower)
                && is(ends.map(|ends| ends.upper.0), interval.upper))
        };
        shares.iter().chain([others]).zip(&again).any(differs).then(|| {
            "frequencies: a share or an interval does not follow from its count".to_owned()
        })
    }

    /// Returns the law of the noisy shares, and the stated and the used confidence.
    fn law(
        &self,
        release: &ReleaseRecord,
        rows: &[Row],
        [up, down, threshold]: [f64; 3],
        counts: &[CountLaw],
    ) -> Option<(FoundLaw, f64, f64)> {
        let confidence = release.others.as_ref()?.interval.as_ref()?.confidence;
        let target: Target = release.target.as_deref()?.parse().ok()?;
        let is_simultaneous = release.simultaneous == Some(true);
        let each = |many| FoundLaw::confidence_of_each(confidence, is_simultaneous, many);
        let levels = rows.iter().map(|row| Some((row.count?, row.weight?)));
        let levels = levels.collect::<Option<Vec<_>>>()?;
        let sampling = FoundLaw::sampling(&levels, target, each(counts.len()));
        Some((FoundLaw { up, down, threshold, ..sampling }, confidence, each(counts.len())))
    }
}

/// Returns bounds on exp(−x).
fn power(x: &RBig) -> [RBig; 2] {
    [exact(&exp_minus(&up(x)).low), exact(&exp_minus(&down(x)).high)]
}

fn agree(one: f64, other: f64, unit: f64) -> bool {
    (one - other).abs() <= 10.0 * ROUNDING * unit
}
