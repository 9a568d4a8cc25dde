//! A mechanism under audit.

use std::ops::Range;

use rayon::prelude::*;
use serde::Serialize;
use suum_core::{Epsilon, Loss, Randomness, Result};

/// What somebody sees of one release.
#[derive(Debug, Clone, PartialEq)]
pub enum Output {
    /// Numbers, always as many of them, compared to the last bit. A category is a number, too.
    Numbers(Vec<f64>),
    /// Nothing was released. That can tell something.
    Refused,
}

impl From<f64> for Output {
    fn from(number: f64) -> Self {
        Output::Numbers(vec![number])
    }
}

/// Numbers, or a refusal.
impl From<Result<Vec<f64>>> for Output {
    fn from(released: Result<Vec<f64>>) -> Self {
        released.map_or(Output::Refused, Output::Numbers)
    }
}

/// Which of two neighbouring datasets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Side {
    /// The first.
    One,
    /// The second, which differs from it in one record.
    Other,
}

/// A privacy level, and what a record of it was promised.
#[derive(Debug, Clone, PartialEq)]
pub struct Promise {
    /// The name of the level, for reports.
    pub level: String,
    /// What the record allows.
    pub allowed: Epsilon,
    /// What the mechanism certifies to spend of it. This is what is put to the test.
    pub certified: Loss,
}

impl Promise {
    /// All that the record allows, where nothing else is certified.
    pub fn all_of(allowed: Epsilon) -> Self {
        let certified = allowed.exact().map_or(Loss::Unlimited, Loss::Finite);
        Self { level: allowed.to_string(), allowed, certified }
    }
}

/// Two datasets that differ in one record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Neighbours {
    /// The position of that record's level among the promises.
    pub promise: usize,
    /// In what they differ, in a few words.
    pub difference: String,
}

/// A mechanism under audit: what it promises, pairs of neighbours, and one release of one dataset.
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
    /// What it is called.
    fn name(&self) -> &str;

    /// The levels, and what a record of each was promised. Where that is unlimited there is nothing
    /// to test.
    fn promises(&self) -> &[Promise];

    /// The pairs of datasets to compare, some for every level: they are public, and chosen to be
    /// telling.
    fn neighbours(&self) -> &[Neighbours];

    /// One release of one of two neighbours: all that is published, with all randomness from
    /// `randomness`.
    fn release(&self, neighbours: usize, side: Side, randomness: &mut Randomness) -> Output;

    /// As many releases of one of two neighbours as there are in `runs`; run `r` has the randomness
    /// of fork `r`.
    ///
    /// This draws them in parallel. Where it is quicker to make them together, do that here.
    ///
    /// # Errors
    ///
    /// What keeps it from releasing at all: the audit then ends with that. A release that is
    /// refused is an [`Output`].
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

    /// The exact loss between two neighbours, where the distribution is known to the last digit.
    fn exact_loss(&self, _neighbours: usize) -> Option<Loss> {
        None
    }
}
