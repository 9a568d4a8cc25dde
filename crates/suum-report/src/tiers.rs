//! Allowed, spent and kept budget of each tier.

use suum_core::{Epsilon, LevelName, LevelTable, Loss, MemberKind, Profile, Spending};

use crate::figures::percent;

/// Consent tier as a report names it.
#[derive(Debug, Clone, PartialEq)]
pub struct Tier {
    /// Label of the tier, or its ε if budgets are numbers.
    pub level: LevelName,
    /// Budget that each of its people allows.
    pub epsilon: Epsilon,
    /// Number of its people.
    pub count: u64,
}

impl Tier {
    /// Tiers of a level table.
    pub fn from_table(table: &LevelTable) -> Vec<Self> {
        let tier = |level_sums: &suum_core::LevelSums| Self {
            level: level_sums.name(),
            epsilon: level_sums.epsilon,
            count: level_sums.count,
        };
        merged(table.by_level().iter().map(tier))
    }

    /// Levels of a profile, with the names of the tiers in `known` with equal ε, or named by their
    /// ε.
    pub fn from_changed_profile(profile: &Profile, known: &[Tier]) -> Vec<Self> {
        let named = |mut tier: Tier| {
            let names: Vec<String> = known
                .iter()
                .filter(|other| other.epsilon == tier.epsilon)
                .map(|other| other.level.to_string())
                .collect();
            if !names.is_empty() {
                tier.level = LevelName::Label(names.join(", "));
            }
            tier
        };
        Self::from_profile(profile).into_iter().map(named).collect()
    }

    /// Levels of a profile, named by their ε.
    pub fn from_profile(profile: &Profile) -> Vec<Self> {
        let tier = |level: &suum_core::Level| Self {
            level: LevelName::Budget(level.epsilon),
            epsilon: level.epsilon,
            count: level.count,
        };
        merged(profile.levels().iter().map(tier))
    }
}

/// Persons of one kind, with their whole budget.
impl From<&MemberKind> for Tier {
    fn from(kind: &MemberKind) -> Self {
        Self { level: kind.level.clone(), epsilon: kind.epsilon, count: kind.persons }
    }
}

/// Merges the entries of tiers with records in several strata.
fn merged(tiers: impl Iterator<Item = Tier>) -> Vec<Tier> {
    let mut all: Vec<Tier> = Vec::new();
    for tier in tiers {
        // They come in the order of ε and name.
        match all
            .last_mut()
            .filter(|last| (&last.level, last.epsilon) == (&tier.level, tier.epsilon))
        {
            Some(last) => last.count = last.count.saturating_add(tier.count),
            None => all.push(tier),
        }
    }
    all
}

/// Line of the table of spending.
#[derive(Debug, Clone)]
pub(crate) struct Line {
    pub(crate) tier: Tier,
    /// True if the number of people is known; otherwise the count is 1.
    pub(crate) is_counted: bool,
    pub(crate) loss: Loss,
    /// Share of the estimate that all people of the tier have together; `None` if it differs
    /// between estimates.
    pub(crate) share: Option<f64>,
}

impl Line {
    /// Line of a certificate.
    pub(crate) fn from_spending(row: &Spending) -> Self {
        let count = row.count.unwrap_or(1);
        Self {
            tier: Tier { level: row.level.clone(), epsilon: row.epsilon, count },
            is_counted: row.count.is_some(),
            loss: row.spent.clone(),
            share: row.weight.map(|weight| weight * count as f64),
        }
    }

    /// Converts the line to one of a certificate.
    pub(crate) fn spending(&self) -> Spending {
        let Tier { level, epsilon, count } = &self.tier;
        Spending {
            level: level.clone(),
            epsilon: *epsilon,
            count: self.is_counted.then_some(*count),
            spent: self.loss.clone(),
            weight: None,
            delta: None,
        }
    }
}

/// Lines of the tiers of a plan; `known` returns the loss and, if there is one, the weight of one
/// record.
pub(crate) fn lines_of(
    tiers: &[Tier],
    known: impl Fn(&Tier) -> Option<(Loss, Option<f64>)>,
) -> Vec<Line> {
    tiers
        .iter()
        .filter_map(|tier| {
            let (loss, weight) = known(tier)?;
            Some(Line {
                tier: tier.clone(),
                is_counted: true,
                loss,
                share: weight.map(|weight| weight * tier.count as f64),
            })
        })
        .collect()
}

/// Largest number of lines; longer lists are shown in parts, and the JSON form has every level.
pub(crate) const LINES: usize = 16;

/// Number of parts, each with about as many people.
const PARTS: usize = 10;

/// Tiers that share a line of a table: one, or a tenth of the people if there are very many.
pub(crate) struct Band<'a> {
    pub(crate) lines: Vec<&'a Line>,
    /// Spending of each of them, rounded up.
    spent: Vec<f64>,
}

impl<'a> Band<'a> {
    /// Bands of the lines: one for each tier; of very many, one for each tenth of the people, or of
    /// the budgets if the number of people is hidden. Public and unused tiers stay by themselves.
    pub(crate) fn from_lines(lines: &'a [Line]) -> Vec<Self> {
        let alone = |line: &&Line| line.tier.epsilon.is_public() || line.tier.epsilon.is_unused();
        if lines.len() <= LINES {
            return lines.iter().map(|line| Self::new(vec![line])).collect();
        }
        let mut limited: Vec<&Line> = lines.iter().filter(|line| !alone(line)).collect();
        limited.sort_by(|one, other| one.tier.epsilon.get().total_cmp(&other.tier.epsilon.get()));
        let all: f64 = limited.iter().map(|line| line.tier.count as f64).sum();
        let mut parts: Vec<Vec<&Line>> = vec![Vec::new(); PARTS];
        let mut before = 0.0;
        for line in limited {
            let people = line.tier.count as f64;
            let middle = (before + people / 2.0) / all;
            parts[((middle * PARTS as f64) as usize).min(PARTS - 1)].push(line);
            before += people;
        }
        let by = |holds: fn(Epsilon) -> bool| {
            let of = lines.iter().filter(move |line| holds(line.tier.epsilon));
            of.map(|line| vec![line])
        };
        let parts = parts.into_iter().filter(|part| !part.is_empty());
        let all = by(Epsilon::is_unused).chain(parts).chain(by(Epsilon::is_public));
        all.map(Self::new).collect()
    }

    fn new(lines: Vec<&'a Line>) -> Self {
        // Many levels lose the same.
        let mut spent: Vec<f64> = Vec::with_capacity(lines.len());
        for (at, line) in lines.iter().enumerate() {
            let same = at.checked_sub(1).filter(|before| lines[*before].loss == line.loss);
            spent.push(same.map_or_else(|| line.loss.rounded_up(), |before| spent[before]));
        }
        Self { lines, spent }
    }

    pub(crate) fn people(&self) -> u64 {
        self.lines.iter().map(|line| line.tier.count).sum()
    }

    /// Text of the first and the last line, joined if they differ.
    pub(crate) fn ends(&self, text: impl Fn(&Line) -> String) -> String {
        let (Some(first), Some(last)) = (self.lines.first(), self.lines.last()) else {
            return String::new();
        };
        let (first, last) = (text(first), text(last));
        if first == last { first } else { format!("{first} to {last}") }
    }

    /// Line of the largest loss.
    pub(crate) fn most(&self) -> Option<&'a Line> {
        let all = self.spent.iter().zip(&self.lines);
        all.max_by(|(one, _), (other, _)| one.total_cmp(other)).map(|(_, line)| *line)
    }

    /// Spent parts of their budgets; none for public or unused budgets.
    pub(crate) fn used(&self) -> impl Iterator<Item = f64> {
        self.spent.iter().zip(&self.lines).filter_map(|(spent, line)| {
            let epsilon = line.tier.epsilon;
            let is_limited = !epsilon.is_public() && !epsilon.is_unused();
            is_limited.then(|| spent / epsilon.get())
        })
    }

    pub(crate) fn share(&self) -> Option<f64> {
        self.lines.iter().map(|line| line.share).sum()
    }
}

/// Part of the budget that stays unspent.
pub(crate) fn kept_part(loss: &Loss, allowed: Epsilon) -> String {
    let spent = loss.rounded_up();
    if allowed.is_unused() {
        return "–".into();
    }
    if allowed.is_public() {
        return if spent.is_infinite() { "none".into() } else { "the rest".into() };
    }
    percent(((1.0 - spent / allowed.get()) * 1e9).round() / 1e9)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figures::budget;

    #[test]
    fn many_tiers_become_tenths_of_the_people() {
        let line = |at: u32| Line {
            tier: Tier {
                level: LevelName::Label(at.to_string()),
                epsilon: Epsilon::new(f64::from(at)).unwrap(),
                count: if at == 500 { 900 } else { 1 },
            },
            is_counted: true,
            loss: Loss::ratio(u64::from(at.min(700)), 1),
            share: Some(0.001),
        };
        let lines: Vec<Line> = (1..=1000).rev().map(line).collect();
        let bands = Band::from_lines(&lines);
        assert!(bands.len() <= 10);
        assert_eq!(bands.iter().map(Band::people).sum::<u64>(), 1899);
        assert_eq!(bands[0].ends(|line| budget(line.tier.epsilon)), "1 to 190");
        assert_eq!(bands.last().unwrap().most().map(|line| line.loss.rounded_up()), Some(700.0));
        assert!((bands.iter().filter_map(Band::share).sum::<f64>() - 1.0).abs() < 1e-9);
    }
}
