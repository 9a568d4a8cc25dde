//! Labels of each of several columns: categories of a crosstab, or groups.

use suum_core::{OptionName, Result};

use super::{GroupLists, Labels, label_file};
use crate::options::{Entries, OptionForm, OptionRow, Shape, Word, check_labels, malformed};

/// Form of the labels of one or more columns: a list for each, or `@FILE` for those in a file.
struct LabelLists;

impl LabelLists {
    fn read(row: &OptionRow, word: Word, has_several: bool) -> Result<GroupLists> {
        let lists = match word {
            Word::List(items)
                if has_several || items.iter().any(|item| matches!(item, Word::List(_))) =>
            {
                items
            }
            one => vec![one],
        };
        let lists = lists.into_iter().map(|list| declared(row.name, list));
        Ok(GroupLists(lists.collect::<Result<_>>()?))
    }
}

/// Form of the categories of a column, or of each column of a crosstab.
pub(crate) struct CategoryLists;

impl OptionForm<GroupLists> for CategoryLists {
    const SHAPE: Shape = Shape::LABEL_LISTS;

    fn read(row: &OptionRow, word: Word, all: &Entries) -> Result<GroupLists> {
        LabelLists::read(row, word, all.has("crosstab"))
    }
}

/// Form of the groups of a column, or of each of several columns of groups.
pub(crate) struct GroupsOfColumns;

impl OptionForm<GroupLists> for GroupsOfColumns {
    const SHAPE: Shape = Shape::LABEL_LISTS;

    fn read(row: &OptionRow, word: Word, all: &Entries) -> Result<GroupLists> {
        LabelLists::read(row, word, all.has_several("group_by"))
    }
}

/// Labels of a value, or those of the file that it names.
fn declared(name: &'static str, word: Word) -> Result<Labels> {
    check_labels(name, &word)?;
    if let Word::Text(text) = &word
        && let Some(path) = label_file::named(text)
    {
        return label_file::read(OptionName::new(name), path);
    }
    let text = word.text().ok_or_else(|| malformed(name, "labels: A,B,C, or a list of them"))?;
    text.parse()
}
