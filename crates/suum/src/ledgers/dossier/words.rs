//! The words of a dossier.

use std::collections::BTreeSet;

use suum_core::Neighbors;
use suum_ledger::{Amount, Holder, NotUsed};
use suum_report::{Dossier, DossierPart, DossierRow, DossierSection, DossierTable};

use super::accounts::AccountRecord;
use super::changes::{ChangeKind, ChangeRecord};
use super::costs::CostRecord;
use super::releases::{RegisterRecord, ReleaseRecord};
use super::texts::Texts;
use super::{DatasetRecord, DossierRecord, LedgerRecord};
use crate::ledgers::amendment_changes::{DecidedPersons, TierChange};
use crate::ledgers::statement::{day, decimal, fill};
use crate::ledgers::verification::FindingRecord;

/// How many classes of people are written out for a release.
const CLASSES: usize = 12;

impl DossierRecord {
    /// Writes the dossier in the words of a language.
    pub(super) fn dossier(&self, texts: &Texts) -> Dossier {
        let kind = texts.kind.to_owned();
        let notice = fill(texts.notice, &[("date", &self.made), ("file", &self.file)]);
        let Some(ledger) = &self.ledger else {
            return Dossier {
                kind,
                title: texts.title_unsound.to_owned(),
                warning: Some(texts.warning.to_owned()),
                notices: vec![notice],
                sections: vec![self.record_section(texts), self.versions(texts, None)],
            };
        };
        let named = |is_so: &dyn Fn(&DatasetRecord) -> bool| -> Vec<String> {
            let datasets = self.datasets.iter().filter(|dataset| is_so(dataset));
            datasets.map(|dataset| quoted(texts, &dataset.dataset)).collect()
        };
        let names = named(&|_| true);
        let hidden = named(&|dataset| dataset.relation.hides_participation());
        let hidden = (!hidden.is_empty())
            .then(|| fill(texts.notice_hidden, &[("datasets", &hidden.join(texts.and))]));
        let mut sections = Vec::new();
        for (at, dataset) in self.datasets.iter().enumerate() {
            let is_alone = self.datasets.len() == 1;
            let name = |section: DossierSection| match is_alone {
                true => section,
                false => dataset.name_section(texts, at, section),
            };
            sections.extend(
                [dataset.what(texts), dataset.published(texts), dataset.cost_in_all(texts)]
                    .map(name),
            );
        }
        // What else is on record counts in what it cost, so it stands before.
        let place = if self.datasets.len() == 1 { 2 } else { sections.len() };
        sections.insert(place, self.changes_section(texts));
        sections.push(self.record_section(texts));
        sections.push(self.promised(texts));
        sections.push(self.not_promised(texts));
        sections.push(self.versions(texts, Some(ledger)));
        Dossier {
            kind,
            title: fill(texts.title, &[("datasets", &names.join(texts.and))]),
            warning: None,
            notices: [notice].into_iter().chain(hidden).collect(),
            sections,
        }
    }

    fn changes_section(&self, texts: &Texts) -> DossierSection {
        let mut parts = Vec::new();
        if self.changes.is_empty() {
            parts.push(paragraph(texts.changes_none));
        }
        let is_alone = self.datasets.len() == 1;
        for change in &self.changes {
            parts.extend(change.parts(texts, is_alone));
        }
        section("changes", texts.changes, parts)
    }

    fn record_section(&self, texts: &Texts) -> DossierSection {
        let verification = &self.verification;
        let entries = verification.entries.to_string();
        let values = [("date", self.made.as_str()), ("entries", &entries)];
        let (verdict, more) = match verification.sound {
            true => (texts.record_sound, Some(texts.record_findings)),
            false => (texts.record_unsound, None),
        };
        let mut parts = vec![DossierPart::Paragraph(fill(verdict, &values))];
        let findings = verification.findings.iter().map(|finding| finding.words(texts));
        let findings: Vec<String> = findings.collect();
        if !findings.is_empty() {
            parts.extend(more.map(paragraph));
            parts.push(DossierPart::Points(findings));
        }
        parts.push(paragraph(texts.record_not_noticed));
        section("record", texts.record, parts)
    }

    fn promised(&self, texts: &Texts) -> DossierSection {
        let mut parts = Vec::new();
        for dataset in &self.datasets {
            if self.datasets.len() > 1 {
                parts.push(DossierPart::Heading(quoted(texts, &dataset.dataset)));
            }
            let promise = match dataset.relation {
                Neighbors::ReplaceOne => texts.promise_values,
                Neighbors::AddRemove => texts.promise_presence,
                Neighbors::Both => texts.promise_both,
            };
            let unit = match dataset.is_of_persons() {
                true => texts.unit_person,
                false => texts.unit_record,
            };
            parts.push(DossierPart::Paragraph(fill(promise, &[("unit", unit)])));
            parts.extend(dataset.delta.map(|delta| {
                let delta = delta.to_string();
                DossierPart::Paragraph(fill(texts.promise_delta, &[("delta", &delta)]))
            }));
        }
        parts.push(paragraph(texts.promise_limit));
        section("promised", texts.promised, parts)
    }

    fn not_promised(&self, texts: &Texts) -> DossierSection {
        let any = |is_so: &dyn Fn(&DatasetRecord) -> bool| self.datasets.iter().any(is_so);
        let unlimited = |dataset: &DatasetRecord| {
            let mut accounts = dataset.accounts.iter();
            dataset.is_own || accounts.any(|account| account.allowed == Some(Amount::Unlimited))
        };
        let points = [
            (texts.not_conclusions, true),
            (texts.not_public, any(&|dataset| !dataset.relation.hides_participation())),
            (texts.not_refusals, true),
            (texts.not_unlimited, any(&unlimited)),
            (texts.not_moves, any(&|dataset| !dataset.is_of_persons())),
            (texts.not_elsewhere, true),
            (texts.not_data, true),
            (texts.not_names, true),
            (texts.not_law, true),
        ];
        let points = points.into_iter().filter(|(_, is_so)| *is_so);
        let points = points.map(|(text, _)| text.to_owned()).collect();
        section("not-promised", texts.not_promised, vec![DossierPart::Points(points)])
    }

    fn versions(&self, texts: &Texts, ledger: Option<&LedgerRecord>) -> DossierSection {
        let own = fill(texts.versions_own, &[("version", self.suum)]);
        let mut parts = vec![DossierPart::Paragraph(own)];
        parts.extend(ledger.map(|ledger| {
            let tables = ledger.tables.to_string();
            let made = day(&ledger.made);
            let values = [
                ("id", ledger.id.as_str()),
                ("date", made),
                ("version", &ledger.suum),
                ("tables", &tables),
            ];
            DossierPart::Paragraph(fill(texts.versions_ledger, &values))
        }));
        let releases = self.datasets.iter().flat_map(|dataset| &dataset.releases);
        let versions: BTreeSet<&str> =
            releases.filter_map(|release| release.suum.as_deref()).collect();
        if !versions.is_empty() {
            let versions = versions.into_iter().collect::<Vec<_>>().join(", ");
            let words = fill(texts.versions_results, &[("versions", &versions)]);
            parts.push(DossierPart::Paragraph(words));
        }
        section("versions", texts.versions, parts)
    }
}

impl DatasetRecord {
    /// Names the dataset in the heading of a section, and tells its id from those of others.
    fn name_section(&self, texts: &Texts, at: usize, section: DossierSection) -> DossierSection {
        let values = [("heading", section.heading.as_str()), ("dataset", &self.dataset)];
        DossierSection {
            heading: fill(texts.of_dataset, &values),
            id: format!("dataset-{at}-{}", section.id),
            parts: section.parts,
        }
    }

    fn what(&self, texts: &Texts) -> DossierSection {
        let purpose = match &self.purpose {
            Some(purpose) => fill(texts.purpose, &[("purpose", purpose)]),
            None => texts.purpose_missing.to_owned(),
        };
        let mut words = vec![
            purpose,
            fill(texts.about, &[("dataset", &self.dataset)]),
            fill(texts.opened, &[("date", day(&self.opened))]),
            self.describe_holders(texts),
        ];
        words.extend(self.delta.map(|delta| {
            let delta = delta.to_string();
            fill(texts.delta, &[("delta", &delta)])
        }));
        let of_categories = self.delta_of_categories.iter().filter(|delta| delta.spent > 0.0);
        words.extend(of_categories.map(|delta| {
            let values = [("spent", &*format!("{:e}", delta.spent))];
            fill(texts.delta_of_categories, &values)
        }));
        words.extend(self.watch_moves.then(|| texts.watch_moves.to_owned()));
        let columns = [
            (texts.columns_values, &self.columns.values),
            (texts.columns_published, &self.columns.published),
            (texts.columns_declared, &self.columns.declared),
        ];
        let named = columns.into_iter().filter(|(_, names)| !names.is_empty());
        words.extend(named.map(|(text, names)| {
            let names: Vec<String> = names.iter().map(|name| quoted(texts, name)).collect();
            fill(text, &[("columns", &names.join(", "))])
        }));
        let parts = words.into_iter().map(DossierPart::Paragraph).collect();
        section("what", texts.what, parts)
    }

    /// Says who holds the accounts, and what they allow.
    fn describe_holders(&self, texts: &Texts) -> String {
        let choice = |account: &AccountRecord| {
            let allowed = amount(texts, account.allowed?);
            Some(fill(texts.choice, &[("level", &account.level), ("allowed", &allowed)]))
        };
        let first = self.accounts.first();
        match first.map(|account| (&account.holder, account.allowed)) {
            Some((Some(Holder::Everybody), Some(allowed))) => {
                fill(texts.held_by_everybody, &[("allowed", &amount(texts, allowed))])
            }
            _ if self.is_own => texts.held_by_own.to_owned(),
            _ => {
                let choices: Vec<String> = self.accounts.iter().filter_map(choice).collect();
                let text = match self.is_of_persons() {
                    true => texts.held_by_persons,
                    false => texts.held_by_tiers,
                };
                fill(text, &[("choices", &choices.join(", "))])
            }
        }
    }

    fn published(&self, texts: &Texts) -> DossierSection {
        let (Some(first), Some(last)) = (self.releases.first(), self.releases.last()) else {
            let nothing = vec![paragraph(texts.published_none)];
            return section("published", texts.published, nothing);
        };
        let count = self.releases.len().to_string();
        let (first, last) = (day(&first.at), day(&last.at));
        let text = match self.releases.len() {
            1 => texts.published_one,
            _ if first == last => texts.published_many_of_day,
            _ => texts.published_many,
        };
        let words = fill(text, &[("count", &count), ("first", first), ("last", last)]);
        let mut parts = vec![DossierPart::Paragraph(words), paragraph(texts.published_meaning)];
        if self.hides_accounts() {
            parts.push(paragraph(texts.published_hidden));
        }
        if self.releases.iter().any(|release| release.sha256.is_some()) {
            parts.push(paragraph(texts.published_digest));
        }
        for release in &self.releases {
            parts.extend(release.parts(texts, self.hides_accounts()));
        }
        section("published", texts.published, parts)
    }

    fn cost_in_all(&self, texts: &Texts) -> DossierSection {
        let mut parts = Vec::new();
        if self.hides_accounts() {
            parts.push(paragraph(texts.cost_in_all_hidden));
        } else {
            parts.push(paragraph(texts.cost_in_all_meaning));
            if self.is_of_persons() {
                parts.push(paragraph(texts.cost_in_all_least));
            }
        }
        let table = self.table(texts);
        if !table.rows.is_empty() {
            let of_table = self.hides_accounts().then_some(texts.cost_in_all_hidden_table);
            parts.extend(of_table.map(paragraph));
            parts.push(DossierPart::Table(table));
        }
        if !self.hides_accounts() {
            parts.extend(self.second_way(texts).map(DossierPart::Paragraph));
            if self.relation == Neighbors::AddRemove {
                parts.push(paragraph(texts.two_things));
            }
        }
        let exceeded = self.accounts.iter().filter(|account| account.exceeded);
        let exceeded: Vec<String> = exceeded.map(|account| account.name(texts)).collect();
        if !exceeded.is_empty() {
            let words = fill(texts.exceeded, &[("whom", &exceeded.join(", "))]);
            parts.push(DossierPart::Paragraph(words));
        }
        // On narrow screens tables of sections with this name are set small.
        section("tiers", texts.cost_in_all, parts)
    }

    /// Says what was used by the second way of counting, where there is one.
    fn second_way(&self, texts: &Texts) -> Option<String> {
        let total = |account: &AccountRecord| {
            let (level, total) = (account.name(texts), amount(texts, account.total?));
            Some(fill(texts.second_way_total, &[("level", &level), ("total", &total)]))
        };
        let totals: Vec<String> = self.accounts.iter().filter_map(total).collect();
        let totals = (!totals.is_empty()).then(|| totals.join(", "))?;
        Some(fill(texts.second_way, &[("totals", &totals)]))
    }

    /// What people of each choice allow, and what was used and is left of it, as far as that is not
    /// secret.
    fn table(&self, texts: &Texts) -> DossierTable {
        type Show<'a> = Box<dyn Fn(&AccountRecord) -> String + 'a>;
        let shown = |value: Option<Amount>| {
            value.map_or_else(|| texts.unknown.to_owned(), |value| amount(texts, value))
        };
        let is_shown = !self.hides_accounts();
        let columns: Vec<(&str, bool, Show<'_>)> = vec![
            (texts.table_choice, true, Box::new(|account| account.name(texts))),
            (
                texts.table_people,
                is_shown && self.is_of_persons(),
                Box::new(|account| account.persons.unwrap_or_default().to_string()),
            ),
            (texts.table_allows, !self.is_own, Box::new(|account| shown(account.allowed))),
            (texts.table_used, is_shown, Box::new(|account| shown(account.used))),
            (texts.table_left, is_shown, Box::new(|account| shown(account.left))),
            (
                texts.table_guesses,
                is_shown,
                Box::new(|account| decimal(account.guess.unwrap_or(100.0))),
            ),
        ];
        let columns: Vec<_> = columns.into_iter().filter(|(_, is_shown, _)| *is_shown).collect();
        let row = |account: &AccountRecord| DossierRow {
            cells: columns.iter().map(|(_, _, show)| show(account)).collect(),
            share: account.share_left(),
        };
        // Where it is secret what was used, a column of nothing but names says nothing.
        let rows = if columns.len() > 1 { self.accounts.iter().map(row).collect() } else { vec![] };
        DossierTable {
            caption: texts.table_caption.to_owned(),
            headings: columns.iter().map(|(heading, ..)| (*heading).to_owned()).collect(),
            share: texts.table_share.to_owned(),
            rows,
        }
    }
}

impl AccountRecord {
    fn name(&self, texts: &Texts) -> String {
        match &self.holder {
            Some(Holder::Tier(label)) => label.clone(),
            Some(Holder::Everybody) => texts.table_everybody.to_owned(),
            Some(Holder::NoConsent) => texts.table_no_consent.to_owned(),
            Some(Holder::Unknown) => texts.table_unknown.to_owned(),
            Some(Holder::Own(_)) | None => texts.table_own.to_owned(),
        }
    }

    /// Returns the part of what is allowed that is left, where both are limited.
    fn share_left(&self) -> Option<f64> {
        let (allowed, left) = (self.allowed?.in_epsilon(), self.left?.in_epsilon());
        (allowed.is_finite() && allowed > 0.0).then_some(left / allowed)
    }
}

impl ReleaseRecord {
    fn parts(&self, texts: &Texts, hides_accounts: bool) -> Vec<DossierPart> {
        let what = texts.published_words.words_of(
            self.statistic.as_deref().unwrap_or_default(),
            self.column.as_deref().unwrap_or_default(),
            &self.group_by,
        );
        let entry = self.entry.to_string();
        let values = [("date", day(&self.at)), ("what", &what), ("entry", &entry)];
        let mut parts = vec![DossierPart::Heading(fill(texts.release, &values))];
        let mut words: Vec<String> = Vec::new();
        words.extend(
            self.edition
                .as_ref()
                .map(|edition| fill(texts.release_edition, &[("edition", edition)])),
        );
        words.extend(self.register.iter().flat_map(|register| register.words(texts)));
        words.extend(self.moved.map(|moved| match moved {
            1 => texts.changed_choice_one.to_owned(),
            _ => fill(texts.changed_choice, &[("count", &moved.to_string())]),
        }));
        words.extend(
            match self.state {
                "open" if hides_accounts => vec![texts.release_open, texts.release_open_hidden],
                "open" => vec![texts.release_open],
                "cancelled" => vec![texts.release_cancelled],
                _ if self.costs.is_empty() && hides_accounts => vec![texts.release_unknown],
                _ if self.most.is_none_or(|most| most.is_zero()) => vec![texts.release_free],
                _ => vec![],
            }
            .into_iter()
            .map(str::to_owned),
        );
        if !words.is_empty() {
            parts.push(DossierPart::Paragraph(words.join(" ")));
        }
        if self.state != "cancelled" && self.most.is_some_and(|most| !most.is_zero()) {
            parts.push(DossierPart::Points(costs(texts, &self.costs)));
        }
        let version =
            self.suum.as_ref().map(|version| fill(texts.made_by, &[("version", version)]));
        let digest = self.sha256.as_ref().map(|digest| fill(texts.digest, &[("digest", digest)]));
        let small: Vec<String> = version.into_iter().chain(digest).collect();
        if !small.is_empty() {
            parts.push(DossierPart::Small(small.join(" ")));
        }
        parts
    }
}

impl RegisterRecord {
    fn words(&self, texts: &Texts) -> Vec<String> {
        let not_used = self.not_used.filter(|count| *count > 0).map(|count| match count {
            1 => texts.register_not_used_one.to_owned(),
            _ => fill(texts.register_not_used, &[("count", &count.to_string())]),
        });
        let looked = fill(texts.register, &[("as_of", &self.as_of)]);
        let reasons = self.reasons.filter(|reasons| reasons.total() > 0).map(|reasons| {
            let NotUsed { none, withdrawn, expired } = reasons;
            let values = [none, withdrawn, expired].map(|count| count.to_string());
            let [none, withdrawn, expired] = values.each_ref().map(String::as_str);
            let values = [("none", none), ("withdrawn", withdrawn), ("expired", expired)];
            fill(texts.register_reasons, &values)
        });
        let digest = self.digest.as_ref();
        let digest = digest.map(|digest| fill(texts.register_digest, &[("digest", digest)]));
        [looked].into_iter().chain(not_used).chain(reasons).chain(digest).collect()
    }
}

impl ChangeRecord {
    /// Returns the parts about an entry: its kind, its meaning, and its costs.
    fn parts(&self, texts: &Texts, is_alone: bool) -> Vec<DossierPart> {
        let columns: Vec<String> = self.columns.iter().map(|name| quoted(texts, name)).collect();
        let (columns, because) = (columns.join(", "), self.because.as_deref().unwrap_or_default());
        let (what, meaning) = match self.kind {
            ChangeKind::Charge if self.costs.is_empty() => {
                (texts.charge, texts.charge_because_hidden)
            }
            ChangeKind::Charge => (texts.charge, texts.charge_because),
            ChangeKind::Amend if self.is_hidden => (texts.amend, texts.amend_hidden),
            ChangeKind::Amend if self.because.is_some() => (texts.amend, texts.amend_because),
            ChangeKind::Amend => (texts.amend, texts.amend_meaning),
            ChangeKind::Publish if columns.is_empty() => (texts.publish, texts.publish_no_columns),
            ChangeKind::Publish => (texts.publish, texts.publish_columns),
            ChangeKind::Loss => (texts.loss, texts.loss_meaning),
            ChangeKind::Move => (texts.moved, texts.moved_meaning),
            ChangeKind::Migrate => (texts.migrate, texts.migrate_meaning),
        };
        let of = self.dataset.as_ref().filter(|_| !is_alone);
        let what = match of {
            Some(dataset) => fill(texts.change_of_dataset, &[("what", what), ("dataset", dataset)]),
            None => what.to_owned(),
        };
        let entry = self.entry.to_string();
        let values = [("date", day(&self.at)), ("what", &what), ("entry", &entry)];
        let meaning = fill(meaning, &[("because", because), ("columns", &columns)]);
        let mut parts = vec![
            DossierPart::Heading(fill(texts.change, &values)),
            DossierPart::Paragraph(meaning),
        ];
        if !self.costs.is_empty() {
            parts.push(DossierPart::Points(costs(texts, &self.costs)));
        }
        let points = self.amended(texts);
        if !points.is_empty() {
            parts.push(DossierPart::Points(points));
        }
        parts
    }

    /// Returns a point about each tier that was changed, and each number of persons who decided.
    fn amended(&self, texts: &Texts) -> Vec<String> {
        let changes = &self.changes;
        let tiers = changes.tiers.iter().map(|TierChange { level, before, allowed }| {
            let (text, before) = match before {
                Some(before) => (texts.amend_lowered, amount(texts, *before)),
                None => (texts.amend_added, String::new()),
            };
            let allowed = amount(texts, *allowed);
            fill(text, &[("level", level), ("before", &before), ("allowed", &allowed)])
        });
        let persons = changes.persons.iter().map(|DecidedPersons { level, persons }| {
            fill(texts.amend_persons, &[("level", level), ("count", &persons.to_string())])
        });
        let raised = changes
            .raised
            .map(|raised| fill(texts.amend_raised, &[("count", &raised.to_string())]));
        let register = changes.register.as_ref().map(|register| {
            let values = [("as_of", register.as_of.as_str()), ("digest", &register.digest)];
            fill(texts.amend_register, &values)
        });
        tiers.chain(persons).chain(raised).chain(register).collect()
    }
}

impl CostRecord {
    fn whom(&self, texts: &Texts) -> String {
        let whom = match &self.holder {
            Some(Holder::Tier(label)) => fill(texts.whom_of_choice, &[("level", label)]),
            Some(Holder::Everybody) => texts.whom_everybody.to_owned(),
            Some(Holder::Own(allowed)) => {
                fill(texts.whom_own, &[("allowed", &amount(texts, *allowed))])
            }
            Some(Holder::NoConsent) => texts.table_no_consent.to_owned(),
            Some(Holder::Unknown) => texts.whom_unknown.to_owned(),
            None => fill(texts.whom_budget, &[("level", &self.level)]),
        };
        match self.persons {
            Some(1) => fill(texts.whom_person, &[("whom", &whom)]),
            Some(persons) => {
                let persons = persons.to_string();
                fill(texts.whom_persons, &[("whom", &whom), ("persons", &persons)])
            }
            None => whom,
        }
    }

    fn words(&self, texts: &Texts) -> String {
        let (used, guess) = (amount(texts, self.epsilon), decimal(self.guess));
        let values = [("whom", &*self.whom(texts)), ("used", &used), ("guess", &guess)];
        match self.epsilon {
            Amount::Unlimited => fill(texts.cost_unlimited, &values),
            Amount::Micro(_) => fill(texts.cost, &values),
        }
    }
}

impl FindingRecord {
    fn words(&self, texts: &Texts) -> String {
        let text = match (self.severity, self.entry) {
            ("fault", Some(_)) => texts.finding_fault_of,
            ("fault", None) => texts.finding_fault,
            (_, Some(_)) => texts.finding_remark_of,
            (_, None) => texts.finding_remark,
        };
        let entry = self.entry.unwrap_or_default().to_string();
        fill(text, &[("entry", &entry), ("what", &self.what)])
    }
}

/// A point for each class of people, but one for the last of very many.
fn costs(texts: &Texts, costs: &[CostRecord]) -> Vec<String> {
    let (shown, more) = costs.split_at(costs.len().min(CLASSES));
    let mut points: Vec<String> = shown.iter().map(|cost| cost.words(texts)).collect();
    if let Some(most) = more.iter().max_by_key(|cost| cost.epsilon) {
        let (used, guess) = (amount(texts, most.epsilon), decimal(most.guess));
        let count = more.len().to_string();
        let text = match most.epsilon {
            Amount::Unlimited => texts.cost_more_unlimited,
            Amount::Micro(_) => texts.cost_more,
        };
        points.push(fill(text, &[("count", &count), ("used", &used), ("guess", &guess)]));
    }
    points
}

fn amount(texts: &Texts, amount: Amount) -> String {
    match amount {
        Amount::Micro(_) => amount.to_string(),
        Amount::Unlimited => texts.unlimited.to_owned(),
    }
}

fn quoted(texts: &Texts, name: &str) -> String {
    fill(texts.quoted, &[("name", name)])
}

fn paragraph(words: &str) -> DossierPart {
    DossierPart::Paragraph(words.to_owned())
}

fn section(id: &str, heading: &str, parts: Vec<DossierPart>) -> DossierSection {
    DossierSection { id: id.to_owned(), heading: heading.to_owned(), parts }
}
