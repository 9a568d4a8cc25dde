//! A missing privacy choice counts as what was said to stand in its place.

use std::sync::Arc;

use arrow_array::types::Int8Type;
use arrow_array::{ArrayRef, DictionaryArray, Float64Array, RecordBatch, StringArray};
use suum_core::{LevelTable, Result};
use suum_data::{
    Progress, Scan, Slice, Slices, scan_batches, scan_csv, scan_groups_csv, scan_slices,
};

use crate::common::{SECRET, budgets, like, tiers, value};

const DECLARED: &str = "strict=0.1,open=1,none=0";

fn scan_of_tiers(choice: Option<&str>) -> Scan {
    let missing_choice = choice.map(str::to_owned);
    Scan { missing_choice, ..Scan::new(tiers("c", DECLARED), value("x")) }
}

fn scan_of_budgets(choice: Option<&str>) -> Scan {
    let missing_choice = choice.map(str::to_owned);
    Scan { missing_choice, ..Scan::new(budgets("c"), value("x")) }
}

fn csv(text: &str, scan: &Scan) -> Result<LevelTable> {
    scan_csv(text.as_bytes(), scan, &Progress::default())
}

/// Tables of the records in several forms; the choice of the second record is missing.
fn scan_all_forms(choices: [Option<&str>; 3], scan: &Scan) -> Vec<Result<LevelTable>> {
    let x: ArrayRef = Arc::new(Float64Array::from(vec![1.0, 2.0, 3.0]));
    let batch = |choice: ArrayRef| {
        let columns = [("x", Arc::clone(&x), true), ("c", choice, true)];
        let batch = RecordBatch::try_from_iter_with_nullable(columns).unwrap();
        scan_batches([Ok(batch)], scan, &Progress::default())
    };
    let cells = choices.map(Option::unwrap_or_default);
    let rows = |mark: &str| {
        let rows = cells.iter().zip(1..).map(|(cell, x)| format!("{x},{mark}{cell}{mark}\n"));
        format!("x,c\n{}", rows.collect::<String>())
    };
    vec![
        csv(&rows(""), scan),
        csv(&rows("\""), scan),
        batch(Arc::new(StringArray::from(choices.to_vec()))),
        batch(Arc::new(choices.into_iter().collect::<DictionaryArray<Int8Type>>())),
    ]
}

#[test]
fn a_missing_choice_is_replaced_in_every_form() {
    for place in ["strict", "open", "none", " open "] {
        let choices = |second| [Some("open"), second, Some("strict")];
        let expected =
            scan_all_forms(choices(Some(place)), &scan_of_tiers(None)).remove(0).unwrap();
        for found in scan_all_forms(choices(None), &scan_of_tiers(Some(place))) {
            assert_eq!(found.unwrap(), expected, "{place}");
        }
        let at = ["strict", "open", "none"].iter().position(|label| *label == place.trim());
        let positions = |second: u32| {
            let positions = [1, second, 0];
            let slices = Slices::new()
                .with("x", Slice::Numbers(&[1.0, 2.0, 3.0]))
                .and_then(|slices| slices.with("c", Slice::Positions(&positions)))
                .unwrap();
            scan_slices(&slices, &scan_of_tiers(Some(place)), &Progress::default())
        };
        assert_eq!(positions(u32::MAX).unwrap(), positions(at.unwrap() as u32).unwrap());
        assert!(positions(3).unwrap_err().to_string().contains("not declared"));
    }
    for place in ["0", "0.25", "inf", "1"] {
        let choices = |second| [Some("1"), second, Some("0.1")];
        let expected =
            scan_all_forms(choices(Some(place)), &scan_of_budgets(None)).remove(0).unwrap();
        for found in scan_all_forms(choices(None), &scan_of_budgets(Some(place))) {
            assert_eq!(found.unwrap(), expected, "{place}");
        }
        let numbers = |second: f64| {
            let numbers = [1.0, second, 0.1];
            let slices = Slices::new()
                .with("x", Slice::Numbers(&[1.0, 2.0, 3.0]))
                .and_then(|slices| slices.with("c", Slice::Numbers(&numbers)))
                .unwrap();
            scan_slices(&slices, &scan_of_budgets(Some(place)), &Progress::default())
        };
        assert_eq!(numbers(f64::NAN).unwrap(), expected);
    }
}

#[test]
fn more_budgets_than_have_codes_are_read_alike() {
    let rows: String = (1..100).map(|row| format!("{row},0.{row:03}\n")).collect();
    let with = |cell: &str| format!("x,c\n{rows}3,{cell}\n{rows}");
    let scan = scan_of_budgets(Some("0"));
    assert_eq!(csv(&with(""), &scan).unwrap(), csv(&with("0"), &scan).unwrap());
}

#[test]
fn a_person_counts_at_the_least_of_their_rows() {
    let by_person = |scan: Scan| Scan { person: Some("id".into()), ..scan };
    let text = |cell: &str| format!("id,x,c\na,1,open\na,2,{cell}\nb,3,strict\n");
    let scan = by_person(scan_of_tiers(Some("none")));
    assert_eq!(csv(&text(""), &scan).unwrap(), csv(&text("none"), &scan).unwrap());
}

#[test]
fn without_it_a_missing_choice_is_refused() {
    for found in scan_all_forms([Some("open"), None, Some("strict")], &scan_of_tiers(None)) {
        let refused = found.unwrap_err();
        assert_eq!(refused.to_string(), "column c, row 2: missing privacy choice");
        assert!(refused.fix().unwrap().to_string().contains("missing_consent"));
    }
    let text = format!("x,c\n1,\n2,{SECRET}\n");
    let refused = csv(&text, &scan_of_tiers(Some("open"))).unwrap_err();
    assert_eq!(refused.to_string(), "column c, row 2: the tier is not declared");
    for scan in
        [scan_of_tiers(Some("other")), scan_of_tiers(Some("")), scan_of_budgets(Some("some"))]
    {
        let refused = csv("x,c\n1,1\n", &scan).unwrap_err();
        assert!(refused.to_string().starts_with("missing_consent: "), "{refused}");
        let refused = scan_groups_csv(&b"x,c\n"[..], &like(&scan), &Progress::default());
        assert!(refused.is_err());
    }
}
