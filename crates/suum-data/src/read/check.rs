//! Checks that refuse an impossible scan before anything is read.

use suum_core::{
    Cells, Epsilon, Error, Grid, Numbers, PersonValue, Result, for_example, option, say,
};

use crate::cells::offset::origin;
use crate::count::counters::MOST;
use crate::scan::attributes::MOST_ATTRIBUTES;
use crate::scan::groups::Grouping;
use crate::scan::list;
use crate::scan::role::Role;
use crate::scan::value::{UnboundedColumn, Value, ValueColumn};
use crate::scan::{PrivacyColumn, Scan};

/// Finest grid on which squares are added up: 2^63 of them stay below 2^126.
pub(crate) const FINEST_SQUARES: u64 = 1 << 31;

/// Product of a scan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Table of all records.
    Table,
    /// Table for each group.
    Groups,
    /// The records themselves, kept in a buffer.
    Buffer,
    /// The records of each group, kept in buffers.
    GroupBuffers,
}

impl Scan {
    /// Refuses an impossible scan, whatever the data are.
    ///
    /// # Errors
    ///
    /// Fails like [`scan_groups`](crate::scan_groups) if it is `grouped`, or like
    /// [`scan`](crate::scan), before they read anything.
    pub fn check(&self, grouped: bool) -> Result<()> {
        check(self, if grouped { Purpose::Groups } else { Purpose::Table })
    }
}

/// Refuses an impossible scan for this purpose.
pub(crate) fn check(scan: &Scan, purpose: Purpose) -> Result<()> {
    check_names(scan)?;
    check_missing_choice(scan)?;
    check_nulls(scan)?;
    check_bounds(scan, purpose)?;
    check_groups(scan, matches!(purpose, Purpose::Groups | Purpose::GroupBuffers))?;
    if scan.accounts.is_some() && scan.person.is_none() {
        return Err(Error::request(option::PERSON, "accounts are those of persons")
            .with_fix(say("name the column of persons with").set(option::PERSON, "COL")));
    }
    if scan.attributes.len() > MOST_ATTRIBUTES {
        return Err(Error::parameter(option::CONSENT_ATTRIBUTES, "there are more than four")
            .with_fix("name those that groups, strata or weights are made of"));
    }
    scan.check_person_groups()?;
    check_left_out(scan, purpose)?;
    check_filter(scan)?;
    let Some(value) = &scan.value else { return Ok(()) };
    check_person_value(scan, value)?;
    match value {
        Value::Number(column) => {
            check_fine_grid(scan, &column.numbers.grid)?;
            check_squares(&column.numbers)?;
            check_rows(column.numbers.cells, scan.person.is_some())?;
        }
        Value::Unbounded(column) => check_rows(column.cells, scan.person.is_some())?,
        Value::Category(_) => {}
    }
    check_pairs(scan, value)?;
    value.check()
}

fn check_names(scan: &Scan) -> Result<()> {
    let option = |at| if scan.across_at(at).is_some() { "crosstab" } else { "group" };
    let groups = (0..).zip(scan.label_columns()).map(|(at, _)| (Role::Group(at), option(at)));
    let roles = [(Role::Privacy, "privacy"), (Role::Value, "value")].into_iter().chain(groups);
    for (role, option) in roles.chain([(Role::Person, "person"), (Role::Time, "per_person")]) {
        if scan.column(role).trim_ascii().is_empty() {
            return Err(Error::parameter(option, "the name of the column is empty")
                .with_fix("name a column of the header"));
        }
    }
    Ok(())
}

/// Refuses a replacement for missing choices that the privacy column cannot have.
fn check_missing_choice(scan: &Scan) -> Result<()> {
    let Some(text) = scan.missing_choice.as_deref().map(str::trim_ascii) else { return Ok(()) };
    let (is_one, what, hint) = match &scan.privacy {
        PrivacyColumn::Tiers { tiers, .. } => (
            tiers.position(text.as_bytes()).is_some(),
            "the tier of records without a choice is not declared",
            say("name one of the declared tiers"),
        ),
        PrivacyColumn::Budgets { .. } => (
            text.parse::<Epsilon>().is_ok(),
            "what stands in place of a missing budget is none",
            for_example(option::MISSING_CONSENT, "0")
                .say(", which means that such records are not used"),
        ),
    };
    match is_one {
        true => Ok(()),
        false => Err(Error::parameter(option::MISSING_CONSENT, what).with_fix(hint)),
    }
}

/// Refuses texts that are also declared labels.
fn check_nulls(scan: &Scan) -> Result<()> {
    let is_null = |label: &str| scan.nulls.texts().iter().any(|text| text == label);
    let tier = match &scan.privacy {
        PrivacyColumn::Tiers { tiers, .. } => tiers.iter().any(|(label, _)| is_null(label)),
        PrivacyColumn::Budgets { .. } => false,
    };
    let category = match &scan.value {
        Some(Value::Category(column)) if column.classes.are_labels() => {
            column.classes.categories().names().iter().any(|name| is_null(name))
        }
        _ => false,
    };
    let mut groups = scan.label_columns().map(|one| one.groups.categories().names());
    let group = groups.any(|names| names.iter().any(|name| is_null(name)));
    let what = match (tier, category, group) {
        (true, ..) => "tier",
        (_, true, _) => "category",
        (.., true) => "group",
        _ => return Ok(()),
    };
    Err(Error::request(option::NULL, format!("a text for empty cells is also a declared {what}"))
        .with_fix("leave it out of one of the two"))
}

/// Refuses to leave out records without a value if the scan has no values, if missing ones are
/// replaced, or if the number of kept records is public.
fn check_left_out(scan: &Scan, purpose: Purpose) -> Result<()> {
    if !scan.leaves_out_missing {
        return Ok(());
    }
    let replaced = scan.value.as_ref().map(Value::replacement);
    let is_kept = matches!(purpose, Purpose::Buffer | Purpose::GroupBuffers);
    let (what, hint) = match replaced {
        None => (
            "there are no values, of which some could be missing",
            say("name the column of values with").set(option::VALUE, "COL"),
        ),
        Some(Some(_)) => {
            ("missing values are replaced or left out, not both", say("leave one of the two out"))
        }
        Some(None) if is_kept && scan.add_remove.is_none() => (
            "to leave records without a value out would reveal who has none",
            say("hide who takes part:").set(option::NEIGHBORS, "both"),
        ),
        Some(None) => return Ok(()),
    };
    Err(Error::request(option::MISSING, what).with_fix(hint))
}

/// Refuses a filter by private columns if the number of records is public, or by columns in which
/// the rows of a person can differ.
fn check_filter(scan: &Scan) -> Result<()> {
    if scan.add_remove.is_some() {
        return Ok(());
    }
    let folded = |name: &str| name.trim().to_lowercase();
    let is_one = |one: &String, column: &String| folded(one) == folded(column);
    for column in scan.filter_columns() {
        let what = match &scan.person {
            None if scan.is_public(column) => continue,
            None => "which rows are chosen by it would tell what stands in it",
            Some(person) if is_one(person, column) => continue,
            Some(_) if scan.public.iter().any(|public| is_one(public, column)) => continue,
            Some(_) => {
                "the rows of a person can differ in it, and which of them are chosen would tell \
                 what stands in it"
            }
        };
        return Err(Error::request(
            option::WHERE,
            format!("column {column} is not public, and {what}"),
        )
        .with_fix(
            say(format!("if everybody may know {column} of everybody, say so with"))
                .set(option::PUBLIC_COLUMNS, list::escaped(column))
                .say("; or hide who takes part:")
                .set(option::NEIGHBORS, "both"),
        ));
    }
    Ok(())
}

/// Refuses values without bounds unless records are kept, and bounded values if they are.
fn check_bounds(scan: &Scan, purpose: Purpose) -> Result<()> {
    let keeps = matches!(purpose, Purpose::Buffer | Purpose::GroupBuffers);
    match (keeps, &scan.value) {
        (false, Some(Value::Unbounded(_))) => {
            Err(Error::request(option::VALUE, "numbers without bounds cannot be added up")
                .with_fix("declare bounds, or keep the records in a buffer"))
        }
        (false, _) | (true, Some(Value::Unbounded(_))) => Ok(()),
        (true, _) => Err(Error::request(option::VALUE, "a buffer keeps numbers without bounds")
            .with_fix("name a column of numbers without bounds, or scan the records once")),
    }
}

/// Refuses a grid that is finer than doubles where values cannot be subtracted from exactly: rows
/// of persons that are reduced first, and bounds beyond 128 bits.
///
/// Elsewhere values are [`Offsets`](crate::cells::offset::Offsets); where doubles are no further
/// apart than the grid's points, they move no value by more than half a step.
fn check_fine_grid(scan: &Scan, grid: &Grid) -> Result<()> {
    match grid.is_finer_than_doubles() && (scan.keeps_plain_rows() || origin(grid).is_none()) {
        false => Ok(()),
        true => Err(inexact_bounds()),
    }
}

/// Refusal of bounds that are close to each other and far beyond 2^53, for front ends that read
/// values as doubles: some integers between such bounds have no double of their own.
///
/// # Example
///
/// ```
/// let refused = suum_data::inexact_bounds();
/// assert!(refused.to_string().starts_with("bounds: "));
/// ```
pub fn inexact_bounds() -> Error {
    Error::parameter(
        option::BOUNDS,
        "they are close to each other and beyond 9007199254740992 (2^53), where not every integer \
         has a double of its own",
    )
    .with_fix(
        "subtract the lower bound from the values and from both bounds; of files, tables of \
         databases and data in Python suum does that itself, but not of totals, nor in a level \
         query",
    )
}

fn check_groups(scan: &Scan, grouped: bool) -> Result<()> {
    if scan.label_columns().count() > Grouping::MOST_COLUMNS {
        return Err(Error::request(
            option::CROSSTAB,
            "beside it records have groups of up to three columns",
        )
        .with_fix("group by less"));
    }
    match &scan.group {
        Some(_) if !grouped => {
            Err(Error::request("group", "groups make a table each, not one of all records")
                .with_fix("leave the groups out, or read a table for each group"))
        }
        None if grouped => Err(Error::request("group", "there is no column of groups")
            .with_fix("name the column of groups, or read one table of all records")),
        Some(group) if !group.columns().iter().all(|one| one.groups.are_labels()) => {
            Err(Error::parameter("group", "groups are labels, not bins")
                .with_fix("declare the labels that may occur in the column"))
        }
        _ => Ok(()),
    }
}

/// Refuses values of persons where nobody is named, numbers of categories, shares of numbers, and
/// totals of dates.
fn check_person_value(scan: &Scan, value: &Value) -> Result<()> {
    if scan.person_value.name().is_none() {
        return Ok(());
    }
    if (scan.person_value == PersonValue::Last) != scan.person_time.is_some() {
        return Err(Error::request(
            option::PER_PERSON,
            "it is not said by which column a row of a person is the last",
        )
        .with_fix(for_example(option::PER_PERSON, "last:DATE")));
    }
    if scan.person.is_none() {
        return Err(Error::request(option::PER_PERSON, "it is said of a person's rows").with_fix(
            say("name the column of persons with")
                .set(option::PERSON, "COL")
                .say(", or leave")
                .option(option::PER_PERSON)
                .say("out"),
        ));
    }
    scan.person_value.check(matches!(value, Value::Category(_)))?;
    if scan.person_value == PersonValue::Total && value.scale().is_some() {
        return Err(Error::request(option::PER_PERSON, "dates and times have no total").with_fix(
            say("ask for").set(option::PER_PERSON, "max").say(", or say the bounds as numbers"),
        ));
    }
    let cells = match value {
        Value::Category(_) => None,
        Value::Number(column) => column.numbers.cells,
        Value::Unbounded(column) => column.cells,
    };
    match cells.is_some_and(|cells| cells.rows() != 1) {
        false => Ok(()),
        true => Err(Error::request(
            option::ROWS,
            "a person counts with one number and not with several of their rows",
        )
        .with_fix(
            say("leave").option(option::ROWS).say("or").option(option::PER_PERSON).say("out"),
        )),
    }
}

fn check_squares(numbers: &Numbers) -> Result<()> {
    let squares = numbers.squares || numbers.cells.is_some_and(Cells::has_sums);
    match squares && numbers.grid.points() > FINEST_SQUARES {
        false => Ok(()),
        true => Err(Error::request(
            "grid",
            "squares on a grid of more than 2^31 steps can exceed 128 bits",
        )
        .with_fix("use a grid of at most 2147483648 steps")),
    }
}

fn check_rows(cells: Option<Cells>, persons: bool) -> Result<()> {
    match !persons && cells.is_some_and(|cells| cells.rows() != 1) {
        false => Ok(()),
        true => Err(Error::request(option::ROWS, "without persons each record is one row")
            .with_fix(
                say("name the column of persons with")
                    .set(option::PERSON, "COL")
                    .say(", or leave")
                    .option(option::ROWS)
                    .say("out"),
            )),
    }
}

/// Refuses more counters than memory may hold, as far as their number follows from the
/// declarations.
fn check_pairs(scan: &Scan, value: &Value) -> Result<()> {
    let (levels, are, level, fewer) = match (&scan.privacy, &scan.add_remove) {
        (PrivacyColumn::Tiers { tiers, .. }, _) if scan.keeps_tiers() => {
            (tiers.len(), "are", "a tier", "declare fewer tiers")
        }
        (_, Some(range)) => {
            (range.most_levels(), "may be", "a budget", "narrow the range of budgets")
        }
        // It is known when they have been read.
        (_, None) => return Ok(()),
    };
    let (parts, part, lower) = match value {
        Value::Category(column) => {
            (column.counted_categories().len(), "a category", say("declare fewer categories"))
        }
        Value::Number(ValueColumn { numbers: Numbers { cells, .. }, .. })
        | Value::Unbounded(UnboundedColumn { cells, .. }) => match cells {
            // Those with rows count. Where it is private which have any, all count.
            Some(cells) if scan.add_remove.is_some() => {
                (cells.steps() as usize + 1, "a candidate", say("lower").option(option::CELLS))
            }
            _ => return Ok(()),
        },
    };
    let limit = MOST / scan.parts_of_counters();
    if levels.saturating_mul(parts) <= limit {
        return Ok(());
    }
    let (groups, merge) =
        if limit == MOST { ("", "") } else { (" in each group", ", or declare fewer groups") };
    Err(Error::request(
        (),
        format!("there {are} more than {limit} pairs of {level} and {part}{groups}"),
    )
    .with_fix(lower.say(format!(", or {fewer}{merge}"))))
}
