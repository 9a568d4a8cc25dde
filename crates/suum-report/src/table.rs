//! Tables, built from columns that are functions of a row.

use crate::figures::count;
use crate::sentence::{Piece, Sentence};

/// Table whose first column names the rows.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Table {
    pub(crate) caption: String,
    pub(crate) columns: Vec<Column>,
    /// Number of rows that are shown; the gap is the row before which others are left out, and
    /// their number.
    pub(crate) rows: usize,
    pub(crate) gap: Option<(usize, usize)>,
}

/// Column of a table.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Column {
    pub(crate) kind: Kind,
    pub(crate) heading: Sentence,
    pub(crate) cells: Vec<Sentence>,
}

/// Kind of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Words,
    Number,
    /// Bars, which texts leave out.
    Drawing,
    /// Bars that narrow screens leave out as well.
    Narrow,
}

/// Table under construction, of which every row shows a `T`.
pub(crate) struct Rows<'a, T> {
    rows: Vec<&'a T>,
    table: Table,
}

impl Table {
    /// Starts a table of these rows, without columns.
    pub(crate) fn from_rows<T>(caption: impl Into<String>, rows: &[T]) -> Rows<'_, T> {
        Self::at_most(usize::MAX, caption, rows)
    }

    /// Starts a table of the first and last rows, `limit` in all, if there are more.
    pub(crate) fn at_most<T>(limit: usize, caption: impl Into<String>, rows: &[T]) -> Rows<'_, T> {
        let half = limit / 2;
        let gap = (rows.len() > limit).then(|| (half, rows.len() - 2 * half));
        let shown: Vec<&T> = match gap {
            None => rows.iter().collect(),
            Some(_) => rows[..half].iter().chain(&rows[rows.len() - half..]).collect(),
        };
        let (caption, count) = (caption.into(), shown.len());
        Rows { rows: shown, table: Self { caption, columns: Vec::new(), rows: count, gap } }
    }

    /// Text in place of rows that are left out.
    pub(crate) fn left_out(rows: usize) -> String {
        format!("… {} more (the JSON has all)", count(rows as u64))
    }

    /// Number of screen columns that the table takes.
    pub(crate) fn width(&self) -> usize {
        self.lines().iter().map(|line| line.chars().count()).max().unwrap_or(0)
    }

    /// All rows as lines, indented by two spaces, the headings first. Columns are aligned, numbers
    /// to the right.
    pub(crate) fn lines(&self) -> Vec<String> {
        let mut lines = vec![String::new(); self.rows + 1];
        for column in self.columns.iter().filter(|column| !column.kind.is_drawn()) {
            let cells = std::iter::once(&column.heading).chain(&column.cells);
            let cells: Vec<String> = cells.map(Sentence::text).collect();
            let width = cells.iter().map(|cell| cell.chars().count()).max().unwrap_or(0);
            for (line, cell) in lines.iter_mut().zip(cells) {
                *line += &match column.kind {
                    Kind::Number => format!("  {cell:>width$}"),
                    _ => format!("  {cell:<width$}"),
                };
            }
        }
        if let Some((before, rows)) = self.gap {
            lines.insert(before + 1, format!("  {}", Self::left_out(rows)));
        }
        lines.iter().map(|line| line.trim_end().to_owned()).collect()
    }
}

impl Kind {
    pub(crate) fn is_drawn(self) -> bool {
        matches!(self, Self::Drawing | Self::Narrow)
    }
}

impl<T> Rows<'_, T> {
    fn column<C: Into<Sentence>>(
        mut self,
        kind: Kind,
        heading: impl Into<Sentence>,
        show: impl Fn(&T) -> C,
    ) -> Self {
        let cells = self.rows.iter().map(|row| show(row).into()).collect();
        self.table.columns.push(Column { kind, heading: heading.into(), cells });
        self
    }

    /// Adds a column of words.
    pub(crate) fn words<C: Into<Sentence>>(
        self,
        heading: impl Into<Sentence>,
        show: impl Fn(&T) -> C,
    ) -> Self {
        self.column(Kind::Words, heading, show)
    }

    /// Adds a column of numbers.
    pub(crate) fn number<C: Into<Sentence>>(
        self,
        heading: impl Into<Sentence>,
        show: impl Fn(&T) -> C,
    ) -> Self {
        self.column(Kind::Number, heading, show)
    }

    /// Adds a column of bars, each after its words, if a row has one.
    pub(crate) fn bars(
        self,
        heading: &str,
        narrow: bool,
        show: impl Fn(&T) -> (String, Option<f64>),
    ) -> Self {
        self.column(if narrow { Kind::Narrow } else { Kind::Drawing }, heading, |row| {
            let (words, share) = show(row);
            Sentence(share.map(Piece::Bar).into_iter().collect()).after(words)
        })
    }

    /// Applies `more` if `wanted`.
    pub(crate) fn when(self, wanted: bool, more: impl FnOnce(Self) -> Self) -> Self {
        if wanted { more(self) } else { self }
    }
}

impl<T> From<Rows<'_, T>> for Table {
    fn from(rows: Rows<'_, T>) -> Self {
        rows.table
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aligns_by_characters() {
        let rows = [("strict", "0.01"), ("ÅÄÖ", "∞")];
        let table: Table = Table::from_rows("", &rows)
            .words("tier", |(tier, _)| Sentence::from_label(*tier))
            .bars("drawn", false, |_| (String::new(), Some(0.5)))
            .number("allowed ε", |(_, allowed)| *allowed)
            .into();
        assert_eq!(
            table.lines(),
            ["  tier    allowed ε", "  strict       0.01", "  ÅÄÖ             ∞"]
        );
    }

    #[test]
    fn long_tables_keep_both_ends() {
        let rows: Vec<usize> = (0..9).collect();
        let of = |limit: usize| -> Vec<String> {
            let table: Table =
                Table::at_most(limit, "", &rows).words("", |row| row.to_string()).into();
            table.lines()
        };
        assert_eq!(of(4), ["", "  0", "  1", "  … 5 more (the JSON has all)", "  7", "  8"]);
        assert_eq!(of(9).len(), 10);
    }
}
