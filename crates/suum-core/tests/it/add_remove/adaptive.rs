//! Means and sums that hide who takes part, and first learn where the values lie.

use proptest::prelude::*;
use suum_core::{
    AddRemoveRequest, Bounds, DeclaredBudgets, Epsilon, Interval, LevelTable, Loss, Neighbors,
    Options, Profile, Randomness, Release, ReleaseRecord, Request, Share, Target, Verification,
};
use suum_testing::Extent;

use super::people::declared;
use crate::common::{config, exact, least_share, people};
use crate::dice::Dice;

const RELATIONS: [Neighbors; 2] = [Neighbors::AddRemove, Neighbors::Both];

/// Declared budgets, and who has them.
const COUNTS: [(&str, &str); 4] = [
    ("a=0.01,b=0.1,c=1", "0.01:7000,0.1:9000,1:4000"),
    ("a=0.2", "0.2:5000"),
    ("a=1", "1:1000"),
    ("a=0.05,b=3", "0.05:9000,3:90"),
];

fn options(neighbors: Neighbors) -> Options {
    Options { neighbors, adapt: true, ..Options::add_remove() }
}

fn mean(bounds: Bounds, budgets: &str, options: Options) -> AddRemoveRequest {
    Request::mean(options).add_remove(bounds, declared(budgets)).unwrap()
}

fn sum(bounds: Bounds, budgets: &str, options: Options) -> AddRemoveRequest {
    Request::sum(options).add_remove(bounds, declared(budgets)).unwrap()
}

/// The table for this request, with sums in cells whether it learns or not.
fn table(request: &AddRemoveRequest, profile: &str, value: impl FnMut() -> f64) -> LevelTable {
    let numbers = suum_core::Numbers {
        cells: Some(suum_core::Cells::for_sums()),
        ..request.numbers().unwrap()
    };
    people::table(&profile.parse::<Profile>().unwrap(), numbers, value)
}

fn released(request: &AddRemoveRequest, table: &LevelTable, seed: u64) -> Release {
    request.release(table.clone(), &mut Randomness::insecure(seed)).unwrap()
}

/// A mean or a sum of values that are known to have fewer than eight steps learns nothing.
#[test]
fn nothing_is_learned_of_few_steps() {
    let bounds = Bounds::new(0.0, 7.0).unwrap();
    for neighbors in RELATIONS {
        for step in [None, Some(0.5), Some(1.0)] {
            for of in [mean, sum] {
                let request = of(bounds, "a=0.2", Options { step, ..options(neighbors) });
                let learns = step != Some(1.0);
                assert_eq!(request.adapts(), learns, "{neighbors:?} {step:?}");
                assert_eq!(request.numbers().unwrap().cells.is_some(), learns);
                let release = released(&request, &table(&request, "0.2:5000", || 1.0), 1);
                assert_eq!(release.learned_range().is_some(), learns, "{neighbors:?} {step:?}");
            }
        }
    }
}

/// A range of budgets, of which there are few enough to learn.
fn few(range: &str) -> DeclaredBudgets {
    range.parse::<DeclaredBudgets>().unwrap().coarser(1000).unwrap()
}

/// Tiers of budgets, and how many people have each.
fn tiers() -> impl Strategy<Value = Vec<(f64, u64)>> {
    let epsilon = prop_oneof![
        4 => (-2.0..1.5_f64).prop_map(|exponent| 10f64.powf(exponent)),
        1 => Just(0.0),
        1 => Just(f64::INFINITY),
    ];
    let some = prop::collection::vec((epsilon, 0..300u64), 0..4);
    some.prop_map(|mut some| {
        some.push((0.7, 500));
        some.sort_by(|one, other| one.0.total_cmp(&other.0));
        some.dedup_by(|one, other| one.0 == other.0);
        some
    })
}

proptest! {
    #![proptest_config(config(100))]

    /// Everything together, exactly: at most what is allowed; what is certified follows from what
    /// is listed; and the parts of the cost are no more than the whole.
    #[test]
    fn nobody_loses_more_than_they_allow(
        tiers in tiers(),
        spare in prop_oneof![Just(0.0), Just(1.0), 0.0..1.0_f64],
        share in prop_oneof![Just(1.0), 0.3..1.0_f64],
        seed: u64,
        (low, width) in (-0.4..0.9_f64, -5.0..0.0_f64),
        (is_sum, both, is_range) in (any::<bool>(), any::<bool>(), any::<bool>()),
    ) {
        let tier = |(at, (epsilon, _)): (usize, &(f64, u64))| {
            (format!("tier {at}"), Epsilon::new(*epsilon).unwrap())
        };
        let budgets = match is_range {
            true => few("0.02,inf"),
            false => DeclaredBudgets::tiers(tiers.iter().enumerate().map(tier)).unwrap(),
        };
        let neighbors = if both { Neighbors::Both } else { Neighbors::AddRemove };
        let share = Share::new(share).unwrap();
        let options = Options { spare, share, ..options(neighbors) };
        let bounds = Bounds::new(-1.0, 2.0).unwrap();
        let request = match is_sum {
            true => Request::sum(options).add_remove(bounds, budgets),
            false => Request::mean(options).add_remove(bounds, budgets),
        }.unwrap();
        let profile: Vec<String> = tiers.iter().filter(|(_, count)| *count > 0)
            .map(|(epsilon, count)| format!("{epsilon}:{count}")).collect();
        let mut dice = Dice(seed);
        let table = table(&request, &profile.join(","), || {
            low + 10f64.powf(width) * dice.roll()
        });
        let release = released(&request, &table, seed);
        for row in &release.privacy {
            if row.epsilon.is_public() {
                prop_assert!(row.spent != Loss::Unlimited);
                continue;
            }
            let spent = exact::certified(&row.spent).unwrap();
            let allowed = exact::budget(row.epsilon).unwrap();
            prop_assert!(spent <= allowed * exact::exact(share.get()).unwrap());
        }
        let record = serde_json::to_value(&release).unwrap();
        let record: ReleaseRecord = serde_json::from_value(record).unwrap();
        let verified = Verification::compute(&record).unwrap();
        prop_assert!(verified.agrees(), "{:?}", verified);
        let interval = release.interval().unwrap();
        prop_assert!(interval.lower <= release.estimate() && release.estimate() <= interval.upper);
        if let Some(learned_range) = release.learned_range() {
            let finite = release.privacy.iter().filter(|row| !row.epsilon.is_public());
            for (row, cost) in finite.zip(&learned_range.cost) {
                prop_assert!(cost.learning.plus(&cost.beyond).rounded_up()
                    <= row.spent.rounded_up());
            }
        }
    }
}

/// Budgets that are numbers are rounded down to few enough, of which each is checked.
#[test]
fn a_range_of_budgets_learns() {
    let bounds = Bounds::new(0.0, 50.0).unwrap();
    let profile = "0.011:3000,0.09:2000,0.1003:3000,0.7771:1500,1.9:200";
    for neighbors in RELATIONS {
        let half_width = |budgets: DeclaredBudgets, learns: bool| {
            let request = Request::mean(options(neighbors)).add_remove(bounds, budgets).unwrap();
            assert_eq!(request.adapts(), learns);
            let mut dice = Dice(3);
            let release = released(&request, &table(&request, profile, || dice.roll()), 3);
            assert_eq!(release.learned_range().is_some(), learns);
            let interval = release.interval().unwrap();
            assert!(interval.lower < 0.5 && interval.upper > 0.5, "{interval:?}");
            interval.upper - interval.lower
        };
        let all = half_width("0.01,2".parse().unwrap(), false);
        assert!(half_width(few("0.01,2"), true) < 0.7 * all, "{neighbors:?}");
    }
}

/// Nobody above the clip level spends more than the mean needs, where all of the rest is spared.
#[test]
fn what_is_spared_is_kept() {
    for neighbors in RELATIONS {
        let spent = |spare: f64| {
            let options = Options { spare, ..options(neighbors) };
            let request = mean(Bounds::UNIT, "a=0.1,b=1,c=8", options);
            let mut dice = Dice(1);
            let table = table(&request, "0.1:3000,1:500,8:100", || dice.roll() / 40.0);
            let release = released(&request, &table, 1);
            assert!(release.learned_range().is_some());
            release.privacy.iter().map(|row| row.spent.rounded_up()).collect::<Vec<f64>>()
        };
        let (all, half, none) = (spent(0.0), spent(0.5), spent(1.0));
        assert!(all[2] > half[2] && half[2] > none[2], "{all:?} {half:?} {none:?}");
        // τ₀ is 0.43 here, and 0.77 for both; the profile cost a twentieth, at most a half.
        assert!(none[2] < 1.4 && half[2] < 4.9, "{none:?} {half:?}");
    }
}

/// With almost no noise the mean is that of the clamped values, and what was cut off is the rest;
/// a sum is the same for all records.
#[test]
fn large_budgets_give_the_mean_and_what_is_cut_off() {
    let bounds = Bounds::new(0.0, 1000.0).unwrap();
    for neighbors in RELATIONS {
        for (budgets, is_sum) in [("a=50", false), ("a=50", true), ("a=20,b=50", true)] {
            let request = match is_sum {
                true => sum(bounds, budgets, options(neighbors)),
                false => mean(bounds, budgets, options(neighbors)),
            };
            let (mut dice, mut total) = (Dice(5), 0.0);
            let table = table(&request, "50:2000", || {
                // A Pareto tail: some values lie far away.
                let value = (1.0 - dice.roll()).powf(-0.5);
                total += value.min(1000.0);
                value
            });
            let truth = if is_sum { total } else { total / 2000.0 };
            let unit = if is_sum { 2000.0 } else { 1.0 };
            let release = released(&request, &table, 3);
            let learned_range = release.learned_range().unwrap();
            assert!(learned_range.bounds.upper() < 500.0, "{learned_range:?}");
            let above = learned_range.above.unwrap();
            let all = release.estimate() + above.estimate;
            // Five standard deviations of both noises.
            let noise = release.error.unwrap().noise_sd + above.noise_sd;
            assert!((all - truth).abs() < 5.0 * noise, "{all} {truth} {above:?}");
            assert!(noise < 1.5 * unit, "{budgets} {neighbors:?}: {noise}");
            assert!(learned_range.below.is_none());
            let interval = release.interval().unwrap();
            assert!(interval.lower <= truth && truth <= interval.upper, "{interval:?} {truth}");
        }
    }
}

/// Where there seem to be too few people, or budgets are no tiers, or it is not asked for, nothing
/// is learned: with several budgets, of which a profile is bought anyway, it is the same release.
#[test]
fn too_little_to_learn_from_changes_nothing() {
    for (budgets, profile) in [("a=0.05,b=0.1", "0.05:100,0.1:300"), ("0.1,1", "0.2:9000")] {
        for neighbors in RELATIONS {
            let asked = mean(Bounds::UNIT, budgets, options(neighbors));
            let plain = Options { adapt: false, ..options(neighbors) };
            let plain = mean(Bounds::UNIT, budgets, plain);
            let mut dice = Dice(9);
            let table = table(&asked, profile, || dice.roll() / 3.0);
            let (asked, plain) = (released(&asked, &table, 7), released(&plain, &table, 7));
            assert!(asked.learned_range().is_none() && asked.estimate() == plain.estimate());
            assert_eq!(asked.privacy, plain.privacy);
        }
    }
    let request = mean(Bounds::UNIT, "a=0.5", options(Neighbors::Both));
    let nobody = LevelTable::possibly_empty(
        None,
        suum_core::Measure::Numbers(request.numbers().unwrap()),
        Vec::new(),
    );
    assert!(released(&request, &nobody.unwrap(), 1).learned_range().is_none());
}

/// Values of which most lie in a small part of generous bounds, and the mean that they have.
#[derive(Debug, Clone, Copy)]
enum Values {
    Uniform,
    Exponential,
    Heavy,
    Lump,
    Normal,
}

const VALUES: [Values; 5] =
    [Values::Uniform, Values::Exponential, Values::Heavy, Values::Lump, Values::Normal];

impl Values {
    fn draw(self, dice: &mut Dice) -> f64 {
        let u = 1.0 - dice.roll();
        match self {
            Values::Uniform => u,
            Values::Exponential => -u.ln() / 5.0,
            Values::Heavy => u.powf(-0.4) / 5.0,
            Values::Lump if u < 0.02 => 1.0,
            Values::Lump => 0.01 * u,
            Values::Normal => 0.5 + 0.1 * people::Values::Normal.draw(dice),
        }
    }

    /// The mean of values that are cut off at `most`.
    fn mean(self, most: f64) -> f64 {
        match self {
            Values::Uniform | Values::Normal => 0.5,
            Values::Exponential => (1.0 - (-5.0 * most).exp()) / 5.0,
            Values::Heavy => (1.0 - 0.4 * (5.0 * most).powf(-1.5)) / 0.6 / 5.0,
            Values::Lump => 0.02 + 0.01 * (1.0 - 0.02 * 0.02) / 2.0,
        }
    }
}

/// The root mean squared error, and the share of intervals that hold the truth.
fn simulate(
    request: &AddRemoveRequest,
    profile: &str,
    values: Values,
    (seed, trials): (u64, u32),
) -> (f64, f64) {
    let most = request.bounds().unwrap().upper();
    let mut dice = Dice(seed);
    let (mut squares, mut covered) = (0.0, 0);
    for trial in 0..trials {
        let (mut all, mut n) = (0.0, 0.0);
        let table = table(request, profile, || {
            let value = values.draw(&mut dice).clamp(0.0, most);
            (all, n) = (all + value, n + 1.0);
            value
        });
        let release = released(request, &table, seed + 1000 * u64::from(trial));
        let truth = match (request.statistic(), request.options().target) {
            ("sum", Target::Dataset) => all,
            ("sum", _) => n * values.mean(most),
            (_, Target::Dataset) => all / n,
            _ => values.mean(most),
        };
        let holds = |interval: Interval| interval.lower <= truth && truth <= interval.upper;
        let shown = release.interval().unwrap();
        squares += (release.estimate() - truth).powi(2);
        covered += u32::from(holds(shown));
    }
    ((squares / f64::from(trials)).sqrt(), f64::from(covered) / f64::from(trials))
}

/// In generous bounds the error is a fraction of that of a mean that does not learn, and in tight
/// ones not much larger.
#[test]
#[ignore = "takes seconds"]
fn learning_pays_in_generous_bounds() {
    for (number, (budgets, profile)) in (0..).zip(COUNTS) {
        // Each relation for half of the crowds.
        let neighbors = RELATIONS[number as usize % 2];
        let error = |adapt, width, values| {
            let bounds = Bounds::new(0.0, width).unwrap();
            let request = mean(bounds, budgets, Options { adapt, ..options(neighbors) });
            simulate(&request, profile, values, (number, 100)).0
        };
        for values in [Values::Uniform, Values::Exponential, Values::Normal] {
            let ratio = |width| error(true, width, values) / error(false, width, values);
            let (tight, wide, wider) = (ratio(1.0), ratio(20.0), ratio(200.0));
            // The ratio of two errors of 100 trials each has a standard error of 10 to 15 %.
            assert!(tight < 1.3, "{budgets} {values:?} {neighbors:?}: {tight}");
            assert!(wide < 0.85, "{budgets} {values:?} {neighbors:?}: {wide}");
            assert!(wider < 0.65, "{budgets} {values:?} {neighbors:?}: {wider}");
        }
    }
}

/// How often intervals of 95 % are tried: 40 times, or 16 outside of `ci` and `long`.
fn trials() -> u32 {
    Extent::get().trials(40)
}

/// Intervals of 95 % hold whatever was cut off: for each kind of values in tight and in generous
/// bounds over all crowds, with both relations, of means and of sums. One that holds in 88 % of all
/// for a kind and bounds passes once in a hundred times in 640 trials, and one that holds in 84.6 %
/// in 256.
#[test]
#[ignore = "takes seconds"]
fn intervals_hold_whatever_is_cut_off() {
    for (kind, values) in (0..).zip(VALUES) {
        for (at, width) in (0..).zip([1.0, 20.0]) {
            let bounds = Bounds::new(0.0, width).unwrap();
            let mut all = Vec::new();
            for (number, (budgets, profile)) in (0..).zip(COUNTS) {
                for neighbors in RELATIONS {
                    for is_sum in [false, true] {
                        let both = u64::from(neighbors == Neighbors::Both);
                        // Each target for half of the cells.
                        let target = match (number + both) % 2 {
                            0 => Target::Population,
                            _ => Target::Dataset,
                        };
                        let options = Options { target, ..options(neighbors) };
                        let request = match is_sum {
                            true => sum(bounds, budgets, options),
                            false => mean(bounds, budgets, options),
                        };
                        let seed = 500 * number + 100 * kind + 10 * at + 2 * both;
                        let seed = seed + u64::from(is_sum);
                        let (_, covered) = simulate(&request, profile, values, (seed, trials()));
                        let cell = format!("{values:?} {width} {budgets} {neighbors:?} {is_sum}");
                        assert!(covered >= least_share(trials()), "{cell} {target:?}: {covered}");
                        all.push(covered);
                    }
                }
            }
            let share = all.iter().sum::<f64>() / all.len() as f64;
            let least = least_share(trials() * all.len() as u32);
            assert!(share >= least, "{values:?} {width}: {share} < {least}");
        }
    }
}

/// Few people and small budgets for what lies beyond: its own weight is hardly above its noise.
#[test]
#[ignore = "takes seconds"]
fn intervals_hold_where_hardly_anything_is_left() {
    for neighbors in RELATIONS {
        for values in [Values::Exponential, Values::Lump] {
            let bounds = Bounds::new(0.0, 20.0).unwrap();
            let request = mean(bounds, "a=1,b=4", options(neighbors));
            let (_, covered) = simulate(&request, "1:150,4:20", values, (11, 300));
            assert!(covered >= least_share(300), "{values:?} {neighbors:?}: {covered}");
        }
    }
}
