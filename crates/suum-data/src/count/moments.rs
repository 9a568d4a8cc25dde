//! Optional measures of numbers besides their sum: squares, and rows or sums at candidates.

use fearless_simd::{Level, dispatch};
use suum_core::{CellCounts, ExactSum, Numbers};

use crate::count::cell_entry::Sums;
use crate::count::cell_table::CellTable;

/// Limits of sums in cells, as divisors of those of counts: fewer pairs of a level and a cell,
/// since an entry takes as much memory as several counts; and fewer records where pairs could be
/// more, since a database returns each pair.
pub const PARTS_OF_SUMS: SumsLimit = SumsLimit { pairs: 8, records: 64 };

/// Limits of sums in cells, as divisors of the limit of counts.
#[derive(Debug, Clone, Copy)]
pub struct SumsLimit {
    pairs: usize,
    records: usize,
}

impl SumsLimit {
    /// Largest number of pairs of a level and a cell, given the limit of counters.
    pub fn pairs(self, counters: usize) -> usize {
        counters / self.pairs
    }

    /// Largest number of records where there could be more pairs, given the limit of counters.
    pub fn records(self, counters: usize) -> usize {
        counters / self.records
    }

    /// Returns true if `levels` levels, `cells` cells and `records` records exceed the limits.
    pub fn is_exceeded(self, counters: usize, levels: usize, cells: usize, records: u64) -> bool {
        levels.saturating_mul(cells) > self.pairs(counters)
            && records > self.records(counters) as u64
    }
}

/// Squares, and rows or sums at candidates.
pub(crate) struct Moments {
    numbers: Numbers,
    // By level; empty if they were not asked for. With G ≤ 2^31, 2^63 squares stay below 2^126.
    squares: Vec<i128>,
    cells: Option<CellTable<u64>>,
    // In cells, of indices that are at most 2^31, for a mean that learns where the values lie: it
    // can do without.
    sums: Option<CellTable<Sums>>,
    // Room for the candidates of many records.
    candidates: Vec<u32>,
}

impl Moments {
    /// Creates moments without levels, with room for `limit` pairs of a level and a candidate.
    pub(crate) fn new(numbers: &Numbers, limit: usize) -> Self {
        let grid = numbers.grid;
        let (with_sums, counted) = match numbers.cells {
            Some(cells) if cells.has_sums() => (Some(cells), None),
            cells => (None, cells),
        };
        let cells = counted.map(|cells| CellTable::new(grid, cells, limit, limit));
        let (pairs, records) = (PARTS_OF_SUMS.pairs(limit), PARTS_OF_SUMS.records(limit));
        let sums = with_sums.map(|cells| CellTable::new(grid, cells, pairs, records));
        Self { numbers: *numbers, squares: Vec::new(), cells, sums, candidates: Vec::new() }
    }

    /// Creates moments of the same kind without levels.
    pub(crate) fn emptied(&self) -> Self {
        let cells = self.cells.as_ref().map(CellTable::emptied);
        let sums = self.sums.as_ref().map(CellTable::emptied);
        let (squares, candidates) = (Vec::new(), Vec::new());
        Self { numbers: self.numbers, squares, cells, sums, candidates }
    }

    /// Adds levels without records.
    pub(crate) fn grow(&mut self, levels: usize) {
        if self.numbers.squares {
            self.squares.resize(self.squares.len() + levels, 0);
        }
        if let Some(cells) = &mut self.cells {
            cells.grow(levels);
        }
        if let Some(sums) = &mut self.sums {
            sums.grow(levels);
        }
    }

    /// Adds a record of a grid index, and the indices of the rows it stands for.
    #[inline]
    pub(crate) fn add(&mut self, level: usize, index: u64, rows: &[u64]) {
        let grid = self.numbers.grid;
        if let Some(squares) = self.squares.get_mut(level) {
            *squares += centred_square(index, grid.points());
        }
        let Some(cells) = self.numbers.cells else { return };
        if let Some(table) = &mut self.cells {
            for row in rows {
                let candidate = cells.nearest_candidate(&grid, *row);
                table.add(level, candidate, candidate);
            }
        }
        if let Some(table) = &mut self.sums {
            table.add(level, cells.nearest_candidate(&grid, index), index as u32);
            table.give_up_if_crowded();
        }
    }

    /// Adds many records, each of which stands for itself.
    #[inline]
    pub(crate) fn add_all(
        &mut self,
        positions: impl Iterator<Item = usize> + Clone,
        indices: &[u64],
    ) {
        let points = self.numbers.grid.points();
        if self.numbers.squares {
            for (position, index) in positions.clone().zip(indices) {
                self.squares[position] += centred_square(*index, points);
            }
        }
        self.find_candidates(indices);
        if let Some(table) = &mut self.cells {
            table.add_all(positions.clone(), &self.candidates, self.candidates.iter().copied());
        }
        if let Some(table) = &mut self.sums {
            table.add_all(positions, &self.candidates, indices.iter().map(|index| *index as u32));
            table.give_up_if_crowded();
        }
    }

    /// Adds many records of a level, each of which stands for itself.
    pub(crate) fn add_run(&mut self, level: usize, indices: &[u64]) {
        let points = self.numbers.grid.points();
        if let Some(squares) = self.squares.get_mut(level) {
            *squares += indices.iter().map(|index| centred_square(*index, points)).sum::<i128>();
        }
        self.find_candidates(indices);
        if let Some(table) = &mut self.cells {
            table.add_run(level, &self.candidates, self.candidates.iter().copied());
        }
        if let Some(table) = &mut self.sums {
            table.add_run(level, &self.candidates, indices.iter().map(|index| *index as u32));
            table.give_up_if_crowded();
        }
    }

    /// Computes the candidates of many records, if any are requested.
    #[inline]
    fn find_candidates(&mut self, indices: &[u64]) {
        self.candidates.clear();
        if let Some(cells) = self.numbers.cells {
            let grid = self.numbers.grid;
            // Uses the widest vector instructions of this processor.
            let candidates = &mut self.candidates;
            dispatch!(Level::new(), _ => cells.nearest_candidates(&grid, indices, candidates));
        }
    }

    /// Adds a sum of squares to a level.
    pub(crate) fn add_squares(&mut self, level: usize, centred: i128) {
        if let Some(squares) = self.squares.get_mut(level) {
            *squares += centred;
        }
    }

    /// Adds moments of the same numbers, whose level i is `positions[i]` here.
    pub(crate) fn merge(&mut self, other: Self, positions: &[usize]) {
        for (position, squares) in positions.iter().zip(other.squares) {
            self.squares[*position] += squares;
        }
        if let (Some(ours), Some(theirs)) = (&mut self.cells, other.cells) {
            ours.merge(theirs, positions);
        }
        if let (Some(ours), Some(theirs)) = (&mut self.sums, other.sums) {
            ours.merge(theirs, positions);
            ours.give_up_if_crowded();
        }
    }

    /// Rows at candidates, if they are counted.
    #[inline]
    pub(crate) fn cells(&self) -> Option<&CellTable<u64>> {
        self.cells.as_ref()
    }

    /// Stops counting rows at candidates.
    pub(crate) fn give_up_cells(&mut self) {
        if let Some(cells) = &mut self.cells {
            cells.give_up();
        }
    }

    /// Stops adding up sums in cells.
    pub(crate) fn give_up_sums(&mut self) {
        if let Some(sums) = &mut self.sums {
            sums.give_up();
        }
    }

    /// Returns true if sums in cells were requested and given up.
    pub(crate) fn lost_sums(&self) -> bool {
        self.sums.as_ref().is_some_and(CellTable::has_given_up)
    }

    /// Sum of squares of a level, if it was requested.
    pub(crate) fn squares(&self, level: usize) -> Option<ExactSum> {
        self.squares.get(level).map(|squares| ExactSum::from_raw(*squares))
    }

    /// Takes out the counts at candidates of each level; empty if they were not requested.
    pub(crate) fn take_cells(&mut self) -> Vec<CellCounts> {
        match self.sums.take_if(|sums| !sums.has_given_up()) {
            Some(sums) => sums.into_levels(),
            None => self.cells.take().map_or(Vec::new(), CellTable::into_levels),
        }
    }
}

/// Returns (2g − G)² for a grid index g: twice its distance from the middle of the bounds, squared.
#[inline]
fn centred_square(index: u64, points: u64) -> i128 {
    // An index is at most G, which is at most 2^50.
    let centred = i128::from(2 * index as i64 - points as i64);
    centred * centred
}
