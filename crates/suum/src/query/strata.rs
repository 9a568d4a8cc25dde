//! Strata: their column, and the share of the estimate that each has.

use std::str::FromStr;

use serde::{Serialize, Serializer};
use suum_core::{
    Error, OptionName, Phrase, Result, Shares, Strata, for_example, leave_out, option, say,
};
use suum_data::{CategoryRule, GroupColumn, Grouping, list};

use super::columns::in_option;
use super::{Labels, Query};
use crate::options::Statistics;
use crate::statistic::StatisticName;

/// Share or size of each stratum in the population.
#[derive(Debug, Clone, PartialEq)]
pub struct PopulationShares(Vec<(String, f64)>);

impl FromStr for PopulationShares {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let refused = || {
            Error::parameter(
                option::POPULATION_SHARES,
                "expected STRATUM=SHARE pairs separated by commas",
            )
            .with_fix(for_example(option::POPULATION_SHARES, "young=0.4,old=0.6"))
        };
        let pairs = list::pairs(text).into_iter().map(|pair| {
            let (label, share) = pair.ok_or_else(refused)?;
            Ok((label, share.trim().parse().map_err(|_| refused())?))
        });
        Ok(Self(pairs.collect::<Result<_>>()?))
    }
}

/// Serialized as a map from strata to shares.
impl Serialize for PopulationShares {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, share)| (name, share)))
    }
}

/// Description of strata of persons in equally many groups, in place of the name of a column.
const MEMBER_CLASSES: &str = "the number of a person's groups";

impl Query {
    /// Returns true if the estimate keeps the shares of strata.
    pub(crate) fn has_strata(&self) -> bool {
        self.strata.is_some() || self.weight.is_some()
    }

    /// Columns by which records are grouped while they are read: those of the groups, followed by
    /// that of the strata.
    pub(crate) fn divided_by(&self) -> Result<Option<Grouping>> {
        let groups = self.groups()?;
        let Some(strata) = self.strata()? else { return Ok(groups) };
        let names = strata.names().to_vec();
        let (classes, hint) = match strata.shares() {
            Shares::Design(_) => (CategoryRule::weights(names), declared_weights()),
            Shares::Records | Shares::Population(_) => {
                (CategoryRule::labels(names, None), declared_classes())
            }
        };
        let classes = classes.map_err(|error| in_option(&error, option::CLASSES, hint))?;
        let column = GroupColumn { column: strata.column().to_owned(), groups: classes };
        let columns = groups.iter().flat_map(Grouping::columns).cloned().chain([column]);
        Ok(Some(Grouping::new(columns.collect())?.ending_in_strata()))
    }

    /// Column of design weights, if the distinct weights are to be read from the data.
    pub(crate) fn undeclared_weight(&self) -> Option<&str> {
        self.weight.as_deref().filter(|_| self.classes.is_none())
    }

    /// Refuses impossible strata; weights that are not declared yet are replaced by placeholders
    /// for the check.
    pub(crate) fn check_strata(&self) -> Result<()> {
        match self.undeclared_weight() {
            None => self.strata().map(|_| ()),
            Some(_) => self.with_weights(["1".to_owned(), "2".to_owned()]).strata().map(|_| ()),
        }
    }

    /// Copy of the query with these design weights declared.
    pub(crate) fn with_weights(&self, weights: impl IntoIterator<Item = String>) -> Self {
        Self { classes: Some(Labels(weights.into_iter().collect())), ..self.clone() }
    }

    /// Strata whose shares the estimate keeps.
    pub(crate) fn strata(&self) -> Result<Option<Strata>> {
        if let Some(Labels(classes)) = &self.member_classes {
            return Strata::new(MEMBER_CLASSES, classes.clone(), Shares::Records).map(Some);
        }
        let (column, is_weight) = match (&self.strata, &self.weight) {
            (Some(_), Some(_)) => {
                return Err(Error::request(
                    option::WEIGHT,
                    "records of equal design weight are strata, and there are others",
                )
                .with_fix(
                    say("make one column of both in the data, and name it with")
                        .option(option::STRATA)
                        .say("and")
                        .option(option::POPULATION_SHARES),
                ));
            }
            (Some(column), None) => (column, false),
            (None, Some(column)) => (column, true),
            (None, None) => return self.check_no_strata(),
        };
        self.check_shares(if is_weight { option::WEIGHT } else { option::STRATA })?;
        let (names, shares) = match (&self.classes, &self.population_shares) {
            (_, Some(_)) if is_weight => {
                return Err(Error::request(
                    option::POPULATION_SHARES,
                    "with design weights a stratum has the share of its weights",
                )
                .with_fix(
                    say("leave")
                        .option(option::POPULATION_SHARES)
                        .say("or")
                        .option(option::WEIGHT)
                        .say("out"),
                ));
            }
            (Some(Labels(names)), None) if is_weight => {
                (names.clone(), Shares::Design(design_weights(names)?))
            }
            (Some(Labels(names)), None) => (names.clone(), Shares::Records),
            (classes, Some(PopulationShares(pairs))) => {
                let names: Vec<String> = pairs.iter().map(|(name, _)| name.clone()).collect();
                if classes.as_ref().is_some_and(|Labels(declared)| *declared != names) {
                    return Err(Error::request(
                        option::CLASSES,
                        Phrase::default()
                            .option(option::POPULATION_SHARES)
                            .say("has other strata, or another order"),
                    )
                    .with_fix(leave_out(option::CLASSES)));
                }
                (names, Shares::Population(pairs.iter().map(|(_, share)| *share).collect()))
            }
            (None, None) if is_weight => {
                return Err(Error::parameter(
                    option::CLASSES,
                    "the design weights are not declared, and no data are read that have them",
                )
                .with_fix(declared_weights()));
            }
            (None, None) => {
                return Err(Error::parameter(
                    option::CLASSES,
                    "the values of the column are not declared",
                )
                .with_fix(declared_classes()));
            }
        };
        Strata::new(column, names, shares).map(Some)
    }

    fn check_no_strata(&self) -> Result<Option<Strata>> {
        let given = [
            (self.classes.is_some(), option::CLASSES),
            (self.population_shares.is_some(), option::POPULATION_SHARES),
        ];
        match given.into_iter().find_map(|(given, option)| given.then_some(option)) {
            Some(option) => Err(Error::request(option, "there are no strata").with_fix(
                leave_out(option).say(", or name their column with").set(option::STRATA, "COL"),
            )),
            None => Ok(None),
        }
    }

    /// Refuses options that contradict strata.
    fn check_shares(&self, option: OptionName) -> Result<()> {
        let refused =
            |why: &'static str, fix: Phrase| Err(Error::request(option, why).with_fix(fix));
        // A level table is of strata, too, and its query is one of counts.
        if !Statistics::Estimated.include(&self.statistic) && self.statistic != StatisticName::Count
        {
            return refused(
                "keeps shares in a mean, a sum, a frequency or a quantile",
                say("leave it out, or ask for one of these"),
            );
        }
        if self.neighbors.hides_participation() {
            return refused(
                "weights follow from how many records each stratum has, which is to be hidden",
                say("use")
                    .set(option::NEIGHBORS, "replace")
                    .say(", where the strata of records are public"),
            );
        }
        Ok(())
    }
}

/// Ways to declare the values of a column of strata.
fn declared_classes() -> Phrase {
    say("declare them:")
        .set(option::CLASSES, "A,B,C")
        .say(", or")
        .set(option::POPULATION_SHARES, "A=0.4,B=0.6")
}

/// Way to declare design weights.
fn declared_weights() -> Phrase {
    say("declare every weight that may occur, once:").set(option::CLASSES, "1,2.5,4")
}

/// Numbers that the classes of design weights spell.
fn design_weights(names: &[String]) -> Result<Vec<f64>> {
    let number = |name: &String| {
        name.trim().parse().ok().filter(|weight: &f64| *weight > 0.0 && weight.is_finite())
    };
    names.iter().map(number).collect::<Option<Vec<f64>>>().ok_or_else(|| {
        Error::parameter(option::CLASSES, "design weights are positive numbers")
            .with_fix(declared_weights())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strata(options: &str) -> Result<Option<Strata>> {
        let json = format!(
            r#"{{"statistic": "mean", "value": "v", "bounds": [0, 1], "epsilon": "e", {options}}}"#
        );
        Query::from_json(&json)?.strata()
    }

    #[test]
    fn declared_classes_are_strata() {
        let of = |options| strata(options).unwrap().unwrap();
        let shares = of(r#""strata": "age", "population_shares": {"young": 2, "old": 3}"#);
        assert_eq!(shares.names(), ["young", "old"]);
        assert_eq!(shares.column(), "age");
        assert_eq!(*shares.shares(), Shares::Population(vec![2.0, 3.0]));
        let records = of(r#""strata": "age", "classes": ["young", "old"]"#);
        assert_eq!(*records.shares(), Shares::Records);
        let design = of(r#""weight": "w", "classes": "1,2.5""#);
        assert_eq!(*design.shares(), Shares::Design(vec![1.0, 2.5]));
    }

    #[test]
    fn what_does_not_go_together_is_refused() {
        for (options, option) in [
            (r#""strata": "age""#, "classes"),
            (r#""classes": "a,b""#, "classes"),
            (r#""population_shares": "a=1""#, "population_shares"),
            (r#""strata": "age", "population_shares": "a:1""#, "population_shares"),
            (r#""strata": "age", "weight": "w", "classes": "a""#, "weight"),
            (r#""weight": "w", "classes": "a,b""#, "classes"),
            (r#""weight": "w""#, "classes"),
            (r#""weight": "w", "population_shares": "1=0.5,2=0.5""#, "population_shares"),
            (r#""strata": "a", "classes": "x", "population_shares": "y=1""#, "classes"),
            (r#""strata": "a", "classes": "x", "neighbors": "both""#, "strata"),
        ] {
            let refused = strata(options).unwrap_err();
            assert!(
                refused.to_string().starts_with(&format!("{option}: ")),
                "{options}: {refused}"
            );
            assert!(refused.fix().is_some());
        }
    }
}
