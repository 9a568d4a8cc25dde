//! The second account: ρ against a direct computation of Rényi divergences, and (ε, δ) of it.

use dashu_int::UBig;
use dashu_ratio::RBig;
use proptest::prelude::*;
use suum_core::{Delta, Loss, Rho, largest_rho, least_epsilon};

fn double(exact: &RBig) -> f64 {
    exact.to_f64().value()
}

/// D_α between discrete Laplace noise of scale b and the same noise moved by d, by its sum.
fn divergence(b: f64, d: i32, alpha: f64) -> f64 {
    let log_mass = |z: i32| -f64::from(z.abs()) / b;
    let half_width = d + (60.0 * b).ceil() as i32;
    let total: f64 = (-half_width..=half_width).map(|z| log_mass(z).exp()).sum();
    let term = |z: i32| (alpha * log_mass(z) + (1.0 - alpha) * log_mass(z - d)).exp() / total;
    (-half_width..=half_width).map(term).sum::<f64>().ln() / (alpha - 1.0)
}

/// The largest D_α/α is that near α = 1: with another formula this fails on either side.
#[test]
fn the_rho_of_noise_is_the_least_that_bounds_all_orders() {
    for (b, d) in [(1, 1), (1, 3), (2, 1), (3, 7), (10, 1), (10, 10), (10, 40), (50, 5)] {
        let rho = Rho::for_laplace(&Loss::ratio(d as u64, b), &b.into()).get();
        for alpha in [1.0001, 1.01, 1.1, 1.5, 2.0, 3.0, 8.0, 30.0] {
            let ratio = divergence(b as f64, d, alpha) / alpha;
            assert!(ratio <= rho + 1e-9, "{b} {d} {alpha}: {ratio} > {rho}");
        }
        let nearly = divergence(b as f64, d, 1.0001);
        assert!(nearly >= rho * 0.999, "{b} {d}: {nearly} < {rho}");
        assert!(rho <= Rho::for_pure(&Loss::ratio(d as u64, b)).get() + 1e-12);
    }
}

/// Randomised response with probabilities in the ratio e^ε reaches the bound of all that loses ε.
#[test]
fn the_rho_of_anything_is_that_of_randomised_response() {
    for tenths in [1_u64, 5, 10, 30, 80] {
        let epsilon = tenths as f64 / 10.0;
        let p = epsilon.exp() / (1.0 + epsilon.exp());
        let rho = Rho::for_pure(&Loss::ratio(tenths, 10)).get();
        for alpha in [1.0001_f64, 1.3, 2.0, 5.0, 50.0] {
            let sum = p.powf(alpha) * (1.0 - p).powf(1.0 - alpha)
                + (1.0 - p).powf(alpha) * p.powf(1.0 - alpha);
            let ratio = sum.ln() / (alpha - 1.0) / alpha;
            assert!(ratio <= rho + 1e-9, "{epsilon} {alpha}: {ratio} > {rho}");
        }
        assert!((rho - epsilon * (epsilon / 2.0).tanh()).abs() < 1e-11, "{epsilon}");
    }
}

/// Digits from a program of arbitrary precision, rounded up to units of 10⁻¹².
#[test]
fn reference_values() {
    let of = |numerator, denominator| Loss::ratio(numerator, denominator);
    for (rho, digits) in [
        (Rho::for_pure(&of(1, 1)), "0.462117157261"),
        (Rho::for_pure(&of(1, 365)), "0.000003753048"),
        (Rho::for_pure(&of(10, 1)), "9.999092042626"),
        (Rho::for_laplace(&of(1, 1), &1_u32.into()), "0.462117157261"),
        (Rho::for_laplace(&of(1, 1), &(UBig::ONE << 60)), "0.367879441172"),
        (Rho::for_laplace(&of(1, 365), &(UBig::ONE << 60)), "0.000003749625"),
        (Rho::for_bounded_range(&of(1, 1)), "0.125"),
        (Rho::for_bounded_range(&of(20, 1)), "19.999999917554"),
    ] {
        assert_eq!(rho.to_string(), digits);
    }
    // Two exact answers of one noise: a shift of one step costs what randomised response does.
    assert_eq!(Rho::for_laplace(&of(1, 1), &1_u32.into()), Rho::for_pure(&of(1, 1)));
}

/// The years and months of the documentation: releases that cost ε = 1 in all, at δ = 10⁻⁶.
#[test]
fn many_small_releases_cost_less_than_their_sum() {
    let total = |releases: u64| {
        let one = Rho::for_laplace(&Loss::ratio(1, releases), &(UBig::ONE << 40));
        let sum = (0..releases).fold(Rho::ZERO, |sum, _| sum.plus(one));
        double(&least_epsilon(sum, Delta::MILLIONTH).unwrap())
    };
    for (releases, epsilon) in [(28, 0.84), (100, 0.43), (365, 0.22)] {
        let total = total(releases);
        assert!((total - epsilon).abs() < 0.005, "{releases}: {total}");
    }
    // An account of (1, 10⁻⁶) lets so many run that 365 become 18 times as many.
    let most = largest_rho(&RBig::ONE, Delta::MILLIONTH);
    for (releases, times) in [(28_u64, 1.4), (100, 4.9), (365, 18.0)] {
        let one = Rho::for_laplace(&Loss::ratio(1, releases), &(UBig::ONE << 40)).get();
        let run = most.get() / one / releases as f64;
        assert!((run / times - 1.0).abs() < 0.05, "{releases}: {run}");
    }
}

proptest! {
    /// In doubles to nine digits, and never below what an exact sum of bounds gives.
    #[test]
    fn rho_rises_in_epsilon_and_falls_in_the_scale(
        numerator in 1_u64..2_000_000, denominator in 1_000_u64..1_000_000, b in 1_u64..5_000,
    ) {
        let loss = Loss::ratio(numerator, denominator);
        let (rho, more) =
            (Rho::for_laplace(&loss, &b.into()), Rho::for_laplace(&loss, &(b + 1).into()));
        prop_assert!(more <= rho);
        // A record moves integers by one step or more, so that its loss is at least 1/b.
        if numerator * b >= denominator {
            prop_assert!(rho <= Rho::for_pure(&loss));
        }
        let larger = Loss::ratio(numerator + 1, denominator);
        prop_assert!(Rho::for_laplace(&larger, &b.into()) >= rho);
        prop_assert!(Rho::for_pure(&larger) >= Rho::for_pure(&loss));
        // The sum of two losses costs at least what they cost apart.
        let both = Rho::for_laplace(&loss.plus(&larger), &b.into());
        let apart = rho.plus(Rho::for_laplace(&larger, &b.into()));
        prop_assert!(both.plus(Rho::Finite(2)) >= apart);
        let (e, x) = (numerator as f64 / denominator as f64, 1.0 / b as f64);
        let expected = e + (-e).exp_m1() * x / x.sinh();
        prop_assert!((rho.get() - expected).abs() <= 1e-12 + 1e-9 * e, "{} {expected}", rho.get());
    }

    #[test]
    fn epsilon_and_rho_are_turned_into_each_other_on_the_safe_side(
        units in 1_u64..30_000_000_000_000, places in 3_u32..15,
    ) {
        let delta: Delta = format!("1e-{places}").parse().unwrap();
        let rho = Rho::Finite(units);
        let epsilon = least_epsilon(rho, delta).unwrap();
        prop_assert!(largest_rho(&epsilon, delta) >= Rho::Finite(units - units / 100_000));
        let back = largest_rho(&epsilon, delta);
        let again = least_epsilon(back, delta).unwrap();
        prop_assert!(double(&again) <= double(&epsilon) * (1.0 + 1e-6) + 1e-9);
        // The formula at any other order is no smaller.
        let (r, d) = (rho.get(), delta.get());
        for alpha in [1.01, 1.5, 2.0, 4.0, 10.0, 100.0, 1e4] {
            let other = alpha * r - (d.ln() + f64::ln(alpha)) / (alpha - 1.0)
                + (-1.0 / alpha).ln_1p();
            prop_assert!(double(&epsilon) <= other.max(0.0) * (1.0 + 1e-9) + 1e-9);
        }
    }
}
