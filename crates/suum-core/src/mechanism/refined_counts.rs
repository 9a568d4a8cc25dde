//! Weights of the rows between cuts, where each look says where the next one cuts.

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

use super::ranks::Ranks;
use super::{common_scale, total_weight, weighing, weight_loss};
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
        weight_loss(&self.weights, position, &self.scale, (&UBig::ONE, &UBig::ONE))
    }

    /// What it asks, as a certificate lists it.
    pub(crate) fn description(&self) -> Description {
        let Refinement { looks, parts, .. } = self.refinement;
        let (parts, all_parts) = (parts.max(1), Refinement::PARTS);
        let question = Question::RefinedCounts {
            rows: self.rows,
            looks,
            parts,
            left: all_parts - u64::from(looks) * parts,
            all_parts,
            times: Exact(RBig::from_parts(
                IBig::from(u64::from(self.rows)) * IBig::from(all_parts),
                parts.into(),
            )),
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
        let ranks = Ranks::of_levels(self.steps, &self.weights, cohorts);
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

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(profile: &str, weights: &[u64], rows: u32, refinement: Refinement) -> RefinedCounts {
        let profile: Profile = profile.parse().unwrap();
        let weights = weights.iter().map(|weight| UBig::from(*weight)).collect();
        RefinedCounts::calibrated(&profile, weights, (99, rows), refinement)
    }

    const LEARNING: Refinement = Refinement { start: 8, looks: 2, parts: 7000, heavy: 1 << 29 };

    /// W·R/scale of every look, exactly: its share of W/b and no more, and nearly all of it.
    #[test]
    fn a_look_costs_its_part() {
        for (rows, weight) in [(1, 1 << 40), (3, 12_345), (1000, 7)] {
            let counts = counts("0.3:5,0.7:4", &[weight, 2 * weight], rows, LEARNING);
            let ranks = Ranks::of(99, []);
            let fraction = |numerator: UBig, denominator: UBig| {
                RBig::from_parts(IBig::from(numerator), denominator)
            };
            for parts in [1, 7000, 51_536, 65_536] {
                let (_, scale) =
                    counts.look(&ranks, &[0, 50, 100], parts, &mut Randomness::insecure(1));
                let moved = (UBig::from(weight) * UBig::from(rows)) << FINE;
                let costs = fraction(moved, scale);
                let part = fraction(UBig::from(weight * parts), counts.scale() << 16);
                assert!(costs <= part, "{rows} {weight} {parts}");
                assert!(costs > part * fraction(999_999u32.into(), 1_000_000u32.into()));
            }
        }
    }

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

    /// The variance of the noise in the first cell of the last look, of 20 000: a relative standard
    /// error of at most 1.8 %, so that a scale that is 10 % too small is five of them away.
    #[test]
    fn the_last_look_has_the_noise_that_is_left() {
        let refinement = Refinement { start: 4, looks: 0, parts: 0, heavy: 0 };
        let counts = counts("0.3:5,0.7:4", &[1 << 20, 1 << 20], 1, refinement);
        let mut randomness = Randomness::insecure(5);
        let unit = counts.scale().to_f64().value() * (1u64 << FINE) as f64;
        let mut squares = 0.0;
        for _ in 0..20_000 {
            let cells = counts.release(&[], &mut randomness);
            assert_eq!(cells.weights.iter().sum::<IBig>(), IBig::ZERO);
            assert_eq!(cells.cuts, [0, 25, 50, 75, 100]);
            squares += (cells.weights[0].to_f64().value() / unit).powi(2) / 20_000.0;
        }
        let expected = crate::tail::prefix_variance(4, 1.0);
        assert!((squares / expected - 1.0).abs() < 0.09, "{squares} against {expected}");
    }

    /// Most of the weight is at one candidate: it is found, to the candidate.
    #[test]
    fn cells_become_fine_where_the_weight_is() {
        let counts = counts("1:1000", &[1 << 20], 1, LEARNING);
        let cells = CellCounts::from_raw(vec![(3, 100), (42, 700), (90, 200)]);
        let mut randomness = Randomness::insecure(2);
        let seen = counts.release(&[(0, &cells)], &mut randomness);
        let at = seen.cuts.iter().position(|cut| *cut == 42).unwrap();
        assert_eq!(seen.cuts[at + 1], 43);
        let share = seen.weights[at].to_f64().value() / seen.total.to_f64().value();
        assert!((share - 0.7).abs() < 0.05, "{share}");
        assert!(counts.loss(0).within("1".parse().unwrap()));
    }
}
