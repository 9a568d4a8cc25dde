//! Sentences, and cells of tables, made of pieces that pages and texts write differently.

/// Part of a sentence or of a cell, which pages and texts write differently.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Piece {
    /// Words of the report.
    Words(String),
    /// Words that stand out.
    Chosen(String),
    /// Label of the data.
    Label(String),
    /// Number as it is shown, and the number itself.
    Number(String, f64),
    /// Code to be typed.
    Code(String),
    /// Sentence that pages write smaller, on a line below.
    Below(Sentence),
    /// End of a line.
    Break,
    /// Bar that is filled to this share; only pages draw it.
    Bar(f64),
    /// Shade of the cell that it is in, from 0 to 1; only pages have it.
    Shade(f64),
}

/// Sentence, or cell of a table.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Sentence(pub(crate) Vec<Piece>);

impl Sentence {
    /// Sentence of a label of the data alone.
    pub(crate) fn from_label(label: impl Into<String>) -> Self {
        Self::default().label(label)
    }

    /// Appends words.
    pub(crate) fn say(self, words: impl Into<String>) -> Self {
        self.with(Piece::Words(words.into()))
    }

    /// Appends a label of the data.
    pub(crate) fn label(self, label: impl Into<String>) -> Self {
        self.with(Piece::Label(label.into()))
    }

    /// Appends a number, as it is shown and as it is.
    pub(crate) fn number(self, shown: impl Into<String>, number: f64) -> Self {
        self.with(Piece::Number(shown.into(), number))
    }

    /// Puts these words before the sentence.
    pub(crate) fn after(self, words: impl Into<Self>) -> Self {
        words.into().and(self)
    }

    /// Appends a piece.
    pub(crate) fn with(mut self, piece: Piece) -> Self {
        self.0.push(piece);
        self
    }

    /// Appends another sentence.
    pub(crate) fn and(mut self, other: Self) -> Self {
        self.0.extend(other.0);
        self
    }

    /// Plain text of the sentence.
    pub(crate) fn text(&self) -> String {
        let text = |piece: &Piece| match piece {
            Piece::Words(text)
            | Piece::Chosen(text)
            | Piece::Label(text)
            | Piece::Code(text)
            | Piece::Number(text, _) => text.clone(),
            Piece::Below(_) | Piece::Break | Piece::Bar(_) | Piece::Shade(_) => String::new(),
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
