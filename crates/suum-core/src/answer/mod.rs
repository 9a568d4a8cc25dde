//! Answers: estimates with intervals, post-processing, and releases.

pub(crate) mod assumption;
pub(crate) mod border;
pub(crate) mod coverage;
mod found_shares;
pub(crate) mod interval;
pub(crate) mod noise_shape;
mod post;
pub(crate) mod release;
pub(crate) mod sensitivity;
pub(crate) mod spread;
pub(crate) mod tail;

pub use assumption::{Assumption, TierQuantity};
pub use interval::{Interval, half_width};
pub use post::PostProcessing;
pub use release::{
    AddRemoveProcedure, AnswerRole, Difference, Estimate, ExpectedError, GroupReleases, Margin,
    MemberKind, Memberships, Noise, QuantileSplit, Release, Releases, SmallGroups, Spending, Step,
    Survey, SurveyAnswer, SurveySplit, largest_losses,
};
pub use sensitivity::{Claim, IntervalAt, Sensitivity, SensitivityRecord};
pub use spread::MeasuredSpread;
