//! Browser for tests, which opens a page and returns the resulting document.

use std::env;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::Extent;
use crate::extent::{missing, not_run};

const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const APPLICATION: &str = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";

/// Chromium or Chrome, without a window.
#[derive(Debug)]
pub struct Browser(PathBuf);

impl Browser {
    /// Finds the browser of this machine, or the one that `SUUM_TEST_CHROMIUM` names; without one,
    /// or in a quick run, reports that the test is not run.
    ///
    /// # Panics
    ///
    /// Panics if there is none and everything has to be run.
    pub fn find() -> Option<Self> {
        if Extent::get() == Extent::Quick {
            not_run("it needs a browser");
            return None;
        }
        let named = env::var_os("SUUM_TEST_CHROMIUM").map(PathBuf::from);
        let path = env::var_os("PATH").unwrap_or_default();
        let folders: Vec<PathBuf> = env::split_paths(&path).collect();
        let on_path = NAMES.iter().flat_map(|name| folders.iter().map(move |one| one.join(name)));
        let mut found = named.into_iter().chain(on_path).chain([PathBuf::from(APPLICATION)]);
        let found = found.find(|path| path.is_file()).map(Self);
        if found.is_none() {
            missing("Chromium or Chrome", "chromium");
        }
        found
    }

    /// Document of a page after all scripts have run, and timers of the next twenty seconds.
    ///
    /// # Panics
    ///
    /// Panics if the browser does not end within three minutes, or makes no document of the page.
    pub fn document(&self, html: &str) -> String {
        let folder = tempfile::tempdir().expect("the temporary folder can be written to");
        fs::write(folder.path().join("page.html"), html).expect("the folder is ours");
        self.open(folder.path(), "page.html")
    }

    /// Document of a file in a folder, in which the browser keeps its own files too.
    ///
    /// # Panics
    ///
    /// Panics like [`document`](Self::document).
    pub fn open(&self, folder: &Path, file: &str) -> String {
        let [dumped, said] = ["dumped", "said"].map(|name| folder.join(name));
        let mut browser = Command::new(&self.0)
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run"])
            .args(["--disable-background-networking", "--disable-dev-shm-usage"])
            .args(["--allow-file-access-from-files", "--virtual-time-budget=20000"])
            .args(["--window-size=1400,900", "--dump-dom"])
            .arg(format!("--user-data-dir={}", folder.join("profile").display()))
            .arg(format!("file://{}", folder.join(file).display()))
            .stdout(File::create(&dumped).expect("the folder is ours"))
            .stderr(File::create(&said).expect("the folder is ours"))
            .stdin(Stdio::null())
            .spawn()
            .expect("the browser runs");
        let started = Instant::now();
        let status = loop {
            if let Some(status) = browser.try_wait().expect("the browser is ours") {
                break status;
            }
            if started.elapsed() > Duration::from_secs(180) {
                let _ = browser.kill();
                panic!("the browser has not come to an end");
            }
            thread::sleep(Duration::from_millis(20));
        };
        let document = fs::read_to_string(&dumped).unwrap_or_default();
        let said = fs::read_to_string(&said).unwrap_or_default();
        assert!(status.success() && !document.is_empty(), "{said}");
        document
    }
}
