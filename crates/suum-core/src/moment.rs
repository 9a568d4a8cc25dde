//! The expected largest square of several independent noises.

/// E max_c S_c² over `copies` independent copies of S = N + Σ L_j, with N normal of variance
/// `normal_variance` and L_j Laplace of the given scales.
///
/// A single Laplace has a closed form: a²·(H_k² + Σ 1/j²). Otherwise the density of S is built on a
/// grid of discrete Laplace steps: convolving with one of them is one pass of an exponential filter
/// in each direction. All but the largest scales go into the normal part. Accurate to about 10^-3
/// of the result, which is planning: no guarantee depends on it.
pub(crate) fn largest_square(copies: usize, normal_variance: f64, scales: &[f64]) -> f64 {
    let mut scales: Vec<f64> = scales.to_vec();
    scales.sort_by(|a, b| b.total_cmp(a));
    let small: f64 = scales.iter().skip(LAPLACES).map(|scale| 2.0 * scale * scale).sum();
    scales.truncate(LAPLACES);
    let normal = normal_variance + small;
    let total = normal + scales.iter().map(|scale| 2.0 * scale * scale).sum::<f64>();
    if total == 0.0 || !total.is_finite() {
        return total;
    }
    if normal == 0.0 && scales.len() == 1 {
        return scales[0] * scales[0] * largest_laplace_square(copies);
    }

    // Half the symmetric density, in steps of `step`, far enough out for the largest of all copies.
    let largest = scales.first().copied().unwrap_or(0.0);
    let reach = normal.sqrt() * (6.0 + (2.0 * (copies as f64).ln()).sqrt())
        + largest * (30.0 + (copies as f64).ln());
    let step = reach / HALF as f64;
    let mut density: Vec<f64> = (-(HALF as i64)..=HALF as i64)
        .map(|k| {
            let x = k as f64 * step;
            if normal > 0.0 { (-x * x / (2.0 * normal)).exp() } else { f64::from(u8::from(k == 0)) }
        })
        .collect();
    for scale in &scales {
        smooth(&mut density, *scale / step);
    }
    let mass: f64 = density.iter().sum();
    // P(|S| ≤ k·step), then E max² = Σ (P(max > k − ½ …)) by summation by parts.
    let mut inside = 0.0;
    let (mut before, mut moment) = (0.0, 0.0);
    for k in 0..=HALF {
        inside += density[HALF + k] + if k > 0 { density[HALF - k] } else { 0.0 };
        let all = (inside / mass).min(1.0).powf(copies as f64);
        moment += (all - before) * (k as f64 * step).powi(2);
        before = all;
    }
    moment
}

/// E max_c L_c² over `copies` independent Laplace variables of scale 1: H_k² + Σ_{j≤k} 1/j² with
/// the harmonic number H_k.
pub(crate) fn largest_laplace_square(copies: usize) -> f64 {
    let (first, second) = (1..=copies).fold((0.0, 0.0), |(first, second), j| {
        let inverse = 1.0 / j as f64;
        (first + inverse, second + inverse * inverse)
    });
    first * first + second
}

/// How many Laplace variables are convolved one by one; the rest is close to normal.
const LAPLACES: usize = 24;
/// Grid points on each side of zero.
const HALF: usize = 4096;

/// Convolves with the discrete Laplace distribution whose variance is 2·scale², scale in steps.
fn smooth(density: &mut [f64], scale: f64) {
    // 2r/(1 − r)² = 2·scale²: r solves scale²·(1 − r)² = r.
    let square = scale * scale;
    // The root below 1, in the form without cancellation.
    let ratio = 2.0 * square / (2.0 * square + 1.0 + (4.0 * square + 1.0).sqrt());
    let original: Vec<f64> = density.to_vec();
    let mut carried = 0.0;
    for (out, value) in density.iter_mut().zip(&original) {
        carried = carried * ratio + value;
        *out = carried;
    }
    carried = 0.0;
    for (out, value) in density.iter_mut().zip(&original).rev() {
        *out += carried;
        carried = (carried + value) * ratio;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_moments() {
        let close = |a: f64, b: f64| assert!((a / b - 1.0).abs() < 3e-3, "{a} {b}");
        // One copy: the variance.
        close(largest_square(1, 3.0, &[]), 3.0);
        close(largest_square(1, 3.0, &[1.0, 0.2]), 3.0 + 2.0 + 0.08);
        // Two copies: max² = (a² + b²)/2 + |a² − b²|/2; for standard normals E max² = 1 + 2/π.
        close(largest_square(2, 1.0, &[]), 1.0 + 2.0 / std::f64::consts::PI);
        // A single Laplace in its closed form against the same with a speck of another.
        for copies in [1, 2, 5, 50] {
            close(largest_square(copies, 0.0, &[2.0, 1e-6]), largest_square(copies, 0.0, &[2.0]));
        }
        // Many small ones are close to a normal.
        close(largest_square(5, 0.0, &[0.01; 2000]), largest_square(5, 2000.0 * 2e-4, &[]));
    }
}
