//! Pages of plans.

use suum_core::{
    AddRemovePartsPlan, AddRemovePlan, Loss, Neighbors, Plan, Protected, QuantilePlan, RangePlan,
    SummaryPlan, UnboundedPlan, VariancePlan, WeightedPlan,
};

use super::budget;
use super::check::Check;
use super::comparison;
use super::markup::Markup;
use super::method::Method;
use super::page::{Page, What};
use super::tiers::Spent;
use crate::add_remove::{GUESS, name_of, parts_name, parts_split, unit_of_part};
use crate::comparison::FOR_STUDY;
use crate::expected::{self, Expected};
use crate::figures::{count, percent, significant};
use crate::moment;
use crate::needed::{self, NEEDED, Needed};
use crate::plan::{INTERVAL, half_width};
use crate::scale::OF_RANK;
use crate::tiers::{self, Tier};
use crate::what_if::{WHAT_IF_SCRIPT, what_if_section};
use crate::{adaptive, add_remove, how, quantiles, range, scale, strata, variance, weighted};

/// An answer in a sentence whose number stands out.
fn answer(out: &mut Markup, before: &str, number: f64, digits: i32, after: &str) {
    out.element("p", &[("class", "answer")], |p| {
        p.text(before);
        p.element("strong", &[], |strong| {
            strong.element("data", &[("value", &number.to_string())], |data| {
                data.text(&significant(number, digits))
            });
        });
        p.text(after);
    });
}

/// The sections on what tiers would spend and what that means.
fn spending(page: &mut Page, spent: &Spent) {
    page.cost.section(
        "tiers",
        "What each tier allows, and what this release would spend of it",
        |out| spent.table(out),
    );
}

/// What the losses of a release would mean.
fn guarantee(page: &mut Page, spent: &Spent) {
    page.guarantee.section("guarantee", "What would be guaranteed", |out| spent.meaning(out));
}

fn planned(title: String) -> Page {
    Page::new(What::Plan, title)
}

/// The page of a plan; see [`plan_text`](crate::plan_text). `needed` says how many people a target
/// takes, `expected` what simulations say.
pub fn plan_page(
    plan: &Plan,
    tiers: &[Tier],
    in_range: bool,
    needed: Option<&Needed>,
    expected: Option<&Expected>,
) -> Page {
    let mut page = page_of(plan, tiers, in_range);
    if let Some(words) = half_width(plan, in_range) {
        page.cost.section("interval", INTERVAL, |out| out.paragraph(&words));
    }
    if let Some(expected) = expected {
        page.cost.section("expected", &expected::heading(expected), |out| {
            out.element("ul", &[], |list| {
                for line in expected::lines(expected) {
                    list.element("li", &[], |item| item.text(&line));
                }
            });
            out.paragraph(&expected::about(expected));
        });
    }
    if let Some(needed) = needed {
        page.cost.section("needed", NEEDED, |out| out.paragraph(&needed::needed_words(needed)));
    }
    page
}

fn page_of(plan: &Plan, tiers: &[Tier], in_range: bool) -> Page {
    match plan {
        Plan::Weighted(plan) => weighted_page(plan, tiers, in_range),
        Plan::Quantiles(plan) => quantiles_page(plan, tiers),
        Plan::Variance(plan) => variance_page(plan, tiers),
        Plan::Summary(plan) => summary_page(plan, tiers),
        Plan::Unbounded(plan) => unbounded(plan, tiers),
        Plan::AddRemove(plan) => add_remove(plan),
        Plan::AddRemoveParts(plan) => add_remove_parts(plan),
    }
}

/// The page of the plan of a mean, a sum or frequencies. That of a mean has a section in which
/// readers change tiers, bounds and target, where [`what_if_section`] has one.
fn weighted_page(plan: &WeightedPlan, tiers: &[Tier], in_range: bool) -> Page {
    let (setting, request) = (plan.setting(), plan.request());
    let records = count(setting.profile.records());
    let mut page =
        planned(format!("Plan for the {} of {records} records", request.statistic().name()));
    let what = if setting.categories.is_some() {
        "The largest error over the categories"
    } else {
        "The error"
    };
    let unit = if in_range { " of the width of the bounds" } else { "" };
    let rmse = plan.chosen().risk.rmse() * plan.unit();
    answer(&mut page.answer, &format!("{what} is expected to be "), rmse, 4, &format!("{unit}."));
    let scope = match request.categories() {
        Some(categories) => format!("{} categories", categories.len()),
        None if in_range => "bounds not given, so errors are shares of their width".to_owned(),
        None => format!("bounds {}", moment::between(request.bounds())),
    };
    page.answer.paragraph(&format!(
        "Root mean squared error, worst case, before seeing the data, for {}; {scope}. The \
        estimator would be {}: {}.",
        how::estimand(plan),
        plan.chosen().estimator,
        plan.chosen().estimator.describe(),
    ));
    if plan.adaptive().is_some() {
        page.answer.paragraph(adaptive::PLANNED);
    }
    for sentence in strata::of_plan(plan) {
        page.answer.paragraph(&sentence);
    }
    if let Some(shrinkage) = plan.shrinkage() {
        page.answer.paragraph(&format!(
            "Shrunk towards the middle of the bounds by the factor {} it is {}.",
            significant(shrinkage.factor, 3),
            significant(shrinkage.risk.sqrt() * plan.unit(), 4),
        ));
    }
    page.cost.section("error", how::ERRORS, |out| {
        let risk = plan.chosen().risk;
        let unit = plan.unit();
        let error = suum_core::ExpectedError {
            noise_sd: risk.noise_sd() * unit,
            sampling_sd: risk.sampling_sd() * unit,
            rmse: risk.rmse() * unit,
        };
        let (unit, basis) = how::error_unit(plan, how::Basis::Worst);
        let rows = how::error_rows(error, plan, Protected::Record, how::Basis::Worst);
        budget::table(out, unit, basis, &rows, 4);
    });
    let spent = Spent::of_plan(tiers::lines(plan, tiers));
    spending(&mut page, &spent);
    if let Some(adaptive) = plan.adaptive() {
        learning_section(&mut page, adaptive::planned_costs(plan, adaptive, tiers));
    }
    page.comparison.section("comparison", "The estimators compared", |out| {
        out.paragraph(
            "There are many ways to make the same statistic. They are compared from \
            public facts alone, before any value is read.",
        );
        comparison::of_plan(out, plan, true);
        out.paragraph(&format!("{FOR_STUDY}."));
        for excluded in plan.excluded() {
            out.paragraph(&format!(
                "Left out: \
                {}",
                excluded.reason.trim_start_matches("estimator: ")
            ));
        }
        if let Some(gain) = weighted::gain(plan) {
            out.paragraph(&gain);
        }
        out.paragraph(&weighted::bound(plan, plan.unit()));
    });
    guarantee(&mut page, &spent);
    page.method = Method::of_plan(plan);
    page.check = Check::of_plan(plan);
    // The section computes the error of a mean that does not learn.
    match what_if_section(&plan.without_adapting(), tiers) {
        Some(section) => page.with_section(&section, WHAT_IF_SCRIPT),
        None => page,
    }
}

/// The page of a what-if question: the plan for the changed people, after what would change.
pub fn what_if_page(
    before: &WeightedPlan,
    after: &WeightedPlan,
    tiers: &[Tier],
    in_range: bool,
) -> Page {
    let mut page = weighted_page(after, tiers, in_range);
    page.answer = Markup::of(|out| {
        out.element("div", &[("class", "note")], |note| {
            weighted::what_if(before, after).iter().for_each(|said| note.paragraph(said))
        });
        out.push(&page.answer);
    });
    page
}

/// The page of the plan of quantiles.
fn quantiles_page(plan: &QuantilePlan, tiers: &[Tier]) -> Page {
    let (request, chosen) = (plan.request(), plan.chosen());
    let records = count(plan.profile().records());
    let which = quantiles::which(request.ranks());
    let mut page = planned(format!("Plan for {which} of {records} records"));
    let points = chosen.rank_error.rmse() * 100.0;
    answer(
        &mut page.answer,
        "The rank is expected to be off by ",
        points,
        3,
        " percentage points of records.",
    );
    page.answer.paragraph(&format!(
        "Root mean squared error, for {}. The estimator would be {}: {}.",
        how::of_target(request.options().target),
        chosen.estimator,
        chosen.estimator.describe()
    ));
    for sentence in strata::of_quantiles(plan) {
        page.answer.paragraph(&sentence);
    }
    page.answer.said(|text| quantiles::write_split(text, plan));
    let spent = Spent::of_plan(quantiles::lines(plan, tiers));
    spending(&mut page, &spent);
    page.comparison.section("comparison", "The estimators compared", |out| {
        comparison::of_quantiles(out, plan)
    });
    guarantee(&mut page, &spent);
    page.method = Method::of_quantiles(plan, None);
    page.check = Check::of_quantiles(plan);
    page
}

/// The page of the plan of a variance.
fn variance_page(plan: &VariancePlan, tiers: &[Tier]) -> Page {
    let (options, error) = (plan.request().options(), plan.error());
    let mut page =
        planned(format!("Plan for the variance of {} records", count(plan.profile().records())));
    answer(&mut page.answer, "The error of the variance is expected to be ", error.rmse, 4, ".");
    page.answer.paragraph(&format!(
        "Root mean squared error at the distribution that is hardest to sample, for {}.",
        how::of_target(options.target)
    ));
    page.cost.section("error", how::ERRORS, |out| {
        let rows = variance::error_rows(error, Protected::Record);
        budget::table(out, variance::ERROR_UNIT, variance::ERROR_BASIS, &rows, 4);
    });
    let losses: Vec<Loss> = plan.losses().collect();
    let lines = tiers::lines_of(tiers, |tier| {
        let position = plan.position(tier.epsilon)?;
        Some((losses.get(position)?.clone(), plan.weights().per_level().get(position).copied()))
    });
    let spent = Spent::of_plan(lines);
    spending(&mut page, &spent);
    guarantee(&mut page, &spent);
    page.method = Method::of_variance(options.target, plan.tau());
    page.check = Check::of_variance(plan);
    page
}

/// The page of the plan of several statistics.
fn summary_page(plan: &SummaryPlan, tiers: &[Tier]) -> Page {
    let records = count(plan.allowed().records());
    let mut page = planned(format!("Plan for several statistics of {records} records"));
    let errors = [
        plan.rmse_of_mean().map(|rmse| ("the mean", rmse, 4, "")),
        plan.variance_plan().map(|variance| ("the variance", variance.error().rmse, 4, "")),
        plan.quantile_plan().map(|quantiles| {
            ("the quantiles", quantiles.chosen().rank_error.rmse() * 100.0, 3, OF_RANK)
        }),
    ];
    for (at, (of, error, digits, unit)) in errors.into_iter().flatten().enumerate() {
        let before = if at == 0 {
            format!("The expected error of {of} is ")
        } else {
            format!("That of {of} is ")
        };
        answer(&mut page.answer, &before, error, digits, &format!("{unit}."));
    }
    page.answer.paragraph(
        "Root mean squared errors, worst case, before seeing the data; that of the variance is at \
        the distribution that is hardest to sample.",
    );
    page.cost.section("split", "How every budget would be split", |out| {
        out.element("ul", &[], |list| {
            for (measured, share) in plan.shares() {
                list.element("li", &[], |item| {
                    item.text(&format!("{} would buy {measured}", percent(share.get())))
                });
            }
        });
    });
    let losses: Vec<Loss> = plan.losses().collect();
    let lines = tiers::lines_of(tiers, |tier| {
        Some((losses.get(plan.allowed().position(tier.epsilon)?)?.clone(), None))
    });
    let spent = Spent::of_plan(lines);
    spending(&mut page, &spent);
    guarantee(&mut page, &spent);
    if let Some(mean) = plan.mean_plan() {
        page.method.part("The mean", Method::of_plan(mean));
    }
    if let Some(variance) = plan.variance_plan() {
        page.method.part(
            "The variance",
            Method::of_variance(variance.request().options().target, variance.tau()),
        );
    }
    if let Some(quantiles) = plan.quantile_plan() {
        page.method.part("The quantiles", Method::of_quantiles(quantiles, None));
    }
    page
}

/// The page of a plan without declared bounds.
fn unbounded(plan: &UnboundedPlan, tiers: &[Tier]) -> Page {
    let (of, records) = (range::name(plan.request()), count(plan.allowed().records()));
    let title = format!("Plan for the {of} of {records} records, without declared bounds");
    let mut page = planned(title);
    let whom = how::of_target(plan.request().target());
    if let Some(error) = plan.expected_error() {
        let before = "The error is expected to be ";
        answer(&mut page.answer, before, error.rmse, 4, " standard deviations of the values.");
        page.answer.paragraph(&format!(
            "Root mean squared error for normal data, for {whom}. The estimator would be {}: {}.",
            RangePlan::NAME,
            RangePlan::ABOUT,
        ));
        page.cost.section("error", how::ERRORS, |out| {
            let rows = [
                (error.noise_sd, "noise: what hides each record"),
                (error.sampling_sd, "sampling: the records are a sample"),
                (error.rmse, "together (root mean squared error)"),
            ];
            budget::table(
                out,
                "in standard deviations of the values",
                "for normal data, before seeing the data",
                &rows,
                4,
            );
        });
    } else {
        page.answer.paragraph(&format!("{}.", range::expected(plan).trim_end_matches('.')));
        page.answer.paragraph(&format!("All of it is for {whom}."));
    }
    page.cost.section("split", "How every budget would be split", |out| {
        out.element("ul", &[], |list| {
            for (share, what) in range::split(plan) {
                list.element("li", &[], |item| {
                    item.text(&format!("{}: {what}", percent(share.get())))
                });
            }
        });
        out.paragraph(&range::decision(plan));
    });
    let spent =
        Spent::of_plan(tiers::lines_of(tiers, |tier| Some((plan.loss_of(tier.epsilon), None))));
    spending(&mut page, &spent);
    page.comparison.section("comparison", "How good could anybody be?", |out| {
        out.paragraph(range::bound(plan).as_deref().unwrap_or(weighted::NO_BOUND));
    });
    guarantee(&mut page, &spent);
    page.method = match plan.expected_error() {
        Some(_) => Method::of_range(),
        None => Method::of_search(Neighbors::ReplaceOne),
    };
    page
}

/// The section on what learning would cost.
fn learning_section(page: &mut Page, costs: Vec<[String; 2]>) {
    page.cost.section("learning", "What learning would cost", |out| {
        let caption = "Of the budgets, for learning where the values lie";
        budget::plain(out, caption, adaptive::PLANNED_COSTS, costs);
        out.paragraph(adaptive::MORE);
    });
}

/// The page of a plan that hides who takes part.
fn add_remove(plan: &AddRemovePlan) -> Page {
    let (request, chosen) = (plan.request(), plan.chosen());
    let (factor, unit) = scale::of_error(request.statistic());
    let records = count(plan.assumed().records());
    let mut page =
        planned(format!("Plan for {} of {records} records that are assumed", name_of(request)));
    let rmse = chosen.error.rmse * factor;
    answer(&mut page.answer, "The error is expected to be ", rmse, 4, &format!("{unit}."));
    page.answer.paragraph(&format!(
        "Root mean squared error, hiding who takes part, for {}. The estimator would be {}.",
        how::of_target(request.options().target),
        chosen.estimator
    ));
    if plan.learning().is_some() {
        page.answer.paragraph(adaptive::PLANNED);
    }
    page.answer.paragraph(GUESS);
    let spent =
        Spent::of_release(&chosen.privacy, request.options().neighbors, false, Protected::Record);
    page.cost.section(
        "tiers",
        "What records with the declared budgets allow and would spend",
        |out| spent.table(out),
    );
    if let Some(learning) = plan.learning() {
        learning_section(&mut page, adaptive::declared_costs(learning));
    }
    page.comparison.section("comparison", "The estimators compared", |out| {
        comparison::of_add_remove(out, plan, factor);
        for excluded in plan.excluded() {
            out.paragraph(&format!(
                "Left out: {}",
                excluded.reason.trim_start_matches("estimator: ")
            ));
        }
        if let Some(bound) = add_remove::bound(plan) {
            out.paragraph(&bound);
        }
    });
    guarantee(&mut page, &spent);
    page.method = Method::of_add_remove_plan(plan);
    page
}

/// The page of a plan of several parts that hide who takes part.
fn add_remove_parts(plan: &AddRemovePartsPlan) -> Page {
    let records = count(plan.assumed().records());
    let name = parts_name(plan);
    let mut page = planned(format!("Plan for {name} of {records} records that are assumed"));
    for (at, (_, part)) in plan.parts().enumerate() {
        let ((factor, unit), what) = (unit_of_part(plan, part), part.request().statistic());
        let before = if at == 0 { "The expected error of the" } else { "That of the" };
        let rmse = part.chosen().error.rmse * factor;
        answer(&mut page.answer, &format!("{before} {what} is "), rmse, 4, &format!("{unit}."));
    }
    page.answer.paragraph(&format!(
        "Root mean squared errors, hiding who takes part, for {}.",
        how::of_target(plan.made().1)
    ));
    page.answer.paragraph(GUESS);
    page.cost.section("split", "How every budget would be split", |out| {
        out.element("ul", &[], |list| {
            for (share, what) in parts_split(plan) {
                list.element("li", &[], |item| item.text(&format!("{}: {what}", percent(share))));
            }
        });
    });
    let spent = Spent::of_release(plan.privacy(), plan.made().0, false, Protected::Record);
    page.cost.section(
        "tiers",
        "What records with the declared budgets allow and would spend",
        |out| spent.table(out),
    );
    guarantee(&mut page, &spent);
    for (what, part) in plan.parts() {
        page.method.part(&format!("The {what}"), Method::of_add_remove_plan(part));
    }
    page
}
