//! The release of a variance.

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

use super::VariancePlan;
use super::answer::{Ends, estimates};
use super::moments::Moments;
use crate::answer::interval::half_width;
use crate::answer::release;
use crate::answer::sensitivity::{self, EQUAL, EndErrors, NoiseLaw};
use crate::private::level_mechanism::ExactSums;
use crate::private::session::Session;
use crate::{
    Error, Interval, LevelTable, PersonValue, Procedure, Quantity, Randomness, Release, Result,
    Sensitivity, Target,
};

impl VariancePlan {
    /// Spends the budgets: adds noise to the sums of values and of squares.
    ///
    /// # Formula
    ///
    /// In units where the bounds are −1 and 1, m₁ = Σ w·u + K₁ and m₂ = Σ w·u² + K₂ with Laplace
    /// noise of scale η. The variance is (m₂ − m₁² + 2η²)/(1 − Σw²) for the population, which is
    /// unbiased, and (n − 1)/n times that for the dataset.
    ///
    /// # Errors
    ///
    /// Refuses a table without squares, or whose profile or grid is not the one the plan was made
    /// for.
    pub fn release(self, table: LevelTable, randomness: &mut Randomness) -> Result<Release> {
        // Checked here and not in `release_in`, because a sum of persons' totals can measure the
        // variance as well.
        table.check_persons(self.request().options().person_value(PersonValue::Rows))?;
        let mut session = Session::for_profile(self.allowed(), randomness);
        self.release_in(&table, &mut session)
    }

    /// Releases the variance in a session that may have spent other parts of the budgets; see
    /// [`release`](Self::release).
    pub(crate) fn release_in(
        self,
        table: &LevelTable,
        session: &mut Session<'_>,
    ) -> Result<Release> {
        if !table.numbers().is_some_and(|numbers| numbers.squares && numbers.grid == *self.grid()) {
            return Err(Error::table(
                "level table",
                "it has no squares, or other bounds than the plan",
            )
            .with_fix("make the table with the same bounds, for a variance"));
        }
        table.check_for(self.allowed())?;
        session.begin(self.part().share());
        let by_level = self.part().by_level(table)?.into_iter().map(ExactSums::from_level);
        let noisy = session.measure(&self.measurement(), by_level.collect())?;

        // From here on: post-processing.
        let points = UBig::from(self.grid().points());
        let whole = self.mechanism().total_weight() * &points;
        let ratio = |at: usize, denominator: UBig| {
            let numerator = noisy.get(at).cloned().unwrap_or(IBig::ZERO);
            RBig::from_parts(numerator, denominator).to_f64().value()
        };
        let moments = Moments {
            first: ratio(0, whole.clone()),
            second: ratio(1, whole * points),
            noise: self.noise_scale(),
            spread: self.spread(),
        };
        let confidence = self.request().options().confidence;
        let bounds = self.grid().bounds();
        let (middle, half) = (bounds.midpoint(), bounds.width() / 2.0);
        let in_units = |value: f64| bounds.clamp(middle + half * value);
        let half_width = half_width(
            confidence,
            moments.noise,
            moments.upper_deviation(confidence) * moments.spread.sqrt(),
        );
        let mean = moments.first.clamp(-1.0, 1.0);
        let mean = Ends {
            estimate: in_units(mean),
            lower: in_units(mean - half_width),
            upper: in_units(mean + half_width),
        };
        let variance = moments.interval(moments.variance(self.correction()), confidence);
        let mut estimates = estimates(bounds, confidence, variance, mean);
        let deviation = moments.upper_deviation(confidence);
        for one in estimates.iter_mut().filter(|one| one.of == Quantity::Mean) {
            let centre = middle + half * moments.first;
            one.sensitivity = self.sensitivity_of_mean(one.interval, centre, half * deviation);
        }
        let (error, weights) = (self.error(), self.weights().per_level());
        let privacy = release::certificate(table, self.part(), weights, session)?;
        let procedure = Procedure::Variance(Box::new(self));
        Ok(Release::new(table, session, estimates, Some(error), privacy, procedure))
    }

    /// Returns the sensitivity of the mean with this published interval. The noisy mean, and a
    /// standard deviation that the data hardly exceed, are in units of the data.
    ///
    /// It resembles that of [a mean](crate::WeightedPlan): tiers may also have different variances,
    /// so max w replaces Σw². For the target `dataset` differences are those in these data, and
    /// there are no errors besides bias and noise.
    fn sensitivity_of_mean(
        &self,
        published: Option<Interval>,
        centre: f64,
        deviation: f64,
    ) -> Option<Box<Sensitivity>> {
        let (published, weights) = (published?, self.weights());
        let bounds = self.grid().bounds();
        let tv = weights.distance(self.profile()) / 2.0;
        let (sd, tiers_sd) = match self.request().options().target {
            Target::Population => {
                let n = self.profile().records() as f64;
                (deviation * weights.largest().sqrt(), 0.5 / n.sqrt())
            }
            Target::Dataset | Target::DatasetCorrelated => (0.0, 0.0),
        };
        let scale = self.noise_scale() * bounds.width() / 2.0;
        let fixed = 0.5 * bounds.width() / self.grid().points() as f64;
        let noise = NoiseLaw::Laplace(vec![(scale, 1.0)]);
        let bias = if tv < EQUAL { 0.0 } else { tv };
        let errors = EndErrors { noise, sd, fixed, bias };
        let ends = sensitivity::Ends {
            published,
            confidence: published.confidence,
            declared: 0.0,
            centre,
            possible: Some([bounds.lower(), bounds.upper()]),
            tiers_sd,
            errors: [errors.clone(), errors],
        };
        Sensitivity::from_ends(tv, bounds.width(), ends).map(Box::new)
    }

    /// Returns the divisor of the plain difference of moments that gives the right expectation.
    fn correction(&self) -> f64 {
        let n = self.profile().records() as f64;
        let kept = 1.0 - self.weights().squared_norm(self.profile());
        match self.request().options().target {
            Target::Dataset => kept * n / (n - 1.0),
            _ => kept,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::private::level_mechanism::LevelMechanism;
    use crate::{Bounds, ExactSum, Options, Profile, Quantity, Share, VarianceRequest};

    /// Reproducible uniform numbers for simulated values (splitmix64).
    struct Dice(u64);

    impl Dice {
        fn roll(&mut self) -> f64 {
            self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut z = self.0;
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
        }
    }

    fn plan(profile: &str, target: Target, share: f64) -> VariancePlan {
        let options = Options { target, share: Share::new(share).unwrap(), ..Options::default() };
        let request = VarianceRequest::new(Bounds::new(-1.0, 1.0).unwrap(), options).unwrap();
        request.plan(profile.parse::<Profile>().unwrap()).unwrap()
    }

    /// Values listed level by level: weighted mean, weighted mean of squares and Σw², from budgets
    /// and τ alone.
    fn weighted(plan: &VariancePlan, values: &[f64]) -> (f64, f64, f64) {
        let (mut all, mut norm, mut first, mut second) = (0.0, 0.0, 0.0, 0.0);
        let mut values = values.iter();
        for level in plan.profile().levels() {
            let weight = if plan.tau().is_infinite() {
                f64::from(u8::from(level.epsilon.is_public()))
            } else {
                level.epsilon.get().min(plan.tau())
            };
            for u in values.by_ref().take(level.count as usize) {
                all += weight;
                norm += weight * weight;
                first += weight * u;
                second += weight * u * u;
            }
        }
        (first / all, second / all, norm / (all * all))
    }

    /// The noisy moments of these values, where the bounds are −1 and 1.
    fn noisy(plan: &VariancePlan, values: &[f64], randomness: &mut Randomness) -> (f64, f64) {
        let points = plan.grid().points();
        let (mut position, mut sums) = (0, Vec::new());
        for level in plan.profile().levels() {
            let (mut sum, mut squares) = (0i128, 0i128);
            for value in &values[position..position + level.count as usize] {
                let index = i128::from(plan.grid().index(*value).unwrap());
                let centred = 2 * index - i128::from(points);
                sum += index;
                squares += centred * centred;
            }
            position += level.count as usize;
            sums.push([ExactSum::from_raw(sum), ExactSum::from_raw(squares)]);
        }
        let levels = plan.profile().levels().iter().zip(&sums).enumerate();
        let by_level: Vec<ExactSums<'_>> = levels
            .map(|(position, (level, sums))| ExactSums { position, count: level.count, sums })
            .collect();
        let noisy = plan.mechanism().release(&by_level, randomness);
        let [first, second] = <[IBig; 2]>::try_from(noisy).unwrap();
        let whole = plan.mechanism().total_weight().to_f64().value() * points as f64;
        (first.to_f64().value() / whole, second.to_f64().value() / whole / points as f64)
    }

    /// Moments of the noise in both sums, in units of their scale 9/4·max(w/ε).
    struct Noise {
        first: [f64; 3],
        second: [f64; 3],
        product: f64,
    }

    const DRAWS: u32 = 40_000;

    impl Noise {
        fn measure(profile: &str, share: f64, seed: u64) -> Self {
            let plan = plan(profile, Target::Population, share);
            let n = plan.profile().records();
            let values: Vec<f64> = (0..n).map(|at| if at % 3 == 0 { -0.75 } else { 0.5 }).collect();
            let (first, second, _) = weighted(&plan, &values);
            let budgets = plan.profile().levels().iter();
            let all: f64 =
                budgets.map(|level| level.count as f64 * level.epsilon.get().min(plan.tau())).sum();
            let mut noise = Self { first: [0.0; 3], second: [0.0; 3], product: 0.0 };
            let mut randomness = Randomness::insecure(seed);
            for _ in 0..DRAWS {
                let (one, two) = noisy(&plan, &values, &mut randomness);
                let (one, two) = ((one - first) * all / 2.25, (two - second) * all / 2.25);
                for (moments, x) in [(&mut noise.first, one), (&mut noise.second, two)] {
                    let each = [x, x * x, x.abs()];
                    moments.iter_mut().zip(each).for_each(|(sum, x)| *sum += x / f64::from(DRAWS));
                }
                noise.product += one * two / f64::from(DRAWS);
            }
            noise
        }

        /// Returns true if both look like independent Laplace noise of this scale: seven moments
        /// within five standard errors, a false alarm in 250 000 runs. At scale 1 the noise has
        /// variance 2, its square 20, its absolute value 1, a product 4.
        fn look_like(&self, scale: f64) -> bool {
            let root = f64::from(DRAWS).sqrt();
            let laplace = |[mean, second, absolute]: [f64; 3]| {
                mean.abs() <= 5.0 * scale * 2f64.sqrt() / root
                    && (second - 2.0 * scale * scale).abs()
                        <= 5.0 * scale * scale * 20f64.sqrt() / root
                    && (absolute - scale).abs() <= 5.0 * scale / root
            };
            laplace(self.first)
                && laplace(self.second)
                && self.product.abs() <= 5.0 * 2.0 * scale * scale / root
        }
    }

    #[test]
    fn both_sums_have_independent_laplace_noise_of_the_planned_scale() {
        for (seed, (profile, share)) in
            (0..).zip([("0.5:300,2:100", 1.0), ("1:200,3:60,inf:2", 0.5), ("0:7,0.25:9", 0.3)])
        {
            let noise = Noise::measure(profile, share, seed);
            assert!(noise.look_like(1.0), "{profile}: {:?} {:?}", noise.first, noise.second);
            assert!(
                !noise.look_like(0.95) && !noise.look_like(1.05),
                "{profile}: blind to five percent"
            );
        }
    }

    /// The mean of a list, and its standard error.
    fn average(list: &[f64]) -> (f64, f64) {
        let n = list.len() as f64;
        let mean = list.iter().sum::<f64>() / n;
        let square = list.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / (n - 1.0);
        (mean, (square / n).sqrt())
    }

    /// Estimates before they are clamped, and what they should be on average.
    struct Estimates {
        ours: Vec<f64>,
        /// Without the 2η² that the noise in m₁ takes away.
        uncorrected: Vec<f64>,
        /// Without the division.
        undivided: Vec<f64>,
        /// For the other target.
        other: Vec<f64>,
        truth: f64,
    }

    fn estimates(
        profile: &str,
        target: Target,
        draw: fn(f64) -> f64,
        variance: f64,
        seed: u64,
    ) -> Estimates {
        let plan = plan(profile, target, 1.0);
        let n = plan.profile().records() as usize;
        let (mut dice, mut randomness) = (Dice(seed), Randomness::insecure(seed));
        let mut values: Vec<f64> = (0..n).map(|at| draw((at as f64 + 0.5) / n as f64)).collect();
        let mean = values.iter().sum::<f64>() / n as f64;
        let truth = match target {
            Target::Dataset => {
                values.iter().map(|u| (u - mean) * (u - mean)).sum::<f64>() / n as f64
            }
            _ => variance,
        };
        let (mut ours, mut uncorrected, mut undivided, mut other) =
            (vec![], vec![], vec![], vec![]);
        let eta = plan.noise_scale();
        for _ in 0..DRAWS {
            match target {
                Target::Dataset => (1..n).rev().for_each(|last| {
                    values.swap(last, (dice.roll() * (last + 1) as f64) as usize);
                }),
                _ => values.iter_mut().for_each(|value| *value = draw(dice.roll())),
            }
            let (first, second) = noisy(&plan, &values, &mut randomness);
            let moments = Moments { first, second, noise: eta, spread: plan.spread() };
            let estimate = moments.variance(plan.correction());
            ours.push(estimate);
            uncorrected.push(estimate - 2.0 * eta * eta / plan.correction());
            undivided.push(estimate * plan.correction());
            let factor = (n as f64 - 1.0) / n as f64;
            other.push(if target == Target::Dataset {
                estimate / factor
            } else {
                estimate * factor
            });
        }
        Estimates { ours, uncorrected, undivided, other, truth }
    }

    /// Returns true if the mean is within five standard errors of the truth: a false alarm in 1.7
    /// million checks.
    fn unbiased(list: &[f64], truth: f64) -> bool {
        let (mean, error) = average(list);
        (mean - truth).abs() <= 5.0 * error + 1e-8
    }

    #[test]
    #[ignore = "takes seconds"]
    fn the_variance_is_unbiased() {
        let uniform: fn(f64) -> f64 = |roll| 2.0 * roll - 1.0;
        let two_valued: fn(f64) -> f64 = |roll| if roll < 0.3 { 1.0 } else { -1.0 };
        let skewed: fn(f64) -> f64 = |roll| 2.0 * roll * roll * roll - 1.0;
        for (number, profile) in
            (0..).zip(["1:30,4:5,inf:2", "0.5:60,2:6", "0:10,1:20,4:6", "inf:6", "0:3,1:9,inf:3"])
        {
            for (kind, (draw, variance)) in (0..).zip([
                (uniform, 1.0 / 3.0),
                (two_valued, 0.84),
                (skewed, 4.0 / 7.0 - 4.0 / 16.0),
            ]) {
                for target in [Target::Population, Target::Dataset] {
                    let drawn = estimates(profile, target, draw, variance, 10 * number + kind);
                    let truth = drawn.truth;
                    let place =
                        format!("{profile} {target:?} {:?}, truth {truth}", average(&drawn.ours));
                    assert!(unbiased(&drawn.ours, truth), "{place}");
                    let noise = profile != "inf:6";
                    assert!(
                        !noise || !unbiased(&drawn.uncorrected, truth),
                        "noise uncorrected: {place}"
                    );
                    // With the target dataset and nearly equal weights there is hardly anything to
                    // divide by.
                    let dataset = target == Target::Dataset;
                    assert!(dataset || !unbiased(&drawn.undivided, truth), "undivided: {place}");
                    assert!(!unbiased(&drawn.other, truth), "as for the other target: {place}");
                }
            }
        }
    }

    /// The release is the documented formula of the numbers that the mechanism released, and
    /// depends on nothing else.
    #[test]
    fn the_release_follows_its_formula() {
        use crate::{Grid, LevelSums, LevelTable, Measure, Numbers};
        let plan = |target| plan("1:30,4:5,inf:2", target, 1.0);
        let mut dice = Dice(1);
        let values: Vec<f64> = (0..37).map(|_| 1.2 * dice.roll() - 0.5).collect();
        for (seed, target) in (0..).zip([Target::Population, Target::Dataset]) {
            let plan = plan(target);
            let grid: Grid = *plan.grid();
            let mut position = 0;
            let by_level = plan.profile().levels().iter().map(|level| {
                let (mut sum, mut squares) = (0, 0);
                for value in &values[position..position + level.count as usize] {
                    let index = i128::from(grid.index(*value).unwrap());
                    sum += index;
                    squares += (2 * index - i128::from(grid.points()))
                        * (2 * index - i128::from(grid.points()));
                }
                position += level.count as usize;
                LevelSums {
                    label: None,
                    epsilon: level.epsilon,
                    count: level.count,
                    sums: [sum, squares].map(ExactSum::from_raw).to_vec(),
                    cells: Default::default(),
                }
            });
            let numbers = Numbers { grid, squares: true, cells: None };
            let table =
                LevelTable::new(None, Measure::Numbers(numbers), by_level.collect()).unwrap();
            let (first, second) = noisy(&plan, &values, &mut Randomness::insecure(seed));
            let (_, _, norm) = weighted(&plan, &values);
            let budgets = plan.profile().levels().iter();
            let all: f64 =
                budgets.map(|level| level.count as f64 * level.epsilon.get().min(plan.tau())).sum();
            let eta = 2.25 / all;
            let variance = (second - first * first + 2.0 * eta * eta) / (1.0 - norm);
            let variance =
                if target == Target::Dataset { variance * 36.0 / 37.0 } else { variance };
            let release = plan.release(table, &mut Randomness::insecure(seed)).unwrap();
            assert!((release.estimate() - variance.clamp(0.0, 1.0)).abs() < 1e-9, "{target:?}");
            let mean = release.estimate_of(&Quantity::Mean).unwrap();
            assert!((mean.estimate - first).abs() < 1e-9);
        }
    }
}
