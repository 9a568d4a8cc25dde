//! What is charged, and what is refused.

use serde_json::json;
use suum_core::{Epsilon, ErrorKind, Loss, Neighbors};
use suum_ledger::{
    Accounts, Amount, Charges, Columns, Dataset, FinalCost, Ledger, Lifetime, Members, RecordState,
};

use crate::common::{
    assert_sound, folder, plan, release, tier_balances, tiers, visits, with_persons, with_tiers,
};

#[test]
fn reserve_draw_settle() {
    let folder = folder();
    let (path, mut ledger) = with_tiers(&folder);
    let reservation = ledger
        .reserve(
            "visits",
            &tiers(&[("strict", 10_000), ("relaxed", 0)]),
            &Columns::default(),
            &plan(),
        )
        .unwrap();
    let (noisy, drawn) = reservation.draw(|_| Ok(42)).unwrap();
    assert_eq!(noisy, 42);
    let spent = FinalCost::Tiers(vec![("strict".into(), Amount::micros(8_000).into())]);
    let receipt = drawn.settle(spent, &json!({"estimate": noisy})).unwrap();
    assert_eq!((receipt.reserved, receipt.entry), (3, 4));
    assert_eq!(receipt.ledger, ledger.id().unwrap());

    ledger
        .reserve("visits", &tiers(&[("strict", 5_000)]), &Columns::default(), &plan())
        .unwrap()
        .cancel()
        .unwrap();
    drop(
        ledger
            .reserve(
                "visits",
                &tiers(&[("strict", 1_000), ("relaxed", 2_000)]),
                &Columns::default(),
                &plan(),
            )
            .unwrap(),
    );

    for ledger in [ledger, Ledger::open(&path).unwrap(), Ledger::open_to_read(&path).unwrap()] {
        let balances = tier_balances(&ledger, "visits");
        let strict = &balances[0];
        assert_eq!((&*strict.label, strict.allowed), ("strict", Amount::micros(100_000)));
        assert_eq!((strict.spent, strict.reserved), (Amount::micros(8_000), Amount::micros(1_000)));
        assert_eq!(strict.left, Amount::micros(91_000));
        assert_eq!(balances[1].left, Amount::micros(998_000));
        assert_eq!(balances[2].left, Amount::Unlimited);

        let history = ledger.history("visits").unwrap();
        assert_eq!(history.len(), 3);
        assert!(matches!(history[0].state, RecordState::Settled { entry: 4, .. }));
        assert_eq!(history[0].certificate, Some(json!({"estimate": 42})));
        assert_eq!(history[0].plan, plan());
        assert_eq!(history[0].charges[0].reserved, Amount::micros(10_000));
        assert_eq!(history[0].charges[0].counted, Amount::micros(8_000).into());
        assert_eq!(history[1].charges[0].counted, Amount::ZERO.into());
        assert!(matches!(history[1].state, RecordState::Cancelled { entry: 6, .. }));
        assert_eq!(history[2].state, RecordState::Open);
        let verification = ledger.verify().unwrap();
        assert_sound(&verification);
        assert_eq!(verification.entries, 7);
        assert_eq!(verification.findings.len(), 1, "the open reservation");
    }
}

#[test]
fn a_panic_while_drawing_counts_in_full() {
    let folder = folder();
    let (_, mut ledger) = with_tiers(&folder);
    let drawing = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let reservation = ledger
            .reserve("visits", &tiers(&[("strict", 10_000)]), &Columns::default(), &plan())
            .unwrap();
        let _ = reservation.draw(|_| -> suum_core::Result<()> { panic!("on purpose") });
    }));
    assert!(drawing.is_err());
    assert_eq!(tier_balances(&ledger, "visits")[0].reserved, Amount::micros(10_000));
}

#[test]
fn randomness_is_lent_once_budget_is_reserved() {
    let folder = folder();
    let (_, mut ledger) = with_tiers(&folder);
    let refuse = || suum_core::Error::request((), "no").with_fix("ask for something else");
    let charges = tiers(&[("strict", 2_000)]);
    let columns = Columns::default();
    let reservation = ledger.reserve("visits", &charges, &columns, &plan()).unwrap();
    let (seen, drawn) = reservation
        .draw(|randomness| Ok((randomness.is_private(), randomness.is_fresh())))
        .unwrap();
    assert_eq!(seen, (true, true), "secret, and made for this release");
    assert_eq!(
        drawn.give_up(&refuse()).fix().map(ToString::to_string).as_deref(),
        Some("ask for something else")
    );
    // Nothing was drawn, so nothing is spent.
    let reservation = ledger.reserve("visits", &charges, &columns, &plan()).unwrap();
    let early = reservation.draw::<()>(|_| Err(refuse())).unwrap_err();
    assert_eq!(early, refuse());
    // Something was.
    let reservation = ledger.reserve("visits", &charges, &columns, &plan()).unwrap();
    let late = reservation.draw::<()>(|randomness| {
        let _ = randomness.spawn();
        Err(refuse())
    });
    let late = late.unwrap_err();
    let said = "no; the ledger counts all that was reserved as spent (entry 6)";
    assert_eq!((late.to_string().as_str(), late.kind()), (said, ErrorKind::Request));
    let states: Vec<bool> = ledger
        .history("visits")
        .unwrap()
        .iter()
        .map(|record| matches!(record.state, RecordState::Cancelled { .. }))
        .collect();
    assert_eq!(states, [false, true, false]);
    assert_eq!(tier_balances(&ledger, "visits")[0].reserved, Amount::micros(4_000));
}

#[test]
fn what_does_not_fit_is_refused_by_name_and_shortfall() {
    let folder = folder();
    let (_, mut ledger) = with_tiers(&folder);
    release(&mut ledger, "visits", &tiers(&[("strict", 96_000)])).unwrap();
    let too_much = tiers(&[("relaxed", 10), ("strict", 10_000)]);
    for refused in [
        ledger.check("visits", &too_much).unwrap_err(),
        ledger.reserve("visits", &too_much, &Columns::default(), &plan()).map(|_| ()).unwrap_err(),
    ] {
        assert_eq!(refused.kind(), ErrorKind::Budget);
        let message = "dataset visits: tier strict has 0.004 left, 0.01 is asked: 0.006 short";
        assert_eq!(refused.to_string(), message);
        assert!(refused.fix().is_some());
    }
    assert_eq!(tier_balances(&ledger, "visits")[1].reserved, Amount::ZERO, "all or nothing");
    ledger.check("visits", &tiers(&[("strict", 4_000)])).unwrap();

    let public = Charges::Tiers(vec![("relaxed".into(), Amount::Unlimited)]);
    let refused = ledger.check("visits", &public).unwrap_err();
    let message = "dataset visits: tier relaxed has 1 left, a release without noise is asked";
    assert_eq!(refused.to_string(), message);
    let public = Charges::Tiers(vec![("public".into(), Amount::from_loss(&Loss::Unlimited))]);
    release(&mut ledger, "visits", &public).unwrap();
    release(&mut ledger, "visits", &public).unwrap();
    release(&mut ledger, "visits", &tiers(&[("public", 5)])).unwrap();
    let balance = &tier_balances(&ledger, "visits")[2];
    assert_eq!((balance.spent, balance.left), (Amount::Unlimited, Amount::Unlimited));
    assert_sound(&ledger.verify().unwrap());
}

#[test]
fn what_is_left_can_be_spent_to_the_last_bit() {
    let folder = folder();
    let (_, mut ledger) = with_tiers(&folder);
    for _ in 0..3 {
        let left = tier_balances(&ledger, "visits")[0].left;
        // The whole of the double that stands for a third of what is left, at most.
        let third = Epsilon::new(left.epsilon().get() / 3.0).unwrap();
        let loss = Loss::Finite(third.exact().unwrap());
        release(
            &mut ledger,
            "visits",
            &Charges::Tiers(vec![("strict".into(), Amount::from_loss(&loss))]),
        )
        .unwrap();
    }
    let left = tier_balances(&ledger, "visits")[0].left;
    let loss = Loss::Finite(left.epsilon().exact().unwrap());
    release(
        &mut ledger,
        "visits",
        &Charges::Tiers(vec![("strict".into(), Amount::from_loss(&loss))]),
    )
    .unwrap();
    assert_eq!(tier_balances(&ledger, "visits")[0].left, Amount::ZERO);
}

#[test]
fn unknown_names_are_answered_with_the_known_ones() {
    let folder = folder();
    let (_, mut ledger) = with_tiers(&folder);
    ledger.add_dataset(visits("claims")).unwrap();
    let refused = ledger.check("visit", &tiers(&[])).unwrap_err();
    assert_eq!(
        refused.fix().map(ToString::to_string).as_deref(),
        Some("the ledger has visits, claims")
    );
    assert_eq!(
        ledger.dataset("Visits").unwrap_err().kind(),
        ErrorKind::Parameter,
        "matched exactly"
    );
    let refused = ledger.check("visits", &tiers(&[("stric", 1)])).unwrap_err();
    assert_eq!(
        refused.fix().map(ToString::to_string).as_deref(),
        Some("its tiers are strict, relaxed, public")
    );
    assert!(ledger.check("visits", &tiers(&[("strict", 1), ("strict", 1)])).is_err());
    assert_eq!(ledger.datasets().unwrap(), [visits("visits"), visits("claims")]);
    assert_eq!(ledger.dataset("claims").unwrap(), visits("claims"));
    // What is charged to one is not charged to the other.
    release(&mut ledger, "claims", &tiers(&[("strict", 1)])).unwrap();
    assert_eq!(tier_balances(&ledger, "visits")[0].left, Amount::micros(100_000));
}

#[test]
fn datasets_that_make_no_sense_are_refused() {
    let folder = folder();
    let (_, mut ledger) = with_tiers(&folder);
    let tier = |label: &str| (label.to_owned(), Amount::micros(1));
    let neighbors = Neighbors::ReplaceOne;
    for (name, accounts) in [
        ("visits", Accounts::Persons(Lifetime::Own)),
        ("", Accounts::Persons(Lifetime::Own)),
        ("twice", Accounts::Tiers(vec![tier("a"), tier("b"), tier("a")])),
        ("twice", Accounts::Persons(Lifetime::Tiers(vec![tier("a"), tier("a")]))),
        ("none", Accounts::Tiers(Vec::new())),
    ] {
        let refused = ledger.add_dataset(Dataset::new(name, neighbors, accounts)).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::Parameter, "{name}");
    }
    assert_eq!(ledger.datasets().unwrap().len(), 1);
    // Names may hold anything.
    for name in ["a'b\"c", "naïve ☃", "x; DROP TABLE entry"] {
        ledger.add_dataset(visits(name)).unwrap();
        release(&mut ledger, name, &tiers(&[("strict", 1)])).unwrap();
        assert_eq!(ledger.dataset(name).unwrap(), visits(name));
    }
    assert_sound(&ledger.verify().unwrap());
}

#[test]
fn settling_for_something_else_is_refused_and_counts_in_full() {
    let folder = folder();
    let (_, mut ledger) = with_tiers(&folder);
    let tier = |label: &str, micros| (label.to_owned(), Amount::micros(micros).into());
    let wrong = [
        FinalCost::Tiers(vec![tier("strict", 1_001)]),
        FinalCost::Tiers(vec![("strict".into(), Amount::Unlimited.into())]),
        FinalCost::Tiers(vec![tier("strict", 600), tier("strict", 600)]),
        FinalCost::Tiers(vec![tier("strict", 1), tier("relaxed", 1)]),
        FinalCost::Tiers(vec![]),
        FinalCost::Parts(vec![Amount::micros(1).into()]),
    ];
    for (index, spent) in wrong.into_iter().enumerate() {
        let reservation = ledger
            .reserve("visits", &tiers(&[("strict", 1_000)]), &Columns::default(), &plan())
            .unwrap();
        let ((), drawn) = reservation.draw(|_| Ok(())).unwrap();
        assert_eq!(drawn.settle(spent, &plan()).unwrap_err().kind(), ErrorKind::Internal);
        let reserved = Amount::micros(1_000 * (index as u64 + 1));
        assert_eq!(tier_balances(&ledger, "visits")[0].reserved, reserved);
    }
    // Tiers that were charged nothing may be named.
    let ((), drawn) = ledger
        .reserve("visits", &tiers(&[("strict", 1_000)]), &Columns::default(), &plan())
        .unwrap()
        .draw(|_| Ok(()))
        .unwrap();
    drawn.settle(FinalCost::Tiers(vec![tier("relaxed", 0), tier("strict", 0)]), &plan()).unwrap();
    assert_sound(&ledger.verify().unwrap());
}

#[test]
fn a_ledger_with_add_remove_hides_participation() {
    let folder = folder();
    let (_, ledger) = with_persons(&folder, Lifetime::Own, Neighbors::AddRemove);
    assert!(ledger.hides_participation().unwrap());
    let other = crate::common::folder();
    assert!(!with_tiers(&other).1.hides_participation().unwrap());
}

#[test]
fn the_log_can_be_exported() {
    let folder = folder();
    let (_, mut ledger) = with_tiers(&folder);
    release(&mut ledger, "visits", &tiers(&[("strict", 10)])).unwrap();
    let mut text = Vec::new();
    ledger.export(Members::Counted, &mut text).unwrap();
    let lines: Vec<serde_json::Value> = String::from_utf8(text)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let kinds: Vec<_> = lines.iter().map(|line| line["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["ledger", "dataset", "reserve", "settle"]);
    assert_eq!(lines[2]["body"]["tiers"][0], json!({"label": "strict", "charge": 10, "rho": 51}));
    assert_eq!(lines[2]["document"], plan());
    assert_eq!(lines[3]["previous"], lines[2]["hash"]);
}

#[test]
fn a_clock_that_goes_back_is_a_remark() {
    let folder = folder();
    let (_, ledger) = with_tiers(&folder);
    let mut ledger = ledger.with_clock(|| std::time::UNIX_EPOCH);
    release(&mut ledger, "visits", &tiers(&[("strict", 10)])).unwrap();
    let verification = ledger.verify().unwrap();
    assert_sound(&verification);
    assert!(verification.findings.iter().any(|finding| finding.what.contains("clock")));
    assert_eq!(ledger.history("visits").unwrap()[0].at, "1970-01-01T00:00:00Z");
}

#[test]
fn a_purpose_is_kept_and_old_datasets_have_none() {
    let folder = folder();
    let (path, mut ledger) = with_tiers(&folder);
    let with_purpose =
        |name: &str, purpose: &str| Dataset { purpose: Some(purpose.to_owned()), ..visits(name) };
    let refused = ledger.add_dataset(with_purpose("claims", " ")).unwrap_err();
    assert!(refused.to_string().contains("purpose"), "{refused}");
    ledger.add_dataset(with_purpose("claims", "“rates” & more")).unwrap();
    let ledger = Ledger::open(path).unwrap();
    let expected = [visits("visits"), with_purpose("claims", "“rates” & more")];
    assert_eq!(ledger.datasets().unwrap(), expected);
    // An older suum reads what has none.
    let mut lines = Vec::new();
    ledger.export(Members::Counted, &mut lines).unwrap();
    let lines = String::from_utf8(lines).unwrap();
    let has_purpose: Vec<bool> = lines.lines().map(|line| line.contains("purpose")).collect();
    assert_eq!(has_purpose, [false, false, true]);
    assert_sound(&ledger.verify().unwrap());
}
