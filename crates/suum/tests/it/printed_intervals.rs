//! Printed intervals contain the computed ones, and the printed estimate, in texts and on pages.

use suum::{
    Bounds, Grid, Interval, Options, PrivacyColumn, Progress, Release, Request, Scan, Slice,
    Slices, Value, ValueColumn, View,
};
use suum_report::Beside;

/// Made-up numbers, the same in every run.
struct Numbers(u64);

impl Numbers {
    /// A number from 0 to 1.
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// An estimate and its interval, of any size from 1e-12 to 1e25, as long as the estimate or
    /// much shorter, down to a point.
    fn estimate(&mut self) -> (f64, Interval) {
        let magnitude = 10f64.powf(self.between(-12.0, 25.0));
        let estimate = match self.unit() {
            part if part < 0.05 => 0.0,
            part if part < 0.1 => 1_700_000_003.25,
            part if part < 0.5 => -magnitude,
            _ => magnitude,
        };
        let mut half = || match self.unit() {
            part if part < 0.1 => 0.0,
            _ => magnitude * 10f64.powf(self.between(-20.0, 1.0)),
        };
        let (lower, upper) = (estimate - half(), estimate + half());
        (estimate, Interval { confidence: 0.95, lower, upper })
    }
}

fn mean() -> Release {
    let scan = Scan::new(
        PrivacyColumn::Budgets { column: "epsilon".into() },
        Some(Value::Number(ValueColumn {
            column: "value".into(),
            // Whatever the interval, it is not all that is possible.
            numbers: Grid::new(Bounds::new(-1e27, 1e27).unwrap()).into(),
            missing: None,
        })),
    );
    let people = Slices::new().with("value", Slice::Numbers(&[2.0; 50])).unwrap();
    let people = people.with("epsilon", Slice::Numbers(&[1.0; 50])).unwrap();
    let table = suum::scan_slices(&people, &scan, &Progress::default()).unwrap();
    let mut randomness = suum::entropy().unwrap();
    Request::mean(Options::default()).release(table, &mut randomness).unwrap()
}

/// The words of a page, without its tags.
fn words_of(page: &str) -> String {
    let mut words = String::new();
    let mut is_tag = false;
    for character in page.chars() {
        match character {
            '<' => is_tag = true,
            '>' => is_tag = false,
            _ if !is_tag => words.push(character),
            _ => {}
        }
    }
    words
}

fn number(text: &str) -> f64 {
    text.replace(',', "").parse().unwrap_or_else(|_| panic!("{text} is no number"))
}

#[test]
fn printed_interval_contains_computed_one() {
    let (mut release, mut numbers) = (mean(), Numbers(21));
    let mut tight = 0;
    for _ in 0..2000 {
        let (estimate, interval) = numbers.estimate();
        release.estimates[0].estimate = estimate;
        release.estimates[0].interval = Some(interval);
        let text = suum_report::release_text(&release, &View::default(), &Beside::default());
        let words: Vec<&str> = text.split_whitespace().collect();
        let at = |word: &str| words.iter().position(|one| *one == word).unwrap();
        let (shown, from) = (words[at("mean") + 1], at("interval") + 1);
        let (lower, upper) = (words[from], words[from + 2]);
        assert_eq!(words[from + 1], "to", "{text}");
        let printed = [lower, shown, upper].map(number);
        assert!(
            printed[0] <= interval.lower && interval.upper <= printed[2],
            "{interval:?} is printed as {lower} to {upper}"
        );
        assert!(printed.is_sorted(), "{shown} is not in {lower} to {upper}");
        let page = words_of(
            &suum_report::release_page(&release, &suum_report::Beside::default()).html("{}"),
        );
        assert!(page.contains(&format!("{lower} to {upper}")), "{lower} to {upper}");
        // It is not much longer: at most a tenth of a side at each end, or what doubles can tell.
        let length = interval.upper - interval.lower;
        let slack = 0.11 * length + 2e-9 * estimate.abs();
        assert!(printed[2] - printed[0] <= length + slack, "{lower} to {upper} for {interval:?}");
        tight += u32::from(length < 1e-9 * estimate.abs());
    }
    assert!(tight > 200, "{tight}");
}
