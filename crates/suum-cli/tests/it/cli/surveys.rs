//! Several answers in one release, from a file.

use std::fs;

use super::common::{RANDHIE, TIERS, json, refused, stdout, suum};

const SURVEY: &str = "examples/survey.toml";

/// The example, with reproducible noise.
fn seeded(folder: &tempfile::TempDir) -> String {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../");
    let toml = fs::read_to_string(root.to_owned() + SURVEY).unwrap();
    let path = folder.path().join("survey.toml");
    fs::write(&path, format!("insecure_seed = 2026\n{toml}")).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn the_example_is_one_release_with_one_certificate() {
    let folder = tempfile::tempdir().unwrap();
    insta::assert_snapshot!(stdout(&["run", &seeded(&folder)]));
    let release = json(&["run", SURVEY]);
    let answers = release["answers"].as_array().unwrap();
    assert_eq!(answers.len(), 4);
    // Rounded down, so that all parts together are at most the whole.
    assert!(answers[0]["share"].as_f64().is_some_and(|share| share > 0.399 && share <= 0.4));
    assert_eq!(answers[1]["groups"].as_array().unwrap().len(), 4);
    let spent = |of: &serde_json::Value| of["privacy"][0]["spent"].as_f64().unwrap();
    assert!(spent(&release) <= 0.01 && spent(&release) > 0.0099 && spent(&answers[0]) <= 0.004);
    let file = folder.path().join("release.json");
    fs::write(&file, release.to_string()).unwrap();
    let file = file.to_str().unwrap();
    assert!(stdout(&["verify", file]).contains("It agrees"));
    let again = json(&["run", file, "examples/randhie.csv"]);
    assert_eq!(again["query"], release["query"]);
    let page = folder.path().join("page.html");
    stdout(&["run", SURVEY, "--report", page.to_str().unwrap()]);
    let page = fs::read_to_string(page).unwrap();
    assert!(page.contains("Answer 4: frequencies of visits (20 % of every budget)"));
    assert!(page.contains("suum run QUERY.toml DATA"));
}

#[test]
fn standard_input_serves_all_answers() {
    let folder = tempfile::tempdir().unwrap();
    let survey = seeded(&folder);
    let csv = fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/randhie.csv")).unwrap();
    let output = suum(&["run", &survey, "-"]).write_stdin(csv).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert_eq!(String::from_utf8(output.stdout).unwrap(), stdout(&["run", &survey]));
}

#[test]
fn several_columns_of_one_statistic_share_the_budgets() {
    let columns = ["--value", "visits,chronic_index"];
    let common = [&["mean", RANDHIE][..], &columns, &TIERS].concat();
    let bounds = ["--bounds", "visits=0,77", "--bounds", "chronic_index=0,60"];
    let release = json(&[&common[..], &bounds].concat());
    let names: Vec<&str> =
        (0..2).map(|at| release["answers"][at]["column"].as_str().unwrap()).collect();
    assert_eq!(names, ["visits", "chronic_index"]);
    assert_eq!(release["answers"][1]["bounds"], serde_json::json!([0.0, 60.0]));
    // The same people and errors relative to the bounds: equal parts.
    assert_eq!(release["answers"][1]["share"], 0.5);
    assert_eq!(release["shares"], "equal-errors");
    let (code, said) = refused(&[&common[..], &bounds[..2], &["--bounds", "0,9"]].concat());
    assert!(code == 1 && said.contains("of which column"), "{said}");
}

#[test]
fn plans_say_what_each_answer_would_cost() {
    let text = stdout(&["plan", SURVEY]);
    assert!(text.contains("Answer 2: mean of visits by health (20 % of every budget)"), "{text}");
    let plan = json(&["plan", SURVEY, "--profile", "0.1:3400,1:4000,inf:23"]);
    let answers = plan["answers"].as_array().unwrap();
    assert_eq!(answers.len(), 4);
    // Two fifths of the budgets of the others.
    let alone = json(&["plan", "--profile", "0.04:3400,0.4:4000,inf:23", "--bounds", "0,77"]);
    let (rmse, of_share) = (&alone["estimators"][0]["rmse"], &answers[0]["estimators"][0]["rmse"]);
    let (rmse, of_share) = (rmse.as_f64().unwrap(), of_share.as_f64().unwrap());
    assert!((rmse / of_share - 1.0).abs() < 1e-9, "{rmse} {of_share}");
}
