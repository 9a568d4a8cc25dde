//! Quantiles of the results of trials.

/// Quantile of some numbers.
pub(super) fn quantile(mut numbers: Vec<f64>, q: f64) -> f64 {
    numbers.sort_by(f64::total_cmp);
    let at = (q * numbers.len() as f64) as usize;
    numbers.get(at.min(numbers.len().saturating_sub(1))).copied().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_of_sorted_numbers() {
        let numbers = vec![5.0, 1.0, 3.0, 2.0, 4.0];
        assert_eq!((quantile(numbers.clone(), 0.5), quantile(numbers, 1.0)), (3.0, 5.0));
    }
}
