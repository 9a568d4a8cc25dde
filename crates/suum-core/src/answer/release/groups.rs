//! One release for each of several disjoint groups.

use serde::{Serialize, Serializer};

use super::spending::two_largest_losses;
use super::{Difference, Estimate, Release, Spending, largest_losses};
use crate::error::option;
use crate::{Error, GroupName, Interval, Neighbors, Quantity, Result, SensitivityRecord};

/// A release of each declared group of records; each record is in one group.
#[derive(Debug, Clone, PartialEq)]
pub struct GroupReleases {
    by: GroupName,
    groups: Vec<(GroupName, Option<Release>)>,
    difference: Option<Box<Difference>>,
}

impl GroupReleases {
    /// The releases of the groups of a column, or of several, in the order declared. A group
    /// without records has none, if it is public who takes part; if not, all groups have one.
    ///
    /// # Errors
    ///
    /// Refuses releases for different neighbours, and a group without one beside those that hide
    /// who takes part: it would tell that nobody is in it. With both kinds of neighbours refuses
    /// releases of which two together cost more than a level allows: a record that changes group
    /// is in both.
    pub fn new<N: Into<GroupName>>(
        by: impl Into<GroupName>,
        groups: Vec<(N, Option<Release>)>,
    ) -> Result<Self> {
        let groups = groups.into_iter().map(|(name, release)| (name.into(), release)).collect();
        let releases = Self { by: by.into(), groups, difference: None };
        let is_add_remove = |release: &Release| release.neighbors().hides_participation();
        let of_all = |one: &(GroupName, Option<Release>)| one.1.as_ref().is_some_and(is_add_remove);
        if releases.iter().any(is_add_remove) && !releases.groups.iter().all(of_all) {
            return Err(Error::request(
                option::GROUPS,
                "some releases hide who takes part, and others tell it",
            )
            .with_fix("make all of them with the same neighbours, also those of empty groups"));
        }
        if releases.iter().any(|release| release.neighbors() != releases.neighbors()) {
            return Err(Error::request(
                option::GROUPS,
                "their releases are for different neighbours",
            )
            .with_fix("make all of them with the same neighbours"));
        }
        let within = |row: &Spending| row.spent.within(row.epsilon);
        if releases.neighbors() == Neighbors::Both && !releases.certificate().iter().all(within) {
            return Err(Error::request(
                option::GROUPS,
                "with both kinds of neighbours a record that changes group counts in two releases, \
                 which together would cost more than it allows",
            )
            .with_fix("let each group spend half of every budget"));
        }
        Ok(releases)
    }

    /// The same releases, with what the first of these groups has more than the second: the
    /// difference of two means, sums, quantiles or frequencies, with an interval of this
    /// confidence.
    ///
    /// Of quantiles, of frequencies, and of groups that hide who takes part, both releases have
    /// intervals of a confidence of their own; they must leave out no more together than that of
    /// the difference, else it has none.
    ///
    /// # Errors
    ///
    /// Refuses groups that have no release, the same group twice, and other statistics.
    pub fn with_difference(self, between: [GroupName; 2], confidence: f64) -> Result<Self> {
        let release = |name: &GroupName| {
            let mut groups = self.groups.iter().filter(|(group, _)| group == name);
            groups.find_map(|(_, release)| release.as_ref())
        };
        let (Some(one), Some(other)) = (release(&between[0]), release(&between[1])) else {
            return Err(Error::request(option::BETWEEN, "one of the groups has no release")
                .with_fix("name two groups that have records"));
        };
        if between[0] == between[1] {
            return Err(Error::request(option::BETWEEN, "it is one group twice")
                .with_fix("name two groups"));
        }
        let difference = Difference::new(between.clone(), one, other, confidence)?;
        Ok(Self { difference: Some(Box::new(difference)), ..self })
    }

    /// What one group has more than another, if that was asked for.
    pub fn difference(&self) -> Option<&Difference> {
        self.difference.as_deref()
    }

    /// Which datasets the releases do not tell apart.
    pub fn neighbors(&self) -> Neighbors {
        self.iter().next().map_or(Neighbors::ReplaceOne, Release::neighbors)
    }

    /// The column of groups, or several.
    pub fn by(&self) -> &GroupName {
        &self.by
    }

    /// The groups in the order declared. One without records has no release.
    pub fn groups(&self) -> &[(GroupName, Option<Release>)] {
        &self.groups
    }

    /// The releases of the groups that have records.
    pub fn iter(&self) -> impl Iterator<Item = &Release> {
        self.groups.iter().filter_map(|(_, release)| release.as_ref())
    }

    /// What each level lost: the most that it lost in any group, since nobody is in two. With both
    /// kinds of neighbours a record can change its group, so it is what the two groups cost
    /// together in which it lost most.
    pub fn certificate(&self) -> Vec<Spending> {
        let rows = self.iter().flat_map(|release| &release.privacy).cloned();
        match self.neighbors() {
            Neighbors::Both => two_largest_losses(rows),
            Neighbors::ReplaceOne | Neighbors::AddRemove => largest_losses(rows),
        }
    }

    /// Whether all noise came from secret entropy.
    pub fn is_private(&self) -> bool {
        self.iter().all(|release| release.private)
    }
}

/// The releases of groups as JSON has them.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "GroupReleases"))]
pub(super) struct Record<'a> {
    /// What was released of each group, or `difference`.
    statistic: Option<&'static str>,
    #[serde(flatten)]
    difference: Option<DifferenceRecord<'a>>,
    /// The column of values.
    column: Option<GroupName>,
    /// The column of groups; of several columns a list.
    group_by: &'a GroupName,
    /// The groups, in the order declared.
    groups: Vec<Group<'a>>,
    /// With `both` neighbours: what the two groups in which a level lost most cost it together.
    #[serde(skip_serializing_if = "Option::is_none")]
    privacy: Option<Vec<Spending>>,
    /// Whether all noise came from secret entropy.
    private: bool,
}

/// The difference of two groups.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct DifferenceRecord<'a> {
    /// Of which statistic it is the difference.
    of: &'static str,
    /// The groups: it is the first less the second.
    between: &'a [GroupName; 2],
    #[serde(flatten)]
    only: Option<One<'a>>,
    /// Of shares, or of several quantiles, the difference of each.
    #[serde(skip_serializing_if = "Option::is_none")]
    differences: Option<Vec<One<'a>>>,
}

/// One difference.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "DifferenceOfOne"))]
struct One<'a> {
    /// Of which category it is the difference of shares.
    #[serde(skip_serializing_if = "Option::is_none")]
    category: Option<&'a str>,
    /// Of which quantile it is the difference.
    #[serde(skip_serializing_if = "Option::is_none")]
    q: Option<f64>,
    /// The difference.
    estimate: f64,
    /// Its interval, if there is one.
    interval: Option<Interval>,
    /// How it depends on budgets having nothing to do with values in either group.
    #[serde(skip_serializing_if = "Option::is_none")]
    sensitivity: Option<SensitivityRecord>,
}

impl<'a> One<'a> {
    fn of(one: &'a Estimate) -> Self {
        let (category, q) = match &one.of {
            Quantity::Share(category) => (Some(category.as_str()), None),
            Quantity::Quantile(rank) => (None, Some(rank.get())),
            _ => (None, None),
        };
        let sensitivity = one.sensitivity.as_deref().map(SensitivityRecord::from);
        Self { category, q, estimate: one.estimate, interval: one.interval, sensitivity }
    }
}

/// A group with its release.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Group<'a> {
    /// Its label; of several columns a list of labels.
    group: &'a GroupName,
    #[serde(flatten)]
    release: Option<&'a Release>,
    /// 0, of a group without records, which has no release.
    #[serde(skip_serializing_if = "Option::is_none")]
    records: Option<u64>,
}

/// A group without records has `"records": 0` and nothing else.
impl Serialize for GroupReleases {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let groups = self.groups.iter().map(|(group, release)| Group {
            group,
            release: release.as_ref(),
            records: release.is_none().then_some(0),
        });
        let first = self.iter().next();
        Record {
            statistic: match &self.difference {
                Some(_) => Some("difference"),
                None => first.map(Release::statistic),
            },
            difference: self.difference.as_deref().map(|Difference { between, estimates }| {
                let (only, differences) = match estimates.as_slice() {
                    [only] => (Some(One::of(only)), None),
                    all => (None, Some(all.iter().map(One::of).collect())),
                };
                DifferenceRecord {
                    of: first.map_or("", Release::statistic),
                    between,
                    only,
                    differences,
                }
            }),
            column: first.and_then(Release::columns),
            group_by: &self.by,
            groups: groups.collect(),
            // Elsewhere the certificates of the groups are all there is.
            privacy: (self.neighbors() == Neighbors::Both).then(|| self.certificate()),
            private: self.is_private(),
        }
        .serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bounds, LevelTable, Measure, Options, Randomness, Request};

    #[test]
    fn what_hides_who_takes_part_is_not_beside_what_tells_it() {
        let nobody = || LevelTable::possibly_empty(None, Measure::Nothing, vec![]).unwrap();
        let public = || Some(Release::count(&nobody(), &Options::default()).unwrap());
        let budgets = "0.1,1".parse().unwrap();
        let request =
            Request::count(Options::add_remove()).add_remove(Bounds::UNIT, budgets).unwrap();
        let add_remove = || Some(request.release(nobody(), &mut Randomness::insecure(1)).unwrap());
        let groups = |one: Option<Release>, other: Option<Release>| {
            let groups = [("a".to_owned(), one), ("b".to_owned(), other)];
            GroupReleases::new("g", groups.to_vec()).map(|groups| groups.neighbors())
        };
        assert_eq!(groups(public(), None), Ok(Neighbors::ReplaceOne));
        assert_eq!(groups(add_remove(), add_remove()), Ok(Neighbors::AddRemove));
        assert!(groups(add_remove(), None).is_err() && groups(public(), add_remove()).is_err());
    }
}
