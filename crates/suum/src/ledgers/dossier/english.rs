//! Sentences of a dossier, in English. A translation is another file with the same names.
//!
//! What stands in braces is put in: `{allowed}`. Each text names what it may hold; a test puts all
//! of it in.

use super::texts::Texts;
use crate::ledgers::statement;

pub(super) const ENGLISH: Texts = Texts {
    published_words: &statement::ENGLISH,
    kind: "Dossier of a privacy ledger, for a data protection officer",
    title: "What was published from {datasets}, and what it could have cost anybody",
    title_unsound: "Dossier of a ledger that is not sound",
    quoted: "“{name}”",
    and: " and ",
    notice: "This dossier was made on {date} from the ledger “{file}”. It is for a data protection \
             officer, and for others who oversee what is done with personal data. It has no \
             identifier of a person, and no code that stands for one. Purposes, reasons and names \
             of columns and choices are shown as somebody wrote them.",
    notice_hidden: "Who takes part in {datasets} is kept secret. So nothing here says how many \
                    they are.",
    warning: "The ledger is not sound: it was changed or damaged, or has lost entries. Nothing in \
              it can be relied on, so this dossier does not show what was published, nor what it \
              cost anybody. Stop publishing from these data until it is known what happened.",

    what: "What this is",
    of_dataset: "{heading}: “{dataset}”",
    purpose: "Purpose, as it was declared: “{purpose}”.",
    purpose_missing: "No purpose was declared.",
    watch_moves: "The ledger keeps who had made which choice, as codes that only its key can make. \
                  It refuses a result if people have moved to another choice since the last one \
                  that used them, because their budgets would begin anew.",
    about: "Results about people are published from “{dataset}” with differential privacy: random \
            noise in each result limits what can be concluded from it about any one person. The \
            limit is a number with the name ε (epsilon). The smaller it is, the better somebody is \
            protected. Everybody has a budget of ε for all results together. Each result uses a \
            part of it, and the ledger is the account of that.",
    opened: "The accounts were opened on {date}.",
    held_by_tiers: "People could choose how much they allow in all: {choices}. All people of a \
                    choice have one account, which counts what each of them loses.",
    held_by_persons: "People could choose how much they allow in all: {choices}. Everybody has an \
                      account of their own.",
    held_by_everybody: "Everybody allows {allowed} in all, and has an account of their own.",
    held_by_own: "People say themselves how much they allow in all, as a number, and everybody has \
                  an account of their own.",
    choice: "“{level}” {allowed}",
    unlimited: "no limit",
    delta: "Two ways of counting are used, and an account is empty when both say so: the sum of \
            all ε, and one that is more exact for many small results. The second leaves a \
            probability of {delta}, which is very small, uncovered.",
    delta_of_categories: "Of it, {spent} was used by results that found categories which nobody \
                          had declared: with at most this probability one of them showed a \
                          category that a single person is in.",
    columns_values: "Columns of which only results with noise are published: {columns}.",
    columns_published: "Columns that count as public, because they say for whom or for which \
                        groups results are: {columns}.",
    columns_declared: "Columns that were declared to be public knowledge: {columns}.",

    published: "What was published",
    published_none: "No result is on record.",
    published_one: "One result is on record, of {first}.",
    published_many: "{count} results are on record, from {first} to {last}.",
    published_many_of_day: "{count} results are on record, all of {first}.",
    published_meaning: "For each it is said how much it used at most of the budget of one person, \
                        and what that means: suppose that somebody knows everything about a person \
                        but one thing, and holds two answers to it for equally likely. Without any \
                        result they guess right in 50 of 100 cases. The number says how often they \
                        can be right at most by this result alone.",
    published_digest: "The digest of a result (SHA-256) tells whether a copy that somebody holds \
                       is the one on record.",
    published_hidden: "What is said of a result comes from its certificate, which is public. It is \
                       for all people who allow such a budget for this result, whether or not \
                       there are any.",
    release: "{date}: {what} (entry {entry})",
    release_edition: "It is of the state of the data with the name “{edition}”.",
    release_free: "It used nothing of anybody.",
    release_unknown: "Its certificate does not say what it used.",
    release_open: "It was begun and not finished, as when a computer fails. To be safe, all that \
                   was set aside for it counts as used.",
    release_open_hidden: "How much that is cannot be shown, since it could tell who takes part.",
    release_cancelled: "It was called off before anything was drawn, and used nothing.",
    cost: "{whom}: ε = {used}, {guess} of 100 guesses",
    cost_unlimited: "{whom}: no limit; the result can give away what their data say",
    cost_more: "and {count} more such classes: ε = {used} at most, {guess} of 100 guesses",
    cost_more_unlimited: "and {count} more such classes: no limit",
    whom_of_choice: "“{level}”",
    whom_everybody: "everybody",
    whom_own: "whoever allows {allowed}",
    whom_unknown: "whatever they allow",
    whom_budget: "a budget of “{level}”",
    whom_persons: "{whom} ({persons} people)",
    whom_person: "{whom} (1 person)",
    changed_choice: "{count} people had chosen differently at an earlier result. Somebody accepted \
                     that their budgets began anew with the new choice.",
    changed_choice_one: "One person had chosen differently at an earlier result. Somebody accepted \
                         that their budget began anew with the new choice.",
    register: "People's decisions were looked up in a register, as of {as_of}.",
    register_not_used: "{count} people were not used: their decision was withdrawn or had expired, \
                        or they had none.",
    register_not_used_one: "One person was not used: their decision was withdrawn or had expired, \
                            or they had none.",
    register_reasons: "{withdrawn} withdrew it, of {expired} it had expired, and {none} had none.",
    register_digest: "The digest of the decisions, which only the ledger's key can make, is \
                      {digest}.",
    made_by: "Made by suum {version}.",
    digest: "SHA-256 of the result: {digest}",

    changes: "What else is on record",
    changes_none: "Nothing else: no loss elsewhere, no change of what people allow, no exact \
                   numbers, no lost entries, no move.",
    change: "{date}: {what} (entry {entry})",
    change_of_dataset: "{what}, of “{dataset}”",
    charge: "a loss elsewhere",
    charge_because: "It was not published from here, and counts all the same. The reason on \
                     record: “{because}”. At most it is, for each of them:",
    charge_because_hidden: "It was not published from here, and counts all the same. The reason on \
                            record: “{because}”. How much it was is not shown, since it could \
                            tell who takes part.",
    publish: "exact numbers of people or records",
    publish_columns: "They used nothing of anybody. They made these columns public: {columns}.",
    publish_no_columns: "They used nothing of anybody.",
    loss: "lost entries",
    loss_meaning: "Entries before this one were lost, and somebody decided to go on without them. \
                   What they charged is not counted here, unless it is on record as a loss \
                   elsewhere.",
    moved: "a move",
    moved_meaning: "Somebody declared that the ledger is at another place from then on.",
    amend: "a change of what people allow",
    amend_meaning: "What people allow from then on:",
    amend_because: "What people allow from then on. The reason on record: “{because}”.",
    amend_hidden: "People's decisions were looked up. How many of them changed anything is not \
                   shown, since it could tell who takes part.",
    amend_lowered: "“{level}” allows {allowed} in all, and {before} before",
    amend_added: "“{level}” is a new choice, which allows {allowed} in all",
    amend_persons: "“{level}”: {count} people decided so",
    amend_raised: "{count} of them allow more than before, by a newer decision with a reference",
    amend_register: "register as of {as_of}, digest {digest}",
    migrate: "a new version of the tables",
    migrate_meaning: "The file was brought up to date. No amount was changed.",

    cost_in_all: "What it could have cost anybody",
    cost_in_all_meaning: "The table has the whole: what all results and all losses elsewhere can \
                          have used of the budget of one person at most, and what is left of it. \
                          “Guesses” are as above, now by all of it together.",
    cost_in_all_least: "Of people with the same choice it is for the one who has lost most.",
    cost_in_all_hidden: "What anybody has used is known to the ledger alone, since it tells who \
                         took part. No result used more of anybody than they had left. So nobody \
                         has lost more by results than they allow in all.",
    cost_in_all_hidden_table: "The table has what that is.",
    table_caption: "ε of one person, in all",
    table_everybody: "everybody",
    table_own: "their own number",
    table_no_consent: "no consent",
    table_unknown: "in no result yet",
    table_choice: "choice",
    table_people: "people",
    table_allows: "allows",
    table_used: "used",
    table_left: "left",
    table_guesses: "guesses",
    table_share: "part that is left",
    unknown: "not known",
    second_way: "By the second way of counting what is used is: {totals}. What is left is by the \
                 way that leaves more.",
    second_way_total: "“{level}” {total}",
    two_things: "Guesses are about what the data of a person say, if it is known that they are \
                 used. Whether they are used at all is harder to guess.",
    exceeded: "More was lost than people allow now, because of losses elsewhere or because they \
               allow less than before: {whom}. That cannot be made good. Nothing of theirs is \
               left.",

    record: "Is the record sound?",
    record_sound: "Yes. On {date} suum checked all {entries} entries of the ledger: none was \
                   changed, taken out, put in between or lost at the end, as far as its key tells; \
                   the accounts add up; and no result used more of anybody than was left.",
    record_unsound: "No. On {date} suum found this in its {entries} entries:",
    record_findings: "It found this to be worth knowing:",
    finding_fault: "fault: {what}",
    finding_fault_of: "fault, entry {entry}: {what}",
    finding_remark: "remark: {what}",
    finding_remark_of: "remark, entry {entry}: {what}",
    record_not_noticed: "This check does not notice an old copy of all files of the ledger that \
                         was put back in their place, two copies that are used side by side on \
                         copies of one computer, and what somebody does who has the key of the \
                         ledger.",

    promised: "What is promised",
    promise_values: "Had the data of one {unit} said anything else, the probability of the results \
                     above would have differed by at most a factor of e^ε, where ε is what they \
                     used. So the smaller ε is, the less can be concluded from them about this \
                     {unit} that could not have been concluded without its data.",
    promise_presence: "Had one {unit} not been in the data, or been added to them, the probability \
                       of the results above would have differed by at most a factor of e^ε, where \
                       ε is what they used. Had it been in the data and said something else, by at \
                       most a factor of e^(2ε). So the smaller ε is, the less can be concluded \
                       from them about this {unit} that could not have been concluded without its \
                       data.",
    promise_both: "Had one {unit} not been in the data, been added to them, or said anything else, \
                   the probability of the results above would have differed by at most a factor of \
                   e^ε, where ε is what they used. So the smaller ε is, the less can be concluded \
                   from them about this {unit} that could not have been concluded without its \
                   data.",
    promise_delta: "Where the second way of counting decides, this holds for the ε that people \
                    allow, but for a probability of {delta}.",
    unit_record: "record",
    unit_person: "person",
    promise_limit: "No result uses more of a budget than is left at that time. It is set aside in \
                    the ledger before the first random number is drawn, and counts as used if the \
                    computer fails. A result for which too little is left leaves people out or is \
                    refused.",

    not_promised: "What is not promised",
    not_conclusions: "That nothing can be concluded about people in general. If a result shows \
                      that most smokers have some illness, that holds for each smoker, whether or \
                      not their data were used.",
    not_public: "That who takes part is secret, or how many they are, what they chose, and in \
                 which groups they are: that counts as public here. Whoever withdraws because of \
                 what their data say can give it away by withdrawing.",
    not_refusals: "That refusals and running times of the program tell as little as results do.",
    not_unlimited: "Any protection of people who set no limit: their data can be used without \
                    noise.",
    not_moves: "The limit of a choice for people who changed theirs: they have used up a part of \
                each, which accounts of choices do not notice. Nor the limit for a person with \
                several records: they lose as much by each, unless results were made person by \
                person.",
    not_elsewhere: "Anything about what was not charged to this ledger: results of other people, \
                    other programs or other ledgers, and copies of the data. Whoever is in several \
                    datasets loses the sum.",
    not_data: "That the data themselves are safe. Those who keep them can see them. This is about \
               what was published.",
    not_names: "That columns keep their names and their meaning. The ledger compares names.",
    not_law: "That the purpose is lawful and was kept to, that people chose freely, or that \
              results are right. This is a record, and no legal opinion.",

    versions: "Versions",
    versions_own: "This dossier was made by suum {version}.",
    versions_ledger: "The ledger has the number {id}. It was made on {date} by suum {version}; its \
                      tables have version {tables}.",
    versions_results: "Results were made by suum {versions}.",
};
