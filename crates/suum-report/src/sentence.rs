//! Sentences, and cells of tables, of pieces that pages and texts write differently.

/// A part of a sentence or of a cell, which pages and texts write differently.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Piece {
    /// Words of ours.
    Words(String),
    /// What stands out among others.
    Chosen(String),
    /// A label of the data.
    Label(String),
    /// A number, and all of its digits.
    Number(String, f64),
    /// What is to be typed.
    Code(String),
    /// What pages write smaller, on a line below.
    Below(Sentence),
    /// The end of a line.
    Break,
    /// A bar of which this share is filled; pages draw it.
    Bar(f64),
}

/// A sentence, or a cell of a table.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Sentence(pub(crate) Vec<Piece>);

impl Sentence {
    /// A label of the data alone.
    pub(crate) fn of_label(label: impl Into<String>) -> Self {
        Self::default().label(label)
    }

    /// The same with more words.
    pub(crate) fn say(self, words: impl Into<String>) -> Self {
        self.with(Piece::Words(words.into()))
    }

    /// The same with a label of the data.
    pub(crate) fn label(self, label: impl Into<String>) -> Self {
        self.with(Piece::Label(label.into()))
    }

    /// The same with a number, as it is shown and as it is.
    pub(crate) fn number(self, shown: impl Into<String>, number: f64) -> Self {
        self.with(Piece::Number(shown.into(), number))
    }

    /// The same behind these words.
    pub(crate) fn after(self, words: impl Into<Self>) -> Self {
        words.into().and(self)
    }

    /// The same with another piece.
    pub(crate) fn with(mut self, piece: Piece) -> Self {
        self.0.push(piece);
        self
    }

    /// The same with another sentence.
    pub(crate) fn and(mut self, other: Self) -> Self {
        self.0.extend(other.0);
        self
    }

    /// All of it as text.
    pub(crate) fn text(&self) -> String {
        let text = |piece: &Piece| match piece {
            Piece::Words(text)
            | Piece::Chosen(text)
            | Piece::Label(text)
            | Piece::Code(text)
            | Piece::Number(text, _) => text.clone(),
            Piece::Below(_) | Piece::Break | Piece::Bar(_) => String::new(),
        };
        self.0.iter().map(text).collect()
    }
}

impl<S: Into<String>> From<S> for Sentence {
    fn from(words: S) -> Self {
        let words = words.into();
        Self(if words.is_empty() { Vec::new() } else { vec![Piece::Words(words)] })
    }
}
