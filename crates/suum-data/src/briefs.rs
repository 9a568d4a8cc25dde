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

    /// Whether squares are added up, too.
    pub(crate) fn has_squares(&self) -> bool {
        matches!(self, Self::Squares(..))
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

    /// Adds the records of these levels of another one. What a level has no room for goes to
    /// `settle`.
    pub(crate) fn merge(
        &mut self,
        other: Self,
        levels: Range<usize>,
        mut settle: impl FnMut(usize, Added),
    ) {
        match (self, other) {
            (Self::Sums(ours), Self::Sums(theirs)) => {
                grow(ours, theirs.len(), 0);
                for (level, brief) in of(theirs, levels) {
                    if !join(&mut ours[level], brief) {
                        settle(level, added(brief));
                    }
                }
            }
            (Self::Squares(points, ours), Self::Squares(_, theirs)) => {
                grow(ours, theirs.len(), 0);
                for (level, brief) in of(theirs, levels) {
                    if !Sums::join(&mut ours[level], brief) {
                        settle(level, Sums::whole(brief).centred(*points));
                    }
                }
            }
            // Both are of the same numbers.
            _ => {}
        }
    }

    /// What the records of each of these levels add up to; no level has records afterwards.
    pub(crate) fn take(&mut self, levels: Range<usize>) -> Vec<Added> {
        match self {
            Self::Sums(sums) => {
                of(std::mem::take(sums), levels).map(|(_, brief)| added(brief)).collect()
            }
            Self::Squares(points, briefs) => of(std::mem::take(briefs), levels)
                .map(|(_, brief)| Sums::whole(brief).centred(*points))
                .collect(),
        }
    }
}

/// These positions, as far as there are so many, and what is there.
fn of<T>(all: Vec<T>, positions: Range<usize>) -> impl Iterator<Item = (usize, T)> {
    all.into_iter().enumerate().skip(positions.start).take(positions.len())
}

/// Room for so many levels.
fn grow<T: Copy>(briefs: &mut Vec<T>, levels: usize, zero: T) {
    if briefs.is_empty() {
        // Pages of zeros, if there are many.
        *briefs = vec![zero; levels];
    }
    briefs.resize(levels, zero);
}

/// Adds what was added up of others; false, and nothing is added, if there is no room for it.
fn join(brief: &mut u64, other: u64) -> bool {
    let fits = (*brief >> OF_RECORDS) + (other >> OF_RECORDS) < MOST_RECORDS;
    *brief += if fits { other } else { 0 };
    fits
}

fn added(brief: u64) -> Added {
    (brief >> OF_RECORDS, (brief % (1 << OF_RECORDS)).into(), 0)
}
