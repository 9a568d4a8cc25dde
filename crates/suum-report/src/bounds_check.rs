//! Sentences on the share of values at the bounds of an answer, or beyond.

use suum_core::{Release, Share};

use crate::answer::interval_heading;
use crate::figure::Figure;
use crate::figures::percent;
use crate::prose::Text;
use crate::sentinel::MUCH;
use crate::view::View;

/// Share of the values from which on many lie at a bound, judged by the interval.
const MANY: f64 = 0.02;

/// Share of the values below which few lie at a bound, judged by the interval.
const FEW: f64 = 0.05;

/// Advice if many values lie at a bound.
const MANY_THERE: &str = "Values beyond a bound were moved to it: if there can be any, declare \
    wider bounds, from public knowledge. If people really have this value, such as 0, all is well.";

/// Sentence where much of the data lies at a bound other than 0.
const CODES: &str = " Codes of missing values, such as -9 or 999, may be among them: the codebook \
                     of the data lists them, and what is declared as null counts as an empty cell.";

const UNCLEAR: &str = "This does not tell whether many values were moved to a bound; a larger part \
                       of the budgets tells more, for example 0.2 of them.";

const FEW_THERE: &str = "Few values, if any, were moved to a bound.";

/// Heading of a check: its column, and its part of every budget.
pub(crate) fn heading(column: Option<&str>, share: Option<Share>) -> String {
    let column = column.unwrap_or("the values");
    let share = share.map(|share| format!(" ({} of every budget)", percent(share.get())));
    format!("The bounds of {column}, checked{}", share.unwrap_or_default())
}

/// Heading of the plan of a check of bounds: its column, and its part of every budget.
///
/// # Example
///
/// ```
/// use suum_core::Share;
/// use suum_report::{View, check_heading};
///
/// let heading = check_heading(Some("visits"), Some(Share::new(0.05)?), &View::default());
/// assert_eq!(heading, "\nThe bounds of visits, checked (5 % of every budget)\n");
/// # Ok::<(), suum_core::Error>(())
/// ```
pub fn check_heading(column: Option<&str>, share: Option<Share>, view: &View) -> String {
    let mut out = Text::new(view);
    out.heading(&heading(column, share));
    out.finish()
}

/// Sentences on the share of the values at each bound or beyond, with advice.
pub(crate) fn sentences(release: &Release, share: Option<Share>) -> Vec<String> {
    let figures = Figure::all_of(release);
    let [low, _, high, missing @ ..] = figures.as_slice() else { return Vec::new() };
    let many = release.protects().many();
    let interval = interval_heading(&figures);
    let share = share.map(|share| format!(" with {} of every budget", percent(share.get())));
    let mut all = vec![format!(
        "Bounds checked{}: {} {} of the {many} ({interval} {}), {} {} ({}).",
        share.unwrap_or_default(),
        low.name,
        low.text(),
        low.interval_text(),
        high.name,
        high.text(),
        high.interval_text()
    )];
    let without = |one: &Figure| {
        format!("Without a value {} ({interval} {}).", one.text(), one.interval_text())
    };
    all.extend(missing.first().map(without));
    all.push(advice([low, high]));
    all
}

fn advice(sides: [&Figure; 2]) -> String {
    let interval = |side: &Figure| side.interval;
    let has_many = |side: &&&Figure| interval(side).is_some_and(|one| one.lower >= MANY);
    let many: Vec<&str> = sides.iter().filter(has_many).map(|side| side.name.as_str()).collect();
    if !many.is_empty() {
        let is_much = |side: &&Figure| side.estimate >= MUCH && !side.name.ends_with(" 0");
        let codes = if sides.iter().any(is_much) { CODES } else { "" };
        return format!("Many are {}. {MANY_THERE}{codes}", many.join(", and "));
    }
    let are_few = sides.iter().all(|side| interval(side).is_some_and(|one| one.upper <= FEW));
    if are_few { FEW_THERE.to_owned() } else { UNCLEAR.to_owned() }
}

#[cfg(test)]
mod tests {
    use suum_core::Interval;

    use super::*;
    use crate::figure::Writing;

    fn side(name: &str, lower: f64, upper: f64) -> Figure {
        Figure {
            name: name.to_owned(),
            key: name.to_owned(),
            estimate: (lower + upper) / 2.0,
            interval: Some(Interval { confidence: 0.95, lower, upper }),
            writing: Writing::Share(0.01),
            shown: None,
            comparable: true,
            is_value: false,
        }
    }

    /// Many and few are told by intervals, and not by estimates.
    #[test]
    fn advice_is_as_strong_as_the_intervals() {
        let said = |low: [f64; 2], high: [f64; 2]| {
            let low = side("at or below 0", low[0], low[1]);
            advice([&low, &side("at or above 9", high[0], high[1])])
        };
        let many = said([0.0, 0.01], [0.021, 0.03]);
        assert!(many.starts_with("Many are at or above 9. Values"), "{many}");
        let both = said([0.3, 0.4], [0.1, 0.2]);
        assert!(both.starts_with("Many are at or below 0, and at or above 9. "), "{both}");
        // A large share at a bound may be codes of missing values; at 0 many people really are.
        assert!(both.ends_with(CODES) && !many.contains("Codes"), "{both}");
        let at_zero = said([0.3, 0.4], [0.0, 0.01]);
        assert!(at_zero.starts_with("Many are at or below 0. ") && !at_zero.contains("Codes"));
        assert_eq!(said([0.0, 0.04], [0.01, 0.05]), FEW_THERE);
        assert_eq!(said([0.0, 0.04], [0.01, 0.06]), UNCLEAR);
        assert_eq!(said([0.0, 0.9], [0.0, 0.9]), UNCLEAR);
    }
}
