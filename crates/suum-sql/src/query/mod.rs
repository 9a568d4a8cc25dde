//! Level query: one statement that computes a level table where the data are.
//!
//! It goes step by step, like a scan: cells to numbers and labels, those to levels and grid
//! indices, persons to one record each, records to sums. The result has one row for the request
//! ([`Header`]) with an independent count of the rows, followed by rows of integers. Every column
//! of the result is text, so that no file format can round it.

mod defect;
mod filter;
mod header;
mod keys;
mod levels;
mod offsets;
mod persons;
mod positions;
mod result;
mod row_steps;
mod shares;
mod steps;

pub(crate) use defect::Defect;
pub(crate) use header::Header;

use suum_core::{Epsilon, Error, Numbers, PersonValue, Result, option, say};
use suum_data::{Across, Scan, Value};

use crate::dialect::{Dialect, Looks};
use crate::engine::Relation;
use crate::relation::{CheckedRelation, without_end};
use crate::row_wise::{self, Budgets};
use offsets::Offsets;
use steps::{Steps, select};

/// Binary logarithm of the largest grid index.
const INDEX_BITS: u32 = 31;

/// Binary logarithm of the largest square of twice a distance from the middle.
const SQUARE_BITS: u32 = 2 * INDEX_BITS;

/// Finest grid, on which squares and products of indices and candidates fit 63 bits.
const FINEST: u64 = 1 << INDEX_BITS;

/// Columns of a result, in this order.
pub(crate) const COLUMNS: [&str; 9] = [
    "part",
    "group_number",
    "level",
    "item",
    "records",
    "source_rows",
    "cell_rows",
    "index_sum",
    "square_sum",
];

/// Query that computes the level table of a scan, in a dialect of SQL.
///
/// # Example
///
/// ```
/// use suum_data::{PrivacyColumn, Scan};
/// use suum_sql::{Dialect, LevelQuery, Relation};
///
/// let scan = Scan::new(PrivacyColumn::Budgets { column: "epsilon".into() }, None);
/// let people = Relation::Table(vec!["people".into()]);
/// let query = LevelQuery::new(Dialect::Postgres, &people, &scan)?;
/// assert!(query.sql().contains("FROM \"people\" AS suum_rows"));
/// # Ok::<(), suum_core::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct LevelQuery {
    pub(crate) header: Header,
    sql: String,
}

impl LevelQuery {
    /// Creates the query of this scan over a relation.
    ///
    /// # Errors
    ///
    /// Refuses what a scan refuses before it reads anything, accounts of persons, totals and
    /// medians of their rows, grids of more than 2^31 steps, names that no database has, and
    /// queries that are not known to be row-wise.
    pub fn new(dialect: Dialect, relation: &Relation, scan: &Scan) -> Result<Self> {
        Self::build(dialect, relation, scan, None)
    }

    /// Creates the query for records that all have this budget, so that no column of budgets is
    /// read.
    ///
    /// # Errors
    ///
    /// Fails like [`new`](Self::new).
    ///
    /// # Example
    ///
    /// ```
    /// use suum_data::{PrivacyColumn, Scan};
    /// use suum_sql::{Dialect, LevelQuery, Relation};
    ///
    /// let scan = Scan::new(PrivacyColumn::Budgets { column: "epsilon".into() }, None);
    /// let people = Relation::Table(vec!["people".into()]);
    /// let half = "0.5".parse()?;
    /// let query = LevelQuery::with_common_budget(half, Dialect::DuckDb, &people, &scan)?;
    /// assert!(!query.sql().contains("source.\"epsilon\""));
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    pub fn with_common_budget(
        budget: Epsilon,
        dialect: Dialect,
        relation: &Relation,
        scan: &Scan,
    ) -> Result<Self> {
        Self::build(dialect, relation, scan, Some(budget))
    }

    fn build(
        dialect: Dialect,
        relation: &Relation,
        scan: &Scan,
        common: Option<Epsilon>,
    ) -> Result<Self> {
        let budgets = if common.is_some() { Budgets::Common } else { Budgets::OfColumn };
        check(scan)?;
        let mut checked = relation.checked(dialect, scan, budgets, |_| Ok(None))?;
        // `row.name` can call a function of the row in PostgreSQL, if there is no such column.
        if let Relation::Table(names) = &checked.relation
            && dialect == Dialect::Postgres
        {
            let sql = row_wise::table_query(dialect, names, scan, budgets)?;
            checked.relation = Relation::Query { sql, trusted: true };
        }
        Self::from_checked(dialect, &checked, scan, common)
    }

    /// Creates the query of a scan over a relation that was checked.
    pub(crate) fn from_checked(
        dialect: Dialect,
        checked: &CheckedRelation,
        scan: &Scan,
        common: Option<Epsilon>,
    ) -> Result<Self> {
        check(scan)?;
        let mut header = Header::for_scan(scan, checked.rows);
        header.query_columns = checked.origins.clone();
        let (source, mut steps) = Source::new(dialect, &checked.relation, scan)?;
        let source = Source { common, ..source };
        header.places = Offsets::for_source(&source).map(|_| true);
        let row_steps::PossibleDefects { mut defects, late } =
            row_steps::push(&source, &mut steps)?;
        let counted = match &scan.person {
            Some(_) => {
                defects.extend(persons::defects(&source));
                persons::push(&source, &mut steps)
            }
            None => levels::add_up_records(&source, &mut steps, &late),
        };
        let result = result::final_select(&source, &header, &counted, defects)?;
        let sql = format!("{}{}", title(&header, dialect), steps.finish(&result));
        Ok(Self { header, sql })
    }

    /// Text of the query.
    pub fn sql(&self) -> &str {
        &self.sql
    }
}

/// Query that reads every row of a relation that was checked, where sums are not enough.
///
/// # Errors
///
/// Refuses names that no database has.
pub(crate) fn row_query(dialect: Dialect, relation: &Relation, scan: &Scan) -> Result<String> {
    let (source, steps) = Source::new(dialect, relation, scan)?;
    row_steps::rows(&source, steps)
}

/// Returns true if values are numbers on a grid that is finer than doubles, which databases compute
/// with: all their digits are read.
pub(crate) fn needs_digits(scan: &Scan) -> bool {
    scan.numbers().is_some_and(|numbers| numbers.grid.is_finer_than_doubles())
}

/// Returns true if rows of persons are reduced here, which takes all of them: a database rounds
/// sums in an order of its own, and compares times in ways of its own.
pub(crate) fn needs_plain_rows(scan: &Scan) -> bool {
    let is_reduced_here = scan.person_value.is_of_plain_rows() || scan.person_time.is_some();
    is_reduced_here && scan.value.is_some()
}

fn check(scan: &Scan) -> Result<()> {
    scan.check(scan.group.is_some())?;
    if needs_digits(scan) {
        return Err(suum_data::inexact_bounds());
    }
    if scan.accounts.is_some() {
        return Err(Error::request(
            option::LEDGER,
            "the accounts of persons need each person's rows, and a level query has sums",
        )
        .with_fix("name the database itself as the data, or keep accounts of tiers"));
    }
    if scan.consent.is_some() {
        return Err(Error::request(
            option::CONSENT,
            "a level query finds no choices in a register of their own",
        )
        .with_fix("name the database itself as the data, which reads both"));
    }
    if scan.person_groups.is_some() {
        return Err(Error::request(
            option::PERSON_GROUPS,
            "a level query does not count the groups of a person",
        )
        .with_fix("name the database itself, or a file of its rows, as the data"));
    }
    if needs_plain_rows(scan) {
        let (option, problem) = match scan.person_value {
            PersonValue::Total => (
                option::TOTALS,
                "databases add up numbers in an order of their own, and round as they go; the \
                 totals of persons are exact",
            ),
            PersonValue::Last => {
                (option::PER_PERSON, "a level query does not compare the times of a person's rows")
            }
            _ => (
                option::PER_PERSON,
                "a level query clamps every row to the bounds; the median of a person is of their \
                 rows as they are",
            ),
        };
        return Err(Error::request(option, problem).with_fix(
            say("name the database itself, or a file of its rows, as the data, or leave")
                .option(option)
                .say("out"),
        ));
    }
    if scan.value.as_ref().is_some_and(|value| value.scale().is_some()) {
        return Err(Error::request(
            option::BOUNDS,
            "a level query does not read dates and times, which databases write each in its own \
             way",
        )
        .with_fix(
            say("name the database itself, or a file of its rows, as the data; or let a")
                .option(option::QUERY)
                .say("make days of them, and declare bounds or bins as numbers"),
        ));
    }
    if scan.numbers().is_some_and(|numbers| numbers.grid.points() > FINEST) {
        return Err(Error::request("grid", "level queries are for grids of at most 2^31 steps")
            .with_fix("use the default grid, 2^30 steps"));
    }
    Ok(())
}

/// Comment above the query that describes it.
fn title(header: &Header, dialect: Dialect) -> String {
    // Names are the user's, but must not end the comment.
    let shown = |name: &str| {
        name.replace(|c: char| c.is_control() || c == '\u{2028}' || c == '\u{2029}', " ")
    };
    let what = header.column.as_ref().map_or("the privacy choices".to_owned(), |name| shown(name));
    let rows = match header.query {
        Some(_) => {
            "-- The rows come from a query. A release from the result protects records of the data \
             only if that query is row-wise.\n"
        }
        None => "",
    };
    format!(
        "-- suum level query: {what}, for {dialect}.\n{rows}\
         -- It reads one consistent state of the data, if it runs as one statement. Bring the \
         whole result back with\n\
         -- suum … --from-levels RESULT. The result holds exact sums and is NOT PRIVATE: keep it \
         as safe as the data.\n"
    )
}

/// Forms of the labels of a value, if it has any.
fn looks_of(value: &Value) -> Looks {
    match value {
        Value::Category(column) => Looks::from_labels(column.classes.categories().names()),
        Value::Number(_) | Value::Unbounded(_) => Looks::default(),
    }
}

/// Relation and scan of a query.
struct Source<'a> {
    dialect: Dialect,
    scan: &'a Scan,
    from: String,
    /// Budget of every record, if no column has budgets.
    common: Option<Epsilon>,
}

impl<'a> Source<'a> {
    /// Creates the source for a checked relation, with the steps that it takes.
    fn new(dialect: Dialect, relation: &Relation, scan: &'a Scan) -> Result<(Self, Steps)> {
        let mut steps = Steps::default();
        let from = match relation {
            Relation::Table(names) => format!("{} AS source", dialect.table(names)?),
            Relation::Query { sql, .. } => {
                steps.push_as_it_is("The data.", "suum_source", without_end(sql));
                "suum_source AS source".to_owned()
            }
        };
        Ok((Self { dialect, scan, from, common: None }, steps))
    }

    /// Column of the data of this name, which cannot be read as anything else.
    fn column(&self, name: &str) -> Result<String> {
        Ok(format!("source.{}", self.dialect.identifier(name)?))
    }

    /// Label of a cell; NULL if it is missing.
    fn label_of(&self, column: &str, looks: Looks) -> Result<String> {
        let mut texts = self.scan.nulls.texts().iter();
        texts.try_fold(self.dialect.label_of(column, looks), |label, text| {
            Ok(format!("NULLIF({label}, {})", self.dialect.literal(text)?))
        })
    }

    /// Number of a cell as the dialect computes it; NULL if it is missing.
    fn or_null(&self, number: String) -> String {
        let numbers = self.scan.nulls.numbers().iter();
        numbers.fold(number, |number, null| {
            let null = match null.is_infinite() {
                true if *null > 0.0 => self.dialect.infinity(),
                true => format!("-{}", self.dialect.infinity()),
                false => self.dialect.double(*null),
            };
            format!("NULLIF({number}, {null})")
        })
    }

    /// Condition that a cell has a fault, except for cells with a text for an empty one.
    fn wrong(&self, is_wrong: Option<String>, column: &str) -> Result<Option<String>> {
        let texts = self.scan.nulls.texts().iter().map(|text| self.dialect.literal(text));
        let texts = texts.collect::<Result<Vec<_>>>()?.join(", ");
        let label = self.dialect.label_of(column, Looks::default());
        Ok(is_wrong.map(|is_wrong| match texts.is_empty() {
            true => is_wrong,
            false => format!("({is_wrong}) AND ({label} IS NULL OR {label} NOT IN ({texts}))"),
        }))
    }

    fn numbers(&self) -> Option<&Numbers> {
        self.scan.numbers()
    }

    /// Second column of a cross table.
    fn across(&self) -> Option<&Across> {
        self.scan.value.as_ref().and_then(Value::across)
    }

    /// (2g − G)² of a grid index, if it is to be added up.
    fn square(&self, index: &str) -> Option<String> {
        let points = self.numbers().filter(|numbers| numbers.squares)?.grid.points();
        Some(format!("(2 * {index} - {points}) * (2 * {index} - {points})"))
    }

    /// Column that is NULL in a record without a value, if such records are left out.
    fn left_out(&self) -> Option<&'static str> {
        let value = self.scan.value.as_ref().filter(|_| self.scan.leaves_out_missing)?;
        Some(if matches!(value, Value::Category(_)) { "item" } else { "grid_index" })
    }

    /// Step with the records, without those that are left out. Defects of these are still reported.
    fn push_present(&self, steps: &mut Steps) -> &'static str {
        let Some(value) = self.left_out() else { return "suum_records" };
        let mut columns = vec!["fault", "group_number", "level", "item"];
        columns.extend(self.numbers().map(|_| "grid_index"));
        let columns: Vec<_> = columns.into_iter().map(|name| (name.into(), name)).collect();
        let rest = format!("FROM suum_records\nWHERE fault > 0 OR {value} IS NOT NULL");
        steps.push(
            "Records without a value are left out.",
            "suum_present",
            &select(&columns, &rest),
        );
        "suum_present"
    }
}
