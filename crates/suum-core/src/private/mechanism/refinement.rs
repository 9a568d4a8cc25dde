//! Refinement of a histogram: the cells of each look.

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

use super::ranks::Ranks;
use crate::{Exact, Question};

/// Rule by which cells are divided, from public facts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Refinement {
    /// Number of cells of equal width in the first look.
    pub start: u32,
    /// Largest number of looks before the last one.
    pub looks: u32,
    /// Cost of each of these looks, in parts of [`PARTS`](Self::PARTS); the last look costs the
    /// rest.
    pub parts: u64,
    /// Least weight of a cell that is divided, in units of 2^-32 of the total weight.
    pub heavy: u64,
}

impl Refinement {
    /// Number of parts of the cost.
    pub const PARTS: u64 = 1 << 16;
    /// Unit of [`heavy`](Self::heavy), as a negative power of two.
    pub const HEAVY_BITS: usize = 32;
    /// Number of cells into which a heavy one is divided.
    pub const INTO: u32 = 8;
    /// Largest number of cells.
    pub const MOST: usize = 4096;
}

/// Number of binary digits by which weights are made finer, so that the noise is practically
/// continuous even for the largest number of cells.
pub(super) const FINE: usize = 32;

/// Noisy cells of the last look.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NoisyCells {
    /// First candidate of each cell, and then the number of candidates.
    pub(crate) cuts: Vec<u32>,
    /// Noisy weight of each cell.
    pub(crate) weights: Vec<IBig>,
    /// Scale of the noise.
    pub(crate) scale: UBig,
}

impl Refinement {
    /// Returns the noisy cells of the last look. Cells with a weight of at least `heavy` are
    /// divided. All looks together have noise of this scale for each of `rows` rows; `noise` draws
    /// noise of a scale for a number of cells.
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

    /// Returns the question for records with this many rows, as a certificate lists it.
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

/// Returns the scale of the noise of a look that costs this many parts, rounded up, so that it
/// costs no more.
pub(super) fn scale_of_look(scale: &UBig, rows: u32, parts: u64) -> UBig {
    let all = (scale * UBig::from(rows) * UBig::from(Refinement::PARTS)) << FINE;
    let parts = UBig::from(parts);
    (all + &parts - UBig::ONE) / parts
}

/// Returns the first candidates of `cells` cells of nearly equal width between two cuts, or of
/// fewer if there are fewer candidates.
fn evenly(from: u32, to: u32, cells: u32) -> Vec<u32> {
    let width = u64::from(to - from);
    let cells = u64::from(cells);
    let first = |cell: u64| from + ((2 * width * cell + cells) / (2 * cells)) as u32;
    let mut cuts: Vec<u32> = (0..cells).map(first).filter(|cut| *cut < to).collect();
    cuts.dedup();
    cuts
}

/// Returns the cuts of the next look, and true if a cell was divided.
fn refined(cuts: &[u32], weights: &[IBig], heavy: &IBig) -> (Vec<u32>, bool) {
    let mut finer: Vec<u32> = Vec::new();
    let mut is_finer = false;
    // Weight of the previous cell, if the next one may be joined to it.
    let mut light: Option<IBig> = None;
    let into = Refinement::INTO;
    for (at, (cell, weight)) in cuts.windows(2).zip(weights).enumerate() {
        // Cells so far, and those that remain undivided.
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
