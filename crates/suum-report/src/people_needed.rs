//! Number of people that a target for the error takes.

use serde::{Serialize, Serializer};
use suum_core::{OptionName, Profile, option};

use crate::content::Content;
use crate::figures::{count, significant, trimmed};
use crate::prose::Text;
use crate::view::View;

/// Number of people that a target takes, at the same shares of levels.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PeopleNeeded {
    /// Option that declared the target: `target_rmse` or `target_half_width`.
    #[serde(serialize_with = "with_hyphens")]
    pub option: OptionName,
    /// Target.
    pub target: f64,
    /// Multiple of the present number of people of every level that the target takes.
    pub factor: f64,
    /// Profile of that many people.
    pub profile: Profile,
    /// Error that their plan reaches, in the unit of the target.
    pub reached: f64,
    /// Error that the plan of the present people reaches.
    #[serde(skip)]
    pub now: f64,
    /// Unit of percentage points, if target and error are shares.
    #[serde(skip)]
    pub points: Option<&'static str>,
    /// Data for which the figures hold, if not for all.
    #[serde(skip)]
    pub basis: String,
    /// Number of records that values of an ordinary spread would take, if `profile` is for the
    /// worst one.
    #[serde(rename = "ordinary_records", skip_serializing_if = "Option::is_none")]
    pub ordinary: Option<u64>,
    /// Likely meaning of the target, if every release reaches it.
    #[serde(skip)]
    pub hint: Option<String>,
}

fn with_hyphens<S: Serializer>(option: &OptionName, into: S) -> Result<S::Ok, S::Error> {
    into.serialize_str(&option.with_hyphens())
}

/// Text of the answer.
///
/// # Example
///
/// ```
/// use suum_report::{PeopleNeeded, View};
///
/// let needed = PeopleNeeded {
///     option: suum_core::option::TARGET_RMSE,
///     target: 0.5,
///     factor: 2.0,
///     profile: "0.1:2000".parse()?,
///     reached: 0.49,
///     now: 0.7,
///     points: None,
///     basis: String::new(),
///     ordinary: None,
///     hint: None,
/// };
/// assert!(suum_report::needed_text(&needed, &View::default()).contains("2.00 times as many"));
/// # Ok::<(), suum_core::Error>(())
/// ```
pub fn needed_text(needed: &PeopleNeeded, view: &View) -> String {
    let mut out = Text::new(view);
    section([needed_words(needed)]).write(&mut out);
    out.finish()
}

/// Section with these answers, if there are any.
pub(crate) fn section(answers: impl IntoIterator<Item = String>) -> Content {
    let mut content = Content::default();
    let inside = Content::from_sentences(answers);
    if !inside.is_empty() {
        content.section("needed", "How many people it takes", inside);
    }
    content
}

/// Answer in sentences, without a heading.
///
/// # Example
///
/// ```
/// use suum_report::PeopleNeeded;
///
/// let needed = PeopleNeeded {
///     option: suum_core::option::TARGET_HALF_WIDTH,
///     target: 0.5,
///     factor: 2.0,
///     profile: "0.1:2000".parse()?,
///     reached: 0.49,
///     now: 0.7,
///     points: None,
///     basis: String::new(),
///     ordinary: None,
///     hint: None,
/// };
/// assert!(suum_report::needed_words(&needed).starts_with("An interval of at most ±0.5 takes"));
/// # Ok::<(), suum_core::Error>(())
/// ```
pub fn needed_words(needed: &PeopleNeeded) -> String {
    let PeopleNeeded { option, target, factor, profile, reached, now, points, basis, .. } = needed;
    let at_worst = if needed.ordinary.is_some() { ", at worst," } else { "" };
    let ordinary = needed.ordinary.map_or_else(String::new, |records| {
        format!(
            " For values with a standard deviation of an eighth of the width of the bounds about \
             {} records do.",
            count(records)
        )
    });
    let hint = needed.hint.as_ref().map_or_else(String::new, |hint| format!(" {hint}"));
    let rmse = *option == option::TARGET_RMSE;
    let (of, sign) = if rmse { ("An expected error", "") } else { ("An interval", "±") };
    // Shares in percentage points, too.
    let both = |number: f64, text: String| match points {
        Some(points) => {
            format!("{sign}{text} ({} {points})", trimmed(&significant(number * 100.0, 4)))
        }
        None => format!("{sign}{text}"),
    };
    let figure = |number: f64| both(number, significant(number, 4));
    let records = count(profile.records());
    let words = if *factor > 1.0 {
        format!(
            "{of} of at most {} takes{at_worst} {} times as many people in every level: {records} \
             records. With them it is {}. {basis}",
            both(*target, target.to_string()),
            significant(*factor, 3),
            figure(*reached),
        )
    } else {
        format!(
            "The profile reaches it: its {} is {}. About {records} records in the same shares \
             would do{}. {basis}",
            if rmse { "expected error" } else { "interval" },
            figure(*now),
            at_worst.trim_end_matches(','),
        )
    };
    format!("{}{ordinary}{hint}", words.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_that_is_reached_takes_no_more_people() {
        let more = PeopleNeeded {
            option: option::TARGET_HALF_WIDTH,
            target: 0.005,
            factor: 2.0,
            profile: "0.1:2000".parse().unwrap(),
            reached: 0.004_999,
            now: 0.2,
            points: Some("percentage points of the rank"),
            basis: String::new(),
            ordinary: None,
            hint: None,
        };
        let said = |needed: &PeopleNeeded| needed_text(needed, &View::default()).replace('\n', " ");
        let text = said(&more);
        let of =
            "An interval of at most ±0.005 (0.5 percentage points of the rank) takes 2.00 times";
        assert!(text.contains(of), "{text}");
        assert!(text.contains("it is ±0.004999 (0.4999 percentage points of the rank)."), "{text}");
        let (option, points) = (option::TARGET_RMSE, None);
        let fewer = PeopleNeeded { factor: 0.01, option, now: 0.3287, points, ..more };
        let text = said(&fewer);
        let of = "The profile reaches it: its expected error is 0.3287. About 2,000 records in the";
        assert!(text.contains(of), "{text}");
        let basis = "That is the worst case.".to_owned();
        let worst = PeopleNeeded { ordinary: Some(300), factor: 2.0, basis, ..fewer };
        let text = said(&worst);
        assert!(text.contains("takes, at worst, 2.00 times as many people"), "{text}");
        assert!(text.contains("an eighth of the width of the bounds about 300 records do."));
    }
}
