//! A thread's part in each of several scans that are made in one pass.

use suum_core::Error;

use crate::read::first_failure::FirstFailures;
use crate::sink::job::Job;
use crate::sink::row_sink::RowSink;

/// A thread's part in one scan.
///
/// `R` turns cells into records, `F` is a failure with its position.
pub(crate) struct Lane<'a, R, F> {
    pub(crate) reader: R,
    pub(crate) collected: RowSink<'a>,
    // The first failure, and the position of its piece.
    failure: Option<(u64, F)>,
}

impl<R, F> Lane<'_, R, F> {
    /// Records a failure in the piece at this position, unless an earlier piece failed.
    pub(crate) fn fail(&mut self, position: u64, failure: F) {
        self.failure = first(self.failure.take(), Some((position, failure)));
    }
}

/// A thread's part in all scans, in their order.
pub(crate) struct Lanes<'a, R, F>(Vec<Lane<'a, R, F>>);

impl<'a, R, F> Lanes<'a, R, F> {
    pub(crate) fn new(jobs: &'a [Job<'a>], reader: impl Fn(&'a Job<'a>) -> R) -> Self {
        let lane = |job| Lane { reader: reader(job), collected: RowSink::new(job), failure: None };
        Self(jobs.iter().map(lane).collect())
    }

    /// Scans to which the piece at this position still matters, with their indices.
    pub(crate) fn concerned<'l>(
        &'l mut self,
        position: u64,
        failed: &'l FirstFailures,
    ) -> impl Iterator<Item = (usize, &'l mut Lane<'a, R, F>)> {
        let lanes = self.0.iter_mut().enumerate();
        lanes.filter(move |(at, _)| !failed.is_moot(*at, position))
    }

    /// Merges in the results of another thread for the same scans.
    pub(crate) fn merge(mut self, other: Self) -> Self {
        for (ours, theirs) in self.0.iter_mut().zip(other.0) {
            ours.collected.merge(theirs.collected);
            ours.failure = first(ours.failure.take(), theirs.failure);
        }
        self
    }

    /// Returns the results of each scan; or the index and first failure of the first scan that has
    /// one.
    pub(crate) fn finish(self) -> Result<Vec<RowSink<'a>>, (usize, F)> {
        let mut all = Vec::with_capacity(self.0.len());
        for (at, lane) in self.0.into_iter().enumerate() {
            match lane.failure {
                Some((_, failure)) => return Err((at, failure)),
                None => all.push(lane.collected),
            }
        }
        Ok(all)
    }
}

fn first<F>(one: Option<(u64, F)>, other: Option<(u64, F)>) -> Option<(u64, F)> {
    one.into_iter().chain(other).min_by_key(|(position, _)| *position)
}

/// Refusal of one of several scans: the first of them, in their order, that would be refused if it
/// were made alone.
#[derive(Debug, Clone, PartialEq)]
pub struct Refusal {
    /// Index among the scans.
    pub scan: usize,
    /// Error of that scan alone.
    pub error: Error,
}

/// Merges the results of one pass per input, one input after the other.
///
/// Once a scan is refused, only those before it matter.
pub(crate) fn in_turn<'a, T>(
    mut jobs: &'a [Job<'a>],
    inputs: impl IntoIterator<Item = T>,
    scan: impl Fn(T, &'a [Job<'a>]) -> Result<Vec<RowSink<'a>>, Refusal>,
) -> Result<Vec<RowSink<'a>>, Refusal> {
    let mut all: Vec<RowSink> = jobs.iter().map(RowSink::new).collect();
    let mut refused = None;
    for input in inputs {
        match scan(input, jobs) {
            Ok(more) => all.iter_mut().zip(more).for_each(|(all, more)| all.merge(more)),
            Err(refusal) => {
                jobs = &jobs[..refusal.scan];
                refused = Some(refusal);
            }
        }
        if jobs.is_empty() {
            break;
        }
    }
    match refused {
        Some(refusal) => Err(refusal),
        None => Ok(all),
    }
}

/// Result of the only scan of a pass.
pub(crate) fn only<'a>(
    collected: Result<Vec<RowSink<'a>>, Refusal>,
) -> suum_core::Result<RowSink<'a>> {
    collected.map_err(|refusal| refusal.error)?.pop().ok_or_else(|| {
        Error::internal("a pass for one scan was made for none")
            .with_fix("please report it, with the options")
    })
}
