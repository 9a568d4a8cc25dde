//! Best of the known lower bounds on the error of any estimator.

use super::flips::flips;
use super::hodges_lehmann::hodges_lehmann;
use super::le_cam::le_cam;
use super::noise_rules::noise_rules;
use super::people::{People, ROUNDING};
use super::van_trees::van_trees;
use crate::{Neighbors, Setting, Target};

/// Returns a lower bound on the worst-case mean squared error of *any* estimator that keeps these
/// budgets, biased or not, whatever it knows of the profile; in squared units of the data. `None`
/// if no bound above zero is known.
///
/// It is the best of several bounds: without privacy (Hodges and Lehmann), from the information on
/// the mean that budgets let through (van Trees, personalised), from two points that cannot be told
/// apart (Le Cam), from Laplace noise, which is the best channel where noise rules, and, for the
/// mean of these very records, from records that change one after another.
///
/// With [`Neighbors::AddRemove`] a change of value may cost 2ε, and the bound is lower. For a
/// frequency the largest error over the categories is at least that of one share, so it is the
/// bound of a mean of values 0 and 1. A declared variance restricts the distributions (or, for the
/// targets that are the mean of the very records, the datasets) over which the worst case is
/// taken.
///
/// It allows for rounding: the true bound is not below the result.
///
/// `docs/mechanisms/lower-bounds.md` derives it.
///
/// # Example
///
/// ```
/// use suum_core::{Bounds, Estimator, Neighbors, Setting, Target, lower_bound};
///
/// let setting = Setting::new("1:1000".parse()?, Bounds::UNIT, Target::Population);
/// let risk = Estimator::Affine.design(&setting)?.risk(&setting).total();
/// let gap = risk / lower_bound(&setting, Neighbors::ReplaceOne).unwrap();
/// assert!((1.0..1.08).contains(&gap), "affine is nearly perfect here");
/// # Ok::<(), suum_core::Error>(())
/// ```
pub fn lower_bound(setting: &Setting, neighbors: Neighbors) -> Option<f64> {
    let people = People::from_profile(&setting.profile, neighbors);
    let (variance, target) = (setting.relative_variance(), setting.target);
    let known = van_trees(&people, variance, Target::Population);
    let best = hodges_lehmann(&people, variance, target)
        .max(if target == Target::Population {
            known
        } else {
            van_trees(&people, variance, target)
        })
        .max(le_cam(&people, variance, target))
        .max(flips(&people, variance, target))
        .max(noise_rules(&people, variance, target, known));
    let rmse = best * (1.0 - ROUNDING) * setting.bounds.width();
    Some(rmse * rmse).filter(|bound| *bound > 0.0)
}
