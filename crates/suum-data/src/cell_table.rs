//! What lies at each candidate, level by level: how many rows, or also what they add up to.

use rustc_hash::FxHashMap;

use crate::cell_entry::Entry;

/// What lies at each candidate of a level: nothing, or an entry each.
#[derive(Clone)]
struct Array<E: Entry> {
    briefs: Vec<E::Brief>,
    // What the briefs had no room for; empty while they have.
    wholes: Vec<E>,
}

impl<E: Entry> Array<E> {
    /// Nothing yet.
    const fn new() -> Self {
        Self { briefs: Vec::new(), wholes: Vec::new() }
    }

    /// Makes room for what is counted in brief, unless there is.
    #[inline]
    fn begin(&mut self, candidates: usize) {
        if self.briefs.is_empty() {
            self.briefs = vec![E::Brief::default(); candidates];
        }
    }

    #[inline]
    fn count(&mut self, candidates: usize, candidate: u32, row: E::Row) {
        self.begin(candidates);
        let brief = &mut self.briefs[candidate as usize];
        if E::count(brief, row) {
            let whole = E::whole(std::mem::take(brief));
            self.add(candidates, candidate, whole);
        }
    }

    /// Counts rows of which neighbours are often at the same candidate: they are added up first.
    fn count_run(&mut self, candidates: usize, rows: impl Iterator<Item = (u32, E::Row)>) {
        self.begin(candidates);
        let (mut at, mut together) = (0, E::Brief::default());
        for (candidate, row) in rows {
            if candidate != at {
                self.join(candidates, at, std::mem::take(&mut together));
                at = candidate;
            }
            if E::count(&mut together, row) {
                self.add(candidates, at, E::whole(std::mem::take(&mut together)));
            }
        }
        self.join(candidates, at, together);
    }

    /// Adds what was counted in brief at a candidate.
    #[inline]
    fn join(&mut self, candidates: usize, candidate: u32, rows: E::Brief) {
        if !E::join(&mut self.briefs[candidate as usize], rows) {
            self.add(candidates, candidate, E::whole(rows));
        }
    }

    #[cold]
    fn add(&mut self, candidates: usize, candidate: u32, rows: E) {
        if self.wholes.is_empty() {
            self.wholes = vec![E::default(); candidates];
        }
        self.wholes[candidate as usize].merge(rows);
    }

    fn merge(&mut self, other: Self, candidates: usize) {
        if self.briefs.is_empty() && self.wholes.is_empty() {
            *self = other;
            return;
        }
        self.begin(candidates);
        for (candidate, theirs) in (0..).zip(other.briefs) {
            self.join(candidates, candidate, theirs);
        }
        for (candidate, rows) in (0..).zip(other.wholes).filter(|(_, rows)| !rows.is_empty()) {
            self.add(candidates, candidate, rows);
        }
    }

    /// The candidates with rows.
    fn entries(self) -> impl Iterator<Item = (u32, E)> {
        let candidates = self.briefs.len().max(self.wholes.len());
        let briefs = self.briefs.into_iter().map(E::whole).chain(std::iter::repeat(E::default()));
        let wholes = self.wholes.into_iter().chain(std::iter::repeat(E::default()));
        let all = (0..).zip(briefs.zip(wholes)).take(candidates);
        let all = all.map(|(candidate, (mut rows, more))| {
            rows.merge(more);
            (candidate, rows)
        });
        all.filter(|(_, rows)| !rows.is_empty())
    }
}

/// Bits of a packed key that hold the candidate, of which there are at most 2^20 + 1.
const CANDIDATE_BITS: u32 = 21;

/// Entries by level and candidate: arrays while they are small, a map of the pairs that were met
/// beyond that.
///
/// There are at most as many pairs as levels times candidates, and at most as many as rows. Both
/// numbers are public (each record has R rows), so a table is crowded where both are above their
/// limits: how many pairs there really are depends on values, and decides nothing but speed and
/// memory.
pub(crate) struct CellTable<E: Entry> {
    candidates: usize,
    // The most counters of arrays.
    limit: usize,
    // The most rows of a map, which has no more pairs.
    most_rows: usize,
    levels: usize,
    rows: u64,
    pairs: Pairs<E>,
}

enum Pairs<E: Entry> {
    // An array for each level that has rows.
    Dense(Vec<Array<E>>),
    // By packed level and candidate; where arrays for all levels would exceed the limit, and only
    // there.
    Sparse(FxHashMap<u64, E>),
    // There were too many; the memory is given back and nothing is counted any more.
    GivenUp,
}

impl<E: Entry> CellTable<E> {
    /// No levels yet; arrays have room for `limit` pairs, a map for `most_rows` rows.
    pub(crate) fn new(candidates: usize, limit: usize, most_rows: usize) -> Self {
        Self { candidates, limit, most_rows, levels: 0, rows: 0, pairs: Pairs::Dense(Vec::new()) }
    }

    /// The same table without levels.
    pub(crate) fn emptied(&self) -> Self {
        Self::new(self.candidates, self.limit, self.most_rows)
    }

    /// Adds levels without rows.
    pub(crate) fn grow(&mut self, levels: usize) {
        self.levels += levels;
        let fits = self.levels.saturating_mul(self.candidates) <= self.limit;
        match &mut self.pairs {
            Pairs::Dense(arrays) if fits => arrays.resize(self.levels, Array::new()),
            Pairs::Dense(arrays) => {
                let arrays = std::mem::take(arrays);
                self.pairs = Pairs::Sparse(FxHashMap::default());
                for (level, array) in arrays.into_iter().enumerate() {
                    self.add_array(level, array);
                }
            }
            Pairs::Sparse(_) | Pairs::GivenUp => {}
        }
    }

    /// Adds a row at a candidate.
    #[inline]
    pub(crate) fn add(&mut self, level: usize, candidate: u32, row: E::Row) {
        self.rows += 1;
        self.count(level, candidate, row);
    }

    /// Adds many rows: the level, the candidate and what each brings.
    #[inline]
    pub(crate) fn add_all(
        &mut self,
        levels: impl Iterator<Item = usize>,
        candidates: &[u32],
        rows: impl Iterator<Item = E::Row>,
    ) {
        self.rows += candidates.len() as u64;
        let all = levels.zip(candidates).zip(rows);
        let Pairs::Dense(arrays) = &mut self.pairs else {
            all.for_each(|((level, candidate), row)| self.count(level, *candidate, row));
            return;
        };
        for ((level, candidate), row) in all {
            arrays[level].count(self.candidates, *candidate, row);
        }
    }

    /// Adds many rows of one level, of which neighbours are often at the same candidate.
    pub(crate) fn add_run(
        &mut self,
        level: usize,
        candidates: &[u32],
        rows: impl Iterator<Item = E::Row>,
    ) {
        self.rows += candidates.len() as u64;
        let all = candidates.iter().copied().zip(rows);
        match &mut self.pairs {
            Pairs::Dense(arrays) => arrays[level].count_run(self.candidates, all),
            _ => all.for_each(|(candidate, row)| self.count(level, candidate, row)),
        }
    }

    /// Counts a row at a candidate.
    #[inline]
    fn count(&mut self, level: usize, candidate: u32, row: E::Row) {
        match &mut self.pairs {
            Pairs::Dense(arrays) => arrays[level].count(self.candidates, candidate, row),
            Pairs::Sparse(_) | Pairs::GivenUp => self.place(level, candidate, E::of(row)),
        }
    }

    /// Puts rows, which have been counted, at a candidate.
    fn place(&mut self, level: usize, candidate: u32, rows: E) {
        match &mut self.pairs {
            Pairs::Dense(arrays) => arrays[level].add(self.candidates, candidate, rows),
            Pairs::Sparse(map) => map.entry(pack(level, candidate)).or_default().merge(rows),
            Pairs::GivenUp => {}
        }
    }

    /// Adds all of another table of the same candidates, whose level number i is `slots[i]` here.
    pub(crate) fn merge(&mut self, other: Self, slots: &[usize]) {
        self.rows += other.rows;
        match other.pairs {
            Pairs::Dense(arrays) => {
                for (slot, array) in slots.iter().zip(arrays) {
                    self.add_array(*slot, array);
                }
            }
            Pairs::Sparse(map) => {
                for (key, rows) in map {
                    let (level, candidate) = unpack(key);
                    self.place(slots[level], candidate, rows);
                }
            }
            Pairs::GivenUp => self.give_up(),
        }
    }

    fn add_array(&mut self, level: usize, array: Array<E>) {
        match &mut self.pairs {
            Pairs::Dense(arrays) => arrays[level].merge(array, self.candidates),
            Pairs::Sparse(_) | Pairs::GivenUp => {
                for (candidate, rows) in array.entries() {
                    self.place(level, candidate, rows);
                }
            }
        }
    }

    /// Whether there could be more pairs of a level and a candidate than a scan may hold, as far as
    /// is public.
    #[inline]
    pub(crate) fn is_crowded(&self) -> bool {
        matches!(self.pairs, Pairs::Sparse(_)) && self.rows > self.most_rows as u64
    }

    /// Gives the memory back, for good.
    pub(crate) fn give_up(&mut self) {
        self.pairs = Pairs::GivenUp;
    }

    /// The same where it is [crowded](Self::is_crowded).
    #[inline]
    pub(crate) fn give_up_if_crowded(&mut self) {
        if self.is_crowded() {
            self.give_up();
        }
    }

    pub(crate) fn has_given_up(&self) -> bool {
        matches!(self.pairs, Pairs::GivenUp)
    }

    /// The candidates with rows, for each level in any order.
    pub(crate) fn into_levels(self) -> Vec<Vec<(u32, E)>> {
        let mut levels = vec![Vec::new(); self.levels];
        match self.pairs {
            Pairs::Dense(arrays) => {
                for (level, array) in levels.iter_mut().zip(arrays) {
                    level.extend(array.entries());
                }
            }
            Pairs::Sparse(map) => {
                for (key, rows) in map {
                    let (level, candidate) = unpack(key);
                    levels[level].push((candidate, rows));
                }
            }
            Pairs::GivenUp => {}
        }
        levels
    }
}

fn pack(level: usize, candidate: u32) -> u64 {
    (level as u64) << CANDIDATE_BITS | u64::from(candidate)
}

fn unpack(key: u64) -> (usize, u32) {
    ((key >> CANDIDATE_BITS) as usize, (key & ((1 << CANDIDATE_BITS) - 1)) as u32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn table(limit: usize, levels: usize, rows: &[(usize, u32)]) -> CellTable<u64> {
        let mut table = CellTable::new(10, limit, limit);
        table.grow(levels);
        rows.iter().for_each(|(level, candidate)| table.add(*level, *candidate, ()));
        table
    }

    fn sorted(table: CellTable<u64>) -> Vec<Vec<(u32, u64)>> {
        let mut levels = table.into_levels();
        levels.iter_mut().for_each(|level| level.sort_unstable());
        levels
    }

    #[test]
    fn runs_are_added_as_one_by_one() {
        // More at a candidate than a brief has room for, together and in turns.
        let candidates = [vec![3; 1200], [9, 3].repeat(300), vec![0]].concat();
        for limit in [100, 1] {
            let mut run = table(limit, 2, &[]);
            run.add_run(1, &candidates, std::iter::repeat(()));
            run.add_run(0, &[], std::iter::repeat(()));
            let each: Vec<(usize, u32)> = candidates.iter().map(|at| (1, *at)).collect();
            let [run, each] = [run, table(limit, 2, &each)].map(|table| {
                let mut levels = table.into_levels();
                levels.iter_mut().for_each(|level| level.sort_unstable());
                levels
            });
            assert_eq!(run, each);
        }
    }

    proptest! {
        #[test]
        fn sparse_is_dense(
            rows in prop::collection::vec((0usize..4, 0u32..10), 0..60),
            more in prop::collection::vec((0usize..3, 0u32..10), 0..60),
            limits in prop::array::uniform2(
                prop::sample::select(vec![0, 20, 30, 39, 40, 49, 50, 1000]),
            ),
            grow: bool,
        ) {
            let slots = [3, 0, 3];
            let mut expected = vec![vec![0u64; 10]; 5];
            rows.iter().for_each(|(level, candidate)| expected[*level][*candidate as usize] += 1);
            more.iter()
                .for_each(|(level, candidate)| expected[slots[*level]][*candidate as usize] += 1);
            let expected: Vec<Vec<(u32, u64)>> = expected
                .into_iter()
                .map(|level| (0..).zip(level).filter(|(_, rows)| *rows > 0).collect())
                .collect();

            let mut ours = table(limits[0], 4, &rows);
            if grow {
                ours.grow(1);
            }
            ours.merge(table(limits[1], 3, &more), &slots);
            if !grow {
                ours.grow(1);
            }
            // Five levels of ten candidates.
            prop_assert_eq!(
                ours.is_crowded(),
                50 > limits[0] && rows.len() + more.len() > limits[0]
            );
            prop_assert_eq!(sorted(ours), expected);
        }
    }

    #[test]
    fn what_has_given_up_stays_so() {
        let mut given_up = table(10, 2, &[(0, 1)]);
        given_up.give_up();
        given_up.grow(1);
        given_up.add(2, 3, ());
        let mut ours = table(10, 1, &[(0, 1)]);
        ours.merge(given_up, &[0, 0, 0]);
        assert!(ours.has_given_up() && !ours.is_crowded());
        assert_eq!(ours.into_levels(), [vec![]]);
    }

    #[test]
    fn keys_hold_every_level_and_candidate() {
        for (level, candidate) in [(0, 0), (1, 1 << 20), (700_000, 1 << 20), (u32::MAX as usize, 5)]
        {
            assert_eq!(unpack(pack(level, candidate)), (level, candidate));
        }
    }
}
