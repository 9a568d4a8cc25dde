//! The level-table file: JSON with raw sums, written only on request.
//!
//! ```json
//! {"format":"suum-levels","version":1,"warning":"raw sums: not private",
//!  "column":"visits","bounds":[0.0,77.0],"grid":1073741824,"records":3,
//!  "levels":[{"level":"strict","epsilon":0.1,"count":2,"sum":"41834292"},
//!            {"level":"public","epsilon":"inf","count":1,"sum":"125502876"}]}
//! ```
//!
//! `sum` is a decimal string, because it can exceed every JSON number type; integers are read too.
//! `level` is absent for numeric budgets, and `column`, `bounds`, `grid` and `sum` where no value
//! was read. Where categories were counted, their names and numbers of records stand in place of
//! `bounds`, `grid` and `sum`:
//!
//! ```json
//! {"format":"suum-levels","version":1,"warning":"raw sums: not private",
//!  "column":"health","categories":["good","fair"],"records":3,
//!  "levels":[{"epsilon":0.1,"count":3,"counts":["2","1"]}]}
//! ```
//!
//! Numbers can be asked for more than sums. `"squares":true` says that each level has Σ(2g − G)²
//! over its grid indices g, and `"cells":K` that it lists the candidates 0..K of a quantile at
//! which it has rows, in ascending order, each with their number, as an integer; a record has
//! `rows` rows, 1 unless it says so. `person` names the column that tells persons apart, where a
//! record is a person and not a row of the data; only then can `rows` exceed 1. `missing` is the
//! constant, or the category, that stands in place of missing values, if any does; it is "exclude"
//! where records without a value were left out:
//!
//! ```json
//! {"format":"suum-levels","version":1,"warning":"raw sums: not private",
//!  "column":"visits","bounds":[0.0,77.0],"grid":1073741824,"squares":true,"cells":77,"rows":2,
//!  "person":"id","records":1,
//!  "levels":[{"epsilon":0.1,"count":1,"sum":"41834292","squares":"980245020564097600",
//!             "cells":[[2,1],[4,1]]}]}
//! ```
//!
//! `"cell_sums":true` says that what lies at each of the cells was added up as well, from which a
//! mean learns where the values lie: a level then has `cell_sums`, a pair [Σ g, Σ(2g − G)²] of
//! decimal strings for each of its `cells`, in their order. There are squares then, and no `rows`:
//! a person counts once, in the cell of their number.
//!
//! `"totals":true` says that a person counts with the total of their rows and that the bounds are
//! those of such a total, and `"per_person"` (`mean`, `median`, `min` or `max`) that a person
//! counts with that number, at cells too. Without either a person counts with the mean of their
//! rows, and at cells that have no sums with `rows` of their rows, spread evenly by rank. Of
//! categories it is `mode`, the category that most of their rows are in, as it also is without a
//! word; or `share`: the `counts` are then in steps of 2^-20 of a person.
//!
//! `"query"` says that a query has made the rows, and whether it was looked at (`"screened"`) or
//! somebody has said that it is row-wise (`"trusted"`). `"where"` is the condition that is true
//! of all rows that were read, as [`Filter`](crate::Filter) writes it.

//!
//! With `"group_by"`, a column, and `"groups"`, the declared ones in their order, there is a table
//! for each group: every level says of which `group` it is. A group without levels has no records.
//! `records` counts those of all groups.
//!
//! ```json
//! {"format":"suum-levels","version":1,"warning":"raw sums: not private",
//!  "group_by":"site","groups":["north","south"],"records":3,
//!  "levels":[{"group":"north","epsilon":0.1,"count":2},
//!            {"group":"north","epsilon":"inf","count":1}]}
//! ```
//!
//! Groups by several columns have a label for each: `"group_by":["site","sex"]`, in `groups`
//! `["north","f"]`, and of a level `"group":["north","f"]`.
//!
//! A group with too many levels and cells has no sums in cells; where the table has, none of the
//! levels of such a group has `cells`.

mod file;
mod groups;
mod measure;
mod numbers;
mod read;
mod write;

pub use read::{MOST_BYTES, read_counted, read_counted_of_anybody, read_levels};
pub use write::{write_counted, write_levels};

const FORMAT: &str = "suum-levels";
const VERSION: u64 = 1;
