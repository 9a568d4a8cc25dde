//! Permute-and-flip by its definition, for tests.

/// The probability of every candidate, from the probabilities with which they are accepted, by
/// going through all orders.
pub(crate) fn permute_and_flip(acceptance: &[f64]) -> Vec<f64> {
    fn go(left: &mut Vec<usize>, reached: f64, acceptance: &[f64], chosen: &mut [f64]) {
        let share = reached / left.len() as f64;
        for position in 0..left.len() {
            let candidate = left.remove(position);
            chosen[candidate] += share * acceptance[candidate];
            if acceptance[candidate] < 1.0 && !left.is_empty() {
                go(left, share * (1.0 - acceptance[candidate]), acceptance, chosen);
            }
            left.insert(position, candidate);
        }
    }
    let mut chosen = vec![0.0; acceptance.len()];
    go(&mut (0..acceptance.len()).collect(), 1.0, acceptance, &mut chosen);
    chosen
}

/// The probability of every run of candidates, from how many there are and the probability with
/// which each of them is accepted.
///
/// A candidate is drawn if it is accepted, and before all others that are: p·E[1/(1 + A)] for A
/// others, which is p·∫ E[t^A] dt from 0 to 1.
pub(crate) fn permute_and_flip_runs(runs: &[(u32, f64)]) -> Vec<f64> {
    const STEPS: u32 = 20_000;
    let mut chosen = vec![0.0; runs.len()];
    for step in 0..=STEPS {
        let t = f64::from(step) / f64::from(STEPS);
        // Simpson's rule.
        let share = match step {
            0 | STEPS => 1.0,
            odd if odd % 2 == 1 => 4.0,
            _ => 2.0,
        } / f64::from(3 * STEPS);
        for (own, (number, accepted)) in runs.iter().enumerate() {
            let others = runs.iter().enumerate().map(|(at, (number, p))| {
                (1.0 - p + p * t).powf(f64::from(number - u32::from(at == own)))
            });
            chosen[own] += share * f64::from(*number) * accepted * others.product::<f64>();
        }
    }
    chosen
}
