//! The cases in `cases/`, which other languages run as well.

use std::fs;

use suum_audit::{Progress, Report, Settings, Subject, Version, audit, registered, specimens};
use suum_core::Neighbors;

/// The audit that a case asks for.
fn run(case: &toml::Table) -> Report {
    let text = |key: &str| case[key].as_str().unwrap();
    let whole = |key: &str| u64::try_from(case[key].as_integer().unwrap()).unwrap();
    let settings = Settings { runs: whole("runs"), seed: whole("seed"), ..Settings::default() };
    if let Some(name) = text("mechanism").strip_prefix("specimen:") {
        let corrected = case.get("corrected").is_some_and(|corrected| corrected.as_bool().unwrap());
        let version = if corrected { Version::Corrected } else { Version::Published };
        let all = specimens(version).unwrap();
        let specimen = all.iter().find(|specimen| specimen.name() == name).unwrap();
        return audit(&[specimen], &settings, &Progress::default()).unwrap();
    }
    let neighbors = match text("neighbors") {
        "replace" => Neighbors::ReplaceOne,
        "add-remove" => Neighbors::AddRemove,
        other => panic!("{other}"),
    };
    let all = registered(&text("profile").parse().unwrap()).unwrap();
    let asked = (text("mechanism"), text("statistic"), neighbors);
    let found = all
        .iter()
        .find(|one| (one.estimator(), one.statistic(), one.neighbors()) == asked)
        .unwrap();
    audit(&[found], &settings, &Progress::default()).unwrap()
}

#[test]
#[ignore = "takes seconds"]
fn every_case_has_its_verdict() {
    let mut cases = 0;
    for entry in fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cases")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "toml") {
            continue;
        }
        let file: toml::Table = fs::read_to_string(&path).unwrap().parse().unwrap();
        for case in file["case"].as_array().unwrap() {
            let case = case.as_table().unwrap();
            const KEYS: [&str; 9] = [
                "mechanism",
                "corrected",
                "statistic",
                "neighbors",
                "profile",
                "runs",
                "seed",
                "verdict",
                "certified",
            ];
            assert!(
                case.keys().all(|key| KEYS.contains(&key.as_str())),
                "{}: {case}",
                path.display()
            );
            let report = run(case);
            let verdict = toml::Value::try_from(report.verdict()).unwrap();
            assert_eq!(verdict, case["verdict"], "{}: {case}\n{}", path.display(), report.text());
            if let Some(certified) = case.get("certified") {
                let expected =
                    certified.as_array().unwrap().iter().map(|loss| loss.as_float().unwrap());
                let levels =
                    report.subjects[0].levels.iter().map(|level| level.certified.rounded_up());
                let both: Vec<(f64, f64)> = levels.zip(expected).collect();
                assert_eq!(both.len(), certified.as_array().unwrap().len());
                for (found, expected) in both {
                    // Integer weights keep 40 binary digits.
                    let near = found == expected || (found - expected).abs() <= 1e-11 * expected;
                    assert!(near, "{}: {case}\n{found} {expected}", path.display());
                }
            }
            cases += 1;
        }
    }
    assert!(cases > 25, "{cases} cases were found");
}
