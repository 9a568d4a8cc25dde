//! What persons have left, where releases before this one have spent some of it.

use std::fmt;

use suum_core::Epsilon;

/// A person who is asked for a budget.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AccountKey {
    /// What [stands](Accounts::person) for them.
    pub person: u128,
    /// The position of the tier that they chose among those declared, if there are tiers.
    pub tier: Option<u32>,
    /// What they allow.
    pub budget: Epsilon,
}

/// The accounts of persons, asked once for each person of the data.
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
    /// What stands for the person with this identifier: the same in every release, and another for
    /// every other person, but with negligible probability.
    fn person(&self, identifier: &[u8]) -> u128;

    /// Adds what stands for each of these identifiers, in their order.
    fn persons(&self, identifiers: &mut dyn Iterator<Item = &[u8]>, persons: &mut Vec<u128>) {
        persons.extend(identifiers.map(|identifier| self.person(identifier)));
    }

    /// Adds for each person the budget at which they count, at most what they allow; `tiers` are
    /// the labels of those declared.
    ///
    /// Called with some persons at a time, from any thread. They ascend, and nobody is between the
    /// first and the last of them who is asked another time.
    fn left(&self, asked: &[AccountKey], tiers: &[&str], left: &mut Vec<Epsilon>);
}
