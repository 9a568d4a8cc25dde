//! Outcome of an experiment.

use crate::contest::Contest;
use crate::value_with_error::ValueWithError;

/// Outcome of an experiment: pictures, sentences, and the comparisons of `auto`.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// Name of the experiment, such as `cc23-fig1b`.
    pub id: &'static str,
    /// Short description of the measured quantity.
    pub title: String,
    /// Paper and figure.
    pub source: String,
    /// Summary of the paper's experiment and results.
    pub published: String,
    /// Choices that the paper does not specify, and other notes for the reader.
    pub notes: Vec<String>,
    /// Number of trials per point.
    pub trials: usize,
    /// Seed of all random numbers.
    pub seed: u64,
    /// Charts, heatmaps and tables, in order.
    pub panels: Vec<Panel>,
    /// Agreements and disagreements with the paper.
    pub findings: Vec<Finding>,
    /// Comparisons of `auto` with all others.
    pub contest: Contest,
}

/// Sentence, with its relation to the published result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Relation to the published result.
    pub verdict: Verdict,
    /// Text with the finding and its reason.
    pub text: String,
}

/// Relation of a finding to the published result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Agrees with it.
    Agrees,
    /// Differs from it.
    Differs,
    /// New: the paper says nothing about it.
    New,
}

impl Finding {
    /// Finding that agrees if `holds`, and differs otherwise.
    pub(crate) fn check(holds: bool, text: impl Into<String>) -> Self {
        Self { verdict: if holds { Verdict::Agrees } else { Verdict::Differs }, text: text.into() }
    }

    pub(crate) fn new(text: impl Into<String>) -> Self {
        Self { verdict: Verdict::New, text: text.into() }
    }
}

/// Picture or table.
#[derive(Debug, Clone, PartialEq)]
pub enum Panel {
    /// Lines over an axis.
    Chart(Chart),
    /// Colours over two axes.
    Heatmap(Heatmap),
    /// Selected numbers of a table, beside the published ones.
    Dots(Dots),
    /// Numbers in rows and columns.
    Table(Table),
}

impl Panel {
    /// Name for file names: lower-case letters, digits and hyphens.
    pub fn name(&self) -> &str {
        match self {
            Panel::Chart(chart) => &chart.name,
            Panel::Heatmap(heatmap) => &heatmap.name,
            Panel::Dots(dots) => &dots.name,
            Panel::Table(table) => &table.name,
        }
    }
}

/// Lines over an axis.
#[derive(Debug, Clone, PartialEq)]
pub struct Chart {
    /// Name for file names.
    pub name: String,
    /// The caption.
    pub caption: String,
    /// Horizontal axis.
    pub x: Axis,
    /// Vertical axis.
    pub y: Axis,
    /// The lines.
    pub series: Vec<Series>,
    /// Vertical lines.
    pub marks: Vec<Mark>,
}

/// Axis.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Axis {
    /// Label with the quantity and its unit.
    pub label: String,
    /// True if equal steps are equal factors.
    pub logarithmic: bool,
}

impl Axis {
    pub(crate) fn linear(label: &str) -> Self {
        Self { label: label.to_owned(), logarithmic: false }
    }

    pub(crate) fn logarithmic(label: &str) -> Self {
        Self { label: label.to_owned(), logarithmic: true }
    }
}

/// Line.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// Name of the line.
    pub name: String,
    /// Kind of line.
    pub role: Role,
    /// Positions to the right with their values, from left to right.
    pub points: Vec<(f64, ValueWithError)>,
}

impl Chart {
    /// Returns true if any line has a confidence band.
    pub(crate) fn has_bands(&self) -> bool {
        self.series.iter().any(Series::has_band)
    }
}

impl Series {
    /// Points with a value.
    pub(crate) fn known_points(&self) -> impl Iterator<Item = &(f64, ValueWithError)> {
        self.points.iter().filter(|(_, number)| number.value.is_finite())
    }

    /// Returns true if it has a confidence band: measured values at two positions or more.
    pub(crate) fn has_band(&self) -> bool {
        self.known_points().count() > 1 && self.known_points().any(|(_, number)| number.error > 0.0)
    }
}

/// Meaning of a line or column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Result that a paper printed.
    Published,
    /// Published estimator in our implementation.
    Theirs,
    /// Choice of suum.
    Auto,
    /// Lower bound, or another formula.
    Bound,
    /// Exact value of the line before it, which is then drawn as dots.
    Exact,
}

/// Vertical line.
#[derive(Debug, Clone, PartialEq)]
pub struct Mark {
    /// Position.
    pub at: f64,
    /// Label.
    pub label: String,
}

/// Colours over two logarithmic axes.
#[derive(Debug, Clone, PartialEq)]
pub struct Heatmap {
    /// Name for file names.
    pub name: String,
    /// The caption.
    pub caption: String,
    /// Label of the horizontal axis, and the positions of the columns.
    pub x: (String, Vec<f64>),
    /// Label of the vertical axis, and the positions of the rows.
    pub y: (String, Vec<f64>),
    /// Label of the colour.
    pub z: String,
    /// Number of each cell, row by row.
    pub values: Vec<Vec<f64>>,
    /// Numbers at a finer resolution, for the picture.
    pub fine: Surface,
    /// Levels of the contours.
    pub contours: Vec<f64>,
    /// Columns and rows that other panels show as cuts.
    pub cuts: Vec<Cut>,
}

/// Numbers over two axes.
#[derive(Debug, Clone, PartialEq)]
pub struct Surface {
    /// Positions of the columns.
    pub x: Vec<f64>,
    /// Positions of the rows.
    pub y: Vec<f64>,
    /// Numbers, row by row.
    pub values: Vec<Vec<f64>>,
}

/// Row or column of a heatmap that is shown as a line elsewhere.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Cut {
    /// Column at this position.
    AtX(f64),
    /// Row at this position.
    AtY(f64),
}

/// Selected numbers of a table in the same outcome, drawn beside the published ones.
#[derive(Debug, Clone, PartialEq)]
pub struct Dots {
    /// Name for file names.
    pub name: String,
    /// The caption.
    pub caption: String,
    /// Label of the numbers; the axis is logarithmic.
    pub x: String,
    /// Lines of each group, each with its meaning.
    pub columns: Vec<(String, Role)>,
    /// Groups: a name and one entry per line.
    pub groups: Vec<(String, Vec<Entry>)>,
}

/// Numbers in rows and columns.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// Name for file names.
    pub name: String,
    /// The caption.
    pub caption: String,
    /// Label of the rows.
    pub corner: String,
    /// Columns, each with its meaning.
    pub columns: Vec<(String, Role)>,
    /// Rows: a name and one cell per column.
    pub rows: Vec<(String, Vec<Entry>)>,
}

/// Cell of a table.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Entry {
    /// Published number, if there is one.
    pub published: Option<f64>,
    /// Our number, if there is one.
    pub ours: Option<ValueWithError>,
}
