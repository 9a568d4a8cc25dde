//! Data of people that suum does not ship.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use suum::{Error, Place, Result, simulation::Dice};

/// Files in place of stand-ins, for users who have them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Files {
    /// Salaries of the University of California (2022): a CSV and its column of pay.
    pub salaries: Option<(PathBuf, String)>,
    /// New cancers in Colorado (2020): a CSV and its column of types, a row for each case.
    pub cancers: Option<(PathBuf, String)>,
}

/// Pay above which all count alike.
const TOP: f64 = 360_000.0;
/// Number of types of cancer that are distinguished, the most frequent ones; the last is all
/// others.
const TYPES: usize = 10;

impl Files {
    /// Pay of `size` employees drawn at random, as a share of the top.
    pub(crate) fn salaries(&self, size: usize, dice: &mut Dice) -> Result<Option<Vec<f64>>> {
        let Some((path, column)) = &self.salaries else { return Ok(None) };
        let mut pays = Vec::new();
        for (row, cell) in (1..).zip(cells("salaries", path, column)?) {
            // Accepts amounts such as "$61,234.56".
            let digits: String = cell.chars().filter(|c| !matches!(c, '$' | ',' | ' ')).collect();
            let pay = digits.parse().ok().filter(|pay: &f64| pay.is_finite()).ok_or_else(|| {
                Error::data(format!("column {column}, row {row}"), "not a number")
                    .with_fix("name the column of pay with --salary-column")
            })?;
            pays.push((pay / TOP).clamp(0.0, 1.0));
        }
        if pays.len() < size {
            return Err(Error::data("salaries", format!("there are fewer than {size} rows"))
                .with_fix("give the whole file of a year"));
        }
        // Fisher and Yates, the first of them.
        for position in 0..size {
            let other = position + dice.below(pays.len() - position);
            pays.swap(position, other);
        }
        pays.truncate(size);
        Ok(Some(pays))
    }

    /// Type of every case, the most frequent first, and the number of types.
    pub(crate) fn cancers(&self) -> Result<Option<(Vec<usize>, usize)>> {
        let Some((path, column)) = &self.cancers else { return Ok(None) };
        let cells = cells("cancers", path, column)?;
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for cell in &cells {
            *counts.entry(cell).or_default() += 1;
        }
        if counts.len() < 2 {
            return Err(Error::data(Place::column(column), "there are fewer than two types")
                .with_fix("name the column of types with --cancer-column"));
        }
        let mut types: Vec<(&str, usize)> = counts.into_iter().collect();
        types.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        let position = |cell: &String| {
            let found = types.iter().position(|(name, _)| name == cell);
            found.unwrap_or(TYPES).min(TYPES - 1)
        };
        let found = types.len().min(TYPES);
        Ok(Some((cells.iter().map(position).collect(), found)))
    }
}

/// Column of a CSV with a header.
fn cells(parameter: &str, path: &Path, column: &str) -> Result<Vec<String>> {
    let unreadable = |_| {
        Error::io(parameter.to_owned(), "the file cannot be read as CSV with a header")
            .with_fix("check the path, and that the text is UTF-8")
    };
    let mut reader = csv::Reader::from_path(path).map_err(unreadable)?;
    let header = reader.headers().map_err(unreadable)?;
    let position = header.iter().position(|name| name.trim() == column).ok_or_else(|| {
        Error::data(parameter.to_owned(), format!("there is no column {column}"))
            .with_fix("name it as in the header of the file")
    })?;
    reader
        .records()
        .map(|record| {
            record.map(|record| record.get(position).unwrap_or_default().trim().to_owned())
        })
        .collect::<std::result::Result<_, _>>()
        .map_err(unreadable)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_read_as_they_are_published() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pay.csv");
        std::fs::write(&path, "Name,Gross Pay\na,\"$36,000.00\"\nb,720000\nc,0\n").unwrap();
        let files = Files {
            salaries: Some((path.clone(), "Gross Pay".into())),
            cancers: Some((path.clone(), "Name".into())),
        };
        let mut pays = files.salaries(3, &mut Dice::new(1, 0)).unwrap().unwrap();
        pays.sort_by(f64::total_cmp);
        assert_eq!(pays, [0.0, 0.1, 1.0]);
        assert!(files.salaries(4, &mut Dice::new(1, 0)).is_err(), "too few rows");
        assert_eq!(files.cancers().unwrap(), Some((vec![0, 1, 2], 3)));

        let wrong = Files { salaries: Some((path, "Name".into())), cancers: None };
        let refused = wrong.salaries(3, &mut Dice::new(1, 0)).unwrap_err();
        assert_eq!(refused.to_string(), "column Name, row 1: not a number");
    }
}
