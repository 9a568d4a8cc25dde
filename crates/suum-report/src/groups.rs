//! One release per declared group, in one table.

use std::fmt::Write;

use serde::Serialize;
use suum_core::{
    Error, FrequencyRelease, QuantileRelease, Release, Result, Spending, SummaryRelease,
    VarianceRelease,
};

use crate::figures::{budget, count, spent, tier, to_error};
use crate::how::{self, Person};
use crate::summary;
use crate::summary::between;
use crate::table::{Table, selection};

/// A release that can stand in a table of groups.
pub trait Grouped: Serialize {
    /// The answers: name, estimate, interval.
    fn lines(&self) -> Vec<[String; 3]>;
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
    fn lines(&self) -> Vec<[String; 3]> {
        let rmse = self.error.rmse;
        let figure = |value| to_error(value, rmse);
        let interval = match (&self.plan, &self.interval) {
            (Some(_), Some(interval)) => between(figure, interval),
            (Some(_), None) => "none".into(),
            (None, _) => "exact".into(),
        };
        vec![[self.statistic.name().into(), figure(self.estimate), interval]]
    }
    certificate!();
}

impl Grouped for FrequencyRelease {
    fn lines(&self) -> Vec<[String; 3]> {
        let share = |value: f64| format!("{} %", to_error(value * 100.0, self.error.rmse * 100.0));
        let lines = self.frequencies.iter();
        lines
            .map(|one| [one.category.clone(), share(one.estimate), between(share, &one.interval)])
            .collect()
    }
    certificate!();
}

impl Grouped for QuantileRelease {
    fn lines(&self) -> Vec<[String; 3]> {
        self.quantiles.iter().map(summary::quantile).collect()
    }
    certificate!();
}

impl Grouped for VarianceRelease {
    fn lines(&self) -> Vec<[String; 3]> {
        let (variance, deviation) = (&self.variance, &self.deviation);
        vec![
            summary::moment("variance", variance),
            summary::moment("standard deviation", deviation),
        ]
    }
    certificate!();
}

impl Grouped for SummaryRelease {
    fn lines(&self) -> Vec<[String; 3]> {
        summary::lines(self)
    }
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
///     kept: None,
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
    let Some(first) = released().next() else { return writeln!(out, "No group has records.") };
    let certificates = || released().map(Grouped::certificate);
    let first = first.certificate();
    how::write_warning(out, certificates().all(|one| one.private))?;
    writeln!(out, "Private statistics{} by {by}", how::of_column(first.column))?;
    let mut rows: Vec<[String; 5]> = Vec::new();
    for (group, release) in groups {
        let Some(release) = release else {
            rows.push([
                group.clone(),
                "0".into(),
                String::new(),
                "no records".into(),
                String::new(),
            ]);
            continue;
        };
        let people: u64 = release.certificate().privacy.iter().map(|spending| spending.count).sum();
        for (at, [name, estimate, interval]) in release.lines().into_iter().enumerate() {
            let (group, people) =
                if at == 0 { (group.clone(), count(people)) } else { Default::default() };
            rows.push([group, people, name, estimate, interval]);
        }
    }
    let people = if first.person.is_some() { "persons" } else { "people" };
    let mut table = Table::new(1, ["group", people, "statistic", "estimate", "interval"]);
    for at in selection(rows.len(), LINES) {
        table.row(at.and_then(|at| rows.get(at)).cloned().unwrap_or_else(gap));
    }
    table.write(out);
    writeln!(out, "Each interval holds for its line alone.")?;

    writeln!(out, "\nWhat each tier allowed and what was really spent")?;
    let mut rows: Vec<[String; 5]> = Vec::new();
    for (group, release) in groups {
        for (at, line) in
            release.iter().flat_map(|release| release.certificate().privacy).enumerate()
        {
            rows.push([
                if at == 0 { group.clone() } else { String::new() },
                tier(&line.level, line.epsilon),
                count(line.count),
                budget(line.epsilon),
                spent(&line.spent, line.epsilon),
            ]);
        }
    }
    let mut table = Table::new(2, ["group", "tier", people, "allowed ε", "spent ε"]);
    for at in selection(rows.len(), LINES) {
        table.row(at.and_then(|at| rows.get(at)).cloned().unwrap_or_else(gap));
    }
    table.write(out);
    writeln!(out, "Every person is in one group, so each spends their budget once.")?;
    let all: Vec<Spending> = certificates().flat_map(|one| one.privacy).cloned().collect();
    how::write_guarantee(
        out,
        &all,
        Some("groups"),
        Person::new(first.person, "a summary of their rows"),
    )
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
