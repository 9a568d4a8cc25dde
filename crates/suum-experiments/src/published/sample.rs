//! `sample`: one ε for all on a random sample (Jorgensen et al. 2015).

use dashu_ratio::RBig;

use super::answer::{Answer, LevelSpending, Person, check_profile, indices};
use super::interval::{self, Parts};
use super::sampled_sum::SampledSum;
use suum::{
    Bounds, Epsilon, Error, Estimator, Grid, Loss, Method, Profile, Randomness, Result, Risk,
    SampleThreshold, Setting, Target, option,
};

/// Mean of a random sample, in which people who allow less than t are kept with a smaller
/// probability, with noise at t.
///
/// The published form divides by the number of records that were kept, which is not private against
/// dropping one. Here the divisor is the public Σp.
///
/// # When
///
/// To compare with: a clipped weight keeps of everybody what a sample keeps of some.
///
/// # Example
///
/// ```
/// use suum::{Bounds, Epsilon, Randomness, SampleThreshold};
/// use suum_experiments::published::SampleMean;
///
/// let plan = SampleMean::new("0.1:4000,1:2000".parse()?, Bounds::UNIT, SampleThreshold::Max)?;
/// let levels = [(Epsilon::new(0.1)?, 4000), (Epsilon::new(1.0)?, 2000)];
/// let people: Vec<_> =
///     levels.into_iter().flat_map(|level| std::iter::repeat_n((level.0, 0.3), level.1)).collect();
/// let answer = plan.release(&people, &mut Randomness::insecure(1))?;
/// assert!((answer.estimate - 0.3).abs() < 0.05);
/// assert!(answer.privacy.iter().all(|row| row.spent.within(row.epsilon)));
/// # Ok::<(), suum::Error>(())
/// ```
///
/// Source: Jorgensen, Yu and Cormode 2015; the probabilities are those of DG26 Theorem 10.
#[derive(Debug, Clone, PartialEq)]
pub struct SampleMean {
    profile: Profile,
    grid: Grid,
    sum: SampledSum,
    /// Noise η, in units of the range.
    noise: f64,
    /// Expected number Σp of kept records, and the number of records that can be kept.
    expected: f64,
    used: f64,
    risk: Risk,
}

impl SampleMean {
    /// Creates a plan for records of this profile with values inside `bounds`.
    ///
    /// # Errors
    ///
    /// Refuses a profile in which nobody may be used, and a threshold so high that nobody would be
    /// kept.
    pub fn new(profile: Profile, bounds: Bounds, threshold: SampleThreshold) -> Result<Self> {
        let setting = Setting {
            sample_threshold: threshold,
            ..Setting::new(profile, bounds, Target::Population)
        };
        let design = Estimator::Sample.design(&setting)?;
        let Method::Sample { threshold, .. } = design.method else {
            return Err(Error::internal("sample proposes no sample"));
        };
        let grid = Grid::new(bounds);
        let sum = SampledSum::new(&setting.profile, Epsilon::new(threshold)?, grid.points());
        let kept = |level: &&suum::Level| sum.sampling_probability(level.epsilon).numerator() > 0;
        let used: u64 = setting.profile.levels().iter().filter(kept).map(|level| level.count).sum();
        if used == 0 {
            return Err(Error::request(
                option::SAMPLE_THRESHOLD,
                "nobody allows that much, so no record would be kept",
            )
            .with_fix("lower --sample-threshold"));
        }
        Ok(Self {
            noise: design.noise_scale(&setting).unwrap_or(0.0),
            expected: sum.expected().to_f64().value() / 2f64.powi(64),
            used: used as f64,
            risk: design.risk(&setting),
            profile: setting.profile,
            grid,
            sum,
        })
    }

    /// Mechanism on integers.
    pub fn sum(&self) -> &SampledSum {
        &self.sum
    }

    /// Exact worst-case risk, for the mean of the distribution.
    pub fn risk(&self) -> Risk {
        self.risk
    }

    /// Bound on the loss of a record of this budget.
    pub fn loss(&self, epsilon: Epsilon) -> Loss {
        self.sum.loss(epsilon)
    }

    /// Draws the sample and the noise.
    ///
    /// # Errors
    ///
    /// Refuses records of another profile.
    pub fn release(&self, people: &[Person], randomness: &mut Randomness) -> Result<Answer> {
        check_profile(people, &self.profile)?;
        let privacy = LevelSpending::from_profile(&self.profile, |epsilon| self.loss(epsilon))?;
        let noisy = self.sum.release(indices(people, &self.grid), randomness);

        // From here on: post-processing. (Σ(2g − G) + K)/(2G·Σp) around the middle.
        let whole = self.sum.sensitivity() * self.sum.expected();
        let share = 0.5 + RBig::from_parts(noisy << 64, whole).to_f64().value();
        let bounds = self.grid.bounds();
        // A record that can be kept adds something between −½ and ½ over Σp.
        let parts = Parts {
            noise: self.noise,
            squares: self.used / (self.expected * self.expected),
            bias: 0.0,
            points: self.grid.points(),
        };
        Ok(Answer {
            estimate: bounds.clamp(bounds.lower() + bounds.width() * share),
            interval: Some(interval::inside(bounds, share, &parts)),
            bounds,
            risk: Some(self.risk),
            privacy,
            private: randomness.is_private(),
        })
    }
}
