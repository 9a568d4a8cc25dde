//! Weights of the rows between cuts, where each look says where the next one cuts.

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

use super::ranks::Ranks;
use super::{common_scale, total_weight, weighing};
use crate::verify::Description;
use crate::{
    CellCounts, Distribution, Exact, LevelEntry, Loss, Profile, Question, Randomness,
    SumZeroLaplace,
};

/// A histogram of the ranks that is made finer where the weight is.
///
/// The first look has cells of equal width. A look that shows a cell with at least a threshold of
/// all weight is followed by one in which that cell is divided into eight, and in which neighbours
/// that have little weight are one cell. What the last look shows is the answer.
///
/// # Guarantee
///
/// A look releases the weight A_c + Z_c of the rows in every cell c, Z being [noise that adds up to
/// zero](SumZeroLaplace) of scale b·R·(all parts)/(parts of this look), with R the rows of each
/// record. All A_c together are public with replace-one neighbours. Replacing a record of weight W
/// moves at most R of its rows from one cell to another, so that A moves by at most 2WR in the sum
/// of absolute values, and by nothing in sum: the look costs the record at most its share of W/b.
/// Cells of a look depend on earlier answers only, not on the records. So all looks together cost
/// the record at most W/b, as their parts add up to all parts. b is the least integer with
/// W_j ≤ b·ε_j for every finite level.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefinedCounts {
    weights: Vec<UBig>,
    scale: UBig,
    total: UBig,
    rows: u32,
    steps: u32,
    refinement: Refinement,
}

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
const FINE: usize = 32;

/// What the last look shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NoisyCells {
    /// The first candidate of each cell, and behind the last cell the number of candidates.
    pub(crate) cuts: Vec<u32>,
    /// The noisy weight of each cell; all add up to the total.
    pub(crate) weights: Vec<IBig>,
    /// The weight of all rows.
    pub(crate) total: UBig,
    /// The scale of the noise.
    pub(crate) scale: UBig,
}

impl RefinedCounts {
    /// The mechanism for the levels of `profile`, with `weights` in its order, on `steps` + 1
    /// candidates.
    pub(crate) fn calibrated(
        profile: &Profile,
        weights: Vec<UBig>,
        (steps, rows): (u32, u32),
        refinement: Refinement,
    ) -> Self {
        let scale = common_scale(profile, &weights, &UBig::ONE, &UBig::ONE);
        let total = total_weight(profile, &weights) * UBig::from(rows);
        Self { weights, scale, total, rows, steps, refinement }
    }

    /// W_j per level, in the order of the profile.
    pub fn weights(&self) -> &[UBig] {
        &self.weights
    }

    /// b: the scale of all looks together; zero if only public records count.
    pub fn scale(&self) -> &UBig {
        &self.scale
    }

    /// The rule by which cells are divided.
    pub fn refinement(&self) -> Refinement {
        self.refinement
    }

    /// The loss of one record of the level at this position, at most: W/b.
    pub fn loss(&self, position: usize) -> Loss {
        match self.weights.get(position) {
            Some(weight) if *weight != UBig::ZERO => {
                if self.scale == UBig::ZERO {
                    return Loss::Unlimited;
                }
                Loss::Finite(RBig::from_parts(IBig::from(weight.clone()), self.scale.clone()))
            }
            _ => Loss::ZERO,
        }
    }

    /// What it asks, as a certificate lists it.
    pub(crate) fn description(&self) -> Description {
        let Refinement { start, looks, parts, .. } = self.refinement;
        let question = Question::RefinedCounts {
            rows: self.rows,
            start,
            looks,
            parts,
            all_parts: Refinement::PARTS,
        };
        Description {
            question,
            distribution: Distribution::SumZeroLaplace,
            sensitivity: Exact(RBig::ONE),
            scale: Some(self.scale.clone().into()),
        }
    }

    /// What a record of the level at this position weighs, as a certificate lists it.
    pub(crate) fn level(&self, position: usize) -> LevelEntry {
        weighing(&self.weights, position)
    }

    /// What the last look shows. Cohorts are given by their position in the profile.
    pub(crate) fn release(
        &self,
        cohorts: &[(usize, &CellCounts)],
        randomness: &mut Randomness,
    ) -> NoisyCells {
        let weighted = cohorts
            .iter()
            .filter_map(|(position, cells)| Some((self.weights.get(*position)?, *cells)));
        let ranks = Ranks::of(self.steps, weighted);
        let Refinement { start, looks, parts, heavy } = self.refinement;
        let total = &self.total << FINE;
        let heavy = IBig::from((&total * UBig::from(heavy)) >> Refinement::HEAVY_BITS);
        let mut cuts = evenly(0, ranks.candidates(), start.max(1));
        cuts.push(ranks.candidates());
        let mut left = Refinement::PARTS;
        for _ in 0..looks {
            if parts == 0 || left <= parts {
                break;
            }
            left -= parts;
            let (weights, _) = self.look(&ranks, &cuts, parts, randomness);
            let (finer, is_finer) = refined(&cuts, &weights, &heavy);
            cuts = finer;
            if !is_finer {
                break;
            }
        }
        let (weights, scale) = self.look(&ranks, &cuts, left, randomness);
        NoisyCells { cuts, weights, total, scale }
    }

    /// The noisy weights between cuts, for some of all parts, and the scale of the noise.
    fn look(
        &self,
        ranks: &Ranks,
        cuts: &[u32],
        parts: u64,
        randomness: &mut Randomness,
    ) -> (Vec<IBig>, UBig) {
        let all = &self.scale * UBig::from(u64::from(self.rows)) * UBig::from(Refinement::PARTS);
        let (all, parts) = (all << FINE, UBig::from(parts));
        let scale = (all + &parts - UBig::ONE) / parts;
        let noise = SumZeroLaplace::new(scale.clone(), cuts.len() - 1).sample(randomness);
        let cells = cuts.windows(2).zip(noise);
        let weights =
            cells.map(|(cell, noise)| IBig::from(ranks.between(cell[0], cell[1]) << FINE) + noise);
        (weights.collect(), scale)
    }
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
