//! Every specimen is caught, and its corrected twin is not.

use suum_audit::{Progress, Settings, Specimen, Subject, Verdict, Version, audit, specimens};
use suum_testing::Extent;

fn verdicts(specimen: &Specimen, seed: u64) -> Vec<Verdict> {
    let settings = Settings { runs: specimen.runs(), seed, ..Settings::default() };
    let report = audit(&[specimen], &settings, &Progress::default()).unwrap();
    report.subjects[0].levels.iter().map(|level| level.verdict).collect()
}

/// Twenty, or eight outside of `ci` and `long`: what is missed with one seed in three is seen
/// with eight in all but 4 % of cases, and with twenty in all but 0.03 %.
fn seeds() -> u64 {
    Extent::get().trials(20).into()
}

/// In the runs that it states, on every one of its levels, and with any seed.
#[test]
#[ignore = "takes seconds"]
fn every_mistake_is_caught() {
    for specimen in specimens(Version::Published).unwrap() {
        for seed in 0..seeds() {
            let found = verdicts(&specimen, seed);
            assert!(
                found.iter().all(|verdict| *verdict == Verdict::Broken),
                "{} {seed}",
                specimen.name()
            );
        }
    }
}

/// It is the mistake that is found: the same mechanism without it stands. An alarm would be false
/// at most once in 1000 audits, of which there are 160 at most.
#[test]
#[ignore = "takes seconds"]
fn no_correction_is_caught() {
    for specimen in specimens(Version::Corrected).unwrap() {
        for seed in 0..seeds() {
            let found = verdicts(&specimen, seed);
            assert!(
                found.iter().all(|verdict| *verdict == Verdict::NotDisproved),
                "{} {seed}",
                specimen.name()
            );
        }
    }
}

/// Alone or among others, by any number of threads.
#[test]
fn a_seed_says_all() {
    let all = specimens(Version::Published).unwrap();
    let subjects: Vec<&dyn Subject> = all.iter().map(|specimen| specimen as &dyn Subject).collect();
    let settings = Settings { runs: 200, ..Settings::default() };
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let progress = Progress::default();
        let report = pool.install(|| audit(&subjects, &settings, &progress)).unwrap();
        assert!(progress.total() > 0 && progress.done() == progress.total());
        report
    };
    let report = run(1);
    assert_eq!(run(3), report);
    assert_ne!(
        audit(&subjects, &Settings { seed: 2, ..settings }, &Progress::default()).unwrap(),
        report
    );
}
