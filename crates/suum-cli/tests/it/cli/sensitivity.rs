//! `suum sensitivity`: intervals if budgets have to do with values, from a release alone.

use serde_json::Value;
use tempfile::TempDir;

use super::common::{RANDHIE, TIERS, VISITS, refused, stdout};

/// A release in a file, and the file.
fn released(statistic: &str, options: &[&str]) -> (TempDir, String, Value) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("release.json").to_str().unwrap().to_owned();
    let seed = ["--insecure-seed", "1", "--format", "json"];
    let text = stdout(&[&[statistic, RANDHIE], &TIERS[..], options, &seed].concat());
    std::fs::write(&file, &text).unwrap();
    let release = serde_json::from_str(&text).unwrap();
    (folder, file, release)
}

/// JSON of the command about a release in a file.
fn sensitivity(file: &str, options: &[&str]) -> Value {
    let text = stdout(&[&["sensitivity", file, "--format", "json"], options].concat());
    serde_json::from_str(&text).unwrap()
}

#[test]
fn curves_start_at_intervals_and_claims_break() {
    let (_folder, file, release) = released("mean", &VISITS);
    let said = sensitivity(&file, &["--claim", "above 2.5", "--difference", "0.3"]);
    let answer = &said["answers"][0];
    assert_eq!(answer["curve"][0]["lower"], release["interval"]["lower"]);
    assert_eq!(answer["curve"][0]["upper"], release["interval"]["upper"]);
    assert_eq!(answer["curve"], release["sensitivity"]["curve"]);
    assert_eq!(answer["most"], 77.0);
    let broken = answer["breakdown"].as_f64().unwrap();
    assert!(broken > 0.1 && broken < 2.0, "{broken}");
    assert!(answer["at"]["lower"].as_f64().unwrap() < 2.74);
    let text = stdout(&["sensitivity", &file, "--claim", "above 2.5"]);
    assert!(text.contains("\"above 2.5\" follows from the interval if tiers differ by at most"));
    let brief = stdout(&[&["mean", RANDHIE, "--no-adapt"], &TIERS[..], &VISITS].concat());
    assert!(brief.contains("For every 1 by which the means of tiers differ, the mean can be off"));
    assert!(stdout(&["verify", &file]).contains("It agrees"));
}

#[test]
fn forged_sensitivities_do_not_agree() {
    for (from, to) in [("tv", "0.1"), ("curve", "[]")] {
        let (_folder, file, mut release) = released("mean", &VISITS);
        release["sensitivity"][from] = serde_json::from_str(to).unwrap();
        std::fs::write(&file, release.to_string()).unwrap();
        let output = super::common::suum(&["verify", &file]).output().unwrap();
        assert!(!output.status.success(), "{from}");
        assert!(String::from_utf8(output.stdout).unwrap().contains("WRONG  sensitivity"));
    }
}

#[test]
fn every_answer_of_every_group_has_its_own() {
    let groups = ["--group-by", "health", "--groups", "excellent,good,fair,poor"];
    let (_folder, file, _) = released("mean", &[&VISITS[..], &groups].concat());
    let said = sensitivity(&file, &[]);
    let answers = said["answers"].as_array().unwrap();
    let of: Vec<&str> = answers.iter().map(|one| one["of"][0].as_str().unwrap()).collect();
    assert_eq!(of, ["excellent", "good", "fair", "poor"]);
    let difference = [&VISITS[..], &groups, &["--between", "excellent,poor"]].concat();
    let (_folder, file, release) = released("difference", &difference);
    let said = sensitivity(&file, &["--claim", "below 0"]);
    let first = &said["answers"][0];
    assert_eq!(
        (first["difference"].as_bool(), said["answers"].as_array().unwrap().len()),
        (Some(true), 3)
    );
    assert_eq!(first["curve"][0]["upper"], release["interval"]["upper"]);
    let tv = |at: usize| said["answers"][at]["tv"].as_f64().unwrap();
    assert!((tv(0) - tv(1) - tv(2)).abs() < 1e-12);
    assert!(stdout(&["verify", &file]).contains("It agrees"));
}

#[test]
fn shares_and_ranks_are_in_points() {
    let categories = ["--value", "health", "--categories", "excellent,good,fair,poor"];
    let (_folder, file, _) = released("frequency", &categories);
    let text = stdout(&["sensitivity", &file, "--claim", "above 30 %"]);
    assert!(text.contains("For every percentage point by which shares of tiers differ"), "{text}");
    assert!(text.contains("points") && text.contains("0.3"), "{text}");
    assert!(stdout(&["verify", &file]).contains("It agrees"));
    let (_folder, file, _) = released("median", &[&VISITS[..], &["--step", "1"]].concat());
    let text = stdout(&["sensitivity", &file, "--claim", "above 1"]);
    assert!(text.contains("rank, but for noise and sampling"), "{text}");
    assert!(text.contains("of a quantile it is the rank that is known"), "{text}");
    assert!(stdout(&["verify", &file]).contains("It agrees"));
}

#[test]
fn releases_without_it_are_refused_with_the_reason() {
    let hidden = [&VISITS[..], &["--neighbors", "add-remove"]].concat();
    let (_folder, file, release) = released("mean", &hidden);
    assert!(release.get("sensitivity").is_none());
    let (code, said) = refused(&["sensitivity", &file]);
    assert!(code != 0 && said.contains("--neighbors replace"), "{said}");
    let (_, said) = refused(&["sensitivity", &file, "--claim", "over 3"]);
    assert!(said.contains("claim: expected above or below"), "{said}");
    let (_, said) = refused(&["sensitivity", &file, "--difference", "-1"]);
    assert!(said.contains("difference: it must be"), "{said}");
}
