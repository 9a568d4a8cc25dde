//! The hot kernel: what is counted and added up per level.

use suum_core::ExactSum;

/// The most counters of categories, over all levels: 512 MiB of them.
const MOST: usize = 1 << 26;

/// How many records a level has, how many of them a sample dropped, and the exact sum of the others' grid indices.
///
/// An index is at most 2^50, so 2^63 records stay below 2^113: the sum cannot overflow.
#[derive(Clone, Copy, Default)]
struct Tally {
    count: u64,
    dropped: u64,
    sum: i128,
}

impl Tally {
    #[inline]
    fn add(&mut self, index: u64) {
        self.count += 1;
        self.sum += i128::from(index);
    }
}

/// A count and `width` sums per level, where levels are known by their position.
pub(crate) struct Counters {
    // None, one sum of grid indices, or one count for each category; of categories there are at least two.
    width: usize,
    tallies: Vec<Tally>,
    // The counts of categories, level after level; empty for other widths.
    classes: Vec<u64>,
}

impl Counters {
    pub(crate) fn new(width: usize) -> Self {
        Self { width, tallies: Vec::new(), classes: Vec::new() }
    }

    /// Whether so many levels have more counters than a scan may hold.
    pub(crate) fn too_many(levels: usize, width: usize) -> bool {
        width > 1 && levels.saturating_mul(width) > MOST
    }

    pub(crate) fn width(&self) -> usize {
        self.width
    }

    pub(crate) fn levels(&self) -> usize {
        self.tallies.len()
    }

    /// Adds levels without records.
    pub(crate) fn grow(&mut self, levels: usize) {
        self.tallies.resize(self.tallies.len() + levels, Tally::default());
        if self.width > 1 {
            self.classes.resize(self.tallies.len() * self.width, 0);
        }
    }

    /// Adds a record of a grid index or of a category.
    #[inline]
    pub(crate) fn add(&mut self, level: usize, index: u64) {
        if self.width > 1 {
            self.tallies[level].count += 1;
            self.classes[level * self.width + index as usize] += 1;
        } else {
            self.tallies[level].add(index);
        }
    }

    /// Adds many records; every level must be a position here.
    pub(crate) fn add_all(&mut self, levels: &[u32], indices: &[u64]) {
        let records = levels.iter().zip(indices);
        if self.width > 1 {
            records.for_each(|(level, index)| self.add(*level as usize, *index));
        } else {
            // Nothing is decided for each number again.
            let tallies = self.tallies.as_mut_slice();
            records.for_each(|(level, index)| tallies[*level as usize].add(*index));
        }
    }

    /// Counts a record whose value is not used.
    pub(crate) fn drop(&mut self, level: usize) {
        let tally = &mut self.tallies[level];
        tally.count += 1;
        tally.dropped += 1;
    }

    /// Adds all of a level of other counters of the same width.
    pub(crate) fn merge(&mut self, level: usize, other: &Counters, from: usize) {
        let (ours, theirs) = (&mut self.tallies[level], other.tallies[from]);
        ours.count += theirs.count;
        ours.dropped += theirs.dropped;
        ours.sum += theirs.sum;
        if self.width > 1 {
            let ours = self.classes.iter_mut().skip(level * self.width);
            let theirs = other.classes.iter().skip(from * self.width);
            for (our, their) in ours.zip(theirs).take(self.width) {
                *our += their;
            }
        }
    }

    /// The number of records of a level.
    pub(crate) fn count(&self, level: usize) -> u64 {
        self.tallies[level].count
    }

    /// The number of records of a level whose values were used.
    pub(crate) fn kept(&self, level: usize) -> u64 {
        self.tallies[level].count - self.tallies[level].dropped
    }

    /// The sums of a level.
    pub(crate) fn sums(&self, level: usize) -> Vec<ExactSum> {
        match self.width {
            0 => Vec::new(),
            1 => vec![ExactSum::from_raw(self.tallies[level].sum)],
            width => {
                let counts = self.classes.iter().skip(level * width).take(width);
                counts.map(|count| ExactSum::from_raw(i128::from(*count))).collect()
            }
        }
    }
}
