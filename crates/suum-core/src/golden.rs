//! The least value of a function that falls and then rises.

/// About where `function` is least between `low` and `high`, after that many golden sections.
pub(crate) fn least_at(
    mut low: f64,
    mut high: f64,
    sections: usize,
    function: impl Fn(f64) -> f64,
) -> f64 {
    const SECTION: f64 = 0.618_033_988_749_894_8;
    for _ in 0..sections {
        let (left, right) = (high - SECTION * (high - low), low + SECTION * (high - low));
        if function(left) <= function(right) { high = right } else { low = left }
    }
    0.5 * (low + high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bottom_of_a_valley_is_found() {
        for bottom in [-3.0, 0.25, 7.5] {
            let found = least_at(-10.0, 10.0, 60, |x| (x - bottom).abs());
            assert!((found - bottom).abs() < 1e-10, "{found} in place of {bottom}");
        }
    }
}
