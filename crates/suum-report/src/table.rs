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
        Self { columns: N, left, tail: false, rows: vec![headings.map(str::to_owned).to_vec()] }
    }

    /// Adds a row.
    pub(crate) fn row<const N: usize>(&mut self, cells: [String; N]) {
        self.rows.push(cells.to_vec());
    }

    /// Adds a row whose last cell is free text, aligned to the left.
    pub(crate) fn row_with_tail<const N: usize>(&mut self, cells: [String; N], tail: String) {
        let mut row = cells.to_vec();
        row.push(tail);
        self.rows.push(row);
        self.tail = true;
    }

    /// Writes all rows, indented by two spaces.
    pub(crate) fn write(&self, out: &mut String) {
        let width = |column: usize| {
            self.rows
                .iter()
                .filter_map(|row| row.get(column))
                .map(|cell| cell.chars().count())
                .max()
                .unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.columns).map(width).collect();
        for row in &self.rows {
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
            let _ = writeln!(out, "{}", line.trim_end());
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
