//! Uniform integers below a bound of any size.

use dashu_int::UBig;
use dashu_int::ops::BitTest;

use super::Randomness;

impl Randomness {
    /// Returns a uniform integer in {0, …, bound − 1}; 0 if the bound is 0.
    ///
    /// Rejection on the next power of two: exact, fewer than two tries on average.
    ///
    /// # Example
    ///
    /// ```
    /// use suum_core::Randomness;
    ///
    /// let mut randomness = Randomness::insecure(1);
    /// assert!((0..100).all(|_| randomness.below(&3u32.into()) < 3u32.into()));
    /// ```
    pub fn below(&mut self, bound: &UBig) -> UBig {
        if let Ok(short) = u128::try_from(bound) {
            return UBig::from(self.below_short(short));
        }
        let bits = (bound - UBig::ONE).bit_len();
        let mut bytes = vec![0u8; bits.div_ceil(8)];
        let spare = bytes.len() * 8 - bits;
        loop {
            self.fill(&mut bytes);
            if let Some(top) = bytes.last_mut() {
                *top >>= spare;
            }
            let candidate = UBig::from_le_bytes(&bytes);
            if candidate < *bound {
                return candidate;
            }
        }
    }

    /// Returns a uniform integer below a bound of at most 128 bits.
    pub(super) fn below_short(&mut self, bound: u128) -> u128 {
        if bound <= 1 {
            return 0;
        }
        let bits = u128::BITS - (bound - 1).leading_zeros();
        let mut bytes = [0u8; size_of::<u128>()];
        let used = bits.div_ceil(8) as usize;
        let spare = used as u32 * 8 - bits;
        loop {
            self.fill(&mut bytes[..used]);
            bytes[used - 1] >>= spare;
            let candidate = u128::from_le_bytes(bytes);
            if candidate < bound {
                return candidate;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_ranges_are_uniform() {
        let mut randomness = Randomness::insecure(11);
        for bound in [1u32, 2, 3, 7, 8, 200, 256, 257] {
            let draws = 20_000;
            let mut counts = vec![0u32; bound as usize];
            for _ in 0..draws {
                let index: u32 = randomness.below(&UBig::from(bound)).try_into().unwrap();
                counts[index as usize] += 1;
            }
            let expected = f64::from(draws) / f64::from(bound);
            let chi2: f64 =
                counts.iter().map(|c| (f64::from(*c) - expected).powi(2) / expected).sum();
            // Mean bound − 1, variance 2(bound − 1): five standard deviations, false alarm below
            // 1e-5 each.
            let freedom = f64::from(bound - 1);
            assert!(chi2 <= freedom + 5.0 * (2.0 * freedom).sqrt() + 5.0, "{bound}: {chi2}");
        }
    }

    #[test]
    fn large_ranges_reach_their_top_bits() {
        let mut randomness = Randomness::insecure(12);
        let bound = (UBig::ONE << 200) + UBig::ONE;
        let half = UBig::ONE << 199;
        let above = (0..1000).filter(|_| randomness.below(&bound) >= half).count();
        assert!((420..580).contains(&above));
    }
}
