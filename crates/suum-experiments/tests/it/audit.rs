//! The auditor on the published algorithms, as on all that suum releases with.

use suum::{
    Bounds, DeclaredBudgets, Epsilon, Level, Loss, Profile, Randomness, Result, SampleThreshold,
};
use suum_audit::{Neighbours, Output, Progress, Promise, Settings, Side, Subject, Verdict, audit};
use suum_experiments::published::{
    Answer, DiffusionMean, Person, PublishedEstimator, ReductionMean, SampleMean, StretchMean,
};

use crate::people::people_of;

type Release = Box<dyn Fn(&[Person], &mut Randomness) -> Result<Answer> + Send + Sync>;

/// A published algorithm, with neighbours that are telling for it.
struct Studied {
    estimator: PublishedEstimator,
    promises: Vec<Promise>,
    neighbours: Vec<Neighbours>,
    datasets: Vec<[Vec<Person>; 2]>,
    release: Release,
}

/// Two datasets that differ in one record, of the level at this position.
type Pair = (usize, String, [Vec<Person>; 2]);

impl Studied {
    fn new(
        estimator: PublishedEstimator,
        profile: &Profile,
        loss: impl Fn(Epsilon) -> Loss,
        pairs: Vec<Pair>,
        release: Release,
    ) -> Self {
        let promise = |level: &Level| Promise {
            level: level.epsilon.to_string(),
            allowed: level.epsilon,
            certified: loss(level.epsilon),
        };
        let (mut neighbours, mut datasets) = (Vec::new(), Vec::new());
        for (promise, difference, pair) in pairs {
            neighbours.push(Neighbours { promise, difference });
            datasets.push(pair);
        }
        let promises = profile.levels().iter().map(promise).collect();
        Self { estimator, promises, neighbours, datasets, release }
    }
}

impl Subject for Studied {
    fn name(&self) -> &str {
        self.estimator.name()
    }

    fn promises(&self) -> &[Promise] {
        &self.promises
    }

    fn neighbours(&self) -> &[Neighbours] {
        &self.neighbours
    }

    /// Output of an answer as an observer sees it: the estimate and the ends of its interval, or
    /// else of its bounds.
    fn release(&self, neighbours: usize, side: Side, randomness: &mut Randomness) -> Output {
        let people = &self.datasets[neighbours][usize::from(side == Side::Other)];
        let seen = (self.release)(people, randomness).map(|answer| {
            let (lower, upper) = match answer.interval {
                Some(interval) => (interval.lower, interval.upper),
                None => (answer.bounds.lower(), answer.bounds.upper()),
            };
            vec![answer.estimate, lower, upper]
        });
        Output::from(seen)
    }
}

/// For every level and every change: the last record of that level changes from one value to
/// another, among others whose values are these in turn.
fn replacements(profile: &Profile, changes: &[([f64; 2], f64, f64)]) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for level in 0..profile.levels().len() {
        let last: u64 = profile.levels()[..=level].iter().map(|level| level.count).sum();
        for (others, one, other) in changes {
            let with = |value: f64| {
                let mut people = people_of(profile, |at| others[at % 2]);
                people[last as usize - 1].1 = value;
                people
            };
            let difference = format!("{one} or {other}, the others at {others:?}");
            pairs.push((level, difference, [with(*one), with(*other)]));
        }
    }
    pairs
}

/// A record moves over the whole bounds, and from far outside to far outside, among others who are
/// all alike or are not.
fn bounded(profile: &Profile) -> Vec<Pair> {
    replacements(
        profile,
        &[
            ([0.0, 0.0], 0.0, 1.0),
            ([1.0, 1.0], 0.0, 1.0),
            ([0.0, 1.0], 0.0, 1.0),
            ([0.5, 0.5], -1e300, 1e300),
        ],
    )
}

/// A record crosses the middle, or the whole line, among others around a middle that are spread a
/// little, or split between two places so that a search may well find nothing.
fn unbounded(profile: &Profile) -> Vec<Pair> {
    let mut pairs = replacements(
        profile,
        &[([9.0, 11.0], 9.0, 11.0), ([9.0, 11.0], -1e6, 1e6), ([-1e6, 1e6], -1e6, 1e6)],
    );
    for (_, _, [one, other]) in &mut pairs {
        let differs = one.iter().zip(&*other).position(|(one, other)| one != other);
        for people in [one, other] {
            for (at, person) in people.iter_mut().enumerate().filter(|(at, _)| Some(*at) != differs)
            {
                person.1 += (at % 16) as f64 / 8.0 - 1.0;
            }
        }
    }
    pairs
}

/// A record far away joins a crowd around a middle, or nobody: so few others that a range is found
/// in some runs and not in others, and enough for one.
fn joining(profile: &Profile) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for (level, joins) in profile.levels().iter().enumerate() {
        for size in [0, 100, 2000] {
            let budgets = profile.levels().iter().map(|level| level.epsilon).cycle();
            let value = |at: usize| 9.0 + (at % 2) as f64 * 2.0 + (at % 16) as f64 / 8.0;
            let one: Vec<Person> =
                budgets.take(size).enumerate().map(|(at, budget)| (budget, value(at))).collect();
            let other = one.iter().copied().chain([(joins.epsilon, 1e6)]).collect();
            let difference = format!("a record at 1e6 or none, {size} others near 10");
            pairs.push((level, difference, [one, other]));
        }
    }
    pairs
}

fn sample(profile: &Profile) -> Studied {
    let plan = SampleMean::new(profile.clone(), Bounds::UNIT, SampleThreshold::default()).unwrap();
    let loss = |epsilon| plan.loss(epsilon);
    let release = plan.clone();
    Studied::new(
        PublishedEstimator::Sample,
        profile,
        loss,
        bounded(profile),
        Box::new(move |people, randomness| release.release(people, randomness)),
    )
}

fn stretch(profile: &Profile) -> Studied {
    let plan = StretchMean::new(profile.clone(), Bounds::UNIT).unwrap();
    let loss = |epsilon| plan.loss(epsilon);
    let release = plan.clone();
    Studied::new(
        PublishedEstimator::Stretch,
        profile,
        loss,
        bounded(profile),
        Box::new(move |people, randomness| release.release(people, randomness)),
    )
}

/// With the same tiers, as many times larger as a search needs.
fn diffusion(profile: &Profile) -> Studied {
    let enlarged = |times| {
        let levels = profile.levels().iter();
        Profile::new(levels.map(|level| Level { count: level.count * times, ..*level })).unwrap()
    };
    let (profile, plan) = (0..12)
        .find_map(|power| {
            let profile = enlarged(1 << power);
            Some((profile.clone(), DiffusionMean::new(profile).ok()?))
        })
        .unwrap();
    let loss = |epsilon| plan.loss(epsilon);
    let release = plan.clone();
    Studied::new(
        PublishedEstimator::GaussianDiffusion,
        &profile,
        loss,
        unbounded(&profile),
        Box::new(move |people, randomness| release.release(people, randomness)),
    )
}

/// Mean of `ReductionMean`, whose promise is the whole budget, because the loss of a record depends
/// on noisy numbers.
fn reduction(profile: &Profile) -> Studied {
    let tiers = profile.levels().iter().enumerate();
    let tiers = tiers.map(|(at, level)| (format!("tier {at}"), level.epsilon));
    let plan = ReductionMean::new(DeclaredBudgets::tiers(tiers).unwrap()).unwrap();
    let loss = |epsilon: Epsilon| epsilon.exact().map_or(Loss::Unlimited, Loss::Finite);
    Studied::new(
        PublishedEstimator::GaussianReduction,
        profile,
        loss,
        joining(profile),
        Box::new(move |people, randomness| plan.release(people, randomness)),
    )
}

/// One audit of all of them, whose alarm would be false at most once in 1000 of such audits; its
/// seed is fixed. Each level of those that are `seen` was found to lose something: an auditor that
/// sees nothing would be content with everything.
fn stand(subjects: &[Studied], settings: &Settings, seen: &[PublishedEstimator]) {
    let audited: Vec<&dyn Subject> =
        subjects.iter().map(|subject| subject as &dyn Subject).collect();
    let report = audit(&audited, settings, &Progress::default()).unwrap();
    for (subject, audited) in report.subjects.iter().zip(subjects) {
        for level in &subject.levels {
            assert_eq!(level.verdict, Verdict::NotDisproved, "{}", report.text());
        }
        let lost = subject.levels.iter().filter_map(|level| level.evidence.as_ref());
        let lost = lost.map(|evidence| evidence.loss).fold(0.0, f64::max);
        assert!(
            lost > 0.0 || !seen.contains(&audited.estimator),
            "{}: nothing was seen\n{}",
            subject.name,
            report.text()
        );
    }
}

/// At the runs in which every specimen is caught.
#[test]
fn algorithms_with_declared_bounds_stand() {
    let profile = "1:3,3:2".parse().unwrap();
    let subjects = [sample(&profile), stretch(&profile)];
    stand(&subjects, &Settings::default(), &PublishedEstimator::ALL);
}

/// A search for a range takes milliseconds.
#[test]
fn algorithms_without_bounds_stand() {
    let profile = "8:4".parse().unwrap();
    let subjects = [diffusion(&profile), reduction(&profile)];
    let settings = Settings { runs: 300, ..Settings::default() };
    stand(&subjects, &settings, &[PublishedEstimator::GaussianDiffusion]);
}

#[test]
fn a_sample_of_other_people_stands() {
    let settings = Settings { runs: 1000, seed: 27, ..Settings::default() };
    stand(&[sample(&"1:3,2:2".parse().unwrap())], &settings, &[]);
}

/// Public people are promised nothing, unless they are certified to lose less than all.
#[test]
fn public_people_are_left_in_peace() {
    let subject = sample(&"1:3,inf:2".parse().unwrap());
    let settings = Settings { runs: 500, ..Settings::default() };
    let report = audit(&[&subject], &settings, &Progress::default()).unwrap();
    assert_ne!(report.verdict(), Verdict::Broken, "{}", report.text());
    let public = &report.subjects[0].levels[1];
    assert_eq!(public.evidence.is_none(), public.verdict == Verdict::NothingPromised);
}

/// Whoever lets the noise of a sample be a tenth of what it should be is caught by the same audit.
#[test]
fn too_little_noise_is_caught() {
    let profile: Profile = "1:3,3:2".parse().unwrap();
    let honest = sample(&profile);
    let tenth = |level: &Level| Epsilon::new(level.epsilon.get() / 10.0).unwrap();
    let promises = profile.levels().iter().map(|level| Promise::all_of(tenth(level))).collect();
    let subject = Studied { promises, ..honest };
    let report = audit(&[&subject], &Settings::default(), &Progress::default()).unwrap();
    assert_eq!(report.verdict(), Verdict::Broken, "{}", report.text());
}
