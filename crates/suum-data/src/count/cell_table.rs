//! Counters at each candidate, level by level.

use rustc_hash::FxHashMap;
use suum_core::{CellCounts, Cells, Grid};

use crate::count::cell_entry::Entry;

/// Counters of a level, one per candidate.
struct Array<E: Entry> {
    briefs: Box<[E::Brief]>,
    // Counts for which the briefs had no room.
    wholes: Box<FxHashMap<u32, E>>,
}

impl<E: Entry> Array<E> {
    /// Creates counters of nothing.
    fn new(candidates: usize) -> Self {
        let briefs = vec![E::Brief::default(); candidates].into_boxed_slice();
        Self { briefs, wholes: Box::default() }
    }

    #[inline]
    fn count(&mut self, candidate: u32, row: u32) {
        let brief = &mut self.briefs[candidate as usize];
        if E::count(brief, row) {
            let whole = E::whole(std::mem::take(brief));
            self.add(candidate, whole);
        }
    }

    /// Counts rows of which neighbours are often at the same candidate: they are added up first.
    fn count_run(&mut self, rows: impl Iterator<Item = (u32, u32)>) {
        let (mut at, mut together) = (0, E::Brief::default());
        for (candidate, row) in rows {
            if candidate != at {
                self.join(at, std::mem::take(&mut together));
                at = candidate;
            }
            if E::count(&mut together, row) {
                self.add(at, E::whole(std::mem::take(&mut together)));
            }
        }
        self.join(at, together);
    }

    /// Adds a small counter at a candidate.
    #[inline]
    fn join(&mut self, candidate: u32, rows: E::Brief) {
        if !E::join(&mut self.briefs[candidate as usize], rows) {
            self.add(candidate, E::whole(rows));
        }
    }

    #[cold]
    fn add(&mut self, candidate: u32, rows: E) {
        self.wholes.entry(candidate).or_default().merge(rows);
    }

    fn merge(&mut self, other: Self) {
        for (candidate, theirs) in (0..).zip(other.briefs) {
            self.join(candidate, theirs);
        }
        for (candidate, rows) in *other.wholes {
            self.add(candidate, rows);
        }
    }

    /// The candidates with rows.
    fn entries(mut self) -> impl Iterator<Item = (u32, E)> {
        let all = (0..).zip(self.briefs).map(move |(candidate, brief)| {
            let mut rows = E::whole(brief);
            rows.merge(self.wholes.remove(&candidate).unwrap_or_default());
            (candidate, rows)
        });
        all.filter(|(_, rows)| !rows.is_empty())
    }
}

/// Counters of a level, in the smaller of two forms.
enum Level<E: Entry> {
    // Row by row, in any order.
    Few(Vec<u32>),
    Many(Array<E>),
}

/// Counters by level and candidate.
///
/// There are at most as many pairs of a level and a candidate as levels times candidates, and at
/// most as many as rows. Both numbers are public (each record has R rows), so a table is crowded if
/// both exceed their limits. The actual number of pairs depends on values, and affects nothing but
/// speed and memory.
pub(crate) struct CellTable<E: Entry> {
    grid: Grid,
    cells: Cells,
    // The most pairs, or rows, of a table that is not crowded.
    most_pairs: usize,
    most_rows: usize,
    rows: u64,
    levels: Vec<Level<E>>,
    // There were too many; the memory is given back and nothing is counted any more.
    given_up: bool,
}

impl<E: Entry> CellTable<E> {
    /// Creates a table without levels; it is crowded with more than `most_pairs` pairs and more
    /// than `most_rows` rows.
    pub(crate) fn new(grid: Grid, cells: Cells, most_pairs: usize, most_rows: usize) -> Self {
        let levels = Vec::new();
        Self { grid, cells, most_pairs, most_rows, rows: 0, levels, given_up: false }
    }

    /// Creates a table of the same kind without levels.
    pub(crate) fn emptied(&self) -> Self {
        Self::new(self.grid, self.cells, self.most_pairs, self.most_rows)
    }

    /// Adds levels without rows.
    pub(crate) fn grow(&mut self, levels: usize) {
        self.levels.resize_with(self.levels.len() + levels, || Level::Few(Vec::new()));
    }

    /// Adds a row at a candidate.
    #[inline]
    pub(crate) fn add(&mut self, level: usize, candidate: u32, row: u32) {
        self.add_all(std::iter::once(level), &[candidate], std::iter::once(row));
    }

    /// Adds many rows, given by level, candidate and contribution.
    #[inline]
    pub(crate) fn add_all(
        &mut self,
        levels: impl Iterator<Item = usize>,
        candidates: &[u32],
        rows: impl Iterator<Item = u32>,
    ) {
        self.rows += candidates.len() as u64;
        if self.given_up {
            return;
        }
        for ((level, candidate), row) in levels.zip(candidates).zip(rows) {
            match &mut self.levels[level] {
                Level::Many(array) => array.count(*candidate, row),
                Level::Few(few) if few.len() < few.capacity() => few.push(row),
                Level::Few(_) => self.lengthen(level, [row]),
            }
        }
    }

    /// Adds many rows of one level, of which neighbours are often at the same candidate.
    pub(crate) fn add_run(
        &mut self,
        level: usize,
        candidates: &[u32],
        rows: impl Iterator<Item = u32>,
    ) {
        self.rows += candidates.len() as u64;
        match &mut self.levels[level] {
            _ if self.given_up => {}
            Level::Many(array) => array.count_run(candidates.iter().copied().zip(rows)),
            Level::Few(_) => self.lengthen(level, rows),
        }
    }

    /// Adds rows to a level that has few, which become an array where this is smaller.
    #[cold]
    fn lengthen(&mut self, level: usize, rows: impl IntoIterator<Item = u32>) {
        let Level::Few(few) = &mut self.levels[level] else { return };
        few.extend(rows);
        let candidates = self.cells.steps() as usize + 1;
        if few.capacity() * size_of::<u32>() > candidates * size_of::<E::Brief>() {
            let mut array = Array::new(candidates);
            count_few(&mut array, few, &self.grid, self.cells);
            self.levels[level] = Level::Many(array);
        }
    }

    /// Adds a table of the same candidates, whose level i is `positions[i]` here.
    pub(crate) fn merge(&mut self, other: Self, positions: &[usize]) {
        self.rows += other.rows;
        if other.given_up {
            self.give_up();
        }
        if self.given_up {
            return;
        }
        for (position, theirs) in positions.iter().zip(other.levels) {
            let ours = &mut self.levels[*position];
            match (ours, theirs) {
                (Level::Few(ours), theirs) if ours.is_empty() => self.levels[*position] = theirs,
                (Level::Few(_), Level::Few(theirs)) => self.lengthen(*position, theirs),
                (Level::Few(few), Level::Many(mut array)) => {
                    count_few(&mut array, few, &self.grid, self.cells);
                    self.levels[*position] = Level::Many(array);
                }
                (Level::Many(array), Level::Few(few)) => {
                    count_few(array, &few, &self.grid, self.cells);
                }
                (Level::Many(ours), Level::Many(theirs)) => ours.merge(theirs),
            }
        }
    }

    /// Returns true if there may be more pairs of a level and a candidate than a scan may hold,
    /// judged by public numbers.
    #[inline]
    pub(crate) fn is_crowded(&self) -> bool {
        let pairs = self.levels.len().saturating_mul(self.cells.steps() as usize + 1);
        !self.given_up && pairs > self.most_pairs && self.rows > self.most_rows as u64
    }

    /// Frees the memory and counts nothing from now on.
    pub(crate) fn give_up(&mut self) {
        self.given_up = true;
        self.levels.iter_mut().for_each(|level| *level = Level::Few(Vec::new()));
    }

    /// Gives up if the table is [crowded](Self::is_crowded).
    #[inline]
    pub(crate) fn give_up_if_crowded(&mut self) {
        if self.is_crowded() {
            self.give_up();
        }
    }

    pub(crate) fn has_given_up(&self) -> bool {
        self.given_up
    }

    /// Converts the table to counts at the candidates of each level.
    pub(crate) fn into_levels(self) -> Vec<CellCounts> {
        let counts = |level| match level {
            Level::Few(few) => E::one_by_one(few, &self.grid, self.cells),
            Level::Many(array) => E::collect_counts(array.entries(), self.grid.points()),
        };
        self.levels.into_iter().map(counts).collect()
    }
}

/// Counts the rows of a level that listed them one by one.
fn count_few<E: Entry>(array: &mut Array<E>, few: &[u32], grid: &Grid, cells: Cells) {
    few.iter().for_each(|row| array.count(E::candidate(*row, grid, cells), *row));
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use suum_core::{Bounds, CellSums, ExactSum};

    use crate::count::cell_entry::Sums;

    /// Nine steps of a grid of 2^31, so that sums need more than 64 bits.
    fn grid() -> (Grid, Cells) {
        (Grid::with_points(Bounds::UNIT, 1 << 31).unwrap(), Cells::new(9).unwrap())
    }

    fn empty<E: Entry>(limit: usize, levels: usize) -> CellTable<E> {
        let (grid, cells) = grid();
        let mut table = CellTable::new(grid, cells, limit, limit);
        table.grow(levels);
        table
    }

    fn table(limit: usize, levels: usize, rows: &[(usize, u32)]) -> CellTable<u64> {
        let mut table = empty(limit, levels);
        rows.iter().for_each(|(level, candidate)| table.add(*level, *candidate, *candidate));
        table
    }

    /// Counts by their definition.
    fn count_rows(rows: &[u32]) -> CellCounts {
        CellCounts::from_raw(rows.iter().map(|candidate| (*candidate, 1)).collect())
    }

    /// Sums of grid indices at ten candidates of a table of two levels, of which the second
    /// has them in runs and one by one.
    fn sums(rows: &[u32]) -> CellTable<Sums> {
        let (grid, cells) = grid();
        let mut table = empty(1000, 2);
        let at = |row: &u32| cells.nearest_candidate(&grid, u64::from(*row));
        let (run, each) = rows.split_at(rows.len() / 2);
        let candidates: Vec<u32> = run.iter().map(at).collect();
        table.add_run(1, &candidates, run.iter().copied());
        each.iter().for_each(|row| table.add(1, at(row), *row));
        table
    }

    #[test]
    fn runs_are_added_as_one_by_one() {
        // More at a candidate than a brief has room for, together and in turns.
        let candidates = [vec![3; 1200], [9, 3].repeat(300), vec![0]].concat();
        let mut run = empty::<u64>(100, 2);
        for part in [&candidates[..1], &candidates[1..4], &candidates[4..]] {
            run.add_run(1, part, part.iter().copied());
        }
        run.add_run(0, &[], std::iter::empty());
        let each: Vec<(usize, u32)> = candidates.iter().map(|at| (1, *at)).collect();
        let expected = [CellCounts::default(), count_rows(&candidates)];
        assert_eq!(run.into_levels(), expected);
        assert_eq!(table(100, 2, &each).into_levels(), expected);
    }

    proptest! {
        /// Levels with few rows, with many, and with more than small counters hold.
        #[test]
        fn levels_in_all_forms_are_what_was_added(
            rows in prop::collection::vec((0usize..4, 0u32..10), 0..60),
            more in prop::collection::vec((0usize..3, 0u32..10), 0..60),
            times in prop::array::uniform2(prop::sample::select(vec![1, 2, 30, 300])),
            limits in prop::array::uniform2(
                prop::sample::select(vec![0, 20, 30, 39, 40, 49, 50, 1000]),
            ),
            grow: bool,
        ) {
            let (rows, more) = (rows.repeat(times[0]), more.repeat(times[1]));
            let positions = [3, 0, 3];
            let mut expected = vec![Vec::new(); 5];
            rows.iter().for_each(|(level, candidate)| expected[*level].push(*candidate));
            more.iter().for_each(|(level, candidate)| expected[positions[*level]].push(*candidate));
            let expected: Vec<CellCounts> = expected.iter().map(|rows| count_rows(rows)).collect();

            let mut ours = table(limits[0], 4, &rows);
            if grow {
                ours.grow(1);
            }
            ours.merge(table(limits[1], 3, &more), &positions);
            if !grow {
                ours.grow(1);
            }
            // Five levels of ten candidates.
            prop_assert_eq!(
                ours.is_crowded(),
                50 > limits[0] && rows.len() + more.len() > limits[0]
            );
            prop_assert!(ours.into_levels() == expected);
        }

        /// The largest indices, which fill briefs soonest, among others.
        #[test]
        fn sums_in_all_forms_are_those_of_all_records(
            rows in prop::collection::vec(prop_oneof![Just(1u32 << 31), 0u32..=1 << 31], 0..40),
            more in prop::collection::vec(prop_oneof![Just(1u32 << 31), 0u32..=1 << 31], 0..40),
            times in prop::array::uniform2(prop::sample::select(vec![1, 2, 20, 200])),
        ) {
            let (rows, more) = (rows.repeat(times[0]), more.repeat(times[1]));
            let mut ours = sums(&rows);
            ours.merge(sums(&more), &[0, 1]);
            let (grid, cells) = grid();
            let one_by_one = |index: &u32| {
                let centred = 2 * i128::from(*index) - (1 << 31);
                let [indices, squares] =
                    [i128::from(*index), centred * centred].map(ExactSum::from_raw);
                let candidate = cells.nearest_candidate(&grid, u64::from(*index));
                (candidate, 1, CellSums { indices, squares })
            };
            let expected = rows.iter().chain(&more).map(one_by_one).collect();
            let expected = CellCounts::with_sums(expected);
            prop_assert!(ours.into_levels() == [CellCounts::default(), expected]);
        }
    }

    #[test]
    fn what_has_given_up_stays_so() {
        let mut given_up = table(10, 2, &[(0, 1)]);
        given_up.give_up();
        given_up.grow(1);
        given_up.add(2, 3, 3);
        given_up.add_run(1, &[3], std::iter::once(3));
        let mut ours = table(10, 1, &[(0, 1)]);
        ours.merge(given_up, &[0, 0, 0]);
        assert!(ours.has_given_up() && !ours.is_crowded());
        assert_eq!(ours.into_levels(), [CellCounts::default()]);
    }
}
