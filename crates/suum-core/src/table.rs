//! The level table: everything a release needs to know of the data.

use std::collections::{HashMap, HashSet};

use dashu_int::IBig;

use crate::{
    Categories, CellCounts, CellSums, Cells, Epsilon, Error, ExactSum, Grid, Level, PersonValue,
    Profile, Replacement, Result,
};

/// What was added up over a column of numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Numbers {
    /// The grid on which values are integers.
    pub grid: Grid,
    /// Whether squares were added up: Σ(2g − G)² over the grid indices g, for a variance, or the
    /// spread beside a mean.
    pub squares: bool,
    /// The candidates at which rows were counted, for quantiles; or at which grid indices were
    /// added up as well, for a mean that learns where the values lie.
    pub cells: Option<Cells>,
}

/// Sums of grid indices alone.
impl From<Grid> for Numbers {
    fn from(grid: Grid) -> Self {
        Self { grid, squares: false, cells: None }
    }
}

/// What was added up over the values of a column.
#[derive(Debug, Clone, PartialEq)]
pub enum Measure {
    /// Nothing: only budgets were read.
    Nothing,
    /// Grid indices, and what else can be added up over numbers.
    Numbers(Numbers),
    /// The records of each category.
    Categories(Categories),
}

impl Measure {
    /// How many sums a cohort has.
    pub fn sums(&self) -> usize {
        match self {
            Measure::Nothing => 0,
            Measure::Numbers(numbers) => 1 + usize::from(numbers.squares),
            Measure::Categories(categories) => categories.len(),
        }
    }
}

/// The records that share a tier (or a budget): one row of a level table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cohort {
    /// The name of the consent tier, where budgets came as labels.
    pub label: Option<String>,
    /// What each record of the cohort allows.
    pub epsilon: Epsilon,
    /// How many records there are; at least one.
    pub count: u64,
    /// The exact sums of their grid indices and of the squares, or how many are in each category;
    /// see [`Measure::sums`].
    pub sums: Vec<ExactSum>,
    /// How many of their rows are at each candidate of a quantile; empty where that was not asked
    /// for.
    pub cells: CellCounts,
}

impl Cohort {
    /// The name of the tier, or its ε where budgets are numbers.
    pub(crate) fn name(&self) -> String {
        self.label.clone().unwrap_or_else(|| self.epsilon.written().to_string())
    }

    /// Adds the records of a cohort of the same measure. Too many of them are refused with the
    /// table they are in.
    fn merge(&mut self, other: &Cohort) {
        self.count = self.count.saturating_add(other.count);
        self.sums.iter_mut().zip(&other.sums).for_each(|(sum, other)| sum.merge(other));
        self.cells = self.cells.merged(&other.cells);
    }
}

/// How a query was looked at that has made the rows of a table.
///
/// A query is row-wise if each record gives at most one row, computed from that record alone, and
/// if it does not depend on private values whether it gives one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QueryRows {
    /// It has a form that is not known to break this, which is no proof.
    Screened,
    /// Somebody has said that it is row-wise, and it was not looked at.
    Trusted,
}

impl QueryRows {
    /// Its name in files: `screened` or `trusted`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Screened => "screened",
            Self::Trusted => "trusted",
        }
    }

    /// What has this name.
    pub fn named(name: &str) -> Option<Self> {
        [Self::Screened, Self::Trusted].into_iter().find(|one| one.name() == name)
    }
}

/// The level table: per cohort a count and exact sums of grid indices or category counts.
///
/// This is the narrow waist of suum: any engine that can group by and add integers can make one,
/// shards merge without loss, and all a release reads is this table. Rows are in ascending order of
/// (ε, label), so two tables of the same records are equal whatever the order of the records was.
#[derive(Debug, Clone, PartialEq)]
pub struct LevelTable {
    column: Option<String>,
    measure: Measure,
    person: Option<String>,
    person_value: PersonValue,
    query: Option<QueryRows>,
    missing: Option<Replacement>,
    cohorts: Vec<Cohort>,
    // The stratum of each cohort; all 0 where there are none.
    strata: Vec<u32>,
}

impl LevelTable {
    /// A table of cohorts of the column `column`, over whose values `measure` was added up.
    ///
    /// # Errors
    ///
    /// Refuses an empty table, empty or repeated cohorts, and sums that the counts make impossible:
    /// engines do return wrong numbers after failures.
    pub fn new(column: Option<String>, measure: Measure, cohorts: Vec<Cohort>) -> Result<Self> {
        let mut cells: Vec<(Cohort, u32)> = cohorts.into_iter().map(|cohort| (cohort, 0)).collect();
        Self::check_cells(&measure, &mut cells)?;
        let table = Self::unchecked(column, measure, cells);
        table.profile()?;
        Ok(table)
    }

    /// As [`new`](Self::new), for releases that hide who takes part: without records it is a table
    /// as well.
    ///
    /// Cohorts without records are left out. Other releases need a profile, and refuse a table that
    /// has none.
    ///
    /// # Errors
    ///
    /// Refuses repeated cohorts, and sums that the counts make impossible.
    ///
    /// # Example
    ///
    /// ```
    /// use suum_core::{Bounds, Grid, LevelTable, Measure};
    ///
    /// let measure = Measure::Numbers(Grid::new(Bounds::UNIT).into());
    /// let nobody = LevelTable::possibly_empty(Some("visits".into()), measure.clone(), vec![])?;
    /// assert!(nobody.records() == 0 && nobody.profile().is_err());
    /// assert!(LevelTable::new(Some("visits".into()), measure, vec![]).is_err());
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    pub fn possibly_empty(
        column: Option<String>,
        measure: Measure,
        cohorts: Vec<Cohort>,
    ) -> Result<Self> {
        let cohorts = cohorts.into_iter().map(|cohort| (cohort, 0)).collect();
        Self::of_cells(column, measure, cohorts)
    }

    /// As [`possibly_empty`](Self::possibly_empty), of cohorts each with its stratum.
    fn of_cells(
        column: Option<String>,
        measure: Measure,
        mut cells: Vec<(Cohort, u32)>,
    ) -> Result<Self> {
        Self::check_cells(&measure, &mut cells)?;
        cells.retain(|(cohort, _)| cohort.count > 0);
        let table = Self::unchecked(column, measure, cells);
        if !table.cohorts.is_empty() {
            table.profile()?;
        }
        Ok(table)
    }

    /// Sorts cohorts, each with its stratum, and refuses what cannot be.
    fn check_cells(measure: &Measure, cells: &mut [(Cohort, u32)]) -> Result<()> {
        cells.sort_by(|(a, of_a), (b, of_b)| {
            (a.epsilon, &a.label, of_a).cmp(&(b.epsilon, &b.label, of_b))
        });
        let mut labels = HashSet::new();
        for (position, (cohort, stratum)) in cells.iter().enumerate() {
            let row = position + 1;
            let repeated = match &cohort.label {
                Some(label) => !labels.insert((label.as_str(), stratum)),
                None => {
                    let before = position.checked_sub(1).map(|before| &cells[before]);
                    before.is_some_and(|(before, other)| {
                        (before.epsilon, other) == (cohort.epsilon, stratum)
                    })
                }
            };
            if repeated {
                return Err(Error::table(format!(
                    "level table: level {row} (by ascending epsilon) is repeated"
                ))
                .with_hint("add up the counts and sums of equal levels"));
            }
            if !possible(cohort, measure) {
                return Err(Error::table(format!(
                    "level table: the sums of level {row} (by ascending epsilon) are impossible \
                    for its count"
                ))
                .with_hint("compute the table again; an engine may have returned wrong sums"));
            }
        }
        Ok(())
    }

    fn unchecked(column: Option<String>, measure: Measure, cells: Vec<(Cohort, u32)>) -> Self {
        let (cohorts, strata) = cells.into_iter().unzip();
        Self {
            column,
            measure,
            person: None,
            person_value: PersonValue::default(),
            query: None,
            missing: None,
            cohorts,
            strata,
        }
    }

    /// One table of the records of all these strata, each of which keeps levels of its own; the
    /// tables of one scan.
    ///
    /// # Errors
    ///
    /// Refuses no stratum at all, tables of different columns, and more records than a profile can
    /// have.
    ///
    /// # Example
    ///
    /// ```
    /// use suum_core::{Cohort, Epsilon, LevelTable, Measure};
    ///
    /// let people = |count| -> suum_core::Result<LevelTable> {
    ///     let epsilon = Epsilon::new(0.1)?;
    ///     let cohort =
    ///         Cohort { label: None, epsilon, count, sums: vec![], cells: Default::default() };
    ///     LevelTable::new(None, Measure::Nothing, vec![cohort])
    /// };
    /// let table = LevelTable::in_strata(vec![people(5)?, people(3)?])?;
    /// assert_eq!(table.profile()?.records_of_strata(), [5, 3]);
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    pub fn in_strata(tables: Vec<LevelTable>) -> Result<Self> {
        let about = tables.first().map(|first| (first.clone_empty(), first.measure.clone()));
        let (about, measure) = about.ok_or_else(|| {
            Error::table("level table: there are no strata").with_hint("declare at least one")
        })?;
        if tables.iter().any(|table| table.clone_empty() != about || table.measure != measure) {
            return Err(Error::table("level table: the tables of strata are of different columns")
                .with_hint("make all of them in one scan"));
        }
        let cells = (0..).zip(tables).flat_map(|(stratum, table)| {
            table.cohorts.into_iter().map(move |cohort| (cohort, stratum))
        });
        let table = Self::of_cells(about.column.clone(), measure, cells.collect())?;
        Ok(table.about(about))
    }

    /// The records of this table, of which is said what is said of those of another one.
    fn about(self, about: Self) -> Self {
        Self { measure: self.measure, cohorts: self.cohorts, strata: self.strata, ..about }
    }

    /// The stratum of each cohort; all 0 where there are no strata.
    pub(crate) fn strata_of_cohorts(&self) -> impl Iterator<Item = usize> + '_ {
        self.strata.iter().map(|stratum| *stratum as usize)
    }

    /// The name of the value column, if one was read.
    pub fn column(&self) -> Option<&str> {
        self.column.as_deref()
    }

    /// What was added up.
    pub fn measure(&self) -> &Measure {
        &self.measure
    }

    /// The same table, whose records are persons with one row or more, named by the column
    /// `person`.
    ///
    /// Each person counts once: in sums with the mean or the total of their rows, as `value` says,
    /// with R of their rows, evenly spaced by rank ([`Cells::rows`]; one is their median) in counts
    /// for quantiles, with their most frequent category, and at the least budget of their rows.
    #[must_use]
    pub fn with_person(self, person: String, value: PersonValue) -> Self {
        Self { person: Some(person), person_value: value, ..self }
    }

    /// The column that names persons, where a record is a person.
    pub fn person(&self) -> Option<&str> {
        self.person.as_deref()
    }

    /// What the rows of a person have become in sums of numbers. Without a column that names
    /// persons it says nothing.
    pub fn person_value(&self) -> PersonValue {
        self.person_value
    }

    /// The same table, of rows that a query has made.
    #[must_use]
    pub fn with_query(self, query: QueryRows) -> Self {
        Self { query: Some(query), ..self }
    }

    /// How the query was looked at that has made the rows, if one has. A release from this table
    /// protects records of the data only if that query is row-wise.
    pub fn query(&self) -> Option<QueryRows> {
        self.query
    }

    /// The same table, in whose data missing values were replaced by a public constant, or left
    /// out.
    #[must_use]
    pub fn with_missing(self, missing: Option<Replacement>) -> Self {
        Self { missing, ..self }
    }

    /// What became of missing values, if they were not refused.
    pub fn missing(&self) -> Option<&Replacement> {
        self.missing.as_ref()
    }

    /// What was added up over numbers, if values are numbers.
    pub fn numbers(&self) -> Option<&Numbers> {
        match &self.measure {
            Measure::Numbers(numbers) => Some(numbers),
            _ => None,
        }
    }

    /// The grid of the sums, if values were added up.
    pub fn grid(&self) -> Option<&Grid> {
        self.numbers().map(|numbers| &numbers.grid)
    }

    /// The categories, if they were counted.
    pub fn categories(&self) -> Option<&Categories> {
        match &self.measure {
            Measure::Categories(categories) => Some(categories),
            _ => None,
        }
    }

    /// The rows, in ascending order of (ε, label).
    pub fn cohorts(&self) -> &[Cohort] {
        &self.cohorts
    }

    /// The same records at other budgets, for example at what earlier releases have left of them.
    ///
    /// `budget` says what a record of this tier, if there are tiers, and this budget counts as.
    /// Numeric budgets that become equal become one cohort.
    ///
    /// # Errors
    ///
    /// Refuses more records than a profile can have.
    ///
    /// # Example
    ///
    /// ```
    /// use suum_core::{Cohort, Epsilon, LevelTable, Measure};
    ///
    /// let people = |epsilon, count| -> suum_core::Result<Cohort> {
    ///     let epsilon = Epsilon::new(epsilon)?;
    ///     Ok(Cohort {
    ///         label: None,
    ///         epsilon,
    ///         count,
    ///         sums: vec![],
    ///         cells: Default::default(),
    ///     })
    /// };
    /// let table = LevelTable::new(
    ///     None,
    ///     Measure::Nothing,
    ///     vec![people(0.1, 5)?, people(0.5, 2)?, people(1.0, 3)?],
    /// )?;
    /// let most = Epsilon::new(0.3)?;
    /// assert_eq!(
    ///     table.with_budgets(|_, epsilon| epsilon.min(most))?.profile()?.to_string(),
    ///     "0.1:5,0.3:5"
    /// );
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    pub fn with_budgets(self, budget: impl Fn(Option<&str>, Epsilon) -> Epsilon) -> Result<Self> {
        let about = self.clone_empty();
        let mut cells: Vec<(Cohort, u32)> = Vec::with_capacity(self.cohorts.len());
        let mut places: HashMap<(u64, u32), usize> = HashMap::new();
        for (cohort, stratum) in self.cohorts.into_iter().zip(self.strata) {
            let epsilon = budget(cohort.label.as_deref(), cohort.epsilon);
            let next = cells.len();
            let place = match cohort.label {
                Some(_) => next,
                None => *places.entry((epsilon.get().to_bits(), stratum)).or_insert(next),
            };
            match cells.get_mut(place) {
                Some((same, _)) => same.merge(&cohort),
                None => cells.push((Cohort { epsilon, ..cohort }, stratum)),
            }
        }
        Ok(Self::of_cells(self.column, self.measure, cells)?.about(about))
    }

    /// The same records with other names of their levels; records of equal budgets become one
    /// cohort.
    ///
    /// # Errors
    ///
    /// Refuses the same name for two budgets.
    ///
    /// # Example
    ///
    /// ```
    /// use suum_core::{Cohort, Epsilon, LevelTable, Measure};
    ///
    /// let people = Cohort {
    ///     label: None,
    ///     epsilon: Epsilon::new(0.1)?,
    ///     count: 5,
    ///     sums: vec![],
    ///     cells: Default::default(),
    /// };
    /// let table = LevelTable::new(None, Measure::Nothing, vec![people])?;
    /// let named = table.with_labels(|_| Some("strict".into()))?;
    /// assert_eq!(named.cohorts()[0].label.as_deref(), Some("strict"));
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    pub fn with_labels(mut self, label: impl Fn(Epsilon) -> Option<String>) -> Result<Self> {
        self.cohorts.iter_mut().for_each(|cohort| cohort.label = None);
        let mut table = self.with_budgets(|_, epsilon| epsilon)?;
        table.cohorts.iter_mut().for_each(|cohort| cohort.label = label(cohort.epsilon));
        let about = table.clone_empty();
        let cells = table.cohorts.into_iter().zip(table.strata).collect();
        Ok(Self::of_cells(table.column, table.measure, cells)?.about(about))
    }

    /// Refuses a table whose persons count with something else than a statistic is of.
    ///
    /// # Errors
    ///
    /// If numbers of persons were added up, and `value` is not what their rows have become.
    pub fn check_persons(&self, value: PersonValue) -> Result<()> {
        if self.person.is_none() || self.grid().is_none() || self.person_value == value {
            return Ok(());
        }
        Err(match value {
            PersonValue::Total => Error::table(
                "level table: its persons count with the mean of their rows; a sum is of totals",
            )
            .with_hint(
                "make it with totals: suum levels DATA --person COL --value COL --bounds LO,HI \
                 --totals …, with the bounds of a person's total",
            ),
            PersonValue::Mean => Error::table(
                "level table: its persons count with the total of their rows, which is for a sum",
            )
            .with_hint(
                "ask for a sum, or make it without --totals: suum levels DATA --person COL --value \
                 COL --bounds LO,HI …, with the bounds of a row",
            ),
        })
    }

    /// The number of records.
    pub fn records(&self) -> u64 {
        self.cohorts.iter().map(|cohort| cohort.count).sum()
    }

    /// The table of the same records with their grid indices clamped to the part of the grid from
    /// the first index of cell `first` to the first one behind cell `last`.
    ///
    /// # Errors
    ///
    /// If nothing was added up in cells, which is a bug; and as [`Grid::part`].
    pub(crate) fn clamped(&self, first: u32, last: u32) -> Result<Self> {
        let numbers = self.numbers().and_then(|numbers| Some((numbers.grid, numbers.cells?)));
        let Some((grid, cells)) = numbers.filter(|(_, cells)| cells.has_sums()) else {
            return Err(Error::internal("internal error: a table has no sums in cells")
                .with_hint("please report it, with the options"));
        };
        let (from, to) = (cells.first_index(&grid, first), cells.first_index(&grid, last + 1));
        let part = grid.part(from, to)?;
        let cohorts = self.cohorts.iter().map(|cohort| Cohort {
            label: cohort.label.clone(),
            epsilon: cohort.epsilon,
            count: cohort.count,
            sums: clamped_sums(&cohort.cells, (first, last), (from, to), grid.points()).into(),
            cells: CellCounts::default(),
        });
        let measure = Measure::Numbers(Numbers { grid: part, squares: true, cells: None });
        let (cohorts, strata) = (cohorts.collect(), self.strata.clone());
        Ok(Self { measure, cohorts, strata, ..self.clone_empty() })
    }

    /// What is said of the records, without records.
    fn clone_empty(&self) -> Self {
        Self {
            column: self.column.clone(),
            measure: Measure::Nothing,
            person: self.person.clone(),
            person_value: self.person_value,
            query: self.query,
            missing: self.missing.clone(),
            cohorts: Vec::new(),
            strata: Vec::new(),
        }
    }

    /// Refuses a table of other people than a plan was made for.
    pub(crate) fn check_for(&self, planned: &Profile) -> Result<()> {
        if self.profile()? != *planned {
            return Err(Error::table(
                "level table: its levels and counts are not those of the plan",
            )
            .with_hint("plan with the profile of this table"));
        }
        Ok(())
    }

    /// Refuses a table of which it is private how many records there are, whatever the release.
    pub(crate) fn check_public(&self) -> Result<()> {
        match self.missing {
            Some(Replacement::Excluded) => Err(Error::table(
                "level table: records without a value are left out, so how many there are is \
                 private",
            )
            .with_hint(
                "add --neighbors both, which protects who has a value, or make the table with a \
                 constant in place of missing values: --missing VALUE",
            )),
            _ => Ok(()),
        }
    }

    /// The public profile of the records.
    ///
    /// # Errors
    ///
    /// As [`Profile::new`]; a table that was built with [`new`](Self::new) has a profile. Refuses
    /// a table that leaves records without a value out: how many are left is private.
    pub fn profile(&self) -> Result<Profile> {
        self.check_public()?;
        let levels = self.cohorts.iter().map(|c| Level { epsilon: c.epsilon, count: c.count });
        Profile::of_cells(levels.zip(self.strata.iter().copied()).collect())
    }
}

/// Σ g and Σ (2g − G′)² over grid indices from `from`, of which those in other cells are clamped to
/// the ends, for a part of G′ = to − from steps of a grid of G.
fn clamped_sums(
    cells: &CellCounts,
    (first, last): (u32, u32),
    (from, to): (u64, u64),
    points: u64,
) -> [ExactSum; 2] {
    let [from, to, points] = [from, to, points].map(i128::from);
    let part = to - from;
    // With c = 2g − G and 2(g − from) − G′ = c + away.
    let away = points - from - to;
    let (mut sum, mut squares) = (0, 0);
    for ((candidate, count), inside) in cells.expose_raw().iter().zip(cells.expose_sums()) {
        let count = i128::from(*count);
        if (first..=last).contains(candidate) {
            let (indices, square) = (inside.indices.expose_raw(), inside.squares.expose_raw());
            sum += indices - count * from;
            squares += square + 2 * away * (2 * indices - count * points) + count * away * away;
        } else {
            sum += if *candidate < first { 0 } else { count * part };
            squares += count * part * part;
        }
    }
    [sum, squares].map(ExactSum::from_raw)
}

/// Whether sums of that count are possible: 0..count·G for grid indices, adding up to the count for
/// categories.
fn possible(cohort: &Cohort, measure: &Measure) -> bool {
    let count = i128::from(cohort.count);
    let mut sums = cohort.sums.iter().map(ExactSum::expose_raw);
    let counted = matches!(measure, Measure::Numbers(Numbers { cells: Some(_), .. }));
    cohort.sums.len() == measure.sums()
        && (counted || cohort.cells.expose_raw().is_empty())
        && match measure {
            Measure::Nothing => true,
            Measure::Numbers(numbers) => {
                sums.next().is_some_and(|sum| {
                    (0..=count * i128::from(numbers.grid.points())).contains(&sum)
                }) && sums
                    .next()
                    .is_none_or(|squares| possible_squares(cohort, numbers, count, squares))
                    && numbers.cells.is_none_or(|cells| possible_cells(cohort, cells, numbers))
            }
            Measure::Categories(_) => {
                sums.clone().all(|sum| (0..=count).contains(&sum)) && sums.sum::<i128>() == count
            }
        }
}

/// Whether there are numbers with this sum and sum of squares: (Σc)² ≤ n·Σc² ≤ (n·G)² for c = 2g −
/// G.
fn possible_squares(cohort: &Cohort, numbers: &Numbers, count: i128, squares: i128) -> bool {
    let points = i128::from(numbers.grid.points());
    let sum = cohort.sums.first().map_or(0, ExactSum::expose_raw);
    let centred = IBig::from(sum) * IBig::from(2) - IBig::from(count) * IBig::from(points);
    let (count, points, squares) = (IBig::from(count), IBig::from(points), IBig::from(squares));
    &centred * &centred <= &count * &squares && squares <= &count * &points * &points
}

/// Whether all candidates exist, and have R rows for each record together; and whether what was
/// added up at each is possible there, and adds up to the sums of the cohort.
fn possible_cells(cohort: &Cohort, cells: Cells, numbers: &Numbers) -> bool {
    let last = cohort.cells.expose_raw().last().map(|(candidate, _)| *candidate);
    last.is_none_or(|last| last <= cells.steps())
        && cohort.cells.total() == cohort.count.checked_mul(u64::from(cells.rows()))
        && match cells.has_sums() {
            true => numbers.squares && possible_cell_sums(cohort, cells, numbers),
            false => cohort.cells.expose_sums().is_empty(),
        }
}

/// Whether the indices that were added up at each candidate lie there, and all add up to the sums.
fn possible_cell_sums(cohort: &Cohort, cells: Cells, numbers: &Numbers) -> bool {
    let (counts, sums) = (cohort.cells.expose_raw(), cohort.cells.expose_sums());
    let points = i128::from(numbers.grid.points());
    let possible = |(candidate, count): &(u32, u64), sums: &CellSums| {
        let count = i128::from(*count);
        let first = i128::from(cells.first_index(&numbers.grid, *candidate));
        let last = match *candidate == cells.steps() {
            true => points,
            false => i128::from(cells.first_index(&numbers.grid, candidate + 1)) - 1,
        };
        let (sum, squares) = (sums.indices.expose_raw(), sums.squares.expose_raw());
        // Σc of c = 2g − G, of which each is at most the largest at the ends.
        let centred = IBig::from(sum) * IBig::from(2) - IBig::from(count * points);
        let most = (2 * first - points).abs().max((2 * last - points).abs());
        (count * first..=count * last).contains(&sum)
            && &centred * &centred <= IBig::from(count) * IBig::from(squares)
            && IBig::from(squares) <= IBig::from(count) * IBig::from(most * most)
    };
    let total = |sum: fn(&CellSums) -> i128| {
        sums.iter().try_fold(0i128, |total, one| total.checked_add(sum(one)))
    };
    let totals: Vec<Option<i128>> = cohort.sums.iter().map(|sum| Some(sum.expose_raw())).collect();
    counts.len() == sums.len()
        && counts.iter().zip(sums).all(|(count, sums)| possible(count, sums))
        && totals == [total(|one| one.indices.expose_raw()), total(|one| one.squares.expose_raw())]
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
            sums: vec![ExactSum::from_raw(sum)],
            cells: Default::default(),
        }
    }

    fn table(cohorts: Vec<Cohort>) -> Result<LevelTable> {
        LevelTable::new(
            Some("visits".into()),
            Measure::Numbers(Grid::new(Bounds::UNIT).into()),
            cohorts,
        )
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
    fn category_counts_must_add_up() {
        let table = |counts: [i128; 2]| {
            let sums = counts.map(ExactSum::from_raw).to_vec();
            let cohort = Cohort { sums, ..cohort(None, 0.1, 5, 0) };
            LevelTable::new(None, Measure::Categories("a,b".parse().unwrap()), vec![cohort])
        };
        assert!(table([2, 3]).is_ok());
        for bad in [[2, 2], [3, 3], [6, -1]] {
            assert!(table(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn tiers_of_equal_budget_stay_apart_but_form_one_level() {
        let table =
            table(vec![cohort(Some("b"), 0.1, 2, 5), cohort(Some("a"), 0.1, 3, 7)]).unwrap();
        assert_eq!(table.cohorts()[0].label.as_deref(), Some("a"));
        assert_eq!(table.profile().unwrap().to_string(), "0.1:5");
    }

    #[test]
    fn other_budgets_keep_all_records() {
        let budgets = |table: &LevelTable| {
            let rows = table.cohorts().iter().map(|c| {
                (
                    c.label.clone(),
                    c.epsilon.get(),
                    c.count,
                    c.sums.iter().map(ExactSum::expose_raw).sum(),
                )
            });
            rows.collect::<Vec<(Option<String>, f64, u64, i128)>>()
        };
        let half = |epsilon: f64| Epsilon::new(epsilon).unwrap();
        let numbers =
            table(vec![cohort(None, 0.1, 2, 5), cohort(None, 0.2, 3, 7), cohort(None, 1.0, 1, 1)]);
        let merged = numbers.unwrap().with_person("id".into(), PersonValue::Total);
        let merged = merged.with_budgets(|label, epsilon| {
            assert!(label.is_none());
            if epsilon < half(1.0) { half(0.05) } else { Epsilon::UNUSED }
        });
        let merged = merged.unwrap();
        assert_eq!(budgets(&merged), [(None, 0.0, 1, 1), (None, 0.05, 5, 12)]);
        assert_eq!((merged.person(), merged.column()), (Some("id"), Some("visits")));
        assert_eq!(merged.person_value(), PersonValue::Total);
        assert!(merged.check_persons(PersonValue::Total).is_ok());
        for table in [&merged, &merged.clone().with_labels(|_| None).unwrap()] {
            let refused = table.check_persons(PersonValue::Mean).unwrap_err();
            assert!(refused.hint().is_some_and(|hint| hint.contains("--totals")));
        }
        // Tiers stay apart, in the order of what is left.
        let tiers =
            table(vec![cohort(Some("a"), 0.1, 2, 5), cohort(Some("b"), 0.2, 3, 7)]).unwrap();
        let left =
            |label: Option<&str>, epsilon| if label == Some("b") { half(0.01) } else { epsilon };
        let tiers = tiers.with_budgets(left).unwrap();
        assert_eq!(
            budgets(&tiers),
            [(Some("b".into()), 0.01, 3, 7), (Some("a".into()), 0.1, 2, 5)]
        );
    }

    /// The sums of clamped indices, from sums in cells, are those that one gets one by one.
    #[test]
    fn clamped_sums_are_those_of_clamped_indices() {
        let grid = Grid::with_points(Bounds::new(-2.0, 6.0).unwrap(), 1 << 20).unwrap();
        let cells = Cells::new(9).unwrap().with_sums(true);
        let points = grid.points();
        let numbers = Numbers { grid, squares: true, cells: Some(cells) };
        // All ends of cells and their neighbours, and some in between.
        let ends = (0..=10).map(|cell| cells.first_index(&grid, cell));
        let indices: Vec<u64> = ends
            .flat_map(|end| [end.saturating_sub(1), end, (end + 1).min(points)])
            .chain((0..50).map(|i| i * 20_011))
            .collect();
        let square = |index: u64, points: u64| (2 * i128::from(index) - i128::from(points)).pow(2);
        let sums = |index: &u64| CellSums {
            indices: ExactSum::from_raw(i128::from(*index)),
            squares: ExactSum::from_raw(square(*index, points)),
        };
        let counts = indices.iter().map(|index| (cells.of_index(&grid, *index), 1, sums(index)));
        let cohort = Cohort {
            sums: [
                indices.iter().map(|index| i128::from(*index)).sum(),
                indices.iter().map(|index| square(*index, points)).sum(),
            ]
            .map(ExactSum::from_raw)
            .to_vec(),
            cells: CellCounts::with_sums(counts.collect()),
            ..cohort(None, 1.0, indices.len() as u64, 0)
        };
        let table = LevelTable::new(None, Measure::Numbers(numbers), vec![cohort]).unwrap();
        for first in 0..=9 {
            for last in first..=9 {
                let clamped = table.clamped(first, last).unwrap();
                let (from, to) =
                    (cells.first_index(&grid, first), cells.first_index(&grid, last + 1));
                let inside: Vec<u64> =
                    indices.iter().map(|index| index.clamp(&from, &to) - from).collect();
                let expected = [
                    inside.iter().map(|index| i128::from(*index)).sum(),
                    inside.iter().map(|index| square(*index, to - from)).sum(),
                ];
                let part = *clamped.grid().unwrap();
                assert_eq!(part.points(), to - from);
                assert_eq!(clamped.cohorts()[0].sums, expected.map(ExactSum::from_raw));
                assert!(possible(&clamped.cohorts()[0], clamped.measure()));
                assert!((part.bounds().lower() - grid.value(from)).abs() < 1e-12);
            }
        }
    }

    /// What was added up in a cell must lie there, and all of it add up.
    #[test]
    fn impossible_sums_in_cells_are_refused() {
        let grid = Grid::new(Bounds::UNIT);
        let (points, cells) = (i128::from(grid.points()), Cells::of_sums());
        let numbers = Numbers { grid, squares: true, cells: Some(cells) };
        let table = |cell: u32, index: i128, total: i128| {
            let square = (2 * index - points).pow(2);
            let [indices, squares] = [index, square].map(ExactSum::from_raw);
            let one = Cohort {
                sums: [total, square].map(ExactSum::from_raw).to_vec(),
                cells: CellCounts::with_sums(vec![(cell, 1, CellSums { indices, squares })]),
                ..cohort(None, 1.0, 1, 0)
            };
            LevelTable::new(None, Measure::Numbers(numbers), vec![one])
        };
        assert!(table(1, 1 << 17, 1 << 17).is_ok());
        assert!(table(2, 1 << 17, 1 << 17).is_err(), "in another cell");
        assert!(table(1, 1 << 17, (1 << 17) + 1).is_err(), "another total");
        assert!(table(8193, points, points).is_err(), "no such cell");
        assert!(table(8192, points, points).is_ok());
    }

    #[test]
    fn debug_shows_no_sum() {
        let text = format!("{:?}", table(vec![cohort(None, 0.1, 2, 1234567)]).unwrap());
        assert!(!text.contains("1234567"));
    }
}
