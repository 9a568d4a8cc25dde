//! How long it takes to plan: the cost before any value is read.

use criterion::Criterion;
use suum_core::{Bounds, Epsilon, Level, Options, Plan, Profile, Request, Statistic, Target};

/// As many levels, log ε equally spaced over [−5, 5], `people` in each.
fn spread(levels: u32, people: u64) -> Option<Profile> {
    let level = |i: u32| {
        let epsilon = (-5.0 + 10.0 * f64::from(i) / f64::from(levels)).exp();
        Epsilon::new(epsilon).ok().map(|epsilon| Level { epsilon, count: people })
    };
    Profile::new((0..levels).filter_map(level)).ok()
}

fn plan(profile: Profile, target: Target) -> Option<Plan> {
    let options = Options { target, ..Options::default() };
    Request::new(Statistic::Mean, Bounds::UNIT, options).ok()?.plan(profile).ok()
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    // Everybody with an ε of their own; and the most levels that budgets are not made coarser for.
    for (levels, people) in [(10_000, 1), (65_536, 100)] {
        for target in [Target::Population, Target::Dataset, Target::DatasetCorrelated] {
            let Some(profile) = spread(levels, people) else { continue };
            criterion.bench_function(&format!("plan/{levels} levels/{}", target.name()), |bencher| {
                bencher.iter(|| plan(profile.clone(), target));
            });
        }
    }
    criterion.final_summary();
}
