//! Pages of single releases.

use suum_core::{
    AddRemoveAnswer, AddRemoveRelease, FrequencyRelease, QuantileRelease, Release, SummaryRelease,
    VarianceRelease,
};

use super::answer;
use super::budget;
use super::check::Check;
use super::comparison;
use super::figure::{Figure, Writing};
use super::markup::Markup;
use super::method::Method;
use super::page::{Page, What};
use super::tiers::Spent;
use crate::figures::{percent, significant};
use crate::how::{self, How, Person};
use crate::quantiles::{self, counts_with};
use crate::{add_remove, frequencies, plan, range, release, summary, variance};

/// A release that can be shown as a page.
pub trait Shown {
    /// The page of the release.
    fn page(&self) -> Page;
    /// The numbers that it answers with.
    #[doc(hidden)]
    fn figures(&self) -> Figures;
}

/// The numbers of a release.
pub struct Figures(pub(super) Vec<Figure>);

/// The heading and the title of a page.
fn title(name: &str, column: Option<&str>) -> String {
    format!("Private {name}{}", how::of_column(column))
}

impl Shown for Release {
    fn figures(&self) -> Figures {
        let (writing, interval) = match &self.plan {
            Some(_) => (Writing::ToError(self.error.rmse), self.interval),
            None => (Writing::Exact, None),
        };
        let name = self.statistic.name().to_owned();
        Figures(vec![Figure { name, estimate: self.estimate, interval, writing, comparable: true }])
    }

    fn page(&self) -> Page {
        let Some(plan) = &self.plan else { return count(self) };
        let mut page =
            Page::new(What::Release, title(self.statistic.name(), self.column.as_deref()));
        page.private = self.private;
        let whom = how::estimand(plan);
        for figure in &self.figures().0 {
            answer::one(
                &mut page.answer,
                self.statistic.name(),
                self.column.as_deref(),
                figure,
                whom,
            );
        }
        if let Some(why) = self.no_interval() {
            page.answer
                .paragraph(&format!("This is for {whom}. {}", range::no_interval(Some(why))));
        }
        let person = Person::new(self.person.as_ref(), "the mean of their rows");
        page.answer.said(|out| release::write_notes(out, self, plan));
        let how = How {
            plan,
            error: self.error,
            privacy: &self.privacy,
            person,
            range: self.range.as_ref(),
        };
        let bought = self.learned.is_some_and(|learned| learned.bound.is_some());
        explain(&mut page, &how, if bought { FROM_VARIANCE } else { FROM_PUBLIC });
        if self.learned.is_some() || self.range.is_some() {
            page.check = Check::default();
        }
        if let Some(range) = &self.range {
            page.method = Method::of_range(range.estimator);
        }
        if self.learned.is_some_and(|learned| learned.share > 0.0) {
            let mut method = Method::default();
            method.words.paragraph(
                "Before the mean a bound on the variance was bought with its own part of every \
                budget: the upper end of a 99 % interval of the private variance. \
                 Weights and interval were then made as if it had been declared.",
            );
            page.method.part("The variance before it", method);
        }
        page
    }
}

/// From what the estimator was chosen.
const FROM_PUBLIC: &str = "public facts alone";
const FROM_VARIANCE: &str = "public facts and the private bound on the variance";

/// What is said about a release besides its answer; `facts` are those from which the estimator was
/// chosen.
fn explain(page: &mut Page, how: &How<'_>, facts: &str) {
    let How { plan, error, privacy, person, range } = how;
    page.cost.section("error", "Where the error comes from", |out| {
        budget::table(
            out,
            how::error_unit(plan, range.is_some()),
            &how::error_rows(*error, plan),
            3,
        );
    });
    let spent = spent(page, privacy);
    page.comparison = Markup::of(|out| {
        if range.is_none() {
            out.section("comparison", "The estimators compared", |out| {
                out.paragraph(&format!(
                    "There are many ways to make the same statistic. This one is by the estimator \
                    {}: {}. Estimators are compared, and the \
                     best is found, from {facts}.",
                    plan.chosen().estimator,
                    plan.chosen().estimator.describe(),
                ));
                comparison::of_plan(out, plan, false);
                out.said(|text| plan::write_gain(text, plan));
            });
        }
    });
    let public = range.is_none().then(|| how::declared(plan));
    guarantee(page, &spent, |text| how::guarantee(text, privacy, public, *person));
    page.method = Method::of_plan(plan);
    page.check = Check::of_plan(plan);
}

/// The section on what each tier spent.
fn spent(page: &mut Page, privacy: &[suum_core::Spending]) -> Spent {
    let spent = Spent::of_release(privacy);
    page.cost.section("tiers", "What each tier allowed, and what was spent of it", |out| {
        spent.table(out)
    });
    spent
}

/// The section on what is guaranteed.
pub(super) fn guarantee(
    page: &mut Page,
    spent: &Spent,
    words: impl FnOnce(&mut String) -> std::fmt::Result,
) {
    page.guarantee.section("guarantee", "What is guaranteed", |out| {
        out.said(words);
        spent.meaning(out);
    });
}

/// The exact count of records.
fn count(release: &Release) -> Page {
    let people = if release.person.is_some() { "persons" } else { "records" };
    let mut page = Page::new(What::Release, format!("Number of {people}"));
    page.private = release.private;
    for figure in &release.figures().0 {
        answer::one(&mut page.answer, &format!("number of {people}"), None, figure, "");
    }
    page.answer.paragraph(&format!(
        "Exact, and it costs nobody any privacy: under replace-one neighbours the number of \
        {people} is public."
    ));
    spent(&mut page, &release.privacy);
    page.method.words.paragraph("The records were counted. No noise was added.");
    page
}

impl Shown for FrequencyRelease {
    fn figures(&self) -> Figures {
        Figures(self.frequencies.iter().map(|one| Figure::of_share(one, self.error.rmse)).collect())
    }

    fn page(&self) -> Page {
        let mut page = Page::new(What::Release, title("frequencies", self.column.as_deref()));
        page.private = self.private;
        let post = self.plan.request().options().post;
        shares(
            &mut page.answer,
            &self.figures().0,
            how::estimand(&self.plan),
            frequencies::post_words(post),
        );
        let person = Person::new(self.person.as_ref(), "their most frequent category");
        let how = How {
            plan: &self.plan,
            error: self.error,
            privacy: &self.privacy,
            person,
            range: None,
        };
        explain(&mut page, &how, FROM_PUBLIC);
        page
    }
}

/// The shares of categories, the largest one first in words.
fn shares(out: &mut Markup, figures: &[Figure], whom: &str, post: &str) {
    let largest = figures.iter().max_by(|a, b| a.estimate.total_cmp(&b.estimate));
    if let Some(largest) = largest {
        out.element("p", &[("class", "answer")], |p| {
            p.text("The largest share is that of ");
            p.label(&largest.name);
            p.text(": ");
            p.element("strong", &[], |strong| largest.writing.show(strong, largest.estimate));
            p.text(".");
        });
    }
    answer::table(out, &format!("Shares, for {whom}"), "category", figures);
    out.paragraph(&format!("Each interval holds for its category alone. {post}"));
    if let Some(interval) = figures.iter().find_map(|figure| figure.interval) {
        out.paragraph(&answer::meaning(interval.confidence));
    }
}

impl Shown for QuantileRelease {
    fn figures(&self) -> Figures {
        Figures(self.quantiles.iter().map(Figure::of_quantile).collect())
    }

    fn page(&self) -> Page {
        let (plan, options) = (&self.plan, self.plan.request().options());
        let figures = self.figures().0;
        let name = match figures.as_slice() {
            [one] => one.name.clone(),
            _ => "quantiles".to_owned(),
        };
        let mut page = Page::new(What::Release, title(&name, self.column.as_deref()));
        page.private = self.private;
        ranks(&mut page.answer, &figures, self.column.as_deref(), how::of_target(options.target));
        page.answer.said(|text| quantiles::write_no_interval(text, plan.no_interval()));
        page.answer.said(|text| quantiles::write_candidates(text, plan.request().cells().steps()));
        page.cost.section("error", "How far the rank may be off", |out| {
            let rows = quantiles::error_rows(self.error);
            budget::table(out, "standard deviation, in percentage points of people", &rows, 3);
            out.said(|text| quantiles::write_split(text, plan));
        });
        let spent = spent(&mut page, &self.privacy);
        page.comparison.section("comparison", "The estimators compared", |out| {
            out.paragraph(&format!(
                "Estimator: {} ({}).",
                plan.chosen().estimator,
                plan.chosen().estimator.describe()
            ));
            comparison::of_quantiles(out, plan);
        });
        let rows = plan.request().cells().rows();
        let counts_with = counts_with(rows);
        let person = Person::new(self.person.as_ref(), &counts_with);
        guarantee(&mut page, &spent, |text| {
            how::guarantee(text, &self.privacy, Some("bounds"), person)
        });
        let rows = self.person.as_ref().map(|_| rows);
        page.method =
            Method::of_quantiles(plan.chosen().estimator, plan.request().cells().steps(), rows);
        page.check = Check::of_quantiles(plan);
        page
    }
}

/// One quantile in a sentence, or several as a table.
fn ranks(out: &mut Markup, figures: &[Figure], column: Option<&str>, whom: &str) {
    if let [one] = figures {
        return answer::one(out, &one.name, column, one, whom);
    }
    if let (Some(first), Some(last)) =
        (least(figures), figures.iter().max_by(|a, b| a.estimate.total_cmp(&b.estimate)))
    {
        out.element("p", &[("class", "answer")], |p| {
            p.text(&format!("The {} quantiles lie between ", figures.len()));
            p.element("strong", &[], |strong| first.writing.show(strong, first.estimate));
            p.text(" and ");
            p.element("strong", &[], |strong| last.writing.show(strong, last.estimate));
            p.text(".");
        });
    }
    answer::table(
        out,
        &format!("Values below which so many people lie, for {whom}"),
        "quantile",
        figures,
    );
    out.paragraph("Each interval holds for its quantile alone.");
    if let Some(interval) = figures.iter().find_map(|figure| figure.interval) {
        out.paragraph(&answer::meaning(interval.confidence));
    }
}

fn least(figures: &[Figure]) -> Option<&Figure> {
    figures.iter().min_by(|a, b| a.estimate.total_cmp(&b.estimate))
}

impl Shown for VarianceRelease {
    fn figures(&self) -> Figures {
        Figures(vec![
            Figure::of_moment("variance", &self.variance, false),
            Figure::of_moment("standard deviation", &self.deviation, false),
            Figure::of_moment("mean", &self.mean, true),
        ])
    }

    fn page(&self) -> Page {
        let options = self.plan.request().options();
        let mut page = Page::new(What::Release, title("variance", self.column.as_deref()));
        page.private = self.private;
        let figures = self.figures().0;
        if let Some(variance) = figures.first() {
            let whom = how::of_target(options.target);
            answer::one(&mut page.answer, "variance", self.column.as_deref(), variance, whom);
        }
        for (name, figure) in
            [("Standard deviation", figures.get(1)), ("Mean, measured with it", figures.get(2))]
        {
            let Some(figure) = figure else { continue };
            page.answer.element("p", &[], |p| {
                p.text(&format!("{name}: "));
                figure.writing.show(p, figure.estimate);
                p.text(" (");
                figure.show_interval(p);
                p.text(").");
            });
        }
        page.cost.section("error", "Where the error comes from", |out| {
            budget::table(out, variance::ERROR_UNIT, &variance::error_rows(self.error), 3);
        });
        let spent = spent(&mut page, &self.privacy);
        let person = Person::new(self.person.as_ref(), "the mean of their rows");
        guarantee(&mut page, &spent, |text| {
            how::guarantee(text, &self.privacy, Some("bounds"), person)
        });
        page.method = Method::of_variance(options.target, self.plan.tau());
        page.check = Check::of_variance(&self.plan);
        page
    }
}

impl Shown for SummaryRelease {
    fn figures(&self) -> Figures {
        let mut figures = Vec::new();
        figures.extend(self.mean_estimate().map(|mean| Figure::of_moment("mean", &mean, true)));
        if let Some(variance) = &self.variance {
            figures.push(Figure::of_moment("variance", &variance.variance, false));
            figures.push(Figure::of_moment("standard deviation", &variance.deviation, false));
        }
        figures.extend(
            self.quantiles.iter().flat_map(|release| &release.quantiles).map(Figure::of_quantile),
        );
        Figures(figures)
    }

    fn page(&self) -> Page {
        let mut page = Page::new(What::Release, title("statistics", self.column.as_deref()));
        page.private = self.private;
        let figures = self.figures().0;
        page.answer.element("p", &[("class", "answer")], |p| {
            for (at, figure) in figures
                .iter()
                .filter(|figure| matches!(figure.name.as_str(), "mean" | "median"))
                .enumerate()
            {
                p.text(if at == 0 { "The " } else { ", the " });
                p.text(&format!("{} is ", figure.name));
                p.element("strong", &[], |strong| figure.writing.show(strong, figure.estimate));
            }
            p.text(
                match figures.iter().any(|figure| matches!(figure.name.as_str(), "mean" | "median"))
                {
                    true => ".",
                    false => "Several statistics, from one budget.",
                },
            );
        });
        answer::table(
            &mut page.answer,
            "Estimates; those in the units of the data are drawn on one axis",
            "statistic",
            &figures,
        );
        page.answer.said(|text| summary::write_alone(text, self));
        let quantiles = self.quantiles.as_ref();
        page.answer.said(|text| {
            let why = quantiles.and_then(|quantiles| quantiles.plan.no_interval());
            quantiles::write_no_interval(text, why)
        });
        page.cost.section("split", "How every budget was split", |out| {
            out.element("ul", &[], |list| {
                for (measured, share) in &self.shares {
                    list.element("li", &[], |item| {
                        item.text(&format!("{} bought {measured}", percent(share.get())))
                    });
                }
            });
        });
        page.cost.section("error", "Where the error comes from", |out| errors_of_parts(out, self));
        let spent = spent(&mut page, &self.privacy);
        let counts_with = summary::counts_with_of(self);
        let person = Person::new(self.person.as_ref(), &counts_with);
        guarantee(&mut page, &spent, |text| {
            how::guarantee(text, &self.privacy, Some("bounds"), person)
        });
        if let Some(plan) = self.mean.as_ref().and_then(|mean| mean.plan.as_ref()) {
            page.method.part("The mean", Method::of_plan(plan));
        }
        if let Some(variance) = &self.variance {
            let target = variance.plan.request().options().target;
            page.method.part("The variance", Method::of_variance(target, variance.plan.tau()));
        }
        if let Some(quantiles) = &self.quantiles {
            let (plan, cells) = (&quantiles.plan, quantiles.plan.request().cells());
            let rows = self.person.as_ref().map(|_| cells.rows());
            page.method.part(
                "The quantiles",
                Method::of_quantiles(plan.chosen().estimator, cells.steps(), rows),
            );
        }
        page
    }
}

/// The error of each part of a summary.
fn errors_of_parts(out: &mut Markup, release: &SummaryRelease) {
    if let Some((mean, plan)) =
        release.mean.as_ref().and_then(|mean| Some((mean, mean.plan.as_ref()?)))
    {
        out.element("h3", &[], |h3| h3.text("The mean"));
        budget::table(out, how::error_unit(plan, false), &how::error_rows(mean.error, plan), 3);
    }
    if let Some(part) = &release.variance {
        out.element("h3", &[], |h3| h3.text("The variance"));
        budget::table(out, variance::ERROR_UNIT, &variance::error_rows(part.error), 3);
    }
    if let Some(part) = &release.quantiles {
        out.element("h3", &[], |h3| h3.text("The quantiles"));
        let rows = quantiles::error_rows(part.error);
        budget::table(
            out,
            "standard deviation of the rank, in percentage points of people",
            &rows,
            3,
        );
    }
}

impl Shown for AddRemoveRelease {
    fn figures(&self) -> Figures {
        Figures(match &self.answer {
            AddRemoveAnswer::Number { estimate, interval } => {
                let name = self.statistic.to_owned();
                let writing = Writing::ToError(self.error.rmse);
                vec![Figure {
                    name,
                    estimate: *estimate,
                    interval: *interval,
                    writing,
                    comparable: true,
                }]
            }
            AddRemoveAnswer::Frequencies { frequencies, .. } => {
                frequencies.iter().map(|one| Figure::of_share(one, self.error.rmse)).collect()
            }
            AddRemoveAnswer::Quantiles { quantiles, .. } => {
                quantiles.iter().map(Figure::of_quantile).collect()
            }
        })
    }

    fn page(&self) -> Page {
        let column = self.column.as_deref();
        let figures = self.figures().0;
        let whom = add_remove::whom(self);
        let name = match (&self.answer, self.statistic) {
            (AddRemoveAnswer::Number { .. }, "count") => "number of records".to_owned(),
            (AddRemoveAnswer::Number { .. }, statistic) => statistic.to_owned(),
            (AddRemoveAnswer::Frequencies { .. }, _) => "frequencies".to_owned(),
            (AddRemoveAnswer::Quantiles { quantiles, .. }, _) => match quantiles.as_slice() {
                [one] => quantiles::name(one.q.get()),
                _ => "quantiles".to_owned(),
            },
        };
        let mut page = Page::new(What::Release, title(&name, column));
        page.private = self.private;
        match (&self.answer, figures.as_slice()) {
            (AddRemoveAnswer::Number { .. }, [one]) => {
                answer::one(&mut page.answer, &name, column, one, whom);
                if let Some(why) = self.no_interval() {
                    page.answer.paragraph(&format!(
                        "This is for {whom}. {}",
                        range::no_interval(Some(why))
                    ));
                }
            }
            (AddRemoveAnswer::Frequencies { post, .. }, figures) => {
                shares(&mut page.answer, figures, whom, frequencies::post_words(*post));
            }
            (_, figures) => {
                ranks(&mut page.answer, figures, column, whom);
                page.answer.said(|text| quantiles::write_no_interval(text, self.no_interval()));
            }
        }
        if let Some(range) = &self.range {
            page.answer.said(|text| range::write_found(text, range));
        }
        page.cost.section("error", "Where the error comes from", |out| {
            match self.error.rmse.is_nan() {
                true => out.paragraph(add_remove::UNKNOWN),
                false => {
                    let (unit, rows) = add_remove::error_rows(self);
                    budget::table(out, &format!("{unit}; estimated from noisy numbers"), &rows, 3);
                }
            }
        });
        let spent = Spent::of_declared(&self.privacy, true);
        page.cost.section(
            "tiers",
            "What people with the declared budgets allow and spend",
            |out| {
                spent.table(out);
                out.paragraph(&format!(
                    "Nobody spends more than τ = {} on the estimate.",
                    significant(self.tau, 4)
                ));
            },
        );
        guarantee(&mut page, &spent, |text| add_remove::guarantee(text, self));
        page.method = Method::of_add_remove(self);
        page
    }
}
