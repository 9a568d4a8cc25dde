//! The documentation: a book in which every page can be reached, every link leads somewhere.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

use super::architecture::{files, workspace};

/// The text without blocks of code, in which brackets are no links.
fn prose(text: &str) -> String {
    let mut code = false;
    let mut prose = String::new();
    for line in text.lines() {
        let fence = line.trim_start().starts_with("```");
        code ^= fence;
        if !code && !fence && !line.starts_with("    ") {
            prose += line;
            prose.push('\n');
        }
    }
    prose
}

/// Targets of the links of a page that are neither on the web nor examples in code.
fn links(text: &str) -> Vec<String> {
    let prose = prose(text);
    let mut links = Vec::new();
    for part in prose.split("](").skip(1) {
        links.extend(part.split(')').next().map(str::to_owned));
    }
    for line in prose.lines().filter(|line| line.starts_with('[')) {
        links.extend(line.split_once("]: ").map(|(_, to)| to.trim().to_owned()));
    }
    links.retain(|to| !to.contains("://") && !to.contains(char::is_whitespace));
    links
}

/// The anchors of a page, as GitHub and mdBook make them of its headings.
fn anchors(text: &str) -> BTreeSet<String> {
    let prose = prose(text);
    let headings = prose.lines().filter(|line| line.starts_with('#'));
    headings
        .map(|line| {
            let title = line.trim_start_matches('#').trim().to_lowercase();
            let kept = title.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
            kept.map(|c| if c == ' ' { '-' } else { c }).collect()
        })
        .collect()
}

/// The path without `.` and `..`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(plain.pop()),
            Component::CurDir => {}
            other => plain.push(other),
        }
    }
    plain
}

/// The summary with a line for each page that it lacks, by its title, where most of its folder are.
fn completed(summary: &str, pages: &BTreeSet<PathBuf>, docs: &Path) -> String {
    let mut lines: Vec<String> = summary.lines().map(str::to_owned).collect();
    let listed = links(summary);
    for page in pages {
        let path = page.strip_prefix(docs).unwrap().to_str().unwrap();
        let (folder, _) = path.rsplit_once('/').unwrap_or_default();
        let (mut run, mut longest, mut last) = (0, 0, None);
        for (at, line) in lines.iter().enumerate() {
            run = if line.contains(&format!("]({folder}/")) { run + 1 } else { 0 };
            if run > longest {
                (longest, last) = (run, Some(at));
            }
        }
        if let (false, Some(last)) = (listed.iter().any(|to| to == path), last) {
            let text = fs::read_to_string(page).unwrap();
            let title = text.lines().next().unwrap().trim_start_matches("# ");
            let (indent, _) = lines[last].split_once('-').unwrap();
            lines.insert(last + 1, format!("{indent}- [{title}]({path})"));
        }
    }
    lines.join("\n") + "\n"
}

/// `INSTA_UPDATE=always` adds new ones.
#[test]
fn every_page_is_in_the_summary() {
    let docs = workspace().join("docs");
    let mut there: BTreeSet<PathBuf> = files(&docs, "md").into_iter().collect();
    there.remove(&docs.join("SUMMARY.md"));
    assert!(there.len() > 30, "pages were not found: {}", there.len());
    let summary = fs::read_to_string(docs.join("SUMMARY.md")).unwrap();
    is_written("docs/SUMMARY.md", &completed(&summary, &there, &docs));
    let summary = fs::read_to_string(docs.join("SUMMARY.md")).unwrap();
    let listed: Vec<PathBuf> = links(&summary).iter().map(|to| docs.join(to)).collect();
    assert_eq!(listed.len(), there.len(), "a page is listed twice, or not at all");
    assert_eq!(listed.into_iter().collect::<BTreeSet<_>>(), there);
}

#[test]
fn every_link_leads_somewhere() {
    let root = workspace();
    let mut from = files(&root.join("docs"), "md");
    for more in ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md"] {
        from.push(root.join(more));
    }
    from.extend([root.join("crates/README.md"), root.join("python/README.md")]);
    from.push(root.join("examples/README.md"));
    let mut broken = Vec::new();
    let mut seen = 0;
    for page in from {
        let text = fs::read_to_string(&page).unwrap();
        for link in links(&text) {
            let (path, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let to = match path {
                "" => plain(&page),
                path => plain(&page.parent().unwrap().join(path)),
            };
            seen += 1;
            // A book has no pages but its own, and makes another name of a README. Notebooks are
            // for who reads the sources.
            let docs = root.join("docs");
            let inside = !page.starts_with(&docs)
                || page.ends_with("SUMMARY.md")
                || path.ends_with(".ipynb")
                || to.starts_with(plain(&docs)) && !path.ends_with("/README.md");
            let leads = inside
                && to.exists()
                && (anchor.is_empty()
                    || anchors(&fs::read_to_string(&to).unwrap()).contains(anchor));
            if !leads {
                broken.push(format!("{}: {link}", page.display()));
            }
        }
    }
    assert!(seen > 150, "links were not found: {seen}");
    assert!(broken.is_empty(), "links that lead nowhere:\n{}", broken.join("\n"));
}

/// The paths of code in a text: what stands between two backticks and ends like a Rust file or a
/// folder.
fn paths(text: &str) -> Vec<&str> {
    let quoted = text.split('`').skip(1).step_by(2);
    let is_path = |one: &&str| {
        let plain = one.chars().all(|c| c.is_ascii_alphanumeric() || "_-/.".contains(c));
        plain && one.len() > 1 && (one.ends_with(".rs") || one.ends_with('/'))
    };
    quoted.filter(is_path).collect()
}

#[test]
fn every_path_of_code_is_there() {
    let root = workspace();
    let mut there = BTreeSet::new();
    for folder in ["crates", "docs", "examples", "fuzz", "python"] {
        for path in
            files(&root.join(folder), "rs").into_iter().chain(files(&root.join(folder), "md"))
        {
            let path = path.strip_prefix(&root).unwrap();
            there.extend(path.ancestors().map(|one| format!("/{}", one.to_str().unwrap())));
        }
    }
    let mut pages = files(&root.join("docs"), "md");
    pages.extend(["ARCHITECTURE.md", "CONTRIBUTING.md"].map(|name| root.join(name)));
    let (mut seen, mut gone) = (0, Vec::new());
    for page in pages {
        let text = prose(&fs::read_to_string(&page).unwrap());
        for path in paths(&text) {
            seen += 1;
            let ending = format!("/{}", path.trim_end_matches('/'));
            if !there.iter().any(|one| one.ends_with(&ending)) && !root.join(path).exists() {
                gone.push(format!("{}: {path}", page.display()));
            }
        }
    }
    assert!(seen > 100, "paths were not found: {seen}");
    assert!(gone.is_empty(), "code that is not there:\n{}", gone.join("\n"));
}

/// The glossary says of each concept which type the code has.
#[test]
fn every_type_of_the_glossary_is_there() {
    let root = workspace();
    let mut code = String::new();
    for path in files(&root.join("crates"), "rs") {
        code += &fs::read_to_string(path).unwrap();
    }
    let glossary = fs::read_to_string(root.join("docs/reference/glossary.md")).unwrap();
    let rows = glossary.lines().filter_map(|line| line.strip_suffix(" |")?.rsplit_once("| "));
    let quoted = rows.flat_map(|(_, place)| place.split('`').skip(1).step_by(2));
    let types = quoted.filter(|word| word.starts_with(|c: char| c.is_ascii_uppercase()));
    let mut seen = 0;
    for path in types {
        let (name, item) = path.split_once("::").unwrap_or((path, ""));
        let is_there = |kind: &&str| code.contains(&format!("pub {kind} {name}"));
        assert!(["struct", "enum", "trait"].iter().any(is_there), "{name}");
        assert!(code.contains(item), "{path}");
        seen += 1;
    }
    assert!(seen > 40, "types were not found: {seen}");
}

/// The lines of Rust in the README are those of an example, which the compiler reads.
#[test]
fn the_rust_of_the_readme_is_an_example() {
    let text = fs::read_to_string(workspace().join("README.md")).unwrap();
    let shown = text.split("```rust\n").nth(1).unwrap().split("```").next().unwrap();
    let example = workspace().join("crates/suum/examples/five_lines.rs");
    let example = fs::read_to_string(example).unwrap();
    let (_, body) = example.split_once("-> suum::Result<()> {\n").unwrap();
    let lines = body.lines().map(str::trim).take_while(|line| *line != "Ok(())");
    let shown = shown.lines().map(str::trim);
    assert_eq!(shown.collect::<Vec<_>>(), lines.collect::<Vec<_>>());
}

/// Adds the help of a command, and that of the commands below it.
fn write_help(page: &mut String, command: &[&str]) {
    let words = [command, &["--help"]].concat();
    let help = super::cli::common::suum(&words).env("COLUMNS", "100").output().unwrap();
    assert!(help.status.success(), "{command:?}");
    let help = String::from_utf8(help.stdout).unwrap();
    let lines: Vec<&str> = help.lines().map(str::trim_end).collect();
    let (name, text) = ([&["suum"], command].concat().join(" "), lines.join("\n"));
    *page += &format!("\n## {name}\n\n```text\n{}\n```\n", text.trim_end());
    let below = lines.iter().skip_while(|line| **line != "Commands:").skip(1);
    for line in below.take_while(|line| !line.is_empty()) {
        let name = line.strip_prefix("  ").filter(|line| !line.starts_with(' '));
        match name.and_then(|line| line.split(' ').next()) {
            None | Some("help") => {}
            Some(name) => write_help(page, &[command, &[name]].concat()),
        }
    }
}

/// The help of every command, as `INSTA_UPDATE=always` writes it.
#[test]
fn the_reference_of_the_command_line_is_the_help() {
    let mut page = String::from(
        "# Command line\n\n\
         What `--help` prints, command by command. A test writes this page\n\
         (`INSTA_UPDATE=always cargo test -p suum-cli --test it book`).\n",
    );
    write_help(&mut page, &[]);
    is_written("docs/reference/command-line.md", &page);
}

/// A file of the workspace is this text; `INSTA_UPDATE=always` writes it.
pub(crate) fn is_written(path: &str, text: &str) {
    let file = workspace().join(path);
    if std::env::var("INSTA_UPDATE").as_deref() == Ok("always") {
        fs::write(&file, text).unwrap();
    }
    assert!(fs::read_to_string(&file).unwrap() == text, "INSTA_UPDATE=always writes {path} anew");
}
