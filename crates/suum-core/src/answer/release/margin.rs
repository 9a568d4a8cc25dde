//! Margins of a table of two columns.

use super::Estimate;
use crate::Categories;

/// Shares of the labels of one column of a [table](crate::Crosstab): each is the sum of its cells,
/// as these are published.
#[derive(Debug, Clone, PartialEq)]
pub struct Margin {
    /// Name of the column.
    pub column: String,
    /// Share of each of its labels, with its own interval. It does not follow from the intervals of
    /// cells, because the noises of cells partly cancel.
    pub shares: Vec<Estimate>,
}

impl Margin {
    /// Returns both margins of cells; empty if categories are not the cells of a table. `shares`
    /// makes estimates from noisy and published shares, names, and the number of cells in each
    /// share.
    pub(crate) fn from_cells(
        categories: &Categories,
        noisy: &[f64],
        published: &[f64],
        shares: impl Fn(&[f64], &[f64], &[String], usize) -> Vec<Estimate>,
    ) -> Vec<Self> {
        let Some(crosstab) = categories.crosstab() else { return Vec::new() };
        let sums = crosstab.margins(noisy).into_iter().zip(crosstab.margins(published));
        let named = crosstab.columns().iter().zip(crosstab.labels());
        let margins = named.zip(crosstab.cells_of_margins()).zip(sums);
        let margins = margins.map(|(((column, labels), cells), (noisy, published))| Self {
            column: column.clone(),
            shares: shares(&noisy, &published, labels, cells),
        });
        margins.collect()
    }
}
