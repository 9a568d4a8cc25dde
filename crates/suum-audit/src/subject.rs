//! Mechanism under audit.

use std::ops::Range;

use rayon::prelude::*;
use serde::Serialize;
use suum_core::{Epsilon, Loss, Randomness, Result};

/// Visible output of one release.
#[derive(Debug, Clone, PartialEq)]
pub enum Output {
    /// Numbers, always equally many, compared to the last bit. A category is a number, too.
    Numbers(Vec<f64>),
    /// No release, which can reveal something as well.
    Refused,
}

impl From<f64> for Output {
    fn from(number: f64) -> Self {
        Output::Numbers(vec![number])
    }
}

/// Converts numbers, or a refusal.
impl From<Result<Vec<f64>>> for Output {
    fn from(released: Result<Vec<f64>>) -> Self {
        released.map_or(Output::Refused, Output::Numbers)
    }
}

/// Side of a pair of neighbouring datasets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Side {
    /// The first.
    One,
    /// The second, which differs from it in one record.
    Other,
}

/// Privacy level, with the promise to its records.
#[derive(Debug, Clone, PartialEq)]
pub struct Promise {
    /// Name of the level, for reports.
    pub level: String,
    /// Budget that the record allows.
    pub allowed: Epsilon,
    /// Loss that the mechanism certifies, which is tested.
    pub certified: Loss,
}

impl Promise {
    /// Promise of the whole budget, where nothing else is certified.
    pub fn all_of(allowed: Epsilon) -> Self {
        let certified = allowed.exact().map_or(Loss::Unlimited, Loss::Finite);
        Self { level: allowed.to_string(), allowed, certified }
    }
}

/// Two datasets that differ in one record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Neighbours {
    /// Position of that record's level among the promises.
    pub promise: usize,
    /// Short description of the difference.
    pub difference: String,
}

/// Mechanism under audit: its promises, pairs of neighbours, and one release of one dataset.
///
/// # Example
///
/// A coin that tells the truth three times out of four loses ln 3 = 1.0986, and does not keep a
/// promise of 1.
///
/// ```
/// use suum_audit::{
///     Neighbours, Output, Progress, Promise, Settings, Side, Subject, Verdict, audit,
/// };
/// use suum_core::{Epsilon, Randomness};
///
/// struct Coin(Vec<Promise>, Vec<Neighbours>);
///
/// impl Subject for Coin {
///     fn name(&self) -> &str {
///         "coin"
///     }
///     fn promises(&self) -> &[Promise] {
///         &self.0
///     }
///     fn neighbours(&self) -> &[Neighbours] {
///         &self.1
///     }
///     fn release(&self, _: usize, side: Side, randomness: &mut Randomness) -> Output {
///         let truth = randomness.index_below(4) < 3;
///         Output::from(if truth == (side == Side::One) { 1.0 } else { 0.0 })
///     }
/// }
///
/// let yes_or_no = Neighbours { promise: 0, difference: "yes or no".into() };
/// let coin = |promised| -> suum_core::Result<Coin> {
///     Ok(Coin(vec![Promise::all_of(Epsilon::new(promised)?)], vec![yes_or_no.clone()]))
/// };
/// let settings = Settings { runs: 20_000, ..Settings::default() };
/// for (promised, verdict) in [(1.0, Verdict::Broken), (1.1, Verdict::NotDisproved)] {
///     let report = audit(&[&coin(promised)?], &settings, &Progress::default())?;
///     assert_eq!(report.verdict(), verdict);
/// }
/// # Ok::<(), suum_core::Error>(())
/// ```
pub trait Subject: Sync {
    /// Returns the name of the mechanism.
    fn name(&self) -> &str;

    /// Returns the levels, with the promise to a record of each. An unlimited promise is not
    /// tested.
    fn promises(&self) -> &[Promise];

    /// Returns the pairs of datasets to compare, some for every level: they are public, and chosen
    /// to reveal losses.
    fn neighbours(&self) -> &[Neighbours];

    /// Makes one release of one of two neighbours: all that is published, with all randomness from
    /// `randomness`.
    fn release(&self, neighbours: usize, side: Side, randomness: &mut Randomness) -> Output;

    /// Makes a release of one of two neighbours for each run in `runs`; run `r` has the randomness
    /// of fork `r`.
    ///
    /// This draws them in parallel. Override it where it is quicker to make them together.
    ///
    /// # Errors
    ///
    /// Fails if nothing can be released at all, which ends the audit. A single refused release is
    /// an [`Output`].
    fn releases(
        &self,
        neighbours: usize,
        side: Side,
        runs: Range<u64>,
        randomness: &Randomness,
    ) -> Result<Vec<Output>> {
        Ok(runs
            .into_par_iter()
            .map(|run| self.release(neighbours, side, &mut randomness.fork(run)))
            .collect())
    }

    /// Returns the exact loss between two neighbours, if the distribution is known exactly.
    fn exact_loss(&self, _neighbours: usize) -> Option<Loss> {
        None
    }
}
