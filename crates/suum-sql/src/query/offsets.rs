//! Sums in cells from distances: how far a grid index is from the candidate of its cell. They are
//! short, so that their sums and those of their squares need few integers of 64 bits.

use super::Source;

/// The widest cell whose squares of distances are at most 2^32, so that 64 bits hold their sum:
/// those distances are at most 2^16.
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

    /// The sum of the places p in a cell. They are not negative.
    pub(super) fn place_sum(&self) -> String {
        format!("{} * COUNT(*) + SUM(distance)", self.half())
    }

    /// The sum of the squares of distances: where there are sums in cells, there are squares.
    pub(super) fn square_sum(&self) -> String {
        "SUM(distance * distance)".to_owned()
    }

    /// The sums of the grid indices and of the squares of so many records in a cell, of these sums,
    /// all of which are columns: Σ(m + d) and Σ(b + 2d)² of b = 2m − G, for the grid index m of the
    /// candidate and distances d.
    pub(super) fn wholes(&self, cell: &str) -> [String; 2] {
        let dialect = self.source.dialect;
        let name = |name: &str| dialect.decimal(&format!("{cell}.{name}"));
        let points = self.source.numbers().map_or(0, |numbers| numbers.grid.points());
        let m = format!("{cell}.item * {}", 1u64 << self.bits);
        let b = format!("(2 * {m} - {points})");
        let [m, b, square] =
            [m, b.clone(), format!("{b} * {b}")].map(|term| dialect.decimal(&term));
        let (n, half) = (name("records"), self.half());
        let sum = format!("({} - {half} * {n})", name("index_sum"));
        let squares = format!("4 * {}", name("square_sum"));
        [format!("{m} * {n} + {sum}"), format!("{square} * {n} + 4 * {b} * {sum} + {squares}")]
    }
}
