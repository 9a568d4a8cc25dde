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
//!
//! # What is where
//!
//! A program of its own; nothing of the product depends on it. `experiment/` has one file for each
//! table or figure, and what some share; its parameters, published numbers and known exceptions are
//! a `sheet` in the folder `experiments/`. A `study` runs simulations piece by piece, `sweep`
//! several estimators over a row of settings; `contest` judges whether `auto` was beaten. The
//! `outcome` is data, `output/` turns it into files: CSV, SVG and HTML.
//!
//! `published/` has the algorithms that draw while records are read, or are biased: `sample`,
//! `stretch`, and the published ways to a mean without bounds (`gaussian`, and `add_remove` where
//! participation is hidden) with their parts (`diffusion`, `pairs`, `radius`, `median`,
//! `reduction`). `study` knows them by name. `sampling_probability`, `sampled_sum`,
//! `stretched_sum`, `sparse_vector`, `octaves` and `reduction` are their private path, integers
//! only. The weights and exact risks of `sample` and `stretch` are in suum-core, where `suum plan`
//! compares with them. `program/` is the command line, with a reader of CSV of its own.

mod contest;
mod effort;
mod experiment;
mod files;
mod outcome;
mod output;
mod people;
pub mod published;
mod sheet;
mod study;
mod sweep;
mod value_with_error;

pub use contest::{Beaten, Contest};
pub use effort::{Effort, Progress, Trials};
pub use experiment::Experiment;
pub use files::Files;
pub use outcome::{
    Axis, Chart, Cut, Dots, Entry, Finding, Heatmap, Mark, Outcome, Panel, Role, Series, Surface,
    Table, Verdict,
};
pub use output::{csv, page, svg, write};
pub use value_with_error::ValueWithError;
