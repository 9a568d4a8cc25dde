//! Means and sums that first learn where the values lie.

use suum_core::{
    Bounds, Cells, CutOff, Error, Neighbors, Options, Profile, Randomness, Request, Result,
    Statistic, WeightedPlan,
};

use super::range::{enlarged, shaken};
use super::{Dataset, Registered, ends, promises};
use crate::people::{Column, Others, Pair, replacements};

/// A record moves over the whole bounds, over the end of the range that others need, or within it.
fn pairs(profile: &Profile) -> Vec<Pair> {
    replacements(
        profile,
        &[
            (Others::At(0.1), 0.0, 1.0),
            (Others::InTurn(0.1, 0.2), 0.15, 1.0),
            (Others::InTurn(0.4, 0.6), 0.4, 0.6),
            (Others::InTurn(0.0, 1.0), 0.0, 0.5),
        ],
    )
}

pub(super) fn all(profile: &Profile) -> Result<Vec<Registered>> {
    let mut subjects = Vec::new();
    for statistic in [Statistic::Mean, Statistic::Sum] {
        let options = Options { adapt: true, ..Options::default() };
        let request = Request::new(statistic, Bounds::UNIT, options)?;
        let planned =
            |profile: Profile| -> Result<WeightedPlan> {
                let plan = request.plan(profile)?;
                match plan.adaptive() {
                    Some(_) => Ok(plan),
                    None => Err(Error::request("profile: too few to learn from")
                        .with_hint("take more of them")),
                }
            };
        let Some((profile, plan)) = enlarged(profile, planned) else { continue };
        let promises =
            promises(&profile, |position| plan.loss_of(profile.levels()[position].epsilon));
        let column = Column::everything(Cells::of_sums());
        let draw = move |dataset: &Dataset, randomness: &mut Randomness| {
            let release = plan.clone().release(dataset.table.clone(), randomness)?;
            let (lower, upper) = ends(release.interval());
            let mut seen = vec![release.estimate(), lower, upper];
            seen.extend(release.spread().map(|spread| spread.variance));
            let cut_off = |cut: Option<CutOff>| cut.map_or(f64::NAN, |cut| cut.estimate);
            seen.extend(release.learned_range().into_iter().flat_map(|learned| {
                let bounds = learned.bounds;
                [bounds.lower(), bounds.upper(), cut_off(learned.below), cut_off(learned.above)]
            }));
            Ok(seen)
        };
        let named = (statistic.name(), "adaptive", Neighbors::ReplaceOne);
        let pairs = shaken(pairs(&profile));
        let table = |people: &[_]| column.table(people);
        subjects.push(Registered::new(named, promises, pairs, table, Box::new(draw))?);
    }
    Ok(subjects)
}
