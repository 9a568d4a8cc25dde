//! Conversion of the rows of a result to level tables.

mod row;
mod sums;

use suum_core::{Command, Epsilon, Error, LevelTable, Phrase, Replacement, Result, say};
use suum_data::{Groups, LevelTables};

use crate::query::Header;
pub(crate) use row::double;
use row::{Count, Level, Part, Row};
use sums::GroupSums;

/// Function from a budget to the one as which its records count.
pub(crate) type Rule<'a> = &'a dyn Fn(Epsilon) -> Epsilon;

/// Rows of a result that were read so far.
pub(crate) struct Rows<'a> {
    rule: Rule<'a>,
    // True if participation is private, and so the set of groups with records.
    add_remove: bool,
    /// True of design weights, of which too many are refused, and not rounded as budgets are.
    pub(crate) are_weights: bool,
    header: Option<Checks>,
    // Rows that came before the header.
    early: Vec<Vec<Option<String>>>,
    groups: Vec<GroupSums>,
    number: u64,
}

/// Request of the result, with its independent count.
struct Checks {
    header: Header,
    count: Count,
}

impl<'a> Rows<'a> {
    pub(crate) fn new(rule: Rule<'a>, add_remove: bool) -> Self {
        let (early, groups) = (Vec::new(), Vec::new());
        Self { rule, add_remove, are_weights: false, header: None, early, groups, number: 0 }
    }

    /// Adds a row, given by the cells of [`COLUMNS`](crate::query::COLUMNS).
    pub(crate) fn add(&mut self, cells: &[Option<&str>]) -> Result<()> {
        self.number += 1;
        let Some(asked) = &self.header else {
            if cells.first() != Some(&Some("header")) {
                self.early.push(cells.iter().map(|cell| cell.map(str::to_owned)).collect());
                return Ok(());
            }
            return self.begin(cells);
        };
        let header = &asked.header;
        match Row::parse(cells, self.number, header.tiers.is_some())? {
            Row::Header { .. } => Err(refused(
                "there is more than one row of part header",
                "bring back the result of one query; results are not to be put together",
            )),
            Row::Fault(defect) => Err(defect.refuse(header)),
            Row::Level(mut part) => {
                if let Some(cell) = part.item {
                    let sums = [part.index_sum, part.square_sum];
                    [part.index_sum, part.square_sum] = header.wholes(cell, part.records, sums)?;
                }
                self.add_part(&part)
            }
        }
    }

    fn begin(&mut self, cells: &[Option<&str>]) -> Result<()> {
        let Row::Header { text, count } = Row::parse(cells, self.number, true)? else {
            return Err(Error::internal("a header is none"));
        };
        let header = Header::parse(&text)?;
        let measure = header.measure()?;
        let groups = header.groups.as_ref().map_or(1, Vec::len);
        self.groups = (0..groups).map(|_| GroupSums::new(&measure, groups)).collect();
        if count.marks.is_some() && header.person.is_none() {
            return Err(refused(
                "it has a sum of marks, and no persons",
                "run the query as it was printed",
            ));
        }
        self.header = Some(Checks { header, count });
        for cells in std::mem::take(&mut self.early) {
            let cells: Vec<Option<&str>> = cells.iter().map(Option::as_deref).collect();
            self.add(&cells)?;
        }
        Ok(())
    }

    fn add_part(&mut self, part: &Part) -> Result<()> {
        let Some(asked) = &self.header else { return Ok(()) };
        let at = |what: &str| format!("row {}: {what}", self.number);
        let hint = "run the query as it was printed, and bring back its whole result";
        if part.group.is_some() != asked.header.groups.is_some() {
            return Err(refused(
                at("it has a group where there are none, or none where there are"),
                hint,
            ));
        }
        let tiers = asked.header.tiers.as_ref().map_or(0, Vec::len);
        if matches!(part.level, Level::Tier(tier) if tier as usize >= tiers) {
            return Err(refused(at("there is no such tier"), hint));
        }
        let group = part.group.unwrap_or(0) as usize;
        let Some(sums) = self.groups.get_mut(group) else {
            return Err(refused(at("there is no such group"), hint));
        };
        if sums.is_repeated(part) {
            return Err(refused(at("it is repeated"), "bring back each row of the result once"));
        }
        sums.add(part, self.rule)
    }

    /// Builds the tables of all rows.
    ///
    /// # Errors
    ///
    /// Refuses a result without its header, counts that disagree with the independent one, and
    /// impossible sums.
    pub(crate) fn finish(self, expected: Option<&Header>) -> Result<LevelTables> {
        let Some(Checks { header, count }) = self.header else {
            return Err(refused(
                "there is no row of part header",
                say("bring back the whole result of the query that")
                    .command(Command::ask("levels-sql"))
                    .say("prints, with the names of its columns"),
            ));
        };
        if expected.is_some_and(|expected| *expected != header) {
            return Err(refused("the database has changed what it was asked", "try again"));
        }
        let sum = |of: fn(&GroupSums) -> Option<u64>| {
            self.groups.iter().try_fold(0u64, |sum, group| sum.checked_add(of(group)?))
        };
        // Marks say of whom the rows are; the query has found nobody twice.
        let counted = Count {
            records: count.records.and_then(|_| sum(GroupSums::records)),
            source_rows: sum(GroupSums::source_rows).unwrap_or(u64::MAX),
            marks: count.marks.and_then(|_| sum(GroupSums::marks)),
        };
        if counted != count {
            return Err(refused(
                "the counts of its levels do not add up to the number of rows in the data",
                "run the query again as one statement; an engine may have lost or repeated part of \
                the data, or the data changed between two parts of it",
            ));
        }
        if self.are_weights && self.groups.iter().any(GroupSums::is_coarse) {
            return Err(suum_data::too_many_weights());
        }
        let (query, person_value) = (header.query()?, header.person_value()?);
        let filter = header.filter()?.map(|filter| filter.to_string());
        let table = |sums: GroupSums| -> Result<LevelTable> {
            let (measure, by_level) = sums.into_level_sums(&header, self.rule)?;
            let table = LevelTable::possibly_empty(header.column.clone(), measure, by_level)?
                .with_missing(header.missing.clone())
                .with_filter(filter.clone())
                .with_origins(header.query_columns.clone());
            let table = match query {
                Some(query) => table.with_query(query),
                None => table,
            };
            Ok(match &header.person {
                Some(person) => table.with_person(person.clone(), person_value),
                None => table,
            })
        };
        let mut tables = self.groups.into_iter().map(table).collect::<Result<Vec<_>>>()?;
        match (&header.group, &header.groups, tables.pop()) {
            (Some(column), Some(names), last) => {
                tables.extend(last);
                let add_remove = self.add_remove || header.missing == Some(Replacement::Excluded);
                let shown = |table: &LevelTable| add_remove || table.records() > 0;
                let tables = tables.into_iter().map(|table| Some(table).filter(shown));
                Ok(LevelTables::Groups(Groups {
                    column: column.clone(),
                    each: names.iter().cloned().zip(tables).collect(),
                }))
            }
            (_, _, Some(table)) => Ok(LevelTables::One(table)),
            _ => Err(Error::internal("a result without groups has one table")),
        }
    }
}

/// Returns the refusal of a result.
pub(crate) fn refused(what: impl Into<Phrase>, fix: impl Into<Phrase>) -> Error {
    Error::table("level query", say("its result:").then(what)).with_fix(fix)
}
