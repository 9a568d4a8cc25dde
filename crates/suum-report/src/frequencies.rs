//! The release of frequencies in words and bars.

use std::fmt::Write;

use suum_core::{Frequency, FrequencyRelease, PostProcessing};

use crate::figures::{bar, to_error};
use crate::how::{self, How, Person};
use crate::table::Table;

/// The text of frequencies: a bar for every category, then as for a number.
///
/// # Example
///
/// ```
/// use suum_core::*;
///
/// let categories: Categories = "yes,no".parse()?;
/// let sums = [7000, 3000].map(ExactSum::from_raw).to_vec();
/// let people = Cohort {
///     label: None,
///     epsilon: Epsilon::new(0.5)?,
///     count: 10_000,
///     sums,
///     cells: Default::default(),
///     kept: None,
/// };
/// let table = LevelTable::new(
///     Some("answer".into()),
///     Measure::Categories(categories.clone()),
///     vec![people],
/// )?;
/// let plan = Request::frequency(categories, Options::default())?.plan(table.profile()?)?;
/// let release = plan.release_frequencies(table, &mut Randomness::insecure(1))?;
/// assert!(suum_report::frequency_text(&release).contains("██"));
/// # Ok::<(), suum_core::Error>(())
/// ```
pub fn frequency_text(release: &FrequencyRelease) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail, here and below.
    let _ = write_frequencies(&mut out, release);
    out
}

fn write_frequencies(out: &mut String, release: &FrequencyRelease) -> std::fmt::Result {
    how::write_warning(out, release.private)?;
    let plan = &release.plan;
    let confidence = plan.request().options().confidence;
    writeln!(
        out,
        "Private frequencies{}, for {}",
        how::of_column(release.column.as_deref()),
        how::estimand(plan)
    )?;
    write_shares(
        out,
        &release.frequencies,
        release.error.rmse,
        confidence,
        plan.request().options().post,
    )?;
    how::write(
        out,
        &How {
            plan,
            error: release.error,
            privacy: &release.privacy,
            range: None,
            person: Person::new(release.person.as_ref(), "their most frequent category"),
        },
    )
}

/// The shares with their intervals and bars, to the precision of this error, and what was done to
/// them.
pub(crate) fn write_shares(
    out: &mut String,
    frequencies: &[Frequency],
    rmse: f64,
    confidence: f64,
    post: PostProcessing,
) -> std::fmt::Result {
    let interval = format!("{} interval", how::confidence(confidence));
    let mut table = Table::new(1, ["category", "share", &interval, ""]);
    for Frequency { category, estimate, interval } in frequencies {
        let share = |value: f64| format!("{} %", to_error(value * 100.0, rmse * 100.0));
        table.row_with_tail(
            [
                category.clone(),
                share(*estimate),
                format!("{} to {}", share(interval.lower), share(interval.upper)),
            ],
            bar(*estimate, LENGTH),
        );
    }
    table.write(out);
    writeln!(out, "Each interval holds for its category alone. {}", post_words(post))
}

/// What was done to the noisy shares.
pub(crate) fn post_words(post: PostProcessing) -> &'static str {
    match post {
        PostProcessing::Simplex => {
            "Shares are projected so that none is negative and they add up to 1."
        }
        PostProcessing::Clamp => "Shares are clamped to [0, 1] and need not add up to 1.",
        PostProcessing::None => "Shares are as the noise left them; they may be negative.",
    }
}

/// How long the bar of a share of 1 is, in characters.
const LENGTH: usize = 32;
