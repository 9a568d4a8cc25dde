//! Builder methods of a job in Rust.

use suum_data::Tiers;

use super::Job;
use crate::query::{ColumnNames, GroupLists, Labels, Query, Range};
use crate::statistic::StatisticName;

impl Job {
    /// Reads numeric budgets ε from this column.
    #[must_use]
    pub fn epsilon(mut self, column: impl Into<String>) -> Self {
        self.query.epsilon = Some(column.into());
        self
    }

    /// Reads consent tiers from this column.
    #[must_use]
    pub fn tiers(mut self, column: impl Into<String>, tiers: Tiers) -> Self {
        self.query.privacy = Some(column.into());
        self.query.levels = Some(tiers);
        self
    }

    /// Identifies persons by this column, if people can have many rows.
    #[must_use]
    pub fn person(mut self, column: impl Into<String>) -> Self {
        self.query.person = Some(column.into());
        self
    }

    /// Makes one release for each of these groups.
    #[must_use]
    pub fn group_by(
        mut self,
        column: impl Into<String>,
        groups: impl IntoIterator<Item = impl Into<String>>,
    ) -> Self {
        let groups = Labels(groups.into_iter().map(Into::into).collect());
        self.query.group_by = Some(ColumnNames(vec![column.into()]));
        self.query.groups = Some(groups.into());
        self
    }

    /// Makes one release for each combination of the groups of these columns.
    ///
    /// # Example
    ///
    /// ```
    /// let job = suum::query("people.csv")
    ///     .epsilon("eps")
    ///     .group_by_each([("region", ["north", "south"]), ("sex", ["f", "m"])]);
    /// assert_eq!(
    ///     job.command(),
    ///     "suum count DATA --epsilon eps --group-by region,sex --groups north,south \
    ///         --groups f,m"
    /// );
    /// ```
    #[must_use]
    pub fn group_by_each<C: Into<String>, G: Into<String>>(
        mut self,
        columns: impl IntoIterator<Item = (C, impl IntoIterator<Item = G>)>,
    ) -> Self {
        let (names, lists) = columns
            .into_iter()
            .map(|(name, groups)| {
                (name.into(), Labels(groups.into_iter().map(Into::into).collect()))
            })
            .unzip();
        self.query.group_by = Some(ColumnNames(names));
        self.query.groups = Some(GroupLists(lists));
        self
    }

    /// Keeps the shares of the strata in this column: those of the records.
    #[must_use]
    pub fn strata(
        mut self,
        column: impl Into<String>,
        classes: impl IntoIterator<Item = impl Into<String>>,
    ) -> Self {
        self.query.strata = Some(column.into());
        self.query.classes = Some(Labels(classes.into_iter().map(Into::into).collect()));
        self
    }

    /// Changes any field of the query.
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut Query)) -> Self {
        change(&mut self.query);
        self
    }

    /// Asks for the mean of a column: of values in this range, or in one to be found.
    #[must_use]
    pub fn mean(self, column: impl Into<String>, range: impl Into<Range>) -> Self {
        self.with_numbers(StatisticName::Mean, column, range)
    }

    /// Asks for the sum of a column of values in this range; of [persons](Self::person) it is that
    /// of their totals.
    #[must_use]
    pub fn sum(self, column: impl Into<String>, range: impl Into<Range>) -> Self {
        self.with_numbers(StatisticName::Sum, column, range)
    }

    /// Asks for the median of a column of values in this range.
    #[must_use]
    pub fn median(self, column: impl Into<String>, range: impl Into<Range>) -> Self {
        self.with_numbers(StatisticName::Quantile, column, range)
    }

    /// Asks for the variance of a column of values in this range.
    #[must_use]
    pub fn variance(self, column: impl Into<String>, range: impl Into<Range>) -> Self {
        self.with_numbers(StatisticName::Plain(suum_core::Estimand::Variance), column, range)
    }

    /// Asks for the share of each of these categories in a column.
    #[must_use]
    pub fn frequency(
        mut self,
        column: impl Into<String>,
        categories: impl IntoIterator<Item = impl Into<String>>,
    ) -> Self {
        self.query.statistic = StatisticName::Frequency;
        self.query.value = Some(column.into());
        let categories = Labels(categories.into_iter().map(Into::into).collect());
        self.query.categories = Some(categories.into());
        self
    }

    /// Asks for the share of each pair of categories of two columns, and for both margins.
    ///
    /// # Example
    ///
    /// ```
    /// let columns = [("region", vec!["north", "south"]), ("sex", vec!["f", "m"])];
    /// let job = suum::query("people.csv").crosstab(columns).epsilon("eps");
    /// assert_eq!(
    ///     job.command(),
    ///     "suum frequency DATA --crosstab region,sex --categories north,south --categories f,m \
    ///         --epsilon eps"
    /// );
    /// ```
    #[must_use]
    pub fn crosstab<L: Into<String>>(
        mut self,
        columns: [(impl Into<String>, impl IntoIterator<Item = L>); 2],
    ) -> Self {
        let columns = columns.map(|(column, labels)| {
            (column.into(), Labels(labels.into_iter().map(Into::into).collect()))
        });
        let (names, labels) = columns.into_iter().unzip();
        self.query.statistic = StatisticName::Frequency;
        self.query.crosstab = Some(ColumnNames(names));
        self.query.categories = Some(GroupLists(labels));
        self
    }

    /// Asks for this statistic of a column of numbers in this range.
    #[must_use]
    pub fn with_numbers(
        mut self,
        asked: StatisticName,
        column: impl Into<String>,
        range: impl Into<Range>,
    ) -> Self {
        self.query.statistic = asked;
        self.query.value = Some(column.into());
        self.query.bounds = Some(range.into());
        self
    }
}
