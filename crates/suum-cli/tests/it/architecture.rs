//! The rules of ARCHITECTURE.md, held by a test: who may depend on whom, and what suum-core must
//! not touch.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use super::source::{self, group};
use super::tidy::metadata;

pub(crate) fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The folders in `crates/`.
fn crates() -> Vec<PathBuf> {
    let entries = fs::read_dir(workspace().join("crates")).unwrap();
    entries.map(|entry| entry.unwrap().path()).filter(|path| path.is_dir()).collect()
}

/// The dependencies of each crate of the workspace, without those of its tests.
fn dependencies() -> BTreeMap<String, BTreeSet<String>> {
    let mut found = BTreeMap::new();
    for folder in crates().into_iter().chain(["fuzz", "python"].map(|name| workspace().join(name)))
    {
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
        let manifest: toml::Table = manifest.parse().unwrap();
        let name = manifest["package"]["name"].as_str().unwrap().to_owned();
        let names = manifest.get("dependencies").and_then(|table| table.as_table());
        found.insert(name, names.map(|table| table.keys().cloned().collect()).unwrap_or_default());
    }
    found
}

#[test]
fn dependencies_point_one_way() {
    let allowed: BTreeMap<&str, &[&str]> = BTreeMap::from([
        ("suum-core", &[][..]),
        ("suum-data", &["suum-core"]),
        ("suum-ledger", &["suum-core"]),
        ("suum-postgres", &["suum-core"]),
        ("suum-report", &["suum-core"]),
        ("suum-sql", &["suum-core", "suum-data", "suum-postgres"]),
        ("suum", &["suum-core", "suum-data", "suum-ledger", "suum-report", "suum-sql"]),
        ("suum-audit", &["suum-core"]),
        // A program of its own: no product may depend on it.
        ("suum-experiments", &["suum"]),
        ("suum-cli", &["suum", "suum-audit", "suum-report"]),
        ("suum-python", &["suum", "suum-audit", "suum-cli"]),
        ("suum-testing", &[]),
        ("suum-fuzz", &["suum-core", "suum-data", "suum-ledger", "suum-postgres", "suum-sql"]),
    ]);
    for (name, needs) in dependencies() {
        let allowed = allowed
            .get(name.as_str())
            .unwrap_or_else(|| panic!("{name}: say what it may depend on"));
        for need in needs.iter().filter(|need| need.starts_with("suum")) {
            assert!(allowed.contains(&need.as_str()), "{name} must not depend on {need}");
        }
    }
}

#[test]
fn the_core_depends_on_arithmetic_only() {
    let mut allowed =
        vec!["chrono", "dashu-int", "dashu-ratio", "libm", "rand_chacha", "rand_core", "serde"];
    // For the documentation alone: no product is built with it.
    allowed.push("schemars");
    for need in &dependencies()["suum-core"] {
        assert!(allowed.contains(&need.as_str()), "suum-core must not depend on {need}");
    }
}

/// The files below a folder whose names end like this.
pub(crate) fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path, ending));
        } else if path.extension().is_some_and(|extension| extension == ending) {
            found.push(path);
        }
    }
    found
}

/// The Rust files below a folder.
pub(crate) fn sources(folder: &Path) -> Vec<PathBuf> {
    files(folder, "rs")
}

/// Returns true for a file that has nothing but tests of the code beside it.
pub(crate) fn is_of_tests(path: &Path) -> bool {
    path.with_extension("").iter().any(|part| {
        let part = part.to_string_lossy();
        part == "tests" || part.ends_with("_tests")
    })
}

/// The code of each line of a file.
fn code(path: &Path) -> BTreeMap<usize, String> {
    source::lines(source::tokens(path))
}

#[test]
fn the_core_touches_nothing_outside() {
    let forbidden = [
        "std::fs",
        "std::io",
        "std::net",
        "std::path",
        "std::env",
        "std::process",
        "std::time",
        "std::thread",
        "std::os",
        "Instant",
        "SystemTime",
        "Mutex",
        "Atomic",
        "OnceLock",
        "LazyLock",
        "thread_local",
        "static ",
        "async",
        "println!",
        "eprintln!",
        "getrandom",
        "from_os_rng",
        "unsafe{",
        "unsafe fn",
        "unsafe impl",
    ];
    let files = sources(&workspace().join("crates/suum-core/src"));
    assert!(files.len() > 20, "the core's sources were not found");
    for path in files {
        for (line, text) in code(&path) {
            // `'static` is a lifetime, not a global.
            let text = text.replace("'static", "");
            for word in forbidden {
                // A cell of a value, which is filled once, is nothing outside.
                if word == "OnceLock" && path.ends_with("on_demand.rs") {
                    continue;
                }
                assert!(!text.contains(word), "{}:{line}: {word} in suum-core", path.display());
            }
        }
    }
}

/// Files in which published algorithms that are only studied draw: no float there either.
const STUDIED_PATH: [&str; 4] =
    ["sampling_probability.rs", "sampled_sum.rs", "sparse_vector.rs", "stretched_sum.rs"];

/// Exact private numbers live in one folder, from grid indices to the noisy sum.
#[test]
fn no_float_on_the_private_path() {
    let private = sources(&workspace().join("crates/suum-core/src/private"));
    assert!(private.len() > 50, "the private path was not found");
    let private = private.into_iter().filter(|path| !is_of_tests(path));
    let published = workspace().join("crates/suum-experiments/src/published");
    let studied = STUDIED_PATH.map(|file| published.join(file));
    for path in private.chain(studied) {
        for (line, text) in code(&path) {
            let mut words = text.split(|letter: char| !letter.is_alphanumeric() && letter != '.');
            let literal = words.find(|word| {
                let all_digits = |part: &str| part.chars().all(|letter| letter.is_ascii_digit());
                word.split_once('.').is_some_and(|(whole, rest)| {
                    !whole.is_empty() && all_digits(whole) && all_digits(rest)
                })
            });
            assert!(literal.is_none(), "{}:{line}: {literal:?} is a float", path.display());
            // What gives budgets and shares as floats is called `get`.
            for word in ["f64", "f32", "rounded_up", ".get()", ".powi", ".sqrt"] {
                assert!(
                    !text.contains(word),
                    "{}:{line}: {word} on the private path",
                    path.display()
                );
            }
        }
    }
}

/// The lines of a source that make refusals, and whether each shows a way out. Mistakes of our own
/// have none.
fn refusals(tokens: TokenStream) -> Vec<(usize, bool)> {
    const MADE_BY: [&str; 8] =
        ["new", "parameter", "request", "data", "table", "io", "ledger", "budget"];
    let tokens = source::without_tests(tokens);
    let word = |at: usize| source::word(tokens.get(at));
    let words = |at: usize| [word(at), word(at + 1), word(at + 2), word(at + 3)];
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        if let TokenTree::Group(group) = token {
            found.extend(refusals(group.stream()));
        }
        let of_io = at >= 3 && words(at - 3)[..3] == ["io", ":", ":"];
        let [error, _, _, made_by] = words(at);
        let path = words(at)[1..3] == [":", ":"] && MADE_BY.contains(&made_by.as_str());
        if error != "Error" || !path || of_io {
            continue;
        }
        // One that is handed on as a function cannot have a hint.
        let call = tokens.get(at + 4).and_then(|token| group(token, Delimiter::Parenthesis));
        let internal = call.is_some_and(|call| {
            call.stream().to_string().replace(' ', "").starts_with("ErrorKind::Internal")
        });
        let after = at + 4 + usize::from(call.is_some());
        if !internal {
            let hinted = words(after)[..2] == [".", "with_fix"];
            found.push((token.span().start().line, hinted));
        }
    }
    found.sort_unstable();
    found
}

#[test]
fn refusals_are_found() {
    let source = r##"
        fn some<'a>(quote: &'a char) -> Result<()> {
            let one = Error::data("a bracket ) and a \\\" in text"); // .with_fix("no")
            let two = suum_core::Error::table(format!("{}{}", ')', '\'')) /* ( */
                .with_fix("yes");
            let three = Error::request(r#"a " and a ("#)
                .into();
            read().map_err(Error::io)?;
            Error::internal("ours");
            Error::new(ErrorKind::Internal, "ours");
            io::Error::new(kind, "not ours");
            serde::de::Error::custom("not ours");
        }
        #[cfg(test)]
        #[cfg(unix)]
        mod tests {
            fn none() -> Error { Error::budget("of a test") }
        }
        fn five(kind: ErrorKind) -> Error { Error::new(kind, "https://") }
    "##;
    assert_eq!(
        refusals(source.parse().unwrap()),
        [(3, false), (4, true), (6, false), (8, false), (19, false)]
    );
}

#[test]
fn every_refusal_shows_a_way_out() {
    // The way out is added by all who call: by those who refuse edges of bins.
    let elsewhere = BTreeMap::from([("crates/suum-data/src/scan/edges.rs", 1)]);
    let root = workspace();
    let folders = crates().into_iter().chain([root.join("python")]);
    let files = folders.flat_map(|folder| sources(&folder.join("src")));
    let (mut shown, mut excused) = (0, 0);
    for path in files {
        let file = path.strip_prefix(&root).unwrap();
        if is_of_tests(file) {
            continue;
        }
        let refusals = refusals(source::tokens(&path));
        let lines: Vec<usize> =
            refusals.iter().filter(|(_, hinted)| !hinted).map(|(line, _)| *line).collect();
        let allowed = elsewhere.get(&*file.to_string_lossy()).copied().unwrap_or(0);
        assert_eq!(
            lines.len(),
            allowed,
            "{}: lines {lines:?} refuse without a hint",
            file.display()
        );
        shown += refusals.len() - lines.len();
        excused += lines.len();
    }
    assert!(shown > 300, "the refusals were not found");
    assert_eq!(
        excused,
        elsewhere.values().sum::<usize>(),
        "an exception is of a file that is gone"
    );
}

/// Returns true if a text has a flag, such as `--bounds`, which is no comment of SQL.
fn names_flag(text: &str) -> bool {
    text.match_indices("--").any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + 2..].chars().next();
        !before.is_some_and(|one| one.is_alphanumeric() || one == '-')
            && after.is_some_and(|one| one.is_ascii_lowercase() || one == '{')
    })
}

/// Returns the texts of a file's code, and the lines where they stand.
fn texts(tokens: TokenStream) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for token in source::without_tests(tokens) {
        match token {
            TokenTree::Literal(literal) => {
                let text = literal.to_string();
                if text.starts_with(['"', 'r']) {
                    found.push((literal.span().start().line, text));
                }
            }
            // Documentation is an attribute.
            TokenTree::Group(group) if group.stream().to_string().starts_with("doc =") => {}
            TokenTree::Group(group) => found.extend(texts(group.stream())),
            TokenTree::Ident(_) | TokenTree::Punct(_) => {}
        }
    }
    found
}

#[test]
fn libraries_name_no_flag() {
    // What another program is told, and the comment of a printed query.
    let others = ["psql --csv", "suum … --from-levels RESULT", "suum-experiments mean"];
    let root = workspace();
    let mut count = 0;
    // The voice of the command line, examples of its help, what only it says, the script of a page,
    // which writes a command of its own, and styles.
    let flagged = [
        "suum/src/voice.rs",
        "suum/src/statistic.rs",
        "suum/src/ledgers/mod.rs",
        "suum/src/answer/mod.rs",
        "suum/src/release_schema.rs",
        "what_if/mod.rs",
        "suum-audit/src/plot.rs",
    ];
    let names = ["-core", "-data", "-sql", "-ledger", "-postgres", "-report", "-audit", ""];
    for name in names {
        for path in sources(&root.join(format!("crates/suum{name}/src"))) {
            let file = path.strip_prefix(&root).unwrap();
            if is_of_tests(file) || flagged.iter().any(|one| file.ends_with(one)) {
                continue;
            }
            for (line, text) in texts(source::tokens(&path)) {
                count += 1;
                let is_other = others.iter().any(|other| text.contains(other));
                assert!(!names_flag(&text) || is_other, "{}:{line}: {text}", file.display());
            }
        }
    }
    assert!(count > 3000, "the texts were not found");
}

#[test]
fn names_of_options_are_those_of_the_table() {
    // Options of the output, of ledgers, level tables and audits, and of the libraries.
    let others = [
        "allow",
        "because",
        "charges",
        "claim",
        "difference",
        "budget",
        "dialect",
        "delta",
        "entry",
        "file",
        "format",
        "id",
        "list",
        "persons",
        "purpose",
        "raise_up_to",
        "report",
        "runs",
        "sample_threshold",
        "share",
        "tier",
        "totals",
        "trials",
        "unit",
        "watch_moves",
    ];
    let names = include_str!("../../../suum-core/src/error/option.rs");
    let names = names.lines().filter_map(|line| line.strip_prefix("pub const "));
    let mut count = 0;
    for name in names.filter_map(|line| Some(line.split_once(':')?.0.to_lowercase())) {
        count += 1;
        let is_option = suum::options().any(|row| row.name == name);
        assert!(is_option || others.contains(&name.as_str()), "{name}");
    }
    assert!(count > 60, "the names were not found");
}

/// Returns true if a licence expression can be satisfied with permissive licences alone.
fn permissive(expression: &str) -> bool {
    const PERMISSIVE: [&str; 14] = [
        "MIT",
        "MIT-0",
        "Apache-2.0",
        "Apache-2.0 WITH LLVM-exception",
        "BSD-2-Clause",
        "BSD-3-Clause",
        "ISC",
        "Zlib",
        "Unicode-3.0",
        "Unicode-DFS-2016",
        "Unlicense",
        "CC0-1.0",
        "BSL-1.0",
        "0BSD",
    ];
    let expression = expression.trim();
    // Split at the operator that binds least and stands outside parentheses.
    for (operator, all) in [(" OR ", false), ("/", false), (" AND ", true)] {
        let mut depth = 0;
        for (position, character) in expression.char_indices() {
            match character {
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => {}
            }
            if depth == 0 && expression[position..].starts_with(operator) {
                let (left, right) =
                    (&expression[..position], &expression[position + operator.len()..]);
                let (left, right) = (permissive(left), permissive(right));
                return if all { left && right } else { left || right };
            }
        }
    }
    match expression.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')) {
        Some(inner) => permissive(inner),
        None => PERMISSIVE.contains(&expression),
    }
}

#[test]
fn every_dependency_is_permissively_licensed() {
    assert!(permissive("(MIT OR Apache-2.0) AND Unicode-3.0") && permissive("GPL-3.0 OR MIT"));
    assert!(!permissive("LGPL-3.0") && !permissive("MIT AND GPL-2.0-only") && !permissive(""));
    let metadata = metadata();
    let packages = metadata["packages"].as_array().unwrap();
    assert!(packages.len() > 30);
    for package in packages {
        let licence = package["license"].as_str().unwrap_or_default();
        assert!(permissive(licence), "{}: {licence:?} is not permissive", package["name"]);
    }
}

/// Crates of others come from the registry, and none of ours takes any version of them.
#[test]
fn every_dependency_comes_from_the_registry() {
    let metadata = metadata();
    let packages = metadata["packages"].as_array().unwrap();
    let ours = metadata["workspace_members"].as_array().unwrap();
    for package in packages {
        let name = package["name"].as_str().unwrap();
        match package["source"].as_str() {
            Some(source) => {
                let registry = "registry+https://github.com/rust-lang/crates.io-index";
                assert_eq!(source, registry, "{name}");
            }
            None => assert!(ours.contains(&package["id"]), "{name} comes from a folder"),
        }
        let asked = package["dependencies"].as_array().unwrap().iter();
        for dependency in asked.filter(|one| ours.contains(&package["id"]) && one["path"].is_null())
        {
            assert_ne!(dependency["req"], "*", "{name}: {}", dependency["name"]);
        }
    }
}

/// Whoever is handed randomness in suum-core opens a session with it, or hands it to a release that
/// does, and nothing else; only what a session calls draws.
#[test]
fn noise_is_drawn_in_sessions_only() {
    let core = workspace().join("crates/suum-core/src");
    let mut sessions = 0;
    for path in sources(&core) {
        let file = path.strip_prefix(&core).unwrap();
        if file.starts_with("private") {
            continue;
        }
        for (line, text) in code(&path) {
            let text = text.replace("randomness:&mut Randomness", "");
            // `Plan`, which is the plan of any statistic, lets that of one make the release.
            let text = match file == Path::new("statistics/mod.rs") {
                true => text.replace("(table,randomness)", ""),
                false => text,
            };
            let opens = ["Session::for_profile(", "Session::declared(", "Session::for_levels("];
            let opens = opens.iter().any(|open| text.contains(open));
            sessions += usize::from(opens);
            let draws = text.contains("randomness") || text.contains(".sample(");
            assert!(opens || !draws, "{}:{line}: draws outside a session", file.display());
        }
    }
    assert!(sessions > 5, "sessions were not found");
}

/// Imports of a module: true if it re-exports the names, and the paths in full.
type Uses = Vec<(bool, Vec<String>)>;

/// The parts of the name of a module.
fn parts_of(module: &str) -> Vec<String> {
    module.split('/').map(str::to_owned).collect()
}

/// The modules of a crate by name, such as `run/mean`, and what each imports.
fn modules(source: &Path) -> BTreeMap<String, Uses> {
    let mut found = BTreeMap::new();
    for path in sources(source).iter().filter(|path| !is_of_tests(path)) {
        let name = path.strip_prefix(source).unwrap().with_extension("");
        let name = name.to_str().unwrap().trim_end_matches("/mod").to_owned();
        let uses = source::uses(source::tokens(path)).into_iter();
        let uses = uses
            .map(|(hands_on, path)| (hands_on, source::from_top(parts_of(&name), path)))
            .collect();
        found.insert(name, uses);
    }
    // They name everything, and nobody names them.
    found.retain(|name, _| name != "lib" && name != "main");
    found
}

/// The modules that each imports something of; names that a folder hands on are those of the file
/// that has them.
fn imports(modules: &BTreeMap<String, Uses>) -> BTreeMap<&str, BTreeSet<&str>> {
    let owner = |path: &[String]| {
        let known = (1..=path.len()).rev().map(|length| path[..length].join("/"));
        known.filter_map(|one| modules.get_key_value(&one)).map(|(name, _)| name.as_str()).next()
    };
    let is_below = |one: &str, other: &str| one.starts_with(&format!("{other}/"));
    let mut handed = BTreeMap::new();
    for (name, uses) in modules {
        for (_, path) in uses.iter().filter(|(hands_on, _)| *hands_on) {
            if let Some(from) = owner(path).filter(|from| is_below(from, name)) {
                let item = path.last().unwrap();
                handed.insert(format!("{name}/{item}"), from);
            }
        }
    }
    let mut found = BTreeMap::new();
    for (name, uses) in modules {
        let mut of = BTreeSet::new();
        for (hands_on, path) in uses {
            let target = handed.get(&path.join("/")).copied().or_else(|| owner(path));
            // What is in a folder may use what the folder itself is.
            let own = |target: &&str| {
                *target == name || is_below(name, target) || (*hands_on && is_below(target, name))
            };
            of.extend(target.filter(|target| !own(target)));
        }
        found.insert(name.as_str(), of);
    }
    found
}

/// A circle that leads from a module back to it, if there is one.
fn circle<'a>(
    imports: &BTreeMap<&'a str, BTreeSet<&'a str>>,
    way: &mut Vec<&'a str>,
    done: &mut BTreeSet<&'a str>,
) -> Option<Vec<&'a str>> {
    let here = *way.last().unwrap();
    for next in &imports[here] {
        if let Some(at) = way.iter().position(|one| one == next) {
            return Some(way[at..].to_vec());
        }
        if !done.contains(next) {
            way.push(next);
            let found = circle(imports, way, done);
            if found.is_some() {
                return found;
            }
            way.pop();
        }
    }
    done.insert(here);
    None
}

/// Imports are followed as far as they name the file: names that `lib.rs` re-exports are not.
#[test]
fn files_import_each_other_in_one_direction() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut circles = Vec::new();
    for folder in fs::read_dir(crates).unwrap() {
        let source = folder.unwrap().path().join("src");
        if !source.is_dir() {
            continue;
        }
        let modules = modules(&source);
        let imports = imports(&modules);
        let mut done = BTreeSet::new();
        for name in imports.keys() {
            if !done.contains(name)
                && let Some(found) = circle(&imports, &mut vec![name], &mut done)
            {
                circles.push(format!("{}: {}", source.display(), found.join(" -> ")));
                break;
            }
        }
    }
    assert!(circles.is_empty(), "circles of files:\n{}", circles.join("\n"));
}

/// Folders of a crate, each with those from which it may import anything.
type Below = [(&'static str, &'static [&'static str])];

/// In suum-core, what holds exact numbers of the data knows no plan, no statistic and no answer.
const CORE: &Below = &[
    ("arithmetic", &[]),
    ("people", &["arithmetic"]),
    ("values", &["people"]),
    ("strategy", &["arithmetic", "people", "values"]),
    ("certificate", &["people", "values"]),
    ("private", &["people", "values", "certificate"]),
];

/// In suum-data, what counts does not know where records come from.
const DATA: &Below = &[
    ("scan", &[]),
    ("cells", &["scan"]),
    ("count", &["scan", "cells"]),
    ("sink", &["scan", "cells", "count"]),
    ("read", &["scan", "cells", "count", "sink"]),
    ("level_file", &["scan", "read"]),
];

#[test]
fn folders_import_those_below_them() {
    for (name, folders, least) in [("suum-core", CORE, 200), ("suum-data", DATA, 100)] {
        let source = workspace().join("crates").join(name).join("src");
        let library = source::uses(source::tokens(&source.join("lib.rs")));
        let owners: BTreeMap<&str, &str> = library
            .iter()
            .map(|(_, path)| (path.last().unwrap().as_str(), path.first().unwrap().as_str()))
            .collect();
        let modules = modules(&source);
        let mut checked = 0;
        for (module, uses) in &modules {
            let folder = module.split('/').next().unwrap();
            let Some((_, below)) = folders.iter().find(|(of, _)| *of == folder) else { continue };
            for (_, path) in uses {
                // What a glob hands on is of no folder below.
                let first = path[0].as_str();
                let top = modules.contains_key(first).then_some(first);
                let owner = top.or(owners.get(first).copied()).unwrap_or("*");
                let common = ["error", "number"].contains(&owner);
                assert!(
                    common || owner == folder || below.contains(&owner),
                    "{name}: {module} uses {first} of {owner}"
                );
                checked += usize::from(owner != folder);
            }
        }
        assert!(checked > least, "{name}: {checked} imports");
    }
}
