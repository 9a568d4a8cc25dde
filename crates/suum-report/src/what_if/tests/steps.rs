//! Plans whose readers change one tier step by step: every step is what `suum plan` prints.

use serde_json::Value;
use suum_core::{
    Bounds, Categories, Cells, Choice, Estimator, Options, Plan, QuantileRequest, Rank, Statistic,
    Target, VarianceRequest, WeightedRequest,
};
use suum_testing::Browser;

use super::inside;
use crate::what_if::steps;
use crate::{Beside, Tier, View, plan_text};

const PEOPLE: &str = "0.01:6835,0.1:8767,1:4028,inf:560";

fn quantiles(people: &str) -> Plan {
    let bounds = Bounds::new(0.0, 77.0).unwrap();
    let cells = Cells::with_step(bounds, 1.0).unwrap();
    let ranks = vec![Rank::MEDIAN, "0.9".parse().unwrap()];
    let request = QuantileRequest::new(bounds, cells, ranks, Options::default()).unwrap();
    request.plan(people.parse().unwrap()).unwrap().into()
}

fn frequencies(people: &str) -> Plan {
    let categories = Categories::new(["a", "b", "c"].map(str::to_owned).to_vec()).unwrap();
    let request = WeightedRequest::frequency(categories, Options::default()).unwrap();
    request.plan(people.parse().unwrap()).unwrap().into()
}

fn variance(people: &str) -> Plan {
    let request = VarianceRequest::new(Bounds::UNIT, Options::default()).unwrap();
    request.plan(people.parse().unwrap()).unwrap().into()
}

fn sum(people: &str) -> Plan {
    let request = WeightedRequest::new(Statistic::Sum, Bounds::UNIT, Options::default()).unwrap();
    request.plan(people.parse().unwrap()).unwrap().into()
}

fn correlated(people: &str) -> Plan {
    mean(people, Options { target: Target::DatasetCorrelated, ..Options::default() })
}

fn mixed(people: &str) -> Plan {
    mean(people, Options { estimator: Choice::Named(Estimator::Mixed), ..Options::default() })
}

fn mean(people: &str, options: Options) -> Plan {
    let request = WeightedRequest::new(Statistic::Mean, Bounds::UNIT, options).unwrap();
    request.plan(people.parse().unwrap()).unwrap().into()
}

fn tiers(plan: &Plan) -> Vec<Tier> {
    let profile = match plan {
        Plan::Weighted(plan) => plan.allowed(),
        Plan::Quantiles(plan) => plan.allowed(),
        Plan::Variance(plan) => plan.allowed(),
        _ => panic!("no tiers"),
    };
    Tier::from_profile(profile)
}

/// State of the page at first and after each step.
fn driven(browser: &Browser, section: &str, moves: &[&str]) -> Vec<Value> {
    let moves: String = moves.iter().map(|one| format!("() => {{ {one} }},\n")).collect();
    let script = format!(
        "\"use strict\";\nconst moves = [{moves}];\n{}",
        r#"
        const slide = (index, part, place) => {
          const slider = document.querySelectorAll(".tier")[index].querySelector(`.${part}-slider`);
          slider.value = place;
          slider.dispatchEvent(new Event("input", { bubbles: true }));
        };
        const reset = () => document.querySelector('[data-do="reset"]').click();
        const said = (name) => document.querySelector(`[data-show="${name}"]`).textContent;
        const each = (selector) =>
          [...document.querySelectorAll(selector)].map((one) => one.textContent);
        const shown = () => ({
          error: said("error"), unit: said("unit"), change: said("change"),
          estimator: said("estimator"), command: said("command"), curve: said("curve"),
          epsilons: each(".tier .epsilon"), counts: each(".tier .count"),
          outcomes: each(".tier .outcome"),
        });
        const results = [shown()];
        for (const move of moves) { move(); results.push(shown()); }
        document.getElementById("results").textContent =
          JSON.stringify(results).replaceAll("<", "\\u003c");
        "#
    );
    let page = format!(
        "<!doctype html><html lang=en><meta charset=utf-8><title>What if</title>\n\
         <main>{section}</main>\n<script type='application/json' id=results></script>\n\
         <script>{}</script>\n<script>{script}</script>",
        steps::SCRIPT
    );
    serde_json::from_str(inside(&browser.document(&page), "results")).unwrap()
}

fn printed(plan: &Plan) -> String {
    let text = plan_text(
        plan,
        &tiers(plan),
        false,
        &View::default().wide(200).explained(),
        &Beside::default(),
    );
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Asserts that the figures shown are those of this plan's text.
fn agrees(shown: &Value, plan: &Plan) {
    let printed = printed(plan);
    let said = shown["error"].as_str().unwrap();
    assert!(printed.contains(said), "{said}\n{printed}");
    assert_eq!(shown["estimator"].as_str(), plan.estimator());
    let epsilons = shown["epsilons"].as_array().unwrap();
    let outcomes = shown["outcomes"].as_array().unwrap();
    for (outcome, epsilon) in outcomes.iter().zip(epsilons) {
        let Some(would) = outcome.as_str().unwrap().strip_prefix("would spend ") else { continue };
        let (spent, kept) = would.split_once(", keeps ").unwrap();
        let line = format!(" {} {spent} {kept}", epsilon.as_str().unwrap());
        assert!(printed.contains(&line), "{line}\n{printed}");
    }
}

#[test]
fn every_step_is_what_the_plan_prints_and_back_is_where_it_was() {
    let Some(browser) = Browser::find() else { return };
    for (plan, unit) in [
        (quantiles as fn(&str) -> Plan, "percentage points"),
        (frequencies, "percentage points"),
        (sum, ""),
        (variance, ""),
        (correlated, ""),
        (mixed, ""),
    ] {
        let made = plan(PEOPLE);
        let section = steps::section(&made, &tiers(&made), Some("--bounds 0,1")).unwrap();
        let shown = driven(
            &browser,
            &section,
            &[
                // Up and down again, to the ends and back, and to other people.
                "slide(2, 'epsilon', 8)",
                "slide(2, 'epsilon', 7)",
                "slide(0, 'epsilon', 0)",
                "slide(2, 'epsilon', 10)",
                "slide(1, 'count', 8)",
                "slide(3, 'count', 0)",
                "reset()",
            ],
        );
        for (at, people) in [
            (0, PEOPLE),
            (1, "0.01:6835,0.1:8767,3:4028,inf:560"),
            (2, PEOPLE),
            (3, "0:6835,0.1:8767,1:4028,inf:560"),
            (4, "0.01:6835,0.1:8767,inf:4588"),
            (5, "0.01:6835,0.1:263010,1:4028,inf:560"),
            (6, "0.01:6835,0.1:8767,1:4028"),
            (7, PEOPLE),
        ] {
            agrees(&shown[at], &plan(people));
            let command = format!("suum plan --profile \"{people}\" --bounds 0,1");
            assert_eq!(shown[at]["command"], command);
            assert_eq!(shown[at]["unit"], unit);
            let is_made = people == PEOPLE;
            assert_eq!(shown[at]["change"] == "as planned", is_made, "{}", shown[at]["change"]);
        }
        assert_eq!(shown[2]["outcomes"], shown[0]["outcomes"]);
        assert_eq!(shown[7]["error"], shown[0]["error"]);
        assert_eq!(shown[6]["outcomes"][3], "nobody");
        let curve = shown[5]["curve"].as_str().unwrap();
        assert!(curve.ends_with("another ε, with as many people as planned"), "{curve}");
    }
}

#[test]
fn only_plans_that_other_people_have_too() {
    let many: Vec<String> = (1..=9).map(|at| format!("0.{at}:5")).collect();
    let plan = quantiles(&many.join(","));
    assert_eq!(steps::section(&plan, &tiers(&plan), None), None);
    let plan = quantiles(PEOPLE);
    let section = steps::section(&plan, &tiers(&plan), None).unwrap();
    assert_eq!(steps::section(&plan, &[], None), None);
    assert!(section.contains("\"options\":null"));
    // A label is text, and ends no script.
    let mut named = tiers(&plan);
    named[0].level = suum_core::LevelName::Label("</script><b>".to_owned());
    let section = steps::section(&plan, &named, None).unwrap();
    assert_eq!(section.matches("</script>").count(), 1);
}
