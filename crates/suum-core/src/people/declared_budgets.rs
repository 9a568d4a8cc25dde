//! Declared budgets: the public rule that assigns a budget to every record.

use std::collections::HashSet;
use std::str::FromStr;

use super::budget_range::BudgetRange;
use crate::error::{for_example, option};
use crate::{Epsilon, Error, Result};

/// Largest number of octaves between the least and the largest finite budget of a range.
const OCTAVES: i32 = 50;

/// Budget at which rows of a certificate stop doubling: no record is made to spend as much.
const ENOUGH: f64 = 20.0;

/// Largest number of budgets in a range that a session checks one by one.
const MOST_CHECKED: usize = 1024;

/// Budgets that people can have, declared before the data are read: a range, or tiers.
///
/// If participation is hidden, the budgets that occur in the data are private. So every budget goes
/// through a public rule, [`round_down`](Self::round_down), that depends on nothing but the
/// declaration. A release lists the declared budgets, whether or not anybody has them.
///
/// # Example
///
/// ```
/// use suum_core::{DeclaredBudgets, Epsilon};
///
/// let budgets: DeclaredBudgets = "0.01,1".parse()?;
/// assert_eq!(
///     budgets.round_down(Epsilon::new(0.001)?),
///     Epsilon::UNUSED,
///     "below the range: not used"
/// );
/// assert_eq!(
///     budgets.round_down(Epsilon::PUBLIC),
///     Epsilon::new(1.0)?,
///     "above the range: used as declared"
/// );
///
/// let tiers = [("strict".to_owned(), Epsilon::new(0.1)?), ("public".to_owned(), Epsilon::PUBLIC)];
/// assert_eq!(DeclaredBudgets::tiers(tiers)?.round_down(Epsilon::PUBLIC), Epsilon::PUBLIC);
/// # Ok::<(), suum_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeclaredBudgets {
    /// Tiers in ascending order of ε; those of equal ε in the order declared. Empty for a range.
    tiers: Vec<(String, Epsilon)>,
    range: BudgetRange,
}

impl DeclaredBudgets {
    /// Returns budgets that are numbers from `least` to `most`, which may be ∞.
    ///
    /// # Errors
    ///
    /// Refuses a least budget of zero, and one above `most`.
    pub fn range(least: Epsilon, most: Epsilon) -> Result<Self> {
        Ok(Self { tiers: Vec::new(), range: BudgetRange::new(least, most)? })
    }

    /// Returns budgets that stand for the labels of consent tiers. A budget of 0 means that a tier
    /// is not used.
    ///
    /// # Errors
    ///
    /// Refuses a label that is empty or declared twice, and tiers of which none may be used.
    pub fn tiers(declared: impl IntoIterator<Item = (String, Epsilon)>) -> Result<Self> {
        let refused = |what: &'static str| {
            Error::parameter(option::LEVELS, what)
                .with_fix(for_example(option::LEVELS, "strict=0.01,standard=0.1,public=inf"))
        };
        let mut tiers: Vec<(String, Epsilon)> = declared.into_iter().collect();
        let mut labels = HashSet::new();
        for (label, _) in &tiers {
            if label.is_empty() || !labels.insert(label.as_str()) {
                return Err(refused(if label.is_empty() {
                    "a label is empty"
                } else {
                    "a label is declared twice"
                }));
            }
        }
        tiers.sort_by_key(|(_, epsilon)| *epsilon);
        let mut used =
            tiers.iter().map(|(_, epsilon)| *epsilon).filter(|epsilon| !epsilon.is_unused());
        let (Some(least), Some(most)) = (used.next(), tiers.last()) else {
            return Err(refused("no tier has a positive budget"));
        };
        let range = BudgetRange::new(least, most.1)?;
        Ok(Self { tiers, range })
    }

    /// Returns the budget that a record allowing `epsilon` counts with: at most `epsilon`, and one
    /// of at most about 51 000.
    ///
    /// With tiers it is the largest declared budget of at most ε. With a range, a budget below it
    /// becomes [`Epsilon::UNUSED`], one above it (or above 2^50 times the least budget) is lowered,
    /// and the others are rounded down as by [`Epsilon::coarse`], but not below the least. ∞ stays
    /// ∞ only if the range includes it. The rule leaves its own results unchanged.
    #[must_use]
    pub fn round_down(&self, epsilon: Epsilon) -> Epsilon {
        if self.tiers.is_empty() {
            return self.range.round_down(epsilon);
        }
        let above = self.tiers.partition_point(|(_, tier)| *tier <= epsilon);
        above.checked_sub(1).map_or(Epsilon::UNUSED, |at| self.tiers[at].1)
    }

    /// Returns these budgets rounded down to fewer digits, so that there are at most `most` of
    /// them. Returns `None` if there are more tiers than that, or if budgets would be lowered by
    /// more than a sixteenth.
    ///
    /// # Example
    ///
    /// ```
    /// use suum_core::DeclaredBudgets;
    ///
    /// let budgets: DeclaredBudgets = "0.01,1".parse()?;
    /// let fewer = budgets.coarser(1000).unwrap();
    /// assert!(budgets.most_levels() > 6000 && fewer.most_levels() < 1000);
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    pub fn coarser(&self, most: usize) -> Option<Self> {
        if self.tiers.is_empty() {
            return Some(Self { tiers: Vec::new(), range: self.range.coarser(most)? });
        }
        (self.tiers.len() <= most).then(|| self.clone())
    }

    /// Returns true if there are so few budgets that a session checks each before anything is
    /// drawn.
    pub fn are_few(&self) -> bool {
        !self.tiers.is_empty() || self.range.most_levels() <= MOST_CHECKED
    }

    /// Returns every budget that a record can count with, if they are few enough to check each.
    pub(crate) fn all(&self) -> Option<Vec<Epsilon>> {
        self.are_few().then(|| match self.tiers.is_empty() {
            true => self.range.levels().collect(),
            false => self.tiers.iter().map(|(_, epsilon)| *epsilon).collect(),
        })
    }

    /// Returns the largest possible number of distinct budgets.
    pub fn most_levels(&self) -> usize {
        if self.tiers.is_empty() { self.range.most_levels() } else { self.tiers.len() }
    }

    /// Returns the least positive budget.
    pub fn least(&self) -> Epsilon {
        self.range.lower()
    }

    /// Returns the largest budget that a record can count with.
    pub fn most(&self) -> Epsilon {
        self.round_down(self.range.upper())
    }

    /// Returns the rows of a certificate, in ascending order of ε: the tiers, or steps of a factor
    /// of two through the range.
    pub fn rows(&self) -> Vec<(String, Epsilon)> {
        if !self.tiers.is_empty() {
            return self.tiers.clone();
        }
        let most = self.most();
        let mut rows: Vec<Epsilon> = self.doublings().take_while(|row| *row < most).collect();
        let enough = rows.partition_point(|row| row.get() < ENOUGH).max(1);
        rows.truncate(enough);
        if rows.first() != Some(&most) {
            rows.push(most);
        }
        rows.into_iter().map(|row| (row.to_string(), row)).collect()
    }

    /// Returns the least budgets of the buckets in which a noisy profile counts people: distinct
    /// tiers, or doublings.
    ///
    /// All budgets from the first one on that is `enough` share the last bucket.
    pub fn buckets(&self, enough: impl Fn(Epsilon) -> bool) -> Vec<Epsilon> {
        let mut least: Vec<Epsilon> = if self.tiers.is_empty() {
            let (most, octaves) = (self.most(), self.doublings());
            let octaves =
                octaves.take_while(|least| *least <= most).map(|least| self.round_down(least));
            octaves.chain(most.is_public().then_some(most)).collect()
        } else {
            let mut tiers: Vec<Epsilon> = self.tiers.iter().map(|(_, epsilon)| *epsilon).collect();
            tiers.retain(|epsilon| !epsilon.is_unused());
            tiers.dedup();
            tiers
        };
        least.dedup();
        if let Some(last) = least.iter().position(|least| enough(*least)) {
            least.truncate(last + 1);
        }
        least
    }

    /// A typical budget of a bucket, given the least one of it and of the next: the geometric
    /// middle.
    pub(crate) fn middle(&self, least: Epsilon, next: Option<Epsilon>) -> Epsilon {
        if !self.tiers.is_empty() || least.is_public() {
            return least;
        }
        let next =
            next.map_or(f64::INFINITY, Epsilon::get).min(2.0 * least.get()).min(self.most().get());
        // √ of the product, without leaving the range of a double.
        Epsilon::new(least.get() * (next / least.get()).max(1.0).sqrt()).unwrap_or(least)
    }

    /// Returns a budget that no budget in a bucket exceeds, given the least one of it and of the
    /// next.
    pub(crate) fn highest(&self, least: Epsilon, next: Option<Epsilon>) -> Epsilon {
        match next {
            None => self.most(),
            Some(_) if !self.tiers.is_empty() => least,
            Some(next) => next,
        }
    }

    fn doublings(&self) -> impl Iterator<Item = Epsilon> + use<> {
        let (least, public) = (self.least().get(), self.least().is_public());
        let octaves = if public { 0 } else { OCTAVES };
        (0..=octaves).map_while(move |octave| Epsilon::new(least * 2f64.powi(octave)).ok())
    }
}

/// A range `LO,HI`, as on the command line.
impl FromStr for DeclaredBudgets {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Ok(Self { tiers: Vec::new(), range: text.parse()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn epsilon(value: f64) -> Epsilon {
        Epsilon::new(value).unwrap()
    }

    fn tiers(budgets: &[f64]) -> DeclaredBudgets {
        let tiers =
            budgets.iter().enumerate().map(|(at, budget)| (format!("tier {at}"), epsilon(*budget)));
        DeclaredBudgets::tiers(tiers).unwrap()
    }

    #[test]
    fn refuses_what_declares_nothing() {
        for bad in ["", "1", "0,1", "2,1", "1,x", "nan,1", "inf,1"] {
            assert!(bad.parse::<DeclaredBudgets>().is_err(), "{bad}");
        }
        let tier = |label: &str, budget| (label.to_owned(), epsilon(budget));
        for bad in [
            vec![],
            vec![tier("", 1.0)],
            vec![tier("a", 1.0), tier("a", 2.0)],
            vec![tier("a", 0.0)],
        ] {
            let refused = DeclaredBudgets::tiers(bad).unwrap_err();
            assert!(refused.to_string().starts_with("levels: ") && refused.fix().is_some());
        }
    }

    #[test]
    fn tiers_are_rounded_down_to() {
        let tiers = tiers(&[1.0, 0.0, 0.1]);
        for (allowed, counted) in
            [(0.0, 0.0), (0.05, 0.0), (0.1, 0.1), (0.7, 0.1), (1.0, 1.0), (9.0, 1.0)]
        {
            assert_eq!(tiers.round_down(epsilon(allowed)), epsilon(counted), "{allowed}");
        }
        let rows: Vec<f64> = tiers.rows().into_iter().map(|(_, epsilon)| epsilon.get()).collect();
        assert_eq!(rows, [0.0, 0.1, 1.0]);
    }

    #[test]
    fn rows_and_buckets_of_a_range_double() {
        let budgets: DeclaredBudgets = "0.1,1".parse().unwrap();
        let values = |list: Vec<Epsilon>| list.into_iter().map(Epsilon::get).collect::<Vec<f64>>();
        let rows = |budgets: &DeclaredBudgets| {
            values(budgets.rows().into_iter().map(|row| row.1).collect())
        };
        assert_eq!(rows(&budgets), [0.1, 0.2, 0.4, 0.8, 1.0]);
        // Whoever allows 0.2 counts as a little less, and in the bucket that begins there.
        let at = [0.1, 0.2, 0.4, 0.8].map(|least| budgets.round_down(epsilon(least)));
        assert_eq!(budgets.buckets(|_| false), at);
        assert_eq!(budgets.buckets(|least| least.get() > 0.3), at[..3]);
        assert!(
            (budgets.middle(epsilon(0.1), Some(epsilon(0.2))).get() - 0.02f64.sqrt()).abs() < 1e-15
        );
        assert!((budgets.middle(epsilon(0.8), None).get() - 0.8f64.sqrt()).abs() < 1e-15);

        let open: DeclaredBudgets = "4,inf".parse().unwrap();
        assert_eq!(rows(&open), [4.0, 8.0, 16.0, f64::INFINITY]);
        assert_eq!(values(open.buckets(|least| least.get() >= 10.0)), [4.0, 8.0, 16.0]);
        for one in ["0.3,0.3", "inf,inf", "25,25"] {
            let budgets: DeclaredBudgets = one.parse().unwrap();
            assert_eq!((budgets.rows().len(), budgets.buckets(|_| false).len()), (1, 1), "{one}");
        }
    }

    proptest! {
        #[test]
        fn the_rule_rounds_down_and_settles(
            least in -90.0..60.0_f64,
            octaves in 0.0..60.0_f64,
            open in any::<bool>(),
            at in -5.0..70.0_f64,
        ) {
            let least = 10f64.powf(least);
            let most = if open { Epsilon::PUBLIC } else { epsilon(least * octaves.exp2()) };
            let budgets = DeclaredBudgets::range(epsilon(least), most).unwrap();
            for allowed in
                [epsilon(least * at.exp2()), Epsilon::PUBLIC, Epsilon::UNUSED, epsilon(least)]
            {
                let counted = budgets.round_down(allowed);
                prop_assert!(counted <= allowed && counted <= most);
                prop_assert_eq!(budgets.round_down(counted), counted);
                prop_assert_eq!(counted.is_unused(), allowed < budgets.least());
                prop_assert!(
                    counted.is_unused() || (budgets.least()..=budgets.most()).contains(&counted)
                );
                if !counted.is_unused() && !counted.is_public() {
                    prop_assert!(counted.get() <= least * 2f64.powi(50));
                    let cut = allowed
                        .min(budgets.range.upper())
                        .min(Epsilon::new(least * 2f64.powi(50)).unwrap_or(Epsilon::PUBLIC));
                    prop_assert!(counted.get() >= cut.get() * (1.0 - 1.0 / 1024.0));
                }
            }
            // Ascending buckets that begin at the least budget.
            let buckets = budgets.buckets(|_| false);
            prop_assert!(
                buckets[0] == budgets.least() && buckets.windows(2).all(|pair| pair[0] < pair[1])
            );
            prop_assert!(buckets.len() <= 52);
        }
    }
}
