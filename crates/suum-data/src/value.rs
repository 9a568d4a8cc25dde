//! The column of values: what is added up, counted or kept.

use suum_core::{Bounds, Cells, Measure, Numbers, Replacement, TimeScale};

use crate::classes::Classes;

/// The column of values: what is added up or counted.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// Numbers, whose grid indices are added up.
    Number(ValueColumn),
    /// Categories, whose records are counted.
    Category(CategoryColumn),
    /// Numbers without declared bounds, which are kept for a [`keep`](crate::keep).
    Unbounded(UnboundedColumn),
}

/// A column of numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct ValueColumn {
    /// The name of the column.
    pub column: String,
    /// The grid over the declared bounds, and what is added up.
    pub numbers: Numbers,
    /// The public constant that stands for missing cells; without one they are refused.
    pub missing: Option<f64>,
}

/// A column of numbers of any size, infinite ones included.
#[derive(Debug, Clone, PartialEq)]
pub struct UnboundedColumn {
    /// The name of the column.
    pub column: String,
    /// The public constant that stands for missing cells; without one they are refused.
    pub missing: Option<f64>,
    /// The candidates of quantiles, wherever the bounds will be; `None` if none are asked for.
    pub cells: Option<Cells>,
}

/// A column of labels, or of numbers that fall into bins.
#[derive(Debug, Clone, PartialEq)]
pub struct CategoryColumn {
    /// The name of the column.
    pub column: String,
    /// The declared categories.
    pub classes: Classes,
    /// The declared category in which missing cells are counted; without one they are refused.
    pub missing: Option<String>,
}

impl Value {
    /// What stands in place of missing cells, if they are not refused.
    pub fn replacement(&self) -> Option<Replacement> {
        match self {
            Self::Number(ValueColumn { missing, .. })
            | Self::Unbounded(UnboundedColumn { missing, .. }) => missing.map(Replacement::Number),
            Self::Category(column) => {
                let name = column.missing.as_deref().map(str::trim_ascii);
                name.map(|name| Replacement::Category(name.to_owned()))
            }
        }
    }

    /// The name of the column.
    pub fn column(&self) -> &str {
        match self {
            Self::Number(numbers) => &numbers.column,
            Self::Category(categories) => &categories.column,
            Self::Unbounded(numbers) => &numbers.column,
        }
    }

    /// The declared bounds of numbers; the unit interval for shares of categories.
    pub fn bounds(&self) -> Option<Bounds> {
        match self {
            Self::Number(numbers) => Some(numbers.numbers.grid.bounds()),
            Self::Category(_) => Some(Bounds::UNIT),
            Self::Unbounded(_) => None,
        }
    }

    /// In what dates or times count, if values are some.
    #[inline]
    pub fn scale(&self) -> Option<TimeScale> {
        match self {
            Self::Number(numbers) => numbers.numbers.grid.bounds().scale(),
            Self::Category(categories) => categories.classes.scale(),
            Self::Unbounded(_) => None,
        }
    }

    /// What is added up.
    pub fn measure(&self) -> Measure {
        match self {
            Self::Number(numbers) => Measure::Numbers(numbers.numbers),
            Self::Category(categories) => {
                Measure::Categories(categories.classes.categories().clone())
            }
            Self::Unbounded(_) => Measure::Nothing,
        }
    }

    /// Whether a cell is text: a label, a date or a time.
    pub fn is_text(&self) -> bool {
        self.is_label() || self.scale().is_some()
    }

    /// Whether a cell is text that is looked up, and not a number.
    pub fn is_label(&self) -> bool {
        matches!(self, Self::Category(categories) if categories.classes.are_labels())
    }
}
