//! Two quantiles of a few candidates, by every estimator and with strata, three of them together,
//! and three from a histogram whose cells depend on earlier measurements.

use suum_core::{
    Bounds, Cells, Choice, Error, LevelTable, Neighbors, Options, Profile, QuantileEstimator,
    QuantileMechanism, QuantileMethod, QuantilePlan, QuantileRequest, Randomness, Rank, Result,
    Shares, Strata, option,
};

use super::range::enlarged;
use super::{Dataset, RegisteredMechanism, certified, ends};
use crate::people::{Column, Others, Pair, Person, replacements};

/// Number of candidates, so small that each of them is drawn often.
pub(super) const CANDIDATES: u32 = 8;

pub(super) fn ranks() -> Result<Vec<Rank>> {
    Ok(vec![Rank::MEDIAN, "0.9".parse()?])
}

/// Pairs in which a record crosses all candidates, or half of them, among others at one of them or
/// at both ends.
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

/// Number of candidates of a histogram that has room to divide cells.
pub(super) const FINE: u32 = 64;

/// Name of a histogram with more than one look.
pub(super) const LOOKS: &str = "histogram-looks";

/// Pairs in which the others are in two cells of the first look, each of which has about as much
/// weight as it takes to be divided; the record changes from one to the other, or comes to them
/// from the end.
pub(super) fn pairs_of_looks(profile: &Profile) -> Vec<Pair> {
    replacements(
        profile,
        &[
            (Others::InTurn(0.2, 0.7), 0.2, 0.7),
            (Others::InTurn(0.2, 0.7), 0.7, 1.0),
            (Others::At(0.4), 0.4, 0.45),
        ],
    )
}

pub(super) fn three() -> Result<Vec<Rank>> {
    Ok(vec!["0.25".parse()?, Rank::MEDIAN, "0.75".parse()?])
}

fn planned(
    profile: Profile,
    (estimator, method): (QuantileEstimator, QuantileMethod),
    candidates: u32,
) -> Result<QuantilePlan> {
    let options =
        Options { estimator: Choice::from(estimator), method: Some(method), ..Default::default() };
    let ranks = match method {
        QuantileMethod::Even => ranks()?,
        QuantileMethod::Recursion | QuantileMethod::Histogram => three()?,
    };
    QuantileRequest::new(Bounds::UNIT, Cells::new(candidates)?, ranks, options)?.plan(profile)
}

/// Plan of a histogram for so many people that a look before the last can divide cells.
pub(super) fn looks(profile: Profile) -> Result<QuantilePlan> {
    let way = (QuantileEstimator::Weighted, QuantileMethod::Histogram);
    let plan = planned(profile, way, FINE)?;
    match plan.mechanism() {
        QuantileMechanism::Refined(counts)
            if counts.refinement().looks > 0 && !counts.scale().is_zero() =>
        {
            Ok(plan)
        }
        _ => {
            Err(Error::request(option::PROFILE, "too few to learn from")
                .with_fix("take more of them"))
        }
    }
}

pub(super) fn all(profile: &Profile) -> Result<Vec<RegisteredMechanism>> {
    let mut subjects = Vec::new();
    let alone = QuantileEstimator::ALL
        .into_iter()
        .map(|estimator| (estimator.name(), estimator, QuantileMethod::Even));
    let together = [QuantileMethod::Recursion, QuantileMethod::Histogram]
        .map(|method| (method.name(), QuantileEstimator::Weighted, method));
    for (name, estimator, method) in alone.chain(together) {
        let way = (estimator, method);
        let Ok(plan) = planned(profile.clone(), way, CANDIDATES) else { continue };
        subjects.push(subject(name, plan, profile, pairs(profile))?);
    }
    subjects.extend(in_strata(profile)?);
    if let Some((larger, plan)) = enlarged(profile, looks) {
        subjects.push(subject(LOOKS, plan, &larger, pairs_of_looks(&larger))?);
    }
    Ok(subjects)
}

/// Mechanism with strata to which people belong in turn, the first of which has most of the weight;
/// `None` if a stratum would be empty.
fn in_strata(profile: &Profile) -> Result<Option<RegisteredMechanism>> {
    let names = vec!["first".to_owned(), "second".to_owned()];
    let options = Options {
        strata: Some(Strata::new("turn", names, Shares::Population(vec![4.0, 1.0]))?),
        method: Some(QuantileMethod::Even),
        ..Default::default()
    };
    let cells = Cells::new(CANDIDATES)?;
    let column = Column::everything(cells);
    let table = move |people: &[Person]| {
        let turns = [0, 1].map(|turn| {
            let theirs: Vec<Person> = people.iter().skip(turn).step_by(2).copied().collect();
            column.table(&theirs)
        });
        LevelTable::in_strata(turns.into_iter().collect::<Result<_>>()?)
    };
    let pairs = pairs(profile);
    let all = table(&pairs[0].one)?.profile()?;
    let request = QuantileRequest::new(Bounds::UNIT, cells, ranks()?, options)?;
    let Ok(plan) = request.plan(all) else { return Ok(None) };
    subject_of("strata", plan, profile, pairs, table).map(Some)
}

fn subject(
    name: &'static str,
    plan: QuantilePlan,
    profile: &Profile,
    pairs: Vec<Pair>,
) -> Result<RegisteredMechanism> {
    let column = Column::everything(plan.request().cells());
    subject_of(name, plan, profile, pairs, move |people| column.table(people))
}

fn subject_of(
    name: &'static str,
    plan: QuantilePlan,
    profile: &Profile,
    pairs: Vec<Pair>,
    table: impl Fn(&[Person]) -> Result<LevelTable>,
) -> Result<RegisteredMechanism> {
    let first = plan.clone().release(table(&pairs[0].one)?, &mut Randomness::insecure(0))?;
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
    RegisteredMechanism::new(named, promises, pairs, table, Box::new(draw))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that cells are divided or not, by chance and by the positions of records, and that
    /// this is visible.
    #[test]
    fn looks_divide_cells_or_not() {
        let profile: Profile = "1:3,3:2".parse().unwrap();
        let (larger, plan) = enlarged(&profile, looks).unwrap();
        let subject = subject(LOOKS, plan.clone(), &larger, pairs_of_looks(&larger)).unwrap();
        let QuantileMechanism::Refined(counts) = plan.mechanism() else { panic!() };
        let start = f64::from(counts.refinement().start);
        let mut divided = 0;
        for seed in 0..200 {
            let mut randomness = Randomness::insecure(seed);
            let (dataset, _) = &subject.datasets[0];
            let seen = (subject.draw)(dataset, &mut randomness).unwrap();
            // Ends are cuts (an upper end the candidate before one): of the first look every eighth
            // candidate, or so.
            let is_first = |end: f64| {
                let cut = end * f64::from(FINE);
                let width = f64::from(FINE) / start;
                (cut / width).fract() < 0.3 || (cut / width).fract() > 0.7
            };
            // The cell in which the first quantile is.
            divided += u32::from(!is_first(seen[1]) || !is_first(seen[2]));
        }
        assert!((40..=195).contains(&divided), "{divided} of 200");
    }
}
