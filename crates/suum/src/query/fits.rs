//! Which options a statistic has use for. What it has none for is refused: it would be ignored.

use std::sync::LazyLock;

use suum_core::{Error, Rank, Result, Statistics};

use super::uses::fits;
use super::{Query, StatisticName, schema};

/// The options of a query, each with who has use for it if not everybody has.
static OPTIONS: LazyLock<Vec<(String, Option<String>)>> = LazyLock::new(|| {
    let described = |(name, option): (String, serde_json::Value)| {
        let these = option.get("x-for").and_then(|these| these.as_str());
        (name, these.map(str::to_owned))
    };
    schema::properties::<Query>().into_iter().map(described).collect()
});

impl Query {
    /// The options that a statistic has use for, by the names of the fields, without the statistic
    /// itself. `summary` stands for several statistics.
    ///
    /// # Errors
    ///
    /// Refuses names that no statistic has.
    ///
    /// # Example
    ///
    /// ```
    /// let options = suum::Query::options("count")?;
    /// assert!(options.iter().any(|name| name == "epsilon"));
    /// assert!(!options.iter().any(|name| name == "bounds"));
    /// # Ok::<(), suum::Error>(())
    /// ```
    pub fn options(statistic: &str) -> Result<Vec<String>> {
        let asked = match statistic {
            "summary" => {
                let quantiles = vec![Rank::MEDIAN];
                StatisticName::Several(Statistics { quantiles, ..Statistics::default() })
            }
            name => name.parse()?,
        };
        let has_use = |(name, these): &&(String, Option<String>)| {
            name != "statistic" && these.as_ref().is_none_or(|these| fits(&asked, these))
        };
        Ok(OPTIONS.iter().filter(has_use).map(|(name, _)| name.clone()).collect())
    }

    /// Refuses options that the statistic has no use for.
    pub(crate) fn check(&self) -> Result<()> {
        for (option, _) in self.entries().words() {
            let these = OPTIONS.iter().find(|(name, _)| *name == option);
            if let Some((name, Some(these))) = these
                && !fits(&self.statistic, these)
            {
                let name = name.replace('_', "-");
                return Err(Error::request(format!("{name}: is for {these}"))
                    .with_hint(format!("leave --{name} out")));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A word that [`fits`] does not know would be for nobody.
    #[test]
    fn every_option_is_for_some_statistic() {
        let commands = ["mean", "sum", "count", "frequency", "quantile", "variance", "summary"];
        let used: Vec<String> =
            commands.iter().flat_map(|command| Query::options(command).unwrap()).collect();
        for (name, _) in OPTIONS.iter().filter(|(name, _)| name != "statistic") {
            assert!(used.contains(name), "{name}");
        }
    }
}
