//! The margins of a table of two columns.

use super::Estimate;
use crate::Categories;

/// The shares of the labels of one column of a [table](crate::Crosstab): each is the sum of its
/// cells, as these are published.
#[derive(Debug, Clone, PartialEq)]
pub struct Margin {
    /// The name of the column.
    pub column: String,
    /// The share of each of its labels, with an interval of its own: noise of some cells goes
    /// against that of others, so the intervals of cells do not tell it.
    pub shares: Vec<Estimate>,
}

impl Margin {
    /// Both margins of cells, or none where categories are no cells of a table. `shares` makes
    /// estimates of noisy and of published shares, of names, each of so many cells together.
    pub(crate) fn of(
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
