//! The sentence that says what was found: a winner only where intervals separate, and that there is
//! no useful answer where there is none.

use suum_core::{Interval, Protected, Release};

use crate::how;
use crate::html::figure::Figure;

/// A part of a sentence, which pages and texts write differently.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Piece {
    /// Words of ours.
    Words(String),
    /// A label of the data.
    Label(String),
    /// A number that was released.
    Number(String, f64),
}

/// A sentence as text.
pub(crate) fn text(pieces: &[Piece]) -> String {
    let pieces = pieces.iter().map(|piece| match piece {
        Piece::Words(text) | Piece::Label(text) | Piece::Number(text, _) => text.as_str(),
    });
    pieces.collect()
}

fn words(text: impl Into<String>) -> Piece {
    Piece::Words(text.into())
}

fn number(figure: &Figure) -> Piece {
    Piece::Number(figure.writing.text(figure.estimate), figure.estimate)
}

/// Who is ahead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Leader {
    /// The interval of this one lies above all others.
    Clear(usize),
    /// The intervals of these two, of which the first has the larger estimate, overlap.
    Close(usize, usize),
}

/// Who is ahead among several; `None` where that is no question, or intervals are missing.
fn leader(figures: &[&Figure]) -> Option<Leader> {
    let ends = |figure: &Figure| match figure.interval {
        Some(interval) => Some((interval.lower, interval.upper)),
        None => figure.is_exact().then_some((figure.estimate, figure.estimate)),
    };
    let ends = figures.iter().map(|figure| ends(figure)).collect::<Option<Vec<_>>>()?;
    let by_estimate = |a: &usize, b: &usize| figures[*a].estimate.total_cmp(&figures[*b].estimate);
    let first = (0..figures.len()).max_by(by_estimate)?;
    let reaches = |other: &usize| ends[*other].1 >= ends[first].0;
    let others = || (0..figures.len()).filter(|at| *at != first);
    match others().filter(reaches).max_by(by_estimate) {
        Some(other) => Some(Leader::Close(first, other)),
        None => others().next().map(|_| Leader::Clear(first)),
    }
}

/// Which of several is the largest, as far as intervals tell. `what` is compared, such as a share;
/// `named` are the figures with the names to call them by.
pub(crate) fn largest(what: &str, named: &[(&str, &Figure)]) -> Option<Vec<Piece>> {
    let figures: Vec<&Figure> = named.iter().map(|(_, figure)| *figure).collect();
    let label = |at: usize| Piece::Label(named[at].0.to_owned());
    Some(match leader(&figures)? {
        Leader::Clear(at) if figures[at].is_exact() => vec![
            words(format!("The largest {what} is that of ")),
            label(at),
            words(": "),
            number(figures[at]),
            words("."),
        ],
        Leader::Clear(at) => vec![
            words(format!("As far as intervals tell, the largest {what} is that of ")),
            label(at),
            words(": "),
            number(figures[at]),
            words(". Its interval lies above all others."),
        ],
        Leader::Close(one, other) => vec![
            words(format!("Too close to call which {what} is the largest: the intervals of ")),
            label(one),
            words(" ("),
            number(figures[one]),
            words(") and "),
            label(other),
            words(" ("),
            number(figures[other]),
            words(") overlap."),
        ],
    })
}

/// Several answers of one release in a sentence: all of them, or the first and the last one.
pub(crate) fn several(figures: &[&Figure]) -> Vec<Piece> {
    let shown: Vec<&Figure> = match figures {
        [first, _, _, .., last] if figures.len() > 4 => vec![first, last],
        all => all.to_vec(),
    };
    let mut pieces = Vec::new();
    for (at, figure) in shown.iter().enumerate() {
        let before = match (at, at + 1 == shown.len()) {
            (0, _) => "The ",
            (_, true) if shown.len() < figures.len() => ", … and the ",
            (_, true) => " and the ",
            (_, false) => ", the ",
        };
        let verb = if at == 0 { " is about " } else { " " };
        pieces.push(words(format!("{before}{}{verb}", figure.name)));
        pieces.push(number(figure));
    }
    pieces.push(words("."));
    pieces
}

/// One answer in a sentence, with its interval, or that there is no useful one.
pub(crate) fn single(
    name: &str,
    column: Option<&str>,
    figure: &Figure,
    useless: bool,
    whom: Protected,
) -> Vec<Piece> {
    let of = column.map(|column| [words(" of "), Piece::Label(column.to_owned())]);
    let of = of.into_iter().flatten();
    let ends = |interval: Interval| {
        let [lower, upper] = figure.writing.ends(interval);
        [Piece::Number(lower, interval.lower), Piece::Number(upper, interval.upper)]
    };
    match figure.interval {
        Some(interval) if useless => {
            let [lower, upper] = ends(interval);
            let confidence = how::confidence(interval.confidence);
            [words(format!("There is no useful answer for the {name}"))]
                .into_iter()
                .chain(of)
                .chain([
                    words(". The noisy estimate is "),
                    number(figure),
                    words(format!(", and its {confidence} interval, ")),
                    lower,
                    words(" to "),
                    upper,
                    words(format!(
                        ", is nearly all that is possible at all, with so few {} or so little ε.",
                        whom.many()
                    )),
                ])
                .collect()
        }
        None if useless => [words(format!("There is no useful answer for the {name}"))]
            .into_iter()
            .chain(of)
            .chain([
                words(". The noisy estimate is "),
                number(figure),
                words(format!(
                    "; with so few {} or so little ε it is expected to be about as far off as a \
                     blind guess.",
                    whom.many()
                )),
            ])
            .collect(),
        interval => {
            let is = if figure.is_exact() { " is " } else { " is about " };
            let mut pieces = vec![words(format!("The {name}"))];
            pieces.extend(of);
            pieces.extend([words(is), number(figure)]);
            match interval {
                Some(interval) => {
                    let [lower, upper] = ends(interval);
                    let confidence = how::confidence(interval.confidence);
                    let between = words(format!("; with {confidence} confidence it is between "));
                    pieces.extend([between, lower, words(" and "), upper]);
                }
                None if figure.is_exact() => {}
                None => pieces.push(words("; there is no confidence interval")),
            }
            pieces.push(words("."));
            pieces
        }
    }
}

/// The names of the answers that say next to nothing.
pub(crate) fn useless(release: &Release, figures: &[Figure]) -> Vec<String> {
    let keys = release.uninformative();
    let useless = figures.iter().filter(|figure| keys.contains(&figure.key));
    useless.map(|figure| figure.name.clone()).collect()
}

#[cfg(test)]
mod tests {
    use suum_core::Interval;

    use super::*;
    use crate::html::figure::Writing;

    fn figure(name: &str, lower: f64, estimate: f64, upper: f64) -> Figure {
        Figure {
            name: name.to_owned(),
            key: name.to_owned(),
            estimate,
            interval: Some(Interval { confidence: 0.95, lower, upper }),
            writing: Writing::Share(0.01),
            shown: None,
            comparable: true,
            is_of_rank: false,
        }
    }

    fn sentence(figures: &[Figure]) -> Option<String> {
        let named: Vec<(&str, &Figure)> =
            figures.iter().map(|figure| (figure.name.as_str(), figure)).collect();
        largest("share", &named).map(|pieces| text(&pieces))
    }

    #[test]
    fn a_winner_needs_an_interval_above_all_others() {
        let apples = figure("apples", 0.30, 0.35, 0.40);
        let clear = sentence(&[apples.clone(), figure("oranges", 0.45, 0.5, 0.55)]).unwrap();
        assert!(clear.contains("the largest share is that of oranges: 50.0 %"), "{clear}");
        let close = sentence(&[apples.clone(), figure("oranges", 0.39, 0.42, 0.45)]).unwrap();
        assert!(close.contains("Too close to call") && !close.contains("largest share is"));
        assert!(close.contains("oranges (42.0 %) and apples (35.0 %)"), "{close}");
        // A third one with a wide interval can still be the largest.
        let wide =
            [apples.clone(), figure("oranges", 0.45, 0.5, 0.55), figure("plums", 0.0, 0.2, 0.6)];
        assert!(sentence(&wide).unwrap().contains("oranges (50.0 %) and plums (20.0 %)"));
        assert_eq!(sentence(&[apples]), None);
    }

    #[test]
    fn nobody_wins_without_intervals() {
        let no_interval = Figure { interval: None, ..figure("a", 0.0, 0.1, 0.2) };
        assert_eq!(sentence(&[no_interval, figure("b", 0.5, 0.6, 0.7)]), None);
    }

    #[test]
    fn many_answers_are_named_by_their_ends() {
        let all: Vec<Figure> =
            ["p10", "p25", "p50", "p75", "p90"].map(|name| figure(name, 0.1, 0.2, 0.3)).to_vec();
        let all: Vec<&Figure> = all.iter().collect();
        assert_eq!(text(&several(&all)), "The p10 is about 20.0 %, … and the p90 20.0 %.");
        assert_eq!(
            text(&several(&all[..3])),
            "The p10 is about 20.0 %, the p25 20.0 % and the p50 20.0 %."
        );
    }
}
