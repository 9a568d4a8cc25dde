//! Any text as what a user types: profiles, changes to them, budgets, bounds and tiers.
#![no_main]

use libfuzzer_sys::fuzz_target;
use suum_core::{Bounds, Epsilon, Profile};
use suum_data::Tiers;

fuzz_target!(|text: &str| {
    if let Ok(profile) = text.parse::<Profile>() {
        assert_eq!(profile.to_string().parse(), Ok(profile.clone()));
        assert!(profile.records() > 0);
    }
    // A profile and a change to it, one per line.
    if let Some((profile, change)) = text.split_once('\n')
        && let Ok(profile) = profile.parse::<Profile>()
        && let Ok(changed) = profile.what_if(change)
    {
        assert_eq!(changed.to_string().parse(), Ok(changed));
    }
    if let Ok(epsilon) = text.parse::<Epsilon>() {
        assert_eq!(epsilon.to_string().parse(), Ok(epsilon));
        assert!(epsilon.coarse() <= epsilon);
        assert_eq!(epsilon.coarse().coarse(), epsilon.coarse());
        assert_eq!(epsilon.exact().is_none(), epsilon.is_public());
    }
    if let Ok(bounds) = text.parse::<Bounds>() {
        assert!(bounds.lower() < bounds.upper() && bounds.width() > 0.0);
    }
    if let Ok(tiers) = text.parse::<Tiers>() {
        let labels = tiers.iter().map(|(label, epsilon)| (label.to_owned(), epsilon));
        assert_eq!(Tiers::new(labels), Ok(tiers.clone()));
        assert!(!tiers.is_empty());
    }
});
