//! What an interval takes for granted.

use std::fmt;

use serde::{Serialize, Serializer};

use crate::answer::noise_shape::NoiseShape;
use crate::{ProtectedUnit, Target, WeightedPlan};

/// What must be true for an interval to cover what it is for as often as it says.
///
/// An interval allows for the noise, whose law is known. Everything else it takes for granted is
/// one of these; each reads as a sentence.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Assumption {
    /// The weights of records say nothing about their values.
    BudgetsUnrelated,
    /// The same within every stratum.
    UnrelatedInStrata,
    /// Within every stratum the records are an independent sample of those of the population.
    DrawnInStrata(ProtectedUnit),
    /// The records are an independent sample of the population.
    DrawnIndependently(ProtectedUnit),
    /// The error of sampling, or of unequal weights, is taken for normal.
    SamplingIsNormal,
    /// As [`SamplingIsNormal`](Self::SamplingIsNormal), with a size known from noisy numbers only.
    SamplingIsEstimated,
    /// A sum of several noises is taken for normal.
    NoiseIsNormal,
    /// The declared variance, in squared units of the data, is none that the values exceed.
    DeclaredVariance(f64),
    /// The quantiles lie inside the range that was found first.
    InRange,
    /// What lies beyond the range that was found moves the mean by little.
    LittleBeyond,
    /// Values are multiples of the step from the lower bound, or are meant as the nearest one.
    OnStep,
}

impl Assumption {
    /// The same where records are in strata.
    pub(crate) fn in_strata(self) -> Self {
        match self {
            Self::BudgetsUnrelated => Self::UnrelatedInStrata,
            Self::DrawnIndependently(whom) => Self::DrawnInStrata(whom),
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

/// Its sentence, which a derive cannot take from [`fmt::Display`].
impl Serialize for Assumption {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// What is taken for granted for this target where weights differ, and besides noise.
pub(crate) fn of_target(
    target: Target,
    whom: ProtectedUnit,
    equal_weights: bool,
) -> Vec<Assumption> {
    let unrelated = (!equal_weights).then_some(Assumption::BudgetsUnrelated);
    match target {
        Target::Population => unrelated
            .into_iter()
            .chain([Assumption::DrawnIndependently(whom), Assumption::SamplingIsNormal])
            .collect(),
        // With equal weights there is no error but the noise.
        Target::Dataset => unrelated
            .into_iter()
            .flat_map(|unrelated| [unrelated, Assumption::SamplingIsNormal])
            .collect(),
        Target::DatasetCorrelated => Vec::new(),
    }
}

/// Below this distance from equal weights, in total variation, weights are equal but for rounding.
pub(crate) const EQUAL: f64 = 1e-9;

impl WeightedPlan {
    /// What the interval of a release by this plan takes for granted.
    pub fn assumptions(&self, whom: ProtectedUnit) -> Vec<Assumption> {
        let (setting, design) = (self.setting(), &self.chosen().design);
        let equal = design.weights.distance(&setting.profile) < EQUAL;
        let mut assumed = of_target(setting.target, whom, equal);
        if !setting.strata.is_empty() {
            assumed.iter_mut().for_each(|one| *one = one.in_strata());
        }
        if self.measures_spread() {
            for one in assumed.iter_mut().filter(|one| **one == Assumption::SamplingIsNormal) {
                *one = Assumption::SamplingIsEstimated;
            }
        }
        // For correlated budgets flipped bits are bounded without an approximation.
        if matches!(design.noise_shape(setting), NoiseShape::Bits(_))
            && setting.target != Target::DatasetCorrelated
        {
            assumed.push(Assumption::NoiseIsNormal);
        }
        if let (Some(variance), Target::Population | Target::Dataset) =
            (self.request().options().variance, setting.target)
        {
            assumed.push(Assumption::DeclaredVariance(variance));
        }
        assumed
    }
}
