//! Extent of the tests.

use std::io::{Write, stderr};
use std::thread;

/// Extent of the tests, set by the environment variable `SUUM_TESTS`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// `quick`: an answer in a minute. Laws at small sizes; no server, no browser.
    Quick,
    /// Variable not set: everything that the programs on this machine allow.
    Possible,
    /// `all`: everything; a program that is missing is a failure.
    All,
    /// `ci`: that, with all trials of statistical tests.
    Ci,
    /// `long`: that, with ten times the random cases.
    Long,
}

impl Extent {
    /// Reads the extent for this process.
    ///
    /// # Panics
    ///
    /// Panics if `SUUM_TESTS` is something else, which would otherwise silently test less.
    pub fn get() -> Self {
        match std::env::var("SUUM_TESTS").as_deref() {
            Err(_) => Self::Possible,
            Ok("quick") => Self::Quick,
            Ok("all") => Self::All,
            Ok("ci") => Self::Ci,
            Ok("long") => Self::Long,
            Ok(_) => panic!("SUUM_TESTS: expected quick, all, ci or long"),
        }
    }

    /// Number of random cases to try in place of `usual`: an eighth of them in a quick run, at
    /// least 4; ten times as many in a long one.
    ///
    /// ```
    /// use suum_testing::Extent;
    ///
    /// assert_eq!((Extent::Quick.cases(200), Extent::Quick.cases(6)), (25, 4));
    /// assert_eq!((Extent::All.cases(200), Extent::Long.cases(200)), (200, 2000));
    /// ```
    pub fn cases(self, usual: u32) -> u32 {
        match self {
            Self::Quick => (usual / 8).max(4),
            Self::Possible | Self::All | Self::Ci => usual,
            Self::Long => usual * 10,
        }
    }

    /// Number of trials of a statistical test to make in place of `full`: all of them before a
    /// change lands and in a long run, two of five elsewhere.
    ///
    /// Such a test computes from the number of trials what it accepts, so that its false-alarm
    /// rate stays what it is. Its power is less: with 240 trials in place of 600, a test that
    /// accepts four standard deviations sees an interval at 95 % that covers 85 % with a
    /// probability of 0.97 and not of 0.9999.
    ///
    /// ```
    /// use suum_testing::Extent;
    ///
    /// assert_eq!((Extent::All.trials(600), Extent::Ci.trials(600)), (240, 600));
    /// ```
    pub fn trials(self, full: u32) -> u32 {
        match self {
            Self::Quick | Self::Possible | Self::All => (2 * full).div_ceil(5),
            Self::Ci | Self::Long => full,
        }
    }
}

/// Reports that the calling test is not run, and why.
///
/// # Panics
///
/// Panics if everything has to be run.
pub(crate) fn missing(program: &str, package: &str) {
    let extent = Extent::get();
    assert!(
        !matches!(extent, Extent::All | Extent::Ci | Extent::Long),
        "this test needs {program}: install it (on Debian: apt-get install {package})"
    );
    not_run(&format!("no {program} here (on Debian: apt-get install {package})"));
}

/// Prints past the harness, which shows the output of a test only if it fails.
pub(crate) fn not_run(why: &str) {
    let thread = thread::current();
    let test = thread.name().unwrap_or("a test");
    let _ = writeln!(stderr(), "not run: {test}: {why}");
}
