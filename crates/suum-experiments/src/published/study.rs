//! Published estimators by name.

use std::fmt;
use std::str::FromStr;

use suum::{
    Bounds, DeclaredBudgets, Error, Neighbors, Randomness, Result, SampleThreshold, option,
};

use super::answer::{Answer, Person, profile_of};
use super::{DiffusionMean, ReductionMean, SampleMean, StretchMean};

/// Published estimator of a mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PublishedEstimator {
    /// One ε for all, on a random sample.
    Sample,
    /// Values shrunk by ε over the largest ε.
    Stretch,
    /// A range from a random sample, then the mean inside it.
    GaussianDiffusion,
    /// A range, and the mean inside it, under hidden participation.
    GaussianReduction,
}

/// Settings besides the estimator.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Question {
    /// Range that values are clamped to, for `sample` and `stretch`.
    pub bounds: Option<Bounds>,
    /// Threshold ε of `sample`.
    pub threshold: Option<SampleThreshold>,
    /// Budgets that people can have, for `gaussian-reduction`.
    pub budgets: Option<DeclaredBudgets>,
}

impl PublishedEstimator {
    /// Every published estimator; the laws in the tests run over them.
    pub const ALL: [PublishedEstimator; 4] = [
        PublishedEstimator::Sample,
        PublishedEstimator::Stretch,
        PublishedEstimator::GaussianDiffusion,
        PublishedEstimator::GaussianReduction,
    ];

    /// Name on the command line and in JSON.
    ///
    /// ```
    /// use suum_experiments::published::PublishedEstimator;
    ///
    /// for estimator in PublishedEstimator::ALL {
    ///     assert_eq!(estimator.name().parse::<PublishedEstimator>()?, estimator);
    /// }
    /// # Ok::<(), suum::Error>(())
    /// ```
    pub fn name(self) -> &'static str {
        match self {
            PublishedEstimator::Sample => "sample",
            PublishedEstimator::Stretch => "stretch",
            PublishedEstimator::GaussianDiffusion => "gaussian-diffusion",
            PublishedEstimator::GaussianReduction => "gaussian-reduction",
        }
    }

    /// One-line description for the user's choice.
    pub fn describe(self) -> &'static str {
        match self {
            PublishedEstimator::Sample => {
                "one ε for all, on a random sample of the stricter people (Jorgensen et al. 2015)"
            }
            PublishedEstimator::Stretch => {
                "values shrunk by ε over the largest ε; biased (Alaggan et al. 2015)"
            }
            PublishedEstimator::GaussianDiffusion => {
                "a range from a random sample, then weights min(ε, τ) (DG26 Algorithm 7)"
            }
            PublishedEstimator::GaussianReduction => {
                "the same on people drawn to noisy numbers, which hides who takes part (DG26 \
                Algorithm 8)"
            }
        }
    }

    /// Neighbouring datasets that it protects.
    pub fn neighbors(self) -> Neighbors {
        match self {
            PublishedEstimator::GaussianReduction => Neighbors::AddRemove,
            _ => Neighbors::ReplaceOne,
        }
    }

    /// Mean of these records by this estimator.
    ///
    /// # Errors
    ///
    /// Refuses a question that lacks a setting the estimator needs or has one that it has no use
    /// for, and fails if the estimator refuses.
    ///
    /// # Example
    ///
    /// ```
    /// use suum::{Bounds, Epsilon, Randomness};
    /// use suum_experiments::published::{PublishedEstimator, Question};
    ///
    /// let people = vec![(Epsilon::new(1.0)?, 0.25); 1000];
    /// let question = Question { bounds: Some(Bounds::UNIT), ..Question::default() };
    /// let mut randomness = Randomness::insecure(1);
    /// let answer = PublishedEstimator::Sample.mean(&people, &question, &mut randomness)?;
    /// assert!((answer.estimate - 0.25).abs() < 0.02 && !answer.private);
    /// # Ok::<(), suum::Error>(())
    /// ```
    pub fn mean(
        self,
        people: &[Person],
        question: &Question,
        randomness: &mut Randomness,
    ) -> Result<Answer> {
        self.check(question)?;
        match self {
            PublishedEstimator::Sample => {
                let threshold = question.threshold.unwrap_or_default();
                SampleMean::new(profile_of(people)?, self.bounds(question)?, threshold)?
                    .release(people, randomness)
            }
            PublishedEstimator::Stretch => {
                StretchMean::new(profile_of(people)?, self.bounds(question)?)?
                    .release(people, randomness)
            }
            PublishedEstimator::GaussianDiffusion => {
                DiffusionMean::new(profile_of(people)?)?.release(people, randomness)
            }
            PublishedEstimator::GaussianReduction => {
                let budgets = question.budgets.clone().ok_or_else(|| {
                    Error::parameter(
                        option::EPSILON_RANGE,
                        format!("{self} needs the budgets that people can have"),
                    )
                    .with_fix("declare them from public knowledge, for example 0.01,1")
                })?;
                ReductionMean::new(budgets)?.release(people, randomness)
            }
        }
    }

    /// Refuses settings that would be ignored.
    ///
    /// # Errors
    ///
    /// Names the parameter that the estimator has no use for.
    pub fn check(self, question: &Question) -> Result<()> {
        let bounded = matches!(self, PublishedEstimator::Sample | PublishedEstimator::Stretch);
        for (given, is_used, option) in [
            (question.bounds.is_some(), bounded, "bounds"),
            (question.threshold.is_some(), self == PublishedEstimator::Sample, "sample-threshold"),
            (
                question.budgets.is_some(),
                self == PublishedEstimator::GaussianReduction,
                "epsilon-range",
            ),
        ] {
            if given && !is_used {
                return Err(Error::request(option, format!("{self} has no use for it"))
                    .with_fix(format!("leave --{option} out")));
            }
        }
        Ok(())
    }

    fn bounds(self, question: &Question) -> Result<Bounds> {
        question.bounds.ok_or_else(|| {
            Error::parameter(option::BOUNDS, format!("{self} needs the range that values can take"))
                .with_fix("declare it from public knowledge: --bounds LO,HI")
        })
    }
}

impl fmt::Display for PublishedEstimator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for PublishedEstimator {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Self::ALL.into_iter().find(|estimator| estimator.name() == text).ok_or_else(|| {
            let names: Vec<&str> = Self::ALL.iter().map(|estimator| estimator.name()).collect();
            Error::parameter(option::ESTIMATOR, "there is none of that name")
                .with_fix(format!("choose one of {}", names.join(", ")))
        })
    }
}
