//! Description of a header that lacks a column.
//!
//! The names of a schema are public, and those of a header are. But the first line of a file
//! without a header is a record. So a name in a line is repeated only if the line is a header in
//! all appearance: every other column that was asked for is in it, and the name is no number.

use crate::scan::Scan;
use crate::scan::nearest::nearest;
use crate::scan::role::Role;
use suum_core::{Phrase, option, say};

/// Public facts about a header that lacks a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MissingColumn {
    /// Number of columns in the header.
    columns: usize,
    /// Column whose name resembles the one asked for.
    like: Option<Like>,
    form: Form,
    /// True if the name asked for is a number, so that it was perhaps meant as a budget.
    is_number: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Like {
    Name(String),
    /// Position, counted from 1, used where the name may be a cell of a record.
    Column(usize),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// Names of a schema.
    Schema,
    /// First line of a text file with the separator of its columns; files with other separators are
    /// called CSV as well.
    Commas,
    Semicolons,
    Tabs,
    /// Line before the header that names the separator, as Excel writes it.
    Separator,
}

impl MissingColumn {
    /// Describes a schema in which no column has the name `asked`.
    pub(crate) fn in_schema<'a>(asked: &str, names: impl Iterator<Item = &'a str>) -> Self {
        let names: Vec<&str> = names.map(str::trim_ascii).collect();
        let like = nearest(asked, names.iter().copied());
        Self {
            columns: names.len(),
            like: like.map(|name| Like::Name(name.to_owned())),
            form: Form::Schema,
            is_number: is_number(asked),
        }
    }

    /// Describes the first line of a file, which lacks the column that the scan has in this role.
    pub(crate) fn in_line<'a>(
        scan: &Scan,
        role: Role,
        names: impl Iterator<Item = &'a str>,
    ) -> Self {
        let names: Vec<&str> = names.map(str::trim_ascii).collect();
        let asked = scan.column(role).trim_ascii();
        let groups = (0..).zip(scan.label_columns()).map(|(at, _)| Role::Group(at));
        let filter = (0..).zip(scan.filter_columns()).map(|(at, _)| Role::Filter(at));
        let mut others = [Role::Privacy, Role::Value, Role::Person, Role::Time]
            .into_iter()
            .chain(groups)
            .chain(filter)
            .chain(scan.decision_parts().map(Role::Decision))
            .chain((0..).zip(&scan.attributes).map(|(at, _)| Role::Attribute(at)))
            .map(|role| scan.column(role).trim_ascii())
            .filter(|other| *other != asked)
            .peekable();
        let is_header = others.peek().is_some() && others.all(|other| names.contains(&other));
        let is_name = |name: &str| is_header && !is_number(name);
        let like = nearest(asked, names.iter().copied()).and_then(|like| match is_name(like) {
            true => Some(Like::Name(like.to_owned())),
            false => names.iter().position(|name| *name == like).map(|at| Like::Column(at + 1)),
        });
        let form = match names.as_slice() {
            [first, ..] if first.get(..4).is_some_and(|word| word.eq_ignore_ascii_case("sep=")) => {
                Form::Separator
            }
            [name] if name.contains(';') => Form::Semicolons,
            [name] if name.contains('\t') => Form::Tabs,
            _ => Form::Commas,
        };
        Self { columns: names.len(), like, form, is_number: is_number(asked) }
    }

    /// Name that was probably meant, if it is public.
    pub(crate) fn like(&self) -> Option<&str> {
        match &self.like {
            Some(Like::Name(name)) => Some(name),
            _ => None,
        }
    }

    /// Words the problem and the advice.
    pub(crate) fn describe(&self) -> (String, Phrase) {
        let noun = if self.columns == 1 { "column" } else { "columns" };
        let mut what = format!("there is no such column among the {} {noun}", self.columns);
        if self.form != Form::Schema {
            what.push_str(" of the header");
        }
        if let Some(Like::Column(column)) = self.like {
            what.push_str(&format!("; the name of column {column} is nearly this one"));
        }
        let hint = match self.form {
            _ if self.is_number => {
                say("name a column; if everybody allows the same ε, write it into each row of one")
            }
            Form::Schema => say("check the spelling"),
            Form::Semicolons => say("semicolons separate the columns of this file: say")
                .set(option::DELIMITER, ";")
                .say(", and if numbers have decimal commas")
                .set(option::DECIMAL, ",")
                .say("too"),
            Form::Tabs => {
                say("tabs separate the columns of this file: say").set(option::DELIMITER, "tab")
            }
            Form::Separator => {
                say("remove the first line, sep=…, which is for Excel: the header is the line \
                     below;")
                .option(option::DELIMITER)
                .say("says what separates columns if commas do not")
            }
            Form::Commas => {
                say("check the spelling, that the file has a header, and that commas separate its \
                     columns, or say what does with")
                .option(option::DELIMITER)
            }
        };
        (what, hint)
    }
}

fn is_number(name: &str) -> bool {
    name.parse::<f64>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scan::PrivacyColumn;

    /// Describes a line that lacks the column of budgets and perhaps has the one of persons.
    fn in_line(asked: &str, persons: Option<&str>, names: &[&str]) -> MissingColumn {
        let mut scan = Scan::new(PrivacyColumn::Budgets { column: asked.to_owned() }, None);
        scan.person = persons.map(str::to_owned);
        MissingColumn::in_line(&scan, Role::Privacy, names.iter().copied())
    }

    #[test]
    fn a_name_is_repeated_where_the_line_is_a_header() {
        let names = ["id", "visits", "health"];
        assert_eq!(in_line("vists", Some("id"), &names).like(), Some("visits"));
        assert_eq!(in_line("VISITS", Some("id"), &names).like(), Some("visits"));
        // Nothing else was asked for, or it is not there either.
        for persons in [None, Some("people")] {
            let unfound = in_line("vists", persons, &names);
            let (what, _) = unfound.describe();
            assert_eq!(unfound.like(), None);
            assert!(what.ends_with("; the name of column 2 is nearly this one"), "{what}");
        }
        assert_eq!(in_line("1234", Some("id"), &["id", "1235"]).like(), None);
        let (what, _) = in_line("age", Some("46"), &["secret123", "46"]).describe();
        assert!(what.ends_with("among the 2 columns of the header"), "{what}");
    }

    #[test]
    fn names_of_a_schema_are_repeated() {
        let like = |asked| MissingColumn::in_schema(asked, ["id", "visits"].into_iter());
        assert_eq!(like("vists").like(), Some("visits"));
        assert_eq!(like("age").like(), None);
        let (what, hint) = like("age").describe();
        let hint = hint.to_string();
        assert!(what.ends_with("among the 2 columns"), "{what}");
        assert_eq!(hint, "check the spelling");
    }

    #[test]
    fn other_separators_are_named() {
        let hint = |names: &[&str]| in_line("e", None, names).describe().1.to_string();
        assert!(hint(&["v;e"]).starts_with("semicolons separate"));
        assert!(hint(&["v\te"]).starts_with("tabs separate"));
        assert!(hint(&["v"]).contains("that commas separate"));
        assert!(hint(&["sep=", ""]).starts_with("remove the first line"));
        assert!(hint(&["sep=;"]).starts_with("remove the first line"));
        // No column is a budget.
        let (_, hint) = in_line("0.5", None, &["v", "e"]).describe();
        let hint = hint.to_string();
        assert!(hint.starts_with("name a column; if everybody"), "{hint}");
    }
}
