//! Operators, units of time, and texts for the time of a query.

use sqlparser::ast::{BinaryOperator, DateTimeField};
use suum_core::Result;

use super::Refusal;
use crate::dialect::Dialect;

/// Classes of operators whose chains every database reads from left to right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    And,
    Or,
    Sum,
    Product,
    Text,
}

/// Class of an operator; `None` if databases may read chains of it in different ways.
pub(super) fn class(operator: &BinaryOperator) -> Option<Class> {
    Some(match operator {
        BinaryOperator::And => Class::And,
        BinaryOperator::Or => Class::Or,
        BinaryOperator::Plus | BinaryOperator::Minus => Class::Sum,
        BinaryOperator::Multiply | BinaryOperator::Divide => Class::Product,
        BinaryOperator::StringConcat => Class::Text,
        _ => return None,
    })
}

/// Sign of an operator of numbers, texts, truth values or JSON.
pub(super) fn operator(operator: &BinaryOperator) -> Result<String> {
    match operator {
        BinaryOperator::Plus
        | BinaryOperator::Minus
        | BinaryOperator::Multiply
        | BinaryOperator::Divide
        | BinaryOperator::Modulo
        | BinaryOperator::StringConcat
        | BinaryOperator::Gt
        | BinaryOperator::Lt
        | BinaryOperator::GtEq
        | BinaryOperator::LtEq
        | BinaryOperator::Eq
        | BinaryOperator::NotEq
        | BinaryOperator::And
        | BinaryOperator::Or
        | BinaryOperator::BitwiseOr
        | BinaryOperator::BitwiseAnd
        | BinaryOperator::DuckIntegerDivide
        | BinaryOperator::MyIntegerDivide
        | BinaryOperator::PGRegexMatch
        | BinaryOperator::PGRegexIMatch
        | BinaryOperator::PGRegexNotMatch
        | BinaryOperator::PGRegexNotIMatch
        | BinaryOperator::Arrow
        | BinaryOperator::LongArrow
        | BinaryOperator::HashArrow
        | BinaryOperator::HashLongArrow => Ok(operator.to_string()),
        _ => Err(Refusal::Operator.error()),
    }
}

/// Name of a part of a date or time.
pub(super) fn unit(field: &DateTimeField) -> Result<String> {
    let word = field.to_string();
    let is_word = !word.is_empty() && word.chars().all(|c| c.is_ascii_alphabetic() || c == '_');
    match is_word && !matches!(field, DateTimeField::Custom(_)) {
        true => Ok(word.to_uppercase()),
        false => Err(Refusal::Expression.error()),
    }
}

/// Returns true for a text that databases read as the time at which a query runs.
pub(super) fn is_clock(text: &str) -> bool {
    const CLOCKS: [&str; 4] = ["now", "today", "tomorrow", "yesterday"];
    CLOCKS.iter().any(|clock| text.trim().eq_ignore_ascii_case(clock))
}

/// Text of a literal from the parser, with its escapes replaced in dialects that have some.
///
/// # Errors
///
/// Refuses escapes that these dialects do not read alike, and doubled quotes, which some read as
/// one text and others as two.
pub(super) fn unescaped(dialect: Dialect, text: &str) -> Result<String> {
    match dialect {
        Dialect::Postgres | Dialect::Sqlite | Dialect::DuckDb => return Ok(text.to_owned()),
        Dialect::Spark | Dialect::BigQuery | Dialect::Snowflake => {}
    }
    let mut characters = text.chars();
    let mut read = String::new();
    while let Some(character) = characters.next() {
        read.push(match character {
            '\\' => match characters.next() {
                Some(escaped @ ('\\' | '\'' | '"')) => escaped,
                Some('n') => '\n',
                Some('r') => '\r',
                Some('t') => '\t',
                _ => return Err(Refusal::Literal.error()),
            },
            '\'' if dialect != Dialect::Snowflake => return Err(Refusal::Literal.error()),
            '\'' => match characters.next() {
                Some('\'') => '\'',
                _ => return Err(Refusal::Literal.error()),
            },
            other => other,
        });
    }
    Ok(read)
}
