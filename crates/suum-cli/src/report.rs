//! `--report FILE`: the page of an answer, whose file is checked before anything is read or
//! charged.

use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use suum::{Answer, Error, Result, View, option, say};
use tempfile::NamedTempFile;

/// File that is written under a temporary name, and renamed when it is complete.
pub(crate) struct Report {
    path: PathBuf,
    file: NamedTempFile,
}

impl Report {
    /// Checks that a file can be created at this path, and that there is none yet: a release cannot
    /// be repeated, so its page is never replaced.
    pub(crate) fn open(path: &str) -> Result<Self> {
        let names_folder = path.ends_with(std::path::is_separator);
        let path = PathBuf::from(path);
        match path.symlink_metadata() {
            Ok(found) if !found.is_dir() => return Err(exists()),
            Ok(_) => return Err(no_file()),
            Err(error) if error.kind() != ErrorKind::NotFound => {
                return Err(cannot_be_written(error.kind()));
            }
            Err(_) if names_folder || path.file_name().is_none() => return Err(no_file()),
            Err(_) => {}
        }
        let folder =
            path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut builder = tempfile::Builder::new();
        builder.prefix(".suum-report-").suffix(".html");
        // Readable for whoever may read other new files, which temporary ones are not.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let file = builder.tempfile_in(folder).map_err(|error| cannot_be_written(error.kind()))?;
        Ok(Self { path, file })
    }

    /// Writes the page of the answer. If that fails, the answer gets a refusal but is returned all
    /// the same, since it may have been paid for.
    pub(crate) fn write(self, answer: Answer, view: &View) -> Answer {
        let written = answer.html_for(view).and_then(|html| self.put(&html));
        let again = answer.command_to_show_again();
        match written {
            Ok(()) => answer,
            Err(error) => {
                let again = again
                    .map(|command| format!("{command} shows the answer again; nobody pays again"));
                let fix = match (error.fix().cloned(), again) {
                    (Some(fix), Some(again)) => fix.say(format!("; {again}")),
                    (fix, again) => fix.unwrap_or_else(|| again.unwrap_or_default().into()),
                };
                answer.with_refusal(Some(error.with_fix(fix)))
            }
        }
    }

    fn put(self, html: &str) -> Result<()> {
        let Self { path, mut file } = self;
        let failed = |kind: ErrorKind| match kind {
            ErrorKind::AlreadyExists => exists(),
            kind => Error::io(option::REPORT, format!("the file could not be written ({kind})"))
                .with_fix("what it would have said is on standard output"),
        };
        let complete = file.write_all(html.as_bytes()).and_then(|()| file.as_file().sync_all());
        complete.map_err(|error| failed(error.kind()))?;
        file.persist_noclobber(path).map_err(|error| failed(error.error.kind()))?;
        Ok(())
    }
}

fn exists() -> Error {
    Error::io(option::REPORT, "there is a file of that name, which is not replaced")
        .with_fix("choose another name, or remove the file")
}

fn no_file() -> Error {
    Error::parameter(option::REPORT, "it names no file, but a folder")
        .with_fix(say("name a file in it, for example").set(option::REPORT, "release.html"))
}

fn cannot_be_written(kind: ErrorKind) -> Error {
    Error::io(option::REPORT, format!("the file cannot be written ({kind})"))
        .with_fix("name a file in a folder that exists and can be written to")
}
