//! `suum mean --bounds auto`.

use suum::{Error, Randomness, Result, Statistic};

use crate::answer::Answer;
use crate::arguments::ReleaseArguments;
use crate::grouped::{self, Released};
use crate::{hidden, input};

pub(crate) fn run(statistic: Statistic, arguments: &ReleaseArguments) -> Result<Answer> {
    check(statistic, arguments)?;
    let options = input::range_options(&arguments.options)?;
    // Before the data are read: a request that makes no sense should not have to wait for them.
    options.check()?;
    let common = &arguments.options.common;
    if hidden::is_wanted(common.neighbors, &common.hidden)? {
        let budgets = hidden::budgets(&arguments.input, &common.hidden)?;
        return hidden::unbounded_mean(
            &arguments.input,
            &arguments.value,
            budgets,
            options,
            &arguments.seed,
        );
    }
    let randomness = input::randomness(&arguments.seed)?;
    let mut spool = input::spool(&arguments.input, &arguments.value, arguments.output.quiet)?;
    let draw = |randomness: &mut Randomness| {
        suum::unbounded_mean(&mut spool, options, randomness).map(Released::One)
    };
    grouped::publish(
        &arguments.input,
        statistic.name(),
        randomness,
        draw,
        suum_report::release_text,
    )
}

/// Refuses what needs declared bounds.
fn check(statistic: Statistic, arguments: &ReleaseArguments) -> Result<()> {
    let hint = "declare the range that values can take, from public knowledge: --bounds LO,HI";
    if statistic != Statistic::Mean {
        return Err(Error::request("bounds: auto is for means").with_hint(hint));
    }
    for (given, option) in [
        (arguments.input.from_levels.is_some(), "from-levels"),
        (arguments.input.person.is_some(), "person"),
        (arguments.groups.group_by.is_some(), "group-by"),
    ] {
        if given {
            return Err(Error::request(format!("{option}: needs declared bounds")).with_hint(hint));
        }
    }
    input::check_range_options(&arguments.mean, &arguments.split)
}
