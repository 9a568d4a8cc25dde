//! `--report FILE`: a place for the page of an answer, made sure of before anything is read or
//! charged.

use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use suum::{Answer, Error, Result};
use tempfile::NamedTempFile;

/// A file that is written beside its place, and put there when it is complete.
pub(crate) struct Report {
    path: PathBuf,
    file: NamedTempFile,
}

impl Report {
    /// Makes sure that there can be a file at this path, and that there is none yet: a release
    /// cannot be repeated, so its page is never replaced.
    pub(crate) fn open(path: &str) -> Result<Self> {
        let path = PathBuf::from(path);
        if path.symlink_metadata().is_ok() {
            return Err(exists());
        }
        if path.file_name().is_none() {
            return Err(Error::parameter("report: it names no file")
                .with_hint("for example --report release.html"));
        }
        let folder =
            path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut builder = tempfile::Builder::new();
        builder.prefix(".suum-report-").suffix(".html");
        // Readable for whoever may read other new files, which temporary ones are not.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let file = builder.tempfile_in(folder).map_err(|error| {
            Error::io(format!("report: the file cannot be written ({})", error.kind()))
                .with_hint("name a file in a folder that exists and can be written to")
        })?;
        Ok(Self { path, file })
    }

    /// Writes the page of the answer; where that fails, the answer says so and is there all the
    /// same, for it may have been paid for.
    pub(crate) fn write(self, answer: Answer) -> Answer {
        let written = answer.html().and_then(|html| self.put(&html));
        match written {
            Ok(()) => answer,
            Err(error) => answer.with_refusal(Some(error)),
        }
    }

    fn put(self, html: &str) -> Result<()> {
        let Self { path, mut file } = self;
        let failed = |kind: ErrorKind| match kind {
            ErrorKind::AlreadyExists => exists(),
            kind => Error::io(format!("report: the file could not be written ({kind})")).with_hint(
                "what it would have said is on standard output; --format json has all of it",
            ),
        };
        let complete = file.write_all(html.as_bytes()).and_then(|()| file.as_file().sync_all());
        complete.map_err(|error| failed(error.kind()))?;
        file.persist_noclobber(path).map_err(|error| failed(error.error.kind()))?;
        Ok(())
    }
}

fn exists() -> Error {
    Error::io("report: there is a file of that name, which is not replaced")
        .with_hint("choose another name, or remove the file")
}
