//! Certificates: measurements as data, their costs, the verification of both, and (ε, δ).

mod concentrated;
pub(crate) mod enclosure;
pub(crate) mod verify;

pub use concentrated::{Delta, Rho, largest_rho, least_epsilon};
pub use verify::{
    Distribution, Exact, LevelEntry, MeasurementEntry, Question, RankDraw, RankMethod,
    ReleaseRecord, Verification, VerifiedCertificate, VerifiedLevel,
};
