//! Small integers in Parquet's packing: runs of one repeated number, and runs of bit-packed
//! numbers.

use bytes::Bytes;

/// Word of bits that is read at a time, starting at any bit.
type Window = u64;

/// Largest number of bits of a number: with up to seven bits before it in its first byte it fits a
/// window.
const MOST_BITS: u8 = 32;

/// Numbers of one bit width, in runs.
pub(super) struct Runs {
    bytes: Bytes,
    bits: usize,
    // Start of the next run, in bytes.
    next: usize,
    run: Run,
}

/// Unread part of a run.
#[derive(Clone, Copy)]
enum Run {
    Repeated { number: u32, left: usize },
    // The position of the next number, in bits.
    Packed { at: usize, left: usize },
}

impl Runs {
    /// Creates a reader of numbers of `bits` bits; `None` if the width is not supported.
    pub(super) fn new(bytes: Bytes, bits: u8) -> Option<Self> {
        let run = Run::Repeated { number: 0, left: 0 };
        (bits <= MOST_BITS).then_some(Self { bytes, bits: usize::from(bits), next: 0, run })
    }

    /// Writes for each of the next numbers the entry at that position; `None` if there are too few
    /// numbers, or one has no entry.
    pub(super) fn read(&mut self, mut out: &mut [f64], entries: &[f64]) -> Option<()> {
        while !out.is_empty() {
            let some = self.left()?.min(out.len());
            let (now, later) = out.split_at_mut(some);
            match self.run {
                Run::Repeated { number, .. } => now.fill(*entries.get(number as usize)?),
                Run::Packed { at, .. } => unpack(&self.bytes, at, self.bits, entries, now)?,
            }
            self.pass(some);
            out = later;
        }
        Some(())
    }

    /// Skips numbers; `None` if there are too few.
    pub(super) fn skip(&mut self, mut numbers: usize) -> Option<()> {
        while numbers > 0 {
            let some = self.left()?.min(numbers);
            self.pass(some);
            numbers -= some;
        }
        Some(())
    }

    /// Returns true if `numbers` numbers follow, all of which are 1.
    pub(super) fn are_ones(&mut self, mut numbers: usize) -> bool {
        while numbers > 0 {
            let Some(left) = self.left() else { return false };
            let some = left.min(numbers);
            let ones = match self.run {
                Run::Repeated { number, .. } => number == 1,
                Run::Packed { at, .. } => (0..some).all(|number| {
                    window(&self.bytes, at + number * self.bits) & mask(self.bits) == 1
                }),
            };
            if !ones {
                return false;
            }
            self.pass(some);
            numbers -= some;
        }
        true
    }

    /// Number of numbers left in the current run, which is advanced while it has none; `None` at
    /// the end.
    fn left(&mut self) -> Option<usize> {
        loop {
            match self.run {
                Run::Repeated { left, .. } | Run::Packed { left, .. } if left > 0 => {
                    return Some(left);
                }
                // Each takes a byte at least, so this ends.
                _ => self.run = self.next_run()?,
            }
        }
    }

    fn pass(&mut self, numbers: usize) {
        match &mut self.run {
            Run::Repeated { left, .. } => *left -= numbers,
            Run::Packed { at, left } => {
                *at += numbers * self.bits;
                *left -= numbers;
            }
        }
    }

    fn next_run(&mut self) -> Option<Run> {
        let header = self.header()?;
        let length = usize::try_from(header >> 1).ok()?;
        if header.is_multiple_of(2) {
            let bytes = self.bits.div_ceil(8);
            let number = self.bytes.get(self.next..self.next + bytes)?;
            let number = number.iter().rev().fold(0, |above, byte| above << 8 | u32::from(*byte));
            self.next += bytes;
            return Some(Run::Repeated { number, left: length });
        }
        // So many times eight numbers; of the last ones there may be none.
        let numbers = length.checked_mul(8)?;
        let there = self.bytes.len() - self.next;
        let bytes = length.checked_mul(self.bits)?.min(there);
        let at = self.next * 8;
        self.next += bytes;
        let whole = (bytes * 8).checked_div(self.bits).unwrap_or(numbers);
        Some(Run::Packed { at, left: numbers.min(whole) })
    }

    /// Reads a variable-length integer: seven bits per byte, the lowest first.
    fn header(&mut self) -> Option<u64> {
        let mut header = 0;
        for shift in (0..35).step_by(7) {
            let byte = *self.bytes.get(self.next)?;
            self.next += 1;
            header |= u64::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                return Some(header);
            }
        }
        None
    }
}

fn mask(bits: usize) -> Window {
    (1 << bits) - 1
}

/// Window of bits from `bit` on, of which the first 57 are valid; zeros follow the end of the
/// bytes.
#[inline(always)]
fn window(bytes: &[u8], bit: usize) -> Window {
    let from = bytes.get(bit / 8..).unwrap_or_default();
    let mut window = [0; size_of::<Window>()];
    match from.first_chunk() {
        Some(whole) => window = *whole,
        None => window[..from.len()].copy_from_slice(from),
    }
    Window::from_le_bytes(window) >> (bit % 8)
}

/// Writes the entries of the numbers from bit `at` on; `None` if one has none.
///
/// Scalar lookups are faster here than gather instructions.
fn unpack(bytes: &[u8], at: usize, bits: usize, entries: &[f64], out: &mut [f64]) -> Option<()> {
    let one = |at: usize, out: &mut [f64]| {
        out.iter_mut().enumerate().try_for_each(|(number, place)| {
            let position = window(bytes, at + number * bits) & mask(bits);
            *place = *entries.get(position as usize)?;
            Some(())
        })
    };
    if bits == 0 || bits > 8 {
        return one(at, out);
    }
    // Eight of one to eight bits are in one window, which begins with a byte.
    let first = (0..8).find(|first| (at + first * bits).is_multiple_of(8)).unwrap_or(0);
    let (before, out) = out.split_at_mut(first.min(out.len()));
    one(at, before)?;
    let at = at + first * bits;
    let from = bytes.get(at / 8..)?;
    let read = match bits {
        1 => eights::<1>(from, entries, out),
        2 => eights::<2>(from, entries, out),
        3 => eights::<3>(from, entries, out),
        4 => eights::<4>(from, entries, out),
        5 => eights::<5>(from, entries, out),
        6 => eights::<6>(from, entries, out),
        7 => eights::<7>(from, entries, out),
        _ => eights::<8>(from, entries, out),
    }?;
    one(at + read * bits, &mut out[read..])
}

/// Writes the entries of narrow numbers, eight at a time, while there are whole windows; returns
/// how many were written, or `None` if a number has no entry.
fn eights<const BITS: usize>(bytes: &[u8], entries: &[f64], out: &mut [f64]) -> Option<usize> {
    // Positions without an entry are told by the largest one.
    let mut all = [0.0; 256];
    let there = entries.len().min(all.len());
    all[..there].copy_from_slice(&entries[..there]);
    let (mut most, mut read) = (0, 0);
    let (eights, _) = out.as_chunks_mut::<8>();
    for (eight, from) in eights.iter_mut().zip((0..).step_by(BITS)) {
        let Some(window) = bytes.get(from..).and_then(|from| from.first_chunk()) else { break };
        let window = Window::from_le_bytes(*window);
        for (at, place) in eight.iter_mut().enumerate() {
            let position = window >> (at * BITS) & ((1 << BITS) - 1);
            most = most.max(position);
            *place = all[usize::from(position as u8)];
        }
        read += 8;
    }
    (read == 0 || (most as usize) < entries.len()).then_some(read)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Runs as a plain reader of the format understands them: each length, and its numbers.
    fn written(runs: &[(bool, Vec<u32>)], bits: u8) -> (Vec<u8>, Vec<u32>) {
        let (mut bytes, mut numbers) = (Vec::new(), Vec::new());
        let header = |bytes: &mut Vec<u8>, mut header: u64| {
            while header >= 0x80 {
                bytes.push(header as u8 | 0x80);
                header >>= 7;
            }
            bytes.push(header as u8);
        };
        for (packed, run) in runs {
            let run: Vec<u32> = run.iter().map(|n| n % (1 << bits)).collect();
            if *packed {
                let groups = run.len().div_ceil(8);
                header(&mut bytes, (groups as u64) << 1 | 1);
                let mut all = vec![0u8; groups * usize::from(bits)];
                let padded = run.iter().copied().chain(std::iter::repeat(0)).take(groups * 8);
                for (at, number) in padded.enumerate() {
                    numbers.push(number);
                    for bit in 0..usize::from(bits) {
                        let place = at * usize::from(bits) + bit;
                        all[place / 8] |= ((number >> bit & 1) as u8) << (place % 8);
                    }
                }
                bytes.extend(all);
            } else {
                header(&mut bytes, (run.len() as u64) << 1);
                let number = run.first().copied().unwrap_or(0);
                bytes.extend(&number.to_le_bytes()[..usize::from(bits).div_ceil(8)]);
                numbers.extend(vec![number; run.len()]);
            }
        }
        (bytes, numbers)
    }

    #[test]
    fn reads_packed_numbers_without_bits() {
        // Sixteen numbers, then a run of two.
        let mut reader = Runs::new(Bytes::from(vec![2 << 1 | 1, 2 << 1]), 0).unwrap();
        let mut out = [0.0; 18];
        assert_eq!(reader.read(&mut out, &[7.0]), Some(()));
        assert_eq!(out, [7.0; 18]);
    }

    proptest! {
        #[test]
        fn numbers_are_read_as_written(
            bits in 0u8..=20,
            runs in prop::collection::vec(
                (any::<bool>(), prop::collection::vec(any::<u32>(), 0..300)), 0..6,
            ),
            steps in prop::collection::vec((any::<bool>(), 1usize..100), 30),
            unknown in any::<prop::sample::Index>(),
        ) {
            let (bytes, numbers) = written(&runs, bits);
            let entries: Vec<f64> = (0..1 << bits).map(f64::from).collect();
            let mut reader = Runs::new(Bytes::from(bytes.clone()), bits).unwrap();
            let mut at = 0;
            for (skips, some) in steps {
                let fits = at + some <= numbers.len();
                if skips {
                    prop_assert_eq!(reader.skip(some).is_some(), fits);
                } else {
                    let mut out = vec![-1.0; some];
                    prop_assert_eq!(reader.read(&mut out, &entries).is_some(), fits);
                    if fits {
                        let expected = numbers[at..at + some].iter().copied().map(f64::from);
                        prop_assert!(out.into_iter().eq(expected));
                    }
                }
                if !fits {
                    break;
                }
                at += some;
            }
            // A number without an entry.
            if !numbers.is_empty() {
                let least = *unknown.get(&numbers);
                let mut reader = Runs::new(Bytes::from(bytes), bits).unwrap();
                let mut out = vec![0.0; numbers.len()];
                prop_assert_eq!(reader.read(&mut out, &entries[..least as usize]), None);
            }
        }

        #[test]
        fn ones_are_told_from_others(
            runs in prop::collection::vec((any::<bool>(), 1usize..200), 1..6),
            zero in prop::option::of(any::<prop::sample::Index>()),
        ) {
            let whole = |length: usize| vec![1; length / 8 * 8 + 8];
            let mut runs: Vec<_> =
                runs.into_iter().map(|(packed, length)| (packed, whole(length))).collect();
            let all: usize = runs.iter().map(|(_, run)| run.len()).sum();
            let mut first_zero = all;
            if let Some(zero) = zero {
                let run = zero.index(runs.len());
                let before: usize = runs[..run].iter().map(|(_, run)| run.len()).sum();
                let (packed, run) = &mut runs[run];
                let at = if *packed { zero.index(run.len()) } else { 0 };
                run[at] = 0;
                first_zero = before + at;
            }
            let (bytes, _) = written(&runs, 1);
            let reader = || Runs::new(Bytes::from(bytes.clone()), 1).unwrap();
            prop_assert!(reader().are_ones(first_zero));
            prop_assert!(!reader().are_ones(first_zero + 1));
        }

        #[test]
        fn any_bytes_are_read_or_refused(bytes: Vec<u8>, bits: u8, some in 0usize..500) {
            let Some(mut runs) = Runs::new(Bytes::from(bytes.clone()), bits) else {
                prop_assert!(bits > MOST_BITS);
                return Ok(());
            };
            let entries = [1.0, 2.0, 3.0];
            let mut out = vec![0.0; some];
            if runs.read(&mut out, &entries).is_some() {
                prop_assert!(out.iter().all(|number| entries.contains(number)));
            }
            let mut runs = Runs::new(Bytes::from(bytes), bits).unwrap();
            let _ = (runs.are_ones(some), runs.skip(some));
        }
    }
}
