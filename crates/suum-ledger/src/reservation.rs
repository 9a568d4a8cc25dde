//! The one way to a release: reserve, draw, settle.

use serde_json::Value;
use suum_core::Result;

use crate::{Ledger, Spent};

/// Budget that is set aside, durably, for a release that has not been drawn.
///
/// Dropped, it counts as spent for ever: that is the safe side, and what a crash does, too. Before
/// noise is drawn it can be [cancelled](Self::cancel); it cannot be settled, because there is
/// nothing yet to settle:
///
/// ```compile_fail,E0599
/// fn settle(reservation: suum_ledger::Reservation<'_>) {
///     let _ = reservation.settle(suum_ledger::Spent::AsReserved, &serde_json::Value::Null);
/// }
/// ```
#[derive(Debug)]
#[must_use = "what is reserved and not cancelled counts as spent"]
pub struct Reservation<'a> {
    ledger: &'a mut Ledger,
    entry: u64,
}

/// Budget of a release that was drawn: it can only be settled now.
///
/// Dropped, it counts in full. It cannot be cancelled, because what was drawn may have been seen:
///
/// ```compile_fail,E0599
/// fn cancel(drawn: suum_ledger::Drawn<'_>) {
///     let _ = drawn.cancel();
/// }
/// ```
#[derive(Debug)]
#[must_use = "what is drawn and not settled counts in full"]
pub struct Drawn<'a> {
    ledger: &'a mut Ledger,
    entry: u64,
}

/// Where a release stands in the ledger, to be kept with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Receipt {
    /// The ledger's id.
    pub ledger: String,
    /// The entry that settled the release.
    pub entry: u64,
    /// The entry that reserved it.
    pub reserved: u64,
    /// When it was settled, as `2026-03-01T12:00:00Z`.
    pub at: String,
}

impl<'a> Reservation<'a> {
    pub(crate) fn new(ledger: &'a mut Ledger, entry: u64) -> Self {
        Self { ledger, entry }
    }

    /// The number of its entry.
    pub fn entry(&self) -> u64 {
        self.entry
    }

    /// Gives everything back, because nothing was drawn.
    ///
    /// # Errors
    ///
    /// If the ledger cannot be written; then it counts as spent.
    pub fn cancel(self) -> Result<()> {
        self.ledger.cancel(self.entry)
    }

    /// Draws the release. From now on the budget is gone, whether `draw` succeeds or not.
    ///
    /// # Example
    ///
    /// ```no_run
    /// # fn release(reservation: suum_ledger::Reservation<'_>) -> suum_core::Result<()> {
    /// let (noisy, drawn) = reservation.draw(|| 42);
    /// let receipt = drawn
    ///     .settle(suum_ledger::Spent::AsReserved, &serde_json::json!({"estimate": noisy}))?;
    /// # Ok(()) }
    /// ```
    pub fn draw<T>(self, draw: impl FnOnce() -> T) -> (T, Drawn<'a>) {
        let drawn = Drawn { ledger: self.ledger, entry: self.entry };
        (draw(), drawn)
    }
}

impl Drawn<'_> {
    /// The number of the entry that reserved the budget.
    pub fn entry(&self) -> u64 {
        self.entry
    }

    /// Records what the release cost in the end, with its certificate.
    ///
    /// # Errors
    ///
    /// If the ledger cannot be written, and refuses more than was reserved, which is a mistake of
    /// the caller's. Either way what was reserved counts in full.
    pub fn settle(self, spent: Spent, certificate: &Value) -> Result<Receipt> {
        self.ledger.settle(self.entry, &spent, certificate)
    }
}
