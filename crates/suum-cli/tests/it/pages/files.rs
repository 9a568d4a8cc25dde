//! `--report FILE`: what is written, and what is refused before anything is read or charged.

use std::fs;
use std::path::Path;

use assert_cmd::Command;

use super::cases::{RANDHIE, TIERS};
use super::dom::Document;

fn suum(words: &[&str]) -> Command {
    let mut command = Command::cargo_bin("suum").unwrap();
    command.args(words);
    command
}

fn mean(more: &[&str]) -> Command {
    suum(&[&["mean", RANDHIE, "--value", "visits", "--bounds", "0,77"], &TIERS[..], more].concat())
}

fn names(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    names.map(|name| name.to_str().unwrap().to_owned()).collect()
}

#[test]
fn a_page_is_written_beside_the_answer() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("release.html");
    let run = mean(&["--report", path.to_str().unwrap(), "--format", "json"]).output().unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let document = Document::read(&fs::read_to_string(&path).unwrap());
    // The same release, not another one.
    assert_eq!(document.by_id("json").unwrap().text(), String::from_utf8(run.stdout).unwrap());
    assert_eq!(names(folder.path()), ["release.html"]);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let other = folder.path().join("other");
        fs::write(&other, "").unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(&path), mode(&other), "as readable as any new file");
    }
}

#[test]
fn a_name_without_a_folder_is_one_in_this_folder() {
    let folder = tempfile::tempdir().unwrap();
    mean(&["--report", "page.html"]).current_dir(folder.path()).assert().success();
    assert_eq!(names(folder.path()), ["page.html"]);
}

/// The data are not there: what is refused first was looked at first.
#[test]
fn a_page_that_cannot_be_written_is_refused_before_data_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let there = folder.path().join("there.html");
    fs::write(&there, "kept").unwrap();
    let nowhere = folder.path().join("no/such/folder/page.html");
    for (path, what) in [
        (there.to_str().unwrap(), "is not replaced"),
        (folder.path().to_str().unwrap(), "names no file, but a folder"),
        (nowhere.to_str().unwrap(), "cannot be written"),
        ("/", "names no file, but a folder"),
        ("", "names no file"),
    ] {
        let words =
            ["mean", "no-such-data.csv", "--value", "visits", "--bounds", "0,77", "--report", path];
        let run = suum(&[&words[..], &TIERS].concat()).output().unwrap();
        let said = String::from_utf8(run.stderr).unwrap();
        assert_eq!((run.status.code(), run.stdout.len()), (Some(1), 0), "{path}");
        assert!(said.starts_with("error: report: ") && said.contains(what), "{path}: {said}");
        assert!(said.contains("hint: "), "{said}");
    }
    assert_eq!(fs::read_to_string(&there).unwrap(), "kept");
    assert_eq!(names(folder.path()), ["there.html"]);
}

#[test]
fn a_page_that_cannot_be_written_costs_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let ledger = folder.path().join("a.ledger");
    let ledger = ledger.to_str().unwrap();
    let levels = "strict=0.1,standard=1,relaxed=10,public=inf";
    suum(&["ledger", "init", ledger, "--dataset", "visits", "--levels", levels]).assert().success();
    let words = [
        "mean",
        RANDHIE,
        "--value",
        "visits",
        "--bounds",
        "0,77",
        "--privacy",
        "privacy",
        "--ledger",
        ledger,
        "--spend",
        "10%",
    ];
    suum(&[&words[..], &["--report", "/no/such/folder/page.html"]].concat()).assert().code(1);
    let export =
        || String::from_utf8(suum(&["ledger", "export", ledger]).output().unwrap().stdout).unwrap();
    let before = export();
    assert!(!before.contains("reserve"), "{before}");
    suum(&words).assert().success();
    assert!(export().contains("reserve"), "the test can tell");
}

/// A refusal leaves neither a page nor a piece of one.
#[test]
fn what_is_refused_has_no_page() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("page.html");
    mean(&["--report", path.to_str().unwrap(), "--missing", "no number"]).assert().code(2);
    mean(&["--report", path.to_str().unwrap(), "--group-by", "nothing", "--groups", "a"])
        .assert()
        .code(1);
    assert!(names(folder.path()).is_empty());
}
