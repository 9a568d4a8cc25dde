//! Several statistics that share every budget.

use suum_core::{Options, Release, SummaryPart, SummaryPlan};

use super::add_remove::add_remove_notes;
use super::{
    AddRemoveMeasurements, AddRemoveWords, AnswerWords, PlanWords, ReleaseWords, planned,
    release_words,
};
use crate::answer::{self, Answer};
use crate::certificate::SpendingTable;
use crate::content::{Block, Content};
use crate::figure::Figure;
use crate::figures::percent;
use crate::headline;
use crate::how;
use crate::html::Method;
use crate::planned_error::{self, PlannedError};
use crate::prose::Text;
use crate::sentence::Sentence;
use crate::short;
use crate::tiers::Tier;
use crate::view::Sort;

/// Several statistics.
pub(crate) struct Several;

impl AnswerWords for Several {
    fn name(&self, _: &Release) -> String {
        "statistics".to_owned()
    }

    fn clipped(&self, _: &Release) -> String {
        "The estimates are those of these clipped values. A quantile inside the range is the same \
         before and after; a mean or a variance is not, and its error can be many times larger. \
         With declared bounds all have intervals."
            .to_owned()
    }

    fn show(&self, answer: &Answer<'_>, _: Option<Sort>) -> Content {
        let Answer { release, figures, whom, .. } = answer;
        let caption = "Estimates; those in the units of the data are drawn on one axis";
        let mut content = Content::default();
        content.add(Block::Answer(headline(release, figures), true));
        content.append(answer::several(caption, "statistic", release, figures));
        let confidence = release_words(release).options().map_or(0.0, |options| options.confidence);
        let alone = format!(
            "Intervals have {} confidence, each alone, for {whom}.",
            how::confidence(confidence)
        );
        let useless = headline::useless(release, figures);
        content.append(answer::after_table(release, &useless, &alone));
        content
    }

    fn brief(&self, out: &mut Text, answer: &Answer<'_>, _: Option<Sort>) {
        short::above(out, answer, "statistics");
        short::lines(out, answer, &answer.figures.iter().collect::<Vec<_>>());
    }
}

impl AddRemoveWords for Several {
    /// Empty: each part describes its own method.
    fn method(&self, _: &mut Method, _: &AddRemoveMeasurements<'_>) {}
}

/// Answers in a sentence: the mean, and the median with the middle of the records; or the first
/// one that there is.
fn headline(release: &Release, figures: &[Figure]) -> Sentence {
    let unknown = release.uninformative();
    let is_known = |figure: &&Figure| figure.name == "mean" && !unknown.contains(&figure.key);
    let mean = figures.iter().find(is_known);
    match (mean, headline::middle(release, figures)) {
        (Some(mean), Some(middle)) => {
            Sentence::from("Mean about ").and(mean.show()).say(". ").and(middle)
        }
        (None, Some(middle)) => middle,
        (Some(mean), None) => headline::several([mean]),
        (None, None) => headline::several(figures.first()),
    }
}

impl ReleaseWords for Vec<SummaryPart> {
    fn options(&self) -> Option<&Options> {
        self.first().and_then(|part| release_words(&part.release).options())
    }

    fn whom(&self, _: &Release) -> &'static str {
        self.first().map_or("", |part| release_words(&part.release).whom(&part.release))
    }

    fn cost(&self, _: &Release) -> Content {
        let bought = self.iter().map(|SummaryPart { measured, share, .. }| {
            format!("{} bought {measured}", percent(share.get()))
        });
        let (mut split, mut errors, mut cost) =
            (Content::default(), Content::default(), Content::default());
        split.points(bought.collect());
        for SummaryPart { release, .. } in self {
            errors.add(Block::Heading(name(release.statistic()).to_owned()));
            errors.append(release_words(release).error(release));
        }
        cost.section("split", "How every budget was split", split);
        cost.section("error", how::ERRORS, errors);
        cost
    }

    fn counts_with(&self, _: &Release) -> String {
        let each = self.iter().map(|part| release_words(&part.release).counts_with(&part.release));
        let mut each: Vec<String> = each.collect();
        each.dedup();
        each.join(" and ")
    }

    fn method(&self, _: &Release) -> Method {
        let mut all = Method::default();
        for SummaryPart { release, .. } in self {
            all.part(name(release.statistic()), release_words(release).method(release));
        }
        all
    }

    fn can_allow_for_correlation(&self) -> bool {
        self.iter().all(|part| release_words(&part.release).can_allow_for_correlation())
    }

    fn parts(&self) -> &[SummaryPart] {
        self
    }
}

/// Name of the part with this statistic.
fn name(statistic: &str) -> &'static str {
    match statistic {
        "variance" => "The variance",
        "quantile" => "The quantiles",
        _ => "The mean",
    }
}

impl PlanWords for SummaryPlan {
    fn name(&self) -> String {
        "several statistics".to_owned()
    }

    fn errors(&self, in_range: bool) -> Vec<PlannedError> {
        let each = self.plans().map(planned).flat_map(|part| {
            let mean = part.error_of_mean().filter(|_| self.statistics().mean);
            mean.into_iter().chain(part.errors(in_range))
        });
        each.collect()
    }

    fn notes(&self, in_range: bool) -> Vec<String> {
        let when = match self.neighbors().hides_participation() {
            true => "if people are as assumed",
            false => "in the worst case, if budgets do not depend on values",
        };
        vec![planned_error::several(when, &self.errors(in_range))]
    }

    fn notes_in_range(&self) -> String {
        let errors = self.errors(false).into_iter().map(PlannedError::in_deviations);
        let when = "in the worst case inside the range that is found of normal data";
        planned_error::several(when, &errors.collect::<Vec<_>>())
    }

    fn more(&self) -> Vec<String> {
        let options = self.options().filter(|options| options.neighbors.hides_participation());
        options.map_or_else(Vec::new, add_remove_notes)
    }

    fn cost(&self) -> Content {
        let parts = self.shares();
        planned_error::split(
            parts.map(|(measured, share)| (share.get(), measured.to_owned())),
            None,
        )
    }

    fn spent(&self, tiers: &[Tier]) -> SpendingTable {
        SpendingTable::for_losses(tiers, self.neighbors(), |allowed| self.loss_of(allowed))
    }

    fn method(&self) -> Method {
        let mut all = Method::default();
        for plan in self.plans() {
            all.part(name(plan.statistic()), planned(plan).method());
        }
        all
    }

    fn clipped(&self) -> &'static str {
        "Quantiles alone have intervals, because values beyond the range are moved to its ends."
    }

    fn about(&self) -> String {
        "Plan one group alone for its errors.".to_owned()
    }

    fn records(&self) -> Option<u64> {
        self.neighbors().hides_participation().then(|| self.people().records())
    }
}
