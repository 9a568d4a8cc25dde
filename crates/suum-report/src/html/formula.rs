//! Formulas, from one line of text to MathML.
//!
//! Letters are variables, words of several letters are functions, `_` and `^` set what follows
//! lower and higher, `{a}/{b}` is a fraction, `√{a}` a root, `"…"` text, and other braces only
//! group.

use super::markup::Markup;

impl Markup {
    /// A formula on a line of its own.
    pub(crate) fn formula(&mut self, line: &'static str) {
        self.element("div", &[("class", "formula"), ("tabindex", "0")], |div| {
            div.element("math", &[("display", "block")], |math| math.push(&mathml(line)));
        });
    }
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

    /// Whatever holds, from here on.
    fn run(&mut self, holds: impl Fn(char) -> bool) -> String {
        let mut run = String::new();
        while let Some(character) = self.peek().filter(|character| holds(*character)) {
            run.push(character);
            self.at += 1;
        }
        run
    }

    /// All that there is up to the end, or to the brace that closes a group.
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
                Some(_) => row.push(&self.term()),
            }
        }
    }

    /// A thing with what is set lower and higher.
    fn term(&mut self) -> Markup {
        // What is below a sum or a maximum is what it goes over.
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
        let name = match (&lower, &higher) {
            (None, None) => return base,
            (Some(_), None) if sum => "munder",
            (Some(_), None) => "msub",
            (None, Some(_)) => "msup",
            (Some(_), Some(_)) if sum => "munderover",
            (Some(_), Some(_)) => "msubsup",
        };
        Markup::of(|m| {
            let space = |m: &mut Markup| {
                if sum {
                    m.raw("<mspace width=\"0.2em\"/>");
                }
            };
            space(m);
            m.element(name, &[], |inside| {
                inside.push(&base);
                lower.iter().chain(&higher).for_each(|part| inside.push(part));
            });
            space(m);
        })
    }

    fn thing(&mut self) -> Markup {
        let tag = |name: &'static str, text: &str| {
            Markup::of(|m| m.element(name, &[], |inside| inside.text(text)))
        };
        match self.next() {
            None => Markup::default(),
            Some('{') => {
                let first = grouped(&self.row(Some('}')));
                if (self.peek(), self.characters.get(self.at + 1)) != (Some('/'), Some(&'{')) {
                    return first;
                }
                self.at += 2;
                let second = grouped(&self.row(Some('}')));
                Markup::of(|m| {
                    m.element("mfrac", &[], |inside| {
                        inside.push(&first);
                        inside.push(&second);
                    });
                })
            }
            Some('√') => {
                let inner = self.thing();
                Markup::of(|m| m.element("msqrt", &[], |inside| inside.push(&inner)))
            }
            Some('"') => {
                let text = self.run(|character| character != '"');
                self.at += 1;
                // Spaces at the ends would not be shown.
                tag("mtext", &text.replace(' ', "\u{a0}"))
            }
            Some(digit) if digit.is_ascii_digit() => {
                let rest = self.run(|character| character.is_ascii_digit() || character == '.');
                tag("mn", &format!("{digit}{rest}"))
            }
            Some('Σ') => tag("mo", "∑"),
            // Words are functions, in upright letters.
            Some(letter) if letter.is_ascii_alphabetic() => {
                let rest = self.run(|character| character.is_ascii_alphabetic());
                tag("mi", &format!("{letter}{rest}"))
            }
            Some(letter) if letter.is_alphabetic() || letter == '∞' => {
                tag("mi", &letter.to_string())
            }
            Some('|') => {
                Markup::of(|m| m.raw("<mo stretchy=\"false\" lspace=\"0\" rspace=\"0\">|</mo>"))
            }
            Some('/') => Markup::of(|m| m.raw("<mo lspace=\"0\" rspace=\"0\">/</mo>")),
            Some(operator) => tag("mo", &operator.to_string()),
        }
    }
}

fn grouped(row: &Markup) -> Markup {
    Markup::of(|m| m.element("mrow", &[], |inside| inside.push(row)))
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
             width=\"0.2em\"/><munder><mo>∑</mo><mi>j</mi></munder><mspace \
             width=\"0.2em\"/><msubsup><mi>ε</mi><mi>j</mi><mn>2</mn>\
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
