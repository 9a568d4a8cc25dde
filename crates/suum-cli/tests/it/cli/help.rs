//! Help fits a screen, and its examples are ones.

use suum_cli::parse;

use super::common::{stdout, suum};

const COMMANDS: [&str; 14] = [
    "mean",
    "sum",
    "frequency",
    "quantile",
    "variance",
    "summary",
    "count",
    "plan",
    "run",
    "verify",
    "levels",
    "levels-sql",
    "ledger",
    "audit",
];

/// The examples of a command, each on one line.
fn examples(command: &str) -> Vec<String> {
    let help = suum(&[command, "--help"]).env("COLUMNS", "100").output().unwrap().stdout;
    let help = String::from_utf8(help).unwrap();
    let (_, examples) = help.split_once("Examples:\n").unwrap();
    let examples = examples.replace("\\\n", " ");
    examples.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect()
}

#[test]
fn every_example_is_one() {
    for command in COMMANDS {
        let examples = examples(command);
        assert_eq!(examples.len(), 3, "{command}: {examples:?}");
        for line in examples {
            let words = line.split(['<', '>']).next().unwrap().replace('"', "");
            let words = words.strip_prefix("suum ").unwrap();
            parse(words.split_whitespace()).unwrap_or_else(|no| panic!("{line}: {no}"));
        }
    }
}

#[test]
fn short_help_fits_a_screen_and_long_help_has_all() {
    for command in COMMANDS {
        let short = suum(&[command, "-h"]).env("COLUMNS", "100").output().unwrap().stdout;
        let short = String::from_utf8(short).unwrap();
        assert!(short.lines().count() <= 55, "{command}: {} lines", short.lines().count());
    }
    for command in ["mean", "quantile", "frequency", "plan"] {
        let (short, long) = (stdout(&[command, "-h"]), stdout(&[command, "--help"]));
        for section in ["\nRequired:", "\nCommon:"] {
            assert!(short.contains(section) && long.contains(section), "{command}");
        }
        assert!(!short.contains("--trust-query") && long.contains("--trust-query"), "{command}");
        assert!(long.contains("\nExpert:") && !long.contains("\nEstimation:"), "{long}");
        assert!(long.contains("weighted by min(ε, τ)") || long.contains("weights min(ε, τ)"));
    }
}

#[test]
fn statistics_have_the_names_that_people_know_them_by() {
    for (alias, command) in
        [("average", "mean"), ("histogram", "frequency"), ("median", "quantile")]
    {
        assert_eq!(stdout(&[alias, "-h"]), stdout(&[command, "-h"]));
    }
}

#[test]
fn without_words_there_are_three_examples() {
    let output = suum(&[]).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0));
    assert_eq!(said.matches("\n  suum ").count(), 3, "{said}");
}
