//! Means without declared bounds from the command line.

use std::fs;

use super::common::{RANDHIE, TIERS, json, refused, stdout};
use serde_json::Value;

/// 6000 people around 170, 3 in 4 of them at ε = 0.1, with a spread of about 10; a hash of the row
/// stands for chance.
fn people() -> String {
    let rows = (0u64..6000).map(|row| {
        let uniform = |salt: u64| {
            let mixed = (row * 12 + salt + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            ((mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 40) as f64
                / f64::from(1 << 24)
        };
        // Twelve uniform numbers make a bell.
        let bell: f64 = (0..12).map(uniform).sum::<f64>() - 6.0;
        format!("{:.3},{}\n", 170.0 + 10.0 * bell, if row % 4 == 0 { 1.0 } else { 0.1 })
    });
    format!("height,epsilon\n{}", rows.collect::<String>())
}

#[test]
fn a_range_is_found_and_the_mean_inside_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("people.csv");
    fs::write(&path, people()).unwrap();
    let path = path.to_str().unwrap();
    let auto = ["mean", path, "--value", "height", "--bounds", "auto", "--epsilon", "epsilon"];
    for estimator in ["auto", "gaussian"] {
        let release =
            json(&[&auto[..], &["--estimator", estimator, "--insecure-seed", "4"]].concat());
        let number = |value: &Value| value.as_f64().unwrap();
        assert_eq!(release["estimator"]["name"], "gaussian");
        assert_eq!(release["private"], false);
        assert!((number(&release["estimate"]) - 170.0).abs() < 5.0, "{release}");
        let share = number(&release["range"]["share"]);
        assert!(share > 0.0 && share <= 0.5);
        let bounds: Vec<f64> = release["bounds"].as_array().unwrap().iter().map(number).collect();
        assert!(bounds[0] > 50.0 && bounds[1] < 290.0, "{bounds:?}");
        assert!((number(&release["range"]["centre"]) - 170.0).abs() < 10.0);
        assert!(release["range"]["skewed_bias"].is_null(), "nothing reassures falsely");
        assert!(release["interval"].is_null() && release["no_interval"].is_string());
        for tier in release["privacy"].as_array().unwrap() {
            assert!(number(&tier["spent"]) <= number(&tier["epsilon"]));
        }
    }
    let seeded = [&auto[..], &["--insecure-seed", "4"]].concat();
    assert_eq!(stdout(&seeded), stdout(&seeded));
    // Whatever is drawn, the words are the same.
    assert_eq!(json(&auto)["private"], true);
    let text = stdout(&auto);
    assert!(
        text.contains("No bounds were declared.") && text.contains("Estimator: gaussian"),
        "{text}"
    );
    for said in ["No confidence interval: the bounds were learned", "many times larger"] {
        assert!(text.contains(said) && !text.contains("exponential"), "{text}");
    }
}

#[test]
fn a_plan_says_how_the_budget_is_split_and_how_good_anybody_could_be() {
    let plan = json(&["plan", "--profile", "0.01:5000,0.1:4000,1:1000", "--bounds", "auto"]);
    let number = |value: &Value| value.as_f64().unwrap();
    assert_eq!(plan["chosen"], "gaussian");
    assert_eq!(plan["unit"], "standard deviation");
    let shares = plan["range"]["shares"].as_object().unwrap();
    let all: f64 = shares.values().map(number).sum();
    assert!(all <= 1.0 && all > 1.0 - 1e-12, "{all}");
    let (rmse, bound, gap) =
        (number(&plan["error"]["rmse"]), number(&plan["lower_bound"]), number(&plan["gap"]));
    assert!(bound > 0.0 && gap >= 1.0 && (1.15035 * rmse / bound - gap).abs() < 1e-4 * gap);
    let text = stdout(&["plan", "--profile", "0.01:5000,0.1:4000,1:1000", "--bounds", "auto"]);
    assert!(text.contains("How every budget is split"), "{text}");
}

#[test]
fn what_needs_bounds_is_refused() {
    let visits = |command: &'static str, more: &[&'static str]| {
        [&[command, RANDHIE, "--value", "visits", "--bounds", "auto"], &TIERS[..], more].concat()
    };
    for (command, more, named) in [
        ("sum", &[][..], "bounds: auto is for means"),
        ("quantile", &[], "bounds: auto is for means"),
        ("variance", &[], "bounds: auto is for means"),
        ("summary", &[], "bounds: auto is for means"),
        ("mean", &["--variance", "3"], "variance: needs declared bounds"),
        ("mean", &["--shrink"], "shrink: needs declared bounds"),
        ("mean", &["--person", "year"], "person: needs declared bounds"),
        (
            "mean",
            &["--target", "dataset-correlated"],
            "target: dataset-correlated needs declared bounds",
        ),
        ("mean", &["--estimator", "affine"], "estimator: there is none of that name"),
    ] {
        let refusal = refused(&visits(command, more));
        assert!(refusal.1.contains(named), "{command} {more:?}: {}", refusal.1);
    }
    let few = refused(&["plan", "--profile", "0.01:400", "--bounds", "auto"]);
    assert!(
        few.1.contains("not enough for a range at this privacy; need about 32000 records"),
        "{}",
        few.1
    );
    let statistic =
        refused(&["plan", "--profile", "1:4000", "--bounds", "auto", "--statistic", "variance"]);
    assert!(statistic.1.contains("bounds: auto is for means"), "{}", statistic.1);
}
