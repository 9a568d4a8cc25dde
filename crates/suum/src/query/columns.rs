//! Columns that a query reads, and their use.

use suum_core::{
    Bounds, Categories, Cells, Error, Grid, GroupName, Numbers, OptionName, PersonValue, Phrase,
    Replacement, Result, declare_bounds, for_example, option, say,
};
use suum_data::{
    Across, CategoryColumn, CategoryRule, GroupColumn, Grouping, Nulls, PrivacyColumn, Tiers,
    UnboundedColumn, Value, ValueColumn,
};

use super::{ColumnNames, GroupLists, Labels, Missing, Query, Range};
use crate::statistic::StatisticName;

impl Query {
    /// Column of privacy choices; `tiers` are the allowed or remaining budgets of the tiers in the
    /// data.
    pub(crate) fn privacy_column(&self, tiers: Option<&Tiers>) -> Result<PrivacyColumn> {
        match (&self.epsilon, &self.privacy, tiers) {
            (Some(column), _, _) => Ok(PrivacyColumn::Budgets { column: column.clone() }),
            (None, Some(column), Some(tiers)) => {
                Ok(PrivacyColumn::Tiers { column: column.clone(), tiers: tiers.clone() })
            }
            (None, Some(_), None) => {
                Err(Error::parameter(option::LEVELS, "it is not said what each tier allows")
                    .with_fix(
                        say("add")
                            .set(option::LEVELS, "strict=0.01,standard=0.1,public=inf")
                            .say(", or name a ledger that has the tiers"),
                    ))
            }
            _ => Err(Error::parameter(option::PRIVACY, "it is not said what each record allows")
                .with_fix(
                    say("give")
                        .set(option::EPSILON, "COL")
                        .say(", or")
                        .set(option::PRIVACY, "COL")
                        .set(option::LEVELS, "strict=0.01,standard=0.1,public=inf"),
                )),
        }
    }

    /// Returns true if no bounds are declared and a range is to be found.
    pub(crate) fn wants_range(&self) -> bool {
        self.bounds == Some(Range::Auto)
    }

    /// Declared bounds, if there are any.
    pub(crate) fn declared_bounds(&self) -> Result<Option<Bounds>> {
        self.bounds.map_or(Ok(None), Range::bounds)
    }

    /// Declared bounds, which are required.
    pub(crate) fn bounds(&self) -> Result<Bounds> {
        if self.wants_range() {
            return Err(needs_bounds());
        }
        self.declared_bounds()?.ok_or_else(|| {
            Error::parameter(option::BOUNDS, "no bounds are given").with_fix(
                say("add")
                    .set(option::BOUNDS, "LO,HI")
                    .say("with the range that values can take, from public knowledge"),
            )
        })
    }

    /// Numeric column to add up, with its measure on this grid.
    pub(crate) fn number_column(
        &self,
        numbers: impl FnOnce(Grid) -> Result<Numbers>,
    ) -> Result<Value> {
        let column = self.column_name()?;
        let numbers = numbers(Grid::new(self.bounds()?))?;
        Ok(Value::Number(ValueColumn { column, numbers, missing: self.missing_number()? }))
    }

    /// Numeric column without bounds, with these candidates of quantiles.
    pub(crate) fn unbounded_column(&self, cells: Cells) -> Result<Value> {
        let (column, missing) = (self.column_name()?, self.missing_number()?);
        let cells = Some(cells).filter(|_| self.statistic.has_quantiles());
        Ok(Value::Unbounded(UnboundedColumn { column, missing, cells }))
    }

    /// Column whose categories are counted.
    pub(crate) fn category_column(&self) -> Result<Value> {
        let column = match self.crossed()? {
            Some(column) => column,
            None if self.crosstab.is_some() => return Err(no_categories()),
            None => {
                let column = self.column_name()?;
                let classes = self.classes()?.ok_or_else(no_categories)?;
                CategoryColumn { column, classes, missing: self.missing_category(), across: None }
            }
        };
        let across = column.across.as_ref().map(|across| &across.column().groups);
        let mut classes = std::iter::once(&column.classes).chain(across);
        let is_exclude = |name: &String| name == Replacement::EXCLUDE;
        if self.leaves_out_missing()
            && classes.any(|one| one.categories().names().iter().any(is_exclude))
        {
            return Err(Error::parameter(
                option::MISSING,
                "exclude leaves records out, and is also a declared category",
            )
            .with_fix("give the category another name"));
        }
        Ok(Value::Category(column))
    }

    /// Category in which missing cells are counted.
    fn missing_category(&self) -> Option<String> {
        let category = self.missing.as_ref().filter(|missing| !missing.excludes());
        category.map(|Missing(category)| category.clone())
    }

    /// Both columns of a cross table, if their categories are declared.
    fn crossed(&self) -> Result<Option<CategoryColumn>> {
        let Some(ColumnNames(names)) = &self.crosstab else { return Ok(None) };
        let [first, second] = names.as_slice() else {
            return Err(Error::request(option::CROSSTAB, "it is a table of two columns")
                .with_fix(say("name two columns:").set(option::CROSSTAB, "region,sex")));
        };
        let Some(GroupLists(lists)) = &self.categories else { return Ok(None) };
        let other = self.other.as_deref();
        let labels = |Labels(names): &Labels| CategoryRule::labels(names.clone(), other);
        let (classes, groups) = match (lists.as_slice(), &self.bins) {
            ([of_first, of_second], None) => (labels(of_first)?, labels(of_second)?),
            ([of_second], Some(edges)) => {
                (CategoryRule::bins(edges.clone(), other)?, labels(of_second)?)
            }
            (_, None) => {
                return Err(Error::parameter(
                    option::CATEGORIES,
                    "a crosstab has a list for each column",
                )
                .with_fix(
                    say("declare them in the order of the columns:")
                        .set(option::CROSSTAB, "region,sex")
                        .set(option::CATEGORIES, "north,south")
                        .set(option::CATEGORIES, "f,m"),
                ));
            }
            (_, Some(_)) => {
                return Err(Error::parameter(
                    option::CATEGORIES,
                    "the first column of the crosstab has bins, and the second one has no list",
                )
                .with_fix(
                    say("declare those of the second column alone:")
                        .set(option::CROSSTAB, "age,sex")
                        .set(option::BINS, "0,18,65,120")
                        .set(option::CATEGORIES, "f,m"),
                ));
            }
        };
        let missing = self.missing_category();
        let second = GroupColumn { column: second.clone(), groups };
        let across = Across::new(first, &classes, second, missing.as_deref())?;
        let across = Some(Box::new(across));
        Ok(Some(CategoryColumn { column: first.clone(), classes, missing, across }))
    }

    /// Categories that a frequency counts, if they are declared.
    pub(crate) fn counted_categories(&self) -> Result<Option<Categories>> {
        let counted = match self.crossed()? {
            Some(column) => Some(column.counted_categories().clone()),
            None if self.crosstab.is_some() => None,
            None => self.classes()?.map(|classes| classes.categories().clone()),
        };
        let is_divided = self.person.is_some() && self.person_value() != Some(PersonValue::Mode);
        Ok(match is_divided {
            true => counted.map(Categories::divided),
            false => counted,
        })
    }

    /// Name of the column of values, or of both columns of a cross table.
    pub(crate) fn counted_column(&self) -> Option<String> {
        let crossed = self.crosstab.iter().map(|ColumnNames(names)| names.join(", ")).next();
        crossed.or_else(|| self.value.clone())
    }

    /// Texts that stand for empty cells.
    pub(crate) fn nulls(&self) -> Result<Nulls> {
        Nulls::new(self.null.iter().flat_map(|Labels(texts)| texts))
    }

    /// Candidates of quantiles over these bounds.
    pub(crate) fn cells(&self, bounds: Bounds) -> Result<Cells> {
        let cells = match (self.step, self.cells) {
            (Some(step), _) => Cells::with_step(bounds, step)?,
            (None, cells) => Cells::new(cells.unwrap_or(Cells::STEPS))?,
        };
        cells.with_rows(self.rows.unwrap_or(1))
    }

    /// Candidates of quantiles over bounds that are not known yet.
    pub(crate) fn cells_without_bounds(&self) -> Result<Cells> {
        Cells::new(self.cells.unwrap_or(Cells::STEPS))?.with_rows(self.rows.unwrap_or(1))
    }

    /// Declared categories of one column, if there are any.
    fn classes(&self) -> Result<Option<CategoryRule>> {
        let other = self.other.as_deref();
        if self.finds_categories() {
            return self.occurring_classes().map(Some);
        }
        match (&self.categories, &self.bins) {
            (Some(_), Some(_)) => Err(bins_or_categories()),
            (Some(GroupLists(lists)), None) => match lists.as_slice() {
                [Labels(names)] => CategoryRule::labels(names.clone(), other).map(Some),
                _ => Err(Error::parameter(
                    option::CATEGORIES,
                    "there is a list for each of two columns",
                )
                .with_fix(say("name both columns:").set(option::CROSSTAB, "region,sex"))),
            },
            (None, Some(edges)) => CategoryRule::bins(edges.clone(), other).map(Some),
            (None, None) => match self.declared_bounds()? {
                // It checks the bounds of another answer.
                Some(bounds) if self.statistic == StatisticName::Frequency => {
                    CategoryRule::at_bounds(bounds, other).map(Some)
                }
                _ if other.is_some() => Err(no_categories()),
                _ => Ok(None),
            },
        }
    }

    /// Columns whose groups are to be read off the data, if they are not declared.
    pub(crate) fn undeclared_groups(&self) -> Option<&[String]> {
        let (Some(ColumnNames(columns)), Some(GroupLists(lists))) = (&self.group_by, &self.groups)
        else {
            return None;
        };
        let is_auto = |Labels(list): &Labels| list.as_slice() == ["auto"];
        let is_said = lists.len() == 1 || lists.len() == columns.len();
        (is_said && lists.iter().all(is_auto)).then_some(columns)
    }

    /// Copy of the query with these groups declared, which were read off the data.
    pub(crate) fn with_groups(&self, groups: Vec<Labels>) -> Self {
        let groups_of = self.undeclared_groups().map(|columns| columns.join(", "));
        Self { groups: Some(GroupLists(groups)), groups_of, ..self.clone() }
    }

    /// Columns of declared groups, if there are any; groups that are not declared yet are replaced
    /// by placeholders for checks.
    pub(crate) fn groups(&self) -> Result<Option<Grouping>> {
        if let Some(columns) = self.undeclared_groups() {
            if self.neighbors.hides_participation() {
                return Err(Error::request(
                    option::GROUPS,
                    "a list that is read off the data would tell whether anybody is in a group",
                )
                .with_fix(
                    say("declare the groups, from public knowledge:").set(option::GROUPS, "A,B,C"),
                ));
            }
            let placeholders = || Labels(["one", "another"].map(str::to_owned).to_vec());
            return self.with_groups(columns.iter().map(|_| placeholders()).collect()).groups();
        }
        let missing = |option: OptionName, fix: Phrase| {
            Err(Error::parameter(option, "it is needed for releases by group").with_fix(fix))
        };
        let other = self.other_group.as_deref();
        let (ColumnNames(columns), GroupLists(lists)) = match (&self.group_by, &self.groups) {
            (Some(columns), Some(lists)) => (columns, lists),
            (None, None) if other.is_none() => return Ok(None),
            (None, _) => {
                return missing(
                    option::GROUP_BY,
                    say("name the column of groups:").set(option::GROUP_BY, "COL"),
                );
            }
            (_, None) => {
                return missing(
                    option::GROUPS,
                    say("declare the groups:").set(option::GROUPS, "A,B,C"),
                );
            }
        };
        if columns.len() != lists.len() {
            let (columns, lists) = (columns.len(), lists.len());
            return Err(Error::parameter(
                option::GROUPS,
                format!("there are lists of groups for {lists} of {columns} columns"),
            )
            .with_fix(
                say("declare the groups of each column, in the order of")
                    .option(option::GROUP_BY)
                    .say(":")
                    .set(option::GROUP_BY, "region,sex")
                    .set(option::GROUPS, "north,south")
                    .set(option::GROUPS, "f,m")
                    .say("; a comma in the name of a column is written \\,"),
            ));
        }
        let each = columns.iter().zip(lists).map(|(column, Labels(names))| {
            let hint = for_example(option::GROUPS, "north,south")
                .say(";")
                .set(option::OTHER_GROUP, "NAME")
                .say("is a group for all others");
            let groups = CategoryRule::labels(names.clone(), other);
            let groups = groups.map_err(|error| in_option(&error, option::GROUPS, hint.clone()))?;
            Ok(GroupColumn { column: column.clone(), groups })
        });
        Grouping::new(each.collect::<Result<_>>()?).map(Some)
    }

    /// The two groups that are compared, if any are.
    pub(crate) fn compared(&self) -> Result<Option<[GroupName; 2]>> {
        let Some(Labels(named)) = &self.between else { return Ok(None) };
        let refuse = |what: &'static str| {
            let fix = say("name two of the declared groups:")
                .set(option::BETWEEN, "north,south")
                .say("; of several columns for example")
                .set(option::BETWEEN, "north\\, f,south\\, m");
            Err(Error::parameter(option::BETWEEN, what).with_fix(fix))
        };
        let Some(grouping) = self.groups()? else { return refuse("there are no groups") };
        let names: Vec<GroupName> = grouping.names().collect();
        let found: Vec<&GroupName> = named
            .iter()
            .flat_map(|named| names.iter().filter(move |name| name.as_str() == named))
            .collect();
        match found.as_slice() {
            [one, other] if one == other => refuse("it is one group twice"),
            [one, other] if named.len() == 2 => {
                Ok(Some([GroupName::clone(one), GroupName::clone(other)]))
            }
            // They are looked for among those that are found.
            _ if self.undeclared_groups().is_some() => match named.as_slice() {
                [one, other] if one != other => {
                    Ok(Some([one, other].map(|name| GroupName::from(name.as_str()))))
                }
                _ => refuse("these are not two groups"),
            },
            _ => refuse("these are not two of the declared groups"),
        }
    }

    pub(crate) fn column_name(&self) -> Result<String> {
        self.value.clone().ok_or_else(|| {
            Error::parameter(option::VALUE, "no column of values is given")
                .with_fix(say("add").set(option::VALUE, "COL"))
        })
    }

    pub(crate) fn missing_number(&self) -> Result<Option<f64>> {
        let bounds = self.declared_bounds()?;
        self.missing.as_ref().map_or(Ok(None), |missing| missing.number(bounds))
    }

    /// Returns true if records without a value are left out.
    pub(crate) fn leaves_out_missing(&self) -> bool {
        self.missing.as_ref().is_some_and(Missing::excludes)
    }
}

/// Reports a problem with labels under the option that declares them.
pub(super) fn in_option(error: &Error, option: OptionName, fix: Phrase) -> Error {
    Error::parameter(option, error.problem().clone()).with_fix(fix)
}

/// Refusal to find a range where bounds must be declared.
pub(crate) fn needs_bounds() -> Error {
    Error::request(option::BOUNDS, "they must be declared here").with_fix(declare_bounds())
}

/// Refusal of bins beside the categories of one column.
pub(crate) fn bins_or_categories() -> Error {
    Error::request(option::BINS, "values have categories or bins, not both")
        .with_fix("leave one of them out")
}

pub(crate) fn no_categories() -> Error {
    Error::parameter(option::CATEGORIES, "none are declared").with_fix(
        say("add")
            .set(option::CATEGORIES, "A,B,C")
            .say("or")
            .set(option::BINS, "EDGE,EDGE,…")
            .say("from public knowledge"),
    )
}
