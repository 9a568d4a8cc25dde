//! Known mistakes for the auditor to catch: published algorithms that do not keep their promise,
//! and common mistakes of programs.
//!
//! Every specimen is as small as it can be and still be wrong, and has a
//! [corrected](Version::Corrected) twin that differs in the mistake alone. None of them is
//! reachable from a release.

mod bucket_counts;
mod diffusion_rates;
mod float_laplace;
mod float_sum;
mod forgotten_clamp;
mod forgotten_delta;
mod noise_too_small;
mod random_denominator;
mod sensitivity;

use dashu_int::{IBig, UBig};
use suum_core::{DiscreteLaplace, Epsilon, Randomness, Result};

use crate::{Neighbours, Output, Promise, Side, Subject};

/// Version with or without the mistake.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Version {
    /// Published version, with the mistake.
    Published,
    /// Version in which only the mistake is corrected.
    Corrected,
}

/// Number of runs in which nearly all specimens are caught.
const RUNS: u64 = 5_000;

type Release = Box<dyn Fn(usize, Side, &mut Randomness) -> Output + Send + Sync>;

/// Mechanism that breaks its promise, or its corrected twin.
pub struct Specimen {
    name: &'static str,
    mistake: &'static str,
    runs: u64,
    promises: Vec<Promise>,
    neighbours: Vec<Neighbours>,
    release: Release,
}

impl Specimen {
    /// Creates a specimen in which one record of budget `epsilon` differs, as `difference` says.
    fn new(
        (name, mistake): (&'static str, &'static str),
        epsilon: f64,
        difference: &str,
        release: impl Fn(Side, &mut Randomness) -> Output + Send + Sync + 'static,
    ) -> Result<Self> {
        Ok(Self {
            name,
            mistake,
            runs: RUNS,
            promises: vec![Promise::all_of(Epsilon::new(epsilon)?)],
            neighbours: vec![Neighbours { promise: 0, difference: difference.to_owned() }],
            release: Box::new(move |_, side, randomness| release(side, randomness)),
        })
    }

    /// Description of the mistake, with the place of its publication.
    pub fn mistake(&self) -> &'static str {
        self.mistake
    }

    /// Number of counted runs in which it is caught: that of
    /// [`Settings::default`](crate::Settings), except for one specimen that needs more.
    pub fn runs(&self) -> u64 {
        self.runs
    }
}

impl Subject for Specimen {
    fn name(&self) -> &str {
        self.name
    }

    fn promises(&self) -> &[Promise] {
        &self.promises
    }

    fn neighbours(&self) -> &[Neighbours] {
        &self.neighbours
    }

    fn release(&self, neighbours: usize, side: Side, randomness: &mut Randomness) -> Output {
        (self.release)(neighbours, side, randomness)
    }
}

/// Returns all specimens, in one version.
///
/// # Errors
///
/// None is expected: everything about specimens is fixed.
///
/// # Example
///
/// ```
/// use suum_audit::{Progress, Settings, Subject, Verdict, Version, audit, specimens};
///
/// for (version, verdict) in
///     [(Version::Published, Verdict::Broken), (Version::Corrected, Verdict::NotDisproved)]
/// {
///     let all = specimens(version)?;
///     let clamp = all.iter().find(|specimen| specimen.name() == "forgotten-clamp").unwrap();
///     assert_eq!(audit(&[clamp], &Settings::default(), &Progress::default())?.verdict(), verdict);
/// }
/// # Ok::<(), suum_core::Error>(())
/// ```
pub fn specimens(version: Version) -> Result<Vec<Specimen>> {
    Ok(vec![
        sensitivity::specimen(version)?,
        random_denominator::specimen(version)?,
        diffusion_rates::specimen(version)?,
        bucket_counts::specimen(version)?,
        float_laplace::specimen(version)?,
        float_sum::specimen(version)?,
        noise_too_small::specimen(version)?,
        forgotten_clamp::specimen(version)?,
        forgotten_delta::specimen(version)?,
    ])
}

/// Number of steps to one, 2^20: the grid of specimens whose mistake is not one of rounding.
const STEPS: f64 = 1048576.0;

/// Laplace noise of this scale, on the grid and never too small for it.
fn laplace(scale: f64, randomness: &mut Randomness) -> f64 {
    let steps = UBig::from((scale * STEPS).ceil() as u64);
    steps_of(&DiscreteLaplace::new(steps).sample(randomness)) / STEPS
}

fn steps_of(noise: &IBig) -> f64 {
    noise.to_f64().value()
}

/// Decision that is true with this probability, to 62 binary digits.
fn decide(probability: f64, randomness: &mut Randomness) -> bool {
    const DIGITS: usize = 62;
    let share = UBig::from((probability * (1u64 << DIGITS) as f64) as u64);
    randomness.below(&(UBig::ONE << 64)) < share << (64 - DIGITS)
}
