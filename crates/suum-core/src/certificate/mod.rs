//! What was spent: measurements as data, what they cost, computed again, and as (ε, δ).

mod concentrated;
pub(crate) mod verify;

pub use concentrated::{Delta, Rho, largest_rho, least_epsilon};
pub use verify::{
    Distribution, Exact, LevelEntry, MeasurementEntry, Question, RankDraw, RankMethod,
    ReleaseRecord, Verification, VerifiedCertificate, VerifiedLevel,
};
