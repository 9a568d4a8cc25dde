//! Groups that are read off their columns (`--groups auto`).

use std::fs;

use rusqlite::Connection;
use serde_json::Value;

use super::common::{LedgerFolder, json, refused, stdout, suum};

/// People of three waves and two regions, with text that spells a number in two ways.
const PEOPLE: &str = "v,wave,region,tier\n1,10,south,p\n2,9,north,p\n3,9.0,north,p\n4,10,south,p\n\
                      5,2,north,p\n";

/// A folder with the people as CSV and as a table of SQLite.
fn people() -> (tempfile::TempDir, [Vec<String>; 2]) {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (csv, sqlite) = (path("people.csv"), path("people.sqlite"));
    fs::write(&csv, PEOPLE).unwrap();
    let file = Connection::open(&sqlite).unwrap();
    file.execute_batch(
        "CREATE TABLE people (v REAL, wave REAL, region TEXT, tier TEXT);
        INSERT INTO people VALUES (1, 10, 'south', 'p'), (2, 9, 'north', 'p'),
        (3, 9, 'north', 'p'), (4, 10, 'south', 'p'), (5, 2, 'north', 'p');",
    )
    .unwrap();
    let of_database = vec![sqlite, "--table".to_owned(), "people".to_owned()];
    (folder, [vec![csv], of_database])
}

const MEAN: [&str; 4] = ["--value", "v", "--bounds", "0,10"];
const PUBLIC: [&str; 4] = ["--privacy", "tier", "--levels", "p=inf"];

fn build_command<'a>(command: &'a str, source: &'a [String], words: &[&'a str]) -> Vec<&'a str> {
    let source: Vec<&str> = source.iter().map(String::as_str).collect();
    [&[command], &source[..], &PUBLIC, words].concat()
}

/// A release without its query and remarks: whether groups were declared shows there.
fn answers(words: &[&str]) -> Value {
    let mut release = json(words);
    let object = release.as_object_mut().unwrap();
    ["query", "groups_from", "date"].iter().for_each(|key| drop(object.remove(*key)));
    // A combination of groups without records is only there if it was declared.
    let groups = release["groups"].as_array_mut().unwrap();
    groups.retain(|group| group["records"] != 0);
    release
}

#[test]
fn groups_in_the_data_are_those_of_the_release() {
    let (folder, sources) = people();
    for source in &sources {
        for (by, found) in [
            (&["--group-by", "wave"][..], &["--groups", "2,9,10"][..]),
            (&["--group-by", "region"], &["--groups", "north,south"]),
            (&["--group-by", "region,wave"], &["--groups", "north,south", "--groups", "2,9,10"]),
        ] {
            let auto = [&MEAN[..], by, &["--groups", "auto"]].concat();
            let declared = [&MEAN[..], by, found].concat();
            for command in ["mean", "median", "sum"] {
                let auto = build_command(command, source, &auto);
                assert_eq!(answers(&auto), answers(&build_command(command, source, &declared)));
                let release = json(&auto);
                assert_eq!(release["query"]["groups"], serde_json::json!(["auto"]));
                assert!(
                    release["groups_from"].as_str().unwrap().contains(&by[1].replace(',', ", "))
                );
            }
            let plan = |words| stdout(&build_command("plan", source, words));
            assert!(plan(&auto).contains("The groups are those that occur in"));
            let levels = |words| stdout(&build_command("levels", source, words));
            assert_eq!(levels(&auto), levels(&declared));
        }
        // The two that are compared are looked for among those that are found.
        let by = ["--group-by", "region", "--groups", "auto", "--between", "north,south"];
        let words = [&MEAN[..], &by].concat();
        let difference = json(&build_command("difference", source, &words));
        let estimate = difference["estimate"].as_f64();
        assert!((estimate.unwrap() - (10.0 / 3.0 - 2.5)).abs() < 1e-6, "{difference}");
        let other = [&MEAN[..], &by[..5], &["north,west"]].concat();
        assert!(refused(&build_command("difference", source, &other)).1.contains("between: "));
    }
    drop(folder);
}

#[test]
fn several_answers_share_the_groups_that_are_found() {
    let (folder, [csv, _]) = people();
    let query = folder.path().join("query.toml");
    let text = format!(
        "data = {:?}\nprivacy = \"tier\"\nlevels = {{ p = \"inf\" }}\n\n[[answers]]\n\
         statistic = \"mean\"\nvalue = \"v\"\nbounds = [0, 10]\ngroup_by = \"wave\"\n\
         groups = \"auto\"\n\n[[answers]]\nstatistic = \"median\"\nvalue = \"v\"\n\
         bounds = [0, 10]\ngroup_by = \"wave\"\ngroups = \"auto\"\n",
        csv[0]
    );
    fs::write(&query, text).unwrap();
    let survey = json(&["run", query.to_str().unwrap()]);
    let names = |answer: &Value| -> Vec<String> {
        let groups = answer["groups"].as_array().unwrap();
        groups.iter().map(|group| group["group"].as_str().unwrap().to_owned()).collect()
    };
    let all: Vec<_> = survey["answers"].as_array().unwrap().iter().map(names).collect();
    assert_eq!(all, [["2", "9", "10"], ["2", "9", "10"]]);
}

/// The accounts pay for a release as if its groups had been declared, and once.
#[test]
fn accounts_pay_for_groups_that_are_found() {
    let (_folder, [csv, _]) = people();
    let spent = |groups: &str| {
        let ledger = LedgerFolder::new("people", &["--levels", "p=1"]);
        let path = ledger.ledger();
        let words = ["--privacy", "tier", "--group-by", "wave", "--groups", groups];
        let charged = ["--ledger", &path, "--dataset", "people", "--spend", "25%"];
        stdout(&[&["mean", &csv[0]][..], &MEAN, &words, &charged].concat());
        json(&["ledger", "show", &path])["accounts"].clone()
    };
    assert_eq!(spent("auto"), spent("2,9,10"));
}

/// An edition is answered again as it was, whatever groups the data have by then.
#[test]
fn editions_keep_the_groups_that_were_found() {
    let ledger = LedgerFolder::new("people", &["--levels", "p=1"]);
    let (csv, path) = (ledger.path("people.csv"), ledger.ledger());
    fs::write(&csv, PEOPLE).unwrap();
    let by = ["--group-by", "region", "--groups", "auto", "--privacy", "tier"];
    let charged = ["--ledger", &path, "--dataset", "people", "--spend", "10%", "--edition", "q1"];
    let words = [&["mean", csv.to_str().unwrap()][..], &MEAN, &by, &charged].concat();
    let first = json(&words);
    assert!(first["groups_from"].as_str().unwrap().contains("region"));
    fs::write(&csv, format!("{PEOPLE}7,1,west,p\n")).unwrap();
    let again = || {
        let release = json(&words);
        (release["groups"].clone(), release["groups_from"].clone())
    };
    let first = (first["groups"].clone(), first["groups_from"].clone());
    assert_eq!(again(), first);
    fs::remove_file(&csv).unwrap();
    assert_eq!(again(), first);
}

/// Groups of people who allow nothing are not named, nor are labels divided by their spelling.
#[test]
fn groups_of_nobody_who_allows_anything_are_not_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("people.csv").to_str().unwrap().to_owned();
    let people = "v,site,tier\n1,north,p\n2,south,p\n3,clinic,\n4,south,p\n";
    fs::write(&path, people).unwrap();
    let of = ["mean", &path, "--value", "v", "--bounds", "0,10", "--group-by", "site"];
    let of = [&of[..], &PUBLIC, &["--missing-consent", "0", "--groups", "auto"]].concat();
    for more in [&[][..], &["--suppress-below", "1"], &["--suppress-below", "2"]] {
        let text = stdout(&[&of[..], more].concat());
        assert!(text.contains("south") && !text.contains("clinic"), "{text}");
    }
    let plan = [&["plan"][..], &of[1..]].concat();
    assert!(!stdout(&plan).contains("clinic"));
    let unbounded = of.iter().map(|one| if *one == "0,10" { "auto" } else { *one });
    let (_, message) = refused(&unbounded.collect::<Vec<_>>());
    assert!(message.contains("not enough for a range") && !message.contains("clinic"));
    // The same number with another mark is the same group.
    fs::write(&path, "v;site;tier\n1;1,5;p\n2;1,50;p\n3;2,5;p\n").unwrap();
    let marked = ["--delimiter", ";", "--decimal", ","];
    let release = json(&[&of[..8], &PUBLIC, &marked, &["--groups", "auto"]].concat());
    let groups = release["groups"].as_array().unwrap();
    let names: Vec<_> = groups.iter().map(|group| group["group"].as_str().unwrap()).collect();
    assert_eq!(names, ["1.5", "2.5"]);
}

#[test]
fn studies_leave_it_to_requests_to_read_groups() {
    let (folder, [csv, _]) = people();
    let study = folder.path().join("study.toml");
    fs::write(
        &study,
        format!(
            "data = {:?}\nprivacy = \"tier\"\nlevels = {{ p = \"inf\" }}\n\
             [columns.region]\ngroups = \"auto\"\n",
            csv[0]
        ),
    )
    .unwrap();
    let of = ["frequency", "--study", study.to_str().unwrap(), "--value", "region"];
    assert!(refused(&of).1.contains("a request decides whether groups are read"));
}

#[test]
fn groups_that_cannot_be_read_are_refused() {
    let (folder, [csv, _]) = people();
    let path = folder.path().join("others.csv");
    let file = path.to_str().unwrap().to_owned();
    let by = [&MEAN[..], &["--group-by", "region", "--groups", "auto"]].concat();
    for (people, more, told) in [
        ("v,region,tier\n1,north,p\n2,north,p\n", &[][..], "region: all records are in one group"),
        ("v,region,tier\n1,north,p\n2,,p\n3,south,p\n", &[], "region, row 2: missing group"),
        ("v,region,tier\n1,north,p\n2,south,p\n", &["--neighbors", "both"], "groups: a list"),
        ("v,region,tier\n1,\u{1b}[31mred,p\n2,south,p\n", &[], "control characters"),
        ("v,region,tier\n1,north,p\n2,north,p\n", &["--person", "region"], "not listed as groups"),
        ("v,site,tier\n1,north,p\n2,south,p\n", &[], "region"),
    ] {
        fs::write(&path, people).unwrap();
        let words = [&by[..], more].concat();
        let (_, message) = refused(&build_command("mean", std::slice::from_ref(&file), &words));
        assert!(message.contains(told), "{told}: {message}");
    }
    // What is protected is not listed, whether or not there is a release.
    fs::write(&path, "v,region,tier\n1,x,p\n2,zebra,p\n").unwrap();
    let of_values = ["--value", "region", "--categories", "x,z", "--group-by", "region"];
    let of_values = [&of_values[..], &["--groups", "auto"]].concat();
    let planned = [&["plan", &file, "--statistic", "frequency"][..], &PUBLIC, &of_values].concat();
    for words in [build_command("frequency", std::slice::from_ref(&file), &of_values), planned] {
        let (_, message) = refused(&words);
        assert!(message.contains("region") && !message.contains("zebra"), "{message}");
    }
    // Too many for a release.
    let rows: String = (0..=65_536).map(|row| format!("1,g{row},p\n")).collect();
    fs::write(&path, format!("v,region,tier\n{rows}")).unwrap();
    let (_, message) = refused(&build_command("mean", &[file], &by));
    assert!(message.contains("more than 65536 different labels"), "{message}");
    // Standard input is read once.
    let words = build_command("mean", &[], &by);
    let stdin = suum(&[&words[..1], &["-"], &words[1..]].concat()).write_stdin(PEOPLE).output();
    let message = String::from_utf8(stdin.unwrap().stderr).unwrap();
    assert!(message.contains("can be read only once"), "{message}");
    // Nothing is read for a query that a database will run, or for an assumed population.
    let table = ["levels-sql", "--table", "people", "--dialect", "sqlite"];
    let (_, message) = refused(&[&table[..], &PUBLIC, &by].concat());
    assert!(message.contains("groups: nothing is read"), "{message}");
    let levels = folder.path().join("levels.json");
    fs::write(
        &levels,
        stdout(&build_command(
            "levels",
            &csv,
            &[&MEAN[..], &["--group-by", "region", "--groups", "north,south"]].concat(),
        )),
    )
    .unwrap();
    let from = ["mean", "--from-levels", levels.to_str().unwrap(), "--group-by", "region"];
    let (_, message) = refused(&[&from[..], &["--groups", "auto"]].concat());
    assert!(message.contains("groups: a level table has groups"), "{message}");
}
