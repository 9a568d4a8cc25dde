//! Collection of choices by their keys while a register of them is read, or of the labels of a
//! column.

use std::sync::{Mutex, PoisonError};

use rustc_hash::{FxHashMap, FxHashSet};
use suum_core::{Categories, TimeScale};

use crate::cells::cell;
use crate::cells::fault::Fault;
use crate::cells::level_key::LevelKey;
use crate::scan::attributes::{Attributes, MOST_ATTRIBUTES};
use crate::scan::consent::Consent;
use crate::scan::decisions::{DecisionColumns, DecisionPart, Status};
use crate::scan::identifier::{self, halves};
use crate::scan::role::Role;
use crate::scan::standing::{Outcome, Standing, Strictness, Term};
use crate::scan::{PrivacyColumn, Scan, plain_number};
use crate::sink::persons;
use crate::sink::room::lock;

/// Decisions in force, among the rows read so far.
pub(crate) struct Register {
    strictness: Strictness,
    known: Mutex<KeyTable>,
    /// Labels in place of decisions, if those of a column are read.
    labels: Option<Mutex<LabelSet>>,
}

/// Different labels of a column, up to one more than there may be.
#[derive(Default)]
struct LabelSet {
    labels: FxHashSet<Box<str>>,
    has_controls: bool,
}

impl LabelSet {
    /// Adds the label in a cell, unless it is missing.
    fn add(&mut self, cell: &[u8]) -> Result<(), Fault> {
        let label = cell::text(cell, Role::Privacy)?;
        let has_room = self.labels.len() <= Categories::MOST;
        if !label.is_empty() && has_room && !self.labels.contains(label) {
            self.has_controls |= label.contains(char::is_control);
            self.labels.insert(label.into());
        }
        Ok(())
    }

    /// Leaves out labels with control characters, which are not told from a refusal then.
    fn leave_out_controls(&mut self) {
        self.labels.retain(|label| !label.contains(char::is_control));
        self.has_controls = false;
    }

    /// Labels that are numbers in ascending order, and then the others.
    fn into_sorted(self) -> Vec<String> {
        let mut labels: Vec<String> = self.labels.into_iter().map(String::from).collect();
        let number =
            |label: &String| plain_number(label).and_then(|number| number.parse::<f64>().ok());
        labels.sort_by(|one, other| match (number(one), number(other)) {
            (Some(first), Some(second)) => first.total_cmp(&second).then(one.cmp(other)),
            (first, second) => second.is_some().cmp(&first.is_some()).then(one.cmp(other)),
        });
        labels
    }
}

/// Decisions and persons by key.
#[derive(Default)]
struct KeyTable {
    standings: FxHashMap<[u64; 2], Standing>,
    /// Keys with what stands for them as persons, where persons have accounts.
    persons: Vec<([u64; 2], u128)>,
    attributes: Attributes,
}

/// Cells of a row of a register, without spaces around them.
pub(crate) struct DecisionCells<'a> {
    pub(crate) choice: &'a [u8],
    pub(crate) key: &'a [u8],
    /// Parts of the decision, in their order; `None` for those without a column.
    pub(crate) parts: [Option<&'a [u8]>; DecisionPart::ALL.len()],
    /// Attributes, filled from the front.
    pub(crate) attributes: [Option<&'a [u8]>; MOST_ATTRIBUTES],
}

impl Register {
    pub(crate) fn new(scan: &Scan) -> Self {
        let tiers = match &scan.privacy {
            PrivacyColumn::Tiers { tiers, .. } => Some(tiers),
            PrivacyColumn::Budgets { .. } => None,
        };
        let attributes = Attributes::new(&scan.attributes);
        let known = Mutex::new(KeyTable { attributes, ..KeyTable::default() });
        Self { strictness: Strictness::new(tiers), known, labels: None }
    }

    /// Creates a register of the labels in the column of choices.
    pub(crate) fn for_labels(scan: &Scan) -> Self {
        Self { labels: Some(Mutex::default()), ..Self::new(scan) }
    }

    /// Adds a row.
    ///
    /// # Errors
    ///
    /// Returns its first fault in the order of the columns, and refuses a second row of a key whose
    /// choice is permanent.
    pub(crate) fn add(&self, scan: &Scan, cells: &DecisionCells) -> Result<(), Fault> {
        if let Some(labels) = &self.labels {
            return lock(labels).add(cells.choice);
        }
        let ended = status(scan, cells).is_ok_and(|status| status != Status::Active);
        let choice = match choice(scan, cells.choice, ended) {
            // Without the status it is not known whether a choice may be missing.
            Err(Fault::Missing(Role::Privacy)) => {
                status(scan, cells)?;
                return Err(Fault::Missing(Role::Privacy));
            }
            choice => choice?,
        };
        let identifier = persons::identifier(cells.key)?;
        let key = halves(identifier::hash(identifier));
        let term = term(scan, cells)?;
        let as_of = scan.decisions.as_ref().map_or(0.0, |decisions| decisions.as_of);
        let has_times = scan.decisions.as_ref().is_some_and(|decisions| decisions.from.is_some());
        if !term.has_begun(as_of) {
            return Ok(());
        }
        let reference = cells.parts[DecisionPart::Reference as usize];
        let has_reference = reference.is_some_and(|cell| !cell.is_empty());
        let standing = Standing::new(term.from, term.outcome(as_of, choice), has_reference);
        for (at, cell) in (0..).zip(cells.attributes.iter().flatten()) {
            cell::text(cell, Role::Attribute(at))?;
        }
        let mut known = lock(&self.known);
        match known.standings.get_mut(&key) {
            Some(_) if !has_times => return Err(Fault::KeyTwice),
            Some(other) => other.add(standing, &self.strictness),
            None => {
                known.standings.insert(key, standing);
                if let Some(accounts) = &scan.accounts {
                    known.persons.push((key, accounts.person(identifier)));
                }
            }
        }
        if !scan.attributes.is_empty() {
            let attributes = cells.attributes.iter().flatten().copied();
            known.attributes.enter(key, attributes).map_err(Fault::AttributeTwice)?;
        }
        Ok(())
    }

    /// Returns the labels, or what is wrong with them.
    pub(crate) fn into_labels(self, scan: &Scan) -> Result<Vec<String>, String> {
        let labels = self.labels.unwrap_or_default();
        let mut labels = labels.into_inner().unwrap_or_else(PoisonError::into_inner);
        if scan.keeps_labels_private {
            labels.leave_out_controls();
        }
        match labels.labels.len() <= Categories::MOST {
            true if labels.has_controls => Err("a label has control characters".to_owned()),
            true => Ok(labels.into_sorted()),
            false => Err(format!("it has more than {} different labels", Categories::MOST)),
        }
    }

    /// Returns the decisions, for data whose keys are in this column and are scanned like that.
    pub(crate) fn into_consent(self, scan: &Scan, key: &str) -> Consent {
        let KeyTable { standings, persons, attributes } =
            self.known.into_inner().unwrap_or_else(PoisonError::into_inner);
        let declared = scan.add_remove.clone();
        let consent = Consent::new(key, standings, persons, self.strictness, declared);
        match scan.attributes.is_empty() {
            true => consent,
            false => consent.with_attributes(attributes),
        }
    }
}

/// Choice in a cell, which can be empty if the decision has ended.
fn choice(scan: &Scan, cell: &[u8], ended: bool) -> Result<Outcome, Fault> {
    match bits(scan, cell) {
        Ok(bits) => Ok(Outcome::Chosen(bits)),
        Err(Fault::Missing(Role::Privacy)) if ended => Ok(Outcome::Withdrawn),
        Err(fault) => match (fault, &scan.missing_choice) {
            (Fault::Missing(Role::Privacy), Some(text)) => {
                bits(scan, text.trim_ascii().as_bytes()).map(Outcome::Missing)
            }
            (fault, _) => Err(fault),
        },
    }
}

/// Bits of the choice in a cell, as [`LevelKey`] packs them.
pub(crate) fn bits(scan: &Scan, cell: &[u8]) -> Result<u64, Fault> {
    Ok(match &scan.privacy {
        PrivacyColumn::Tiers { tiers, .. } => LevelKey::Tier(tiers.find_tier(cell)?).to_bits(),
        // What was decided, whatever a release counts it as.
        PrivacyColumn::Budgets { .. } => LevelKey::Budget(cell::budget(cell)?).to_bits(),
    })
}

fn status(scan: &Scan, cells: &DecisionCells) -> Result<Status, Fault> {
    let Some(cell) = cells.parts[DecisionPart::Status as usize] else { return Ok(Status::Active) };
    cell::text(cell, Role::Decision(DecisionPart::Status))?;
    let words = scan.decisions.as_ref().map(|DecisionColumns { words, .. }| words);
    words.and_then(|words| words.status(cell)).ok_or(Fault::UnknownStatus)
}

/// Times and status of a decision.
fn term(scan: &Scan, cells: &DecisionCells) -> Result<Term, Fault> {
    let time = |part: DecisionPart, endless: f64| match cells.parts[part as usize] {
        None => Ok(endless),
        Some(b"") if part == DecisionPart::Until => Ok(endless),
        Some(b"") => Err(Fault::Missing(Role::Decision(part))),
        Some(cell) => {
            cell::text(cell, Role::Decision(part))?;
            TimeScale::Seconds.number(cell).ok_or(Fault::NotADate(part))
        }
    };
    Ok(Term {
        from: time(DecisionPart::From, Term::ENDLESS.from)?,
        until: time(DecisionPart::Until, Term::ENDLESS.until)?,
        status: status(scan, cells)?,
    })
}
