//! Part of a plan's page in which readers change tiers and see what a release would do.
//!
//! The weights of a mean are clipped budgets, so its figures are sums over tiers: JavaScript adds
//! them up, from constants and a curve that Rust provides. Pages of all other plans have a table of
//! [`steps`]. Tests compare both with the plan, in a browser.

use maud::html;
use serde::Serialize;
use suum_core::{
    Choice, Epsilon, Estimator, LevelName, OptionValue, Options, Plan, Statistic, TYPICAL_VARIANCE,
    Target, WeightedPlan, half_width, option,
};

use crate::figures::is_named_by;
use crate::html::Check;
use crate::statistic::planned;
use crate::{Tier, how};

pub(crate) mod steps;

/// JavaScript of the sums: from numbers of people to the error, losses and their texts, without a
/// page.
macro_rules! sums {
    () => {
        concat!(include_str!("plan.js"), include_str!("losses.js"), include_str!("figures.js"))
    };
}

#[cfg(test)]
const SUMS: &str = sums!();

/// Script that makes [`section`] interactive; it follows the section in the page.
pub(crate) const SCRIPT: &str = concat!(
    "(() => {\n\"use strict\";\n",
    sums!(),
    include_str!("scales.js"),
    include_str!("curve.js"),
    include_str!("section.js"),
    include_str!("page.js"),
    "})();\n"
);

/// Largest number of tiers that can be changed one by one.
const TIERS: usize = 32;
/// Largest integer that is exact in JavaScript.
const EXACT: u64 = (1 << 53) - 1;
/// Number of segments of the curve of half-widths. Linear interpolation is never below the curve,
/// and at most 0.04 % above it (checked by tests, at all confidences).
const PARTS: usize = 256;

/// A section of a page, in HTML, in which readers change the tiers and bounds of a plan and see its
/// error, how far its interval reaches, and what everybody would spend.
///
/// It is for the mean of values inside declared bounds, with replace-one neighbours, by `affine` or
/// `typical` against a target whose τ has a closed form. `None` for other plans: of other
/// statistics, shrunk, with a share of the budget, of more than 32 tiers or 2^53 records.
///
/// It brings its style and the numbers it starts from, and needs [`SCRIPT`] and nothing else. Its
/// colours are those of the page: `--ink`, `--paper`, `--soft`, `--faint`, `--line`, `--accent`,
/// `--warn`, `--good`. One page can hold one of it.
pub(crate) fn section(plan: &WeightedPlan, tiers: &[Tier]) -> Option<String> {
    let given = json(&page_input(plan, tiers)?)?;
    let options = plan.request().options();
    let values = match options.variance {
        Some(variance) => format!("values of the declared variance, {variance}"),
        None => "the worst values inside the bounds".to_owned(),
    };
    let html = include_str!("section.html")
        .replace("{confidence}", &how::confidence(options.confidence))
        .replace("{target}", how::describe_target(options.target))
        .replace("{values}", &values)
        .replace("{example}", &example(tiers));
    Some(around(&html, &given))
}

/// Example of a change, escaped as an attribute.
fn example(tiers: &[Tier]) -> String {
    let last = tiers.last().map_or_else(String::new, |tier| tier.level.to_string());
    html! { (last) ":+20%" }.into_string()
}

/// Section around the visible part, with its initial data.
fn around(html: &str, given: &str) -> String {
    format!(
        "<section id=\"what-if\" class=\"what-if\" \
        aria-labelledby=\"what-if-title\">\n<style>\n{}</style>\n{html}\
         <script type=\"application/json\" id=\"what-if-facts\">{given}</script>\n</section>\n",
        include_str!("style.css"),
    )
}

/// Section of a plan's page in which readers change the people, and its script: with the sums of a
/// mean, or step by step, if either is possible.
pub(crate) fn plan_section(
    plan: &Plan,
    tiers: &[Tier],
    options: Option<&str>,
) -> Option<(String, &'static str)> {
    let moved = planned(plan).what_if(tiers).map(|section| (section, SCRIPT));
    moved.or_else(|| Some((steps::section(plan, tiers, options)?, steps::SCRIPT)))
}

/// Initial data of the page.
#[derive(Serialize)]
struct PageInput<'a> {
    facts: Facts,
    tiers: Vec<TierInput<'a>>,
}

#[derive(Serialize)]
struct Facts {
    bounds: [f64; 2],
    target: Target,
    /// Declared variance.
    variance: Option<f64>,
    /// Variance that τ is made for, as a share of the squared width of the bounds, if that is not
    /// the variance of the values.
    spread: Option<f64>,
    /// Squared error of one noise of scale 1.
    noise: f64,
    /// Number of steps of the coarsest lattice of the sum that the interval allows for.
    steps: f64,
    points: u64,
    estimator: &'static str,
    /// Options of the command after its bounds.
    options: String,
    /// Half-width of noise of scale x plus a normal error of standard deviation 1 − x, for x from 0
    /// to 1.
    curve: Vec<f64>,
}

#[derive(Serialize)]
struct TierInput<'a> {
    /// `None` if the budget is the name.
    label: Option<&'a LevelName>,
    epsilon: Epsilon,
    count: u64,
}

impl<'a> TierInput<'a> {
    fn from_tier(tier: &'a Tier) -> Self {
        let is_named = is_named_by(&tier.level, tier.epsilon);
        let label = (!is_named).then_some(&tier.level);
        Self { label, epsilon: tier.epsilon, count: tier.count }
    }
}

/// Public facts of the plan; `None` if its figures are more than sums over tiers.
fn page_input<'a>(plan: &WeightedPlan, tiers: &'a [Tier]) -> Option<PageInput<'a>> {
    let (options, setting) = (plan.request().options(), plan.setting());
    let estimator = plan.chosen().estimator;
    // Options that the sums use, and those that change none of their figures.
    let of_page = Options {
        estimator: options.estimator,
        target: options.target,
        variance: options.variance,
        beta: options.beta,
        confidence: options.confidence,
        adapt: options.adapt,
        spare: options.spare,
        ..Options::default()
    };
    let known = plan.request().statistic() == Statistic::Mean
        && *options == of_page
        && options.target != Target::DatasetCorrelated
        && matches!(estimator, Estimator::Affine | Estimator::Typical);
    if !known || tiers.is_empty() || tiers.len() > TIERS || setting.profile.records() > EXACT {
        return None;
    }
    Some(PageInput {
        facts: Facts {
            bounds: [setting.bounds.lower(), setting.bounds.upper()],
            target: options.target,
            variance: options.variance,
            spread: (estimator == Estimator::Typical).then_some(TYPICAL_VARIANCE),
            noise: setting.noise_factor,
            steps: if options.variance.is_some() { 1.0 } else { 0.5 },
            points: plan.grid().points(),
            estimator: estimator.name(),
            options: command_options(plan),
            curve: curve(options.confidence),
        },
        tiers: tiers.iter().map(TierInput::from_tier).collect(),
    })
}

/// Options of the command that makes this plan, after its bounds.
fn command_options(plan: &WeightedPlan) -> String {
    let (options, target) = (plan.request().options(), plan.setting().target);
    // Without squares `auto` is not what it is with them.
    let is_named = options.estimator != Choice::Auto
        || plan.request().measures_spread() && !plan.measures_spread();
    let beta = Options::default().beta;
    let settings = [
        (target != Target::Population).then(|| (option::TARGET, target.name().into())),
        options.variance.map(|variance| (option::VARIANCE, variance.to_string().into())),
        is_named.then(|| (option::ESTIMATOR, plan.chosen().estimator.to_string().into())),
        (options.beta != beta).then(|| (option::BETA, options.beta.to_string().into())),
        Check::confidence(options.confidence),
    ];
    let settings: Vec<OptionValue> = settings.into_iter().flatten().collect();
    match settings.is_empty() {
        true => String::new(),
        false => format!(" {}", flags(&settings)),
    }
}

/// Options in the form of the command in the page's script.
pub(crate) fn flags(settings: &[OptionValue]) -> String {
    let flag = |(option, value): &OptionValue| match value.is_empty() {
        true => format!("--{}", option.with_hyphens()),
        false => format!("--{} {value}", option.with_hyphens()),
    };
    settings.iter().map(flag).collect::<Vec<_>>().join(" ")
}

/// Half-width of noise and sampling together, for every proportion of the two.
fn curve(confidence: f64) -> Vec<f64> {
    let noise = (0..=PARTS).map(|part| part as f64 / PARTS as f64);
    noise.map(|noise| half_width(confidence, noise, 1.0 - noise)).collect()
}

/// Initial data as JSON that cannot end its script element.
fn json(given: &impl Serialize) -> Option<String> {
    // Inside a script element "<" could begin its end, or a comment.
    Some(serde_json::to_string(given).ok()?.replace('<', "\\u003c"))
}

#[cfg(test)]
mod tests;
