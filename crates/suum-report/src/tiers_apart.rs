//! The means of tiers that were measured apart, and how they differ.

use suum_core::{Interval, Phrase, Release, TierContrast, TierMean, WeightedPlan, option, say};

use crate::content::Content;
use crate::figure::{Figure, Writing};
use crate::figures::{count, half_width, percent_of, significant};
use crate::sensitivity::ends;
use crate::table::Table;

/// The heading of the section.
const HEADING: &str = "The tiers, measured apart";

const MEANING: &str = "The mean of every tier was measured with noise of its own, which costs \
                       nobody more than one sum for all. Each of these intervals holds alone.";

const CAUTION: &str = "An interval around 0 does not show that two tiers are alike: that of a \
                       strict tier is long because it allows little.";

/// The table of the means of tiers; `None` where they were not measured apart.
pub(crate) fn means(release: &Release) -> Option<Table> {
    let answers = release.tiers_apart()?;
    let writing = writing(release, None)?;
    let rows = &answers.tiers;
    let own = |tier: &TierMean| of_length(writing, tier.interval);
    let table = Table::of("The mean of every tier", rows)
        .words("tier", |tier| tier.level.to_string())
        .number(release.protects().many(), |tier| count(tier.records))
        .number("mean", |tier| own(tier).text(tier.mean))
        .number(interval(rows.first()?.interval), |tier| ends(writing, tier.interval))
        .number("deviation at most", |tier| own(tier).text(tier.deviation_at_most));
    Some(table.into())
}

/// The section of a page, or nothing.
pub(crate) fn section(release: &Release) -> Content {
    let mut content = Content::default();
    let (Some(answers), Some(means)) = (release.tiers_apart(), means(release)) else {
        return content;
    };
    let mut inside = Content::of_sentences([MEANING]);
    inside.table(means);
    if let (Some(writing), Some(first)) = (writing(release, Some(())), answers.contrasts.first()) {
        let own = |one: &TierContrast| of_length(writing, one.interval);
        let heading = format!("{} for all pairs together", interval(first.interval));
        inside.table(
            Table::of(
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

/// What it costs in length that tiers are measured apart.
pub(crate) fn price(plan: &WeightedPlan) -> Option<String> {
    let price = plan.price_of_tiers_apart()?;
    Some(format!(
        "Tiers are measured apart: for values of an ordinary spread the interval is {} as with one \
         noise for all.",
        times(price)
    ))
}

/// The suggestion to measure tiers apart, where that costs little.
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

/// Length in words, of a part by which it is longer.
fn times(price: f64) -> String {
    match price.abs() < 0.01 {
        true => "as long".to_owned(),
        false => format!("{} times as long", significant(1.0 + price, 3)),
    }
}

fn interval(interval: Interval) -> String {
    format!("{} interval", percent_of(interval.confidence))
}

/// Writing of means, of a sum, too; of differences where `is_difference` is something.
fn writing(release: &Release, is_difference: Option<()>) -> Option<Writing> {
    let one = release.estimates.first()?;
    let figure = match is_difference {
        Some(()) => Figure::of_difference(one, release),
        None => Figure::of(one, release),
    };
    Some(figure.writing)
}

/// The same writing to the digits of an interval.
fn of_length(writing: Writing, interval: Interval) -> Writing {
    writing.to_error(half_width(interval))
}
