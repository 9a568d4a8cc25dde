//! Rows of columns to records, a few thousand at a time.

use std::cell::RefCell;

use arrow_array::{Array, cast::AsArray};
use fearless_simd::{Level, dispatch};
use suum_core::Epsilon;

use super::Column;
use super::cells::labels;
use super::decisions;
use super::entries::Entries;
use super::few::Few;
use super::numbers::Numbers;
use super::row_filter::RowFilter;
use crate::cells::cell;
use crate::cells::columns::Columns;
use crate::cells::fault::{Fault, RowFault, until_fault};
use crate::cells::indexed::{ABSENT, MISSING_POSITION, cross};
use crate::cells::level_key::{CodedKeys, FEW, LevelKey, LevelKeys};
use crate::cells::offset::Offsets;
use crate::count::coded::ROWS;
use crate::count::totals::{MOST, MOST_POINTS, Records, totals};
use crate::scan::groups::Grouping;
use crate::scan::role::Role;
use crate::scan::tiers::Tiers;
use crate::scan::{PrivacyColumn, Scan};
use crate::sink::persons::{self, Identifiers};
use crate::sink::row_sink::{Batch, RowSink};

/// Converter of rows into records, with buffers that it reuses.
pub(crate) struct Rows<'a> {
    scan: &'a Scan,
    filter: Option<RowFilter<'a>>,
    privacy: Privacy<'a>,
    choices: LevelKeys,
    values: Numbers,
    /// Conversion of values to offsets from the lower bound, where they are read as offsets.
    offsets: Option<Offsets>,
    value_labels: Entries<Result<u64, Fault>>,
    value_moments: Entries<Result<f64, Fault>>,
    moments: Vec<f64>,
    indices: Vec<u64>,
    group_labels: [Entries<Result<u32, Fault>>; Grouping::MOST_COLUMNS],
    groups: Vec<u32>,
    /// Labels of a second or later column of groups.
    further: Vec<u32>,
    identifiers: Entries<Result<u128, Fault>>,
    /// Identifiers of a column without a dictionary, if accounts hash them.
    hashed: Identifiers,
    persons: Vec<u128>,
    time_labels: Entries<Result<f64, Fault>>,
    times: Vec<f64>,
}

/// Form of the privacy choices.
enum Privacy<'a> {
    /// Tiers that have codes, with the code of each dictionary entry.
    FewTiers(&'a Tiers, Entries<Result<u8, Fault>>),
    Tiers(&'a Tiers, Entries<Result<u32, Fault>>),
    Budgets {
        numbers: Numbers,
        texts: Entries<Result<f64, Fault>>,
        /// `None` after there were too many budgets.
        few: Option<Few>,
    },
}

impl<'a> Rows<'a> {
    pub(crate) fn new(scan: &'a Scan) -> Self {
        let (privacy, choices) = match &scan.privacy {
            PrivacyColumn::Tiers { tiers, .. } if tiers.len() <= FEW => {
                let mut coded = CodedKeys::new();
                for position in 0..tiers.len() {
                    coded.of[position] = LevelKey::Tier(position as u32);
                    coded.met.push(position as u8);
                }
                (Privacy::FewTiers(tiers, Entries::default()), LevelKeys::Coded(coded))
            }
            PrivacyColumn::Tiers { tiers, .. } => {
                (Privacy::Tiers(tiers, Entries::default()), LevelKeys::Tiers(Vec::new()))
            }
            PrivacyColumn::Budgets { .. } => {
                let few = Some(Few::new());
                let (numbers, texts) = (Numbers::default(), Entries::default());
                (Privacy::Budgets { numbers, texts, few }, LevelKeys::Coded(CodedKeys::new()))
            }
        };
        Self {
            scan,
            filter: RowFilter::for_scan(scan),
            privacy,
            choices,
            values: Numbers::default(),
            offsets: Offsets::for_scan(scan),
            value_labels: Entries::default(),
            value_moments: Entries::default(),
            moments: Vec::new(),
            indices: Vec::new(),
            group_labels: Default::default(),
            groups: Vec::new(),
            further: Vec::new(),
            identifiers: Entries::default(),
            hashed: Identifiers::default(),
            persons: Vec::new(),
            time_labels: Entries::default(),
            times: Vec::new(),
        }
    }

    /// Returns true if all columns may be passed as numbers.
    pub(crate) fn takes_numbers(&self) -> bool {
        self.scan.reads_numbers_alone() && self.offsets.is_none()
    }

    /// Adds the rows of these columns, all of which have the same number of rows; or returns their
    /// first fault, with the row counted from 0. If columns of the filter are among them, it
    /// selects the rows.
    pub(crate) fn add(
        &mut self,
        columns: &Columns<Column>,
        rows: usize,
        collected: &mut RowSink,
    ) -> Result<(), (usize, Fault)> {
        if let Some(register) = collected.register() {
            return decisions::add(self.scan, columns, rows, register);
        }
        let mut bare = columns.map(Column::bare);
        if let Some(consent) = self.scan.consent.as_deref() {
            // Numbers of an array are keys then, others the choices that were found by them.
            bare.privacy = match consent.is_watched() {
                true => columns.privacy.unpacked(),
                false => columns.privacy.clone(),
            };
            for (at, column) in (0..).zip(&columns.groups) {
                if self.scan.attribute_at(at).is_some() {
                    bare.groups[usize::from(at)].clone_from(column);
                }
            }
        }
        // Small blocks stay in the processor's nearest cache until they are counted.
        for first in (0..rows).step_by(ROWS) {
            let some = first..rows.min(first + ROWS);
            let columns = bare.map(|column| column.slice(some.clone()));
            // Records of text have been selected before.
            let filter = columns.filter[0].as_ref().and_then(|_| self.filter.take());
            let added = match filter {
                None => self.add_some(&columns, some.len(), collected),
                Some(mut filter) => {
                    let add =
                        |columns: &Columns<Column>, rows| self.add_some(columns, rows, collected);
                    let added = filter.add(&columns, some.len(), add);
                    self.filter = Some(filter);
                    added
                }
            };
            added.map_err(|(row, fault)| (first + row, fault))?;
        }
        Ok(())
    }

    fn add_some(
        &mut self,
        columns: &Columns<Column>,
        rows: usize,
        collected: &mut RowSink,
    ) -> Result<(), (usize, Fault)> {
        let unplaced = self.read_indices(columns.value.as_ref(), rows);
        if unplaced.is_none() && self.add_totals(columns, collected).is_some() {
            return Ok(());
        }
        let faults = [
            self.read_choices(&columns.privacy),
            unplaced,
            self.read_groups(&columns.groups),
            self.read_persons(columns.person.as_ref()),
            self.read_times(columns.time.as_ref()),
        ];
        // Among several faults in one row, the first counts.
        if let Some(fault) = faults.into_iter().flatten().min_by_key(|(row, _)| *row) {
            return Err(fault);
        }
        if self.scan.leaves_out_missing && collected.takes_records() {
            left_out(&mut self.choices, &mut self.indices, &mut self.groups);
        }
        collected.add_all(&Batch {
            choices: &self.choices,
            indices: &self.indices,
            groups: &self.groups,
            persons: &self.persons,
            times: &self.times,
        });
        Ok(())
    }

    /// Adds the totals of rows whose values have been read and whose few budgets have all occurred
    /// before; `None` for other rows.
    fn add_totals(&mut self, columns: &Columns<Column>, collected: &mut RowSink) -> Option<()> {
        let Privacy::Budgets { numbers, few: Some(few), .. } = &mut self.privacy else {
            return None;
        };
        let (sums, levels) = (self.scan.numbers()?, collected.budgets()?);
        let points = sums.grid.points();
        // With consents in a file of their own numbers are keys.
        let other = self.scan.consent.is_some() || self.scan.leaves_out_missing;
        if other || sums.cells.is_some() || points > MOST_POINTS || few.budgets().len() > MOST {
            return None;
        }
        let numbers = numbers.convert(&columns.privacy, &self.scan.nulls)?;
        let records = Records { numbers, indices: &self.indices, points, squares: sums.squares };
        for (epsilon, total) in totals(few.budgets(), records)? {
            levels.add_total(epsilon, &total);
        }
        Some(())
    }

    fn read_choices(&mut self, column: &Column) -> RowFault {
        self.choices.clear();
        match (&mut self.privacy, &mut self.choices) {
            (Privacy::FewTiers(tiers, entries), LevelKeys::Coded(coded)) => read_tiers(
                column,
                self.scan,
                tiers,
                entries,
                |position| position as u8,
                &mut coded.codes,
            ),
            (Privacy::Tiers(tiers, entries), LevelKeys::Tiers(positions)) => {
                read_tiers(column, self.scan, tiers, entries, |position| position, positions)
            }
            (Privacy::Budgets { numbers, texts, few }, choices) => {
                let scan = self.scan;
                let budget = |number: f64| {
                    let asked = match number.is_nan() {
                        true => scan.choice(b"", cell::budget),
                        false => Epsilon::new(number).map_err(|_| Fault::NotABudget),
                    };
                    asked.map(|epsilon| scan.budget(epsilon))
                };
                let (numbers, fault) = match budget_numbers(column, scan, numbers, texts) {
                    Ok(read) => read,
                    Err(fault) => return Some((0, fault)),
                };
                if let (Some(met), LevelKeys::Coded(coded)) = (few.as_mut(), &mut *choices) {
                    match met.encode(numbers, budget, coded) {
                        Ok(true) => return fault,
                        Ok(false) => *few = None,
                        // It is in a row that could be read, so before the one that could not.
                        Err(fault) => return Some(fault),
                    }
                }
                let mut epsilons = match choices {
                    LevelKeys::Budgets(epsilons) => std::mem::take(epsilons),
                    LevelKeys::Coded(_) | LevelKeys::Tiers(_) => Vec::new(),
                };
                // Uses the widest vector instructions of this processor.
                let at_once = dispatch!(Level::new(), _ => Epsilon::all(numbers, &mut epsilons));
                let fault = if at_once {
                    epsilons.iter_mut().for_each(|epsilon| *epsilon = scan.budget(*epsilon));
                    fault
                } else {
                    until_fault(numbers.iter().map(|number| budget(*number)), &mut epsilons)
                        .or(fault)
                };
                *choices = LevelKeys::Budgets(epsilons);
                fault
            }
            // Choices are made for the column.
            _ => Some((0, Fault::Type(Role::Privacy))),
        }
    }

    /// Puts the values on the grid or into categories, up to the first that has no place.
    fn read_indices(&mut self, column: Option<&Column>, rows: usize) -> RowFault {
        self.indices.clear();
        let (Some(column), Some(value)) = (column, &self.scan.value) else {
            self.indices.resize(rows, 0);
            return None;
        };
        match column {
            _ if value.is_label() => {
                let scan = self.scan;
                let place = |cell: &[u8]| scan.or_absent(value.encode_cell(scan.nulls.cell(cell)));
                let of_position = |position| scan.or_absent(value.encode_position(position));
                let (labels, out) = (&mut self.value_labels, &mut self.indices);
                labels.append_column(column, Role::Value, place, of_position, out)
            }
            Column::Array(array) if let Some(scale) = value.scale() => {
                self.moments.clear();
                let nulls = &self.scan.nulls;
                let fault = self.value_moments.moments(array, scale, nulls, &mut self.moments);
                // A value that has no place may come before one that could not be read.
                let numbers = nulls.mask_moments(&mut self.moments, scale);
                value.places_of(numbers, self.scan, &mut self.indices).or(fault)
            }
            Column::Array(array)
                if let Some(offsets) = &self.offsets
                    && self.scan.has_spelled_values()
                    && holds_text(array) =>
            {
                self.moments.clear();
                let nulls = &self.scan.nulls;
                let offset = |cell: &[u8]| offsets.offset_of_cell(nulls.cell(cell));
                let (cells, out) = (&mut self.value_moments, &mut self.moments);
                let fault = cells.labels(array, Role::Value, offset, out);
                // A value that has no place may come before one that could not be read.
                let places = &mut self.indices;
                offsets.value().places_of(&self.moments, self.scan, places).or(fault)
            }
            _ if let Some(offsets) = &self.offsets => match self.values.offsets_of(column, offsets)
            {
                Some(numbers) => offsets.value().places_of(numbers, self.scan, &mut self.indices),
                None => Some((0, Fault::Type(Role::Value))),
            },
            _ => match self.values.convert(column, &self.scan.nulls) {
                Some(numbers) => value.places_of(numbers, self.scan, &mut self.indices),
                None => Some((0, Fault::Type(Role::Value))),
            },
        }
    }

    /// Computes the number of the group of each row; for several columns that of the combination.
    /// With the second column of a cross table, values become its cells.
    fn read_groups(&mut self, columns: &[Option<Column>]) -> RowFault {
        self.groups.clear();
        let read = columns.iter().flatten().zip(self.scan.label_columns());
        let mut first_fault: RowFault = None;
        for (((at, labels), (column, group)), role) in
            (0u8..).zip(&mut self.group_labels).zip(read).zip((0..).map(Role::Group))
        {
            let (scan, across) = (self.scan, self.scan.across_at(at));
            let is_first = at == 0 && across.is_none();
            let out = if is_first { &mut self.groups } else { &mut self.further };
            let place = |cell: &[u8]| scan.label(group, scan.nulls.cell(cell), at);
            let of_position = |position| scan.check_label(group, position, at);
            let fault = labels.append_column(column, role, place, of_position, out);
            // Among several faults in one row, that of the first column counts.
            first_fault = match (first_fault, fault) {
                (Some(first), Some(fault)) if fault.0 < first.0 => Some(fault),
                (first, fault) => first.or(fault),
            };
            if let Some(across) = across {
                cross(&mut self.indices, &self.further, across.width());
                self.further.clear();
            } else if at > 0 {
                // There are at most 65 536 groups.
                let labels = group.groups.categories().len() as u32;
                let groups = self.groups.iter_mut().zip(&self.further);
                groups.for_each(|(number, label)| *number = *number * labels + label);
                self.further.clear();
            }
        }
        first_fault
    }

    fn read_persons(&mut self, column: Option<&Column>) -> RowFault {
        self.persons.clear();
        let accounts = self.scan.accounts.as_deref();
        let nulls = &self.scan.nulls;
        let person = |cell: &[u8]| persons::hash_cell(nulls.cell(cell), accounts);
        match (column?, accounts) {
            (Column::Array(array), Some(accounts)) if array.as_any_dictionary_opt().is_none() => {
                let hashed = RefCell::new(&mut self.hashed);
                let wait = |cell: &[u8]| {
                    hashed.borrow_mut().push(persons::identifier(nulls.cell(cell))?);
                    Ok(())
                };
                let fault = labels(array, Role::Person, wait, &mut Vec::new());
                self.hashed.hash(accounts, &mut self.persons);
                fault
            }
            (Column::Persons(persons), _) => {
                self.persons.extend(*persons);
                None
            }
            (column, _) => {
                let of_position = |_| Err(Fault::Type(Role::Person));
                let persons = &mut self.persons;
                self.identifiers.append_column(column, Role::Person, person, of_position, persons)
            }
        }
    }

    /// Reads the times of rows, each as a text file would spell it; NaN for a missing one.
    fn read_times(&mut self, column: Option<&Column>) -> RowFault {
        self.times.clear();
        match column {
            None => None,
            Some(Column::Numbers(times)) => {
                self.times.extend_from_slice(times);
                None
            }
            Some(column) => {
                let nulls = &self.scan.nulls;
                let time = |cell: &[u8]| cell::time(nulls.cell(cell));
                let of_position = |_| Err(Fault::Type(Role::Time));
                let (labels, out) = (&mut self.time_labels, &mut self.times);
                labels.append_column(column, Role::Time, time, of_position, out)
            }
        }
    }
}

/// Drops the records whose value is missing; `groups` is empty or has an entry for each record.
fn left_out(choices: &mut LevelKeys, indices: &mut Vec<u64>, groups: &mut Vec<u32>) {
    if !indices.contains(&ABSENT) {
        return;
    }
    choices.retain(indices);
    let mut present = indices.iter().map(|index| *index != ABSENT);
    groups.retain(|_| present.next().unwrap_or_default());
    indices.retain(|index| *index != ABSENT);
}

/// Budgets as numbers, and the first text that could not be read, if any; numbers stop before it.
fn budget_numbers<'a>(
    column: &'a Column,
    scan: &Scan,
    numbers: &'a mut Numbers,
    texts: &mut Entries<Result<f64, Fault>>,
) -> Result<(&'a [f64], RowFault), Fault> {
    match column {
        Column::Array(array) if holds_text(array) || scan.consent.is_some() => {
            numbers.doubles.clear();
            let place = |cell: &[u8]| scan.budget_number(scan.nulls.cell(cell));
            let fault = texts.labels(array, Role::Privacy, place, &mut numbers.doubles);
            Ok((&numbers.doubles, fault))
        }
        _ => Ok((numbers.convert(column, &scan.nulls).ok_or(Fault::Type(Role::Privacy))?, None)),
    }
}

fn holds_text(array: &dyn Array) -> bool {
    let entries = array.as_any_dictionary_opt().map(|dictionary| dictionary.values().data_type());
    entries.unwrap_or(array.data_type()).is_string()
}

/// Appends the tier of each row; `code` converts its position.
fn read_tiers<T: Clone>(
    column: &Column,
    scan: &Scan,
    tiers: &Tiers,
    entries: &mut Entries<Result<T, Fault>>,
    code: impl Fn(u32) -> T,
    out: &mut Vec<T>,
) -> RowFault {
    let place = |cell: &[u8]| scan.tier(scan.nulls.cell(cell), tiers).map(&code);
    let of_position = |position: u32| match position {
        known if (known as usize) < tiers.len() => Ok(code(known)),
        MISSING_POSITION => scan.choice(b"", |cell: &[u8]| tiers.find_tier(cell)).map(&code),
        _ => Err(Fault::UnknownTier(None)),
    };
    entries.append_column(column, Role::Privacy, place, of_position, out)
}
