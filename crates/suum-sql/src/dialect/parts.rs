//! Sums of integers of 64 bits, which cannot exceed them, and what else costs less in Spark.

use super::Dialect;

/// How many bits a half of an integer has.
const HALF_BITS: u32 = 31;

/// What the upper half of an integer is multiplied by.
pub(crate) const HALF: u64 = 1 << HALF_BITS;

/// What is in place of a sum in a cell, or in a task, that could have wrapped around.
pub(crate) const TOO_MANY_IN_CELL: &str = "too many in a cell";
pub(crate) const TOO_MANY_IN_TASK: &str = "too many in a task";

/// So many grid indices, or [`halves`], of at most 2^31 have a sum that fits 63 bits.
pub(crate) const MOST_IN_PARTS: u64 = (1 << 32) - 1;
const _: () = assert!((MOST_IN_PARTS as u128) << HALF_BITS < 1 << 63);

/// The upper and the lower half of an integer from 0 to 2^62: Spark adds up integers of 64 bits
/// much faster than others.
///
/// **Proof** that no sum of [`MOST_IN_PARTS`] halves wraps around: the upper one is at most
/// 2^62 / 2^31 = 2^31, and the lower one less than that. So n of them add up to at most n * 2^31,
/// which is below 2^63 if n < 2^32. ∎
pub(crate) fn halves(term: &str) -> [String; 2] {
    [quotient(term, HALF_BITS), remainder(&format!("({term})"), HALF_BITS)]
}

/// A sum of integers from 0 to two to the power of `bits`, at most 62.
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

/// What is left of it then.
fn remainder(term: &str, bits: u32) -> String {
    format!("{term} & {}", (1u64 << bits) - 1)
}

/// ⌊x / 2^bits⌋ of an integer that is not negative, and the rest.
pub(crate) fn split(term: &str, bits: u32) -> [String; 2] {
    [quotient(term, bits), remainder(term, bits)]
}

/// Some bits of a hash.
fn hash(hashed: &str, bits: u64) -> String {
    format!("(xxhash64({hashed}) & {bits})")
}

impl Dialect {
    /// The integer part of a double, NULL where no integer of 64 bits is that, in dialects that
    /// compare integers much faster than doubles.
    pub(crate) fn integer_part(self, position: &str) -> Option<String> {
        (self == Self::Spark).then(|| format!("TRY_CAST({position} AS BIGINT)"))
    }

    /// Whether sums of small integers are much cheaper than others.
    pub(crate) fn adds_up_places(self) -> bool {
        self == Self::Spark
    }

    /// Which task of a cluster has a record, in dialects where only sums of integers of 64 bits are
    /// fast: those of a task fit them.
    pub(crate) fn task(self) -> Option<&'static str> {
        (self == Self::Spark).then_some("spark_partition_id()")
    }

    /// A short hash of a text, in dialects where counting persons a second time costs too much: its
    /// sum over rows is compared with that over persons instead.
    pub(crate) fn mark(self, text: &str) -> Option<String> {
        (self == Self::Spark).then(|| hash(text, (1 << 21) - 1))
    }

    /// A hash of a double, the same for both zeros: a multiple of this power of two that is not
    /// negative.
    pub(crate) fn spread(self, number: &str, multiple: u64) -> String {
        hash(&format!("{number} + {}", self.double(0.0)), i64::MAX as u64 & !(multiple - 1))
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
