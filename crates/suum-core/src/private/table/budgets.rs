//! Level tables with other budgets, or with other names of levels.

use std::collections::BTreeMap;

use super::{LevelSums, LevelTable};
use crate::{Epsilon, Result};

impl LevelTable {
    /// Returns the table with other budgets for its records, such as what earlier releases have
    /// left.
    ///
    /// `budget` returns the new budget of a record, given its tier, if there are tiers, and its
    /// budget. Numeric budgets that become equal are merged into one level.
    ///
    /// # Errors
    ///
    /// Refuses more records than a profile can have.
    ///
    /// # Example
    ///
    /// ```
    /// use suum_core::{Epsilon, LevelSums, LevelTable, Measure};
    ///
    /// let people = |epsilon, count| -> suum_core::Result<LevelSums> {
    ///     let epsilon = Epsilon::new(epsilon)?;
    ///     Ok(LevelSums {
    ///         label: None,
    ///         epsilon,
    ///         count,
    ///         sums: vec![],
    ///         cells: Default::default(),
    ///     })
    /// };
    /// let table = LevelTable::new(
    ///     None,
    ///     Measure::Nothing,
    ///     vec![people(0.1, 5)?, people(0.5, 2)?, people(1.0, 3)?],
    /// )?;
    /// let most = Epsilon::new(0.3)?;
    /// assert_eq!(
    ///     table.with_budgets(|_, epsilon| epsilon.min(most))?.profile()?.to_string(),
    ///     "0.1:5,0.3:5"
    /// );
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    pub fn with_budgets(self, budget: impl Fn(Option<&str>, Epsilon) -> Epsilon) -> Result<Self> {
        let about = self.clone_empty();
        let mut stratified: Vec<(LevelSums, u32)> = Vec::with_capacity(self.by_level.len());
        let mut places: BTreeMap<(Epsilon, u32), usize> = BTreeMap::new();
        for (level_sums, stratum) in self.by_level.into_iter().zip(self.strata) {
            let epsilon = budget(level_sums.label.as_deref(), level_sums.epsilon);
            let next = stratified.len();
            let place = match level_sums.label {
                Some(_) => next,
                None => *places.entry((epsilon, stratum)).or_insert(next),
            };
            match stratified.get_mut(place) {
                Some((same, _)) => same.merge(&level_sums),
                None => stratified.push((LevelSums { epsilon, ..level_sums }, stratum)),
            }
        }
        Ok(Self::with_strata(self.column, self.measure, stratified)?.about(about))
    }

    /// Returns the table with other names of its levels; records of equal budgets are merged into
    /// one level.
    ///
    /// # Errors
    ///
    /// Refuses the same name for two budgets.
    ///
    /// # Example
    ///
    /// ```
    /// use suum_core::{Epsilon, LevelSums, LevelTable, Measure};
    ///
    /// let people = LevelSums {
    ///     label: None,
    ///     epsilon: Epsilon::new(0.1)?,
    ///     count: 5,
    ///     sums: vec![],
    ///     cells: Default::default(),
    /// };
    /// let table = LevelTable::new(None, Measure::Nothing, vec![people])?;
    /// let named = table.with_labels(|_| Some("strict".into()))?;
    /// assert_eq!(named.by_level()[0].label.as_deref(), Some("strict"));
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    pub fn with_labels(mut self, label: impl Fn(Epsilon) -> Option<String>) -> Result<Self> {
        self.by_level.iter_mut().for_each(|level_sums| level_sums.label = None);
        let mut table = self.with_budgets(|_, epsilon| epsilon)?;
        table
            .by_level
            .iter_mut()
            .for_each(|level_sums| level_sums.label = label(level_sums.epsilon));
        let about = table.clone_empty();
        let stratified = table.by_level.into_iter().zip(table.strata);
        Ok(Self::with_strata(table.column, table.measure, stratified)?.about(about))
    }
}
