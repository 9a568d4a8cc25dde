//! Steps from records to levels: counts and sums of each level, and of its cells.

use suum_data::{MOST_PAIRS, PARTS_OF_SUMS, PrivacyColumn};

use super::keys::Key;
use super::offsets::Offsets;
use super::shares::Shares;
use super::steps::{Steps, case, select};
use super::{INDEX_BITS, SQUARE_BITS, Source};

/// Counts of records that a step has made of the rows of the data.
pub(super) struct Counts<'a> {
    /// Columns that are there if records were made of rows: the number of rows, and their marks.
    pub(super) of_rows: &'a [&'static str],
    /// Number of rows at a candidate.
    pub(super) at_candidates: String,
    /// Defects of a level, if records have not been tested for them: conditions, and numbers of
    /// defects.
    pub(super) late: &'a [(String, String)],
}

/// Adds up records, each of which is a row. Returns the steps that are added with the columns of a
/// result from `fault` on; `late` are defects of a level.
pub(super) fn add_up_records(
    source: &Source,
    steps: &mut Steps,
    late: &[(String, String)],
) -> Vec<&'static str> {
    let records = source.push_present(steps);
    let added = source.square("grid_index").map(|square| (square, "square"));
    let added = added.filter(|_| task(source).is_none());
    let from = match (candidate(source, "grid_index"), added) {
        _ if push_keys(source, steps, records, &[]) => "suum_placed",
        (None, None) => records,
        (item, added) => {
            let names = ["fault", "group_number", "level", "grid_index"];
            let (mut columns, rest) = beside(source, steps, records, &names);
            columns.push((item.unwrap_or_else(|| "item".into()), "item"));
            let comment = match added {
                Some(_) => {
                    "What is added up besides the grid index, and the cell or the candidate of a \
                    quantile it is nearest to."
                }
                None => "The candidate of a quantile that a grid index is nearest to.",
            };
            columns.extend(added);
            steps.push(comment, "suum_placed", &select(&columns, &rest));
            "suum_placed"
        }
    };
    let square = source.square("grid_index").map(|_| "square".to_owned());
    let counts = Counts { of_rows: &[], at_candidates: "COUNT(*)".into(), late };
    push(source, steps, from, counts, square)
}

/// Adds the step `placed`, if records have keys: the keys, the place of each record in its block of
/// cells, and further columns. Returns true if they have.
pub(super) fn push_keys(
    source: &Source,
    steps: &mut Steps,
    from: &str,
    further: &[&'static str],
) -> bool {
    let (Some(key), Some(offsets)) = (Key::for_source(source), Offsets::for_source(source)) else {
        return false;
    };
    let further = || further.iter().map(|name| ((*name).to_owned(), *name));
    let columns: Vec<_> = key.parts("grid_index").into_iter().chain(further()).collect();
    let comment =
        "The grid index above the first one of all cells, and the block of cells it is in.";
    steps.push(comment, "suum_parts", &select(&columns, &format!("FROM {from}")));
    let mut columns = key.columns();
    columns.push((offsets.place(), "cell_place"));
    columns.extend(further());
    let comment = "Level and cell as one number, or what is wrong, and the place in the block: \
        cells that no range parts are added up together.";
    steps.push(comment, "suum_placed", &select(&columns, "FROM suum_parts"));
    true
}

/// Adds up a step, each of whose rows is a record. Returns the steps that are added with the
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
    let key = Key::for_source(source);
    let text = |sum: Option<String>| match sum {
        Some(sum) if is_late => dialect.decimal(&sum),
        Some(sum) => dialect.total(&sum, "COUNT(*)"),
        None => dialect.nothing(),
    };
    let sum = |term: Option<&str>, bits| text(term.map(|term| dialect.sum(term, bits)));
    // No more than the rows of the data.
    let source_rows =
        counts.of_rows.first().map_or_else(|| "COUNT(*)".into(), |rows| dialect.small_sum(rows));
    let name = |name: &str| name.to_owned();
    let [group_number, level, item] = match &key {
        Some(key) => [key.group_number(), key.level(), key.item()],
        None => {
            let or_none = |is_there, column| match is_there {
                true => name(column),
                false => dialect.no_integer(),
            };
            let has_groups = !dialect.groups_nothing_slowly() || source.scan.group.is_some();
            let has_items = !dialect.groups_nothing_slowly() || has_items(source);
            [or_none(has_groups, "group_number"), name("level"), or_none(has_items, "item")]
        }
    };
    if let Some(task) = task(source) {
        let shares = Shares {
            source,
            task,
            keys: [(group_number, "group_number"), (level, "level"), (item, "item")],
            of_rows: counts.of_rows,
            source_rows,
            cell_rows: counts.at_candidates,
            late: counts.late,
        };
        shares.push(steps, from);
        return vec!["suum_levels"];
    }
    let first = match &key {
        Some(key) => key.fault(),
        None => (name("fault > 0"), name("fault")),
    };
    let fault = match counts.late {
        [] if key.is_none() => name("fault"),
        late => {
            let branches: Vec<_> = [first].into_iter().chain(late.iter().cloned()).collect();
            case(&branches, Some("0"))
        }
    };
    let comment = "Sums of integers, which no order of the rows can change.";
    let step = if is_late { "suum_pairs" } else { "suum_levels" };
    let counts = [
        ("COUNT(*)".into(), "records"),
        (source_rows, "source_rows"),
        (counts.at_candidates, "cell_rows"),
    ];
    let (counts, sums, rest) = match (&key, Offsets::for_source(source)) {
        (Some(key), Some(offsets)) => {
            let sums = [(offsets.place_sum(), "index_sum"), (offsets.square_sum(), "square_sum")];
            let columns: Vec<_> =
                key.kept_columns().into_iter().chain(counts.clone()).chain(sums).collect();
            steps.push(
                comment,
                "suum_sums",
                &select(&columns, &format!("FROM {from}\nGROUP BY place")),
            );
            let counts = counts.map(|(_, column)| (name(column), column));
            let sums = ["index_sum", "square_sum"]
                .map(|sum| if is_late { name(sum) } else { dialect.total(sum, "records") });
            (counts, sums, name("FROM suum_sums"))
        }
        _ => {
            let nothing = dialect.no_integer();
            let keys = ["fault", &group_number, &level, &item];
            let keys: Vec<_> = keys.into_iter().filter(|column| *column != nothing).collect();
            let sums = [
                sum(source.numbers().map(|_| "grid_index"), INDEX_BITS),
                sum(square.as_deref(), SQUARE_BITS),
            ];
            (counts, sums, format!("FROM {from}\nGROUP BY {}", keys.join(", ")))
        }
    };
    let keys = [(group_number, "group_number"), (level, "level"), (item, "item")];
    let sums = sums.into_iter().zip(["index_sum", "square_sum"]);
    let columns: Vec<_> =
        [(fault, "fault")].into_iter().chain(keys).chain(counts).chain(sums).collect();
    let comment = if key.is_some() { "What a key stands for." } else { comment };
    steps.push(comment, step, &select(&columns, &rest));
    if let Some(limits) = late_limits(source) {
        without_crowds(source, steps, &limits);
    }
    vec!["suum_levels"]
}

/// Task of a record, if the sums of each task are computed first: all sums except those in cells.
fn task(source: &Source) -> Option<&'static str> {
    let is_whole = Key::for_source(source).is_none() && late_limits(source).is_none();
    source.dialect.task().filter(|_| is_whole && source.numbers().is_some())
}

/// Returns true if records have the number of a category or candidate.
fn has_items(source: &Source) -> bool {
    match (source.numbers(), &source.scan.value) {
        (Some(numbers), _) => numbers.cells.is_some(),
        (None, value) => value.is_some() && !source.scan.divides_persons(),
    }
}

/// Number of the candidate nearest to a grid index.
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

/// Columns of a step, each row a record, and their source: if sums in cells could be too many,
/// beside the numbers of levels and records of the group, which decide that.
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
        "suum_crowds",
        &select(&columns, &format!("FROM {from}\nGROUP BY group_number")),
    );
    let columns = names.iter().map(|name| (format!("{from}.{name}"), *name));
    let rest = format!(
        "FROM {from}\nLEFT JOIN suum_crowds\nON COALESCE(suum_crowds.group_number, -1) = \
         COALESCE({from}.group_number, -1)"
    );
    (columns.collect(), rest)
}

/// Limits up to which sums in cells are computed, where levels are not known in advance.
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

/// Limits that apply after the sums were computed, in dialects that compute a step twice that is
/// read twice: the sums in cells that are dropped then are fewer than the records.
fn late_limits(source: &Source) -> Option<Limits> {
    limits(source).filter(|_| source.dialect.repeats_steps())
}

/// Adds the step `levels` from pairs of a level and a cell: without cells, if these are too many. A
/// level has its cells in a list, so that levels can be counted without sorting pairs. Totals of
/// cells take decimals, and are only computed where they are needed.
fn without_crowds(source: &Source, steps: &mut Steps, limits: &Limits) {
    let dialect = source.dialect;
    let level = || ["fault", "group_number", "level"].map(|name| (name.to_owned(), name));
    let (counts, sums) = (["records", "source_rows", "cell_rows"], ["index_sum", "square_sum"]);
    let kept = [&["item"], &counts[..], &sums].concat().join(", ");
    let columns: Vec<_> = level()
        .into_iter()
        .chain(counts.map(|name| (format!("SUM({name})"), name)))
        .chain([("MAX(records)".to_owned(), "most")])
        .chain([(format!("collect_list(struct({kept}))"), "cells")])
        .collect();
    let grouped = "FROM suum_pairs\nGROUP BY fault, group_number, level";
    steps.push("The cells of each level.", "suum_gathered", &select(&columns, grouped));
    let over = "OVER (PARTITION BY group_number)";
    let fits = limits.fit(&format!("COUNT(*) {over}"), &format!("SUM(records) {over}"));
    let wholes = match Offsets::for_source(source) {
        Some(offsets) => offsets.wholes("cell"),
        None => sums.map(|name| format!("cell.{name}")),
    };
    let wholes = wholes.map(|whole| {
        let (zero, sum) = (dialect.decimal("0"), dialect.decimal(&format!("total + {whole}")));
        format!(
            "CASE WHEN {fits} THEN NULL ELSE aggregate(cells, {zero}, (total, cell) -> {sum}) END"
        )
    });
    let columns: Vec<_> = level()
        .into_iter()
        .chain(counts.map(|name| (name.to_owned(), name)))
        .chain([("most".to_owned(), "most")])
        .chain(wholes.into_iter().zip(sums))
        .chain([(format!("CASE WHEN {fits} THEN cells END"), "cells")])
        .collect();
    let comment =
        "Cells where they are not too many for so many levels, or else what they add up to.";
    steps.push(comment, "suum_crowds", &select(&columns, "FROM suum_gathered"));
    let either = |name: &str| format!("COALESCE(cell.{name}, {name})");
    let texts = |name: &str| {
        format!("COALESCE({}, {})", dialect.text(&format!("cell.{name}")), dialect.text(name))
    };
    let columns: Vec<_> = level()
        .into_iter()
        .chain([("cell.item".to_owned(), "item")])
        .chain(counts.map(|name| (either(name), name)))
        .chain(sums.map(|name| (dialect.total(&texts(name), "most"), name)))
        .collect();
    let rest = "FROM suum_crowds\nLATERAL VIEW OUTER explode(cells) AS cell";
    steps.push("What is left, one by one.", "suum_levels", &select(&columns, rest));
}
