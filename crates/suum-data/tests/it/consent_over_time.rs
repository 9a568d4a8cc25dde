//! Decisions of a register that are in force at a time, whatever they are written in.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use arrow_array::types::Int32Type;
use arrow_array::{
    ArrayRef, Date32Array, DictionaryArray, RecordBatch, StringArray, TimestampMicrosecondArray,
};
use suum_core::{Result, TimeScale};
use suum_data::{
    Consent, DecisionColumns, Progress, Scan, Source, StatusWords, read_consent,
    read_consent_batches, scan_batches, scan_csv,
};

use crate::common::{budgets, tiers, value, write_parquet};

fn seconds(text: &str) -> f64 {
    TimeScale::Seconds.number(text.as_bytes()).unwrap()
}

/// Decisions of tiers with all columns, as of a time.
fn choices(as_of: &str) -> Scan {
    let column = |name: &str| Some(name.to_owned());
    Scan {
        person: column("id"),
        decisions: Some(DecisionColumns {
            from: column("from"),
            until: column("until"),
            status: column("status"),
            reference: column("form"),
            ..DecisionColumns::at(seconds(as_of), "no consent")
        }),
        ..Scan::new(tiers("c", "strict=0.1,open=1,no consent=0"), None)
    }
}

const HEADER: &str = "id,c,from,until,status,form\n";

/// Everything that can be of a decision at the beginning of March.
const REGISTER: &str = "id,c,from,until,status,form\n\
    steady,open,2026-01-01,,active,v1\n\
    stricter,open,2026-01-01,,,v1\n\
    stricter,strict,2026-02-01T10:00:00+01:00,,,v2\n\
    withdrawn,,2026-02-15,,withdrawn,v1\n\
    withdrawn,open,2026-01-01,,active,v1\n\
    expired,open,2026-01-01,2026-03-01,,v1\n\
    later,open,2026-03-02,,active,v1\n\
    back,open,2026-02-20,,Active,v2\n\
    back,,2026-01-20,,REVOKED,v1\n\
    back,open,2026-01-01,2026-01-15,,v1\n\
    twice,open,2026-01-01,,,v1\n\
    twice,strict,2026-01-01 00:00:00Z,,,v1\n\
    today,strict,2026-03-01,,,v1\n";

fn read_text(text: &str, choices: &Scan) -> Result<Consent> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("register.csv");
    fs::write(&path, text).unwrap();
    read_file(&path, choices)
}

fn read_file(path: &Path, choices: &Scan) -> Result<Consent> {
    let source = Source::parse(path.to_str().unwrap())?;
    read_consent(&source, choices, "who", &Progress::default())
}

/// Levels of everybody with their numbers, and how many are not used.
fn levels(consent: &Consent, choices: &Scan, people: &str) -> (String, u64) {
    let consent = Arc::new(consent.watched());
    let Scan { privacy, missing_choice, .. } = choices.clone();
    let scan = Scan {
        missing_choice,
        consent: Some(Arc::clone(&consent)),
        ..Scan::new(privacy, value("v"))
    };
    let rows: String = people.split(' ').map(|id| format!("{id},1\n")).collect();
    let table = scan_csv(format!("who,v\n{rows}").as_bytes(), &scan, &Progress::default());
    (table.unwrap().profile().unwrap().to_string(), consent.not_used())
}

const EVERYBODY: &str = "steady stricter withdrawn expired back twice today";

#[test]
fn decision_in_force_counts() {
    let at = choices("2026-03-01");
    let consent = read_text(REGISTER, &at).unwrap();
    assert_eq!(consent.ties(), 1);
    for (id, expected) in [
        ("steady", ("1:1", 0)),
        ("stricter", ("0.1:1", 0)),
        ("withdrawn", ("0:1", 1)),
        ("expired", ("0:1", 1)),
        ("back", ("1:1", 0)),
        ("twice", ("0.1:1", 0)),
        ("today", ("0.1:1", 0)),
    ] {
        let (level, not_used) = levels(&consent, &at, id);
        assert_eq!((level.as_str(), not_used), expected, "{id}");
    }
    // Who has no decision yet is refused, as without a register.
    let people = Scan {
        consent: Some(Arc::new(consent.watched())),
        ..Scan::new(at.privacy.clone(), value("v"))
    };
    let refused = scan_csv("who,v\nlater,1\n".as_bytes(), &people, &Progress::default());
    let refused = refused.unwrap_err().to_string();
    assert_eq!(
        refused,
        "column who, row 1: the key has no decision in the register that has begun"
    );
    let before = choices("2026-01-31");
    let consent = read_text(REGISTER, &before).unwrap();
    assert_eq!(levels(&consent, &before, "steady stricter withdrawn expired").0, "1:4");
    assert_eq!(levels(&consent, &before, "back").1, 1);
}

#[test]
fn people_without_valid_decision_are_counted_once() {
    let missing =
        |choice: &str| Scan { missing_choice: Some(choice.to_owned()), ..choices("2026-03-01") };
    let people = format!("{EVERYBODY} later nobody withdrawn nobody");
    let unused = missing("no consent");
    let consent = read_text(REGISTER, &unused).unwrap();
    assert_eq!(levels(&consent, &unused, &people), ("0:6,0.1:3,1:2".into(), 4));
    // Whoever counts as a tier is used.
    let strict = missing("strict");
    let consent = read_text(REGISTER, &strict).unwrap();
    assert_eq!(levels(&consent, &strict, &people), ("0:3,0.1:6,1:2".into(), 2));
    // Records without a key are one each.
    let scan = Scan {
        missing_choice: unused.missing_choice.clone(),
        consent: Some(Arc::new(read_text(REGISTER, &unused).unwrap().watched())),
        ..Scan::new(unused.privacy.clone(), value("v"))
    };
    let data = "who,v\n,1\n,1\nexpired,1\nsteady,1\n";
    for _ in 0..2 {
        scan_csv(data.as_bytes(), &scan, &Progress::default()).unwrap();
        assert_eq!(scan.consent.as_ref().unwrap().not_used(), 3);
    }
}

#[test]
fn entries_of_no_row_are_not_counted() {
    let at = choices("2026-03-01");
    let consent = Arc::new(read_text(REGISTER, &at).unwrap().watched());
    let scan =
        Scan { consent: Some(Arc::clone(&consent)), ..Scan::new(at.privacy.clone(), value("v")) };
    let keys: DictionaryArray<Int32Type> =
        ["withdrawn", "expired", "steady", "steady"].into_iter().collect();
    let columns: [(&str, ArrayRef); 2] =
        [("who", Arc::new(keys)), ("v", Arc::new(arrow_array::Float64Array::from(vec![1.0; 4])))];
    let batch = RecordBatch::try_from_iter(columns).unwrap().slice(1, 3);
    let table = scan_batches([Ok(batch)], &scan, &Progress::default()).unwrap();
    assert_eq!((table.profile().unwrap().to_string().as_str(), consent.not_used()), ("0:1,1:2", 1));
}

#[test]
fn parquet_and_batches_are_read_as_csv_is() {
    let rows: Vec<Vec<&str>> =
        REGISTER.lines().skip(1).map(|line| line.split(',').collect()).collect();
    let cells = |at: usize| rows.iter().map(move |row| row[at]);
    let present = |cell: &str| (!cell.is_empty()).then(|| seconds(cell));
    let texts = |at| -> ArrayRef { Arc::new(StringArray::from_iter_values(cells(at))) };
    let micros = cells(2).map(|cell| present(cell).map(|seconds| (seconds * 1e6) as i64));
    let days = cells(3).map(|cell| present(cell).map(|seconds| (seconds / 86_400.0) as i32));
    let words: DictionaryArray<Int32Type> =
        cells(4).map(|cell| (!cell.is_empty()).then_some(cell)).collect();
    let columns: [(&str, ArrayRef); 6] = [
        ("id", texts(0)),
        ("c", texts(1)),
        ("from", Arc::new(TimestampMicrosecondArray::from_iter(micros).with_timezone("UTC"))),
        ("until", Arc::new(Date32Array::from_iter(days))),
        ("status", Arc::new(words)),
        ("form", texts(5)),
    ];
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("register.parquet");
    write_parquet(&path, &columns, 5);
    let batch = RecordBatch::try_from_iter_with_nullable(
        columns.iter().map(|(name, array)| (*name, Arc::clone(array), true)),
    );
    let batch = batch.unwrap();
    for as_of in ["2026-01-01", "2026-01-15", "2026-02-01T08:59:59Z", "2026-02-01T09:00:00Z"]
        .into_iter()
        .chain(["2026-02-28", "2026-03-01", "2027-01-01"])
    {
        let at = Scan { missing_choice: Some("no consent".into()), ..choices(as_of) };
        let expected = levels(&read_text(REGISTER, &at).unwrap(), &at, EVERYBODY);
        assert_eq!(levels(&read_file(&path, &at).unwrap(), &at, EVERYBODY), expected, "{as_of}");
        let progress = Progress::default();
        let held = read_consent_batches([Ok(batch.clone())], &at, "who", &progress).unwrap();
        assert_eq!(levels(&held, &at, EVERYBODY), expected, "{as_of}");
    }
}

#[test]
fn numeric_budgets_end_at_zero() {
    let at = Scan {
        person: Some("id".into()),
        decisions: Some(DecisionColumns {
            from: Some("from".into()),
            status: Some("status".into()),
            ..DecisionColumns::at(seconds("2026-03-01"), "0")
        }),
        ..Scan::new(budgets("c"), None)
    };
    let text = "id,c,from,status\na,0.5,2026-01-01,\na,2,2026-01-01,\nb,inf,2026-01-01,\n\
                c,1,2026-01-01,expired\nd,0,2026-01-01,\n";
    let consent = read_text(text, &at).unwrap();
    // Whoever chose 0 has a decision that holds.
    assert_eq!(levels(&consent, &at, "a b c d"), ("0:2,0.5:1,inf:1".into(), 1));
}

#[test]
fn wrong_rows_are_refused_by_column_and_row() {
    let at = choices("2026-03-01");
    for (rows, expected) in [
        ("a,open,,,,v\n", "column from, row 1: missing date"),
        ("a,open,soon,,,v\n", "column from, row 1: not a date or time"),
        ("a,open,07:30,,,v\n", "column from, row 1: not a date or time"),
        ("a,open,2026-01-01,,,v\nb,open,2026-01-01,2026-02-30,,v\n", "column until, row 2: not a"),
        ("a,open,2026-01-01,,asleep,v\n", "column status, row 1: the status is not declared"),
        ("a,,2026-01-01,,active,v\n", "column c, row 1: missing privacy choice"),
        ("a,SECRET,2026-01-01,,withdrawn,v\n", "column c, row 1: the tier is not declared"),
        (",open,2026-01-01,,,v\n", "column id, row 1: missing identifier"),
    ] {
        let refused = read_text(&format!("{HEADER}{rows}"), &at).unwrap_err();
        let text = refused.to_string();
        assert!(text.contains(expected) && text.contains("register.csv"), "{text}");
        assert!(refused.fix().is_some() && !text.contains("SECRET"), "{text}");
    }
    let lacking = read_text("id,c,from,until,form\na,open,2026-01-01,,v\n", &at).unwrap_err();
    assert!(lacking.to_string().contains("column status"), "{lacking}");
    // Without a column of dates a key has one decision.
    let decisions = DecisionColumns { from: None, ..at.decisions.clone().unwrap() };
    let once = Scan { decisions: Some(decisions), ..at.clone() };
    let twice = read_text(&format!("{HEADER}a,open,,,,v\na,open,,,,v\n"), &once).unwrap_err();
    assert!(twice.to_string().contains("column id, row 2: the key is in an earlier"), "{twice}");
    // Where participation is hidden, so is the row.
    let hidden = Scan {
        add_remove: Some(
            suum_core::DeclaredBudgets::range("0.1".parse().unwrap(), "1".parse().unwrap())
                .unwrap(),
        ),
        ..choices("2026-03-01")
    };
    let refused = read_text(&format!("{HEADER}a,open,,,,v\n"), &hidden).unwrap_err().to_string();
    assert!(refused.contains("missing date") && !refused.contains("row"), "{refused}");
}

#[test]
fn declared_words_replace_the_usual_ones() {
    let words = |words: &[&str]| -> Vec<String> { words.iter().map(|&w| w.to_owned()).collect() };
    let mut at = choices("2026-03-01");
    let decisions = at.decisions.as_mut().unwrap();
    decisions.words =
        StatusWords::new(Some(&words(&["given", "inactive"])), Some(&words(&["taken back"])), None)
            .unwrap();
    let text = format!(
        "{HEADER}a,open,2026-01-01,,GIVEN,v\nb,open,2026-01-01,,taken back,v\n\
         c,open,2026-01-01,,inactive,v\n"
    );
    let consent = read_text(&text, &at).unwrap();
    assert_eq!(levels(&consent, &at, "a b c"), ("0:1,1:2".into(), 1));
    let unknown = read_text(&format!("{HEADER}a,open,2026-01-01,,withdrawn,v\n"), &at).unwrap_err();
    assert!(unknown.to_string().contains("row 1: the status is not declared"), "{unknown}");
    assert!(StatusWords::new(Some(&words(&["Revoked"])), None, None).is_err());
    assert!(StatusWords::new(None, Some(&words(&[" "])), None).is_err());
}
