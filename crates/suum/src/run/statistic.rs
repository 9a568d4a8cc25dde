//! Requests of each statistic to the data and to the plan: the one place in which the facade tells
//! statistics apart.

use suum_core::{
    AddRemoveRequest, Bounds, Cells, DeclaredBudgets, Error, Grid, LevelTable, Measure, Numbers,
    PersonValue, Plan, Profile, Request, Result, Statistic, UnboundedPlan, WeightedRequest, option,
    say,
};
use suum_data::Value;

use super::tables;
use crate::counted;
use crate::query::Query;
use crate::statistic::StatisticName;

/// Refuses an impossible request before the data are read, since that can take long.
pub(crate) fn check(query: &Query) -> Result<()> {
    match query.statistic {
        StatisticName::Count => return Ok(()),
        // Its categories may be those of a level table.
        StatisticName::Frequency if query.counted_categories()?.is_none() => {
            return query.estimation().map(|_| ());
        }
        _ => {}
    }
    let request = request(query, Cells::new(1)?)?;
    check_sum(query)?;
    request.check(query.declared_bounds()?)
}

/// Refuses to add up dates.
fn check_sum(query: &Query) -> Result<()> {
    let scale = query.declared_bounds()?.and_then(Bounds::scale);
    match (&query.statistic, scale) {
        (StatisticName::Sum, Some(_)) => {
            Err(Error::request(option::BOUNDS, "dates and times have no sum")
                .with_fix("ask for their mean, or say the bounds as numbers"))
        }
        _ => Ok(()),
    }
}

/// Column to read, with its measure and these candidates of quantiles; a count reads none.
pub(crate) fn value(
    query: &Query,
    cells: impl Fn(Bounds) -> Result<Cells>,
) -> Result<Option<Value>> {
    match query.statistic {
        StatisticName::Count => Ok(None),
        StatisticName::Frequency => query.category_column().map(Some),
        _ => query.number_column(|grid| numbers(query, grid, cells)).map(Some),
    }
}

/// Numbers that are added up on this grid.
fn numbers(query: &Query, grid: Grid, cells: impl Fn(Bounds) -> Result<Cells>) -> Result<Numbers> {
    Ok(request(query, cells(grid.bounds())?)?.numbers(grid))
}

/// Request with these candidates of quantiles.
pub(crate) fn request(query: &Query, cells: Cells) -> Result<Request> {
    let options = query.estimation()?;
    match &query.statistic {
        StatisticName::Frequency => match query.undeclared_categories() {
            Some(asked) => Ok(Request::found_frequency(asked, options)),
            None => Ok(Request::frequency(tables::planned_categories(query, None)?, options)),
        },
        StatisticName::Quantile => Ok(Request::quantiles(cells, query.ranks()?, options)),
        StatisticName::Several(statistics) => {
            let asked = (statistics.clone(), query.split(statistics)?);
            Ok(Request::summary(cells, asked, options))
        }
        plain => {
            let asked = plain.plain().ok_or_else(|| {
                Error::internal("a statistic needs more than its column")
                    .with_fix("please report it, with the options")
            })?;
            Ok(Request { asked, options })
        }
    }
}

/// Refuses a level table of another column than the requested one, or one that lacks something the
/// statistic needs: it may have been made for another one.
pub(crate) fn check_table(query: &Query, table: &LevelTable) -> Result<()> {
    tables::check_column(table, query.counted_column().as_deref())?;
    check_persons(query, table)?;
    if query.statistic == StatisticName::Frequency {
        tables::check_categories(table, query.counted_categories()?.as_ref())?;
        return counted::categories(table).map(|_| ());
    }
    tables::check_bounds(table, query)?;
    tables::check_cells(table, query)?;
    let needed = numbers(query, counted::numbers(table)?.grid, |bounds| query.cells(bounds))?;
    // Without squares the interval of a mean is for the largest variance there can be.
    let can_do_without = match &query.statistic {
        StatisticName::Several(statistics) => !statistics.variance,
        StatisticName::Mean | StatisticName::Sum => true,
        _ => false,
    };
    if needed.squares && !can_do_without {
        counted::squares(table)?;
    }
    // Without sums in cells a mean does not learn where the values lie.
    if needed.cells.is_some_and(|cells| !cells.has_sums()) {
        counted::candidates(table)?;
    }
    Ok(())
}

/// Refuses a level table whose persons count with another value.
pub(crate) fn check_persons(query: &Query, table: &LevelTable) -> Result<()> {
    if query.person_time().is_some() {
        // Data were read by it; no table of others is made so.
        return Ok(());
    }
    match query.statistic {
        // Their values are not used.
        StatisticName::Count => Ok(()),
        StatisticName::Frequency => table.check_categories_of_persons(person_value(query)),
        _ if query.statistic.has_quantiles() => table.check_ranked_persons(person_value(query)),
        _ => table.check_persons(person_value(query)),
    }
}

/// Value with which persons with many rows count.
pub(crate) fn person_value(query: &Query) -> PersonValue {
    query.person_value().unwrap_or_else(|| {
        PersonValue::for_statistic(match query.statistic {
            StatisticName::Sum => Statistic::Sum,
            StatisticName::Frequency => Statistic::Frequency,
            _ => Statistic::Mean,
        })
    })
}

/// Assumed measure if nothing is added up: over the declared bounds, those of the level table if
/// there is one, or the unit interval.
pub(crate) fn assumed(query: &Query, table: Option<&LevelTable>) -> Result<Measure> {
    if query.statistic == StatisticName::Frequency {
        return tables::planned_categories(query, table).map(Measure::Categories);
    }
    let bounds = declared(query, table)?.unwrap_or(Bounds::UNIT);
    let numbers = numbers(query, Grid::new(bounds), |bounds| query.cells(bounds))?;
    // A table has its sums in cells or not, and a mean can do without.
    let has_sums = |cells: Cells| cells.has_sums();
    let lacks = table
        .and_then(LevelTable::numbers)
        .is_some_and(|added_up| !added_up.cells.is_some_and(has_sums));
    let cells = numbers.cells.filter(|cells| !(lacks && cells.has_sums()));
    Ok(Measure::Numbers(Numbers { cells, ..numbers }))
}

/// Declared bounds, or those of the level table.
pub(crate) fn declared(query: &Query, table: Option<&LevelTable>) -> Result<Option<Bounds>> {
    let of_table = table.and_then(|table| table.grid().map(Grid::bounds));
    Ok(query.declared_bounds()?.or(of_table))
}

/// Plan for records of this profile, with this measure.
pub(crate) fn plan(query: &Query, measure: &Measure, profile: Profile) -> Result<Plan> {
    if query.wants_range() {
        let request = request(query, query.cells_without_bounds()?)?;
        return UnboundedPlan::new(request, profile).map(Plan::from);
    }
    match measure {
        Measure::Numbers(numbers) => {
            // The plan refuses quantiles of a table without candidates.
            let cells = numbers.cells.map_or_else(|| query.cells_without_bounds(), Ok)?;
            request(query, cells)?.plan(profile, *numbers)
        }
        Measure::Categories(_) if query.finds_categories() => {
            let request = request(query, Cells::new(1)?)?;
            request.plan(profile, Grid::new(Bounds::UNIT).into())
        }
        Measure::Categories(categories) => {
            let request = WeightedRequest::frequency(categories.clone(), query.estimation()?)?;
            request.plan(profile).map(Plan::from)
        }
        Measure::Nothing => Err(counted::no_sums()),
    }
}

/// Request for a release under hidden participation. If the statistic needs them, `bounds` returns
/// the bounds and `cells` the candidates over them.
pub(crate) fn add_remove(
    query: &Query,
    budgets: DeclaredBudgets,
    bounds: impl Fn() -> Result<Bounds>,
    cells: impl Fn(Bounds) -> Result<Cells>,
) -> Result<AddRemoveRequest> {
    // A count and frequencies have neither.
    let (bounds, cells) = match &query.statistic {
        StatisticName::Count | StatisticName::Frequency => (Bounds::UNIT, Cells::new(1)?),
        _ => {
            let bounds = bounds()?;
            (bounds, cells(bounds)?)
        }
    };
    request(query, cells)?.add_remove(bounds, budgets)
}

/// Refusal to plan a count.
pub(crate) fn no_count() -> Error {
    Error::request(
        option::STATISTIC,
        "a count is exact with replace-one neighbours, so there is nothing to plan",
    )
    .with_fix(say("choose another statistic, or").set(option::NEIGHBORS, "add-remove"))
}
