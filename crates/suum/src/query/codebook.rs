//! Codebook: the meaning of columns, declared once for all questions about them.

use std::collections::{BTreeMap, BTreeSet};

use suum_core::{Error, PersonValue, Result, for_example, option, say};
use suum_data::nearest;

use super::columns::bins_or_categories;
use super::rows;
use super::{ColumnNames, GroupLists, Labels, Missing, Query, Range};
use crate::DataSource;
use crate::options::{Entries, OptionRow};
use crate::statistic::{StatisticName, VARIANCE};

/// Meaning of the columns of data: bounds, steps, labels, and which of them are public.
///
/// A request takes from it what it does not say itself, for the columns that it uses.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Codebook {
    columns: Vec<CodebookColumn>,
    /// True if a study says who is a person, also for plans of other people.
    has_persons: bool,
}

/// Meaning of one column.
#[derive(Debug, Clone, PartialEq)]
struct CodebookColumn {
    name: String,
    entries: Entries,
    /// Query with the options of the column alone.
    options: Query,
    is_public: bool,
}

/// Options of a column, in the order in which documents list them.
pub(crate) const OF_COLUMN: [&str; 11] = [
    "bounds",
    "step",
    "null",
    "missing",
    "categories",
    "bins",
    "other",
    "groups",
    "other_group",
    "classes",
    "population_shares",
];

/// Options that say which labels or bins a column has.
const LABELS: [&str; 4] = ["categories", "groups", "bins", "other"];

/// Key of a column that everybody may know of everybody.
pub(crate) const PUBLIC: &str = "public";

impl Codebook {
    /// Takes the codebook out of entries, as the table `columns`.
    ///
    /// # Errors
    ///
    /// Refuses what is no option of a column, and values that are malformed, with the column.
    pub(crate) fn take(entries: &mut Entries) -> Result<Self> {
        let tables = entries.named_tables("columns")?.unwrap_or_default();
        let columns = tables.into_iter().map(|(name, own)| {
            let place = format!("columns.{name}");
            CodebookColumn::new(name, own).map_err(|refused| refused.within(place))
        });
        Ok(Self { columns: columns.collect::<Result<_>>()?, has_persons: false })
    }

    /// Marks the codebook as one of a study that says who is a person.
    #[must_use]
    pub(crate) fn with_persons(self, has_persons: bool) -> Self {
        Self { has_persons, ..self }
    }

    /// Adds what another codebook says, and this one does not.
    ///
    /// # Errors
    ///
    /// Refuses options of a column that contradict each other.
    pub(crate) fn over(self, other: Self) -> Result<Self> {
        let mut columns = other.columns;
        for own in self.columns {
            match columns.iter_mut().find(|column| column.name == own.name) {
                Some(column) => {
                    // Labels and bins take the place of one another.
                    let is_labelled = LABELS.iter().any(|name| own.entries.has(name));
                    let replaced: &[&str] = if is_labelled { &LABELS } else { &[] };
                    let entries = own.entries.over(column.entries.clone().without(replaced));
                    let place = format!("columns.{}", own.name);
                    *column = CodebookColumn::new(own.name, entries)
                        .map_err(|refused| refused.within(place))?;
                }
                None => columns.push(own),
            }
        }
        Ok(Self { columns, has_persons: other.has_persons })
    }

    /// Completes the queries of a request, whose records come from this source.
    ///
    /// # Errors
    ///
    /// Refuses texts that stand for an empty cell in one column and can be a value of another.
    pub(crate) fn complete(&self, queries: &mut [&mut Query], source: &DataSource) -> Result<()> {
        if self.columns.is_empty() {
            return Ok(());
        }
        let is_of_records = source.from_levels.is_none();
        for query in queries.iter_mut() {
            let statistic = query.statistic.clone();
            self.complete_values(query, &statistic, is_of_records);
            self.complete_groups(query, &statistic);
        }
        if is_of_records && queries.iter().all(|query| query.null.is_none()) {
            let nulls = self.nulls(queries, source)?;
            queries.iter_mut().for_each(|query| query.null.clone_from(&nulls));
        }
        Ok(())
    }

    /// Completes the query of a level table, which counts what its column holds; `totals` tells
    /// that persons count with the total of their rows, to which the bounds of a row do not apply.
    ///
    /// # Errors
    ///
    /// Fails like [`complete`](Self::complete).
    pub(crate) fn complete_table(
        &self,
        query: &mut Query,
        source: &DataSource,
        totals: bool,
    ) -> Result<()> {
        let is_of_records = source.from_levels.is_none();
        let column = query.value.as_ref().and_then(|name| self.column(name));
        let statistic = match column {
            Some(column) if column.options.bounds.is_none() => StatisticName::Frequency,
            _ => VARIANCE,
        };
        // A table of categories has no bounds, and the other way round.
        let is_said = query.bounds.is_some() || query.categories.is_some() || query.bins.is_some();
        if !is_said && !totals {
            self.complete_values(query, &statistic, is_of_records);
        }
        self.complete_groups(query, &StatisticName::Mean);
        if query.null.is_none() && is_of_records {
            query.null = self.nulls(&[query], source)?;
        }
        Ok(())
    }

    /// Returns the columns that the codebook declares public, of those that a query shows of
    /// everybody.
    pub(crate) fn shown_by(&self, query: &Query) -> Vec<String> {
        let groups = query.group_by.iter().flat_map(|ColumnNames(names)| names);
        let single = [&query.privacy, &query.epsilon, &query.person, &query.strata, &query.weight];
        let shown = groups.chain(single.into_iter().flatten());
        shown.filter(|name| self.is_public(name)).cloned().collect()
    }

    /// Returns the columns that the codebook declares public, of those whose conditions choose the
    /// records.
    pub(crate) fn chosen_by(&self, source: &DataSource) -> Vec<String> {
        let compared = source.filter.iter().flat_map(|filter| filter.columns());
        compared.filter(|name| self.is_public(name)).cloned().collect()
    }

    fn is_public(&self, name: &str) -> bool {
        self.column(name).is_some_and(|column| column.is_public)
    }

    fn column(&self, name: &str) -> Option<&CodebookColumn> {
        self.columns.iter().find(|column| column.name == name)
    }

    /// Adds the bounds, steps and categories of the column of values.
    fn complete_values(&self, query: &mut Query, statistic: &StatisticName, is_of_records: bool) {
        let is_for = |row: &OptionRow| row.of.include(statistic);
        if let Some(ColumnNames(names)) = query.crosstab.clone() {
            if query.categories.is_none() {
                let first = names.first().and_then(|name| self.column(name));
                if query.bins.is_none() {
                    query.bins = first.and_then(|column| column.options.bins.clone());
                }
                let skipped = usize::from(query.bins.is_some());
                let lists = names.iter().skip(skipped);
                let lists = lists.map(|name| self.column(name)?.categories().cloned());
                query.categories = lists.collect::<Option<Vec<_>>>().map(GroupLists);
            }
            return;
        }
        let Some(column) = query.value.as_ref().and_then(|name| self.column(name)) else { return };
        let own = &column.options;
        let has_persons = query.person.is_some() || self.has_persons;
        let are_totals = has_persons && query.counts_totals(statistic);
        if is_for(&rows::bounds) && query.bounds.is_none() && !are_totals {
            query.bounds = own.bounds;
        }
        // Steps count from the bounds of the column.
        let has_own_bounds = query.bounds.is_some() && query.bounds == own.bounds;
        let has_own_bounds = has_own_bounds && query.bounds != Some(Range::Auto);
        let is_whole = query.keeps_steps(statistic, has_persons);
        if is_for(&rows::step) && has_own_bounds && is_whole {
            query.step = query.step.or(own.step);
        }
        if is_for(&rows::missing) && query.missing.is_none() && is_of_records {
            query.missing.clone_from(&own.missing);
        }
        if is_for(&rows::categories) && query.categories.is_none() && query.bins.is_none() {
            query.categories = column.categories().cloned().map(GroupLists::from);
            query.bins.clone_from(&own.bins);
            if query.other.is_none() {
                query.other.clone_from(&own.other);
            }
        }
    }

    /// Adds the groups and strata that are declared of their columns.
    fn complete_groups(&self, query: &mut Query, statistic: &StatisticName) {
        if let (Some(ColumnNames(names)), None) = (&query.group_by, &query.groups) {
            let columns: Option<Vec<_>> = names.iter().map(|name| self.column(name)).collect();
            let lists = columns.iter().flatten().map(|column| column.groups().cloned());
            let lists: Option<Vec<Labels>> = lists.collect();
            query.groups = lists.filter(|lists| !lists.is_empty()).map(GroupLists);
            let others = columns.iter().flatten().map(|column| &column.options.other_group);
            let other = others.reduce(|one, next| if one == next { one } else { &None });
            if query.groups.is_some() && query.other_group.is_none() {
                query.other_group = other.cloned().flatten();
            }
        }
        let is_divided = rows::classes.of.include(statistic);
        let divided_by = query.strata.as_ref().or(query.weight.as_ref());
        let Some(column) = divided_by.and_then(|name| self.column(name)) else { return };
        if is_divided && query.classes.is_none() && query.population_shares.is_none() {
            if query.strata.is_some() {
                query.population_shares.clone_from(&column.options.population_shares);
            }
            if query.population_shares.is_none() {
                query.classes = match query.strata {
                    Some(_) => column.strata().cloned(),
                    None => column.options.classes.clone(),
                };
            }
        }
    }

    /// Returns the texts that stand for an empty cell in some column of these queries.
    fn nulls(&self, queries: &[&mut Query], source: &DataSource) -> Result<Option<Labels>> {
        let filtered = source.filter.iter().flat_map(|filter| filter.columns());
        let filtered: BTreeSet<&str> = filtered.map(String::as_str).collect();
        let named = queries.iter().flat_map(|query| query.columns());
        let named: BTreeSet<&str> = named.chain(filtered.iter().copied()).collect();
        let nulls_of = |name: &str| {
            let column = self.column(name).and_then(|column| column.options.null.as_ref());
            column.into_iter().flat_map(|Labels(texts)| texts)
        };
        let all = named.iter().flat_map(|name| nulls_of(name).map(|text| (text, *name)));
        let all: BTreeMap<&String, &str> = all.collect();
        for (text, of) in &all {
            let is_value = |name: &&&str| {
                let is_null = nulls_of(name).any(|null| null == *text);
                let in_some = queries.iter().any(|query| self.can_hold(name, text, query));
                !is_null && (filtered.contains(**name) || in_some)
            };
            if let Some(other) = named.iter().find(is_value) {
                return Err(Error::request(
                    option::NULL,
                    format!(
                        "what stands for an empty cell in {of} can be a value of {other}, and one \
                         request reads all columns by the same rule"
                    ),
                )
                .with_fix(
                    say(
                        "declare it of both columns, ask for them in two requests, or say in this \
                         one what is empty:",
                    )
                    .set(option::NULL, "TEXT,…"),
                ));
            }
        }
        let texts: Vec<String> = all.into_keys().cloned().collect();
        Ok(Some(Labels(texts)).filter(|Labels(texts)| !texts.is_empty()))
    }

    /// Returns true if a text can be a value of a column that the query uses.
    fn can_hold(&self, name: &str, text: &str, query: &Query) -> bool {
        let is = |column: &Option<String>| column.as_deref() == Some(name);
        let number = text.trim().parse::<f64>().ok();
        // Budgets and weights are at least 0.
        if is(&query.epsilon) || is(&query.weight) {
            return number.is_some_and(|number| number >= 0.0);
        }
        let own = is(&query.value).then_some(query.bounds).flatten();
        let column = self.column(name);
        let bounds = [own, column.and_then(|column| column.options.bounds)];
        let is_within = bounds.into_iter().flatten().any(|range| match range {
            Range::Declared(low, high) => number.is_some_and(|one| (low..=high).contains(&one)),
            Range::Auto => number.is_some(),
            Range::Times(_) => false,
        });
        let has_bins = (is(&query.value) && query.bins.is_some())
            || column.is_some_and(|column| column.options.bins.is_some());
        is_within
            || (has_bins && number.is_some())
            || column.is_some_and(|column| column.has_label(text))
    }
}

impl CodebookColumn {
    fn new(name: String, entries: Entries) -> Result<Self> {
        for key in entries.names() {
            if key != PUBLIC && !OF_COLUMN.contains(&key) {
                return Err(no_option_of_column(key));
            }
        }
        let mut own = entries.clone();
        let is_public = own.flag(PUBLIC)?;
        let options = Query::read(&mut own)?;
        own.finish()?;
        if options.categories.is_some() && options.bins.is_some() {
            return Err(bins_or_categories());
        }
        for (lists, option) in
            [(&options.categories, option::CATEGORIES), (&options.groups, option::GROUPS)]
        {
            if lists.as_ref().is_some_and(|GroupLists(lists)| lists.len() != 1) {
                return Err(Error::parameter(option, "a column has one list of labels")
                    .with_fix(for_example(option, "A,B,C")));
            }
        }
        if first(&options.groups).is_some_and(|Labels(labels)| labels.as_slice() == ["auto"]) {
            return Err(Error::request(
                option::GROUPS,
                "a request decides whether groups are read off the data",
            )
            .with_fix(say("say").set(option::GROUPS, "auto").say("in the request")));
        }
        if options.missing.as_ref().is_some_and(Missing::excludes) {
            return Err(Error::request(
                option::MISSING,
                "to leave records out hides who has a value, which a request decides",
            )
            .with_fix(say("say").set(option::MISSING, "exclude").say("in the request")));
        }
        if let Some(range) = options.bounds {
            range.bounds()?;
        }
        Ok(Self { name, entries, options, is_public })
    }

    /// Labels of its values.
    fn categories(&self) -> Option<&Labels> {
        first(&self.options.categories).or_else(|| first(&self.options.groups))
    }

    /// Labels of its groups.
    fn groups(&self) -> Option<&Labels> {
        first(&self.options.groups).or_else(|| first(&self.options.categories))
    }

    /// Labels of its strata.
    fn strata(&self) -> Option<&Labels> {
        self.options.classes.as_ref().or_else(|| self.groups())
    }

    /// Returns true if a text is a declared label of the column, or one of all others.
    fn has_label(&self, text: &str) -> bool {
        let has_others = self.options.other.is_some() || self.options.other_group.is_some();
        let lists = [first(&self.options.categories), first(&self.options.groups)];
        let mut lists = lists.into_iter().chain([self.options.classes.as_ref()]).flatten();
        has_others || lists.any(|Labels(labels)| labels.iter().any(|label| label == text))
    }
}

impl Query {
    /// Returns true if persons, where there are any, count with the total of their rows, to which
    /// the bounds of a row do not apply.
    fn counts_totals(&self, statistic: &StatisticName) -> bool {
        match self.person_value() {
            None => *statistic == StatisticName::Sum,
            Some(value) => value == PersonValue::Total,
        }
    }

    /// Returns true if what counts of a record is as many steps from the bounds as its value.
    fn keeps_steps(&self, statistic: &StatisticName, has_persons: bool) -> bool {
        let is_averaged = match self.person_value() {
            None => has_persons && *statistic != StatisticName::Quantile,
            Some(value) => matches!(value, PersonValue::Mean | PersonValue::Median),
        };
        self.cells.is_none() && !is_averaged
    }

    /// Names of the columns that it reads.
    fn columns(&self) -> impl Iterator<Item = &str> {
        let several = self.crosstab.iter().chain(&self.group_by);
        let several = several.flat_map(|ColumnNames(names)| names);
        let single = [&self.value, &self.strata, &self.weight, &self.privacy, &self.epsilon];
        let single = single.into_iter().chain([&self.person]).flatten();
        let time = self.per_person.iter().filter_map(|per_person| per_person.time.as_ref());
        let single = single.chain(time);
        several.chain(single).map(String::as_str)
    }
}

/// Labels of the only column that these are of.
fn first(lists: &Option<GroupLists>) -> Option<&Labels> {
    lists.as_ref().and_then(|GroupLists(lists)| lists.first())
}

/// Refusal of a key that a column of a codebook does not have.
fn no_option_of_column(key: &str) -> Error {
    let options = OF_COLUMN.into_iter().chain([PUBLIC]);
    let row = crate::options().find(|row| row.name == key);
    let alias = crate::options().find(|row| row.aliases.contains(&key)).map(|row| row.name);
    let alias = alias.filter(|name| OF_COLUMN.contains(name));
    let fix = match (row, alias.or_else(|| nearest(key, options))) {
        (Some(_), _) => "what holds for the whole study stands above the first section \
                         [columns.NAME], and what is asked in a request"
            .to_owned(),
        (None, Some(near)) => format!("did you mean {near}?"),
        (None, None) => format!("a column has {} and {PUBLIC}", OF_COLUMN.join(", ")),
    };
    Error::parameter(key.to_owned(), "a column has no such option").with_fix(fix)
}
