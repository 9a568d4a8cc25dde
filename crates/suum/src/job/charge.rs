//! Accounts that pay for a job.

use crate::Spend;
use crate::options::{Flag, Name, ParsedText, Shape, beside, option_struct};
use crate::query::{Length, LengthOrPoints};

/// Reason why options of accounts are refused where there are none.
const NO_LEDGER: &str = "there is no ledger";

option_struct! {
    /// The accounts that a release is charged to, and how much of them it may use.
    pub struct Charge of Charge {
        /// The ledger that keeps account of what releases cost (suum ledger init makes one). Nobody
        /// spends more than they have left.
        pub ledger: Option<String> as Name
            => value("FILE")
            .common(280, "Charge this ledger; spend what is left at most")
            .not_asked().shown_as("LEDGER");
        /// Whose accounts in the ledger; needed if it has several.
        pub dataset: Option<String> as Name
            => value("NAME")
            .common(320, "Whose accounts in the ledger")
            .needs(&["ledger"], NO_LEDGER)
            .not_asked();
        /// How much may be used: a share of what was allowed in all (10%, 1/12: twelve equal
        /// instalments), of what is left (10%-of-left), or an ε (eps=0.05), which does not limit
        /// those who allow ∞.
        pub spend: Option<Spend> as ParsedText
            => shaped(Shape::TEXT)
            .value("SHARE")
            .common(285, "How much: 10%, 1/12, 10%-of-left, eps=0.05")
            .needs(&["ledger"], NO_LEDGER)
            .not_asked();
        /// Spend the least share of everybody's budget with which the expected error is at most
        /// this, in the units of the statistic; for quantiles that of the rank, as a share of
        /// people. A plan without a ledger says how many times as many people it takes.
        pub target_rmse: Option<Length> as LengthOrPoints => value("ERROR").not_asked();
        /// The same for half the length of the interval, as a plan expects it. Of shares and ranks
        /// 0.5pp and 0.5% are half a percentage point.
        pub target_half_width: Option<Length> as LengthOrPoints
            => excludes(&[beside("target_rmse", "there is a target for the error, too")])
            .not_asked();
        /// Which state of the data this is, in your words. If the ledger has answered the same
        /// query of this edition before, that answer is shown again with its date, nothing is read,
        /// and nobody pays.
        pub edition: Option<String> as Name => value("LABEL").needs(&["ledger"], NO_LEDGER);
        /// Accept that people are in another tier than at an earlier release: their budgets start
        /// anew there. A ledger made with `watch_moves` refuses the release otherwise.
        pub allow_moves: bool as Flag => needs(&["ledger"], NO_LEDGER).not_asked();
        /// Make and pay for a new release, although the edition has an answer to the query.
        pub again: bool as Flag
            => needs(&["edition"], "it is for a release of an edition")
            .not_asked();
    }
}

impl Charge {
    /// Returns the target of the error or of the interval, if there is one.
    pub(crate) fn target(&self) -> Option<f64> {
        self.target_half_width.or(self.target_rmse).map(|length| length.amount)
    }

    /// Returns true if the target was given in percentage points.
    pub(crate) fn is_target_in_points(&self) -> bool {
        let targets = [self.target_half_width, self.target_rmse];
        targets.into_iter().flatten().any(|length| length.in_points)
    }
}
