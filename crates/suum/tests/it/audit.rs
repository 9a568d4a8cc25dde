//! Audits of the steps around a release: persons with many rows, groups, and releases that a ledger
//! grants.
//!
//! Records are scanned as users' are; then the releases of two neighbours are told apart, or not.

use std::path::Path;

use serde_json::json;
use suum::ledger::{Accounts, Dataset, Ledger};
use suum::{
    Accountant, Bounds, Categories, CategoryRule, Cells, Epsilon, ErrorKind, Grid, Grouping,
    LevelTable, Neighbors, Numbers, Options, PostProcessing, PrivacyColumn, Progress, Randomness,
    Rank, Request, Result, Scan, Tiers, Value, ValueColumn,
};
use suum_audit::{Neighbours, Output, Promise, Report, Settings, Side, Subject, Verdict, audit};

/// Tables of two neighbours, as a scan makes them; several if there are groups or releases.
type Tables = Vec<LevelTable>;
type Draw = Box<dyn Fn(&Tables, &mut Randomness) -> Result<Vec<f64>> + Send + Sync>;

/// Everything that somebody sees, of two datasets that differ in one person.
struct Seen {
    name: &'static str,
    promises: Vec<Promise>,
    neighbours: Vec<Neighbours>,
    tables: Vec<(Tables, Tables)>,
    draw: Draw,
}

impl Seen {
    fn new(
        name: &'static str,
        draw: impl Fn(&Tables, &mut Randomness) -> Result<Vec<f64>> + Send + Sync + 'static,
    ) -> Self {
        Self {
            name,
            promises: Vec::new(),
            neighbours: Vec::new(),
            tables: Vec::new(),
            draw: Box::new(draw),
        }
    }

    /// The person who differs was promised this.
    fn with(mut self, allowed: &str, difference: &str, one: Tables, other: Tables) -> Self {
        let promise = Promise::all_of(allowed.parse().unwrap());
        let level =
            self.promises.iter().position(|known| *known == promise).unwrap_or(self.promises.len());
        if level == self.promises.len() {
            self.promises.push(promise);
        }
        self.neighbours.push(Neighbours { promise: level, difference: difference.to_owned() });
        self.tables.push((one, other));
        self
    }

    fn audit(&self) -> Report {
        let settings = Settings { runs: 2000, ..Settings::default() };
        audit(&[self], &settings, &suum_audit::Progress::default()).unwrap()
    }

    /// Nothing is disproved, although something was seen to be lost.
    fn stands(&self) {
        let report = self.audit();
        assert_eq!(report.verdict(), Verdict::NotDisproved, "{}", report.text());
        let evidence = report.subjects[0].levels.iter().filter_map(|level| level.evidence.as_ref());
        assert!(evidence.map(|evidence| evidence.loss).sum::<f64>() > 0.5, "{}", report.text());
    }

    fn falls(&self) {
        let report = self.audit();
        assert_eq!(report.verdict(), Verdict::Broken, "{}", report.text());
    }
}

impl Subject for Seen {
    fn name(&self) -> &str {
        self.name
    }

    fn promises(&self) -> &[Promise] {
        &self.promises
    }

    fn neighbours(&self) -> &[Neighbours] {
        &self.neighbours
    }

    fn release(&self, neighbours: usize, side: Side, randomness: &mut Randomness) -> Output {
        let (one, other) = &self.tables[neighbours];
        Output::from((self.draw)(if side == Side::One { one } else { other }, randomness))
    }
}

fn tiers() -> Tiers {
    "strict=1,relaxed=3".parse().unwrap()
}

fn numbers(rows: u32) -> Value {
    let cells = Some(Cells::new(8).unwrap().with_rows(rows).unwrap());
    let numbers = Numbers { grid: Grid::new(Bounds::UNIT), squares: true, cells };
    Value::Number(ValueColumn { column: "value".into(), numbers, missing: None })
}

fn scan(value: Value) -> Scan {
    Scan::new(PrivacyColumn::Tiers { column: "tier".into(), tiers: tiers() }, Some(value))
}

/// The records that all datasets here have, and some more.
fn csv(more: &str) -> String {
    let others = "a,strict,0,north\nb,strict,1,north\n\
        c,relaxed,0,south\nc,relaxed,0.5,south\nd,relaxed,1,south\n";
    format!("person,tier,value,region\n{others}{more}")
}

fn mean_and_median(tables: &Tables, randomness: &mut Randomness) -> Result<Vec<f64>> {
    let Some(table) = tables.first() else { return Ok(Vec::new()) };
    let mean = Request::mean(Options::default()).release(table.clone(), randomness)?;
    Ok(vec![mean.estimate(), mean.interval().map_or(f64::NAN, |interval| interval.upper)])
}

/// A person with one row at one bound, and the same person with many rows at the other: of their
/// tier, and some of other tiers.
fn rows() -> [(&'static str, &'static str, &'static str, String); 3] {
    [
        (
            "1",
            "a strict person with one row at 0, or nine at 1",
            "p,strict,0,north\n",
            "p,strict,1,north\n".repeat(9),
        ),
        (
            "3",
            "a relaxed person with seven rows at 0, or one at 1",
            "p,relaxed,1,north\n",
            "p,relaxed,0,north\n".repeat(7),
        ),
        (
            "1",
            "a person with a strict row at 0, or with that at 1 and nine relaxed ones",
            "p,strict,0,north\n",
            "p,strict,1,north\n".to_owned() + &"p,relaxed,1,north\n".repeat(9),
        ),
    ]
}

fn persons(seen: Seen, scan: &Scan) -> Seen {
    let table = |more: &str| {
        vec![suum::scan_csv(csv(more).as_bytes(), scan, &Progress::default()).unwrap()]
    };
    rows().into_iter().fold(seen, |seen, (allowed, difference, one, other)| {
        seen.with(allowed, difference, table(one), table(&other))
    })
}

#[test]
#[ignore = "takes seconds"]
fn a_person_with_many_rows_is_one_record() {
    let of_persons = |value: Value| Scan { person: Some("person".into()), ..scan(value) };
    persons(Seen::new("mean of persons", mean_and_median), &of_persons(numbers(1))).stands();
    let total = |tables: &Tables, randomness: &mut Randomness| {
        let release = Request::sum(Options::default()).release(tables[0].clone(), randomness)?;
        Ok(vec![release.estimate()])
    };
    let column = ValueColumn {
        column: "value".into(),
        numbers: Grid::new(Bounds::UNIT).into(),
        missing: None,
    };
    let totals =
        Scan { person_value: suum::PersonValue::Total, ..of_persons(Value::Number(column)) };
    persons(Seen::new("sum of persons", total), &totals).stands();
    let several = |tables: &Tables, randomness: &mut Randomness| {
        let release = Request::quantiles(Cells::new(8)?, vec![Rank::MEDIAN], Options::default())
            .release(tables[0].clone(), randomness)?;
        Ok(vec![release.estimates[0].estimate])
    };
    persons(
        Seen::new("median of persons, by three rows of each", several),
        &of_persons(numbers(3)),
    )
    .stands();
    let shares = |tables: &Tables, randomness: &mut Randomness| {
        let options = Options { post: PostProcessing::None, ..Options::default() };
        let release = Request::frequency("0,0.5,1".parse::<Categories>()?.divided(), options)
            .release(tables[0].clone(), randomness)?;
        Ok(release.estimates.iter().map(|frequency| frequency.estimate).collect())
    };
    let classes = CategoryRule::labels(vec!["0".into(), "0.5".into(), "1".into()], None).unwrap();
    assert_eq!(classes.categories(), &"0,0.5,1".parse::<Categories>().unwrap());
    let labels = Value::Category(suum::CategoryColumn {
        column: "value".into(),
        classes,
        missing: None,
        across: None,
    });
    persons(Seen::new("frequency of persons", shares), &of_persons(labels)).stands();
}

/// Mean of rows without a column of persons: a person's nine rows lose nine times as much.
#[test]
fn rows_without_persons_are_caught() {
    let table = |more: &str| {
        vec![suum::scan_csv(csv(more).as_bytes(), &scan(numbers(1)), &Progress::default()).unwrap()]
    };
    let (zeros, ones) = ("p,strict,0,north\n".repeat(9), "p,strict,1,north\n".repeat(9));
    Seen::new("mean of rows", mean_and_median)
        .with("1", "nine rows at 0 or 1", table(&zeros), table(&ones))
        .falls();
}

#[test]
#[ignore = "takes seconds"]
fn the_releases_of_all_groups_together_spend_a_budget_once() {
    let groups = CategoryRule::labels(vec!["north".into(), "south".into()], None).unwrap();
    let group = Some(Grouping::one("region", groups));
    let scan = Scan { group, ..scan(numbers(1)) };
    let tables = |more: &str| -> Tables {
        let groups =
            suum::scan_groups_csv(csv(more).as_bytes(), &scan, &Progress::default()).unwrap();
        groups.each.into_iter().filter_map(|(_, table)| table).collect()
    };
    let draw = |tables: &Tables, randomness: &mut Randomness| {
        let means = tables
            .iter()
            .map(|table| Request::mean(Options::default()).release(table.clone(), randomness));
        means.map(|release| Ok(release?.estimate())).collect()
    };
    Seen::new("means of groups", draw)
        .with(
            "1",
            "a strict record at 0 or 1",
            tables("p,strict,0,north\n"),
            tables("p,strict,1,north\n"),
        )
        .with(
            "3",
            "a relaxed record at 0 or 1",
            tables("p,relaxed,0,south\n"),
            tables("p,relaxed,1,south\n"),
        )
        .stands();
}

/// A table at the budgets that a ledger grants for one release after the other, until nothing is
/// left.
fn granted(path: &Path, table: &LevelTable) -> Tables {
    let accounts = Accounts::Tiers(vec![
        ("strict".into(), "1".parse().unwrap()),
        ("relaxed".into(), "3".parse().unwrap()),
    ]);
    let dataset = Dataset::new("visits", Neighbors::ReplaceOne, accounts);
    Ledger::create(path).unwrap().add_dataset(dataset).unwrap();
    let mut granted = Vec::new();
    for spend in ["40%", "eps=0.3", "50%", "100%", "100%", "100%"] {
        let open = || {
            let columns = suum::ledger::Columns::default();
            Accountant::open(path, None, Neighbors::ReplaceOne, spend.parse()?, None, columns)
        };
        let mut accountant = match open() {
            Ok(accountant) => accountant,
            Err(refused) => {
                assert_eq!(refused.kind(), ErrorKind::Budget, "{refused}");
                break;
            }
        };
        let capped = accountant.cap(table.clone()).unwrap();
        let drawn = capped.clone();
        let draw = |randomness: &mut Randomness| {
            Request::mean(Options::default()).release(drawn, randomness).map(suum::Releases::from)
        };
        let released = accountant.release(&json!({}), draw, |_| Ok(json!({})));
        match released {
            Ok(_) => granted.push(capped),
            Err(refused) => {
                assert_eq!(refused.kind(), ErrorKind::Budget, "{refused}");
                break;
            }
        }
    }
    granted
}

/// Output of an observer of several releases: each estimate, and their mean, in which noise
/// averages out.
fn one_after_the_other(tables: &Tables, randomness: &mut Randomness) -> Result<Vec<f64>> {
    let means = tables
        .iter()
        .map(|table| Request::mean(Options::default()).release(table.clone(), randomness));
    let mut seen = means.map(|release| Ok(release?.estimate())).collect::<Result<Vec<f64>>>()?;
    seen.push(seen.iter().sum::<f64>() / seen.len() as f64);
    Ok(seen)
}

#[test]
#[ignore = "takes seconds"]
fn all_releases_that_a_ledger_grants_keep_what_people_allow_in_all() {
    let folder = tempfile::tempdir().unwrap();
    let table = |more: &str| {
        suum::scan_csv(csv(more).as_bytes(), &scan(numbers(1)), &Progress::default()).unwrap()
    };
    let mut seen = Seen::new("means charged to a ledger", one_after_the_other);
    let mut careless = Seen::new("means charged to nobody", one_after_the_other);
    for (allowed, tier) in [("1", "strict"), ("3", "relaxed")] {
        let [one, other] = ["0", "1"].map(|value| table(&format!("p,{tier},{value},north\n")));
        let grants = |table: &LevelTable, side: &str| {
            granted(&folder.path().join(format!("{tier}{side}")), table)
        };
        let (first, second) = (grants(&one, "one"), grants(&other, "other"));
        assert!(first.len() >= 3, "{} releases", first.len());
        let budgets = |tables: &Tables| -> Vec<Vec<Epsilon>> {
            tables
                .iter()
                .map(|table| table.by_level().iter().map(|level_sums| level_sums.epsilon).collect())
                .collect()
        };
        assert_eq!(budgets(&first), budgets(&second), "what is granted depends on values");
        let releases = first.len();
        seen = seen.with(allowed, "a record at 0 or 1", first, second);
        careless = careless.with(
            allowed,
            "a record at 0 or 1",
            vec![one; releases],
            vec![other; releases],
        );
    }
    seen.stands();
    careless.falls();
}
