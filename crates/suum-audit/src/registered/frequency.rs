//! Frequencies of three categories, of records and of persons with shares, by every estimator.

use suum_core::{
    Categories, Choice, Estimator, Neighbors, Options, PostProcessing, Profile, Randomness, Result,
    WeightedPlan, WeightedRequest,
};

use super::{Dataset, RegisteredMechanism, certified};
use crate::exact;
use crate::people::{Column, Others, replacements};

pub(super) fn all(profile: &Profile) -> Result<Vec<RegisteredMechanism>> {
    let records: Categories = "a,b,c".parse()?;
    let persons = records.clone().divided();
    let mut subjects = Vec::new();
    let released = |estimator: &Estimator| estimator.serves(true) && !estimator.is_for_study();
    let released = || Estimator::ALL.into_iter().filter(released);
    let of_both = [records, persons].into_iter();
    for (categories, estimator) in
        of_both.flat_map(|of| released().map(move |estimator| (of.clone(), estimator)))
    {
        // Nothing is done to the noisy shares: what is published then tells most.
        let post = PostProcessing::None;
        let options = Options { estimator: Choice::Named(estimator), post, ..Options::default() };
        let request = WeightedRequest::frequency(categories.clone(), options);
        let Ok(plan) = request.and_then(|request| request.plan(profile.clone())) else {
            continue;
        };
        subjects.push(subject(profile, categories.clone(), plan)?);
    }
    Ok(subjects)
}

fn subject(
    profile: &Profile,
    categories: Categories,
    plan: WeightedPlan,
) -> Result<RegisteredMechanism> {
    let statistic = if categories.are_divided() { "shares of persons" } else { "frequency" };
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
    let name = plan.chosen().estimator.name();
    let planned = plan.clone();
    let release = move |dataset: &Dataset, randomness: &mut Randomness| {
        planned.clone().release(dataset.table.clone(), randomness)
    };
    let first = Dataset::new(pairs[0].one.clone(), column.table(&pairs[0].one)?);
    let promises = certified(&release(&first, &mut Randomness::insecure(0))?.privacy, profile);
    let draw = move |dataset: &Dataset, randomness: &mut Randomness| {
        let release = release(dataset, randomness)?;
        Ok(release.estimates.iter().map(|share| share.estimate).collect())
    };
    let named = (statistic, name, Neighbors::ReplaceOne);
    let subject = RegisteredMechanism::new(
        named,
        promises,
        pairs,
        |people| column.table(people),
        Box::new(draw),
    )?;
    Ok(subject.with_exact(Box::new(move |one, other| exact::loss(&plan, &one.table, &other.table))))
}
