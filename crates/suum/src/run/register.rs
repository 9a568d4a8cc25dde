//! The register of choices of a job, once it was read.

use std::sync::Arc;

use suum_data::{Consent, Tiers};

use super::Task;
use crate::AsOf;
use crate::accountant::ReadRegister;

/// Register that was read for all answers of a job.
pub(crate) struct RegisterReading {
    pub(super) consent: Arc<Consent>,
    /// Time of the query; `None` for permanent choices.
    pub(super) as_of: Option<AsOf>,
}

/// Returns the register as the ledger is told of it. Permanent choices are those of now, and hold
/// like decisions without a date: they lower accounts of persons, and raise none.
pub(super) fn read_register(task: &Task<'_>) -> Option<ReadRegister> {
    let RegisterReading { consent, as_of } = task.consent.get()?;
    let as_of = as_of.unwrap_or_else(AsOf::now);
    let own =
        |tiers: &Tiers| tiers.iter().map(|(label, epsilon)| (label.to_owned(), epsilon)).collect();
    Some(ReadRegister {
        consent: Arc::clone(consent),
        tiers: task.tiers.as_ref().or(task.query.levels.as_ref()).map(own).unwrap_or_default(),
        as_of: as_of.to_string(),
        not_used: task.noted.not_used_by_reason(),
    })
}
