//! Two quantiles of a few candidates, by every estimator, and three of them together.

use suum_core::{
    Bounds, Cells, Neighbors, Profile, QuantileChoice, QuantileEstimator, QuantileMethod,
    QuantileOptions, QuantileRequest, Randomness, Rank, Result,
};

use super::{Dataset, Registered, certified, ends};
use crate::people::{Column, Others, Pair, replacements};

/// So few candidates that each of them is drawn often.
pub(super) const CANDIDATES: u32 = 8;

pub(super) fn ranks() -> Result<Vec<Rank>> {
    Ok(vec![Rank::MEDIAN, "0.9".parse()?])
}

/// A record crosses all candidates, or half of them, among others at one of them or at both ends.
pub(super) fn pairs(profile: &Profile) -> Vec<Pair> {
    replacements(
        profile,
        &[
            (Others::At(0.5), 0.0, 1.0),
            (Others::InTurn(0.0, 1.0), 0.0, 1.0),
            (Others::InTurn(0.25, 0.75), 0.5, 1.0),
        ],
    )
}

pub(super) fn all(profile: &Profile) -> Result<Vec<Registered>> {
    let cells = Cells::new(CANDIDATES)?;
    let column = Column::everything(cells);
    let mut subjects = Vec::new();
    let alone = QuantileEstimator::ALL
        .into_iter()
        .map(|estimator| (estimator.name(), estimator, QuantileMethod::Even));
    let together = [QuantileMethod::Recursion, QuantileMethod::Histogram]
        .map(|method| (method.name(), QuantileEstimator::Weighted, method));
    for (name, estimator, method) in alone.chain(together) {
        let options = QuantileOptions {
            estimator: QuantileChoice::Named(estimator),
            method: Some(method),
            ..Default::default()
        };
        let ranks = match method {
            QuantileMethod::Even => ranks()?,
            QuantileMethod::Recursion | QuantileMethod::Histogram => {
                vec!["0.25".parse()?, Rank::MEDIAN, "0.75".parse()?]
            }
        };
        let request = QuantileRequest::new(Bounds::UNIT, cells, ranks, options)?;
        let Ok(plan) = request.plan(profile.clone()) else { continue };
        let pairs = pairs(profile);
        let first =
            plan.clone().release(column.table(&pairs[0].one)?, &mut Randomness::insecure(0))?;
        let promises = certified(&first.privacy, profile);
        let draw = move |dataset: &Dataset, randomness: &mut Randomness| {
            let release = plan.clone().release(dataset.table.clone(), randomness)?;
            let seen = |quantile: &suum_core::Estimate| {
                let (lower, upper) = ends(quantile.interval);
                [quantile.estimate, lower, upper]
            };
            Ok(release.estimates.iter().flat_map(seen).collect())
        };
        let named = ("quantile", name, Neighbors::ReplaceOne);
        subjects.push(Registered::new(
            named,
            promises,
            pairs,
            |people| column.table(people),
            Box::new(draw),
        )?);
    }
    Ok(subjects)
}
