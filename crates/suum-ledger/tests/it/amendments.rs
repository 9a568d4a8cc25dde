//! Changes of what people allow: decisions of persons, and tiers that are lowered or added.

use std::time::{Duration, UNIX_EPOCH};

use proptest::prelude::*;
use serde_json::json;
use suum_core::{ErrorKind, Neighbors};
use suum_ledger::{
    Accounts, Amendment, Amount, Balance, Charges, Columns, Dataset, Decision, DecisionCounts,
    Direction, Holder, Ledger, Lifetime, NotUsed, Part, PersonHash, RegisterUse, ReservationRecord,
};

use crate::common::{
    assert_sound, folder, plan, release, tier_balances, tiers, with_persons, with_tiers,
};

const DAY: i64 = 86_400_000_000;

fn person(ledger: &Ledger, name: &str) -> PersonHash {
    ledger.person_key().hash(name.as_bytes())
}

fn tier(label: &str) -> Holder {
    Holder::Tier(label.to_owned())
}

fn strict_and_relaxed() -> Lifetime {
    Lifetime::Tiers(vec![
        ("strict".into(), Amount::micros(100)),
        ("relaxed".into(), Amount::micros(1_000)),
    ])
}

fn decision(ledger: &Ledger, name: &str, holder: Holder, day: i64, reference: bool) -> Decision {
    let from = Some(day * DAY);
    Decision { person: person(ledger, name), holder, from, has_reference: reference }
}

fn entering(decisions: Vec<Decision>) -> Amendment {
    Amendment {
        tiers: Vec::new(),
        decisions,
        direction: Direction::LowerAndRaise,
        because: None,
        register: None,
    }
}

fn part(ledger: &Ledger, holder: Holder, micros: u64, names: &[&str]) -> Charges {
    let persons = names.iter().map(|name| person(ledger, name)).collect();
    Charges::Persons(vec![Part { holder, charge: Amount::micros(micros), persons }])
}

fn enter(ledger: &mut Ledger, decisions: Vec<Decision>) -> DecisionCounts {
    ledger.amend("people", &entering(decisions)).unwrap().counts
}

#[test]
fn withdrawal_leaves_nothing_whatever_the_data_say() {
    let folder = folder();
    let (path, mut ledger) = with_persons(&folder, strict_and_relaxed(), Neighbors::ReplaceOne);
    let charge = part(&ledger, tier("relaxed"), 40, &["ann", "bob"]);
    release(&mut ledger, "people", &charge).unwrap();
    let withdrawal = decision(&ledger, "ann", Holder::NoConsent, 100, false);
    let counts = enter(&mut ledger, vec![withdrawal]);
    assert_eq!((counts.lowered, counts.spent_more, counts.entered()), (1, 1, 1));
    // In another process, too.
    drop(ledger);
    let mut ledger = Ledger::open(&path).unwrap();
    let both = part(&ledger, tier("relaxed"), 1, &["ann", "bob"]);
    assert_eq!(ledger.check("people", &both).unwrap_err().kind(), ErrorKind::Budget);
    let bob = part(&ledger, tier("relaxed"), 1, &["bob"]);
    release(&mut ledger, "people", &bob).unwrap();
    let Balance::Persons(balance) = ledger.balance("people").unwrap() else { panic!() };
    let of_ann = balance.groups.iter().find(|group| group.holder == Holder::NoConsent).unwrap();
    assert_eq!((of_ann.persons, of_ann.left), (1, Some(Amount::ZERO)));
    let decisions = ledger.decisions_of("people", person(&ledger, "ann")).unwrap();
    assert_eq!((decisions.len(), decisions[0].from), (1, Some(100 * DAY)));
    assert_eq!(ledger.decisions_of("people", person(&ledger, "bob")).unwrap(), []);
    assert_sound(&ledger.verify().unwrap());
}

#[test]
fn raise_needs_newer_decision_with_reference() {
    let folder = folder();
    let (_, mut ledger) = with_persons(&folder, strict_and_relaxed(), Neighbors::ReplaceOne);
    let charge = part(&ledger, tier("strict"), 10, &["ann", "bob", "cat"]);
    release(&mut ledger, "people", &charge).unwrap();
    let of = |name: &str, label: &str, day, reference| {
        decision(&ledger, name, tier(label), day, reference)
    };
    let decisions = vec![
        of("ann", "relaxed", 10, true),
        of("bob", "relaxed", 10, false),
        of("cat", "strict", 10, false),
        of("dan", "relaxed", 10, false),
    ];
    let counts = enter(&mut ledger, decisions.clone());
    let expected = DecisionCounts {
        first: 1,
        raised: 1,
        confirmed: 1,
        without_reference: 1,
        ..DecisionCounts::default()
    };
    assert_eq!(counts, expected);
    // The same once more enters nothing.
    let entries = ledger.verify().unwrap().entries;
    let again = ledger.amend("people", &entering(decisions)).unwrap();
    assert_eq!((again.entry, again.counts.known, again.counts.without_reference), (None, 3, 1));
    assert_eq!(ledger.verify().unwrap().entries, entries);
    // An older decision changes nothing, of one time the stricter counts.
    let old = vec![decision(&ledger, "ann", tier("strict"), 9, true)];
    assert_eq!(enter(&mut ledger, old).known, 1);
    let tied = vec![decision(&ledger, "ann", tier("strict"), 10, false)];
    let counts = enter(&mut ledger, tied);
    assert_eq!((counts.lowered, counts.missing), (1, 2), "cat and dan are not in the register");
    let back = vec![decision(&ledger, "ann", tier("relaxed"), 10, true)];
    assert_eq!(enter(&mut ledger, back).same_date, 1);
    assert_sound(&ledger.verify().unwrap());
}

#[test]
fn decision_of_the_future_is_not_entered() {
    let folder = folder();
    let (_, ledger) = with_persons(&folder, strict_and_relaxed(), Neighbors::ReplaceOne);
    let day_20 = || UNIX_EPOCH + Duration::from_secs(20 * 86_400);
    let mut ledger = ledger.with_clock(day_20);
    let later = vec![decision(&ledger, "ann", Holder::NoConsent, 21, true)];
    let counts = enter(&mut ledger, later);
    assert_eq!((counts.in_future, counts.entered()), (1, 0));
    let today = vec![decision(&ledger, "ann", Holder::NoConsent, 20, true)];
    assert_eq!(enter(&mut ledger, today).first, 1);
}

#[test]
fn release_with_register_lowers_and_never_raises() {
    let folder = folder();
    let (_, mut ledger) = with_persons(&folder, strict_and_relaxed(), Neighbors::ReplaceOne);
    let charge = part(&ledger, tier("strict"), 10, &["ann"]);
    release(&mut ledger, "people", &charge).unwrap();
    let charge = part(&ledger, tier("relaxed"), 10, &["bob"]);
    release(&mut ledger, "people", &charge).unwrap();
    let lower = |decisions| Amendment { direction: Direction::OnlyLower, ..entering(decisions) };
    let decisions = vec![
        decision(&ledger, "ann", tier("relaxed"), 10, true),
        decision(&ledger, "bob", tier("strict"), 10, true),
        decision(&ledger, "cat", tier("strict"), 10, true),
    ];
    let outcome = ledger.amend("people", &lower(decisions)).unwrap();
    assert_eq!((outcome.counts.lowered, outcome.counts.known), (1, 2));
    // Who may not be used is entered, also if nothing is known of them.
    let dan = vec![decision(&ledger, "dan", Holder::NoConsent, 10, false)];
    assert_eq!(ledger.amend("people", &lower(dan)).unwrap().counts.first, 1);
    let limits = ledger.spent_without_raises("people").unwrap();
    let allowed = |name: &str| {
        let number = limits.number(person(&ledger, name)).unwrap();
        let kind = limits.decision_of(number).unwrap() as usize;
        limits.decisions().nth(kind).unwrap().1
    };
    assert_eq!(["ann", "bob"].map(allowed), [100, 100].map(Amount::micros));
}

#[test]
fn tier_is_lowered_or_added_and_never_raised() {
    let folder = folder();
    let (path, mut ledger) = with_tiers(&folder);
    release(&mut ledger, "visits", &tiers(&[("strict", 60_000)])).unwrap();
    let levels = |of: &[(&str, u64)]| Amendment {
        tiers: of.iter().map(|(label, all)| ((*label).into(), Amount::micros(*all))).collect(),
        because: Some("a stricter board".into()),
        ..entering(Vec::new())
    };
    let raised = ledger.amend("visits", &levels(&[("strict", 100_001)])).unwrap_err();
    assert_eq!(raised.kind(), ErrorKind::Request);
    let same = ledger.amend("visits", &levels(&[("strict", 100_000)])).unwrap();
    assert_eq!(same.entry, None);
    ledger.amend("visits", &levels(&[("strict", 50_000), ("form 2027", 200_000)])).unwrap();
    drop(ledger);
    let mut ledger = Ledger::open(&path).unwrap();
    let balances = tier_balances(&ledger, "visits");
    let left: Vec<_> = balances.iter().map(|tier| (tier.label.as_str(), tier.left)).collect();
    let micros = Amount::micros;
    assert_eq!(left[0], ("strict", Amount::ZERO), "less is allowed than was spent");
    assert_eq!(left[3], ("form 2027", micros(200_000)));
    let refused = ledger.check("visits", &tiers(&[("strict", 1)])).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Budget);
    release(&mut ledger, "visits", &tiers(&[("form 2027", 200_000)])).unwrap();
    // What was spent before is no fault now.
    assert_sound(&ledger.verify().unwrap());
    let recorded = ledger.amendments("visits").unwrap();
    let before: Vec<_> = recorded[0].tiers.iter().map(|tier| tier.before).collect();
    assert_eq!(before, [Some(micros(100_000)), None]);
    assert_eq!(recorded[0].because.as_deref(), Some("a stricter board"));
}

#[test]
fn lowered_tier_limits_persons_who_decided_for_it() {
    let folder = folder();
    let (_, mut ledger) = with_persons(&folder, strict_and_relaxed(), Neighbors::ReplaceOne);
    let ann = vec![decision(&ledger, "ann", tier("strict"), 1, true)];
    enter(&mut ledger, ann);
    let lowered =
        Amendment { tiers: vec![("strict".into(), Amount::micros(30))], ..entering(Vec::new()) };
    ledger.amend("people", &lowered).unwrap();
    let more = part(&ledger, tier("relaxed"), 31, &["ann"]);
    assert_eq!(ledger.check("people", &more).unwrap_err().kind(), ErrorKind::Budget);
    let enough = part(&ledger, tier("relaxed"), 30, &["ann"]);
    release(&mut ledger, "people", &enough).unwrap();
    assert_sound(&ledger.verify().unwrap());
}

#[test]
fn accounts_with_delta_are_raised_only_up_to_their_maximum() {
    let folder = folder();
    for (raise_up_to, raised) in [(None, 0), (Some(Amount::micros(1_000)), 1)] {
        let path = folder.path().join(format!("{raised}.ledger"));
        let mut ledger = Ledger::create(&path).unwrap();
        let accounts = Accounts::Persons(Lifetime::Tiers(vec![
            ("strict".into(), Amount::micros(100)),
            ("relaxed".into(), Amount::micros(1_000)),
            ("open".into(), Amount::micros(10_000)),
        ]));
        let delta = Some("1e-6".parse().unwrap());
        let dataset = Dataset::new("people", Neighbors::ReplaceOne, accounts);
        ledger.add_dataset(Dataset { delta, raise_up_to, ..dataset }).unwrap();
        let charge = part(&ledger, tier("strict"), 10, &["ann", "bob"]);
        release(&mut ledger, "people", &charge).unwrap();
        // Not by what the data say, either.
        let by_data = part(&ledger, tier("relaxed"), 500, &["ann"]);
        assert_eq!(ledger.check("people", &by_data).unwrap_err().kind(), ErrorKind::Budget);
        let decisions = vec![
            decision(&ledger, "ann", tier("relaxed"), 10, true),
            decision(&ledger, "bob", tier("open"), 10, true),
        ];
        let counts = enter(&mut ledger, decisions);
        assert_eq!((counts.raised, counts.beyond_maximum), (raised, 2 - raised));
        assert_eq!(ledger.check("people", &by_data).is_ok(), raised == 1);
        // Neither account pays for who withdrew.
        let withdrawal = decision(&ledger, "bob", Holder::NoConsent, 20, false);
        assert_eq!(enter(&mut ledger, vec![withdrawal]).lowered, 1);
        let bob = part(&ledger, tier("strict"), 1, &["bob"]);
        assert_eq!(ledger.check("people", &bob).unwrap_err().kind(), ErrorKind::Budget);
        assert_sound(&ledger.verify().unwrap());
    }
}

#[test]
fn entry_number_does_not_tell_who_decided_where_participation_is_hidden() {
    let folder = folder();
    let (_, mut ledger) = with_persons(&folder, strict_and_relaxed(), Neighbors::AddRemove);
    let register = RegisterUse { as_of: "2026-01-01".into(), digest: "00".into(), not_used: None };
    let nothing = Amendment {
        direction: Direction::OnlyLower,
        register: Some(register),
        ..entering(Vec::new())
    };
    let outcome = ledger.amend("people", &nothing).unwrap();
    assert_eq!(outcome.entry, Some(3));
    assert_sound(&ledger.verify().unwrap());
}

#[test]
fn reservation_keeps_its_register() {
    let folder = folder();
    let (_, mut ledger) = with_tiers(&folder);
    let mut hasher = ledger.register_hasher();
    hasher.add(b"decisions");
    let digest = hasher.digest();
    let plain = blake3::hash(b"decisions").to_hex();
    assert!(!plain.starts_with(&digest), "a plain digest would confirm guesses");
    let not_used = Some(NotUsed { none: 1, withdrawn: 2, expired: 3 });
    let register = RegisterUse { as_of: "2026-01-01".into(), digest, not_used };
    let request = plan();
    let record = ReservationRecord {
        request: &request,
        register: Some(&register),
        people: None,
        delta: None,
    };
    let charges = tiers(&[("strict", 1)]);
    drop(ledger.reserve("visits", &charges, &Columns::default(), record).unwrap());
    let history = ledger.history("visits").unwrap();
    assert_eq!(history[0].register, Some(register));
    assert_eq!(history[0].plan, json!({"statistic": "mean"}));
}

#[test]
fn decision_without_date_is_older_than_all_and_lowers_all_the_same() {
    let folder = folder();
    let (_, mut ledger) = with_persons(&folder, strict_and_relaxed(), Neighbors::ReplaceOne);
    let undated = |ledger: &Ledger, label: &str| Decision {
        from: None,
        ..decision(ledger, "ann", tier(label), 0, true)
    };
    let first = vec![undated(&ledger, "relaxed")];
    assert_eq!(enter(&mut ledger, first.clone()).first, 1);
    assert_eq!(enter(&mut ledger, first).known, 1);
    let recorded = ledger.decisions_of("people", person(&ledger, "ann")).unwrap();
    assert_eq!(recorded[0].from, None);
    // A letter of long ago counts.
    let dated = vec![decision(&ledger, "ann", tier("strict"), 3, false)];
    assert_eq!(enter(&mut ledger, dated).lowered, 1);
    let again = vec![undated(&ledger, "relaxed")];
    assert_eq!(enter(&mut ledger, again).known, 1, "without a date nothing is raised");
    let newer = vec![decision(&ledger, "ann", tier("relaxed"), 5, true)];
    assert_eq!(enter(&mut ledger, newer.clone()).raised, 1);
    let lower = vec![undated(&ledger, "strict")];
    assert_eq!(enter(&mut ledger, lower).lowered, 1);
    // It was lowered after that decision, which raises nothing any more.
    assert_eq!(enter(&mut ledger, newer).same_date, 1);
    assert_sound(&ledger.verify().unwrap());
}

#[test]
fn times_that_cannot_be_written_are_refused() {
    let folder = folder();
    let (_, mut ledger) = with_persons(&folder, strict_and_relaxed(), Neighbors::ReplaceOne);
    for from in [i64::MIN, i64::MIN + 1, -(1 << 60)] {
        let of = Decision { from: Some(from), ..decision(&ledger, "ann", tier("strict"), 0, true) };
        assert!(ledger.amend("people", &entering(vec![of])).is_err());
    }
    assert_sound(&ledger.verify().unwrap());
}

#[test]
fn tier_like_another_one_is_refused() {
    let folder = folder();
    let (_, mut ledger) = with_tiers(&folder);
    for label in ["Strict", " strict", "no consent"] {
        let tiers = vec![(label.to_owned(), Amount::micros(1))];
        assert!(ledger.amend("visits", &Amendment { tiers, ..entering(Vec::new()) }).is_err());
    }
    let tiers = Accounts::Tiers(vec![("no consent".into(), Amount::micros(1))]);
    assert!(ledger.add_dataset(Dataset::new("d", Neighbors::ReplaceOne, tiers)).is_err());
}

#[test]
fn decisions_of_another_form_are_refused() {
    let folder = folder();
    let (_, mut of_tiers) = with_tiers(&folder);
    let ann = entering(vec![decision(&of_tiers, "ann", Holder::NoConsent, 1, true)]);
    assert_eq!(of_tiers.amend("visits", &ann).unwrap_err().kind(), ErrorKind::Request);
    let (_, mut ledger) = with_persons(&folder, strict_and_relaxed(), Neighbors::ReplaceOne);
    for wrong in [Holder::Unknown, Holder::Everybody, tier("none"), Holder::Own(Amount::ZERO)] {
        let wrong = entering(vec![decision(&ledger, "ann", wrong, 1, true)]);
        assert!(ledger.amend("people", &wrong).is_err());
    }
    let twice = ["ann", "ann"].map(|name| decision(&ledger, name, tier("strict"), 1, true));
    assert!(ledger.amend("people", &entering(twice.to_vec())).is_err());
    assert_eq!(ledger.verify().unwrap().entries, 2);
}

/// A change of 1 % of many persons takes at most 20 bytes each.
#[test]
fn amendment_takes_few_bytes_for_each_person() {
    let folder = folder();
    let (path, mut ledger) = with_persons(&folder, strict_and_relaxed(), Neighbors::ReplaceOne);
    let size = |path: &std::path::Path| std::fs::metadata(path).unwrap().len();
    let of = |ledger: &Ledger, names: std::ops::Range<u32>, holder: Holder| -> Vec<Decision> {
        let second = |at: u32| (1_700_000_000 + i64::from(at * 7_919 % 31_536_000)) * 1_000_000;
        let decision = |at: u32| Decision {
            from: Some(second(at)),
            ..decision(ledger, &at.to_string(), holder.clone(), 0, true)
        };
        names.map(decision).collect()
    };
    let before = size(&path);
    let new = of(&ledger, 0..20_000, tier("relaxed"));
    enter(&mut ledger, new);
    let of_new = (size(&path) - before) as f64 / 20_000.0;
    assert!(of_new <= 20.7, "{of_new} bytes with pages of SQLite");
    let before = size(&path);
    let lowered = of(&ledger, 0..20_000, Holder::NoConsent);
    assert_eq!(enter(&mut ledger, lowered).lowered, 20_000);
    assert!(((size(&path) - before) as f64 / 20_000.0) < 8.0);
}

/// Kind of step of a history that is made up.
#[derive(Debug, Clone)]
enum Step {
    Release { charge: u64, tiers: Vec<u8> },
    Amend { decisions: Vec<(u8, u8, bool)> },
}

fn step() -> impl Strategy<Value = Step> {
    let release = (1_u64..60, prop::collection::vec(0_u8..3, 4))
        .prop_map(|(charge, tiers)| Step::Release { charge, tiers });
    let decisions = prop::collection::vec((0_u8..4, 0_u8..6, any::<bool>()), 4);
    prop_oneof![release, decisions.prop_map(|decisions| Step::Amend { decisions })]
}

/// Oracle of a person's account.
#[derive(Debug, Clone, Copy, Default)]
struct Known {
    spent: u64,
    /// Decision, and its day.
    decided: Option<(u64, u8)>,
    at_last_release: Option<u64>,
}

/// Amounts that no consent, strict and relaxed allow.
const ALLOWED: [u64; 3] = [0, 100, 200];

fn holder_of(choice: u8) -> Holder {
    [Holder::NoConsent, tier("strict"), tier("relaxed")][usize::from(choice)].clone()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    /// What every person may be charged follows from a few lines of arithmetic, and nobody is
    /// charged beyond what they allowed then.
    #[test]
    fn persons_are_limited_by_what_they_decided(steps in prop::collection::vec(step(), 1..9)) {
        let folder = folder();
        let lifetime = Lifetime::Tiers(vec![
            ("strict".into(), Amount::micros(100)),
            ("relaxed".into(), Amount::micros(200)),
        ]);
        let (_, mut ledger) = with_persons(&folder, lifetime, Neighbors::ReplaceOne);
        let names = ["ann", "bob", "cat", "dan"];
        let mut known: [Known; 4] = Default::default();
        for step in steps {
            match step {
                Step::Release { charge, tiers } => {
                    let charged = tiers.iter().enumerate().filter(|(_, choice)| **choice > 0);
                    for (at, choice) in charged {
                        let allowed = ALLOWED[usize::from(*choice)];
                        let decided = known[at].decided.map_or(u64::MAX, |(allowed, _)| allowed);
                        let fits = known[at].spent + charge <= allowed.min(decided);
                        let charges = part(&ledger, holder_of(*choice), charge, &[names[at]]);
                        let released = release(&mut ledger, "people", &charges);
                        prop_assert_eq!(released.is_ok(), fits);
                        if fits {
                            known[at].spent += charge;
                            known[at].at_last_release = Some(allowed);
                        }
                    }
                }
                Step::Amend { decisions } => {
                    let all = decisions.iter().enumerate().filter(|(_, (choice, ..))| *choice < 3);
                    let entered = all.map(|(at, (choice, day, reference))| {
                        let allowed = ALLOWED[usize::from(*choice)];
                        let Known { decided, at_last_release, .. } = known[at];
                        let is_entered = match (decided, at_last_release) {
                            (Some((_, since)), _) if *day < since => false,
                            (Some((before, since)), _) if *day == since => allowed < before,
                            (Some((before, _)), _) | (None, Some(before)) => {
                                allowed <= before || *reference
                            }
                            (None, None) => true,
                        };
                        if is_entered {
                            known[at].decided = Some((allowed, *day));
                        }
                        decision(&ledger, names[at], holder_of(*choice), (*day).into(), *reference)
                    });
                    let decisions = entered.collect();
                    ledger.amend("people", &entering(decisions)).unwrap();
                }
            }
        }
        let spent = ledger.spent_by_persons("people").unwrap();
        for (name, known) in names.iter().zip(known) {
            prop_assert_eq!(spent.get(person(&ledger, name)), Amount::micros(known.spent));
        }
        let verification = ledger.verify().unwrap();
        prop_assert!(verification.is_sound(), "{:?}", verification.findings);
    }
}

#[test]
fn balance_tells_of_raises_by_the_data_alone() {
    let folder = folder();
    let (_, mut ledger) = with_persons(&folder, strict_and_relaxed(), Neighbors::ReplaceOne);
    let is_raised = |ledger: &Ledger| match ledger.balance("people").unwrap() {
        Balance::Persons(persons) => persons.is_raised,
        Balance::Tiers(_) => panic!("accounts of tiers"),
    };
    let relaxed = part(&ledger, tier("relaxed"), 10, &["ann", "bob"]);
    release(&mut ledger, "people", &relaxed).unwrap();
    let lower = part(&ledger, tier("strict"), 10, &["ann"]);
    release(&mut ledger, "people", &lower).unwrap();
    assert!(!is_raised(&ledger), "less is no raise");
    let cancelled = ledger.reserve("people", &relaxed, &Columns::default(), &plan()).unwrap();
    cancelled.cancel().unwrap();
    assert!(!is_raised(&ledger), "what was cancelled says nothing");
    release(&mut ledger, "people", &relaxed).unwrap();
    assert!(is_raised(&ledger));
}
