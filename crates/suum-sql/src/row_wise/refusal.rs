//! Reasons to refuse a query, and their words.

use suum_core::{Error, option, say};
use suum_data::list;

/// Part of a query that is not known to be row-wise.
#[derive(Debug, Clone, Copy)]
pub(super) enum Refusal<'a> {
    /// There is no statement.
    Empty,
    /// There are several statements.
    Statements,
    /// The statement is not a SELECT.
    NoSelect,
    /// A clause, with its effect.
    Clause(&'a str, &'static str),
    /// FROM names no table.
    NoTable,
    /// FROM has more than the name of one table.
    MoreThanTable,
    /// FROM reads several files, or drops rows of one.
    Files,
    /// A function that is not on the list.
    Function(&'a str),
    /// A function named with its schema.
    FunctionOfSchema,
    /// `*` within an expression.
    Star,
    /// `*` with columns put in place of others.
    ChangedStar,
    /// An operator that is not on the list.
    Operator,
    /// A form of expression that is not on the list.
    Expression,
    /// Operators side by side that databases read in different ways.
    Parentheses,
    /// Too many expressions within each other.
    Deep,
    /// A conversion to a type that is not on the list.
    Type,
    /// A literal of a form that databases read in different ways.
    Literal,
    /// A text in double quotes, where these can be those of a name.
    DoubleQuotes,
    /// A text in single quotes, where a name is expected.
    TextAsName,
    /// A field of a nested column, where that could be a function.
    Field,
    /// The time at which the query runs.
    Clock,
    /// A column by its position, or a parameter.
    Position,
    /// A name that is not a column of the table.
    NoColumn(&'a str),
    /// An expression without a name.
    NoName,
    /// Two columns of the result have one name.
    SameName(&'a str),
    /// A column that is read, but is not in the result.
    NotSelected(&'a str),
}

impl Refusal<'_> {
    /// Effect: a row is made of several records.
    pub(super) const MERGES: &'static str = "lets one record reach rows that are made of others";
    /// Effect: whether a record gives a row depends on other records.
    pub(super) const CHOOSES: &'static str =
        "lets other records decide whether a record gives a row";
    /// Effect: a record can give several rows.
    pub(super) const MULTIPLIES: &'static str = "can give several rows for one record";
    /// Effect: rows are read in another place.
    pub(super) const NESTS: &'static str = "reads rows in a way that suum does not look into";
    /// Effect: rows have an order.
    pub(super) const ORDERS: &'static str = "compares records with each other";
    /// Effect: unknown.
    pub(super) const UNKNOWN: &'static str = "is not known to suum";

    /// Refuses the first of these clauses that is present.
    pub(super) fn check(clauses: &[(bool, &str, &'static str)]) -> suum_core::Result<()> {
        match clauses.iter().find(|(is_there, ..)| *is_there) {
            None => Ok(()),
            Some((_, clause, effect)) => Err(Refusal::Clause(clause, effect).error()),
        }
    }

    pub(super) fn error(self) -> Error {
        let what = match self {
            Self::Empty => "it is empty".to_owned(),
            Self::Statements => "it has more than one statement".to_owned(),
            Self::NoSelect => "it is no SELECT".to_owned(),
            Self::Clause(clause, effect) => format!("{clause} {effect}"),
            Self::NoTable => "FROM does not name one table".to_owned(),
            Self::MoreThanTable => "FROM says more than the name of one table".to_owned(),
            Self::Files => {
                "it reads more than one named file, or with options that can leave rows out"
                    .to_owned()
            }
            Self::Function(name) => {
                format!("the function {name} is not one that is known to look at one row only")
            }
            Self::FunctionOfSchema => {
                "it calls a function of a schema, which may look at other rows".to_owned()
            }
            Self::Star => "it has * inside an expression, or a named argument".to_owned(),
            Self::ChangedStar => {
                "it puts other columns in place of some of *: name the columns".to_owned()
            }
            Self::Operator => {
                "it has an operator that is not known to look at one row only".to_owned()
            }
            Self::Expression => "it has an expression of a form that suum does not know".to_owned(),
            Self::Parentheses => {
                "it has operators side by side that databases read in different ways".to_owned()
            }
            Self::Deep => "it is nested too deeply".to_owned(),
            Self::Type => {
                "it converts to a type other than a number, text, truth value or time".to_owned()
            }
            Self::Literal => "it has a literal that databases read in different ways".to_owned(),
            Self::DoubleQuotes => {
                "it has a text in double quotes: write texts in single quotes, and names in \
                 backticks"
                    .to_owned()
            }
            Self::TextAsName => {
                "it has a text in place of a name: write names in double quotes or without quotes"
                    .to_owned()
            }
            Self::Field => {
                "it reads a part of a column by a point, which can call a function".to_owned()
            }
            Self::Clock => "its result depends on the time at which it runs".to_owned(),
            Self::Position => "it names a column by its position, or has a parameter".to_owned(),
            Self::NoColumn(name) => format!("column {name}: the table lists no such column"),
            Self::NoName => {
                "it computes a column without giving it a name: write expression AS name".to_owned()
            }
            Self::SameName(name) => format!("column {name}: the result has it twice"),
            Self::NotSelected(name) => {
                format!("column {name}: the query selects no column of this name")
            }
        };
        let hint = match self {
            Self::NotSelected(_) => {
                say("add the column to the SELECT, or write expression AS name; upper and lower \
                     case differ")
            }
            Self::Parentheses => say("put parentheses around the one that is meant first"),
            Self::NoColumn(_) => {
                say("check the spelling, and whether texts stand in single quotes; hidden columns \
                     such as rowid or ctid are not read")
            }
            Self::Type | Self::Position | Self::NoName | Self::SameName(_) | Self::TextAsName => {
                say("write it in another way, or add").option(option::TRUST_QUERY).say(
                    "if you have checked that the query is row-wise (docs/how-to/databases.md)say(",
                )
            }
            _ => say(")leave it out, or add").option(option::TRUST_QUERY).say(
                "if you have checked that the query is row-wise (docs/how-to/databases.md); a \
                 column of that name stands in quotes",
            ),
        };
        Error::request(option::QUERY, what).with_fix(hint)
    }
}

/// Refuses a condition or a public column that is made of a column that is not public.
pub(super) fn not_public(role: &str, column: &str, is_value: bool) -> Error {
    let why = match (role, is_value) {
        ("WHERE", true) => {
            "which is the value or a part of it: the number of rows is public, and would tell it"
        }
        ("WHERE", false) => "which is not declared public: the number of rows is public",
        (_, true) => "which is the value or a part of it, and would be public",
        (_, false) => "which is not declared public",
    };
    let what = match role {
        "WHERE" => format!("WHERE uses column {column}, {why}"),
        _ => format!("the {role} is made of column {column}, {why}"),
    };
    let escaped = list::escaped(column);
    Error::request(option::QUERY, what).with_fix(
        say(format!("if everybody may know {column} of everybody, say so with"))
            .set(option::PUBLIC_COLUMNS, escaped)
            .say("; otherwise leave it out"),
    )
}
