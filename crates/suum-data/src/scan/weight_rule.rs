//! Design weights as labels: numbers that can be written in several ways and match as numbers.

use rustc_hash::FxHashMap;

/// The positions of design weights by their numbers.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct WeightRule {
    numbers: Vec<f64>,
    positions: FxHashMap<u64, u32>,
}

impl WeightRule {
    /// Creates the positions of the weights that these texts spell, in their order; `None` if one
    /// spells no positive finite number, or the number of another text.
    pub(crate) fn new<'a>(texts: impl Iterator<Item = &'a str>) -> Option<Self> {
        let (mut numbers, mut positions) = (Vec::new(), FxHashMap::default());
        for (text, position) in texts.zip(0..) {
            let number = weight(text.as_bytes())?;
            if positions.insert(number.to_bits(), position).is_some() {
                return None;
            }
            numbers.push(number);
        }
        Some(Self { numbers, positions })
    }

    pub(crate) fn numbers(&self) -> &[f64] {
        &self.numbers
    }

    /// Position of the weight that a cell spells.
    pub(crate) fn get(&self, cell: &[u8]) -> Option<u32> {
        self.positions.get(&weight(cell)?.to_bits()).copied()
    }
}

/// Positive finite number that a text spells.
fn weight(text: &[u8]) -> Option<f64> {
    let number = std::str::from_utf8(text).ok()?.trim().parse().ok();
    number.filter(|number: &f64| *number > 0.0 && number.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_match_as_numbers() {
        let rule = WeightRule::new(["1.0", "2.5", "1000"].into_iter()).unwrap();
        assert_eq!(rule.numbers(), [1.0, 2.5, 1000.0]);
        for (cell, position) in [
            ("1", Some(0)),
            ("01.00", Some(0)),
            ("+2.50", Some(1)),
            ("25e-1", Some(1)),
            ("1e3", Some(2)),
            ("2.5000000000000000001", Some(1)),
            ("3", None),
            ("-1", None),
            ("inf", None),
            ("NaN", None),
            ("", None),
            ("one", None),
        ] {
            assert_eq!(rule.get(cell.as_bytes()), position, "{cell}");
        }
        for texts in [&["1", "1.0"][..], &["1", "0"], &["1", "-2"], &["inf", "1"], &["a", "1"]] {
            assert_eq!(WeightRule::new(texts.iter().copied()), None, "{texts:?}");
        }
    }
}
