//! Groups by several columns: the releases are those of one column that has their labels together.

use std::fs;

use rusqlite::Connection;
use serde_json::{Value, json as value};
use tempfile::TempDir;

use super::common::{json, refused, stdout, suum};

const TWO: [&str; 6] = ["--group-by", "site,a\\,b", "--groups", "n,s", "--groups", "f,m"];
const OTHER: [&str; 2] = ["--other-group", "rest"];
/// Groups of [`TWO`] and [`OTHER`] in one column, in the same order.
const ONE: [&str; 4] =
    ["--group-by", "both", "--groups", "n-f,n-m,n-rest,s-f,s-m,s-rest,rest-f,rest-m,rest-rest"];
const EPS: [&str; 2] = ["--epsilon", "eps"];
const TIERS: [&str; 4] = ["--privacy", "tier", "--levels", "strict=0.5,standard=1,public=inf"];
const VISITS: [&str; 4] = ["--value", "visits", "--bounds", "0,20"];
const SEED: [&str; 3] = ["--insecure-seed", "5", "--quiet"];

/// People of whom each has two rows; nobody is in `s-m`.
struct Data {
    folder: TempDir,
}

impl Data {
    fn new() -> Self {
        let data = Self { folder: tempfile::tempdir().unwrap() };
        let row = |at: usize| {
            let person = at / 2;
            let site = ["n", "s", "elsewhere"][person % 3];
            let sex = if site == "s" { "f" } else { ["f", "m", "x"][person / 3 % 3] };
            let [one, other] = [(site, "elsewhere"), (sex, "x")]
                .map(|(label, other)| if label == other { "rest" } else { label });
            let tier = ["strict", "standard", "public"][person % 5 % 3];
            let eps = ["0.5", "1", "2"][person % 4 % 3];
            let visits = at * 7919 % 19 % 12;
            format!("{visits},{tier},{eps},p{person},{site},{sex},{one}-{other}")
        };
        let rows: Vec<String> = (0..900).map(row).collect();
        let header = "visits,tier,eps,id,site,\"a,b\",both";
        fs::write(data.path("people.csv"), format!("{header}\n{}\n", rows.join("\n"))).unwrap();
        let mut database = Connection::open(data.path("people.sqlite")).unwrap();
        let table = "CREATE TABLE people (visits REAL, tier TEXT, eps REAL, id TEXT, site TEXT,
            \"a,b\" TEXT, both TEXT)";
        database.execute(table, []).unwrap();
        // Each row alone would be written to the disk before the next.
        let all = database.transaction().unwrap();
        for row in rows {
            let insert = "INSERT INTO people VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
            all.execute(insert, rusqlite::params_from_iter(row.split(','))).unwrap();
        }
        all.commit().unwrap();
        data
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).to_str().unwrap().to_owned()
    }
}

/// A release without its query and its groups' names, which are put beside it.
fn plain(mut release: Value) -> (Vec<Value>, Value) {
    let record = release.as_object_mut().unwrap();
    record.remove("query");
    record.remove("group_by");
    let groups = release["groups"].as_array_mut().unwrap().iter_mut();
    let names = groups.map(|group| group.as_object_mut().unwrap().remove("group").unwrap());
    (names.collect(), release)
}

#[test]
fn two_columns_are_as_one_with_both_labels() {
    let data = Data::new();
    let (csv, sqlite) = (data.path("people.csv"), data.path("people.sqlite"));
    let persons = [&TIERS[..], &["--person", "id"]].concat();
    let two = [&TWO[..], &OTHER].concat();
    let relations: [&[&str]; 3] = [&[], &["--neighbors", "add-remove"], &["--neighbors", "both"]];
    for who in [&TIERS[..], &EPS, &persons] {
        for (at, relation) in relations.into_iter().enumerate() {
            let range: &[&str] =
                if at > 0 && who.contains(&"eps") { &["--epsilon-range", "0.5,2"] } else { &[] };
            let asked = [&VISITS[..], range, relation, &SEED].concat();
            let release = |from: &[&str], who: &[&str], by: &[&str]| {
                plain(json(&[&["mean"], from, &asked, who, by].concat()))
            };
            let (names, expected) = release(&[&csv], who, &ONE);
            let (found_names, found) = release(&[&csv], who, &two);
            assert_eq!(found, expected, "{who:?} {relation:?}");
            assert_eq!(found_names.len(), 9);
            for (name, found) in names.iter().zip(&found_names) {
                let labels: Vec<&str> = name.as_str().unwrap().split('-').collect();
                assert_eq!(*found, value!(labels));
            }
            assert_eq!(release(&[&sqlite, "--table", "people"], who, &two).1, expected);
            let counted = [&["levels", &csv, "--quiet"], &VISITS[..], who, &two].concat();
            fs::write(data.path("levels.json"), stdout(&counted)).unwrap();
            let table = data.path("levels.json");
            let of_table = if who.contains(&"eps") { &[][..] } else { &TIERS[2..] };
            let from = ["--from-levels", table.as_str()];
            assert_eq!(release(&from, of_table, &two).1, expected, "{who:?} {relation:?}");
        }
    }
}

#[test]
fn every_form_of_an_answer_names_each_group() {
    let data = Data::new();
    let (csv, page) = (data.path("people.csv"), data.path("page.html"));
    let asked = [&["mean", &csv], &VISITS[..], &TIERS, &TWO, &OTHER, &SEED].concat();
    let release = json(&asked);
    assert_eq!(release["group_by"], value!(["site", "a,b"]));
    let nobody = release["groups"].as_array().unwrap().iter().find(|one| one["records"] == 0);
    assert_eq!(nobody.unwrap()["group"], value!(["s", "m"]));
    let query = &release["query"];
    assert_eq!(
        (&query["group_by"], &query["other_group"]),
        (&value!(["site", "a,b"]), &value!("rest"))
    );
    assert_eq!(query["groups"], value!([["n", "s"], ["f", "m"]]));
    let text = stdout(&[&asked[..], &["--report", &page]].concat());
    let page = fs::read_to_string(page).unwrap();
    for name in ["n, f", "s, m", "rest, rest"] {
        assert!(text.contains(name) && page.contains(name), "{name}: {text}");
    }
    assert!(text.contains("mean by site, a,b"), "{text}");
    // A file with this query asks for the same.
    let file = data.path("query.json");
    fs::write(&file, release.to_string()).unwrap();
    assert_eq!(json(&["run", &file, &csv, "--quiet"]), release);
    // Plans, too.
    let plan = json(&[&["plan", &csv], &VISITS[..], &TIERS, &TWO, &OTHER, &["--quiet"]].concat());
    assert_eq!(plan["groups"][0]["group"], value!(["n", "f"]));
    assert!(
        stdout(&[&["plan", &csv], &VISITS[..], &TIERS, &TWO, &OTHER].concat()).contains("n, f")
    );
    // The certificate of each is computed again, and names it.
    fs::write(data.path("release.json"), json(&asked).to_string()).unwrap();
    let verified = json(&["verify", &data.path("release.json")]);
    assert!(verified["agrees"] == true && verified.to_string().contains("n, f"), "{verified}");
}

#[test]
fn lists_that_do_not_fit_the_columns_are_refused() {
    let data = Data::new();
    let csv = data.path("people.csv");
    for (words, message) in [
        (&TWO[..4], "groups: there are lists of groups for 1 of 2 columns"),
        (&["--group-by", "site", "--groups", "n,s", "--groups", "f,m"], "for 2 of 1 columns"),
        (
            &["--group-by", "site,site", "--groups", "n,s", "--groups", "n,s"],
            "group-by: a column is there twice",
        ),
        (
            &["--group-by", "site,nowhere", "--groups", "n,s", "--groups", "n,s"],
            "column nowhere: there is no such column",
        ),
        (&TWO, "column site, row 5: the group is not declared"),
    ] {
        let (code, said) = refused(&[&["count", &csv], &EPS[..], words, &["--quiet"]].concat());
        assert!(code == 1 && said.contains(message) && said.contains("hint"), "{said}");
    }
}

#[test]
fn a_ledger_looks_at_every_column() {
    let data = Data::new();
    let (csv, ledger) = (data.path("people.csv"), data.path("ledger"));
    let init = ["ledger", "init", &ledger, "--dataset", "d", "--levels"];
    stdout(&[&init[..], &["strict=0.5,standard=1,public=inf"]].concat());
    let paid = ["--ledger", &ledger, "--spend", "10%", "--quiet"];
    let categories = ["--value", "a\\,b", "--categories", "f,m,x"];
    json(&[&["frequency", &csv], &categories[..], &TIERS[..2], &paid].concat());
    let by_two = [&["mean", &csv], &VISITS[..], &TIERS[..2], &TWO, &OTHER, &paid].concat();
    let (_, said) = refused(&by_two);
    assert!(said.contains("a,b"), "{said}");
    let free = [&by_two[..], &["--public-columns", "a\\,b"]].concat();
    assert_eq!(json(&free)["groups"].as_array().unwrap().len(), 9);
    let shown = stdout(&["ledger", "show", &ledger]);
    let shown = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(shown.contains("by site (n, s, rest) and a,b (f, m, rest)"), "{shown}");
}

#[test]
fn labels_can_stand_in_a_file() {
    let data = Data::new();
    let (csv, codes, sexes) = (data.path("people.csv"), data.path("codes"), data.path("sexes"));
    fs::write(&codes, "\u{feff}n\r\n\n  s \nelsewhere").unwrap();
    fs::write(&sexes, "f\nm\nx\n").unwrap();
    let (at_codes, at_sexes) = (format!("@{codes}"), format!("@{sexes}"));
    let shares = |labels: &str| {
        let asked = ["frequency", &csv, "--value", "site", "--categories", labels];
        json(&[&asked[..], &TIERS, &SEED].concat())
    };
    let found = shares(&at_codes);
    assert_eq!(found, shares("n,s,elsewhere"));
    // The query has the labels, so that it repeats the answer whatever becomes of the file.
    assert_eq!(found["query"]["categories"], value!(["n", "s", "elsewhere"]));
    let counts = |groups: [&str; 2]| {
        let by = ["--group-by", "site,a\\,b", "--groups", groups[0], "--groups", groups[1]];
        json(&[&["count", &csv], &EPS[..], &by, &SEED].concat())
    };
    let listed = counts(["n,s,elsewhere", "f,m,x"]);
    assert_eq!(counts([&at_codes, &at_sexes]), listed);
    assert_eq!(counts([&at_codes, "f,m,x"]), listed);
    // A label that begins with @ is no file.
    fs::write(data.path("at.csv"), "site,tier\n@x,strict\nb,public\n").unwrap();
    let at = |labels: &str| {
        let data = data.path("at.csv");
        let asked = ["frequency", &data, "--value", "site", "--categories", labels];
        suum(&[&asked[..], &TIERS, &SEED].concat()).output().unwrap().status.success()
    };
    assert!(at(r"\@x,b") && at("b,@x") && !at("@x,b"));
    fs::write(data.path("empty"), " \n").unwrap();
    fs::write(data.path("latin"), b"n\n\xFCber\n").unwrap();
    for (file, message) in [
        ("none", "cannot be read (entity not found)"),
        ("empty", "has no labels"),
        ("latin", "is not UTF-8"),
    ] {
        let labels = format!("@{}", data.path(file));
        let asked = ["frequency", &csv, "--value", "site", "--categories", &labels];
        let (_, said) = refused(&[&asked[..], &TIERS, &SEED].concat());
        assert!(said.contains("categories: ") && said.contains(message), "{said}");
    }
}
