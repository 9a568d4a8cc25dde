//! Few budgets, told apart by their bits without a map.

use fearless_simd::{Level, dispatch};
use suum_core::Epsilon;

use crate::cells::fault::Fault;
use crate::cells::level_key::{CodedKeys, FEW, LevelKey};

/// Largest number of budgets that get codes. For up to these a suitable multiplier is found at
/// once.
const MOST: usize = 32;

/// Number of multipliers to try for a new budget; with them 32 budgets usually fit.
const TRIES: u64 = 64;

/// Budgets that occurred so far, each with a code: the top byte of its bits times a multiplier
/// chosen so that no two codes are equal.
///
/// A number costs one multiplication and one comparison, however many budgets there are.
pub(super) struct Few {
    multiplier: u64,
    // By code; the key of a code that no budget has is one that would have another code.
    keys: Box<[u64; FEW]>,
    budgets: Vec<(f64, Epsilon)>,
}

impl Few {
    pub(super) fn new() -> Self {
        let mut few = Self { multiplier: 0, keys: Box::new([0; FEW]), budgets: Vec::new() };
        few.tell_apart();
        few
    }

    /// Numbers that occurred so far, with the budget of each.
    pub(super) fn budgets(&self) -> &[(f64, Epsilon)] {
        &self.budgets
    }

    /// Writes the code of the budget of each number; `budget` converts a number.
    ///
    /// Returns false if there are too many budgets, or the first fault with its row counted from 0.
    pub(super) fn encode(
        &mut self,
        numbers: &[f64],
        budget: impl Fn(f64) -> Result<Epsilon, Fault>,
        coded: &mut CodedKeys,
    ) -> Result<bool, (usize, Fault)> {
        coded.codes.resize(numbers.len(), 0);
        if self.find(numbers, &mut coded.codes) {
            return Ok(true);
        }
        for (row, number) in numbers.iter().enumerate() {
            if self.knows(number.to_bits()) {
                continue;
            }
            self.budgets.push((*number, budget(*number).map_err(|fault| (row, fault))?));
            if self.budgets.len() > MOST || !self.tell_apart() {
                return Ok(false);
            }
        }
        coded.met.clear();
        for (number, epsilon) in &self.budgets {
            let code = code(self.multiplier, number.to_bits());
            coded.of[usize::from(code)] = LevelKey::Budget(*epsilon);
            coded.met.push(code);
        }
        Ok(self.find(numbers, &mut coded.codes))
    }

    /// Writes the code of each number; returns false if some have none.
    fn find(&self, numbers: &[f64], codes: &mut [u8]) -> bool {
        // Uses the widest vector instructions of this processor.
        dispatch!(Level::new(), _ => self.find_at_once(numbers, codes))
    }

    #[inline(always)]
    fn find_at_once(&self, numbers: &[f64], codes: &mut [u8]) -> bool {
        let Some(first) = numbers.first().map(|number| number.to_bits()) else { return true };
        // Budgets often come sorted. Where they do not, this short loop has brought them from
        // memory for the next one.
        if numbers.iter().fold(0, |different, number| different | (number.to_bits() ^ first)) == 0 {
            codes.fill(code(self.multiplier, first));
            return self.knows(first);
        }
        for (number, place) in numbers.iter().zip(&mut *codes) {
            *place = code(self.multiplier, number.to_bits());
        }
        let pairs = numbers.iter().zip(codes);
        pairs.fold(0, |strange, (number, code)| {
            strange | (self.keys[usize::from(*code)] ^ number.to_bits())
        }) == 0
    }

    fn knows(&self, bits: u64) -> bool {
        self.keys[usize::from(code(self.multiplier, bits))] == bits
    }

    /// Chooses a multiplier that gives each budget a code of its own; returns false if none is
    /// found.
    fn tell_apart(&mut self) -> bool {
        (1..=TRIES).any(|attempt| {
            // Odd multiples of the golden ratio have all their bits mixed.
            self.multiplier = 0x9E37_79B9_7F4A_7C15_u64.wrapping_mul(2 * attempt + 1) | 1 << 63;
            // Zero has code 0; the smallest number has the multiplier's top byte, which is not.
            self.keys.fill(0);
            self.keys[0] = 1;
            self.budgets.iter().all(|(number, _)| {
                let bits = number.to_bits();
                let code = code(self.multiplier, bits);
                let key = &mut self.keys[usize::from(code)];
                let empty = *key == u64::from(code == 0);
                *key = bits;
                empty
            })
        })
    }
}

#[inline(always)]
fn code(multiplier: u64, bits: u64) -> u8 {
    (bits.wrapping_mul(multiplier) >> 56) as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use suum_testing::Extent;

    fn encode(
        few: &mut Few,
        numbers: &[f64],
        coded: &mut CodedKeys,
    ) -> Result<bool, (usize, Fault)> {
        let budget = |number| Epsilon::new(number).map_err(|_| Fault::NotABudget);
        few.encode(numbers, budget, coded)
    }

    fn number() -> impl Strategy<Value = f64> {
        prop_oneof![
            4 => prop::sample::select(
                vec![0.0, -0.0, 0.01, 0.1, 0.5, 1.0, 2.0, 4.0, f64::INFINITY]
            ),
            2 => (0u32..100).prop_map(|e| f64::from(e) / 7.0),
            1 => any::<u64>().prop_map(f64::from_bits),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(Extent::get().cases(500)))]

        #[test]
        fn codes_stand_for_the_budgets(
            batches in prop::collection::vec(prop::collection::vec(number(), 0..40), 1..6),
        ) {
            let (mut few, mut coded) = (Few::new(), CodedKeys::new());
            for batch in batches {
                let fault = batch.iter().position(|number| Epsilon::new(*number).is_err());
                match encode(&mut few, &batch, &mut coded) {
                    Ok(true) => {
                        prop_assert_eq!(fault, None);
                        let found = coded.codes.iter().map(|code| coded.of[usize::from(*code)]);
                        let expected = batch
                            .iter()
                            .map(|number| LevelKey::Budget(Epsilon::new(*number).unwrap()));
                        prop_assert!(found.eq(expected));
                        prop_assert!(coded.codes.iter().all(|code| coded.met.contains(code)));
                        prop_assert!(coded.met.len() <= MOST);
                    }
                    Ok(false) => break,
                    Err((row, _)) => {
                        prop_assert_eq!(Some(row), fault);
                        break;
                    }
                }
            }
        }
    }

    #[test]
    fn as_many_as_promised_have_codes() {
        let numbers: Vec<f64> = (0..=MOST).map(|e| (e as f64 / 7.0).exp()).collect();
        let (mut few, mut coded) = (Few::new(), CodedKeys::new());
        assert_eq!(encode(&mut few, &numbers[..MOST], &mut coded), Ok(true));
        assert_eq!(coded.met.len(), MOST);
        assert_eq!(encode(&mut few, &numbers, &mut coded), Ok(false));
    }

    #[test]
    fn what_was_never_met_has_no_code() {
        let few = Few::new();
        for bits in (0..1 << 16)
            .chain((0..64).map(|bit| 1 << bit))
            .chain((0..64).map(|bit| u64::MAX << bit))
        {
            assert!(!few.knows(bits), "{bits}");
        }
    }
}
