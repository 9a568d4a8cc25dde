//! Blocks and threads against the plain sequential reader of the `csv` crate.

use proptest::prelude::*;
use suum_core::{
    Bounds, Epsilon, Error, ExactSum, Grid, LevelSums, LevelTable, Measure, Replacement, Result,
};
use suum_testing::Extent;

use super::{BLOCK_BYTES, Input};
use crate::cells::cell;
use crate::cells::fault::Fault;
use crate::cells::missing_column::MissingColumn;
use crate::read::progress::Progress;
use crate::scan::category_rule::CategoryRule;
use crate::scan::role::Role;
use crate::scan::value::{CategoryColumn, Value, ValueColumn};
use crate::scan::{PrivacyColumn, Scan};
use crate::sink::job::Job;

fn budgets_and_values(missing: Option<f64>) -> Scan {
    Scan::new(
        PrivacyColumn::Budgets { column: "e".into() },
        Some(Value::Number(ValueColumn {
            column: "v".into(),
            numbers: Grid::new(Bounds::new(0.0, 8.0).unwrap()).into(),
            missing,
        })),
    )
}

fn budgets_and_labels(other: Option<&str>, missing: Option<&str>) -> Scan {
    let names = ["0", "1", "v"].map(str::to_owned).to_vec();
    let classes = CategoryRule::labels(names, other).unwrap();
    let missing = missing.map(str::to_owned);
    let value = Some(Value::Category(CategoryColumn {
        column: "v".into(),
        classes,
        missing,
        across: None,
    }));
    Scan { value, ..budgets_and_values(None) }
}

fn tiers_only() -> Scan {
    Scan::new(
        PrivacyColumn::Tiers { column: "e".into(), tiers: "0=0.5,v=inf".parse().unwrap() },
        None,
    )
}

fn in_blocks(bytes: &[u8], scan: &Scan, block_bytes: usize) -> Result<LevelTable> {
    let inputs = vec![Input::reader(None, Box::new(bytes))];
    let job = Job::new(scan);
    let collected = super::scan_one(inputs, &job, &Progress::default(), block_bytes)?;
    collected.finish(&job)?.into_table(&job)
}

fn parse(bytes: &[u8]) -> csv::Reader<&[u8]> {
    csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(bytes)
}

/// Makes the scan one record at a time, with the `csv` crate.
fn sequentially(bytes: &[u8], scan: &Scan) -> Result<LevelTable> {
    let refusal = |fault: Fault, row| fault.refuse(scan, None, row);
    let refuse = |fault, row| Err(refusal(fault, row));
    // A line feed in front keeps the crate from skipping a second byte order mark.
    let mut text = b"\n".to_vec();
    text.extend(bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes));
    // In a quoted cell more text makes no more records.
    let mut longer = text.clone();
    longer.extend(b"\nx,");
    let records = parse(&text).into_byte_records().count();
    let open_quote = parse(&longer).into_byte_records().count() == records;

    let mut reader = parse(&text);
    let mut record = csv::ByteRecord::new();
    if !reader.read_byte_record(&mut record).unwrap() {
        return refuse(Fault::Empty, None);
    }
    if open_quote && records == 1 {
        return refuse(Fault::OpenQuote, None);
    }
    let header: Vec<Vec<u8>> = record.iter().map(|cell| cell.trim_ascii().to_vec()).collect();
    if header.first().is_some_and(|name| super::header::is_utf16(name)) {
        return refuse(Fault::Utf16, None);
    }
    if header.iter().any(|name| std::str::from_utf8(name).is_err()) {
        return refuse(Fault::HeaderNotUtf8, None);
    }
    let find = |role| {
        let name = scan.column(role).as_bytes();
        match header.iter().filter(|cell| *cell == name).count() {
            0 => {
                let names = header.iter().map(|name| std::str::from_utf8(name).unwrap());
                let unfound = MissingColumn::in_line(scan, role, names);
                Err(refusal(Fault::NotFound(role, Box::new(unfound)), None))
            }
            1 => Ok(header.iter().position(|cell| cell == name).unwrap()),
            _ => Err(refusal(Fault::Repeated(role), None)),
        }
    };
    let privacy = find(Role::Privacy)?;
    let value = scan.value.as_ref().map(|_| find(Role::Value)).transpose()?;

    let measure = scan.value.as_ref().map_or(Measure::Nothing, Value::measure);
    let mut levels: Vec<(Option<String>, Epsilon, u64, Vec<i128>)> = Vec::new();
    let mut row = 0;
    loop {
        row += 1;
        let mut at = reader.position().byte() as usize;
        if at > 0 && text[at - 1] == b'\r' && text.get(at) == Some(&b'\n') {
            at += 1;
        }
        if header.len() == 1 && matches!(text.get(at), Some(b'\r' | b'\n')) {
            return refuse(Fault::Missing(Role::Privacy), Some(row));
        }
        if !reader.read_byte_record(&mut record).unwrap() {
            break;
        }
        let added = (|| {
            if record.len() > header.len() {
                return Err(Fault::Ragged);
            }
            if open_quote && row as usize == records - 1 {
                return Err(Fault::OpenQuote);
            }
            if record.len() < header.len() {
                return Err(Fault::Ragged);
            }
            let choice = record[privacy].trim_ascii();
            let (label, epsilon) = match &scan.privacy {
                PrivacyColumn::Budgets { .. } => (None, cell::budget(choice)?),
                PrivacyColumn::Tiers { .. } if choice.is_empty() => {
                    return Err(Fault::Missing(Role::Privacy));
                }
                PrivacyColumn::Tiers { tiers, .. } => {
                    let label = cell::text(choice, Role::Privacy)?;
                    let (label, epsilon) = tiers
                        .iter()
                        .find(|(name, _)| *name == label)
                        .ok_or(Fault::UnknownTier(tiers.meant(choice)))?;
                    (Some(label.to_owned()), epsilon)
                }
            };
            let index = match (&scan.value, value) {
                (Some(value), Some(column)) => place(value, record[column].trim_ascii())?,
                _ => 0,
            };
            let known = levels.iter().position(|level| level.0 == label && level.1 == epsilon);
            let at = known.unwrap_or_else(|| {
                levels.push((label, epsilon, 0, vec![0; measure.sums()]));
                levels.len() - 1
            });
            let (_, _, count, sums) = &mut levels[at];
            *count += 1;
            match measure {
                Measure::Nothing => {}
                Measure::Numbers(_) => sums[0] += i128::from(index),
                Measure::Categories(_) => sums[index as usize] += 1,
            }
            Ok(())
        })();
        if let Err(fault) = added {
            return refuse(fault, Some(row));
        }
    }
    if levels.is_empty() {
        return Err(Error::data((), "no records"));
    }
    let by_level = levels.into_iter().map(|(label, epsilon, count, sums)| LevelSums {
        label,
        epsilon,
        count,
        sums: sums.into_iter().map(ExactSum::from_raw).collect(),
        cells: Default::default(),
    });
    let column = scan.value.as_ref().map(|value| value.column().to_owned());
    let missing = scan.value.as_ref().and_then(Value::replacement);
    Ok(LevelTable::new(column, measure, by_level.collect())?.with_missing(missing))
}

/// Grid index or category of a cell, without hash maps.
fn place(value: &Value, cell: &[u8]) -> std::result::Result<u64, Fault> {
    let Value::Category(column) = value else { return value.encode_cell(cell) };
    let names = column.classes.categories().names();
    let named = |name: &str| names.iter().position(|other| other == name).map(|class| class as u64);
    let missing = column.missing.as_deref().and_then(named);
    match cell::text(cell, Role::Value)? {
        "" => missing.ok_or(Fault::Missing(Role::Value)),
        text => named(text).or(named("other")).ok_or(Fault::NotACategory),
    }
}

fn assert_same(bytes: &[u8], scan: &Scan, block_bytes: usize) {
    match (in_blocks(bytes, scan, block_bytes), sequentially(bytes, scan)) {
        (Err(blocks), Err(plain)) if plain.to_string() == "no records" => {
            assert_eq!(blocks.to_string(), "the data have no records");
        }
        (blocks, plain) => assert_eq!(blocks, plain, "blocks of {block_bytes}"),
    }
}

#[test]
fn a_table_says_what_replaced_missing_values() {
    let scan = budgets_and_values(Some(3.0));
    for size in [5, 18, BLOCK_BYTES] {
        assert_same(b"e,v\n1,2\n0,", &scan, size);
    }
    let table = in_blocks(b"e,v\n1,2\n0,", &scan, 5).unwrap();
    assert_eq!(table.missing(), Some(&Replacement::Number(3.0)));
}

/// Bytes that quoting rules care about, and pieces of good cells.
fn text() -> impl Strategy<Value = Vec<u8>> {
    let token = prop::sample::select(vec![
        &b","[..],
        b",",
        b"\n",
        b"\n",
        b"\r\n",
        b"\r",
        b"\"",
        b"\"",
        b"\"\"",
        b" ",
        b"0",
        b"1",
        b"0.5",
        b"inf",
        b"v",
        b"e",
        b"nan",
        b"\xEF\xBB\xBF",
        b"\xFF",
        b"\n1,2\n",
        b"\n\"1\",\"2\"\r\n",
        b"x",
    ]);
    prop::collection::vec(token, 0..40).prop_map(|tokens| tokens.concat())
}

fn header() -> impl Strategy<Value = &'static [u8]> {
    prop::sample::select(vec![
        &b"e,v\n"[..],
        b"e,v\r\n",
        b"v,e\r",
        b"\xEF\xBB\xBFe,\"v\"\n",
        b"\n\n\"e\",v,w\n",
        b"e\n",
        b"e\r\n",
        b"e,v",
        b"",
        b"v,\"e\n",
        b"e,e,v\n",
        b"\xFF,e,v\n",
    ])
}

fn good_rows() -> impl Strategy<Value = Vec<u8>> {
    let cell = prop::sample::select(vec!["1", "0", "\"1\"", " 0.5 ", "\"\n2\"", "\"3\r\n\"", "4"]);
    let end = prop::sample::select(vec!["\n", "\r\n", "\r", "\n\n"]);
    prop::collection::vec((cell.clone(), cell, end), 1..30).prop_map(|rows| {
        rows.iter().map(|(a, b, end)| format!("{a},{b}{end}")).collect::<String>().into_bytes()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(Extent::get().cases(2000)))]

    #[test]
    fn any_text_reads_as_in_the_csv_crate(
        header in header(),
        text in text(),
        size in 1usize..40,
        missing: bool,
    ) {
        let bytes = [header, &text].concat();
        let scan = budgets_and_values(missing.then_some(3.0));
        assert_same(&bytes, &scan, size);
        assert_same(&bytes, &scan, BLOCK_BYTES);
        assert_same(&bytes, &tiers_only(), size);
        for other in [None, Some("other")] {
            assert_same(&bytes, &budgets_and_labels(other, missing.then_some("1")), size);
        }
    }

    #[test]
    fn good_text_reads_as_in_the_csv_crate(
        rows in good_rows(),
        tail in text(),
        size in 1usize..40,
    ) {
        let mut bytes = [b"e,v\n", rows.as_slice()].concat();
        assert!(in_blocks(&bytes, &budgets_and_values(None), size).is_ok());
        assert_same(&bytes, &budgets_and_values(None), size);
        let counted = budgets_and_labels(Some("other"), None);
        assert!(in_blocks(&bytes, &counted, size).is_ok());
        assert_same(&bytes, &counted, size);
        bytes.extend(tail);
        assert_same(&bytes, &budgets_and_values(None), size);
    }
}

#[test]
fn the_first_fault_is_reported_whatever_the_timing() {
    let mut text = String::from("e,v\n");
    for row in 1..=2000 {
        text.push_str(if row == 700 {
            "1,x\n"
        } else if row > 700 {
            "?,x,x\n"
        } else {
            "1,1\n"
        });
    }
    for _ in 0..50 {
        let refused = in_blocks(text.as_bytes(), &budgets_and_values(None), 13).unwrap_err();
        assert_eq!(refused.to_string(), "column v, row 700: not a number");
    }
}

#[test]
fn a_record_longer_than_the_limit_is_refused() {
    let mut text = b"e,v\n1,2\n1,\"".to_vec();
    text.resize(super::RECORD_BYTES + 3 * BLOCK_BYTES, b'x');
    let refused = in_blocks(&text, &budgets_and_values(None), BLOCK_BYTES).unwrap_err();
    assert_eq!(refused.to_string(), "row 2: the record is longer than 64 MiB");
}

#[test]
fn a_failing_reader_is_reported_without_its_message() {
    struct Failing;
    impl std::io::Read for Failing {
        fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("SECRET123"))
        }
    }
    let scan = tiers_only();
    let reader = std::io::Read::chain(&b"e\n0\n"[..], Failing);
    let inputs = vec![Input::reader(None, Box::new(reader))];
    let job = Job::new(&scan);
    let refused = super::scan_one(inputs, &job, &Progress::default(), BLOCK_BYTES).err().unwrap();
    assert_eq!(refused.kind(), suum_core::ErrorKind::Io);
    assert!(!format!("{refused:?}").contains("SECRET"));
}
