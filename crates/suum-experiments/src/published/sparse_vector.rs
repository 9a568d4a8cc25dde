//! First of many queries that is above zero: the sparse vector technique on integers.

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

use suum::{DiscreteLaplace, Loss, Randomness};

/// A search for the first query above zero, whose price does not depend on how many queries it
/// takes.
///
/// # Formula
///
/// With a scale s > 0: draw ρ, discrete Laplace noise of scale 2s. For t = 0, 1, 2, … draw ν_t,
/// fresh discrete Laplace noise of scale 4s, and stop at the first t with q_t + ν_t > ρ. A public
/// threshold θ is taken off the queries beforehand. The answer is t alone, or nothing if the
/// queries end first.
///
/// # Guarantee
///
/// If replacing a record moves every query by at most W, each in whatever direction, the search
/// costs that record at most W/s, the [`loss`](Self::loss). All queries may depend on what was
/// published before, and there may be any number of them.
///
/// *Proof.* Let q and q′ be the queries before and after. Fix the noise of all queries before t and
/// let g = max over j < t of (q_j + ν_j), g′ the same with q′: |g′ − g| ≤ W. The search stops at t
/// if g ≤ ρ and q_t + ν_t > ρ. For t > 0 the map (ρ, ν_t) ↦ (ρ + g′ − g, ν_t + g′ − g + q_t − q′_t)
/// sends every pair of integers for which the search on q stops at t to one for which the search on
/// q′ does: both inequalities move by the same amount on both sides. It is one-to-one, it moves ρ
/// by at most W and ν_t by at most 2W, and all moves are integers, so every pair is at most
/// exp(W/(2s) + 2W/(4s)) = exp(W/s) times as likely as its image; summing over pairs, then over the
/// fixed noise, gives P(t) ≤ exp(W/s)·P′(t). For t = 0 only ν_0 moves, by at most W: exp(W/(4s)).
/// If the search finds nothing only ρ moves: exp(W/(2s)). ∎
///
/// Integers keep the textbook argument word for word, where doubles do not.
///
/// # Example
///
/// ```
/// use suum::Randomness;
/// use suum_experiments::published::SparseVector;
///
/// // A record of 1000 steps, noise that makes a step cost 1/2000: half a unit of ε.
/// let search = SparseVector::new(2000u32.into());
/// assert_eq!(search.loss(&1000u32.into()).rounded_up(), 0.5);
///
/// // Queries that grow by 100 records each, from 450 below zero.
/// let queries = (0..100).map(|t| (1000 * (100 * t - 450)).into());
/// let first = search.first_above(queries, &mut Randomness::insecure(1));
/// assert!((4..=6).contains(&first.unwrap()));
/// ```
///
/// Source: Dwork, Naor, Reingold, Rothblum and Vadhan 2009; DG26 Algorithm 1, with s = 1/ε.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SparseVector {
    scale: UBig,
}

impl SparseVector {
    /// Creates a search of scale s = `scale`, in steps of the queries; zero for no noise at all.
    pub fn new(scale: UBig) -> Self {
        Self { scale }
    }

    /// Scale s: a record that moves every query by at most s steps loses one ε.
    pub fn scale(&self) -> &UBig {
        &self.scale
    }

    /// Exact bound W/s on the loss of a record that moves every query by at most W = `sensitivity`
    /// steps.
    pub fn loss(&self, sensitivity: &UBig) -> Loss {
        if *sensitivity == UBig::ZERO {
            Loss::ZERO
        } else if self.scale == UBig::ZERO {
            Loss::Unlimited
        } else {
            Loss::Finite(RBig::from_parts(IBig::from(sensitivity.clone()), self.scale.clone()))
        }
    }

    /// Position of the first query above zero, by the noisy comparison; `None` if there is none.
    ///
    /// Queries are evaluated one by one, and none after the one that stops the search.
    pub fn first_above(
        &self,
        queries: impl IntoIterator<Item = IBig>,
        randomness: &mut Randomness,
    ) -> Option<usize> {
        let threshold = DiscreteLaplace::new(&self.scale * UBig::from(2u8)).sample(randomness);
        let noise = DiscreteLaplace::new(&self.scale * UBig::from(4u8));
        queries.into_iter().position(|query| query + noise.sample(randomness) > threshold)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// P(K = k) of discrete Laplace noise.
    fn mass(k: i64, scale: f64) -> f64 {
        let r = (-1.0 / scale).exp();
        (1.0 - r) / (1.0 + r) * r.powf(k.abs() as f64)
    }

    /// P(K > k).
    fn above(k: i64, scale: f64) -> f64 {
        let r = (-1.0 / scale).exp();
        if k >= 0 {
            r.powf((k + 1) as f64) / (1.0 + r)
        } else {
            1.0 - r.powf(-k as f64) / (1.0 + r)
        }
    }

    /// Probability of every answer, the last one "none", by summation over the noise of the
    /// threshold.
    fn answers(queries: &[i64], scale: f64) -> Vec<f64> {
        let (threshold, noise) = (2.0 * scale, 4.0 * scale);
        // e^-45 of the mass lies further out.
        let half_width = (45.0 * threshold) as i64 + 1;
        let mut answers = vec![0.0; queries.len() + 1];
        for rho in -half_width..=half_width {
            let mut left = mass(rho, threshold);
            for (answer, query) in answers.iter_mut().zip(queries) {
                let stops = above(rho - query, noise);
                *answer += left * stops;
                left *= 1.0 - stops;
            }
            answers[queries.len()] += left;
        }
        answers
    }

    /// All sequences of this length over these values.
    fn sequences(values: &[i64], length: usize) -> Vec<Vec<i64>> {
        (0..length).fold(vec![vec![]], |shorter: Vec<Vec<i64>>, _| {
            let longer = |sequence: &Vec<i64>| {
                let sequence = sequence.clone();
                values.iter().map(move |value| [sequence.clone(), vec![*value]].concat())
            };
            shorter.iter().flat_map(longer).collect()
        })
    }

    /// Largest log-ratio of the probabilities of an answer, over the loss that is certified for it,
    /// with noise of `change` times the scale: all queries in {−5, 0, 5}, every move of up to
    /// `sensitivity` in any directions.
    fn worst(scale: u32, sensitivity: i64, length: usize, change: f64) -> f64 {
        let scale_used = f64::from(scale) * change;
        let steps: Vec<i64> = (-sensitivity..=sensitivity).collect();
        let shifts = sequences(&steps, length);
        let loss =
            SparseVector::new(scale.into()).loss(&UBig::from(sensitivity as u64)).rounded_up();
        let mut worst = 0.0f64;
        for queries in sequences(&[-5, 0, 5], length) {
            let before = answers(&queries, scale_used);
            for shift in &shifts {
                let moved: Vec<i64> =
                    queries.iter().zip(shift).map(|(query, step)| query + step).collect();
                let after = answers(&moved, scale_used);
                let ratios = before.iter().zip(&after).map(|(p, q)| (p / q).ln().abs());
                worst = worst.max(ratios.fold(0.0, f64::max) / loss);
            }
        }
        worst
    }

    #[test]
    fn no_move_reveals_more_than_its_loss() {
        for (scale, sensitivity, length) in [(1, 1, 4), (2, 1, 3), (1, 2, 3), (3, 2, 3), (1, 3, 2)]
        {
            let worst = worst(scale, sensitivity, length, 1.0);
            assert!(
                worst <= 1.0 + 1e-9,
                "scale {scale}, sensitivity {sensitivity}: {worst} times the loss"
            );
        }
    }

    #[test]
    fn half_the_noise_reveals_more() {
        for (scale, sensitivity, length) in [(1, 1, 4), (2, 1, 3), (1, 2, 3), (3, 2, 3)] {
            let worst = worst(scale, sensitivity, length, 0.5);
            assert!(
                worst > 1.05,
                "scale {scale}, sensitivity {sensitivity}: {worst} times the loss"
            );
        }
    }

    /// Many queries near the threshold rise by W, and one far below it falls by W: nearly all of
    /// W/s is spent.
    #[test]
    fn the_loss_is_nearly_spent() {
        let at = |near: i64, far: i64| {
            let mut queries = vec![near; 200];
            queries.push(far);
            answers(&queries, 1.0)[200]
        };
        for sensitivity in [1, 2, 4] {
            let spent = (at(0, -60) / at(sensitivity, -60 - sensitivity)).ln() / sensitivity as f64;
            assert!((0.9..=1.0).contains(&spent), "sensitivity {sensitivity}: {spent}");
        }
    }

    fn chi2(queries: &[i64], scale: u32, assumed: f64, draws: u32, seed: u64) -> f64 {
        let search = SparseVector::new(scale.into());
        let mut randomness = Randomness::insecure(seed);
        let mut counts = vec![0u32; queries.len() + 1];
        for _ in 0..draws {
            let integers = queries.iter().map(|query| IBig::from(*query));
            counts[search.first_above(integers, &mut randomness).unwrap_or(queries.len())] += 1;
        }
        let expected = answers(queries, f64::from(scale) * assumed);
        let cell = |(count, p): (&u32, &f64)| {
            let expected = p * f64::from(draws);
            (f64::from(*count) - expected).powi(2) / expected
        };
        counts.iter().zip(&expected).map(cell).sum()
    }

    // Five answers, four degrees of freedom: P(χ² > 25) = 5e-5 for a right sampler.
    const LIMIT: f64 = 25.0;
    const QUERIES: [i64; 4] = [-30, -12, -20, 3];

    #[test]
    #[ignore = "takes seconds"]
    fn answers_follow_their_probabilities() {
        for (scale, seed) in [(1, 1), (2, 2), (3, 3), (10, 4)] {
            let value = chi2(&QUERIES, scale, 1.0, 100_000, seed);
            assert!(value < LIMIT, "scale {scale}: χ² = {value}");
        }
    }

    #[test]
    #[ignore = "takes seconds"]
    fn a_tenth_too_much_or_too_little_noise_is_noticed() {
        for (scale, seed) in [(1, 1), (2, 2), (3, 3), (10, 4)] {
            for assumed in [0.9, 1.1] {
                let value = chi2(&QUERIES, scale, assumed, 100_000, seed);
                assert!(value > LIMIT, "scale {scale} taken for {assumed} of it: χ² = {value}");
            }
        }
    }

    #[test]
    fn without_noise_it_is_the_first_above() {
        let search = SparseVector::new(UBig::ZERO);
        let mut randomness = Randomness::insecure(1);
        let first = |queries: &[i32], randomness: &mut Randomness| {
            search.first_above(queries.iter().map(|query| IBig::from(*query)), randomness)
        };
        assert_eq!(first(&[-1, 0, 1, 2], &mut randomness), Some(2));
        assert_eq!(first(&[-1, 0], &mut randomness), None);
        assert_eq!(search.loss(&UBig::ONE), Loss::Unlimited);
        assert_eq!(search.loss(&UBig::ZERO), Loss::ZERO);
    }
}
