//! Scale of data, from the differences of pairs.

use dashu_int::{IBig, UBig};

use super::octaves::{LEAST, MOST, Octaves};
use super::sparse_vector::SparseVector;
use suum::{Epsilon, Error, Loss, PrivacyUnits, Randomness, Result, Share, option};

/// A private power of two at the scale of the data: for normal data about σ/8 to σ/2.
///
/// Records are paired by their position, (0, 1), (2, 3), …, before anything is looked at, and a
/// pair counts only if neither is a placeholder. The median distance |x − x′| does not depend on
/// where the data are; it is 0.954·σ for normal data.
///
/// # Formula
///
/// With G the pairs that count and C(r) those at most r apart, one sparse vector search looks for
/// the first i = 0, 1, 2, … with C(2^i) − |G|/2 > 0, and if it stops at i ≤ 1 another one for the
/// first j = 0, 1, 2, … with |G|/2 − C(2^-j) > 0. The result is b = 2^(i−2)/2 or 2^-j/2. Exponents
/// are those of doubles, −1074 to 1023; a search that finds nothing there gives nothing.
///
/// # Guarantee
///
/// Replacing one record by any other or by a placeholder changes one pair: it comes nearer or
/// parts, and C(r) − |G|/2 moves by at most 1, or it appears or disappears, and that moves it by
/// 1/2. In integers the query is W·(2C − |G|), moves by at most 2W, and is searched with the scale
/// 2s of which W steps cost half of ε. Both searches together cost every record at most ε.
///
/// # Example
///
/// ```
/// use suum::{Epsilon, Randomness};
/// use suum_experiments::published::PairScale;
///
/// // Distances of 10 between neighbours: b is within 10/8 and 10/2.
/// let records: Vec<Option<f64>> =
///     (0..2000).map(|i| Some(1000.0 + f64::from(i % 2) * 10.0)).collect();
/// let scale = PairScale::new(Epsilon::new(1.0)?)?;
/// assert_eq!(scale.find(&records, &mut Randomness::insecure(1)), Some(1), "b = 2^1");
/// assert!(scale.loss().within(Epsilon::new(1.0)?));
/// # Ok::<(), suum::Error>(())
/// ```
///
/// Source: DG26 Algorithm 4, after Dong and Yi 2023. The published form drops all data that are not
/// positive together with its placeholder 0, and pairs what is left, so that one record can change
/// every pair.
#[derive(Debug, Clone, PartialEq)]
pub struct PairScale {
    /// Weight W, for half of ε.
    weight: UBig,
    search: SparseVector,
}

/// Direction of a search from 2^0.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Way {
    Up,
    Down,
}

impl PairScale {
    /// Creates an estimate of the scale that costs every record at most `epsilon`.
    ///
    /// # Errors
    ///
    /// Refuses a loss that is zero, infinite or above 2^40.
    pub fn new(epsilon: Epsilon) -> Result<Self> {
        let units = units(Share::new(0.5)?.apply_to(epsilon))?;
        let search = SparseVector::new(units.scale() * UBig::from(2u8));
        Ok(Self { weight: units.weight(Epsilon::PUBLIC), search })
    }

    /// Exact bound on the loss of a record, whatever its budget.
    pub fn loss(&self) -> Loss {
        let once = self.search.loss(&self.sensitivity());
        once.plus(&once)
    }

    /// Largest change of a query when a record is replaced: 2W.
    fn sensitivity(&self) -> UBig {
        &self.weight * UBig::from(2u8)
    }

    /// Finds log₂ b for records in a fixed order; `None` among them is a placeholder. Returns
    /// `None` if no scale is found.
    pub fn find(&self, records: &[Option<f64>], randomness: &mut Randomness) -> Option<i32> {
        let pairs = Octaves::new(differences(records));
        let up = self.search.first_above(self.queries(&pairs, Way::Up), randomness)? as i32;
        if up > 1 {
            return Some(up - 3);
        }
        let down = self.search.first_above(self.queries(&pairs, Way::Down), randomness)? as i32;
        // A grid finer than all doubles would not be any finer.
        Some((-down - 1).max(LEAST))
    }

    /// Queries ±W·(2C(2^±i) − |G|) for i = 0, 1, 2, …
    fn queries<'a>(&'a self, pairs: &'a Octaves, way: Way) -> impl Iterator<Item = IBig> + 'a {
        let last = if way == Way::Up { MOST } else { -LEAST };
        (0..=last).map(move |i| {
            let exponent = if way == Way::Up { i } else { -i };
            let query =
                IBig::from(pairs.within(exponent)) * IBig::from(2) - IBig::from(pairs.total());
            let query = if way == Way::Up { query } else { -query };
            query * IBig::from(self.weight.clone())
        })
    }
}

/// Differences x − x′ of all pairs without placeholders, by one IEEE subtraction.
fn differences(records: &[Option<f64>]) -> impl Iterator<Item = f64> + '_ {
    records.chunks_exact(2).filter_map(|pair| Some(pair[0]? - pair[1]?))
}

/// Units of a search that costs every record ε.
pub(super) fn units(epsilon: Epsilon) -> Result<PrivacyUnits> {
    PrivacyUnits::new(Share::ALL, epsilon).map_err(|_| {
        Error::parameter(option::EPSILON, "the loss of a search must be positive and at most 2^40")
            .with_fix("for example 0.1")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_replacement_moves_a_query_by_more_than_it_says() {
        let scale = PairScale::new(Epsilon::new(0.5).unwrap()).unwrap();
        let values = [None, Some(-3.0), Some(0.0), Some(0.2), Some(9.0), Some(f64::INFINITY)];
        let queries = |records: &[Option<f64>]| -> Vec<IBig> {
            let pairs = Octaves::new(differences(records));
            scale.queries(&pairs, Way::Up).chain(scale.queries(&pairs, Way::Down)).collect()
        };
        let most = IBig::from(scale.sensitivity());
        let mut reached = IBig::ZERO;
        // Three records: a pair and one that has nobody.
        for number in 0..216usize {
            let records = [values[number % 6], values[number / 6 % 6], values[number / 36]];
            let before = queries(&records);
            for place in 0..3 {
                for value in values {
                    let mut changed = records;
                    changed[place] = value;
                    for (one, other) in before.iter().zip(queries(&changed)) {
                        let moved = if *one > other { one - other } else { other - one };
                        reached = reached.max(moved);
                    }
                }
            }
        }
        assert_eq!(reached, most);
    }

    #[test]
    fn both_searches_together_spend_at_most_epsilon() {
        for epsilon in [1e-9, 0.013, 0.3, 8.0, 64.0].map(|value| Epsilon::new(value).unwrap()) {
            let loss = PairScale::new(epsilon).unwrap().loss();
            assert!(loss.within(epsilon) && loss.rounded_up() > epsilon.get() * (1.0 - 1e-14));
        }
        assert!(
            PairScale::new(Epsilon::PUBLIC).is_err() && PairScale::new(Epsilon::UNUSED).is_err()
        );
    }

    #[test]
    fn finds_every_scale_between_an_eighth_and_a_half_of_the_distance() {
        let scale = PairScale::new(Epsilon::new(40.0).unwrap()).unwrap();
        let mut randomness = Randomness::insecure(1);
        for exponent in ((LEAST + 8)..MOST).step_by(61) {
            let distance = libm::ldexp(1.5, exponent);
            let records: Vec<_> = (0..200).map(|i| Some(f64::from(i % 2) * distance)).collect();
            let b = scale.find(&records, &mut randomness).unwrap();
            assert!((exponent - 2..=exponent).contains(&b), "{exponent}: {b}");
        }
    }

    #[test]
    fn constant_data_have_no_scale() {
        let scale = PairScale::new(Epsilon::new(1.0).unwrap()).unwrap();
        assert_eq!(scale.find(&[Some(7.0); 2000], &mut Randomness::insecure(1)), None);
    }
}
