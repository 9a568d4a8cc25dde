//! The page against `suum plan`, in a browser.

mod figures;
mod page;
mod steps;

/// The text between the element with this id and its end, as it stands in the document.
pub(super) fn inside<'a>(document: &'a str, id: &str) -> &'a str {
    let at = document.find(&format!("id=\"{id}\"")).unwrap_or_else(|| panic!("no element {id}"));
    let text = &document[at..];
    let text = &text[text.find('>').unwrap() + 1..];
    &text[..text.find("</").unwrap()]
}
