//! Categories that nobody has declared (`--categories auto`).

use std::fmt::Write;
use std::fs;

use rusqlite::Connection;
use serde_json::Value;

use super::common::{LedgerFolder, json, refused, stdout, suum};

/// Labels of towns with their numbers of people: many in two of them, one in each of the others,
/// and one with an escape sequence.
const TOWNS: [(&str, usize); 6] = [
    ("Bern", 900),
    ("Aachen", 700),
    ("7", 600),
    ("hermitage", 1),
    ("secret place", 1),
    ("\u{1b}[31mred", 400),
];

/// A folder with people as CSV and as a table of SQLite.
fn people() -> (tempfile::TempDir, [Vec<String>; 2]) {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (csv, sqlite) = (path("people.csv"), path("people.sqlite"));
    let mut text = "id,town,tier\n".to_owned();
    let file = Connection::open(&sqlite).unwrap();
    file.execute_batch("BEGIN; CREATE TABLE people (id TEXT, town TEXT, tier TEXT);").unwrap();
    let all = TOWNS.iter().flat_map(|(town, many)| std::iter::repeat_n(*town, *many));
    for (at, town) in all.enumerate() {
        let (person, tier) = (format!("p{}", at / 2), ["strict", "open"][at / 2 % 2]);
        writeln!(text, "{person},{town},{tier}").unwrap();
        let row = [person.as_str(), town, tier];
        file.execute("INSERT INTO people VALUES (?, ?, ?)", row).unwrap();
    }
    file.execute_batch("COMMIT;").unwrap();
    fs::write(&csv, text).unwrap();
    (folder, [vec![csv], vec![sqlite, "--table".to_owned(), "people".to_owned()]])
}

const TIERS: [&str; 4] = ["--privacy", "tier", "--levels", "strict=0.5,open=1"];
const AUTO: [&str; 6] = ["--value", "town", "--categories", "auto", "--delta", "1e-8"];
const SEED: [&str; 2] = ["--insecure-seed", "3"];

fn build_command<'a>(command: &'a str, source: &'a [String], words: &[&'a str]) -> Vec<&'a str> {
    let source: Vec<&str> = source.iter().map(String::as_str).collect();
    [&[command], &source[..], &TIERS, &AUTO, words].concat()
}

fn names(release: &Value) -> Vec<&str> {
    let shares = release["frequencies"].as_array().unwrap();
    shares.iter().map(|one| one["category"].as_str().unwrap()).collect()
}

#[test]
fn common_categories_are_found_in_files_and_databases() {
    let (folder, sources) = people();
    for more in [&[][..], &["--person", "id"], &["--person", "id", "--per-person", "mode"]] {
        let words = [&SEED[..], more].concat();
        let releases = sources.each_ref().map(|source| {
            let mut release = json(&build_command("frequency", source, &words));
            release.as_object_mut().unwrap().remove("date");
            release
        });
        assert_eq!(releases[0], releases[1], "the same noise: {more:?}");
        assert_eq!(names(&releases[0]), ["7", "Aachen", "Bern"], "numbers come first");
        let deltas = releases[0]["privacy"].as_array().unwrap();
        let deltas: Vec<f64> = deltas.iter().map(|row| row["delta"].as_f64().unwrap()).collect();
        assert!(deltas[0] > 0.0 && deltas.iter().all(|delta| *delta < 1.001e-8), "{deltas:?}");
        let file = folder.path().join("release.json");
        fs::write(&file, releases[0].to_string()).unwrap();
        assert!(stdout(&["verify", file.to_str().unwrap()]).contains("It agrees"));
    }
}

/// Nothing but what is published is told of the labels that occur, in any form.
#[test]
fn categories_that_are_not_published_are_not_told() {
    let (folder, sources) = people();
    let page = folder.path().join("page.html").to_str().unwrap().to_owned();
    for source in &sources {
        for more in [
            &[][..],
            &["--explain"],
            &["--format", "json"],
            &["--format", "csv"],
            &["--format", "markdown"],
            &["--report", &page],
            &["--target", "dataset", "--simultaneous", "--post", "none"],
        ] {
            let output = suum(&build_command("frequency", source, more)).output().unwrap();
            let said = [output.stdout, output.stderr, fs::read(&page).unwrap_or_default()].concat();
            drop(fs::remove_file(&page));
            let said = String::from_utf8(said).unwrap();
            assert!(output.status.success() && said.contains("Aachen"), "{said}");
            for private in ["hermitage", "secret", "\u{1b}", "red"] {
                let told =
                    said.replace("squared", "").replace("shared", "").replace("measured", "");
                let is_told = match private {
                    "red" => told.contains("31mred"),
                    private => told.contains(private),
                };
                assert!(!is_told, "{private} {more:?}: {said}");
            }
        }
    }
    let text = stdout(&build_command("frequency", &sources[0], &SEED));
    for told in ["3 categories were found", "Others may exist", "all others", "δ = 1e-8"] {
        assert!(text.contains(told), "{told}: {text}");
    }
}

#[test]
fn missing_values_count_as_a_category_that_can_show() {
    let (folder, _) = people();
    let path = folder.path().join("gaps.csv").to_str().unwrap().to_owned();
    fs::write(&path, "town,tier\n".to_owned() + &",open\nBern,open\n".repeat(500)).unwrap();
    let source = [path];
    let words = [&SEED[..], &["--missing", "none"]].concat();
    assert_eq!(names(&json(&build_command("frequency", &source, &words))), ["Bern", "none"]);
    let (_, message) = refused(&build_command("frequency", &source, &SEED));
    assert!(message.contains("missing"), "{message}");
    // A column of one label has one category.
    fs::write(&source[0], "town,tier\n".to_owned() + &"Bern,open\n".repeat(500)).unwrap();
    let release = json(&build_command("frequency", &source, &SEED));
    assert_eq!(names(&release), ["Bern"]);
}

#[test]
fn plans_tell_how_many_records_a_category_needs() {
    let (_folder, [csv, _]) = people();
    let text = stdout(&build_command("plan", &csv, &["--statistic", "frequency"]));
    assert!(text.contains("shows in half of all releases"), "{text}");
    assert!(!text.contains("Bern"), "{text}");
    let assumed = ["plan", "--statistic", "frequency", "--profile", "0.5:1300,1:1300"];
    let plan = json(&[&assumed[..], &AUTO[2..]].concat());
    assert!(plan["found_categories"]["shown_by_half"].as_f64().unwrap() < 0.05, "{plan}");
    assert!(plan["categories"].is_null());
}

#[test]
fn accounts_of_epsilon_and_delta_pay_for_found_categories() {
    let (_folder, sources) = people();
    let ledger = LedgerFolder::new("people", &["--levels", "strict=1,open=2", "--delta", "1e-6"]);
    let persons = ["--persons", "--allow", "0.5", "--delta", "1e-6"];
    let of_persons = LedgerFolder::new("people", &persons);
    let (path, path_of_persons) = (ledger.ledger(), of_persons.ledger());
    for (source, path, more) in [
        (&sources[0], &path, &[][..]),
        (&sources[1], &path, &[]),
        (&sources[0], &path_of_persons, &["--person", "id"]),
    ] {
        let charged = ["--ledger", path, "--dataset", "people", "--spend", "10%"];
        let source: Vec<&str> = source.iter().map(String::as_str).collect();
        let tiers: &[&str] = if more.is_empty() { &TIERS[..2] } else { &TIERS };
        let command = [&["frequency"], &source[..], tiers, &charged, more].concat();
        let auto = |delta: &'static str| {
            let words = ["--value", "town", "--categories", "auto", "--delta", delta];
            [&command[..], &words].concat()
        };
        stdout(&auto("4e-8"));
        // A tenth of δ is for all of them; what is more is refused before data are read.
        let (_, message) = refused(&auto("2e-7"));
        assert!(message.contains("of δ = 1e-7 for releases"), "{message}");
        stdout(
            &[&command[..], &["--value", "town", "--categories", "Bern", "--other", "no"]].concat(),
        );
    }
    let shown = json(&["ledger", "show", &path]);
    let of_categories = serde_json::json!({"most": 1e-7, "spent": 8e-8});
    assert_eq!(shown[0]["delta_of_categories"], of_categories, "{shown}");
    assert!(stdout(&["ledger", "show", &path]).contains("8e-8 is spent"));
    let dossier = stdout(&["ledger", "dossier", &path]);
    assert!(dossier.contains("8e-8 was used by results"), "{dossier}");
    for (path, whom, told) in
        [(&path, ["--tier", "open"], "8e-8"), (&path_of_persons, ["--id", "p3"], "4e-8")]
    {
        let statement = stdout(&[&["ledger", "statement", path][..], &whom].concat());
        let statement = statement.split_whitespace().collect::<Vec<_>>().join(" ");
        let words = format!("With a probability of at most {told} they showed one");
        assert!(statement.contains(&words), "{statement}");
        assert_eq!(json(&["ledger", "verify", path])["sound"], true);
    }
}

#[test]
fn what_is_for_declared_categories_is_refused() {
    let (folder, [csv, _]) = people();
    let ledger = LedgerFolder::new("people", &["--levels", "strict=1,open=2"]);
    let path = ledger.ledger();
    let charged = ["--ledger", &path, "--dataset", "people", "--spend", "10%"];
    for (more, told) in [
        (&["--neighbors", "add-remove"][..], "categories: they are found only"),
        (&["--neighbors", "both"], "categories: they are found only"),
        (&["--missing", "exclude"], "categories: they are found only"),
        (&["--group-by", "tier", "--groups", "auto"], "group-by: "),
        (&["--other", "rest"], "other: "),
        (&["--strata", "tier", "--classes", "strict,open"], "strata: "),
        (&["--weight", "tier"], "weight: "),
        (&["--bins", "0,1,2"], "bins: "),
        (&["--estimator", "uniform"], "estimator: "),
        (&["--tiers-differ", "5pp"], "tiers-differ: "),
        (&charged[..], "dataset people: its accounts have no δ"),
    ] {
        let (_, message) = refused(&build_command("frequency", &csv, more));
        assert!(message.contains(told) && message.contains("hint: "), "{told}: {message}");
    }
    // Nothing was charged.
    assert!(!stdout(&["ledger", "show", &path]).contains("frequency"));
    let of = |words: &[&'static str]| -> Vec<String> {
        let all = [&["frequency", &csv[0]][..], &TIERS, words].concat();
        all.into_iter().map(str::to_owned).collect()
    };
    for (words, told) in [
        (of(&["--value", "town", "--categories", "auto"]), "delta: it is not said"),
        (of(&["--value", "town", "--categories", "a,b", "--delta", "1e-8"]), "delta: is for"),
        (of(&["--value", "town", "--categories", "auto", "--delta", "0.1"]), "delta: expected"),
        (of(&["--value", "town", "--categories", "auto", "--delta", "1e-31"]), "delta: must be"),
        (
            of(&["--crosstab", "town,tier", "--categories", "auto", "--categories", "a,b"]),
            "crosstab: ",
        ),
    ] {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let (_, message) = refused(&words);
        assert!(message.contains(told) && message.contains("hint: "), "{told}: {message}");
    }
    for command in ["levels", "levels-sql"] {
        let words = [&[command][..], &TIERS, &AUTO[..4]].concat();
        let source: &[&str] = match command {
            "levels" => &[&csv[0]],
            _ => &["--table", "people", "--dialect", "sqlite"],
        };
        let (_, message) = refused(&[&words[..], source].concat());
        assert!(message.contains("categories: they are found by a release"), "{message}");
    }
    let levels = folder.path().join("levels.json").to_str().unwrap().to_owned();
    let declared = ["--value", "town", "--categories", "Bern,Aachen", "--other", "rest"];
    fs::write(&levels, stdout(&[&["levels", &csv[0]][..], &TIERS, &declared].concat())).unwrap();
    let from = [&["frequency", "--from-levels", &levels][..], &AUTO[2..]].concat();
    assert!(refused(&from).1.contains("from-levels: a level table has declared categories"));
    let words = build_command("frequency", &[], &SEED);
    let stdin = suum(&[&words[..1], &["-"], &words[1..]].concat()).write_stdin("").output();
    let message = String::from_utf8(stdin.unwrap().stderr).unwrap();
    assert!(message.contains("can be read only once"), "{message}");
    let query = folder.path().join("query.toml");
    let each = "[[answers]]\nstatistic = \"frequency\"\nvalue = \"town\"\ncategories = \"auto\"\n\
                delta = 1e-8\n";
    let head = format!("data = {:?}\nprivacy = \"tier\"\nlevels = {{ open = 1 }}\n", csv[0]);
    fs::write(&query, head + each + each).unwrap();
    let (_, message) = refused(&["run", query.to_str().unwrap()]);
    assert!(message.contains("found by a release of its own"), "{message}");
}
