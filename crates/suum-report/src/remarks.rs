//! What a release or plan must say besides its answer: budgets that protect practically nothing,
//! and rows that a query has made.

use std::collections::BTreeSet;
use std::fmt::Write;

use serde::{Serialize, Serializer};
use suum_core::{Epsilon, QueryRows};

use crate::prose::{self, Text};
use crate::view::View;

/// What there is to say besides an answer, and besides its certificate.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Remarks {
    /// The budgets of which [`Epsilon::is_weak`] is true.
    pub weak: BTreeSet<Epsilon>,
    /// How the query was looked at that has made the rows, if one has.
    pub query: Option<QueryRows>,
    /// The condition that is true of all records that count, if not all records do.
    pub filter: Option<String>,
    /// Whether candidates of quantiles are one apart because the column holds integers by its type.
    pub step_of_type: bool,
}

/// What is said of a step that nobody has declared.
const STEP: &str = "The column holds integers by its type, so quantiles are whole numbers, as with \
                    a step of 1. Another step can be declared, or 65536 cells, which means none.";

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Remarks {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        RemarksRecord::schema_name()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        RemarksRecord::json_schema(generator)
    }
}

/// The JSON of what there is to say: the keys `where`, `query_rows`, `step` and `warnings`, if
/// there is any.
impl Serialize for Remarks {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let statement = self.of_rows();
        let query_rows = statement.as_deref().map(|statement| RowsRecord {
            from: "query",
            trusted: self.query == Some(QueryRows::Trusted),
            statement,
        });
        let step = self.of_step().map(|statement| StepRecord { size: 1, from: "type", statement });
        let filter = self.filter.as_deref();
        RemarksRecord { filter, query_rows, step, warnings: self.warnings() }.serialize(serializer)
    }
}

/// How the rows were made.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "QueryRows"))]
struct RowsRecord<'a> {
    /// By what: `query`.
    from: &'static str,
    /// Whether suum took the query on trust (`--trust-query`).
    trusted: bool,
    /// What follows, as a sentence.
    statement: &'a str,
}

/// The step of the candidates of quantiles.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "StepOfType"))]
struct StepRecord {
    /// How far candidates are apart.
    size: u32,
    /// What tells it: `type`.
    from: &'static str,
    /// What follows, as a sentence.
    statement: &'static str,
}

/// What there is to say besides an answer.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct RemarksRecord<'a> {
    /// The condition that is true of all records that count, if not all records do.
    #[serde(rename = "where", skip_serializing_if = "Option::is_none")]
    filter: Option<&'a str>,
    /// How the rows were made, if a query has made them.
    #[serde(skip_serializing_if = "Option::is_none")]
    query_rows: Option<RowsRecord<'a>>,
    /// The step, if the type of the column says that values are whole. `query` has none then.
    #[serde(skip_serializing_if = "Option::is_none")]
    step: Option<StepRecord>,
    /// Warnings, as sentences.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
}

impl Remarks {
    /// Whether there is nothing to say.
    pub fn is_empty(&self) -> bool {
        let Self { weak, query, filter, step_of_type } = self;
        weak.is_empty() && query.is_none() && filter.is_none() && !step_of_type
    }

    /// What the user must be warned of.
    ///
    /// # Example
    ///
    /// ```
    /// use suum_core::Epsilon;
    /// use suum_report::Remarks;
    ///
    /// let remarks = Remarks { weak: [Epsilon::new(100.0)?].into(), ..Remarks::default() };
    /// assert!(remarks.warnings()[0].contains("ε = 100 protects practically nothing"));
    /// assert!(Remarks::default().warnings().is_empty());
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    pub fn warnings(&self) -> Vec<String> {
        let (Some(least), Some(most)) = (self.weak.first(), self.weak.last()) else {
            return Vec::new();
        };
        let budgets = match self.weak.len() {
            1 => format!("The budget ε = {most} protects practically nothing: it"),
            _ => format!(
                "The budgets from ε = {least} to ε = {most} protect practically nothing: even \
                 ε = {least}"
            ),
        };
        vec![format!(
            "{budgets} lets the probability of a result differ by a factor of up to exp({least}), \
             and exp(10) is 22 026. ε is not a percentage. Choose smaller budgets, or inf for data \
             that are public."
        )]
    }

    /// On what the guarantee depends if a query has made the rows.
    pub fn of_rows(&self) -> Option<String> {
        let looked_at = match self.query? {
            QueryRows::Screened => {
                "suum refuses queries that it does not know to be so, by their text; but it cannot \
                 prove that this one is."
            }
            QueryRows::Trusted => {
                "suum has not looked whether this one is: whoever asked says to have looked."
            }
        };
        Some(format!(
            "The rows were computed by a query. The guarantee holds only if that query is \
             row-wise: each record gives at most one row, which is computed from that record \
             alone, and neither whether it gives one nor its tier, group or person depends on \
             private values. {looked_at}"
        ))
    }

    /// Which records count, if not all do.
    pub fn of_filter(&self) -> Option<String> {
        self.filter.as_ref().map(|filter| format!("Only records where {filter}"))
    }

    /// From where the step between candidates is, if nobody has declared it.
    pub fn of_step(&self) -> Option<&'static str> {
        self.step_of_type.then_some(STEP)
    }

    /// The text of an answer with what there is to say.
    pub fn onto_text(&self, said: String, view: &View) -> String {
        let (warnings, rows, step) = (self.warnings(), self.of_rows(), self.of_step());
        let filter = self.of_filter();
        if warnings.is_empty() && filter.is_none() && rows.is_none() && step.is_none() {
            // It can be long.
            return said;
        }
        let mut out = Text::new(view);
        for warning in warnings {
            prose::paragraph(&mut out, &format!("WARNING: {warning}"));
            // Writing to a text cannot fail.
            let _ = writeln!(out);
        }
        let _ = out.write_str(&said);
        if let Some(text) = filter {
            out.heading("Which records count");
            prose::indented(&mut out, &text);
        }
        if let Some(text) = rows {
            out.heading("Where the rows come from");
            prose::indented(&mut out, &text);
        }
        if let Some(text) = step {
            out.heading("Where the step comes from");
            prose::indented(&mut out, text);
        }
        out.finish()
    }
}
