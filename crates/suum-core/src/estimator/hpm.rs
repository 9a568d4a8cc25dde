//! The HPM and HPF families of CC24 (Algorithms 1 and 2, Tables 1 and 3).

use super::designs::Designs;
use crate::weights::l1;
use crate::{Design, Setting, Weights};

/// A variant of HPM or HPF: for which setting and error its published objective was made.
///
/// C and U stand for the correlated and the uncorrelated setting, P and E for PAC error at level β
/// and mean squared error; T replaces ‖w − 1/n‖₁² by n·‖w − 1/n‖₂² (CC24 section 5, "efficient
/// versions").
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Hpm {
    /// Weights ∝ 1 − exp(−ε), agnostic of setting and error.
    A,
    /// Correlated, PAC.
    Cp,
    /// Correlated, mean squared error.
    Ce,
    /// Uncorrelated, PAC.
    Up,
    /// Uncorrelated, mean squared error.
    Ue,
    /// [`Hpm::Cp`] with the squared distance.
    CpT,
    /// [`Hpm::Ce`] with the squared distance.
    CeT,
    /// [`Hpm::Up`] with the squared distance.
    UpT,
    /// [`Hpm::Ue`] with the squared distance.
    UeT,
}

impl Hpm {
    pub(super) fn name(self) -> &'static str {
        match self {
            Hpm::A => "hpm-a",
            Hpm::Cp => "hpm-cp",
            Hpm::Ce => "hpm-ce",
            Hpm::Up => "hpm-up",
            Hpm::Ue => "hpm-ue",
            Hpm::CpT => "hpm-cp-t",
            Hpm::CeT => "hpm-ce-t",
            Hpm::UpT => "hpm-up-t",
            Hpm::UeT => "hpm-ue-t",
        }
    }

    pub(super) fn frequency_name(self) -> &'static str {
        match self {
            Hpm::A => "hpf-a",
            Hpm::Cp => "hpf-cp",
            Hpm::Ce => "hpf-ce",
            Hpm::Up => "hpf-up",
            Hpm::Ue => "hpf-ue",
            Hpm::CpT => "hpf-cp-t",
            Hpm::CeT => "hpf-ce-t",
            Hpm::UpT => "hpf-up-t",
            Hpm::UeT => "hpf-ue-t",
        }
    }

    pub(super) fn describe(self) -> &'static str {
        match self {
            Hpm::A => "weights proportional to 1 − exp(−ε)",
            Hpm::Cp => "made for correlated budgets, PAC error",
            Hpm::Ce => "made for correlated budgets, squared error",
            Hpm::Up => "made for uncorrelated budgets, PAC error",
            Hpm::Ue => "made for uncorrelated budgets, squared error",
            Hpm::CpT => "the cp variant with the squared distance",
            Hpm::CeT => "the ce variant with the squared distance",
            Hpm::UpT => "the up variant with the squared distance",
            Hpm::UeT => "the ue variant with the squared distance",
        }
    }

    /// The noise factor L of r_C and r_U: ln(k/β) for PAC error; for squared error ln k, or 1 for a
    /// mean.
    fn noise_factor(self, setting: &Setting) -> f64 {
        let k = setting.categories.map(|categories| categories as f64);
        match self {
            Hpm::Cp | Hpm::Up | Hpm::CpT | Hpm::UpT => {
                (k.unwrap_or(1.0) / setting.options.beta).ln()
            }
            Hpm::A | Hpm::Ce | Hpm::Ue | Hpm::CeT | Hpm::UeT => k.map_or(1.0, f64::ln),
        }
    }

    fn uncorrelated(self) -> bool {
        matches!(self, Hpm::Up | Hpm::Ue | Hpm::UpT | Hpm::UeT)
    }

    fn squared_distance(self) -> bool {
        matches!(self, Hpm::CpT | Hpm::CeT | Hpm::UpT | Hpm::UeT)
    }

    /// The variant that has one of the two branches of this one, or the only one.
    pub(super) fn by_distance(self) -> Self {
        match self {
            Hpm::Up => Hpm::Cp,
            Hpm::Ue => Hpm::Ce,
            Hpm::UpT => Hpm::CpT,
            Hpm::UeT => Hpm::CeT,
            Hpm::A | Hpm::Cp | Hpm::Ce | Hpm::CpT | Hpm::CeT => self,
        }
    }

    /// That with the same second branch, of an uncorrelated one.
    fn by_norm(self) -> Self {
        match self {
            Hpm::UpT => Hpm::Up,
            Hpm::UeT => Hpm::Ue,
            _ => self,
        }
    }

    /// What is proposed; what variants have in common is worked out once.
    pub(super) fn design(self, setting: &Setting, designs: &Designs) -> Design {
        if self == Hpm::A {
            let weights =
                Weights::proportional_to(&setting.profile, |epsilon| -(-epsilon).exp_m1());
            return Design::weighted(weights);
        }
        let factor = self.noise_factor(setting);
        let same = self.by_distance().name();
        let by_distance = designs.once(same, || self.distance_branch(setting, designs, factor));
        if !self.uncorrelated() {
            return by_distance;
        }
        // r_U² takes the smaller of two sampling terms, so its minimum is the smaller of two
        // minima.
        let same = self.by_norm().name();
        let by_norm = designs.once(same, || norm_branch(setting, designs, factor));
        if by_norm.objective < by_distance.objective { by_norm } else { by_distance }
    }

    /// Minimises ‖w − 1/n‖₁² + L²·max(w/ε)² (CC24 equation (6)), or n·‖w − 1/n‖₂² + L²·max(w/ε)².
    fn distance_branch(self, setting: &Setting, designs: &Designs, factor: f64) -> Design {
        let profile = &setting.profile;
        let n = setting.records();
        let squared = self.squared_distance();
        let tau = if squared {
            designs.clip_level(factor * factor / n)
        } else {
            l1::clip_level(profile, factor)
        };
        let mut design = Design::clipped(setting, tau);
        let distance = if squared {
            n * design.weights.squared_distance(profile)
        } else {
            design.weights.distance(profile).powi(2)
        };
        design.objective = Some(distance + noise_term(setting, &design, factor));
        design
    }
}

/// Minimises L·‖w‖₂² + L²·max(w/ε)² (CC24 equation (7), second branch).
fn norm_branch(setting: &Setting, designs: &Designs, factor: f64) -> Design {
    let mut design = Design::clipped(setting, designs.clip_level(factor));
    let norm = factor * design.weights.squared_norm(&setting.profile);
    design.objective = Some(norm + noise_term(setting, &design, factor));
    design
}

fn noise_term(setting: &Setting, design: &Design, factor: f64) -> f64 {
    (factor * design.weights.noise(&setting.profile)).powi(2)
}
