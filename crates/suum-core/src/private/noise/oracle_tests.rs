//! Permute-and-flip computed from its definition, for tests.

/// Returns the probability of drawing each candidate, given the probabilities of accepting them, by
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
