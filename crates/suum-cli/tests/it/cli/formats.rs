//! Answers as CSV and as Markdown.

use std::fs;

use super::common::{LedgerFolder, RANDHIE, TIERS, VISITS, json, refused, stdout};

/// Rows of the CSV that a command prints, each by the names of the header.
fn csv(arguments: &[&str]) -> Vec<std::collections::HashMap<String, String>> {
    let text = stdout(&[arguments, &["--format", "csv"]].concat());
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().unwrap().split(',').collect();
    assert_eq!(header[..6], ["group", "statistic", "estimate", "lower", "upper", "epsilon"]);
    let row = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        assert_eq!(cells.len(), header.len(), "{line}");
        header.iter().zip(cells).map(|(name, cell)| ((*name).to_owned(), cell.to_owned())).collect()
    };
    lines.map(row).collect()
}

const SEED: [&str; 2] = ["--insecure-seed", "4"];

#[test]
fn csv_has_the_numbers_of_the_json() {
    let mean = [&["mean", RANDHIE], &VISITS[..], &TIERS, &SEED].concat();
    let (rows, release) = (csv(&mean), json(&mean));
    assert_eq!(rows.len(), 1);
    let number = |name: &str| rows[0][name].parse::<f64>().unwrap();
    assert_eq!(number("estimate"), release["estimate"].as_f64().unwrap());
    assert_eq!(number("lower"), release["interval"]["lower"].as_f64().unwrap());
    assert_eq!(number("upper"), release["interval"]["upper"].as_f64().unwrap());
    let spent = release["privacy"].as_array().unwrap().iter();
    let most = spent.map(|tier| tier["spent"].as_f64().unwrap()).fold(0.0, f64::max);
    assert_eq!(number("epsilon"), most);
    let cells = ["statistic", "group", "column", "private"].map(|name| rows[0][name].as_str());
    assert_eq!(cells, ["mean", "", "visits", "false"]);
}

#[test]
fn csv_has_a_row_for_each_estimate_of_each_group() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("people.csv").to_str().unwrap().to_owned();
    let rows: Vec<String> = (0..60)
        .map(|row| format!("{},{},{},1", row % 7, ["n", "s"][row % 2], ["f", "m"][row / 30]))
        .collect();
    fs::write(&file, format!("v,site,sex,e\n{}\n", rows.join("\n"))).unwrap();
    let groups = ["--group-by", "site", "--groups", "n,s,w", "--epsilon", "e"];
    let of = |statistic: &str, more: &[&str]| csv(&[&[statistic, &file], more, &groups].concat());
    let names = |rows: &[std::collections::HashMap<String, String>], name: &str| {
        rows.iter().map(|row| row[name].clone()).collect::<Vec<_>>()
    };
    let quantiles = of("quantile", &["--value", "v", "--bounds", "0,9", "--q", "0.5,0.9"]);
    assert_eq!(names(&quantiles, "group"), ["n", "n", "s", "s", "w"]);
    assert_eq!(names(&quantiles, "label"), ["0.5", "0.9", "0.5", "0.9", ""]);
    assert_eq!(quantiles[4]["estimate"], "");
    let shares = of("frequency", &["--value", "sex", "--categories", "f,m"]);
    assert_eq!(names(&shares, "label"), ["f", "m", "f", "m", ""]);
    // A record that changes its group pays in both.
    let both = ["--value", "v", "--bounds", "0,9", "--neighbors", "both", "--epsilon-range", "1,1"];
    let moved = of("mean", &both);
    assert!(
        moved.iter().filter(|row| !row["estimate"].is_empty()).all(|row| row["epsilon"] == "1")
    );
    let difference =
        of("mean", &["--value", "v", "--bounds", "0,9", "--between", "n,s", "--no-adapt"]);
    assert_eq!(names(&difference, "group"), ["n", "s", "n − s"]);
    let crosstab = ["frequency", &file, "--crosstab", "site,sex", "--epsilon", "e"];
    let labels = ["--categories", "n,s", "--categories", "f,m", "--format", "csv"];
    let text = stdout(&[&crosstab[..], &labels].concat());
    // A header, four cells, and two margins of two.
    assert_eq!(text.lines().count(), 1 + 4 + 4, "{text}");
    assert!(text.contains("\"n, all\"") && text.contains("\"all, f\""), "{text}");
    let survey = ["mean", &file, "--value", "v,w", "--bounds", "v=0,9", "--bounds", "w=0,99"];
    fs::write(&file, "v,w,e\n1,20,inf\n2,30,inf\n").unwrap();
    let both = csv(&[&survey[..], &["--epsilon", "e"]].concat());
    assert_eq!(names(&both, "column"), ["v", "w"]);
}

#[test]
fn csv_writes_dates_as_dates_and_quotes_labels() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("days.csv").to_str().unwrap().to_owned();
    fs::write(&file, "day,site,e\n2024-01-02,\"a, b\",inf\n2024-01-04,\"a, b\",inf\n").unwrap();
    let mean = ["mean", &file, "--value", "day", "--bounds", "2024-01-01,2024-12-31"];
    let text = stdout(&[&mean[..], &["--epsilon", "e", "--format", "csv"]].concat());
    assert!(text.contains("2024-01-0"), "{text}");
    let groups = ["count", &file, "--epsilon", "e", "--group-by", "site", "--groups", "a\\, b,c"];
    let text = stdout(&[&groups[..], &["--format", "csv"]].concat());
    assert!(text.contains("\n\"a, b\",count,2,"), "{text}");
}

#[test]
fn formats_that_a_command_does_not_have_are_refused_before_anything_is_paid() {
    let ledger = LedgerFolder::new("d", &["--levels", "p=1"]);
    let path = ledger.ledger();
    let charge = ["ledger", "charge", &path, "--tier", "p=0.5", "--because", "x"];
    let (code, _) = refused(&[&charge[..], &["--format", "csv"]].concat());
    assert_eq!(code, 2);
    let shown = json(&["ledger", "show", &path]);
    assert_eq!(shown[0]["tiers"][0]["spent"], 0.0, "{shown}");
    let plan = ["plan", "--profile", "1:500", "--format", "csv"];
    let (code, errors) = refused(&plan);
    assert!(code != 0 && errors.contains("format"), "{errors}");
}

#[test]
fn markdown_has_the_answer_its_tiers_and_the_command() {
    let mean = [&["mean", RANDHIE], &VISITS[..], &TIERS, &SEED].concat();
    let brief = stdout(&[&mean[..], &["--format", "markdown"]].concat());
    assert!(brief.starts_with("**NOT PRIVATE"), "{brief}");
    for words in ["### ", "| strict |", "| ---: |", "suum mean DATA --value visits"] {
        assert!(brief.contains(words), "{words}: {brief}");
    }
    assert!(!brief.contains("What is guaranteed"), "{brief}");
    let full = stdout(&[&mean[..], &["--format", "markdown", "--explain"]].concat());
    assert!(full.contains("#### What is guaranteed"), "{full}");
    for row in full.lines().filter(|line| line.starts_with('|')) {
        assert!(row.ends_with('|'), "{row}");
    }
    let groups =
        [&mean[..], &["--group-by", "health", "--groups", "good,poor", "--other-group", "_x"]];
    let grouped = stdout(&[&groups.concat()[..], &["--format", "markdown"]].concat());
    assert!(grouped.contains("| \\_x |"), "{grouped}");
    let plan = ["plan", "--profile", "0.1:500,inf:5", "--format", "markdown"];
    assert!(stdout(&plan).contains("| --- |"));
}
