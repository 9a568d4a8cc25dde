//! Headline of an answer: names a winner only if intervals separate, and says so if there is no
//! useful answer.

use suum_core::Release;

use crate::figure::Figure;
use crate::figures::{capitalised, percent_of};
use crate::how;
use crate::sentence::Sentence;

/// Leader among several figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Leader {
    /// Index of the figure whose interval lies above all others.
    Clear(usize),
    /// Indices of two figures whose intervals overlap; the first has the larger estimate.
    Close(usize, usize),
}

/// Leader among several figures; `None` if there are fewer than two, or intervals are missing.
fn leader(figures: &[&Figure]) -> Option<Leader> {
    let ends = |figure: &Figure| match figure.interval {
        Some(interval) => Some((interval.lower, interval.upper)),
        None => figure.is_exact().then_some((figure.estimate, figure.estimate)),
    };
    let ends = figures.iter().map(|figure| ends(figure)).collect::<Option<Vec<_>>>()?;
    let by_estimate = |a: &usize, b: &usize| figures[*a].estimate.total_cmp(&figures[*b].estimate);
    let first = (0..figures.len()).max_by(by_estimate)?;
    let half_widths = |other: &usize| ends[*other].1 >= ends[first].0;
    let others = || (0..figures.len()).filter(|at| *at != first);
    match others().filter(half_widths).max_by(by_estimate) {
        Some(other) => Some(Leader::Close(first, other)),
        None => others().next().map(|_| Leader::Clear(first)),
    }
}

/// Sentence on the largest of several figures, as far as intervals tell. `what` is compared, such
/// as a share; `named` are the figures with their names.
pub(crate) fn largest(what: impl Into<Sentence>, named: &[(&str, &Figure)]) -> Option<Sentence> {
    let what = what.into();
    let figures: Vec<&Figure> = named.iter().map(|(_, figure)| *figure).collect();
    let with = |said: Sentence, at: usize, before: &str| {
        said.label(named[at].0).say(before).and(figures[at].show())
    };
    Some(match leader(&figures)? {
        Leader::Clear(at) if figures[at].is_exact() => {
            let said = Sentence::from_label(named[at].0).say(" has the largest ").and(what);
            said.say(": ").and(figures[at].show()).say(".")
        }
        Leader::Clear(at) => {
            let said = Sentence::from_label(named[at].0).say(" has the largest ").and(what);
            let said = said.say(", as far as intervals tell: ").and(figures[at].show());
            said.say(" (").and(figures[at].show_interval()).say(").")
        }
        Leader::Close(one, other) => {
            let said = Sentence::from("No clear largest ").and(what).say(": the intervals of ");
            let said = with(said, one, " (").say(") and ");
            with(said, other, " (").say(") overlap.")
        }
    })
}

/// Sentence on quantiles: the median, and the values between which the middle of the records lies;
/// `None` without a median. Figures without useful intervals are left out.
pub(crate) fn middle(release: &Release, figures: &[Figure]) -> Option<Sentence> {
    let unknown = release.uninformative();
    let ranked: Vec<(f64, &Figure)> = figures
        .iter()
        .filter(|figure| !unknown.contains(&figure.key))
        .filter_map(|figure| Some((figure.key.parse::<f64>().ok()?, figure)))
        .collect();
    let at = |q: f64| ranked.iter().find(|(rank, _)| (rank - q).abs() < 1e-9);
    let (_, median) = at(0.5)?;
    let said = Sentence::from("Median about ").and(median.show());
    // The pair of ranks whose middle is nearest to half of all records.
    let pairs = ranked.iter().filter(|(rank, _)| *rank < 0.5);
    let pairs = pairs.filter_map(|low| Some((low, at(1.0 - low.0)?)));
    let nearest = pairs.min_by(|((one, _), _), ((other, _), _)| {
        (one - 0.25).abs().total_cmp(&(other - 0.25).abs())
    });
    let Some(((rank, low), (_, high))) = nearest else { return Some(said.say(".")) };
    let part = match (rank - 0.25).abs() < 1e-9 {
        true => "half".to_owned(),
        false => percent_of(1.0 - 2.0 * rank),
    };
    let said = said.say(format!("; the middle {part} lies between about ")).and(low.show());
    Some(said.say(" and ").and(high.show()).say("."))
}

/// Sentence with several answers of one release: all of them, or the first and the last one.
pub(crate) fn several<'a>(figures: impl IntoIterator<Item = &'a Figure>) -> Sentence {
    let figures: Vec<&Figure> = figures.into_iter().collect();
    let shown: Vec<&Figure> = match figures.as_slice() {
        [first, _, _, .., last] if figures.len() > 4 => vec![first, last],
        all => all.to_vec(),
    };
    let mut said = Sentence::default();
    for (at, figure) in shown.iter().enumerate() {
        let before = match (at, at + 1 == shown.len()) {
            (0, _) => "The ",
            (_, true) if shown.len() < figures.len() => ", … and the ",
            (_, true) => " and the ",
            (_, false) => ", the ",
        };
        let verb = if at == 0 { " is about " } else { " " };
        said = said.say(format!("{before}{}{verb}", figure.name)).and(figure.show());
    }
    said.say(".")
}

/// Sentence with one answer and its interval, or a note that there is no useful one.
pub(crate) fn single(
    name: &str,
    column: Option<&str>,
    figure: &Figure,
    useless: bool,
    release: &Release,
) -> Sentence {
    let of = |said: &str| {
        let said = Sentence::from(format!("{said}{name}"));
        match column {
            Some(column) => said.say(" of ").label(column),
            None => said,
        }
    };
    let ends = figure.interval.map(|interval| {
        let [lower, upper] = figure.writing.ends(interval);
        let ends = [(lower, interval.lower), (upper, interval.upper)];
        (
            how::confidence(interval.confidence),
            ends.map(|(text, end)| Sentence::default().number(text, end)),
        )
    });
    let few = how::so_few(release);
    if useless {
        let said = of("There is no useful answer for the ")
            .say(if release.is_noiseless() {
                ". The estimate is "
            } else {
                ". The noisy estimate is "
            })
            .and(figure.show());
        return match ends {
            Some((confidence, [lower, upper])) => said
                .say(format!(", and its {confidence} interval, "))
                .and(lower)
                .say(" to ")
                .and(upper)
                .say(format!(", is nearly all that is possible at all, with {few}.")),
            None => said.say(format!(
                "; with {few} it is expected to be about as far off as a blind guess."
            )),
        };
    }
    let name = capitalised(name);
    let said = match column {
        Some(column) => Sentence::from(format!("{name} of ")).label(column),
        None => Sentence::from(name),
    };
    match ends {
        Some((confidence, [lower, upper])) => said
            .say(": ")
            .and(figure.show())
            .say(format!(" ({confidence} interval "))
            .and(lower)
            .say(" to ")
            .and(upper)
            .say(")."),
        None if figure.is_exact() => said.say(": ").and(figure.show()).say("."),
        None => said.say(": about ").and(figure.show()).say("; there is no confidence interval."),
    }
}

/// Names of the uninformative answers.
pub(crate) fn useless(release: &Release, figures: &[Figure]) -> Vec<String> {
    let keys = release.uninformative();
    let useless = figures.iter().filter(|figure| keys.contains(&figure.key));
    useless.map(|figure| figure.name.clone()).collect()
}

#[cfg(test)]
mod tests {
    use suum_core::Interval;

    use super::*;
    use crate::figure::Writing;

    fn figure(name: &str, lower: f64, estimate: f64, upper: f64) -> Figure {
        Figure {
            name: name.to_owned(),
            key: name.to_owned(),
            estimate,
            interval: Some(Interval { confidence: 0.95, lower, upper }),
            writing: Writing::Share(0.01),
            shown: None,
            comparable: true,
            is_value: false,
        }
    }

    fn sentence(figures: &[Figure]) -> Option<String> {
        let named: Vec<(&str, &Figure)> =
            figures.iter().map(|figure| (figure.name.as_str(), figure)).collect();
        largest("share", &named).map(|sentence| sentence.text())
    }

    #[test]
    fn a_winner_needs_an_interval_above_all_others() {
        let apples = figure("apples", 0.30, 0.35, 0.40);
        let clear = sentence(&[apples.clone(), figure("oranges", 0.45, 0.5, 0.55)]).unwrap();
        let best =
            "oranges has the largest share, as far as intervals tell: 50.0 % (45.0 % to 55.0 %).";
        assert!(clear.starts_with(best), "{clear}");
        let close = sentence(&[apples.clone(), figure("oranges", 0.39, 0.42, 0.45)]).unwrap();
        assert!(close.starts_with("No clear largest share") && !close.contains("has the"));
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
        assert_eq!(
            several(all.iter().copied()).text(),
            "The p10 is about 20.0 %, … and the p90 20.0 %."
        );
        assert_eq!(
            several(all[..3].iter().copied()).text(),
            "The p10 is about 20.0 %, the p25 20.0 % and the p50 20.0 %."
        );
    }
}
