//! Password file of libpq: lines of `host:port:database:user:password`.

use std::fs;
use std::path::{Path, PathBuf};

use crate::password::Password;

/// Lines of a password file.
#[derive(Default)]
pub(crate) struct PassFile {
    lines: Vec<[String; 5]>,
    /// Reason why the file is ignored, if it exists.
    pub(crate) warning: Option<String>,
}

impl PassFile {
    /// Reads the lines of the file; none if there is no such file, or if others than its owner may
    /// read it.
    pub(crate) fn read(path: Option<PathBuf>) -> Self {
        let Some(path) = path else { return Self::default() };
        let Ok(metadata) = fs::metadata(&path) else { return Self::default() };
        let aside = |why: &str| {
            let warning = format!("{}: the password file is ignored: {why}", path.display());
            Self { lines: Vec::new(), warning: Some(warning) }
        };
        if !metadata.is_file() {
            return aside("it is not a plain file");
        }
        if !is_private(&metadata) {
            return aside("others than its owner may read it; run chmod 600 on it");
        }
        match read_lines(&path) {
            Some(lines) => Self { lines, warning: None },
            None => aside("it cannot be read"),
        }
    }

    /// Password of the first line that matches; in a line, `*` matches everything.
    pub(crate) fn password(
        &self,
        host: &str,
        port: u16,
        database: &str,
        user: &str,
    ) -> Option<Password> {
        let port = port.to_string();
        let wanted = [host, &port, database, user];
        self.lines.iter().find_map(|line| {
            let (patterns, password) = line.split_at(4);
            let fits = patterns
                .iter()
                .zip(wanted)
                .all(|(pattern, wanted)| pattern == "*" || pattern == wanted);
            fits.then(|| Password::new(password.concat()))
        })
    }
}

#[cfg(unix)]
fn is_private(metadata: &fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    metadata.permissions().mode() & 0o077 == 0
}

// On Windows the folder is taken to be private, as libpq does.
#[cfg(not(unix))]
fn is_private(_: &fs::Metadata) -> bool {
    true
}

fn read_lines(path: &Path) -> Option<Vec<[String; 5]>> {
    let text = String::from_utf8(fs::read(path).ok()?).ok()?;
    Some(text.lines().filter(|line| !line.starts_with('#')).filter_map(fields).collect())
}

/// Fields of a line, split at colons; a backslash escapes the character after it.
fn fields(line: &str) -> Option<[String; 5]> {
    let mut fields = vec![String::new()];
    let mut characters = line.chars();
    while let Some(character) = characters.next() {
        let last = fields.len() - 1;
        match character {
            ':' => fields.push(String::new()),
            '\\' => fields[last].extend(characters.next()),
            _ => fields[last].push(character),
        }
    }
    // Fields after the password are ignored, as in libpq.
    fields.truncate(5);
    fields.try_into().ok()
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    fn file(text: &str, mode: u32) -> (tempfile::TempDir, PassFile) {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pgpass");
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        let file = PassFile::read(Some(path));
        (folder, file)
    }

    #[test]
    fn the_first_line_that_fits_counts() {
        let (_folder, file) = file(
            "# a comment\n\nbroken \
            line\ndb:5432:survey:ada:first\ndb:*:*:ada:second\n*:*:*:eve:third\n",
            0o600,
        );
        let password = |host, port, database, user| {
            file.password(host, port, database, user).map(|word| word.reveal().to_owned())
        };
        assert_eq!(password("db", 5432, "survey", "ada").as_deref(), Some("first"));
        assert_eq!(password("db", 5433, "survey", "ada").as_deref(), Some("second"));
        assert_eq!(password("elsewhere", 1, "x", "eve").as_deref(), Some("third"));
        assert_eq!(password("elsewhere", 5432, "survey", "ada"), None);
        assert!(file.warning.is_none());
    }

    #[test]
    fn colons_and_backslashes_are_escaped() {
        let (_folder, file) =
            file("::1:1:d:u:no\n\\:\\:1:1:d\\\\:u\\*:p\\:q\\\\\\r:left aside\r\n", 0o400);
        let found = file.password("::1", 1, "d\\", "u*").unwrap();
        assert_eq!(found.reveal(), "p:q\\r");
    }

    #[test]
    fn a_file_that_others_may_read_is_ignored() {
        for mode in [0o640, 0o604, 0o610, 0o666] {
            let (_folder, file) = file("*:*:*:*:secret\n", mode);
            assert!(file.password("db", 5432, "survey", "ada").is_none(), "{mode:o}");
            let warning = file.warning.unwrap();
            assert!(warning.contains("chmod 600") && !warning.contains("secret"), "{warning}");
        }
        assert!(PassFile::read(Some(PathBuf::from("/no/such/file"))).warning.is_none());
        assert!(PassFile::read(Some(PathBuf::from("/"))).warning.is_some());
    }

    #[test]
    fn passwords_do_not_show_themselves() {
        assert_eq!(format!("{:?}", Password::new("secret")), "***");
    }
}
