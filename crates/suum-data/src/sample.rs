//! Which records a random sample keeps.

use std::sync::Arc;

use suum_core::{Epsilon, Keep, Randomness, Sampled, SampledSum};

/// The random sample of the estimator `sample`: each record stays with the probability of its
/// level.
///
/// A sample serves one release: publishing two of the same records costs their privacy twice. Hence
/// there is no copy of it.
///
/// # Example
///
/// ```
/// use suum_core::{Choice, Estimator, Mechanism, Options, Randomness, Request};
/// use suum_data::Sample;
///
/// let options = Options { estimator: Choice::Named(Estimator::Sample), ..Options::default() };
/// let request = Request::frequency("good,poor".parse()?, options)?;
/// let plan = request.plan("0.1:300,1:200".parse()?)?;
/// if let Mechanism::SampledSum(sum) = plan.mechanism() {
///     let sample = Sample::new(sum.clone(), &mut Randomness::insecure(7));
/// #   let _ = sample;
/// }
/// # Ok::<(), suum_core::Error>(())
/// ```
#[derive(Debug)]
pub struct Sample {
    // The threads of a scan decide together.
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    sum: SampledSum,
    // Never drawn from, only forked.
    randomness: Randomness,
}

impl Sample {
    /// A sample with the probabilities of `sum`, decided by randomness that is spawned from
    /// `randomness`: another sample, or noise, may be drawn from it after that.
    pub fn new(sum: SampledSum, randomness: &mut Randomness) -> Self {
        Self { shared: Arc::new(Shared { sum, randomness: randomness.spawn() }) }
    }

    /// What a level table says of the sample.
    pub(crate) fn origin(&self) -> Sampled {
        Sampled { by: self.shared.sum.clone(), private: self.shared.randomness.is_private() }
    }
}

impl Shared {
    /// The probability of the level a budget is counted in.
    ///
    /// Where the profile has coarse budgets, one that is finer is not in it. Looking further for a
    /// budget that is in the profile but never kept does no harm: its coarse form allows less, so
    /// it is not kept either.
    fn keep(&self, epsilon: Epsilon) -> Keep {
        match self.sum.keep(epsilon) {
            Keep::NEVER => self.sum.keep(epsilon.coarse()),
            keep => keep,
        }
    }
}

/// The decisions of one thread.
pub(crate) struct Decisions {
    shared: Arc<Shared>,
    // By level, so that no record costs more than a random word.
    keep: Vec<Keep>,
    // None until a piece has begun; nothing is decided before.
    stream: Option<Randomness>,
}

impl Decisions {
    pub(crate) fn new(sample: &Sample) -> Self {
        Self { shared: Arc::clone(&sample.shared), keep: Vec::new(), stream: None }
    }

    /// Begins a piece of work.
    ///
    /// Every piece of a scan has a number and so a stream of its own. Records that shared a stream
    /// would be kept or dropped together, and the guarantee holds for independent decisions only.
    /// Numbers follow the order of the data, so the timing of the threads decides nothing.
    pub(crate) fn begin(&mut self, piece: u64) {
        self.stream = Some(self.shared.randomness.fork(piece));
    }

    /// Adds a level behind the others.
    pub(crate) fn push(&mut self, epsilon: Epsilon) {
        self.keep.push(self.shared.keep(epsilon));
    }

    /// Forgets all levels, and goes on with the stream.
    pub(crate) fn clear(&mut self) {
        self.keep.clear();
    }

    /// Whether the next record, which is of this level, stays in the sample.
    #[inline]
    pub(crate) fn decide(&mut self, level: usize) -> bool {
        match (self.keep[level], &mut self.stream) {
            (Keep::ALWAYS, _) => true,
            (Keep::NEVER, _) | (_, None) => false,
            (keep, Some(stream)) => keep.decide(stream),
        }
    }
}
