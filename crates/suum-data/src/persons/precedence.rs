//! Which choice counts where the rows of a person have several.

use suum_core::Epsilon;

use crate::scan::{PrivacyColumn, Scan};

/// The order in which choices win: by budget, tiers of equal budgets as declared.
pub(super) enum Precedence {
    /// The budget of each tier.
    Tiers(Vec<Epsilon>),
    Budgets,
}

impl Precedence {
    pub(super) fn new(scan: &Scan) -> Self {
        match &scan.privacy {
            PrivacyColumn::Tiers { .. } => {
                Self::Tiers(scan.tiers().map(|(_, epsilon)| epsilon).collect())
            }
            PrivacyColumn::Budgets { .. } => Self::Budgets,
        }
    }

    /// The one of two choices, by their bits, that counts.
    #[inline]
    pub(super) fn first(&self, one: u64, other: u64) -> u64 {
        if one == other {
            return one;
        }
        let comes_first = match self {
            Self::Tiers(budgets) => {
                let budget = |tier: u64| budgets.get(tier as usize).copied();
                (budget(one), one) <= (budget(other), other)
            }
            // Budgets are not negative, so that their bits are in order.
            Self::Budgets => one <= other,
        };
        if comes_first { one } else { other }
    }
}
