//! The page of a release.

use maud::{Markup, html};
use suum_core::{Neighbors, Procedure, Release, SummaryPart, SummaryProcedure};

use super::answer;
use super::budget;
use super::check::Check;
use super::comparison;
use super::crosstab;
use super::distribution;
use super::figure::Figure;
use super::markup::{Pieces, list, said};
use super::method::Method;
use super::page::{Page, What};
use super::tiers::Spent;
use crate::answer::{Answer, Form};
use crate::brief;
use crate::caveats;
use crate::crosstab::Crossed;
use crate::figures::percent;
use crate::{
    adaptive, add_remove, frequencies, guarantee, headline, how, quantiles, range, release,
    summary, variance, weighted,
};

/// The page of a release.
///
/// # Example
///
/// ```
/// use suum_core::*;
///
/// let table = LevelTable::possibly_empty(None, Measure::Nothing, vec![])?;
/// let release = Release::count(&table, &Options::default())?;
/// let json = suum_report::json(&release)?;
/// assert!(suum_report::release_page(&release).html(&json).contains("Number of records"));
/// # Ok::<(), suum_core::Error>(())
/// ```
pub fn release_page(release: &Release) -> Page {
    let answer = Answer::of(release);
    let of = how::of_column(answer.column());
    let exact = release.procedure == Procedure::Exact;
    let title = match exact {
        true => format!("Number of {}", release.protects().many()),
        false => format!("Private {}{of}", answer.name),
    };
    let mut page = Page::new(What::Release, title);
    page.private = release.private;
    page.scope.extend(brief::scope(release));
    page.answer.add(show(&answer));
    match &release.procedure {
        Procedure::Exact => page.answer.paragraph(&release::exact(release.protects())),
        Procedure::Quantiles(plan) => {
            page.answer.paragraph(&quantiles::candidates(
                plan.request().cells().steps(),
                release.range().is_some(),
            ));
        }
        _ => {}
    }
    release::notes(release).iter().for_each(|note| page.answer.paragraph(note));
    if let Some(range) = release.range() {
        page.answer.add(said(|out| range::write_found(out, release, range)));
    }
    errors(&mut page.cost, release);
    let spent = spent(&mut page, release);
    comparison_of(&mut page.comparison, release);
    if !exact {
        guaranteed(&mut page, &spent, &guarantee::of(release));
    }
    page.method = method(release);
    page.check = check(release);
    page
}

/// The answer, in the form of its statistic.
fn show(answer: &Answer<'_>) -> Markup {
    let Answer { release, figures, whom, said, .. } = answer;
    let shown = match answer.form() {
        Form::Number => return answer::one(answer),
        Form::Moments => return moments(answer),
        Form::Shares(_) => {
            let caption = format!("Shares, for {whom}");
            let crossed = Crossed::of(release);
            let largest = || frequencies::largest(figures);
            let sentence = crossed.as_ref().map(Crossed::sentence).or_else(largest);
            html! {
                @if let Some(sentence) = sentence { (answer::headline(&sentence, true)) }
                @match crossed {
                    Some(crossed) => {
                        (crosstab::show(&caption, &crossed))
                        (answer::drawn(&format!("Cells, for {whom}"), &crossed.as_shown(figures)))
                    },
                    None => (answer::several(&caption, "category", figures)),
                }
            }
        }
        Form::Quantiles => {
            let all: Vec<&Figure> = figures.iter().collect();
            let many = release.protects().many();
            let caption = format!("Values below which so many {many} lie, for {whom}");
            html! {
                (answer::headline(&headline::several(&all), true))
                (distribution::show(release, figures))
                (answer::several(&caption, "quantile", figures))
            }
        }
        Form::Statistics => {
            let caption = "Estimates; those in the units of the data are drawn on one axis";
            html! {
                (answer::headline(&summary::headline(figures), true))
                (answer::several(caption, "statistic", figures))
            }
        }
    };
    html! { (shown) (answer::after_table(&answer.useless(), &answer.alone(), said)) }
}

/// A variance in a sentence, and what was measured with it.
fn moments(answer: &Answer<'_>) -> Markup {
    let others = answer.figures.get(1..).unwrap_or(&[]);
    let useless = headline::useless(answer.release, others);
    html! {
        (answer::one(answer))
        @for (name, figure) in variance::NAMES.into_iter().zip(others) {
            p { (name) ": " (figure.show()) " (" (figure.show_interval()) ")." }
        }
        @if let Some(sentence) = caveats::useless(&useless) { p { (sentence) } }
    }
}

/// The section on the error, and how budgets were divided where they were.
fn errors(cost: &mut Pieces, release: &Release) {
    let (heading, further) = match &release.procedure {
        Procedure::Exact => return,
        Procedure::Summary(SummaryProcedure { parts, .. }) => {
            let bought = parts.iter().map(|SummaryPart { measured, share, .. }| {
                format!("{} bought {measured}", percent(share.get()))
            });
            cost.section("split", "How every budget was split", list(bought));
            let errors = html! {
                @for part in parts {
                    h3 { (heading(&part.release)) }
                    (error_table(&part.release))
                }
            };
            return cost.section("error", how::ERRORS, errors);
        }
        Procedure::Quantiles(plan) => {
            (quantiles::ERRORS, said(|text| quantiles::write_split(text, plan)))
        }
        Procedure::AddRemove(how) if how.together.is_some() => {
            let further = said(|text| {
                add_remove::write_together(text, how);
                Ok(())
            });
            (how::ERRORS, further)
        }
        _ => (how::ERRORS, Markup::default()),
    };
    cost.section("error", heading, html! { (error_table(release)) (further) });
}

/// The heading of the error of a part of a summary.
fn heading(part: &Release) -> &'static str {
    match part.statistic() {
        "quantile" => "The quantiles: how far the rank may be off",
        _ => name(part),
    }
}

/// The name of a part of a summary.
fn name(part: &Release) -> &'static str {
    match part.statistic() {
        "variance" => "The variance",
        "quantile" => "The quantiles",
        _ => "The mean",
    }
}

/// The parts of the error with their meaning.
fn error_table(release: &Release) -> Markup {
    let Some(error) = release.error else { return Markup::default() };
    let whom = release.protects();
    match &release.procedure {
        Procedure::Weighted(plan) => {
            let basis = how::Basis::of(release);
            let rows = how::error_rows(error, plan, whom, basis);
            let (unit, basis) = how::error_unit(plan, basis);
            budget::errors(unit, basis, &rows, 3)
        }
        Procedure::Quantiles(_) => {
            let rows = quantiles::error_rows(error, whom);
            budget::errors(&quantiles::unit(whom), how::BEFORE, &rows, 3)
        }
        Procedure::Variance(_) => {
            let rows = variance::error_rows(error, whom);
            budget::errors(variance::ERROR_UNIT, variance::error_basis(release), &rows, 3)
        }
        Procedure::AddRemove(how) => match add_remove::error_rows(how, release) {
            None => html! { p { (add_remove::UNKNOWN) } },
            Some((unit, rows)) => budget::errors(unit, add_remove::BASIS, &rows, 3),
        },
        Procedure::Exact | Procedure::Summary { .. } => Markup::default(),
    }
}

/// The section on what each tier spent.
fn spent(page: &mut Page, release: &Release) -> Spent {
    let whom = release.protects();
    let spent = Spent::of_release(&release.privacy, release.neighbors(), true, whom);
    let heading = match release.neighbors() {
        Neighbors::AddRemove | Neighbors::Both => {
            format!("What {} with the declared budgets allow and spend", whom.many())
        }
        Neighbors::ReplaceOne => "What each tier allowed, and what was spent of it".to_owned(),
    };
    let inside = html! {
        (spent.table())
        @if let Some(learned) = release.learned_range() {
            (budget::plain(adaptive::OF_THIS, adaptive::COSTS, adaptive::costs(learned)))
        }
        @if let Procedure::AddRemove(how) = &release.procedure {
            p { (add_remove::most("Nobody", how.tau)) }
        }
    };
    page.cost.section("tiers", &heading, inside);
    spent
}

/// The section on the estimators that could have been used.
fn comparison_of(comparison: &mut Pieces, release: &Release) {
    const COMPARED: &str = "The estimators compared";
    match &release.procedure {
        Procedure::Weighted(_) if release.learned_range().is_some() => {
            comparison.section("comparison", "The estimator", html! { p { (adaptive::WEIGHTS) } });
        }
        Procedure::Weighted(plan) if !release.is_planned_in_range() => {
            let estimator = plan.chosen().estimator;
            let inside = html! {
                p {
                    "There are many ways to make the same statistic. This one is by the estimator "
                    (estimator.name()) ": " (estimator.describe())
                    ". Estimators are compared from public facts alone."
                }
                (comparison::of_plan(plan, false))
                @if let Some(gain) = weighted::gain(plan) { p { (gain) } }
            };
            comparison.section("comparison", COMPARED, inside);
        }
        Procedure::Quantiles(plan) => {
            let estimator = plan.chosen().estimator;
            let inside = html! {
                p { "Estimator: " (estimator.name()) " (" (estimator.describe()) ")." }
                (comparison::of_quantiles(plan))
            };
            comparison.section("comparison", COMPARED, inside);
        }
        _ => {}
    }
}

/// The section on what is guaranteed.
pub(super) fn guaranteed(page: &mut Page, spent: &Spent, words: &str) {
    let inside = html! { p { (words) } (spent.meaning()) };
    page.guarantee.section("guarantee", "What is guaranteed", inside);
}

/// How the estimates were made.
pub(super) fn method(release: &Release) -> Method {
    let mut method = match &release.procedure {
        Procedure::Exact => {
            let mut method = Method::default();
            method.words.paragraph("The records were counted. No noise was added.");
            method
        }
        Procedure::Weighted(_) if release.is_planned_in_range() => Method::of_range(),
        Procedure::Weighted(plan) => Method::of_plan(plan),
        Procedure::Quantiles(plan) => {
            let rows = release.person.as_ref().map(|_| plan.request().cells().rows());
            Method::of_quantiles(plan, rows)
        }
        Procedure::Variance(plan) => {
            Method::of_variance(plan.request().options().target, plan.tau())
        }
        Procedure::Summary(SummaryProcedure { parts, .. }) => {
            let mut all = Method::default();
            for part in parts {
                all.part(name(&part.release), self::method(&part.release));
            }
            all
        }
        Procedure::AddRemove(how) => Method::of_add_remove(how, release),
    };
    // A mean in a range, and what hides who takes part, have said so already.
    if release.range().is_some()
        && !matches!(release.procedure, Procedure::Weighted(_) | Procedure::AddRemove(_))
    {
        method.part("The range before it", Method::of_search(release.neighbors()));
    }
    if release.learned_range().is_some() {
        method.part("The range before it", Method::of_learning(release.neighbors()));
    }
    method
}

/// What a reader can compute again from public facts; nothing, where a plan followed from noisy
/// numbers.
fn check(release: &Release) -> Check {
    // The command plans no steps that cost a part of the budget.
    if release.range().is_some() || release.learned_range().is_some() {
        return Check::default();
    }
    match &release.procedure {
        Procedure::Weighted(plan) => Check::of_plan(plan),
        Procedure::Quantiles(plan) => Check::of_quantiles(plan),
        Procedure::Variance(plan) => Check::of_variance(plan),
        Procedure::Exact | Procedure::Summary { .. } | Procedure::AddRemove(_) => Check::default(),
    }
}
