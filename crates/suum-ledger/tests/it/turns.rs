//! Of processes with the same question one has the turn.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc;
use std::time::Duration;

use suum_ledger::Ledger;

use crate::common::{folder, with_tiers};

/// How many files for turns are beside the ledger.
fn files(folder: &tempfile::TempDir) -> usize {
    let names = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
    names.filter(|name| name.to_string_lossy().contains(".turn-")).count()
}

#[test]
fn the_same_question_waits_and_others_do_not() {
    let folder = folder();
    let (path, ledger) = with_tiers(&folder);
    let turn = ledger.wait_for_turn("a").unwrap();
    // Nobody waits for another question, under whatever name of the ledger.
    let link = folder.path().join("link");
    for name in [".key", ".head", ""] {
        let of = |path: &std::path::Path| format!("{}{name}", path.display());
        #[cfg(unix)]
        std::os::unix::fs::symlink(of(&path), of(&link)).unwrap();
        #[cfg(not(unix))]
        std::fs::copy(of(&path), of(&link)).unwrap();
    }
    let other = Ledger::open_to_read(&link).unwrap();
    drop(other.wait_for_turn("b").unwrap());
    let (tell, told) = mpsc::channel();
    let waiting = std::thread::spawn(move || {
        let turn = Ledger::open_to_read(&link).unwrap().wait_for_turn("a").unwrap();
        tell.send(()).unwrap();
        drop(turn);
    });
    if cfg!(unix) {
        assert!(told.recv_timeout(Duration::from_millis(200)).is_err());
    }
    drop(turn);
    told.recv_timeout(Duration::from_secs(60)).unwrap();
    waiting.join().unwrap();
    assert!(files(&folder) == 0 || cfg!(not(unix)));
}

/// The file is removed with each turn, and made anew by whoever comes next: never do two have it.
#[test]
fn never_do_two_have_the_turn() {
    let folder = folder();
    let (path, _) = with_tiers(&folder);
    let (at_once, done) = (AtomicU32::new(0), AtomicU32::new(0));
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                let ledger = Ledger::open_to_read(&path).unwrap();
                for _ in 0..50 {
                    let turn = ledger.wait_for_turn("a").unwrap();
                    assert_eq!(at_once.fetch_add(1, Ordering::SeqCst), 0);
                    std::thread::yield_now();
                    at_once.fetch_sub(1, Ordering::SeqCst);
                    done.fetch_add(1, Ordering::SeqCst);
                    drop(turn);
                }
            });
        }
    });
    assert_eq!(done.into_inner(), 400);
    assert!(files(&folder) == 0 || cfg!(not(unix)));
}
