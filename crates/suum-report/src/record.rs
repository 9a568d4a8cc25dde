//! Answers of which only numbers are known: parts of others, and those read back from JSON.

use serde::Deserialize;
use suum_core::{Epsilon, Interval, TimeScale};

use crate::answer::{interval_heading, shape};
use crate::certificate::caption;
use crate::content::{Block, Content};
use crate::document::{Document, What};
use crate::figure::{Figure, Writing};
use crate::figures::{budget, count, half_width, percent, rounded_up, significant, trimmed};
use crate::html::Page;
use crate::html::drawing::{self, Chart};
use crate::prose::Text;
use crate::sentence::{Piece, Sentence};
use crate::table::Table;
use crate::view::View;

/// Answer of which only its numbers are known, and the sentences that belong to them: one of
/// several, of one group, or one that was read back from its JSON.
///
/// # Example
///
/// ```
/// let record: suum_report::Record = serde_json::from_str(
///     r#"{"title": "Private mean of visits", "figures": [{"name": "north", "estimate": 2.5}]}"#,
/// )?;
/// assert!(record.text(&suum_report::View::default()).contains("no interval"));
/// assert!(record.page().fragment().contains("<bdi>north</bdi>"));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, Deserialize)]
pub struct Record {
    title: String,
    /// False if the noise came from a known seed.
    #[serde(default = "yes")]
    private: bool,
    #[serde(default)]
    figures: Vec<RecordFigure>,
    /// Estimators that a plan compared, the best first.
    #[serde(default)]
    estimators: Vec<RecordEstimator>,
    /// Assumptions and warnings, in words.
    #[serde(default)]
    assumes: Vec<String>,
    #[serde(default)]
    warnings: Vec<String>,
    #[serde(default)]
    tiers: Vec<RecordTier>,
    /// True if the tiers are of persons, with all their rows.
    #[serde(default)]
    of_persons: bool,
    /// Parts of a survey, below these words.
    #[serde(default)]
    parts: Vec<Record>,
}

/// Number with its name.
#[derive(Debug, Clone, Deserialize)]
struct RecordFigure {
    name: String,
    estimate: f64,
    #[serde(default)]
    interval: Option<RecordInterval>,
    #[serde(default)]
    kind: NumberKind,
}

/// Interval of a number.
#[derive(Debug, Clone, Copy, Deserialize)]
struct RecordInterval {
    lower: f64,
    upper: f64,
    confidence: f64,
}

/// Kind of a number, which says how it is written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum NumberKind {
    #[default]
    Number,
    /// Share of 1.
    Share,
    /// Number in other units than those beside it.
    Other,
    /// Days, or seconds, since the beginning of 1970.
    Days,
    Seconds,
}

/// Estimator with its expected error.
#[derive(Debug, Clone, Deserialize)]
struct RecordEstimator {
    name: String,
    rmse: f64,
    chosen: bool,
}

/// Allowed and spent budget of the people of a tier.
#[derive(Debug, Clone, Deserialize)]
struct RecordTier {
    level: String,
    epsilon: f64,
    #[serde(default)]
    count: Option<u64>,
    spent: f64,
}

fn yes() -> bool {
    true
}

impl Record {
    /// Text of the numbers and the sentences.
    pub fn text(&self, view: &View) -> String {
        let mut out = Text::new(view);
        self.document().write(&mut out);
        out.finish()
    }

    /// Markdown of the same.
    pub fn markdown(&self) -> String {
        self.document().markdown(false)
    }

    /// Page of the same.
    pub fn page(&self) -> Page {
        Page::from_document(self.document())
    }

    fn document(&self) -> Document {
        let what = if self.estimators.is_empty() { What::Release } else { What::Plan };
        let mut all = Document::new(what, self.title.as_str(), Vec::new());
        all.private = self.private;
        all.answer = self.content();
        for part in &self.parts {
            all.answer.add(Block::Heading(part.title.clone()));
            all.answer.append(part.content());
        }
        if !self.tiers.is_empty() {
            let heading = "What each tier allowed, and what was spent of it";
            all.cost.section("tiers", heading, self.spending());
        }
        all
    }

    /// Numbers, then sentences.
    fn content(&self) -> Content {
        let mut content = Content::default();
        let figures: Vec<Figure> = self.figures.iter().map(RecordFigure::figure).collect();
        let comparable = figures.iter().filter(|figure| figure.comparable);
        let rows: Vec<(&str, &Figure)> =
            comparable.map(|figure| (figure.name.as_str(), figure)).collect();
        // Dates and lengths of time have no common axis.
        let kinds = self.figures.iter().filter(|one| one.kind != NumberKind::Other);
        let one_axis = kinds.map(|one| one.kind).collect::<Vec<_>>();
        if let Some((_, first)) = rows.first()
            && one_axis.windows(2).all(|pair| pair[0] == pair[1])
        {
            let axis = drawing::axis_title("estimate", None, first);
            let (title, shape) = (self.title.as_str(), shape(first));
            let chart = Chart { title, axis, shape, is_difference: false, rows: &rows };
            content.draw(drawing::rows(&chart));
        }
        if !figures.is_empty() {
            content.table(
                Table::from_rows("Estimates", &figures)
                    .words("", |figure| Sentence::from_label(&figure.name))
                    .number("estimate", Figure::show)
                    .number(interval_heading(&figures), Figure::show_interval),
            );
        }
        if !self.estimators.is_empty() {
            content.table(
                Table::from_rows("Expected error of every estimator", &self.estimators)
                    .words("estimator", |one| match one.chosen {
                        true => Sentence::default()
                            .with(Piece::Chosen(format!("{} (chosen)", one.name))),
                        false => one.name.as_str().into(),
                    })
                    .number("expected error", |one| significant(one.rmse, 4)),
            );
        }
        content.say_all(self.assumes.iter().map(|text| format!("Assumed: {text}")));
        let warnings = self.warnings.iter().map(|text| format!("Warning: {text}"));
        content.0.extend(warnings.map(Block::Warning));
        content
    }

    /// Table of the spending of tiers.
    fn spending(&self) -> Content {
        let whom = match self.of_persons {
            true => suum_core::ProtectedUnit::Person,
            false => suum_core::ProtectedUnit::Record,
        };
        let counted = self.tiers.iter().any(|tier| tier.count.is_some());
        let mut content = Content::default();
        content.table(
            Table::from_rows(caption(whom), &self.tiers)
                .words("tier", |tier| Sentence::from_label(&tier.level))
                .when(counted, |table| {
                    table.number(whom.many(), |tier| tier.count.map_or_else(|| "–".into(), count))
                })
                .number("allowed ε", |tier| {
                    Epsilon::new(tier.epsilon).map_or_else(|_| "–".into(), budget)
                })
                .number("spent ε", |tier| upward(tier.spent))
                .number("kept", RecordTier::kept_part),
        );
        content
    }
}

impl RecordFigure {
    fn figure(&self) -> Figure {
        let interval = self.interval.map(|RecordInterval { lower, upper, confidence }| Interval {
            confidence,
            lower,
            upper,
        });
        let error = interval.map_or(f64::NAN, half_width);
        let writing = match self.kind {
            NumberKind::Days => Writing::Timestamp(TimeScale::Days, error),
            NumberKind::Seconds => Writing::Timestamp(TimeScale::Seconds, error),
            NumberKind::Share => Writing::Share(error.min(0.5)),
            // Of an exact number the interval has no length.
            NumberKind::Number if error == 0.0 => Writing::Exact,
            NumberKind::Number | NumberKind::Other if error.is_finite() => Writing::ToError(error),
            NumberKind::Number | NumberKind::Other => Writing::Value(f64::NAN),
        };
        Figure {
            name: self.name.clone(),
            key: self.name.clone(),
            estimate: self.estimate,
            interval: interval.filter(|_| error != 0.0),
            writing,
            shown: None,
            comparable: self.kind != NumberKind::Other,
            is_value: true,
        }
    }
}

impl RecordTier {
    /// Part of the budget that stays unspent.
    fn kept_part(&self) -> String {
        match (self.epsilon, self.spent) {
            (0.0, _) => "–".into(),
            (f64::INFINITY, f64::INFINITY) => "none".into(),
            (f64::INFINITY, _) => "the rest".into(),
            // Losses are rounded up from a grid: a part below a billionth is none.
            (allowed, spent) => percent(((1.0 - spent / allowed) * 1e9).round() / 1e9),
        }
    }
}

/// Loss in four digits, rounded up.
fn upward(spent: f64) -> String {
    match spent {
        0.0 => "0".into(),
        f64::INFINITY => "∞".into(),
        spent => trimmed(&significant(rounded_up(spent, 4), 4)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(json: &str) -> Record {
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn spending_is_never_shown_as_less() {
        let tiers = r#"[{"level": "a", "epsilon": 0.123456, "count": 1, "spent": 0.100001},
            {"level": "b", "epsilon": 2, "count": 3000, "spent": 0.009999999999999998}]"#;
        let record = record(&format!(r#"{{"title": "", "tiers": {tiers}}}"#));
        let text = record.text(&View::default());
        for shown in ["0.1001", "3,000", "0.01 ", "0.123456", "99.5 %"] {
            assert!(text.contains(shown), "{shown} in {text}");
        }
    }

    #[test]
    fn each_kind_of_number_is_written_in_its_way() {
        let record = record(
            r#"{"title": "All", "figures": [
                {"name": "share", "estimate": 0.25, "kind": "share",
                 "interval": {"lower": 0.2, "upper": 0.3, "confidence": 0.95}},
                {"name": "day", "estimate": 18292.0, "kind": "days"},
                {"name": "count", "estimate": 20190.0,
                 "interval": {"lower": 20190.0, "upper": 20190.0, "confidence": 0.95}},
                {"name": "none", "estimate": 2.5}], "warnings": ["too few"]}"#,
        );
        let text = record.text(&View::default());
        for shown in ["25.0 %", "95 % interval", "2020-01-31", "20,190", "exact", "no interval"] {
            assert!(text.contains(shown), "{shown} in {text}");
        }
        assert!(text.contains("Warning: too few"), "{text}");
        assert!(
            record.markdown().contains("| none | 2.5 | no interval |"),
            "{}",
            record.markdown()
        );
    }
}
