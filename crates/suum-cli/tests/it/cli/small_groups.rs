//! Groups with few records, which are left out.

use std::fs;

use serde_json::Value;

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

fn build_command<'a>(statistic: &'a str, file: &'a str, more: &[&'a str]) -> Vec<&'a str> {
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
        let release = json(&build_command(statistic, &file, &["--suppress-below", "10"]));
        let suppressed = serde_json::json!({"below": 10, "groups": ["south", "west"]});
        assert_eq!(release["suppressed"], suppressed, "{statistic}");
        let groups: Vec<_> =
            release["groups"].as_array().unwrap().iter().map(|group| &group["group"]).collect();
        assert_eq!(groups, ["north"], "{statistic}");
        for explain in [&[][..], &["--explain"]] {
            let more = [&["--suppress-below", "10"][..], explain].concat();
            let text = plain(&stdout(&build_command(statistic, &file, &more)));
            let words = "of groups with fewer than 10 records: south; west.";
            assert!(text.contains(words), "{statistic}: {text}");
        }
    }
    let all = json(&build_command("mean", &file, &["--suppress-below", "1"]));
    assert_eq!(all["suppressed"]["groups"], serde_json::json!(["west"]));
    assert!(json(&build_command("mean", &file, &[]))["suppressed"].is_null());
    // Persons count, and not their rows: 20 of the north and 2 of the south.
    let persons = ["--person", "id", "--suppress-below"];
    let persons = |below| json(&build_command("mean", &file, &[&persons[..], &[below]].concat()));
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

/// 2000 people in the north, 3 in the south and nobody in the west. A twentieth of ε = 1 counts
/// them with noise of scale 20, or 40 with both kinds of neighbours: with a probability below
/// 10^-10 the north seems to have fewer than 1000, or another group more.
fn many() -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("people.csv").to_str().unwrap().to_owned();
    let site = |row| if row < 2000 { "north" } else { "south" };
    let rows: Vec<String> = (0..2003).map(|row| format!("{},{},p", row % 7, site(row))).collect();
    fs::write(&file, format!("v,site,t\n{}\n", rows.join("\n"))).unwrap();
    (folder, file)
}

#[test]
fn private_sizes_are_counted_first_and_small_groups_spend_that_alone() {
    let (folder, file) = many();
    for neighbors in ["add-remove", "both"] {
        for (statistic, more) in [
            ("mean", &[][..]),
            ("mean", &["--no-adapt"]),
            ("sum", &[]),
            ("variance", &[]),
            ("median", &[]),
            ("summary", &["--statistic", "mean,median"]),
        ] {
            let common = ["--neighbors", neighbors, "--suppress-below", "1000"];
            let words = [&build_command(statistic, &file, &common)[..], more].concat();
            let release = json(&words);
            let answers = release["answers"].as_array().unwrap();
            let [sizes, answer] = answers.as_slice() else { panic!("{words:?}: {release}") };
            assert_eq!(sizes["counts_groups"], true, "{words:?}");
            assert_eq!(sizes["groups"].as_array().unwrap().len(), 3, "{words:?}");
            assert_eq!((&sizes["share"], &answer["share"]), (&0.05.into(), &0.95.into()));
            let suppressed = serde_json::json!({"below": 1000, "groups": ["south", "west"]});
            assert_eq!(answer["suppressed"], suppressed, "{words:?}: {release}");
            assert_eq!(answer["groups"].as_array().unwrap().len(), 1, "{words:?}");
            let spent = |group: &Value| group["privacy"][0]["spent"].as_f64().unwrap();
            let south = &sizes["groups"][0];
            let of_size = if neighbors == "both" { 0.025 } else { 0.05 };
            assert!((spent(south) - of_size).abs() < 1e-6, "{words:?}: {south}");
            // A record that can move counts in two groups, of which one has no answer.
            let most = if neighbors == "both" { 0.525 } else { 1.0 };
            let whole = spent(&release);
            assert!((0.9 * most..=most).contains(&whole), "{words:?}: {release}");
            let path = folder.path().join("release.json").to_str().unwrap().to_owned();
            fs::write(&path, release.to_string()).unwrap();
            assert_eq!(json(&["verify", &path])["agrees"], true, "{words:?}");
            for explain in [&[][..], &["--explain"]] {
                let text = plain(&stdout(&[&words[..], explain].concat()));
                for said in
                    ["Number of records of each group (5 % of every budget)", "south; west."]
                {
                    assert!(text.contains(said), "{words:?}: {text}");
                }
            }
        }
    }
    let unbounded = ["mean", &file, "--value", "v", "--bounds", "auto", "--neighbors", "both"];
    let release = json(&[&unbounded[..], &TIERS, &GROUPS, &["--suppress-below", "1000"]].concat());
    let suppressed = serde_json::json!(["south", "west"]);
    assert_eq!(release["answers"][1]["suppressed"]["groups"], suppressed, "{release}");
    // The same where the number of values is private.
    let release =
        json(&build_command("mean", &file, &["--missing", "exclude", "--suppress-below", "1000"]));
    assert_eq!(release["answers"][0]["counts_groups"], true);
    let assumed = ["--neighbors", "both", "--suppress-below", "1000", "--profile", "1:2000"];
    let plan = json(&build_command("plan", &file, &assumed));
    assert_eq!(plan["answers"][0]["counts_groups"], true, "{plan}");
    assert_eq!(plan["answers"][1]["statistic"], "mean", "{plan}");
}

#[test]
fn sizes_alone_are_published_and_paid_if_all_groups_are_small() {
    let (_folder, file) = many();
    let ledger = LedgerFolder::new("d", &["--levels", "p=1", "--neighbors", "add-remove"]);
    let path = ledger.ledger();
    let charged = ["--ledger", &path, "--dataset", "d", "--spend", "100%"];
    let hidden = ["--neighbors", "add-remove", "--suppress-below", "5000"];
    let words = ["mean", &file, "--value", "v", "--bounds", "0,9", "--privacy", "t"];
    let words = [&words[..], &GROUPS, &hidden, &charged].concat();
    let release = json(&words);
    let [sizes] = release["answers"].as_array().unwrap().as_slice() else { panic!("{release}") };
    let names = serde_json::json!(["south", "north", "west"]);
    assert_eq!(sizes["suppressed"]["groups"], names, "{release}");
    let seeded =
        [&words[..words.len() - charged.len()], &["--levels", "p=1", "--explain"]].concat();
    let text = stdout(&seeded);
    assert!(text.starts_with("No private statistic: all groups have few records"), "{text}");
    let shown = json(&["ledger", "show", &path]);
    let spent = shown[0]["tiers"][0]["spent"].as_f64().unwrap();
    assert!((spent - 0.05).abs() < 1e-6, "{shown}");
}

#[test]
fn each_of_several_answers_has_sizes_of_its_own() {
    let (folder, file) = many();
    let query = folder.path().join("query.toml").to_str().unwrap().to_owned();
    let text = format!(
        "data = '{file}'\nprivacy = 't'\nlevels = {{ p = 1 }}\nneighbors = 'add-remove'\n\
         group_by = 'site'\ngroups = ['south', 'north', 'west']\nvalue = 'v'\nbounds = [0, 9]\n\
         [[answers]]\nstatistic = 'mean'\nsuppress_below = 1000\nshare = 0.8\n\
         [[answers]]\nstatistic = 'median'\nshare = 0.2\n"
    );
    fs::write(&query, text).unwrap();
    let release = json(&["run", &query]);
    let answers = release["answers"].as_array().unwrap();
    let shares: Vec<f64> = answers.iter().map(|one| one["share"].as_f64().unwrap()).collect();
    assert!(shares.iter().zip([0.04, 0.76, 0.2]).all(|(one, other)| (one - other).abs() < 1e-6));
    let groups = |at: usize| answers[at]["groups"].as_array().unwrap().len();
    assert_eq!([groups(0), groups(1), groups(2)], [3, 1, 3], "{release}");
}

#[test]
fn leaving_out_is_refused_where_nothing_is_left_or_one_answer_is_needed() {
    let (_folder, file) = people();
    for (more, words) in [
        (&["--between", "north,south"][..], "suppress-below: one of the two groups"),
        (&["--check-bounds"], "suppress-below: a check of bounds is of all groups"),
    ] {
        let more = [&["--suppress-below", "10"][..], more].concat();
        let (code, message) = refused(&build_command("mean", &file, &more));
        assert!(code != 0 && message.contains(words), "{more:?}: {message}");
        assert!(message.contains("hint: "), "{message}");
    }
    for (statistic, more) in [
        ("count", &[][..]),
        ("mean", &["--between", "north,south"]),
        ("mean", &["--person", "id", "--check-bounds"]),
    ] {
        let hidden = ["--neighbors", "add-remove", "--suppress-below", "10"];
        let (code, message) =
            refused(&build_command(statistic, &file, &[&hidden[..], more].concat()));
        assert!(code != 0 && message.contains("suppress-below: "), "{more:?}: {message}");
        assert!(message.contains("hint: "), "{message}");
    }
    let (_, message) = refused(&build_command("mean", &file, &["--suppress-below", "41"]));
    assert!(message.contains("suppress-below: all groups have fewer records"), "{message}");
    let alone = [&["mean", &file, "--value", "v", "--bounds", "0,9"][..], &TIERS].concat();
    let (_, message) = refused(&[&alone[..], &["--suppress-below", "3"]].concat());
    assert!(message.contains("suppress-below: there are no groups"), "{message}");
}
