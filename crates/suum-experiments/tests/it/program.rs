//! The program on the command line.

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

/// The exit code, and what was said on standard output and standard error.
fn ran(words: &[&str]) -> (i32, String, String) {
    let output = Command::cargo_bin("suum-experiments").unwrap().args(words).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

fn stdout(words: &[&str]) -> String {
    let (code, said, complained) = ran(words);
    assert_eq!((code, complained.as_str()), (0, ""), "{words:?}");
    said
}

/// The exit code and the message; nothing else is said.
fn refused(words: &[&str]) -> (i32, String) {
    let (code, said, complained) = ran(words);
    assert_eq!(said, "", "{words:?}");
    (code, complained)
}

/// A CSV of this text.
fn file(text: &str) -> (TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("people.csv");
    fs::write(&path, text).unwrap();
    let path = path.to_str().unwrap().to_owned();
    (folder, path)
}

/// 6000 people around 5 who allow 0.5 or 2.
fn people() -> (TempDir, String) {
    let row = |at: u32| {
        let value = 5.0 + f64::from(at * 7919 % 6000) / 3000.0 - 1.0;
        format!("{at},{value},{}\n", if at.is_multiple_of(3) { 2.0 } else { 0.5 })
    };
    file(&format!("id,score, consent \n{}", (0..6000).map(row).collect::<String>()))
}

const COLUMNS: [&str; 4] = ["--value", "score", "--epsilon", "consent"];

fn mean<'a>(data: &'a str, estimator: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["mean", data], &COLUMNS[..], &["--estimator", estimator], more].concat()
}

/// Options that each estimator needs.
const NEEDS: [(&str, &[&str]); 4] = [
    ("sample", &["--bounds", "0,10"]),
    ("stretch", &["--bounds", "0,10"]),
    ("gaussian-diffusion", &[]),
    ("gaussian-reduction", &["--epsilon-range", "0.5,2"]),
];

#[test]
fn all_are_listed() {
    let list = stdout(&["list"]);
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
        "real-data",
        "joint-quantiles",
        "quantile-intervals",
    ];
    assert_eq!(names, all);
}

#[test]
fn one_is_measured_and_written() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("new").to_str().unwrap().to_owned();
    let said = stdout(&["run", "cc23-fig1b", "--trials", "10", "--out", &out]);
    assert!(said.contains("agrees   The exact risk of ADPM falls until ε₂ = 0.210"), "{said}");
    for file in ["cc23-fig1b.html", "cc23-fig1b.csv", "cc23-fig1b-mse.svg"] {
        assert!(fs::metadata(folder.path().join("new").join(file)).unwrap().len() > 500, "{file}");
    }
}

#[test]
fn what_cannot_be_run_is_refused() {
    let (code, said) = refused(&["run", "cc23-fig9"]);
    assert!(code == 1 && said.contains("hint: suum-experiments list"), "{said}");
    let (code, said) = refused(&["run", "cc23-fig1b", "--trials", "1"]);
    assert!(code == 1 && said.contains("trials: expected at least 2"), "{said}");
    let (code, _) = refused(&["run", "cc24-table4", "--salaries", "pay.csv"]);
    assert_eq!(code, 2, "a column is needed");
}

#[test]
fn every_algorithm_runs_on_a_file() {
    let (_folder, data) = people();
    for (estimator, needs) in NEEDS {
        let seeded = [needs, &["--insecure-seed", "7"]].concat();
        let said = stdout(&mean(&data, estimator, &seeded));
        assert!(said.starts_with("NOT PRIVATE"), "{said}");
        assert!(said.contains(&format!("Estimator: {estimator};")), "{said}");
        assert!(said.contains("For study only"), "{said}");
        let hides = *estimator == *"gaussian-reduction";
        assert_eq!(said.contains("exp(2 · spent ε)"), hides, "{said}");
        let table = said.lines().skip_while(|line| !line.starts_with("  allowed")).map(str::len);
        let rows: Vec<usize> = table.take_while(|length| *length > 0).skip(1).collect();
        assert!(!rows.is_empty() && rows.iter().all(|length| *length == rows[0]), "{said}");
        assert_eq!(said, stdout(&mean(&data, estimator, &seeded)), "a seed repeats it");
        assert_eq!(said.contains("Exact risk"), needs.contains(&"--bounds"), "{said}");

        let json = stdout(&mean(&data, estimator, &[&seeded[..], &["--format", "json"]].concat()));
        let answer: Value = serde_json::from_str(&json).unwrap();
        assert_eq!(answer["private"], false);
        assert_eq!(answer["for_study"], true);
        assert_eq!(answer["neighbors"], if hides { "add-remove" } else { "replace" });
        assert_eq!(answer["estimator"]["name"], estimator);
        assert_eq!(answer["column"], "score");
        for row in answer["privacy"].as_array().unwrap() {
            assert!(row["spent"].as_f64().unwrap() <= row["epsilon"].as_f64().unwrap(), "{row}");
            assert_eq!(row["count"].is_null(), estimator == "gaussian-reduction");
        }
        let estimate = answer["estimate"].as_f64().unwrap();
        // Stretch is biased: a third allow all, the others a quarter of it.
        let expected = if estimator == "stretch" { 2.5 } else { 5.0 };
        assert!((estimate - expected).abs() < 0.5, "{estimator}: {estimate}");
    }
}

#[test]
fn noise_is_secret_unless_it_is_seeded() {
    let (_folder, data) = people();
    let words = mean(&data, "sample", &["--bounds", "0,10", "--format", "json"]);
    let answers = [stdout(&words), stdout(&words)];
    assert_ne!(answers[0], answers[1]);
    let answer: Value = serde_json::from_str(&answers[0]).unwrap();
    assert_eq!(answer["private"], true);
    let text = stdout(&mean(&data, "sample", &["--bounds", "0,10"]));
    assert!(text.starts_with("Mean of score: ") && !text.contains("NOT PRIVATE"), "{text}");
}

#[test]
fn what_makes_no_sense_is_refused_before_the_data_are_read() {
    for (estimator, more, begins) in [
        ("sample", &["--epsilon-range", "0.1,1"][..], "error: epsilon-range: "),
        ("stretch", &["--bounds", "0,1", "--sample-threshold", "1"], "error: sample-threshold: "),
        ("gaussian-diffusion", &["--bounds", "0,1"], "error: bounds: "),
        ("sample", &["--bounds", "1,0"], "error: bounds: "),
        ("sample", &["--bounds", "0,1", "--sample-threshold", "x"], "error: sample-threshold: "),
        ("gaussian-reduction", &["--epsilon-range", "2,1"], "error: epsilon-range: "),
    ] {
        let (code, said) = refused(&mean("nowhere.csv", estimator, more));
        assert!(code == 1 && said.starts_with(begins) && said.contains("\nhint: "), "{said}");
    }
    let (code, said) = refused(&mean("nowhere.csv", "affine", &[]));
    assert!(code == 2 && said.contains("hint: "), "{said}");
}

/// An error names the column and the row, and shows no value.
#[test]
fn errors_name_column_and_row_and_never_a_value() {
    let cases = [
        ("score,consent\n1,0.5\nSECRET,1\n", "column score, row 2: not a number"),
        ("score,consent\nnan,0.5\n", "column score, row 1: not a number"),
        ("score,consent\n1,SECRET\n", "column consent, row 1: not a budget"),
        ("score,consent\n1,-1\n", "column consent, row 1: not a budget"),
        ("score,consent\n1,0.5\n,1\n", "column score, row 2: the cell is empty"),
        ("score,consent\n1,0.5\n1,2,SECRET\n", "row 2 has another number of cells"),
        ("score,consent\n", "the data have no records"),
        ("SECRET,consent\n1,1\n", "value: there is no column score"),
        ("score,consent,score\n1,1,1\n", "value: column score is repeated"),
        ("score,consent\n\"1,1\n", "row 1"),
        ("score,consent\n1,0\n2,0\n", "privacy"),
    ];
    for (text, expected) in cases {
        let (_folder, data) = file(text);
        let (code, said) = refused(&mean(&data, "sample", &["--bounds", "0,1"]));
        assert!(code == 1 && said.starts_with("error: ") && said.contains("\nhint: "), "{said}");
        assert!(!said.contains("SECRET"), "{said}");
        assert!(expected == "privacy" || said.contains(expected), "{text}: {said}");
    }
    let (code, said) = refused(&mean("nowhere.csv", "sample", &["--bounds", "0,1"]));
    assert!(code == 1 && said.contains("nowhere.csv: ") && said.contains("hint: "), "{said}");
    let (_folder, data) = people();
    let (code, said) = refused(&mean(&data, "sample", &[]));
    assert!(code == 1 && said.contains("bounds: sample needs"), "{said}");
    let (code, said) = refused(&mean(&data, "gaussian-reduction", &[]));
    assert!(code == 1 && said.contains("epsilon-range: "), "{said}");
}

#[test]
fn help_is_no_failure_and_usage_is() {
    let help = stdout(&["--help"]);
    for command in ["list", "run", "all", "mean"] {
        assert!(help.contains(&format!("\n  {command} ")), "{help}");
    }
    assert!(stdout(&["mean", "--help"]).contains("gaussian-reduction"));
    let (code, said) = refused(&["meen"]);
    assert!(code == 2 && said.contains("hint: "), "{said}");
}

/// Commands of the page that are not run, by a part of them, and why.
const NOT_RUN: [(&str, &str); 2] =
    [("all --quick", "takes a minute"), ("--salaries", "its files are not shipped")];

#[test]
fn commands_of_the_page_run() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = fs::read_to_string(root.join("docs/explanation/experiments.md")).unwrap();
    let page = page.replace("\\\n", " ");
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("examples")).unwrap();
    let people = "examples/people.csv";
    fs::copy(root.join(people), folder.path().join(people)).unwrap();
    let (mut run, mut left_out) = (0, 0);
    for line in page.lines() {
        let of_cargo = line.strip_prefix("    cargo run --release -p suum-experiments -- ");
        let Some(words) = of_cargo.or_else(|| line.strip_prefix("    suum-experiments ")) else {
            continue;
        };
        if NOT_RUN.iter().any(|(part, _)| words.contains(part)) {
            left_out += 1;
            continue;
        }
        let mut program = Command::cargo_bin("suum-experiments").unwrap();
        program.args(words.split_whitespace()).current_dir(&folder).assert().success();
        run += 1;
    }
    assert!(run >= 3 && left_out == NOT_RUN.len(), "{run} commands were run");
}
