//! Expected largest square of several noises.

/// Returns E max_c S_c² over `copies` independent copies of S = N + Σ L_j, with N normal of
/// variance `normal_variance` and L_j Laplace of the given scales.
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
    let half_width = normal.sqrt() * (6.0 + (2.0 * (copies as f64).ln()).sqrt())
        + largest * (30.0 + (copies as f64).ln());
    let step = half_width / HALF as f64;
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
    let (mut before, mut square) = (0.0, 0.0);
    for k in 0..=HALF {
        inside += density[HALF + k] + if k > 0 { density[HALF - k] } else { 0.0 };
        let all = (inside / mass).min(1.0).powf(copies as f64);
        square += (all - before) * (k as f64 * step).powi(2);
        before = all;
    }
    square
}

/// Returns E max_c L_c² over `copies` independent Laplace variables of scale 1: H_k² + Σ_{j≤k} 1/j²
/// with the harmonic number H_k.
pub(crate) fn largest_laplace_square(copies: usize) -> f64 {
    let (first, second) = (1..=copies).fold((0.0, 0.0), |(first, second), j| {
        let inverse = 1.0 / j as f64;
        (first + inverse, second + inverse * inverse)
    });
    first * first + second
}

/// Returns E max_c z_c² over the components of [noise that adds up to zero](crate::SumZeroLaplace)
/// of scale 1, in the continuous limit: 2 for two, 6 for three, 9.9 for four. Accurate to about
/// 10^-9 of the result.
///
/// # Formula
///
/// In units of twice the scale every component is a standard Laplace variable, given that they add
/// up to zero. The density of their sum at 0 follows from their characteristic function 1/(1 + θ²),
/// and so does the part of it with max |z_c| ≤ t. So
///
/// P(max |z_c| ≤ t) = ∫ φ_t(θ)^k dθ/∫ (1 + θ²)^−k dθ,
/// φ_t(θ) = (1 − e^−t·(cos tθ − θ·sin tθ))/(1 + θ²),
///
/// and E max² is the integral of 2t·P(max > t). The sum over steps h in place of the integral over
/// θ is that of the densities at all multiples of 2π/h (Poisson), of which all but the one at 0 are
/// nothing where 2π/h is beyond their reach.
pub(crate) fn largest_sum_zero_square(components: usize) -> f64 {
    match FEW.get(components) {
        Some(known) => *known,
        None => integrated(components),
    }
}

/// Values of [`largest_sum_zero_square`] by the number of components, for few components, whose
/// integrals take many steps. They are rational numbers, by the spacings of uniform variables:
/// given the number of positive components, these and the others divide a common sum uniformly.
const FEW: [f64; 17] = [
    0.0,
    0.0,
    2.0,
    6.0,
    99.0 / 10.0,
    381.0 / 28.0,
    12_905.0 / 756.0,
    10_414_397.0 / 513_216.0,
    29_139_859.0 / 1_250_964.0,
    26.097_772_157_487_146,
    28.726_072_487_416_086,
    31.198_543_589_224_215,
    33.532_335_505_974_95,
    35.742_225_168_899_21,
    37.840_920_776_739_29,
    39.839_370_264_334_52,
    41.747_038_274_242_55,
];

fn integrated(components: usize) -> f64 {
    let largest = Largest::new(components);
    // Gauss's rule in pieces of length 1; the rest beyond the last piece is below 10^-9.
    let pieces = (components as f64).ln() + BEHIND;
    let mut square = 0.0;
    for piece in 0..pieces.ceil() as u32 {
        for (node, weight) in GAUSS {
            for side in [-node, node] {
                let t = f64::from(piece) + 0.5 + side / 2.0;
                square += weight * t * (1.0 - largest.within(t));
            }
        }
        let middle = f64::from(piece) + 0.5;
        square += MIDDLE * middle * (1.0 - largest.within(middle));
    }
    4.0 * square
}

/// Gauss's rule of seven points on [−1, 1]: nodes and weights on both sides, and that of 0.
const GAUSS: [(f64, f64); 3] = [
    (0.405_845_151_377_397_2, 0.381_830_050_505_118_9),
    (0.741_531_185_599_394_4, 0.279_705_391_489_276_7),
    (0.949_107_912_342_758_5, 0.129_484_966_168_869_7),
];
const MIDDLE: f64 = 0.417_959_183_673_469_4;
const BEHIND: f64 = 26.0;

/// Largest of k standard Laplace variables that add up to zero.
struct Largest {
    components: f64,
    /// ∫ (1 + θ²)^−k dθ.
    density: f64,
    /// Distance at which the density of the sum is negligible beside that at 0.
    half_width: f64,
}

/// Part of P(max > t) that may be left out of the integral over θ, and the largest number of steps.
const LEFT_OUT: f64 = 1e-10;
const STEPS: u32 = 200_000;

impl Largest {
    fn new(components: usize) -> Self {
        // π·C(2k − 2, k − 1)/4^(k − 1).
        let density = (1..components)
            .map(|j| (2 * j - 1) as f64 / (2 * j) as f64)
            .fold(std::f64::consts::PI, |product, factor| product * factor);
        let components = components as f64;
        Self { components, density, half_width: 8.0 * (2.0 * components).sqrt() + 30.0 }
    }

    /// Returns P(max |z_c| ≤ t).
    fn within(&self, t: f64) -> f64 {
        let k = self.components;
        // The sum of k numbers of size at most t.
        let step = 2.0 * std::f64::consts::PI / self.half_width.min(k * t * 1.001);
        let fall = (-t).exp();
        // Relative to P(max > t), if that is small.
        let left_out = LEFT_OUT * (k * fall).min(1.0) * (k - 1.0) * self.density;
        let mut sum = 0.5 * (1.0 - fall).powf(k);
        for at in 1..STEPS {
            let theta = step * f64::from(at);
            let (sine, cosine) = (t * theta).sin_cos();
            let square = 1.0 + theta * theta;
            let one = (1.0 - fall * (cosine - theta * sine)) / square;
            // The base of the power can be negative.
            sum += one.powi(k as i32);
            let most = ((1.0 + fall * square.sqrt()) / square).powf(k);
            if most * theta < left_out {
                break;
            }
        }
        (2.0 * step * sum / self.density).clamp(0.0, 1.0)
    }
}

/// Number of Laplace variables that are convolved one by one; the rest is close to normal.
const LAPLACES: usize = 24;
/// Number of grid points on each side of zero.
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

    #[test]
    fn the_integral_is_the_rational_number_of_few_components() {
        let known = FEW.into_iter().enumerate().skip(3).chain([(20, 48.619_481_532_650_795)]);
        for (components, square) in known.filter(|(components, _)| components % 2 == 0) {
            let ours = integrated(components);
            assert!((ours / square - 1.0).abs() < 1e-9, "{components}: {ours} {square}");
        }
    }

    /// Between the variance and the square of independent noises of the same law each, and ever
    /// closer to the latter.
    #[test]
    fn many_noises_that_add_up_to_zero_are_nearly_independent() {
        let mut before = 0.0;
        for components in [16, 17, 20, 50, 100, 1000, 10_000, 65_536] {
            let ratio =
                largest_sum_zero_square(components) / (4.0 * largest_laplace_square(components));
            assert!(ratio > before && ratio < 1.0, "{components}: {ratio}");
            before = ratio;
        }
        assert!(before > 0.999, "{before}");
    }
}
