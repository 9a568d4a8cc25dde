//! State between reading and drawing.

use suum_core::{Randomness, Releases, Result, SmallGroups};

/// Release that is ready to be made: data were read, and all refusals for public reasons have
/// happened.
pub(crate) enum Ready {
    /// Release that costs nothing, and is made already.
    Free(Releases),
    /// Release whose noise is still to be drawn.
    Draw(Draw),
}

/// Function that makes a release, with its noise, of all groups but those that a release before it
/// found to be small.
pub(crate) type Draw = Box<dyn FnOnce(&mut Randomness, Option<SmallGroups>) -> Result<Releases>>;
