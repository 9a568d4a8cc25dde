//! Texts of a statement by name, and the filling of their placeholders.

/// Texts in one language.
#[derive(Debug)]
pub(in crate::ledgers) struct Texts {
    pub(super) kind: &'static str,
    pub(super) kind_of_tier: &'static str,
    pub(super) title: &'static str,
    pub(super) title_of_tier: &'static str,
    pub(super) notice: &'static str,
    pub(super) notice_of_tier: &'static str,
    pub(super) summary: &'static str,
    pub(super) summary_numbers: &'static str,
    pub(super) summary_share: &'static str,
    pub(super) summary_lowered: &'static str,
    pub(super) summary_unlimited: &'static str,
    pub(super) summary_unknown: &'static str,
    pub(super) summary_used_only: &'static str,
    pub(super) summary_meaning: &'static str,
    pub(super) guess_of_values: &'static str,
    pub(super) guess_of_presence: &'static str,
    pub(super) guess_of_changes: &'static str,
    pub(super) guess_most: &'static str,
    pub(super) guess_unlimited: &'static str,
    pub(super) allowed: &'static str,
    pub(super) opened: &'static str,
    pub(super) allowed_by_all: &'static str,
    pub(super) allowed_by_tier: &'static str,
    pub(super) choice: &'static str,
    pub(super) own: &'static str,
    pub(super) withdrawn: &'static str,
    pub(super) choices: &'static str,
    pub(super) own_later: &'static str,
    pub(super) kept: &'static str,
    pub(super) unlimited: &'static str,
    pub(super) uses: &'static str,
    pub(super) nothing: &'static str,
    pub(super) nothing_used: &'static str,
    pub(super) nothing_of_tier: &'static str,
    pub(super) use_heading: &'static str,
    pub(super) use_share: &'static str,
    pub(super) use_alone: &'static str,
    pub(super) use_guess: &'static str,
    pub(super) use_unlimited: &'static str,
    pub(super) use_open: &'static str,
    pub(super) elsewhere: &'static str,
    pub(super) elsewhere_because: &'static str,
    pub(super) left: &'static str,
    pub(super) left_some: &'static str,
    pub(super) left_nothing: &'static str,
    pub(super) left_exceeded: &'static str,
    pub(super) left_withdrawn: &'static str,
    pub(super) left_unlimited: &'static str,
    pub(super) left_unknown: &'static str,
    pub(super) forecast: &'static str,
    pub(super) forecast_one: &'static str,
    pub(super) forecast_none: &'static str,
    pub(super) forecast_in_all: &'static str,
    pub(super) forecast_one_in_all: &'static str,
    pub(super) second_account: &'static str,
    pub(super) found_categories: &'static str,
    pub(super) withdraw: &'static str,
    pub(super) withdraw_how: &'static str,
    pub(super) withdraw_cannot: &'static str,
    pub(super) withdraw_is_seen: &'static str,
    pub(super) withdraw_is_hidden: &'static str,
    pub(super) limits: &'static str,
    pub(super) limits_of_account: &'static str,
    pub(super) limits_of_tier: &'static str,
    pub(super) limits_checked: &'static str,
    /// Description of the result of each statistic, by its name.
    pub(super) published: &'static [(&'static str, &'static str)],
    pub(super) published_other: &'static str,
    pub(super) published_several: &'static str,
    pub(super) published_unknown: &'static str,
    pub(super) published_groups: &'static str,
}

impl Texts {
    /// Returns what was published, in plain words; a statistic that is not known is empty, as is
    /// the column of several.
    pub(in crate::ledgers) fn words_of(
        &self,
        statistic: &str,
        column: &str,
        group_by: &[String],
    ) -> String {
        let known = self.published.iter().find(|(name, _)| *name == statistic);
        let text = match known {
            Some((_, text)) => text,
            None if statistic.is_empty() => self.published_unknown,
            None if column.is_empty() => self.published_several,
            None => self.published_other,
        };
        let what = fill(text, &[("statistic", statistic), ("column", column)]);
        match group_by.is_empty() {
            true => what,
            false => {
                let columns = group_by.join("”, “");
                fill(self.published_groups, &[("what", &what), ("columns", &columns)])
            }
        }
    }
}

/// Replaces placeholders such as `{date}` by the values of these names.
///
/// Values are not searched for placeholders: one with braces stays as it is.
pub(in crate::ledgers) fn fill(text: &str, values: &[(&str, &str)]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        out += before;
        let Some((name, after)) = after.split_once('}') else { return out + "{" + after };
        let value = values.iter().find(|(known, _)| *known == name);
        out += value.map_or("", |(_, value)| value);
        rest = after;
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stand_in_their_places() {
        let said = fill("{a} and {b}, {a}", &[("a", "{b}"), ("b", "2")]);
        assert_eq!(said, "{b} and 2, {b}");
        assert_eq!(fill("none", &[]), "none");
    }
}
