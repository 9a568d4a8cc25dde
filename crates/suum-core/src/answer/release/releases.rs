//! Results that are published together: one release, one for each group, or several answers that
//! divide every budget.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Serialize, Serializer};

use super::{GroupReleases, Release, SmallGroups, Spending};
use crate::{Epsilon, Error, LevelName, Loss, Neighbors, Result, Rho, Share};

/// Results that are published together.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Releases {
    /// Release of all records.
    One(Box<Release>),
    /// Releases of all groups.
    Groups(
        #[cfg_attr(feature = "schema", schemars(with = "super::groups::Record<'static>"))]
        GroupReleases,
    ),
    /// Several answers, which divide every budget.
    Survey(#[cfg_attr(feature = "schema", schemars(with = "SurveyRecord<'static>"))] Survey),
}

/// Several releases of the same records, which divide every budget.
///
/// A record can be in all of them, so their costs to it add up.
#[derive(Debug, Clone, PartialEq)]
pub struct Survey {
    answers: Vec<SurveyAnswer>,
    split: SurveySplit,
    certificate: Vec<Spending>,
    rho: Vec<Rho>,
}

/// Rule by which several answers divide every budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum SurveySplit {
    /// Declared parts.
    #[default]
    Declared,
    /// Equal parts, because no public facts tell their errors.
    Equal,
    /// Parts that make the expected errors, each as a share of its largest possible value, as equal
    /// as public facts allow.
    EqualErrors,
}

/// One of several answers.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SurveyAnswer {
    /// Share of every budget that it may spend; null for an answer without cost.
    pub share: Option<Share>,
    /// Purpose of the answer.
    #[serde(flatten)]
    #[cfg_attr(feature = "schema", schemars(with = "AnswerRoleRecord"))]
    pub role: AnswerRole,
    /// Releases of the answer.
    #[serde(flatten)]
    pub releases: Releases,
}

impl SurveyAnswer {
    /// Returns an answer that was requested.
    pub fn new(share: Option<Share>, releases: Releases) -> Self {
        Self { share, releases, role: AnswerRole::Requested }
    }
}

/// Purpose of one of several answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AnswerRole {
    /// It was requested.
    #[default]
    Requested,
    /// It counts the values at or beyond the bounds of the answer before it.
    BoundsCheck,
    /// It counts the records of each group of the answer behind it, which leaves out small groups.
    GroupSizes,
}

/// Purpose of an answer, as JSON has it: nothing for one that was requested.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct AnswerRoleRecord {
    /// True if it counts the values at or beyond the bounds of the answer before it: a frequency of
    /// `at or below LO`, `between` and `at or above HI`, and of records without a value if their
    /// number is private.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    checks_bounds: bool,
    /// True if it counts, with noise, the records of each group of the answer behind it, which
    /// leaves out groups with few records.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    counts_groups: bool,
}

impl Serialize for AnswerRole {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        AnswerRoleRecord {
            checks_bounds: *self == Self::BoundsCheck,
            counts_groups: *self == Self::GroupSizes,
        }
        .serialize(serializer)
    }
}

impl From<Release> for Releases {
    fn from(release: Release) -> Self {
        Self::One(Box::new(release))
    }
}

impl Releases {
    /// Returns the release of all records, if it is one.
    pub fn one(&self) -> Option<&Release> {
        match self {
            Self::One(release) => Some(release),
            Self::Groups(_) | Self::Survey(_) => None,
        }
    }

    /// Returns the releases, which say of groups that these were left out for few records.
    #[must_use]
    pub fn without_small(self, small: Option<SmallGroups>) -> Self {
        match self {
            Self::Groups(groups) => Self::Groups(groups.without_small(small)),
            Self::One(_) | Self::Survey(_) => self,
        }
    }

    /// Returns all releases.
    pub fn iter(&self) -> Box<dyn Iterator<Item = &Release> + '_> {
        match self {
            Self::One(release) => Box::new(std::iter::once(&**release)),
            Self::Groups(groups) => Box::new(groups.iter()),
            Self::Survey(survey) => {
                Box::new(survey.answers().iter().flat_map(|answer| answer.releases.iter()))
            }
        }
    }

    /// Returns the loss of each level: for disjoint groups the largest in any of them, for several
    /// answers the total.
    pub fn certificate(&self) -> Vec<Spending> {
        match self {
            Self::One(release) => release.privacy.clone(),
            Self::Groups(groups) => groups.certificate(),
            Self::Survey(survey) => survey.certificate().to_vec(),
        }
    }

    /// Returns the relation between datasets that the releases do not tell apart.
    pub fn neighbors(&self) -> Neighbors {
        match self {
            Self::One(release) => release.neighbors(),
            Self::Groups(groups) => groups.neighbors(),
            Self::Survey(survey) => survey.neighbors(),
        }
    }

    /// Returns true if all noise came from secret entropy.
    pub fn is_private(&self) -> bool {
        self.iter().all(|release| release.private)
    }
}

impl Survey {
    /// Returns these answers with one certificate: for every level the exact sum of their costs.
    ///
    /// An answer can lack a level, because similar levels are merged if there are very many. Its
    /// records then counted at a lower level, so the certificate has the largest loss of any lower
    /// level.
    ///
    /// # Errors
    ///
    /// Refuses answers for different neighbours, and answers that together cost a level more than
    /// it allows. The last is a bug; then none of them may be published.
    ///
    /// # Example
    ///
    /// ```
    /// use suum_core::{LevelTable, Measure, Options, Release, Survey, SurveyAnswer};
    ///
    /// let nobody = LevelTable::possibly_empty(None, Measure::Nothing, vec![])?;
    /// let count = Release::count(&nobody, &Options::default())?;
    /// let free = SurveyAnswer::new(None, count.into());
    /// let survey = Survey::new(vec![free.clone(), free])?;
    /// assert_eq!(survey.answers().len(), 2);
    /// assert!(survey.certificate().iter().all(|line| line.spent.within(line.epsilon)));
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    pub fn new(answers: Vec<SurveyAnswer>) -> Result<Self> {
        let mut all = answers.iter().map(|answer| answer.releases.neighbors());
        let first = all.next();
        if all.any(|neighbors| Some(neighbors) != first) {
            return Err(Error::request("answers", "they are for different neighbours")
                .with_fix("make all of them with the same neighbours"));
        }
        let costs: Vec<Costs> =
            answers.iter().map(|answer| Costs::from_releases(&answer.releases)).collect();
        let levels: BTreeSet<Line> = costs.iter().flat_map(Costs::levels).collect();
        let (certificate, rho): (Vec<Spending>, Vec<Rho>) =
            levels.iter().map(|level| total(level, &costs)).unzip();
        if !certificate.iter().all(|line| line.spent.within(line.epsilon)) {
            return Err(Error::internal(
                "the answers together would cost more than a level allows; nothing is published",
            ));
        }
        Ok(Self { answers, split: SurveySplit::default(), certificate, rho })
    }

    /// Returns the survey with the rule by which its answers divide every budget.
    #[must_use]
    pub fn with_split(self, split: SurveySplit) -> Self {
        Self { split, ..self }
    }

    /// Returns the rule by which the answers divide every budget.
    pub fn split(&self) -> SurveySplit {
        self.split
    }

    /// Returns the answers, in the order asked for.
    pub fn answers(&self) -> &[SurveyAnswer] {
        &self.answers
    }

    /// Returns the budget of every level, and its exact loss to all answers together.
    pub fn certificate(&self) -> &[Spending] {
        &self.certificate
    }

    /// Returns the cost of every row of the certificate, as ρ.
    pub(crate) fn rho(&self) -> &[Rho] {
        &self.rho
    }

    /// Returns the relation between datasets that the answers do not tell apart.
    pub fn neighbors(&self) -> Neighbors {
        self.answers.first().map_or(Neighbors::ReplaceOne, |one| one.releases.neighbors())
    }

    /// Returns true if all noise came from secret entropy.
    pub fn is_private(&self) -> bool {
        self.answers.iter().all(|answer| answer.releases.is_private())
    }
}

/// Level, by its budget and its name.
type Line = (Epsilon, LevelName);

/// Costs of one answer for every level.
struct Costs(BTreeMap<Line, (Spending, Rho)>);

impl Costs {
    fn from_releases(releases: &Releases) -> Self {
        let lines = releases.certificate().into_iter().zip(releases.rho());
        let named =
            |(line, rho): (Spending, Rho)| ((line.epsilon, line.level.clone()), (line, rho));
        Self(lines.map(named).collect())
    }

    fn levels(&self) -> impl Iterator<Item = Line> + '_ {
        self.0.keys().cloned()
    }

    /// Returns the largest loss of a record of this level.
    fn at(&self, level: &Line) -> (Loss, Rho) {
        if let Some((line, rho)) = self.0.get(level) {
            return (line.spent.clone(), *rho);
        }
        let below = || self.0.iter().filter(|((epsilon, _), _)| *epsilon <= level.0);
        let losses = below().map(|(_, (line, _))| &line.spent);
        let rho = below().map(|(_, (_, rho))| *rho).max();
        (losses.max().cloned().unwrap_or(Loss::ZERO), rho.unwrap_or(Rho::ZERO))
    }
}

/// Returns the row of the certificate for this level, and its ρ.
fn total(level: &Line, costs: &[Costs]) -> (Spending, Rho) {
    let nothing = (Loss::ZERO, Rho::ZERO);
    let each = costs.iter().map(|one| one.at(level));
    let (spent, rho) = each.fold(nothing, |sum, (loss, rho)| (sum.0.plus(&loss), sum.1.plus(rho)));
    let counts = costs.iter().filter_map(|one| one.0.get(level)).map(|(line, _)| line.count);
    // A record can lack a value in one answer and have one in another, so the largest count is
    // used.
    let count = counts.reduce(|one, other| one.zip(other).map(|(one, other)| one.max(other)));
    let (epsilon, name) = level.clone();
    let count = count.flatten();
    (Spending { level: name, epsilon, count, spent, weight: None, delta: None }, rho)
}

/// Several answers, which divide every budget.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Survey"))]
pub(super) struct SurveyRecord<'a> {
    /// Answers, in the order asked for.
    answers: &'a [SurveyAnswer],
    /// Rule by which they divide every budget.
    shares: SurveySplit,
    /// Relation between datasets that the answers do not tell apart.
    neighbors: Neighbors,
    /// Total spending: the exact sum over the answers, rounded up. An answer by group counts with
    /// the largest loss in any group, one that lacks a level with the largest loss of any lower
    /// level.
    privacy: &'a [Spending],
    /// True if all noise came from secret entropy.
    private: bool,
}

/// Serializes the derived `SurveyRecord`, some of which is computed.
impl Serialize for Survey {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        SurveyRecord {
            answers: &self.answers,
            shares: self.split,
            neighbors: self.neighbors(),
            privacy: &self.certificate,
            private: self.is_private(),
        }
        .serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ErrorKind, LevelTable, Measure, Options};

    /// An answer whose certificate says this; a count costs nothing by itself.
    fn answer(lines: &[(&str, f64, Loss)]) -> SurveyAnswer {
        let nobody = LevelTable::possibly_empty(None, Measure::Nothing, vec![]).unwrap();
        let mut count = Release::count(&nobody, &Options::default()).unwrap();
        count.privacy = lines
            .iter()
            .map(|(level, epsilon, spent)| Spending {
                level: LevelName::Label((*level).to_owned()),
                epsilon: Epsilon::new(*epsilon).unwrap(),
                count: Some(10),
                spent: spent.clone(),
                weight: None,
                delta: None,
            })
            .collect();
        SurveyAnswer::new(None, count.into())
    }

    #[test]
    fn what_answers_cost_adds_up_and_never_exceeds_what_is_allowed() {
        let half = answer(&[("a", 0.5, Loss::ratio(1, 4)), ("b", 1.0, Loss::ratio(1, 2))]);
        let survey = Survey::new(vec![half.clone(), half.clone()]).unwrap();
        let spent = survey.certificate().iter().map(|line| line.spent.clone());
        assert_eq!(spent.collect::<Vec<_>>(), [Loss::ratio(1, 2), Loss::ratio(1, 1)]);
        assert!(survey.certificate().iter().all(|line| line.count == Some(10)));
        // A hair more, at one level.
        let hair = answer(&[("a", 0.5, Loss::ZERO), ("b", 1.0, Loss::ratio(1, 1 << 60))]);
        let refused = Survey::new(vec![half.clone(), half, hair]).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::Internal);
    }

    #[test]
    fn who_is_at_no_level_of_an_answer_counts_with_a_level_below() {
        let one = answer(&[("0.5", 0.5, Loss::ratio(1, 4)), ("0.75", 0.75, Loss::ratio(1, 3))]);
        let other = answer(&[
            ("0.25", 0.25, Loss::ratio(1, 9)),
            ("0.5", 0.5, Loss::ratio(1, 5)),
            ("1", 1.0, Loss::ZERO),
        ]);
        let survey = Survey::new(vec![one, other]).unwrap();
        let spent = |level: &str| {
            let line = survey.certificate().iter().find(|line| line.level == *level);
            line.unwrap().spent.clone()
        };
        assert_eq!(spent("0.25"), Loss::ratio(1, 9));
        assert_eq!(spent("0.5"), Loss::ratio(1, 4).plus(&Loss::ratio(1, 5)));
        assert_eq!(spent("0.75"), Loss::ratio(1, 3).plus(&Loss::ratio(1, 5)));
        assert_eq!(spent("1"), Loss::ratio(1, 3));
    }
}
