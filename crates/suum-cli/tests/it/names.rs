//! Names of types: they say what a thing is, and not what was done to it.

use super::architecture::{files, is_of_tests, workspace};
use super::source;

/// Participles that do not end like most.
const IRREGULAR: [&str; 26] = [
    "Bought", "Built", "Chosen", "Drawn", "Found", "Given", "Held", "Kept", "Known", "Left",
    "Lost", "Made", "Met", "Read", "Said", "Seen", "Sent", "Shown", "Sold", "Sought", "Spent",
    "Sworn", "Taken", "Told", "Unfound", "Written",
];

/// Returns true for a participle and nothing else, such as `Counted`; `CountedBytes` is not one.
fn is_participle(name: &str) -> bool {
    let one_word = name.chars().skip(1).all(|letter| letter.is_ascii_lowercase());
    one_word && (name.ends_with("ed") && name.len() > 4 || IRREGULAR.contains(&name))
}

#[test]
fn no_type_is_called_by_a_participle() {
    assert!(is_participle("Counted") && is_participle("Found") && !is_participle("Seed"));
    assert!(!is_participle("FoundRange") && !is_participle("Estimand"));
    let root = workspace();
    let folders = ["crates", "python", "fuzz"].map(|folder| root.join(folder));
    let (mut seen, mut bad) = (0, Vec::new());
    for path in folders.iter().flat_map(|folder| files(folder, "rs")) {
        let inside = path.strip_prefix(&root).unwrap();
        if !inside.iter().any(|part| part == "src") || is_of_tests(inside) {
            continue;
        }
        for (line, text) in source::lines(source::tokens(&path)) {
            let mut words = text.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
            while let Some(word) = words.next() {
                if !["struct", "enum", "trait", "type", "union"].contains(&word) {
                    continue;
                }
                let name = words.next().unwrap_or_default();
                seen += 1;
                if is_participle(name) {
                    bad.push(format!("{}:{line}: {name}", inside.display()));
                }
            }
        }
    }
    assert!(seen > 700, "types were not found: {seen}");
    assert!(bad.is_empty(), "call them by what they are:\n{}", bad.join("\n"));
}
