//! The hot kernel: counts and sums per level.

use suum_core::{Epsilon, ExactSum, LevelSums, Measure, Numbers};

use crate::count::briefs::{Briefs, RecordTotals};
use crate::count::cell_table::CellTable;
use crate::count::coded::{FEW_STEPS, LevelOfCode, for_each_code, for_each_small};
use crate::count::parts::Parts;
use crate::count::totals::Total;

/// Largest number of pairs of a level and a category or candidate, over all groups: 512 MiB of
/// counters.
pub const MOST: usize = 1 << 26;

/// Number of records of a level, and the exact sum of their grid indices.
///
/// An index is at most 2^50, so 2^63 records stay below 2^113: the sum cannot overflow.
#[derive(Clone, Copy, Default)]
struct Tally {
    count: u64,
    sum: i128,
}

impl Tally {
    #[inline]
    fn add(&mut self, index: u64) {
        self.count += 1;
        self.sum += i128::from(index);
    }
}

/// Counts and sums that one person adds to their level.
#[derive(Clone, Copy)]
pub(crate) enum Contribution<'a> {
    /// A grid index or category, and the indices of the rows they stand for at candidates.
    One { index: u64, rows: &'a [u64] },
    /// Categories, and the steps of one count in each; they add up to those of a record.
    Shares(&'a [(u64, u64)]),
}

/// Counts and sums of each level; a level is known by its position.
pub(crate) struct Counters {
    tallies: Vec<Tally>,
    // Sums of records that the tallies have not yet; used where records come with their level.
    briefs: Option<Briefs>,
    // True if sums of indices are small enough for the faster way.
    small: bool,
    parts: Parts,
}

impl Counters {
    /// Creates counters without levels, with room for `limit` pairs of a level and a candidate.
    pub(crate) fn new(measure: &Measure, limit: usize) -> Self {
        let parts = Parts::new(measure, limit);
        let briefs = match measure {
            Measure::Numbers(numbers) => Briefs::new(numbers),
            Measure::Nothing | Measure::Categories(_) => None,
        };
        let small = match measure {
            Measure::Numbers(numbers) => numbers.grid.points() < FEW_STEPS,
            Measure::Nothing | Measure::Categories(_) => true,
        };
        Self { tallies: Vec::new(), briefs, small, parts }
    }

    /// Takes all levels out and leaves empty counters.
    pub(crate) fn take(&mut self) -> Self {
        let empty = self.emptied();
        std::mem::replace(self, empty)
    }

    /// Creates counters of the same kind without levels.
    fn emptied(&self) -> Self {
        let (briefs, parts) = (self.briefs.as_ref().map(Briefs::emptied), self.parts.emptied());
        Self { tallies: Vec::new(), briefs, small: self.small, parts }
    }

    /// The number of counters of categories.
    pub(crate) fn classes(&self) -> usize {
        match &self.parts {
            Parts::CategoryRule { width, .. } => self.levels().saturating_mul(*width),
            _ => 0,
        }
    }

    /// Returns true if there may be more pairs of a level and a candidate than a scan may hold.
    #[inline]
    pub(crate) fn is_crowded(&self) -> bool {
        self.cells().is_some_and(CellTable::is_crowded)
    }

    /// Stops counting rows at candidates.
    pub(crate) fn give_up(&mut self) {
        if let Parts::Moments(moments) = &mut self.parts {
            moments.give_up_cells();
        }
    }

    pub(crate) fn has_given_up(&self) -> bool {
        self.cells().is_some_and(CellTable::has_given_up)
    }

    /// Stops adding up sums in cells.
    pub(crate) fn give_up_sums(&mut self) {
        if let Parts::Moments(moments) = &mut self.parts {
            moments.give_up_sums();
        }
    }

    /// Measure that was added up: `asked`, without sums in cells if there were too many pairs of a
    /// level and a cell.
    pub(crate) fn effective_measure(&self, asked: Measure) -> Measure {
        match (&self.parts, asked) {
            (Parts::Moments(moments), Measure::Numbers(numbers)) if moments.lost_sums() => {
                Measure::Numbers(Numbers { cells: None, ..numbers })
            }
            (_, asked) => asked,
        }
    }

    #[inline]
    fn cells(&self) -> Option<&CellTable<u64>> {
        match &self.parts {
            Parts::Moments(moments) => moments.cells(),
            _ => None,
        }
    }

    pub(crate) fn levels(&self) -> usize {
        self.tallies.len()
    }

    /// Adds levels without records.
    pub(crate) fn grow(&mut self, levels: usize) {
        self.tallies.resize(self.tallies.len() + levels, Tally::default());
        match &mut self.parts {
            Parts::Nothing | Parts::Sum => {}
            Parts::CategoryRule { width, counts, .. } => {
                counts.resize(self.tallies.len() * *width, 0);
            }
            Parts::Moments(moments) => moments.grow(levels),
        }
    }

    /// Adds a record of a grid index or of a category.
    #[inline]
    pub(crate) fn add(&mut self, level: usize, index: u64) {
        match &mut self.parts {
            Parts::Nothing | Parts::Sum => self.tallies[level].add(index),
            Parts::CategoryRule { width, steps, counts } => {
                counts[level * *width + index as usize] += *steps;
            }
            Parts::Moments(moments) => {
                self.tallies[level].add(index);
                moments.add(level, index, &[index]);
            }
        }
    }

    /// Adds records of one level.
    pub(crate) fn add_run(&mut self, level: usize, indices: &[u64]) {
        self.tallies[level].count += indices.len() as u64;
        self.tallies[level].sum += indices.iter().map(|index| i128::from(*index)).sum::<i128>();
        match &mut self.parts {
            Parts::Moments(moments) => moments.add_run(level, indices),
            parts => parts.add_all(std::iter::repeat_n(level, indices.len()), indices),
        }
    }

    /// Adds a person, by what all their rows contribute.
    pub(crate) fn add_person(&mut self, level: usize, contribution: Contribution<'_>) {
        match (&mut self.parts, contribution) {
            (Parts::Moments(moments), Contribution::One { index, rows }) => {
                self.tallies[level].add(index);
                moments.add(level, index, rows);
            }
            (_, Contribution::One { index, .. }) => self.add(level, index),
            (Parts::CategoryRule { width, counts, .. }, Contribution::Shares(shares)) => {
                for (category, steps) in shares {
                    counts[level * *width + *category as usize] += steps;
                }
            }
            // Shares are those of categories.
            (_, Contribution::Shares(_)) => {}
        }
    }

    /// Adds many records; every level must be a position here.
    pub(crate) fn add_all(&mut self, levels: &[u32], indices: &[u64]) {
        let positions = || levels.iter().map(|level| *level as usize);
        if self.briefs.as_ref().is_some_and(|briefs| !briefs.has_room(indices.len())) {
            self.settle();
        }
        if let Some(briefs) = &mut self.briefs {
            briefs.add_all(self.tallies.len(), positions().zip(indices.iter().copied()));
            return;
        }
        if !matches!(self.parts, Parts::CategoryRule { .. }) {
            for (level, index) in positions().zip(indices) {
                self.tallies[level].add(*index);
            }
        }
        self.parts.add_all(positions(), indices);
    }

    /// Adds totals of records to a level.
    pub(crate) fn add_sums(&mut self, level: usize, more: RecordTotals) {
        let (count, sum, squares) = more;
        self.tallies[level].count += count;
        self.tallies[level].sum += sum;
        if let Parts::Moments(moments) = &mut self.parts {
            moments.add_squares(level, squares);
        }
    }

    /// 64-bit sums, used where only sums of a moderate grid are requested.
    pub(crate) fn briefs(&self) -> Option<&Briefs> {
        self.briefs.as_ref()
    }

    /// Moves the 64-bit sums of levels to their tallies.
    fn settle(&mut self) {
        let levels = 0..self.tallies.len();
        let briefs = self.briefs.as_mut().map(|briefs| briefs.take(levels)).unwrap_or_default();
        for (level, more) in briefs.into_iter().enumerate() {
            self.add_sums(level, more);
        }
    }

    /// Adds at most [`ROWS`](crate::count::coded::ROWS) records with codes among `met`; `positions`
    /// maps each code to the position of its level.
    pub(crate) fn add_coded(
        &mut self,
        codes: &[u8],
        met: &[u8],
        positions: &LevelOfCode,
        indices: &[u64],
    ) {
        let tallies = &mut self.tallies;
        let add = |code: u8, count, sum| {
            let tally = &mut tallies[positions.get(code)];
            tally.count += count;
            tally.sum += i128::from(sum);
        };
        match (&self.parts, self.small) {
            (Parts::CategoryRule { .. }, _) => {}
            (_, true) => for_each_small(codes, met, indices, add),
            (_, false) => for_each_code(codes, indices, add),
        }
        self.parts.add_all(codes.iter().map(|code| positions.get(*code)), indices);
    }

    /// Adds the total of records to a level, where nothing is counted at candidates.
    pub(crate) fn add_total(&mut self, level: usize, total: &Total) {
        // (2g − G)² is four times the square of a distance; of so few records they fit.
        self.add_sums(level, (total.count, total.indices.into(), 4 * total.squares as i128));
    }

    /// Adds counters of the same measure, whose level i is `positions[i]` here.
    pub(crate) fn merge(&mut self, mut other: Counters, positions: &[usize]) {
        other.settle();
        for (position, theirs) in positions.iter().zip(other.tallies) {
            let ours = &mut self.tallies[*position];
            ours.count += theirs.count;
            ours.sum += theirs.sum;
        }
        match (&mut self.parts, other.parts) {
            (
                Parts::CategoryRule { width, counts: ours, .. },
                Parts::CategoryRule { counts: theirs, .. },
            ) => {
                for (position, theirs) in positions.iter().zip(theirs.chunks(*width)) {
                    let ours = ours.iter_mut().skip(position * *width);
                    ours.zip(theirs).for_each(|(our, their)| *our += their);
                }
            }
            (Parts::Moments(ours), Parts::Moments(theirs)) => ours.merge(*theirs, positions),
            _ => {}
        }
    }

    /// Levels with records as rows of the table; `names` has the label and budget of each level.
    pub(crate) fn into_level_sums<'a>(
        mut self,
        names: impl Iterator<Item = (Option<&'a str>, Epsilon)>,
    ) -> Vec<LevelSums> {
        self.settle();
        let mut cells = match &mut self.parts {
            Parts::Moments(moments) => moments.take_cells(),
            _ => Vec::new(),
        };
        // In the order of the table, which moves none of them then.
        let mut names: Vec<_> = names.enumerate().collect();
        names.sort_by_key(|(_, (_, epsilon))| *epsilon);
        let mut by_level = Vec::with_capacity(names.len());
        for (level, (label, epsilon)) in names {
            let count = self.records(level);
            if count == 0 {
                continue;
            }
            let cells = cells.get_mut(level).map(std::mem::take).unwrap_or_default();
            by_level.push(LevelSums {
                label: label.map(str::to_owned),
                epsilon,
                count,
                sums: self.sums(level),
                cells,
            });
        }
        by_level
    }

    fn records(&self, level: usize) -> u64 {
        match &self.parts {
            Parts::CategoryRule { width, steps, counts } => {
                counts.iter().skip(level * width).take(*width).sum::<u64>() / steps
            }
            Parts::Nothing | Parts::Sum | Parts::Moments(_) => self.tallies[level].count,
        }
    }

    /// The sums of a level.
    fn sums(&self, level: usize) -> Vec<ExactSum> {
        let sum = ExactSum::from_raw(self.tallies[level].sum);
        match &self.parts {
            Parts::Nothing => Vec::new(),
            Parts::Sum => vec![sum],
            Parts::CategoryRule { width, counts, .. } => {
                let counts = counts.iter().skip(level * width).take(*width);
                counts.map(|count| ExactSum::from_raw(i128::from(*count))).collect()
            }
            Parts::Moments(moments) => {
                [Some(sum), moments.squares(level)].into_iter().flatten().collect()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use suum_core::{Bounds, Cells, Grid};

    /// All measures: of a small and of a large grid, with cells kept in arrays and in a map.
    fn measures() -> Vec<(Measure, usize)> {
        let mut all =
            vec![(Measure::Nothing, MOST), (Measure::Categories("a,b,c".parse().unwrap()), MOST)];
        for points in [1 << 30, 1 << 38] {
            let grid = Grid::with_points(Bounds::UNIT, points).unwrap();
            let cells = [None, Some(Cells::new(7).unwrap()), Some(Cells::for_sums())];
            for (squares, cells) in [false, true].into_iter().flat_map(|s| cells.map(|c| (s, c))) {
                // Sums in cells and squares are of grids of at most 2^31 steps.
                if points == 1 << 30 || !squares && cells.is_none_or(|cells| !cells.has_sums()) {
                    let measure = Measure::Numbers(Numbers { grid, squares, cells });
                    all.extend([(measure.clone(), MOST), (measure, 10)]);
                }
            }
        }
        all
    }

    proptest! {
        #[test]
        fn many_records_are_added_as_one_by_one(
            records in prop::collection::vec((0u8..4, any::<u64>()), 0..100),
        ) {
            for (measure, limit) in measures() {
                let most = match &measure {
                    Measure::Nothing => 0,
                    Measure::Categories(categories) => categories.len() as u64 - 1,
                    Measure::Numbers(numbers) => numbers.grid.points(),
                };
                let codes: Vec<u8> = records.iter().map(|(code, _)| *code).collect();
                let indices: Vec<u64> = records.iter().map(|(_, at)| at % (most + 1)).collect();
                let levels: Vec<u32> = codes.iter().map(|code| u32::from(*code)).collect();
                let by_level = |add: &dyn Fn(&mut Counters)| {
                    let mut counters = Counters::new(&measure, limit);
                    counters.grow(4);
                    add(&mut counters);
                    let names = (0..4).map(|_| (None, Epsilon::UNUSED));
                    counters.into_level_sums(names)
                };
                let each = by_level(&|counters| {
                    for (code, index) in codes.iter().zip(&indices) {
                        counters.add(usize::from(*code), *index);
                    }
                });
                prop_assert_eq!(&by_level(&|all| all.add_all(&levels, &indices)), &each);
                let in_runs = by_level(&|all| {
                    for level in 0..4u8 {
                        let pairs = codes.iter().zip(&indices).filter(|(code, _)| **code == level);
                        let indices: Vec<u64> = pairs.map(|(_, index)| *index).collect();
                        all.add_run(level.into(), &indices);
                    }
                });
                prop_assert_eq!(&in_runs, &each);
                let coded = by_level(&|all| {
                    all.add_coded(&codes, &[0, 1, 2, 3], &LevelOfCode::default(), &indices)
                });
                prop_assert_eq!(coded, each);
            }
        }
    }
}
