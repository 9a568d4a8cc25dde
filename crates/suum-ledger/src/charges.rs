//! Charges of a release: the reserved amounts, and the final cost.

use std::fmt;

use crate::{Amount, Cost, Holder, Persons};

/// Largest possible cost of a release, to be reserved.
///
/// # Example
///
/// ```
/// use suum_core::Loss;
/// use suum_ledger::{Amount, Charges};
///
/// let charges = Charges::Tiers(vec![("strict".into(), Amount::from_loss(&Loss::ratio(1, 100)))]);
/// ```
#[derive(Debug, Clone)]
pub enum Charges {
    /// Loss of one person of each tier. Tiers that lose nothing may be left out.
    Tiers(Vec<(String, Amount)>),
    /// Losses of persons, in parts: everybody in a part loses the same. Nobody may be in two parts.
    Persons(Vec<Part>),
}

/// People with the same loss by a release, and the same allowance.
#[derive(Clone)]
pub struct Part {
    /// Holder that says what they allow.
    pub holder: Holder,
    /// Loss of each of them.
    pub charge: Amount,
    /// Persons of the part.
    pub persons: Persons,
}

/// Redacted: shows no hash.
impl fmt::Debug for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Part")
            .field("holder", &self.holder)
            .field("charge", &self.charge)
            .field("persons", &self.persons.len())
            .finish()
    }
}

/// Final cost of a release, at most the reserved amount.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FinalCost {
    /// Exactly the reserved amount.
    AsReserved,
    /// Cost by tier. Every tier for which something was reserved must be there.
    Tiers(Vec<(String, Cost)>),
    /// Cost of every part, in the order in which they were reserved.
    Parts(Vec<Cost>),
}
