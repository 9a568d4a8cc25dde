//! Changed profiles: people who join or leave, and multiples.

use std::collections::BTreeMap;

use super::{Level, Profile};
use crate::error::{for_example, option};
use crate::{Epsilon, Error, Result};

impl Profile {
    /// The profile after people joined, left or changed level, for what-if questions.
    ///
    /// `change` lists `epsilon:+N` or `epsilon:-N`, separated by commas.
    ///
    /// # Errors
    ///
    /// Refuses text of another form, removing more people than there are, and removing everybody.
    ///
    /// # Example
    ///
    /// ```
    /// use suum_core::Profile;
    ///
    /// let profile: Profile = "0.1:3400,0.5:4300".parse()?;
    /// assert_eq!(profile.what_if("inf:+500,0.5:-4300")?.to_string(), "0.1:3400,inf:500");
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    pub fn what_if(&self, change: &str) -> Result<Self> {
        let malformed = || {
            Error::parameter(
                option::WHAT_IF,
                "expected EPSILON:+N or EPSILON:-N, separated by commas",
            )
            .with_fix(for_example(option::WHAT_IF, "inf:+500,0.1:-20"))
        };
        self.check_one_stratum()?;
        let mut counts: BTreeMap<Epsilon, u64> =
            self.levels.iter().map(|level| (level.epsilon, level.count)).collect();
        for part in change.split(',') {
            let (epsilon, delta) = part.split_once(':').ok_or_else(malformed)?;
            let epsilon: Epsilon = epsilon.parse()?;
            let delta = delta.trim();
            let count = counts.entry(epsilon).or_default();
            let digits = delta.strip_prefix(['+', '-']).ok_or_else(malformed)?;
            let people: u64 = digits.parse().map_err(|_| malformed())?;
            let changed = if delta.starts_with('+') {
                count.checked_add(people)
            } else {
                count.checked_sub(people)
            };
            *count = changed.ok_or_else(|| {
                Error::parameter(
                    option::WHAT_IF,
                    format!("the level {epsilon} does not have that many people"),
                )
                .with_fix("take away at most as many as there are")
            })?;
        }
        Self::new(
            counts
                .into_iter()
                .filter(|(_, n)| *n > 0)
                .map(|(epsilon, count)| Level { epsilon, count }),
        )
    }

    /// Returns the profile with `factor` times as many people in every level, rounded up to whole
    /// numbers.
    ///
    /// # Errors
    ///
    /// Refuses a factor that is not positive, and more people than there can be.
    ///
    /// # Example
    ///
    /// ```
    /// use suum_core::Profile;
    ///
    /// let profile: Profile = "0.1:3400,inf:3".parse()?;
    /// assert_eq!(profile.times(1.5)?.to_string(), "0.1:5100,inf:5");
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    pub fn times(&self, factor: f64) -> Result<Self> {
        let refused = || {
            Error::parameter(option::PROFILE, "so many people cannot be counted")
                .with_fix("ask for a larger error")
        };
        let more = |level: &Level| {
            let count = (level.count as f64 * factor).ceil();
            let fits = count >= 1.0 && count < 2f64.powi(62);
            fits.then_some(Level { epsilon: level.epsilon, count: count as u64 })
                .ok_or_else(refused)
        };
        let levels = self.levels.iter().map(more).collect::<Result<Vec<_>>>()?;
        let all = levels.iter().try_fold(0u64, |all, level| all.checked_add(level.count));
        // Multiplying keeps the order of levels.
        Ok(Self { levels, strata: self.strata.clone(), records: all.ok_or_else(refused)? })
    }
}
