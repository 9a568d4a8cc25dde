//! Keyed hashes of many identifiers: BLAKE3 of one block each, eight side by side.
//!
//! The crate `blake3` hashes many messages at once only if all are whole blocks. This module
//! applies the compression function of its specification (O'Connor, Aumasson, Neves and
//! Wilcox-O'Hearn 2020, section 2.2) to vectors in place of words; tests compare it with the crate,
//! which hashes longer identifiers.

use fearless_simd::{Level, Simd, SimdFrom, dispatch, u32x8};

use crate::{PersonHash, PersonKey};

/// Number of identifiers that are hashed side by side.
const LANES: usize = 8;

/// Length of the longest identifier that is one block, in bytes.
const BLOCK: usize = 64;

/// Number of words in a block, of four bytes each.
const WORDS: usize = BLOCK / 4;

/// Initial words of the state after the key: the start of BLAKE3's initialization vector.
const BEGINNING: [u32; 4] = [0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A];

/// Flags of a keyed block that is the first and last of its message, and the root of its tree.
const FLAGS: u32 = 1 | 1 << 1 | 1 << 3 | 1 << 4;

/// Order in which each of the seven rounds takes the words of a block.
const ORDERS: [[usize; WORDS]; 7] = {
    const NEXT: [usize; WORDS] = [2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8];
    let mut orders = [[0; WORDS]; 7];
    let mut at = 0;
    while at < 7 * WORDS {
        let (round, word) = (at / WORDS, at % WORDS);
        orders[round][word] = if round == 0 { word } else { orders[round - 1][NEXT[word]] };
        at += 1;
    }
    orders
};

/// Identifiers that wait until there are eight.
struct Waiting {
    key: [u32; 8],
    level: Level,
    words: [[u32; LANES]; WORDS],
    lengths: [u32; LANES],
    /// Positions of their hashes in the output.
    places: [usize; LANES],
    count: usize,
}

/// Appends the hashes of all identifiers, in their order.
pub(crate) fn hash_all<'a>(
    key: &PersonKey,
    identifiers: impl Iterator<Item = &'a [u8]>,
    out: &mut Vec<PersonHash>,
) {
    let mut waiting = Waiting::new(key);
    for identifier in identifiers {
        if identifier.len() > BLOCK {
            out.push(key.hash(identifier));
            continue;
        }
        waiting.add(identifier, out.len());
        out.push(PersonHash([0; 16]));
        if waiting.count == LANES {
            waiting.hash(out);
        }
    }
    waiting.hash(out);
}

impl Waiting {
    fn new(key: &PersonKey) -> Self {
        let mut words = [0; 8];
        for (word, bytes) in words.iter_mut().zip(key.0.as_chunks().0) {
            *word = u32::from_le_bytes(*bytes);
        }
        Self {
            key: words,
            level: Level::new(),
            words: [[0; LANES]; WORDS],
            lengths: [0; LANES],
            places: [0; LANES],
            count: 0,
        }
    }

    /// Adds an identifier of at most one block, which is filled up with zeros.
    fn add(&mut self, identifier: &[u8], place: usize) {
        let lane = self.count;
        let (whole, rest) = identifier.as_chunks();
        let mut last = [0; 4];
        last[..rest.len()].copy_from_slice(rest);
        let words = whole.iter().chain([&last]).map(|bytes| u32::from_le_bytes(*bytes));
        for (to, word) in self.words.iter_mut().zip(words.chain(std::iter::repeat(0))) {
            to[lane] = word;
        }
        self.lengths[lane] = identifier.len() as u32;
        self.places[lane] = place;
        self.count += 1;
    }

    /// Writes the hashes of all waiting identifiers to their positions.
    fn hash(&mut self, out: &mut [PersonHash]) {
        let (key, words, lengths) = (&self.key, &self.words, self.lengths);
        let halves = dispatch!(self.level, simd => compress(simd, key, words, lengths));
        for (lane, place) in self.places[..self.count].iter().enumerate() {
            for (bytes, word) in out[*place].0.as_chunks_mut().0.iter_mut().zip(&halves) {
                *bytes = word[lane].to_le_bytes();
            }
        }
        self.count = 0;
    }
}

/// Returns the first four words of the keyed hashes of eight messages, each of one block.
#[inline(always)]
fn compress<S: Simd>(
    simd: S,
    key: &[u32; 8],
    words: &[[u32; LANES]; WORDS],
    lengths: [u32; LANES],
) -> [[u32; LANES]; 4] {
    let same = |word: u32| u32x8::simd_from(simd, word);
    let message: [u32x8<S>; WORDS] = words.map(|word| u32x8::simd_from(simd, word));
    let mut state = [same(0); WORDS];
    for (state, word) in state.iter_mut().zip(key.iter().chain(&BEGINNING)) {
        *state = same(*word);
    }
    // The number of the block is zero, in two words.
    state[14] = u32x8::simd_from(simd, lengths);
    state[15] = same(FLAGS);
    for order in ORDERS {
        for column in 0..4 {
            let [one, other] = [order[2 * column], order[2 * column + 1]];
            mix(
                &mut state,
                [column, 4 + column, 8 + column, 12 + column],
                [message[one], message[other]],
            );
        }
        for column in 0..4 {
            let [one, other] = [order[8 + 2 * column], order[9 + 2 * column]];
            let diagonal =
                [column, 4 + (column + 1) % 4, 8 + (column + 2) % 4, 12 + (column + 3) % 4];
            mix(&mut state, diagonal, [message[one], message[other]]);
        }
    }
    std::array::from_fn(|at| (state[at] ^ state[at + 8]).into())
}

/// Mixes two words of the message into four of the state.
#[inline(always)]
fn mix<S: Simd>(state: &mut [u32x8<S>; WORDS], at: [usize; 4], words: [u32x8<S>; 2]) {
    let turned = |word: u32x8<S>, bits: u32| (word >> bits) | (word << (32 - bits));
    let [mut a, mut b, mut c, mut d] = at.map(|at| state[at]);
    for (word, (first, second)) in words.into_iter().zip([(16, 12), (8, 7)]) {
        a = a + b + word;
        d = turned(d ^ a, first);
        c += d;
        b = turned(b ^ c, second);
    }
    for (at, word) in at.into_iter().zip([a, b, c, d]) {
        state[at] = word;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn they_are_those_of_the_crate(
            key: [u8; 32],
            identifiers in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..80), 0..30),
        ) {
            let key = PersonKey(key);
            let mut found = vec![PersonHash([1; 16])];
            hash_all(&key, identifiers.iter().map(Vec::as_slice), &mut found);
            let expected = identifiers.iter().map(|identifier| key.hash(identifier));
            prop_assert_eq!(&found[1..], expected.collect::<Vec<_>>());
            prop_assert_eq!(found[0], PersonHash([1; 16]));
        }
    }

    #[test]
    fn blocks_end_anywhere() {
        let key = PersonKey([7; 32]);
        let bytes: Vec<u8> = (0..70).collect();
        let all = (0..=bytes.len()).map(|end| &bytes[..end]);
        let mut found = Vec::new();
        hash_all(&key, all.clone(), &mut found);
        assert_eq!(found, all.map(|identifier| key.hash(identifier)).collect::<Vec<_>>());
    }
}
