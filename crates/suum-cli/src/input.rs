//! From arguments to level tables and options.

use suum::sql::Counted;
use suum::{
    Bounds, Categories, CategoryColumn, Cells, Classes, Cohort, Error, Estimator, Grid,
    GroupColumn, LevelTable, Neighbors, Numbers, Options, PrivacyColumn, QuantileEstimator,
    QuantileOptions, Randomness, RangeOptions, RangePlan, Rank, Result, Scan, Split, Spool,
    Statistics, SummaryOptions, Target, Tiers, UnboundedColumn, Value, ValueColumn,
    VarianceOptions,
};

use crate::arguments::{
    CategoryArguments, CellArguments, CommonArguments, FrequencyArguments, InputArguments,
    IntervalArguments, MeanArguments, NeighborsArgument, OptionArguments, SeedArguments,
    SplitArguments, TargetArgument, ValueArguments,
};
use crate::grouped::Tables;
use crate::{metering, reading};

/// The level table of the data, or the one in a file; with sums of `value` if there is one.
pub(crate) fn level_table(
    input: &InputArguments,
    value: Option<Value>,
    quiet: bool,
) -> Result<LevelTable> {
    match &input.from_levels {
        Some(file) => at_what_is_left(input, reading::levels(input, file)?),
        None => scan(input, value, quiet),
    }
}

/// As [`level_table`], or the table of each group that the result of a level query has.
fn counted(input: &InputArguments, value: Option<Value>, quiet: bool) -> Result<Tables> {
    let Some(file) = &input.from_levels else {
        return scan(input, value, quiet).map(Tables::One);
    };
    match reading::counted(input, file)? {
        Counted::Groups(_) if input.ledger.ledger.is_some() => {
            Err(Error::request("ledger: the groups of a result are not charged to accounts")
                .with_hint("name the data in place of --from-levels, or leave --ledger out"))
        }
        Counted::Groups(groups) => {
            let tables = Tables::Groups(groups);
            tables.iter().try_for_each(|table| check_tiers(input, table))?;
            Ok(tables)
        }
        Counted::One(table) => {
            at_what_is_left(input, reading::of_somebody(table)?).map(Tables::One)
        }
    }
}

/// As [`level_table`], or one table for each group.
pub(crate) fn tables(
    input: &InputArguments,
    value: Option<Value>,
    group: Option<GroupColumn>,
    quiet: bool,
) -> Result<Tables> {
    if group.is_none() {
        return counted(input, value, quiet);
    }
    let scan = Scan {
        person: input.person.clone(),
        accounts: metering::accounts(input),
        group,
        ..Scan::new(privacy_column(input)?, value)
    };
    let mut groups = reading::scan_groups(input, &scan, quiet)?;
    for (_, table) in &mut groups.tables {
        *table = table.take().map(|table| metering::name_tiers(input, table)).transpose()?;
    }
    Ok(Tables::Groups(groups))
}

fn scan(input: &InputArguments, value: Option<Value>, quiet: bool) -> Result<LevelTable> {
    let scan = Scan {
        person: input.person.clone(),
        accounts: metering::accounts(input),
        ..Scan::new(privacy_column(input)?, value)
    };
    metering::name_tiers(input, reading::scan(input, &scan, quiet)?)
}

/// Refuses a level table of another column than the one asked for.
pub(crate) fn check_column(table: &LevelTable, column: Option<&str>) -> Result<()> {
    if column.is_some() && table.column() != column {
        return Err(Error::table("level table: it was not made of the column given as --value")
            .with_hint("leave --value out, or make the table again"));
    }
    Ok(())
}

/// A level table of people who allow what is asked for, at the budgets that they have left.
fn at_what_is_left(input: &InputArguments, table: LevelTable) -> Result<LevelTable> {
    check_tiers(input, &table)?;
    let table = metering::cap(input, table)?;
    input.noted.table(&table);
    Ok(table)
}

/// Refuses a level table of people who allow something else than the tiers say that are asked for.
/// A ledger lowers them itself.
fn check_tiers(input: &InputArguments, table: &LevelTable) -> Result<()> {
    let (Some(levels), None) = (&input.levels, &input.ledger.ledger) else { return Ok(()) };
    let tiers: Tiers = levels.parse()?;
    let is_declared = |cohort: &Cohort| {
        tiers.iter().any(|tier| Some(tier.0) == cohort.label.as_deref() && tier.1 == cohort.epsilon)
    };
    match table.cohorts().iter().all(is_declared) {
        true => Ok(()),
        false => Err(Error::table(
            "level table: its people allow something else than --levels says",
        )
        .with_hint(
            "leave --levels out, since the table says what each tier allows; or make the table \
                again",
        )),
    }
}

/// Refuses a level table with other bounds than those asked for.
pub(crate) fn check_bounds(table: &LevelTable, bounds: Option<&str>) -> Result<()> {
    let Some(bounds) = bounds else { return Ok(()) };
    let bounds: Bounds = bounds.parse()?;
    if table.grid().map(Grid::bounds) != Some(bounds) {
        return Err(Error::table("level table: it was not made with the bounds given as --bounds")
            .with_hint("leave --bounds out, or make the table again"));
    }
    Ok(())
}

/// Refuses a level table with other categories than those asked for.
pub(crate) fn check_categories(table: &LevelTable, classes: Option<&Classes>) -> Result<()> {
    let Some(classes) = classes else { return Ok(()) };
    if table.categories() != Some(classes.categories()) {
        return Err(Error::table("level table: it was not made with the categories given")
            .with_hint("leave --categories, --bins and --other out, or make the table again"));
    }
    Ok(())
}

pub(crate) fn privacy_column(input: &InputArguments) -> Result<PrivacyColumn> {
    match (&input.epsilon, &input.privacy, &input.levels) {
        (Some(column), None, _) => Ok(PrivacyColumn::Budgets { column: column.clone() }),
        (None, Some(column), Some(levels)) => {
            Ok(PrivacyColumn::Tiers { column: column.clone(), tiers: levels.parse()? })
        }
        _ => Err(Error::parameter("privacy: it is not said what each record allows").with_hint(
            "give --epsilon COL, or --privacy COL --levels strict=0.01,standard=0.1,public=inf",
        )),
    }
}

/// The column of values to read; none where a level table, which has counted it, stands for the
/// data.
pub(crate) fn unless_counted(
    input: &InputArguments,
    value: impl FnOnce() -> Result<Value>,
) -> Result<Option<Value>> {
    input.from_levels.is_none().then(value).transpose()
}

/// The numeric column to add up, and what is added up of it on this grid.
pub(crate) fn number_column(
    value: &ValueArguments,
    numbers: impl FnOnce(Grid) -> Result<Numbers>,
) -> Result<Value> {
    let column = column_name(value.value.as_ref())?;
    let numbers = numbers(Grid::new(bounds(value)?))?;
    Ok(Value::Number(ValueColumn { column, numbers, missing: value.missing }))
}

/// The bounds that stand for a range to be found.
pub(crate) const AUTO: &str = "auto";

/// Whether no bounds are declared and a range is to be found.
pub(crate) fn wants_range(value: &ValueArguments) -> bool {
    value.bounds.as_deref() == Some(AUTO)
}

pub(crate) fn bounds(value: &ValueArguments) -> Result<Bounds> {
    match &value.bounds {
        Some(bounds) if bounds == AUTO => Err(Error::request("bounds: auto is for means")
            .with_hint(
                "declare the range that values can take, from public knowledge: --bounds LO,HI",
            )),
        Some(bounds) => bounds.parse(),
        None => Err(Error::parameter("bounds: no bounds are given").with_hint(
            "add --bounds LO,HI with the range that values can take, from public knowledge",
        )),
    }
}

/// The numeric column of which no bounds are known.
pub(crate) fn unbounded_column(value: &ValueArguments) -> Result<Value> {
    let column = column_name(value.value.as_ref())?;
    Ok(Value::Unbounded(UnboundedColumn { column, missing: value.missing }))
}

/// All records, for a mean without declared bounds.
pub(crate) fn spool(input: &InputArguments, value: &ValueArguments, quiet: bool) -> Result<Spool> {
    let scan = Scan::new(privacy_column(input)?, Some(unbounded_column(value)?));
    reading::spool(input, &scan, quiet)
}

/// The tables of a numeric column: of a level-table file if there is one, or of the data, in which
/// `numbers` says what to add up.
pub(crate) fn number_tables(
    input: &InputArguments,
    value: &ValueArguments,
    group: Option<GroupColumn>,
    quiet: bool,
    numbers: impl FnOnce(Grid) -> Result<Numbers>,
) -> Result<Tables> {
    let column = unless_counted(input, || number_column(value, numbers))?;
    let tables = tables(input, column, group, quiet)?;
    for table in tables.iter() {
        check_column(table, value.value.as_deref())?;
        check_bounds(table, value.bounds.as_deref())?;
    }
    Ok(tables)
}

/// The candidates of quantiles over these bounds.
pub(crate) fn cells(arguments: &CellArguments, bounds: Bounds) -> Result<Cells> {
    let cells = match arguments.step {
        Some(step) => Cells::with_step(bounds, step)?,
        None => Cells::new(arguments.cells.unwrap_or(Cells::STEPS))?,
    };
    cells.with_rows(arguments.rows.unwrap_or(1))
}

/// Refuses a level table with other candidates than those asked for.
pub(crate) fn check_cells(table: &LevelTable, arguments: &CellArguments) -> Result<()> {
    if arguments.step.is_none() && arguments.cells.is_none() {
        return Ok(());
    }
    let Some(numbers) = table.numbers() else { return Ok(()) };
    let asked = cells(arguments, numbers.grid.bounds())?;
    if numbers.cells.is_some_and(|cells| cells.steps() != asked.steps()) {
        return Err(Error::table("level table: it was not made with the --step or --cells given")
            .with_hint("leave --step and --cells out, or make the table again"));
    }
    Ok(())
}

/// The ranks that are asked for.
pub(crate) fn ranks(text: &str) -> Result<Vec<Rank>> {
    text.split(',').map(str::parse).collect()
}

/// The column whose categories are counted.
pub(crate) fn category_column(arguments: &FrequencyArguments) -> Result<Value> {
    let column = column_name(arguments.value.as_ref())?;
    let classes = classes(&arguments.categories)?.ok_or_else(no_categories)?;
    Ok(Value::Category(CategoryColumn { column, classes, missing: arguments.missing.clone() }))
}

pub(crate) fn column_name(column: Option<&String>) -> Result<String> {
    column.cloned().ok_or_else(|| {
        Error::parameter("value: no column of values is given").with_hint("add --value COL")
    })
}

pub(crate) fn no_categories() -> Error {
    Error::parameter("categories: none are declared")
        .with_hint("add --categories A,B,C or --bins EDGE,EDGE,… from public knowledge")
}

/// The declared categories, if there are any.
pub(crate) fn classes(arguments: &CategoryArguments) -> Result<Option<Classes>> {
    let other = arguments.other.as_deref();
    match (&arguments.categories, &arguments.bins) {
        (Some(names), _) => Ok(Some(Classes::labels(suum::list::items(names), other)?)),
        (None, Some(edges)) => Ok(Some(Classes::bins(edges, other)?)),
        (None, None) if other.is_some() => Err(no_categories()),
        (None, None) => Ok(None),
    }
}

/// The categories that a plan is for.
pub(crate) fn planned_categories(
    arguments: &CategoryArguments,
    table: Option<&LevelTable>,
) -> Result<Categories> {
    match (classes(arguments)?, table.and_then(LevelTable::categories)) {
        (Some(classes), _) => Ok(classes.categories().clone()),
        (None, Some(categories)) => Ok(categories.clone()),
        (None, None) => Err(no_categories()),
    }
}

/// The seed that stands for no noise at all, in tests of this crate only.
#[cfg(all(feature = "noiseless", debug_assertions))]
const NOISELESS: u64 = u64::MAX;

/// Randomness from the operating system, or from a seed for tests.
pub(crate) fn randomness(seed: &SeedArguments) -> Result<Randomness> {
    match seed.insecure_seed {
        #[cfg(all(feature = "noiseless", debug_assertions))]
        Some(NOISELESS) => Ok(Randomness::noiseless()),
        Some(seed) => Ok(Randomness::insecure(seed)),
        None => suum::entropy(),
    }
}

/// The options of a request for a mean or a sum.
pub(crate) fn mean_options(arguments: &OptionArguments, mean: &MeanArguments) -> Result<Options> {
    let variance = match mean.variance.as_deref() {
        None | Some("private") => None,
        Some(number) => Some(number.trim().parse().map_err(|_| {
            Error::parameter("variance: expected a number, or private")
                .with_hint("for example --variance 20")
        })?),
    };
    Ok(Options { variance, shrink: mean.shrink, ..options(arguments)? })
}

/// The options of a mean without declared bounds.
pub(crate) fn range_options(arguments: &OptionArguments) -> Result<RangeOptions> {
    check_not_studied(&arguments.estimator)?;
    if !["auto", RangePlan::NAME].contains(&arguments.estimator.as_str()) {
        return Err(Error::parameter(
            "estimator: there is none of that name for means without declared bounds",
        )
        .with_hint("choose auto or gaussian, or declare bounds with --bounds LO,HI"));
    }
    Ok(RangeOptions {
        target: target(arguments.common.target),
        confidence: arguments.common.confidence,
    })
}

/// Refuses what a mean without declared bounds has no use for.
pub(crate) fn check_range_options(mean: &MeanArguments, split: &SplitArguments) -> Result<()> {
    for (given, option) in [
        (mean.variance.is_some(), "variance"),
        (mean.shrink, "shrink"),
        (split.split.is_some(), "split"),
    ] {
        if given {
            return Err(Error::request(format!("{option}: needs declared bounds")).with_hint(
                format!("leave --{option} out, or declare bounds with --bounds LO,HI"),
            ));
        }
    }
    Ok(())
}

/// The names of published estimators that are for study, and that another program has.
pub(crate) fn studied() -> impl Iterator<Item = &'static str> {
    let compared = Estimator::ALL.into_iter().filter(|estimator| estimator.is_for_study());
    compared.map(Estimator::name).chain(["gaussian-diffusion"])
}

/// Refuses estimators that are for study, and says who has them.
fn check_not_studied(estimator: &str) -> Result<()> {
    if studied().all(|studied| studied != estimator) {
        return Ok(());
    }
    Err(suum::for_study(estimator))
}

/// The options that every statistic has.
pub(crate) fn options(arguments: &OptionArguments) -> Result<Options> {
    let is_asked = |name: &str| name == arguments.estimator;
    check_not_studied(&arguments.estimator)?;
    if is_asked(RangePlan::NAME) {
        return Err(Error::request("estimator: this one finds the range of the values of a mean")
            .with_hint("leave --estimator out, or ask for a mean with --bounds auto"));
    }
    let of_quantiles = QuantileEstimator::ALL.iter().any(|estimator| is_asked(estimator.name()));
    if of_quantiles && !Estimator::ALL.iter().any(|estimator| is_asked(estimator.name())) {
        return Err(Error::request("estimator: this one is for quantiles")
            .with_hint("leave --estimator out, or ask for a quantile"));
    }
    Ok(Options {
        target: target(arguments.common.target),
        neighbors: neighbors(arguments.common.neighbors),
        estimator: arguments.estimator.parse()?,
        beta: arguments.beta,
        confidence: arguments.common.confidence,
        ..Options::default()
    })
}

/// The target of an estimate.
fn target(argument: TargetArgument) -> Target {
    match argument {
        TargetArgument::Population => Target::Population,
        TargetArgument::Dataset => Target::Dataset,
        TargetArgument::DatasetCorrelated => Target::DatasetCorrelated,
    }
}

/// The options of quantiles.
pub(crate) fn quantile_options(
    estimator: &str,
    common: &CommonArguments,
    intervals: &IntervalArguments,
    cells: &CellArguments,
) -> Result<QuantileOptions> {
    Ok(QuantileOptions {
        target: target(common.target),
        neighbors: neighbors(common.neighbors),
        estimator: estimator.parse()?,
        confidence: common.confidence,
        interval_share: intervals.interval_share,
        whole: cells.step.is_some(),
        ..QuantileOptions::default()
    })
}

/// The options of a variance.
pub(crate) fn variance_options(common: &CommonArguments) -> VarianceOptions {
    VarianceOptions {
        target: target(common.target),
        neighbors: neighbors(common.neighbors),
        confidence: common.confidence,
        ..VarianceOptions::default()
    }
}

/// The options of a summary.
pub(crate) fn summary_options(
    common: &CommonArguments,
    intervals: &IntervalArguments,
    cells: &CellArguments,
) -> SummaryOptions {
    SummaryOptions {
        target: target(common.target),
        neighbors: neighbors(common.neighbors),
        confidence: common.confidence,
        interval_share: intervals.interval_share,
        whole: cells.step.is_some(),
    }
}

/// How the statistics share every budget.
pub(crate) fn split(statistics: &Statistics, arguments: &SplitArguments) -> Result<Split> {
    let even = Split::even(statistics);
    let Some(text) = &arguments.split else { return Ok(even) };
    let split = even.with(text)?;
    for (asked, (part, usual), name) in [
        (statistics.mean, (split.mean, even.mean), "mean"),
        (statistics.variance, (split.variance, even.variance), "variance"),
        (!statistics.quantiles.is_empty(), (split.quantile, even.quantile), "quantile"),
    ] {
        if !asked && part != usual {
            return Err(Error::request(format!("split: no {name} is asked for"))
                .with_hint(format!("leave {name} out of --split, or name one with --statistic")));
        }
    }
    Ok(split)
}

/// Refuses what only quantiles have, where there are none.
pub(crate) fn check_quantile_arguments(
    cells: &CellArguments,
    intervals: &IntervalArguments,
    are_asked: bool,
) -> Result<()> {
    let given = [
        (cells.step.is_some(), "step"),
        (cells.cells.is_some(), "cells"),
        (cells.rows.is_some(), "rows"),
        (intervals.interval_share.is_some(), "interval-share"),
    ];
    match given.into_iter().find(|(given, _)| *given && !are_asked) {
        Some((_, option)) => {
            Err(Error::request(format!("{option}: is for quantiles, and none is asked for"))
                .with_hint(format!("leave --{option} out, or ask for a quantile")))
        }
        None => Ok(()),
    }
}

pub(crate) fn neighbors(argument: NeighborsArgument) -> Neighbors {
    match argument {
        NeighborsArgument::Replace => Neighbors::ReplaceOne,
        NeighborsArgument::AddRemove => Neighbors::AddRemove,
    }
}
