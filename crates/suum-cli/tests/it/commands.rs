//! The commands of the README and of the documentation: whoever copies them from a fresh clone, in
//! the order of a page, gets an answer, and prints what the page shows.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use rusqlite::Connection;
use rusqlite::types::ValueRef;
use tempfile::TempDir;

use super::architecture::{files, workspace};
use super::cli::common;

/// Commands that no test runs, by a part of them, and why. Each must stand on some page.
const NOT_RUN: [(&str, &str); 2] =
    [("postgresql://ada@db.example.org", "needs a server"), ("suum audit all", "takes minutes")];

/// Pages whose commands are not run here: Python runs the gallery, and tests write the others.
const ELSEWHERE: [&str; 3] =
    ["docs/gallery", "docs/reference/command-line.md", "docs/reference/json-examples.md"];

/// Words in which every page with commands names the folder where they run: in another one, they
/// find no file.
const PLACE: &str = "the folder of the project";

/// Words that are printed in place of an answer that is mostly noise.
const USELESS: &str = "no useful answer";

/// Beginning of the message of a refusal.
const REFUSAL: &str = "error:";

/// The whole of what a command prints, or some lines of it.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Extent {
    Whole,
    Excerpt,
}

/// A command of a page, and what the page shows that it prints.
#[derive(Debug, PartialEq)]
struct Step {
    command: String,
    printed: Vec<(Extent, String)>,
}

impl Step {
    fn is_refused(&self) -> bool {
        self.printed.iter().any(|(_, text)| text.starts_with(REFUSAL))
    }
}

/// The page in pieces: headings, blocks of code with their language, and other lines.
#[derive(Debug)]
enum Piece {
    Heading,
    Code { language: String, lines: Vec<String> },
}

/// The headings and the blocks of code of a page, fenced or indented, in their order.
fn pieces(text: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut fence: Option<(String, Vec<String>)> = None;
    // A block goes on after an empty line, but not after a line of prose.
    let mut open = false;
    for line in text.lines() {
        let start = line.trim_start();
        if let Some(language) = start.strip_prefix("```") {
            match fence.take() {
                Some((language, lines)) => pieces.push(Piece::Code { language, lines }),
                None => fence = Some((language.to_owned(), Vec::new())),
            }
            open = false;
        } else if let Some((_, lines)) = &mut fence {
            lines.push(line.to_owned());
        } else if let Some(code) = line.strip_prefix("    ") {
            match pieces.last_mut() {
                Some(Piece::Code { lines, .. }) if open => lines.push(code.to_owned()),
                _ => pieces
                    .push(Piece::Code { language: String::new(), lines: vec![code.to_owned()] }),
            }
            open = true;
        } else {
            open = false;
            if line.starts_with('#') {
                pieces.push(Piece::Heading);
            }
        }
    }
    pieces
}

/// The command of a line, as a shell takes it; in a block with prompts it follows one.
fn command(line: &str, prompts: bool) -> Option<String> {
    let line = if prompts { line.strip_prefix("$ ")? } else { line.trim_start() };
    if let Some(rest) = line.strip_prefix("cargo run --release -- ") {
        return Some(format!("suum {rest}"));
    }
    (line.starts_with("suum ") || line.starts_with("sqlite3 ")).then(|| line.to_owned())
}

/// The commands of a page. What stands behind a command in its block, or in blocks of text up to
/// the next heading, is what it prints.
fn steps(text: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    // Whether a command of this section can have printed what comes.
    let mut printing = false;
    for piece in pieces(text) {
        let Piece::Code { language, lines } = piece else {
            printing = false;
            continue;
        };
        if !["", "console", "text"].contains(&language.as_str()) {
            continue;
        }
        let block = lines.join("\n").replace("\\\n", " ");
        let extent = if language.is_empty() { Extent::Excerpt } else { Extent::Whole };
        let prompts = block.lines().any(|line| line.starts_with("$ "));
        let mut printed = String::new();
        for line in block.lines() {
            if let Some(command) = command(line, prompts) {
                end_output(&mut steps, extent, &mut printed);
                steps.push(Step { command, printed: Vec::new() });
                printing = true;
            } else if printing {
                printed += line;
                printed.push('\n');
            }
        }
        end_output(&mut steps, extent, &mut printed);
    }
    steps
}

/// Gives lines to the last command that printed them.
fn end_output(steps: &mut [Step], extent: Extent, printed: &mut String) {
    let text = std::mem::take(printed);
    if let Some(step) = steps.last_mut().filter(|_| !text.trim().is_empty()) {
        step.printed.push((extent, text));
    }
}

/// A text word by word, with `#` for what has digits in it: numbers with noise, dates, digests.
/// What depends on the noise in other ways is left out: whether an interval counts as wide, what
/// was learned, and bars with what stands behind them.
fn shape(text: &str) -> Vec<String> {
    // A command that is printed goes on after a `\`, too.
    let text = text.replace("\\\n", " ");
    let lines = text.lines().filter(|line| !line.starts_with("Wide?"));
    let lines: Vec<&str> = lines.collect();
    // What was learned, up to the end of its sentence.
    let text = lines.join("\n");
    let text = match text.split_once("First found that") {
        Some((before, learned)) => {
            let after = learned.split_once(").\n").map_or("", |(_, after)| after);
            format!("{before}{after}")
        }
        None => text,
    };
    let drawn = ['█', '▇', '░', '├', '●'];
    let before = text.lines().filter_map(|line| line.split(drawn).next());
    let words = before.flat_map(str::split_whitespace);
    words
        .map(|word| {
            let number = word.contains(|c: char| c.is_ascii_digit());
            if number { "#".to_owned() } else { word.to_owned() }
        })
        .collect()
}

/// The option or file that a refusal is about: what stands before its second colon.
fn subject(text: &str) -> Option<&str> {
    let line = text.lines().find_map(|line| line.strip_prefix(REFUSAL))?;
    line.split(':').next().map(str::trim)
}

/// A copy of the examples in a folder of its own, as a fresh clone has them.
struct Checkout(TempDir);

impl Checkout {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let examples = folder.path().join("examples");
        fs::create_dir(&examples).unwrap();
        for entry in fs::read_dir(workspace().join("examples")).unwrap() {
            let file = entry.unwrap().path();
            fs::copy(&file, examples.join(file.file_name().unwrap())).unwrap();
        }
        Self(folder)
    }

    /// Runs a command as a shell does.
    fn run(&self, command: &str) -> Output {
        let program = assert_cmd::cargo::cargo_bin("suum");
        let path = std::env::var_os("PATH").unwrap_or_default();
        let folders = [program.parent().unwrap().to_owned()];
        let folders = folders.into_iter().chain(std::env::split_paths(&path));
        let mut shell = Command::new("sh");
        shell.args(["-c", command]).current_dir(self.0.path());
        shell.env("PATH", std::env::join_paths(folders).unwrap());
        shell.env_remove("COLUMNS").env_remove("CLICOLOR_FORCE");
        shell.output().unwrap()
    }

    /// Does what `sqlite3 -csv -header FILE < QUERY > RESULT` does, without the program.
    fn query(&self, command: &str) {
        let words: Vec<&str> = command.split_whitespace().collect();
        let ["sqlite3", "-csv", "-header", file, "<", query, ">", result] = words[..] else {
            panic!("{command}: this form of sqlite3 is not known to the test");
        };
        let database = Connection::open(self.0.path().join(file)).unwrap();
        let query = fs::read_to_string(self.0.path().join(query)).unwrap();
        let mut query = database.prepare(query.trim_end().trim_end_matches(';')).unwrap();
        let names = query.column_names().collect::<Vec<_>>().join(",");
        let width = query.column_count();
        let mut text = names + "\n";
        let mut rows = query.query([]).unwrap();
        while let Some(row) = rows.next().unwrap() {
            let cells = (0..width).map(|at| match row.get_ref(at).unwrap() {
                ValueRef::Null => String::new(),
                ValueRef::Integer(number) => number.to_string(),
                ValueRef::Real(number) => number.to_string(),
                other => format!("\"{}\"", other.as_str().unwrap().replace('"', "\"\"")),
            });
            writeln!(text, "{}", cells.collect::<Vec<_>>().join(",")).unwrap();
        }
        fs::write(self.0.path().join(result), text).unwrap();
    }

    /// The files that commands have made beside the examples.
    fn created_files(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        names.filter(|name| name != "examples").collect()
    }
}

/// Runs a command of a page and returns what is wrong with it.
fn fault(checkout: &Checkout, step: &Step) -> Option<String> {
    if step.command.starts_with("sqlite3 ") {
        checkout.query(&step.command);
        return None;
    }
    let output = checkout.run(&step.command);
    let printed = String::from_utf8(output.stdout).unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    if output.status.success() == step.is_refused() {
        return Some(format!("ends with {}:\n{printed}{errors}", output.status));
    }
    if !step.is_refused() && (printed.contains(USELESS) || errors.contains(USELESS)) {
        return Some(format!("gives no useful answer:\n{printed}"));
    }
    for (extent, shown) in &step.printed {
        let same = if shown.starts_with(REFUSAL) {
            subject(shown) == subject(&errors)
        } else if step.command.contains("--insecure-seed") {
            let lines: Vec<&str> = printed.lines().map(str::trim).collect();
            let shown: Vec<&str> = shown.lines().map(str::trim).collect();
            lines.windows(shown.len()).any(|lines| lines == shown)
        } else {
            let (words, shown) = (shape(&printed), shape(shown));
            match extent {
                Extent::Whole => words == shown,
                Extent::Excerpt => words.windows(shown.len()).any(|words| words == shown),
            }
        };
        if !same {
            return Some(format!("prints:\n{printed}{errors}"));
        }
    }
    None
}

/// The pages whose commands are run.
fn pages() -> Vec<PathBuf> {
    let root = workspace();
    let mut pages = files(&root.join("docs"), "md");
    pages.retain(|page| !ELSEWHERE.iter().any(|other| page.starts_with(root.join(other))));
    pages.push(root.join("README.md"));
    pages.sort();
    pages
}

#[test]
fn commands_of_pages_do_what_pages_say() {
    let (mut run, mut used, mut faults) = (0, [false; NOT_RUN.len()], Vec::new());
    let mut makers: BTreeMap<String, PathBuf> = BTreeMap::new();
    for page in pages() {
        let text = fs::read_to_string(&page).unwrap();
        let steps = steps(&text);
        let name = page.strip_prefix(workspace()).unwrap().display().to_string();
        let prose = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if !steps.is_empty() && name != "README.md" && !prose.contains(PLACE) {
            faults.push(format!("{name}: does not say that commands run in {PLACE}"));
        }
        let checkout = Checkout::new();
        for step in &steps {
            if let Some(at) = NOT_RUN.iter().position(|(part, _)| step.command.contains(part)) {
                used[at] = true;
                continue;
            }
            run += 1;
            if let Some(fault) = fault(&checkout, step) {
                faults.push(format!("{name}: {}\n{fault}", step.command));
            }
        }
        // So that the commands of one page do not get in the way of those of another.
        for file in checkout.created_files() {
            if let Some(other) = makers.insert(file.clone(), page.clone()) {
                faults.push(format!("{name}: makes {file}, as {} does", other.display()));
            }
        }
    }
    for ((part, why), used) in NOT_RUN.iter().zip(used) {
        if !used {
            faults.push(format!("no page has {part} any more ({why})"));
        }
    }
    assert!(run > 50, "commands were not found: {run}");
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
}

/// The first file of this language that a page shows.
fn shown(page: &str, language: &str) -> String {
    let page = fs::read_to_string(workspace().join("docs/how-to").join(page)).unwrap();
    let (_, shown) = page.split_once(&format!("```{language}\n")).unwrap();
    shown.split("```").next().unwrap().to_owned()
}

/// The pages run in a folder that has nothing but the examples, so these must be all they name.
#[test]
fn files_of_pages_are_examples() {
    let example = |name: &str| fs::read_to_string(workspace().join("examples").join(name)).unwrap();
    assert_eq!(shown("query.md", "toml"), example("mean.toml"));
    assert_eq!(shown("study-file.md", "toml"), example("study.toml"));
    let (rows, register) = (shown("consent-over-time.md", "csv"), example("register.csv"));
    for row in rows.lines() {
        assert!(register.lines().any(|line| line == row), "not in the register: {row}");
    }
}

/// [`USELESS`] must change with these words.
#[test]
fn answer_of_noise_is_known() {
    let data = ["mean", "examples/people.csv", "--value", "visits", "--bounds", "0,1e9"];
    let budgets = ["--privacy", "privacy", "--levels"];
    let levels = ["strict=1e-6,standard=1e-6,relaxed=1e-6,public=1e-6"];
    let printed = common::stdout(&[&data[..], &budgets, &levels].concat());
    assert!(printed.contains(USELESS), "{printed}");
}

#[test]
fn finds_commands_and_what_they_print() {
    let text = [
        "# Page\n\n    suum one \\\n        --two\n    suum three > file\n\n",
        "prose\n\n      part of it\n\n## Next\n\n    not printed\n\n",
        "```console\n$ suum four\nsuum is printed\n$ suum five\nerror: levels: wrong\n```\n\n",
        "```rust\nsuum six\n```\n",
    ]
    .concat();
    let step = |command: &str, printed: &[(Extent, &str)]| Step {
        command: command.to_owned(),
        printed: printed.iter().map(|(extent, text)| (*extent, (*text).to_owned())).collect(),
    };
    let found = steps(&text);
    assert_eq!(
        found,
        [
            step("suum one      --two", &[]),
            step("suum three > file", &[(Extent::Excerpt, "  part of it\n")]),
            step("suum four", &[(Extent::Whole, "suum is printed\n")]),
            step("suum five", &[(Extent::Whole, "error: levels: wrong\n")]),
        ]
    );
    assert!(found[3].is_refused() && !found[2].is_refused());
    assert_eq!(subject("error: levels: wrong\n"), Some("levels"));
}

#[test]
fn reports_faults_of_commands() {
    let checkout = Checkout::new();
    let step = |command: &str, text: &str| Step {
        command: command.to_owned(),
        printed: vec![(Extent::Excerpt, text.to_owned())],
    };
    let plan = "suum plan --profile 0.1:3400,inf:23 --bounds 0,77";
    assert_eq!(fault(&checkout, &step(plan, "plan for the mean\n")), None);
    for (command, text) in [
        (plan, "plan for the median\n"),
        (plan, "error: bounds: wrong\n"),
        ("suum plan --profile 0.1:3400 --bounds 1,0", "plan for the mean\n"),
        ("suum plan --profile 0.1:3400 --bounds 1,0", "error: levels: wrong\n"),
    ] {
        assert!(fault(&checkout, &step(command, text)).is_some(), "{command}: {text}");
    }
}
