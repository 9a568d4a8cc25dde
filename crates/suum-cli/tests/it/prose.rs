//! The one form of the pages about mechanisms.

use std::fs;

use super::architecture::{files, workspace};

/// The parts of every page about a mechanism, in their order.
const PARTS: [&str; 6] = ["Guarantee", "Proof", "Error", "When to use it", "Source", "Code"];

/// The most lines of a page's pseudocode.
const PSEUDOCODE: usize = 10;

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
