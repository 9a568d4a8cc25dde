//! Statistics of numbers without a choice of weights, and several statistics from one budget.

use suum_core::{
    Cells, Estimand, Neighbors, Options, Profile, Randomness, Request, Result, Split, Statistics,
    SummaryPlan,
};

use super::quantile::CANDIDATES;
use super::{Dataset, RegisteredMechanism, certified};
use crate::people::{Column, Others, Pair, replacements};

/// Pairs with a change of the value alone, and with one of its square as well.
fn pairs(profile: &Profile) -> Vec<Pair> {
    replacements(
        profile,
        &[
            (Others::At(0.5), 0.5, 1.0),
            (Others::At(0.5), 0.0, 1.0),
            (Others::InTurn(0.0, 1.0), 0.5, 1.0),
        ],
    )
}

/// Statistics that need nothing but their column, except means and sums, which have estimators, and
/// a count, which is exact.
pub(super) fn plain() -> impl Iterator<Item = Estimand> {
    let has_weights = |asked: &Estimand| !asked.is_mean_or_sum() && *asked != Estimand::Count;
    Estimand::PLAIN.into_iter().filter(has_weights)
}

pub(super) fn all(profile: &Profile) -> Result<Vec<RegisteredMechanism>> {
    let mut subjects = Vec::new();
    let column = Column::everything(Cells::new(CANDIDATES)?);
    let Column::Numbers(numbers) = &column else { return Ok(subjects) };
    for asked in plain() {
        let request = Request { asked, options: Options::default() };
        let Ok(plan) = request.plan(profile.clone(), *numbers) else { continue };
        let pairs = pairs(profile);
        let first =
            plan.clone().release(column.table(&pairs[0].one)?, &mut Randomness::insecure(0))?;
        let promises = certified(&first.privacy, profile);
        let draw = move |dataset: &Dataset, randomness: &mut Randomness| {
            let release = plan.clone().release(dataset.table.clone(), randomness)?;
            let mut seen: Vec<f64> = release.estimates.iter().map(|one| one.estimate).collect();
            seen.extend(release.interval().map(|interval| interval.upper));
            Ok(seen)
        };
        let named = (request.statistic(), "affine", Neighbors::ReplaceOne);
        subjects.push(RegisteredMechanism::new(
            named,
            promises,
            pairs,
            |people| column.table(people),
            Box::new(draw),
        )?);
    }
    let statistics: Statistics = "mean,variance,q50".parse()?;
    let split = Split::even(&statistics);
    if let Ok(plan) =
        SummaryPlan::new(statistics, *numbers, profile.clone(), split, &Options::default())
    {
        let pairs = pairs(profile);
        let first =
            plan.clone().release(column.table(&pairs[0].one)?, &mut Randomness::insecure(0))?;
        let promises = certified(&first.privacy, profile);
        let draw = move |dataset: &Dataset, randomness: &mut Randomness| {
            let release = plan.clone().release(dataset.table.clone(), randomness)?;
            Ok(release.estimates.iter().map(|one| one.estimate).collect())
        };
        let named = ("summary", "auto", Neighbors::ReplaceOne);
        subjects.push(RegisteredMechanism::new(
            named,
            promises,
            pairs,
            |people| column.table(people),
            Box::new(draw),
        )?);
    }
    Ok(subjects)
}
