//! Two plans side by side: for the present people, and for changed ones.

use serde::Serialize;
use suum_core::{
    Error, NamedTier, Plan, PlannedInterval, Result, Voice, WeightedPlan, leave_out, option,
};
use suum_report::{Before, Beside, Page, Tier, View};

use super::people::{People, plan_for_people};
use super::plan_answer::PlanAnswer;
use crate::answer::{Content, More};
use crate::run::{Task, statistic};
use crate::{Answer, Population};

/// Plan for these people, and that for changed ones.
pub(super) fn what_if(task: &Task<'_>, people: &People, change: &str) -> Result<Answer> {
    let nothing = Population::default();
    let PlanAnswer { plan, tiers, in_range, .. } = plan_for_people(task, &nothing, people, 1)?;
    let Plan::Weighted(asked) = plan else { return Err(no_what_if()) };
    let (query, table) = match people {
        People::Counted(counted) => (&counted.1, Some(&counted.0)),
        People::Assumed(_) => (task.query, None),
    };
    let names: Vec<String> = tiers.iter().map(|tier| tier.level.to_string()).collect();
    let named = tiers.iter().zip(&names);
    let named = named.map(|(Tier { epsilon, count, .. }, name)| NamedTier {
        name,
        epsilon: *epsilon,
        count: *count,
    });
    let others = asked.setting().profile.what_if(change, &named.collect::<Vec<_>>())?;
    let changed = statistic::plan(query, &statistic::assumed(query, table)?, others)?;
    let Plan::Weighted(changed) = changed else { return Err(no_what_if()) };
    task.noted.profile(&changed.setting().profile);
    let tiers = Tier::from_changed_profile(&changed.setting().profile, &tiers);
    Ok(Answer::from_content(WhatIf { asked: *asked, changed: *changed, tiers, in_range }))
}

/// Refusal of plans that cannot be compared with another.
pub(super) fn no_what_if() -> Error {
    Error::request(option::WHAT_IF, "is for the plan of a mean, a sum or a frequency")
        .with_fix(leave_out(option::WHAT_IF))
}

/// Two plans: for the present people, and for changed ones.
struct WhatIf {
    asked: WeightedPlan,
    changed: WeightedPlan,
    tiers: Vec<Tier>,
    /// True if no bounds are declared, so that errors are shares of their range.
    in_range: bool,
}

impl Content for WhatIf {
    fn text(&self, view: &View, beside: &Beside) -> String {
        let Self { asked, changed, tiers, in_range } = self;
        suum_report::what_if_text(asked, changed, tiers, *in_range, view, beside)
    }

    fn json(&self, more: &More) -> Result<String> {
        #[derive(Serialize)]
        struct Record {
            #[serde(flatten)]
            after: Plan,
            before: Before,
            half_width: Option<f64>,
            intervals: Vec<PlannedInterval>,
        }
        let after = Plan::from(self.changed.clone());
        let (half_width, intervals) = (after.half_width(), after.intervals());
        more.json(&Record { after, before: Before::from_plan(&self.asked), half_width, intervals })
    }

    fn page(&self, _: &dyn Voice, _: &Beside) -> Option<Page> {
        let Self { asked, changed, tiers, in_range } = self;
        Some(suum_report::what_if_page(asked, changed, tiers, *in_range))
    }
}
