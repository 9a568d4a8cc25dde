//! How many people allow how much: the public privacy profile.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use serde::Serialize;

use crate::{Epsilon, Error, Result};

/// All records with one privacy budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Level {
    /// The budget of every record of the level.
    pub epsilon: Epsilon,
    /// How many records there are; at least one.
    pub count: u64,
}

/// The privacy levels of a dataset, in ascending order of ε, each ε once.
///
/// Under replace-one neighbours the profile is public: everything about a release is chosen from it
/// before a value is touched (spec of the setting: CC23 section II, CC24 section 2). Its text form
/// lists `epsilon:count` pairs.
///
/// # Example
///
/// ```
/// use suum_core::Profile;
///
/// let profile: Profile = "0.5:4300, 0.1:3400, inf:23".parse()?;
/// assert_eq!(profile.to_string(), "0.1:3400,0.5:4300,inf:23");
/// assert_eq!(profile.records(), 7723);
/// assert!("0.1:0".parse::<Profile>().is_err(), "a level without records is refused");
/// # Ok::<(), suum_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Profile {
    levels: Vec<Level>,
}

impl Profile {
    /// The profile of the given levels, in any order; levels of equal ε are merged.
    ///
    /// # Errors
    ///
    /// Refuses an empty profile, a level without records, and more than 2^63 records.
    pub fn new(levels: impl IntoIterator<Item = Level>) -> Result<Self> {
        let mut levels: Vec<Level> = levels.into_iter().collect();
        let mut records: u64 = 0;
        for level in &levels {
            if level.count == 0 {
                return Err(Error::parameter("profile: a level has no records")
                    .with_hint("leave the level out, or give it a count of at least 1"));
            }
            records = records
                .checked_add(level.count)
                .filter(|total| *total <= 1 << 63)
                .ok_or_else(|| {
                    Error::parameter("profile: more than 2^63 records")
                        .with_hint("check the counts")
                })?;
        }
        if levels.is_empty() {
            return Err(Error::parameter("profile: there are no records")
                .with_hint("add EPSILON:COUNT pairs"));
        }
        levels.sort_unstable_by_key(|level| level.epsilon);
        levels.dedup_by(|later, kept| {
            let same = later.epsilon == kept.epsilon;
            kept.count += if same { later.count } else { 0 };
            same
        });
        Ok(Self { levels })
    }

    /// The levels in ascending order of ε.
    pub fn levels(&self) -> &[Level] {
        &self.levels
    }

    /// n: the number of records, unused ones included.
    pub fn records(&self) -> u64 {
        self.levels.iter().map(|level| level.count).sum()
    }

    /// The levels whose records may be used (ε > 0).
    ///
    /// The lowest level, ε = 0, is the only one that can be missing from them.
    pub fn usable(&self) -> &[Level] {
        match self.levels.first() {
            Some(first) if first.epsilon.is_unused() => &self.levels[1..],
            _ => &self.levels,
        }
    }

    /// Refuses a profile in which nobody may be used.
    pub(crate) fn check_usable(&self) -> Result<()> {
        if self.usable().is_empty() {
            return Err(Error::parameter(
                "privacy: every budget is zero, so no record may be used",
            )
            .with_hint("give at least one level a positive budget"));
        }
        Ok(())
    }

    /// The position of the level with this budget.
    pub fn position(&self, epsilon: Epsilon) -> Option<usize> {
        self.levels.binary_search_by(|level| level.epsilon.cmp(&epsilon)).ok()
    }

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
            Error::parameter("what-if: expected EPSILON:+N or EPSILON:-N, separated by commas")
                .with_hint("for example --what-if \"inf:+500,0.1:-20\"")
        };
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
                Error::parameter(format!(
                    "what-if: the level {epsilon} does not have that many people"
                ))
                .with_hint("take away at most as many as there are")
            })?;
        }
        Self::new(
            counts
                .into_iter()
                .filter(|(_, n)| *n > 0)
                .map(|(epsilon, count)| Level { epsilon, count }),
        )
    }
}

/// Profiles of more people.
impl Profile {
    /// So many times as many people in every level, in whole numbers, rounded up.
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
            Error::parameter("profile: so many people cannot be counted")
                .with_hint("ask for a larger error")
        };
        let more = |level: &Level| {
            let count = (level.count as f64 * factor).ceil();
            let fits = count >= 1.0 && count < 2f64.powi(62);
            fits.then_some(Level { epsilon: level.epsilon, count: count as u64 })
                .ok_or_else(refused)
        };
        Self::new(self.levels.iter().map(more).collect::<Result<Vec<_>>>()?)
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, level) in self.levels.iter().enumerate() {
            let comma = if position == 0 { "" } else { "," };
            write!(f, "{comma}{}:{}", level.epsilon, level.count)?;
        }
        Ok(())
    }
}

impl FromStr for Profile {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let levels = text.split(',').enumerate().map(|(index, part)| {
            let malformed = |what: &str| {
                Error::parameter(format!("profile: pair {}: {what}", index + 1)).with_hint(
                    "write EPSILON:COUNT pairs, for example --profile \"0.1:3400,0.5:4300,inf:23\"",
                )
            };
            let (epsilon, count) =
                part.split_once(':').ok_or_else(|| malformed("there is no colon"))?;
            Ok(Level {
                epsilon: epsilon.parse().map_err(|_| malformed("not a privacy budget"))?,
                count: count.trim().parse().map_err(|_| malformed("not a count of people"))?,
            })
        });
        Self::new(levels.collect::<Result<Vec<_>>>()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn refuses_malformed_text() {
        for bad in [
            "",
            ",",
            "0.1",
            "0.1:",
            ":3",
            "0.1:-3",
            "0.1:3,",
            "x:3",
            "nan:3",
            "0.1:1.5",
            "0.1:99999999999999999999",
        ] {
            assert!(bad.parse::<Profile>().is_err(), "{bad}");
        }
        assert!("1:9223372036854775808,2:1".parse::<Profile>().is_err(), "more than 2^63 records");
    }

    #[test]
    fn refuses_impossible_changes() {
        let profile: Profile = "0.1:3,inf:2".parse().unwrap();
        for bad in [
            "",
            "0.1",
            "0.1:3",
            "0.1:-4",
            "0.2:-1",
            "0.1:-3,inf:-2",
            "0.1:+x",
            "0.1:+18446744073709551615",
        ] {
            assert!(profile.what_if(bad).is_err(), "{bad}");
        }
    }

    proptest! {
        #[test]
        fn text_reads_back(levels in prop::collection::vec((0u8..40, 1u64..1_000_000), 1..20)) {
            let profile = Profile::new(levels.iter().map(|(e, count)| Level {
                epsilon: Epsilon::new(f64::from(*e) / 7.0).unwrap(),
                count: *count,
            })).unwrap();
            prop_assert_eq!(profile.to_string().parse::<Profile>().unwrap(), profile);
        }

        #[test]
        fn no_text_panics(text in "\\PC*") {
            let _ = text.parse::<Profile>();
            let _ = Profile::new([Level { epsilon: Epsilon::PUBLIC, count: 1 }])
                .unwrap()
                .what_if(&text);
        }
    }
}
