//! Accounts of persons.

use serde_json::Value;
use suum_core::{ErrorKind, Neighbors};
use suum_ledger::{
    Accounts, Amount, Balance, Charges, Columns, Dataset, FinalCost, Holder, Ledger, Lifetime,
    Members, Part, PersonHash, Persons, PersonsSpent,
};

use crate::common::{assert_sound, folder, plan, release, tiers, with_persons};

fn people(ledger: &Ledger, names: &[&str]) -> Vec<PersonHash> {
    let key = ledger.person_key();
    names.iter().map(|name| key.hash(name.as_bytes())).collect()
}

fn part(ledger: &Ledger, holder: Holder, micros: u64, names: &[&str]) -> Part {
    Part { holder, charge: Amount::micros(micros), persons: people(ledger, names).into() }
}

#[test]
fn everybody_pays_for_themselves() {
    let folder = folder();
    let (path, mut ledger) =
        with_persons(&folder, Lifetime::Same(Amount::micros(100)), Neighbors::ReplaceOne);
    let everybody =
        |micros, names: &[&str], ledger: &Ledger| part(ledger, Holder::Everybody, micros, names);
    let first = vec![everybody(10, &["ann", "bob"], &ledger), everybody(90, &["cat"], &ledger)];
    let ((), drawn) = ledger
        .reserve("people", &Charges::Persons(first), &Columns::default(), &plan())
        .unwrap()
        .draw(|_| Ok(()))
        .unwrap();
    drawn
        .settle(
            FinalCost::Parts(vec![Amount::micros(5).into(), Amount::micros(90).into()]),
            &plan(),
        )
        .unwrap();
    let second = Charges::Persons(vec![
        everybody(20, &["bob", "dan"], &ledger),
        everybody(0, &["eve"], &ledger),
    ]);
    release(&mut ledger, "people", &second).unwrap();
    ledger
        .reserve(
            "people",
            &Charges::Persons(vec![everybody(50, &["ann"], &ledger)]),
            &Columns::default(),
            &plan(),
        )
        .unwrap()
        .cancel()
        .unwrap();

    let ledger = Ledger::open_to_read(&path).unwrap();
    let spent = ledger.spent_by_persons("people").unwrap();
    let of = |name: &str| spent.get(ledger.person_key().hash(name.as_bytes()));
    let micros = ["ann", "bob", "cat", "dan", "eve"].map(of);
    assert_eq!(micros, [5, 25, 90, 20, 0].map(Amount::micros));
    assert_eq!(spent.len(), 4);
    let Balance::Persons(balance) = ledger.balance("people").unwrap() else { panic!() };
    assert_eq!(balance.persons, 4);
    assert_eq!(balance.spent, [5, 20, 25, 90].map(|micros| (Amount::micros(micros), 1)));
    assert_sound(&ledger.verify().unwrap());

    let too_much = Charges::Persons(vec![everybody(30, &["ann", "cat", "dan"], &ledger)]);
    let refused = ledger.check("people", &too_much).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Budget);
    let message = "dataset people: 1 person has less left than is asked; the least has 0.00001 \
        left, 0.00003 is asked: 0.00002 short";
    assert_eq!(refused.to_string(), message);
}

#[test]
fn a_person_keeps_what_they_spent_when_they_change_tier() {
    let folder = folder();
    let allowed =
        vec![("strict".into(), Amount::micros(10)), ("relaxed".into(), Amount::micros(100))];
    let (_, mut ledger) = with_persons(&folder, Lifetime::Tiers(allowed), Neighbors::ReplaceOne);
    let tier = |label: &str| Holder::Tier(label.to_owned());
    let relaxed = Charges::Persons(vec![part(&ledger, tier("relaxed"), 60, &["ann"])]);
    release(&mut ledger, "people", &relaxed).unwrap();
    let strict = Charges::Persons(vec![part(&ledger, tier("strict"), 1, &["ann"])]);
    assert_eq!(ledger.check("people", &strict).unwrap_err().kind(), ErrorKind::Budget);
    assert_eq!(ledger.check("people", &relaxed).unwrap_err().kind(), ErrorKind::Budget);
    let unknown = Charges::Persons(vec![part(&ledger, tier("lax"), 1, &["ann"])]);
    assert_eq!(
        ledger.check("people", &unknown).unwrap_err().fix().map(ToString::to_string).as_deref(),
        Some("its tiers are strict, relaxed")
    );
    let everybody = Charges::Persons(vec![part(&ledger, Holder::Everybody, 1, &["ann"])]);
    assert_eq!(ledger.check("people", &everybody).unwrap_err().kind(), ErrorKind::Request);
    assert_eq!(
        ledger.check("people", &tiers(&[("strict", 1)])).unwrap_err().kind(),
        ErrorKind::Request
    );
}

#[test]
fn what_persons_say_themselves_holds() {
    let folder = folder();
    let (_, mut ledger) = with_persons(&folder, Lifetime::Own, Neighbors::ReplaceOne);
    let own = |micros| Holder::Own(Amount::micros(micros));
    let first = vec![
        part(&ledger, own(10), 10, &["ann"]),
        part(&ledger, own(50), 10, &["bob"]),
        Part {
            holder: Holder::Own(Amount::Unlimited),
            charge: Amount::Unlimited,
            persons: people(&ledger, &["cat"]).into(),
        },
    ];
    release(&mut ledger, "people", &Charges::Persons(first)).unwrap();
    ledger.check("people", &Charges::Persons(vec![part(&ledger, own(50), 40, &["bob"])])).unwrap();
    for (allowed, names) in [(10, ["ann"]), (1_000_000, ["cat"])] {
        let more = Charges::Persons(vec![part(&ledger, own(allowed), 1, &names)]);
        assert_eq!(ledger.check("people", &more).unwrap_err().kind(), ErrorKind::Budget);
    }
    assert_sound(&ledger.verify().unwrap());
}

#[test]
fn nobody_may_be_there_twice() {
    let folder = folder();
    let (_, ledger) = with_persons(&folder, Lifetime::Own, Neighbors::ReplaceOne);
    let own = || Holder::Own(Amount::micros(10));
    for parts in [
        vec![part(&ledger, own(), 1, &["ann", "bob", "ann"])],
        vec![part(&ledger, own(), 1, &["ann"]), part(&ledger, own(), 2, &["bob", "ann"])],
    ] {
        assert_eq!(
            ledger.check("people", &Charges::Persons(parts)).unwrap_err().kind(),
            ErrorKind::Parameter
        );
    }
}

#[test]
fn parts_and_persons_may_come_in_any_order() {
    let mut histograms = Vec::new();
    for turn in 0..4 {
        let folder = folder();
        let (_, mut ledger) =
            with_persons(&folder, Lifetime::Same(Amount::micros(100)), Neighbors::ReplaceOne);
        let mut names = [(3, vec!["ann", "bob", "cat"]), (5, vec!["dan", "eve"]), (7, vec!["fay"])];
        names.rotate_left(turn % 3);
        names[0].1.reverse();
        let parts = names.map(|(micros, names)| part(&ledger, Holder::Everybody, micros, &names));
        let parts = parts.to_vec();
        release(&mut ledger, "people", &Charges::Persons(parts)).unwrap();
        histograms.push(ledger.balance("people").unwrap());
        assert_sound(&ledger.verify().unwrap());
    }
    assert!(histograms.windows(2).all(|pair| pair[0] == pair[1]));
}

#[test]
fn who_somebody_is_stays_hidden() {
    let folder = folder();
    let (path, mut ledger) = with_persons(&folder, Lifetime::Own, Neighbors::AddRemove);
    let names = ["SECRETANN", "SECRETBOB"];
    let own = Holder::Own(Amount::micros(10));
    let charges = Charges::Persons(vec![part(&ledger, own.clone(), 10, &names)]);
    release(&mut ledger, "people", &charges).unwrap();
    let refused = ledger.check("people", &charges).unwrap_err();
    assert_eq!(refused.to_string(), "dataset people: not everybody has as much left as is asked");

    let person = people(&ledger, &names)[0];
    let hex: String = person.to_bytes().iter().map(|byte| format!("{byte:02x}")).collect();
    let mut counted = Vec::new();
    ledger.export(Members::Counted, &mut counted).unwrap();
    let shown = format!(
        "{ledger:?} {charges:?} {person:?} {:?} {:?} {:?} {:?} {} {}",
        ledger.person_key(),
        ledger.spent_by_persons("people").unwrap(),
        ledger.history("people").unwrap(),
        ledger.balance("people").unwrap(),
        String::from_utf8(counted).unwrap(),
        refused.fix().unwrap(),
    );
    let bytes = format!("{:?}", person.to_bytes());
    assert!(
        !shown.contains(&hex)
            && !shown.contains(bytes.trim_matches(['[', ']']))
            && !shown.contains("SECRET")
    );
    let mut hashed = Vec::new();
    ledger.export(Members::Hashed, &mut hashed).unwrap();
    assert!(String::from_utf8(hashed).unwrap().contains(&hex), "asked for");

    // Nor is an identifier in any file, nor the key in the database.
    let key = std::fs::read_to_string(format!("{}.key", path.display())).unwrap();
    for suffix in ["", ".key", ".head"] {
        let content = std::fs::read(format!("{}{suffix}", path.display())).unwrap();
        let has = |needle: &[u8]| content.windows(needle.len()).any(|window| window == needle);
        assert!(!has(b"SECRET"));
        assert_eq!(has(key.trim().as_bytes()), suffix == ".key");
    }
    // Another ledger knows the same people under other hashes.
    let other = crate::common::folder();
    let (_, other) = with_persons(&other, Lifetime::Own, Neighbors::AddRemove);
    assert_ne!(other.person_key().hash(b"SECRETANN"), person);
    assert_eq!(PersonHash::from_bytes(person.to_bytes()), person);
}

#[test]
fn a_release_that_costs_nothing_needs_no_members() {
    let folder = folder();
    let (_, mut ledger) =
        with_persons(&folder, Lifetime::Same(Amount::ZERO), Neighbors::ReplaceOne);
    let nothing = Charges::Persons(vec![part(&ledger, Holder::Everybody, 0, &["ann"])]);
    release(&mut ledger, "people", &nothing).unwrap();
    release(&mut ledger, "people", &Charges::Persons(Vec::new())).unwrap();
    assert!(ledger.spent_by_persons("people").unwrap().is_empty());
    assert_eq!(ledger.history("people").unwrap()[0].charges[0].persons, Some(1));
    assert_eq!(
        ledger.history("people").unwrap()[0].certificate.as_ref().map(Value::is_object),
        Some(true)
    );
    assert_sound(&ledger.verify().unwrap());
}

#[test]
fn numbers_are_those_of_their_ledger_and_dataset() {
    let folder = folder();
    let (path, mut ledger) =
        with_persons(&folder, Lifetime::Same(Amount::micros(100)), Neighbors::ReplaceOne);
    let accounts = Accounts::Persons(Lifetime::Same(Amount::micros(100)));
    let (name, neighbors) = ("others".to_owned(), Neighbors::ReplaceOne);
    ledger.add_dataset(Dataset::new(name, neighbors, accounts)).unwrap();
    let charge = |ledger: &mut Ledger, dataset: &str, micros, persons: Persons| {
        let part = Part { holder: Holder::Everybody, charge: Amount::micros(micros), persons };
        let charges = Charges::Persons(vec![part]);
        let reservation = ledger.reserve(dataset, &charges, &Columns::default(), &plan())?;
        reservation.draw(|_| Ok(()))?.1.settle(FinalCost::AsReserved, &plan()).map(|_| ())
    };
    let all = ["ann", "bob", "cat"];
    // Numbers go by hashes: those of the second dataset are in another order or missing.
    let first = people(&ledger, &all);
    charge(&mut ledger, "people", 1, first.clone().into()).unwrap();
    charge(&mut ledger, "others", 10, first[2..].to_vec().into()).unwrap();
    charge(&mut ledger, "others", 10, first[..1].to_vec().into()).unwrap();

    // By number, and by hash whom nobody knew then; also where somebody charged them meanwhile, in
    // a process that has read the ledger for itself, and with numbers of another dataset.
    let known = ledger.spent_by_persons("people").unwrap();
    let numbers = |names: &[&str]| {
        let hashes = people(&ledger, names);
        hashes.into_iter().map(|hash| known.number(hash).unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(known.number(people(&ledger, &["dan"])[0]), None);
    let two = known.persons(numbers(&["ann", "cat"]), people(&ledger, &["dan"]));
    let twice = known.persons(numbers(&["ann"]), people(&ledger, &["ann"]));
    assert_eq!((two.len(), format!("{two:?}")), (3, "Persons(3)".to_owned()));
    let mut other = Ledger::open(&path).unwrap();
    charge(&mut other, "people", 20, two.clone()).unwrap();
    charge(&mut ledger, "people", 30, two.clone()).unwrap();
    charge(&mut ledger, "others", 5, two.clone()).unwrap();
    for ledger in [&mut ledger, &mut other] {
        let refused = charge(ledger, "people", 1, twice.clone()).unwrap_err();
        assert_eq!(refused.to_string(), "charges: a person is there twice");
    }
    let spent = |dataset: &str| {
        let spent = other.spent_by_persons(dataset).unwrap();
        let of = |name: &str| spent.get(people(&other, &[name])[0]);
        ["ann", "bob", "cat", "dan"].map(of)
    };
    assert_eq!(spent("people"), [51, 1, 51, 50].map(Amount::micros));
    assert_eq!(spent("others"), [15, 0, 15, 5].map(Amount::micros));

    // A number beyond those that a roll has is nobody's.
    let strange = spent_of(&other, "people").number(people(&other, &["dan"])[0]).unwrap();
    let strange = spent_of(&other, "others").persons(vec![strange], Vec::new());
    let refused = charge(&mut other, "others", 1, strange).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Internal);
    assert_sound(&other.verify().unwrap());
}

fn spent_of(ledger: &Ledger, dataset: &str) -> PersonsSpent {
    ledger.spent_by_persons(dataset).unwrap()
}
