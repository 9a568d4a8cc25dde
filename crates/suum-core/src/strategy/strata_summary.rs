//! What estimates that keep the shares of strata make of them.

use serde::Serialize;

#[cfg(feature = "schema")]
use crate::number::Number;
use crate::number::written;
use crate::{Setting, Shares, Strata, Target, Weights};

/// What a plan makes of strata.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StrataSummary {
    /// The column that says in which stratum a record is.
    pub column: String,
    /// The strata, in the order declared.
    pub strata: Vec<Stratum>,
    /// The expected error without strata, of the same estimator in units of the statistic (of
    /// quantiles that of the rank): what one would have if budgets had nothing to do with values.
    #[serde(serialize_with = "written")]
    #[cfg_attr(feature = "schema", schemars(with = "Number"))]
    pub rmse_without: f64,
}

/// A stratum of a plan.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Stratum {
    /// Its name.
    pub name: String,
    /// How many records it has.
    pub records: u64,
    /// D: its share of the estimate.
    pub share: f64,
    /// τ: the most that one of its records spends; ∞ where those without noise are enough.
    #[serde(serialize_with = "written")]
    #[cfg_attr(feature = "schema", schemars(with = "Number"))]
    pub tau: f64,
}

impl StrataSummary {
    /// What these weights make of the strata.
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
    /// Whether what is proved of estimates without strata bounds these, too.
    ///
    /// A bound for the population does: distributions that are the same in all strata are among
    /// those that an estimate has to be right for. One for the mean of these records does if that
    /// is what is estimated.
    pub(crate) fn is_bounded(&self, setting: &Setting) -> bool {
        setting.target == Target::Population || *self.shares() == Shares::Records
    }
}
