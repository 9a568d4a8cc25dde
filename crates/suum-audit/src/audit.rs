//! The audit: searches for an event on some runs, counts it on others, and reports what that shows.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

use suum_core::{Error, Loss, Randomness, Result, for_example, option, say};

use crate::event::Event;
use crate::interval::{EventCount, deviations};
use crate::report::{Evidence, LevelReport, Report, SubjectReport, Verdict};
use crate::search::{Search, Suspicion};
use crate::{Output, Side, Subject};

/// Thoroughness of an audit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// Number of counted releases of either neighbour, for every level. Default: 5000, in which
    /// nearly every specimen is caught.
    pub runs: u64,
    /// Probability, in (0, 1), with which all bounds of a report hold at once; so the probability
    /// of a false alarm is at most 1 minus it. Default: 0.999.
    pub confidence: f64,
    /// Seed; equal seeds give equal reports, on any number of threads. Default: 1.
    pub seed: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self { runs: 5_000, confidence: 0.999, seed: 1 }
    }
}

/// Number of counted runs per run that is searched, for every pair of neighbours.
const SEARCHED: u64 = 8;
/// Least number of runs; fewer show nothing.
const FEWEST: u64 = 100;
/// Number of releases that are drawn at once.
const BATCH: u64 = 1024;

impl Settings {
    fn check(&self) -> Result<()> {
        if self.runs < FEWEST {
            return Err(Error::parameter(option::RUNS, "fewer than 100 say nothing")
                .with_fix(for_example(option::RUNS, "5000")));
        }
        if !(self.confidence > 0.0 && self.confidence < 1.0) {
            return Err(Error::parameter(option::CONFIDENCE, "must be above 0 and below 1")
                .with_fix(for_example(option::CONFIDENCE, "0.999")));
        }
        Ok(())
    }

    /// Number of outputs of either neighbour in which an event is searched.
    fn searched(&self) -> u64 {
        (self.runs / SEARCHED).max(FEWEST)
    }

    /// Probability with which each of the two bounds of a level may be wrong, so that all of them
    /// hold at once.
    fn error(&self, levels: usize) -> f64 {
        (1.0 - self.confidence) / (2.0 * levels.max(1) as f64)
    }
}

/// Progress of an audit, to be watched from another thread.
#[derive(Default)]
pub struct Progress {
    done: AtomicU64,
    total: AtomicU64,
    over: Option<Box<dyn Fn() -> bool + Send + Sync>>,
}

impl Progress {
    /// Progress of an audit that its observer can end: the audit refuses to go on soon after `over`
    /// returns true.
    pub fn until(over: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self { over: Some(Box::new(over)), ..Self::default() }
    }

    /// Number of releases drawn so far.
    pub fn done(&self) -> u64 {
        self.done.load(Ordering::Relaxed)
    }

    /// Number of releases to be drawn; zero before it is known.
    pub fn total(&self) -> u64 {
        self.total.load(Ordering::Relaxed)
    }

    fn check(&self) -> Result<()> {
        match &self.over {
            Some(over) if over() => Err(Error::request("audit", "it was ended before it was done")
                .with_fix(
                    say("let it go on to its end, or draw fewer releases with")
                        .option(option::RUNS),
                )),
            _ => Ok(()),
        }
    }
}

impl fmt::Debug for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Progress")
            .field("done", &self.done)
            .field("total", &self.total)
            .finish_non_exhaustive()
    }
}

/// Runs every subject on its neighbours and reports, for each level, a lower bound on what a record
/// of it really loses.
///
/// For every level an event is searched among thresholds, bins, single values and low-order bits of
/// the outputs, and among pairs of them, over all neighbours of that level. The single most
/// promising event is then counted in new runs, so that no bound suffers from the search.
/// Probabilities are bounded as by Clopper and Pearson, and the confidence is shared by all levels
/// of all subjects: with probability [`confidence`](Settings::confidence) all bounds of the report
/// hold at once.
///
/// # Errors
///
/// Refuses settings out of range, and fails if [`Progress::until`] ends the audit or a subject
/// refuses.
pub fn audit(
    subjects: &[&dyn Subject],
    settings: &Settings,
    progress: &Progress,
) -> Result<Report> {
    settings.check()?;
    let levels = |subject: &dyn Subject| -> Vec<usize> {
        let promises = subject.promises().iter().enumerate();
        let tested = promises.filter(|(_, promise)| promise.certified != Loss::Unlimited);
        tested.map(|(level, _)| level).collect()
    };
    let total: u64 = subjects
        .iter()
        .map(|subject| {
            let tested = levels(*subject);
            let pairs =
                subject.neighbours().iter().filter(|pair| tested.contains(&pair.promise)).count();
            2 * (settings.searched() * pairs as u64 + settings.runs * tested.len() as u64)
        })
        .sum();
    progress.total.store(total, Ordering::Relaxed);
    let error = settings.error(subjects.iter().map(|subject| levels(*subject).len()).sum());
    let randomness = Randomness::insecure(settings.seed);
    let subjects = subjects.iter().enumerate().map(|(at, subject)| {
        let bench = Bench {
            subject: *subject,
            settings,
            error,
            progress,
            randomness: randomness.fork(at as u64),
        };
        let levels: Result<_> =
            (0..subject.promises().len()).map(|level| bench.level(level)).collect();
        Ok(SubjectReport { name: subject.name().to_owned(), levels: levels? })
    });
    let subjects = subjects.collect::<Result<_>>()?;
    Ok(Report {
        runs: settings.runs,
        confidence: settings.confidence,
        seed: settings.seed,
        subjects,
    })
}

/// Subject with the state of its audit.
struct Bench<'a> {
    subject: &'a dyn Subject,
    settings: &'a Settings,
    error: f64,
    progress: &'a Progress,
    randomness: Randomness,
}

impl Bench<'_> {
    fn level(&self, level: usize) -> Result<LevelReport> {
        let promise = &self.subject.promises()[level];
        let pairs: Vec<usize> = (0..self.subject.neighbours().len())
            .filter(|pair| self.subject.neighbours()[*pair].promise == level)
            .collect();
        let exact = pairs
            .iter()
            .filter_map(|pair| self.subject.exact_loss(*pair))
            .max_by(|one, other| one.rounded_up().total_cmp(&other.rounded_up()));
        let evidence = match promise.certified {
            Loss::Unlimited => None,
            Loss::Finite(_) => self.evidence(&pairs, promise.certified.rounded_up())?,
        };
        let verdict = verdict(
            &promise.certified,
            promise.certified.within(promise.allowed),
            &exact,
            &evidence,
        );
        Ok(LevelReport {
            level: promise.level.clone(),
            allowed: promise.allowed,
            certified: promise.certified.clone(),
            exact,
            evidence,
            verdict,
        })
    }

    /// Counts the most promising event of these pairs; `None` if none of them ever released
    /// anything.
    fn evidence(&self, pairs: &[usize], promised: f64) -> Result<Option<Evidence>> {
        let mut best: Option<(usize, Suspicion)> = None;
        let mut released = false;
        for pair in pairs {
            let outputs =
                |side| self.draw(*pair, side, 0, self.settings.searched(), |output| output);
            let (one, other) = (outputs(Side::One)?, outputs(Side::Other)?);
            released |= one.iter().chain(&other).any(|output| *output != Output::Refused);
            let search = Search::new(&one, &other, self.settings.runs, deviations(self.error));
            if let Some(found) = search.best()
                && best.as_ref().is_none_or(|(_, best)| found.score > best.score)
            {
                best = Some((*pair, found));
            }
        }
        let Some((pair, suspicion)) = best.filter(|_| released) else { return Ok(None) };
        let (often, seldom) = match suspicion.likelier {
            Side::One => (Side::One, Side::Other),
            Side::Other => (Side::Other, Side::One),
        };
        let (often, seldom) = (
            self.count(pair, often, &suspicion.event)?,
            self.count(pair, seldom, &suspicion.event)?,
        );
        let evidence = Evidence {
            difference: self.subject.neighbours()[pair].difference.clone(),
            event: suspicion.event.to_string(),
            likelier: suspicion.likelier,
            often: often.times,
            seldom: seldom.times,
            at_least: often.at_least(self.error),
            at_most: seldom.at_most(self.error),
            loss: 0.0,
            delta: 0.0,
        };
        let (loss, delta) = (evidence.lost(), evidence.delta_at(promised));
        Ok(Some(Evidence { loss, delta, ..evidence }))
    }

    fn count(&self, pair: usize, side: Side, event: &Event) -> Result<EventCount> {
        let runs = self.settings.runs;
        let held = self.draw(pair, side, 1, runs, |output| event.holds(&output))?;
        Ok(EventCount { times: held.iter().filter(|held| **held).count() as u64, runs })
    }

    /// Draws `runs` releases and applies `see` to each. Every release has randomness of its own,
    /// determined by its position, whichever thread draws it.
    fn draw<T>(
        &self,
        pair: usize,
        side: Side,
        purpose: u64,
        runs: u64,
        see: impl Fn(Output) -> T,
    ) -> Result<Vec<T>> {
        let place = (pair as u64 * 2 + u64::from(side == Side::Other)) * 2 + purpose;
        let randomness = self.randomness.fork(place);
        let mut seen = Vec::new();
        for start in (0..runs).step_by(BATCH as usize) {
            self.progress.check()?;
            let batch = start..runs.min(start + BATCH);
            let size = batch.end - batch.start;
            seen.extend(
                self.subject.releases(pair, side, batch, &randomness)?.into_iter().map(&see),
            );
            self.progress.done.fetch_add(size, Ordering::Relaxed);
        }
        match seen.len() as u64 == runs {
            true => Ok(seen),
            false => Err(Error::internal(
                "audit: a subject made more or fewer releases than it was asked for",
            )),
        }
    }
}

fn verdict(
    certified: &Loss,
    allowed: bool,
    exact: &Option<Loss>,
    evidence: &Option<Evidence>,
) -> Verdict {
    let Loss::Finite(promised) = certified else {
        return if allowed { Verdict::NothingPromised } else { Verdict::Broken };
    };
    let beyond = match exact {
        Some(Loss::Finite(exact)) => exact > promised,
        Some(Loss::Unlimited) => true,
        None => false,
    };
    let seen = evidence.as_ref().is_some_and(|evidence| evidence.loss > certified.rounded_up());
    match evidence {
        _ if beyond || seen || !allowed => Verdict::Broken,
        Some(_) => Verdict::NotDisproved,
        None => Verdict::NothingReleased,
    }
}
