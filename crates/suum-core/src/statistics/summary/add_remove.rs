//! Several statistics of numbers under add-remove, each with its share of every budget.

use super::SummaryEstimands;
use super::release::estimates;
use crate::add_remove::AddRemoveStatistic;
use crate::add_remove::expected::Guess;
use crate::error::{OptionName, option};
use crate::plan::any_statistic::AnyStatistic;
use crate::private::session::Session;
use crate::{
    AddRemoveCandidate, AddRemoveRequest, Error, Grid, LevelTable, Plan, Procedure, Profile,
    Release, Result, SummaryPart, SummaryPlan, SummaryProcedure,
};

impl AddRemoveStatistic for SummaryEstimands {
    fn uses(&self) -> &'static [OptionName] {
        &[option::INTERVAL_SHARE, option::STEP, option::PER_PERSON]
    }

    fn expect(&self, _: Guess<'_>) -> Result<AddRemoveCandidate> {
        Err(Error::internal("several statistics have no error together"))
    }

    fn plan_for(&self, request: &AddRemoveRequest, assumed: Profile) -> Result<Plan> {
        let numbers = self.numbers(Grid::new(request.inside()), request.options());
        SummaryPlan::add_remove((self.statistics.clone(), numbers), request, assumed)
            .map(Plan::from)
    }

    fn check_table(&self, request: &AddRemoveRequest, table: &LevelTable) -> Result<()> {
        request.parts().try_for_each(|part| part.check_table(table))
    }

    fn release(
        &self,
        request: &AddRemoveRequest,
        table: &LevelTable,
        session: &mut Session<'_>,
    ) -> Result<Release> {
        let mut parts = Vec::new();
        for (measured, part) in request.measured() {
            let share = part.options().share;
            let release = part.release_in(table, session)?;
            parts.push(SummaryPart { measured, share, release });
        }
        let estimates = estimates(&self.statistics, parts.iter().map(|part| &part.release));
        let privacy = request.certificate(session.account());
        let (statistics, bounds) = (self.statistics.clone(), request.inside());
        let procedure = Procedure::Summary(SummaryProcedure { statistics, bounds, parts });
        let mut release = Release::new(table, session, estimates, None, privacy, procedure);
        release.charge_all(session);
        Ok(release)
    }
}
