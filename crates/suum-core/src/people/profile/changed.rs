//! Changed profiles: people who join or leave, and multiples.

use std::collections::BTreeMap;

use super::{Level, Profile};
use crate::error::{for_example, option};
use crate::{Epsilon, Error, Result};

/// Tier of a profile: its name, what each of its people allows, and how many they are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NamedTier<'a> {
    /// Name of the tier.
    pub name: &'a str,
    /// Budget of each of its people.
    pub epsilon: Epsilon,
    /// Number of its people.
    pub count: u64,
}

impl Profile {
    /// The profile after people joined, left or changed level, for what-if questions.
    ///
    /// `change` lists `epsilon:+N` or `epsilon:-N`, separated by commas; in place of `epsilon` can
    /// stand the name of one of the `tiers`, and in place of `N` a part of its people, as in
    /// `open:+20%`, rounded to whole ones.
    ///
    /// # Errors
    ///
    /// Refuses text of another form, names that no tier has, removing more people than there are,
    /// and removing everybody.
    ///
    /// # Example
    ///
    /// ```
    /// use suum_core::{Epsilon, NamedTier, Profile};
    ///
    /// let profile: Profile = "0.1:3400,0.5:4300".parse()?;
    /// let open = NamedTier { name: "open", epsilon: Epsilon::new(0.5)?, count: 4300 };
    /// let changed = profile.what_if("inf:+500,0.1:-400", &[])?;
    /// assert_eq!(changed.to_string(), "0.1:3000,0.5:4300,inf:500");
    /// assert_eq!(profile.what_if("open:-50%", &[open])?.to_string(), "0.1:3400,0.5:2150");
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    pub fn what_if(&self, change: &str, tiers: &[NamedTier<'_>]) -> Result<Self> {
        self.check_one_stratum()?;
        let mut counts: BTreeMap<Epsilon, u64> =
            self.levels.iter().map(|level| (level.epsilon, level.count)).collect();
        for part in change.split(',') {
            // A name can have a colon.
            let (name, delta) = part.rsplit_once(':').ok_or_else(malformed)?;
            let tier = tiers.iter().find(|tier| tier.name == name.trim());
            let epsilon = match tier {
                Some(tier) => tier.epsilon,
                None => name.parse().map_err(|_| unknown(name, tiers))?,
            };
            let known = counts.get(&epsilon).copied().unwrap_or_default();
            let of = tier.map_or(known, |tier| tier.count);
            let delta = delta.trim();
            let amount = delta.strip_prefix(['+', '-']).ok_or_else(malformed)?;
            let people = people(amount, of)?;
            let changed = if delta.starts_with('+') {
                known.checked_add(people)
            } else {
                known.checked_sub(people).filter(|_| people <= of)
            };
            let changed = changed.ok_or_else(|| {
                let name = tier.map_or_else(
                    || format!("level {epsilon}"),
                    |tier| format!("tier {}", tier.name),
                );
                Error::parameter(
                    option::WHAT_IF,
                    format!("the {name} does not have that many people"),
                )
                .with_fix("take away at most as many as there are")
            })?;
            counts.insert(epsilon, changed);
        }
        Self::new(
            counts
                .into_iter()
                .filter(|(_, n)| *n > 0)
                .map(|(epsilon, count)| Level { epsilon, count }),
        )
    }

    /// Returns the profile with `factor` times as many people in every level, rounded up to whole
    /// numbers.
    ///
    /// # Errors
    ///
    /// Refuses a factor that is not positive, and more people than there can be.
    ///
    /// # Example
    ///
    /// ```
    /// use suum_core::Profile;
    ///
    /// let profile: Profile = "0.1:3400,inf:3".parse()?;
    /// assert_eq!(profile.times(1.5)?.to_string(), "0.1:5100,inf:5");
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    pub fn times(&self, factor: f64) -> Result<Self> {
        let refused = || {
            Error::parameter(option::PROFILE, "so many people cannot be counted")
                .with_fix("ask for a larger error")
        };
        let more = |level: &Level| {
            let count = (level.count as f64 * factor).ceil();
            let fits = count >= 1.0 && count < 2f64.powi(62);
            fits.then_some(Level { epsilon: level.epsilon, count: count as u64 })
                .ok_or_else(refused)
        };
        let levels = self.levels.iter().map(more).collect::<Result<Vec<_>>>()?;
        let all = levels.iter().try_fold(0u64, |all, level| all.checked_add(level.count));
        // Multiplying keeps the order of levels.
        Ok(Self { levels, strata: self.strata.clone(), records: all.ok_or_else(refused)? })
    }
}

/// Number of people who come or go: a whole number, or a part of these in percent.
fn people(amount: &str, of: u64) -> Result<u64> {
    let Some(percent) = amount.strip_suffix('%') else {
        return amount.parse().map_err(|_| malformed());
    };
    let percent: f64 = percent.trim().parse().map_err(|_| malformed())?;
    let people = (of as f64 * percent / 100.0).round();
    // Beyond that not every whole number has a double.
    let is_possible = percent >= 0.0 && people <= (1u64 << 53) as f64;
    if is_possible { Ok(people as u64) } else { Err(malformed()) }
}

/// Refusal of text of another form.
fn malformed() -> Error {
    Error::parameter(
        option::WHAT_IF,
        "expected TIER:+N, TIER:-N or TIER:+P%, separated by commas; a tier by its name or its ε",
    )
    .with_fix(for_example(option::WHAT_IF, "inf:+500,0.1:-20"))
}

/// Refusal of a name that no tier has.
fn unknown(name: &str, tiers: &[NamedTier<'_>]) -> Error {
    if tiers.is_empty() {
        return malformed();
    }
    let names: Vec<&str> = tiers.iter().map(|tier| tier.name).collect();
    Error::parameter(option::WHAT_IF, format!("no tier has the name {}", name.trim()))
        .with_fix(format!("choose one of {}", names.join(", ")))
}
