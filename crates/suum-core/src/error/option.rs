//! Names of options, which every front end writes in its own way.

use std::fmt;

/// Name of an option, such as `bounds` or `group_by`.
///
/// Libraries name options by it; a [`Voice`](crate::Voice) writes it as `--group-by` at the command
/// line and as `group_by=` in Python. The table of options in the crate `suum` has a row for each.
///
/// # Example
///
/// ```
/// use suum_core::option;
///
/// assert_eq!(option::GROUP_BY.to_string(), "group_by");
/// assert_eq!(option::GROUP_BY.with_hyphens(), "group-by");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OptionName(&'static str);

impl OptionName {
    /// Returns the option of this name, in which words are joined by underscores.
    pub const fn new(name: &'static str) -> Self {
        Self(name)
    }

    /// Returns the name, in which words are joined by underscores.
    pub const fn as_str(self) -> &'static str {
        self.0
    }

    /// Returns the name with hyphens between its words, as flags have them.
    pub fn with_hyphens(self) -> String {
        self.0.replace('_', "-")
    }
}

impl fmt::Display for OptionName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// `adapt`.
pub const ADAPT: OptionName = OptionName::new("adapt");
/// `allow`.
pub const ALLOW: OptionName = OptionName::new("allow");
/// `allow_moves`.
pub const ALLOW_MOVES: OptionName = OptionName::new("allow_moves");
/// `again`.
pub const AGAIN: OptionName = OptionName::new("again");
/// `as_of`.
pub const AS_OF: OptionName = OptionName::new("as_of");
/// `assume`.
pub const ASSUME: OptionName = OptionName::new("assume");
/// `because`.
pub const BECAUSE: OptionName = OptionName::new("because");
/// `beta`.
pub const BETA: OptionName = OptionName::new("beta");
/// `between`.
pub const BETWEEN: OptionName = OptionName::new("between");
/// `bins`.
pub const BINS: OptionName = OptionName::new("bins");
/// `bounds`.
pub const BOUNDS: OptionName = OptionName::new("bounds");
/// `budget`.
pub const BUDGET: OptionName = OptionName::new("budget");
/// `categories`.
pub const CATEGORIES: OptionName = OptionName::new("categories");
/// `cells`.
pub const CELLS: OptionName = OptionName::new("cells");
/// `claim`.
pub const CLAIM: OptionName = OptionName::new("claim");
/// `difference`.
pub const DIFFERENCE: OptionName = OptionName::new("difference");
/// `charges`.
pub const CHARGES: OptionName = OptionName::new("charges");
/// `check_bounds`.
pub const CHECK_BOUNDS: OptionName = OptionName::new("check_bounds");
/// `classes`.
pub const CLASSES: OptionName = OptionName::new("classes");
/// `clip`.
pub const CLIP: OptionName = OptionName::new("clip");
/// `confidence`.
pub const CONFIDENCE: OptionName = OptionName::new("confidence");
/// `consent`.
pub const CONSENT: OptionName = OptionName::new("consent");
/// `consent_active`.
pub const CONSENT_ACTIVE: OptionName = OptionName::new("consent_active");
/// `consent_attributes`.
pub const CONSENT_ATTRIBUTES: OptionName = OptionName::new("consent_attributes");
/// `consent_expired`.
pub const CONSENT_EXPIRED: OptionName = OptionName::new("consent_expired");
/// `consent_from`.
pub const CONSENT_FROM: OptionName = OptionName::new("consent_from");
/// `consent_reference`.
pub const CONSENT_REFERENCE: OptionName = OptionName::new("consent_reference");
/// `consent_status`.
pub const CONSENT_STATUS: OptionName = OptionName::new("consent_status");
/// `consent_until`.
pub const CONSENT_UNTIL: OptionName = OptionName::new("consent_until");
/// `consent_withdrawn`.
pub const CONSENT_WITHDRAWN: OptionName = OptionName::new("consent_withdrawn");
/// `crosstab`.
pub const CROSSTAB: OptionName = OptionName::new("crosstab");
/// `data`.
pub const DATA: OptionName = OptionName::new("data");
/// `dataset`.
pub const DATASET: OptionName = OptionName::new("dataset");
/// `decimal`.
pub const DECIMAL: OptionName = OptionName::new("decimal");
/// `delimiter`.
pub const DELIMITER: OptionName = OptionName::new("delimiter");
/// `delta`.
pub const DELTA: OptionName = OptionName::new("delta");
/// `dialect`.
pub const DIALECT: OptionName = OptionName::new("dialect");
/// `edition`.
pub const EDITION: OptionName = OptionName::new("edition");
/// `encoding`.
pub const ENCODING: OptionName = OptionName::new("encoding");
/// `entry`.
pub const ENTRY: OptionName = OptionName::new("entry");
/// `epsilon`.
pub const EPSILON: OptionName = OptionName::new("epsilon");
/// `epsilon_range`.
pub const EPSILON_RANGE: OptionName = OptionName::new("epsilon_range");
/// `estimator`.
pub const ESTIMATOR: OptionName = OptionName::new("estimator");
/// `file`.
pub const FILE: OptionName = OptionName::new("file");
/// `format`.
pub const FORMAT: OptionName = OptionName::new("format");
/// `from_levels`.
pub const FROM_LEVELS: OptionName = OptionName::new("from_levels");
/// `group_by`.
pub const GROUP_BY: OptionName = OptionName::new("group_by");
/// `groups`.
pub const GROUPS: OptionName = OptionName::new("groups");
/// `id`.
pub const ID: OptionName = OptionName::new("id");
/// `insecure_seed`.
pub const INSECURE_SEED: OptionName = OptionName::new("insecure_seed");
/// `interval_share`.
pub const INTERVAL_SHARE: OptionName = OptionName::new("interval_share");
/// `key`.
pub const KEY: OptionName = OptionName::new("key");
/// `ledger`.
pub const LEDGER: OptionName = OptionName::new("ledger");
/// `levels`.
pub const LEVELS: OptionName = OptionName::new("levels");
/// `missing`.
pub const MISSING: OptionName = OptionName::new("missing");
/// `missing_consent`.
pub const MISSING_CONSENT: OptionName = OptionName::new("missing_consent");
/// `max_groups`.
pub const MAX_GROUPS: OptionName = OptionName::new("max_groups");
/// `neighbors`.
pub const NEIGHBORS: OptionName = OptionName::new("neighbors");
/// `no_adapt`.
pub const NO_ADAPT: OptionName = OptionName::new("no_adapt");
/// `null`.
pub const NULL: OptionName = OptionName::new("null");
/// `other`.
pub const OTHER: OptionName = OptionName::new("other");
/// `other_group`.
pub const OTHER_GROUP: OptionName = OptionName::new("other_group");
/// `suppress_below`.
pub const SUPPRESS_BELOW: OptionName = OptionName::new("suppress_below");
/// `person`.
pub const PERSON: OptionName = OptionName::new("person");
/// `person_groups`.
pub const PERSON_GROUPS: OptionName = OptionName::new("person_groups");
/// `per_person`.
pub const PER_PERSON: OptionName = OptionName::new("per_person");
/// `persons`.
pub const PERSONS: OptionName = OptionName::new("persons");
/// `population_shares`.
pub const POPULATION_SHARES: OptionName = OptionName::new("population_shares");
/// `post`.
pub const POST: OptionName = OptionName::new("post");
/// `privacy`.
pub const PRIVACY: OptionName = OptionName::new("privacy");
/// `profile`.
pub const PROFILE: OptionName = OptionName::new("profile");
/// `public_columns`.
pub const PUBLIC_COLUMNS: OptionName = OptionName::new("public_columns");
/// `purpose`.
pub const PURPOSE: OptionName = OptionName::new("purpose");
/// `q`.
pub const Q: OptionName = OptionName::new("q");
/// `query`.
pub const QUERY: OptionName = OptionName::new("query");
/// `raise_up_to`.
pub const RAISE_UP_TO: OptionName = OptionName::new("raise_up_to");
/// `report`.
pub const REPORT: OptionName = OptionName::new("report");
/// `rows`.
pub const ROWS: OptionName = OptionName::new("rows");
/// `runs`.
pub const RUNS: OptionName = OptionName::new("runs");
/// `sample_threshold`.
pub const SAMPLE_THRESHOLD: OptionName = OptionName::new("sample_threshold");
/// `share`.
pub const SHARE: OptionName = OptionName::new("share");
/// `shrink`.
pub const SHRINK: OptionName = OptionName::new("shrink");
/// `simultaneous`.
pub const SIMULTANEOUS: OptionName = OptionName::new("simultaneous");
/// `spare`.
pub const SPARE: OptionName = OptionName::new("spare");
/// `spend`.
pub const SPEND: OptionName = OptionName::new("spend");
/// `split`.
pub const SPLIT: OptionName = OptionName::new("split");
/// `statistic`.
pub const STATISTIC: OptionName = OptionName::new("statistic");
/// `step`.
pub const STEP: OptionName = OptionName::new("step");
/// `strata`.
pub const STRATA: OptionName = OptionName::new("strata");
/// `study`.
pub const STUDY: OptionName = OptionName::new("study");
/// `table`.
pub const TABLE: OptionName = OptionName::new("table");
/// `tiers_apart`.
pub const TIERS_APART: OptionName = OptionName::new("tiers_apart");
/// `tiers_differ`.
pub const TIERS_DIFFER: OptionName = OptionName::new("tiers_differ");
/// `target`.
pub const TARGET: OptionName = OptionName::new("target");
/// `target_half_width`.
pub const TARGET_HALF_WIDTH: OptionName = OptionName::new("target_half_width");
/// `target_rmse`.
pub const TARGET_RMSE: OptionName = OptionName::new("target_rmse");
/// `tier`.
pub const TIER: OptionName = OptionName::new("tier");
/// `totals`.
pub const TOTALS: OptionName = OptionName::new("totals");
/// `trials`.
pub const TRIALS: OptionName = OptionName::new("trials");
/// `trust_query`.
pub const TRUST_QUERY: OptionName = OptionName::new("trust_query");
/// `unit`.
pub const UNIT: OptionName = OptionName::new("unit");
/// `value`.
pub const VALUE: OptionName = OptionName::new("value");
/// `variance`.
pub const VARIANCE: OptionName = OptionName::new("variance");
/// `watch_moves`.
pub const WATCH_MOVES: OptionName = OptionName::new("watch_moves");
/// `weight`.
pub const WEIGHT: OptionName = OptionName::new("weight");
/// `what_if`.
pub const WHAT_IF: OptionName = OptionName::new("what_if");
/// `where`.
pub const WHERE: OptionName = OptionName::new("where");
