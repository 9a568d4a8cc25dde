//! Parts of a release: each requested answer, followed by the check of its bounds if it is
//! requested.

use suum_core::{Error, Result, Share};

use crate::query::{Query, place};
use crate::{Job, Population};

/// Answer of a release, or the check of the bounds of the answer before it.
pub(super) struct Part {
    pub(super) job: Job,
    /// Index of its answer among several; `None` for a single one.
    at: Option<usize>,
    /// Declared part of every budget of its answer.
    pub(super) declared: Option<f64>,
    /// Part of its answer's budget that it may spend.
    of_answer: Share,
    pub(super) checks_bounds: bool,
}

impl Part {
    /// All parts of a job, in order.
    ///
    /// # Errors
    ///
    /// Refuses bounds that cannot be checked.
    pub(super) fn all(job: &Job) -> Result<Vec<Self>> {
        if job.answers.is_empty() {
            return Self::of_one(job.clone(), None, None);
        }
        let mut all = Vec::with_capacity(job.answers.len());
        for (at, (one, answer)) in job.each().zip(&job.answers).enumerate() {
            let parts = Self::of_one(one, Some(at), answer.share);
            all.extend(parts.map_err(|refused| refused.within(place(at)))?);
        }
        Ok(all)
    }

    fn of_one(job: Job, at: Option<usize>, declared: Option<f64>) -> Result<Vec<Self>> {
        let of =
            |job, of_answer, checks_bounds| Self { job, at, declared, of_answer, checks_bounds };
        let Some(check) = job.query.bounds_check()? else {
            return Ok(vec![of(job, Share::ALL, false)]);
        };
        let parts = Share::split(&[1.0 - check.share, check.share])?;
        let check = Job { query: check.query, ..job.clone() };
        let both = [(job, false), (check, true)].into_iter().zip(parts);
        Ok(both.map(|((job, checks_bounds), part)| of(job, part, checks_bounds)).collect())
    }

    /// Index of the requested answer that it belongs to.
    pub(super) fn at(&self) -> usize {
        self.at.unwrap_or(0)
    }

    /// Refusal of a part, with its answer if there are several.
    pub(super) fn within(&self, refused: Error) -> Error {
        match self.at {
            Some(at) => refused.within(place(at)),
            None => refused,
        }
    }

    /// Population that it is planned for; a check has no values to simulate, and no what-if
    /// population.
    pub(super) fn population(&self, all: &Population) -> Population {
        match self.checks_bounds {
            true => Population { profile: all.profile.clone(), ..Population::default() },
            false => all.clone(),
        }
    }

    /// Sets the budget of each check to its part of its answer's, once all of these are known.
    ///
    /// # Errors
    ///
    /// Refuses parts that are too small.
    pub(super) fn settle(parts: &[&Self], queries: &mut [&mut Query]) -> Result<()> {
        let mut whole = Share::ALL;
        for (part, query) in parts.iter().zip(queries) {
            if !part.checks_bounds {
                whole = query.part;
            }
            query.part = whole.times(part.of_answer)?;
        }
        Ok(())
    }
}
