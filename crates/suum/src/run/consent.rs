//! Privacy choices that are in a file of their own (`--consent`, `--key`).

use std::sync::Arc;

use suum_core::{Error, Result, for_example, option};
use suum_data::{Consent, Scan, Source, list, read_consent};

use super::{Task, declared};

/// The choices of the consent file, if there is one; it is read once for all answers.
pub(super) fn of(task: &Task<'_>) -> Result<Option<Arc<Consent>>> {
    let Some(file) = &task.source.consent else { return Ok(None) };
    if let Some(consent) = task.consent.get() {
        return Ok(Some(Arc::clone(consent)));
    }
    let [key, key_of_file] = keys(task.source.key.as_deref().unwrap_or_default())?;
    let hides = task.hides_participation();
    let scan = Scan {
        person: Some(key_of_file),
        csv: task.source.csv_form(),
        nulls: task.query.nulls()?,
        missing_choice: task.query.missing_choice(),
        // Who is in the file is as private as who is in the data.
        add_remove: hides.then(|| declared::budgets(task)).transpose()?,
        ..Scan::new(task.query.privacy_column(task.tiers.as_ref())?, None)
    };
    let source = Source::parse(file)?;
    let read = read_consent(&source, &scan, &key, &task.progress).map(Arc::new)?;
    Ok(Some(Arc::clone(task.consent.get_or_init(|| read))))
}

/// The column of keys in the data, and that in the consent file.
fn keys(text: &str) -> Result<[String; 2]> {
    let named = match list::pairs(text).as_slice() {
        [Some((key, key_of_file))] => Some([key.clone(), list::items(key_of_file).concat()]),
        [None] => list::items(text).first().map(|key| [key.clone(), key.clone()]),
        _ => None,
    };
    named.filter(|keys| keys.iter().all(|key| !key.is_empty())).ok_or_else(|| {
        Error::parameter(option::KEY, "expected a column, or that of the data and that of the file")
            .with_fix(for_example(option::KEY, "id").say(", or").set(option::KEY, "respondent=id"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_has_one_name_or_two() {
        let of = |text: &str| keys(text).ok();
        assert_eq!(of("id"), Some(["id".to_owned(), "id".to_owned()]));
        assert_eq!(of("a = b"), Some(["a".to_owned(), "b".to_owned()]));
        assert_eq!(of(r"a\=b"), Some(["a=b".to_owned(), "a=b".to_owned()]));
        for wrong in ["", "a=", "=b", "a=b,c=d", "a,b"] {
            assert_eq!(of(wrong), None, "{wrong}");
        }
    }
}
