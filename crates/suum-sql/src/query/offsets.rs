//! Sums in blocks of cells from places: how far a grid index is above the first of its block. They
//! are short, so that their sums and those of their squares need few integers of 64 bits. And
//! blocks are fewer than cells: what a task of Spark adds up in is near its processor then.

use suum_core::{CellBlocks, Numbers};

use super::Source;
use super::steps::case;
use crate::dialect::split;

/// The widest block: places are less than 2^20.
const WIDEST: u64 = 1 << 20;

/// Blocks of cells in which places are added up.
pub(super) struct Offsets<'a> {
    source: &'a Source<'a>,
    blocks: CellBlocks,
    /// The number of the last cell.
    steps: u64,
    /// The bits of the width of a cell, and of a block.
    bits: [u32; 2],
}

impl<'a> Offsets<'a> {
    /// Those of a source, in dialects that add them up faster, if every cell has as many places.
    pub(super) fn of(source: &'a Source<'a>) -> Option<Self> {
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

    /// Half the width of a cell: by so much a grid index is shifted, that cells begin at multiples
    /// of their width.
    fn half(&self) -> u64 {
        1 << (self.bits[0] - 1)
    }

    /// The columns of the shifted grid index and of its block.
    pub(super) fn columns(&self, index: &str) -> [(String, &'static str); 2] {
        let shifted = format!("{index} + {}", self.half());
        let [block, _] = split(&format!("({shifted})"), self.bits[1]);
        [(shifted, "shifted"), (block, "block")]
    }

    /// The number of a block, or of a cell where blocks are parted, by these columns.
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

    /// The place in a block, by these columns.
    pub(super) fn place(&self) -> String {
        let [_, place] = split("shifted", self.bits[1]);
        place
    }

    /// The number of the first of all cells: those of blocks come before.
    fn parted(&self) -> u64 {
        match self.blocks.width() {
            1 => 0,
            width => self.steps / u64::from(width) + 1,
        }
    }

    /// How many numbers there are.
    pub(super) fn numbers(&self) -> u64 {
        self.parted() + self.steps + 1
    }

    /// The cell of a number: the first of its block.
    pub(super) fn cell(&self, number: &str) -> String {
        let (width, parted) = (self.blocks.width(), self.parted());
        if width == 1 {
            return number.to_owned();
        }
        format!(
            "CASE WHEN {number} < {parted} THEN {number} * {width} ELSE {number} - {parted} END"
        )
    }

    /// The sum of places.
    pub(super) fn place_sum(&self) -> String {
        "SUM(cell_place)".to_owned()
    }

    /// The sum of their squares: where there are sums in cells, there are squares.
    pub(super) fn square_sum(&self) -> String {
        self.source.dialect.sum("cell_place * cell_place", 2 * self.bits[1])
    }

    /// The sums of the grid indices and of the squares of so many records in a cell, of these sums,
    /// all of which are columns: Σ(m + p) and Σ(b + 2p)² of b = 2m − G, for the least grid index m
    /// of the block and places p.
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
