//! The parameters of an experiment: one file each, in the folder `experiments/`.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use suum::{Error, ErrorKind, Result};

use crate::effort::Trials;

/// What every experiment says of itself, and its own parameters `P`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Sheet<P> {
    /// What is measured, in a few words.
    pub(crate) title: String,
    /// Paper and figure.
    pub(crate) source: String,
    /// What the paper did and found, in our words.
    pub(crate) published: String,
    /// What was chosen here because the paper does not say, and other things a reader must know.
    pub(crate) notes: Vec<String>,
    /// The seed of all random numbers.
    pub(crate) seed: u64,
    /// How many trials there are.
    pub(crate) trials: Counts,
    /// Cells in which another estimator is known to have less error than `auto`.
    #[serde(default)]
    pub(crate) exceptions: Vec<Exception>,
    /// The setting.
    pub(crate) setting: P,
}

/// Numbers of trials.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Counts {
    full: usize,
    quick: usize,
}

impl Counts {
    pub(crate) fn of(self, trials: Trials) -> usize {
        match trials {
            Trials::Full => self.full,
            Trials::Quick => self.quick,
            Trials::Exactly(count) => count.max(2),
        }
    }
}

/// An estimator that is known to beat `auto`, and why.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Exception {
    /// What the names of the cells begin with.
    pub(crate) cells: String,
    /// The estimators.
    pub(crate) rivals: Vec<String>,
    /// Why.
    pub(crate) reason: String,
}

impl<P: DeserializeOwned> Sheet<P> {
    pub(crate) fn read(text: &str) -> Result<Self> {
        toml::from_str(text).map_err(|fault| {
            let message = format!("experiments: the parameters are malformed: {fault}");
            Error::new(ErrorKind::Internal, (), message)
        })
    }
}
