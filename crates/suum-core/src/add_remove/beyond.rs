//! Values beyond a learned range, for an unknown number of records: noisy sums of their distances.

use super::noisy_profile::{NoisyProfile, top};
use super::people::in_units;
use crate::private::session::Session;
use crate::steps::adaptive::{Excess, MOST_BEYOND};
use crate::{
    Epsilon, ExactSum, Grid, LevelTable, Neighbors, PrivacyUnits, Result, Share, Totals,
    TotalsQuestion,
};

/// Noisy sums of the distances of values from a learned range, in units of the total width cut off.
///
/// # Formula
///
/// With D the width of both sides together, e and f the distances below and above, over D: Σ r·e,
/// Σ r·f and Σ r·(1 − e − f); or, with a and b the parts of D below and above, Σ r·(e − a/2),
/// Σ r·(f − b/2) and Σ r/2. Each has noise of scale 1. A mean distance is Σ r·e over Σ r.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NoisyBeyond {
    sums: [f64; 3],
    /// Shares of D that lie below and above the range.
    parts: [f64; 2],
    /// D, the width cut off on both sides together, in units of the data.
    width: f64,
    centred: bool,
    /// Largest weight of one record.
    clip: f64,
}

/// Least weight Σ r of all records, in units of the noise, for which the distances are measured.
const LEAST: f64 = 4.0;

impl NoisyBeyond {
    /// Measures the distances in these cells below and above a range, with the budgets that are
    /// left.
    ///
    /// `noisy_profile` estimates how much is left. Returns `None` if nothing was cut off, or too
    /// little is left to measure anything.
    pub(crate) fn measured(
        sides: [Option<(u32, u32)>; 2],
        table: &LevelTable,
        noisy_profile: &NoisyProfile,
        session: &mut Session<'_>,
    ) -> Result<Option<Self>> {
        if sides == [None; 2] || noisy_profile.total(MOST_BEYOND) < LEAST {
            return Ok(None);
        }
        let clip = top(session.account()).min(Epsilon::new(MOST_BEYOND)?);
        let side = |cells: Option<(u32, u32)>| {
            cells.map(|(first, last)| table.clamped(first, last)).transpose()
        };
        let [below, above] = sides;
        let sides = [side(below)?, side(above)?];
        let grids = sides.each_ref().map(|side| side.as_ref().and_then(LevelTable::grid));
        let [low, high] = grids.map(|grid| grid.map_or(0, Grid::points));
        let account = session.account();
        let centred = account.neighbors() == Neighbors::Both;
        let question = match centred {
            true => TotalsQuestion::CentredBeyond(low, high),
            false => TotalsQuestion::Beyond(low, high),
        };
        let units = PrivacyUnits::new(Share::ALL, clip)?;
        let sums = Totals::in_units(units, question, account.neighbors());
        let records = table.by_level().iter().enumerate().map(|(at, level_sums)| {
            let moved = |side: &Option<LevelTable>| {
                let level_sums = side.as_ref()?.by_level().get(at)?;
                level_sums.sums.first().map(ExactSum::expose_raw)
            };
            let [below, above] = sides.each_ref().map(moved);
            // Sums of indices count from the far bound. Below the range the distance is what is
            // missing to the whole width.
            let whole = i128::from(level_sums.count) * i128::from(low);
            let distances = [below.map_or(0, |sum| whole - sum), above.unwrap_or(0)];
            let distances = distances.map(ExactSum::from_raw);
            question.answers(account.left(level_sums.epsilon), (level_sums.count, &distances), 0)
        });
        let records = records.collect();
        let noisy = in_units(session.measure(&sums, records)?, &sums);
        let at = |at: usize| noisy.get(at).copied().unwrap_or(0.0);
        let all = low as f64 + high as f64;
        let width = grids.map(|grid| grid.map_or(0.0, |grid| grid.bounds().width()));
        Ok(Some(Self {
            sums: [at(0), at(1), at(2)],
            parts: [low as f64 / all, high as f64 / all],
            width: width[0] + width[1],
            centred,
            clip: clip.get(),
        }))
    }

    /// Returns the noisy Σ r, or `None` if it is within one standard deviation of its noise.
    pub(crate) fn whole(&self) -> Option<f64> {
        let [below, above, rest] = self.sums;
        let (whole, noises) = match self.centred {
            // Σ r/2 was measured, so the noise doubles.
            true => (2.0 * rest, 4.0f64),
            false => {
                let measured = [(below, self.parts[0]), (above, self.parts[1])];
                let measured = measured.into_iter().filter(|(_, part)| *part > 0.0);
                let (sum, count) = measured
                    .fold((rest, 1.0), |(sum, count), (distance, _)| (sum + distance, count + 1.0));
                (sum, count)
            }
        };
        (whole > (2.0 * noises).sqrt()).then_some(whole)
    }

    /// Returns the noisy Σ r·e of one side (0 below, 1 above), in units of D.
    fn distances(&self, side: usize) -> f64 {
        let middle = if self.centred { self.parts[side] * self.sums[2] } else { 0.0 };
        self.sums[side] + middle
    }

    /// Returns D, the width cut off on both sides together, in units of the data.
    pub(crate) fn width(&self) -> f64 {
        self.width
    }

    /// Returns the largest weight of one record.
    pub(crate) fn clip(&self) -> f64 {
        self.clip
    }

    /// Returns the mean distance on one side of records with total weight `whole`, in units of the
    /// data. A record has at most the share `in_mean` of the total weight of the mean.
    pub(crate) fn excess(&self, side: usize, whole: f64, in_mean: f64) -> Excess {
        let unit = self.width / whole;
        let noises = self.scales(side, 0.0).into_iter();
        let scale = noises.map(|(scale, count)| count * scale * scale).sum::<f64>().sqrt();
        let largest = self.clip / whole;
        Excess {
            mean: self.distances(side) * unit,
            scale: scale * unit,
            width: self.width * self.parts[side],
            largest,
            common: largest.min(in_mean),
            // Unused: the number of records is unknown here.
            bias: 0.0,
        }
    }

    /// Returns the scales of the noises in Σ r·e − v·Σ r, each with the number of noises that have
    /// it, at the largest possible v: `most`, a share of D.
    pub(crate) fn scales(&self, side: usize, most: f64) -> Vec<(f64, f64)> {
        match self.centred {
            // s₁ + (a − 2v)·s₃.
            true => vec![(1.0, 1.0), (self.parts[side].max(2.0 * most), 1.0)],
            false => vec![(1.0, 1.0), (most, 2.0)],
        }
    }
}
