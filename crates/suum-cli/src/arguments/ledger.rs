//! The command line of ledgers.

use clap::{Args, Subcommand};
use serde::Serialize;

use super::output::Format;
use super::statistic_arguments::choices_of;

#[derive(Debug, Subcommand)]
pub(crate) enum LedgerCommand {
    /// Make a ledger, or open accounts for another dataset in it
    Init {
        /// The ledger; its key is kept beside it, in FILE.key
        file: String,
        #[command(flatten)]
        accounts: AccountArguments,
    },
    /// What is left to whom
    Show {
        /// The ledger
        file: String,
        /// One dataset of it, with its releases
        #[arg(long, value_name = "NAME")]
        dataset: Option<String>,
        /// The answer of the release with this entry, as it was stored; nobody pays for it
        #[arg(long, value_name = "N", conflicts_with_all = ["dataset", "report"])]
        entry: Option<u64>,
        /// Write a page for people, too, with what was left drawn over time
        #[arg(long, value_name = "FILE.html")]
        report: Option<String>,
        /// What to print
        #[arg(long, value_enum, default_value_t)]
        format: Format,
    },
    /// Look for entries that were changed or lost
    Verify {
        /// The ledger
        file: String,
        /// Go on with a ledger that has lost its newest entries, as when only an old copy of it is
        /// left. What they charged is forgotten: only if you know that nothing was released that
        /// they would have charged
        #[arg(long)]
        accept_loss: bool,
        /// Use a ledger that was moved, or restored elsewhere. Only if it is used nowhere else:
        /// what one copy is charged, the other does not know. It stays on record
        #[arg(long)]
        accept_move: bool,
        /// Also look for the entry that holds this very release: JSON from --format json, or - for
        /// standard input
        #[arg(long, value_name = "RELEASE.json")]
        release: Option<String>,
        /// What to print
        #[arg(long, value_enum, default_value_t)]
        format: Format,
    },
    /// All entries, one JSON object a line
    Export {
        /// The ledger
        file: String,
    },
}

/// The accounts of a dataset.
#[derive(Debug, Args, Serialize)]
pub(crate) struct AccountArguments {
    /// The name under which releases are charged to these accounts
    #[arg(long, value_name = "NAME")]
    dataset: String,
    /// What people of each tier allow in all releases together, for example
    /// strict=0.1,standard=1,public=inf
    #[arg(long, value_name = "TIER=EPSILON,…", group = "allowance")]
    levels: Option<String>,
    /// An account for each person, named by the column given as --person, in place of one for
    /// each tier
    #[arg(long, requires = "allowance")]
    persons: bool,
    /// What each person allows in all: an ε for everybody, or `own` for the number in their
    /// column of budgets
    #[arg(long, value_name = "EPSILON|own", requires = "persons", group = "allowance")]
    allow: Option<String>,
    /// People allow (ε, δ) in place of ε: the probability of any release changes by a factor of at
    /// most exp(ε), plus this. Many small releases then cost less together than the sum of their ε
    #[arg(long, value_name = "DELTA", allow_hyphen_values = true)]
    delta: Option<String>,
    /// Neighbouring datasets of the releases that will be charged
    #[arg(long, value_parser = choices_of("neighbors"), default_value = "replace")]
    neighbors: String,
}
