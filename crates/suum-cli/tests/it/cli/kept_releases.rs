//! Releases that a ledger holds, from the command line.

use std::fs;

use serde_json::Value;
use tempfile::TempDir;

use super::common::{RANDHIE, stdout, suum};

const LEVELS: &str = "strict=2,standard=2,relaxed=2,public=inf";

/// A folder with a ledger of the tiers of the example data.
fn ledger() -> (TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ledger").to_str().unwrap().to_owned();
    stdout(&["ledger", "init", &path, "--dataset", "visits", "--levels", LEVELS]);
    (folder, path)
}

/// The exit code of a search, what is printed, and what is said on standard error.
fn search(ledger: &str, release: &str, more: &[&str]) -> (i32, String, String) {
    let arguments = [&["ledger", "verify", ledger, "--release", release][..], more].concat();
    let output = suum(&arguments).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

/// The number of the entry that holds a release.
fn entry(ledger: &str, release: &str) -> Option<u64> {
    let (code, found, _) = search(ledger, release, &["--format", "json"]);
    let found: Value = serde_json::from_str(&found).unwrap();
    assert_eq!(code == 0, !found["release"].is_null());
    found["release"]["entry"].as_u64()
}

/// The JSON with another digit where the first estimate or share begins.
fn altered(json: &str) -> String {
    let field = ["\"estimate\": ", "\"share\": "].into_iter().find(|field| json.contains(field));
    let field = field.unwrap();
    let number = json.find(field).unwrap() + field.len();
    let first = number + json[number..].find(|c: char| c.is_ascii_digit()).unwrap();
    let other = if json.as_bytes()[first] == b'1' { '2' } else { '1' };
    format!("{}{other}{}", &json[..first], &json[first + 1..])
}

#[test]
fn every_release_is_found_in_its_ledger() {
    let (folder, ledger) = ledger();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let survey = format!(
        "data = '{RANDHIE}'\nprivacy = 'privacy'\nledger = '{ledger}'\nspend = '5%'\n\
         public_columns = 'health'\n\
         [[answers]]\nstatistic = 'mean'\nvalue = 'visits'\nbounds = [0, 77]\n\
         [[answers]]\nstatistic = 'frequency'\nvalue = 'health'\n\
         categories = ['excellent', 'good', 'fair', 'poor']\n"
    );
    fs::write(at("survey.toml"), survey).unwrap();
    let survey = at("survey.toml");
    let public = ["--public-columns", "health"];
    let charge = ["--privacy", "privacy", "--ledger", &ledger, "--spend", "5%"];
    let charge = [&charge[..], &public].concat();
    let visits = ["--value", "visits", "--bounds", "0,77"];
    let shares = ["--value", "health", "--categories", "excellent,good,fair,poor"];
    let groups = ["--group-by", "health", "--groups", "excellent,good,fair,poor"];
    let edition = ["--edition", "one"];
    let released = [
        [&["mean", RANDHIE][..], &visits, &charge].concat(),
        [&["mean", RANDHIE][..], &visits, &charge, &groups].concat(),
        [&["frequency", RANDHIE][..], &shares, &charge].concat(),
        [&["mean", RANDHIE][..], &visits, &charge, &["--check-bounds"]].concat(),
        vec!["run", &survey],
        [&["mean", RANDHIE][..], &visits, &charge, &edition].concat(),
        // Shown again.
        [&["mean", RANDHIE][..], &visits, &charge, &edition].concat(),
    ];
    let entries = [3, 5, 7, 9, 11, 13, 13];
    for (arguments, expected) in released.iter().zip(entries) {
        let printed = stdout(&[&arguments[..], &["--format", "json"]].concat());
        fs::write(at("release.json"), &printed).unwrap();
        assert_eq!(entry(&ledger, &at("release.json")), Some(expected), "{arguments:?}");
        // Formatted in another way, and without what stands beside it.
        let mut release: Value = serde_json::from_str(&printed).unwrap();
        for beside in ["query", "ledger", "warnings"] {
            release.as_object_mut().unwrap().remove(beside);
        }
        fs::write(at("bare.json"), release.to_string()).unwrap();
        assert_eq!(entry(&ledger, &at("bare.json")), Some(expected), "{arguments:?}");
        fs::write(at("altered.json"), altered(&printed)).unwrap();
        assert_eq!(entry(&ledger, &at("altered.json")), None, "{arguments:?}");
    }
    let shown = stdout(&["ledger", "show", &ledger, "--entry", "5", "--format", "json"]);
    fs::write(at("shown.json"), shown).unwrap();
    assert_eq!(entry(&ledger, &at("shown.json")), Some(5));
    let (code, found, _) = search(&ledger, &at("shown.json"), &[]);
    assert!(code == 0 && found.starts_with("the release is entry 5 of dataset visits, of 2"));
    let (code, found, said) = search(&ledger, &at("altered.json"), &[]);
    assert!(code == 1 && found.starts_with("no entry holds the release\n"), "{found}");
    assert!(said.starts_with("error: release: no entry of the ledger holds it\nhint: "), "{said}");
}

#[test]
fn standard_input_is_read_and_other_files_are_refused() {
    let (_folder, ledger) = ledger();
    let mean = ["mean", RANDHIE, "--value", "visits", "--bounds", "0,77", "--privacy", "privacy"];
    let charge = ["--ledger", &ledger, "--spend", "5%", "--format", "json"];
    let release = stdout(&[&mean[..], &charge].concat());
    let mut piped = suum(&["ledger", "verify", &ledger, "--release", "-"]);
    assert!(piped.write_stdin(release).output().unwrap().status.success());
    for (file, problem) in [
        (RANDHIE, "release: this is not the JSON of a release"),
        ("no.json", "no.json: it cannot be read"),
    ] {
        let (code, found, said) = search(&ledger, file, &[]);
        assert!(code == 1 && found.is_empty() && said.contains(problem), "{said}");
    }
}
