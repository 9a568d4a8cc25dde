//! Categories that are found, among three, of records and of persons with shares.

use suum_core::{
    Categories, Delta, FoundRequest, Neighbors, Options, PostProcessing, Profile, Quantity,
    Randomness, Result,
};

use super::{Dataset, RegisteredMechanism, certified};
use crate::people::{Column, Others, replacements};

/// Largest δ that there is: so often a category of one record shows, in a thousandth of all
/// releases, too seldom to be seen in an audit.
const DELTA: &str = "0.001";

pub(super) fn all(profile: &Profile) -> Result<Vec<RegisteredMechanism>> {
    let records: Categories = "a,b,c".parse()?;
    let persons = records.clone().divided();
    let named = [(records, "found categories"), (persons, "found shares of persons")];
    named.into_iter().map(|(categories, name)| subject(profile, categories, name)).collect()
}

fn subject(
    profile: &Profile,
    categories: Categories,
    statistic: &'static str,
) -> Result<RegisteredMechanism> {
    let delta: Delta = DELTA.parse()?;
    let options = Options { post: PostProcessing::None, ..Options::default() };
    let request = FoundRequest::new(delta, categories.are_divided(), options)?;
    let plan = request.plan(profile.clone())?;
    let names = categories.names().to_vec();
    let column = Column::Categories(categories);
    let pairs = replacements(
        profile,
        &[
            (Others::At(0.0), 0.0, 1.0),
            (Others::At(2.0), 0.0, 1.0),
            (Others::InTurn(0.0, 1.0), 1.0, 2.0),
            // Only of persons; half of a record is none.
            (Others::At(0.5), 0.25, 2.0),
        ],
    );
    let release = move |dataset: &Dataset, randomness: &mut Randomness| {
        plan.clone().release(dataset.table.clone(), randomness)
    };
    let first = Dataset::new(pairs[0].one.clone(), column.table(&pairs[0].one)?);
    let promises = certified(&release(&first, &mut Randomness::insecure(0))?.privacy, profile);
    let draw = move |dataset: &Dataset, randomness: &mut Randomness| {
        let release = release(dataset, randomness)?;
        // A category that does not show has no share.
        let share = |name: &String| {
            let shown = release.estimate_of(&Quantity::Share(name.clone()));
            shown.map_or(-1.0, |one| one.estimate)
        };
        Ok(names.iter().map(share).collect())
    };
    RegisteredMechanism::new(
        (statistic, "affine", Neighbors::ReplaceOne),
        promises,
        pairs,
        |people| column.table(people),
        Box::new(draw),
    )
}
