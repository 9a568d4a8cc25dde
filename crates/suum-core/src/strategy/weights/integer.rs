//! Integer weights, for the exact part of a release.

use dashu_int::UBig;

use super::Weights;

/// Number of binary digits that the smallest positive weight keeps.
const DIGITS: i64 = 40;

impl Weights {
    /// Returns integers proportional to the weights, each rounded down, with 40 binary digits for
    /// the smallest positive one.
    ///
    /// Rounding loses less than 10^-12 of a weight; privacy does not depend on it, because the
    /// noise is calibrated to the integers.
    pub(crate) fn integers(&self) -> Vec<UBig> {
        let largest = self.largest();
        let smallest =
            self.per_level.iter().copied().filter(|weight| *weight > 0.0).fold(largest, f64::min);
        let digits = DIGITS + (largest / smallest).log2().ceil() as i64;
        self.per_level.iter().map(|weight| scaled(weight / largest, digits)).collect()
    }
}

/// Returns ⌊ratio·2^digits⌋ for a ratio in [0, 1].
fn scaled(ratio: f64, digits: i64) -> UBig {
    if ratio == 0.0 {
        return UBig::ZERO;
    }
    // ratio = mantissa·2^(exponent − 1075), normal: weights span far less than the range of a
    // double.
    let bits = ratio.to_bits();
    let mantissa = UBig::from((bits & ((1 << 52) - 1)) | (1 << 52));
    let shift = (bits >> 52) as i64 - 1075 + digits;
    if shift >= 0 { mantissa << shift as usize } else { mantissa >> shift.unsigned_abs() as usize }
}

#[cfg(test)]
mod tests {
    use super::super::Equal;
    use super::*;

    #[test]
    fn keeps_forty_digits_of_the_smallest() {
        let weights = Weights { per_level: vec![0.0, 1e-12, 0.3, 1.0], equal: Equal::All(0.25) };
        let integers = weights.integers();
        let float = |integer: &UBig| integer.to_f64().value();
        assert_eq!(integers[0], UBig::ZERO);
        for (weight, integer) in [1e-12, 0.3, 1.0].iter().zip(&integers[1..]) {
            let ratio = float(integer) / float(&integers[3]);
            assert!(ratio <= *weight && ratio > weight * (1.0 - 2e-12), "{weight}");
        }
        assert_eq!(scaled(0.75, 2), UBig::from(3u8));
        assert_eq!(scaled(0.75, 1), UBig::ONE);
    }
}
