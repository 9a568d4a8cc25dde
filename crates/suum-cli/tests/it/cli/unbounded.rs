//! Statistics without declared bounds from the command line.

use std::fs;

use super::common::{RANDHIE, TIERS, json, refused, stdout, suum};
use rusqlite::Connection;
use serde_json::Value;

/// 6000 people around 170, 3 in 4 of them at ε = 0.1, with a spread of about 10; a hash of the row
/// stands for chance.
fn people() -> String {
    let rows = (0u64..6000).map(|row| {
        let uniform = |salt: u64| {
            let mixed = (row * 12 + salt + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            ((mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 40) as f64
                / f64::from(1 << 24)
        };
        // Twelve uniform numbers make a bell.
        let bell: f64 = (0..12).map(uniform).sum::<f64>() - 6.0;
        format!("{:.3},{}\n", 170.0 + 10.0 * bell, if row % 4 == 0 { 1.0 } else { 0.1 })
    });
    format!("height,epsilon\n{}", rows.collect::<String>())
}

#[test]
fn a_range_is_found_and_the_mean_inside_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("people.csv");
    fs::write(&path, people()).unwrap();
    let path = path.to_str().unwrap();
    let auto = ["mean", path, "--value", "height", "--bounds", "auto", "--epsilon", "epsilon"];
    let symmetric = [&auto[..], &["--estimator", "gaussian"]].concat();
    for way in [["--estimator", "gaussian"].as_slice(), &["--no-adapt"]] {
        let release = json(&[&auto[..], way, &["--insecure-seed", "4"]].concat());
        let number = |value: &Value| value.as_f64().unwrap();
        assert_eq!(release["estimator"]["name"], "gaussian");
        assert_eq!(release["private"], false);
        assert!((number(&release["estimate"]) - 170.0).abs() < 5.0, "{release}");
        let share = number(&release["range"]["share"]);
        assert!(share > 0.0 && share <= 0.5);
        let bounds: Vec<f64> = release["bounds"].as_array().unwrap().iter().map(number).collect();
        assert!(bounds[0] > 50.0 && bounds[1] < 290.0, "{bounds:?}");
        assert!((number(&release["range"]["centre"]) - 170.0).abs() < 10.0);
        assert!(release["range"]["skewed_bias"].is_null(), "nothing reassures falsely");
        assert!(release["interval"].is_null() && release["no_interval"].is_string());
        for tier in release["privacy"].as_array().unwrap() {
            assert!(number(&tier["spent"]) <= number(&tier["epsilon"]));
        }
    }
    let adapted = json(&[&auto[..], &["--insecure-seed", "4"]].concat());
    let end = |end: &str| adapted["interval"][end].as_f64().unwrap();
    assert!(end("lower") < 170.0 && 170.0 < end("upper"), "{adapted}");
    assert!(adapted["learned_range"].is_object() && adapted["no_interval"].is_null());
    let seeded = [&auto[..], &["--insecure-seed", "4"]].concat();
    assert_eq!(stdout(&seeded), stdout(&seeded));
    // Whatever is drawn, the words are the same. Secret noise can find no range: then once more.
    let drawn = |more: &[&str]| {
        let arguments = [&symmetric[..], more].concat();
        let mut tries = (0..5).map(|_| suum(&arguments).output().unwrap());
        let output = tries.find(|output| output.status.success()).unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let release: Value = serde_json::from_str(&drawn(&["--format", "json"])).unwrap();
    assert_eq!(release["private"], true);
    let text = drawn(&["--explain"]);
    assert!(
        text.contains("No bounds were declared.") && text.contains("Estimator: gaussian"),
        "{text}"
    );
    for said in ["No confidence interval: the bounds were learned", "many times larger"] {
        assert!(text.contains(said) && !text.contains("exponential"), "{text}");
    }
}

#[test]
fn a_plan_says_how_the_budget_is_split_and_how_good_anybody_could_be() {
    let plan = json(&["plan", "--profile", "0.01:5000,0.1:4000,1:1000", "--bounds", "auto"]);
    let number = |value: &Value| value.as_f64().unwrap();
    assert_eq!(plan["chosen"], "gaussian");
    assert_eq!(plan["unit"], "standard deviation");
    let shares = plan["range"]["shares"].as_object().unwrap();
    let all: f64 = shares.values().map(number).sum();
    assert!(all <= 1.0 && all > 1.0 - 1e-12, "{all}");
    let (rmse, bound, gap) =
        (number(&plan["error"]["rmse"]), number(&plan["lower_bound"]), number(&plan["gap"]));
    assert!(bound > 0.0 && gap >= 1.0 && (rmse / bound - gap).abs() < 1e-4 * gap);
    let text = stdout(&[
        "plan",
        "--profile",
        "0.01:5000,0.1:4000,1:1000",
        "--bounds",
        "auto",
        "--explain",
    ]);
    assert!(text.contains("How every budget would be split"), "{text}");
}

/// Every statistic of numbers, by what it needs besides a value.
const STATISTICS: [(&str, &[&str]); 5] = [
    ("mean", &[]),
    ("sum", &[]),
    ("quantile", &["--q", "0.5,0.75"]),
    ("variance", &[]),
    ("summary", &["--statistic", "mean,variance,q50"]),
];

/// People as [`people`], four rows each in two groups, as CSV and as a SQLite file.
fn rows_of_people(folder: &std::path::Path) -> [Vec<String>; 2] {
    let mut text = String::from("height,tier,site,id\n");
    for (row, line) in people().lines().skip(1).enumerate() {
        let (height, epsilon) = line.split_once(',').unwrap();
        let tier = if epsilon == "1" { "relaxed" } else { "standard" };
        let id = row / 2;
        text += &format!("{height},{tier},{},p{id}\n", ["north", "south"][id / 2 % 2]);
    }
    let (csv, sqlite) = (folder.join("rows.csv"), folder.join("rows.sqlite"));
    fs::write(&csv, &text).unwrap();
    let mut file = Connection::open(&sqlite).unwrap();
    file.execute_batch("CREATE TABLE rows (height REAL, tier TEXT, site TEXT, id TEXT)").unwrap();
    let transaction = file.transaction().unwrap();
    for line in text.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let height: f64 = cells[0].parse().unwrap();
        let row = (height, cells[1], cells[2], cells[3]);
        transaction.execute("INSERT INTO rows VALUES (?, ?, ?, ?)", row).unwrap();
    }
    transaction.commit().unwrap();
    let path = |path: std::path::PathBuf| path.to_str().unwrap().to_owned();
    [vec![path(csv)], vec![path(sqlite), "--table".into(), "rows".into()]]
}

/// One word swapped for another in a command that works makes a command that works: every
/// statistic, of records, persons and groups, from a file and from a database, with and without
/// accounts. The same seed gives the same answer from both, and accounts are charged what the
/// certificate says.
#[test]
#[ignore = "takes seconds"]
fn everything_combines() {
    let folder = tempfile::tempdir().unwrap();
    let sources = rows_of_people(folder.path());
    // So large that a private refusal, of which there are some in 10 000 where budgets are just
    // enough, is out of the question: charged releases have no seed.
    let tiers = ["--privacy", "tier", "--levels", "standard=20,relaxed=80"];
    for (statistic, needs) in STATISTICS {
        for persons in [&[][..], &["--person", "id"]] {
            for groups in [&[][..], &["--group-by", "site", "--groups", "north,south,nowhere"]] {
                if statistic == "sum" && !persons.is_empty() {
                    continue;
                }
                let asked = |source: &[String], accounts: &[&str]| -> Vec<String> {
                    let mut words = vec![statistic.to_owned()];
                    words.extend_from_slice(source);
                    let value = ["--value", "height", "--bounds", "auto"];
                    let people = if accounts.is_empty() { &tiers[..] } else { &tiers[..2] };
                    let rest = [&value, people, needs, persons, groups, accounts].concat();
                    words.extend(rest.into_iter().map(str::to_owned));
                    words
                };
                let json = |words: Vec<String>| -> Value {
                    json(&words.iter().map(String::as_str).collect::<Vec<_>>())
                };
                let seed = |source: &[String]| {
                    let mut words = asked(source, &[]);
                    words.extend(["--insecure-seed".to_owned(), "5".to_owned()]);
                    let mut release = json(words);
                    release.as_object_mut().unwrap().remove("query");
                    release
                };
                let [from_file, from_database] = [&sources[0], &sources[1]].map(|s| seed(s));
                assert_eq!(from_file, from_database, "{statistic} {persons:?} {groups:?}");
                let certificates: Vec<&Value> = match from_file.get("groups") {
                    Some(all) => all.as_array().unwrap().iter().collect(),
                    None => vec![&from_file],
                };
                let with_records = certificates.iter().filter(|one| one["privacy"].is_array());
                assert_eq!(with_records.clone().count(), if groups.is_empty() { 1 } else { 2 });
                for release in with_records {
                    assert!(release["range"]["share"].as_f64().unwrap() < 0.8, "{release}");
                    for level in release["privacy"].as_array().unwrap() {
                        let [spent, allowed] =
                            ["spent", "epsilon"].map(|key| level[key].as_f64().unwrap());
                        assert!(spent <= allowed && spent > 0.0, "{level}");
                    }
                }

                for source in &sources {
                    let accounts = tempfile::tempdir().unwrap();
                    let ledger = accounts.path().join("accounts.ledger");
                    let file = ledger.to_str().unwrap();
                    let of_persons = if persons.is_empty() { &[][..] } else { &["--persons"] };
                    let init = ["ledger", "init", file, "--dataset", "heights", "--levels"];
                    stdout(&[&init[..], &["standard=20,relaxed=80"], of_persons].concat());
                    let charged = json(asked(source, &["--ledger", file, "--spend", "90%"]));
                    assert_eq!(charged["private"], true);
                    assert!(charged["ledger"]["entry"].is_number(), "{charged}");
                    stdout(&["ledger", "verify", file]);
                }
            }
        }
    }
}

/// Statistics that have a mechanism for hidden participation give one release from all sources, and
/// count nobody.
#[test]
fn who_takes_part_stays_hidden_without_bounds() {
    let folder = tempfile::tempdir().unwrap();
    let sources = rows_of_people(folder.path());
    let tiers = ["--privacy", "tier", "--levels", "standard=0.1,relaxed=1"];
    let asked = |source: &[String], more: &[&str]| -> Vec<String> {
        let statistic = vec![more[0].to_owned()];
        let rest = ["--value", "height", "--bounds", "auto", "--neighbors", "add-remove"];
        let rest = [&rest[..], &tiers, &more[1..], &["--insecure-seed", "9"]].concat();
        [&statistic, source, &rest.into_iter().map(str::to_owned).collect::<Vec<_>>()].concat()
    };
    for more in [
        &["mean"][..],
        &["sum"],
        &["quantile", "--q", "0.25,0.5"],
        &["variance"],
        &["summary"],
        &["mean", "--person", "id"],
        &["quantile", "--q", "0.5", "--person", "id"],
    ] {
        let release = |source: &[String]| {
            let words = asked(source, more);
            let mut release = json(&words.iter().map(String::as_str).collect::<Vec<_>>());
            release.as_object_mut().unwrap().remove("query");
            release
        };
        let found = release(&sources[0]);
        assert_eq!(found, release(&sources[1]), "{more:?}");
        assert_eq!(found["neighbors"], "add-remove");
        assert!(found["privacy"].as_array().unwrap().iter().all(|level| level["count"].is_null()));
    }
}

/// A plan says of every statistic what is known of its error, and what everybody would spend.
#[test]
fn every_statistic_has_a_plan_without_bounds() {
    for (statistic, needs, said) in [
        ("mean", &[][..], "standard deviations of the"),
        ("sum", &[], "standard deviations of the"),
        ("quantile", &["--q", "0.5"], "The error of the rank is expected to be"),
        ("variance", &[], "squared standard deviations"),
        ("mean,variance,q50", &[], "errors are expected in the worst case inside the range"),
    ] {
        let plan = ["plan", "--profile", "0.01:5000,0.1:4000,1:1000", "--bounds", "auto"];
        let words = [&plan[..], &["--statistic", statistic], needs].concat();
        let text = stdout(&[&words[..], &["--explain"]].concat());
        for part in [said, "without declared bounds", "That decision is private too"] {
            assert!(text.contains(part), "{statistic}: {text}");
        }
        let plan = json(&words);
        assert_eq!(plan["bounds"], "auto");
        let shares = plan["range"]["shares"].as_object().unwrap();
        assert!(shares["statistic"].as_f64().unwrap() > 0.5);
        for level in plan["privacy"].as_array().unwrap() {
            assert!(level["spent"].as_f64().unwrap() <= level["epsilon"].as_f64().unwrap());
        }
    }
}

#[test]
fn what_needs_bounds_is_refused() {
    let visits = |command: &'static str, more: &[&'static str]| {
        [&[command, RANDHIE, "--value", "visits", "--bounds", "auto"], &TIERS[..], more].concat()
    };
    for (command, more, named) in [
        ("mean", &["--variance", "3"][..], "variance: needs declared bounds"),
        ("mean", &["--shrink"], "shrink: needs declared bounds"),
        ("quantile", &["--q", "0.5", "--step", "1"], "step: needs declared bounds"),
        (
            "mean",
            &["--target", "dataset-correlated"],
            "target: dataset-correlated needs declared bounds",
        ),
        (
            "quantile",
            &["--q", "0.5", "--target", "dataset-correlated"],
            "target: dataset-correlated needs declared bounds",
        ),
        ("mean", &["--estimator", "affine"], "estimator: there is none of that name"),
    ] {
        let refusal = refused(&visits(command, more));
        assert!(refusal.1.contains(named), "{command} {more:?}: {}", refusal.1);
    }
    let few = refused(&["plan", "--profile", "0.01:400", "--bounds", "auto"]);
    assert!(
        few.1.contains("not enough for a range at this privacy; need about 32000 records"),
        "{}",
        few.1
    );
    // A group in which no range can be found is named; who is in it is public.
    let small = "height,tier,site\n1,a,north\n2,a,south\n";
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("small.csv");
    fs::write(&path, small).unwrap();
    let by_site = |path: &std::path::Path| {
        let people = ["--privacy", "tier", "--levels", "a=1"];
        let groups = ["--group-by", "site", "--groups", "north,south"];
        let mean = ["mean", path.to_str().unwrap(), "--value", "height", "--bounds", "auto"];
        refused(&[&mean[..], &people, &groups].concat())
    };
    let refusal = by_site(&path);
    assert!(refusal.1.contains("group north: bounds: not enough for a range"), "{}", refusal.1);
    // Without a spread there is no range; what other groups have spent by then is said.
    let mut rows = String::from("height,tier,site\n");
    for row in 0..4000 {
        let height = if row % 2 == 0 { 5.0 } else { f64::from(row * 37 % 101) };
        rows += &format!("{height},a,{}\n", ["south", "north"][row as usize % 2]);
    }
    let flat = folder.path().join("flat.csv");
    fs::write(&flat, rows).unwrap();
    let refusal = by_site(&flat);
    for said in ["group south: bounds: not enough", "the groups before it have spent"] {
        assert!(refusal.1.contains(said), "{}", refusal.1);
    }
    let levels = refused(&["mean", "--from-levels", "x.json", "--bounds", "auto"]);
    assert!(levels.1.contains("from-levels: a range is found in records"), "{}", levels.1);
}
