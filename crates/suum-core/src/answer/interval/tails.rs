//! Tail probabilities of up to three Laplace noises and a normal error.

/// Returns P(L₁ + L₂ + N > t), for Laplace noises of these scales and a centred normal N.
pub(super) fn tail_of_two(t: f64, one: f64, other: f64, sd: f64) -> f64 {
    let (large, small) = (one.max(other), one.min(other));
    if small == 0.0 {
        return tail(t, large, sd);
    }
    // Equal scales are the limit of different ones. Scales this close to equal are moved apart,
    // with an error of the order of the square.
    let (large, small) = if large - small < APART * large {
        let middle = 0.5 * (large + small);
        (middle * (1.0 + APART), middle * (1.0 - APART))
    } else {
        (large, small)
    };
    // In units of the larger scale, whose square could be too large for a double.
    let ratio = small / large;
    let square = ratio * ratio;
    (tail(t, large, sd) - square * tail(t, small, sd)) / (1.0 - square)
}

/// Returns P(L₁ + L₂ + L₃ + N > t), for Laplace noises of these scales and a centred normal N.
pub(super) fn tail_of_three(t: f64, mut scales: [f64; 3], sd: f64) -> f64 {
    scales.sort_by(f64::total_cmp);
    let [small, middle, large] = scales;
    // A scale this small adds less to the others than the rounding of the formula below.
    if small <= NOTHING * large {
        return tail_of_two(t, large, middle, sd);
    }
    // Scales are moved apart as above, and rather up than down.
    let middle = middle.max(small * (1.0 + APART));
    let large = large.max(middle * (1.0 + APART));
    // In units of the largest scale.
    let square = |scale: f64| (scale / large) * (scale / large);
    let [x, y, z] = [small, middle, large].map(square);
    x * x / ((x - y) * (x - z)) * tail(t, small, sd)
        + y * y / ((y - x) * (y - z)) * tail(t, middle, sd)
        + z * z / ((z - x) * (z - y)) * tail(t, large, sd)
}

/// Share of a scale below which another one is negligible, because its square is what counts.
const NOTHING: f64 = 1e-6;

/// Least relative difference between two scales in the formulas.
const APART: f64 = 1e-4;

/// Returns P(L + N > t), also without N.
pub(crate) fn tail(t: f64, eta: f64, sd: f64) -> f64 {
    if sd > 0.0 {
        return upper_tail(t, eta, sd);
    }
    if eta > 0.0 { 0.5 * (-t / eta).exp() } else { f64::from(u8::from(t <= 0.0)) }
}

/// Returns P(L + N > t) for one Laplace noise and a normal N.
pub(super) fn upper_tail(t: f64, eta: f64, sd: f64) -> f64 {
    let z = t / sd;
    let normal = normal_tail(z);
    if eta == 0.0 {
        return normal;
    }
    let a = sd / eta;
    let gauss = (-z * z / 2.0).exp();
    let falling = if a >= z {
        0.5 * gauss * scaled_erfc((a - z) * std::f64::consts::FRAC_1_SQRT_2)
    } else {
        (a * a / 2.0 - a * z).exp() * normal_tail(a - z)
    };
    let rising = 0.5 * gauss * scaled_erfc((a + z) * std::f64::consts::FRAC_1_SQRT_2);
    normal + 0.5 * (falling - rising)
}

/// Returns P(N > z) for a standard normal N.
pub(crate) fn normal_tail(z: f64) -> f64 {
    0.5 * libm::erfc(z * std::f64::consts::FRAC_1_SQRT_2)
}

/// Returns exp(x²)·erfc(x) for x ≥ 0, without overflow.
pub(crate) fn scaled_erfc(x: f64) -> f64 {
    if x < 3.0 {
        return (x * x).exp() * libm::erfc(x);
    }
    // The continued fraction 1/√π · 1/(x + ½/(x + 1/(x + 3/2/(x + …)))), from the inside, with
    // enough places for a double, as a test shows.
    let places = 8 + (300.0 / (x * x)) as u32;
    let (mut fraction, mut half) = (x, f64::from(places) / 2.0);
    while half > 0.0 {
        fraction = x + half / fraction;
        half -= 0.5;
    }
    1.0 / (fraction * std::f64::consts::PI.sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tail_of_two_matches_numerical_integration() {
        for (a, b, sd) in [
            (1.0, 1.0, 0.0),
            (1.0, 0.5, 0.0),
            (1.0, 0.99995, 0.5),
            (0.1, 2.0, 3.0),
            (1.0, 1.0, 2.0),
        ] {
            for t in [0.0, 0.5, 2.0, 7.0] {
                // P(A + B + N > t) = ∫ f_B(x)·P(A + N > t − x) dx by the midpoint rule.
                let steps = 200_000;
                let truth: f64 = (0..steps)
                    .map(|i| {
                        let x = b * (-40.0 + 80.0 * (f64::from(i) + 0.5) / f64::from(steps));
                        let rest = t - x;
                        let one =
                            if rest >= 0.0 { tail(rest, a, sd) } else { 1.0 - tail(-rest, a, sd) };
                        (-x.abs() / b).exp() / (2.0 * b) * one * b * 80.0 / f64::from(steps)
                    })
                    .sum();
                let formula = tail_of_two(t, a, b, sd);
                assert!((formula - truth).abs() < 1e-6, "{a} {b} {sd} {t}: {formula} {truth}");
            }
        }
    }

    #[test]
    fn the_tail_of_three_matches_numerical_integration() {
        for (scales, sd) in [
            ([1.0, 1.0, 1.0], 0.0),
            ([1.0, 0.5, 0.25], 0.0),
            ([0.5, 0.5, 1e-7], 1.0),
            ([0.2, 1.0, 1.0], 0.5),
            ([0.7, 0.0, 0.3], 2.0),
        ] {
            for t in [0.0, 0.5, 2.0, 7.0] {
                // P(A + B + C + N > t) = ∫ f_C(x)·P(A + B + N > t − x) dx by the midpoint rule.
                let [a, b, c] = scales;
                let steps = 100_000;
                let each = 60.0 / f64::from(steps);
                let truth = |c: f64| -> f64 {
                    let middles = (0..steps).map(|i| -30.0 + each * (f64::from(i) + 0.5));
                    let parts = middles.map(|x| {
                        let rest = t - c * x;
                        let two = match rest >= 0.0 {
                            true => tail_of_two(rest, a, b, sd),
                            false => 1.0 - tail_of_two(-rest, a, b, sd),
                        };
                        0.5 * (-x.abs()).exp() * each * two
                    });
                    parts.sum()
                };
                let formula = tail_of_three(t, scales, sd);
                let truth = if c == 0.0 { tail_of_two(t, a, b, sd) } else { truth(c) };
                // Scales that are equal are drawn apart by one in 10 000.
                assert!((formula - truth).abs() < 1e-4, "{scales:?} {sd} {t}: {formula} {truth}");
            }
        }
    }

    /// Beside 400 places of the continued fraction; left and right of where it takes over.
    #[test]
    fn scaled_erfc_has_all_its_digits() {
        for x in (0..2000).map(|step| 3.0 + f64::from(step) / 40.0) {
            let long = (1..=400).rev().fold(x, |inner, k| x + f64::from(k) / 2.0 / inner);
            let ratio = scaled_erfc(x) * long * std::f64::consts::PI.sqrt();
            assert!((ratio - 1.0).abs() < 1e-15, "{x}: {ratio}");
        }
        let (below, above) = (scaled_erfc(3.0f64.next_down()), scaled_erfc(3.0));
        assert!((below / above - 1.0).abs() < 1e-14, "{below} {above}");
    }

    #[test]
    fn tail_matches_numerical_integration() {
        for (eta, sd) in [(1.0, 1.0), (0.2, 1.0), (1.0, 0.1), (3.0, 5.0), (0.01, 1.0)] {
            for t in [0.0, 0.3, 1.0, 2.5, 6.0] {
                // P(L + N > t) = ∫ φ(x)·P(L > t − x) dx by the midpoint rule.
                let steps = 400_000;
                let truth: f64 = (0..steps)
                    .map(|i| {
                        let x = -12.0 + 24.0 * (f64::from(i) + 0.5) / f64::from(steps);
                        let rest = t - sd * x;
                        let laplace = if rest > 0.0 {
                            0.5 * (-rest / eta).exp()
                        } else {
                            1.0 - 0.5 * (rest / eta).exp()
                        };
                        (-x * x / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt() * laplace
                    })
                    .sum::<f64>()
                    * 24.0
                    / f64::from(steps);
                let formula = upper_tail(t, eta, sd);
                assert!((formula - truth).abs() < 1e-8, "{eta} {sd} {t}: {formula} {truth}");
            }
        }
    }
}
