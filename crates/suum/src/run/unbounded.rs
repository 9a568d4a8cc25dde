//! `suum mean --bounds auto`.

use suum_core::{Error, Randomness, Releases, Result};

use super::{Task, accounts, add_remove, tables};
use crate::{Answer, statistics};

pub(crate) fn run(task: &Task<'_>) -> Result<Answer> {
    check(task)?;
    let options = task.query.range_options()?;
    // Before the data are read: a request that makes no sense should not have to wait for them.
    options.check()?;
    if task.hides_participation() {
        return add_remove::unbounded_mean(task, options);
    }
    let randomness = task.query.randomness()?;
    let mut spool = tables::spool(task)?;
    let draw = |randomness: &mut Randomness| {
        statistics::unbounded_mean(&mut spool, options, randomness).map(Releases::from)
    };
    accounts::release(task, randomness, draw)
}

/// Refuses what needs declared bounds.
fn check(task: &Task<'_>) -> Result<()> {
    let hint = "declare the range that values can take, from public knowledge: --bounds LO,HI";
    for (given, option) in [
        (task.source.from_levels.is_some(), "from-levels"),
        (task.query.person.is_some(), "person"),
        (task.query.group_by.is_some(), "group-by"),
    ] {
        if given {
            return Err(Error::request(format!("{option}: needs declared bounds")).with_hint(hint));
        }
    }
    task.query.check_range_options()
}
