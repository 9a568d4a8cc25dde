//! The one table that a query reads.

use sqlparser::ast::{
    Expr, FunctionArg, FunctionArgExpr, Ident, TableAlias, TableFactor, TableFunctionArgs, Value,
};
use suum_core::Result;

use super::Refusal;
use super::expression::Printer;
use super::functions::{is_reader_option, reads_file};
use super::names::{Listing, Names, folded};
use crate::dialect::Dialect;

/// The one table that a query reads.
#[derive(Debug)]
pub(super) enum Table {
    /// No table: all rows are written in the query.
    Nothing,
    /// A table or view by its names.
    Named(Vec<String>),
    /// A file that DuckDB reads, as it is written after FROM.
    File(String),
}

/// Reads the one table after FROM, and the possible qualifiers of its columns.
pub(super) fn table(dialect: Dialect, factor: &TableFactor) -> Result<(Table, Vec<Vec<String>>)> {
    let (name, alias, arguments) = match factor {
        TableFactor::Table {
            name,
            alias,
            args,
            with_hints,
            version: None,
            with_ordinality: false,
            partitions,
            json_path: None,
            sample,
            index_hints,
        } if with_hints.is_empty() && partitions.is_empty() && index_hints.is_empty() => {
            if sample.is_some() {
                return Err(Refusal::Clause("TABLESAMPLE", Refusal::CHOOSES).error());
            }
            (name, alias, args)
        }
        TableFactor::Derived { .. } => {
            return Err(Refusal::Clause("a second SELECT", Refusal::NESTS).error());
        }
        TableFactor::Table { .. } => return Err(Refusal::MoreThanTable.error()),
        TableFactor::Function { .. } | TableFactor::TableFunction { .. } => {
            return Err(Refusal::Clause("a function after FROM", Refusal::MULTIPLIES).error());
        }
        TableFactor::UNNEST { .. } => {
            return Err(Refusal::Clause("UNNEST", Refusal::MULTIPLIES).error());
        }
        TableFactor::Pivot { .. } | TableFactor::Unpivot { .. } => {
            return Err(Refusal::Clause("PIVOT", Refusal::MERGES).error());
        }
        _ => return Err(Refusal::MoreThanTable.error()),
    };
    let alias = alias.as_ref().map(|alias| match alias {
        TableAlias { explicit: _, name, columns, at: None }
            if columns.is_empty() && name.quote_style != Some('\'') =>
        {
            Ok(name.value.clone())
        }
        _ => Err(Refusal::MoreThanTable.error()),
    });
    let alias = alias.transpose()?;
    let words: Option<Vec<&Ident>> = name.0.iter().map(|part| part.as_ident()).collect();
    let words = words.ok_or_else(|| Refusal::NoTable.error())?;
    let is_text = |word: &&Ident| word.quote_style == Some('\'');
    let table = match (arguments, words.as_slice()) {
        (Some(arguments), [reader]) if dialect == Dialect::DuckDb => {
            Table::File(file(dialect, &reader.value.to_lowercase(), arguments)?)
        }
        (Some(_), _) => {
            return Err(Refusal::Clause("a function after FROM", Refusal::MULTIPLIES).error());
        }
        (None, [file]) if is_text(file) && dialect == Dialect::DuckDb => {
            Table::File(dialect.literal(&file.value)?)
        }
        (None, []) => return Err(Refusal::NoTable.error()),
        (None, words) if words.iter().any(is_text) => return Err(Refusal::TextAsName.error()),
        (None, words) => Table::Named(words.iter().map(|word| folded(dialect, word)).collect()),
    };
    let qualifiers = match (alias, &table) {
        (Some(alias), _) => vec![vec![alias]],
        (None, Table::Named(names)) => {
            (0..names.len()).map(|from| names[from..].to_vec()).collect()
        }
        (None, Table::Nothing | Table::File(_)) => vec![],
    };
    Ok((table, qualifiers))
}

/// Prints a function of DuckDB that reads one named file, or a pattern of files.
fn file(dialect: Dialect, reader: &str, arguments: &TableFunctionArgs) -> Result<String> {
    if !reads_file(reader) {
        return Err(Refusal::Function(&reader.to_uppercase()).error());
    }
    let TableFunctionArgs { args, settings: None } = arguments else {
        return Err(Refusal::Files.error());
    };
    let Some((FunctionArg::Unnamed(FunctionArgExpr::Expr(path)), options)) = args.split_first()
    else {
        return Err(Refusal::Files.error());
    };
    let names = Names { qualifiers: vec![], listing: Listing::All(&[]) };
    let mut printer = Printer::new(dialect, &names);
    let Expr::Value(text) = path else { return Err(Refusal::Files.error()) };
    let Value::SingleQuotedString(_) = text.value else { return Err(Refusal::Files.error()) };
    let mut texts = vec![printer.print(path)?];
    for option in options {
        let (name, value) = match option {
            FunctionArg::Named { name, arg: FunctionArgExpr::Expr(value), operator: _ } => {
                (&name.value, value)
            }
            FunctionArg::ExprNamed {
                name: Expr::Identifier(name),
                arg: FunctionArgExpr::Expr(value),
                operator: _,
            } => (&name.value, value),
            // `name = value` is also a comparison.
            FunctionArg::Unnamed(FunctionArgExpr::Expr(Expr::BinaryOp {
                left,
                op: sqlparser::ast::BinaryOperator::Eq,
                right,
            })) => match left.as_ref() {
                Expr::Identifier(name) => (&name.value, right.as_ref()),
                _ => return Err(Refusal::Files.error()),
            },
            _ => return Err(Refusal::Files.error()),
        };
        let name = name.to_lowercase();
        let Expr::Value(constant) = value else { return Err(Refusal::Files.error()) };
        if !is_reader_option(&name, &constant.value) {
            return Err(Refusal::Files.error());
        }
        texts.push(format!("{name} = {}", printer.print(value)?));
    }
    Ok(format!("{reader}({})", texts.join(", ")))
}
