//! Radius of data around a point.

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use suum::{Epsilon, Error, Loss, Randomness, Result};

use super::octaves::{LEAST, MOST, Octaves};
use super::pairs::units;
use super::sparse_vector::SparseVector;

/// A private radius around a public point within which all but a few records lie.
///
/// # Formula
///
/// With D the records that are no placeholders and C(r) those within r of the point, a sparse
/// vector search looks for the first i = 0, 1, 2, … with C(2^i·b) − |D| > −(6/ε)·ln(2/β). The
/// radius is 2^i·b, at most 2^1023; a search that ends there gives nothing.
///
/// # Guarantee
///
/// C(r) − |D| is minus the number of records further out: replacing a record by another or by a
/// placeholder moves it by at most 1. The search costs every record at most ε. How many records
/// there are is never looked at for itself, since after diffusion that is private.
///
/// With probability 1 − β it does not stop with more than (12/ε)·ln(2k/β) records outside, k being
/// the number of steps that reach all of them (DG26 Lemma 6). Whoever uses the radius clips those.
///
/// # Example
///
/// ```
/// use suum::{Epsilon, Randomness};
/// use suum_experiments::published::Radius;
///
/// // Evenly spread from 0 to 100; with b = 1/4 the radii around 50 are 1/4, 1/2, 1, …, 32, 64.
/// let records: Vec<Option<f64>> = (0..=10_000).map(|i| Some(f64::from(i) / 100.0)).collect();
/// let radius = Radius::new(Epsilon::new(0.5)?, 0.05)?;
/// assert_eq!(radius.find(&records, 50.0, -2, &mut Randomness::insecure(1)), Some(6), "2^6 = 64");
/// assert!(radius.loss().within(Epsilon::new(0.5)?));
/// # Ok::<(), suum::Error>(())
/// ```
///
/// Source: DG26 Algorithm 5, after Dong and Yi 2023. The published result 2^(i−2)·b has the index
/// of a search that starts at r = 0 and counts from 1.
#[derive(Debug, Clone, PartialEq)]
pub struct Radius {
    weight: UBig,
    /// Allowance (6/ε)·ln(2/β), in steps.
    allowance: UBig,
    search: SparseVector,
}

/// Refuses a probability outside (0, 1).
pub(super) fn check_failure_probability(failure_probability: f64) -> Result<()> {
    if failure_probability > 0.0 && failure_probability < 1.0 {
        return Ok(());
    }
    Err(Error::parameter("failure probability", "must lie strictly between 0 and 1")
        .with_fix("for example 0.05"))
}

impl Radius {
    /// Creates an estimate of a radius that costs every record at most `epsilon` and fails with
    /// probability `failure_probability`.
    ///
    /// # Errors
    ///
    /// Refuses a loss that is zero, infinite or above 2^40, and a probability outside (0, 1).
    pub fn new(epsilon: Epsilon, failure_probability: f64) -> Result<Self> {
        check_failure_probability(failure_probability)?;
        let units = units(epsilon)?;
        let weight = units.weight(Epsilon::PUBLIC);
        // A public number: floating point may round it.
        let records = 6.0 / epsilon.get() * libm::log(2.0 / failure_probability);
        let (_, allowance) = (RBig::try_from(records).unwrap_or(RBig::ZERO)
            * RBig::from(weight.clone()))
        .floor()
        .into_parts();
        Ok(Self { weight, allowance, search: SparseVector::new(units.scale()) })
    }

    /// Exact bound on the loss of a record, whatever its budget.
    pub fn loss(&self) -> Loss {
        self.search.loss(&self.weight)
    }

    /// Finds log₂ of the radius around `centre`, for b = 2^`step` with a step from −1074; `None`
    /// among the records is a placeholder. Returns `None` if no radius is found.
    pub fn find(
        &self,
        records: &[Option<f64>],
        centre: f64,
        step: i32,
        randomness: &mut Randomness,
    ) -> Option<i32> {
        let distances = Octaves::new(records.iter().flatten().map(|value| value - centre));
        let found = self.search.first_above(self.queries(&distances, step), randomness)?;
        Some(step.max(LEAST) + found as i32)
    }

    /// Queries W·(C(2^i·b) − |D|) + (6/ε)·ln(2/β), in steps.
    fn queries<'a>(&'a self, distances: &'a Octaves, step: i32) -> impl Iterator<Item = IBig> + 'a {
        (step.max(LEAST)..=MOST).map(move |exponent| {
            let outside = distances.total() - distances.within(exponent);
            IBig::from(self.allowance.clone())
                - IBig::from(outside) * IBig::from(self.weight.clone())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_replacement_moves_a_query_by_more_than_it_says() {
        let radius = Radius::new(Epsilon::new(0.5).unwrap(), 0.05).unwrap();
        let values = [None, Some(-3.0), Some(0.0), Some(0.2), Some(9.0), Some(f64::INFINITY)];
        let queries = |value: Option<f64>| -> Vec<IBig> {
            let distances =
                Octaves::new(value.into_iter().chain([0.5, 4.0]).map(|value| value - 1.0));
            radius.queries(&distances, -4).collect()
        };
        let mut reached = IBig::ZERO;
        for one in values.map(queries) {
            for other in values.map(queries) {
                for (one, other) in one.iter().zip(other) {
                    reached = reached.max(if *one > other { one - other } else { other - one });
                }
            }
        }
        assert_eq!(reached, IBig::from(radius.weight.clone()));
    }

    #[test]
    fn spends_at_most_epsilon() {
        for epsilon in [1e-9, 0.013, 0.3, 8.0, 64.0].map(|value| Epsilon::new(value).unwrap()) {
            let loss = Radius::new(epsilon, 0.1).unwrap().loss();
            assert!(loss.within(epsilon) && loss.rounded_up() > epsilon.get() * (1.0 - 1e-14));
        }
        let half = Epsilon::new(0.5).unwrap();
        assert!(Radius::new(half, 0.0).is_err() && Radius::new(half, 1.0).is_err());
        assert!(Radius::new(Epsilon::PUBLIC, 0.5).is_err());
    }

    #[test]
    fn data_out_of_reach_give_nothing() {
        let radius = Radius::new(Epsilon::new(1.0).unwrap(), 0.05).unwrap();
        let mut randomness = Randomness::insecure(1);
        assert_eq!(radius.find(&[Some(f64::INFINITY); 1000], 0.0, 0, &mut randomness), None);
        assert_eq!(
            radius.find(&[Some(2f64.powi(1023)); 1000], 0.0, 0, &mut randomness),
            Some(1023)
        );
    }
}
