//! Public rule that rounds budgets, for data in which the presence of a record is private.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use crate::error::option;
use crate::{Epsilon, Error, Result};

/// Public rule that maps all budgets to at most about 51 000, whatever the data are.
///
/// If the presence of a record is private, so is its budget: neither a rare budget nor the number
/// of distinct ones may decide anything. The rule depends on nothing but the budget itself. Budgets
/// below `lower` are not used, those above `upper` count as `upper`, and those between are rounded
/// down to 10 binary digits after the leading one, or fewer: nobody spends more than they allow.
/// Finite budgets of 2^50·`lower` or more are not told apart either.
///
/// # Formula
///
/// of(ε) = 0 for ε < lower; ∞ for ε = ∞ if upper = ∞; else max(rounded(min(ε, upper, 2^50·lower)),
/// lower).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct BudgetRange {
    lower: Epsilon,
    upper: Epsilon,
    /// Number of binary digits kept after the leading one.
    digits: u32,
}

/// Least number of digits that a [coarser](BudgetRange::coarser) rule keeps: it lowers no budget by
/// more than a sixteenth.
const LEAST_DIGITS: u32 = 4;

impl BudgetRange {
    /// Returns the rule for budgets from `lower` to `upper`, both included.
    ///
    /// # Errors
    ///
    /// Refuses a lower end of zero, and one above the upper end.
    pub(crate) fn new(lower: Epsilon, upper: Epsilon) -> Result<Self> {
        if lower.is_unused() {
            return Err(refused("the lower end must be positive"));
        }
        if lower > upper {
            return Err(refused("the lower end must not be above the upper end"));
        }
        Ok(Self { lower, upper, digits: Epsilon::DIGITS })
    }

    /// Returns the finest rule, no finer than this one, that leaves at most `most` distinct
    /// budgets; `None` if it would be too coarse.
    pub(crate) fn coarser(self, most: usize) -> Option<Self> {
        let mut rules = (LEAST_DIGITS..=self.digits).rev().map(|digits| Self { digits, ..self });
        rules.find(|rule| rule.most_levels() <= most)
    }

    /// Returns all budgets that can result from the rule, in ascending order, without the unused
    /// one.
    pub(crate) fn levels(self) -> impl Iterator<Item = Epsilon> {
        let finite = self.leading().into_iter().flatten();
        let finite = finite.map(move |leading| f64::from_bits(leading << self.cleared()));
        let finite = finite.map(move |level| Epsilon::new(level).unwrap_or(self.lower));
        let public = self.upper.is_public().then_some(Epsilon::PUBLIC);
        finite.map(move |level| level.max(self.lower)).chain(public)
    }

    /// The least budget that is used.
    pub(crate) fn lower(self) -> Epsilon {
        self.lower
    }

    /// The largest budget; all above it count as this one.
    pub(crate) fn upper(self) -> Epsilon {
        self.upper
    }

    /// Returns the budget that a record of this budget counts with, at most as large.
    pub(crate) fn round_down(self, budget: Epsilon) -> Epsilon {
        if budget < self.lower {
            Epsilon::UNUSED
        } else if budget.is_public() && self.upper.is_public() {
            Epsilon::PUBLIC
        } else {
            budget.min(self.top()).with_digits(self.digits).max(self.lower)
        }
    }

    /// Returns the largest possible number of distinct budgets after the rule.
    pub(crate) fn most_levels(self) -> usize {
        // One more for unused budgets, and one for public ones if the range includes them.
        self.leading().map_or(0, |leading| (leading.end() - leading.start() + 1) as usize)
            + 1
            + usize::from(self.upper.is_public())
    }

    /// Returns the leading bits of all finite budgets after the rule, the first standing for
    /// `lower`. Budgets are in the order of these bits.
    fn leading(self) -> Option<RangeInclusive<u64>> {
        let leading = |budget: f64| budget.to_bits() >> self.cleared();
        let top = self.top().get().min(Epsilon::MAX);
        (!self.lower.is_public()).then(|| leading(self.lower.get())..=leading(top))
    }

    /// Returns the number of low bits of a double that the rule clears.
    fn cleared(self) -> u32 {
        f64::MANTISSA_DIGITS - 1 - self.digits
    }

    /// Returns the budget from which on finite ones are not told apart.
    fn top(self) -> Epsilon {
        // A product beyond all finite budgets sets no limit.
        let half_width = Epsilon::new(self.lower.get() * 2f64.powi(50)).unwrap_or(Epsilon::PUBLIC);
        self.upper.min(half_width)
    }
}

fn refused(what: &'static str) -> Error {
    Error::parameter(option::EPSILON_RANGE, what)
        .with_fix("for example 0.01,1, or 0.01,inf where some records are public")
}

/// The text form: `lower,upper`.
impl fmt::Display for BudgetRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.lower, self.upper)
    }
}

impl FromStr for BudgetRange {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let (lower, upper) = text.split_once(',').ok_or_else(|| refused("expected two budgets"))?;
        let budget = |end: &str| {
            end.parse()
                .map_err(|_| refused("an end is not 0, a number from 1e-100 to 1e100, or inf"))
        };
        Self::new(budget(lower)?, budget(upper)?)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use proptest::prelude::*;

    fn epsilon() -> impl Strategy<Value = Epsilon> {
        let finite = (-100.0..100.0_f64).prop_map(|exponent| 10f64.powf(exponent));
        let special =
            prop::sample::select(vec![0.0, Epsilon::MIN, Epsilon::MAX, 1.0, f64::INFINITY]);
        prop_oneof![4 => finite, 2 => 0.01..2.0_f64, 1 => special]
            .prop_map(|value| Epsilon::new(value).unwrap())
    }

    fn range() -> impl Strategy<Value = BudgetRange> {
        (epsilon(), epsilon())
            .prop_filter_map("no range", |(lower, upper)| BudgetRange::new(lower, upper).ok())
    }

    fn parsed(text: &str) -> BudgetRange {
        text.parse().unwrap()
    }

    #[test]
    fn refuses_what_is_no_range() {
        for bad in ["", "1", "0,1", "1,0.5", "1,", ",1", "x,1", "1,nan", "-1,1", "1,2,3", "inf,1"] {
            let refused = bad.parse::<BudgetRange>().unwrap_err();
            assert!(
                refused.to_string().starts_with("epsilon_range: ") && refused.fix().is_some(),
                "{bad}"
            );
        }
    }

    #[test]
    fn the_ends() {
        let of = |range: &str, budget: f64| {
            parsed(range).round_down(Epsilon::new(budget).unwrap()).get()
        };
        assert_eq!(of("0.3,1", 0.3), 0.3, "the lower end is a level although it is not coarse");
        assert_eq!(of("0.3,1", 0.299), 0.0);
        assert_eq!(of("0.3,1", 1e50), 1.0);
        assert_eq!(of("0.3,1", f64::INFINITY), 1.0);
        assert_eq!(of("0.3,inf", f64::INFINITY), f64::INFINITY);
        assert_eq!(of("1,inf", 1e50), 2f64.powi(50));
        assert_eq!(of("1e90,inf", 1e100), Epsilon::new(1e100).unwrap().coarse().get());
        assert_eq!(of("inf,inf", 1e100), 0.0);
        assert_eq!(of("inf,inf", f64::INFINITY), f64::INFINITY);
        assert_eq!(of("0.3,0.3", 0.7), 0.3);
    }

    /// Every level there can be is met: the largest numbers below each coarse one, from the top on.
    #[test]
    fn the_number_of_levels_is_exact() {
        let ranges = [
            "0.01,1",
            "0.3,0.3",
            "0.3,0.301",
            "1,inf",
            "1e-100,inf",
            "1e90,inf",
            "inf,inf",
            "1e-3,0.1",
        ];
        let ranges = ranges.map(parsed);
        let coarser = ranges.iter().filter_map(|range| range.coarser(900));
        for range in coarser.chain(ranges) {
            let mut levels = BTreeSet::from([Epsilon::UNUSED, range.round_down(Epsilon::PUBLIC)]);
            let mut budget = Epsilon::new(Epsilon::MAX).unwrap();
            while budget >= range.lower() {
                let level = range.round_down(budget);
                levels.insert(level);
                let below = f64::from_bits(level.get().to_bits() - 1);
                budget = Epsilon::new(below).unwrap_or(Epsilon::UNUSED);
            }
            assert_eq!(levels.len(), range.most_levels(), "{range}");
            let used = range.levels().chain([Epsilon::UNUSED]);
            assert_eq!(used.collect::<BTreeSet<Epsilon>>(), levels, "{range}");
            assert!(levels.len() < 51_300, "{range}");
        }
    }

    proptest! {
        #[test]
        fn nobody_spends_more_than_they_allow(range in range(), budget in epsilon()) {
            let level = range.round_down(budget);
            prop_assert!(level <= budget && level <= range.upper());
            prop_assert!(level.is_unused() || level >= range.lower());
            prop_assert_eq!(level.is_unused(), budget < range.lower());
            prop_assert!(level == range.lower() || level == level.coarse());
            prop_assert_eq!(range.round_down(level), level);
        }

        #[test]
        fn little_is_given_up(range in range(), budget in epsilon()) {
            let wanted = budget.min(range.upper());
            if budget >= range.lower() && wanted.get() <= range.lower().get() * 2f64.powi(50) {
                prop_assert!(range.round_down(budget).get() >= wanted.get() * (1.0 - 1.0 / 1024.0));
            }
        }

        /// Rounding by a range and then by a coarser one equals rounding by the coarser one, which
        /// lowers a budget by no more than its digits.
        #[test]
        fn coarser_rules_follow(range in range(), budget in epsilon(), most in 1..2000usize) {
            let Some(coarser) = range.coarser(most) else { return Ok(()) };
            prop_assert!(coarser.most_levels() <= most);
            let level = coarser.round_down(budget);
            prop_assert_eq!(coarser.round_down(range.round_down(budget)), level);
            prop_assert_eq!(coarser.round_down(level), level);
            let fine = range.round_down(budget);
            prop_assert!(level <= fine && level.is_unused() == fine.is_unused());
            if !level.is_public() {
                prop_assert!(level.get() >= fine.get() * (1.0 - 1.0 / 16.0));
            }
            let next = BudgetRange { digits: coarser.digits + 1, ..coarser };
            prop_assert!(coarser.digits == range.digits || next.most_levels() > most);
        }

        #[test]
        fn order_is_kept(range in range(), a in epsilon(), b in epsilon()) {
            let least = range.round_down(a).min(range.round_down(b));
            prop_assert_eq!(range.round_down(a.min(b)), least);
        }

        #[test]
        fn levels_are_few(range in range()) {
            prop_assert!(range.most_levels() < 51_300);
        }

        #[test]
        fn text_reads_back(range in range()) {
            prop_assert_eq!(parsed(&range.to_string()), range);
        }

        #[test]
        fn no_text_panics(text in "\\PC*") {
            let _ = text.parse::<BudgetRange>();
        }
    }
}
