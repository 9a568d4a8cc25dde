//! Integer bounds on exp(−γ), and coin tosses that need the exact value.

use dashu_int::UBig;
use dashu_int::ops::BitTest;

use super::Randomness;

/// Upper bound in (0, 1] on some exp(−γ): `digits`/2^`shift`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct UpperBound {
    digits: u64,
    shift: u64,
}

/// Number of binary digits behind the point of each γ that bounds are computed for.
const FRACTION: u32 = 24;
/// Number of binary digits before the point. Beyond γ = 2^36 bounds do not improve any more,
/// because exp(2^36) candidates fit no memory.
const WHOLE: u32 = 36;
const LARGEST: u64 = (1 << (WHOLE + FRACTION)) - 1;

/// Upper bounds of exp(−2^i/2^24), whose products bound exp(−γ) for every γ.
pub(crate) struct UpperBounds {
    powers: Vec<UpperBound>,
}

impl UpperBounds {
    pub(crate) fn new() -> Self {
        // exp(−x) ≤ 1 − x + x²/2, for x = 2^-24, in units of 2^-64: 2^64 − 2^40 + 2^15.
        let mut power =
            UpperBound { digits: ((1u128 << 64) - (1 << 40) + (1 << 15)) as u64, shift: 64 };
        let mut powers = Vec::with_capacity((WHOLE + FRACTION) as usize);
        while powers.len() < (WHOLE + FRACTION) as usize {
            let next = power.times(&power);
            powers.push(power);
            power = next;
        }
        Self { powers }
    }

    /// Returns a bound on exp(−`numerator`/`denominator`), too large by less than a part in 2^20
    /// for γ < 512, and by less than a half for γ < 2^36.
    pub(crate) fn bound_exp(&self, numerator: &UBig, denominator: &UBig) -> UpperBound {
        // Rounding γ down rounds exp(−γ) up.
        let rounded = (numerator << FRACTION as usize) / denominator;
        let gamma = u64::try_from(rounded).unwrap_or(LARGEST).min(LARGEST);
        let mut bound = UpperBound { digits: 1 << 63, shift: 63 };
        for (place, power) in self.powers.iter().enumerate() {
            if gamma >> place & 1 == 1 {
                bound = bound.times(power);
            }
        }
        bound
    }
}

impl UpperBound {
    /// Returns the product, rounded up to 64 digits.
    fn times(&self, other: &Self) -> Self {
        let product = u128::from(self.digits) * u128::from(other.digits);
        // Both have their highest digit set, so the product has 127 or 128 digits.
        let dropped = 64 - product.leading_zeros();
        let rounded = (product >> dropped) + u128::from(product & ((1 << dropped) - 1) != 0);
        let shift = self.shift + other.shift - u64::from(dropped);
        // Rounding up can carry into a 65th digit.
        match u64::try_from(rounded) {
            Ok(digits) => Self { digits, shift },
            Err(_) => Self { digits: 1 << 63, shift: shift - 1 },
        }
    }

    /// Returns the bound in units of 2^-`bits`, rounded up.
    pub(crate) fn in_units(&self, bits: usize) -> UBig {
        let digits = UBig::from(self.digits);
        // No machine can address more digits than a usize can count.
        let shift = usize::try_from(self.shift).unwrap_or(usize::MAX);
        match bits.checked_sub(shift) {
            Some(left) => digits << left,
            None if shift - bits >= 64 => UBig::ONE,
            None => {
                let right = shift - bits;
                (digits + ((UBig::ONE << right) - UBig::ONE)) >> right
            }
        }
    }
}

/// Coin with probability exp(−γ)·2^h of heads. Nearly every toss takes one word of randomness.
pub(crate) struct Coin {
    gamma: [UBig; 2],
    halvings: usize,
    /// Words below the first end are heads, those from the second end on are tails; between the
    /// two, more digits decide. In units of 2^-64.
    ends: [u128; 2],
}

impl Coin {
    /// Returns a coin for γ = `numerator`/`denominator` with exp(−γ) ≤ 2^−`halvings`.
    pub(crate) fn new(
        numerator: UBig,
        denominator: UBig,
        halvings: usize,
        exponentials: &UpperBounds,
    ) -> Self {
        let bound = exponentials.bound_exp(&numerator, &denominator);
        let above = bound.in_units(64 + halvings);
        // For γ < 512, exp(−γ) is below the bound by less than a part in 2^20.
        let is_close = numerator < &denominator << 9;
        let above = u128::try_from(above).unwrap_or(u128::MAX).min(1 << 64);
        let below = match is_close {
            true => above.saturating_sub((above >> 20) + 2),
            false => 0,
        };
        Self { gamma: [numerator, denominator], halvings, ends: [below, above] }
    }

    /// Tosses the coin; returns true for heads.
    pub(crate) fn toss(&self, randomness: &mut Randomness) -> bool {
        let word = u128::from(randomness.word());
        let [below, above] = self.ends;
        if word < below || word >= above {
            return word < below;
        }
        let [numerator, denominator] = &self.gamma;
        let drawn = (UBig::from(word), 64);
        randomness.goes_on_below(drawn, [numerator, denominator], &UBig::ONE, self.halvings)
    }
}

impl Randomness {
    /// Returns true with probability exp(−γ)·2^`bits`/`bound`, for γ = `numerator`/`denominator`
    /// and `bound` ≥ exp(−γ)·2^`bits`.
    ///
    /// A uniform number U is drawn digit by digit, and exp(−γ) enclosed ever more closely, until it
    /// is certain whether U·bound lies below exp(−γ)·2^`bits`. The probability is exact.
    pub(crate) fn bernoulli_exp_below(
        &mut self,
        numerator: &UBig,
        denominator: &UBig,
        bound: &UBig,
        bits: usize,
    ) -> bool {
        self.goes_on_below((UBig::ZERO, 0), [numerator, denominator], bound, bits)
    }

    /// Continues [`bernoulli_exp_below`](Self::bernoulli_exp_below) after the first `digits` digits
    /// of U were drawn.
    fn goes_on_below(
        &mut self,
        (mut uniform, mut digits): (UBig, usize),
        [numerator, denominator]: [&UBig; 2],
        bound: &UBig,
        bits: usize,
    ) -> bool {
        loop {
            uniform = (uniform << 64) + UBig::from(self.word());
            digits += 64;
            let (low, high) = exp_negative(numerator, denominator, digits);
            // Compares U in [uniform, uniform + 1]/2^digits with exp(−γ)·2^bits/bound, for exp(−γ)
            // in [low, high]/2^digits.
            if (&uniform + UBig::ONE) * bound <= low << bits {
                return true;
            }
            if &uniform * bound >= high << bits {
                return false;
            }
        }
    }
}

/// Returns integers below and above 2^`bits`·exp(−`numerator`/`denominator`).
fn exp_negative(numerator: &UBig, denominator: &UBig, bits: usize) -> (UBig, UBig) {
    // r = γ/2^h is below a half; h squarings follow. Each at most doubles the relative error, and
    // adds a unit.
    let whole = (numerator / denominator).bit_len();
    let halvings = whole + 2;
    let places = bits + halvings + 32;
    let reduced = (numerator << places) / (denominator << halvings);
    let one = UBig::ONE << places;
    // The alternating series has all terms rounded down: each is off by less than two units, as is
    // r itself.
    let (mut positive, mut negative) = (one.clone(), UBig::ZERO);
    let (mut term, mut count) = (one, 0u32);
    while term != UBig::ZERO {
        count += 1;
        term = ((term * &reduced) >> places) / UBig::from(count);
        if count % 2 == 1 { negative += &term } else { positive += &term }
    }
    let error = UBig::from(2 * count + 4);
    let sum = positive - negative;
    let mut low = if sum > error { &sum - &error } else { UBig::ZERO };
    let mut high = sum + error;
    for _ in 0..halvings {
        low = (&low * &low) >> places;
        high = ((&high * &high) >> places) + UBig::ONE;
    }
    let spare = places - bits;
    (low >> spare, (high >> spare) + UBig::ONE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn to_f64(value: &UBig, bits: usize) -> f64 {
        value.to_f64().value() / 2f64.powi(bits as i32)
    }

    /// Halvings of which 2^−h is at least exp(−γ), as many as there are.
    fn halvings(numerator: &UBig, denominator: &UBig) -> usize {
        let halvings = numerator * 1_000_000_000u64 / (denominator * 693_147_181u64);
        usize::try_from(halvings).unwrap()
    }

    proptest! {
        /// A word decides only what is certain, and nearly always decides.
        #[test]
        fn coins_are_certain_of_what_a_word_decides(
            denominator in 1u64..1 << 60,
            parts in prop_oneof![0u64..1 << 20, 0u64..600 << 20],
            near in prop::option::of(0u64..90),
            more in 0u64..3,
            fewer in prop::option::of(any::<prop::sample::Index>()),
        ) {
            let denominator = UBig::from(denominator);
            // γ anywhere, or near a multiple of ln 2.
            let numerator = match near {
                Some(times) => &denominator * (693_147_181u64 * times) / 1_000_000_000u64,
                None => (&denominator * parts) >> 20,
            } + more;
            let most = halvings(&numerator, &denominator);
            let halvings = fewer.map_or(most, |fewer| fewer.index(most + 1));
            let bounds = UpperBounds::new();
            let coin = Coin::new(numerator.clone(), denominator.clone(), halvings, &bounds);
            let (low, high) = exp_negative(&numerator, &denominator, 1400);
            let [below, above] = coin.ends;
            prop_assert!(UBig::from(below) << 1336 <= low << halvings);
            prop_assert!(above == 1 << 64 || UBig::from(above) << 1336 >= high << halvings);
            if numerator < denominator << 9 {
                prop_assert!(above - below <= (above >> 20) + 2);
            }
        }

        #[test]
        fn enclosures_are_close_and_right(
            numerator in 0u64..1 << 40,
            denominator in 1u64..1 << 36,
        ) {
            let gamma = numerator as f64 / denominator as f64;
            prop_assume!(gamma < 500.0);
            let exact = (-gamma).exp();
            let (numerator, denominator) = (UBig::from(numerator), UBig::from(denominator));
            let (low, high) = exp_negative(&numerator, &denominator, 900);
            prop_assert!(low <= high);
            prop_assert!((to_f64(&low, 900) / exact - 1.0).abs() < 1e-12);
            prop_assert!((&high - &low) * (UBig::ONE << 100) < high);
            let (coarse_low, coarse_high) = exp_negative(&numerator, &denominator, 64);
            prop_assert!(coarse_low <= low.clone() >> 836 && high.clone() >> 836 <= coarse_high);

            let bound = UpperBounds::new().bound_exp(&numerator, &denominator);
            let bound = bound.in_units(900);
            prop_assert!(bound >= high);
            prop_assert!(to_f64(&bound, 900) < exact * (1.0 + 2f64.powi(-20)));
        }
    }

    #[test]
    fn bounds_end_somewhere() {
        let bound = UpperBounds::new().bound_exp(&(UBig::ONE << 200), &UBig::ONE);
        assert!(bound.in_units(10) == UBig::ONE && bound.in_units(900) > UBig::ZERO);
        assert_eq!(
            UpperBounds::new().bound_exp(&UBig::ZERO, &UBig::ONE).in_units(70),
            UBig::ONE << 70
        );
    }

    /// A toss that the first word leaves undecided is settled by more digits of the same number.
    #[test]
    fn the_rest_of_a_toss_has_the_probability_it_should() {
        let mut randomness = Randomness::insecure(9);
        for (numerator, denominator) in [(1u32, 3u32), (5, 2), (40, 1), (7, 10)] {
            let [numerator, denominator] = [numerator, denominator].map(UBig::from);
            let most = halvings(&numerator, &denominator);
            for halvings in [most, most.saturating_sub(1)] {
                let bounds = UpperBounds::new();
                let mut coin = Coin::new(numerator.clone(), denominator.clone(), halvings, &bounds);
                coin.ends = [0, 1 << 64];
                let trials = 20_000;
                let hits = (0..trials).filter(|_| coin.toss(&mut randomness)).count() as f64;
                let (low, _) = exp_negative(&numerator, &denominator, 900);
                let p = to_f64(&(low << halvings), 900);
                // Five standard deviations: a false alarm in two million runs.
                let sd = (f64::from(trials) * p * (1.0 - p)).sqrt();
                assert!((hits - f64::from(trials) * p).abs() <= 5.0 * sd, "{halvings}: {hits}");
            }
        }
    }

    #[test]
    fn coins_have_the_probability_they_should() {
        let mut randomness = Randomness::insecure(8);
        let bounds = UpperBounds::new();
        for (numerator, denominator, factor) in
            [(1u32, 3u32, 1u32), (5, 2, 1), (5, 2, 2), (40, 1, 3), (0, 1, 1)]
        {
            let (numerator, denominator) = (UBig::from(numerator), UBig::from(denominator));
            let bound =
                bounds.bound_exp(&numerator, &denominator).in_units(200) * UBig::from(factor);
            let trials = 20_000;
            let hits = (0..trials)
                .filter(|_| randomness.bernoulli_exp_below(&numerator, &denominator, &bound, 200))
                .count() as f64;
            // Five standard deviations: a false alarm in two million runs. 1 % of the probability
            // is 0.7 to 1.4 of them.
            let p = 1.0 / f64::from(factor);
            let sd = (f64::from(trials) * p * (1.0 - p)).sqrt();
            assert!((hits - f64::from(trials) * p).abs() <= 5.0 * sd + 0.5, "{factor}: {hits}");
        }
    }
}
