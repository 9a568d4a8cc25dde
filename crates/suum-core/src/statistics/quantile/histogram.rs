//! Histogram for several quantiles: its fineness, and the quantiles and intervals read off it.

use dashu_int::IBig;

use super::order::QuantileDraw;
use super::slack::Slack;
use crate::answer::tail::{LaplaceSum, prefix_half_widths, prefix_variance};
use crate::private::mechanism::NoisyCells;
use crate::{Bounds, Cells, Rank, Refinement};

/// Fineness of a histogram, decided from public facts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Fineness {
    refinement: Refinement,
    /// Least share of all weight of a cell that is divided.
    heavy: f64,
    /// Approximate number of cells in the last look, and its share of the budget.
    cells: usize,
    last: f64,
}

/// Threshold, in scales of the noise of a cell, that noise alone hardly ever exceeds.
const SURE: f64 = 5.0;
/// Weight of a cell, as a share of all weight, that a look should be able to show, and the range of
/// a look's share of the budget.
const VISIBLE: f64 = 0.3;
const LOOK: (f64, f64) = (1.0 / 12.0, 1.0 / 6.0);
/// Threshold at which no cell is heavy.
const BLIND: f64 = 0.5;
/// Typical error of interpolation in a cell, as a share of its weight; the second number is for
/// cells near the ends of the data.
const INTERPOLATION: f64 = 0.05;
const OUTSIDE: f64 = 0.0625;
/// Largest number of looks before the last one: starting from the cells of the first look they
/// reach 2^-17 of the bounds.
const LOOKS: u32 = 4;
/// Range of the number of cells in the first look, and the finest threshold.
const START: (f64, f64) = (8.0, 32.0);
const FINEST: f64 = 1.0 / 512.0;
/// Constants of the threshold at which the sum of noise and interpolation is least: its cube is
/// 217·noise², with about three cells for each time that the threshold fits into all weight.
const BALANCE: f64 = 217.0;
const CELLS: f64 = 3.0;
/// Excess of a sum of j noises over a normal variable at improbable distances: a factor of about 1
/// + `TAIL`/j.
const TAIL: f64 = 0.45;
/// Usual number of looks before the last one.
const USUAL: u32 = 2;

impl Fineness {
    /// Returns the fineness for noise whose scale is this share of all weight, on this many steps.
    /// The noise of a single cell is about twice as large, as for [noise that adds up to
    /// zero](crate::SumZeroLaplace).
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

    /// Returns true if there is too much noise to learn anything from a first look.
    pub(crate) fn is_blind(&self) -> bool {
        self.heavy > BLIND
    }

    pub(crate) fn refinement(&self) -> Refinement {
        self.refinement
    }

    /// Returns the approximate distance of the rank of an end from the requested one, for the noise
    /// at the middle rank. It includes the distance of the end from the next cut: half of a cell,
    /// with half the weight of a heavy one.
    pub(crate) fn half_width(&self, slack: &Slack, noise: f64) -> f64 {
        slack.half_width(self.noise_sd(noise, 0.5)) + self.heavy / 4.0
    }

    /// Returns the approximate standard deviation of the noise in the share before the cut next to
    /// the q-quantile, and that of a normal variable with the same improbable distances.
    pub(crate) fn noise_sd(&self, noise: f64, q: f64) -> f64 {
        let cells = self.cells.max(2);
        let before = (q * cells as f64).clamp(1.0, cells as f64 - 1.0);
        let fewer = before.min(cells as f64 - before);
        (prefix_variance(cells, before)).sqrt() * (1.0 + TAIL / fewer) * noise / self.last
    }

    /// Returns the approximate variance of the rank of the q-quantile, from noise and
    /// interpolation.
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

/// Law of the noise in the cells of a look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CellNoise {
    /// Noise that adds up to zero: the weight of all records is public.
    SumZero,
    /// Independent noise in every cell: the weight of all records is private.
    Independent,
}

/// Noisy weight before each cut, in units of the scale of the noise.
pub(crate) struct CellShares {
    cuts: Vec<u32>,
    /// Weights as drawn: from 0 to the weight of all, but not in ascending order in between.
    drawn: Vec<f64>,
    /// Shares of all weight, in ascending order.
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
        // A total weight below the noise counts as the noise.
        let total = sum.to_f64().value().max(scale) / scale;
        let share = |weight: &f64| (weight / total).clamp(0.0, 1.0);
        let mut ascending: Vec<f64> = drawn.iter().map(share).collect();
        nearest_ascending(&mut ascending);
        Self { cuts: cells.cuts, drawn, ascending, law }
    }

    /// Returns the quantiles at these ranks with their ends, in units of the data.
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

    /// Returns true if independent noise moves the weight before a cut this far from a rank with a
    /// probability of less than `miss`.
    ///
    /// The distance from q times the total weight is (1 − q) times the weight before the cut less q
    /// times the weight after it, and so is its noise.
    fn is_sure(&self, cut: usize, distance: f64, (rank, miss): (f64, f64)) -> bool {
        let behind = self.cuts.len() - 1 - cut;
        let scales = [((1.0 - rank).abs(), cut as f64), (rank.abs(), behind as f64)];
        distance > 0.0 && LaplaceSum::new(scales, 0.0).excess(1.0 - 2.0 * miss, distance) < 0.0
    }

    /// Returns the candidate at rank q, with weight spread evenly over each cell.
    fn candidate(&self, q: f64) -> u32 {
        let cell = self.ascending[1..].iter().position(|share| *share >= q);
        let cell = cell.unwrap_or(self.ascending.len().saturating_sub(2));
        let (low, high) = (self.ascending[cell], self.ascending[cell + 1]);
        let (first, end) = (self.cuts[cell], self.cuts[cell + 1]);
        let part = if high > low { (q - low) / (high - low) } else { 0.5 };
        let within = (part.clamp(0.0, 1.0) * f64::from(end - first)) as u32;
        first + within.min(end - first - 1)
    }

    /// Returns the lower end: going up, the last cut before the first one that is not surely below
    /// the quantile; `None` if no cut is.
    ///
    /// Let x be the quantile, and c the first cut above it. If noise does not move the share before
    /// c too far down, the search stops there or before, and the end is not above x.
    fn lower(&self, is_sure: impl Fn(usize) -> bool) -> Option<u32> {
        let sure = (1..self.cuts.len() - 1).take_while(|cut| is_sure(*cut)).count();
        (sure > 0).then(|| self.cuts[sure])
    }

    /// Returns the upper end, the mirror image: going down, the candidate before the last cut that
    /// is surely above the quantile; `None` if no cut is.
    fn upper(&self, is_sure: impl Fn(usize) -> bool) -> Option<u32> {
        let sure = (1..self.cuts.len() - 1).rev().take_while(|cut| is_sure(*cut)).count();
        (sure > 0).then(|| self.cuts[self.cuts.len() - 1 - sure] - 1)
    }

    /// Returns the excess of the weight before a cut over this share of all weight, in scales of
    /// the noise.
    fn beyond(&self, cut: usize, rank: f64) -> f64 {
        self.drawn[cut] - rank * self.drawn.last().copied().unwrap_or(0.0)
    }
}

/// Replaces numbers by the nearest ascending ones, in the sum of squares.
fn nearest_ascending(numbers: &mut [f64]) {
    // Means of neighbouring numbers, each with their number.
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
