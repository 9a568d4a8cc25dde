//! Amendments: changes of what tiers and persons allow.
//!
//! Less is allowed at once. More is allowed to a person by a newer decision that something proves;
//! where people allow (ε, δ), only up to a maximum that was declared in advance, since the sum of ρ
//! bounds (ε, δ) only for the largest allowance that could come of the releases. A tier is only
//! lowered: who signs a new form is in a new tier.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use rusqlite::Connection;
use rustc_hash::FxHashSet;
use suum_core::{Error, Result, option, say};

use crate::account::{Account, AmendmentEntry};
use crate::body::{AmendBody, DecisionsBody, tiers_body};
use crate::dataset::{is_no_consent, no_consent_allows_nothing};
use crate::failure::Failure;
use crate::fit;
use crate::key::Key;
use crate::members::{self, ClaimLimit, Members, Rolls};
use crate::number_set::NumberSet;
use crate::runs;
use crate::state::State;
use crate::{
    Accounts, Allowance, Amendment, AmendmentRecord, Amount, Columns, Cost, Decision,
    DecisionCounts, Direction, Holder, Lifetime, PersonHash, PersonsSpent,
};

/// Amendment that was prepared at one moment of the ledger.
pub(crate) struct PreparedAmendment {
    /// Hash of the newest entry at that moment.
    pub(crate) hash: Vec<u8>,
    pub(crate) counts: DecisionCounts,
    pub(crate) body: AmendBody,
    pub(crate) members: Option<Members>,
}

impl PreparedAmendment {
    /// Returns true if there is nothing to enter.
    pub(crate) fn is_empty(&self) -> bool {
        self.body.tiers.is_empty() && self.members.is_none()
    }
}

/// Prepares the entry of an amendment, with the persons that it names.
///
/// # Errors
///
/// Refuses unknown datasets, tiers that are raised, decisions of another form than the accounts,
/// and a person who is there twice.
pub(crate) fn prepare(
    connection: &Connection,
    key: &Key,
    rolls: &Rolls,
    state: &State,
    dataset: &str,
    amendment: &Amendment,
    now: i64,
) -> std::result::Result<PreparedAmendment, Failure> {
    let (index, account) = state.account(dataset)?;
    let tiers = changed_tiers(account, &amendment.tiers)?;
    let because = amendment.because.as_deref().map(str::trim).filter(|text| !text.is_empty());
    let mut body = AmendBody {
        dataset: dataset.to_owned(),
        because: because.map(str::to_owned),
        tiers: tiers_body(&tiers),
        decisions: Vec::new(),
        raised: 0,
        members: None,
        register: amendment.register.clone(),
    };
    let mut members = None;
    let mut counts = DecisionCounts::default();
    if !tiers.is_empty() && !amendment.decisions.is_empty() {
        return Err(Error::request(
            format!("dataset {dataset}"),
            "tiers are changed by one amendment, and decisions entered by another",
        )
        .with_fix("amend twice")
        .into());
    }
    let is_of_register = amendment.register.is_some() && account.dataset.is_of_persons();
    if !amendment.decisions.is_empty() || is_of_register {
        let Accounts::Persons(lifetime) = &account.dataset.accounts else {
            let fix = say("change what a tier allows with").option(option::LEVELS);
            return Err(fit::tiers_hold_accounts(dataset).with_fix(fix).into());
        };
        let spent = members::spent(connection, key, rolls, state, index, ClaimLimit::AsLast)?;
        let maximum = match account.dataset.delta {
            Some(_) => account.dataset.raise_up_to.unwrap_or(Amount::ZERO),
            None => Amount::Unlimited,
        };
        let sorting = Sorting { account, lifetime, spent: &spent, now, maximum, amendment };
        let groups = sorting.sort(&mut counts)?;
        if !groups.is_empty() {
            let of_groups = members_of(&groups, spent.roll.len())?;
            body.decisions = groups.iter().map(EntryGroup::body).collect();
            body.raised = counts.raised;
            body.members = Some(of_groups.body(spent.roll.len(), key));
            members = Some(of_groups);
        }
    }
    Ok(PreparedAmendment { hash: state.hash.clone(), counts, body, members })
}

/// Returns the tiers whose allowance changes, and new tiers.
///
/// # Errors
///
/// Refuses tiers that are raised or there twice, and accounts without tiers.
fn changed_tiers(account: &Account, tiers: &[(String, Amount)]) -> Result<Vec<(String, Amount)>> {
    let dataset = &account.dataset;
    let mut changed: Vec<(String, Amount)> = Vec::new();
    for (label, allowed) in tiers {
        let place = format!("dataset {}", dataset.name);
        if dataset.tiers().is_none() {
            return Err(Error::request(place, "its accounts are not of tiers")
                .with_fix("enter what persons decided"));
        }
        if label.trim().is_empty() || changed.iter().any(|(other, _)| other == label) {
            return Err(Error::parameter(place, "a tier has no name, or is there twice")
                .with_fix("name each tier once, with what its people allow from now on"));
        }
        if is_no_consent(label) && !allowed.is_zero() {
            return Err(no_consent_allows_nothing(dataset));
        }
        let known = dataset.tiers().unwrap_or_default();
        let is_like =
            |other: &&(String, Amount)| Columns::are_one(&other.0, label) && other.0 != *label;
        if let Some((other, _)) = known.iter().find(is_like) {
            return Err(Error::parameter(place, "a new tier would have the name of another one")
                .with_fix(format!("the ledger has tier {other}; give a new tier another name")));
        }
        match dataset.allowed(&Holder::Tier(label.clone())) {
            Some(known) if *allowed > known => {
                return Err(Error::request(
                    place,
                    format!("tier {label} allows {known}, and a tier is only lowered"),
                )
                .with_fix(
                    "whoever allows more has signed a new form: name a new tier, and put them \
                     there",
                ));
            }
            Some(known) if *allowed == known => {}
            _ => changed.push((label.clone(), *allowed)),
        }
    }
    Ok(changed)
}

/// Facts that decide which decisions are entered.
struct Sorting<'a> {
    account: &'a Account,
    lifetime: &'a Lifetime,
    spent: &'a PersonsSpent,
    now: i64,
    maximum: Amount,
    amendment: &'a Amendment,
}

/// Entered decisions with the same holder: persons by number or by hash, each with the start in
/// microseconds.
struct EntryGroup {
    holder: Holder,
    numbers: Vec<(u32, i64)>,
    new: Vec<(PersonHash, i64)>,
}

/// Verdict on a decision; the variants stand for the fields of [`DecisionCounts`].
enum Verdict {
    First,
    Lowered,
    Raised,
    Confirmed,
    Known,
    SameDate,
    WithoutReference,
    BeyondMaximum,
    InFuture,
}

impl Sorting<'_> {
    /// Returns the entered decisions by holder, in the order in which they are written, and adds up
    /// the verdicts.
    fn sort(&self, counts: &mut DecisionCounts) -> Result<Vec<EntryGroup>> {
        let mut groups: BTreeMap<(usize, Amount), EntryGroup> = BTreeMap::new();
        let roll = &self.spent.roll;
        let mut seen = NumberSet::new(roll.len());
        let mut seen_new: FxHashSet<PersonHash> = FxHashSet::default();
        for decision in &self.amendment.decisions {
            let allowed = self.account.allowed(&decision.holder).ok_or_else(|| {
                let problem = "a decision says in another way than the dataset what is allowed";
                let place = format!("dataset {}", self.account.dataset.name);
                Error::request(place, problem).with_fix(
                    "name one of its tiers, or a number where persons say themselves what they \
                     allow",
                )
            })?;
            if !decision.has_usable_time() {
                return Err(Error::parameter("decisions", "a time is out of range")
                    .with_fix("give microseconds since 1970 of a year from 0 to 9999"));
            }
            let number = roll.number(decision.person);
            let is_first_time = match number {
                Some(number) => seen.insert(number),
                None => seen_new.insert(decision.person),
            };
            if !is_first_time {
                return Err(Error::parameter("decisions", "a person is there twice")
                    .with_fix("give the decision of each person that is in force"));
            }
            // By a decision, or by the release that charged them last.
            let known = number.and_then(|number| self.spent.decided(number));
            let known = known.map(|(_, allowance, since)| (allowance, since));
            let verdict = self.verdict(decision, allowed, known);
            *verdict.count(counts) += 1;
            if !verdict.is_entered() {
                continue;
            }
            let spent = number.map_or(Cost::ZERO, |number| self.spent.cost_by_number(number));
            counts.spent_more += u64::from(allowed.is_exceeded_by(spent));
            // A decision without a date is no older than what it changes.
            let from = decision.written_time();
            let from = known.map_or(from, |(_, since)| from.max(since));
            let new_group = || EntryGroup {
                holder: decision.holder.clone(),
                numbers: Vec::new(),
                new: Vec::new(),
            };
            let group = groups.entry(self.place(&decision.holder)).or_insert_with(new_group);
            match number {
                Some(number) => group.numbers.push((number, from)),
                None => group.new.push((decision.person, from)),
            }
        }
        let is_missing = |number: &u32| {
            let decided = self.spent.decided(*number);
            decided.is_some_and(|(.., since)| since > i64::MIN) && !seen.contains(*number)
        };
        counts.missing = (0..roll.len() as u32).filter(is_missing).count() as u64;
        let mut groups: Vec<EntryGroup> = groups.into_values().collect();
        for group in &mut groups {
            group.numbers.sort_unstable();
            group.new.sort_unstable();
        }
        Ok(groups)
    }

    /// Returns the verdict on a decision that allows this much, where this allowance is known since
    /// a time.
    fn verdict(
        &self,
        decision: &Decision,
        allowed: Allowance,
        known: Option<(Allowance, i64)>,
    ) -> Verdict {
        if decision.from.is_some_and(|from| from > self.now) {
            return Verdict::InFuture;
        }
        let only_lowers = self.amendment.direction == Direction::OnlyLower;
        let Some((known, since)) = known else {
            // Of whom nothing is known, a release enters only who may not be used.
            let is_entered = !only_lowers || allowed.epsilon.is_zero();
            return if is_entered { Verdict::First } else { Verdict::Known };
        };
        let is_less = allowed.epsilon < known.epsilon;
        let is_more = allowed.epsilon > known.epsilon;
        match decision.written_time().cmp(&since) {
            Ordering::Less if decision.from.is_some() => Verdict::Known,
            // Less counts at once, also of a decision without a date.
            _ if is_less => Verdict::Lowered,
            Ordering::Equal if is_more && decision.from.is_some() => Verdict::SameDate,
            Ordering::Less | Ordering::Equal => Verdict::Known,
            Ordering::Greater if only_lowers => Verdict::Known,
            Ordering::Greater if allowed.epsilon == known.epsilon => Verdict::Confirmed,
            Ordering::Greater if !decision.has_reference => Verdict::WithoutReference,
            Ordering::Greater if allowed.epsilon > self.maximum => Verdict::BeyondMaximum,
            Ordering::Greater => Verdict::Raised,
        }
    }

    /// Returns the place of a holder in the order in which groups are written.
    fn place(&self, holder: &Holder) -> (usize, Amount) {
        match (holder, self.lifetime) {
            (Holder::NoConsent, _) => (0, Amount::ZERO),
            (Holder::Own(allowed), _) => (1, *allowed),
            (Holder::Tier(label), Lifetime::Tiers(tiers)) => {
                let position = tiers.iter().position(|(known, _)| known == label);
                (position.map_or(0, |position| position + 1), Amount::ZERO)
            }
            _ => (1, Amount::ZERO),
        }
    }
}

impl EntryGroup {
    fn body(&self) -> DecisionsBody {
        let persons = (self.numbers.len() + self.new.len()) as u64;
        DecisionsBody { holder: (&self.holder).into(), persons }
    }
}

/// Returns the persons of groups, of whom new ones get the numbers from `known` on.
fn members_of(groups: &[EntryGroup], known: usize) -> Result<Members> {
    let (mut parts, mut times, mut new) = (Vec::new(), Vec::new(), Vec::new());
    let mut next = u32::try_from(known).unwrap_or(u32::MAX);
    for group in groups {
        let end = next.saturating_add(group.new.len() as u32);
        let known = group.numbers.iter().map(|(number, _)| *number);
        let numbers: Vec<u32> = known.chain(next..end).collect();
        next = end;
        parts.push(runs::group_numbers(&numbers).ok_or_else(|| {
            Error::parameter("decisions", "too many persons").with_fix("enter them in parts")
        })?);
        times.extend(group.numbers.iter().map(|(_, from)| *from));
        times.extend(group.new.iter().map(|(_, from)| *from));
        new.extend(group.new.iter().map(|(person, _)| *person));
    }
    Ok(Members::new(new, parts).with_times(&times))
}

impl Verdict {
    fn is_entered(&self) -> bool {
        matches!(self, Self::First | Self::Lowered | Self::Raised | Self::Confirmed)
    }

    /// Returns the counter of this verdict.
    fn count<'a>(&self, counts: &'a mut DecisionCounts) -> &'a mut u64 {
        match self {
            Self::First => &mut counts.first,
            Self::Lowered => &mut counts.lowered,
            Self::Raised => &mut counts.raised,
            Self::Confirmed => &mut counts.confirmed,
            Self::Known => &mut counts.known,
            Self::SameDate => &mut counts.same_date,
            Self::WithoutReference => &mut counts.without_reference,
            Self::BeyondMaximum => &mut counts.beyond_maximum,
            Self::InFuture => &mut counts.in_future,
        }
    }
}

/// Returns the record of an amendment.
pub(crate) fn record(entry: u64, amended: &AmendmentEntry) -> AmendmentRecord {
    let decisions = amended.parts.iter().map(|(holder, _, persons)| (holder.clone(), *persons));
    AmendmentRecord {
        entry,
        at: amended.at.clone(),
        because: amended.because.clone(),
        tiers: amended.tiers.clone(),
        decisions: decisions.collect(),
        raised: amended.raised,
        register: amended.register.clone(),
    }
}
