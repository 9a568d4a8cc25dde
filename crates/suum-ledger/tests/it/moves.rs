//! People who move between tiers, where a ledger watches them.

use std::path::{Path, PathBuf};

use suum_core::{ErrorKind, Neighbors};
use suum_ledger::{
    Accounts, Amount, Charges, Columns, Dataset, FinalCost, Ledger, Lifetime, Members,
    ReservationRecord, TierPeople,
};
use tempfile::TempDir;

use crate::common::{assert_sound, folder, plan, tiers, visits};
use crate::tampering::forge;

const BOTH: [(&str, u64); 2] = [("strict", 10), ("relaxed", 100)];

fn watched(folder: &TempDir) -> (PathBuf, Ledger) {
    let path = folder.path().join("watched.ledger");
    let mut ledger = Ledger::create(&path).unwrap();
    ledger.add_dataset(Dataset { watch_moves: true, ..visits("visits") }).unwrap();
    (path, ledger)
}

fn people(ledger: &Ledger, tiers: &[(&str, &[&str])], may_have_moved: bool) -> TierPeople {
    let key = ledger.person_key();
    let tier = |(label, names): &(&str, &[&str])| {
        let persons = names.iter().map(|name| key.hash(name.as_bytes())).collect();
        ((*label).to_owned(), persons)
    };
    TierPeople { tiers: tiers.iter().map(tier).collect(), may_have_moved }
}

/// Makes a release of the people of these tiers.
fn release(
    ledger: &mut Ledger,
    charges: &Charges,
    people: Option<&TierPeople>,
) -> suum_core::Result<()> {
    let request = plan();
    let record = ReservationRecord { request: &request, register: None, people, delta: None };
    let ((), drawn) =
        ledger.reserve("visits", charges, &Columns::default(), record)?.draw(|_| Ok(()))?;
    let Charges::Tiers(charged) = charges else { panic!("charges of persons") };
    let spent = charged.iter().map(|(label, amount)| (label.clone(), (*amount).into())).collect();
    drawn.settle(FinalCost::Tiers(spent), &plan()).map(|_| ())
}

fn release_of(
    ledger: &mut Ledger,
    tiers_of: &[(&str, &[&str])],
    may_have_moved: bool,
) -> suum_core::Result<()> {
    let people = people(ledger, tiers_of, may_have_moved);
    release(ledger, &tiers(&BOTH), Some(&people))
}

fn moved(ledger: &Ledger) -> Vec<u64> {
    ledger.history("visits").unwrap().iter().map(|record| record.moved).collect()
}

#[test]
fn release_with_people_who_moved_is_refused_by_their_number() {
    let folder = folder();
    let (_, mut ledger) = watched(&folder);
    let first: [(&str, &[&str]); 2] = [("strict", &["ann", "bob"]), ("relaxed", &["cat"])];
    release_of(&mut ledger, &first, false).unwrap();
    release_of(&mut ledger, &first, false).unwrap();
    // Dora is new, and Cat stays away.
    release_of(&mut ledger, &[("strict", &["ann", "bob"]), ("relaxed", &["dora"])], false).unwrap();
    let before = ledger.verify().unwrap().entries;
    for (tiers, people) in [
        ([("strict", &["ann"][..]), ("relaxed", &["bob", "dora"])], "1 person is in another tier"),
        ([("strict", &["cat"][..]), ("relaxed", &["ann", "bob"])], "3 people are in another tier"),
    ] {
        let refused = release_of(&mut ledger, &tiers, false).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::Budget);
        let text = format!("{refused} {:?}", refused.fix().map(ToString::to_string));
        assert!(text.contains(people) && text.contains("allow"), "{text}");
        assert!(!["ann", "bob", "cat", "dora"].iter().any(|name| text.contains(name)), "{text}");
    }
    assert_eq!(ledger.verify().unwrap().entries, before, "nothing was reserved");
    release_of(&mut ledger, &[("strict", &["ann"]), ("relaxed", &["bob", "dora"])], true).unwrap();
    // From then on Bob is where he moved.
    release_of(&mut ledger, &[("strict", &["ann"]), ("relaxed", &["bob"])], false).unwrap();
    assert!(release_of(&mut ledger, &first, false).is_err());
    assert_eq!(moved(&ledger), [0, 0, 0, 1, 0]);
    assert_sound(&ledger.verify().unwrap());
}

#[test]
fn whoever_returns_from_a_tier_without_charges_is_still_in_their_old_one() {
    let folder = folder();
    let (_, mut ledger) = watched(&folder);
    release_of(&mut ledger, &[("strict", &["ann"])], false).unwrap();
    // She allows nothing for a time: no charge is for her tier.
    let away = people(&ledger, &[("public", &["ann"]), ("relaxed", &["bob"])], false);
    release(&mut ledger, &tiers(&[("relaxed", 5)]), Some(&away)).unwrap();
    let refused = release_of(&mut ledger, &[("relaxed", &["ann"])], false).unwrap_err();
    assert!(refused.to_string().contains("1 person"), "{refused}");
    // What was cancelled moved nobody; what was cut off did.
    let request = plan();
    let moving = people(&ledger, &[("relaxed", &["ann"])], true);
    let record =
        ReservationRecord { request: &request, register: None, people: Some(&moving), delta: None };
    ledger.reserve("visits", &tiers(&BOTH), &Columns::default(), record).unwrap().cancel().unwrap();
    release_of(&mut ledger, &[("strict", &["ann"])], false).unwrap();
    drop(ledger.reserve("visits", &tiers(&BOTH), &Columns::default(), record).unwrap());
    assert!(release_of(&mut ledger, &[("strict", &["ann"])], false).is_err());
    release_of(&mut ledger, &[("relaxed", &["ann"])], false).unwrap();
    assert_sound(&ledger.verify().unwrap());
}

#[test]
fn release_names_people_exactly_where_they_are_watched() {
    let folder = folder();
    let (_, mut ledger) = watched(&folder);
    let refused = release(&mut ledger, &tiers(&BOTH), None).unwrap_err();
    assert!(refused.to_string().contains("has to know who is in which"), "{refused}");
    let twice: [(&str, &[&str]); 2] = [("strict", &["ann"]), ("relaxed", &["ann"])];
    assert!(release_of(&mut ledger, &twice, true).is_err());
    ledger.charge("visits", &tiers(&BOTH), "a table of 2024").unwrap();
    ledger.add_dataset(visits("other")).unwrap();
    let request = plan();
    let moving = people(&ledger, &[("strict", &["ann"])], true);
    let record =
        ReservationRecord { request: &request, register: None, people: Some(&moving), delta: None };
    assert!(ledger.reserve("other", &tiers(&BOTH), &Columns::default(), record).is_err());
    let moving = people(&ledger, &[("strict", &["ann"])], false);
    let record =
        ReservationRecord { request: &request, register: None, people: Some(&moving), delta: None };
    let reserved = ledger.reserve("other", &tiers(&BOTH), &Columns::default(), record);
    reserved.unwrap().cancel().unwrap();
    assert_sound(&ledger.verify().unwrap());
}

#[test]
fn only_public_accounts_of_tiers_are_watched() {
    let folder = folder();
    let (_, mut ledger) = watched(&folder);
    let persons = Accounts::Persons(Lifetime::Same(Amount::micros(1_000)));
    let of_persons = Dataset::new("persons", Neighbors::ReplaceOne, persons);
    for dataset in [
        of_persons,
        Dataset { neighbors: Neighbors::AddRemove, ..visits("hidden") },
        Dataset { neighbors: Neighbors::Both, ..visits("both") },
    ] {
        let refused = ledger.add_dataset(Dataset { watch_moves: true, ..dataset }).unwrap_err();
        assert!(refused.to_string().starts_with("watch_moves: "), "{refused}");
    }
}

#[test]
fn watched_person_takes_at_most_twenty_bytes() {
    let folder = folder();
    let (path, mut ledger) = watched(&folder);
    let names: Vec<String> = (0..20_000).map(|number| format!("person {number}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let size = |path: &Path| std::fs::metadata(path).unwrap().len();
    let before = size(&path);
    release_of(&mut ledger, &[("strict", &names[..9_000]), ("relaxed", &names[9_000..])], false)
        .unwrap();
    let first = size(&path) - before;
    assert!(first <= 20 * names.len() as u64, "{first}");
    release_of(&mut ledger, &[("strict", &names[..9_000]), ("relaxed", &names[9_000..])], false)
        .unwrap();
    let second = size(&path) - before - first;
    assert!(second < names.len() as u64, "{second}");
}

#[test]
fn every_change_of_watched_people_is_noticed() {
    for sql in [
        "DELETE FROM person WHERE entry = 3",
        "DELETE FROM charged WHERE entry = 3",
        "UPDATE person SET hashes = zeroblob(48)",
        "UPDATE charged SET runs = x'0100020000'",
        "UPDATE entry SET body = json_remove(body, '$.members') WHERE seq = 3",
        "UPDATE entry SET body = json_set(body, '$.moved', 1) WHERE seq = 3",
        "UPDATE entry SET body = json_remove(body, '$.watch_moves') WHERE seq = 2",
    ] {
        let folder = folder();
        let (path, mut ledger) = watched(&folder);
        let first: [(&str, &[&str]); 2] = [("strict", &["ann", "bob"]), ("relaxed", &["cat"])];
        release_of(&mut ledger, &first, false).unwrap();
        drop(ledger);
        forge(&path, sql);
        assert!(!Ledger::verify_file(&path).unwrap().is_sound(), "{sql}");
        // People are read when they are needed.
        let refused = match Ledger::open(&path) {
            Ok(mut ledger) => release_of(&mut ledger, &first, false).unwrap_err(),
            Err(refused) => refused,
        };
        assert_eq!(refused.kind(), ErrorKind::Ledger, "{sql}: {refused}");
    }
}

#[test]
fn export_names_watched_people_only_if_asked() {
    let folder = folder();
    let (_, mut ledger) = watched(&folder);
    release_of(&mut ledger, &[("strict", &["ann"]), ("relaxed", &["cat"])], false).unwrap();
    let export = |members| {
        let mut lines = Vec::new();
        ledger.export(members, &mut lines).unwrap();
        String::from_utf8(lines).unwrap()
    };
    assert!(!export(Members::Counted).contains("\"persons\":["));
    assert!(export(Members::Hashed).contains("\"persons\":[[0,"));
}
