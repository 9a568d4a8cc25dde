//! Snapshots of texts for readers: `INSTA_UPDATE=always cargo test` writes them anew.

use super::common::{self, RANDHIE, TIERS, VISITS};

/// The short text, and the one that explains.
fn stdout(arguments: &[&str]) -> String {
    let explained = common::stdout(&[arguments, &["--explain"]].concat());
    format!("{}\n$ --explain\n\n{explained}", common::stdout(arguments))
}

const SEED: [&str; 2] = ["--insecure-seed", "2026"];

#[test]
fn mean() {
    insta::assert_snapshot!(stdout(&[&["mean", RANDHIE], &VISITS[..], &TIERS[..], &SEED].concat()));
}

#[test]
fn mean_of_correlated_records_shrunk() {
    let options = ["--target", "dataset-correlated", "--shrink"];
    let tiers = ["--privacy", "privacy_correlated", TIERS[2], TIERS[3]];
    insta::assert_snapshot!(stdout(
        &[&["mean", RANDHIE], &VISITS[..], &tiers, &SEED, &options].concat()
    ));
}

#[test]
fn sum() {
    let options = ["--target", "dataset", "--estimator", "threshold"];
    insta::assert_snapshot!(stdout(
        &[&["sum", RANDHIE], &VISITS[..], &TIERS[..], &SEED, &options].concat()
    ));
}

#[test]
fn count() {
    insta::assert_snapshot!(stdout(&[&["count", RANDHIE], &TIERS[..]].concat()));
}

#[test]
fn frequency() {
    let categories = ["--value", "health", "--categories", "excellent,good,fair,poor"];
    insta::assert_snapshot!(stdout(
        &[&["frequency", RANDHIE], &categories[..], &TIERS[..], &SEED].concat()
    ));
}

#[test]
fn plan() {
    insta::assert_snapshot!(stdout(&[
        "plan",
        "--profile",
        "0.1:3400,0.5:4300,inf:23",
        "--what-if",
        "inf:+500"
    ]));
}

#[test]
fn plan_of_many_levels() {
    let profile: Vec<String> =
        (1..=400).map(|i| format!("{}:{}", f64::from(i) / 100.0, i)).collect();
    insta::assert_snapshot!(stdout(&[
        "plan",
        "--profile",
        &profile.join(","),
        "--bounds",
        "0,100"
    ]));
}

#[test]
fn plan_of_frequencies() {
    let categories = ["--statistic", "frequency", "--categories", "a,b,c,d,e"];
    insta::assert_snapshot!(stdout(
        &[&["plan", "--profile", "0.1:3400,2:4300"], &categories[..]].concat()
    ));
}

/// A release of the example's visits with these options.
fn of_visits(command: &str, options: &[&str]) -> String {
    stdout(&[&[command, RANDHIE], &VISITS[..], &TIERS[..], &SEED, options].concat())
}

#[test]
fn median() {
    insta::assert_snapshot!(of_visits("quantile", &["--step", "1"]));
}

#[test]
fn quantiles() {
    insta::assert_snapshot!(of_visits("quantile", &["--q", "0.9,0.1,0.5", "--target", "dataset"]));
}

#[test]
fn variance() {
    insta::assert_snapshot!(of_visits("variance", &[]));
}

#[test]
fn summary() {
    insta::assert_snapshot!(of_visits("summary", &["--split", "quantile=2", "--step", "1"]));
}

#[test]
fn means_of_groups() {
    let groups = ["--group-by", "health", "--groups", "excellent,good,unknown", "--other", "worse"];
    insta::assert_snapshot!(of_visits("mean", &groups));
}

#[test]
fn median_of_too_few_persons() {
    // The index of chronic illness names nobody; it stands for a column of identifiers, of which
    // there are 31.
    insta::assert_snapshot!(of_visits("quantile", &["--person", "chronic_index", "--rows", "3"]));
}

#[test]
fn plan_of_quantiles() {
    let quantiles = ["--statistic", "quantile", "--q", "0.5,0.9", "--bounds", "0,100"];
    insta::assert_snapshot!(stdout(
        &[&["plan", "--profile", "0.1:3400,0.5:4300,inf:23"], &quantiles[..]].concat()
    ));
}

#[test]
fn plan_of_several_statistics() {
    let several = ["--statistic", "mean,variance,q50", "--bounds", "0,100"];
    insta::assert_snapshot!(stdout(
        &[&["plan", "--profile", "0.1:3400,0.5:4300,inf:23"], &several[..]].concat()
    ));
}
