//! One query, through all doors: words, JSON, TOML, and the command that it prints of itself.

use std::collections::BTreeSet;

use suum::{Entries, Job, Query};
use suum_cli::{job, options, parse};

use crate::record::{commands, data::Data};

/// The words that a shell makes of a line; no recorded one has quotes within quotes.
pub(crate) fn shell(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    for character in line.chars() {
        match character {
            '\'' => quoted = !quoted,
            ' ' if !quoted => words.push(String::new()),
            other => words.last_mut().unwrap().push(other),
        }
    }
    words
}

fn job_from_words(words: &[String]) -> suum::Result<Option<Job>> {
    job(&parse(words.iter().map(String::as_str))?)
}

#[test]
fn a_query_is_the_same_through_all_doors() {
    let data = Data::new();
    let mut distinct = BTreeSet::new();
    for command in commands::families().into_iter().flat_map(|(_, commands)| commands) {
        let Ok(Some(mut job)) = job_from_words(&data.words(&command)) else { continue };
        // The largest of seeds has no place among TOML's numbers.
        job.query.insecure_seed = None;

        let json = serde_json::to_string(&job).unwrap();
        assert_eq!(Entries::from_json(&json).and_then(Job::new), Ok(job.clone()), "{json}");
        let toml = toml::to_string(&job).unwrap();
        assert_eq!(Job::from_toml(&toml), Ok(job.clone()), "{toml}");

        let query = serde_json::to_string(&job.query).unwrap();
        assert_eq!(Query::from_json(&query), Ok(job.query.clone()), "{query}");
        let repeated = job.query.command("people.csv");
        let words = &shell(&repeated)[1..];
        match job_from_words(words) {
            Ok(again) => assert_eq!(again.unwrap().query, job.query, "{repeated}"),
            // Tiers that a ledger has, and columns that a level table has, are not said.
            Err(refused) => {
                let elsewhere = job.charge.ledger.is_some() || job.source.from_levels.is_some();
                assert!(elsewhere, "{repeated}: {refused}");
            }
        }
        distinct.insert(query);
    }
    assert!(distinct.len() >= 100, "{} queries", distinct.len());
}

#[test]
fn a_command_has_the_options_of_its_query() {
    let elsewhere = [
        "table",
        "query",
        "trust_query",
        "where",
        "delimiter",
        "encoding",
        "decimal",
        "consent",
        "key",
        "consent_from",
        "consent_until",
        "consent_status",
        "consent_active",
        "consent_withdrawn",
        "consent_expired",
        "consent_reference",
        "consent_attributes",
        "as_of",
        "from_levels",
        "study",
        "ledger",
        "dataset",
        "spend",
        "target_rmse",
        "target_half_width",
        "public_columns",
        "edition",
        "again",
        "allow_moves",
        "format",
        "report",
        "quiet",
        "explain",
        "sort",
    ];
    for command in ["mean", "sum", "count", "frequency", "quantile", "variance", "summary"] {
        let own = Query::options(command).unwrap().into_iter().map(str::to_owned);
        let mut asked: BTreeSet<String> = own.collect();
        asked.extend(elsewhere.map(str::to_owned));
        // Which statistics.
        if command == "summary" {
            asked.insert("statistic".into());
        }
        let given = options(command).into_iter().map(|option| option.name.replace('-', "_"));
        assert_eq!(given.collect::<BTreeSet<_>>(), asked, "{command}");
    }
}

/// `suum run` says what the command says that asks the same.
#[test]
fn a_file_is_run_as_its_command() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("survey.toml");
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/randhie.csv");
    let toml = r#"
        statistic = "mean"
        value = "visits"
        bounds = [0, 77]
        privacy = "privacy"
        levels = { strict = 0.01, standard = 0.1, relaxed = 1, public = "inf" }
        group-by = "health"
        groups = ["excellent", "good", "fair", "poor"]
        insecure-seed = 7
    "#;
    std::fs::write(&file, toml).unwrap();
    let run = ["run", file.to_str().unwrap(), data];
    let words = [
        "mean",
        data,
        "--value",
        "visits",
        "--bounds",
        "0,77",
        "--privacy",
        "privacy",
        "--levels",
        "strict=0.01,standard=0.1,relaxed=1,public=inf",
        "--group-by",
        "health",
        "--groups",
        "excellent,good,fair,poor",
        "--insecure-seed",
        "7",
    ];
    let said = |words: &[&str]| {
        let asked = parse(words.iter().copied()).unwrap();
        suum_cli::answer(asked, suum::JobInputs::default()).unwrap().json().unwrap()
    };
    let release = said(&run);
    assert_eq!(release, said(&words));
    // The JSON of a release asks the same again.
    let again = folder.path().join("release.json");
    std::fs::write(&again, &release).unwrap();
    assert_eq!(said(&["run", again.to_str().unwrap(), data]), release);

    // A plan of the same, for the people in the data and for others; options come first.
    std::fs::write(&file, toml.split("group-by").next().unwrap()).unwrap();
    let file_name = file.to_str().unwrap();
    let plan = said(&["plan", file_name, "--profile", "0.1:3400,inf:23", "--target", "dataset"]);
    let words = ["plan", "--profile", "0.1:3400,inf:23", "--bounds", "0,77", "--target", "dataset"];
    assert_eq!(plan, said(&words));
    let asked = parse(["plan", file_name]).unwrap();
    let refused = suum_cli::answer(asked, suum::JobInputs::default()).unwrap_err();
    assert!(refused.to_string().starts_with("plan: it is not said for whom"), "{refused}");

    let wrong = |toml: &str| {
        std::fs::write(&file, toml).unwrap();
        let refused = suum_cli::job(&parse(run).unwrap()).unwrap_err();
        format!("{refused}; {}", refused.fix().unwrap())
    };
    let said = wrong("statistic = \"mean\"\nbound = [0, 77]");
    assert_eq!(said, "bound: there is no such option; did you mean bounds?");
    let said = wrong("statistic = \"count\"\n[levels]\na = 1\nconfidence = 0.5");
    assert!(said.starts_with("levels: it has a tier confidence"), "{said}");
    let said = wrong("statistic = \"count\"\nformat = \"json\"");
    assert!(said.starts_with("format: it is no part of what is asked; say --format"), "{said}");
    let said = wrong("statistic = \"count\"\nbounds = [0, 77]");
    assert_eq!(said, "bounds: is for numbers; leave bounds out");
    let said = wrong("value = \"visits\"");
    assert!(said.starts_with("statistic: it is not said which;"), "{said}");
    let said = wrong("statistic = \"mean\"\nvalue = ");
    assert!(said.starts_with("query: it is no TOML of options in line 2"), "{said}");
}

/// `INSTA_UPDATE=always` writes it anew.
#[test]
fn the_schema_in_the_documentation_is_that_of_a_job() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reference/query.schema.json");
    let schema = serde_json::to_string_pretty(&Job::schema()).unwrap() + "\n";
    if std::env::var("INSTA_UPDATE").as_deref() == Ok("always") {
        std::fs::write(file, &schema).unwrap();
    }
    assert_eq!(std::fs::read_to_string(file).unwrap(), schema);
    for name in ["statistic", "levels", "data", "ledger"] {
        assert!(schema.contains(&format!("\"{name}\": {{")), "{name}");
    }
    let schema: serde_json::Value = serde_json::from_str(&schema).unwrap();
    let examples = schema["examples"].as_array().unwrap();
    assert!(!examples.is_empty());
    for example in examples {
        suum::Query::from_json(&example.to_string()).unwrap();
    }
}
