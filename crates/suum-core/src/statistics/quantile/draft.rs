//! A plan with one way to divide the budget among the estimates, and which of them to take.

use std::cell::OnceCell;

use super::basis::Basis;
use super::candidate::QuantileCandidate;
use super::comparison::Comparison;
use super::division::Division;
use super::histogram::Fineness;
use super::place::{Place, half_of_longest};
use super::questions::{questions, slack};
use super::slack::Slack;
use super::{QuantileEstimator, QuantileMethod, QuantileRequest, Rank};
use crate::least::first_least;
use crate::{Error, RankQuestions, RankTree, Result, Setting};

/// The parts of the budget that buy intervals, unless told otherwise, the first that is affordable;
/// and by what factor they may enlarge the expected error.
const USUAL_SHARES: [f64; 4] = [0.5, 0.4, 0.3, 0.2];
const AFFORDABLE: f64 = 1.25;

/// How many times as long, as a rule, an interval is that is drawn around its estimate, since both
/// of its sides are as long as the longer one.
const SYMMETRY: f64 = 1.25;

/// Which way to take: of those with an expected error of at most 1.25 times the least the one with
/// the shortest intervals, or if none has any, that of the least error.
///
/// A named estimator does not change the comparison.
pub(super) fn best(drafts: &[Draft<'_>], request: &QuantileRequest, setting: &Setting) -> usize {
    if drafts.len() < 2 {
        return 0;
    }
    let least = drafts.iter().map(|draft| draft.least).fold(f64::INFINITY, f64::min);
    let half_width = |draft: &Draft<'_>| match draft.division {
        Division::Histogram { steps } => {
            let noise = draft.chosen.weights.noise(&setting.profile);
            // Without noise quantiles themselves are known.
            if noise == 0.0 {
                return f64::INFINITY;
            }
            Fineness::new(noise, *steps).half_width(draft.slack(request, setting), noise)
        }
        _ if draft.places.iter().all(Place::has_end) => {
            let ranks: Vec<Rank> = draft.questions.ranks().collect();
            SYMMETRY * half_of_longest(&draft.places, &ranks, 0.0)
        }
        _ => f64::INFINITY,
    };
    let own = |draft: &Draft<'_>| draft.comparison.least();
    let lengths = drafts.iter().map(|draft| match own(draft) <= most(least) {
        true => half_width(draft).min(0.5),
        false => f64::INFINITY,
    });
    let lengths: Vec<f64> = lengths.collect();
    let shortest = lengths.iter().copied().fold(f64::INFINITY, f64::min);
    match request.options().interval_share {
        None if shortest < 0.5 => first_least(lengths),
        _ => first_least(drafts.iter().map(own)),
    }
}

/// The ways that a plan compares: one quantile has nothing to share.
pub(super) fn ways(request: &QuantileRequest) -> Result<Vec<Division>> {
    let (ranks, options) = (request.ranks(), request.options());
    let histogram = Division::Histogram { steps: request.cells().steps() };
    // The levels of `mixed` have no histogram together.
    let mixed = request.estimator() == Some(QuantileEstimator::Mixed);
    let recursion = || Division::recursion(ranks, RankTree::cost);
    Ok(match (ranks.len(), options.method) {
        (_, Some(QuantileMethod::Histogram)) if mixed => {
            return Err(Error::parameter("method: mixed has a quantile of every level alone")
                .with_hint("leave out the method, or the estimator"));
        }
        (_, Some(QuantileMethod::Histogram)) => vec![histogram],
        (1, Some(_)) | (_, Some(QuantileMethod::Even)) => vec![Division::Even],
        (_, Some(QuantileMethod::Recursion)) => vec![recursion()?],
        (quantiles, None) => {
            let mut all = vec![Division::Even];
            if quantiles > 1 {
                all.push(recursion()?);
            }
            // Its intervals cost nothing: that is the point of it for one quantile.
            let is_of_use = match options.interval_share {
                None => true,
                Some(share) => share == 0.0 && quantiles > 1,
            };
            if is_of_use && !mixed {
                all.push(histogram);
            }
            all
        }
    })
}

/// What the estimators risk without intervals, where the budget is divided in each of these ways:
/// of those ways that may be taken.
///
/// One whose least risk is more than is affordable beside that of another one has no intervals that
/// count, and more risk than the other one has with the intervals that it may have.
pub(super) fn compared<'a>(
    request: &QuantileRequest,
    basis: &'a Basis<'a>,
    ways: &'a [Division],
) -> Vec<Comparison<'a>> {
    let mut all: Vec<Comparison<'a>> =
        ways.iter().map(|way| Comparison::new(basis, 0.0, way)).collect();
    let least = all.iter().map(Comparison::least).fold(f64::INFINITY, f64::min);
    if request.estimator().is_none() && request.options().interval_share.is_none() {
        all.retain(|one| one.least() <= most(least));
    }
    all
}

/// The largest risk that is affordable where another one is this.
fn most(least: f64) -> f64 {
    // It may be exactly as much, up to rounding.
    AFFORDABLE * AFFORDABLE * (1.0 + 1e-9) * least
}

/// A plan with one way to divide the budget among the estimates.
pub(super) struct Draft<'a> {
    pub(super) division: &'a Division,
    pub(super) comparison: Comparison<'a>,
    pub(super) chosen: QuantileCandidate,
    pub(super) questions: RankQuestions,
    pub(super) places: Vec<Place>,
    pub(super) interval_share: f64,
    /// The least risk without intervals.
    least: f64,
    /// How intervals are read off a histogram, once it is asked for.
    slack: OnceCell<Slack>,
}

impl<'a> Draft<'a> {
    pub(super) fn new(
        request: &QuantileRequest,
        setting: &Setting,
        basis: &'a Basis<'a>,
        without: Comparison<'a>,
    ) -> Self {
        let (division, least) = (without.division(), without.least());
        let asked = request.options().interval_share;
        let shares: &[f64] = match (division, &asked) {
            // Its intervals cost nothing.
            (Division::Histogram { .. }, _) => &[],
            (_, Some(share)) => std::slice::from_ref(share),
            (_, None) => &USUAL_SHARES,
        };
        let draft = |comparison: Comparison<'a>, interval_share: f64| {
            let chosen = comparison.candidate(comparison.chosen());
            let (questions, places) =
                questions(request, setting, &chosen, interval_share, division);
            let slack = OnceCell::new();
            Self { division, comparison, chosen, questions, places, interval_share, least, slack }
        };
        // A fifth of the budget may cost exactly as much as is affordable.
        let most = most(without.risk());
        for share in shares {
            let with = Comparison::new(basis, *share, division);
            if asked.is_some() || with.risk() <= most {
                let bought = draft(with, *share);
                // Where no end can be had, all of the budget is for the estimates.
                if bought.places.iter().any(Place::has_end) {
                    return bought;
                }
            }
        }
        draft(without, 0.0)
    }

    /// How far ends may be taken that are read off a histogram.
    pub(super) fn slack(&self, request: &QuantileRequest, setting: &Setting) -> &Slack {
        self.slack.get_or_init(|| slack(request, setting, &self.chosen))
    }
}
