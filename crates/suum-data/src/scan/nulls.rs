//! Texts that stand for an empty cell.

use suum_core::{Error, Result, TimeScale, option};

/// Texts, such as `NA`, that stand for an empty cell, in whatever column.
///
/// A text is compared with a cell byte by byte, without the spaces around both. In columns of
/// numbers a text that is a number also stands for all cells of that number, however it is written.
///
/// # Example
///
/// ```
/// use suum_data::{Nulls, PrivacyColumn, Progress, Scan, scan_csv};
///
/// let scan = Scan {
///     nulls: Nulls::new(["NA", "-99"])?,
///     missing_choice: Some("0".into()),
///     ..Scan::new(PrivacyColumn::Budgets { column: "epsilon".into() }, None)
/// };
/// let csv = "epsilon\n0.1\nNA\n-99.0\n";
/// let table = scan_csv(csv.as_bytes(), &scan, &Progress::default())?;
/// assert_eq!(table.profile()?.to_string(), "0:2,0.1:1");
/// # Ok::<(), suum_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Nulls {
    texts: Vec<String>,
    numbers: Vec<f64>,
}

impl Nulls {
    /// Creates the set of these texts. An empty cell is always missing, so an empty text is
    /// refused.
    ///
    /// # Errors
    ///
    /// Refuses an empty text.
    pub fn new(texts: impl IntoIterator<Item = impl AsRef<str>>) -> Result<Self> {
        let texts = texts.into_iter().map(|text| text.as_ref().trim_ascii().to_owned());
        let texts: Vec<String> = texts.collect();
        if texts.iter().any(String::is_empty) {
            return Err(Error::parameter(option::NULL, "a text is empty")
                .with_fix("leave it out; empty cells are missing whatever else is"));
        }
        let numbers = texts.iter().filter_map(|text| text.parse().ok());
        let numbers = numbers.filter(|number: &f64| !number.is_nan()).collect();
        Ok(Self { texts, numbers })
    }

    /// Texts, without the spaces around them.
    pub fn texts(&self) -> &[String] {
        &self.texts
    }

    /// Numbers among the texts.
    pub fn numbers(&self) -> &[f64] {
        &self.numbers
    }

    /// The cell, which has no spaces around it; empty if the cell is one of the texts.
    #[inline]
    pub(crate) fn cell<'a>(&self, cell: &'a [u8]) -> &'a [u8] {
        if self.texts.iter().any(|text| text.as_bytes() == cell) { b"" } else { cell }
    }

    /// Numbers of dates or times, with NaN in place of those whose text stands for an empty cell.
    pub(crate) fn mask_moments<'a>(&self, numbers: &'a mut [f64], scale: TimeScale) -> &'a [f64] {
        let texts = self.texts.iter().filter_map(|text| scale.number(text.as_bytes()));
        for text in texts {
            let missing = numbers.iter_mut().filter(|number| **number == text);
            missing.for_each(|number| *number = f64::NAN);
        }
        numbers
    }

    /// The numbers, with NaN in place of those that stand for an empty cell; `room` is scratch
    /// space.
    pub(crate) fn mask_numbers<'a>(&self, numbers: &'a [f64], room: &'a mut Vec<f64>) -> &'a [f64] {
        if self.numbers.is_empty() {
            return numbers;
        }
        let missing = |number: &f64| match self.numbers.contains(number) {
            true => f64::NAN,
            false => *number,
        };
        room.clear();
        room.extend(numbers.iter().map(missing));
        room
    }
}
