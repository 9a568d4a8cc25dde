//! The records that the commands are about, in every source.

use std::fs;

use rusqlite::Connection;
use suum::JobInputs;
use suum_cli::{answer, parse};
use tempfile::TempDir;

const HEADER: &str = "visits,wage,health,tier,eps,id,site,member";
const TIERS: [&str; 4] = ["strict", "standard", "relaxed", "public"];
const BUDGETS: [&str; 5] = ["0.05", "0.2", "1", "0", "inf"];
const HEALTH: [&str; 4] = ["good", "fair", "excellent", "poor"];

/// One row: small integers with a long tail, decimals, labels, tiers and budgets.
///
/// `id` has three rows, in one site; tiers differ between the rows of a person.
fn row(at: usize) -> [String; 8] {
    // A generator whose numbers nobody needs to trust, but everybody can compute.
    let draw = |salt: usize| (at * 7919 + salt * 104_729 + at * at * 31) % 1009;
    let visits = match draw(1) {
        0..400 => 0,
        400..950 => draw(2) % 7,
        _ => draw(3) % 60,
    };
    let person = at / 3;
    [
        visits.to_string(),
        format!("{}.{:02}", 5 + draw(4) % 20, draw(5) % 100),
        HEALTH[(draw(6) % 100) * (draw(7) % 100) / 2500].to_owned(),
        TIERS[[0, 0, 0, 1, 1, 1, 1, 2, 2, 3][draw(8) % 10]].to_owned(),
        BUDGETS[draw(9) % 5].to_owned(),
        format!("p{person}"),
        ["north", "south"][person % 2].to_owned(),
        TIERS[person % 4].to_owned(),
    ]
}

/// Copies of one set of 420 records, as CSV and in SQLite, and level tables of them.
pub(crate) struct Data {
    folder: TempDir,
}

impl Data {
    pub(crate) fn new() -> Self {
        let data = Self { folder: tempfile::tempdir().unwrap() };
        let rows: Vec<[String; 8]> = (0..420).map(row).collect();
        let lines: Vec<String> = rows.iter().map(|row| row.join(",")).collect();
        fs::write(data.path("people.csv"), format!("{HEADER}\n{}\n", lines.join("\n"))).unwrap();
        let mut file = Connection::open(data.path("people.sqlite")).unwrap();
        file.execute_batch(
            "CREATE TABLE people (visits INTEGER, wage REAL, health TEXT, tier TEXT, eps REAL, \
             id TEXT, site TEXT, member TEXT)",
        )
        .unwrap();
        let all = file.transaction().unwrap();
        for row in &rows {
            let mut row = row.clone();
            // SQLite reads no infinity from a text.
            row[4] = row[4].replace("inf", "9e999");
            all.execute(
                "INSERT INTO people VALUES (?1, ?2, ?3, ?4, CAST(?5 AS REAL), ?6, ?7, ?8)",
                rusqlite::params_from_iter(row),
            )
            .unwrap();
        }
        all.commit().unwrap();
        for (name, question) in super::commands::LEVEL_TABLES {
            let words = data.words(&format!("levels CSV {question}"));
            let asked = parse(words.iter().map(String::as_str)).unwrap();
            let table = answer(asked, JobInputs::default()).unwrap();
            fs::write(data.path(&format!("{name}.json")), table.text()).unwrap();
        }
        data
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).to_str().unwrap().to_owned()
    }

    /// The words of a command, of which some stand for others.
    pub(crate) fn words(&self, command: &str) -> Vec<String> {
        let mut words = Vec::new();
        let tiers = "strict=0.05,standard=0.2,relaxed=1,public=inf";
        for word in command.split(' ') {
            match word {
                "CSV" => words.push(self.path("people.csv")),
                "SQLITE" => {
                    words.extend([self.path("people.sqlite"), "--table".into(), "people".into()]);
                }
                "TIERS" => {
                    words.extend(["--privacy", "tier", "--levels", tiers].map(str::to_owned))
                }
                "MEMBERS" => {
                    words.extend(["--privacy", "member", "--levels", tiers].map(str::to_owned));
                }
                "EPS" => words.extend(["--epsilon", "eps"].map(str::to_owned)),
                _ => match word.strip_prefix("LEVELS:") {
                    Some(name) => {
                        words.extend(["--from-levels".into(), self.path(&format!("{name}.json"))]);
                    }
                    None => words.push(word.to_owned()),
                },
            }
        }
        words.push("--quiet".to_owned());
        let seeded = ["mean", "sum", "count", "frequency", "quantile", "variance", "summary"];
        if seeded.contains(&words[0].as_str()) {
            words.extend(["--insecure-seed".to_owned(), u64::MAX.to_string()]);
        }
        words
    }

    /// Output with `FOLDER` in place of the folder of the records.
    pub(super) fn without_paths(&self, said: &str) -> String {
        said.replace(self.folder.path().to_str().unwrap(), "FOLDER")
    }
}
