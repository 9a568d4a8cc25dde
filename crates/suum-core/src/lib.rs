//! The mathematics of suum: personalised differential privacy, from budgets to a certified release.
//!
//! Every person chooses an ε. All mechanisms here see a record only through its privacy level, so a
//! table of exact integer sums per level is all they need. The flow:
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
//! # Modules
//!
//! A folder for each part of the flow, in its order. The first ones are the trust boundary: they
//! import nothing of those below, which a test checks.
//!
//! * `arithmetic/`: accurate sums, zeros and minima.
//! * `people/`: the people who take part. `epsilon`, `profile`, `share` and `strata` hold their
//!   budgets, `loss` their losses. For add-remove releases, `declared_budgets` holds the possible
//!   budgets, and `units` the weights that depend on nothing else.
//! * `values/`: the values of records. Numbers enter as integers through `grid` alone, labels
//!   through `categories`. `cells` holds the candidates of a quantile, or the cells in which a mean
//!   learns; `float_order` the order of doubles, for values without bounds.
//! * `strategy/`: the weights of records. `setting` is what weights depend on; `weights/` has the
//!   clipped family min(ε, τ) and the optimisers that choose τ; `estimator/` has one file for each
//!   family, which proposes a `design`; `risk` is its exact risk, and `bound/` has lower bounds on
//!   every method's error. [`Estimator::ALL`] is the registry: every law in `tests/` runs over it.
//!   Estimators for study (`Estimator::is_for_study`) have weights and a risk, but no mechanism.
//! * `certificate/`: measurements as data. `verify/` recomputes certificates from them, by formulas
//!   that share nothing with the mechanisms; `concentrated/` is the second account, in ρ.
//! * `private/`: exact integers, and no float. `sums`, `cell_counts` and `table/` hold sums of
//!   records; `mechanism/` and `noise/` draw, one file for each mechanism. `session/` is the only
//!   way to get noise: a `Measurement` states its cost; the `Session` refuses it if anybody would
//!   lose more than they allow, or else lets it draw; its `Account` is the certificate.
//! * `plan/`: requests (`request`, with the `options` of all statistics), checks for every
//!   statistic (`checks`), and the interface of all plans.
//! * `steps/`: steps before a statistic. `range/` searches for bounds that are not declared;
//!   `adaptive/` is a mean that first learns where the values lie.
//! * `statistics/`: a folder for each statistic, or for several with the same weights (`weighted`:
//!   means, sums and frequencies), with the same files: `request`, `plan`, `release`, `record`,
//!   `add_remove`. Only `statistics/mod.rs` lists all statistics; other code uses the traits that
//!   they implement: those in `plan/`, in `answer/release/procedure`, and in
//!   `add_remove/statistic`.
//! * `add_remove/`: shared parts of add-remove releases, which use declared budgets.
//! * `answer/`: intervals, from the reach of noise and sampling error (`interval`, `noise_shape`,
//!   `tail/`); processing after the noise (`post`, `border`); and `release/`, the one `Release` of
//!   all statistics, with its certificate, its caveats, its JSON, and releases of several groups.

mod add_remove;
mod answer;
mod arithmetic;
mod certificate;
mod error;
mod number;
mod people;
mod plan;
mod private;
#[cfg(feature = "schema")]
mod schema;
mod statistics;
mod steps;
mod strategy;
mod values;

pub use add_remove::{AddRemoveCandidate, AddRemovePlan, AddRemoveRequest, UnboundedAddRemove};
pub use answer::{
    AddRemoveProcedure, AnswerRole, Assumption, Claim, Difference, Estimate, ExpectedError,
    GroupReleases, Interval, IntervalAt, Margin, MeasuredSpread, MemberKind, Memberships, Noise,
    PostProcessing, QuantileSplit, Release, Releases, Sensitivity, SensitivityRecord, SmallGroups,
    Spending, Step, Survey, SurveyAnswer, SurveySplit, TierQuantity, half_width, largest_losses,
};
pub use certificate::{
    Delta, Distribution, Exact, LevelEntry, MeasurementEntry, Question, RankDraw, RankMethod,
    ReleaseRecord, Rho, Verification, VerifiedCertificate, VerifiedLevel, largest_rho,
    least_epsilon,
};
pub use error::{
    Asking, Command, Error, ErrorKind, Library, OptionName, OptionValue, Phrase, Place, Result,
    Voice, Word, declare_bounds, for_example, leave_out, option, say, unchanged_json,
};
pub use people::{
    DeclaredBudgets, Epsilon, GroupName, Level, LevelName, Loss, MemberClasses, NamedTier,
    Neighbors, PrivacyUnits, Profile, ProtectedUnit, Share, Shares, Strata,
};
pub use plan::{Choice, Options, PlannedInterval, Request, UnboundedPlan, WidthBasis};
pub use private::{
    CellCounts, CellRange, CellSums, DiscreteLaplace, EndsQuery, ExactSum, FloatQuantile,
    FoundCounts, LevelLaplace, LevelSums, LevelTable, LocalLaplace, Measure, Mechanism, Numbers,
    QuantileMechanism, QueryOrigins, QueryRows, Randomness, RangeCheck, RangeChoice, RangeKeys,
    RankChoice, RankNode, RankQuery, RankQuestions, RankTree, Rappor, Records, RefinedCounts,
    Refinement, Run, SumZeroLaplace, Totals, TotalsQuestion, TwoSlopes, WeightTable,
    WeightedCounts, Weighting, least_scale,
};
pub use statistics::*;
pub use steps::{
    AdaptingCost, AdaptivePlan, CutOff, FoundRange, LearnedRange, MemberRecords, MemoryRecords,
    NormalFit, RangePlan, RangeShares, StrataRecords,
};
pub use strategy::{
    Alone, Design, Direction, Estimator, HpVariant, Method, RelativeDifference, Risk,
    SampleThreshold, Setting, Shrinkage, StrataSummary, Stratum, TYPICAL_VARIANCE, Target,
    TierDifference, Weights, Workers, for_study, gaussian_lower_bound, lower_bound,
    personal_weights, threshold_ratio_bound,
};
pub use values::{
    Bounds, Categories, CellBlocks, Cells, Crosstab, FloatOrder, Grid, Key, PersonValue, Rank,
    Replacement, TimeScale, ValueMoments,
};
