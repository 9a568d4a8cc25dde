//! Answers on record: what commands say with the noise at zero, and how they would be protected.
//!
//! A redesign may change how an answer comes about, and which random numbers it takes. It must not
//! change tables, plans, weights, scales, what is spent, or the answer but for the noise, unless
//! that is its purpose: then the record shows what changed. `INSTA_UPDATE=always cargo test -p
//! suum-cli record` writes it anew, to be read before it is committed.

mod commands;
mod data;
mod projection;

use std::fmt::Write;

use suum_cli::{Given, answer, parse};

use data::Data;

/// How many commands must at least be on record, so that none gets lost.
const AT_LEAST: usize = 300;

/// What a command says, on one line; a refusal is an answer too.
fn said(words: &[String]) -> String {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match parse(words.iter().copied()).and_then(|asked| answer(asked, Given::default())) {
        Ok(answer) => projection::of(&answer.json().unwrap()),
        Err(refused) => format!("refused: {refused}"),
    }
}

#[test]
fn answers_are_those_on_record() {
    let data = Data::new();
    let mut count = 0;
    for (family, commands) in commands::families() {
        let mut text = String::new();
        for command in &commands {
            let words = data.words(command);
            writeln!(text, "$ {command}\n{}\n", data.without_paths(&said(&words))).unwrap();
        }
        count += commands.len();
        insta::assert_snapshot!(family, text);
    }
    assert!(count >= AT_LEAST, "{count} commands on record");
}
