//! What an experiment found.

use crate::contest::Contest;
use crate::value_with_error::ValueWithError;

/// What an experiment found: pictures, sentences, and whether `auto` did best.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// The experiment, such as `cc23-fig1b`.
    pub id: &'static str,
    /// What was measured, in a few words.
    pub title: String,
    /// Paper and figure.
    pub source: String,
    /// What the paper did and found.
    pub published: String,
    /// What was chosen because the paper does not say, and other things a reader must know.
    pub notes: Vec<String>,
    /// Trials per point.
    pub trials: usize,
    /// The seed of all random numbers.
    pub seed: u64,
    /// Charts, heatmaps and tables, in order.
    pub panels: Vec<Panel>,
    /// What agrees with the paper and what does not.
    pub findings: Vec<Finding>,
    /// `auto` against all others.
    pub contest: Contest,
}

/// A sentence, and how it relates to what was published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// How it relates.
    pub verdict: Verdict,
    /// What was found, and why.
    pub text: String,
}

/// How a finding relates to what was published.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// As published.
    Agrees,
    /// Not as published.
    Differs,
    /// The paper says nothing of it.
    New,
}

impl Finding {
    /// As published if `holds`, else not.
    pub(crate) fn check(holds: bool, text: impl Into<String>) -> Self {
        Self { verdict: if holds { Verdict::Agrees } else { Verdict::Differs }, text: text.into() }
    }

    pub(crate) fn new(text: impl Into<String>) -> Self {
        Self { verdict: Verdict::New, text: text.into() }
    }
}

/// One picture or table.
#[derive(Debug, Clone, PartialEq)]
pub enum Panel {
    /// Lines over an axis.
    Chart(Chart),
    /// Colours over two axes.
    Heatmap(Heatmap),
    /// Some numbers of a table, beside those that were published.
    Dots(Dots),
    /// Numbers in rows and columns.
    Table(Table),
}

impl Panel {
    /// The name, for file names: lower-case letters, digits and hyphens.
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
    /// For file names.
    pub name: String,
    /// The caption.
    pub caption: String,
    /// What is to the right.
    pub x: Axis,
    /// What is upward.
    pub y: Axis,
    /// The lines.
    pub series: Vec<Series>,
    /// Vertical lines.
    pub marks: Vec<Mark>,
}

/// An axis.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Axis {
    /// What it shows, with its unit.
    pub label: String,
    /// Whether equal steps are equal factors.
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

/// One line.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// Whose it is.
    pub name: String,
    /// What kind of line it is.
    pub role: Role,
    /// Positions to the right and what was found there, from left to right.
    pub points: Vec<(f64, ValueWithError)>,
}

impl Chart {
    /// Whether any line has a band of confidence around it.
    pub(crate) fn has_bands(&self) -> bool {
        self.series.iter().any(Series::has_band)
    }
}

impl Series {
    /// The points that there is a number for.
    pub(crate) fn known(&self) -> impl Iterator<Item = &(f64, ValueWithError)> {
        self.points.iter().filter(|(_, number)| number.value.is_finite())
    }

    /// Whether it has a band of confidence: numbers that were measured, at two places or more.
    pub(crate) fn has_band(&self) -> bool {
        self.known().count() > 1 && self.known().any(|(_, number)| number.error > 0.0)
    }
}

/// What a line or column stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// What a paper printed.
    Published,
    /// A published estimator, in our hands.
    Theirs,
    /// What suum chooses.
    Auto,
    /// What nobody can get below, or another formula.
    Bound,
    /// What the line before it would be without chance, which is then drawn as dots.
    Exact,
}

/// A vertical line.
#[derive(Debug, Clone, PartialEq)]
pub struct Mark {
    /// Where.
    pub at: f64,
    /// What is there.
    pub label: String,
}

/// Colours over two logarithmic axes.
#[derive(Debug, Clone, PartialEq)]
pub struct Heatmap {
    /// For file names.
    pub name: String,
    /// The caption.
    pub caption: String,
    /// What is to the right, and where the columns are.
    pub x: (String, Vec<f64>),
    /// What is upward, and where the rows are.
    pub y: (String, Vec<f64>),
    /// What the colour shows.
    pub z: String,
    /// One number per cell, row by row.
    pub values: Vec<Vec<f64>>,
    /// The same at more places, for the picture.
    pub fine: Surface,
    /// Where contours are drawn.
    pub contours: Vec<f64>,
    /// The columns and rows that other panels show as cuts.
    pub cuts: Vec<Cut>,
}

/// Numbers over two axes.
#[derive(Debug, Clone, PartialEq)]
pub struct Surface {
    /// Where the columns are.
    pub x: Vec<f64>,
    /// Where the rows are.
    pub y: Vec<f64>,
    /// The numbers, row by row.
    pub values: Vec<Vec<f64>>,
}

/// A row or column of a heatmap that is shown as a line elsewhere.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Cut {
    /// All cells at this place to the right.
    AtX(f64),
    /// All cells at this height.
    AtY(f64),
}

/// Some numbers of a table in the same outcome, drawn beside those that were published.
#[derive(Debug, Clone, PartialEq)]
pub struct Dots {
    /// For file names.
    pub name: String,
    /// The caption.
    pub caption: String,
    /// What the numbers are; the axis is logarithmic.
    pub x: String,
    /// The lines of each group, each with what it stands for.
    pub columns: Vec<(String, Role)>,
    /// The groups: a name and one entry per line.
    pub groups: Vec<(String, Vec<Entry>)>,
}

/// Numbers in rows and columns.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// For file names.
    pub name: String,
    /// The caption.
    pub caption: String,
    /// What the rows are.
    pub corner: String,
    /// The columns, each with what it stands for.
    pub columns: Vec<(String, Role)>,
    /// The rows: a name and one cell per column.
    pub rows: Vec<(String, Vec<Entry>)>,
}

/// A cell of a table.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Entry {
    /// The published number, if there is one.
    pub published: Option<f64>,
    /// Ours, if there is one.
    pub ours: Option<ValueWithError>,
}
