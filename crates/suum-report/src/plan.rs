//! Plan of any statistic.

use suum_core::{Plan, PlannedInterval, Unit, WeightedPlan, WidthBasis};

use crate::brief::{self, Beside};
use crate::content::{Block, Content};
use crate::document::{Document, What};
use crate::expected_errors::ExpectedErrors;
use crate::figures::{count, rounded_up, significant};
use crate::how;
use crate::html::Page;
use crate::people_needed::PeopleNeeded;
use crate::planned_error::PlannedError;
use crate::prose::{self, Text};
use crate::statistic::quantiles::OF_RANK;
use crate::statistic::{adaptive, planned};
use crate::tiers::Tier;
use crate::view::View;
use crate::what_if;
use crate::{changed, expected_errors, people_needed};

/// Complete content of a plan.
pub(crate) fn document(plan: &Plan, tiers: &[Tier], in_range: bool) -> Document {
    let words = planned(plan);
    let records = count(records(plan, tiers));
    let scope = brief::scope_of_plan(plan, tiers, in_range);
    let target = plan.options().filter(|_| plan.unit() != Unit::Records);
    let target = target.map_or_else(String::new, |of| format!(", target {}", of.target.name()));
    let mut all = Document::new(
        What::Plan,
        words.title(records, &how::planned_persons_suffix(plan)) + &target,
        scope,
    );
    for sentence in PlannedError::sentences(&words.errors(in_range)) {
        all.answer.add(Block::Answer(sentence, true));
    }
    all.answer.say_all(words.notes(in_range));
    all.notes = words.more();
    all.cost = words.cost();
    let spent = words.spent(tiers);
    all.spends(&spent, spent.title(), Content::default());
    let learning = words.learning(tiers);
    if !learning.is_empty() {
        all.cost.append(adaptive::learning(&learning));
    }
    if let Some(words) = half_width(plan, in_range) {
        all.cost.section("interval", INTERVAL, Content::from_sentences([words]));
    }
    all.comparison = words.comparison();
    all.guarantees(&spent, None);
    all.method = words.method();
    all.check = words.check();
    all
}

/// Text of a plan: the expected error, the length of the interval, and the spent and kept budget of
/// each tier. If the view explains, also the estimators, and a bound on the best possible one.
///
/// `tiers` names the rows of the table of spending, [`Tier::from_table`] or [`Tier::from_profile`];
/// `in_range` says that no bounds were declared, so that errors are shares of the range.
///
/// # Example
///
/// ```
/// use suum_core::{Bounds, Options, Plan, Statistic, WeightedRequest};
/// use suum_report::{Beside, Tier, View, plan_text};
///
/// let plan = WeightedRequest::new(Statistic::Mean, Bounds::UNIT, Options::default())?
///     .plan("0.1:50,inf:2".parse()?)?;
/// let tiers = Tier::from_profile(plan.allowed());
/// let (plan, view, beside) = (Plan::from(plan), View::default(), Beside::default());
/// assert!(plan_text(&plan, &tiers, true, &view, &beside).contains("expected error"));
/// assert!(plan_text(&plan, &tiers, true, &view.explained(), &beside).contains("affine"));
/// # Ok::<(), suum_core::Error>(())
/// ```
pub fn plan_text(
    plan: &Plan,
    tiers: &[Tier],
    in_range: bool,
    view: &View,
    beside: &Beside,
) -> String {
    let mut out = Text::new(view);
    match view.explain {
        true => document(plan, tiers, in_range).write(&mut out),
        false => {
            brief::write_plan(&mut out, plan, tiers, in_range, half_width(plan, in_range), beside)
        }
    }
    out.finish()
}

/// Plan as Markdown; see [`plan_text`].
pub fn plan_markdown(plan: &Plan, tiers: &[Tier], in_range: bool, view: &View) -> String {
    document(plan, tiers, in_range).markdown(view.explain)
}

/// Page of a plan; see [`plan_text`]. `needed` is the number of people that a target takes,
/// `expected` the errors of simulated releases.
pub fn plan_page(
    plan: &Plan,
    tiers: &[Tier],
    in_range: bool,
    needed: Option<&PeopleNeeded>,
    expected: Option<&ExpectedErrors>,
) -> Page {
    let mut all = document(plan, tiers, in_range);
    all.cost.append(expected_errors::section(expected.map(|expected| ("", expected))));
    all.cost.append(people_needed::section(needed.map(people_needed::needed_words)));
    let options = all.check.plan.as_ref().map(|plan| what_if::flags(&plan.settings[1..]));
    Page::from_document(all).with_own_section(what_if::plan_section(
        plan,
        tiers,
        options.as_deref(),
    ))
}

/// Text of a what-if question: the changes, and the plan for the changed people.
pub fn what_if_text(
    before: &WeightedPlan,
    after: &WeightedPlan,
    tiers: &[Tier],
    in_range: bool,
    view: &View,
    beside: &Beside,
) -> String {
    let mut out = Text::new(view);
    let said = changed::what_if(before, after);
    said.iter().for_each(|sentence| prose::paragraph(&mut out, sentence));
    out.line();
    out.finish() + &plan_text(&after.clone().into(), tiers, in_range, view, beside)
}

/// Page of a what-if question: the changes, then the plan for the changed people.
pub fn what_if_page(
    before: &WeightedPlan,
    after: &WeightedPlan,
    tiers: &[Tier],
    in_range: bool,
) -> Page {
    let page = plan_page(&after.clone().into(), tiers, in_range, None, None);
    page.with_note(&changed::what_if(before, after))
}

/// Number of records that a plan is for.
fn records(plan: &Plan, tiers: &[Tier]) -> u64 {
    planned(plan).records().unwrap_or_else(|| tiers.iter().map(|tier| tier.count).sum())
}

/// Heading of the length of the interval.
pub(crate) const INTERVAL: &str = "The interval";

/// Note that some of these intervals may be uninformative; empty if none is.
fn may_say_nothing(plan: &Plan, all: &[PlannedInterval]) -> String {
    let such = all.iter().filter(|one| plan.may_say_nothing(one));
    let such: Vec<&str> = such.map(|one| one.of).collect();
    let whose = match (such.as_slice(), all) {
        ([], _) => return String::new(),
        (_, [_]) => "That".to_owned(),
        (such, _) => format!("For the {} that", such.join(" and the ")),
    };
    format!(
        " {whose} is all that is possible: with so few records, or so little ε, there may be no \
         useful answer."
    )
}

/// Sentence on the length of the interval, as far as it is known, or on the reason why there would
/// be none.
pub(crate) fn half_width(plan: &Plan, in_range: bool) -> Option<String> {
    let all = plan.intervals();
    // Else it is said with the search.
    let none = plan.no_interval().filter(|_| !planned(plan).says_why());
    let none = none.map(|why| format!("No interval: {why}."));
    let Some(first) = all.first() else { return none };
    let confidence = how::confidence(first.confidence);
    let lengths = match all.as_slice() {
        [one] if plan.statistic() != "summary" => {
            let (before, figure, unit, whatever) = length(plan, one, in_range);
            format!("a {confidence} interval is {before} {figure}{unit}{whatever}")
        }
        several => {
            let each = several.iter().map(|one| {
                let (before, figure, unit, whatever) = length(plan, one, in_range);
                format!("{before} {figure}{unit} for the {}{whatever}", one.of)
            });
            format!("{confidence} intervals is {}", each.collect::<Vec<_>>().join("; "))
        }
    };
    let lengths = format!("Half the length of {lengths}.");
    let lengths = lengths + &may_say_nothing(plan, &all);
    Some([Some(lengths), none].into_iter().flatten().collect::<Vec<_>>().join(" "))
}

/// Half-width of an interval: how surely it is reached, the figure, its unit, and the data for
/// which it holds.
fn length(
    plan: &Plan,
    one: &PlannedInterval,
    in_range: bool,
) -> (&'static str, String, &'static str, &'static str) {
    let before = match one.basis {
        WidthBasis::WorstCase | WidthBasis::WorstCaseWithoutLearning => "at most",
        WidthBasis::Approximate if one.unit == Unit::Rank => "about",
        WidthBasis::Approximate => "expected to be about",
    };
    let simultaneous = plan.options().is_some_and(|options| options.simultaneous);
    let (factor, unit) = match one.unit {
        Unit::Rank if planned(plan).searches() => {
            (100.0, " percentage points of rank, if it lies in the range that is found")
        }
        Unit::Rank => (100.0, OF_RANK),
        Unit::Share if simultaneous => (100.0, " percentage points for all categories at once"),
        Unit::Share => (100.0, " percentage points"),
        Unit::Square if in_range => (1.0, " of the squared width of the bounds"),
        Unit::Value if in_range => (1.0, " of the width of the bounds"),
        Unit::Square | Unit::Value | Unit::Records => (1.0, ""),
    };
    let whatever = match one.basis {
        // It was said of all figures that they are of one that does not learn.
        WidthBasis::WorstCaseWithoutLearning => ", whatever the data, without learning first",
        WidthBasis::WorstCase if unit.is_empty() => ", whatever the data",
        WidthBasis::WorstCase | WidthBasis::Approximate => "",
    };
    // The most that is promised is rounded up.
    let half = match before {
        "at most" => rounded_up(one.half_width * factor, 4),
        _ => one.half_width * factor,
    };
    (before, significant(half, 4), unit, whatever)
}
