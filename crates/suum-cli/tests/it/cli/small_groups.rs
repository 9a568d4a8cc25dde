//! Groups with few records, which are left out.

use std::fs;

use super::common::{LedgerFolder, json, refused, stdout};

/// 40 people in the north, 3 in the south and nobody in the west.
fn people() -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("people.csv").to_str().unwrap().to_owned();
    let rows = (0..43).map(|row| {
        let site = if row < 40 { "north" } else { "south" };
        format!("{},{site},p,{}", row % 7, row / 2)
    });
    let rows: Vec<String> = rows.collect();
    fs::write(&file, format!("v,site,t,id\n{}\n", rows.join("\n"))).unwrap();
    (folder, file)
}

const TIERS: [&str; 4] = ["--privacy", "t", "--levels", "p=1"];
const GROUPS: [&str; 4] = ["--group-by", "site", "--groups", "south,north,west"];

fn asked<'a>(statistic: &'a str, file: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let value: &[&str] = match statistic {
        "count" => &[],
        "plan" => &["--value", "v", "--bounds", "0,9", "--statistic", "mean"],
        _ => &["--value", "v", "--bounds", "0,9"],
    };
    [&[statistic, file], value, &TIERS, &GROUPS, more].concat()
}

fn plain(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn small_groups_are_left_out_and_named() {
    let (_folder, file) = people();
    for statistic in ["mean", "sum", "variance", "median", "count", "plan"] {
        let release = json(&asked(statistic, &file, &["--suppress-below", "10"]));
        let suppressed = serde_json::json!({"below": 10, "groups": ["south", "west"]});
        assert_eq!(release["suppressed"], suppressed, "{statistic}");
        let groups: Vec<_> =
            release["groups"].as_array().unwrap().iter().map(|group| &group["group"]).collect();
        assert_eq!(groups, ["north"], "{statistic}");
        for explain in [&[][..], &["--explain"]] {
            let more = [&["--suppress-below", "10"][..], explain].concat();
            let text = plain(&stdout(&asked(statistic, &file, &more)));
            let words = "of groups with fewer than 10 records: south; west.";
            assert!(text.contains(words), "{statistic}: {text}");
        }
    }
    let all = json(&asked("mean", &file, &["--suppress-below", "1"]));
    assert_eq!(all["suppressed"]["groups"], serde_json::json!(["west"]));
    assert!(json(&asked("mean", &file, &[]))["suppressed"].is_null());
    // Persons count, and not their rows: 20 of the north and 2 of the south.
    let persons = ["--person", "id", "--suppress-below"];
    let persons = |below| json(&asked("mean", &file, &[&persons[..], &[below]].concat()));
    assert_eq!(persons("20")["suppressed"]["groups"], serde_json::json!(["south", "west"]));
    assert_eq!(persons("2")["suppressed"]["groups"], serde_json::json!(["west"]));
}

#[test]
fn nobody_pays_for_a_group_that_is_left_out() {
    let (_folder, file) = people();
    // The south alone has a tier of its own.
    let text = fs::read_to_string(&file).unwrap();
    let text: Vec<String> = text.lines().map(|row| row.replace("south,p", "south,s")).collect();
    fs::write(&file, text.join("\n")).unwrap();
    let ledger = LedgerFolder::new("d", &["--levels", "p=1,s=1"]);
    let path = ledger.ledger();
    let charged = ["--ledger", &path, "--dataset", "d", "--spend", "50%"];
    let asked = ["mean", &file, "--value", "v", "--bounds", "0,9", "--privacy", "t"];
    let more = ["--suppress-below", "10"];
    stdout(&[&asked[..], &GROUPS, &charged, &more].concat());
    let shown = json(&["ledger", "show", &path]);
    for (tier, spent) in [("p", true), ("s", false)] {
        let tiers = shown[0]["tiers"].as_array().unwrap();
        let found = tiers.iter().find(|one| one["level"] == tier).unwrap();
        assert_eq!(found["spent"].as_f64().unwrap() > 0.0, spent, "{shown}");
    }
}

#[test]
fn leaving_out_is_refused_where_sizes_are_private_or_nothing_is_left() {
    let (_folder, file) = people();
    for (more, words) in [
        (&["--neighbors", "add-remove"][..], "suppress-below: how many records a group has"),
        (&["--neighbors", "both"], "suppress-below: how many records a group has"),
        (&["--missing", "exclude"], "suppress-below: how many records a group has"),
        (&["--between", "north,south"], "suppress-below: one of the two groups"),
        (&["--check-bounds"], "suppress-below: a check of bounds is of all groups"),
    ] {
        let more = [&["--suppress-below", "10"][..], more].concat();
        let (code, message) = refused(&asked("mean", &file, &more));
        assert!(code != 0 && message.contains(words), "{more:?}: {message}");
        assert!(message.contains("hint: "), "{message}");
    }
    let (_, message) = refused(&asked("mean", &file, &["--suppress-below", "41"]));
    assert!(message.contains("suppress-below: all groups have fewer records"), "{message}");
    let alone = [&["mean", &file, "--value", "v", "--bounds", "0,9"][..], &TIERS].concat();
    let (_, message) = refused(&[&alone[..], &["--suppress-below", "3"]].concat());
    assert!(message.contains("suppress-below: there are no groups"), "{message}");
}
