//! Several ranks asked for together: the middle one first, the others in the two parts of the data
//! that it makes.

mod part;

use dashu_int::UBig;

use super::ranks::Ranks;
use crate::error::option;
use crate::private::noise::UpperBounds;
use crate::{Error, Randomness, Rank, Result};
use part::PartOfRanks;

/// Number of parts over which the rows at one candidate are spread.
const SPREAD: u64 = 1 << 16;

/// Rank in the tree, and the part of the data in which it is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RankNode {
    /// Position of the rank in the order asked for.
    pub asked: usize,
    /// Fraction f: the share of the weight in the part that lies below the answer.
    pub fraction: (UBig, UBig),
    /// Nodes whose answers are the lower and the upper end of the part; `None` for an end of the
    /// data.
    pub ends: [Option<usize>; 2],
    /// Nodes that ask in the lower and in the upper part that this one makes.
    parts: [Option<usize>; 2],
}

impl RankNode {
    /// Returns max(f, 1 − f) in 2^-32, rounded up: the most by which a record that joins or leaves
    /// moves scores.
    fn side(&self) -> u64 {
        let (numerator, denominator) = &self.fraction;
        let side = numerator.max(&(denominator - numerator)).clone();
        let units = ((side << RankTree::UNIT_BITS) + denominator - UBig::ONE) / denominator;
        u64::try_from(units).unwrap_or(u64::MAX)
    }
}

/// Recursion of Kaplan, Schnapp and Stemmer 2022, with weights, and with ties that can be cut.
///
/// # Formula
///
/// The rows at a candidate are spread evenly over its cell, which is cut into 2^16 parts; C(p) is
/// the weight below position p. Of the ranks that are asked for in a part of the positions, from a
/// to b, the middle one is looked for, at the fraction f between the ranks of a and b. With L =
/// C(p) − C(a) and G = C(b) − C(p), position p is drawn by the exponential mechanism with exp(−|(1
/// − f)·L − f·G|/(2cbR)), b and R as for [`RankChoice`](crate::RankChoice) and c the
/// [cost](Self::cost). Ranks below and above it are looked for below and above p. A rank's answer
/// is the candidate in whose cell its position is.
///
/// # Guarantee
///
/// Replacing a record of weight W costs it at most W/b in all. Say that all of it is at one
/// position, before and after. Ends of parts are what was answered before, so they are the same. A
/// part that holds the record before and after has scores that move by at most W: its term is −fW
/// or (1 − f)·W. A part that holds it once has scores that move by at most max(f, 1 − f)·W, any
/// other none. Until its two positions part company, the parts on their way are the same, and each
/// costs W/(cb) at most; from there on both ways cost W·max(f, 1 − f)/(cb) in each part. c is the
/// largest sum over all pairs of ways, rounded up. A record that is spread over a cell moves every
/// score by the mean of what its positions would, so not by more than that in all.
///
/// A record that joins or leaves has one way: then c is the largest Σ max(f, 1 − f).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RankTree {
    /// Ranks, in the order in which they were given.
    ranks: Vec<Rank>,
    /// Nodes, each before those in its parts.
    nodes: Vec<RankNode>,
    spread: u64,
}

impl RankTree {
    /// Number of binary digits of costs behind the point.
    const UNIT_BITS: usize = 32;
    /// Unit of costs: the number that stands for 1.
    pub const UNIT: u64 = 1 << Self::UNIT_BITS;

    /// Returns the tree of these ranks, which depends on nothing else.
    ///
    /// # Errors
    ///
    /// Refuses a rank that occurs twice.
    ///
    /// # Example
    ///
    /// ```
    /// use suum_core::{Rank, RankTree};
    ///
    /// let deciles = (1..10).map(|tenth| Rank::new(tenth, 10));
    /// let deciles: Vec<Rank> = deciles.collect::<Result<_, _>>()?;
    /// let cost = RankTree::new(&deciles)?.cost() as f64 / RankTree::UNIT as f64;
    /// assert!((cost - 68.0 / 15.0).abs() < 1e-6);
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    pub fn new(ranks: &[Rank]) -> Result<Self> {
        let mut order: Vec<usize> = (0..ranks.len()).collect();
        order.sort_by_key(|at| ranks[*at]);
        if order.windows(2).any(|pair| ranks[pair[0]] == ranks[pair[1]]) {
            return Err(Error::parameter(option::Q, "a quantile is asked for twice")
                .with_fix("leave one of them out"));
        }
        let mut tree =
            Self { ranks: ranks.to_vec(), nodes: Vec::with_capacity(ranks.len()), spread: SPREAD };
        tree.grow(ranks, &order, [None, None]);
        Ok(tree)
    }

    /// Adds the ranks in `order`, which lie between those of the nodes at both ends. Returns their
    /// root.
    fn grow(&mut self, ranks: &[Rank], order: &[usize], ends: [Option<usize>; 2]) -> Option<usize> {
        let between = |asked: usize, nodes: &[RankNode]| {
            let rank = |end: Option<usize>, of_none: u64| {
                let node = end.and_then(|end| nodes.get(end));
                node.map_or((of_none, 1), |node| ranks[node.asked].fraction())
            };
            let (low, high) = (rank(ends[0], 0), rank(ends[1], 1));
            let (q, unit) = ranks[asked].fraction();
            // (q − low)/(high − low), with all three denominators multiplied out.
            let less = |(a, of): (u64, u64), (b, other): (u64, u64)| {
                UBig::from(u128::from(a) * u128::from(other) - u128::from(b) * u128::from(of))
            };
            let numerator = less((q, unit), low) * UBig::from(high.1);
            (numerator, less(high, low) * UBig::from(unit))
        };
        let far = |asked: usize, nodes: &[RankNode]| {
            let (numerator, denominator) = between(asked, nodes);
            let twice = numerator << 1;
            let off = if twice > denominator { twice - &denominator } else { &denominator - twice };
            (off, denominator)
        };
        // For an even number, the one of the two middle ranks that is nearer to the middle of the
        // part, or else the lower one.
        let upper = order.len() / 2;
        let middle = match (order.len() % 2, upper.checked_sub(1)) {
            (0, Some(lower)) => {
                let (one, other) = (far(order[lower], &self.nodes), far(order[upper], &self.nodes));
                if other.0 * one.1 < one.0 * other.1 { upper } else { lower }
            }
            _ => upper,
        };
        let asked = *order.get(middle)?;
        let at = self.nodes.len();
        let fraction = between(asked, &self.nodes);
        self.nodes.push(RankNode { asked, fraction, ends, parts: [None, None] });
        let below = self.grow(ranks, &order[..middle], [ends[0], Some(at)]);
        let above = self.grow(ranks, &order[middle + 1..], [Some(at), ends[1]]);
        self.nodes[at].parts = [below, above];
        Some(at)
    }

    /// Returns the ranks, in the order in which they were given.
    pub fn ranks(&self) -> &[Rank] {
        &self.ranks
    }

    /// Returns the nodes, each after those at the ends of its part.
    pub fn nodes(&self) -> &[RankNode] {
        &self.nodes
    }

    /// Returns c for a record that is replaced, in 2^-32, rounded up: the cost of all answers
    /// together over that of one.
    pub fn cost(&self) -> u64 {
        let sides = self.sides();
        // Cost of a node and below it, for a record with both values in the node's part: its two
        // ways have not separated above.
        let mut together = vec![0u64; self.nodes.len()];
        for (at, node) in self.nodes.iter().enumerate().rev() {
            let [below, above] = node.parts;
            let of = |part: Option<usize>, costs: &[u64]| part.map_or(0, |part| costs[part]);
            let apart = of(below, &sides).saturating_add(of(above, &sides));
            let most = apart.max(of(below, &together)).max(of(above, &together));
            together[at] = Self::UNIT.saturating_add(most);
        }
        together.first().copied().unwrap_or(0)
    }

    /// Returns c for a record that joins or leaves, in 2^-32, rounded up.
    pub fn cost_of_presence(&self) -> u64 {
        self.sides().first().copied().unwrap_or(0)
    }

    /// Returns for each node the largest Σ max(f, 1 − f) on a way down from it.
    fn sides(&self) -> Vec<u64> {
        let mut sides = vec![0u64; self.nodes.len()];
        for (at, node) in self.nodes.iter().enumerate().rev() {
            let further = node.parts.iter().flatten().map(|part| sides[*part]).max();
            sides[at] = node.side().saturating_add(further.unwrap_or(0));
        }
        sides
    }

    /// Returns the candidate drawn for each rank, in the order asked for, with exp(−score/`scale`).
    /// Scores are multiplied by `factor`.
    pub(super) fn draw(
        &self,
        ranks: &Ranks,
        factor: &UBig,
        scale: &UBig,
        randomness: &mut Randomness,
    ) -> Vec<u32> {
        let positions = self.positions(ranks, factor, scale, randomness);
        let mut candidates = vec![0; self.nodes.len()];
        for (node, position) in self.nodes.iter().zip(positions) {
            // Position p is the upper end of its part of a cell.
            let candidate = position.saturating_sub(1) / self.spread;
            candidates[node.asked] = u32::try_from(candidate).unwrap_or(u32::MAX);
        }
        candidates
    }

    /// Returns the position drawn at each node.
    fn positions(
        &self,
        ranks: &Ranks,
        factor: &UBig,
        scale: &UBig,
        randomness: &mut Randomness,
    ) -> Vec<u64> {
        let exponentials = UpperBounds::new();
        let last = u64::from(ranks.candidates()) * self.spread;
        let mut positions: Vec<u64> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let end = |end: Option<usize>| end.and_then(|end| positions.get(end)).copied();
            let (from, to) = (end(node.ends[0]).unwrap_or(0), end(node.ends[1]).unwrap_or(last));
            let below = ranks.spread_below(from, self.spread);
            let inside = ranks.spread_below(to, self.spread) - &below;
            let (numerator, denominator) = &node.fraction;
            let part = PartOfRanks {
                ranks,
                spread: self.spread,
                ends: (from, to),
                below,
                unit: denominator * factor,
                target: inside * numerator * factor,
            };
            // Scores are in units of 1/(denominator·2^16) of a weight.
            let scale = scale * denominator * UBig::from(self.spread);
            positions.push(part.choose(&scale, &exponentials, randomness));
        }
        positions
    }
}

#[cfg(test)]
mod tests;
