//! Common parts of the tests of all crates: their extent, and programs that they start.
//!
//! A test that needs a program asks whether it is there, and returns if it is not. This is reported
//! on standard error, past the capture of the test harness: a test that did nothing must not look
//! like one that passed. The environment variable `SUUM_TESTS` sets the extent ([`Extent`]).
#![allow(clippy::expect_used, clippy::panic, reason = "a test that cannot go on fails")]

mod browser;
mod extent;
mod postgres;

pub use browser::Browser;
pub use extent::Extent;
pub use postgres::{PASSWORD, Server};
