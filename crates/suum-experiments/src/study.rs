//! Run of an experiment: simulations of its size, with their progress.

use std::cell::Cell;

use serde::de::DeserializeOwned;
use suum::simulation::{Data, Errors, Simulation};
use suum::{Candidate, Result, WeightedPlan};

use crate::contest::Contest;
use crate::effort::{Effort, Progress};
use crate::outcome::{Finding, Outcome, Panel};
use crate::sheet::Sheet;

/// Run of the experiment whose parameters are `P`.
pub(crate) struct Study<'a, P> {
    pub(crate) sheet: Sheet<P>,
    pub(crate) effort: &'a Effort,
    pub(crate) trials: usize,
    progress: &'a Progress,
    work: Cell<u64>,
}

/// Number of pieces in which a simulation is run, so that its progress is visible.
const PIECES: usize = 20;

impl<'a, P: DeserializeOwned> Study<'a, P> {
    pub(crate) fn new(sheet: &str, effort: &'a Effort, progress: &'a Progress) -> Result<Self> {
        let sheet = Sheet::read(sheet)?;
        Ok(Self {
            trials: sheet.trials.get(effort.trials),
            sheet,
            effort,
            progress,
            work: Cell::new(0),
        })
    }

    /// Sets the total work, in a unit of the experiment's own.
    pub(crate) fn expect(&self, work: u64) {
        self.progress.begin(work * PIECES as u64);
    }

    /// Sets the work of the next simulation.
    pub(crate) fn next(&self, work: u64) {
        self.work.set(work);
    }

    /// Counts work that was done without a simulation.
    pub(crate) fn did(&self, work: u64) {
        self.progress.advance(work * PIECES as u64);
    }

    /// Errors of several means of the same data, unclamped as in exact risks.
    pub(crate) fn means(
        &self,
        point: u64,
        contenders: &[(&WeightedPlan, &Candidate)],
        data: &Data<f64>,
    ) -> Result<Vec<Errors>> {
        self.in_pieces(point, self.trials, contenders.len(), |simulation| {
            Simulation { released: false, ..simulation }.means(contenders, data)
        })
    }

    /// Errors of several means of the same data, as released.
    pub(crate) fn means_released(
        &self,
        point: u64,
        trials: usize,
        contenders: &[(&WeightedPlan, &Candidate)],
        data: &Data<f64>,
    ) -> Result<Vec<Errors>> {
        self.in_pieces(point, trials, contenders.len(), |simulation| {
            simulation.means(contenders, data)
        })
    }

    /// Errors of several frequencies of the same data, as released.
    pub(crate) fn frequencies(
        &self,
        point: u64,
        trials: usize,
        contenders: &[(&WeightedPlan, &Candidate)],
        data: &Data<usize>,
    ) -> Result<Vec<Errors>> {
        self.in_pieces(point, trials, contenders.len(), |simulation| {
            simulation.frequencies(contenders, data)
        })
    }

    /// Simulates piece by piece, each from a seed of its own.
    fn in_pieces(
        &self,
        point: u64,
        trials: usize,
        contenders: usize,
        simulate: impl Fn(Simulation) -> Result<Vec<Errors>>,
    ) -> Result<Vec<Errors>> {
        let mut all: Vec<Vec<f64>> = vec![Vec::with_capacity(trials); contenders];
        for piece in 0..PIECES {
            let part = (piece + 1) * trials / PIECES - piece * trials / PIECES;
            if part > 0 {
                let seed = self.seed(point, piece as u64);
                let errors = simulate(Simulation { trials: part, seed, released: true })?;
                for (all, errors) in all.iter_mut().zip(errors) {
                    all.extend_from_slice(errors.all());
                }
            }
            self.progress.advance(self.work.get());
        }
        Ok(all.into_iter().map(Errors::new).collect())
    }

    /// Seed for one piece of one point, far from all others.
    pub(crate) fn seed(&self, point: u64, piece: u64) -> u64 {
        (self.sheet.seed << 40) ^ (point << 20) ^ piece
    }

    pub(crate) fn outcome(
        self,
        id: &'static str,
        panels: Vec<Panel>,
        findings: Vec<Finding>,
        contest: Contest,
    ) -> Outcome {
        let Sheet { title, source, published, notes, seed, exceptions, .. } = self.sheet;
        let contest = contest.explained(&exceptions);
        Outcome {
            id,
            title,
            source,
            published,
            notes,
            trials: self.trials,
            seed,
            panels,
            findings,
            contest,
        }
    }
}
