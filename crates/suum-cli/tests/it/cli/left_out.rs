//! Records without a value that are left out: releases are those of the other records, and hide who
//! has a value.

use std::fs;

use serde_json::Value;
use tempfile::TempDir;

use super::common::{json, refused, stdout};

type Row = (&'static str, &'static str, &'static str, &'static str);

/// A number, a label, a budget and a person in each row; of the number and the label some are
/// missing.
const ROWS: [Row; 8] = [
    ("3", "red", "1", "ann"),
    ("", "blue", "0.1", "ann"),
    ("8", "", "1", "bob"),
    ("NaN", "red", "0.5", "cem"),
    ("5", "blue", "0.1", "dan"),
    ("1", "red", "1", "eva"),
    ("", "", "1", "fay"),
    ("2", "blue", "0.5", "gus"),
];

struct People {
    folder: TempDir,
}

impl People {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).to_str().unwrap().to_owned()
    }

    fn write(&self, name: &str, is_there: impl Fn(&Row) -> bool) -> String {
        let mut text = String::from("x,kind,e,id\n");
        // So many that there is something to say.
        for _ in 0..600 {
            for (x, kind, budget, id) in ROWS.iter().filter(|row| is_there(row)) {
                text += &format!("{x},{kind},{budget},{id}\n");
            }
        }
        fs::write(self.path(name), text).unwrap();
        self.path(name)
    }

    fn all(&self) -> String {
        self.write("all.csv", |_| true)
    }

    /// The rows with a number, or with a label.
    fn others(&self, labels: bool) -> String {
        self.write("others.csv", |(x, kind, ..)| match labels {
            true => !kind.is_empty(),
            false => !["", "NaN"].contains(x),
        })
    }
}

const BUDGETS: [&str; 4] = ["--epsilon", "e", "--epsilon-range", "0.05,2"];
const SEED: [&str; 2] = ["--insecure-seed", "7"];

/// Statistics of numbers, and of labels.
const ASKED: [&str; 8] = [
    "mean --value x --bounds 0,10",
    "mean --value x --bounds auto",
    "sum --value x --bounds 0,10",
    "quantile --value x --bounds 0,10 --cells 10 --q 0.25,0.5",
    "variance --value x --bounds 0,10",
    "summary --value x --bounds 0,10 --cells 10 --statistic mean,q50",
    "frequency --value kind --categories red,blue",
    "frequency --value x --bins 0,2,5 --other else",
];

/// Parts of a release that do not depend on how it was asked for.
fn answer(release: Value) -> Value {
    match release {
        Value::Object(fields) => {
            let fields =
                fields.into_iter().filter(|(name, _)| name != "query" && name != "missing");
            fields.map(|(name, value)| (name, answer(value))).collect()
        }
        other => other,
    }
}

#[test]
fn a_release_is_that_of_the_other_records() {
    let people = People::new();
    let all = people.all();
    for asked in ASKED {
        let words: Vec<&str> = asked.split(' ').collect();
        let others = people.others(asked.contains("kind"));
        let of = |data: &str, more: &[&str]| {
            json(&[&words[..1], &[data], &words[1..], &BUDGETS, &SEED, more].concat())
        };
        let found = of(&all, &["--missing", "exclude"]);
        assert_eq!(found["missing"], "exclude", "{asked}");
        // The default neighbours would not hide who has a value.
        assert_eq!(found["neighbors"], "both", "{asked}");
        let expected = of(&others, &["--neighbors", "both"]);
        assert!(answer(found) == answer(expected), "{asked}");
        let add_remove = ["--neighbors", "add-remove"];
        let found = of(&all, &[&add_remove[..], &["--missing", "exclude"]].concat());
        assert!(answer(found) == answer(of(&others, &add_remove)), "{asked}");
    }
}

#[test]
fn data_without_any_value_have_a_release() {
    let people = People::new();
    let nobody = people.write("nobody.csv", |(x, ..)| x.is_empty());
    let mean = ["mean", &nobody, "--value", "x", "--bounds", "0,10", "--missing", "exclude"];
    let release = json(&[&mean[..], &BUDGETS, &SEED].concat());
    assert!(release["estimate"].is_number(), "{release}");
}

#[test]
fn the_release_says_so() {
    let people = People::new();
    let all = people.all();
    let mean = ["mean", &all, "--value", "x", "--bounds", "0,10", "--missing", "exclude"];
    let mean = [&mean[..], &BUDGETS, &SEED].concat();
    let said = stdout(&mean);
    assert!(said.contains("those without a value left out"), "{said}");
    let said = stdout(&[&mean[..], &["--explain"]].concat());
    let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
    let sentence = "Records without a value were left out: the result is about those that have \
                    one. Who has none is as private as who takes part.";
    assert!(said.contains(sentence), "{said}");
}

#[test]
fn budgets_must_be_declared_then() {
    let people = People::new();
    let all = people.all();
    let mean = ["mean", &all, "--value", "x", "--bounds", "0,10", "--epsilon", "e"];
    let (code, said) = refused(&[&mean[..], &["--missing", "exclude"]].concat());
    assert_eq!(code, 1);
    assert!(said.contains("epsilon-range: where records without a value are left out"), "{said}");
    let (code, said) = refused(&mean);
    assert!(code == 1 && said.contains("--missing exclude"), "{said}");
}

#[test]
fn a_level_table_remembers_it() {
    let people = People::new();
    let all = people.all();
    let value = ["--value", "x", "--bounds", "0,10", "--epsilon", "e", "--missing", "exclude"];
    let table = people.path("levels.json");
    fs::write(&table, stdout(&[&["levels", &all][..], &value].concat())).unwrap();
    let (code, said) = refused(&["mean", "--from-levels", &table]);
    assert!(code == 1 && said.contains("add --neighbors both"), "{said}");
    let (code, said) = refused(&["count", "--from-levels", &table]);
    assert!(code == 1 && said.contains("add --neighbors both"), "{said}");
    let add_remove = ["--neighbors", "both", "--epsilon-range", "0.05,2", "--insecure-seed", "7"];
    let mean = ["mean", "--from-levels", &table, "--bounds", "0,10"];
    let from_levels = json(&[&mean[..], &add_remove].concat());
    assert_eq!(from_levels["missing"], "exclude");
    let of_data = json(&[&["mean", &all][..], &value, &add_remove].concat());
    assert_eq!(from_levels["estimate"], of_data["estimate"]);
    let query = [&["levels-sql", "--dialect", "duckdb", "--table", "t"][..], &value].concat();
    assert!(stdout(&query).contains("\"missing\":\"exclude\""));
}

#[test]
fn the_word_is_no_category() {
    let people = People::new();
    let all = people.all();
    let shares = ["frequency", &all, "--value", "kind", "--missing", "exclude"];
    let shares = [&shares[..], &BUDGETS, &["--categories", "red,blue,exclude"]].concat();
    let (code, said) = refused(&shares);
    assert!(code == 1 && said.contains("missing: exclude leaves records out"), "{said}");
}

#[test]
fn whoever_has_no_value_pays_all_the_same() {
    let people = People::new();
    let (all, ledger) = (people.all(), people.path("ledger"));
    let init = ["ledger", "init", &ledger, "--dataset", "panel", "--persons", "--allow", "1"];
    stdout(&[&init[..], &["--neighbors", "both"]].concat());
    let mean = ["mean", &all, "--value", "x", "--bounds", "0,10", "--missing", "exclude"];
    let paid = ["--epsilon", "e", "--person", "id", "--ledger", &ledger, "--spend", "10%"];
    json(&[&mean[..], &paid].concat());
    let shown = json(&["ledger", "show", &ledger]);
    let spent = shown[0]["persons"]["spent"].as_array().unwrap();
    let paid = spent.iter().filter(|pair| pair[0].as_f64().unwrap() > 0.0);
    let persons: u64 = paid.map(|pair| pair[1].as_u64().unwrap()).sum();
    // Among them are cem and fay.
    assert_eq!(persons, 7, "{shown}");
}
