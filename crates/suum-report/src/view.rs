//! Level of detail of a text, and its screen.

use std::ops::RangeInclusive;

use suum_core::{Library, Voice};

/// Level of detail of a text, and its screen: by default the short answer without styles, 80
/// columns wide.
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
    /// True if answers are bold and headings dim, as terminals show them.
    pub styled: bool,
    /// True for the long text: estimators, sources of the error, the guarantee.
    pub explain: bool,
    /// Order of shares and groups; by default the largest share is first, but bins and groups stay
    /// in order.
    pub sort: Option<Sort>,
    voice: &'static dyn Voice,
    is_part: bool,
}

/// Order of shares and groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sort {
    /// The largest first.
    Share,
    /// The order in which categories or groups were declared.
    Declared,
}

impl View {
    /// Possible numbers of columns of a text.
    pub const WIDTHS: RangeInclusive<usize> = 60..=200;

    /// View on a screen of this number of columns, or of the nearest possible one.
    pub fn wide(self, columns: usize) -> Self {
        Self { width: columns.clamp(*Self::WIDTHS.start(), *Self::WIDTHS.end()), ..self }
    }

    /// View with the long text.
    pub fn explained(self) -> Self {
        Self { explain: true, ..self }
    }

    /// View of one of several texts, below which stands once where details are.
    pub fn part(self) -> Self {
        Self { is_part: true, ..self }
    }

    /// Returns true if it is that of one of several texts.
    pub(crate) fn is_part(&self) -> bool {
        self.is_part
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
    /// assert_eq!(sentence.render_for(view.voice()), "see check_bounds");
    /// ```
    pub fn voiced(self, voice: &'static dyn Voice) -> Self {
        Self { voice, ..self }
    }

    /// Returns the voice of the front end at which the text is read.
    pub fn voice(&self) -> &'static dyn Voice {
        self.voice
    }

    /// Largest number of columns of a line, unless a single word or a table is wider.
    pub fn width(&self) -> usize {
        self.width
    }
}

impl Default for View {
    fn default() -> Self {
        Self {
            width: 80,
            styled: false,
            explain: false,
            sort: None,
            voice: &Library,
            is_part: false,
        }
    }
}
