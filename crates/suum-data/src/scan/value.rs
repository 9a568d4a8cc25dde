//! Column of values that are added up, counted or kept.

use suum_core::{
    Bounds, Categories, Cells, Crosstab, Error, GroupName, Measure, Numbers, Replacement, Result,
    TimeScale, option,
};

use crate::scan::category_rule::CategoryRule;
use crate::scan::groups::GroupColumn;

/// Column of values that are added up, counted or kept.
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
    /// Public constant in place of missing cells; without one they are refused.
    pub missing: Option<f64>,
}

/// A column of numbers of any size, infinite ones included.
#[derive(Debug, Clone, PartialEq)]
pub struct UnboundedColumn {
    /// The name of the column.
    pub column: String,
    /// Public constant in place of missing cells; without one they are refused.
    pub missing: Option<f64>,
    /// Candidates of quantiles, wherever the bounds will be; `None` if none are requested.
    pub cells: Option<Cells>,
}

/// A column of labels, or of numbers that fall into bins.
#[derive(Debug, Clone, PartialEq)]
pub struct CategoryColumn {
    /// The name of the column.
    pub column: String,
    /// The declared categories.
    pub classes: CategoryRule,
    /// The declared category in which missing cells are counted; without one they are refused.
    pub missing: Option<String>,
    /// Second column of a cross table, whose cells are counted. It has labels.
    pub across: Option<Box<Across>>,
}

/// Second column of a cross table.
#[derive(Debug, Clone, PartialEq)]
pub struct Across {
    pub(crate) column: GroupColumn,
    pub(crate) missing: Option<u32>,
    cells: Categories,
}

impl Across {
    /// Second column beside a first one.
    ///
    /// Missing cells of either column are counted in the category `missing`, if it is declared for
    /// that column.
    ///
    /// # Errors
    ///
    /// Refuses what [`Crosstab`] refuses, and bins of the second column.
    ///
    /// # Example
    ///
    /// ```
    /// use suum_data::{Across, CategoryColumn, CategoryRule, GroupColumn, Value};
    ///
    /// let labels = |names: [&str; 2]| {
    ///     CategoryRule::labels(names.map(String::from).to_vec(), None)
    /// };
    /// let (column, classes) = ("region".to_owned(), labels(["north", "south"])?);
    /// let sex = GroupColumn { column: "sex".into(), groups: labels(["f", "m"])? };
    /// let across = Some(Box::new(Across::new(&column, &classes, sex, None)?));
    /// let value = Value::Category(CategoryColumn { column, classes, missing: None, across });
    /// assert_eq!(value.name(), "region, sex");
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    pub fn new(
        first: &str,
        classes: &CategoryRule,
        column: GroupColumn,
        missing: Option<&str>,
    ) -> Result<Self> {
        if !column.groups.are_labels() {
            return Err(Error::request(option::CROSSTAB, "only its first column can have bins")
                .with_fix("name the column of bins first"));
        }
        let labels = [classes, &column.groups].map(|one| one.categories().names().to_vec());
        let crosstab = Crosstab::new([first.to_owned(), column.column.clone()], labels)?;
        let cells = Categories::crossed(crosstab)?;
        let missing = missing.and_then(|name| column.groups.named(name.trim_ascii().as_bytes()));
        // There are at most 65 536 labels.
        Ok(Self { missing: missing.map(|place| place as u32), column, cells })
    }

    /// The second column with its labels.
    pub fn column(&self) -> &GroupColumn {
        &self.column
    }

    /// Position of the category that counts missing cells of the second column, if there is one.
    pub fn missing(&self) -> Option<u32> {
        self.missing
    }

    /// Number of its labels, which is the number of cells in a row of the table.
    pub fn width(&self) -> usize {
        self.column.groups.categories().len()
    }
}

impl CategoryColumn {
    /// Categories that are counted: the labels, or the cells of a cross table.
    pub fn counted_categories(&self) -> &Categories {
        self.across.as_ref().map_or(self.classes.categories(), |across| &across.cells)
    }
}

impl Value {
    /// Replacement for missing cells, if they are not refused.
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

    /// Name of the counted values: that of the column, or those of both columns of a cross table.
    pub fn name(&self) -> String {
        match self.across() {
            Some(across) => {
                GroupName::from_labels([self.column(), across.column.column.as_str()]).to_string()
            }
            None => self.column().to_owned(),
        }
    }

    /// Second column of a cross table.
    pub fn across(&self) -> Option<&Across> {
        match self {
            Self::Category(categories) => categories.across.as_deref(),
            Self::Number(_) | Self::Unbounded(_) => None,
        }
    }

    /// Declared bounds of numbers; the unit interval for shares of categories.
    pub fn bounds(&self) -> Option<Bounds> {
        match self {
            Self::Number(numbers) => Some(numbers.numbers.grid.bounds()),
            Self::Category(_) => Some(Bounds::UNIT),
            Self::Unbounded(_) => None,
        }
    }

    /// Time scale of the values, if they are dates or times.
    #[inline]
    pub fn scale(&self) -> Option<TimeScale> {
        match self {
            Self::Number(numbers) => numbers.numbers.grid.bounds().scale(),
            Self::Category(categories) => categories.classes.scale(),
            Self::Unbounded(_) => None,
        }
    }

    /// Measure of the values in a level table of rows.
    pub(crate) fn measure(&self) -> Measure {
        match self {
            Self::Number(numbers) => Measure::Numbers(numbers.numbers),
            Self::Category(categories) => {
                Measure::Categories(categories.counted_categories().clone())
            }
            Self::Unbounded(_) => Measure::Nothing,
        }
    }

    /// Returns true if a cell is text: a label, a date or a time.
    pub fn is_text(&self) -> bool {
        self.is_label() || self.scale().is_some()
    }

    /// Returns true if a cell is a label, not a number.
    pub fn is_label(&self) -> bool {
        matches!(self, Self::Category(categories) if categories.classes.are_labels())
    }
}
