//! Sums in cells from distances: how far a grid index is from the candidate of its cell. They are
//! short, so that their sums and those of their squares need few integers of 64 bits.

use super::Source;

/// The widest cell whose squares of distances are at most 2^32, as [short
/// sums](crate::dialect::Dialect::short_sum) need: those distances are at most 2^16.
const WIDEST: u64 = 1 << 17;

/// Cells whose distances are added up.
pub(super) struct Offsets<'a> {
    source: &'a Source<'a>,
    /// The bits of the width of a cell.
    bits: u32,
}

impl<'a> Offsets<'a> {
    /// Those of a source, in dialects that add them up faster, if every cell has as many places.
    pub(super) fn of(source: &'a Source<'a>) -> Option<Self> {
        source.dialect.split("0", 1)?;
        let numbers = source.numbers()?;
        let steps = u64::from(numbers.cells.filter(|cells| cells.has_sums())?.steps());
        let (points, width) = (numbers.grid.points(), numbers.grid.points() / steps);
        let fits = (2..=WIDEST).contains(&width) && width.is_power_of_two();
        let fits = fits && width * steps == points;
        fits.then_some(Self { source, bits: width.ilog2() })
    }

    /// The cell of a grid index, and its place in the cell.
    fn split(&self, index: &str) -> [String; 2] {
        let shifted = format!("({index} + {})", self.half());
        self.source.dialect.split(&shifted, self.bits).unwrap_or_default()
    }

    fn half(&self) -> u64 {
        1 << (self.bits - 1)
    }

    /// The cell of a grid index.
    pub(super) fn cell(&self, index: &str) -> String {
        let [cell, _] = self.split(index);
        cell
    }

    /// The column of distances.
    pub(super) fn column(&self, index: &str) -> (String, &'static str) {
        let [_, place] = self.split(index);
        (format!("({place}) - {}", self.half()), "distance")
    }

    /// The grid index of a candidate.
    fn candidate(&self, item: &str) -> String {
        format!("({item}) * {}", 1u64 << self.bits)
    }

    /// The sum of the grid indices in a cell: Σ(m + d) of the candidate's index m and distances d.
    pub(super) fn index_sum(&self, item: &str) -> String {
        let dialect = self.source.dialect;
        let (m, sum) = (dialect.decimal(&self.candidate(item)), dialect.short_sum("distance"));
        format!("{m} * COUNT(*) + {sum}")
    }

    /// The sum of the squares (2g − G)² in a cell: Σ(b + 2d)² of b = 2m − G.
    pub(super) fn square_sum(&self, item: &str) -> Option<String> {
        let dialect = self.source.dialect;
        let numbers = self.source.numbers().filter(|numbers| numbers.squares)?;
        let b = format!("(2 * {} - {})", self.candidate(item), numbers.grid.points());
        let [square, linear] =
            [format!("{b} * {b}"), format!("4 * {b}")].map(|term| dialect.decimal(&term));
        let [sum, squares] =
            ["distance", "distance * distance"].map(|term| dialect.short_sum(term));
        Some(format!("{square} * COUNT(*) + {linear} * {sum} + 4 * {squares}"))
    }
}
