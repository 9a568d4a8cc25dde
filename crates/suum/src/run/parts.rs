//! Parts of a release: each requested answer, with what is released beside it.

use suum_core::{AnswerRole, Error, Result, Share};

use crate::query::{Query, place};
use crate::{Job, Population};

/// Answer of a release, the check of the bounds of the answer before it, or the sizes of the groups
/// of the answer behind it.
pub(super) struct Part {
    pub(super) job: Job,
    /// Index of its answer among several; `None` for a single one.
    at: Option<usize>,
    /// Declared part of every budget of its answer.
    pub(super) declared: Option<f64>,
    /// Part of its answer's budget that it may spend.
    of_answer: Share,
    pub(super) role: AnswerRole,
}

impl Part {
    /// All parts of a job, in order.
    ///
    /// # Errors
    ///
    /// Refuses bounds that cannot be checked.
    pub(super) fn all(job: &Job) -> Result<Vec<Self>> {
        if job.answers.is_empty() {
            return Self::from_job(job.clone(), None, None);
        }
        let mut all = Vec::with_capacity(job.answers.len());
        for (at, (one, answer)) in job.each().zip(&job.answers).enumerate() {
            let parts = Self::from_job(one, Some(at), answer.share);
            all.extend(parts.map_err(|refused| refused.within(place(at)))?);
        }
        Ok(all)
    }

    fn from_job(job: Job, at: Option<usize>, declared: Option<f64>) -> Result<Vec<Self>> {
        let part = |job, of_answer, role| Self { job, at, declared, of_answer, role };
        let (role, beside) = match (job.query.bounds_check()?, job.query.group_sizes()) {
            (Some(check), _) => (AnswerRole::BoundsCheck, check),
            (None, Some(sizes)) => (AnswerRole::GroupSizes, sizes),
            (None, None) => return Ok(vec![part(job, Share::ALL, AnswerRole::Requested)]),
        };
        let shares = Share::split(&[1.0 - beside.share, beside.share])?;
        let beside = Job { query: beside.query, ..job.clone() };
        let both = [(job, AnswerRole::Requested), (beside, role)].into_iter().zip(shares);
        let mut parts: Vec<Self> =
            both.map(|((job, role), share)| part(job, share, role)).collect();
        if role == AnswerRole::GroupSizes {
            // Sizes decide which groups have an answer.
            parts.reverse();
        }
        Ok(parts)
    }

    /// Returns true if it was requested, and is not released beside an answer.
    pub(super) fn is_requested(&self) -> bool {
        self.role == AnswerRole::Requested
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

    /// Population that it is planned for; what is released beside an answer has no values to
    /// simulate, and no what-if population.
    pub(super) fn population(&self, all: &Population) -> Population {
        match self.is_requested() {
            true => all.clone(),
            false => Population { profile: all.profile.clone(), ..Population::default() },
        }
    }

    /// Divides the budget of each answer between it and what is released beside it, once all of
    /// these are known.
    ///
    /// # Errors
    ///
    /// Refuses parts that are too small.
    pub(super) fn settle(parts: &[&Self], queries: &mut [&mut Query]) -> Result<()> {
        let requested = parts.iter().zip(queries.iter()).filter(|(part, _)| part.is_requested());
        let wholes: Vec<(usize, Share)> =
            requested.map(|(part, query)| (part.at(), query.part)).collect();
        for (part, query) in parts.iter().zip(queries) {
            let whole = wholes.iter().find(|(at, _)| *at == part.at());
            query.part = whole.map_or(Share::ALL, |(_, whole)| *whole).times(part.of_answer)?;
        }
        Ok(())
    }
}
