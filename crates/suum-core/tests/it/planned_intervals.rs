//! How long intervals are planned to be, against those of releases.

use suum_core::{
    Bounds, Cells, DeclaredBudgets, Epsilon, Grid, Interval, LevelTable, MemoryRecords, Neighbors,
    Numbers, Options, Plan, PlannedInterval, Profile, Quantity, Randomness, Rank, Records, Release,
    Request, Split, Statistics, UnboundedAddRemove, UnboundedPlan, WidthBasis,
};

/// 4000 people over all of [0, 1], or at its ends.
const PEOPLE: usize = 4000;

fn profile() -> Profile {
    "0.5:2000,2:2000".parse().unwrap()
}

fn table(value: impl Fn(usize) -> f64) -> LevelTable {
    let epsilon = |at: usize| Epsilon::new(if at.is_multiple_of(2) { 0.5 } else { 2.0 }).unwrap();
    let records = (0..PEOPLE).map(|at| (epsilon(at), value(at))).collect();
    let cells = Some(Cells::new(Cells::STEPS).unwrap());
    let numbers = Numbers { grid: Grid::new(Bounds::UNIT), squares: true, cells };
    MemoryRecords::new(records).unwrap().table(numbers).unwrap()
}

fn evenly(at: usize) -> f64 {
    (at as f64 + 0.5) / PEOPLE as f64
}

fn half(interval: Option<Interval>) -> f64 {
    interval.map(|interval| (interval.upper - interval.lower) / 2.0).unwrap()
}

/// The mean over some seeds of what an estimate of the release has as half of an interval.
fn released(of: &Quantity, release: impl Fn(&mut Randomness) -> Release) -> f64 {
    const SEEDS: u64 = 24;
    let halves = (1..=SEEDS).map(|seed| {
        let release = release(&mut Randomness::insecure(seed));
        half(release.estimate_of(of).unwrap().interval)
    });
    halves.sum::<f64>() / SEEDS as f64
}

/// What is approximate is so to a fifth.
fn about(seen: f64, planned: &PlannedInterval) {
    assert_eq!(planned.basis, WidthBasis::Approximate);
    assert!((0.8..1.2).contains(&(seen / planned.half_width)), "{seen} {planned:?}");
}

fn only(plan: &Plan) -> PlannedInterval {
    let [one] = plan.intervals()[..] else { panic!("{:?}", plan.intervals()) };
    assert_eq!(plan.half_width(), Some(one.half_width));
    one
}

/// On evenly spread values a rank is a value.
#[test]
fn quantiles_have_the_planned_ranks_whether_or_not_it_is_hidden_who_takes_part() {
    let (ranks, cells) = (vec![Rank::MEDIAN], Cells::new(Cells::STEPS).unwrap());
    let median = Quantity::Quantile(Rank::MEDIAN);
    let budgets: DeclaredBudgets = "0.5,2".parse().unwrap();
    for neighbors in [Neighbors::AddRemove, Neighbors::Both] {
        let options = Options { neighbors, ..Options::add_remove() };
        let ranks = ranks.clone();
        let request = Request::quantiles(cells, ranks, options)
            .add_remove(Bounds::UNIT, budgets.clone())
            .unwrap();
        let planned = only(&request.plan(profile()).unwrap());
        assert_eq!((planned.of, planned.basis), ("quantile", WidthBasis::Approximate));
        let release = |random: &mut Randomness| request.release(table(evenly), random).unwrap();
        let seen = released(&median, release);
        about(seen, &planned);
    }
    let request = Request::quantiles(cells, ranks, Options::default());
    let plan = request.plan(profile(), request.numbers(Grid::new(Bounds::UNIT))).unwrap();
    let planned = only(&plan);
    let seen = released(&median, |random| plan.clone().release(table(evenly), random).unwrap());
    about(seen, &planned);
}

/// So few that no end could be had.
#[test]
fn quantiles_without_intervals_say_why() {
    let cells = Cells::new(16).unwrap();
    let options = Options::add_remove();
    let budgets = "0.01,0.1".parse().unwrap();
    let ranks = vec![Rank::MEDIAN];
    let request =
        Request::quantiles(cells, ranks, options).add_remove(Bounds::UNIT, budgets).unwrap();
    let plan = request.plan("0.01:30,0.1:30".parse().unwrap()).unwrap();
    assert!(plan.intervals().is_empty() && plan.half_width().is_none());
    assert!(plan.no_interval().unwrap().contains("an interval that covers"));
}

/// Half of the values at either end have the largest variance there is: the interval of the mean
/// is all that it can be. Elsewhere it is shorter.
#[test]
fn several_statistics_each_have_their_own() {
    let statistics: Statistics = "mean,variance,q50".parse().unwrap();
    let split = Split::even(&statistics);
    let cells = Cells::new(Cells::STEPS).unwrap();
    let request = Request::summary(cells, (statistics.clone(), split), Options::default());
    let plan = request.plan(profile(), request.numbers(Grid::new(Bounds::UNIT))).unwrap();
    let planned = plan.intervals();
    assert_eq!(
        planned.iter().map(|one| one.of).collect::<Vec<_>>(),
        ["mean", "variance", "quantile"]
    );
    assert_eq!(planned[0].basis, WidthBasis::WorstCase);
    assert_eq!(plan.half_width(), None);
    let apart = |at: usize| f64::from(u8::from(at % 4 < 2));
    let seen = |of: &Quantity, value: &dyn Fn(usize) -> f64| {
        released(of, |random| plan.clone().release(table(value), random).unwrap())
    };
    let most = seen(&Quantity::Mean, &apart) / planned[0].half_width;
    assert!((0.98..1.0 + 1e-9).contains(&most), "{most}");
    let smooth = seen(&Quantity::Mean, &evenly) / planned[0].half_width;
    assert!(smooth < 0.95, "{smooth}");
    // Of two values with p(1 − p) = 1/8, the variance of which is hardest to sample.
    let p = 0.5 - 0.125f64.sqrt();
    let hardest = |at: usize| f64::from(u8::from(evenly(at) < p));
    about(seen(&Quantity::Variance, &hardest), &planned[1]);

    about(seen(&Quantity::Quantile(Rank::MEDIAN), &evenly), &planned[2]);

    let budgets: DeclaredBudgets = "0.5,2".parse().unwrap();
    let options = Options::add_remove();
    let add_remove = Request::summary(cells, (statistics, split), options)
        .add_remove(Bounds::UNIT, budgets)
        .unwrap();
    let planned = add_remove.plan(profile()).unwrap().intervals();
    assert_eq!(
        planned.iter().map(|one| one.of).collect::<Vec<_>>(),
        ["mean", "variance", "quantile"]
    );
    for (one, of, value) in [
        (planned[0], Quantity::Mean, &apart as &dyn Fn(usize) -> f64),
        (planned[1], Quantity::Variance, &hardest),
        (planned[2], Quantity::Quantile(Rank::MEDIAN), &evenly),
    ] {
        let seen = released(&of, |random| add_remove.release(table(value), random).unwrap());
        about(seen, &one);
    }
}

/// Without declared bounds a release has intervals of quantiles only, and so has its plan.
#[test]
fn a_plan_has_no_interval_that_its_release_lacks() {
    let cells = Cells::new(1000).unwrap();
    let profile: Profile = "1:200000".parse().unwrap();
    let statistics: Statistics = "mean,q50".parse().unwrap();
    for neighbors in [Neighbors::ReplaceOne, Neighbors::AddRemove] {
        let options = Options { neighbors, ..Options::default() };
        let summary = Options { neighbors, ..Options::default() };
        let split = Split::even(&statistics);
        let quantiles = Request::quantiles(cells, vec![Rank::MEDIAN], options);
        let several = Request::summary(cells, (statistics.clone(), split), summary);
        for (request, intervals, clipped) in
            [(Request::mean(neighbors), 0, true), (quantiles, 1, false), (several, 1, true)]
        {
            let plan = match neighbors {
                Neighbors::ReplaceOne => {
                    Plan::from(UnboundedPlan::new(request, profile.clone()).unwrap())
                }
                _ => {
                    let request =
                        UnboundedAddRemove::new("0.5,1".parse().unwrap(), request).unwrap();
                    Plan::from(request.plan(profile.clone()).unwrap())
                }
            };
            let of = plan.intervals().iter().map(|one| one.of).collect::<Vec<_>>();
            assert_eq!(of, vec!["quantile"; intervals], "{}", plan.statistic());
            let said = plan.no_interval().is_some_and(|why| why.contains("values beyond them"));
            assert_eq!(said, clipped, "{}", plan.statistic());
        }
    }
}

/// A hidden sum is a count times a mean, and one question of equal weights is never far better.
#[test]
fn the_count_of_a_hidden_sum_has_as_much_as_it_needs() {
    let bounds = Bounds::new(0.0, 60.0).unwrap();
    for profile in ["0.1:3400,0.5:4300,2:2000", "0.01:6835,0.1:8767,1:4028", "0.05:140,1:280"] {
        let options = Options::add_remove();
        let budgets = "0.01,2".parse().unwrap();
        let request = Request::sum(options).add_remove(bounds, budgets).unwrap();
        let plan = request.expected(profile.parse().unwrap()).unwrap();
        let all = plan.candidates().iter().map(|one| one.error.rmse);
        let best = all.fold(f64::INFINITY, f64::min);
        let chosen = plan.chosen().error.rmse;
        assert!(chosen < 1.06 * best, "{profile}: {chosen} {best}");
    }
}
