//! Shares of categories that nobody has declared: those that show, and all others together.

use suum_core::{
    FoundPlan, Neighbors, Options, Phrase, Plan, Profile, ProtectedUnit, Release, Spending, option,
};

use super::frequencies::{largest, post_words, sorted, table};
use super::variance::errors;
use super::{AnswerWords, PlanWords, ReleaseWords};
use crate::answer::{self, Answer};
use crate::certificate::SpendingTable;
use crate::content::{Block, Content};
use crate::figure::Figure;
use crate::figures::{count, percent, rounded_up, significant, tier};
use crate::headline;
use crate::how;
use crate::html::{Check, Method, Source};
use crate::planned_error::PlannedError;
use crate::prose::{self, Text};
use crate::sentence::Sentence;
use crate::short;
use crate::table::Table;
use crate::tiers::{self, Tier};
use crate::view::Sort;

/// Shares of the categories that show, and of all others.
pub(crate) struct FoundShares;

impl AnswerWords for FoundShares {
    fn name(&self, _: &Release) -> String {
        "frequencies".to_owned()
    }

    fn show(&self, answer: &Answer<'_>, sort: Option<Sort>) -> Content {
        let Answer { release, figures, whom, .. } = answer;
        let mut content = Content::default();
        content.add(Block::Answer(describe_found(release, figures), true));
        let shown = shown(figures, sort);
        let caption = format!("Shares, for {whom}");
        content.draw(answer::drawn(&caption, release, shown.iter().copied()));
        let shares = shown.iter().map(|figure| figure.estimate).collect();
        content.add(Block::Shares(table(caption, &shown), shares));
        content.say_all(largest(categories(figures)));
        let alone = match release.is_simultaneous() {
            true => answer::TOGETHER,
            false => "Each interval holds for its category alone.",
        };
        let alone = format!("{alone} {}", post_words(release));
        let useless = headline::useless(release, figures);
        content.append(answer::after_table(release, &useless, &alone));
        content
    }

    fn brief(&self, out: &mut Text, answer: &Answer<'_>, sort: Option<Sort>) {
        let (release, figures) = (answer.release, &answer.figures);
        short::above(out, answer, "shares: categories that were found, and all others");
        let shown = shown(figures, sort);
        let shares: Vec<f64> = shown.iter().map(|figure| figure.estimate).collect();
        out.shares(&table("", &shown), &shares);
        let sentences = [Some(describe_found(release, figures)), largest(categories(figures))];
        for sentence in sentences.into_iter().flatten() {
            prose::indented(out, &sentence.text());
        }
        if let Some(risk) = guaranteed(release) {
            prose::indented(out, &risk);
        }
    }
}

/// Figures of the categories that show.
fn categories(figures: &[Figure]) -> &[Figure] {
    figures.split_last().map_or(&[], |(_, categories)| categories)
}

/// Figures in the order in which they are shown: all others at the end.
fn shown(figures: &[Figure], sort: Option<Sort>) -> Vec<&Figure> {
    let mut shown = sorted(categories(figures), sort);
    shown.extend(figures.last());
    shown
}

/// Sentence on what was found.
fn describe_found(release: &Release, figures: &[Figure]) -> Sentence {
    let many = match categories(figures).len() {
        0 => "No category was found".to_owned(),
        1 => "1 category was found".to_owned(),
        many => format!("{} categories were found", count(many as u64)),
    };
    let by_half = release.found_categories().map_or(f64::NAN, |found| found.shown_by_half);
    let all = release.privacy.iter().filter_map(|row| row.count).sum::<u64>() as f64;
    let whom = release.protects().many();
    Sentence::from(format!(
        "{many}. Others may exist: of a category that about {} of the {whom} are in ({}) the \
         chance to be found is one half, and rarer ones are hidden among all others.",
        percent(by_half),
        about(by_half * all, whom),
    ))
}

/// Number of records in words.
fn about(number: f64, whom: &str) -> String {
    match number < 1e15 {
        true => format!("about {} {whom}", count(number.ceil().max(1.0) as u64)),
        false => format!("about {} {whom}", significant(number, 2)),
    }
}

/// Meaning of δ, if there is one.
pub(crate) fn guaranteed(release: &Release) -> Option<String> {
    let delta = release.found_categories()?.delta;
    let one = release.protects().one();
    Some(format!(
        "δ = {delta}: with probability at most δ a category of a single {one} shows, which tells \
         that somebody is in it; for all other results the factor holds."
    ))
}

/// Table of δ for each tier, if the release has one.
pub(crate) fn deltas(release: &Release) -> Content {
    let mut content = Content::default();
    let rows: Vec<(&Spending, f64)> =
        release.privacy.iter().filter_map(|row| Some((row, row.delta?))).collect();
    if !rows.is_empty() {
        let caption = "The probability, at most, that a category shows which nobody else is in";
        content.table(
            Table::from_rows(caption, &rows)
                .words("tier", |(row, _)| Sentence::from_label(tier(&row.level, row.epsilon)))
                .number("δ at most", |(row, delta)| match row.epsilon.is_public() {
                    true => Sentence::from("public"),
                    false => Sentence::default().number(risk(*delta), *delta),
                }),
        );
    }
    content
}

/// δ rounded up.
fn risk(delta: f64) -> String {
    if delta == 0.0 { "0".to_owned() } else { significant(rounded_up(delta, 3), 3) }
}

/// Description of the weights.
const ABOUT: &str = "weights min(ε, τ), with τ for a low threshold and a small sampling error";

/// Data for which the errors hold that are known in advance.
const BASIS: &str = "of a common category, before seeing the data";

impl ReleaseWords for FoundPlan {
    fn options(&self) -> Option<&Options> {
        Some(self.request().options())
    }

    fn notes(&self, _: &Release) -> Vec<String> {
        vec![threshold(self), SELECTED.to_owned()]
    }

    fn error(&self, release: &Release) -> Content {
        let whom = release.protects();
        release.error.map_or_else(Content::default, |error| errors(error, whom, BASIS, 3))
    }

    fn comparison(&self, _: &Release) -> Content {
        let words = format!("Estimator: affine ({ABOUT}).");
        how::compared("The estimator", Content::from_sentences([words]))
    }

    fn method(&self, _: &Release) -> Method {
        method(self)
    }

    fn check(&self) -> Check {
        check(self)
    }

    fn better(&self, release: &Release) -> Option<Phrase> {
        how::mostly_noise(release)
    }
}

/// Threshold in words.
fn threshold(plan: &FoundPlan) -> String {
    format!(
        "A category shows if its noisy share is above {} of all weight, or if it has public \
         records. One without records never shows.",
        percent(plan.threshold())
    )
}

/// Effect of the selection on estimates and intervals.
const SELECTED: &str = "Estimates just above the threshold are more often too large than too \
    small, because others do not show. Intervals allow for it: they are those of a category that \
    shows. The interval of all others adds up the ends of those of the categories.";

impl PlanWords for FoundPlan {
    fn name(&self) -> String {
        "the frequency".to_owned()
    }

    fn errors(&self, _: bool) -> Vec<PlannedError> {
        vec![PlannedError::for_share("the frequency", self.error().rmse, "by affine".to_owned())]
    }

    fn notes(&self, _: bool) -> Vec<String> {
        vec![
            format!(
                "That is the root mean squared error of a common category with the estimator \
                 affine, if budgets do not depend on values. A category that {} of the \
                 records are in ({}) shows in half of all releases, and one of a single record \
                 with a probability of at most {}.",
                percent(self.share_shown_by_half()),
                about(self.records_shown_by_half(), "records"),
                self.request().delta(),
            ),
            threshold(self),
        ]
    }

    fn more(&self) -> Vec<String> {
        let whom = how::would_be_for(how::describe_target(self.request().options().target));
        vec![whom, format!("Estimator: affine ({ABOUT}).")]
    }

    fn cost(&self) -> Content {
        let mut cost = Content::default();
        let errors = errors(self.error(), ProtectedUnit::Record, BASIS, 4);
        cost.section("error", how::ERRORS, errors);
        cost
    }

    fn spent(&self, tiers: &[Tier]) -> SpendingTable {
        let lines = tiers::lines_of(tiers, |tier| {
            let position = self.position(tier.epsilon)?;
            let weight = self.weights().per_level().get(position).copied();
            Some((self.loss_of(tier.epsilon), weight))
        });
        SpendingTable::for_plan(lines, Neighbors::ReplaceOne, false)
    }

    fn method(&self) -> Method {
        method(self)
    }

    fn check(&self) -> Check {
        check(self)
    }

    fn again(&self, profile: Profile) -> Option<Plan> {
        Some(self.request().plan(profile).ok()?.into())
    }
}

/// Command that makes this plan.
fn check(plan: &FoundPlan) -> Check {
    let options = plan.request().options();
    let settings = vec![
        (option::TARGET, options.target.name().into()),
        (option::STATISTIC, "frequency".into()),
        (option::CATEGORIES, "auto".into()),
        (option::DELTA, plan.request().delta().to_string().into()),
    ];
    Check::for_plan(plan.allowed(), settings, options.share.get() == 1.0)
}

fn method(plan: &FoundPlan) -> Method {
    let mut method = Method::default();
    method.say(&format!(
        "Estimator: affine. The records of a category weigh W together, in integers proportional \
         to min(ε, τ), τ = {}. An integer K is added to each sum, with
         $ P(K = k) ∝ e^{{−k/u}}
         for k from 0 to a threshold M, and
         $ P(K = k) ∝ e^{{k/d}}
         below 0. A category shows if the result is above M. One with public records always shows, \
         and its noise has no largest value. Somebody who changes category loses
         $ W/u + W/d
         at most: one slope where they leave, and the other where they arrive. u and d are the \
         least integers with which, in exact arithmetic, nobody loses more than they allow, and M \
         is the least with which somebody of weight W shows alone with a probability of at most δ:
         $ P(K > M − W) ≤ δ",
        significant(plan.tau(), 4)
    ));
    method.say(
        "An interval holds the shares for which a result as large or as small is not improbable, \
         given that the category shows.",
    );
    method.source(
        Source::Canonne,
        ", Algorithms 1 and 2, for the integers; noise in proportion to what one person can \
         change: Dwork et al. 2006",
    );
    method.sources.push(Source::Dwork);
    method
}
