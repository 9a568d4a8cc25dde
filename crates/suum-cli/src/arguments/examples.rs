//! Examples at the end of every command's help.

use clap::Command;
use suum::StatisticEntry;

/// Message of the command without arguments.
pub(crate) const ALONE: &str = "\
suum publishes statistics of data in which every person chose their own privacy level.

A private mean, with consent tiers in a column:
  suum mean examples/randhie.csv --value visits --bounds 0,77 \\
      --privacy privacy --levels strict=0.01,standard=0.1,relaxed=1,public=inf

The share of every category:
  suum frequency examples/randhie.csv --value health --categories excellent,good,fair,poor \\
      --privacy privacy --levels strict=0.01,standard=0.1,relaxed=1,public=inf

How good a mean would be, before any data are read:
  suum plan --profile \"0.1:3400,0.5:4300,inf:23\" --bounds 0,77

suum --help lists all commands, suum COMMAND -h the options of one.
";

/// Three examples for each command except those of statistics; `…` stands for the tiers of the
/// example's data.
const EXAMPLES: [(&str, [&str; 3]); 19] = [
    (
        "plan",
        [
            "suum plan --profile \"0.1:3400,0.5:4300,inf:23\" --bounds 0,77",
            "suum plan --profile \"0.1:3400,inf:23\" --what-if \"inf:+500\"",
            "suum plan examples/randhie.csv --bounds 0,77 … --target-rmse 0.1",
        ],
    ),
    (
        "run",
        [
            "suum run survey.toml",
            "suum run survey.toml examples/randhie.csv --explain",
            "suum run release.json --format json",
        ],
    ),
    (
        "verify",
        [
            "suum verify release.json",
            "suum verify - < release.json",
            "suum verify release.json --format json",
        ],
    ),
    (
        "sensitivity",
        [
            "suum sensitivity release.json",
            "suum sensitivity release.json --claim 'above 2.5'",
            "suum sensitivity release.json --difference 0.5 --format json",
        ],
    ),
    (
        "levels",
        [
            "suum levels examples/randhie.csv --value visits --bounds 0,77 … > table.json",
            "suum levels people.csv --value town --categories A,B --epsilon budget > table.json",
            "suum mean --from-levels table.json",
        ],
    ),
    (
        "levels-sql",
        [
            "suum levels-sql --dialect duckdb --table people --value age --bounds 0,120 …",
            "suum levels-sql --dialect spark --table t --value town --categories A,B --epsilon e",
            "suum mean --from-levels result.parquet",
        ],
    ),
    (
        "audit",
        [
            "suum audit affine --profile \"0.1:5,1:3,inf:1\"",
            "suum audit specimen:float-laplace",
            "suum audit --list",
        ],
    ),
    (
        "study",
        [
            "suum study init people.csv",
            "suum mean --study people.toml --value age",
            "suum frequency --study people.toml --value town --group-by region",
        ],
    ),
    (
        "study init",
        [
            "suum study init people.csv",
            "suum study init people.csv --delimiter ';' --file study.toml",
            "suum study init people.sqlite --table people",
        ],
    ),
    (
        "ledger",
        [
            "suum ledger init visits.ledger --dataset visits --levels strict=0.1,public=inf",
            "suum ledger show visits.ledger",
            "suum ledger verify visits.ledger",
        ],
    ),
    (
        "ledger init",
        [
            "suum ledger init visits.ledger --dataset visits --levels strict=0.1,public=inf",
            "suum ledger init visits.ledger --dataset visits --levels a=1,b=3 --delta 1e-6",
            "suum ledger init diary.ledger --dataset diary --persons --allow own",
        ],
    ),
    (
        "ledger show",
        [
            "suum ledger show visits.ledger",
            "suum ledger show visits.ledger --dataset visits --report visits.html",
            "suum ledger show visits.ledger --format json",
        ],
    ),
    (
        "ledger charge",
        [
            "suum ledger charge visits.ledger --tier strict=0.02 --because 'the table of 2024'",
            "suum ledger charge diary.ledger --charges lost.csv --key id --epsilon lost \
             --because 'lost ledger'",
            "suum ledger charge diary.ledger --id - --epsilon 0.1 --because 'a letter of 2024'",
        ],
    ),
    (
        "ledger amend",
        [
            "suum ledger amend diary.ledger --consent register.csv --key id --privacy tier \
             --consent-from signed --consent-reference form",
            "suum ledger amend visits.ledger --levels strict=0.05 --because 'a stricter board'",
            "suum ledger amend visits.ledger --levels 'strict 2027=0.2' --because 'form of 2027'",
        ],
    ),
    (
        "ledger statement",
        [
            "suum ledger statement diary.ledger --id - --report statement.html",
            "suum ledger statement visits.ledger --tier strict",
            "suum ledger statement diary.ledger --id 4711 --format json",
        ],
    ),
    (
        "ledger dossier",
        [
            "suum ledger dossier visits.ledger --report dossier.html",
            "suum ledger dossier visits.ledger --dataset visits",
            "suum ledger dossier visits.ledger --format json",
        ],
    ),
    (
        "ledger verify",
        [
            "suum ledger verify visits.ledger",
            "suum ledger verify visits.ledger --format json",
            "suum ledger verify visits.ledger --accept-move",
        ],
    ),
    (
        "ledger export",
        [
            "suum ledger export visits.ledger",
            "suum ledger export visits.ledger > entries.jsonl",
            "suum ledger export /srv/ledgers/visits.ledger > entries.jsonl",
        ],
    ),
    (
        "completions",
        [
            "suum completions bash > ~/.local/share/bash-completion/completions/suum",
            "suum completions zsh > ~/.zfunc/_suum",
            "suum completions fish > ~/.config/fish/completions/suum.fish",
        ],
    ),
];

/// Tiers of the example's data.
const TIERS: &str = "--privacy privacy --levels strict=0.01,standard=0.1,relaxed=1,public=inf";

/// Command, and its subcommands, with examples at the end of the long help, and in the short one if
/// they have some.
pub(super) fn with_examples(command: Command) -> Command {
    let name = command.get_name().to_owned();
    let below = |command: Command| {
        let path = format!("{name} {}", command.get_name());
        add_examples(command, &path)
    };
    add_examples(command.mut_subcommands(below), &name)
}

fn add_examples(command: Command, path: &str) -> Command {
    let own = EXAMPLES.iter().find(|(known, _)| *known == path).map(|(_, examples)| examples);
    let of_statistic = || StatisticEntry::named(path).map(|entry| &entry.examples);
    let Some(examples) = own.or_else(of_statistic) else { return command };
    let lines: Vec<String> = examples.iter().map(|example| folded(example)).collect();
    let more = format!("suum {path} --help has all options, and three examples.");
    command.after_help(more).after_long_help(format!("Examples:\n{}", lines.join("\n")))
}

/// Example on lines that fit a screen of 80 columns.
fn folded(example: &str) -> String {
    let mut lines = vec!["  suum".to_owned()];
    let example = example.replacen('…', TIERS, 1);
    // Options stay with their values.
    let words = example.strip_prefix("suum").unwrap_or(&example).replace(" --", "\n--");
    for words in words.split('\n') {
        let words = words.trim();
        let line =
            lines.last_mut().filter(|line| line.chars().count() + words.chars().count() < 78);
        match line {
            Some(line) => *line = format!("{line} {words}"),
            None => lines.push(format!("      {words}")),
        }
    }
    lines.join(" \\\n")
}
