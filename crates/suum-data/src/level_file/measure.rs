//! Measure that a level-table file declares, and the sums of its levels.

use suum_core::{
    Bounds, Categories, CellCounts, CellSums, Cells, Command, Error, ExactSum, Grid, Measure,
    Numbers, PersonValue, Result, say,
};

use super::file::{FoundLevel, LevelFile, refused};
use super::numbers::{Count, integer};
use crate::read::check::FINEST_SQUARES;

/// Problem with a level, and a way out.
type Wrong = (&'static str, &'static str);

/// Value that persons count with.
pub(super) fn person_value(found: &LevelFile) -> Result<PersonValue> {
    match (&found.per_person, found.totals) {
        (None, Some(true)) => Ok(PersonValue::Total),
        (None, _) => Ok(PersonValue::Rows),
        (Some(name), None | Some(false)) => match name.parse() {
            // It does not say by which column.
            Ok(PersonValue::Last) | Err(_) => Err(refused(
                "\"per_person\" is nothing that persons can count with",
                "write mean, total, median, min or max, of categories share or mode, or leave it \
                 out",
            )),
            Ok(value) => Ok(value),
        },
        (Some(_), Some(true)) => Err(refused(
            "\"totals\" and \"per_person\" both say what persons count with",
            "leave one of them out",
        )),
    }
}

/// Reads and checks the measure of a file.
pub(super) fn measure(found: &LevelFile) -> Result<Measure> {
    if found.person.as_ref().is_some_and(|person| person.trim_ascii().is_empty()) {
        return Err(refused(
            "the name of the column of persons is empty",
            "leave \"person\" out without one",
        ));
    }
    let value = person_value(found)?;
    let has_rows = found.rows.is_some_and(|rows| rows != 1);
    if value.is_of_categories() {
        if found.person.is_none() || found.categories.is_none() {
            return Err(refused(
                "shares and modes are those of persons, in categories",
                "leave \"per_person\" out, or give person and categories",
            ));
        }
    } else if value.is_one_number()
        && (found.person.is_none() || found.bounds.is_none() || has_rows)
    {
        return Err(refused(
            "totals are those of persons, over bounds, as all numbers that persons count with, \
             and have no rows at candidates",
            "leave \"totals\", \"per_person\" and \"rows\" out, or give person, bounds and grid, \
             and no rows",
        ));
    }
    if found.crosstab.is_some() && found.categories.is_none() {
        return Err(refused(
            "a crosstab has cells, which are its categories",
            "give \"categories\", or leave \"crosstab\" out",
        ));
    }
    match (found.bounds, found.grid, &found.categories) {
        (Some([lower, upper]), Some(points), None) => {
            let bounds = Bounds::new(lower, upper).map_err(|error| {
                refused(error.to_string(), "write the bounds as [LO,HI] with LO below HI")
            })?;
            let unit = found.unit.as_ref().map(|unit| unit.parse()).transpose();
            let unit = unit.map_err(|error: Error| {
                refused(error.to_string(), "leave \"unit\" out where values are numbers")
            })?;
            let grid = Grid::with_points(bounds.on(unit), points).map_err(|error| {
                refused(
                    error.to_string(),
                    say("use the grid of")
                        .command(Command::ask("levels"))
                        .say(", 1073741824, unless you need another"),
                )
            })?;
            numbers(found, grid).map(Measure::Numbers)
        }
        _ if found.unit.is_some()
            || found.squares.is_some()
            || found.cells.is_some()
            || found.cell_sums.is_some()
            || found.rows.is_some() =>
        {
            Err(refused(
                "unit, squares, cells and rows are for a column of numbers",
                "give bounds and grid, or leave them out",
            ))
        }
        (None, None, Some(names)) => {
            let counted = categories(found, names).map_err(|error| {
                refused(error.to_string(), "name at least two categories, each of them once")
            })?;
            Ok(Measure::Categories(match value {
                PersonValue::Share => counted.divided(),
                _ => counted,
            }))
        }
        (_, _, Some(_)) => Err(refused(
            "bounds and grid are for numbers, categories for counts: there is one or the other",
            "write one table for the sums and another for the counts",
        )),
        (None, None, None) if found.column.is_none() => Ok(Measure::Nothing),
        _ => Err(refused(
            "column, bounds and grid belong together",
            "give bounds and grid for a column of numbers, categories for a column of labels, or \
            none of them if no value was read",
        )),
    }
}

/// Categories with these names, or the cells of a cross table with these names.
fn categories(found: &LevelFile, names: &[String]) -> Result<Categories> {
    let Some(crosstab) = &found.crosstab else { return Categories::new(names.to_vec()) };
    let cells = Categories::crossed(crosstab.clone())?;
    match cells.names() == names {
        true => Ok(cells),
        false => Err(refused(
            "the categories are not the cells of the \"crosstab\"",
            "name the cells row by row, each by both of its labels: \"north, f\"",
        )),
    }
}

/// Reads and checks the measure of numbers on the grid.
fn numbers(found: &LevelFile, grid: Grid) -> Result<Numbers> {
    let squares = found.squares == Some(true);
    if squares && grid.points() > FINEST_SQUARES {
        return Err(refused(
            "squares on a grid of more than 2^31 steps can exceed 128 bits",
            "use a grid of at most 2147483648 steps",
        ));
    }
    let sums = found.cell_sums == Some(true);
    if sums && !(squares && found.cells.is_some() && found.rows.is_none()) {
        return Err(refused(
            "sums in cells need squares and cells, and have no rows",
            "write \"squares\":true and the number of steps as \"cells\", and leave \"rows\" out",
        ));
    }
    let rows = found.rows.unwrap_or(1);
    let cells = match found.cells {
        None if found.rows.is_some() => {
            return Err(refused(
                "it has rows but no cells",
                "give the number of steps of the cells",
            ));
        }
        None => None,
        Some(_) if rows != 1 && found.person.is_none() => {
            return Err(refused(
                "without persons each record is one row",
                "name the column of persons, or leave \"rows\" out",
            ));
        }
        Some(steps) => {
            let cells = Cells::new(steps).and_then(|cells| cells.with_rows(rows));
            let cells = cells.map(|cells| cells.with_sums(sums));
            Some(cells.map_err(|error| {
                refused(
                    error.to_string(),
                    "give 1 to 1048576 steps, and 1 to 1000 rows for each person",
                )
            })?)
        }
    };
    Ok(Numbers { grid, squares, cells })
}

/// The sums of a level.
pub(super) fn sums(
    level: &FoundLevel,
    measure: &Measure,
) -> std::result::Result<Vec<ExactSum>, Wrong> {
    let squares = matches!(measure, Measure::Numbers(Numbers { squares: true, .. }));
    if squares && level.squares.is_none() {
        return Err((
            "it has no squares",
            "give the sum of (2g − G)² over the grid indices g of each level",
        ));
    }
    if !squares && level.squares.is_some() {
        return Err((
            "it has squares but the table does not say so",
            "write \"squares\":true next to the grid",
        ));
    }
    match (measure, &level.sum, &level.counts) {
        (Measure::Nothing, None, None) => Ok(Vec::new()),
        (Measure::Numbers(_), Some(sum), None) => {
            let sum = integer(sum).ok_or((
                "the sum is not an integer",
                "write the sum as a decimal string, for example \"123456789\"",
            ))?;
            let squares = level.squares.as_ref().map(|squares| {
                integer(squares).ok_or((
                    "the sum of squares is not an integer",
                    "write the squares as a decimal string, for example \"123456789\"",
                ))
            });
            Ok([Some(sum), squares.transpose()?]
                .into_iter()
                .flatten()
                .map(ExactSum::from_raw)
                .collect())
        }
        (Measure::Categories(categories), None, Some(counts)) => {
            if counts.len() != categories.len() {
                return Err((
                    "there are not as many counts as categories",
                    "give a count for each category, 0 where there are no records",
                ));
            }
            let counts =
                counts.iter().map(|Count(count)| Some(ExactSum::from_raw(i128::from((*count)?))));
            counts.collect::<Option<_>>().ok_or((
                "a count of a category is not a number of records",
                "write counts as integers or decimal strings, for example \"123\"",
            ))
        }
        (Measure::Numbers(_), None, _) => {
            Err(("it has no sum", "give the sum of the grid indices of each level"))
        }
        (Measure::Categories(_), _, None) => {
            Err(("it has no counts", "give the number of records of each category"))
        }
        (Measure::Nothing, Some(_), _) => {
            Err(("it has a sum but the table no grid", "give bounds and grid"))
        }
        (Measure::Categories(_), Some(_), _) => {
            Err(("it has a sum but the table categories", "give counts alone"))
        }
        (_, _, Some(_)) => {
            Err(("it has counts but the table no categories", "give the categories"))
        }
    }
}

/// The rows at each candidate of a level.
pub(super) fn cells(
    level: &FoundLevel,
    measure: &Measure,
) -> std::result::Result<CellCounts, Wrong> {
    let asked = matches!(measure, Measure::Numbers(Numbers { cells: Some(_), .. }));
    let found = match &level.cells {
        None if asked => {
            return Err(("it has no cells", "give the candidates with rows of each level"));
        }
        Some(_) if !asked => {
            return Err((
                "it has cells but the table does not say so",
                "write the number of steps as \"cells\" next to the grid",
            ));
        }
        None => return Ok(CellCounts::default()),
        Some(found) => found,
    };
    if !found.is_sorted_by(|a, b| a.0 < b.0) {
        return Err((
            "its cells are not in ascending order",
            "list each candidate with rows once, in order",
        ));
    }
    let counts =
        found.iter().map(|(candidate, Count(count))| Some((*candidate, count.filter(|c| *c > 0)?)));
    let counts: Vec<(u32, u64)> = counts.collect::<Option<_>>().ok_or((
        "a count of a cell is not a number of rows",
        "write counts as positive integers, and leave candidates without rows out",
    ))?;
    let summed = matches!(
        measure,
        Measure::Numbers(Numbers { cells: Some(cells), .. }) if cells.has_sums()
    );
    let wrong = (
        "it has not one pair of sums for each of its cells",
        "give \"cell_sums\" as pairs of decimal strings where the table says so, and only there",
    );
    match &level.cell_sums {
        None if !summed => Ok(CellCounts::from_raw(counts)),
        Some(sums) if summed && sums.len() == counts.len() => {
            let sums = sums.iter().map(|(indices, squares)| {
                let [indices, squares] = [indices, squares].map(|sum| integer(sum));
                Some(CellSums {
                    indices: ExactSum::from_raw(indices?),
                    squares: ExactSum::from_raw(squares?),
                })
            });
            let sums: Vec<CellSums> = sums.collect::<Option<_>>().ok_or(wrong)?;
            let cells = counts.into_iter().zip(sums);
            let cells = cells.map(|((candidate, count), sums)| (candidate, count, sums));
            Ok(CellCounts::with_sums(cells.collect()))
        }
        _ => Err(wrong),
    }
}
