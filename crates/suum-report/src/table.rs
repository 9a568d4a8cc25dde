//! Plain-text tables: columns aligned, the first to the left, numbers to the right.

use std::fmt::Write;

/// A table under construction.
pub(crate) struct Table {
    columns: usize,
    left: usize,
    tail: bool,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with these headings, of which the first `left` columns are aligned to the left.
    pub(crate) fn new<const N: usize>(left: usize, headings: [&str; N]) -> Self {
        Self::of(left, &headings)
    }

    /// As [`new`](Self::new), with as many headings as there are.
    pub(crate) fn of(left: usize, headings: &[&str]) -> Self {
        let headings: Vec<String> = headings.iter().map(|heading| (*heading).to_owned()).collect();
        Self { columns: headings.len(), left, tail: false, rows: vec![headings] }
    }

    /// Adds a row of as many cells as there are headings; with a tail, of one less, and the tail is
    /// free text, aligned to the left.
    pub(crate) fn row_of(&mut self, mut cells: Vec<String>, tail: Option<String>) {
        self.tail |= tail.is_some();
        cells.extend(tail);
        self.rows.push(cells);
    }

    /// How many columns of a screen it takes.
    pub(crate) fn width(&self) -> usize {
        self.lines().iter().map(|line| line.chars().count()).max().unwrap_or(0)
    }

    /// Adds a row.
    pub(crate) fn row<const N: usize>(&mut self, cells: [String; N]) {
        self.row_of(cells.to_vec(), None);
    }

    /// Adds a row whose last cell is free text, aligned to the left.
    pub(crate) fn row_with_tail<const N: usize>(&mut self, cells: [String; N], tail: String) {
        self.row_of(cells.to_vec(), Some(tail));
    }

    /// All rows as lines, indented by two spaces, the headings first.
    pub(crate) fn lines(&self) -> Vec<String> {
        let width = |column: usize| {
            self.rows
                .iter()
                .filter_map(|row| row.get(column))
                .map(|cell| cell.chars().count())
                .max()
                .unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.columns).map(width).collect();
        let line = |row: &Vec<String>| {
            let mut line = String::new();
            for (column, cell) in row.iter().enumerate() {
                let width = widths[column];
                // Writing to a string cannot fail.
                let _ = if column < self.left || (self.tail && column + 1 == self.columns) {
                    write!(line, "  {cell:<width$}")
                } else {
                    write!(line, "  {cell:>width$}")
                };
            }
            line.trim_end().to_owned()
        };
        self.rows.iter().map(line).collect()
    }

    /// Writes all rows.
    pub(crate) fn write(&self, out: &mut String) {
        for line in self.lines() {
            out.push_str(&line);
            out.push('\n');
        }
    }
}

/// At most `limit` of `total` positions: the first and the last ones, with a gap (`None`) in
/// between.
pub(crate) fn selection(total: usize, limit: usize) -> Vec<Option<usize>> {
    if total <= limit {
        return (0..total).map(Some).collect();
    }
    let half = limit / 2;
    (0..half).map(Some).chain([None]).chain((total - half..total).map(Some)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aligns_by_characters() {
        let mut table = Table::new(1, ["tier", "allowed ε"]);
        table.row(["strict".into(), "0.01".into()]);
        table.row(["ÅÄÖ".into(), "∞".into()]);
        let mut out = String::new();
        table.write(&mut out);
        assert_eq!(out, "  tier    allowed ε\n  strict       0.01\n  ÅÄÖ             ∞\n");
    }

    #[test]
    fn long_lists_keep_both_ends() {
        assert_eq!(selection(3, 4), [Some(0), Some(1), Some(2)]);
        assert_eq!(selection(9, 4), [Some(0), Some(1), None, Some(7), Some(8)]);
    }
}
