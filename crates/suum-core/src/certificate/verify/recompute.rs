//! Cost of an entry of a certificate, recomputed from the sensitivity of its question.
//!
//! This is a second computation on purpose: it shares no code with the mechanisms, the plans and
//! the account of a session.

use dashu_int::UBig;
use dashu_ratio::RBig;

use super::entry::{LevelEntry, MeasurementEntry};
use super::exact::Exact;
use super::question::{Distribution, Question, RankMethod};
use super::ranks;
use super::record::Noise;
use crate::{Loss, Neighbors};

impl MeasurementEntry {
    /// Returns the fault of the entry itself, if any.
    pub(crate) fn fault(&self, neighbors: Neighbors) -> Option<String> {
        if self.neighbors != neighbors {
            return Some(format!(
                "it is for the neighbours {}, the release for {}",
                self.neighbors.name(),
                neighbors.name()
            ));
        }
        if self.distribution != self.question.distribution(neighbors) {
            return Some("its question is not answered with this distribution".to_owned());
        }
        let Some(sensitivity) = self.question.sensitivity(self.neighbors, self.scale.as_ref())
        else {
            return Some("its question is not one for these neighbours".to_owned());
        };
        if sensitivity != self.sensitivity.0 {
            return Some(format!(
                "its sensitivity is {sensitivity}, and {} is listed",
                self.sensitivity.0
            ));
        }
        if let Question::Ranks { rows, parts, asked, draws } = &self.question
            && let Some(fault) = ranks::fault(draws, *rows, (*asked, *parts), self.neighbors)
        {
            return Some(fault);
        }
        if !self.levels.windows(2).all(|pair| pair[0].epsilon <= pair[1].epsilon) {
            return Some("its levels are not in ascending order".to_owned());
        }
        self.levels.iter().find_map(|level| self.fault_of(level))
    }

    fn fault_of(&self, level: &LevelEntry) -> Option<String> {
        let is_integer = |number: &Exact| *number.0.denominator() == UBig::ONE;
        let all = [Some(&level.weight), level.scale.as_deref(), self.scale.as_ref()];
        if !all.into_iter().flatten().all(is_integer) {
            return Some("a weight or a scale is no integer".to_owned());
        }
        let is_response = self.distribution == Distribution::RandomizedResponse;
        let scales = [level.scale.is_some(), self.scale.is_some(), level.response.is_some()];
        let said = scales.iter().filter(|said| **said).count();
        let is_used = level.weight.0 != RBig::ZERO;
        if is_used && (said != 1 || is_response != level.response.is_some()) {
            return Some(format!("the noise of the level {} is not listed", level.epsilon));
        }
        if is_response && is_used && level.weight.0 != RBig::ONE {
            return Some("a record answers once".to_owned());
        }
        None
    }

    /// Returns the cost for a record of this level.
    pub(crate) fn loss(&self, level: &LevelEntry) -> Loss {
        if level.weight.0 == RBig::ZERO {
            return Loss::ZERO;
        }
        // A changed record changes two indicators, each of which is flipped with half of this ε.
        if let Some(response) = level.response {
            return response.exact().map_or(Loss::Unlimited, Loss::Finite);
        }
        match level.scale.as_deref().or(self.scale.as_ref()) {
            Some(Exact(scale)) if *scale != RBig::ZERO => {
                Loss::Finite(&level.weight.0 * &self.sensitivity.0 / scale)
            }
            _ => Loss::Unlimited,
        }
    }
}

impl Noise {
    /// Returns the fault of a release's statement of its noise, if any: some measurement must have
    /// such noise.
    pub(crate) fn fault(&self, measurements: &[MeasurementEntry]) -> Option<String> {
        // Exact numbers have no measurements.
        if measurements.is_empty() || measurements.iter().any(|entry| self.is_of(entry)) {
            return None;
        }
        let scale = self.scale.as_ref().map_or_else(String::new, |scale| scale.0.to_string());
        let distribution = self.distribution.as_deref().unwrap_or("unknown");
        Some(format!("noise: no measurement is {distribution} of scale {scale} on such a grid"))
    }

    /// Returns true if the measurement has this noise.
    fn is_of(&self, entry: &MeasurementEntry) -> bool {
        let levels = entry.levels.iter().filter_map(|level| level.scale.as_deref());
        let mut scales = entry.scale.iter().chain(levels);
        let is_zero = |scale: &Exact| scale.0 == RBig::ZERO;
        let (scale, distribution) = (self.scale.as_ref(), self.distribution.as_deref());
        let has_scale = match (scale, distribution) {
            (None, _) => false,
            (Some(scale), Some("randomized-response")) => is_zero(scale),
            // Only public records are used, or none.
            (Some(scale), Some("none")) => is_zero(scale) && scales.all(is_zero),
            (Some(scale), _) => scales.any(|listed| listed == scale),
        };
        let together = matches!(&entry.question, Question::Ranks { draws, .. }
            if draws.iter().any(|draw| draw.method == RankMethod::Recursion));
        let named = match (entry.distribution, distribution) {
            (Distribution::RandomizedResponse, Some("none")) => false,
            (_, Some("none")) => true,
            (Distribution::DiscreteLaplace, Some("discrete-laplace")) => true,
            (Distribution::SumZeroLaplace, Some("sum-zero-laplace")) => true,
            (Distribution::TwoSlopes, Some("two-slopes")) => true,
            (Distribution::RandomizedResponse, Some("randomized-response")) => true,
            (Distribution::Choices, Some("permute-and-flip")) => !together,
            (Distribution::Choices, Some("choices")) => together,
            _ => false,
        };
        has_scale && named && self.grid == entry.question.grid()
    }
}
