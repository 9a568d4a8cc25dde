//! Suggestion of a name for a misspelled one.

use strsim::osa_distance;

/// The name that a word nearly is: the one with the fewest letters to change, to leave out, to put
/// in, or to exchange with the next. At most two are, and a third of the word; case is no matter.
///
/// # Example
///
/// ```
/// let names = ["id", "visits", "health"];
/// assert_eq!(suum_data::nearest("vists", names), Some("visits"));
/// assert_eq!(suum_data::nearest("age", names), None);
/// ```
pub fn nearest<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let most = (word.chars().count() / 3).min(2);
    let edits = |name: &str| match name.eq_ignore_ascii_case(word) {
        true => 0,
        // A name that is far longer is not compared letter by letter.
        false if name.len().abs_diff(word.len()) > 4 * most => usize::MAX,
        false => osa_distance(name, word),
    };
    let near = names.into_iter().map(|name| (edits(name), name));
    let least = near.filter(|(edits, _)| *edits <= most).min_by_key(|(edits, _)| *edits);
    least.map(|(_, name)| name)
}

/// Position of the name that a cell resembles.
#[cold]
pub(crate) fn place_of_nearest<'a>(
    cell: &[u8],
    mut names: impl Iterator<Item = &'a str> + Clone,
) -> Option<usize> {
    let meant = nearest(std::str::from_utf8(cell).ok()?, names.clone())?;
    names.position(|name| name == meant)
}
