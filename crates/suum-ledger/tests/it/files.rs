//! Files that are missing, of another ledger, too new, or cannot be written.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use rusqlite::Connection;
use suum_core::{Error, ErrorKind};
use suum_ledger::{Amount, Columns, Ledger, Severity};

use crate::common::{
    assert_sound, folder, plan, release, tier_balances, tiers, visits, with_tiers,
};

fn beside(path: &Path, suffix: &str) -> PathBuf {
    format!("{}{suffix}", path.display()).into()
}

fn copy(path: &Path, suffix: &str) {
    fs::copy(path, beside(path, suffix)).unwrap();
}

fn refused(path: &Path) -> Error {
    let refused = Ledger::open(path).map(|_| ()).unwrap_err();
    assert_eq!(Ledger::open_to_read(path).map(|_| ()).unwrap_err(), refused);
    refused
}

fn raw(path: &Path, sql: &str) {
    Connection::open(path).unwrap().execute_batch(sql).unwrap();
}

#[test]
fn what_is_not_a_ledger_is_refused() {
    let folder = folder();
    let path = folder.path().join("x");
    assert_eq!(refused(&path).kind(), ErrorKind::Io);
    assert!(refused(folder.path()).to_string().contains("not a file"));
    fs::write(&path, "").unwrap();
    assert!(refused(&path).to_string().contains("empty"));
    for garbage in
        [b"name,epsilon\nann,0.1\n".repeat(100), vec![0; 5000], b"SQLite format 3\0".to_vec()]
    {
        fs::write(&path, garbage).unwrap();
        assert!(refused(&path).to_string().contains("not a ledger"), "{}", refused(&path));
    }
    fs::remove_file(&path).unwrap();
    raw(&path, "CREATE TABLE entry (seq INTEGER PRIMARY KEY); PRAGMA user_version = 1");
    let before = fs::read(&path).unwrap();
    assert!(refused(&path).to_string().contains("not a ledger"));
    assert_eq!(fs::read(&path).unwrap(), before, "left as it was");
}

#[test]
fn nothing_is_written_over() {
    let folder = folder();
    let (path, _) = with_tiers(&folder);
    assert!(Ledger::create(&path).unwrap_err().to_string().contains("exists already"));
    fs::remove_file(&path).unwrap();
    let refused = Ledger::create(&path).unwrap_err();
    assert!(
        refused.to_string().contains("this key exists already"),
        "it may be needed for a backup"
    );
    fs::remove_file(beside(&path, ".key")).unwrap();
    // What an interrupted creation left behind is no hindrance.
    fs::write(beside(&path, ".new"), "garbage").unwrap();
    fs::write(beside(&path, ".head"), "garbage").unwrap();
    let ledger = Ledger::create(&path).unwrap();
    assert_eq!(ledger.verify().unwrap().findings, []);
    assert!(!beside(&path, ".new").exists());
    assert_eq!(
        Ledger::create(folder.path().join("no/such/ledger")).unwrap_err().kind(),
        ErrorKind::Io
    );
}

#[test]
fn the_key_is_needed() {
    let folder = folder();
    let (path, _) = with_tiers(&folder);
    let key = beside(&path, ".key");
    let secret = fs::read(&key).unwrap();
    fs::remove_file(&key).unwrap();
    assert!(refused(&path).to_string().contains("key is missing"));
    for garbage in [&b""[..], b"abc", &[0xff; 65], &secret[1..]] {
        fs::write(&key, garbage).unwrap();
        assert!(refused(&path).to_string().contains("not the key of a ledger"));
    }
    fs::write(&key, "0".repeat(64)).unwrap();
    assert!(refused(&path).to_string().contains("key file is of another ledger"));
    assert!(Ledger::verify_file(&path).unwrap_err().to_string().contains("of another ledger"));
    fs::write(&key, secret).unwrap();
    Ledger::open(&path).unwrap();
}

#[cfg(unix)]
#[test]
fn the_key_is_private() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder();
    let (path, mut ledger) = with_tiers(&folder);
    release(&mut ledger, "visits", &tiers(&[("strict", 1)])).unwrap();
    for suffix in ["", ".key", ".head"] {
        let mode = fs::metadata(beside(&path, suffix)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{suffix}");
    }
    fs::set_permissions(beside(&path, ".key"), fs::Permissions::from_mode(0o644)).unwrap();
    let verification = ledger.verify().unwrap();
    assert_sound(&verification);
    assert_eq!(verification.findings.len(), 1);
    assert!(verification.findings[0].what.contains("read the key"));
}

#[test]
fn an_old_backup_is_noticed() {
    let folder = folder();
    let (path, mut ledger) = with_tiers(&folder);
    release(&mut ledger, "visits", &tiers(&[("strict", 1_000)])).unwrap();
    copy(&path, ".backup");
    let head = fs::read(beside(&path, ".head")).unwrap();
    release(&mut ledger, "visits", &tiers(&[("strict", 2_000)])).unwrap();
    let newest = fs::read(&path).unwrap();
    drop(ledger);

    fs::copy(beside(&path, ".backup"), &path).unwrap();
    let error = refused(&path);
    assert_eq!(error.kind(), ErrorKind::Ledger);
    assert!(error.to_string().contains("it had 6 entries and now has 4"), "{error}");
    assert!(error.fix().unwrap().to_string().contains("put back the newest copy"));
    assert!(!Ledger::verify_file(&path).unwrap().is_sound());

    // The newest copy of the file, or of both, is accepted.
    fs::write(&path, &newest).unwrap();
    Ledger::open(&path).unwrap();

    // A head that is behind is harmless, and repaired by the next entry.
    fs::write(beside(&path, ".head"), &head).unwrap();
    let mut ledger = Ledger::open(&path).unwrap();
    let verification = ledger.verify().unwrap();
    assert_sound(&verification);
    assert!(verification.findings[0].what.contains("behind"));
    release(&mut ledger, "visits", &tiers(&[("strict", 1)])).unwrap();
    assert_eq!(ledger.verify().unwrap().findings, []);
    drop(ledger);

    // Without the head, or with a damaged one, nobody knows.
    let head = fs::read_to_string(beside(&path, ".head")).unwrap();
    for damaged in
        ["", "8", &head[..head.len() - 1], &head.replacen("8 ", "7 ", 1), &format!("{head}\n")]
    {
        fs::write(beside(&path, ".head"), damaged).unwrap();
        assert!(refused(&path).to_string().contains("head is damaged"));
        assert!(!Ledger::verify_file(&path).unwrap().is_sound());
    }
    fs::remove_file(beside(&path, ".head")).unwrap();
    assert!(refused(&path).to_string().contains("head is missing"));
}

#[test]
fn a_loss_can_be_accepted_and_stays_on_record() {
    let folder = folder();
    let (path, mut ledger) = with_tiers(&folder);
    copy(&path, ".backup");
    release(&mut ledger, "visits", &tiers(&[("strict", 2_000)])).unwrap();
    drop(ledger);
    fs::copy(beside(&path, ".backup"), &path).unwrap();
    let mut ledger = Ledger::accept_loss(&path).unwrap();
    // What is known of the loss is charged anew.
    drop(
        ledger
            .reserve("visits", &tiers(&[("strict", 2_000)]), &Columns::default(), &plan())
            .unwrap(),
    );
    let ledger = Ledger::open(&path).unwrap();
    assert_eq!(tier_balances(&ledger, "visits")[0].left, Amount::micros(98_000));
    let verification = ledger.verify().unwrap();
    assert_sound(&verification);
    assert!(verification.findings.iter().any(|finding| finding.entry == Some(3)
        && finding.severity == Severity::Remark
        && finding.what.contains("lost")));
}

#[test]
fn two_histories_are_told_apart() {
    let folder = folder();
    let (path, mut ledger) = with_tiers(&folder);
    for suffix in ["", ".head"] {
        copy(&beside(&path, suffix), ".backup");
    }
    release(&mut ledger, "visits", &tiers(&[("strict", 2_000)])).unwrap();
    drop(ledger);
    let head = fs::read(beside(&path, ".head")).unwrap();
    for suffix in ["", ".head"] {
        fs::copy(beside(&path, &format!("{suffix}.backup")), beside(&path, suffix)).unwrap();
    }
    // Both copies restored: nothing in the folder remembers what is lost. The next entry is another
    // one.
    let mut ledger = Ledger::open(&path).unwrap();
    release(&mut ledger, "visits", &tiers(&[("strict", 1_000)])).unwrap();
    drop(ledger);
    fs::write(beside(&path, ".head"), head).unwrap();
    assert!(refused(&path).to_string().contains("another history"));
}

/// Copies all files of a ledger.
fn copy_all(from: &Path, to: &Path) {
    for suffix in ["", ".key", ".head"] {
        fs::copy(beside(from, suffix), beside(to, suffix)).unwrap();
    }
}

#[test]
fn a_copy_is_not_charged_unnoticed() {
    let folder = folder();
    let (path, mut ledger) = with_tiers(&folder);
    release(&mut ledger, "visits", &tiers(&[("strict", 60_000)])).unwrap();
    drop(ledger);
    let copy = folder.path().join("copy.ledger");
    copy_all(&path, &copy);
    let error = Ledger::open(&copy).map(|_| ()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Ledger);
    assert!(error.to_string().contains("it was made elsewhere"), "{error}");
    assert!(error.fix().unwrap().to_string().contains("accepts the move"), "{error:?}");
    // It can be looked at, and says what it is.
    Ledger::open_to_read(&copy).unwrap();
    let verification = Ledger::verify_file(&copy).unwrap();
    assert_sound(&verification);
    assert!(verification.findings[0].what.contains("made elsewhere"), "{verification:?}");
    // Somebody says that it is the ledger now: it has that on record, and goes on.
    let mut moved = Ledger::accept_move(&copy).unwrap();
    release(&mut moved, "visits", &tiers(&[("strict", 1)])).unwrap();
    drop(moved);
    let mut log = Vec::new();
    Ledger::open(&copy).unwrap().export(suum_ledger::Members::Counted, &mut log).unwrap();
    let log = String::from_utf8(log).unwrap();
    assert!(log.contains(r#""kind":"move""#), "{log}");
    assert!(!log.contains("copy.ledger") && !log.contains("visits.ledger"), "paths are hashed");
    assert_eq!(Ledger::open(&copy).unwrap().verify().unwrap().findings, []);
    let refused = Ledger::accept_move(&copy).map(|_| ()).unwrap_err();
    assert!(refused.to_string().contains("it is where it was made"), "{refused}");
    // The original does not know.
    assert_eq!(Ledger::open(&path).unwrap().verify().unwrap().findings, []);
}

#[cfg(unix)]
#[test]
fn a_ledger_may_be_moved_and_put_back() {
    let folder = folder();
    let (path, ledger) = with_tiers(&folder);
    drop(ledger);
    // Moved within the file system it is the same file.
    let moved = folder.path().join("moved.ledger");
    for suffix in ["", ".key", ".head"] {
        fs::rename(beside(&path, suffix), beside(&moved, suffix)).unwrap();
    }
    let mut ledger = Ledger::open(&moved).unwrap();
    release(&mut ledger, "visits", &tiers(&[("strict", 1)])).unwrap();
    drop(ledger);
    // A backup that is put back where the ledger was made is in its place.
    copy_all(&moved, &path);
    Ledger::open(&path).unwrap();
    // Links lead to the same place.
    let links = folder.path().join("links");
    fs::create_dir(&links).unwrap();
    let link = links.join("link.ledger");
    for suffix in ["", ".key", ".head"] {
        std::os::unix::fs::symlink(beside(&path, suffix), beside(&link, suffix)).unwrap();
    }
    Ledger::open(&link).unwrap();
}

#[test]
fn a_newer_schema_is_left_alone() {
    let folder = folder();
    let (path, ledger) = with_tiers(&folder);
    drop(ledger);
    for (version, message) in [(3, "newer suum"), (-1, "newer suum")] {
        raw(&path, &format!("PRAGMA user_version = {version}"));
        let before = fs::read(&path).unwrap();
        assert!(refused(&path).to_string().contains(message));
        assert_eq!(refused(&path).fix().map(ToString::to_string).as_deref(), Some("update suum"));
        assert_eq!(fs::read(&path).unwrap(), before);
    }
    raw(&path, "PRAGMA user_version = 0");
    assert_eq!(Ledger::open_to_read(&path).unwrap_err().kind(), ErrorKind::Ledger);
    assert_eq!(Ledger::open(&path).unwrap_err().kind(), ErrorKind::Ledger);
}

#[test]
fn reading_changes_nothing() {
    let folder = folder();
    let (path, mut ledger) = with_tiers(&folder);
    release(&mut ledger, "visits", &tiers(&[("strict", 2_000)])).unwrap();
    drop(ledger);
    let before = fs::read(&path).unwrap();
    let mut ledger = Ledger::open_to_read(&path).unwrap();
    for refused in [
        ledger.add_dataset(visits("more")).unwrap_err(),
        ledger
            .reserve("visits", &tiers(&[]), &Columns::default(), &plan())
            .map(|_| ())
            .unwrap_err(),
    ] {
        assert!(refused.to_string().contains("read only"));
    }
    ledger.verify().unwrap();
    assert_eq!(fs::read(&path).unwrap(), before);
}

/// Makes a file or folder unwritable by whatever means work for this user; false if none does.
#[cfg(unix)]
fn protect(path: &Path, on: bool) -> bool {
    use std::os::unix::fs::PermissionsExt;
    let mode = match (path.is_dir(), on) {
        (true, true) => 0o500,
        (true, false) => 0o700,
        (false, true) => 0o400,
        (false, false) => 0o600,
    };
    let _ = fs::set_permissions(path, fs::Permissions::from_mode(mode));
    // The administrator may write to everything, but for what is marked immutable.
    let flag = if on { "+i" } else { "-i" };
    let _ = Command::new("chattr").arg(flag).arg(path).stderr(std::process::Stdio::null()).status();
    let writable = if path.is_dir() {
        let probe = path.join("probe");
        fs::write(&probe, "").is_ok() && fs::remove_file(&probe).is_ok()
    } else {
        fs::OpenOptions::new().append(true).open(path).is_ok()
    };
    !writable
}

#[cfg(unix)]
#[test]
fn what_cannot_be_written_is_refused_before_anything_is_drawn() {
    // On the real disk: file systems in memory do not know immutable files.
    let folder = tempfile::tempdir().unwrap();
    let (path, ledger) = with_tiers(&folder);
    drop(ledger);
    let mut tried = 0;
    if protect(&path, true) {
        tried += 1;
        let refused = Ledger::open(&path).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::Io);
        assert!(refused.to_string().contains("cannot be written"), "{refused}");
        assert!(refused.fix().unwrap().to_string().contains("folder"));
        assert_eq!(
            tier_balances(&Ledger::open_to_read(&path).unwrap(), "visits")[0].spent,
            Amount::ZERO
        );
    }
    protect(&path, false);
    let mut ledger = Ledger::open(&path).unwrap();
    if protect(folder.path(), true) {
        tried += 1;
        let refused = ledger
            .reserve("visits", &tiers(&[("strict", 1)]), &Columns::default(), &plan())
            .map(|_| ())
            .unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::Io, "{refused}");
        assert!(refused.fix().unwrap().to_string().contains("nothing was released"), "{refused:?}");
    }
    protect(folder.path(), false);
    release(&mut ledger, "visits", &tiers(&[("strict", 1)])).unwrap();
    assert_eq!(ledger.verify().unwrap().findings, []);
    // Refusals of SQLite's own are tested in `power_loss.rs`, whoever runs the tests.
    println!("{tried} of 2 ways to be unwritable could be tried");
}

/// Runs in a child whose files may not grow beyond a limit.
#[test]
fn child_without_room() {
    let Ok(path) = std::env::var("SUUM_LEDGER_TEST_NO_ROOM") else { return };
    let mut ledger = Ledger::open(&path).unwrap();
    let refused = loop {
        match ledger.reserve(
            "visits",
            &tiers(&[("relaxed", 1)]),
            &Columns::default(),
            &serde_json::json!("x".repeat(3000)),
        ) {
            Ok(reservation) => {
                reservation.cancel().unwrap_or_else(|error| println!("cancel {error}"))
            }
            Err(error) => break error,
        }
    };
    println!(
        "\nkind {:?}\nhint {}",
        refused.kind(),
        refused.fix().map(ToString::to_string).unwrap_or_default()
    );
}

#[cfg(unix)]
#[test]
fn a_full_disk_is_refused_before_anything_is_drawn() {
    let folder = folder();
    let (path, ledger) = with_tiers(&folder);
    drop(ledger);
    // Blocks of 512 or 1024 bytes, as the shell has it; more than it would be killed by a signal,
    // which is ignored.
    let output = Command::new("sh")
        .args([
            "-c",
            "trap '' XFSZ; ulimit -f 200; exec \"$0\" --exact files::child_without_room \
            --nocapture",
        ])
        .arg(std::env::current_exe().unwrap())
        .env("SUUM_LEDGER_TEST_NO_ROOM", &path)
        .output()
        .unwrap();
    let told = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{told}");
    assert!(told.contains("kind Io") && told.contains("nothing was released"), "{told}");
    let mut ledger = Ledger::open(&path).unwrap();
    assert_sound(&ledger.verify().unwrap());
    release(&mut ledger, "visits", &tiers(&[("strict", 1)])).unwrap();
    let spent = tier_balances(&ledger, "visits");
    assert!(spent[1].reserved <= Amount::micros(1), "at most the one that was refused");
}

#[test]
fn a_head_that_cannot_be_written_stops_the_release() {
    let folder = folder();
    let (path, mut ledger) = with_tiers(&folder);
    // A folder where the new head is to be.
    fs::create_dir_all(beside(&path, ".head.new").join("full")).unwrap();
    let refused = ledger
        .reserve("visits", &tiers(&[("strict", 1_000)]), &Columns::default(), &plan())
        .map(|_| ())
        .unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Io);
    assert!(refused.fix().unwrap().to_string().contains("counts as spent"));
    fs::remove_dir_all(beside(&path, ".head.new")).unwrap();
    let mut ledger = Ledger::open(&path).unwrap();
    assert_eq!(tier_balances(&ledger, "visits")[0].reserved, Amount::micros(1_000));
    release(&mut ledger, "visits", &tiers(&[("strict", 1_000)])).unwrap();
    assert_sound(&ledger.verify().unwrap());
    assert_eq!(ledger.verify().unwrap().findings.len(), 1, "the open reservation");
}
