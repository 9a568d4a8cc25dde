//! A mean that pays for its own variance.

use suum_core::{
    Error, LearnedVariance, Neighbors, Options, Profile, Randomness, Release, Result, Split,
    Statistic,
};

use super::range::enlarged;
use super::{Dataset, Registered, ends};
use crate::Promise;
use crate::people::{Column, Others, Pair, replacements};

/// How it is called, though it is no estimator of its own.
const NAME: &str = "private-variance";

/// A record moves the sum alone, or the squares as well; among others who have no variance, or all
/// there can be.
fn pairs(profile: &Profile) -> Vec<Pair> {
    replacements(
        profile,
        &[
            (Others::At(0.5), 0.5, 1.0),
            (Others::At(0.0), 0.0, 1.0),
            (Others::InTurn(0.0, 1.0), 0.0, 0.5),
        ],
    )
}

fn release(dataset: &Dataset, randomness: &mut Randomness) -> Result<Release> {
    let split = Split::private_variance();
    LearnedVariance::release(
        Statistic::Mean,
        dataset.table.clone(),
        &Options::default(),
        split,
        randomness,
    )
}

pub(super) fn all(profile: &Profile) -> Result<Vec<Registered>> {
    let column = Column::with_squares();
    // Among few people a variance is not worth measuring, and nothing would be tested.
    let measured = |profile: Profile| {
        let people = pairs(&profile).swap_remove(0).one;
        let dataset = Dataset { table: column.table(&people)?, people };
        let learned = release(&dataset, &mut Randomness::insecure(0))?.learned().copied();
        learned.filter(|learned| learned.share > 0.0).ok_or_else(|| {
            Error::request("variance: not worth measuring").with_hint("take more people")
        })
    };
    let Some((profile, _)) = enlarged(profile, measured) else { return Ok(Vec::new()) };
    // The mean is planned for what was measured, so what a record loses depends on noise; all that
    // it allows is promised.
    let promises = profile.levels().iter().map(|level| Promise::all_of(level.epsilon)).collect();
    let draw = |dataset: &Dataset, randomness: &mut Randomness| {
        let release = release(dataset, randomness)?;
        let bound = release.learned().and_then(|learned| learned.bound);
        let (lower, upper) = ends(release.interval());
        Ok(vec![release.estimate(), lower, upper, bound.unwrap_or(f64::NAN)])
    };
    let named = ("mean", NAME, Neighbors::ReplaceOne);
    let table = |people: &[_]| column.table(people);
    Ok(vec![Registered::new(named, promises, pairs(&profile), table, Box::new(draw))?])
}
