//! The auditor: it tries to disprove that nobody loses more than they allow.
//!
//! ```text
//! Subject ──► releases of two neighbours ──► search for an event ──► count it in new runs
//!         ──► lower bound on the loss
//! ```
//!
//! A [`Subject`] is a mechanism with promises, one for every privacy level, and pairs of datasets
//! that differ in one record. [`audit`] releases both many times and reports, per level, how much a
//! record surely loses: if that is more than it was promised, the promise is broken. Where it is
//! not, nothing is proved; but an auditor that rejects every specimen of [`specimens`], which are
//! mistakes that were published, is not easily satisfied.
//!
//! [`registered`] lists what suum itself releases with. Specimens are never reachable from a
//! release.
//!
//! # What is where
//!
//! `docs/how-to/audit.md` has the statistics and what they show.
//!
//! * `subject`: a mechanism under audit, a trait. `audit`: search, then count. `event`, `search`,
//!   `interval`: what is looked for, how, and what counts prove.
//! * `registered/`: everything that suum releases with, through its own release; `people` has the
//!   datasets, `exact` the losses that can be computed.
//! * `specimen/`: mistakes to be caught, one file each. `report`, `text`, `plot`: what was found.
//!   `tests/cases/` are cases as data.

mod audit;
mod event;
mod exact;
mod interval;
mod people;
mod plot;
mod registered;
mod report;
mod search;
mod selection;
mod specimen;
mod subject;
mod text;

pub use audit::{Progress, Settings, audit};
pub use registered::{RegisteredMechanism, registered};
pub use report::{Evidence, LevelReport, Report, SubjectReport, Verdict};
pub use selection::{SPECIMEN, Selection, chosen};
pub use specimen::{Specimen, Version, specimens};
pub use subject::{Neighbours, Output, Promise, Side, Subject};
pub use text::{broken_words, figure_text, loss_text};
