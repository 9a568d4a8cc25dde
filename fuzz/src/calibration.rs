//! Any profile and estimator: the noise of the plan keeps every budget, with one step less it would
//! not, and certificates are the exact losses rounded up; all of it computed again with a second
//! implementation.
use dashu_int::UBig;
use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use suum_core::{
    Bounds, Choice, Epsilon, Estimator, Level, Loss, Mechanism, Options, Profile, Statistic,
    Target, WeightedPlan, WeightedRequest,
};

fn integer(ours: &UBig) -> BigInt {
    BigInt::from(BigUint::from_bytes_le(&ours.to_le_bytes()))
}

/// At most eight levels of any budgets and counts, an estimator and a target.
fn plan(bytes: &[u8]) -> Option<WeightedPlan> {
    let ([estimator, target], rest) = bytes.split_first_chunk::<2>()?;
    let levels = rest.chunks_exact(12).take(8).filter_map(|level| {
        let epsilon = f64::from_le_bytes(level[..8].try_into().ok()?);
        let count = u64::from(u32::from_le_bytes(level[8..].try_into().ok()?)) + 1;
        Some(Level { epsilon: Epsilon::new(epsilon).ok()?, count })
    });
    let profile = Profile::new(levels).ok()?;
    let target =
        [Target::Population, Target::Dataset, Target::DatasetCorrelated][usize::from(target % 3)];
    let means: Vec<Estimator> =
        Estimator::ALL.into_iter().filter(|estimator| estimator.serves(false)).collect();
    let estimator = means[usize::from(*estimator) % means.len()];
    let options = Options { estimator: Choice::Named(estimator), target, ..Options::default() };
    WeightedRequest::new(Statistic::Mean, Bounds::UNIT, options).ok()?.plan(profile).ok()
}

/// Any profile and estimator: the noise of the plan keeps every budget, with one step less it would
/// not, and certificates are the exact losses rounded up; all of it computed again with a second
/// implementation.
///
/// # Panics
///
/// If that is not so.
pub fn calibration(bytes: &[u8]) {
    let Some(plan) = plan(bytes) else { return };
    let levels = plan.setting().profile.levels().to_vec();
    let budget = |level: &Level| BigRational::from_float(level.epsilon.get());
    let sums = match plan.mechanism() {
        Mechanism::Totals(totals) => Some(totals),
        _ => None,
    };
    if let Some(sums) = sums {
        let scale = integer(sums.scale());
        let (_, numerator) = sums.sensitivity().numerator().clone().into_parts();
        let denominator = integer(sums.sensitivity().denominator());
        let sensitivity = BigRational::new(integer(&numerator), denominator);
        let mut tight = scale == BigInt::from(0);
        for (level, weight) in levels.iter().zip(sums.weights()) {
            let Some(budget) = budget(level) else { continue };
            let moved = BigRational::from(integer(weight)) * &sensitivity;
            assert!(moved <= &budget * BigRational::from(scale.clone()), "a budget is exceeded");
            tight |= moved > budget * BigRational::from(&scale - 1);
        }
        assert!(tight, "there is more noise than needed");
    }
    for (level, loss) in levels.iter().zip(plan.losses()) {
        let Loss::Finite(exact) = &loss else {
            assert!(level.epsilon.is_public());
            continue;
        };
        let (_, numerator) = exact.numerator().clone().into_parts();
        let exact = BigRational::new(integer(&numerator), integer(exact.denominator()));
        let kept = budget(level).is_none_or(|budget| exact <= budget);
        assert!(kept && loss.within(level.epsilon));
        let up = BigRational::from_float(loss.rounded_up()).expect("finite");
        assert!(up >= exact, "a certificate is rounded down");
        if exact > BigRational::from(BigInt::from(0)) {
            let down = BigRational::from_float(loss.rounded_up().next_down()).expect("finite");
            assert!(down < exact, "a certificate is larger than it need be");
        }
    }
}
