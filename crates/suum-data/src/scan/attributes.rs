//! Public attributes of persons in a register, which data with their keys need not repeat.

use rustc_hash::FxHashMap;

use crate::scan::groups::Grouping;

/// Largest number of attributes: each can be a column of groups.
pub(crate) const MOST_ATTRIBUTES: usize = Grouping::MOST_COLUMNS;

/// Attributes of each key.
#[derive(Default)]
pub(crate) struct Attributes {
    columns: Vec<Attribute>,
    /// Codes of the labels of each key; 0 for an empty cell.
    codes: FxHashMap<[u64; 2], [u32; MOST_ATTRIBUTES]>,
}

/// Different labels of one attribute.
struct Attribute {
    name: String,
    labels: Vec<Box<[u8]>>,
    codes: FxHashMap<Box<[u8]>, u32>,
}

impl Attributes {
    /// Creates attributes with these names, of no key.
    pub(crate) fn new(names: &[String]) -> Self {
        let column = |name: &String| Attribute {
            name: name.trim_ascii().to_owned(),
            labels: vec![Box::default()],
            codes: FxHashMap::default(),
        };
        Self { columns: names.iter().map(column).collect(), codes: FxHashMap::default() }
    }

    /// Enters the cells of a key, of which empty ones say nothing; returns the index of an
    /// attribute that another row of the key has otherwise.
    pub(crate) fn enter<'a>(
        &mut self,
        key: [u64; 2],
        cells: impl Iterator<Item = &'a [u8]>,
    ) -> Result<(), u8> {
        let known = self.codes.entry(key).or_insert([0; MOST_ATTRIBUTES]);
        for (at, ((known, column), cell)) in
            (0..).zip(known.iter_mut().zip(&mut self.columns).zip(cells))
        {
            match column.code(cell) {
                0 => {}
                code if *known == 0 || *known == code => *known = code,
                _ => return Err(at),
            }
        }
        Ok(())
    }

    /// Returns the index of the attribute with this name.
    pub(crate) fn position(&self, name: &str) -> Option<usize> {
        let name = name.trim_ascii();
        self.columns.iter().position(|column| column.name == name)
    }

    /// Returns the label of a key, empty if the key has none.
    pub(crate) fn label(&self, at: usize, key: [u64; 2]) -> &[u8] {
        let code = self.codes.get(&key).map_or(0, |codes| codes[at]);
        self.columns.get(at).map_or(&[], |column| &column.labels[code as usize])
    }
}

impl Attribute {
    /// Returns the code of a label, and keeps a new one.
    fn code(&mut self, cell: &[u8]) -> u32 {
        if cell.is_empty() {
            return 0;
        }
        if let Some(code) = self.codes.get(cell) {
            return *code;
        }
        let code = self.labels.len() as u32;
        self.labels.push(cell.into());
        self.codes.insert(cell.into(), code);
        code
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn key_has_one_label_in_all_rows_that_say_one() {
        let mut attributes = Attributes::new(&["region".into(), " sex ".into()]);
        let cells = |cells: [&'static str; 2]| cells.into_iter().map(str::as_bytes);
        assert_eq!(attributes.enter([1, 1], cells(["north", ""])), Ok(()));
        // A withdrawal need not repeat them.
        assert_eq!(attributes.enter([1, 1], cells(["", ""])), Ok(()));
        assert_eq!(attributes.enter([2, 2], cells(["south", "f"])), Ok(()));
        assert_eq!(attributes.enter([1, 1], cells(["south", ""])), Err(0));
        assert_eq!((attributes.position("sex"), attributes.position("age")), (Some(1), None));
        assert_eq!(attributes.label(0, [1, 1]), b"north");
        assert_eq!(
            (attributes.label(1, [1, 1]), attributes.label(1, [3, 3])),
            (&b""[..], &b""[..])
        );
    }
}
