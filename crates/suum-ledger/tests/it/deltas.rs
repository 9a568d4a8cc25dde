//! δ of releases that find categories.

use suum_core::{Delta, ErrorKind, Neighbors};
use suum_ledger::{Accounts, Columns, Dataset, Ledger, Lifetime, ReservationRecord};
use tempfile::TempDir;

use crate::common::{assert_sound, folder, plan, tiers, visits};

fn delta(text: &str) -> Delta {
    text.parse().unwrap()
}

/// A ledger whose accounts have δ = 10⁻⁶, a tenth of it for releases that find categories.
fn finding(folder: &TempDir) -> Ledger {
    let mut ledger = Ledger::create(folder.path().join("finding.ledger")).unwrap();
    let dataset = visits("visits");
    let with_delta = Dataset { delta: Some(Delta::MILLIONTH), ..dataset };
    ledger.add_dataset(Dataset { finds_categories: true, ..with_delta }).unwrap();
    ledger
}

/// Reserves a release of this δ, and draws it or cancels it.
fn reserve(ledger: &mut Ledger, delta: Option<Delta>, is_drawn: bool) -> suum_core::Result<()> {
    let request = plan();
    let record = ReservationRecord { delta, ..(&request).into() };
    let charges = tiers(&[("strict", 1)]);
    let reservation = ledger.reserve("visits", &charges, &Columns::default(), record)?;
    match is_drawn {
        true => reservation.draw(|_| Ok(())).map(|_| ()),
        false => reservation.cancel(),
    }
}

#[test]
fn deltas_add_up_to_a_tenth_and_no_further() {
    let folder = folder();
    let mut ledger = finding(&folder);
    let spent = |ledger: &Ledger| ledger.delta_of_categories("visits").unwrap().unwrap().spent;
    reserve(&mut ledger, Some(delta("6e-8")), true).unwrap();
    reserve(&mut ledger, None, true).unwrap();
    // A reservation that nothing was drawn for gives its δ back.
    reserve(&mut ledger, Some(delta("4e-8")), false).unwrap();
    assert_eq!(spent(&ledger), 6e-8);
    let refused = reserve(&mut ledger, Some(delta("4.000001e-8")), true).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Budget);
    reserve(&mut ledger, Some(delta("4e-8")), true).unwrap();
    assert_eq!(spent(&ledger), 1e-7);
    let refused = reserve(&mut ledger, Some(delta("1e-30")), true).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Budget);
    let of_records = ledger.history("visits").unwrap();
    let of_records: Vec<_> = of_records.iter().map(|record| record.delta).collect();
    let [six, four] = ["6e-8", "4e-8"].map(|text| Some(delta(text)));
    assert_eq!(of_records, [six, None, four, four]);
    assert_sound(&ledger.verify().unwrap());
}

#[test]
fn accounts_that_divide_no_delta_have_none_for_categories() {
    let folder = folder();
    for (name, delta_of_all) in [("pure", None), ("undivided", Some(Delta::MILLIONTH))] {
        let mut ledger = Ledger::create(folder.path().join(name)).unwrap();
        ledger.add_dataset(Dataset { delta: delta_of_all, ..visits("visits") }).unwrap();
        let refused = reserve(&mut ledger, Some(delta("1e-9")), true).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::Request, "{name}");
        assert_eq!(ledger.delta_of_categories("visits").unwrap(), None);
        // All of it is for the sum of ρ.
        assert_eq!(ledger.dataset("visits").unwrap().delta_of_rho(), delta_of_all);
    }
}

#[test]
fn a_part_of_delta_needs_one_and_replace_one_neighbours() {
    let accounts = Accounts::Persons(Lifetime::Own);
    for (neighbors, delta) in
        [(Neighbors::ReplaceOne, None), (Neighbors::AddRemove, Some(Delta::MILLIONTH))]
    {
        let dataset = Dataset::new("people", neighbors, accounts.clone());
        let dataset = Dataset { delta, finds_categories: true, ..dataset };
        assert_eq!(dataset.check().unwrap_err().kind(), ErrorKind::Parameter);
    }
}

/// What a tenth of δ is for is not there a second time for the sum of ρ.
#[test]
fn the_sum_of_rho_has_nine_tenths() {
    let folder = folder();
    let divided = finding(&folder).dataset("visits").unwrap();
    let undivided = Dataset { finds_categories: false, ..divided.clone() };
    let nine = Dataset { delta: Some(delta("9e-7")), ..undivided.clone() };
    let allowance = |dataset: &Dataset| dataset.allowance("1".parse().unwrap());
    assert_eq!(allowance(&divided), allowance(&nine));
    assert!(allowance(&divided).rho < allowance(&undivided).rho);
}
