//! Running a level query where the data are.

use suum_core::{Epsilon, Error, LevelTable, Result, option};
use suum_data::{Groups, LevelTables, Progress, Scan};

use crate::columns::check_columns;
use crate::engine::{Engine, Relation};
use crate::query::{self, LevelQuery};
use crate::relation::CheckedRelation;
use crate::result::Rows;
use crate::rows;

/// Level table of all records of a relation, computed by the database; from its rows if persons
/// have accounts, or count with the total of their rows, if values are dates or times, or if
/// doubles are too coarse for them.
///
/// # Errors
///
/// Refuses what [`LevelQuery::new`] refuses, columns that are not there or not of the declared
/// form, missing cells, budgets out of range, undeclared tiers and categories, and tables without
/// records; and fails if the database does.
///
/// # Example
///
/// ```no_run
/// use suum_data::{PrivacyColumn, Scan};
/// use suum_sql::{Relation, Sqlite, scan};
///
/// let privacy = PrivacyColumn::Budgets { column: "epsilon".into() };
/// let people = Relation::Table(vec!["people".into()]);
/// let table = scan(&mut Sqlite::open("people.sqlite")?, &people, &Scan::new(privacy, None))?;
/// println!("{}", table.profile()?);
/// # Ok::<(), suum_core::Error>(())
/// ```
pub fn scan(engine: &mut dyn Engine, relation: &Relation, scan: &Scan) -> Result<LevelTable> {
    scan.check(false)?;
    if needs_rows(scan) {
        let checked = relation.checked_by(engine, scan)?;
        let table = rows::read(engine, &checked, scan, |batches, scan| {
            suum_data::scan_batches(batches, scan, &Progress::default())
        })?;
        return Ok(marked(table, &checked, scan));
    }
    match run(engine, relation, scan)? {
        LevelTables::One(table) if table.records() > 0 || scan.hides_records() => Ok(table),
        LevelTables::One(_) => Err(no_records(scan)),
        LevelTables::Groups(_) => Err(Error::internal("a result without groups has groups")),
    }
}

/// Level table of each declared group of a relation, computed by the database.
///
/// # Errors
///
/// Fails like [`scan`], and refuses a scan without a column of groups, groups that are missing or
/// not declared, and persons with rows in more than one group.
pub fn scan_groups(engine: &mut dyn Engine, relation: &Relation, scan: &Scan) -> Result<Groups> {
    scan.check(true)?;
    // Nobody may know who is in two groups where participation is hidden.
    let one_by_one = scan.add_remove.is_some() && scan.person.is_some();
    if needs_rows(scan) || one_by_one {
        let checked = relation.checked_by(engine, scan)?;
        let mut groups = rows::read(engine, &checked, scan, |batches, scan| {
            suum_data::scan_groups_batches(batches, scan, &Progress::default())
        })?;
        for (_, table) in &mut groups.each {
            *table = table.take().map(|table| marked(table, &checked, scan));
        }
        return Ok(groups);
    }
    match run(engine, relation, scan)? {
        LevelTables::Groups(groups) if groups.each.iter().any(|(_, table)| table.is_some()) => {
            Ok(groups)
        }
        LevelTables::Groups(_) => Err(no_records(scan)),
        LevelTables::One(_) => Err(Error::internal("a result of groups has none")),
    }
}

/// Returns true if all rows have to be read here: those of persons with accounts, those that are
/// added up per person, or can be in several groups, and those with choices in a register, which
/// one reader resolves. A database
/// would add up numbers in an order of its own, or with too few digits.
fn needs_rows(scan: &Scan) -> bool {
    // Dates and times are read as text, by the reader of CSV files, and so are numbers that doubles
    // are too coarse for.
    let has_times = scan.value.as_ref().is_some_and(|value| value.scale().is_some());
    has_times
        || query::needs_digits(scan)
        || scan.accounts.is_some()
        || scan.consent.is_some()
        || scan.person_groups.is_some()
        || query::needs_plain_rows(scan)
}

/// Marks the table with the filter of its rows, and with the check of the query that has made them.
fn marked(table: LevelTable, checked: &CheckedRelation, scan: &Scan) -> LevelTable {
    let table = table.with_filter(scan.filter.as_ref().map(ToString::to_string));
    let table = table.with_origins(checked.origins.clone());
    match checked.rows {
        Some(query) => table.with_query(query),
        None => table,
    }
}

fn no_records(scan: &Scan) -> Error {
    if scan.filter.is_some() {
        return Error::data(
            option::WHERE,
            "the data have no records of which the condition is true",
        )
        .with_fix("check the constants; upper and lower case differ");
    }
    Error::data((), "the data have no records")
        .with_fix("name a table or query with at least one row")
}

fn run(engine: &mut dyn Engine, relation: &Relation, scan: &Scan) -> Result<LevelTables> {
    let checked = relation.checked_by(engine, scan)?;
    let query = LevelQuery::from_checked(engine.dialect(), &checked, scan, None)?;
    check_columns(engine.dialect(), &engine.columns(&checked.relation)?, scan)?;
    let rule = |epsilon: Epsilon| scan.budget(epsilon);
    let mut rows = Rows::new(&rule, scan.add_remove.is_some());
    rows.are_weights = scan.reads_weights;
    engine.rows(query.sql(), &mut |cells| rows.add(cells))?;
    rows.finish(Some(&query.header))
}
