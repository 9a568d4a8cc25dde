//! In which units figures are: shares in percentage points, all others as they are.

use suum_core::{Asked, Plan};

/// The unit of ranks, behind a figure.
pub(crate) const OF_RANK: &str = " percentage points of rank";

/// By what the error of this statistic is multiplied, and its unit behind that. Quantiles have that
/// of ranks.
pub(crate) fn of_error(statistic: &str) -> (f64, &'static str) {
    match statistic {
        "quantile" => (100.0, OF_RANK),
        _ => (1.0, ""),
    }
}

/// How errors are shown: as they are, or shares in percentage points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scale {
    Plain,
    Points,
}

impl Scale {
    /// How the errors of a plan are shown.
    pub(crate) fn of(plan: &Plan) -> Self {
        let are_shares = match plan {
            Plan::Quantiles(_) => true,
            Plan::Weighted(plan) => plan.setting().categories.is_some(),
            Plan::AddRemove(plan) => {
                !plan.request().ranks().is_empty() || plan.request().categories().is_some()
            }
            Plan::Unbounded(plan) => matches!(plan.request().asked, Asked::Quantiles { .. }),
            Plan::Variance(_) | Plan::Summary(_) | Plan::AddRemoveParts(_) => false,
        };
        if are_shares { Self::Points } else { Self::Plain }
    }

    pub(crate) fn factor(self) -> f64 {
        if self == Self::Points { 100.0 } else { 1.0 }
    }

    pub(crate) fn unit(self) -> &'static str {
        if self == Self::Points { " points" } else { "" }
    }
}
