//! How much there is to read, and the one form of the pages about mechanisms.

use std::fs;
use std::path::{Path, PathBuf};

use super::architecture::{files, workspace};
use super::book::prose;

/// The most words that people have to write and read; see [`words`].
const LIMIT: usize = 25_000;

/// Pages that tests write, or that copy sentence by sentence what the program says.
const COPIED: [&str; 5] =
    ["command-line.md", "options.md", "json-examples.md", "release.md", "sentences.md"];

/// The parts of every page about a mechanism, in their order.
const PARTS: [&str; 6] = ["Guarantee", "Proof", "Error", "When to use it", "Source", "Code"];

/// The most lines of a page's pseudocode.
const PSEUDOCODE: usize = 10;

/// The pages that people write: no notebooks, and nothing that is copied.
fn written() -> Vec<PathBuf> {
    let root = workspace();
    let mut pages = files(&root.join("docs"), "md");
    pages.retain(|page| {
        let copied = COPIED.iter().any(|name| page.ends_with(Path::new("reference").join(name)));
        let notebook = page.parent().is_some_and(|folder| folder.ends_with("gallery"));
        !copied && (!notebook || page.ends_with("notebooks.md"))
    });
    for more in ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "crates/README.md"] {
        pages.push(root.join(more));
    }
    pages
}

/// The text without proofs: sections of that name, and paragraphs that begin with the word, up to
/// the sign ∎.
fn without_proofs(prose: &str) -> String {
    let mut kept = String::new();
    let (mut section, mut paragraph) = (0, false);
    for line in prose.lines() {
        let depth = line.len() - line.trim_start_matches('#').len();
        if depth > 0 {
            paragraph = false;
            if section == 0 || depth <= section {
                let proof = line.trim_start_matches('#').trim() == "Proof";
                section = if proof { depth } else { 0 };
            }
        }
        paragraph |= line.trim_start_matches('*').starts_with("Proof.");
        if section == 0 && !paragraph {
            kept += line;
            kept.push('\n');
        }
        paragraph &= !line.contains('∎');
    }
    kept
}

/// Whether it has two letters in a row, as symbols of formulas have not, or is "a".
fn is_word(text: &str) -> bool {
    let mut pairs = text.chars().zip(text.chars().skip(1));
    let letters = |(one, next): (char, char)| one.is_alphabetic() && next.is_alphabetic();
    pairs.any(letters) || text.eq_ignore_ascii_case("a")
}

/// How many words a text has outside code and proofs.
fn words(text: &str) -> usize {
    let prose = without_proofs(&prose(text));
    // Every second part between backticks is code.
    let lines = prose.lines().map(|line| line.split('`').step_by(2).collect::<String>());
    lines.map(|line| line.split_whitespace().filter(|word| is_word(word)).count()).sum()
}

#[test]
fn words_are_those_of_prose() {
    let text = "# One\n\na two `three four` | 5 | q·r |\n\n    six\n\n```text\nseven\n```\n\n\
                ## Proof\n\neight\n\n### Nine\n\nten\n\n## Four\n\n*Proof.* eleven\ntwelve ∎\n\
                [five](thirteen)\n";
    assert_eq!(words(text), 5);
}

#[test]
fn there_is_not_more_to_read_than_people_read() {
    let mut pages: Vec<(usize, PathBuf)> = written()
        .into_iter()
        .map(|page| (words(&fs::read_to_string(&page).unwrap()), page))
        .collect();
    pages.sort();
    let all: usize = pages.iter().map(|(words, _)| words).sum();
    assert!(pages.len() > 50 && all > 10_000, "pages were not found: {all} words");
    let longest: Vec<String> = pages
        .iter()
        .rev()
        .take(10)
        .map(|(words, page)| format!("{words} {}", page.display()))
        .collect();
    assert!(all <= LIMIT, "{all} words, not {LIMIT}; the longest:\n{}", longest.join("\n"));
}

#[test]
fn every_mechanism_has_a_page_of_one_form() {
    let mut pages = files(&workspace().join("docs/mechanisms"), "md");
    pages.retain(|page| !page.ends_with("estimators.md"));
    assert!(pages.len() > 20, "pages were not found: {}", pages.len());
    for page in pages {
        let text = fs::read_to_string(&page).unwrap();
        let parts: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("## ")).collect();
        assert_eq!(parts, PARTS, "{}", page.display());
        let pseudocode = text.lines().skip_while(|line| !line.starts_with("    "));
        let pseudocode = pseudocode.take_while(|line| line.starts_with("    ") || line.is_empty());
        let lines = pseudocode.filter(|line| !line.is_empty()).count();
        let first = text.split("    ").next().unwrap();
        assert!(
            (1..=PSEUDOCODE).contains(&lines) && !first.contains("## Guarantee"),
            "{}: {lines} lines of pseudocode before the guarantee",
            page.display()
        );
    }
}
