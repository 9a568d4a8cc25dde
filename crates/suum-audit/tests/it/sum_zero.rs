//! Noise that adds up to zero: at its scale it stands, a quarter below it falls.

use dashu_int::{IBig, UBig};
use suum_audit::{Neighbours, Output, Progress, Promise, Settings, Side, Subject, Verdict, audit};
use suum_core::{Epsilon, Randomness, SumZeroLaplace};

const EPSILON: f64 = 2.0;
const STEPS: u64 = 1 << 20;

/// Counts of three categories in steps, of one dataset and of its neighbour.
struct Counts {
    noise: SumZeroLaplace,
    datasets: [[u64; 3]; 2],
    promises: [Promise; 1],
    neighbours: [Neighbours; 1],
}

impl Counts {
    /// With noise of so much of the scale that ε asks for.
    fn new(share: f64, datasets: [[u64; 3]; 2]) -> Self {
        let scale = (share * STEPS as f64 / EPSILON).ceil() as u64;
        let difference = format!("{datasets:?}");
        Self {
            noise: SumZeroLaplace::new(UBig::from(scale), 3),
            datasets,
            promises: [Promise::all_of(Epsilon::new(EPSILON).unwrap())],
            neighbours: [Neighbours { promise: 0, difference }],
        }
    }

    fn verdict(&self) -> Verdict {
        let settings = Settings { runs: 20_000, ..Settings::default() };
        audit(&[self], &settings, &Progress::default()).unwrap().verdict()
    }
}

impl Subject for Counts {
    fn name(&self) -> &str {
        "counts"
    }

    fn promises(&self) -> &[Promise] {
        &self.promises
    }

    fn neighbours(&self) -> &[Neighbours] {
        &self.neighbours
    }

    fn release(&self, _: usize, side: Side, randomness: &mut Randomness) -> Output {
        let counts = if side == Side::One { self.datasets[0] } else { self.datasets[1] };
        let noise = self.noise.sample(randomness);
        let noisy = counts.into_iter().zip(noise).map(|(count, noise)| {
            (IBig::from(count * STEPS) + noise).to_f64().value() / STEPS as f64
        });
        Output::from(Ok(noisy.collect::<Vec<f64>>()))
    }
}

const MOVED: [[u64; 3]; 2] = [[3, 1, 1], [2, 2, 1]];

#[test]
#[ignore = "takes seconds"]
fn at_its_scale_it_stands() {
    assert_eq!(Counts::new(1.0, MOVED).verdict(), Verdict::NotDisproved);
}

#[test]
#[ignore = "takes seconds"]
fn a_quarter_below_it_falls() {
    assert_eq!(Counts::new(0.75, MOVED).verdict(), Verdict::Broken);
}
