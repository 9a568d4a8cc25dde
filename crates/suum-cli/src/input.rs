//! From arguments to level tables and options.

use std::fs::File;
use std::io::BufReader;

use suum::{
    Bounds, Error, Grid, LevelTable, Neighbors, Options, PrivacyColumn, Result, Scan, Source, Target, ValueColumn,
};

use crate::arguments::{InputArguments, NeighborsArgument, OptionArguments, TargetArgument, ValueArguments};
use crate::progress;

/// The level table of the data, or the one in a file; with sums of the value column if `value` asks for them.
pub(crate) fn level_table(
    input: &InputArguments,
    value: Option<&ValueArguments>,
    quiet: bool,
) -> Result<LevelTable> {
    if let Some(path) = &input.from_levels {
        return table_file(path, value);
    }
    let data = input.data.as_deref().ok_or_else(|| {
        Error::parameter("data: there is nothing to read")
            .with_hint("name a CSV or Parquet file, a folder, - for standard input, or --from-levels FILE")
    })?;
    let scan = Scan { privacy: privacy_column(input)?, value: value.map(value_column).transpose()? };
    let source = Source::parse(data)?;
    progress::while_scanning(&source, quiet, |progress| suum::scan(&source, &scan, progress))
}

fn table_file(path: &str, value: Option<&ValueArguments>) -> Result<LevelTable> {
    let unreadable = |_| Error::io(format!("level table: {path} cannot be read")).with_hint("check the path");
    let table = suum::read_levels(BufReader::new(File::open(path).map_err(unreadable)?))?;
    let Some(value) = value else { return Ok(table) };
    if let Some(column) = &value.value
        && table.column() != Some(column.as_str())
    {
        return Err(Error::table("level table: it was not made of the column given as --value")
            .with_hint("leave --value out, or make the table again"));
    }
    if let Some(bounds) = &value.bounds {
        let bounds: Bounds = bounds.parse()?;
        if table.grid().map(Grid::bounds) != Some(bounds) {
            return Err(Error::table("level table: it was not made with the bounds given as --bounds")
                .with_hint("leave --bounds out, or make the table again"));
        }
    }
    Ok(table)
}

fn privacy_column(input: &InputArguments) -> Result<PrivacyColumn> {
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

fn value_column(value: &ValueArguments) -> Result<ValueColumn> {
    let column = value.value.clone().ok_or_else(|| {
        Error::parameter("value: no column of values is given").with_hint("add --value COL")
    })?;
    let bounds: Bounds = match &value.bounds {
        Some(bounds) => bounds.parse()?,
        None => {
            return Err(Error::parameter("bounds: no bounds are given")
                .with_hint("add --bounds LO,HI with the range that values can take, from public knowledge"));
        }
    };
    if value.missing.is_some_and(f64::is_nan) {
        return Err(Error::parameter("missing: the constant for missing values must be a number"));
    }
    Ok(ValueColumn { column, grid: Grid::new(bounds), missing: value.missing })
}

/// The options of a request.
pub(crate) fn options(arguments: &OptionArguments) -> Result<Options> {
    Ok(Options {
        target: match arguments.target {
            TargetArgument::Population => Target::Population,
            TargetArgument::Dataset => Target::Dataset,
            TargetArgument::DatasetCorrelated => Target::DatasetCorrelated,
        },
        neighbors: neighbors(arguments.neighbors),
        estimator: arguments.estimator.parse()?,
        variance: arguments.variance,
        beta: arguments.beta,
        confidence: arguments.confidence,
        shrink: arguments.shrink,
    })
}

pub(crate) fn neighbors(argument: NeighborsArgument) -> Neighbors {
    match argument {
        NeighborsArgument::Replace => Neighbors::ReplaceOne,
        NeighborsArgument::AddRemove => Neighbors::AddRemove,
    }
}
