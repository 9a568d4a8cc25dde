//! A page shows the numbers of the JSON, and no others.

use std::process::Command;

use serde_json::Value;

use super::cases::{self, RANDHIE, TIERS, page};
use super::dom::Document;

/// All numbers of a JSON value.
fn numbers(value: &Value, found: &mut Vec<f64>) {
    match value {
        Value::Number(number) => found.extend(number.as_f64()),
        Value::Array(values) => values.iter().for_each(|value| numbers(value, found)),
        Value::Object(values) => values.values().for_each(|value| numbers(value, found)),
        _ => {}
    }
}

#[test]
#[ignore = "takes seconds"]
fn every_number_of_a_page_is_in_the_json() {
    for (words, made) in cases::all() {
        let json: Value = serde_json::from_str(&made.json).unwrap();
        let mut known = Vec::new();
        numbers(&json, &mut known);
        // The error of a count that is not drawn has no parts.
        let document = Document::read(&made.html);
        let shown = document.find("data");
        assert!(!shown.is_empty(), "{words}");
        for one in shown {
            let number: f64 = one.attribute("value").unwrap().parse().unwrap();
            let is = |known: &f64| {
                *known == number || (known * 100.0 - number).abs() <= 1e-12 * number.abs()
            };
            assert!(known.iter().any(is), "{words}: {number}");
        }
        if json.get("estimate").is_some() {
            let first: f64 = document.find("data")[0].attribute("value").unwrap().parse().unwrap();
            assert_eq!(Some(first), json["estimate"].as_f64(), "{words}");
        }
        if let Some(shown) = document.by_id("json") {
            assert_eq!(shown.text(), made.json, "{words}");
        }
    }
}

/// The page of a release that hides who takes part shows neither people nor their number. The noise
/// is fixed, because a count with noise is now and then the count itself.
#[test]
fn hidden_people_are_not_shown() {
    for words in
        ["mean --value visits --bounds 0,77", "count", "quantile --value visits --bounds 0,77"]
    {
        let words: Vec<&str> = words.split(' ').collect();
        let add_remove = ["--neighbors", "add-remove", "--insecure-seed", "1"];
        let made = page(&[&[words[0], RANDHIE], &words[1..], &TIERS, &add_remove].concat());
        for count in ["20,190", "20190", "6,835", "6835", "8,767", "4,028", "560 "] {
            assert!(!made.html.contains(count), "{words:?}: {count}");
        }
    }
}

/// The command of a page makes its certificate again, without the data.
#[test]
fn the_certificate_can_be_checked() {
    let categories = "excellent,good,fair,it's \\, <b>";
    let cases: [&[&str]; 9] = [
        &["mean", "--value", "visits", "--bounds", "0,77", "--no-adapt"],
        &[
            "sum",
            "--value",
            "visits",
            "--bounds",
            "-1,77",
            "--target",
            "dataset",
            "--estimator",
            "hpm-cp",
            "--beta",
            "0.2",
        ],
        &["mean", "--value", "visits", "--bounds", "0,77", "--variance", "20"],
        &["frequency", "--value", "health", "--categories", categories, "--other", "x"],
        &["quantile", "--value", "visits", "--bounds", "0,77", "--step", "1", "--q", "0.1,0.5"],
        &[
            "quantile",
            "--value",
            "visits",
            "--bounds",
            "0,77",
            "--cells",
            "99",
            "--confidence",
            "0.5",
        ],
        &["variance", "--value", "visits", "--bounds", "0,77"],
        &["mean", "--value", "visits", "--bounds", "0,77", "--estimator", "mixed", "--shrink"],
        &[
            "frequency",
            "--value",
            "health",
            "--categories",
            categories,
            "--other",
            "x",
            "--estimator",
            "local",
        ],
    ];
    for words in cases {
        let made = page(&[&[words[0], RANDHIE], &words[1..], &TIERS].concat());
        let command = Document::read(&made.html).by_id("check-command").unwrap().text();
        let (program, rest) = command.split_once(' ').unwrap();
        assert_eq!(program, "suum");
        let suum = assert_cmd::cargo::cargo_bin("suum");
        let run = Command::new("sh")
            .arg("-c")
            .arg(format!("{} {rest}", suum.display()))
            .output()
            .unwrap();
        assert!(run.status.success(), "{command}: {}", String::from_utf8_lossy(&run.stderr));
        let planned: Value = serde_json::from_slice(&run.stdout).unwrap();
        let released: Value = serde_json::from_str(&made.json).unwrap();
        assert_eq!(planned["noise"], released["noise"], "{command}");
        let spent = |value: &Value| -> Vec<(String, String)> {
            let rows = value["privacy"].as_array().unwrap().iter();
            rows.map(|row| (row["epsilon"].to_string(), row["spent"].to_string())).collect()
        };
        assert_eq!(spent(&planned), spent(&released), "{command}");
    }
}

/// The arithmetic of a page holds when it is done by hand.
#[test]
fn the_arithmetic_of_the_page_is_right() {
    let words = ["sum", RANDHIE, "--value", "visits", "--bounds", "0,77", "--no-adapt"];
    let made = page(&[&words[..], &TIERS].concat());
    assert!(made.html.contains("By hand: "));
    let json: Value = serde_json::from_str(&made.json).unwrap();
    let number = |value: &Value| value.as_f64().unwrap();
    let rows = json["privacy"].as_array().unwrap();
    let people: f64 = rows.iter().map(|row| number(&row["count"])).sum();
    for row in rows {
        let quotient = number(&row["spent"]) / number(&row["weight"]);
        let noise = 2f64.sqrt() * 77.0 / quotient * people;
        assert!((noise / number(&json["error"]["noise_sd"]) - 1.0).abs() < 1e-6, "{row}");
    }
}
