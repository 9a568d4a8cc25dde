//! The release of frequencies in words and bars.

use suum_core::{Caveats, FrequencyRelease, PostProcessing};

use crate::answer::{self, Answer};
use crate::caveats::{Facts, Said};
use crate::figures::bar;
use crate::how::{self, How, Person};
use crate::html::{Figures, Shown};
use crate::table::Table;
use crate::{headline, prose};

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
    write_shares(
        out,
        &Answer {
            name: "frequencies",
            column: release.column.as_deref(),
            figures: &release.figures(),
            whom: how::estimand(plan),
            said: &said(release, true),
        },
        plan.request().options().post,
        release,
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

/// What must be known of shares.
pub(crate) fn said(release: &impl Shown, correlated: bool) -> Said {
    let confidence = release.figures().confidence();
    Said::of(release, &Facts { confidence, no_interval: None, bounds: None, correlated })
}

/// The shares with their intervals and bars, and what was done to them.
pub(crate) fn write_shares(
    out: &mut String,
    answer: &Answer<'_>,
    post: PostProcessing,
    release: &impl Caveats,
) -> std::fmt::Result {
    let Answer { name, column, figures, whom, said } = answer;
    prose::paragraph(out, &format!("Private {name}{}, for {whom}", how::of_column(*column)));
    if let Some(sentence) = largest(figures) {
        prose::paragraph(out, &headline::text(&sentence));
    }
    let interval = match figures.confidence() {
        Some(confidence) => format!("{} interval", how::confidence(confidence)),
        None => "interval".to_owned(),
    };
    let mut table = Table::new(1, ["category", "share", &interval, ""]);
    for figure in &figures.0 {
        table.row_with_tail(
            [figure.name.clone(), figure.writing.text(figure.estimate), figure.interval_text()],
            bar(figure.estimate, LENGTH),
        );
    }
    table.write(out);
    let alone = format!("{ALONE} {}", post_words(post));
    answer::after_table(out, figures, release, &alone, said);
    Ok(())
}

/// Which share is the largest, as far as intervals tell.
pub(crate) fn largest(figures: &Figures) -> Option<Vec<headline::Piece>> {
    let named: Vec<_> = figures.0.iter().map(|figure| (figure.name.as_str(), figure)).collect();
    headline::largest("share", &named)
}

/// What an interval of a category is.
pub(crate) const ALONE: &str = "Each interval holds for its category alone.";

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
const LENGTH: usize = 24;
