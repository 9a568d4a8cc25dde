//! The command line of ledgers.

use clap::{Args, Subcommand};
use serde::Serialize;
use serde_json::{Map, Value};

use super::output::Format;
use super::statistic_arguments::{OptionValues, choices_of};

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
    /// Charge what was lost elsewhere, with a reason
    ///
    /// By a lost ledger, another tool, or a publication before suum. If more was lost than people
    /// allow, nothing is left.
    Charge {
        /// The ledger
        file: String,
        #[command(flatten)]
        charge: ChargeArguments,
        /// What to print
        #[arg(long, value_enum, default_value_t)]
        format: Format,
    },
    /// Enter what people decided, or lower what a tier allows
    ///
    /// Decisions of a register take effect at once where they allow less. They allow more if they
    /// are newer than what is on record, and have a reference. A tier is only lowered; a new label
    /// is a new tier. What was used stays used.
    Amend {
        /// The ledger
        file: String,
        #[command(flatten)]
        amendment: AmendArguments,
        #[command(flatten)]
        register: OptionValues,
        /// What to print
        #[arg(long, value_enum, default_value_t)]
        format: Format,
    },
    /// For one person: what they allowed, what used it, and what is left. NOT for publication
    ///
    /// In plain words. Where tiers hold the accounts, the same for the people of a tier. A person
    /// whom the ledger does not know gets the answer of one whom nothing has cost anything.
    Statement {
        /// The ledger
        file: String,
        /// Which of its datasets, if it has several
        #[arg(long, value_name = "NAME")]
        dataset: Option<String>,
        /// The identifier of the person; - reads it from standard input, so that it is not in the
        /// history of your shell
        #[arg(long, value_name = "ID|-", allow_hyphen_values = true)]
        id: Option<String>,
        /// The tier, where tiers hold the accounts
        #[arg(long, value_name = "NAME")]
        tier: Option<String>,
        /// Write a page for the person, too
        #[arg(long, value_name = "FILE.html")]
        report: Option<String>,
        /// What to print
        #[arg(long, value_enum, default_value_t)]
        format: Format,
    },
    /// For a data protection officer: what was published, what it could have cost, what is promised
    ///
    /// With purposes as they were declared, every release with its certificate, losses elsewhere,
    /// what is left, and what came of verifying all entries. It has no identifier of a person, and
    /// where participation is hidden, no number of people. It fails as `verify` does.
    Dossier {
        /// The ledger
        file: String,
        /// One of its datasets, in place of all
        #[arg(long, value_name = "NAME")]
        dataset: Option<String>,
        /// Write a page, too
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
        /// left. What they charged or entered is forgotten: only if you know that nothing was
        /// released that they would have charged. Then enter what people decided again
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
    /// most exp(ε), plus this
    ///
    /// Many small releases then cost less together than the sum of their ε. A tenth of it is for
    /// releases that find categories.
    #[arg(long, value_name = "DELTA", allow_hyphen_values = true)]
    delta: Option<String>,
    /// The most to which persons who allow (ε, δ) can raise their ε by a later decision; (ε, δ)
    /// then holds for this ε
    #[arg(long, value_name = "EPSILON", requires = "delta", hide_short_help = true)]
    raise_up_to: Option<String>,
    /// Neighbouring datasets of the releases that will be charged
    #[arg(long, value_parser = choices_of("neighbors"), default_value = "replace")]
    neighbors: String,
    /// What the data are used for
    ///
    /// A dossier shows it, so do not name a person in it.
    #[arg(long, value_name = "TEXT")]
    purpose: Option<String>,
    /// Keep who was in which tier, as keyed hashes, and refuse a release in which people moved to
    /// another tier, where they would start with nothing spent. Releases then need --person
    #[arg(long, hide_short_help = true)]
    watch_moves: bool,
}

/// A change of what people allow.
#[derive(Debug, Args, Serialize)]
pub(crate) struct AmendArguments {
    /// Whose accounts change, where the ledger has several datasets
    #[arg(long, value_name = "NAME")]
    dataset: Option<String>,
    /// What people of a tier allow in all from now on: less than before, such as strict=0.05; or a
    /// new tier, with --because
    #[arg(long, value_name = "TIER=EPSILON,…")]
    levels: Option<String>,
    /// The reason, which stays on record. Do not name a person in it
    #[arg(long, value_name = "TEXT")]
    because: Option<String>,
}

impl AmendArguments {
    /// Returns the same with what is said of a register.
    ///
    /// # Errors
    ///
    /// None is expected: both have a JSON form.
    pub(crate) fn with_register(
        &self,
        register: &OptionValues,
    ) -> suum::Result<Map<String, Value>> {
        match serde_json::to_value(self) {
            Ok(Value::Object(mut said)) => {
                said.extend(register.0.clone());
                Ok(said)
            }
            _ => Err(suum::Error::internal("an amendment has no JSON form")),
        }
    }
}

/// A charge for what was lost elsewhere.
#[derive(Debug, Args, Serialize)]
pub(crate) struct ChargeArguments {
    /// Whose accounts are charged, where the ledger has several datasets
    #[arg(long, value_name = "NAME")]
    dataset: Option<String>,
    /// What each person of a tier has lost, such as strict=0.02; once for each tier
    #[arg(long, value_name = "TIER=EPSILON")]
    tier: Vec<String>,
    /// Persons and what each has lost: a CSV or Parquet file, with --key and --epsilon
    #[arg(long, value_name = "FILE")]
    charges: Option<String>,
    /// The column of identifiers in the file of --charges
    #[arg(long, value_name = "COL")]
    key: Option<String>,
    /// The identifier of the only person who is charged; - reads it from standard input, so that
    /// it is not in the history of your shell
    #[arg(long, value_name = "ID|-", allow_hyphen_values = true)]
    id: Option<String>,
    /// What the person of --id has lost, or the column of that in the file of --charges
    #[arg(long, value_name = "EPSILON|COL")]
    epsilon: Option<String>,
    /// The reason, which stays on record. Do not name a person in it
    #[arg(long, value_name = "TEXT")]
    because: Option<String>,
}

impl ChargeArguments {
    /// Returns the arguments with the identifier in place of a `-`.
    ///
    /// # Errors
    ///
    /// Fails if standard input cannot be read.
    pub(crate) fn with_identifier(&self) -> suum::Result<Map<String, Value>> {
        let mut said = match serde_json::to_value(self) {
            Ok(Value::Object(said)) => said,
            _ => return Err(suum::Error::internal("a charge has no JSON form")),
        };
        match self.tier.is_empty() {
            true => drop(said.remove("tier")),
            false => drop(said.insert("tier".to_owned(), self.tier.join(",").into())),
        }
        if let Some(id) = &self.id {
            said.insert("id".to_owned(), identifier(id)?.into());
        }
        Ok(said)
    }
}

/// Returns an identifier; `-` stands for the one on standard input.
///
/// # Errors
///
/// Fails if standard input cannot be read, or is empty.
pub(crate) fn identifier(text: &str) -> suum::Result<String> {
    if text != "-" {
        return Ok(text.to_owned());
    }
    let refused = |what: String| {
        suum::Error::io("standard input", what)
            .with_fix("pipe the identifier of one person into it, as the data have it")
    };
    let read = std::io::read_to_string(std::io::stdin());
    let text = read.map_err(|error| refused(format!("it cannot be read ({})", error.kind())))?;
    // The end of the line is none of its bytes.
    let line = text.strip_suffix('\n').unwrap_or(&text);
    let line = line.strip_suffix('\r').unwrap_or(line);
    match line.is_empty() {
        true => Err(refused("it has no identifier".to_owned())),
        false => Ok(line.to_owned()),
    }
}
