//! `stretch`: values shrunk by their budgets (Alaggan et al. 2015).

use dashu_int::IBig;
use dashu_ratio::RBig;
use suum::{
    Bounds, Epsilon, Estimator, Grid, Loss, Profile, Randomness, Result, Risk, Setting, Target,
};

use super::answer::{Answer, LevelSpending, Person, check_profile, indices};
use super::interval::{self, Parts};
use super::stretched_sum::StretchedSum;

/// Mean of values that are shrunk towards the lower bound by ε over the largest ε, with noise at
/// the largest ε.
///
/// # When
///
/// To compare with: the estimate lies too low by up to (1 − mean ε/ε_max) of the width of the
/// bounds, however many records there are.
///
/// # Example
///
/// ```
/// use suum::{Bounds, Epsilon, Randomness};
/// use suum_experiments::published::StretchMean;
///
/// let plan = StretchMean::new("0.5:1000,1:1000".parse()?, Bounds::UNIT)?;
/// let levels = [0.5, 1.0].map(|epsilon| Epsilon::new(epsilon));
/// let mut people = Vec::new();
/// for level in levels {
///     people.extend(std::iter::repeat_n((level?, 0.4), 1000));
/// }
/// let answer = plan.release(&people, &mut Randomness::insecure(1))?;
/// assert!((answer.estimate - 0.3).abs() < 0.02, "three quarters of 0.4");
/// assert!(answer.interval.unwrap().upper > 0.4);
/// # Ok::<(), suum::Error>(())
/// ```
///
/// Source: Alaggan, Gambs and Kermarrec 2015; CC23 Example 2 shows the bias.
#[derive(Debug, Clone, PartialEq)]
pub struct StretchMean {
    profile: Profile,
    grid: Grid,
    sum: StretchedSum,
    /// Noise η, Σw² and the largest bias, in units of the range.
    noise: f64,
    squares: f64,
    bias: f64,
    risk: Risk,
}

impl StretchMean {
    /// Creates a plan for records of this profile with values inside `bounds`.
    ///
    /// # Errors
    ///
    /// Refuses a profile in which nobody may be used, and one with public records: it divides by
    /// the largest ε.
    pub fn new(profile: Profile, bounds: Bounds) -> Result<Self> {
        let setting = Setting::new(profile, bounds, Target::Population);
        let design = Estimator::Stretch.design(&setting)?;
        let grid = Grid::new(bounds);
        Ok(Self {
            noise: design.noise_scale(&setting).unwrap_or(0.0),
            squares: design.weights.squared_norm(&setting.profile),
            bias: design.bias_bound(&setting) / bounds.width(),
            risk: design.risk(&setting),
            sum: StretchedSum::new(&setting.profile, grid.points()),
            profile: setting.profile,
            grid,
        })
    }

    /// Mechanism on integers.
    pub fn sum(&self) -> &StretchedSum {
        &self.sum
    }

    /// Exact worst-case risk, for the mean of the distribution; bias included.
    pub fn risk(&self) -> Risk {
        self.risk
    }

    /// Exact loss of a record of this budget.
    pub fn loss(&self, epsilon: Epsilon) -> Loss {
        self.sum.loss(epsilon)
    }

    /// Draws the noise.
    ///
    /// # Errors
    ///
    /// Refuses records of another profile.
    pub fn release(&self, people: &[Person], randomness: &mut Randomness) -> Result<Answer> {
        check_profile(people, &self.profile)?;
        let privacy = LevelSpending::from_profile(&self.profile, |epsilon| self.loss(epsilon))?;
        let noisy: IBig = self.sum.release(indices(people, &self.grid), randomness);

        // From here on: post-processing.
        let share = RBig::from_parts(noisy, self.sum.whole().clone()).to_f64().value();
        let bounds = self.grid.bounds();
        let parts = Parts {
            noise: self.noise,
            squares: self.squares,
            bias: self.bias,
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
