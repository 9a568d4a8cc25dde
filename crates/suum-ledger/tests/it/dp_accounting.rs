//! The total of both accounts beside what Google's dp-accounting says, on random histories.
//!
//! It needs `pip install dp-accounting` for the Python that the environment variable `PYTHON`
//! names, or `python3`; without it the test says that it did not run.

use std::io::Write;
use std::process::{Command, Stdio};

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};
use suum_core::{Delta, Loss, Rho};
use suum_ledger::{Amount, Cost};

/// A history: pairs of an ε in millionths and how often it was spent.
type History = Vec<(u64, u64)>;

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
        Cost { epsilon: Amount::of_loss(&loss), rho: Rho::of_laplace(&loss, &(1_u64 << 50).into()) }
    };
    let all = history.iter().flat_map(|(micros, times)| (0..*times).map(|_| one(*micros)));
    all.fold(Cost::ZERO, Cost::plus)
}

#[test]
fn totals_agree_with_dp_accounting() {
    let python = std::env::var("PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let has = Command::new(&python).args(["-c", "import dp_accounting"]).output();
    if !has.is_ok_and(|output| output.status.success()) {
        eprintln!("not run: {python} has no dp-accounting (pip install dp-accounting)");
        return;
    }
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/other_accountant.py");
    let mut child = Command::new(&python)
        .arg(script)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let histories = histories();
    let mut text = String::new();
    for history in &histories {
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
    assert_eq!(said.lines().count(), histories.len());
    for (history, line) in histories.iter().zip(said.lines()) {
        let numbers: Vec<f64> = line.split(' ').map(|word| word.parse().unwrap()).collect();
        let [exact, concentrated] = numbers[..] else { panic!("{line}") };
        let cost = cost(history);
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
