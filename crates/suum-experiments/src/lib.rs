//! The tables and figures of the papers on personalised differential privacy, measured anew, and
//! [published algorithms](published) that are for study only.
//!
//! An [`Experiment`] is a file of parameters in the folder `experiments/` and a small file of code.
//! It simulates what a paper measured, with the paper's estimators and with what suum chooses by
//! itself, and says what agrees and what does not. Its [`Outcome`] is data; [`write`](fn@write)
//! makes CSV, SVG and a page of HTML of it. The program `suum-experiments` does all this on the
//! command line.
//!
//! # Example
//!
//! ```
//! use suum_experiments::{Effort, Experiment, Progress, Trials};
//!
//! let effort = Effort { trials: Trials::Exactly(50), ..Effort::default() };
//! let outcome = Experiment::named("cc23-fig1b")?.run(&effort, &Progress::default())?;
//! assert!(outcome.findings[0].text.contains("constant from there on"));
//! # Ok::<(), suum::Error>(())
//! ```

mod contest;
mod effort;
mod experiment;
mod files;
mod measured;
mod outcome;
mod output;
mod people;
pub mod published;
mod sheet;
mod study;
mod sweep;

pub use contest::{Beaten, Contest};
pub use effort::{Effort, Progress, Trials};
pub use experiment::Experiment;
pub use files::Files;
pub use measured::Measured;
pub use outcome::{
    Axis, Chart, Cut, Dots, Entry, Finding, Heatmap, Mark, Outcome, Panel, Role, Series, Surface,
    Table, Verdict,
};
pub use output::{csv, page, svg, write};
