//! Drafts of a plan, one for each division of the budget, and the choice among them.

use std::cell::OnceCell;

use super::answer_positions::{
    AnswerPositions, MOST_SHARE, half_length, no_interval, why_none_at_all,
};
use super::basis::Basis;
use super::candidate::QuantileCandidate;
use super::comparison::Comparison;
use super::division::Division;
use super::questions::{Ends, Reading};
use super::slack::Slack;
use super::{QuantileEstimator, QuantileMethod, QuantileRequest};
use crate::arithmetic::least::first_least;
use crate::{Error, Options, Rank, RankQuestions, RankTree, Result, Setting};

/// Default shares of the budget for intervals, in the order in which they are tried, and the
/// largest factor by which they may increase the expected error.
const USUAL_SHARES: [f64; 4] = [0.5, 0.4, 0.3, 0.2];
const AFFORDABLE: f64 = 1.25;

/// Typical ratio of the length of an interval drawn around its estimate to that with separate
/// sides: both of its sides are as long as the longer one.
const SYMMETRY: f64 = 1.25;

/// Returns the position of the best draft: of those with an expected error of at most 1.25 times
/// the least the one with the shortest intervals, or if none has any, that of the least error.
///
/// A named estimator does not change the comparison.
pub(super) fn best(drafts: &[Draft<'_>]) -> usize {
    let own = |draft: &Draft<'_>| draft.comparison.least();
    let Some(Options { interval_share: None, .. }) = drafts.get(1).map(|one| one.request.options())
    else {
        return first_least(drafts.iter().map(own));
    };
    let least = drafts.iter().map(|draft| draft.least).fold(f64::INFINITY, f64::min);
    let shortest_of = |draft: &Draft<'_>| match own(draft) <= most(least) {
        true => draft.half_width(&[draft.middle()]).min(0.5),
        false => f64::INFINITY,
    };
    // No interval exceeds the longest one, and the middle one is usually as long.
    let mut lengths: Vec<f64> = drafts.iter().map(shortest_of).collect();
    let mut in_order: Vec<usize> = (0..drafts.len()).collect();
    in_order.sort_by(|one, other| lengths[*one].total_cmp(&lengths[*other]));
    let mut shortest = 0.5;
    for at in in_order {
        // A draft that is longer in the middle than another one is anywhere cannot win.
        if lengths[at] <= shortest * (1.0 + 1e-9) {
            lengths[at] = drafts[at].half_width(drafts[at].request.ranks()).min(0.5);
            shortest = shortest.min(lengths[at]);
        }
    }
    match shortest < 0.5 {
        true => first_least(lengths),
        false => first_least(drafts.iter().map(own)),
    }
}

/// Returns the divisions that a plan compares. A single quantile has nothing to divide.
pub(super) fn ways(request: &QuantileRequest) -> Result<Vec<Division>> {
    let (ranks, options) = (request.ranks(), request.options());
    let histogram = Division::Histogram { steps: request.cells().steps() };
    // The levels of `mixed` have no common histogram.
    let mixed = request.estimator() == Some(QuantileEstimator::Mixed);
    let recursion = || Division::recursion(ranks, RankTree::cost);
    Ok(match (ranks.len(), options.method) {
        (_, Some(QuantileMethod::Histogram)) if mixed => {
            return Err(Error::parameter("method", "mixed has a quantile of every level alone")
                .with_fix("leave out the method, or the estimator"));
        }
        (_, Some(QuantileMethod::Histogram)) => vec![histogram],
        (1, Some(_)) | (_, Some(QuantileMethod::Even)) => vec![Division::Even],
        (_, Some(QuantileMethod::Recursion)) => vec![recursion()?],
        (quantiles, None) => {
            let mut all = vec![Division::Even];
            if quantiles > 1 {
                all.push(recursion()?);
            }
            // Its intervals cost nothing, which is its only advantage for a single quantile.
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

/// Returns the comparisons of estimators without intervals, for those of these divisions that may
/// be taken.
///
/// A division is dropped if its least risk is not affordable beside that of another one: it has no
/// intervals that count, and more risk than the other one with its intervals.
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

/// Returns the largest affordable risk, given the least one.
fn most(least: f64) -> f64 {
    // The factor leaves room for rounding, since a risk may be exactly at the limit.
    AFFORDABLE * AFFORDABLE * (1.0 + 1e-9) * least
}

/// Draft of a plan, with one division of the budget among the estimates.
pub(super) struct Draft<'a> {
    pub(super) division: &'a Division,
    pub(super) chosen: QuantileCandidate,
    pub(super) interval_share: f64,
    request: &'a QuantileRequest,
    setting: &'a Setting,
    comparison: Comparison<'a>,
    ends: Ends,
    /// Least risk without intervals.
    least: f64,
    /// Reading of intervals off a histogram, computed on demand.
    reading: OnceCell<Reading>,
}

impl<'a> Draft<'a> {
    pub(super) fn new(
        request: &'a QuantileRequest,
        setting: &'a Setting,
        basis: &'a Basis<'a>,
        without: Comparison<'a>,
    ) -> Self {
        let (division, least) = (without.division(), without.least());
        let asked = request.options().interval_share;
        let shares: &[f64] = match (division, &asked) {
            // Intervals of a histogram cost nothing.
            (Division::Histogram { .. }, _) => &[],
            (_, Some(share)) => std::slice::from_ref(share),
            (_, None) => &USUAL_SHARES,
        };
        let draft = |comparison: Comparison<'a>, interval_share: f64| {
            let chosen = comparison.candidate(comparison.chosen());
            let ends = Ends::new(request, setting, &chosen, interval_share);
            let reading = OnceCell::new();
            Self {
                division,
                chosen,
                interval_share,
                request,
                setting,
                comparison,
                ends,
                least,
                reading,
            }
        };
        // A fifth of the budget may cost exactly what is affordable.
        let most = most(without.risk());
        for share in shares {
            let with = Comparison::new(basis, *share, division);
            if asked.is_some() || with.risk() <= most {
                let bought = draft(with, *share);
                // If no end can be had, all of the budget is for the estimates.
                if bought.has_end() {
                    return bought;
                }
            }
        }
        draft(without, 0.0)
    }

    /// Returns the questions to ask, and the positions of their answers.
    pub(super) fn questions(&self) -> (RankQuestions, Vec<AnswerPositions>) {
        self.ends.questions(self.request.ranks(), self.division)
    }

    /// Returns the reason why some of these quantiles have no interval, if any. It recommends a
    /// larger share of the budget only if that would buy one.
    pub(super) fn no_interval(&self, positions: &[AnswerPositions]) -> Option<&'static str> {
        let asked = self.request.options().interval_share;
        let why = no_interval(positions, asked)?;
        let without = || positions.iter().filter(|one| !one.has_end()).map(|one| one.rank);
        let is_public = self.chosen.weights.noise(&self.setting.profile) == 0.0;
        let is_bought = || {
            let more = Ends::new(self.request, self.setting, &self.chosen, MOST_SHARE);
            without().all(|rank| more.end_ranks(rank) != [None, None])
        };
        Some(match is_public || !is_bought() {
            true => why_none_at_all(asked, is_public),
            false => why,
        })
    }

    /// Returns the slack of ends that are read off a histogram; `None` for other methods.
    pub(super) fn slack(&self) -> Option<Slack> {
        let is_histogram = self.division.method() == QuantileMethod::Histogram;
        is_histogram.then(|| self.reading().slack(self.request.ranks()))
    }

    fn reading(&self) -> &Reading {
        let reading = || Reading::new(self.request, self.setting, &self.chosen);
        self.reading.get_or_init(reading)
    }

    /// Returns true if the interval of some quantile has an end.
    fn has_end(&self) -> bool {
        let mut ranks = [self.middle()].into_iter().chain(self.request.ranks().iter().copied());
        ranks.any(|rank| self.ends.end_ranks(rank) != [None, None])
    }

    /// Returns the rank nearest to 1/2, at which sampling moves the quantile most.
    fn middle(&self) -> Rank {
        let from_half = |rank: &Rank| (rank.get() - 0.5).abs();
        let nearest = |one: &Rank, other: &Rank| from_half(one).total_cmp(&from_half(other));
        self.request.ranks().iter().copied().min_by(nearest).unwrap_or(Rank::MEDIAN)
    }

    /// Returns half the approximate length of the longest interval of quantiles at these ranks, in
    /// ranks; infinite if one of them has none.
    fn half_width(&self, ranks: &[Rank]) -> f64 {
        if let Division::Histogram { .. } = self.division {
            // Without noise the quantiles themselves are known.
            let has_noise = self.chosen.weights.noise(&self.setting.profile) > 0.0;
            return if has_noise { self.reading().half_width(ranks) } else { f64::INFINITY };
        }
        let half = |rank: &Rank| match self.ends.end_ranks(*rank) {
            [None, None] => f64::INFINITY,
            [lower, upper] => half_length(lower, upper),
        };
        SYMMETRY * ranks.iter().map(half).fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bounds, Cells, Target};

    /// The way that is chosen by the middle rank first is that which all ranks of all ways choose.
    #[test]
    fn the_best_way_has_the_shortest_of_all_intervals() {
        let mut chosen = Vec::new();
        for profile in [
            "0.01:6835,0.1:8767,0.5:4028,1:2000,inf:560",
            "0:5,0.2:300,3:40",
            "0.5:100000,1:2000000",
            "0.1:3,0.2:1,0.3:1,0.4:1,0.5:1,0.6:1,0.7:1",
            "0.3:2000,4:1",
            "5:200",
        ] {
            for ranks in ["0.5", "0.1,0.5,0.8", "0.01,0.02,0.03", "0.2,0.4,0.6,0.8", "0.98,0.99"] {
                for target in [Target::Population, Target::Dataset, Target::DatasetCorrelated] {
                    let ranks = ranks.split(',').map(|rank| rank.parse().unwrap()).collect();
                    let options = Options { target, ..Options::default() };
                    let cells = Cells::new(1000).unwrap();
                    let request = QuantileRequest::new(Bounds::UNIT, cells, ranks, options);
                    let request = request.unwrap();
                    let setting = Setting::new(profile.parse().unwrap(), Bounds::UNIT, target);
                    let (basis, ways) =
                        (Basis::new(&request, &setting).unwrap(), ways(&request).unwrap());
                    let compared = compared(&request, &basis, &ways).into_iter();
                    let drafts: Vec<Draft<'_>> =
                        compared.map(|way| Draft::new(&request, &setting, &basis, way)).collect();
                    let least = drafts.iter().map(|one| one.least).fold(f64::INFINITY, f64::min);
                    let own = |draft: &Draft<'_>| draft.comparison.least();
                    let lengths = drafts.iter().map(|draft| match own(draft) <= most(least) {
                        true => draft.half_width(request.ranks()).min(0.5),
                        false => f64::INFINITY,
                    });
                    let lengths: Vec<f64> = lengths.collect();
                    let expected = match lengths.iter().any(|length| *length < 0.5) {
                        true => first_least(lengths),
                        false => first_least(drafts.iter().map(own)),
                    };
                    assert_eq!(best(&drafts), expected, "{:?} {target:?}", request.ranks());
                    chosen.push(drafts[expected].division.method().name());
                }
            }
        }
        let all = ["even", "recursion", "histogram"];
        assert!(all.iter().all(|name| chosen.contains(name)), "{chosen:?}");
    }
}
