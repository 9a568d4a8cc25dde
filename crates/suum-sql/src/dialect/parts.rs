//! Sums of integers of 64 bits, which cannot exceed them.

/// How many bits the parts of a sum have in Spark.
const PART_BITS: u32 = 21;

/// So many parts have a sum that fits 63 bits.
pub(super) const MOST_IN_PARTS: u64 = 1 << (62 - PART_BITS);

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
pub(super) fn quotient(term: &str, bits: u32) -> String {
    format!("shiftright({term}, {bits})")
}

/// What is left of it then.
pub(super) fn remainder(term: &str, bits: u32) -> String {
    format!("{term} & {}", (1u64 << bits) - 1)
}

/// A hash of a text of as many bits as a part.
pub(super) fn hash(text: &str) -> String {
    format!("(xxhash64({text}) & {})", (1u64 << PART_BITS) - 1)
}
