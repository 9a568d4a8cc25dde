//! Values of persons with several rows: shares and modes of categories, and the last row.

use std::fs;
use std::path::Path;

use rusqlite::Connection;
use serde_json::Value;
use tempfile::TempDir;

use super::common::{LedgerFolder, json, refused, stdout, suum};

/// Rows of public persons as CSV and as a table of SQLite, so that answers are exact.
struct Rows {
    _folder: TempDir,
    csv: String,
    sqlite: String,
    levels: String,
}

impl Rows {
    fn new(header: &str, rows: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
        let (csv, sqlite, levels) = (path("rows.csv"), path("rows.sqlite"), path("levels.json"));
        let lines: Vec<String> = rows.iter().map(|row| format!("{row},p")).collect();
        fs::write(&csv, format!("{header},tier\n{}\n", lines.join("\n"))).unwrap();
        let file = Connection::open(Path::new(&sqlite)).unwrap();
        let columns: Vec<&str> = header.split(',').collect();
        file.execute_batch(&format!("CREATE TABLE rows ({}, tier)", columns.join(", "))).unwrap();
        for line in lines {
            let cells = line.split(',').map(|cell| match cell.parse::<f64>() {
                Ok(number) => number.to_string(),
                Err(_) if cell.is_empty() => "NULL".to_owned(),
                Err(_) => format!("'{cell}'"),
            });
            let cells = cells.collect::<Vec<_>>().join(", ");
            file.execute_batch(&format!("INSERT INTO rows VALUES ({cells})")).unwrap();
        }
        Self { _folder: folder, csv, sqlite, levels }
    }

    /// The command about the persons in each source, of these words.
    fn build_commands<'a>(&'a self, command: &'a str, words: &[&'a str]) -> [Vec<&'a str>; 2] {
        let people = ["--person", "id", "--privacy", "tier", "--levels", "p=inf"];
        let sources = [vec![command, &self.csv], vec![command, &self.sqlite, "--table", "rows"]];
        sources.map(|source| [&source[..], &people, words].concat())
    }

    /// The answer of the sources, which is the same.
    fn read(&self, command: &str, words: &[&str]) -> Value {
        let [csv, sqlite] = self.build_commands(command, words).map(|asked| answered(&asked));
        assert_eq!(csv, sqlite, "{words:?}");
        csv
    }

    /// The answer of every source, which is the same, also from a level table.
    fn answer(&self, command: &str, words: &[&str], of_table: &[&str]) -> Value {
        let answer = self.read(command, words);
        let [csv, sqlite] = self.build_commands("levels", words);
        for table in [csv, sqlite] {
            fs::write(&self.levels, stdout(&table)).unwrap();
            let from = [&[command, "--from-levels", &self.levels], of_table].concat();
            let found = answered(&from);
            assert_eq!(found, answer);
        }
        answer
    }
}

/// Estimates of a release, and what counts of a person in it.
fn answered(words: &[&str]) -> Value {
    let release = json(words);
    let of = |one: &Value| one["estimate"].clone();
    let several = release["frequencies"].as_array();
    let estimates = several.map_or_else(|| vec![of(&release)], |all| all.iter().map(of).collect());
    serde_json::json!({"estimates": estimates, "contribution": release["contribution"]})
}

const HEALTH: [&str; 4] = ["--value", "health", "--categories", "good,fair,poor"];

/// With one good and one fair row for everybody, half of all rows are good.
#[test]
fn persons_count_with_the_shares_of_their_rows() {
    let rows = ["1,good", "1,fair", "2,fair", "2,good", "3,good", "3,fair", "4,poor"];
    let rows = Rows::new("id,health", &rows);
    let shares = rows.answer("frequency", &HEALTH, &[]);
    assert_eq!(shares["estimates"], serde_json::json!([0.375, 0.375, 0.25]));
    assert_eq!(shares["contribution"], "share of rows in each category");
    let mode = [&HEALTH[..], &["--per-person", "mode"]].concat();
    let modes = rows.answer("frequency", &mode, &["--per-person", "mode"]);
    assert_eq!(modes["estimates"], serde_json::json!([0.75, 0.0, 0.25]));
    assert!(modes["contribution"].as_str().unwrap().starts_with("most frequent category"));
    // The default can be said, too.
    let asked = [&HEALTH[..], &["--per-person", "share"]].concat();
    assert_eq!(rows.answer("frequency", &asked, &["--per-person", "share"]), shares);
}

/// Thirds are no whole steps; the steps that are left over go to the largest remainders.
#[test]
fn shares_that_are_no_whole_steps_add_up() {
    let rows =
        Rows::new("id,health", &["1,good", "1,fair", "1,poor", "2,poor", "2,poor", "2,good"]);
    let shares = rows.answer("frequency", &HEALTH, &[]);
    let estimates: Vec<f64> =
        shares["estimates"].as_array().unwrap().iter().map(|one| one.as_f64().unwrap()).collect();
    let third = f64::from((1 << 20) / 3) / f64::from(1 << 20);
    let step = 1.0 / f64::from(1 << 20);
    assert_eq!(estimates[0], (third + step + third) / 2.0);
    assert_eq!(estimates[1], third / 2.0);
    assert_eq!(estimates.iter().sum::<f64>(), 1.0);
}

#[test]
fn hidden_participation_counts_the_same_shares() {
    let rows = ["1,good", "1,fair", "2,fair", "2,good", "3,good", "3,fair", "4,poor"];
    let rows = Rows::new("id,health", &rows);
    for neighbors in ["add-remove", "both"] {
        let words = [&HEALTH[..], &["--neighbors", neighbors, "--target", "dataset"]].concat();
        let [csv, sqlite] = rows.build_commands("frequency", &words).map(|asked| answered(&asked));
        assert_eq!(csv["estimates"], serde_json::json!([0.375, 0.375, 0.25]), "{neighbors}");
        assert_eq!(csv, sqlite);
    }
    // A row without a value is none of the rows that a share is of.
    let rows = Rows::new("id,health", &["1,good", "1,", "2,", "3,fair", "3,poor", "3,"]);
    let left_out = ["--neighbors", "both", "--missing", "exclude", "--target", "dataset"];
    let words = [&HEALTH[..], &left_out].concat();
    let [csv, sqlite] = rows.build_commands("frequency", &words).map(|asked| answered(&asked));
    assert_eq!(csv["estimates"], serde_json::json!([0.5, 0.25, 0.25]));
    assert_eq!(csv, sqlite);
}

/// Cells of a table and bins are divided as labels are.
#[test]
fn cells_and_bins_of_persons_are_divided() {
    let rows = Rows::new("id,health,sex,age", &["1,good,f,10", "1,poor,m,20", "2,poor,m,30"]);
    let table = ["--crosstab", "health,sex", "--categories", "good,poor", "--categories", "f,m"];
    let cells = rows.answer("frequency", &table, &[]);
    assert_eq!(cells["estimates"], serde_json::json!([0.25, 0.0, 0.0, 0.75]));
    let bins = rows.answer("frequency", &["--value", "age", "--bins", "0,15,40"], &[]);
    assert_eq!(bins["estimates"], serde_json::json!([0.25, 0.75]));
}

/// A missing time comes first; of rows of the same time the least counts.
#[test]
fn last_row_by_a_time_counts() {
    let rows = [
        "1,4,2024-01-31",
        "1,9,2024-02-01",
        "1,2,2023-12-31",
        "2,6,2024-03-01",
        "2,3,2024-03-01",
        "2,1,",
        "3,8,",
    ];
    let rows = Rows::new("id,v,day", &rows);
    let last = ["--value", "v", "--bounds", "0,10", "--per-person", "last:day"];
    let mean = rows.read("mean", &last);
    let estimate = mean["estimates"][0].as_f64().unwrap();
    assert!((estimate - 20.0 / 3.0).abs() < 1e-6, "{mean}");
    assert_eq!(mean["contribution"], "last of rows");
    let median = [&last[..], &["--step", "1"]].concat();
    for asked in rows.build_commands("quantile", &median) {
        assert_eq!(json(&asked)["quantiles"][0]["estimate"], 8.0, "9, 3 and 8");
    }
    // Without bounds, too: values are then kept as they are.
    let seed = ["--insecure-seed", "1"];
    let unbounded = ["--value", "v", "--bounds", "auto", "--per-person", "last:day"];
    let unbounded = [&unbounded[..], &seed].concat();
    let [csv, sqlite] = rows.build_commands("mean", &unbounded).map(|asked| answered(&asked));
    assert_eq!(csv, sqlite);
    // Numbers are times in whatever unit.
    let rows = Rows::new("id,v,wave", &["1,4,10", "1,9,9", "2,1,-3", "2,5,2.5"]);
    let last = ["--value", "v", "--bounds", "0,10", "--per-person", "last:wave"];
    let mean = rows.read("mean", &last);
    assert!((mean["estimates"][0].as_f64().unwrap() - 4.5).abs() < 1e-6, "{mean}");
    // By the value itself it is the largest.
    let largest = ["--value", "v", "--bounds", "0,10", "--per-person", "last:v"];
    let mean = rows.read("mean", &largest);
    assert!((mean["estimates"][0].as_f64().unwrap() - 7.0).abs() < 1e-6, "{mean}");
    // A level table does not say by which column.
    for levels in rows.build_commands("levels", &last) {
        assert!(refused(&levels).1.contains("by which column a row is the last"));
    }
}

/// The times of rows are private, too: a ledger does not let them become groups.
#[test]
fn times_of_rows_are_protected() {
    let people = "id,v,day,t\n1,4,1,a\n1,9,2,a\n2,1,1,a\n2,5,2,a\n";
    let ledger = LedgerFolder::new("people", &["--levels", "a=1"]);
    let (csv, path) = (ledger.path("people.csv"), ledger.ledger());
    fs::write(&csv, people).unwrap();
    let charged = ["--ledger", &path, "--dataset", "people", "--spend", "10%", "--privacy", "t"];
    let mean = ["mean", csv.to_str().unwrap(), "--value", "v", "--bounds", "0,10"];
    let mean = [&mean[..], &charged].concat();
    let last = ["--person", "id", "--per-person", "last:day"];
    stdout(&[&mean[..], &last].concat());
    for groups in ["1,2", "auto"] {
        let (_, message) =
            refused(&[&mean[..], &["--group-by", "day", "--groups", groups]].concat());
        assert!(message.contains("column day"), "{message}");
    }
}

/// Of few people with little noise the local model would be best, but it has no shares.
#[test]
fn few_persons_have_shares() {
    for rows in [
        &["x,0.3,a"][..],
        &["x,5,a", "y,0.01,b", "z,0.01,a"],
        &["x,5,a", "y,5,b", "z,5,a"],
        &["x,6,a", "x,6,b", "y,6,b", "z,6,a", "w,6,a"],
    ] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("few.csv").to_str().unwrap().to_owned();
        fs::write(&path, format!("p,e,h\n{}\n", rows.join("\n"))).unwrap();
        let few = ["frequency", &path, "--value", "h", "--person", "p", "--epsilon", "e"];
        for categories in ["a,b", "a,b,c,d", "a,b,c,d,e,f,g,h,i,j"] {
            let release = json(&[&few[..], &["--categories", categories]].concat());
            assert!(release["frequencies"].is_array());
        }
    }
}

/// Whatever is refused of several answers has cost nothing.
#[test]
fn local_model_of_shares_is_refused_before_it_is_paid_for() {
    let ledger = LedgerFolder::new("people", &["--levels", "a=1"]);
    let (csv, toml) = (ledger.path("people.csv"), ledger.path("query.toml"));
    fs::write(&csv, "id,v,h,t\n1,4,x,a\n1,9,y,a\n2,1,x,a\n").unwrap();
    let text = format!(
        "data = {csv:?}\nprivacy = \"t\"\nperson = \"id\"\nledger = {:?}\n\
         dataset = \"people\"\nspend = \"20%\"\n[[answers]]\nstatistic = \"mean\"\n\
         value = \"v\"\nbounds = [0, 10]\n[[answers]]\nstatistic = \"frequency\"\n\
         value = \"h\"\ncategories = [\"x\", \"y\"]\nestimator = \"local\"\n",
        ledger.ledger()
    );
    fs::write(&toml, text).unwrap();
    let (_, message) = refused(&["run", toml.to_str().unwrap()]);
    assert!(message.contains("local") && !message.contains("spent"), "{message}");
    let shown = json(&["ledger", "show", &ledger.ledger()]);
    let spent = |tier: &Value| (tier["spent"].clone(), tier["reserved"].clone());
    assert_eq!(spent(&shown[0]["tiers"][0]), (0.0.into(), 0.0.into()), "{shown}");
}

/// A certificate whose counts are whole records, or of other categories, is none of shares.
#[test]
fn verification_knows_the_steps_of_shares() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (csv, file) = (path("people.csv"), path("release.json"));
    fs::write(&csv, "p,e,h\nx,1,a\nx,1,b\ny,0.5,b\nz,0.5,a\n").unwrap();
    let shares = ["frequency", &csv, "--value", "h", "--categories", "a,b,c", "--person", "p"];
    let shares = [&shares[..], &["--epsilon", "e", "--estimator", "affine"]].concat();
    let release = json(&shares);
    let says = |release: &Value| {
        fs::write(&file, release.to_string()).unwrap();
        suum(&["verify", &file]).output().unwrap().status.success()
    };
    assert!(says(&release));
    assert_eq!(release["measurements"][0]["steps"], 1 << 20);
    let change = |steps: Option<u64>, categories: u64| {
        let mut changed = release.clone();
        let of = |row: &mut Value| {
            let spent = row["spent"].as_f64().unwrap();
            row["spent"] = (spent * steps.unwrap_or(1) as f64 / f64::from(1 << 20)).into();
        };
        changed["privacy"].as_array_mut().unwrap().iter_mut().for_each(of);
        let entry = &mut changed["measurements"][0];
        entry["sensitivity"] = steps.unwrap_or(1).to_string().into();
        entry["categories"] = categories.into();
        match steps {
            Some(steps) => entry["steps"] = steps.into(),
            None => drop(entry.as_object_mut().unwrap().remove("steps")),
        }
        changed
    };
    assert!(says(&change(Some(1 << 20), 3)));
    for (steps, categories) in [(None, 3), (Some(0), 3), (Some(2), 3), (Some(1 << 20), 2)] {
        assert!(!says(&change(steps, categories)), "{steps:?} {categories}");
    }
}

/// Cells of a table are the same where a database hands out the rows.
#[test]
fn cells_of_rows_are_those_of_the_file() {
    let rows = ["1,good,f,n", "1,poor,m,n", "2,poor,m,s", "2,good,m,n"];
    let rows = Rows::new("id,health,sex,site", &rows);
    let table = ["--crosstab", "health,sex", "--categories", "good,poor", "--categories", "f,m"];
    let groups = ["--group-by", "site", "--groups", "n,s", "--neighbors", "both"];
    let words = [&table[..], &groups, &["--target", "dataset"]].concat();
    let [csv, sqlite] =
        rows.build_commands("frequency", &words).map(|asked| json(&asked)["groups"].clone());
    assert_eq!(csv, sqlite);
}

#[test]
fn values_of_persons_that_make_no_sense_are_refused() {
    let rows = Rows::new("id,v,health,day", &["1,4,good,2024-01-31", "2,9,poor,never"]);
    let numbers = ["--value", "v", "--bounds", "0,10", "--per-person"];
    let labels = [&HEALTH[..], &["--per-person"]].concat();
    for (command, words, value, told) in [
        ("mean", &numbers[..], "share", "numbers have no share"),
        ("median", &numbers, "mode", "numbers have no mode"),
        ("frequency", &labels, "total", "categories have no total"),
        ("frequency", &labels, "last:day", "categories have no last"),
        ("mean", &numbers, "last", "it is not said by which column"),
        ("mean", &numbers, "last:", "it is not said by which column"),
        ("mean", &numbers, "total:day", "there is a column behind total"),
        ("mean", &numbers, "last:date", "date"),
        ("mean", &numbers, "last:day", "column day"),
    ] {
        for asked in rows.build_commands(command, &[words, &[value]].concat()) {
            let (code, message) = refused(&asked);
            assert!(code > 0 && message.contains(told), "{value}: {message}");
            assert!(!message.contains("never"), "{message}");
        }
    }
    // Everybody answers for one category in the local model.
    let local = [&HEALTH[..], &["--estimator", "local"]].concat();
    let people = ["--person", "id", "--epsilon", "e"];
    let csv = rows.csv.replace("rows.csv", "budgets.csv");
    fs::write(&csv, "id,health,e\n1,good,1\n1,poor,1\n2,poor,1\n").unwrap();
    let asked = [&["frequency", &csv][..], &people, &local].concat();
    let (_, message) = refused(&asked);
    assert!(message.contains("estimator: local") && message.contains("mode"), "{message}");
    let one = [&asked[..], &["--per-person", "mode"]].concat();
    assert!(json(&one)["frequencies"].is_array());
}

/// A level table says how its persons count, and serves nothing else.
#[test]
fn level_tables_of_shares_serve_no_modes() {
    let rows = Rows::new("id,health", &["1,good", "1,fair", "2,poor"]);
    let [table, _] = rows.build_commands("levels", &HEALTH);
    let text = stdout(&table);
    assert!(text.contains("\"per_person\":\"share\""), "{text}");
    fs::write(&rows.levels, text).unwrap();
    let from = ["frequency", "--from-levels", &rows.levels, "--per-person", "mode"];
    let (_, message) = refused(&from);
    assert!(message.contains("its persons count with the share"), "{message}");
    // A table without the word was made before there were shares.
    let [table, _] =
        rows.build_commands("levels", &[&HEALTH[..], &["--per-person", "mode"]].concat());
    let text = stdout(&table).replace("\"per_person\":\"mode\",", "");
    assert!(!text.contains("per_person"), "{text}");
    fs::write(&rows.levels, text).unwrap();
    let modes = answered(&from);
    assert_eq!(modes["estimates"], serde_json::json!([0.5, 0.0, 0.5]));
    let (_, message) = refused(&from[..3]);
    assert!(message.contains("its persons count with their most frequent"), "{message}");
}
