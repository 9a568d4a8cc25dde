//! How fine a histogram for several quantiles is to be, and what it tells of them.

use dashu_int::IBig;

use super::order::QuantileDraw;
use super::slack::Slack;
use crate::answer::tail::{LaplaceSum, prefix_half_widths, prefix_variance};
use crate::private::mechanism::NoisyCells;
use crate::{Bounds, Cells, Rank, Refinement};

/// What public facts say of a histogram before it is made.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Fineness {
    refinement: Refinement,
    /// A cell is divided that has at least this share of all weight.
    heavy: f64,
    /// How many cells the last look has, about, and its share of the budget.
    cells: usize,
    last: f64,
}

/// A threshold of so many scales of the noise of a cell is hardly ever passed by noise alone.
const SURE: f64 = 5.0;
/// The share of the budget that a look should have to see cells of `VISIBLE` of all weight, and
/// within which it stays.
const VISIBLE: f64 = 0.3;
const LOOK: (f64, f64) = (1.0 / 12.0, 1.0 / 6.0);
/// A threshold at which no cell is heavy.
const BLIND: f64 = 0.5;
/// Interpolation in a cell is off by this share of its weight, as a rule, or this one near the ends
/// of the data.
const INTERPOLATION: f64 = 0.05;
const OUTSIDE: f64 = 0.0625;
/// Looks before the last one: with the cells of the first look they come down to 2^-17 of the
/// bounds.
const LOOKS: u32 = 4;
/// Cells of the first look, and the finest threshold.
const START: (f64, f64) = (8.0, 32.0);
const FINEST: f64 = 1.0 / 512.0;
/// 217·noise² is the cube of the threshold at which noise and interpolation add least together,
/// with about three cells for each time that the threshold fits into all weight.
const BALANCE: f64 = 217.0;
const CELLS: f64 = 3.0;
/// The sum of j noises reaches about 1 + `TAIL`/j times as far as a normal variable where that is
/// improbable.
const TAIL: f64 = 0.45;
/// How many looks there are before the last one as a rule.
const USUAL: u32 = 2;

impl Fineness {
    /// For noise whose scale is this share of all weight, on so many steps. In a cell alone it is
    /// about twice as large, as [noise that adds up to zero](crate::SumZeroLaplace) is.
    pub(crate) fn new(noise: f64, steps: u32) -> Self {
        let candidates = f64::from(steps) + 1.0;
        let balanced = (BALANCE * noise * noise).cbrt().max(FINEST);
        let start = (1.5 / balanced).log2().ceil().exp2().clamp(START.0, START.1).min(candidates);
        let look = (2.0 * SURE * noise / VISIBLE).clamp(LOOK.0, LOOK.1);
        let heavy = (2.0 * SURE * noise / look).max(balanced);
        let divisions = ((candidates / start).log2() / f64::from(Refinement::INTO).log2()).ceil();
        let looks = if heavy > BLIND { 0 } else { LOOKS.min(divisions as u32) };
        let cells = match looks {
            0 => start,
            _ => (CELLS / heavy).clamp(START.0, candidates.max(START.0)),
        };
        let unit = (1u64 << Refinement::HEAVY_BITS) as f64;
        let refinement = Refinement {
            start: start as u32,
            looks,
            parts: (look * Refinement::PARTS as f64) as u64,
            heavy: (heavy.min(1.0) * unit) as u64,
        };
        let last = 1.0 - f64::from(looks.min(USUAL)) * look;
        Self { refinement, heavy, cells: cells as usize, last }
    }

    /// Whether there is too much noise to learn anything from a first look.
    pub(crate) fn is_blind(&self) -> bool {
        self.heavy > BLIND
    }

    pub(crate) fn refinement(&self) -> Refinement {
        self.refinement
    }

    /// How far the rank of an end is from the one asked for, about, as far as noise in the middle
    /// of the ranks: with what is between where the end must be and the next cut, half of a cell,
    /// which has half of what a heavy one has.
    pub(crate) fn half_width(&self, slack: &Slack, noise: f64) -> f64 {
        slack.half_width(self.noise_sd(noise, 0.5)) + self.heavy / 4.0
    }

    /// The standard deviation of the noise in the share before the cut next to the q-quantile,
    /// about, and of a normal variable that reaches as far where that is improbable.
    pub(crate) fn noise_sd(&self, noise: f64, q: f64) -> f64 {
        let cells = self.cells.max(2);
        let before = (q * cells as f64).clamp(1.0, cells as f64 - 1.0);
        let fewer = before.min(cells as f64 - before);
        (prefix_variance(cells, before)).sqrt() * (1.0 + TAIL / fewer) * noise / self.last
    }

    /// The variance that noise and interpolation lead to in the rank of the q-quantile, about.
    pub(crate) fn variance(&self, noise: f64, q: f64) -> f64 {
        let noise = noise / self.last;
        let sums = prefix_variance(self.cells.max(2), q * self.cells as f64);
        let heavy = self.heavy.min(1.0);
        // The first and the last cells are wide, and hold no more than a heavy one.
        let is_outside = heavy > q.min(1.0 - q) / 2.0;
        let interpolation = if is_outside { OUTSIDE } else { INTERPOLATION } * heavy;
        noise * noise * sums + interpolation * interpolation
    }
}

/// The law of the noise in the cells of a look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CellNoise {
    /// All of it adds up to zero: the weight of all records is public.
    SumZero,
    /// That of every cell is independent of the others: the weight of all is not.
    Independent,
}

/// The weight before each cut, with noise, in units of the scale of the noise.
pub(crate) struct CellShares {
    cuts: Vec<u32>,
    /// As drawn: from 0 to the weight of all, but in between in no order.
    drawn: Vec<f64>,
    /// As shares of all weight, in ascending order.
    ascending: Vec<f64>,
    law: CellNoise,
}

impl CellShares {
    pub(crate) fn new(cells: NoisyCells, law: CellNoise) -> Self {
        let scale = cells.scale.to_f64().value();
        let mut sum = IBig::ZERO;
        let mut drawn = vec![0.0];
        for weight in &cells.weights {
            sum += weight;
            drawn.push(sum.to_f64().value() / scale);
        }
        // Of so little that noise hides all of it nothing is known.
        let total = sum.to_f64().value().max(scale) / scale;
        let share = |weight: &f64| (weight / total).clamp(0.0, 1.0);
        let mut ascending: Vec<f64> = drawn.iter().map(share).collect();
        nearest_ascending(&mut ascending);
        Self { cuts: cells.cuts, drawn, ascending, law }
    }

    /// What is said of quantiles at these ranks, in units of the data.
    pub(crate) fn read(
        &self,
        ranks: &[Rank],
        slack: &Slack,
        (cells, bounds): (Cells, Bounds),
    ) -> Vec<QuantileDraw> {
        let misses = slack.misses();
        let widths = match self.law {
            CellNoise::SumZero => prefix_half_widths(self.cuts.len() - 1, misses),
            CellNoise::Independent => Vec::new(),
        };
        let value = |candidate| cells.value(bounds, candidate);
        let one = |(rank, [below, above]): (&Rank, &[Vec<f64>; 2])| {
            let q = rank.get();
            let is_sure = |cut: usize, side: f64, amounts: &[f64]| {
                amounts.iter().zip(misses).enumerate().all(|(step, (amount, miss))| {
                    let rank = q + side * amount;
                    let distance = side * self.beyond(cut, rank);
                    match self.law {
                        CellNoise::SumZero => distance >= widths[cut - 1][step],
                        CellNoise::Independent => self.is_sure(cut, distance, (rank, *miss)),
                    }
                })
            };
            QuantileDraw {
                q: *rank,
                estimate: value(self.candidate(q)),
                lower: self.lower(|cut| is_sure(cut, -1.0, below)).map(value),
                upper: self.upper(|cut| is_sure(cut, 1.0, above)).map(value),
            }
        };
        ranks.iter().zip(slack.sides()).map(one).collect()
    }

    /// Whether independent noise takes the weight before a cut so far from a rank with a
    /// probability of less than `miss`.
    ///
    /// The distance from q times the weight of all is (1 − q) times the weight before the cut less
    /// q times that behind it, and so is its noise.
    fn is_sure(&self, cut: usize, distance: f64, (rank, miss): (f64, f64)) -> bool {
        let behind = self.cuts.len() - 1 - cut;
        let scales = [((1.0 - rank).abs(), cut as f64), (rank.abs(), behind as f64)];
        distance > 0.0 && LaplaceSum::new(scales, 0.0).excess(1.0 - 2.0 * miss, distance) < 0.0
    }

    /// The candidate at rank q, where weight is spread evenly over each cell.
    fn candidate(&self, q: f64) -> u32 {
        let cell = self.ascending[1..].iter().position(|share| *share >= q);
        let cell = cell.unwrap_or(self.ascending.len().saturating_sub(2));
        let (low, high) = (self.ascending[cell], self.ascending[cell + 1]);
        let (first, end) = (self.cuts[cell], self.cuts[cell + 1]);
        let part = if high > low { (q - low) / (high - low) } else { 0.5 };
        let within = (part.clamp(0.0, 1.0) * f64::from(end - first)) as u32;
        first + within.min(end - first - 1)
    }

    /// The last cut before the first one of which it is not sure that it lies below the quantile;
    /// none but the lower bound where that is so.
    ///
    /// Let x be the quantile, and c the first cut above it. If noise does not take the share before
    /// this one cut too far down, the search stops there or before, and the end is not above x.
    fn lower(&self, is_sure: impl Fn(usize) -> bool) -> Option<u32> {
        let sure = (1..self.cuts.len() - 1).take_while(|cut| is_sure(*cut)).count();
        (sure > 0).then(|| self.cuts[sure])
    }

    /// The mirror image: the last candidate before the first cut, from above.
    fn upper(&self, is_sure: impl Fn(usize) -> bool) -> Option<u32> {
        let sure = (1..self.cuts.len() - 1).rev().take_while(|cut| is_sure(*cut)).count();
        (sure > 0).then(|| self.cuts[self.cuts.len() - 1 - sure] - 1)
    }

    /// By how much the weight before a cut exceeds this share of all, in scales of the noise.
    fn beyond(&self, cut: usize, rank: f64) -> f64 {
        self.drawn[cut] - rank * self.drawn.last().copied().unwrap_or(0.0)
    }
}

/// Changes numbers by the least sum of squares that makes them ascend.
fn nearest_ascending(numbers: &mut [f64]) {
    // Means of neighbours, and how many each is of.
    let mut means: Vec<(f64, usize)> = Vec::with_capacity(numbers.len());
    for number in numbers.iter() {
        let (mut mean, mut many) = (*number, 1);
        while let Some((last, of)) = means.last().copied().filter(|(last, _)| *last > mean) {
            means.pop();
            mean = (mean * many as f64 + last * of as f64) / (many + of) as f64;
            many += of;
        }
        means.push((mean, many));
    }
    let ascending = means.into_iter().flat_map(|(mean, many)| std::iter::repeat_n(mean, many));
    numbers.iter_mut().zip(ascending).for_each(|(number, mean)| *number = mean);
}
