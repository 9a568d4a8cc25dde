//! The level-table file: JSON with raw sums, written only on request.
//!
//! ```json
//! {"format":"suum-levels","version":1,"warning":"raw sums: not private",
//!  "column":"visits","bounds":[0.0,77.0],"grid":1073741824,"records":3,
//!  "levels":[{"level":"strict","epsilon":0.1,"count":2,"sum":"41834292"},
//!            {"level":"public","epsilon":"inf","count":1,"sum":"125502876"}]}
//! ```
//!
//! `sum` is a decimal string, because it can exceed every JSON number type; integers are read too. `level` is
//! absent for numeric budgets, and `column`, `bounds`, `grid` and `sum` where no value was read. Where categories
//! were counted, their names and numbers of records stand in place of `bounds`, `grid` and `sum`:
//!
//! ```json
//! {"format":"suum-levels","version":1,"warning":"raw sums: not private",
//!  "column":"health","categories":["good","fair"],"records":3,
//!  "levels":[{"epsilon":0.1,"count":3,"counts":["2","1"]}]}
//! ```

mod numbers;
mod read;
mod write;

pub use read::read_levels;
pub use write::write_levels;

const FORMAT: &str = "suum-levels";
const VERSION: u64 = 1;
