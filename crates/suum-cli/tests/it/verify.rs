//! `suum verify`: a certificate follows from the measurements that a release lists, or is refused.

use std::fmt::Write;

use serde_json::Value;
use suum::{Answer, ErrorKind, JobInputs, Result};
use suum_cli::{answer, parse};
use tempfile::TempDir;

const PRIVACY: &str = "--privacy tier --levels strict=4,standard=10,relaxed=20,public=inf";

/// A release of each mechanism that there is, for each kind of neighbours.
const ASKED: [&str; 21] = [
    "mean --value v --bounds 0,60",
    "mean --value v --bounds auto",
    "sum --value v --bounds 0,60 --no-adapt",
    "mean --value v --bounds 0,60 --estimator local",
    "mean --value v --bounds 0,60 --estimator mixed --person id",
    "frequency --value c --categories a,b,c",
    "frequency --value c --categories a,b,c --estimator local",
    "quantile --value v --q 0.3,0.5 --bounds 0,60 --step 1 --estimator mixed",
    "summary --value v --statistic mean,variance,q50 --bounds 0,60 --step 1",
    "variance --value v --bounds 0,60 --group-by g --groups x,y,z",
    "count",
    "count --neighbors add-remove",
    "mean --value v --bounds 0,60 --neighbors add-remove",
    "sum --value v --bounds -60,60 --variance 90 --estimator uniform --neighbors add-remove",
    "mean --value v --bounds 0,60 --variance 90 --neighbors both",
    "quantile --value v --bounds auto --neighbors add-remove",
    "quantile --value v --q deciles --bounds 0,60 --step 1 --rows 2 --person id \
     --interval-share 0.5",
    "quantile --value v --q deciles --bounds 0,60 --step 1 --neighbors add-remove",
    "quantile --value v --q 0.1,0.2,0.7,0.9 --bounds 0,60 --step 1 --neighbors both \
     --interval-share 0.3",
    "summary --value v --statistic mean,variance,q50 --bounds 0,60 --step 1 --neighbors both",
    "quantile --value v --q deciles --bounds 0,60 --step 1 --rows 2 --person id",
];

struct Data(TempDir);

impl Data {
    fn new() -> Self {
        let data = Self(tempfile::tempdir().unwrap());
        let mut csv = String::from("v,c,g,id,tier\n");
        for at in 0..800usize {
            let draw = |salt: usize| (at * 7919 + salt * 104_729 + at * at * 31) % 1009;
            let tier = ["strict", "standard", "relaxed", "public"][at / 4 % 4];
            let (v, c, g) = (draw(1) % 47, ["a", "b", "c"][draw(2) % 3], ["x", "y"][at / 2 % 2]);
            writeln!(csv, "{v},{c},{g},p{},{tier}", at / 2).unwrap();
        }
        std::fs::write(data.path("people.csv"), csv).unwrap();
        data
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    fn release(&self, asked: &str) -> Value {
        let (statistic, options) = asked.split_once(' ').unwrap_or((asked, ""));
        let people = self.path("people.csv");
        let command = format!("{statistic} {people} {options} {PRIVACY} --quiet --insecure-seed 7");
        let said = run(&command).unwrap_or_else(|refused| panic!("{asked}: {refused}"));
        serde_json::from_str(&said.json().unwrap()).unwrap()
    }
}

fn run(command: &str) -> Result<Answer> {
    let words = command.split(' ').filter(|word| !word.is_empty());
    parse(words).and_then(|asked| answer(asked, JobInputs::default()))
}

/// Returns true if the release is refused.
fn is_refused(release: &Value) -> bool {
    match suum::verify_release(&release.to_string()) {
        Ok(verified) => {
            let says = verified.text().contains("IT DOES NOT AGREE");
            assert_eq!(verified.refusal().is_some(), says);
            let json: Value = serde_json::from_str(&verified.json().unwrap()).unwrap();
            assert_eq!(json["agrees"] == false, says);
            says
        }
        Err(_) => true,
    }
}

/// Paths of all numbers on which a certificate depends.
fn numbers(value: &Value, path: &str, into: &mut Vec<String>) {
    const DECIDE: [&str; 15] = [
        "epsilon",
        "spent",
        "weight",
        "scale",
        "sensitivity",
        "response",
        "steps",
        "grid",
        "asked",
        "looks",
        "left",
        "all_parts",
        "rows",
        "parts",
        "times",
    ];
    match value {
        Value::Object(fields) => {
            for (name, field) in fields {
                let path = format!("{path}/{name}");
                let is_number = !field.is_object() && !field.is_array() && !field.is_null();
                if is_number && DECIDE.contains(&name.as_str()) {
                    into.push(path);
                } else {
                    numbers(field, &path, into);
                }
            }
        }
        Value::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                numbers(item, &format!("{path}/{at}"), into);
            }
        }
        _ => {}
    }
}

/// The lists that make up a certificate, wherever they are in a release.
fn certified(release: &Value) -> Vec<String> {
    let mut all = Vec::new();
    numbers(release, "", &mut all);
    all.retain(|path| path.contains("/measurements/") || path.contains("/privacy/"));
    // What a record's share of the estimate is follows from weights, and says nothing of losses.
    all.retain(|path| !(path.contains("/privacy/") && path.ends_with("/weight")));
    // Of a public count nothing is measured, and nothing says what was allowed.
    if !all.iter().any(|path| path.contains("/measurements/")) {
        all.retain(|path| path.ends_with("/spent"));
    }
    // Where there is no noise, a loss is unlimited with whatever weight.
    all.retain(|path| {
        let Some((level, "weight")) = path.rsplit_once('/') else { return true };
        let measurement = level.rsplit_once("/levels/").unwrap().0;
        let scale = |place: &str| release.pointer(&format!("{place}/scale")).cloned();
        scale(level).or(scale(measurement)) != Some("0".into())
    });
    all
}

/// Another number of the same form: a third more, or the least that is not nothing.
fn changed(number: &Value) -> Value {
    match number {
        Value::String(text) if text == "inf" => 3.5.into(),
        Value::String(text) => match text.parse::<u128>() {
            Ok(0) => Value::String((1u64 << 40).to_string()),
            Ok(integer) => Value::String((integer + integer / 3 + 1).to_string()),
            Err(_) => Value::String(format!("1{text}")),
        },
        Value::Number(number) if number.is_u64() => (number.as_u64().unwrap() + 1).into(),
        number => (number.as_f64().unwrap() * 1.000_000_1 + 1e-12).into(),
    }
}

#[test]
fn certificates_of_every_mechanism_agree_and_no_number_can_be_changed() {
    let data = Data::new();
    let mut kinds = std::collections::BTreeSet::new();
    for asked in ASKED {
        let release = data.release(asked);
        assert!(!is_refused(&release), "{asked}");
        let paths = certified(&release);
        assert!(!paths.is_empty() && paths.iter().any(|path| path.ends_with("spent")), "{asked}");
        for path in &paths {
            let mut other = release.clone();
            let number = other.pointer_mut(path).unwrap();
            let wrong = changed(number);
            *number = wrong.clone();
            assert!(is_refused(&other), "{asked}: {path} can be {wrong}");
        }
        let lists = paths.iter().filter_map(|path| path.split_once("/measurements/"));
        for list in lists.map(|(list, _)| format!("{list}/measurements")) {
            let measurements = release.pointer(&list).unwrap().as_array().unwrap();
            for (at, one) in measurements.iter().enumerate() {
                kinds.insert(one["question"].to_string());
                let spends =
                    one["levels"].as_array().unwrap().iter().any(|level| level["weight"] != "0");
                // One that nobody spent anything on can be left out.
                for change in [
                    |all: &mut Vec<Value>, at: usize| drop(all.remove(at)),
                    |all: &mut Vec<Value>, at: usize| all.push(all[at].clone()),
                ] {
                    let mut other = release.clone();
                    change(other.pointer_mut(&list).unwrap().as_array_mut().unwrap(), at);
                    assert!(!spends || is_refused(&other), "{asked}: {list} {at}");
                }
                let mut other = release.clone();
                other.pointer_mut(&list).unwrap()[at]["neighbors"] = "half".into();
                assert!(is_refused(&other), "{asked}");
            }
        }
    }
    assert_eq!(kinds.len(), 16, "{kinds:?}");
}

/// The ranks, and how they are drawn, decide by how much the scale is multiplied.
#[test]
fn draws_at_ranks_are_checked_one_by_one() {
    let data = Data::new();
    let deciles = data.release(ASKED[16]);
    let ranks = "/measurements/0";
    let draws = deciles.pointer(&format!("{ranks}/draws")).unwrap().as_array().unwrap();
    assert_eq!(draws[0]["method"], "recursion");
    assert!(draws.iter().any(|draw| draw["method"] == "ends"));
    assert!(!is_refused(&deciles));
    let changed = |path: &str, to: Value| {
        let mut other = deciles.clone();
        *other.pointer_mut(&format!("{ranks}{path}")).unwrap() = to;
        is_refused(&other)
    };
    let mut without = draws.clone();
    without.pop();
    for (path, to) in [
        ("/draws/0/q/4", "4/9".into()),
        ("/draws/0/q/0", "1/5".into()),
        ("/draws/0/q/0", "0".into()),
        ("/draws/0/method", "ends".into()),
        ("/draws/0/method", "alone".into()),
        ("/draws", Value::Array(without)),
        ("/draws", Value::Array(Vec::new())),
    ] {
        assert!(changed(path, to.clone()), "{path} can be {to}");
    }
}

/// The noise that a release states is that of one of its measurements.
#[test]
fn the_noise_of_a_release_is_one_that_was_drawn() {
    let data = Data::new();
    let mut tried = 0;
    for asked in ASKED {
        let release = data.release(asked);
        if !release["noise"].is_object() || release["measurements"] == Value::Array(Vec::new()) {
            continue;
        }
        for (field, to) in [
            ("distribution", "geometric".into()),
            ("distribution", "none".into()),
            ("scale", "12345".into()),
            ("grid", 77.into()),
        ] {
            let mut other = release.clone();
            other["noise"][field] = to;
            assert!(is_refused(&other), "{asked}: {field}");
            tried += 1;
        }
        // Where candidates are drawn together, one does not say that they were drawn alone.
        if release["noise"]["distribution"] == "choices" {
            let mut other = release.clone();
            other["noise"]["distribution"] = "permute-and-flip".into();
            assert!(is_refused(&other), "{asked}");
            tried += 100;
        }
    }
    assert!(tried > 240, "{tried}");
}

/// A release after a change.
fn forged(release: &Value, forge: impl FnOnce(&mut Value)) -> Value {
    let mut other = release.clone();
    forge(&mut other);
    other
}

#[test]
fn nothing_can_be_left_out_or_slipped_in() {
    let data = Data::new();
    let mean = data.release("mean --value v --bounds 0,60 --no-adapt");
    let rows = |release: &mut Value, change: fn(&mut Vec<Value>)| {
        change(release["privacy"].as_array_mut().unwrap());
    };
    let both =
        data.release("mean --value v --bounds 0,60 --neighbors both --group-by g --groups x,y");
    assert!(!is_refused(&mean) && !is_refused(&both));
    let all = [
        ("a row is missing", forged(&mean, |one| rows(one, |rows| drop(rows.remove(0))))),
        ("a row is doubled", forged(&mean, |one| rows(one, |rows| rows.push(rows[0].clone())))),
        (
            "a level that looks like another",
            forged(&mean, |one| {
                for measurement in one["measurements"].as_array_mut().unwrap() {
                    let levels = measurement["levels"].as_array_mut().unwrap();
                    let mut level = levels[0].clone();
                    level["epsilon"] = 4f64.next_down().into();
                    level["weight"] = "1000000000000000000000000".into();
                    levels.insert(0, level);
                }
            }),
        ),
        (
            "nothing at all",
            forged(&mean, |one| {
                one["privacy"] = Value::Array(vec![]);
                one["measurements"] = Value::Array(vec![]);
            }),
        ),
        (
            "groups without a certificate",
            forged(&mean, |one| {
                one.as_object_mut().unwrap().remove("privacy");
                one["groups"] = Value::Array(vec![]);
            }),
        ),
        (
            "two groups together",
            forged(&both, |one| drop(one.as_object_mut().unwrap().remove("privacy"))),
        ),
        (
            "a group that looks empty",
            forged(&both, |one| {
                let group = one["groups"][0].as_object_mut().unwrap();
                group.remove("privacy");
                group.insert("records".to_owned(), 0.into());
            }),
        ),
        ("other neighbours", forged(&both, |one| one["groups"][0]["neighbors"] = "replace".into())),
    ];
    for (what, release) in all {
        assert!(is_refused(&release), "{what}");
    }
}

#[test]
fn nothing_private_is_listed_where_participation_is_hidden() {
    let data = Data::new();
    for asked in ASKED.iter().filter(|asked| asked.contains("--neighbors")) {
        let release = data.release(asked);
        for one in release["measurements"].as_array().unwrap() {
            let mut fields: Vec<&str> =
                one.as_object().unwrap().keys().map(String::as_str).collect();
            fields.retain(|field| {
                !["question", "neighbors", "distribution", "sensitivity", "scale", "levels"]
                    .contains(field)
            });
            // What was declared: a grid, buckets, ranks, and in how many cells sums are; and the
            // ends of intervals, the looks at a histogram and the ends of a range, which follow
            // from noisy numbers.
            let declared = [
                "grid",
                "buckets",
                "categories",
                "cells",
                "steps",
                "rows",
                "parts",
                "asked",
                "draws",
                "q",
            ];
            let found = ["all_parts", "left", "looks", "times", "below", "above"];
            let known = |field: &&str| declared.contains(field) || found.contains(field);
            assert!(fields.iter().all(known), "{asked}: {fields:?}");
            let levels: Vec<&Value> =
                one["levels"].as_array().unwrap().iter().map(|level| &level["epsilon"]).collect();
            assert_eq!(
                levels,
                [4.0.into(), 10.0.into(), 20.0.into(), Value::from("inf")]
                    .iter()
                    .collect::<Vec<&Value>>(),
                "the declared levels, whoever takes part"
            );
        }
    }
}

#[test]
fn what_is_no_release_is_refused_with_a_way_out() {
    let data = Data::new();
    let mut old = data.release("mean --value v --bounds 0,60");
    old.as_object_mut().unwrap().remove("measurements");
    for text in ["", "{}", "[1]", "{\"privacy\": 3}", &old.to_string()] {
        let refused = suum::verify_release(text).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::Parameter, "{text}");
        assert!(refused.fix().is_some(), "{text}");
    }
    let missing = data.path("missing.json");
    assert_eq!(run(&format!("verify {missing}")).unwrap_err().kind(), ErrorKind::Io);
}

#[test]
fn the_command_reads_a_file() {
    let data = Data::new();
    let file = data.path("release.json");
    let mut release = data.release("mean --value v --bounds 0,60");
    std::fs::write(&file, release.to_string()).unwrap();
    let verified = run(&format!("verify {file}")).unwrap();
    assert!(verified.refusal().is_none());
    insta::assert_snapshot!("verified", verified.text());
    release["privacy"][0]["spent"] = 0.25.into();
    std::fs::write(&file, release.to_string()).unwrap();
    let verified = run(&format!("verify {file}")).unwrap();
    assert_eq!(verified.refusal().map(|refused| refused.kind()), Some(ErrorKind::Data));
    insta::assert_snapshot!("not_verified", verified.text());
}

/// Numbers that follow from each other agree, or the release is refused.
#[test]
fn numbers_of_a_release_agree_with_each_other() {
    let data = Data::new();
    let mean = "mean --value v --bounds 0,60 --no-adapt";
    let shares = "frequency --value c --categories a,b,c";
    let deciles = "quantile --value v --q deciles --bounds 0,60 --step 1";
    let several = "summary --value v --statistic mean,variance,q50 --bounds 0,60 --step 1";
    for (asked, path, number) in [
        (mean, "/estimate", 61.0),
        (mean, "/interval/upper", 1.0),
        (mean, "/interval/confidence", 95.0),
        (mean, "/error/rmse", 1e6),
        (mean, "/privacy/0/weight", 0.5),
        (mean, "/privacy/1/count", 7.0),
        (shares, "/frequencies/0/estimate", 0.9),
        (deciles, "/quantiles/3/estimate", 59.5),
        (several, "/deviation/estimate", 1.0),
        (several, "/parts/variance/deviation/estimate", 1.0),
        ("variance --value v --bounds 0,60", "/deviation/estimate", 1.0),
        ("count", "/estimate", 799.0),
    ] {
        let mut release = data.release(asked);
        assert!(!is_refused(&release), "{asked}");
        let place = release.pointer_mut(path).unwrap_or_else(|| panic!("{asked} {path}"));
        *place = match path.ends_with("count") {
            true => 7.into(),
            false => number.into(),
        };
        assert!(is_refused(&release), "{asked}: {path} can be {number}");
    }
}
