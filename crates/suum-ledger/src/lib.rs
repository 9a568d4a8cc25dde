//! Durable ledger of privacy budgets: it records who has spent what.
//!
//! Each release uses part of what every participant allows in all. This crate keeps the accounts,
//! so that repeated releases never cost anybody more, whatever crashes in between and however many
//! processes release at once.
//!
//! ```text
//! Ledger ── reserve(Charges) ──► Reservation ── draw ──► DrawnReservation ── settle ──► Receipt
//!              │ durable               │                      │ dropped, or a crash:
//!              │                       └─ cancel              └─ counts in full, for ever
//!              └─ refused: a tier or a person has less left
//! ```
//!
//! A [`Dataset`] has accounts of tiers or of persons. [`Amount`]s are integers of micro-ε:
//! allowances are rounded down, charges up; every [`Cost`] is one of ε and of ρ. The truth is a log
//! of entries in one SQLite file; every balance is the sum of its entries, computed anew at every
//! use, and every entry is chained to the one before it by a keyed hash. The schema is in
//! `FORMAT.md` beside the manifest of this crate; the rules, and the argument why no crash loses a
//! charge, are in `docs/mechanisms/ledger.md`.
//!
//! Persons are in the file as keyed hashes only, and are never shown: not in messages, not by
//! `Debug`.
//!
//! # Modules
//!
//! * `amount`, `dataset`, `charges`, `columns`, `person`, `persons`: the vocabulary. `hashes` makes
//!   persons of many identifiers at once. `ledger`: the calls; `opening` makes and opens one, `log`
//!   reads it at one moment and adds entries. `elsewhere` charges losses elsewhere. `moves` watches
//!   who moves between tiers. `reservation`: the typestate reserve → draw → settle; its method
//!   `draw` makes the randomness and lends it. `turn`: turns of processes that ask for the same.
//! * `schema`, `entry`, `body`, `amount_json`, `members`: the content of the file. `state` folds
//!   the entries into `account`s and checks their chain; `fit` decides whether a charge fits;
//!   `balance`, `record`, `export` show the result; `verify` checks everything.
//! * `foundation`: the files of a new ledger. `settlement`: the final costs of a reservation.
//!   `key`, `head`, `files`: the two files beside the database. `file_identity`: the place of the
//!   ledger, to notice copies. `connection` sets SQLite up, `fault` words its failures.
//! * `tests/disk/` is a crate of its own, for tests only: a disk that can fail or lose power at any
//!   write.

mod account;
mod allowance;
mod amend;
mod amount;
mod amount_json;
mod balance;
mod body;
mod charges;
mod clock;
mod columns;
mod connection;
mod cost;
mod dataset;
mod decision;
mod decisions_by_number;
mod elsewhere;
mod entropy;
mod entry;
mod export;
mod failure;
mod fault;
mod file_identity;
mod files;
mod finding;
mod fit;
mod foundation;
mod hashes;
mod head;
mod holder;
mod key;
mod ledger;
mod log;
mod members;
mod migrate;
mod moves;
mod number_set;
mod opening;
mod person;
mod persons;
mod record;
mod register;
mod reservation;
mod roll;
mod runs;
mod schema;
mod settlement;
mod state;
mod tally;
mod times;
mod turn;
mod varint;
mod verify;

pub use allowance::Allowance;
pub use amount::{Amount, MicroEpsilon};
pub use balance::{Balance, DeltaBalance, PersonsBalance, PersonsGroup, TierBalance};
pub use charges::{Charges, FinalCost, Part};
pub use columns::Columns;
pub use cost::{Cost, largest_within};
pub use dataset::{Accounts, Dataset, Lifetime};
pub use decision::{
    AmendedTier, Amendment, AmendmentOutcome, AmendmentRecord, Decision, DecisionCounts, Direction,
    RecordedDecision,
};
pub use export::Members;
pub use finding::{Finding, Severity, Verification};
pub use holder::Holder;
pub use ledger::Ledger;
pub use person::{PersonHash, PersonKey, PersonsSpent};
pub use persons::{PersonNumber, Persons};
pub use record::{Record, RecordCharge, RecordState, ReservationRecord, TierPeople};
pub use register::{NotUsed, RegisterHasher, RegisterUse};
pub use reservation::{DrawnReservation, Receipt, Reservation};
pub use turn::Turn;
