//! Releases from the command line: the contract of names, JSON and determinism.

use std::fs;

use super::common::{RANDHIE, TIERS, VISITS, json, refused, release, stdout, suum};
use serde_json::{Value, json};

fn mean(more: &[&str]) -> Vec<String> {
    [&["mean", RANDHIE], &VISITS[..], &TIERS[..], more]
        .concat()
        .into_iter()
        .map(str::to_owned)
        .collect()
}

fn mean_json(more: &[&str]) -> Value {
    let arguments = mean(more);
    json(&arguments.iter().map(String::as_str).collect::<Vec<_>>())
}

const TRUE_MEAN: f64 = 57_752.0 / 20_190.0;

#[test]
fn the_json_of_a_mean_keeps_the_contract() {
    let release = mean_json(&[]);
    assert_eq!(release["statistic"], "mean");
    assert_eq!(release["column"], "visits");
    assert_eq!(release["estimator"]["name"], "typical");
    assert!(release["estimator"]["tau"].is_f64());
    assert_eq!(release["target"], "population");
    assert_eq!(release["neighbors"], "replace");
    assert_eq!(release["bounds"], json!([0.0, 77.0]));
    assert_eq!(release["private"], true);
    assert_eq!(release["interval"]["confidence"], 0.95);
    assert_eq!(release["noise"]["distribution"], "discrete-laplace");
    // The part of the grid in the range that was learned.
    assert!(release["noise"]["grid"].as_u64().unwrap() <= 1_073_741_824);
    let range = release["learned_range"]["bounds"].as_array().unwrap();
    assert!(range[0].as_f64().unwrap() >= 0.0 && range[1].as_f64().unwrap() <= 77.0);
    assert!(
        release["noise"]["scale"].as_str().unwrap().bytes().all(|digit| digit.is_ascii_digit())
    );
    for part in ["noise_sd", "sampling_sd", "rmse"] {
        assert!(release["error"][part].as_f64().unwrap() > 0.0, "{part}");
    }
    // The variance of the visits is 20.3, and less in a narrower range.
    let spread = |key: &str| release["spread"][key].as_f64().unwrap();
    assert!(0.0 <= spread("variance") && spread("variance") <= spread("bound"));
    assert!(5.0 < spread("bound") && spread("bound") < 100.0, "{}", release["spread"]);
    let tiers = release["privacy"].as_array().unwrap();
    let names: Vec<&str> = tiers.iter().map(|tier| tier["level"].as_str().unwrap()).collect();
    assert_eq!(names, ["strict", "standard", "relaxed", "public"]);
    let counts: Vec<u64> = tiers.iter().map(|tier| tier["count"].as_u64().unwrap()).collect();
    assert_eq!(counts, [6835, 8767, 4028, 560]);
    assert_eq!(tiers[3]["epsilon"], "inf");
    for tier in &tiers[..3] {
        assert!(tier["spent"].as_f64().unwrap() <= tier["epsilon"].as_f64().unwrap());
    }
    let weights: f64 = tiers
        .iter()
        .map(|tier| tier["weight"].as_f64().unwrap() * tier["count"].as_f64().unwrap())
        .sum();
    assert!((weights - 1.0).abs() < 1e-12);
    // Noise has a standard deviation of 0.08 and the tiers were drawn at random: off by 2 with
    // probability e^-36.
    assert!((release["estimate"].as_f64().unwrap() - TRUE_MEAN).abs() < 2.0);
}

#[test]
fn private_releases_differ_and_seeded_ones_do_not() {
    assert_ne!(mean_json(&[])["estimate"], mean_json(&[])["estimate"]);
    let seeded = mean_json(&["--insecure-seed", "7"]);
    assert_eq!(seeded, mean_json(&["--insecure-seed", "7"]));
    assert_ne!(seeded["estimate"], mean_json(&["--insecure-seed", "8"])["estimate"]);
    assert_eq!(seeded["private"], false);
    let arguments = mean(&["--insecure-seed", "7"]);
    let text = stdout(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
    assert!(text.starts_with("NOT PRIVATE"));
}

/// The records of the example in another order, in several files, or on standard input: the same
/// release.
#[test]
fn order_and_files_do_not_matter() {
    let expected = mean_json(&["--insecure-seed", "7"]);
    let text =
        fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/randhie.csv"))
            .unwrap();
    let (header, body) = text.split_once('\n').unwrap();
    let mut rows: Vec<&str> = body.lines().collect();
    rows.reverse();
    let folder = tempfile::tempdir().unwrap();
    for (index, part) in rows.chunks(3001).enumerate() {
        fs::write(
            folder.path().join(format!("part-{index}.csv")),
            format!("{header}\n{}\n", part.join("\n")),
        )
        .unwrap();
    }
    let path = folder.path().to_str().unwrap().to_owned();
    for data in [path.clone(), format!("{path}/part-*.csv")] {
        let arguments =
            [&["mean", &data], &VISITS[..], &TIERS[..], &["--insecure-seed", "7"]].concat();
        assert_eq!(json(&arguments), expected, "{data}");
    }
    let piped =
        [&["mean", "-"], &VISITS[..], &TIERS[..], &["--insecure-seed", "7", "--format", "json"]]
            .concat();
    let output = suum(&piped).write_stdin(text).output().unwrap();
    assert_eq!(serde_json::from_slice::<Value>(&output.stdout).unwrap(), expected);
}

#[test]
fn a_level_table_gives_the_same_release() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("levels.json");
    let path = file.to_str().unwrap();
    fs::write(&file, stdout(&[&["levels", RANDHIE], &VISITS[..], &TIERS[..]].concat())).unwrap();
    for statistic in ["mean", "sum"] {
        let seed = ["--insecure-seed", "3"];
        let direct = release(&[&[statistic, RANDHIE], &VISITS[..], &TIERS[..], &seed].concat());
        assert_eq!(release(&[&[statistic, "--from-levels", path], &seed[..]].concat()), direct);
    }
    assert_eq!(json(&["count", "--from-levels", path])["estimate"], 20190.0);
    let plan = json(&[&["plan", RANDHIE, "--bounds", "0,77"], &TIERS[..]].concat());
    assert_eq!(json(&["plan", "--from-levels", path]), plan);
    // What contradicts the table is refused.
    for wrong in [["--bounds", "0,78"], ["--value", "health"]] {
        let (code, message) = refused(&[&["mean", "--from-levels", path], &wrong[..]].concat());
        assert!(code == 1 && message.contains("hint: "), "{message}");
    }

    let categories = ["--value", "health", "--categories", "excellent,good,fair,poor"];
    fs::write(&file, stdout(&[&["levels", RANDHIE], &categories[..], &TIERS[..]].concat()))
        .unwrap();
    let seed = ["--insecure-seed", "3"];
    let direct = release(&[&["frequency", RANDHIE], &categories[..], &TIERS[..], &seed].concat());
    assert_eq!(release(&[&["frequency", "--from-levels", path], &seed[..]].concat()), direct);
}

#[test]
fn missing_cells_are_in_a_level_table_what_they_are_in_a_release() {
    let folder = tempfile::tempdir().unwrap();
    let (data, levels) = (folder.path().join("people.csv"), folder.path().join("levels.json"));
    fs::write(&data, "tier,x,kind\na,1,red\na,,\nb,3,blue\nb,2,red\n").unwrap();
    let (data, path) = (data.to_str().unwrap(), levels.to_str().unwrap());
    let tiers = ["--privacy", "tier", "--levels", "a=1,b=2"];
    for (statistic, column) in [
        ("mean", ["--value", "x", "--bounds", "0,4", "--missing", "2"]),
        ("frequency", ["--value", "kind", "--categories", "red,blue", "--missing", "blue"]),
    ] {
        fs::write(&levels, stdout(&[&["levels", data, "--quiet"], &column[..], &tiers].concat()))
            .unwrap();
        let seed = ["--insecure-seed", "3"];
        let direct = release(&[&[statistic, data], &column[..], &tiers, &seed].concat());
        assert_eq!(release(&[&[statistic, "--from-levels", path], &seed[..]].concat()), direct);
        let (_, message) = refused(&[&["levels", data], &column[..4], &tiers].concat());
        assert!(message.contains("hint: "), "{message}");
    }
    let number = ["--value", "x", "--bounds", "0,4", "--missing", "blue"];
    let (code, message) = refused(&[&["levels", data], &number[..], &tiers].concat());
    assert!(code == 1 && message.contains("missing: expected a number"), "{message}");
}

#[test]
fn a_sum_is_the_number_of_records_times_the_mean() {
    let seed = ["--insecure-seed", "5"];
    let sum = json(&[&["sum", RANDHIE], &VISITS[..], &TIERS[..], &seed].concat());
    let mean = mean_json(&seed);
    let ratio = sum["estimate"].as_f64().unwrap() / mean["estimate"].as_f64().unwrap();
    assert!((ratio - 20190.0).abs() < 1e-6);
    assert_eq!(sum["privacy"], mean["privacy"]);
}

#[test]
fn a_count_is_exact_and_free() {
    let count = json(&[&["count", RANDHIE], &TIERS[..]].concat());
    assert_eq!(count["estimate"], 20190.0);
    assert_eq!(count["noise"]["distribution"], "none");
    for tier in count["privacy"].as_array().unwrap() {
        assert_eq!(tier["spent"], 0.0);
    }
}

#[test]
fn frequencies_keep_the_contract() {
    let categories = ["--value", "health", "--categories", "excellent,good,fair,poor"];
    let release = json(&[&["frequency", RANDHIE], &categories[..], &TIERS[..]].concat());
    assert_eq!(release["statistic"], "frequency");
    let truth = [11019.0, 7309.0, 1560.0, 302.0].map(|count| count / 20190.0);
    let mut total = 0.0;
    for ((entry, name), truth) in release["frequencies"]
        .as_array()
        .unwrap()
        .iter()
        .zip(["excellent", "good", "fair", "poor"])
        .zip(truth)
    {
        assert_eq!(entry["category"], name);
        let estimate = entry["estimate"].as_f64().unwrap();
        total += estimate;
        // Ten standard deviations of noise and weighting.
        assert!((estimate - truth).abs() < 0.05, "{name}: {estimate}");
        let interval = &entry["interval"];
        assert!(
            interval["lower"].as_f64().unwrap() <= estimate
                && estimate <= interval["upper"].as_f64().unwrap()
        );
    }
    assert!((total - 1.0).abs() < 1e-9);

    let raw =
        json(&[&["frequency", RANDHIE], &categories[..], &TIERS[..], &["--post", "none"]].concat());
    assert_eq!(raw["post"], "none");
    let bins = ["--value", "visits", "--bins", "0,1,5", "--other", "more"];
    let release = json(&[&["frequency", RANDHIE], &bins[..], &TIERS[..]].concat());
    let names: Vec<&str> = release["frequencies"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| entry["category"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["[0, 1)", "[1, 5]", "more"]);
}

#[test]
fn every_estimator_and_target_can_be_asked_for() {
    for target in ["population", "dataset", "dataset-correlated"] {
        let plan = json(&["plan", "--profile", "0.1:50,1:20", "--target", target]);
        let estimators = plan["estimators"].as_array().unwrap();
        for estimator in estimators.iter().filter(|estimator| estimator["for_study"].is_null()) {
            let name = estimator["name"].as_str().unwrap();
            let levels = "strict=0.01,standard=0.1,relaxed=1,public=5";
            let tiers = ["--privacy", "privacy", "--levels", levels];
            let options = ["--estimator", name, "--target", target];
            let release = json(&[&["mean", RANDHIE], &VISITS[..], &tiers[..], &options].concat());
            assert_eq!(release["estimator"]["name"], name);
            for tier in release["privacy"].as_array().unwrap() {
                assert!(
                    tier["spent"].as_f64().unwrap() <= tier["epsilon"].as_f64().unwrap(),
                    "{name}"
                );
            }
        }
    }
}

#[test]
fn numeric_budgets_and_missing_values() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("people.csv");
    fs::write(&file, "eps,x\n0.5,3\ninf,\n1,nan\n0,9\n0.5,4\n").unwrap();
    let path = file.to_str().unwrap();
    let arguments = ["mean", path, "--value", "x", "--bounds", "0,10", "--epsilon", "eps"];
    let (code, message) = refused(&arguments);
    assert_eq!(code, 1);
    assert!(message.contains("column x, row 2") && message.contains("--missing"), "{message}");
    let release = json(&[&arguments[..], &["--missing", "5"]].concat());
    let levels: Vec<&str> = release["privacy"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tier| tier["level"].as_str().unwrap())
        .collect();
    assert_eq!(levels, ["0", "0.5", "1", "inf"]);
    assert_eq!(release["privacy"][0]["weight"], 0.0, "ε = 0 means: do not use");
    assert_eq!(release["privacy"][0]["spent"], 0.0);
}
