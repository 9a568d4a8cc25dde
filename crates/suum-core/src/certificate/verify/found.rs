//! Consistency of a release of categories that were found: δ of every level, the threshold, and the
//! shares that follow from the noisy counts.
//!
//! δ is a second computation on purpose: it shares no code with the noise.

use dashu_int::IBig;
use dashu_ratio::RBig;

use super::entry::MeasurementEntry;
use super::exact::Exact;
use super::numbers::{EstimateNumber, FoundRecord};
use super::question::Question;
use super::record::{ReleaseRecord, Row};
use crate::Epsilon;
use crate::certificate::enclosure::{down, exact, exp_minus, up};
use crate::values::found_law::{CountLaw, FoundLaw};

/// Question of a measurement of found categories, with its levels.
struct FoundQuestion<'m> {
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
    let asked = release.measurements.iter().flatten().find_map(FoundQuestion::from_entry);
    let (asked, found) = match (asked, &release.found_categories) {
        (None, None) => return Vec::new(),
        (Some(asked), Some(found)) => (asked, found),
        (None, Some(_)) => return vec![fault("no measurement finds categories")],
        (Some(_), None) => return vec![fault("the noisy counts are missing")],
    };
    let rows = release.privacy.as_deref().unwrap_or_default();
    if asked.up.is_zero() != asked.down.is_zero() {
        return vec![fault("the noise has one side")];
    }
    let mut faults: Vec<String> =
        rows.iter().filter_map(|row| asked.fault_of_delta(row, found)).collect();
    faults.extend(asked.fault_of_shares(release, rows, found));
    faults
}

fn fault(what: &str) -> String {
    format!("found_categories: {what}")
}

impl<'m> FoundQuestion<'m> {
    fn from_entry(entry: &'m MeasurementEntry) -> Option<Self> {
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
        let law = FoundLaw {
            up: share(self.up),
            down: share(self.down),
            threshold,
            spread: 0.0,
            further: 0.0,
        };
        let estimates: Option<Vec<StatedShare>> =
            shares.iter().chain([others]).map(StatedShare::from_estimate).collect();
        let Some(estimates) = estimates else {
            return Some("frequencies: a share has no estimate or no interval".to_owned());
        };
        let confidence = estimates.last()?.confidence;
        let each = match release.simultaneous {
            Some(true) => 1.0 - (1.0 - confidence) / counts.len().max(1) as f64,
            _ => confidence,
        };
        let Some(law) = sampled(law, rows, release.target.as_deref(), each) else {
            return Some("privacy: a weight or the target is missing".to_owned());
        };
        let mut noisy: Vec<f64> = counts.iter().map(|count| law.centred(*count)).collect();
        noisy.push(1.0 - noisy.iter().sum::<f64>());
        let is_right = follow(release.post.as_deref(), &noisy, &estimates, law.up + law.down)
            && intervals(&law, &counts, &estimates, each);
        (!is_right).then(|| {
            "frequencies: a share or an interval does not follow from the noisy counts".to_owned()
        })
    }
}

/// StatedShare estimate with its interval.
struct StatedShare {
    confidence: f64,
    estimate: f64,
    ends: [f64; 2],
}

impl StatedShare {
    fn from_estimate(one: &EstimateNumber) -> Option<Self> {
        let ends = one.interval.as_ref()?;
        let confidence = ends.confidence;
        let ends = [ends.lower.0, ends.upper.0];
        (confidence > 0.0 && confidence < 1.0).then_some(Self {
            confidence,
            estimate: one.estimate?,
            ends,
        })
    }
}

/// Returns the law with the sampling error of records with the weights of these rows.
fn sampled(law: FoundLaw, rows: &[Row], target: Option<&str>, confidence: f64) -> Option<FoundLaw> {
    let levels = rows.iter().map(|row| Some((row.count? as f64, row.weight?)));
    let levels = levels.collect::<Option<Vec<_>>>()?;
    let sum = |term: &dyn Fn(f64) -> f64| -> f64 {
        levels.iter().map(|(count, weight)| count * term(*weight)).sum()
    };
    let n = sum(&|_| 1.0);
    let (square, cube) = (sum(&|w| w * w), sum(&|w| w * w * w));
    let from_equal = sum(&|w| (w - 1.0 / n) * (w - 1.0 / n));
    let z = normal_quantile((1.0 - confidence) / 2.0);
    let skewed = (z * z - 1.0).max(0.0) / 6.0 * (cube / square - square).max(0.0);
    Some(match target? {
        "population" => FoundLaw { spread: square, further: skewed, ..law },
        "dataset" if from_equal * n <= 1e-18 || n < 2.0 => law,
        "dataset" => FoundLaw { spread: n / (n - 1.0) * from_equal, further: skewed, ..law },
        "dataset-correlated" => FoundLaw { further: sum(&|w| (w - 1.0 / n).abs()) / 2.0, ..law },
        _ => return None,
    })
}

/// Returns z with P(N > z) = `tail` for a standard normal N, for tails below ½.
fn normal_quantile(tail: f64) -> f64 {
    let (mut low, mut high) = (0.0, 40.0);
    for _ in 0..80 {
        let middle = (low + high) / 2.0;
        let is_above = 0.5 * libm::erfc(middle * std::f64::consts::FRAC_1_SQRT_2) > tail;
        if is_above { low = middle } else { high = middle }
    }
    low
}

/// Returns true if the estimates are the noisy shares after this post-processing: as they are,
/// each clamped, or less a number that is the same for all that stay above zero.
fn follow(post: Option<&str>, noisy: &[f64], stated: &[StatedShare], unit: f64) -> bool {
    let mut pairs = noisy.iter().zip(stated.iter().map(|one| one.estimate));
    match post {
        Some("none") => pairs.all(|(noisy, stated)| agree(*noisy, stated, unit)),
        Some("clamp") => pairs.all(|(noisy, stated)| agree(noisy.clamp(0.0, 1.0), stated, unit)),
        Some("simplex") => {
            let less = noisy.iter().zip(stated).filter(|(_, one)| one.estimate > 0.0);
            let less = less.map(|(noisy, one)| noisy - one.estimate).reduce(f64::max);
            less.is_some_and(|less| {
                pairs.all(|(noisy, stated)| agree((noisy - less).max(0.0), stated, unit))
            })
        }
        _ => false,
    }
}

/// Returns true if the intervals are those of the noisy counts, widened to the estimates; that of
/// all others adds up their ends.
fn intervals(law: &FoundLaw, counts: &[CountLaw], stated: &[StatedShare], confidence: f64) -> bool {
    let Some((others, shares)) = stated.split_last() else { return false };
    let unit = law.up + law.down + law.spread;
    let is = |[lower, upper]: [f64; 2], one: &StatedShare, many: f64| {
        let room = unit.max(1e-9) * many;
        agree(lower.min(one.estimate), one.ends[0], room)
            && agree(upper.max(one.estimate), one.ends[1], room)
    };
    let mut of_shares = counts.iter().zip(shares);
    let rest = |at: usize| {
        let sum: f64 = shares.iter().map(|one| one.ends[at]).sum();
        (1.0 - sum).clamp(0.0, 1.0)
    };
    of_shares.all(|(count, one)| is(law.ends(*count, confidence), one, 1.0))
        && is([rest(1), rest(0)], others, shares.len().max(1) as f64)
}

/// Returns bounds on exp(−x).
fn power(x: &RBig) -> [RBig; 2] {
    [exact(&exp_minus(&up(x)).low), exact(&exp_minus(&down(x)).high)]
}

/// Returns true if two numbers are equal except for rounding, in this unit.
fn agree(one: f64, other: f64, unit: f64) -> bool {
    (one - other).abs() <= 10.0 * ROUNDING * unit + f64::EPSILON
}
