//! Form of a CSV file: delimiter, encoding, and decimal mark.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};
use suum_core::{Error, Result, for_example, option};

/// Form of CSV files; by default with commas, in UTF-8, with points in numbers.
///
/// # Example
///
/// ```
/// use suum_data::{CsvForm, DecimalMark, PrivacyColumn, Progress, Scan, scan_csv};
///
/// let scan = Scan {
///     csv: CsvForm {
///         delimiter: ";".parse()?,
///         encoding: "latin-1".parse()?,
///         decimal: DecimalMark::Comma,
///     },
///     ..Scan::new(PrivacyColumn::Budgets { column: "été".into() }, None)
/// };
/// let csv = b"\xe9t\xe9;note\n0,5;\"a;b\"\n";
/// let table = scan_csv(csv.as_slice(), &scan, &Progress::default())?;
/// assert_eq!(table.profile()?.to_string(), "0.5:1");
/// # Ok::<(), suum_core::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CsvForm {
    /// Character between cells.
    pub delimiter: Delimiter,
    /// Character encoding.
    pub encoding: Encoding,
    /// Mark before the decimals of a number.
    pub decimal: DecimalMark,
}

/// Character between cells: one of ASCII that is no part of a number or a word, or a tab, which is
/// also written `tab`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Delimiter(u8);

impl Delimiter {
    pub(crate) fn byte(self) -> u8 {
        self.0
    }

    /// Returns true if commas separate cells.
    pub fn is_comma(self) -> bool {
        self.0 == b','
    }
}

impl Default for Delimiter {
    fn default() -> Self {
        Self(b',')
    }
}

impl FromStr for Delimiter {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match text.as_bytes() {
            b"tab" | b"\\t" | b"\t" => Ok(Self(b'\t')),
            [byte @ (b',' | b';' | b':' | b'|' | b'^' | b'~' | b'!' | b'#')] => Ok(Self(*byte)),
            _ => {
                Err(Error::parameter(option::DELIMITER, "this cannot separate the cells of a file")
                    .with_fix(
                        for_example(option::DELIMITER, ";")
                            .say(", or")
                            .set(option::DELIMITER, "tab"),
                    ))
            }
        }
    }
}

impl fmt::Display for Delimiter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            b'\t' => f.write_str("tab"),
            byte => write!(f, "{}", char::from(byte)),
        }
    }
}

/// Serialized as its text form.
impl Serialize for Delimiter {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Character encoding of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub enum Encoding {
    /// UTF-8; other bytes are refused where they are read.
    #[default]
    #[serde(rename = "utf-8")]
    Utf8,
    /// Latin-1, as web browsers read it: as Windows-1252, which has quotes and the sign of the euro
    /// where Latin-1 has nothing to print.
    #[serde(rename = "latin-1")]
    Latin1,
}

impl FromStr for Encoding {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match text.to_ascii_lowercase().as_str() {
            "utf-8" | "utf8" => Ok(Self::Utf8),
            "latin-1" | "latin1" | "iso-8859-1" | "windows-1252" => Ok(Self::Latin1),
            _ => Err(Error::parameter(option::ENCODING, "there is none of that name here")
                .with_fix("choose utf-8 or latin-1")),
        }
    }
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Utf8 => "utf-8",
            Self::Latin1 => "latin-1",
        })
    }
}

/// Mark before the decimals of a number.
///
/// It holds for cells that are read as numbers: values, budgets, and what a filter compares with
/// numbers. Labels are compared as they stand; one that is none of those declared is compared as
/// the number that it spells with this mark. Nothing separates thousands, so with a comma a cell
/// with a point is no number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub enum DecimalMark {
    /// A point, as in 3.5.
    #[default]
    #[serde(rename = ".")]
    Point,
    /// A comma, as in 3,5.
    #[serde(rename = ",")]
    Comma,
}

impl DecimalMark {
    pub(crate) fn byte(self) -> u8 {
        match self {
            Self::Point => b'.',
            Self::Comma => b',',
        }
    }

    /// Cell with a decimal point, if it spells a number with this mark; `room` is scratch space for
    /// the result.
    ///
    /// With a comma the two marks are exchanged, so that a cell with a point spells no number.
    #[inline]
    pub(crate) fn with_point<'a>(self, cell: &'a [u8], room: &'a mut Vec<u8>) -> &'a [u8] {
        match self {
            Self::Point => cell,
            Self::Comma => exchange(cell, room),
        }
    }
}

/// Copies a cell to `room`, with commas and points exchanged.
fn exchange<'a>(cell: &[u8], room: &'a mut Vec<u8>) -> &'a [u8] {
    room.clear();
    room.extend(cell.iter().map(|byte| match byte {
        b',' => b'.',
        b'.' => b',',
        other => *other,
    }));
    room
}

impl FromStr for DecimalMark {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match text {
            "." => Ok(Self::Point),
            "," => Ok(Self::Comma),
            _ => Err(Error::parameter(option::DECIMAL, "this does not stand before decimals")
                .with_fix("choose . or ,")),
        }
    }
}

impl fmt::Display for DecimalMark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", char::from(self.byte()))
    }
}
