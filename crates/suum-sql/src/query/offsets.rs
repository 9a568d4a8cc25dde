//! Sums in cells from offsets: where in its cell a grid index lies. They are short, so that their
//! sums and those of their squares need few integers of 64 bits.

use super::Source;

/// Cells whose offsets are added up.
pub(super) struct Offsets<'a> {
    source: &'a Source<'a>,
    /// The bits of an offset.
    bits: u32,
}

impl<'a> Offsets<'a> {
    /// Those of a source, in dialects that add them up faster, if every cell has as many places.
    pub(super) fn of(source: &'a Source<'a>) -> Option<Self> {
        source.dialect.split("0", 1)?;
        let numbers = source.numbers()?;
        let steps = u64::from(numbers.cells.filter(|cells| cells.has_sums())?.steps());
        let (points, width) = (numbers.grid.points(), numbers.grid.points() / steps);
        let fits = width > 1 && width.is_power_of_two() && width * steps == points;
        fits.then_some(Self { source, bits: width.ilog2() })
    }

    /// The cell of a grid index, and its place in the cell.
    fn split(&self, index: &str) -> [String; 2] {
        let shifted = format!("({index} + {})", 1u64 << (self.bits - 1));
        self.source.dialect.split(&shifted, self.bits).unwrap_or_default()
    }

    /// The cell of a grid index.
    pub(super) fn cell(&self, index: &str) -> String {
        let [cell, _] = self.split(index);
        cell
    }

    /// The column of offsets.
    pub(super) fn column(&self, index: &str) -> (String, &'static str) {
        let [_, offset] = self.split(index);
        (offset, "cell_offset")
    }

    /// The first grid index of a cell, which is below the grid for the first cell.
    fn first(&self) -> String {
        format!("(item * {} - {})", 1u64 << self.bits, 1u64 << (self.bits - 1))
    }

    /// The sum of the grid indices in a cell: Σ(a + d) of its first index a and offsets d.
    pub(super) fn index_sum(&self) -> String {
        let dialect = self.source.dialect;
        let sum = dialect.sum("cell_offset", self.bits);
        format!("{} * COUNT(*) + {sum}", dialect.decimal(&self.first()))
    }

    /// The sum of the squares (2g − G)² in a cell: Σ(b + 2d)² of b = 2a − G.
    pub(super) fn square_sum(&self) -> Option<String> {
        let dialect = self.source.dialect;
        let numbers = self.source.numbers().filter(|numbers| numbers.squares)?;
        let b = format!("(2 * {} - {})", self.first(), numbers.grid.points());
        let [square, linear] =
            [format!("{b} * {b}"), format!("4 * {b}")].map(|term| dialect.decimal(&term));
        let sum = dialect.sum("cell_offset", self.bits);
        let squares = dialect.sum("cell_offset * cell_offset", 2 * self.bits);
        Some(format!("{square} * COUNT(*) + {linear} * ({sum}) + 4 * ({squares})"))
    }
}
