//! What is published at once: one release, one for each group, or several answers from one split
//! of every budget.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Serialize, Serializer};

use super::{GroupReleases, Release, Spending};
use crate::{Epsilon, Error, LevelName, Loss, Neighbors, Result, Rho, Share};

/// What was published at once.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Releases {
    /// Of all records.
    One(Box<Release>),
    /// Of each group.
    Groups(
        #[cfg_attr(feature = "schema", schemars(with = "super::groups::Record<'static>"))]
        GroupReleases,
    ),
    /// Several answers, from one split of every budget.
    Survey(#[cfg_attr(feature = "schema", schemars(with = "SurveyRecord<'static>"))] Survey),
}

/// Several releases of the same records, which share every budget.
///
/// A record can be in all of them, so what they cost it adds up.
#[derive(Debug, Clone, PartialEq)]
pub struct Survey {
    answers: Vec<SurveyAnswer>,
    split: SurveySplit,
    certificate: Vec<Spending>,
    rho: Vec<Rho>,
}

/// What several answers have of every budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum SurveySplit {
    /// Parts that were declared.
    #[default]
    Declared,
    /// Equal parts, since nothing public tells what their errors will be.
    Equal,
    /// Parts with which their expected errors, each as a share of what there can be, are as equal
    /// as public facts tell.
    EqualErrors,
}

/// One of several answers.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SurveyAnswer {
    /// The part of every budget that it may spend; null of what costs nothing.
    pub share: Option<Share>,
    /// Whether it says how many values lie at the bounds of the answer before it, or beyond: a
    /// frequency of `at or below LO`, `between` and `at or above HI`, and of those without a value
    /// where that is private.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub checks_bounds: bool,
    /// What was released.
    #[serde(flatten)]
    pub releases: Releases,
}

impl SurveyAnswer {
    /// An answer that was asked for, and not a check of bounds.
    pub fn new(share: Option<Share>, releases: Releases) -> Self {
        Self { share, releases, checks_bounds: false }
    }
}

impl From<Release> for Releases {
    fn from(release: Release) -> Self {
        Self::One(Box::new(release))
    }
}

impl Releases {
    /// The release of all records, if it is one.
    pub fn one(&self) -> Option<&Release> {
        match self {
            Self::One(release) => Some(release),
            Self::Groups(_) | Self::Survey(_) => None,
        }
    }

    /// All releases that there are.
    pub fn iter(&self) -> Box<dyn Iterator<Item = &Release> + '_> {
        match self {
            Self::One(release) => Box::new(std::iter::once(&**release)),
            Self::Groups(groups) => Box::new(groups.iter()),
            Self::Survey(survey) => {
                Box::new(survey.answers().iter().flat_map(|answer| answer.releases.iter()))
            }
        }
    }

    /// What each level lost: of disjoint groups the most that it lost in any, of several answers
    /// all of it.
    pub fn certificate(&self) -> Vec<Spending> {
        match self {
            Self::One(release) => release.privacy.clone(),
            Self::Groups(groups) => groups.certificate(),
            Self::Survey(survey) => survey.certificate().to_vec(),
        }
    }

    /// Which datasets the releases do not tell apart.
    pub fn neighbors(&self) -> Neighbors {
        match self {
            Self::One(release) => release.neighbors(),
            Self::Groups(groups) => groups.neighbors(),
            Self::Survey(survey) => survey.neighbors(),
        }
    }

    /// Whether all noise came from secret entropy.
    pub fn is_private(&self) -> bool {
        self.iter().all(|release| release.private)
    }
}

impl Survey {
    /// These answers, with one certificate: for every level the exact sum of what they cost.
    ///
    /// Not every answer need have every level: levels that are nearly alike are made one where
    /// there are very many. Its records then counted at a level below, so the certificate has the
    /// most that any of these lost.
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
        let costs: Vec<Costs> = answers.iter().map(|answer| Costs::of(&answer.releases)).collect();
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

    /// The same, of which is said how its answers came to their parts.
    #[must_use]
    pub fn with_split(self, split: SurveySplit) -> Self {
        Self { split, ..self }
    }

    /// How the answers came to their parts of every budget.
    pub fn split(&self) -> SurveySplit {
        self.split
    }

    /// The answers, in the order asked for.
    pub fn answers(&self) -> &[SurveyAnswer] {
        &self.answers
    }

    /// What every level allowed, and what it lost to all answers together, exactly.
    pub fn certificate(&self) -> &[Spending] {
        &self.certificate
    }

    /// What every line of the certificate cost, as ρ.
    pub(crate) fn rho(&self) -> &[Rho] {
        &self.rho
    }

    /// Which datasets the answers do not tell apart.
    pub fn neighbors(&self) -> Neighbors {
        self.answers.first().map_or(Neighbors::ReplaceOne, |one| one.releases.neighbors())
    }

    /// Whether all noise came from secret entropy.
    pub fn is_private(&self) -> bool {
        self.answers.iter().all(|answer| answer.releases.is_private())
    }
}

/// A level, by its budget and its name.
type Line = (Epsilon, LevelName);

/// What one answer cost every level.
struct Costs(BTreeMap<Line, (Spending, Rho)>);

impl Costs {
    fn of(releases: &Releases) -> Self {
        let lines = releases.certificate().into_iter().zip(releases.rho());
        let named =
            |(line, rho): (Spending, Rho)| ((line.epsilon, line.level.clone()), (line, rho));
        Self(lines.map(named).collect())
    }

    fn levels(&self) -> impl Iterator<Item = Line> + '_ {
        self.0.keys().cloned()
    }

    /// What a record of this level lost at most.
    fn at(&self, level: &Line) -> (Loss, Rho) {
        if let Some((line, rho)) = self.0.get(level) {
            return (line.spent.clone(), *rho);
        }
        let below = self.0.iter().filter(|((epsilon, _), _)| *epsilon <= level.0);
        below.fold((Loss::ZERO, Rho::ZERO), |(loss, most), (_, (line, rho))| {
            (loss.max(&line.spent), most.max(*rho))
        })
    }
}

/// The line of the certificate of this level, and its ρ.
fn total(level: &Line, costs: &[Costs]) -> (Spending, Rho) {
    let nothing = (Loss::ZERO, Rho::ZERO);
    let each = costs.iter().map(|one| one.at(level));
    let (spent, rho) = each.fold(nothing, |sum, (loss, rho)| (sum.0.plus(&loss), sum.1.plus(rho)));
    let counts = costs.iter().filter_map(|one| one.0.get(level)).map(|(line, _)| line.count);
    // Records can lack a value in one answer and have it in another.
    let count = counts.reduce(|one, other| one.zip(other).map(|(one, other)| one.max(other)));
    let (epsilon, name) = level.clone();
    let count = count.flatten();
    (Spending { level: name, epsilon, count, spent, weight: None }, rho)
}

/// Several answers as JSON has them.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Survey"))]
pub(super) struct SurveyRecord<'a> {
    /// The answers, in the order asked for.
    answers: &'a [SurveyAnswer],
    /// How they came to their parts of every budget.
    shares: SurveySplit,
    /// Which datasets the answers do not tell apart.
    neighbors: Neighbors,
    /// What they cost together: the exact sum over the answers, rounded up. An answer by group
    /// counts with the most that any group cost, one that lacks a level with the most of any lower
    /// level.
    privacy: &'a [Spending],
    /// Whether all noise came from secret entropy.
    private: bool,
}

/// As `SurveyRecord` is derived: some of it is computed.
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
