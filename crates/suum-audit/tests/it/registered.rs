//! Every mechanism of suum stands where the specimens fall.

use suum_audit::{Progress, RegisteredMechanism, Settings, Subject, Verdict, audit, registered};
use suum_core::{Estimator, Loss, Neighbors, QuantileEstimator, QuantileMethod, RangePlan};
use suum_testing::Extent;

/// Returns true for mechanisms that search or learn a range first, or that learn how many people
/// there are and then how they are spread: a run of them takes milliseconds.
fn searches(subject: &RegisteredMechanism) -> bool {
    let add_remove = subject.neighbors().hides_participation();
    [RangePlan::NAME, "adaptive"].contains(&subject.estimator())
        || add_remove && subject.estimator() == "histogram-looks"
}

/// One audit of all of them, whose alarm would be false at most once in 1000 of such audits; its
/// seed is fixed.
///
/// Bounds are some 4.6 standard deviations wide, for so many levels. A threshold that shows twice
/// what is promised, for ε = 1, has a log ratio of 2 ± 0.05 in 5000 runs, whose bound is 0.3 less,
/// of 2 ± 0.09 in 2000 runs, 0.5 less, and of 2 ± 0.12 in 1000 runs, 0.7 less: it is found with
/// probability 0.99 in all, and with as much one that shows 1.35 in 5000, or 1.6 in 2000.
fn stand(subjects: &[RegisteredMechanism], runs: u64) {
    let audited: Vec<&dyn Subject> =
        subjects.iter().map(|subject| subject as &dyn Subject).collect();
    let settings = Settings { runs, ..Settings::default() };
    let report = audit(&audited, &settings, &Progress::default()).unwrap();
    for (subject, audited) in report.subjects.iter().zip(subjects) {
        for level in &subject.levels {
            assert_eq!(level.verdict, Verdict::NotDisproved, "{}", report.text());
        }
        // Something was found to be lost: an auditor that sees nothing would be content with
        // everything. Where participation is hidden most of the noise is that of the others; and
        // among as many as a search for a range needs, one record hardly moves a rank.
        let lost = subject.levels.iter().filter_map(|level| level.evidence.as_ref());
        let lost = lost.map(|evidence| evidence.loss).fold(0.0, f64::max);
        assert!(
            lost > 0.0
                || audited.neighbors().hides_participation()
                || (searches(audited) && audited.statistic() == "quantile"),
            "{}: nothing was seen\n{}",
            subject.name,
            report.text()
        );
    }
}

/// At the runs in which every specimen is caught, 5000, or at 2000 outside of `ci` and `long`. Sums
/// and counts of other weights than those of `affine` are made and drawn as its own are, and their
/// losses are computed exactly below: fewer runs show that what is drawn follows the weights.
#[test]
#[ignore = "takes seconds"]
fn mechanisms_with_declared_bounds_stand() {
    let mut subjects = registered(&"1:3,3:2".parse().unwrap()).unwrap();
    subjects.retain(|subject| !searches(subject));
    let (weights, others): (Vec<_>, Vec<_>) = subjects.into_iter().partition(|subject| {
        subject.exact_loss(0).is_some() && subject.estimator() != Estimator::Affine.name()
    });
    assert!(weights.len() >= 20 && others.len() >= 25, "{} {}", weights.len(), others.len());
    stand(&weights, 1000);
    let full = u32::try_from(Settings::default().runs).unwrap();
    // Categories that are found show with a count above a threshold: of so few people that is so
    // seldom that fewer runs see nothing.
    let (found, others): (Vec<_>, Vec<_>) =
        others.into_iter().partition(|subject| subject.statistic().starts_with("found"));
    assert_eq!(found.len(), 2);
    stand(&found, full.into());
    stand(&others, Extent::get().trials(full).into());
}

/// A search for a range takes milliseconds.
#[test]
#[ignore = "takes seconds"]
fn mechanisms_that_search_stand() {
    let mut subjects = registered(&"8:4".parse().unwrap()).unwrap();
    subjects.retain(searches);
    // Five statistics, all of which can hide who takes part; two that learn a range, and two more
    // for either kind of hidden people; and a histogram for either.
    assert_eq!(subjects.len(), 18);
    stand(&subjects, 300);
}

/// Public people are promised nothing, unless they are certified to lose less than all.
#[test]
#[ignore = "takes seconds"]
fn public_people_are_left_in_peace() {
    let mut subjects = registered(&"1:3,inf:2".parse().unwrap()).unwrap();
    subjects.retain(|subject| !searches(subject) && subject.neighbors() == Neighbors::ReplaceOne);
    let named =
        |subject: &RegisteredMechanism| format!("{} {}", subject.statistic(), subject.estimator());
    let settings = Settings { runs: 500, ..Settings::default() };
    for subject in &subjects {
        let report = audit(&[subject], &settings, &Progress::default()).unwrap();
        assert_ne!(report.verdict(), Verdict::Broken, "{}", report.text());
        let public = &report.subjects[0].levels[1];
        assert_eq!(public.evidence.is_none(), public.verdict == Verdict::NothingPromised);
        if named(subject) == "mean uniform" {
            assert_eq!(public.verdict, Verdict::NotDisproved, "they lose as much as the strictest");
        }
    }
}

/// The list is that of the core: who adds an estimator has it audited.
#[test]
fn nothing_is_forgotten() {
    let subjects = registered(&"0.5:4,1:3,3:2".parse().unwrap()).unwrap();
    let has = |statistic: &str, estimator: &str, neighbors: Neighbors| {
        let same = |subject: &&RegisteredMechanism| {
            (subject.statistic(), subject.estimator(), subject.neighbors())
                == (statistic, estimator, neighbors)
        };
        assert_eq!(
            subjects.iter().filter(same).count(),
            1,
            "{statistic} {estimator} {neighbors:?}"
        );
    };
    // What is for study is audited where it is released.
    for estimator in Estimator::ALL.into_iter().filter(|estimator| !estimator.is_for_study()) {
        for (frequency, statistic) in [(false, "mean"), (true, "frequency")] {
            if estimator.serves(frequency) {
                has(statistic, estimator.name(), Neighbors::ReplaceOne);
            }
        }
    }
    for estimator in QuantileEstimator::ALL {
        has("quantile", estimator.name(), Neighbors::ReplaceOne);
    }
    has("quantile", QuantileMethod::Recursion.name(), Neighbors::ReplaceOne);
    has("quantile", QuantileMethod::Histogram.name(), Neighbors::ReplaceOne);
    for neighbors in [Neighbors::ReplaceOne, Neighbors::AddRemove, Neighbors::Both] {
        has("quantile", "histogram-looks", neighbors);
    }
    for neighbors in [Neighbors::ReplaceOne, Neighbors::AddRemove, Neighbors::Both] {
        has("mean", "adaptive", neighbors);
        has("sum", "adaptive", neighbors);
    }
    has("mean", RangePlan::NAME, Neighbors::ReplaceOne);
    has("mean", RangePlan::NAME, Neighbors::AddRemove);
    for statistic in ["mean", "sum", "frequency", "quantile"] {
        for estimator in ["affine", "uniform", "proportional"] {
            has(statistic, estimator, Neighbors::AddRemove);
        }
    }
    has("count", "affine", Neighbors::AddRemove);
    has("found categories", "affine", Neighbors::ReplaceOne);
    has("found shares of persons", "affine", Neighbors::ReplaceOne);
    has("variance", "affine", Neighbors::ReplaceOne);
    has("summary", "auto", Neighbors::ReplaceOne);
}

/// Weighted sums and counts on integers: what is computed from the tables is what was certified,
/// for whoever spends everything.
#[test]
#[ignore = "takes seconds"]
fn exact_losses_are_those_certified() {
    let subjects = registered(&"0.5:4,1:3,3:2".parse().unwrap()).unwrap();
    let mut exact = 0;
    let summed =
        |subject: &&RegisteredMechanism| ["mean", "frequency"].contains(&subject.statistic());
    for subject in subjects.iter().filter(summed).filter(|subject| !searches(subject)) {
        for (level, promise) in subject.promises().iter().enumerate() {
            let pairs = subject.neighbours().iter().enumerate();
            let pairs = pairs.filter(|(_, pair)| pair.promise == level);
            let losses: Vec<Loss> =
                pairs.filter_map(|(pair, _)| subject.exact_loss(pair)).collect();
            let most = losses.iter().max_by(|a, b| a.rounded_up().total_cmp(&b.rounded_up()));
            if let Some(loss) = most {
                assert_eq!(*loss, promise.certified, "{} {}", subject.name(), promise.level);
                exact += 1;
            }
        }
    }
    assert!(exact > 60, "{exact}");
    // The report has them.
    let settings = Settings { runs: 100, ..Settings::default() };
    let counted = subjects.iter().find(|subject| subject.exact_loss(0).is_some()).unwrap();
    let report = audit(&[counted], &settings, &Progress::default()).unwrap();
    for level in &report.subjects[0].levels {
        assert_eq!(level.exact.as_ref(), Some(&level.certified), "{}", report.text());
    }
}
