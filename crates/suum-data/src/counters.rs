//! The hot kernel: what is counted and added up per level.

use suum_core::{CellCounts, Cells, Cohort, Epsilon, ExactSum, Measure, Numbers};

use crate::cell_table::{CellTable, Sums};

/// The most pairs of a level and a category or candidate that are counted, over all groups: 512 MiB
/// of them.
pub const MOST: usize = 1 << 26;

/// Sums in cells have a smaller part of that: of the pairs of a level and a cell, since an entry
/// takes as much memory as several counts; and of the records, where pairs could be more, since a
/// database sends each pair back.
pub const PARTS_OF_SUMS: SumsLimit = SumsLimit { pairs: 8, records: 64 };

/// The limits of sums in cells, as parts of that of counts.
#[derive(Debug, Clone, Copy)]
pub struct SumsLimit {
    pairs: usize,
    records: usize,
}

impl SumsLimit {
    /// The most pairs of a level and a cell, if there may be so many counters.
    pub fn pairs(self, counters: usize) -> usize {
        counters / self.pairs
    }

    /// The most records where there could be more pairs.
    pub fn records(self, counters: usize) -> usize {
        counters / self.records
    }

    /// Whether there are too many levels, for so many cells and records.
    pub fn is_exceeded(self, counters: usize, levels: usize, cells: usize, records: u64) -> bool {
        levels.saturating_mul(cells) > self.pairs(counters)
            && records > self.records(counters) as u64
    }
}

/// How many records are counted at a time: few enough for the processor's nearest memory to hold
/// them, and for their sums, of indices of at most 2^50, to fit 64 bits.
pub(crate) const ROWS: usize = 2048;

/// The position of the level of each code of one byte: the code itself, unless told otherwise.
pub(crate) struct Slots([u32; 256]);

impl Default for Slots {
    fn default() -> Self {
        Self(std::array::from_fn(|code| code as u32))
    }
}

impl Slots {
    pub(crate) fn set(&mut self, code: u8, slot: usize) {
        // There are at most some 700 000 levels.
        self.0[usize::from(code)] = slot as u32;
    }

    #[inline]
    pub(crate) fn of(&self, code: u8) -> usize {
        self.0[usize::from(code)] as usize
    }
}

/// The bits of a sum that has a count above it.
const LOW: u32 = 48;

/// How many of at most [`ROWS`] records each code has of those `met`, and the sum of their indices,
/// which fits [`LOW`] bits.
fn for_each_small(codes: &[u8], met: &[u8], indices: &[u64], mut each: impl FnMut(u8, u64, u64)) {
    // Of neighbours with the same code the second would wait for the first: they go into sums of
    // their own.
    const BANKS: usize = 4;
    const ONE: u64 = 1 << LOW;
    let mut banks = [[0u64; 256]; BANKS];
    let (codes, last_codes) = codes.as_chunks::<BANKS>();
    let (indices, last_indices) = indices.as_chunks::<BANKS>();
    for (codes, indices) in codes.iter().zip(indices) {
        for bank in 0..BANKS {
            banks[bank][usize::from(codes[bank])] += indices[bank] + ONE;
        }
    }
    for (code, index) in last_codes.iter().zip(last_indices) {
        banks[0][usize::from(*code)] += index + ONE;
    }
    for code in met {
        // One sum of all records would fit, so these do.
        let sum: u64 = banks.iter().map(|bank| bank[usize::from(*code)]).sum();
        if sum >= ONE {
            each(*code, sum >> LOW, sum % ONE);
        }
    }
}

/// How many of at most [`ROWS`] records each code has, and the sum of their indices.
fn for_each_code(codes: &[u8], indices: &[u64], mut each: impl FnMut(u8, u64, u64)) {
    let mut sums = [(0, 0); 256];
    for (code, index) in codes.iter().zip(indices) {
        let (count, sum) = &mut sums[usize::from(*code)];
        *count += 1;
        *sum += index;
    }
    for (code, (count, sum)) in (0..=u8::MAX).zip(sums) {
        if count > 0 {
            each(code, count, sum);
        }
    }
}

/// How many records a level has, and the exact sum of their grid indices.
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

/// What is counted besides the tallies.
enum Parts {
    // Only budgets were read.
    Nothing,
    // Tallies say it all; sums of some thousand indices may fit 48 bits.
    Sum { small: bool },
    // The counts of categories, level after level.
    Classes { width: usize, counts: Vec<u64> },
    Moments(Moments),
}

/// The square of twice the distance of an index from the middle of a grid of at most 2^31 steps,
/// which is at most 2^62.
#[inline]
fn centred_square(index: u64, points: u64) -> i128 {
    let centred = 2 * index as i64 - points as i64;
    i128::from(centred * centred)
}

/// What else numbers can be asked for: squares, and rows at candidates.
struct Moments {
    numbers: Numbers,
    // By level; empty if they were not asked for. With G ≤ 2^31, 2^63 squares stay below 2^126.
    squares: Vec<i128>,
    cells: Option<CellTable<u64>>,
    // In cells, for a mean that learns where the values lie: it can do without.
    sums: Option<CellTable<Sums>>,
}

impl Moments {
    fn new(numbers: &Numbers, limit: usize) -> Self {
        let candidates = |cells: Cells| cells.steps() as usize + 1;
        let (with_sums, counted) = match numbers.cells {
            Some(cells) if cells.has_sums() => (Some(cells), None),
            cells => (None, cells),
        };
        let cells = counted.map(|cells| CellTable::new(candidates(cells), limit, limit));
        let (pairs, records) = (PARTS_OF_SUMS.pairs(limit), PARTS_OF_SUMS.records(limit));
        let sums = with_sums.map(|cells| CellTable::new(candidates(cells), pairs, records));
        Self { numbers: *numbers, squares: Vec::new(), cells, sums }
    }

    fn emptied(&self) -> Self {
        let cells = self.cells.as_ref().map(CellTable::emptied);
        let sums = self.sums.as_ref().map(CellTable::emptied);
        Self { numbers: self.numbers, squares: Vec::new(), cells, sums }
    }

    fn grow(&mut self, levels: usize) {
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

    #[inline(always)]
    fn add(&mut self, level: usize, index: u64, rows: &[u64]) {
        if let Some(squares) = self.squares.get_mut(level) {
            *squares += centred_square(index, self.numbers.grid.points());
        }
        if let (Some(table), Some(cells)) = (&mut self.cells, self.numbers.cells) {
            for row in rows {
                table.add(level, cells.of_index(&self.numbers.grid, *row), 1);
            }
        }
        if let (Some(table), Some(cells)) = (&mut self.sums, self.numbers.cells) {
            table.add(level, cells.of_index(&self.numbers.grid, index), Sums::of(index));
            if table.is_crowded() {
                table.give_up();
            }
        }
    }

    fn merge(&mut self, other: Self, slots: &[usize]) {
        for (slot, squares) in slots.iter().zip(other.squares) {
            self.squares[*slot] += squares;
        }
        if let (Some(ours), Some(theirs)) = (&mut self.cells, other.cells) {
            ours.merge(theirs, slots);
        }
        if let (Some(ours), Some(theirs)) = (&mut self.sums, other.sums) {
            ours.merge(theirs, slots);
            if ours.is_crowded() {
                ours.give_up();
            }
        }
    }
}

/// The counts and sums of each level, where levels are known by their position.
pub(crate) struct Counters {
    tallies: Vec<Tally>,
    parts: Parts,
}

impl Counters {
    /// No levels yet; there is room for `limit` pairs of a level and a candidate.
    pub(crate) fn new(measure: &Measure, limit: usize) -> Self {
        let parts = match measure {
            Measure::Nothing => Parts::Nothing,
            Measure::Numbers(Numbers { squares: false, cells: None, grid }) => {
                Parts::Sum { small: grid.points() < 1 << (LOW - ROWS.ilog2()) }
            }
            Measure::Numbers(numbers) => Parts::Moments(Moments::new(numbers, limit)),
            Measure::Categories(categories) => {
                Parts::Classes { width: categories.len(), counts: Vec::new() }
            }
        };
        Self { tallies: Vec::new(), parts }
    }

    /// Takes all levels out.
    pub(crate) fn take(&mut self) -> Self {
        let empty = self.emptied();
        std::mem::replace(self, empty)
    }

    /// The same counters without levels.
    fn emptied(&self) -> Self {
        let parts = match &self.parts {
            Parts::Nothing => Parts::Nothing,
            Parts::Sum { small } => Parts::Sum { small: *small },
            Parts::Classes { width, .. } => Parts::Classes { width: *width, counts: Vec::new() },
            Parts::Moments(moments) => Parts::Moments(moments.emptied()),
        };
        Self { tallies: Vec::new(), parts }
    }

    /// The number of counters of categories.
    pub(crate) fn classes(&self) -> usize {
        match &self.parts {
            Parts::Classes { width, .. } => self.levels().saturating_mul(*width),
            _ => 0,
        }
    }

    /// Whether there could be more pairs of a level and a candidate than a scan may hold.
    #[inline]
    pub(crate) fn is_crowded(&self) -> bool {
        self.cells().is_some_and(CellTable::is_crowded)
    }

    /// Counts no rows at candidates any more.
    pub(crate) fn give_up(&mut self) {
        if let Parts::Moments(Moments { cells: Some(cells), .. }) = &mut self.parts {
            cells.give_up();
        }
    }

    pub(crate) fn has_given_up(&self) -> bool {
        self.cells().is_some_and(CellTable::has_given_up)
    }

    /// Adds nothing up in cells any more, if it has.
    pub(crate) fn give_up_sums(&mut self) {
        if let Parts::Moments(Moments { sums: Some(sums), .. }) = &mut self.parts {
            sums.give_up();
        }
    }

    /// What was added up, of what was asked for: without sums in cells, if there were too many
    /// pairs of a level and a cell.
    pub(crate) fn kept(&self, asked: Measure) -> Measure {
        match (&self.parts, asked) {
            (Parts::Moments(Moments { sums: Some(sums), .. }), Measure::Numbers(numbers))
                if sums.has_given_up() =>
            {
                Measure::Numbers(Numbers { cells: None, ..numbers })
            }
            (_, asked) => asked,
        }
    }

    #[inline]
    fn cells(&self) -> Option<&CellTable<u64>> {
        match &self.parts {
            Parts::Moments(moments) => moments.cells.as_ref(),
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
            Parts::Nothing | Parts::Sum { .. } => {}
            Parts::Classes { width, counts } => counts.resize(self.tallies.len() * *width, 0),
            Parts::Moments(moments) => moments.grow(levels),
        }
    }

    /// Adds a record of a grid index or of a category.
    // A call for each record takes longer than the additions.
    #[inline(always)]
    pub(crate) fn add(&mut self, level: usize, index: u64) {
        match &mut self.parts {
            Parts::Nothing | Parts::Sum { .. } => self.tallies[level].add(index),
            Parts::Classes { width, counts } => {
                self.tallies[level].count += 1;
                counts[level * *width + index as usize] += 1;
            }
            Parts::Moments(moments) => {
                self.tallies[level].add(index);
                moments.add(level, index, &[index]);
            }
        }
    }

    /// Adds a person, by the grid index or category of all their rows, and the indices of the rows
    /// they stand for.
    pub(crate) fn add_person(&mut self, level: usize, index: u64, rows: &[u64]) {
        match &mut self.parts {
            Parts::Moments(moments) => {
                self.tallies[level].add(index);
                moments.add(level, index, rows);
            }
            _ => self.add(level, index),
        }
    }

    /// Adds many records; every level must be a position here.
    pub(crate) fn add_all(&mut self, levels: &[u32], indices: &[u64]) {
        let records = levels.iter().zip(indices);
        if let Parts::Nothing | Parts::Sum { .. } = self.parts {
            // Nothing is decided for each number again.
            let tallies = self.tallies.as_mut_slice();
            records.for_each(|(level, index)| tallies[*level as usize].add(*index));
        } else {
            records.for_each(|(level, index)| self.add(*level as usize, *index));
        }
    }

    /// Adds many records, at most [`ROWS`], with codes among those `met`; `slots` has the position
    /// of the level of each.
    pub(crate) fn add_coded(&mut self, codes: &[u8], met: &[u8], slots: &Slots, indices: &[u64]) {
        let tallies = &mut self.tallies;
        let add = |code: u8, count, sum| {
            let tally = &mut tallies[slots.of(code)];
            tally.count += count;
            tally.sum += i128::from(sum);
        };
        match self.parts {
            Parts::Nothing | Parts::Sum { small: true } => for_each_small(codes, met, indices, add),
            Parts::Sum { small: false } => for_each_code(codes, indices, add),
            Parts::Moments(Moments { ref numbers, ref mut squares, cells: None, sums: None })
                if !squares.is_empty() =>
            {
                // Nothing is decided for each number again.
                let (points, tallies) = (numbers.grid.points(), tallies.as_mut_slice());
                for (code, index) in codes.iter().zip(indices) {
                    let level = slots.of(*code);
                    tallies[level].add(*index);
                    squares[level] += centred_square(*index, points);
                }
            }
            _ => codes
                .iter()
                .zip(indices)
                .for_each(|(code, index)| self.add(slots.of(*code), *index)),
        }
    }

    /// Adds all of other counters of the same measure, whose level number i is `slots[i]` here.
    pub(crate) fn merge(&mut self, other: Counters, slots: &[usize]) {
        for (slot, theirs) in slots.iter().zip(other.tallies) {
            let ours = &mut self.tallies[*slot];
            ours.count += theirs.count;
            ours.sum += theirs.sum;
        }
        match (&mut self.parts, other.parts) {
            (Parts::Classes { width, counts: ours }, Parts::Classes { counts: theirs, .. }) => {
                for (slot, theirs) in slots.iter().zip(theirs.chunks(*width)) {
                    let ours = ours.iter_mut().skip(slot * *width);
                    ours.zip(theirs).for_each(|(our, their)| *our += their);
                }
            }
            (Parts::Moments(ours), Parts::Moments(theirs)) => ours.merge(theirs, slots),
            _ => {}
        }
    }

    /// The levels with records as rows of the table; `names` has the label and budget of each
    /// level.
    pub(crate) fn into_cohorts<'a>(
        mut self,
        names: impl Iterator<Item = (Option<&'a str>, Epsilon)>,
    ) -> Vec<Cohort> {
        let mut cells = self.take_cells();
        let mut cohorts = Vec::new();
        for (level, (label, epsilon)) in names.enumerate() {
            let count = self.tallies[level].count;
            if count == 0 {
                continue;
            }
            let cells = cells.get_mut(level).map(std::mem::take).unwrap_or_default();
            cohorts.push(Cohort {
                label: label.map(str::to_owned),
                epsilon,
                count,
                sums: self.sums(level),
                cells,
            });
        }
        cohorts
    }

    /// The sums of a level.
    fn sums(&self, level: usize) -> Vec<ExactSum> {
        let sum = ExactSum::from_raw(self.tallies[level].sum);
        match &self.parts {
            Parts::Nothing => Vec::new(),
            Parts::Sum { .. } => vec![sum],
            Parts::Classes { width, counts } => {
                let counts = counts.iter().skip(level * width).take(*width);
                counts.map(|count| ExactSum::from_raw(i128::from(*count))).collect()
            }
            Parts::Moments(moments) => {
                let squares =
                    moments.squares.get(level).map(|squares| ExactSum::from_raw(*squares));
                [Some(sum), squares].into_iter().flatten().collect()
            }
        }
    }

    /// Takes out what lies at candidates, for each level; no levels if they were not asked for.
    fn take_cells(&mut self) -> Vec<CellCounts> {
        let Parts::Moments(moments) = &mut self.parts else { return Vec::new() };
        if let Some(sums) = moments.sums.take_if(|sums| !sums.has_given_up()) {
            let points = moments.numbers.grid.points();
            let entry = |(candidate, sums): (u32, Sums)| {
                let (count, sums) = sums.finish(points);
                (candidate, count, sums)
            };
            let levels = sums.into_levels().into_iter();
            return levels
                .map(|cells| CellCounts::with_sums(cells.into_iter().map(entry).collect()))
                .collect();
        }
        let levels = moments.cells.take().map_or(Vec::new(), CellTable::into_levels);
        levels.into_iter().map(CellCounts::from_raw).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn codes_are_added_up_as_one_by_one(
            records in prop::collection::vec(
                (prop_oneof![Just(7u8), any::<u8>()], 0u64..=1 << 36),
                0..=ROWS,
            ),
            largest: bool,
        ) {
            let codes: Vec<u8> = records.iter().map(|(code, _)| *code).collect();
            let index = |index: &u64| if largest { (1 << 37) - 1 } else { *index };
            let indices: Vec<u64> = records.iter().map(|(_, i)| index(i)).collect();
            let mut expected = std::collections::BTreeMap::new();
            for (code, index) in codes.iter().zip(&indices) {
                let (count, sum) = expected.entry(*code).or_insert((0, 0));
                *count += 1;
                *sum += index;
            }
            let expected: Vec<(u8, u64, u64)> =
                expected.into_iter().map(|(code, (count, sum))| (code, count, sum)).collect();
            let all: Vec<u8> = (0..=u8::MAX).collect();
            let (mut small, mut any) = (Vec::new(), Vec::new());
            for_each_small(&codes, &all, &indices, |code, count, sum| {
                small.push((code, count, sum))
            });
            for_each_code(&codes, &indices, |code, count, sum| any.push((code, count, sum)));
            prop_assert_eq!(&small, &expected);
            prop_assert_eq!(&any, &expected);
        }
    }
}
