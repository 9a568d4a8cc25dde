//! Nobody loses more than they allowed, decided by a second implementation of exact arithmetic.

use num_bigint::BigInt;
use num_rational::BigRational;
use proptest::prelude::*;
use suum_core::{
    Bounds, Choice, DeclaredBudgets, Epsilon, Estimator, Grid, LevelTable, Loss, Measure,
    Neighbors, Numbers, Options, PersonValue, Procedure, Randomness, Release, Share,
    SummaryProcedure,
};

use super::people::{Asked, Person, declared};
use crate::common::config;
use crate::common::exact::{budget, certified, exact};

/// A range or tiers, of any size.
fn budgets() -> impl Strategy<Value = DeclaredBudgets> {
    let epsilon = || {
        prop_oneof![
            2 => (-12.0..6.0_f64).prop_map(|exponent| 10f64.powf(exponent)),
            4 => (-3.0..1.0_f64).prop_map(|exponent| 10f64.powf(exponent)),
            1 => Just(f64::INFINITY),
        ]
    };
    let range = (epsilon(), epsilon()).prop_map(|(one, other)| {
        let (least, most) = (one.min(other), one.max(other));
        DeclaredBudgets::range(Epsilon::new(least).unwrap(), Epsilon::new(most).unwrap()).unwrap()
    });
    let tiers =
        (epsilon(), prop::collection::vec(prop_oneof![6 => epsilon(), 1 => Just(0.0)], 0..6));
    let tiers = tiers.prop_map(|(positive, mut more)| {
        more.push(positive);
        let tier =
            |(at, epsilon): (usize, f64)| (format!("tier {at}"), Epsilon::new(epsilon).unwrap());
        DeclaredBudgets::tiers(more.into_iter().enumerate().map(tier)).unwrap()
    });
    prop_oneof![range, tiers]
}

fn options() -> impl Strategy<Value = Options> {
    let estimator = prop_oneof![
        3 => Just(Choice::Auto),
        1 => Just(Choice::Named(Estimator::Affine)),
        1 => Just(Choice::Named(Estimator::Uniform)),
        1 => Just(Choice::Named(Estimator::Proportional)),
    ];
    let share = prop_oneof![Just(1.0), 1e-3..1.0_f64];
    let some = (-6.0..3.0_f64).prop_map(|exponent| Some(10f64.powf(exponent)));
    let clip = prop_oneof![3 => Just(None), 1 => some];
    let neighbors = prop_oneof![Just(Neighbors::AddRemove), Just(Neighbors::Both)];
    let all = (estimator, share, clip, neighbors);
    all.prop_map(|(estimator, share, clip, neighbors)| Options {
        neighbors,
        estimator,
        clip: clip.filter(|_| estimator == Choice::Auto).map(|clip| Epsilon::new(clip).unwrap()),
        share: Share::new(share).unwrap(),
        ..Options::add_remove()
    })
}

fn zero() -> BigRational {
    BigRational::from(BigInt::from(0))
}

/// The largest double of at most a fraction; zero if that is no budget.
fn rounded_down(value: &BigRational) -> f64 {
    // Positive doubles are in the order of their bits.
    let (mut low, mut high) = (0u64, f64::MAX.to_bits());
    while low < high {
        let middle = low + (high - low).div_ceil(2);
        if exact(f64::from_bits(middle)).unwrap() <= *value {
            low = middle
        } else {
            high = middle - 1
        }
    }
    let double = f64::from_bits(low);
    if double < Epsilon::MIN { 0.0 } else { double }
}

/// What one question costs of what is left, min(share·left, clip) rounded down to 2^-k, and what is
/// left then.
fn ask(left: Option<BigRational>, share: f64, clip: f64) -> (Option<BigRational>, BigRational) {
    let steps = BigRational::from(BigInt::from(1) << (50.0 - clip.log2().floor()) as usize);
    let clip = exact(clip).unwrap();
    let part = match &left {
        None => clip,
        Some(left) if share == 1.0 => left.clone().min(clip),
        Some(left) => exact(rounded_down(&(left * exact(share).unwrap()))).unwrap().min(clip),
    };
    let loss = (part * &steps).floor() / steps;
    let left = left.map(|left| exact(rounded_down(&(left - &loss))).unwrap());
    (left, loss)
}

/// The loss of a declared budget from the definition: the questions that a release asks, one after
/// the other.
fn loss(
    asked: Asked,
    budgets: &DeclaredBudgets,
    options: &Options,
    (tau, count): (f64, f64),
    epsilon: Epsilon,
) -> BigRational {
    let share = options.share.get();
    let first = |epsilon: Epsilon| {
        let counted = budget(budgets.round_down(epsilon));
        if share == 1.0 {
            counted
        } else {
            counted.map(|e| exact(rounded_down(&(e * exact(share).unwrap()))).unwrap())
        }
    };
    let (mut left, mut least) = (first(epsilon), first(budgets.least()));
    let mut spent = zero();
    let found = matches!(options.estimator, Choice::Auto | Choice::Named(Estimator::Affine));
    let known = options.clip.is_some() || !found || asked == Asked::Count;
    let one = budgets.most() == budgets.least() || {
        // All budgets within a factor of two, or all above what is enough.
        let tiers = budgets.rows().iter().all(|(label, _)| label.starts_with("tier"));
        let enough =
            |epsilon: Epsilon| budget(epsilon).is_none_or(|_| epsilon.get() * share >= 10.0);
        enough(budgets.least()) || !tiers && budgets.most().get() < 2.0 * budgets.least().get()
    };
    if asked == Asked::Quantiles || !(known || one) {
        let cost;
        (left, cost) = ask(left, 0.05, 0.5);
        (least, _) = ask(least, 0.05, 0.5);
        spent += cost;
    }
    let finite = |least: &Option<BigRational>| least.clone().unwrap_or(exact(10.0).unwrap());
    let plain = options.estimator == Choice::Named(Estimator::Uniform)
        || found && (options.clip.map_or(one, |clip| exact(clip.get()).unwrap() <= finite(&least)));
    if asked == Asked::Sum && !plain {
        let part = rounded_down(&(finite(&least) * exact(count).unwrap()));
        let cost;
        (left, cost) = ask(left, 1.0, part);
        spent += cost;
    }
    spent + ask(left, 1.0, tau).1
}

fn certificate_holds(
    asked: Asked,
    budgets: &DeclaredBudgets,
    options: &Options,
    release: &Release,
) -> Result<(), TestCaseError> {
    // Where everybody is public nothing is hidden: no noise, and all is lost that there is.
    if budgets.least().is_public() {
        for row in &release.privacy {
            let lost = if row.epsilon.is_unused() { Loss::ZERO } else { Loss::Unlimited };
            prop_assert_eq!(&row.spent, &lost);
        }
        prop_assert!(release.is_noiseless());
        return Ok(());
    }
    if let Procedure::Summary(SummaryProcedure { parts, .. }) = &release.procedure {
        for part in parts {
            let Procedure::AddRemove(how) = &part.release.procedure else { panic!("{part:?}") };
            let asked = match how.request.statistic() {
                "variance" => Asked::Variance,
                _ => Asked::Quantiles,
            };
            prop_assert!(part.share == how.request.options().share);
            certificate_holds(asked, budgets, how.request.options(), &part.release)?;
        }
        for (at, row) in release.privacy.iter().enumerate() {
            let parts = parts.iter().map(|part| certified(&part.release.privacy[at].spent));
            let sum = parts.fold(zero(), |sum, spent| sum + spent.unwrap());
            prop_assert_eq!(certified(&row.spent), Some(sum.clone()));
            if let Some(allowed) = budget(row.epsilon) {
                prop_assert!(sum <= allowed * exact(options.share.get()).unwrap());
            }
        }
        return Ok(());
    }
    let Procedure::AddRemove(how) = &release.procedure else { panic!("{release:?}") };
    prop_assert_eq!(release.privacy.len(), budgets.rows().len());
    // Which part of the least budget counts people is found from noisy numbers.
    let agrees = |count: &f64| {
        let mut rows = release.privacy.iter();
        rows.all(|row| {
            certified(&row.spent)
                == Some(loss(asked, budgets, options, (how.tau, *count), row.epsilon))
        })
    };
    let count = [0.5, 0.6, 0.7, 0.8, 0.9].into_iter().find(agrees).unwrap_or(0.5);
    for (row, (label, epsilon)) in release.privacy.iter().zip(budgets.rows()) {
        prop_assert!(row.level == *label && row.epsilon == epsilon);
        let spent = certified(&row.spent);
        prop_assert!(spent.is_some(), "nobody's loss is unlimited");
        let spent = spent.unwrap();
        if let Some(allowed) = budget(epsilon) {
            prop_assert!(
                spent <= allowed * exact(options.share.get()).unwrap(),
                "{:?} spends too much",
                epsilon
            );
        }
        prop_assert_eq!(
            spent,
            loss(asked, budgets, options, (how.tau, count), epsilon),
            "{:?} {:?}",
            asked,
            epsilon
        );
    }
    Ok(())
}

proptest! {
    #![proptest_config(config(300))]

    #[test]
    fn no_declared_budget_is_exceeded_whoever_takes_part(
        budgets in budgets(), options in options(), at in 0..Asked::ALL.len(), seed in any::<u64>(),
        people in prop::collection::vec((-12.0..6.0_f64, 0.0..1.0_f64), 0..6),
    ) {
        let asked = Asked::ALL[at];
        // Combinations that are refused are refused before data are read.
        let request = asked.try_request(budgets.clone(), options.clone());
        let Ok(request) = request else { return Ok(()) };
        let people: Vec<Person> =
            people.into_iter().map(|(exponent, value)| (10f64.powf(exponent), value)).collect();
        let release =
            request.release(asked.table(&people), &mut Randomness::insecure(seed)).unwrap();
        certificate_holds(asked, &budgets, &options, &release)?;
        if asked == Asked::Several {
            return Ok(());
        }
        let assumed = suum_core::Profile::new([
            suum_core::Level { epsilon: budgets.least(), count: 100 },
            suum_core::Level { epsilon: budgets.most(), count: 10 },
        ]);
        let plan = request.expected(assumed.unwrap()).unwrap();
        for row in &plan.chosen().privacy {
            prop_assert!(row.spent.within(row.epsilon));
        }
    }
}

#[test]
fn hardly_anything_is_left() {
    for asked in Asked::ALL {
        let options = Options::add_remove();
        let release = asked
            .request("a=0.3", options)
            .release(asked.table(&[]), &mut Randomness::insecure(1))
            .unwrap();
        let spent = release.privacy[0].spent.rounded_up();
        assert!(spent <= 0.3 && spent > 0.3 * (1.0 - 1e-12), "{asked:?}: {spent}");
    }
}

#[test]
fn what_cannot_be_had_is_refused_and_named() {
    let refused = |asked: Asked, budgets: &str, change: fn(&mut Options)| {
        let mut options = Options::add_remove();
        change(&mut options);
        let refused = asked.try_request(declared(budgets), options).unwrap_err();
        assert!(refused.fix().is_some(), "{refused}");
        refused.to_string()
    };
    for estimator in Estimator::ALL {
        let available =
            matches!(estimator, Estimator::Affine | Estimator::Typical | Estimator::Uniform)
                || estimator == Estimator::Proportional;
        let options = Options { estimator: Choice::Named(estimator), ..Options::add_remove() };
        let request = Asked::Mean.try_request(declared("0.1,1"), options);
        assert_eq!(request.is_ok(), available, "{estimator}");
        assert!(request.err().is_none_or(|refused| refused.to_string().starts_with("estimator: ")));
    }
    let typical = |o: &mut Options| o.estimator = Choice::Named(Estimator::Typical);
    assert!(refused(Asked::Variance, "0.1,1", typical).starts_with("estimator: typical"));
    let replaced = refused(Asked::Mean, "0.1,1", |o| o.neighbors = Neighbors::ReplaceOne);
    assert!(replaced.starts_with("neighbors: "));
    let correlated =
        refused(Asked::Mean, "0.1,1", |o| o.target = suum_core::Target::DatasetCorrelated);
    assert!(correlated.starts_with("target: "));
    assert!(refused(Asked::Mean, "0.1,1", |o| o.confidence = 1.0).starts_with("confidence: "));
    assert!(refused(Asked::Mean, "0.1,1", |o| o.variance = Some(0.3)).starts_with("variance: "));
    assert!(
        refused(Asked::Frequency, "0.1,1", |o| o.variance = Some(0.1)).starts_with("variance: ")
    );
    assert!(
        refused(Asked::Mean, "0.1,1", |o| o.interval_share = Some(0.1))
            .starts_with("interval_share: ")
    );
    assert!(
        refused(Asked::Quantiles, "0.1,1", |o| o.interval_share = Some(1.0))
            .starts_with("interval_share: ")
    );
    assert!(refused(Asked::Count, "0.1,1", |o| o.whole = true).starts_with("step: "));
    let clip = |o: &mut Options| o.clip = Some(Epsilon::PUBLIC);
    assert!(refused(Asked::Mean, "0.1,1", clip).starts_with("clip: "));
    assert!(
        refused(Asked::Count, "0.1,1", |o| o.clip = Some(Epsilon::new(1.0).unwrap()))
            .starts_with("clip: ")
    );
    let proportional = |o: &mut Options| o.estimator = Choice::Named(Estimator::Proportional);
    assert!(refused(Asked::Mean, "0.1,inf", proportional).starts_with("estimator: "));
    assert!(refused(Asked::Mean, "0.1,1e13", proportional).starts_with("clip: "));
    let share = |o: &mut Options| o.share = Share::new(1e-6).unwrap();
    assert!(refused(Asked::Mean, "1e-90,1", share).starts_with("budgets: "));
}

#[test]
fn tables_of_another_make_are_refused() {
    let request = Asked::Mean.request("0.1,1", Options::add_remove());
    let randomness = &mut Randomness::insecure(1);
    assert!(request.release(Asked::Frequency.table(&[]), randomness).is_err());
    let request = Asked::Frequency.request("0.1,1", Options::add_remove());
    assert!(request.release(Asked::Mean.table(&[]), randomness).is_err());
    // What is refused when it is released is refused by a look at the table before.
    for asked in Asked::ALL {
        for other in Asked::ALL {
            let request = asked.request("0.1,1", Options::add_remove());
            let checked = request.check_table(&other.table(&[]));
            let released = request.release(other.table(&[]), randomness);
            assert_eq!(checked.err(), released.err(), "{asked:?} of a table for {other:?}");
        }
    }
    let grid = Grid::new(Bounds::UNIT);
    let without = Measure::Numbers(Numbers { grid, squares: false, cells: None });
    let without = LevelTable::possibly_empty(None, without, vec![]).unwrap();
    let variance = Asked::Variance.request("0.1,1", Options::add_remove());
    let refused = variance.check_table(&without).unwrap_err();
    assert!(refused.to_string().contains("no squares") && refused.fix().is_some());
    let mean = Asked::Mean.request("0.1,1", Options::add_remove());
    let release = mean.release(without, randomness).unwrap();
    assert!(release.spread().is_none(), "a mean can do without squares");
    // A sum is of persons' totals, and a mean of their means.
    for (asked, fits) in [(Asked::Sum, PersonValue::Total), (Asked::Mean, PersonValue::Mean)] {
        for value in [PersonValue::Total, PersonValue::Mean] {
            let persons = asked.table(&[]).with_person("who".into(), value);
            let request = asked.request("0.1,1", Options::add_remove());
            assert_eq!(request.release(persons, randomness).is_ok(), value == fits);
        }
    }
}
