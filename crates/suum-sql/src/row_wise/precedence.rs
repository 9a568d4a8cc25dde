//! Operators that may stand beside others without parentheses.
//!
//! Databases disagree with each other and with the parser on the reading of `a = b IS NULL` or `a *
//! b || c`. Expressions that all read alike are accepted; all others need parentheses.

use sqlparser::ast::{BinaryOperator, CastKind, Expr, UnaryOperator};
use suum_core::Result;

use super::Refusal;
use super::words::class;

/// Binding strength of an expression, as far as all databases agree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Hold {
    Or,
    And,
    Not,
    /// A comparison or another test.
    Test,
    /// An operator that databases rank differently.
    Other,
    Sum,
    Product,
    Sign,
    /// Name, literal, call, or expression in parentheses.
    Whole,
}

fn hold(expression: &Expr) -> Hold {
    match expression {
        Expr::BinaryOp { op, .. } => match op {
            BinaryOperator::Or => Hold::Or,
            BinaryOperator::And => Hold::And,
            BinaryOperator::Plus | BinaryOperator::Minus => Hold::Sum,
            BinaryOperator::Multiply | BinaryOperator::Divide | BinaryOperator::Modulo => {
                Hold::Product
            }
            BinaryOperator::Gt
            | BinaryOperator::Lt
            | BinaryOperator::GtEq
            | BinaryOperator::LtEq
            | BinaryOperator::Eq
            | BinaryOperator::NotEq => Hold::Test,
            _ => Hold::Other,
        },
        Expr::UnaryOp { op: UnaryOperator::Not | UnaryOperator::BangNot, .. } => Hold::Not,
        Expr::UnaryOp { op: UnaryOperator::Plus | UnaryOperator::Minus, .. } => Hold::Sign,
        Expr::UnaryOp { .. } | Expr::AtTimeZone { .. } => Hold::Other,
        Expr::Like { .. }
        | Expr::ILike { .. }
        | Expr::SimilarTo { .. }
        | Expr::RLike { .. }
        | Expr::InList { .. }
        | Expr::Between { .. }
        | Expr::IsNull(_)
        | Expr::IsNotNull(_)
        | Expr::IsTrue(_)
        | Expr::IsNotTrue(_)
        | Expr::IsFalse(_)
        | Expr::IsNotFalse(_)
        | Expr::IsDistinctFrom(..)
        | Expr::IsNotDistinctFrom(..) => Hold::Test,
        _ => Hold::Whole,
    }
}

/// Refuses operators side by side that databases may read in different ways.
pub(super) fn check(expression: &Expr) -> Result<()> {
    let of = hold(expression);
    let holds = |parts: &[&Expr], least: Hold| match parts.iter().all(|part| hold(part) >= least) {
        true => Ok(()),
        false => Err(Refusal::Parentheses.error()),
    };
    match expression {
        Expr::BinaryOp { left, op, right } => {
            let least = match of {
                Hold::Or => Hold::And,
                Hold::And => Hold::Not,
                Hold::Test => Hold::Sum,
                Hold::Sum => Hold::Product,
                Hold::Product => Hold::Sign,
                _ => Hold::Whole,
            };
            // Chains are read from left to right.
            let is_chain = |part: &Expr| match part {
                Expr::BinaryOp { op: other, .. } => {
                    class(op).is_some() && class(other) == class(op)
                }
                _ => false,
            };
            if !is_chain(left) {
                holds(&[left], least)?;
            }
            holds(&[right], least)
        }
        Expr::UnaryOp { op, expr } => match op {
            UnaryOperator::Not | UnaryOperator::BangNot => holds(&[expr], Hold::Not),
            UnaryOperator::Plus | UnaryOperator::Minus => holds(&[expr], Hold::Sign),
            _ => holds(&[expr], Hold::Whole),
        },
        Expr::Like { expr, pattern, .. }
        | Expr::ILike { expr, pattern, .. }
        | Expr::SimilarTo { expr, pattern, .. }
        | Expr::RLike { expr, pattern, .. } => holds(&[expr, pattern], Hold::Sum),
        Expr::Between { expr, low, high, .. } => holds(&[expr, low, high], Hold::Sum),
        Expr::IsDistinctFrom(left, right) | Expr::IsNotDistinctFrom(left, right) => {
            holds(&[left, right], Hold::Sum)
        }
        Expr::InList { expr, .. } => holds(&[expr], Hold::Sum),
        Expr::IsNull(inner)
        | Expr::IsNotNull(inner)
        | Expr::IsTrue(inner)
        | Expr::IsNotTrue(inner)
        | Expr::IsFalse(inner)
        | Expr::IsNotFalse(inner) => holds(&[inner], Hold::Sum),
        Expr::Cast { kind: CastKind::DoubleColon, expr, .. }
        | Expr::CompoundFieldAccess { root: expr, .. } => holds(&[expr], Hold::Whole),
        Expr::AtTimeZone { timestamp, time_zone } => holds(&[timestamp, time_zone], Hold::Whole),
        _ => Ok(()),
    }
}
