//! Assumptions of intervals.

use std::fmt;

use serde::{Serialize, Serializer};

use crate::answer::noise_shape::NoiseShape;
use crate::{Direction, ProtectedUnit, Target, TierDifference, WeightedPlan};

/// Assumption that must be true for an interval to have its stated coverage.
///
/// An interval allows for the noise, whose law is known. Everything else that it relies on is one
/// of these assumptions; each is displayed as a sentence.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Assumption {
    /// Weights of records are unrelated to their values.
    BudgetsUnrelated,
    /// Weights of records are unrelated to their values within every stratum.
    UnrelatedInStrata,
    /// Tiers differ by no more than was declared.
    TiersDiffer {
        /// Quantity in which they differ.
        by: TierQuantity,
        /// Largest difference.
        difference: TierDifference,
        /// True if it is about the tiers within every stratum.
        in_strata: bool,
    },
    /// Within every stratum the records are an independent sample of those of the population.
    DrawnInStrata(ProtectedUnit),
    /// The records are an independent sample of the population.
    DrawnIndependently(ProtectedUnit),
    /// Sampling error, or that of unequal weights, is treated as normal.
    SamplingIsNormal,
    /// Sampling error is treated as normal, with a size known from noisy numbers only; see
    /// [`SamplingIsNormal`](Self::SamplingIsNormal).
    SamplingIsEstimated,
    /// Sums of several noises are treated as normal.
    NoiseIsNormal,
    /// Values do not exceed the declared variance, in squared units of the data.
    DeclaredVariance(f64),
    /// Quantiles lie inside the range that was found first.
    InRange,
    /// Values beyond the range that was found change the mean little.
    LittleBeyond,
    /// Values are multiples of the step from the lower bound, or stand for the nearest one.
    OnStep,
}

/// Quantity by which tiers may differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TierQuantity {
    /// Means of their values.
    Means,
    /// Distributions of their values: the mean distance by which the values of one would have to
    /// move to be those of another (Wasserstein-1), which is no less than that of their means.
    Distributions,
    /// Shares of their records in a category.
    Shares,
    /// Shares of their records below a quantile.
    SharesBelow,
}

impl TierQuantity {
    /// Returns the subject and the predicate of a sentence.
    fn words(self) -> [&'static str; 2] {
        match self {
            Self::Means => ["means of tiers", "differ by at most"],
            Self::Distributions => ["distributions of tiers", "are apart by at most"],
            Self::Shares => ["shares of tiers in a category", "differ by at most"],
            Self::SharesBelow => ["shares of tiers below a quantile", "differ by at most"],
        }
    }

    fn is_of_shares(self) -> bool {
        matches!(self, Self::Shares | Self::SharesBelow)
    }
}

impl Assumption {
    /// Returns the assumption for records in strata.
    pub(crate) fn in_strata(self) -> Self {
        match self {
            Self::BudgetsUnrelated => Self::UnrelatedInStrata,
            Self::DrawnIndependently(whom) => Self::DrawnInStrata(whom),
            Self::TiersDiffer { by, difference, .. } => {
                Self::TiersDiffer { by, difference, in_strata: true }
            }
            other => other,
        }
    }
}

impl fmt::Display for Assumption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BudgetsUnrelated => f.write_str("Budgets have nothing to do with values."),
            Self::UnrelatedInStrata => {
                f.write_str("Budgets have nothing to do with values within a stratum.")
            }
            Self::TiersDiffer { by, difference, in_strata } => {
                let [subject, predicate] = by.words();
                let within = if *in_strata { " within a stratum" } else { "" };
                let size = difference.size_in_words(by.is_of_shares());
                let order = match (difference.direction(), by) {
                    (Direction::StricterLarger, TierQuantity::Means | TierQuantity::Shares) => {
                        "; stricter tiers have the larger ones"
                    }
                    (Direction::StricterSmaller, TierQuantity::Means | TierQuantity::Shares) => {
                        "; stricter tiers have the smaller ones"
                    }
                    _ => "",
                };
                write!(f, "The {subject}{within} {predicate} {size}{order}.")
            }
            Self::DrawnInStrata(whom) => write!(
                f,
                "The {} of every stratum were drawn independently from it in the population.",
                whom.many()
            ),
            Self::DrawnIndependently(whom) => {
                write!(f, "The {} were drawn independently from the population.", whom.many())
            }
            Self::SamplingIsNormal => {
                f.write_str("The sampling error is close to a normal distribution.")
            }
            Self::SamplingIsEstimated => f.write_str(
                "The sampling error is close to a normal distribution, and no larger than noisy \
                 sums tell.",
            ),
            Self::NoiseIsNormal => {
                f.write_str("Several noises together are close to a normal distribution.")
            }
            Self::DeclaredVariance(variance) => {
                write!(f, "The variance of the values is at most {variance}, as declared.")
            }
            Self::InRange => f.write_str("The quantiles lie inside the range that was found."),
            Self::LittleBeyond => f.write_str(
                "Values beyond the range that was found move the mean by little, as with tails no \
                 heavier than that of a Pareto distribution with exponent 2.5.",
            ),
            Self::OnStep => f.write_str(
                "Values lie on the declared steps; others are taken for the nearest one.",
            ),
        }
    }
}

/// Serializes the sentence, which a derive cannot take from [`fmt::Display`].
impl Serialize for Assumption {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Returns the assumptions for this target, besides those on noise. With unequal weights they
/// include `declared`, if a difference of tiers was declared.
pub(crate) fn assumptions_for(
    target: Target,
    whom: ProtectedUnit,
    equal_weights: bool,
    declared: Option<Assumption>,
) -> Vec<Assumption> {
    let assumed = declared.unwrap_or(Assumption::BudgetsUnrelated);
    let unrelated = (!equal_weights).then_some(assumed);
    match target {
        // A declared difference is that of these very records, so there is no error besides bias
        // and noise.
        Target::Dataset if declared.is_some() => unrelated.into_iter().collect(),
        Target::Population => unrelated
            .into_iter()
            .chain([Assumption::DrawnIndependently(whom), Assumption::SamplingIsNormal])
            .collect(),
        // With equal weights there is no error besides the noise.
        Target::Dataset => unrelated
            .into_iter()
            .flat_map(|unrelated| [unrelated, Assumption::SamplingIsNormal])
            .collect(),
        Target::DatasetCorrelated => Vec::new(),
    }
}

/// Distance from equal weights, in total variation, below which weights are equal except for
/// rounding.
pub(crate) const EQUAL: f64 = 1e-9;

impl WeightedPlan {
    /// Returns the assumptions of the interval of a release by this plan.
    pub fn assumptions(&self, whom: ProtectedUnit) -> Vec<Assumption> {
        let (setting, design) = (self.setting(), &self.chosen().design);
        let equal = design.weights.distance(&setting.profile) < EQUAL;
        let by = match (self.request().categories(), self.is_cut_off()) {
            (Some(_), _) => TierQuantity::Shares,
            (None, true) => TierQuantity::Distributions,
            (None, false) => TierQuantity::Means,
        };
        let declared = self.request().options().tiers_differ;
        let declared =
            declared.map(|difference| Assumption::TiersDiffer { by, difference, in_strata: false });
        let mut assumed = assumptions_for(setting.target, whom, equal, declared);
        if !setting.strata.is_empty() {
            assumed.iter_mut().for_each(|one| *one = one.in_strata());
        }
        if self.measures_spread() || self.apart().is_some() {
            for one in assumed.iter_mut().filter(|one| **one == Assumption::SamplingIsNormal) {
                *one = Assumption::SamplingIsEstimated;
            }
        }
        // For correlated budgets, flipped bits are bounded without an approximation.
        if matches!(design.noise_shape(setting), NoiseShape::Bits(_))
            && setting.target != Target::DatasetCorrelated
        {
            assumed.push(Assumption::NoiseIsNormal);
        }
        let is_used = match setting.target {
            Target::Population => true,
            Target::Dataset => declared.is_none(),
            Target::DatasetCorrelated => false,
        };
        if let (Some(variance), true) = (self.request().options().variance, is_used) {
            assumed.push(Assumption::DeclaredVariance(variance));
        }
        assumed
    }
}
