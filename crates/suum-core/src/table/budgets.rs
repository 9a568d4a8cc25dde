//! The records of a table at other budgets, or under other names.

use std::collections::HashMap;

use super::{Cohort, LevelTable};
use crate::{Epsilon, Result};

impl LevelTable {
    /// The same records at other budgets, for example at what earlier releases have left of them.
    ///
    /// `budget` says what a record of this tier, if there are tiers, and this budget counts as.
    /// Numeric budgets that become equal become one cohort.
    ///
    /// # Errors
    ///
    /// Refuses more records than a profile can have.
    ///
    /// # Example
    ///
    /// ```
    /// use suum_core::{Cohort, Epsilon, LevelTable, Measure};
    ///
    /// let people = |epsilon, count| -> suum_core::Result<Cohort> {
    ///     let epsilon = Epsilon::new(epsilon)?;
    ///     Ok(Cohort {
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
        let mut cells: Vec<(Cohort, u32)> = Vec::with_capacity(self.cohorts.len());
        let mut places: HashMap<(u64, u32), usize> = HashMap::new();
        for (cohort, stratum) in self.cohorts.into_iter().zip(self.strata) {
            let epsilon = budget(cohort.label.as_deref(), cohort.epsilon);
            let next = cells.len();
            let place = match cohort.label {
                Some(_) => next,
                None => *places.entry((epsilon.get().to_bits(), stratum)).or_insert(next),
            };
            match cells.get_mut(place) {
                Some((same, _)) => same.merge(&cohort),
                None => cells.push((Cohort { epsilon, ..cohort }, stratum)),
            }
        }
        Ok(Self::of_cells(self.column, self.measure, cells)?.about(about))
    }

    /// The same records with other names of their levels; records of equal budgets become one
    /// cohort.
    ///
    /// # Errors
    ///
    /// Refuses the same name for two budgets.
    ///
    /// # Example
    ///
    /// ```
    /// use suum_core::{Cohort, Epsilon, LevelTable, Measure};
    ///
    /// let people = Cohort {
    ///     label: None,
    ///     epsilon: Epsilon::new(0.1)?,
    ///     count: 5,
    ///     sums: vec![],
    ///     cells: Default::default(),
    /// };
    /// let table = LevelTable::new(None, Measure::Nothing, vec![people])?;
    /// let named = table.with_labels(|_| Some("strict".into()))?;
    /// assert_eq!(named.cohorts()[0].label.as_deref(), Some("strict"));
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    pub fn with_labels(mut self, label: impl Fn(Epsilon) -> Option<String>) -> Result<Self> {
        self.cohorts.iter_mut().for_each(|cohort| cohort.label = None);
        let mut table = self.with_budgets(|_, epsilon| epsilon)?;
        table.cohorts.iter_mut().for_each(|cohort| cohort.label = label(cohort.epsilon));
        let about = table.clone_empty();
        let cells = table.cohorts.into_iter().zip(table.strata);
        Ok(Self::of_cells(table.column, table.measure, cells)?.about(about))
    }
}
