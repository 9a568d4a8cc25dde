//! What can be said of a header that lacks a column, without its words: the first line of a file
//! without a header is a record.

use strsim::levenshtein;

/// What a header is like that lacks a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Unfound {
    /// How many columns it has.
    columns: usize,
    /// The one, counted from 0, whose name is nearly what was asked for.
    like: Option<usize>,
    /// What separates its columns, if that is no comma.
    separator: Option<Separator>,
}

/// What separates columns in files that are called CSV, too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Separator {
    Semicolon,
    Tab,
}

impl Unfound {
    /// What there is to say of these names, none of which is the one asked for.
    pub(crate) fn among<'a>(asked: &str, names: impl Iterator<Item = &'a str>) -> Self {
        let mut found = Self { columns: 0, like: None, separator: None };
        let most = (asked.chars().count() / 3).min(2);
        let mut least = most + 1;
        for (column, name) in names.enumerate() {
            found.columns += 1;
            let name = name.trim();
            found.separator = match column {
                0 if name.contains(';') => Some(Separator::Semicolon),
                0 if name.contains('\t') => Some(Separator::Tab),
                0 => None,
                _ => found.separator,
            };
            if name.len().abs_diff(asked.len()) > 4 * most.max(1) {
                continue;
            }
            let edits = match name.eq_ignore_ascii_case(asked) {
                true => 0,
                false => levenshtein(name, asked),
            };
            if edits < least {
                (least, found.like) = (edits, Some(column));
            }
        }
        found
    }

    /// What is wrong, and what to do.
    pub(crate) fn describe(self) -> (String, &'static str) {
        let noun = if self.columns == 1 { "column" } else { "columns" };
        let mut what =
            format!("there is no such column among the {} {noun} of the header", self.columns);
        if let Some(column) = self.like {
            what.push_str(&format!("; the name of column {} is nearly this one", column + 1));
        }
        let hint = match self.separator.filter(|_| self.columns == 1) {
            Some(Separator::Semicolon) => {
                "semicolons separate the columns of this file: save it with commas, and with \
                 points as decimal marks"
            }
            Some(Separator::Tab) => {
                "tabs separate the columns of this file: save it with commas, for example: tr \
                 '\\t' ',' < FILE | suum … -"
            }
            None => {
                "check the spelling, that the file has a header, and that commas separate its \
                 columns"
            }
        };
        (what, hint)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(asked: &str, names: &[&str]) -> (String, &'static str) {
        Unfound::among(asked, names.iter().copied()).describe()
    }

    #[test]
    fn a_column_that_is_nearly_named_is_counted_and_not_repeated() {
        let (what, _) = said("vists", &["id", "visits", "health"]);
        assert!(what.ends_with("3 columns of the header; the name of column 2 is nearly this one"));
        assert!(said("VISITS", &["id", "visits"]).0.contains("column 2 "));
        let (what, _) = said("age", &["secret123", "46"]);
        assert!(what.ends_with("among the 2 columns of the header"), "{what}");
    }

    #[test]
    fn other_separators_are_named() {
        assert!(said("e", &["v;e"]).1.starts_with("semicolons separate"));
        assert!(said("e", &["v\te"]).1.starts_with("tabs separate"));
        assert!(said("e", &["v"]).1.contains("that commas separate"));
    }
}
