//! Releases that hide who takes part (`--neighbors add-remove`): from arguments to what is printed.

use suum::{
    AddRemoveOptions, AddRemoveRelease, AddRemoveRequest, Bounds, Cells, DeclaredBudgets, Epsilon,
    Error, LevelTable, MOST_PAIRS, Places, Randomness, RangeOptions, Result, Scan, Statement,
    UnboundedAddRemove, Value,
};

use suum_report::Shown;

use crate::answer::Answer;
use crate::arguments::{
    CellArguments, GroupArguments, HiddenArguments, InputArguments, NeighborsArgument,
    SeedArguments, ValueArguments,
};
use crate::{input, metering, reading};

/// Whether participation is to be hidden; refuses what is declared for that where it is not.
pub(crate) fn is_wanted(neighbors: NeighborsArgument, arguments: &HiddenArguments) -> Result<bool> {
    if let NeighborsArgument::AddRemove = neighbors {
        return Ok(true);
    }
    for (given, option) in
        [(arguments.epsilon_range.is_some(), "epsilon-range"), (arguments.clip.is_some(), "clip")]
    {
        if given {
            return Err(Error::request(format!("{option}: is for --neighbors add-remove"))
                .with_hint(format!("leave --{option} out, or add --neighbors add-remove")));
        }
    }
    Ok(false)
}

/// Refuses options under which it would show who takes part.
pub(crate) fn check(groups: &GroupArguments) -> Result<()> {
    if groups.group_by.is_some() {
        return Err(Error::request(
            "group-by: who is in a group is public, which --neighbors add-remove must hide",
        )
        .with_hint(
            "make the releases one by one from a file per group, or use --neighbors replace",
        ));
    }
    Ok(())
}

/// The budgets that people can have, declared before the data are read.
pub(crate) fn budgets(
    input: &InputArguments,
    arguments: &HiddenArguments,
) -> Result<DeclaredBudgets> {
    let budgets: DeclaredBudgets = match (&input.levels, &arguments.epsilon_range) {
        (Some(_), Some(_)) => {
            Err(Error::request("epsilon-range: the budgets of tiers are those of --levels")
                .with_hint("leave --epsilon-range out"))
        }
        (Some(levels), None) => suum::add_remove::tiers(&levels.parse()?),
        (None, Some(range)) => range.parse(),
        (None, None) => Err(Error::parameter(
            "epsilon-range: with add-remove neighbours the budgets that people can have must be \
            declared",
        )
        .with_hint(
            "add --epsilon-range LO,HI from public knowledge, for example 0.01,1; of tiers \
            declare --levels strict=0.01,public=inf",
        )),
    }?;
    // Of a range the largest budget alone was declared, and its least.
    match &input.levels {
        Some(_) => input.noted.budgets(budgets.rows().into_iter().map(|(_, epsilon)| epsilon)),
        None => input.noted.budgets([budgets.most()]),
    }
    Ok(budgets)
}

/// The level table of all records, which may be none. Nothing is said on standard error.
pub(crate) fn table(
    input: &InputArguments,
    budgets: &DeclaredBudgets,
    value: Option<Value>,
) -> Result<LevelTable> {
    if let Some(file) = &input.from_levels {
        return metering::cap(input, reading::levels_of_anybody(input, file)?);
    }
    let scan = Scan {
        person: input.person.clone(),
        add_remove: Some(budgets.clone()),
        ..Scan::new(input::privacy_column(input)?, value)
    };
    reading::scan(input, &scan, true)
}

/// The candidates of quantiles: by default as many as can be counted for all budgets that people
/// may have.
pub(crate) fn cells(
    input: &InputArguments,
    arguments: &CellArguments,
    bounds: Bounds,
    budgets: &DeclaredBudgets,
) -> Result<Cells> {
    if arguments.step.is_some() || arguments.cells.is_some() || input.from_levels.is_some() {
        return input::cells(arguments, bounds);
    }
    let fit = u32::try_from(MOST_PAIRS / budgets.most_levels().max(1)).unwrap_or(u32::MAX);
    // Steps have two ends.
    let steps = fit.saturating_sub(1).clamp(1, Cells::STEPS);
    input::cells(&CellArguments { cells: Some(steps), step: None, rows: arguments.rows }, bounds)
}

/// A mean without declared bounds.
pub(crate) fn unbounded_mean(
    input: &InputArguments,
    value: &ValueArguments,
    budgets: DeclaredBudgets,
    options: RangeOptions,
    seed: &SeedArguments,
) -> Result<Answer> {
    let request = UnboundedAddRemove::new(budgets.clone(), options)?;
    let scan = Scan {
        add_remove: Some(budgets),
        ..Scan::new(input::privacy_column(input)?, Some(input::unbounded_column(value)?))
    };
    let randomness = input::randomness(seed)?;
    let mut spool = reading::spool(input, &scan, true)?;
    let places: &mut dyn Places = &mut spool;
    let draw = |randomness: &mut Randomness| request.release(places, randomness);
    let (release, statement) = metering::release(input, randomness, draw, metering::certificate)?;
    Ok(answer(release, statement))
}

/// Makes a release; `request` was checked before the data are read.
pub(crate) fn release(
    input: &InputArguments,
    request: &AddRemoveRequest,
    table: LevelTable,
    seed: &SeedArguments,
) -> Result<Answer> {
    let draw = |randomness: &mut Randomness| request.release(table, randomness);
    let (release, statement) =
        metering::release(input, input::randomness(seed)?, draw, metering::certificate)?;
    Ok(answer(release, statement))
}

/// What a release says.
fn answer(release: AddRemoveRelease, statement: Option<Statement>) -> Answer {
    Answer::shown(release, suum_report::add_remove_text, suum_report::json, Shown::page)
        .with_statement(statement)
}

/// The options with the clip level of the command line.
pub(crate) fn with_clip(
    options: AddRemoveOptions,
    arguments: &HiddenArguments,
) -> Result<AddRemoveOptions> {
    Ok(AddRemoveOptions { clip: arguments.clip.map(Epsilon::new).transpose()?, ..options })
}
