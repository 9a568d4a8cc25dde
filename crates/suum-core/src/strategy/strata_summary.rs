//! Summary of the strata in a plan.

use serde::Serialize;

#[cfg(feature = "schema")]
use crate::number::Number;
use crate::number::written;
use crate::{Setting, Shares, Strata, Target, Weights};

/// Strata of a plan, and their effect on the expected error.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StrataSummary {
    /// Column that has the stratum of a record.
    pub column: String,
    /// Strata, in the order declared.
    pub strata: Vec<Stratum>,
    /// Expected error of the same estimator without strata, in units of the statistic (for
    /// quantiles of the rank): the error that one would have if budgets were unrelated to values.
    #[serde(serialize_with = "written")]
    #[cfg_attr(feature = "schema", schemars(with = "Number"))]
    pub rmse_without: f64,
}

/// Stratum of a plan.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Stratum {
    /// Name of the stratum.
    pub name: String,
    /// Number of records.
    pub records: u64,
    /// Share D of the stratum in the estimate.
    pub share: f64,
    /// Clip level τ, the most that one of its records spends; ∞ if only public records count.
    #[serde(serialize_with = "written")]
    #[cfg_attr(feature = "schema", schemars(with = "Number"))]
    pub tau: f64,
}

impl StrataSummary {
    /// Returns the summary of strata with these weights.
    pub(crate) fn new(
        strata: &Strata,
        setting: &Setting,
        weights: &Weights,
        rmse_without: f64,
    ) -> Self {
        let (profile, noise) = (&setting.profile, weights.noise(&setting.profile));
        let mut largest = vec![0.0f64; strata.names().len()];
        for (position, weight) in weights.per_level().iter().enumerate() {
            if let Some(largest) = largest.get_mut(profile.stratum(position)) {
                *largest = largest.max(*weight);
            }
        }
        let shares = if setting.strata.is_empty() { &[1.0][..] } else { &setting.strata };
        let rows =
            strata.names().iter().zip(profile.records_of_strata()).zip(shares.iter().zip(largest));
        let strata_of = rows.map(|((name, records), (share, largest))| Stratum {
            name: name.clone(),
            records,
            share: *share,
            tau: largest / noise,
        });
        Self { column: strata.column().to_owned(), strata: strata_of.collect(), rmse_without }
    }
}

impl Strata {
    /// Returns true if a lower bound proved without strata also holds with these strata.
    ///
    /// A bound for the population does, because distributions that are the same in all strata are
    /// among those that an estimate has to be right for. A bound for the mean of these records does
    /// if that mean is what is estimated.
    pub(crate) fn is_bounded(&self, setting: &Setting) -> bool {
        setting.target == Target::Population || *self.shares() == Shares::Records
    }
}
