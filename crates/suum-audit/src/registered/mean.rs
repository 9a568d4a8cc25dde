//! Means inside declared bounds, by every estimator.

use suum_core::{
    Bounds, Choice, Estimator, Neighbors, Options, Profile, Randomness, Result, Statistic,
    WeightedPlan, WeightedRequest,
};

use super::{Dataset, RegisteredMechanism, certified, ends};
use crate::exact;
use crate::people::{Column, Others, Pair, replacements};

/// Pairs in which a record moves over the whole bounds, or from far outside to far outside, among
/// others with equal or different values.
pub(super) fn pairs(profile: &Profile) -> Vec<Pair> {
    replacements(
        profile,
        &[
            (Others::At(0.0), 0.0, 1.0),
            (Others::At(1.0), 0.0, 1.0),
            (Others::InTurn(0.0, 1.0), 0.0, 1.0),
            (Others::At(0.5), -1e300, 1e300),
            // The spread moves as well.
            (Others::InTurn(0.0, 1.0), 0.0, 0.5),
        ],
    )
}

pub(super) fn all(profile: &Profile) -> Result<Vec<RegisteredMechanism>> {
    let mut subjects = Vec::new();
    let released = |estimator: &Estimator| estimator.serves(false) && !estimator.is_for_study();
    for estimator in Estimator::ALL.into_iter().filter(released) {
        let options = Options { estimator: Choice::Named(estimator), ..Options::default() };
        let request = WeightedRequest::new(Statistic::Mean, Bounds::UNIT, options)?;
        // Estimators that make no sense for the profile are left out, as in `auto` of the plan.
        let Ok(plan) = request.plan(profile.clone()) else { continue };
        subjects.push(subject(profile, plan)?);
    }
    Ok(subjects)
}

fn subject(profile: &Profile, plan: WeightedPlan) -> Result<RegisteredMechanism> {
    let column = Column::with_squares();
    let pairs = pairs(profile);
    let name = plan.chosen().estimator.name();
    let planned = plan.clone();
    let release = move |dataset: &Dataset, randomness: &mut Randomness| {
        planned.clone().release(dataset.table.clone(), randomness)
    };
    let first = Dataset::new(pairs[0].one.clone(), column.table(&pairs[0].one)?);
    let promises = certified(&release(&first, &mut Randomness::insecure(0))?.privacy, profile);
    let draw = move |dataset: &Dataset, randomness: &mut Randomness| {
        let release = release(dataset, randomness)?;
        let (lower, upper) = ends(release.interval());
        let spread = release.spread().map(|spread| spread.variance);
        Ok([release.estimate(), lower, upper].into_iter().chain(spread).collect())
    };
    let named = ("mean", name, Neighbors::ReplaceOne);
    let subject = RegisteredMechanism::new(
        named,
        promises,
        pairs,
        |people| column.table(people),
        Box::new(draw),
    )?;
    Ok(subject.with_exact(Box::new(move |one, other| exact::loss(&plan, &one.table, &other.table))))
}
