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
//! use suum::{Bounds, Grid, Options, PrivacyColumn, Progress, Scan, Source, Value, ValueColumn};
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
//! let release = suum::mean(table, &Options::default(), &mut suum::entropy()?)?;
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

pub mod add_remove;
mod answer;
mod conflicts;
mod counted;
mod date;
mod entropy;
mod job;
mod ledgers;
mod meter;
mod query;
#[cfg(feature = "schema")]
mod release_schema;
mod run;
pub mod simulation;
mod statement;
mod statistics;
mod verification;

pub use answer::Answer;
pub use entropy::entropy;
pub use job::{Batches, Charge, DataSource, Given, Held, Job, Population, query};
pub use ledgers::{export_ledger, init_ledger, show_ledger, verify_ledger};
pub use meter::{Fraction, Meter, PersonStatement, ShownAgain, Spend, Statement, TierStatement};
pub use query::{
    AnswerQuery, Asked, Beta, ColumnNames, Confidence, Entries, EpsilonRange, EstimatorName,
    GroupLists, Labels, Missing, MissingConsent, PopulationShares, Query, Range, Ranks, studied,
};
#[cfg(feature = "schema")]
pub use release_schema::release_schema;
pub use run::{Levels, level_table, planned};
pub use statistics::{
    count, frequency, mean, plan, plan_frequency, quantile, sum, summary, unbounded, variance,
};
pub use suum_core::*;
pub use suum_data::*;
pub use suum_ledger as ledger;
pub use suum_report::{Sort, View};
pub use suum_sql as sql;
pub use verification::{verify_file, verify_release};
