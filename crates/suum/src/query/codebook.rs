//! Codebook: the meaning of columns, declared once for all questions about them.

use std::collections::BTreeSet;

use suum_core::{Error, Estimand, PersonValue, Result, option, say};
use suum_data::nearest;

use super::rows;
use super::{ColumnNames, GroupLists, Labels, Missing, Query, Range};
use crate::DataSource;
use crate::options::{Entries, OptionRow};
use crate::statistic::StatisticName;

/// Meaning of the columns of data: bounds, steps, labels, and which of them are public.
///
/// A request takes from it what it does not say itself, for the columns that it uses.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Codebook {
    columns: Vec<CodebookColumn>,
}

/// Meaning of one column.
#[derive(Debug, Clone, PartialEq)]
struct CodebookColumn {
    name: String,
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
        Ok(Self { columns: columns.collect::<Result<_>>()? })
    }

    /// Adds the columns of another codebook that this one lacks.
    #[must_use]
    pub(crate) fn over(mut self, other: Self) -> Self {
        let lacking = other.columns.into_iter().filter(|column| self.of(&column.name).is_none());
        let lacking: Vec<_> = lacking.collect();
        self.columns.extend(lacking);
        self
    }

    /// Completes the queries of a request, whose data are read together.
    ///
    /// `is_of_records` tells that records are read, and not a level table.
    ///
    /// # Errors
    ///
    /// Refuses texts that stand for an empty cell in one column and are a value of another.
    pub(crate) fn complete(&self, queries: &mut [&mut Query], is_of_records: bool) -> Result<()> {
        if self.columns.is_empty() {
            return Ok(());
        }
        for query in queries.iter_mut() {
            let statistic = query.statistic.clone();
            self.complete_values(query, &statistic);
            self.complete_groups(query, &statistic);
        }
        if is_of_records && queries.iter().all(|query| query.null.is_none()) {
            let nulls = self.nulls(queries)?;
            queries.iter_mut().for_each(|query| query.null.clone_from(&nulls));
        }
        Ok(())
    }

    /// Completes a query of a level table, which counts what its column holds.
    pub(crate) fn complete_table(&self, query: &mut Query) -> Result<()> {
        let column = query.value.as_ref().and_then(|name| self.of(name));
        let statistic = match column {
            Some(column) if column.options.bounds.is_none() => StatisticName::Frequency,
            _ => StatisticName::Plain(Estimand::Variance),
        };
        // A table of categories has no bounds, and the other way round.
        let is_said = query.bounds.is_some() || query.categories.is_some() || query.bins.is_some();
        if !is_said {
            self.complete_values(query, &statistic);
        }
        self.complete_groups(query, &StatisticName::Mean);
        if query.null.is_none() {
            query.null = self.nulls(&[query])?;
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

    /// Returns the columns that the codebook declares public, of those that choose the records: by
    /// a condition, or by the query of a database that names them.
    pub(crate) fn chosen_by(&self, source: &DataSource) -> Vec<String> {
        let compared = source.filter.iter().flat_map(|filter| filter.columns());
        let is_part = |character: char| character.is_alphanumeric() || character == '_';
        let words = source.query.iter().flat_map(|sql| sql.split(|one| !is_part(one)));
        let named = compared.map(String::as_str).chain(words);
        named.filter(|name| self.is_public(name)).map(str::to_owned).collect()
    }

    fn is_public(&self, name: &str) -> bool {
        self.of(name).is_some_and(|column| column.is_public)
    }

    fn of(&self, name: &str) -> Option<&CodebookColumn> {
        self.columns.iter().find(|column| column.name == name)
    }

    /// Adds the bounds, steps and categories of the column of values.
    fn complete_values(&self, query: &mut Query, statistic: &StatisticName) {
        let is_for = |row: &OptionRow| row.of.include(statistic);
        if let Some(ColumnNames(names)) = query.crosstab.clone() {
            if query.categories.is_none() {
                let lists = names.iter().map(|name| self.of(name)?.categories().cloned());
                query.categories = lists.collect::<Option<Vec<_>>>().map(GroupLists);
            }
            return;
        }
        let Some(column) = query.value.as_ref().and_then(|name| self.of(name)) else { return };
        let own = &column.options;
        if is_for(&rows::bounds) && query.bounds.is_none() && !query.has_totals(statistic) {
            query.bounds = own.bounds;
        }
        let are_bounds_known = !matches!(query.bounds, None | Some(Range::Auto));
        if is_for(&rows::step) && are_bounds_known && query.keeps_steps(statistic) {
            query.step = query.step.or(own.step);
        }
        if is_for(&rows::missing) && query.missing.is_none() {
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
            let columns: Option<Vec<_>> = names.iter().map(|name| self.of(name)).collect();
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
        let Some(column) = divided_by.and_then(|name| self.of(name)) else { return };
        if is_divided && query.classes.is_none() && query.population_shares.is_none() {
            query.population_shares.clone_from(&column.options.population_shares);
            if query.population_shares.is_none() {
                query.classes = match query.strata {
                    Some(_) => column.strata().cloned(),
                    None => column.options.classes.clone(),
                };
            }
        }
    }

    /// Texts that stand for an empty cell in some column of these queries.
    fn nulls(&self, queries: &[&mut Query]) -> Result<Option<Labels>> {
        let named = queries.iter().flat_map(|query| query.columns());
        let named: BTreeSet<&str> = named.collect();
        let used: Vec<&CodebookColumn> =
            named.into_iter().filter_map(|name| self.of(name)).collect();
        let mut all: Vec<String> = Vec::new();
        for column in &used {
            let Some(Labels(texts)) = &column.options.null else { continue };
            for text in texts.iter().filter(|text| !all.contains(text)).cloned().collect::<Vec<_>>()
            {
                if let Some(other) = used.iter().find(|other| other.can_hold(&text)) {
                    return Err(Error::request(
                        option::NULL,
                        format!(
                            "a text that stands for an empty cell in {} can be a value of {}, \
                             and one request reads all columns by the same rule",
                            column.name, other.name
                        ),
                    )
                    .with_fix(
                        say("ask for them in two requests, or say in this one what is empty:")
                            .set(option::NULL, "TEXT,…"),
                    ));
                }
                all.push(text);
            }
        }
        Ok(Some(Labels(all)).filter(|Labels(texts)| !texts.is_empty()))
    }
}

impl CodebookColumn {
    fn new(name: String, mut own: Entries) -> Result<Self> {
        for key in own.names() {
            if key != PUBLIC && !OF_COLUMN.contains(&key) {
                return Err(no_option_of_column(key));
            }
        }
        let is_public = own.flag(PUBLIC)?;
        let options = Query::read(&mut own)?;
        own.finish()?;
        if options.categories.is_some() && options.bins.is_some() {
            return Err(Error::request(option::BINS, "values have categories or bins, not both")
                .with_fix("leave one of them out"));
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
        Ok(Self { name, options, is_public })
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

    /// Returns true if a text can be a value of the column, and does not stand for an empty cell.
    fn can_hold(&self, text: &String) -> bool {
        let is_null = self.options.null.iter().any(|Labels(texts)| texts.contains(text));
        let lists = [first(&self.options.categories), first(&self.options.groups)];
        let mut lists = lists.into_iter().chain([self.options.classes.as_ref()]).flatten();
        let is_label = lists.any(|Labels(labels)| labels.contains(text));
        let range = match self.options.bounds {
            Some(Range::Declared(low, high)) => Some(low..=high),
            _ => None,
        };
        let number = text.trim().parse::<f64>().ok();
        let is_within = range.zip(number).is_some_and(|(range, number)| range.contains(&number));
        !is_null && (is_label || is_within)
    }
}

impl Query {
    /// Returns true if persons count with the total of their rows, to which the bounds of a row do
    /// not apply.
    fn has_totals(&self, statistic: &StatisticName) -> bool {
        let is_total = match self.per_person {
            None => *statistic == StatisticName::Sum,
            Some(value) => value == PersonValue::Total,
        };
        self.person.is_some() && is_total
    }

    /// Returns true if what counts of a record is as many steps from the bounds as its value.
    fn keeps_steps(&self, statistic: &StatisticName) -> bool {
        let is_averaged = match self.per_person {
            None => self.person.is_some() && statistic.is_mean_or_sum(),
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
