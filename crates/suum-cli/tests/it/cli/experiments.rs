//! `suum experiment`.

use std::fs;

use super::common::{refused, stdout};

#[test]
fn all_are_listed() {
    let list = stdout(&["experiment", "list"]);
    let names: Vec<&str> = list.lines().filter_map(|line| line.split_whitespace().next()).collect();
    let all = [
        "cc23-fig1a",
        "cc23-fig1b",
        "cc23-table2",
        "cc24-table4",
        "cc24-table5",
        "cc24-fig2",
        "cz26-fig1",
        "cz26-fig2",
        "cz26-thm3",
        "fgk21-fig1",
        "fgk21-fig2",
        "dg26",
    ];
    assert_eq!(names, all);
}

#[test]
fn one_is_measured_and_written() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("new").to_str().unwrap().to_owned();
    let said = stdout(&["experiment", "run", "cc23-fig1b", "--trials", "10", "--out", &out]);
    assert!(said.contains("agrees   The exact risk of ADPM falls until ε₂ = 0.210"), "{said}");
    for file in ["cc23-fig1b.html", "cc23-fig1b.csv", "cc23-fig1b-mse.svg"] {
        assert!(fs::metadata(folder.path().join("new").join(file)).unwrap().len() > 500, "{file}");
    }
}

#[test]
fn what_cannot_be_run_is_refused() {
    let (code, said) = refused(&["experiment", "run", "cc23-fig9"]);
    assert!(code == 1 && said.contains("hint: suum experiment list"), "{said}");
    let (code, said) = refused(&["experiment", "run", "cc23-fig1b", "--trials", "1"]);
    assert!(code == 1 && said.contains("trials: expected at least 2"), "{said}");
    let (code, _) = refused(&["experiment", "run", "cc24-table4", "--salaries", "pay.csv"]);
    assert_eq!(code, 2, "a column is needed");
}
