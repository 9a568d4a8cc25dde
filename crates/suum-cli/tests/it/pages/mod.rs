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

/// What a page says of how quantiles were drawn.
fn method_of(words: &[&str]) -> String {
    let made = page(&[words, &cases::TIERS].concat());
    let document = Document::read(&made.html);
    let sections = document.find("section");
    sections.into_iter().find(|one| one.attribute("id") == Some("method")).unwrap().text()
}

#[test]
fn the_page_of_quantiles_says_how_they_were_drawn() {
    let deciles = ["quantile", RANDHIE, "--value", "visits", "--bounds", "0,77", "--q", "deciles"];
    let without = [&deciles[..], &["--interval-share", "0"]].concat();
    let hidden = [&without[..], &["--neighbors", "add-remove"]].concat();
    for words in [&without[..], &hidden] {
        let method = method_of(words);
        assert!(method.contains("by the exponential mechanism"), "{method}");
        assert!(!method.contains("permute-and-flip"), "{method}");
        assert!(!method.contains("interval"), "{method}");
    }
    // The widths of intervals are drawn in another way than deciles.
    let method = method_of(&[&deciles[..], &["--interval-share", "0.5", "--step", "1"]].concat());
    let (estimates, ends) = method.split_once("Both ends of an interval").unwrap();
    assert!(!estimates.contains("permute-and-flip"), "{estimates}");
    assert!(ends.starts_with(" are drawn together, by permute-and-flip"), "{ends}");
    assert!(ends.contains("from a list of 22 widths"), "{ends}");
    let median = method_of(&deciles[..6]);
    assert!(median.contains("drawn by permute-and-flip"), "{median}");
    assert!(!median.contains("exponential mechanism"), "{median}");
    assert!(median.contains("from a list of 61 widths"), "{median}");
    // Where public people alone count, nothing is drawn.
    let public = method_of(&[&deciles[..6], &["--estimator", "pe"]].concat());
    assert!(public.contains("No noise is drawn"), "{public}");
    assert!(!public.contains("permute-and-flip") && !public.contains("widths"), "{public}");
}

/// Only where few records decide intervals that hold all at once are wider still, and only some
/// noises add up to zero.
#[test]
fn the_page_of_frequencies_says_what_was_done() {
    let frequency =
        ["frequency", RANDHIE, "--value", "health", "--categories", "excellent,good,fair,poor"];
    let simultaneous = [&frequency[..], &["--simultaneous"]].concat();
    let method = method_of(&simultaneous);
    assert!(method.contains("All intervals hold at once:"), "{method}");
    assert!(method.contains("each interval is a little wider still"), "{method}");
    assert!(method.contains("of noises that add up to zero"), "{method}");
    let correlated = [&simultaneous[..], &["--target", "dataset-correlated"]].concat();
    let method = method_of(&[&correlated[..], &["--estimator", "mixed"]].concat());
    assert!(method.contains("All intervals hold at once:"), "{method}");
    assert!(!method.contains("wider"), "{method}");
    assert!(!method.contains("add up to zero"), "{method}");
    let two = [&frequency[..4], &["--categories", "good", "--other", "not", "--simultaneous"]];
    let method = method_of(&two.concat());
    assert!(method.contains("Both intervals hold, or none"), "{method}");
    assert!(!method.contains("wider"), "{method}");
}
