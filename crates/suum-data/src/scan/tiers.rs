//! Consent tiers: the labels people chose from, with the budget of each.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};
use suum_core::{Epsilon, Error, Result, for_example, option};

use crate::scan::csv_form::DecimalMark;
use crate::scan::label_positions::LabelPositions;
use crate::scan::list;
use crate::scan::nearest::place_of_nearest;

/// Declared labels, each with its budget ε.
///
/// Labels are compared byte by byte, case included, after spaces around them are removed; but
/// numbers match as numbers, with or without zeros at the end of their decimals. The text form is
/// `label=ε` pairs separated by commas (see [`list`]).
///
/// # Example
///
/// ```
/// use suum_data::Tiers;
///
/// let tiers: Tiers = "strict=0.01, public=inf".parse()?;
/// assert_eq!(tiers.len(), 2);
/// assert!("strict=0.01,strict=0.1".parse::<Tiers>().is_err());
/// # Ok::<(), suum_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tiers {
    declared: Vec<(String, Epsilon)>,
    positions: LabelPositions,
}

impl Tiers {
    /// Tiers with the given labels and budgets, in the order declared.
    ///
    /// # Errors
    ///
    /// Refuses an empty list, an empty label, and a label declared twice.
    pub fn new(declared: impl IntoIterator<Item = (String, Epsilon)>) -> Result<Self> {
        let declared: Vec<(String, Epsilon)> = declared
            .into_iter()
            .map(|(label, epsilon)| (label.trim_ascii().to_owned(), epsilon))
            .collect();
        if declared.iter().any(|(label, _)| label.is_empty()) {
            return Err(refused("a label is empty"));
        }
        if declared.is_empty() {
            return Err(refused("no tier is declared"));
        }
        let positions = LabelPositions::new(declared.iter().map(|(label, _)| label.as_str()));
        let positions = positions.ok_or_else(|| refused("a label is declared twice"))?;
        Ok(Self { declared, positions })
    }

    /// The number of declared tiers.
    pub fn len(&self) -> usize {
        self.declared.len()
    }

    /// Always false: tiers without a label are refused.
    pub fn is_empty(&self) -> bool {
        self.declared.is_empty()
    }

    /// The labels and their budgets, in the order declared.
    pub fn iter(&self) -> impl Iterator<Item = (&str, Epsilon)> {
        self.declared.iter().map(|(label, epsilon)| (label.as_str(), *epsilon))
    }

    /// Position of the tier that was probably meant by an undeclared label.
    pub(crate) fn meant(&self, label: &[u8]) -> Option<u32> {
        let names = self.declared.iter().map(|(name, _)| name.as_str());
        place_of_nearest(label, names).map(|place| place as u32)
    }

    /// Position of the tier with this label, which has no spaces around it.
    #[inline]
    pub(crate) fn position(&self, label: &[u8]) -> Option<u32> {
        self.positions.get(label)
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
}

/// Writes the text form.
impl fmt::Display for Tiers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, (label, epsilon)) in self.iter().enumerate() {
            let comma = if at == 0 { "" } else { "," };
            write!(f, "{comma}{}={epsilon}", list::escaped(label))?;
        }
        Ok(())
    }
}

/// Serialized as a map from labels to budgets.
impl Serialize for Tiers {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

impl FromStr for Tiers {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let pairs = list::pairs(text).into_iter().map(|pair| {
            let (label, epsilon) =
                pair.ok_or_else(|| refused("expected LABEL=EPSILON pairs separated by commas"))?;
            let budget = epsilon.parse().map_err(|_| {
                refused("a tier's budget is not 0, a number from 1e-100 to 1e100, or inf")
            })?;
            Ok((label, budget))
        });
        Self::new(pairs.collect::<Result<Vec<_>>>()?)
    }
}

fn refused(what: &'static str) -> Error {
    Error::parameter(option::LEVELS, what)
        .with_fix(for_example(option::LEVELS, "strict=0.01,standard=0.1,public=inf"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn labels_are_trimmed_and_keep_their_order() {
        let tiers: Tiers = " b =1, a b=inf,c=0".parse().unwrap();
        let labels: Vec<&str> = tiers.iter().map(|(label, _)| label).collect();
        assert_eq!(labels, ["b", "a b", "c"]);
        assert_eq!(tiers.position(b"a b"), Some(1));
        assert_eq!(tiers.position(b"B"), None);
    }

    #[test]
    fn refuses_malformed_text() {
        for bad in [
            "",
            ",",
            "a",
            "=1",
            " =1",
            "a=",
            "a=x",
            "a=-1",
            "a=nan",
            "a=1,",
            "a=1,a=2",
            "a=1, a =1",
            "a=1=2",
        ] {
            let refused = bad.parse::<Tiers>().unwrap_err();
            assert_eq!(refused.kind(), suum_core::ErrorKind::Parameter, "{bad}");
        }
        assert!(Tiers::new([]).is_err());
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "\\PC*") {
            let _ = text.parse::<Tiers>();
        }
    }
}
