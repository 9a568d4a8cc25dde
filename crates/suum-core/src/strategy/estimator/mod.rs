//! Estimators: each proposes weights for a setting, with one file for each family.
//!
//! An estimator is covered by the project's laws (budgets never exceeded, exact risk, never better
//! than `auto`) by being listed in [`Estimator::ALL`].

pub(crate) mod affine;
mod designs;
mod hp;
mod local;
mod mixed;
mod proportional;
mod sample;
mod stretch;
mod threshold;
pub(crate) mod typical;
mod uniform;

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};

use crate::error::{Command, option, say};
use crate::{Design, Error, Result, Setting};

pub(crate) use designs::Designs;
pub use hp::HpVariant;
pub use typical::VARIANCE as TYPICAL_VARIANCE;

/// Rule for weighting records and adding noise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Estimator {
    /// Clipped weights, with the clip level that is optimal for the target.
    Affine,
    /// Clipped weights, with the clip level for values whose standard deviation is a quarter of the
    /// bounds. Means only.
    Typical,
    /// Equal weights for all records with at least one budget, the others discarded (CZ26
    /// Definition 6).
    Threshold,
    /// Equal weights for everybody at the strictest budget.
    Uniform,
    /// Weights proportional to ε (public records alone, if there are any).
    Proportional,
    /// Each level by itself at its own ε, combined by inverse variance (FGK21).
    Mixed,
    /// One ε for all, on a random sample (Jorgensen et al. 2015). For study.
    Sample,
    /// Values shrunk by ε/ε_max (Alaggan et al.). Means only; biased. For study.
    Stretch,
    /// Noise for every single record (local privacy).
    Local,
    /// One of the HPM family of CC24 Algorithm 2, for means.
    Hpm(HpVariant),
    /// One of the HPF family of CC24 Algorithm 1, for frequencies.
    Hpf(HpVariant),
}

/// Returns the refusal of a release by a published estimator that is for study.
///
/// ```
/// let refused = suum_core::for_study("sample");
/// assert!(refused.fix().unwrap().to_string().contains("suum-experiments"));
/// ```
pub fn for_study(estimator: &str) -> Error {
    Error::request(
        option::ESTIMATOR,
        format!("{estimator} is for study, and releases nothing here"),
    )
    .with_fix(
        say("choose auto; to study it, run").command(Command::Study(estimator.to_owned().into())),
    )
}

impl Estimator {
    /// All estimators, `affine` first: ties go to the earlier one.
    pub const ALL: [Estimator; 27] = [
        Estimator::Affine,
        Estimator::Typical,
        Estimator::Threshold,
        Estimator::Uniform,
        Estimator::Proportional,
        Estimator::Mixed,
        Estimator::Sample,
        Estimator::Stretch,
        Estimator::Local,
        Estimator::Hpm(HpVariant::A),
        Estimator::Hpm(HpVariant::Cp),
        Estimator::Hpm(HpVariant::Ce),
        Estimator::Hpm(HpVariant::Up),
        Estimator::Hpm(HpVariant::Ue),
        Estimator::Hpm(HpVariant::CpT),
        Estimator::Hpm(HpVariant::CeT),
        Estimator::Hpm(HpVariant::UpT),
        Estimator::Hpm(HpVariant::UeT),
        Estimator::Hpf(HpVariant::A),
        Estimator::Hpf(HpVariant::Cp),
        Estimator::Hpf(HpVariant::Ce),
        Estimator::Hpf(HpVariant::Up),
        Estimator::Hpf(HpVariant::Ue),
        Estimator::Hpf(HpVariant::CpT),
        Estimator::Hpf(HpVariant::CeT),
        Estimator::Hpf(HpVariant::UpT),
        Estimator::Hpf(HpVariant::UeT),
    ];

    /// Returns the name on the command line and in JSON.
    ///
    /// ```
    /// use suum_core::Estimator;
    ///
    /// for estimator in Estimator::ALL {
    ///     assert_eq!(estimator.name().parse::<Estimator>()?, estimator);
    /// }
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    pub fn name(self) -> &'static str {
        match self {
            Estimator::Affine => "affine",
            Estimator::Typical => "typical",
            Estimator::Threshold => "threshold",
            Estimator::Uniform => "uniform",
            Estimator::Proportional => "proportional",
            Estimator::Mixed => "mixed",
            Estimator::Sample => "sample",
            Estimator::Stretch => "stretch",
            Estimator::Local => "local",
            Estimator::Hpm(variant) => variant.name(),
            Estimator::Hpf(variant) => variant.frequency_name(),
        }
    }

    /// Returns a description in one line, for lists of estimators.
    pub fn describe(self) -> &'static str {
        match self {
            Estimator::Affine => "weights min(ε, τ), τ optimal for the target",
            Estimator::Typical => "weights min(ε, τ), τ for values of an ordinary spread",
            Estimator::Threshold => "drop all stricter than one ε, treat the rest alike",
            Estimator::Uniform => "everyone alike, at the strictest person's ε",
            Estimator::Proportional => "weights proportional to ε",
            Estimator::Mixed => "each tier at its own ε, combined by inverse variance",
            Estimator::Sample => "one ε for all, on a random sample of the stricter people",
            Estimator::Stretch => "values shrunk by ε over the largest ε; biased",
            Estimator::Local => "every record made private alone",
            Estimator::Hpm(variant) | Estimator::Hpf(variant) => variant.describe(),
        }
    }

    /// Returns true if the estimator is for frequencies (or, if not `frequency`, for means).
    pub fn serves(self, frequency: bool) -> bool {
        match self {
            Estimator::Hpm(_) | Estimator::Stretch | Estimator::Typical => !frequency,
            Estimator::Hpf(_) => frequency,
            _ => true,
        }
    }

    /// Returns true if this is a published estimator for comparison only: its weights and its exact
    /// risk are known, but no mechanism releases with it.
    ///
    /// `sample` draws while records are read, and `stretch` is biased however many data there are.
    /// The crate suum-experiments has mechanisms for both.
    pub fn is_for_study(self) -> bool {
        matches!(self, Estimator::Sample | Estimator::Stretch)
    }

    /// Returns true if its exact risk can be less than that of [`Affine`](Self::Affine), for
    /// estimators that are not for study; for frequencies, or if not `frequency`, for means.
    ///
    /// The risk of unbiased estimates is the sampling error of their weights, and their noise.
    /// `affine` has the least risk of all weights with one noise, whose scale is max w/ε. Others
    /// have a noise for each level or record, of which one has at least that scale. The other
    /// noises, which are independent, do not reduce the mean square of the sum, nor that of the
    /// largest of several sums, because both are convex; and noise that adds up to zero, which
    /// frequencies otherwise have, is less than independent noise. Only flipped bits can be less
    /// than the one noise, if one record has nearly all weight. With strata, the weights of both
    /// are found by a search.
    pub(crate) fn can_be_best(self, frequency: bool) -> bool {
        match self {
            Estimator::Typical => !frequency,
            Estimator::Local => frequency,
            // For nearly equal weights it computes the distance from equal ones with fewer digits.
            Estimator::Mixed => true,
            Estimator::Affine
            | Estimator::Threshold
            | Estimator::Uniform
            | Estimator::Proportional
            | Estimator::Sample
            | Estimator::Stretch
            | Estimator::Hpm(_)
            | Estimator::Hpf(_) => false,
        }
    }

    /// Returns the reason why it cannot hide who takes part, if it cannot.
    pub(crate) fn against_hiding(self) -> Option<&'static str> {
        match self {
            Estimator::Affine
            | Estimator::Typical
            | Estimator::Uniform
            | Estimator::Proportional => None,
            Estimator::Threshold => {
                Some("chooses its one ε by how many people allow it, which is private")
            }
            Estimator::Mixed => Some("weighs tiers by their sizes, which are private"),
            Estimator::Sample => {
                Some("divides by the expected number of records kept, which is private")
            }
            Estimator::Stretch | Estimator::Local => {
                Some("divides by the number of records, which is private")
            }
            Estimator::Hpm(_) | Estimator::Hpf(_) => {
                Some("has weights that depend on all budgets, which are private")
            }
        }
    }

    /// Refuses an estimator that is [for study](Self::is_for_study).
    pub(crate) fn check_releasable(self) -> Result<()> {
        if self.is_for_study() { Err(for_study(self.name())) } else { Ok(()) }
    }

    /// Returns the design of this estimator.
    ///
    /// # Errors
    ///
    /// Refuses a profile without usable records, and settings that the estimator makes no sense
    /// for.
    ///
    /// # Example
    ///
    /// ```
    /// use suum_core::{Bounds, Estimator, Setting, Target};
    ///
    /// let setting = Setting::new("0.001:10000,inf:12".parse()?, Bounds::UNIT, Target::Population);
    /// let design = Estimator::Affine.design(&setting)?;
    /// assert!((design.tau.unwrap() - 0.801).abs() < 1e-12, "public people keep all but 0.801");
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    pub fn design(self, setting: &Setting) -> Result<Design> {
        self.design_among(setting, &Designs::new(&setting.profile))
    }

    /// Returns the design of this estimator, sharing computations with the other estimators of the
    /// setting; see [`design`](Self::design).
    pub(crate) fn design_among(self, setting: &Setting, designs: &Designs) -> Result<Design> {
        setting.profile.check_usable()?;
        if !self.serves(setting.categories.is_some()) {
            let other = if setting.categories.is_some() { "means" } else { "frequencies" };
            return Err(Error::request(option::ESTIMATOR, format!("{self} is for {other}"))
                .with_fix("choose auto"));
        }
        if self == Estimator::Stretch
            && setting.profile.levels().last().is_some_and(|l| l.epsilon.is_public())
        {
            return Err(Error::request(
                option::ESTIMATOR,
                "stretch has no meaning with public records (it divides by the largest ε)",
            )
            .with_fix("choose another estimator, or give the public tier a finite ε"));
        }
        if !setting.strata.is_empty() && !matches!(self, Estimator::Affine | Estimator::Typical) {
            return Err(Error::request(
                option::ESTIMATOR,
                format!("{self} does not keep shares of strata"),
            )
            .with_fix("choose auto, affine or typical"));
        }
        Ok(match self {
            Estimator::Affine => affine::design(setting, designs),
            Estimator::Typical => typical::design(setting, designs)?,
            Estimator::Threshold => threshold::design(setting),
            Estimator::Uniform => uniform::design(setting),
            Estimator::Proportional => proportional::design(setting),
            Estimator::Mixed => mixed::design(setting),
            Estimator::Sample => sample::design(setting),
            Estimator::Stretch => stretch::design(setting),
            Estimator::Local => local::design(setting, designs),
            Estimator::Hpm(variant) | Estimator::Hpf(variant) => variant.design(setting, designs),
        })
    }
}

impl fmt::Display for Estimator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Estimator {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Self::ALL.into_iter().find(|estimator| estimator.name() == text).ok_or_else(|| {
            let offered = Self::ALL.iter().filter(|estimator| !estimator.is_for_study());
            let names: Vec<_> = offered.map(|estimator| estimator.name()).collect();
            Error::parameter(option::ESTIMATOR, "there is none of that name")
                .with_fix(format!("choose auto or one of {}", names.join(", ")))
        })
    }
}

/// Serializes the name; a derive would nest the variants of a family.
impl Serialize for Estimator {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}
