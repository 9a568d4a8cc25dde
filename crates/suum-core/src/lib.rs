//! The mathematics of suum: personalised differential privacy, from budgets to a certified release.
//!
//! Every person chooses an ε. All mechanisms here see a record only through its privacy level, so a
//! table of exact integer sums per level is all they need. The flow, and the files, in order:
//!
//! ```text
//! Epsilon ─► Profile ─► Setting ─► Design ─► Risk ─► Plan ──┐
//! budgets     levels     target    weights    exact   data   ├─► Mechanism + noise ─► Release
//! values ──► Grid ──► ExactSum ──► LevelTable ───────────────┘     integers only   + certificate
//! ```
//!
//! This crate has no input or output, no clock, no threads and no randomness of its own, and no
//! floating-point number on the private path: values become integers in [`Grid`], and stay integers
//! until noise has been added. Floats serve planning, from public facts, and post-processing.
//!
//! Sources are cited by short names: CC23 (Chaudhuri and Courtade 2023, *Some privacy can be
//! free*), CC24 (Chaudhuri, Miagkov and Courtade, *Mean and frequency estimation under
//! heterogeneous privacy*), CZ26 (*Limits of personalizing differential privacy budgets*), CKS20
//! (Canonne, Kamath and Steinke 2020, *The discrete Gaussian for differential privacy*), DG26 (Dong
//! and Ge, *Tight bounds for Gaussian mean estimation under personalized differential privacy*).
//!
//! # Example
//!
//! ```
//! use suum_core::{Bounds, Options, Statistic, WeightedRequest};
//!
//! let bounds = Bounds::new(0.0, 77.0)?;
//! let request = WeightedRequest::new(Statistic::Mean, bounds, Options::default())?;
//! let plan = request.plan("0.01:6835,0.1:8767,1:4028,inf:560".parse()?)?;
//! println!("{}: expected error {:.3}", plan.chosen().estimator, plan.chosen().risk.rmse());
//! # Ok::<(), suum_core::Error>(())
//! ```
//!
//! # What is where
//!
//! In the order of the flow:
//!
//! * `epsilon`, `profile`, `setting`: who allows what, and what is to be estimated.
//! * `weights/`: the clipped family min(ε, τ) and the two optimisers that choose τ (`l2`, `l1`);
//!   `integer` turns weights into integers.
//! * `estimator/`: one file a family; each proposes a `design`: weights and how noise is added.
//!   [`Estimator::ALL`] is the registry: every law in `tests/` runs over it. Those for study
//!   (`Estimator::is_for_study`) have weights and a risk, and no mechanism: a plan compares with
//!   them, and cannot choose them.
//! * `risk`, `laplace_maximum`: exact risks for the three targets. `shrink`: shrinkage. `bound/`:
//!   lower bounds on every method's error, one file each, of which `best` takes the best, and the
//!   bound on what personalisation gains.
//! * `request`: what is asked, with the one `options` of all statistics, whoever takes part and
//!   whether bounds are declared or found; `checks`: what is refused whatever the statistic;
//!   `coverage`: the confidence of each of several intervals.
//! * `statistics/`: a folder for each statistic, or for several that weigh records alike
//!   (`weighted`: means, sums and frequencies), with the same files: `request`, `plan`, `release`,
//!   `record`, `add_remove`. `statistics/mod.rs` alone knows which there are; all else asks the
//!   traits that they implement: those in `asked`, in `plan/` and `facts`, in `release/procedure`,
//!   and in `add_remove/statistic`.
//! * `share`: the part of every budget that one of several statistics may spend.
//! * `adaptive/`: a mean that first learns where the values lie: what that costs (`plan`,
//!   `learning`), which of the `ranges` there are it looks for (`range_rule`), the four
//!   measurements (`release`), what is `kept` for what was cut off, and that (`excess`).
//! * `grid`: the one door through which a number enters, as an integer; `categories` the one for
//!   labels; `cells` the candidates of a quantile, or the cells in which a mean learns, found from
//!   the grid index, and `cell_blocks` those that no range parts. `sums`, `cell_counts`, `table`:
//!   exact sums and counts.
//! * `range/`: the search for bounds that are not declared. `float_order` is the order of doubles;
//!   `records` are asked again and again, and make a level table once there are bounds; `plan` is
//!   the search.
//! * `add_remove/`: releases that hide who takes part, from declared budgets; `units` their
//!   weights.
//! * `mechanism/`, `noise/`: exact sums plus exact noise, integers only, one file a mechanism.
//!   `loss`: what it cost, exactly.
//! * `session/`: the one door through which noise passes. A `Measurement` says what it costs; the
//!   `Session` refuses it if anybody would lose more than they allow, or lets it draw; its
//!   `Account` is the certificate. Every release opens one, under either kind of neighbours; `part`
//!   is what one of several statistics may spend.
//! * `verify/`: measurements as data, and certificates computed again from them, by formulas that
//!   share nothing with the mechanisms.
//! * `concentrated/`: the ρ of every measurement that a release lists, and what a sum of ρ is as
//!   (ε, δ); exact integers rounded outwards.
//! * `release/`: the one `Release` of all statistics: estimates, each with what it is of; the
//!   certificate; the steps before; the procedure, with the plan that was followed. What it says of
//!   its own limits (`caveats`), its JSON (`json`), and one for each of several groups (`groups`).
//! * `interval`, `tail/`, `border`, `post`: how far noise and sampling reach, where what is
//!   possible ends, and post-processing. `record`: the JSON of plans. `schema`: the JSON Schema of
//!   what writes its JSON by hand.

mod adaptive;
mod add_remove;
mod asked;
mod assumption;
mod border;
mod bound;
mod bounds;
mod categories;
mod cell_blocks;
mod cell_counts;
mod cells;
mod checks;
mod concentrated;
mod coverage;
mod crossing;
mod crosstab;
mod design;
mod double_double;
mod epsilon;
mod error;
mod estimator;
mod facts;
mod grid;
mod group_name;
mod interval;
mod laplace_maximum;
mod least;
mod level_name;
mod loss;
mod mechanism;
mod neighbors;
mod noise;
mod number;
mod on_demand;
mod options;
#[cfg(test)]
mod oracle;
mod part;
mod person_value;
mod plan;
mod post;
mod profile;
mod protected;
mod range;
mod record;
mod release;
mod replacement;
mod request;
mod risk;
#[cfg(feature = "schema")]
mod schema;
mod session;
mod setting;
mod share;
mod shrink;
mod spread;
mod statistics;
mod strata;
mod sums;
mod table;
mod tail;
mod time_scale;
mod units;
mod value_moments;
mod verify;
mod weights;

pub use adaptive::{AdaptingCost, AdaptivePlan, CutOff, LearnedRange};
pub use add_remove::{
    AddRemoveCandidate, AddRemovePlan, AddRemoveRequest, DeclaredBudgets, UnboundedAddRemove,
};
pub use assumption::Assumption;
pub use bound::{gaussian_lower_bound, lower_bound, threshold_ratio_bound};
pub use bounds::Bounds;
pub use categories::Categories;
pub use cell_blocks::CellBlocks;
pub use cell_counts::{CellCounts, CellSums};
pub use cells::Cells;
pub use concentrated::{Delta, Rho, largest_rho, least_epsilon};
pub use crosstab::Crosstab;
pub use design::{Design, Method};
pub use epsilon::Epsilon;
pub use error::{Error, ErrorKind, Result};
pub use estimator::{Estimator, HpVariant, TYPICAL_VARIANCE, for_study};
pub use grid::Grid;
pub use group_name::GroupName;
pub use interval::{Interval, half_width};
pub use level_name::LevelName;
pub use loss::Loss;
pub use mechanism::{
    CellRange, EndsQuery, FloatQuantile, LevelLaplace, LocalLaplace, Mechanism, MomentSums,
    QuantileMechanism, RangeCheck, RangeChoice, RangeKeys, RankChoice, RankNode, RankQuery,
    RankQuestions, RankTree, Rappor, RefinedCounts, Refinement, SpreadSums, UnitCells, UnitRanks,
    UnitSums, WeightedCounts, WeightedSum, least_scale,
};
pub use neighbors::Neighbors;
pub use noise::{DiscreteLaplace, Randomness, Run, SumZeroLaplace};
pub use options::{Choice, Options};
pub use person_value::PersonValue;
pub use plan::{PlannedInterval, UnboundedPlan, WidthBasis};
pub use post::PostProcessing;
pub use profile::{Level, Profile};
pub use protected::Protected;
pub use range::{
    FloatOrder, FoundRange, Key, MemoryRecords, NormalFit, RangePlan, RangeShares, Records,
    StrataRecords,
};
pub use release::{
    AddRemoveProcedure, Difference, Estimate, ExpectedError, GroupReleases, Margin, Noise,
    QuantileSplit, Release, Releases, Spending, Step, Survey, SurveyAnswer, SurveySplit,
    largest_losses,
};
pub use replacement::Replacement;
pub use request::Request;
pub use risk::Risk;
pub use setting::{SampleThreshold, Setting, Target};
pub use share::Share;
pub use shrink::Shrinkage;
pub use spread::MeasuredSpread;
pub use statistics::*;
pub use strata::{Shares, Strata, Stratified, Stratum};
pub use sums::ExactSum;
pub use table::{LevelSums, LevelTable, Measure, Numbers, QueryRows};
pub use time_scale::TimeScale;
pub use units::PrivacyUnits;
pub use value_moments::ValueMoments;
pub use verify::{
    Distribution, Exact, LevelEntry, MeasurementEntry, Question, RankDraw, RankMethod,
    ReleaseRecord, Verification, VerifiedCertificate, VerifiedLevel,
};
pub use weights::{Alone, Weights, Workers, personal_weights};
