//! Named services: sections of libpq's file `pg_service.conf`.

use std::fs;
use std::path::{Path, PathBuf};

use suum_core::{Error, Result};

use crate::environment::Environment;
use crate::options::Options;

/// Options of a service, from the user's file or otherwise from that of the system.
///
/// # Errors
///
/// Fails if no file has the service, or a line cannot be read. No message repeats a line: it can
/// hold a password.
pub(crate) fn service(name: &str, environment: &Environment) -> Result<Options> {
    let mut files = Vec::new();
    match environment.get("PGSERVICEFILE") {
        Some(path) => files.push(PathBuf::from(path)),
        None => files.extend(environment.file_of_user(".pg_service.conf", ".pg_service.conf")),
    }
    let folder =
        environment.get("PGSYSCONFDIR").unwrap_or_else(|| "/etc/postgresql-common".to_owned());
    files.push(Path::new(&folder).join("pg_service.conf"));
    for path in &files {
        let Ok(text) = fs::read_to_string(path) else { continue };
        if let Some(options) = section(&text, name, path)? {
            return Ok(options);
        }
    }
    let places: Vec<_> = files.iter().map(|path| path.display().to_string()).collect();
    Err(Error::parameter(format!("service {name}"), "it is not defined")
        .with_fix(format!("define it as a section [{name}] in {}", places.join(" or "))))
}

fn section(text: &str, name: &str, path: &Path) -> Result<Option<Options>> {
    let mut found: Option<Options> = None;
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some(title) = line.strip_prefix('[') {
            // The first section of that name counts.
            if found.is_some() {
                break;
            }
            if title.strip_suffix(']') == Some(name) {
                found = Some(Options::default());
            }
            continue;
        }
        let Some(options) = &mut found else { continue };
        let place = format!("{}, line {}", path.display(), index + 1);
        match line.split_once('=') {
            Some(("service", _)) | None => {
                return Err(Error::parameter(place, "it is not an option").with_fix(
                    "write options of a service as name=value; a service cannot name another",
                ));
            }
            Some((option, value)) => options.set(&place, option, value.to_owned())?,
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "# services\n[other]\nhost=a\n\n[mine]\n host=db\nport=5433\npassword=p = \
        q\n[mine]\nport=1\n";

    #[test]
    fn the_first_section_of_the_name_counts() {
        let options = section(FILE, "mine", Path::new("file")).unwrap().unwrap();
        assert_eq!(options.get("host"), Some("db"));
        assert_eq!(options.get("port"), Some("5433"));
        assert_eq!(options.get("password"), Some("p = q"));
        assert!(section(FILE, "none", Path::new("file")).unwrap().is_none());
    }

    #[test]
    fn refusals_name_the_line_and_not_what_it_says() {
        for broken in
            ["[mine]\nhush", "[mine]\nservice=hush", "[mine]\nhush=1", "[mine]\n# x\nhush=1"]
        {
            let refused = section(broken, "mine", Path::new("file")).map(|_| ()).unwrap_err();
            assert!(refused.to_string().starts_with("file, line "), "{refused}");
            assert!(!format!("{refused:?}").contains("hush"), "{refused:?}");
        }
    }
}
