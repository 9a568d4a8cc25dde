//! Category of a cell: by label, or by the bin that contains a number.

use suum_core::{Bounds, Categories, Error, Result, TimeScale, for_example, option, say};

use crate::scan::csv_form::DecimalMark;
use crate::scan::edges::{Edges, refused_bins};
use crate::scan::label_positions::LabelPositions;
use crate::scan::weight_rule::WeightRule;

/// Largest number of edges that are all compared with every number; among more, a binary search is
/// used.
const FEW_EDGES: usize = 32;

/// Name of the category of numbers strictly between the bounds.
const BETWEEN: &str = "between";

/// Declared categories, and the rule that assigns cells to them.
///
/// # Example
///
/// ```
/// use suum_data::CategoryRule;
///
/// let health = CategoryRule::labels(vec!["good".into(), "poor".into()], Some("other"))?;
/// assert_eq!(health.categories().names(), ["good", "poor", "other"]);
/// let age = CategoryRule::bins("0,18,65,120".parse()?, None)?;
/// assert_eq!(age.categories().names(), ["[0, 18)", "[18, 65)", "[65, 120]"]);
/// # Ok::<(), suum_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct CategoryRule {
    categories: Categories,
    positions: LabelPositions,
    // Rule for labels that are design weights.
    weights: Option<Box<WeightRule>>,
    // Ascending, for bins only.
    edges: Option<Edges>,
    other: Option<u64>,
}

impl CategoryRule {
    /// The categories of these labels, and one named `other` for all values that are none of them.
    ///
    /// Cells are compared byte by byte, case included, after spaces around them are removed; but
    /// numbers match as numbers, with or without zeros at the end of their decimals.
    ///
    /// # Errors
    ///
    /// As [`Categories::new`], and refuses an `other` that is empty or among the names.
    pub fn labels(names: Vec<String>, other: Option<&str>) -> Result<Self> {
        Self::new(names.iter().map(|name| name.trim_ascii().to_owned()).collect(), other, None)
    }

    /// The design weights that these texts spell: a cell belongs to the one that it equals as a
    /// number, however it is written.
    ///
    /// # Errors
    ///
    /// As [`Categories::new`], and refuses texts that spell no positive finite number, or one that
    /// another text spells.
    ///
    /// # Example
    ///
    /// ```
    /// use suum_data::CategoryRule;
    ///
    /// let weights = CategoryRule::weights(vec!["1.0".into(), "2.5".into()])?;
    /// assert_eq!(weights.as_weights(), Some(&[1.0, 2.5][..]));
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    pub fn weights(texts: Vec<String>) -> Result<Self> {
        let rule = Self::labels(texts, None)?;
        let texts = rule.categories.names().iter().map(String::as_str);
        let weights = WeightRule::new(texts).ok_or_else(|| {
            Error::parameter(option::CATEGORIES, "design weights are different positive numbers")
                .with_fix(for_example(option::CLASSES, "1,2.5,4"))
        })?;
        Ok(Self { weights: Some(Box::new(weights)), ..rule })
    }

    /// Bins between edges such as `0,10,20`, and a category named `other` for all numbers outside.
    ///
    /// A bin contains its lower edge, and the last one its upper edge too.
    ///
    /// # Errors
    ///
    /// Refuses fewer than two categories, and an `other` that is empty or the name of a bin.
    pub fn bins(edges: Edges, other: Option<&str>) -> Result<Self> {
        let bins = edges.numbers.len() - 1;
        if bins + usize::from(other.is_some()) < 2 {
            return Err(refused_bins("one bin alone makes no two categories").with_fix(
                say("add an edge, or collect the numbers outside with").set(option::OTHER, "NAME"),
            ));
        }
        if bins + usize::from(other.is_some()) > Categories::MOST {
            return Err(refused_bins("there are more than 65536 categories")
                .with_fix(say("leave edges out of").option(option::BINS)));
        }
        let name = |(bin, ends): (usize, &[f64])| {
            let close = if bin + 1 == bins { ']' } else { ')' };
            format!("[{}, {}{close}", edges.label(ends[0]), edges.label(ends[1]))
        };
        let names = edges.numbers.windows(2).enumerate().map(name).collect();
        Self::new(names, other, Some(edges))
    }

    /// Three categories of numbers: at or below the lower bound, strictly between the bounds, and
    /// at or above the upper one; and a category named `other` for missing numbers.
    ///
    /// # Errors
    ///
    /// Refuses an `other` that is empty or one of the three.
    ///
    /// # Example
    ///
    /// ```
    /// use suum_data::CategoryRule;
    ///
    /// let places = CategoryRule::at_bounds("0,77".parse()?, None)?;
    /// let names = ["at or below 0", "between", "at or above 77"];
    /// assert_eq!(places.categories().names(), names);
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    pub fn at_bounds(bounds: Bounds, other: Option<&str>) -> Result<Self> {
        let (lower, upper) = (bounds.lower(), bounds.upper());
        // A bin begins at its edge: the second one at the first number above the lower bound.
        let numbers = vec![f64::NEG_INFINITY, lower.next_up(), upper, f64::INFINITY];
        let edges = Edges { numbers, scale: bounds.scale() };
        let [low, high] = [lower, upper].map(|bound| edges.label(bound));
        let names = [format!("at or below {low}"), BETWEEN.into(), format!("at or above {high}")];
        Self::new(names.into(), other, Some(edges))
    }

    fn new(mut names: Vec<String>, other: Option<&str>, edges: Option<Edges>) -> Result<Self> {
        let declared = names.len() as u64;
        if let Some(other) = other {
            let other = other.trim_ascii();
            if other.is_empty() || names.iter().any(|name| name == other) {
                let what = if other.is_empty() {
                    "its name is empty"
                } else {
                    "it is a declared category"
                };
                return Err(Error::parameter(option::OTHER, what).with_fix(
                    say("name a category of its own, for example").set(option::OTHER, "other"),
                ));
            }
            names.push(other.to_owned());
        }
        let categories = Categories::new(names)?;
        // Names of categories differ.
        let positions = LabelPositions::new(categories.names().iter().map(String::as_str));
        let positions = positions.unwrap_or_default();
        Ok(Self { categories, positions, weights: None, edges, other: other.map(|_| declared) })
    }

    /// Categories as declared, followed by the one for other values.
    pub fn categories(&self) -> &Categories {
        &self.categories
    }

    /// Numbers that labels stand for as design weights; `None` if labels are no design weights.
    pub fn as_weights(&self) -> Option<&[f64]> {
        self.weights.as_deref().map(WeightRule::numbers)
    }

    /// Returns true if cells are labels, not numbers.
    pub(crate) fn are_labels(&self) -> bool {
        self.edges.is_none()
    }

    /// Edges of bins in ascending order, of which the first and the last can be infinite; `None` if
    /// cells are labels.
    pub fn edges(&self) -> Option<&[f64]> {
        self.edges.as_ref().map(|edges| edges.numbers.as_slice())
    }

    /// Time scale of the edges of bins, if they are dates or times.
    #[inline]
    pub fn scale(&self) -> Option<TimeScale> {
        self.edges.as_ref()?.scale
    }

    /// Position of the category with this name, which has no spaces around it.
    #[inline]
    pub(crate) fn named(&self, name: &[u8]) -> Option<u64> {
        let position = self.positions.get(name);
        position.or_else(|| self.weights.as_ref()?.get(name)).map(u64::from)
    }

    /// Cell of a text file, written as numbers are if it spells one and is not itself a declared
    /// label.
    #[inline]
    pub(crate) fn spelled<'a>(
        &self,
        cell: &'a [u8],
        decimal: DecimalMark,
        room: &'a mut Vec<u8>,
    ) -> &'a [u8] {
        self.positions.spelled(cell, decimal, room)
    }

    /// Position of the category for all other values, if there is one.
    pub fn other(&self) -> Option<u64> {
        self.other
    }

    /// Position of the category of a number, which is not NaN.
    #[inline]
    pub(crate) fn classify_number(&self, number: f64) -> Option<u64> {
        let edges = self.edges()?;
        // Number of edges at or below the number: bins that have begun; after the last edge, all
        // have.
        let begun = edges.partition_point(|edge| *edge <= number);
        match begun {
            0 => self.other,
            _ if begun < edges.len() => Some(begun as u64 - 1),
            _ if edges.last() == Some(&number) => Some(edges.len() as u64 - 2),
            _ => self.other,
        }
    }

    /// Name of the category of a number.
    pub fn place_of(&self, number: f64) -> Option<&str> {
        let names = self.categories.names();
        names.get(usize::try_from(self.classify_number(number)?).ok()?).map(String::as_str)
    }

    /// Appends the category of each number to `classes`, if there are few bins and each number
    /// falls into one.
    ///
    /// Otherwise returns false and appends nothing.
    // Inlined for whoever compiles it for more instructions than every processor has.
    #[inline(always)]
    pub(crate) fn classify_numbers(&self, numbers: &[f64], classes: &mut Vec<u64>) -> bool {
        let Some(edges) = self.edges().filter(|edges| edges.len() <= FEW_EDGES) else {
            return false;
        };
        let [first, inner @ .., last] = edges else { return false };
        // NaN is on neither side.
        if !numbers.iter().fold(true, |in_bins, x| in_bins & (*x >= *first) & (*x <= *last)) {
            return false;
        }
        // The first bin, and one more for each that begins at or below the number.
        let start = classes.len();
        classes.resize(start + numbers.len(), 0);
        for edge in inner {
            let classes = classes[start..].iter_mut().zip(numbers);
            classes.for_each(|(class, number)| *class += u64::from(edge <= number));
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn labels(names: &[&str], other: Option<&str>) -> Result<CategoryRule> {
        CategoryRule::labels(names.iter().map(|name| (*name).to_owned()).collect(), other)
    }

    fn bins(edges: &str, other: Option<&str>) -> Result<CategoryRule> {
        CategoryRule::bins(edges.parse()?, other)
    }

    #[test]
    fn labels_are_trimmed_and_keep_their_order() {
        let classes = labels(&[" b ", "a b"], Some(" rest ")).unwrap();
        assert_eq!(classes.categories().names(), ["b", "a b", "rest"]);
        assert_eq!(
            [b"a b".as_slice(), b"B", b"rest"].map(|name| classes.named(name)),
            [Some(1), None, Some(2)]
        );
        assert_eq!(classes.other(), Some(2));
        assert!(labels(&["a"], Some("b")).is_ok(), "the other one is a category too");
    }

    #[test]
    fn refuses_what_makes_no_categories() {
        let many: Vec<String> = (0..Categories::MOST).map(|name| name.to_string()).collect();
        assert!(CategoryRule::labels(many.clone(), None).is_ok());
        let edges = many.join(",");
        assert!(bins(&edges, None).is_ok());
        let one_more = format!("{edges},65536");
        for (refused, message) in [
            (labels(&["a"], None), "categories: there must be at least two"),
            (labels(&["a", " a"], None), "categories: number 2 is repeated"),
            (labels(&["a", " "], None), "categories: number 2 is empty"),
            (CategoryRule::labels(many, Some("x")), "categories: there are more than 65536"),
            (labels(&["a", "b"], Some(" ")), "other: its name is empty"),
            (labels(&["a", "b"], Some(" a")), "other: it is a declared category"),
            (bins("0,1", Some("[0, 1]")), "other: it is a declared category"),
            (bins("", None), "bins: edge 1 is not a number"),
            (bins("0", None), "bins: there must be at least two edges"),
            (bins("0,1", None), "bins: one bin alone makes no two categories"),
            (bins("0,1,", None), "bins: edge 3 is not a number"),
            (bins("0,1,inf", None), "bins: edge 3 is not finite"),
            (bins("nan,1,2", None), "bins: edge 1 is not finite"),
            (bins("0,2,1", None), "bins: edge 3 is not above the one before it"),
            (bins("0,-0,1", None), "bins: edge 2 is not above the one before it"),
            (bins(&one_more, Some("x")), "bins: there are more than 65536 categories"),
        ] {
            let refused = refused.unwrap_err();
            assert_eq!(refused.to_string(), message);
            assert_eq!(refused.kind(), suum_core::ErrorKind::Parameter);
            assert!(refused.fix().is_some(), "{refused}");
        }
    }

    #[test]
    fn bins_are_named_alike_however_they_are_spelled() {
        let spelled = bins(" -0.0, 1e1,2.50 ,1e300", None).unwrap_err();
        assert_eq!(spelled.to_string(), "bins: edge 3 is not above the one before it");
        let spelled = bins(" -0.0, 2.50 ,1e1,1e300", None).unwrap();
        assert_eq!(spelled.categories().names(), ["[0, 2.5)", "[2.5, 10)", "[10, 1e300]"]);
        assert_eq!(spelled, bins("0,2.5,10,1e300", None).unwrap());
    }

    #[test]
    fn numbers_at_a_bound_are_told_from_those_inside() {
        let places = CategoryRule::at_bounds("-5,10".parse().unwrap(), Some("none")).unwrap();
        let names = ["at or below -5", "between", "at or above 10", "none"];
        assert_eq!(places.categories().names(), names);
        let numbers =
            [f64::NEG_INFINITY, -6.0, -5.0, -4.999_999, 9.999, 10.0, 1e300, f64::INFINITY];
        let expected = [0, 0, 0, 1, 1, 2, 2, 2];
        assert_eq!(numbers.map(|number| places.classify_number(number).unwrap()), expected);
        let mut all = Vec::new();
        assert!(places.classify_numbers(&numbers, &mut all));
        assert_eq!(all, expected);
        // Bounds with no number between them.
        let narrow = Bounds::new(1.0, 1f64.next_up()).unwrap();
        let narrow = CategoryRule::at_bounds(narrow, None).unwrap();
        assert_eq!(
            [1.0, 1f64.next_up()].map(|number| narrow.classify_number(number)),
            [Some(0), Some(2)]
        );
        let days = CategoryRule::at_bounds("2020-01-01,2024-12-31".parse().unwrap(), None).unwrap();
        assert_eq!(days.categories().names()[0], "at or below 2020-01-01");
        assert_eq!(days.scale().map(TimeScale::unit), Some("days"));
    }

    proptest! {
        #[test]
        fn each_number_falls_into_the_bin_around_it(
            edges in prop::collection::btree_set(-8i32..8, 2..8),
            quarters in -40i32..40,
            collect: bool,
        ) {
            let other = (collect || edges.len() == 2).then_some("other");
            let edges: Vec<f64> = edges.into_iter().map(f64::from).collect();
            let text = edges.iter().map(f64::to_string).collect::<Vec<_>>().join(",");
            let classes = bins(&text, other).unwrap();
            let number = f64::from(quarters) / 4.0;
            let bins = edges.len() - 1;
            let inside = |bin: &usize| {
                let last = bin + 1 == bins;
                edges[*bin] <= number
                    && (number < edges[bin + 1] || last && number == edges[bin + 1])
            };
            let expected = (0..bins).find(inside).or(other.map(|_| bins));
            prop_assert_eq!(classes.classify_number(number), expected.map(|bin| bin as u64));
        }

        #[test]
        fn many_numbers_fall_where_each_does(
            edges in prop::collection::btree_set(-40i32..40, 3..40),
            quarters in prop::collection::vec(prop::option::weighted(0.99, -100i32..100), 0..70),
        ) {
            let edges: Vec<String> = edges.iter().map(i32::to_string).collect();
            let classes = bins(&edges.join(","), None).unwrap();
            let number = |quarter: &Option<i32>| quarter.map_or(f64::NAN, |q| f64::from(q) / 4.0);
            let numbers: Vec<f64> = quarters.iter().map(number).collect();
            let each: Option<Vec<u64>> =
                numbers.iter().map(|number| classes.classify_number(*number)).collect();
            let mut all = vec![7];
            let in_bins = classes.classify_numbers(&numbers, &mut all);
            let expected = each.filter(|_| edges.len() <= FEW_EDGES);
            prop_assert_eq!(in_bins, expected.is_some());
            prop_assert_eq!(&all[1..], expected.unwrap_or_default());
        }

        #[test]
        fn no_text_panics(edges in "\\PC*", other in prop::option::of("\\PC*")) {
            let _ = bins(&edges, other.as_deref());
            let names = edges.split(',').map(str::to_owned).collect();
            let _ = CategoryRule::labels(names, other.as_deref());
        }
    }
}
