//! Location of the data: a file, a folder, a glob, or standard input.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use rustc_hash::FxHashMap;
use suum_core::{Error, Place, Result, option};

use crate::read::compression::Compression;

/// The files to read, in order of their names, or standard input.
///
/// Files ending in `.csv` or `.txt` are CSV and files ending in `.parquet` Parquet, in upper or
/// lower case; those ending in `.gz` or `.zst` are CSV packed with gzip or Zstandard. Other files
/// are what their first bytes say: Parquet, packed CSV, or CSV. A folder stands for the `.csv`,
/// `.csv.gz`, `.csv.zst` and `.parquet` files directly in it whose names begin with neither `.` nor
/// `_`. It has no other folders in it, but for those whose names begin so. Each file is read once:
/// one that has two of the names, by a link, is refused.
///
/// # Example
///
/// ```
/// use suum_data::Source;
///
/// assert!(
///     Source::parse("-")?.total_bytes().is_none(),
///     "the length of standard input is not known"
/// );
/// assert!(Source::parse("no/such/file.csv").is_err());
/// # Ok::<(), suum_core::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Source(Location);

#[derive(Debug, Clone)]
pub(crate) enum Location {
    StandardInput,
    Files(Vec<DataFile>),
}

#[derive(Debug, Clone)]
pub(crate) struct DataFile {
    pub(crate) path: PathBuf,
    pub(crate) format: Format,
    compression: Option<Compression>,
    // None for pipes and devices.
    bytes: Option<u64>,
    identity: FileIdentity,
}

/// Identity of a file, whatever its name: device and inode number.
#[cfg(unix)]
type FileIdentity = (u64, u64);

/// Identity of a file, whatever its name: its path without links.
#[cfg(not(unix))]
type FileIdentity = PathBuf;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    Csv,
    Parquet,
}

impl DataFile {
    /// Compression of the file; Parquet compresses its columns itself.
    pub(crate) fn compression(&self) -> Option<Compression> {
        self.compression
    }
}

impl Source {
    /// Source that `text` names: a path, a glob, or `-` for CSV on standard input.
    ///
    /// What exists under the very name is taken as it is, even if the name reads like a glob.
    ///
    /// # Errors
    ///
    /// Refuses paths that do not exist, folders without data files or with folders in them, globs
    /// that match nothing or match a folder, files that are compressed in other ways, files that
    /// cannot be opened, and a file that a folder or a glob names twice.
    pub fn parse(text: &str) -> Result<Self> {
        if text == "-" {
            return Ok(Self(Location::StandardInput));
        }
        Self::from_paths(paths(text)?)
    }

    /// Source of several names, each a path or a glob, in their order.
    ///
    /// # Errors
    ///
    /// As [`parse`](Self::parse), and refuses standard input, which stands alone.
    ///
    /// # Example
    ///
    /// ```
    /// use suum_data::Source;
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    /// let (north, south) = (at("north.csv"), at("south.csv"));
    /// std::fs::write(&north, "epsilon\n1\n")?;
    /// std::fs::write(&south, "epsilon\n2\n")?;
    /// assert!(Source::parse_all([north.as_str(), &south]).is_ok());
    /// let twice = Source::parse_all([north.as_str(), &north]);
    /// assert!(twice.unwrap_err().to_string().contains("would count twice"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn parse_all<'a>(names: impl IntoIterator<Item = &'a str>) -> Result<Self> {
        let mut all = Vec::new();
        for name in names {
            if name == "-" {
                return Err(Error::request(option::DATA, "standard input stands beside no files")
                    .with_fix("name - alone, or files alone: cat … | suum … - reads several"));
            }
            all.extend(paths(name)?);
        }
        Self::from_paths(all)
    }

    fn from_paths(paths: Vec<PathBuf>) -> Result<Self> {
        let files = paths.into_iter().map(DataFile::open).collect::<Result<Vec<_>>>()?;
        check_distinct(&files)?;
        Ok(Self(Location::Files(files)))
    }

    /// Size of all files together, in bytes; `None` if it is not known beforehand.
    pub fn total_bytes(&self) -> Option<u64> {
        match &self.0 {
            Location::StandardInput => None,
            Location::Files(files) => files.iter().map(|file| file.bytes).sum(),
        }
    }

    /// Returns true if it is standard input, which can be read only once.
    ///
    /// # Example
    ///
    /// ```
    /// assert!(suum_data::Source::parse("-")?.is_standard_input());
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    pub fn is_standard_input(&self) -> bool {
        matches!(self.0, Location::StandardInput)
    }

    /// Returns true if any of it is CSV.
    pub fn has_csv(&self) -> bool {
        match &self.0 {
            Location::StandardInput => true,
            Location::Files(files) => files.iter().any(|file| file.format == Format::Csv),
        }
    }

    pub(crate) fn location(&self) -> &Location {
        &self.0
    }
}

/// Files that a name stands for.
fn paths(text: &str) -> Result<Vec<PathBuf>> {
    let path = Path::new(text);
    if path.is_dir() {
        in_folder(path)
    } else if path.exists() || !text.contains(['*', '?', '[']) {
        Ok(vec![path.to_owned()])
    } else {
        matching(text)
    }
}

impl DataFile {
    fn open(path: PathBuf) -> Result<Self> {
        let unreadable = |error: std::io::Error| cannot_read(&path, &error);
        let metadata = fs::metadata(&path).map_err(unreadable)?;
        if metadata.is_dir() {
            return Err(Error::io(Place::file(path.display()), "is a folder")
                .with_fix("name the folder itself, or a glob that matches only files"));
        }
        let bytes = metadata.is_file().then_some(metadata.len());
        let (format, compression) = match extension(&path).as_deref() {
            Some("csv" | "txt") => (Format::Csv, None),
            Some("parquet") => (Format::Parquet, None),
            Some("bz2" | "xz" | "zip") => {
                return Err(Error::io(
                    Place::file(path.display()),
                    "is compressed in a way that is not known here",
                )
                .with_fix(
                    "use .gz or .zst, or unpack it first, for example: xzcat FILE | suum … -",
                ));
            }
            Some(other) if foreign(other).is_some() => {
                let (what, hint) = foreign(other).unwrap_or_default();
                return Err(Error::io(
                    Place::file(path.display()),
                    format!("is {what}, which is not read"),
                )
                .with_fix(hint));
            }
            Some(packed) if Compression::from_extension(packed).is_some() => {
                if path
                    .file_stem()
                    .is_some_and(|inner| extension(Path::new(inner)).as_deref() == Some("parquet"))
                {
                    return Err(Error::io(Place::file(path.display()), "is compressed Parquet")
                        .with_fix("unpack it; Parquet files compress their columns themselves"));
                }
                (Format::Csv, Compression::from_extension(packed))
            }
            // Looking into a pipe would take bytes out of it.
            _ if bytes.is_none() => (Format::Csv, None),
            _ => sniff(&path).map_err(unreadable)?,
        };
        if bytes.is_some() {
            // Tell before anything is read that a file cannot be.
            File::open(&path).map_err(unreadable)?;
        }
        let identity = identity(&path, &metadata).map_err(unreadable)?;
        Ok(Self { path, format, compression, bytes, identity })
    }
}

#[cfg(unix)]
fn identity(_: &Path, metadata: &fs::Metadata) -> std::io::Result<FileIdentity> {
    use std::os::unix::fs::MetadataExt;
    Ok((metadata.dev(), metadata.ino()))
}

#[cfg(not(unix))]
fn identity(path: &Path, _: &fs::Metadata) -> std::io::Result<FileIdentity> {
    fs::canonicalize(path)
}

/// Refuses a file that has two of the names: each of its records would count twice.
fn check_distinct(files: &[DataFile]) -> Result<()> {
    let mut first_names: FxHashMap<&FileIdentity, &Path> = FxHashMap::default();
    for file in files {
        if let Some(first) = first_names.insert(&file.identity, &file.path) {
            return Err(Error::io(
                format!("{} and {}", first.display(), file.path.display()),
                "are one file, whose records would count twice",
            )
            .with_fix(
                "name each file once: leave one of the names out, remove the link, or name the \
                 files with a glob that matches one of them",
            ));
        }
    }
    Ok(())
}

fn sniff(path: &Path) -> std::io::Result<(Format, Option<Compression>)> {
    let mut start = Vec::new();
    File::open(path)?.take(4).read_to_end(&mut start)?;
    Ok(match start.as_slice() {
        b"PAR1" => (Format::Parquet, None),
        start => (Format::Csv, Compression::from_start(start)),
    })
}

fn in_folder(folder: &Path) -> Result<Vec<PathBuf>> {
    let unreadable = |error: std::io::Error| cannot_read(folder, &error);
    let (mut paths, mut subfolders) = (Vec::new(), Vec::new());
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        // Writers leave marks such as _SUCCESS and .part-0.csv.crc beside the data.
        let hidden = path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."))
            || path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"_"));
        let inner = extension(&path).and_then(|ending| {
            let packed = Compression::from_extension(&ending)
                .and_then(|_| extension(Path::new(path.file_stem()?)));
            packed.filter(|inner| inner == "csv").or(Some(ending))
        });
        if hidden {
            continue;
        }
        let is_data = matches!(inner.as_deref(), Some("csv" | "parquet"));
        if path.is_dir() {
            subfolders.push((path, is_data));
        } else if is_data {
            paths.push(path);
        }
    }
    if let Some((subfolder, is_data)) = subfolders.into_iter().min() {
        let name = folder.display().to_string();
        let (at, ending) = (name.trim_end_matches('/'), common_ending(&paths));
        return Err(Error::io(
            Place::file(subfolder.display()),
            "is a folder in the one that is named, and its files are not read with it",
        )
        .with_fix(match is_data {
            // A folder of parts, as Spark names it.
            true => format!("name one such folder, or a glob: '{at}/*/*.{ending}'"),
            false => format!(
                "name the files with a glob: '{at}/**/*.{ending}' for those of all folders in \
                 it, '{at}/*.{ending}' for those directly in it"
            ),
        }));
    }
    if paths.is_empty() {
        return Err(Error::io(
            Place::file(folder.display()),
            "the folder has no .csv, .csv.gz, .csv.zst or .parquet files",
        )
        .with_fix(
            "name a folder with data files directly in it, or a glob such as 'data/*/*.parquet'",
        ));
    }
    paths.sort();
    Ok(paths)
}

/// Ending of the data files, for a glob that matches them.
fn common_ending(paths: &[PathBuf]) -> String {
    let mut endings = paths.iter().filter_map(|path| extension(path));
    let first = endings.next().unwrap_or_else(|| "csv".to_owned());
    if endings.all(|ending| ending == first) { first } else { "*".to_owned() }
}

fn matching(pattern: &str) -> Result<Vec<PathBuf>> {
    let options = glob::MatchOptions { require_literal_leading_dot: true, ..Default::default() };
    let found = glob::glob_with(pattern, options).map_err(|_| {
        Error::parameter(Place::file(pattern), "is not a pattern").with_fix(
            "use * and ? for parts of names, ** for folders of any depth, and [ab] for one of some \
            letters",
        )
    })?;
    let mut paths = Vec::new();
    for path in found {
        paths.push(path.map_err(|error| cannot_read(error.path(), error.error()))?);
    }
    if paths.is_empty() {
        return Err(Error::io(Place::file(pattern), "no file matches").with_fix(
            "check the folder, and quote the pattern so that the shell leaves it alone",
        ));
    }
    paths.sort();
    Ok(paths)
}

/// Description of files with this extension, which cannot be read, and the way out.
fn foreign(extension: &str) -> Option<(&'static str, &'static str)> {
    Some(match extension {
        "xlsx" | "xls" | "xlsb" | "ods" => (
            "a spreadsheet",
            "save its sheet as CSV in UTF-8, with a header and one record per row",
        ),
        "dta" => (
            "a dataset of Stata",
            "write it as CSV (in Stata: export delimited), or hand suum in Python the frame that \
             pandas.read_stata reads",
        ),
        "sav" | "sas7bdat" | "rds" | "rda" | "rdata" => (
            "a dataset of another statistics program",
            "write it there as CSV, or hand suum in Python the frame that pandas reads",
        ),
        "json" | "jsonl" | "ndjson" => (
            "JSON",
            "write its records as CSV or Parquet, or hand suum in Python the frame that \
             pandas.read_json reads",
        ),
        "arrow" | "feather" | "orc" | "avro" => (
            "a table of another format",
            "write it as Parquet, or hand suum in Python the table that pyarrow reads",
        ),
        "duckdb" | "ddb" => (
            "a database of DuckDB",
            "hand suum in Python its relation (suum.duckdb), or write a table as Parquet: COPY t \
             TO 't.parquet'",
        ),
        _ => return None,
    })
}

fn extension(path: &Path) -> Option<String> {
    path.extension().and_then(OsStr::to_str).map(str::to_ascii_lowercase)
}

fn cannot_read(path: &Path, error: &std::io::Error) -> Error {
    if error.kind() == std::io::ErrorKind::NotFound {
        return Error::io(Place::file(path.display()), "there is no such file")
            .with_fix("check the path; it begins in the working directory, or with /");
    }
    Error::io(Place::file(path.display()), format!("cannot be read ({})", error.kind()))
        .with_fix("check that it exists and may be read")
}
