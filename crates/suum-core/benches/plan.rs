//! How long it takes to plan: the cost before any value is read.

use criterion::Criterion;
use suum_core::{
    Bounds, Categories, Cells, Crosstab, Epsilon, Estimand, Grid, Level, Neighbors, Options, Plan,
    Profile, QuantileEstimands, Rank, Request, Setting, Split, Statistics, SummaryEstimands,
    Target, UnboundedAddRemove, UnboundedPlan, lower_bound,
};

/// As many levels, log ε equally spaced over [−5, 5], `people` in each.
fn spread(levels: u32, people: u64) -> Option<Profile> {
    let level = |i: u32| {
        let epsilon = (-5.0 + 10.0 * f64::from(i) / f64::from(levels)).exp();
        Epsilon::new(epsilon).ok().map(|epsilon| Level { epsilon, count: people })
    };
    Profile::new((0..levels).filter_map(level)).ok()
}

/// What is asked of numbers or of categories, by what it is called here.
fn statistics() -> suum_core::Result<Vec<(&'static str, Estimand)>> {
    let cells = Cells::new(Cells::STEPS)?;
    let deciles = (1..10).map(|tenth| Rank::new(tenth, 10)).collect::<suum_core::Result<_>>()?;
    let statistics: Statistics = "mean,variance,q25,q50,q75".parse()?;
    let split = Split::even(&statistics);
    let labels = |labels: &[&str]| labels.iter().map(|label| (*label).to_owned()).collect();
    let columns = ["region", "sex"].map(str::to_owned);
    let table = Crosstab::new(columns, [labels(&["n", "e", "s", "w"]), labels(&["f", "m"])])?;
    Ok(vec![
        ("mean", Estimand::Mean),
        ("sum", Estimand::Sum),
        ("frequency of 5", Estimand::Frequency("a,b,c,d,e".parse()?)),
        ("table of 4 times 2", Estimand::Frequency(Categories::crossed(table)?)),
        ("median", Estimand::Quantiles(QuantileEstimands { ranks: vec![Rank::MEDIAN], cells })),
        ("deciles", Estimand::Quantiles(QuantileEstimands { ranks: deciles, cells })),
        ("variance", Estimand::Variance),
        ("summary", Estimand::Summary(SummaryEstimands { statistics, split, cells })),
    ])
}

fn plan(request: &Request, profile: Profile) -> suum_core::Result<Plan> {
    request.plan(profile, request.numbers(Grid::new(Bounds::UNIT)))
}

/// How many estimators are compared, which a plan works out when it is asked for them.
fn compared(plan: &Plan) -> usize {
    match plan {
        Plan::Weighted(plan) => plan.candidates().len(),
        Plan::Quantiles(plan) => plan.candidates().len(),
        Plan::Summary(plan) => plan.quantile_plan().map_or(0, |plan| plan.candidates().len()),
        _ => 0,
    }
}

/// The plan where participation is hidden, for people as in the profile.
fn add_remove(request: &Request, profile: Profile) -> suum_core::Result<Plan> {
    request.clone().add_remove(Bounds::UNIT, "0.006,150".parse()?)?.plan(profile)
}

/// The same without declared bounds.
fn add_remove_unbounded(request: &Request, profile: Profile) -> suum_core::Result<UnboundedPlan> {
    UnboundedAddRemove::new("0.006,150".parse()?, request.clone())?.plan(profile)
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    let mut measure = |name: String, planned: &dyn Fn() -> bool| {
        criterion.bench_function(&name, |bencher| bencher.iter(planned));
    };
    // A group, and everybody with an ε of their own.
    for (levels, people) in [(8, 100), (10_000, 1)] {
        let Some(profile) = spread(levels, people) else { continue };
        for (statistic, asked) in statistics().unwrap_or_default() {
            let request = |options: Options| Request { asked: asked.clone(), options };
            let is_of_variance = matches!(asked, Estimand::Variance | Estimand::Summary { .. });
            for target in [Target::Population, Target::Dataset, Target::DatasetCorrelated] {
                // A variance of these records has no unbiased estimate.
                if target == Target::DatasetCorrelated && is_of_variance {
                    continue;
                }
                let request = request(Options { target, ..Options::default() });
                let name = format!("plan/{statistic}/{levels} levels/{}", target.name());
                measure(name, &|| plan(&request, profile.clone()).is_ok());
                if let Estimand::Variance = asked {
                    continue;
                }
                let name = format!("plan/{statistic}/{levels} levels/{}, all", target.name());
                measure(name, &|| {
                    plan(&request, profile.clone()).is_ok_and(|plan| compared(&plan) > 0)
                });
            }
            let name = |how: &str| format!("plan/{statistic}/{levels} levels/{how}");
            let adapts = request(Options { adapt: true, ..Options::default() });
            if adapts.asked.is_mean_or_sum() {
                measure(name("adapts"), &|| plan(&adapts, profile.clone()).is_ok());
            }
            let declared = request(Options::add_remove());
            measure(name("add-remove"), &|| add_remove(&declared, profile.clone()).is_ok());
            if asked.is_of_numbers() {
                let plain = request(Options::default());
                measure(name("unbounded"), &|| {
                    UnboundedPlan::new(plain.clone(), profile.clone()).is_ok()
                });
                measure(name("add-remove, unbounded"), &|| {
                    add_remove_unbounded(&declared, profile.clone()).is_ok()
                });
            }
        }
    }
    // The most levels that budgets are not made coarser for.
    for (statistic, asked) in statistics().unwrap_or_default() {
        let Some(profile) = spread(65_536, 100) else { continue };
        let request = Request { asked, options: Options::default() };
        measure(format!("plan/{statistic}/65536 levels/population"), &|| {
            plan(&request, profile.clone()).is_ok()
        });
    }
    for (levels, variance) in [(10_000, 0.25), (10_000, 0.01), (1_000_000, 0.25)] {
        let Some(profile) = spread(levels, 1) else { continue };
        let setting =
            Setting { variance, ..Setting::new(profile, Bounds::UNIT, Target::Population) };
        measure(format!("bound/{levels} levels/variance {variance}"), &|| {
            lower_bound(&setting, Neighbors::ReplaceOne).is_some()
        });
    }
    criterion.final_summary();
}
