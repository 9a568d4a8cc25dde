//! A variance.

use suum_core::Target;

use super::Method;
use crate::figures::significant;
use crate::html::sources::Source;

impl Method {
    /// Of a variance.
    pub(crate) fn of_variance(target: Target, tau: f64) -> Self {
        let mut method = Self::default();
        method.say(
            "Estimator: affine. The values are moved to u between −1 and 1. Two noisy \
            weighted means, of u and of u², are made together:",
        );
        method.formula("m_1 = Σ_i w_i u_i + K_1");
        method.formula("m_2 = Σ_i w_i u_i^2 + K_2");
        method.formula("w_i = {min(ε_i, τ)}/{Σ_j min(ε_j, τ)}");
        method.say("K are two noises of the same scale η. From them the variance is");
        match target {
            Target::Population => method.formula("{m_2 − m_1^2 + 2 η^2}/{1 − Σ_i w_i^2}"),
            Target::Dataset | Target::DatasetCorrelated => {
                method.formula("{n − 1}/{n} {m_2 − m_1^2 + 2 η^2}/{1 − Σ_i w_i^2}");
            }
        }
        method.say(&format!(
            "in units of half the width of the bounds, squared. τ = {} is the clip level of least \
            error at the distribution whose variance is hardest to sample.",
            significant(tau, 4)
        ));
        method.say(
            "Replacing u by v moves the two sums by |u − v| and |u² − v²|, together by at \
            most 9/4. So somebody of weight w loses",
        );
        method.formula("{9 w}/{4 η}");
        method.integers();
        method.sources.push(Source::Cc23);
        method
    }
}
