//! Records without a privacy choice, which count as a tier or are not used.

use std::fs;

use serde_json::Value;
use suum::{Entries, Job, JobInputs};
use tempfile::TempDir;

use super::common::{json, refused, release, stdout};

/// A file of three records, of which the second has this choice.
fn data(folder: &TempDir, name: &str, choice: &str) -> String {
    let path = folder.path().join(name).to_str().unwrap().to_owned();
    fs::write(&path, format!("x,c,e\n1,open,1\n2,{choice}\n3,strict,0.1\n")).unwrap();
    path
}

const MEAN: [&str; 6] = ["--value", "x", "--bounds", "0,4", "--insecure-seed", "3"];
const TIERS: [&str; 4] = ["--privacy", "c", "--levels", "strict=0.1,open=1"];

#[test]
fn it_counts_as_a_tier_or_is_not_used() {
    let folder = tempfile::tempdir().unwrap();
    let missing = data(&folder, "missing.csv", ",");
    let of = |data: &str, more: &[&str]| release(&[&["mean", data][..], &MEAN, more].concat());
    let open = data(&folder, "open.csv", "open,1");
    let asked = [&TIERS[..], &["--missing-consent", "open"]].concat();
    assert_eq!(of(&missing, &asked), of(&open, &TIERS));
    // Where no tier of ε 0 is declared there is one besides.
    let unused = data(&folder, "unused.csv", "no consent,0");
    let declared = ["--privacy", "c", "--levels", "strict=0.1,open=1,no consent=0"];
    let asked = [&TIERS[..], &["--missing-consent", "0"]].concat();
    let found = of(&missing, &asked);
    assert_eq!(found, of(&unused, &declared));
    assert_eq!(found["privacy"][0]["level"], "no consent");
    assert_eq!(found["privacy"][0]["count"], 1);
    let asked = ["--epsilon", "e", "--missing-consent", "0"];
    assert_eq!(of(&missing, &asked), of(&unused, &asked[..2]));
    let add_remove = ["--neighbors", "both"];
    let asked = [&TIERS[..], &["--missing-consent", "0"], &add_remove].concat();
    assert_eq!(of(&missing, &asked), of(&unused, &[&declared[..], &add_remove].concat()));
}

#[test]
fn a_level_table_has_such_records_in_their_tier() {
    let folder = tempfile::tempdir().unwrap();
    let levels = |data: &str, more: &[&str]| stdout(&[&["levels", data][..], more].concat());
    let missing = data(&folder, "missing.csv", ",");
    let asked = [&MEAN[..4], &TIERS].concat();
    let found = levels(&missing, &[&asked[..], &["--missing-consent", "open"]].concat());
    assert_eq!(found, levels(&data(&folder, "open.csv", "open,1"), &asked));
    let query = ["levels-sql", "--dialect", "duckdb", "--table", "t", "--missing-consent", "0"];
    let query = stdout(&[&query[..], &asked].concat());
    assert!(query.contains("'no consent'"), "{query}");
    let table = folder.path().join("levels.json").to_str().unwrap().to_owned();
    fs::write(&table, found).unwrap();
    let (code, said) = refused(&["mean", "--from-levels", &table, "--missing-consent", "open"]);
    assert!(code == 2 && said.contains("missing-consent"), "{said}");
}

#[test]
fn what_is_no_choice_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let missing = data(&folder, "missing.csv", ",");
    let mean = [&["mean", &missing][..], &MEAN].concat();
    for (more, said) in [
        (&["--missing-consent", "other"][..], "the tier of records without a choice is not"),
        (&[][..], "column c, row 2: missing privacy choice"),
    ] {
        let (code, text) = refused(&[&mean[..], &TIERS, more].concat());
        assert!(code == 1 && text.contains(said), "{text}");
    }
    let numbers = ["--epsilon", "e", "--missing-consent", "0.5"];
    let (code, text) = refused(&[&mean[..], &numbers].concat());
    assert!(code == 1 && text.contains("records without one are not used or refused"), "{text}");
    let ledger = folder.path().join("accounts").to_str().unwrap().to_owned();
    let levels = ["--levels", "strict=0.1,open=1"];
    stdout(&[&["ledger", "init", &ledger, "--dataset", "d"][..], &levels].concat());
    let paid = ["--privacy", "c", "--ledger", &ledger, "--spend", "10%"];
    let mean = [&["mean", &missing][..], &MEAN[..4]].concat();
    let zero = [&mean[..], &paid, &["--missing-consent", "0"]].concat();
    // Every ledger has a tier of people who are not used.
    let unused = &json(&zero)["privacy"][0];
    assert_eq!((&unused["level"], &unused["spent"]), (&"no consent".into(), &0.0.into()));
    let open = json(&[&mean[..], &paid, &["--missing-consent", "open"]].concat());
    assert_eq!(open["privacy"][1]["count"], 2);
}

#[test]
fn a_file_says_it_as_a_number_or_a_label() {
    let folder = tempfile::tempdir().unwrap();
    let missing = data(&folder, "missing.csv", ",");
    for (said, written) in [("0", Value::from(0)), ("\"open\"", Value::from("open"))] {
        let text = format!(
            "statistic = \"mean\"\ndata = \"{missing}\"\nvalue = \"x\"\nbounds = [0, 4]\nprivacy = \
             \"c\"\nlevels = {{ strict = 0.1, open = 1 }}\nmissing_consent = {said}\n"
        );
        let entries = Job::entries_of_toml(&text).unwrap();
        let answer = Job::new(entries).unwrap().run_with(JobInputs::default()).unwrap();
        let release: Value = serde_json::from_str(&answer.json().unwrap()).unwrap();
        assert_eq!(release["query"]["missing_consent"], written);
        let again = Entries::from_json(&release["query"].to_string()).unwrap();
        assert!(suum::Query::new(again).is_ok());
    }
}

#[test]
fn texts_that_stand_for_empty_cells_are_missing() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, rows: &str| {
        let path = folder.path().join(name).to_str().unwrap().to_owned();
        fs::write(&path, format!("x,c,e\n1,open,1\n{rows}3,strict,0.1\n")).unwrap();
        path
    };
    let nulls = write("nulls.csv", "NA,open,1\n-99.0,NA,1\n");
    let empty = write("empty.csv", ",open,1\n,,1\n");
    let rest = [&TIERS[..], &["--missing", "2", "--missing-consent", "0"]].concat();
    let of =
        |data: &str, more: &[&str]| release(&[&["mean", data][..], &MEAN, &rest, more].concat());
    let expected = of(&empty, &[]);
    assert_eq!(of(&nulls, &["--null", "NA,-99"]), expected);
    let (code, said) = refused(&[&["mean", &nulls][..], &MEAN, &rest].concat());
    assert!(code == 1 && said.contains("column x, row 2: not a number"), "{said}");
    let (code, said) =
        refused(&[&["mean", &nulls][..], &MEAN, &rest, &["--null", "open"]].concat());
    assert!(code == 1 && said.contains("null: a text for empty cells is also"), "{said}");
    let levels = [&MEAN[..4], &rest, &["--null", "NA,-99"]].concat();
    let table = stdout(&[&["levels", &nulls][..], &levels].concat());
    assert_eq!(table, stdout(&[&["levels", &empty][..], &levels].concat()));
    let query = ["levels-sql", "--dialect", "postgres", "--table", "t"];
    let query = stdout(&[&query[..], &levels].concat());
    assert!(query.contains(", 'NA')") && query.contains("CAST('-99' AS DOUBLE"), "{query}");
}

#[test]
fn files_say_how_they_are_written() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name).to_str().unwrap().to_owned();
        fs::write(&path, bytes).unwrap();
        path
    };
    let commas = write("commas.csv", "x,été,e\n1,open,1\n3,strict,0.1\n".as_bytes());
    let latin = write("latin.csv", b"x;\xe9t\xe9;e\n1;open;1\n3;strict;0.1\n");
    let tiers = ["--privacy", "été", "--levels", "strict=0.1,open=1"];
    let rest = [&MEAN[..], &tiers].concat();
    let form = ["--delimiter", ";", "--encoding", "latin-1"];
    let found = release(&[&["mean", &latin][..], &rest, &form].concat());
    assert_eq!(found, release(&[&["mean", &commas][..], &rest].concat()));
    let (code, said) = refused(&[&["mean", &latin][..], &rest, &["--delimiter", "x"]].concat());
    assert!(code == 1 && said.contains("delimiter: this cannot separate"), "{said}");
    // A database has no such form.
    let file = folder.path().join("people.sqlite");
    rusqlite::Connection::open(&file).unwrap().execute_batch("CREATE TABLE t (x, c, e)").unwrap();
    let table = ["--table", "t", "--delimiter", ";"];
    let (code, said) = refused(&[&["mean", file.to_str().unwrap()][..], &rest, &table].concat());
    assert!(code == 1 && said.contains("delimiter: it is said of CSV files"), "{said}");
}
