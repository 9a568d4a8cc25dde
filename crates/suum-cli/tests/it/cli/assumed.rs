//! Plans for data of a named shape, by simulated releases.

use serde_json::Value;

use super::common::{json, refused, stdout};

const PEOPLE: [&str; 5] = ["plan", "--profile", "0.5:900,2:600", "--bounds", "0,8"];

fn expected(options: &[&str]) -> Value {
    let plan = json(&[&PEOPLE, options].concat());
    plan["expected"].clone()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

/// Asserts that the simulated error is `rmse`, within five of its standard errors: a false alarm
/// once in a million seeds; of 200 simulations it is seen if the error is off by a third.
fn agrees(of: &Value, rmse: f64) {
    let (simulated, error) = (number(&of["rmse"]), number(&of["rmse_error"]));
    assert!(error < 0.1 * simulated, "{of}");
    assert!((simulated - rmse).abs() < 5.0 * error, "{of}: {rmse}");
}

/// Simulated errors are those that are known exactly: of weights for the variance of the shape,
/// which is 1 here, and of equal weights, of which only the noise counts.
#[test]
fn simulations_agree_with_exact_risks() {
    let affine = ["--variance", "1", "--estimator", "affine"];
    let population = [&affine[..], &["--assume", "normal"]].concat();
    let plan = json(&[&PEOPLE, &population[..]].concat());
    let of = |plan: &Value, name: &str| {
        let all = plan["estimators"].as_array().unwrap().clone();
        all.into_iter().find(|one| one["name"] == name).unwrap()
    };
    let simulated = &plan["expected"]["estimates"][0];
    assert_eq!((&simulated["of"], &simulated["intervals"]), (&"mean".into(), &200.into()));
    agrees(simulated, number(&of(&plan, "affine")["rmse"]));
    // The interval is the one for the declared variance, every time.
    let half = number(&simulated["half_width"]) / number(&plan["half_width"]);
    assert!((half - 1.0).abs() < 1e-6, "{half}");

    // Of the records themselves, weighted equally, only the noise is an error.
    let exact = ["--estimator", "uniform", "--target", "dataset", "--assume", "skewed"];
    let plan = json(&[&PEOPLE, &exact[..]].concat());
    agrees(&plan["expected"]["estimates"][0], number(&of(&plan, "uniform")["noise_sd"]));

    // A sum is as many means, of all people.
    let sum = [&population[..], &["--statistic", "sum"]].concat();
    let plan = json(&[&PEOPLE, &sum[..]].concat());
    agrees(&plan["expected"]["estimates"][0], number(&of(&plan, "affine")["rmse"]));

    // The worst case of a mean that hides who takes part is that of values at the bounds.
    let add_remove = ["--neighbors", "add-remove", "--epsilon-range", "0.5,2", "--assume", "lumpy"];
    let plan = json(&[&PEOPLE, &add_remove[..]].concat());
    let (worst, simulated) =
        (&of(&plan, "typical")["rmse"], &plan["expected"]["estimates"][0]["rmse"]);
    assert!(number(simulated) < number(worst) && number(simulated) > number(worst) / 4.0);
}

/// Estimators that learn first have less error where bounds are wider than the values, and a shape
/// says how much.
#[test]
#[ignore = "takes seconds"]
fn what_learns_first_is_expected_to_gain() {
    let rmse = |more: &[&str]| {
        let wide = ["--bounds", "0,8", "--assume", "skewed"];
        let people = ["plan", "--profile", "0.1:3000,0.5:3000"];
        let plan = json(&[&people, &wide[..], more].concat());
        number(&plan["expected"]["estimates"][0]["rmse"])
    };
    assert!(rmse(&[]) < 0.8 * rmse(&["--no-adapt"]));
}

#[test]
fn every_part_and_every_group_has_its_own() {
    let several = expected(&["--statistic", "mean,variance,q50", "--assume", "normal"]);
    let of = |one: &Value| one["of"].as_str().unwrap().to_owned();
    let names = several["estimates"].as_array().unwrap().iter().map(of).collect::<Vec<_>>();
    assert_eq!(names, ["mean", "variance", "deviation", "0.5"]);
    let grouped = ["--group-by", "g", "--groups", "a,b", "--assume", "normal"];
    let plan = json(&[&PEOPLE, &grouped[..]].concat());
    assert_eq!(plan["groups"][0]["expected"], plan["groups"][1]["expected"]);
    assert_eq!(plan["groups"][0]["expected"]["shape"], "normal");
    let text = stdout(&[&PEOPLE, &grouped[..]].concat());
    assert!(text.contains("  a: mean: error ") && text.contains("  b: mean: error "), "{text}");
}

/// Without bounds figures are in standard deviations, and a range is not found in two values.
#[test]
#[ignore = "takes seconds"]
fn without_bounds_a_range_is_searched_in_every_simulation() {
    let people = ["plan", "--profile", "1:2000", "--bounds", "auto", "--assume"];
    let plan = json(&[&people, &["normal"][..]].concat());
    let expected = &plan["expected"];
    assert_eq!((&expected["in_deviations"], &expected["refused"]), (&true.into(), &0.into()));
    let error = number(&expected["estimates"][0]["rmse"]);
    assert!((0.5..1.5).contains(&(error / number(&plan["error"]["rmse"]))), "{error}");
    assert!(number(&expected["estimates"][0]["half_width"]) > error);
    let (code, said) = refused(&[&people, &["two-valued"][..]].concat());
    assert_eq!(code, 1);
    assert!(said.contains("no range was found in any of") && said.contains("hint:"), "{said}");
}

#[test]
#[ignore = "takes seconds"]
fn the_same_command_says_the_same_and_what_it_is() {
    let lumpy = ["--assume", "lumpy", "--statistic", "quantile"];
    assert_eq!(expected(&lumpy), expected(&lumpy));
    insta::assert_snapshot!(stdout(&[&PEOPLE, &lumpy[..]].concat()));
}

/// With a target simulations are of the people that it takes: a mean of values of variance 1 with
/// half of the error takes as many that the worst case comes to the target, and so does the shape
/// for which the variance is declared.
#[test]
fn a_target_is_simulated_for_the_people_that_it_takes() {
    let affine = ["--variance", "1", "--estimator", "affine", "--assume", "normal"];
    let rmse = number(&json(&[&PEOPLE, &affine[..]].concat())["estimators"][0]["rmse"]);
    let target = (rmse / 1.5).to_string();
    let asked = [&PEOPLE, &affine[..], &["--target-rmse", &target]].concat();
    let plan = json(&asked);
    let (needed, expected) = (&plan["needed"], &plan["expected"]);
    assert_eq!(needed["factor"], expected["factor"]);
    agrees(&expected["estimates"][0], rmse / 1.5);
    let said = stdout(&asked).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("times as many people, which the target takes."), "{said}");
    let add_remove = ["--neighbors", "add-remove", "--epsilon-range", "0.5,2"];
    let plan = json(&[&asked, &add_remove[..]].concat());
    assert_eq!(plan["needed"]["factor"], plan["expected"]["factor"]);
}

#[test]
fn shapes_are_refused_where_there_is_nothing_to_simulate() {
    for (options, what) in [
        (&["--statistic", "frequency", "--categories", "a,b"][..], "shapes are of numbers"),
        (&["--what-if", "2:+5"], "one plan, and not of two"),
        (&["--profile", "0.5:9000000"], "at most 4000000 records"),
    ] {
        let people: &[&str] = match options[0] {
            "--profile" => &["plan", "--bounds", "0,8"],
            "--statistic" => &["plan", "--profile", "0.5:900"],
            _ => &PEOPLE,
        };
        let (code, said) = refused(&[people, options, &["--assume", "normal"]].concat());
        assert!(code == 1 && said.contains(what) && said.contains("hint:"), "{said}");
    }
    let (_, said) = refused(&[&PEOPLE[..], &["--assume", "bimodal"]].concat());
    assert!(said.contains("choose normal, skewed, lumpy or two-valued"), "{said}");
}
