//! `suum ledger`.

use serde::Serialize;
use suum::ledger::{
    Accounts, Amount, Balance, Columns, Dataset, Ledger, Lifetime, Members, Record, RecordState,
    Severity, TierBalance, Verification,
};
use suum::{Epsilon, Error, Neighbors, Result, list};
use suum_report::Account;

use crate::answer::Answer;
use crate::arguments::LedgerCommand;
use crate::noted::Noted;
use crate::{input, metering};

pub(crate) fn run(command: &LedgerCommand) -> Result<Answer> {
    match command {
        LedgerCommand::Init { file, dataset, levels, persons, allow, neighbors } => {
            let accounts = accounts(levels.as_deref(), *persons, allow.as_deref())?;
            let neighbors = input::neighbors(*neighbors);
            check(&accounts, neighbors)?;
            init(file, Dataset { name: dataset.clone(), neighbors, accounts })
        }
        LedgerCommand::Show { file, dataset, .. } => show(file, dataset.as_deref()),
        LedgerCommand::Verify { file, accept_loss, accept_move, .. } => {
            if *accept_loss {
                Ledger::accept_loss(file)?;
            }
            if *accept_move {
                Ledger::accept_move(file)?;
            }
            verify(file)
        }
        LedgerCommand::Export { file } => {
            let ledger = Ledger::open_to_read(file)?;
            let mut lines = Vec::new();
            ledger.export(Members::Counted, &mut lines)?;
            Ok(Answer::words(String::from_utf8_lossy(&lines).into_owned()))
        }
    }
}

fn accounts(levels: Option<&str>, persons: bool, allow: Option<&str>) -> Result<Accounts> {
    match (levels, persons, allow) {
        (Some(levels), false, None) => allowances(levels).map(Accounts::Tiers),
        (Some(levels), true, None) => {
            allowances(levels).map(Lifetime::Tiers).map(Accounts::Persons)
        }
        (None, true, Some("own")) => Ok(Accounts::Persons(Lifetime::Own)),
        (None, true, Some(amount)) => {
            amount.parse().map(Lifetime::Same).map(Accounts::Persons).map_err(|_| {
                Error::parameter("allow: expected an ε, or own").with_hint(
                    "for example --allow 2, or \
                --allow own",
                )
            })
        }
        _ => Err(Error::parameter("levels: it is not said what people allow in all").with_hint(
            "give --levels strict=0.1,standard=1,public=inf, or --persons with --levels, --allow \
            EPSILON or --allow own",
        )),
    }
}

/// Refuses accounts that no release could be charged to.
fn check(accounts: &Accounts, neighbors: Neighbors) -> Result<()> {
    if matches!(accounts, Accounts::Persons(_)) && neighbors == Neighbors::AddRemove {
        return Err(Error::request(
            "persons: accounts of persons are for replace-one neighbours; \
            with add-remove it must not show who has one",
        )
        .with_hint("leave --persons out"));
    }
    let nobody = match accounts {
        Accounts::Tiers(tiers) | Accounts::Persons(Lifetime::Tiers(tiers)) => {
            tiers.iter().all(|(_, amount)| amount.is_zero())
        }
        Accounts::Persons(Lifetime::Same(amount)) => amount.is_zero(),
        Accounts::Persons(Lifetime::Own) => false,
    };
    match nobody {
        true => Err(Error::parameter("levels: nobody would allow anything")
            .with_hint("say what people allow in all, for example --levels strict=0.1,never=0")),
        false => Ok(()),
    }
}

/// What people of each tier allow; 0 is for those who must not be used.
fn allowances(levels: &str) -> Result<Vec<(String, Amount)>> {
    let tiers = metering::amounts(levels)?;
    let texts = list::pairs(levels).into_iter().flatten().map(|(_, text)| text.parse::<Epsilon>());
    match tiers.iter().zip(texts).any(|((_, amount), exact)| {
        amount.is_zero() && exact.is_ok_and(|exact| exact != Epsilon::UNUSED)
    }) {
        true => {
            Err(Error::parameter("levels: somebody would allow less than a millionth of ε in all")
                .with_hint("give 0 to a tier whose people must not be used"))
        }
        false => Ok(tiers),
    }
}

fn init(file: &str, dataset: Dataset) -> Result<Answer> {
    dataset.check()?;
    let exists = std::fs::exists(file).unwrap_or(true);
    let mut ledger = if exists { Ledger::open(file)? } else { Ledger::create(file)? };
    let name = dataset.name.clone();
    let noted = Noted::default();
    noted.budgets(allowed(&dataset.accounts));
    ledger.add_dataset(dataset)?;
    let made = if exists { "opened accounts in" } else { "made" };
    Ok(Answer::words(format!(
        "{made} {file} for dataset {name}\n\
         Its key is {file}.key: keep a copy of it, but not where the copies of the ledger are. \
         Charge a release to it with\n  \
         suum mean DATA … --ledger {file} --dataset {name} --spend 10%\n\
         which uses a tenth of what is left; what is spent never comes back.\n"
    ))
    .with_warnings(noted.remarks().warnings()))
}

/// What people allow in all, as far as that is declared.
fn allowed(accounts: &Accounts) -> Vec<Epsilon> {
    match accounts {
        Accounts::Tiers(tiers) | Accounts::Persons(Lifetime::Tiers(tiers)) => {
            tiers.iter().map(|(_, amount)| amount.epsilon()).collect()
        }
        Accounts::Persons(Lifetime::Same(amount)) => vec![amount.epsilon()],
        Accounts::Persons(Lifetime::Own) => Vec::new(),
    }
}

/// What is left in a dataset, as JSON.
#[derive(Serialize)]
struct Shown {
    dataset: String,
    neighbors: &'static str,
    sealed: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tiers: Vec<ShownTier>,
    #[serde(skip_serializing_if = "Option::is_none")]
    persons: Option<ShownPersons>,
    columns: Columns,
    releases: Vec<ShownRelease>,
}

#[derive(Serialize)]
struct ShownTier {
    level: String,
    allowed: Amount,
    spent: Amount,
    reserved: Amount,
    left: Amount,
}

#[derive(Serialize)]
struct ShownPersons {
    charged: u64,
    spent: Vec<(Amount, u64)>,
}

#[derive(Serialize)]
struct ShownRelease {
    entry: u64,
    at: String,
    state: &'static str,
    most: Amount,
}

fn state(record: &Record) -> &'static str {
    match record.state {
        RecordState::Open => "not settled: counts in full",
        RecordState::Settled { .. } => "settled",
        RecordState::Cancelled { .. } => "cancelled: nothing was drawn",
    }
}

fn show(file: &str, only: Option<&str>) -> Result<Answer> {
    let ledger = Ledger::open_to_read(file)?;
    let datasets = match only {
        Some(name) => vec![ledger.dataset(name)?],
        None => ledger.datasets()?,
    };
    let shown =
        datasets.iter().map(|dataset| shown(&ledger, dataset)).collect::<Result<Vec<_>>>()?;
    let texts = |shown: &Vec<Shown>| shown.iter().map(text).collect::<Vec<_>>().join("\n");
    Ok(Answer::new(shown, texts, suum_report::json))
}

fn shown(ledger: &Ledger, dataset: &Dataset) -> Result<Shown> {
    let (tiers, persons) = match ledger.balance(&dataset.name)? {
        Balance::Tiers(tiers) => (tiers, None),
        Balance::Persons(persons) => (Vec::new(), Some(persons)),
    };
    let tier = |tier: TierBalance| ShownTier {
        level: tier.label,
        allowed: tier.allowed,
        spent: tier.spent,
        reserved: tier.reserved,
        left: tier.left,
    };
    let release = |record: Record| ShownRelease {
        state: state(&record),
        most: record.charges.iter().map(|charge| charge.counted).max().unwrap_or(Amount::ZERO),
        entry: record.entry,
        at: record.at,
    };
    Ok(Shown {
        dataset: dataset.name.clone(),
        neighbors: match dataset.neighbors {
            Neighbors::ReplaceOne => "replace",
            Neighbors::AddRemove => "add-remove",
        },
        sealed: dataset.neighbors == Neighbors::AddRemove,
        tiers: tiers.into_iter().map(tier).collect(),
        persons: persons
            .map(|persons| ShownPersons { charged: persons.persons, spent: persons.spent }),
        columns: ledger.columns(&dataset.name)?,
        releases: ledger.history(&dataset.name)?.into_iter().map(release).collect(),
    })
}

fn text(shown: &Shown) -> String {
    let mut out = format!("Dataset {}, {} neighbours\n", shown.dataset, shown.neighbors);
    if shown.sealed {
        out += "SEALED: who takes part is hidden, so keep this as safe as the data.\n";
    }
    let account = |tier: &ShownTier| Account {
        level: tier.level.clone(),
        allowed: tier.allowed.in_epsilon(),
        amounts: vec![("spent", tier.spent.in_epsilon()), ("reserved", tier.reserved.in_epsilon())],
        left: tier.left.in_epsilon(),
    };
    let accounts: Vec<Account> = shown.tiers.iter().map(account).collect();
    if !accounts.is_empty() {
        out += &suum_report::accounts_text(&accounts);
    }
    if let Some(persons) = &shown.persons {
        out += &format!("{} persons were charged\n", persons.charged);
        for (amount, count) in &persons.spent {
            out += &format!("  {count} have spent {}\n", amount.in_epsilon());
        }
    }
    let Columns { values, published, declared } = &shown.columns;
    for (names, what) in
        [(values, "values protected"), (published, "made public"), (declared, "declared public")]
    {
        if !names.is_empty() {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            out += &format!("Columns, {what}: {}\n", names.join(", "));
        }
    }
    for release in &shown.releases {
        let most = release.most.in_epsilon();
        out += &format!(
            "  {}  entry {}: at most {most} each, {}\n",
            release.at, release.entry, release.state
        );
    }
    if shown.releases.is_empty() {
        out += "No release was charged yet.\n";
    }
    out
}

/// What a verification says, as JSON.
#[derive(Serialize)]
struct Verified {
    sound: bool,
    entries: u64,
    findings: Vec<VerifiedFinding>,
}

#[derive(Serialize)]
struct VerifiedFinding {
    severity: &'static str,
    entry: Option<u64>,
    what: String,
}

fn verify(file: &str) -> Result<Answer> {
    let verification = Ledger::verify_file(file)?;
    let refusal = (!verification.is_sound()).then(|| {
        Error::ledger("ledger: its accounts cannot be relied on").with_hint(
            "stop releasing from these data until it is known what happened; put back the newest \
            sound copy of the ledger with its key and its head, if nothing was released since",
        )
    });
    let file = file.to_owned();
    let text = move |verification: &Verification| {
        let findings: String =
            verification.findings.iter().map(|finding| format!("{finding}\n")).collect();
        let entries = verification.entries;
        let verdict =
            if verification.is_sound() { "nothing was changed or lost" } else { "NOT SOUND" };
        format!("{findings}{file}: {entries} entries, {verdict}\n")
    };
    let json = |verification: &Verification| {
        let finding = |finding: &suum::ledger::Finding| VerifiedFinding {
            severity: match finding.severity {
                Severity::Remark => "remark",
                Severity::Fault => "fault",
            },
            entry: finding.entry,
            what: finding.what.clone(),
        };
        let findings = verification.findings.iter().map(finding).collect();
        suum_report::json(&Verified {
            sound: verification.is_sound(),
            entries: verification.entries,
            findings,
        })
    };
    Ok(Answer::new(verification, text, json).with_refusal(refusal))
}
