//! Comparison of every figure of the sums in JavaScript with the plan, for many profiles.

use serde_json::Value;
use suum_core::{
    Bounds, Choice, Epsilon, Estimator, Grid, Level, Options, Profile, Statistic, Target,
    WeightedPlan, WeightedRequest, half_width,
};

use suum_testing::Browser;

use super::inside;
use crate::what_if::{PARTS, SUMS, curve, json, page_input};
use crate::{Beside, Tier, View, plan_text};

/// Relative tolerance. Sums are taken in the same order; only exponentials and logarithms differ in
/// their last digits.
const TOLERANCE: f64 = 1e-9;

/// Largest relative excess of the interval of a page.
const FURTHER: f64 = 4e-4;

const TARGETS: [Target; 2] = [Target::Population, Target::Dataset];

/// Pseudorandom numbers from a seed (SplitMix64).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    /// Number from `low` to `high`, uniform on a logarithmic scale.
    fn decade(&mut self, low: f64, high: f64) -> f64 {
        let part = (self.next() >> 11) as f64 / (1u64 << 53) as f64;
        (low.ln() + part * (high / low).ln()).exp()
    }

    /// Typical and arbitrary budgets, 0 and ∞ among them.
    fn epsilon(&mut self) -> f64 {
        match self.below(10) {
            0 => 0.0,
            1 => f64::INFINITY,
            2..=5 => [0.0001, 0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0]
                [self.below(12)],
            _ => self.decade(1e-4, 20.0),
        }
    }

    fn profile(&mut self) -> Profile {
        let tiers = 1 + self.below(12);
        let mut levels: Vec<Level> = (0..tiers)
            .map(|_| Level {
                epsilon: Epsilon::new(self.epsilon()).unwrap(),
                count: self.decade(1.0, 1e7) as u64,
            })
            .collect();
        if levels.iter().all(|level| level.epsilon.is_unused()) {
            levels[0].epsilon = Epsilon::new(0.3).unwrap();
        }
        Profile::new(levels).unwrap()
    }

    fn plan(&mut self) -> WeightedPlan {
        let bounds =
            [(0.0, 1.0), (0.0, 77.0), (-5.0, 5.0), (1e-3, 3.1e-3), (-1e7, 2.5e8)][self.below(5)];
        let bounds = Bounds::new(bounds.0, bounds.1).unwrap();
        let target = TARGETS[self.below(2)];
        let mut options = Options { target, ..Options::default() };
        if self.below(3) == 0 {
            options.variance = Some(bounds.width() * bounds.width() * self.decade(1e-6, 0.25));
        }
        if self.below(4) == 0 {
            options.beta = 0.2;
            options.confidence = 0.99;
        }
        let profile = self.profile();
        if self.below(3) == 0 {
            let estimator = [Estimator::Affine, Estimator::Typical][self.below(2)];
            let named = Options { estimator: Choice::Named(estimator), ..options.clone() };
            let request = WeightedRequest::new(Statistic::Mean, bounds, named).unwrap();
            return request.plan(profile).unwrap();
        }
        let points = if self.below(5) == 0 { 1 << 20 } else { 1 << Grid::BITS };
        let request = WeightedRequest::new(Statistic::Mean, bounds, options).unwrap();
        let grid = Grid::with_points(bounds, points).unwrap();
        WeightedPlan::new(&request, profile, request.numbers(grid)).unwrap()
    }
}

/// Plan if the people of the first level allowed another ε.
fn moved(plan: &WeightedPlan, epsilon: f64) -> Option<WeightedPlan> {
    let mut levels = plan.setting().profile.levels().to_vec();
    levels[0].epsilon = Epsilon::new(epsilon).unwrap();
    let numbers = plan.request().numbers(*plan.grid());
    WeightedPlan::new(plan.request(), Profile::new(levels).unwrap(), numbers).ok()
}

/// Results of the sums for every plan.
fn computed(browser: &Browser, plans: &[WeightedPlan]) -> Vec<Value> {
    let cases: Vec<String> = plans
        .iter()
        .map(|plan| json(&page_input(plan, &Tier::from_profile(&plan.setting().profile))?))
        .map(Option::unwrap)
        .collect();
    let page = format!(
        "<!doctype html><meta charset=utf-8><script type='application/json' id=results></script>\
         <script>\n\"use strict\";\n{SUMS}\nconst cases = [{}];\n{}</script>",
        cases.join(",\n"),
        include_str!("figures.js"),
    );
    let document = browser.document(&page);
    let results: Vec<Value> = serde_json::from_str(inside(&document, "results")).unwrap();
    assert_eq!(results.len(), plans.len());
    results
}

fn number(value: &Value) -> f64 {
    match value.as_str() {
        Some("inf") => f64::INFINITY,
        _ => value.as_f64().unwrap_or_else(|| panic!("not a number: {value}")),
    }
}

fn same(found: &Value, expected: f64, what: &str) {
    let found = number(found);
    let close = found == expected || (found / expected - 1.0).abs() <= TOLERANCE;
    assert!(close, "{what}: {found:e} instead of {expected:e}");
}

fn same_or_none(found: &Value, expected: Option<f64>, what: &str) {
    match expected {
        Some(expected) => same(found, expected, what),
        None => assert!(found.is_null(), "{what}"),
    }
}

/// Lines of a text with single spaces between words, so that tables of any layout compare.
fn lines(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn strings(value: &Value) -> Vec<String> {
    value.as_array().unwrap().iter().map(|cell| cell.as_str().unwrap().to_owned()).collect()
}

#[test]
fn are_those_of_the_plan() {
    let Some(browser) = Browser::find() else { return };
    let mut numbers = Numbers(20_240);
    let mut plans: Vec<WeightedPlan> = (0..400).map(|_| numbers.plan()).collect();
    let plain = |profile: &str, target| {
        let options = Options { target, ..Options::default() };
        let request =
            WeightedRequest::new(Statistic::Mean, Bounds::new(0.0, 77.0).unwrap(), options)
                .unwrap();
        request.plan(profile.parse().unwrap()).unwrap()
    };
    // Levels that saturate at a number of few digits, ties, single records, the README's people,
    // and many levels.
    let many: Vec<String> =
        (1..=30).map(|level| format!("{}:{}", 0.03 * f64::from(level), 7 * level)).collect();
    for profile in [
        many.join(",").as_str(),
        "0.001:10000,inf:12",
        "0.01:6835,0.1:8767,1:4028,inf:560",
        "1:1",
        "inf:1",
        "0:5,inf:3",
        "0.5:1,1:1",
        "1:100,2:100",
        "1e-30:5,1e30:5",
        "1e30:5,inf:5",
        "60:4,70:4",
        "0.5:3,8:1",
        // All at ε = 1 is exactly as good as the public ones alone.
        "1:4,inf:4",
    ] {
        plans.extend(TARGETS.map(|target| plain(profile, target)));
    }
    let results = computed(&browser, &plans);
    for (plan, found) in plans.iter().zip(&results) {
        let profile = &plan.setting().profile;
        let case =
            format!("{} {:?} {profile}", plan.setting().target.name(), plan.request().options());
        assert!(found["error"].is_null(), "{case}: {}", found["error"]);
        let (risk, design) = (plan.chosen().risk, &plan.chosen().design);
        same(&found["rmse"], risk.rmse(), &case);
        // A part that is negligible beside the other is rounding.
        for (name, part) in [("noise", risk.noise), ("sampling", risk.sampling)] {
            let found = &found["risk"][name];
            if part > 1e-20 * risk.total() || number(found) > 1e-20 * risk.total() {
                same(found, part, &case);
            }
        }
        same_or_none(&found["tau"], design.tau, &case);
        let further = number(&found["half-width"]) / plan.half_width() - 1.0;
        assert!((-TOLERANCE..=FURTHER).contains(&further), "{case}: {further}");
        let losses: Vec<f64> = plan.losses().map(|loss| loss.rounded_up()).collect();
        let found_losses = strings(&found["losses"]);
        assert_eq!(found_losses.len(), losses.len(), "{case}");
        for (found, expected) in found_losses.iter().zip(losses) {
            assert_eq!(found.parse(), Ok(expected), "{case}");
        }
        for other in [Estimator::Uniform, Estimator::Threshold] {
            let candidate = plan.candidates().iter().find(|one| one.estimator == other).unwrap();
            same(&found["others"][other.name()], candidate.risk.rmse(), &case);
        }
        same_or_none(
            &found["moved"],
            moved(plan, 0.7).map(|plan| plan.chosen().risk.rmse()),
            &case,
        );
        let most = moved(plan, f64::INFINITY).and_then(|plan| plan.losses().last());
        same_or_none(&found["saturation"], most.map(|loss| loss.rounded_up()), &case);

        // Printed figures, to the last digit.
        let printed = lines(&plan_text(
            &plan.clone().into(),
            &Tier::from_profile(profile),
            false,
            &View::default().wide(200).explained(),
            &Beside::default(),
        ));
        let chosen = strings(&found["estimatorRow"]).join(" ");
        let mut said = vec![format!("{} (chosen) {chosen}", plan.chosen().estimator)];
        said.extend(
            found["otherRows"].as_array().unwrap().iter().map(|row| strings(row).join(" ")),
        );
        // The text leaves out the middle of a long table of tiers.
        if profile.levels().len() <= 16 {
            let rows = found["tierRows"].as_array().unwrap();
            said.push(rows.iter().flat_map(strings).collect::<Vec<_>>().join(" "));
        }
        for words in said {
            assert!(printed.contains(&lines(&words)), "{case}: {words}\n{printed}");
        }
    }
}

/// Interpolation of the curve is never below it, and hardly above it.
#[test]
fn the_curve_of_half_widths_errs_on_the_far_side_alone() {
    let mut most = 0.0_f64;
    for confidence in [1e-4, 0.001, 0.003, 0.01, 0.1, 0.5, 0.9, 0.95, 0.99, 0.999, 1.0 - 1e-9] {
        let curve = curve(confidence);
        for (at, ends) in curve.windows(2).enumerate() {
            for behind in [0.1, 0.5, 0.9] {
                let noise = (at as f64 + behind) / PARTS as f64;
                let exact = half_width(confidence, noise, 1.0 - noise);
                let further = (ends[0] + behind * (ends[1] - ends[0])) / exact - 1.0;
                assert!((-1e-12..=FURTHER).contains(&further), "{confidence} {noise}: {further}");
                most = most.max(further);
            }
        }
    }
    // The stated excess is not far above the real one.
    assert!(most > FURTHER / 2.0, "{most}");
}
