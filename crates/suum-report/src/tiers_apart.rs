//! Means of tiers that were measured separately, and their differences.

use suum_core::{Interval, Phrase, Release, TierContrast, TierMean, WeightedPlan, option, say};

use crate::content::Content;
use crate::figure::{Figure, Writing};
use crate::figures::{count, half_width, percent_of, significant};
use crate::sensitivity::ends;
use crate::table::Table;

/// Heading of the section.
const HEADING: &str = "The tiers, measured apart";

const MEANING: &str = "The mean of every tier was measured with noise of its own, which costs \
                       nobody more than one sum for all. Each of these intervals holds alone.";

const CAUTION: &str = "An interval around 0 does not show that two tiers are alike: that of a \
                       strict tier is long because it allows little.";

/// Table of the means of tiers; `None` if they were not measured separately.
pub(crate) fn means(release: &Release) -> Option<Table> {
    let answers = release.tiers_apart()?;
    let writing = writing(release, None)?;
    let rows = &answers.tiers;
    let own = |tier: &TierMean| with_digits_of(writing, tier.interval);
    let table = Table::from_rows("The mean of every tier", rows)
        .words("tier", |tier| tier.level.to_string())
        .number(release.protects().many(), |tier| count(tier.records))
        .number("mean", |tier| own(tier).text(tier.mean))
        .number(interval(rows.first()?.interval), |tier| ends(writing, tier.interval))
        .number("deviation at most", |tier| own(tier).text(tier.deviation_at_most));
    Some(table.into())
}

/// Section of a page, or nothing.
pub(crate) fn section(release: &Release) -> Content {
    let mut content = Content::default();
    let (Some(answers), Some(means)) = (release.tiers_apart(), means(release)) else {
        return content;
    };
    let mut inside = Content::from_sentences([MEANING]);
    inside.table(means);
    if let (Some(writing), Some(first)) = (writing(release, Some(())), answers.contrasts.first()) {
        let own = |one: &TierContrast| with_digits_of(writing, one.interval);
        let heading = format!("{} for all pairs together", interval(first.interval));
        inside.table(
            Table::from_rows(
                "How much the mean of the first tier exceeds that of the second",
                &answers.contrasts,
            )
            .words("tiers", |one| format!("{} and {}", one.between[0], one.between[1]))
            .number("difference", |one| own(one).text(one.difference))
            .number(heading, |one| ends(writing, one.interval)),
        );
        inside.say(CAUTION);
    }
    content.section("tiers-apart", HEADING, inside);
    content
}

/// Largest price at which measuring tiers apart is suggested.
const CHEAP: f64 = 0.1;

/// Price of measuring tiers separately, in length of the interval.
pub(crate) fn price(plan: &WeightedPlan) -> Option<String> {
    let price = plan.price_of_tiers_apart()?;
    Some(format!(
        "Tiers are measured apart: for values of an ordinary spread the interval is {} as with one \
         noise for all.",
        times(price)
    ))
}

/// Suggestion to measure tiers separately, if that costs little.
pub(crate) fn suggestion(plan: &WeightedPlan) -> Option<Phrase> {
    let is_apart = plan.request().options().tiers_apart;
    let price = plan.price_of_tiers_apart().filter(|price| !is_apart && *price <= CHEAP)?;
    Some(
        say("Do tiers differ?")
            .option(option::TIERS_APART)
            .say("shows the mean of each, with an interval")
            .say(times(price))
            .say("as this one."),
    )
}

/// Length in words, from the part by which it is longer.
fn times(price: f64) -> String {
    match price.abs() < 0.01 {
        true => "as long".to_owned(),
        false => format!("{} times as long", significant(1.0 + price, 3)),
    }
}

fn interval(interval: Interval) -> String {
    format!("{} interval", percent_of(interval.confidence))
}

/// Format of means, and of sums; of differences if `is_difference` is `Some`.
fn writing(release: &Release, is_difference: Option<()>) -> Option<Writing> {
    let one = release.estimates.first()?;
    let figure = match is_difference {
        Some(()) => Figure::from_difference(one, release),
        None => Figure::from_estimate(one, release),
    };
    Some(figure.writing)
}

/// Format with the digits of an interval.
fn with_digits_of(writing: Writing, interval: Interval) -> Writing {
    writing.to_error(half_width(interval))
}
