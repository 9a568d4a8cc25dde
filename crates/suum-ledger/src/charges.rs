//! What a release asks for, and what it cost in the end.

use std::fmt;

use crate::{Amount, Cost, Holder, Persons};

/// What a release may cost at most: what is to be reserved.
///
/// # Example
///
/// ```
/// use suum_core::Loss;
/// use suum_ledger::{Amount, Charges};
///
/// let charges = Charges::Tiers(vec![("strict".into(), Amount::of_loss(&Loss::ratio(1, 100)))]);
/// ```
#[derive(Debug, Clone)]
pub enum Charges {
    /// For every tier the loss of one of its people. Tiers that lose nothing may be left out.
    Tiers(Vec<(String, Amount)>),
    /// The people in parts: everybody in a part loses the same. Nobody may be in two parts.
    Persons(Vec<Part>),
}

/// People who lose the same by a release, and allow the same.
#[derive(Clone)]
pub struct Part {
    /// What they allow.
    pub holder: Holder,
    /// What each of them loses.
    pub charge: Amount,
    /// Who they are.
    pub persons: Persons,
}

/// No hash is shown.
impl fmt::Debug for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Part")
            .field("holder", &self.holder)
            .field("charge", &self.charge)
            .field("persons", &self.persons.len())
            .finish()
    }
}

/// What a release cost in the end: never more than was reserved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FinalCost {
    /// What was reserved.
    AsReserved,
    /// By tier. Every tier for which something was reserved must be there.
    Tiers(Vec<(String, Cost)>),
    /// For every part, in the order in which they were reserved.
    Parts(Vec<Cost>),
}
