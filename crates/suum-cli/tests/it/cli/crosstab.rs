//! Tables of two columns: a frequency of one column with both labels, and its margins.

use std::fs;

use rusqlite::Connection;
use serde_json::{Value, json as value};
use tempfile::TempDir;

use super::common::{json, refused, stdout};

const TABLE: [&str; 6] = ["--crosstab", "site,sex", "--categories", "n,s", "--categories", "f,m"];
/// Cells of [`TABLE`] in one column.
const ONE: [&str; 4] = ["--value", "both", "--categories", "n-f,n-m,s-f,s-m"];
const TIERS: [&str; 4] = ["--privacy", "tier", "--levels", "strict=0.5,standard=1,public=inf"];
const SEED: [&str; 3] = ["--insecure-seed", "5", "--quiet"];

/// People of whom each has two rows in different cells, some without a sex.
struct Data {
    folder: TempDir,
}

impl Data {
    fn new() -> Self {
        let data = Self { folder: tempfile::tempdir().unwrap() };
        let row = |at: usize| {
            let (site, sex) = (["n", "s", "n"][at % 3], ["f", "m", "m", ""][at / 3 % 4]);
            let both = if sex.is_empty() { String::new() } else { format!("{site}-{sex}") };
            let tier = ["strict", "standard", "public"][at % 5 % 3];
            format!("{tier},p{},{site},{sex},{both},{}", at / 2, ["x", "y"][at % 2])
        };
        let rows: Vec<String> = (0..900).map(row).collect();
        let header = "tier,id,site,sex,both,half";
        fs::write(data.path("people.csv"), format!("{header}\n{}\n", rows.join("\n"))).unwrap();
        let mut database = Connection::open(data.path("people.sqlite")).unwrap();
        let table = "CREATE TABLE people (tier TEXT, id TEXT, site TEXT, sex TEXT, both TEXT,
            half TEXT)";
        database.execute(table, []).unwrap();
        // Each row alone would be written to the disk before the next.
        let all = database.transaction().unwrap();
        for row in rows {
            let insert =
                "INSERT INTO people VALUES (?1, ?2, ?3, NULLIF(?4, ''), NULLIF(?5, ''), ?6)";
            all.execute(insert, rusqlite::params_from_iter(row.split(','))).unwrap();
        }
        all.commit().unwrap();
        data
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).to_str().unwrap().to_owned()
    }
}

/// The shares of the cells with their intervals, and the certificate.
fn cells(release: &Value) -> Value {
    let shares = release["frequencies"].as_array().unwrap().iter();
    let shares: Vec<Value> = shares.map(|one| value!([one["estimate"], one["interval"]])).collect();
    value!([shares, release["privacy"], release["measurements"], release["missing"]])
}

/// The sums of the cells of each label are the margins.
fn check_margins(release: &Value) {
    let of = |at: usize, label: &str| -> f64 {
        let shares = release["frequencies"].as_array().unwrap().iter();
        let own = shares.filter(|one| one["category"][at] == label);
        own.map(|one| one["estimate"].as_f64().unwrap()).sum()
    };
    let margins = release["margins"].as_array().unwrap();
    assert_eq!((&margins[0]["column"], &margins[1]["column"]), (&value!("site"), &value!("sex")));
    for (at, margin) in margins.iter().enumerate() {
        for one in margin["shares"].as_array().unwrap() {
            let estimate = one["estimate"].as_f64().unwrap();
            let sum = of(at, one["category"].as_str().unwrap());
            assert!((sum - estimate).abs() < 1e-12, "{one}");
            let [lower, upper] =
                ["lower", "upper"].map(|end| one["interval"][end].as_f64().unwrap());
            assert!(lower <= estimate && estimate <= upper && upper - lower < 0.5, "{one}");
        }
    }
}

#[test]
fn cells_are_those_of_one_column_with_both_labels() {
    let data = Data::new();
    let (csv, sqlite) = (data.path("people.csv"), data.path("people.sqlite"));
    let persons = [&TIERS[..], &["--person", "id"]].concat();
    let exclude = ["--missing", "exclude"];
    let relations: [&[&str]; 3] =
        [&exclude, &["--missing", "exclude", "--neighbors", "add-remove"], &["--post", "none"]];
    for who in [&TIERS[..], &persons] {
        for relation in relations {
            // Without a sex counts as m, in one column and in two.
            let (one, two): (&[&str], &[&str]) = match relation == relations[2] {
                true => (&["--missing", "n-m"], &["--missing", "m"]),
                false => (&[], &[]),
            };
            if relation == relations[2] && who.len() > TIERS.len() {
                continue;
            }
            let asked = [relation, &SEED].concat();
            let release = |from: &[&str], who: &[&str], what: &[&str]| {
                json(&[&["frequency"], from, &asked, who, what].concat())
            };
            let two = [&TABLE[..], two].concat();
            let found = release(&[&csv], who, &two);
            check_margins(&found);
            assert_eq!(found["column"], value!(["site", "sex"]));
            if relation != relations[2] {
                let expected = release(&[&csv], who, &[&ONE[..], one].concat());
                assert_eq!(cells(&found), cells(&expected), "{who:?} {relation:?}");
                assert!(expected.get("margins").is_none());
            }
            let of_sqlite = release(&[&sqlite, "--table", "people"], who, &two);
            assert_eq!(of_sqlite["frequencies"], found["frequencies"]);
            let missing = if two.len() > TABLE.len() { &two[6..] } else { &exclude };
            let counted = [&["levels", &csv, "--quiet"], who, &TABLE[..], missing].concat();
            fs::write(data.path("levels.json"), stdout(&counted)).unwrap();
            let table = data.path("levels.json");
            let add_remove: Vec<&str> = relation.iter().copied().skip(2).collect();
            let add_remove = match relation[0] {
                "--post" => relation.to_vec(),
                _ if add_remove.is_empty() => vec!["--neighbors", "both"],
                _ => add_remove,
            };
            let from =
                [&["--from-levels", table.as_str()], &TIERS[2..], &add_remove, &SEED].concat();
            let of_table = json(&[&["frequency"], &from[..], &TABLE].concat());
            for part in ["frequencies", "margins", "column"] {
                assert_eq!(of_table[part], found[part], "{who:?} {relation:?}");
            }
            if relation[0] == "--post" {
                // Without categories those of the table.
                let of_table = json(&[&["frequency"], &from[..]].concat());
                assert_eq!(of_table["margins"], found["margins"]);
            }
        }
    }
}

#[test]
fn every_form_of_an_answer_has_the_margins() {
    let data = Data::new();
    let (csv, page) = (data.path("people.csv"), data.path("page.html"));
    let exclude = ["--missing", "exclude"];
    let asked = [&["frequency", &csv], &TABLE[..], &TIERS, &exclude, &SEED].concat();
    let release = json(&asked);
    let query = &release["query"];
    assert_eq!(query["crosstab"], value!(["site", "sex"]));
    assert_eq!(query["categories"], value!([["n", "s"], ["f", "m"]]));
    let text = stdout(&[&asked[..], &["--report", &page]].concat());
    // What is printed adds up, in rows and in columns.
    let percent = |line: &str| -> Vec<i64> {
        let numbers = line.split_whitespace().filter_map(|word| word.parse::<f64>().ok());
        numbers.map(|number| (number * 10.0).round() as i64).collect()
    };
    let rows = ["n ", "s ", "all "].map(|label| {
        let mut lines = text.lines();
        percent(lines.find(|line| line.trim_start().starts_with(label)).unwrap())
    });
    assert!(rows.iter().all(|row| row.len() == 3 && row[0] + row[1] == row[2]), "{text}");
    assert!((0..3).all(|at| rows[0][at] + rows[1][at] == rows[2][at]), "{text}");
    assert_eq!(rows[2][2], 1000);
    let page = fs::read_to_string(page).unwrap();
    assert!(page.contains("site / sex") && page.contains("Shares of each pair of"));
    // A file with this query asks for the same, and its certificate is computed again.
    let file = data.path("query.json");
    fs::write(&file, release.to_string()).unwrap();
    assert_eq!(json(&["run", &file, &csv, "--quiet"]), release);
    assert_eq!(json(&["verify", &file])["agrees"], true);
    let toml = data.path("query.toml");
    let lines = [
        "statistic = 'frequency'",
        "crosstab = ['site', 'sex']",
        "categories = [['n', 's'], ['f', 'm']]",
        "missing = 'exclude'",
        "privacy = 'tier'",
        "levels = 'strict=0.5,standard=1,public=inf'",
        "insecure_seed = 5",
    ];
    fs::write(&toml, lines.join("\n")).unwrap();
    assert_eq!(json(&["run", &toml, &csv, "--quiet"])["margins"], release["margins"]);
    // One for each group.
    let by = ["--group-by", "half", "--groups", "x,y"];
    let groups = json(&[&asked[..], &by].concat());
    assert_eq!(groups["column"], value!(["site", "sex"]));
    groups["groups"].as_array().unwrap().iter().for_each(check_margins);
    let text = stdout(&[&asked[..], &by].concat());
    assert!(text.contains("n, all") && text.contains("all, f"), "{text}");
    // All intervals hold at once: those of the margins, too.
    let together = json(&[&asked[..], &["--simultaneous"]].concat());
    let width = |release: &Value| {
        let interval = &release["margins"][0]["shares"][0]["interval"];
        interval["upper"].as_f64().unwrap() - interval["lower"].as_f64().unwrap()
    };
    assert!(width(&together) > 1.2 * width(&release));
}

/// The texts between these two, everywhere in a page.
fn between<'a>(page: &'a str, from: &str, to: &str) -> Vec<&'a str> {
    let parts = page.split(from).skip(1);
    parts.filter_map(|part| part.split_once(to)).map(|(text, _)| text).collect()
}

/// The shares of a table are rounded so that they add up, and its cells are shaded by them.
#[test]
fn cells_of_a_table_are_shaded_by_their_shares() {
    let data = Data::new();
    let csv = data.path("people.csv");
    let mut adjusted = 0;
    for seed in 1..=12 {
        let page = data.path(&format!("page{seed}.html"));
        let seed = seed.to_string();
        let asked = ["--missing", "m", "--insecure-seed", &seed, "--report", &page, "--quiet"];
        let release = json(&[&["frequency", &csv], &TABLE[..], &TIERS, &asked].concat());
        let page = fs::read_to_string(page).unwrap();
        let table = between(&page, "<table", "</table>")[0];
        // Two rows of two cells are shaded, their margins are not.
        let shaded = between(table, "<td class=\"number shaded shade-", "</data>");
        let cells: Vec<&str> = shaded.iter().filter_map(|cell| cell.rsplit('>').next()).collect();
        assert_eq!(cells.len(), 4, "{table}");
        assert_eq!(between(table, "<td class=\"number\">", "</data>").len(), 5, "{table}");
        assert!(shaded.iter().any(|cell| cell.starts_with("8\"")), "{table}");
        let shares = release["frequencies"].as_array().unwrap().iter();
        let rounded =
            shares.map(|one| format!("{:.1} %", 100.0 * one["estimate"].as_f64().unwrap()));
        adjusted += rounded.zip(cells).filter(|(rounded, cell)| rounded != cell).count();
    }
    assert!(adjusted > 0, "no share was rounded so that it adds up");
}

#[test]
fn strata_keep_their_shares_in_a_table() {
    let data = Data::new();
    let csv = data.path("people.csv");
    let strata = ["--strata", "half", "--population-shares", "x=0.3,y=0.7", "--missing", "m"];
    let release = json(&[&["frequency", &csv], &TABLE[..], &TIERS, &strata, &SEED].concat());
    check_margins(&release);
}

#[test]
fn what_makes_no_table_is_refused() {
    let data = Data::new();
    let csv = data.path("people.csv");
    for (words, message) in [
        (&TABLE[..4], "categories: a crosstab has a list for each column"),
        (&TABLE[..2], "categories and"),
        (&["--crosstab", "site", "--categories", "n,s"], "crosstab: it is a table of two columns"),
        (&["--crosstab", "site,site", "--categories", "n,s", "--categories", "n,s"], "two columns"),
        (&["--value", "site", "--categories", "n,s", "--categories", "f,m"], "categories: "),
        (&[&TABLE[..], &["--value", "site"]].concat(), "--value"),
        (&TABLE, "column sex, row 10: missing value"),
    ] {
        let tiers: &[&str] = if words.len() == 2 { &[] } else { &TIERS };
        let (_, said) = refused(&[&["frequency", &csv], words, tiers, &["--quiet"]].concat());
        assert!(said.contains(message), "{words:?}: {said}");
    }
    refused(&["mean", &csv, "--crosstab", "site,sex"]);
}

#[test]
fn a_ledger_protects_both_columns() {
    let data = Data::new();
    let (csv, sqlite) = (data.path("people.csv"), data.path("people.sqlite"));
    let ledger = data.path("ledger");
    let init = ["ledger", "init", &ledger, "--dataset", "d", "--levels"];
    stdout(&[&init[..], &["strict=0.5,standard=1,public=inf"]].concat());
    let paid = ["--ledger", &ledger, "--spend", "10%", "--quiet"];
    let tiers = &TIERS[..2];
    let missing = ["--missing", "m"];
    json(&[&["frequency", &csv], &TABLE[..], tiers, &missing, &paid].concat());
    for column in ["site", "sex"] {
        let query = format!("SELECT * FROM people WHERE {column} <> 'm'");
        let asked = ["count", &sqlite, "--query", &query, "--trust-query"];
        let (_, said) = refused(&[&asked[..], tiers, &paid].concat());
        assert!(said.contains(&format!("it speaks of column {column}")), "{said}");
        let asked = ["frequency", &sqlite, "--query", &query];
        let (_, said) = refused(&[&asked[..], &TABLE, &TIERS, &missing].concat());
        assert!(
            said.contains(&format!("WHERE uses column {column}, which is the value")),
            "{said}"
        );
    }
}

#[test]
fn first_column_can_have_bins() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (csv, sqlite) = (path("people.csv"), path("people.sqlite"));
    // In the column `both` each row has its bin and its label.
    let row = |at: usize| {
        let (age, sex) = (at * 7 % 90, ["f", "m"][at / 2 % 2]);
        let bin = ["young", "old"][usize::from(age >= 30)];
        format!("{age},{sex},{bin}-{sex},{}", ["strict", "public"][at % 2])
    };
    let rows: Vec<String> = (0..400).map(row).collect();
    fs::write(&csv, format!("age,sex,both,tier\n{}\n", rows.join("\n"))).unwrap();
    let mut database = Connection::open(&sqlite).unwrap();
    let table = "CREATE TABLE people (age INTEGER, sex TEXT, both TEXT, tier TEXT)";
    database.execute(table, []).unwrap();
    let all = database.transaction().unwrap();
    for row in &rows {
        let insert = "INSERT INTO people VALUES (?1, ?2, ?3, ?4)";
        all.execute(insert, rusqlite::params_from_iter(row.split(','))).unwrap();
    }
    all.commit().unwrap();
    let crossed = ["--crosstab", "age,sex", "--bins", "0,30,90", "--categories", "f,m"];
    let one = ["--value", "both", "--categories", "young-f,young-m,old-f,old-m"];
    let release = |from: &[&str], what: &[&str]| {
        json(
            &[&["frequency"], from, &TIERS[..2], &["--levels", "strict=1,public=inf"], &SEED, what]
                .concat(),
        )
    };
    let found = release(&[&csv], &crossed);
    assert_eq!(cells(&found), cells(&release(&[&csv], &one)));
    assert_eq!(found["frequencies"][3]["category"], value!(["[30, 90]", "m"]));
    let of_table = release(&[&sqlite, "--table", "people"], &crossed);
    assert_eq!(of_table["frequencies"], found["frequencies"]);
    // Bins of a study are those of its first column.
    let study = path("study.toml");
    let columns = "[columns.age]\nbins = [0, 30, 90]\n[columns.sex]\ncategories = ['f', 'm']\n";
    fs::write(&study, columns).unwrap();
    let of_study = release(&[&csv, "--study", &study], &crossed[..2]);
    assert_eq!(of_study["frequencies"], found["frequencies"]);
    let who = [&TIERS[..2], &["--levels", "strict=1,public=inf"]].concat();
    for what in [
        &["--crosstab", "sex,age", "--bins", "0,30,90"][..],
        &["--crosstab", "age,sex", "--bins", "0,30,90", "--categories", "f,m", "--categories", "f"],
        &["--value", "age", "--bins", "0,30,90", "--categories", "f,m"],
    ] {
        let (code, message) = refused(&[&["frequency", &csv], &who[..], what].concat());
        assert!(code != 0 && message.contains("hint: "), "{what:?}: {message}");
    }
}
