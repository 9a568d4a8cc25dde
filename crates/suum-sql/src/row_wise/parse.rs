//! Parser from the text of a query to its tree, for each dialect.

use std::thread;

use sqlparser::ast::{Query, Select, SetExpr, Statement};
use sqlparser::dialect::{
    BigQueryDialect, Dialect as Grammar, DuckDbDialect, PostgreSqlDialect, SQLiteDialect,
    SnowflakeDialect,
};
use sqlparser::parser::{Parser, ParserError};
use sqlparser::tokenizer::{Token, Tokenizer};
use suum_core::{Error, Result, option, say};

use super::Refusal;
use crate::dialect::Dialect;

/// Largest number of words and signs of a query apart from constants and commas: its tree has at
/// most as many levels, and is processed by recursion.
const MOST_WORDS: usize = 4_000;

/// Largest number of words, signs and constants, as in long lists.
const MOST_TOKENS: usize = 100_000;

/// Largest depth of parentheses, functions and cases.
const MOST_LEVELS: usize = 50;

/// Stack of the thread that parses, where each level takes some dozen kilobytes.
const STACK_BYTES: usize = 32 << 20;

/// Grammar of Spark, in which a backslash escapes in texts.
#[derive(Debug)]
struct SparkGrammar;

impl Grammar for SparkGrammar {
    fn is_delimited_identifier_start(&self, character: char) -> bool {
        character == '`'
    }

    fn is_identifier_start(&self, character: char) -> bool {
        character.is_alphabetic() || character == '_'
    }

    fn is_identifier_part(&self, character: char) -> bool {
        character.is_alphanumeric() || character == '_'
    }

    fn supports_string_literal_backslash_escape(&self) -> bool {
        true
    }

    fn supports_select_wildcard_except(&self) -> bool {
        true
    }
}

fn grammar(dialect: Dialect) -> Box<dyn Grammar> {
    match dialect {
        Dialect::Postgres => Box::new(PostgreSqlDialect {}),
        Dialect::Sqlite => Box::new(SQLiteDialect {}),
        Dialect::DuckDb => Box::new(DuckDbDialect {}),
        Dialect::Spark => Box::new(SparkGrammar),
        Dialect::BigQuery => Box::new(BigQueryDialect {}),
        Dialect::Snowflake => Box::new(SnowflakeDialect {}),
    }
}

/// Parses the one SELECT that a query is.
///
/// # Errors
///
/// Refuses text that the parser does not understand, other statements, and clauses around a SELECT
/// that make one row from several or let other rows affect one.
pub(super) fn select(dialect: Dialect, query: &str) -> Result<Select> {
    let mut statements = statements(dialect, query)?;
    let statement = statements.pop().ok_or_else(|| Refusal::Empty.error())?;
    if !statements.is_empty() {
        return Err(Refusal::Statements.error());
    }
    let Statement::Query(query) = statement else {
        return Err(Refusal::NoSelect.error());
    };
    // All fields by name: a clause that a new version of the parser knows has to be looked at.
    let Query {
        with,
        body,
        order_by,
        limit_clause,
        fetch,
        locks,
        for_clause,
        settings,
        format_clause,
        pipe_operators,
    } = *query;
    let clauses = [
        (with.is_some(), "WITH", Refusal::NESTS),
        (order_by.is_some(), "ORDER BY", Refusal::ORDERS),
        (limit_clause.is_some(), "LIMIT", Refusal::CHOOSES),
        (fetch.is_some(), "FETCH", Refusal::CHOOSES),
        (!locks.is_empty(), "FOR UPDATE", Refusal::UNKNOWN),
        (for_clause.is_some(), "FOR", Refusal::UNKNOWN),
        (settings.is_some(), "SETTINGS", Refusal::UNKNOWN),
        (format_clause.is_some(), "FORMAT", Refusal::UNKNOWN),
        (!pipe_operators.is_empty(), "|>", Refusal::UNKNOWN),
    ];
    match *body {
        SetExpr::Select(select) => {
            Refusal::check(&clauses)?;
            Ok(*select)
        }
        SetExpr::Query(_) => Err(Refusal::Clause("a second SELECT", Refusal::NESTS).error()),
        SetExpr::SetOperation { op, .. } => {
            Err(Refusal::Clause(&op.to_string(), Refusal::CHOOSES).error())
        }
        SetExpr::Values(_) => Err(Refusal::Clause("VALUES", Refusal::NESTS).error()),
        SetExpr::Table(_) => Err(Refusal::Clause("TABLE", Refusal::NESTS).error()),
        SetExpr::Insert(_) | SetExpr::Update(_) | SetExpr::Delete(_) | SetExpr::Merge(_) => {
            Err(Refusal::NoSelect.error())
        }
    }
}

fn statements(dialect: Dialect, query: &str) -> Result<Vec<Statement>> {
    let parse = || {
        let grammar = grammar(dialect);
        // Escapes are replaced where it is known how each dialect reads them.
        let has_escapes = grammar.supports_string_literal_backslash_escape();
        let tokens = Tokenizer::new(grammar.as_ref(), query).with_unescape(!has_escapes).tokenize();
        let tokens = tokens.map_err(|error| unreadable(dialect, &error.to_string()))?;
        let is_word = |token: &&Token| {
            !matches!(
                token,
                Token::Whitespace(_)
                    | Token::Comma
                    | Token::Number(..)
                    | Token::SingleQuotedString(_)
            )
        };
        if tokens.len() > MOST_TOKENS || tokens.iter().filter(is_word).count() > MOST_WORDS {
            return Err(Error::parameter(
                option::QUERY,
                format!("it has more than {MOST_WORDS} words and signs"),
            )
            .with_fix("put a view in place of a long query"));
        }
        let parser = Parser::new(grammar.as_ref()).with_recursion_limit(MOST_LEVELS);
        parser.with_tokens(tokens).parse_statements().map_err(|error| match error {
            ParserError::TokenizerError(what) | ParserError::ParserError(what) => {
                unreadable(dialect, &what)
            }
            ParserError::RecursionLimitExceeded => {
                Error::parameter(option::QUERY, "it is nested too deeply")
                    .with_fix("put a view in place of a deeply nested query")
            }
        })
    };
    // The stack of the caller can be a small one.
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(STACK_BYTES);
        let parsing = thread.spawn_scoped(scope, parse).map_err(|_| {
            Error::io(option::QUERY, "there is no memory to parse it").with_fix("try again")
        })?;
        parsing.join().unwrap_or_else(|_| Err(unreadable(dialect, "the parser failed")))
    })
}

fn unreadable(dialect: Dialect, what: &str) -> Error {
    Error::parameter(
        option::QUERY,
        format!("suum's parser of {dialect} does not understand it: {what}"),
    )
    .with_fix(
        say("suum reads a query before the database does, and refuses what it cannot read; write \
             one plain SELECT from one table, or add")
        .option(option::TRUST_QUERY)
        .say("if you have checked that the query is row-wise (docs/how-to/databases.md)"),
    )
}
