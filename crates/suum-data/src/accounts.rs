//! What persons have left, where releases before this one have spent some of it.

use std::fmt;

use suum_core::Epsilon;

/// The accounts of persons, asked once for each person of the data.
///
/// With accounts a person counts at what is left of their own budget, so all cohorts of the table
/// are numeric budgets, also where people chose among tiers.
///
/// # Example
///
/// ```
/// use std::sync::Arc;
/// use suum_data::{Accounts, PrivacyColumn, Progress, Scan, scan_csv};
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
///     fn left(&self, _: u128, _: Option<&str>, asked: Epsilon) -> Epsilon {
///         Epsilon::new(asked.get() / 2.0).unwrap_or(Epsilon::UNUSED)
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

    /// The budget at which a person counts, who chose this tier, if there are tiers, and allows
    /// `asked`; at most that.
    ///
    /// Called once for each person, in any order, from any thread.
    fn left(&self, person: u128, tier: Option<&str>, asked: Epsilon) -> Epsilon;
}
