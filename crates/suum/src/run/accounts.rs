//! Charging releases to a ledger (`--ledger`): from a job to accounts.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use suum_core::{
    Command, Epsilon, Error, LevelTable, Loss, Profile, Randomness, Releases, Result, Rho,
    Spending, for_example, leave_out, option, say,
};
use suum_data::{Accounts, Tiers};
use suum_ledger::{Columns, Lifetime};
use suum_report::Tier;

use super::Task;
use super::columns::{self, Reads};
use super::editions::{described, request};
use super::goal::Goal;
use super::grouped::Tables;
use super::register::read_register;
use crate::Answer;
use crate::accountant::{Accountant, LedgerEffect, Names, Raises, Spend, requested_amount};
use crate::query::{UNUSED, with_unused};

/// Payment of a release.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cost {
    /// Release that the accounts of a ledger pay for.
    Charged,
    /// Release of public facts alone, which costs nothing.
    Free,
}

/// Possibility of a target error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Calibration {
    /// `--target-rmse` can be met: the expected error follows from a public profile.
    Possible,
    /// The expected error does not follow from a public profile.
    Impossible,
}

/// Opens the accounts, if there is a ledger, and lowers the budgets of tiers to what they have
/// left.
pub(crate) fn open(
    task: &mut Task<'_>,
    calibration: Calibration,
    cost: Cost,
    reads: Reads<'_>,
) -> Result<()> {
    if task.charge.ledger.is_none() {
        return columns::check_groups(task, reads);
    }
    if task.charge.target().is_some() && calibration == Calibration::Impossible {
        let (option, what) = Goal::for_task(task).words();
        return Err(Error::request(
            option,
            format!("the {what} of this release is not known before it is made"),
        )
        .with_fix(
            say("use")
                .set(option::SPEND, "SHARE")
                .say(
                    "; it is known for means, sums, frequencies, quantiles and variances with \
                     declared bounds and",
                )
                .set(option::NEIGHBORS, "replace"),
        ));
    }
    let of_values = reads != Reads::Counts;
    let columns = columns::named(task, reads)?;
    open_for(task, cost, columns)?;
    task.of_values = of_values;
    Ok(())
}

/// Opens the accounts like [`open`], for a release that reads these columns.
pub(crate) fn open_for(task: &mut Task<'_>, cost: Cost, columns: Columns) -> Result<()> {
    let Some(path) = &task.charge.ledger else { return Ok(()) };
    let spend = spend(task, cost)?;
    let amounts = |tiers: &Tiers| {
        tiers
            .iter()
            .map(|(label, epsilon)| (label.to_owned(), requested_amount(epsilon)))
            .collect::<Vec<_>>()
    };
    let accountant = Accountant::open_with(
        Path::new(path),
        task.charge.dataset.as_deref(),
        task.query.neighbors,
        spend,
        task.query.levels.as_ref().map(amounts).as_deref(),
        columns.clone(),
        if task.source.has_decisions() { Raises::Ignored } else { Raises::Allowed },
    )?;
    columns::check_query(task, &accountant, &columns)?;
    let accountant = if task.charge.allow_moves { accountant.with_moves()? } else { accountant };
    let accountant = match task.query.undeclared_categories() {
        Some(found) => accountant.with_delta(found.delta)?,
        None => accountant,
    };
    let names_nobody = task.query.person.is_none() && task.source.from_levels.is_none();
    if accountant.watches_moves() && cost == Cost::Charged && names_nobody && !task.assumes_people {
        return Err(Error::request(
            option::PERSON,
            "the ledger watches who moves between tiers, and has to know who is in which",
        )
        .with_fix(say("name the column of persons with").set(option::PERSON, "COL")));
    }
    let accountant =
        if task.query.person.is_some() { accountant.with_persons() } else { accountant };
    match (accountant.tiers()?, accountant.lifetime()) {
        (Some(_), _) if task.query.epsilon.is_some() => {
            return Err(Error::request(
                option::EPSILON,
                "the accounts of this dataset are those of tiers",
            )
            .with_fix(
                say("name the column of tiers with")
                    .set(option::PRIVACY, "COL")
                    .say(", or open accounts of persons:")
                    .command(Command::OpenPersons),
            ));
        }
        (Some(tiers), _) => task.tiers = Some(tiers),
        (None, Some(lifetime)) => set_person_tiers(task, lifetime)?,
        (None, None) => {}
    }
    // Every ledger has a tier of people who are not used.
    let may_be_unused =
        task.source.has_decisions() || task.query.missing_choice().as_deref() == Some(UNUSED);
    if may_be_unused && let Some(tiers) = &task.tiers {
        task.tiers = Some(with_unused(tiers)?);
    }
    if cost == Cost::Charged {
        // Before the data are read.
        accountant.check()?;
    }
    task.accountant.replace(Some(accountant));
    Ok(())
}

/// Part of the remaining budgets that a release may use, which is required.
fn spend(task: &Task<'_>, cost: Cost) -> Result<Spend> {
    match (task.charge.spend, task.charge.target(), cost) {
        (Some(spend), _, _) => Ok(spend),
        // The target takes the least that reaches it.
        (None, Some(_), _) | (None, None, Cost::Free) => Ok(Spend::All),
        (None, None, Cost::Charged) => Err(Error::parameter(
            option::SPEND,
            "it is not said how much of what people allow this release may use",
        )
        .with_fix(
            for_example(option::SPEND, "10%")
                .say(", the first of ten equal instalments, or")
                .set(option::TARGET_RMSE, "ERROR")
                .say("or")
                .set(option::TARGET_HALF_WIDTH, "LENGTH")
                .say(";")
                .set(option::SPEND, "100%")
                .say("uses all that is left, for good"),
        )),
    }
}

/// Sets the tiers of data whose people have accounts of their own.
fn set_person_tiers(task: &mut Task<'_>, lifetime: &Lifetime) -> Result<()> {
    let says_whom = task.source.from_levels.is_some() || task.assumes_people;
    if task.query.person.is_none() && !says_whom {
        return Err(Error::request(
            option::PERSON,
            "the accounts of this dataset are those of persons",
        )
        .with_fix(say("name the column of persons with").set(option::PERSON, "COL")));
    }
    match lifetime {
        Lifetime::Tiers(_) if task.query.epsilon.is_some() => Err(Error::request(
            option::EPSILON,
            "what persons of this dataset allow in all goes by their tier",
        )
        .with_fix(say("name the column of tiers with").set(option::PRIVACY, "COL"))),
        Lifetime::Own if task.query.privacy.is_some() => Err(Error::request(
            option::PRIVACY,
            "what persons of this dataset allow in all is the number in their column of budgets",
        )
        .with_fix(say("name that column with").set(option::EPSILON, "COL"))),
        // Persons with rows of several tiers belong to the one that allows the least in all,
        // whatever is requested from each now.
        Lifetime::Tiers(tiers) => {
            let tiers = tiers.iter().map(|(label, amount)| (label.clone(), amount.epsilon()));
            task.tiers = Some(Tiers::new(tiers)?);
            Ok(())
        }
        Lifetime::Own | Lifetime::Same(_) => Ok(()),
    }
}

/// Returns what was read with accounts, or a fault of the accounts that was found meanwhile.
pub(crate) fn check_read<T>(task: &Task<'_>, read: Result<T>) -> Result<T> {
    task.accountant.borrow().as_ref().map_or(Ok(()), Accountant::are_known)?;
    read
}

/// Marks the end of one of several passes over the data.
pub(crate) fn has_read(task: &Task<'_>) -> Result<()> {
    task.accountant.borrow().as_ref().map_or(Ok(()), Accountant::has_read)
}

/// Accounts that a scan asks about each person, if persons have them, or tells of each, if the
/// ledger watches who moves between tiers.
pub(crate) fn person_accounts(task: &Task<'_>) -> Option<Arc<dyn Accounts>> {
    task.accountant.borrow().as_ref().and_then(Accountant::accounts)
}

/// Returns true if persons have accounts.
pub(crate) fn have_persons(task: &Task<'_>) -> bool {
    task.accountant.borrow().as_ref().is_some_and(|accountant| accountant.lifetime().is_some())
}

/// Columns that are declared public, by this release or by an earlier one of its ledger.
pub(crate) fn public_columns(task: &Task<'_>) -> Result<BTreeSet<String>> {
    let mut columns = task.source.declared_public();
    if let Some(accountant) = &*task.accountant.borrow() {
        columns.extend(accountant.used_columns()?.declared);
    }
    Ok(columns)
}

/// Range of the amounts that persons may have left for this release, if they have accounts and it
/// is public.
pub(crate) fn range_of_persons(task: &Task<'_>) -> Option<(Epsilon, Epsilon)> {
    task.accountant.borrow().as_ref().and_then(Accountant::range_of_persons)
}

/// Refuses to leave small groups out where persons have accounts: all who are read are charged.
pub(crate) fn check_small_groups(task: &Task<'_>) -> Result<()> {
    match task.query.suppress_below {
        Some(_) if have_persons(task) => Err(Error::request(
            option::SUPPRESS_BELOW,
            "persons have accounts, and whoever is in a group that is left out would be charged",
        )
        .with_fix(
            leave_out(option::SUPPRESS_BELOW)
                .say(", or choose the rows of large groups with")
                .option(option::WHERE),
        )),
        _ => Ok(()),
    }
}

/// Level table from a file, at the remaining budgets.
pub(crate) fn cap(task: &Task<'_>, table: LevelTable) -> Result<LevelTable> {
    match &mut *task.accountant.borrow_mut() {
        Some(accountant) => {
            accountant.use_columns(columns::from_table(task, &table)?)?;
            accountant.cap(table)
        }
        None => Ok(table),
    }
}

/// Names of levels after tiers, if persons have the accounts; empty otherwise.
pub(crate) fn names(task: &Task<'_>) -> Names {
    task.accountant.borrow().as_ref().map(Accountant::names).unwrap_or_default()
}

/// Table with its levels named after tiers, if persons have the accounts.
pub(crate) fn name_tiers(task: &Task<'_>, table: LevelTable) -> Result<LevelTable> {
    match &*task.accountant.borrow() {
        Some(accountant) => accountant.name_tiers(table),
        None => Ok(table),
    }
}

/// People of a profile as a level table of their tiers, at the remaining budgets, if tiers have
/// accounts; a profile says nothing about accounts of persons.
pub(crate) fn people(task: &Task<'_>, profile: &Profile) -> Result<Option<LevelTable>> {
    match &*task.accountant.borrow() {
        Some(accountant) => accountant.people(profile),
        None => Ok(None),
    }
}

/// Scales the tables to the least part of all budgets with which the expected error of each reaches
/// the target, if there is one.
pub(crate) fn calibrate(
    task: &Task<'_>,
    tables: Tables,
    error: impl Fn(&LevelTable) -> Result<f64>,
) -> Result<Tables> {
    let (Some(most), Some(accountant)) = (task.charge.target(), &mut *task.accountant.borrow_mut())
    else {
        return Ok(tables);
    };
    let all: Vec<&LevelTable> = tables.iter().collect();
    accountant.calibrate(Goal::for_task(task).words(), most, &all, error)?;
    tables.try_map(|table| accountant.scale(table))
}

/// Makes a release, charged to the accounts if there are any.
pub(crate) fn release(
    task: &Task<'_>,
    mut randomness: Randomness,
    draw: impl FnOnce(&mut Randomness) -> Result<Releases>,
) -> Result<Answer> {
    let Some(accountant) = task.accountant.borrow_mut().take() else {
        warn(task)?;
        return draw(&mut randomness).map(Answer::from_content);
    };
    accountant.check()?;
    if !randomness.is_private() {
        return Err(Error::request(
            option::INSECURE_SEED,
            "what a seeded release costs cannot be accounted for, it is not private",
        )
        .with_fix(leave_out(option::INSECURE_SEED).say(", or").option(option::LEDGER)));
    }
    warn(task)?;
    let describe = |releases: &Releases| described(task, releases);
    // The randomness of the release is made with its reservation.
    let accountant = accountant.looking_at(read_register(task));
    let (releases, effect) = accountant.release(&request(task), draw, describe)?;
    Ok(Answer::from_content(releases).with_effect(Some(effect)))
}

/// Passes on the warnings of a release, which has cost nothing yet.
fn warn(task: &Task<'_>) -> Result<()> {
    task.noted.hand_over(task.given.warnings.as_deref())
}

/// Records a publication at no cost, if there is a ledger.
pub(crate) fn publish(task: &Task<'_>) -> Result<()> {
    warn(task)?;
    match task.accountant.borrow_mut().take() {
        Some(accountant) => accountant.publish(&request(task)),
        None => Ok(()),
    }
}

/// Effect of a planned release on the accounts, if there are any; `loss` returns the loss of a
/// record of a tier in both accounts.
pub(crate) fn quote(
    task: &Task<'_>,
    tiers: &[Tier],
    loss: impl Fn(Epsilon) -> (Loss, Rho),
) -> Option<LedgerEffect> {
    let accountant = task.accountant.borrow();
    let losses = tiers.iter().map(|tier| {
        let (spent, rho) = loss(tier.epsilon);
        let spending = Spending {
            level: tier.level.clone(),
            epsilon: tier.epsilon,
            count: Some(tier.count),
            spent,
            weight: None,
            delta: None,
        };
        (spending, rho)
    });
    let (losses, rho): (Vec<Spending>, Vec<Rho>) = losses.unzip();
    accountant.as_ref().map(|accountant| accountant.quote(&losses, &rho))
}
