//! Short texts fit their screen, and have styles on terminals only.

use std::fs;

use suum::{JobInputs, View};
use suum_cli::{answer, parse};

use super::common::{RANDHIE, TIERS, VISITS, suum};

const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/randhie.csv");

fn text(words: &[&str], columns: usize) -> String {
    let said = answer(parse(words.iter().copied()).unwrap(), JobInputs::default());
    said.unwrap_or_else(|error| panic!("{words:?}: {error}"))
        .text_for(&View::default().wide(columns))
}

#[test]
fn short_texts_fit_every_screen() {
    let of_visits = |command: &'static str, more: &str| -> Vec<String> {
        let words = [&[command, DATA], &VISITS[..], &TIERS[..]].concat();
        words.into_iter().chain(more.split_whitespace()).map(str::to_owned).collect()
    };
    let shares = "--value health --categories excellent,good,fair,poor";
    let shares = [&["frequency", DATA], &TIERS[..]]
        .concat()
        .into_iter()
        .chain(shares.split(' '))
        .map(str::to_owned)
        .collect();
    let cases: Vec<Vec<String>> = vec![
        of_visits("mean", ""),
        of_visits("mean", "--insecure-seed 1 --target dataset-correlated --shrink --missing 0"),
        of_visits("mean", "--group-by health --groups excellent,good,fair,poor"),
        of_visits("mean", "--neighbors add-remove"),
        of_visits(
            "difference",
            "--group-by health --groups excellent,good,fair,poor \
            --between fair,excellent",
        ),
        of_visits("sum", "--estimator uniform"),
        of_visits("plan", "--group-by health --groups excellent,good,fair,poor,none"),
        of_visits("quantile", "--q deciles --step 1"),
        of_visits("quantile", "--person chronic_index"),
        of_visits("variance", "--neighbors both"),
        of_visits("summary", ""),
        shares,
    ];
    for case in &cases {
        let words: Vec<&str> = case.iter().map(String::as_str).collect();
        for columns in [60, 80, 120, 200] {
            let text = text(&words, columns);
            let long = text.lines().find(|line| line.chars().count() > columns);
            assert_eq!(long, None, "{words:?} at {columns}:\n{text}");
            assert!(!text.contains('\u{1b}'));
        }
    }
}

#[test]
fn intervals_of_groups_are_drawn_where_there_is_room() {
    let groups = "--group-by health --groups excellent,good,fair,poor";
    let words = [&["mean", DATA], &VISITS[..], &TIERS[..], &["--insecure-seed", "4"]].concat();
    let words: Vec<&str> = words.into_iter().chain(groups.split(' ')).collect();
    let line = |text: &str, group: &str| {
        let found = text.lines().find(|line| line.trim_start().starts_with(&format!("{group} ")));
        found.unwrap_or_else(|| panic!("{text}")).to_owned()
    };
    for columns in [80, 120] {
        let text = text(&words, columns);
        let (poor, good) = (line(&text, "poor"), line(&text, "good"));
        assert!(poor.contains('├') && poor.contains('●') && poor.ends_with('┤'), "{text}");
        assert!(good.chars().count() < poor.chars().count(), "{text}");
    }
    assert!(text(&words, 60).lines().all(|line| line.chars().count() <= 60));
    // The largest first, if that is wanted.
    let asked = parse(words.iter().copied().chain(["--sort", "share"])).unwrap();
    let view = asked.view();
    let text = answer(asked, JobInputs::default()).unwrap().text_for(&view);
    assert!(text.find("\n  poor ") < text.find("\n  excellent "), "{text}");
}

#[test]
fn a_distribution_and_plans_of_groups_take_one_screen() {
    let of_visits = |command: &'static str, more: &[&'static str]| {
        text(&[&[command, DATA], &VISITS[..], &TIERS[..], more].concat(), 80)
    };
    let cdf = of_visits("quantile", &["--cdf", "--step", "1"]);
    assert!(cdf.lines().count() <= 26 && cdf.contains("90 more: --explain lists them"), "{cdf}");
    assert!(cdf.contains("\n  1 % quantile") && cdf.contains("\n  99 % quantile"), "{cdf}");
    let groups = ["--group-by", "health", "--groups", "excellent,good,fair,poor"];
    let plans = of_visits("plan", &groups);
    assert!(plans.lines().count() <= 20 && plans.contains("\n  strict      6,835"), "{plans}");
    let of_ranks = of_visits("plan", &[&groups[..], &["--statistic", "quantile"]].concat());
    assert!(of_ranks.contains(" points  ") && of_ranks.contains("percentage"), "{of_ranks}");
}

/// The answer, what it takes for granted and what everybody spent, at a glance.
#[test]
fn a_mean_of_six_tiers_fits_a_screen() {
    let tiers = ["strict", "careful", "standard", "open", "relaxed", "public"];
    let rows = (0..6000).map(|row| format!("{},{}\n", row % 50, tiers[row % 6]));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("people.csv");
    fs::write(&path, "visits,consent\n".to_owned() + &rows.collect::<String>()).unwrap();
    let levels = "open=0.5,public=inf,strict=0.01,careful=0.05,standard=0.1,relaxed=1";
    let words = [
        "mean",
        path.to_str().unwrap(),
        "--privacy",
        "consent",
        "--levels",
        levels,
        "--estimator",
        "uniform",
    ];
    let words = [&words[..], &["--value", "visits", "--bounds", "0,1000"]].concat();
    let text = text(&words, 80);
    assert!(text.lines().count() <= 24, "{text}");
    assert!(text.starts_with("visits  mean ") && text.contains("Wide? "), "{text}");
    // In the order declared.
    let at = |tier: &str| text.find(&format!("\n  {tier} ")).unwrap();
    assert!(at("open") < at("public") && at("public") < at("strict"), "{text}");
}

#[test]
fn shares_are_sorted_and_bins_are_not() {
    let said = |more: &str| {
        let words = [&["frequency", DATA], &TIERS[..]].concat();
        let words: Vec<&str> = words.into_iter().chain(more.split(' ')).collect();
        let asked = parse(words.iter().copied()).unwrap();
        let view = asked.view();
        answer(asked, JobInputs::default()).unwrap().text_for(&view)
    };
    let comes_first = |text: &str, one: &str, other: &str| {
        let at = |label: &str| text.find(&format!("\n  {label} ")).unwrap();
        assert!(at(one) < at(other), "{text}");
    };
    let health = "--value health --categories poor,fair,good,excellent";
    comes_first(&said(health), "excellent", "poor");
    comes_first(&said(&format!("{health} --sort declared")), "poor", "excellent");
    let bins = "--value visits --bins 0,1,2,77";
    comes_first(&said(bins), "[1, 2)", "[2, 77]");
    comes_first(&said(&format!("{bins} --sort share")), "[2, 77]", "[1, 2)");
}

#[test]
fn styles_are_for_terminals() {
    let words = [&["mean", RANDHIE], &VISITS[..], &TIERS[..]].concat();
    let said = |variables: &[(&str, &str)]| {
        let output = suum(&words).envs(variables.iter().copied()).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(!said(&[]).contains('\u{1b}'), "no terminal");
    let forced = said(&[("CLICOLOR_FORCE", "1")]);
    assert!(forced.contains("\u{1b}[1mmean "), "{forced:?}");
    assert!(!said(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]).contains('\u{1b}'));
    let wide =
        |columns| said(&[("COLUMNS", columns)]).lines().map(|line| line.chars().count()).max();
    assert!(wide("60") <= Some(60) && wide("120") > Some(80));
}
