//! Personalised van Trees bound, from the information on the mean that budgets let through.

use super::information::{Family, Prior};
use super::people::{People, ROUNDING, pair_width};
use crate::Target;
use crate::arithmetic::least::least_at;

/// Returns a lower bound on the worst-case RMSE, in units of the range.
///
/// # Formula
///
/// For every [`Family`] of distributions, on values h′ apart, with I the information that budgets
/// let through on the mean: the RMSE is at least h′/√(I + 4π²/(pδ)²), the van Trees inequality with
/// the prior `Cosine`, and at least h′/(√I + 2/(pδ)) with the prior `Uniform`, whose ends cost
/// 2/(pδ) times the error there. The first is better where the error is small. Every h′ from 2σ to
/// the range is valid with p = 4σ²/h′², which keeps the variance at σ²; so is every δ. The best is
/// searched for.
///
/// The mean x̄ of all n records differs from the mean of the distribution by a standard deviation
/// of at most ½h′/√n. For the prior `Cosine` more is true: with V = (1 − E θ²)/(4n) and w = δ·√q +
/// π/(2δ), an RMSE of D against x̄ has D² + 2Dw/n + V ≥ 1/(I + J), solved for D. There, p = 1 and
/// h′ = 2σ, so that no dataset has a larger variance.
///
/// `docs/mechanisms/lower-bounds.md` derives it.
pub(super) fn van_trees(people: &People, variance: f64, target: Target) -> f64 {
    let with = |prior| best_of_prior(people, variance, target, prior);
    with(Prior::Cosine).max(with(Prior::Uniform))
}

fn best_of_prior(people: &People, variance: f64, target: Target, prior: Prior) -> f64 {
    let coarse = people.coarse(SEARCHED);
    let narrow = pair_width(variance);
    let at = |people: &People, width: f64, logit: f64| {
        let mass = (narrow / width * (narrow / width)).min(1.0);
        let family = Family { mass, delta: logistic(logit), rest: logistic(-logit), prior };
        width * relative(people, &family, target)
    };
    let best_logit = |width: f64| peak(LOGITS, |logit| at(&coarse, width, logit));
    let width = if narrow < 1.0 && target == Target::Population {
        let log = peak((narrow.ln(), 0.0, WIDTHS), |log| {
            let width = log.exp();
            at(&coarse, width, best_logit(width))
        });
        log.exp().clamp(narrow, 1.0)
    } else {
        narrow
    };
    at(people, width, best_logit(width))
}

/// Number of levels that the search uses; the best bound is then computed with all of them.
const SEARCHED: usize = 64;

/// Range and number of steps of x with δ = 1/(1 + e^−x): with 2^63 records the best δ is about
/// 10^-5.
const LOGITS: (f64, f64, u32) = (-24.0, 16.0, 40);

/// Number of widths that are tried before golden sections.
const WIDTHS: u32 = 8;

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// Returns the bound for one family, in units of the width of its values.
fn relative(people: &People, family: &Family, target: Target) -> f64 {
    let information = family.release_information(people);
    let (n, delta) = (people.records() as f64, family.delta);
    // Half the width of the range of means.
    let half = family.mass * delta / 2.0;
    if family.prior == Prior::Uniform {
        return People::for_target(target, 1.0 / (information.sqrt() + 1.0 / half), 0.5 / n.sqrt());
    }
    let of_prior = std::f64::consts::PI / half;
    let square = 1.0 / (information + of_prior * of_prior);
    if target == Target::Population {
        return square.sqrt();
    }
    let spread = family.prior.moments()[0].sqrt() * delta;
    let excess = square * (1.0 - ROUNDING) - (1.0 - spread * spread) / (4.0 * n);
    if excess <= 0.0 {
        return 0.0;
    }
    let drift = (spread + std::f64::consts::PI / (2.0 * delta)) / n;
    excess / (drift + (drift * drift + excess).sqrt())
}

/// Returns the approximate maximum of `function`: the best of steps from `low` to `high`, then
/// golden sections around it.
fn peak((low, high, steps): (f64, f64, u32), function: impl Fn(f64) -> f64) -> f64 {
    let step = (high - low) / f64::from(steps);
    let places = (0..=steps).map(|i| low + step * f64::from(i));
    let (best, value) = places
        .map(|place| (place, function(place)))
        .fold((low, f64::NEG_INFINITY), |best, here| if here.1 > best.1 { here } else { best });
    let top = least_at((best - step).max(low), (best + step).min(high), SECTIONS, |x| -function(x));
    if function(top) > value { top } else { best }
}

/// Number of golden sections: 0.3 % of a step remains, at a flat maximum.
const SECTIONS: usize = 12;
