//! Records of text, column by column, until there are enough to be counted together.

use crate::cells::cell;
use crate::cells::columns::Columns;
use crate::cells::fault::Fault;
use crate::cells::offset::Offsets;
use crate::cells::selection::Selection;
use crate::count::coded::ROWS;
use crate::read::columnar::{Column, Rows};
use crate::scan::groups::Grouping;
use crate::scan::{PrivacyColumn, Scan};
use crate::sink::persons::{self, Identifiers};
use crate::sink::register::{DecisionCells, Register};
use crate::sink::row_sink::RowSink;

/// Records of a block that wait to be counted, and the number of those that have been.
pub(super) struct PendingRecords<'a> {
    scan: &'a Scan,
    rows: Rows<'a>,
    privacy: RowCells,
    values: RowCells,
    /// Conversion of values to offsets from the lower bound, where they are read as offsets.
    offsets: Option<Offsets>,
    groups: [Vec<u32>; Grouping::MOST_COLUMNS],
    persons: Vec<u128>,
    times: Vec<f64>,
    /// Identifiers of persons, if accounts hash them.
    identifiers: Identifiers,
    /// Scratch space for a number with another decimal mark.
    room: Vec<u8>,
    waiting: usize,
    counted: u64,
    selected: Option<SelectedRecords<'a>>,
}

/// Filter on records, and the positions of those that wait.
struct SelectedRecords<'a> {
    selection: Selection<'a>,
    /// Number of records of the block before each that waits.
    places: Vec<u64>,
    /// Number of records of the block without fault so far.
    passed: u64,
}

/// Codes of the cells of a column: numbers, or positions of labels among the declared ones.
#[derive(Default)]
struct RowCells {
    numbers: Vec<f64>,
    positions: Vec<u32>,
}

impl<'a> PendingRecords<'a> {
    pub(super) fn new(scan: &'a Scan) -> Self {
        Self {
            scan,
            rows: Rows::new(scan),
            privacy: RowCells::default(),
            values: RowCells::default(),
            offsets: Offsets::for_scan(scan),
            groups: Default::default(),
            persons: Vec::new(),
            times: Vec::new(),
            identifiers: Identifiers::default(),
            room: Vec::new(),
            waiting: 0,
            counted: 0,
            selected: Selection::for_scan(scan).map(|selection| SelectedRecords {
                selection,
                places: Vec::new(),
                passed: 0,
            }),
        }
    }

    /// Starts a block.
    pub(super) fn start(&mut self) {
        self.clear();
        self.counted = 0;
        if let Some(selected) = &mut self.selected {
            selected.passed = 0;
        }
    }

    /// Number of records of the block; after a fault, of those before it.
    pub(super) fn records(&self) -> u64 {
        match &self.selected {
            None => self.counted + self.waiting as u64,
            Some(selected) => selected.passed,
        }
    }

    /// Adds a record; `cell` returns its cells by their position.
    ///
    /// # Errors
    ///
    /// Returns the first fault, of this record or of those that waited.
    #[inline]
    pub(super) fn add<'b>(
        &mut self,
        cell: impl Fn(usize) -> &'b [u8],
        at: &Columns,
        collected: &mut RowSink,
    ) -> Result<(), Fault> {
        if let Some(register) = collected.register() {
            self.add_decision(cell, at, register)?;
            self.counted += 1;
            return Ok(());
        }
        if self.selected.is_some() && !self.is_selected(&cell, at)? {
            return Ok(());
        }
        if let Err(fault) = self.push(&cell, at) {
            self.truncate();
            // A column before the faulty one may hold a number that was not checked yet.
            return Err(check(self.scan, &cell, at).err().unwrap_or(fault));
        }
        self.waiting += 1;
        if let Some(selected) = &mut self.selected {
            selected.places.push(selected.passed);
            selected.passed += 1;
        }
        if self.waiting == ROWS { self.flush(collected) } else { Ok(()) }
    }

    /// Adds a decision to the register that is read.
    fn add_decision<'b>(
        &mut self,
        cell: impl Fn(usize) -> &'b [u8],
        at: &Columns,
        register: &Register,
    ) -> Result<(), Fault> {
        let cells = DecisionCells {
            choice: spelled_choice(self.scan, cell(at.privacy), &mut self.room),
            key: at.person.map(&cell).unwrap_or_default(),
            parts: at.decisions.map(|column| column.map(&cell)),
            attributes: at.attributes.map(|column| column.map(&cell)),
        };
        register.add(self.scan, &cells)
    }

    /// Returns true if the filter selects a record, and counts a record that it skips.
    #[inline(never)]
    fn is_selected<'b>(
        &mut self,
        cell: &dyn Fn(usize) -> &'b [u8],
        at: &Columns,
    ) -> Result<bool, Fault> {
        let Some(selected) = &mut self.selected else { return Ok(true) };
        let of_filter = |column: u8| at.filter[usize::from(column)].map(cell).unwrap_or_default();
        let decimal = self.scan.csv.decimal;
        let is_selected = selected.selection.selects(of_filter, decimal, &mut self.room)?;
        selected.passed += u64::from(!is_selected);
        Ok(is_selected)
    }

    #[inline]
    fn push<'b>(&mut self, cell: impl Fn(usize) -> &'b [u8], at: &Columns) -> Result<(), Fault> {
        let (decimal, room) = (self.scan.csv.decimal, &mut self.room);
        let privacy = spelled_choice(self.scan, cell(at.privacy), room);
        match &self.scan.privacy {
            PrivacyColumn::Budgets { .. } => {
                self.privacy.numbers.push(self.scan.budget_number(privacy)?)
            }
            PrivacyColumn::Tiers { tiers, .. } => {
                self.privacy.positions.push(self.scan.tier(privacy, tiers)?)
            }
        }
        if let (Some(column), Some(value)) = (at.value, &self.scan.value) {
            let cell = value.spelled(cell(column), decimal, room);
            match value.is_label() {
                // There are at most 65 536 categories; what is absent is MISSING_POSITION.
                true => {
                    let place = self.scan.or_absent(value.encode_cell(cell))?;
                    self.values.positions.push(place as u32);
                }
                false => self.values.numbers.push(match &self.offsets {
                    None => value.number(cell)?,
                    Some(offsets) => offsets.offset_of_cell(cell)?,
                }),
            }
        }
        // Most scans have none.
        if at.groups[0].is_some() {
            let grouped = self.scan.label_columns().zip(&at.groups);
            for ((place, (group, column)), groups) in (0..).zip(grouped).zip(&mut self.groups) {
                if let Some(column) = column {
                    let cell = match self.scan.attribute_at(place) {
                        None => group.groups.spelled(cell(*column), decimal, room),
                        // A key is no number.
                        Some(_) => cell(*column),
                    };
                    groups.push(self.scan.label(group, cell, place)?);
                }
            }
        }
        if let Some(column) = at.person {
            match &self.scan.accounts {
                Some(_) => self.identifiers.push(persons::identifier(cell(column))?),
                None => self.persons.push(persons::hash_cell(cell(column), None)?),
            }
        }
        if let Some(column) = at.time {
            self.times.push(cell::time(decimal.with_point(cell(column), room))?);
        }
        Ok(())
    }

    /// Counts the records that wait.
    ///
    /// # Errors
    ///
    /// Returns their first fault.
    pub(super) fn flush(&mut self, collected: &mut RowSink) -> Result<(), Fault> {
        let (scan, rows) = (self.scan, self.waiting);
        if let Some(accounts) = &scan.accounts {
            self.identifiers.hash(accounts.as_ref(), &mut self.persons);
        }
        let columns = Columns {
            privacy: self.privacy.column(matches!(scan.privacy, PrivacyColumn::Tiers { .. })),
            value: scan.value.as_ref().map(|value| match &self.offsets {
                None => self.values.column(value.is_label()),
                Some(_) => Column::Offsets(&self.values.numbers),
            }),
            groups: std::array::from_fn(|at| {
                scan.label_columns().nth(at).map(|_| Column::Positions(&self.groups[at]))
            }),
            person: scan.person.as_ref().map(|_| Column::Persons(&self.persons)),
            time: scan.person_time.as_ref().map(|_| Column::Numbers(&self.times)),
            // They have selected the rows already.
            filter: Default::default(),
            decisions: Default::default(),
            attributes: Default::default(),
        };
        let counted = self.rows.add(&columns, rows, collected);
        match counted {
            Ok(()) => self.counted += rows as u64,
            Err((row, _)) => self.counted += row as u64,
        }
        if let Some(SelectedRecords { places, passed, .. }) = &mut self.selected {
            let fault = counted.as_ref().err().and_then(|(row, _)| places.get(*row));
            *passed = fault.copied().unwrap_or(*passed);
            places.clear();
        }
        self.clear();
        counted.map_err(|(_, fault)| fault)
    }

    fn clear(&mut self) {
        self.waiting = 0;
        if let Some(selected) = &mut self.selected {
            selected.places.clear();
        }
        self.truncate();
    }

    /// Drops the partly read cells of a record that has a fault.
    fn truncate(&mut self) {
        for cells in [&mut self.privacy, &mut self.values] {
            cells.numbers.truncate(self.waiting);
            cells.positions.truncate(self.waiting);
        }
        self.groups.iter_mut().for_each(|groups| groups.truncate(self.waiting));
        self.persons.truncate(self.waiting);
        self.times.truncate(self.waiting);
        self.identifiers.truncate(self.waiting);
    }
}

impl RowCells {
    fn column(&self, labels: bool) -> Column<'_> {
        if labels { Column::Positions(&self.positions) } else { Column::Numbers(&self.numbers) }
    }
}

/// Cell of a choice, with a decimal point if it spells a budget; a key of the consent file is
/// unchanged. `room` is scratch space for the result.
#[inline]
fn spelled_choice<'a>(scan: &Scan, cell: &'a [u8], room: &'a mut Vec<u8>) -> &'a [u8] {
    match &scan.privacy {
        PrivacyColumn::Budgets { .. } if scan.consent.is_some() => cell,
        PrivacyColumn::Budgets { .. } => scan.csv.decimal.with_point(cell, room),
        PrivacyColumn::Tiers { tiers, .. } => tiers.spelled(cell, scan.csv.decimal, room),
    }
}

/// Looks for a fault of a record, column after column.
#[cold]
fn check<'b>(scan: &Scan, cell: impl Fn(usize) -> &'b [u8], at: &Columns) -> Result<(), Fault> {
    let mut room = Vec::new();
    let privacy = spelled_choice(scan, cell(at.privacy), &mut room);
    match &scan.privacy {
        PrivacyColumn::Budgets { .. } if scan.consent.is_none() => {
            scan.choice(privacy, cell::budget).map(|_| ())?
        }
        PrivacyColumn::Budgets { .. } => scan.budget_number(privacy).map(|_| ())?,
        PrivacyColumn::Tiers { tiers, .. } => scan.tier(privacy, tiers).map(|_| ())?,
    }
    if let (Some(column), Some(value)) = (at.value, &scan.value) {
        let cell = value.spelled(cell(column), scan.csv.decimal, &mut room);
        scan.or_absent(value.encode_cell(cell))?;
    }
    Ok(())
}
