//! Merge of tables or records of each stratum into those of all, or of each group.

use suum_core::{Error, GroupName, Result, option, say};
use suum_data::Groups;

use super::grouped::PerGroup;
use crate::query::Query;

/// Merges what was read of strata: for all records, or for each group. The last label of a cell is
/// its stratum, and the cells of a group are adjacent.
pub(crate) fn joined<T, U>(
    query: &Query,
    cells: Groups<T>,
    join: impl Fn(Vec<T>) -> Result<U>,
) -> Result<PerGroup<U>> {
    let all = |cells| require_all(query, cells).and_then(&join);
    let Some(groups) = query.groups()? else { return all(cells.each).map(PerGroup::One) };
    let mut cells = cells.each.into_iter().peekable();
    let each = groups.names().map(|group| {
        let mut of_group = Vec::new();
        while let Some(cell) = cells.next_if(|(name, _)| without_stratum(name) == group.labels()) {
            of_group.push(cell);
        }
        let has_records = of_group.iter().any(|(_, stratum)| stratum.is_some());
        let joined = has_records.then(|| all(of_group)).transpose();
        Ok((group.clone(), joined.map_err(|refused| refused.within(format!("group {group}")))?))
    });
    Ok(PerGroup::Groups(Groups { column: groups.by(), each: each.collect::<Result<_>>()? }))
}

/// Items of all strata, each of which must have records.
fn require_all<T>(query: &Query, strata: Vec<(GroupName, Option<T>)>) -> Result<Vec<T>> {
    let each =
        strata.into_iter().map(|(name, stratum)| {
            stratum.ok_or_else(|| {
                let name = name.labels().last().map_or("", String::as_str);
                if query.weight.is_some() {
                    return Error::data(
                    option::WEIGHT,
                    format!("no record has the design weight {name:?}"),
                )
                .with_fix(
                    say("declare the weights of the data only, or leave")
                        .option(option::CLASSES)
                        .say("out; of groups each needs records of every weight: ask of one alone \
                              with")
                        .option(option::WHERE)
                        .say(", or round the weights in the data"),
                );
                }
                Error::data(option::STRATA, format!("no record is in stratum {name:?}")).with_fix(
                "check the spelling; a stratum without records is declared together with another \
                 one in the data, or left out",
            )
            })
        });
    each.collect()
}

fn without_stratum(cell: &GroupName) -> &[String] {
    cell.labels().split_last().map_or(&[], |(_, group)| group)
}
