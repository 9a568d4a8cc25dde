//! Weighted counts of categories that nobody has declared, published above a threshold.

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

use crate::certificate::verify::Description;
use crate::private::level_mechanism::{ExactSums, LevelMechanism};
use crate::private::noise::TwoSlopes;
use crate::private::weights::{WeightTable, Weighting};
use crate::{Delta, Distribution, LevelEntry, Loss, Profile, Question, Randomness};

/// Weighted counts of the categories that occur: integer weights, the least noise that keeps every
/// budget, and the least threshold that keeps δ.
///
/// For a category c let A_c = Σ_j W_j·n_jc, with n_jc the records of level j in it, in s
/// [steps](crate::Categories::steps) of a record. A category without public records is published
/// as A_c + K_c, with [noise of two slopes](TwoSlopes) K_c ≤ M, if that exceeds M; otherwise
/// nothing shows. A category with public records is always published, with noise that has no
/// largest value.
///
/// # Guarantee
///
/// Replacing a record of weight W keeps (ε, δ)-differential privacy with ε = sW·(1/u + 1/d), its
/// [`loss`](Self::loss), and δ = P(K > M − sW), its [`delta`](Self::delta). u and d are the least
/// integers that give the upper side 3/5 and the lower side 2/5 of every budget, and M is the least
/// integer from the largest sW on with P(K > M − sW) ≤ δ for the largest private weight; all are
/// decided in exact arithmetic. Records of weight zero lose nothing.
///
/// # Proof
///
/// Let a record move its steps from p to q, so that A falls by W(p − q)₊ in some categories, by sW
/// in all at most, and rises by as much in others. Noises are independent, so it is enough to
/// compare the answers of each category.
///
/// * *A category that falls* by x ≤ sW, from a to a − x. What both can publish, y = a + k with k ≤
///   M − x, has probabilities whose ratio is that of K at k and at k + x: between exp(−x/d) and
///   exp(x/u), since both slopes are straight. So is the ratio of the probabilities of publishing
///   nothing, which sum such terms up to k = M − a, with a factor of at most 1 for what falls. What
///   only the larger a can publish has k > M − x.
/// * *A category that rises* is the same with both sides exchanged.
///
/// So outside an event B that only the categories that fall have, the ratio of the answers is at
/// most exp(Σ x/u + Σ x/d) ≤ exp(sW(1/u + 1/d)), and P(B) is at most Σ f(x) with f(x) = P(K > M −
/// x). For x ≤ M the increments of f are P(K = M − x), which grow in x: f is convex and f(0) = 0,
/// so Σ f(x) ≤ f(Σ x) ≤ f(sW) = δ. (That is why M is never below sW.) The reverse change has the
/// same bound, as the other categories fall. A category with public records has noise without a
/// largest value, and adds nothing to B. ∎
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundCounts {
    weights: WeightTable,
    is_public: Vec<bool>,
    steps: u64,
    noise: TwoSlopes,
}

/// Noisy count of a category that is published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FoundCount {
    /// Number of the category in the table.
    pub(crate) category: usize,
    /// Noisy count.
    pub(crate) noisy: IBig,
    /// True if the category has public records, so that it is published whatever the noise is.
    pub(crate) is_always: bool,
}

/// Number of binary digits by which weights are made finer in one step, and of the scale of the
/// noise at least: then the noise is practically continuous.
const FINE: usize = 20;

/// Share of every budget for the upper side of the noise, as a fraction. A steeper upper side makes
/// the threshold lower, and the flatter lower side intervals longer.
const ABOVE: (u8, u8) = (3, 5);

impl FoundCounts {
    /// Returns the mechanism for the levels of `profile`, with `weights` in its order, made finer
    /// if the noise would otherwise be only a few steps.
    pub(crate) fn calibrated(
        profile: &Profile,
        weights: Vec<UBig>,
        steps: u64,
        delta: Delta,
    ) -> Self {
        let mut weights = WeightTable::new(profile.levels(), weights);
        while {
            let up = scales(profile, &weights, steps).0;
            up != UBig::ZERO && up < UBig::ONE << FINE
        } {
            weights = weights.finer(FINE);
        }
        Self::from_weights(profile, weights, steps, delta)
    }

    /// Returns the mechanism with just these weights.
    fn from_weights(profile: &Profile, weights: WeightTable, steps: u64, delta: Delta) -> Self {
        let (up, down) = scales(profile, &weights, steps);
        let is_public: Vec<bool> =
            profile.levels().iter().map(|level| level.epsilon.is_public()).collect();
        let private =
            weights.weights().iter().zip(&is_public).filter(|(_, is_public)| !**is_public);
        let most = private.map(|(weight, _)| weight).max().cloned().unwrap_or(UBig::ZERO);
        let noise = cut(TwoSlopes::new(up, down), &(most * UBig::from(steps)), delta);
        Self { weights, is_public, steps, noise }
    }

    /// Returns W_j for each level, in the order of the profile.
    pub fn weights(&self) -> &[UBig] {
        self.weights.weights()
    }

    /// Returns s, the number of steps of one record.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Returns the noise of a category without public records.
    pub fn noise(&self) -> &TwoSlopes {
        &self.noise
    }

    /// Returns M, which the noisy count of a category without public records must exceed; zero if
    /// only public records count.
    pub fn threshold(&self) -> UBig {
        self.noise.most().cloned().unwrap_or(UBig::ZERO)
    }

    /// Returns s·Σ W over all records, the divisor of the estimates.
    pub fn total_weight(&self) -> UBig {
        self.weights.total() * UBig::from(self.steps)
    }

    /// Returns the exact loss of one record of the level at this position: sW·(1/u + 1/d).
    pub fn loss(&self, position: usize) -> Loss {
        self.weights.loss_at(position, &self.sensitivity(), self.noise.up())
    }

    /// Returns an upper bound on δ of one record of the level at this position: P(K > M − sW).
    /// Public records have none.
    pub fn delta(&self, position: usize) -> RBig {
        match self.is_public.get(position) {
            Some(false) => {
                let moved = self.weights.weight(position) * UBig::from(self.steps);
                self.noise.reaches_within(&moved)
            }
            _ => RBig::ZERO,
        }
    }

    /// Returns s·(1 + u/d), the loss of a record of weight 1 in units of 1/u.
    fn sensitivity(&self) -> RBig {
        let (up, down) = (self.noise.up(), self.noise.down());
        match *down == UBig::ZERO {
            true => RBig::from(self.steps),
            false => RBig::from_parts((up + down).into(), down.clone()) * RBig::from(self.steps),
        }
    }
}

impl LevelMechanism for FoundCounts {
    type Exact<'e> = ExactSums<'e>;
    type Out = Vec<FoundCount>;

    fn loss(&self, position: usize) -> Loss {
        self.loss(position)
    }

    fn description(&self) -> Description {
        Description {
            question: Question::FoundCounts {
                steps: self.steps,
                down: self.noise.down().clone().into(),
                threshold: self.threshold().into(),
            },
            distribution: Distribution::TwoSlopes,
            sensitivity: crate::Exact(self.sensitivity()),
            scale: Some(self.noise.up().clone().into()),
        }
    }

    fn level(&self, position: usize) -> LevelEntry {
        self.weights.entry(position)
    }

    /// Adds noise to every count, and drops what is not above the threshold. Categories without
    /// records are dropped as well, whatever their noise: it never exceeds M.
    fn release(&self, by_level: &[ExactSums<'_>], randomness: &mut Randomness) -> Vec<FoundCount> {
        let categories = by_level.iter().map(|level| level.sums.len()).max().unwrap_or(0);
        let threshold = IBig::from(self.threshold());
        let always = TwoSlopes::new(self.noise.up().clone(), self.noise.down().clone());
        let mut found = Vec::new();
        for category in 0..categories {
            let (mut count, mut is_always) = (IBig::ZERO, false);
            for level in by_level {
                let records = level.sums.get(category).map_or(IBig::ZERO, |sum| sum.to_big());
                let is_public = self.is_public.get(level.position) == Some(&true);
                is_always |= is_public && records != IBig::ZERO;
                count += records * IBig::from(self.weights.weight(level.position));
            }
            let noise = if is_always { &always } else { &self.noise };
            let noisy = count + noise.sample(randomness);
            if is_always || noisy > threshold {
                found.push(FoundCount { category, noisy, is_always });
            }
        }
        found
    }
}

/// Returns the scales of both sides: the least integers u and d with sW/u ≤ 3/5·ε and sW/d ≤ 2/5·ε
/// for every level of finite budget.
fn scales(profile: &Profile, weights: &WeightTable, steps: u64) -> (UBig, UBig) {
    let ((part, whole), steps) = (ABOVE, RBig::from(steps));
    let of = |part: u8| {
        let sensitivity = &steps * RBig::from_parts(IBig::from(whole), UBig::from(part));
        weights.least_scale(profile.levels(), &sensitivity)
    };
    (of(part), of(whole - part))
}

/// Returns the noise with the least largest value from `most` on that a record which moves a count
/// by `most` reaches with a probability of at most δ.
fn cut(noise: TwoSlopes, most: &UBig, delta: Delta) -> TwoSlopes {
    if *most == UBig::ZERO {
        return noise.cut_at(UBig::ZERO);
    }
    let allowed = delta.exact();
    let keeps = |at: &UBig| noise.clone().cut_at(at.clone()).reaches_within(most) <= allowed;
    // The probability falls with M. Doubling finds one that is large enough, halving the least.
    let (mut low, mut high) = (most.clone(), most.clone());
    while !keeps(&high) {
        low = &high + UBig::ONE;
        high = high * UBig::from(2u8) + noise.up();
    }
    while low < high {
        let middle = (&low + &high) >> 1;
        if keeps(&middle) { high = middle } else { low = middle + UBig::ONE }
    }
    noise.cut_at(high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ExactSum;

    /// Outcome of a category: nothing, or a number; with its probability.
    type Law = Vec<(Option<i32>, f64)>;

    /// Mechanism with small weights that are not made finer.
    fn small(profile: &str, weights: &[u32], steps: u64, delta: &str) -> FoundCounts {
        let profile: Profile = profile.parse().unwrap();
        let weights = weights.iter().map(|weight| UBig::from(*weight)).collect();
        let weights = WeightTable::new(profile.levels(), weights);
        FoundCounts::from_weights(&profile, weights, steps, delta.parse().unwrap())
    }

    fn int(number: &UBig) -> i32 {
        i32::try_from(number).unwrap()
    }

    /// Law of what is published of a category of this weight, from the formula of the noise.
    fn law(counts: &FoundCounts, weight: i32, is_always: bool) -> Law {
        let [up, down] = [counts.noise.up(), counts.noise.down()].map(|one| f64::from(int(one)));
        let threshold = int(&counts.threshold());
        let most = if is_always { (45.0 * up) as i32 } else { threshold };
        let least = (-45.0 * down) as i32;
        let odds = |k: i32| {
            let k = f64::from(k);
            if k < 0.0 { (k / down).exp() } else { (-k / up).exp() }
        };
        let all: f64 = (least..=most).map(odds).sum();
        let mut law = vec![(None, 0.0)];
        for k in least..=most {
            let (y, p) = (weight + k, odds(k) / all);
            match is_always || y > threshold {
                true => law.push((Some(y), p)),
                false => law[0].1 += p,
            }
        }
        law
    }

    /// max(P − e^ε·Q, 0) added up over all outcomes of independent categories.
    fn excess(one: &[Law], other: &[Law], epsilon: f64) -> f64 {
        fn go(pairs: &[Vec<(f64, f64)>], p: f64, q: f64) -> f64 {
            match pairs.split_first() {
                None => (p - q).max(0.0),
                Some((first, rest)) => first.iter().map(|(a, b)| go(rest, p * a, q * b)).sum(),
            }
        }
        let aligned = |(one, other): (&Law, &Law)| {
            let find = |law: &Law, at| law.iter().find(|(y, _)| *y == at).map_or(0.0, |one| one.1);
            let mut all: Vec<_> = one.iter().chain(other).map(|(y, _)| *y).collect();
            all.sort_unstable();
            all.dedup();
            // What neither can publish with a probability that counts adds nothing.
            let pairs = all.into_iter().map(|y| (find(one, y), find(other, y)));
            pairs.filter(|(p, q)| p.max(*q) > 1e-18).collect::<Vec<_>>()
        };
        let pairs: Vec<_> = one.iter().zip(other).map(aligned).collect();
        go(&pairs, 1.0, epsilon.exp())
    }

    fn lost(counts: &FoundCounts, position: usize) -> f64 {
        let Loss::Finite(loss) = counts.loss(position) else { panic!("{counts:?}") };
        loss.to_f64().value()
    }

    /// Largest excess over all changes of one record of weight w: from any category to any other,
    /// whatever else is in them, with and without public records.
    fn worst(counts: &FoundCounts, weight: i32, position: usize) -> f64 {
        let (most, epsilon) = (int(&counts.threshold()) + 2 * weight, lost(counts, position));
        let mut worst = 0.0_f64;
        for from_always in [false, true] {
            for to_always in [false, true] {
                for from in [weight, weight + 1, most / 2, most] {
                    for to in [0, 1, most / 2, most] {
                        let before = [law(counts, from, from_always), law(counts, to, to_always)];
                        let after = [
                            law(counts, from - weight, from_always),
                            law(counts, to + weight, to_always),
                        ];
                        worst = worst
                            .max(excess(&before, &after, epsilon))
                            .max(excess(&after, &before, epsilon));
                    }
                }
            }
        }
        worst
    }

    #[test]
    fn replaced_records_lose_exactly_what_is_certified() {
        for (profile, weights, delta) in [
            ("1:3", &[1][..], "1e-3"),
            ("0.5:3,1:2", &[1, 2][..], "1e-3"),
            ("0.4:3,1:2,inf:1", &[1, 3, 3][..], "1e-4"),
            ("2:3", &[2][..], "1e-3"),
        ] {
            let counts = small(profile, weights, 1, delta);
            let allowed: Profile = profile.parse().unwrap();
            for (position, level) in allowed.levels().iter().enumerate() {
                if level.epsilon.is_public() {
                    assert_eq!(counts.delta(position), RBig::ZERO);
                    continue;
                }
                assert!(counts.loss(position).within(level.epsilon));
                let delta = counts.delta(position).to_f64().value();
                let worst = worst(&counts, weights[position] as i32, position);
                assert!(worst <= delta * (1.0 + 1e-9), "{profile} {position}: {worst} {delta}");
                // It is reached where a category of one record vanishes.
                assert!(worst >= delta * (1.0 - 1e-6), "{profile} {position}: {worst} {delta}");
            }
        }
    }

    /// A loss or a δ that is a little smaller would be wrong.
    #[test]
    fn replaced_records_lose_more_than_anything_less() {
        let counts = small("1:3", &[1], 1, "1e-3");
        let [from, to] = [4, 0].map(|weight| law(&counts, weight, false));
        let [less, more] = [3, 1].map(|weight| law(&counts, weight, false));
        let epsilon = lost(&counts, 0);
        let delta = counts.delta(0).to_f64().value();
        let excess =
            |epsilon| excess(&[from.clone(), to.clone()], &[less.clone(), more.clone()], epsilon);
        assert!(excess(epsilon) <= delta * (1.0 + 1e-9));
        assert!(excess(0.97 * epsilon) > delta);
    }

    /// A person with shares changes them in any way: no way costs more than all steps together, and
    /// δ is reached by a person whose only category was new.
    #[test]
    fn replaced_shares_cost_no_more_than_a_whole_record() {
        const STEPS: u64 = 3;
        let counts = small("1.2:3", &[1], STEPS, "1e-3");
        let epsilon = lost(&counts, 0);
        let delta = counts.delta(0).to_f64().value();
        let mut shares = Vec::new();
        for one in 0..=STEPS {
            shares.extend((0..=STEPS - one).map(|two| [one, two, STEPS - one - two]));
        }
        let threshold = int(&counts.threshold());
        let laws: Vec<Law> =
            (0..=threshold + 8).map(|weight| law(&counts, weight, false)).collect();
        let mut worst = (0.0_f64, 0.0_f64);
        for others in [[0, 0, 0], [threshold, 0, 0], [2, threshold - 2, 0]] {
            for before in &shares {
                for after in &shares {
                    let of = |shares: &[u64; 3]| -> Vec<Law> {
                        let weights = shares.iter().zip(others);
                        weights
                            .map(|(s, other)| laws[*s as usize + other as usize].clone())
                            .collect()
                    };
                    let is_whole = before.contains(&STEPS) || after.contains(&STEPS);
                    let excess = excess(&of(before), &of(after), epsilon);
                    match is_whole {
                        true => worst.0 = worst.0.max(excess),
                        false => worst.1 = worst.1.max(excess),
                    }
                }
            }
        }
        assert!(worst.0.max(worst.1) <= delta * (1.0 + 1e-9), "{worst:?} {delta}");
        assert!(worst.0 >= delta * (1.0 - 1e-6), "{worst:?} {delta}");
        assert!(worst.1 < delta * 0.9, "split persons cost less: {worst:?} {delta}");
    }

    #[test]
    fn the_threshold_is_the_least_that_keeps_delta() {
        let profile: Profile = "0.01:5,0.3:3,1:3,inf:2".parse().unwrap();
        for (delta, steps) in [("1e-3", 1), ("1e-8", 1), ("1e-30", 1), ("1e-8", 1 << 20)] {
            let weights = [1u64, 30, 100, 100].map(UBig::from).to_vec();
            let allowed: Delta = delta.parse().unwrap();
            let counts = FoundCounts::calibrated(&profile, weights, steps, allowed);
            assert!(*counts.noise().up() >= UBig::ONE << FINE);
            for (position, level) in profile.levels().iter().enumerate().take(3) {
                assert!(counts.loss(position).within(level.epsilon), "{delta} {position}");
                assert!(counts.delta(position) <= allowed.exact(), "{delta} {position}");
            }
            assert!(counts.delta(0) < counts.delta(1) && counts.delta(1) < counts.delta(2));
            let most = &counts.weights()[2] * UBig::from(steps);
            let lower = counts.noise().clone().cut_at(counts.threshold() - UBig::ONE);
            assert!(lower.reaches_within(&most) > allowed.exact(), "{delta} {steps}");
            // M = ln((1 − a)((e^(a·w) − 1)/δ + 1))/a in units of 1/u, with a = 0.6 and w = 1.
            let units = (RBig::from(counts.threshold()) / RBig::from(counts.noise().up().clone()))
                .to_f64()
                .value();
            let expected = (0.4 * (0.6_f64.exp_m1() / allowed.get() + 1.0)).ln();
            assert!((units - expected).abs() < 1e-4, "{delta}: {units} {expected}");
        }
    }

    #[test]
    fn enormous_budgets_have_a_threshold_of_little_more_than_a_record() {
        let profile: Profile = "1e6:5,1e100:3".parse().unwrap();
        let weights = [1u64 << 40, 1 << 40].map(UBig::from).to_vec();
        let counts = FoundCounts::calibrated(&profile, weights, 1, "1e-8".parse().unwrap());
        let over = RBig::from(counts.threshold()) / RBig::from(counts.weights()[0].clone());
        assert!(over >= RBig::ONE && over.to_f64().value() < 1.001);
        assert!(counts.delta(0).to_f64().value() <= 1e-8);
    }

    #[test]
    fn public_records_alone_are_counted_exactly() {
        let profile: Profile = "0:4,inf:5".parse().unwrap();
        let weights = [0u64, 1 << 40].map(UBig::from).to_vec();
        let counts = FoundCounts::calibrated(&profile, weights, 1, "1e-8".parse().unwrap());
        assert_eq!((counts.threshold(), counts.noise().up().clone()), (UBig::ZERO, UBig::ZERO));
        let sums = [[4, 0, 0], [2, 0, 3]].map(|sums| sums.map(ExactSum::from_raw));
        let by_level: Vec<_> = sums
            .iter()
            .zip([4, 5])
            .enumerate()
            .map(|(position, (sums, count))| ExactSums { position, count, sums })
            .collect();
        let found = counts.release(&by_level, &mut Randomness::insecure(1));
        let shown: Vec<_> = found.iter().map(|one| (one.category, one.is_always)).collect();
        assert_eq!(shown, [(0, true), (2, true)]);
        assert_eq!(found[1].noisy, IBig::from(3) << 40);
    }

    /// Categories without records never show, and one of many records always does.
    #[test]
    fn published_categories_have_records() {
        let profile: Profile = "0.5:2000,1:1000,inf:9".parse().unwrap();
        let weights = [1u64 << 40, 1 << 41, 1 << 41].map(UBig::from).to_vec();
        let counts = FoundCounts::calibrated(&profile, weights, 1, "1e-6".parse().unwrap());
        let sums = [[1990, 1, 0, 9, 0], [990, 1, 0, 9, 0], [8, 0, 0, 0, 1]];
        let sums = sums.map(|sums| sums.map(ExactSum::from_raw));
        let by_level: Vec<_> = sums
            .iter()
            .zip([2000, 1000, 9])
            .enumerate()
            .map(|(position, (sums, count))| ExactSums { position, count, sums })
            .collect();
        let mut randomness = Randomness::insecure(8);
        let mut shown = [0; 5];
        for _ in 0..500 {
            let found = counts.release(&by_level, &mut randomness);
            found.iter().for_each(|one| shown[one.category] += 1);
            assert!(found.is_sorted_by_key(|one| one.category));
        }
        // Two records show with a probability below 1e-5.
        assert_eq!((shown[0], shown[1], shown[2], shown[4]), (500, 0, 0, 500));
    }
}
