//! Help fits a screen, and its examples are ones.

use suum_cli::parse;

use super::common::{refused, stdout, suum};

const COMMANDS: [&str; 21] = [
    "mean",
    "difference",
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
    "ledger init",
    "ledger show",
    "ledger dossier",
    "ledger verify",
    "ledger export",
    "audit",
    "completions",
];

/// The examples of a command, each on one line.
fn examples(command: &str) -> Vec<String> {
    let words: Vec<&str> = command.split(' ').chain(["--help"]).collect();
    let help = suum(&words).env("COLUMNS", "100").output().unwrap().stdout;
    let help = String::from_utf8(help).unwrap();
    let (_, examples) = help.split_once("Examples:\n").unwrap();
    let examples = examples.replace("\\\n", " ");
    examples.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect()
}

#[test]
fn every_example_is_one() {
    for command in COMMANDS {
        let examples = examples(command);
        assert!(!examples.is_empty(), "{command}");
        for line in examples {
            let words = line.split(['<', '>']).next().unwrap().replace('"', "");
            let words = words.strip_prefix("suum ").unwrap();
            parse(words.split_whitespace()).unwrap_or_else(|no| panic!("{line}: {no}"));
        }
    }
}

#[test]
fn short_help_fits_a_screen_and_long_help_has_all() {
    let at_80 = |words: &[&str]| {
        let help = suum(words).env("COLUMNS", "80").output().unwrap().stdout;
        String::from_utf8(help).unwrap()
    };
    for command in COMMANDS {
        let words = |help| command.split(' ').chain([help]).collect::<Vec<_>>();
        let short = at_80(&words("-h"));
        assert!(short.lines().count() <= 30, "{command}: {} lines", short.lines().count());
        // Each option on one line, which says by itself what there is to choose.
        assert!(!short.contains("[possible values"), "{short}");
        if command != "ledger" {
            assert!(short.contains(&format!("suum {command} --help has all")), "{short}");
        }
        // Estimators take one line each.
        let long = at_80(&words("--help"));
        let estimators = long.split("How to weight records").nth(1).unwrap_or_default();
        let estimators = estimators.split("Possible values:\n").nth(1).unwrap_or_default();
        let mut estimators = estimators.lines().map(str::trim_start);
        let mut estimators = estimators.by_ref().take_while(|line| !line.is_empty());
        assert!(estimators.all(|line| line.starts_with("- ")), "{long}");
    }
    for command in ["mean", "quantile", "frequency", "plan"] {
        let (short, long) = (stdout(&[command, "-h"]), stdout(&[command, "--help"]));
        for section in ["\nRequired:", "\nCommon:"] {
            assert!(short.contains(section) && long.contains(section), "{command}");
        }
        assert!(!short.contains("--trust-query") && long.contains("--trust-query"), "{command}");
        assert!(long.contains("\nExpert:") && !long.contains("\nEstimation:"), "{long}");
    }
}

#[test]
fn statistics_have_the_names_that_people_know_them_by() {
    for (alias, command) in [
        ("average", "mean"),
        ("histogram", "frequency"),
        ("shares", "frequency"),
        ("quantiles", "quantile"),
        ("std", "variance"),
        ("describe", "summary"),
    ] {
        assert_eq!(stdout(&[alias, "-h"]), stdout(&[command, "-h"]));
    }
}

#[test]
fn without_words_there_are_examples() {
    let output = suum(&[]).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0));
    assert!(said.contains("\n  suum "), "{said}");
}

/// Commands, options and their values; an option of another command; no tip on the shell.
#[test]
fn a_word_that_is_wrong_is_nearly_another_one() {
    for (words, hint) in [
        (&["medain", "x"][..], "did you mean median?"),
        (&["ledger", "shwo", "x"], "did you mean show?"),
        (&["mean", "x", "--epsilo", "e"], "did you mean --epsilon?"),
        (&["mean", "x", "--target", "populaton"], "did you mean population?"),
        // What other programs call them.
        (&["mean", "x", "--column", "age"], "did you mean --value?"),
        (&["mean", "x", "--tiers", "a=1"], "did you mean --levels?"),
        (&["mean", "x", "--group", "sex"], "did you mean --group-by?"),
        (&["quantile", "x", "--quantiles", "0.5"], "did you mean --q?"),
        (&["verify", "x", "--column", "age"], "suum verify --help lists the options"),
        (&["levels-sql", "--dialect", "duck"], "did you mean duckdb?"),
        (&["mean", "x", "--cdf"], "suum quantile has it; suum mean --help lists the options"),
        (&["mean", "x", "--nothing"], "suum mean --help lists the options"),
        (&["verify", "x", "y"], "put options before words"),
        (&["mean", "--epsilon"], "suum COMMAND -h says"),
    ] {
        let (code, message) = refused(words);
        assert_eq!(code, 2, "{message}");
        assert!(message.contains(&format!("\nhint: {hint}")), "{message}");
        assert!(!message.contains("as a value"), "{message}");
        assert_eq!(message.lines().count(), 2, "{message}");
    }
}
