//! Nobody loses more than they allow, whatever is measured, in whatever order.

use dashu_int::UBig;
use dashu_ratio::RBig;
use proptest::prelude::*;
use suum_testing::Extent;

use super::{Account, Cost, Measurement, Planned, Session};
use crate::part::Part;
use crate::{
    Bounds, Categories, Cells, Choice, DeclaredBudgets, Epsilon, ErrorKind, Estimator, Grid, Key,
    Lattice, Level, Loss, Neighbors, Options, PlaceChoice, PrivacyUnits, Profile, QuantileChoice,
    QuantileEstimator, QuantileOptions, QuantileRequest, Randomness, RangeCheck, RangeKeys, Rank,
    RankQuery, Records, Request, Result, Share, Statistic, UnitRanks, UnitSums, VarianceOptions,
    VarianceRequest,
};

/// Everything that can be measured, by kind.
#[derive(Debug, Clone, Copy)]
enum Kind {
    Mean(Estimator),
    Frequencies(Estimator),
    Variance,
    Quantiles(QuantileEstimator),
    UnitSums,
    UnitRanks,
    Place,
    Check,
}

/// All kinds, those of every registered estimator among them.
fn kinds() -> Vec<Kind> {
    let released = || Estimator::ALL.into_iter().filter(|estimator| !estimator.is_for_study());
    let means = released().filter(|estimator| estimator.serves(false)).map(Kind::Mean);
    let shares = released().filter(|estimator| estimator.serves(true)).map(Kind::Frequencies);
    let quantiles = QuantileEstimator::ALL.into_iter().map(Kind::Quantiles);
    let others = [Kind::Variance, Kind::UnitSums, Kind::UnitRanks, Kind::Place, Kind::Check];
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

/// Makes one measurement, whatever comes out, and says what it should cost.
fn make(session: &mut Session<'_>, step: Step, profile: &Profile) -> Result<Cost> {
    fn done<M: Measurement>(
        session: &mut Session<'_>,
        measurement: &M,
        exact: M::Exact<'_>,
    ) -> Result<Cost> {
        session.measure(measurement, exact)?;
        Ok(measurement.cost())
    }
    let Step { kind, share, clip, .. } = step;
    let levels = profile.levels().iter().map(|level| (level.epsilon, 1.0));
    let mut records = Records::new(levels.collect())?;
    let units = PrivacyUnits::new(share, clip)?;
    let options =
        |estimator| Options { share, estimator: Choice::Named(estimator), ..Options::default() };
    let whole = Grid::new(Bounds::UNIT);
    match kind {
        Kind::Mean(estimator) => {
            let request = Request::new(Statistic::Mean, Bounds::UNIT, options(estimator))?;
            let plan = crate::Plan::new(&request, profile.clone(), whole)?;
            done(session, &Planned::new(plan.part(), plan.mechanism()), Vec::new())
        }
        Kind::Frequencies(estimator) => {
            let categories: Categories = "a,b,c".parse()?;
            let plan = Request::frequency(categories, options(estimator))?.plan(profile.clone())?;
            done(session, &Planned::new(plan.part(), plan.mechanism()), Vec::new())
        }
        Kind::Variance => {
            let options = VarianceOptions { share, ..VarianceOptions::default() };
            let plan = VarianceRequest::new(Bounds::UNIT, options)?.plan(profile.clone())?;
            done(session, &Planned::new(plan.part(), plan.mechanism()), Vec::new())
        }
        Kind::Quantiles(estimator) => {
            let options = QuantileOptions {
                share,
                estimator: QuantileChoice::Named(estimator),
                ..QuantileOptions::default()
            };
            let cells = Cells::new(16)?;
            let request = QuantileRequest::new(Bounds::UNIT, cells, vec![Rank::MEDIAN], options)?;
            let plan = request.plan(profile.clone())?;
            done(session, &Planned::new(plan.part(), plan.mechanism()), Vec::new())
        }
        Kind::UnitSums => done(session, &UnitSums::new(units, 1, 1), Vec::new()),
        Kind::UnitRanks => {
            let query = RankQuery { rank: Rank::MEDIAN, parts: 1 };
            done(session, &UnitRanks::new(units, (16, 1), vec![query], 1), Vec::new())
        }
        Kind::Place => {
            let choice = PlaceChoice::new(units, Rank::MEDIAN, Neighbors::AddRemove);
            done(session, &choice, (&mut records, Key::Value))
        }
        Kind::Check => {
            let keys = RangeKeys {
                centre: Lattice::key(0.0),
                core: Lattice::key(1.0),
                radius: Lattice::key(2.0),
            };
            let check = RangeCheck::new(units, Rank::MEDIAN, 1);
            done(session, &check, (&mut records, Key::Distance(0.0), keys))
        }
    }
}

/// What was paid for in each part of the budgets.
type Parts = Vec<(Share, Vec<Cost>)>;

/// The sum of these costs, each of what the ones before it left of its part, by a second
/// calculation.
fn summed(parts: &Parts, allowed: Epsilon) -> Loss {
    let mut spent = Loss::ZERO;
    for (share, costs) in parts {
        let mut left = share.of(allowed);
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

proptest! {
    #![proptest_config(ProptestConfig::with_cases(Extent::get().cases(200)))]

    /// What is refused is refused because somebody would lose too much, and what is certified is
    /// the sum of what was drawn.
    #[test]
    fn no_program_overspends(profile in profiles(), program in steps(kinds())) {
        let mut randomness = Randomness::insecure(1);
        let mut session = Session::known(&profile, &mut randomness);
        let mut paid: Parts = vec![(Share::ALL, Vec::new())];
        let (mut in_all, mut in_part) = (0.0, 0.0);
        for step in program {
            if let Some(share) = step.begins {
                session.begin(share);
                paid.push((share, Vec::new()));
                in_part = 0.0;
            }
            let part = paid.last_mut().unwrap();
            in_all += step.share.get();
            in_part += step.share.get();
            match make(&mut session, step, &profile) {
                Ok(cost) => part.1.push(cost),
                Err(refused) if refused.kind() == ErrorKind::Internal => {
                    prop_assert!(in_all > 1.0 || in_part > part.0.get(), "{step:?} was affordable");
                }
                // Not planned: nobody of this profile can take part.
                Err(_) => {}
            }
            for level in profile.levels() {
                let spent = session.account().spent(level.epsilon);
                prop_assert!(spent.within(level.epsilon), "{step:?} {}", level.epsilon);
                prop_assert_eq!(&spent, &summed(&paid, level.epsilon));
            }
        }
    }

    /// The same where budgets are declared, of every budget that somebody could have.
    #[test]
    fn no_program_overspends_what_is_declared(
        ends in (-3.0..0.0_f64, 0.0..1.0_f64),
        at in 0.0..1.0_f64,
        program in steps(vec![Kind::UnitSums, Kind::UnitRanks, Kind::Place, Kind::Check]),
    ) {
        let end = |exponent| Epsilon::new(10f64.powf(exponent)).unwrap();
        let budgets = DeclaredBudgets::range(end(ends.0), end(ends.1)).unwrap();
        let somebody = end(ends.0 + at * (ends.1 - ends.0));
        let profile: Profile = "1:5".parse().unwrap();
        let mut randomness = Randomness::insecure(1);
        let mut session = Session::declared(budgets.clone(), &mut randomness);
        let mut paid: Parts = vec![(Share::ALL, Vec::new())];
        for step in program {
            if let Some(share) = step.begins {
                session.begin(share);
                paid.push((share, Vec::new()));
            }
            if let Ok(cost) = make(&mut session, step, &profile) {
                paid.last_mut().unwrap().1.push(cost);
            }
            for epsilon in [somebody, budgets.least(), budgets.most()] {
                let counted = budgets.of(epsilon);
                let spent = session.account().spent(epsilon);
                prop_assert!(spent.within(counted), "{step:?} {epsilon}");
                prop_assert_eq!(&spent, &summed(&paid, counted));
            }
        }
    }
}

/// Every level has a cost that is exactly what it allows, but for one, which has a hair more.
fn almost(profile: &Profile, share: Share, hair: RBig, one: Epsilon) -> Cost {
    let loss = |epsilon: Epsilon| match share.of(epsilon).exact() {
        Some(exact) if epsilon == one => Loss::Finite(exact + &hair),
        Some(exact) => Loss::Finite(exact),
        None => Loss::Unlimited,
    };
    let levels = profile.levels().iter().map(|level| level.epsilon);
    Cost::PerLevel(levels.map(|epsilon| (epsilon, loss(epsilon))).collect())
}

#[test]
fn not_a_hair_more_than_the_share_of_each_budget() {
    let profile: Profile = "0:2,0.1:5,0.7:3,inf:2".parse().unwrap();
    let levels: Vec<Epsilon> = profile.levels().iter().map(|level| level.epsilon).collect();
    let hair = RBig::from_parts(1.into(), UBig::from(10u8).pow(60));
    for share in [Share::ALL, Share::new(0.3).unwrap()] {
        let mut account = Account::known(levels.clone());
        account.begin(share);
        for epsilon in &levels {
            let exactly = almost(&profile, share, RBig::ZERO, *epsilon);
            let more = almost(&profile, share, hair.clone(), *epsilon);
            assert!(account.clone().charge(exactly.clone()).is_ok());
            let refused = account.clone().charge(more).err();
            assert_eq!(refused.is_none(), epsilon.is_public(), "{epsilon}");
            assert!(refused.is_none_or(|refused| {
                refused.kind() == ErrorKind::Internal && refused.hint().is_some()
            }));
            // Nor twice.
            let mut spent = account.clone();
            spent.charge(exactly.clone()).unwrap();
            assert!(spent.charge(exactly).is_err());
        }
        let unlimited = levels.iter().map(|epsilon| (*epsilon, Loss::Unlimited));
        assert!(account.clone().charge(Cost::PerLevel(unlimited.collect())).is_err());
    }
}

/// A measurement that costs everything and draws one number.
struct Everything(Part);

impl Measurement for Everything {
    type Exact<'e> = ();
    type Out = u64;

    fn cost(&self) -> Cost {
        almost(self.0.allowed(), self.0.share(), RBig::ZERO, Epsilon::UNUSED)
    }

    fn draw(&self, (): (), randomness: &mut Randomness) -> Result<u64> {
        Ok(randomness.word())
    }
}

#[test]
fn nothing_is_drawn_that_is_not_paid_for() {
    let all = Everything(Part::new("0.1:5,0.7:3".parse().unwrap(), Share::ALL).unwrap());
    let mut randomness = Randomness::insecure(3);
    let mut session = Session::known(all.0.allowed(), &mut randomness);
    let first = session.measure(&all, ()).unwrap();
    assert_eq!(session.measure(&all, ()).unwrap_err().kind(), ErrorKind::Internal);
    // Nor in another part of the whole.
    session.begin(Share::ALL);
    assert!(session.measure(&all, ()).is_err());
    let next = randomness.word();
    let mut again = Randomness::insecure(3);
    assert_eq!([first, next], [again.word(), again.word()]);
}
