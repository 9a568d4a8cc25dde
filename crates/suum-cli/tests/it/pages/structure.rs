//! Pages that a browser, a reader of screens and a printer can make sense of, and that load
//! nothing.

use std::collections::BTreeSet;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

use super::cases;
use super::dom::{Document, Element};

const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

#[test]
#[ignore = "takes seconds"]
fn every_page_is_well_made() {
    for (words, made) in cases::all() {
        let document = Document::read(&made.html);
        assert_eq!(document.errors, Vec::<String>::new(), "{words}");
        headings(&document, words);
        tables(&document, words);
        drawings(&document, words);
        charts(&document, words);
        identifiers(&document, words);
        nothing_is_loaded(&document, words);
        assert_eq!(document.find("html")[0].attribute("lang"), Some("en"));
        assert_eq!(document.find("main").len(), 1);
        assert_eq!(document.find("title")[0].text(), document.find("h1")[0].text(), "{words}");
        warning(&document, words);
    }
}

fn headings(document: &Document, words: &str) {
    let level = |element: &&Element| match element.name() {
        "h1" => Some(1),
        "h2" => Some(2),
        "h3" => Some(3),
        "h4" | "h5" | "h6" => panic!("{words}: a heading too deep"),
        _ => None,
    };
    let levels: Vec<u32> = document.find("*").iter().filter_map(level).collect();
    assert_eq!(levels.iter().filter(|level| **level == 1).count(), 1, "{words}");
    assert_eq!(levels[0], 1, "{words}");
    assert!(levels.windows(2).all(|pair| pair[1] <= pair[0] + 1), "{words}: {levels:?}");
    assert!(
        document
            .find("*")
            .iter()
            .filter(|one| level(one).is_some())
            .all(|one| !one.text().is_empty())
    );
}

fn tables(document: &Document, words: &str) {
    for table in document.find("table") {
        assert_eq!(table.find("caption").len(), 1, "{words}");
        assert!(!table.find("caption")[0].text().is_empty(), "{words}");
        for heading in table.find("th") {
            assert!(matches!(heading.attribute("scope"), Some("col" | "row")), "{words}");
            assert!(!heading.text().is_empty(), "{words}");
        }
        let width = |row: &&Element| -> usize {
            let cells = row.find("*").into_iter().filter(|cell| matches!(cell.name(), "th" | "td"));
            cells
                .map(|cell| cell.attribute("colspan").map_or(1, |span| span.parse().unwrap()))
                .sum()
        };
        let widths: BTreeSet<usize> = table.find("tr").iter().map(width).collect();
        assert_eq!(widths.len(), 1, "{words}: {}", table.text());
    }
}

fn drawings(document: &Document, words: &str) {
    for drawing in document.find("svg") {
        if drawing.attribute("aria-hidden") == Some("true") {
            continue;
        }
        assert_eq!(drawing.attribute("role"), Some("img"), "{words}");
        if drawing.attribute("class") == Some("curve") {
            // Its words change with it: they are below it.
            let caption =
                drawing.attribute("aria-labelledby").and_then(|name| document.by_id(name));
            assert_eq!(caption.map(Element::name), Some("figcaption"), "{words}");
            continue;
        }
        for part in ["title", "desc"] {
            let part = drawing.find(part);
            assert_eq!(part.len(), 1, "{words}");
            let names = drawing.attribute("aria-labelledby").unwrap();
            assert!(names.split(' ').any(|name| part[0].attribute("id") == Some(name)), "{words}");
        }
    }
}

/// A chart of rows is one image, whose text says what it shows.
fn charts(document: &Document, words: &str) {
    for chart in document.find("div").iter().filter(|one| one.attribute("class") == Some("rows")) {
        assert_eq!(chart.attribute("role"), Some("img"), "{words}");
        assert!(chart.attribute("aria-label").is_some_and(|label| label.len() > 40), "{words}");
        let drawings = chart.find("svg");
        assert!(drawings.iter().all(|one| one.attribute("aria-hidden") == Some("true")));
        assert_eq!(chart.find("span").len(), 2 * drawings.len(), "{words}");
    }
}

fn identifiers(document: &Document, words: &str) {
    let all = document.find("*");
    let ids: Vec<&str> = all.iter().filter_map(|element| element.attribute("id")).collect();
    let unique: BTreeSet<&str> = ids.iter().copied().collect();
    assert_eq!(ids.len(), unique.len(), "{words}: {ids:?}");
    for names in all.iter().filter_map(|element| element.attribute("aria-labelledby")) {
        assert!(names.split(' ').all(|name| unique.contains(name)), "{words}: {names}");
    }
}

fn nothing_is_loaded(document: &Document, words: &str) {
    let further = document.by_id("what-if");
    let scripts: Vec<String> = document.find("script").iter().map(|script| script.text()).collect();
    // What the section starts from, and the script.
    assert_eq!(scripts.len(), if further.is_some() { 2 } else { 0 }, "{words}");
    for name in ["form", "input"] {
        let known = further.map_or(0, |section| section.find(name).len());
        assert_eq!(document.find(name).len(), known, "{words}: {name}");
    }
    for element in document.find("*") {
        let forbidden = ["link", "img", "image", "iframe", "object", "embed", "use", "base"];
        assert!(!forbidden.contains(&element.name()), "{words}: {}", element.name());
        for (attribute, _) in element.attributes() {
            assert!(
                !attribute.starts_with("on") && attribute != "src" && attribute != "srcset",
                "{words}"
            );
            assert!(attribute != "href" || element.name() == "a", "{words}");
        }
        if let Some(address) = element.attribute("href") {
            assert!(
                address.starts_with("https://arxiv.org/")
                    || address.starts_with("https://doi.org/"),
                "{address}"
            );
        }
    }
    for style in document.find("style") {
        assert!(!style.text().contains("url(") && !style.text().contains("@import"));
    }
    let is_policy =
        |meta: &&&Element| meta.attribute("http-equiv") == Some("Content-Security-Policy");
    let metas = document.find("meta");
    let policies = metas.iter().filter(is_policy).filter_map(|meta| meta.attribute("content"));
    let policy = match scripts.last() {
        Some(script) => {
            format!("{POLICY}; script-src 'sha256-{}'", STANDARD.encode(Sha256::digest(script)))
        }
        None => POLICY.to_owned(),
    };
    assert_eq!(policies.collect::<Vec<_>>(), [policy], "{words}");
}

/// A seeded release says so before it says anything else; no other page has such a box.
fn warning(document: &Document, words: &str) {
    let boxes =
        document.find("div").into_iter().filter(|one| one.attribute("class") == Some("warning"));
    let boxes: Vec<String> = boxes.map(|one| one.text()).collect();
    assert_eq!(boxes.len(), usize::from(words.contains("--insecure-seed")), "{words}");
    assert!(boxes.iter().all(|text| text.starts_with("NOT PRIVATE.")));
}

/// A page that has a script allows that one, by its digest, and no other.
#[test]
fn only_the_script_of_a_further_section_may_run() {
    use suum::{Bounds, Options, Statistic, WeightedRequest};

    let request = WeightedRequest::new(Statistic::Mean, Bounds::UNIT, Options::default()).unwrap();
    let plan = request.plan("0.1:50,inf:2".parse().unwrap()).unwrap();
    let page = suum_report::plan_page(&plan.clone().into(), &[], true, None, None);
    // Without tiers there are none to move about.
    assert!(!page.html("{}").contains("script"));
    let html = page
        .with_section("<section id=\"further\"><h2>What if</h2></section>", "alert(1)")
        .html("{}");
    let document = Document::read(&html);
    assert_eq!(document.errors, Vec::<String>::new());
    assert_eq!(document.find("script").len(), 1);
    assert!(document.by_id("further").is_some());
    assert!(document.by_id("interval").is_some() && document.by_id("needed").is_none());
    let needed = suum_report::PeopleNeeded {
        option: suum::option::TARGET_RMSE,
        target: 0.05,
        factor: 2.0,
        profile: plan.allowed().clone(),
        reached: 0.05,
        now: 0.1,
        points: None,
        basis: String::new(),
        ordinary: None,
        hint: None,
    };
    let page = suum_report::plan_page(&plan.clone().into(), &[], true, Some(&needed), None);
    assert!(Document::read(&page.html("{}")).by_id("needed").is_some());
    // printf 'alert(1)' | openssl dgst -sha256 -binary | base64
    let digest = "bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF+pI=";
    assert!(html.contains(&format!("; script-src 'sha256-{digest}'")), "{html}");
}
