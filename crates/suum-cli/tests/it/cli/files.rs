//! Decimal marks of files, and several files read as one.

use std::fs;

use serde_json::Value;
use tempfile::TempDir;

use super::common::{json, refused, release, stdout, suum};

/// The path of a file of these bytes.
fn file(folder: &TempDir, name: &str, text: impl AsRef<[u8]>) -> String {
    let path = folder.path().join(name).to_str().unwrap().to_owned();
    fs::write(&path, text).unwrap();
    path
}

/// Values, budgets, weights and keys of some people, with a point or a comma before decimals.
fn people(decimal: &str, delimiter: &str, rows: std::ops::Range<usize>) -> String {
    let row = |row: usize| {
        let budget = ["0.5", "2", "inf"][row % 3];
        let weight = ["1", "2.50"][row % 2];
        let cells = [&format!("{}.25", row % 7), budget, weight, &format!("p{row}")];
        cells.map(|cell| cell.replace('.', decimal)).join(delimiter) + "\n"
    };
    let header = ["x", "e", "w", "id"].join(delimiter) + "\n";
    header + &rows.map(row).collect::<String>()
}

const MEAN: [&str; 6] = ["--value", "x", "--bounds", "0,8", "--insecure-seed", "3"];
const COMMAS: [&str; 4] = ["--delimiter", ";", "--decimal", ","];

#[test]
fn decimal_commas_give_the_release_of_points() {
    let folder = tempfile::tempdir().unwrap();
    let points = file(&folder, "points.csv", people(".", ",", 0..90));
    let commas = file(&folder, "commas.csv", people(",", ";", 0..90));
    let budgets = ["--epsilon", "e"];
    for (command, more) in [
        ("mean", &[][..]),
        ("mean", &["--weight", "w", "--classes", "1,2.5"]),
        ("mean", &["--where", "w > 1.5 and x < 6.5", "--public-columns", "w,x"]),
        ("mean", &["--person", "id"]),
        ("quantile", &["--step", "0.25"]),
    ] {
        let rest = [&MEAN[..], &budgets, more].concat();
        let found = release(&[&[command, &commas][..], &rest, &COMMAS].concat());
        assert_eq!(found, release(&[&[command, &points][..], &rest].concat()), "{more:?}");
    }
    let shares = ["--value", "x", "--bins", "0,2.5,8", "--epsilon", "e", "--insecure-seed", "3"];
    let found = release(&[&["frequency", &commas][..], &shares, &COMMAS].concat());
    assert_eq!(found, release(&[&["frequency", &points][..], &shares].concat()));
    let counted = |file: &str, form: &[&str]| {
        stdout(&[&["levels", file, "--quiet"][..], &MEAN[..4], &budgets, form].concat())
    };
    assert_eq!(counted(&commas, &COMMAS), counted(&points, &[]));
}

#[test]
fn a_consent_file_is_written_as_the_data_are() {
    let folder = tempfile::tempdir().unwrap();
    let [data, choices] = ["x;id\n1,5;a\n2,5;b\n", "id;e\na;0,5\nb;2\n"];
    let data = file(&folder, "data.csv", data);
    let consent = file(&folder, "consent.csv", choices);
    let beside = file(&folder, "beside.csv", "x,e\n1.5,0.5\n2.5,2\n");
    let apart = ["--epsilon", "e", "--consent", &consent, "--key", "id"];
    assert_eq!(
        release(&[&["mean", &data][..], &MEAN, &apart, &COMMAS].concat()),
        release(&[&["mean", &beside][..], &MEAN, &["--epsilon", "e"]].concat())
    );
}

#[test]
fn a_decimal_mark_is_said_where_there_is_none_of_that_form() {
    let folder = tempfile::tempdir().unwrap();
    let commas = file(&folder, "commas.csv", people(",", ";", 0..9));
    let rest = [&MEAN[..], &["--epsilon", "e"]].concat();
    let of = |more: &[&str]| refused(&[&["mean", &commas][..], &rest, more].concat());
    for (more, problem, hint) in [
        (&["--decimal", ","][..], "decimal: commas separate", "usually have --delimiter ';'"),
        (&["--decimal", ",", "--delimiter", ","], "decimal: commas separate", "--delimiter ';'"),
        (&["--decimal", "'"], "decimal: this does not stand", "choose . or ,"),
        (&["--delimiter", ";"], "column e, row 1: not a privacy budget", "say --decimal ,"),
        (&[], "no such column", "--decimal , too"),
    ] {
        let (code, said) = of(more);
        assert!(code == 1 && said.contains(problem) && said.contains(hint), "{more:?}: {said}");
    }
    let text = people(",", ";", 0..9).replace("0,5;", "1;");
    let values = file(&folder, "values.csv", text);
    let (code, said) = refused(&[&["mean", &values][..], &rest, &["--delimiter", ";"]].concat());
    let problem = "column x, row 1: not a number";
    assert!(code == 1 && said.contains(problem) && said.contains("say --decimal ,"), "{said}");
    // A database has no such form.
    let database = folder.path().join("people.sqlite");
    rusqlite::Connection::open(&database).unwrap().execute_batch("CREATE TABLE t (x, e)").unwrap();
    let table = ["--table", "t", "--decimal", "."];
    let database = database.to_str().unwrap();
    let (code, said) = refused(&[&["mean", database][..], &rest, &table].concat());
    assert!(code == 1 && said.contains("decimal: it is said of CSV files"), "{said}");
}

#[test]
fn bounds_with_points_between_thousands_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let data = file(&folder, "people.csv", people(".", ",", 0..9));
    for (command, options, hint) in [
        ("mean", ["--bounds", "0,200.000"], "did you mean 200000 or 200? Write 200000, or 200.0"),
        ("mean", ["--bounds", "1.234.567,2000000"], "did you mean 1234567?"),
        ("mean", ["--bounds=-1.000,8", "--adapt"], "did you mean -1000 or -1?"),
        ("frequency", ["--bins", "0,1.000,2000"], "did you mean 1000 or 1?"),
    ] {
        let arguments = [&[command, &data, "--value", "x", "--epsilon", "e"][..], &options];
        let (code, said) = refused(&arguments.concat());
        assert!(code == 1 && said.contains(hint), "{options:?}: {said}");
    }
    // What is no text is what it is, and so are other decimals.
    let toml = "statistic = 'mean'\nvalue = 'x'\nbounds = [0, 200.000]\nepsilon = 'e'\n";
    let toml = file(&folder, "mean.toml", toml);
    assert_eq!(json(&["run", &toml, &data])["bounds"], serde_json::json!([0.0, 200.0]));
    let bounds = ["--value", "x", "--bounds", "0.125,12.345", "--epsilon", "e"];
    let found = json(&[&["mean", &data][..], &bounds].concat());
    assert_eq!(found["bounds"], serde_json::json!([0.125, 12.345]));
}

#[test]
fn several_files_are_read_as_one() {
    let folder = tempfile::tempdir().unwrap();
    let whole = file(&folder, "whole.csv", people(".", ",", 0..90));
    let [first, second, third] = [0..20, 20..50, 50..90]
        .map(|rows| file(&folder, &format!("part-{}.csv", rows.start), people(".", ",", rows)));
    let rest = [&MEAN[..], &["--epsilon", "e"]].concat();
    let of = |data: &[&str]| release(&[&["mean"][..], data, &rest].concat());
    let expected = of(&[&whole]);
    assert_eq!(of(&[&first, &second, &third]), expected);
    assert_eq!(of(&[&third, &first, &second]), expected);
    // Also behind options, and with a glob among them.
    let glob = folder.path().join("part-[25]*.csv").to_str().unwrap().to_owned();
    assert_eq!(release(&[&["mean"][..], &rest, &[&first, &glob]].concat()), expected);
    // From a file, beside one, and from the JSON of a release.
    let options = "statistic = 'mean'\nvalue = 'x'\nbounds = [0, 8]\nepsilon = 'e'\n\
                   insecure_seed = 3\n";
    let listed = format!("data = ['{first}', '{second}', '{third}']\n{options}");
    let listed = file(&folder, "listed.toml", listed);
    assert_eq!(release(&["run", &listed]), expected);
    let bare = file(&folder, "bare.toml", options);
    assert_eq!(release(&["run", &bare, &first, &second, &third]), expected);
    let again = file(&folder, "release.json", json(&["run", &listed]).to_string());
    assert_eq!(release(&["run", &again, &first, &second, &third]), expected);
    // Plans and level tables.
    let planned = |data: &[&str]| {
        json(&[&["plan"][..], data, &["--epsilon", "e", "--bounds", "0,8"]].concat())
    };
    assert_eq!(planned(&[&first, &second, &third]), planned(&[&whole]));
    assert_eq!(json(&["plan", &bare, &first, &second, &third]), json(&["plan", &bare, &whole]));
    let counted = |data: &[&str]| {
        stdout(&[&["levels", "--quiet"][..], data, &MEAN[..4], &["--epsilon", "e"]].concat())
    };
    assert_eq!(counted(&[&first, &second, &third]), counted(&[&whole]));
}

#[test]
fn files_that_cannot_be_read_as_one_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let first = file(&folder, "a.csv", people(".", ",", 0..9));
    let other = file(&folder, "b.csv", "y,e\n1,1\n");
    let indirect = format!("{}/../{}/a.csv", folder.path().display(), {
        folder.path().file_name().unwrap().to_str().unwrap()
    });
    let rest = [&MEAN[..], &["--epsilon", "e"]].concat();
    for (data, more, problem) in [
        (&[first.as_str(), &first][..], &[][..], "are one file, whose records would count twice"),
        (&[&first, &indirect], &[], "are one file, whose records would count twice"),
        (&[&first, &other], &[], "b.csv: column x: there is no such column"),
        (&[&first, "-"], &[], "data: standard input stands beside no files"),
        (&["-", "-"], &[], "data: standard input stands beside no files"),
        (&[&first, "no.csv"], &[], "no.csv: there is no such file"),
        (&[&first, "sqlite:x"], &[], "sqlite:x: no database stands beside others"),
        (&[&first, "postgresql://u:SECRET@h/d"], &[], "the database: no database stands beside"),
        (&[&first, &other], &["--table", "t"], "table: tables and queries are those of a database"),
    ] {
        let (code, said) = refused(&[&["mean"][..], data, &rest, more].concat());
        assert!(code == 1 && said.contains(problem), "{data:?}: {said}");
        assert!(said.contains("\nhint: ") && !said.contains("SECRET"), "{said}");
    }
    let empty = "statistic = 'count'\nepsilon = 'e'\ndata = []\n";
    let (_, said) = refused(&["run", &file(&folder, "empty.toml", empty)]);
    assert!(said.contains("data: the list names no file"), "{said}");
}

/// A column of which the cells are only in the names of folders.
#[test]
fn a_column_in_the_path_alone_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let files = [2020, 2021].map(|year| {
        let below = folder.path().join(format!("year={year}"));
        fs::create_dir(&below).unwrap();
        let path = below.join("part.csv").to_str().unwrap().to_owned();
        fs::write(&path, people(".", ",", 0..9)).unwrap();
        path
    });
    let by_year = ["--epsilon", "e", "--group-by", "year", "--groups", "2020,2021"];
    let data = [files[0].as_str(), &files[1]];
    let (code, said) = refused(&[&["mean"][..], &data, &MEAN, &by_year].concat());
    assert!(code == 1 && said.contains("it is in the name of a folder"), "{said}");
}

/// The files that were read decide nothing about an edition.
#[test]
fn an_edition_of_several_files_is_shown_again() {
    let folder = tempfile::tempdir().unwrap();
    let ledger = folder.path().join("ledger").to_str().unwrap().to_owned();
    stdout(&["ledger", "init", &ledger, "--dataset", "d", "--persons", "--allow", "own"]);
    let parts = [0..40, 40..90]
        .map(|rows| file(&folder, &format!("part-{}.csv", rows.start), people(".", ",", rows)));
    let charge = ["--ledger", &ledger, "--spend", "10%", "--edition", "one", "--person", "id"];
    let rest = [&MEAN[..4], &["--epsilon", "e"], &charge].concat();
    let of = |data: &[&str]| json(&[&["mean"][..], data, &rest].concat());
    let parts = [parts[0].as_str(), &parts[1]];
    let made = of(&parts);
    assert_eq!(of(&parts)["estimate"], made["estimate"]);
    assert_eq!(of(&parts[..1])["estimate"], made["estimate"]);
    let entries = stdout(&["ledger", "export", &ledger]);
    let reserved: Value = serde_json::from_str(entries.lines().nth(2).unwrap()).unwrap();
    assert_eq!(reserved["document"]["job"]["data"], serde_json::json!(parts));
    let shown = suum(&["ledger", "show", &ledger]).output().unwrap();
    assert!(String::from_utf8(shown.stdout).unwrap().contains("mean DATA"));
}
