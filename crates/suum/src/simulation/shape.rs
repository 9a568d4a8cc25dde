//! Shapes of made-up data, with which plans are tried.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;
use suum_core::{Epsilon, Error, MemoryRecords, Profile, Quantity, Result, ValueMoments, option};

use super::Dice;

/// Named shape of data, for plans with steps whose error does not follow from public facts.
///
/// Values are shares of the width of the bounds, starting from the lower one. Each shape is 65 536
/// values of equal probability, in ascending order, so that all its properties are known exactly.
///
/// # Example
///
/// ```
/// use suum::simulation::Shape;
///
/// let skewed: Shape = "skewed".parse()?;
/// let values = skewed.values();
/// let mean = values.iter().sum::<f64>() / values.len() as f64;
/// assert!(mean > values[values.len() / 2] && values.iter().all(|one| (0.0..=1.0).contains(one)));
/// # Ok::<(), suum::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shape {
    /// Normal around the middle, with a standard deviation of 1/8; the bounds are 4 of them away.
    Normal,
    /// Log-normal: the logarithm has a standard deviation of 3/4. The median is at e⁻³ (0.05), 4
    /// standard deviations below the upper bound.
    Skewed,
    /// Multiples of 1/10 from 0 to 1, each half as frequent as the one below it.
    Lumpy,
    /// 1 with a probability of 5 %, otherwise 0.
    TwoValued,
}

impl Shape {
    /// All shapes.
    pub const ALL: [Self; 4] = [Self::Normal, Self::Skewed, Self::Lumpy, Self::TwoValued];

    /// Name, as on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Normal => "normal",
            Self::Skewed => "skewed",
            Self::Lumpy => "lumpy",
            Self::TwoValued => "two-valued",
        }
    }

    /// Description of the values: in declared bounds, or without.
    pub fn describe(self, in_bounds: bool) -> &'static str {
        match (self, in_bounds) {
            (Self::Normal, true) => {
                "normal around the middle of the bounds, with a standard deviation of an eighth \
                 of their width"
            }
            (Self::Normal, false) => "normal",
            (Self::Skewed, true) => {
                "log-normal, with the median a twentieth of the width above the lower bound and a \
                 standard deviation of the logarithm of 3/4"
            }
            (Self::Skewed, false) => {
                "log-normal, with a standard deviation of the logarithm of 3/4"
            }
            (Self::Lumpy, true) => {
                "multiples of a tenth of the width of the bounds, from the lower one on, each half \
                 as frequent as the one below it"
            }
            (Self::Lumpy, false) => {
                "0 to 10 times one number, each half as frequent as the one below it"
            }
            (Self::TwoValued, true) => {
                "the upper bound with a probability of 5 %, otherwise the lower one"
            }
            (Self::TwoValued, false) => "one of two numbers, the upper with a probability of 5 %",
        }
    }

    /// Values, in ascending order and of equal probability.
    pub fn values(self) -> Vec<f64> {
        let at = |share: &dyn Fn(f64) -> f64| {
            (0..ATOMS).map(|atom| share((atom as f64 + 0.5) / ATOMS as f64)).collect()
        };
        match self {
            Self::Normal => normal().into_iter().map(|z| 0.5 + z / 8.0).collect(),
            Self::Skewed => normal().into_iter().map(|z| (0.75 * (z - LIMIT)).exp()).collect(),
            // Above 1 − 2^−k lie the values beyond k tenths.
            Self::Lumpy => at(&|rank| (-(1.0 - rank).log2()).floor().min(10.0) / 10.0),
            Self::TwoValued => at(&|rank| f64::from(u8::from(rank > 0.95))),
        }
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Shape {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Self::ALL.into_iter().find(|shape| shape.name() == text).ok_or_else(|| {
            Error::parameter(option::ASSUME, "there is no shape of data of that name")
                .with_fix("choose normal, skewed, lumpy or two-valued")
        })
    }
}

/// Number of values of a shape.
const ATOMS: usize = 1 << 16;

/// Point at which a normal distribution is cut off, in standard deviations.
const LIMIT: f64 = 4.0;

/// Midpoint quantiles of a standard normal distribution that is cut off.
fn normal() -> Vec<f64> {
    const STEPS: usize = 1 << 18;
    let step = 2.0 * LIMIT / STEPS as f64;
    let middle = |at: usize| -LIMIT + (at as f64 + 0.5) * step;
    let density = |z: f64| (-z * z / 2.0).exp();
    let whole: f64 = (0..STEPS).map(|at| density(middle(at))).sum();
    let mut quantiles = Vec::with_capacity(ATOMS);
    let mut below = 0.0;
    for at in 0..STEPS {
        let here = density(middle(at)) / whole;
        while quantiles.len() < ATOMS {
            let rank = (quantiles.len() as f64 + 0.5) / ATOMS as f64;
            if rank > below + here {
                break;
            }
            quantiles.push(middle(at) + step * ((rank - below) / here - 0.5));
        }
        below += here;
    }
    // Rounding can leave the last one out.
    quantiles.resize(ATOMS, LIMIT);
    quantiles
}

/// Values of a shape, in units of the data.
#[derive(Debug, Clone)]
pub(crate) struct ScaledShape {
    values: Vec<f64>,
    truth: Truth,
}

/// Values, in ascending order, with the number of records that have each.
#[derive(Debug, Clone)]
pub(crate) struct Truth {
    values: Vec<(f64, u64)>,
    moments: ValueMoments,
}

impl ScaledShape {
    /// Shape over a range that begins at `lower`.
    pub(crate) fn over(shape: Shape, lower: f64, width: f64) -> Self {
        let values: Vec<f64> = shape.values().iter().map(|share| lower + width * share).collect();
        let truth = Truth::from_values(values.iter().map(|value| (*value, 1)).collect());
        Self { values, truth }
    }

    /// Shape with standard deviation 1.
    pub(crate) fn standard(shape: Shape) -> Self {
        let deviation = Self::over(shape, 0.0, 1.0).truth.moments.variance.sqrt();
        Self::over(shape, 0.0, 1.0 / deviation)
    }

    /// Truth of the shape.
    pub(crate) fn truth(&self) -> &Truth {
        &self.truth
    }

    /// Draws records of this profile, with independent values; also returns the truth of those for
    /// which `counts` is true.
    pub(crate) fn draw(
        &self,
        profile: &Profile,
        counts: impl Fn(Epsilon) -> bool,
        dice: &mut Dice,
    ) -> Result<(MemoryRecords, Truth)> {
        let mut records = Vec::new();
        let mut all = vec![0u64; self.values.len()];
        for level in profile.levels() {
            for (atom, count) in drawn(level.count, self.values.len(), dice) {
                records.push((level.epsilon, self.values[atom], count));
                all[atom] += if counts(level.epsilon) { count } else { 0 };
            }
        }
        let counted = self.values.iter().copied().zip(all).filter(|(_, count)| *count > 0);
        Ok((MemoryRecords::from_counts(records)?, Truth::from_values(counted.collect())))
    }
}

/// Number of draws of each of `atoms` atoms; those that are not drawn are left out.
fn drawn(times: u64, atoms: usize, dice: &mut Dice) -> Vec<(usize, u64)> {
    if times as usize > atoms {
        let mut counts = vec![0u64; atoms];
        (0..times).for_each(|_| counts[dice.below(atoms)] += 1);
        return counts.into_iter().enumerate().filter(|(_, count)| *count > 0).collect();
    }
    let mut all: Vec<usize> = (0..times).map(|_| dice.below(atoms)).collect();
    all.sort_unstable();
    all.chunk_by(|one, other| one == other).map(|same| (same[0], same.len() as u64)).collect()
}

impl Truth {
    fn from_values(values: Vec<(f64, u64)>) -> Self {
        Self { moments: ValueMoments::compute(&values), values }
    }

    /// Distance of an estimate from the truth; `people` is the number of records that a sum counts.
    /// Every number between two neighbouring values can be a quantile.
    pub(crate) fn error(&self, of: &Quantity, estimate: f64, people: f64) -> Option<f64> {
        Some(match of {
            Quantity::Sum => estimate - people * self.moments.mean,
            Quantity::Quantile(rank) => {
                let at = rank.get() * self.moments.records;
                let least = self.beyond(|below| below >= at);
                let most = self.beyond(|below| below > at);
                estimate - estimate.clamp(least, most.max(least))
            }
            // It is exact, or has no values.
            Quantity::Count | Quantity::Share(_) | Quantity::OtherShares => return None,
            other => estimate - other.compute_from(&self.moments)?,
        })
    }

    /// Least value for which the number of records up to it is `enough`; the largest, if there is
    /// none.
    fn beyond(&self, enough: impl Fn(f64) -> bool) -> f64 {
        let mut below = 0.0;
        let found = self.values.iter().find(|(_, count)| {
            below += *count as f64;
            enough(below)
        });
        found.or(self.values.last()).map_or(f64::NAN, |(value, _)| *value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use suum_core::Rank;

    #[test]
    fn shapes_are_what_they_are_said_to_be() {
        let of = |shape| ScaledShape::over(shape, 0.0, 1.0).truth;
        let mean = |shape| of(shape).moments.mean;
        let variance = |truth: Truth| truth.moments.variance;
        let near = |one: f64, other: f64| (one - other).abs() < 1e-4;
        // A normal distribution that is cut off at 4: 1 − 2·4·φ(4)/(1 − 2Φ(−4)) of its variance.
        let cut = 1.0 - 8.0 * 1.338_302_3e-4;
        assert!(near(mean(Shape::Normal), 0.5));
        assert!(near(variance(of(Shape::Normal)) * 64.0, cut));
        let quantile = Shape::Normal.values()[ATOMS * 975 / 1000];
        assert!(near((quantile - 0.5) * 8.0, 1.9594), "{quantile}");
        let skewed = mean(Shape::Skewed);
        assert!(near(skewed, (-3.0f64 + 0.75 * 0.75 / 2.0).exp()), "{skewed}");
        assert!(near(mean(Shape::Lumpy), (1.0 - 2f64.powi(-10)) / 10.0));
        assert!(near(mean(Shape::TwoValued), 0.05));
        assert!(near(variance(ScaledShape::standard(Shape::Skewed).truth), 1.0));
        for shape in Shape::ALL {
            let values = shape.values();
            assert_eq!(values.len(), ATOMS, "{shape}");
            assert!(values.is_sorted() && values[0] >= 0.0 && values[ATOMS - 1] <= 1.0, "{shape}");
            assert_eq!(shape.name().parse::<Shape>().unwrap(), shape);
        }
    }

    #[test]
    fn what_is_drawn_has_its_own_truth() {
        let scaled = ScaledShape::over(Shape::TwoValued, 10.0, 5.0);
        let profile: Profile = "0.1:4000,1:4000".parse().unwrap();
        let relaxed = Epsilon::new(1.0).unwrap();
        let mut dice = Dice::new(1, 0);
        let (_, truth) = scaled.draw(&profile, |epsilon| epsilon == relaxed, &mut dice).unwrap();
        assert_eq!(truth.moments.records, 4000.0);
        // Five standard errors.
        let error = truth.error(&Quantity::Mean, 10.25, 0.0).unwrap();
        assert!(error != 0.0 && error.abs() < 5.0 * 5.0 * (0.0475f64 / 4000.0).sqrt(), "{error}");
        let error = |of: &Quantity, estimate| truth.error(of, estimate, 8000.0).unwrap();
        assert_eq!(error(&Quantity::Quantile(Rank::MEDIAN), 12.0), 2.0);
        assert_eq!(error(&Quantity::Quantile("0.99".parse().unwrap()), 14.5), -0.5);
        assert!((error(&Quantity::Sum, 8000.0 * truth.moments.mean)).abs() < 1e-6);
    }

    /// Every number between two neighbours is a median.
    #[test]
    fn a_quantile_can_be_a_range() {
        let truth = Truth::from_values(vec![(1.0, 2), (3.0, 2)]);
        let error = |estimate| truth.error(&Quantity::Quantile(Rank::MEDIAN), estimate, 4.0);
        assert_eq!(
            [0.5, 1.0, 2.5, 3.0, 3.5].map(|one| error(one).unwrap()),
            [-0.5, 0.0, 0.0, 0.0, 0.5]
        );
    }
}
