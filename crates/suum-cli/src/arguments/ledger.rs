//! The command line of ledgers.

use clap::{Args, Subcommand};
use serde::Serialize;

use super::estimation::NeighborsArgument;
use super::number::Number;
use super::output::Format;

/// The names of [`LedgerArguments`].
pub(super) const LEDGER: [&str; 8] = [
    "ledger",
    "dataset",
    "spend",
    "target_rmse",
    "target_half_width",
    "public_columns",
    "edition",
    "again",
];

/// Whose accounts a release is charged to.
#[derive(Debug, Args, Serialize)]
#[command(next_help_heading = "Ledger")]
pub(crate) struct LedgerArguments {
    /// The ledger that keeps account of what releases cost (suum ledger init makes one). Nobody
    /// spends more than they have left
    #[arg(long, value_name = "FILE")]
    pub(crate) ledger: Option<String>,
    /// Whose accounts in the ledger; needed if it has several
    #[arg(long, value_name = "NAME", requires = "ledger")]
    pub(crate) dataset: Option<String>,
    /// How much may be used: a share of what was allowed in all (10%, 1/12: twelve equal
    /// instalments), of what is left (10%-of-left), or an ε (eps=0.05), which does not limit those
    /// who allow ∞
    #[arg(long, value_name = "SHARE", requires = "ledger")]
    pub(crate) spend: Option<String>,
    /// Spend the least share of everybody's budget with which the expected error is at most this,
    /// in the units of the statistic; for quantiles that of the rank, as a share of people
    #[arg(long, value_name = "ERROR", allow_hyphen_values = true)]
    pub(crate) target_rmse: Option<Number>,
    /// The same for half the length of the interval, as a plan expects it
    #[arg(long, value_name = "LENGTH", conflicts_with = "target_rmse", allow_hyphen_values = true)]
    pub(crate) target_half_width: Option<Number>,
    /// Columns that everybody may know of everybody, for good. The ledger refuses others as group,
    /// tier, budget or person once it protects their values, and as value once they were one of
    /// these
    #[arg(long, value_name = "COL,…", requires = "ledger")]
    pub(crate) public_columns: Option<String>,
    /// Which state of the data this is, in your words. If the ledger has answered the same query
    /// of this edition before, that answer is shown again with its date, nothing is read, and
    /// nobody pays
    #[arg(long, value_name = "LABEL", requires = "ledger")]
    pub(crate) edition: Option<String>,
    /// Make and pay for a new release, although the edition has an answer to the query
    #[arg(long, requires = "edition")]
    pub(crate) again: bool,
}

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
        /// Write a page for people, too, with what was left drawn over time
        #[arg(long, value_name = "FILE.html")]
        report: Option<String>,
        /// What to print
        #[arg(long, value_enum, default_value_t)]
        format: Format,
    },
    /// Check that no entry was changed or lost
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
    /// People allow (ε, δ) in place of ε: the probability of any result changes by a factor of at
    /// most exp(ε), plus this. Many small releases then cost less together than the sum of their ε
    #[arg(long, value_name = "DELTA", allow_hyphen_values = true)]
    delta: Option<String>,
    /// Neighbouring datasets of the releases that will be charged
    #[arg(long, value_enum, default_value_t)]
    neighbors: NeighborsArgument,
}
