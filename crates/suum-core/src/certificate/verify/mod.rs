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

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZero;

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
///     Verification::compute(&record).unwrap().agrees()
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
    pub fn compute(release: &ReleaseRecord) -> Result<Self> {
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
            Some(rows) => into.push(VerifiedCertificate::combine_groups(of, release, rows, into)),
            None if release.are_groups_together() || release.fault_of_query().is_some() => {
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
    fn combine_groups(
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
        let costs: Vec<GroupLosses<'_>> = groups.iter().map(|one| GroupLosses::new(one)).collect();
        let members = release.members.as_deref();
        let totals = members.map(|members| members_totals(members, &costs, &mut faults));
        faults.extend(members.iter().flat_map(|members| faults_of_members(release, members)));
        faults.extend(release.fault_of_query());
        for row in rows {
            let loss = match &totals {
                Some(totals) => totals.get(&level_key(&row.level, row.epsilon)).cloned(),
                None => {
                    let own = costs.iter().filter_map(|group| group.at(&row.level, row.epsilon));
                    let own: Vec<Loss> = own.collect();
                    if own.len() != groups.len() {
                        faults.push(format!("{}: not every group lists the level", row.level));
                    }
                    Some(largest(own, release.groups_of_record()))
                }
            };
            let loss = loss.unwrap_or_else(|| {
                faults.push(format!("{}: nobody is of this level", row.level));
                Loss::ZERO
            });
            let fault = fault(&loss, row.spent.0, row.epsilon);
            faults.extend(fault.map(|fault| format!("{}: {fault}", row.level)));
            let Row { level, epsilon, spent, .. } = row.clone();
            levels.push(VerifiedLevel { level, epsilon, spent: spent.0, recomputed: loss });
        }
        let listed: BTreeSet<LevelKey<'_>> =
            rows.iter().map(|row| level_key(&row.level, row.epsilon)).collect();
        let of_groups = || groups.iter().flat_map(|group| &group.levels);
        let expected: BTreeSet<LevelKey<'_>> = match &totals {
            Some(totals) => totals.keys().copied().collect(),
            None => of_groups().map(|level| level_key(&level.level, level.epsilon)).collect(),
        };
        let lacking = expected.difference(&listed).map(|(level, _)| {
            format!("{level}: no line says what groups of one record cost together")
        });
        faults.extend(lacking);
        Self { levels, faults, ..together(of) }
    }
}

/// Level by its name and its budget, as it is written.
type LevelKey<'a> = (&'a str, u64);

fn level_key(level: &str, epsilon: Epsilon) -> LevelKey<'_> {
    (level, epsilon.written().get().to_bits())
}

/// Recomputed losses of the levels of one group.
struct GroupLosses<'a> {
    by_level: BTreeMap<LevelKey<'a>, &'a Loss>,
    /// Largest loss of a level at or below each budget, in ascending order: of levels that are
    /// numbers, and of all.
    ascending: [Vec<(Epsilon, Loss)>; 2],
}

impl<'a> GroupLosses<'a> {
    fn new(group: &'a VerifiedCertificate) -> Self {
        let mut by_level: BTreeMap<LevelKey<'a>, &'a Loss> = BTreeMap::new();
        for level in &group.levels {
            let most = by_level.entry(level_key(&level.level, level.epsilon));
            let most = most.or_insert(&level.recomputed);
            *most = (*most).max(&level.recomputed);
        }
        let of = |is_asked: &dyn Fn(&VerifiedLevel) -> bool| {
            let mut all: Vec<&VerifiedLevel> =
                group.levels.iter().filter(|level| is_asked(level)).collect();
            all.sort_by_key(|level| level.epsilon);
            let mut most = Loss::ZERO;
            let so_far = all.into_iter().map(|level| {
                most = most.clone().max(level.recomputed.clone());
                (level.epsilon, most.clone())
            });
            so_far.collect()
        };
        let ascending = [of(&|level| is_number(&level.level)), of(&|_| true)];
        Self { by_level, ascending }
    }

    /// Loss of a level; `None` if the group lacks it.
    fn at(&self, level: &str, epsilon: Epsilon) -> Option<Loss> {
        self.by_level.get(&level_key(level, epsilon)).copied().cloned()
    }

    /// Largest loss of persons who count so in the group; `None` if none is there.
    ///
    /// Of very many budgets those of one group are rounded down, and perhaps not those of another:
    /// then they count at a lower level.
    fn largest_for(&self, one: &Members) -> Option<Loss> {
        let at_most = |all: &[(Epsilon, Loss)]| {
            let below = all.partition_point(|(epsilon, _)| *epsilon <= one.part);
            all.get(below.checked_sub(1)?).map(|(_, loss)| loss.clone())
        };
        let [numbers, all] = &self.ascending;
        match (is_number(&one.counts_as), is_number(&one.level)) {
            (true, _) => at_most(numbers),
            (false, true) => self.at(&one.counts_as, one.part).or_else(|| at_most(all)),
            (false, false) => self.at(&one.counts_as, one.part),
        }
    }
}

/// Returns true if the name of a level is a budget, and not that of a tier.
fn is_number(level: &str) -> bool {
    level.parse::<Epsilon>().is_ok()
}

/// Returns the total of this many of the largest losses.
fn largest(mut losses: Vec<Loss>, many: usize) -> Loss {
    losses.sort_by(|one, other| other.cmp(one));
    losses.into_iter().take(many).fold(Loss::ZERO, |sum, loss| sum.plus(&loss))
}

/// Returns what the groups of persons of each level cost them together, and collects the faults of
/// persons who lose more than they allow, or whose parts do.
fn members_totals<'a>(
    members: &'a [Members],
    groups: &[GroupLosses<'_>],
    faults: &mut Vec<String>,
) -> BTreeMap<LevelKey<'a>, Loss> {
    let mut totals: BTreeMap<LevelKey<'a>, Loss> = BTreeMap::new();
    let mut seen: BTreeSet<(LevelKey<'a>, NonZero<u32>)> = BTreeSet::new();
    for one in members {
        let key = level_key(&one.level, one.epsilon);
        let places = f64::from(one.groups.get());
        // Parts are written with as many digits as people write.
        let is_within = one.epsilon.is_public()
            || places * one.part.get() <= one.epsilon.get() * (1.0 + ROUNDING);
        if !is_within || !seen.insert((key, one.groups)) {
            let what = if is_within { "is listed twice" } else { "has parts above its budget" };
            faults.push(format!("{} in {} groups: it {what}", one.level, one.groups));
        }
        let own = groups.iter().filter_map(|group| group.largest_for(one));
        let loss = largest(own.collect(), one.groups.get() as usize);
        if !loss.within(one.epsilon) {
            faults.push(format!(
                "{} in {} groups: it costs more than is allowed",
                one.level, one.groups
            ));
        }
        let most = totals.entry(key).or_insert(Loss::ZERO);
        if loss > *most {
            *most = loss;
        }
    }
    totals
}

/// Returns the least and the most groups of the class that a name ends in, as in `strict in 2 to 4
/// groups`.
fn class(one: &Members) -> Option<(u32, u32)> {
    let numbers = one.counts_as.strip_prefix(&one.level)?;
    let numbers = numbers.strip_prefix(" in ")?.strip_suffix(" groups")?;
    let (least, most) = numbers.split_once(" to ").unwrap_or((numbers, numbers));
    Some((least.parse().ok()?, most.parse().ok()?))
}

/// Relative difference between a part that was written and the exact one.
const ROUNDING: f64 = 1e-9;

/// Returns the faults of the list of persons who are in several groups: every level of a group has
/// persons, who are at least as many as its records say, and somebody is in as many groups as a
/// budget is divided by.
fn faults_of_members(release: &ReleaseRecord, members: &[Members]) -> Vec<String> {
    let mut faults = Vec::new();
    let mut records: BTreeMap<LevelKey<'_>, u128> = BTreeMap::new();
    let (mut counted, mut places) = (0u128, 0u128);
    for (_, group) in release.within().filter(|(_, group)| !group.is_exact_count()) {
        for row in group.privacy.iter().flatten() {
            let Some(count) = row.count else {
                faults.push(format!("{}: it is not said how many there are", row.level));
                continue;
            };
            *records.entry(level_key(&row.level, row.epsilon)).or_default() += u128::from(count);
            counted += u128::from(count);
        }
    }
    for one in members {
        let own = u128::from(one.groups.get()).saturating_mul(u128::from(one.persons));
        places = places.saturating_add(own);
        if let Some(counted) = records.get_mut(&level_key(&one.counts_as, one.part)) {
            *counted = counted.saturating_sub(own);
        }
    }
    let has_numbers = members.iter().any(|one| is_number(&one.level));
    let short = records.into_iter().filter(|(_, counted)| *counted > 0 && !has_numbers);
    faults.extend(
        short.map(|((level, _), _)| format!("{level}: groups have more records than members")),
    );
    if counted > places {
        faults.push("members: groups have more records than they".to_owned());
    }
    let has_classes = members.iter().any(|one| one.counts_as != one.level && class(one).is_some());
    for one in members {
        let groups = one.groups.get();
        let is_in_class = match class(one) {
            Some((least, most)) => (least..=most).contains(&groups),
            None => !has_classes || groups == 1,
        };
        if !is_in_class {
            faults.push(format!("{} in {groups} groups: it counts as another class", one.level));
        }
    }
    let divisors = members.iter().filter(|one| !one.epsilon.is_public() && one.part.get() > 0.0);
    let divisors: BTreeSet<u32> =
        divisors.map(|one| (one.epsilon.get() / one.part.get()).round() as u32).collect();
    for divisor in divisors {
        if !members.iter().any(|one| one.groups.get() == divisor) {
            faults.push(format!(
                "members: nobody is in {divisor} groups, and budgets are divided so"
            ));
        }
    }
    faults
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
