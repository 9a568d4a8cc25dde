//! The threads of this process.

use rayon::iter::{IntoParallelIterator, ParallelIterator};
use suum_core::Workers;

/// All threads that scans use, lent to mathematics that can use them.
///
/// # Example
///
/// ```
/// use suum_core::{Alone, Epsilon, Target, personal_weights};
/// use suum_data::Threads;
///
/// let budgets: Vec<Epsilon> =
///     (1..200_000).map(|i| Epsilon::new(f64::from(i) / 7e4)).collect::<Result<_, _>>()?;
/// let weights = personal_weights(&budgets, Target::Dataset, 0.25, &Threads)?;
/// assert_eq!(weights, personal_weights(&budgets, Target::Dataset, 0.25, &Alone)?);
/// # Ok::<(), suum_core::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct Threads;

impl Workers for Threads {
    fn map<T: Send, R: Send>(&self, parts: Vec<T>, work: impl Fn(T) -> R + Sync) -> Vec<R> {
        parts.into_par_iter().map(&work).collect()
    }
}
