//! Publish statistics of data in which every person chose their own privacy level.
//!
//! *Suum cuique*, to each their own: a [`Query`] says what is asked, a [`Job`] also of which data
//! and on whose account. Its [`Answer`] holds the private estimate, its interval, and per consent
//! tier what was allowed and what was really spent.
//!
//! # Example
//!
//! ```no_run
//! # fn main() -> suum::Result<()> {
//! let answer = suum::query("examples/randhie.csv")
//!     .tiers("privacy", "strict=0.01,standard=0.1,relaxed=1,public=inf".parse()?)
//!     .mean("visits", 0.0..=77.0)
//!     .run()?;
//! println!("{}", answer.text());
//! # Ok(())
//! # }
//! ```
//!
//! # Example: step by step
//!
//! A scan turns records into a [`LevelTable`] of exact sums, a [`Plan`] is made from public facts
//! alone, and a [`Release`] has figures in place of words:
//!
//! ```no_run
//! use suum::{
//!     Bounds, Grid, Neighbors, PrivacyColumn, Progress, Request, Scan, Source, Value, ValueColumn,
//! };
//!
//! # fn main() -> suum::Result<()> {
//! let scan = Scan::new(
//!     PrivacyColumn::Tiers {
//!         column: "privacy".into(),
//!         tiers: "strict=0.01,standard=0.1,relaxed=1,public=inf".parse()?,
//!     },
//!     Some(Value::Number(ValueColumn {
//!         column: "visits".into(),
//!         numbers: Grid::new(Bounds::new(0.0, 77.0)?).into(),
//!         missing: None,
//!     })),
//! );
//! let table = suum::scan(&Source::parse("examples/randhie.csv")?, &scan, &Progress::default())?;
//! let release = Request::mean(Neighbors::ReplaceOne).release(table, &mut suum::entropy()?)?;
//! if let Some(interval) = release.interval() {
//!     println!("{} from {} to {}", release.estimate(), interval.lower, interval.upper);
//! }
//! for tier in &release.privacy {
//!     println!(
//!         "{} allowed {} and spent {:.4}",
//!         tier.level,
//!         tier.epsilon,
//!         tier.spent.rounded_up()
//!     );
//! }
//! # Ok(())
//! # }
//! ```
//!
//! # What is where
//!
//! `statistic` is the list of statistics: names, aliases, and what each stands for. `options/` is
//! the table of options: `option_struct!` declares each as a field with its row, `row` is what a
//! door has to know of it, `shape` and `form` what it takes and how that is read and written,
//! `uses` which statistics have a use for it, `thousands` refuses numbers that can be two;
//! `entries` is what a door says by these names, in JSON, TOML or words.
//!
//! `query/` is what is asked: `answers` are several queries of one job, `values` and `label_lists`
//! the types of options, `spelling` resolves short names of statistics, `command` writes a query as
//! a command. `columns` and `estimation` give it a meaning in the words of suum-core and suum-data;
//! `check` makes the query that checks the bounds of another. A `job` is a query with its data and
//! the accounts that pay, `schema` its JSON Schema, `combinations` what options need and exclude by
//! their rows; `conflicts` refuses what does not go together and no row can say.
//!
//! `run/` does a job: `release` makes a release of any statistic, `add_remove` one that hides who
//! takes part, `unbounded` one without declared bounds (of any of them), `plan` a plan; `goal` is
//! how near an estimate is to come, `assumed` what releases of made-up data of a shape come to;
//! `statistic` is the one place that tells statistics apart. `accounts` opens the accounts of a
//! release, `columns` says which columns it reads, `step` whether their types tell a step,
//! `reading` is the one place that reads files, databases and what was handed over, `tables` checks
//! level tables, and `notes` are what has to be said besides, taken while data are read. `survey`
//! is several answers in one release: it reads once for all of them, and draws them together;
//! `parts` are these answers, each with the check of its bounds if that is wanted; `shares` finds
//! the parts with which their errors are alike, `survey_plan` plans them. `editions` shows an
//! answer again that a ledger has stored. The `answer` has the release as text, as JSON and as a
//! page. `accountant/` is a release's way through a ledger; `ledgers` makes ledgers and shows them.
//! `verification` checks the certificate of a release, `sensitivity` reads how its intervals depend
//! on budgets. `release_schema` is the JSON Schema of
//! releases, for the documentation.

mod accountant;
mod answer;
mod conflicts;
mod counted;
mod date;
mod effect;
mod entropy;
mod job;
mod ledgers;
mod options;
mod query;
#[cfg(feature = "schema")]
mod release_schema;
mod run;
mod sensitivity;
pub mod simulation;
mod statistic;
mod text_file;
mod verification;
mod voice;

pub use accountant::{
    Accountant, Forecast, Fraction, LedgerEffect, PersonsEffect, ShownAgain, Spend, TierEffect,
};
pub use answer::{Answer, LabelType, LabelTypes};
pub use entropy::entropy;
pub use job::{
    AsOf, Batches, Charge, DataNames, DataSource, HeldRecords, Job, JobInputs, Population,
    StudyFile, WarningSink, check_combinations, options, query,
};
pub use ledgers::{
    amend_ledger, charge_ledger, export_ledger, init_ledger, ledger_dossier, ledger_statement,
    show_ledger, show_ledger_entry, verify_ledger, verify_ledger_release,
};
pub use options::{Entries, Form, OptionRow, Part};
pub use query::{
    AnswerQuery, Beta, ColumnNames, Confidence, EpsilonRange, EstimatorName, GroupLists,
    GroupMembership, Labels, Length, Missing, MissingConsent, PerPerson, PopulationShares, Query,
    Range, Ranks, studied,
};
#[cfg(feature = "schema")]
pub use release_schema::release_schema;
pub use run::{Levels, init_study, level_table, planned};
pub use sensitivity::release_sensitivity;
pub use statistic::{StatisticEntry, StatisticName};
pub use suum_core::*;
pub use suum_data::*;
pub use suum_ledger as ledger;
pub use suum_report::{Sort, View};
pub use suum_sql as sql;
pub use verification::{verify_file, verify_release};
pub use voice::{CommandLine, Python, QueryFile};
