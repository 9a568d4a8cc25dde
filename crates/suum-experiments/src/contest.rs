//! Comparison of the error of `auto` with that of all other estimators.

use suum::simulation::Errors;

use crate::sheet::Exception;
use crate::value_with_error::ValueWithError;

/// Cell in which another estimator has less error than `auto`.
#[derive(Debug, Clone, PartialEq)]
pub struct Beaten {
    /// Cell of the table, or point of the figure.
    pub cell: String,
    /// Estimator with less error.
    pub rival: String,
    /// Error of `auto`, in the unit of the cell.
    pub auto: f64,
    /// Error of the rival.
    pub error: f64,
    /// Known reason, if there is one.
    pub reason: Option<String>,
}

/// Comparisons of `auto` with all others, cell by cell.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Contest {
    /// Number of comparisons.
    pub comparisons: usize,
    /// Cells in which `auto` has more error, by more than chance explains.
    pub beaten: Vec<Beaten>,
}

/// Number of standard errors up to which a difference is a tie.
const CHANCE: f64 = 3.0;
/// Relative difference up to which exact errors are ties: they differ by rounding.
const ROUNDING: f64 = 1e-9;

impl Contest {
    /// Compares mean squared errors of the same trials.
    pub(crate) fn mean_squared(&mut self, cell: &str, auto: &Errors, rival: (&str, &Errors)) {
        let (name, errors) = rival;
        let differences = auto.all().iter().zip(errors.all()).map(|(a, b)| a * a - b * b).collect();
        let (difference, error) = Errors::new(differences).mean();
        let (ours, theirs) = (auto.mean_squared().0, errors.mean_squared().0);
        self.judge(cell, name, difference > CHANCE * error + ROUNDING * theirs, ours, theirs);
    }

    /// Compares numbers that were estimated independently.
    pub(crate) fn apart(
        &mut self,
        cell: &str,
        auto: ValueWithError,
        rival: (&str, ValueWithError),
    ) {
        let (name, other) = rival;
        let error = (auto.error * auto.error + other.error * other.error).sqrt();
        let worse = auto.value - other.value > CHANCE * error + ROUNDING * other.value;
        self.judge(cell, name, worse, auto.value, other.value);
    }

    fn judge(&mut self, cell: &str, rival: &str, worse: bool, auto: f64, error: f64) {
        self.comparisons += 1;
        if worse {
            let (cell, rival) = (cell.to_owned(), rival.to_owned());
            self.beaten.push(Beaten { cell, rival, auto, error, reason: None });
        }
    }

    /// Adds the known reasons.
    pub(crate) fn explained(mut self, known: &[Exception]) -> Self {
        for beaten in &mut self.beaten {
            let applies = |exception: &&Exception| {
                beaten.cell.starts_with(&exception.cells)
                    && exception.rivals.contains(&beaten.rival)
            };
            beaten.reason = known.iter().find(applies).map(|exception| exception.reason.clone());
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clear_loss_is_seen_and_chance_is_not() {
        let errors =
            |scale: f64| Errors::new((0..100).map(|i| scale * f64::from(i % 7 - 3)).collect());
        let mut contest = Contest::default();
        contest.mean_squared("same", &errors(1.0), ("b", &errors(1.0)));
        contest.mean_squared("better", &errors(0.9), ("b", &errors(1.0)));
        contest.mean_squared("worse", &errors(1.1), ("b", &errors(1.0)));
        let about = |value| ValueWithError { value, error: 0.1 };
        contest.apart("near", about(1.2), ("b", about(1.0)));
        contest.apart("far", about(2.0), ("b", about(1.0)));
        let cells: Vec<&str> = contest.beaten.iter().map(|beaten| beaten.cell.as_str()).collect();
        assert_eq!((contest.comparisons, &cells[..]), (5, &["worse", "far"][..]));
    }
}
