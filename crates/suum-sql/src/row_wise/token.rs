//! The words of a query in a dialect: texts, quoted names and comments are told from keywords.
//!
//! It is no parser. What dialects or their settings read in different ways is refused, so that no
//! keyword hides in what was taken for a text or a comment.

use suum_core::{Error, Result};

use crate::dialect::Dialect;

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A keyword or a name without quotes, in lower case.
    Word,
    /// A name in quotes, in lower case. In some dialects it is a text.
    Quoted,
    /// A text, which is not kept.
    Text,
    /// A number, which is not kept.
    Number,
    /// Any other character, or `::`.
    Symbol,
}

/// A token of a query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) text: String,
    /// How many parentheses are open around it.
    pub(super) depth: usize,
}

impl Token {
    /// Whether it is this keyword.
    pub(super) fn is_word(&self, word: &str) -> bool {
        self.kind == Kind::Word && self.text == word
    }

    /// Whether it is this character.
    pub(super) fn is(&self, symbol: &str) -> bool {
        self.kind == Kind::Symbol && self.text == symbol
    }

    /// Whether it can be a name.
    pub(super) fn is_name(&self) -> bool {
        matches!(self.kind, Kind::Word | Kind::Quoted)
    }
}

/// The tokens of a query.
pub(super) fn tokens(dialect: Dialect, query: &str) -> Result<Vec<Token>> {
    let mut lexer = Lexer { dialect, rest: query, depth: 0, tokens: Vec::new() };
    while let Some(next) = lexer.rest.chars().next() {
        lexer.step(next)?;
    }
    match lexer.depth {
        0 => Ok(lexer.tokens),
        _ => Err(unreadable("a parenthesis is opened and never closed", "close it")),
    }
}

struct Lexer<'a> {
    dialect: Dialect,
    rest: &'a str,
    depth: usize,
    tokens: Vec<Token>,
}

impl Lexer<'_> {
    fn step(&mut self, next: char) -> Result<()> {
        let dialect = self.dialect;
        if matches!(next, ' ' | '\t' | '\n' | '\r' | '\u{c}') {
            self.skip(1);
            return Ok(());
        }
        // Some databases read other characters as spaces, and some of those cannot be seen.
        if next.is_whitespace() || next.is_control() || !(next.is_ascii() || is_in_word(next)) {
            return Err(unreadable(
                "it has a space or other character that databases read in different ways",
                "write plain spaces and line breaks",
            ));
        }
        let begins = |comment: &str| self.rest.starts_with(comment);
        if begins("--") || dialect.line_comment().is_some_and(begins) {
            return self.line_comment();
        }
        if self.rest.starts_with("/*") {
            return self.block_comment();
        }
        match next {
            '\'' => self.text(dialect.escapes('\'')),
            '"' => self.quoted('"', "\"", dialect.escapes('"')),
            '`' if dialect.quotes_with('`') => self.quoted('`', "`", dialect.escapes('`')),
            '[' if dialect.quotes_with('[') => self.quoted(']', "", false),
            '$' if dialect.has_dollar_quotes() => self.dollar(),
            '0'..='9' => self.number(),
            '.' if self.rest[1..].starts_with(|c: char| c.is_ascii_digit()) => self.number(),
            next if starts_word(next) => self.word(),
            _ => self.symbol(next),
        }
    }

    fn push(&mut self, kind: Kind, text: String) {
        self.tokens.push(Token { kind, text, depth: self.depth });
    }

    fn skip(&mut self, bytes: usize) {
        self.rest = self.rest.get(bytes..).unwrap_or_default();
    }

    fn line_comment(&mut self) -> Result<()> {
        let end = self.rest.find('\n').unwrap_or(self.rest.len());
        // Some databases end a comment at a carriage return, others do not.
        if self.rest[..end].trim_end_matches('\r').contains('\r') {
            return Err(unreadable("a comment has a carriage return in it", "leave it out"));
        }
        self.skip(end);
        Ok(())
    }

    fn block_comment(&mut self) -> Result<()> {
        let end = self.rest[2..].find("*/").ok_or_else(|| {
            unreadable("a comment is opened and never closed", "close it with */")
        })?;
        // Some databases have comments in comments, others do not.
        if self.rest[2..2 + end].contains("/*") {
            return Err(unreadable("it has a comment in a comment", "leave one of them out"));
        }
        self.skip(end + 4);
        Ok(())
    }

    /// A text from its first quote on.
    fn text(&mut self, backslashes: bool) -> Result<()> {
        if self.dialect == Dialect::BigQuery && self.rest.starts_with("'''") {
            return Err(unreadable("it has a text in three quotes", "use one quote at each end"));
        }
        let length = closing(self.rest, '\'', backslashes).ok_or_else(never_closed)?;
        self.check_doubled("''", length)?;
        self.skip(length);
        self.push(Kind::Text, String::new());
        Ok(())
    }

    /// BigQuery ends a text at a quote that stands twice, and may begin one of three quotes there.
    fn check_doubled(&self, quotes: &str, length: usize) -> Result<()> {
        let doubled = self.rest[1..length - 1].contains(quotes);
        match doubled && self.dialect == Dialect::BigQuery {
            true => {
                Err(unreadable("it has two quotes in a row in a text", "write \\' for a quote"))
            }
            false => Ok(()),
        }
    }

    /// A name, or in some dialects a text, from its first quote on. A quote of `doubled` is part of
    /// it where it stands twice.
    fn quoted(&mut self, quote: char, doubled: &str, backslashes: bool) -> Result<()> {
        let dialect = self.dialect;
        if dialect == Dialect::BigQuery && self.rest.starts_with("\"\"\"") {
            return Err(unreadable("it has a text in three quotes", "use one quote at each end"));
        }
        let length = match doubled {
            "" => self.rest.find(quote).map(|at| at + 1),
            _ => closing(self.rest, quote, backslashes),
        };
        let length = length.ok_or_else(never_closed)?;
        self.check_doubled("\"\"", length)?;
        let inside = &self.rest[1..length - 1];
        // A setting of Spark makes names of them, in which a backslash is one.
        if backslashes && dialect == Dialect::Spark && inside.contains('\\') {
            return Err(unreadable(
                "it has a backslash in double quotes",
                "write texts in single quotes, and names in backticks",
            ));
        }
        let name = match doubled {
            "" => inside.to_lowercase(),
            _ => inside.replace(&doubled.repeat(2), doubled).to_lowercase(),
        };
        self.skip(length);
        self.push(Kind::Quoted, name);
        Ok(())
    }

    /// A text between two equal tags such as `$$` or `$tag$`.
    fn dollar(&mut self) -> Result<()> {
        let tag = self.rest[1..].find('$').map(|at| &self.rest[..at + 2]);
        let is_name = |name: &str| {
            name.chars().all(is_in_word) && !name.starts_with(|c: char| c.is_ascii_digit())
        };
        let Some(tag) = tag.filter(|tag| is_name(&tag[1..tag.len() - 1])) else {
            return self.symbol('$');
        };
        let length = self.rest[tag.len()..].find(tag).ok_or_else(never_closed)?;
        let length = length + 2 * tag.len();
        self.skip(length);
        self.push(Kind::Text, String::new());
        Ok(())
    }

    fn number(&mut self) -> Result<()> {
        let digits =
            |text: &str| text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let mut length = digits(self.rest);
        if self.rest[length..].starts_with('.') {
            length += 1 + digits(&self.rest[length + 1..]);
        }
        if let Some(exponent) = self.rest[length..].strip_prefix(['e', 'E']) {
            let sign = usize::from(exponent.starts_with(['+', '-']));
            let digits = digits(&exponent[sign..]);
            length += if digits > 0 { 1 + sign + digits } else { 0 };
        }
        self.skip(length);
        // Some databases would read a keyword there.
        if self.rest.starts_with(is_in_word) {
            return Err(unreadable(
                "a letter follows a number without a space",
                "put a space between them",
            ));
        }
        self.push(Kind::Number, String::new());
        Ok(())
    }

    fn word(&mut self) -> Result<()> {
        let dollars = self.dialect.has_dollar_quotes();
        let length = self.rest.find(|c: char| !is_in_word(c) && (c != '$' || !dollars));
        let length = length.unwrap_or(self.rest.len());
        let word = self.rest[..length].to_lowercase();
        self.skip(length);
        if self.rest.starts_with(['\'', '"']) {
            match (word.as_str(), self.dialect) {
                ("e", Dialect::Postgres | Dialect::DuckDb) if self.rest.starts_with('\'') => {
                    return self.text(true);
                }
                ("r" | "br" | "rb", Dialect::Spark | Dialect::BigQuery) => {
                    return Err(unreadable("it has a raw text, such as r'…'", "leave the r out"));
                }
                _ => {}
            }
        }
        self.push(Kind::Word, word);
        Ok(())
    }

    fn symbol(&mut self, next: char) -> Result<()> {
        // U&"…" and U&'…' have letters by their numbers.
        let unicode = next == '&' && self.rest[1..].starts_with(['\'', '"']);
        if unicode && self.tokens.last().is_some_and(|last| last.is_word("u")) {
            return Err(unreadable(
                "it has a text or name with U&",
                "write the letters themselves",
            ));
        }
        if next == ')' {
            self.depth = self.depth.checked_sub(1).ok_or_else(|| {
                unreadable("a parenthesis is closed that was never opened", "leave it out")
            })?;
        }
        let text = if self.rest.starts_with("::") { "::".to_owned() } else { next.to_string() };
        self.skip(text.len());
        self.push(Kind::Symbol, text);
        if next == '(' {
            self.depth += 1;
        }
        Ok(())
    }
}

/// The length of what stands in quotes, from the first to the last of them.
fn closing(text: &str, quote: char, backslashes: bool) -> Option<usize> {
    let mut characters = text.char_indices().skip(1).peekable();
    while let Some((at, character)) = characters.next() {
        if backslashes && character == '\\' {
            characters.next();
        } else if character == quote && characters.next_if(|(_, next)| *next == quote).is_none() {
            return Some(at + quote.len_utf8());
        }
    }
    None
}

fn starts_word(character: char) -> bool {
    character == '_'
        || character.is_ascii_alphabetic()
        || (!character.is_ascii() && character.is_alphanumeric())
}

fn is_in_word(character: char) -> bool {
    starts_word(character) || character.is_ascii_digit()
}

fn never_closed() -> Error {
    unreadable("a quote is opened and never closed", "close it")
}

/// A query that cannot be told apart safely.
fn unreadable(what: &str, way_out: &str) -> Error {
    Error::parameter(format!("query: {what}")).with_hint(way_out)
}
