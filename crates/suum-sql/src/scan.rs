//! A level query that is run where the data are.

use suum_core::{Epsilon, Error, LevelTable, Result};
use suum_data::{Groups, PrivacyColumn, Scan, Value};

use crate::dialect::Dialect;
use crate::engine::{Column, ColumnKind, Engine, Relation};
use crate::query::LevelQuery;
use crate::result::{Counted, Rows};

/// The level table of all records of a relation, computed by the database.
///
/// # Errors
///
/// Refuses what [`LevelQuery::new`] refuses, columns that are not there or not of the declared
/// form, missing cells, budgets out of range, undeclared tiers and categories, and tables without
/// records; and if the database fails.
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
    match run(engine, relation, scan)? {
        Counted::One(table) if table.records() > 0 || scan.add_remove.is_some() => Ok(table),
        Counted::One(_) => Err(no_records()),
        Counted::Groups(_) => {
            Err(Error::internal("internal error: a result without groups has groups"))
        }
    }
}

/// The level table of each declared group of a relation, computed by the database.
///
/// # Errors
///
/// As [`scan`], and refuses a scan without a column of groups, groups that are missing or not
/// declared, and persons with rows in more than one group.
pub fn scan_groups(engine: &mut dyn Engine, relation: &Relation, scan: &Scan) -> Result<Groups> {
    scan.check(true)?;
    match run(engine, relation, scan)? {
        Counted::Groups(groups) if groups.tables.iter().any(|(_, table)| table.is_some()) => {
            Ok(groups)
        }
        Counted::Groups(_) => Err(no_records()),
        Counted::One(_) => Err(Error::internal("internal error: a result of groups has none")),
    }
}

fn no_records() -> Error {
    Error::data("the data have no records").with_hint("name a table or query with at least one row")
}

fn run(engine: &mut dyn Engine, relation: &Relation, scan: &Scan) -> Result<Counted> {
    if scan.add_remove.is_some() && scan.group.is_some() {
        return Err(Error::request(
            "group: who is in a group is public, which add-remove neighbours must hide",
        )
        .with_hint("leave the groups out"));
    }
    let query = LevelQuery::new(engine.dialect(), relation, scan)?;
    check_columns(engine.dialect(), &engine.columns(relation)?, scan)?;
    let rule = |epsilon: Epsilon| scan.budget(epsilon);
    let mut rows = Rows::new(&rule);
    engine.rows(query.sql(), &mut |cells| rows.add(cells))?;
    rows.finish(Some(&query.header))
}

/// Refuses columns that are not there, and those that cannot hold what they should.
fn check_columns(dialect: Dialect, columns: &[Column], scan: &Scan) -> Result<()> {
    let numbers = (
        [ColumnKind::Number].as_slice(),
        "the column does not hold numbers",
        "convert it to numbers in a --query",
    );
    let labels = (
        [ColumnKind::Number, ColumnKind::Label].as_slice(),
        "the column does not hold labels",
        "convert it to text or integers in a --query",
    );
    let mut wanted = Vec::new();
    wanted.push(match &scan.privacy {
        PrivacyColumn::Budgets { column } => (
            column,
            (
                numbers.0,
                "the column does not hold budgets",
                "convert it to numbers in a --query, or name tiers with --privacy COL --levels \
                LABEL=EPSILON,…",
            ),
        ),
        PrivacyColumn::Tiers { column, .. } => (column, labels),
    });
    match &scan.value {
        Some(Value::Category(column)) if column.classes.edges().is_none() => {
            wanted.push((&column.column, labels));
        }
        Some(Value::Category(column)) => wanted.push((&column.column, numbers)),
        Some(Value::Number(column)) => wanted.push((&column.column, numbers)),
        Some(Value::Unbounded(_)) | None => {}
    }
    wanted.extend(scan.group.as_ref().map(|group| (&group.column, labels)));
    wanted.extend(scan.person.as_ref().map(|person| (person, labels)));
    for (name, (kinds, what, hint)) in wanted {
        let mut found = columns.iter().filter(|column| column.name == *name);
        let column = found.next().ok_or_else(|| {
            Error::data(format!("column {name}: there is no such column in the table or query"))
                .with_hint("check the spelling; upper and lower case differ")
        })?;
        if found.next().is_some() {
            return Err(Error::data(format!(
                "column {name}: there is more than one column of this name"
            ))
            .with_hint("give every column of the query its own name"));
        }
        // In SQLite the type of a column does not say what its cells hold; the query looks at each
        // of them.
        if dialect != Dialect::Sqlite && !kinds.contains(&column.kind) {
            return Err(Error::data(format!("column {name}: {what}")).with_hint(hint));
        }
    }
    Ok(())
}
