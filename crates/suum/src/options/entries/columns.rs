//! Entries for each of several columns.

use suum_core::{Error, Result};

use super::{Entries, malformed};
use crate::options::word::Word;

/// Options that can differ between columns.
const OF_COLUMNS: [&str; 4] = ["value", "bounds", "categories", "bins"];

fn is_of_columns(name: &str) -> bool {
    OF_COLUMNS.contains(&name)
}

impl Entries {
    /// Takes out the entries for several columns, if `value` lists them.
    pub(crate) fn take_columns(&mut self) -> Option<Self> {
        if !self.is_list("value") {
            return None;
        }
        let said = std::mem::take(&mut self.said);
        let (of_columns, rest) = said.into_iter().partition(|(name, _)| is_of_columns(name));
        self.said = rest;
        Some(Self { said: of_columns, ..Self::default() })
    }

    /// Splits the entries into those of each column, if `value` lists several: from a table by
    /// column each gets its own part.
    pub(crate) fn each_column(self) -> Result<Vec<Self>> {
        let columns = self.said.iter().find_map(|(name, word)| match word {
            Word::List(columns) if name == "value" => Some(columns.clone()),
            _ => None,
        });
        let Some(columns) = columns else { return Ok(vec![self]) };
        let name = |word: Word| word.text().ok_or_else(|| malformed("value", "names of columns"));
        let columns = columns.into_iter().map(name).collect::<Result<Vec<String>>>()?;
        let is_column = |label: &String| columns.contains(label);
        for (option, word) in self.said.iter().filter(|(name, _)| is_of_columns(name)) {
            if let Word::Table(pairs) = word
                && let Some((label, _)) = pairs.iter().find(|(label, _)| !is_column(label))
            {
                return Err(Error::parameter(
                    option.clone(),
                    format!("value names no column {label}"),
                )
                .with_fix(format!("name the columns of {option} as value does")));
            }
        }
        let of = |column: &String| {
            let said = self.said.iter().filter_map(|(name, word)| match word {
                _ if name == "value" => Some((name.clone(), Word::Text(column.clone()))),
                Word::Table(pairs) if is_of_columns(name) => {
                    let own = pairs.iter().find(|(label, _)| label == column)?;
                    Some((name.clone(), own.1.clone()))
                }
                word => Some((name.clone(), word.clone())),
            });
            Self { said: said.collect(), ..Self::default() }
        };
        Ok(columns.iter().map(of).collect())
    }
}
