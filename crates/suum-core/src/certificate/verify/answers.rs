//! Certificate of several answers: the loss of every level to all of them together.

use super::record::{ReleaseRecord, Row};
use super::{VerifiedCertificate, VerifiedLevel, fault, missing, verify};
use crate::error::{option, unchanged_json};
use crate::{Epsilon, Error, Loss, Result};

/// Checks every answer, and that the whole certificate is their sum.
pub(super) fn verify_answers(
    survey: &ReleaseRecord,
    answers: &[ReleaseRecord],
    of: &[String],
    into: &mut Vec<VerifiedCertificate>,
) -> Result<()> {
    let rows = survey.privacy.as_deref().ok_or_else(|| missing("privacy"))?;
    if !survey.have_answers_one_relation() {
        return Err(Error::parameter(option::NEIGHBORS, "answers differ in them")
            .with_fix(unchanged_json()));
    }
    let mut own = Vec::with_capacity(answers.len());
    for (at, answer) in answers.iter().enumerate() {
        let name = format!("answer {}", at + 1);
        let of: Vec<String> = of.iter().cloned().chain([name]).collect();
        let before = into.len();
        verify(answer, &of, into)?;
        own.push((answer, before..into.len()));
    }
    let costs =
        own.into_iter().map(|(answer, own)| Cost::from_answer(answer, of.len() + 1, &into[own]));
    let total = total(of, rows, &costs.collect::<Vec<_>>());
    into.push(total);
    Ok(())
}

/// Recomputed cost of one answer for every level, the strictest first.
struct Cost<'c>(Vec<&'c VerifiedLevel>);

impl<'c> Cost<'c> {
    /// Returns the cost of an answer whose certificates were checked.
    ///
    /// Of disjoint groups it is the largest cost in any of them. If a record can change several of
    /// them, there is a certificate of these together.
    fn from_answer(answer: &ReleaseRecord, depth: usize, own: &'c [VerifiedCertificate]) -> Self {
        let is_of_groups = answer.is_grouped() && !answer.are_groups_together();
        let of_groups = own.iter().filter(|one| one.of.len() == depth + 1);
        let levels = match is_of_groups {
            true => of_groups.flat_map(|one| &one.levels).collect(),
            false => own.last().map(|one| one.levels.iter().collect()).unwrap_or_default(),
        };
        Self(levels)
    }

    /// Returns the largest loss of a record of this row. If the answer lacks the level, it is the
    /// largest loss of any level that is not above it.
    fn at(&self, row: &Row) -> Loss {
        let most = |fits: &dyn Fn(&VerifiedLevel) -> bool| {
            let losses = self.0.iter().filter(|level| fits(level)).map(|level| &level.recomputed);
            losses.max().cloned()
        };
        most(&|level| is_of(row, level))
            .or_else(|| most(&|level| level.epsilon <= row.epsilon))
            .unwrap_or(Loss::ZERO)
    }
}

/// Returns true if a row is that of a level.
fn is_of(row: &Row, level: &VerifiedLevel) -> bool {
    let written = |epsilon: Epsilon| epsilon.written().get().to_bits();
    row.level == level.level && written(row.epsilon) == written(level.epsilon)
}

/// Compares the sum over all answers with the certificate of the whole.
fn total(of: &[String], rows: &[Row], costs: &[Cost<'_>]) -> VerifiedCertificate {
    let (mut levels, mut faults) = (Vec::with_capacity(rows.len()), Vec::new());
    for row in rows {
        let sum = costs.iter().map(|cost| cost.at(row));
        let sum = sum.reduce(|sum, loss| sum.plus(&loss)).unwrap_or(Loss::ZERO);
        let fault = fault(&sum, row.spent.0, row.epsilon);
        faults.extend(fault.map(|fault| format!("{}: {fault}", row.level)));
        let Row { level, epsilon, spent, .. } = row.clone();
        levels.push(VerifiedLevel { level, epsilon, spent: spent.0, recomputed: sum });
    }
    for (at, cost) in costs.iter().enumerate() {
        let is_listed = |level: &&&VerifiedLevel| !rows.iter().any(|row| is_of(row, level));
        faults.extend(cost.0.iter().find(is_listed).map(|level| {
            format!("{}: it is in answer {}, and no line of the whole", level.level, at + 1)
        }));
    }
    let of = of.iter().cloned().chain(["all answers together".to_owned()]).collect();
    VerifiedCertificate { of, measurements: 0, levels, faults }
}
