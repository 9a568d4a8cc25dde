//! Bodies of entries, as JSON.
//!
//! Unknown fields are refused: they would be of a newer suum.

use serde::{Deserialize, Serialize};
use suum_core::{Delta, Neighbors};

use crate::amount_json::{Units, amounts, delta, micros};
use crate::file_identity::FileIdentity;
use crate::{Accounts, Amount, Columns, Cost, Dataset, Holder, Lifetime, Part, RegisterUse};

/// Body of an entry; its `kind` is a column of its own.
#[derive(Debug, Clone)]
pub(crate) enum Body {
    /// First entry of the log.
    Ledger(LedgerBody),
    Dataset(DatasetBody),
    Reserve(ReserveBody),
    Settle(SettleBody),
    Cancel(CancelBody),
    /// Charge for a loss elsewhere.
    Charge(ChargeBody),
    /// Change of allowances.
    Amend(AmendBody),
    /// Publication of exact numbers that cost nothing.
    Publish(PublishBody),
    /// Acceptance of the loss of entries before this one.
    Loss(LossBody),
    /// Acceptance of the present place of the ledger's file.
    Move(MoveBody),
    /// Migration of the persons of older reservations to the tables of this version.
    Migrate(MigrateBody),
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LedgerBody {
    pub(crate) id: String,
    pub(crate) key: String,
    pub(crate) suum: String,
    pub(crate) place: FileIdentity,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct DatasetBody {
    name: String,
    neighbors: NeighborsBody,
    accounts: AccountsBody,
    #[serde(default, with = "delta", skip_serializing_if = "Option::is_none")]
    delta: Option<Delta>,
    /// Missing in entries of older versions, and where categories are not found.
    #[serde(default, skip_serializing_if = "is_false")]
    finds_categories: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    raise_up_to: Option<MicrosBody>,
    /// Missing in entries of older versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    purpose: Option<String>,
    /// Missing in entries of older versions, and where nobody is watched.
    #[serde(default, skip_serializing_if = "is_false")]
    watch_moves: bool,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(transparent)]
struct MicrosBody(#[serde(with = "micros")] Amount);

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum NeighborsBody {
    Replace,
    AddRemove,
    Both,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum AccountsBody {
    Tiers(Vec<TierBody>),
    Persons(LifetimeBody),
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum LifetimeBody {
    Tiers(Vec<TierBody>),
    Same(#[serde(with = "micros")] Amount),
    Own,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TierBody {
    pub(crate) label: String,
    #[serde(with = "micros")]
    pub(crate) allowed: Amount,
}

/// Reservation, with exactly one of `tiers` and `parts`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReserveBody {
    pub(crate) dataset: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) tiers: Option<Vec<TierCharge>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) parts: Option<Vec<PartCharge>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) members: Option<MembersBody>,
    pub(crate) columns: Columns,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) register: Option<RegisterUse>,
    /// Number of people who were in another tier before, which somebody accepted.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(crate) moved: u64,
    /// δ of the release, if it finds categories.
    #[serde(default, with = "delta", skip_serializing_if = "Option::is_none")]
    pub(crate) delta: Option<Delta>,
}

/// Change of the allowances of tiers or of persons.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AmendBody {
    pub(crate) dataset: String,
    /// The reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) because: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) tiers: Vec<TierBody>,
    /// Decisions of persons, in the order of their parts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) decisions: Vec<DecisionsBody>,
    /// Number of persons who allow more than before.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(crate) raised: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) members: Option<MembersBody>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) register: Option<RegisterUse>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it")]
fn is_false(flag: &bool) -> bool {
    !*flag
}

/// Number of persons with the same decision.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct DecisionsBody {
    pub(crate) holder: HolderBody,
    pub(crate) persons: u64,
}

/// Charge for a loss elsewhere, with exactly one of `tiers` and `parts`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ChargeBody {
    pub(crate) dataset: String,
    /// The reason.
    pub(crate) because: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) tiers: Option<Vec<TierCharge>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) parts: Option<Vec<PartCharge>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) members: Option<MembersBody>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TierCharge {
    pub(crate) label: String,
    #[serde(with = "micros")]
    pub(crate) charge: Amount,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) rho: Option<Units>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PartCharge {
    pub(crate) holder: HolderBody,
    #[serde(with = "micros")]
    pub(crate) charge: Amount,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) rho: Option<Units>,
    pub(crate) persons: u64,
}

impl TierCharge {
    /// Creates the charge of a tier, with the largest ρ that it can have.
    pub(crate) fn new(label: &str, charge: Amount) -> Self {
        let rho = Some(Units(Cost::from(charge).rho));
        Self { label: label.to_owned(), charge, rho }
    }
}

impl From<&Part> for PartCharge {
    fn from(part: &Part) -> Self {
        Self {
            holder: (&part.holder).into(),
            charge: part.charge,
            rho: Some(Units(Cost::from(part.charge).rho)),
            persons: part.persons.len() as u64,
        }
    }
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum HolderBody {
    Tier(String),
    Everybody,
    Own(#[serde(with = "micros")] Amount),
    #[serde(rename = "no-consent")]
    NoConsent,
    Unknown,
}

/// Number and digest of the persons that an entry names.
#[derive(Debug, Clone, Serialize, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub(crate) struct MembersBody {
    pub(crate) count: u64,
    pub(crate) digest: String,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SettleBody {
    pub(crate) reserve: u64,
    /// Final costs in ε, in the order of the reservation's tiers or parts.
    #[serde(with = "amounts")]
    pub(crate) spent: Vec<Amount>,
    /// Final costs as ρ, in the same order; missing in entries of the first version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) rho: Option<Vec<Units>>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CancelBody {
    pub(crate) reserve: u64,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PublishBody {
    pub(crate) dataset: String,
    pub(crate) columns: Columns,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct MigrateBody {
    /// Version of the tables.
    pub(crate) to: usize,
    /// Entry number of each reservation of persons, with the new digest of its persons.
    pub(crate) members: Vec<(u64, String)>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct MoveBody {
    pub(crate) place: FileIdentity,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LossBody {
    /// Number of the newest entry before the loss, if it is known.
    pub(crate) newest: Option<u64>,
}

impl Body {
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Body::Ledger(_) => "ledger",
            Body::Dataset(_) => "dataset",
            Body::Reserve(_) => "reserve",
            Body::Settle(_) => "settle",
            Body::Cancel(_) => "cancel",
            Body::Charge(_) => "charge",
            Body::Amend(_) => "amend",
            Body::Publish(_) => "publish",
            Body::Loss(_) => "loss",
            Body::Move(_) => "move",
            Body::Migrate(_) => "migrate",
        }
    }

    pub(crate) fn to_json(&self) -> serde_json::Result<String> {
        match self {
            Body::Ledger(body) => serde_json::to_string(body),
            Body::Dataset(body) => serde_json::to_string(body),
            Body::Reserve(body) => serde_json::to_string(body),
            Body::Settle(body) => serde_json::to_string(body),
            Body::Cancel(body) => serde_json::to_string(body),
            Body::Charge(body) => serde_json::to_string(body),
            Body::Amend(body) => serde_json::to_string(body),
            Body::Publish(body) => serde_json::to_string(body),
            Body::Loss(body) => serde_json::to_string(body),
            Body::Move(body) => serde_json::to_string(body),
            Body::Migrate(body) => serde_json::to_string(body),
        }
    }

    /// Parses a body; `None` if the kind is unknown or the text does not have its form.
    pub(crate) fn parse(kind: &str, text: &str) -> Option<Self> {
        match kind {
            "ledger" => serde_json::from_str(text).map(Body::Ledger),
            "dataset" => serde_json::from_str(text).map(Body::Dataset),
            "reserve" => serde_json::from_str(text).map(Body::Reserve),
            "settle" => serde_json::from_str(text).map(Body::Settle),
            "cancel" => serde_json::from_str(text).map(Body::Cancel),
            "charge" => serde_json::from_str(text).map(Body::Charge),
            "amend" => serde_json::from_str(text).map(Body::Amend),
            "publish" => serde_json::from_str(text).map(Body::Publish),
            "loss" => serde_json::from_str(text).map(Body::Loss),
            "move" => serde_json::from_str(text).map(Body::Move),
            "migrate" => serde_json::from_str(text).map(Body::Migrate),
            _ => return None,
        }
        .ok()
    }
}

pub(crate) fn tiers_body(tiers: &[(String, Amount)]) -> Vec<TierBody> {
    tiers
        .iter()
        .map(|(label, allowed)| TierBody { label: label.clone(), allowed: *allowed })
        .collect()
}

fn tiers(body: Vec<TierBody>) -> Vec<(String, Amount)> {
    body.into_iter().map(|tier| (tier.label, tier.allowed)).collect()
}

impl From<&Dataset> for DatasetBody {
    fn from(dataset: &Dataset) -> Self {
        Self {
            name: dataset.name.clone(),
            delta: dataset.delta,
            finds_categories: dataset.finds_categories,
            raise_up_to: dataset.raise_up_to.map(MicrosBody),
            purpose: dataset.purpose.clone(),
            watch_moves: dataset.watch_moves,
            neighbors: match dataset.neighbors {
                Neighbors::ReplaceOne => NeighborsBody::Replace,
                Neighbors::AddRemove => NeighborsBody::AddRemove,
                Neighbors::Both => NeighborsBody::Both,
            },
            accounts: match &dataset.accounts {
                Accounts::Tiers(tiers) => AccountsBody::Tiers(tiers_body(tiers)),
                Accounts::Persons(lifetime) => AccountsBody::Persons(match lifetime {
                    Lifetime::Tiers(tiers) => LifetimeBody::Tiers(tiers_body(tiers)),
                    Lifetime::Same(allowed) => LifetimeBody::Same(*allowed),
                    Lifetime::Own => LifetimeBody::Own,
                }),
            },
        }
    }
}

impl From<DatasetBody> for Dataset {
    fn from(body: DatasetBody) -> Self {
        Self {
            name: body.name,
            delta: body.delta,
            finds_categories: body.finds_categories,
            raise_up_to: body.raise_up_to.map(|MicrosBody(amount)| amount),
            purpose: body.purpose,
            watch_moves: body.watch_moves,
            neighbors: match body.neighbors {
                NeighborsBody::Replace => Neighbors::ReplaceOne,
                NeighborsBody::AddRemove => Neighbors::AddRemove,
                NeighborsBody::Both => Neighbors::Both,
            },
            accounts: match body.accounts {
                AccountsBody::Tiers(list) => Accounts::Tiers(tiers(list)),
                AccountsBody::Persons(lifetime) => Accounts::Persons(match lifetime {
                    LifetimeBody::Tiers(list) => Lifetime::Tiers(tiers(list)),
                    LifetimeBody::Same(allowed) => Lifetime::Same(allowed),
                    LifetimeBody::Own => Lifetime::Own,
                }),
            },
        }
    }
}

impl From<&Holder> for HolderBody {
    fn from(holder: &Holder) -> Self {
        match holder {
            Holder::Tier(label) => HolderBody::Tier(label.clone()),
            Holder::Everybody => HolderBody::Everybody,
            Holder::Own(allowed) => HolderBody::Own(*allowed),
            Holder::NoConsent => HolderBody::NoConsent,
            Holder::Unknown => HolderBody::Unknown,
        }
    }
}

impl From<HolderBody> for Holder {
    fn from(body: HolderBody) -> Self {
        match body {
            HolderBody::Tier(label) => Holder::Tier(label),
            HolderBody::Everybody => Holder::Everybody,
            HolderBody::Own(allowed) => Holder::Own(allowed),
            HolderBody::NoConsent => Holder::NoConsent,
            HolderBody::Unknown => Holder::Unknown,
        }
    }
}
