//! Statistics without declared bounds: the search for a range, and the statistic inside it.

use suum_core::{
    Cells, FoundRange, Level, LevelTable, Neighbors, Profile, Randomness, RangePlan, Rank, Request,
    Result, Split, Statistics, UnboundedPlan,
};

use super::{Dataset, RegisteredMechanism, promises};
use crate::people::{Column, Others, Pair, Person, replacements};

/// Largest number of records up to which tiers are enlarged.
const LARGEST: u64 = 20_000;

/// Pairs in which a record crosses the middle, or the whole line, among others around a middle, or
/// split between two places so that a search may well find nothing.
fn pairs(profile: &Profile) -> Vec<Pair> {
    replacements(
        profile,
        &[
            (Others::InTurn(9.0, 11.0), 9.0, 11.0),
            (Others::InTurn(9.0, 11.0), -1e6, 1e6),
            (Others::InTurn(-1e6, 1e6), -1e6, 1e6),
        ],
    )
}

/// Spreads the values of these people a little, so that a range is more than a point.
fn spread(people: &[Person]) -> Vec<Person> {
    let shaken =
        |(at, (budget, value)): (usize, &Person)| (*budget, value + (at % 16) as f64 / 8.0 - 1.0);
    people.iter().enumerate().map(shaken).collect()
}

/// Requests for numbers without bounds, under this relation.
pub(super) fn unbounded(neighbors: Neighbors) -> Result<Vec<Request>> {
    let (ranks, cells) = (vec![Rank::new(1, 4)?, Rank::MEDIAN], Cells::new(4096)?);
    let statistics: Statistics = "mean,variance,q50".parse()?;
    let split = Split::even(&statistics);
    Ok(vec![
        Request::mean(neighbors),
        Request::sum(neighbors),
        Request::quantiles(cells, ranks, neighbors),
        Request::variance(neighbors),
        Request::summary(cells, (statistics, split), neighbors),
    ])
}

pub(super) fn all(profile: &Profile) -> Result<Vec<RegisteredMechanism>> {
    let mut subjects = Vec::new();
    for request in unbounded(Neighbors::ReplaceOne)? {
        let statistic = request.statistic();
        let planned = |profile| UnboundedPlan::new(request.clone(), profile);
        let Some((profile, plan)) = enlarged(profile, planned) else { continue };
        let promises =
            promises(&profile, |position| plan.loss_of(profile.levels()[position].epsilon));
        let draw = move |dataset: &Dataset, randomness: &mut Randomness| {
            let mut records = dataset.records()?;
            let release = plan.release(&mut records, randomness)?;
            let mut seen: Vec<f64> = release.estimates.iter().map(|one| one.estimate).collect();
            seen.extend(published_ends(release.range()));
            Ok(seen)
        };
        let named = (statistic, RangePlan::NAME, Neighbors::ReplaceOne);
        let pairs = shaken(pairs(&profile));
        subjects.push(RegisteredMechanism::new(named, promises, pairs, no_table, Box::new(draw))?);
    }
    Ok(subjects)
}

/// Spreads the values of all but the record that changes a little.
pub(super) fn shaken(pairs: Vec<Pair>) -> Vec<Pair> {
    pairs
        .into_iter()
        .map(|pair| {
            let differs = pair.one.iter().zip(&pair.other).position(|(one, other)| one != other);
            let kept = |people: &[Person]| {
                let mut spread = spread(people);
                if let Some(at) = differs {
                    spread[at] = people[at];
                }
                spread
            };
            Pair { one: kept(&pair.one), other: kept(&pair.other), ..pair }
        })
        .collect()
}

/// Published ends of a range; NaN if there is none.
pub(super) fn published_ends(range: Option<&FoundRange>) -> [f64; 2] {
    range.map_or([f64::NAN; 2], |range| [range.bounds.lower(), range.bounds.upper()])
}

/// Fails: these releases read records, never the table of a dataset.
pub(super) fn no_table(_: &[Person]) -> Result<LevelTable> {
    Column::sums_only().table(&[])
}

/// Enlarges the tiers by the least factor with which a plan is possible.
pub(super) fn enlarged<T>(
    profile: &Profile,
    plan: impl Fn(Profile) -> Result<T>,
) -> Option<(Profile, T)> {
    let mut times = 1;
    while profile.records() * times <= LARGEST {
        let levels =
            profile.levels().iter().map(|level| Level { count: level.count * times, ..*level });
        if let Ok(larger) = Profile::new(levels)
            && let Ok(planned) = plan(larger.clone())
        {
            return Some((larger, planned));
        }
        times *= 2;
    }
    None
}
