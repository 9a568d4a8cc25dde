//! A record's privacy choice, as it was read.

use suum_core::Epsilon;

use crate::scan::PrivacyColumn;

/// One choice.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Choice {
    /// A tier, by its position among the declared ones.
    Tier(u32),
    /// A numeric budget.
    Budget(Epsilon),
}

impl Choice {
    /// The choice in 64 bits.
    pub(crate) fn to_bits(self) -> u64 {
        match self {
            Self::Tier(slot) => u64::from(slot),
            Self::Budget(epsilon) => epsilon.get().to_bits(),
        }
    }

    /// The choice of the kind of this column that has these bits.
    pub(crate) fn from_bits(bits: u64, privacy: &PrivacyColumn) -> Self {
        match privacy {
            PrivacyColumn::Tiers { .. } => Self::Tier(bits as u32),
            // Only budgets have been written.
            PrivacyColumn::Budgets { .. } => {
                Self::Budget(Epsilon::new(f64::from_bits(bits)).unwrap_or(Epsilon::UNUSED))
            }
        }
    }
}

/// The choices of many records, all of one kind.
#[derive(Debug)]
pub(crate) enum Choices {
    Tiers(Vec<u32>),
    Budgets(Vec<Epsilon>),
}

impl Choices {
    /// None yet, of the kind of this column.
    pub(crate) fn new(privacy: &PrivacyColumn) -> Self {
        match privacy {
            PrivacyColumn::Tiers { .. } => Self::Tiers(Vec::new()),
            PrivacyColumn::Budgets { .. } => Self::Budgets(Vec::new()),
        }
    }

    pub(crate) fn clear(&mut self) {
        match self {
            Self::Tiers(slots) => slots.clear(),
            Self::Budgets(epsilons) => epsilons.clear(),
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = Choice> {
        let (slots, epsilons) = match self {
            Self::Tiers(slots) => (slots.as_slice(), [].as_slice()),
            Self::Budgets(epsilons) => ([].as_slice(), epsilons.as_slice()),
        };
        let tiers = slots.iter().map(|slot| Choice::Tier(*slot));
        tiers.chain(epsilons.iter().map(|epsilon| Choice::Budget(*epsilon)))
    }
}
