//! Level tables and level queries, which are not releases.

use suum_core::{Cells, Epsilon, Error, Numbers, PersonValue, Result, leave_out, option, say};
use suum_data::{LevelTables, Scan, Value, read_counted_of_anybody, write_counted};
use suum_sql::{self as sql, Dialect, LevelQuery};

use super::grouped::PerGroup;
use super::{Task, found_groups, reading, tables, weights};
use crate::job::take_study;
use crate::options::Entries;
use crate::query::{Query, no_categories};
use crate::{Answer, DataSource, Job, JobInputs};

/// Options of a level table.
const NAMES: [&str; 48] = [
    "data",
    "table",
    "query",
    "trust_query",
    "where",
    "public_columns",
    "delimiter",
    "encoding",
    "decimal",
    "consent",
    "key",
    "consent_from",
    "consent_until",
    "consent_status",
    "consent_active",
    "consent_withdrawn",
    "consent_expired",
    "consent_reference",
    "consent_attributes",
    "as_of",
    "from_levels",
    "value",
    "bounds",
    "missing",
    "missing_consent",
    "null",
    "crosstab",
    "categories",
    "bins",
    "other",
    "privacy",
    "levels",
    "epsilon",
    "person",
    "per_person",
    "totals",
    "group_by",
    "groups",
    "other_group",
    "strata",
    "weight",
    "classes",
    "population_shares",
    "step",
    "cells",
    "rows",
    "adapt",
    "no_adapt",
];

/// Level table as a request: its counts and sums, and the location of its records.
///
/// It has the columns and the budgets of a query, and none of the options of estimation.
///
/// # Example
///
/// ```
/// use suum::{Entries, Levels};
///
/// let entries = Entries::from_json(
///     r#"{"table": "people", "epsilon": "eps", "value": "visits", "bounds": [0, 77]}"#,
/// )?;
/// let query = Levels::new(entries)?.sql("duckdb".parse()?)?;
/// assert!(query.contains("FROM \"people\""));
/// # Ok::<(), suum::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Levels {
    job: Job,
    /// True if persons count with the total of their rows, not with the mean.
    totals: bool,
    /// Budget of every record, if no column has budgets.
    common: Option<Epsilon>,
    /// True if the request itself names data, and not its study.
    names_data: bool,
}

impl Levels {
    /// Reads the request for a level table from entries; a number as `budget` replaces the column
    /// `epsilon`: the budget of every record of a database.
    ///
    /// # Errors
    ///
    /// Refuses names that do not exist, and values that are malformed.
    pub fn new(mut entries: Entries) -> Result<Self> {
        if entries.has("ledger") {
            return Err(Error::request(
                option::LEDGER,
                "a level table is no release, and costs nothing",
            )
            .with_fix(
                leave_out(option::LEDGER)
                    .say(", and give it to the release that is made")
                    .option(option::FROM_LEVELS),
            ));
        }
        let common = entries.parsed("budget")?;
        if common.is_some() {
            entries = match entries.has("epsilon") || entries.has("privacy") {
                true => {
                    let said = "a column says already what each record allows";
                    return Err(
                        Error::request(option::EPSILON, said).with_fix("leave one of them out")
                    );
                }
                // The level table names the column so.
                false => entries.with("epsilon", "epsilon"),
            };
        }
        let own: Vec<&str> = NAMES.into_iter().chain(["study", "columns"]).collect();
        entries.only(&own, "is for releases, and a level table is none")?;
        let names_data = entries.has("data");
        let codebook = take_study(&mut entries)?;
        // What a study says of releases has no meaning for a level table.
        let mut entries = entries.with_only(&NAMES).with("statistic", "count");
        let totals = entries.flag("totals")?;
        let mut query = Query::take(&mut entries)?;
        if query.says_auto() {
            return Err(Error::request(
                option::CATEGORIES,
                "they are found by a release, and a level table is none",
            )
            .with_fix(say("declare them:").set(option::CATEGORIES, "A,B,C")));
        }
        let mut source = DataSource::read(&mut entries)?;
        entries.finish()?;
        codebook.complete_table(&mut query, &source, totals)?;
        let shown = codebook.shown_by(&query).into_iter().chain(codebook.chosen_by(&source));
        source.add_public(shown.collect());
        let query = match source.from_levels {
            Some(_) => query,
            None => query.with_missing_consent(false, source.has_decisions())?,
        };
        let job = Job { query, source, ..Job::default() };
        job.check_source()?;
        if job.query.person_time().is_some() {
            return Err(Error::request(
                option::PER_PERSON,
                "a level table does not know by which column a row is the last",
            )
            .with_fix("make the release from the data themselves"));
        }
        if totals {
            check_totals(&job)?;
        }
        let has_values = job.query.value.is_some() || job.query.crosstab.is_some();
        if job.query.per_person.is_some() && !has_values {
            return Err(Error::request(option::PER_PERSON, "no column of values is given")
                .with_fix(
                    say("add")
                        .set(option::VALUE, "COL")
                        .say("and")
                        .set(option::BOUNDS, "LO,HI")
                        .say(", or leave")
                        .option(option::PER_PERSON)
                        .say("out"),
                ));
        }
        Ok(Self { job, totals, common, names_data })
    }

    /// Names of the options of a level table: those of a query, and `totals`.
    pub fn options() -> &'static [&'static str] {
        &NAMES
    }

    /// Level table of the data, or one for each group and stratum, as JSON. It holds raw sums, and
    /// is NOT private.
    ///
    /// # Errors
    ///
    /// Fails if the data cannot be read or lack something.
    pub fn read(&self, given: JobInputs) -> Result<Answer> {
        if self.common.is_some() {
            return Err(Error::request(option::BUDGET, "it is for the query of a database")
                .with_fix("name a column of budgets"));
        }
        let mut task = Task { person_value: self.person_value(), ..Task::new(&self.job, given) };
        let grouped = found_groups::complete_from_data(&task)?;
        task.query = grouped.as_ref().unwrap_or(task.query);
        let weighted = weights::complete_from_data(&task)?;
        task.query = weighted.as_ref().unwrap_or(task.query);
        let counted = match tables::divided(&task, self.value()?)? {
            PerGroup::One(table) => LevelTables::One(table),
            PerGroup::Groups(groups) => LevelTables::Groups(groups),
        };
        Ok(task.noted.warnings_onto(Answer::words(written(&counted)?)))
    }

    /// Query with which a database computes the level table itself.
    ///
    /// # Errors
    ///
    /// Refuses data that are named beside a table, and queries that are not row-wise.
    pub fn sql(&self, dialect: Dialect) -> Result<String> {
        let Job { query, source, .. } = &self.job;
        if query.undeclared_groups().is_some() {
            return Err(Error::request(option::GROUPS, "nothing is read to print a query")
                .with_fix(say("declare the groups:").set(option::GROUPS, "A,B,C")));
        }
        if self.names_data || source.from_levels.is_some() {
            return Err(Error::request(option::DATA, "nothing is read to print a query").with_fix(
                say("leave DATA and")
                    .option(option::FROM_LEVELS)
                    .say("out, and name the table with")
                    .option(option::TABLE),
            ));
        }
        if source.consent.is_some() {
            return Err(Error::request(
                option::CONSENT,
                "a level query finds no choices in a register of their own",
            )
            .with_fix(
                say(
                    "name the database itself as the data, which reads both, or join the table of \
                     choices, which has every key once, in a query, and look at it yourself:",
                )
                .set(
                    option::QUERY,
                    "SELECT d.*, c.tier FROM data d LEFT JOIN consent c ON c.id = d.id",
                )
                .option(option::TRUST_QUERY),
            ));
        }
        let relation = reading::relation(source)?.ok_or_else(|| {
            Error::parameter(option::TABLE, "it is not said what the query reads").with_fix(
                say("add").set(option::TABLE, "NAME").say(", or").set(option::QUERY, "SELECT …"),
            )
        })?;
        let privacy = query.privacy_column(query.levels.as_ref())?;
        let value = self.value()?;
        let scan = Scan {
            person: query.person.clone(),
            person_value: self.person_value(),
            person_time: query.person_time(),
            group: query.divided_by()?,
            nulls: query.nulls()?,
            missing_choice: query.missing_choice(),
            leaves_out_missing: value.is_some() && query.leaves_out_missing(),
            public: source.declared_public(),
            filter: source.filter.clone(),
            ..Scan::new(privacy, value)
        };
        let query = match self.common {
            Some(budget) => LevelQuery::with_common_budget(budget, dialect, &relation, &scan),
            None => LevelQuery::new(dialect, &relation, &scan),
        };
        Ok(query?.sql().to_owned())
    }

    fn person_value(&self) -> PersonValue {
        let asked = self.job.query.person_value();
        asked.unwrap_or(if self.totals { PersonValue::Total } else { PersonValue::Rows })
    }

    /// Column to add up or to count, with its measure; `None` if only choices are counted.
    fn value(&self) -> Result<Option<Value>> {
        let query = &self.job.query;
        match (&query.value, &query.bounds, query.counted_categories()?) {
            (None, None, None) if query.crosstab.is_some() => Err(no_categories()),
            (None, None, None) => Ok(None),
            (_, Some(_), Some(_)) => Err(Error::request(
                option::LEVELS,
                "bounds are for numbers, categories for frequencies",
            )
            .with_fix(
                say("give")
                    .option(option::BOUNDS)
                    .say(", or")
                    .option(option::CATEGORIES)
                    .say("or")
                    .option(option::BINS),
            )),
            (_, None, Some(_)) => query.category_column().map(Some),
            (_, _, None) => {
                let counted = query.step.is_some() || query.cells.is_some() || query.rows.is_some();
                let numbers = query.number_column(|grid| {
                    let cells = match counted {
                        true => Some(query.cells(grid.bounds())?),
                        // From which a mean learns where the values lie.
                        false => (!query.no_adapt).then(Cells::for_sums),
                    };
                    Ok(Numbers { grid, squares: true, cells })
                })?;
                Ok(Some(numbers))
            }
        }
    }
}

/// Refuses totals if there are no rows of persons, or nothing to add up.
fn check_totals(job: &Job) -> Result<()> {
    if job.source.from_levels.is_some() {
        return Err(Error::request(option::TOTALS, "a level table has no rows to add up")
            .with_fix(
                leave_out(option::TOTALS)
                    .say(", or name the data in place of")
                    .option(option::FROM_LEVELS),
            ));
    }
    if job.query.per_person.is_some() {
        return Err(Error::request(
            option::TOTALS,
            say("it is the same as").set(option::PER_PERSON, "total"),
        )
        .with_fix(say("leave").option(option::TOTALS).say("out")));
    }
    if job.query.rows.is_some_and(|rows| rows != 1) {
        return Err(Error::request(option::TOTALS, "a total is one number, and not several rows")
            .with_fix(
                say("leave").option(option::ROWS).say("or").option(option::TOTALS).say("out"),
            ));
    }
    match (&job.query.person, &job.query.value) {
        (None, _) => Err(Error::request(option::TOTALS, "they are those of a person's rows")
            .with_fix(
                say("name the column of persons with")
                    .set(option::PERSON, "COL")
                    .say(", or leave")
                    .option(option::TOTALS)
                    .say("out"),
            )),
        (_, None) => Err(Error::request(option::TOTALS, "no column of values is given").with_fix(
            say("add")
                .set(option::VALUE, "COL")
                .say("and")
                .set(option::BOUNDS, "LO,HI")
                .say(", or leave")
                .option(option::TOTALS)
                .say("out"),
        )),
        _ => Ok(()),
    }
}

/// Contents of a level-table file, or of the result of a level query, as `suum levels` writes them.
///
/// # Errors
///
/// Refuses what a statistic would refuse, except a table without records.
///
/// # Example
///
/// ```
/// let table = br#"{"format":"suum-levels","version":1,"records":1,
///     "levels":[{"epsilon":"inf","count":1}]}"#;
/// assert!(suum::level_table(table)?.contains("not private"));
/// # Ok::<(), suum::Error>(())
/// ```
pub fn level_table(file: &[u8]) -> Result<String> {
    written(&match sql::parse_result(file)? {
        Some(counted) => counted,
        None => read_counted_of_anybody(file)?,
    })
}

fn written(counted: &LevelTables) -> Result<String> {
    let mut text = Vec::new();
    write_counted(counted, &mut text)?;
    // It is JSON, and not copied where it is long.
    Ok(String::from_utf8(text)
        .unwrap_or_else(|other| String::from_utf8_lossy(other.as_bytes()).into()))
}
