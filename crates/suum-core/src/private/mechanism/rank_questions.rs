//! All questions about ranks: some asked together, others alone.

use dashu_int::UBig;
use dashu_ratio::RBig;

use super::rank_ends::EndsQuery;
use super::rank_tree::RankTree;
use super::ranks::{RankQuery, Ranks};
use crate::certificate::verify::Description;
use crate::{Distribution, Exact, Question, Randomness, Rank, RankDraw, RankMethod};

/// Questions about ranks: optionally some together, each of the others alone, and ends around their
/// answers.
///
/// Answers come in this order: those of the tree, in the order in which its ranks were given, then
/// the others, then the ends, lower ones before upper ones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RankQuestions {
    /// Ranks asked for together, and the parts of the budget that they cost in all.
    pub together: Option<(RankTree, u64)>,
    /// Ranks asked for alone.
    pub alone: Vec<RankQuery>,
    /// Ends of intervals around answers to the questions above.
    pub ends: Vec<EndsQuery>,
}

/// Returns the lowest candidate at distance zero from a rank: the first with at least the weight of
/// the rank at or below it (type 1 of Hyndman and Fan 1996).
fn first_nearest(ranks: &Ranks, rank: Rank) -> u32 {
    let (numerator, denominator) = rank.fraction();
    let target = ranks.all() * UBig::from(numerator);
    let (mut low, mut high) = (0, ranks.candidates().saturating_sub(1));
    while low < high {
        let middle = low + (high - low) / 2;
        match ranks.between(0, middle + 1) * UBig::from(denominator) < target {
            true => low = middle + 1,
            false => high = middle,
        }
    }
    low
}

/// Returns the ratio of two numbers; the denominator counts as 1 if it is zero.
fn ratio(numerator: u64, denominator: u64) -> RBig {
    RBig::from_parts(numerator.into(), UBig::from(denominator.max(1)))
}

/// Returns `parts` over the denominator of a rank.
fn share(rank: Rank, parts: u64) -> RBig {
    ratio(parts, rank.fraction().1)
}

impl RankQuestions {
    /// Returns questions about each of these ranks alone.
    pub fn alone(alone: Vec<RankQuery>) -> Self {
        Self { together: None, alone, ends: Vec::new() }
    }

    /// Returns the number of parts of the budget that the questions use.
    pub fn parts(&self) -> u64 {
        let together = self.together.as_ref().map_or(0, |(_, parts)| *parts);
        let ends: u64 = self.ends.iter().map(|query| query.parts).sum();
        self.alone.iter().map(|query| query.parts).sum::<u64>() + together + ends
    }

    /// Returns the number of answers.
    pub fn count(&self) -> usize {
        let together = self.together.as_ref().map_or(0, |(tree, _)| tree.nodes().len());
        together + self.alone.len() + self.ends.iter().map(EndsQuery::count).sum::<usize>()
    }

    /// Returns the rank of each answer, in the order of the answers.
    pub(crate) fn ranks(&self) -> impl Iterator<Item = Rank> {
        let together = self.together.iter().flat_map(|(tree, _)| tree.ranks());
        let alone = self.alone.iter().map(|query| query.rank);
        together.copied().chain(alone).chain(self.ends.iter().flat_map(EndsQuery::ranks))
    }

    /// Returns the description of the questions in a certificate, for records with this many rows,
    /// out of this many parts of the budget, at this scale; `cost` and `side` are those of
    /// [`draw`](Self::draw).
    pub(super) fn description(
        &self,
        (rows, parts): (u32, u64),
        scale: UBig,
        cost: impl Fn(&RankTree) -> u64,
        side: impl Fn(Rank) -> u64,
    ) -> Description {
        let draw = |method, q: &[Rank], own: u64, sensitivity: RBig| RankDraw {
            method,
            q: q.iter().map(|rank| share(*rank, rank.fraction().0)).map(Exact).collect(),
            parts: own,
            times: Exact(sensitivity * RBig::from(2 * u64::from(rows)) * ratio(parts, own)),
        };
        let side = |rank: Rank| share(rank, side(rank));
        let together = self.together.iter().map(|(tree, own)| {
            draw(RankMethod::Recursion, tree.ranks(), *own, ratio(cost(tree), RankTree::UNIT))
        });
        let alone = self
            .alone
            .iter()
            .map(|query| draw(RankMethod::Alone, &[query.rank], query.parts, side(query.rank)));
        let ends = self.ends.iter().map(|query| {
            let ranks: Vec<Rank> = query.ranks().collect();
            let sensitivity = ranks.iter().map(|rank| side(*rank)).max().unwrap_or(RBig::ZERO);
            draw(RankMethod::Ends, &ranks, query.parts, sensitivity)
        });
        let draws = together.chain(alone).chain(ends).collect();
        Description {
            question: Question::Ranks { rows, parts, asked: self.parts(), draws },
            distribution: Distribution::Choices,
            sensitivity: Exact(RBig::from_parts(self.parts().into(), parts.into())),
            scale: Some(scale.into()),
        }
    }

    /// Returns the candidates that were drawn, with exp(−parts·distance/(side·`scale`)). A distance
    /// changes by at most `side` times the weight of a record, and those of the tree by its `cost`
    /// in all. At scale 0, with public records only, the answers are exact: for each rank the
    /// lowest candidate at distance zero.
    pub(super) fn draw(
        &self,
        ranks: &Ranks,
        scale: &UBig,
        cost: impl Fn(&RankTree) -> u64,
        side: impl Fn(Rank) -> u64,
        randomness: &mut Randomness,
    ) -> Vec<u32> {
        if *scale == UBig::ZERO && self.ends.is_empty() {
            return self.ranks().map(|rank| first_nearest(ranks, rank)).collect();
        }
        let mut answers = Vec::with_capacity(self.count());
        if let Some((tree, parts)) = &self.together {
            let factor = UBig::from(*parts) * UBig::from(RankTree::UNIT);
            let scale = scale * UBig::from(cost(tree));
            answers.extend(tree.draw(ranks, &factor, &scale, randomness));
        }
        for query in &self.alone {
            // Distances and sides are both in units of 1/denominator of a weight.
            let scale = scale * UBig::from(side(query.rank));
            answers.push(ranks.choose(query, &scale, randomness));
        }
        for query in &self.ends {
            let around = answers.get(query.around).copied().unwrap_or(0);
            answers.extend(query.draw(ranks, around, scale, &side, randomness));
        }
        answers
    }
}
