//! Default parts of several answers of every budget: their expected errors are as equal as public
//! facts tell.

use suum_core::{Profile, Result, Share, SurveySplit};

use super::statistic;
use crate::query::Query;

/// Least part of an answer, relative to an equal one: an answer whose error is mostly sampling
/// would gain nothing from what the others lack.
const LEAST: f64 = 0.25;

/// Sets the parts of answers that share every budget so that their errors are equal, for the
/// answers whose participation and errors are public.
///
/// `people` are those in the data, or in a group of median size. An answer whose error is not known
/// in advance keeps an equal part.
///
/// # Errors
///
/// None is expected.
pub(super) fn equalize_errors(
    queries: &mut [&mut Query],
    people: &[Option<Profile>],
) -> Result<SurveySplit> {
    let equal = 1.0 / queries.len().max(1) as f64;
    let curve = |(query, people): (&&mut Query, &Option<Profile>)| {
        Curve::compute(query, people.as_ref()?, LEAST * equal)
    };
    let curves: Vec<Option<Curve>> = queries.iter().zip(people).map(curve).collect();
    let known = curves.iter().flatten().count();
    if known < 2 {
        return Ok(SurveySplit::Equal);
    }
    let level = level(&curves, known as f64 * equal);
    let parts = curves.iter().map(|curve| {
        let part = curve.as_ref().map_or(equal, |curve| curve.part(level));
        // Three digits are the same on every machine.
        (part / equal * 1000.0).round()
    });
    let shares = Share::split(&parts.collect::<Vec<_>>())?;
    queries.iter_mut().zip(shares).for_each(|(query, share)| query.part = share);
    Ok(SurveySplit::EqualErrors)
}

/// Logarithm of the error at which all known parts add up to `whole`.
fn level(curves: &[Option<Curve>], whole: f64) -> f64 {
    let all = || curves.iter().flatten().flat_map(|curve| curve.0.iter().map(|(_, error)| *error));
    let mut low = all().fold(f64::INFINITY, f64::min) - 1.0;
    let mut high = all().fold(f64::NEG_INFINITY, f64::max);
    for _ in 0..60 {
        let middle = low + (high - low) / 2.0;
        let sum: f64 = curves.iter().flatten().map(|curve| curve.part(middle)).sum();
        match sum > whole {
            true => low = middle,
            false => high = middle,
        }
    }
    high
}

/// Expected error of an answer as a function of its part: logarithms of both, the least part first.
struct Curve(Vec<(f64, f64)>);

impl Curve {
    /// Computes the error at the least part, twice that, and so on, up to the whole.
    fn compute(query: &Query, people: &Profile, least: f64) -> Option<Self> {
        let doubled = std::iter::successors(Some(least), |part| Some(2.0 * part));
        let parts = doubled.take_while(|part| *part < 1.0).chain([1.0]);
        let point = |part: f64| {
            let error = relative_error(query, people, part).ok().flatten();
            error.filter(|error| *error > 0.0).map(|error| (part.ln(), error.ln()))
        };
        let mut points = parts.map(point).collect::<Option<Vec<_>>>()?;
        // With more of a budget no error is larger.
        for at in 1..points.len() {
            points[at].1 = points[at].1.min(points[at - 1].1);
        }
        Some(Self(points))
    }

    /// Least part with which the logarithm of the error is at most `level`.
    fn part(&self, level: f64) -> f64 {
        let Some(after) = self.0.iter().position(|(_, error)| *error <= level) else { return 1.0 };
        let (part, error) = self.0[after];
        let Some((before, larger)) = after.checked_sub(1).map(|at| self.0[at]) else {
            return part.exp();
        };
        (before + (part - before) * (larger - level) / (larger - error)).exp()
    }
}

/// Expected error of a query about these people with this part of every budget, relative to the
/// largest possible error.
fn relative_error(query: &Query, people: &Profile, part: f64) -> Result<Option<f64>> {
    let query = Query { part: Share::new(part)?, ..query.clone() };
    let plan = statistic::plan(&query, &statistic::assumed(&query, None)?, people.clone())?;
    Ok(plan.relative_error())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Job;

    const MEAN: &str = "statistic = 'mean'\nvalue = 'v'\nbounds = [0, 77]\nepsilon = 'e'";
    const SHARES: &str =
        "statistic = 'frequency'\nvalue = 'c'\ncategories = ['a', 'b', 'c', 'd']\nepsilon = 'e'";
    const RANKS: &str =
        "statistic = 'quantile'\nvalue = 'v'\nbounds = [0, 77]\nstep = 1\nepsilon = 'e'";

    /// Parts of these queries, their errors with these parts, and their errors with equal parts.
    fn split(asked: &[(&str, &str)]) -> (Vec<f64>, [Vec<f64>; 2]) {
        let read = |(toml, _): &(&str, &str)| Job::from_toml(toml).unwrap().query;
        let mut queries: Vec<Query> = asked.iter().map(read).collect();
        let people: Vec<Profile> =
            asked.iter().map(|(_, people)| people.parse().unwrap()).collect();
        let known: Vec<Option<Profile>> = people.iter().cloned().map(Some).collect();
        let mut each: Vec<&mut Query> = queries.iter_mut().collect();
        assert_eq!(equalize_errors(&mut each, &known).unwrap(), SurveySplit::EqualErrors);
        let parts: Vec<f64> = queries.iter().map(|query| query.part.get()).collect();
        let errors = |part: &dyn Fn(usize) -> f64| {
            let error = |at: usize| relative_error(&queries[at], &people[at], part(at));
            (0..asked.len()).map(|at| error(at).unwrap().unwrap()).collect::<Vec<_>>()
        };
        let equal = 1.0 / asked.len() as f64;
        (parts.clone(), [errors(&|at| parts[at]), errors(&|_| equal)])
    }

    fn spread(errors: &[f64]) -> f64 {
        let most = errors.iter().copied().fold(0.0, f64::max);
        most / errors.iter().copied().fold(f64::INFINITY, f64::min)
    }

    #[test]
    fn errors_are_alike_and_parts_add_up_to_the_whole() {
        let (all, few) = ("0.01:8000,0.1:9000,1:2000", "0.01:3000,0.1:3500,1:800");
        let (parts, [with, equal]) =
            split(&[(MEAN, all), (MEAN, few), (SHARES, all), (RANKS, all)]);
        assert!(spread(&with) < 1.05 && spread(&equal) > 1.3, "{with:?} {equal:?}");
        assert!(parts[1] > 1.5 * parts[0], "{parts:?}");
        let sum: f64 = parts.iter().sum();
        assert!(sum <= 1.0 && sum > 1.0 - 1e-9, "{parts:?}");
        let (alike, _) = split(&[(MEAN, all), (MEAN, all)]);
        assert!(alike.iter().all(|part| (part - 0.5).abs() < 1e-12), "{alike:?}");
    }

    #[test]
    fn an_error_of_sampling_alone_takes_nothing_from_others() {
        let (parts, _) = split(&[(MEAN, "inf:30"), (MEAN, "0.01:8000,0.1:9000")]);
        assert!(parts[0] <= 0.5 && parts[1] >= 0.5, "{parts:?}");
    }

    #[test]
    fn what_nobody_knows_beforehand_keeps_an_equal_part() {
        let toml = MEAN.replace("[0, 77]", "'auto'");
        let mut queries = [MEAN, SHARES, &toml].map(|toml| Job::from_toml(toml).unwrap().query);
        let people: Profile = "0.01:8000,0.1:9000".parse().unwrap();
        let mut each: Vec<&mut Query> = queries.iter_mut().collect();
        let known = [Some(people.clone()), Some(people.clone()), Some(people.clone())];
        assert_eq!(equalize_errors(&mut each, &known).unwrap(), SurveySplit::EqualErrors);
        let part = each[2].part.get();
        assert!((part - 1.0 / 3.0).abs() < 1e-2, "{part}");
        let known = [Some(people), None, None];
        assert_eq!(equalize_errors(&mut each, &known).unwrap(), SurveySplit::Equal);
    }
}
