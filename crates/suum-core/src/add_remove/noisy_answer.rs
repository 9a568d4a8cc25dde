//! Noisy sums of numeric values over an unknown number of records, and the mean and spread computed
//! from them.

use super::clip::Weighing;
use super::people::People;
use super::ratio::{Ratio, RatioNoise};
use crate::answer::interval::half_width_of_three;
use crate::answer::spread::{Moments, NoiseOfSpread};
use crate::private::session::Session;
use crate::{
    Grid, MeasuredSpread, Neighbors, Options, PrivacyUnits, Result, Totals, TotalsQuestion,
};

/// Noisy sums of the scaled values y = (x − lo)/h, with the question that measured them.
#[derive(Debug)]
pub(crate) struct NoisySums {
    pub(crate) sums: Totals<PrivacyUnits>,
    pub(crate) seen: NoisyAnswer,
}

/// Noisy sums, in units of their noise: each has noise of scale 1.
#[derive(Debug, Clone, Copy)]
pub(crate) enum NoisyAnswer {
    /// Σ r·y and Σ r·(1 − y): the distances from both bounds.
    Ends([f64; 2]),
    /// Σ r·y², Σ r·2y(1 − y) and Σ r·(1 − y)².
    Moments([f64; 3]),
    /// Σ r·(y − ½) and Σ r/2; with the spread also Σ r·y(1 − y).
    Centred { middle: f64, half: f64, product: Option<f64> },
}

/// Mean in units of the range.
#[derive(Debug)]
pub(crate) struct NoisyMean {
    pub(crate) estimate: f64,
    /// Noisy Σ r, if it is above its noise.
    pub(crate) whole: Option<f64>,
    pub(crate) ratio: Ratio,
    /// Spread of the values, if it was measured.
    pub(crate) spread: Option<MeasuredSpread>,
}

/// Measures the distances of all values from both bounds, with or without their spread, and charges
/// the session.
pub(crate) fn measure(
    people: &People<'_>,
    grid: &Grid,
    weighing: &Weighing,
    spread: bool,
    session: &mut Session<'_>,
) -> Result<NoisySums> {
    let units = PrivacyUnits::new(weighing.share, weighing.clip)?;
    let points = grid.points();
    let question = match (session.account().neighbors(), spread) {
        (Neighbors::Both, true) => TotalsQuestion::CentredSquares(points),
        (Neighbors::Both, false) => TotalsQuestion::Centred(points),
        (_, true) => TotalsQuestion::Squares(points),
        (_, false) => TotalsQuestion::Ends(points),
    };
    let (sums, noisy) = people.sums(units, question, session)?;
    let at = |at: usize| noisy.get(at).copied().unwrap_or(0.0);
    let seen = match question {
        TotalsQuestion::Squares(_) => NoisyAnswer::Moments([at(0), at(1), at(2)]),
        TotalsQuestion::Centred(_) => {
            NoisyAnswer::Centred { middle: at(0), half: at(1), product: None }
        }
        TotalsQuestion::CentredSquares(_) => {
            NoisyAnswer::Centred { middle: at(0), half: at(2), product: Some(at(1)) }
        }
        _ => NoisyAnswer::Ends([at(0), at(1)]),
    };
    Ok(NoisySums { sums, seen })
}

impl NoisySums {
    /// Returns the noisy Σ r·y and Σ r·(1 − y).
    pub(crate) fn ends(&self) -> [f64; 2] {
        match self.seen {
            NoisyAnswer::Ends(ends) => ends,
            NoisyAnswer::Moments([high, twice, low]) => [high + twice / 2.0, low + twice / 2.0],
            NoisyAnswer::Centred { middle, half, .. } => [half + middle, half - middle],
        }
    }

    /// Returns the noisy Σ r·y(1 − y), if it was measured.
    pub(crate) fn product(&self) -> Option<f64> {
        match self.seen {
            NoisyAnswer::Ends(_) => None,
            NoisyAnswer::Moments([_, twice, _]) => Some(twice / 2.0),
            NoisyAnswer::Centred { product, .. } => product,
        }
    }

    /// Returns the mean, and the spread if it was measured. The mean is the middle of the bounds if
    /// no records are seen above the noise.
    pub(crate) fn mean(&self, weighing: &Weighing, options: &Options, width: f64) -> NoisyMean {
        let ratio = match self.seen {
            NoisyAnswer::Ends([above, below]) => Ratio::new(above, below, 0),
            NoisyAnswer::Moments(sums) => Ratio::from_moments(sums),
            NoisyAnswer::Centred { middle, half, .. } => Ratio::from_centred(middle, half),
        };
        let whole = ratio.whole();
        let estimate = ratio.share().map_or(0.5, |share| share.clamp(0.0, 1.0));
        let spread = self.product().map(|product| match whole {
            Some(whole) => {
                let moments = Moments { mean: estimate, product: product / whole };
                let noise = noise_of_spread(moments, ratio.noise(), whole);
                MeasuredSpread::measured(
                    moments,
                    noise,
                    weighing.variance_shares(options, whole),
                    width,
                )
            }
            None => MeasuredSpread::unknown(width),
        });
        NoisyMean { estimate, whole, ratio, spread }
    }
}

/// Returns the noise of a variance ȳ(1 − ȳ) − φ̄ + s², for records with Σ r = `whole`.
fn noise_of_spread(moments: Moments, made: RatioNoise, whole: f64) -> NoiseOfSpread {
    let Moments { mean, product } = moments;
    let of_mean = Ratio::noise_variance(mean, made, whole);
    let variance = (mean * (1.0 - mean) - product + of_mean).clamp(0.0, mean * (1.0 - mean));
    let scales = scales_of_variance(made, mean, variance).map(|scale| scale / whole);
    let exceeded = half_width_of_three(0.9, scales, square_noise(of_mean));
    NoiseOfSpread { of_mean, exceeded }
}

/// Returns the factors by which the noise of each sum moves the variance v of values with mean m,
/// times Σ r.
///
/// At the true m and v a combination of the three sums is zero, so its noisy value is that of the
/// noise and nothing else: as for a mean, no ratio is linearised. With a = m − ½ the factors are
/// (1 − m)² − v, m(1 − m) + v and m² − v of the [moments](RatioNoise::Moments), and 2a, 1 and
/// 2(¼ + a² − v) of the [centred](RatioNoise::Centred) sums: the last is that of Σ r/2.
pub(crate) fn scales_of_variance(made: RatioNoise, mean: f64, variance: f64) -> [f64; 3] {
    let rest = 1.0 - mean;
    let scales = match made {
        RatioNoise::Centred => {
            let middle = mean - 0.5;
            [2.0 * middle, 1.0, 2.0 * (0.25 + middle * middle - variance)]
        }
        RatioNoise::Parts(..) | RatioNoise::Moments => {
            [rest * rest - variance, mean * rest + variance, mean * mean - variance]
        }
    };
    scales.map(f64::abs)
}

/// Returns a bound on the standard deviation of the square of a noise of this variance: that of a
/// single Laplace variable, √5 times the variance.
pub(crate) fn square_noise(variance: f64) -> f64 {
    5f64.sqrt() * variance
}
