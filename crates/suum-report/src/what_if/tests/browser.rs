//! A browser for tests: it opens a page and says what has become of it.

use std::path::PathBuf;
use std::process::Command;

/// The document after all scripts have run, and timers of the next three seconds.
pub(super) fn document(html: &str) -> String {
    let directory = tempfile::tempdir().unwrap();
    let page = directory.path().join("page.html");
    std::fs::write(&page, html).unwrap();
    let run = Command::new(browser())
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-background-networking",
            "--no-first-run",
        ])
        .args(["--virtual-time-budget=3000", "--timeout=120000", "--dump-dom"])
        .arg(format!("--user-data-dir={}", directory.path().join("profile").display()))
        .arg(&page)
        .output()
        .unwrap();
    let document = String::from_utf8(run.stdout).unwrap();
    assert!(
        run.status.success() && !document.is_empty(),
        "{}",
        String::from_utf8_lossy(&run.stderr)
    );
    document
}

/// Chromium or Chrome; without one the tests fail.
fn browser() -> PathBuf {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let named = ["chromium", "chromium-browser", "google-chrome"].into_iter();
    let on_path = named.flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    let application = PathBuf::from("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome");
    on_path.chain([application]).find(|candidate| candidate.exists()).expect(
        "these tests need a browser: install chromium (on Debian apt-get install chromium; as root \
        ./test.sh does that)",
    )
}

/// The text between the element with this id and its end, as it stands in the document.
pub(super) fn inside<'a>(document: &'a str, id: &str) -> &'a str {
    let at = document.find(&format!("id=\"{id}\"")).unwrap_or_else(|| panic!("no element {id}"));
    let text = &document[at..];
    let text = &text[text.find('>').unwrap() + 1..];
    &text[..text.find("</").unwrap()]
}
