//! A query with any content is refused with a way out, or means the same when it is written out and
//! read again.

use proptest::prelude::*;
use suum::{Entries, Job};

/// Names of options, and some that there are not.
const NAMES: [&str; 41] = [
    "value",
    "bounds",
    "categories",
    "bins",
    "other",
    "missing",
    "privacy",
    "levels",
    "epsilon",
    "person",
    "per_person",
    "epsilon_range",
    "clip",
    "group_by",
    "groups",
    "other_group",
    "suppress_below",
    "q",
    "step",
    "cells",
    "rows",
    "interval_share",
    "split",
    "variance",
    "shrink",
    "post",
    "simultaneous",
    "target",
    "neighbors",
    "confidence",
    "estimator",
    "beta",
    "insecure_seed",
    "data",
    "table",
    "query",
    "ledger",
    "spend",
    "from_levels",
    "bound",
    "",
];

/// Values in JSON: of all forms, of the right one now and then.
const VALUES: [&str; 34] = [
    "null",
    "true",
    "false",
    "0",
    "1",
    "0.5",
    "-3",
    "1e300",
    "18446744073709551615",
    "\"\"",
    "\"a\"",
    "\"auto\"",
    "\"0,77\"",
    "\"-5,5\"",
    "\"nan\"",
    "\"inf\"",
    "\"50%\"",
    "\"0.25,90%\"",
    "\"private\"",
    "\"mean=2\"",
    "\"a=1,b=inf\"",
    "\"replace\"",
    "\"add-remove\"",
    "\"dataset\"",
    "\"01\"",
    "\"it's \\\\, a label\"",
    "[]",
    "[0, 77]",
    "[1.0, 2.5]",
    "[\"a\", \"b, c\", 3]",
    "[[1]]",
    "{}",
    "{\"a,b\": 0.1, \"c\": \"inf\"}",
    "{\"mean\": 2}",
];

const STATISTICS: [&str; 10] = [
    "\"mean\"",
    "\"sum\"",
    "\"count\"",
    "\"frequency\"",
    "\"quantile\"",
    "\"variance\"",
    "\"mean,q50\"",
    "[\"mean\"]",
    "[\"variance\", \"q99.9\"]",
    "\"mode\"",
];

fn object(statistic: usize, said: &[(usize, usize)]) -> String {
    let mut fields = vec![format!("\"statistic\": {}", STATISTICS[statistic])];
    for (name, value) in said {
        fields.push(format!("\"{}\": {}", NAMES[*name], VALUES[*value]));
    }
    format!("{{{}}}", fields.join(", "))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn a_query_is_refused_or_means_the_same_again(
        statistic in 0..STATISTICS.len(),
        said in prop::collection::vec((0..NAMES.len(), 0..VALUES.len()), 0..4),
    ) {
        let json = object(statistic, &said);
        match Entries::from_json(&json).and_then(Job::new) {
            Err(refused) => prop_assert!(refused.fix().is_some(), "{json}: {refused}"),
            Ok(job) => {
                let again = serde_json::to_string(&job).unwrap();
                prop_assert_eq!(Entries::from_json(&again).and_then(Job::new), Ok(job.clone()));
                // TOML has no numbers beyond those of 64 bits with a sign.
                if job.query.insecure_seed != Some(u64::MAX) {
                    let toml = toml::to_string(&job).unwrap();
                    prop_assert_eq!(Job::from_toml(&toml), Ok(job.clone()));
                }
                prop_assert!(job.command().starts_with("suum "));
            }
        }
    }

    #[test]
    fn no_text_panics(text in "\\PC*", like in "[a-z_]{1,9} ?= ?[\"\\[{0-9a-z,\\]}]{0,12}\n") {
        for text in [text, like] {
            let _ = Job::from_toml(&text);
            let _ = Entries::from_json(&text);
        }
    }
}
