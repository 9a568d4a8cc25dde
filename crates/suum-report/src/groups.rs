//! One release per declared group, in one table.

use std::fmt::Write;

use serde::Serialize;
use suum_core::{
    Error, FrequencyRelease, Protected, QuantileRelease, Release, Result, Spending, SummaryRelease,
    VarianceRelease,
};

use crate::caveats::{self, Said};
use crate::figures::{budget, count, spent, tier};
use crate::headline::{self, Piece};
use crate::how::{self, Person};
use crate::html::Shown;
use crate::html::figure::Figure;
use crate::prose;
use crate::table::{Table, selection};

/// A release that can stand in a table of groups.
pub trait Grouped: Serialize + Shown {
    /// What is not an answer.
    fn certificate(&self) -> Certificate<'_>;
}

/// What every release says besides its answers.
#[derive(Debug, Clone, Copy)]
pub struct Certificate<'a> {
    /// Per cohort: allowed and spent.
    pub privacy: &'a [Spending],
    /// Whether the noise came from secret entropy.
    pub private: bool,
    /// The column of values.
    pub column: Option<&'a str>,
    /// The column that names persons.
    pub person: Option<&'a String>,
}

/// All releases name these four alike.
macro_rules! certificate {
    () => {
        fn certificate(&self) -> Certificate<'_> {
            Certificate {
                privacy: &self.privacy,
                private: self.private,
                column: self.column.as_deref(),
                person: self.person.as_ref(),
            }
        }
    };
}

impl Grouped for Release {
    certificate!();
}

impl Grouped for FrequencyRelease {
    certificate!();
}

impl Grouped for QuantileRelease {
    certificate!();
}

impl Grouped for VarianceRelease {
    certificate!();
}

impl Grouped for SummaryRelease {
    certificate!();
}

/// The text of one release per group: one table of answers, one of what was spent.
///
/// # Example
///
/// ```
/// use suum_core::*;
///
/// let numbers = Numbers {
///     grid: Grid::new(Bounds::new(0.0, 10.0)?),
///     squares: true,
///     cells: Some(Cells::new(10)?),
/// };
/// let points = i128::from(numbers.grid.points());
/// let people = Cohort {
///     label: None,
///     epsilon: Epsilon::new(0.5)?,
///     count: 1000,
///     // All of them at 5, the middle.
///     sums: [500 * points, 0].map(ExactSum::from_raw).to_vec(),
///     cells: CellCounts::from_raw(vec![(5, 1000)]),
/// };
/// let table = LevelTable::new(Some("score".into()), Measure::Numbers(numbers), vec![people])?;
/// let request = Request::new(Statistic::Mean, numbers.grid.bounds(), Options::default())?;
/// let plan = Plan::new(&request, table.profile()?, numbers.grid)?;
/// let release = plan.release(table, &mut Randomness::insecure(1))?;
/// let groups = [("north".to_owned(), Some(release)), ("south".to_owned(), None)];
/// assert!(suum_report::groups_text("region", &groups).contains("no records"));
/// assert!(
///     suum_report::groups_json("mean", "region", &groups)?.contains("\"group_by\": \"region\"")
/// );
/// # Ok::<(), suum_core::Error>(())
/// ```
pub fn groups_text<R: Grouped>(by: &str, groups: &[(String, Option<R>)]) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail, here and below.
    let _ = write_groups(&mut out, by, groups);
    out
}

/// How many lines a table has at most; the JSON form has all.
pub(crate) const LINES: usize = 200;

fn write_groups<R: Grouped>(
    out: &mut String,
    by: &str,
    groups: &[(String, Option<R>)],
) -> std::fmt::Result {
    let released = || groups.iter().filter_map(|(_, release)| release.as_ref());
    let Some(one) = released().next() else { return writeln!(out, "No group has records.") };
    let certificates = || released().map(Grouped::certificate);
    let (first, whom) = (one.certificate(), one.protects());
    how::write_warning(out, certificates().all(|one| one.private))?;
    writeln!(out, "Private statistics{} by {by}", how::of_column(first.column))?;
    prose::paragraph(out, &headline::text(&headline(by, groups)));
    let mut rows: Vec<[String; 5]> = Vec::new();
    for (group, release) in groups {
        let Some(release) = release else {
            let none = "no records".into();
            rows.push([group.clone(), "0".into(), String::new(), none, String::new()]);
            continue;
        };
        let certificate = release.certificate();
        let people: u64 = certificate.privacy.iter().map(|spending| spending.count).sum();
        for (at, figure) in release.figures().0.iter().enumerate() {
            let (group, people) =
                if at == 0 { (group.clone(), count(people)) } else { Default::default() };
            let estimate = figure.writing.text(figure.estimate);
            rows.push([group, people, figure.name.clone(), estimate, figure.interval_text()]);
        }
    }
    let mut table = Table::new(1, ["group", whom.many(), "statistic", "estimate", "interval"]);
    for at in selection(rows.len(), LINES) {
        table.row(at.and_then(|at| rows.get(at)).cloned().unwrap_or_else(gap));
    }
    table.write(out);
    if let Some(sentence) = caveats::useless(&useless(groups)) {
        prose::paragraph(out, &sentence);
    }
    prose::paragraph(out, ALONE);
    said(groups).write(out);

    writeln!(out, "\nWhat each tier allowed and what was really spent")?;
    let mut rows: Vec<[String; 5]> = Vec::new();
    for (group, release) in groups {
        let lines = release.iter().flat_map(|release| release.certificate().privacy);
        for (at, line) in lines.enumerate() {
            rows.push([
                if at == 0 { group.clone() } else { String::new() },
                tier(&line.level, line.epsilon),
                count(line.count),
                budget(line.epsilon),
                spent(&line.spent, line.epsilon),
            ]);
        }
    }
    let mut table = Table::new(2, ["group", "tier", whom.many(), "allowed ε", "spent ε"]);
    for at in selection(rows.len(), LINES) {
        table.row(at.and_then(|at| rows.get(at)).cloned().unwrap_or_else(gap));
    }
    table.write(out);
    prose::paragraph(out, once(whom));
    let all: Vec<Spending> = certificates().flat_map(|one| one.privacy).cloned().collect();
    let person = Person::new(first.person, "a summary of their rows");
    how::write_guarantee(out, &how::guarantee(&all, Some("groups"), person))
}

/// What an interval of a line is.
pub(crate) const ALONE: &str = "Each interval holds for its line alone.";

/// That a budget is spent in one group only, and for whom that is known.
pub(crate) fn once(whom: Protected) -> &'static str {
    match whom {
        Protected::Person => {
            "All rows of a person are in one group (data with others are refused), so each person \
             spends their budget once."
        }
        Protected::Record => {
            "Each record is in one group, so its budget is spent once. A person with rows in \
             several groups spends in each of them."
        }
    }
}

/// In which group the first of the statistics is largest, as far as intervals tell.
pub(crate) fn headline<R: Grouped>(
    by: &str,
    groups: &[(String, Option<R>)],
) -> Vec<headline::Piece> {
    let firsts: Vec<(&str, Figure)> = groups
        .iter()
        .filter_map(|(group, release)| {
            Some((group.as_str(), release.as_ref()?.figures().0.into_iter().next()?))
        })
        .collect();
    let named: Vec<(&str, &Figure)> =
        firsts.iter().map(|(group, figure)| (*group, figure)).collect();
    let what = firsts.first().map_or("number", |(_, figure)| figure.name.as_str());
    headline::largest(what, &named).unwrap_or_else(|| {
        let one = if named.len() == 1 { "group" } else { "groups" };
        let some = format!("A release for each of {} {one}, by ", named.len());
        vec![Piece::Words(some), Piece::Label(by.to_owned()), Piece::Words(".".to_owned())]
    })
}

/// The answers that say next to nothing, by group.
pub(crate) fn useless<R: Grouped>(groups: &[(String, Option<R>)]) -> Vec<String> {
    let of_group = |(group, release): &(String, Option<R>)| {
        let Some(release) = release else { return Vec::new() };
        let figures = release.figures().0;
        let names = headline::useless(release, &figures);
        match figures.len() {
            1 => names.iter().map(|_| group.clone()).collect(),
            _ => names.iter().map(|name| format!("{name} in {group}")).collect::<Vec<_>>(),
        }
    };
    groups.iter().flat_map(of_group).collect()
}

/// What must be known of the releases: that of the first one, which all were made like.
pub(crate) fn said<R: Grouped>(groups: &[(String, Option<R>)]) -> Said {
    let released = || groups.iter().filter_map(|(_, release)| release.as_ref());
    // The release that takes most for granted speaks for all.
    match released().max_by_key(|release| release.assumptions().len()) {
        Some(release) => release.said(),
        None => Said::nothing(),
    }
}

fn gap() -> [String; 5] {
    ["…".into(), String::new(), String::new(), String::new(), String::new()]
}

#[derive(Serialize)]
struct Groups<'a, R> {
    statistic: &'a str,
    column: Option<&'a str>,
    group_by: &'a str,
    groups: Vec<Group<'a, R>>,
    private: bool,
}

#[derive(Serialize)]
struct Group<'a, R> {
    group: &'a str,
    #[serde(flatten)]
    release: Option<&'a R>,
    #[serde(skip_serializing_if = "Option::is_none")]
    records: Option<u64>,
}

/// One release per group as JSON; a group without records has `"records": 0` and nothing else.
///
/// # Errors
///
/// As [`json`](crate::json).
pub fn groups_json<R: Grouped>(
    statistic: &str,
    by: &str,
    groups: &[(String, Option<R>)],
) -> Result<String> {
    let released = || groups.iter().filter_map(|(_, release)| release.as_ref());
    if released().next().is_none() {
        return Err(Error::data("groups: none of the declared groups has records")
            .with_hint("check the spelling of --groups, and the column of --group-by"));
    }
    crate::json(&Groups {
        statistic,
        column: released().next().and_then(|release| release.certificate().column),
        group_by: by,
        groups: groups
            .iter()
            .map(|(group, release)| Group {
                group,
                release: release.as_ref(),
                records: release.is_none().then_some(0),
            })
            .collect(),
        private: released().all(|release| release.certificate().private),
    })
}
