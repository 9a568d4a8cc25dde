//! The pages of all statistics and plans, as a browser reads them.

mod browser;
mod cases;
mod dom;
mod escaping;
mod files;
mod numbers;
mod sentences;
mod structure;

use self::cases::{RANDHIE, page};
use self::dom::Document;

/// What the page says, line by line, without its JSON.
#[test]
fn text_of_a_page() {
    let words =
        ["mean", RANDHIE, "--value", "visits", "--bounds", "0,77", "--insecure-seed", "2026"];
    let made = page(&[&words[..], &cases::TIERS].concat());
    let document = Document::read(&made.html);
    let text: Vec<String> = document.lines(|element| element.attribute("id") != Some("json"));
    insta::assert_snapshot!(text.join("\n"));
}

/// Ten thousand people, each with a budget of their own, make a page that is as short as any.
#[test]
fn many_levels_are_put_together() {
    let profile: Vec<String> =
        (1..=10_000).map(|at| format!("{}:1", f64::from(at) / 1000.0)).collect();
    let made = page(&["plan", "--profile", &profile.join(","), "--bounds", "0,1"]);
    assert!(made.html.len() < 40_000, "{}", made.html.len());
    assert!(made.json.len() > 500_000);
    let document = Document::read(&made.html);
    let tiers = document
        .find("section")
        .into_iter()
        .find(|one| one.attribute("id") == Some("tiers"))
        .unwrap();
    assert_eq!(tiers.find("tr").len(), 11);
    assert!(tiers.text().contains("0.001 to 1"));
}
