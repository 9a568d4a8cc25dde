//! The exact arithmetic that every guarantee rests on, against a second implementation of it.
//!
//! A wrong rational division in a big-number crate once biased the noise of another privacy
//! library. So all operations of dashu-int and dashu-ratio that calibration, certificates, the
//! sampler and the estimate use are compared with num-bigint and num-rational, on operands that
//! division algorithms get wrong: near powers of two, with equal high limbs, with quotient digits
//! one off.

use dashu_int::ops::BitTest;
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use suum_testing::Extent;

/// Little-endian bytes of an integer of up to 2000 bits: the common form that both crates read.
fn operand() -> impl Strategy<Value = Vec<u8>> {
    let random = prop::collection::vec(any::<u8>(), 0..=250);
    let near_power = (0..2000u32, -3..=3i32).prop_map(|(exponent, off)| {
        let power = BigInt::from(1) << exponent;
        (power + off).magnitude().to_bytes_le()
    });
    // Runs of equal bytes: limbs of all ones and all zeros.
    let runs =
        prop::collection::vec((prop_oneof![Just(0u8), Just(0xff), any::<u8>()], 1..40usize), 1..=6)
            .prop_map(|runs| {
                let bytes: Vec<u8> =
                    runs.into_iter().flat_map(|(byte, times)| vec![byte; times]).collect();
                bytes[..bytes.len().min(250)].to_vec()
            });
    let small = (0..1000u32).prop_map(|n| n.to_le_bytes().to_vec());
    prop_oneof![3 => random, 2 => near_power, 2 => runs, 1 => small]
}

/// Two operands: independent, with equal high limbs, or one near a multiple of the other.
fn pair() -> impl Strategy<Value = (Vec<u8>, Vec<u8>)> {
    let equal_heads =
        (operand(), operand(), any::<u64>(), 0..64usize).prop_map(|(base, tail, low, limbs)| {
            let with_tail = |tail: Vec<u8>| -> Vec<u8> { [tail, base.clone()].concat() };
            let mut first = tail;
            first.truncate(limbs * 2);
            let mut second = low.to_le_bytes().to_vec();
            second.resize(first.len(), 0xff);
            (with_tail(first), with_tail(second))
        });
    let near_multiple = (operand(), operand(), -2..=2i32).prop_map(|(factor, divisor, off)| {
        let divisor = BigUint::from_bytes_le(&divisor);
        let product = BigInt::from(BigUint::from_bytes_le(&factor) * &divisor) + off;
        (product.magnitude().to_bytes_le(), divisor.to_bytes_le())
    });
    prop_oneof![2 => (operand(), operand()), 1 => equal_heads, 1 => near_multiple]
}

/// The same number in both crates.
fn both(bytes: &[u8]) -> (UBig, BigUint) {
    (UBig::from_le_bytes(bytes), BigUint::from_bytes_le(bytes))
}

fn same(ours: &UBig, theirs: &BigUint) -> bool {
    BigUint::from_bytes_le(&ours.to_le_bytes()) == *theirs
}

/// The same signed fraction in both crates.
fn fractions(sign: bool, numerator: &[u8], denominator: &[u8]) -> (RBig, BigRational) {
    let ((p, p_num), (q, q_num)) = (both(numerator), both(denominator));
    let (p, p_num) = (IBig::from(p), BigInt::from(p_num));
    let (p, p_num) = if sign { (-p, -p_num) } else { (p, p_num) };
    (RBig::from_parts(p, q), BigRational::new(p_num, BigInt::from(q_num)))
}

/// Equal numerators and denominators: the same value, and in lowest terms.
fn same_fraction(ours: &RBig, theirs: &BigRational) -> bool {
    same(ours.denominator(), theirs.denom().magnitude())
        && BigInt::from_signed_bytes_le(&ours.numerator().to_le_bytes()) == *theirs.numer()
}

fn exact(double: f64) -> BigRational {
    BigRational::from_float(double).unwrap()
}

/// Whether `double` is the double nearest to `truth`, ties to the even mantissa.
fn is_nearest(double: f64, truth: &BigRational) -> bool {
    if double < 0.0 {
        return is_nearest(-double, &-truth);
    }
    let two = BigRational::from(BigInt::from(2));
    // Above f64::MAX the next double would be 2^1024.
    let above = |double: f64| {
        if double == f64::MAX {
            BigRational::from(BigInt::from(1) << 1024)
        } else {
            exact(double.next_up())
        }
    };
    if double == f64::INFINITY {
        return (exact(f64::MAX) + above(f64::MAX)) / two <= *truth;
    }
    let even = double.to_bits() & 1 == 0;
    let upper = (exact(double) + above(double)) / &two;
    let lower = (exact(double) + exact(double.next_down())) / &two;
    if even { lower <= *truth && *truth <= upper } else { lower < *truth && *truth < upper }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: Extent::get().cases(4000),
        rng_seed: RngSeed::Fixed(21),
        failure_persistence: None,
        ..Default::default()
    })]

    #[test]
    fn integers_divide_multiply_and_shift_alike((a, b) in pair(), shift in 0..300usize) {
        let ((a, a_num), (b, b_num)) = (both(&a), both(&b));
        prop_assert!(same(&(&a + &b), &(&a_num + &b_num)));
        prop_assert!(same(&(&a * &b), &(&a_num * &b_num)));
        prop_assert!(same(&(&a << shift), &(&a_num << shift)));
        prop_assert!(same(&(&a >> shift), &(&a_num >> shift)));
        prop_assert_eq!(a.cmp(&b), a_num.cmp(&b_num));
        prop_assert_eq!(a.bit_len() as u64, a_num.bits());
        prop_assert_eq!(a.to_string(), a_num.to_string());
        if b != UBig::ZERO {
            prop_assert!(same(&(&a / &b), &(&a_num / &b_num)));
            prop_assert!(same(&(&a % &b), &(&a_num % &b_num)));
            // ⌈a/b⌉ as the calibration of the noise has it, checked by its definition.
            let ceiling = (&a + &b - UBig::ONE) / &b;
            let ceiling = BigUint::from_bytes_le(&ceiling.to_le_bytes());
            prop_assert!(&ceiling * &b_num >= a_num);
            prop_assert!(&ceiling * &b_num < &a_num + &b_num);
        }
    }

    #[test]
    fn signed_sums_of_products_agree(
        terms in prop::collection::vec((any::<i128>(), operand()), 0..8),
    ) {
        // A + K: sums of i128 times big weights.
        let (mut ours, mut theirs) = (IBig::ZERO, BigInt::from(0));
        for (sum, weight) in terms {
            let (weight, weight_num) = both(&weight);
            ours += IBig::from(sum) * IBig::from(weight);
            theirs += BigInt::from(sum) * BigInt::from(weight_num);
        }
        prop_assert_eq!(BigInt::from_signed_bytes_le(&ours.to_le_bytes()), theirs);
    }

    #[test]
    fn fractions_are_in_lowest_terms_and_calculate_alike(
        (a, b) in pair(), (c, d) in pair(), signs: (bool, bool),
    ) {
        prop_assume!(both(&b).0 != UBig::ZERO && both(&d).0 != UBig::ZERO);
        let (x, x_num) = fractions(signs.0, &a, &b);
        let (y, y_num) = fractions(signs.1, &c, &d);
        prop_assert!(same_fraction(&x, &x_num));
        prop_assert_eq!(x.cmp(&y), x_num.cmp(&y_num));
        prop_assert_eq!(x == y, x_num == y_num);
        prop_assert!(same_fraction(&(&x + &y), &(&x_num + &y_num)));
        prop_assert!(same_fraction(&(&x - &y), &(&x_num - &y_num)));
        prop_assert!(same_fraction(&(&x * &y), &(&x_num * &y_num)));
        if y != RBig::ZERO {
            prop_assert!(same_fraction(&(&x / &y), &(&x_num / &y_num)));
        }
        // The text of a certificate.
        let text = if *x_num.denom() == BigInt::from(1) {
            x_num.numer().to_string()
        } else {
            format!("{}/{}", x_num.numer(), x_num.denom())
        };
        prop_assert_eq!(x.to_string(), text);
    }

    #[test]
    fn nearly_equal_fractions_compare_alike(
        (a, b) in pair(),
        scale in operand(),
        off in -1..=1i32,
    ) {
        // a·s/(b·s + off): differences in the last place only.
        let (b_num, scale) = (BigUint::from_bytes_le(&b), BigUint::from_bytes_le(&scale));
        let near = BigInt::from(&b_num * &scale) + off;
        prop_assume!(b_num != BigUint::from(0u8) && near > BigInt::from(0));
        let near = near.magnitude().to_bytes_le();
        let scaled = (BigUint::from_bytes_le(&a) * scale).to_bytes_le();
        let (x, x_num) = fractions(false, &a, &b);
        let (y, y_num) = fractions(false, &scaled, &near);
        prop_assert!(same_fraction(&y, &y_num));
        prop_assert_eq!(x.cmp(&y), x_num.cmp(&y_num));
    }

    #[test]
    fn doubles_are_exact_fractions(bits: u64) {
        let double = f64::from_bits(bits);
        match RBig::try_from(double) {
            Ok(ours) => prop_assert!(same_fraction(&ours, &exact(double))),
            Err(_) => prop_assert!(!double.is_finite()),
        }
    }

    #[test]
    fn fractions_round_to_the_nearest_double(
        (a, b) in pair(), sign: bool, near in any::<u64>(), off in -1..=1i32,
    ) {
        prop_assume!(both(&b).0 != UBig::ZERO);
        let (x, x_num) = fractions(sign, &a, &b);
        prop_assert!(is_nearest(x.to_f64().value(), &x_num), "{}", x);
        // Halfway between two neighbouring doubles, and a hair beside it.
        let double = f64::from_bits(near % f64::MAX.to_bits());
        let half = (exact(double) + exact(double.next_up())) / BigInt::from(2);
        let numerator: BigInt = (half.numer() << 80) + off;
        let denominator: BigInt = half.denom() << 80;
        let denominator = denominator.magnitude().to_bytes_le();
        prop_assume!(numerator >= BigInt::from(0));
        let (x, x_num) = fractions(sign, &numerator.magnitude().to_bytes_le(), &denominator);
        prop_assert!(is_nearest(x.to_f64().value(), &x_num), "{}", x);
    }
}

/// The checks themselves tell wrong results from right ones.
#[test]
fn the_oracle_refuses_neighbours() {
    let third = BigRational::new(BigInt::from(1), BigInt::from(3));
    let double = 1.0 / 3.0_f64;
    assert!(is_nearest(double, &third) && is_nearest(-double, &-&third));
    assert!(!is_nearest(double.next_up(), &third) && !is_nearest(double.next_down(), &third));
    assert!(is_nearest(f64::INFINITY, &BigRational::from(BigInt::from(1) << 1024)));
    assert!(!is_nearest(f64::MAX, &BigRational::from(BigInt::from(1) << 1024)));
    let (ours, _) = fractions(false, &[1], &[3]);
    assert!(same_fraction(&ours, &third) && !same_fraction(&ours, &-third));
}
