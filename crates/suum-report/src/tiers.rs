//! What each tier allowed, what is spent of it, and what is kept.

use suum_core::{Epsilon, LevelTable, Loss, Profile, Protected, Spending, WeightedPlan};

use crate::figures::{budget, count, percent, spent, tier};
use crate::prose::Text;
use crate::table::{Table, selection};

/// A consent tier as a report names it.
#[derive(Debug, Clone, PartialEq)]
pub struct Tier {
    /// Its label, or its ε where budgets are numbers.
    pub level: String,
    /// What each of its people allows.
    pub epsilon: Epsilon,
    /// How many people it has.
    pub count: u64,
}

impl Tier {
    /// The tiers of a level table.
    pub fn of_table(table: &LevelTable) -> Vec<Self> {
        let tier = |cohort: &suum_core::Cohort| Self {
            level: cohort.label.clone().unwrap_or_else(|| cohort.epsilon.written().to_string()),
            epsilon: cohort.epsilon,
            count: cohort.count,
        };
        merged(table.cohorts().iter().map(tier))
    }

    /// The levels of a profile, named as those of `known` with the same ε are, or by their ε.
    pub fn of_changed_profile(profile: &Profile, known: &[Tier]) -> Vec<Self> {
        let named = |mut tier: Tier| {
            let names: Vec<&str> = known
                .iter()
                .filter(|other| other.epsilon == tier.epsilon)
                .map(|other| other.level.as_str())
                .collect();
            if !names.is_empty() {
                tier.level = names.join(", ");
            }
            tier
        };
        Self::of_profile(profile).into_iter().map(named).collect()
    }

    /// The levels of a profile, named by their ε.
    pub fn of_profile(profile: &Profile) -> Vec<Self> {
        let tier = |level: &suum_core::Level| Self {
            level: level.epsilon.to_string(),
            epsilon: level.epsilon,
            count: level.count,
        };
        merged(profile.levels().iter().map(tier))
    }
}

/// A tier with records in several strata is one.
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

/// One line of the table of spending.
pub(crate) struct Line {
    pub(crate) tier: Tier,
    pub(crate) loss: Loss,
    /// The share of the estimate that all people of the tier have together; `None` where estimates
    /// differ in it.
    pub(crate) share: Option<f64>,
}

impl Line {
    /// A line of a certificate.
    pub(crate) fn of_release(row: &Spending) -> Self {
        let count = row.count.unwrap_or(1);
        Self {
            tier: Tier { level: row.level.clone(), epsilon: row.epsilon, count },
            loss: row.spent.clone(),
            share: row.weight.map(|weight| weight * count as f64),
        }
    }
}

/// Tiers of a plan, before the release.
pub(crate) fn lines(plan: &WeightedPlan, tiers: &[Tier]) -> Vec<Line> {
    let weights = plan.chosen().design.weights.per_level();
    lines_of(tiers, |tier| {
        let position = plan.position(tier.epsilon)?;
        // Of a mean that adapts, what anybody weighs depends on what is learned; in strata it
        // differs.
        let has_one = plan.adaptive().is_none() && !plan.setting().profile.is_stratified();
        let weight = weights.get(position).copied().filter(|_| has_one);
        Some((plan.loss_of(tier.epsilon), weight))
    })
}

/// Tiers of a plan, of which `known` tells the loss and, where there is one, one record's weight.
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
                loss,
                share: weight.map(|weight| weight * tier.count as f64),
            })
        })
        .collect()
}

/// Longer lists show their two ends only; the JSON form has every level.
pub(crate) const LINES: usize = 16;

/// The table of spending.
pub(crate) fn write(out: &mut Text, lines: &[Line], spent_heading: &str, whom: Protected) {
    let mut table = Table::new(
        1,
        ["tier", whom.many(), "allowed ε", spent_heading, "kept", "share of the estimate"],
    );
    for position in selection(lines.len(), LINES) {
        let Some(line) = position.and_then(|position| lines.get(position)) else {
            let hidden = (lines.len() - LINES) as u64;
            table.row([
                format!("… {} more", count(hidden)),
                "".into(),
                "".into(),
                "".into(),
                "".into(),
                "".into(),
            ]);
            continue;
        };
        let Tier { level, epsilon, count: people } = &line.tier;
        table.row([
            tier(level, *epsilon),
            count(*people),
            budget(*epsilon),
            spent(&line.loss, *epsilon),
            kept(&line.loss, *epsilon),
            line.share.map_or_else(|| "–".into(), percent),
        ]);
    }
    out.table(&table);
}

/// The part of the budget that stays unspent.
pub(crate) fn kept(loss: &Loss, allowed: Epsilon) -> String {
    let spent = loss.rounded_up();
    if allowed.is_unused() {
        return "–".into();
    }
    if allowed.is_public() {
        return if spent.is_infinite() { "none".into() } else { "the rest".into() };
    }
    percent(((1.0 - spent / allowed.get()) * 1e9).round() / 1e9)
}
