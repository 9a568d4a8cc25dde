//! People whose values and budgets are in memory.

use suum::{LevelTable, Numbers, PrivacyColumn, Result, Scan, Slice, Slices, Value, ValueColumn};

/// Level table of people in memory.
pub(super) fn table(budgets: &[f64], values: &[f64], numbers: Numbers) -> Result<LevelTable> {
    let people = Slices::new()
        .with("value", Slice::Numbers(values))?
        .with("epsilon", Slice::Numbers(budgets))?;
    let column = ValueColumn { column: "value".into(), numbers, missing: None };
    let scan =
        Scan::new(PrivacyColumn::Budgets { column: "epsilon".into() }, Some(Value::Number(column)));
    suum::scan_slices(&people, &scan, &suum::Progress::default())
}
