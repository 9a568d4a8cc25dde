//! Any text as what a user types: profiles, changes to them, budgets, declared or one by one,
//! amounts of ledgers, thresholds, bounds, tiers, categories, bins, ranks, statistics.
use suum_core::{
    Bounds, DeclaredBudgets, Epsilon, Parts, Profile, Rank, SampleThreshold, Split, Statistics,
};
use suum_data::{CategoryRule, Tiers};
use suum_ledger::Amount;

/// Any text as what a user types: profiles, changes to them, budgets, declared or one by one,
/// amounts of ledgers, thresholds, bounds, tiers, categories, bins, ranks, statistics.
///
/// # Panics
///
/// If that is not so.
pub fn profile_text(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Ok(profile) = text.parse::<Profile>() {
        assert_eq!(profile.to_string().parse(), Ok(profile.clone()));
        assert!(profile.records() > 0);
    }
    // A profile and a change to it, one per line.
    if let Some((profile, change)) = text.split_once('\n')
        && let Ok(profile) = profile.parse::<Profile>()
        && let Ok(changed) = profile.what_if(change, &[])
    {
        assert_eq!(changed.to_string().parse(), Ok(changed));
    }
    if let Ok(epsilon) = text.parse::<Epsilon>() {
        assert_eq!(epsilon.to_string().parse(), Ok(epsilon));
        assert!(epsilon.coarse() <= epsilon);
        assert_eq!(epsilon.coarse().coarse(), epsilon.coarse());
        assert_eq!(epsilon.exact().is_none(), epsilon.is_public());
    }
    if let Ok(amount) = text.parse::<Amount>() {
        // What an account holds is never more than what was said.
        assert!(text.parse::<Epsilon>().is_ok_and(|said| amount.epsilon() <= said));
        assert_eq!(amount.to_string().parse(), Ok(amount));
    }
    if let Ok(declared) = text.parse::<DeclaredBudgets>() {
        // Whoever comes with whatever budget is used at no more than that.
        for budget in ["0", "1e-9", "0.3", "7", "1e50", "inf"] {
            let budget: Epsilon = budget.parse().expect("a budget");
            assert!(declared.round_down(budget) <= budget);
        }
    }
    if let Ok(SampleThreshold::At(threshold)) = text.parse::<SampleThreshold>() {
        assert_eq!(text.parse(), Ok(threshold));
    }
    if let Ok(rank) = text.parse::<Rank>() {
        assert!(rank.get() > 0.0 && rank.get() < 1.0);
        assert_eq!(rank.to_string().parse(), Ok(rank));
    }
    if let Ok(statistics) = text.parse::<Statistics>() {
        assert!(statistics.mean || statistics.variance || !statistics.quantiles.is_empty());
    }
    if let Ok(parts) = text.parse::<Parts>() {
        let split = Split::even(&Statistics::default()).with(parts);
        assert!(split.mean > 0.0 && split.variance > 0.0 && split.quantile > 0.0);
    }
    if let Ok(bounds) = text.parse::<Bounds>() {
        assert!(bounds.lower() < bounds.upper() && bounds.width() > 0.0);
    }
    if let Ok(tiers) = text.parse::<Tiers>() {
        let labels = tiers.iter().map(|(label, epsilon)| (label.to_owned(), epsilon));
        assert_eq!(Tiers::new(labels), Ok(tiers.clone()));
        assert!(!tiers.is_empty());
    }
    // Names or edges, and in a second line the name of the category for others.
    let (first, other) =
        text.split_once('\n').map_or((text, None), |(first, other)| (first, Some(other)));
    for classes in [
        CategoryRule::labels(first.split(',').map(str::to_owned).collect(), other),
        first.parse().and_then(|edges| CategoryRule::bins(edges, other)),
    ] {
        match classes {
            Ok(classes) => assert!(classes.categories().len() >= 2),
            Err(refused) => assert!(refused.fix().is_some()),
        }
    }
}
