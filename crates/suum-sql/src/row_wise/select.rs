//! The parts of one SELECT from one table.

use std::collections::BTreeSet;

use suum_core::Result;

use super::token::{Kind, Token};
use super::words::{FILE_READERS, Reason, is_in, is_reserved, refused};
use crate::dialect::Dialect;

/// One SELECT from at most one table.
#[derive(Debug)]
pub(super) struct Select {
    pub(super) items: Vec<Item>,
    /// The name of the table and the one that it has here.
    pub(super) tables: Vec<String>,
    /// The columns of its condition.
    pub(super) conditions: BTreeSet<String>,
}

/// A column of the result.
#[derive(Debug)]
pub(super) struct Item {
    /// Its name, if it says one.
    pub(super) name: Option<String>,
    /// The columns that it is computed from, and its name.
    pub(super) columns: BTreeSet<String>,
    /// Whether it is a column of the table as it is.
    plain: bool,
}

impl Select {
    /// The parts of a query whose words have been looked at.
    pub(super) fn of(dialect: Dialect, tokens: &[Token]) -> Result<Self> {
        let Some((first, rest)) = tokens.split_first() else {
            return Err(refused("it is empty"));
        };
        if !first.is_word("select") {
            return Err(refused("it does not begin with SELECT"));
        }
        let (list, rest) = until(rest, &["from"]);
        list.split(|token| token.depth == 0 && token.is(",")).try_for_each(check_star)?;
        let (from, rest) = match rest.split_first() {
            // Nothing is read.
            None => return Ok(Self { items: items(list), tables: vec![], conditions: [].into() }),
            Some((_from, rest)) => until(rest, &["where", "order"]),
        };
        let (condition, order) = match rest.split_first() {
            Some((word, rest)) if word.is_word("where") => until(rest, &["order"]),
            _ => (&[][..], rest),
        };
        let (_, further) = until(order.get(1..).unwrap_or_default(), &["where", "from"]);
        if !further.is_empty() {
            return Err(refused("its parts do not follow one another as those of one SELECT do"));
        }
        Ok(Self {
            items: items(list),
            tables: table(dialect, from)?,
            conditions: columns(condition),
        })
    }

    /// Whether this column of the result is one of the table as it is.
    pub(super) fn is_plain(&self, name: &str) -> bool {
        let mut named = self.items.iter().filter(|item| item.name.as_deref() == Some(name));
        named.all(|item| item.plain)
    }
}

/// What stands before the first of these words outside of parentheses, and what begins with it.
fn until<'a>(tokens: &'a [Token], words: &[&str]) -> (&'a [Token], &'a [Token]) {
    let ends = |at: usize| {
        let token = &tokens[at];
        // IS DISTINCT FROM is a comparison, and a column can have any name behind a point.
        let before = at.checked_sub(1).and_then(|at| tokens.get(at));
        let other = before.is_some_and(|before| before.is_word("distinct") || before.is("."));
        token.depth == 0 && !other && words.iter().any(|word| token.is_word(word))
    };
    let end = (0..tokens.len()).find(|at| ends(*at)).unwrap_or(tokens.len());
    tokens.split_at(end)
}

/// The columns of the result.
fn items(list: &[Token]) -> Vec<Item> {
    list.split(|token| token.depth == 0 && token.is(",")).map(item).collect()
}

/// Refuses all columns with others put in their place; leaving some out is fine.
fn check_star(item: &[Token]) -> Result<()> {
    let is_star = |at: usize| item[at].is("*") && (at == 0 || item[at - 1].is("."));
    let Some(star) = (0..item.len()).find(|at| item[*at].depth == 0 && is_star(*at)) else {
        return Ok(());
    };
    let left_out = match &item[star + 1..] {
        [] => true,
        [exclude, name] => exclude.is_word("exclude") && name.is_name(),
        [exclude, open, names @ .., close] => {
            exclude.is_word("exclude")
                && open.is("(")
                && close.is(")")
                && names.iter().all(|one| one.is_name() || one.is(",") || one.is("."))
        }
        _ => false,
    };
    match left_out {
        true => Ok(()),
        false => Err(refused("it puts other columns in place of some of *: name the columns")),
    }
}

fn item(tokens: &[Token]) -> Item {
    // DuckDB also has `name: expression`.
    let prefixed = match tokens {
        [name, colon, ..] if name.is_name() && colon.is(":") => Some(name),
        _ => None,
    };
    let last = tokens.last().filter(|last| last.is_name());
    let name = prefixed.or(last).map(|token| token.text.clone());
    let plain = tokens.iter().enumerate().all(|(at, token)| match at % 2 {
        0 => token.is_name() || token.is("*"),
        _ => token.is("."),
    });
    Item { name, columns: columns(tokens), plain }
}

/// All names but those of functions, of types, and of tables before a point.
fn columns(tokens: &[Token]) -> BTreeSet<String> {
    let is_column = |at: usize, token: &Token| {
        let before = at.checked_sub(1).and_then(|at| tokens.get(at));
        let after = tokens.get(at + 1);
        let is_type = before.is_some_and(|before| {
            before.is("::") || (before.is_word("as") && before.depth > tokens[0].depth)
        });
        let is_other =
            after.is_some_and(|after| after.is(".") || after.is("(") || after.kind == Kind::Text);
        token.is_name() && !is_type && !is_other
    };
    let is_name = |token: &Token| token.kind == Kind::Quoted || !is_reserved(&token.text);
    let found = tokens.iter().enumerate().filter(|(at, token)| is_column(*at, token));
    found
        .map(|(_, token)| token)
        .filter(|token| is_name(token))
        .map(|token| token.text.clone())
        .collect()
}

/// The names of the one table that is read.
fn table(dialect: Dialect, from: &[Token]) -> Result<Vec<String>> {
    let duckdb = dialect == Dialect::DuckDb;
    let mut tables = Vec::new();
    let mut rest = match from {
        [file, rest @ ..] if duckdb && file.kind == Kind::Text => rest,
        [reader, rest @ ..] if duckdb && is_in(FILE_READERS, &reader.text) => {
            // A list of files could have one twice, and each of its records gives two rows.
            let is_one = match rest {
                [open, file, then, ..] => {
                    open.is("(") && file.kind == Kind::Text && (then.is(",") || then.is(")"))
                }
                _ => false,
            };
            if !is_one {
                return Err(refused("it reads more than one named file: name one, or a pattern"));
            }
            // Up to its own closing parenthesis.
            let end = rest.iter().position(|token| token.depth == reader.depth && token.is(")"));
            &rest[end.map_or(0, |end| end + 1)..]
        }
        [name, rest @ ..] if name.is_name() => {
            tables.push(name.text.clone());
            let mut rest = rest;
            while let [point, name, after @ ..] = rest
                && point.is(".")
                && name.is_name()
            {
                tables = vec![name.text.clone()];
                rest = after;
            }
            rest
        }
        _ => return Err(refused("FROM does not name one table")),
    };
    if let [word, after @ ..] = rest
        && word.is_word("as")
    {
        rest = after;
    }
    if let [name, after @ ..] = rest
        && name.is_name()
    {
        tables.push(name.text.clone());
        rest = after;
    }
    match rest.first() {
        None => Ok(tables),
        Some(comma) if comma.is(",") => Err(Reason::Multiplies.refuse("a second table")),
        Some(_) => Err(refused("FROM says more than the name of one table")),
    }
}
