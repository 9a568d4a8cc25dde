//! Remaining budgets of persons, where earlier releases have spent some of them.

use std::fmt;

use suum_core::Epsilon;

/// Query for the remaining budget of a person.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AccountKey {
    /// Number that [stands](Accounts::person) for the person.
    pub person: u128,
    /// Position of the tier that they chose among the declared ones, if there are tiers.
    pub tier: Option<u32>,
    /// Budget that they allow.
    pub budget: Epsilon,
}

/// Accounts of persons, asked once for each person in the data.
///
/// With accounts a person counts at what is left of their own budget, so all levels of the table
/// are numeric budgets, also where people chose among tiers.
///
/// # Example
///
/// ```
/// use std::sync::Arc;
/// use suum_data::{Accounts, AccountKey, PrivacyColumn, Progress, Scan, scan_csv};
/// use suum_core::Epsilon;
///
/// /// Everybody has half of their budget left.
/// #[derive(Debug)]
/// struct Half;
///
/// impl Accounts for Half {
///     fn person(&self, identifier: &[u8]) -> u128 {
///         identifier.iter().fold(0, |hash, byte| hash * 256 + u128::from(*byte))
///     }
///
///     fn left(&self, asked: &[AccountKey], _: &[&str], left: &mut Vec<Epsilon>) {
///         let half = |one: &AccountKey| Epsilon::new(one.budget.get() / 2.0);
///         left.extend(asked.iter().map(|one| half(one).unwrap_or(Epsilon::UNUSED)));
///     }
/// }
///
/// let scan = Scan {
///     person: Some("name".into()),
///     accounts: Some(Arc::new(Half)),
///     ..Scan::new(PrivacyColumn::Budgets { column: "epsilon".into() }, None)
/// };
/// let csv = "name,epsilon\nann,0.5\nbob,1\nann,0.5\n";
/// let table = scan_csv(csv.as_bytes(), &scan, &Progress::default())?;
/// assert_eq!(table.profile()?.to_string(), "0.25:1,0.5:1");
/// # Ok::<(), suum_core::Error>(())
/// ```
pub trait Accounts: fmt::Debug + Send + Sync {
    /// Number that stands for the person with this identifier: the same in every release, and
    /// different from that of every other person except with negligible probability.
    fn person(&self, identifier: &[u8]) -> u128;

    /// Appends the number of each of these identifiers, in their order.
    fn persons(&self, identifiers: &mut dyn Iterator<Item = &[u8]>, persons: &mut Vec<u128>) {
        persons.extend(identifiers.map(|identifier| self.person(identifier)));
    }

    /// Appends for each person the budget at which they count, at most what they allow; `tiers` are
    /// the labels of the declared ones.
    ///
    /// Called with blocks of persons, from any thread. Within a block persons ascend, and blocks do
    /// not overlap.
    fn left(&self, asked: &[AccountKey], tiers: &[&str], left: &mut Vec<Epsilon>);

    /// Returns true if persons count at what they chose, and are only told to the accounts.
    fn keeps_choices(&self) -> bool {
        false
    }
}
