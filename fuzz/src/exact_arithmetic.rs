//! Integers and fractions of any length: what calibration, certificates and the sampler do with
//! them, against a second implementation.
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use num_bigint::{BigInt, BigUint, Sign};
use num_rational::BigRational;

/// The same number in both.
struct Both {
    ours: UBig,
    theirs: BigUint,
}

impl Both {
    fn read(bytes: &[u8]) -> Self {
        Self { ours: UBig::from_le_bytes(bytes), theirs: BigUint::from_bytes_le(bytes) }
    }

    fn is_zero(&self) -> bool {
        self.theirs == BigUint::ZERO
    }
}

fn same(ours: &UBig, theirs: &BigUint) {
    assert_eq!(BigUint::from_bytes_le(&ours.to_le_bytes()), *theirs);
}

fn same_fraction(ours: &RBig, theirs: &BigRational) {
    let (sign, numerator) = ours.numerator().clone().into_parts();
    let sign = if sign == dashu_int::Sign::Negative { Sign::Minus } else { Sign::Plus };
    let numerator = BigInt::from_biguint(sign, BigUint::from_bytes_le(&numerator.to_le_bytes()));
    assert_eq!(numerator, *theirs.numer());
    assert_eq!(
        BigUint::from_bytes_le(&ours.denominator().to_le_bytes()),
        *theirs.denom().magnitude()
    );
}

fn fraction(numerator: &Both, denominator: &Both) -> (RBig, BigRational) {
    (
        RBig::from_parts(IBig::from(numerator.ours.clone()), denominator.ours.clone()),
        BigRational::new(numerator.theirs.clone().into(), denominator.theirs.clone().into()),
    )
}

/// Integers and fractions of any length: what calibration, certificates and the sampler do with
/// them, against a second implementation.
///
/// # Panics
///
/// If that is not so.
pub fn exact_arithmetic(bytes: &[u8]) {
    // Two lengths, then the bytes of four numbers.
    let Some(([first, second], rest)) = bytes.split_first_chunk::<2>() else { return };
    let (a, rest) = rest.split_at(usize::from(*first).min(rest.len()));
    let (b, rest) = rest.split_at(usize::from(*second).min(rest.len()));
    let (c, d) = rest.split_at(rest.len() / 2);
    let [a, b, c, d] = [a, b, c, d].map(Both::read);

    same(&(&a.ours + &b.ours), &(&a.theirs + &b.theirs));
    same(&(&a.ours * &b.ours), &(&a.theirs * &b.theirs));
    assert_eq!(a.ours.cmp(&b.ours), a.theirs.cmp(&b.theirs));
    let shift = usize::from(*first);
    same(&(&a.ours << shift), &(&a.theirs << shift));
    same(&(&a.ours >> shift), &(&a.theirs >> shift));
    if b.is_zero() || d.is_zero() {
        return;
    }
    same(&(&a.ours / &b.ours), &(&a.theirs / &b.theirs));
    same(&(&a.ours % &b.ours), &(&a.theirs % &b.theirs));

    let ((ours, theirs), (other_ours, other_theirs)) = (fraction(&a, &b), fraction(&c, &d));
    same_fraction(&ours, &theirs);
    same_fraction(&(&ours + &other_ours), &(&theirs + &other_theirs));
    same_fraction(&(&ours - &other_ours), &(&theirs - &other_theirs));
    same_fraction(&(&ours * &other_ours), &(&theirs * &other_theirs));
    assert_eq!(ours.cmp(&other_ours), theirs.cmp(&other_theirs));
    if !c.is_zero() {
        same_fraction(&(&ours / &other_ours), &(&theirs / &other_theirs));
    }

    // A double is the fraction nearest to it: no neighbour is nearer.
    let nearest = ours.to_f64().value();
    if nearest.is_finite() && nearest > f64::MIN_POSITIVE && nearest < f64::MAX {
        let away = |double: f64| {
            let exact = BigRational::from_float(double).expect("finite");
            if exact > theirs { exact - &theirs } else { &theirs - exact }
        };
        assert!(
            away(nearest) <= away(nearest.next_up()) && away(nearest) <= away(nearest.next_down())
        );
        let back = RBig::try_from(nearest).expect("finite");
        same_fraction(&back, &BigRational::from_float(nearest).expect("finite"));
    }
}
