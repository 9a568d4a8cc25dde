//! Verification of certificates: the loss of every level, recomputed from the measurements of a
//! release.
//!
//! ```text
//! JSON of a release ─► ReleaseRecord ─► weight · sensitivity / scale, added up ─► Verification
//! ```

mod answers;
mod entry;
mod estimates;
mod exact;
mod found;
mod numbers;
mod question;
mod ranks;
mod recompute;
mod record;

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde::Serialize;

pub(crate) use entry::Description;
pub use entry::{LevelEntry, MeasurementEntry};
pub use exact::Exact;
pub use question::{Distribution, Question, RankDraw, RankMethod};
pub use record::ReleaseRecord;

use crate::error::{Command, option, say, unchanged_json};
use crate::{Epsilon, Error, Loss, Neighbors, Result};
use record::{Members, Noise, Row};

/// Certificates of a release, compared with the costs of its measurements.
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
    /// Statistic that was released.
    pub statistic: Option<String>,
    /// All certificates: of the release, of each group, of the parts of a summary, of each answer
    /// and of all answers together.
    pub certificates: Vec<VerifiedCertificate>,
}

/// Certificate, compared with its measurements.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct VerifiedCertificate {
    /// Names of the group or part that it is of, if there are several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub of: Vec<String>,
    /// Number of measurements that it lists.
    pub measurements: usize,
    /// Rows of the certificate, with the cost of the measurements for each level.
    pub levels: Vec<VerifiedLevel>,
    /// Disagreements.
    pub faults: Vec<String>,
}

/// Row of a certificate.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct VerifiedLevel {
    /// Name of the tier, or its ε.
    pub level: String,
    /// Budget of the level.
    pub epsilon: Epsilon,
    /// Spending according to the certificate.
    #[serde(serialize_with = "crate::number::written")]
    pub spent: f64,
    /// Exact cost of the measurements.
    pub recomputed: Loss,
}

impl Verification {
    /// Recomputes the spending of every level from the measurements that the release lists.
    ///
    /// It checks that the certificate follows from them in exact arithmetic, that it keeps within
    /// what was allowed, and that numbers that follow from each other agree: estimates with their
    /// intervals and bounds, shares and weights with 1, a deviation with its variance, an error
    /// with its parts. It cannot check that noise was drawn as listed.
    ///
    /// # Errors
    ///
    /// Refuses JSON that is no release, and a release that does not list its measurements.
    pub fn of(release: &ReleaseRecord) -> Result<Self> {
        let mut certificates = Vec::new();
        verify(release, &[], &mut certificates)?;
        if certificates.is_empty() {
            return Err(missing("privacy"));
        }
        Ok(Self { statistic: release.statistic.clone(), certificates })
    }

    /// Returns true if all certificates agree with their measurements.
    pub fn agrees(&self) -> bool {
        self.certificates.iter().all(|one| one.faults.is_empty())
    }
}

/// Verifies the certificate of a release, and those of its groups and parts.
fn verify(
    release: &ReleaseRecord,
    of: &[String],
    into: &mut Vec<VerifiedCertificate>,
) -> Result<()> {
    if let Some(answers) = release.answers() {
        return answers::verify_answers(release, answers, of, into);
    }
    for (name, inner) in release.within() {
        let of: Vec<String> = of.iter().cloned().chain([name]).collect();
        verify(inner, &of, into)?;
    }
    if release.is_empty_group() {
        return Ok(());
    }
    if release.is_grouped() {
        if !release.have_groups_one_relation() {
            return Err(Error::parameter(option::NEIGHBORS, "groups differ in them")
                .with_fix(unchanged_json()));
        }
        match &release.privacy {
            Some(rows) => into.push(VerifiedCertificate::of_groups(of, release, rows, into)),
            None if release.are_groups_together() => {
                let what = "privacy: what groups of one record cost together is missing";
                into.push(VerifiedCertificate { faults: vec![what.to_owned()], ..together(of) });
            }
            None => {}
        }
        return Ok(());
    }
    let rows = release.privacy.as_deref().ok_or_else(|| missing("privacy"))?;
    let measurements = release.measurements.as_deref().ok_or_else(|| missing("measurements"))?;
    let neighbors = release.neighbors.ok_or_else(|| missing("neighbors"))?;
    let mut certificate =
        VerifiedCertificate::new(of, rows, measurements, neighbors, release.noise());
    if measurements.is_empty() && !release.is_exact_count() {
        certificate.faults.push("measurements: none is listed".to_owned());
    }
    certificate.faults.extend(release.fault_of_counts());
    certificate.faults.extend(estimates::faults(release));
    certificate.faults.extend(found::faults(release));
    let parts =
        release.within().filter_map(|(name, part)| Some((name, part.measurements.as_ref()?)));
    for (name, part) in parts {
        if !part.iter().all(|entry| measurements.contains(entry)) {
            certificate
                .faults
                .push(format!("{name}: it lists a measurement that the whole does not"));
        }
    }
    into.push(certificate);
    Ok(())
}

/// Returns the refusal of a release without a list that every release has.
fn missing(what: &'static str) -> Error {
    Error::parameter(what, "the release has no such list").with_fix(
        say("give").command(Command::Json).say("; files of older versions list no measurements"),
    )
}

/// Returns an empty certificate for those groups together that one record can change.
fn together(of: &[String]) -> VerifiedCertificate {
    let of = of.iter().cloned().chain(["groups of one record together".to_owned()]).collect();
    VerifiedCertificate { of, measurements: 0, levels: Vec::new(), faults: Vec::new() }
}

impl VerifiedCertificate {
    fn new(
        of: &[String],
        rows: &[Row],
        measurements: &[MeasurementEntry],
        neighbors: Neighbors,
        noise: Option<&Noise>,
    ) -> Self {
        let mut faults = Vec::new();
        for (at, entry) in measurements.iter().enumerate() {
            if let Some(fault) = entry.fault(neighbors) {
                faults.push(format!("measurement {}: {fault}", at + 1));
            }
        }
        faults.extend(noise.and_then(|noise| noise.fault(measurements)));
        let levels = match listed(measurements) {
            Ok(listed) => compared(rows, &listed, &mut faults),
            Err(fault) => {
                faults.push(fault);
                Vec::new()
            }
        };
        Self { of: of.to_vec(), measurements: measurements.len(), levels, faults }
    }
}

impl VerifiedCertificate {
    /// Returns the certificate of groups of which a record can change several: for each level, the
    /// total cost of those, among as many, in which it lost most.
    fn of_groups(
        of: &[String],
        release: &ReleaseRecord,
        rows: &[Row],
        groups: &[VerifiedCertificate],
    ) -> Self {
        let groups: Vec<&VerifiedCertificate> = groups
            .iter()
            .filter(|one| one.of.starts_with(of) && one.of.len() == of.len() + 1)
            .collect();
        let (mut levels, mut faults) = (Vec::new(), Vec::new());
        if groups.is_empty() {
            faults.push("groups: there is none".to_owned());
        }
        let members = release.members.as_deref();
        faults.extend(members.iter().flat_map(|members| faults_of_members(release, members)));
        for row in rows {
            let loss = match members {
                Some(members) => {
                    let own = members.iter().filter(|one| {
                        one.level == row.level && one.epsilon.written() == row.epsilon.written()
                    });
                    let loss = |one: &Members| {
                        let losses = losses(&groups, &one.counts_as, one.part);
                        largest(losses, one.groups.get() as usize)
                    };
                    own.map(loss).max().unwrap_or(Loss::ZERO)
                }
                None => {
                    let losses = losses(&groups, &row.level, row.epsilon);
                    if losses.len() != groups.len() {
                        faults.push(format!("{}: not every group lists the level", row.level));
                    }
                    largest(losses, release.groups_of_record())
                }
            };
            let fault = fault(&loss, row.spent.0, row.epsilon);
            faults.extend(fault.map(|fault| format!("{}: {fault}", row.level)));
            let Row { level, epsilon, spent, .. } = row.clone();
            levels.push(VerifiedLevel { level, epsilon, spent: spent.0, recomputed: loss });
        }
        Self { levels, faults, ..together(of) }
    }
}

/// Returns the recomputed losses of the level of this name and budget in all groups that have it.
fn losses<'g>(groups: &[&'g VerifiedCertificate], name: &str, epsilon: Epsilon) -> Vec<&'g Loss> {
    let is_it =
        |one: &&VerifiedLevel| one.level == name && one.epsilon.written() == epsilon.written();
    let losses = groups.iter().filter_map(|one| one.levels.iter().find(is_it));
    losses.map(|one| &one.recomputed).collect()
}

/// Returns the total of this many of the largest losses.
fn largest(mut losses: Vec<&Loss>, many: usize) -> Loss {
    losses.sort_by_key(|loss| Reverse(*loss));
    losses.into_iter().take(many).fold(Loss::ZERO, |sum, loss| sum.plus(loss))
}

/// Returns the faults of the list of persons who are in several groups: every level of a group has
/// persons, and they are at least as many as its records say.
fn faults_of_members(release: &ReleaseRecord, members: &[Members]) -> Vec<String> {
    let mut records: BTreeMap<(&str, u64), u128> = BTreeMap::new();
    let key = |epsilon: Epsilon| epsilon.written().get().to_bits();
    for (_, group) in release.within() {
        for row in group.privacy.iter().flatten() {
            let counted = records.entry((&row.level, key(row.epsilon))).or_default();
            *counted += u128::from(row.count.unwrap_or_default());
        }
    }
    for one in members {
        if let Some(counted) = records.get_mut(&(one.counts_as.as_str(), key(one.part))) {
            let places = u128::from(one.groups.get()) * u128::from(one.persons);
            *counted = counted.saturating_sub(places);
        }
    }
    let too_many = records.into_iter().filter(|(_, counted)| *counted > 0);
    too_many
        .map(|((level, _), _)| format!("{level}: groups have more records than members"))
        .collect()
}

/// Returns every level that measurements list, with its total cost. Each measurement must list the
/// same levels, once.
fn listed(measurements: &[MeasurementEntry]) -> std::result::Result<Vec<(Epsilon, Loss)>, String> {
    let mut all: Vec<(Epsilon, Loss)> = Vec::new();
    for (at, entry) in measurements.iter().enumerate() {
        let losses = entry.levels.iter().map(|level| (level.epsilon, entry.loss(level)));
        if at == 0 {
            all = losses.collect();
            if let Some(pair) = all.windows(2).find(|pair| pair[0].0 == pair[1].0) {
                return Err(format!("{}: measurement 1 lists the level twice", pair[0].0));
            }
            continue;
        }
        if !entry.levels.iter().map(|level| level.epsilon).eq(all.iter().map(|one| one.0)) {
            return Err(format!("measurement {} lists other levels than the first", at + 1));
        }
        for ((_, sum), (_, loss)) in all.iter_mut().zip(losses) {
            *sum = sum.plus(&loss);
        }
    }
    Ok(all)
}

/// Compares the rows of a certificate with the listed levels. Every level must keep within its
/// budget, and have a row with what it spent; every row must be of a listed level.
///
/// A certificate rounds ε up to as many digits as people write, so different levels can look equal.
fn compared(
    rows: &[Row],
    listed: &[(Epsilon, Loss)],
    faults: &mut Vec<String>,
) -> Vec<VerifiedLevel> {
    let key = |epsilon: Epsilon| epsilon.written().get().to_bits();
    let mut alike: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
    for (at, (epsilon, loss)) in listed.iter().enumerate() {
        alike.entry(key(*epsilon)).or_default().push(at);
        if !loss.within(*epsilon) {
            let up = shown(loss.rounded_up());
            faults.push(format!("{epsilon}: the measurements cost {up}, allowed is {epsilon}"));
        }
    }
    let mut has_row = vec![false; listed.len()];
    let mut seen: BTreeMap<(&str, u64), usize> = BTreeMap::new();
    let mut levels = Vec::with_capacity(rows.len());
    for row in rows {
        let Row { level, epsilon, spent, .. } = row.clone();
        let same = alike.get(&key(epsilon)).map_or(&[][..], Vec::as_slice);
        let agreeing = same.iter().filter(|at| listed[**at].1.rounded_up() == spent.0);
        let first = match same {
            [] if listed.is_empty() => Loss::ZERO,
            [] => Loss::Unlimited,
            [first, ..] => listed[*agreeing.clone().next().unwrap_or(first)].1.clone(),
        };
        agreeing.for_each(|at| has_row[*at] = true);
        if first.rounded_up() != spent.0 {
            let cost = shown(first.rounded_up());
            faults.push(match same {
                [] if !listed.is_empty() => format!("{level}: no measurement lists the level"),
                _ => format!(
                    "{level}: spent is said to be {}, the measurements cost {cost}",
                    shown(spent.0)
                ),
            });
            // Already reported.
            same.iter().take(1).for_each(|at| has_row[*at] = true);
        } else if same.is_empty() && !listed.is_empty() {
            faults.push(format!("{level}: no measurement lists the level"));
        }
        let times = seen.entry((row.level.as_str(), key(epsilon))).or_default();
        *times += 1;
        if *times > same.len().max(1) {
            faults.push(format!("{level}: the level is listed twice"));
        }
        levels.push(VerifiedLevel { level, epsilon, spent: spent.0, recomputed: first });
    }
    for ((epsilon, _), _) in listed.iter().zip(has_row).filter(|(_, has_row)| !has_row) {
        faults.push(format!("{epsilon}: no line of the certificate says what the level spent"));
    }
    levels
}

/// Returns the fault of a row that says `spent`, given the level's loss and its budget, if any.
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
