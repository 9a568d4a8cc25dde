//! Several statistics from one budget: what they cost together, and what a variance that is
//! measured first is good for.
//!
//! Seeds are fixed, so that a test that has passed fails only when the code changes; what each
//! statistical check would raise in false alarms if draws changed is said at the check.

use crate::common::exact::{budget, certified, exact};
use crate::common::people::table;
use crate::common::{config, profiles};
use crate::dice::Dice;
use num_bigint::BigInt;
use num_rational::BigRational;
use proptest::prelude::*;
use suum_core::{
    Bounds, Cells, DeclaredBudgets, Epsilon, ErrorKind, Grid, LevelSums, LevelTable, Loss, Measure,
    MemoryRecords, Neighbors, Numbers, Options, Parts, Plan, Procedure, Profile, Quantity,
    Randomness, Request, Split, Statistics, SummaryPlan, SummaryProcedure, Target,
    UnboundedAddRemove,
};

fn profile(text: &str) -> Profile {
    text.parse().unwrap()
}

fn statistics(text: &str) -> Statistics {
    text.parse().unwrap()
}

fn zero() -> BigRational {
    BigRational::from(BigInt::from(0))
}

fn numbers(bounds: Bounds, steps: u32) -> Numbers {
    Numbers { grid: Grid::new(bounds), squares: true, cells: Some(Cells::new(steps).unwrap()) }
}

fn summary(names: &str, split: &str, profile: &Profile) -> suum_core::Result<SummaryPlan> {
    let statistics = statistics(names);
    let even = Split::even(&statistics);
    let split = if split.is_empty() { even } else { even.with(split.parse()?) };
    SummaryPlan::new(
        statistics,
        numbers(Bounds::UNIT, 16),
        profile.clone(),
        split,
        &Options::default(),
    )
}

const NAMES: [&str; 8] = [
    "mean",
    "variance",
    "q50",
    "mean,variance",
    "q10,mean,q90",
    "variance,q50",
    "mean,variance,q25,q50,q75",
    "q99.9,variance,mean",
];

const SPLITS: [&str; 5] = [
    "",
    "mean=2",
    "mean=0.1,variance=0.7,quantile=3.3",
    "quantile=1000",
    "quantile=0.003,mean=7,variance=1e-5",
];

// Budgets.

proptest! {
    #![proptest_config(config(60))]

    #[test]
    fn all_parts_together_keep_every_budget(profile in profiles()) {
        for names in NAMES {
            for split in SPLITS {
                let plan = match summary(names, split, &profile) {
                    Ok(plan) => plan,
                    Err(refused) => {
                        let single = profile.records() < 2 && names.contains("variance");
                        // One record alone has no variance.
                        prop_assert!(single, "{names} {split}: {refused}");
                        continue;
                    }
                };
                let whole =
                    plan.shares().fold(zero(), |sum, (_, share)| sum + exact(share.get()).unwrap());
                let one = BigRational::from(BigInt::from(1));
                prop_assert!(whole <= one && whole > exact(1.0 - 1e-15).unwrap());
                prop_assert_eq!(plan.losses().count(), profile.levels().len());
                for (level, together) in profile.levels().iter().zip(plan.losses()) {
                    // Each part alone, by the budget that it may spend.
                    let mut parts = Some(zero());
                    let mut shares = plan.shares().map(|(_, share)| share);
                    let mut part = |loss: Option<Loss>| {
                        let (Some(loss), Some(share)) = (loss, shares.next()) else {
                            return Err(TestCaseError::fail("a level is missing"));
                        };
                        if let Some(epsilon) = budget(level.epsilon) {
                            let spent = certified(&loss).unwrap();
                            prop_assert!(spent <= epsilon * exact(share.get()).unwrap());
                        }
                        parts = parts.take().zip(certified(&loss)).map(|(sum, loss)| sum + loss);
                        Ok(())
                    };
                    if let Some(mean) = plan.mean_plan() {
                        let share = plan.shares().next().unwrap().1;
                        let position =
                            mean.setting().profile.position(share.apply_to(level.epsilon)).unwrap();
                        part(Some(mean.mechanism().loss(position)))?;
                    }
                    if let Some(variance) = plan.variance_plan() {
                        let share = variance.request().options().share;
                        let position =
                            variance.profile().position(share.apply_to(level.epsilon)).unwrap();
                        part(Some(variance.mechanism().loss(position)))?;
                    }
                    if let Some(quantiles) = plan.quantile_plan() {
                        let share = quantiles.request().options().share;
                        let position =
                            quantiles.profile().position(share.apply_to(level.epsilon)).unwrap();
                        part(Some(quantiles.mechanism().loss(position)))?;
                    }
                    prop_assert_eq!(certified(&together), parts);
                    prop_assert!(together.within(level.epsilon));
                    if let (Some(epsilon), Some(spent)) =
                        (budget(level.epsilon), certified(&together))
                    {
                        prop_assert!(spent <= epsilon);
                    }
                    prop_assert!(!level.epsilon.is_unused() || together == Loss::ZERO);
                }
            }
        }
    }
}

/// The most constrained people spend all that they allow, whatever it is divided among.
#[test]
fn nothing_is_left_over() {
    for text in ["0.1:500,1:300,3:20", "0.7:40", "0.05:1000,inf:3"] {
        let profile = profile(text);
        for names in NAMES {
            for split in SPLITS {
                let spent =
                    summary(names, split, &profile).unwrap().losses().next().unwrap().rounded_up();
                let allowed = profile.levels()[0].epsilon.get();
                assert!(
                    spent > allowed * (1.0 - 1e-9),
                    "{text} {names} {split}: {spent} of {allowed}"
                );
            }
        }
    }
}

#[test]
fn shares_follow_the_split() {
    let shares = |names, split| {
        let plan = summary(names, split, &profile("0.5:40,inf:3")).unwrap();
        plan.shares().map(|(name, share)| (name, share.get())).collect::<Vec<_>>()
    };
    // Mean and variance are measured together, with the parts of both; each quantile counts as one.
    assert_eq!(
        shares("mean,variance,q25,q75", ""),
        [("mean and variance", 0.5), ("quantiles", 0.5)]
    );
    assert_eq!(shares("mean,q25,q50,q75", ""), [("mean", 0.25), ("quantiles", 0.75)]);
    assert_eq!(shares("variance,q50", "variance=3"), [("variance", 0.75), ("quantiles", 0.25)]);
    assert_eq!(shares("mean", "mean=7"), [("mean", 1.0)]);
    // Parts of what is not asked for do not matter.
    assert_eq!(shares("variance,q50", "mean=100"), [("variance", 0.5), ("quantiles", 0.5)]);
}

// Releases.

/// Two tiers of equal budget, people who must not be used, and public ones.
fn tiers(numbers: Numbers) -> LevelTable {
    let made = |label: &str, text: &str, seed| {
        let mut dice = Dice(seed);
        let table = table(&profile(text), numbers, || dice.roll());
        LevelSums { label: Some(label.to_owned()), ..table.by_level()[0].clone() }
    };
    let by_level = vec![
        made("strict", "0.5:400", 1),
        made("usual", "1:300", 2),
        made("also usual", "1:100", 3),
        made("never", "0:50", 4),
        made("open", "inf:5", 5),
    ];
    LevelTable::new(Some("value".into()), Measure::Numbers(numbers), by_level).unwrap()
}

#[test]
fn the_certificate_is_the_sum_of_the_parts() {
    let numbers = numbers(Bounds::UNIT, 16);
    let table = tiers(numbers);
    for names in NAMES {
        let plan = summary(names, "quantile=2", &table.profile().unwrap()).unwrap();
        let losses: Vec<Loss> = plan.losses().collect();
        let release = plan.release(table.clone(), &mut Randomness::insecure(1)).unwrap();
        assert_eq!(release.privacy.len(), table.by_level().len());
        for (line, level_sums) in release.privacy.iter().zip(table.by_level()) {
            let level = table.profile().unwrap().position(level_sums.epsilon).unwrap();
            assert_eq!((&line.level, line.count), (&level_sums.name(), Some(level_sums.count)));
            assert_eq!(line.spent, losses[level], "{names}");
            assert!(line.spent.within(level_sums.epsilon));
        }
        let Procedure::Summary(SummaryProcedure { parts, .. }) = &release.procedure else {
            panic!("{release:?}")
        };
        for at in 0..release.privacy.len() {
            let lines = parts.iter().map(|part| &part.release.privacy[at].spent);
            let sum = lines.fold(Loss::ZERO, |sum, loss| sum.plus(loss));
            assert_eq!(sum, release.privacy[at].spent);
        }
        let asked = statistics(names);
        assert_eq!(release.estimate_of(&Quantity::Mean).is_some(), asked.mean);
        assert_eq!(release.estimate_of(&Quantity::Variance).is_some(), asked.variance);
        let quantiles = release.estimates.iter();
        let quantiles = quantiles.filter(|one| matches!(one.of, Quantity::Quantile(_)));
        assert_eq!(quantiles.count(), asked.quantiles.len());
        assert!(!release.private);
        let json = serde_json::to_value(&release).unwrap();
        assert_eq!(json["private"], false);
        assert_eq!(json["privacy"].as_array().unwrap().len(), 5);
    }
}

#[test]
fn refuses_tables_that_are_not_the_plans() {
    let people = profile("0.5:40,inf:3");
    let all = numbers(Bounds::UNIT, 16);
    let made = |numbers: Numbers| table(&people, numbers, || 0.25);
    let release = |names: &str, table: LevelTable| {
        let plan = summary(names, "", &people).unwrap();
        plan.release(table, &mut Randomness::insecure(1)).map_err(|refused| refused.kind())
    };
    // More than is needed is accepted, less is not.
    for names in NAMES {
        assert!(release(names, made(all)).is_ok(), "{names}");
        let squares = names.contains("variance") || names.contains("mean");
        let cells = names.contains('q');
        let needed = Numbers { squares, cells: all.cells.filter(|_| cells), ..all };
        assert!(release(names, made(needed)).is_ok(), "{names}");
        if squares {
            assert_eq!(
                release(names, made(Numbers { squares: false, ..all })).unwrap_err(),
                ErrorKind::Table
            );
        }
        if cells {
            for other in [
                None,
                Some(Cells::new(17).unwrap()),
                Some(Cells::new(16).unwrap().with_rows(2).unwrap()),
            ] {
                let table = made(Numbers { cells: other, ..all });
                assert_eq!(release(names, table).unwrap_err(), ErrorKind::Table);
            }
        }
        let wider = numbers(Bounds::new(0.0, 2.0).unwrap(), 16);
        assert_eq!(release(names, made(wider)).unwrap_err(), ErrorKind::Table);
        let others = table(&profile("0.5:41,inf:3"), all, || 0.25);
        assert_eq!(release(names, others).unwrap_err(), ErrorKind::Table);
    }
}

#[test]
fn refuses_plans_that_make_no_sense() {
    let people = profile("0.5:40,inf:3");
    let plan = |statistics: Statistics, numbers, profile: &Profile, options: &Options| {
        let split = Split::even(&statistics);
        SummaryPlan::new(statistics, numbers, profile.clone(), split, options)
            .unwrap_err()
            .to_string()
    };
    let (all, options) = (numbers(Bounds::UNIT, 16), Options::default());
    assert!(plan(Statistics::default(), all, &people, &options).starts_with("statistic:"));
    let none = Numbers { cells: None, ..all };
    assert!(plan(statistics("mean,q50"), none, &people, &options).starts_with("quantiles:"));
    assert!(plan(statistics("q50,q50.0"), all, &people, &options).starts_with("q:"), "twice");
    assert!(plan(statistics("q05,q5"), all, &people, &options).starts_with("q:"), "twice");
    for names in NAMES {
        assert!(
            plan(statistics(names), all, &profile("0:40"), &options).contains("budget"),
            "{names}"
        );
        let confidence = Options { confidence: 1.0, ..options.clone() };
        assert!(plan(statistics(names), all, &people, &confidence).starts_with("confidence:"));
    }
    let correlated = Options { target: Target::DatasetCorrelated, ..options.clone() };
    assert!(plan(statistics("variance"), all, &people, &correlated).starts_with("target:"));
    let half = Options { interval_share: Some(0.95), ..options };
    assert!(plan(statistics("q50"), all, &people, &half).starts_with("interval_share:"));
}

// Texts.

#[test]
fn refuses_names_and_parts_that_are_none() {
    for bad in [
        "",
        ",",
        "median",
        "mean,",
        "mean,mean",
        "q",
        "q0",
        "q100",
        "q-5",
        "q5e1",
        "q50%",
        "Q50",
        "q0.0",
        "q.5",
        "q50,q50",
        "q1234567890",
        "q12.12345678901",
        "q٥٠",
        "variance;mean",
    ] {
        let refused = bad.parse::<Statistics>().map(|_| ()).unwrap_err();
        assert!(
            refused.to_string().starts_with("statistic:") && refused.fix().is_some(),
            "{bad}: {refused}"
        );
    }
    assert_eq!(statistics("q5").quantiles, statistics("q05").quantiles);
    assert_eq!(statistics(" mean , q12.5 ").quantiles[0].fraction(), (1, 8));
    let even = Split::even(&statistics("mean,q25,q75"));
    for bad in [
        "", "mean", "mean=", "mean=0", "mean=-1", "mean=inf", "mean=nan", "mode=1", "mean=1,,",
        "=1",
    ] {
        let refused = bad.parse::<Parts>().unwrap_err();
        assert!(
            refused.to_string().starts_with("split:") && refused.fix().is_some(),
            "{bad}: {refused}"
        );
    }
    let split = even.with("mean=2, quantile = 0.5".parse().unwrap());
    assert_eq!((split.mean, split.variance, split.quantile), (2.0, 1.0, 0.5));
    assert_eq!(even.quantile, 2.0, "one part for each quantile");
}

proptest! {
    #![proptest_config(config(2000))]

    #[test]
    fn no_text_panics(
        text in "\\PC*",
        names in "[mevarincq0-9.,= ]{0,20}",
        like in "(mean|variance|q[0-9]{0,3}(\\.[0-9]{0,10})?|,){0,6}",
        parts in "(mean|variance|quantile|=|,|[0-9.e-]{1,4}){0,6}",
    ) {
        for text in [text, names, like, parts] {
            if let Ok(statistics) = text.parse::<Statistics>() {
                let named = usize::from(statistics.mean) + usize::from(statistics.variance);
                prop_assert_eq!(text.split(',').count(), named + statistics.quantiles.len());
                for rank in statistics.quantiles {
                    prop_assert!(0.0 < rank.get() && rank.get() < 1.0);
                }
            }
            if let Ok(parts) = text.parse() {
                let split = Split::even(&Statistics::default()).with(parts);
                for part in [split.mean, split.variance, split.quantile] {
                    prop_assert!(part > 0.0 && part.is_finite());
                }
            }
        }
    }

    #[test]
    fn percentages_are_read_exactly(percent in 1u64..1_000_000_000) {
        // Nine digits of a rank: two of whole percent and seven behind the point.
        let text = format!("q{}.{:07}", percent / 10_000_000, percent % 10_000_000);
        let rank = statistics(&text).quantiles[0];
        let (numerator, denominator) = rank.fraction();
        prop_assert_eq!(
            u128::from(numerator) * 1_000_000_000,
            u128::from(percent) * u128::from(denominator)
        );
    }
}

/// Where participation is hidden, it is made of plans as ever, also inside a range that is
/// searched first; and no budget pays more than it allows.
#[test]
fn plans_of_hidden_people_hold_ordinary_plans() {
    let statistics: Statistics = "mean,variance,q50".parse().unwrap();
    let asked = (statistics.clone(), Split::even(&statistics));
    let request = Request::summary(Cells::new(100).unwrap(), asked, Neighbors::AddRemove);
    let budgets: DeclaredBudgets = "0.1,1".parse().unwrap();
    let people: Profile = "0.1:3000,1:2000".parse().unwrap();

    let declared = request.clone().add_remove(Bounds::UNIT, budgets.clone()).unwrap();
    let declared = declared.plan(people.clone()).unwrap();
    let searching = UnboundedAddRemove::new(budgets.clone(), request).unwrap();
    let searching = searching.plan(people.clone()).unwrap();
    for (_, budget) in budgets.rows() {
        let inside = searching.standard().loss_of(budget);
        let all = searching.loss_of(budget);
        assert!(all.within(budget) && all.rounded_up() > inside.rounded_up() + 0.05 * budget.get());
        for (plan, loss) in [(&declared, declared.loss_of(budget)), (searching.standard(), inside)]
        {
            let Plan::Summary(several) = plan else { panic!("{plan:?}") };
            assert_eq!(
                several.plans().map(Plan::statistic).collect::<Vec<_>>(),
                ["variance", "quantile"]
            );
            assert!(several.rmse_of_mean().is_some() && plan.rmse().is_none());
            let parts = several.plans().map(|part| part.loss_of(budget));
            assert_eq!(parts.reduce(|one, other| one.plus(&other)), Some(loss.clone()));
            assert!(loss.within(budget) && loss.rounded_up() > 0.0);
        }
    }
    let mut one = MemoryRecords::new(vec![(Epsilon::new(1.0).unwrap(), 0.5)]).unwrap();
    assert!(searching.release(&mut one, &mut Randomness::insecure(1)).is_err());
}
