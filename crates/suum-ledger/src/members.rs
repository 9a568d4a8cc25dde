//! Persons that entries name: written with the entry, and read to know what each has spent.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use blake3::Hasher;
use rusqlite::{Connection, OptionalExtension, params};
use rustc_hash::FxHashSet;
use suum_core::{Error, option, say};

use crate::account::{Account, Item, Outcome};
use crate::body::MembersBody;
use crate::decisions_by_number::DecisionsByNumber;
use crate::failure::Failure;
use crate::files::hex;
use crate::key::{Key, Use};
use crate::number_set::NumberSet;
use crate::person::Sums;
use crate::persons::RollPosition;
use crate::roll::Roll;
use crate::runs::{self, Run};
use crate::state::State;
use crate::times;
use crate::{Accounts, Allowance, Cost, Holder, Lifetime, Part, PersonHash, PersonsSpent};

/// Number of persons in one piece of the table.
const PIECE: usize = 1 << 16;

/// Persons of an entry that is to be written.
#[derive(Debug)]
pub(crate) struct Members {
    /// Persons whom no entry of the dataset has named before, in the order of their numbers.
    new: Vec<PersonHash>,
    /// Persons of each part, by number.
    parts: Vec<Vec<Run>>,
    /// Encoded parts; of an amendment also the times of its decisions.
    runs: Vec<u8>,
}

/// Gives numbers to all persons who are charged anything; refuses a person who is there twice.
///
/// New persons are numbered by part and then hash, so that numbers say nothing about the order in
/// which data were read.
pub(crate) fn number_persons(parts: &[Part], roll: &Roll) -> suum_core::Result<Members> {
    let total: usize = parts.iter().map(|part| part.persons.len()).sum();
    if u32::try_from(parts.len()).is_err() || roll.len() + total >= 1 << 31 {
        return Err(Error::parameter("charges", "too many parts or persons")
            .with_fix("put all who allow the same and lose the same in one part"));
    }
    let mut seen = NumberSet::new(roll.len());
    let mut uncharged: FxHashSet<PersonHash> = FxHashSet::default();
    // Of each part.
    let mut numbers: Vec<Vec<u32>> = Vec::with_capacity(parts.len());
    let mut new: Vec<Vec<PersonHash>> = Vec::with_capacity(parts.len());
    for part in parts {
        let is_charged = !part.charge.is_zero();
        let mut of_part = Vec::with_capacity(part.persons.len().min(roll.len()));
        let mut new_of_part = Vec::new();
        part.persons.positions_in(roll).try_for_each(|place| match place {
            RollPosition::Number(number) => {
                if !seen.insert(number) {
                    return Err(twice());
                }
                if is_charged {
                    of_part.push(number);
                }
                Ok(())
            }
            RollPosition::New(person) if is_charged => {
                new_of_part.push(person);
                Ok(())
            }
            RollPosition::New(person) => match uncharged.insert(person) {
                true => Ok(()),
                false => Err(twice()),
            },
            RollPosition::Nobody => Err(Error::internal("a person has another roll's number")),
        })?;
        // Persons come in the order of their hashes as a rule, so that few runs are merged.
        of_part.sort();
        new_of_part.sort();
        numbers.push(of_part);
        new.push(new_of_part);
    }
    let new_of_parts: Vec<usize> = new.iter().map(Vec::len).collect();
    let new = new.concat();
    let mut ascending = new.clone();
    ascending.sort();
    if ascending.windows(2).any(|pair| pair[0] == pair[1])
        || (!uncharged.is_empty() && new.iter().any(|person| uncharged.contains(person)))
    {
        return Err(twice());
    }
    let mut next = roll.len() as u32;
    for (numbers, new) in numbers.iter_mut().zip(new_of_parts) {
        let end = next + new as u32;
        numbers.extend(next..end);
        next = end;
    }
    let parts = numbers.iter().map(|part| runs::group_numbers(part).ok_or_else(twice));
    Ok(Members::new(new, parts.collect::<suum_core::Result<_>>()?))
}

fn twice() -> Error {
    Error::parameter("charges", "a person is there twice").with_fix(
        say("bring the rows of a person together before charging, with").option(option::PERSON),
    )
}

impl Members {
    /// Creates the members of parts whose persons are given by number.
    pub(crate) fn new(new: Vec<PersonHash>, parts: Vec<Vec<Run>>) -> Self {
        let runs = runs::encode(parts.iter().map(Vec::as_slice));
        Self { new, parts, runs }
    }

    /// Adds the times of decisions, in the order of the parts and of the numbers in each.
    pub(crate) fn with_times(mut self, times: &[i64]) -> Self {
        self.runs.extend(times::encode(times));
        self
    }

    /// Returns the persons of each part.
    pub(crate) fn parts(&self) -> &[Vec<Run>] {
        &self.parts
    }

    pub(crate) fn body(&self, first: usize, key: &Key) -> MembersBody {
        let count = self.parts.iter().map(|part| runs::count(part)).sum();
        let mut new = hasher_of_pieces(key);
        self.pieces().for_each(|piece| add_piece(&mut new, &piece));
        let digest = digest(key, first, new.finalize().as_bytes(), &self.runs);
        MembersBody { count, digest }
    }

    fn pieces(&self) -> impl Iterator<Item = Vec<u8>> {
        self.new.chunks(PIECE).map(|piece| {
            let mut bytes = Vec::with_capacity(size_of_val(piece));
            piece.iter().for_each(|person| bytes.extend_from_slice(&person.0));
            bytes
        })
    }

    /// Writes the members of the entry that comes next; refuses if some are there already.
    pub(crate) fn insert(&self, connection: &Connection, entry: u64) -> Result<(), Failure> {
        let strange: bool = connection.query_row(
            "SELECT EXISTS (SELECT 1 FROM charged WHERE entry >= ?1)
                OR EXISTS (SELECT 1 FROM person WHERE entry >= ?1)",
            [entry],
            |row| row.get(0),
        )?;
        if strange {
            return Err(Error::ledger(
                option::LEDGER,
                "there are persons of a reservation that does not exist",
            )
            .with_fix("verify the ledger, and put back the newest copy that is sound")
            .into());
        }
        self.write(connection, entry)
    }

    /// Writes the members of an entry.
    pub(crate) fn write(&self, connection: &Connection, entry: u64) -> Result<(), Failure> {
        let mut statement =
            connection.prepare("INSERT INTO person (entry, piece, hashes) VALUES (?, ?, ?)")?;
        for (piece, hashes) in self.pieces().enumerate() {
            statement.execute(params![entry, piece as i64, hashes])?;
        }
        connection.execute(
            "INSERT INTO charged (entry, runs) VALUES (?, ?)",
            params![entry, self.runs],
        )?;
        Ok(())
    }
}

/// Cache of the persons of all datasets, by position of the dataset, so that a ledger and its
/// readers read them once.
///
/// Cached persons have the digest that the chain of entries names, and entries never change.
#[derive(Debug, Clone, Default)]
pub(crate) struct Rolls(Arc<Mutex<BTreeMap<usize, MemberCache>>>);

impl Rolls {
    /// Locks the cache. If a thread that panicked has left it half changed, the digests show that.
    fn lock(&self) -> MutexGuard<'_, BTreeMap<usize, MemberCache>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[derive(Debug, Clone, Default)]
struct MemberCache {
    roll: Arc<Roll>,
    /// Entries that were read, with the digests of their persons.
    read: Vec<(u64, String)>,
    /// Persons of each of these entries.
    parts: Vec<Arc<NamedPersons>>,
    /// Sums for each [`ClaimLimit`], with the hash of the newest entry that they include.
    spent: [Option<(Vec<u8>, PersonsSpent)>; 2],
}

/// Persons that an entry names.
#[derive(Debug)]
pub(crate) struct NamedPersons {
    /// Persons of each part, by number.
    pub(crate) parts: Vec<Vec<Run>>,
    /// Start of each decision, in microseconds and in the order of the parts; empty except for an
    /// amendment.
    pub(crate) times: Vec<i64>,
}

/// All persons of an account, and the persons that each of its entries names.
pub(crate) struct Everybody {
    pub(crate) roll: Arc<Roll>,
    /// Reservations and charges from elsewhere.
    pub(crate) charged: Vec<(u64, Arc<NamedPersons>)>,
    /// Amendments.
    pub(crate) amended: Vec<(u64, Arc<NamedPersons>)>,
}

/// Entry that names persons.
struct NamingEntry<'a> {
    seq: u64,
    members: Option<&'a MembersBody>,
    parts: usize,
    is_amendment: bool,
}

/// Reads all persons of an account; the inner error is the entry whose persons were changed.
pub(crate) fn everybody(
    connection: &Connection,
    key: &Key,
    rolls: &Rolls,
    state: &State,
    index: usize,
) -> rusqlite::Result<Result<Everybody, u64>> {
    let Some(account) = state.accounts.get(index) else { return Ok(Err(0)) };
    let entries = naming_entries(state, account);
    let mut rolls = rolls.lock();
    let known = rolls.entry(index).or_default();
    let same = |((seq, digest), entry): (&(u64, String), &NamingEntry<'_>)| {
        *seq == entry.seq && entry.members.is_some_and(|members| members.digest == *digest)
    };
    if known.read.len() > entries.len() || !known.read.iter().zip(&entries).all(same) {
        *known = MemberCache::default();
    }
    if known.read.len() < entries.len() {
        // It shares the roll, which is to grow in place.
        known.spent = [None, None];
    }
    for entry in &entries[known.read.len()..] {
        if !known.read_on(connection, key, entry)? {
            *known = MemberCache::default();
            return Ok(Err(entry.seq));
        }
    }
    let named = entries.iter().zip(known.parts.iter().cloned());
    let (amended, charged): (Vec<_>, Vec<_>) = named.partition(|(entry, _)| entry.is_amendment);
    let numbered = |(entry, named): (&NamingEntry<'_>, Arc<NamedPersons>)| (entry.seq, named);
    Ok(Ok(Everybody {
        roll: Arc::clone(&known.roll),
        charged: charged.into_iter().map(numbered).collect(),
        amended: amended.into_iter().map(numbered).collect(),
    }))
}

/// Returns the entries of an account that name persons, in their order.
fn naming_entries<'a>(state: &'a State, account: &Account) -> Vec<NamingEntry<'a>> {
    let reserve = |seq: &u64| {
        let reserve = state.reserves.get(seq)?;
        let (members, parts) = (reserve.members.as_ref(), reserve.items.len());
        // Charges of tiers for losses elsewhere name nobody.
        if members.is_none() && !account.dataset.is_of_persons() {
            return None;
        }
        Some(NamingEntry { seq: *seq, members, parts, is_amendment: false })
    };
    let amendment = |seq: &u64| {
        let amended = state.amendments.get(seq)?;
        let (members, parts) = (Some(amended.members.as_ref()?), amended.parts.len());
        Some(NamingEntry { seq: *seq, members, parts, is_amendment: true })
    };
    let reserves = account.reserves.iter().filter_map(reserve);
    let mut entries: Vec<_> =
        reserves.chain(account.amendments.iter().filter_map(amendment)).collect();
    entries.sort_by_key(|entry| entry.seq);
    entries
}

impl MemberCache {
    /// Reads the members of one more entry; returns false if they differ from those that it names.
    fn read_on(
        &mut self,
        connection: &Connection,
        key: &Key,
        entry: &NamingEntry<'_>,
    ) -> rusqlite::Result<bool> {
        let (seq, Some(expected)) = (entry.seq, entry.members) else { return Ok(false) };
        let mut statement = connection
            .prepare("SELECT piece, hashes FROM person WHERE entry = ? ORDER BY piece")?;
        let mut rows = statement.query([seq])?;
        let mut hash = hasher_of_pieces(key);
        let mut new: Vec<PersonHash> = Vec::new();
        let mut pieces = 0..;
        while let Some(row) = rows.next()? {
            if pieces.next() != Some(row.get::<_, i64>(0)?) {
                return Ok(false);
            }
            let hashes = row.get_ref(1)?.as_blob()?;
            add_piece(&mut hash, hashes);
            new.extend(hashes.as_chunks::<16>().0.iter().copied().map(PersonHash));
        }
        let runs: Option<Vec<u8>> = connection
            .prepare("SELECT runs FROM charged WHERE entry = ?")?
            .query_row([seq], |row| row.get(0))
            .optional()?;
        let Some(runs) = runs else { return Ok(false) };
        let first = self.roll.len();
        if digest(key, first, hash.finalize().as_bytes(), &runs) != expected.digest {
            return Ok(false);
        }
        // What the chain names was written by suum; still nothing is taken for granted.
        let limit = u32::try_from(first + new.len()).unwrap_or(u32::MAX);
        let Some((parts, rest)) = runs::decode(&runs, entry.parts, limit) else {
            return Ok(false);
        };
        let count: u64 = parts.iter().map(|part| runs::count(part)).sum();
        let times = match entry.is_amendment {
            true => usize::try_from(count).ok().and_then(|count| times::decode(rest, count)),
            false => rest.is_empty().then(Vec::new),
        };
        let Some(times) = times else { return Ok(false) };
        let has_new = !new.is_empty();
        if count != expected.count || (has_new && !Arc::make_mut(&mut self.roll).extend(new)) {
            return Ok(false);
        }
        self.read.push((seq, expected.digest.clone()));
        self.parts.push(Arc::new(NamedPersons { parts, times }));
        Ok(true)
    }
}

/// Limit of persons without a decision on record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ClaimLimit {
    /// Allowance by the data.
    Unlimited,
    /// Allowance by the data, and at most that of the release that charged them last.
    AsLast,
}

/// Returns the spent amounts of every person of an account, with the decisions that limit them.
pub(crate) fn spent(
    connection: &Connection,
    key: &Key,
    rolls: &Rolls,
    state: &State,
    index: usize,
    limit_of_claims: ClaimLimit,
) -> Result<PersonsSpent, Failure> {
    // The sum of ρ bounds (ε, δ) only for what was allowed in advance.
    let account = state.accounts.get(index).map(|account| &account.dataset);
    let has_delta = account.is_some_and(|dataset| dataset.delta.is_some());
    // Numbers of their own are cut to a range where participation is hidden.
    let is_cut = account.is_some_and(|dataset| {
        let own = Accounts::Persons(Lifetime::Own);
        dataset.accounts == own && dataset.neighbors.hides_participation()
    });
    let limit_of_claims = match limit_of_claims {
        _ if has_delta => ClaimLimit::AsLast,
        ClaimLimit::AsLast if is_cut => ClaimLimit::Unlimited,
        limit_of_claims => limit_of_claims,
    };
    // The same entries have the same sums.
    let slot = limit_of_claims as usize;
    if let Some((hash, spent)) =
        rolls.lock().get(&index).and_then(|known| known.spent[slot].as_ref())
        && *hash == state.hash
    {
        return Ok(spent.clone());
    }
    let everybody = match everybody(connection, key, rolls, state, index)? {
        Ok(everybody) => everybody,
        Err(seq) => return Err(changed(seq).into()),
    };
    let mut sums = Sums::new(everybody.roll.len(), everybody.charged.len());
    for (seq, named) in &everybody.charged {
        let Some(reserve) = state.reserves.get(seq) else { continue };
        if matches!(reserve.outcome, Outcome::Cancelled { .. }) {
            continue;
        }
        for (item, runs) in named.parts.iter().enumerate() {
            let cost = reserve.counted_cost(item);
            if cost != Cost::ZERO {
                runs.iter().for_each(|run| sums.add(*run, cost));
            }
        }
    }
    let decisions = match state.accounts.get(index) {
        Some(account) => decisions(state, account, &everybody, limit_of_claims),
        None => DecisionsByNumber::default(),
    };
    let spent = sums.finish(everybody.roll, decisions);
    if let Some(known) = rolls.lock().get_mut(&index) {
        known.spent[slot] = Some((state.hash.clone(), spent.clone()));
    }
    Ok(spent)
}

/// Returns the decisions on record; with [`ClaimLimit::AsLast`] also the limits of other persons.
fn decisions(
    state: &State,
    account: &Account,
    everybody: &Everybody,
    limit_of_claims: ClaimLimit,
) -> DecisionsByNumber {
    if everybody.amended.is_empty() && limit_of_claims == ClaimLimit::Unlimited {
        return DecisionsByNumber::default();
    }
    let mut decisions = DecisionsByNumber::new(everybody.roll.len());
    if limit_of_claims == ClaimLimit::AsLast {
        for (number, item) in (0..).zip(newest_items(state, everybody)) {
            if let Some((item, allowed)) = item.and_then(|item| Some((item, item.allowed?))) {
                let kind = decisions.kind(&item.holder, allowed);
                decisions.set(number, kind, i64::MIN);
            }
        }
    }
    for (seq, named) in &everybody.amended {
        let Some(amended) = state.amendments.get(seq) else { continue };
        enter(&mut decisions, &amended.parts, named);
    }
    decisions.lower(|holder| account.allowed(holder));
    decisions
}

/// Enters the decisions of one amendment.
pub(crate) fn enter(
    decisions: &mut DecisionsByNumber,
    parts: &[(Holder, Allowance, u64)],
    named: &NamedPersons,
) {
    let mut times = named.times.iter();
    for ((holder, allowance, _), runs) in parts.iter().zip(&named.parts) {
        let kind = decisions.kind(holder, *allowance);
        for (number, from) in runs.iter().flat_map(|run| run.from..run.to).zip(&mut times) {
            decisions.set(number, kind, *from);
        }
    }
}

/// Returns the error for persons that differ from those that an entry names.
pub(crate) fn changed(seq: u64) -> Error {
    Error::ledger(
        option::LEDGER,
        format!("entry {seq}: its persons were changed after it was written"),
    )
    .with_fix("verify the ledger, and put back the newest copy that is sound")
}

impl Everybody {
    /// Returns the entries that charge a person, each with the part of the person.
    pub(crate) fn entries_charging(&self, person: PersonHash) -> Vec<(u64, usize)> {
        let Some(number) = self.roll.number(person) else { return Vec::new() };
        let part = |(seq, named): &(u64, Arc<NamedPersons>)| Some((*seq, named.part_of(number)?));
        self.charged.iter().filter_map(part).collect()
    }

    /// Returns the amendments that name a person, each with the part of the person and the start of
    /// the decision, in microseconds.
    pub(crate) fn decisions_of(&self, person: PersonHash) -> Vec<(u64, usize, i64)> {
        let Some(number) = self.roll.number(person) else { return Vec::new() };
        let decision = |(seq, named): &(u64, Arc<NamedPersons>)| {
            let part = named.part_of(number)?;
            Some((*seq, part, named.time_of(part, number)?))
        };
        self.amended.iter().filter_map(decision).collect()
    }
}

impl NamedPersons {
    /// Returns the part that a person is in.
    fn part_of(&self, number: u32) -> Option<usize> {
        self.parts.iter().position(|runs| position_in(runs, number).is_some())
    }

    /// Returns the time of the decision of a person of a part.
    fn time_of(&self, part: usize, number: u32) -> Option<i64> {
        let before: u64 = self.parts.iter().take(part).map(|runs| runs::count(runs)).sum();
        let position = before + position_in(self.parts.get(part)?, number)?;
        self.times.get(position as usize).copied()
    }
}

/// Returns how many persons of runs come before this one, if it is in them.
fn position_in(runs: &[Run], number: u32) -> Option<u64> {
    let run = runs.iter().position(|run| (run.from..run.to).contains(&number))?;
    Some(runs::count(&runs[..run]) + u64::from(number - runs[run].from))
}

/// Returns the part of the newest release that charged each person, by number. Charges from
/// elsewhere do not say what their persons allow.
pub(crate) fn newest_items<'a>(state: &'a State, everybody: &Everybody) -> Vec<Option<&'a Item>> {
    let mut newest = vec![None; everybody.roll.len()];
    for (seq, named) in &everybody.charged {
        let Some(reserve) = state.reserves.get(seq) else { continue };
        if matches!(reserve.outcome, Outcome::Elsewhere { .. } | Outcome::Cancelled { .. }) {
            continue;
        }
        for (item, runs) in reserve.items.iter().zip(&named.parts) {
            for run in runs {
                newest[run.from as usize..run.to as usize].fill(Some(item));
            }
        }
    }
    newest
}

fn hasher_of_pieces(key: &Key) -> Hasher {
    key.hasher(Use::NewPersons)
}

fn add_piece(hasher: &mut Hasher, piece: &[u8]) {
    hasher.update(&(piece.len() as u64).to_le_bytes());
    hasher.update(piece);
}

/// Returns the keyed digest of the persons of an entry: the number of persons before it, the hashes
/// of new ones, and the encoded parts.
fn digest(key: &Key, first: usize, new: &[u8; 32], runs: &[u8]) -> String {
    let mut hasher = key.hasher(Use::Charged);
    hasher.update(&(first as u64).to_le_bytes());
    hasher.update(new);
    hasher.update(&(runs.len() as u64).to_le_bytes());
    hasher.update(runs);
    hex(hasher.finalize().as_bytes())
}
