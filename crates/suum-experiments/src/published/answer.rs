//! What a published estimator answers.

use suum::{
    Bounds, CellCounts, Epsilon, Error, ExactSum, Grid, Interval, Level, LevelSums, LevelTable,
    Loss, Measure, Profile, Result, Risk,
};

/// The estimate of a mean, and what it cost.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The estimate, in units of the data.
    pub estimate: f64,
    /// An interval for the mean of the distribution that the records were drawn from; `None` where
    /// values beyond a range that was found were moved to its ends.
    pub interval: Option<Interval>,
    /// The bounds: declared, or found.
    pub bounds: Bounds,
    /// The exact worst-case risk, where there is one.
    pub risk: Option<Risk>,
    /// What each level allowed and lost.
    pub privacy: Vec<LevelSpending>,
    /// Whether the noise came from secret entropy. If not, the answer protects nobody.
    pub private: bool,
}

/// What the records of a level allowed, and what each of them lost.
#[derive(Debug, Clone, PartialEq)]
pub struct LevelSpending {
    /// What each record allowed.
    pub epsilon: Epsilon,
    /// How many records there are; `None` where that is private.
    pub count: Option<u64>,
    /// A bound on the loss of each record; never above `epsilon`.
    pub spent: Loss,
}

impl LevelSpending {
    /// A row for each level of the profile.
    ///
    /// # Errors
    ///
    /// Refuses a loss above what is allowed, which is a mistake of our own.
    pub(super) fn of(profile: &Profile, loss: impl Fn(Epsilon) -> Loss) -> Result<Vec<Self>> {
        let row = |Level { epsilon, count }: &Level| Self {
            epsilon: *epsilon,
            count: Some(*count),
            spent: loss(*epsilon),
        };
        let rows: Vec<Self> = profile.levels().iter().map(row).collect();
        checked(rows)
    }
}

/// Refuses rows of which one spends more than is allowed.
pub(super) fn checked(rows: Vec<LevelSpending>) -> Result<Vec<LevelSpending>> {
    if rows.iter().all(|row| row.spent.within(row.epsilon)) {
        return Ok(rows);
    }
    Err(Error::internal("a loss would exceed its budget; nothing was released")
        .with_fix("please report it, with the options and the numbers of people"))
}

/// One record: what it allows, and its value.
pub type Person = (Epsilon, f64);

/// The profile of these records.
///
/// # Errors
///
/// Refuses none at all.
pub fn profile_of(people: &[Person]) -> Result<Profile> {
    Profile::new(people.iter().map(|(epsilon, _)| Level { epsilon: *epsilon, count: 1 }))
}

/// The budgets of the records, and their grid indices; what is not a number is in the middle.
pub(super) fn indices<'a>(
    people: &'a [Person],
    grid: &'a Grid,
) -> impl Iterator<Item = (Epsilon, u64)> + 'a {
    people
        .iter()
        .map(|(epsilon, value)| (*epsilon, grid.index(*value).unwrap_or(grid.points() / 2)))
}

/// The level table of the records on this grid.
pub(super) fn table_of(people: &[Person], grid: Grid) -> Result<LevelTable> {
    let profile = profile_of(people)?;
    let mut sums = vec![ExactSum::default(); profile.levels().len()];
    for (epsilon, index) in indices(people, &grid) {
        if let Some(sum) = profile.position(epsilon).and_then(|position| sums.get_mut(position)) {
            sum.add(index);
        }
    }
    let by_level = profile.levels().iter().zip(sums).map(|(level, sum)| LevelSums {
        label: None,
        epsilon: level.epsilon,
        count: level.count,
        sums: vec![sum],
        cells: CellCounts::default(),
    });
    LevelTable::new(None, Measure::Numbers(grid.into()), by_level.collect())
}

/// Refuses records of another profile than the planned one.
pub(super) fn check_profile(people: &[Person], planned: &Profile) -> Result<()> {
    if profile_of(people)? == *planned {
        return Ok(());
    }
    Err(Error::data((), "the levels and counts of the records are not those of the plan")
        .with_fix("plan with the profile of these records"))
}
