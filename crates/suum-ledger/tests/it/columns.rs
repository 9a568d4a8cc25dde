//! Columns that releases protect, and columns that they make public.

use serde_json::json;
use suum_core::{Error, ErrorKind};
use suum_ledger::{Columns, FinalCost, Ledger, Members};

use crate::common::{assert_sound, folder, plan, tiers, visits, with_tiers};

fn columns(values: &[&str], published: &[&str], declared: &[&str]) -> Columns {
    let set = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    Columns { values: set(values), published: set(published), declared: set(declared) }
}

/// Releases, and says what was refused.
fn release(ledger: &mut Ledger, columns: &Columns) -> Result<(), Error> {
    let charges = tiers(&[("strict", 10)]);
    let ((), drawn) =
        ledger.reserve("visits", &charges, columns, &plan())?.draw(|_| Ok(())).unwrap();
    drawn.settle(FinalCost::AsReserved, &plan()).map(|_| ())
}

#[test]
fn what_is_protected_is_not_published() {
    let folder = folder();
    let (path, mut ledger) = with_tiers(&folder);
    release(&mut ledger, &columns(&["health"], &["tier"], &[])).unwrap();
    // As group, tier, budget or person, at a cost or at none, in whatever case.
    for name in ["health", "Health", " health "] {
        for refused in [
            release(&mut ledger, &columns(&["visits"], &[name], &[])).unwrap_err(),
            ledger.publish("visits", &columns(&[], &["tier", name], &[]), &plan()).unwrap_err(),
            ledger.check_columns("visits", &columns(&[], &[name], &[])).unwrap_err(),
        ] {
            assert_eq!(refused.kind(), ErrorKind::Request);
            let said = refused.to_string();
            assert!(said.starts_with(&format!("column {name}: ")), "{said}");
            assert!(said.contains("protected since entry 3"), "{said}");
            let hint = refused.fix().unwrap().to_string();
            assert!(hint.contains(&format!("public_columns={name}")), "{hint}");
        }
    }
    // Nothing was written down; released again it may be.
    assert_eq!(ledger.verify().unwrap().entries, 4);
    release(&mut ledger, &columns(&["health"], &["tier"], &[])).unwrap();
    // Of another dataset it is another column.
    ledger.add_dataset(visits("claims")).unwrap();
    ledger.publish("claims", &columns(&[], &["health"], &[]), &plan()).unwrap();
    // What is declared public stays so.
    ledger.publish("visits", &columns(&[], &["health"], &["health"]), &plan()).unwrap();
    let mut ledger = Ledger::open(&path).unwrap();
    release(&mut ledger, &columns(&["visits"], &["health", "tier"], &[])).unwrap();
    release(&mut ledger, &columns(&["health"], &["tier"], &[])).unwrap();
    let found = ledger.columns("visits").unwrap();
    assert_eq!(found, columns(&["health", "visits"], &["health", "tier"], &["health"]));
    assert_sound(&ledger.verify().unwrap());
}

#[test]
fn what_was_published_is_not_protected() {
    let folder = folder();
    let (_, mut ledger) = with_tiers(&folder);
    let counts = columns(&[], &["tier", "region"], &[]);
    for _ in 0..2 {
        // Once is enough.
        ledger.publish("visits", &counts, &json!({"command": ["count"]})).unwrap();
        assert_eq!(ledger.verify().unwrap().entries, 3);
    }
    for name in ["region", "TIER"] {
        let refused = release(&mut ledger, &columns(&[name], &["tier"], &[])).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::Request);
        assert!(refused.fix().is_some(), "{refused}");
    }
    let refused = release(&mut ledger, &columns(&["region"], &[], &[])).unwrap_err();
    assert!(refused.to_string().contains("person of entry 3,"), "{refused}");
    release(&mut ledger, &columns(&["region"], &[], &["region"])).unwrap();
    // In one release a column cannot be both.
    let both = columns(&["age"], &["Age"], &[]);
    assert_eq!(both.check().unwrap_err().kind(), ErrorKind::Request);
    assert_eq!(release(&mut ledger, &both).unwrap_err(), both.check().unwrap_err());
    release(&mut ledger, &columns(&["age"], &["age"], &["age"])).unwrap();
    // Values are never free.
    let free = ledger.publish("visits", &columns(&["visits"], &[], &[]), &plan());
    assert_eq!(free.unwrap_err().kind(), ErrorKind::Internal);
    assert_sound(&ledger.verify().unwrap());
}

#[test]
fn what_was_cancelled_used_nothing() {
    let folder = folder();
    let (_, mut ledger) = with_tiers(&folder);
    let charges = tiers(&[("strict", 10)]);
    let mistaken = columns(&["tier"], &["health"], &["age"]);
    let reservation = ledger.reserve("visits", &charges, &mistaken, &plan()).unwrap();
    reservation.cancel().unwrap();
    assert_eq!(ledger.columns("visits").unwrap(), Columns::default());
    release(&mut ledger, &columns(&["health"], &["tier"], &[])).unwrap();
    // What is open may have been made, and so it counts.
    let open = columns(&["age"], &["tier"], &[]);
    drop(ledger.reserve("visits", &charges, &open, &plan()).unwrap());
    release(&mut ledger, &columns(&["visits"], &["age"], &[])).unwrap_err();
    assert_sound(&ledger.verify().unwrap());
}

#[test]
fn columns_are_in_the_log() {
    let folder = folder();
    let (_, mut ledger) = with_tiers(&folder);
    release(&mut ledger, &columns(&["health"], &["tier"], &["region"])).unwrap();
    ledger.publish("visits", &columns(&[], &["sex"], &[]), &json!({"command": ["count"]})).unwrap();
    let mut text = Vec::new();
    ledger.export(Members::Counted, &mut text).unwrap();
    let lines = String::from_utf8(text).unwrap();
    let lines: Vec<serde_json::Value> =
        lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let used = json!({"values": ["health"], "published": ["tier"], "declared": ["region"]});
    assert_eq!((&lines[2]["kind"], &lines[2]["body"]["columns"]), (&json!("reserve"), &used));
    let used = json!({"values": [], "published": ["sex"], "declared": []});
    assert_eq!((&lines[4]["kind"], &lines[4]["body"]["columns"]), (&json!("publish"), &used));
    assert_eq!(lines[4]["document"], json!({"command": ["count"]}));
}
