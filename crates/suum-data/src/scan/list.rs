//! Lists of labels on one line.

/// The items of a list such as `A,B,C`, without the spaces around them.
///
/// A backslash makes a comma, an equals sign or a backslash after it part of the item; others stand
/// for themselves. A backslash at the beginning of an item makes an at sign after it part of the
/// item: a text that begins with one can name a file.
///
/// # Example
///
/// ```
/// use suum_data::list;
///
/// assert_eq!(list::items(r"A, B,Doe\, Jane"), ["A", "B", "Doe, Jane"]);
/// assert_eq!(list::items(&list::escaped(r"a\b=,c")), [r"a\b=,c"]);
/// ```
pub fn items(text: &str) -> Vec<String> {
    split(text, ',').into_iter().map(|item| plain(item.trim_ascii())).collect()
}

/// The pairs of a list such as `A=1,B=2`: a label, and the text behind the first equals sign;
/// `None` if there is none.
///
/// # Example
///
/// ```
/// use suum_data::list;
///
/// assert_eq!(list::pairs(r"a\=b=1")[0], Some(("a=b".into(), "1".into())));
/// assert_eq!(list::pairs("a")[0], None);
/// ```
pub fn pairs(text: &str) -> Vec<Option<(String, String)>> {
    let pair = |item: &str| match split(item, '=').as_slice() {
        [label, behind @ ..] if !behind.is_empty() => {
            Some((plain(label.trim_ascii()), behind.join("=").trim_ascii().to_owned()))
        }
        _ => None,
    };
    split(text, ',').into_iter().map(pair).collect()
}

/// Label with backslashes, as it is written in a list.
pub fn escaped(label: &str) -> String {
    let mut text = String::with_capacity(label.len());
    for (at, character) in label.chars().enumerate() {
        if is_special(character) || (at == 0 && character == FILE) {
            text.push('\\');
        }
        text.push(character);
    }
    text
}

/// Prefix of the name of a file.
const FILE: char = '@';

fn is_special(character: char) -> bool {
    matches!(character, ',' | '=' | '\\')
}

/// Splits at separators that no backslash escapes.
fn split(text: &str, separator: char) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut start, mut taken) = (0, false);
    for (at, character) in text.char_indices() {
        if character == separator && !taken {
            parts.push(&text[start..at]);
            start = at + character.len_utf8();
        }
        taken = character == '\\' && !taken;
    }
    parts.push(&text[start..]);
    parts
}

fn plain(item: &str) -> String {
    let mut text = String::with_capacity(item.len());
    let item = match item.strip_prefix('\\') {
        Some(rest) if rest.starts_with(FILE) => rest,
        _ => item,
    };
    let mut characters = item.chars().peekable();
    while let Some(character) = characters.next() {
        match characters.next_if(|next| character == '\\' && is_special(*next)) {
            Some(special) => text.push(special),
            None => text.push(character),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_backslash_before_anything_else_is_a_backslash() {
        assert_eq!(items(r"C:\data,b\"), [r"C:\data", r"b\"]);
        assert_eq!(items(""), [""]);
        assert_eq!(items(r"a\\,b"), [r"a\", "b"]);
        assert_eq!(items(r"\@a,@b,a\@b"), ["@a", "@b", r"a\@b"]);
        assert_eq!(pairs("a=1=2")[0], Some(("a".into(), "1=2".into())));
    }

    proptest! {
        #[test]
        fn what_is_escaped_is_read_back(labels in prop::collection::vec(r"[ab@,=\\]{1,5}", 1..4)) {
            let text = labels.iter().map(|label| escaped(label)).collect::<Vec<_>>().join(",");
            prop_assert_eq!(items(&text), labels.clone());
            let text =
                labels.iter().map(|label| escaped(label) + "=1").collect::<Vec<_>>().join(",");
            let expected: Vec<_> =
                labels.into_iter().map(|label| Some((label, "1".to_owned()))).collect();
            prop_assert_eq!(pairs(&text), expected);
        }
    }
}
