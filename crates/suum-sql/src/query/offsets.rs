//! Sums in blocks of cells from places: the distance of a grid index from the first of its block.
//! They are short, so that their sums and those of their squares need few integers of 64 bits. And
//! blocks are fewer than cells: the hash map of a task of Spark then fits its processor's caches.

use suum_core::{CellBlocks, Numbers};

use super::Source;
use super::steps::case;
use crate::dialect::split;

/// Width of the widest block: places are less than 2^20.
const WIDEST: u64 = 1 << 20;

/// Blocks of cells in which places are added up.
pub(super) struct Offsets<'a> {
    source: &'a Source<'a>,
    blocks: CellBlocks,
    /// Number of the last cell.
    steps: u64,
    /// Binary logarithms of the width of a cell, and of a block.
    bits: [u32; 2],
}

impl<'a> Offsets<'a> {
    /// Blocks of a source, in dialects that add them up faster, if every cell has the same number
    /// of places.
    pub(super) fn for_source(source: &'a Source<'a>) -> Option<Self> {
        if !source.dialect.adds_up_places() {
            return None;
        }
        let Numbers { grid, cells, .. } = source.numbers()?;
        let cells = cells.filter(|cells| cells.has_sums())?;
        let blocks = CellBlocks::new(cells, grid);
        let (points, steps) = (grid.points(), u64::from(cells.steps()));
        let width = points / steps;
        let of_block = width * u64::from(blocks.width());
        let fits = width >= 2 && width.is_power_of_two() && of_block.is_power_of_two();
        let fits = fits && of_block <= WIDEST && width * steps == points;
        let bits = [width, of_block].map(|width| width.ilog2());
        fits.then_some(Self { source, blocks, steps, bits })
    }

    /// Half the width of a cell: grid indices are shifted by it, so that cells begin at multiples
    /// of their width.
    fn half(&self) -> u64 {
        1 << (self.bits[0] - 1)
    }

    /// Columns of the shifted grid index and of its block.
    pub(super) fn columns(&self, index: &str) -> [(String, &'static str); 2] {
        let shifted = format!("{index} + {}", self.half());
        let [block, _] = split(&format!("({shifted})"), self.bits[1]);
        [(shifted, "shifted"), (block, "block")]
    }

    /// Number of a block, or of a cell where blocks are split, from these columns.
    pub(super) fn number(&self) -> String {
        let [cell, _] = split("shifted", self.bits[0]);
        if self.blocks.width() == 1 {
            return cell;
        }
        let ([first, end], around) = self.blocks.whole();
        let mut whole = format!("block >= {first} AND block < {end}");
        if let Some([first, last]) = around {
            whole += &format!(" AND (block < {first} OR block > {last})");
        }
        let cell = format!("{cell} + {}", self.parted());
        case(&[(whole, "block".to_owned())], Some(&cell))
    }

    /// Place in a block, from these columns.
    pub(super) fn place(&self) -> String {
        let [_, place] = split("shifted", self.bits[1]);
        place
    }

    /// Number of the first of all cells: those of blocks come before.
    fn parted(&self) -> u64 {
        match self.blocks.width() {
            1 => 0,
            width => self.steps / u64::from(width) + 1,
        }
    }

    /// Count of all numbers of blocks and cells.
    pub(super) fn numbers(&self) -> u64 {
        self.parted() + self.steps + 1
    }

    /// Cell of a number: the first of its block.
    pub(super) fn cell(&self, number: &str) -> String {
        let (width, parted) = (self.blocks.width(), self.parted());
        if width == 1 {
            return number.to_owned();
        }
        format!(
            "CASE WHEN {number} < {parted} THEN {number} * {width} ELSE {number} - {parted} END"
        )
    }

    /// Sum of places.
    pub(super) fn place_sum(&self) -> String {
        "SUM(cell_place)".to_owned()
    }

    /// Sum of their squares: sums in cells always come with squares.
    pub(super) fn square_sum(&self) -> String {
        self.source.dialect.sum("cell_place * cell_place", 2 * self.bits[1])
    }

    /// Sums of the grid indices and of the squares of the records in a cell, from these sums, all
    /// of which are columns: Σ(m + p) and Σ(b + 2p)² with b = 2m − G, for the least grid index m of
    /// the block and places p.
    pub(super) fn wholes(&self, cell: &str) -> [String; 2] {
        let dialect = self.source.dialect;
        let name = |name: &str| dialect.decimal(&format!("{cell}.{name}"));
        let points = self.source.numbers().map_or(0, |numbers| numbers.grid.points());
        let [block, _] = split(&format!("{cell}.item"), self.bits[1] - self.bits[0]);
        let m = format!("({block} * {} - {})", 1u64 << self.bits[1], self.half());
        let b = format!("(2 * {m} - {points})");
        let [m, b, square] =
            [m, b.clone(), format!("{b} * {b}")].map(|term| dialect.decimal(&term));
        let (n, sum) = (name("records"), name("index_sum"));
        let squares = format!("4 * {}", name("square_sum"));
        [format!("{m} * {n} + {sum}"), format!("{square} * {n} + 4 * {b} * {sum} + {squares}")]
    }
}
