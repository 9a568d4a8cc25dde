//! Sample (Jorgensen et al. 2015, as CC23 and CC24 run it): any private mean of the sampled
//! records.

use super::{Specimen, Version, decide, laplace};
use crate::{Output, Side};
use suum_core::Result;

const NAMED: (&str, &str) = (
    "sample-random-denominator",
    "a mean over a random sample divides by how many were drawn, which dropping a record changes \
    (SM in CC23 and CC24)",
);

/// Budget and threshold of two people with values from 0 to 1, each drawn with the probability that
/// the two allow.
const EPSILON: f64 = 0.7;
const THRESHOLD: f64 = 2.5;
/// Number of runs, since an answer is rare.
const RUNS: u64 = 20_000;

/// Specimen. Published: a mean that is private as long as nobody is dropped, and is not defined for
/// nobody. Corrected: values around the middle, dropped ones in the middle, and a divisor that is
/// public.
pub(super) fn specimen(version: Version) -> Result<Specimen> {
    let keep = EPSILON.exp_m1() / THRESHOLD.exp_m1();
    let specimen = Specimen::new(
        NAMED,
        EPSILON,
        "one record at 0 or 1, the other at 0",
        move |side, randomness| {
            let first = if side == Side::One { 0.0 } else { 1.0 };
            let kept: Vec<f64> =
                [first, 0.0].into_iter().filter(|_| decide(keep, randomness)).collect();
            match version {
                Version::Published if kept.is_empty() => Output::Refused,
                Version::Published => {
                    let drawn = kept.len() as f64;
                    Output::from(
                        kept.iter().sum::<f64>() / drawn
                            + laplace(1.0 / (drawn * THRESHOLD), randomness),
                    )
                }
                Version::Corrected => {
                    let centred: f64 = kept.iter().map(|value| value - 0.5).sum();
                    Output::from(
                        0.5 + (centred + laplace(1.0 / THRESHOLD, randomness)) / (2.0 * keep),
                    )
                }
            }
        },
    )?;
    Ok(Specimen { runs: RUNS, ..specimen })
}
