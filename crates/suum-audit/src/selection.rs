//! Selection of the subjects of an audit by name.

use suum_core::{Command, Error, Neighbors, Phrase, Profile, Result, option, say};

use crate::{Settings, Specimen, Subject, Version, registered, specimens};

/// Prefix of the name of a specimen.
pub const SPECIMEN: &str = "specimen:";

/// Subjects of an audit, and a sufficient number of releases of each.
pub struct Selection {
    /// Subjects of the audit.
    pub subjects: Vec<Box<dyn Subject>>,
    /// Default number of counted releases of either neighbour.
    pub runs: u64,
}

/// Selects the subjects that `mechanism` names: an estimator or `all`, a specimen such as
/// `specimen:float-laplace` or `specimens`; estimators for people of this profile, and only for
/// this statistic and these neighbours, if they are given.
///
/// # Errors
///
/// Refuses unknown names, and a selection without any subject.
///
/// # Example
///
/// ```
/// let people = "0.5:4,1:3".parse()?;
/// assert!(!suum_audit::chosen("affine", &people, Some("mean"), None)?.subjects.is_empty());
/// let specimen = suum_audit::chosen("specimen:float-laplace", &people, None, None)?;
/// assert_eq!(specimen.subjects.len(), 1);
/// assert!(suum_audit::chosen("nobody", &people, None, None).is_err());
/// # Ok::<(), suum_core::Error>(())
/// ```
pub fn chosen(
    mechanism: &str,
    profile: &Profile,
    statistic: Option<&str>,
    neighbors: Option<Neighbors>,
) -> Result<Selection> {
    if mechanism == "specimens" || mechanism.starts_with(SPECIMEN) {
        if statistic.is_some() || neighbors.is_some() {
            return Err(Error::request(
                "audit",
                "a specimen has a statistic and neighbours of its own",
            )
            .with_fix(
                say("leave")
                    .option(option::STATISTIC)
                    .say("and")
                    .option(option::NEIGHBORS)
                    .say("out"),
            ));
        }
        return named_specimens(mechanism);
    }
    let mut subjects = registered(profile)?;
    let all = mechanism == "all";
    if !all && !subjects.iter().any(|subject| subject.estimator() == mechanism) {
        return Err(Error::parameter(
            "audit",
            "there is no mechanism of that name for such a profile",
        )
        .with_fix(
            Phrase::from(Command::ListAudits)
                .say("has them, with the same")
                .option(option::PROFILE),
        ));
    }
    subjects.retain(|subject| {
        (all || subject.estimator() == mechanism)
            && statistic.is_none_or(|statistic| subject.statistic() == statistic)
            && neighbors.is_none_or(|neighbors| subject.neighbors() == neighbors)
    });
    if subjects.is_empty() {
        return Err(Error::request(
            "audit",
            "the mechanism does not serve that statistic with these neighbours",
        )
        .with_fix(
            say("leave").option(option::STATISTIC).say("or").option(option::NEIGHBORS).say("out"),
        ));
    }
    let boxed = |subject| Box::new(subject) as Box<dyn Subject>;
    Ok(Selection {
        subjects: subjects.into_iter().map(boxed).collect(),
        runs: Settings::default().runs,
    })
}

fn named_specimens(name: &str) -> Result<Selection> {
    let mut all = specimens(Version::Published)?;
    if let Some(name) = name.strip_prefix(SPECIMEN) {
        all.retain(|specimen| specimen.name() == name);
    }
    if all.is_empty() {
        return Err(Error::parameter("audit", "there is no specimen of that name")
            .with_fix(Phrase::from(Command::ListAudits).say("has them")));
    }
    let runs = all.iter().map(Specimen::runs).max().unwrap_or_default();
    let boxed = |specimen| Box::new(specimen) as Box<dyn Subject>;
    Ok(Selection { subjects: all.into_iter().map(boxed).collect(), runs })
}
