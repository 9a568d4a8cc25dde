//! The total of both accounts beside what Google's dp-accounting says, on random histories.
//!
//! What it says is kept in `dp_accounting.txt`. `pip install dp-accounting` for the Python that the
//! environment variable `PYTHON` names, or `python3`, and it is asked again; `INSTA_UPDATE=always`
//! then writes the file anew.

use std::io::Write;
use std::process::{Command, Stdio};

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};
use suum_core::{Delta, Loss, Rho};
use suum_ledger::{Amount, Cost};

/// A history: pairs of an ε in millionths and how often it was spent.
type History = Vec<(u64, u64)>;

/// Two numbers for each history: the ε of the privacy loss distribution, and that of the sum of ρ.
const STORED: &str = include_str!("dp_accounting.txt");

fn histories() -> Vec<History> {
    let mut dice = ChaCha8Rng::seed_from_u64(1);
    let mut from = |low: u64, high: u64| low + u64::from(dice.next_u32()) % (high - low);
    let mut all = vec![vec![(2_739, 365)], vec![(1_000_000, 1)], vec![(35_714, 28)]];
    for _ in 0..20 {
        let pairs = from(1, 6);
        all.push((0..pairs).map(|_| (from(500, 200_000), from(1, 150))).collect());
    }
    all
}

fn cost(history: &History) -> Cost {
    let one = |micros: u64| {
        let loss = Loss::ratio(micros, 1_000_000);
        // As fine as noise of a release is, so that it is Laplace noise but for rounding.
        Cost {
            epsilon: Amount::from_loss(&loss),
            rho: Rho::for_laplace(&loss, &(1_u64 << 50).into()),
        }
    };
    let all = history.iter().flat_map(|(micros, times)| (0..*times).map(|_| one(*micros)));
    all.fold(Cost::ZERO, Cost::plus)
}

/// A history as a line of the file has it, before the two numbers.
fn words(history: &History) -> String {
    let words: Vec<String> =
        history.iter().map(|(micros, times)| format!("{micros}*{times}")).collect();
    words.join(" ")
}

/// The numbers that are kept, of these histories and no others.
fn stored() -> Vec<(History, [f64; 2])> {
    let lines = STORED.lines().filter(|line| !line.starts_with('#'));
    let numbers = lines.zip(histories()).map(|(line, history)| {
        let (of, said) = line.split_once(" = ").unwrap();
        assert_eq!(of, words(&history));
        let said: Vec<f64> = said.split(' ').map(|word| word.parse().unwrap()).collect();
        (history, said.try_into().unwrap())
    });
    let numbers: Vec<_> = numbers.collect();
    assert_eq!(numbers.len(), histories().len());
    numbers
}

#[test]
fn totals_agree_with_dp_accounting() {
    for (history, [exact, concentrated]) in stored() {
        let cost = cost(&history);
        let (total, sum) =
            (cost.smaller_total(Delta::MILLIONTH).in_epsilon(), cost.epsilon.in_epsilon());
        // Their grid is one of 10⁻⁴ and rounds up.
        assert!(total >= exact - 2e-4 - 1e-3 * exact, "{history:?}: {total} < {exact}");
        // The same formula, of which they try some orders and suum looks for the best.
        let best = concentrated.min(sum);
        assert!(total <= best + 1e-5, "{history:?}: {total} > {best}");
        assert!(total >= best * 0.999 - 1e-5, "{history:?}: {total} < {best}");
    }
}

#[test]
fn what_is_kept_is_what_dp_accounting_says() {
    let python = std::env::var("PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let version = "import importlib.metadata as m; print(m.version('dp-accounting'))";
    let has = Command::new(&python).args(["-c", version]).output();
    let Some(version) = has.ok().filter(|output| output.status.success()) else {
        eprintln!("not run: {python} has no dp-accounting (pip install dp-accounting)");
        return;
    };
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/other_accountant.py");
    let mut child = Command::new(&python)
        .arg(script)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut text = String::new();
    for history in &histories() {
        text += &cost(history).rho.to_string();
        for (micros, times) in history {
            text += &format!(" {} {times}", *micros as f64 / 1e6);
        }
        text.push('\n');
    }
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(said.lines().count(), histories().len());
    if std::env::var("INSTA_UPDATE").is_ok_and(|update| update == "always") {
        let version = String::from_utf8(version.stdout).unwrap();
        let lines = histories().into_iter().zip(said.lines());
        let lines = lines.map(|(history, line)| format!("{} = {line}\n", words(&history)));
        let text = format!(
            "# What dp-accounting {} says of histories at δ = 10⁻⁶: micro-ε * times = ε of the\n\
             # privacy loss distribution, and of the sum of ρ. Written by `dp_accounting.rs`.\n{}",
            version.trim(),
            lines.collect::<String>()
        );
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/dp_accounting.txt");
        std::fs::write(path, text).unwrap();
        return;
    }
    for ((history, kept), line) in stored().into_iter().zip(said.lines()) {
        for (kept, word) in kept.into_iter().zip(line.split(' ')) {
            let now: f64 = word.parse().unwrap();
            assert!((now - kept).abs() <= 1e-6 * kept, "{history:?}: {now}, and {kept} is kept");
        }
    }
}
