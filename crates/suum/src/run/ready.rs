//! Between reading and drawing.

use suum_core::{Randomness, Releases, Result};

/// A release that is ready to be made: data were read, and whatever can be refused for public
/// reasons was refused.
pub(crate) enum Ready {
    /// What costs nothing, and is made already.
    Free(Releases),
    /// What is still to be drawn.
    Draw(Draw),
}

/// Makes a release, with its noise.
pub(crate) type Draw = Box<dyn FnOnce(&mut Randomness) -> Result<Releases>>;
