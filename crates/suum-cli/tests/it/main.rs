//! The command, its pages, and the rules of the code.

// Helpers outside of #[test] functions are tests too.
#![allow(clippy::unwrap_used, clippy::panic)]

mod architecture;
mod book;
mod circles;
mod cli;
mod combinations;
mod commands;
mod coverage;
mod doors;
mod examples;
mod given;
mod kept_ledgers;
mod keywords;
mod pages;
mod record;
mod reference;
mod release_schema;
mod source;
mod tidy;
mod verify;
