//! The experiments: what papers concluded holds, `auto` is beaten only where we know it is, and
//! pages are well made.
//!
//! Seeds are fixed, so what passes once passes until the code changes. With few trials some
//! conclusions cannot be seen; what is asserted here is exact, or holds by many standard errors.

use std::collections::BTreeSet;
use std::fs;

use suum_experiments::{
    Chart, Effort, Experiment, Files, Heatmap, Outcome, Panel, Progress, Table, Trials,
    ValueWithError, Verdict, csv, page, svg, write,
};

fn run(id: &str, trials: Trials) -> Outcome {
    let effort = Effort { trials, files: Files::default() };
    let progress = Progress::default();
    let outcome = Experiment::named(id).unwrap().run(&effort, &progress).unwrap();
    let (done, total) = progress.get();
    assert!(done == total && total > 0, "{id}: {done} of {total} done");
    outcome
}

fn chart<'a>(outcome: &'a Outcome, name: &str) -> &'a Chart {
    let found = outcome.panels.iter().find(|panel| panel.name() == name);
    let Some(Panel::Chart(chart)) = found else { panic!("{}: no chart {name}", outcome.id) };
    chart
}

fn heatmap(outcome: &Outcome) -> &Heatmap {
    let Some(Panel::Heatmap(heatmap)) = outcome.panels.first() else {
        panic!("{}: no heatmap", outcome.id)
    };
    heatmap
}

fn table(outcome: &Outcome) -> &Table {
    let found = outcome.panels.iter().find_map(|panel| match panel {
        Panel::Table(table) => Some(table),
        _ => None,
    });
    found.unwrap()
}

fn points<'a>(chart: &'a Chart, name: &str) -> &'a [(f64, ValueWithError)] {
    &chart.series.iter().find(|series| series.name == name).unwrap().points
}

fn differs(outcome: &Outcome, beginning: &str) {
    let found = outcome.findings.iter().find(|finding| finding.text.contains(beginning));
    let finding = found.unwrap_or_else(|| panic!("{}: nothing says {beginning}", outcome.id));
    assert_eq!(finding.verdict, Verdict::Differs, "{}", finding.text);
}

fn agrees(outcome: &Outcome, beginning: &str) {
    let found = outcome.findings.iter().find(|finding| finding.text.contains(beginning));
    let finding = found.unwrap_or_else(|| panic!("{}: nothing says {beginning}", outcome.id));
    assert_eq!(finding.verdict, Verdict::Agrees, "{}", finding.text);
}

/// Asserts that the file of parameters gives a reason wherever `auto` is beaten.
fn auto_is_beaten_only_where_known(outcome: &Outcome) {
    for beaten in &outcome.contest.beaten {
        assert!(beaten.reason.is_some(), "{}: {beaten:?}", outcome.id);
    }
}

#[test]
#[ignore = "takes seconds"]
fn saturation_is_where_the_theorem_says() {
    let outcome = run("cc23-fig1b", Trials::Quick);
    let chart = chart(&outcome, "mse");
    // ε₁ + 8/(n₁ε₁) with n₁ = 1000 and ε₁ = 0.05.
    assert!((chart.marks[0].at - 0.21).abs() < 1e-12);
    agrees(&outcome, "constant from there on");
    agrees(&outcome, "PropDPM gets worse");
    agrees(&outcome, "LDPE approaches ADPM");
    let (adpm, prop, auto) =
        (points(chart, "ADPM"), points(chart, "PropDPM"), points(chart, "suum"));
    assert_eq!(adpm, auto, "suum is ADPM here, and sees the same data and noise");
    let last = adpm.len() - 1;
    assert!(prop[last].1.value > adpm[last].1.value + 10.0 * prop[last].1.error);
    assert!(
        points(chart, "lower bound")
            .iter()
            .zip(auto)
            .all(|((_, bound), (_, auto))| bound.value < auto.value)
    );
    auto_is_beaten_only_where_known(&outcome);
}

#[test]
#[ignore = "takes seconds"]
fn close_groups_and_many_budgets_are_ordered_as_published() {
    let outcome = run("cc23-fig1a", Trials::Quick);
    agrees(&outcome, "LDPE is worse than UNI");
    agrees(&outcome, "SM drifts upward");
    auto_is_beaten_only_where_known(&outcome);

    let outcome = run("cc23-table2", Trials::Quick);
    agrees(&outcome, "high variance: The order");
    agrees(&outcome, "low variance: The order");
    let rows = &table(&outcome).rows;
    assert_eq!(rows[1].1[2].published, Some(-1.3));
    // Low variance: all printed numbers within a third of a unit of logarithms.
    for entry in &rows[1].1[..5] {
        assert!((entry.published.unwrap() - entry.ours.unwrap().value).abs() < 0.35, "{entry:?}");
    }
    auto_is_beaten_only_where_known(&outcome);
}

#[test]
fn gains_stay_below_the_theorems_and_near_them() {
    for (id, most, reached) in [("cz26-fig1", 2.0, 1.9), ("cz26-fig2", 4.0, 3.7)] {
        let outcome = run(id, Trials::Quick);
        let all: Vec<f64> = heatmap(&outcome).values.iter().flatten().copied().collect();
        assert_eq!(all.len(), 81 * 81);
        let (low, high) =
            all.iter().fold((9.0f64, 0.0f64), |(low, high), z| (low.min(*z), high.max(*z)));
        assert!(low >= 1.0 - 1e-12 && high <= most && high > reached, "{id}: {low} {high}");
        assert!(heatmap(&outcome).contours.contains(&1.01));
        agrees(&outcome, "The example of the text");
        // The cuts are rows and columns of the same map.
        let cut = points(chart(&outcome, "rows"), "ε₁ = 0.001");
        assert!(cut.iter().all(|(_, ratio)| ratio.value <= high + 0.1));
        auto_is_beaten_only_where_known(&outcome);
    }
}

/// Both risks anew, the affine one over a fine grid of clip levels.
fn equal_revenue_ratio(levels: i32) -> f64 {
    let family: Vec<(f64, f64)> = (0..levels).map(|i| (0.5f64.powi(i), 2f64.powi(i))).collect();
    let kept = |least: f64| family.iter().filter(|(e, _)| *e >= least).map(|(_, n)| n).sum::<f64>();
    let threshold = family.iter().map(|(e, _)| 0.25 / kept(*e) + 2.0 / (e * kept(*e)).powi(2));
    let affine = (0..20_000).map(|step| {
        let tau = 0.5f64.powf(f64::from(levels) * f64::from(step) / 20_000.0);
        let sum = |power: i32| family.iter().map(|(e, n)| n * e.min(tau).powi(power)).sum::<f64>();
        (0.25 * sum(2) + 2.0) / sum(1).powi(2)
    });
    threshold.fold(f64::INFINITY, f64::min) / affine.fold(f64::INFINITY, f64::min)
}

#[test]
fn the_equal_revenue_family_gains_a_fifth_of_the_square() {
    let outcome = run("cz26-thm3", Trials::Quick);
    agrees(&outcome, "The ratio is between");
    let exact = points(chart(&outcome, "ratio"), "exact");
    for (m, ratio) in exact {
        let again = equal_revenue_ratio(*m as i32);
        assert!((ratio.value / again - 1.0).abs() < 1e-4, "m = {m}: {} {again}", ratio.value);
        assert!(ratio.value >= m * m / 5.0);
    }
    assert_eq!(exact.len(), 17);
}

#[test]
#[ignore = "takes seconds"]
fn frequencies_are_as_published_in_most_rows() {
    let outcome = run("cc24-table4", Trials::Exactly(60));
    let table = table(&outcome);
    assert_eq!((table.rows.len(), table.columns.len()), (12, 7));
    agrees(&outcome, "pairs of columns");
    agrees(&outcome, "The best published column");
    auto_is_beaten_only_where_known(&outcome);
    // The exception is one: HPF-A, in the second column, against auto, in the last.
    let (_, entries) = table.rows.iter().find(|(cell, _)| cell == "(10000, 20), C, P").unwrap();
    let (hpf_a, auto) = (entries[1].ours.unwrap(), entries[6].ours.unwrap());
    assert!(hpf_a.value < 0.9 * auto.value, "{hpf_a:?} {auto:?}");
}

#[test]
fn the_figure_of_cc24_shows_rows_of_its_table() {
    let outcome = run("cc24-table4", Trials::Exactly(3));
    let table = table(&outcome);
    for (name, ending) in [("fig1a", ", C, E"), ("fig1b", ", U, P")] {
        let panel = outcome.panels.iter().find(|panel| panel.name() == name).unwrap();
        let Panel::Dots(dots) = panel else { panic!("{name} is no picture of dots") };
        assert_eq!((dots.groups.len(), &dots.columns), (3, &table.columns));
        for (group, entries) in &dots.groups {
            let (_, row) =
                table.rows.iter().find(|(cell, _)| *cell == format!("{group}{ending}")).unwrap();
            assert_eq!(entries, row, "{name} {group}");
        }
        // Six columns with a ring each, and a dot for those and for auto.
        assert_eq!(svg(panel).unwrap().matches("<circle").count(), 3 * (6 + 7), "{name}");
    }
}

#[test]
#[ignore = "takes seconds"]
fn means_of_cc24_are_never_better_than_by_auto() {
    let outcome = run("cc24-table5", Trials::Exactly(60));
    assert_eq!(table(&outcome).rows.len(), 6);
    auto_is_beaten_only_where_known(&outcome);
    // What is far from the published numbers is said, and where it comes from.
    differs(&outcome, "HPM-A in UC salary, C, E has 503 times the published number: 100 % of its");
    differs(&outcome, "SM in 10000, C, E has");
}

#[test]
#[ignore = "takes seconds"]
fn fast_variants_compare_as_published() {
    let outcome = run("cc24-fig2", Trials::Quick);
    agrees(&outcome, "HPF-CP has");
    agrees(&outcome, "have the same weights");
    agrees(&outcome, "Uncorrelated, HPF-A");
    auto_is_beaten_only_where_known(&outcome);
}

#[test]
#[ignore = "takes seconds"]
fn sampling_is_worse_than_mixed_but_at_its_best_threshold() {
    let outcome = run("fgk21-fig1", Trials::Quick);
    for threshold in ["0.01", "1.76", "10"] {
        agrees(&outcome, &format!("SM with t = {threshold} has"));
    }
    let chart = chart(&outcome, "variance");
    // Two of them are exact risks.
    assert_eq!(chart.series.len(), 10);
    // Published noise is too small, so its line is no bound and no contender.
    points(chart, "mixed as published (can spend 2ε)");
    auto_is_beaten_only_where_known(&outcome);
}

#[test]
#[ignore = "takes seconds"]
fn medians_of_auto_are_never_beaten() {
    let outcome = run("fgk21-fig2", Trials::Exactly(40));
    assert_eq!(outcome.contest.comparisons, 56);
    auto_is_beaten_only_where_known(&outcome);
}

/// In half of the cells or more the recursion has at most 0.8 times the error of the even split.
#[test]
#[ignore = "takes seconds"]
fn quantiles_together_have_less_error() {
    let outcome = run("joint-quantiles", Trials::Quick);
    auto_is_beaten_only_where_known(&outcome);
    let Panel::Table(table) = &outcome.panels[0] else { panic!("a table") };
    let better = table.rows.iter().filter(|(_, cells)| {
        let [even, auto] = [0, 1].map(|at: usize| cells[at].ours.unwrap().value);
        auto < 0.8 * even
    });
    let better = better.count();
    assert!(2 * better >= table.rows.len(), "{better} of {}", table.rows.len());
}

/// Intervals that cover exactly 95 % in all 30 cells fail with a probability of at most 10 % (the
/// seed is fixed), a cell that covers 70 % is found with one of 92 % (30 trials, binomial). The
/// core's tests look closer.
#[test]
#[ignore = "takes seconds"]
fn intervals_of_quantiles_hold() {
    let outcome = run("quantile-intervals", Trials::Exactly(30));
    assert_eq!(outcome.findings[0].text, "No interval covers significantly less than 95 %.");
    let Panel::Table(lengths) = &outcome.panels[1] else { panic!("a table") };
    assert_eq!(lengths.rows.len(), 30);
    for (name, cells) in &lengths.rows {
        let length = cells[0].ours.unwrap().value;
        // Where every record has a value of its own, none is shorter than without privacy.
        assert!(length > 1.0 || name.starts_with("heaped"), "{name}: {length}");
    }
}

#[test]
#[ignore = "takes seconds"]
fn gaussian_means_are_above_their_bound() {
    let outcome = run("dg26", Trials::Exactly(4));
    agrees(&outcome, "No error is significantly below the lower bound");
    let chart = chart(&outcome, "rmse");
    let (ours, published) =
        (points(chart, "suum, replace-one"), points(chart, "published, replace-one"));
    assert!(ours.len() > published.len(), "ours answers with fewer people");
    auto_is_beaten_only_where_known(&outcome);
}

/// Learning where the values lie pays in generous bounds, and costs little in tight ones.
#[test]
#[ignore = "takes seconds"]
fn real_data() {
    let outcome = run("real-data", Trials::Quick);
    for (target, errors, most, gain) in
        [("population", "errors", 1.6, 0.9), ("dataset", "errors-dataset", 2.0, 0.6)]
    {
        let covers =
            format!("{target}: No interval of the default covers significantly less than 95 %");
        agrees(&outcome, &covers);
        let chart = chart(&outcome, errors);
        // The median, over 130 cells, of the error over the best in hindsight.
        let median = |name: &str| {
            let points = points(chart, name);
            points[points.len() / 2].1.value
        };
        let (default, without) = (median("default"), median("without learning"));
        assert!(default < most && default < gain * without, "{target}: {default} {without}");
    }
}

/// Every experiment with very few trials: whole files, and pictures that are well-formed.
#[test]
#[ignore = "takes seconds"]
fn pages_are_whole_and_need_nothing_else() {
    let outcomes: Vec<Outcome> =
        Experiment::ALL.iter().map(|experiment| run(experiment.id, Trials::Exactly(3))).collect();
    let folder = tempfile::tempdir().unwrap();
    let written = write(&outcomes, folder.path(), "all").unwrap();
    let text = fs::read_to_string(written).unwrap();
    assert_eq!(text, page(&outcomes));
    assert!(text.starts_with("<!DOCTYPE html>") && text.ends_with("</html>\n"));
    for outside in ["<script", "<link", "src=", "@import", "url(", "<image x=\"http"] {
        assert!(!text.contains(outside), "{outside}");
    }
    // Papers are linked where they are named, and listed at the end.
    let papers = text.split("<section id=\"papers\">").nth(1).unwrap();
    for address in text.split("href=\"http").skip(1).map(|rest| rest.split('"').next().unwrap()) {
        assert!(papers.contains(address) && address.starts_with("s://arxiv.org/"), "{address}");
    }
    // Bands are named where there are some.
    for outcome in &outcomes {
        let alone = page(std::slice::from_ref(outcome));
        assert_eq!(
            alone.contains("class=\"band\""),
            alone.contains("Bands are 95 %"),
            "{}",
            outcome.id
        );
        assert!(alone.len() < 500_000, "{}: {} bytes", outcome.id, alone.len());
    }
    let names: BTreeSet<&str> = outcomes.iter().map(|outcome| outcome.id).collect();
    assert_eq!(names.len(), 15);
    for outcome in &outcomes {
        assert!(
            !outcome.findings.is_empty() && !outcome.panels.is_empty() && !outcome.notes.is_empty()
        );
        assert!(text.contains(&format!("id=\"{}\"", outcome.id)));
        let rows = csv(outcome);
        assert_eq!(
            rows,
            fs::read_to_string(folder.path().join(format!("{}.csv", outcome.id))).unwrap()
        );
        assert!(rows.lines().count() > 8, "{}", outcome.id);
        let mut names = BTreeSet::new();
        for panel in &outcome.panels {
            assert!(names.insert(panel.name()), "{}: two panels {}", outcome.id, panel.name());
            if let Some(picture) = svg(panel) {
                let document = roxmltree::Document::parse(&picture).unwrap();
                assert_eq!(document.root_element().tag_name().name(), "svg");
                assert!(
                    !picture.contains("NaN") && !picture.contains("inf"),
                    "{} {}",
                    outcome.id,
                    panel.name()
                );
                assert!(
                    folder.path().join(format!("{}-{}.svg", outcome.id, panel.name())).exists()
                );
            }
        }
    }
}

#[test]
#[ignore = "takes seconds"]
fn results_do_not_depend_on_threads() {
    for (id, trials) in [("cc23-fig1b", 150), ("fgk21-fig2", 3), ("dg26", 2)] {
        let with = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| csv(&run(id, Trials::Exactly(trials))))
        };
        assert_eq!(with(1), with(3), "{id}");
    }
}

#[test]
fn numbers_depend_on_the_seed_alone() {
    insta::assert_snapshot!(csv(&run("cc23-fig1b", Trials::Exactly(40))));
}

#[test]
fn real_files_take_the_place_of_stand_ins() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cancers.csv");
    let rows: String =
        (0..400).map(|row| format!("{row},{}\n", ["a", "b", "c"][row % 7 % 3])).collect();
    fs::write(&path, format!("case,site\n{rows}")).unwrap();
    let run = |files: Files| {
        let effort = Effort { trials: Trials::Exactly(2), files };
        Experiment::named("cc24-table4").unwrap().run(&effort, &Progress::default())
    };
    let real = run(Files { cancers: Some((path.clone(), "site".into())), salaries: None }).unwrap();
    let made_up = run(Files::default()).unwrap();
    let row = |outcome: &Outcome, row: usize| table(outcome).rows[row].clone();
    assert_ne!(row(&real, 6), row(&made_up, 6), "cancers");
    assert_eq!(row(&real, 0), row(&made_up, 0), "salaries");

    let refused = run(Files { cancers: Some((path, "type".into())), salaries: None }).unwrap_err();
    assert_eq!(refused.to_string(), "cancers: there is no column type");
    assert!(refused.fix().is_some());
}

#[test]
fn names_that_do_not_exist_are_refused() {
    assert!(Experiment::named("cc23-fig9").unwrap_err().fix().is_some());
}
