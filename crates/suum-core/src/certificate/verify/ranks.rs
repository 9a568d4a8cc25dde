//! Factor of the scale of a draw at some ranks, recomputed from the proofs alone.

use dashu_int::IBig;
use dashu_ratio::RBig;

use super::exact::Exact;
use super::question::{RankDraw, RankMethod};
use crate::Neighbors;

/// Returns the fault of the draws at ranks, for records with this many rows, if any.
pub(super) fn fault(
    draws: &[RankDraw],
    rows: u32,
    (asked, parts): (u64, u64),
    neighbors: Neighbors,
) -> Option<String> {
    if rows == 0 {
        return Some("records have no rows".to_owned());
    }
    let drawn = draws.iter().try_fold(0u64, |sum, draw| sum.checked_add(draw.parts));
    if drawn != Some(asked) {
        return Some("what is drawn does not cost what is asked for".to_owned());
    }
    draws.iter().find_map(|draw| {
        let Some(sensitivity) = sensitivity(draw, neighbors).filter(|_| draw.parts > 0) else {
            return Some("what is drawn at ranks cannot be drawn so".to_owned());
        };
        let times = RBig::from(2 * u64::from(rows)) * sensitivity * RBig::from(parts)
            / RBig::from(draw.parts);
        let said = &draw.times.0;
        (times != *said)
            .then(|| format!("its scale is multiplied by {times}, and {said} is listed"))
    })
}

/// Returns c, the most by which a record of weight 1 and one row can move all distances of a draw
/// together.
fn sensitivity(draw: &RankDraw, neighbors: Neighbors) -> Option<RBig> {
    let ranks: Vec<&RBig> = draw.q.iter().map(|Exact(rank)| rank).collect();
    let inside = |rank: &&RBig| **rank > RBig::ZERO && **rank < RBig::ONE;
    if !ranks.iter().all(inside) {
        return None;
    }
    // A record that joins or leaves moves a distance from rank q by at most max(q, 1 − q); a change
    // of value by 1.
    let side = |rank: &RBig| match neighbors {
        Neighbors::AddRemove => larger(rank),
        Neighbors::ReplaceOne | Neighbors::Both => RBig::ONE,
    };
    match (draw.method, ranks.as_slice()) {
        (RankMethod::Alone, [rank]) | (RankMethod::Ends, [rank]) => Some(side(rank)),
        (RankMethod::Ends, [lower, upper]) if lower < upper => Some(side(lower).max(side(upper))),
        (RankMethod::Recursion, [_, _, ..]) => {
            let mut ascending = ranks.clone();
            ascending.sort();
            if ascending.windows(2).any(|pair| pair[0] == pair[1]) {
                return None;
            }
            let cost = Cost::compute(&ascending, (&RBig::ZERO, &RBig::ONE));
            Some(match neighbors {
                Neighbors::AddRemove => cost.one_way,
                Neighbors::ReplaceOne | Neighbors::Both => cost.two_ways,
            })
        }
        _ => None,
    }
}

/// Returns max(f, 1 − f).
fn larger(share: &RBig) -> RBig {
    share.clone().max(RBig::ONE - share)
}

/// Largest cost of the ways through the recursion. A part in which one rank is asked for, at the
/// share f of its weight, costs max(f, 1 − f) on a way that a record takes only before or only
/// after it is replaced, and 1 while both are in the same part.
struct Cost {
    /// Cost of one way.
    one_way: RBig,
    /// Cost of two ways that begin together.
    two_ways: RBig,
}

impl Cost {
    /// Returns the costs of these ascending ranks, in the part between two others. Sides are
    /// rounded up to 2^-32.
    fn compute(ranks: &[&RBig], (low, high): (&RBig, &RBig)) -> Self {
        if ranks.is_empty() {
            return Self { one_way: RBig::ZERO, two_ways: RBig::ZERO };
        }
        let width = high - low;
        let share = |rank: &RBig| (rank - low) / &width;
        // For an even number, the one of the two middle ranks that is nearer to the middle of the
        // part, or else the lower one.
        let upper = ranks.len() / 2;
        let at = match ranks.len() % 2 {
            0 if larger(&share(ranks[upper - 1])) <= larger(&share(ranks[upper])) => upper - 1,
            _ => upper,
        };
        let middle = ranks[at];
        let unit = RBig::from(1u64 << 32);
        let side = RBig::from((larger(&share(middle)) * &unit).ceil()) / unit;
        let below = Self::compute(&ranks[..at], (low, middle));
        let above = Self::compute(&ranks[at + 1..], (middle, high));
        let apart = &below.one_way + &above.one_way;
        Self {
            two_ways: RBig::from(IBig::ONE) + apart.max(below.two_ways).max(above.two_ways),
            one_way: side + below.one_way.max(above.one_way),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Rank, RankTree};

    /// Two computations of one number, of which neither knows the other.
    #[test]
    fn ways_cost_what_the_tree_says() {
        let mut state = 7u64;
        let mut below = |bound: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) % bound
        };
        for _ in 0..200 {
            let unit = 2 + below(1000);
            let mut parts: Vec<u64> = (0..1 + below(30)).map(|_| 1 + below(unit - 1)).collect();
            parts.sort_unstable();
            parts.dedup();
            let ranks = parts.iter().map(|part| Rank::new(*part, unit).unwrap());
            let tree = RankTree::new(&ranks.collect::<Vec<_>>()).unwrap();
            let exact: Vec<RBig> =
                parts.iter().map(|part| RBig::from_parts((*part).into(), unit.into())).collect();
            let exact: Vec<&RBig> = exact.iter().collect();
            let cost = Cost::compute(&exact, (&RBig::ZERO, &RBig::ONE));
            let unit = RBig::from(RankTree::UNIT);
            assert_eq!(cost.two_ways, RBig::from(tree.cost()) / &unit, "{parts:?}");
            assert_eq!(cost.one_way, RBig::from(tree.cost_of_presence()) / &unit, "{parts:?}");
        }
    }
}
