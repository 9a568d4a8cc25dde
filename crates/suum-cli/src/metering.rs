//! Releases charged to a ledger (`--ledger`): from arguments to accounts.

use std::cell::RefCell;
use std::path::Path;
use std::sync::Arc;

use serde::Serialize;
use serde_json::{Value, json};
use suum::ledger::{Amount, Lifetime};
use suum::sql;
use suum::{
    Accounts, Certified, Costed, Epsilon, Error, LevelTable, Meter, Randomness, Result, Spend,
    Statement, list,
};
use suum_report::Tier;

use crate::arguments::{InputArguments, NeighborsArgument};
use crate::columns::{self, Reads};
use crate::grouped::Tables;
use crate::input;

/// The accounts of a release, until it is made.
#[derive(Debug, Default)]
pub(crate) struct Metered {
    meter: RefCell<Option<Meter>>,
    /// Whether the release is one of values, and not of how many records there are.
    of_values: bool,
}

/// Whether what a command prints is charged for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cost {
    /// It is.
    Charged,
    /// It is public.
    Free,
}

/// What a release asks for beyond a share of everybody's budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Aim {
    /// `--target-rmse` can be met: the expected error follows from a public profile.
    Possible,
    /// It cannot.
    Impossible,
}

impl Aim {
    /// Whether the error of such a release follows from a public profile.
    pub(crate) fn of(neighbors: NeighborsArgument) -> Self {
        match neighbors {
            NeighborsArgument::Replace => Self::Possible,
            NeighborsArgument::AddRemove => Self::Impossible,
        }
    }
}

/// Opens the accounts, if there is a ledger, and lowers what is asked of tiers to what they have
/// left.
pub(crate) fn open(
    input: &mut InputArguments,
    neighbors: NeighborsArgument,
    aim: Aim,
    cost: Cost,
    (reads, group_by): (Reads<'_>, Option<&String>),
) -> Result<()> {
    let Some(path) = input.ledger.ledger.clone() else { return Ok(()) };
    if input.ledger.target_rmse.is_some() && aim == Aim::Impossible {
        return Err(Error::request(
            "target-rmse: the error of this release is not known before it \
            is made",
        )
        .with_hint(
            "use --spend SHARE; it is known for means, sums, frequencies, quantiles and \
                variances with declared bounds and --neighbors replace",
        ));
    }
    let spend = spend(input, cost)?;
    let columns = columns::named(input, reads, group_by);
    let asked = input.levels.as_deref().map(amounts).transpose()?;
    let dataset = input.ledger.dataset.as_deref();
    let meter = Meter::open(
        Path::new(&path),
        dataset,
        input::neighbors(neighbors),
        spend,
        asked.as_deref(),
        columns.clone(),
    )?;
    columns::check_query(input, &meter, &columns)?;
    let meter = if input.person.is_some() { meter.of_persons() } else { meter };
    match (meter.tiers()?, meter.lifetime()) {
        (Some(_), _) if input.epsilon.is_some() => {
            return Err(Error::request("epsilon: the accounts of this dataset are those of tiers")
                .with_hint(
                    "name the column of tiers with --privacy COL, or open accounts of \
                    persons: suum ledger init --persons",
                ));
        }
        (Some(tiers), _) => input.levels = Some(levels(tiers.iter())),
        (None, Some(lifetime)) => of_persons(input, lifetime)?,
        (None, None) => {}
    }
    if cost == Cost::Charged {
        // Before the data are read.
        meter.check()?;
    }
    input.meter = Metered { meter: RefCell::new(Some(meter)), of_values: reads != Reads::Counts };
    Ok(())
}

/// How much of what is left a release may use, which has to be said.
fn spend(input: &InputArguments, cost: Cost) -> Result<Spend> {
    match (&input.ledger.spend, input.ledger.target_rmse, cost) {
        (Some(spend), _, _) => spend.parse(),
        // The target takes the least that reaches it.
        (None, Some(_), _) | (None, None, Cost::Free) => Ok(Spend::All),
        (None, None, Cost::Charged) => Err(Error::parameter(
            "spend: it is not said how much of what is left this release may use",
        )
        .with_hint(
            "for example --spend 10%, which keeps nine tenths for later releases, or \
                     --target-rmse ERROR; --spend 100% uses all that is left, for good",
        )),
    }
}

/// Refuses a ledger where nothing is released.
pub(crate) fn refuse(input: &InputArguments) -> Result<()> {
    match input.ledger.ledger {
        Some(_) => Err(Error::request("ledger: a level table is no release, and costs nothing")
            .with_hint(
                "leave --ledger out, and give it to the release that is made --from-levels",
            )),
        None => Ok(()),
    }
}

/// Tiers of the data whose people have accounts of their own.
fn of_persons(input: &mut InputArguments, lifetime: &Lifetime) -> Result<()> {
    if input.person.is_none() && input.from_levels.is_none() {
        return Err(Error::request("person: the accounts of this dataset are those of persons")
            .with_hint("name the column of persons with --person COL"));
    }
    match lifetime {
        Lifetime::Tiers(_) if input.epsilon.is_some() => Err(Error::request(
            "epsilon: what persons of this dataset allow in all goes by their \
                tier",
        )
        .with_hint("name the column of tiers with --privacy COL")),
        Lifetime::Own if input.privacy.is_some() => Err(Error::request(
            "privacy: what persons of this dataset allow in all is the number in their column of \
            budgets",
        )
        .with_hint("name that column with --epsilon COL")),
        // Whoever has rows of several tiers is of the one that allows the least in all, whatever
        // each is asked for now.
        Lifetime::Tiers(tiers) => {
            let tiers = tiers.iter().map(|(label, amount)| (label.as_str(), amount.epsilon()));
            input.levels = Some(levels(tiers));
            Ok(())
        }
        Lifetime::Own | Lifetime::Same(_) => Ok(()),
    }
}

/// Tiers as `--levels` has them.
fn levels<'a>(tiers: impl Iterator<Item = (&'a str, Epsilon)>) -> String {
    let pairs: Vec<String> =
        tiers.map(|(label, epsilon)| format!("{}={epsilon}", list::escaped(label))).collect();
    pairs.join(",")
}

/// Tiers and amounts, which are read as decimals.
pub(crate) fn amounts(text: &str) -> Result<Vec<(String, Amount)>> {
    let refused = |what: &str| {
        Err(Error::parameter(format!("levels: {what}"))
            .with_hint("for example --levels strict=0.01,standard=0.1,public=inf"))
    };
    let mut tiers: Vec<(String, Amount)> = Vec::new();
    for pair in list::pairs(text) {
        let parsed = pair.and_then(|(label, amount)| Some((label, amount.parse().ok()?)));
        match parsed {
            Some((label, _)) if tiers.iter().any(|(known, _)| *known == label) => {
                return refused("a label is declared twice");
            }
            Some((label, amount)) if !label.is_empty() => tiers.push((label, amount)),
            _ => return refused("expected TIER=EPSILON pairs separated by commas"),
        }
    }
    Ok(tiers)
}

/// What a scan asks of each person, if they have accounts.
pub(crate) fn accounts(input: &InputArguments) -> Option<Arc<dyn Accounts>> {
    input.meter.meter.borrow().as_ref().and_then(Meter::accounts)
}

/// A level table from a file, at the budgets that are left.
pub(crate) fn cap(input: &InputArguments, table: LevelTable) -> Result<LevelTable> {
    match &mut *input.meter.meter.borrow_mut() {
        Some(meter) => {
            meter.use_columns(columns::of_table(&table, input.meter.of_values)?)?;
            meter.cap(table)
        }
        None => Ok(table),
    }
}

/// The table with its levels named after tiers, where persons have the accounts.
pub(crate) fn name_tiers(input: &InputArguments, table: LevelTable) -> Result<LevelTable> {
    match &*input.meter.meter.borrow() {
        Some(meter) => meter.name_tiers(table),
        None => Ok(table),
    }
}

/// The tables at the least share of all budgets with which the expected error is the one asked for,
/// if one is.
pub(crate) fn aim(
    input: &InputArguments,
    tables: Tables,
    error: impl Fn(&LevelTable) -> Result<f64>,
) -> Result<Tables> {
    match tables {
        Tables::One(table) => aim_table(input, table, error).map(Tables::One),
        Tables::Groups(_) if input.ledger.target_rmse.is_none() => Ok(tables),
        Tables::Groups(_) => Err(Error::request("target-rmse: groups have different errors")
            .with_hint("use --spend SHARE in place of --target-rmse")),
    }
}

/// As [`aim`], for the table of all records.
pub(crate) fn aim_table(
    input: &InputArguments,
    table: LevelTable,
    error: impl Fn(&LevelTable) -> Result<f64>,
) -> Result<LevelTable> {
    let (Some(most), Some(meter)) =
        (input.ledger.target_rmse, &mut *input.meter.meter.borrow_mut())
    else {
        return Ok(table);
    };
    meter.aim(most, &table, error)?;
    meter.scale(table)
}

/// Makes a release, charged to the accounts if there are any.
pub(crate) fn release<R: Certified>(
    input: &InputArguments,
    mut randomness: Randomness,
    draw: impl FnOnce(&mut Randomness) -> Result<R>,
    describe: impl FnOnce(&R) -> Result<Value>,
) -> Result<(R, Option<Statement>)> {
    let Some(meter) = input.meter.meter.borrow_mut().take() else {
        return Ok((draw(&mut randomness)?, None));
    };
    meter.check()?;
    if !randomness.is_private() {
        return Err(Error::request(
            "insecure-seed: what a seeded release costs cannot be accounted for, it is not private",
        )
        .with_hint("leave --insecure-seed out, or --ledger"));
    }
    let describe = |release: &R| {
        let (mut said, remarks) = (describe(release)?, certificate(&input.noted.remarks())?);
        if let (Value::Object(said), Value::Object(remarks)) = (&mut said, remarks) {
            said.extend(remarks);
        }
        Ok(said)
    };
    // The randomness of the release is made with its reservation.
    let (release, statement) = meter.release(&request(input), draw, describe)?;
    Ok((release, Some(statement)))
}

/// Writes down what is published at no cost, if there is a ledger.
pub(crate) fn publish(input: &InputArguments) -> Result<()> {
    match input.meter.meter.borrow_mut().take() {
        Some(meter) => meter.publish(&request(input)),
        None => Ok(()),
    }
}

/// A release as a value, to be written down.
pub(crate) fn certificate(release: &impl Serialize) -> Result<Value> {
    serde_json::to_value(release)
        .map_err(|_| Error::internal("internal error: a release has no JSON form"))
}

/// What is written down as asked for: the words of the command, without passwords.
fn request(input: &InputArguments) -> Value {
    let word = |word: &String| match sql::is_postgres_url(word) {
        true => sql::without_password(word),
        false => word.clone(),
    };
    let command: Vec<String> = input.given.words.iter().map(word).collect();
    json!({"suum": env!("CARGO_PKG_VERSION"), "command": command})
}

/// What a release by this plan would do to the accounts, if there are any.
pub(crate) fn quote(
    input: &InputArguments,
    plan: &impl Costed,
    tiers: &[Tier],
) -> Option<Statement> {
    let meter = input.meter.meter.borrow();
    let losses = tiers.iter().filter_map(|tier| {
        Some(suum::LevelLoss {
            level: tier.level.clone(),
            epsilon: tier.epsilon,
            count: Some(tier.count),
            spent: plan.cost(tier.epsilon)?,
        })
    });
    meter.as_ref().map(|meter| meter.quote(&losses.collect::<Vec<_>>()))
}
