//! Charges for what was lost elsewhere.

use serde_json::Value;
use suum_core::{Delta, ErrorKind, Neighbors, Rho};
use suum_ledger::{
    Accounts, Amount, Balance, Charges, Columns, Cost, Dataset, Holder, Ledger, Lifetime, Members,
    Part, PersonHash, RecordState,
};

use crate::common::{
    assert_sound, folder, plan, release, tier_balances, tiers, with_persons, with_tiers,
};
use crate::tampering::forge;

const BECAUSE: &str = "the table of 2024";

fn person(ledger: &Ledger, name: &str) -> PersonHash {
    ledger.person_key().hash(name.as_bytes())
}

/// A charge of persons, as whoever has no tiers of them makes it.
fn lost(ledger: &Ledger, of: &[(u64, &[&str])]) -> Charges {
    let part = |(micros, names): &(u64, &[&str])| Part {
        holder: Holder::Unknown,
        charge: Amount::micros(*micros),
        persons: names.iter().map(|name| person(ledger, name)).collect(),
    };
    Charges::Persons(of.iter().map(part).collect())
}

fn charges_in_tier(ledger: &Ledger, label: &str, micros: u64, names: &[&str]) -> Charges {
    let persons = names.iter().map(|name| person(ledger, name)).collect();
    let (holder, charge) = (Holder::Tier(label.to_owned()), Amount::micros(micros));
    Charges::Persons(vec![Part { holder, charge, persons }])
}

#[test]
fn a_tier_is_charged_beyond_what_it_allows_and_has_nothing_left() {
    let folder = folder();
    let (path, mut ledger) = with_tiers(&folder);
    let charge = |ledger: &mut Ledger, micros| {
        ledger.charge("visits", &tiers(&[("strict", micros), ("relaxed", 0)]), BECAUSE).unwrap()
    };
    assert_eq!(charge(&mut ledger, 20_000), 3);
    assert_eq!(tier_balances(&ledger, "visits")[0].left, Amount::micros(80_000));
    // To zero.
    charge(&mut ledger, 80_000);
    assert_eq!(tier_balances(&ledger, "visits")[0].left, Amount::ZERO);
    assert_sound(&ledger.verify().unwrap());
    // And beyond, in another process.
    drop(ledger);
    let mut ledger = Ledger::open(&path).unwrap();
    charge(&mut ledger, 70_000);
    let strict = &tier_balances(&ledger, "visits")[0];
    assert_eq!((strict.spent, strict.left), (Amount::micros(170_000), Amount::ZERO));
    let refused = ledger.check("visits", &tiers(&[("strict", 1)])).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Budget);
    // Other tiers go on.
    release(&mut ledger, "visits", &tiers(&[("relaxed", 1_000_000)])).unwrap();
    assert_sound(&ledger.verify().unwrap());
    let history = ledger.history("visits").unwrap();
    assert_eq!(history[0].state, RecordState::Elsewhere { because: BECAUSE.to_owned() });
    assert_eq!((history.len(), history[0].charges.len()), (4, 1));
}

/// What is given back later is given back of what was lost in all, not of what was allowed.
#[test]
fn an_overdrawn_tier_gets_back_what_was_not_drawn() {
    let folder = folder();
    let (path, mut ledger) = with_tiers(&folder);
    let mut other = Ledger::open(&path).unwrap();
    let reservation = other
        .reserve("visits", &tiers(&[("strict", 60_000)]), &Columns::default(), &plan())
        .unwrap();
    ledger.charge("visits", &tiers(&[("strict", 80_000)]), BECAUSE).unwrap();
    assert_eq!(tier_balances(&ledger, "visits")[0].left, Amount::ZERO);
    reservation.cancel().unwrap();
    assert_eq!(tier_balances(&ledger, "visits")[0].left, Amount::micros(20_000));
    // An unlimited loss leaves nothing to those who allow something, and all to those who allow ∞.
    let all = ["strict", "public"].map(|tier| (tier.to_owned(), Amount::Unlimited));
    ledger.charge("visits", &Charges::Tiers(all.to_vec()), BECAUSE).unwrap();
    let balances = tier_balances(&ledger, "visits");
    assert_eq!((balances[0].left, balances[0].spent), (Amount::ZERO, Amount::Unlimited));
    assert_eq!(balances[2].left, Amount::Unlimited);
    assert_sound(&ledger.verify().unwrap());
}

#[test]
fn persons_are_charged_who_were_in_no_release() {
    let folder = folder();
    let lifetime = Lifetime::Tiers(vec![
        ("strict".into(), Amount::micros(100)),
        ("relaxed".into(), Amount::micros(1_000)),
    ]);
    let (path, mut ledger) = with_persons(&folder, lifetime, Neighbors::ReplaceOne);
    let charges = charges_in_tier(&ledger, "relaxed", 10, &["ann", "bob"]);
    release(&mut ledger, "people", &charges).unwrap();
    let charges = lost(&ledger, &[(150, &["ann", "cat"]), (0, &["dan"]), (7, &["bob"])]);
    ledger.charge("people", &charges, BECAUSE).unwrap();
    let ledger = Ledger::open_to_read(&path).unwrap();
    let spent = ledger.spent_by_persons("people").unwrap();
    let of = |name: &str| spent.get(person(&ledger, name));
    assert_eq!(["ann", "bob", "cat", "dan"].map(of), [160, 17, 150, 0].map(Amount::micros));
    let Balance::Persons(balance) = ledger.balance("people").unwrap() else { panic!() };
    let groups: Vec<_> = balance.groups.iter().map(|one| (&one.holder, one.left)).collect();
    let relaxed = Holder::Tier("relaxed".into());
    let left = |micros| Some(Amount::micros(micros));
    assert_eq!(groups, [(&relaxed, left(983)), (&relaxed, left(840)), (&Holder::Unknown, None)]);
    assert_sound(&ledger.verify().unwrap());
    drop(ledger);
    // Whoever turns out to allow less than they have lost has nothing left.
    let mut ledger = Ledger::open(&path).unwrap();
    let one = charges_in_tier(&ledger, "strict", 1, &["cat"]);
    assert_eq!(ledger.check("people", &one).unwrap_err().kind(), ErrorKind::Budget);
    let dan = charges_in_tier(&ledger, "strict", 100, &["dan"]);
    release(&mut ledger, "people", &dan).unwrap();
    assert_sound(&ledger.verify().unwrap());
}

#[test]
fn a_history_of_a_person_has_what_counts_against_them() {
    let folder = folder();
    let (_, mut ledger) =
        with_persons(&folder, Lifetime::Same(Amount::micros(100)), Neighbors::ReplaceOne);
    let part = |ledger: &Ledger, micros, names: &[&str]| Part {
        holder: Holder::Everybody,
        charge: Amount::micros(micros),
        persons: names.iter().map(|name| person(ledger, name)).collect(),
    };
    let charges = vec![part(&ledger, 10, &["ann"]), part(&ledger, 20, &["bob", "cat"])];
    release(&mut ledger, "people", &Charges::Persons(charges)).unwrap();
    let charges = lost(&ledger, &[(90, &["cat"])]);
    ledger.charge("people", &charges, BECAUSE).unwrap();
    let cancelled = Charges::Persons(vec![part(&ledger, 5, &["dan", "ann"])]);
    let reservation = ledger.reserve("people", &cancelled, &Columns::default(), &plan()).unwrap();
    reservation.cancel().unwrap();
    let history = |name: &str| ledger.history_of("people", person(&ledger, name)).unwrap();
    let costs = |name: &str| -> Vec<(u64, u64, Amount)> {
        let of = |record: &suum_ledger::Record| {
            let [charge] = record.charges.as_slice() else { panic!() };
            assert_eq!(charge.persons, None);
            (record.entry, record.charges.len() as u64, charge.counted.epsilon)
        };
        history(name).iter().map(of).collect()
    };
    assert_eq!(costs("cat"), [(3, 1, Amount::micros(20)), (5, 1, Amount::micros(90))]);
    assert_eq!(costs("ann"), [(3, 1, Amount::micros(10))]);
    // Nobody is told whether the ledger knows them, unless something counts.
    assert_eq!(costs("dan"), costs("never heard of"));
    assert!(ledger.opened("people").unwrap().ends_with('Z'));
    let Balance::Persons(balance) = ledger.balance("people").unwrap() else { panic!() };
    assert!(balance.groups.iter().any(|one| one.left == Some(Amount::ZERO)), "{balance:?}");
    let tiers_only = ledger.history_of("nothing", person(&ledger, "ann")).unwrap_err();
    assert_eq!(tiers_only.kind(), ErrorKind::Parameter);
}

#[test]
fn a_charge_counts_in_the_second_account() {
    let folder = folder();
    let path = folder.path().join("ledger");
    let mut ledger = Ledger::create(&path).unwrap();
    let allowed = Amount::micros(1_000_000);
    let accounts = Accounts::Tiers(vec![("a".into(), allowed)]);
    let delta = Some(Delta::MILLIONTH);
    let neighbors = Neighbors::ReplaceOne;
    ledger.add_dataset(Dataset { delta, ..Dataset::new("d", neighbors, accounts) }).unwrap();
    let allowance = ledger.dataset("d").unwrap().allowance(allowed);
    let charge = Cost::from(Amount::micros(30_000));
    let mut sum = Cost::ZERO;
    for _ in 0..40 {
        ledger.charge("d", &tiers(&[("a", 30_000)]), BECAUSE).unwrap();
        sum = sum.plus(charge);
    }
    let balance = tier_balances(&ledger, "d").swap_remove(0);
    assert_eq!(balance.cost(), sum);
    assert!(sum.epsilon > allowed, "more than the sum of ε, but not of ρ");
    assert_eq!(balance.left, allowance.left(sum));
    assert!(!balance.left.is_zero() && !allowance.is_exceeded_by(sum));
    let all = Charges::Tiers(vec![("a".into(), Amount::Unlimited)]);
    ledger.charge("d", &all, BECAUSE).unwrap();
    let balance = tier_balances(&ledger, "d").swap_remove(0);
    assert_eq!((balance.left, balance.rho), (Amount::ZERO, Rho::Unlimited));
    assert!(allowance.is_exceeded_by(balance.cost()));
    assert_sound(&ledger.verify().unwrap());
}

#[test]
fn a_charge_that_makes_no_sense_is_refused() {
    let folder = folder();
    let (_, mut of_tiers) = with_tiers(&folder);
    let other = crate::common::folder();
    let (_, mut of_persons) =
        with_persons(&other, Lifetime::Same(Amount::micros(100)), Neighbors::AddRemove);
    let mut refused = |charges: &Charges, because: &str| {
        of_tiers.charge("visits", charges, because).unwrap_err().to_string()
    };
    let strict = tiers(&[("strict", 1)]);
    assert!(refused(&strict, " ").contains("what the charge is for"));
    assert!(refused(&tiers(&[("nobody", 1)]), BECAUSE).contains("knows no tier nobody"));
    assert!(refused(&tiers(&[("strict", 1), ("strict", 1)]), BECAUSE).contains("twice"));
    assert!(refused(&tiers(&[("strict", 0)]), BECAUSE).contains("nobody is charged"));
    assert!(refused(&tiers(&[]), BECAUSE).contains("nobody is charged"));
    let ann = lost(&of_persons, &[(1, &["ann"])]);
    assert!(refused(&ann, BECAUSE).contains("tiers hold its accounts"));
    let twice = lost(&of_persons, &[(1, &["ann"]), (2, &["ann"])]);
    let nobody = lost(&of_persons, &[(0, &["ann"])]);
    for (charges, why) in
        [(&strict, "persons hold"), (&twice, "a person is there twice"), (&nobody, "nobody")]
    {
        let refused = of_persons.charge("people", charges, BECAUSE).unwrap_err().to_string();
        assert!(refused.contains(why) && !refused.contains("ann"), "{refused}");
    }
    assert_eq!(of_persons.verify().unwrap().entries, 2);
    // Nobody can be reserved for whose tier is not known.
    let reserved = of_persons.reserve("people", &ann, &Columns::default(), &plan());
    assert!(reserved.is_err());
}

#[test]
fn a_charge_that_was_changed_is_noticed() {
    for sql in [
        "UPDATE entry SET body = replace(body, '150', '15') WHERE kind = 'charge'",
        "UPDATE entry SET body = replace(body, '2024', '2025') WHERE kind = 'charge'",
        "UPDATE entry SET kind = 'reserve' WHERE kind = 'charge'",
        "UPDATE person SET hashes = zeroblob(16) WHERE entry = 3",
        "DELETE FROM charged WHERE entry = 3",
        "DELETE FROM entry WHERE kind = 'charge'",
    ] {
        let folder = folder();
        let (path, mut ledger) =
            with_persons(&folder, Lifetime::Same(Amount::micros(100)), Neighbors::ReplaceOne);
        let charges = lost(&ledger, &[(150, &["ann"])]);
        ledger.charge("people", &charges, BECAUSE).unwrap();
        drop(ledger);
        assert_sound(&Ledger::verify_file(&path).unwrap());
        forge(&path, sql);
        assert!(!Ledger::verify_file(&path).unwrap().is_sound(), "{sql}");
        let used = Ledger::open(&path).and_then(|ledger| ledger.spent_by_persons("people"));
        assert!(used.is_err(), "{sql}");
    }
}

#[test]
fn an_export_has_the_reason_and_no_person() {
    let folder = folder();
    let (_, mut ledger) =
        with_persons(&folder, Lifetime::Same(Amount::micros(100)), Neighbors::ReplaceOne);
    let charges = lost(&ledger, &[(150, &["ann"])]);
    ledger.charge("people", &charges, BECAUSE).unwrap();
    let mut lines = Vec::new();
    ledger.export(Members::Counted, &mut lines).unwrap();
    let last = String::from_utf8(lines).unwrap();
    let last: Value = serde_json::from_str(last.lines().last().unwrap()).unwrap();
    assert_eq!((&last["kind"], &last["body"]["because"]), (&"charge".into(), &BECAUSE.into()));
    assert_eq!(last["body"]["parts"][0]["charge"], 150);
    assert!(last.get("persons").is_none());
}
