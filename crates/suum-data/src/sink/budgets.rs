//! Numeric budgets to levels: exact while there are few of them, coarse beyond that.

use rustc_hash::{FxHashMap, FxHashSet};
use suum_core::{Epsilon, Error, LevelSums, Measure, Result, option, say};

use crate::cells::level_key::{CodedKeys, EXACT, LevelKey};
use crate::count::coarse_sums::CoarseSums;
use crate::count::coded::LevelOfCode;
use crate::count::counters::{Contribution, Counters};
use crate::count::first_records::FirstRecords;
use crate::count::totals::Total;
use crate::sink::job::Job;

/// A level for each distinct budget.
///
/// If the whole input has more than [`EXACT`] distinct budgets, every budget is rounded down with
/// [`Epsilon::coarse`]. Maps of parts of the input are exact until they exceed the limit, merging
/// exact maps can exceed it, and a coarse map makes coarse whatever it meets: a part with too many
/// budgets proves that the whole has too many. So the result depends only on the records, not on
/// their order or sharding.
///
/// The same holds for the refusal of too many counters of categories: levels are added one at a
/// time, so some map passes that limit on the way, whether the levels would become coarse later or
/// not.
///
/// Pairs of a budget and a candidate are at most as many as budgets times candidates, and at most
/// as many as rows. Where both are too many the map is crowded, which nothing but public numbers
/// decide; how many pairs there really are depends on values. Of coarse budgets there are fewer, so
/// a crowded map proves less: the whole is refused if its budgets stay exact, and if they do not,
/// only if it is crowded with coarse budgets too. Such a map becomes coarse early, and remembers
/// its exact budgets until they exceed their limit.
pub(crate) struct Budgets {
    coarse: bool,
    // Bits of the exact budgets of a map that is coarse early.
    early: Option<FxHashSet<u64>>,
    // Set for good once there were too many counters; then all records go to one level that nobody
    // reads.
    overflowed: bool,
    positions: FxHashMap<u64, u32>,
    // In place of the map once budgets are coarse: by their numbers, which are few, one more than
    // the position, and 0 where no record has that level. Pages of zeros cost nothing until they
    // are written to.
    coarse_positions: Vec<u32>,
    levels: Vec<Epsilon>,
    counters: Counters,
    // Records of which it is not known yet whether their budgets are too many to be exact; where
    // nothing but sums is asked for.
    first: Option<Box<FirstRecords>>,
    // Records of coarse budgets, many at a time, which the counters do not have yet.
    sums: Option<Box<CoarseSums>>,
    // The most counters, for the refusal.
    limit: usize,
    // True if too many budgets are refused, not rounded.
    are_weights: bool,
    // True if candidates are counted, not categories.
    cells: bool,
    // Neighbouring records often share a budget: remember the last one's bits and position.
    last: Option<(u64, usize)>,
    // Room for the positions of many records.
    found: Vec<u32>,
}

impl Budgets {
    pub(crate) fn new(job: &Job) -> Self {
        let counters = Counters::new(&job.scan().measure(), job.pairs());
        Self {
            coarse: false,
            early: None,
            overflowed: false,
            positions: FxHashMap::default(),
            coarse_positions: Vec::new(),
            levels: Vec::new(),
            first: counters.briefs().map(|_| Box::default()),
            sums: None,
            counters,
            limit: job.pairs(),
            are_weights: job.scan().reads_weights,
            cells: job.scan().cells().is_some(),
            last: None,
            found: Vec::new(),
        }
    }

    /// Adds one record.
    #[inline]
    pub(crate) fn add(&mut self, epsilon: Epsilon, index: u64) {
        let position = self.position(epsilon);
        self.counters.add(position, index);
        if self.counters.is_crowded() {
            self.make_room();
        }
    }

    /// Adds many records.
    pub(crate) fn add_all(&mut self, epsilons: &[Epsilon], indices: &[u64]) {
        if self.coarse
            && self.early.is_none()
            && !self.overflowed
            && let Some(briefs) = self.counters.briefs()
        {
            let sums = self.sums.get_or_insert_with(|| Box::new(CoarseSums::new(briefs)));
            sums.add_all(epsilons, indices);
            return;
        }
        if let Some(first) = &mut self.first {
            first.add_all(epsilons, indices);
            if first.is_enough() {
                self.place_first();
            }
            return;
        }
        let mut found = std::mem::take(&mut self.found);
        loop {
            let kind = (self.coarse, self.overflowed);
            found.clear();
            if !self.are_known(epsilons, &mut found) {
                found.clear();
                found.extend(epsilons.iter().map(|epsilon| match self.known_position(*epsilon) {
                    Some(position) => position,
                    None => self.find(*epsilon) as u32,
                }));
            }
            // The positions of all levels change where they become coarse, and where there are too
            // many.
            if kind == (self.coarse, self.overflowed) {
                break;
            }
        }
        self.counters.add_all(&found, indices);
        self.found = found;
        if self.counters.is_crowded() {
            self.make_room();
        }
    }

    /// Appends the positions of the levels of coarse budgets to `found`; returns true if all are
    /// known.
    fn are_known(&self, epsilons: &[Epsilon], found: &mut Vec<u32>) -> bool {
        let Some(positions) = self.coarse_positions.first_chunk::<{ Epsilon::COARSE }>() else {
            return false;
        };
        if self.early.is_some() {
            return false;
        }
        let mut all = true;
        found.extend(epsilons.iter().map(|epsilon| {
            let above = positions[epsilon.coarse_number()];
            all &= above != 0;
            above.wrapping_sub(1)
        }));
        all
    }

    /// Position of the level of a budget in the data, if it can be found without changing the map.
    #[inline]
    fn known_position(&self, epsilon: Epsilon) -> Option<u32> {
        match (self.coarse, &self.early) {
            (_, Some(_)) => None,
            (true, None) => self.coarse_positions.get(epsilon.coarse_number())?.checked_sub(1),
            (false, None) => self.positions.get(&epsilon.get().to_bits()).copied(),
        }
    }

    /// Adds a total of records of one budget, where nothing is counted at candidates.
    pub(crate) fn add_total(&mut self, epsilon: Epsilon, total: &Total) {
        // A budget that no record has is no level.
        if total.count > 0 {
            let position = self.position(epsilon);
            self.counters.add_total(position, total);
        }
    }

    /// Adds many records, at most [`ROWS`](crate::count::coded::ROWS).
    pub(crate) fn add_coded(&mut self, coded: &CodedKeys, indices: &[u64]) {
        let mut positions = LevelOfCode::default();
        let epsilon = |code: u8| match coded.of[usize::from(code)] {
            LevelKey::Budget(epsilon) => epsilon,
            // A scan has one kind of privacy column.
            LevelKey::Tier(_) => Epsilon::UNUSED,
        };
        // All new levels first: they can change the positions of the others.
        for code in &coded.met {
            if self.known_position(epsilon(*code)).is_none() {
                self.find(epsilon(*code));
            }
        }
        for code in &coded.met {
            let position = self
                .known_position(epsilon(*code))
                .map_or_else(|| self.find(epsilon(*code)), |position| position as usize);
            positions.set(*code, position);
        }
        self.counters.add_coded(&coded.codes, &coded.met, &positions, indices);
        if self.counters.is_crowded() {
            self.make_room();
        }
    }

    /// Adds one person.
    pub(crate) fn add_person(&mut self, epsilon: Epsilon, contribution: Contribution<'_>) {
        let position = self.position(epsilon);
        self.counters.add_person(position, contribution);
        if self.counters.is_crowded() {
            self.make_room();
        }
    }

    pub(crate) fn merge(&mut self, mut other: Budgets) {
        other.place_first();
        if other.overflowed {
            self.overflow();
        }
        match other.early {
            Some(seen) => self.make_coarse_early(seen),
            None if other.coarse => {
                self.make_coarse();
                self.early = None;
            }
            None => {}
        }
        match (&mut self.sums, other.sums) {
            (Some(ours), Some(theirs)) => ours.merge(*theirs),
            (ours, theirs) => *ours = ours.take().or(theirs),
        }
        // The exact budgets of a coarse map were remembered above; its levels are none of the data.
        if !other.coarse {
            self.remember(other.levels.iter().map(|epsilon| epsilon.get().to_bits()));
        }
        // All levels first: a new one can change the positions of the others.
        for epsilon in &other.levels {
            self.place(*epsilon);
        }
        let positions: Vec<usize> =
            other.levels.iter().map(|epsilon| self.place(*epsilon)).collect();
        self.counters.merge(other.counters, &positions);
        if self.counters.is_crowded() {
            self.make_room();
        }
    }

    /// Builds the rows of the table, and the part of the measure `asked` that was added up.
    pub(crate) fn into_level_sums(mut self, asked: Measure) -> Result<(Measure, Vec<LevelSums>)> {
        if self.are_weights {
            self.place_first();
        }
        if self.are_weights && self.coarse {
            return Err(too_many_weights());
        }
        if self.overflowed || self.early.is_some() {
            let (what, hint) = if self.cells {
                (
                    format!("could be more than {} pairs of a budget and a candidate", self.limit),
                    say("lower").option(option::CELLS).say(", or use coarser budgets"),
                )
            } else {
                (
                    format!("are more than {} pairs of a budget and a category", self.limit),
                    say("declare fewer categories, or name tiers with")
                        .set(option::PRIVACY, "COL")
                        .set(option::LEVELS, "LABEL=EPSILON,…"),
                )
            };
            return Err(Error::data((), format!("there {what}")).with_fix(hint));
        }
        self.place_first();
        let kept = self.counters.effective_measure(asked);
        match self.sums.take() {
            // Most often nothing was added in another way.
            Some(sums) if self.levels.is_empty() => return Ok((kept, sums.into_level_sums())),
            sums => {
                for (level, more) in sums.into_iter().flat_map(|sums| sums.into_levels()) {
                    let position = self.place(level);
                    self.counters.add_sums(position, more);
                }
            }
        }
        let levels = self.levels.iter().map(|epsilon| (None, *epsilon));
        Ok((kept, self.counters.into_level_sums(levels)))
    }

    /// Adds the records that waited; later ones do not wait.
    fn place_first(&mut self) {
        let first = self.first.take();
        if first.as_ref().is_some_and(|first| first.is_coarse()) {
            self.make_coarse();
            self.early = None;
        }
        for (epsilons, indices) in first.iter().flat_map(|first| first.parts()) {
            self.add_all(epsilons, indices);
        }
    }

    #[inline]
    fn position(&mut self, epsilon: Epsilon) -> usize {
        let bits = epsilon.get().to_bits();
        match self.last {
            Some((last, position)) if last == bits => position,
            _ => self.find(epsilon),
        }
    }

    /// Position of the level of a budget in the data.
    fn find(&mut self, epsilon: Epsilon) -> usize {
        let bits = epsilon.get().to_bits();
        self.remember([bits]);
        let position = self.place(epsilon);
        self.last = Some((bits, position));
        position
    }

    /// Position of the level of this budget, which is added if it is new.
    fn place(&mut self, epsilon: Epsilon) -> usize {
        if self.overflowed {
            return 0;
        }
        let mut position = self.insert(epsilon);
        if !self.coarse && self.levels.len() > EXACT {
            self.make_coarse();
            position = self.insert(epsilon);
        }
        if self.counters.classes() > self.limit {
            self.overflow();
            position = 0;
        }
        position
    }

    fn insert(&mut self, epsilon: Epsilon) -> usize {
        // At most 65 537 exact or some 700 000 coarse levels: 32 bits are plenty.
        let next = self.levels.len() as u32;
        let position = if self.coarse {
            let above = &mut self.coarse_positions[epsilon.coarse_number()];
            if *above == 0 {
                *above = next + 1;
            }
            *above - 1
        } else {
            *self.positions.entry(epsilon.get().to_bits()).or_insert(next)
        };
        if position == next {
            self.push(if self.coarse { epsilon.coarse() } else { epsilon });
        }
        position as usize
    }

    fn push(&mut self, epsilon: Epsilon) {
        self.levels.push(epsilon);
        self.counters.grow(1);
    }

    fn make_coarse(&mut self) {
        if self.coarse || self.overflowed {
            return;
        }
        self.coarse = true;
        self.coarse_positions = vec![0; Epsilon::COARSE];
        self.last = None;
        self.positions = FxHashMap::default();
        // So many budgets are too many for sums in cells, in whatever order they come.
        self.counters.give_up_sums();
        let counters = self.counters.take();
        let levels = std::mem::take(&mut self.levels);
        let positions: Vec<usize> =
            levels.into_iter().map(|epsilon| self.insert(epsilon)).collect();
        self.counters.merge(counters, &positions);
    }

    /// Becomes coarse before it is known that there are too many budgets, and remembers the exact
    /// ones: `seen`, and those that occurred here.
    fn make_coarse_early(&mut self, seen: impl IntoIterator<Item = u64>) {
        if !self.coarse && !self.overflowed {
            let exact = self.levels.iter().map(|epsilon| epsilon.get().to_bits()).collect();
            self.early = Some(exact);
            self.make_coarse();
        }
        self.remember(seen);
    }

    /// Remembers exact budgets until there are too many of them, which proves that coarse levels
    /// are right.
    fn remember(&mut self, exact: impl IntoIterator<Item = u64>) {
        if let Some(seen) = &mut self.early {
            seen.extend(exact);
            if seen.len() > EXACT {
                self.early = None;
            }
        }
    }

    /// Reduces the number of levels by making them coarse, or gives up.
    #[cold]
    fn make_room(&mut self) {
        self.make_coarse_early([]);
        if self.counters.is_crowded() {
            self.overflow();
        }
    }

    /// Frees the memory. The rows that follow are still read: one may have a fault, which is
    /// reported first.
    fn overflow(&mut self) {
        self.overflowed = true;
        self.early = None;
        self.last = None;
        self.positions = FxHashMap::default();
        self.coarse_positions = Vec::new();
        self.levels.clear();
        self.counters.take();
        self.counters.give_up();
        self.push(Epsilon::UNUSED);
    }
}

/// Refuses more different design weights than there can be strata.
///
/// # Example
///
/// ```
/// let refused = suum_data::too_many_weights();
/// assert!(refused.to_string().ends_with("more than 65536 different design weights"));
/// ```
pub fn too_many_weights() -> Error {
    Error::data((), format!("there are more than {EXACT} different design weights")).with_fix(
        say("round the weights in the data, or make strata of the records and declare their \
             shares:")
        .set(option::STRATA, "COL")
        .set(option::POPULATION_SHARES, "A=0.4,B=0.6"),
    )
}
