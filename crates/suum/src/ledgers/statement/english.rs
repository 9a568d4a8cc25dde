//! Sentences of a statement, in English. A translation is another file with the same names.
//!
//! What stands in braces is put in: `{allowed}`. Each text names what it may hold; a test puts all
//! of it in.

use super::texts::Texts;

pub(in crate::ledgers) const ENGLISH: Texts = Texts {
    kind: "Statement of privacy, for one person. Not for publication",
    kind_of_tier: "Statement of privacy, for the people of one tier. Not for publication",
    title: "What was done with your data",
    title_of_tier: "What was done with the data of people who chose “{level}”",
    notice: "This statement is for you alone. It shows in which results your data are, so do not \
             publish it, and think before you pass it on. It was made on {date} from the records \
             of “{dataset}”.",
    notice_of_tier: "This statement is for people who chose “{level}”, and not for publication. \
                     It was made on {date} from the records of “{dataset}”. It is about all of \
                     them alike: these records do not know who they are.",

    summary: "In short",
    summary_numbers: "Your privacy budget is {allowed} in all. Of it {used} is used, and {left} is \
                      left{share}.",
    summary_share: " ({share})",
    summary_lowered: "Of your privacy budget {used} was used before you allowed less, and nothing \
                      is left. You allow {allowed} now.",
    summary_unlimited: "You set no limit to your privacy budget. {used} is used.",
    summary_unknown: "Of your privacy budget nothing is used.",
    summary_used_only: "Of your privacy budget {used} is used. What you allow in all is not on \
                        record yet.",
    summary_meaning: "Each published result can give away a little about everybody whose data are \
                      in it. Random noise in the result keeps it little. Your privacy budget is \
                      the most that all results together may give away about you. Its unit has \
                      the name ε (epsilon). A result uses a part of the budget. When nothing is \
                      left, no further result from this account uses your data.",
    guess_of_values: "What that means: suppose that somebody knows everything about you but one \
                      thing, and holds two answers to it for equally likely. Without any result \
                      they guess right in 50 of 100 cases. With all results so far they guess \
                      right in at most {now} of 100 cases{most}.",
    guess_of_presence: "What that means: suppose that somebody holds it for equally likely that \
                        your data are used and that they are not. Without any result they guess \
                        right in 50 of 100 cases. With all results so far they guess right in at \
                        most {now} of 100 cases{most}.",
    guess_of_changes: "If somebody knows that your data are used, and guesses between two things \
                       that they may say, it is at most {now} of 100 cases{most}.",
    guess_most: ", and with all that you allow in at most {most}",
    guess_unlimited: "At least one result has no noise for your data: it can give away what they \
                      say.",

    allowed: "What you allow",
    opened: "The account was opened on {date}.",
    allowed_by_all: "You allow {allowed} in all, as everybody does.",
    allowed_by_tier: "Whoever chose “{level}” allows {allowed} in all.",
    choice: "On {date} your choice was “{level}”, which allows {allowed} in all.",
    own: "On {date} you allowed {allowed} in all.",
    withdrawn: "Since {date} it is on record that you allow nothing: your consent was withdrawn, \
                or it has expired.",
    choices: "What you allow depends on what you chose: {choices}. Your choice is recorded when a \
              result first uses your data.",
    own_later: "What you allow is recorded when a result first uses your data.",
    kept: "No result used more than you allowed by what was on record at that time.",
    unlimited: "no limit",

    uses: "What used your budget",
    nothing: "Nothing is on record. A person whom these records do not know gets the same answer, \
              so check that your identifier is written exactly as in the data.",
    nothing_used: "No result used your data.",
    nothing_of_tier: "Nothing is on record.",
    use_heading: "{date}: {what}",
    use_share: "It used {used}, which is {share} of what you allowed then. {left} was left after \
                it.",
    use_alone: "It used {used}.",
    use_guess: "By this alone, right guesses rise from 50 to at most {guess} of 100.",
    use_unlimited: "It has no noise for your data, so it can give away what they say.",
    use_open: "It was begun and not finished, as when a computer fails. To be safe, all that was \
               set aside for it counts as used.",
    elsewhere: "used elsewhere",
    elsewhere_because: "It was not published from here, and counts all the same. The reason on \
                        record: “{because}”.",

    left: "What is left",
    left_some: "{left} is left for further results.",
    left_nothing: "Nothing is left. No further result from this account uses your data.",
    left_exceeded: "More was lost elsewhere than you allow, {used} of {allowed}. That cannot be \
                    made good. Nothing is left, and no further result from this account uses your \
                    data.",
    left_withdrawn: "Nothing is left: {used} was used before, and you allow {allowed} now. That \
                     cannot be taken back. No further result from this account uses your data.",
    left_unlimited: "You set no limit, so results may use your data also in future.",
    left_unknown: "How much is left will be known when your choice is recorded.",
    forecast: "That is enough for {count} more results like the last one.",
    forecast_one: "That is enough for 1 more result like the last one.",
    forecast_none: "That is too little for one more result like the last one.",
    forecast_in_all: "What you allow in all is enough for {count} results like the last one.",
    forecast_one_in_all: "What you allow in all is enough for 1 result like the last one.",
    second_account: "Many small uses are also counted together in another way, by which all of \
                     them come to {total} in place of {used}. In this way a \
                     probability of {delta}, which is very small, stays uncovered. Your limit is \
                     kept in one way of counting or the other.",
    found_categories: "Some results found categories that nobody had declared. With a probability \
                       of at most {delta} they showed one that you alone are in.",

    withdraw: "If you withdraw",
    withdraw_how: "You can withdraw, or choose a stricter limit, at any time. Tell those who sent \
                   you this statement. Then results that are made later do not use your data, or \
                   use them less.",
    withdraw_cannot: "It cannot undo what is published. Those results remain, and with them what \
                      they give away about you, which is at most what stands above. What is used \
                      stays used, also if you take part again.",
    withdraw_is_seen: "Results may show who takes part and what they chose: that is not kept \
                       secret here, but only what the data of each person say. So whoever \
                       withdraws because of what their data say can give it away by withdrawing.",
    withdraw_is_hidden: "Results do not show whether you take part, beyond what stands above.",

    limits: "What this statement does not cover",
    limits_of_account: "It covers the results that were charged to this account, and nothing else: \
                        not results that other people or other programs make, not what results say \
                        about people in general, and not what you or others publish. Those who \
                        keep the data can see them.",
    limits_of_tier: "Whoever changed their choice has used up a part of each: this account does \
                     not know that. Its numbers are for one record. A person with several records \
                     loses as much by each, unless results were made person by person.",
    limits_checked: "Before this statement was made, the records were checked for changes. It \
                     was made by suum {version}.",

    published: &[
        ("mean", "the average of “{column}”"),
        ("sum", "the total of “{column}”"),
        ("count", "the number of people or records"),
        ("frequency", "how often each answer to “{column}” occurs"),
        ("quantile", "values of “{column}” that given shares of the people stay below"),
        ("variance", "how much “{column}” varies"),
    ],
    published_other: "a result about “{column}” ({statistic})",
    published_several: "several results: {statistic}",
    published_unknown: "a result",
    published_groups: "{what}, for groups by “{columns}”",
};
