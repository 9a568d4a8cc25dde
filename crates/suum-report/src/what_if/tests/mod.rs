//! The page against `suum plan`, in a browser.

mod figures;
mod page;
mod steps;

/// An estimator's cells as a plan's text has them: what is said of one stands behind its name.
pub(super) fn marked(cells: &[&str]) -> String {
    let (name, mark) = (cells[0], cells.last().unwrap());
    let name = if mark.is_empty() { name.to_owned() } else { format!("{name} ({mark})") };
    [&[name.as_str()], &cells[1..cells.len() - 1]].concat().join(" ")
}

/// The text between the element with this id and its end, as it stands in the document.
pub(super) fn inside<'a>(document: &'a str, id: &str) -> &'a str {
    let at = document.find(&format!("id=\"{id}\"")).unwrap_or_else(|| panic!("no element {id}"));
    let text = &document[at..];
    let text = &text[text.find('>').unwrap() + 1..];
    &text[..text.find("</").unwrap()]
}
