//! Amounts that persons may spend on a release, and the parts in which they are charged.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use suum_core::{Delta, Epsilon, Error, Result, option};
use suum_data::{AccountKey, Accounts};
use suum_ledger::{
    Allowance, Amount, Cost, Holder, Lifetime, Part, PersonHash, PersonKey, PersonNumber,
    PersonsSpent,
};

use super::forecast::ForecastAccount;
use super::seen::{Class, Piece, SeenPersons, Standing};
use super::tiers::{check_known, gives_the_rest, requested_amount};
use super::{Already, Spend};

/// Persons of a dataset, looked up while data are read.
pub(super) struct PersonAccounts {
    key: PersonKey,
    lifetime: Lifetime,
    delta: Option<Delta>,
    already: Already,
    spend: Spend,
    // Amount requested from each tier, if allowances go by tier and not all is requested.
    asked: Option<Vec<(String, Amount)>>,
    // The tiers among which people chose, whether or not allowances go by them.
    tiers: Vec<String>,
    seen: SeenPersons,
    // The kinds of decisions that the ledger knows.
    decisions: OnceLock<Vec<DecisionKind>>,
}

/// Placeholder for the position of a tier, where there are none.
const NO_TIER: u32 = u32::MAX;

/// Least part of the initial amount at which persons are still distinguished under hidden
/// participation. People with less left do not count.
const LEAST_LEFT: f64 = 1.0 / 16.0;

/// Kind of decision that the ledger knows of persons.
#[derive(Debug, Clone, Copy)]
struct DecisionKind {
    /// The position of its tier, or [`NO_TIER`].
    tier: u32,
    allowed: Amount,
}

/// Numbers of persons by the state of their accounts before a release.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct PersonCount {
    pub(super) all: u64,
    /// Persons who allow something, and have nothing left.
    pub(super) exhausted: u64,
    /// Persons who have something left, and are asked for nothing.
    pub(super) not_asked: u64,
    /// Persons who give all that they have left, because an instalment is more.
    pub(super) rest: u64,
}

impl PersonAccounts {
    pub(super) fn new(
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
        let (seen, decisions) = (SeenPersons::default(), OnceLock::new());
        Ok(Self { key, lifetime, delta, already, spend, asked, tiers, seen, decisions })
    }

    /// Refuses if the ledger failed to add up the spending.
    pub(super) fn are_known(&self) -> Result<()> {
        self.already.get().map(|_| ())
    }

    /// Remaining amount and instalment of a person who allows `allowed` and has spent `spent`.
    fn left_and_instalment(&self, allowed: Amount, spent: Cost) -> (Amount, Amount) {
        let allowance = Allowance::new(allowed, self.delta);
        let left = allowance.left(spent);
        (left, self.spend.instalment(allowance, left))
    }

    /// Class of persons with this standing.
    fn class(&self, standing: &Standing, budget: Epsilon, decisions: &[DecisionKind]) -> Class {
        let of_data = match &self.lifetime {
            Lifetime::Tiers(tiers) => {
                tiers.get(standing.tier as usize).map_or(Amount::ZERO, |(_, allowed)| *allowed)
            }
            Lifetime::Same(amount) => *amount,
            Lifetime::Own => Amount::allowed(budget),
        };
        // Whatever the data say, nobody allows more than the ledger knows.
        let decided = standing.decided.and_then(|at| decisions.get(at as usize));
        let (tier, allowed) = match decided.filter(|decided| decided.allowed < of_data) {
            Some(decided) if matches!(self.lifetime, Lifetime::Tiers(_)) => {
                (decided.tier, decided.allowed)
            }
            Some(decided) => (standing.tier, decided.allowed),
            None => (standing.tier, of_data),
        };
        let slot = tier as usize;
        let (left, instalment) = self.left_and_instalment(allowed, standing.spent);
        let asked = match &self.asked {
            Some(asked) => {
                let tier = self.tiers.get(slot);
                let of_tier = asked.iter().find(|(label, _)| Some(label) == tier);
                of_tier.map_or(Amount::ZERO, |(_, amount)| *amount)
            }
            None => requested_amount(budget),
        };
        let may = left.min(instalment).min(asked);
        let epsilon = may.epsilon();
        Class { tier, claimed: of_data, allowed, left, instalment, may, epsilon, persons: 0 }
    }

    /// Counts persons once if they were seen in several passes over the data.
    ///
    /// # Errors
    ///
    /// Refuses persons whose tier or budget differs between passes.
    pub(super) fn has_read(&self) -> Result<()> {
        if !self.seen.count_once(self.already.get()?.known_persons()) {
            return Err(Error::data(
                option::DATA,
                "they changed while they were read, so that a person has two budgets",
            )
            .with_fix("keep the data as they are until the release is made"));
        }
        Ok(())
    }

    /// The kinds of decisions that the ledger knows.
    fn decisions_of(&self, already: &PersonsSpent) -> Vec<DecisionKind> {
        let tiers = match &self.lifetime {
            Lifetime::Tiers(tiers) => tiers.as_slice(),
            Lifetime::Same(_) | Lifetime::Own => &[],
        };
        let kind = |(holder, allowed): (&Holder, Amount)| {
            let position = match holder {
                Holder::Tier(label) => tiers.iter().position(|(known, _)| known == label),
                _ => None,
            };
            DecisionKind { tier: position.map_or(NO_TIER, |position| position as u32), allowed }
        };
        already.decisions().map(kind).collect()
    }

    /// Public range of the amounts that persons may have left for this release: from a
    /// [sixteenth](LEAST_LEFT) of the initial amount of the strictest to that of the most generous.
    /// `None` if the data tell what each person allows.
    pub(super) fn range(&self) -> Option<(Epsilon, Epsilon)> {
        let may = |label: &str, allowed: Amount| self.may_at_first(label, allowed);
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

    /// Parts without persons, one for each tier, or one if all allow the same: the charge of a
    /// person who has spent nothing, `scaled` to the part that is found after reading. None if the
    /// data tell what each person allows.
    pub(super) fn declared_parts(&self, scaled: impl Fn(Amount) -> Amount) -> Vec<Part> {
        let part = |holder: Holder, label: &str, allowed: Amount| Part {
            holder,
            charge: scaled(self.may_at_first(label, allowed)),
            persons: Vec::new().into(),
        };
        match &self.lifetime {
            Lifetime::Own => Vec::new(),
            Lifetime::Same(allowed) => vec![part(Holder::Everybody, "", *allowed)],
            Lifetime::Tiers(tiers) => tiers
                .iter()
                .map(|(label, allowed)| part(Holder::Tier(label.clone()), label, *allowed))
                .collect(),
        }
    }

    /// Accounts of [declared parts](Self::declared_parts) with nothing spent, for releases with
    /// these costs.
    pub(super) fn forecast_of_declared(
        &self,
        parts: &[Part],
        costs: &[Cost],
    ) -> Vec<ForecastAccount> {
        let account = |(part, cost): (&Part, &Cost)| {
            let (label, allowed) = match (&part.holder, &self.lifetime) {
                (Holder::Tier(label), Lifetime::Tiers(tiers)) => {
                    (label.clone(), tiers.iter().find(|(known, _)| known == label)?.1)
                }
                (_, Lifetime::Same(allowed)) => ("everybody".to_owned(), *allowed),
                _ => return None,
            };
            let allowance = Allowance::new(allowed, self.delta);
            let (spent, charge) = (Cost::ZERO, part.charge);
            Some(ForecastAccount { label, allowance, spent, charge, cost: *cost })
        };
        parts.iter().zip(costs).filter_map(account).collect()
    }

    /// Accounts of the persons in the data after a release with these costs, grouped by their
    /// reservation, which is `scaled` to the part that is found after reading.
    pub(super) fn forecast(
        &self,
        scaled: impl Fn(Amount) -> Amount,
        costs: &BTreeMap<Amount, Cost>,
    ) -> Vec<ForecastAccount> {
        let account = |(class, standing): (Class, Standing)| {
            let charge = scaled(class.may);
            let cost = costs.get(&charge).copied().unwrap_or_else(|| Cost::from(charge));
            let label = match (&self.lifetime, self.tiers.get(class.tier as usize)) {
                (Lifetime::Tiers(_), Some(tier)) => tier.clone(),
                (Lifetime::Own, _) => format!("whoever allows {}", class.allowed),
                _ => "everybody".to_owned(),
            };
            ForecastAccount {
                label,
                allowance: Allowance::new(class.allowed, self.delta),
                spent: standing.spent.plus(cost),
                charge,
                cost,
            }
        };
        // In the order of tiers, not in that in which blocks of the data were read.
        let mut standings = self.seen.standings();
        standings.sort_by_key(|(class, _)| (class.tier, class.allowed));
        standings.into_iter().map(account).collect()
    }

    /// Amount that a person of a tier who has spent nothing may spend on this release.
    fn may_at_first(&self, label: &str, allowed: Amount) -> Amount {
        let asked = self.asked.iter().flatten().find(|(tier, _)| tier == label);
        let asked = match &self.asked {
            Some(_) => asked.map_or(Amount::ZERO, |(_, amount)| *amount),
            None => Amount::Unlimited,
        };
        let (left, instalment) = self.left_and_instalment(allowed, Cost::ZERO);
        left.min(instalment).min(asked)
    }

    /// Tiers by the amounts that their people may spend, `scaled`; empty without tiers.
    pub(super) fn names(&self, scaled: impl Fn(Amount) -> Amount) -> BTreeMap<Epsilon, String> {
        let mut levels: BTreeMap<Amount, BTreeSet<u32>> = BTreeMap::new();
        if self.tiers.is_empty() {
            return BTreeMap::new();
        }
        for class in self.seen.classes() {
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

    /// Counts the persons by state; some do not count once their amounts are `scaled`.
    pub(super) fn count(&self, scaled: impl Fn(Amount) -> Amount) -> PersonCount {
        let mut count = PersonCount::default();
        for class in self.seen.classes() {
            let Class { claimed, left, instalment, may, persons, .. } = class;
            let of = |is_so: bool| if is_so { persons } else { 0 };
            count.all += persons;
            count.exhausted += of(!claimed.is_zero() && left.is_zero());
            count.not_asked += of(!left.is_zero() && scaled(may).is_zero());
            count.rest += of(gives_the_rest(instalment, left, scaled(may)));
        }
        count
    }

    /// Persons in parts with the same allowed and available amounts, `scaled` to the part that is
    /// found after reading.
    pub(super) fn parts(&self, scaled: impl Fn(Amount) -> Amount) -> Vec<Part> {
        let Ok(already) = self.already.get() else { return Vec::new() };
        let pieces = self.seen.pieces();
        // Classes of all pieces that are charged together, and who is in them.
        let mut places: BTreeMap<(u32, Amount, Amount), usize> = BTreeMap::new();
        let mut people: Vec<(Vec<PersonNumber>, Vec<PersonHash>)> = Vec::new();
        for piece in pieces.iter() {
            let mut place = |class: &Class| {
                *places.entry((class.tier, class.may, class.allowed)).or_insert_with(|| {
                    people.push(Default::default());
                    people.len() - 1
                })
            };
            let of_classes: Vec<usize> = piece.classes().iter().map(&mut place).collect();
            piece
                .known_persons()
                .for_each(|(number, class)| people[of_classes[class]].0.push(number));
            piece.others().for_each(|(hash, class)| people[of_classes[class]].1.push(hash));
        }
        let part = |((tier, may, allowed), place): ((u32, Amount, Amount), usize)| {
            let holder = match &self.lifetime {
                Lifetime::Tiers(tiers) => Holder::Tier(
                    tiers.get(tier as usize).map_or_else(String::new, |(label, _)| label.clone()),
                ),
                Lifetime::Same(_) => Holder::Everybody,
                Lifetime::Own => Holder::Own(allowed),
            };
            let (numbers, hashes) = std::mem::take(&mut people[place]);
            Part { holder, charge: scaled(may), persons: already.persons(numbers, hashes) }
        };
        let mut parts: Vec<Part> = places.into_iter().map(part).collect();
        parts.retain(|part| !part.charge.is_zero());
        parts
    }
}

/// Appends the numbers of the persons with these identifiers, as a scan knows them.
pub(super) fn hash_all(
    key: &PersonKey,
    identifiers: &mut dyn Iterator<Item = &[u8]>,
    persons: &mut Vec<u128>,
) {
    let mut hashes = Vec::new();
    key.hash_all(identifiers, &mut hashes);
    persons.extend(hashes.into_iter().map(PersonHash::to_number));
}

impl Accounts for PersonAccounts {
    fn person(&self, identifier: &[u8]) -> u128 {
        self.key.hash(identifier).to_number()
    }

    fn persons(&self, identifiers: &mut dyn Iterator<Item = &[u8]>, persons: &mut Vec<u128>) {
        hash_all(&self.key, identifiers, persons);
    }

    fn left(&self, asked: &[AccountKey], tiers: &[&str], left: &mut Vec<Epsilon>) {
        let (Ok(already), Some(first)) = (self.already.get(), asked.first()) else {
            // Nobody is asked for anything, and the release is refused.
            left.extend(asked.iter().map(|_| Epsilon::UNUSED));
            return;
        };
        let slot = |tier: &&str| self.tiers.iter().position(|label| label == tier);
        let slots: Vec<u32> =
            tiers.iter().map(|tier| slot(tier).map_or(NO_TIER, |slot| slot as u32)).collect();
        let mut piece = Piece::with_room(first.person, asked.len(), already.known_persons() > 0);
        for one in asked {
            let hash = PersonHash::from_number(one.person);
            let person = already.number(hash).ok_or(hash);
            let standing = Standing {
                tier: one.tier.and_then(|tier| slots.get(tier as usize)).map_or(NO_TIER, |at| *at),
                budget: one.budget.get().to_bits(),
                spent: person.map_or(Cost::ZERO, |number| already.cost_of(number)),
                decided: person.ok().and_then(|number| already.decision_of(number)),
            };
            let decisions = || self.decisions.get_or_init(|| self.decisions_of(already));
            let class =
                piece.add(person, &standing, || self.class(&standing, one.budget, decisions()));
            left.push(class.epsilon);
        }
        self.seen.add(piece);
    }
}

/// Redacted: shows no person.
impl std::fmt::Debug for PersonAccounts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PersonAccounts").field("lifetime", &self.lifetime).finish_non_exhaustive()
    }
}
