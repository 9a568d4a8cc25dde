//! Two columns of categories, counted together.

use serde::{Deserialize, Serialize};

use crate::error::{for_example, option};
use crate::{Categories, Error, GroupName, Result};

/// Table of two columns of categories: a cell for each pair of their labels.
///
/// Its cells are the [categories](Categories::crossed) of one frequency. A margin is the share of a
/// label of one column, which is the sum of its cells.
///
/// # Example
///
/// ```
/// use suum_core::Crosstab;
///
/// let labels = [["north", "south"], ["f", "m"]].map(|names| names.map(String::from).to_vec());
/// let crosstab = Crosstab::new(["region".into(), "sex".into()], labels)?;
/// let names: Vec<String> = crosstab.cells().map(|cell| cell.to_string()).collect();
/// assert_eq!(names, ["north, f", "north, m", "south, f", "south, m"]);
/// let [region, sex] = crosstab.margins(&[1.0, 2.0, 3.0, 4.0]);
/// assert_eq!((region, sex), (vec![3.0, 7.0], vec![4.0, 6.0]));
/// # Ok::<(), suum_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "CrosstabFields")]
pub struct Crosstab {
    columns: [String; 2],
    labels: [Vec<String>; 2],
}

/// Unvalidated table as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CrosstabFields {
    columns: [String; 2],
    labels: [Vec<String>; 2],
}

impl TryFrom<CrosstabFields> for Crosstab {
    type Error = Error;

    fn try_from(CrosstabFields { columns, labels }: CrosstabFields) -> Result<Self> {
        Self::new(columns, labels)
    }
}

impl Crosstab {
    /// Returns the table of these columns, each with its labels in the order declared.
    ///
    /// # Errors
    ///
    /// Refuses equal or empty columns, labels of a column that are no [`Categories`], and more than
    /// [`Categories::MOST`] cells.
    pub fn new(columns: [String; 2], labels: [Vec<String>; 2]) -> Result<Self> {
        let [one, other] = columns.each_ref().map(|column| column.trim_ascii());
        if one.is_empty() || one == other {
            return Err(Error::parameter(option::CROSSTAB, "it is a table of two columns")
                .with_fix(for_example(option::CROSSTAB, "region,sex")));
        }
        labels.iter().try_for_each(|labels| Categories::new(labels.clone()).map(|_| ()))?;
        if labels[0].len().saturating_mul(labels[1].len()) > Categories::MOST {
            return Err(Error::parameter(option::CROSSTAB, "there are more than 65536 cells")
                .with_fix("merge rare categories of one of the columns"));
        }
        Ok(Self { columns, labels })
    }

    /// The names of both columns: that of the rows of the table first.
    pub fn columns(&self) -> &[String; 2] {
        &self.columns
    }

    /// The labels of both columns.
    pub fn labels(&self) -> &[Vec<String>; 2] {
        &self.labels
    }

    /// The names of both columns as one.
    pub fn name(&self) -> GroupName {
        GroupName::from_labels(self.columns.iter().map(String::as_str))
    }

    /// The labels of every cell, row by row.
    pub fn cells(&self) -> impl Iterator<Item = GroupName> + '_ {
        let [rows, columns] = &self.labels;
        rows.iter()
            .flat_map(|row| columns.iter().map(move |column| GroupName::from_labels([row, column])))
    }

    /// Returns the sums of cells for each label of the first column, and for each of the second.
    /// Cells are in the order of rows.
    pub fn margins(&self, cells: &[f64]) -> [Vec<f64>; 2] {
        let width = self.labels[1].len();
        let rows = cells.chunks(width).map(|row| row.iter().sum());
        let columns = (0..width).map(|at| cells.iter().skip(at).step_by(width).sum());
        [rows.collect(), columns.collect()]
    }

    /// Returns the number of cells that a margin of each column adds up.
    pub(crate) fn cells_of_margins(&self) -> [usize; 2] {
        [self.labels[1].len(), self.labels[0].len()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn crosstab(columns: [&str; 2], labels: [&str; 2]) -> Result<Crosstab> {
        let labels = labels.map(|labels| labels.split(' ').map(str::to_owned).collect());
        Crosstab::new(columns.map(str::to_owned), labels)
    }

    #[test]
    fn refuses_what_makes_no_table() {
        let many = (0..300).map(|label| label.to_string()).collect::<Vec<_>>().join(" ");
        for (columns, labels) in [
            (["a", "a "], ["x y", "x y"]),
            (["", "a"], ["x y", "x y"]),
            (["a", "b"], ["x", "x y"]),
            (["a", "b"], ["x y", "x x"]),
            (["a", "b"], [&many, &many]),
        ] {
            assert!(crosstab(columns, labels).is_err(), "{columns:?}");
        }
        assert!(crosstab(["a", "b"], ["x y", "x y"]).is_ok());
    }

    #[test]
    fn what_is_written_is_read_and_checked() {
        let table = crosstab(["a", "b"], ["x y", "u v w"]).unwrap();
        let text = serde_json::to_string(&table).unwrap();
        assert_eq!(serde_json::from_str::<Crosstab>(&text).unwrap(), table);
        assert!(serde_json::from_str::<Crosstab>(&text.replace("\"v\"", "\"u\"")).is_err());
    }
}
