//! The pages of all statistics and plans, as a browser reads them.

mod browser;
mod cases;
mod dom;
mod escaping;
mod files;
mod numbers;
mod structure;

use self::cases::{RANDHIE, page};
use self::dom::Document;

/// Text of a page, line by line, without its JSON.
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

/// Under its title a plan says of whom it is, and which command makes it again.
#[test]
fn a_plan_is_made_again_by_the_command_on_its_page() {
    let plan = |options: &str| -> Vec<String> {
        let words = ["plan", "--profile", "0.1:34000,1:900,inf:230"];
        words.into_iter().chain(options.split(' ')).map(str::to_owned).collect()
    };
    let of_data = [&["plan", RANDHIE, "--bounds", "0,77"], &cases::TIERS[..]].concat();
    let of_data = of_data.into_iter().map(str::to_owned).collect();
    for (words, scope) in [
        (plan("--bounds=-3,77"), "35,130 records · bounds -3 to 77"),
        (plan("--bounds 0,77 --what-if inf:+500"), "35,630 records · bounds 0 to 77"),
        (plan("--statistic frequency --categories a,b,c"), "35,130 records"),
        (plan("--statistic quantile --q 0.5,0.9 --bounds 0,9"), "bounds 0 to 9"),
        (plan("--bounds 0,9 --neighbors add-remove --epsilon-range 0.01,inf"), "bounds 0 to 9"),
        (of_data, "20,190 records · bounds 0 to 77"),
    ] {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let made = page(&words);
        let document = Document::read(&made.html);
        let is_provenance = |one: &&dom::Element| one.attribute("class") == Some("provenance");
        let provenance = document.find("div").into_iter().find(is_provenance).unwrap();
        assert!(provenance.text().contains(scope), "{}", provenance.text());
        let command = document.by_id("again-command").unwrap().text();
        let again: Vec<String> = crate::doors::shell(&command.replace("DATA", RANDHIE));
        let again: Vec<&str> = again.iter().skip(1).map(String::as_str).collect();
        assert_eq!(page(&again).json, made.json, "{command}");
    }
}

/// The plans of several answers have a page together.
#[test]
fn the_page_of_several_plans_has_each_of_them() {
    let words = ["plan", RANDHIE, "--value", "visits,chronic_index", "--bounds", "0,77"];
    let made = page(&[&words[..], &cases::TIERS].concat());
    let document = Document::read(&made.html);
    assert_eq!(document.errors, Vec::<String>::new());
    for (id, of) in [("answer-1", "mean of visits"), ("answer-2", "mean of chronic_index")] {
        let section = document.by_id(id).unwrap();
        assert!(section.find("h2")[0].text().contains(of), "{}", section.text());
        assert!(section.text().contains("The error is expected to be"));
        assert_eq!(
            section.find("table").iter().filter(|one| one.text().contains("strict")).count(),
            1
        );
    }
    let again = document.by_id("again-command").unwrap().text();
    assert!(again.contains("suum plan QUERY.toml"), "{again}");
}

/// A heading of a row is never empty, also where a group has several rows.
#[test]
fn rows_of_plans_of_groups_are_named() {
    let groups = ["--group-by", "health", "--groups", "excellent,good,fair,poor"];
    let made = page(&[&["plan", RANDHIE, "--bounds", "0,77"], &groups[..], &cases::TIERS].concat());
    let document = Document::read(&made.html);
    let headings = document.find("th");
    assert!(headings.len() > 8 && headings.iter().all(|one| !one.text().trim().is_empty()));
    let provenance = document.find("header")[0].text();
    assert!(provenance.contains("20,190 records · bounds 0 to 77"), "{provenance}");
}

/// Section of a page on how its quantiles were drawn.
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
    let add_remove = [&without[..], &["--neighbors", "add-remove"]].concat();
    for words in [&without[..], &add_remove] {
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
