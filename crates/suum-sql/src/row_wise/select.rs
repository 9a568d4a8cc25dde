//! One SELECT from one table: its parts, and its text.

use std::collections::BTreeSet;

use sqlparser::ast::{
    ExceptSelectItem, ExcludeSelectItem, Expr, GroupByExpr, Ident, ObjectName, Select as Tree,
    SelectFlavor, SelectItem, SelectItemQualifiedWildcardKind, WildcardAdditionalOptions,
};
use suum_core::Result;

use super::expression::Printer;
use super::names::{ALIAS, Listing, Names, folded, may_be_hidden, qualify_column, same};
use super::table::{Table, table};
use super::{Refusal, parse};
use crate::dialect::Dialect;

/// One SELECT from at most one table, as parsed.
#[derive(Debug)]
pub(crate) struct Select {
    dialect: Dialect,
    items: Vec<SelectItem>,
    selection: Option<Expr>,
    table: Table,
    /// Possible qualifiers of a column.
    qualifiers: Vec<Vec<String>>,
}

/// Query that is known to be row-wise, printed from its tree.
#[derive(Debug)]
pub(crate) struct PrintedQuery {
    pub(crate) sql: String,
    items: Vec<Item>,
    /// Columns that `*` leaves out; `None` without a `*`.
    star: Option<BTreeSet<String>>,
    /// Columns of WHERE.
    pub(crate) conditions: BTreeSet<String>,
}

/// Column of the result.
#[derive(Debug)]
struct Item {
    name: String,
    columns: BTreeSet<String>,
    plain: bool,
}

/// Columns of the table that a column of the result is made of.
#[derive(Debug)]
pub(crate) struct Origin {
    /// Names, as the database has them.
    pub(crate) columns: BTreeSet<String>,
    /// True if the column of the result is an unchanged column of the table.
    pub(crate) plain: bool,
}

impl Select {
    /// Parses a query into its parts.
    ///
    /// # Errors
    ///
    /// Refuses everything but one SELECT from one table, with or without WHERE.
    pub(crate) fn parse(dialect: Dialect, query: &str) -> Result<Self> {
        let tree = parse::select(dialect, query)?;
        let (items, mut from, selection) = clauses(tree)?;
        let factor = from.pop();
        if !from.is_empty() {
            return Err(Refusal::Clause("a second table", Refusal::MULTIPLIES).error());
        }
        let (table, qualifiers) = match factor {
            None => (Table::Nothing, Vec::new()),
            Some(factor) if !factor.joins.is_empty() => {
                return Err(Refusal::Clause("JOIN", Refusal::MULTIPLIES).error());
            }
            Some(factor) => table(dialect, &factor.relation)?,
        };
        Ok(Self { dialect, items, selection, table, qualifiers })
    }

    /// Names of the table, if a database can list its columns.
    pub(crate) fn table(&self) -> Option<&[String]> {
        match &self.table {
            Table::Named(names) => Some(names),
            Table::Nothing | Table::File(_) => None,
        }
    }

    /// Prints the query, with columns that the table lists if they are known; otherwise `*` stands
    /// for those of `reads` that no other item has.
    ///
    /// # Errors
    ///
    /// Refuses expressions that are not known to depend on one row only, columns that are not
    /// listed, and results with two columns of one name.
    pub(super) fn print(&self, listing: Listing, reads: &[&str]) -> Result<PrintedQuery> {
        let listing = match self.table {
            Table::Nothing => Listing::All(&[]),
            Table::Named(_) | Table::File(_) => listing,
        };
        let names = Names { qualifiers: self.qualifiers.clone(), listing };
        let mut printed =
            PrintedQuery { sql: String::new(), items: vec![], star: None, conditions: [].into() };
        let texts = self.items.iter().map(|item| self.item(item, &names, &mut printed));
        let mut texts: Vec<String> =
            texts.collect::<Result<Vec<_>>>()?.into_iter().flatten().collect();
        if let Listing::Unknown = listing {
            texts.extend(self.columns_of_star(&printed, reads)?);
        }
        if let Some(name) = printed.repeated(listing) {
            return Err(Refusal::SameName(&name).error());
        }
        if texts.is_empty() {
            return Err(Refusal::Empty.error());
        }
        printed.sql = format!("SELECT {}", texts.join(",\n  "));
        match &self.table {
            Table::Nothing => {}
            Table::Named(table) => {
                printed.sql += &format!("\nFROM {} AS {ALIAS}", self.dialect.table(table)?);
            }
            Table::File(file) => printed.sql += &format!("\nFROM {file} AS {ALIAS}"),
        }
        if let Some(selection) = &self.selection {
            let mut printer = Printer::new(self.dialect, &names);
            printed.sql += &format!("\nWHERE {}", printer.print(selection)?);
            printed.conditions = printer.into_columns();
        }
        Ok(printed)
    }

    /// Prints the columns of `*` that are read, by their names: if the columns of the table are not
    /// listed, they must be its own, not additions of a database.
    fn columns_of_star(&self, printed: &PrintedQuery, reads: &[&str]) -> Result<Vec<String>> {
        let Some(left_out) = &printed.star else { return Ok(vec![]) };
        let is_item = |name: &str| printed.items.iter().any(|item| same(&item.name, name));
        let columns = reads.iter().filter(|name| !is_item(name) && !left_out.contains(**name));
        let columns = columns.map(|name| match may_be_hidden(name) {
            true => Err(Refusal::NoColumn(name).error()),
            false => named_column(self.dialect, name),
        });
        columns.collect()
    }

    /// Prints a column of the result, or all of them; nothing if these are printed later.
    fn item(
        &self,
        item: &SelectItem,
        names: &Names,
        printed: &mut PrintedQuery,
    ) -> Result<Option<String>> {
        let mut printer = Printer::new(self.dialect, names);
        let (expression, alias) = match item {
            SelectItem::Wildcard(options) => return self.star(options, names, printed),
            SelectItem::QualifiedWildcard(
                SelectItemQualifiedWildcardKind::ObjectName(name),
                options,
            ) if self.is_table(name) => return self.star(options, names, printed),
            SelectItem::UnnamedExpr(expression) => (expression, None),
            SelectItem::ExprWithAlias { expr, alias } => (expr, Some(alias)),
            SelectItem::QualifiedWildcard(..) => return Err(Refusal::Star.error()),
            SelectItem::ExprWithAliases { .. } => {
                return Err(Refusal::Clause("AS (…)", Refusal::MULTIPLIES).error());
            }
        };
        let mut text = printer.print(expression)?;
        let columns = printer.into_columns();
        let plain = match expression {
            Expr::Identifier(word) => Some(names.column(self.dialect, std::slice::from_ref(word))?),
            Expr::CompoundIdentifier(words) => Some(names.column(self.dialect, words)?),
            _ => None,
        };
        let plain = plain.and_then(|(column, fields)| fields.is_empty().then_some(column));
        let name = match (alias, &plain) {
            (Some(alias), _) if alias.quote_style == Some('\'') => {
                return Err(Refusal::TextAsName.error());
            }
            (Some(alias), _) => folded(self.dialect, alias),
            (None, Some(column)) => column.clone(),
            (None, None) => return Err(Refusal::NoName.error()),
        };
        text += &format!(" AS {}", self.dialect.identifier(&name)?);
        printed.items.push(Item { name, columns, plain: plain.is_some() });
        Ok(Some(text))
    }

    /// Prints `*`, with the columns that it leaves out, if the table lists its columns.
    fn star(
        &self,
        options: &WildcardAdditionalOptions,
        names: &Names,
        printed: &mut PrintedQuery,
    ) -> Result<Option<String>> {
        let WildcardAdditionalOptions {
            wildcard_token: _,
            opt_ilike: None,
            opt_exclude,
            opt_except,
            opt_replace: None,
            opt_rename: None,
            opt_alias: None,
        } = options
        else {
            return Err(Refusal::ChangedStar.error());
        };
        if printed.star.is_some() {
            return Err(Refusal::SameName("*").error());
        }
        let single = |name: &ObjectName| match name.0.as_slice() {
            [part] => part.as_ident().cloned().ok_or_else(|| Refusal::ChangedStar.error()),
            _ => Err(Refusal::ChangedStar.error()),
        };
        let (word, left_out): (_, Vec<Ident>) = match (opt_exclude, opt_except) {
            (None, None) => ("", vec![]),
            (Some(ExcludeSelectItem::Single(name)), None) => ("EXCLUDE", vec![single(name)?]),
            (Some(ExcludeSelectItem::Multiple(names)), None) => {
                ("EXCLUDE", names.iter().map(single).collect::<Result<_>>()?)
            }
            (None, Some(ExceptSelectItem { first_element, additional_elements })) => {
                let further = additional_elements.iter().cloned();
                ("EXCEPT", std::iter::once(first_element.clone()).chain(further).collect())
            }
            (Some(_), Some(_)) => return Err(Refusal::ChangedStar.error()),
        };
        let mut columns = BTreeSet::new();
        let mut quoted = Vec::new();
        for word in &left_out {
            let (column, _) = names.column(self.dialect, std::slice::from_ref(word))?;
            quoted.push(self.dialect.identifier(&column)?);
            columns.insert(column);
        }
        printed.star = Some(columns);
        Ok(match (names.listing, quoted.is_empty()) {
            (Listing::Unknown, _) => None,
            (_, true) => Some("*".to_owned()),
            (_, false) => Some(format!("* {word} ({})", quoted.join(", "))),
        })
    }

    /// Returns true if these words name the table.
    fn is_table(&self, name: &ObjectName) -> bool {
        let words: Option<Vec<&Ident>> = name.0.iter().map(|part| part.as_ident()).collect();
        words.is_some_and(|words| {
            self.qualifiers.iter().any(|qualifier| {
                qualifier.len() == words.len()
                    && qualifier.iter().zip(&words).all(|(name, word)| same(name, &word.value))
            })
        })
    }
}

impl PrintedQuery {
    /// Columns of the table that a column of the result is made of; `None` if the result has no
    /// column of exactly this name.
    ///
    /// Columns whose names differ in case alone count as well: some databases take one for the
    /// other.
    pub(crate) fn origin(&self, name: &str) -> Option<Origin> {
        let is_in_star =
            self.star.as_ref().is_some_and(|left_out| !left_out.iter().any(|out| out == name));
        if !is_in_star && !self.items.iter().any(|item| item.name == name) {
            return None;
        }
        let alike: Vec<&Item> = self.items.iter().filter(|item| same(&item.name, name)).collect();
        let mut columns: BTreeSet<String> =
            alike.iter().flat_map(|item| item.columns.iter().cloned()).collect();
        if is_in_star {
            columns.insert(name.to_owned());
        }
        Some(Origin { columns, plain: alike.iter().all(|item| item.plain) })
    }

    /// Name that two columns of the result have.
    fn repeated(&self, listing: Listing) -> Option<String> {
        let listed = match listing {
            Listing::All(listed) => listed,
            Listing::Unknown | Listing::NamesOnly => &[],
        };
        let in_star = self.star.as_ref().map(|left_out| {
            let all = listed.iter().map(|column| column.name.as_str());
            all.filter(|name| !left_out.contains(*name)).collect::<Vec<_>>()
        });
        let mut seen: BTreeSet<&str> = in_star.into_iter().flatten().collect();
        self.items.iter().find(|item| !seen.insert(&item.name)).map(|item| item.name.clone())
    }
}

/// Prints the query of a table for columns of these names, if no database lists its columns.
///
/// # Errors
///
/// Refuses names that no table has.
pub(super) fn print_table_query(
    dialect: Dialect,
    table: &[String],
    reads: &[&str],
) -> Result<String> {
    let columns = reads.iter().map(|name| match may_be_hidden(name) {
        true => Err(Refusal::NoColumn(name).error()),
        false => named_column(dialect, name),
    });
    let columns = columns.collect::<Result<Vec<_>>>()?.join(",\n  ");
    Ok(format!("SELECT {columns}\nFROM {} AS {ALIAS}", dialect.table(table)?))
}

/// Prints an unchanged column, by its name.
fn named_column(dialect: Dialect, name: &str) -> Result<String> {
    let name = dialect.identifier(name)?;
    Ok(format!("{} AS {name}", qualify_column(dialect, &name)))
}

/// Items, tables and condition of a SELECT.
///
/// # Errors
///
/// Refuses every other clause.
fn clauses(
    tree: Tree,
) -> Result<(Vec<SelectItem>, Vec<sqlparser::ast::TableWithJoins>, Option<Expr>)> {
    // All fields by name: a clause that a new version of the parser knows has to be looked at.
    let Tree {
        select_token: _,
        optimizer_hints,
        distinct,
        select_modifiers,
        top,
        top_before_distinct: _,
        projection,
        exclude,
        into,
        from,
        lateral_views,
        prewhere,
        selection,
        connect_by,
        group_by,
        cluster_by,
        distribute_by,
        sort_by,
        having,
        named_window,
        qualify,
        window_before_qualify: _,
        value_table_mode,
        flavor,
    } = tree;
    let groups = match group_by {
        GroupByExpr::Expressions(expressions, modifiers) => {
            !expressions.is_empty() || !modifiers.is_empty()
        }
        GroupByExpr::All(_) => true,
    };
    Refusal::check(&[
        (distinct.is_some(), "DISTINCT", Refusal::CHOOSES),
        (top.is_some(), "TOP", Refusal::CHOOSES),
        (groups, "GROUP BY", Refusal::MERGES),
        (having.is_some(), "HAVING", Refusal::MERGES),
        (!named_window.is_empty(), "WINDOW", Refusal::MERGES),
        (qualify.is_some(), "QUALIFY", Refusal::CHOOSES),
        (!lateral_views.is_empty(), "LATERAL VIEW", Refusal::MULTIPLIES),
        (!connect_by.is_empty(), "CONNECT BY", Refusal::NESTS),
        (!cluster_by.is_empty(), "CLUSTER BY", Refusal::ORDERS),
        (!distribute_by.is_empty(), "DISTRIBUTE BY", Refusal::ORDERS),
        (!sort_by.is_empty(), "SORT BY", Refusal::ORDERS),
        (into.is_some(), "INTO", Refusal::UNKNOWN),
        (prewhere.is_some(), "PREWHERE", Refusal::UNKNOWN),
        (exclude.is_some(), "EXCLUDE", Refusal::UNKNOWN),
        (select_modifiers.is_some(), "a word after SELECT", Refusal::UNKNOWN),
        (value_table_mode.is_some(), "SELECT AS", Refusal::UNKNOWN),
        (!optimizer_hints.is_empty(), "a hint", Refusal::UNKNOWN),
        (flavor != SelectFlavor::Standard, "FROM before SELECT", Refusal::UNKNOWN),
    ])?;
    if projection.is_empty() {
        return Err(Refusal::Empty.error());
    }
    Ok((projection, from, selection))
}
