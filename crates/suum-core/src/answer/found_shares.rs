//! Shares of categories that are found, with their intervals, and that of all others.

use crate::answer::interval::{Interval, half_width};
use crate::values::found_law::{CountLaw, FoundLaw};
use crate::{PostProcessing, Target};

impl FoundLaw {
    /// Returns the sampling error of shares of records in levels, each with the number and the
    /// weight of its records; without noise.
    ///
    /// # Formula
    ///
    /// The variance of a share p is p(1 − p) times Σw² for the population, and (n/(n − 1))·(Σw² −
    /// 1/n) for the dataset. Records of other weights make sampling more skewed than the binomial
    /// law of 1/Σw² records is; for that each end is further away by (z² − 1)/6·(Σw³/Σw² − Σw²),
    /// with the normal quantile z of the confidence (Cornish and Fisher 1938). For
    /// dataset-correlated it is further away by ½·‖w − 1/n‖₁, the largest bias.
    pub(crate) fn sampling(levels: &[(u64, f64)], target: Target, confidence: f64) -> Self {
        let sum = |term: &dyn Fn(f64) -> f64| -> f64 {
            levels.iter().map(|(count, weight)| *count as f64 * term(*weight)).sum()
        };
        let n = sum(&|_| 1.0);
        let square = sum(&|weight| weight * weight);
        let far = sum(&|weight| (weight - 1.0 / n).powi(2));
        let none = Self { up: 0.0, down: 0.0, threshold: 0.0, spread: 0.0, further: 0.0 };
        let skewed = || {
            let z = half_width(confidence, 0.0, 1.0);
            let third = sum(&|weight| weight.powi(3)) / square;
            (z * z - 1.0).max(0.0) / 6.0 * (third - square).max(0.0)
        };
        // Weights that are equal but for rounding leave no error within the dataset.
        let is_equal = far * n <= 1e-18;
        match target {
            Target::Population => Self { spread: square, further: skewed(), ..none },
            Target::Dataset if is_equal || n < 2.0 => none,
            Target::Dataset => Self { spread: n / (n - 1.0) * far, further: skewed(), ..none },
            Target::DatasetCorrelated => {
                Self { further: sum(&|weight| (weight - 1.0 / n).abs()) / 2.0, ..none }
            }
        }
    }

    /// Returns the confidence of the interval of each of so many categories, if it is that of all
    /// together or of each alone.
    pub(crate) fn confidence_of_each(
        confidence: f64,
        is_simultaneous: bool,
        categories: usize,
    ) -> f64 {
        match is_simultaneous {
            true => 1.0 - (1.0 - confidence) / categories.max(1) as f64,
            false => confidence,
        }
    }
}

impl FoundLaw {
    /// Returns the share of every category that shows, and of all others at the end, with
    /// intervals that are stated to have the first confidence and are computed with the second.
    pub(crate) fn shares(
        &self,
        counts: &[CountLaw],
        (confidence, each): (f64, f64),
        post: PostProcessing,
    ) -> Vec<(f64, Interval)> {
        let mut noisy: Vec<f64> = counts.iter().map(|count| self.centred(*count)).collect();
        noisy.push(1.0 - noisy.iter().sum::<f64>());
        let published = post.apply(&noisy);
        let mut ends: Vec<[f64; 2]> = counts.iter().map(|count| self.ends(*count, each)).collect();
        // Intervals are widened to contain the published estimates.
        for (ends, share) in ends.iter_mut().zip(&published) {
            *ends = [ends[0].min(*share), ends[1].max(*share)];
        }
        let sum = |at: usize| ends.iter().map(|ends| ends[at]).sum::<f64>();
        let others = [1, 0].map(|at| (1.0 - sum(at)).clamp(0.0, 1.0));
        let rest = published.last().copied().unwrap_or(1.0);
        ends.push([others[0].min(rest), others[1].max(rest)]);
        let interval = |[lower, upper]: [f64; 2]| Interval { confidence, lower, upper };
        published.into_iter().zip(ends.into_iter().map(interval)).collect()
    }
}
