//! Expressions over one row, printed from their tree.

use std::collections::BTreeSet;

use sqlparser::ast::{
    AccessExpr, CaseWhen, CastKind, CeilFloorKind, DateTimeField, Expr, Function, FunctionArg,
    FunctionArgExpr, FunctionArgumentList, FunctionArguments, Ident, Interval, Subscript,
    TrimWhereField, TypedString, UnaryOperator, Value,
};
use suum_core::Result;

use super::functions::{is_of_one_row, is_plain_type, is_unit, is_unit_name, least_arguments};
use super::names::{Names, qualify_column};
use super::words::{class, is_clock, operator, unescaped, unit};
use super::{Refusal, precedence};
use crate::dialect::Dialect;

/// Printer of expressions that records the columns they are made of.
pub(super) struct Printer<'a> {
    dialect: Dialect,
    names: &'a Names<'a>,
    columns: BTreeSet<String>,
    /// Depth of the expression that is being printed.
    depth: usize,
}

/// Largest depth of nested expressions, apart from chains such as `a OR b OR c`.
const MOST_LEVELS: usize = 64;

impl<'a> Printer<'a> {
    pub(super) fn new(dialect: Dialect, names: &'a Names<'a>) -> Self {
        Self { dialect, names, columns: BTreeSet::new(), depth: 0 }
    }

    /// Columns of the table in all printed expressions.
    pub(super) fn into_columns(self) -> BTreeSet<String> {
        self.columns
    }

    /// Prints an expression, in parentheses if it has parts.
    ///
    /// # Errors
    ///
    /// Refuses expressions that are not known to depend on one row only.
    pub(super) fn print(&mut self, expression: &Expr) -> Result<String> {
        if self.depth == MOST_LEVELS {
            return Err(Refusal::Deep.error());
        }
        precedence::check(expression)?;
        self.depth += 1;
        let text = self.print_parts(expression);
        self.depth -= 1;
        text
    }

    fn print_parts(&mut self, expression: &Expr) -> Result<String> {
        let text = match expression {
            Expr::Identifier(word) => self.column(std::slice::from_ref(word))?,
            Expr::CompoundIdentifier(words) => self.column(words)?,
            Expr::Value(value) => self.value(&value.value)?,
            Expr::Nested(inner) => self.print(inner)?,
            Expr::CompoundFieldAccess { root, access_chain } => {
                let root = self.print(root)?;
                access_chain.iter().try_fold(root, |text, access| self.access(text, access))?
            }
            Expr::TypedString(literal) => self.typed(literal)?,
            Expr::Interval(interval) => self.interval(interval)?,
            Expr::Function(function) => self.function(function)?,
            Expr::Case { operand, conditions, else_result, case_token: _, end_token: _ } => {
                self.case(operand.as_deref(), conditions, else_result.as_deref())?
            }
            Expr::Cast { kind, expr, data_type, array: false, format: None } => {
                if !is_plain_type(data_type) {
                    return Err(Refusal::Type.error());
                }
                let word = match kind {
                    CastKind::Cast | CastKind::DoubleColon => "CAST",
                    CastKind::TryCast => "TRY_CAST",
                    CastKind::SafeCast => "SAFE_CAST",
                };
                format!("{word}({} AS {data_type})", self.print(expr)?)
            }
            Expr::Extract { field, expr, syntax: _ } => {
                format!("EXTRACT({} FROM {})", unit(field)?, self.print(expr)?)
            }
            Expr::Ceil { expr, field } => self.rounded("CEIL", expr, field)?,
            Expr::Floor { expr, field } => self.rounded("FLOOR", expr, field)?,
            Expr::Position { expr, r#in } => {
                format!("POSITION({} IN {})", self.print(expr)?, self.print(r#in)?)
            }
            Expr::Substring { expr, substring_from, substring_for, special, shorthand } => {
                let name = if *shorthand { "SUBSTR" } else { "SUBSTRING" };
                let words = if *special { [", ", ", "] } else { [" FROM ", " FOR "] };
                let mut text = format!("{name}({}", self.print(expr)?);
                for (word, part) in words.into_iter().zip([substring_from, substring_for]) {
                    if let Some(part) = part {
                        text += &format!("{word}{}", self.print(part)?);
                    }
                }
                text + ")"
            }
            Expr::Trim { trim_where, trim_what, expr, trim_characters } => {
                let side = trim_where.as_ref().map_or("", |side| match side {
                    TrimWhereField::Both => "BOTH ",
                    TrimWhereField::Leading => "LEADING ",
                    TrimWhereField::Trailing => "TRAILING ",
                });
                let what = match trim_what {
                    Some(what) => format!("{} FROM ", self.print(what)?),
                    None if side.is_empty() => String::new(),
                    None => "FROM ".to_owned(),
                };
                let mut text = format!("TRIM({side}{what}{}", self.print(expr)?);
                for characters in trim_characters.iter().flatten() {
                    text += &format!(", {}", self.print(characters)?);
                }
                text + ")"
            }
            Expr::IsNull(inner) => self.after(inner, "IS NULL")?,
            Expr::IsNotNull(inner) => self.after(inner, "IS NOT NULL")?,
            Expr::IsTrue(inner) => self.truth(inner, "IS", true)?,
            Expr::IsNotTrue(inner) => self.truth(inner, "IS NOT", true)?,
            Expr::IsFalse(inner) => self.truth(inner, "IS", false)?,
            Expr::IsNotFalse(inner) => self.truth(inner, "IS NOT", false)?,
            Expr::IsDistinctFrom(left, right) => {
                format!("({} IS DISTINCT FROM {})", self.print(left)?, self.print(right)?)
            }
            Expr::IsNotDistinctFrom(left, right) => {
                format!("({} IS NOT DISTINCT FROM {})", self.print(left)?, self.print(right)?)
            }
            Expr::InList { expr, list, negated } => {
                let list = list.iter().map(|one| self.print(one)).collect::<Result<Vec<_>>>()?;
                let expression = self.print(expr)?;
                format!("({expression} {}IN ({}))", not(*negated), list.join(", "))
            }
            Expr::Between { expr, negated, low, high } => {
                let [expression, low, high] =
                    [self.print(expr)?, self.print(low)?, self.print(high)?];
                format!("({expression} {}BETWEEN {low} AND {high})", not(*negated))
            }
            Expr::Like { negated, any: false, expr, pattern, escape_char } => {
                self.like("LIKE", *negated, [expr, pattern], escape_char.as_ref())?
            }
            Expr::ILike { negated, any: false, expr, pattern, escape_char } => {
                self.like("ILIKE", *negated, [expr, pattern], escape_char.as_ref())?
            }
            Expr::SimilarTo { negated, expr, pattern, escape_char } => {
                self.like("SIMILAR TO", *negated, [expr, pattern], escape_char.as_ref())?
            }
            Expr::RLike { negated, expr, pattern, regexp } => {
                let word = if *regexp { "REGEXP" } else { "RLIKE" };
                self.like(word, *negated, [expr, pattern], None)?
            }
            Expr::UnaryOp { op, expr } => {
                let sign = match op {
                    UnaryOperator::Plus => "+ ",
                    UnaryOperator::Minus => "- ",
                    UnaryOperator::Not | UnaryOperator::BangNot => "NOT ",
                    UnaryOperator::BitwiseNot => "~ ",
                    _ => return Err(Refusal::Operator.error()),
                };
                format!("({sign}{})", self.print(expr)?)
            }
            Expr::BinaryOp { .. } => self.chain(expression)?,
            Expr::AtTimeZone { timestamp, time_zone } => {
                format!("({} AT TIME ZONE {})", self.print(timestamp)?, self.print(time_zone)?)
            }
            Expr::Subquery(_) | Expr::InSubquery { .. } => {
                return Err(Refusal::Clause("a second SELECT", Refusal::NESTS).error());
            }
            Expr::Exists { .. } => return Err(Refusal::Clause("EXISTS", Refusal::NESTS).error()),
            Expr::InUnnest { .. } => {
                return Err(Refusal::Clause("UNNEST", Refusal::MULTIPLIES).error());
            }
            Expr::Wildcard(_) | Expr::QualifiedWildcard(..) => return Err(Refusal::Star.error()),
            _ => return Err(Refusal::Expression.error()),
        };
        Ok(text)
    }

    /// Prints a column of the table, or a field of one.
    pub(super) fn column(&mut self, words: &[Ident]) -> Result<String> {
        let (column, fields) = self.names.column(self.dialect, words)?;
        let mut text = qualify_column(self.dialect, &self.dialect.identifier(&column)?);
        self.columns.insert(column);
        for field in fields {
            text = self.field(text, field)?;
        }
        Ok(text)
    }

    fn field(&self, text: String, field: &Ident) -> Result<String> {
        // PostgreSQL calls functions by a point, also of aggregates; SQLite has no fields.
        match self.dialect {
            Dialect::Postgres | Dialect::Sqlite => Err(Refusal::Field.error()),
            _ => Ok(format!("{text}.{}", self.dialect.identifier(&field.value)?)),
        }
    }

    fn access(&mut self, text: String, access: &AccessExpr) -> Result<String> {
        match access {
            AccessExpr::Subscript(Subscript::Index { index }) => {
                Ok(format!("{text}[{}]", self.print(index)?))
            }
            AccessExpr::Dot(Expr::Identifier(field)) => self.field(text, field),
            _ => Err(Refusal::Field.error()),
        }
    }

    fn value(&self, value: &Value) -> Result<String> {
        match value {
            Value::Number(digits, _) => {
                let is_plain =
                    |c: char| c.is_ascii_digit() || matches!(c, '.' | 'e' | 'E' | '+' | '-');
                match digits.chars().all(is_plain) {
                    true => Ok(digits.clone()),
                    false => Err(Refusal::Literal.error()),
                }
            }
            Value::SingleQuotedString(text) => self.text(&unescaped(self.dialect, text)?),
            Value::EscapedStringLiteral(text) => self.text(text),
            Value::DollarQuotedString(text) => self.text(&text.value),
            // In Spark they can be names, if a setting says so.
            Value::DoubleQuotedString(text) if self.dialect == Dialect::BigQuery => {
                self.text(&unescaped(self.dialect, text)?)
            }
            Value::DoubleQuotedString(_) => Err(Refusal::DoubleQuotes.error()),
            // In SQLite a column can have the name of a truth value, and is meant then.
            Value::Boolean(truth) if self.dialect == Dialect::Sqlite => {
                Ok(u8::from(*truth).to_string())
            }
            Value::Boolean(true) => Ok("TRUE".to_owned()),
            Value::Boolean(false) => Ok("FALSE".to_owned()),
            Value::Null => Ok("NULL".to_owned()),
            Value::Placeholder(_) => Err(Refusal::Position.error()),
            _ => Err(Refusal::Literal.error()),
        }
    }

    fn text(&self, text: &str) -> Result<String> {
        match () {
            () if is_clock(text) => Err(Refusal::Clock.error()),
            // Spark puts variables in place of these before it reads a query.
            () if self.dialect == Dialect::Spark && text.contains("${") => {
                Err(Refusal::Literal.error())
            }
            () => self.dialect.literal(text),
        }
    }

    fn truth(&mut self, inner: &Expr, is: &str, truth: bool) -> Result<String> {
        let inner = self.print(inner)?;
        Ok(match (self.dialect, truth) {
            (Dialect::Sqlite, _) => format!("(({inner} <> 0) {is} {})", u8::from(truth)),
            (_, true) => format!("({inner} {is} TRUE)"),
            (_, false) => format!("({inner} {is} FALSE)"),
        })
    }

    fn typed(&self, literal: &TypedString) -> Result<String> {
        let TypedString { data_type, value, uses_odbc_syntax: false } = literal else {
            return Err(Refusal::Literal.error());
        };
        if !is_plain_type(data_type) {
            return Err(Refusal::Type.error());
        }
        Ok(format!("CAST({} AS {data_type})", self.value(&value.value)?))
    }

    fn interval(&mut self, interval: &Interval) -> Result<String> {
        let Interval {
            value,
            leading_field,
            leading_precision: None,
            last_field: None,
            fractional_seconds_precision: None,
        } = interval
        else {
            return Err(Refusal::Literal.error());
        };
        let Expr::Value(value) = value.as_ref() else { return Err(Refusal::Literal.error()) };
        let value = self.value(&value.value)?;
        match leading_field {
            Some(field) => Ok(format!("INTERVAL {value} {}", unit(field)?)),
            None => Ok(format!("INTERVAL {value}")),
        }
    }

    fn function(&mut self, function: &Function) -> Result<String> {
        let Function {
            name,
            uses_odbc_syntax,
            parameters,
            args,
            filter,
            null_treatment,
            over,
            within_group,
        } = function;
        let [part] = name.0.as_slice() else { return Err(Refusal::FunctionOfSchema.error()) };
        let word = part.as_ident().ok_or_else(|| Refusal::FunctionOfSchema.error())?;
        let name = word.value.to_lowercase();
        if !is_of_one_row(&name) {
            return Err(Refusal::Function(&name.to_uppercase()).error());
        }
        Refusal::check(&[
            (filter.is_some(), "FILTER", Refusal::MERGES),
            (over.is_some(), "OVER", Refusal::MERGES),
            (!within_group.is_empty(), "WITHIN GROUP", Refusal::MERGES),
            (null_treatment.is_some(), "NULLS", Refusal::UNKNOWN),
            (*uses_odbc_syntax, "{fn …}", Refusal::UNKNOWN),
            (*parameters != FunctionArguments::None, "a second list", Refusal::UNKNOWN),
        ])?;
        let FunctionArguments::List(FunctionArgumentList {
            duplicate_treatment: None,
            args,
            clauses,
        }) = args
        else {
            return Err(Refusal::Function(&name.to_uppercase()).error());
        };
        if args.len() < least_arguments(&name) || !clauses.is_empty() {
            return Err(Refusal::Function(&name.to_uppercase()).error());
        }
        let mut arguments = Vec::new();
        for (at, argument) in args.iter().enumerate() {
            let FunctionArg::Unnamed(FunctionArgExpr::Expr(argument)) = argument else {
                return Err(Refusal::Star.error());
            };
            let bare = match argument {
                Expr::Identifier(word) if word.quote_style.is_none() => Some(&word.value),
                _ => None,
            };
            let is_unit = is_unit(self.dialect, &name, at, args.len());
            arguments.push(match bare.filter(|word| is_unit && is_unit_name(word)) {
                Some(word) => word.to_uppercase(),
                None => self.print(argument)?,
            });
        }
        Ok(format!("{}({})", name.to_uppercase(), arguments.join(", ")))
    }

    fn rounded(&mut self, name: &str, inner: &Expr, field: &CeilFloorKind) -> Result<String> {
        let inner = self.print(inner)?;
        match field {
            CeilFloorKind::DateTimeField(DateTimeField::NoDateTime) => {
                Ok(format!("{name}({inner})"))
            }
            CeilFloorKind::Scale(scale) => {
                Ok(format!("{name}({inner}, {})", self.value(&scale.value)?))
            }
            CeilFloorKind::DateTimeField(_) => Err(Refusal::Expression.error()),
        }
    }

    fn case(
        &mut self,
        operand: Option<&Expr>,
        conditions: &[CaseWhen],
        otherwise: Option<&Expr>,
    ) -> Result<String> {
        let mut text = "CASE".to_owned();
        if let Some(operand) = operand {
            text += &format!(" {}", self.print(operand)?);
        }
        for CaseWhen { condition, result } in conditions {
            text += &format!(" WHEN {} THEN {}", self.print(condition)?, self.print(result)?);
        }
        if let Some(otherwise) = otherwise {
            text += &format!(" ELSE {}", self.print(otherwise)?);
        }
        Ok(text + " END")
    }

    fn after(&mut self, inner: &Expr, words: &str) -> Result<String> {
        Ok(format!("({} {words})", self.print(inner)?))
    }

    fn like(
        &mut self,
        word: &str,
        negated: bool,
        [expression, pattern]: [&Expr; 2],
        escape: Option<&sqlparser::ast::ValueWithSpan>,
    ) -> Result<String> {
        let [expression, pattern] = [self.print(expression)?, self.print(pattern)?];
        let escape = escape.map(|escape| self.value(&escape.value)).transpose()?;
        let escape = escape.map(|escape| format!(" ESCAPE {escape}")).unwrap_or_default();
        Ok(format!("({expression} {}{word} {pattern}{escape})", not(negated)))
    }

    /// Prints a chain of operators of one kind, which all databases read from left to right,
    /// without parentheses between its parts: databases limit their depth.
    fn chain(&mut self, expression: &Expr) -> Result<String> {
        let mut rest = expression;
        let mut first = None;
        let mut parts = Vec::new();
        while let Expr::BinaryOp { left, op, right } = rest {
            let class = class(op);
            if first.is_some() && (class.is_none() || class != first) {
                break;
            }
            parts.push((operator(op)?, right.as_ref()));
            rest = left;
            if class.is_none() {
                break;
            }
            first = class;
        }
        // From the left, so that the first thing that is refused is named.
        let mut text = format!("({}", self.print(rest)?);
        for (operator, right) in parts.into_iter().rev() {
            text += &format!(" {operator} {}", self.print(right)?);
        }
        Ok(text + ")")
    }
}

fn not(negated: bool) -> &'static str {
    if negated { "NOT " } else { "" }
}
