//! From a table for each stratum to one of all records, or of each group.

use suum_core::{Error, GroupName, LevelTable, Result};
use suum_data::Groups;

use super::grouped::Tables;
use crate::query::Query;

/// The tables of strata, joined: of all records, or of those of each group. The last label of a
/// cell is its stratum, and the cells of a group follow each other.
pub(crate) fn joined(query: &Query, cells: Groups) -> Result<Tables> {
    let Some(groups) = query.groups()? else { return in_strata(cells.each).map(Tables::One) };
    let mut cells = cells.each.into_iter().peekable();
    let each = groups.names().map(|group| {
        let mut of_group = Vec::new();
        while let Some(cell) = cells.next_if(|(name, _)| without_stratum(name) == group.labels()) {
            of_group.push(cell);
        }
        let has_records = of_group.iter().any(|(_, table)| table.is_some());
        let table = has_records.then(|| in_strata(of_group)).transpose();
        Ok((group.clone(), table.map_err(|refused| refused.within(&format!("group {group}")))?))
    });
    Ok(Tables::Groups(Groups { column: groups.by(), each: each.collect::<Result<_>>()? }))
}

/// One table of the records of all strata.
fn in_strata(strata: Vec<(GroupName, Option<LevelTable>)>) -> Result<LevelTable> {
    let each = strata.into_iter().map(|(name, table)| {
        table.ok_or_else(|| {
            let name = name.labels().last().map_or("", String::as_str);
            Error::data(format!("strata: no record is in stratum {name:?}")).with_hint(
                "check the spelling; a stratum without records is declared together with another \
                 one in the data, or left out",
            )
        })
    });
    LevelTable::in_strata(each.collect::<Result<_>>()?)
}

fn without_stratum(cell: &GroupName) -> &[String] {
    cell.labels().split_last().map_or(&[], |(_, group)| group)
}
