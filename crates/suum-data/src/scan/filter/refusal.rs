//! Refusals of texts that are no filter, each with a way out.

use sqlparser::ast::Expr;
use suum_core::{Error, Phrase, option, say};

/// A refusal of the option.
pub(super) fn refused(what: impl Into<Phrase>, fix: impl Into<Phrase>) -> Error {
    Error::parameter(option::WHERE, what).with_fix(fix)
}

/// Advice on the form of a filter.
pub(super) const FORM: &str = "compare columns with constants by =, <>, <, <=, >, >=, IN, BETWEEN \
                               and IS NULL, joined by AND, OR and NOT, as in: region = 'north' AND \
                               year >= 2020";

/// Refusal of an expression that cannot be part of a filter.
pub(super) fn strange(expr: &Expr) -> Error {
    let what = match expr {
        Expr::Function(function) => format!("the function {}", function.name),
        Expr::BinaryOp { op, .. } => format!("the operator {op}"),
        Expr::UnaryOp { op, .. } => format!("the operator {op}"),
        Expr::Cast { .. } => "a conversion (CAST)".to_owned(),
        Expr::Subquery(_) | Expr::InSubquery { .. } | Expr::Exists { .. } => "a query".to_owned(),
        Expr::Like { .. } | Expr::ILike { .. } | Expr::SimilarTo { .. } | Expr::RLike { .. } => {
            "a pattern (LIKE)".to_owned()
        }
        Expr::Case { .. } => "CASE".to_owned(),
        Expr::CompoundIdentifier(_) => "a name with a point".to_owned(),
        Expr::IsTrue(_) | Expr::IsNotTrue(_) | Expr::IsFalse(_) | Expr::IsNotFalse(_) => {
            "IS TRUE or IS FALSE".to_owned()
        }
        Expr::Value(_) | Expr::TypedString(_) => "a constant by itself".to_owned(),
        _ => "a part of it".to_owned(),
    };
    refused(
        format!("{what} is not understood"),
        say("compare columns with constants, names with other characters in double quotes; let a")
            .option(option::QUERY)
            .say("or the program that writes the file compute what else is needed"),
    )
}
