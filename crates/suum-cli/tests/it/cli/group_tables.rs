//! Level tables of declared groups: releases from them are those from the data, to the last bit.

use std::fs;

use serde_json::{Value, json as value};
use tempfile::TempDir;

use super::common::{json, refused, release, stdout};

/// Groups whose names are hard to write; nobody is in the last one.
const SITES: [&str; 4] = ["a,b", "\"so\"", "new\nline", "empty"];
const GROUPS: [&str; 4] = ["--group-by", "site", "--groups", "a\\,b,\"so\",new\nline,empty"];
const OTHER_ORDER: [&str; 4] = ["--group-by", "site", "--groups", "new\nline,empty,a\\,b,\"so\""];
const TIERS: [&str; 4] = ["--privacy", "tier", "--levels", "strict=0.1,standard=1,public=inf"];
const EPS: [&str; 2] = ["--epsilon", "eps"];
const VISITS: [&str; 4] = ["--value", "visits", "--bounds", "0,20"];
const HEALTH: [&str; 4] = ["--value", "health", "--categories", "good,poor"];
const BINS: [&str; 4] = ["--value", "visits", "--bins", "0,1,5,20"];

/// People at three sites, of whom each has two rows.
struct Data {
    folder: TempDir,
}

impl Data {
    fn new() -> Self {
        let data = Self { folder: tempfile::tempdir().unwrap() };
        let rows = (0..600).map(|at: usize| {
            let person = at / 2;
            let site = SITES[person % 7 % 3].replace('"', "\"\"");
            let tier = ["strict", "standard", "public"][person % 3];
            let health = ["good", "good", "poor"][at * 31 % 17 % 3];
            let eps = ["0.1", "0.5", "1"][person % 3];
            format!("{},{health},{tier},{eps},p{person},\"{site}\"", at * 7919 % 19 % 12)
        });
        let rows = rows.collect::<Vec<_>>().join("\n");
        fs::write(data.path("people.csv"), format!("visits,health,tier,eps,id,site\n{rows}\n"))
            .unwrap();
        data
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).to_str().unwrap().to_owned()
    }

    /// The file of a level table that is made with these words.
    fn levels(&self, name: &str, words: &[&str]) -> String {
        let table = stdout(&[&["levels", &self.path("people.csv"), "--quiet"], words].concat());
        fs::write(self.path(name), table).unwrap();
        self.path(name)
    }
}

/// Statistics, what is counted for them, and what is said of them besides.
fn statistics() -> Vec<(&'static str, Vec<&'static str>, Vec<&'static str>)> {
    let steps = [&VISITS[..], &["--step", "1"]].concat();
    vec![
        ("mean", VISITS.to_vec(), vec![]),
        ("mean", VISITS.to_vec(), vec!["--no-adapt", "--target", "dataset"]),
        ("sum", VISITS.to_vec(), vec![]),
        ("count", vec![], vec![]),
        ("frequency", HEALTH.to_vec(), vec![]),
        ("frequency", BINS.to_vec(), vec![]),
        ("quantile", steps.clone(), vec!["--q", "0.25,0.5"]),
        ("variance", VISITS.to_vec(), vec![]),
        ("summary", steps, vec!["--statistic", "mean,variance,q50"]),
    ]
}

/// Options to repeat when a level table is read: it knows its cells, but not that values lie on
/// them.
fn steps<'a>(counted: &'a [&'a str]) -> &'a [&'a str] {
    let at = counted.iter().position(|word| *word == "--step");
    at.map_or(&[], |at| &counted[at..])
}

#[test]
#[ignore = "takes seconds"]
fn a_table_of_groups_gives_the_release_of_the_data() {
    let data = Data::new();
    let people = data.path("people.csv");
    let persons = [&TIERS[..], &["--person", "id"]].concat();
    let seed = ["--insecure-seed", "5"];
    for who in [&TIERS[..], &EPS, &persons] {
        for (statistic, counted, more) in statistics() {
            if statistic == "sum" && who.contains(&"--person") {
                continue;
            }
            let table = data.levels("groups.json", &[&counted[..], who, &GROUPS].concat());
            for groups in [GROUPS, OTHER_ORDER] {
                let asked = [&more[..], &groups, &seed].concat();
                let direct = release(&[&[statistic, &people], &counted[..], who, &asked].concat());
                let from = [statistic, "--from-levels", &table];
                let of_table = [&from[..], steps(&counted), &asked[..]].concat();
                assert_eq!(release(&of_table), direct, "{statistic} {who:?}");
                assert_eq!(direct["groups"].as_array().unwrap().len(), 4);
            }
        }
    }
}

#[test]
fn it_is_the_same_where_participation_is_hidden() {
    let data = Data::new();
    let people = data.path("people.csv");
    let add_remove = ["--neighbors", "add-remove", "--insecure-seed", "5"];
    let persons = [&TIERS[..], &["--person", "id"]].concat();
    // What a table does not say of tiers is said of it, and of budgets of both.
    let (tiers, range) = (&TIERS[2..], &["--epsilon-range", "0.1,1"][..]);
    let people_of: [(&[&str], &[&str], &[&str]); 3] =
        [(&TIERS, &[], tiers), (&EPS, range, &[]), (&persons, &[], tiers)];
    for (who, always, of_table) in people_of {
        for (statistic, counted, _) in statistics() {
            if matches!(statistic, "variance" | "summary")
                || statistic == "sum" && who.contains(&"--person")
            {
                continue;
            }
            let table = data.levels("groups.json", &[&counted[..], who, &GROUPS].concat());
            let asked = [&counted[..], always, &add_remove, &GROUPS].concat();
            let direct = release(&[&[statistic, &people], who, &asked].concat());
            let from = [statistic, "--from-levels", &table];
            let found = release(&[&from[..], of_table, &asked].concat());
            assert_eq!(found, direct, "{statistic} {who:?}");
        }
    }
}

/// A ledger of tiers, from which one release was paid; what is spent afterwards, and the columns.
fn charged(data: &Data, name: &str, add_remove: bool, command: &[&str]) -> (Value, Value) {
    let ledger = data.path(name);
    let neighbors = if add_remove { "add-remove" } else { "replace" };
    let init = ["ledger", "init", &ledger, "--dataset", "d", "--neighbors", neighbors];
    stdout(&[&init[..], &["--levels", "strict=0.1,standard=1,public=inf"]].concat());
    let paid = ["--ledger", &ledger, "--spend", "10%", "--neighbors", neighbors];
    // Twice: of the second one tiers have less left than the table says.
    json(&[command, &paid].concat());
    json(&[command, &paid].concat());
    let mut shown = json(&["ledger", "show", &ledger]);
    for tier in shown[0]["tiers"].as_array_mut().unwrap() {
        // How a budget is divided can follow from noisy numbers, and so does what the unlimited
        // spend.
        if add_remove {
            drop(tier["rho"].take());
        }
        if add_remove && tier["allowed"] == "inf" {
            ["spent", "rho", "total"].iter().for_each(|name| drop(tier[*name].take()));
        }
    }
    (shown[0]["tiers"].take(), shown[0]["columns"].take())
}

#[test]
#[ignore = "takes seconds"]
fn a_ledger_is_charged_the_same() {
    let data = Data::new();
    let people = data.path("people.csv");
    let mut number = 0;
    for (statistic, counted, more) in statistics() {
        for add_remove in [false, true] {
            if statistic == "count" || add_remove && matches!(statistic, "variance" | "summary") {
                continue;
            }
            if add_remove && !more.is_empty() && statistic == "mean" {
                continue;
            }
            let table = data.levels("groups.json", &[&counted[..], &TIERS, &GROUPS].concat());
            number += 1;
            let direct = [&[statistic, &people], &counted[..], &more, &TIERS[..2], &GROUPS];
            let (spent, columns) =
                charged(&data, &format!("of{number}"), add_remove, &direct.concat());
            let declared = if add_remove { &counted[..] } else { &[] };
            let of_table = [&[statistic, "--from-levels", &table], declared, &more, &GROUPS];
            let (same, of_table) =
                charged(&data, &format!("from{number}"), add_remove, &of_table.concat());
            assert_eq!(same, spent, "{statistic} {add_remove}");
            assert_eq!(of_table["values"], columns["values"], "{statistic} {add_remove}");
            let published: Value = if add_remove { value!([]) } else { value!(["site"]) };
            assert_eq!(of_table["published"], published, "{statistic} {add_remove}");
        }
    }
    // Whoever publishes how many are in a group cannot have its column protected.
    let ledger = data.path("of1");
    let table = data.levels("groups.json", &[&VISITS[..], &TIERS, &GROUPS].concat());
    let by_value = data.levels(
        "visits.json",
        &[&TIERS[..], &["--group-by", "visits", "--groups", "0,1", "--other-group", "more"]]
            .concat(),
    );
    let groups = ["--group-by", "visits", "--groups", "0,1", "--other-group", "more"];
    let count = ["count", "--from-levels", &by_value, "--ledger", &ledger];
    let (code, said) = refused(&[&count[..], &groups].concat());
    assert!(code == 1 && said.contains("column visits: its values are protected"), "{said}");
    // The least share with which all groups reach an error is what the worst one takes.
    let charged = ["--from-levels", &table, "--ledger", &ledger];
    let planned = |more: &[&str]| json(&[&["plan"], &charged[..], more, &GROUPS].concat());
    let rmse = |group: &Value| {
        let all = group["estimators"].as_array().unwrap().clone();
        let chosen = all.iter().find(|one| one["name"] == group["chosen"]).unwrap();
        chosen["rmse"].as_f64().unwrap()
    };
    let errors = |plan: &Value| {
        let groups = plan["groups"].as_array().unwrap().iter();
        groups.filter(|one| one["estimators"].is_array()).map(rmse).collect::<Vec<_>>()
    };
    let worst = |errors: &[f64]| errors.iter().copied().fold(0.0, f64::max);
    let half = worst(&errors(&planned(&["--spend", "50%"]))).to_string();
    let target = ["--target-rmse", &half];
    let plan = planned(&target);
    let (errors, half) = (errors(&plan), half.parse::<f64>().unwrap());
    assert!(worst(&errors) <= half && worst(&errors) > 0.999 * half, "{errors:?} {half}");
    assert!(errors.iter().any(|one| *one < 0.99 * half), "{errors:?}");
    let target = [&charged[..], &target].concat();
    let mean = json(&[&["mean"], &target[..], &GROUPS].concat());
    // Of ρ a plan says no less than what is lost in any group.
    let of = |answer: &Value| {
        let mut tiers = answer["ledger"]["tiers"].clone();
        let rho = |tier: &mut Value| tier.as_object_mut().unwrap().remove("rho").unwrap();
        let rho: Vec<f64> = tiers
            .as_array_mut()
            .unwrap()
            .iter_mut()
            .map(|tier| rho(tier).as_f64().unwrap())
            .collect();
        (tiers, rho)
    };
    let ((released, lost), (planned, most)) = (of(&mean), of(&plan));
    assert_eq!(released, planned);
    assert!(lost.iter().zip(&most).all(|(lost, most)| 0.0 < *lost && lost <= most));
}

#[test]
fn tables_and_groups_that_do_not_belong_together_are_refused() {
    let data = Data::new();
    let groups = data.levels("groups.json", &[&VISITS[..], &TIERS, &GROUPS].concat());
    let all = data.levels("all.json", &[&VISITS[..], &TIERS].concat());
    let by = |groups: &'static str| ["--group-by", "site", "--groups", groups];
    let made = "suum levels DATA --group-by COL --groups A,B …";
    for (statistic, table, options, message, way_out) in [
        ("mean", &all, &GROUPS[..], "it is one of all records, and has no groups", made),
        ("mean", &groups, &[], "it has a table for each group", "--group-by COL --groups A,B"),
        ("count", &groups, &[], "it has a table for each group", "without --group-by"),
        ("plan", &groups, &[], "it has a table for each group", "without --group-by"),
        (
            "mean",
            &groups,
            &["--group-by", "tier", "--groups", GROUPS[3]],
            "its groups are not those of the column given as --group-by",
            made,
        ),
        ("sum", &groups, &by("\"so\",west"), "it has no group west, and does not tell", made),
        ("mean", &groups, &by("empty,\"so\""), "it has groups that --groups does not name", made),
        (
            "variance",
            &groups,
            &by("a\\,b,\"so\",new\nline"),
            "it has groups that --groups does not name",
            made,
        ),
    ] {
        for neighbors in ["replace", "add-remove"] {
            if neighbors == "add-remove" && statistic != "mean" {
                continue;
            }
            let add_remove = ["--neighbors", neighbors, TIERS[2], TIERS[3], VISITS[2], VISITS[3]];
            let add_remove = if neighbors == "replace" { &add_remove[..0] } else { &add_remove };
            let command = [&[statistic, "--from-levels", table], options, add_remove].concat();
            let (code, said) = refused(&command);
            assert_eq!(code, 1);
            assert!(said.starts_with(&format!("error: level table: {message}")), "{said}");
            assert!(said.contains("\nhint: ") && said.contains(way_out), "{said}");
        }
    }
    // A further group is one of the table's groups.
    let other = ["--group-by", "site", "--groups", "\"so\"", "--other-group", "others"];
    let table = data.levels("other.json", &[&VISITS[..], &TIERS, &other].concat());
    let found = json(&[&["count", "--from-levels", &table][..], &other].concat());
    let counts = found["groups"].as_array().unwrap().iter().map(|group| &group["estimate"]);
    assert_eq!(counts.map(|count| count.as_f64().unwrap()).sum::<f64>(), 600.0);
    // No range can be found in it.
    let unbounded = ["mean", "--from-levels", &groups, "--bounds", "auto"];
    let (_, said) = refused(&[&unbounded[..], &GROUPS].concat());
    assert!(said.contains("from-levels: a range is found in records"), "{said}");
}

#[test]
fn a_damaged_table_of_groups_is_refused() {
    let data = Data::new();
    let table = data.levels("groups.json", &[&HEALTH[..], &TIERS, &GROUPS].concat());
    let good = fs::read_to_string(&table).unwrap();
    let from = ["frequency", "--from-levels", &table];
    json(&[&from[..], &GROUPS].concat());
    let row = good.find("{\"group\"").unwrap();
    let next = row + good[row..].find("},").unwrap() + 2;
    for (text, message) in [
        (format!("{}{}", &good[..row], &good[next..]), "do not add up to the number of records"),
        (
            format!("{}{}{}", &good[..next], &good[row..next], &good[next..]),
            "do not add up to the number of records",
        ),
        (good.replacen("\"group\":\"a,b\"", "\"group\":\"a\"", 1), "none of those declared"),
        (good.replacen("\"group\":\"a,b\",", "", 1), "level 1: it has no group"),
        (good.replacen("\"empty\"]", "\"a,b\"]", 1), "groups: number 4 is repeated"),
        (good.replacen("\"group_by\":\"site\",", "", 1), "belong together"),
    ] {
        assert_ne!(text, good);
        fs::write(&table, text).unwrap();
        let (code, said) = refused(&[&from[..], &GROUPS].concat());
        assert_eq!(code, 1);
        assert!(said.contains(message) && said.contains("\nhint: "), "{said}");
    }
}

#[test]
fn nobody_in_a_group_looks_like_somebody() {
    let data = Data::new();
    let groups = ["--group-by", "site", "--groups", "north,south"];
    let shapes = [0, 1].map(|people| {
        let level = r#"{"group":"south","level":"strict","epsilon":0.1,"count":1}"#;
        let levels = if people == 1 { level } else { "" };
        let table = format!(
            r#"{{"format":"suum-levels","version":1,"group_by":"site","groups":["north","south"],
            "records":{people},"levels":[{levels}]}}"#
        );
        fs::write(data.path("table.json"), table).unwrap();
        let of = ["count", "--from-levels", &data.path("table.json"), "--neighbors", "add-remove"];
        let found = json(&[&of[..], &groups, &TIERS[2..]].concat());
        let groups = found["groups"].as_array().unwrap().iter();
        let keys = groups.map(|group| group.as_object().unwrap().keys().cloned().collect());
        keys.collect::<Vec<Vec<String>>>()
    });
    assert_eq!(shapes[0], shapes[1]);
    let of = ["count", "--from-levels", &data.path("table.json")];
    let found = json(&[&of[..], &groups].concat());
    assert_eq!(found["groups"][0], value!({"group": "north", "records": 0}));
}

/// A bin, or a number that is a category, is named as a share of it.
#[test]
fn headline_of_shares_by_group_names_the_share() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("ages.csv").to_str().unwrap().to_owned();
    let rows: Vec<String> =
        (0..400).map(|at| format!("{},{},p", 18 + at % 40, ["n", "s"][at % 2])).collect();
    std::fs::write(&file, format!("age,g,t\n{}\n", rows.join("\n"))).unwrap();
    let asked = ["frequency", &file, "--value", "age", "--bins", "18,30,60", "--group-by", "g"];
    let people = ["--groups", "n,s", "--privacy", "t", "--levels", "p=1", "--insecure-seed", "1"];
    let text = stdout(&[&asked[..], &people].concat());
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("No clear largest share of [18, 30): "), "{text}");
}
