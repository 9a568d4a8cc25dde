//! Releases of several disjoint groups.

use std::num::NonZero;

use serde::{Serialize, Serializer};

use super::{Difference, Estimate, MemberKind, Memberships, Release, Spending};
use crate::error::option;
use crate::{
    Epsilon, Error, GroupName, Interval, LevelName, Neighbors, Quantity, Result, SensitivityRecord,
};

/// Groups that were left out because they have few records.
///
/// With replace-one neighbours the number of records of a group is public, so these are left out
/// before anything is spent. With others it is counted with noise, in an answer of its own, and
/// groups that are left out spend that alone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SmallGroups {
    /// They have fewer records than this, or persons where a record is a person; where the number
    /// is private, the one that was counted with noise is less.
    pub below: u64,
    /// Their names, in the order declared.
    pub groups: Vec<GroupName>,
}

/// Releases of all declared groups of records.
#[derive(Debug, Clone, PartialEq)]
pub struct GroupReleases {
    by: GroupName,
    memberships: Memberships,
    groups: Vec<(GroupName, Option<Release>)>,
    small: Option<SmallGroups>,
    difference: Option<Box<Difference>>,
}

impl GroupReleases {
    /// Returns the releases of the groups of a column, or of several, in the order declared; each
    /// record is in one group. Under replace-one, a group without records has no release; under
    /// add-remove, all groups have one.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`with_memberships`](Self::with_memberships).
    pub fn new<N: Into<GroupName>>(
        by: impl Into<GroupName>,
        groups: Vec<(N, Option<Release>)>,
    ) -> Result<Self> {
        Self::with_memberships(by, Memberships::One, groups)
    }

    /// Returns the releases of groups like [`new`](Self::new), of which one person can be in
    /// several.
    ///
    /// # Errors
    ///
    /// Refuses releases for different neighbours, and a group without a release among add-remove
    /// releases, which would reveal that it is empty. Refuses releases of which all that one record
    /// is in, or can move between, together cost more than its level allows.
    pub fn with_memberships<N: Into<GroupName>>(
        by: impl Into<GroupName>,
        memberships: Memberships,
        groups: Vec<(N, Option<Release>)>,
    ) -> Result<Self> {
        let groups = groups.into_iter().map(|(name, release)| (name.into(), release)).collect();
        let by = by.into();
        let releases = Self { by, memberships, groups, small: None, difference: None };
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
        if !releases.memberships.cover(releases.iter().flat_map(|release| &release.privacy)) {
            return Err(Error::internal(
                "a level of a group is none of the persons that are in it; nothing is published",
            ));
        }
        let within = |row: &Spending| row.spent.within(row.epsilon);
        let are_together = releases.are_together();
        if are_together && !releases.certificate().iter().all(within) {
            return Err(Error::request(
                option::GROUPS,
                "a record counts in several releases, or can move between them, and together they \
                 would cost more than it allows",
            )
            .with_fix("let each group spend a part of every budget"));
        }
        Ok(releases)
    }

    /// Returns the releases with the difference of the first of these groups and the second: of two
    /// means, sums, quantiles or frequencies, with an interval of this confidence.
    ///
    /// For quantiles, for frequencies, and for add-remove releases, both releases have intervals of
    /// their own confidence. Their failure probabilities must add up to no more than that of the
    /// difference; otherwise it has no interval.
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
        let shared = self.memberships.are_several();
        let difference = Difference::new(between.clone(), [one, other], shared, confidence)?;
        Ok(Self { difference: Some(Box::new(difference)), ..self })
    }

    /// Returns the releases, which say that these groups were left out.
    #[must_use]
    pub fn without_small(self, small: Option<SmallGroups>) -> Self {
        Self { small, ..self }
    }

    /// The groups that were left out because they have few records, if small ones were to be.
    pub fn small_groups(&self) -> Option<&SmallGroups> {
        self.small.as_ref()
    }

    /// Returns the difference of two groups, if it was requested.
    pub fn difference(&self) -> Option<&Difference> {
        self.difference.as_deref()
    }

    /// Returns the relation between datasets that the releases do not tell apart.
    pub fn neighbors(&self) -> Neighbors {
        self.iter().next().map_or(Neighbors::ReplaceOne, Release::neighbors)
    }

    /// Returns the column of groups, or several.
    pub fn by(&self) -> &GroupName {
        &self.by
    }

    /// Returns the groups in the order declared. A group without records has no release.
    pub fn groups(&self) -> &[(GroupName, Option<Release>)] {
        &self.groups
    }

    /// Returns the releases of the groups that have records.
    pub fn iter(&self) -> impl Iterator<Item = &Release> {
        self.groups.iter().filter_map(|(_, release)| release.as_ref())
    }

    /// Returns the number of groups in which one person can be.
    pub fn memberships(&self) -> &Memberships {
        &self.memberships
    }

    /// Returns true if one record can change several of the releases, or persons could be in
    /// several groups.
    fn are_together(&self) -> bool {
        let is_public = matches!(self.memberships, Memberships::Public(_));
        self.neighbors() == Neighbors::Both || is_public || self.memberships.are_several()
    }

    /// Returns the loss of each level: the largest in any group if nobody is in two. Where a person
    /// counts in several groups, or a record can change its group, it is the total of those, among
    /// as many, in which the level lost most.
    pub fn certificate(&self) -> Vec<Spending> {
        let groups: Vec<&[Spending]> =
            self.iter().map(|release| release.privacy.as_slice()).collect();
        self.memberships.certificate(self.neighbors(), &groups)
    }

    /// Returns true if all noise came from secret entropy.
    pub fn is_private(&self) -> bool {
        self.iter().all(|release| release.private)
    }
}

/// Releases of the groups of a column.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "GroupReleases"))]
pub(super) struct Record<'a> {
    /// Statistic that was released for each group, or `difference`.
    statistic: Option<&'static str>,
    #[serde(flatten)]
    difference: Option<DifferenceRecord<'a>>,
    /// Column of values.
    column: Option<GroupName>,
    /// Column of groups; of several columns a list.
    group_by: &'a GroupName,
    /// Groups, in the order declared.
    groups: Vec<Group<'a>>,
    /// With `--suppress-below`: the groups that were left out. Nothing was spent on them, but with
    /// hidden participation the part of every budget that counts records.
    #[serde(skip_serializing_if = "Option::is_none")]
    suppressed: Option<&'a SmallGroups>,
    /// Total spending in those groups, among as many as one record can change, in which a level
    /// lost most, if a record can change several.
    #[serde(skip_serializing_if = "Option::is_none")]
    privacy: Option<Vec<Spending>>,
    /// `public` if persons are in several groups, all of which count, and everybody may know which.
    #[serde(skip_serializing_if = "Option::is_none")]
    person_groups: Option<&'static str>,
    /// With `person_groups`: persons of each level by the number of their groups.
    #[serde(skip_serializing_if = "Option::is_none")]
    members: Option<Vec<MemberRecord<'a>>>,
    /// Number of groups in which a person counts at most, if memberships are hidden.
    #[serde(skip_serializing_if = "Option::is_none")]
    max_groups: Option<NonZero<u32>>,
    /// True if all noise came from secret entropy.
    private: bool,
}

/// Persons of one level who are in equally many groups.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Members"))]
struct MemberRecord<'a> {
    /// Name of their level.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    level: &'a LevelName,
    /// Whole budget of each of them.
    epsilon: Epsilon,
    /// Number of groups in which each of them is, also of those that are left out as small ones.
    groups: NonZero<u32>,
    /// Number of such persons.
    persons: u64,
    /// Name of their level in the certificates of groups.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    counts_as: &'a LevelName,
    /// Part of their budget with which they count in each group.
    part: Epsilon,
}

impl<'a> From<&'a MemberKind> for MemberRecord<'a> {
    fn from(kind: &'a MemberKind) -> Self {
        let MemberKind { name, part, level, epsilon, groups, persons } = kind;
        Self {
            level,
            epsilon: epsilon.written(),
            groups: *groups,
            persons: *persons,
            counts_as: name,
            part: part.written(),
        }
    }
}

/// Difference of two groups.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct DifferenceRecord<'a> {
    /// Statistic whose difference it is.
    of: &'static str,
    /// Names of the groups: the difference is that of the first less that of the second.
    between: &'a [GroupName; 2],
    #[serde(flatten)]
    only: Option<One<'a>>,
    /// Difference of each share, or of each of several quantiles.
    #[serde(skip_serializing_if = "Option::is_none")]
    differences: Option<Vec<One<'a>>>,
}

/// Single difference.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "DifferenceOfOne"))]
struct One<'a> {
    /// Category of a difference of shares.
    #[serde(skip_serializing_if = "Option::is_none")]
    category: Option<&'a str>,
    /// Rank of a difference of quantiles.
    #[serde(skip_serializing_if = "Option::is_none")]
    q: Option<f64>,
    /// Difference.
    estimate: f64,
    /// Interval of the difference, if there is one.
    interval: Option<Interval>,
    /// Dependence on the assumption that budgets are unrelated to values in either group.
    #[serde(skip_serializing_if = "Option::is_none")]
    sensitivity: Option<SensitivityRecord>,
}

impl<'a> One<'a> {
    fn from_estimate(one: &'a Estimate) -> Self {
        let (category, q) = match &one.of {
            Quantity::Share(category) => (Some(category.as_str()), None),
            Quantity::Quantile(rank) => (None, Some(rank.get())),
            _ => (None, None),
        };
        let sensitivity = one.sensitivity.as_deref().map(SensitivityRecord::from);
        Self { category, q, estimate: one.estimate, interval: one.interval, sensitivity }
    }
}

/// Group with its release.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Group<'a> {
    /// Label of the group; of several columns a list of labels.
    group: &'a GroupName,
    #[serde(flatten)]
    release: Option<&'a Release>,
    /// Number of records of a group without a release: 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    records: Option<u64>,
}

/// Serializes a group without records as `"records": 0` and nothing else.
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
                    [only] => (Some(One::from_estimate(only)), None),
                    all => (None, Some(all.iter().map(One::from_estimate).collect())),
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
            suppressed: self.small.as_ref(),
            // Elsewhere only the groups have certificates.
            privacy: self.are_together().then(|| self.certificate()),
            person_groups: matches!(self.memberships, Memberships::Public(_)).then_some("public"),
            members: match &self.memberships {
                Memberships::Public(kinds) => Some(kinds.iter().map(MemberRecord::from).collect()),
                Memberships::One | Memberships::AtMost(_) => None,
            },
            max_groups: match &self.memberships {
                Memberships::AtMost(most) => Some(*most),
                Memberships::One | Memberships::Public(_) => None,
            },
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
