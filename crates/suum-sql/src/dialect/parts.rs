//! Sums of 64-bit integers that cannot overflow, and other expressions that are faster in Spark.

use super::Dialect;

/// Number of bits of a half of an integer.
const HALF_BITS: u32 = 31;

/// Weight of the upper half of an integer.
pub(crate) const HALF: u64 = 1 << HALF_BITS;

/// Text in place of a sum in a cell, or in a task, that could have overflowed.
pub(crate) const TOO_MANY_IN_CELL: &str = "too many in a cell";
pub(crate) const TOO_MANY_IN_TASK: &str = "too many in a task";

/// Largest number of grid indices, or of [`halves`], of at most 2^31 whose sum fits 63 bits.
pub(crate) const MOST_IN_PARTS: u64 = (1 << 32) - 1;
const _: () = assert!((MOST_IN_PARTS as u128) << HALF_BITS < 1 << 63);

/// Upper and lower half of an integer from 0 to 2^62: Spark adds up integers of 64 bits much faster
/// than wider ones.
///
/// **Proof** that no sum of [`MOST_IN_PARTS`] halves wraps around: the upper one is at most
/// 2^62 / 2^31 = 2^31, and the lower one less than that. So n of them add up to at most n * 2^31,
/// which is below 2^63 if n < 2^32. ∎
pub(crate) fn halves(term: &str) -> [String; 2] {
    [quotient(term, HALF_BITS), remainder(&format!("({term})"), HALF_BITS)]
}

/// Sum of integers from 0 to two to the power of `bits`, at most 62.
pub(super) fn sum(term: &str, bits: u32) -> String {
    let sum = |term: &str| format!("CAST(SUM({term}) AS DECIMAL(20, 0))");
    if bits <= HALF_BITS {
        return sum(term);
    }
    let [high, low] = halves(term).map(|half| sum(&half));
    format!("{high} * {HALF} + {low}")
}

/// ⌊x / 2^bits⌋ of an integer that is not negative.
fn quotient(term: &str, bits: u32) -> String {
    format!("shiftright({term}, {bits})")
}

/// Remainder of that division.
fn remainder(term: &str, bits: u32) -> String {
    format!("{term} & {}", (1u64 << bits) - 1)
}

/// ⌊x / 2^bits⌋ of an integer that is not negative, and the remainder.
pub(crate) fn split(term: &str, bits: u32) -> [String; 2] {
    [quotient(term, bits), remainder(term, bits)]
}

/// Bits of a hash that the mask `bits` selects.
fn hash(hashed: &str, bits: u64) -> String {
    format!("(xxhash64({hashed}) & {bits})")
}

impl Dialect {
    /// Integer part of a double, NULL if no 64-bit integer is equal to it, in dialects that compare
    /// integers much faster than doubles.
    pub(crate) fn integer_part(self, position: &str) -> Option<String> {
        (self == Self::Spark).then(|| format!("TRY_CAST({position} AS BIGINT)"))
    }

    /// Returns true if sums of small integers are much cheaper than others.
    pub(crate) fn adds_up_places(self) -> bool {
        self == Self::Spark
    }

    /// Task of a cluster that has a record, in dialects where only sums of 64-bit integers are
    /// fast: the sums of one task fit them.
    pub(crate) fn task(self) -> Option<&'static str> {
        (self == Self::Spark).then_some("spark_partition_id()")
    }

    /// Short hash of a text, in dialects where counting persons a second time is too slow: its sum
    /// over rows is compared with that over persons instead.
    pub(crate) fn mark(self, text: &str) -> Option<String> {
        (self == Self::Spark).then(|| hash(text, (1 << 21) - 1))
    }

    /// Hash of a double, the same for both zeros: a multiple of `multiple`, a power of two, that is
    /// not negative.
    pub(crate) fn spread(self, number: &str, multiple: u64) -> String {
        hash(&format!("{number} + {}", self.double(0.0)), i64::MAX as u64 & !(multiple - 1))
    }

    /// A different text for each different text, which is distributed differently when rows are
    /// grouped by it.
    pub(crate) fn other_text(self, text: &str) -> String {
        format!("concat({text}, '.')")
    }

    /// Returns true if an expression of a number is cheaper per distinct number than per row.
    pub(crate) fn groups_numbers(self) -> bool {
        self == Self::Spark
    }

    /// Returns true if rows are grouped slowly by a column of NULLs.
    pub(crate) fn groups_nothing_slowly(self) -> bool {
        self == Self::Spark
    }

    /// Returns true if labels are compared first as they are, and without the spaces around them
    /// only if none is equal.
    pub(crate) fn trims_late(self) -> bool {
        self == Self::Spark
    }

    /// Converts an expression to an integer of 38 digits.
    pub(crate) fn decimal(self, term: &str) -> String {
        format!("CAST({term} AS DECIMAL(38, 0))")
    }
}
