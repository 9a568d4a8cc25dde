//! What some records of each level add up to, in one number: arrays of these are so small that
//! processors have them near.

use std::ops::Range;

use suum_core::Numbers;

use crate::cell_entry::{Entry, MOST_POINTS, Sums};

/// Sums of few records of each level, of a grid of at most 2^31 steps.
pub(crate) enum Briefs {
    Sums(Vec<u64>),
    /// With squares: the steps of the grid too.
    Squares(u64, Vec<<Sums as Entry>::Brief>),
}

/// What records add up to: how many there are, and the sums of their indices and of the squares of
/// 2g − G, or 0 where these are not asked for.
pub(crate) type Added = (u64, i128, i128);

/// A sum of indices has the lowest bits, the number of records the rest: an index is at most 2^31,
/// so there is room for 8191 records.
const OF_RECORDS: u32 = 44;
const MOST_RECORDS: u64 = 8191;
const _: () = assert!(MOST_RECORDS * MOST_POINTS < 1 << OF_RECORDS);

impl Briefs {
    /// No levels yet; `None` where more than sums is asked for, or the grid is too large.
    pub(crate) fn new(numbers: &Numbers) -> Option<Self> {
        let points = numbers.grid.points();
        let is_small = numbers.cells.is_none() && points <= MOST_POINTS;
        is_small.then(|| match numbers.squares {
            false => Self::Sums(Vec::new()),
            true => Self::Squares(points, Vec::new()),
        })
    }

    /// The same without levels.
    pub(crate) fn emptied(&self) -> Self {
        match self {
            Self::Sums(_) => Self::Sums(Vec::new()),
            Self::Squares(points, _) => Self::Squares(*points, Vec::new()),
        }
    }

    /// Adds records: the position of the level of each, among so many, and its index. What a level
    /// has no room for any more goes to `settle`.
    #[inline]
    pub(crate) fn add_all(
        &mut self,
        levels: usize,
        records: impl Iterator<Item = (usize, u64)>,
        mut settle: impl FnMut(usize, Added),
    ) {
        match self {
            Self::Sums(sums) => {
                grow(sums, levels, 0);
                for (level, index) in records {
                    let brief = &mut sums[level];
                    *brief += index | 1 << OF_RECORDS;
                    if *brief >= MOST_RECORDS << OF_RECORDS {
                        settle(level, added(std::mem::take(brief)));
                    }
                }
            }
            Self::Squares(points, briefs) => {
                grow(briefs, levels, 0);
                for (level, index) in records {
                    let brief = &mut briefs[level];
                    if Sums::count(brief, index as u32) {
                        settle(level, Sums::whole(std::mem::take(brief)).centred(*points));
                    }
                }
            }
        }
    }

    /// What the records of each of these levels add up to; no level has records afterwards.
    pub(crate) fn take(&mut self, levels: Range<usize>) -> Vec<Added> {
        match self {
            Self::Sums(sums) => of(std::mem::take(sums), levels, added),
            Self::Squares(points, briefs) => {
                let briefs = std::mem::take(briefs);
                of(briefs, levels, |brief| Sums::whole(brief).centred(*points))
            }
        }
    }
}

/// What is at these positions, as far as there are so many.
fn of<T>(all: Vec<T>, positions: Range<usize>, added: impl Fn(T) -> Added) -> Vec<Added> {
    all.into_iter().skip(positions.start).take(positions.len()).map(added).collect()
}

/// Room for so many levels.
fn grow<T: Copy>(briefs: &mut Vec<T>, levels: usize, zero: T) {
    if briefs.is_empty() {
        // Pages of zeros, if there are many.
        *briefs = vec![zero; levels];
    }
    briefs.resize(levels, zero);
}

fn added(brief: u64) -> Added {
    (brief >> OF_RECORDS, (brief % (1 << OF_RECORDS)).into(), 0)
}
