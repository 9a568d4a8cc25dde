//! Losses of releases and plans as ρ.

use super::Memberships;
use crate::certificate::verify::Description;
use crate::private::session::Measurement;
use crate::{
    Epsilon, LevelEntry, LevelName, Loss, MeasurementEntry, Neighbors, Plan, Release, Releases,
    Rho, Spending,
};

impl Plan {
    /// Returns an upper bound on the ρ that one record with this budget loses.
    ///
    /// It is that of the noise if everything is measured at once. If answers decide what is
    /// measured, it is that of any mechanism with the same loss.
    ///
    /// # Example
    ///
    /// ```
    /// use suum_core::{Bounds, Loss, Options, Plan, Rho, Statistic, WeightedRequest};
    ///
    /// let request = WeightedRequest::new(Statistic::Sum, Bounds::UNIT, Options::default())?;
    /// let plan = Plan::from(request.plan("1:5000".parse()?)?);
    /// let rho = plan.rho_of("1".parse()?);
    /// assert!(rho < Rho::for_pure(&Loss::ratio(1, 1)) && rho.get() > 0.36);
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    pub fn rho_of(&self, allowed: Epsilon) -> Rho {
        let loss = self.loss_of(allowed);
        let pure = Rho::for_pure(&loss);
        let Self::Weighted(plan) = self else { return pure };
        if plan.adaptive().is_some() {
            return pure;
        }
        let (measurement, neighbors) = (plan.measurement(), Neighbors::ReplaceOne);
        let Description { question, distribution, sensitivity, scale } =
            measurement.description(neighbors);
        let level = measurement.level(allowed);
        let levels = Vec::new();
        let entry =
            MeasurementEntry { question, neighbors, distribution, sensitivity, scale, levels };
        if entry.loss(&level) == loss { entry.rho(&level).min(pure) } else { pure }
    }
}

impl Release {
    /// Returns the cost of the release for a record of this row of its certificate, as ρ.
    ///
    /// It is the sum over the measurements, unless their losses do not add up to that of the row:
    /// then only that loss is used.
    pub fn rho(&self, line: &Spending) -> Rho {
        let pure = Rho::for_pure(&line.spent);
        let (mut loss, mut rho) = (Loss::ZERO, Rho::ZERO);
        for entry in &self.measurements {
            let Some(level) = level(entry, line.epsilon) else { return pure };
            loss = loss.plus(&entry.loss(level));
            rho = rho.plus(entry.rho(level));
        }
        if loss == line.spent { rho.min(pure) } else { pure }
    }
}

fn level(entry: &MeasurementEntry, epsilon: Epsilon) -> Option<&LevelEntry> {
    entry.levels.iter().find(|level| level.epsilon == epsilon)
}

impl Releases {
    /// Returns the cost of every row of the [certificate](Self::certificate), as ρ: for groups the
    /// total of the largest among as many of them as a record counts in; for several answers the
    /// sum.
    ///
    /// # Example
    ///
    /// ```
    /// use suum_core::{LevelTable, Measure, Options, Release, Releases};
    ///
    /// let nobody = LevelTable::possibly_empty(None, Measure::Nothing, vec![])?;
    /// let count = Releases::from(Release::count(&nobody, &Options::default())?);
    /// assert!(count.rho().is_empty());
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    pub fn rho(&self) -> Vec<Rho> {
        if let Self::Survey(survey) = self {
            return survey.rho().to_vec();
        }
        let certificate = self.certificate();
        let one = Memberships::One;
        let (memberships, neighbors) = match self {
            Self::Groups(groups) => (groups.memberships(), groups.neighbors()),
            Self::One(_) | Self::Survey(_) => (&one, Neighbors::ReplaceOne),
        };
        let mut groups: Vec<Vec<(&LevelName, Epsilon, Rho)>> = Vec::new();
        for release in self.iter() {
            let rows = release.privacy.iter();
            groups.push(rows.map(|row| (&row.level, row.epsilon, release.rho(row))).collect());
        }
        memberships.rho(neighbors, &certificate, &groups)
    }
}
