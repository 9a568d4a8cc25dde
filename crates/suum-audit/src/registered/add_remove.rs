//! Releases under hidden participation.

use suum_core::{
    AddRemoveRequest, Bounds, Categories, Cells, Choice, DeclaredBudgets, Estimator, Neighbors,
    Options, PostProcessing, Procedure, Profile, QuantileMethod, Quantity, Randomness, RangePlan,
    Release, Request, Result, Split, Statistics, SummaryProcedure, UnboundedAddRemove,
};

use super::plain;
use super::quantile::{self, CANDIDATES, ranks};
use super::range::{enlarged, no_table, published_ends, unbounded};
use super::{Dataset, RegisteredMechanism, ends};
use crate::Promise;
use crate::people::{Column, Others, Pair, Person, arrivals, replacements};

/// Estimators that can hide participation.
const ESTIMATORS: [Estimator; 3] = [Estimator::Affine, Estimator::Uniform, Estimator::Proportional];

pub(super) fn all(profile: &Profile) -> Result<Vec<RegisteredMechanism>> {
    let levels = profile.levels().iter().map(|level| level.epsilon).enumerate();
    let tiers = levels.map(|(at, budget)| (format!("tier {at}"), budget));
    let budgets = DeclaredBudgets::tiers(tiers)?;
    let promises = promises(profile);

    let cells = Cells::new(CANDIDATES)?;
    let categories: Categories = "a,b,c".parse()?;
    let (numbers, counts) = (Column::everything(cells), Column::Categories(categories.clone()));
    let mut subjects = Vec::new();
    let mut add =
        |statistic, estimator: Estimator, request: Result<AddRemoveRequest>, column: &Column| {
            // Requests that are impossible with these budgets are left out.
            let Ok(request) = request else { return Ok(()) };
            let mut pairs = match column {
                Column::Numbers(_) => {
                    arrivals(profile, &[(Others::At(0.0), 1.0), (Others::At(1.0), 0.0)])
                }
                Column::Categories(_) => arrivals(profile, &[(Others::At(0.0), 1.0)]),
            };
            let neighbors = request.options().neighbors;
            if neighbors == Neighbors::Both {
                pairs.extend(replacements(profile, &[(Others::At(0.0), 0.0, 1.0)]));
            }
            let draw = move |dataset: &Dataset, randomness: &mut Randomness| {
                request.release(dataset.table.clone(), randomness).map(|release| seen(&release))
            };
            let named = (statistic, estimator.name(), neighbors);
            let table = |people: &[Person]| column.table(people);
            subjects.push(RegisteredMechanism::new(
                named,
                promises.clone(),
                pairs,
                table,
                Box::new(draw),
            )?);
            Ok::<(), suum_core::Error>(())
        };
    // Both kinds of neighbours differ in the noise, whatever the weights.
    let all = ESTIMATORS.map(|estimator| (estimator, Neighbors::AddRemove));
    for (estimator, neighbors) in all.into_iter().chain([(Estimator::Affine, Neighbors::Both)]) {
        let options = Options {
            neighbors,
            estimator: Choice::Named(estimator),
            post: PostProcessing::None,
            ..Options::add_remove()
        };
        let plain = Options { post: PostProcessing::default(), ..options.clone() };
        let (bounds, of) = (Bounds::UNIT, || budgets.clone());
        add("mean", estimator, Request::mean(plain.clone()).add_remove(bounds, of()), &numbers)?;
        add("sum", estimator, Request::sum(plain.clone()).add_remove(bounds, of()), &numbers)?;
        add(
            "frequency",
            estimator,
            Request::frequency(categories.clone(), options).add_remove(Bounds::UNIT, of()),
            &counts,
        )?;
        add(
            "quantile",
            estimator,
            Request::quantiles(cells, ranks()?, plain.clone()).add_remove(bounds, of()),
            &numbers,
        )?;
        // The weights are the same for whatever is added up.
        if estimator != Estimator::Affine {
            continue;
        }
        for asked in plain::plain() {
            let request = Request { asked, options: plain.clone() };
            add(request.statistic(), estimator, request.add_remove(bounds, of()), &numbers)?;
        }
        let statistics: Statistics = "mean,variance,q50".parse()?;
        let split = Split::even(&statistics);
        let several = Request::summary(cells, (statistics, split), plain).add_remove(bounds, of());
        add("summary", estimator, several, &numbers)?;
    }
    let count = Request::count(Options::add_remove()).add_remove(Bounds::UNIT, budgets.clone());
    add("count", Estimator::Affine, count, &numbers)?;
    if let Some((larger, _)) = enlarged(profile, quantile::looks) {
        subjects.push(looks(&larger, &budgets, Neighbors::AddRemove)?);
        subjects.push(looks(&larger, &budgets, Neighbors::Both)?);
    }

    for request in unbounded(Neighbors::AddRemove)? {
        let statistic = request.statistic();
        let Ok(request) = UnboundedAddRemove::new(budgets.clone(), request) else { continue };
        let draw = move |dataset: &Dataset, randomness: &mut Randomness| {
            let mut records = dataset.records()?;
            request.release(&mut records, randomness).map(|release| seen(&release))
        };
        let named = (statistic, RangePlan::NAME, Neighbors::AddRemove);
        let (promises, draw) = (promises.clone(), Box::new(draw));
        subjects.push(RegisteredMechanism::new(named, promises, joining(profile), no_table, draw)?);
    }
    Ok(subjects)
}

/// Promises of all that each level allows, since the loss of a record depends on noisy numbers.
pub(super) fn promises(profile: &Profile) -> Vec<Promise> {
    profile.levels().iter().map(|level| Promise::all_of(level.epsilon)).collect()
}

/// Quantiles from a histogram whose cells depend on earlier measurements, for so many people that a
/// look can divide cells.
fn looks(
    profile: &Profile,
    budgets: &DeclaredBudgets,
    neighbors: Neighbors,
) -> Result<RegisteredMechanism> {
    let method = Some(QuantileMethod::Histogram);
    let options = Options { neighbors, method, ..Options::add_remove() };
    let (cells, ranks) = (Cells::new(quantile::FINE)?, quantile::three()?);
    let request =
        Request::quantiles(cells, ranks, options).add_remove(Bounds::UNIT, budgets.clone())?;
    let around = Others::InTurn(0.2, 0.7);
    let mut pairs = arrivals(profile, &[(around, 0.2), (around, 1.0), (Others::At(0.4), 0.45)]);
    if neighbors == Neighbors::Both {
        pairs.extend(quantile::pairs_of_looks(profile));
    }
    let draw = move |dataset: &Dataset, randomness: &mut Randomness| {
        request.release(dataset.table.clone(), randomness).map(|release| seen(&release))
    };
    let (named, column) = (("quantile", quantile::LOOKS, neighbors), Column::everything(cells));
    let table = |people: &[Person]| column.table(people);
    RegisteredMechanism::new(named, promises(profile), pairs, table, Box::new(draw))
}

/// All published numbers of a release.
fn seen(release: &Release) -> Vec<f64> {
    let mut seen = Vec::new();
    match &release.procedure {
        Procedure::AddRemove(how) => seen.push(how.tau),
        Procedure::Summary(SummaryProcedure { parts, .. }) => {
            seen.extend(parts.iter().flat_map(|part| self::seen(&part.release)));
        }
        _ => {}
    }
    seen.extend(release.error.map(|error| error.rmse));
    for one in &release.estimates {
        let (lower, upper) = ends(one.interval);
        match one.of {
            Quantity::Share(_) => seen.push(one.estimate),
            Quantity::Quantile(_) => seen.extend([one.estimate, lower, upper]),
            _ => {
                seen.push(one.estimate);
                seen.extend(one.interval.map(|_| upper));
            }
        }
    }
    if release.range().is_some() {
        seen.extend(published_ends(release.range()));
    }
    seen
}

/// Numbers of other people: one so small that a range is found only in some runs, and one that is
/// large enough.
const CROWDS: [usize; 2] = [100, 2000];

/// Pairs in which a record far away joins a crowd around a middle, or nobody.
fn joining(profile: &Profile) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for (level, joins) in profile.levels().iter().enumerate() {
        let newcomer = (joins.epsilon, 1e6);
        for size in [0].into_iter().chain(CROWDS) {
            let budgets = profile.levels().iter().map(|level| level.epsilon).cycle();
            let value = |at: usize| 9.0 + (at % 2) as f64 * 2.0 + (at % 16) as f64 / 8.0;
            let one: Vec<Person> =
                budgets.take(size).enumerate().map(|(at, budget)| (budget, value(at))).collect();
            let other = one.iter().copied().chain([newcomer]).collect();
            pairs.push(Pair {
                level,
                difference: format!("a record at 1e6 or none, {size} others near 10"),
                one,
                other,
            });
        }
    }
    pairs
}
