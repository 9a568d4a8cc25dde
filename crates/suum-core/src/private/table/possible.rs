//! Consistency of the sums of a level with its number of records.

use dashu_int::IBig;

use super::{LevelSums, Measure, Numbers};
use crate::{CellBlocks, CellSums, Cells, ExactSum};

/// Returns true if the sums of a level are possible for its count: 0..=count·G for grid indices;
/// for categories they must add up to the steps of all records.
pub(super) fn possible(level_sums: &LevelSums, measure: &Measure) -> bool {
    let count = i128::from(level_sums.count);
    let mut sums = level_sums.sums.iter().map(ExactSum::expose_raw);
    let counted = matches!(measure, Measure::Numbers(Numbers { cells: Some(_), .. }));
    level_sums.sums.len() == measure.sums()
        && (counted || level_sums.cells.is_empty())
        && match measure {
            Measure::Nothing => true,
            Measure::Numbers(numbers) => {
                sums.next().is_some_and(|sum| {
                    (0..=count * i128::from(numbers.grid.points())).contains(&sum)
                }) && sums
                    .next()
                    .is_none_or(|squares| possible_squares(level_sums, numbers, count, squares))
                    && numbers.cells.is_none_or(|cells| possible_cells(level_sums, cells, numbers))
            }
            Measure::Categories(categories) => {
                // At most 2^64 records of 2^20 steps each.
                let all = count * i128::from(categories.steps());
                let mut left = all;
                sums.all(|sum| {
                    let fits = (0..=left).contains(&sum);
                    left -= if fits { sum } else { 0 };
                    fits
                }) && left == 0
            }
        }
}

/// Returns true if there are numbers with this sum and sum of squares: (Σc)² ≤ n·Σc² ≤ (n·G)² for
/// c = 2g − G.
fn possible_squares(level_sums: &LevelSums, numbers: &Numbers, count: i128, squares: i128) -> bool {
    let points = i128::from(numbers.grid.points());
    let sum = level_sums.sums.first().map_or(0, ExactSum::expose_raw);
    let all = count * points;
    // 2Σg − nG, computed without overflow: sums are at most nG.
    let centred = sum - (all - sum);
    is_at_most([centred; 2], [count, squares]) && is_at_most([squares, 1], [all, points])
}

/// Returns true if the product of the first two numbers is at most that of the other two.
fn is_at_most(one: [i128; 2], other: [i128; 2]) -> bool {
    let product = |[a, b]: [i128; 2]| a.checked_mul(b);
    let whole = |[a, b]: [i128; 2]| IBig::from(a) * IBig::from(b);
    match (product(one), product(other)) {
        (Some(one), Some(other)) => one <= other,
        // Products that do not fit 127 bits are computed in big integers.
        _ => whole(one) <= whole(other),
    }
}

/// Returns true if all candidates exist and have R rows for each record in total, and if the sums
/// at each candidate are possible and add up to the sums of the level.
fn possible_cells(level_sums: &LevelSums, cells: Cells, numbers: &Numbers) -> bool {
    let last = level_sums.cells.expose_raw().last().map(|(candidate, _)| candidate);
    last.is_none_or(|last| last <= cells.steps())
        && level_sums.cells.total() == level_sums.count.checked_mul(u64::from(cells.rows()))
        && match cells.has_sums() {
            true => numbers.squares && possible_cell_sums(level_sums, cells, numbers),
            false => level_sums.cells.expose_sums().next().is_none(),
        }
}

/// Returns true if the sums of indices at each candidate are possible in its block, and all add up
/// to the sums of the level.
fn possible_cell_sums(level_sums: &LevelSums, cells: Cells, numbers: &Numbers) -> bool {
    let points = i128::from(numbers.grid.points());
    let blocks = CellBlocks::new(cells, &numbers.grid);
    let possible = |candidate: u32, count: u64, sums: &CellSums| {
        let count = i128::from(count);
        let [first, last] = [blocks.first(candidate), blocks.last(candidate)];
        let first = i128::from(cells.first_index(&numbers.grid, first));
        let last = match last == cells.steps() {
            true => points,
            false => i128::from(cells.first_index(&numbers.grid, last + 1)) - 1,
        };
        let (sum, squares) = (sums.indices.expose_raw(), sums.squares.expose_raw());
        if !(count * first..=count * last).contains(&sum) {
            return false;
        }
        // Σc of c = 2g − G, each of which is at most the larger one at the two ends.
        let centred = sum - (count * points - sum);
        let most = (2 * first - points).abs().max((2 * last - points).abs());
        is_at_most([centred; 2], [count, squares]) && is_at_most([squares, 1], [count, most * most])
    };
    let mut totals = Some([0i128; 2]);
    let all_possible = level_sums.cells.entries().all(|(candidate, count, sums)| {
        let more = [sums.indices.expose_raw(), sums.squares.expose_raw()];
        totals = totals.and_then(|[indices, squares]| {
            Some([indices.checked_add(more[0])?, squares.checked_add(more[1])?])
        });
        possible(candidate, count, &sums)
    });
    let asked = level_sums.sums.iter().map(ExactSum::expose_raw);
    // Either all counts have sums, or none has.
    (level_sums.cells.is_empty() || level_sums.cells.expose_sums().next().is_some())
        && all_possible
        && totals.is_some_and(|totals| asked.eq(totals))
}
