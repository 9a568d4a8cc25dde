//! Pages of single releases.

use suum_core::{
    AddRemoveAnswer, AddRemoveRelease, Caveats, FrequencyRelease, PostProcessing, Protected,
    QuantileRelease, Release, SummaryRelease, VarianceRelease,
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
use crate::answer::Answer;
use crate::caveats::{self, Said};
use crate::figures::percent;
use crate::how::{self, How, Person};
use crate::quantiles::{self, counts_with};
use crate::{add_remove, frequencies, headline, plan, range, release, summary, variance};

/// A release that can be shown as a page.
pub trait Shown: Caveats {
    /// The page of the release.
    fn page(&self) -> Page;
    /// The numbers that it answers with.
    #[doc(hidden)]
    fn figures(&self) -> Figures;
    /// What must be known of them.
    #[doc(hidden)]
    fn said(&self) -> Said;
}

/// The numbers of a release.
pub struct Figures(pub(crate) Vec<Figure>);

impl Figures {
    /// The confidence of their intervals, if they have any.
    pub(crate) fn confidence(&self) -> Option<f64> {
        self.0.iter().find_map(|figure| figure.interval).map(|interval| interval.confidence)
    }
}

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
        Figures(vec![Figure {
            key: name.clone(),
            name,
            estimate: self.estimate,
            interval,
            writing,
            comparable: true,
        }])
    }

    fn said(&self) -> Said {
        self.plan.as_ref().map_or_else(Said::nothing, |plan| release::said(self, plan))
    }

    fn page(&self) -> Page {
        let Some(plan) = &self.plan else { return count(self) };
        let mut page =
            Page::new(What::Release, title(self.statistic.name(), self.column.as_deref()));
        page.private = self.private;
        let answer = Answer {
            name: self.statistic.name(),
            column: self.column.as_deref(),
            figures: &self.figures(),
            whom: how::estimand(plan),
            said: &Shown::said(self),
        };
        answer::one(&mut page.answer, &answer, self);
        let person = Person::new(self.person.as_ref(), "the mean of their rows");
        release::notes(self, plan).iter().for_each(|note| page.answer.paragraph(note));
        if let Some(range) = &self.range {
            page.answer.said(|out| range::write_found(out, range));
        }
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
        if self.range.is_some() {
            page.method = Method::of_range();
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
    let whom = how::protected(*person);
    page.cost.section("error", how::ERRORS, |out| {
        let (unit, basis) = how::error_unit(plan, range.is_some());
        budget::table(out, unit, basis, &how::error_rows(*error, plan, whom), 3);
    });
    let spent = spent(page, privacy, whom);
    page.comparison = Markup::of(|out| {
        if range.is_none() {
            out.section("comparison", "The estimators compared", |out| {
                out.paragraph(&format!(
                    "There are many ways to make the same statistic. This one is by the estimator \
                    {}: {}. Estimators are compared, and the best is found, from {facts}.",
                    plan.chosen().estimator,
                    plan.chosen().estimator.describe(),
                ));
                comparison::of_plan(out, plan, false);
                if let Some(gain) = plan::gain(plan) {
                    out.paragraph(&gain);
                }
            });
        }
    });
    let public = range.is_none().then(|| how::declared(plan));
    guarantee(page, &spent, &how::guarantee(privacy, public, *person));
    page.method = Method::of_plan(plan);
    page.check = Check::of_plan(plan);
}

/// The section on what each tier spent.
fn spent(page: &mut Page, privacy: &[suum_core::Spending], whom: Protected) -> Spent {
    let spent = Spent::of_release(privacy, whom);
    page.cost.section("tiers", "What each tier allowed, and what was spent of it", |out| {
        spent.table(out)
    });
    spent
}

/// The section on what is guaranteed.
pub(super) fn guarantee(page: &mut Page, spent: &Spent, words: &str) {
    page.guarantee.section("guarantee", "What is guaranteed", |out| {
        out.paragraph(words);
        spent.meaning(out);
    });
}

/// The exact count of records.
fn count(release: &Release) -> Page {
    let whom = release.protects();
    let name = format!("number of {}", whom.many());
    let mut page = Page::new(What::Release, format!("Number of {}", whom.many()));
    page.private = release.private;
    let answer = Answer {
        name: &name,
        column: None,
        figures: &release.figures(),
        whom: "",
        said: &Said::nothing(),
    };
    answer::one(&mut page.answer, &answer, release);
    page.answer.paragraph(&release::exact(whom));
    spent(&mut page, &release.privacy, whom);
    page.method.words.paragraph("The records were counted. No noise was added.");
    page
}

impl Shown for FrequencyRelease {
    fn figures(&self) -> Figures {
        Figures(self.frequencies.iter().map(|one| Figure::of_share(one, self.error.rmse)).collect())
    }

    fn said(&self) -> Said {
        frequencies::said(self, true)
    }

    fn page(&self) -> Page {
        let mut page = Page::new(What::Release, title("frequencies", self.column.as_deref()));
        page.private = self.private;
        let answer = Answer {
            name: "frequencies",
            column: self.column.as_deref(),
            figures: &self.figures(),
            whom: how::estimand(&self.plan),
            said: &Shown::said(self),
        };
        shares(&mut page.answer, &answer, self.plan.request().options().post, self);
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

/// The shares of categories; in words which is the largest, if intervals tell.
fn shares(out: &mut Markup, answer: &Answer<'_>, post: PostProcessing, release: &impl Caveats) {
    let Answer { figures, whom, said, .. } = answer;
    if let Some(sentence) = frequencies::largest(figures) {
        answer::headline(out, &sentence, true);
    }
    answer::table(out, &format!("Shares, for {whom}"), "category", &figures.0);
    let alone = format!("{} {}", frequencies::ALONE, frequencies::post_words(post));
    answer::after_table(out, &headline::useless(release, &figures.0), &alone, said);
}

impl Shown for QuantileRelease {
    fn figures(&self) -> Figures {
        Figures(self.quantiles.iter().map(Figure::of_quantile).collect())
    }

    fn said(&self) -> Said {
        quantiles::said(self)
    }

    fn page(&self) -> Page {
        let (plan, options) = (&self.plan, self.plan.request().options());
        let (figures, whom) = (self.figures(), self.protects());
        let name = quantiles::title(&figures);
        let mut page = Page::new(What::Release, title(&name, self.column.as_deref()));
        page.private = self.private;
        let answer = Answer {
            name: &name,
            column: self.column.as_deref(),
            figures: &figures,
            whom: how::of_target(options.target),
            said: &Shown::said(self),
        };
        ranks(&mut page.answer, &answer, self);
        page.answer.paragraph(&quantiles::candidates(plan.request().cells().steps()));
        page.cost.section("error", quantiles::ERRORS, |out| {
            let rows = quantiles::error_rows(self.error, whom);
            budget::table(out, &quantiles::unit(whom), how::BEFORE, &rows, 3);
            out.said(|text| quantiles::write_split(text, plan));
        });
        let spent = spent(&mut page, &self.privacy, self.protects());
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
        guarantee(&mut page, &spent, &how::guarantee(&self.privacy, Some("bounds"), person));
        let rows = self.person.as_ref().map(|_| rows);
        page.method =
            Method::of_quantiles(plan.chosen().estimator, plan.request().cells().steps(), rows);
        page.check = Check::of_quantiles(plan);
        page
    }
}

/// One quantile in a sentence, or several in a sentence and a table.
fn ranks(out: &mut Markup, answer: &Answer<'_>, release: &impl Caveats) {
    let Answer { figures, whom, said, .. } = answer;
    if figures.0.len() == 1 {
        return answer::one(out, answer, release);
    }
    let all: Vec<&Figure> = figures.0.iter().collect();
    answer::headline(out, &headline::several(&all), true);
    let many = release.protects().many();
    let caption = format!("Values below which so many {many} lie, for {whom}");
    answer::table(out, &caption, "quantile", &figures.0);
    let useless = headline::useless(release, &figures.0);
    answer::after_table(out, &useless, quantiles::ALONE, said);
}

impl Shown for VarianceRelease {
    fn figures(&self) -> Figures {
        Figures(vec![
            Figure::of_moment("variance", &self.variance, false),
            Figure::of_moment("standard deviation", &self.deviation, false),
            Figure::of_moment("mean", &self.mean, true),
        ])
    }

    fn said(&self) -> Said {
        variance::said(self)
    }

    fn page(&self) -> Page {
        let options = self.plan.request().options();
        let mut page = Page::new(What::Release, title("variance", self.column.as_deref()));
        page.private = self.private;
        let figures = self.figures();
        let answer = Answer {
            name: "variance",
            column: self.column.as_deref(),
            figures: &figures,
            whom: how::of_target(options.target),
            said: &Shown::said(self),
        };
        answer::one(&mut page.answer, &answer, self);
        let others = figures.0.get(1..).unwrap_or(&[]);
        for (name, figure) in variance::NAMES.into_iter().zip(others) {
            page.answer.element("p", &[], |p| {
                p.text(&format!("{name}: "));
                figure.writing.show(p, figure.estimate);
                p.text(" (");
                figure.show_interval(p);
                p.text(").");
            });
        }
        if let Some(sentence) = caveats::useless(&headline::useless(self, others)) {
            page.answer.paragraph(&sentence);
        }
        page.cost.section("error", how::ERRORS, |out| {
            let rows = variance::error_rows(self.error, self.protects());
            budget::table(out, variance::ERROR_UNIT, variance::ERROR_BASIS, &rows, 3);
        });
        let spent = spent(&mut page, &self.privacy, self.protects());
        let person = Person::new(self.person.as_ref(), "the mean of their rows");
        guarantee(&mut page, &spent, &how::guarantee(&self.privacy, Some("bounds"), person));
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

    fn said(&self) -> Said {
        summary::said(self)
    }

    fn page(&self) -> Page {
        let mut page = Page::new(What::Release, title("statistics", self.column.as_deref()));
        page.private = self.private;
        let figures = self.figures();
        answer::headline(&mut page.answer, &summary::headline(&figures), true);
        answer::table(
            &mut page.answer,
            "Estimates; those in the units of the data are drawn on one axis",
            "statistic",
            &figures.0,
        );
        let useless = headline::useless(self, &figures.0);
        let alone = summary::alone(self);
        answer::after_table(&mut page.answer, &useless, &alone, &Shown::said(self));
        page.cost.section("split", "How every budget was split", |out| {
            out.element("ul", &[], |list| {
                for (measured, share) in &self.shares {
                    list.element("li", &[], |item| {
                        item.text(&format!("{} bought {measured}", percent(share.get())))
                    });
                }
            });
        });
        page.cost.section("error", how::ERRORS, |out| errors_of_parts(out, self));
        let spent = spent(&mut page, &self.privacy, self.protects());
        let counts_with = summary::counts_with_of(self);
        let person = Person::new(self.person.as_ref(), &counts_with);
        guarantee(&mut page, &spent, &how::guarantee(&self.privacy, Some("bounds"), person));
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
    let whom = release.protects();
    if let Some((mean, plan)) =
        release.mean.as_ref().and_then(|mean| Some((mean, mean.plan.as_ref()?)))
    {
        out.element("h3", &[], |h3| h3.text("The mean"));
        let (unit, basis) = how::error_unit(plan, false);
        budget::table(out, unit, basis, &how::error_rows(mean.error, plan, whom), 3);
    }
    if let Some(part) = &release.variance {
        out.element("h3", &[], |h3| h3.text("The variance"));
        let rows = variance::error_rows(part.error, whom);
        budget::table(out, variance::ERROR_UNIT, variance::ERROR_BASIS, &rows, 3);
    }
    if let Some(part) = &release.quantiles {
        out.element("h3", &[], |h3| h3.text("The quantiles: how far the rank may be off"));
        let rows = quantiles::error_rows(part.error, whom);
        budget::table(out, &quantiles::unit(whom), how::BEFORE, &rows, 3);
    }
}

impl Shown for AddRemoveRelease {
    fn figures(&self) -> Figures {
        Figures(match &self.answer {
            AddRemoveAnswer::Number { estimate, interval } => {
                let name = self.statistic.to_owned();
                let writing = Writing::ToError(self.error.rmse);
                vec![Figure {
                    key: name.clone(),
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

    fn said(&self) -> Said {
        add_remove::said(self)
    }

    fn page(&self) -> Page {
        let (figures, whom) = (self.figures(), self.protects());
        let name = add_remove::title(self, &figures);
        let mut page = Page::new(What::Release, title(&name, self.column.as_deref()));
        page.private = self.private;
        let answer = Answer {
            name: &name,
            column: self.column.as_deref(),
            figures: &figures,
            whom: add_remove::whom(self),
            said: &Shown::said(self),
        };
        match &self.answer {
            AddRemoveAnswer::Number { .. } => answer::one(&mut page.answer, &answer, self),
            AddRemoveAnswer::Frequencies { post, .. } => {
                shares(&mut page.answer, &answer, *post, self);
            }
            AddRemoveAnswer::Quantiles { .. } => ranks(&mut page.answer, &answer, self),
        }
        if let Some(range) = &self.range {
            page.answer.said(|text| range::write_found(text, range));
        }
        page.cost.section("error", how::ERRORS, |out| match self.error.rmse.is_nan() {
            true => out.paragraph(add_remove::UNKNOWN),
            false => {
                let (unit, rows) = add_remove::error_rows(self);
                budget::table(out, unit, add_remove::BASIS, &rows, 3);
            }
        });
        let spent = Spent::of_declared(&self.privacy, true, whom);
        let heading = format!("What {} with the declared budgets allow and spend", whom.many());
        page.cost.section("tiers", &heading, |out| {
            spent.table(out);
            out.paragraph(&add_remove::most("Nobody", self.tau));
        });
        guarantee(&mut page, &spent, &add_remove::guarantee(self));
        page.method = Method::of_add_remove(self);
        page
    }
}
