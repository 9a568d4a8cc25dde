//! Means and sums that first learn where the values lie.

use suum_core::{
    Bounds, Cells, CutOff, DeclaredBudgets, Error, Neighbors, Options, Profile, Randomness,
    Release, Request, Result, Statistic, WeightedPlan, WeightedRequest, option,
};

use super::add_remove::promises as promises_of_all;
use super::range::{enlarged, shaken};
use super::{Dataset, RegisteredMechanism, ends, promises};
use crate::people::{Column, Others, Pair, arrivals, replacements};

/// Pairs in which a record moves over the whole bounds, over the end of the range that others need,
/// or within it.
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

pub(super) fn all(profile: &Profile) -> Result<Vec<RegisteredMechanism>> {
    let mut subjects = Vec::new();
    for statistic in [Statistic::Mean, Statistic::Sum] {
        let options = Options { adapt: true, ..Options::default() };
        let request = WeightedRequest::new(statistic, Bounds::UNIT, options)?;
        let planned = |profile: Profile| -> Result<WeightedPlan> {
            let plan = request.plan(profile)?;
            match plan.adaptive() {
                Some(_) => Ok(plan),
                None => Err(Error::request(option::PROFILE, "too few to learn from")
                    .with_fix("take more of them")),
            }
        };
        let Some((profile, plan)) = enlarged(profile, planned) else { continue };
        let promises =
            promises(&profile, |position| plan.loss_of(profile.levels()[position].epsilon));
        let column = Column::everything(Cells::for_sums());
        let draw = move |dataset: &Dataset, randomness: &mut Randomness| {
            plan.clone().release(dataset.table.clone(), randomness).map(|release| seen(&release))
        };
        let named = (statistic.name(), "adaptive", Neighbors::ReplaceOne);
        let pairs = shaken(pairs(&profile));
        let table = |people: &[_]| column.table(people);
        subjects.push(RegisteredMechanism::new(named, promises, pairs, table, Box::new(draw))?);
    }
    for neighbors in [Neighbors::AddRemove, Neighbors::Both] {
        for is_sum in [false, true] {
            subjects.extend(add_remove(profile, neighbors, is_sum)?);
        }
    }
    Ok(subjects)
}

/// Mechanism under hidden participation, for so many people that they have a learned range, if
/// there can be so many.
fn add_remove(
    profile: &Profile,
    neighbors: Neighbors,
    is_sum: bool,
) -> Result<Option<RegisteredMechanism>> {
    let levels = profile.levels().iter().map(|level| level.epsilon).enumerate();
    let tiers = levels.map(|(at, budget)| (format!("tier {at}"), budget));
    let budgets = DeclaredBudgets::tiers(tiers)?;
    let options = Options { neighbors, adapt: true, ..Options::add_remove() };
    let request = match is_sum {
        true => Request::sum(options).add_remove(Bounds::UNIT, budgets)?,
        false => Request::mean(options).add_remove(Bounds::UNIT, budgets)?,
    };
    let learns =
        |profile: Profile| match request.expected(profile)?.learning() {
            Some(_) => Ok(()),
            None => Err(Error::request(option::PROFILE, "too few to learn from")
                .with_fix("take more of them")),
        };
    let Some((profile, ())) = enlarged(profile, learns) else { return Ok(None) };
    // A record far beyond the range that others need, inside it, or at its border joins.
    let around = Others::InTurn(0.1, 0.2);
    let joins = [(around, 1.0), (around, 0.15), (Others::InTurn(0.4, 0.6), 0.3)];
    let mut pairs = arrivals(&profile, &joins);
    if neighbors == Neighbors::Both {
        pairs.extend(shaken(self::pairs(&profile)));
    }
    let named = (request.statistic(), "adaptive", neighbors);
    let draw = move |dataset: &Dataset, randomness: &mut Randomness| {
        request.release(dataset.table.clone(), randomness).map(|release| seen(&release))
    };
    let column = Column::everything(Cells::for_sums());
    let table = |people: &[_]| column.table(people);
    let promises = promises_of_all(&profile);
    RegisteredMechanism::new(named, promises, pairs, table, Box::new(draw)).map(Some)
}

/// All published numbers of a release.
fn seen(release: &Release) -> Vec<f64> {
    let (lower, upper) = ends(release.interval());
    let mut seen = vec![release.estimate(), lower, upper];
    seen.push(release.spread().map_or(f64::NAN, |spread| spread.variance));
    let cut_off = |cut: Option<CutOff>| cut.map_or(f64::NAN, |cut| cut.estimate);
    seen.extend(release.learned_range().map_or([f64::NAN; 4], |learned_range| {
        let bounds = learned_range.bounds;
        [bounds.lower(), bounds.upper(), cut_off(learned_range.below), cut_off(learned_range.above)]
    }));
    seen
}
