//! Sensitivity of answers to budgets that are related to values: a line, a section with a curve,
//! and the answer of `suum sensitivity`.

use std::mem::discriminant;

use suum_core::{
    Claim, Difference, Estimate, GroupReleases, Interval, IntervalAt, Quantity, Release,
    Sensitivity,
};

use crate::content::Content;
use crate::data_value;
use crate::figure::{Figure, Writing};
use crate::figures::{half_width, percent_of, rounded_down, rounded_up, significant, trimmed};
use crate::html::sensitivity::curve;
use crate::prose::{self, Text};
use crate::sentence::Sentence;
use crate::table::Table;
use crate::view::View;

/// Digits of a bias, rounded up, and of a difference.
const DIGITS: i32 = 2;
/// Number of halvings in the search for a difference.
const HALVINGS: usize = 50;

/// Subject of a sentence on the sensitivity of an answer.
#[derive(Debug, Clone, Default, PartialEq)]
struct Words {
    /// `mean`, `sum`, `frequency` or `quantile`.
    statistic: String,
    /// Unit of values, with a space before it: ` days` for dates.
    unit: String,
    /// True if strata are kept.
    in_strata: bool,
    /// True if a range was learned first, which clips values.
    is_clipped: bool,
    /// True if it is the difference of two groups.
    is_difference: bool,
    /// True if it is the largest of several answers.
    is_largest: bool,
    /// True if intervals allow for a declared difference.
    is_declared: bool,
}

impl Words {
    fn from_release(release: &Release) -> Self {
        let is_narrower = |range: &suum_core::LearnedRange| range.is_narrower();
        Self {
            statistic: match first(&release.estimates).map(|one| &one.of) {
                Some(Quantity::Share(_)) => "frequency",
                Some(Quantity::Quantile(_)) => "quantile",
                Some(Quantity::Sum) => "sum",
                _ => "mean",
            }
            .to_owned(),
            unit: data_value::unit(release.scale()),
            in_strata: release.keeps_strata(),
            is_clipped: release.learned_range().is_some_and(is_narrower),
            is_declared: is_declared(&release.estimates),
            ..Self::default()
        }
    }

    /// Sentence on the additional error if tiers differ; `None` if there is none.
    fn sentence(&self, bias: f64) -> Option<String> {
        if bias <= 0.0 || !bias.is_finite() {
            return None;
        }
        let off = trimmed(&significant(rounded_up(bias, DIGITS), DIGITS));
        let within = if self.in_strata { " within a stratum" } else { "" };
        let within = if self.is_difference { " of either group" } else { within };
        let most = if self.is_largest { "up to " } else { "" };
        let beyond = if self.is_declared { " beyond that" } else { "" };
        let answer = |name: &str| match (self.is_difference, self.is_largest) {
            (true, true) => "a difference".to_owned(),
            (true, false) => "the difference".to_owned(),
            (false, true) => format!("a {name}"),
            (false, false) => format!("the {name}"),
        };
        Some(match self.statistic.as_str() {
            "frequency" => {
                let answer = if self.is_difference { answer("") } else { "a share".to_owned() };
                format!(
                    "For every percentage point by which shares of tiers{within} differ{beyond}, \
                     {answer} can be off by {most}{off} points more."
                )
            }
            "quantile" => format!(
                "For every percentage point by which the shares of tiers{within} below it \
                 differ{beyond}, the rank of a quantile can be off by {most}{off} points more."
            ),
            name => {
                let Self { unit, .. } = self;
                let one = match unit.trim() {
                    "days" => "day",
                    "seconds" => "second",
                    _ => "1",
                };
                let tiers = match self.is_clipped {
                    true => format!("distributions of tiers{within} are apart"),
                    false => format!("means of tiers{within} differ"),
                };
                let answer = answer(name);
                format!(
                    "For every {one} by which the {tiers}{beyond}, {answer} can be off by \
                     {most}{off}{unit} more."
                )
            }
        })
    }
}

/// First estimate whose sensitivity is known.
fn first(estimates: &[Estimate]) -> Option<&Estimate> {
    estimates.iter().find(|one| one.sensitivity.is_some())
}

/// Largest bias per difference of 1 among the estimates of the same kind as the first: for a mean
/// with its quantiles, that of the mean.
fn largest(estimates: &[Estimate]) -> f64 {
    let kind = first(estimates).map(|one| discriminant(&one.of));
    let same = estimates.iter().filter(|one| kind == Some(discriminant(&one.of)));
    let biases = same.filter_map(|one| Some(one.sensitivity.as_ref()?.bias()));
    biases.fold(0.0, f64::max)
}

/// Returns true if the intervals of these estimates allow for a declared difference of tiers.
fn is_declared(estimates: &[Estimate]) -> bool {
    let all = estimates.iter().filter_map(|one| one.sensitivity.as_ref());
    all.into_iter().any(|sensitivity| sensitivity.declared() > 0.0)
}

/// Sentence on the additional error of a release if tiers differ; `None` if there is none.
pub(crate) fn line(release: &Release) -> Option<String> {
    Words::from_release(release).sentence(largest(&release.estimates))
}

/// Sentence on the additional error of all groups, or of their difference if that is the answer.
pub(crate) fn line_of_groups(groups: &GroupReleases) -> Option<String> {
    let first = groups.iter().next()?;
    if let Some(Difference { estimates, .. }) = groups.difference() {
        let words = Words {
            is_difference: true,
            is_largest: estimates.len() > 1,
            is_clipped: groups.iter().any(|release| Words::from_release(release).is_clipped),
            ..Words::from_release(first)
        };
        return words.sentence(largest(estimates));
    }
    let bias = groups.iter().map(|release| largest(&release.estimates)).fold(0.0, f64::max);
    let is_clipped = groups.iter().any(|release| Words::from_release(release).is_clipped);
    Words { is_largest: true, is_clipped, ..Words::from_release(first) }.sentence(bias)
}

/// Section of a page on the effect of budgets that are related to values; empty if there is no
/// effect, or it is unknown.
pub(crate) fn section(release: &Release) -> Content {
    let mut content = Content::default();
    let Some(sentence) = line(release) else { return content };
    let mut inside = Content::from_sentences([meaning(release), sentence]);
    if let [one] = release.estimates.as_slice()
        && let Some(sensitivity) = one.sensitivity.as_deref().filter(|one| !one.is_of_rank())
    {
        let figure = Figure::from_estimate(one, release);
        inside.append(interval_curve(
            &figure,
            sensitivity,
            Words::from_release(release).is_clipped,
        ));
    }
    content.section("sensitivity", HEADING, inside);
    content
}

/// Section on a difference of two groups.
pub(crate) fn section_of_groups(groups: &GroupReleases) -> Content {
    let mut content = Content::default();
    let (Some(sentence), Some(first)) = (line_of_groups(groups), groups.iter().next()) else {
        return content;
    };
    let mut inside = Content::from_sentences([meaning(first), sentence]);
    if let Some(Difference { estimates, .. }) = groups.difference()
        && let [one] = estimates.as_slice()
        && let Some(sensitivity) = one.sensitivity.as_deref()
    {
        let figure = Figure::from_difference(one, first);
        let is_clipped = groups.iter().any(|release| Words::from_release(release).is_clipped);
        inside.append(interval_curve(&figure, sensitivity, is_clipped));
        let claim = if one.estimate > 0.0 { Claim::Above(0.0) } else { Claim::Below(0.0) };
        inside.say_all(holds(sensitivity, claim, "That one group has more than the other"));
    }
    content.section("sensitivity", HEADING, inside);
    content
}

/// Heading of the section.
const HEADING: &str = "If budgets have to do with values";

/// Sentence on the assumption, and on the part of the estimate that rests on it.
fn meaning(release: &Release) -> String {
    let sensitivities =
        release.estimates.iter().filter_map(|one| Some(one.sensitivity.as_ref()?.tv()));
    let tv = sensitivities.fold(0.0, f64::max);
    let tv = percent_of(rounded_up(tv, DIGITS));
    let assumed = match is_declared(&release.estimates) {
        true => "Intervals allow for tiers that differ by as much as was declared.",
        false => "Intervals assume that budgets have nothing to do with values.",
    };
    format!(
        "{assumed} Tiers do not weigh in an \
         estimate what their share of the records is, though: {tv} of the weight lies in other \
         tiers than the records do. So if tiers differ, the estimate leans towards those that \
         weigh more. No release can tell how much they differ: tiers that allow little are hardly \
         seen."
    )
}

/// Curve of one interval, as a drawing and as a table.
fn interval_curve(figure: &Figure, sensitivity: &Sensitivity, is_clipped: bool) -> Content {
    let mut content = Content::default();
    let doubled = doubled(sensitivity);
    content.draw(curve(figure, sensitivity, doubled));
    let (points, tiers) = (sensitivity.curve(), if is_clipped { "distributions" } else { "means" });
    let confidence = figure.interval.map_or(0.95, |interval| interval.confidence);
    content.table(
        Table::from_rows(
            format!("The interval if {tiers} of tiers differ by at most this"),
            &points,
        )
        .words("difference", |point| difference(figure.writing, point.difference))
        .number("interval", |point| {
            let (lower, upper) = (point.lower, point.upper);
            ends(figure.writing, Interval { confidence, lower, upper })
        }),
    );
    content.say_all(doubled.map(|at| {
        let at = difference(figure.writing, rounded_down(at, DIGITS));
        format!("At a difference of {at} the interval is twice as long as the published one.")
    }));
    content
}

/// Difference as it is written.
fn difference(writing: Writing, difference: f64) -> String {
    match writing {
        Writing::Share(_) | Writing::Points(_) => {
            format!("{} points", trimmed(&significant(difference * 100.0, 6)))
        }
        Writing::Timestamp(scale, _) | Writing::Span(scale, _) => {
            format!("{} {}", trimmed(&significant(difference, 6)), scale.unit())
        }
        _ => trimmed(&significant(difference, 6)),
    }
}

/// Both ends of an interval, to the digits of its own length.
pub(crate) fn ends(writing: Writing, interval: Interval) -> Sentence {
    let [lower, upper] = writing.to_error(half_width(interval)).ends(interval);
    Sentence::default().number(lower, interval.lower).say(" to ").number(upper, interval.upper)
}

/// Difference at which the interval is twice as long as without one, if there is one.
fn doubled(sensitivity: &Sensitivity) -> Option<f64> {
    let length = |difference: f64| {
        let [lower, upper] = sensitivity.at(difference);
        upper - lower
    };
    let twice = 2.0 * length(0.0);
    let (mut low, mut high) = (0.0, sensitivity.most());
    if twice <= 0.0 || length(high) <= twice {
        return None;
    }
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        if length(middle) <= twice { low = middle } else { high = middle }
    }
    Some(low)
}

/// Sentence on the largest difference for which a claim holds; `None` for ranks.
fn holds(sensitivity: &Sensitivity, claim: Claim, named: &str) -> Option<String> {
    let most = sensitivity.breakdown(claim)?;
    Some(match most {
        0.0 => format!("{named} does not follow from the interval, even if tiers do not differ."),
        most if most.is_infinite() => {
            format!("{named} follows from the interval however much tiers differ.")
        }
        most => {
            let most = trimmed(&significant(rounded_down(most, DIGITS + 1), DIGITS + 1));
            format!("{named} follows from the interval if tiers differ by at most {most}.")
        }
    })
}

/// Answer of a release, read from its JSON.
#[derive(Debug, Clone, PartialEq)]
pub struct SensitivityAnswer {
    /// Path to the answer: group, part or answer, from the outside in.
    pub of: Vec<String>,
    /// `mean`, `sum`, `frequency` or `quantile`.
    pub statistic: String,
    /// Column, if there is one.
    pub column: Option<String>,
    /// Category of a share, or name of the quantile.
    pub name: Option<String>,
    /// True if it is the difference of two groups.
    pub is_difference: bool,
    /// True if strata are kept.
    pub in_strata: bool,
    /// True if values were clipped to a learned range.
    pub is_clipped: bool,
    /// Estimate.
    pub estimate: f64,
    /// Sensitivity.
    pub sensitivity: Sensitivity,
}

impl SensitivityAnswer {
    fn words(&self) -> Words {
        Words {
            statistic: self.statistic.clone(),
            unit: String::new(),
            in_strata: self.in_strata,
            is_clipped: self.is_clipped,
            is_difference: self.is_difference,
            is_largest: false,
            is_declared: self.sensitivity.declared() > 0.0,
        }
    }

    fn title(&self) -> String {
        let difference = if self.is_difference { "difference: " } else { "" };
        let of = self.column.as_ref().map_or_else(String::new, |column| format!(" of {column}"));
        let name = self.name.as_ref().map_or_else(String::new, |name| format!(", {name}"));
        let within = self.of.iter().map(|of| format!("{of}: ")).collect::<String>();
        format!("{within}{difference}{}{of}{name}", self.statistic)
    }

    /// Writes the sentence, the curve and the truth of the claim.
    fn write(&self, out: &mut Text, claim: Option<Claim>, asked: Option<f64>) {
        let Self { sensitivity, .. } = self;
        prose::paragraph(out, &visible(&self.title()));
        let flat = || "The interval does not depend on how much tiers differ.".to_owned();
        let sentence = self.words().sentence(sensitivity.bias());
        prose::indented(out, &sentence.unwrap_or_else(flat));
        let mut points = sensitivity.curve();
        if let Some(difference) = asked.map(|asked| asked.min(sensitivity.most())) {
            let [lower, upper] = sensitivity.at(difference);
            let before = points.iter().position(|point| point.difference >= difference);
            let is_new = before.is_none_or(|at| points[at].difference > difference);
            if is_new {
                let at = before.unwrap_or(points.len());
                points.insert(at, IntervalAt { difference, lower, upper });
            }
        }
        let writing = self.writing();
        let (heading, unit) = match sensitivity.is_of_rank() {
            true => ("rank, but for noise and sampling", Writing::Share(0.1)),
            false => ("interval", writing),
        };
        let table = Table::from_rows("", &points)
            .words("tiers differ by at most", |point| difference(unit, point.difference))
            .number(heading, |point| {
                let (lower, upper) = (point.lower, point.upper);
                ends(writing, Interval { confidence: 0.95, lower, upper })
            });
        out.table(&table.into());
        if let Some(claim) = claim {
            let limit = trimmed(&significant(claim.limit(), 15));
            let named = format!("\"{} {limit}\"", claim.side());
            let none = || format!("{named}: of a quantile it is the rank that is known.");
            let said = holds(sensitivity, claim, &named).unwrap_or_else(none);
            prose::indented(out, &said);
        }
    }

    fn writing(&self) -> Writing {
        let [lower, upper] = self.sensitivity.at(0.0);
        let error = (upper - lower) / 2.0;
        match self.statistic.as_str() {
            "frequency" if self.is_difference => Writing::Points(error),
            "frequency" | "quantile" => Writing::Share(error.max(0.01)),
            _ => Writing::ToError(error),
        }
    }
}

/// Text on the dependence of a release's answers on budgets unrelated to values: optionally also at
/// one more difference, and with the largest difference for which a claim holds.
///
/// # Example
///
/// ```
/// assert!(suum_report::sensitivity_text(&[], None, None).starts_with("Intervals if budgets"));
/// ```
pub fn sensitivity_text(
    answers: &[SensitivityAnswer],
    claim: Option<Claim>,
    asked: Option<f64>,
) -> String {
    let mut out = Text::new(&View::default());
    prose::paragraph(&mut out, TITLE);
    for answer in answers {
        out.line();
        answer.write(&mut out, claim, asked);
    }
    out.finish()
}

/// First line of the text.
const TITLE: &str = "Intervals if budgets have to do with values: tiers differ, and nobody knows \
                     how much";

/// Text of a file without characters that move a cursor or end a line.
fn visible(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}
