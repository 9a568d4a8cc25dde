//! Complete content of a release.

use suum_core::Release;

use crate::assumed;
use crate::certificate::SpendingTable;
use crate::content::{Block, Content};
use crate::data_value;
use crate::document::{Document, What};
use crate::figures::significant;
use crate::guarantee;
use crate::how;
use crate::html::Method;
use crate::sensitivity;
use crate::sentinel;
use crate::short;
use crate::statistic::{adaptive, answered, found, release_words, shown, unbounded};
use crate::tiers_apart;
use crate::view::Sort;

/// Document of a release: the answer first, then the sources of its error, the spending of each
/// tier, the alternatives, and the guarantee.
pub(crate) fn document(release: &Release, sort: Option<Sort>) -> Document {
    let (answer, made) = (answered(release), release_words(release));
    let mut all = Document::new(What::Release, answer.title(), short::scope(release));
    all.private = release.private;
    all.answer = shown(release).show(&answer, sort);
    all.answer.0.extend(sentinel::question(release).map(Block::Note));
    let answers = [answer];
    let [answer] = &answers;
    all.lines = assumed::lines_on_page(answer, &answers);
    all.notes = notes(release);
    let [answer] = answers;
    all.caveats = answer.said;
    all.cost = made.cost(release);
    all.cost.append(tiers_apart::section(release));
    all.cost.append(sensitivity::section(release));
    let spent =
        SpendingTable::for_release(&release.privacy, release.neighbors(), release.protects());
    let mut below = Content::default();
    if let Some(learned_range) = release.learned_range() {
        below.table(adaptive::costs(learned_range));
    }
    below.say_all(made.most());
    below.append(found::deltas(release));
    all.spends(&spent, spent.title(), below);
    all.comparison = made.comparison(release);
    if !how::is_exact(release) {
        all.guarantees(&spent, Some(guarantee::describe(release)));
    }
    all.method = method(release);
    // The command plans no steps that cost a part of the budget.
    if release.range().is_none() && release.learned_range().is_none() {
        all.check = made.check();
    }
    all
}

/// Method of the estimates.
pub(crate) fn method(release: &Release) -> Method {
    let (made, before) = (release_words(release), "The range before it");
    let mut method = made.method(release);
    if release.range().is_some() && !made.knows_search() {
        method.part(before, Method::for_search(release.neighbors()));
    }
    if release.learned_range().is_some() {
        method.part(before, Method::for_learning(release.neighbors()));
    }
    method
}

/// Notes on an estimate and its interval: strata, peculiarities of the statistic, a range that was
/// learned or found, a spread that was measured.
fn notes(release: &Release) -> Vec<String> {
    let mut notes: Vec<String> = release_words(release).strata().into_iter().collect();
    notes.extend(release_words(release).notes(release));
    notes.extend(adaptive::notes(release));
    notes.extend(release.spread().map(|spread| {
        let (known, most) = (spread.variance.sqrt(), spread.bound.sqrt());
        let unit = data_value::unit(release.scale());
        let of_what = adaptive::describe_spread_values(release.learned_range());
        let known = significant(known, 3);
        match release.is_noiseless() {
            true => format!("The standard deviation {of_what} is {known}{unit}."),
            false => format!(
                "The standard deviation {of_what} was measured beside the estimate, which cost \
                 nobody anything more: about {known}{unit}; allowing for its noise, probably at \
                 most {}{unit}.",
                significant(most, 3),
            ),
        }
    }));
    notes.extend(release.range().map(|range| unbounded::describe_found_range(release, range)));
    notes
}
