//! Formulas, from one line of text to MathML.
//!
//! Letters are variables, words of several letters are functions, `_` and `^` set what follows
//! lower and higher, `{a}/{b}` is a fraction, `√{a}` a root, `"…"` text, and other braces only
//! group.

use maud::{Markup, html};

/// Formula on a line of its own.
pub(crate) fn formula(line: &str) -> Markup {
    html! { div class="formula" tabindex="0" { math display="block" { (mathml(line)) } } }
}

fn mathml(line: &str) -> Markup {
    let characters: Vec<char> = line.chars().collect();
    let mut reader = Reader { characters, at: 0 };
    reader.row(None)
}

struct Reader {
    characters: Vec<char>,
    at: usize,
}

impl Reader {
    fn peek(&self) -> Option<char> {
        self.characters.get(self.at).copied()
    }

    fn next(&mut self) -> Option<char> {
        let character = self.peek();
        self.at += usize::from(character.is_some());
        character
    }

    /// Longest run of characters for which `holds` is true, starting here.
    fn run(&mut self, holds: impl Fn(char) -> bool) -> String {
        let mut run = String::new();
        while let Some(character) = self.peek().filter(|character| holds(*character)) {
            run.push(character);
            self.at += 1;
        }
        run
    }

    /// Terms up to the end, or to the brace that closes a group.
    fn row(&mut self, end: Option<char>) -> Markup {
        let mut row = Markup::default();
        loop {
            self.run(|character| character == ' ');
            match self.peek() {
                None => return row,
                character if character == end => {
                    self.at += 1;
                    return row;
                }
                Some(_) => row.0 += &self.term().0,
            }
        }
    }

    /// Term with its subscript and superscript.
    fn term(&mut self) -> Markup {
        // The subscript of a sum or a maximum is its range, and stands below it.
        let rest: String = self.characters[self.at..].iter().take(4).collect();
        let sum = rest.starts_with('Σ') || rest == "max_" || rest == "min_";
        let base = self.thing();
        let (mut lower, mut higher) = (None, None);
        loop {
            match self.peek() {
                Some('_') if lower.is_none() => {
                    self.at += 1;
                    lower = Some(self.thing());
                }
                Some('^') if higher.is_none() => {
                    self.at += 1;
                    higher = Some(self.thing());
                }
                _ => break,
            }
        }
        let parts = html! { (base) @for part in lower.iter().chain(&higher) { (part) } };
        let placed = match (lower, higher) {
            (None, None) => return base,
            (Some(_), None) if sum => html! { munder { (parts) } },
            (Some(_), None) => html! { msub { (parts) } },
            (None, Some(_)) => html! { msup { (parts) } },
            (Some(_), Some(_)) if sum => html! { munderover { (parts) } },
            (Some(_), Some(_)) => html! { msubsup { (parts) } },
        };
        if sum {
            html! { (space()) (placed) (space()) }
        } else {
            placed
        }
    }

    fn thing(&mut self) -> Markup {
        match self.next() {
            None => Markup::default(),
            Some('{') => {
                let first = self.group();
                if (self.peek(), self.characters.get(self.at + 1)) != (Some('/'), Some(&'{')) {
                    return first;
                }
                self.at += 2;
                let second = self.group();
                html! { mfrac { (first) (second) } }
            }
            Some('√') => {
                let inner = self.thing();
                html! { msqrt { (inner) } }
            }
            Some('"') => {
                let text = self.run(|character| character != '"');
                self.at += 1;
                // Spaces at the ends would not be shown.
                html! { mtext { (text.replace(' ', "\u{a0}")) } }
            }
            Some(digit) if digit.is_ascii_digit() => {
                let rest = self.run(|character| character.is_ascii_digit() || character == '.');
                html! { mn { (digit) (rest) } }
            }
            Some('Σ') => html! { mo { "∑" } },
            // Words are functions, in upright letters.
            Some(letter) if letter.is_ascii_alphabetic() => {
                let rest = self.run(|character| character.is_ascii_alphabetic());
                html! { mi { (letter) (rest) } }
            }
            Some(letter) if letter.is_alphabetic() || letter == '∞' => html! { mi { (letter) } },
            Some('|') => html! { mo stretchy="false" lspace="0" rspace="0" { "|" } },
            Some('/') => html! { mo lspace="0" rspace="0" { "/" } },
            Some(operator) => html! { mo { (operator) } },
        }
    }

    /// Content of braces.
    fn group(&mut self) -> Markup {
        let row = self.row(Some('}'));
        html! { mrow { (row) } }
    }
}

fn space() -> Markup {
    html! { mspace width="0.2em" {} }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_a_fraction() {
        assert_eq!(
            mathml("w_i = {min(ε_i, τ)}/{Σ_j ε_j^2}").into_string(),
            "<msub><mi>w</mi><mi>i</mi></msub><mo>=</mo><mfrac><mrow><mi>min</mi><mo>(</mo>\
            <msub><mi>ε</mi><mi>i</mi></msub>\
             <mo>,</mo><mi>τ</mi><mo>)</mo></mrow><mrow><mspace \
             width=\"0.2em\"></mspace><munder><mo>∑</mo><mi>j</mi></munder><mspace \
             width=\"0.2em\"></mspace><msubsup><mi>ε</mi><mi>j</mi><mn>2</mn>\
             </msubsup></mrow></mfrac>"
        );
    }

    #[test]
    fn roots_and_words() {
        assert_eq!(
            mathml("√{2} η \"if\" e^{−x}").into_string(),
            "<msqrt><mrow><mn>2</mn></mrow></msqrt><mi>η</mi><mtext>if</mtext><msup><mi>e</mi>\
            <mrow><mo>−</mo><mi>x</mi></mrow></msup>"
        );
    }
}
