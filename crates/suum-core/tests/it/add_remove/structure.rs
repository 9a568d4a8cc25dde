//! What can be seen of who takes part: nothing but noisy numbers, in places that do not depend on
//! anybody.

use std::collections::BTreeMap;

use serde_json::Value;
use suum_core::{Choice, Epsilon, Estimator, Neighbors, Options, Plan, Randomness, Release};

use super::people::{Asked, Person};

/// Every value of a JSON document by its path.
fn paths(json: &Value) -> BTreeMap<String, Value> {
    fn walk(path: &str, json: &Value, found: &mut BTreeMap<String, Value>) {
        match json {
            // Whether a quantile has an interval, and which answers say next to nothing, depends on
            // noisy numbers: each is one place.
            _ if path.contains(".quantiles") && path.ends_with(".interval")
                || path.ends_with(".uninformative") =>
            {
                found.insert(path.to_owned(), json.clone());
            }
            Value::Object(map) => {
                map.iter().for_each(|(key, value)| walk(&format!("{path}.{key}"), value, found))
            }
            Value::Array(list) => {
                list.iter()
                    .enumerate()
                    .for_each(|(at, value)| walk(&format!("{path}.{at}"), value, found));
            }
            _ => {
                found.insert(path.to_owned(), json.clone());
            }
        }
    }
    let mut found = BTreeMap::new();
    walk("", json, &mut found);
    found
}

/// Whether a number at this path was made from noisy ones.
fn noisy(path: &str) -> bool {
    let fields = [
        "estimate",
        "lower",
        "upper",
        "noise_sd",
        "sampling_sd",
        "rmse",
        "tau",
        "scale",
        "spent",
        "interval",
        "no_interval",
        "uninformative",
    ];
    let spread = path.ends_with(".spread.variance") || path.ends_with(".spread.bound");
    let weight = path.contains("measurements") && path.ends_with(".weight");
    spread || weight || fields.iter().any(|field| path.ends_with(&format!(".{field}")))
}

fn release(asked: Asked, budgets: &str, options: Options, people: &[Person]) -> Release {
    let request = asked.request(budgets, options);
    request.release(asked.table(people), &mut Randomness::insecure(8)).unwrap()
}

/// All but how quantiles are asked for, which noisy numbers decide.
fn json(release: &Release) -> BTreeMap<String, Value> {
    let mut all = paths(&serde_json::to_value(release).unwrap());
    if ["quantile", "summary"].contains(&release.statistic()) {
        all.retain(|path, _| {
            let is_question = path.contains(".measurements") && !path.contains(".levels");
            !is_question && ![".together", ".distribution"].iter().any(|one| path.contains(one))
        });
    }
    all
}

/// Nobody, one person of each kind, a crowd, and budgets that are not declared.
fn tables() -> Vec<Vec<Person>> {
    let counts: Vec<Person> =
        (0..3000).map(|i| (0.05 * f64::from(i % 40 + 1), f64::from(i % 101) / 100.0)).collect();
    let mut tables = vec![
        vec![],
        vec![(0.1, 0.0)],
        vec![(1.0, 1.0)],
        vec![(f64::INFINITY, 0.5)],
        vec![(0.0, 0.3)],
    ];
    tables.extend([
        vec![(1e-9, 0.3)],
        vec![(1e9, 0.3), (0.2, 0.9)],
        counts.clone(),
        counts[1..].to_vec(),
    ]);
    tables
}

/// The options of all ways to find τ.
fn ways() -> [Options; 5] {
    let named =
        |estimator| Options { estimator: Choice::Named(estimator), ..Options::add_remove() };
    let clip = Some(Epsilon::new(0.4).unwrap());
    [
        Options::add_remove(),
        named(Estimator::Uniform),
        named(Estimator::Proportional),
        Options { clip, ..Options::add_remove() },
        Options { clip, neighbors: Neighbors::Both, ..Options::add_remove() },
    ]
}

#[test]
fn all_tables_lead_to_the_same_places_and_differ_in_noisy_ones_only() {
    for asked in Asked::ALL {
        for (way, options) in ways().into_iter().enumerate() {
            for budgets in ["0.1,1", "a=0.1,b=0.5,c=2,none=0", "0.3,0.3"] {
                if asked == Asked::Count && way > 1 {
                    continue;
                }
                let first = json(&release(asked, budgets, options.clone(), &[]));
                // What a level weighs in a measurement follows from its own budget.
                let says_who = |path: &str| {
                    path.contains("count")
                        || path.contains("weight") && !path.contains("measurements")
                };
                assert!(!first.keys().any(|path| says_who(path)));
                assert_eq!(first[".neighbors"], options.neighbors.name());
                for people in tables() {
                    let other = json(&release(asked, budgets, options.clone(), &people));
                    assert!(first.keys().eq(other.keys()), "{asked:?} {budgets}: other places");
                    for (path, value) in &first {
                        let same_kind = value.is_number() == other[path].is_number();
                        assert!(
                            same_kind && (*value == other[path] || noisy(path)),
                            "{asked:?} {budgets}: {path}"
                        );
                    }
                    // Where τ is public, so is what everybody spends, and how noisy the estimate
                    // is.
                    if way > 0 && !matches!(asked, Asked::Quantiles | Asked::Several) {
                        for path in first.keys().filter(|path| {
                            ["tau", "spent", "weight"].iter().any(|name| path.contains(name))
                        }) {
                            assert_eq!(first[path], other[path], "{asked:?} {budgets}: {path}");
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn a_count_moves_by_the_one_record_and_the_same_noise() {
    let people = &tables()[7];
    let with = release(Asked::Count, "0.01,2", Options::add_remove(), people).estimate();
    let without = release(Asked::Count, "0.01,2", Options::add_remove(), &people[1..]).estimate();
    assert!((with - without - 1.0).abs() < 1e-9, "{with} {without}");
    // Whoever allows less than is declared is not counted.
    let more = [people.clone(), vec![(0.001, 0.5), (0.0, 0.5)]].concat();
    assert_eq!(release(Asked::Count, "0.01,2", Options::add_remove(), &more).estimate(), with);
}

#[test]
fn a_certificate_lists_what_is_declared() {
    let release =
        release(Asked::Mean, "public=inf,a=0.1,none=0", Options::add_remove(), &[(0.1, 0.5)]);
    let levels: Vec<String> = release.privacy.iter().map(|row| row.level.to_string()).collect();
    assert_eq!(levels, ["none", "a", "public"]);
    assert_eq!(release.privacy[0].spent, suum_core::Loss::ZERO);
    let seeded = serde_json::to_value(&release).unwrap();
    assert_eq!(seeded["private"], false);
}

#[test]
fn plans_compare_what_can_be_had() {
    for asked in Asked::ALL {
        let request = asked.request("0.01,inf", Options::add_remove());
        if asked == Asked::Several {
            let refused = request.expected("0.01:5000".parse().unwrap()).unwrap_err();
            assert!(refused.fix().unwrap().to_string().contains("one at a time"));
            continue;
        }
        let plan = request.expected("0.01:5000,0.1:4000,inf:20".parse().unwrap()).unwrap();
        let json = serde_json::to_value(Plan::from(plan.clone())).unwrap();
        assert_eq!(json["neighbors"], "add-remove");
        assert_eq!(json["profile"][0]["count"], 5000);
        let estimators = json["estimators"].as_array().unwrap();
        for estimator in estimators {
            for field in ["name", "tau", "risk", "rmse", "noise_sd", "sampling_sd"] {
                assert!(!estimator[field].is_null(), "{asked:?}: {field}");
            }
        }
        if asked != Asked::Count {
            let measured = matches!(asked, Asked::Mean | Asked::Sum);
            assert_eq!(json["chosen"], if measured { "typical" } else { "affine" });
            let excluded = &json["excluded"][0];
            assert!(excluded["name"] == "proportional" && excluded["reason"].is_string());
        }
        if matches!(asked, Asked::Mean | Asked::Frequency | Asked::Quantiles | Asked::Variance) {
            let rmse = |name: &str| {
                let one = estimators.iter().find(|one| one["name"] == name).unwrap();
                one["rmse"].as_f64().unwrap()
            };
            assert!(rmse("affine") < rmse("uniform"), "{asked:?}: weights are worth their price");
        }
        // A guess outside the declared budgets is refused: nothing could be said.
        assert!(request.expected("0.001:5000".parse().unwrap()).is_err());
    }
}
