//! Parser of conditions: a small part of the grammar of SQL.

use std::thread;

use sqlparser::ast::{BinaryOperator, DataType, Expr, Ident, TimezoneInfo, UnaryOperator, Value};
use sqlparser::dialect::GenericDialect;
use sqlparser::parser::{Parser, ParserError};
use sqlparser::tokenizer::{Token, Tokenizer, Whitespace};
use suum_core::{Error, Result, TimeScale, option, say};

use super::condition::{CellKind, CellTest, Comparison, Condition, Constant, Side};
use super::refusal::{FORM, refused, strange};

/// Length of the longest text, in bytes.
pub(super) const MOST_BYTES: usize = 10_000;

/// Largest depth of nested parentheses, with the operators between them.
const MOST_DEPTH: usize = 40;

/// Stack size of the thread that parses: without optimization a level of nesting can take 150 KiB.
const STACK_BYTES: usize = 16 << 20;

/// Largest number of columns that one filter can compare.
pub(super) const MOST_COLUMNS: usize = 8;

/// Parses a text into the columns that it names, in the order of their first comparison, and its
/// condition.
pub(super) fn parse(text: &str) -> Result<(Vec<String>, Condition)> {
    check_length(text)?;
    // However little stack the caller has left.
    let parsed = thread::scope(|scope| {
        let builder = thread::Builder::new().stack_size(STACK_BYTES);
        let thread = builder.spawn_scoped(scope, || parse_here(text));
        thread.ok().and_then(|thread| thread.join().ok())
    });
    parsed.unwrap_or_else(|| {
        Err(Error::internal("no thread could parse the condition")
            .with_fix("please report it, with the condition"))
    })
}

/// Parses on the stack of the caller, for texts that are not nested.
pub(super) fn parse_here(text: &str) -> Result<(Vec<String>, Condition)> {
    let tokens = Tokenizer::new(&GenericDialect {}, text)
        .tokenize_with_location()
        .map_err(|error| unreadable(&error.into()))?;
    let is_comment = |token: &Token| {
        use Whitespace::{MultiLineComment, SingleLineComment};
        matches!(token, Token::Whitespace(SingleLineComment { .. } | MultiLineComment(_)))
    };
    if tokens.iter().any(|token| is_comment(&token.token)) {
        return Err(refused("a comment is not part of a condition", "leave comments out"));
    }
    let mut parser = Parser::new(&GenericDialect {})
        .with_recursion_limit(MOST_DEPTH)
        .with_tokens_with_locations(tokens);
    let parsed = parser.parse_expr().map_err(|error| unreadable(&error))?;
    let next = parser.next_token();
    if next.token != Token::EOF {
        return Err(refused(format!("{} comes after the end of the condition", next.token), FORM));
    }
    let mut columns = Vec::new();
    let condition = convert(&parsed, &mut columns)?;
    Ok((columns, condition))
}

/// Refuses a text that is too long.
pub(super) fn check_length(text: &str) -> Result<()> {
    match text.len() <= MOST_BYTES {
        true => Ok(()),
        false => Err(refused(
            "the condition is longer than 10000 bytes",
            "write a shorter one, or read a view or file that has only the rows",
        )),
    }
}

fn unreadable(error: &ParserError) -> Error {
    match error {
        ParserError::RecursionLimitExceeded => {
            refused("it is nested too deeply", "leave out parentheses that change nothing")
        }
        ParserError::TokenizerError(what) | ParserError::ParserError(what) => {
            refused(format!("it is no condition of SQL ({what})"), FORM)
        }
    }
}

/// Converts an expression to a condition; new columns are appended to `columns`.
fn convert(expr: &Expr, columns: &mut Vec<String>) -> Result<Condition> {
    match expr {
        Expr::Nested(inner) => convert(inner, columns),
        Expr::UnaryOp { op: UnaryOperator::Not, expr } => Ok(not(convert(expr, columns)?)),
        Expr::BinaryOp { op: BinaryOperator::And, .. } => {
            let parts = chain(expr, &BinaryOperator::And, columns)?;
            Ok(Condition::All(flat(parts, |part| match part {
                Condition::All(inner) => Ok(inner),
                other => Err(other),
            })))
        }
        Expr::BinaryOp { op: BinaryOperator::Or, .. } => {
            let parts = chain(expr, &BinaryOperator::Or, columns)?;
            Ok(Condition::Any(flat(parts, |part| match part {
                Condition::Any(inner) => Ok(inner),
                other => Err(other),
            })))
        }
        Expr::BinaryOp { left, op, right } => compare(left, op, right, columns),
        Expr::IsNull(column) => missing(column, columns),
        Expr::IsNotNull(column) => Ok(not(missing(column, columns)?)),
        Expr::InList { expr, list, negated } => {
            let constants = list.iter().map(constant).collect::<Result<Vec<_>>>()?;
            let test = test(expr, Comparison::In(constants), columns)?;
            Ok(if *negated { not(test) } else { test })
        }
        Expr::Between { expr, negated, low, high } => {
            let [low, high] = [ordered(constant(low)?)?, ordered(constant(high)?)?];
            let test = test(expr, Comparison::Between(low, high), columns)?;
            Ok(if *negated { not(test) } else { test })
        }
        Expr::Identifier(_) => Err(refused(
            "a column stands by itself, without a comparison",
            "of a column of truth values write: COL = true",
        )),
        other => Err(strange(other)),
    }
}

/// Operands of a chain of one operator, which the parser nests as deeply as it is long.
fn chain(
    expr: &Expr,
    operator: &BinaryOperator,
    columns: &mut Vec<String>,
) -> Result<Vec<Condition>> {
    let (mut rest, mut operands) = (expr, Vec::new());
    while let Expr::BinaryOp { left, op, right } = rest
        && op == operator
    {
        operands.push(&**right);
        rest = left;
    }
    operands.push(rest);
    operands.into_iter().rev().map(|operand| convert(operand, columns)).collect()
}

/// Flattens parts: inner chains of the same operator are replaced by their parts.
fn flat(
    parts: Vec<Condition>,
    inner: impl Fn(Condition) -> std::result::Result<Vec<Condition>, Condition>,
) -> Vec<Condition> {
    parts.into_iter().flat_map(|part| inner(part).unwrap_or_else(|part| vec![part])).collect()
}

fn not(condition: Condition) -> Condition {
    match condition {
        Condition::Not(inner) => *inner,
        other => Condition::Not(Box::new(other)),
    }
}

fn compare(
    left: &Expr,
    op: &BinaryOperator,
    right: &Expr,
    columns: &mut Vec<String>,
) -> Result<Condition> {
    let side = match op {
        BinaryOperator::Eq | BinaryOperator::NotEq => None,
        BinaryOperator::Lt => Some(Side::Less),
        BinaryOperator::LtEq => Some(Side::AtMost),
        BinaryOperator::Gt => Some(Side::More),
        BinaryOperator::GtEq => Some(Side::AtLeast),
        other => {
            return Err(refused(
                format!("the operator {other} is not understood"),
                say("compare columns with constants by =, <>, <, <=, > and >=; let a")
                    .option(option::QUERY)
                    .say("or the program that writes the file compute what else is needed"),
            ));
        }
    };
    if is_column(left) && is_column(right) {
        return Err(refused(
            "two columns are compared with each other",
            "compare a column with a constant; texts stand in single quotes",
        ));
    }
    let (column, constant, side) = match is_column(left) {
        true => (left, constant(right)?, side),
        false => (right, constant(left)?, side.map(Side::mirrored)),
    };
    match side {
        Some(side) => test(column, Comparison::Order(side, ordered(constant)?), columns),
        None => {
            let equal = test(column, Comparison::In(vec![constant]), columns)?;
            Ok(if *op == BinaryOperator::NotEq { not(equal) } else { equal })
        }
    }
}

fn missing(column: &Expr, columns: &mut Vec<String>) -> Result<Condition> {
    test(column, Comparison::IsMissing, columns)
}

/// Builds a comparison of a column with constants, which must be of one kind.
fn test(column: &Expr, comparison: Comparison, columns: &mut Vec<String>) -> Result<Condition> {
    let kinds: Vec<CellKind> = match &comparison {
        Comparison::IsMissing => vec![CellKind::Presence],
        Comparison::In(constants) => constants.iter().map(Constant::kind).collect(),
        Comparison::Order(_, constant) => vec![constant.kind()],
        Comparison::Between(least, most) => vec![least.kind(), most.kind()],
    };
    let Some(kind) = kinds.first().copied() else {
        return Err(refused("a list is empty", "name at least one constant: COL IN ('a', 'b')"));
    };
    if kinds.iter().any(|other| *other != kind) {
        return Err(refused(
            "one column is compared with constants of several kinds at once",
            "write all of them as numbers, or all as texts in single quotes",
        ));
    }
    let name = name(column)?;
    let column = match columns.iter().position(|known| *known == name) {
        Some(column) => column,
        None if columns.len() == MOST_COLUMNS => {
            return Err(refused(
                "it compares more than 8 columns",
                "compare fewer, or read a view or file that has only the rows",
            ));
        }
        None => {
            columns.push(name);
            columns.len() - 1
        }
    };
    Ok(Condition::Test(CellTest { column, kind, comparison }))
}

fn unnested(mut expr: &Expr) -> &Expr {
    while let Expr::Nested(inner) = expr {
        expr = inner;
    }
    expr
}

fn is_column(expr: &Expr) -> bool {
    matches!(unnested(expr), Expr::Identifier(_))
}

/// Reads the name of a column.
fn name(expr: &Expr) -> Result<String> {
    match unnested(expr) {
        Expr::Identifier(Ident { value, quote_style: None | Some('"'), .. }) => {
            let name = value.trim_ascii();
            check_characters(name)?;
            match name.is_empty() {
                true => Err(refused("the name of a column is empty", "name a column of the data")),
                false => Ok(name.to_owned()),
            }
        }
        Expr::Identifier(_) => Err(refused(
            "a name stands in quotes that are not double quotes",
            "write names as they are, or in double quotes",
        )),
        Expr::Value(_) | Expr::TypedString(_) => Err(refused(
            "a constant stands where a column is expected",
            "name a column, in double quotes if it is no plain word; texts stand in single quotes",
        )),
        other => Err(strange(other)),
    }
}

/// Reads a constant.
fn constant(expr: &Expr) -> Result<Constant> {
    match unnested(expr) {
        Expr::Value(value) => match &value.value {
            Value::Number(text, false) => number(text, 1.0),
            Value::SingleQuotedString(text) => label(text),
            Value::Boolean(truth) => Ok(Constant::Truth(*truth)),
            Value::Null => Err(refused(
                "nothing is equal to NULL",
                "ask for missing cells with COL IS NULL, for all others with COL IS NOT NULL",
            )),
            _ => Err(refused(
                "a constant is of a form that is not understood",
                "write numbers such as 1.5, texts in single quotes, DATE '2020-01-31', true or \
                 false",
            )),
        },
        Expr::UnaryOp { op: UnaryOperator::Minus, expr } => match unnested(expr) {
            Expr::Value(value) => match &value.value {
                Value::Number(text, false) => number(text, -1.0),
                _ => Err(strange(expr)),
            },
            other => Err(strange(other)),
        },
        Expr::TypedString(typed) if !typed.uses_odbc_syntax => {
            let Value::SingleQuotedString(text) = &typed.value.value else {
                return Err(strange(expr));
            };
            let without_zone = [TimezoneInfo::None, TimezoneInfo::WithoutTimeZone];
            let found = match &typed.data_type {
                DataType::Date if TimeScale::detect(text) == Some(TimeScale::Days) => moment(text),
                DataType::Timestamp(None, zone) if without_zone.contains(zone) => moment(text),
                _ => None,
            };
            found.ok_or_else(|| {
                refused(
                    "a typed constant is no date and no time",
                    "write DATE '2020-01-31' or TIMESTAMP '2020-01-31 07:30:00'",
                )
            })
        }
        Expr::Identifier(_) => Err(refused(
            "a column stands where a constant is expected",
            "compare a column with constants; texts stand in single quotes",
        )),
        other => Err(strange(other)),
    }
}

fn number(text: &str, sign: f64) -> Result<Constant> {
    match text.parse::<f64>() {
        // Adding zero takes away the sign of a negative zero.
        Ok(number) if number.is_finite() => Ok(Constant::Number(sign * number + 0.0)),
        _ => Err(refused("a number is too large", "compare with a number below 1.7e308")),
    }
}

fn label(text: &str) -> Result<Constant> {
    let text = text.trim_ascii();
    check_characters(text)?;
    match text.is_empty() {
        true => Err(refused(
            "a text is empty, and empty cells are missing",
            "ask for missing cells with COL IS NULL",
        )),
        false => Ok(Constant::Text(text.to_owned())),
    }
}

/// Parses a moment to the microsecond, with a year of four digits.
fn moment(text: &str) -> Option<Constant> {
    let seconds = TimeScale::Seconds.number(text.trim_ascii().as_bytes())?;
    let rounded = TimeScale::Seconds.label(seconds);
    TimeScale::Seconds.number(rounded.as_bytes()).map(Constant::Moment)
}

/// Converts a constant for an order comparison: a number, a moment, or a text that is a moment.
fn ordered(constant: Constant) -> Result<Constant> {
    let hint = "compare texts by =, <> and IN: databases sort them in different orders; numbers \
                stand without quotes, and dates as DATE '2020-01-31'";
    match constant {
        Constant::Text(text) => moment(&text)
            .ok_or_else(|| refused("a text is compared by <, <=, >, >= or BETWEEN", hint)),
        Constant::Truth(_) => {
            Err(refused("true or false is compared by <, <=, >, >= or BETWEEN", "write COL = true"))
        }
        constant => Ok(constant),
    }
}

fn check_characters(text: &str) -> Result<()> {
    match text.chars().any(char::is_control) {
        false => Ok(()),
        true => Err(refused(
            "a name or a text has a line break, a tab or another control character",
            "leave the character out",
        )),
    }
}
