//! Median among the multiples of a step.

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use suum::{Epsilon, Loss, Randomness, Result, Run};

use super::octaves::{LEAST, MOST, octave};
use super::pairs::units;

/// A private median on the grid of all multiples of b within ±r, however many there are.
///
/// # Formula
///
/// With L(y) and A(y) the numbers of records below and above y, the multiple y of b is drawn with
/// probability proportional to exp(−ε·|L(y) − A(y)|/4). Between two neighbouring values all
/// multiples are alike, so one run of them is drawn, and then one of the run.
///
/// # Guarantee
///
/// Replacing a record moves L(y) − A(y) by at most 2, replacing it by a placeholder or a
/// placeholder by it by at most 1. So the score −|L − A|/2 moves by at most 1, and the draw costs
/// every record at most ε. The score does not use the number of records, which is private after
/// diffusion, nor a rank clamped by it. The draw is exact: integers throughout.
///
/// # Example
///
/// ```
/// use suum::{Epsilon, Randomness};
/// use suum_experiments::published::GridMedian;
///
/// let records: Vec<Option<f64>> = (0..1000).map(|i| Some(f64::from(i))).collect();
/// let median = GridMedian::new(Epsilon::new(1.0)?)?;
/// // Among the multiples of 1/8 within ±2^60: 2^64 candidates.
/// let found = median.find(&records, -3, 60, &mut Randomness::insecure(1)).unwrap();
/// assert!((found - 500.0).abs() < 60.0);
/// assert!(median.loss().within(Epsilon::new(1.0)?));
/// # Ok::<(), suum::Error>(())
/// ```
///
/// Source: DG26 Algorithm 2 with the rank score made free of the size. The published form rounds
/// the values down to multiples of b first, which moves the median down by b/2 on average.
#[derive(Debug, Clone, PartialEq)]
pub struct GridMedian {
    weight: UBig,
    /// Scale 4·2^k.
    scale: UBig,
}

impl GridMedian {
    /// Creates a draw that costs every record at most `epsilon`.
    ///
    /// # Errors
    ///
    /// Refuses a loss that is zero, infinite or above 2^40.
    pub fn new(epsilon: Epsilon) -> Result<Self> {
        let units = units(epsilon)?;
        Ok(Self { weight: units.weight(Epsilon::PUBLIC), scale: units.scale() * UBig::from(4u8) })
    }

    /// Exact bound on the loss of a record, whatever its budget.
    pub fn loss(&self) -> Loss {
        // A distance in steps moves by at most 2W, and so does the normalising constant's
        // logarithm.
        let twice = &self.weight * UBig::from(4u8);
        Loss::Finite(RBig::from_parts(IBig::from(twice), self.scale.clone()))
    }

    /// Finds the median, for b = 2^`step` and r = 2^`radius`; `None` among the records is a
    /// placeholder. Returns `None` if the radius is below the step, or either is not a power of two
    /// that a double can be (−1074 to 1023).
    pub fn find(
        &self,
        records: &[Option<f64>],
        step: i32,
        radius: i32,
        randomness: &mut Randomness,
    ) -> Option<f64> {
        if step < LEAST || radius > MOST || radius < step {
            return None;
        }
        let half_width = IBig::ONE << radius.abs_diff(step) as usize;
        let positions =
            records.iter().flatten().map(|value| Position::from_value(*value, step, radius));
        let (starts, runs) = self.runs(positions.collect(), &half_width);
        let chosen = randomness.choose_run(&runs, &self.scale)?;
        let candidate = &starts[chosen] + IBig::from(randomness.below(&runs[chosen].length));
        // Published from here on: rounding to a double is harmless.
        let power = UBig::ONE << step.unsigned_abs() as usize;
        let value = match step < 0 {
            true => RBig::from_parts(candidate, power),
            false => RBig::from(candidate * IBig::from(power)),
        };
        Some(value.to_f64().value())
    }

    /// First candidate of every run, and the runs, from −half_width to half_width.
    fn runs(&self, mut positions: Vec<Position>, half_width: &IBig) -> (Vec<IBig>, Vec<Run>) {
        positions.sort_unstable();
        let all = positions.len();
        let (mut starts, mut runs) = (Vec::new(), Vec::new());
        // Candidates from start up to, not including, end.
        let mut push = |start: &IBig, end: &IBig, below: usize, above: usize| {
            if let Ok(length) = UBig::try_from(end - start)
                && length != UBig::ZERO
            {
                let distance = UBig::from(below.abs_diff(above)) * &self.weight;
                starts.push(start.clone());
                runs.push(Run { length, distance });
            }
        };
        let end = half_width + IBig::ONE;
        let (mut next, mut below) = (-half_width, 0);
        while below < all {
            let place = &positions[below];
            let with = below + positions[below..].partition_point(|other| other == place);
            let first = (&place.multiple).clamp(&next, &end);
            // All candidates before the place; then the one at the place, unless the place is
            // between two of them.
            if place.between {
                let after = (&place.multiple + IBig::ONE).clamp(next.clone(), end.clone());
                push(&next, &after, below, all - below);
                next = after;
            } else {
                push(&next, first, below, all - below);
                let after = (&place.multiple + IBig::ONE).clamp(first.clone(), end.clone());
                push(first, &after, below, all - with);
                next = after;
            }
            below = with;
        }
        push(&next, &end, all, 0);
        (starts, runs)
    }
}

/// Position of a value among the multiples of b: at one of them, or between it and the next one.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Position {
    multiple: IBig,
    between: bool,
}

impl Position {
    /// Exact position for b = 2^`step`; values outside ±2^radius are placed beyond all candidates.
    fn from_value(value: f64, step: i32, radius: i32) -> Self {
        let negative = value.is_sign_negative();
        if value.is_nan() || octave(value) > radius {
            let outside = (IBig::ONE << radius.abs_diff(step) as usize) + IBig::ONE;
            return Self { multiple: if negative { -outside } else { outside }, between: false };
        }
        let bits = value.to_bits();
        let (exponent, fraction) = ((bits >> 52 & 2047) as i32, bits & ((1 << 52) - 1));
        let mantissa = IBig::from(if exponent == 0 { fraction } else { fraction | 1 << 52 });
        let mantissa = if negative { -mantissa } else { mantissa };
        // value = mantissa·2^(exponent − 1075).
        let shift = exponent.max(1) - 1075 - step;
        let by = shift.unsigned_abs() as usize;
        if shift >= 0 {
            return Self { multiple: mantissa << by, between: false };
        }
        // Shifting to the right rounds down, negative numbers as well.
        let multiple = &mantissa >> by;
        let between = &multiple << by != mantissa;
        Self { multiple, between }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn median(epsilon: f64) -> GridMedian {
        GridMedian::new(Epsilon::new(epsilon).unwrap()).unwrap()
    }

    /// Probability of every multiple of 1 from −2^radius to 2^radius, from the runs.
    fn probabilities(median: &GridMedian, values: &[Option<f64>], radius: i32) -> Vec<f64> {
        let half_width = 1 << radius;
        let positions =
            values.iter().flatten().map(|value| Position::from_value(*value, 0, radius)).collect();
        let (starts, runs) = median.runs(positions, &IBig::from(half_width));
        let mut chances = vec![0.0; 2 * half_width as usize + 1];
        for (start, run) in starts.iter().zip(&runs) {
            let start = usize::try_from(start + IBig::from(half_width)).unwrap();
            let length = usize::try_from(&run.length).unwrap();
            let distance = run.distance.to_f64().value() / median.scale.to_f64().value();
            for chance in &mut chances[start..start + length] {
                assert_eq!(*chance, 0.0, "runs do not overlap");
                *chance = (-distance).exp();
            }
        }
        assert!(chances.iter().all(|chance| *chance > 0.0), "every candidate is in a run");
        let total: f64 = chances.iter().sum();
        chances.into_iter().map(|chance| chance / total).collect()
    }

    /// Probabilities by their definition.
    fn definition(epsilon: f64, values: &[Option<f64>], radius: i32) -> Vec<f64> {
        let half_width = 1i32 << radius;
        let count =
            |counts: &dyn Fn(f64) -> bool| values.iter().flatten().filter(|x| counts(**x)).count();
        let chance = |y: i32| {
            let y = f64::from(y);
            let (below, above) = (count(&|x| x < y) as f64, count(&|x| x > y) as f64);
            (-epsilon * (below - above).abs() / 4.0).exp()
        };
        let chances: Vec<f64> = (-half_width..=half_width).map(chance).collect();
        let total: f64 = chances.iter().sum();
        chances.into_iter().map(|chance| chance / total).collect()
    }

    #[test]
    fn no_replacement_reveals_more_than_its_loss() {
        let median = median(1.0);
        let values = [-9.0, -2.0, -1.5, 0.0, 0.3, 0.6, 2.0, f64::INFINITY].map(Some);
        let values = [&values[..], &[None]].concat();
        let all: Vec<[Option<f64>; 3]> = (0..729usize)
            .map(|number| [values[number % 9], values[number / 9 % 9], values[number / 81]])
            .collect();
        let mut worst = 0.0f64;
        for records in &all {
            let before = probabilities(&median, records, 1);
            for (p, q) in before.iter().zip(definition(1.0, records, 1)) {
                assert!((p - q).abs() < 1e-12);
            }
            for place in 0..3 {
                for value in &values {
                    let mut changed = *records;
                    changed[place] = *value;
                    let after = probabilities(&median, &changed, 1);
                    let ratios = before.iter().zip(&after).map(|(p, q)| (p / q).ln().abs());
                    worst = worst.max(ratios.fold(0.0, f64::max));
                }
            }
        }
        let loss = median.loss().rounded_up();
        assert!(worst <= loss && worst > 0.5 * loss, "{worst} of {loss}");
    }

    #[test]
    fn spends_at_most_epsilon() {
        for epsilon in [1e-9, 0.013, 0.3, 8.0, 64.0] {
            let loss = median(epsilon).loss();
            assert!(loss.within(Epsilon::new(epsilon).unwrap()));
            assert!(loss.rounded_up() > epsilon * (1.0 - 1e-14));
        }
        assert!(GridMedian::new(Epsilon::PUBLIC).is_err());
    }

    #[test]
    fn draws_follow_the_definition() {
        let records = [Some(-3.0), None, Some(0.2), Some(0.9), Some(7.0), Some(7.3), Some(1e300)];
        let doubled: Vec<_> =
            records.iter().map(|value| value.map(|value: f64| value * 2.0)).collect();
        let expected = definition(2.0, &doubled, 4);
        let (median, mut randomness) = (median(2.0), Randomness::insecure(4));
        let mut counts = vec![0u32; expected.len()];
        for _ in 0..50_000 {
            let y = median.find(&records, -1, 3, &mut randomness).unwrap();
            counts[(y * 2.0 + 16.0) as usize] += 1;
        }
        let cell = |(count, p): (&u32, &f64)| (f64::from(*count) - p * 5e4).powi(2) / (p * 5e4);
        let chi2: f64 = counts.iter().zip(&expected).map(cell).sum();
        // 32 degrees of freedom: P(χ² > 75) = 3e-5.
        assert!(chi2 < 75.0, "{chi2}");
    }

    #[test]
    fn works_at_the_ends_of_the_doubles() {
        let mut randomness = Randomness::insecure(5);
        let median = median(50.0);
        let mut find = |value: f64, step, radius| {
            median.find(&[Some(value); 200], step, radius, &mut randomness).unwrap()
        };
        assert_eq!(find(-2f64.powi(1023), -1074, 1023), -2f64.powi(1023));
        assert_eq!(find(5e-324, -1074, 1023), 5e-324);
        assert_eq!(find(1.5, -1, 1), 1.5);
        assert_eq!(find(-1.5, -1, 1), -1.5);
        for (step, radius) in [(3, 2), (LEAST - 1, 0), (0, MOST + 1), (i32::MIN, i32::MAX)] {
            assert_eq!(median.find(&[Some(1.0)], step, radius, &mut randomness), None);
        }
        let nobody = median.find(&[None, None], 0, 4, &mut randomness).unwrap();
        assert!(nobody.abs() <= 16.0);
    }

    proptest! {
        #[test]
        fn places_are_exact(value in -1e6..1e6_f64, step in -60..10) {
            let multiples = value / 2f64.powi(step);
            let place = Position::from_value(value, step, 60);
            prop_assert_eq!(place.multiple.to_f64().value(), multiples.floor());
            prop_assert_eq!(place.between, multiples.floor() != multiples);
        }
    }
}
