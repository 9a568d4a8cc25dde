//! Results of all cells: panels and sentences.

use suum::Target;

use super::super::coverage::least_coverage;
use super::super::quantile::quantile;
use super::cell::{CellResult, DEFAULT, KNOWN, WAYS};
use crate::outcome::{Axis, Chart, Entry, Finding, Panel, Series, Table};
use crate::value_with_error::ValueWithError;

/// Curves of a figure of each method over the share of cells that have at most it.
pub(super) fn curves(
    name: &str,
    (caption, label): (&str, &str),
    found: &[CellResult],
    of: impl Fn(&CellResult, usize) -> f64,
) -> Panel {
    let series = WAYS.iter().enumerate().map(|(way, (title, role))| {
        let mut all: Vec<f64> = found.iter().map(|one| of(one, way)).collect();
        all.sort_by(f64::total_cmp);
        let share = |at: usize| 100.0 * (at as f64 + 0.5) / found.len() as f64;
        let points = all.iter().enumerate().map(|(at, y)| (share(at), ValueWithError::exact(*y)));
        Series { name: (*title).to_owned(), role: *role, points: points.collect() }
    });
    Panel::Chart(Chart {
        name: name.to_owned(),
        caption: format!("{caption}, in ascending order over all cells"),
        x: Axis::linear("cells with no more, in per cent"),
        y: Axis::logarithmic(label),
        series: series.collect(),
        marks: Vec::new(),
    })
}

pub(super) fn table(
    name: &str,
    caption: &str,
    found: &[CellResult],
    of: impl Fn(&CellResult, usize) -> f64,
) -> Panel {
    let row = |one: &CellResult| {
        let entry =
            |way| Entry { published: None, ours: Some(ValueWithError::exact(of(one, way))) };
        (one.name.clone(), (0..WAYS.len()).map(entry).collect())
    };
    Panel::Table(Table {
        name: name.to_owned(),
        caption: caption.to_owned(),
        corner: "column, bounds, people".to_owned(),
        columns: WAYS.iter().map(|(name, role)| ((*name).to_owned(), *role)).collect(),
        rows: found.iter().map(row).collect(),
    })
}

/// Findings, for the mean of a population or of the records themselves.
pub(super) fn findings(found: &[CellResult], trials: usize, target: Target) -> Vec<Finding> {
    let target = target.name();
    let ratios = |way: usize| -> Vec<f64> {
        found.iter().map(|one| one.ways[way].rmse / one.hindsight).collect()
    };
    let widths = |way: usize| -> Vec<f64> {
        found.iter().map(|one| one.ways[way].half_width / one.ways[KNOWN].half_width).collect()
    };
    let mut findings: Vec<Finding> = WAYS
        .iter()
        .enumerate()
        .map(|(way, (name, _))| {
            Finding::new(format!(
                "{target}, {name}: {:.2} times the error of the best choice in hindsight in the \
                 median, {:.2} times in nine cells of ten; intervals {:.2} and {:.2} times those \
                 for a known variance.",
                quantile(ratios(way), 0.5),
                quantile(ratios(way), 0.9),
                quantile(widths(way), 0.5),
                quantile(widths(way), 0.9),
            ))
        })
        .collect();
    let least = least_coverage(found.len(), trials);
    let missed: Vec<&str> = found
        .iter()
        .filter(|one| one.ways[DEFAULT].coverage < least)
        .map(|one| one.name.as_str())
        .collect();
    findings.push(Finding::check(
        missed.is_empty(),
        match &missed[..] {
            [] => {
                format!("{target}: No interval of the default covers significantly less than 95 %.")
            }
            cells => {
                format!("{target}: The default covers significantly less in: {}.", cells.join("; "))
            }
        },
    ));
    let worse = found.iter().filter(|one| one.ways[DEFAULT].rmse > 1.2 * one.ways[0].rmse);
    let worse: Vec<&str> = worse.map(|one| one.name.as_str()).collect();
    findings.push(Finding::new(match &worse[..] {
        [] => format!(
            "{target}: In no cell has the default more than 1.2 times the error of the worst \
             case's way."
        ),
        cells => format!(
            "{target}: The default has more than 1.2 times the error of the worst case's way in {} \
             of {} cells: {}.",
            cells.len(),
            found.len(),
            cells.join("; ")
        ),
    }));
    findings
}
