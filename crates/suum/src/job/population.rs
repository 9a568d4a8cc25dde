//! Population that a plan is made for.

use suum_core::Profile;

use crate::options::{Choice, CountChanges, Counts, option_struct};
use crate::simulation;

option_struct! {
    /// For whom a plan is made, where that is not for the people in the data.
    pub struct Population of Population {
        /// The profile in place of data: EPSILON:COUNT pairs, for example
        /// "0.1:3400,0.5:4300,inf:23".
        pub profile: Option<Profile> as Counts
            => required(20, "The people in place of data: 0.1:340,inf:23");
        /// Compare with other people: TIER:+N, TIER:-N or TIER:+P%, the tier by its name or its ε,
        /// for example "inf:+500,0.1:-20" or "open:+20%".
        pub what_if: Option<String> as CountChanges
            => value("CHANGE")
            .common(150, "Compare with other people: open:+20%");
        /// Simulate releases of data of a shape, for the errors and half widths they would have:
        /// normal, skewed, lumpy or two-valued.
        pub assume: Option<simulation::Shape> as Choice
            => value("SHAPE")
            .common(160, "Simulate data: normal, skewed, lumpy, two-valued");
    }
}
