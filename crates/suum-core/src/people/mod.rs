//! People: their budgets, their losses, and the levels and strata that they form.

mod budget_range;
mod declared_budgets;
mod epsilon;
mod group_name;
mod level_name;
mod loss;
mod member_classes;
mod neighbors;
mod profile;
mod protected_unit;
pub(crate) mod share;
mod strata;
mod units;

pub use declared_budgets::DeclaredBudgets;
pub use epsilon::Epsilon;
pub use group_name::GroupName;
pub use level_name::LevelName;
pub use loss::Loss;
pub use member_classes::MemberClasses;
pub(crate) use neighbors::Moves;
pub use neighbors::Neighbors;
pub use profile::{Level, NamedTier, Profile};
pub use protected_unit::ProtectedUnit;
pub use share::Share;
pub use strata::{Shares, Strata};
pub use units::PrivacyUnits;
