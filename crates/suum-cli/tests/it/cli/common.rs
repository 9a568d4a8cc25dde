//! Running the command.

use std::path::PathBuf;

use assert_cmd::Command;
use serde_json::Value;

/// The example data, from the root of the project.
pub(crate) const RANDHIE: &str = "examples/randhie.csv";

/// The consent tiers of the example.
pub(crate) const TIERS: [&str; 4] =
    ["--privacy", "privacy", "--levels", "strict=0.01,standard=0.1,relaxed=1,public=inf"];

/// The mean of the example's visits.
pub(crate) const VISITS: [&str; 4] = ["--value", "visits", "--bounds", "0,77"];

/// The command in the root of the project, with these arguments.
pub(crate) fn suum(arguments: &[&str]) -> Command {
    let mut command = Command::cargo_bin("suum").unwrap();
    command.current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).args(arguments);
    command.env_remove("COLUMNS").env_remove("CLICOLOR_FORCE");
    command
}

/// Standard output of the command, which must succeed.
pub(crate) fn stdout(arguments: &[&str]) -> String {
    let output = suum(arguments).output().unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

/// JSON that the command prints with `--format json`.
pub(crate) fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&stdout(&[arguments, &["--format", "json"]].concat())).unwrap()
}

/// JSON of a release without its query: that of a level table does not say what the table was made
/// of.
pub(crate) fn release(arguments: &[&str]) -> Value {
    let mut release = json(arguments);
    assert!(release.as_object_mut().unwrap().remove("query").is_some());
    release
}

/// The exit code and what is said on standard error; nothing must be on standard output.
pub(crate) fn refused(arguments: &[&str]) -> (i32, String) {
    let output = suum(arguments).output().unwrap();
    assert!(output.stdout.is_empty(), "{arguments:?}");
    (output.status.code().unwrap(), String::from_utf8(output.stderr).unwrap())
}

/// A new ledger, in a folder of its own.
pub(crate) struct LedgerFolder(tempfile::TempDir);

impl LedgerFolder {
    /// Makes a ledger for a dataset, with these options of `ledger init`.
    pub(crate) fn new(dataset: &str, options: &[&str]) -> Self {
        let folder = Self(tempfile::tempdir().unwrap());
        let init = ["ledger", "init", &folder.ledger(), "--dataset", dataset];
        stdout(&[&init[..], options].concat());
        folder
    }

    /// The path of the ledger.
    pub(crate) fn ledger(&self) -> String {
        self.path("ledger").to_str().unwrap().to_owned()
    }

    /// The path of a file in the folder.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }
}
