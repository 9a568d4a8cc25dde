//! How much a text says, and for which screen.

use std::ops::RangeInclusive;

use suum_core::{Library, Voice};

/// How much a text says, and for which screen: the short answer without styles, 80 columns wide,
/// unless something else is asked for.
///
/// # Example
///
/// ```
/// use suum_report::View;
///
/// assert_eq!(View::default().wide(1000).width(), 200);
/// assert!(View::default().explained().explain);
/// ```
#[derive(Debug, Clone, Copy)]
pub struct View {
    width: usize,
    /// Whether answers are bold and headings dim, as terminals show them.
    pub styled: bool,
    /// Whether to say all: estimators, where the error comes from, the guarantee.
    pub explain: bool,
    /// In which order shares are listed; without one the largest is first, but bins stay in order.
    pub sort: Option<Sort>,
    voice: &'static dyn Voice,
}

/// The order of shares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sort {
    /// The largest first.
    Share,
    /// As categories were declared.
    Declared,
}

impl View {
    /// How many columns a text can have.
    pub const WIDTHS: RangeInclusive<usize> = 60..=200;

    /// The view on a screen of so many columns, or the nearest number that there is a text for.
    pub fn wide(self, columns: usize) -> Self {
        Self { width: columns.clamp(*Self::WIDTHS.start(), *Self::WIDTHS.end()), ..self }
    }

    /// The view with everything in it.
    pub fn explained(self) -> Self {
        Self { explain: true, ..self }
    }

    /// Returns the view of a reader at this front end, whose options and commands sentences name.
    ///
    /// # Example
    ///
    /// ```
    /// use suum_core::{Library, option, say};
    ///
    /// let view = suum_report::View::default().voiced(&Library);
    /// let sentence = say("see").option(option::CHECK_BOUNDS);
    /// assert_eq!(sentence.spoken(view.voice()), "see check_bounds");
    /// ```
    pub fn voiced(self, voice: &'static dyn Voice) -> Self {
        Self { voice, ..self }
    }

    /// Returns the voice of the front end at which the text is read.
    pub fn voice(&self) -> &'static dyn Voice {
        self.voice
    }

    /// How many columns lines have at most, unless a single word or a table is wider.
    pub fn width(&self) -> usize {
        self.width
    }
}

impl Default for View {
    fn default() -> Self {
        Self { width: 80, styled: false, explain: false, sort: None, voice: &Library }
    }
}
