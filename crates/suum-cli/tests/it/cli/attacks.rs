//! Nothing that the command says or writes repeats what is in the data: releases, JSON, refusals,
//! and the ledger, which is its log.

use std::fs;
use std::path::Path;

use super::common::suum;

/// Found in no other text: a word where a number, a tier, a category or a group is due, and a
/// value.
const WORD: &str = "hush";
const VALUE: &str = "0.739184625313";
const PEOPLE: u64 = 60;

fn leaks(said: &[u8]) -> bool {
    // Its place on the grid, and the exact sum of all people.
    let index = (VALUE.parse::<f64>().unwrap() * f64::from(1u32 << 30)).round() as u64;
    let said = String::from_utf8_lossy(said);
    [WORD, &VALUE[2..9], &index.to_string(), &(index * PEOPLE).to_string()]
        .iter()
        .any(|secret| said.contains(secret))
}

/// Everything that the command says.
fn run_command(arguments: &[&str]) -> (Option<i32>, Vec<u8>) {
    let output = suum(arguments).output().unwrap();
    (output.status.code(), [output.stdout, output.stderr].concat())
}

/// People who all have the same value, with so small a budget that an answer near it would be a
/// leak; and one more line.
fn people(folder: &Path, name: &str, line: &[u8]) -> String {
    let mut text = b"v,e,t,p,g,c\n".to_vec();
    for person in 0..PEOPLE {
        text.extend(format!("{VALUE},1e-6,strict,{person},north,good\n").bytes());
    }
    text.extend(line);
    let path = folder.join(name);
    fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

const NUMBER: [&str; 4] = ["--value", "v", "--bounds", "0,1"];
const BUDGETS: [&str; 2] = ["--epsilon", "e"];
const TIERS: [&str; 4] = ["--privacy", "t", "--levels", "strict=1e-6,public=inf"];

#[test]
fn no_release_repeats_a_value() {
    let folder = tempfile::tempdir().unwrap();
    let data = people(folder.path(), "people.csv", b"");
    for command in ["mean", "sum", "quantile", "variance", "summary"] {
        for more in [
            &[][..],
            &["--format", "json"],
            &["--person", "p"],
            &["--group-by", "g", "--groups", "north,south"],
            &["--neighbors", "add-remove", "--epsilon-range", "1e-6,1e-5"],
            &["--bounds", "auto"],
        ] {
            let number = if more.contains(&"auto") { &NUMBER[..2] } else { &NUMBER };
            let (_, said) = run_command(&[&[command, &data], number, &BUDGETS, more].concat());
            assert!(
                !said.is_empty() && !leaks(&said),
                "{command} {more:?}: {}",
                String::from_utf8_lossy(&said)
            );
        }
    }
}

#[test]
fn no_refusal_repeats_a_cell() {
    let folder = tempfile::tempdir().unwrap();
    let broken: [(&str, &[u8]); 9] = [
        ("value", b"hush,1,strict,x,north,good\n"),
        ("budget", b"1,hush,strict,x,north,good\n"),
        ("tier", b"1,1,hush,x,north,good\n"),
        ("group", b"1,1,strict,x,hush,good\n"),
        ("category", b"1,1,strict,x,north,hush\n"),
        ("two groups", b"1,1,strict,hush,north,good\n1,1,strict,hush,south,good\n"),
        ("too few cells", b"hush\n"),
        ("an open quote", b"1,1,strict,x,north,\"hush\n"),
        ("no text", b"hush\xff,hush\xff,hush\xff,hush\xff,hush\xff,hush\xff\n"),
    ];
    let grouped = ["--group-by", "g", "--groups", "north,south", "--person", "p"];
    let labels = ["--value", "c", "--categories", "good,bad"];
    for (what, line) in broken {
        let data = people(folder.path(), &format!("{what}.csv"), line);
        let mut refused = 0;
        for arguments in [
            [&["mean", &data][..], &NUMBER, &BUDGETS].concat(),
            [&["mean", &data][..], &NUMBER, &TIERS, &grouped].concat(),
            [&["frequency", &data][..], &labels, &TIERS].concat(),
            [&["count", &data][..], &TIERS, &["--neighbors", "add-remove"]].concat(),
        ] {
            let (status, said) = run_command(&arguments);
            refused += u32::from(status == Some(1));
            assert!(!leaks(&said), "{what} {arguments:?}: {}", String::from_utf8_lossy(&said));
        }
        assert!(refused > 0, "{what}: nothing is wrong with it");
    }
}

#[test]
fn a_ledger_keeps_no_value() {
    let folder = tempfile::tempdir().unwrap();
    let data = people(folder.path(), "people.csv", b"");
    let broken = people(folder.path(), "broken.csv", b"hush,1,strict,x,north,good\n");
    let kept = tempfile::tempdir().unwrap();
    let path = kept.path().join("visits.ledger");
    let ledger = path.to_str().unwrap();
    let init = run_command(&[
        "ledger",
        "init",
        ledger,
        "--dataset",
        "visits",
        "--levels",
        "strict=0.001,public=inf",
    ]);
    assert_eq!(init.0, Some(0));
    for (data, status) in [(&data, 0), (&broken, 1), (&data, 0)] {
        let charged = ["--privacy", "t", "--ledger", ledger, "--spend", "10%"];
        let (found, said) = run_command(&[&["mean", data][..], &NUMBER, &charged].concat());
        assert_eq!(found, Some(status), "{}", String::from_utf8_lossy(&said));
        assert!(!leaks(&said));
    }
    let (_, exported) = run_command(&["ledger", "export", ledger]);
    assert!(exported.len() > 500 && !leaks(&exported));
    for file in fs::read_dir(kept.path()).unwrap() {
        assert!(!leaks(&fs::read(file.unwrap().path()).unwrap()));
    }
}

/// The tests above can fail.
#[test]
fn a_leak_would_be_noticed() {
    assert!(
        leaks(b"near 0.7391846")
            && leaks(b"hush")
            && leaks(b"\xff793693448")
            && leaks(b"47621606880")
    );
    assert!(!leaks(b"0.73"));
}
