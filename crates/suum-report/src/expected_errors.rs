//! Expected errors of a plan for data of a named shape.

use serde::Serialize;
use suum_core::Unit;

use crate::content::Content;
use crate::figures::{count, significant};
use crate::prose::Text;
use crate::view::View;

/// Expected errors and half widths for data of a shape, from simulated releases.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ExpectedErrors {
    /// Name of the shape.
    pub shape: &'static str,
    /// Description of its values.
    #[serde(skip)]
    pub values: &'static str,
    /// Number of simulated releases.
    pub simulations: usize,
    /// Number of simulated releases that were refused because no range was found.
    pub refused: usize,
    /// True if figures are in standard deviations of the values.
    pub in_deviations: bool,
    /// Multiple of the present number of people for which the errors hold: the one that a target
    /// takes; `None` without a target.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub factor: Option<f64>,
    /// Figures of each estimate.
    pub estimates: Vec<ExpectedEstimate>,
}

/// Simulated errors of one estimate.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ExpectedEstimate {
    /// Name of the estimate, such as `mean`; for a quantile its rank, such as `0.5`.
    pub of: String,
    /// Unit of its errors.
    #[serde(skip)]
    pub unit: Unit,
    /// Root mean squared error, in units of the estimate.
    pub rmse: f64,
    /// Standard error of `rmse` due to the number of simulations.
    pub rmse_error: f64,
    /// Average half-width of the interval; `None` if no release had one.
    pub half_width: Option<f64>,
    /// Standard error of `half_width`.
    pub half_width_error: Option<f64>,
    /// Number of releases with an interval.
    pub intervals: usize,
}

/// Text of the expected errors.
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

/// Section on expected errors, for each of these groups, if there are any.
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

/// Lines of expected errors, each prefixed with the name of its group, if it has one.
pub(crate) fn named(groups: &[(&str, &ExpectedErrors)]) -> Vec<String> {
    let of = |(name, expected): &(&str, &ExpectedErrors)| {
        let name = if name.is_empty() { String::new() } else { format!("{name}: ") };
        lines(expected).into_iter().map(move |line| format!("{name}{line}")).collect::<Vec<_>>()
    };
    groups.iter().flat_map(of).collect()
}

/// Short form: a sentence for each estimate, and one about all.
pub fn expected_words(expected: &ExpectedErrors) -> Vec<String> {
    let each = lines(expected).into_iter();
    each.map(|line| format!("{}: {line}.", heading(expected))).chain([about(expected)]).collect()
}

/// Heading of the expected errors.
fn heading(expected: &ExpectedErrors) -> String {
    format!("Expected for {} data, by simulation", expected.shape)
}

/// Line for each estimate.
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

/// Figure with its standard error.
fn with_error(figure: f64, error: f64) -> String {
    format!("{} ± {}", significant(figure, 3), significant(error, 1))
}

/// Sentences on the simulation and its meaning.
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
