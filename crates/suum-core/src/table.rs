//! The level table: everything a release needs to know of the data.

use std::collections::HashSet;

use crate::{Epsilon, Error, ExactSum, Grid, Level, Profile, Result};

/// The records that share a tier (or a budget): one row of a level table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cohort {
    /// The name of the consent tier, where budgets came as labels.
    pub label: Option<String>,
    /// What each record of the cohort allows.
    pub epsilon: Epsilon,
    /// How many records there are; at least one.
    pub count: u64,
    /// The exact sum of their grid indices; zero where no value column was read.
    pub sum: ExactSum,
}

/// The level table: per cohort a count and an exact sum of grid indices.
///
/// This is the narrow waist of suum: any engine that can group by and add integers can make one, shards merge
/// without loss, and all a release reads is this table. Rows are in ascending order of (ε, label), so
/// two tables of the same records are equal whatever the order of the records was.
#[derive(Debug, Clone, PartialEq)]
pub struct LevelTable {
    column: Option<String>,
    grid: Option<Grid>,
    cohorts: Vec<Cohort>,
}

impl LevelTable {
    /// A table of cohorts of the column `column`, whose values were put on `grid`; neither is given where
    /// only budgets were read.
    ///
    /// # Errors
    ///
    /// Refuses an empty table, empty or repeated cohorts, and sums outside 0..count·G: engines do return wrong
    /// numbers after failures.
    pub fn new(column: Option<String>, grid: Option<Grid>, mut cohorts: Vec<Cohort>) -> Result<Self> {
        cohorts.sort_by(|a, b| (a.epsilon, &a.label).cmp(&(b.epsilon, &b.label)));
        let mut labels = HashSet::new();
        for (position, cohort) in cohorts.iter().enumerate() {
            let row = position + 1;
            let repeated = match &cohort.label {
                Some(label) => !labels.insert(label.as_str()),
                None => position > 0 && cohorts[position - 1].epsilon == cohort.epsilon,
            };
            if repeated {
                return Err(Error::table(format!(
                    "level table: level {row} (by ascending epsilon) is repeated"
                ))
                .with_hint("add up the counts and sums of equal levels"));
            }
            let steps = grid.map_or(0, |grid| grid.points());
            let largest = i128::from(cohort.count) * i128::from(steps);
            if !(0..=largest).contains(&cohort.sum.expose_raw()) {
                return Err(Error::table(format!(
                    "level table: the sum of level {row} (by ascending epsilon) is impossible for its count and grid"
                ))
                .with_hint("compute the table again; each sum must lie between 0 and count × grid"));
            }
        }
        let table = Self { column, grid, cohorts };
        table.profile()?;
        Ok(table)
    }

    /// The name of the value column, if one was read.
    pub fn column(&self) -> Option<&str> {
        self.column.as_deref()
    }

    /// The grid of the sums, if a value column was read.
    pub fn grid(&self) -> Option<&Grid> {
        self.grid.as_ref()
    }

    /// The rows, in ascending order of (ε, label).
    pub fn cohorts(&self) -> &[Cohort] {
        &self.cohorts
    }

    /// The number of records.
    pub fn records(&self) -> u64 {
        self.cohorts.iter().map(|cohort| cohort.count).sum()
    }

    /// The public profile of the records.
    ///
    /// # Errors
    ///
    /// As [`Profile::new`]; a table that was built has a profile.
    pub fn profile(&self) -> Result<Profile> {
        Profile::new(self.cohorts.iter().map(|c| Level { epsilon: c.epsilon, count: c.count }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Bounds;

    fn cohort(label: Option<&str>, epsilon: f64, count: u64, sum: i128) -> Cohort {
        Cohort {
            label: label.map(str::to_owned),
            epsilon: Epsilon::new(epsilon).unwrap(),
            count,
            sum: ExactSum::from_raw(sum),
        }
    }

    fn table(cohorts: Vec<Cohort>) -> Result<LevelTable> {
        LevelTable::new(Some("visits".into()), Some(Grid::new(Bounds::UNIT)), cohorts)
    }

    #[test]
    fn refuses_impossible_tables() {
        let steps = 1i128 << Grid::BITS;
        assert!(table(vec![]).is_err());
        assert!(table(vec![cohort(None, 0.1, 0, 0)]).is_err());
        assert!(table(vec![cohort(None, 0.1, 2, -1)]).is_err());
        assert!(table(vec![cohort(None, 0.1, 2, 2 * steps + 1)]).is_err());
        assert!(table(vec![cohort(None, 0.1, 2, 0), cohort(None, 0.1, 3, 0)]).is_err());
        assert!(table(vec![cohort(Some("a"), 0.1, 2, 0), cohort(Some("a"), 0.2, 3, 0)]).is_err());
        assert!(table(vec![cohort(None, 0.1, 2, 2 * steps)]).is_ok());
    }

    #[test]
    fn tiers_of_equal_budget_stay_apart_but_form_one_level() {
        let table = table(vec![cohort(Some("b"), 0.1, 2, 5), cohort(Some("a"), 0.1, 3, 7)]).unwrap();
        assert_eq!(table.cohorts()[0].label.as_deref(), Some("a"));
        assert_eq!(table.profile().unwrap().to_string(), "0.1:5");
    }

    #[test]
    fn debug_shows_no_sum() {
        let text = format!("{:?}", table(vec![cohort(None, 0.1, 2, 1234567)]).unwrap());
        assert!(!text.contains("1234567"));
    }
}
