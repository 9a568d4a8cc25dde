//! Plans of several groups as an answer.

use serde::Serialize;
use suum_core::{
    GroupName, Loss, Memberships, Neighbors, ProtectedUnit, Result, Rho, SmallGroups, Voice,
};
use suum_data::Grouping;
use suum_report::{Beside, GroupPlan, Page, Tier, View};

use super::plan_answer::{PlanAnswer, PlanRecord};
use crate::Answer;
use crate::answer::{Content, More};
use crate::query::Query;
use crate::run::{Task, accounts};

/// Plans of several groups.
pub(super) struct PlannedGroups {
    pub(super) by: GroupName,
    pub(super) each: Vec<(GroupName, Option<PlanAnswer>)>,
    /// The groups that would be left out, if small ones are to be.
    pub(super) small: Option<SmallGroups>,
    /// True if they are for people of a profile, the same in every group.
    pub(super) assumed: bool,
    /// Groups whose means or sums are compared, if two are.
    pub(super) between: Option<[GroupName; 2]>,
    /// Number of groups in which one person counts.
    pub(super) memberships: Memberships,
}

/// Compared groups for which the error of the difference follows from those of both: for means or
/// sums. For shares a plan has only the largest error, and for quantiles only that of the rank.
pub(super) fn compared_means(query: &Query) -> Result<Option<[GroupName; 2]>> {
    Ok(query.compared()?.filter(|_| query.statistic.is_mean_or_sum()))
}

/// Groups of a release: two if groups are compared.
pub(super) fn planned_groups(query: &Query, groups: &Grouping) -> Result<Vec<GroupName>> {
    let compared = query.compared()?;
    let is_planned =
        |name: &GroupName| compared.as_ref().is_none_or(|between| between.contains(name));
    Ok(groups.names().filter(is_planned).collect())
}

/// Expected error of a difference.
#[derive(Serialize)]
struct PlannedDifference<'a> {
    between: &'a [GroupName; 2],
    rmse: f64,
}

impl PlannedGroups {
    /// Plans of the groups that have records, for the report.
    fn shown<'a>(&'a self) -> Vec<(&'a str, Option<GroupPlan<'a>>)> {
        let each = self.each.iter().map(|(name, planned)| {
            let shown = |one: &'a PlanAnswer| {
                let (needed, expected) = (one.needed.as_ref(), one.expected.as_ref());
                GroupPlan { plan: &one.plan, tiers: &one.tiers, needed, expected }
            };
            (name.as_str(), planned.as_ref().map(shown))
        });
        each.collect()
    }

    /// Error of the difference of two means or sums, whose errors are independent of each other
    /// unless a person can be in both groups.
    fn difference(&self) -> Option<PlannedDifference<'_>> {
        let between = self.between.as_ref()?;
        let rmse = |name: &GroupName| {
            let mut named = self.each.iter().filter(|(group, _)| group == name);
            named.next()?.1.as_ref()?.plan.rmse()
        };
        let [one, other] = between.each_ref().map(rmse);
        let (one, other) = (one?, other?);
        let are_shared = self.memberships.are_several();
        let rmse = if are_shared { one + other } else { one.hypot(other) };
        Some(PlannedDifference { between, rmse })
    }

    /// True if people are assumed in every group, and in how many groups one person counts.
    fn whom(&self) -> (bool, &Memberships) {
        (self.assumed, &self.memberships)
    }

    /// Sentences on persons who count in several groups.
    fn memberships_words(&self) -> Option<String> {
        let plan = self.each.iter().find_map(|(_, planned)| planned.as_ref())?;
        let (neighbors, groups) = (plan.plan.neighbors(), self.each.len());
        suum_report::memberships_words(&self.memberships, neighbors, groups)
    }

    /// Error of the difference in words.
    fn difference_words(&self) -> Option<String> {
        let PlannedDifference { between, rmse } = self.difference()?;
        let plan = self.each.iter().find_map(|(_, planned)| planned.as_ref())?;
        let names = between.each_ref().map(GroupName::as_str);
        Some(suum_report::planned_difference(names, rmse, &plan.plan))
    }
}

impl Content for PlannedGroups {
    fn text(&self, view: &View, beside: &Beside) -> String {
        let mut beside = beside.clone();
        let difference = self.difference_words();
        let many = ProtectedUnit::Record.many();
        let small =
            suum_report::small_groups_words(self.small.as_ref(), many, Neighbors::ReplaceOne);
        let more = [small, difference, self.memberships_words()];
        let more: Vec<String> = more.into_iter().flatten().collect();
        beside.last.extend(more.iter().filter(|_| !view.explain).cloned());
        let (by, shown) = (self.by.as_str(), self.shown());
        let text = suum_report::group_plans_text(by, &shown, self.whom(), view, &beside);
        let more = more.iter().filter(|_| view.explain);
        more.fold(text, |text, words| text + "\n" + words + "\n")
    }

    fn json(&self, more: &More) -> Result<String> {
        #[derive(Serialize)]
        struct Record<'a> {
            statistic: Option<&'static str>,
            group_by: &'a GroupName,
            groups: Vec<Group<'a>>,
            #[serde(skip_serializing_if = "Option::is_none")]
            suppressed: Option<&'a SmallGroups>,
            #[serde(skip_serializing_if = "Option::is_none")]
            difference: Option<PlannedDifference<'a>>,
        }
        #[derive(Serialize)]
        struct Group<'a> {
            group: &'a GroupName,
            #[serde(flatten)]
            plan: Option<PlanRecord<'a>>,
            #[serde(skip_serializing_if = "Option::is_none")]
            records: Option<u64>,
        }
        let groups = self.each.iter().map(|(group, planned)| Group {
            group,
            plan: planned.as_ref().map(PlanRecord::from_answer),
            records: planned.is_none().then_some(0),
        });
        let first = self.each.iter().find_map(|(_, planned)| planned.as_ref());
        more.json(&Record {
            statistic: first.map(|planned| planned.plan.statistic()),
            group_by: &self.by,
            groups: groups.collect(),
            suppressed: self.small.as_ref(),
            difference: self.difference(),
        })
    }

    fn page(&self, _: &dyn Voice, _: &Beside) -> Option<Page> {
        Some(suum_report::group_plans_page(self.by.as_str(), &self.shown(), self.whom()))
    }
}

/// Answer with the plans of groups, and the effect of their releases on the accounts: the total of
/// the largest losses of a tier, in as many groups as one of its records counts in.
pub(super) fn build_groups_answer(task: &Task<'_>, planned: PlannedGroups) -> Answer {
    let all = || planned.each.iter().filter_map(|(_, planned)| planned.as_ref());
    let of_groups = || all().flat_map(|planned| planned.tiers.iter().cloned()).collect();
    let tiers = match &planned.memberships {
        Memberships::Public(kinds) => kinds.iter().map(Tier::from).collect(),
        Memberships::One | Memberships::AtMost(_) => of_groups(),
    };
    let neighbors = task.query.neighbors;
    let effect = accounts::quote(task, &together(tiers), |allowed| {
        let (memberships, groups) = (&planned.memberships, all().count());
        let losses = |part| all().map(|planned| planned.plan.loss_of(part)).collect();
        let add = |sum: Loss, loss: Loss| sum.plus(&loss);
        let rho = |part| all().map(|planned| planned.plan.rho_of(part)).collect();
        (
            memberships.most(allowed, neighbors, groups, losses, Loss::ZERO, add),
            memberships.most(allowed, neighbors, groups, rho, Rho::ZERO, Rho::plus),
        )
    });
    Answer::from_content(planned).with_effect(effect)
}

/// Each tier once, with all of its records.
fn together(all: Vec<Tier>) -> Vec<Tier> {
    let mut tiers: Vec<Tier> = Vec::new();
    for tier in all {
        match tiers.iter_mut().find(|one| one.level == tier.level && one.epsilon == tier.epsilon) {
            Some(known) => known.count = known.count.saturating_add(tier.count),
            None => tiers.push(tier),
        }
    }
    tiers
}
