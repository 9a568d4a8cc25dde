//! Data of which everybody is public: no noise, and no reason that needs some.

use std::fs;

use serde_json::Value;
use tempfile::TempDir;

use super::common::{json, refused, stdout};

/// People with a value, all of whom are public.
struct People {
    _folder: TempDir,
    file: String,
}

impl People {
    fn new(values: &[u32]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("people.csv").to_str().unwrap().to_owned();
        let rows: Vec<String> =
            values.iter().enumerate().map(|(at, v)| format!("{v},p,{}", at / 2)).collect();
        fs::write(&file, format!("v,t,who\n{}\n", rows.join("\n"))).unwrap();
        Self { _folder: folder, file }
    }

    /// A command about them, of these words.
    fn ask<'a>(&'a self, statistic: &'a str, words: &[&'a str]) -> Vec<&'a str> {
        let people = [statistic, &self.file, "--privacy", "t", "--levels", "p=inf"];
        people.iter().chain(words).copied().collect()
    }
}

const BOUNDS: [&str; 4] = ["--value", "v", "--bounds", "0,1000"];

/// The text in one line.
fn unfilled(words: &[&str]) -> String {
    stdout(words).split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn quantile_of_public_people_is_their_sample_quantile() {
    let people = People::new(&[4, 1, 3, 2]);
    let words = [&BOUNDS[..], &["--step", "1"]].concat();
    for (q, value) in [("0.5", 2.0), ("0.25", 1.0), ("0.26", 2.0), ("0.75", 3.0), ("0.99", 4.0)] {
        let asked = people.ask("quantile", &[&words[..], &["--q", q]].concat());
        for _ in 0..3 {
            assert_eq!(json(&asked)["quantiles"][0]["estimate"], value, "{q}");
        }
    }
    // Together, too.
    let several = [&words[..], &["--q", "0.25,0.5,0.75"]].concat();
    let quantiles = json(&people.ask("quantile", &several))["quantiles"].clone();
    let estimates: Vec<&Value> =
        quantiles.as_array().unwrap().iter().map(|one| &one["estimate"]).collect();
    assert_eq!(estimates, [1.0, 2.0, 3.0]);
}

#[test]
fn few_public_people_are_told_that_they_are_few() {
    let people = People::new(&[1, 2, 3, 4]);
    let words = [&BOUNDS[..], &["--step", "1"]].concat();
    for share in [&[][..], &["--interval-share", "0.5"]] {
        let text = unfilled(&people.ask("quantile", &[&words[..], share].concat()));
        assert!(text.contains("there are too few people"), "{text}");
        for needs_noise in ["half of the budget", "interval share", "so little ε", "noisy"] {
            assert!(!text.contains(needs_noise), "{needs_noise}: {text}");
        }
    }
    // Where some are private a larger share is only named if it would be of use.
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("few.csv").to_str().unwrap().to_owned();
    fs::write(&file, "v,t\n1,a\n2,a\n3,a\n4,a\n").unwrap();
    let few = ["quantile", &file, "--privacy", "t", "--levels", "a=1"];
    let text = unfilled(&[&few[..], &words].concat());
    assert!(text.contains("too few people, or too little ε"), "{text}");
    assert!(!text.contains("a larger interval share"), "{text}");
}

#[test]
fn answers_without_noise_say_so() {
    let people = People::new(&[1, 2, 3, 4]);
    let explained = unfilled(&people.ask("mean", &[&BOUNDS[..], &["--explain"]].concat()));
    assert!(!explained.contains("Noise was added"), "{explained}");
    assert!(explained.contains("No noise was added: all records that count are public"));
    let text = unfilled(&people.ask("mean", &BOUNDS));
    assert!(text.contains("No noise was added: all records that count are public"), "{text}");
}

/// Whoever hides public people hides nothing, and adds no noise.
#[test]
fn hidden_participation_of_public_people_adds_no_noise() {
    let people = People::new(&[4, 1, 3, 2]);
    let target = ["--target", "dataset"];
    for neighbors in ["both", "add-remove"] {
        let hidden = ["--neighbors", neighbors];
        let count = json(&people.ask("count", &hidden));
        assert_eq!(count["estimate"], 4.0, "{count}");
        assert_eq!(
            (&count["interval"]["lower"], &count["interval"]["upper"]),
            (&4.0.into(), &4.0.into())
        );
        assert_eq!(count["error"]["noise_sd"], 0.0);
        assert_eq!(count["noise"]["scale"], "0");
        let ask = |statistic, words: &[&'static str]| {
            json(&people.ask(statistic, &[words, &target, &hidden].concat()))
        };
        for (statistic, value) in [("mean", 2.5), ("sum", 10.0), ("variance", 1.25)] {
            let release = ask(statistic, &BOUNDS);
            let estimate = release["estimate"].as_f64().unwrap();
            assert!((estimate - value).abs() < 1e-3, "{statistic} {neighbors}: {estimate}");
            assert_eq!(release["error"]["noise_sd"], 0.0, "{statistic} {neighbors}");
            assert_eq!(release["privacy"][0]["spent"], "inf");
        }
        let median = ask("median", &[&BOUNDS[..], &["--step", "1"]].concat());
        let median = median["quantiles"].get(0).unwrap_or(&median)["estimate"].clone();
        assert_eq!(median, 2.0);
        let shares = ask("frequency", &["--value", "v", "--categories", "1,2,3,4"]);
        assert_eq!(shares["frequencies"][0]["estimate"], 0.25);
        let text = unfilled(&people.ask("mean", &[&BOUNDS[..], &hidden].concat()));
        assert!(text.contains("No noise was added: all records that count are public"), "{text}");
        // The certificate agrees: without noise everything is spent.
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("release.json").to_str().unwrap().to_owned();
        fs::write(&file, count.to_string()).unwrap();
        assert!(stdout(&["verify", &file]).contains("It agrees"));
        // A tier of nobody else that is private keeps its noise.
        let private = ["--levels", "p=inf,strict=0.1", "--neighbors", neighbors];
        let words = ["count", &people.file, "--privacy", "t"];
        let noisy = json(&[&words[..], &private].concat());
        assert!(noisy["error"]["noise_sd"].as_f64().unwrap() > 10.0);
    }
}

#[test]
fn answers_about_persons_say_what_counts_of_each() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("rows.csv").to_str().unwrap().to_owned();
    let rows: Vec<String> = (0..400).map(|row| format!("{},{},p", row / 2, row % 2)).collect();
    fs::write(&file, format!("who,v,t\n{}\n", rows.join("\n"))).unwrap();
    let persons = [&file, "--privacy", "t", "--levels", "p=1", "--person", "who", "--value", "v"];
    let categories = ["--categories", "1,0"];
    let bounds = ["--bounds", "0,10"];
    for (statistic, words, counts, contribution) in [
        ("mean", &bounds[..], "the mean of their rows.", "mean of rows"),
        ("sum", &bounds, "the total of their rows.", "total of rows"),
        ("median", &bounds, "the median of their rows.", "rows by rank"),
        (
            "frequency",
            &categories,
            "the share of their rows in each category.",
            "share of rows in each category",
        ),
    ] {
        for neighbors in ["replace", "both"] {
            let asked = [&[statistic][..], &persons, words, &["--neighbors", neighbors]].concat();
            let once = format!("Each person counts once, with {counts}");
            let text = unfilled(&asked);
            assert!(text.contains(&once), "{statistic} {neighbors}: {text}");
            let explained = unfilled(&[&asked[..], &["--explain"]].concat());
            let once = once.trim_end_matches('.');
            assert!(explained.contains(once), "{statistic} {neighbors}: {explained}");
            assert_eq!(json(&asked)["contribution"], contribution);
        }
    }
}

#[test]
fn answers_name_the_number_that_a_person_counts_with() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("rows.csv").to_str().unwrap().to_owned();
    // Everybody has rows of 1, 2 and 6.
    let rows: Vec<String> =
        (0..600).map(|row| format!("{},{},p", row / 3, [1, 6, 2][row % 3])).collect();
    fs::write(&file, format!("who,v,t\n{}\n", rows.join("\n"))).unwrap();
    let persons = [&file, "--privacy", "t", "--levels", "p=inf", "--person", "who", "--value", "v"];
    let bounds = ["--bounds", "0,20", "--insecure-seed", "1"];
    for (per_person, of_persons, of_rows, contribution, number_of_each) in [
        ("mean", "persons' means", "the mean of their rows", "mean of rows", 3.0),
        ("total", "persons' totals", "the total of their rows", "total of rows", 9.0),
        ("median", "persons' medians", "the median of their rows", "median of rows", 2.0),
        ("min", "persons' least values", "the least of their rows", "least of rows", 1.0),
        ("max", "persons' largest values", "the largest of their rows", "largest of rows", 6.0),
    ] {
        for statistic in ["mean", "median", "variance", "sum"] {
            let asked = [&persons[..], &bounds, &["--per-person", per_person]].concat();
            let asked = [&[statistic][..], &asked].concat();
            let text = unfilled(&asked);
            let named = format!("{statistic} of {of_persons}");
            assert!(text.contains(&named), "{statistic} {per_person}: {text}");
            let once = format!("Each person counts once, with {of_rows}");
            assert!(text.contains(&once), "{statistic} {per_person}: {text}");
            let explained = unfilled(&[&asked[..], &["--explain"]].concat());
            assert!(explained.contains(&named), "{statistic} {per_person}: {explained}");
            let release = json(&asked);
            assert_eq!(release["contribution"], contribution, "{statistic} {per_person}");
            assert_eq!(release["bounds_of"].is_string(), per_person == "total");
            let estimate = match statistic {
                "median" => release["quantiles"][0]["estimate"].as_f64(),
                // All are alike.
                "variance" => release["estimate"].as_f64().map(|zero| zero + number_of_each),
                "sum" => release["estimate"].as_f64().map(|sum| sum / 200.0),
                _ => release["estimate"].as_f64(),
            };
            let away = estimate.unwrap() - number_of_each;
            assert!(away.abs() < 1e-3, "{statistic} {per_person}: {release}");
        }
        let planned = ["plan", &file, "--privacy", "t", "--levels", "p=1", "--person", "who"];
        let planned =
            [&planned[..], &["--value", "v", "--per-person", per_person, "--bounds", "0,20"]];
        let planned = unfilled(&planned.concat());
        assert!(planned.contains(&format!("mean of {of_persons}")), "{planned}");
    }
    let summary = ["summary", "--statistic", "mean,variance,q50", "--per-person", "max"];
    let summary = json(&[&summary[..], &persons, &bounds].concat());
    for part in ["mean", "variance", "quantiles"] {
        let part = &summary["parts"][part];
        assert!(part.is_null() || part["contribution"] == "largest of rows", "{summary}");
    }
}

#[test]
fn a_number_of_a_person_is_refused_where_there_is_none() {
    let data = ["d.csv", "--epsilon", "e", "--value", "v", "--bounds", "0,9"];
    let person = ["--person", "id"];
    for (asked, option) in [
        ([&["mean"][..], &data, &["--per-person", "total"]].concat(), "per-person: no column"),
        (
            [&["median"][..], &data, &person, &["--per-person", "max", "--rows", "2"]].concat(),
            "per-person: a person counts with one number",
        ),
        (
            [&["mean"][..], &data, &person, &["--per-person", "best"]].concat(),
            "per-person: there is no value of that name",
        ),
        (
            [
                &["frequency", "d.csv", "--epsilon", "e", "--value", "v", "--categories", "a,b"],
                &person[..],
                &["--per-person", "max"],
            ]
            .concat(),
            "per-person: categories have no max",
        ),
        (
            [&["mean"][..], &data, &person, &["--per-person", "max", "--check-bounds"]].concat(),
            "check-bounds: the bounds are those of one number",
        ),
    ] {
        let (_, message) = refused(&asked);
        assert!(message.contains(option), "{asked:?}: {message}");
        assert!(message.contains("hint: "), "{asked:?}: {message}");
    }
}
