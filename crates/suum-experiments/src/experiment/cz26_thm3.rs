//! CZ26 Theorems 3 and 4: the gain on the equal-revenue family, and the most it can be.

use serde::Deserialize;
use suum::{Estimator, Result, threshold_ratio_bound};

use super::ratio_map::{plan, ratio, risk, simulated};
use crate::contest::Contest;
use crate::effort::{Effort, Progress};
use crate::outcome::{Axis, Chart, Finding, Outcome, Panel, Role, Series};
use crate::study::Study;
use crate::sweep::OURS;
use crate::value_with_error::ValueWithError;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Setting {
    levels: Vec<u32>,
    /// Largest number of levels that are simulated.
    simulated: u32,
}

/// ε_i = 2^−(i−1) and n_i = 2^(i−1).
fn family(levels: u32) -> Vec<(f64, u64)> {
    (0..levels).map(|i| (0.5f64.powi(i as i32), 1u64 << i)).collect()
}

pub(super) fn run(effort: &Effort, progress: &Progress) -> Result<Outcome> {
    let study = Study::<Setting>::new(
        include_str!("../../../../experiments/cz26-thm3.toml"),
        effort,
        progress,
    )?;
    let setting = &study.sheet.setting;
    let small = || setting.levels.iter().filter(|levels| **levels <= setting.simulated);
    study.expect(small().map(|levels| (1u64 << levels) - 1).sum());

    let mut contest = Contest::default();
    let (mut exact, mut least, mut most, mut risks) =
        (Vec::new(), Vec::new(), Vec::new(), [const { Vec::new() }; 3]);
    let mut holds = true;
    for levels in &setting.levels {
        let plan = plan(&family(*levels))?;
        let (m, ratio) = (f64::from(*levels), ratio(&plan));
        let bound = threshold_ratio_bound(&plan.setting().profile);
        holds &= m * m / 5.0 <= ratio && ratio <= bound;
        exact.push((m, ValueWithError::exact(ratio)));
        least.push((m, ValueWithError::exact(m * m / 5.0)));
        most.push((m, ValueWithError::exact(bound)));
        let auto = plan.chosen().risk.total();
        let rival = risk(&plan, Estimator::Threshold);
        contest.apart(
            &format!("m = {levels}"),
            ValueWithError::exact(auto),
            ("unique threshold", ValueWithError::exact(rival)),
        );
        for (line, number) in risks.iter_mut().zip([Some(rival), Some(auto), plan.lower_bound()]) {
            line.extend(number.map(|number| (m, ValueWithError::exact(number))));
        }
    }
    let mut measured = Vec::new();
    let mut furthest: f64 = 0.0;
    for levels in small() {
        let (ratio, off) = simulated(&study, u64::from(*levels), &family(*levels))?;
        measured.push((f64::from(*levels), ratio));
        furthest = furthest.max(off);
    }
    let growth = exact.last().map_or(f64::NAN, |(m, ratio)| ratio.value / (m * m));

    let series = |name: &str, role, points| Series { name: name.to_owned(), role, points };
    let [threshold, auto, bound] = risks;
    let chart = |name: &str, caption: &str, y, series| {
        let (name, caption) = (name.to_owned(), caption.to_owned());
        Panel::Chart(Chart {
            name,
            caption,
            x: Axis::logarithmic("number of levels m"),
            y,
            series,
            marks: Vec::new(),
        })
    };
    let panels = vec![
        chart(
            "ratio",
            "Risk of the unique threshold over that of the best affine estimator",
            Axis::logarithmic("ratio"),
            vec![
                series("exact", Role::Theirs, exact),
                series("simulated", Role::Published, measured),
                series("m²/5 (Theorem 3)", Role::Bound, least),
                series("min(m², (1 + log₂ n)²) (Theorem 4)", Role::Bound, most),
            ],
        ),
        chart(
            "risks",
            "The risks themselves",
            Axis::logarithmic("mean squared error"),
            vec![
                series("unique threshold", Role::Theirs, threshold),
                series(OURS, Role::Auto, auto),
                series("lower bound", Role::Bound, bound),
            ],
        ),
    ];
    let findings = vec![
        Finding::check(
            holds,
            format!(
                "The ratio is between m²/5 and min(m², (1 + log₂ n)²) for all m tried; it is \
                {growth:.2}·m² for the largest."
            ),
        ),
        Finding::new(format!(
            "Simulated ratios are at most {furthest:.1} standard errors from the exact ones."
        )),
    ];
    Ok(study.outcome("cz26-thm3", panels, findings, contest))
}
