//! Privacy budget of one person.

mod binary;
mod text;

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

use dashu_ratio::RBig;
use serde::Serialize;

use crate::error::option;
use crate::number::Number;
use crate::{Error, Result};

/// A privacy budget ε: how much one person allows a release to reveal.
///
/// Smaller is more private. [`Epsilon::PUBLIC`] (∞) means "this may be published";
/// [`Epsilon::UNUSED`] (0) means "do not use": such a record gets weight zero. Every other budget
/// lies in [[`MIN`](Epsilon::MIN), [`MAX`](Epsilon::MAX)], so that planning in floating point
/// neither overflows nor underflows; a finite budget is an exact dyadic rational, and all
/// guarantees are checked on that rational.
///
/// # Example
///
/// ```
/// use suum_core::Epsilon;
///
/// let strict = Epsilon::new(0.01)?;
/// assert!(Epsilon::UNUSED < strict && strict < Epsilon::PUBLIC);
/// assert_eq!("inf".parse::<Epsilon>()?, Epsilon::PUBLIC);
/// assert!(Epsilon::new(-1.0).is_err() && Epsilon::new(f64::NAN).is_err());
/// # Ok::<(), suum_core::Error>(())
/// ```
#[derive(Clone, Copy, Serialize)]
#[serde(into = "Number")]
pub struct Epsilon(f64);

impl Epsilon {
    /// ε = ∞: the record is public.
    pub const PUBLIC: Epsilon = Epsilon(f64::INFINITY);
    /// ε = 0: the record must not be used.
    pub const UNUSED: Epsilon = Epsilon(0.0);
    /// The least positive budget, 1e-100: far below anything that could be of use.
    pub const MIN: f64 = 1e-100;
    /// The largest finite budget, 1e100: far above anything that still protects.
    pub const MAX: f64 = 1e100;
    /// The words for ε = ∞, in lower case.
    pub const PUBLIC_WORDS: [&str; 3] = ["inf", "infinity", "∞"];
    /// Threshold from which on a finite budget protects practically nothing: 10.
    ///
    /// It lets the probability of a result differ by a factor of exp(10) = 22 026. Whoever held two
    /// values of a person for equally likely can then be right with a probability of 99.995 %.
    pub const WEAK: f64 = 10.0;

    /// Number of binary digits after the leading one that [`coarse`](Self::coarse) keeps.
    pub(crate) const DIGITS: u32 = 10;
    /// Number of the 52 stored digits of a double that it clears.
    const FINE_BITS: u32 = f64::MANTISSA_DIGITS - 1 - Self::DIGITS;

    /// Returns a budget of 0, ∞, or between [`Epsilon::MIN`] and [`Epsilon::MAX`].
    ///
    /// # Errors
    ///
    /// Refuses negative numbers, NaN, and positive numbers outside the range.
    #[inline]
    pub fn new(value: f64) -> Result<Self> {
        if value == 0.0 {
            return Ok(Self::UNUSED);
        }
        if value == f64::INFINITY || (Self::MIN..=Self::MAX).contains(&value) {
            return Ok(Self(value));
        }
        Err(Error::parameter(
            option::EPSILON,
            "a budget is 0 (unused), a number from 1e-100 to 1e100, or inf (public)",
        )
        .with_fix("write for example 0.1, or inf for people whose data are public"))
    }

    /// Appends the budget of each number to `budgets`. Returns false, and appends nothing, if a
    /// number is no valid budget.
    ///
    /// # Example
    ///
    /// ```
    /// use suum_core::Epsilon;
    ///
    /// let mut budgets = Vec::new();
    /// assert!(Epsilon::all(&[0.5, f64::INFINITY], &mut budgets));
    /// assert_eq!(budgets, [Epsilon::new(0.5)?, Epsilon::PUBLIC]);
    /// assert!(!Epsilon::all(&[0.5, f64::NAN], &mut budgets));
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    // Inlined so that callers can compile it for instructions that not every processor has.
    #[inline(always)]
    pub fn all(numbers: &[f64], budgets: &mut Vec<Self>) -> bool {
        let valid = |number: f64| {
            (number == 0.0) | (number == f64::INFINITY) | (Self::MIN..=Self::MAX).contains(&number)
        };
        if !numbers.iter().fold(true, |all, number| all & valid(*number)) {
            return false;
        }
        // A zero has no sign.
        budgets.extend(numbers.iter().map(|number| Self(number.abs())));
        true
    }

    /// The budget as a double; ∞ for public records.
    #[inline]
    pub fn get(self) -> f64 {
        self.0
    }

    /// Returns true if the record is public (ε = ∞).
    pub fn is_public(self) -> bool {
        self.0 == f64::INFINITY
    }

    /// Returns true if the record must not be used (ε = 0).
    pub fn is_unused(self) -> bool {
        self.0 == 0.0
    }

    /// Returns true if the budget is finite, but so large that it protects practically nothing:
    /// [`WEAK`](Self::WEAK) or more.
    ///
    /// ```
    /// use suum_core::Epsilon;
    ///
    /// assert!(Epsilon::new(100.0)?.is_weak() && !Epsilon::new(2.0)?.is_weak());
    /// assert!(!Epsilon::PUBLIC.is_weak(), "public on purpose");
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    pub fn is_weak(self) -> bool {
        self.0 >= Self::WEAK && !self.is_public()
    }

    /// The budget as the exact rational number that the double stands for; `None` if public.
    pub fn exact(self) -> Option<RBig> {
        RBig::try_from(self.0).ok()
    }

    /// Number of coarse budgets; their [numbers](Self::coarse_number) are below it.
    pub const COARSE: usize = (Self::top(Self::MAX) - Self::top(Self::MIN)) as usize + 3;

    /// Returns the largest budget of at most `self` with 10 binary digits after the leading one.
    ///
    /// Data with very many distinct budgets are grouped by this coarser budget. It is never less
    /// private, and gives up less than 0.1 % (1/1024) of the budget.
    ///
    /// ```
    /// use suum_core::Epsilon;
    ///
    /// let coarse = Epsilon::new(0.3)?.coarse();
    /// assert!(coarse.get() <= 0.3 && coarse.get() > 0.3 * (1.0 - 1.0 / 1024.0));
    /// assert_eq!(Epsilon::PUBLIC.coarse(), Epsilon::PUBLIC);
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn coarse(self) -> Self {
        self.with_digits(Self::DIGITS)
    }

    /// Returns the largest budget of at most `self` with `digits` binary digits after the leading
    /// one, at most 52.
    #[inline]
    pub(crate) fn with_digits(self, digits: u32) -> Self {
        let cleared = f64::MANTISSA_DIGITS - 1 - digits;
        let down = f64::from_bits(self.0.to_bits() >> cleared << cleared);
        // Just above MIN the rounded value could fall out of the range.
        if down < Self::MIN {
            if self.is_unused() { self } else { Self(Self::MIN) }
        } else {
            Self(down)
        }
    }

    /// Returns the number of the [coarse](Self::coarse) budget in ascending order: 0 if it is
    /// unused, the last number if it is public.
    #[inline]
    pub fn coarse_number(self) -> usize {
        let last = Self::COARSE as u64 - 1;
        // The bits of positive doubles have the order of the doubles.
        (Self::top(self.0) + 1).saturating_sub(Self::top(Self::MIN)).min(last) as usize
    }

    /// Returns the number of the [coarse](Self::coarse) budget, faster than
    /// [`coarse_number`](Self::coarse_number), for a budget that is neither unused nor public.
    ///
    /// ```
    /// use suum_core::Epsilon;
    ///
    /// let tenth = Epsilon::new(0.1)?;
    /// assert_eq!(tenth.limited_coarse_number(), tenth.coarse_number());
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    #[inline]
    pub fn limited_coarse_number(self) -> usize {
        Self::top(self.0).wrapping_sub(Self::top(Self::MIN) - 1) as usize
    }

    /// Returns the [coarse](Self::coarse) budget of this number; `None` if the number is too large.
    ///
    /// ```
    /// use suum_core::Epsilon;
    ///
    /// let coarse = Epsilon::new(0.3)?.coarse();
    /// assert_eq!(Epsilon::from_coarse_number(coarse.coarse_number()), Some(coarse));
    /// assert_eq!(Epsilon::from_coarse_number(Epsilon::COARSE), None);
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    pub fn from_coarse_number(number: usize) -> Option<Self> {
        match number {
            0 => Some(Self::UNUSED),
            1 => Some(Self(Self::MIN)),
            _ if number == Self::COARSE - 1 => Some(Self::PUBLIC),
            _ if number >= Self::COARSE => None,
            _ => {
                let top = number as u64 - 1 + Self::top(Self::MIN);
                Some(Self(f64::from_bits(top << Self::FINE_BITS)))
            }
        }
    }

    /// Returns the bits of a double that a coarse budget keeps.
    const fn top(value: f64) -> u64 {
        value.to_bits() >> Self::FINE_BITS
    }
}

impl PartialEq for Epsilon {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl Eq for Epsilon {}

impl Hash for Epsilon {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.to_bits().hash(state);
    }
}

impl PartialOrd for Epsilon {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Epsilon {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl fmt::Debug for Epsilon {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Epsilon({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn many_budgets_are_what_each_is(
            numbers in prop::collection::vec(
                prop_oneof![
                    20 => 1e-3..1e3_f64,
                    4 => prop::sample::select(
                        vec![0.0, -0.0, f64::INFINITY, Epsilon::MIN, Epsilon::MAX]
                    ),
                    1 => any::<u64>().prop_map(f64::from_bits),
                ],
                0..30,
            ),
        ) {
            let mut budgets = vec![Epsilon::PUBLIC];
            let valid = Epsilon::all(&numbers, &mut budgets);
            let each: Result<Vec<Epsilon>> = numbers.iter().map(|it| Epsilon::new(*it)).collect();
            prop_assert_eq!(valid, each.is_ok());
            let bits = |all: &[Epsilon]| all.iter().map(|it| it.0.to_bits()).collect::<Vec<_>>();
            prop_assert_eq!(bits(&budgets[1..]), bits(&each.unwrap_or_default()));
        }

        #[test]
        fn coarse_budgets_are_numbered_in_order(
            exponents in prop::array::uniform2(-100.0..=100.0_f64),
            near in 0u64..1 << 44,
        ) {
            let near = Epsilon::new(f64::from_bits(
                10f64.powf(exponents[0]).max(Epsilon::MIN).to_bits() + near,
            ));
            let others = exponents.map(|exponent| {
                Epsilon::new(10f64.powf(exponent).clamp(Epsilon::MIN, Epsilon::MAX)).unwrap()
            });
            let ends = [0.0, Epsilon::MIN, Epsilon::MAX, f64::INFINITY]
                .map(|end| Epsilon::new(end).unwrap());
            let all: Vec<Epsilon> = others.into_iter().chain(ends).chain(near.ok()).collect();
            for a in &all {
                prop_assert!(a.coarse_number() < Epsilon::COARSE);
                if !a.is_unused() && !a.is_public() {
                    prop_assert_eq!(a.limited_coarse_number(), a.coarse_number());
                }
                prop_assert_eq!(Epsilon::from_coarse_number(a.coarse_number()), Some(a.coarse()));
                for b in &all {
                    let expected = a.coarse().cmp(&b.coarse());
                    prop_assert_eq!(
                        a.coarse_number().cmp(&b.coarse_number()),
                        expected,
                        "{:?} \
                                {:?}",
                        a,
                        b
                    );
                }
            }
        }

        #[test]
        fn coarse_rounds_down_by_less_than_one_1024th(exponent in -99.0..99.0_f64) {
            let fine = Epsilon::new(10f64.powf(exponent)).unwrap();
            let coarse = fine.coarse();
            prop_assert!(coarse <= fine);
            prop_assert!(coarse.get() > fine.get() * (1.0 - 1.0 / 1024.0));
            prop_assert_eq!(coarse.coarse(), coarse);
        }
    }
}
