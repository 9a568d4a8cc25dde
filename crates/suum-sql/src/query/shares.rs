//! Sums in two steps: of the records that each task of a cluster reads, and of these sums. The
//! first fit 64-bit integers, which are added up fastest, and the second use decimals of 38 digits.

use super::Source;
use super::steps::{Steps, case, select};
use crate::dialect::{HALF, MOST_IN_PARTS, TOO_MANY_IN_TASK, halves};

/// Counts and sums of each level.
pub(super) struct Shares<'a> {
    pub(super) source: &'a Source<'a>,
    /// Expression for the task that reads a record.
    pub(super) task: &'static str,
    /// Columns of the group, the level and the item, and constants for those that are not there.
    pub(super) keys: [(String, &'static str); 3],
    /// Sums of records that were made of rows, besides the sum of grid indices.
    pub(super) of_rows: &'a [&'static str],
    /// Number of rows that records were made of, and of those at candidates.
    pub(super) source_rows: String,
    pub(super) cell_rows: String,
    /// Defects of a level: conditions, and numbers of defects.
    pub(super) late: &'a [(String, String)],
}

impl Shares<'_> {
    /// Adds the step `levels` of the records of a step.
    pub(super) fn push(&self, steps: &mut Steps, from: &str) {
        self.push_spread(steps, from);
        self.push_shares(steps);
        let branches = [("MIN(share) < 0".to_owned(), "-MIN(share)".to_owned())];
        let branches: Vec<_> = branches.into_iter().chain(self.late.iter().cloned()).collect();
        let mut columns = vec![(case(&branches, Some("0")), "fault")];
        columns.extend(self.keys.clone());
        let counts = ["records", "source_rows", "cell_rows"];
        columns.extend(counts.map(|name| (format!("SUM({name})"), name)));
        columns.push((self.whole(&self.sum("index_sum")), "index_sum"));
        let square = self.square_sum().map(|sum| self.whole(&sum));
        columns.push((square.unwrap_or_else(|| self.source.dialect.nothing()), "square_sum"));
        let rest = format!("FROM suum_shares\nGROUP BY {}", self.names().join(", "));
        let comment = "Sums of integers, which no order of the rows can change.";
        steps.push(comment, "suum_levels", &select(&columns, &rest));
    }

    /// Names of the keys that exist.
    fn names(&self) -> Vec<&'static str> {
        self.keys.iter().filter(|(key, name)| key == name).map(|(_, name)| *name).collect()
    }

    fn has_squares(&self) -> bool {
        self.source.numbers().is_some_and(|numbers| numbers.squares)
    }

    /// Adds the step `spread`: records with their task.
    fn push_spread(&self, steps: &mut Steps, from: &str) {
        let names = self.names();
        let read = names.iter().chain(self.of_rows).chain(&["grid_index"]);
        let mut columns: Vec<_> = read.map(|name| ((*name).to_owned(), *name)).collect();
        if self.has_squares() {
            columns.push(("grid_index * grid_index".to_owned(), "square"));
        }
        let wrong = ("fault > 0".to_owned(), "-fault".to_owned());
        columns.push((case(&[wrong], Some(self.task)), "share"));
        let comment = "Which task has a record, or what is wrong with it.";
        steps.push(comment, "suum_spread", &select(&columns, &format!("FROM {from}")));
    }

    /// Adds the step `shares`: the sums of each task for a level.
    fn push_shares(&self, steps: &mut Steps) {
        let keys: Vec<_> = self.names().into_iter().chain(["share"]).collect();
        let mut columns: Vec<_> = keys.iter().map(|key| ((*key).to_owned(), *key)).collect();
        columns.push(("COUNT(*)".to_owned(), "records"));
        columns.push((self.source_rows.clone(), "source_rows"));
        columns.push((self.cell_rows.clone(), "cell_rows"));
        columns.push(("SUM(grid_index)".to_owned(), "index_sum"));
        if self.has_squares() {
            let [high, low] = halves("square").map(|half| format!("SUM({half})"));
            columns.extend([(high, "high_sum"), (low, "low_sum")]);
        }
        let rest = format!("FROM suum_spread\nGROUP BY {}", keys.join(", "));
        let comment = "Sums of what a task has, in integers of 64 bits.";
        steps.push(comment, "suum_shares", &select(&columns, &rest));
    }

    /// Sum of the sums of tasks.
    fn sum(&self, name: &str) -> String {
        format!("SUM({})", self.source.dialect.decimal(name))
    }

    /// Sum of the squares (2g − G)², which is 4Σg² − 4GΣg + nG² of n grid indices g. Sums of g²
    /// alone take tasks less time.
    fn square_sum(&self) -> Option<String> {
        let points =
            u128::from(self.source.numbers().filter(|numbers| numbers.squares)?.grid.points());
        let [high, low, index, records] =
            ["high_sum", "low_sum", "index_sum", "records"].map(|name| self.sum(name));
        Some(format!(
            "4 * ({high} * {HALF} + {low}) - {} * {index} + {records} * {}",
            4 * points,
            points * points
        ))
    }

    /// Text of a sum, or a text that says that it could have overflowed.
    fn whole(&self, sum: &str) -> String {
        let text = self.source.dialect.text(sum);
        format!(
            "CASE WHEN MAX(records) <= {MOST_IN_PARTS} THEN {text} ELSE '{TOO_MANY_IN_TASK}' END"
        )
    }
}
