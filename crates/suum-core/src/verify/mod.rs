//! Certificates checked: what every level lost, computed again from the measurements of a release.
//!
//! ```text
//! JSON of a release ─► ReleaseRecord ─► weight · sensitivity / scale, added up ─► Verification
//! ```

mod entry;
mod recompute;
mod record;

use serde::Serialize;

pub(crate) use entry::Description;
pub use entry::{Distribution, Exact, LevelEntry, MeasurementEntry, Question};
pub use record::ReleaseRecord;

use crate::{Epsilon, Error, Loss, Neighbors, Result};
use record::Row;

/// What a certificate says, beside what its measurements cost.
///
/// # Example
///
/// ```
/// use suum_core::{ReleaseRecord, Verification};
///
/// // A sum on a grid of 1024 steps, with noise of scale 2048.
/// let release = |spent: &str| {
///     format!(
///         r#"{{
///             "statistic": "mean", "neighbors": "replace",
///             "privacy": [{{"level": "strict", "epsilon": 0.5, "spent": {spent}}}],
///             "measurements": [{{
///                 "question": "sum", "grid": 1024, "neighbors": "replace",
///                 "distribution": "discrete-laplace", "sensitivity": "1024", "scale": "2048",
///                 "levels": [{{"epsilon": 0.5, "weight": "1"}}]
///             }}]
///         }}"#
///     )
/// };
/// let verified = |text: &str| -> bool {
///     let record: ReleaseRecord = serde_json::from_str(text).unwrap();
///     Verification::of(&record).unwrap().agrees()
/// };
/// assert!(verified(&release("0.5")));
/// assert!(!verified(&release("0.4")));
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Verification {
    /// The statistic that was released.
    pub statistic: Option<String>,
    /// Every certificate in it: of the release, of each group, and of the parts of a summary.
    pub certificates: Vec<VerifiedCertificate>,
}

/// One certificate, compared with the measurements that it is of.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct VerifiedCertificate {
    /// What it is of, where there are several: a group, a part.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub of: Vec<String>,
    /// How many measurements it lists.
    pub measurements: usize,
    /// What each level allowed and spent, and what its measurements cost.
    pub levels: Vec<VerifiedLevel>,
    /// What does not agree.
    pub faults: Vec<String>,
}

/// A line of a certificate.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct VerifiedLevel {
    /// The tier's name, or its ε.
    pub level: String,
    /// What it allowed.
    pub epsilon: Epsilon,
    /// What the certificate says that it spent.
    #[serde(serialize_with = "crate::number::written")]
    pub spent: f64,
    /// What its measurements cost, exactly.
    pub recomputed: Loss,
}

impl Verification {
    /// Computes again what every level spent, from the measurements that the release lists.
    ///
    /// It tells whether the certificate follows from them in exact arithmetic, and keeps within
    /// what was allowed. That noise was drawn as listed it cannot tell.
    ///
    /// # Errors
    ///
    /// Refuses what is no release, and one that does not list its measurements.
    pub fn of(release: &ReleaseRecord) -> Result<Self> {
        let mut certificates = Vec::new();
        verify(release, &[], &mut certificates)?;
        Ok(Self { statistic: release.statistic.clone(), certificates })
    }

    /// Whether all certificates agree with their measurements.
    pub fn agrees(&self) -> bool {
        self.certificates.iter().all(|one| one.faults.is_empty())
    }
}

/// The certificate of a release, and those of its groups and parts.
fn verify(
    release: &ReleaseRecord,
    of: &[String],
    into: &mut Vec<VerifiedCertificate>,
) -> Result<()> {
    for (name, inner) in release.within() {
        let of: Vec<String> = of.iter().cloned().chain([name]).collect();
        verify(inner, &of, into)?;
    }
    if release.is_empty_group() {
        return Ok(());
    }
    if release.is_grouped() {
        if let Some(rows) = &release.privacy {
            let both = VerifiedCertificate::of_groups(of, rows, into);
            into.push(both);
        }
        return Ok(());
    }
    let missing = |what: &str| {
        Error::parameter(format!("{what}: the release has no such list")).with_hint(
            "give the JSON of a release, as suum writes it with --format json since it lists \
             measurements",
        )
    };
    let rows = release.privacy.as_deref().ok_or_else(|| missing("privacy"))?;
    let measurements = release.measurements.as_deref().ok_or_else(|| missing("measurements"))?;
    let neighbors = release.neighbors.ok_or_else(|| missing("neighbors"))?;
    into.push(VerifiedCertificate::new(of, rows, measurements, neighbors, release.scale()));
    Ok(())
}

impl VerifiedCertificate {
    fn new(
        of: &[String],
        rows: &[Row],
        measurements: &[MeasurementEntry],
        neighbors: Neighbors,
        scale: Option<&Exact>,
    ) -> Self {
        let mut faults = Vec::new();
        for (at, entry) in measurements.iter().enumerate() {
            if let Some(fault) = entry.fault(neighbors) {
                faults.push(format!("measurement {}: {fault}", at + 1));
            }
        }
        if let Some(scale) = scale.filter(|scale| !is_listed(scale, measurements)) {
            faults.push(format!("noise: no measurement has the scale {}", scale.0));
        }
        if rows.is_empty() && measurements.iter().any(|entry| !entry.levels.is_empty()) {
            faults.push("privacy: no level is listed".to_owned());
        }
        let mut levels = Vec::new();
        for row in rows {
            let (recomputed, fault) = checked(row, measurements);
            faults.extend(fault.map(|fault| format!("{}: {fault}", row.level)));
            let Row { level, epsilon, spent } = row.clone();
            levels.push(VerifiedLevel { level, epsilon, spent: spent.0, recomputed });
        }
        Self { of: of.to_vec(), measurements: measurements.len(), levels, faults }
    }
}

impl VerifiedCertificate {
    /// The certificate of groups that a record can change: what the two groups cost a level
    /// together in which it lost most.
    fn of_groups(of: &[String], rows: &[Row], groups: &[VerifiedCertificate]) -> Self {
        let groups = || groups.iter().filter(|one| one.of.len() == of.len() + 1);
        let (mut levels, mut faults) = (Vec::new(), Vec::new());
        for row in rows {
            let is_row = |one: &&VerifiedLevel| {
                one.level == row.level && one.epsilon.written() == row.epsilon.written()
            };
            let losses = groups().filter_map(|one| one.levels.iter().find(is_row));
            let mut losses: Vec<&Loss> = losses.map(|one| &one.recomputed).collect();
            if losses.len() != groups().count() {
                faults.push(format!("{}: not every group lists the level", row.level));
            }
            losses.sort_by(|one, other| other.rounded_up().total_cmp(&one.rounded_up()));
            let sum = losses.into_iter().take(2).fold(Loss::ZERO, |sum, loss| sum.plus(loss));
            let fault = fault(&sum, row.spent.0, row.epsilon);
            faults.extend(fault.map(|fault| format!("{}: {fault}", row.level)));
            let Row { level, epsilon, spent } = row.clone();
            levels.push(VerifiedLevel { level, epsilon, spent: spent.0, recomputed: sum });
        }
        Self { of: of.to_vec(), measurements: 0, levels, faults }
    }
}

/// What the measurements cost a level, and what the certificate says wrongly of it.
///
/// A certificate rounds ε to as many digits as people write, upwards; of levels that look the same
/// then, one must agree.
fn checked(row: &Row, measurements: &[MeasurementEntry]) -> (Loss, Option<String>) {
    let looks_same = |level: &&LevelEntry| level.epsilon.written() == row.epsilon.written();
    let mut alike: Vec<Epsilon> = measurements
        .first()
        .map(|first| first.levels.iter().filter(looks_same).map(|level| level.epsilon).collect())
        .unwrap_or_default();
    if measurements.is_empty() {
        alike.push(row.epsilon);
    }
    let mut first = None;
    for epsilon in alike {
        let (loss, fault) = of_level(row, epsilon, measurements);
        if fault.is_none() {
            return (loss, None);
        }
        first.get_or_insert((loss, fault));
    }
    let unlisted = || (Loss::Unlimited, Some("no measurement lists the level".to_owned()));
    first.unwrap_or_else(unlisted)
}

/// As [`checked`], if the row is of the level that allows exactly this.
fn of_level(row: &Row, epsilon: Epsilon, entries: &[MeasurementEntry]) -> (Loss, Option<String>) {
    let mut sum = Loss::ZERO;
    for (at, entry) in entries.iter().enumerate() {
        let mut levels = entry.levels.iter().filter(|level| level.epsilon == epsilon);
        match (levels.next(), levels.next()) {
            (Some(level), None) => sum = sum.plus(&entry.loss(level)),
            (Some(_), Some(_)) => {
                let what = format!("measurement {} lists the level twice", at + 1);
                return (Loss::Unlimited, Some(what));
            }
            (None, _) => {
                let what = format!("measurement {} does not list the level", at + 1);
                return (Loss::Unlimited, Some(what));
            }
        }
    }
    let fault = fault(&sum, row.spent.0, epsilon);
    (sum, fault)
}

/// What is wrong with a line that says `spent` where so much was lost and allowed.
fn fault(lost: &Loss, spent: f64, allowed: Epsilon) -> Option<String> {
    let up = lost.rounded_up();
    if !lost.within(allowed) {
        return Some(format!("the measurements cost {}, allowed is {allowed}", shown(up)));
    }
    let differs = up != spent;
    differs.then(|| {
        format!("spent is said to be {}, the measurements cost {}", shown(spent), shown(up))
    })
}

fn shown(number: f64) -> String {
    if number.is_finite() { format!("{number:?}") } else { "inf".to_owned() }
}

/// Whether some measurement, or a level in one, has this scale.
fn is_listed(scale: &Exact, measurements: &[MeasurementEntry]) -> bool {
    let of = |entry: &MeasurementEntry| {
        let levels = entry.levels.iter().filter_map(|level| level.scale.as_ref());
        entry.scale.iter().chain(levels).any(|listed| listed == scale)
    };
    // A scale of zero is no noise: of what is exact, and of randomised response.
    scale.0.is_zero() || measurements.iter().any(of)
}
