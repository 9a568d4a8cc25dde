//! Records and tables in memory, in the place of the files that the words would name.

use std::sync::Arc;

use suum::arrow_array::{ArrayRef, Float64Array, RecordBatch, StringArray};
use suum::{Answer, Batches, ErrorKind, HeldRecords, JobInputs, Progress, Result};
use suum_cli::{answer, parse};

const CSV: &str = "visits,tier\n3,\"a,b\"\n9,open\n0,\"a,b\"\n";
const WORDS: [&str; 9] = [
    "mean",
    "--value",
    "visits",
    "--bounds",
    "0,10",
    "--privacy",
    "tier",
    "--levels",
    r"a\,b=0.5,open=1",
];

#[derive(Debug)]
struct Memory(Vec<RecordBatch>);

impl HeldRecords for Memory {
    fn batches(&self) -> Result<Batches> {
        Ok(Box::new(self.0.clone().into_iter().map(Ok)))
    }
}

fn memory() -> Arc<Memory> {
    let visits: ArrayRef = Arc::new(Float64Array::from(vec![3.0, 9.0, 0.0]));
    let tiers: ArrayRef = Arc::new(StringArray::from(vec!["a,b", "open", "a,b"]));
    let batch = RecordBatch::try_from_iter([("visits", visits), ("tier", tiers)]).unwrap();
    Arc::new(Memory(vec![batch.slice(0, 1), batch.slice(1, 2)]))
}

fn run(words: &[&str], given: JobInputs) -> Result<Answer> {
    answer(parse([words, &["--insecure-seed", "7"]].concat())?, given)
}

#[test]
fn records_in_memory_stand_for_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("visits.csv");
    std::fs::write(&file, CSV).unwrap();
    let words = [&WORDS[..], &[file.to_str().unwrap()]].concat();
    let named = run(&words, JobInputs::default()).unwrap();
    let held = run(&WORDS, JobInputs { records: Some(memory()), ..JobInputs::default() }).unwrap();
    assert_eq!(held.json().unwrap(), named.json().unwrap());
    assert_eq!(held.text(), named.text());
    assert!(held.text().contains("a,b"));
}

#[test]
fn a_level_table_stands_for_its_file() {
    let words = [&["levels"][..], &WORDS[1..], &["--quiet"]].concat();
    let table = answer(
        parse(words).unwrap(),
        JobInputs { records: Some(memory()), ..JobInputs::default() },
    )
    .unwrap();
    let given = JobInputs { levels: Some(table.text().into_bytes()), ..JobInputs::default() };
    let of_table = run(&["mean", "--from-levels", "in memory"], given).unwrap();
    let held = run(&WORDS, JobInputs { records: Some(memory()), ..JobInputs::default() }).unwrap();
    // The query says what was asked: of a level table, not how it was made.
    let release = |answer: &Answer| {
        let json = answer.json().unwrap();
        let (release, query) = json.split_once("\"query\"").unwrap();
        assert!(query.contains("\"mean\""));
        release.to_owned()
    };
    assert_eq!(release(&of_table), release(&held));
}

#[test]
fn a_cancelled_scan_is_refused() {
    let progress = Arc::new(Progress::default());
    progress.cancel();
    let given =
        JobInputs { records: Some(memory()), progress: Some(progress), ..JobInputs::default() };
    assert_eq!(run(&WORDS, given).unwrap_err().kind(), ErrorKind::Io);
}

#[test]
fn words_that_make_no_command_are_refused() {
    for words in [
        &["mean", "--no-such-option"][..],
        &["mean", "--neighbors", "nobody"],
        &["no-such-command"],
    ] {
        let refused = parse(words.iter().copied()).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::Parameter);
        assert!(
            !refused.to_string().contains('\n') && !refused.to_string().starts_with("error"),
            "{refused}"
        );
    }
}
