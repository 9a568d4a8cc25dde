//! Permute-and-flip: exact choice among many candidates by their scores.

use dashu_int::UBig;

use super::Randomness;

impl Randomness {
    /// Returns one of the candidates 0..`candidates`, preferring those of small distance; `None`
    /// only if there are none.
    ///
    /// Permute-and-flip (McKenna and Sheldon 2020): go through the candidates in random order and
    /// stop at each with probability exp(−(d(c) − d_min)/`scale`). If replacing a record changes no
    /// distance by more than Δ, the choice costs that record at most 2Δ/`scale`. The error is never
    /// larger, in expectation, than that of the exponential mechanism with the same loss. The scale
    /// 0 stands for a uniform choice among the nearest.
    ///
    /// `least` is d_min, the least distance. All probabilities are exact. The running time depends
    /// on the distances: at most one trial for each candidate.
    pub(crate) fn permute_and_flip(
        &mut self,
        candidates: u32,
        least: &UBig,
        scale: &UBig,
        distance: impl Fn(u32) -> UBig,
    ) -> Option<u32> {
        if self.is_noiseless() {
            return (0..candidates).min_by_key(|candidate| distance(*candidate));
        }
        self.first_accepted(candidates, |randomness, candidate| {
            let distance = distance(candidate);
            let excess = if distance > *least { distance - least } else { UBig::ZERO };
            match *scale == UBig::ZERO {
                true => excess == UBig::ZERO,
                false => randomness.bernoulli_exp(&excess, scale),
            }
        })
    }

    /// Permutes and flips like [`permute_and_flip`](Self::permute_and_flip), for 128-bit distances
    /// of which the least is 0.
    pub(crate) fn permute_and_flip_short(
        &mut self,
        candidates: u32,
        scale: u128,
        distance: impl Fn(u32) -> u128,
    ) -> Option<u32> {
        if self.is_noiseless() {
            return (0..candidates).min_by_key(|candidate| distance(*candidate));
        }
        self.first_accepted(candidates, |randomness, candidate| {
            randomness.is_accepted(distance(candidate), scale)
        })
    }

    /// Returns true if a candidate at this distance is accepted.
    pub(super) fn is_accepted(&mut self, distance: u128, scale: u128) -> bool {
        match scale {
            0 => distance == 0,
            _ => self.bernoulli_exp_short(distance, scale),
        }
    }

    /// Returns the first candidate in random order that is accepted.
    fn first_accepted(
        &mut self,
        candidates: u32,
        accepts: impl Fn(&mut Self, u32) -> bool,
    ) -> Option<u32> {
        // A permutation, shuffled only as far as needed: 0 stands for a candidate at its own place,
        // any other number for the candidate one less than it.
        let mut moved = vec![0u32; candidates as usize];
        for place in 0..candidates {
            let other = place + self.index_below(u64::from(candidates - place)) as u32;
            let at = |place: u32, moved: u32| if moved == 0 { place } else { moved - 1 };
            let candidate = at(other, moved[other as usize]);
            moved[other as usize] = at(place, moved[place as usize]) + 1;
            if accepts(self, candidate) {
                return Some(candidate);
            }
        }
        None
    }

    /// Returns a uniform integer in {0, …, bound − 1}; 0 if the bound is 0. Words that would favour
    /// some of them are rejected.
    ///
    /// # Example
    ///
    /// ```
    /// use suum_core::Randomness;
    ///
    /// // True three times out of four.
    /// let mut randomness = Randomness::insecure(1);
    /// let often = (0..1000).filter(|_| randomness.index_below(4) < 3).count();
    /// assert!((650..850).contains(&often));
    /// ```
    pub fn index_below(&mut self, bound: u64) -> u64 {
        if bound <= 1 {
            return 0;
        }
        // Number of surplus words: 2^64 mod bound.
        let surplus = bound.wrapping_neg() % bound;
        loop {
            let word = self.word();
            if word >= surplus {
                return word % bound;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::private::noise::oracle;

    /// χ² of 100 000 draws with these distances against the probabilities at `assumed` times the
    /// scale.
    fn chi2(distances: &[u32], scale: u32, assumed: f64, seed: u64) -> f64 {
        let least = *distances.iter().min().unwrap();
        let acceptance: Vec<f64> = distances
            .iter()
            .map(|distance| (-f64::from(distance - least) / (f64::from(scale) * assumed)).exp())
            .collect();
        let expected = oracle::permute_and_flip(&acceptance);
        let mut randomness = Randomness::insecure(seed);
        let mut counts = vec![0u32; distances.len()];
        for _ in 0..100_000 {
            let distance = |candidate: u32| UBig::from(distances[candidate as usize]);
            let drawn = randomness.permute_and_flip(
                distances.len() as u32,
                &UBig::from(least),
                &UBig::from(scale),
                distance,
            );
            counts[drawn.unwrap() as usize] += 1;
        }
        let cells = counts.iter().zip(expected);
        cells.map(|(count, p)| (f64::from(*count) - 1e5 * p).powi(2) / (1e5 * p)).sum()
    }

    const CASES: [(&[u32], u32, u64); 4] = [
        (&[0, 1, 2, 3, 4], 2, 1),
        (&[7, 3, 3, 5], 3, 2),
        (&[0, 9], 8, 3),
        (&[4, 0, 1, 0, 6, 2], 5, 4),
    ];

    #[test]
    fn draws_follow_the_definition() {
        for (distances, scale, seed) in CASES {
            let value = chi2(distances, scale, 1.0, seed);
            // At most 5 degrees of freedom: P(χ² > 27.9) = 4e-5 for each of the fixed seeds.
            assert!(value < 27.9, "{distances:?}: χ² = {value}");
        }
    }

    #[test]
    fn draws_at_another_scale_are_told_apart() {
        for (distances, scale, seed) in CASES {
            for off in [0.9, 1.1] {
                let value = chi2(distances, scale, off, seed);
                assert!(value > 27.9, "{distances:?} taken for {off} of the scale: χ² = {value}");
            }
        }
    }

    #[test]
    fn scale_zero_chooses_among_the_nearest() {
        let mut randomness = Randomness::insecure(1);
        let distances = [3u32, 1, 2, 1];
        let mut met = [0; 4];
        for _ in 0..200 {
            let distance = |candidate: u32| UBig::from(distances[candidate as usize]);
            let drawn = randomness.permute_and_flip(4, &UBig::ONE, &UBig::ZERO, distance).unwrap();
            met[drawn as usize] += 1;
        }
        assert!(met[0] == 0 && met[2] == 0 && met[1] > 50 && met[3] > 50, "{met:?}");
        assert_eq!(randomness.permute_and_flip(0, &UBig::ZERO, &UBig::ONE, |_| UBig::ZERO), None);
    }
}
