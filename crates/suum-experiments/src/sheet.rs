//! Parameters of an experiment: one file each, in the folder `experiments/`.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use suum::{Error, ErrorKind, Result};

use crate::effort::Trials;

/// Description of an experiment, and its own parameters `P`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Sheet<P> {
    /// Short description of the measured quantity.
    pub(crate) title: String,
    /// Paper and figure.
    pub(crate) source: String,
    /// Summary of the paper's experiment and results, in our words.
    pub(crate) published: String,
    /// Choices that the paper does not specify, and other notes for the reader.
    pub(crate) notes: Vec<String>,
    /// Seed of all random numbers.
    pub(crate) seed: u64,
    /// Number of trials.
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
    pub(crate) fn get(self, trials: Trials) -> usize {
        match trials {
            Trials::Full => self.full,
            Trials::Quick => self.quick,
            Trials::Exactly(count) => count.max(2),
        }
    }
}

/// Estimator that is known to beat `auto`, and the reason.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Exception {
    /// Prefix of the names of the cells.
    pub(crate) cells: String,
    /// The estimators.
    pub(crate) rivals: Vec<String>,
    /// Reason.
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
