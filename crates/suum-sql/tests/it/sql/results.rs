//! Results that were brought back as files.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, RecordBatch, StringArray};
use parquet::arrow::ArrowWriter;
use suum_core::{Bounds, Cells, LevelTable, Result};
use suum_data::{LevelTables, Scan};
use suum_sql::{Dialect, Engine, LevelQuery, read_result};

use super::people::{
    Person, by_budget, by_site, by_tier, from_csv, label_column, number_column, people_table,
    sqlite_of,
};

fn person(value: f64, tier: usize, id: u8) -> Person {
    Person {
        value: Some(value),
        tier,
        budget: 0.1 + f64::from(id),
        label: Some("good"),
        site: "north",
        id,
    }
}

fn three() -> Vec<Person> {
    vec![person(0.25, 0, 1), person(7.0, 1, 2), person(0.5, 0, 2)]
}

fn numbers_scan() -> Scan {
    Scan::new(
        by_tier(),
        Some(number_column(Bounds::UNIT, true, Some(Cells::new(4).unwrap()), None)),
    )
}

const NAMES: &str =
    "part,group_number,level,item,records,source_rows,cell_rows,index_sum,square_sum";

/// The rows of a result.
fn rows(people: &[Person], asked: &Scan) -> Vec<Vec<Option<String>>> {
    let query = LevelQuery::new(Dialect::Sqlite, &people_table(), asked).unwrap();
    let (_folder, mut file) = sqlite_of(people);
    let mut rows = Vec::new();
    file.rows(query.sql(), &mut |cells| {
        rows.push(cells.iter().map(|cell| cell.map(str::to_owned)).collect());
        Ok(())
    })
    .unwrap();
    rows
}

/// The rows as lines of CSV, with the names of the columns.
fn lines(people: &[Person], asked: &Scan) -> Vec<String> {
    let mut out = csv::Writer::from_writer(Vec::new());
    for row in rows(people, asked) {
        out.write_record(row.iter().map(|cell| cell.as_deref().unwrap_or_default())).unwrap();
    }
    let text = String::from_utf8(out.into_inner().unwrap()).unwrap();
    std::iter::once(NAMES.to_owned()).chain(text.lines().map(str::to_owned)).collect()
}

fn read(text: &str) -> Result<Option<LevelTables>> {
    read_bytes(text.as_bytes())
}

fn read_bytes(bytes: &[u8]) -> Result<Option<LevelTables>> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("result");
    fs::write(&path, bytes).unwrap();
    read_result(&path)
}

fn table(text: &str) -> Result<LevelTable> {
    match read(text)?.unwrap() {
        LevelTables::One(table) => Ok(table),
        LevelTables::Groups(_) => unreachable!("there are no groups"),
    }
}

#[test]
fn csv_and_json_say_the_same() {
    for asked in [
        numbers_scan(),
        Scan::new(by_budget(), Some(label_column(None, None))),
        Scan::new(by_budget(), None),
    ] {
        let expected = from_csv(&three(), &asked).unwrap();
        assert_eq!(table(&lines(&three(), &asked).join("\r\n")).unwrap(), expected);
        let mut upside_down = lines(&three(), &asked);
        upside_down[1..].reverse();
        assert_eq!(table(&upside_down.join("\n")).unwrap(), expected, "rows have no order");
        let names: Vec<&str> = NAMES.split(',').collect();
        let objects: Vec<serde_json::Value> = rows(&three(), &asked)
            .into_iter()
            .map(|row| {
                let cells =
                    names.iter().zip(row).map(|(name, cell)| ((*name).to_owned(), cell.into()));
                serde_json::Value::Object(cells.collect())
            })
            .collect();
        assert_eq!(table(&serde_json::to_string(&objects).unwrap()).unwrap(), expected);
        let by_line: Vec<String> = objects.iter().map(ToString::to_string).collect();
        assert_eq!(table(&by_line.join("\n")).unwrap(), expected);
    }
}

/// The result as a Parquet file with these columns, all of them text.
fn parquet(columns: &[(&str, Vec<Option<String>>)]) -> Vec<u8> {
    let arrays = columns.iter().map(|(name, cells)| {
        (*name, Arc::new(StringArray::from_iter(cells.iter().cloned())) as ArrayRef, true)
    });
    let batch = RecordBatch::try_from_iter_with_nullable(arrays).unwrap();
    let mut writer = ArrowWriter::try_new(Vec::new(), batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    writer.into_inner().unwrap()
}

#[test]
fn parquet_says_the_same() {
    let found = rows(&three(), &numbers_scan());
    let column = |at: usize| found.iter().map(|row| row[at].clone()).collect();
    let mut columns: Vec<(&str, Vec<Option<String>>)> =
        NAMES.split(',').enumerate().map(|(at, name)| (name, column(at))).collect();
    columns.reverse();
    let file = parquet(&columns);
    let expected = LevelTables::One(from_csv(&three(), &numbers_scan()).unwrap());
    assert_eq!(read_bytes(&file).unwrap(), Some(expected));
    for length in [4, file.len() / 2, file.len() - 1] {
        let refused = read_bytes(&file[..length]).unwrap_err();
        assert!(refused.to_string().ends_with("not a readable Parquet file"), "{refused}");
    }
    let refused = read_bytes(&parquet(&columns[1..])).unwrap_err();
    assert_eq!(refused.to_string(), "level query: its result: there is no column square_sum");
    let floats = Arc::new(Float64Array::from(vec![1.0])) as ArrayRef;
    let batch = RecordBatch::try_from_iter([("part", floats)]).unwrap();
    let mut writer = ArrowWriter::try_new(Vec::new(), batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    let refused = read_bytes(&writer.into_inner().unwrap()).unwrap_err();
    assert!(refused.to_string().ends_with("a column holds neither text nor integers"), "{refused}");
}

#[test]
fn marks_take_the_place_of_a_count_of_persons() {
    let numbers = number_column(Bounds::UNIT, true, None, None);
    let asked = Scan { person: Some("id".into()), ..Scan::new(by_tier(), Some(numbers)) };
    // The query of Spark has marks, of which the sum over rows is that over persons.
    let read = |marked: &[&str]| {
        let mut lines = vec![NAMES.to_owned()];
        for (mut row, mark) in rows(&three(), &asked).into_iter().zip(marked) {
            if row[0].as_deref() == Some("header") {
                row[4] = None;
            }
            row[6] = Some((*mark).to_owned());
            let cells = row.iter().map(|cell| cell.as_deref().unwrap_or_default());
            let quoted = cells.map(|cell| format!("\"{}\"", cell.replace('"', "\"\"")));
            lines.push(quoted.collect::<Vec<_>>().join(","));
        }
        table(&lines.join("\n"))
    };
    let levels = rows(&three(), &asked).len() - 1;
    let sum = (7 * levels).to_string();
    let marks = |header: &'static str| [vec![header], vec!["7"; levels]].concat();
    assert_eq!(read(&marks(sum.leak())).unwrap(), from_csv(&three(), &asked).unwrap());
    for wrong in ["0", "8", "70"] {
        let refused = read(&marks(wrong)).unwrap_err().to_string();
        assert!(refused.contains("do not add up"), "{refused}");
    }
    assert!(read(&marks("")).unwrap_err().to_string().contains("records is not"));
    let mut lines = lines(&three(), &Scan::new(by_tier(), None));
    lines[1] = lines[1].replacen(",3,3,,", ",,3,3,", 1);
    let refused = table(&lines.join("\n")).unwrap_err().to_string();
    assert!(refused.ends_with("it has a sum of marks, and no persons"), "{refused}");
}

#[test]
fn groups_come_back_as_groups() {
    let asked = Scan { group: Some(by_site()), ..numbers_scan() };
    let Some(LevelTables::Groups(groups)) = read(&lines(&three(), &asked).join("\n")).unwrap()
    else {
        unreachable!("there are groups");
    };
    let people = groups
        .each
        .iter()
        .map(|(name, table)| (name.as_str(), table.as_ref().map_or(0, |t| t.records())));
    assert_eq!(people.collect::<Vec<_>>(), [("south", 0), ("süd", 0), ("north", 3)]);
}

#[test]
fn says_that_a_result_is_utf_16() {
    let text: Vec<u8> = "\u{feff}part,level".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let refused = read_bytes(&text).unwrap_err();
    assert!(refused.to_string().ends_with(": it is UTF-16"), "{refused}");
    assert!(refused.fix().unwrap().to_string().contains("UTF-8"));
}

#[test]
fn a_level_table_is_no_result() {
    assert!(read("{\"format\":\"suum-levels\",\"version\":1}").unwrap().is_none());
    assert!(read_result(Path::new("no/such/file")).is_err());
}

#[test]
fn what_engines_get_wrong_is_refused() {
    let good = lines(&three(), &numbers_scan());
    assert_eq!(good.len(), 5, "{good:?}");
    let change = |from: &str, to: &str| {
        let changed = good.join("\n").replacen(from, to, 1);
        assert_ne!(changed, good.join("\n"), "{from}");
        changed
    };
    let without = |line: usize| {
        let mut lines = good.clone();
        lines.remove(line);
        lines.join("\n")
    };
    let sum = good[2].rsplit(',').nth(1).unwrap().to_owned();
    let lost = "level query: its result: the counts of its levels do not add up to the number of \
        rows in the data";
    let wrong = |row: u32, column: &str| {
        format!("level query: row {row} of its result: {column} is not what the query gives")
    };
    for (text, message) in [
        (without(2), lost.to_owned()),
        (without(1), "level query: its result: there is no row of part header".to_owned()),
        (without(0), "level query: its result: there is no column part".to_owned()),
        (
            format!("{}\n{}", good.join("\n"), good[3]),
            "level query: its result: row 5: it is repeated".to_owned(),
        ),
        (
            format!("{}\n{}", good.join("\n"), good[1]),
            "level query: its result: there is more than one row of part header".to_owned(),
        ),
        // Otherwise the header alone would be a table of nobody.
        (format!("{}\n{}", good[0], good[1].replace(",3,3,,,", ",,3,,,")), wrong(1, "records")),
        (format!("{}\n{}", good[0], good[1].replace(",3,3,,,", ",3,,,,")), wrong(1, "source_rows")),
        (
            change("level,,0", "level,,7"),
            "level query: its result: row 2: there is no such \
            tier"
                .to_owned(),
        ),
        (change("level,,0", "level,,-1"), wrong(2, "level")),
        (
            change("level,,0", "level,2,0"),
            "level query: its result: row 2: it has a group where there are none, or none where \
            there are"
                .to_owned(),
        ),
        (change("level,,0", "other,,0"), wrong(2, "part")),
        (change(",1,1,1,1,", ",1,-1,1,1,"), wrong(2, "records")),
        (change(",1,1,1,1,", ",1,1.0,1,1,"), wrong(2, "records")),
        (change(",1,1,1,1,", ",1,2,1,1,"), lost.to_owned()),
        (change(&format!(",{sum},"), ",-5,"), wrong(2, "index_sum")),
        (change(&format!(",{sum},"), ",1e9,"), wrong(2, "index_sum")),
        (
            change(&format!(",{sum},"), ",999999999999,"),
            "level table: the sums of level 1 (by ascending epsilon) are impossible for its \
            count"
                .to_owned(),
        ),
        (
            change("\"\"version\"\":1", "\"\"version\"\":2"),
            "level query: its result has a version that is not known here".to_owned(),
        ),
        (
            change("\"\"squares\"\":true", "\"\"secret\"\":true"),
            "level query: the header in the result is not what suum writes".to_owned(),
        ),
        (
            format!("{}\nfault,,,missing value,1,1,1,,", good.join("\n")),
            "column value: missing value".to_owned(),
        ),
        (format!("{}\nfault,,,SECRET,1,1,1,,", good.join("\n")), wrong(5, "item")),
        (
            "part,level\nheader".to_owned(),
            "level query: its result: it is not CSV with equally many cells in each \
            line"
                .to_owned(),
        ),
        (
            "[{\"part\":".to_owned(),
            "level query: its result: not JSON of rows (line 1, column \
            9)"
            .to_owned(),
        ),
        (String::new(), "level query: its result: there is no row of part header".to_owned()),
    ] {
        let refused = read(&text).unwrap_err();
        assert_eq!(refused.to_string(), message, "{text}");
        assert!(
            refused.fix().map(ToString::to_string).is_some_and(|hint| !hint.contains("SECRET"))
        );
    }
}

#[test]
fn sums_that_could_have_wrapped_around_are_refused_with_a_way_out() {
    let good = lines(&three(), &numbers_scan());
    let sums: Vec<&str> = good[2].rsplit(',').take(2).collect();
    for (written, what, hint) in [
        ("too many in a cell", "in a cell", "no_adapt"),
        ("too many in a task", "in a task", "repartition"),
    ] {
        for sum in &sums {
            let mut lines = good.clone();
            lines[2] = lines[2].replacen(&format!(",{sum}"), &format!(",{written}"), 1);
            assert_ne!(lines, good);
            let refused = table(&lines.join("\n")).unwrap_err();
            let message = format!(
                "level query: there are more records of one level {what} than Spark adds up exactly"
            );
            assert_eq!(refused.to_string(), message);
            assert!(refused.fix().unwrap().to_string().contains(hint), "{refused}");
        }
    }
    // The query writes these words, where its count of records is too large.
    let tiers = |cells| Scan::new(by_tier(), Some(number_column(Bounds::UNIT, true, cells, None)));
    for (cells, records, written) in [
        (Some(Cells::for_sums()), "records", "too many in a cell"),
        (None, "MAX(records)", "too many in a task"),
    ] {
        let query = LevelQuery::new(Dialect::Spark, &people_table(), &tiers(cells)).unwrap();
        let refused = query.sql().lines().filter(|line| line.contains("'too many"));
        let refused: Vec<&str> = refused.collect();
        assert_eq!(refused.len(), 2, "{refused:?}");
        for sum in refused {
            assert!(sum.contains(&format!("CASE WHEN {records} <= 4294967295 THEN")), "{sum}");
            assert!(sum.contains(&format!("ELSE '{written}' END")), "{sum}");
        }
    }
}

#[test]
fn persons_are_counted_twice() {
    let asked = Scan { person: Some("id".into()), ..numbers_scan() };
    let good = lines(&three(), &asked).join("\n");
    assert_eq!(table(&good).unwrap(), from_csv(&three(), &asked).unwrap());
    // Two persons have three rows.
    for (from, to) in [(",2,3,,,", ",3,3,,,"), (",2,3,,,", ",2,2,,,")] {
        let changed = good.replacen(from, to, 1);
        assert_ne!(changed, good);
        assert!(table(&changed).unwrap_err().to_string().contains("do not add up"));
    }
}

proptest::proptest! {
    #[test]
    fn no_text_panics(text in "\\PC*", cell in "\\PC*", at in 0usize..9) {
        let _ = read(&text);
        let mut good = lines(&three(), &numbers_scan());
        let mut cells: Vec<&str> = good[2].split(',').collect();
        cells[at] = &cell;
        let changed = cells.join(",");
        good[2] = changed;
        let _ = read(&good.join("\n"));
    }
}
