//! The persons of a reservation: written with it, read to know what each has spent.

use rusqlite::{Connection, params};
use suum_core::Error;

use crate::body::MembersBody;
use crate::failure::Failure;
use crate::files::hex;
use crate::key::{Key, Use};
use crate::state::{Account, Outcome, Reserve, State};
use crate::{Amount, Part, PersonHash, PersonsSpent};

/// A person and the index of their part.
pub(crate) type Member = (u32, PersonHash);

/// All who are charged anything, by part and then hash; refuses a person who is there twice.
pub(crate) fn of_parts(parts: &[Part]) -> suum_core::Result<Vec<Member>> {
    let mut members: Vec<Member> =
        Vec::with_capacity(parts.iter().map(|part| part.persons.len()).sum());
    for (index, part) in parts.iter().enumerate() {
        let index = u32::try_from(index).map_err(|_| {
            Error::parameter("charges: too many parts")
                .with_hint("put all who allow the same and lose the same in one part")
        })?;
        members.extend(part.persons.iter().map(|person| (index, *person)));
    }
    members.sort_unstable_by_key(|(_, person)| *person);
    if members.windows(2).any(|pair| pair[0].1 == pair[1].1) {
        return Err(Error::parameter("charges: a person is there twice")
            .with_hint("bring the rows of a person together before charging, with --person"));
    }
    members.retain(|(part, _)| !parts[*part as usize].charge.is_zero());
    members.sort_unstable();
    Ok(members)
}

pub(crate) fn body(members: &[Member], key: &Key) -> MembersBody {
    let mut digest = Digest::new(key);
    for member in members {
        digest.add(*member);
    }
    digest.body()
}

/// Writes the members of the entry that comes next.
pub(crate) fn insert(
    connection: &Connection,
    entry: u64,
    members: &[Member],
) -> Result<(), Failure> {
    let strange: bool = connection.query_row(
        "SELECT EXISTS (SELECT 1 FROM member WHERE entry >= ?)",
        [entry],
        |row| row.get(0),
    )?;
    if strange {
        return Err(Error::ledger(
            "ledger: there are persons of a reservation that does not exist",
        )
        .with_hint("verify the ledger, and put back the newest copy that is sound")
        .into());
    }
    let mut statement =
        connection.prepare("INSERT INTO member (entry, part, person) VALUES (?, ?, ?)")?;
    for (part, person) in members {
        statement.execute(params![entry, part, &person.0[..]])?;
    }
    Ok(())
}

/// Calls `then` with every member of a reservation; says whether they are those that the
/// reservation names.
pub(crate) fn each(
    connection: &Connection,
    key: &Key,
    entry: u64,
    expected: &MembersBody,
    mut then: impl FnMut(usize, PersonHash),
) -> rusqlite::Result<bool> {
    let mut statement = connection
        .prepare("SELECT part, person FROM member WHERE entry = ? ORDER BY part, person")?;
    let mut rows = statement.query([entry])?;
    let mut digest = Digest::new(key);
    let mut well_formed = true;
    while let Some(row) = rows.next()? {
        let person = row.get_ref(1)?.as_blob().ok().and_then(|blob| blob.try_into().ok());
        let part: Option<u32> = row.get(0).ok();
        let (Some(part), Some(person)) = (part, person) else {
            well_formed = false;
            continue;
        };
        let person = PersonHash(person);
        digest.add((part, person));
        then(part as usize, person);
    }
    Ok(well_formed && digest.body() == *expected)
}

/// What counts against every person of an account.
pub(crate) fn spent(
    connection: &Connection,
    key: &Key,
    state: &State,
    account: &Account,
) -> Result<PersonsSpent, Failure> {
    let mut spent = PersonsSpent::default();
    let live = |reserve: &&Reserve| !matches!(reserve.outcome, Outcome::Cancelled { .. });
    // At least as many as in the largest reservation; growing later doubles the memory.
    let reserves = account.reserves.iter().filter_map(|seq| Some((*seq, state.reserves.get(seq)?)));
    let reserves: Vec<_> = reserves.filter(|(_, reserve)| live(reserve)).collect();
    let count = |reserve: &Reserve| reserve.members.as_ref().map_or(0, |members| members.count);
    let most = reserves.iter().map(|(_, reserve)| count(reserve)).max().unwrap_or(0);
    // A number from the file is not trusted with all the memory there is.
    spent.reserve(usize::try_from(most.min(1 << 22)).unwrap_or(0));
    for (seq, reserve) in reserves {
        let Some(expected) = &reserve.members else { continue };
        let counted: Vec<Amount> =
            (0..reserve.items.len()).map(|item| reserve.counted(item)).collect();
        let agree = each(connection, key, seq, expected, |part, person| {
            let charge = counted.get(part).copied().unwrap_or(Amount::Unlimited);
            if !charge.is_zero() {
                spent.add(person, charge);
            }
        })?;
        if !agree {
            return Err(Error::ledger(format!(
                "ledger: entry {seq}: its persons were changed after it was written"
            ))
            .with_hint("verify the ledger, and put back the newest copy that is sound")
            .into());
        }
    }
    Ok(spent)
}

/// The keyed digest of members in their order.
struct Digest {
    hasher: blake3::Hasher,
    // Hashing is several times faster in long pieces.
    waiting: Vec<u8>,
    count: u64,
}

impl Digest {
    const PIECE: usize = 1 << 14;

    fn new(key: &Key) -> Self {
        Self {
            hasher: key.hasher(Use::Members),
            waiting: Vec::with_capacity(Self::PIECE + 20),
            count: 0,
        }
    }

    fn add(&mut self, (part, person): Member) {
        self.waiting.extend(part.to_le_bytes());
        self.waiting.extend(person.0);
        self.count += 1;
        if self.waiting.len() >= Self::PIECE {
            self.hasher.update(&self.waiting);
            self.waiting.clear();
        }
    }

    fn body(mut self) -> MembersBody {
        self.hasher.update(&self.waiting);
        MembersBody { count: self.count, digest: hex(self.hasher.finalize().as_bytes()) }
    }
}
