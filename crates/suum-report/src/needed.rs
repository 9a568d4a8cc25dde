//! How many people it takes to come as near as is asked for.

use serde::Serialize;
use suum_core::Profile;

use crate::figures::{count, significant};
use crate::prose;

/// How many people it takes, at the same shares of levels.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Needed {
    /// The option: `target-rmse` or `target-half-width`.
    pub option: &'static str,
    /// What was asked for.
    pub target: f64,
    /// How many times as many people of every level that takes.
    pub factor: f64,
    /// So many people.
    pub profile: Profile,
    /// What their plan reaches.
    pub reached: f64,
    /// For which data that is, where it is not for all.
    #[serde(skip)]
    pub basis: &'static str,
}

/// The answer in words.
///
/// # Example
///
/// ```
/// use suum_report::Needed;
///
/// let needed = Needed {
///     option: "target-rmse",
///     target: 0.5,
///     factor: 2.0,
///     profile: "0.1:2000".parse()?,
///     reached: 0.49,
///     basis: "",
/// };
/// assert!(suum_report::needed_text(&needed).contains("2 times as many"));
/// # Ok::<(), suum_core::Error>(())
/// ```
pub fn needed_text(needed: &Needed) -> String {
    let Needed { option, target, factor, profile, reached, basis } = needed;
    let (what, sign) = match *option {
        "target-rmse" => ("An expected error of at most", ""),
        _ => ("An interval of at most", "±"),
    };
    let mut out = "\nHow many people it takes\n".to_owned();
    let words = format!(
        "{what} {sign}{target} takes {} times as many people in every level: {} records. With \
         them it is {sign}{}. {basis}",
        significant(*factor, 3),
        count(profile.records()),
        significant(*reached, 4),
    );
    prose::paragraph(&mut out, words.trim_end());
    out
}
