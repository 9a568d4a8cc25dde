//! Laws that hold for all sequences and all amounts.

use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_rational::BigRational;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use suum_core::{Epsilon, ErrorKind, Loss, Neighbors};
use suum_ledger::{
    Amount, Charges, Columns, Dataset, FinalCost, Holder, Ledger, Lifetime, MicroEpsilon, Part,
};
use suum_testing::Extent;

use crate::common::{assert_sound, folder, plan, tier_balances, with_persons, with_tiers};

fn micros(amount: Amount) -> u64 {
    match amount {
        Amount::Micro(micros) => micros.get(),
        Amount::Unlimited => panic!("unlimited"),
    }
}

/// What exact arithmetic of another library says of a double.
fn rational(double: f64) -> BigRational {
    BigRational::from_float(double).unwrap()
}

fn million() -> BigRational {
    BigRational::from_integer(BigInt::from(1_000_000))
}

fn check_allowance(double: f64) {
    let allowed = Amount::allowed(Epsilon::new(double).unwrap());
    let exact = (rational(double) * million()).floor().to_integer();
    assert_eq!(BigInt::from(micros(allowed)), exact.min(BigInt::from(i64::MAX)), "{double}");
}

fn check_charge(double: f64) {
    let loss = Loss::Finite(Epsilon::new(double).unwrap().exact().unwrap());
    let exact = (rational(double) * million()).ceil().to_integer();
    match Amount::from_loss(&loss) {
        Amount::Micro(micros) => assert_eq!(BigInt::from(micros.get()), exact, "{double}"),
        Amount::Unlimited => assert!(exact > BigInt::from(i64::MAX), "{double}"),
    }
}

/// What is left as a budget: at most the amount, the largest such double, and never charged more.
fn check_left(amount: u64) {
    let left = MicroEpsilon::new(amount).epsilon();
    let exact = BigRational::new(BigInt::from(amount), BigInt::from(1_000_000));
    assert!(rational(left.get()) <= exact && rational(left.get().next_up()) > exact, "{amount}");
    let all = Loss::Finite(left.exact().unwrap());
    assert!(all.within(left) && Amount::from_loss(&all) <= Amount::micros(amount), "{amount}");
    // Whoever allows what is left loses at most the last micro-ε of it, where doubles are that
    // fine.
    assert!(amount > 1 << 50 || micros(Amount::allowed(left)) + 1 >= amount);
}

#[test]
fn amounts_that_people_write() {
    for double in
        [0.1, 0.2, 0.3, 0.01, 1e-3, 1e-6, 1e-7, 1e-100, 0.7, 1.0, 3.0, 1e6, 1e12, 9.3e12, 1e100]
    {
        check_allowance(double);
        check_charge(double);
    }
    for amount in
        (0..2000).chain([100_000, 300_000, 999_999, 1 << 53, (1 << 53) + 1, i64::MAX as u64])
    {
        check_left(amount);
    }
}

/// The same cases every time; fewer in a quick run, more in a long one.
fn fixed(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases: Extent::get().cases(cases),
        rng_seed: RngSeed::Fixed(1),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(fixed(500))]

    #[test]
    fn rounding_only_ever_protects(
        exponent in -20.0..20.0_f64,
        amount in 0..=i64::MAX as u64,
        shift in 0..63,
    ) {
        check_allowance(10f64.powf(exponent));
        check_charge(10f64.powf(exponent));
        check_left(amount >> shift);
    }

    #[test]
    fn losses_within_what_is_left_fit(
        amount in 1..10_000_000_u64,
        numerator in 1..u64::MAX,
        denominator in 1..u64::MAX,
    ) {
        // Any rational number from nothing to all of what is left.
        let (low, high) = (numerator.min(denominator), numerator.max(denominator));
        let Loss::Finite(share) = Loss::ratio(low, high) else { unreachable!() };
        let left = MicroEpsilon::new(amount);
        let loss = Loss::Finite(left.epsilon().exact().unwrap() * share);
        prop_assert!(loss.within(left.epsilon()));
        let charge = Amount::from_loss(&loss);
        prop_assert!(charge <= left.into());
        // And rounding up costs less than one micro-ε: a budget of the charge and one more covers
        // it.
        prop_assert!(loss.within(Amount::micros(micros(charge) + 1).epsilon()));
    }

    #[test]
    fn amounts_read_back(amount in 0..=i64::MAX as u64, shift in 0..63) {
        let amount = Amount::micros(amount >> shift);
        prop_assert_eq!(amount.to_string().parse::<Amount>().unwrap(), amount);
    }

    #[test]
    fn subtraction_undoes_addition(one in 0..1_u64 << 60, other in 0..1_u64 << 60) {
        let (one, other) = (Amount::micros(one), Amount::micros(other));
        prop_assert_eq!(one.plus(other).saturating_sub(other), one);
        prop_assert_eq!(one.plus(other), other.plus(one));
        prop_assert_eq!(one.saturating_sub(one.plus(other)), Amount::ZERO);
    }
}

#[derive(Debug, Clone)]
enum Fate {
    Cancel,
    Drop,
    DropDrawn,
    Settle(u64),
}

#[derive(Debug, Clone)]
struct Step {
    handle: usize,
    charges: Vec<u64>,
    fate: Fate,
}

fn steps(accounts: usize) -> impl Strategy<Value = Vec<Step>> {
    let fate = prop_oneof![
        Just(Fate::Cancel),
        Just(Fate::Drop),
        Just(Fate::DropDrawn),
        (0..=100_u64).prop_map(Fate::Settle),
        (0..=100_u64).prop_map(Fate::Settle),
    ];
    let charges = prop::collection::vec(prop_oneof![Just(0), 1..40_u64], accounts);
    let step = (0..3_usize, charges, fate).prop_map(|(handle, charges, fate)| Step {
        handle,
        charges,
        fate,
    });
    prop::collection::vec(step, 1..30)
}

/// Carries a step out; returns what it costs every account, or `None` if it was refused.
fn carry_out(
    ledger: &mut Ledger,
    dataset: &str,
    charges: &Charges,
    step: &Step,
) -> Option<Vec<u64>> {
    let reservation = match ledger.reserve(dataset, charges, &Columns::default(), &plan()) {
        Ok(reservation) => reservation,
        Err(error) => {
            assert_eq!(error.kind(), ErrorKind::Budget, "{error}");
            return None;
        }
    };
    let nothing = vec![0; step.charges.len()];
    Some(match step.fate {
        Fate::Cancel => {
            reservation.cancel().unwrap();
            nothing
        }
        Fate::Drop => step.charges.clone(),
        Fate::DropDrawn => {
            let ((), _) = reservation.draw(|_| Ok(())).unwrap();
            step.charges.clone()
        }
        Fate::Settle(percent) => {
            let spent: Vec<u64> =
                step.charges.iter().map(|charge| charge * percent / 100).collect();
            let amounts = spent.iter().map(|micros| Amount::micros(*micros).into());
            let spent_as = match charges {
                Charges::Tiers(tiers) => FinalCost::Tiers(
                    tiers.iter().map(|(label, _)| label.clone()).zip(amounts).collect(),
                ),
                Charges::Persons(_) => FinalCost::Parts(amounts.collect()),
            };
            let ((), drawn) = reservation.draw(|_| Ok(())).unwrap();
            drawn.settle(spent_as, &plan()).unwrap();
            spent
        }
    })
}

proptest! {
    #![proptest_config(fixed(60))]

    #[test]
    fn tiers_agree_with_an_oracle(steps in steps(2)) {
        let folder = folder();
        let path = folder.path().join("ledger");
        let mut first = Ledger::create(&path).unwrap();
        let labels = ["a", "b"];
        let allowed = [150, 80];
        let tiers = labels
            .iter()
            .zip(allowed)
            .map(|(label, micros)| ((*label).to_owned(), Amount::micros(micros)));
        let accounts = suum_ledger::Accounts::Tiers(tiers.collect());
        first.add_dataset(Dataset::new("d", Neighbors::ReplaceOne, accounts)).unwrap();
        let mut handles = [first, Ledger::open(&path).unwrap(), Ledger::open(&path).unwrap()];
        let mut oracle = [0, 0];
        for step in &steps {
            let charge =
                |(label, micros): (&&str, &u64)| ((*label).to_owned(), Amount::micros(*micros));
            let charges = Charges::Tiers(labels.iter().zip(&step.charges).map(charge).collect());
            let fits = (0..2).all(|tier| oracle[tier] + step.charges[tier] <= allowed[tier]);
            let cost = carry_out(&mut handles[step.handle], "d", &charges, step);
            prop_assert_eq!(cost.is_some(), fits);
            for (sum, cost) in oracle.iter_mut().zip(cost.into_iter().flatten()) {
                *sum += cost;
            }
            for (tier, balance) in
                tier_balances(&handles[(step.handle + 1) % 3], "d").into_iter().enumerate()
            {
                let counted = micros(balance.spent) + micros(balance.reserved);
                prop_assert_eq!(counted, oracle[tier]);
                prop_assert_eq!(counted + micros(balance.left), allowed[tier]);
            }
        }
        assert_sound(&handles[0].verify().unwrap());
    }

    #[test]
    fn persons_agree_with_an_oracle(steps in steps(6)) {
        let folder = folder();
        let allowed = 100;
        let (path, first) =
            with_persons(&folder, Lifetime::Same(Amount::micros(allowed)), Neighbors::ReplaceOne);
        let mut handles = [first, Ledger::open(&path).unwrap(), Ledger::open(&path).unwrap()];
        let key = handles[0].person_key();
        let mut oracle: BTreeMap<u8, u64> = BTreeMap::new();
        for step in &steps {
            // Every person is a part: what the charges of a part are is covered by the rules.
            let part = |(person, micros): (usize, &u64)| Part {
                holder: Holder::Everybody,
                charge: Amount::micros(*micros),
                persons: vec![key.hash(&[person as u8])].into(),
            };
            let charges = Charges::Persons(step.charges.iter().enumerate().map(part).collect());
            let fits = step.charges.iter().enumerate().all(|(person, charge)| {
                *charge == 0 || oracle.get(&(person as u8)).unwrap_or(&0) + charge <= allowed
            });
            let cost = carry_out(&mut handles[step.handle], "people", &charges, step);
            prop_assert_eq!(cost.is_some(), fits);
            for (person, cost) in cost.into_iter().flatten().enumerate() {
                *oracle.entry(person as u8).or_default() += cost;
            }
            let spent = handles[(step.handle + 1) % 3].spent_by_persons("people").unwrap();
            for person in 0..6 {
                let known = oracle.get(&person).copied().unwrap_or(0);
                prop_assert_eq!(micros(spent.get(key.hash(&[person]))), known);
            }
        }
        assert_sound(&handles[0].verify().unwrap());
    }
}

#[test]
fn a_reservation_of_all_that_is_left_leaves_nothing() {
    let folder = folder();
    let (_, mut ledger) = with_tiers(&folder);
    let all = Charges::Tiers(vec![("strict".into(), tier_balances(&ledger, "visits")[0].left)]);
    drop(ledger.reserve("visits", &all, &Columns::default(), &plan()).unwrap());
    assert_eq!(tier_balances(&ledger, "visits")[0].left, Amount::ZERO);
    assert_eq!(ledger.check("visits", &all).unwrap_err().kind(), ErrorKind::Budget);
}

/// Accounts of (ε, δ): what counts in both accounts is never more than was allowed, what is left
/// can be charged, and the least amount more cannot.
#[test]
fn accounts_of_epsilon_and_delta_are_never_overdrawn() {
    use rand_chacha::ChaCha8Rng;
    use rand_core::{Rng, SeedableRng};
    use suum_core::{Delta, Rho};
    use suum_ledger::{Accounts, Balance, Cost, Dataset};

    let mut dice = ChaCha8Rng::seed_from_u64(1);
    for (round, of_persons) in [false, true, false, true].into_iter().enumerate() {
        let folder = folder();
        let path = folder.path().join("ledger");
        let mut ledger = Ledger::create(&path).unwrap();
        let allowed = Amount::micros(500_000);
        let accounts = match of_persons {
            true => Accounts::Persons(Lifetime::Same(allowed)),
            false => Accounts::Tiers(vec![("a".into(), allowed)]),
        };
        let delta = Some(Delta::MILLIONTH);
        let neighbors = Neighbors::ReplaceOne;
        ledger.add_dataset(Dataset { delta, ..Dataset::new("d", neighbors, accounts) }).unwrap();
        let person = ledger.person_key().hash(b"ann");
        let charges = |amount: Amount| match of_persons {
            true => Charges::Persons(vec![Part {
                holder: Holder::Everybody,
                charge: amount,
                persons: vec![person].into(),
            }]),
            false => Charges::Tiers(vec![("a".into(), amount)]),
        };
        let mut oracle = Cost::ZERO;
        let mut charged = 0;
        for step in 0..40 {
            let left = match ledger.balance("d").unwrap() {
                Balance::Tiers(tiers) => tiers[0].left,
                Balance::Persons(persons) => {
                    persons.groups.first().map_or(allowed, |group| group.left.unwrap_or(allowed))
                }
            };
            let more = Amount::micros(micros(left) + 1);
            assert_eq!(ledger.check("d", &charges(more)).unwrap_err().kind(), ErrorKind::Budget);
            ledger.check("d", &charges(left)).unwrap();
            // Many small charges, and now and then a large one.
            let most = if step % 9 == 8 && round > 1 { micros(left) } else { 20_000 };
            let asked = Amount::micros(u64::from(dice.next_u32()) % most.max(1) + 1).min(left);
            if asked.is_zero() {
                break;
            }
            charged += 1;
            let reservation =
                ledger.reserve("d", &charges(asked), &Columns::default(), &plan()).unwrap();
            let ((), drawn) = reservation.draw(|_| Ok(())).unwrap();
            // What it cost has its own ρ, which can be less than what its ε stands for.
            let cost = Cost::from(asked);
            let units = match cost.rho {
                Rho::Finite(units) => units / (1 + u64::from(dice.next_u32() % 3)),
                Rho::Unlimited => panic!("finite"),
            };
            let cost = Cost { rho: Rho::Finite(units), ..cost };
            oracle = oracle.plus(cost);
            let spent = match of_persons {
                true => FinalCost::Parts(vec![cost]),
                false => FinalCost::Tiers(vec![("a".into(), cost)]),
            };
            drawn.settle(spent, &plan()).unwrap();
            assert!(oracle.smaller_total(Delta::MILLIONTH) <= allowed, "{oracle:?}");
            let shown = match ledger.balance("d").unwrap() {
                Balance::Tiers(tiers) => Cost { epsilon: tiers[0].spent, rho: tiers[0].rho },
                Balance::Persons(persons) => persons.groups[0].spent,
            };
            assert_eq!(shown, oracle);
        }
        assert!(charged > 10, "{charged}");
        drop(ledger);
        assert_sound(&Ledger::open(&path).unwrap().verify().unwrap());
    }
}
