//! A filter selects the same records at every door, which are those that plain Rust selects.

use std::fmt::Write;
use std::fs::File;
use std::sync::{Arc, LazyLock};

use arrow_array::types::Int32Type;
use arrow_array::{
    ArrayRef, BooleanArray, Date32Array, DictionaryArray, Float64Array, Int32Array, RecordBatch,
    StringArray, TimestampMicrosecondArray,
};
use parquet::arrow::ArrowWriter;
use rusqlite::Connection;
use rusqlite::types::ValueRef;
use suum_core::{Bounds, Grid, LevelTable, Result, TimeScale};
use suum_data::{
    Filter, LevelTables, Nulls, PrivacyColumn, Progress, Scan, Source, UnboundedColumn, Value,
    ValueColumn, scan_batches, scan_csv,
};
use suum_sql::{Dialect, LevelQuery, Postgres, Relation, Sqlite, keep, parse_result, scan};
use suum_testing::Server;

static SERVER: LazyLock<Server> = LazyLock::new(Server::start);

/// A record; its value is a power of two, so that a sum tells who is in it.
#[derive(Debug, Clone, Copy)]
struct Person {
    at: u32,
    region: Option<&'static str>,
    year: Option<i32>,
    score: Option<f64>,
    born: Option<&'static str>,
    moved: Option<&'static str>,
    employed: Option<bool>,
    sex: Option<&'static str>,
}

fn people() -> Vec<Person> {
    let regions = [Some("north"), Some("south"), None, Some("it's"), Some("NA")];
    let years = [Some(2019), Some(2020), None, Some(2021)];
    let scores = [Some(0.5), Some(-0.5), None, Some(1.0), Some(3.25), Some(-99.0)];
    let born = [Some("1990-06-15"), None, Some("2000-02-29"), Some("1989-12-31")];
    let moved = [
        Some("2020-03-01 00:00:00"),
        Some("2020-03-01 12:00:00"),
        Some("2020-03-01 12:00:00.5"),
        Some("2020-03-02 00:00:00"),
        None,
        Some("2020-03-02 00:00:01"),
        Some("1969-12-31 23:59:59"),
    ];
    let employed = [Some(true), Some(false), None];
    let sexes = [Some("f"), Some("m"), None, Some("f"), Some("x")];
    let person = |at: u32| {
        let i = at as usize;
        Person {
            at,
            region: regions[i % regions.len()],
            year: years[i / 2 % years.len()],
            score: scores[i % scores.len()],
            born: born[i / 3 % born.len()],
            moved: moved[i % moved.len()],
            employed: employed[i / 2 % employed.len()],
            sex: sexes[i / 4 % sexes.len()],
        }
    };
    (0..40).map(person).collect()
}

impl Person {
    fn value(self) -> f64 {
        2f64.powi((self.at % 20) as i32)
    }

    fn tier(self) -> &'static str {
        if self.at < 20 { "strict" } else { "public" }
    }

    fn region(self) -> Option<&'static str> {
        self.region.filter(|region| *region != "NA")
    }

    fn score(self) -> Option<f64> {
        self.score.filter(|score| *score != -99.0)
    }
}

fn and(a: Option<bool>, b: Option<bool>) -> Option<bool> {
    match (a, b) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        _ => None,
    }
}

fn not(a: Option<bool>) -> Option<bool> {
    a.map(|a| !a)
}

fn or(a: Option<bool>, b: Option<bool>) -> Option<bool> {
    not(and(not(a), not(b)))
}

type Truth = fn(Person) -> Option<bool>;

/// Filters, and what plain Rust says of a record.
const FILTERS: [(&str, Truth); 31] = [
    ("region = 'north'", |p| p.region().map(|r| r == "north")),
    ("region <> 'north'", |p| p.region().map(|r| r != "north")),
    ("region = 'it''s'", |p| p.region().map(|r| r == "it's")),
    ("region in ('north', 'east')", |p| p.region().map(|r| r == "north")),
    ("region not in ('north', 'it''s')", |p| p.region().map(|r| r != "north" && r != "it's")),
    ("region = 'NORTH' or year = 2020", |p| {
        or(p.region().map(|_| false), p.year.map(|y| y == 2020))
    }),
    ("not region = 'north' or year = 2020", |p| {
        or(p.region().map(|r| r != "north"), p.year.map(|y| y == 2020))
    }),
    ("region is null", |p| Some(p.region().is_none())),
    ("year >= 2020", |p| p.year.map(|y| y >= 2020)),
    ("2020 < year", |p| p.year.map(|y| y > 2020)),
    ("year <= 2019.5 and score > 0.25", |p| {
        and(p.year.map(|y| y <= 2019), p.score().map(|s| s > 0.25))
    }),
    ("year between 2020 and 2021", |p| p.year.map(|y| (2020..=2021).contains(&y))),
    ("year not between 2020 and 2021", |p| p.year.map(|y| !(2020..=2021).contains(&y))),
    ("year in (2019, 2021, 1e3)", |p| p.year.map(|y| y == 2019 || y == 2021)),
    ("year is null", |p| Some(p.year.is_none())),
    ("score is null", |p| Some(p.score().is_none())),
    ("region is not null and score is null", |p| Some(p.region().is_some() && p.score().is_none())),
    ("not (year > 2019 and region = 'south')", |p| {
        not(and(p.year.map(|y| y > 2019), p.region().map(|r| r == "south")))
    }),
    ("not (score is null or score < 0)", |p| {
        not(or(Some(p.score().is_none()), p.score().map(|s| s < 0.0)))
    }),
    ("score = -0.5 or score = 1e0", |p| p.score().map(|s| s == -0.5 || s == 1.0)),
    ("born >= date '1990-01-01'", |p| p.born.map(|b| b >= "1990-01-01")),
    ("born < '1990-06-15'", |p| p.born.map(|b| b < "1990-06-15")),
    ("born = '1990-06-15'", |p| p.born.map(|b| b == "1990-06-15")),
    ("born in (date '1990-06-15', date '2000-02-29')", |p| p.born.map(|b| b > "1990-01-01")),
    ("moved > timestamp '2020-03-01 12:00:00'", |p| p.moved.map(|m| m > "2020-03-01 12:00:00")),
    ("moved between date '2020-03-01' and date '2020-03-02'", |p| {
        p.moved.map(|m| ("2020-03-01".."2020-03-02 00:00:00x").contains(&m))
    }),
    ("moved <= '1970-01-01' or moved is null", |p| {
        or(p.moved.map(|m| m < "1970"), Some(p.moved.is_none()))
    }),
    ("employed = true", |p| p.employed),
    ("employed <> true", |p| p.employed.map(|e| !e)),
    ("\"Sex at birth\" = 'f' and (region = 'north' or employed = false)", |p| {
        let sex = p.sex.map(|s| s == "f");
        and(sex, or(p.region().map(|r| r == "north"), p.employed.map(|e| !e)))
    }),
    ("year = 1850", |p| p.year.map(|_| false)),
];

fn numbers() -> Value {
    let grid = Grid::new(Bounds::new(0.0, 2f64.powi(20)).unwrap());
    Value::Number(ValueColumn { column: "value".into(), numbers: grid.into(), missing: None })
}

fn scan_where(filter: Option<&str>) -> Scan {
    let columns = ["region", "year", "score", "born", "moved", "employed", "Sex at birth"];
    let tiers = "strict=0.1,public=inf".parse().unwrap();
    Scan {
        public: columns.map(str::to_owned).into(),
        nulls: Nulls::new(["NA", "-99"]).unwrap(),
        filter: filter.map(|text| text.parse().unwrap()),
        ..Scan::new(PrivacyColumn::Tiers { column: "tier".into(), tiers }, Some(numbers()))
    }
}

fn from_csv(people: &[Person], scan: &Scan) -> Result<LevelTable> {
    fn text(cell: Option<impl ToString>) -> String {
        cell.map(|cell| cell.to_string()).unwrap_or_default()
    }
    let mut csv = "value,tier,region,year,score,born,moved,employed,Sex at birth\n".to_owned();
    for p in people {
        let moved = p.moved.map(|moved| moved.replace(' ', "T"));
        let cells = [
            text(p.region),
            text(p.year.map(|year| format!(" {year}.0"))),
            text(p.score.map(|score| format!("{score:?}"))),
            text(p.born),
            text(moved),
            text(p.employed),
            text(p.sex),
        ];
        writeln!(csv, "{},{},{}", p.value(), p.tier(), cells.join(",")).unwrap();
    }
    scan_csv(csv.as_bytes(), scan, &Progress::default())
}

fn batch(people: &[Person], has_dictionary: bool) -> RecordBatch {
    let days = |text: &str| TimeScale::Days.number(text.as_bytes()).unwrap() as i32;
    let micros = |text: &str| (TimeScale::Seconds.number(text.as_bytes()).unwrap() * 1e6) as i64;
    let each = || people.iter().copied();
    let region: ArrayRef = match has_dictionary {
        true => Arc::new(each().map(|p| p.region).collect::<DictionaryArray<Int32Type>>()),
        false => Arc::new(each().map(|p| p.region).collect::<StringArray>()),
    };
    let columns: [(&str, ArrayRef); 9] = [
        ("value", Arc::new(each().map(|p| Some(p.value())).collect::<Float64Array>())),
        ("tier", Arc::new(each().map(|p| Some(p.tier())).collect::<StringArray>())),
        ("region", region),
        ("year", Arc::new(each().map(|p| p.year).collect::<Int32Array>())),
        ("score", Arc::new(each().map(|p| p.score).collect::<Float64Array>())),
        ("born", Arc::new(each().map(|p| p.born.map(days)).collect::<Date32Array>())),
        (
            "moved",
            Arc::new(each().map(|p| p.moved.map(micros)).collect::<TimestampMicrosecondArray>()),
        ),
        ("employed", Arc::new(each().map(|p| p.employed).collect::<BooleanArray>())),
        ("Sex at birth", Arc::new(each().map(|p| p.sex).collect::<StringArray>())),
    ];
    RecordBatch::try_from_iter_with_nullable(columns.map(|(name, array)| (name, array, true)))
        .unwrap()
}

fn from_parquet(people: &[Person], scan: &Scan) -> Result<LevelTable> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("people.parquet");
    let batch = batch(people, false);
    let mut writer =
        ArrowWriter::try_new(File::create(&path).unwrap(), batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    let source = Source::parse(path.to_str().unwrap()).unwrap();
    suum_data::scan(&source, scan, &Progress::default())
}

/// Statements that make the table `people`, with truth values and times as a dialect has them.
fn statements(dialect: Dialect, people: &[Person]) -> String {
    let types = match dialect {
        Dialect::Postgres => "born date, moved timestamp, employed boolean",
        _ => "born TEXT, moved TEXT, employed INTEGER",
    };
    let mut statements = format!(
        "CREATE TABLE people (value float8, tier TEXT, region TEXT, year INTEGER, score float8, \
         {types}, \"Sex at birth\" TEXT);\n"
    );
    for p in people {
        let text = |text: Option<&str>| {
            text.map_or("NULL".to_owned(), |text| dialect.literal(text).unwrap())
        };
        let employed = p.employed.map_or("NULL".to_owned(), |employed| match dialect {
            Dialect::Postgres => employed.to_string(),
            _ => u8::from(employed).to_string(),
        });
        writeln!(
            statements,
            "INSERT INTO people VALUES ({:?}, '{}', {}, {}, {}, {}, {}, {employed}, {});",
            p.value(),
            p.tier(),
            text(p.region),
            p.year.map_or("NULL".to_owned(), |year| year.to_string()),
            p.score.map_or("NULL".to_owned(), |score| format!("{score:?}")),
            text(p.born),
            text(p.moved),
            text(p.sex),
        )
        .unwrap();
    }
    statements
}

fn table() -> Relation {
    Relation::Table(vec!["people".into()])
}

/// Level table from the printed level query, whose result is brought back as CSV.
fn from_query(connection: &Connection, scan: &Scan) -> Result<LevelTable> {
    let query = LevelQuery::new(Dialect::Sqlite, &table(), scan)?;
    let mut statement = connection.prepare(query.sql()).unwrap();
    let names: Vec<String> = statement.column_names().map(str::to_owned).collect();
    let mut csv = csv::Writer::from_writer(Vec::new());
    csv.write_record(&names).unwrap();
    let mut rows = statement.query([]).unwrap();
    while let Some(row) = rows.next().unwrap() {
        let cell = |at: usize| match row.get_ref(at).unwrap() {
            ValueRef::Null => String::new(),
            ValueRef::Text(text) => String::from_utf8(text.to_vec()).unwrap(),
            other => panic!("{other:?}"),
        };
        csv.write_record((0..names.len()).map(cell)).unwrap();
    }
    match parse_result(&csv.into_inner().unwrap())? {
        Some(LevelTables::One(table)) => Ok(table),
        other => panic!("{other:?}"),
    }
}

#[test]
fn selects_same_records_at_every_door() {
    let people = people();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("people.db");
    let connection = Connection::open(&path).unwrap();
    connection.execute_batch(&statements(Dialect::Sqlite, &people)).unwrap();
    let mut postgres = Server::is_there().then(|| {
        let make = statements(Dialect::Postgres, &people);
        SERVER.run(&format!("CREATE SCHEMA filters; SET search_path = filters; {make}"));
        let url = format!("{}?options=-csearch_path%3Dfilters", SERVER.url());
        Postgres::connect(&url).unwrap()
    });
    for (text, truth) in FILTERS {
        let asked_for = scan_where(Some(text));
        let canonical = asked_for.filter.as_ref().map(ToString::to_string);
        let selected: Vec<Person> =
            people.iter().copied().filter(|person| truth(*person) == Some(true)).collect();
        let doors = |table: Result<LevelTable>, door: &str| match (table, selected.is_empty()) {
            (Ok(table), false) => {
                let expected = from_csv(&selected, &scan_where(None)).unwrap();
                assert_eq!(table, expected.with_filter(canonical.clone()), "{door}: {text}");
            }
            (Err(refused), true) => assert!(
                refused.to_string().starts_with("where: the data have no records"),
                "{door}: {text}: {refused}"
            ),
            (found, _) => panic!("{door}: {text}: {found:?}"),
        };
        doors(from_csv(&people, &asked_for), "CSV");
        doors(from_parquet(&people, &asked_for), "Parquet");
        for has_dictionary in [true, false] {
            let batches =
                people.chunks(7).map(|some| Ok(batch(some, has_dictionary))).collect::<Vec<_>>();
            doors(scan_batches(batches, &asked_for, &Progress::default()), "Arrow");
        }
        let mut sqlite = Sqlite::open(&path).unwrap();
        doors(scan(&mut sqlite, &table(), &asked_for), "SQLite");
        let unbounded = UnboundedColumn { column: "value".into(), missing: None, cells: None };
        let kept = Scan { value: Some(Value::Unbounded(unbounded)), ..asked_for.clone() };
        if selected.is_empty() {
            assert!(keep(&mut sqlite, &table(), &kept, &Progress::default()).is_err());
        } else {
            doors(from_query(&connection, &asked_for), "level query");
            let records = keep(&mut sqlite, &table(), &kept, &Progress::default()).unwrap();
            let expected = from_csv(&selected, &scan_where(None)).unwrap().profile().unwrap();
            assert_eq!(records.profile().unwrap(), expected, "{text}");
        }
        let query = Relation::query("SELECT * FROM people WHERE year = 2020 OR year <> 2020");
        let of_query = scan(&mut sqlite, &query, &asked_for);
        let known = selected.iter().filter(|person| person.year.is_some()).count();
        assert_eq!(of_query.map_or(0, |table| table.records()), known as u64, "{text}");
        if let Some(postgres) = &mut postgres {
            doors(scan(postgres, &table(), &asked_for), "PostgreSQL");
        }
    }
}

#[test]
fn refuses_cells_that_cannot_be_compared() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("people.db");
    let connection = Connection::open(&path).unwrap();
    let statements = "CREATE TABLE people (value, tier, year, born, employed);
        INSERT INTO people VALUES (1, 'strict', 2020, '2020-01-31', 1);
        INSERT INTO people VALUES (1, 'public', 'SECRET', 'SECRET', 'SECRET');
        INSERT INTO people VALUES (1, 'public', x'00', '2020-02-30', 2);";
    connection.execute_batch(statements).unwrap();
    let public = ["year", "born", "employed", "nowhere"].map(str::to_owned).into();
    let refusal = |text: &str| {
        let filter: Option<Filter> = Some(text.parse().unwrap());
        let scanned = Scan { public: Clone::clone(&public), filter, ..scan_where(None) };
        let refused = scan(&mut Sqlite::open(&path).unwrap(), &table(), &scanned).unwrap_err();
        assert!(refused.fix().is_some());
        format!("{refused}; {}", refused.fix().map(ToString::to_string).unwrap_or_default())
    };
    let wrong = "a cell is not of the kind that the condition compares it with";
    for (column, text) in [
        ("year", "year > 2000"),
        ("born", "born > '2020-01-01'"),
        ("employed", "employed = true"),
        ("year", "year = 'north'"),
    ] {
        assert!(refusal(text).starts_with(&format!("column {column}: {wrong}")), "{text}");
    }
    // Whatever else is true of the row.
    assert!(refusal("year > 2000 and tier = 'strict'").contains(wrong));
    assert!(refusal("yeer > 2000").contains("column yeer is not public"));
    assert!(refusal("nowhere > 2000").starts_with("column nowhere: there is no such column"));
}
