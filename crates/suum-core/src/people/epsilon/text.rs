//! Budgets as text, and text as budgets.

use std::fmt;
use std::str::FromStr;

use super::Epsilon;
use crate::number::Number;
use crate::{Error, Result};

impl Epsilon {
    /// Returns the budget rounded up to at most 15 digits, as people would write it.
    ///
    /// The rest of a budget of 0.1 in a ledger can be the double just below 0.01, which nobody has
    /// asked for.
    ///
    /// ```
    /// use suum_core::Epsilon;
    ///
    /// assert_eq!(Epsilon::new(0.009999999999999998)?.written().to_string(), "0.01");
    /// // Three tenths are less than this one.
    /// assert_eq!(Epsilon::new(0.1 + 0.2)?.written().to_string(), "0.30000000000000004");
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    #[must_use]
    pub fn written(self) -> Self {
        let rounded = format!("{:.14e}", self.0).parse().map_or(self, Self);
        if rounded >= self { rounded } else { self }
    }

    /// Returns the text of the budget [as people would write it](Self::written).
    ///
    /// ```
    /// use suum_core::Epsilon;
    ///
    /// assert_eq!(Epsilon::new(0.009999999999999998)?.name(), "0.01");
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    #[must_use]
    pub fn name(self) -> String {
        let shortest = self.shortest();
        let digits = shortest.bytes().take_while(|byte| *byte != b'e').filter(u8::is_ascii_digit);
        // Fifteen digits determine a double, so there is nothing to round.
        match digits.skip_while(|digit| *digit == b'0').count() {
            0..=15 => shortest,
            _ => self.written().shortest(),
        }
    }

    /// Returns the shortest text that reads back as the same budget.
    fn shortest(self) -> String {
        // `{:?}` of f64 is the shortest round-trip form and uses exponents where they help; drop a
        // bare ".0".
        let mut text = format!("{:?}", self.0);
        text.truncate(text.strip_suffix(".0").unwrap_or(&text).len());
        text
    }
}

/// The shortest text that reads back as the same budget: `0.1`, `inf`.
impl fmt::Display for Epsilon {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shortest())
    }
}

/// A decimal number, or a word for ∞: `inf`, `Infinity` or `∞`, in upper or lower case, also with
/// a plus sign.
impl FromStr for Epsilon {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let text = text.trim();
        let unsigned = text.strip_prefix('+').unwrap_or(text);
        if Self::PUBLIC_WORDS.iter().any(|word| unsigned.eq_ignore_ascii_case(word)) {
            return Ok(Self::PUBLIC);
        }
        // A positive number so small that it would be read as zero must be refused: 0 means unused.
        let nonzero = text
            .split(['e', 'E'])
            .next()
            .is_some_and(|digits| digits.contains(|c| ('1'..='9').contains(&c)));
        match text.parse::<f64>() {
            Ok(value) if value.is_finite() && (value != 0.0 || !nonzero) => Self::new(value),
            _ => Self::new(f64::NAN),
        }
    }
}

/// A number, or the string `"inf"`.
impl From<Epsilon> for Number {
    fn from(epsilon: Epsilon) -> Self {
        Self(epsilon.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn refuses_what_is_not_a_budget() {
        for bad in [-0.1, f64::NAN, f64::NEG_INFINITY, 1e-200, 1e200, -f64::MIN_POSITIVE] {
            assert!(Epsilon::new(bad).is_err(), "{bad}");
        }
        for bad in [
            "",
            "nan",
            "NaN",
            "-1",
            "0x1",
            "1e500",
            "-inf",
            "-Infinity",
            "++inf",
            "infinite",
            "1,5",
            "1e-400",
            "0.0001e-330",
        ] {
            assert!(bad.parse::<Epsilon>().is_err(), "{bad}");
        }
        for public in
            ["inf", "Inf", "INF", "+inf", "Infinity", " infinity ", "+Infinity", "∞", "+∞"]
        {
            assert!(public.parse::<Epsilon>().unwrap().is_public(), "{public}");
        }
        for zero in ["0", "0.0", "0e5", "-0", "0E-400"] {
            assert!(zero.parse::<Epsilon>().unwrap().is_unused(), "{zero}");
        }
        assert_eq!(Epsilon::new(-0.0).unwrap().get().to_bits(), 0, "negative zero is the one zero");
    }

    proptest! {
        #[test]
        fn a_name_is_what_is_written(
            number in prop_oneof![1e-6..200.0, (1u32..2_000_000).prop_map(|n| f64::from(n) / 1e5)],
            power in -99i32..99,
            is_coarse: bool,
        ) {
            for number in [number, number * 10f64.powi(power)] {
                let Ok(epsilon) = Epsilon::new(number) else { continue };
                let epsilon = if is_coarse { epsilon.coarse() } else { epsilon };
                prop_assert_eq!(epsilon.name(), epsilon.written().to_string());
            }
        }

        #[test]
        fn text_reads_back(exponent in -99.0..99.0_f64) {
            let epsilon = Epsilon::new(10f64.powf(exponent)).unwrap();
            prop_assert_eq!(epsilon.to_string().parse::<Epsilon>().unwrap(), epsilon);
        }
    }
}
