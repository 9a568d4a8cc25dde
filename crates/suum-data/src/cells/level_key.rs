//! Level of a record as it was read: its tier, or its budget.

use suum_core::Epsilon;

use crate::cells::cell;
use crate::cells::fault::Fault;
use crate::cells::indexed::ABSENT;
use crate::scan::consent::{Consent, NoChoice};
use crate::scan::identifier;
use crate::scan::role::Role;
use crate::scan::tiers::Tiers;
use crate::scan::{PrivacyColumn, Scan};

/// Largest number of distinct budgets that are kept apart exactly; beyond it, all are rounded down
/// with [`Epsilon::coarse`].
pub const EXACT: usize = 65_536;

/// Number of levels that codes can name: a code is a byte.
pub(crate) const FEW: usize = 256;

/// Identity of a level.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum LevelKey {
    /// A tier, by its position among the declared ones.
    Tier(u32),
    /// A numeric budget.
    Budget(Epsilon),
}

impl LevelKey {
    /// Packs the key into 64 bits: the tier's position, or the bits of the budget.
    pub(crate) fn to_bits(self) -> u64 {
        match self {
            Self::Tier(position) => u64::from(position),
            Self::Budget(epsilon) => epsilon.get().to_bits(),
        }
    }

    /// Unpacks the bits of a key of this column.
    pub(crate) fn from_bits(bits: u64, privacy: &PrivacyColumn) -> Self {
        match privacy {
            PrivacyColumn::Tiers { .. } => Self::Tier(bits as u32),
            // Only budgets have been written.
            PrivacyColumn::Budgets { .. } => {
                Self::Budget(Epsilon::new(f64::from_bits(bits)).unwrap_or(Epsilon::UNUSED))
            }
        }
    }
}

impl Scan {
    /// Reads the cell of a choice with `read`, or the declared replacement if the choice is
    /// missing.
    #[inline]
    pub(crate) fn choice<T>(
        &self,
        cell: &[u8],
        read: impl Fn(&[u8]) -> std::result::Result<T, Fault>,
    ) -> std::result::Result<T, Fault> {
        read(cell).or_else(|fault| self.in_place(fault, read))
    }

    /// Reads the declared replacement of a missing choice, or returns the fault.
    #[cold]
    fn in_place<T>(
        &self,
        fault: Fault,
        read: impl Fn(&[u8]) -> std::result::Result<T, Fault>,
    ) -> std::result::Result<T, Fault> {
        match (fault, &self.missing_choice) {
            (Fault::Missing(Role::Privacy) | Fault::NoConsent, Some(text)) => {
                read(text.trim_ascii().as_bytes())
            }
            (fault, _) => Err(fault),
        }
    }

    /// Position of the tier that a cell names, directly or as a key of the consent file.
    #[inline]
    pub(crate) fn tier(&self, cell: &[u8], tiers: &Tiers) -> std::result::Result<u32, Fault> {
        let read = |cell: &[u8]| tiers.find_tier(cell);
        match &self.consent {
            None => self.choice(cell, read),
            Some(consent) => match bits(consent, cell) {
                Ok(bits) => Ok(bits as u32),
                Err(fault) => self.in_place(fault, read),
            },
        }
    }

    /// Number of the budget that a cell spells, directly or as a key of the consent file.
    #[inline]
    pub(crate) fn budget_number(&self, cell: &[u8]) -> std::result::Result<f64, Fault> {
        match &self.consent {
            None => self.choice(cell, cell::budget_number),
            Some(consent) => match bits(consent, cell) {
                Ok(bits) => Ok(f64::from_bits(bits)),
                Err(fault) => self.in_place(fault, cell::budget_number),
            },
        }
    }
}

/// Bits of the choice that the consent file has for the key in a cell.
fn bits(consent: &Consent, cell: &[u8]) -> std::result::Result<u64, Fault> {
    let key = cell::text(cell, Role::Privacy)?.as_bytes();
    let hash = (!key.is_empty()).then(|| identifier::hash(key));
    consent.bits(hash).map_err(|none| match none {
        NoChoice::NoKey => Fault::Missing(Role::Privacy),
        NoChoice::NoDecision => Fault::NoConsent,
    })
}

impl Tiers {
    /// The position of the tier that a cell names, which has no spaces around it.
    #[inline]
    pub(crate) fn find_tier(&self, cell: &[u8]) -> std::result::Result<u32, Fault> {
        match self.position(cell) {
            Some(position) => Ok(position),
            None if cell.is_empty() => Err(Fault::Missing(Role::Privacy)),
            None => Err(cell::text(cell, Role::Privacy)
                .err()
                .unwrap_or_else(|| Fault::UnknownTier(self.meant(cell)))),
        }
    }
}

/// The levels of many records, all of one kind.
#[derive(Debug)]
pub(crate) enum LevelKeys {
    Tiers(Vec<u32>),
    Budgets(Vec<Epsilon>),
    /// Levels of either kind as codes, where few differ.
    Coded(CodedKeys),
}

/// Levels by codes of one byte.
#[derive(Debug)]
pub(crate) struct CodedKeys {
    pub(crate) codes: Vec<u8>,
    /// Key of each code.
    pub(crate) of: Box<[LevelKey; FEW]>,
    /// Codes that occurred so far, and the codes of all tiers.
    pub(crate) met: Vec<u8>,
}

impl CodedKeys {
    /// Creates a table without codes.
    pub(crate) fn new() -> Self {
        Self {
            codes: Vec::new(),
            of: Box::new([LevelKey::Budget(Epsilon::UNUSED); FEW]),
            met: Vec::new(),
        }
    }
}

impl LevelKeys {
    pub(crate) fn clear(&mut self) {
        match self {
            Self::Tiers(positions) => positions.clear(),
            Self::Budgets(epsilons) => epsilons.clear(),
            Self::Coded(coded) => coded.codes.clear(),
        }
    }

    /// Drops the records whose value, at the same index, is missing.
    pub(crate) fn retain(&mut self, indices: &[u64]) {
        let mut present = indices.iter().map(|index| *index != ABSENT);
        let mut is_present = || present.next().unwrap_or_default();
        match self {
            Self::Tiers(positions) => positions.retain(|_| is_present()),
            Self::Budgets(epsilons) => epsilons.retain(|_| is_present()),
            Self::Coded(coded) => coded.codes.retain(|_| is_present()),
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = LevelKey> {
        let none = (&[][..], &[][..], &[][..]);
        let (positions, epsilons, codes) = match self {
            Self::Tiers(positions) => (positions.as_slice(), none.1, none.2),
            Self::Budgets(epsilons) => (none.0, epsilons.as_slice(), none.2),
            Self::Coded(coded) => (none.0, none.1, coded.codes.as_slice()),
        };
        let of: &[LevelKey] = if let Self::Coded(coded) = self { coded.of.as_slice() } else { &[] };
        let tiers = positions.iter().map(|position| LevelKey::Tier(*position));
        let budgets = epsilons.iter().map(|epsilon| LevelKey::Budget(*epsilon));
        tiers.chain(budgets).chain(codes.iter().map(|code| of[usize::from(*code)]))
    }
}
