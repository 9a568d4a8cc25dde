//! Values, and [`Grid`], the only way by which they become integers.

mod bounds;
mod categories;
mod cell_blocks;
mod cells;
mod crosstab;
mod float_order;
pub(crate) mod found_law;
mod grid;
mod person_value;
mod rank;
mod replacement;
mod time_scale;
mod value_moments;

pub use bounds::Bounds;
pub use categories::Categories;
pub use cell_blocks::CellBlocks;
pub use cells::Cells;
pub use crosstab::Crosstab;
pub use float_order::{FloatOrder, Key};
pub use grid::Grid;
pub use person_value::PersonValue;
pub use rank::Rank;
pub use replacement::Replacement;
pub use time_scale::TimeScale;
pub use value_moments::ValueMoments;
