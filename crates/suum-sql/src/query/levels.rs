//! The steps from records to levels: what is counted and added up of each, and in which cells.

use suum_data::{MOST_PAIRS, PARTS_OF_SUMS, PrivacyColumn};

use super::steps::{Steps, select};
use super::{COLUMNS, INDEX_BITS, SQUARE_BITS, Source};

/// How records are counted that a step has made of the rows of the data.
pub(super) struct Counts<'a> {
    /// The column with the number of rows that a record was made of; each is one without it.
    pub(super) rows: Option<&'a str>,
    /// How many rows are at a candidate.
    pub(super) at_candidates: String,
}

/// Adds up records, each of which is a row. The steps that are added with the columns of a result
/// from `fault` on.
pub(super) fn of_records(source: &Source, steps: &mut Steps) -> Vec<&'static str> {
    let records = source.push_present(steps);
    let from = match (candidate(source, "grid_index"), source.square("grid_index")) {
        (None, None) => records,
        (item, square) => {
            let names = ["fault", "group_number", "level", "grid_index"];
            let (mut columns, rest) = beside(source, steps, records, &names);
            columns.push((item.unwrap_or_else(|| "item".into()), "item"));
            let comment = match square {
                Some(_) => {
                    "What is added up besides the grid index, and the cell or the candidate of a \
                    quantile it is nearest to."
                }
                None => "The candidate of a quantile that a grid index is nearest to.",
            };
            columns.extend(square.map(|square| (square, "square")));
            steps.push(comment, "placed", &select(&columns, &rest));
            "placed"
        }
    };
    let square = source.square("grid_index").map(|_| "square".to_owned());
    push(source, steps, from, Counts { rows: None, at_candidates: "COUNT(*)".into() }, square)
}

/// Adds up what a step has, of which each row is a record. The steps that are added with the
/// columns of a result from `fault` on.
pub(super) fn push(
    source: &Source,
    steps: &mut Steps,
    from: &str,
    counts: Counts,
    square: Option<String>,
) -> Vec<&'static str> {
    let dialect = source.dialect;
    let is_late = late_limits(source).is_some();
    let sum = |term: Option<&str>, bits| match term {
        Some(term) if is_late => dialect.sum(term, bits),
        Some(term) => dialect.total(&dialect.sum(term, bits), "COUNT(*)"),
        None => dialect.nothing(),
    };
    let source_rows =
        counts.rows.map_or_else(|| "COUNT(*)".into(), |rows| sum(Some(rows), INDEX_BITS));
    let columns = [
        ("fault".into(), "fault"),
        ("group_number".into(), "group_number"),
        ("level".into(), "level"),
        ("item".into(), "item"),
        ("COUNT(*)".into(), "records"),
        (source_rows, "source_rows"),
        (counts.at_candidates, "cell_rows"),
        (sum(source.numbers().map(|_| "grid_index"), INDEX_BITS), "index_sum"),
        (sum(square.as_deref(), SQUARE_BITS), "square_sum"),
    ];
    let grouped = format!("FROM {from}\nGROUP BY fault, group_number, level, item");
    let comment = "Sums of integers, which no order of the rows can change.";
    let name = if is_late { "pairs" } else { "levels" };
    steps.push(comment, name, &select(&columns, &grouped));
    if let Some(limits) = late_limits(source) {
        without_crowds(source, steps, &limits, square.is_some());
    }
    vec!["levels"]
}

/// The number of the candidate nearest to a grid index.
pub(super) fn candidate(source: &Source, index: &str) -> Option<String> {
    let numbers = source.numbers()?;
    let (points, steps) = (numbers.grid.points(), numbers.cells?.steps());
    let product =
        format!("{index} * CAST({steps} AS {}) + {}", source.dialect.integer_type(), points / 2);
    let nearest = source.dialect.quotient(&product, &points.to_string());
    Some(match limits(source).filter(|_| late_limits(source).is_none()) {
        Some(limits) => {
            let fits = limits.fit("levels_of_group", "records_of_group");
            format!("CASE WHEN {fits} THEN {nearest} END")
        }
        None => nearest,
    })
}

/// These columns of a step, each a record, and from where they come: where sums in cells could be
/// too many, beside the numbers of levels and records of the group, which decide that.
pub(super) fn beside(
    source: &Source,
    steps: &mut Steps,
    from: &str,
    names: &[&'static str],
) -> (Vec<(String, &'static str)>, String) {
    if limits(source).is_none() || late_limits(source).is_some() {
        let columns = names.iter().map(|name| ((*name).into(), *name));
        return (columns.collect(), format!("FROM {from}"));
    }
    let columns = [
        ("group_number".into(), "group_number"),
        ("COUNT(*)".into(), "records_of_group"),
        ("COUNT(DISTINCT level)".into(), "levels_of_group"),
    ];
    steps.push(
        "Whether sums in cells would be too many.",
        "crowds",
        &select(&columns, &format!("FROM {from}\nGROUP BY group_number")),
    );
    let columns = names.iter().map(|name| (format!("{from}.{name}"), *name));
    let rest = format!(
        "FROM {from}\nLEFT JOIN crowds\nON COALESCE(crowds.group_number, -1) = \
         COALESCE({from}.group_number, -1)"
    );
    (columns.collect(), rest)
}

/// Until when sums in cells are asked for, where levels are not known beforehand.
struct Limits {
    levels: usize,
    records: usize,
}

impl Limits {
    fn fit(&self, levels: &str, records: &str) -> String {
        format!("{levels} <= {} OR {records} <= {}", self.levels, self.records)
    }
}

fn limits(source: &Source) -> Option<Limits> {
    let cells = source.numbers()?.cells.filter(|cells| cells.has_sums())?;
    let counters = MOST_PAIRS / source.scan.groups().max(1);
    match source.scan.privacy {
        PrivacyColumn::Tiers { .. } => None,
        PrivacyColumn::Budgets { .. } => Some(Limits {
            levels: PARTS_OF_SUMS.pairs(counters) / (cells.steps() as usize + 1),
            records: PARTS_OF_SUMS.records(counters),
        }),
    }
}

/// The limits, where a step that is asked for twice would be computed twice: sums in cells are then
/// left out once they are there, which are fewer than the records.
fn late_limits(source: &Source) -> Option<Limits> {
    limits(source).filter(|_| source.dialect.repeats_steps())
}

/// Adds the step `levels` from pairs of a level and a cell: without cells, where these are too
/// many.
fn without_crowds(source: &Source, steps: &mut Steps, limits: &Limits, squares: bool) {
    let dialect = source.dialect;
    // A result has a part in place of a fault.
    let names = || std::iter::once("fault").chain(COLUMNS.into_iter().skip(1));
    let of_pairs = || names().map(|name| (name.to_owned(), name));
    let first = ("ROW_NUMBER() OVER (PARTITION BY group_number, level ORDER BY item)", "place");
    let columns: Vec<_> = of_pairs().chain([(first.0.to_owned(), first.1)]).collect();
    steps.push("The first cell of each level.", "firsts", &select(&columns, "FROM pairs"));
    let over = "OVER (PARTITION BY group_number)";
    let fits = limits.fit(
        &format!("COUNT(CASE place WHEN 1 THEN 1 END) {over}"),
        &format!("SUM(records) {over}"),
    );
    let cell = (format!("CASE WHEN {fits} THEN item END"), "cell");
    let columns: Vec<_> = of_pairs().chain([cell]).collect();
    let comment = "Cells, where they are not too many for so many levels.";
    steps.push(comment, "crowds", &select(&columns, "FROM firsts"));
    let total = |name: &str| dialect.total(&format!("SUM({name})"), "SUM(records)");
    let columns = [
        ("fault".into(), "fault"),
        ("group_number".into(), "group_number"),
        ("level".into(), "level"),
        ("cell".into(), "item"),
        ("SUM(records)".into(), "records"),
        (total("source_rows"), "source_rows"),
        ("SUM(cell_rows)".into(), "cell_rows"),
        (total("index_sum"), "index_sum"),
        (if squares { total("square_sum") } else { dialect.nothing() }, "square_sum"),
    ];
    let grouped = "FROM crowds\nGROUP BY fault, group_number, level, cell";
    steps.push("The sums of what is left.", "levels", &select(&columns, grouped));
}
