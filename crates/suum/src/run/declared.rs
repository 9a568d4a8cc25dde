//! Declared budgets under hidden participation.

use suum_core::{DeclaredBudgets, Error, Result, leave_out, option, say};

use super::{Task, accounts};

/// Budgets that people can have, declared before the data are read.
pub(crate) fn budgets(task: &Task<'_>) -> Result<DeclaredBudgets> {
    let persons = accounts::range_of_persons(task);
    let tiers = task.tiers.as_ref().filter(|_| persons.is_none());
    let budgets: DeclaredBudgets = match (tiers, task.query.epsilon_range, persons) {
        (Some(_), Some(_), _) => Err(Error::request(
            option::EPSILON_RANGE,
            say("the budgets of tiers are those of").option(option::LEVELS),
        )
        .with_fix(leave_out(option::EPSILON_RANGE))),
        (Some(tiers), None, _) => {
            DeclaredBudgets::tiers(tiers.iter().map(|(label, epsilon)| (label.to_owned(), epsilon)))
        }
        (None, Some(range), _) => range.budgets(),
        (None, None, Some((least, most))) => DeclaredBudgets::range(least, most),
        (None, None, None) => Err(Error::parameter(
            option::EPSILON_RANGE,
            match task.query.leaves_out_missing() {
                true => {
                    "where records without a value are left out, so that it is hidden who has one, \
                     the budgets that people can have must be declared"
                }
                false => {
                    "where participation is hidden, the budgets that people can have must be \
                     declared"
                }
            },
        )
        .with_fix(
            say("add")
                .set(option::EPSILON_RANGE, "LO,HI")
                .say("from public knowledge, for example 0.01,1; of tiers declare")
                .set(option::LEVELS, "strict=0.01,public=inf"),
        )),
    }?;
    // Only the ends of a range were declared.
    match tiers {
        Some(_) => task.noted.budgets(budgets.rows().into_iter().map(|(_, epsilon)| epsilon)),
        None => task.noted.budgets([budgets.most()]),
    }
    Ok(budgets)
}
