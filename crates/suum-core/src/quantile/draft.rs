//! A plan with one way to divide the budget among the estimates, and which of them to take.

use super::candidate::QuantileCandidate;
use super::comparison::Comparison;
use super::division::Division;
use super::histogram::Fineness;
use super::place::{Place, half_of_longest};
use super::questions::{questions, slack};
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

/// The risk of every estimator that the division allows: the levels of `mixed` have no histogram
/// together.
fn risks<'a>(
    candidates: &'a [QuantileCandidate],
    division: &'a Division,
) -> impl Iterator<Item = f64> + 'a {
    candidates.iter().map(|candidate| match division {
        Division::Histogram { .. } if candidate.betas.is_some() => f64::INFINITY,
        _ => candidate.risk,
    })
}

/// Which way to take: of those with an expected error of at most 1.25 times the least the one with
/// the shortest intervals, or if none has any, that of the least error.
///
/// A named estimator does not change the comparison.
pub(super) fn best(drafts: &[Draft], request: &QuantileRequest, setting: &Setting) -> usize {
    if drafts.len() < 2 {
        return 0;
    }
    let least = drafts.iter().map(|draft| draft.least).fold(f64::INFINITY, f64::min);
    let half_width = |draft: &Draft| match draft.division {
        Division::Histogram { steps } => {
            let candidate = &draft.candidates[draft.chosen];
            let noise = candidate.weights.noise(&setting.profile);
            // Without noise quantiles themselves are known.
            if noise == 0.0 {
                return f64::INFINITY;
            }
            let slack = slack(request, setting, candidate);
            Fineness::new(noise, steps).half_width(&slack, noise)
        }
        _ if draft.places.iter().all(Place::has_end) => {
            let ranks: Vec<Rank> = draft.questions.ranks().collect();
            SYMMETRY * half_of_longest(&draft.places, &ranks, 0.0)
        }
        _ => f64::INFINITY,
    };
    let most = AFFORDABLE * AFFORDABLE * (1.0 + 1e-9) * least;
    let own =
        |draft: &Draft| risks(&draft.candidates, &draft.division).fold(f64::INFINITY, f64::min);
    let lengths = drafts.iter().map(|draft| match own(draft) <= most {
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

/// A plan with one way to divide the budget among the estimates.
pub(super) struct Draft {
    pub(super) division: Division,
    pub(super) candidates: Vec<QuantileCandidate>,
    pub(super) chosen: usize,
    pub(super) questions: RankQuestions,
    pub(super) places: Vec<Place>,
    pub(super) interval_share: f64,
    /// The least risk without intervals.
    least: f64,
}

impl Draft {
    pub(super) fn new(
        request: &QuantileRequest,
        setting: &Setting,
        division: Division,
    ) -> Result<Self> {
        let compare = |share: f64| -> Result<(Vec<QuantileCandidate>, usize)> {
            let comparison = Comparison::new(request, setting, share, &division);
            let candidates = comparison.candidates()?;
            let chosen = match request.estimator() {
                Some(name) => candidates.iter().position(|c| c.estimator == name).unwrap_or(0),
                None => first_least(risks(&candidates, &division)),
            };
            Ok((candidates, chosen))
        };
        let ask = |(candidates, chosen): &(Vec<QuantileCandidate>, usize), share: f64| {
            questions(request, setting, &candidates[*chosen], share, &division)
        };
        let risk = |compared: &(Vec<QuantileCandidate>, usize)| compared.0[compared.1].risk;
        let without = compare(0.0)?;
        let least = risks(&without.0, &division).fold(f64::INFINITY, f64::min);
        let asked = request.options().interval_share;
        let shares: &[f64] = match (&division, &asked) {
            // Its intervals cost nothing.
            (Division::Histogram { .. }, _) => &[],
            (_, Some(share)) => std::slice::from_ref(share),
            (_, None) => &USUAL_SHARES,
        };
        let mut bought = None;
        for share in shares {
            let with = compare(*share)?;
            let buys = ask(&with, *share);
            // Where no end can be had, all of the budget is for the estimates.
            let some = buys.1.iter().any(Place::has_end);
            // A fifth of the budget may cost exactly as much as is affordable.
            let most = AFFORDABLE * AFFORDABLE * (1.0 + 1e-9);
            if some && (asked.is_some() || risk(&with) <= most * risk(&without)) {
                bought = Some((with, buys, *share));
                break;
            }
        }
        let ((candidates, chosen), (questions, places), interval_share) =
            bought.unwrap_or_else(|| {
                let asks = ask(&without, 0.0);
                (without, asks, 0.0)
            });
        Ok(Self { division, candidates, chosen, questions, places, interval_share, least })
    }
}
