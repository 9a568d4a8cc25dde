//! `--tiers-differ`: intervals that allow for budgets that have to do with values.

use std::fs;

use serde_json::Value;

use super::common::{RANDHIE, TIERS, VISITS, json, refused, release, stdout, suum};

const SEED: [&str; 2] = ["--insecure-seed", "4"];

/// A release of the example data.
fn release_example(statistic: &str, options: &[&str]) -> Value {
    release(&[&[statistic, RANDHIE], &TIERS[..], options, &SEED].concat())
}

fn ends(answer: &Value) -> [f64; 2] {
    ["lower", "upper"].map(|end| answer["interval"][end].as_f64().unwrap())
}

fn length(answer: &Value) -> f64 {
    let [lower, upper] = ends(answer);
    upper - lower
}

#[test]
fn interval_grows_with_the_declared_difference() {
    let mut last = 0.0;
    for difference in ["0", "0.25", "1", "5", "100%"] {
        let answer =
            release_example("mean", &[&VISITS[..], &["--tiers-differ", difference]].concat());
        assert!(length(&answer) > last, "{difference}");
        last = length(&answer);
        let is_none = difference == "0";
        assert_eq!(answer.get("tiers_differ").is_none(), is_none);
        assert_eq!(answer["sensitivity"].get("declared").is_none(), is_none);
        let first = &answer["sensitivity"]["curve"][0];
        assert_eq!(
            [&first["lower"], &first["upper"]].map(|end| end.as_f64().unwrap()),
            ends(&answer)
        );
    }
    // Values of the example are known: tiers differ by nothing, and the mean is 2.86.
    let answer = release_example("mean", &[&VISITS[..], &["--tiers-differ", "1"]].concat());
    let [lower, upper] = ends(&answer);
    assert!(lower < 2.86 && 2.86 < upper && upper - lower < 1.4, "{lower} {upper}");
    assert_eq!(answer["assumes"][0], "The means of tiers differ by at most 1.");
}

/// Budgets of the column `privacy_correlated` follow health: the mean of the strict tier is 3.12,
/// that of the relaxed one 2.71, and that of all 2.86.
#[test]
fn interval_holds_the_mean_where_budgets_follow_health() {
    let levels = ["--levels", "strict=0.01,standard=0.1,relaxed=1,public=inf"];
    let people = [&["mean", RANDHIE, "--privacy", "privacy_correlated"], &levels[..]].concat();
    let answer = |options: &[&str]| release(&[&people[..], &VISITS, options, &SEED].concat());
    let plain = length(&answer(&[]));
    for options in [["--tiers-differ", "0.5"], ["--tiers-differ", "+0.5"]] {
        let answer = answer(&options);
        let [lower, upper] = ends(&answer);
        assert!(lower < 2.86 && 2.86 < upper, "{options:?}: {lower} {upper}");
        assert!(length(&answer) > plain);
    }
}

#[test]
fn all_of_the_width_is_the_correlated_target() {
    let dataset = ["--target", "dataset", "--tiers-differ"];
    let correlated =
        release_example("mean", &[&VISITS[..], &["--target", "dataset-correlated"]].concat());
    for all in ["77", "100%", "200"] {
        let answer = release_example("mean", &[&VISITS[..], &dataset, &[all]].concat());
        for key in ["estimate", "interval", "privacy", "target", "estimator"] {
            assert_eq!(answer[key], correlated[key], "{all} {key}");
        }
    }
}

#[test]
fn every_statistic_that_has_a_form_takes_it_and_verifies() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("release.json");
    let health = ["--group-by", "health", "--groups", "excellent,good,fair,poor"];
    let shares = ["--value", "health", "--categories", "excellent,good,fair,poor"];
    let cases: [(&str, Vec<&str>, &str); 7] = [
        ("mean", VISITS.to_vec(), "1"),
        ("mean", [&VISITS[..], &health].concat(), "+1"),
        ("sum", [&VISITS[..], &["--no-adapt"]].concat(), "-10%"),
        ("median", [&VISITS[..], &["--step", "1"]].concat(), "5pp"),
        ("frequency", shares.to_vec(), "3%"),
        ("mean", vec!["--value", "visits", "--bounds", "auto"], "1"),
        (
            "difference",
            [&VISITS[..], &health, &["--between", "excellent,poor", "--no-adapt"]].concat(),
            "0.5",
        ),
    ];
    for (statistic, options, difference) in cases {
        let options = [&options[..], &["--tiers-differ", difference]].concat();
        let (with, without) = (
            release_example(statistic, &options),
            release_example(statistic, &options[..options.len() - 2]),
        );
        fs::write(&file, with.to_string()).unwrap();
        let said = stdout(&["verify", file.to_str().unwrap()]);
        assert!(said.contains("It agrees"), "{statistic}: {said}");
        let text = with.to_string();
        assert!(text.contains(&format!("\"tiers_differ\":\"{difference}\"")), "{statistic} {text}");
        if with["interval"].is_object() {
            assert!(length(&with) > length(&without), "{statistic}");
        }
    }
}

#[test]
fn plan_says_what_a_release_would() {
    let plan =
        |options: &[&str]| json(&[&["plan", RANDHIE], &TIERS[..], &VISITS, options].concat());
    let (with, without) = (plan(&["--tiers-differ", "1"]), plan(&[]));
    assert_eq!(with["tiers_differ"], "1");
    let chosen = |plan: &Value| {
        let all = plan["estimators"].as_array().unwrap().clone();
        all.into_iter().find(|one| one["name"] == plan["chosen"]).unwrap()
    };
    let rmse = |plan: &Value| chosen(plan)["rmse"].as_f64().unwrap();
    assert!(rmse(&with) > rmse(&without));
    let chosen = chosen(&with);
    assert!(chosen["bias_bound"].as_f64().unwrap() > 0.1);
}

/// The rest of the budgets can be in another order than the budgets that people chose.
#[test]
fn ledger_forgets_the_order_of_means() {
    let folder = tempfile::tempdir().unwrap();
    let ledger = folder.path().join("study.ledger");
    let ledger = ledger.to_str().unwrap();
    let levels = "strict=0.01,standard=0.1,relaxed=1,public=inf";
    let made = suum(&["ledger", "init", ledger, "--dataset", "visits", "--levels", levels])
        .output()
        .unwrap();
    assert!(made.status.success(), "{made:?}");
    let people = [RANDHIE, "--privacy", "privacy"];
    let spend = ["--ledger", ledger, "--spend", "10%", "--tiers-differ", "+1"];
    let answer = json(&[&["mean"], &people[..], &VISITS, &spend].concat());
    assert_eq!(answer["tiers_differ"], "1");
}

#[test]
fn refuses_what_it_cannot_allow_for() {
    let said = |statistic: &str, options: &[&str]| {
        refused(&[&[statistic, RANDHIE], &TIERS[..], &VISITS, options].concat()).1
    };
    for (statistic, options, word) in [
        ("mean", ["--neighbors", "add-remove", "--tiers-differ", "1"], "private"),
        ("mean", ["--target", "dataset-correlated", "--tiers-differ", "1"], "any difference"),
        ("mean", ["--confidence", "0.9", "--tiers-differ", "5pp"], "shares"),
        ("median", ["--confidence", "0.9", "--tiers-differ", "2"], "1 at most"),
        ("variance", ["--confidence", "0.9", "--tiers-differ", "1"], "no such option"),
        ("mean", ["--confidence", "0.9", "--tiers-differ", "much"], "10%"),
    ] {
        let said = said(statistic, &options);
        assert!(said.contains("tiers-differ") && said.contains(word), "{said}");
        assert!(said.contains("hint:"), "{said}");
    }
    let bounds = ["--bounds", "auto", "--tiers-differ", "10%"];
    let people = [&["mean", RANDHIE, "--value", "visits"], &TIERS[..], &bounds].concat();
    let (_, said) = refused(&people);
    assert!(said.contains("needs declared bounds"), "{said}");
}

#[test]
fn tiers_apart_show_every_tier_and_any_difference() {
    let answer =
        release_example("mean", &[&VISITS[..], &["--tiers-apart", "--tiers-differ", "1"]].concat());
    let tiers = answer["tiers_apart"]["tiers"].as_array().unwrap();
    let names: Vec<&str> = tiers.iter().map(|one| one["level"].as_str().unwrap()).collect();
    assert_eq!(names, ["strict", "standard", "relaxed", "public"]);
    assert_eq!(answer["tiers_apart"]["contrasts"].as_array().unwrap().len(), 6);
    let [lower, upper] = ends(&answer);
    assert!(lower < 2.86 && 2.86 < upper && upper - lower < 1.3, "{lower} {upper}");
    let curve = answer["sensitivity"]["curve"].as_array().unwrap();
    let last = curve.last().unwrap();
    let end = |end: &str| last[end].as_f64().unwrap();
    assert!(end("lower") < 2.86 && 2.86 < end("upper") && end("upper") < 10.0, "{last}");
    for row in answer["privacy"].as_array().unwrap() {
        assert_eq!(row["spent"], row["epsilon"], "{row}");
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("release.json");
    fs::write(&file, answer.to_string()).unwrap();
    let file = file.to_str().unwrap();
    assert!(stdout(&["verify", file]).contains("It agrees"));
    let asked = stdout(&["sensitivity", file, "--claim", "above 0", "--format", "json"]);
    let asked: Value = serde_json::from_str(&asked).unwrap();
    assert_eq!(&asked["answers"][0]["curve"], &answer["sensitivity"]["curve"]);
    let people = [&["mean", RANDHIE], &TIERS[..], &VISITS, &["--tiers-apart"], &SEED].concat();
    let all = "excellent,good,fair,poor";
    let groups = ["--group-by", "health", "--groups", all, "--tiers-apart"];
    let between = [&VISITS[..], &groups, &["--between", "excellent,good"]].concat();
    let difference = release_example("difference", &between);
    let [lower, upper] = ends(&difference);
    assert!(lower < -0.3 && -0.3 < upper, "{lower} {upper}");
    let brief = stdout(&people);
    assert!(brief.contains("deviation at most") && brief.contains("strict"), "{brief}");
    let long = stdout(&[&people[..], &["--explain"]].concat());
    assert!(long.contains("does not show that two tiers are alike"), "{long}");
}

#[test]
fn plan_says_what_tiers_apart_cost() {
    fn plan<'a>(options: &[&'a str]) -> Vec<&'a str> {
        [&["plan", RANDHIE], &TIERS[..], &VISITS, options].concat()
    }
    let price = json(&plan(&[]))["price_of_tiers_apart"].as_f64().unwrap();
    assert!((0.0..0.2).contains(&price), "{price}");
    let said = stdout(&plan(&["--tiers-apart"]));
    assert!(said.contains("Tiers are measured apart"), "{said}");
    let said = stdout(&plan(&[]));
    assert_eq!(said.contains("--tiers-apart"), price <= 0.1, "{said}");
}

#[test]
fn tiers_apart_are_refused_where_they_have_no_form() {
    let said = |options: &[&str]| {
        refused(&[&["mean", RANDHIE], &TIERS[..], &VISITS, &["--tiers-apart"], options].concat()).1
    };
    for options in [
        &["--neighbors", "both"][..],
        &["--shrink"],
        &["--target", "dataset-correlated"],
        &["--adapt"],
    ] {
        let said = said(options);
        assert!(said.contains("hint:"), "{options:?}: {said}");
    }
}
