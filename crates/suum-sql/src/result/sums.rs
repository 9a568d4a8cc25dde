//! Counts and sums of one group, level by level.

use rustc_hash::{FxHashMap, FxHashSet};
use suum_core::{
    CellCounts, CellSums, Cells, Epsilon, Error, ExactSum, LevelSums, Measure, Result, option, say,
};
use suum_data::{EXACT_BUDGETS, MOST_PAIRS, PARTS_OF_SUMS};

use super::Rule;
use super::refused;
use super::row::{Level, Part};
use crate::query::Header;

/// Levels of one group.
pub(super) struct GroupSums {
    measure: Measure,
    // The most pairs of a level and a category or candidate.
    limit: usize,
    coarse: bool,
    // True if sums in cells were left out because there were too many.
    given_up: bool,
    levels: FxHashMap<Level, Sums>,
    pairs: usize,
    // The rows so far, of exact levels; what else is repeated shows in the number of records.
    seen: FxHashSet<(Level, Option<u32>, bool)>,
}

/// Counts and sums of a level.
#[derive(Default)]
struct Sums {
    records: u64,
    source_rows: u64,
    marks: u64,
    index_sum: i128,
    square_sum: i128,
    items: FxHashMap<u32, Item>,
}

/// Counts of a category or candidate, and sums in a cell.
#[derive(Default)]
struct Item {
    records: u64,
    cell_rows: u64,
    index_sum: i128,
    square_sum: i128,
}

impl GroupSums {
    /// Creates sums without levels; `groups` groups share the room.
    pub(super) fn new(measure: &Measure, groups: usize) -> Self {
        Self {
            measure: measure.clone(),
            limit: MOST_PAIRS / groups.max(1),
            coarse: false,
            given_up: false,
            levels: FxHashMap::default(),
            pairs: 0,
            seen: FxHashSet::default(),
        }
    }

    /// Returns true if this row was added before.
    pub(super) fn is_repeated(&mut self, part: &Part) -> bool {
        // Rows at candidates alone are those of persons, who have been counted in other rows.
        !self.coarse && !self.seen.insert((part.level, part.item, part.records > 0))
    }

    /// Adds a row of a result.
    pub(super) fn add(&mut self, part: &Part, rule: Rule) -> Result<()> {
        let level = self.level(part.level, rule);
        let is_new = !self.levels.contains_key(&level);
        let sums = self.levels.entry(level).or_default();
        sums.add(part)?;
        if let Some(item) = part.item.filter(|_| !self.given_up) {
            let before = sums.items.len();
            sums.items.entry(item).or_default().add(part)?;
            self.pairs += sums.items.len() - before;
        }
        if is_new {
            self.make_room()?;
        }
        match self.cell_sums() {
            // So many pairs are of as many records, and of as many levels and cells.
            Some(_) if self.pairs > PARTS_OF_SUMS.pairs(self.limit) => self.give_up(),
            // The query has found that there are too many.
            Some(_) if part.item.is_none() => self.give_up(),
            None if self.pairs > self.limit => return Err(self.crowded()),
            _ => {}
        }
        Ok(())
    }

    /// Returns true if budgets were rounded down, of which there were too many.
    pub(super) fn is_coarse(&self) -> bool {
        self.coarse
    }

    /// Cells in which indices are added up, if they are.
    fn cell_sums(&self) -> Option<Cells> {
        match &self.measure {
            Measure::Numbers(numbers) => numbers.cells.filter(|cells| cells.has_sums()),
            _ => None,
        }
    }

    /// Stops adding up sums in cells, like a scan.
    fn give_up(&mut self) {
        self.given_up = true;
        self.pairs = 0;
        self.levels.values_mut().for_each(|sums| sums.items = FxHashMap::default());
        if let Measure::Numbers(numbers) = &mut self.measure {
            numbers.cells = None;
        }
    }

    /// Level as which a level counts.
    fn level(&self, level: Level, rule: Rule) -> Level {
        match level {
            Level::Tier(_) => level,
            Level::Budget(bits) => {
                let epsilon = rule(budget(bits));
                let epsilon = if self.coarse { epsilon.coarse() } else { epsilon };
                Level::Budget(epsilon.get().to_bits())
            }
        }
    }

    /// Rounds all budgets down once there are too many, and refuses more levels than there is room
    /// for.
    fn make_room(&mut self) -> Result<()> {
        let is_numeric =
            self.levels.keys().next().is_some_and(|level| matches!(level, Level::Budget(_)));
        if let Measure::Categories(categories) = &self.measure
            && self.levels.len().saturating_mul(categories.len()) > self.limit
        {
            return Err(self.crowded());
        }
        if !is_numeric || self.coarse || self.levels.len() <= EXACT_BUDGETS {
            return Ok(());
        }
        self.coarse = true;
        if self.cell_sums().is_some() {
            self.give_up();
        }
        self.seen = FxHashSet::default();
        self.pairs = 0;
        for (level, sums) in std::mem::take(&mut self.levels) {
            let level = self.level(level, &|epsilon| epsilon);
            let ours = self.levels.entry(level).or_default();
            let before = ours.items.len();
            ours.merge(sums)?;
            self.pairs += ours.items.len() - before;
        }
        Ok(())
    }

    fn crowded(&self) -> Error {
        Error::data(
            (),
            format!(
                "there could be more than {} pairs of a budget and a category or candidate",
                self.limit
            ),
        )
        .with_fix(
            say("lower")
                .option(option::CELLS)
                .say(", declare fewer categories, or use coarser budgets"),
        )
    }

    /// Number of records; `None` if it exceeds 2^64.
    pub(super) fn records(&self) -> Option<u64> {
        self.levels.values().try_fold(0u64, |total, sums| total.checked_add(sums.records))
    }

    /// Number of rows that the records were made of; `None` if it exceeds 2^64.
    pub(super) fn source_rows(&self) -> Option<u64> {
        self.levels.values().try_fold(0u64, |total, sums| total.checked_add(sums.source_rows))
    }

    /// Sum of the marks of persons, if they have them; `None` if it exceeds 2^64.
    pub(super) fn marks(&self) -> Option<u64> {
        self.levels.values().try_fold(0u64, |total, sums| total.checked_add(sums.marks))
    }

    /// Levels as rows of a table, and the measure of their sums.
    pub(super) fn into_level_sums(
        mut self,
        header: &Header,
        rule: Rule,
    ) -> Result<(Measure, Vec<LevelSums>)> {
        if let Some(cells) = self.cell_sums() {
            // The tiers that were declared count, as in a scan.
            let levels = header.tiers.as_ref().map_or(self.levels.len(), Vec::len);
            let records = self.records().unwrap_or(u64::MAX);
            let cells = cells.steps() as usize + 1;
            if PARTS_OF_SUMS.is_exceeded(self.limit, levels, cells, records) {
                self.give_up();
            }
        }
        self.check_cells()?;
        let Self { measure, levels, .. } = self;
        let tiers = header.tiers.as_deref().unwrap_or_default();
        let is_one_number = header.person_value()?.is_one_number();
        let level_sums = |(level, sums): (Level, Sums)| -> Result<LevelSums> {
            let (label, epsilon) = match level {
                Level::Budget(bits) => (None, budget(bits)),
                Level::Tier(tier) => {
                    let tier = tiers.get(tier as usize).ok_or_else(|| {
                        refused("there is no such tier", "run the query as it was printed")
                    })?;
                    (Some(tier.level.clone()), rule(tier.epsilon()?))
                }
            };
            sums.into_level_sums((&measure, is_one_number), label, epsilon)
        };
        let by_level: Result<Vec<LevelSums>> = levels.into_iter().map(level_sums).collect();
        Ok((measure, by_level?))
    }

    /// Refuses more candidates than there is room for, like a scan, by public numbers only.
    fn check_cells(&self) -> Result<()> {
        let Measure::Numbers(numbers) = &self.measure else { return Ok(()) };
        let Some(cells) = numbers.cells else { return Ok(()) };
        let pairs = self.levels.len().saturating_mul(cells.steps() as usize + 1);
        let rows = self.records().unwrap_or(u64::MAX).saturating_mul(u64::from(cells.rows()));
        match pairs > self.limit && rows > self.limit as u64 {
            true => Err(self.crowded()),
            false => Ok(()),
        }
    }
}

impl Sums {
    fn add(&mut self, part: &Part) -> Result<()> {
        add(&mut self.records, part.records)?;
        add(&mut self.source_rows, part.source_rows)?;
        // Rows of candidates alone have no persons.
        add(&mut self.marks, if part.records > 0 { part.cell_rows } else { 0 })?;
        add_sum(&mut self.index_sum, part.index_sum)?;
        add_sum(&mut self.square_sum, part.square_sum)
    }

    fn merge(&mut self, other: Self) -> Result<()> {
        add(&mut self.records, other.records)?;
        add(&mut self.source_rows, other.source_rows)?;
        add(&mut self.marks, other.marks)?;
        add_sum(&mut self.index_sum, other.index_sum)?;
        add_sum(&mut self.square_sum, other.square_sum)?;
        for (item, theirs) in other.items {
            let ours = self.items.entry(item).or_default();
            add(&mut ours.records, theirs.records)?;
            add(&mut ours.cell_rows, theirs.cell_rows)?;
            add_sum(&mut ours.index_sum, theirs.index_sum)?;
            add_sum(&mut ours.square_sum, theirs.square_sum)?;
        }
        Ok(())
    }

    fn into_level_sums(
        self,
        (measure, is_one_number): (&Measure, bool),
        label: Option<String>,
        epsilon: Epsilon,
    ) -> Result<LevelSums> {
        let mut cells = CellCounts::default();
        let sums = match measure {
            Measure::Nothing => Vec::new(),
            Measure::Numbers(numbers) => {
                if numbers.cells.is_some_and(Cells::has_sums) {
                    let sums = self.items.iter().map(|(cell, item)| {
                        let [indices, squares] =
                            [item.index_sum, item.square_sum].map(ExactSum::from_raw);
                        (*cell, item.records, CellSums { indices, squares })
                    });
                    cells = CellCounts::with_sums(sums.collect());
                } else if numbers.cells.is_some() {
                    let counts = self.items.iter().map(|(candidate, item)| {
                        // A person with one number is one record at it.
                        let counted = if is_one_number { item.records } else { item.cell_rows };
                        (*candidate, counted)
                    });
                    cells = CellCounts::from_raw(counts.collect());
                }
                let squares = numbers.squares.then_some(self.square_sum);
                [Some(self.index_sum), squares]
                    .into_iter()
                    .flatten()
                    .map(ExactSum::from_raw)
                    .collect()
            }
            Measure::Categories(categories) => {
                if self.items.keys().any(|item| *item as usize >= categories.len()) {
                    return Err(refused(
                        "there is no such category",
                        "run the query as it was printed",
                    ));
                }
                // Persons have a count for each item, or steps of one in several.
                let counted = |item: &Item| match categories.are_divided() {
                    true => item.index_sum,
                    false => i128::from(item.records),
                };
                let count = |item: u32| self.items.get(&item).map_or(0, counted);
                let counts = (0..categories.len() as u32).map(count);
                counts.map(ExactSum::from_raw).collect()
            }
        };
        Ok(LevelSums { label, epsilon, count: self.records, sums, cells })
    }
}

impl Item {
    fn add(&mut self, part: &Part) -> Result<()> {
        add(&mut self.records, part.records)?;
        add(&mut self.cell_rows, part.cell_rows)?;
        add_sum(&mut self.index_sum, part.index_sum)?;
        add_sum(&mut self.square_sum, part.square_sum)
    }
}

/// Budget with these bits, which come from a budget.
fn budget(bits: u64) -> Epsilon {
    Epsilon::new(f64::from_bits(bits)).unwrap_or(Epsilon::UNUSED)
}

fn add(total: &mut u64, more: u64) -> Result<()> {
    *total = total.checked_add(more).ok_or_else(impossible)?;
    Ok(())
}

fn add_sum(total: &mut i128, more: i128) -> Result<()> {
    *total = total.checked_add(more).ok_or_else(impossible)?;
    Ok(())
}

fn impossible() -> Error {
    refused(
        "its counts or sums are too large to be true",
        "run the query again; an engine may have returned wrong sums",
    )
}
