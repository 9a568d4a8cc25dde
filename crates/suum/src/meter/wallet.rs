//! What a release may use of everybody's budget, and what it is charged for.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustc_hash::FxHashMap;
use suum_core::{Delta, Epsilon, Error, Result, Rho, Spending};
use suum_data::{Accounts, Tiers};
use suum_ledger::{
    Allowance, Amount, Cost, Dataset, Holder, Lifetime, Part, PersonHash, PersonKey, TierBalance,
};

use super::{Already, Spend};

/// The amount of which a budget that is asked for is the double: the largest whose double is not
/// above it.
///
/// What is used of it is within both, and a tenth that was written 0.1 is a tenth.
pub(crate) fn asked(epsilon: Epsilon) -> Amount {
    let down = Amount::allowed(epsilon);
    match down {
        Amount::Micro(micros) => {
            let next = Amount::micros(micros.get().saturating_add(1));
            if next.epsilon() <= epsilon { next } else { down }
        }
        Amount::Unlimited => down,
    }
}

/// What a tier may spend on this release.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TierPurse {
    pub(crate) balance: TierBalance,
    /// At most what is left.
    pub(crate) may: Amount,
    /// What is asked for, which can be more than what is left.
    pub(crate) instalment: Amount,
    allowance: Allowance,
}

impl TierPurse {
    /// What is left after a further cost.
    pub(crate) fn left_after(&self, cost: Cost) -> Amount {
        let gone =
            Cost { epsilon: self.balance.spent.plus(self.balance.reserved), rho: self.balance.rho };
        self.allowance.left(gone.plus(cost))
    }
}

/// Whether somebody with this much left gives all of it, because an instalment is more.
pub(crate) fn gives_the_rest(instalment: Amount, left: Amount, charge: Amount) -> bool {
    !left.is_zero() && charge == left && left < instalment
}

/// The tiers of a dataset.
#[derive(Debug, Clone)]
pub(crate) struct TierWallet(pub(crate) Vec<TierPurse>);

impl TierWallet {
    pub(crate) fn new(dataset: &Dataset, balances: Vec<TierBalance>, spend: Spend) -> Self {
        let purse = |balance: TierBalance| {
            let allowance = dataset.allowance(balance.allowed);
            TierPurse {
                may: spend.of(allowance, balance.left),
                instalment: spend.instalment(allowance, balance.left),
                allowance,
                balance,
            }
        };
        Self(balances.into_iter().map(purse).collect())
    }

    /// Nobody is to spend more than the tier is asked for. Tiers that are not asked for are not
    /// used.
    pub(crate) fn ask(&mut self, tiers: &[(String, Amount)]) -> Result<()> {
        check_known(tiers, self.0.iter().map(|purse| purse.balance.label.as_str()))?;
        for purse in &mut self.0 {
            let asked = tiers.iter().find(|(label, _)| *label == purse.balance.label);
            purse.may = purse.may.min(asked.map_or(Amount::ZERO, |(_, amount)| *amount));
        }
        Ok(())
    }

    /// Whether what tiers may spend is in the order of what they allow, equal where that is equal.
    pub(crate) fn keep_their_order(&self) -> bool {
        self.0.iter().all(|one| {
            self.0.iter().all(|other| match one.balance.allowed.cmp(&other.balance.allowed) {
                Ordering::Less => one.may <= other.may,
                Ordering::Equal => one.may == other.may,
                Ordering::Greater => true,
            })
        })
    }

    /// The tiers with what each may spend, for a scan.
    pub(crate) fn tiers(&self) -> Result<Tiers> {
        Tiers::new(self.0.iter().map(|purse| (purse.balance.label.clone(), purse.may.epsilon())))
    }

    /// Refuses where nobody has anything left, before any data are read.
    pub(crate) fn check(&self) -> Result<()> {
        if self.charged().next().is_some() {
            return Ok(());
        }
        let lines = self.0.iter().map(|purse| {
            format!(
                "tier {} has {} left of {}",
                purse.balance.label, purse.balance.left, purse.balance.allowed
            )
        });
        Err(Error::budget(format!(
            "ledger: nobody has budget left for this release: \
            {}",
            lines.collect::<Vec<_>>().join(", ")
        ))
        .with_hint(
            "suum ledger show FILE lists what was spent on what; only people who allow \
                more in all can change this",
        ))
    }

    /// What each tier is charged at most: what it may spend, `scaled` by what follows the reading.
    pub(crate) fn charges(&self, scaled: impl Fn(Amount) -> Amount) -> Vec<(String, Amount)> {
        let charge = |purse: &TierPurse| (purse.balance.label.clone(), scaled(purse.may));
        self.charged().map(charge).collect()
    }

    fn charged(&self) -> impl Iterator<Item = &TierPurse> {
        self.0.iter().filter(|purse| !purse.may.is_zero())
    }

    /// What each charged tier really lost; tiers without people lost nothing.
    ///
    /// A person with rows of several tiers (`persons`) counts at the least budget of these, so at a
    /// level that is not above that of any: each of them is charged the most that any such level
    /// lost.
    pub(crate) fn spent(&self, losses: &[Lost<'_>], persons: bool) -> Vec<(String, Cost)> {
        let spent = |purse: &TierPurse| {
            let most = purse.may.epsilon();
            let of_tier = losses.iter().filter(|lost| {
                lost.line.level == purse.balance.label || (persons && lost.line.epsilon <= most)
            });
            of_tier.map(|lost| lost.cost).fold(Cost::ZERO, Cost::max)
        };
        self.charged().map(|purse| (purse.balance.label.clone(), spent(purse))).collect()
    }
}

/// A line of a certificate, and what it cost in both accounts.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lost<'a> {
    pub(crate) line: &'a Spending,
    pub(crate) cost: Cost,
}

impl<'a> Lost<'a> {
    /// The lines with their ρ.
    pub(crate) fn all(lines: &'a [Spending], rho: &[Rho]) -> Vec<Self> {
        let lost = |(at, line): (usize, &'a Spending)| {
            let epsilon = Amount::of_loss(&line.spent);
            let cost = match rho.get(at) {
                Some(rho) => Cost { epsilon, rho: *rho },
                None => Cost::from(epsilon),
            };
            Self { line, cost }
        };
        lines.iter().enumerate().map(lost).collect()
    }
}

/// Refuses tiers that have no account.
fn check_known<'a>(
    tiers: &[(String, Amount)],
    known: impl Iterator<Item = &'a str> + Clone,
) -> Result<()> {
    match tiers.iter().find(|(label, _)| !known.clone().any(|one| one == label)) {
        Some((label, _)) => {
            Err(Error::budget(format!("levels: tier {label} has no account in the ledger"))
                .with_hint(format!("its tiers are {}", known.collect::<Vec<_>>().join(", "))))
        }
        None => Ok(()),
    }
}

/// The persons of a dataset, asked for while data are read.
pub(crate) struct PersonWallet {
    key: PersonKey,
    lifetime: Lifetime,
    delta: Option<Delta>,
    already: Already,
    spend: Spend,
    // What each tier is asked for, if allowances go by tier and not all is.
    asked: Option<Vec<(String, Amount)>>,
    // The tiers among which people chose, whether or not allowances go by them.
    tiers: Vec<String>,
    seen: [Mutex<Shard>; SHARDS],
}

/// In place of the position of a tier.
const NO_TIER: u32 = u32::MAX;

/// The least part of what they may spend at first that persons are told apart by, where it is
/// hidden who takes part. Whoever has less left does not count.
const LEAST_LEFT: f64 = 1.0 / 16.0;

/// Locks among which the threads of a scan are spread, as a power of two. Shards ascend with the
/// persons, who come in ascending order from each part of a scan: so all are charged in the order
/// in which the ledger finds them soonest.
const SHARD_BITS: u32 = 6;

/// How many shards there are.
const SHARDS: usize = 1 << SHARD_BITS;

/// A person of the data, ordered as their hash is, and the place of their class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Seen {
    // In two halves: 128-bit integers would be aligned to 16 bytes.
    person: [u64; 2],
    class: u32,
}

/// Persons of the data, in classes.
#[derive(Default)]
struct Shard {
    persons: Vec<Seen>,
    classes: Vec<Class>,
    /// Places of classes.
    known: FxHashMap<Standing, u32>,
    /// The first classes, among which most persons are found.
    first: Vec<Standing>,
}

/// How many classes are looked through one by one.
const FIRST: usize = 6;

impl Seen {
    fn new(person: u128, class: u32) -> Self {
        Self { person: [(person >> 64) as u64, person as u64], class }
    }

    fn hash(&self) -> PersonHash {
        let [high, low] = self.person;
        let person = u128::from(high) << 64 | u128::from(low);
        PersonHash::from_bytes(person.to_be_bytes())
    }
}

/// What decides how much a person may spend: the same for many, and worked out once in each shard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Standing {
    /// The position of the tier among those that people chose among.
    tier: u32,
    /// What the data say, as the bits of a double.
    budget: u64,
    spent: Cost,
}

/// Persons of the same standing.
#[derive(Debug, Clone, Copy)]
struct Class {
    tier: u32,
    allowed: Amount,
    left: Amount,
    instalment: Amount,
    may: Amount,
    /// The same as a budget.
    epsilon: Epsilon,
    persons: u64,
}

/// How persons stand before a release.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct PersonCount {
    pub(crate) all: u64,
    /// Who allow something, and have nothing left.
    pub(crate) exhausted: u64,
    /// Who have something left, and are asked for nothing.
    pub(crate) not_asked: u64,
    /// Who give all that they have left, because an instalment is more.
    pub(crate) rest: u64,
}

impl PersonWallet {
    pub(crate) fn new(
        key: PersonKey,
        lifetime: Lifetime,
        delta: Option<Delta>,
        already: Already,
        spend: Spend,
        asked: Option<&[(String, Amount)]>,
    ) -> Result<Self> {
        let of =
            |tiers: &[(String, Amount)]| tiers.iter().map(|(label, _)| label.clone()).collect();
        let tiers = match (&lifetime, asked) {
            (Lifetime::Tiers(tiers), _) => of(tiers),
            (_, asked) => asked.map(of).unwrap_or_default(),
        };
        // Only where allowances go by tier do the labels belong to the ledger.
        let asked = match (&lifetime, asked) {
            (Lifetime::Tiers(tiers), Some(asked)) => {
                check_known(asked, tiers.iter().map(|(label, _)| label.as_str()))?;
                Some(asked.to_vec())
            }
            _ => None,
        };
        Ok(Self {
            key,
            lifetime,
            delta,
            already,
            spend,
            asked,
            tiers,
            seen: std::array::from_fn(|_| Mutex::default()),
        })
    }

    /// Refuses what the ledger refused to add up.
    pub(crate) fn are_known(&self) -> Result<()> {
        self.already.get().map(|_| ())
    }

    /// What somebody has left, and what is asked of them, who allows this much and has spent this
    /// much.
    fn left_and_instalment(&self, allowed: Amount, spent: Cost) -> (Amount, Amount) {
        let allowance = Allowance::new(allowed, self.delta);
        let left = allowance.left(spent);
        (left, self.spend.instalment(allowance, left))
    }

    /// The class of persons of this standing.
    fn class(&self, standing: &Standing, tier: Option<&str>, budget: Epsilon) -> Class {
        let slot = standing.tier as usize;
        let allowed = match &self.lifetime {
            Lifetime::Tiers(tiers) => tiers.get(slot).map_or(Amount::ZERO, |(_, allowed)| *allowed),
            Lifetime::Same(amount) => *amount,
            Lifetime::Own => Amount::allowed(budget),
        };
        let (left, instalment) = self.left_and_instalment(allowed, standing.spent);
        let asked = match &self.asked {
            Some(asked) => {
                let of_tier = asked.iter().find(|(label, _)| Some(label.as_str()) == tier);
                of_tier.map_or(Amount::ZERO, |(_, amount)| *amount)
            }
            None => asked(budget),
        };
        let may = left.min(instalment).min(asked);
        let epsilon = may.epsilon();
        Class { tier: standing.tier, allowed, left, instalment, may, epsilon, persons: 0 }
    }

    /// All classes that were seen.
    fn classes(&self) -> Vec<Class> {
        self.seen.iter().flat_map(|shard| lock(shard).classes.clone()).collect()
    }

    /// Counts persons once who were seen several times, because the data are read several times.
    ///
    /// # Errors
    ///
    /// Refuses persons who are of another tier than before, or have another budget.
    pub(crate) fn has_read(&self) -> Result<()> {
        for shard in &self.seen {
            let mut shard = lock(shard);
            // Each reading has added them in ascending order, so that few runs are merged.
            shard.persons.sort();
            shard.persons.dedup();
            if shard.persons.windows(2).any(|pair| pair[0].person == pair[1].person) {
                return Err(Error::data(
                    "data: they changed while they were read, so that a person has two budgets",
                )
                .with_hint("keep the data as they are until the release is made"));
            }
            let Shard { persons, classes, .. } = &mut *shard;
            classes.iter_mut().for_each(|class| class.persons = 0);
            for seen in persons.iter() {
                classes[seen.class as usize].persons += 1;
            }
        }
        Ok(())
    }

    /// The least and the most that persons may have left for this release, as far as that is
    /// public: from a [sixteenth](LEAST_LEFT) of what the strictest of them may spend at first to
    /// what the most generous may. `None` where persons say themselves what they allow.
    pub(crate) fn range(&self) -> Option<(Epsilon, Epsilon)> {
        let may = |label: &str, allowed: Amount| {
            let asked = self.asked.iter().flatten().find(|(tier, _)| tier == label);
            let asked = match &self.asked {
                Some(_) => asked.map_or(Amount::ZERO, |(_, amount)| *amount),
                None => Amount::Unlimited,
            };
            let (left, instalment) = self.left_and_instalment(allowed, Cost::ZERO);
            left.min(instalment).min(asked)
        };
        let may: Vec<Epsilon> = match &self.lifetime {
            Lifetime::Own => return None,
            Lifetime::Same(amount) => vec![may("", *amount).epsilon()],
            Lifetime::Tiers(tiers) => {
                tiers.iter().map(|(label, allowed)| may(label, *allowed).epsilon()).collect()
            }
        };
        let used = may.into_iter().filter(|may| !may.is_unused());
        let (least, most) = used.fold((Epsilon::PUBLIC, Epsilon::UNUSED), |(least, most), may| {
            (least.min(may), most.max(may))
        });
        let least = Epsilon::new(least.get() * LEAST_LEFT).unwrap_or(least);
        (!most.is_unused()).then_some((least.min(most), most))
    }

    /// The tiers of those who may spend so much, once that is `scaled`; none without tiers.
    pub(crate) fn names(&self, scaled: impl Fn(Amount) -> Amount) -> BTreeMap<Epsilon, String> {
        let mut levels: BTreeMap<Amount, BTreeSet<u32>> = BTreeMap::new();
        if self.tiers.is_empty() {
            return BTreeMap::new();
        }
        for class in self.classes() {
            levels.entry(scaled(class.may)).or_default().insert(class.tier);
        }
        let mut levels_of: BTreeMap<u32, usize> = BTreeMap::new();
        for slot in levels.values().flatten() {
            *levels_of.entry(*slot).or_default() += 1;
        }
        let name = |(may, slots): (&Amount, &BTreeSet<u32>)| {
            let labels =
                slots.iter().map(|slot| self.tiers.get(*slot as usize).map(String::as_str));
            let labels = labels.collect::<Option<Vec<_>>>()?.join(" and ");
            let is_one_of_several = slots.iter().any(|slot| levels_of.get(slot) > Some(&1));
            let name = if is_one_of_several { format!("{labels} ({may})") } else { labels };
            Some((may.epsilon(), name))
        };
        let names: BTreeMap<Epsilon, String> = levels.iter().filter_map(name).collect();
        // Labels that look like made-up names would be told apart by nothing.
        let distinct: BTreeSet<&String> = names.values().collect();
        if distinct.len() == names.len() { names } else { BTreeMap::new() }
    }

    /// How many persons there are, of whom not all count once what they may spend is `scaled`.
    pub(crate) fn count(&self, scaled: impl Fn(Amount) -> Amount) -> PersonCount {
        let mut count = PersonCount::default();
        for class in self.classes() {
            let Class { allowed, left, instalment, may, persons, .. } = class;
            let of = |is_so: bool| if is_so { persons } else { 0 };
            count.all += persons;
            count.exhausted += of(!allowed.is_zero() && left.is_zero());
            count.not_asked += of(!left.is_zero() && scaled(may).is_zero());
            count.rest += of(gives_the_rest(instalment, left, scaled(may)));
        }
        count
    }

    /// The persons in parts: those who allow the same and may spend the same, `scaled` by what
    /// follows the reading.
    pub(crate) fn parts(&self, scaled: impl Fn(Amount) -> Amount) -> Vec<Part> {
        // Classes of all shards that are charged together, and who is in them.
        let mut places: BTreeMap<(u32, Amount, Amount), usize> = BTreeMap::new();
        for class in self.classes() {
            let place = places.len();
            places.entry((class.tier, class.may, class.allowed)).or_insert(place);
        }
        let mut counts = vec![0; places.len()];
        for class in self.classes() {
            counts[places[&(class.tier, class.may, class.allowed)]] += class.persons as usize;
        }
        let mut persons: Vec<Vec<PersonHash>> =
            counts.into_iter().map(Vec::with_capacity).collect();
        for shard in &self.seen {
            let shard = lock(shard);
            let of_class = |class: &Class| places[&(class.tier, class.may, class.allowed)];
            let of_classes: Vec<usize> = shard.classes.iter().map(of_class).collect();
            for seen in &shard.persons {
                persons[of_classes[seen.class as usize]].push(seen.hash());
            }
        }
        let part = |((tier, may, allowed), place): ((u32, Amount, Amount), usize)| {
            let holder = match &self.lifetime {
                Lifetime::Tiers(tiers) => Holder::Tier(
                    tiers.get(tier as usize).map_or_else(String::new, |(label, _)| label.clone()),
                ),
                Lifetime::Same(_) => Holder::Everybody,
                Lifetime::Own => Holder::Own(allowed),
            };
            Part { holder, charge: scaled(may), persons: std::mem::take(&mut persons[place]) }
        };
        let mut parts: Vec<Part> = places.into_iter().map(part).collect();
        parts.retain(|part| !part.charge.is_zero());
        parts
    }
}

impl Accounts for PersonWallet {
    fn person(&self, identifier: &[u8]) -> u128 {
        u128::from_be_bytes(self.key.hash(identifier).to_bytes())
    }

    fn left(&self, person: u128, tier: Option<&str>, budget: Epsilon) -> Epsilon {
        // Nobody is asked for anything, and the release is refused.
        let Ok(already) = self.already.get() else { return Epsilon::UNUSED };
        let slot = self.tiers.iter().position(|label| Some(label.as_str()) == tier);
        let standing = Standing {
            tier: slot.map_or(NO_TIER, |slot| slot as u32),
            budget: budget.get().to_bits(),
            spent: already.cost(PersonHash::from_bytes(person.to_be_bytes())),
        };
        let mut shard = lock(&self.seen[(person >> (u128::BITS - SHARD_BITS)) as usize]);
        let first = shard.first.iter().position(|one| *one == standing).map(|at| at as u32);
        let place = match first.or_else(|| shard.known.get(&standing).copied()) {
            Some(place) => place,
            None => {
                let place = shard.classes.len() as u32;
                shard.classes.push(self.class(&standing, tier, budget));
                match shard.first.len() < FIRST {
                    true => shard.first.push(standing),
                    false => _ = shard.known.insert(standing, place),
                }
                place
            }
        };
        if shard.persons.is_empty() {
            // As many as the ledger knows, and some more.
            shard.persons.reserve(already.known() / SHARDS * 9 / 8);
        }
        shard.persons.push(Seen::new(person, place));
        let class = &mut shard.classes[place as usize];
        class.persons += 1;
        class.epsilon
    }
}

/// Nobody is shown.
impl std::fmt::Debug for PersonWallet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PersonWallet").field("lifetime", &self.lifetime).finish_non_exhaustive()
    }
}

/// What the persons of each part lost, at most: what any level lost that is not above what they may
/// spend.
///
/// Persons count at the largest of these levels, as a rule: levels may have been made coarser in
/// one group and not in another.
pub(crate) fn spent_of_parts(parts: &[Part], losses: &[Lost<'_>]) -> Vec<Cost> {
    let mut levels: Vec<&Lost<'_>> = losses.iter().collect();
    levels.sort_by_key(|lost| lost.line.epsilon);
    let mut most: Vec<Cost> = levels.iter().map(|lost| lost.cost).collect();
    for at in 1..most.len() {
        most[at] = most[at].max(most[at - 1]);
    }
    let spent = |part: &Part| {
        let after = levels.partition_point(|lost| lost.line.epsilon <= part.charge.epsilon());
        // Nobody is charged nothing for want of a level: then all that was reserved counts.
        after.checked_sub(1).map_or_else(|| Cost::from(part.charge), |at| most[at])
    };
    parts.iter().map(spent).collect()
}

/// What the persons of each part lost, at most, where it is hidden who takes part: what is
/// certified of the next declared budget that is not below what they may spend; nothing, if they
/// may spend less than the least, and do not count.
///
/// The more a person allows, the more they lose; so nobody lost more than that.
pub(crate) fn spent_of_declared(parts: &[Part], losses: &[Lost<'_>]) -> Vec<Cost> {
    let spent = |part: &Part| {
        let may = part.charge.epsilon();
        if losses.first().is_some_and(|least| may < least.line.epsilon) {
            return Cost::ZERO;
        }
        let next = losses.iter().find(|lost| may <= lost.line.epsilon).or(losses.last());
        let all = Cost::from(part.charge);
        // Nobody is charged nothing for want of a row: then all that was reserved counts.
        next.map_or(all, |lost| Cost {
            epsilon: lost.cost.epsilon.min(all.epsilon),
            rho: lost.cost.rho.min(all.rho),
        })
    };
    parts.iter().map(spent).collect()
}

/// What a thread that panicked has left is at worst a class without its last person.
fn lock(shard: &Mutex<Shard>) -> MutexGuard<'_, Shard> {
    shard.lock().unwrap_or_else(PoisonError::into_inner)
}
