//! Level table: all data that a release reads.

mod budgets;
mod clamped;
mod level_sums;
mod measure;
mod members;
mod possible;
mod query_rows;

use std::collections::HashSet;

use crate::error::{Command, OptionName, leave_out, option, say};
use crate::{
    Categories, CellBlocks, Cells, Epsilon, Error, Grid, Level, PersonValue, Profile, Replacement,
    Result,
};

pub use level_sums::LevelSums;
pub use measure::{Measure, Numbers};
use possible::possible;
pub use query_rows::{QueryOrigins, QueryRows};

/// Source of the rows of a table.
#[derive(Debug, Clone, Default, PartialEq)]
struct RowSource {
    query: Option<QueryRows>,
    origins: Option<QueryOrigins>,
    filter: Option<String>,
}

/// Level table: for each level a count and exact sums of grid indices or category counts.
///
/// This is the narrow waist of suum: any engine that can group by and add integers can make one,
/// shards merge without loss, and a release reads nothing else. Rows are in ascending order of (ε,
/// label), so two tables of the same records are equal, whatever the order of the records was.
#[derive(Debug, Clone, PartialEq)]
pub struct LevelTable {
    column: Option<String>,
    measure: Measure,
    person: Option<String>,
    person_value: PersonValue,
    source: Box<RowSource>,
    missing: Option<Replacement>,
    by_level: Vec<LevelSums>,
    // Stratum of each level; all 0 without strata.
    strata: Vec<u32>,
}

impl LevelTable {
    /// Returns a table of levels of the column `column`, over whose values `measure` was computed.
    ///
    /// # Errors
    ///
    /// Refuses an empty table, empty or repeated levels, and sums that are impossible for the
    /// counts: engines can return wrong numbers after failures.
    pub fn new(column: Option<String>, measure: Measure, by_level: Vec<LevelSums>) -> Result<Self> {
        let strata = vec![0; by_level.len()];
        let table = Self::checked(column, measure, by_level, strata)?;
        table.profile()?;
        Ok(table)
    }

    /// Returns a table for releases that hide who takes part, which may be without records; see
    /// [`new`](Self::new).
    ///
    /// Levels without records are left out. Other releases need a profile, and refuse a table
    /// without one.
    ///
    /// # Errors
    ///
    /// Refuses repeated levels, and sums that are impossible for the counts.
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
        by_level: Vec<LevelSums>,
    ) -> Result<Self> {
        let strata = vec![0; by_level.len()];
        Self::in_order(column, measure, by_level, strata)
    }

    /// Returns a table that may be without records, of levels each with its stratum.
    fn with_strata(
        column: Option<String>,
        measure: Measure,
        stratified: impl IntoIterator<Item = (LevelSums, u32)>,
    ) -> Result<Self> {
        let (by_level, strata) = stratified.into_iter().unzip();
        Self::in_order(column, measure, by_level, strata)
    }

    fn in_order(
        column: Option<String>,
        measure: Measure,
        by_level: Vec<LevelSums>,
        strata: Vec<u32>,
    ) -> Result<Self> {
        let mut table = Self::checked(column, measure, by_level, strata)?;
        let mut counts = table.by_level.iter().map(|level_sums| level_sums.count > 0);
        table.strata.retain(|_| counts.next().unwrap_or_default());
        table.by_level.retain(|level_sums| level_sums.count > 0);
        if !table.by_level.is_empty() {
            table.profile()?;
        }
        Ok(table)
    }

    /// Returns a table of levels, each with its stratum, after checking and ordering them.
    fn checked(
        column: Option<String>,
        measure: Measure,
        mut by_level: Vec<LevelSums>,
        mut strata: Vec<u32>,
    ) -> Result<Self> {
        fn key<'a>(level_sums: &'a LevelSums, stratum: &u32) -> (Epsilon, &'a Option<String>, u32) {
            (level_sums.epsilon, &level_sums.label, *stratum)
        }
        if let Measure::Numbers(Numbers { grid, cells: Some(cells), .. }) = &measure
            && cells.has_sums()
        {
            // Some engines add up blocks, others the cells of a block.
            let blocks = CellBlocks::new(*cells, grid);
            for level_sums in &mut by_level {
                level_sums.cells = std::mem::take(&mut level_sums.cells).in_blocks(blocks);
            }
        }
        // Many tables come in order; sorting would move their rows.
        if !by_level.iter().zip(&strata).is_sorted_by(|a, b| key(a.0, a.1) <= key(b.0, b.1)) {
            let mut stratified: Vec<(LevelSums, u32)> = by_level.into_iter().zip(strata).collect();
            stratified.sort_by(|a, b| key(&a.0, &a.1).cmp(&key(&b.0, &b.1)));
            (by_level, strata) = stratified.into_iter().unzip();
        }
        let mut labels = HashSet::new();
        let mut before = None;
        for (row, (level_sums, stratum)) in (1..).zip(by_level.iter().zip(&strata)) {
            let this = (level_sums.epsilon, stratum);
            let repeated = match &level_sums.label {
                Some(label) => !labels.insert((label.as_str(), stratum)),
                None => before == Some(this),
            };
            before = Some(this);
            if repeated {
                return Err(Error::table(
                    "level table",
                    format!("level {row} (by ascending epsilon) is repeated"),
                )
                .with_fix("add up the counts and sums of equal levels"));
            }
            if !possible(level_sums, &measure) {
                return Err(Error::table(
                    "level table",
                    format!(
                        "the sums of level {row} (by ascending epsilon) are impossible for its \
                         count"
                    ),
                )
                .with_fix("compute the table again; an engine may have returned wrong sums"));
            }
        }
        Ok(Self {
            column,
            measure,
            person: None,
            person_value: PersonValue::default(),
            source: Box::default(),
            missing: None,
            by_level,
            strata,
        })
    }

    /// Returns one table of the records of all these strata, each of which keeps its own levels.
    /// The tables must come from one scan.
    ///
    /// # Errors
    ///
    /// Refuses no stratum at all, tables of different columns, and more records than a profile can
    /// have.
    ///
    /// # Example
    ///
    /// ```
    /// use suum_core::{Epsilon, LevelSums, LevelTable, Measure};
    ///
    /// let people = |count| -> suum_core::Result<LevelTable> {
    ///     let epsilon = Epsilon::new(0.1)?;
    ///     let level_sums =
    ///         LevelSums { label: None, epsilon, count, sums: vec![], cells: Default::default() };
    ///     LevelTable::new(None, Measure::Nothing, vec![level_sums])
    /// };
    /// let table = LevelTable::in_strata(vec![people(5)?, people(3)?])?;
    /// assert_eq!(table.profile()?.records_of_strata(), [5, 3]);
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    pub fn in_strata(tables: Vec<LevelTable>) -> Result<Self> {
        Self::joined((0..).zip(tables).collect())
    }

    /// Returns one table of all these tables, each with its stratum. Sums in cells are left out if
    /// one table lacks them, because it had too many levels.
    fn joined(mut tables: Vec<(u32, LevelTable)>) -> Result<Self> {
        let has_sums = |table: &LevelTable| {
            table.numbers().and_then(|numbers| numbers.cells).is_some_and(Cells::has_sums)
        };
        if !tables.iter().all(|(_, table)| has_sums(table)) {
            let with_sums = tables.iter_mut().filter(|(_, table)| has_sums(table));
            with_sums.for_each(|(_, table)| table.drop_cells());
        }
        let about = tables.first().map(|(_, first)| (first.clone_empty(), first.measure.clone()));
        let (about, measure) = about.ok_or_else(|| {
            Error::table("level table", "there are no strata").with_fix("declare at least one")
        })?;
        let differs = |table: &LevelTable| table.clone_empty() != about || table.measure != measure;
        if tables.iter().any(|(_, table)| differs(table)) {
            return Err(Error::table(
                "level table",
                "the tables of strata are of different columns",
            )
            .with_fix("make all of them in one scan"));
        }
        let stratified = tables.into_iter().flat_map(|(stratum, table)| {
            table.by_level.into_iter().map(move |level_sums| (level_sums, stratum))
        });
        let table = Self::with_strata(about.column.clone(), measure, stratified)?;
        Ok(table.about(about))
    }

    /// Leaves out what was counted in cells.
    fn drop_cells(&mut self) {
        if let Measure::Numbers(numbers) = &mut self.measure {
            numbers.cells = None;
        }
        self.by_level.iter_mut().for_each(|level_sums| level_sums.cells = Default::default());
    }

    /// Returns the records of this table with the column, persons and source of another one.
    fn about(self, about: Self) -> Self {
        Self { measure: self.measure, by_level: self.by_level, strata: self.strata, ..about }
    }

    /// Returns the stratum of each level; all 0 without strata.
    pub(crate) fn strata_by_level(&self) -> impl Iterator<Item = usize> + '_ {
        self.strata.iter().map(|stratum| *stratum as usize)
    }

    /// Returns the name of the value column, if one was read.
    pub fn column(&self) -> Option<&str> {
        self.column.as_deref()
    }

    /// Returns the sums or counts that were computed.
    pub fn measure(&self) -> &Measure {
        &self.measure
    }

    /// Returns the table with records that are persons, each with one row or more, named by the
    /// column `person`.
    ///
    /// Each person counts once: with the number that `value` says, which may be R of their rows in
    /// counts for quantiles ([`Cells::rows`](crate::Cells::rows)), with their shares or one
    /// category as the [measure](Self::measure) says, and at the least budget of their rows.
    #[must_use]
    pub fn with_person(self, person: String, value: PersonValue) -> Self {
        let value = if self.categories().is_some() { self.person_value() } else { value };
        Self { person: Some(person), person_value: value, ..self }
    }

    /// Returns the column that names persons, if records are persons.
    pub fn person(&self) -> Option<&str> {
        self.person.as_deref()
    }

    /// Returns the value that the rows of a person were combined into. It is meaningless without a
    /// column that names persons.
    pub fn person_value(&self) -> PersonValue {
        match self.categories() {
            Some(categories) if categories.are_divided() => PersonValue::Share,
            Some(_) => PersonValue::Mode,
            None => self.person_value,
        }
    }

    /// Returns the table with a query as the source of its rows.
    #[must_use]
    pub fn with_query(self, query: QueryRows) -> Self {
        Self { source: Box::new(RowSource { query: Some(query), ..*self.source }), ..self }
    }

    /// Returns how the query that made the rows was checked, if there is one. A release from this
    /// table protects records of the data only if that query is row-wise.
    pub fn query(&self) -> Option<QueryRows> {
        self.source.query
    }

    /// Returns the table with the columns of a database table behind its rows, if a query made
    /// them.
    #[must_use]
    pub fn with_origins(self, origins: Option<QueryOrigins>) -> Self {
        Self { source: Box::new(RowSource { origins, ..*self.source }), ..self }
    }

    /// Returns the columns of a table behind those of the query, if they are known.
    pub fn origins(&self) -> Option<&QueryOrigins> {
        self.source.origins.as_ref()
    }

    /// Returns the table with the condition that selected its rows, if there is one.
    #[must_use]
    pub fn with_filter(self, filter: Option<String>) -> Self {
        Self { source: Box::new(RowSource { filter, ..*self.source }), ..self }
    }

    /// Returns the condition that all rows satisfy, in the words of `--where`.
    pub fn filter(&self) -> Option<&str> {
        self.source.filter.as_deref()
    }

    /// Returns the table with the treatment of missing values: replaced by a constant, or left out.
    #[must_use]
    pub fn with_missing(self, missing: Option<Replacement>) -> Self {
        Self { missing, ..self }
    }

    /// Returns the treatment of missing values, if they were not refused.
    pub fn missing(&self) -> Option<&Replacement> {
        self.missing.as_ref()
    }

    /// Returns the sums over numbers, if values are numbers.
    pub fn numbers(&self) -> Option<&Numbers> {
        match &self.measure {
            Measure::Numbers(numbers) => Some(numbers),
            _ => None,
        }
    }

    /// Returns the grid of the sums, if values were added up.
    pub fn grid(&self) -> Option<&Grid> {
        self.numbers().map(|numbers| &numbers.grid)
    }

    /// Returns the categories, if they were counted.
    pub fn categories(&self) -> Option<&Categories> {
        match &self.measure {
            Measure::Categories(categories) => Some(categories),
            _ => None,
        }
    }

    /// Returns the rows, in ascending order of (ε, label).
    pub fn by_level(&self) -> &[LevelSums] {
        &self.by_level
    }

    /// Refuses a table in which persons count with another value than the statistic needs.
    ///
    /// # Errors
    ///
    /// If numbers of persons were added up, and their rows were not combined into `value`.
    pub fn check_persons(&self, value: PersonValue) -> Result<()> {
        self.check_reduced(value, self.person_value.serves_sums_of(value))
    }

    /// Refuses a table whose persons count in categories in another way than `value` says.
    ///
    /// # Errors
    ///
    /// If categories of persons were counted, and not by `value`.
    pub fn check_categories_of_persons(&self, value: PersonValue) -> Result<()> {
        let counted = self.person_value();
        if self.person.is_none() || self.categories().is_none() || counted == value {
            return Ok(());
        }
        let problem = format!(
            "its persons count with {}, and the answer would be of {}",
            counted.words_for_rows(),
            value.words_for_rows()
        );
        let name = counted.name().unwrap_or_default();
        Err(Error::table("level table", problem)
            .with_fix(say("add").set(option::PER_PERSON, name).say(", or make the table again")))
    }

    /// Refuses a table whose persons lie at candidates of quantiles with something else than
    /// `value`.
    ///
    /// # Errors
    ///
    /// As [`check_persons`](Self::check_persons); means are no rows by rank, either.
    pub fn check_ranked_persons(&self, value: PersonValue) -> Result<()> {
        self.check_reduced(value, self.person_value == value)
    }

    fn check_reduced(&self, asked: PersonValue, fits: bool) -> Result<()> {
        if self.person.is_none() || self.grid().is_none() || fits {
            return Ok(());
        }
        let made = |more: &[(OptionName, &'static str)]| {
            let options =
                [(option::PERSON, "COL"), (option::VALUE, "COL"), (option::BOUNDS, "LO,HI")];
            Command::levels(&[&options[..], more].concat())
        };
        let (problem, fix) = match (self.person_value, asked) {
            (PersonValue::Rows, PersonValue::Total) => (
                "its persons count with the mean of their rows; a sum is of totals".to_owned(),
                say("make it with totals:")
                    .command(made(&[(option::TOTALS, "")]))
                    .say(", with the bounds of a person's total"),
            ),
            (PersonValue::Total, PersonValue::Rows) => (
                "its persons count with the total of their rows, which is for a sum".to_owned(),
                say("ask for a sum, or add")
                    .set(option::PER_PERSON, "total")
                    .say(", or make it without")
                    .option(option::TOTALS)
                    .say(":")
                    .command(made(&[]))
                    .say(", with the bounds of a row"),
            ),
            (value, asked) => {
                let of_asked = asked.name().map(|name| (option::PER_PERSON, name));
                let ask = match value.name() {
                    Some(name) => say("add").set(option::PER_PERSON, name),
                    None => leave_out(option::PER_PERSON),
                };
                (
                    format!(
                        "its persons count with {}, and the answer would be of {}",
                        value.words_for_rows(),
                        asked.words_for_persons()
                    ),
                    ask.say(", or make it again:").command(made(of_asked.as_slice())),
                )
            }
        };
        Err(Error::table("level table", problem).with_fix(fix))
    }

    /// Returns the number of records.
    pub fn records(&self) -> u64 {
        self.by_level.iter().map(|level_sums| level_sums.count).sum()
    }

    /// Returns an empty table with the column, persons and source of this one.
    fn clone_empty(&self) -> Self {
        Self {
            column: self.column.clone(),
            measure: Measure::Nothing,
            person: self.person.clone(),
            person_value: self.person_value,
            source: self.source.clone(),
            missing: self.missing.clone(),
            by_level: Vec::new(),
            strata: Vec::new(),
        }
    }

    /// Refuses a table whose profile differs from the plan's.
    pub(crate) fn check_for(&self, planned: &Profile) -> Result<()> {
        if self.profile()? != *planned {
            return Err(Error::table(
                "level table",
                "its levels and counts are not those of the plan",
            )
            .with_fix("plan with the profile of this table"));
        }
        Ok(())
    }

    /// Refuses a table whose number of records is private, whatever the release.
    pub(crate) fn check_public(&self) -> Result<()> {
        match self.missing {
            Some(Replacement::Excluded) => Err(Error::table(
                "level table",
                "records without a value are left out, so how many there are is private",
            )
            .with_fix(
                say("add")
                    .set(option::NEIGHBORS, "both")
                    .say(
                        ", which protects who has a value, or make the table with a constant in \
                         place of missing values:",
                    )
                    .set(option::MISSING, "VALUE"),
            )),
            _ => Ok(()),
        }
    }

    /// Returns the public profile of the records.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Profile::new`]; a table that was built with [`new`](Self::new) has a
    /// profile. Refuses a table that leaves out records without a value, because the number of the
    /// others is private.
    pub fn profile(&self) -> Result<Profile> {
        self.check_public()?;
        let levels = self.by_level.iter().map(|c| Level { epsilon: c.epsilon, count: c.count });
        Profile::with_strata(levels.zip(self.strata.iter().copied()).collect())
    }
}

#[cfg(test)]
mod tests;
