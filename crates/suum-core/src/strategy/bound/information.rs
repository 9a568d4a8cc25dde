//! Upper bounds on the Fisher information on the mean in a release.

use super::people::People;

/// Prior distribution of θ on [−δ, δ].
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Prior {
    /// Density cos²(πθ/2δ)/δ, which has the least information of all that vanish at the ends.
    Cosine,
    /// Uniform density.
    Uniform,
}

impl Prior {
    /// Returns the means of (θ/δ)², (θ/δ)⁴ and (θ/δ)⁶.
    pub(super) fn moments(self) -> [f64; 3] {
        match self {
            // 1/3 − 2/π², 1/5 − 4/π² + 24/π⁴, 1/7 − 6/π² + 120/π⁴ − 720/π⁶.
            Prior::Cosine => {
                [0.130_690_966_048_657_8, 0.041_098_839_543_073, 0.017_931_650_792_222_9]
            }
            Prior::Uniform => [1.0 / 3.0, 0.2, 1.0 / 7.0],
        }
    }

    /// Returns an upper bound on the mean of 1/(1 − r·(θ/δ)²), for r in [0, 1) and `rest` = 1 − r:
    /// the first terms of its series, and a bound on the others.
    fn mean_of_inverse(self, r: f64, rest: f64) -> f64 {
        let [second, fourth, sixth] = self.moments();
        1.0 + r * (second + r * (fourth + r * sixth / rest))
    }
}

/// Family of distributions with the parameter θ in [−δ, δ]: values −½, 0 and ½ with probabilities
/// p(1 − θ)/2, 1 − p and p(1 + θ)/2, whose mean is pθ/2.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Family {
    /// p, in (0, 1].
    pub(super) mass: f64,
    /// δ, in (0, 1).
    pub(super) delta: f64,
    /// 1 − δ.
    pub(super) rest: f64,
    /// Prior of θ.
    pub(super) prior: Prior,
}

impl Family {
    /// Returns an upper bound on the root of the Fisher information on the mean that one record
    /// gives away through any ε-private output, averaged over the prior.
    ///
    /// # Formula
    ///
    /// With c = 1/(e^ε − 1), the information at θ is at most
    ///
    /// k²(θ) = (p + 2c)/(1 + 2c) / ((c + p/2)² − (pθ/2)²),
    ///
    /// and for p = 1 randomised response attains that, 1/(¼(1 − θ²) + 1/(4·sinh²(ε/2))).
    pub(super) fn root_of_record(&self, epsilon: f64) -> f64 {
        if epsilon == 0.0 {
            return 0.0;
        }
        let (p, c) = (self.mass, 1.0 / epsilon.exp_m1());
        let known = (p + 2.0 * c) / (1.0 + 2.0 * c);
        let middle = c + p / 2.0;
        let ends = (c + p * self.rest / 2.0) * (c + p * (1.0 + self.delta) / 2.0);
        let square = middle * middle;
        let r = (p * self.delta / 2.0) * (p * self.delta / 2.0) / square;
        (known / square * self.prior.mean_of_inverse(r, ends / square)).sqrt()
    }

    /// Returns the Fisher information on the mean of one public record, 4/(p(1 − θ²)), averaged
    /// over the prior.
    pub(super) fn public_information(&self) -> f64 {
        let (square, rest) = (self.delta * self.delta, self.rest * (1.0 + self.delta));
        4.0 / self.mass * self.prior.mean_of_inverse(square, rest)
    }

    /// Returns an upper bound on the Fisher information on the mean of any output that keeps all
    /// budgets, averaged over the prior: min_k (Σ_{i≤k} k(ε_i))² + m·I, m = n − k, I that of a
    /// public record.
    ///
    /// The m laxest records are treated as public. The roots of the others add up, and knowing the
    /// public ones reveals no more of them.
    pub(super) fn release_information(&self, people: &People) -> f64 {
        let roots = people.levels.iter().map(|level| self.root_of_record(level.epsilon));
        least_information(people, roots, self.public_information())
    }
}

/// Returns the least (Σ_{i≤k} root_i)² + (n − k)·`public` over k, for the roots of the levels in
/// ascending order.
pub(super) fn least_information(
    people: &People,
    roots: impl Iterator<Item = f64>,
    public: f64,
) -> f64 {
    let (mut sum, mut rest) = (0.0f64, people.records());
    let mut least = rest as f64 * public;
    for (level, root) in people.levels.iter().zip(roots) {
        let with = |more: f64| {
            let told = sum + more * root;
            told * told + (rest as f64 - more) * public
        };
        // Inside a level it is a parabola, with this bottom.
        let count = level.count as f64;
        let bottom = ((public / (2.0 * root) - sum) / root).clamp(0.0, count).floor();
        let next = (bottom + 1.0).min(count);
        least = [with(bottom), with(next), with(count)].into_iter().fold(least, f64::min);
        sum += count * root;
        rest -= level.count;
        // All later values are no less.
        if sum * sum > least {
            break;
        }
    }
    least
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Neighbors;

    /// The mean of a function of θ over the prior, by summing up.
    fn mean(family: &Family, of: impl Fn(f64) -> f64) -> f64 {
        let steps = 20_000;
        let (sum, weights) = (0..steps).fold((0.0, 0.0), |(sum, weights), i| {
            let x = (2.0 * f64::from(i) + 1.0) / f64::from(steps) - 1.0;
            let weight = match family.prior {
                Prior::Cosine => (std::f64::consts::FRAC_PI_2 * x).cos().powi(2),
                Prior::Uniform => 1.0,
            };
            (sum + weight * of(family.delta * x), weights + weight)
        });
        sum / weights
    }

    fn families() -> impl Iterator<Item = Family> {
        [Prior::Cosine, Prior::Uniform].into_iter().flat_map(|prior| {
            [0.05, 0.3, 0.7, 0.95, 0.999].into_iter().flat_map(move |delta| {
                [0.01, 0.4, 1.0].map(|mass| Family { mass, delta, rest: 1.0 - delta, prior })
            })
        })
    }

    #[test]
    fn means_over_the_prior_are_above_and_close() {
        for family in families() {
            for (power, moment) in [2, 4, 6].into_iter().zip(family.prior.moments()) {
                let exact = mean(&family, |theta| (theta / family.delta).powi(power));
                assert!((moment / exact - 1.0).abs() < 1e-7, "{family:?} {power}");
            }
            let exact = mean(&family, |theta| 4.0 / family.mass / (1.0 - theta * theta));
            let ours = family.public_information();
            assert!(ours >= exact * (1.0 - 1e-6), "{family:?}: {ours} {exact}");
            if family.delta < 0.9 {
                assert!(ours <= exact * 1.02, "{family:?}: {ours} {exact}");
            }
        }
    }

    const BUDGETS: [f64; 7] = [1e-5, 1e-3, 0.1, 1.0, 3.0, 10.0, 40.0];

    /// The information on the mean that a channel lets through, from the probabilities of each
    /// output given −½, 0 and ½.
    fn channel_information(family: &Family, theta: f64, channel: &[[f64; 3]]) -> f64 {
        let p = family.mass;
        let shares = [p * (1.0 - theta) / 2.0, 1.0 - p, p * (1.0 + theta) / 2.0];
        let of_output = |output: &[f64; 3]| {
            let probability: f64 = output.iter().zip(shares).map(|(q, share)| q * share).sum();
            // The mean is pθ/2: the slope by it is that by θ times 2/p.
            let slope = output[2] - output[0];
            if probability > 0.0 { slope * slope / probability } else { 0.0 }
        };
        channel.iter().map(of_output).sum()
    }

    /// Randomised response, and the same with an output for the middle.
    fn channels(epsilon: f64) -> [Vec<[f64; 3]>; 3] {
        let odds = epsilon.exp();
        let (two, three) = (1.0 / (1.0 + odds), 1.0 / (2.0 + odds));
        [
            vec![[two, two, 1.0 - two], [1.0 - two, 1.0 - two, two]],
            vec![[two, 0.5, 1.0 - two], [1.0 - two, 0.5, two]],
            vec![
                [three, three, 1.0 - 2.0 * three],
                [three, 1.0 - 2.0 * three, three],
                [1.0 - 2.0 * three, three, three],
            ],
        ]
    }

    /// Returns true if no channel has more information, averaged over the prior, than the square of
    /// this bound on its root.
    fn holds(bound: impl Fn(&Family, f64) -> f64) -> bool {
        families().all(|family| {
            BUDGETS.into_iter().all(|epsilon| {
                let root = bound(&family, epsilon);
                channels(epsilon).iter().all(|channel| {
                    let told = mean(&family, |theta| channel_information(&family, theta, channel));
                    told <= root * root * (1.0 + 1e-6)
                })
            })
        })
    }

    #[test]
    fn no_channel_tells_more_and_one_tells_nearly_as_much() {
        assert!(holds(|family, epsilon| family.root_of_record(epsilon)));
        assert!(!holds(|family, epsilon| 0.9 * family.root_of_record(epsilon)));
        for family in families().filter(|family| family.mass == 1.0 && family.delta < 0.9) {
            for epsilon in BUDGETS {
                let root = family.root_of_record(epsilon);
                let told = mean(&family, |theta| {
                    channel_information(&family, theta, &channels(epsilon)[0])
                });
                assert!(told >= 0.95 * root * root, "{family:?} {epsilon}");
            }
        }
    }

    /// A sum of n records with Laplace noise of scale 1/ε, as `affine` releases: the information on
    /// the mean of its law, by differences.
    fn mechanism_information(n: u32, epsilon: f64) -> f64 {
        let (n_real, theta) = (f64::from(n), 0.0f64);
        // Probabilities of k ones, from ln Γ.
        let binomial = |k: u32, p: f64| {
            let choose = libm::lgamma(n_real + 1.0)
                - libm::lgamma(f64::from(k) + 1.0)
                - libm::lgamma(n_real - f64::from(k) + 1.0);
            (choose + f64::from(k) * p.ln() + f64::from(n - k) * (1.0 - p).ln()).exp()
        };
        let p = (1.0 + theta) / 2.0;
        let shares: Vec<(f64, f64)> = (0..=n)
            .map(|k| {
                let share = binomial(k, p);
                (share, share * (f64::from(k) / p - (n_real - f64::from(k)) / (1.0 - p)))
            })
            .collect();
        let (half_width, steps) = (n_real / 2.0 + 30.0 / epsilon, 4000);
        let step = 2.0 * half_width / f64::from(steps);
        (0..=steps)
            .map(|i| {
                let x = n_real / 2.0 - half_width + step * f64::from(i);
                let (density, slope) =
                    (0..=n).zip(&shares).fold((0.0, 0.0), |sums, (k, (share, slope))| {
                        let noise = epsilon / 2.0 * (-(x - f64::from(k)).abs() * epsilon).exp();
                        (sums.0 + share * noise, sums.1 + slope * noise)
                    });
                if density > 0.0 { slope * slope / density * step } else { 0.0 }
            })
            .sum()
    }

    #[test]
    fn the_mechanism_tells_no_more() {
        // Nearly one distribution, so that its information is that of the mean over the prior.
        let family = Family { mass: 1.0, delta: 1e-6, rest: 1.0 - 1e-6, prior: Prior::Uniform };
        for (n, epsilon, least) in [(40, 0.01, 0.97), (40, 0.1, 0.75), (40, 1.0, 0.4)] {
            let profile = format!("{epsilon}:{n}").parse().unwrap();
            let people = People::from_profile(&profile, Neighbors::ReplaceOne);
            let root = family.release_information(&people).sqrt();
            let told = mechanism_information(n, epsilon).sqrt();
            assert!(told <= root, "{n} {epsilon}: {told} {root}");
            // Where noise rules, a bound 5 % lower would be noticed.
            assert!(told >= least * root, "{n} {epsilon}: {told} {root}");
        }
    }
}
