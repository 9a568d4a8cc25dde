//! One value, one meaning: every door that can hold a type gives the same answer for it, or each of
//! them refuses it.

use std::fs::File;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use arrow_array::types::{
    ArrowPrimitiveType, Float16Type, Int8Type, Int32Type, IntervalDayTimeType,
    IntervalMonthDayNanoType,
};
use arrow_array::{
    Array, ArrayRef, BinaryArray, BooleanArray, Date32Array, Date64Array, Decimal32Array,
    Decimal64Array, Decimal128Array, Decimal256Array, DictionaryArray, DurationMicrosecondArray,
    DurationMillisecondArray, DurationNanosecondArray, DurationSecondArray, FixedSizeBinaryArray,
    Float16Array, Float32Array, Float64Array, Int8Array, Int16Array, Int32Array, Int64Array,
    IntervalDayTimeArray, IntervalMonthDayNanoArray, IntervalYearMonthArray, LargeBinaryArray,
    LargeStringArray, ListArray, NullArray, RecordBatch, StringArray, StringViewArray, StructArray,
    Time32MillisecondArray, Time32SecondArray, Time64MicrosecondArray, Time64NanosecondArray,
    TimestampMicrosecondArray, TimestampMillisecondArray, TimestampNanosecondArray,
    TimestampSecondArray, UInt8Array, UInt16Array, UInt32Array, UInt64Array,
};
use parquet::arrow::ArrowWriter;
use rusqlite::Connection;
use suum_core::{Bounds, Grid, LevelTable, Numbers, Result};
use suum_data::arrow_schema::{DataType, Field};
use suum_data::{
    LevelTables, PrivacyColumn, Progress, Scan, Source, UnboundedColumn, Value, ValueColumn,
};
use suum_sql::{Engine, LevelQuery, Postgres, Relation, Sqlite, parse_result};
use suum_testing::Server;

/// The outcome of a question.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Outcome {
    /// The sum of the values, each clamped to the bounds.
    Sum(f64),
    Refused,
}

use Outcome::{Refused, Sum};

/// A way in which values reach suum.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Door {
    Csv,
    Parquet,
    Arrow,
    /// A database that is connected to.
    Sqlite,
    Postgres,
    /// The query of a database, printed, run elsewhere and brought back.
    SqliteQuery,
    PostgresQuery,
}

use Door::{Csv, Parquet, PostgresQuery, SqliteQuery};

/// Two values of a type.
struct Case {
    name: &'static str,
    /// The answer with numbers as bounds, 0 to 8.
    numbers: Outcome,
    /// The answer with dates as bounds, 2020-01-01 to 2020-01-09, in days after the first.
    dates: Outcome,
    /// Sum above the lower bound, with 2^53 to 2^53 + 8 as bounds.
    above_large: f64,
    csv: Option<[&'static str; 2]>,
    array: Option<ArrayRef>,
    /// The type of a column, and what stands in an INSERT.
    sqlite: Option<(&'static str, [&'static str; 2])>,
    postgres: Option<(&'static str, [&'static str; 2])>,
}

impl Case {
    fn new(name: &'static str, numbers: Outcome, dates: Outcome) -> Self {
        let above_large = 0.0;
        let (csv, array, sqlite, postgres) = (None, None, None, None);
        Self { name, numbers, dates, above_large, csv, array, sqlite, postgres }
    }

    /// Numbers that are no dates.
    fn number(name: &'static str, sum: f64) -> Self {
        Self::new(name, Sum(sum), Refused)
    }

    fn refused(name: &'static str) -> Self {
        Self::new(name, Refused, Refused)
    }

    /// Dates and times, which are no numbers.
    fn dates(name: &'static str, sum: f64) -> Self {
        Self::new(name, Refused, Sum(sum))
    }

    fn above_large(self, sum: f64) -> Self {
        Self { above_large: sum, ..self }
    }

    fn csv(self, cells: [&'static str; 2]) -> Self {
        Self { csv: Some(cells), ..self }
    }

    fn array(self, array: impl Array + 'static) -> Self {
        Self { array: Some(Arc::new(array)), ..self }
    }

    fn sqlite(self, kind: &'static str, cells: [&'static str; 2]) -> Self {
        Self { sqlite: Some((kind, cells)), ..self }
    }

    fn postgres(self, kind: &'static str, cells: [&'static str; 2]) -> Self {
        Self { postgres: Some((kind, cells)), ..self }
    }

    fn doors(&self) -> Vec<Door> {
        let all = [
            (self.csv.is_some(), vec![Csv]),
            (self.array.is_some(), vec![Parquet, Door::Arrow]),
            (self.sqlite.is_some(), vec![Door::Sqlite, SqliteQuery]),
            (self.postgres.is_some() && Server::is_there(), vec![Door::Postgres, PostgresQuery]),
        ];
        all.into_iter().filter(|(holds, _)| *holds).flat_map(|(_, doors)| doors).collect()
    }
}

fn half(number: f64) -> <Float16Type as ArrowPrimitiveType>::Native {
    <Float16Type as ArrowPrimitiveType>::Native::from_f64(number)
}

/// 2^53 + 1, which no double is.
const LARGE: i64 = (1 << 53) + 1;

/// 2020-01-03 and 2020-01-05 07:30 in seconds since 1970.
const TIMES: [i64; 2] = [1_578_009_600, 1_578_209_400];

/// Days from 2020-01-01 to them.
const DAYS: f64 = 2.0 + 4.3125;

fn times(in_a_second: i64) -> Vec<i64> {
    TIMES.map(|seconds| seconds * in_a_second).to_vec()
}

const TIMES_OF_SQL: [&str; 2] = ["'2020-01-03 00:00:00'", "'2020-01-05 07:30:00'"];

fn integers() -> Vec<Case> {
    let small = ["3", "5"];
    let case = |name| Case::number(name, 8.0).csv(small);
    vec![
        case("integer of 8 bits").array(Int8Array::from(vec![3, 5])),
        case("integer of 16 bits")
            .array(Int16Array::from(vec![3, 5]))
            .postgres("smallint", small)
            .sqlite("SMALLINT", small),
        case("integer of 32 bits")
            .array(Int32Array::from(vec![3, 5]))
            .postgres("integer", small)
            .sqlite("INT", small),
        case("integer of 64 bits")
            .array(Int64Array::from(vec![3, 5]))
            .postgres("bigint", small)
            .sqlite("INTEGER", small),
        case("unsigned integer of 8 bits").array(UInt8Array::from(vec![3, 5])),
        case("unsigned integer of 16 bits").array(UInt16Array::from(vec![3, 5])),
        case("unsigned integer of 32 bits").array(UInt32Array::from(vec![3, 5])),
        case("unsigned integer of 64 bits").array(UInt64Array::from(vec![3, 5])),
        Case::number("ends of 64 bits", 8.0)
            .above_large(8.0)
            .csv(["-9223372036854775808", "9223372036854775807"])
            .array(Int64Array::from(vec![i64::MIN, i64::MAX]))
            .postgres("bigint", ["-9223372036854775808", "9223372036854775807"])
            .sqlite("INTEGER", ["-9223372036854775808", "9223372036854775807"]),
        Case::number("end of 64 bits without a sign", 9.0)
            .above_large(8.0)
            .csv(["18446744073709551615", "1"])
            .array(UInt64Array::from(vec![u64::MAX, 1]))
            .postgres("numeric(20)", ["18446744073709551615", "1"]),
        Case::number("integers beyond 2^53", 8.0)
            .above_large(1.0)
            .csv(["9007199254740993", "-9007199254740993"])
            .array(Int64Array::from(vec![LARGE, -LARGE]))
            .postgres("bigint", ["9007199254740993", "-9007199254740993"])
            .sqlite("INTEGER", ["9007199254740993", "-9007199254740993"]),
        Case::number("integers without doubles", 16.0)
            .above_large(1.0 + 7.0)
            .csv(["9007199254740993", "9007199254740999"])
            .array(Int64Array::from(vec![LARGE, LARGE + 6]))
            .postgres("bigint", ["9007199254740993", "9007199254740999"])
            .sqlite("INTEGER", ["9007199254740993", "9007199254740999"]),
        Case::number("integers without doubles and a sign", 16.0)
            .above_large(1.0 + 7.0)
            .csv(["9007199254740993.0", "+9007199254740999"])
            .array(UInt64Array::from(vec![LARGE as u64, LARGE as u64 + 6])),
        Case::number("decimals without doubles", 16.0)
            .above_large(1.25 + 7.5)
            .csv(["9007199254740993.25", "9007199254740999.50"])
            .array(
                Decimal128Array::from(vec![900_719_925_474_099_325, 900_719_925_474_099_950])
                    .with_precision_and_scale(38, 2)
                    .unwrap(),
            )
            .postgres("numeric(38, 2)", ["9007199254740993.25", "9007199254740999.50"]),
        Case::number("long decimals without doubles", 16.0)
            .above_large(1.25 + 7.5)
            .csv(["9007199254740993.2500", "9007199254740999.5"])
            .array(
                Decimal256Array::from_iter_values([
                    900_719_925_474_099_325i64.into(),
                    900_719_925_474_099_950i64.into(),
                ])
                .with_precision_and_scale(76, 2)
                .unwrap(),
            ),
        Case::number("dictionary of integers without doubles", 16.0)
            .above_large(1.0 + 7.0)
            .csv(["9007199254740993", "9007199254740999"])
            .array(DictionaryArray::<Int8Type>::new(
                Int8Array::from(vec![1, 0]),
                Arc::new(Int64Array::from(vec![LARGE + 6, LARGE])),
            )),
        Case::number("end of 128 bits", 9.0)
            .above_large(8.0)
            .csv(["170141183460469231731687303715884105727", "1"])
            .array(
                Decimal128Array::from(vec![i128::MAX, 1]).with_precision_and_scale(38, 0).unwrap(),
            )
            .postgres("numeric", ["170141183460469231731687303715884105727", "1"]),
        Case::number("dictionary of integers", 8.0).csv(small).array(
            DictionaryArray::<Int8Type>::new(
                Int8Array::from(vec![1, 0]),
                Arc::new(Int64Array::from(vec![5, 3])),
            ),
        ),
    ]
}

fn other_numbers() -> Vec<Case> {
    let (halves, tenths) = (["0.5", "2.25"], ["0.10", "7.30"]);
    let decimal = |name| Case::number(name, 7.4).csv(tenths);
    vec![
        Case::number("float of 16 bits", 2.75)
            .csv(halves)
            .array(Float16Array::from(vec![half(0.5), half(2.25)])),
        Case::number("float of 32 bits", 2.75)
            .csv(halves)
            .array(Float32Array::from(vec![0.5, 2.25]))
            .postgres("real", halves),
        Case::number("float of 64 bits", 2.75)
            .csv(halves)
            .array(Float64Array::from(vec![0.5, 2.25]))
            .postgres("double precision", halves)
            .sqlite("REAL", halves),
        Case::number("negative zero", 1.0)
            .csv(["-0.0", "1"])
            .array(Float64Array::from(vec![-0.0, 1.0]))
            .postgres("double precision", ["'-0'", "1"])
            .sqlite("REAL", ["-0.0", "1"]),
        Case::number("infinities", 8.0)
            .above_large(8.0)
            .csv(["inf", "-inf"])
            .array(Float64Array::from(vec![f64::INFINITY, f64::NEG_INFINITY]))
            .postgres("double precision", ["'Infinity'", "'-Infinity'"])
            .sqlite("REAL", ["9e999", "-9e999"]),
        // It is missing.
        Case::refused("NaN")
            .csv(["NaN", "1"])
            .array(Float64Array::from(vec![f64::NAN, 1.0]))
            .postgres("double precision", ["'NaN'", "1"]),
        Case::refused("nothing beside a number")
            .csv(["", "1"])
            .array(Int32Array::from(vec![None, Some(1)]))
            .postgres("integer", ["NULL", "1"])
            .sqlite("INTEGER", ["NULL", "1"]),
        Case::refused("nothing")
            .csv(["", ""])
            .array(NullArray::new(2))
            .sqlite("INTEGER", ["NULL", "NULL"]),
        decimal("decimal of 32 bits")
            .array(Decimal32Array::from(vec![10, 730]).with_precision_and_scale(9, 2).unwrap()),
        decimal("decimal of 64 bits")
            .array(Decimal64Array::from(vec![10, 730]).with_precision_and_scale(18, 2).unwrap()),
        decimal("decimal of 128 bits")
            .array(Decimal128Array::from(vec![10, 730]).with_precision_and_scale(38, 2).unwrap())
            .postgres("numeric(38, 2)", tenths),
        decimal("decimal of 256 bits").array(
            Decimal256Array::from_iter_values([10.into(), 730.into()])
                .with_precision_and_scale(76, 2)
                .unwrap(),
        ),
        Case::number("decimal of hundreds", 8.0)
            .csv(["100", "-300"])
            .array(Decimal128Array::from(vec![1, -3]).with_precision_and_scale(9, -2).unwrap()),
        Case::number("truth values", 1.0)
            .csv(["true", "false"])
            .array(BooleanArray::from(vec![true, false]))
            .postgres("boolean", ["true", "false"])
            .sqlite("BOOLEAN", ["true", "false"]),
    ]
}

fn texts() -> Vec<Case> {
    let (numbers, quoted) = (["3", "5"], ["'3'", "'5'"]);
    let days = ["2020-01-03", "2020-01-05T07:30:00"];
    let quoted_days = ["'2020-01-03'", "'2020-01-05T07:30:00'"];
    let case = |name| Case::refused(name);
    vec![
        case("numbers as text")
            .csv(numbers)
            .array(StringArray::from(numbers.to_vec()))
            .postgres("text", quoted)
            .sqlite("TEXT", quoted),
        case("numbers as long text").array(LargeStringArray::from(numbers.to_vec())),
        case("numbers as views of text").array(StringViewArray::from(numbers.to_vec())),
        case("numbers as entries of text")
            .array(numbers.into_iter().collect::<DictionaryArray<Int32Type>>())
            .postgres("number", quoted),
        case("empty text")
            .csv(["", ""])
            .array(StringArray::from(vec!["", ""]))
            .postgres("text", ["''", "''"])
            .sqlite("TEXT", ["''", "''"]),
        case("words")
            .csv(["good", "bad"])
            .array(StringArray::from(vec!["good", "bad"]))
            .postgres("varchar(9)", ["'good'", "'bad'"])
            .sqlite("TEXT", ["'good'", "'bad'"]),
        Case::dates("dates as text", DAYS)
            .csv(days)
            .array(StringArray::from(days.to_vec()))
            .postgres("text", quoted_days)
            .sqlite("TEXT", quoted_days),
    ]
}

fn dates_and_times() -> Vec<Case> {
    let midnights = ["2020-01-03", "2020-01-05"];
    let text = ["2020-01-03", "2020-01-05 07:30:00"];
    let time = |name| Case::dates(name, DAYS).csv(text);
    let clock = |name| Case::refused(name).csv(["07:30", "08:00"]);
    vec![
        Case::dates("date of 32 bits", 6.0)
            .csv(midnights)
            .array(Date32Array::from(vec![18_264, 18_266]))
            .postgres("date", ["'2020-01-03'", "'2020-01-05'"]),
        time("date of 64 bits").array(Date64Array::from(times(1000))),
        time("timestamp in seconds").array(TimestampSecondArray::from(times(1))),
        time("timestamp in milliseconds").array(TimestampMillisecondArray::from(times(1000))),
        time("timestamp in microseconds")
            .array(TimestampMicrosecondArray::from(times(1_000_000)))
            .postgres("timestamp", TIMES_OF_SQL)
            .sqlite("TIMESTAMP", TIMES_OF_SQL),
        time("timestamp in nanoseconds")
            .array(TimestampNanosecondArray::from(times(1_000_000_000))),
        Case::dates("timestamp in a zone", DAYS)
            .csv(["2020-01-03T01:00+01:00", "2020-01-05T07:30Z"])
            .array(TimestampMicrosecondArray::from(times(1_000_000)).with_timezone("Europe/Rome"))
            .postgres("timestamptz", ["'2020-01-03 01:00+01'", "'2020-01-05 07:30Z'"]),
        clock("time of day in seconds").array(Time32SecondArray::from(vec![27_000, 28_800])),
        clock("time of day in milliseconds")
            .array(Time32MillisecondArray::from(vec![27_000_000, 28_800_000])),
        clock("time of day in microseconds")
            .array(Time64MicrosecondArray::from(vec![27_000_000_000, 28_800_000_000]))
            .postgres("time", ["'07:30'", "'08:00'"])
            .sqlite("TIME", ["'07:30'", "'08:00'"]),
        clock("time of day in nanoseconds")
            .array(Time64NanosecondArray::from(vec![27_000_000_000_000, 28_800_000_000_000])),
        Case::refused("time of day in a zone").postgres("timetz", ["'07:30+01'", "'08:00+01'"]),
        Case::refused("duration in seconds").array(DurationSecondArray::from(vec![3, 5])),
        Case::refused("duration in milliseconds").array(DurationMillisecondArray::from(vec![3, 5])),
        Case::refused("duration in microseconds").array(DurationMicrosecondArray::from(vec![3, 5])),
        Case::refused("duration in nanoseconds").array(DurationNanosecondArray::from(vec![3, 5])),
        Case::refused("interval of months")
            .array(IntervalYearMonthArray::from(vec![3, 5]))
            .postgres("interval month", ["'3 months'", "'5 months'"]),
        Case::refused("interval of days").array(IntervalDayTimeArray::from(vec![
            IntervalDayTimeType::make_value(3, 0),
            IntervalDayTimeType::make_value(5, 0),
        ])),
        Case::refused("interval of months, days and nanoseconds")
            .array(IntervalMonthDayNanoArray::from(vec![
                IntervalMonthDayNanoType::make_value(0, 3, 0),
                IntervalMonthDayNanoType::make_value(0, 5, 0),
            ]))
            .postgres("interval", ["'3 days'", "'5 days'"]),
    ]
}

/// Cases whose type the writer of Parquet does not take.
const NOT_IN_PARQUET: [&str; 2] =
    ["interval of months, days and nanoseconds", "decimal of hundreds"];

fn others() -> Vec<Case> {
    let inner: ArrayRef = Arc::new(Int32Array::from(vec![3, 5]));
    let field = Arc::new(Field::new("y", DataType::Int32, false));
    let list =
        ListArray::from_iter_primitive::<Int32Type, _, _>([Some([Some(3)]), Some([Some(5)])]);
    let uuid = "'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'";
    vec![
        Case::refused("bytes")
            .array(BinaryArray::from(vec![&b"3"[..], b"5"]))
            .postgres("bytea", ["'3'", "'5'"])
            .sqlite("BLOB", ["x'33'", "x'35'"]),
        Case::refused("many bytes").array(LargeBinaryArray::from(vec![&b"3"[..], b"5"])),
        Case::refused("identifier of 128 bits")
            .array(FixedSizeBinaryArray::try_from_iter([[3u8; 16], [5u8; 16]].iter()).unwrap())
            .postgres("uuid", [uuid, uuid]),
        Case::refused("list").array(list).postgres("integer[]", ["'{3}'", "'{5}'"]),
        Case::refused("record").array(StructArray::from(vec![(field, inner)])),
        Case::refused("bits").postgres("bit(3)", ["B'011'", "B'101'"]),
        Case::refused("money").postgres("money", ["3", "5"]),
        Case::refused("JSON").postgres("jsonb", ["'3'", "'5'"]),
        Case::refused("range").postgres("int4range", ["'[3,5)'", "'[5,6)'"]),
    ]
}

fn cases() -> Vec<Case> {
    [integers(), other_numbers(), texts(), dates_and_times(), others()]
        .into_iter()
        .flatten()
        .collect()
}

/// A door that gives another answer to a question, and why.
struct Exception {
    name: &'static str,
    door: Door,
    question: Question,
    outcome: Outcome,
}

/// CSV has nothing but text, which is read as what is asked for.
const OF_TEXT: [Exception; 1] = [Exception {
    name: "numbers as text",
    door: Csv,
    question: Question::Numbers,
    outcome: Sum(8.0),
}];

/// PostgreSQL does not make doubles of truth values.
const OF_TRUTH_VALUES: [Exception; 2] = [
    Exception {
        name: "truth values",
        door: Door::Postgres,
        question: Question::Numbers,
        outcome: Refused,
    },
    Exception {
        name: "truth values",
        door: PostgresQuery,
        question: Question::Numbers,
        outcome: Refused,
    },
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Question {
    Numbers,
    /// Numbers without declared bounds, which are kept and counted later.
    Unbounded,
    Dates,
    /// Numbers between bounds where not every integer has a double.
    Large,
}

impl Question {
    const ALL: [Self; 4] = [Self::Numbers, Self::Unbounded, Self::Dates, Self::Large];

    /// The outcome of a case at a door, unless it is an exception.
    fn expected(self, case: &Case, door: Door) -> Outcome {
        match self {
            Self::Numbers | Self::Unbounded => case.numbers,
            // A level query reads none.
            Self::Dates if matches!(door, SqliteQuery | PostgresQuery) => Refused,
            Self::Dates => case.dates,
            // It adds up doubles.
            Self::Large if matches!(door, SqliteQuery | PostgresQuery) => Refused,
            Self::Large => match case.numbers {
                Sum(_) => Sum(case.above_large),
                Refused => Refused,
            },
        }
    }

    fn exception(self, case: &Case, door: Door) -> Option<Outcome> {
        // What is kept is read by the same rules.
        let asked = match self {
            Self::Numbers | Self::Unbounded => Self::Numbers,
            Self::Large if matches!(door, Csv | Door::Postgres) => Self::Numbers,
            Self::Dates | Self::Large => self,
        };
        let mut all = OF_TEXT.iter().chain(&OF_TRUTH_VALUES);
        let found =
            all.find(|one| one.name == case.name && one.door == door && one.question == asked);
        found.map(|one| match one.outcome {
            Sum(_) if self == Self::Large => Sum(case.above_large),
            outcome => outcome,
        })
    }

    fn grid(self) -> Grid {
        Grid::new(match self {
            Self::Numbers | Self::Unbounded => Bounds::new(0.0, 8.0).unwrap(),
            Self::Dates => "2020-01-01,2020-01-09".parse().unwrap(),
            Self::Large => {
                let lower = (LARGE - 1) as f64;
                Bounds::new(lower, lower + 8.0).unwrap()
            }
        })
    }

    fn scan(self) -> Scan {
        let (column, missing) = ("v".to_owned(), None);
        let value = match self {
            Self::Numbers | Self::Dates | Self::Large => {
                Value::Number(ValueColumn { column, numbers: self.grid().into(), missing })
            }
            Self::Unbounded => Value::Unbounded(UnboundedColumn { column, missing, cells: None }),
        };
        let privacy = PrivacyColumn::Tiers { column: "t".into(), tiers: "p=1".parse().unwrap() };
        Scan::new(privacy, Some(value))
    }
}

static SERVER: LazyLock<Server> = LazyLock::new(Server::start);

/// Case with the folder and the number that name its files and tables.
struct Place<'a> {
    case: &'a Case,
    folder: &'a Path,
    number: usize,
}

impl Place<'_> {
    fn batch(&self) -> RecordBatch {
        let label: ArrayRef = Arc::new(StringArray::from(vec!["p", "p"]));
        let column = Arc::clone(self.case.array.as_ref().unwrap());
        RecordBatch::try_from_iter_with_nullable([("v", column, true), ("t", label, true)]).unwrap()
    }

    /// The table of what is asked for at a door.
    fn ask(&self, door: Door, question: Question) -> Result<LevelTable> {
        let (scan, progress) = (question.scan(), Progress::default());
        let keeps = question == Question::Unbounded;
        let numbers = Numbers::from(question.grid());
        match door {
            Csv => {
                let [first, second] = self.case.csv.unwrap();
                let text = format!("v,t\n{first},p\n{second},p\n");
                match keeps {
                    true => suum_data::keep_csv(text.as_bytes(), &scan, &progress)?.table(numbers),
                    false => suum_data::scan_csv(text.as_bytes(), &scan, &progress),
                }
            }
            Parquet => {
                let path = self.folder.join("data.parquet");
                let batch = self.batch();
                let file = File::create(&path).unwrap();
                let mut writer = ArrowWriter::try_new(file, batch.schema(), None).unwrap();
                writer.write(&batch).unwrap();
                writer.close().unwrap();
                let source = Source::parse(path.to_str().unwrap()).unwrap();
                match keeps {
                    true => suum_data::keep(&source, &scan, &progress)?.table(numbers),
                    false => suum_data::scan(&source, &scan, &progress),
                }
            }
            Door::Arrow => {
                let batches = [Ok(self.batch())];
                match keeps {
                    true => suum_data::keep_batches(batches, &scan, &progress)?.table(numbers),
                    false => suum_data::scan_batches(batches, &scan, &progress),
                }
            }
            Door::Sqlite | SqliteQuery => {
                let path = self.folder.join(format!("{}.sqlite", self.number));
                self.scan_engine(&mut Sqlite::open(path).unwrap(), door, question)
            }
            Door::Postgres | PostgresQuery => {
                let url = format!("{}?options=-csearch_path%3Ddoors", SERVER.url());
                self.scan_engine(&mut Postgres::connect(&url).unwrap(), door, question)
            }
        }
    }

    fn scan_engine(
        &self,
        engine: &mut dyn Engine,
        door: Door,
        question: Question,
    ) -> Result<LevelTable> {
        let (scan, progress) = (question.scan(), Progress::default());
        let relation = Relation::Table(vec![self.table()]);
        if question == Question::Unbounded {
            let kept = suum_sql::keep(engine, &relation, &scan, &progress)?;
            return kept.table(question.grid().into());
        }
        if matches!(door, Door::Sqlite | Door::Postgres) {
            return suum_sql::scan(engine, &relation, &scan);
        }
        let query = LevelQuery::new(engine.dialect(), &relation, &scan)?;
        let mut result = csv::Writer::from_writer(Vec::new());
        let columns = "part,group_number,level,item,records,source_rows,cell_rows,index_sum,\
                       square_sum";
        result.write_record(columns.split(',')).unwrap();
        engine.rows(query.sql(), &mut |cells| {
            result.write_record(cells.iter().map(|cell| cell.unwrap_or_default())).unwrap();
            Ok(())
        })?;
        match parse_result(&result.into_inner().unwrap())?.unwrap() {
            LevelTables::One(table) => Ok(table),
            LevelTables::Groups(_) => panic!("nothing is asked by group"),
        }
    }

    fn table(&self) -> String {
        format!("values_{}", self.number)
    }

    fn statements(&self, kind: &str, cells: [&str; 2]) -> String {
        let (table, [first, second]) = (self.table(), cells);
        format!(
            "CREATE TABLE {table} (v {kind}, t TEXT); \
             INSERT INTO {table} VALUES ({first}, 'p'), ({second}, 'p');\n"
        )
    }
}

/// Sum of the values above the lower bound, in their own unit; or the refusal.
fn outcome(found: &Result<LevelTable>, question: Question) -> Outcome {
    let Ok(table) = found else { return Refused };
    let [level] = table.by_level() else { panic!("there is one level") };
    assert_eq!(level.count, 2);
    let grid = question.grid();
    let sum = level.sums[0].expose_raw() as f64 * grid.bounds().width() / grid.points() as f64;
    // To a millionth, in which no outcomes differ.
    Sum((sum * 1e6).round() / 1e6)
}

#[test]
fn gives_one_answer_or_one_refusal_at_every_door() {
    let folder = tempfile::tempdir().unwrap();
    let cases = cases();
    assert!(cases.len() > 50);
    let places = || {
        cases.iter().enumerate().map(|(number, case)| Place { case, folder: folder.path(), number })
    };
    let mut statements = String::from(
        "SET client_min_messages = error; DROP SCHEMA IF EXISTS doors CASCADE; CREATE SCHEMA \
         doors; SET search_path = doors; CREATE TYPE number AS ENUM ('3', '5');\n",
    );
    for place in places() {
        if let Some((kind, cells)) = place.case.sqlite {
            let file = Connection::open(folder.path().join(format!("{}.sqlite", place.number)));
            file.unwrap().execute_batch(&place.statements(kind, cells)).unwrap();
        }
        if let Some((kind, cells)) = place.case.postgres {
            statements += &place.statements(kind, cells);
        }
    }
    if Server::is_there() {
        SERVER.run(&statements);
    }
    let mut wrong = Vec::new();
    for place in places() {
        for door in place.case.doors() {
            if door == Parquet && NOT_IN_PARQUET.contains(&place.case.name) {
                continue;
            }
            for question in Question::ALL {
                let found = place.ask(door, question);
                let expected = question.expected(place.case, door);
                let exception = question.exception(place.case, door);
                assert_ne!(exception, Some(expected), "{}: no exception", place.case.name);
                let expected = exception.unwrap_or(expected);
                if outcome(&found, question) != expected {
                    let error = found.as_ref().err().map(ToString::to_string);
                    let found = outcome(&found, question);
                    let name = place.case.name;
                    wrong.push(format!(
                        "{name} at {door:?}, {question:?}: {found:?} for {expected:?} {error:?}"
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_printed_query_refuses_bounds_beside_large_integers() {
    let large = 9_007_199_254_740_992.0;
    let grid = Grid::new(Bounds::new(large, large + 10.0).unwrap());
    let value = ValueColumn { column: "v".into(), numbers: grid.into(), missing: None };
    let scan = Scan { value: Some(Value::Number(value)), ..Question::Numbers.scan() };
    let relation = Relation::Table(vec!["values".into()]);
    for dialect in suum_sql::Dialect::ALL {
        let refused = LevelQuery::new(dialect, &relation, &scan).unwrap_err();
        assert!(refused.to_string().starts_with("bounds: "), "{refused}");
    }
}
