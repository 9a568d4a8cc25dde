//! Input of a verification: the JSON of a release.

use std::collections::BTreeMap;
use std::num::NonZero;

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::entry::MeasurementEntry;

use super::exact::Exact;
use super::numbers::{Ends, ErrorParts, EstimateNumber, EstimateOrOther, Finite, FoundRecord};
use super::question::Question;
use crate::number::Number;
use crate::{Categories, Epsilon, GroupName, Neighbors, PersonValue};

/// JSON of a release, as far as its certificate needs it.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct ReleaseRecord {
    pub(super) statistic: Option<String>,
    pub(super) neighbors: Option<Neighbors>,
    pub(super) privacy: Option<Vec<Row>>,
    pub(super) measurements: Option<Vec<MeasurementEntry>>,
    noise: Option<Noise>,
    /// Number of records of a group without a release: zero.
    records: Option<u64>,
    pub(super) estimate: Option<f64>,
    pub(super) interval: Option<Ends>,
    pub(super) mean: Option<EstimateOrOther>,
    pub(super) variance: Option<EstimateOrOther>,
    pub(super) deviation: Option<EstimateOrOther>,
    pub(super) frequencies: Option<Vec<EstimateNumber>>,
    /// Share of all categories that are not published.
    pub(super) others: Option<EstimateNumber>,
    pub(super) found_categories: Option<FoundRecord>,
    pub(super) target: Option<String>,
    pub(super) simultaneous: Option<bool>,
    /// Value that a person with several rows counts with.
    contribution: Option<String>,
    pub(super) quantiles: Option<Vec<EstimateNumber>>,
    pub(super) bounds: Option<[Finite; 2]>,
    pub(super) post: Option<String>,
    pub(super) error: Option<ErrorParts>,
    pub(super) strata: Option<IgnoredAny>,
    group: Option<GroupName>,
    groups: Option<Vec<ReleaseRecord>>,
    /// Persons who are in several groups, where that is public.
    pub(super) members: Option<Vec<Members>>,
    /// Most groups in which a person counts, where memberships are hidden.
    max_groups: Option<NonZero<u32>>,
    query: Option<QueryOfGroups>,
    parts: Option<BTreeMap<String, ReleaseRecord>>,
    answers: Option<Vec<ReleaseRecord>>,
}

/// Row of a certificate.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(super) struct Row {
    pub(super) level: String,
    pub(super) epsilon: Epsilon,
    pub(super) spent: Number,
    pub(super) count: Option<u64>,
    pub(super) weight: Option<f64>,
    pub(super) delta: Option<f64>,
}

/// Query of a release, as far as it is about persons in several groups.
#[derive(Debug, Clone, PartialEq, Deserialize)]
struct QueryOfGroups {
    person_groups: Option<String>,
    max_groups: Option<NonZero<u32>>,
}

/// Persons of one level who are in equally many groups.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(super) struct Members {
    pub(super) level: String,
    pub(super) epsilon: Epsilon,
    pub(super) groups: NonZero<u32>,
    pub(super) persons: u64,
    pub(super) counts_as: String,
    pub(super) part: Epsilon,
}

/// Noise according to the release.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(super) struct Noise {
    pub(super) distribution: Option<String>,
    pub(super) scale: Option<Exact>,
    pub(super) grid: Option<u64>,
}

impl ReleaseRecord {
    /// Returns the releases that this one consists of, with their names.
    pub(super) fn within(&self) -> impl Iterator<Item = (String, &Self)> {
        let groups = self.groups.iter().flatten();
        let groups = groups.map(|group| {
            (group.group.as_ref().map_or("group", GroupName::as_str).to_owned(), group)
        });
        let parts = self.parts.iter().flatten().map(|(name, part)| (name.clone(), part));
        groups.chain(parts)
    }

    /// Returns true if it stands for a group without records.
    pub(super) fn is_empty_group(&self) -> bool {
        let says_more = self.privacy.is_some()
            || self.measurements.is_some()
            || self.neighbors.is_some()
            || self.estimate.is_some();
        self.group.is_some() && self.records == Some(0) && !says_more
    }

    /// Returns true if it is a known number of records, which needs no measurement.
    pub(super) fn is_exact_count(&self) -> bool {
        let is_public = self.neighbors == Some(Neighbors::ReplaceOne);
        is_public && self.statistic.as_deref() == Some("count")
    }

    /// Returns true if all groups that have records are for the same neighbours.
    pub(super) fn have_groups_one_relation(&self) -> bool {
        let mut all = self.groups.iter().flatten().filter_map(|group| group.neighbors);
        let first = all.next();
        all.all(|neighbors| Some(neighbors) == first)
    }

    /// Returns the answers, if there are several.
    pub(super) fn answers(&self) -> Option<&[ReleaseRecord]> {
        self.answers.as_deref()
    }

    /// Returns true if all answers, and their groups, are for the same neighbours.
    pub(super) fn have_answers_one_relation(&self) -> bool {
        let answers = || self.answers.iter().flatten();
        let groups = answers().flat_map(|answer| answer.groups.iter().flatten());
        let mut all = answers().chain(groups).chain([self]).filter_map(|one| one.neighbors);
        let first = all.next();
        all.all(|neighbors| Some(neighbors) == first)
    }

    /// Returns true if it is one release for each group, which have the certificates.
    pub(super) fn is_grouped(&self) -> bool {
        self.groups.is_some()
    }

    /// Returns true if a record can change several of its groups, which then have a certificate
    /// together.
    pub(super) fn are_groups_together(&self) -> bool {
        self.members.is_some() || self.groups_of_record() > 1
    }

    /// Returns the number of groups that a record can change; of public memberships 1.
    pub(super) fn groups_of_record(&self) -> usize {
        let most = self.max_groups.map_or(1, |most| most.get() as usize);
        let mut neighbors = self.groups.iter().flatten().filter_map(|group| group.neighbors);
        match neighbors.any(|neighbors| neighbors == Neighbors::Both) {
            true => most.saturating_mul(2),
            false => most,
        }
    }

    /// Returns the fault of memberships that are not those of the query.
    pub(super) fn fault_of_query(&self) -> Option<String> {
        let query = self.query.as_ref()?;
        let is_so = query.person_groups.is_some() == self.members.is_some()
            && query.max_groups == self.max_groups;
        (!is_so).then(|| "groups: persons are not in as many as the query says".to_owned())
    }

    /// Returns the fault of a measurement of its categories, if any: there are as many as shares,
    /// and a person divides their count in steps if shares of rows count.
    pub(super) fn fault_of_counts(&self) -> Option<String> {
        let shares = self.frequencies.as_ref()?;
        let is_divided = self.contribution.as_deref() == Some(PersonValue::Share.contribution());
        let of_record = if is_divided { Categories::STEPS } else { 1 };
        let counted = self.measurements.iter().flatten().find_map(|entry| match entry.question {
            Question::CountsOfKnownTotal { categories, steps } => {
                Some(categories != shares.len() || steps != of_record)
            }
            // Which categories there are is not public.
            Question::FoundCounts { steps, .. } => Some(steps != of_record),
            // Without weights counts are divided in any case.
            Question::Counts { categories, steps } => {
                let is_whole = steps == of_record || steps == Categories::STEPS;
                Some(categories != shares.len() || !is_whole)
            }
            _ => None,
        });
        counted.filter(|is_wrong| *is_wrong).map(|_| {
            "measurements: the categories or their steps are not those of the shares".into()
        })
    }

    /// Returns the noise according to the release.
    pub(super) fn noise(&self) -> Option<&Noise> {
        self.noise.as_ref()
    }
}
