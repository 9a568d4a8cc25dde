//! Answer of a published estimator.

use suum::{
    Bounds, CellCounts, Epsilon, Error, ExactSum, Grid, Interval, Level, LevelSums, LevelTable,
    Loss, Measure, Profile, Result, Risk,
};

/// Estimate of a mean, and its cost.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// Estimate, in units of the data.
    pub estimate: f64,
    /// Interval for the mean of the distribution that the records were drawn from; `None` if values
    /// beyond a found range were moved to its ends.
    pub interval: Option<Interval>,
    /// Bounds: declared, or found.
    pub bounds: Bounds,
    /// Exact worst-case risk, if there is one.
    pub risk: Option<Risk>,
    /// Allowed budget and loss of each level.
    pub privacy: Vec<LevelSpending>,
    /// True if the noise came from secret entropy. Otherwise, the answer protects nobody.
    pub private: bool,
}

/// Allowed budget of a level, and the loss of each of its records.
#[derive(Debug, Clone, PartialEq)]
pub struct LevelSpending {
    /// Budget that each record allowed.
    pub epsilon: Epsilon,
    /// Number of records; `None` if it is private.
    pub count: Option<u64>,
    /// Bound on the loss of each record; never above `epsilon`.
    pub spent: Loss,
}

impl LevelSpending {
    /// Rows for each level of the profile.
    ///
    /// # Errors
    ///
    /// Refuses a loss above the allowed budget, which would be a defect.
    pub(super) fn from_profile(
        profile: &Profile,
        loss: impl Fn(Epsilon) -> Loss,
    ) -> Result<Vec<Self>> {
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

/// Record: its budget, and its value.
pub type Person = (Epsilon, f64);

/// Profile of these records.
///
/// # Errors
///
/// Refuses an empty list.
pub fn profile_of(people: &[Person]) -> Result<Profile> {
    Profile::new(people.iter().map(|(epsilon, _)| Level { epsilon: *epsilon, count: 1 }))
}

/// Budgets of the records, and their grid indices; NaN counts as the middle.
pub(super) fn indices<'a>(
    people: &'a [Person],
    grid: &'a Grid,
) -> impl Iterator<Item = (Epsilon, u64)> + 'a {
    people
        .iter()
        .map(|(epsilon, value)| (*epsilon, grid.index(*value).unwrap_or(grid.points() / 2)))
}

/// Level table of the records on this grid.
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

/// Refuses records whose profile differs from the planned one.
pub(super) fn check_profile(people: &[Person], planned: &Profile) -> Result<()> {
    if profile_of(people)? == *planned {
        return Ok(());
    }
    Err(Error::data((), "the levels and counts of the records are not those of the plan")
        .with_fix("plan with the profile of these records"))
}
