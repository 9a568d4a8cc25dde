//! The HPM and HPF families of CC24 (Algorithms 1 and 2, Tables 1 and 3).

use super::designs::Designs;
use crate::strategy::weights::l1;
use crate::{Design, Setting, Weights};

/// Variant of HPM or HPF: the setting and the error of its published objective.
///
/// C and U stand for the correlated and the uncorrelated setting, P and E for PAC error at level β
/// and mean squared error; T replaces ‖w − 1/n‖₁² by n·‖w − 1/n‖₂² (CC24 section 5, "efficient
/// versions").
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum HpVariant {
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
    /// [`HpVariant::Cp`] with the squared distance.
    CpT,
    /// [`HpVariant::Ce`] with the squared distance.
    CeT,
    /// [`HpVariant::Up`] with the squared distance.
    UpT,
    /// [`HpVariant::Ue`] with the squared distance.
    UeT,
}

impl HpVariant {
    pub(super) fn name(self) -> &'static str {
        match self {
            HpVariant::A => "hpm-a",
            HpVariant::Cp => "hpm-cp",
            HpVariant::Ce => "hpm-ce",
            HpVariant::Up => "hpm-up",
            HpVariant::Ue => "hpm-ue",
            HpVariant::CpT => "hpm-cp-t",
            HpVariant::CeT => "hpm-ce-t",
            HpVariant::UpT => "hpm-up-t",
            HpVariant::UeT => "hpm-ue-t",
        }
    }

    pub(super) fn frequency_name(self) -> &'static str {
        match self {
            HpVariant::A => "hpf-a",
            HpVariant::Cp => "hpf-cp",
            HpVariant::Ce => "hpf-ce",
            HpVariant::Up => "hpf-up",
            HpVariant::Ue => "hpf-ue",
            HpVariant::CpT => "hpf-cp-t",
            HpVariant::CeT => "hpf-ce-t",
            HpVariant::UpT => "hpf-up-t",
            HpVariant::UeT => "hpf-ue-t",
        }
    }

    pub(super) fn describe(self) -> &'static str {
        match self {
            HpVariant::A => "weights proportional to 1 − exp(−ε)",
            HpVariant::Cp => "made for correlated budgets, PAC error",
            HpVariant::Ce => "made for correlated budgets, squared error",
            HpVariant::Up => "made for uncorrelated budgets, PAC error",
            HpVariant::Ue => "made for uncorrelated budgets, squared error",
            HpVariant::CpT => "the cp variant with the squared distance",
            HpVariant::CeT => "the ce variant with the squared distance",
            HpVariant::UpT => "the up variant with the squared distance",
            HpVariant::UeT => "the ue variant with the squared distance",
        }
    }

    /// Returns the noise factor L of r_C and r_U: ln(k/β) for PAC error; for squared error ln k, or
    /// 1 for a mean.
    fn noise_factor(self, setting: &Setting) -> f64 {
        let k = setting.categories.map(|categories| categories as f64);
        match self {
            HpVariant::Cp | HpVariant::Up | HpVariant::CpT | HpVariant::UpT => {
                (k.unwrap_or(1.0) / setting.beta).ln()
            }
            HpVariant::A | HpVariant::Ce | HpVariant::Ue | HpVariant::CeT | HpVariant::UeT => {
                k.map_or(1.0, f64::ln)
            }
        }
    }

    fn uncorrelated(self) -> bool {
        matches!(self, HpVariant::Up | HpVariant::Ue | HpVariant::UpT | HpVariant::UeT)
    }

    fn squared_distance(self) -> bool {
        matches!(self, HpVariant::CpT | HpVariant::CeT | HpVariant::UpT | HpVariant::UeT)
    }

    /// Returns the correlated variant, which minimises the first branch of this one's objective.
    pub(super) fn by_distance(self) -> Self {
        match self {
            HpVariant::Up => HpVariant::Cp,
            HpVariant::Ue => HpVariant::Ce,
            HpVariant::UpT => HpVariant::CpT,
            HpVariant::UeT => HpVariant::CeT,
            HpVariant::A | HpVariant::Cp | HpVariant::Ce | HpVariant::CpT | HpVariant::CeT => self,
        }
    }

    /// Returns the variant whose objective has the same second branch, for an uncorrelated one.
    fn by_norm(self) -> Self {
        match self {
            HpVariant::UpT => HpVariant::Up,
            HpVariant::UeT => HpVariant::Ue,
            _ => self,
        }
    }

    /// Returns the design; branches that variants share are computed once.
    pub(super) fn design(self, setting: &Setting, designs: &Designs) -> Design {
        if self == HpVariant::A {
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
