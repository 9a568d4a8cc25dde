//! Means without declared bounds: the search for a range, and the mean inside it.

use suum_core::{
    FoundRange, Level, LevelTable, Neighbors, Profile, Randomness, RangeOptions, RangePlan,
    Records, Result, UnboundedMean,
};

use super::{Dataset, Registered, promises};
use crate::people::{Column, Others, Pair, Person, replacements};

/// Tiers are made at most as large as that there are so many records.
const LARGEST: u64 = 20_000;

/// A record crosses the middle, or the whole line, among others around a middle, or split between
/// two places so that a search may well find nothing.
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

/// The values of these people are spread a little, so that a range is more than a point.
fn spread(people: &[Person]) -> Vec<Person> {
    let shaken =
        |(at, (budget, value)): (usize, &Person)| (*budget, value + (at % 16) as f64 / 8.0 - 1.0);
    people.iter().enumerate().map(shaken).collect()
}

pub(super) fn all(profile: &Profile) -> Result<Vec<Registered>> {
    let planned = enlarged(profile, |profile| UnboundedMean::new(profile, RangeOptions::default()));
    let Some((profile, plan)) = planned else { return Ok(Vec::new()) };
    let promises = promises(&profile, |position| plan.loss(profile.levels()[position].epsilon));
    let draw = move |dataset: &Dataset, randomness: &mut Randomness| {
        let mut records = Records::new(dataset.people.clone())?;
        let release = plan.release(&mut records, randomness)?;
        let mut seen = vec![release.estimate()];
        seen.extend(of_range(release.range()));
        Ok(seen)
    };
    let named = ("mean", RangePlan::NAME, Neighbors::ReplaceOne);
    let pairs = shaken(pairs(&profile));
    Ok(vec![Registered::new(named, promises, pairs, no_table, Box::new(draw))?])
}

/// The values of all but the record that changes, spread a little.
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

/// What is published of a range, as many numbers as there can be.
pub(super) fn of_range(range: Option<&FoundRange>) -> [f64; 2] {
    range.map_or([f64::NAN; 2], |range| [range.bounds.lower(), range.bounds.upper()])
}

/// Records are read where they are; the table of a dataset is not.
pub(super) fn no_table(_: &[Person]) -> Result<LevelTable> {
    Column::sums_only().table(&[])
}

/// The same tiers, as many times larger as a plan needs.
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
