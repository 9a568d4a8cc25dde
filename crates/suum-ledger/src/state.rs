//! State of a ledger, which follows from its entries.
//!
//! Nothing derived is stored, so nothing stored can disagree. Every use of a ledger folds its
//! entries anew and checks their hashes on the way: accounts that were tampered with are never
//! built upon.

use std::collections::{BTreeMap, BTreeSet};

use dashu_ratio::RBig;
use rusqlite::Connection;
use suum_core::{Delta, Error};

use crate::account::{Account, AmendmentEntry, Item, Outcome, Reserve};
use crate::amount_json::cost;
use crate::body::{
    AmendBody, Body, ChargeBody, MembersBody, MigrateBody, PartCharge, PublishBody, ReserveBody,
    SettleBody, TierCharge,
};
use crate::entry::{Entry, NOTHING, each};
use crate::failure::Failure;
use crate::file_identity::FileIdentity;
use crate::finding::{Finding, Severity};
use crate::head::{Agreement, FoundHead};
use crate::key::Key;
use crate::schema;
use crate::tally::Tally;
use crate::{AmendedTier, Columns, Cost, Dataset, Holder};

#[derive(Debug)]
pub(crate) struct State {
    pub(crate) id: String,
    pub(crate) accounts: Vec<Account>,
    pub(crate) reserves: BTreeMap<u64, Reserve>,
    pub(crate) amendments: BTreeMap<u64, AmendmentEntry>,
    pub(crate) newest: u64,
    pub(crate) hash: Vec<u8>,
    pub(crate) agreement: Agreement,
    /// Entries that record the loss of entries before them.
    pub(crate) losses: Vec<u64>,
    /// Place of the ledger's file when it was created or last accepted.
    pub(crate) place: Option<FileIdentity>,
    at: String,
}

/// Fault of an entry that publishes a protected column, or protects a published one.
const EXPOSED: &str = "it makes a column public that the ledger protects";

impl State {
    /// Folds all entries; refuses a ledger with a fault, or one that lost entries unless
    /// `loss_accepted`.
    pub(crate) fn strict(
        connection: &Connection,
        key: &Key,
        head: FoundHead,
        path: &std::path::Path,
        loss_accepted: bool,
    ) -> Result<Self, Failure> {
        let mut findings = Vec::new();
        let state = Self::fold(connection, key, head, &mut findings)?;
        if let Some(fault) = findings.iter().find(|finding| finding.severity == Severity::Fault) {
            let place = fault.entry.map(|entry| format!("entry {entry}: ")).unwrap_or_default();
            return Err(Error::ledger(
                format!("ledger {}", path.display()),
                format!("{place}{}", fault.what),
            )
            .with_fix("verify the ledger, and put back the newest copy that is sound")
            .into());
        }
        if !loss_accepted {
            state.agreement.check(path, state.newest)?;
        }
        Ok(state)
    }

    /// Folds all entries, and adds what is wrong with them to `findings`.
    pub(crate) fn fold(
        connection: &Connection,
        key: &Key,
        head: FoundHead,
        findings: &mut Vec<Finding>,
    ) -> rusqlite::Result<Self> {
        if !schema::is_as_made(connection, schema::version(connection)?)? {
            findings.push(Finding::fault(None, "its tables or triggers were changed"));
        }
        let mut state = Self {
            id: String::new(),
            accounts: Vec::new(),
            reserves: BTreeMap::new(),
            amendments: BTreeMap::new(),
            newest: 0,
            hash: NOTHING.to_vec(),
            agreement: match head {
                FoundHead::Good(head) => Agreement::Ahead(head.seq),
                FoundHead::Missing => Agreement::Missing,
                FoundHead::Damaged => Agreement::Damaged,
            },
            losses: Vec::new(),
            place: None,
            at: String::new(),
        };
        each(connection, |entry| {
            state.apply(entry, key, head, findings);
            Ok::<_, rusqlite::Error>(())
        })?;
        if state.newest == 0 {
            findings.push(Finding::fault(None, "it has no entries"));
        }
        if let FoundHead::Good(head) = head
            && state.agreement == Agreement::Same
            && head.seq < state.newest
        {
            state.agreement = Agreement::Behind;
        }
        Ok(state)
    }

    /// Returns the account with this name, with its position.
    pub(crate) fn account(&self, name: &str) -> suum_core::Result<(usize, &Account)> {
        let found =
            self.accounts.iter().enumerate().find(|(_, account)| account.dataset.name == name);
        found.ok_or_else(|| {
            let names: Vec<_> =
                self.accounts.iter().map(|account| account.dataset.name.as_str()).collect();
            let hint = if names.is_empty() {
                "the ledger has no datasets yet: add one".to_owned()
            } else {
                format!("the ledger has {}", names.join(", "))
            };
            Error::parameter(format!("dataset {name}"), "the ledger does not know it")
                .with_fix(hint)
        })
    }

    fn apply(&mut self, entry: Entry, key: &Key, head: FoundHead, findings: &mut Vec<Finding>) {
        let seq = entry.seq;
        let mut fault = |what: String| findings.push(Finding::fault(seq, what));
        if seq != self.newest + 1 {
            fault("entries before it are missing".into());
        } else if entry.previous != self.hash {
            fault("it does not follow the entry before it".into());
        }
        if entry.hash != entry.expected_hash(key) {
            fault("it was changed after it was written".into());
        }
        if let FoundHead::Good(head) = head
            && head.seq == seq
        {
            self.agreement =
                if entry.hash == head.hash { Agreement::Same } else { Agreement::Other(head.seq) };
        }
        match Body::parse(&entry.kind, &entry.body) {
            Some(body) => {
                if let Err(what) = self.take(seq, &entry.at, body) {
                    fault(what);
                }
            }
            None => fault("it is of a kind or form that this suum does not know".into()),
        }
        if entry.at < self.at {
            findings.push(Finding::remark(
                seq,
                "the clock stood before the time of the entry before it",
            ));
        }
        (self.newest, self.hash, self.at) = (seq, entry.hash, entry.at);
    }

    /// Applies the body of an entry; the error says what is wrong with it.
    fn take(&mut self, seq: u64, at: &str, body: Body) -> Result<(), String> {
        match body {
            Body::Ledger(body) => {
                if seq != 1 {
                    return Err("it begins another ledger".into());
                }
                self.id = body.id;
                self.place = Some(body.place);
            }
            _ if seq == 1 => return Err("it is not the beginning of a ledger".into()),
            Body::Dataset(body) => {
                let dataset = Dataset::from(body);
                if dataset.check().is_err() || self.account(&dataset.name).is_ok() {
                    return Err("its dataset is not usable".into());
                }
                self.accounts.push(Account::new(dataset, at));
            }
            Body::Reserve(body) => self.take_reserve(seq, at, body)?,
            Body::Settle(body) => self.take_settle(seq, at, body)?,
            Body::Cancel(body) => {
                let outcome = Outcome::Cancelled { entry: seq, at: at.to_owned() };
                self.close(body.reserve, outcome)?;
            }
            Body::Charge(body) => self.take_charge(seq, at, body)?,
            Body::Amend(body) => self.take_amend(seq, at, body)?,
            // A remark of `verify`.
            Body::Loss(_) => self.losses.push(seq),
            Body::Move(body) => self.place = Some(body.place),
            Body::Publish(body) => self.take_publish(seq, &body)?,
            Body::Migrate(body) => self.take_migrate(body)?,
        }
        Ok(())
    }

    fn take_reserve(&mut self, seq: u64, at: &str, body: ReserveBody) -> Result<(), String> {
        let (index, account) =
            self.account(&body.dataset).map_err(|_| "its dataset is not known".to_owned())?;
        let items =
            items(account, body.tiers, body.parts, body.members.as_ref()).ok_or_else(odd)?;
        // Persons are named by all of its reservations, or by none.
        let dataset = &account.dataset;
        if body.members.is_some() != (dataset.is_of_persons() || dataset.watch_moves) {
            return Err(odd());
        }
        let mut seen = BTreeSet::new();
        let mut beyond = false;
        for item in &items {
            let allowed = item.allowed.ok_or_else(odd)?;
            let Holder::Tier(label) = &item.holder else { continue };
            if account.dataset.is_of_persons() {
                continue;
            }
            let tier = account.tier(label).ok_or_else(odd)?;
            if !seen.insert(tier) {
                return Err(odd());
            }
            let counted = account.counted.get(tier).copied().unwrap_or_default();
            beyond |= !allowed.fits(item.cost, counted.cost());
        }
        let reserve = Reserve {
            at: at.to_owned(),
            account: index,
            items,
            is_of_persons: account.dataset.is_of_persons(),
            members: body.members,
            columns: body.columns,
            register: body.register,
            moved: body.moved,
            delta: body.delta,
            outcome: Outcome::Open,
        };
        let lacks_delta = account.check_delta(body.delta).is_err();
        let exposed = account.uses.check(&reserve.columns).is_err();
        self.tally(&reserve, Tally::add);
        let account = &mut self.accounts[index];
        account.uses.add(seq, &reserve.columns);
        account.reserves.push(seq);
        account.delta_of_categories += reserve.delta.map_or(RBig::ZERO, Delta::exact);
        self.reserves.insert(seq, reserve);
        match (beyond, exposed) {
            (true, _) => Err("it charges a tier beyond what it allows".into()),
            (false, true) => Err(EXPOSED.into()),
            (false, false) if lacks_delta => Err("it has a δ that the accounts do not have".into()),
            (false, false) => Ok(()),
        }
    }

    fn take_charge(&mut self, seq: u64, at: &str, body: ChargeBody) -> Result<(), String> {
        let (index, account) =
            self.account(&body.dataset).map_err(|_| "its dataset is not known".to_owned())?;
        let items =
            items(account, body.tiers, body.parts, body.members.as_ref()).ok_or_else(odd)?;
        let mut seen = BTreeSet::new();
        if body.members.is_some() != account.dataset.is_of_persons() {
            return Err(odd());
        }
        for item in &items {
            let is_known = match &item.holder {
                Holder::Tier(label) if !account.dataset.is_of_persons() => {
                    account.tier(label).is_some_and(|tier| seen.insert(tier))
                }
                holder => account.dataset.is_of_persons() && *holder == account.anybody(),
            };
            if !is_known {
                return Err(odd());
            }
        }
        let charge = Reserve {
            at: at.to_owned(),
            account: index,
            items,
            is_of_persons: account.dataset.is_of_persons(),
            members: body.members,
            columns: Columns::default(),
            register: None,
            moved: 0,
            delta: None,
            outcome: Outcome::Elsewhere { because: body.because },
        };
        self.tally(&charge, Tally::add);
        self.accounts[index].reserves.push(seq);
        self.reserves.insert(seq, charge);
        Ok(())
    }

    fn take_amend(&mut self, seq: u64, at: &str, body: AmendBody) -> Result<(), String> {
        let unusable = || "it changes what its dataset does not have".to_owned();
        let (index, account) =
            self.account(&body.dataset).map_err(|_| "its dataset is not known".to_owned())?;
        let tiers: Vec<_> = body.tiers.into_iter().map(|tier| (tier.label, tier.allowed)).collect();
        let mut amended_tiers: Vec<AmendedTier> = Vec::new();
        for (label, allowed) in &tiers {
            let before = account.dataset.allowed(&Holder::Tier(label.clone()));
            let is_raised = before.is_some_and(|before| *allowed > before);
            let is_twice = amended_tiers.iter().any(|other| other.label == *label);
            if account.dataset.tiers().is_none() || is_twice || is_raised {
                return Err(unusable());
            }
            amended_tiers.push(AmendedTier { label: label.clone(), before, allowed: *allowed });
        }
        let is_of_persons = account.dataset.is_of_persons();
        if body.members.is_some() == body.decisions.is_empty()
            || (body.members.is_some() && !is_of_persons)
        {
            return Err(unusable());
        }
        self.accounts[index].amend(&tiers);
        let account = &self.accounts[index];
        let part = |holder: Holder, persons: u64| {
            let allowed = account.allowed(&holder)?;
            Some((holder, allowed, persons))
        };
        let parts = body.decisions.into_iter().map(|of| part(of.holder.into(), of.persons));
        let parts = parts.collect::<Option<_>>().ok_or_else(unusable)?;
        self.accounts[index].amendments.push(seq);
        let amended = AmendmentEntry {
            at: at.to_owned(),
            because: body.because,
            tiers: amended_tiers,
            parts,
            raised: body.raised,
            members: body.members,
            register: body.register,
        };
        self.amendments.insert(seq, amended);
        Ok(())
    }

    /// Replaces the digests of the persons of all earlier reservations.
    fn take_migrate(&mut self, body: MigrateBody) -> Result<(), String> {
        let mut anew = body.members.into_iter();
        let of_persons = self.reserves.iter_mut().filter(|(_, reserve)| reserve.members.is_some());
        for (seq, reserve) in of_persons {
            match (anew.next(), &mut reserve.members) {
                (Some((of, digest)), Some(members)) if of == *seq => members.digest = digest,
                _ => return Err("it does not name the reservations before it".into()),
            }
        }
        match (anew.next(), body.to) {
            (None, crate::schema::VERSION) => Ok(()),
            _ => Err("it does not name the reservations before it".into()),
        }
    }

    fn take_publish(&mut self, seq: u64, body: &PublishBody) -> Result<(), String> {
        let (index, account) =
            self.account(&body.dataset).map_err(|_| "its dataset is not known".to_owned())?;
        let exposed = !body.columns.values.is_empty() || account.uses.check(&body.columns).is_err();
        self.accounts[index].uses.add(seq, &body.columns);
        if exposed { Err(EXPOSED.into()) } else { Ok(()) }
    }

    fn take_settle(&mut self, seq: u64, at: &str, body: SettleBody) -> Result<(), String> {
        let rho = body.rho.map_or_else(
            || vec![None; body.spent.len()],
            |rho| rho.into_iter().map(Some).collect(),
        );
        if rho.len() != body.spent.len() {
            return Err("it does not say what everybody lost in both accounts".into());
        }
        let spent: Vec<Cost> =
            body.spent.into_iter().zip(rho).map(|(spent, rho)| cost(spent, rho)).collect();
        if let Some(reserve) = self.reserves.get(&body.reserve) {
            let fits = |(item, spent): (&Item, &Cost)| {
                spent.epsilon <= item.cost.epsilon && spent.rho <= item.cost.rho
            };
            if reserve.items.len() != spent.len() || !reserve.items.iter().zip(&spent).all(fits) {
                return Err("it spends what was not reserved".into());
            }
        }
        self.close(body.reserve, Outcome::Settled { entry: seq, at: at.to_owned(), spent })
    }

    /// Ends a reservation, and counts its outcome.
    fn close(&mut self, seq: u64, outcome: Outcome) -> Result<(), String> {
        let Some(mut reserve) = self.reserves.remove(&seq) else {
            return Err("the reservation that it ends does not exist".into());
        };
        let open = matches!(reserve.outcome, Outcome::Open);
        if open {
            self.tally(&reserve, Tally::take_back);
            if let (Outcome::Cancelled { .. }, Some(account)) =
                (&outcome, self.accounts.get_mut(reserve.account))
            {
                account.uses.take_back(seq, &reserve.columns);
                account.delta_of_categories -= reserve.delta.map_or(RBig::ZERO, Delta::exact);
            }
            reserve.outcome = outcome;
            self.tally(&reserve, Tally::add);
        }
        self.reserves.insert(seq, reserve);
        if open { Ok(()) } else { Err("the reservation that it ends had ended before".into()) }
    }

    /// Adds the cost that counts of a reservation to the accounts of its tiers, or takes it back.
    fn tally(&mut self, reserve: &Reserve, change: impl Fn(&mut Tally, Cost)) {
        let Some(account) = self.accounts.get_mut(reserve.account) else { return };
        for (index, item) in reserve.items.iter().enumerate() {
            let Holder::Tier(label) = &item.holder else { continue };
            if let Some(tally) = account.tier(label).and_then(|tier| account.counted.get_mut(tier))
            {
                change(tally, reserve.counted_cost(index));
            }
        }
    }
}

fn odd() -> String {
    "its charges do not have the form of its dataset".to_owned()
}

/// Returns the items that an entry charges; none if it does not have the form of the dataset.
fn items(
    account: &Account,
    tiers: Option<Vec<TierCharge>>,
    parts: Option<Vec<PartCharge>>,
    members: Option<&MembersBody>,
) -> Option<Vec<Item>> {
    let item = |holder: Holder, cost: Cost, persons: u64| Item {
        allowed: account.allowed(&holder),
        holder,
        cost,
        persons,
    };
    let of_tier = |tier: TierCharge| item(Holder::Tier(tier.label), cost(tier.charge, tier.rho), 0);
    let of_part =
        |part: PartCharge| item(part.holder.into(), cost(part.charge, part.rho), part.persons);
    match (account.dataset.is_of_persons(), tiers, parts, members) {
        (false, Some(tiers), None, _) => Some(tiers.into_iter().map(of_tier).collect()),
        (true, None, Some(parts), Some(_)) => Some(parts.into_iter().map(of_part).collect()),
        _ => None,
    }
}
