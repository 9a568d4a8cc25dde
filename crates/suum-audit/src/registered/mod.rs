//! Mechanisms of suum, each audited through its own release.

mod adaptive;
mod add_remove;
mod found;
mod frequency;
mod mean;
mod plain;
mod quantile;
mod range;

use std::sync::OnceLock;

use suum_core::{
    Error, Interval, LevelTable, Loss, MemoryRecords, Neighbors, Profile, Randomness, Result,
    option,
};

use crate::people::{Pair, Person};
use crate::{Neighbours, Output, Promise, Side, Subject};

/// Dataset of a pair: its records, and their level table if a release reads one.
pub(crate) struct Dataset {
    pub(crate) people: Vec<Person>,
    pub(crate) table: LevelTable,
    records: OnceLock<MemoryRecords>,
}

impl Dataset {
    pub(crate) fn new(people: Vec<Person>, table: LevelTable) -> Self {
        Self { people, table, records: OnceLock::new() }
    }

    /// Records for a release that searches among them, sorted once.
    pub(crate) fn records(&self) -> Result<MemoryRecords> {
        if let Some(records) = self.records.get() {
            return Ok(records.clone());
        }
        let records = MemoryRecords::new(self.people.clone())?;
        Ok(self.records.get_or_init(|| records).clone())
    }
}

type Draw = Box<dyn Fn(&Dataset, &mut Randomness) -> Result<Vec<f64>> + Send + Sync>;
type Exact = Box<dyn Fn(&Dataset, &Dataset) -> Option<Loss> + Send + Sync>;

/// Mechanism of suum, with neighbours that reveal its losses.
pub struct RegisteredMechanism {
    statistic: &'static str,
    estimator: &'static str,
    neighbors: Neighbors,
    name: String,
    promises: Vec<Promise>,
    neighbours: Vec<Neighbours>,
    datasets: Vec<(Dataset, Dataset)>,
    draw: Draw,
    exact: Option<Exact>,
}

impl RegisteredMechanism {
    fn new(
        (statistic, estimator, neighbors): (&'static str, &'static str, Neighbors),
        promises: Vec<Promise>,
        pairs: Vec<Pair>,
        table: impl Fn(&[Person]) -> Result<LevelTable>,
        draw: Draw,
    ) -> Result<Self> {
        let add_remove = match neighbors {
            Neighbors::ReplaceOne => String::new(),
            other => format!(" {}", other.name()),
        };
        let neighbours = pairs
            .iter()
            .map(|pair| Neighbours { promise: pair.level, difference: pair.difference.clone() });
        let neighbours = neighbours.collect();
        let dataset = |people: Vec<Person>| -> Result<Dataset> {
            let table = table(&people)?;
            Ok(Dataset::new(people, table))
        };
        let datasets: Result<_> =
            pairs.into_iter().map(|pair| Ok((dataset(pair.one)?, dataset(pair.other)?))).collect();
        Ok(Self {
            statistic,
            estimator,
            neighbors,
            name: format!("{statistic} {estimator}{add_remove}"),
            promises,
            neighbours,
            datasets: datasets?,
            draw,
            exact: None,
        })
    }

    fn with_exact(self, exact: Exact) -> Self {
        Self { exact: Some(exact), ..self }
    }

    /// Name of its statistic in JSON, such as `mean` or `summary`.
    pub fn statistic(&self) -> &'static str {
        self.statistic
    }

    /// Name of the estimator.
    pub fn estimator(&self) -> &'static str {
        self.estimator
    }

    /// Neighbouring datasets that it protects.
    pub fn neighbors(&self) -> Neighbors {
        self.neighbors
    }
}

impl Subject for RegisteredMechanism {
    fn name(&self) -> &str {
        &self.name
    }

    fn promises(&self) -> &[Promise] {
        &self.promises
    }

    fn neighbours(&self) -> &[Neighbours] {
        &self.neighbours
    }

    fn release(&self, neighbours: usize, side: Side, randomness: &mut Randomness) -> Output {
        let (one, other) = &self.datasets[neighbours];
        let dataset = if side == Side::One { one } else { other };
        Output::from((self.draw)(dataset, randomness))
    }

    fn exact_loss(&self, neighbours: usize) -> Option<Loss> {
        let (one, other) = self.datasets.get(neighbours)?;
        self.exact.as_ref().and_then(|exact| exact(one, other))
    }
}

/// Limits with which all datasets fit any memory.
const MOST_RECORDS: u64 = 1000;
const MOST_LEVELS: usize = 16;

/// Ends of an interval; NaN if there is none.
fn ends(interval: Option<Interval>) -> (f64, f64) {
    interval.map_or((f64::NAN, f64::NAN), |interval| (interval.lower, interval.upper))
}

/// Every mechanism of suum, for people of this profile whose values are in the unit interval (or in
/// three categories).
///
/// Mechanisms that make no sense for the profile are left out, as in a plan. Searches for a range,
/// a range that is learned, and a histogram that divides cells need many records: they are audited
/// with the same tiers, enlarged as far as necessary.
///
/// # Errors
///
/// Refuses a profile in which nobody may be used, and one of more than 1000 people or 16 levels.
///
/// # Example
///
/// ```
/// let subjects = suum_audit::registered(&"0.5:3,1:3,3:2".parse()?)?;
/// assert!(
///     subjects
///         .iter()
///         .any(|subject| subject.statistic() == "mean" && subject.estimator() == "affine")
/// );
/// # Ok::<(), suum_core::Error>(())
/// ```
pub fn registered(profile: &Profile) -> Result<Vec<RegisteredMechanism>> {
    if profile.usable().is_empty() {
        return Err(Error::request(option::PROFILE, "nobody may be used")
            .with_fix("give somebody a positive budget"));
    }
    if profile.records() > MOST_RECORDS || profile.levels().len() > MOST_LEVELS {
        return Err(Error::request(
            option::PROFILE,
            "an audit is of at most 1000 people at 16 levels",
        )
        .with_fix("take fewer: among few people a record tells most"));
    }
    let mut subjects = mean::all(profile)?;
    subjects.extend(adaptive::all(profile)?);
    subjects.extend(frequency::all(profile)?);
    subjects.extend(found::all(profile)?);
    subjects.extend(quantile::all(profile)?);
    subjects.extend(plain::all(profile)?);
    subjects.extend(range::all(profile)?);
    subjects.extend(add_remove::all(profile)?);
    Ok(subjects)
}

/// Promises to each level whose records lose `loss`.
fn promises(profile: &Profile, loss: impl Fn(usize) -> Loss) -> Vec<Promise> {
    let levels = profile.levels().iter().enumerate();
    levels
        .map(|(position, level)| Promise {
            level: level.epsilon.to_string(),
            allowed: level.epsilon,
            certified: loss(position),
        })
        .collect()
}

/// Largest certified loss of each level in several certificates.
fn certified(spending: &[suum_core::Spending], profile: &Profile) -> Vec<Promise> {
    promises(profile, |position| {
        let epsilon = profile.levels()[position].epsilon;
        let rows = spending.iter().filter(|row| row.epsilon == epsilon);
        rows.map(|row| row.spent.clone()).next().unwrap_or(Loss::ZERO)
    })
}
