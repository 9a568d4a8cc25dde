//! Sums of integers of 64 bits, which cannot exceed them, and what else costs less in Spark.

use super::Dialect;

/// How many bits the parts of a sum have in Spark.
const PART_BITS: u32 = 21;

/// What is in place of a sum that could have wrapped around.
pub(crate) const TOO_MANY: &str = "too many";

/// So many parts have a sum that fits 63 bits.
pub(super) const MOST_IN_PARTS: u64 = 1 << (62 - PART_BITS);

/// So many integers of at most 2^32 have a sum that fits 63 bits.
pub(super) const MOST_IN_SHORT_SUMS: u64 = (1 << 31) - 1;

/// A sum in parts of [`PART_BITS`] bits. Spark adds up integers of 64 bits much faster than any
/// others. Their sum would wrap around if there were more than [`MOST_IN_PARTS`].
pub(super) fn sum(term: &str, bits: u32) -> String {
    let (last, mask) = (bits / PART_BITS, (1u64 << PART_BITS) - 1);
    let part = |part: u32| {
        let shifted = match part {
            0 => format!("({term})"),
            _ => format!("shiftright({term}, {})", part * PART_BITS),
        };
        let masked = if part == last { shifted } else { format!("{shifted} & {mask}") };
        let sum = format!("CAST(SUM({masked}) AS DECIMAL(20, 0))");
        if part == 0 { sum } else { format!("{sum} * {}", 1u64 << (part * PART_BITS)) }
    };
    (0..=last).rev().map(part).collect::<Vec<_>>().join(" + ")
}

/// ⌊x / 2^bits⌋ of an integer that is not negative.
fn quotient(term: &str, bits: u32) -> String {
    format!("shiftright({term}, {bits})")
}

/// What is left of it then.
fn remainder(term: &str, bits: u32) -> String {
    format!("{term} & {}", (1u64 << bits) - 1)
}

/// A hash of a text of as many bits as a part.
fn hash(text: &str) -> String {
    format!("(xxhash64({text}) & {})", (1u64 << PART_BITS) - 1)
}

impl Dialect {
    /// ⌊x / 2^bits⌋ of an integer that is not negative, and the rest, where sums of such small
    /// integers are much cheaper than others.
    pub(crate) fn split(self, term: &str, bits: u32) -> Option<[String; 2]> {
        (self == Self::Spark).then(|| [quotient(term, bits), remainder(term, bits)])
    }

    /// The sum of integers of 64 bits that are at most 2^32, or as far below zero, of no more than
    /// [`MOST_IN_SHORT_SUMS`] records.
    pub(crate) fn short_sum(self, term: &str) -> String {
        format!("CAST(SUM({term}) AS DECIMAL(20, 0))")
    }

    /// A short hash of a text, in dialects where counting persons a second time costs too much: its
    /// sum over rows is compared with that over persons instead.
    pub(crate) fn mark(self, text: &str) -> Option<String> {
        (self == Self::Spark).then(|| hash(text))
    }

    /// Another text for each text, which goes another way when rows are grouped by it.
    pub(crate) fn other_text(self, text: &str) -> String {
        format!("concat({text}, '.')")
    }

    /// Whether what is said of a number is cheaper said of each different one than of each row.
    pub(crate) fn groups_numbers(self) -> bool {
        self == Self::Spark
    }

    /// Whether rows are grouped slowly by a column that has NULL in each of them.
    pub(crate) fn groups_nothing_slowly(self) -> bool {
        self == Self::Spark
    }

    /// Whether labels are compared first as they are, and without the spaces around them only
    /// where none is equal.
    pub(crate) fn trims_late(self) -> bool {
        self == Self::Spark
    }

    /// An integer of 38 digits.
    pub(crate) fn decimal(self, term: &str) -> String {
        format!("CAST({term} AS DECIMAL(38, 0))")
    }
}
