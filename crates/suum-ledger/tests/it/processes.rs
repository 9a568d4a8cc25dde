//! Many processes, killed or not: this very program, started again as [`child`].

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};
use serde_json::json;
use suum_core::{ErrorKind, Neighbors};
use suum_ledger::{
    Accounts, Amendment, Amount, Charges, Columns, Dataset, Decision, Direction, FinalCost, Holder,
    Ledger, Lifetime,
};

use crate::common::{assert_sound, folder, plan, tier_balances, tiers, with_tiers};

/// What a child reads to know what to do: `work:seed:path`.
const TASK: &str = "SUUM_LEDGER_TEST_TASK";

/// Does nothing unless it is told to.
#[test]
fn child() {
    let Ok(task) = std::env::var(TASK) else { return };
    let mut parts = task.splitn(3, ':');
    let (work, seed) = (parts.next().unwrap(), parts.next().unwrap().parse().unwrap());
    let path = Path::new(parts.next().unwrap());
    match work {
        "release" => release_for_ever(path, seed),
        "spend" => spend_all(path),
        "once" => release_once(path),
        "charge" => charge_often(path),
        "amend" => amend_once(path),
        "migrate" => {
            // It is somewhere else than where it was made, which is refused after the migration.
            assert!(Ledger::open(path).is_err());
            tell("migrated");
        }
        "turn" => {
            let ledger = Ledger::open_to_read(path).unwrap();
            let _turn = ledger.wait_for_turn("a").unwrap();
            tell("mine");
            loop {
                std::thread::park();
            }
        }
        "found" => {
            drop(Ledger::create(path).unwrap());
            tell("founded");
        }
        _ => panic!("unknown work"),
    }
}

fn start(work: &str, seed: u64, path: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "processes::child", "--nocapture", "--test-threads=1"])
        .env(TASK, format!("{work}:{seed}:{}", path.display()))
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// Tells the parent something, at once.
fn tell(line: &str) {
    let mut out = std::io::stdout().lock();
    out.write_all(format!("\n{line}\n").as_bytes()).unwrap();
    out.flush().unwrap();
}

/// Reserves, draws, settles or cancels until it is killed.
fn release_for_ever(path: &Path, seed: u64) {
    let mut dice = ChaCha8Rng::seed_from_u64(seed);
    let mut ledger = Ledger::open(path).unwrap();
    tell("ready");
    loop {
        let charge = 1 + dice.next_u64() % 100;
        let cost = charge - dice.next_u64() % (charge + 1);
        let charges = tiers(&[("all", charge)]);
        if dice.next_u32() % 5 == 0 {
            ledger.charge("d", &charges, "a table").unwrap();
            tell(&format!("drawn {charge}"));
            continue;
        }
        let reservation = ledger.reserve("d", &charges, &Columns::default(), &plan()).unwrap();
        match dice.next_u32() % 4 {
            0 => reservation.cancel().unwrap(),
            1 => {
                // Dropped after it was drawn: it counts in full.
                let ((), _) = reservation
                    .draw(|_| {
                        tell(&format!("drawn {charge}"));
                        Ok(())
                    })
                    .unwrap();
            }
            _ => {
                let ((), drawn) = reservation
                    .draw(|_| {
                        tell(&format!("drawn {cost}"));
                        Ok(())
                    })
                    .unwrap();
                let spent = FinalCost::Tiers(vec![("all".into(), Amount::micros(cost).into())]);
                drawn.settle(spent, &json!({"cost": cost})).unwrap();
            }
        }
    }
}

/// What a child said it drew, in all.
fn drawn(output: impl Read) -> u64 {
    BufReader::new(output)
        .lines()
        .map_while(Result::ok)
        .filter_map(|line| line.strip_prefix("drawn ")?.parse::<u64>().ok())
        .sum()
}

fn counted_micros(ledger: &Ledger, dataset: &str) -> u64 {
    let balance = &tier_balances(ledger, dataset)[0];
    match balance.spent.plus(balance.reserved) {
        Amount::Micro(micros) => micros.get(),
        Amount::Unlimited => panic!("unlimited"),
    }
}

/// Least amount that children must have drawn before they were killed, in micro-ε.
const WORK: u64 = 10_000;

/// Kills children at random times, `at_once` of them at once, and on a slow machine more of them
/// until they have drawn enough; returns how many, and how much was drawn.
fn kill_children(kills: u64, at_once: u64, seed: u64) -> (u64, u64) {
    let mut dice = ChaCha8Rng::seed_from_u64(seed);
    let (mut killed, mut total) = (0, 0);
    while killed < kills || (total <= WORK && killed < 5 * kills) {
        // A new ledger from time to time, so that its log stays short.
        let folder = folder();
        let path = folder.path().join("ledger");
        let mut ledger = Ledger::create(&path).unwrap();
        let accounts = Accounts::Tiers(vec![("all".into(), Amount::micros(1_000_000_000))]);
        ledger.add_dataset(Dataset::new("d", Neighbors::ReplaceOne, accounts)).unwrap();
        drop(ledger);
        let mut drawn_here = 0;
        for _ in 0..20 {
            let mut children: Vec<_> =
                (0..at_once).map(|_| start("release", dice.next_u64(), &path)).collect();
            std::thread::sleep(Duration::from_micros(2_000 + dice.next_u64() % 18_000));
            for child in &mut children {
                child.kill().unwrap();
            }
            for mut child in children {
                child.wait().unwrap();
                drawn_here += drawn(child.stdout.take().unwrap());
                killed += 1;
            }
            // The ledger is usable, sound, and has forgotten nothing that was drawn.
            let ledger = Ledger::open(&path).unwrap();
            let counted = counted_micros(&ledger, "d");
            assert!(counted >= drawn_here, "{counted} counted, {drawn_here} drawn");
            assert_sound(&ledger.verify().unwrap());
        }
        let mut ledger = Ledger::open(&path).unwrap();
        ledger
            .reserve("d", &tiers(&[("all", 1)]), &Columns::default(), &plan())
            .unwrap()
            .cancel()
            .unwrap();
        total += drawn_here;
    }
    (killed, total)
}

#[test]
#[ignore = "takes seconds"]
fn no_kill_loses_a_charge() {
    let (one, other) = std::thread::scope(|scope| {
        let one = scope.spawn(|| kill_children(600, 1, 1));
        let other = scope.spawn(|| kill_children(600, 3, 2));
        (one.join().unwrap(), other.join().unwrap())
    });
    let (killed, drawn) = (one.0 + other.0, one.1 + other.1);
    println!("{killed} killed, {drawn} micro-ε drawn by them");
    assert!(killed >= 1000 && one.1 > WORK && other.1 > WORK, "the children did not come to work");
}

/// Spends small charges until they do not fit any more.
fn spend_all(path: &Path) {
    let mut ledger = Ledger::open(path).unwrap();
    loop {
        match ledger.reserve("visits", &tiers(&[("strict", 700)]), &Columns::default(), &plan()) {
            Ok(reservation) => {
                let ((), drawn) = reservation
                    .draw(|_| {
                        tell("drawn 700");
                        Ok(())
                    })
                    .unwrap();
                drawn.settle(FinalCost::AsReserved, &plan()).unwrap();
            }
            Err(error) => {
                assert_eq!(error.kind(), ErrorKind::Budget, "{error}");
                return;
            }
        }
    }
}

#[test]
fn sixteen_processes_spend_exactly_what_there_is() {
    let folder = folder();
    let (path, ledger) = with_tiers(&folder);
    let children: Vec<_> = (0..16).map(|seed| start("spend", seed, &path)).collect();
    let mut all = 0;
    for child in children {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success());
        all += drawn(&output.stdout[..]);
    }
    assert_eq!(all, 100_000 / 700 * 700, "every charge that fits was made, and no other");
    assert_eq!(counted_micros(&ledger, "visits"), all);
    assert_eq!(tier_balances(&ledger, "visits")[0].spent, Amount::micros(all));
    let verification = ledger.verify().unwrap();
    assert_eq!(verification.findings, []);
}

/// Charges more than a share of what is allowed, beyond it in the end.
fn charge_often(path: &Path) {
    let mut ledger = Ledger::open(path).unwrap();
    for _ in 0..25 {
        ledger.charge("visits", &tiers(&[("strict", 1_000)]), "a table").unwrap();
    }
}

#[test]
fn sixteen_processes_charge_what_was_lost_elsewhere() {
    let folder = folder();
    let (path, ledger) = with_tiers(&folder);
    let children: Vec<_> = (0..16).map(|seed| start("charge", seed, &path)).collect();
    assert!(children.into_iter().all(|mut child| child.wait().unwrap().success()));
    let strict = &tier_balances(&ledger, "visits")[0];
    assert_eq!((strict.spent, strict.left), (Amount::micros(400_000), Amount::ZERO));
    assert_eq!(ledger.verify().unwrap().findings, []);
}

/// Lowers a tier, and enters that somebody withdrew.
fn amend_once(path: &Path) {
    let mut ledger = Ledger::open(path).unwrap();
    let withdrawal = Decision {
        person: ledger.person_key().hash(b"ann"),
        holder: Holder::NoConsent,
        from: Some(0),
        has_reference: false,
    };
    let amendment = |tiers, decisions| Amendment {
        tiers,
        decisions,
        direction: Direction::LowerAndRaise,
        because: None,
        register: None,
    };
    let lower = vec![("strict".to_owned(), Amount::micros(LOWERED))];
    ledger.amend("visits", &amendment(lower, Vec::new())).unwrap();
    tell("lowered");
    ledger.amend("people", &amendment(Vec::new(), vec![withdrawal])).unwrap();
    tell("done");
}

/// Allowance of `strict` once it is lowered.
const LOWERED: u64 = 50_000;

/// A ledger of tiers and of persons.
fn with_both() -> (tempfile::TempDir, std::path::PathBuf, Ledger) {
    let folder = folder();
    let (path, mut ledger) = with_tiers(&folder);
    let accounts = Accounts::Persons(Lifetime::Same(Amount::micros(1_000)));
    ledger.add_dataset(Dataset::new("people", Neighbors::ReplaceOne, accounts)).unwrap();
    (folder, path, ledger)
}

#[test]
fn sixteen_processes_spend_no_more_than_a_tier_allows_once_it_is_lowered() {
    let (_folder, path, ledger) = with_both();
    let amend = start("amend", 0, &path);
    let children: Vec<_> = (0..16).map(|seed| start("spend", seed, &path)).collect();
    for child in std::iter::once(amend).chain(children) {
        assert!(child.wait_with_output().unwrap().status.success());
    }
    // What was charged beyond it after the amendment would be a fault.
    assert_eq!(ledger.verify().unwrap().findings, []);
    let strict = &tier_balances(&ledger, "visits")[0];
    assert_eq!(strict.allowed, Amount::micros(LOWERED));
    assert!(strict.spent >= Amount::micros(LOWERED / 700 * 700), "{strict:?}");
    assert!(ledger.check("visits", &tiers(&[("strict", 700)])).is_err());
}

#[test]
#[ignore = "takes seconds"]
fn a_kill_at_any_system_call_of_an_amendment_leaves_all_of_it_or_nothing() {
    let mut states = std::collections::BTreeSet::new();
    let fresh = || {
        let (folder, path, _) = with_both();
        (folder, path)
    };
    let kills = kill_at_every_call("amend", "\ndone\n", fresh, |output, path| {
        let ledger = Ledger::open(path).unwrap();
        assert_sound(&ledger.verify().unwrap());
        let of = |dataset: &str| ledger.amendments(dataset).unwrap().len();
        let (tiers, persons) = (of("visits"), of("people"));
        assert!(tiers == 1 || !output.contains("lowered"));
        assert!(persons == 1 || !output.contains("done"));
        let allowed = if tiers == 1 { LOWERED } else { 100_000 };
        assert_eq!(tier_balances(&ledger, "visits")[0].allowed, Amount::micros(allowed));
        states.insert((tiers, persons));
    });
    assert!(kills == 0 || kills > 50 && states.len() == 3, "{kills}: {states:?}");
}

/// Whoever has the turn is killed: nobody waits for the dead.
#[test]
fn a_turn_ends_with_its_process() {
    let folder = folder();
    let (path, ledger) = with_tiers(&folder);
    let mut child = start("turn", 0, &path);
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap() == "mine"));
    child.kill().unwrap();
    child.wait().unwrap();
    drop(ledger.wait_for_turn("a").unwrap());
}

#[test]
fn two_processes_cannot_found_one_ledger() {
    for _ in 0..20 {
        let folder = folder();
        let path = folder.path().join("ledger");
        let founded = std::thread::scope(|scope| {
            let threads: Vec<_> =
                (0..4).map(|_| scope.spawn(|| Ledger::create(&path).is_ok())).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).filter(|ok| *ok).count()
        });
        assert_eq!(founded, 1);
        assert_sound(&Ledger::open(&path).unwrap().verify().unwrap());
    }
}

#[test]
fn a_reader_sees_one_moment() {
    let folder = folder();
    let (path, mut writer) = with_tiers(&folder);
    std::thread::scope(|scope| {
        let writing = scope.spawn(move || {
            for _ in 0..100 {
                let charges = tiers(&[("strict", 100), ("relaxed", 100)]);
                writer
                    .reserve("visits", &charges, &Columns::default(), &plan())
                    .unwrap()
                    .draw(|_| Ok(()))
                    .unwrap()
                    .1
                    .settle(FinalCost::AsReserved, &plan())
                    .unwrap();
            }
        });
        let reader = Ledger::open_to_read(&path).unwrap();
        while !writing.is_finished() {
            let balances = tier_balances(&reader, "visits");
            assert_eq!(
                balances[0].spent.plus(balances[0].reserved),
                balances[1].spent.plus(balances[1].reserved)
            );
            let charges = Charges::Tiers(Vec::new());
            reader.check("visits", &charges).unwrap();
        }
    });
    assert_eq!(
        tier_balances(&Ledger::open(&path).unwrap(), "visits")[0].spent,
        Amount::micros(10_000)
    );
}

/// One release, and one reservation that is cancelled.
fn release_once(path: &Path) {
    let mut ledger = Ledger::open(path).unwrap();
    let ((), drawn) = ledger
        .reserve("visits", &tiers(&[("strict", 700)]), &Columns::default(), &plan())
        .unwrap()
        .draw(|_| {
            tell("drawn 700");
            Ok(())
        })
        .unwrap();
    drawn
        .settle(FinalCost::Tiers(vec![("strict".into(), Amount::micros(600).into())]), &plan())
        .unwrap();
    ledger
        .reserve("visits", &tiers(&[("strict", 50)]), &Columns::default(), &plan())
        .unwrap()
        .cancel()
        .unwrap();
    tell("done");
}

/// The system calls that can change a file or its name.
const CALLS: [&str; 8] =
    ["openat", "write", "pwrite64", "fsync", "fdatasync", "ftruncate", "unlink", "rename"];

/// Starts a child that is killed when it enters the `when`th such system call. Returns what it
/// said; `None` if there is no `strace` to do it with, or it may not.
fn killed_at(call: &str, when: usize, work: &str, path: &Path) -> Option<String> {
    let output = Command::new("strace")
        .args([
            "-f",
            "-qq",
            "-o",
            "/dev/null",
            "-e",
            &format!("inject={call}:signal=KILL:when={when}"),
        ])
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", "processes::child", "--nocapture", "--test-threads=1"])
        .env(TASK, format!("{work}:0:{}", path.display()))
        .stderr(Stdio::null())
        .output()
        .ok()?;
    let refused = output.status.code() == Some(1) && output.stdout.is_empty();
    (!refused).then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Kills a child at every system call, one after the other; returns how many there were, zero
/// without `strace`.
fn kill_at_every_call(
    work: &str,
    end: &str,
    mut before: impl FnMut() -> (tempfile::TempDir, std::path::PathBuf),
    mut after: impl FnMut(&str, &Path),
) -> usize {
    let mut kills = 0;
    for call in CALLS {
        for when in 1.. {
            let (_folder, path) = before();
            let Some(output) = killed_at(call, when, work, &path) else {
                println!(
                    "NOT TESTED: there is no strace; power_loss.rs covers what the database does"
                );
                return 0;
            };
            after(&output, &path);
            if output.contains(end) {
                break;
            }
            kills += 1;
        }
    }
    println!("{work}: killed at {kills} system calls");
    kills
}

#[test]
#[ignore = "takes seconds"]
fn a_kill_at_any_system_call_of_a_release_loses_no_charge() {
    let mut states = std::collections::BTreeMap::new();
    let fresh = || {
        let folder = folder();
        let (path, _) = with_tiers(&folder);
        (folder, path)
    };
    let kills = kill_at_every_call("once", "\ndone\n", fresh, |output, path| {
        let told = drawn(output.as_bytes());
        let mut ledger = Ledger::open(path).unwrap();
        assert_sound(&ledger.verify().unwrap());
        let counted = counted_micros(&ledger, "visits");
        // 700 are reserved and 600 of them spent; then 50 are reserved and given back.
        assert!([0, 700, 600, 650].contains(&counted), "{counted}");
        assert!(told == 0 || counted >= 600, "{told} told, {counted} counted");
        *states.entry(counted).or_insert(0) += 1;
        ledger
            .reserve("visits", &tiers(&[("strict", 1)]), &Columns::default(), &plan())
            .unwrap()
            .cancel()
            .unwrap();
        assert!(
            ledger
                .verify()
                .unwrap()
                .findings
                .iter()
                .all(|finding| finding.what.contains("not settled"))
        );
    });
    println!("killed with so much counted: {states:?}");
    assert!(kills == 0 || kills > 50 && states.len() == 4, "every state was reached");
}

#[test]
#[ignore = "takes seconds"]
fn a_kill_at_any_system_call_of_a_creation_leaves_a_ledger_or_none() {
    let (mut there, mut not_there) = (0, 0);
    let fresh = || {
        let folder = folder();
        let path = folder.path().join("ledger");
        (folder, path)
    };
    let kills = kill_at_every_call("found", "\nfounded\n", fresh, |_, path| {
        if path.exists() {
            there += 1;
            assert_eq!(Ledger::open(path).unwrap().verify().unwrap().findings, []);
            return;
        }
        not_there += 1;
        // The message says what to remove.
        if let Err(error) = Ledger::create(path) {
            assert!(error.to_string().contains("this key exists already"), "{error}");
            std::fs::remove_file(format!("{}.key", path.display())).unwrap();
            assert_eq!(Ledger::create(path).unwrap().verify().unwrap().findings, []);
        }
    });
    assert!(kills == 0 || there > 0 && not_there > 20, "{there}, {not_there}");
}

#[test]
#[ignore = "takes seconds"]
fn a_kill_at_any_system_call_of_a_migration_leaves_the_old_ledger_or_the_new_one() {
    let (mut old, mut new) = (0, 0);
    let fresh = || {
        let folder = folder();
        let path = crate::migration::copy(&folder);
        (folder, path)
    };
    let kills = kill_at_every_call("migrate", "\nmigrated\n", fresh, |_, path| {
        // A journal that was left behind is undone by whoever opens the file next.
        let connection = rusqlite::Connection::open(path).unwrap();
        match connection.query_row("PRAGMA user_version", [], |row| row.get::<_, i64>(0)).unwrap() {
            1 => old += 1,
            _ => new += 1,
        }
        drop(connection);
        let ledger = Ledger::accept_move(path).unwrap();
        assert_sound(&ledger.verify().unwrap());
        assert_eq!(tier_balances(&ledger, "visits")[0].spent, Amount::micros(50_000));
        let ann = ledger.person_key().hash(b"ann");
        let spent = ledger.spent_by_persons("people").unwrap();
        assert_eq!((spent.get(ann), spent.len()), (Amount::micros(390), 4));
    });
    println!("{old} old ledgers, {new} new ones");
    assert!(kills == 0 || kills > 20 && old > 0 && new > 0, "both states were reached");
}
