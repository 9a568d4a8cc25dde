//! Every figure of the high-precision reference, for every profile and estimator in it.
//!
//! `data/weights.json` was computed with 50 digits. Range [0, 1], so h = 1.

use serde_json::Value;
use suum_core::{Bounds, Design, Epsilon, Estimator, Level, Method, Profile, Setting, Target};

/// How many numbers the reference holds: the test cannot silently shrink.
const FIGURES: usize = 843;

/// A number of the reference; ∞ is the text "inf".
fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| {
        assert_eq!(value, "inf");
        f64::INFINITY
    })
}

fn agree(ours: f64, reference: f64) -> bool {
    if reference.abs() < 1e-15 {
        return (ours - reference).abs() <= 1e-18;
    }
    ours == reference || (ours - reference).abs() <= 1e-9 * reference.abs()
}

/// The case's budgets in the order of the file, and the profile, which sorts them.
fn profile(case: &Value) -> (Vec<Epsilon>, Profile) {
    let levels: Vec<Level> = case["levels"]
        .as_array()
        .unwrap()
        .iter()
        .map(|level| Level {
            epsilon: Epsilon::new(number(&level["epsilon"])).unwrap(),
            count: level["count"].as_u64().unwrap(),
        })
        .collect();
    (levels.iter().map(|level| level.epsilon).collect(), Profile::new(levels).unwrap())
}

/// What a name of the reference stands for: an estimator and the target that it is planned for.
fn named(name: &str) -> (Estimator, Target) {
    match name {
        "dataset" => (Estimator::Affine, Target::Dataset),
        "dataset-correlated" => (Estimator::Affine, Target::DatasetCorrelated),
        other => {
            let known = other.parse();
            (known.unwrap_or_else(|_| panic!("{other} is no estimator")), Target::Population)
        }
    }
}

/// One figure of the reference, as this crate computes it.
fn figure(field: &str, name: &str, setting: &Setting, design: &Design) -> f64 {
    let profile = &setting.profile;
    let risk = |target| design.risk(&Setting::new(profile.clone(), Bounds::UNIT, target)).total();
    match field {
        "noise_scale" => design.noise_scale(setting).unwrap(),
        "risk_population" => risk(Target::Population),
        "risk_dataset" => risk(Target::Dataset),
        "tau" => design.tau.unwrap(),
        "objective" if name == "dataset-correlated" => {
            design.weights.distance(profile).powi(2) + 8.0 * design.weights.noise(profile).powi(2)
        }
        "objective" => design.objective.unwrap(),
        other => panic!("the reference has the unknown field {other}"),
    }
}

/// One number per level, in the order of the profile.
fn per_level<'a>(field: &str, design: &'a Design) -> Option<&'a [f64]> {
    match (field, &design.method) {
        ("weights", _) => Some(design.weights.per_level()),
        ("level_weights", Method::LevelLaplace { level_weights }) => Some(level_weights),
        _ => None,
    }
}

#[test]
fn every_figure_agrees_to_nine_digits() {
    let cases: Value = serde_json::from_str(include_str!("data/weights.json")).unwrap();
    let mut compared = 0;
    for case in cases.as_array().unwrap() {
        let (order, profile) = profile(case);
        for (name, fields) in case["estimators"].as_object().unwrap() {
            let (estimator, target) = named(name);
            let setting = Setting::new(profile.clone(), Bounds::UNIT, target);
            let design = estimator.design(&setting).unwrap();
            let mut check = |field: &str, ours: f64, reference: f64| {
                let place = format!("{} {name} {field}", case["name"]);
                assert!(agree(ours, reference), "{place}: {ours:e}, reference {reference:e}");
                compared += 1;
            };
            for (field, reference) in fields.as_object().unwrap() {
                match per_level(field, &design) {
                    Some(ours) => {
                        let references = reference.as_array().unwrap();
                        assert_eq!(references.len(), order.len());
                        for (epsilon, reference) in order.iter().zip(references) {
                            check(
                                field,
                                ours[profile.position(*epsilon).unwrap()],
                                number(reference),
                            );
                        }
                    }
                    None => check(field, figure(field, name, &setting, &design), number(reference)),
                }
            }
        }
    }
    assert_eq!(compared, FIGURES);
}
