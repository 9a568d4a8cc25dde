//! Every sentence of a release's page stands in the table of the reference, with what carries
//! it.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use super::cases;
use super::dom::Document;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// The rows of the table: a sentence in which `…` stands for anything, and what carries it.
fn table() -> Vec<(String, String)> {
    let document = Path::new(ROOT).join("docs/reference/sentences.md");
    let document = fs::read_to_string(document).unwrap();
    let (_, rows) = document.split_once("| sentence | what carries it |\n|---|---|\n").unwrap();
    let rows = rows.lines().take_while(|line| line.starts_with('|'));
    let cells = |row: &str| {
        let (sentence, carries) =
            row.trim_matches('|').trim().split_once(" | ").unwrap_or((row.trim_matches('|'), ""));
        (sentence.trim().trim_end_matches(" |").to_owned(), carries.trim().to_owned())
    };
    rows.map(cells).collect()
}

/// Possible ends of a sentence that begins the text; `…` is no end of a sentence.
fn ends(pattern: &str, text: &str) -> Vec<usize> {
    let Some((before, rest)) = pattern.split_once('…') else {
        return if text.starts_with(pattern) { vec![pattern.len()] } else { Vec::new() };
    };
    let Some(after) = text.strip_prefix(before) else { return Vec::new() };
    let limit = after.find(". ").map_or(after.len(), |at| at + 1);
    let mut found = Vec::new();
    for (at, character) in after[..limit].char_indices() {
        let at = at + character.len_utf8();
        found.extend(ends(rest, &after[at..]).iter().map(|end| before.len() + at + end));
    }
    found
}

/// Returns true if the text is made of such sentences.
fn is_made_of(text: &str, patterns: &[String]) -> bool {
    text.is_empty()
        || patterns.iter().any(|pattern| {
            ends(pattern, text)
                .into_iter()
                .any(|end| is_made_of(text[end..].trim_start(), patterns))
        })
}

#[test]
#[ignore = "takes seconds"]
fn every_sentence_stands_in_the_table() {
    let patterns: Vec<String> = table().into_iter().map(|(sentence, _)| sentence).collect();
    let mut strange = Vec::new();
    for (case, made) in cases::all() {
        if case.starts_with("plan") {
            continue;
        }
        let page = Document::read(&made.html);
        // What is computed how, and how to check it, is not part of the certificate.
        let sections = ["method", "comparison", "check", "cite", "ledger"];
        let other: HashSet<String> = sections
            .into_iter()
            .filter_map(|id| page.by_id(id))
            .flat_map(|section| [section.find("p"), section.find("li")].concat())
            .map(|element| element.words())
            .collect();
        let said = page.lines(|element| matches!(element.name(), "p" | "li"));
        for line in said.into_iter().filter(|line| !other.contains(line)) {
            let around = ["Release with differential privacy", "Test release", "suum "];
            if !around.iter().any(|start| line.starts_with(start)) && !is_made_of(&line, &patterns)
            {
                strange.push(format!("{case}: {line}"));
            }
        }
    }
    assert!(strange.is_empty(), "not in docs/reference/sentences.md:\n{}", strange.join("\n"));
}

/// The sentences of a short text: all that is no table and no headline, each paragraph on one line.
fn sentences(text: &str) -> Vec<String> {
    let mut paragraphs = vec![String::new()];
    for line in text.lines() {
        // Cells and parts of a headline have gaps between them, and · what they are of.
        let is_prose = !line.trim().is_empty()
            && !line.trim().contains("  ")
            && !line.contains('·')
            && line.trim() != "participation hidden";
        let last = paragraphs.last_mut().unwrap();
        match is_prose {
            true if last.is_empty() => *last = line.trim().to_owned(),
            true => *last = format!("{last} {}", line.trim()),
            false => paragraphs.push(String::new()),
        }
    }
    paragraphs.retain(|paragraph| !paragraph.is_empty());
    paragraphs
}

/// A short text may leave out sentences, but says none that has no place in the table.
#[test]
fn every_sentence_of_a_short_text_stands_in_the_table() {
    let patterns: Vec<String> = table().into_iter().map(|(sentence, _)| sentence).collect();
    let mut strange = Vec::new();
    for (case, made) in cases::all() {
        if case.starts_with("plan") {
            continue;
        }
        let prose = sentences(&made.text);
        assert!(!prose.is_empty(), "{case}: {}", made.text);
        let wrong = prose.into_iter().filter(|said| !is_made_of(said, &patterns));
        strange.extend(wrong.map(|said| format!("{case}: {said}")));
    }
    assert!(strange.is_empty(), "not in docs/reference/sentences.md:\n{}", strange.join("\n"));
}

#[test]
fn every_test_in_the_table_exists() {
    for (sentence, carries) in table() {
        for name in carries.split('`').skip(1).step_by(2) {
            let Some((place, test)) = name.split_once("::") else { continue };
            let (part, file) = place.split_once(' ').unwrap();
            let places = ["src", "tests/it"]
                .map(|folder| format!("{ROOT}/crates/suum-{part}/{folder}/{file}.rs"));
            let found = places.iter().filter_map(|path| fs::read_to_string(path).ok());
            let exists = found.into_iter().any(|text| text.contains(&format!("fn {test}(")));
            assert!(exists, "{sentence}: there is no test {name}");
        }
    }
}
