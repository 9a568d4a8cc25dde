//! How long it takes to plan: the cost before any value is read.

use criterion::Criterion;
use suum_core::{
    Bounds, Categories, Cells, Epsilon, Level, Neighbors, Options, Profile, QuantilePlan,
    QuantileRequest, Rank, Setting, Statistic, Target, WeightedPlan, WeightedRequest, lower_bound,
};

/// As many levels, log ε equally spaced over [−5, 5], `people` in each.
fn spread(levels: u32, people: u64) -> Option<Profile> {
    let level = |i: u32| {
        let epsilon = (-5.0 + 10.0 * f64::from(i) / f64::from(levels)).exp();
        Epsilon::new(epsilon).ok().map(|epsilon| Level { epsilon, count: people })
    };
    Profile::new((0..levels).filter_map(level)).ok()
}

/// The plan of a mean, or of a frequency over `categories` categories.
fn plan(profile: Profile, categories: Option<usize>, target: Target) -> Option<WeightedPlan> {
    let options = Options { target, ..Options::default() };
    let request = match categories {
        None => WeightedRequest::new(Statistic::Mean, Bounds::UNIT, options),
        Some(k) => WeightedRequest::frequency(
            Categories::new((0..k).map(|c| c.to_string()).collect()).ok()?,
            options,
        ),
    };
    request.ok()?.plan(profile).ok()
}

/// The plan of a median.
fn quantile(profile: Profile) -> Option<QuantilePlan> {
    let cells = Cells::new(Cells::STEPS).ok()?;
    let request = QuantileRequest::new(Bounds::UNIT, cells, vec![Rank::MEDIAN], Options::default());
    request.ok()?.plan(profile).ok()
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    // Everybody with an ε of their own; and the most levels that budgets are not made coarser for.
    for (levels, people) in [(10_000, 1), (65_536, 100)] {
        for (categories, statistic) in [(None, "mean"), (Some(5), "frequency of 5")] {
            for target in [Target::Population, Target::Dataset, Target::DatasetCorrelated] {
                let Some(profile) = spread(levels, people) else { continue };
                let name = format!("plan/{statistic}/{levels} levels/{}", target.name());
                criterion.bench_function(&name, |bencher| {
                    bencher.iter(|| plan(profile.clone(), categories, target));
                });
            }
        }
    }
    for (levels, variance) in [(10_000, 0.25), (10_000, 0.01), (1_000_000, 0.25)] {
        let Some(profile) = spread(levels, 1) else { continue };
        let setting =
            Setting { variance, ..Setting::new(profile, Bounds::UNIT, Target::Population) };
        criterion.bench_function(
            &format!("bound/{levels} levels/variance {variance}"),
            |bencher| {
                bencher.iter(|| lower_bound(&setting, Neighbors::ReplaceOne));
            },
        );
    }
    for levels in [8, 10_000] {
        let Some(profile) = spread(levels, 1) else { continue };
        criterion.bench_function(&format!("plan/median/{levels} levels/population"), |bencher| {
            bencher.iter(|| quantile(profile.clone()));
        });
    }
    // Few levels, where the moments of mixed and local noise are what takes time.
    for (categories, statistic) in [(None, "mean"), (Some(5), "frequency of 5")] {
        let Some(profile) = spread(8, 100) else { continue };
        criterion.bench_function(&format!("plan/{statistic}/8 levels/population"), |bencher| {
            bencher.iter(|| plan(profile.clone(), categories, Target::Population));
        });
    }
    criterion.final_summary();
}
