//! Use of the page: fields and sliders are moved, and the shown figures are those that `suum plan`
//! prints.

use serde_json::Value;
use suum_core::{
    Bounds, Choice, Estimator, LevelName, NamedTier, Options, Statistic, Target, WeightedPlan,
    WeightedRequest,
};
use suum_testing::Browser;

use super::inside;
use crate::changed::change;
use crate::figures::significant;
use crate::what_if::{SCRIPT, plan_section, section, steps};
use crate::{Beside, Tier, View, plan_text};

/// Page with nothing but the section, on which `script` runs last.
fn page(section: &str, script: &str) -> String {
    format!(
        "<!doctype html><html lang=en><meta charset=utf-8><title>What \
        if</title>\n<main>{section}</main>\n\
         <script type='application/json' \
         id=results></script>\n<script>{SCRIPT}</script>\n<script>{script}</script>"
    )
}

fn plan(profile: &str, bounds: &str, target: Target, variance: Option<f64>) -> WeightedPlan {
    let bounds: Bounds = bounds.parse().unwrap();
    let options = Options { target, variance, ..Options::default() };
    WeightedRequest::new(Statistic::Mean, bounds, options)
        .unwrap()
        .plan(profile.parse().unwrap())
        .unwrap()
}

const LABELS: [&str; 4] = ["strict", "standard", "relaxed", "public"];

/// The people of the README, by name.
fn tiers(plan: &WeightedPlan) -> Vec<Tier> {
    let named = |(mut tier, label): (Tier, &&str)| {
        tier.level = LevelName::Label((*label).to_owned());
        tier
    };
    Tier::from_profile(&plan.setting().profile).into_iter().zip(&LABELS).map(named).collect()
}

/// State of the page at first and after each step.
fn driven(browser: &Browser, section: &str, steps: &[&str]) -> Vec<Value> {
    let steps: String = steps.iter().map(|step| format!("() => {{ {step} }},\n")).collect();
    let script = format!("\"use strict\";\nconst steps = [{steps}];\n{}", include_str!("drive.js"));
    serde_json::from_str(inside(&browser.document(&page(section, &script)), "results")).unwrap()
}

/// Words one space apart.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn text<'a>(shown: &'a Value, name: &str) -> &'a str {
    shown[name].as_str().unwrap_or_else(|| panic!("{name}: {}", shown[name]))
}

/// Asserts that the figures shown are those of this plan's text.
fn agrees(shown: &Value, plan: &WeightedPlan) {
    let tiers = Tier::from_profile(&plan.setting().profile);
    let printed = words(&plan_text(
        &plan.clone().into(),
        &tiers,
        false,
        &View::default().explained(),
        &Beside::default(),
    ));
    let contains = |said: String| assert!(printed.contains(&said), "{said}\n{printed}");
    assert_eq!(shown["refusal"], Value::Null);
    contains(format!("The error is expected to be {}.", text(shown, "error")));
    contains(format!("with the estimator {}.", text(shown, "estimator")));
    let chosen = plan.chosen();
    for other in [Estimator::Uniform, Estimator::Threshold] {
        let candidate = plan.candidates().iter().find(|one| one.estimator == other).unwrap();
        let (error, other_error) = (chosen.risk.rmse(), candidate.risk.rmse());
        let figures = [significant(other_error, 4), change(error, other_error)];
        assert_eq!(shown[other.name()], serde_json::json!(figures), "{other}");
    }
    // The figure has three digits, and may be of a curve a little further out.
    let half_width = text(shown, "half-width").strip_prefix("at most ± ").unwrap();
    let half_width: f64 = half_width.split(' ').next().unwrap().replace(',', "").parse().unwrap();
    assert!(
        (half_width / plan.half_width() - 1.0).abs() <= 0.005 + 4e-4,
        "{half_width} {}",
        plan.half_width()
    );
    assert_eq!(shown["drawn"], serde_json::json!([true]));
}

/// Asserts that the tiers' lines are those of the plan's table, in which every tier has its own ε.
fn spends(shown: &Value, plan: &WeightedPlan) {
    let printed = words(&plan_text(
        &plan.clone().into(),
        &Tier::from_profile(&plan.setting().profile),
        false,
        &View::default().explained(),
        &Beside::default(),
    ));
    let outcomes = shown["outcomes"].as_array().unwrap();
    for (outcome, field) in outcomes.iter().zip(shown["fields"].as_array().unwrap()) {
        let outcome = outcome.as_str().unwrap();
        let figures =
            outcome.strip_prefix("would spend ").unwrap().strip_suffix(" of the estimate").unwrap();
        let (spent, rest) = figures.split_once(", keeps ").unwrap();
        let (kept, share) = rest.split_once("; ").unwrap();
        let epsilon = field[1].as_str().unwrap();
        let allowed = if epsilon == "inf" { "∞ (public)" } else { epsilon };
        let line = format!(" {allowed} {spent} {kept} {share}");
        assert!(printed.contains(&line), "{line}\n{printed}");
    }
}

#[test]
fn what_is_moved_shows_as_the_plan_prints_it() {
    let Some(browser) = Browser::find() else { return };
    let people = "0.01:6835,0.1:8767,1:4028,inf:560";
    let made = plan(people, "0,77", Target::Population, None);
    let section = section(&made, &tiers(&made)).unwrap();
    let command =
        |profile: &str, rest: &str| format!("suum plan --profile \"{profile}\" --bounds {rest}");
    let shown = driven(
        &browser,
        &section,
        &[
            // 1: a slider in the middle; 2: at its end; 3: a number of people; 4: back again.
            "put(tier(2, 'epsilon-slider'), 450)",
            "put(tier(2, 'epsilon-slider'), 1000)",
            "put(tier(1, 'count-slider'), 1000); put(tier(3, 'count'), '1,234')",
            "press('reset')",
            // 5 and 6: other bounds.
            "put(fact('upper'), '80.5')",
            "put(fact('lower'), '-3'); put(fact('upper'), '2.5')",
            // 7: back again, by the field for changes in words that stands for no change.
            "put(document.querySelector('[data-do=\"change\"]'), ' ')",
            // 8: nobody of a tier, one not used, one removed, one new.
            "press('reset'); put(tier(1, 'count'), '0'); put(tier(0, 'epsilon-slider'), 0); \
            remove(2); press('add')",
            // 9 to 12: what cannot be.
            "press('reset'); put(tier(0, 'epsilon'), 'half')",
            "press('reset'); put(fact('lower'), '80')",
            "press('reset'); [0, 1, 2, 3].forEach((index) => put(tier(index, 'epsilon'), '0'))",
            "press('reset'); put(fact('upper'), '1e200')",
            // 13: next to nobody; 14: and all is well again.
            "press('reset'); [0, 1, 2, 3].forEach((index) => put(tier(index, 'count'), '1'))",
            "press('reset')",
        ],
    );

    agrees(&shown[0], &made);
    spends(&shown[0], &made);
    assert_eq!(text(&shown[0], "command"), command(people, "0,77"));
    assert_eq!(text(&shown[0], "change"), "as planned");
    assert_eq!(shown[0]["labels"], serde_json::json!(LABELS));
    assert_eq!(shown[0]["groups"], serde_json::json!(LABELS));
    let kept = text(&shown[0], "kept");
    assert!(kept.contains("more than ε = 0.1253. 4,588 of 20,190 records keep part"), "{kept}");
    let half_width: f64 =
        text(&shown[0], "half-width").strip_prefix("at most ± ").unwrap().parse().unwrap();
    assert!((half_width - made.half_width()).abs() <= 0.0005, "{half_width} {}", made.half_width());

    let stricter = "0.01:6835,0.0243:4028,0.1:8767,inf:560";
    let changed = plan(stricter, "0,77", Target::Population, None);
    agrees(&shown[1], &changed);
    spends(&shown[1], &changed);
    assert_eq!(text(&shown[1], "command"), command(stricter, "0,77"));
    assert_eq!(text(&shown[1], "change"), "0.3287 as planned: 9.0 % more");
    assert_eq!(shown[1]["spoken"][2], "0.0243");
    // Moved to the end of its slider, this tier spends what everybody would who allowed everything.
    assert!(text(&shown[1], "saturation").contains("only ε = 0.1253 of it"));

    let public = plan("0.01:6835,0.1:8767,inf:4588", "0,77", Target::Population, None);
    agrees(&shown[2], &public);
    assert_eq!(shown[2]["spoken"][2], "∞ (public)");
    assert_eq!(shown[2]["outcomes"][2], "would spend 0.1253, keeps the rest; 33 % of the estimate");
    let many = plan("0.01:6835,0.1:10000000,inf:5262", "0,77", Target::Population, None);
    agrees(&shown[3], &many);
    assert_eq!(
        shown[3]["fields"],
        serde_json::json!([
            ["6835", "0.01"],
            ["10000000", "0.1"],
            ["4028", "inf"],
            ["1,234", "inf"]
        ])
    );
    assert_eq!(shown[4], shown[0]);

    agrees(&shown[5], &plan(people, "0,80.5", Target::Population, None));
    assert_eq!(text(&shown[5], "command"), command(people, "0,80.5"));
    let below = plan(people, "-3,2.5", Target::Population, None);
    agrees(&shown[6], &below);
    spends(&shown[6], &below);
    let bounds = format!("suum plan --profile \"{people}\" --bounds=-3,2.5");
    assert_eq!(text(&shown[6], "command"), bounds);
    assert_eq!(shown[7], shown[0]);

    let few = "0:6835,1:1000,inf:560";
    agrees(&shown[8], &plan(few, "0,77", Target::Population, None));
    assert_eq!(text(&shown[8], "command"), command(few, "0,77"));
    assert_eq!(
        shown[8]["labels"],
        serde_json::json!(["strict", "standard", "public", "new tier 1"])
    );
    assert_eq!(shown[8]["outcomes"][0], "not used");
    assert_eq!(shown[8]["outcomes"][1], "nobody");

    for (step, reason) in
        [(9, "ε is 0"), (10, "lower bound"), (11, "Every budget is zero"), (12, "width")]
    {
        assert!(text(&shown[step], "refusal").contains(reason), "{}", shown[step]);
        // The last plan that could be made stays, and says so; no command asks for it.
        let said = text(&shown[step], "refusal");
        assert!(said.ends_with(" What is shown is the last plan that could be made."), "{said}");
        for name in ["error", "half-width", "estimator"] {
            assert!(!["", "–"].contains(&text(&shown[step], name)), "{name}");
        }
        assert_eq!(text(&shown[step], "command"), "");
    }
    agrees(&shown[13], &plan("0.01:1,0.1:1,1:1,inf:1", "0,77", Target::Population, None));
    assert!(
        text(&shown[13], "half-width").ends_with(" (all of the bounds)"),
        "{}",
        shown[13]["half-width"]
    );
    assert_eq!(shown[14], shown[0]);
}

/// Changes in words make the plan that the command makes of them.
#[test]
fn changes_in_words_make_the_plan_of_the_command() {
    let Some(browser) = Browser::find() else { return };
    let made = plan("0.01:6835,0.1:8767,1:4028,inf:560", "0,77", Target::Population, None);
    let section = section(&made, &tiers(&made)).unwrap();
    let words = ["relaxed:+20%, strict:-35", "2:+500,inf:-50%", "nobody:+1", "strict:-7000"];
    let steps =
        words.map(|words| format!("put(document.querySelector('[data-do=change]'), '{words}')"));
    let shown = driven(&browser, &section, &steps.each_ref().map(String::as_str));
    let profile = &made.setting().profile;
    let names = tiers(&made);
    let named = names.iter().zip(LABELS).map(|(tier, name)| NamedTier {
        name,
        epsilon: tier.epsilon,
        count: tier.count,
    });
    let named: Vec<NamedTier<'_>> = named.collect();
    for (at, change) in words.iter().enumerate() {
        match profile.what_if(change, &named) {
            Ok(changed) => {
                agrees(
                    &shown[at + 1],
                    &plan(&changed.to_string(), "0,77", Target::Population, None),
                );
            }
            Err(_) => assert!(text(&shown[at + 1], "refusal").contains("names a tier"), "{change}"),
        }
    }
    assert_eq!(shown[1]["fields"][2][0], "4834");
    assert_eq!(shown[2]["labels"][4], "ε = 2");
}

/// Declared options of a plan stay, and its command has them.
#[test]
fn options_of_the_plan_stay() {
    let Some(browser) = Browser::find() else { return };
    let (people, moved) = ("0.01:6835,0.1:8767,inf:560", "0.01:6835,0.5:8767,inf:560");
    let options = |change: fn(&mut Options)| {
        let mut options = Options::default();
        change(&mut options);
        options
    };
    for (options, words) in [
        (options(|options| options.target = Target::Dataset), " --target dataset"),
        (options(|options| options.variance = Some(12.0)), " --variance 12"),
        (
            options(|options| options.estimator = Choice::Named(Estimator::Affine)),
            " --estimator affine",
        ),
        (
            options(|options| (options.beta, options.confidence) = (0.2, 0.9)),
            " --beta 0.2 --confidence 0.9",
        ),
    ] {
        let bounds = "0,77".parse().unwrap();
        let request = WeightedRequest::new(Statistic::Mean, bounds, options).unwrap();
        let made = request.plan(people.parse().unwrap()).unwrap();
        let section = section(&made, &Tier::from_profile(&made.setting().profile)).unwrap();
        let shown = driven(
            &browser,
            &section,
            &["put(tier(1, 'epsilon'), '0.5')", "press('reset'); put(fact('upper'), '5')"],
        );
        let changed = request.plan(moved.parse().unwrap()).unwrap();
        for (shown, plan, people) in [(&shown[0], &made, people), (&shown[1], &changed, moved)] {
            agrees(shown, plan);
            spends(shown, plan);
            let command = format!("suum plan --profile \"{people}\" --bounds 0,77{words}");
            assert_eq!(text(shown, "command"), command);
        }
        // A variance above a quarter of the squared width is that of no values.
        let refusal = shown[2]["refusal"].as_str().unwrap_or_default();
        assert_eq!(refusal.contains("do not have the declared variance 12"), words.contains("12"));
    }
}

/// Everybody may spend all that they allow.
#[test]
fn what_is_kept_is_said_of_any_plan() {
    let Some(browser) = Browser::find() else { return };
    let made = plan("0.1:50,inf:2", "0,1", Target::Population, None);
    let section = section(&made, &Tier::from_profile(&made.setting().profile)).unwrap();
    let steps = [
        "put(tier(1, 'epsilon'), '0.1')",
        "put(tier(0, 'epsilon'), 'inf'); \
        put(tier(1, 'epsilon'), 'inf')",
    ];
    let shown = driven(&browser, &section, &steps);
    let all = "Nobody would lose more than ε = 0.1. Everybody spends all that they allow.";
    assert_eq!(text(&shown[1], "kept"), all);
    assert_eq!(text(&shown[2], "kept"), "Public values are used as they are, without noise.");
    assert_eq!(
        text(&shown[2], "saturation"),
        "If these records allowed everything, all of it would be used."
    );
}

/// A slider comes back to what was planned, or written last, with all its digits.
#[test]
fn steps_go_exactly_back_and_forth() {
    let Some(browser) = Browser::find() else { return };
    let made = plan("0.0123456:6835,0.1:8767,1:4028,inf:560", "0,77", Target::Population, None);
    let section = section(&made, &tiers(&made)).unwrap();
    let step = |tier: usize, part: &str, moves: &[&str]| {
        let each = moves
            .iter()
            .map(|one| format!("slider.step{one}(); slider.dispatchEvent(new Event('input'));"));
        format!("const slider = tier({tier}, '{part}-slider'); {}", each.collect::<String>())
    };
    let there_and_back = ["Up", "Up", "Down", "Down", "Down", "Up"];
    let steps = [
        step(0, "epsilon", &there_and_back[..1]),
        step(0, "epsilon", &["Down"]),
        step(1, "count", &there_and_back),
        step(2, "epsilon", &there_and_back),
        step(3, "epsilon", &["Down", "Up"]),
        "put(tier(1, 'count'), '8801')".to_owned(),
        step(1, "count", &there_and_back),
    ];
    let steps: Vec<&str> = steps.iter().map(String::as_str).collect();
    let shown = driven(&browser, &section, &steps);
    assert_ne!(shown[1]["fields"], shown[0]["fields"]);
    for at in 2..=5 {
        // The spoken text of a curve is about the tier that was moved last.
        for name in ["error", "change", "fields", "outcomes", "command"] {
            assert_eq!(shown[at][name], shown[0][name], "{name} at {at}");
        }
    }
    assert_eq!(shown[6]["fields"][1][0], "8801");
    assert_eq!(shown[7]["fields"], shown[6]["fields"]);
}

#[test]
fn a_change_is_spoken_once_it_is_quiet() {
    let Some(browser) = Browser::find() else { return };
    let made = plan("0.1:50,inf:2", "0,1", Target::Population, None);
    let section = section(&made, &Tier::from_profile(&made.setting().profile)).unwrap();
    let script = "for (const place of [200, 300, 1000]) { \
                  const slider = document.querySelector('.epsilon-slider'); slider.value = place; \
                  slider.dispatchEvent(new Event('input')); }";
    let document = browser.document(&page(&section, script));
    let spoken = document.split("data-show=\"spoken\">").nth(1).unwrap().split('<').next().unwrap();
    let public = plan("inf:52", "0,1", Target::Population, None);
    let printed = plan_text(
        &public.clone().into(),
        &Tier::from_profile(&public.setting().profile),
        false,
        &View::default().explained(),
        &Beside::default(),
    );
    let figures = spoken.strip_prefix("Expected error ").unwrap().split(',').next().unwrap();
    assert!(
        printed.contains(&format!("expected to be {figures}."))
            && words(&printed).contains("with the estimator typical."),
        "{spoken}\n{printed}"
    );
    assert!(spoken.ends_with(", with the estimator typical."), "{spoken}");
}

#[test]
fn labels_are_text() {
    let Some(browser) = Browser::find() else { return };
    let made = plan("0.1:50,inf:2", "0,1", Target::Population, None);
    let label = "</script><img src=x onerror=alert(1)><!-- \"'&amp; ";
    let mut tiers = Tier::from_profile(&made.setting().profile);
    tiers[0].level = LevelName::Label(label.to_owned());
    let section = section(&made, &tiers).unwrap();
    assert_eq!(section.matches("</script>").count(), 1);
    let shown = driven(&browser, &section, &["put(tier(0, 'epsilon'), '0.2')"]);
    assert_eq!(shown[1]["labels"], serde_json::json!([label, "ε = ∞ (public)"]));
    agrees(&shown[1], &plan("0.2:50,inf:2", "0,1", Target::Population, None));
}

#[test]
fn only_plans_whose_figures_are_sums() {
    let people = "0.1:50,inf:2";
    let tiers = Tier::from_profile(&people.parse().unwrap());
    let asked = |statistic, change: fn(&mut Options)| {
        let mut options = Options::default();
        change(&mut options);
        let request = WeightedRequest::new(statistic, Bounds::UNIT, options).unwrap();
        section(&request.plan(people.parse().unwrap()).unwrap(), &tiers)
    };
    assert!(asked(Statistic::Mean, |options| options.confidence = 0.9).is_some());
    assert!(asked(Statistic::Sum, |_| ()).is_none());
    assert!(asked(Statistic::Mean, |options| options.shrink = true).is_none());
    assert!(
        asked(Statistic::Mean, |options| options.share = suum_core::Share::new(0.5).unwrap())
            .is_none()
    );
    for change in [
        |options: &mut Options| options.target = Target::DatasetCorrelated,
        |options: &mut Options| options.estimator = Choice::Named(Estimator::Mixed),
    ] {
        assert!(asked(Statistic::Mean, change).is_none());
        // Their pages look up plans that were made beforehand.
        let mut options = Options::default();
        change(&mut options);
        let request = WeightedRequest::new(Statistic::Mean, Bounds::UNIT, options).unwrap();
        let plan = request.plan(people.parse().unwrap()).unwrap();
        assert_eq!(plan_section(&plan.into(), &tiers, None).unwrap().1, steps::SCRIPT);
    }
    let many: String = (1..=33).map(|level| format!("{level}:1,")).collect();
    let many = plan(many.trim_end_matches(','), "0,1", Target::Population, None);
    assert!(section(&many, &Tier::from_profile(&many.setting().profile)).is_none());
    let crowd = plan("1:9007199254740993", "0,1", Target::Population, None);
    assert!(section(&crowd, &Tier::from_profile(&crowd.setting().profile)).is_none());
}

/// Searches the page for anything that could load, send, or be more than text.
#[test]
fn the_page_needs_nothing_but_itself() {
    let made = plan("0.1:50,inf:2", "0,1", Target::Population, None);
    let section = section(&made, &Tier::from_profile(&made.setting().profile)).unwrap();
    assert!(!SCRIPT.contains("</script"), "it would end there");
    let own = section + &SCRIPT.replace("http://www.w3.org/2000/svg", "");
    for word in [
        "http:",
        "https:",
        "src=",
        "href=",
        "url(",
        "@import",
        "fetch(",
        "XMLHttpRequest",
        "sendBeacon",
        "WebSocket",
        "eval(",
        "new Function",
        "innerHTML",
        "outerHTML",
        "insertAdjacentHTML",
        "document.write",
        "import(",
    ] {
        assert!(!own.contains(word), "{word}");
    }
}
