//! One release for each group.

use std::collections::HashSet;
use std::fmt::Write;
use std::fs;

use serde_json::Value;
use suum::{Entries, Job};

const GROUPS: usize = 40;

/// The names of the groups and their means, of groups in which everybody has the same values.
fn means(more: &str) -> Vec<(String, u64)> {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("people.csv");
    let mut csv = String::from("v,g,eps\n");
    for (group, v) in (0..GROUPS).flat_map(|group| (0..50).map(move |v| (group, v))) {
        writeln!(csv, "{v},g{group},0.5").unwrap();
    }
    fs::write(&data, csv).unwrap();
    let names: Vec<String> = (0..GROUPS).map(|group| format!("g{group}")).collect();
    let entries = Entries::from_json(&format!(
        r#"{{"statistic": "mean", "value": "v", "bounds": [0, 60], "epsilon": "eps",
            "group_by": "g", "groups": "{}", "data": {data:?}{more}}}"#,
        names.join(",")
    ));
    let answer = Job::new(entries.unwrap()).unwrap().run().unwrap();
    let said: Value = serde_json::from_str(&answer.json().unwrap()).unwrap();
    let each = said["groups"].as_array().unwrap().iter().map(|one| {
        (one["group"].as_str().unwrap().to_owned(), one["estimate"].as_f64().unwrap().to_bits())
    });
    let each: Vec<(String, u64)> = each.collect();
    assert!(each.iter().map(|(name, _)| name).eq(&names), "in the order asked for");
    each
}

/// Noise that two groups had in common would cancel out in their difference.
#[test]
fn every_group_has_noise_of_its_own() {
    for seed in ["", r#", "insecure_seed": 7"#] {
        let all = means(seed);
        let different: HashSet<u64> = all.iter().map(|(_, mean)| *mean).collect();
        assert_eq!(different.len(), GROUPS, "{all:?}");
    }
    assert_ne!(means(""), means(""));
    assert_eq!(means(r#", "insecure_seed": 7"#), means(r#", "insecure_seed": 7"#));
}
