//! Where a random sample comes from.

use crate::{Error, LevelTable, Randomness, Result, SampledSum};

/// The random sample that the sums of a level table are over.
///
/// Probabilities, noise and divisor of a sample belong together: with the sample of one plan and
/// the noise of another no budget would hold. So a table says whose sample it is, and only that
/// plan releases it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sampled {
    /// What the sample was taken for, with the probabilities that were used.
    pub by: SampledSum,
    /// Whether the decisions came from secret entropy. Who can repeat them knows whose record was
    /// dropped.
    pub private: bool,
}

impl LevelTable {
    /// Refuses a table that is not the random sample `planned`, or that is one where none was
    /// planned.
    pub(crate) fn check_sample(&self, planned: Option<&SampledSum>) -> Result<()> {
        let refused = |what: &str, hint: &str| {
            Err(Error::table(format!("level table: {what}")).with_hint(hint))
        };
        let kept = self.cohorts().iter().filter(|cohort| cohort.kept.is_some()).count();
        match (planned, self.sampled()) {
            (None, None) if kept == 0 => Ok(()),
            (None, _) => refused(
                "it is a random sample, made for the estimator sample",
                "let suum read all the records themselves",
            ),
            (Some(_), _) if kept < self.cohorts().len() => refused(
                "the estimator sample needs a random sample of the records, which this table is \
                not",
                "let suum read the records themselves, or choose another estimator",
            ),
            (Some(_), None) => refused(
                "it does not say for which plan its random sample was taken",
                "let suum read the records themselves, or say it with LevelTable::with_sample",
            ),
            (Some(planned), Some(sampled)) if sampled.by != *planned => refused(
                "its random sample was taken for another plan",
                "release it by the plan it was taken for, or take a sample for this one",
            ),
            (Some(_), Some(_)) => Ok(()),
        }
    }

    /// Whether what is released with noise from `randomness` protects anybody: all that was drawn
    /// for it is secret.
    pub(crate) fn is_private_with(&self, randomness: &Randomness) -> bool {
        randomness.is_private() && self.sampled().is_none_or(|sampled| sampled.private)
    }
}
