//! Names of sources that are accepted and refused.

use std::fs;
use std::path::Path;

use suum_core::ErrorKind;
use suum_data::{Scan, Source};

use crate::common::{budgets, scan_path};

fn profile(path: &Path) -> String {
    let table = scan_path(path, &Scan::new(budgets("e"), None)).unwrap();
    table.profile().unwrap().to_string()
}

#[test]
fn folders_skip_hidden_and_other_files() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("a.csv"), "e\n1\n").unwrap();
    fs::write(at("b.CSV"), "e\n").unwrap();
    for other in ["_c.csv", ".d.csv", "_SUCCESS", "notes.txt", "e.csv.crc"] {
        fs::write(at(other), "nothing of use").unwrap();
    }
    for hidden in [".git", "_temporary"] {
        fs::create_dir(at(hidden)).unwrap();
        fs::write(at(hidden).join("f.csv"), "e\n2\n").unwrap();
    }
    assert_eq!(profile(folder.path()), "1:1");
}

#[test]
fn refuses_folder_with_subfolders() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("a.csv"), "e\n1\n").unwrap();
    fs::create_dir(at("nested")).unwrap();
    fs::write(at("nested").join("f.csv"), "e\n2\n").unwrap();
    let named = folder.path().to_str().unwrap();
    for named in [named.to_owned(), format!("{named}/")] {
        let refused = Source::parse(&named).unwrap_err();
        assert!(refused.to_string().contains("nested: is a folder"), "{refused}");
        let hint = refused.fix().unwrap().to_string();
        assert!(hint.contains(&format!("'{}'", at("**/*.csv").display())), "{hint}");
        assert!(hint.contains(&format!("'{}'", at("*.csv").display())), "{hint}");
    }
    // The ways out that the hint shows.
    assert_eq!(profile(&at("**/*.csv")), "1:1,2:1");
    assert_eq!(profile(&at("*.csv")), "1:1");
}

#[test]
#[cfg(unix)]
fn refuses_file_named_twice() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("a.csv"), "e\n1\n").unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(at("a.csv"), elsewhere.path().join("one.csv")).unwrap();
    assert_eq!(profile(elsewhere.path()), "1:1", "a link to a file elsewhere is that file");
    for (link, is_hard) in [("b.csv", false), ("c.csv", true)] {
        let made = match is_hard {
            true => fs::hard_link(at("a.csv"), at(link)),
            false => std::os::unix::fs::symlink(at("a.csv"), at(link)),
        };
        made.unwrap();
        for named in [folder.path().to_owned(), at("*.csv"), at("[abc].csv")] {
            let refused = Source::parse(named.to_str().unwrap()).unwrap_err();
            assert_eq!(refused.kind(), ErrorKind::Io);
            let both = format!("{} and {}", at("a.csv").display(), at(link).display());
            assert!(refused.to_string().starts_with(&both), "{refused}");
            assert!(refused.fix().is_some());
        }
        assert_eq!(profile(&at(link)), "1:1", "named alone it is read");
        fs::remove_file(at(link)).unwrap();
    }
    // Files of equal content are two files.
    fs::copy(at("a.csv"), at("d.csv")).unwrap();
    assert_eq!(profile(folder.path()), "1:2");
}

#[test]
fn names_are_taken_as_they_are_before_they_are_globs() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a[1]*.csv");
    fs::write(&path, "e\n1\n").unwrap();
    assert_eq!(profile(&path), "1:1");
}

#[test]
fn unknown_endings_are_told_apart_by_their_first_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("data.dat");
    fs::write(&path, "e\n1\n").unwrap();
    assert_eq!(profile(&path), "1:1");
    fs::write(&path, "PAR1").unwrap();
    let refused = scan_path(&path, &Scan::new(budgets("e"), None)).unwrap_err();
    assert!(refused.to_string().ends_with("data.dat: not a readable Parquet file"), "{refused}");
}

#[test]
fn refusals_name_the_path() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::create_dir(at("empty")).unwrap();
    fs::create_dir_all(at("nests/x.csv")).unwrap();
    fs::write(at("x.csv.bz2"), "").unwrap();
    for (name, named, what) in [
        ("none.csv", "none.csv", "there is no such file"),
        ("empty", "empty", "no .csv, .csv.gz, .csv.zst or .parquet files"),
        ("none*.csv", "none*.csv", "no file matches"),
        ("nests", "nests/x.csv", "is a folder"),
        ("nests/*", "x.csv", "is a folder"),
        ("x.csv.bz2", "x.csv.bz2", "is compressed"),
    ] {
        let refused = Source::parse(&at(name)).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::Io, "{name}");
        assert!(
            refused.to_string().contains(named) && refused.to_string().contains(what),
            "{refused}"
        );
        assert!(refused.fix().is_some(), "{name}");
    }
    assert_eq!(Source::parse(&at("a[.csv")).unwrap_err().kind(), ErrorKind::Parameter);
    assert!(Source::parse("").is_err());
}

#[test]
fn a_file_that_vanishes_before_the_scan_is_named() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["x.csv", "x.parquet"] {
        let path = folder.path().join(name);
        fs::write(&path, "e\n1\n").unwrap();
        let source = Source::parse(path.to_str().unwrap()).unwrap();
        assert_eq!(source.total_bytes(), Some(4));
        fs::remove_file(&path).unwrap();
        let scan = Scan::new(budgets("e"), None);
        let refused = suum_data::scan(&source, &scan, &Default::default()).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::Io);
        assert!(refused.to_string().contains(name), "{refused}");
    }
}
