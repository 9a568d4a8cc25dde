//! Quantiles in words.

use suum_core::{
    Bounds, Cells, Command, Neighbors, OptionValue, Options, Phrase, Plan, Profile,
    QuantileCandidate, QuantileMethod, QuantilePlan, QuantilesTogether, Rank, Release, Target,
    option, say,
};

use super::{AddRemoveMeasurements, AddRemoveWords, AnswerWords, PlanWords, ReleaseWords};
use crate::answer::{self, Answer};
use crate::certificate::SpendingTable;
use crate::comparison::{self, Row};
use crate::content::{Block, Content};
use crate::figure::Figure;
use crate::figures::{count, percent, percent_of, quantile_name, significant};
use crate::headline;
use crate::how;
use crate::html::{Check, Method, distribution};
use crate::planned_error::PlannedError;
use crate::prose::{self, Text};
use crate::sentence::Sentence;
use crate::short;
use crate::strata;
use crate::table::Table;
use crate::tiers::{self, Tier};
use crate::view::Sort;

/// One quantile.
pub(crate) struct OneRank;

/// Several quantiles.
pub(crate) struct Ranks;

impl AnswerWords for OneRank {
    fn name(&self, release: &Release) -> String {
        Figure::all_of(release).into_iter().next().map_or_else(String::new, |one| one.name)
    }

    fn clipped(&self, _: &Release) -> String {
        "A quantile inside the range is the same before and after.".to_owned()
    }
}

impl AnswerWords for Ranks {
    fn name(&self, _: &Release) -> String {
        "quantiles".to_owned()
    }

    fn clipped(&self, release: &Release) -> String {
        OneRank.clipped(release)
    }

    fn show(&self, answer: &Answer<'_>, _: Option<Sort>) -> Content {
        let Answer { release, figures, whom, .. } = answer;
        let many = release.protects().many();
        let mut content = Content::default();
        let headline = headline::middle(release, figures);
        let headline = headline.unwrap_or_else(|| headline::several(figures));
        content.add(Block::Answer(headline, true));
        let caption = format!("Values below which so many {many} lie, for {whom}");
        match distribution::show(release, figures) {
            Some(function) => content.draw(function),
            None => content.draw(answer::drawn(&caption, release, figures)),
        }
        let shown = some(figures);
        content.table(table(&caption, figures, &shown));
        if shown.len() < figures.len() {
            let all: Vec<&Figure> = figures.iter().collect();
            let mut inside = Content::default();
            let caption = format!("All {} quantiles", figures.len());
            inside.table(table(&caption, figures, &all));
            content.add(Block::Folded(caption, inside, false));
        }
        let alone = match release.is_simultaneous() {
            true => answer::TOGETHER,
            false => "Each interval holds for its quantile alone.",
        };
        let useless = headline::useless(release, figures);
        content.append(answer::after_table(release, &useless, alone));
        content
    }

    fn brief(&self, out: &mut Text, answer: &Answer<'_>, _: Option<Sort>) {
        short::above(out, answer, "quantiles");
        let shown = some(&answer.figures);
        short::lines(out, answer, &shown);
        let others = answer.figures.len() - shown.len();
        if others > 0 {
            let others = say(format!("{others} more:"))
                .command(Command::Explain)
                .say("lists them,")
                .command(Command::Page)
                .say("draws all.");
            prose::indented(out, &out.render(&others));
        }
    }
}

impl AddRemoveWords for Ranks {
    fn unit_of_error(&self) -> (&'static str, f64) {
        ("of the rank, in percentage points of records", 100.0)
    }

    fn method(&self, method: &mut Method, measured: &AddRemoveMeasurements<'_>) {
        method.add_remove_ranks(measured);
    }
}

/// Table of some of these quantiles.
fn table(caption: &str, figures: &[Figure], shown: &[&Figure]) -> Table {
    Table::from_rows(caption, shown)
        .words("quantile", |figure| Sentence::from_label(&figure.name))
        .number("q", |figure| figure.key.clone())
        .number("estimate", |figure| figure.show())
        .number(answer::interval_heading(figures), |figure| figure.show_interval())
        .into()
}

/// Largest number of quantiles that are all shown.
const QUANTILES: usize = 15;

/// Ranks that are shown if there are more.
const RANKS: [f64; 9] = [0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99];

/// Selection of quantiles: all if there are few, otherwise those nearest to nine ranks.
fn some(figures: &[Figure]) -> Vec<&Figure> {
    if figures.len() <= QUANTILES {
        return figures.iter().collect();
    }
    let rank = |figure: &Figure| figure.key.parse::<f64>().unwrap_or(f64::NAN);
    let near = RANKS.into_iter().filter_map(|q| {
        let distance = |at: &usize| figures.get(*at).map_or(f64::NAN, |one| (rank(one) - q).abs());
        (0..figures.len()).min_by(|one, other| distance(one).total_cmp(&distance(other)))
    });
    let mut places: Vec<usize> = near.collect();
    places.sort_unstable();
    places.dedup();
    places.into_iter().filter_map(|at| figures.get(at)).collect()
}

impl ReleaseWords for QuantilePlan {
    fn options(&self) -> Option<&Options> {
        Some(self.request().options())
    }

    fn notes(&self, release: &Release) -> Vec<String> {
        vec![candidates(self.request().cells().steps(), release.range().is_some())]
    }

    fn error(&self, release: &Release) -> Content {
        let (whom, Some(error)) = (release.protects(), release.error) else {
            return Content::default();
        };
        let sampling = "sampling: the records are a sample, weighted by their budgets";
        let meanings = [how::noise_of(whom), sampling, how::TOGETHER];
        let unit = format!("standard deviation, in percentage points of {}", whom.many());
        let rows = how::error_rows(error, 100.0, meanings);
        how::errors(&unit, how::BEFORE, &rows, 3)
    }

    fn cost(&self, release: &Release) -> Content {
        let mut inside = self.error(release);
        inside.say(split(self));
        let mut cost = Content::default();
        cost.section("error", "How far the rank may be off", inside);
        cost
    }

    fn comparison(&self, _: &Release) -> Content {
        let estimator = self.chosen().estimator;
        let words = format!("Estimator: {estimator} ({}).", estimator.describe());
        let mut inside = Content::from_sentences([words]);
        inside.table(compared(self));
        how::compared(how::COMPARED, inside)
    }

    fn counts_with(&self, _: &Release) -> String {
        how::counts_with(self.request().cells().rows(), self.request().options().per_person)
    }

    fn method(&self, release: &Release) -> Method {
        let rows = self.request().cells().rows();
        let rows = release.person.as_ref().map(|_| how::counts_with(rows, release.per_person()));
        Method::for_quantiles(self, rows)
    }

    fn check(&self) -> Check {
        check(self)
    }

    fn better(&self, _: &Release) -> Option<Phrase> {
        (self.request().cells().steps() == Cells::STEPS).then(|| {
            say("Values in steps? With").set(option::STEP, "1").say("answers are whole numbers.")
        })
    }

    fn can_allow_for_correlation(&self) -> bool {
        true
    }

    fn strata(&self) -> Option<String> {
        self.stratified().map(strata::shares)
    }
}

impl PlanWords for QuantilePlan {
    fn name(&self) -> String {
        which(self.request().ranks())
    }

    fn errors(&self, _: bool) -> Vec<PlannedError> {
        vec![PlannedError::for_rank(
            "the quantiles",
            self.chosen().rank_error.rmse(),
            format!("by {}", self.chosen().estimator),
        )]
    }

    fn notes(&self, _: bool) -> Vec<String> {
        let by = self.chosen().estimator;
        let unrelated = self.request().options().target != Target::DatasetCorrelated;
        let if_so = if unrelated { ", if budgets do not depend on values" } else { "" };
        let mut notes =
            vec![format!("That is the root mean squared error, with the estimator {by}{if_so}.")];
        let rmse = self.chosen().rank_error.rmse();
        notes.extend(
            self.stratified()
                .into_iter()
                .flat_map(|kept| [strata::shares(kept), strata::price(kept, rmse, 100.0, OF_RANK)]),
        );
        notes
    }

    fn notes_in_range(&self) -> String {
        PlanWords::notes(self, true).join(" ")
    }

    fn more(&self) -> Vec<String> {
        let whom = how::describe_target(self.request().options().target);
        let estimator = self.chosen().estimator;
        let about = format!("Estimator: {estimator} ({}).", estimator.describe());
        vec![how::would_be_for(whom), about, split(self)]
    }

    fn spent(&self, tiers: &[Tier]) -> SpendingTable {
        let weights = self.chosen().weights.per_level();
        let lines = tiers::lines_of(tiers, |tier| {
            let position = self.position(tier.epsilon)?;
            // In strata it differs.
            let has_one = !self.profile().is_stratified();
            let weight = weights.get(position).copied().filter(|_| has_one);
            Some((self.loss_of(tier.epsilon), weight))
        });
        SpendingTable::for_plan(lines, Neighbors::ReplaceOne, false)
    }

    fn comparison(&self) -> Content {
        let mut inside = Content::default();
        inside.table(compared(self));
        how::compared(how::COMPARED, inside)
    }

    fn method(&self) -> Method {
        Method::for_quantiles(self, None)
    }

    fn check(&self) -> Check {
        check(self)
    }

    fn bounds(&self) -> Option<Bounds> {
        Some(self.request().bounds())
    }

    fn again(&self, profile: Profile) -> Option<Plan> {
        let has_strata = self.request().options().strata.is_some();
        Some(self.request().plan(profile).ok().filter(|_| !has_strata)?.into())
    }

    fn clipped(&self) -> &'static str {
        super::QUANTILES_CLIPPED
    }

    fn about(&self) -> String {
        "Errors (root mean squared) and half-widths are of the rank, in percentage points of \
         records."
            .to_owned()
    }
}

/// Unit of ranks, after a figure.
pub(crate) const OF_RANK: &str = " percentage points of rank";

/// Candidates among which the quantiles were chosen.
fn candidates(steps: u32, in_range: bool) -> String {
    format!(
        "Chosen among {} points over the {}{}.",
        count(u64::from(steps) + 1),
        if in_range { "range" } else { "bounds" },
        if steps == Cells::STEPS && !in_range {
            "; of data in steps, such as integers, a declared step leaves only those"
        } else {
            ""
        },
    )
}

/// Split of the budget among estimates and the ends of their intervals.
fn split(plan: &QuantilePlan) -> String {
    let ends = plan.split().fold(0.0, |ends, one| ends + one.interval);
    let (estimates, together) = (percent(1.0 - ends), plan.together());
    let how = match (&together, plan.request().ranks().len()) {
        (Some(together), _) => format!(", {}", describe_together(together)),
        (None, 1) => String::new(),
        (None, quantiles) => format!(", divided evenly among {quantiles} quantiles"),
    };
    if ends > 0.0 {
        let ends = percent(ends);
        let also = if together.is_some() { ';' } else { ',' };
        return format!(
            "Of what is spent, {estimates} bought the estimates{how}{also} {ends} the ends of \
             their intervals."
        );
    }
    match together.map(|together| together.method) {
        // The histogram tells of intervals, too.
        Some(QuantileMethod::Histogram) => {
            format!("All that is spent bought the estimates and their intervals{how}.")
        }
        Some(_) => {
            format!(
                "All that is spent bought the estimates{how}. No end of an interval was bought."
            )
        }
        None => {
            format!(
                "All that is spent bought the estimates{how}; no end of an interval was bought."
            )
        }
    }
}

/// Joint measurement of several quantiles.
pub(crate) fn describe_together(together: &QuantilesTogether) -> String {
    match together.cost {
        Some(cost) => format!(
            "asked for together by recursion on the middle one: the {} of them cost as much as {} \
             questions",
            together.quantiles,
            significant(cost, 3),
        ),
        None => "read off one histogram, which was made finer where most records are".to_owned(),
    }
}

/// Every estimator with its expected error, best first.
fn compared(plan: &QuantilePlan) -> Table {
    let mut candidates: Vec<&QuantileCandidate> = plan.candidates().iter().collect();
    candidates.sort_by(|a, b| a.risk.total_cmp(&b.risk));
    let rows = candidates.into_iter().map(|one| Row {
        name: one.estimator.name(),
        error: one.rank_error.rmse() * 100.0,
        parts: None,
        tau: one.tau,
        root: one.risk.sqrt(),
        chosen: one.estimator == plan.chosen().estimator,
        for_study: false,
    });
    let caption = "Compared by their error on normal data of which 16 standard deviations fill \
        the bounds";
    comparison::table(caption, "rank error, points", &rows.collect::<Vec<_>>())
}

/// Quantiles in words: by their names, or by their number and range.
pub(crate) fn which(ranks: &[Rank]) -> String {
    let names = || ranks.iter().map(|rank| quantile_name(rank.get())).collect::<Vec<_>>();
    let ends = ranks.iter().map(|rank| rank.get()).fold(None, |ends, q| match ends {
        None => Some((q, q)),
        Some((least, most)) => Some((q.min(least), q.max(most))),
    });
    match ends {
        Some((least, most)) if ranks.len() > 3 => {
            format!("{} quantiles ({} to {})", ranks.len(), percent_of(least), percent_of(most))
        }
        _ => format!("the {}", names().join(", ")),
    }
}

/// Command that makes this plan.
fn check(plan: &QuantilePlan) -> Check {
    let (request, options) = (plan.request(), plan.request().options());
    let ranks: Vec<String> = request.ranks().iter().map(|rank| rank.get().to_string()).collect();
    let steps = request.cells().steps();
    let mut settings: Vec<OptionValue> = vec![
        (option::TARGET, options.target.name().into()),
        (option::STATISTIC, "quantile".into()),
        (option::Q, ranks.join(",").into()),
        Check::bounds(request.bounds()),
        match options.whole {
            true => {
                (option::STEP, (request.bounds().width() / f64::from(steps)).to_string().into())
            }
            false => (option::CELLS, steps.to_string().into()),
        },
    ];
    let estimator = request.estimator();
    settings.extend(estimator.map(|one| (option::ESTIMATOR, one.to_string().into())));
    settings.extend(super::weighted::differing(options));
    settings.extend(Check::confidence(options.confidence));
    let share = options.interval_share;
    settings.extend(share.map(|share| (option::INTERVAL_SHARE, share.to_string().into())));
    // A plan knows of no rows: persons with several of them are in the data only.
    let whole = options.share.get() == 1.0 && request.cells().rows() == 1;
    Check::for_plan(plan.allowed(), settings, whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_quantiles_are_counted_and_few_are_named() {
        let which = |percents: &[u64]| {
            let ranks: Vec<Rank> = percents.iter().map(|&p| Rank::new(p, 100).unwrap()).collect();
            which(&ranks)
        };
        assert_eq!(which(&[50]), "the median");
        assert_eq!(which(&[25, 50, 75]), "the 25 % quantile, median, 75 % quantile");
        assert_eq!(which(&[90, 1, 50, 70]), "4 quantiles (1 % to 90 %)");
    }
}
