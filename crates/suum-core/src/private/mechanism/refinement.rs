//! A histogram that is made finer where the weight is: which cells each look has.

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

use super::ranks::Ranks;
use crate::{Exact, Question};

/// The rule by which cells are divided, from public facts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Refinement {
    /// How many cells of equal width the first look has.
    pub start: u32,
    /// How many looks may be followed by finer ones; the last look is none of them.
    pub looks: u32,
    /// What each of these costs, of all [`PARTS`](Self::PARTS); the last look costs the rest.
    pub parts: u64,
    /// A cell is divided where it has at least this many 2^-32ths of all weight.
    pub heavy: u64,
}

impl Refinement {
    /// Into how many parts the cost is divided.
    pub const PARTS: u64 = 1 << 16;
    /// The unit of [`heavy`](Self::heavy), as a power of two.
    pub const HEAVY_BITS: usize = 32;
    /// Into how many cells a heavy one is divided.
    pub const INTO: u32 = 8;
    /// The most cells.
    pub const MOST: usize = 4096;
}

/// Binary digits by which weights are made finer, so that noise is as good as continuous for the
/// most cells.
pub(super) const FINE: usize = 32;

/// What the last look shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NoisyCells {
    /// The first candidate of each cell, and behind the last cell the number of candidates.
    pub(crate) cuts: Vec<u32>,
    /// The noisy weight of each cell.
    pub(crate) weights: Vec<IBig>,
    /// The scale of the noise.
    pub(crate) scale: UBig,
}

impl Refinement {
    /// What the last look shows, if a cell is divided from the weight `heavy` on. All looks
    /// together have noise of this scale for each of `rows` rows, and `noise` draws so much of it
    /// for so many cells.
    pub(super) fn look(
        &self,
        ranks: &Ranks,
        heavy: &UBig,
        (scale, rows): (&UBig, u32),
        mut noise: impl FnMut(UBig, usize) -> Vec<IBig>,
    ) -> NoisyCells {
        let Self { start, looks, parts, .. } = *self;
        let heavy = IBig::from(heavy << FINE);
        let mut see = |cuts: &[u32], parts: u64| {
            let scale = scale_of_look(scale, rows, parts);
            let cells = cuts.windows(2).zip(noise(scale.clone(), cuts.len() - 1));
            let noisy = |(cell, noise): (&[u32], IBig)| {
                IBig::from(ranks.between(cell[0], cell[1]) << FINE) + noise
            };
            (cells.map(noisy).collect::<Vec<IBig>>(), scale)
        };
        let mut cuts = evenly(0, ranks.candidates(), start.max(1));
        cuts.push(ranks.candidates());
        let mut left = Self::PARTS;
        for _ in 0..looks {
            if parts == 0 || left <= parts {
                break;
            }
            left -= parts;
            let (weights, _) = see(&cuts, parts);
            let (finer, is_finer) = refined(&cuts, &weights, &heavy);
            cuts = finer;
            if !is_finer {
                break;
            }
        }
        let (weights, scale) = see(&cuts, left);
        NoisyCells { cuts, weights, scale }
    }

    /// What is asked of records with so many rows, as a certificate lists it.
    pub(super) fn question(&self, rows: u32) -> Question {
        let (looks, parts, all_parts) = (self.looks, self.parts.max(1), Self::PARTS);
        let times = IBig::from(u64::from(rows)) * IBig::from(all_parts);
        Question::RefinedCounts {
            rows,
            looks,
            parts,
            left: all_parts - u64::from(looks) * parts,
            all_parts,
            times: Exact(RBig::from_parts(times, parts.into())),
        }
    }
}

/// The scale of the noise of a look that has so many parts: rounded up, so that it costs no more.
pub(super) fn scale_of_look(scale: &UBig, rows: u32, parts: u64) -> UBig {
    let all = (scale * UBig::from(rows) * UBig::from(Refinement::PARTS)) << FINE;
    let parts = UBig::from(parts);
    (all + &parts - UBig::ONE) / parts
}

/// The first candidates of so many cells of nearly equal width between two cuts; fewer where there
/// are fewer candidates.
fn evenly(from: u32, to: u32, cells: u32) -> Vec<u32> {
    let width = u64::from(to - from);
    let cells = u64::from(cells);
    let first = |cell: u64| from + ((2 * width * cell + cells) / (2 * cells)) as u32;
    let mut cuts: Vec<u32> = (0..cells).map(first).filter(|cut| *cut < to).collect();
    cuts.dedup();
    cuts
}

/// The cuts of the next look, and whether a cell was divided.
fn refined(cuts: &[u32], weights: &[IBig], heavy: &IBig) -> (Vec<u32>, bool) {
    let mut finer: Vec<u32> = Vec::new();
    let mut is_finer = false;
    // What the last cell has, if it may be joined.
    let mut light: Option<IBig> = None;
    let into = Refinement::INTO;
    for (at, (cell, weight)) in cuts.windows(2).zip(weights).enumerate() {
        // What is still to come, uncut.
        let room = finer.len() + (cuts.len() - at) + into as usize <= Refinement::MOST;
        if weight >= heavy && cell[1] - cell[0] > 1 && room {
            finer.extend(evenly(cell[0], cell[1], into));
            (is_finer, light) = (true, None);
            continue;
        }
        let own = weight.clone().max(IBig::ZERO);
        light = match light {
            Some(light) if (&light + &own) * IBig::from(2) < *heavy => Some(light + own),
            _ => {
                finer.push(cell[0]);
                Some(own)
            }
        };
    }
    finer.extend(cuts.last());
    (finer, is_finer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heavy_cells_are_divided_and_light_ones_joined() {
        let cuts = [0, 10, 20, 30, 40, 50, 60, 61];
        let weights = [1, 2, 100, 3, -5, 4, 100].map(IBig::from);
        let (finer, is_finer) = refined(&cuts, &weights, &IBig::from(40));
        assert!(is_finer);
        // 61 − 60 is one candidate, which cannot be divided.
        assert_eq!(finer, [0, 20, 21, 23, 24, 25, 26, 28, 29, 30, 60, 61]);
        let (same, is_finer) =
            refined(&finer, &[1, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9].map(IBig::from), &IBig::from(10));
        assert_eq!((same, is_finer), (finer, false));
        // There are never more cells than are drawn in reasonable time.
        let cuts: Vec<u32> = (0..=1000).map(|cut| cut * 100).collect();
        let (finer, _) = refined(&cuts, &vec![IBig::from(9); 1000], &IBig::from(9));
        assert!(finer.len() <= Refinement::MOST + 1 && finer.is_sorted_by(|a, b| a < b));
        assert_eq!((finer.first(), finer.last()), (Some(&0), Some(&100_000)));
    }
}
