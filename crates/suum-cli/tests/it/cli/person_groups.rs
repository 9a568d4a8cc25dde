//! Persons with rows in several groups, who count in all or in some of them.

use std::fs;

use rusqlite::Connection;
use serde_json::{Value, json};

use super::common::{LedgerFolder, json as released, refused, stdout, suum};

const MONTHS: [&str; 3] = ["jan", "feb", "mar"];

/// 240 persons: a third in one month, a third in two, and a third in all three.
fn rows() -> Vec<String> {
    let of_person = |person: usize| {
        let tier = ["strict", "open", "open", "public"][person % 4];
        let months = (0..=person % 3).map(move |at| MONTHS[(person / 3 + at) % 3]);
        months.map(move |month| format!("p{person},{month},{},{tier}", (person * 7) % 10))
    };
    (0..240).flat_map(of_person).collect()
}

fn panel() -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("panel.csv").to_str().unwrap().to_owned();
    fs::write(&file, format!("id,month,v,tier\n{}\n", rows().join("\n"))).unwrap();
    (folder, file)
}

const TIERS: [&str; 4] = ["--privacy", "tier", "--levels", "strict=0.6,open=3,public=inf"];
const GROUPS: [&str; 6] = ["--person", "id", "--group-by", "month", "--groups", "jan,feb,mar"];
const PUBLIC: [&str; 2] = ["--person-groups", "public"];
const BOUNDS: [&str; 4] = ["--value", "v", "--bounds", "0,10"];

fn build_command<'a>(statistic: &'a str, file: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let value: &[&str] = match statistic {
        "count" => &[],
        "frequency" => &["--value", "v", "--bins", "0,3,6,9"],
        _ => &BOUNDS,
    };
    [&[statistic, file], value, &TIERS, &GROUPS, more].concat()
}

fn verified(release: &Value) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("release.json");
    fs::write(&file, release.to_string()).unwrap();
    let output = suum(&["verify", file.to_str().unwrap(), "--format", "json"]).output().unwrap();
    serde_json::from_slice(&output.stdout).unwrap()
}

fn faults(release: &Value) -> Vec<Value> {
    let verification = verified(release);
    let certificates = verification["certificates"].as_array().unwrap();
    certificates.iter().flat_map(|one| one["faults"].as_array().unwrap().clone()).collect()
}

#[test]
fn every_statistic_divides_budgets_among_groups() {
    let (_folder, file) = panel();
    for (statistic, more) in [
        ("mean", &[][..]),
        ("mean", &["--no-adapt"]),
        ("mean", &["--per-person", "total"]),
        ("sum", &[]),
        ("variance", &[]),
        ("median", &["--cells", "100"]),
        ("frequency", &[]),
        ("summary", &["--statistic", "mean,q50", "--cells", "100"]),
        ("mean", &["--suppress-below", "5"]),
        ("mean", &["--between", "jan,mar"]),
        ("mean", &["--where", "month <> 'feb'", "--public-columns", "month"]),
    ] {
        let release = released(&build_command(statistic, &file, &[&PUBLIC[..], more].concat()));
        assert_eq!(release["person_groups"], "public", "{statistic} {more:?}");
        assert_eq!(faults(&release), Vec::<Value>::new(), "{statistic} {more:?}");
        // Nobody is dropped, whatever the number of their groups.
        let members = release["members"].as_array().unwrap();
        let persons: u64 = members.iter().map(|one| one["persons"].as_u64().unwrap()).sum();
        let in_none = if more.contains(&"--between") { 27 } else { 0 };
        let left_out = if more.contains(&"--where") { 27 } else { 0 };
        assert_eq!(persons, 240 - in_none - left_out, "{statistic} {more:?}");
        for row in release["privacy"].as_array().unwrap() {
            let [spent, allowed] = [&row["spent"], &row["epsilon"]].map(Value::as_f64);
            assert!(spent <= allowed || row["level"] == "public", "{row}");
        }
        for one in members {
            let (part, epsilon) = (one["part"].as_f64(), one["epsilon"].as_f64());
            let (Some(part), Some(epsilon)) = (part, epsilon) else { continue };
            assert!(part * one["groups"].as_f64().unwrap() <= epsilon * (1.0 + 1e-12), "{one}");
        }
    }
}

#[test]
fn only_released_groups_divide_a_budget() {
    let (_folder, file) = panel();
    let release =
        released(&build_command("mean", &file, &[&PUBLIC[..], &["--between", "jan,mar"]].concat()));
    let groups = |one: &Value| one["groups"].as_u64().unwrap();
    let most = release["members"].as_array().unwrap().iter().map(groups).max();
    assert_eq!(most, Some(2));
    assert_eq!(release["groups"].as_array().unwrap().len(), 2);
}

#[test]
fn bounds_are_found_for_members() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("panel.csv").to_str().unwrap().to_owned();
    let rows = (0..3000).flat_map(|person| {
        let months = MONTHS.iter().take(1 + person % 3);
        months.map(move |month| format!("p{person},{month},{},open\n", person % 100))
    });
    fs::write(&file, format!("id,month,v,tier\n{}", rows.collect::<String>())).unwrap();
    let auto = ["mean", &file, "--value", "v", "--bounds", "auto", "--insecure-seed", "3"];
    let release = released(&[&auto[..], &TIERS, &GROUPS, &PUBLIC].concat());
    assert_eq!(faults(&release), Vec::<Value>::new());
    for group in release["groups"].as_array().unwrap() {
        let estimate = group["estimate"].as_f64().unwrap();
        assert!((estimate - 49.5).abs() < 15.0, "{estimate}");
    }
}

/// A change of the JSON of a release.
type Doctor = fn(&mut Value);

fn rows_of(release: &mut Value, list: &str) -> Vec<Value> {
    release[list].as_array().unwrap().clone()
}

#[test]
fn verification_finds_hidden_losses() {
    let (_folder, file) = panel();
    let public: &[(&str, Doctor)] = &[
        ("another loss", |one| one["privacy"][0]["spent"] = json!(0.1)),
        ("no certificate", |one| drop(one.as_object_mut().unwrap().remove("privacy"))),
        ("a level less", |one| {
            let rows = rows_of(one, "privacy").into_iter().filter(|row| row["level"] != "strict");
            one["privacy"] = rows.collect();
        }),
        ("fewer groups", |one| {
            let members = rows_of(one, "members").into_iter().map(|mut row| {
                if row["groups"] == 3 {
                    row["persons"] = json!(row["persons"].as_u64().unwrap() * 3);
                    row["groups"] = json!(1);
                }
                row
            });
            one["members"] = members.collect();
        }),
        ("fewer persons", |one| one["members"][0]["persons"] = json!(1)),
        ("nobody", |one| {
            one["members"] = json!([]);
            one["privacy"] = json!([]);
        }),
        ("no members", |one| {
            for field in ["members", "privacy", "person_groups"] {
                one.as_object_mut().unwrap().remove(field);
            }
        }),
        ("hidden memberships", |one| {
            for field in ["members", "privacy", "person_groups"] {
                one.as_object_mut().unwrap().remove(field);
            }
            one["max_groups"] = json!(1);
        }),
        ("no counts", |one| {
            for at in 0..3 {
                for row in one["groups"][at]["privacy"].as_array_mut().unwrap() {
                    row.as_object_mut().unwrap().remove("count");
                }
            }
        }),
        ("another tier", |one| {
            let members = rows_of(one, "members").into_iter().map(|mut row| {
                if row["level"] == "strict" {
                    row["level"] = json!("open");
                    row["epsilon"] = json!(3.0);
                }
                row
            });
            one["members"] = members.collect();
        }),
    ];
    let hidden: &[(&str, Doctor)] = &[
        ("fewer groups", |one| one["max_groups"] = json!(1)),
        ("one group", |one| drop(one.as_object_mut().unwrap().remove("max_groups"))),
        ("a level less", |one| {
            one["privacy"] = rows_of(one, "privacy").into_iter().skip(1).collect();
        }),
    ];
    let both = ["--neighbors", "both", "--max-groups", "2"];
    let add_remove = ["--neighbors", "add-remove", "--max-groups", "2"];
    for (more, doctors) in [(&PUBLIC[..], public), (&both, hidden), (&add_remove, hidden)] {
        let release = released(&build_command("mean", &file, more));
        assert_eq!(faults(&release), Vec::<Value>::new());
        for (what, doctor) in doctors {
            let mut changed = release.clone();
            doctor(&mut changed);
            assert!(!faults(&changed).is_empty(), "{more:?}: {what}");
        }
    }
}

#[test]
fn numbers_of_budgets_are_charged_what_all_groups_cost() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    // Everybody in the same number of groups, and in different numbers.
    for (file, alike) in [(path("alike.csv"), true), (path("mixed.csv"), false)] {
        let rows = (0..600usize).flat_map(|person| {
            let months = if alike { 3 } else { 1 + person % 3 };
            let budget = ["0.3", "0.6", "1.5"][person / 3 % 3];
            (0..months)
                .map(move |at| format!("p{person},{},{},{budget}\n", MONTHS[at], person % 10))
        });
        fs::write(&file, format!("id,month,v,eps\n{}", rows.collect::<String>())).unwrap();
        for what in [
            &["mean", "--no-adapt"][..],
            &["summary", "--statistic", "mean,q50", "--cells", "50"],
            &["median", "--cells", "50"],
        ] {
            let asked = [&[what[0], &file, "--epsilon", "eps"], &BOUNDS[..], &GROUPS, &PUBLIC];
            let asked = [&asked.concat()[..], &what[1..]].concat();
            let release = released(&asked);
            assert_eq!(faults(&release), Vec::<Value>::new(), "{what:?} {alike}");
            for row in release["privacy"].as_array().unwrap() {
                let [spent, allowed] =
                    [&row["spent"], &row["epsilon"]].map(|one| one.as_f64().unwrap());
                assert!(spent > 0.4 * allowed && spent <= allowed, "{what:?} {alike}: {row}");
            }
            let ledger = LedgerFolder::new("d", &["--persons", "--allow", "own"]);
            let ledger = ledger.ledger();
            let charged = ["--ledger", &ledger, "--dataset", "d", "--spend", "100%"];
            let first = released(&[&asked[..], &charged].concat());
            assert!(
                first["ledger"]["persons"]["most"].as_f64().unwrap() > 0.6,
                "{}",
                first["ledger"]
            );
            let shown = stdout(&["ledger", "show", &ledger]);
            assert!(shown.contains("0.3 each") || shown.contains("have spent"), "{shown}");
        }
    }
}

#[test]
fn counts_are_of_everybody_in_a_group() {
    let (_folder, file) = panel();
    let count = released(&build_command("count", &file, &PUBLIC));
    assert_eq!(faults(&count), Vec::<Value>::new());
    let mean = released(&build_command("mean", &file, &PUBLIC));
    let records = |release: &Value| -> Vec<u64> {
        let groups = release["groups"].as_array().unwrap().iter();
        let of = |group: &Value| {
            let rows = group["privacy"].as_array().unwrap().iter();
            rows.map(|row| row["count"].as_u64().unwrap()).sum()
        };
        groups.map(of).collect()
    };
    assert_eq!(records(&count), records(&mean));
}

#[test]
fn whoever_allows_nothing_decides_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let mut rows: Vec<String> = (0..900)
        .map(|person| format!("p{person},{},{},open", MONTHS[person % 3], person % 10))
        .collect();
    let members = |rows: &[String], file: &str| {
        fs::write(file, format!("id,month,v,tier\n{}\n", rows.join("\n"))).unwrap();
        let tiers = ["--privacy", "tier", "--levels", "none=0,open=1"];
        let mean = [&["mean", file, "--no-adapt"], &BOUNDS[..], &tiers, &GROUPS, &PUBLIC].concat();
        let release = released(&mean);
        assert_eq!(faults(&release), Vec::<Value>::new());
        let members = release["members"].as_array().unwrap().iter();
        let open = members.filter(|one| one["level"] == "open");
        open.map(|one| one["part"].as_f64().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(members(&rows, &path("one.csv")), [1.0]);
    rows.extend(["u1,jan,3,none", "u1,feb,4,none"].map(str::to_owned));
    assert_eq!(members(&rows, &path("two.csv")), [1.0]);
}

#[test]
fn targets_of_persons_with_tiers_are_charged_what_they_cost() {
    let (_folder, file) = panel();
    let ledger = LedgerFolder::new("d", &["--levels", "strict=0.6,open=3,public=10"]);
    let path = ledger.ledger();
    let levels = ["--privacy", "tier"];
    let charged = ["--ledger", &path, "--dataset", "d", "--target-rmse", "2"];
    let release =
        released(&[&["mean", &file], &BOUNDS[..], &levels, &GROUPS, &PUBLIC, &charged].concat());
    let tiers = release["ledger"]["tiers"].as_array().unwrap();
    let spent: Vec<f64> = tiers.iter().map(|one| one["spent"].as_f64().unwrap()).collect();
    assert!(spent.iter().all(|spent| *spent > 0.0 && *spent < 10.0), "{tiers:?}");
}

#[test]
fn hidden_members_share_a_budget() {
    let (_folder, file) = panel();
    for (neighbors, most, parts) in [
        ("add-remove", "1", 1.0),
        ("add-remove", "2", 2.0),
        ("both", "1", 2.0),
        ("both", "2", 3.0),
        ("both", "9", 3.0),
    ] {
        let more = ["--neighbors", neighbors, "--max-groups", most];
        let release = released(&build_command("mean", &file, &more));
        assert_eq!(release["max_groups"].to_string(), most);
        assert_eq!(faults(&release), Vec::<Value>::new(), "{more:?}");
        for group in release["groups"].as_array().unwrap() {
            let strict = &group["privacy"][0];
            let [spent, allowed] = [&strict["spent"], &strict["epsilon"]].map(Value::as_f64);
            assert!(spent.unwrap() * parts <= allowed.unwrap() * (1.0 + 1e-9), "{more:?}");
        }
    }
}

#[test]
fn ledgers_charge_what_all_groups_cost_together() {
    let (_folder, file) = panel();
    let levels = ["--levels", "strict=0.6,open=3,public=inf"];
    let of_tiers = LedgerFolder::new("d", &levels);
    let of_persons = LedgerFolder::new("d", &[&["--persons"], &levels[..]].concat());
    for ledger in [&of_tiers, &of_persons] {
        let path = ledger.ledger();
        let charged = ["--ledger", &path, "--dataset", "d", "--spend", "50%"];
        let release = released(&build_command("mean", &file, &[&PUBLIC[..], &charged].concat()));
        let strict = &release["privacy"][0];
        assert_eq!((&strict["level"], &strict["epsilon"]), (&json!("strict"), &json!(0.3)));
        let text = stdout(&["ledger", "show", &path]);
        assert!(text.contains("0.3"), "{text}");
        // Half is left: a second release fits, and a third one does not.
        let again = [&PUBLIC[..], &charged].concat();
        stdout(&build_command("mean", &file, &again));
        let third = released(&build_command("mean", &file, &again));
        let strict = third["privacy"].as_array().unwrap().iter();
        let strict: Vec<&Value> = strict.filter(|row| row["level"] == "strict").collect();
        assert!(strict.iter().all(|row| row["spent"].as_f64() == Some(0.0)), "{strict:?}");
    }
}

#[test]
fn databases_give_what_files_give() {
    let (folder, file) = panel();
    let path = folder.path().join("panel.sqlite").to_str().unwrap().to_owned();
    let database = Connection::open(&path).unwrap();
    database.execute_batch("CREATE TABLE panel (id TEXT, month TEXT, v REAL, tier TEXT)").unwrap();
    for row in rows() {
        let cells: Vec<&str> = row.split(',').collect();
        let insert = "INSERT INTO panel VALUES (?, ?, ?, ?)";
        database.execute(insert, rusqlite::params_from_iter(cells)).unwrap();
    }
    drop(database);
    let hidden = ["--neighbors", "both", "--max-groups", "2"];
    for more in [&PUBLIC[..], &hidden] {
        let more = [more, &["--insecure-seed", "5"]].concat();
        let of_file = released(&build_command("mean", &file, &more));
        let of_table = [&more[..], &["--table", "panel"]].concat();
        let of_table = released(&build_command("mean", &path, &of_table));
        assert_eq!(of_file["groups"], of_table["groups"]);
    }
    let table = ["--table", "panel", "--dialect", "sqlite"];
    let (code, message) =
        refused(&[&["levels-sql"], &table[..], &BOUNDS, &TIERS, &GROUPS, &PUBLIC].concat());
    assert!(code != 0 && message.contains("person-groups"), "{message}");
}

#[test]
fn plans_cost_what_releases_cost() {
    let (_folder, file) = panel();
    let of_tiers = LedgerFolder::new("d", &["--levels", "strict=0.6,open=3,public=inf"]);
    let path = of_tiers.ledger();
    let charged = ["--ledger", &path, "--dataset", "d", "--spend", "50%", "--no-adapt"];
    let more = [&PUBLIC[..], &charged].concat();
    let statistic = ["--statistic", "mean"];
    let plan = released(&[&build_command("plan", &file, &more)[..], &statistic].concat());
    let release = released(&build_command("mean", &file, &more));
    let spent = |charged: &Value| charged["ledger"]["tiers"].clone();
    assert_eq!(spent(&plan), spent(&release));
    assert!(spent(&plan).is_array(), "{plan}");
    for (planned, made) in
        plan["groups"].as_array().unwrap().iter().zip(release["groups"].as_array().unwrap())
    {
        assert_eq!(planned["strata"], made["strata"]);
    }
}

#[test]
fn plans_say_what_all_groups_of_a_person_cost() {
    let (_folder, file) = panel();
    let people = ["--profile", "0.6:100,3:300", "--statistic", "mean"];
    let tiers = ["--privacy", "tier", "--levels", "strict=0.6,open=3"];
    for more in [
        &["--neighbors", "both", "--max-groups", "2"][..],
        &["--neighbors", "add-remove", "--max-groups", "3"],
        &["--neighbors", "both"],
    ] {
        let text = stdout(&[&["plan"], &BOUNDS[..], &tiers, &GROUPS, more, &people].concat());
        let strict = text.lines().find(|line| line.trim_start().starts_with("strict")).unwrap();
        let numbers: Vec<&str> = strict.split_whitespace().skip(1).take(2).collect();
        assert_eq!(numbers, ["0.6", "0.6"], "{more:?}: {text}");
    }
    let public = [&PUBLIC[..], &["--statistic", "mean"]].concat();
    let text = stdout(&build_command("plan", &file, &public));
    assert!(text.contains("the cost of all groups that one person can change"), "{text}");
}

#[test]
fn what_does_not_go_together_is_refused() {
    let (_folder, file) = panel();
    let both = ["--neighbors", "both"];
    let of_all = ["--person", "id"];
    let mean = [&["mean", &file], &BOUNDS[..], &TIERS].concat();
    for (arguments, option) in [
        (build_command("mean", &file, &[]), "column id"),
        (build_command("mean", &file, &[&PUBLIC[..], &both].concat()), "person-groups"),
        (build_command("mean", &file, &["--max-groups", "2"]), "max-groups"),
        (build_command("mean", &file, &[&both[..], &["--max-groups", "0"]].concat()), "max-groups"),
        (
            build_command("mean", &file, &[&PUBLIC[..], &["--max-groups", "2"]].concat()),
            "person-groups",
        ),
        (build_command("mean", &file, &["--person-groups", "hidden"]), "person-groups"),
        (
            build_command("mean", &file, &[&PUBLIC[..], &["--weight", "v"]].concat()),
            "person-groups",
        ),
        ([&mean[..], &of_all, &PUBLIC].concat(), "person-groups"),
        ([&mean[..], &GROUPS[2..], &PUBLIC].concat(), "person-groups"),
        ([&mean[..], &both, &of_all, &["--max-groups", "2"]].concat(), "max-groups"),
    ] {
        let (code, message) = refused(&arguments);
        assert!(code != 0 && message.contains(option), "{arguments:?}: {message}");
        assert!(message.contains("hint: "), "{message}");
    }
}

#[test]
fn text_says_who_counts_where() {
    let (_folder, file) = panel();
    let plain = |text: String| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let public = plain(stdout(&build_command("mean", &file, &PUBLIC)));
    let words = "Who has rows in which group is public, not protected.";
    assert!(public.contains(words), "{public}");
    assert!(public.contains("Each person counts once in a group, with"), "{public}");
    let hidden = ["--neighbors", "both", "--max-groups", "2"];
    let hidden = plain(stdout(&build_command("mean", &file, &hidden)));
    assert!(hidden.contains("Each person counts in at most 2 groups"), "{hidden}");
}
