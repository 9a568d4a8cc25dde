//! Study files made from the header of data.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs::File;
use std::io::Write as _;
use std::path::Path;

use serde::Serialize;
use suum_core::{Asking, Command, Error, Place, Result, for_example, option};
use suum_report::{Beside, View};
use suum_sql::{self as sql, ColumnKind};

use super::{Task, reading};
use crate::answer::{Content, More};
use crate::options::Entries;
use crate::{Answer, DataSource, Job, JobInputs};

/// Column of the data, with the kind of values that its type tells.
type Column = (String, Option<ColumnKind>);

/// Names of columns that often hold tiers, budgets and persons.
const OF_TIERS: [&str; 4] = ["privacy", "consent", "tier", "level"];
const OF_BUDGETS: [&str; 3] = ["epsilon", "budget", "eps"];
const OF_PERSONS: [&str; 8] =
    ["person", "person_id", "id", "pid", "patient", "patient_id", "respondent", "subject"];

/// Writes a study file for data: commented, from the header or the schema alone. No value is read.
///
/// The entries are those of `suum study init`: `data`, `file` (named after the data if it is left
/// out), and where needed `table`, `query`, `delimiter`, `encoding` and `decimal`.
///
/// # Errors
///
/// Refuses data without a header, and a file that exists.
///
/// # Example
///
/// ```
/// use suum::Entries;
///
/// let folder = tempfile::tempdir().unwrap();
/// let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
/// let (data, file) = (at("people.csv"), at("people.toml"));
/// std::fs::write(&data, "visits,tier\n3,open\n").unwrap();
/// let entries = Entries::default().with("data", data).with("file", file.clone());
/// suum::init_study(entries, Default::default())?;
/// assert!(std::fs::read_to_string(file).unwrap().contains("[columns.visits]"));
/// # Ok::<(), suum::Error>(())
/// ```
pub fn init_study(mut entries: Entries, given: JobInputs) -> Result<Answer> {
    let file = entries.text("file")?;
    let source = DataSource::read(&mut entries)?;
    entries.finish()?;
    let data =
        source.data.as_ref().and_then(|names| names.iter().next()).unwrap_or_default().to_owned();
    let file = match file {
        Some(file) => file,
        None => named_after(&data)?,
    };
    let job = Job { source, ..Job::default() };
    let columns = reading::columns(&Task::new(&job, given))?;
    // A table without names of columns begins with a record.
    if columns.iter().any(|(name, _)| name.trim().parse::<f64>().is_ok()) {
        return Err(Error::data(Place::file(&data), "its first line has numbers, as a record has")
            .with_fix("name the columns in the first line of the file"));
    }
    let text = study_text(&job.source, &columns, &file);
    write_new(&file, &text)?;
    let example = columns.iter().map(|(name, _)| name).find(|name| !is_of_consent(name));
    Ok(Answer::from_content(WrittenStudy {
        file,
        columns: columns.len(),
        example: example.cloned(),
    }))
}

/// Study file that was written.
#[derive(Debug, Serialize)]
struct WrittenStudy {
    file: String,
    /// Number of columns in it.
    columns: usize,
    /// Column of which a request can ask.
    example: Option<String>,
}

impl Content for WrittenStudy {
    fn text(&self, view: &View, _: &Beside) -> String {
        let Self { file, columns, example } = self;
        let columns = match columns {
            1 => "1 column".to_owned(),
            columns => format!("{columns} columns"),
        };
        let mut asking = Asking { is_example: false, ..Asking::new("mean") };
        let value = example.as_deref().unwrap_or("COL").to_owned();
        for (option, value) in [(option::STUDY, file.clone()), (option::VALUE, value)] {
            asking.settings.push((option, value.into()));
        }
        let ask = view.voice().command(&Command::Ask(asking));
        format!(
            "Wrote {file}: {columns}, from the header alone; no value was read.\n\
             Say in it who allows what and what the columns mean, then ask, for example:\n  \
             {ask}\n"
        )
    }

    fn json(&self, _: &More) -> Result<String> {
        suum_report::json(self)
    }
}

/// Returns true if a column is often one of tiers or of budgets, by its name.
fn is_of_consent(name: &str) -> bool {
    is_one_of(name, &[&OF_TIERS, &OF_BUDGETS])
}

/// Returns the name of a study file beside nothing: that of the data, without its folder.
fn named_after(data: &str) -> Result<String> {
    let stem = Path::new(data).file_name().map(|name| name.to_string_lossy().into_owned());
    let stem = stem.as_deref().and_then(|name| name.split('.').next());
    let is_plain = |stem: &&str| !stem.is_empty() && !data.contains(['*', '?', '[', ':']);
    match stem.filter(is_plain) {
        Some(stem) if data != "-" => Ok(format!("{stem}.toml")),
        _ => Err(Error::parameter(option::FILE, "the study file has no name")
            .with_fix(for_example(option::FILE, "study.toml"))),
    }
}

fn write_new(file: &str, text: &str) -> Result<()> {
    let mut written = File::create_new(file).map_err(|error| match error.kind() {
        std::io::ErrorKind::AlreadyExists => {
            Error::io(Place::file(file), "it exists, and a study is not written over another file")
                .with_fix(for_example(option::FILE, "another.toml"))
        }
        kind => Error::io(Place::file(file), format!("it cannot be written ({kind})"))
            .with_fix("name a file in a folder that you may write to"),
    })?;
    written.write_all(text.as_bytes()).map_err(|error| {
        Error::io(Place::file(file), format!("it cannot be written ({})", error.kind()))
            .with_fix("make room for it, and remove what was written")
    })
}

/// Returns true if the name of a column is in one of these lists, whatever its case.
fn is_one_of(name: &str, lists: &[&[&str]]) -> bool {
    lists.iter().any(|list| list.contains(&name.to_lowercase().as_str()))
}

/// Returns the text of a study file for these columns.
fn study_text(source: &DataSource, columns: &[Column], file: &str) -> String {
    let first = |names: &[&str], other: &str| {
        let found = columns.iter().find(|(name, _)| is_one_of(name, &[names]));
        quoted(found.map_or(other, |(name, _)| name))
    };
    let mut text = String::from(
        "# Study: who allows what, who is a person, and what columns mean. Said once; requests\n\
         # that name this file take it from here. Remove the # of the lines that hold, and change\n\
         # them. What is below is from the header alone; say the rest from public knowledge, and\n\
         # do not look it up in the data.\n\n\
         # Where the records are; a path is relative to the folder in which suum runs.\n",
    );
    let named: Vec<&str> = source.data.iter().flat_map(|names| names.iter()).collect();
    // The address of a database can have a password, which no file needs to know.
    let shown = |name: &str| match sql::is_postgres_url(name) {
        true => sql::without_password(name),
        false => name.to_owned(),
    };
    let is_shown = named.iter().all(|name| shown(name) == *name);
    let names: Vec<String> = named.iter().map(|name| quoted(&shown(name))).collect();
    let data = match names.as_slice() {
        [one] => one.clone(),
        several => format!("[{}]", several.join(", ")),
    };
    let mut line = |line: std::fmt::Arguments<'_>| {
        // Writing to a text never fails.
        let _ = writeln!(text, "{line}");
    };
    match is_shown {
        true => line(format_args!("data = {data}")),
        false => {
            line(format_args!("# Without its password; PGPASSWORD can hold it.\n# data = {data}"))
        }
    }
    let more = [
        ("table", source.table.clone()),
        ("query", source.query.clone()),
        ("delimiter", source.delimiter.map(|delimiter| delimiter.to_string())),
        ("encoding", source.encoding.map(|encoding| encoding.to_string())),
        ("decimal", source.decimal.map(|decimal| decimal.to_string())),
    ];
    for (name, value) in more {
        if let Some(value) = value {
            line(format_args!("{name} = {}", quoted(&value)));
        }
    }
    line(format_args!(
        "\n# What people allow: a column of tiers, with the budget (epsilon) of each; or a\n\
         # column of budgets.\n\
         # privacy = {}\n\
         # levels = {{ strict = 0.01, standard = 0.1, open = 1 }}\n\
         # epsilon = {}\n\n\
         # Who is a person, if a person can have several rows.\n\
         # person = {}\n\n\
         # The ledger that keeps account of what releases cost; suum ledger init makes one.\n\
         # ledger = {}\n\n\
         # What columns mean. Numbers have bounds: the range that values can take, and perhaps a\n\
         # step. Labels have categories, or groups. null lists what stands for an empty cell. A\n\
         # column that everybody may know of everybody, for good, is public.",
        first(&OF_TIERS, "privacy"),
        first(&OF_BUDGETS, "epsilon"),
        first(&OF_PERSONS, "id"),
        quoted(
            &file
                .strip_suffix(".toml")
                .map_or("study.ledger".to_owned(), |stem| { format!("{stem}.ledger") })
        ),
    ));
    let mut seen = BTreeSet::new();
    for (name, kind) in columns {
        if is_of_consent(name) || !seen.insert(name.as_str()) {
            continue;
        }
        line(format_args!("\n[columns.{}]", key(name)));
        let lines: &[&str] = match kind {
            Some(ColumnKind::Integer) => &["# bounds = [0, 100]", "# step = 1"],
            Some(ColumnKind::Number) => &["# bounds = [0, 100]"],
            Some(ColumnKind::Label) => &["# categories = [\"A\", \"B\"]"],
            Some(ColumnKind::Date) => &["# bounds = [\"2020-01-01\", \"2029-12-31\"]"],
            Some(ColumnKind::Time) => &["# bounds = [\"2020-01-01T00:00\", \"2029-12-31T24:00\"]"],
            Some(ColumnKind::Other) | None => {
                &["# bounds = [0, 100]", "# categories = [\"A\", \"B\"]"]
            }
        };
        lines.iter().for_each(|one| line(format_args!("{one}")));
    }
    text
}

/// Returns a text as TOML writes it on one line.
fn quoted(text: &str) -> String {
    // A text of JSON is one of TOML, but for the character that only TOML escapes.
    serde_json::Value::from(text).to_string().replace('\u{7f}', "\\u007f")
}

/// Returns a key as TOML writes it.
fn key(name: &str) -> String {
    let is_bare = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    match !name.is_empty() && name.bytes().all(is_bare) {
        true => name.to_owned(),
        false => quoted(name),
    }
}
