//! A mean that first learns where values lie: the learned range and its cost, in words.

use suum_core::{
    AdaptingCost, AdaptivePlan, Bounds, Epsilon, LearnedRange, Loss, Release, Spending,
    WeightedPlan,
};

use crate::content::Content;
use crate::data_value;
use crate::figures::{rounded_up, significant, spent};
use crate::prose::UNBROKEN;
use crate::rounding::{Direction, lower_end, significant_to, upper_end};
use crate::table::Table;
use crate::tiers::{LINES, Tier};

/// Sentence on the learned range and its cost.
pub(crate) fn sentence(release: &Release) -> Option<String> {
    let learned_range = release.learned_range()?;
    let cost = most(release, learned_range).unwrap_or_default();
    Some(match learned_range.is_narrower() {
        true => {
            let range = learned_range.bounds;
            let ends = [(range.lower(), Direction::Down), (range.upper(), Direction::Up)];
            let [low, high] = ends.map(|(end, to)| roughly(release, range, end, to));
            format!("First found that most of the weight lies between {low} and {high}{cost}.")
        }
        false => format!("First found that values need all of the bounds{cost}."),
    })
}

/// Largest cost of learning to somebody whose budget is limited, in brackets.
fn most(release: &Release, learned_range: &LearnedRange) -> Option<String> {
    let is_public = |cost: &AdaptingCost| {
        let mut rows = release.privacy.iter();
        rows.any(|row| row.level == *cost.level && row.epsilon.is_public())
    };
    let costs = learned_range.cost.iter().filter(|cost| !is_public(cost));
    let costs = costs.map(|cost| (cost.learning.rounded_up(), &cost.level));
    let (most, level) = costs.max_by(|(one, _), (other, _)| one.total_cmp(other))?;
    let of = match level.parse::<f64>() {
        Ok(_) => format!("a budget of {level}"),
        Err(_) => level.clone(),
    };
    let most = significant(rounded_up(most, 2), 2);
    // Not broken between its parts.
    (most != "0").then(|| format!(" (cost: up to ε{UNBROKEN}={UNBROKEN}{most} of {of})"))
}

/// End of a range with about two digits of its width, rounded outwards.
fn roughly(release: &Release, range: Bounds, end: f64, to: Direction) -> String {
    match (release.scale(), to) {
        (Some(scale), _) => data_value::shown(scale, end, range.width() / 20.0, to),
        (None, Direction::Up) => upper_end(end, range.width() / 2.0),
        (None, _) => lower_end(end, range.width() / 2.0),
    }
}

/// Bounds inside which the range was learned: the declared ones, or a range that was found.
fn bounds(release: &Release, learned_range: &LearnedRange) -> Bounds {
    let found = release.range().map(|range| range.bounds);
    release.bounds().or(found).unwrap_or(learned_range.bounds)
}

/// Writer of ends of ranges inside these bounds, rounded outwards.
fn ends(release: &Release, bounds: Bounds) -> impl Fn(f64, Direction) -> String {
    let (scale, width) = (release.scale(), bounds.width());
    move |number, to| match scale {
        None => significant_to(number, 4, to),
        Some(scale) => data_value::shown(scale, number, width / 100.0, to),
    }
}

/// Notes on the learned range, and its effect on the interval.
pub(crate) fn notes(release: &Release) -> Vec<String> {
    let Some(learned_range) = release.learned_range() else { return Vec::new() };
    let bounds = bounds(release, learned_range);
    let (digits, span) = (ends(release, bounds), data_value::unit(release.scale()));
    let (low, high) = (learned_range.bounds.lower(), learned_range.bounds.upper());
    let [cut_below, cut_above] = learned_range.cut;
    if !learned_range.is_narrower() {
        return vec![
            "A part of the budgets was spent to learn where the values lie. They need all of the \
             bounds."
                .to_owned(),
        ];
    }
    let mut notes = vec![format!(
        "First it was learned, for a part of the budgets, that most values lie between {} and {}. \
         The estimate is the mean of values that were moved to this range; the interval allows for \
         values beyond it.",
        digits(low, Direction::Down),
        digits(high, Direction::Up),
    )];
    let unit = if release.statistic() == "sum" { "sum" } else { "mean" };
    for (is_cut, measured, side, would, bound) in [
        (cut_below, learned_range.below, "below", "lower", bounds.lower()),
        (cut_above, learned_range.above, "above", "raise", bounds.upper()),
    ] {
        notes.extend(is_cut.then(|| match measured {
            Some(measured) => format!(
                "Values {side} the range {would} the {unit} by about {}{span}, measured with noise \
                 whose standard deviation is {}{span}.",
                significant(measured.estimate.max(0.0), 3),
                significant(measured.noise_sd, 3),
            ),
            None => format!(
                "Nothing was left of the budgets to measure values {side} the range: the interval \
                 reaches to the bound {}.",
                digits(bound, Direction::Nearest),
            ),
        }));
    }
    notes
}

/// Name of the values whose spread is given: those moved to a narrower range, or those in the data.
pub(crate) fn describe_spread_values(learned_range: Option<&LearnedRange>) -> &'static str {
    match learned_range.filter(|learned_range| learned_range.is_narrower()) {
        Some(_) => "of the values, moved to the range that was learned,",
        None => "of the values in the data",
    }
}

/// Table of the learning part of losses: for each tier the cost of the range, and of what lies
/// beyond.
pub(crate) fn costs(learned_range: &LearnedRange) -> Table {
    let shown = |loss: &Loss| spent(loss, Epsilon::PUBLIC);
    let caption = "Of this, spent on learning (the rest on the mean itself)";
    Table::at_most(LINES, caption, &learned_range.cost)
        .words("tier", |AdaptingCost { level, .. }| level.clone())
        .number("to learn the range", |cost| shown(&cost.learning))
        .number("to measure what lies beyond", |cost| shown(&cost.beyond))
        .into()
}

/// Choice of the weights of an adapted mean.
pub(crate) const WEIGHTS: &str = "The weights were made for a variance that was measured with \
    noise inside the range, or for an ordinary one where budgets are few; so they are not \
    compared with those of other estimators.";

/// Note on learning in a plan.
pub(crate) const PLANNED: &str = "The real release first learns where values lie and is usually \
                                  better; these figures are guaranteed for one that does not.";

/// Cost of learning for each tier.
pub(crate) fn planned_costs(
    plan: &WeightedPlan,
    adaptive: &AdaptivePlan,
    tiers: &[Tier],
) -> Vec<[String; 2]> {
    let rows = tiers.iter().filter(|tier| !tier.epsilon.is_public()).filter_map(|tier| {
        let level = plan.allowed().position(tier.epsilon)?;
        let learning = adaptive.learning().get(level)?.get();
        Some([tier.level.to_string(), significant(learning, 3)])
    });
    rows.collect()
}

/// Cost of learning for every declared budget.
pub(crate) fn declared_costs(learning: &[Spending]) -> Vec<[String; 2]> {
    let rows = learning.iter().filter(|row| !row.epsilon.is_public());
    rows.map(|row| [row.level.to_string(), spent(&row.spent, row.epsilon)]).collect()
}

/// Section on the cost of learning.
pub(crate) fn learning(costs: &[[String; 2]]) -> Content {
    let mut inside = Content::default();
    inside.table(
        Table::at_most(LINES, "Of this, for learning where the values lie", costs)
            .words("tier", |[tier, _]| tier.clone())
            .number("to learn the range", |[_, cost]| cost.clone()),
    );
    inside.say(MORE);
    let mut content = Content::default();
    content.section("learning", "What learning would cost", inside);
    content
}

/// Note on the part of the cost that is not fixed before the release.
const MORE: &str = "The mean spends as much of the rest as it has use for, which \
    depends on the range; what lies beyond the range is measured with at most 1 of what is left \
    then.";
