//! Shares of categories in words and bars.

use suum_core::{PostProcessing, Release};

use crate::figures::bar;
use crate::html::figure::Figure;
use crate::prose::Text;
use crate::table::Table;
use crate::{headline, prose};

/// Which is the largest, and the shares with their intervals and bars.
pub(crate) fn write_table(out: &mut Text, figures: &[Figure], interval: &str) {
    if let Some(sentence) = largest(figures) {
        prose::paragraph(out, &headline::text(&sentence));
    }
    let mut table = Table::new(1, ["category", "share", interval, ""]);
    for figure in figures {
        table.row_with_tail(
            [figure.name.clone(), figure.writing.text(figure.estimate), figure.interval_text()],
            bar(figure.estimate, LENGTH),
        );
    }
    out.table(&table);
}

/// Which share is the largest, as far as intervals tell.
pub(crate) fn largest(figures: &[Figure]) -> Option<Vec<headline::Piece>> {
    let named: Vec<_> = figures.iter().map(|figure| (figure.name.as_str(), figure)).collect();
    headline::largest("share", &named)
}

/// What an interval of a category is.
pub(crate) fn alone(release: &Release) -> &'static str {
    match release.is_simultaneous() {
        true => TOGETHER,
        false if release.crosstab().is_some() => MARGINS,
        false => "Each interval holds for its category alone.",
    }
}

/// What intervals of a table are.
const MARGINS: &str = "Margins are the sums of their cells. Each interval holds for its cell or \
    its margin alone.";

/// What intervals are that hold all at once.
pub(crate) const TOGETHER: &str = "All intervals hold at once with the stated confidence.";

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
