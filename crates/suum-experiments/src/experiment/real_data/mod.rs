//! Means of real columns: gain and cost of learning where the values lie.

mod cell;
mod results;

use std::collections::BTreeMap;

use serde::Deserialize;
use suum::{Bounds, Epsilon, Error, Result, Target};

use crate::contest::Contest;
use crate::effort::{Effort, Progress};
use crate::outcome::{Outcome, Panel};
use crate::study::Study;
use cell::{Cell, CellResult, KNOWN};
use results::{curves, findings, table};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Setting {
    records: u64,
    /// Factor of the upper bound.
    generous: f64,
    profiles: Vec<People>,
    columns: Vec<Column>,
}

/// Shares of people by budget.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct People {
    name: String,
    levels: BTreeMap<String, f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Column {
    name: String,
    bounds: [f64; 2],
}

/// Targets of the means, each with the suffix of the names of its panels.
const TARGETS: [(Target, &str); 2] = [(Target::Population, ""), (Target::Dataset, "-dataset")];

pub(super) fn run(effort: &Effort, progress: &Progress) -> Result<Outcome> {
    let study = Study::<Setting>::new(
        include_str!("../../../../../experiments/real-data.toml"),
        effort,
        progress,
    )?;
    let cells = TARGETS.map(|(target, _)| cells(&study.sheet.setting, target));
    let cells = cells.into_iter().collect::<Result<Vec<Vec<Cell>>>>()?;
    study.expect(cells.iter().map(|cells| cells.len() as u64).sum());
    let (mut panels, mut said) = (Vec::new(), Vec::new());
    let mut number = 0;
    for ((target, suffix), cells) in TARGETS.iter().zip(&cells) {
        let found = cells.iter().map(|cell| {
            let found = cell.measure(study.trials, study.seed(number, 0));
            number += 1;
            study.did(1);
            found
        });
        let found = found.collect::<Result<Vec<CellResult>>>()?;
        panels.extend(pictures(&found, suffix));
        said.extend(findings(&found, study.trials, *target));
    }
    Ok(study.outcome("real-data", panels, said, Contest::default()))
}

/// Curves and tables of the results.
fn pictures(found: &[CellResult], suffix: &str) -> [Panel; 5] {
    let name = |name: &str| format!("{name}{suffix}");
    let error = |one: &CellResult, way: usize| one.ways[way].rmse / one.hindsight;
    let width =
        |one: &CellResult, way: usize| one.ways[way].half_width / one.ways[KNOWN].half_width;
    let of_error = "Error over that of the best choice in hindsight";
    let of_width = "Half width over that for a known variance";
    [
        curves(&name("errors"), (of_error, "error / best in hindsight"), found, error),
        curves(&name("intervals"), (of_width, "half width / known variance"), found, width),
        table(&name("cells"), of_error, found, error),
        table(&name("widths"), of_width, found, width),
        table(
            &name("coverage"),
            "How often the 95 % interval held the truth",
            found,
            |one, way| one.ways[way].coverage,
        ),
    ]
}

/// Every column with both bounds, for all people.
fn cells(setting: &Setting, target: Target) -> Result<Vec<Cell>> {
    let values = values()?;
    let mut cells = Vec::new();
    for column in &setting.columns {
        let Some(values) = values.get(&column.name) else {
            return Err(Error::internal("a column of the panel has no values"));
        };
        let [lower, upper] = column.bounds;
        let tight = ("tight", Bounds::new(lower, upper)?);
        let generous = ("generous", Bounds::new(0.0, setting.generous * upper)?);
        for (kind, bounds) in [tight, generous] {
            for people in &setting.profiles {
                cells.push(Cell {
                    name: format!("{}, {kind}, {}", column.name, people.name),
                    values: values.clone(),
                    bounds,
                    budgets: people.budgets(setting.records)?,
                    target,
                });
            }
        }
    }
    Ok(cells)
}

/// Values of all columns.
fn values() -> Result<BTreeMap<String, Vec<f64>>> {
    let malformed = || Error::internal("the columns of the panel are malformed");
    let mut reader =
        csv::Reader::from_reader(&include_bytes!("../../../../../experiments/real-data.csv")[..]);
    let mut columns: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    for row in reader.deserialize::<(String, f64, usize)>() {
        let (name, value, count) = row.map_err(|_| malformed())?;
        columns.entry(name).or_default().extend(std::iter::repeat_n(value, count));
    }
    Ok(columns)
}

impl People {
    /// Budget of each of `records` people, in these shares.
    fn budgets(&self, records: u64) -> Result<Vec<Epsilon>> {
        let mut budgets = Vec::new();
        let mut share = 0.0;
        for (epsilon, part) in &self.levels {
            share += part;
            let upto = (share * records as f64).round() as usize;
            budgets.resize(upto.max(budgets.len()), epsilon.parse()?);
        }
        Ok(budgets)
    }
}

#[cfg(test)]
mod tests {
    use super::cell::profile;
    use super::*;

    #[test]
    fn people_are_as_many_as_stated() {
        let levels = [("0.1", 0.339), ("1", 0.461), ("inf", 0.2)];
        let levels = levels.map(|(epsilon, share)| (epsilon.to_owned(), share)).into();
        let budgets = People { name: String::new(), levels }.budgets(1000).unwrap();
        assert_eq!(profile(&budgets).unwrap().to_string(), "0.1:339,1:461,inf:200");
    }

    #[test]
    fn every_column_has_values_inside_its_bounds() {
        let study: crate::sheet::Sheet<Setting> =
            crate::sheet::Sheet::read(include_str!("../../../../../experiments/real-data.toml"))
                .unwrap();
        let values = values().unwrap();
        assert_eq!(values.len(), study.setting.columns.len());
        for column in &study.setting.columns {
            let bounds = Bounds::new(column.bounds[0], column.bounds[1]).unwrap();
            let values = &values[&column.name];
            assert!(values.len() > 300, "{}", column.name);
            assert!(values.iter().all(|x| bounds.clamp(*x) == *x), "{}", column.name);
        }
    }
}
