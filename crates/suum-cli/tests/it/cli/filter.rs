//! Releases of some of the records: `--where`.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::common::{RANDHIE, TIERS, VISITS, json, refused, stdout};

const POOR: &str = "health in ('poor','fair') and not health = 'fair'";
const CANONICAL: &str = "health IN ('poor', 'fair') AND health <> 'fair'";
const SEEDED: [&str; 4] = ["--public-columns", "health", "--insecure-seed", "3"];

/// The example data without records of other health.
fn poor_alone(folder: &Path) -> String {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let text = fs::read_to_string(Path::new(root).join(RANDHIE)).unwrap();
    let mut lines = text.lines();
    let header = lines.next().unwrap();
    let poor: Vec<&str> = lines.filter(|line| line.split(',').nth(2) == Some("poor")).collect();
    let path = folder.join("poor.csv");
    fs::write(&path, format!("{header}\n{}\n", poor.join("\n"))).unwrap();
    path.to_str().unwrap().to_owned()
}

/// A release without its question.
fn answer(arguments: &[&str]) -> Value {
    let mut answer = json(arguments);
    let object = answer.as_object_mut().unwrap();
    object.remove("query");
    answer
}

#[test]
fn releases_what_a_file_of_the_selected_records_gives() {
    let folder = tempfile::tempdir().unwrap();
    let alone = poor_alone(folder.path());
    let table = folder.path().join("levels.json").to_str().unwrap().to_owned();
    for command in ["mean", "count", "quantile", "summary"] {
        let values: &[&str] = if command == "count" { &[] } else { &VISITS };
        let asked = |data| [&[command, data], values, &TIERS, &SEEDED].concat();
        let mut expected = answer(&asked(&alone));
        expected["where"] = CANONICAL.into();
        let filtered = [&asked(RANDHIE)[..], &["--where", POOR]].concat();
        assert_eq!(answer(&filtered), expected, "{command}");
        let text = stdout(&filtered);
        assert!(text.contains(&format!("Only records where {CANONICAL}")), "{command}: {text}");
    }
    let levels = ["levels", RANDHIE, "--public-columns", "health", "--quiet", "--where", POOR];
    fs::write(&table, stdout(&[&levels[..], &VISITS, &TIERS].concat())).unwrap();
    let of_table = answer(&["mean", "--from-levels", &table, "--insecure-seed", "3"]);
    assert_eq!(of_table["where"], CANONICAL);
}

#[test]
fn tells_the_condition_on_pages_in_plans_and_in_commands() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("page.html").to_str().unwrap().to_owned();
    let asked = [&["mean", RANDHIE], &VISITS[..], &TIERS, &SEEDED, &["--where", POOR]].concat();
    stdout(&[&asked[..], &["--report", &page]].concat());
    let page = fs::read_to_string(page).unwrap();
    assert!(page.contains("Which records count") && page.contains("Only records where"));
    assert!(page.contains("--where ") && page.contains("--public-columns health"));
    let plan = [&["plan", RANDHIE], &VISITS[..], &TIERS, &SEEDED[..2], &["--where", POOR]].concat();
    assert_eq!(json(&plan)["where"], CANONICAL);
    let sql = ["levels-sql", "--dialect", "duckdb", "--table", "people", "--where", POOR];
    let sql = stdout(&[&sql[..], &SEEDED[..2], &VISITS, &TIERS].concat());
    assert!(sql.contains("WHERE (") && sql.contains("\"where\":\"health IN"), "{sql}");
    let toml = folder.path().join("query.toml").to_str().unwrap().to_owned();
    let text = format!(
        "statistic = \"count\"\nprivacy = \"privacy\"\nlevels = \"{}\"\nwhere = \"{POOR}\"\n\
         public-columns = [\"health\"]",
        TIERS[3]
    );
    fs::write(&toml, text).unwrap();
    assert_eq!(json(&["run", &toml, RANDHIE])["where"], CANONICAL);
}

#[test]
fn refuses_what_cannot_select() {
    let mean = |more: &[&str]| {
        let (code, said) = refused(&[&["mean", RANDHIE], &VISITS[..], &TIERS, more].concat());
        assert!(code == 1 || code == 2, "{said}");
        said
    };
    let private = mean(&["--where", "health = 'poor'"]);
    assert!(private.contains("where: column health is not public"), "{private}");
    assert!(private.contains("--public-columns health"), "{private}");
    let function = mean(&["--where", "lower(health) = 'poor'"]);
    assert!(function.contains("where: the function lower is not understood"), "{function}");
    let (_, table) = refused(&["mean", "--from-levels", "t.json", "--where", "health = 'poor'"]);
    assert!(
        table.contains("where: there are no records, a level table stands in their place"),
        "{table}"
    );
    // Where participation is hidden, every column can choose.
    let hidden = [&["count", RANDHIE], &TIERS[..], &["--neighbors", "both"]].concat();
    let chosen = [&hidden[..], &["--insecure-seed", "3", "--where", "visits > 3"]].concat();
    assert_eq!(json(&chosen)["where"], "visits > 3");
}

#[test]
fn a_ledger_knows_the_columns_that_have_selected() {
    let folder = tempfile::tempdir().unwrap();
    let ledger = |neighbors: &str| {
        let path = folder.path().join(neighbors).to_str().unwrap().to_owned();
        let levels = ["--levels", "strict=0.05,standard=0.3,relaxed=2,public=inf"];
        let init = ["ledger", "init", &path, "--dataset", "visits", "--neighbors", neighbors];
        stdout(&[&init[..], &levels].concat());
        path
    };
    let columns = |path: &str| json(&["ledger", "show", path])[0]["columns"].clone();
    let paid = |path: &str, more: &[&str]| {
        let asked = ["mean", RANDHIE, "--privacy", "privacy", "--ledger", path];
        json(&[&asked[..], &VISITS, &["--edition", "1", "--spend", "1%"], more].concat())
    };
    // Hidden with everything else that a record says.
    let both = ledger("both");
    let of_both =
        |filter: &str| paid(&both, &["--neighbors", "both", "--where", filter])["estimate"].clone();
    let first = of_both("coinsurance_log > 1");
    assert_eq!(of_both("1 < coinsurance_log"), first);
    assert_ne!(of_both("coinsurance_log > 2"), first);
    assert_eq!(columns(&both)["values"], serde_json::json!(["coinsurance_log", "visits"]));
    // Published by a release that does not hide who takes part.
    let replace = ledger("replace");
    let poor = ["--where", "health = 'poor'", "--public-columns", "health"];
    assert_eq!(paid(&replace, &poor)["where"], "health = 'poor'");
    let expected = serde_json::json!(
        {"values": ["visits"], "published": ["health", "privacy"], "declared": ["health"]}
    );
    assert_eq!(columns(&replace), expected);
    // What the ledger protects cannot select.
    let protected = ["--where", "visits > 3", "--privacy", "privacy", "--ledger", &replace];
    let (_, said) = refused(&[&["count", RANDHIE], &protected[..]].concat());
    assert!(said.contains("column visits"), "{said}");
}
