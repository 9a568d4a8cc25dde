//! Remarks of a release besides its answer: budgets that protect practically nothing, and rows that
//! a query has made.

use std::fmt::Write;
use std::fs;

use rusqlite::Connection;
use serde_json::Value;

use super::common::{json, refused, stdout, suum};

const MEAN: [&str; 7] = ["mean", "--value", "x", "--bounds", "0,10", "--privacy", "tier"];
const SEEDED: [&str; 2] = ["--insecure-seed", "3"];
const SAFE: [&str; 2] = ["--levels", "a=0.1,b=1"];
/// Somebody took ε for a percentage.
const WEAK: [&str; 2] = ["--levels", "a=0.1,b=100"];

const SAYS: &str = "The budget ε = 100 protects practically nothing: it lets the probability of a \
     result differ by a factor of up to exp(100), and exp(10) is 22 026.";

/// A file of records, and the same as a table of a SQLite file.
struct Records {
    _folder: tempfile::TempDir,
    csv: String,
    sqlite: String,
}

fn records() -> Records {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (csv, sqlite) = (path("people.csv"), path("people.sqlite"));
    let rows: Vec<String> = (0..400)
        .map(|row| format!("{},{},{}", row % 10, if row % 4 == 0 { "a" } else { "b" }, row % 2))
        .collect();
    fs::write(&csv, format!("x,tier,year\n{}\n", rows.join("\n"))).unwrap();
    let file = Connection::open(&sqlite).unwrap();
    file.execute_batch(
        "BEGIN; CREATE TABLE people (x, tier, year); CREATE TABLE typed (x BIGINT, tier TEXT);",
    )
    .unwrap();
    for row in &rows {
        let [x, tier, year] = row.split(',').collect::<Vec<_>>().try_into().unwrap();
        file.execute(&format!("INSERT INTO people VALUES ({x}, '{tier}', {year})"), []).unwrap();
        file.execute(&format!("INSERT INTO typed VALUES ({x}, '{tier}')"), []).unwrap();
    }
    file.execute_batch(
        "CREATE VIEW whole AS SELECT x, tier FROM typed;
         COMMIT;",
    )
    .unwrap();
    Records { _folder: folder, csv, sqlite }
}

/// Standard error of the command, which must succeed.
fn warned(arguments: &[&str]) -> String {
    let output = suum(arguments).output().unwrap();
    assert!(output.status.success(), "{arguments:?}");
    String::from_utf8(output.stderr).unwrap()
}

/// The text without line breaks.
fn unfilled(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_budget_that_protects_nothing_is_warned_of() {
    let records = records();
    let release = [&MEAN[..], &[&records.csv], &WEAK, &SEEDED].concat();
    assert!(warned(&release).starts_with(&format!("warning: {SAYS}")));
    let text = stdout(&release);
    assert!(unfilled(&text).starts_with(&format!("WARNING: {SAYS}")), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 110), "{text}");
    let warnings = &json(&release)["warnings"];
    assert_eq!(warnings.as_array().unwrap().len(), 1);
    assert!(warnings[0].as_str().unwrap().starts_with(SAYS));
    let page = format!("{}.html", records.csv);
    stdout(&[&release[..], &["--report", &page]].concat());
    assert!(fs::read_to_string(page).unwrap().contains(SAYS));
    // Nothing of it where budgets protect, or nobody is to be protected.
    for levels in ["a=0.1,b=9.99", "a=0.1,b=inf"] {
        let release = [&MEAN[..], &[&records.csv, "--levels", levels], &SEEDED].concat();
        assert_eq!(warned(&release), "");
        assert!(!stdout(&release).contains("WARNING"));
        assert_eq!(json(&release).get("warnings"), None);
    }
}

#[test]
fn every_way_to_declare_a_budget_is_warned_of() {
    let records = records();
    let ledger = format!("{}.ledger", records.csv);
    let of_range =
        ["--epsilon", "year", "--neighbors", "add-remove", "--epsilon-range", "0.1,5000"];
    for arguments in [
        vec!["plan", "--profile", "0.1:3400,100:20"],
        vec!["plan", "--profile", "0.1:3400,1:20", "--what-if", "100:+5"],
        [&["plan", &records.csv, "--privacy", "tier"], &WEAK[..]].concat(),
        [&["count", &records.csv, "--privacy", "tier"], &WEAK[..]].concat(),
        [&["levels", &records.csv, "--privacy", "tier"], &WEAK[..]].concat(),
        [&MEAN[..], &[&records.csv, "--neighbors", "add-remove"], &WEAK, &SEEDED].concat(),
        [&["mean", &records.csv, "--value", "x", "--bounds", "0,10"], &of_range[..], &SEEDED]
            .concat(),
        vec!["ledger", "init", &ledger, "--dataset", "d", "--levels", "a=0.1,b=100"],
    ] {
        let said = warned(&arguments);
        assert!(said.contains("protects practically nothing"), "{arguments:?}: {said}");
    }
    // A range up to public budgets is no declaration of large ones.
    let open = ["--epsilon", "year", "--neighbors", "add-remove", "--epsilon-range", "0.1,inf"];
    let release = ["mean", &records.csv, "--value", "x", "--bounds", "0,10"];
    assert_eq!(warned(&[&release, &open[..], &SEEDED].concat()), "");
    let quiet = ["levels", &records.csv, "--privacy", "tier", "--quiet"];
    assert_eq!(warned(&[&quiet, &WEAK[..]].concat()), "");
}

/// The part on rows of an answer in JSON, which has to say the same as its text and its page.
fn rows(records: &Records, release: &[&str]) -> Value {
    let rows = json(release)["query_rows"].clone();
    let statement = rows["statement"].as_str().unwrap_or("Where the rows come from").to_owned();
    let text = unfilled(&stdout(release));
    assert_eq!(text.contains(&statement), !rows.is_null(), "{text}");
    let page = format!("{}.{}.html", records.csv, release.concat().len());
    let _ = fs::remove_file(&page);
    stdout(&[release, &["--report", &page]].concat());
    let page = unfilled(&fs::read_to_string(page).unwrap());
    assert_eq!(page.contains(&statement), !rows.is_null(), "{page}");
    rows
}

#[test]
fn a_release_says_that_a_query_has_made_its_rows() {
    let records = records();
    let of_table = [&MEAN[..], &[&records.sqlite, "--table", "people"], &SAFE, &SEEDED].concat();
    assert_eq!(rows(&records, &of_table), Value::Null);
    let query = "SELECT x, tier FROM people WHERE year = 1";
    let chosen = ["--query", query, "--public-columns", "year"];
    let of_query = [&MEAN[..], &[&records.sqlite], &chosen, &SAFE, &SEEDED].concat();
    let said = rows(&records, &of_query);
    assert_eq!((said["from"].as_str(), said["trusted"].as_bool()), (Some("query"), Some(false)));
    // Quantiles have a key `rows` of their own.
    let middle = ["median", "--value", "x", "--bounds", "0,10", "--privacy", "tier"];
    let middle = json(&[&middle[..], &[&records.sqlite], &chosen, &SAFE, &SEEDED].concat());
    assert_eq!((&middle["rows"], &middle["query_rows"]), (&Value::from(1), &said));
    let statement = said["statement"].as_str().unwrap();
    assert!(
        statement.contains("The guarantee holds only if that query is row-wise"),
        "{statement}"
    );
    assert!(statement.contains("it cannot prove that this one is"), "{statement}");
    let trusted = [&of_query[..], &["--trust-query"]].concat();
    let said = rows(&records, &trusted);
    assert_eq!(said["trusted"].as_bool(), Some(true));
    assert!(said["statement"].as_str().unwrap().contains("whoever asked says to have looked"));
    for command in ["count", "plan"] {
        let options = [&["--privacy", "tier"], &chosen[..]].concat();
        let said = rows(&records, &[&[command, &records.sqlite], &options[..], &SAFE].concat());
        assert_eq!(said["from"].as_str(), Some("query"), "{command}");
    }
    let add_remove = [&of_query[..], &["--neighbors", "add-remove"]].concat();
    assert_eq!(rows(&records, &add_remove)["from"].as_str(), Some("query"));
}

#[test]
fn a_level_table_remembers_that_a_query_has_made_its_rows() {
    let records = records();
    let query = "SELECT x, tier FROM people";
    let counted = ["--value", "x", "--bounds", "0,10", "--privacy", "tier", "--query", query];
    let options = [&counted[..], &SAFE].concat();
    let table = stdout(&[&["levels", &records.sqlite, "--quiet"], &options[..]].concat());
    let file = format!("{}.json", records.csv);
    fs::write(&file, table).unwrap();
    let release = [&["mean", "--from-levels", &file], &SEEDED[..]].concat();
    assert_eq!(rows(&records, &release)["trusted"].as_bool(), Some(false));

    let printed = stdout(&[&["levels-sql", "--dialect", "sqlite"], &options[..]].concat());
    assert!(printed.contains("-- The rows come from a query."), "{printed}");
    let trusting = [&["levels-sql", "--dialect", "sqlite", "--trust-query"], &options[..]].concat();
    let connection = Connection::open(&records.sqlite).unwrap();
    let sql = stdout(&trusting);
    let mut found = connection.prepare(&sql).unwrap();
    let mut text = found.column_names().collect::<Vec<_>>().join(",");
    let mut cells = found.query([]).unwrap();
    while let Some(row) = cells.next().unwrap() {
        let cell = |at| row.get::<_, Option<String>>(at).unwrap().unwrap_or_default();
        let cells: Vec<String> =
            (0..9).map(|at| format!("\"{}\"", cell(at).replace('"', "\"\""))).collect();
        text += &format!("\n{}", cells.join(","));
    }
    let file = format!("{}.result.csv", records.csv);
    fs::write(&file, text).unwrap();
    let release = [&["mean", "--from-levels", &file], &SEEDED[..]].concat();
    assert_eq!(rows(&records, &release)["trusted"].as_bool(), Some(true));
}

#[test]
fn a_query_that_is_not_row_wise_is_refused() {
    let records = records();
    for (query, what) in [
        ("SELECT avg(x) AS x, tier FROM people", "the function AVG is not one that"),
        ("SELECT x, tier FROM people GROUP BY tier", "GROUP BY lets one record reach rows"),
        ("SELECT x, tier FROM people LIMIT 10", "LIMIT lets other records decide"),
        ("SELECT x, tier FROM people WHERE x > 5", "WHERE uses column x, which is the value"),
        ("SELECT x, tier FROM people WHERE year = 1", "WHERE uses column year, which is not"),
        ("SELECT p.x, p.tier FROM people p JOIN people q", "JOIN can give several rows for one"),
    ] {
        let of_query = [&MEAN[..], &[&records.sqlite, "--query", query], &SAFE, &SEEDED].concat();
        let (code, said) = refused(&of_query);
        assert_eq!(code, 1);
        assert!(said.starts_with(&format!("error: query: {what}")), "{said}");
        let way_out = if query.contains("WHERE") { "--public-columns" } else { "--trust-query" };
        assert!(said.contains("hint: ") && said.contains(way_out), "{said}");
        assert!(!stdout(&[&of_query[..], &["--trust-query"]].concat()).is_empty());
        let printed = ["levels-sql", "--dialect", "duckdb", "--value", "x", "--bounds", "0,10"];
        let (code, said) =
            refused(&[&printed, &["--privacy", "tier", "--query", query][..], &SAFE].concat());
        assert!(code == 1 && said.contains(what), "{said}");
    }
    let table = [&MEAN[..], &[&records.sqlite, "--table", "people"], &SAFE, &["--trust-query"]];
    assert_eq!(refused(&table.concat()).0, 2, "there is no query to be trusted");
}

#[test]
fn a_ledger_writes_down_what_a_release_had_to_say() {
    let records = records();
    let ledger = format!("{}.ledger", records.csv);
    stdout(&["ledger", "init", &ledger, "--dataset", "d", "--levels", "a=0.1,b=100"]);
    let query = "SELECT x, tier FROM people";
    let charged = ["--query", query, "--ledger", &ledger, "--spend", "50%"];
    stdout(&[&MEAN[..], &[&records.sqlite], &charged].concat());
    let exported = stdout(&["ledger", "export", &ledger]);
    assert!(exported.contains("The rows were computed by a query."), "{exported}");
    assert!(exported.contains("ε = 50 protects practically nothing"), "{exported}");
}

#[test]
fn budgets_quantiles_and_truth_values_are_read_as_people_write_them() {
    let records = records();
    let write = |text: &str| fs::write(&records.csv, text).unwrap();
    write("x,e\nTrue,Inf\nfalse,INF\nTRUE,+inf\n1,Infinity\n0,∞\n");
    let release = ["mean", &records.csv, "--value", "x", "--bounds", "0,1", "--epsilon", "e"];
    let said = json(&[&release, &SEEDED[..]].concat());
    assert_eq!(said["estimate"].as_f64(), Some(0.6));
    assert_eq!(said["privacy"][0]["epsilon"].as_str(), Some("inf"));
    let plan = json(&["plan", "--profile", "0.1:5,Inf:2,1:1"]);
    assert_eq!(plan["profile"][2]["epsilon"].as_str(), Some("inf"));
    let tiers = ["count", &records.csv, "--privacy", "x"];
    write("x,e\na,1\nb,1\n");
    let said = json(&[&tiers[..], &["--levels", "a=Inf,b=Infinity"]].concat());
    assert_eq!(said["privacy"][1]["epsilon"].as_str(), Some("inf"));
    let quantile = ["quantile", &records.csv, "--value", "e", "--bounds", "0,1", "--epsilon", "e"];
    let said = json(&[&quantile[..], &["--q", "25%,0.5,99.9%", "--step", "1"], &SEEDED].concat());
    let ranks = [0, 1, 2].map(|at| said["quantiles"][at]["q"].as_f64().unwrap());
    assert_eq!(ranks, [0.25, 0.5, 0.999]);
}

const STEP: &str = "The column holds integers by its type, so quantiles are whole numbers, as with \
                    a step of 1. For continuous values: ";

/// Release or plan without its fields about the step.
fn without_step(mut said: Value) -> Value {
    said["query"].as_object_mut().and_then(|query| query.remove("step"));
    said.as_object_mut().and_then(|said| said.remove("step"));
    said
}

#[test]
fn a_column_of_integers_has_a_step_of_its_type() {
    let records = records();
    let hides = ["--neighbors", "add-remove"];
    for (command, more) in [
        (&["quantile", "--q", "0.3,0.7"][..], &SEEDED[..]),
        (&["summary", "--statistic", "mean,q50"], &SEEDED),
        (&["plan", "--statistic", "quantile"], &[]),
        (&["quantile"], &[&SEEDED[..], &hides].concat()),
    ] {
        let asked = [command, &MEAN[1..], &SAFE, more].concat();
        fn with_source<'a>(asked: &[&'a str], source: &[&'a str]) -> Vec<&'a str> {
            [asked, source].concat()
        }
        let typed = with_source(&asked, &[&records.sqlite, "--table", "typed"]);
        let said = json(&typed)["step"].clone();
        assert_eq!(said["statement"].as_str(), Some(&*format!("{STEP}cells=65536.")));
        assert_eq!((said["size"].as_u64(), said["from"].as_str()), (Some(1), Some("type")));
        let spoken = format!("{STEP}--cells 65536.");
        assert!(unfilled(&stdout(&typed)).contains(&spoken));
        let page = format!("{}.{}.html", records.csv, typed.concat().len());
        stdout(&[&typed[..], &["--report", &page]].concat());
        assert!(unfilled(&fs::read_to_string(page).unwrap()).contains(&spoken));

        // The same as what CSV needs to be told.
        let csv = with_source(&asked, &[&records.csv, "--step", "1"]);
        assert_eq!(json(&csv).get("step"), None);
        assert_eq!(without_step(json(&typed)), without_step(json(&csv)));

        // Nobody declares a step: without a type, of an expression, and where more is said.
        let expression = "SELECT x + 0 AS x, tier FROM typed";
        for source in [
            &[&records.csv[..]][..],
            &[&records.sqlite, "--table", "people"],
            &[&records.sqlite, "--query", expression],
            &[&records.sqlite, "--table", "typed", "--cells", "65536"],
            &[&records.sqlite, "--table", "typed", "--step", "2"],
            &[&records.sqlite, "--table", "typed", "--missing", "0.5"],
        ] {
            assert_eq!(json(&with_source(&asked, source)).get("step"), None, "{source:?}");
        }
        // A view has the types of its table.
        let view = with_source(&asked, &[&records.sqlite, "--table", "whole"]);
        assert_eq!(json(&view)["step"]["size"].as_u64(), Some(1));
    }
    // Only quantiles have candidates.
    let mean = [&MEAN[..], &[&records.sqlite, "--table", "typed"], &SAFE, &SEEDED].concat();
    assert_eq!(json(&mean).get("step"), None);
}

const FEW_STEPS: &str = "The column holds integers by its type, with fewer than 8 steps between \
                         the bounds, so nothing is learned first about where values lie: a range \
                         would leave out rare ones.";

/// Truth values and small counts have few steps by their type, and CSV can say so.
#[test]
fn a_mean_of_few_steps_learns_nothing_at_any_door() {
    let records = records();
    let mut csv = String::from("x,tier\n");
    for row in 0..600 {
        writeln!(csv, "{},{}", u8::from(row % 50 == 0), ["a", "b"][row % 2]).unwrap();
    }
    fs::write(&records.csv, &csv).unwrap();
    let file = Connection::open(&records.sqlite).unwrap();
    file.execute_batch(
        "DROP TABLE typed; CREATE TABLE typed (x INTEGER NOT NULL, tier TEXT NOT NULL)",
    )
    .unwrap();
    for row in 0..600 {
        let tier = ["a", "b"][row % 2];
        file.execute("INSERT INTO typed VALUES (?1, ?2)", (row % 50 == 0, tier)).unwrap();
    }
    let tiers = ["--privacy", "tier", "--levels", "a=1,b=2", "--bounds", "0,1", "--value", "x"];
    for (command, more) in [
        (&["mean"][..], &SEEDED[..]),
        (&["sum"], &SEEDED),
        (&["plan", "--statistic", "mean"], &[]),
        (&["mean", "--neighbors", "add-remove"], &SEEDED),
    ] {
        let asked = [command, &tiers, more].concat();
        fn with_source<'a>(asked: &[&'a str], source: &[&'a str]) -> Vec<&'a str> {
            [asked, source].concat()
        }
        let typed = with_source(&asked, &[&records.sqlite, "--table", "typed"]);
        let said = json(&typed);
        assert_eq!(said["step"]["statement"].as_str(), Some(FEW_STEPS), "{command:?}");
        assert!(unfilled(&stdout(&typed)).contains(FEW_STEPS));
        let told = json(&with_source(&asked, &[&records.csv, "--step", "1"]));
        let plain = json(&with_source(&asked, &[&records.csv, "--no-adapt"]));
        let learned = json(&with_source(&asked, &[&records.csv]));
        let answer = |said: &Value| {
            [&said["estimate"], &said["interval"], &said["privacy"]].map(Value::clone)
        };
        assert_eq!(answer(&said), answer(&plain), "{command:?}");
        assert_eq!(answer(&told), answer(&plain), "{command:?}");
        assert_ne!(answer(&learned), answer(&plain), "{command:?}");
        assert!(said.get("learned_range").is_none() && said.get("learning").is_none());
    }
    let adapts = ["mean", &records.csv, "--step", "1", "--adapt"];
    let (_, refused) = refused(&[&adapts, &tiers[..]].concat());
    assert!(refused.contains("this mean does not learn where the values lie"), "{refused}");
}

#[test]
fn an_edition_is_shown_again_whatever_its_types() {
    let records = records();
    let ledger = format!("{}.ledger", records.csv);
    stdout(&["ledger", "init", &ledger, "--dataset", "d", "--levels", "a=0.1,b=1"]);
    let asked = ["quantile", "--value", "x", "--bounds", "0,10", "--privacy", "tier"];
    let paid = ["--ledger", &ledger, "--spend", "10%", "--edition", "first"];
    let table = [&records.sqlite, "--table", "typed"];
    let release = || json(&[&asked[..], &paid, &table].concat());
    let first = release();
    assert_eq!(first["step"]["size"].as_u64(), Some(1));
    let file = Connection::open(&records.sqlite).unwrap();
    file.execute_batch("DROP TABLE typed; CREATE TABLE typed (x REAL, tier TEXT)").unwrap();
    let again = release();
    assert_eq!(again["estimate"], first["estimate"]);
    assert_eq!(again["step"], first["step"]);
    assert_ne!(again["ledger"], first["ledger"]);
}
