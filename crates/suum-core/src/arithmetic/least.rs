//! Minima of numbers and of functions.

/// Relative difference below which two numbers are a tie.
const TIE: f64 = 1e-12;

/// Returns the position of the least of these numbers; ties go to the earlier one.
pub(crate) fn first_least(numbers: impl IntoIterator<Item = f64>) -> usize {
    first_least_of(numbers, |number, _| number)
}

/// Returns the position of the item with the least number; ties go to the earlier one.
///
/// `number` receives an item and the least number before it. A larger result may be any larger
/// number, or infinite.
pub(crate) fn first_least_of<T>(
    items: impl IntoIterator<Item = T>,
    mut number: impl FnMut(T, f64) -> f64,
) -> usize {
    let mut best = (0, f64::INFINITY);
    for (at, item) in items.into_iter().enumerate() {
        let next = number(item, best.1);
        if next < best.1 * (1.0 - TIE) {
            best = (at, next);
        }
    }
    best.0
}

/// Returns the approximate minimum between `low` and `high` of a function that falls and then
/// rises, after `sections` golden sections.
pub(crate) fn least_at(low: f64, high: f64, sections: usize, function: impl Fn(f64) -> f64) -> f64 {
    least_at_of(low, high, sections, |x, _| function(x))
}

/// Returns the approximate minimum, as [`least_at`] does, of a function that also receives the
/// value it is compared with. A larger result may be any larger number, or infinite.
pub(crate) fn least_at_of(
    mut low: f64,
    mut high: f64,
    sections: usize,
    function: impl Fn(f64, f64) -> f64,
) -> f64 {
    const SECTION: f64 = 0.618_033_988_749_894_8;
    for _ in 0..sections {
        let (left, right) = (high - SECTION * (high - low), low + SECTION * (high - low));
        let lower = function(left, f64::INFINITY);
        if lower <= function(right, lower) { high = right } else { low = left }
    }
    0.5 * (low + high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_go_to_the_earlier_one() {
        assert_eq!(first_least([3.0, 1.0, 2.0]), 1);
        assert_eq!(first_least([1.0, 1.0 - 1e-13, 1.0]), 0);
        assert_eq!(first_least([1.0, 1.0 - 1e-11]), 1);
        assert_eq!(first_least([f64::INFINITY, 5.0]), 1);
        assert_eq!(first_least([f64::INFINITY]), 0);
    }

    #[test]
    fn the_bottom_of_a_valley_is_found() {
        for bottom in [-3.0, 0.25, 7.5] {
            let found = least_at(-10.0, 10.0, 60, |x| (x - bottom).abs());
            assert!((found - bottom).abs() < 1e-10, "{found} in place of {bottom}");
        }
    }
}
