//! Steps of a release through the ledger: reserve, draw, settle.

use serde_json::Value;
use suum_core::{Error, Randomness, Result};

use crate::{FinalCost, Ledger, entropy};

/// Budget that is reserved, durably, for a release that has not been drawn.
///
/// Its randomness does not exist yet: [`draw`](Self::draw) makes it and lends it. So a function
/// that takes its randomness from there cannot draw noise for which nothing is reserved.
///
/// Dropped, it counts as spent for ever: that is the safe side, and what a crash does, too. Before
/// noise is drawn it can be [cancelled](Self::cancel); it cannot be settled, because there is
/// nothing yet to settle:
///
/// ```compile_fail,E0599
/// fn settle(reservation: suum_ledger::Reservation<'_>) {
///     let _ = reservation.settle(suum_ledger::FinalCost::AsReserved, &serde_json::Value::Null);
/// }
/// ```
#[derive(Debug)]
#[must_use = "what is reserved and not cancelled counts as spent"]
pub struct Reservation<'a> {
    ledger: &'a mut Ledger,
    entry: u64,
}

/// Budget of a release that was drawn, and can only be settled.
///
/// Dropped, it counts in full. It cannot be cancelled, because what was drawn may have been seen:
///
/// ```compile_fail,E0599
/// fn cancel(drawn: suum_ledger::DrawnReservation<'_>) {
///     let _ = drawn.cancel();
/// }
/// ```
#[derive(Debug)]
#[must_use = "what is drawn and not settled counts in full"]
pub struct DrawnReservation<'a> {
    ledger: &'a mut Ledger,
    entry: u64,
}

/// Receipt of a settled release, to be kept with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Receipt {
    /// The ledger's id.
    pub ledger: String,
    /// The entry that settled the release.
    pub entry: u64,
    /// The entry that reserved it.
    pub reserved: u64,
    /// Time of settlement, such as `2026-03-01T12:00:00Z`.
    pub at: String,
}

impl<'a> Reservation<'a> {
    pub(crate) fn new(ledger: &'a mut Ledger, entry: u64) -> Self {
        Self { ledger, entry }
    }

    /// Returns the number of its entry.
    pub fn entry(&self) -> u64 {
        self.entry
    }

    /// Cancels the reservation and gives all budget back, because nothing was drawn.
    ///
    /// # Errors
    ///
    /// Fails if the ledger cannot be written; then the reservation counts as spent.
    pub fn cancel(self) -> Result<()> {
        self.ledger.cancel(self.entry)
    }

    /// Makes the release with fresh secret randomness, which is lent to `draw`.
    ///
    /// A reservation is drawn once:
    ///
    /// ```compile_fail,E0382
    /// fn twice(reservation: suum_ledger::Reservation<'_>) {
    ///     let first = reservation.draw(|randomness| Ok(randomness.spawn()));
    ///     let second = reservation.draw(|randomness| Ok(randomness.spawn()));
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the refusal of `draw`. If it has drawn nothing by then, the reservation is
    /// cancelled; if it has, the reserved amount counts as spent, and the refusal says so. Fails if
    /// the operating system has no entropy to give: then nothing was drawn.
    ///
    /// # Example
    ///
    /// ```no_run
    /// # fn noisy(randomness: &mut suum_core::Randomness) -> suum_core::Result<i64> { Ok(42) }
    /// # fn release(reservation: suum_ledger::Reservation<'_>) -> suum_core::Result<()> {
    /// let (noisy, drawn) = reservation.draw(|randomness| noisy(randomness))?;
    /// let certificate = serde_json::json!({"estimate": noisy});
    /// let receipt = drawn.settle(suum_ledger::FinalCost::AsReserved, &certificate)?;
    /// # Ok(()) }
    /// ```
    pub fn draw<T>(
        self,
        draw: impl FnOnce(&mut Randomness) -> Result<T>,
    ) -> Result<(T, DrawnReservation<'a>)> {
        let mut randomness = match entropy::secret("the release") {
            Ok(secret) => Randomness::from_entropy(secret),
            Err(refused) => {
                self.cancel()?;
                return Err(refused);
            }
        };
        match draw(&mut randomness) {
            Ok(made) => Ok((made, DrawnReservation { ledger: self.ledger, entry: self.entry })),
            // Nothing was drawn, so the refusal follows from what is public.
            Err(refused) if randomness.is_fresh() => {
                self.cancel()?;
                Err(refused)
            }
            Err(refused) => Err(note_full_charge(&refused, self.entry)),
        }
    }
}

impl DrawnReservation<'_> {
    /// Returns the number of the entry that reserved the budget.
    pub fn entry(&self) -> u64 {
        self.entry
    }

    /// Records the final cost of the release, with its certificate.
    ///
    /// # Errors
    ///
    /// Fails if the ledger cannot be written, and refuses more than was reserved, which is a
    /// mistake of the caller. Either way the reserved amount counts in full.
    pub fn settle(self, spent: FinalCost, certificate: &Value) -> Result<Receipt> {
        self.ledger.settle(self.entry, &spent, certificate)
    }

    /// Gives the release up, and returns the refusal with a note that the reserved amount counts in
    /// full.
    pub fn give_up(self, refused: &Error) -> Error {
        note_full_charge(refused, self.entry)
    }
}

/// Returns a refusal after a draw, with a note that the reserved amount counts in full.
fn note_full_charge(refused: &Error, entry: u64) -> Error {
    refused
        .clone()
        .adding(format!("the ledger counts all that was reserved as spent (entry {entry})"))
}
