//! No record loses more than it allows, for any measurements in any order.

use std::sync::Arc;

use dashu_int::UBig;
use dashu_ratio::RBig;
use proptest::prelude::*;
use suum_testing::Extent;

use super::{Account, Cost, Measurement, Session};
use crate::certificate::verify::Description;
use crate::private::mechanism::{RangeSearch, Ranges};
use crate::private::part::Part;
use crate::{
    Bounds, CellBlocks, CellRange, Cells, Choice, DeclaredBudgets, Distribution, Epsilon, Error,
    ErrorKind, Estimator, FloatOrder, FloatQuantile, Key, Level, LevelEntry, Loss,
    MeasurementEntry, MemoryRecords, Neighbors, Options, PrivacyUnits, Profile, QuantileEstimator,
    QuantileRequest, Question, Randomness, RangeCheck, RangeChoice, RangeKeys, Rank, RankChoice,
    RankQuery, RankQuestions, Result, Share, Statistic, Totals, TotalsQuestion, VarianceRequest,
    WeightedRequest,
};

/// Everything that can be measured, by kind.
#[derive(Debug, Clone, Copy)]
enum Kind {
    Mean(Estimator),
    Frequencies(Estimator),
    Variance,
    Quantiles(QuantileEstimator),
    Totals,
    RankChoice,
    /// A range, at a share of what is left; or of what is left above a budget, if that is more.
    RangeChoice {
        above: bool,
    },
    /// Sum of the distances of values beyond a range.
    Beyond,
    FloatQuantile,
    Check,
}

/// All kinds, those of every registered estimator among them.
fn kinds() -> Vec<Kind> {
    let released = || Estimator::ALL.into_iter().filter(|estimator| !estimator.is_for_study());
    let means = released().filter(|estimator| estimator.serves(false)).map(Kind::Mean);
    let shares = released().filter(|estimator| estimator.serves(true)).map(Kind::Frequencies);
    let quantiles = QuantileEstimator::ALL.into_iter().map(Kind::Quantiles);
    let others = [
        Kind::Variance,
        Kind::Totals,
        Kind::RankChoice,
        Kind::RangeChoice { above: false },
        Kind::RangeChoice { above: true },
        Kind::Beyond,
        Kind::FloatQuantile,
        Kind::Check,
    ];
    means.chain(shares).chain(quantiles).chain(others).collect()
}

/// A measurement that is made of a share of everybody's budget.
#[derive(Debug, Clone, Copy)]
struct Step {
    /// The share of the part that begins before it, if one does.
    begins: Option<Share>,
    kind: Kind,
    share: Share,
    /// τ, of those that have one of their own.
    clip: Epsilon,
}

fn steps(kinds: Vec<Kind>) -> impl Strategy<Value = Vec<Step>> {
    let part = prop::option::weighted(0.3, 0.1..1.0_f64);
    let step = (part, prop::sample::select(kinds), 0.01..0.7_f64, -5.0..1.0_f64).prop_map(
        |(begins, kind, share, clip)| Step {
            begins: begins.map(|share| Share::new(share).unwrap()),
            kind,
            share: Share::new(share).unwrap(),
            clip: Epsilon::new(10f64.powf(clip)).unwrap(),
        },
    );
    prop::collection::vec(step, 1..6)
}

/// Up to five levels, among them perhaps public and unused ones.
fn profiles() -> impl Strategy<Value = Profile> {
    let epsilon = prop_oneof![
        6 => (-3.0..1.0_f64).prop_map(|exponent| 10f64.powf(exponent)),
        1 => Just(0.0),
        1 => Just(f64::INFINITY),
    ];
    let level = (epsilon, 1..50u64);
    prop::collection::vec(level, 1..6).prop_filter_map("somebody may be used", |levels| {
        let level = |(epsilon, count)| Some(Level { epsilon: Epsilon::new(epsilon).ok()?, count });
        let profile = Profile::new(levels.into_iter().filter_map(level)).ok()?;
        (profile.check_usable().is_ok() && profile.records() > 1).then_some(profile)
    })
}

/// Outcome of a measurement: its cost, which was compared with the cost that its mechanism states,
/// and the result.
type Outcome = (Cost, Result<()>);

/// Makes one measurement, if there can be one of these levels and neighbours.
fn make(session: &mut Session<'_>, step: Step, levels: &[Epsilon]) -> Result<Outcome> {
    fn done<M: Measurement>(
        session: &mut Session<'_>,
        measurement: &M,
        exact: M::Exact<'_>,
        own: impl Fn(Epsilon, Epsilon) -> Loss,
        levels: &[Epsilon],
    ) -> Result<Outcome> {
        let cost = session.cost(measurement)?;
        for allowed in levels {
            for left in [*allowed, Share::new(0.4)?.apply_to(*allowed)] {
                assert_eq!(cost.loss(*allowed, left), own(*allowed, left), "{allowed} {left}");
            }
        }
        let before = session.account().clone();
        let made = session.measure(measurement, exact).map(|_| ());
        if made.is_err() {
            let unchanged = levels.iter().all(|e| session.account().spent(*e) == before.spent(*e));
            assert!(unchanged, "what is refused is not paid for");
        }
        Ok((cost, made))
    }
    let Step { kind, share, clip, .. } = step;
    let neighbors = session.account().neighbors();
    let profile = Profile::new(levels.iter().map(|epsilon| Level { epsilon: *epsilon, count: 7 }))?;
    let mut records = MemoryRecords::new(levels.iter().map(|epsilon| (*epsilon, 1.0)).collect())?;
    let units = PrivacyUnits::new(share, clip)?;
    let options =
        |estimator| Options { share, estimator: Choice::Named(estimator), ..Options::default() };
    match kind {
        Kind::Mean(estimator) => {
            let request = WeightedRequest::new(Statistic::Mean, Bounds::UNIT, options(estimator))?;
            let plan = request.plan(profile)?;
            let own = |allowed, _| plan.loss_of(allowed);
            done(session, &plan.measurement(), Vec::new(), own, levels)
        }
        Kind::Frequencies(estimator) => {
            let request = WeightedRequest::frequency("a,b,c".parse()?, options(estimator))?;
            let plan = request.plan(profile)?;
            let own = |allowed, _| plan.loss_of(allowed);
            done(session, &plan.measurement(), Vec::new(), own, levels)
        }
        Kind::Variance => {
            let options = Options { share, ..Options::default() };
            let plan = VarianceRequest::new(Bounds::UNIT, options)?.plan(profile)?;
            let own = |allowed, _| plan.loss_of(allowed);
            done(session, &plan.measurement(), Vec::new(), own, levels)
        }
        Kind::Quantiles(estimator) => {
            let estimator = Choice::from(estimator);
            let options = Options { share, estimator, ..Options::default() };
            let (cells, ranks) = (Cells::new(16)?, vec![Rank::MEDIAN]);
            let plan = QuantileRequest::new(Bounds::UNIT, cells, ranks, options)?.plan(profile)?;
            let own = |allowed, _| plan.loss_of(allowed);
            done(session, &plan.measurement(), Vec::new(), own, levels)
        }
        Kind::Totals => {
            let sums = Totals::in_units(units, TotalsQuestion::Presence(1), neighbors);
            done(session, &sums, Vec::new(), |_, left| sums.loss(left), levels)
        }
        Kind::RankChoice => {
            let query = RankQuery { rank: Rank::MEDIAN, parts: 1 };
            let questions = RankQuestions::alone(vec![query]);
            let ranks = RankChoice::in_units(units, (16, 1), questions, 1, neighbors);
            done(session, &ranks, Vec::new(), |_, left| ranks.loss(left), levels)
        }
        Kind::RangeChoice { above } => {
            if above && !session.account().checks_all() {
                return Err(Error::request("budgets", "no tiers").with_fix("declare tiers"));
            }
            let ranges = (0..4).map(|first| CellRange { first, last: 4 }).collect();
            let search = RangeSearch::new(CellBlocks::single(4), Ranges::Each(ranges), (5, 15));
            let units = if above { units.or_above(Share::new(0.7)?, clip.get()) } else { units };
            let range = RangeChoice::in_units(units, search);
            done(session, &range, Vec::new(), |_, left| range.loss(left), levels)
        }
        Kind::Beyond => {
            let question = match neighbors {
                Neighbors::Both => TotalsQuestion::CentredBeyond(3, 5),
                _ => TotalsQuestion::Beyond(3, 5),
            };
            let sums = Totals::in_units(units, question, neighbors);
            done(session, &sums, Vec::new(), |_, left| sums.loss(left), levels)
        }
        Kind::FloatQuantile => {
            let choice = FloatQuantile::new(units, Rank::MEDIAN, neighbors);
            let own = |allowed, _| choice.loss(allowed);
            done(session, &choice, (&mut records, Key::Value), own, levels)
        }
        Kind::Check => {
            let [centre, core, radius] = [0.0, 1.0, 2.0].map(FloatOrder::key);
            let keys = RangeKeys { centre, core, radius };
            let check = RangeCheck::new(units, Rank::MEDIAN, 1)?;
            let own = |allowed, _| check.loss(allowed);
            done(session, &check, (&mut records, Key::Distance(0.0), keys), own, levels)
        }
    }
}

/// Costs paid in each part of the budgets.
type Parts = Vec<(Share, Vec<Cost>)>;

/// The sum of these costs, each of what the ones before it left of its part, by a second
/// calculation.
fn summed(parts: &Parts, allowed: Epsilon) -> Loss {
    let mut spent = Loss::ZERO;
    for (share, costs) in parts {
        let mut left = share.apply_to(allowed);
        for cost in costs {
            let loss = cost.loss(allowed, left);
            spent = spent.plus(&loss);
            left = match (left.exact(), &loss) {
                (None, _) => left,
                (Some(exact), Loss::Finite(loss)) if exact > *loss => {
                    let mut rest = (exact.clone() - loss).to_f64().value();
                    while RBig::try_from(rest).unwrap() > exact.clone() - loss {
                        rest = rest.next_down();
                    }
                    Epsilon::new(rest).unwrap_or(Epsilon::UNUSED)
                }
                _ => Epsilon::UNUSED,
            };
        }
    }
    spent
}

/// Returns true if the costs of records with this budget keep to it as a whole and in every part.
fn keeps(parts: &Parts, allowed: Epsilon) -> bool {
    let part = |part: &(Share, Vec<Cost>)| {
        summed(&vec![part.clone()], allowed).within(part.0.apply_to(allowed))
    };
    parts.iter().all(part) && summed(parts, allowed).within(allowed)
}

/// Runs a program with people of these levels, who count as `of` says. What is refused is refused
/// because one of `checked` would lose too much; what is certified is the sum of what was drawn,
/// and follows from what is listed of it.
fn run(
    session: &mut Session<'_>,
    program: Vec<Step>,
    levels: &[Epsilon],
    (checked, certified): (&[Epsilon], &[Epsilon]),
    of: impl Fn(Epsilon) -> Epsilon,
) -> std::result::Result<(), TestCaseError> {
    let mut paid: Parts = vec![(Share::ALL, Vec::new())];
    for step in program {
        if let Some(share) = step.begins {
            session.begin(share);
            paid.push((share, Vec::new()));
        }
        // Otherwise it is not for these levels or neighbours.
        let Ok((cost, made)) = make(session, step, levels) else { continue };
        let mut with = paid.clone();
        with.last_mut().unwrap().1.push(cost);
        match made {
            Ok(()) => paid = with,
            Err(refused) => {
                prop_assert_eq!(refused.kind(), ErrorKind::Internal);
                let affordable = checked.iter().all(|epsilon| keeps(&with, of(*epsilon)));
                prop_assert!(!affordable, "{step:?} was affordable");
            }
        }
        for epsilon in levels {
            let (allowed, spent) = (of(*epsilon), session.account().spent(*epsilon));
            prop_assert!(spent.within(allowed), "{step:?} {epsilon}");
            prop_assert_eq!(&spent, &summed(&paid, allowed));
        }
    }
    let listed = session.account().measured();
    prop_assert_eq!(listed.len(), paid.iter().map(|(_, costs)| costs.len()).sum::<usize>());
    let fault = listed.iter().find_map(|entry| entry.fault(session.account().neighbors()));
    prop_assert_eq!(fault, None);
    for epsilon in certified {
        let loss = |entry: &Arc<MeasurementEntry>| {
            entry.loss(entry.levels.iter().find(|level| level.epsilon == *epsilon).unwrap())
        };
        let again = listed.iter().map(loss).fold(Loss::ZERO, |sum, loss| sum.plus(&loss));
        prop_assert_eq!(again, session.account().spent(*epsilon), "{}", epsilon);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(Extent::get().cases(200)))]

    #[test]
    fn no_program_overspends(profile in profiles(), program in steps(kinds())) {
        let levels: Vec<Epsilon> = profile.levels().iter().map(|level| level.epsilon).collect();
        let mut randomness = Randomness::insecure(1);
        let mut session = Session::for_profile(&profile, &mut randomness);
        run(&mut session, program, &levels, (&levels, &levels), |epsilon| epsilon)?;
    }

    /// The declared budgets bound every loss too, for records of any budget.
    #[test]
    fn no_program_overspends_what_is_declared(
        declared in prop::sample::select(vec![
            "0.001,0.002", "0.01,1", "0.02,7", "0.1,inf", "a=0,b=0.1,c=1", "a=0.5", "a=0.2,b=inf",
        ]),
        somebody in prop::collection::vec(-4.0..2.0_f64, 1..5),
        program in steps(kinds()),
        (both, few) in (any::<bool>(), any::<bool>()),
    ) {
        let neighbors = if both { Neighbors::Both } else { Neighbors::AddRemove };
        let budgets: DeclaredBudgets = match declared.contains('=') {
            false => declared.parse().unwrap(),
            true => DeclaredBudgets::tiers(declared.split(',').map(|tier| {
                let (name, epsilon) = tier.split_once('=').unwrap();
                (name.to_owned(), epsilon.parse().unwrap())
            }))
            .unwrap(),
        };
        // Of few budgets each is checked.
        let budgets = budgets.coarser(180).filter(|_| few).unwrap_or(budgets);
        let somebody = somebody.into_iter().map(|exponent| Epsilon::new(10f64.powf(exponent)));
        let ends = [budgets.least(), budgets.most(), Epsilon::UNUSED, Epsilon::PUBLIC];
        let mut levels: Vec<Epsilon> = somebody.map(Result::unwrap).chain(ends).collect();
        levels.sort_unstable();
        levels.dedup();
        let certified: Vec<Epsilon> =
            budgets.rows().into_iter().map(|(_, epsilon)| epsilon).collect();
        let all = budgets.all().into_iter().flatten();
        let checked: Vec<Epsilon> = certified.iter().copied().chain(all).collect();
        let mut randomness = Randomness::insecure(1);
        let mut session = Session::declared(budgets.clone(), neighbors, &mut randomness);
        let checked = (&checked[..], &certified[..]);
        run(&mut session, program, &levels, checked, |epsilon| budgets.round_down(epsilon))?;
    }
}

/// Every level has a cost that is exactly what it allows, but for one, which has a hair more.
fn almost(profile: &Profile, share: Share, hair: RBig, one: Epsilon) -> Cost {
    let loss = |epsilon: Epsilon| match share.apply_to(epsilon).exact() {
        Some(exact) if epsilon == one => Loss::Finite(exact + &hair),
        Some(exact) => Loss::Finite(exact),
        None => Loss::Unlimited,
    };
    let levels = profile.levels().iter().map(|level| level.epsilon);
    let (levels, losses) = levels.map(|epsilon| (epsilon, loss(epsilon))).unzip();
    Cost::PerLevel(levels, losses)
}

#[test]
fn not_a_hair_more_than_the_share_of_each_budget() {
    let profile: Profile = "0:2,0.1:5,0.7:3,inf:2".parse().unwrap();
    let levels: Vec<Epsilon> = profile.levels().iter().map(|level| level.epsilon).collect();
    let hair = RBig::from_parts(1.into(), UBig::from(10u8).pow(60));
    for share in [Share::ALL, Share::new(0.3).unwrap()] {
        let mut account = Account::for_levels(levels.clone(), Neighbors::ReplaceOne);
        account.begin(share);
        for epsilon in &levels {
            let exactly = almost(&profile, share, RBig::ZERO, *epsilon);
            let more = almost(&profile, share, hair.clone(), *epsilon);
            assert!(account.clone().charge(exactly.clone()).is_ok());
            let refused = account.clone().charge(more).err();
            assert_eq!(refused.is_none(), epsilon.is_public(), "{epsilon}");
            assert!(refused.is_none_or(|refused| {
                refused.kind() == ErrorKind::Internal && refused.fix().is_some()
            }));
            // Nor twice.
            let mut spent = account.clone();
            spent.charge(exactly.clone()).unwrap();
            assert!(spent.charge(exactly).is_err());
        }
        let unlimited = Cost::PerLevel(levels.clone(), vec![Loss::Unlimited; levels.len()]);
        assert!(account.clone().charge(unlimited).is_err());
    }
}

/// A cost that two budgets could pay twice, and those between them could not: where budgets are few
/// each is asked.
#[test]
fn few_budgets_are_checked_one_by_one() {
    let epsilon = |value| Epsilon::new(value).unwrap();
    // 0.5 of 1, 1 of 1.6, and 1 of 2.
    let units = PrivacyUnits::new(Share::new(0.5).unwrap(), epsilon(1.0)).unwrap();
    let cost = Cost::OfAllowed(units.or_above(Share::ALL, 0.6));
    let all: DeclaredBudgets = "1,2".parse().unwrap();
    for (budgets, refuses) in [(all.coarser(100).unwrap(), true), (all, false)] {
        let mut account = Account::declared(budgets, Neighbors::AddRemove);
        assert_eq!(account.checks_all(), refuses);
        account.charge(cost.clone()).unwrap();
        assert_eq!(account.charge(cost.clone()).is_err(), refuses);
        assert_eq!(account.spent(epsilon(1.6)).within(epsilon(1.6)), refuses);
    }
}

#[test]
fn what_is_planned_for_other_people_is_not_made() {
    let plan = |profile: &str| {
        let request =
            WeightedRequest::new(Statistic::Mean, Bounds::UNIT, Options::default()).unwrap();
        request.plan(profile.parse().unwrap()).unwrap()
    };
    let planned = plan("0.1:5,0.7:3");
    let refused = |session: &mut Session<'_>| {
        session.measure(&planned.measurement(), Vec::new()).err().map(|refused| refused.kind())
    };
    let mut randomness = Randomness::insecure(1);
    // A level for which nothing was planned could lose anything.
    for (profile, made) in [("0.1:1,0.7:9", true), ("0.1:5", true), ("0.1:5,0.6:1,0.7:3", false)] {
        let profile: Profile = profile.parse().unwrap();
        let refused = refused(&mut Session::for_profile(&profile, &mut randomness));
        assert_eq!(refused, (!made).then_some(ErrorKind::Internal), "{profile}");
    }
    // Weights that depend on who takes part do not hide it.
    let budgets: DeclaredBudgets = "0.1,0.7".parse().unwrap();
    let refused = refused(&mut Session::declared(budgets, Neighbors::AddRemove, &mut randomness));
    assert_eq!(refused, Some(ErrorKind::Internal));
}

#[test]
fn all_parts_are_checked_before_the_first_is_drawn() {
    let profile: Profile = "0.1:5,0.7:3".parse().unwrap();
    let levels: Vec<Epsilon> = profile.levels().iter().map(|level| level.epsilon).collect();
    let half = Share::new(0.5).unwrap();
    let cost = |share: Share| vec![almost(&profile, share, RBig::ZERO, Epsilon::UNUSED)];
    let mut randomness = Randomness::insecure(1);
    let session = Session::for_profile(&profile, &mut randomness);
    assert!(session.check([(half, cost(half)), (half, cost(half))]).is_ok());
    for parts in [
        [(half, cost(half)), (Share::ALL, cost(Share::ALL))],
        [(half, cost(Share::ALL)), (half, Vec::new())],
    ] {
        assert_eq!(session.check(parts).unwrap_err().kind(), ErrorKind::Internal);
    }
    assert!(levels.iter().all(|epsilon| session.account().spent(*epsilon) == Loss::ZERO));
}

/// A measurement that costs everything and draws one number.
struct Everything(Part);

impl Measurement for Everything {
    type Exact<'e> = ();
    type Out = u64;

    fn cost(&self, _: Neighbors) -> Option<Cost> {
        Some(almost(self.0.allowed(), self.0.share(), RBig::ZERO, Epsilon::UNUSED))
    }

    fn description(&self, _: Neighbors) -> Description {
        let question = Question::Indicators { categories: 2 };
        let distribution = Distribution::RandomizedResponse;
        Description { question, distribution, sensitivity: 2.into(), scale: None }
    }

    fn level(&self, allowed: Epsilon) -> LevelEntry {
        LevelEntry { response: Some(allowed), ..LevelEntry::weighing(UBig::ONE) }
    }

    fn draw(&self, (): (), randomness: &mut Randomness) -> Result<u64> {
        Ok(randomness.word())
    }
}

/// A budget that is kept back costs nothing and cannot be spent otherwise; the same holds in each
/// part.
#[test]
fn what_is_kept_is_not_spent() {
    let budgets: DeclaredBudgets = DeclaredBudgets::tiers(
        [("low", 0.1), ("high", 4.0)]
            .map(|(name, epsilon)| (name.to_owned(), Epsilon::new(epsilon).unwrap())),
    )
    .unwrap();
    let mut randomness = Randomness::insecure(1);
    let mut session = Session::declared(budgets, Neighbors::Both, &mut randomness);
    let units = |share, clip| {
        PrivacyUnits::new(Share::new(share).unwrap(), Epsilon::new(clip).unwrap()).unwrap()
    };
    let [low, high] = [0.1, 4.0].map(|epsilon| Epsilon::new(epsilon).unwrap());
    session.keep(units(1e-9, 8.0).or_above(Share::new(0.5).unwrap(), 1.0)).unwrap();
    assert_eq!(session.account().spent(high), Loss::ZERO);
    assert!((session.account().left(high).get() - 2.5).abs() < 1e-8);
    assert!((session.account().left(low).get() - 0.1).abs() < 1e-8);
    let all = Totals::in_units(units(1.0, 8.0), TotalsQuestion::Presence(1), Neighbors::Both);
    session.measure(&all, Vec::new()).unwrap();
    assert!((session.account().spent(high).rounded_up() - 2.5).abs() < 1e-8);
    assert!(session.account().left(high).get() < 1e-8);
}

#[test]
fn nothing_is_drawn_that_is_not_paid_for() {
    let all = Everything(Part::new("0.1:5,0.7:3".parse().unwrap(), Share::ALL).unwrap());
    let mut randomness = Randomness::insecure(3);
    let mut session = Session::for_profile(all.0.allowed(), &mut randomness);
    let first = session.measure(&all, ()).unwrap();
    assert_eq!(session.measure(&all, ()).unwrap_err().kind(), ErrorKind::Internal);
    // Nor in another part of the whole.
    session.begin(Share::ALL);
    assert!(session.measure(&all, ()).is_err());
    let next = randomness.word();
    let mut again = Randomness::insecure(3);
    assert_eq!([first, next], [again.word(), again.word()]);
}
