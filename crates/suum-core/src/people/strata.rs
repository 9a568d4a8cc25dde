//! Strata: groups of records whose shares an estimate keeps.

use std::collections::HashSet;

use crate::error::{for_example, option, say};
use crate::{Error, Profile, Result};

/// Declared strata: the groups of a public column, each with its share of the whole. Budgets may
/// depend on the stratum.
///
/// Clipped weights lean towards those who allow more. If the young allow more and have other
/// values, an estimate leans towards the young. With strata the weights of each stratum keep its
/// share, so budgets need to be unrelated to values only within each stratum. The stratum of every
/// record is public and fixed.
///
/// # Example
///
/// ```
/// use suum_core::{Profile, Shares, Strata};
///
/// let names = ["young", "old"].map(str::to_owned).to_vec();
/// let strata = Strata::new("age", names, Shares::Population(vec![1.0, 3.0]))?;
/// let people = Profile::in_strata(&["1:50".parse()?, "0.1:50".parse()?])?;
/// assert_eq!(strata.shares_of(&people)?, [0.25, 0.75]);
/// # Ok::<(), suum_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Strata {
    column: String,
    names: Vec<String>,
    shares: Shares,
}

/// Shares of the strata in the whole.
#[derive(Debug, Clone, PartialEq)]
pub enum Shares {
    /// Number of records of the stratum over the number of all records.
    Records,
    /// Declared share for each stratum: a part of the population, or its size.
    Population(Vec<f64>),
    /// Sum of the design weights of the stratum's records: one declared weight for each stratum.
    Design(Vec<f64>),
}

impl Strata {
    /// Largest number of strata.
    pub const MOST: usize = 1 << 16;

    /// Returns strata with these names in a column, each with its share.
    ///
    /// # Errors
    ///
    /// Refuses no strata, more than [`MOST`](Self::MOST), repeated or empty names, a number of
    /// shares or weights other than that of names, and shares that are not positive and finite.
    pub fn new(column: impl Into<String>, names: Vec<String>, shares: Shares) -> Result<Self> {
        if names.is_empty() || names.len() > Self::MOST {
            return Err(Error::parameter(
                option::STRATA,
                "there must be between 1 and 65536 of them",
            )
            .with_fix("declare the values of the column, or fewer of them"));
        }
        let mut seen = HashSet::with_capacity(names.len());
        if !names.iter().all(|name| !name.trim().is_empty() && seen.insert(name)) {
            return Err(Error::parameter(option::STRATA, "a name is empty or repeated")
                .with_fix("declare each value of the column once"));
        }
        if let Shares::Population(numbers) | Shares::Design(numbers) = &shares {
            let sum: f64 = numbers.iter().sum();
            let possible = numbers.iter().all(|one| *one > 0.0) && sum.is_finite();
            if numbers.len() != names.len() || !possible {
                return Err(Error::parameter(
                    option::STRATA,
                    "every share or weight must be positive",
                )
                .with_fix(for_example(option::POPULATION_SHARES, "young=0.4,old=0.6")));
            }
        }
        Ok(Self { column: column.into(), names, shares })
    }

    /// Returns the column that has the stratum of a record.
    pub fn column(&self) -> &str {
        &self.column
    }

    /// The strata, in the order declared.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Returns the source of the shares.
    pub fn shares(&self) -> &Shares {
        &self.shares
    }

    /// Returns N, the number of records that a sum is over: each counted as often as its design
    /// weight says, or as many as the population is declared to have.
    ///
    /// # Errors
    ///
    /// Refuses population shares that cannot be numbers of records, because a stratum would have
    /// fewer in the population than in the data. (Parts of 1 are such.)
    pub fn total_of(&self, profile: &Profile) -> Result<f64> {
        let records = profile.records_of_strata().into_iter().map(|records| records as f64);
        match &self.shares {
            Shares::Records => Ok(records.sum()),
            Shares::Design(weights) => Ok(records.zip(weights).map(|(n, weight)| n * weight).sum()),
            Shares::Population(sizes) => match records.zip(sizes).all(|(n, size)| *size >= n) {
                true => Ok(sizes.iter().sum()),
                false => Err(Error::request(
                    option::POPULATION_SHARES,
                    "a sum needs how many the population has in each stratum, not only what share \
                     of it each is",
                )
                .with_fix(
                    say("declare numbers that are at least those of the records, for example")
                        .set(option::POPULATION_SHARES, "young=4000,old=6000")
                        .say("; or ask for a mean"),
                )),
            },
        }
    }

    /// Returns D_d, the share of each stratum; together they are 1.
    ///
    /// # Errors
    ///
    /// Refuses a profile with other strata, and a stratum without usable records: nothing could
    /// estimate its share.
    pub fn shares_of(&self, profile: &Profile) -> Result<Vec<f64>> {
        let (records, usable) = (profile.records_of_strata(), profile.usable_strata());
        if records.len() > self.names.len() {
            return Err(Error::internal("a profile has other strata"));
        }
        if let Some(name) = (0..).zip(&self.names).find_map(|(stratum, name)| {
            let is_usable = usable.get(stratum).is_some_and(|usable| *usable);
            (!is_usable).then_some(name)
        }) {
            return Err(Error::data(
                option::STRATA,
                format!("no record of stratum {name:?} may be used, so nothing is known of it"),
            )
            .with_fix("declare it together with another one in the data, or leave it out"));
        }
        let records = records.into_iter().map(|records| records as f64);
        let sizes: Vec<f64> = match &self.shares {
            Shares::Records => records.collect(),
            Shares::Population(shares) => shares.clone(),
            Shares::Design(weights) => records.zip(weights).map(|(n, weight)| n * weight).collect(),
        };
        let sum: f64 = sizes.iter().sum();
        Ok(sizes.into_iter().map(|size| size / sum).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn shares_come_from_records_or_are_declared() {
        let people =
            Profile::in_strata(&["1:30,2:10".parse().unwrap(), "0.5:10".parse().unwrap()]).unwrap();
        let shares = |shares: Shares| {
            Strata::new("age", names(&["a", "b"]), shares).unwrap().shares_of(&people).unwrap()
        };
        assert_eq!(shares(Shares::Records), [0.8, 0.2]);
        assert_eq!(shares(Shares::Population(vec![30.0, 10.0])), [0.75, 0.25]);
        assert_eq!(shares(Shares::Design(vec![1.0, 4.0])), [0.5, 0.5]);
    }

    #[test]
    fn total_counts_records_as_often_as_they_stand_for() {
        let people =
            Profile::in_strata(&["1:30,2:10".parse().unwrap(), "0.5:10".parse().unwrap()]).unwrap();
        let total = |shares: Shares| {
            Strata::new("age", names(&["a", "b"]), shares).unwrap().total_of(&people)
        };
        assert_eq!(total(Shares::Records).unwrap(), 50.0);
        assert_eq!(total(Shares::Design(vec![1.0, 2.5])).unwrap(), 65.0);
        assert_eq!(total(Shares::Population(vec![400.0, 10.0])).unwrap(), 410.0);
        for shares in [vec![0.4, 0.6], vec![75.0, 9.0]] {
            let refused = total(Shares::Population(shares)).unwrap_err();
            assert!(refused.fix().unwrap().to_string().contains("young=4000"), "{refused}");
        }
    }

    #[test]
    fn refuses_what_cannot_be() {
        let strata = |list: &[&str], shares| Strata::new("age", names(list), shares);
        assert!(strata(&[], Shares::Records).is_err());
        assert!(strata(&["a", "a"], Shares::Records).is_err());
        assert!(strata(&["a", " "], Shares::Records).is_err());
        for bad in [vec![1.0], vec![1.0, 0.0], vec![1.0, f64::INFINITY], vec![1.0, f64::NAN]] {
            assert!(strata(&["a", "b"], Shares::Population(bad)).is_err());
        }
        // A stratum without records, or with nobody who may be used.
        let three = strata(&["a", "b", "c"], Shares::Records).unwrap();
        let people = |second: &str| {
            Profile::in_strata(&["1:3".parse().unwrap(), second.parse().unwrap()]).unwrap()
        };
        let refused = three.shares_of(&people("1:2")).unwrap_err();
        assert!(refused.to_string().contains("\"c\""), "{refused}");
        let two = strata(&["a", "b"], Shares::Records).unwrap();
        assert!(two.shares_of(&people("0:2")).unwrap_err().to_string().contains("\"b\""));
    }
}
