//! A plan with one way to divide the budget among the estimates, and which of them to take.

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
    // No interval is longer than the longest, but that of the middle is as long, as a rule.
    let mut lengths: Vec<f64> = drafts.iter().map(shortest_of).collect();
    let mut in_order: Vec<usize> = (0..drafts.len()).collect();
    in_order.sort_by(|one, other| lengths[*one].total_cmp(&lengths[*other]));
    let mut shortest = 0.5;
    for at in in_order {
        // One that is longer in the middle than another one is anywhere is not chosen.
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

/// The ways that a plan compares: one quantile has nothing to share.
pub(super) fn ways(request: &QuantileRequest) -> Result<Vec<Division>> {
    let (ranks, options) = (request.ranks(), request.options());
    let histogram = Division::Histogram { steps: request.cells().steps() };
    // The levels of `mixed` have no histogram together.
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
    pub(super) chosen: QuantileCandidate,
    pub(super) interval_share: f64,
    request: &'a QuantileRequest,
    setting: &'a Setting,
    comparison: Comparison<'a>,
    ends: Ends,
    /// The least risk without intervals.
    least: f64,
    /// How intervals are read off a histogram, once it is asked for.
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
            // Its intervals cost nothing.
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
        // A fifth of the budget may cost exactly as much as is affordable.
        let most = most(without.risk());
        for share in shares {
            let with = Comparison::new(basis, *share, division);
            if asked.is_some() || with.risk() <= most {
                let bought = draft(with, *share);
                // Where no end can be had, all of the budget is for the estimates.
                if bought.has_end() {
                    return bought;
                }
            }
        }
        draft(without, 0.0)
    }

    /// The questions to ask, and where their answers stand.
    pub(super) fn questions(&self) -> (RankQuestions, Vec<AnswerPositions>) {
        self.ends.questions(self.request.ranks(), self.division)
    }

    /// Reason why some of these quantiles have no interval, if it is so: a larger share of the
    /// budget is only named where it would buy one.
    pub(super) fn no_interval(&self, positions: &[AnswerPositions]) -> Option<&'static str> {
        let asked = self.request.options().interval_share;
        let why = no_interval(positions, asked)?;
        let without = || positions.iter().filter(|one| !one.has_end()).map(|one| one.rank);
        let is_public = self.chosen.weights.noise(&self.setting.profile) == 0.0;
        let is_bought = || {
            let more = Ends::new(self.request, self.setting, &self.chosen, MOST_SHARE);
            without().all(|rank| more.of(rank) != [None, None])
        };
        Some(match is_public || !is_bought() {
            true => why_none_at_all(asked, is_public),
            false => why,
        })
    }

    /// How far ends may be taken that are read off a histogram; `None` if they are not.
    pub(super) fn slack(&self) -> Option<Slack> {
        let is_histogram = self.division.method() == QuantileMethod::Histogram;
        is_histogram.then(|| self.reading().slack(self.request.ranks()))
    }

    fn reading(&self) -> &Reading {
        let reading = || Reading::new(self.request, self.setting, &self.chosen);
        self.reading.get_or_init(reading)
    }

    /// Whether an interval of some quantile has an end.
    fn has_end(&self) -> bool {
        let mut ranks = [self.middle()].into_iter().chain(self.request.ranks().iter().copied());
        ranks.any(|rank| self.ends.of(rank) != [None, None])
    }

    /// The rank of which sampling moves the quantile most.
    fn middle(&self) -> Rank {
        let from_half = |rank: &Rank| (rank.get() - 0.5).abs();
        let nearest = |one: &Rank, other: &Rank| from_half(one).total_cmp(&from_half(other));
        self.request.ranks().iter().copied().min_by(nearest).unwrap_or(Rank::MEDIAN)
    }

    /// Half the length of the longest interval of quantiles at these ranks, of the rank, about;
    /// infinite where one of them has none.
    fn half_width(&self, ranks: &[Rank]) -> f64 {
        if let Division::Histogram { .. } = self.division {
            // Without noise quantiles themselves are known.
            let has_noise = self.chosen.weights.noise(&self.setting.profile) > 0.0;
            return if has_noise { self.reading().half_width(ranks) } else { f64::INFINITY };
        }
        let half = |rank: &Rank| match self.ends.of(*rank) {
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
