//! What an entry says, as JSON.
//!
//! Amounts are integers in micro-ε, or `"inf"`; ρ in units of 10⁻¹². A field that is not known is
//! refused: it would be of a newer suum.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use suum_core::{Delta, Neighbors, Rho};

use crate::place::Place;
use crate::{Accounts, Amount, Columns, Cost, Dataset, Holder, Lifetime, MicroEpsilon};

/// An amount as JSON.
#[derive(Debug, Clone, Copy)]
struct Micros(Amount);

impl Serialize for Micros {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Amount::Micro(micros) => serializer.serialize_u64(micros.get()),
            Amount::Unlimited => serializer.serialize_str("inf"),
        }
    }
}

impl<'de> Deserialize<'de> for Micros {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Form {
            Micros(u64),
            Text(String),
        }
        match Form::deserialize(deserializer)? {
            Form::Micros(micros) if micros <= MicroEpsilon::MAX.get() => {
                Ok(Micros(Amount::micros(micros)))
            }
            Form::Text(text) if text == "inf" => Ok(Micros(Amount::Unlimited)),
            _ => Err(D::Error::custom("not an amount")),
        }
    }
}

mod micros {
    use super::{Amount, Deserialize, Deserializer, Micros, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(
        amount: &Amount,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        Micros(*amount).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Amount, D::Error> {
        Ok(Micros::deserialize(deserializer)?.0)
    }
}

mod list {
    use super::{Amount, Deserialize, Deserializer, Micros, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(
        amounts: &[Amount],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        amounts.iter().copied().map(Micros).collect::<Vec<_>>().serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<Amount>, D::Error> {
        Ok(Vec::<Micros>::deserialize(deserializer)?.into_iter().map(|micros| micros.0).collect())
    }
}

/// A ρ as JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Units(pub(crate) Rho);

impl Serialize for Units {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Rho::Finite(units) => serializer.serialize_u64(units),
            Rho::Unlimited => serializer.serialize_str("inf"),
        }
    }
}

impl<'de> Deserialize<'de> for Units {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Form {
            Units(u64),
            Text(String),
        }
        match Form::deserialize(deserializer)? {
            Form::Units(units) if i64::try_from(units).is_ok() => Ok(Units(Rho::Finite(units))),
            Form::Text(text) if text == "inf" => Ok(Units(Rho::Unlimited)),
            _ => Err(D::Error::custom("not a ρ")),
        }
    }
}

/// δ as JSON: as it is written.
mod delta {
    use super::{Delta, Deserialize, Deserializer, Serializer};
    use serde::de::Error as _;

    pub(super) fn serialize<S: Serializer>(
        delta: &Option<Delta>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match delta {
            Some(delta) => serializer.collect_str(delta),
            None => serializer.serialize_none(),
        }
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Delta>, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map(Some).map_err(|_| D::Error::custom("not a δ"))
    }
}

/// What an entry says; its `kind` is a column of its own.
#[derive(Debug, Clone)]
pub(crate) enum Body {
    /// The first entry.
    Ledger(LedgerBody),
    Dataset(DatasetBody),
    Reserve(ReserveBody),
    Settle(SettleBody),
    Cancel(CancelBody),
    /// Exact numbers were published that cost nothing.
    Publish(PublishBody),
    /// Somebody accepted that entries were lost before this one.
    Loss(LossBody),
    /// Somebody said that the ledger was moved here.
    Move(MoveBody),
    /// Persons of older reservations were written anew, in the tables of this version.
    Migrate(MigrateBody),
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LedgerBody {
    pub(crate) id: String,
    pub(crate) key: String,
    pub(crate) suum: String,
    pub(crate) place: Place,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct DatasetBody {
    name: String,
    neighbors: NeighborsBody,
    accounts: AccountsBody,
    #[serde(default, with = "delta", skip_serializing_if = "Option::is_none")]
    delta: Option<Delta>,
}

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
struct TierBody {
    label: String,
    #[serde(with = "micros")]
    allowed: Amount,
}

/// Exactly one of `tiers` and `parts` is there.
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

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum HolderBody {
    Tier(String),
    Everybody,
    Own(#[serde(with = "micros")] Amount),
}

/// All members of a reservation.
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
    /// In the order of the reservation's tiers or parts.
    #[serde(with = "list")]
    pub(crate) spent: Vec<Amount>,
    /// The same as ρ; missing in entries of the first version.
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
    /// The version of the tables.
    pub(crate) to: usize,
    /// Reservations of persons, each with the digest that its persons have now.
    pub(crate) members: Vec<(u64, String)>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct MoveBody {
    pub(crate) place: Place,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LossBody {
    /// The newest entry that there had been, if that is known.
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
            Body::Publish(body) => serde_json::to_string(body),
            Body::Loss(body) => serde_json::to_string(body),
            Body::Move(body) => serde_json::to_string(body),
            Body::Migrate(body) => serde_json::to_string(body),
        }
    }

    /// `None` if the kind is unknown or the text does not have its form.
    pub(crate) fn parse(kind: &str, text: &str) -> Option<Self> {
        match kind {
            "ledger" => serde_json::from_str(text).map(Body::Ledger),
            "dataset" => serde_json::from_str(text).map(Body::Dataset),
            "reserve" => serde_json::from_str(text).map(Body::Reserve),
            "settle" => serde_json::from_str(text).map(Body::Settle),
            "cancel" => serde_json::from_str(text).map(Body::Cancel),
            "publish" => serde_json::from_str(text).map(Body::Publish),
            "loss" => serde_json::from_str(text).map(Body::Loss),
            "move" => serde_json::from_str(text).map(Body::Move),
            "migrate" => serde_json::from_str(text).map(Body::Migrate),
            _ => return None,
        }
        .ok()
    }
}

fn tiers_body(tiers: &[(String, Amount)]) -> Vec<TierBody> {
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
        }
    }
}

impl From<HolderBody> for Holder {
    fn from(body: HolderBody) -> Self {
        match body {
            HolderBody::Tier(label) => Holder::Tier(label),
            HolderBody::Everybody => Holder::Everybody,
            HolderBody::Own(allowed) => Holder::Own(allowed),
        }
    }
}

/// What an amount costs: with the ρ that is written beside it, and never more than any loss of that
/// ε has.
pub(crate) fn cost(amount: Amount, rho: Option<Units>) -> Cost {
    match rho {
        Some(Units(rho)) => Cost { epsilon: amount, rho },
        None => Cost::from(amount),
    }
}
