//! One SELECT from one table: its parts, and its text.

use std::collections::BTreeSet;

use sqlparser::ast::{
    ExceptSelectItem, ExcludeSelectItem, Expr, FunctionArg, FunctionArgExpr, GroupByExpr, Ident,
    ObjectName, Select as Tree, SelectFlavor, SelectItem, SelectItemQualifiedWildcardKind,
    TableAlias, TableFactor, TableFunctionArgs, Value, WildcardAdditionalOptions,
};
use suum_core::Result;

use super::expression::Printer;
use super::functions::{is_reader_option, reads_file};
use super::names::{ALIAS, Names, folded, same};
use super::{Refusal, parse};
use crate::dialect::Dialect;
use crate::engine::Column;

/// One SELECT from at most one table, as its tree says.
#[derive(Debug)]
pub(crate) struct Select {
    dialect: Dialect,
    items: Vec<SelectItem>,
    selection: Option<Expr>,
    table: Table,
    /// What can stand before the name of a column.
    qualifiers: Vec<Vec<String>>,
}

/// The one table that a query reads.
#[derive(Debug)]
enum Table {
    /// None: all rows are written in the query.
    Nothing,
    /// A table or view by its names.
    Named(Vec<String>),
    /// A file that DuckDB reads, as it stands after FROM.
    File(String),
}

/// A query that is known to be row-wise, printed from its tree.
#[derive(Debug)]
pub(crate) struct Printed {
    pub(crate) sql: String,
    items: Vec<Item>,
    /// The columns that `*` leaves out; `None` without a `*`.
    star: Option<BTreeSet<String>>,
    /// The columns of WHERE.
    pub(crate) conditions: BTreeSet<String>,
}

/// A column of the result.
#[derive(Debug)]
struct Item {
    name: String,
    columns: BTreeSet<String>,
    plain: bool,
}

/// The columns of the table that a column of the result is made of.
#[derive(Debug)]
pub(crate) struct Origin {
    /// Their names, as the database has them.
    pub(crate) columns: BTreeSet<String>,
    /// Whether the column of the result is a column of the table as it is.
    pub(crate) plain: bool,
}

impl Select {
    /// Parses a query into its parts.
    ///
    /// # Errors
    ///
    /// Refuses all but one SELECT from one table, with or without WHERE.
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

    /// The names of the table, if it has some that a database can list the columns of.
    pub(crate) fn table(&self) -> Option<&[String]> {
        match &self.table {
            Table::Named(names) => Some(names),
            Table::Nothing | Table::File(_) => None,
        }
    }

    /// Prints the query again, of names that the table lists if `listed` has them.
    ///
    /// # Errors
    ///
    /// Refuses whatever is not known to look at one row only, columns that are not listed, and
    /// results with two columns of one name.
    pub(crate) fn print(&self, listed: Option<&[Column]>) -> Result<Printed> {
        let listed = match self.table {
            Table::Nothing => Some(&[][..]),
            Table::Named(_) | Table::File(_) => listed,
        };
        let names = Names { qualifiers: self.qualifiers.clone(), listed };
        let mut printed =
            Printed { sql: String::new(), items: vec![], star: None, conditions: [].into() };
        let texts = self.items.iter().map(|item| self.item(item, &names, &mut printed));
        let texts = texts.collect::<Result<Vec<_>>>()?;
        if let Some(name) = printed.repeated(listed) {
            return Err(Refusal::SameName(&name).error());
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

    /// Prints a column of the result, or all of them.
    fn item(&self, item: &SelectItem, names: &Names, printed: &mut Printed) -> Result<String> {
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
        Ok(text)
    }

    /// Prints `*`, with the columns that it leaves out.
    fn star(
        &self,
        options: &WildcardAdditionalOptions,
        names: &Names,
        printed: &mut Printed,
    ) -> Result<String> {
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
        match quoted.is_empty() {
            true => Ok("*".to_owned()),
            false => Ok(format!("* {word} ({})", quoted.join(", "))),
        }
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

impl Printed {
    /// The columns of the table that a column of the result is made of; `None` if the result has no
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

    /// The name of a column that the result has twice.
    fn repeated(&self, listed: Option<&[Column]>) -> Option<String> {
        let in_star = self.star.as_ref().map(|left_out| {
            let all = listed.unwrap_or_default().iter().map(|column| column.name.as_str());
            all.filter(|name| !left_out.contains(*name)).collect::<Vec<_>>()
        });
        let mut seen: BTreeSet<&str> = in_star.into_iter().flatten().collect();
        self.items.iter().find(|item| !seen.insert(&item.name)).map(|item| item.name.clone())
    }
}

/// The items, the tables and the condition of a SELECT.
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

/// The one table after FROM, and what can stand before its columns.
fn table(dialect: Dialect, factor: &TableFactor) -> Result<(Table, Vec<Vec<String>>)> {
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

/// A function of DuckDB that reads one named file, or a pattern of files.
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
    let names = Names { qualifiers: vec![], listed: Some(&[]) };
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
        if !is_reader_option(&name) || !matches!(value, Expr::Value(_)) {
            return Err(Refusal::Files.error());
        }
        texts.push(format!("{name} = {}", printer.print(value)?));
    }
    Ok(format!("{reader}({})", texts.join(", ")))
}
