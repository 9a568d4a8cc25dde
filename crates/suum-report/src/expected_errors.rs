//! What a plan is expected to come to for data of a named shape.

use serde::Serialize;
use suum_core::Unit;

use crate::content::Content;
use crate::figures::{count, significant};
use crate::prose::Text;
use crate::view::View;

/// Expected errors and half widths for data of a shape, from simulated releases.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ExpectedErrors {
    /// The name of the shape.
    pub shape: &'static str,
    /// What its values are, in words.
    #[serde(skip)]
    pub values: &'static str,
    /// How many releases were simulated.
    pub simulations: usize,
    /// How many of them were refused, because no range was found.
    pub refused: usize,
    /// Whether figures are in standard deviations of the values.
    pub in_deviations: bool,
    /// With a target, for how many times as many people as there are: those that it takes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub factor: Option<f64>,
    /// The figures of each estimate.
    pub estimates: Vec<ExpectedEstimate>,
}

/// What simulations say of one estimate.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ExpectedEstimate {
    /// What is estimated, such as `mean`; of a quantile its rank, such as `0.5`.
    pub of: String,
    /// What its errors are in.
    #[serde(skip)]
    pub unit: Unit,
    /// The root mean squared error, in units of the estimate.
    pub rmse: f64,
    /// Its standard error, as there are only so many simulations.
    pub rmse_error: f64,
    /// Half the length of the interval on average; `None` if no release had one.
    pub half_width: Option<f64>,
    /// Its standard error.
    pub half_width_error: Option<f64>,
    /// How many of the releases had an interval.
    pub intervals: usize,
}

/// What is expected, in words.
///
/// # Example
///
/// ```
/// use suum_report::{ExpectedErrors, ExpectedEstimate, View};
///
/// let mean = ExpectedEstimate {
///     of: "mean".into(),
///     unit: suum_core::Unit::Value,
///     rmse: 0.123,
///     rmse_error: 0.006,
///     half_width: None,
///     half_width_error: None,
///     intervals: 0,
/// };
/// let expected = ExpectedErrors {
///     shape: "normal",
///     values: "normal",
///     simulations: 200,
///     refused: 1,
///     in_deviations: false,
///     factor: None,
///     estimates: vec![mean],
/// };
/// let text = suum_report::expected_text(&expected, &View::default());
/// assert!(text.contains("mean: error 0.123 ± 0.006") && text.contains("1 of 200"));
/// ```
pub fn expected_text(expected: &ExpectedErrors, view: &View) -> String {
    let mut out = Text::new(view);
    section([("", expected)]).write(&mut out);
    out.finish()
}

/// The section on what is expected, of each of these groups, if there are any.
pub(crate) fn section<'a>(
    groups: impl IntoIterator<Item = (&'a str, &'a ExpectedErrors)>,
) -> Content {
    let groups: Vec<(&str, &ExpectedErrors)> = groups.into_iter().collect();
    let mut content = Content::default();
    let Some((_, first)) = groups.first() else { return content };
    let mut inside = Content::default();
    inside.points(named(&groups));
    inside.say(about(first));
    content.section("expected", heading(first), inside);
    content
}

/// What is expected, behind the name of each group that has one.
pub(crate) fn named(groups: &[(&str, &ExpectedErrors)]) -> Vec<String> {
    let of = |(name, expected): &(&str, &ExpectedErrors)| {
        let name = if name.is_empty() { String::new() } else { format!("{name}: ") };
        lines(expected).into_iter().map(move |line| format!("{name}{line}")).collect::<Vec<_>>()
    };
    groups.iter().flat_map(of).collect()
}

/// The same in short: a sentence for each estimate, and one about all.
pub fn expected_words(expected: &ExpectedErrors) -> Vec<String> {
    let each = lines(expected).into_iter();
    each.map(|line| format!("{}: {line}.", heading(expected))).chain([about(expected)]).collect()
}

/// The heading of what is expected.
fn heading(expected: &ExpectedErrors) -> String {
    format!("Expected for {} data, by simulation", expected.shape)
}

/// A line for each estimate.
fn lines(expected: &ExpectedErrors) -> Vec<String> {
    let released = expected.simulations - expected.refused;
    let line = |one: &ExpectedEstimate| {
        let of = match one.of.parse::<f64>() {
            Ok(_) => format!("quantile {}", one.of),
            Err(_) => one.of.clone(),
        };
        let unit = match (expected.in_deviations, one.unit) {
            (false, _) => "",
            (true, Unit::Square) => " squared standard deviations",
            (true, _) => " standard deviations",
        };
        let error = with_error(one.rmse, one.rmse_error);
        let interval = match (one.half_width, one.half_width_error) {
            (Some(half), Some(error)) => {
                let lacking = match released - one.intervals {
                    0 => String::new(),
                    lacking => format!(" ({lacking} of {released} had none)"),
                };
                format!("; half the interval {}{unit}{lacking}", with_error(half, error))
            }
            _ => "; no interval".to_owned(),
        };
        format!("{of}: error {error}{unit}{interval}")
    };
    expected.estimates.iter().map(line).collect()
}

/// A figure with its standard error.
fn with_error(figure: f64, error: f64) -> String {
    format!("{} ± {}", significant(figure, 3), significant(error, 1))
}

/// What was simulated, and what that says.
pub(crate) fn about(expected: &ExpectedErrors) -> String {
    let ExpectedErrors { values, simulations, refused, factor, .. } = expected;
    let mut said = format!(
        "Root mean squared errors, and average lengths, of {} simulated releases of values that \
         are {values}; ± is the standard error of the simulation. Other data have other errors.",
        count(*simulations as u64),
    );
    if let Some(factor) = factor {
        let times = significant(*factor, 3);
        said += &format!(" They are of {times} times as many people, which the target takes.");
    }
    if *refused > 0 {
        said += &format!(
            " {refused} of {simulations} were refused, because no range was found; the figures are \
             those of the others."
        );
    }
    said
}
