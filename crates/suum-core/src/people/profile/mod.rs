//! Privacy profile: the public number of people at each budget.

mod changed;

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use serde::Serialize;

pub use changed::NamedTier;

use crate::error::{leave_out, option, say};
use crate::{Epsilon, Error, Result};

/// Group of all records with one privacy budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Level {
    /// Budget of every record of the level.
    pub epsilon: Epsilon,
    /// Number of records; at least one.
    pub count: u64,
}

/// Privacy levels of a dataset, in ascending order of ε, each ε once. With strata
/// ([`in_strata`](Self::in_strata)) each ε occurs once in each stratum.
///
/// Under replace-one neighbours the profile is public: everything about a release is chosen from it
/// before a value is read (source of the setting: CC23 section II, CC24 section 2). Its text form
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
    // Stratum of each level; empty if all are in the first.
    #[serde(skip)]
    strata: Vec<u32>,
    #[serde(skip)]
    records: u64,
}

impl Profile {
    /// Returns the profile of the given levels, in any order; levels of equal ε are merged.
    ///
    /// # Errors
    ///
    /// Refuses an empty profile, a level without records, and more than 2^63 records.
    pub fn new(levels: impl IntoIterator<Item = Level>) -> Result<Self> {
        Self::with_strata(levels.into_iter().map(|level| (level, 0)).collect())
    }

    /// Returns the profile of these levels, each with its stratum, in any order. Levels of equal ε
    /// in one stratum are merged.
    pub(crate) fn with_strata(mut levels: Vec<(Level, u32)>) -> Result<Self> {
        let mut records: u64 = 0;
        for (level, _) in &levels {
            if level.count == 0 {
                return Err(Error::parameter(option::PROFILE, "a level has no records")
                    .with_fix("leave the level out, or give it a count of at least 1"));
            }
            records = records
                .checked_add(level.count)
                .filter(|total| *total <= 1 << 63)
                .ok_or_else(|| {
                    Error::parameter(option::PROFILE, "more than 2^63 records")
                        .with_fix("check the counts")
                })?;
        }
        if levels.is_empty() {
            return Err(Error::parameter(option::PROFILE, "there are no records")
                .with_fix("add EPSILON:COUNT pairs"));
        }
        levels.sort_unstable_by_key(|(level, stratum)| (level.epsilon, *stratum));
        levels.dedup_by(|later, kept| {
            let same = (later.0.epsilon, later.1) == (kept.0.epsilon, kept.1);
            kept.0.count += if same { later.0.count } else { 0 };
            same
        });
        let is_stratified = levels.iter().any(|(_, stratum)| *stratum != 0);
        let strata = levels.iter().map(|(_, stratum)| *stratum).filter(|_| is_stratified).collect();
        Ok(Self { levels: levels.into_iter().map(|(level, _)| level).collect(), strata, records })
    }

    /// The levels in ascending order of ε.
    pub fn levels(&self) -> &[Level] {
        &self.levels
    }

    /// Returns n, the number of records, unused ones included.
    pub fn records(&self) -> u64 {
        self.records
    }

    /// Returns the levels whose records may be used (ε > 0).
    ///
    /// Only the lowest levels, with ε = 0, can be missing from them.
    pub fn usable(&self) -> &[Level] {
        &self.levels[self.levels.partition_point(|level| level.epsilon.is_unused())..]
    }

    /// Refuses a profile without usable records.
    pub(crate) fn check_usable(&self) -> Result<()> {
        if self.usable().is_empty() {
            return Err(Error::parameter(
                option::PRIVACY,
                "every budget is zero, so no record may be used",
            )
            .with_fix("give at least one level a positive budget"));
        }
        Ok(())
    }

    /// Returns the position of the level with this budget; with strata, that of the first such
    /// level.
    pub fn position(&self, epsilon: Epsilon) -> Option<usize> {
        Some(self.positions(epsilon)).filter(|all| !all.is_empty()).map(|all| all.start)
    }

    /// Returns the positions of the levels with this budget: at most one in each stratum.
    pub(crate) fn positions(&self, epsilon: Epsilon) -> Range<usize> {
        let start = self.levels.partition_point(|level| level.epsilon < epsilon);
        let same = self.levels[start..].partition_point(|level| level.epsilon == epsilon);
        start..start + same
    }

    /// Returns the position of the level of a stratum with this budget. It is found fast if `guess`
    /// is right.
    pub(crate) fn position_at(
        &self,
        guess: usize,
        epsilon: Epsilon,
        stratum: usize,
    ) -> Option<usize> {
        let is_it = |at: &usize| {
            self.levels.get(*at).is_some_and(|level| level.epsilon == epsilon)
                && self.stratum(*at) == stratum
        };
        let search = || {
            let same = self.positions(epsilon);
            let strata = self.strata.get(same.clone()).unwrap_or_default();
            Some(same.start + strata.partition_point(|one| (*one as usize) < stratum))
        };
        Some(guess).filter(is_it).or_else(|| search().filter(is_it))
    }
}

/// Profiles of records in strata.
impl Profile {
    /// Returns the profile of all records of these strata, each of which keeps its own levels.
    ///
    /// # Errors
    ///
    /// Refuses more than 2^63 records, and no stratum at all.
    ///
    /// # Example
    ///
    /// ```
    /// use suum_core::Profile;
    ///
    /// let strata = ["0.1:30,1:2".parse()?, "1:50".parse()?];
    /// let all = Profile::in_strata(&strata)?;
    /// assert_eq!((all.records(), all.levels().len(), all.strata()), (82, 3, 2));
    /// assert_eq!(all.without_strata()?.to_string(), "0.1:30,1:52");
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    pub fn in_strata(strata: &[Profile]) -> Result<Self> {
        let levels = (0..).zip(strata).flat_map(|(stratum, profile)| {
            profile.levels.iter().map(move |level| (*level, stratum))
        });
        Self::with_strata(levels.collect())
    }

    /// Returns the profile of the records with other budgets, given by the position of their level.
    pub(crate) fn with_budgets(&self, budget: impl Fn(usize) -> Epsilon) -> Result<Self> {
        let levels = self.levels.iter().enumerate();
        let levels = levels.map(|(position, level)| {
            let stratum = self.strata.get(position).copied().unwrap_or(0);
            (Level { epsilon: budget(position), count: level.count }, stratum)
        });
        Self::with_strata(levels.collect())
    }

    /// Returns the number of strata that have records; 1 without strata.
    pub fn strata(&self) -> usize {
        self.records_of_strata().iter().filter(|records| **records > 0).count()
    }

    /// Returns true if the records are in several strata.
    pub fn is_stratified(&self) -> bool {
        !self.strata.is_empty()
    }

    /// Returns the stratum of the level at this position; 0 without strata.
    pub fn stratum(&self, position: usize) -> usize {
        self.strata.get(position).map_or(0, |stratum| *stratum as usize)
    }

    /// Returns the number of records of each stratum.
    pub fn records_of_strata(&self) -> Vec<u64> {
        let Some(last) = self.strata.iter().max() else { return vec![self.records()] };
        let mut records = vec![0; *last as usize + 1];
        for (position, level) in self.levels.iter().enumerate() {
            records[self.stratum(position)] += level.count;
        }
        records
    }

    /// Returns, for each stratum, true if it has usable records.
    pub(crate) fn usable_strata(&self) -> Vec<bool> {
        let mut usable = vec![false; self.records_of_strata().len()];
        for (position, level) in self.levels.iter().enumerate() {
            usable[self.stratum(position)] |= !level.epsilon.is_unused();
        }
        usable
    }

    /// Returns the profile of the records without strata.
    ///
    /// # Errors
    ///
    /// Refuses more than 2^63 records.
    pub fn without_strata(&self) -> Result<Self> {
        Self::new(self.levels.iter().copied())
    }

    fn check_one_stratum(&self) -> Result<()> {
        match self.is_stratified() {
            false => Ok(()),
            true => Err(Error::request(option::WHAT_IF, "people in strata cannot be moved about")
                .with_fix(
                    leave_out(option::WHAT_IF)
                        .say(", or ask without")
                        .option(option::STRATA)
                        .say("and")
                        .option(option::WEIGHT),
                )),
        }
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
                Error::parameter(option::PROFILE, format!("pair {}: {what}", index + 1)).with_fix(
                    say("write EPSILON:COUNT pairs, for example")
                        .set(option::PROFILE, "0.1:3400,0.5:4300,inf:23"),
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
            assert!(profile.what_if(bad, &[]).is_err(), "{bad}");
        }
        let open = NamedTier { name: "open", epsilon: Epsilon::PUBLIC, count: 1 };
        for bad in ["open:-2", "open:+", "open:+x%", "open:+-5%", "open:+1e30%", "opn:+1"] {
            assert!(profile.what_if(bad, &[open]).is_err(), "{bad}");
        }
    }

    #[test]
    fn names_and_percentages_change_tiers() {
        let profile: Profile = "0.1:30,inf:20".parse().unwrap();
        let of = |name, epsilon, count| NamedTier { name, epsilon, count };
        let strict = Epsilon::new(0.1).unwrap();
        // Two tiers that allow the same are one level.
        let tiers = [of("a", strict, 10), of("b: c", strict, 20), of("open", Epsilon::PUBLIC, 20)];
        let changed = |change: &str| profile.what_if(change, &tiers).unwrap().to_string();
        assert_eq!(changed("open:+20%"), "0.1:30,inf:24");
        assert_eq!(changed("a:-100%, open:+1"), "0.1:20,inf:21");
        assert_eq!(changed("b: c:+12.4%"), "0.1:32,inf:20");
        assert_eq!(changed("inf:-50%,1:+3"), "0.1:30,1:3,inf:10");
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
                .what_if(&text, &[]);
        }
    }
}
