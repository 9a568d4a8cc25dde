//! Steps from rows to persons: each counts once, however many rows there are.

use suum_core::{Categories, PersonValue};

use super::levels::{self, Counts};
use super::steps::{Steps, case, select};
use super::{Defect, Source};

/// Largest number of rows of a person; it needs no more bits than a grid index, so that sums fit 62
/// bits.
const MOST_ROWS: u64 = 1 << 30;

/// Number of bits of a share.
const SHARE_BITS: u32 = Categories::STEPS.ilog2() + 1;

/// Defects of persons that [`fault`], [`push_favourites`] and [`push_again`] can find.
pub(super) fn defects(source: &Source) -> Vec<Defect> {
    let twice = mark(source).map(|_| Defect::Twice);
    [Defect::TwoGroups, Defect::ManyRows].into_iter().chain(twice).collect()
}

/// Adds the steps from `records`, which are rows, to levels of persons. Returns those that are
/// added with the columns of a result.
pub(super) fn push(source: &Source, steps: &mut Steps) -> Vec<&'static str> {
    let numbers = source.numbers();
    let is_divided = source.scan.divides_persons();
    if numbers.is_some() || source.scan.value.is_none() || is_divided {
        push_persons(source, steps);
    } else {
        push_favourites(source, steps);
    }
    let has_marks = push_again(source, steps);
    let of_rows = if has_marks { &["source_rows", "marks"][..] } else { &["source_rows"] };
    let rows = |at_candidates: &str| Counts {
        of_rows,
        at_candidates: if has_marks { "SUM(marks)" } else { at_candidates }.to_owned(),
        late: &[],
    };
    let square = source.square("grid_index");
    match numbers.and_then(|numbers| numbers.cells) {
        // Persons with one number are records.
        Some(cells) if cells.has_sums() || source.scan.person_value.is_one_number() => {
            push_placed(source, steps);
            levels::push(source, steps, "suum_placed", rows("COUNT(*)"), square)
        }
        cells => {
            let nothing = rows(&source.dialect.no_integer());
            let mut counted = levels::push(source, steps, "suum_persons", nothing, square);
            if let Some(cells) = cells {
                push_ranks(source, steps, cells.rows());
                counted.push("suum_cell_levels");
            }
            if is_divided {
                push_shares(source, steps);
                counted.push("suum_share_levels");
            }
            counted
        }
    }
}

/// Persons in the cells of their numbers.
fn push_placed(source: &Source, steps: &mut Steps) {
    let marks = mark(source).map(|_| "marks");
    let further: Vec<_> = ["source_rows"].into_iter().chain(marks).collect();
    if levels::push_keys(source, steps, "suum_persons", &further) {
        return;
    }
    let mut names = vec!["fault", "group_number", "level", "source_rows", "grid_index"];
    names.extend(marks);
    let (mut columns, rest) = levels::beside(source, steps, "suum_persons", &names);
    let candidate = levels::candidate(source, "grid_index");
    columns.push((candidate.unwrap_or_else(|| source.dialect.no_integer()), "item"));
    steps.push("The cell of a person's number.", "suum_placed", &select(&columns, &rest));
}

/// Defect of a person, including those of their rows.
fn fault(groups: bool) -> String {
    let two = groups.then(|| {
        (
            "MIN(group_number) <> MAX(group_number)".to_owned(),
            Defect::TwoGroups.number().to_string(),
        )
    });
    let mut branches = vec![
        ("MAX(fault) > 0".to_owned(), "MAX(fault)".to_owned()),
        (format!("COUNT(*) > {MOST_ROWS}"), Defect::ManyRows.number().to_string()),
    ];
    branches.extend(two);
    case(&branches, Some("0"))
}

/// Adds the step of persons at the least budget of their rows, with the mean of their grid indices.
fn push_persons(source: &Source, steps: &mut Steps) {
    let fault = fault(source.scan.group.is_some());
    let rows = source.left_out().map_or("COUNT(*)".to_owned(), |value| format!("COUNT({value})"));
    let mut columns = vec![
        (fault.clone(), "fault"),
        ("MIN(group_number)".into(), "group_number"),
        ("MIN(level)".into(), "level"),
        (source.dialect.no_integer(), "item"),
        (rows.clone(), "source_rows"),
    ];
    if source.numbers().is_some() {
        let number = match source.scan.person_value {
            PersonValue::Min => "MIN(grid_index)".to_owned(),
            PersonValue::Max => "MAX(grid_index)".to_owned(),
            // Of totals and medians there is no query.
            _ => {
                let total = source.dialect.small_sum("grid_index");
                source.dialect.quotient(&format!("2 * {total} + {rows}"), &format!("2 * {rows}"))
            }
        };
        columns.push((number, "grid_index"));
    }
    if let Some(mark) = mark(source) {
        columns.push((format!("{rows} * {mark}"), "marks"));
        columns.push(("person".into(), "person"));
    }
    let comment = match (source.numbers(), source.scan.person_value) {
        (Some(_), PersonValue::Min) => {
            "Each person once: at the least budget of their rows, with the least of their grid \
            indices."
        }
        (Some(_), PersonValue::Max) => {
            "Each person once: at the least budget of their rows, with the largest of their grid \
            indices."
        }
        (Some(_), _) => {
            "Each person once: at the least budget of their rows, with the mean of their grid \
            indices, halves up."
        }
        (None, _) => "Each person once: at the least budget of their rows.",
    };
    let mut rest = "FROM suum_records\nGROUP BY person".to_owned();
    if source.left_out().is_some() {
        // Defects of persons are reported even if they are left out.
        rest += &format!("\nHAVING {rows} > 0 OR {fault} > 0");
    }
    steps.push(comment, first(source), &select(&columns, &rest));
}

/// Hash of a person, if its sum over rows replaces a second count.
fn mark(source: &Source) -> Option<String> {
    source.dialect.mark("person")
}

/// Step with each person once; where there are marks, once if there is no defect.
fn first(source: &Source) -> &'static str {
    if mark(source).is_some() { "suum_pieces" } else { "suum_persons" }
}

/// Groups persons a second time, by another text and so in other places, to find out whether each
/// occurs once. Returns true if there are marks.
fn push_again(source: &Source, steps: &mut Steps) -> bool {
    if mark(source).is_none() {
        return false;
    }
    let branches = [
        ("MAX(fault) > 0".to_owned(), "MAX(fault)".to_owned()),
        ("COUNT(*) > 1".to_owned(), Defect::Twice.number().to_string()),
    ];
    let mut columns = vec![(case(&branches, Some("0")), "fault")];
    columns.extend(
        [("group_number", "MIN"), ("level", "MIN"), ("item", "MIN"), ("source_rows", "SUM")]
            .map(|(name, what)| (format!("{what}({name})"), name)),
    );
    columns.extend(source.numbers().map(|_| ("MIN(grid_index)".into(), "grid_index")));
    columns.push(("SUM(marks)".into(), "marks"));
    let rest = format!("FROM suum_pieces\nGROUP BY {}", source.dialect.other_text("person"));
    let comment = "Whether each person is there once: grouped again, in other places.";
    steps.push(comment, "suum_persons", &select(&columns, &rest));
    true
}

/// Adds the step of persons at the least budget of their rows, in the category that most of their
/// rows are in.
fn push_favourites(source: &Source, steps: &mut Steps) {
    let columns = [
        ("person".into(), "person"),
        ("MAX(fault)".into(), "fault"),
        ("MIN(group_number)".into(), "first_group"),
        ("MAX(group_number)".into(), "last_group"),
        ("MIN(level)".into(), "level"),
        ("item".into(), "item"),
        ("COUNT(*)".into(), "times"),
    ];
    let comment = "How many rows of each person are in each category.";
    steps.push(
        comment,
        "suum_times",
        &select(&columns, "FROM suum_records\nGROUP BY person, item"),
    );
    let over = "OVER (PARTITION BY person)";
    let mut columns = vec![
        (format!("MAX(fault) {over}"), "fault"),
        (format!("MIN(first_group) {over}"), "first_group"),
        (format!("MAX(last_group) {over}"), "last_group"),
        (format!("MIN(level) {over}"), "level"),
        ("item".into(), "item"),
    ];
    let (rows, order) = match source.left_out() {
        Some(value) => (
            format!("CASE WHEN {value} IS NOT NULL THEN times END"),
            format!("CASE WHEN {value} IS NULL THEN 1 ELSE 0 END, times DESC, item"),
        ),
        None => ("times".to_owned(), "times DESC, item".to_owned()),
    };
    columns.push((format!("SUM({rows}) {over}"), "source_rows"));
    columns.extend(mark(source).map(|_| ("person".into(), "person")));
    columns.push((format!("ROW_NUMBER() OVER (PARTITION BY person ORDER BY {order})"), "place"));
    steps.push(
        "Of equally frequent categories the first declared comes first.",
        "suum_favourites",
        &select(&columns, "FROM suum_times"),
    );
    let two = match source.scan.group {
        Some(_) => format!(
            "CASE WHEN fault = 0 AND first_group <> last_group THEN {} ELSE fault END",
            Defect::TwoGroups.number()
        ),
        None => "fault".to_owned(),
    };
    let mut rest = "FROM suum_favourites\nWHERE place = 1".to_owned();
    if let Some(value) = source.left_out() {
        rest += &format!(" AND ({value} IS NOT NULL OR {two} > 0)");
    }
    let mut columns = vec![
        (two, "fault"),
        ("first_group".into(), "group_number"),
        ("level".into(), "level"),
        ("item".into(), "item"),
        ("source_rows".into(), "source_rows"),
    ];
    if let Some(mark) = mark(source) {
        columns.push((format!("source_rows * {mark}"), "marks"));
        columns.push(("person".into(), "person"));
    }
    let comment =
        "Each person once: at the least budget of their rows, in their most frequent category.";
    steps.push(comment, first(source), &select(&columns, &rest));
}

/// Columns of a result that has counts of items besides those of persons, who have been counted
/// before.
fn counts_alone(
    source: &Source,
    cell_rows: String,
    index_sum: String,
) -> [(String, &'static str); 9] {
    let dialect = source.dialect;
    [
        ("0".into(), "fault"),
        ("group_number".into(), "group_number"),
        ("level".into(), "level"),
        ("item".into(), "item"),
        (dialect.no_integer(), "records"),
        (dialect.no_integer(), "source_rows"),
        (cell_rows, "cell_rows"),
        (index_sum, "index_sum"),
        (dialect.nothing(), "square_sum"),
    ]
}

/// Adds the steps of the shares of each person's rows in categories, in whole steps that are
/// allotted by largest remainders, and of their sums.
fn push_shares(source: &Source, steps: &mut Steps) {
    let dialect = source.dialect;
    let over = "OVER (PARTITION BY person)";
    let sum = |term: &str| format!("CAST(SUM({term}) {over} AS {})", dialect.integer_type());
    // Rows without a value have a part in the budget of a person, and none in the shares.
    let (present, rest) = match source.left_out() {
        Some(value) => (
            format!("CASE WHEN {value} IS NOT NULL THEN times END"),
            format!("\nWHERE {value} IS NOT NULL"),
        ),
        None => ("times".to_owned(), String::new()),
    };
    let columns = [
        ("person".into(), "person"),
        ("MIN(group_number)".into(), "group_number"),
        ("MIN(level)".into(), "level"),
        ("item".into(), "item"),
        ("COUNT(*)".into(), "times"),
    ];
    steps.push(
        "How many rows of each person are in each category.",
        "suum_times",
        &select(&columns, "FROM suum_records\nWHERE fault = 0\nGROUP BY person, item"),
    );
    let columns = [
        ("person".into(), "person"),
        (format!("MIN(group_number) {over}"), "group_number"),
        (format!("MIN(level) {over}"), "level"),
        ("item".into(), "item"),
        (format!("times * {}", Categories::STEPS), "parts"),
        (sum(&present), "rows_of_person"),
    ];
    steps.push(
        "Of how many rows of the person these are.",
        "suum_divided",
        &select(&columns, "FROM suum_times"),
    );
    let whole = dialect.quotient("parts", "rows_of_person");
    let columns = [
        ("person".into(), "person"),
        ("group_number".into(), "group_number"),
        ("level".into(), "level"),
        ("item".into(), "item"),
        (whole.clone(), "whole_steps"),
        (format!("parts - rows_of_person * {whole}"), "remainder"),
    ];
    steps.push(
        "The share of the rows in each category, rounded down, and what is lost.",
        "suum_rounded",
        &select(&columns, &format!("FROM suum_divided{rest}")),
    );
    let place = "ROW_NUMBER() OVER (PARTITION BY person ORDER BY remainder DESC, item)";
    let columns = [
        ("group_number".into(), "group_number"),
        ("level".into(), "level"),
        ("item".into(), "item"),
        ("whole_steps".into(), "whole_steps"),
        (place.into(), "place"),
        (format!("{} - {}", Categories::STEPS, sum("whole_steps")), "left_over"),
    ];
    steps.push(
        "Largest remainders first; of equal ones the category declared first.",
        "suum_remainders",
        &select(&columns, "FROM suum_rounded"),
    );
    let columns = [
        ("group_number".into(), "group_number"),
        ("level".into(), "level"),
        ("item".into(), "item"),
        ("whole_steps + CASE WHEN place <= left_over THEN 1 ELSE 0 END".into(), "share_steps"),
    ];
    steps.push(
        "A step for each remainder until all steps are given.",
        "suum_allotted",
        &select(&columns, "FROM suum_remainders"),
    );
    let steps_of_all = dialect.text(&dialect.sum("share_steps", SHARE_BITS));
    let columns = counts_alone(source, dialect.no_integer(), steps_of_all);
    steps.push(
        "Sums of shares, which no order of the persons can change.",
        "suum_share_levels",
        &select(&columns, "FROM suum_allotted\nGROUP BY group_number, level, item"),
    );
}

/// Adds the step of the rows that each person contributes at candidates of quantiles, evenly spread
/// by rank.
fn push_ranks(source: &Source, steps: &mut Steps, rows: u32) {
    let dialect = source.dialect;
    let over = "OVER (PARTITION BY person)";
    // Rows without a value have a part in the budget of a person, and none in the ranks.
    let (order, counted, present) = match source.left_out() {
        Some(value) => (
            format!("CASE WHEN {value} IS NULL THEN 1 ELSE 0 END, grid_index"),
            value,
            format!("{value} IS NOT NULL AND "),
        ),
        None => ("grid_index".to_owned(), "*", String::new()),
    };
    let columns = [
        ("person".into(), "person"),
        (format!("MIN(group_number) {over}"), "group_number"),
        (format!("MIN(level) {over}"), "level"),
        ("grid_index".into(), "grid_index"),
        (format!("ROW_NUMBER() OVER (PARTITION BY person ORDER BY {order})"), "place"),
        (format!("COUNT({counted}) {over}"), "rows_of_person"),
    ];
    steps.push(
        "The rows of each person by rank.",
        "suum_ranked",
        &select(&columns, "FROM suum_records\nWHERE fault = 0"),
    );
    steps.push("The ranks that count.", "suum_ranks", &dialect.series(rows));
    // Rank (2k - 1) * m / (2R) rounded up, and where that is a whole number the next one too.
    let (rank, parts) = ("(2 * k - 1) * rows_of_person", 2 * u64::from(rows));
    let first = dialect.quotient(&format!("{rank} + {}", parts - 1), &parts.to_string());
    let last = dialect.quotient(rank, &parts.to_string());
    let columns = [
        ("MIN(group_number)".into(), "group_number"),
        ("MIN(level)".into(), "level"),
        (dialect.quotient("MIN(grid_index) + MAX(grid_index)", "2"), "grid_index"),
    ];
    let comment = format!(
        "Of m rows those of rank (2k - 1) * m / {parts}, rounded up; the middle of two neighbours \
        where that is whole."
    );
    steps.push(
        &comment,
        "suum_chosen",
        &select(
            &columns,
            &format!(
                "FROM suum_ranked\nCROSS JOIN suum_ranks\nWHERE {present}place BETWEEN {first} \
                 AND {last} + 1\nGROUP BY person, k"
            ),
        ),
    );
    let candidate = levels::candidate(source, "grid_index").unwrap_or_else(|| dialect.no_integer());
    let columns =
        [("group_number".into(), "group_number"), ("level".into(), "level"), (candidate, "item")];
    steps.push(
        "The candidate of a quantile that a grid index is nearest to.",
        "suum_placed",
        &select(&columns, "FROM suum_chosen"),
    );
    let columns = counts_alone(source, "COUNT(*)".into(), dialect.nothing());
    steps.push(
        "How many of these rows are at each candidate.",
        "suum_cell_levels",
        &select(&columns, "FROM suum_placed\nGROUP BY group_number, level, item"),
    );
}
