//! Layout of the text of the repository, and the crates that it is built from.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use super::architecture::workspace;

/// The most characters that a line has.
const WIDTH: usize = 100;

/// Folders without text of ours, and files that a program writes or reads as they are.
const LEFT_OUT: [&str; 8] = [
    "target",
    "corpus",
    "snapshots",
    "artifacts",
    "experiments-out",
    "__pycache__",
    "node_modules",
    "venv",
];

/// The texts that people write and read: code, comments and documentation.
fn texts(folder: &Path) -> Vec<PathBuf> {
    const ENDINGS: [&str; 10] = ["rs", "md", "py", "pyi", "js", "css", "html", "sh", "toml", "yml"];
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if name.starts_with('.') && name != ".ci" || LEFT_OUT.contains(&name.as_str()) {
            continue;
        }
        if path.is_dir() {
            files.extend(texts(&path));
        } else if ENDINGS.iter().any(|ending| name.ends_with(&format!(".{ending}"))) {
            files.push(path);
        }
    }
    files
}

/// Returns true if a line may be longer: a row of a table in Markdown, or one word, such as an
/// address.
fn may_be_long(path: &Path, line: &str) -> bool {
    let row = path.extension().is_some_and(|ending| ending == "md") && line.starts_with('|');
    row || !line.trim().contains(' ')
}

#[test]
fn lines_fit_the_width() {
    let files = texts(&workspace());
    assert!(files.len() > 500, "the texts were not found: {}", files.len());
    let mut long = Vec::new();
    for path in files {
        let text = fs::read_to_string(&path).unwrap();
        for (at, line) in text.lines().enumerate() {
            if line.chars().count() > WIDTH && !may_be_long(&path, line) {
                long.push(format!("{}:{}", path.display(), at + 1));
            }
        }
    }
    assert!(long.is_empty(), "longer than {WIDTH} characters:\n{}", long.join("\n"));
}

/// Phrases that the documentation does not have, and why. Review looks at all other wording.
const AVOIDED: [(&str, &str); 3] = [
    ("hidden who takes part", "the glossary calls it hidden participation"),
    ("secret who takes part", "the glossary calls it hidden participation"),
    ("private who takes part", "the glossary calls it hidden participation"),
];

#[test]
fn one_concept_has_one_word() {
    let pages = texts(&workspace()).into_iter();
    let pages = pages.filter(|page| page.extension().is_some_and(|ending| ending == "md"));
    let (mut seen, mut found) = (0, Vec::new());
    for page in pages.filter(|page| !page.ends_with("CHANGELOG.md")) {
        let text = fs::read_to_string(&page).unwrap().to_lowercase();
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let avoided = AVOIDED.iter().filter(|(phrase, _)| text.contains(phrase));
        found.extend(avoided.map(|(phrase, why)| format!("{}: {phrase}: {why}", page.display())));
        seen += 1;
    }
    assert!(seen > 80, "the documentation was not found: {seen}");
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// Output of `cargo metadata` about all crates that the project is built from.
pub(crate) fn metadata() -> Value {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked"])
        .current_dir(workspace())
        .output()
        .unwrap();
    assert!(output.status.success(), "cargo metadata failed");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// A version as numbers, of which missing ones are zero.
fn version(text: &str) -> Vec<u64> {
    let mut numbers: Vec<u64> = text.split('.').map(|number| number.parse().unwrap()).collect();
    numbers.resize(3, 0);
    numbers
}

/// Every crate that the product is built from builds with the Rust version that ours declare, by
/// its own word; so do ours, by the lint `incompatible_msrv`.
#[test]
fn every_dependency_builds_with_the_declared_rust() {
    let manifest = fs::read_to_string(workspace().join("Cargo.toml")).unwrap();
    let manifest: toml::Table = manifest.parse().unwrap();
    let ours = version(manifest["workspace"]["package"]["rust-version"].as_str().unwrap());
    for package in metadata()["packages"].as_array().unwrap() {
        if let Some(needed) = package["rust_version"].as_str() {
            assert!(version(needed) <= ours, "{} needs Rust {needed}", package["name"]);
        }
    }
}

/// The least versions that our manifests allow are those that the tests run with: nobody gets
/// older ones, of which we do not know whether they build.
#[test]
fn the_least_versions_are_those_of_the_lock_file() {
    let metadata = metadata();
    let packages = metadata["packages"].as_array().unwrap();
    let ours = metadata["workspace_members"].as_array().unwrap();
    let mut asked = 0;
    for package in packages.iter().filter(|package| ours.contains(&package["id"])) {
        let dependencies = package["dependencies"].as_array().unwrap();
        for dependency in dependencies.iter().filter(|one| !one["source"].is_null()) {
            let least = version(dependency["req"].as_str().unwrap().trim_start_matches('^'));
            let locked = packages.iter().filter(|one| one["name"] == dependency["name"]);
            let mut locked = locked.map(|one| {
                let text = one["version"].as_str().unwrap();
                version(text.split_once('+').map_or(text, |(numbers, _)| numbers))
            });
            let name = &dependency["name"];
            assert!(locked.any(|it| it == least), "{}: {name} {least:?}", package["name"]);
            asked += 1;
        }
    }
    assert!(asked > 50, "the dependencies were not found: {asked}");
}

/// Releases without noise are for tests: nothing that is shipped is built with them.
#[test]
fn no_product_is_built_without_noise() {
    for product in ["suum-cli", "suum-python"] {
        let output = Command::new(env!("CARGO"))
            .args(["tree", "--locked", "--edges", "normal,build", "--format", "{p} {f}"])
            .args(["--package", product])
            .current_dir(workspace())
            .output()
            .unwrap();
        let tree = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success() && tree.contains("suum-core"), "{tree}");
        assert!(!tree.contains("noiseless"), "{product} is built with the feature noiseless");
    }
}
