//! Answers are unbiased, or biased as stated, with the noise and spread of their plans.

use suum::{Bounds, ErrorKind, Randomness, SampleThreshold};
use suum_experiments::published::{Person, SampleMean, StretchMean};

use crate::people::epsilon_of;

/// A level: its ε, how many people it has, and the share of the range at which all their values
/// are.
type Row = (f64, usize, f64);

/// Levels without public records, values far from the bounds.
const NO_PUBLIC: [Row; 3] = [(4.0, 40, 0.35), (8.0, 30, 0.60), (16.0, 10, 0.75)];

/// Levels with public records, values far from the bounds.
const SOME_PUBLIC: [Row; 3] = [(4.0, 40, 0.35), (8.0, 30, 0.60), (f64::INFINITY, 5, 0.75)];

const TRIALS: u32 = 10_000;

fn bounds() -> Bounds {
    Bounds::new(-20.0, 180.0).unwrap()
}

fn people(rows: &[Row]) -> Vec<Person> {
    let value = |share: f64| bounds().lower() + share * bounds().width();
    rows.iter()
        .flat_map(|row| std::iter::repeat_n((epsilon_of(row.0), value(row.2)), row.1))
        .collect()
}

/// Expected error of an estimator, in units of the range: derived from budgets and counts, with no
/// code of the release.
struct Prediction {
    mean: f64,
    variance: f64,
    /// The fourth cumulant of the errors: 12s⁴ for Laplace noise of scale s.
    fourth: f64,
}

impl Prediction {
    /// Returns true if mean and mean square are within five standard errors: a false alarm in 870
    /// 000 checks.
    fn fits(&self, (mean, second): (f64, f64)) -> bool {
        let trials = f64::from(TRIALS);
        let variance_of_square = self.fourth + 2.0 * self.variance * self.variance;
        mean.abs() <= 5.0 * (self.variance / trials).sqrt()
            && (second - self.variance).abs() <= 5.0 * (variance_of_square / trials).sqrt()
    }

    fn sample(rows: &[Row], threshold: f64) -> Self {
        let probability =
            |e: f64| if e >= threshold { 1.0 } else { (e.exp() - 1.0) / (threshold.exp() - 1.0) };
        let expected: f64 = rows.iter().map(|(e, count, _)| probability(*e) * *count as f64).sum();
        let (mut mean, mut subsampling) = (0.0, 0.0);
        for (epsilon, count, x) in rows {
            let (p, count) = (probability(*epsilon), *count as f64);
            mean += count * p * x / expected;
            subsampling += count * p * (1.0 - p) * ((x - 0.5) / expected).powi(2);
        }
        let scale = 1.0 / (threshold * expected);
        let (noise, fourth) = (2.0 * scale * scale, 12.0 * scale.powi(4));
        Self { mean, variance: noise + subsampling, fourth }
    }

    fn stretch(rows: &[Row]) -> Self {
        let n: usize = rows.iter().map(|row| row.1).sum();
        let largest = rows.iter().map(|row| row.0).fold(0.0, f64::max);
        let mean = rows.iter().map(|(e, count, x)| e / largest * *count as f64 * x).sum::<f64>();
        let scale = 1.0 / (largest * n as f64);
        Self { mean: mean / n as f64, variance: 2.0 * scale * scale, fourth: 12.0 * scale.powi(4) }
    }

    /// Checks many answers, and that the check would notice a tenth too much or too little.
    fn check(&self, place: &str, estimate: impl Fn(&mut Randomness) -> f64) {
        let (mut mean, mut second) = (0.0, 0.0);
        for seed in 0..TRIALS {
            let estimate = estimate(&mut Randomness::insecure(seed.into()));
            assert!(estimate > bounds().lower() && estimate < bounds().upper(), "not clamped");
            let error = (estimate - bounds().lower()) / bounds().width() - self.mean;
            mean += error / f64::from(TRIALS);
            second += error * error / f64::from(TRIALS);
        }
        let off = (mean / self.variance.sqrt(), second / self.variance);
        assert!(self.fits((mean, second)), "{place}: mean and variance are off by {off:?}");
        for factor in [0.81, 1.21] {
            let wrong = Prediction {
                variance: self.variance * factor,
                fourth: self.fourth * factor * factor,
                ..*self
            };
            assert!(!wrong.fits((mean, second)), "{place}: accepts × {factor}");
        }
        assert!(!self.fits((mean + 0.1 * self.variance.sqrt(), second)), "{place}");
    }
}

#[test]
fn a_sample_is_unbiased_with_the_variance_of_noise_and_thinning() {
    let at = |epsilon| SampleThreshold::At(epsilon_of(epsilon));
    for (threshold, t, rows) in [
        // Of the levels of 4 and 8 some are kept: (e⁴ − 1)/(e⁵ − 1) = 0.36.
        (at(5.0), 5.0, SOME_PUBLIC),
        (at(8.5), 8.5, NO_PUBLIC),
        (SampleThreshold::Min, 4.0, NO_PUBLIC),
    ] {
        let people = people(&rows);
        let profile = suum_experiments::published::profile_of(&people).unwrap();
        let plan = SampleMean::new(profile, bounds(), threshold).unwrap();
        Prediction::sample(&rows, t).check(&format!("{threshold:?}"), |randomness| {
            plan.release(&people, randomness).unwrap().estimate
        });
    }
}

#[test]
fn a_stretched_mean_is_biased_as_stated() {
    let people = people(&NO_PUBLIC);
    let profile = suum_experiments::published::profile_of(&people).unwrap();
    let plan = StretchMean::new(profile, bounds()).unwrap();
    let predicted = Prediction::stretch(&NO_PUBLIC);
    predicted.check("stretch", |randomness| plan.release(&people, randomness).unwrap().estimate);
    // 1 − mean ε/ε_max: (4·40 + 8·30 + 16·10)/(16·80) = 0.4375.
    let truth = NO_PUBLIC.iter().map(|row| row.1 as f64 * row.2 / 80.0).sum::<f64>();
    let missed = truth - predicted.mean;
    assert!(missed > 0.4 * 0.5625 && missed <= 0.5625, "{missed}");
}

#[test]
fn only_secret_entropy_makes_an_answer_private() {
    let people = people(&NO_PUBLIC);
    let profile = suum_experiments::published::profile_of(&people).unwrap();
    let sample = SampleMean::new(profile.clone(), bounds(), SampleThreshold::Max).unwrap();
    let stretch = StretchMean::new(profile, bounds()).unwrap();
    for (private, mut randomness) in
        [(false, Randomness::insecure(1)), (true, Randomness::from_entropy([7; 32]))]
    {
        assert_eq!(sample.release(&people, &mut randomness).unwrap().private, private);
        assert_eq!(stretch.release(&people, &mut randomness).unwrap().private, private);
    }
}

#[test]
fn other_people_than_planned_for_are_refused() {
    let people = people(&NO_PUBLIC);
    let profile = suum_experiments::published::profile_of(&people).unwrap();
    let sample = SampleMean::new(profile.clone(), bounds(), SampleThreshold::Max).unwrap();
    let stretch = StretchMean::new(profile, bounds()).unwrap();
    let mut randomness = Randomness::insecure(1);
    for refused in [
        sample.release(&people[1..], &mut randomness).unwrap_err(),
        stretch.release(&people[1..], &mut randomness).unwrap_err(),
    ] {
        assert_eq!(refused.kind(), ErrorKind::Data);
        assert!(refused.fix().is_some());
    }
    // Nothing was drawn.
    assert!(randomness.is_fresh());
}
