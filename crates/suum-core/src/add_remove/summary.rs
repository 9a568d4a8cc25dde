//! Several statistics of numbers whose number is private: each with its share of every budget.

use super::AddRemoveRequest;
use crate::session::Session;
use crate::summary::estimates;
use crate::{LevelTable, Procedure, Release, Result, Statistics, SummaryPart};

impl AddRemoveRequest {
    pub(super) fn release_several(
        &self,
        statistics: &Statistics,
        table: &LevelTable,
        session: &mut Session<'_>,
    ) -> Result<Release> {
        let mut parts = Vec::new();
        for (measured, request) in self.measured() {
            parts.push(SummaryPart {
                measured: statistics.name_of(*measured),
                share: request.options().share,
                release: request.release_in(table, session)?,
            });
        }
        let estimates = estimates(statistics, parts.iter().map(|part| &part.release));
        let privacy = self.certificate(session.account());
        let (statistics, bounds) = (statistics.clone(), self.inside());
        let procedure = Procedure::Summary { statistics, bounds, parts };
        let mut release = Release::new(table, session, estimates, None, privacy, procedure);
        release.charge_all(session);
        Ok(release)
    }
}
