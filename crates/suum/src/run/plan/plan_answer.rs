//! Plan as an answer.

use serde::Serialize;
use suum_core::{Plan, PlannedInterval, Result, Voice};
use suum_report::{Beside, ExpectedErrors, Page, PeopleNeeded, Tier, View};

use crate::Answer;
use crate::answer::{Content, More};
use crate::run::{Task, accounts};

/// Plan as an answer, for these tiers.
#[derive(Clone)]
pub(super) struct PlanAnswer {
    pub(super) plan: Plan,
    pub(super) tiers: Vec<Tier>,
    /// True if no bounds are declared, so that errors are shares of their range.
    pub(super) in_range: bool,
    /// Number of people that the target takes.
    pub(super) needed: Option<PeopleNeeded>,
    /// Errors of simulated releases of data of a shape.
    pub(super) expected: Option<ExpectedErrors>,
}

/// Plan, with its additional JSON fields.
#[derive(Serialize)]
pub(super) struct PlanRecord<'a> {
    #[serde(flatten)]
    plan: &'a Plan,
    /// Expected half-width of the interval.
    half_width: Option<f64>,
    /// Intervals of each statistic that has one.
    intervals: Vec<PlannedInterval>,
    #[serde(skip_serializing_if = "Option::is_none")]
    needed: Option<&'a PeopleNeeded>,
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<&'a ExpectedErrors>,
}

impl<'a> PlanRecord<'a> {
    pub(super) fn from_answer(planned: &'a PlanAnswer) -> Self {
        let (half_width, intervals) = (planned.plan.half_width(), planned.plan.intervals());
        let (needed, expected) = (planned.needed.as_ref(), planned.expected.as_ref());
        Self { plan: &planned.plan, half_width, intervals, needed, expected }
    }
}

impl Content for PlanAnswer {
    fn text(&self, view: &View, beside: &Beside) -> String {
        let mut beside = beside.clone();
        if !view.explain {
            beside.last.extend(self.needed.as_ref().map(suum_report::needed_words));
            beside.last.extend(self.expected.iter().flat_map(suum_report::expected_words));
        }
        let mut text =
            suum_report::plan_text(&self.plan, &self.tiers, self.in_range, view, &beside);
        if view.explain {
            if let Some(needed) = &self.needed {
                text += &suum_report::needed_text(needed, view);
            }
            if let Some(expected) = &self.expected {
                text += &suum_report::expected_text(expected, view);
            }
        }
        text
    }

    fn json(&self, more: &More) -> Result<String> {
        more.json(&PlanRecord::from_answer(self))
    }

    fn page(&self, _: &dyn Voice, _: &Beside) -> Option<Page> {
        let (needed, expected) = (self.needed.as_ref(), self.expected.as_ref());
        Some(suum_report::plan_page(&self.plan, &self.tiers, self.in_range, needed, expected))
    }

    fn markdown(&self, view: &View, _: &Beside) -> Option<String> {
        Some(suum_report::plan_markdown(&self.plan, &self.tiers, self.in_range, view))
    }

    fn plan(&self) -> Option<&Plan> {
        Some(&self.plan)
    }
}

/// Answer with a plan, and the effect of its release on the accounts.
pub(super) fn build_answer(task: &Task<'_>, planned: PlanAnswer) -> Answer {
    let effect = accounts::quote(task, &planned.tiers, |allowed| {
        (planned.plan.loss_of(allowed), planned.plan.rho_of(allowed))
    });
    Answer::from_content(planned).with_effect(effect)
}
