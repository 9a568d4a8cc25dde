//! Exponential mechanism among any number of candidates, by runs of equal distance.

use dashu_int::UBig;
use dashu_int::ops::BitTest;

use super::Randomness;
use super::exponential::{UpperBound, UpperBounds};

/// Consecutive candidates at the same distance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// Number of candidates.
    pub length: UBig,
    /// Distance of each candidate from the target.
    pub distance: UBig,
}

/// Number of binary digits behind the point of the masses of runs, beyond those of the number of
/// candidates. Rounding up then gives no far run more than a part in 2^192 of the mass of one
/// nearest candidate; with more, far candidates could be proposed for ever.
const SPARE: usize = 192;

/// Masses of runs, never below length·exp(−(distance − least)/scale), the starting point of an
/// exact draw.
///
/// A run may contain candidates with different distances: then its distance is the least of them,
/// and the draw is exact once the candidate's own distance is known.
pub(crate) struct Envelope {
    scale: UBig,
    // Number of binary digits behind the point of bounds and masses.
    bits: usize,
    least: UBig,
    bounds: Vec<UBig>,
    // Mass of all runs up to and including this one.
    upto: Vec<UBig>,
}

impl Envelope {
    /// Returns the envelope of these runs; `None` if there is no candidate.
    pub(crate) fn new<'a>(
        runs: impl Iterator<Item = &'a Run> + Clone,
        scale: &UBig,
        exponentials: &UpperBounds,
    ) -> Option<Self> {
        let least = runs
            .clone()
            .filter(|run| run.length != UBig::ZERO)
            .map(|run| &run.distance)
            .min()?
            .clone();
        let candidates = runs.clone().fold(UBig::ZERO, |all, run| all + &run.length);
        let bits = SPARE + candidates.bit_len();
        let (mut bounds, mut upto, mut sum) = (Vec::new(), Vec::new(), UBig::ZERO);
        let mut last: Option<(&UBig, UBig)> = None;
        for run in runs {
            let bound = match &last {
                Some((distance, bound)) if **distance == run.distance => bound.clone(),
                _ if run.distance < least => UBig::ONE << bits,
                _ => UpperBound::in_units(
                    &exponentials.bound_exp(&(&run.distance - &least), scale),
                    bits,
                ),
            };
            sum += &bound * &run.length;
            upto.push(sum.clone());
            bounds.push(bound.clone());
            last = Some((&run.distance, bound));
        }
        Some(Self { scale: scale.clone(), bits, least, bounds, upto })
    }

    /// Returns the mass of all runs.
    pub(crate) fn total(&self) -> UBig {
        self.upto.last().cloned().unwrap_or(UBig::ZERO)
    }

    /// Returns the mass of a run.
    pub(crate) fn mass(&self, run: usize) -> UBig {
        match run.checked_sub(1) {
            Some(before) => &self.upto[run] - &self.upto[before],
            None => self.upto[run].clone(),
        }
    }

    /// Returns the mass that `length` candidates at `distance` would have.
    pub(crate) fn mass_at(
        &self,
        length: &UBig,
        distance: &UBig,
        exponentials: &UpperBounds,
    ) -> UBig {
        let excess = if *distance > self.least { distance - &self.least } else { UBig::ZERO };
        exponentials.bound_exp(&excess, &self.scale).in_units(self.bits) * length
    }

    /// Returns a run, drawn with probability proportional to its mass.
    pub(crate) fn propose(&self, randomness: &mut Randomness) -> usize {
        let drawn = randomness.below(&self.total());
        self.upto.partition_point(|upto| *upto <= drawn)
    }

    /// Returns true if a candidate of a proposed run is accepted, given its own distance, which is
    /// at least that of the run.
    pub(crate) fn accepts(&self, run: usize, distance: &UBig, randomness: &mut Randomness) -> bool {
        let excess = if *distance > self.least { distance - &self.least } else { UBig::ZERO };
        randomness.bernoulli_exp_below(&excess, &self.scale, &self.bounds[run], self.bits)
    }
}

impl Randomness {
    /// Returns one of the runs, with probability exactly proportional to
    /// length·exp(−distance/`scale`); `None` if there is no candidate.
    ///
    /// This is the exponential mechanism over as many candidates as the runs have together, at the
    /// cost of as many steps as there are runs. If changing a record changes no candidate's
    /// distance by more than Δ, the choice costs that record at most 2Δ/`scale`. All candidates of
    /// a run are equally likely: draw one uniformly. `scale` must be positive; where it is zero,
    /// one of the nearest runs is drawn by length.
    ///
    /// # Example
    ///
    /// ```
    /// use suum_core::{Randomness, Run};
    ///
    /// // 2^60 candidates far away, and 1000 that are near.
    /// let far = Run { length: (1u64 << 60).into(), distance: 900u32.into() };
    /// let near = Run { length: 1000u32.into(), distance: 3u32.into() };
    /// assert_eq!(Randomness::insecure(1).choose_run(&[far, near], &2u32.into()), Some(1));
    /// ```
    pub fn choose_run(&mut self, runs: &[Run], scale: &UBig) -> Option<usize> {
        if *scale == UBig::ZERO {
            let candidates = runs.iter().filter(|run| run.length != UBig::ZERO);
            let least = candidates.map(|run| &run.distance).min()?;
            let nearest = runs
                .iter()
                .map(|run| if run.distance == *least { run.length.clone() } else { UBig::ZERO });
            let sums: Vec<UBig> = nearest
                .scan(UBig::ZERO, |sum, length| {
                    *sum += length;
                    Some(sum.clone())
                })
                .collect();
            let drawn = self.below(sums.last()?);
            return Some(sums.partition_point(|sum| *sum <= drawn));
        }
        let envelope = Envelope::new(runs.iter(), scale, &UpperBounds::new())?;
        loop {
            let run = envelope.propose(self);
            if envelope.accepts(run, &runs[run].distance, self) {
                return Some(run);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(length: u64, distance: u64) -> Run {
        Run { length: length.into(), distance: distance.into() }
    }

    /// χ² of 40 000 draws against the probabilities at `assumed` times the scale.
    fn chi2(runs: &[(u64, u64)], scale: u64, assumed: f64, seed: u64) -> f64 {
        let least = runs
            .iter()
            .filter(|(length, _)| *length > 0)
            .map(|(_, distance)| *distance)
            .min()
            .unwrap();
        let mass = |(length, distance): &(u64, u64)| {
            *length as f64 * (-(*distance as f64 - least as f64) / (scale as f64 * assumed)).exp()
        };
        let total: f64 = runs.iter().map(mass).sum();
        let exact: Vec<Run> =
            runs.iter().map(|(length, distance)| run(*length, *distance)).collect();
        let mut randomness = Randomness::insecure(seed);
        let mut counts = vec![0u32; runs.len()];
        for _ in 0..40_000 {
            counts[randomness.choose_run(&exact, &scale.into()).unwrap()] += 1;
        }
        let expected = runs.iter().map(|run| 40_000.0 * mass(run) / total);
        counts
            .iter()
            .zip(expected)
            .filter(|(_, e)| *e > 0.0)
            .map(|(count, e)| (f64::from(*count) - e).powi(2) / e)
            .sum()
    }

    /// Lengths and distances of runs, a scale, and a seed.
    type Case = (&'static [(u64, u64)], u64, u64);

    const CASES: [Case; 4] = [
        (&[(1, 0), (3, 4), (9, 7)], 3, 1),
        (&[(1 << 60, 410), (5, 3), (1000, 22)], 10, 2),
        (&[(7, 1_000_000), (8, 1_000_001), (0, 999_999), (4, 1_000_000)], 1, 3),
        (&[(1, 50), (1 << 40, 350)], 11, 4),
    ];

    #[test]
    fn draws_follow_the_definition() {
        for (runs, scale, seed) in CASES {
            let value = chi2(runs, scale, 1.0, seed);
            // At most 2 degrees of freedom: P(χ² > 20) = 5e-5 for each of the fixed seeds.
            assert!(value < 20.0, "{runs:?}: χ² = {value}");
        }
    }

    #[test]
    #[ignore = "takes seconds"]
    fn draws_at_another_scale_are_told_apart() {
        for (runs, scale, seed) in CASES {
            for off in [0.9, 1.1] {
                let value = chi2(runs, scale, off, seed);
                assert!(value > 20.0, "{runs:?} taken for {off} of the scale: χ² = {value}");
            }
        }
    }

    #[test]
    fn any_number_of_candidates_is_outweighed_by_distance() {
        // 2^5000 candidates of exp(−4000) each: together exp(−534) of the near one.
        let far = Run { length: UBig::ONE << 5000, distance: 4000u32.into() };
        let mut randomness = Randomness::insecure(6);
        let mut choose = |runs: &[Run]| randomness.choose_run(runs, &UBig::ONE);
        assert_eq!(choose(&[far.clone(), run(1, 0)]), Some(1));
        assert_eq!(choose(&[run(1, 1 << 50), far.clone(), run(1 << 40, 3000)]), Some(1));
        assert_eq!(choose(&[run(1, 1 << 50), far]), Some(1));
    }

    #[test]
    fn no_candidates_no_choice() {
        let mut randomness = Randomness::insecure(1);
        assert_eq!(randomness.choose_run(&[], &UBig::ONE), None);
        assert_eq!(randomness.choose_run(&[run(0, 3)], &UBig::ONE), None);
        assert_eq!(randomness.choose_run(&[run(0, 3), run(5, 9)], &UBig::ZERO), Some(1));
    }
}
