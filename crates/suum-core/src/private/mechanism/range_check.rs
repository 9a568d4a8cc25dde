//! Private decision whether the data lie in a range that was found.

use dashu_int::{IBig, UBig};

use super::float_quantile::weights;
use crate::certificate::verify::Description;
use crate::private::session::{Cost, Measurement};
use crate::{
    DiscreteLaplace, Distribution, Epsilon, Error, Key, LevelEntry, Loss, Neighbors, PrivacyUnits,
    Question, Randomness, Rank, Records, Result,
};

/// Keys between which a check counts: the centre, the radius, and an eighth of the radius.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RangeKeys {
    /// Key of the centre m.
    pub centre: u64,
    /// Key of r/8, as a distance.
    pub core: u64,
    /// Key of r, as a distance.
    pub radius: u64,
}

/// Check of four conditions on a range by one noisy number.
///
/// # Formula
///
/// With T the weight of all records: at most 3T/4 lie below the centre m, and at most 3T/4 above
/// it; at least (p − 1/4)T lie within the radius r that was meant to hold the share p, and at most
/// 3T/4 nearer than r/8. The slack is the least amount by which any of them holds (or the largest
/// by which one fails, negative). It is accepted if slack plus discrete Laplace noise of scale 2^k
/// exceeds the margin.
///
/// # Guarantee
///
/// Each amount is one weight minus a fixed part, between 0 and 1, of T: p is at least 1/4.
/// Replacing a record leaves T as it is; adding one of weight W moves T by W too. Either way each
/// amount moves by at most W, so does the least of them, and the decision costs the record
/// W(ε)/2^k: [`PrivacyUnits::loss`].
#[derive(Debug, Clone, PartialEq)]
pub struct RangeCheck {
    units: PrivacyUnits,
    rank: Rank,
    margin: UBig,
}

impl RangeCheck {
    /// Returns a check of a radius that was meant to hold the share `rank`, by a margin of
    /// `margin`/1024 privacy units.
    ///
    /// # Errors
    ///
    /// Refuses a share below a quarter: then the amount within the radius could move by more than
    /// the weight of a record.
    pub fn new(units: PrivacyUnits, rank: Rank, margin: u32) -> Result<Self> {
        let (part, whole) = rank.fraction();
        if 4 * part < whole {
            return Err(Error::parameter("rank", "the share within the radius is less than 1/4")
                .with_fix("look for a radius that holds a quarter of the records or more"));
        }
        Ok(Self { units, rank, margin: (units.scale() * UBig::from(margin)) >> 10 })
    }

    /// Returns the privacy units: the weights of records, and the largest loss of each.
    pub fn units(&self) -> PrivacyUnits {
        self.units
    }

    /// Returns the exact loss of a record that allows this budget.
    pub fn loss(&self, budget: Epsilon) -> Loss {
        self.units.loss(budget)
    }

    /// Returns true if the range is accepted. `distances` is the key of distances from the centre.
    ///
    /// # Errors
    ///
    /// If the records cannot be read again.
    pub(crate) fn accepts(
        &self,
        records: &mut dyn Records,
        distances: Key,
        keys: RangeKeys,
        randomness: &mut Randomness,
    ) -> Result<bool> {
        let weights = weights(self.units, records);
        let around =
            sums(records, Key::Value, [keys.centre, keys.centre.saturating_add(1)], &weights)?;
        let within =
            sums(records, distances, [keys.core, keys.radius.saturating_add(1)], &weights)?;
        let slack = self.slack(around, within);
        // Noise in units of 1/(4·denominator) of a step.
        let parts = UBig::from(self.parts());
        let noise = DiscreteLaplace::new(self.units.scale() * &parts).sample(randomness);
        Ok(slack + noise > IBig::from(&self.margin * parts))
    }

    /// Returns the factor that turns all amounts into integers.
    fn parts(&self) -> u64 {
        4 * self.rank.fraction().1
    }

    /// Returns the least amount, given the weight below, at and above the centre, and the weight in
    /// the core, in the rest of the radius, and outside.
    fn slack(&self, around: [IBig; 3], within: [IBig; 3]) -> IBig {
        let (numerator, denominator) = self.rank.fraction();
        let parts = IBig::from(self.parts());
        let [below, at, above] = around;
        let [core, inside, _] = within;
        let total = &below + at + &above;
        let most = IBig::from(3 * denominator) * &total;
        // (p − 1/4)·4·denominator, which may be negative.
        let least = (IBig::from(4 * numerator) - IBig::from(denominator)) * &total;
        let amounts = [
            &most - below * &parts,
            &most - above * &parts,
            (&core + inside) * &parts - least,
            most - core * &parts,
        ];
        amounts.into_iter().min().unwrap_or(IBig::ZERO)
    }
}

/// Returns the weight below the first cut, between the two, and from the second on.
fn sums(records: &mut dyn Records, key: Key, cuts: [u64; 2], weights: &[u64]) -> Result<[IBig; 3]> {
    // There is nothing between equal cuts.
    let sums = if cuts[0] < cuts[1] {
        records.weigh(key, &cuts, weights)?
    } else {
        records.weigh(key, &cuts[..1], weights)?
    };
    let mut sums = sums.into_iter().map(IBig::from);
    let mut next = || sums.next().unwrap_or(IBig::ZERO);
    Ok(match cuts[0] < cuts[1] {
        true => [next(), next(), next()],
        false => [next(), IBig::ZERO, next()],
    })
}

impl Measurement for RangeCheck {
    type Exact<'e> = (&'e mut dyn Records, Key, RangeKeys);
    type Out = bool;

    fn cost(&self, _: Neighbors) -> Option<Cost> {
        Some(Cost::OfAllowed(self.units))
    }

    fn description(&self, _: Neighbors) -> Description {
        Description {
            question: Question::range_check(self.rank),
            distribution: Distribution::DiscreteLaplace,
            sensitivity: 1.into(),
            scale: Some(self.units.scale().into()),
        }
    }

    fn level(&self, allowed: Epsilon) -> LevelEntry {
        LevelEntry::weighing(self.units.weight(allowed))
    }

    fn draw(
        &self,
        (records, distances, keys): Self::Exact<'_>,
        randomness: &mut Randomness,
    ) -> Result<bool> {
        self.accepts(records, distances, keys, randomness)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FloatOrder, MemoryRecords, Share};

    fn check(margin: u32) -> RangeCheck {
        let units = PrivacyUnits::new(Share::ALL, Epsilon::new(8.0).unwrap()).unwrap();
        RangeCheck::new(units, "0.75".parse().unwrap(), margin).unwrap()
    }

    fn share_accepted(
        values: impl Iterator<Item = f64>,
        centre: f64,
        radius: f64,
        margin: u32,
    ) -> f64 {
        let people: Vec<(Epsilon, f64)> =
            values.map(|value| (Epsilon::new(0.5).unwrap(), value)).collect();
        let mut records = MemoryRecords::new(people).unwrap();
        let keys = RangeKeys {
            centre: FloatOrder::key(centre),
            core: FloatOrder::key(radius / 8.0),
            radius: FloatOrder::key(radius),
        };
        let mut randomness = Randomness::insecure(3);
        let accepted = (0..2000)
            .filter(|_| {
                check(margin)
                    .accepts(&mut records, Key::Distance(centre), keys, &mut randomness)
                    .unwrap()
            })
            .count();
        accepted as f64 / 2000.0
    }

    #[test]
    fn the_decision_has_the_probability_of_the_formula() {
        // 16 records of weight 1/2: T = 8. Below the centre 4 of them, so the slacks are 4, 6 − 6 =
        // 0 (12 above) …
        let values = || (0..16).map(|i| if i < 4 { -1.0 } else { 1.0 });
        // The least slack is that above the centre, 6 − 6 = 0: half of all draws are above it, but
        // for the draw 0.
        let half = share_accepted(values(), 0.0, 2.0, 0);
        assert!((half - 0.5).abs() < 0.056, "{half}");
        // By a margin of one unit: e^-1/2 of them. Five standard deviations.
        let margin = share_accepted(values(), 0.0, 2.0, 1024);
        assert!((margin - 0.184).abs() < 0.044, "{margin}");
        // Two more records below: 6 below, 12 above, T = 9: slack 6.75 − 6 = 0.75: 1 − e^-0.75/2.
        let more = share_accepted(values().chain([-1.0, -1.0]), 0.0, 2.0, 0);
        assert!((more - 0.764).abs() < 0.048, "{more}");
    }

    #[test]
    fn each_condition_can_refuse() {
        let bell = || (-200..=200).map(f64::from);
        assert!(share_accepted(bell(), 0.0, 150.0, 0) > 0.99);
        for (centre, radius) in
            [(190.0, 300.0), (-190.0, 300.0), (0.0, 20.0), (0.0, 5000.0), (1e9, 1e9)]
        {
            assert!(share_accepted(bell(), centre, radius, 0) < 0.01, "{centre} ± {radius}");
        }
    }

    #[test]
    fn ties_at_the_centre_are_on_neither_side() {
        let tied = || {
            (0..100).map(|i| {
                if i < 60 {
                    5.0
                } else if i < 80 {
                    4.0
                } else {
                    6.5
                }
            })
        };
        assert!(share_accepted(tied(), 5.0, 2.0, 0) > 0.99);
    }
}
