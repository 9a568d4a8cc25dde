//! Steps from cells to records: levels, grid indices and categories, and the defects of a row.

use suum_core::{Epsilon, Result};
use suum_data::{
    Across, CategoryColumn, DecisionColumns, GroupColumn, GroupKind, Grouping, PrivacyColumn, Scan,
    UnboundedColumn, Value, ValueColumn,
};

use super::filter::Selection;
use super::header::Header;
use super::positions::{among, bins, index, labels, literals};
use super::steps::{Steps, case, position, select};
use super::{Defect, Source, filter, looks_of, needs_digits};
use crate::dialect::Looks;

/// Names in the steps for a column of groups, or of decisions.
#[derive(Clone, Copy)]
struct Names {
    name: &'static str,
    number: &'static str,
    is_wrong: &'static str,
}

/// Names for each column of groups.
const GROUPS: [Names; Grouping::MOST_COLUMNS] = [
    Names { name: "group_name", number: "group_number", is_wrong: "group_is_wrong" },
    Names { name: "group_name_2", number: "group_number_2", is_wrong: "group_is_wrong_2" },
    Names { name: "group_name_3", number: "group_number_3", is_wrong: "group_is_wrong_3" },
    Names { name: "group_name_4", number: "group_number_4", is_wrong: "group_is_wrong_4" },
];

/// Names for each column of decisions, in the order of their parts.
const DECISIONS: [Names; 4] = [
    Names::for_decision("decision_from", "decision_from_is_wrong"),
    Names::for_decision("decision_until", "decision_until_is_wrong"),
    Names::for_decision("decision_status", "decision_status_is_wrong"),
    Names::for_decision("decision_reference", "decision_reference_is_wrong"),
];

/// Names for each attribute of a register.
const ATTRIBUTES: [Names; Grouping::MOST_COLUMNS] = [
    Names::for_decision("attribute", "attribute_is_wrong"),
    Names::for_decision("attribute_2", "attribute_is_wrong_2"),
    Names::for_decision("attribute_3", "attribute_is_wrong_3"),
    Names::for_decision("attribute_4", "attribute_is_wrong_4"),
];

impl Names {
    const fn for_decision(name: &'static str, is_wrong: &'static str) -> Self {
        Self { name, number: name, is_wrong }
    }
}

/// Columns of decisions and attributes, by their names in the steps, and in the register.
fn decisions(scan: &Scan) -> impl Iterator<Item = (Names, &str, Defect)> {
    let columns = scan.decisions.iter().flat_map(DecisionColumns::columns);
    let columns =
        columns.map(|(part, column)| (DECISIONS[part as usize], column, Defect::NotADecision));
    let attributes = ATTRIBUTES.into_iter().zip(&scan.attributes);
    columns.chain(attributes.map(|(at, column)| (at, column.as_str(), Defect::NotAnAttribute)))
}

/// Columns of a step: expressions and their names.
type Columns = Vec<(String, &'static str)>;

/// Adds the steps `cells` and `positions`; returns the columns of a row.
fn push_positions(source: &Source, steps: &mut Steps) -> Result<Row> {
    let mut row = Row::default();
    let selection = filter::find_selection(source)?;
    row.read_filter(selection.as_ref());
    row.read_choice(source)?;
    row.read_value(source)?;
    row.read_group(source)?;
    row.read_person(source)?;
    row.read_decisions(source)?;
    let from = filter::rows(source, selection.as_ref());
    steps.push(
        "The columns that are read: numbers as doubles, labels as text without the spaces around \
        it; NULL where\n\
         a cell is missing.",
        "suum_cells",
        &select(&row.cells, &from),
    );
    steps.push(
        "Where each of them belongs.",
        "suum_positions",
        &select(&row.positions, "FROM suum_cells"),
    );
    Ok(row)
}

/// Steps `cells` and `positions`, and a query of each row: its defect, and its choice, value, group
/// and person as text.
pub(super) fn rows(source: &Source, mut steps: Steps) -> Result<String> {
    let row = push_positions(source, &mut steps)?;
    let (dialect, scan) = (source.dialect, source.scan);
    let choice = match scan.privacy {
        PrivacyColumn::Tiers { .. } => "choice".to_owned(),
        PrivacyColumn::Budgets { .. } if scan.decisions.is_some() => dialect.double_text("choice"),
        PrivacyColumn::Budgets { .. } => dialect.double_text("level"),
    };
    let value = match &scan.value {
        None => dialect.nothing(),
        Some(value) if value.is_text() || needs_digits(scan) => "value".to_owned(),
        Some(_) => format!("CASE WHEN value IS NOT NULL THEN {} END", dialect.double_text("value")),
    };
    let optional =
        |there: bool, name: &str| if there { name.to_owned() } else { dialect.nothing() };
    let fault = row.fault(|defect| format!("'{}'", defect.code()), &dialect.nothing());
    let mut columns = vec![(fault, "fault"), (choice, "choice"), (value, "value")];
    let label = |(group, at): (&GroupColumn, Names)| match group.groups.as_weights() {
        Some(_) => dialect.double_text(at.name),
        None => at.name.to_owned(),
    };
    let labels = scan.label_columns().zip(GROUPS).map(label);
    let labels: Vec<String> = labels.collect();
    columns.push((labels.first().cloned().unwrap_or_else(|| dialect.nothing()), GROUPS[0].name));
    let further = labels.into_iter().zip(GROUPS).skip(1);
    columns.extend(further.map(|(label, at)| (label, at.name)));
    columns.push((optional(scan.person.is_some(), "person"), "person"));
    columns.extend(scan.person_time.iter().map(|_| ("person_time".to_owned(), "person_time")));
    columns.extend(decisions(scan).map(|(at, ..)| (at.name.to_owned(), at.name)));
    Ok(steps.finish(&select(&columns, "FROM suum_positions")))
}

/// Possible defects of records.
pub(super) struct PossibleDefects {
    /// Defects of a row, or of a level.
    pub(super) defects: Vec<Defect>,
    /// Defects of a level that later steps test: conditions, and numbers of defects.
    pub(super) late: Vec<(String, String)>,
}

/// Adds the steps `cells`, `positions` and `records`; returns the possible defects of a row.
pub(super) fn push(source: &Source, steps: &mut Steps) -> Result<PossibleDefects> {
    let mut row = push_positions(source, steps)?;
    let mut columns = vec![
        (row.fault(|defect| defect.number().to_string(), "0"), "fault"),
        (row.group_number(source), "group_number"),
        ("level".into(), "level"),
        (row.item(source), "item"),
    ];
    columns.extend(row.index.take().map(|index| (index, "grid_index")));
    if source.scan.person.is_some() {
        columns.push(("person".into(), "person"));
    }
    let comment = match source.numbers() {
        Some(_) => {
            "What is wrong with a row, 0 if nothing is, and its place on the grid: clamped to the \
            bounds, then\n\
             (x - lower bound) * steps per unit + 0.5, rounded down."
        }
        None => "What is wrong with a row, 0 if nothing is.",
    };
    steps.push(comment, "suum_records", &select(&columns, "FROM suum_positions"));
    let late = row.late.iter().map(|(wrong, defect)| (wrong.clone(), defect.number().to_string()));
    let late = late.collect();
    let defects = row.faults.into_iter().chain(row.late).map(|(_, defect)| defect).collect();
    Ok(PossibleDefects { defects, late })
}

/// Columns of a row in the steps.
#[derive(Default)]
struct Row {
    cells: Columns,
    positions: Columns,
    faults: Vec<(String, Defect)>,
    /// Defects of a level, which are tested once per distinct level.
    late: Vec<(String, Defect)>,
    item: Option<String>,
    index: Option<String>,
}

impl Row {
    /// First defect of a row, as `name` writes it; `nothing` if there is none.
    fn fault(&self, name: impl Fn(Defect) -> String, nothing: &str) -> String {
        let faults = self.faults.iter();
        let faults: Vec<(String, String)> =
            faults.map(|(condition, defect)| (condition.clone(), name(*defect))).collect();
        case(&faults, Some(nothing))
    }

    /// Adds the test of a cell, with its defect.
    fn wrong(&mut self, condition: Option<String>, name: &'static str, defect: Defect) {
        if let Some(condition) = condition {
            self.cells.push((condition, name));
            self.positions.push((name.into(), name));
            self.faults.push((name.into(), defect));
        }
    }

    fn read_filter(&mut self, selection: Option<&Selection>) {
        let is_wrong = selection.and_then(|selection| selection.is_wrong.clone());
        self.wrong(is_wrong, "filter_is_wrong", Defect::NotComparable);
    }

    fn read_choice(&mut self, source: &Source) -> Result<()> {
        let dialect = source.dialect;
        self.positions.push(("choice".into(), "choice"));
        match &source.scan.privacy {
            // The reader of the rows resolves keys, and choices that may have ended.
            PrivacyColumn::Tiers { column, .. }
                if source.scan.consent.is_some() || source.scan.decisions.is_some() =>
            {
                let (looks, defect) = match source.scan.reads_labels() {
                    true if source.scan.keeps_labels_private => (Looks::ANY, Defect::NotACategory),
                    true => (Looks::ANY, Defect::NotAGroup),
                    false => (Looks::default(), Defect::UnknownTier),
                };
                let column = source.column(column)?;
                self.cells.push((source.label_of(&column, looks)?, "choice"));
                self.wrong(dialect.is_no_label(&column, looks), "choice_is_wrong", defect);
            }
            PrivacyColumn::Budgets { column } if source.scan.decisions.is_some() => {
                let column = source.column(column)?;
                self.cells.push((source.or_null(dialect.budget_of(&column)), "choice"));
                let wrong = source.wrong(dialect.is_no_budget(&column), &column)?;
                self.wrong(wrong, "choice_is_wrong", Defect::NotABudget);
            }
            PrivacyColumn::Tiers { column, .. } => {
                let column = source.column(column)?;
                let tiers = Header::for_scan(source.scan, None).tiers.unwrap_or_default();
                let is_late = dialect.trims_late()
                    && source.scan.nulls.texts().is_empty()
                    && tiers.iter().all(|tier| tier.level.trim_ascii() == tier.level);
                let looks =
                    Looks::from_labels(&tiers.iter().map(|tier| &tier.level).collect::<Vec<_>>());
                let choice = match is_late {
                    true => dialect.trimmed_label("choice"),
                    false => source.label_of(&column, looks)?,
                };
                let choice = match &source.scan.missing_choice {
                    Some(tier) => {
                        format!("COALESCE({choice}, {})", dialect.literal(tier.trim_ascii())?)
                    }
                    None => choice,
                };
                let labels = tiers.iter().map(|tier| &tier.level).collect::<Vec<_>>();
                let labels = literals(dialect, &labels)?;
                let (cell, level, none) = match is_late {
                    true => (
                        dialect.untrimmed_label_of(&column, looks),
                        position("choice", &labels, Some(&position(&choice, &labels, None))),
                        format!("level IS NULL AND {choice} IS NULL"),
                    ),
                    false => {
                        (choice, position("choice", &labels, None), "choice IS NULL".to_owned())
                    }
                };
                self.cells.push((cell, "choice"));
                self.wrong(
                    dialect.is_no_label(&column, looks),
                    "choice_is_wrong",
                    Defect::UnknownTier,
                );
                self.positions.push((level, "level"));
                self.faults.push((none, Defect::NoChoice));
                self.faults.push(("level IS NULL".into(), Defect::UnknownTier));
            }
            PrivacyColumn::Budgets { column } => {
                let (no_choice, not_a_budget) = match source.scan.reads_weights {
                    false => (Defect::NoChoice, Defect::NotABudget),
                    true => (Defect::NoWeight, Defect::NotAWeight),
                };
                let number = |budget: Epsilon| match budget.is_public() {
                    true => dialect.infinity(),
                    false => dialect.double(budget.get()),
                };
                if let Some(budget) = source.common {
                    self.cells.push((number(budget), "choice"));
                } else {
                    let column = source.column(column)?;
                    let choice = source.or_null(dialect.budget_of(&column));
                    let budget = |text: &String| text.trim_ascii().parse::<Epsilon>();
                    let missing = source.scan.missing_choice.as_ref().map(budget).transpose()?;
                    let choice = match missing {
                        Some(budget) => format!("COALESCE({choice}, {})", number(budget)),
                        None => choice,
                    };
                    self.cells.push((choice, "choice"));
                    let wrong = source.wrong(dialect.is_no_budget(&column), &column)?;
                    self.wrong(wrong, "choice_is_wrong", not_a_budget);
                }
                // Negative zero is the one zero.
                let zero = dialect.double(0.0);
                // Grouping makes it so, too, of all that is not left out.
                let is_late = dialect.groups_numbers()
                    && source.scan.person.is_none()
                    && !source.scan.leaves_out_missing;
                let level = match is_late {
                    true => "choice".to_owned(),
                    false => format!("CASE WHEN choice = {zero} THEN {zero} ELSE choice END"),
                };
                self.positions.push((level, "level"));
                let (faults, choice) = match is_late {
                    true => (&mut self.late, "level"),
                    false => (&mut self.faults, "choice"),
                };
                faults.push((format!("{choice} IS NULL"), no_choice));
                let [least, most] = [Epsilon::MIN, Epsilon::MAX].map(|end| dialect.double(end));
                let public = dialect.infinity();
                let outside = format!(
                    "{choice} < {zero} OR ({choice} > {zero} AND {choice} < {least}) OR ({choice} \
                    > {most} AND {choice} < {public})"
                );
                faults.push((outside, not_a_budget));
            }
        }
        Ok(())
    }

    fn read_value(&mut self, source: &Source) -> Result<()> {
        let dialect = source.dialect;
        let Some(value) = &source.scan.value else { return Ok(()) };
        let column = source.column(value.column())?;
        if value.is_text() && !value.is_label() {
            return self.read_moment(source, &column, value.replacement().is_some());
        }
        if needs_digits(source.scan) {
            return self.read_digits(source, &column, value.replacement().is_some());
        }
        if value.is_label() {
            let looks = looks_of(value);
            self.cells.push((source.label_of(&column, looks)?, "value"));
            self.wrong(dialect.is_no_label(&column, looks), "value_is_wrong", Defect::NotACategory);
        } else {
            self.cells.push((source.or_null(dialect.number_of(&column)), "value"));
            let wrong = source.wrong(dialect.is_no_number(&column), &column)?;
            self.wrong(wrong, "value_is_wrong", Defect::NotANumber);
        }
        match value {
            Value::Number(ValueColumn { numbers, missing, .. }) => {
                self.read_number(source, *missing);
                self.index = Some(index(dialect, &numbers.grid));
            }
            Value::Unbounded(UnboundedColumn { missing, .. }) => {
                self.read_number(source, *missing);
            }
            Value::Category(column) => self.read_category(source, column)?,
        }
        Ok(())
    }

    /// Reads a date or a time as text, without its position.
    fn read_moment(&mut self, source: &Source, column: &str, has_replacement: bool) -> Result<()> {
        let looks = Looks::default();
        self.cells.push((source.label_of(column, looks)?, "value"));
        self.wrong(source.dialect.is_no_label(column, looks), "value_is_wrong", Defect::NotAMoment);
        self.keep_value(source, has_replacement);
        Ok(())
    }

    /// Reads a number as text, without its position.
    fn read_digits(&mut self, source: &Source, column: &str, has_replacement: bool) -> Result<()> {
        let dialect = source.dialect;
        self.cells.push((dialect.digits_of(column), "value"));
        let wrong = source.wrong(dialect.is_no_number(column), column)?;
        self.wrong(wrong, "value_is_wrong", Defect::NotANumber);
        self.keep_value(source, has_replacement);
        Ok(())
    }

    /// Adds a value that is converted elsewhere, including the replacement of missing ones.
    fn keep_value(&mut self, source: &Source, has_replacement: bool) {
        self.positions.push(("value".into(), "value"));
        if !has_replacement && !source.scan.leaves_out_missing {
            self.faults.push(("value IS NULL".into(), Defect::NoValue));
        }
    }

    fn read_number(&mut self, source: &Source, missing: Option<f64>) {
        let present = match missing {
            Some(missing) => format!("COALESCE(value, {})", source.dialect.double(missing)),
            None => "value".to_owned(),
        };
        self.positions.push((present, "value"));
        if source.scan.leaves_out_missing {
            return;
        }
        self.faults.push(("value IS NULL".into(), Defect::NoValue));
    }

    fn read_category(&mut self, source: &Source, column: &CategoryColumn) -> Result<()> {
        let classes = &column.classes;
        let missing = column.missing.as_deref().map(str::trim_ascii);
        let names = classes.categories().names();
        let missing = missing.and_then(|missing| names.iter().position(|name| name == missing));
        let (missing, other) =
            (missing.map(|at| at.to_string()), classes.other().map(|at| at.to_string()));
        let position = match classes.edges() {
            Some(edges) => bins(source.dialect, edges, missing.as_deref(), other.as_deref()),
            None => labels(source.dialect, "value", classes, missing.as_deref(), other.as_deref())?,
        };
        self.positions.push(("value".into(), "value"));
        self.positions.push((position, "item"));
        self.item = Some("item".into());
        let none =
            if classes.edges().is_some() { Defect::OutsideBins } else { Defect::NotACategory };
        if source.scan.leaves_out_missing {
            self.faults.push(("value IS NOT NULL AND item IS NULL".into(), none));
            return Ok(());
        }
        if missing.is_none() {
            self.faults.push(("value IS NULL".into(), Defect::NoValue));
        }
        self.faults.push(("item IS NULL".into(), none));
        Ok(())
    }

    /// Category of a row, or the number of its cell in a cross table.
    fn item(&self, source: &Source) -> String {
        let Some(item) = &self.item else { return source.dialect.no_integer() };
        let across = GROUPS.get(source.scan.group_columns().len());
        match (source.across(), across) {
            (Some(across), Some(at)) => format!("{item} * {} + {}", across.width(), at.number),
            _ => item.clone(),
        }
    }

    fn read_across(&mut self, source: &Source, across: &Across, at: Names) -> Result<()> {
        let (dialect, groups) = (source.dialect, &across.column().groups);
        let missing = across.missing().map(|missing| missing.to_string());
        let other = groups.other().map(|other| other.to_string());
        let number = labels(dialect, at.name, groups, missing.as_deref(), other.as_deref())?;
        self.positions.push((number, at.number));
        if missing.is_none() && !source.scan.leaves_out_missing {
            self.faults.push((format!("{} IS NULL", at.name), Defect::NoValue));
        }
        let none = format!("{} IS NOT NULL AND {} IS NULL", at.name, at.number);
        self.faults.push((none, Defect::NotACategory));
        Ok(())
    }

    fn read_group(&mut self, source: &Source) -> Result<()> {
        let dialect = source.dialect;
        let groups = source.scan.group_columns().len();
        for ((position, group), at) in source.scan.label_columns().enumerate().zip(GROUPS) {
            let across = source.across().filter(|_| position == groups);
            let kind = source.scan.group.as_ref().map(|group| group.kind(position));
            let (none, defect) = match kind.unwrap_or(GroupKind::Group) {
                _ if across.is_some() => (Defect::NoValue, Defect::NotACategory),
                GroupKind::Group => (Defect::NoGroup, Defect::NotAGroup),
                GroupKind::Stratum => (Defect::NoStratum, Defect::NotAStratum),
                GroupKind::Weight => (Defect::NoWeight, Defect::NotADeclaredWeight),
            };
            let column = source.column(&group.column)?;
            if let Some(weights) = group.groups.as_weights() {
                self.read_weight(source, &column, weights, at)?;
                continue;
            }
            let looks = Looks::from_labels(group.groups.categories().names());
            self.cells.push((source.label_of(&column, looks)?, at.name));
            self.wrong(dialect.is_no_label(&column, looks), at.is_wrong, defect);
            self.positions.push((at.name.into(), at.name));
            if let Some(across) = across {
                self.read_across(source, across, at)?;
                continue;
            }
            let other = group.groups.other().map(|other| other.to_string());
            let number = labels(dialect, at.name, &group.groups, None, other.as_deref())?;
            self.positions.push((number, at.number));
            self.faults.push((format!("{} IS NULL", at.name), none));
            self.faults.push((format!("{} IS NULL", at.number), defect));
        }
        Ok(())
    }

    /// Reads a design weight like a budget: as its number.
    fn read_weight(
        &mut self,
        source: &Source,
        column: &str,
        weights: &[f64],
        at: Names,
    ) -> Result<()> {
        let dialect = source.dialect;
        self.cells.push((source.or_null(dialect.budget_of(column)), at.name));
        let wrong = source.wrong(dialect.is_no_budget(column), column)?;
        self.wrong(wrong, at.is_wrong, Defect::NotADeclaredWeight);
        self.positions.push((at.name.into(), at.name));
        let mut numbers: Vec<(f64, usize)> = weights.iter().copied().zip(0..).collect();
        numbers.sort_unstable_by(|(one, _), (other, _)| one.total_cmp(other));
        self.positions.push((among(dialect, at.name, &numbers), at.number));
        self.faults.push((format!("{} IS NULL", at.name), Defect::NoWeight));
        self.faults.push((format!("{} IS NULL", at.number), Defect::NotADeclaredWeight));
        Ok(())
    }

    /// Number of the group of a row, from those of its labels in each column.
    fn group_number(&self, source: &Source) -> String {
        let mut columns = source.scan.group_columns().iter().zip(GROUPS);
        let Some((_, first)) = columns.next() else { return source.dialect.no_integer() };
        columns.fold(first.number.to_owned(), |number, (group, at)| {
            format!("({number}) * {} + {}", group.groups.categories().len(), at.number)
        })
    }

    fn read_decisions(&mut self, source: &Source) -> Result<()> {
        for (at, column, defect) in decisions(source.scan) {
            let (column, looks) = (source.column(column)?, Looks::default());
            self.cells.push((source.label_of(&column, looks)?, at.name));
            let is_wrong = source.dialect.is_no_label(&column, looks);
            self.wrong(is_wrong, at.is_wrong, defect);
            self.positions.push((at.name.into(), at.name));
        }
        Ok(())
    }

    fn read_person(&mut self, source: &Source) -> Result<()> {
        let Some(person) = &source.scan.person else { return Ok(()) };
        let column = source.column(person)?;
        let looks = Looks::default();
        self.cells.push((source.label_of(&column, looks)?, "person"));
        self.wrong(
            source.dialect.is_no_label(&column, looks),
            "person_is_wrong",
            Defect::NotAPerson,
        );
        self.positions.push(("person".into(), "person"));
        self.faults.push(("person IS NULL".into(), Defect::NoPerson));
        let Some(time) = &source.scan.person_time else { return Ok(()) };
        let column = source.column(time)?;
        self.cells.push((source.dialect.time_of(&column), "person_time"));
        self.wrong(source.dialect.is_no_time(&column), "person_time_is_wrong", Defect::NotATime);
        self.positions.push(("person_time".into(), "person_time"));
        Ok(())
    }
}
