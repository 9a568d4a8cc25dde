//! Remarks on a release or plan besides its answer: budgets that protect practically nothing, and
//! rows that a query has made.

use std::collections::BTreeSet;
use std::fmt::Write;

use serde::{Serialize, Serializer};
use suum_core::{Epsilon, Library, Phrase, QueryRows, Voice, option, say};

use crate::prose::{self, Text};
use crate::view::View;

/// Remarks besides an answer and its certificate.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Remarks {
    /// Budgets of which [`Epsilon::is_weak`] is true.
    pub weak: BTreeSet<Epsilon>,
    /// Check of the query that has made the rows, if one has.
    pub query: Option<QueryRows>,
    /// Condition that is true of all records that count, if not all records do.
    pub filter: Option<String>,
    /// Decisions of a register that count, if choices come from one.
    pub consent: Option<ConsentRemark>,
    /// Effect of the column holding integers by its type, if there is one.
    pub step_of_type: Option<StepOfType>,
    /// Columns whose groups were read off the data, if nobody has declared them.
    pub groups_of: Option<String>,
}

/// Consequence of a column that holds integers by its type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StepOfType {
    /// Candidates of quantiles are one apart.
    Candidates,
    /// A mean or a sum does not learn where values lie, of which there are few different ones.
    NoLearning,
}

impl StepOfType {
    fn statement(self) -> Phrase {
        match self {
            Self::Candidates => {
                say(STEP).say("For continuous values:").set(option::CELLS, "65536").say(".")
            }
            Self::NoLearning => say(FEW_STEPS),
        }
    }
}

/// What there is to say of a register of decisions over time.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Consent"))]
pub struct ConsentRemark {
    /// The date or time at which decisions had to be in force.
    pub as_of: String,
    /// The number of people who are not used because they have no decision, or it was withdrawn or
    /// has expired. Left out where participation is hidden.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_used: Option<u64>,
    /// The number of people with different decisions of one time, of which the strictest counts.
    #[serde(skip)]
    pub ties: Option<u64>,
}

impl ConsentRemark {
    /// Warning about different decisions of the same time.
    fn tie_warning(&self) -> Option<String> {
        let people = match self.ties.filter(|ties| *ties > 0)? {
            1 => "1 person of the register has".to_owned(),
            many => format!("{many} people of the register have"),
        };
        Some(format!(
            "{people} decisions of the same time that differ. The strictest of them counts."
        ))
    }
}

/// Note on a step that nobody has declared.
const STEP: &str = "The column holds integers by its type, so quantiles are whole numbers, as with \
                    a step of 1.";

/// Sentence about a mean of few steps that nobody has declared.
const FEW_STEPS: &str = "The column holds integers by its type, with fewer than 8 steps between \
                         the bounds, so nothing is learned first about where values lie: a range \
                         would leave out rare ones.";

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Remarks {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        RemarksRecord::schema_name()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        RemarksRecord::json_schema(generator)
    }
}

/// Serialized with the keys `where`, `consent`, `query_rows`, `step`, `groups_from` and `warnings`,
/// each if there is something to say.
impl Serialize for Remarks {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let statement = self.rows_condition();
        let query_rows = statement.as_deref().map(|statement| RowsRecord {
            from: "query",
            trusted: self.query == Some(QueryRows::Trusted),
            statement,
        });
        let step = self.step_sentence(&Library);
        let step = step.as_deref();
        let step = step.map(|statement| StepRecord { size: 1, from: "type", statement });
        let filter = self.filter.as_deref();
        let (consent, warnings) = (self.consent.as_ref(), self.warnings());
        let groups_from = self.groups_sentence();
        RemarksRecord { filter, consent, query_rows, step, groups_from, warnings }
            .serialize(serializer)
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

/// The step between values, which nobody has declared.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "StepOfType"))]
struct StepRecord<'a> {
    /// How far values are apart.
    size: u32,
    /// What tells it: `type`.
    from: &'static str,
    /// What follows, as a sentence.
    statement: &'a str,
}

/// What there is to say besides an answer.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct RemarksRecord<'a> {
    /// The condition that is true of all records that count, if not all records do.
    #[serde(rename = "where", skip_serializing_if = "Option::is_none")]
    filter: Option<&'a str>,
    /// The decisions over time that count, if choices are some.
    #[serde(skip_serializing_if = "Option::is_none")]
    consent: Option<&'a ConsentRemark>,
    /// How the rows were made, if a query has made them.
    #[serde(skip_serializing_if = "Option::is_none")]
    query_rows: Option<RowsRecord<'a>>,
    /// The step, if the type of the column says that values are whole. `query` has none then.
    #[serde(skip_serializing_if = "Option::is_none")]
    step: Option<StepRecord<'a>>,
    /// Where the groups come from, if they were read off the data. `query` has `auto` then.
    #[serde(skip_serializing_if = "Option::is_none")]
    groups_from: Option<String>,
    /// Warnings, as sentences.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
}

impl Remarks {
    /// Returns true if there is nothing to say.
    pub fn is_empty(&self) -> bool {
        let Self { weak, query, filter, consent, step_of_type, groups_of } = self;
        let is_of_all = filter.is_none() && consent.is_none();
        let is_declared = step_of_type.is_none() && groups_of.is_none();
        weak.is_empty() && query.is_none() && is_of_all && is_declared
    }

    /// Warnings for the user.
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
        let ties = self.consent.as_ref().and_then(ConsentRemark::tie_warning);
        self.weak_warning().into_iter().chain(ties).collect()
    }

    /// Warning about budgets that protect practically nothing.
    fn weak_warning(&self) -> Option<String> {
        let (Some(least), Some(most)) = (self.weak.first(), self.weak.last()) else {
            return None;
        };
        let budgets = match self.weak.len() {
            1 => format!("The budget ε = {most} protects practically nothing: it"),
            _ => format!(
                "The budgets from ε = {least} to ε = {most} protect practically nothing: even \
                 ε = {least}"
            ),
        };
        Some(format!(
            "{budgets} lets the probability of a result differ by a factor of up to exp({least}), \
             and exp(10) is 22 026. ε is not a percentage. Choose smaller budgets, or inf for data \
             that are public."
        ))
    }

    /// Condition of the guarantee if a query has made the rows.
    pub fn rows_condition(&self) -> Option<String> {
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

    /// Sentence on the records that count, if not all do.
    pub fn filter_sentence(&self) -> Option<String> {
        self.filter.as_ref().map(|filter| format!("Only records where {filter}"))
    }

    /// Sentence on the decisions that count, if choices are decisions over time.
    pub fn consent_sentence(&self) -> Option<String> {
        let consent = self.consent.as_ref()?;
        let in_force = format!("Decisions count that were in force at {}.", consent.as_of);
        let why = "their decision was withdrawn or has expired, or they have none";
        Some(match consent.not_used {
            None => format!("{in_force} How many people have none is hidden."),
            Some(0) => format!("{in_force} Nobody in the data is left out for want of one."),
            Some(1) => format!("{in_force} 1 person in the data is not used: {why}."),
            Some(many) => format!("{in_force} {many} people in the data are not used: {why}."),
        })
    }

    /// Consequence of a step that nobody has declared, in the words of a front end.
    pub fn step_sentence(&self, voice: &dyn Voice) -> Option<String> {
        self.step_of_type.map(|step| step.statement().render_for(voice))
    }

    /// Sentence on groups that nobody has declared.
    pub fn groups_sentence(&self) -> Option<String> {
        let columns = self.groups_of.as_ref()?;
        Some(format!(
            "The groups are those that occur in {columns}. Who is in which group is public here, \
             and so is this list."
        ))
    }

    /// Returns the sections on the records: the identifier of each, its heading, and its text in
    /// the words of a front end.
    pub fn sections(&self, voice: &dyn Voice) -> Vec<(&'static str, &'static str, String)> {
        let sections = [
            ("where", "Which records count", self.filter_sentence()),
            ("consent", "Whose consent counts", self.consent_sentence()),
            ("rows", "Where the rows come from", self.rows_condition()),
            ("step", "Where the step comes from", self.step_sentence(voice)),
            ("groups-from", "Where the groups come from", self.groups_sentence()),
        ];
        let is_said = |(id, heading, text): (_, _, Option<String>)| Some((id, heading, text?));
        sections.into_iter().filter_map(is_said).collect()
    }

    /// Adds the remarks to the text of an answer.
    pub fn onto_text(&self, said: String, view: &View) -> String {
        let warnings = self.warnings();
        if self.is_empty() && warnings.is_empty() {
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
        for (_, heading, text) in self.sections(view.voice()) {
            out.heading(heading);
            prose::indented(&mut out, &text);
        }
        out.finish()
    }
}
