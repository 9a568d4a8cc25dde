//! Summary of a release, from the request that is stored with its entry.

use serde::Serialize;
use serde_json::Value;
use suum_core::Command;
use suum_ledger::Record;

use crate::query::{ColumnNames, GroupLists, Labels};
use crate::{Charge, DataSource, Entries, Job, Query};

/// Summary of the request for a release, with the version of suum.
///
/// Facts that the entry does not hold, or holds in a form unknown to this suum, are left out.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub(super) struct ReleaseSummary {
    /// Statistic, or the names of several answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) statistic: Option<String>,
    /// Column of values.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) column: Option<String>,
    /// Columns of groups.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) group_by: Option<ColumnNames>,
    /// Groups of each column.
    #[serde(skip_serializing_if = "Option::is_none")]
    groups: Option<GroupLists>,
    /// Edition of the data.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) edition: Option<String>,
    /// Command line that repeats the request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) command: Option<String>,
    /// Command that repeats the request, in the form for every front end.
    #[serde(skip)]
    pub(super) asking: Option<Command>,
    /// Version of suum that made the release.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) suum: Option<String>,
}

impl ReleaseSummary {
    pub(super) fn from_record(record: &Record) -> Self {
        Self::from_request(&record.plan)
    }

    /// Summarizes a stored request.
    fn from_request(request: &Value) -> Self {
        let suum = request["suum"].as_str().map(str::to_owned);
        let entries = Entries::from_json(&request["job"].to_string()).ok();
        let Some(mut entries) = entries else { return Self { suum, ..Self::default() } };
        if entries.has("answers") {
            return Self::several(Job::new(entries).ok(), suum);
        }
        let Ok(query) = Query::take(&mut entries) else { return Self { suum, ..Self::default() } };
        let rest = DataSource::read(&mut entries)
            .and_then(|source| Ok((source, Charge::read(&mut entries)?)));
        let with_other = |Labels(groups): &Labels| {
            Labels(groups.iter().chain(&query.other_group).cloned().collect())
        };
        let groups = query.groups.as_ref().map(|GroupLists(lists)| lists.iter().map(with_other));
        let summary = Self {
            statistic: Some(query.statistic.name().to_owned()),
            column: query.counted_column(),
            group_by: query.group_by.clone(),
            groups: groups.map(|lists| GroupLists(lists.collect())),
            edition: request["job"]["edition"].as_str().map(str::to_owned),
            suum,
            ..Self::default()
        };
        let job = rest.map(|(source, charge)| Job { query, source, charge, ..Job::default() });
        match job {
            Ok(job) => summary.with_command(&job),
            Err(_) => summary,
        }
    }

    /// Summarizes a request for several answers.
    fn several(job: Option<Job>, suum: Option<String>) -> Self {
        let Some(job) = job else { return Self { suum, ..Self::default() } };
        let names: Vec<String> = job.answers.iter().map(|one| one.query.named()).collect();
        Self {
            statistic: Some(names.join("; ")),
            edition: job.charge.edition.clone(),
            suum,
            ..Self::default()
        }
        .with_command(&job)
    }

    fn with_command(self, job: &Job) -> Self {
        Self { command: Some(job.command()), asking: Some(job.asking()), ..self }
    }

    /// Describes the release: `mean of visits by site (north, south), suum 0.1.0`.
    pub(super) fn text(&self) -> String {
        let mut out = self.statistic.clone().unwrap_or_else(|| "a release".to_owned());
        if let Some(column) = &self.column {
            out += &format!(" of {column}");
        }
        if let (Some(ColumnNames(columns)), Some(GroupLists(lists))) =
            (&self.group_by, &self.groups)
        {
            let each = columns.iter().zip(lists);
            let each =
                each.map(|(column, Labels(groups))| format!("{column} ({})", groups.join(", ")));
            out += &format!(" by {}", each.collect::<Vec<_>>().join(" and "));
        }
        if let Some(edition) = &self.edition {
            out += &format!(", edition {edition}");
        }
        if let Some(version) = &self.suum {
            out += &format!(", suum {version}");
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_request_says_is_shown_as_far_as_it_is_known() {
        let job = serde_json::json!({"suum": "0.1.0", "job": {"statistic": "mean", "value": "v",
            "bounds": [0, 1], "privacy": "p", "group_by": "g", "groups": ["a", "b"],
            "ledger": "l", "spend": "1/12"}});
        let said = ReleaseSummary::from_request(&job);
        assert_eq!(said.text(), "mean of v by g (a, b), suum 0.1.0");
        let command = said.command.unwrap();
        assert!(command.ends_with("--group-by g --groups a,b --ledger LEDGER --spend 1/12"));
        // A number alone was an ε once.
        let old = serde_json::json!({"suum": "0.0.9", "job": {"statistic": "count",
            "spend": "0.1"}});
        assert_eq!(ReleaseSummary::from_request(&old).text(), "count, suum 0.0.9");
        assert!(ReleaseSummary::from_request(&old).command.is_none());
        for strange in [Value::Null, serde_json::json!({"job": {"statistic": "mood"}})] {
            assert_eq!(ReleaseSummary::from_request(&strange), ReleaseSummary::default());
            assert_eq!(ReleaseSummary::default().text(), "a release");
        }
    }
}
