//! Counts of magnitudes by the least power of two that reaches them.

/// Least exponent that a search looks at: 2^-1074 is the least positive double.
pub(super) const LEAST: i32 = -1074;
/// Largest exponent that a search looks at: 2^1023 is the largest power of two that is a double.
pub(super) const MOST: i32 = 1023;

/// Numbers of magnitudes up to every power of two.
///
/// The octave of |x| is the least i with |x| ≤ 2^i, read from the bits: no logarithm that might
/// round. Zero is below all powers, infinity and NaN above all.
#[derive(Debug, Clone)]
pub(super) struct Octaves {
    /// Counts: up_to[i − LEAST + 1] magnitudes are at most 2^i; the first entry counts zeros, the
    /// last one everything.
    up_to: Vec<u64>,
}

impl Octaves {
    /// Counts the absolute values.
    pub(super) fn new(numbers: impl Iterator<Item = f64>) -> Self {
        let mut up_to = vec![0u64; (MOST - LEAST + 3) as usize];
        for number in numbers {
            up_to[(octave(number) - LEAST + 1) as usize] += 1;
        }
        let mut sum = 0;
        for count in &mut up_to {
            sum += *count;
            *count = sum;
        }
        Self { up_to }
    }

    /// Number of magnitudes that are at most 2^`exponent`, for an exponent that searches look at.
    pub(super) fn within(&self, exponent: i32) -> u64 {
        self.up_to[(exponent.clamp(LEAST, MOST) - LEAST + 1) as usize]
    }

    /// Number of all magnitudes.
    pub(super) fn total(&self) -> u64 {
        self.up_to.last().copied().unwrap_or(0)
    }
}

/// Least i with |x| ≤ 2^i, between LEAST − 1 for zero and MOST + 1 for numbers larger than 2^MOST
/// or NaN.
pub(super) fn octave(x: f64) -> i32 {
    let bits = x.abs().to_bits();
    let (exponent, fraction) = ((bits >> 52) as i32, bits & ((1 << 52) - 1));
    match exponent {
        // Subnormal: fraction·2^-1074.
        0 if fraction == 0 => LEAST - 1,
        0 => LEAST + (fraction - 1).checked_ilog2().map_or(0, |log| log as i32 + 1),
        2047 => MOST + 1,
        _ => exponent - 1023 + i32::from(fraction > 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn power(exponent: i32) -> f64 {
        if exponent < -1022 {
            f64::from_bits(1 << (exponent - LEAST))
        } else {
            f64::from_bits(((exponent + 1023) as u64) << 52)
        }
    }

    #[test]
    fn ends() {
        assert_eq!(octave(0.0), LEAST - 1);
        assert_eq!(octave(-0.0), LEAST - 1);
        for beyond in [f64::MAX, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, power(MOST).next_up()]
        {
            assert_eq!(octave(beyond), MOST + 1, "{beyond}");
        }
        for exponent in LEAST..=MOST {
            assert_eq!(octave(power(exponent)), exponent);
            assert_eq!(octave(-power(exponent).next_down()) < exponent, exponent <= LEAST + 1);
            assert_eq!(octave(power(exponent).next_up()), exponent + 1);
        }
    }

    proptest! {
        #[test]
        fn is_the_least_power_that_reaches(x in any::<f64>()) {
            let octave = octave(x);
            if octave <= MOST {
                prop_assert!(octave < LEAST || x.abs() <= power(octave));
                prop_assert!(octave <= LEAST || x.abs() > power(octave - 1));
            } else {
                prop_assert!(x.is_nan() || x.abs() > power(MOST));
            }
        }

        #[test]
        fn counts_up_to_every_power(
            numbers in prop::collection::vec(-40.0..40.0_f64, 0..20),
            exponent in -3..6,
        ) {
            let octaves = Octaves::new(numbers.iter().copied());
            let within = numbers.iter().filter(|number| number.abs() <= power(exponent)).count();
            prop_assert_eq!(octaves.within(exponent), within as u64);
            prop_assert_eq!(octaves.total(), numbers.len() as u64);
        }
    }
}
