//! Which options everybody needs, which many, and which few: the sections of a command's help.

use clap::Arg;

/// A section of the help of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Section {
    /// Without these there is no answer.
    Required,
    Common,
    /// What `--help` shows and `-h` does not.
    Expert,
}
use Section::{Common, Expert, Required};

impl Section {
    fn heading(self) -> &'static str {
        match self {
            Self::Required => "Required",
            Self::Common => "Common",
            Self::Expert => "Expert",
        }
    }
}

/// Options by their names, with a short help where the long one takes more than a line. What is
/// not among them is for experts.
const SECTIONS: [(&str, Section, &str); 33] = [
    ("data", Required, "CSV or Parquet file, folder, glob, -, SQLite file or postgresql:// URL"),
    ("privacy", Required, "Column of consent tiers; with --levels"),
    ("levels", Required, "What each tier allows: strict=0.01,standard=0.1,public=inf"),
    ("epsilon", Required, "Or: column of numeric privacy budgets"),
    ("value", Required, "Column of values"),
    ("bounds", Required, "What is possible, from public knowledge; or auto"),
    ("categories", Required, "The categories, from public knowledge"),
    ("bins", Required, "Or: edges of numeric bins, 0,10,20"),
    ("dialect", Required, "Whose SQL to write"),
    ("profile", Required, "The people in place of data: \"0.1:3400,inf:23\""),
    ("statistic", Common, "Which statistics, such as mean,variance,q50"),
    ("q", Common, "Which quantiles, as 0.25,0.5 or 90% [default: 0.5]"),
    ("step", Common, "The step between possible values, 1 for integers"),
    ("table", Common, "The table of a database"),
    ("query", Common, "A query whose rows are the records"),
    ("person", Common, "Column that names persons, who can have many rows"),
    ("group_by", Common, "Column of groups: a release for each"),
    ("groups", Common, "The groups, from public knowledge"),
    ("missing", Common, "What stands in place of missing values"),
    ("other", Common, "A further category for all other values"),
    ("what_if", Common, "Compare with other people, as inf:+500"),
    ("assume", Common, "A shape of data to simulate: normal, skewed, lumpy, two-valued"),
    ("target", Common, "What the estimate is about"),
    ("neighbors", Common, "What must not be told apart"),
    ("confidence", Common, "Confidence of the interval [default: 0.95]"),
    ("ledger", Common, "The ledger that keeps account of what is spent"),
    ("dataset", Common, "Whose accounts in the ledger"),
    ("spend", Common, "How much may be used: 10%, 1/12, 10%-of-left, eps=0.05"),
    ("explain", Common, "Say all: estimators, errors, the guarantee"),
    ("sort", Common, "In which order shares are listed"),
    ("format", Common, "For people or for programs"),
    ("report", Common, "Write a page of HTML, too"),
    ("quiet", Common, "No progress on standard error"),
];

/// The option in its section, with its short help for `-h`.
pub(super) fn section(argument: Arg) -> Arg {
    if ["help", "version"].contains(&argument.get_id().as_str()) {
        return argument;
    }
    let found = SECTIONS.iter().find(|(name, _, _)| argument.get_id() == name);
    let Some((_, section, short)) = found else {
        return argument.help_heading(Expert.heading()).hide_short_help(true);
    };
    let long = argument.get_help().cloned();
    let argument = argument.help_heading(section.heading()).help(*short);
    match long {
        Some(long) => argument.long_help(long),
        None => argument,
    }
}
