//! Query as data: the same from the command line, from Python, from a file and in Rust.

mod answers;
mod check;
mod codebook;
mod columns;
pub(crate) mod command;
mod consent;
mod estimation;
pub(crate) mod found;
mod label_file;
mod label_lists;
mod read;
mod spelling;
mod strata;
mod values;

use suum_core::{
    Delta, Epsilon, Neighbors, Options, Parts, PersonValue, PostProcessing, Result, Share, Target,
    TierDifference, option, say,
};
use suum_data::{Edges, Tiers};

use crate::options::{
    Choice, Entries, Flag, LabelList, NO_RECORDS, Name, Number, NumberOrTrue, Numbers, ParsedAs,
    ParsedText, Shape, StatisticOrList, Statistics, Whole, beside, beside_as, option_struct,
};
use crate::statistic::{self, StatisticName};

pub use answers::AnswerQuery;
pub(crate) use answers::{AskedRecord, place};
pub(crate) use codebook::{Codebook, OF_COLUMN, PUBLIC};
pub(crate) use columns::{needs_bounds, no_categories};
pub use consent::MissingConsent;
pub(crate) use consent::{UNUSED, with_unused};
pub use estimation::studied;
use label_lists::{CategoryLists, GroupsOfColumns};
pub use strata::PopulationShares;
use values::KnownVariance;
pub(crate) use values::LengthOrPoints;
pub use values::{
    Beta, ColumnNames, Confidence, EpsilonRange, EstimatorName, GroupLists, GroupMembership,
    Labels, Length, Missing, PerPerson, Range, Ranks,
};

option_struct! {
    /// What is asked of data, wherever they are.
    ///
    /// Fields have the names of the command line's options. In JSON and TOML each is a text, as on
    /// the command line, or what that stands for: a number, a list, a table. What is at its default
    /// is not written. Comments are the help of the command line, too.
    ///
    /// # Example
    ///
    /// ```
    /// use suum::Query;
    ///
    /// let query = Query::from_json(
    ///     r#"{"statistic": "mean", "value": "visits", "bounds": [0, 77], "epsilon": "eps"}"#,
    /// )?;
    /// assert_eq!(
    ///     query.command("people.csv"),
    ///     "suum mean people.csv --value visits --bounds 0,77 --epsilon eps"
    /// );
    /// # Ok::<(), suum::Error>(())
    /// ```
    pub struct Query of Query {
        /// What is published, by name; or several statistics, such as mean,variance,q50.
        pub statistic: StatisticName as StatisticOrList
            => common(110, "Such as mean, or mean,variance,q50");
        /// Column of values: of numbers, or for a frequency of categories. Of several, as in
        /// wage,hours, each has an answer and a part of every budget; in a name \, is a comma.
        pub value: Option<String> as Name
            => shaped(Shape::COLUMN)
            .only_for(Statistics::OfValues)
            .required(40, "Column of values")
            .also(&["column", "col", "variable"])
            .excludes(&[beside("crosstab", "the columns of a crosstab are its values")]);
        /// The range that values are clamped to; declare what is possible, do not look it up in the
        /// data. With `auto` a part of every budget finds a range. Of several columns it is said
        /// once for each, as in wage=0,50. A plan without it has errors that are shares of the
        /// range.
        pub bounds: Option<Range> as Numbers
            => shaped(Shape::BOUNDS)
            .only_for(Statistics::OfNumbers)
            .required(50, "What is possible, from public knowledge")
            .also(&["range", "limits"]);
        /// Also release how many values lie at each of the bounds, or beyond it, from this part of
        /// every budget: for bounds that may be wrong. Without a number it is 0.05.
        pub check_bounds: Option<f64> as NumberOrTrue => only_for(Statistics::OfNumbers);
        /// Two columns of categories in place of `value`: the share of each pair of their
        /// categories, and both margins, which are the sums of the cells. `categories` are those of
        /// each column, in their order; the first one can have `bins` in their place.
        pub crosstab: Option<ColumnNames> as LabelList
            => shaped(Shape::TWO_COLUMNS)
            .only_for(Statistics::Frequency)
            .excludes(&[beside_as(
                "between",
                "its cells and margins are not compared",
                || {
                    say("compare the shares of one column:")
                        .set(option::VALUE, "COL")
                        .set(option::CATEGORIES, "A,B,C")
                },
            )]);
        /// The categories, from public knowledge: A,B,C, or @FILE with a label on each line; of a
        /// `crosstab` once for each column. In a label, here and in `levels` and `groups`, \, is a
        /// comma and \= an equals sign. auto finds those that many records have, with `neighbors`
        /// replace, and needs `delta`; all others are one share.
        pub categories: Option<GroupLists> as CategoryLists
            => only_for(Statistics::Frequency)
            .required(60, "The categories, from public knowledge");
        /// Edges of numeric bins, from public knowledge: 0,10,20 counts [0, 10) and [10, 20]. Of a
        /// `crosstab` they are those of the first column.
        pub bins: Option<Edges> as Numbers
            => shaped(Shape::EDGES)
            .only_for(Statistics::Frequency)
            .required(70, "Or: edges of numeric bins, 0,10,20")
            .also(&["edges", "breaks"]);
        /// A further category for all other values; without it they are refused.
        pub other: Option<String> as Name
            => value("NAME")
            .only_for(Statistics::FrequencyOther)
            .common(140, "A further category for all other values");
        /// With `categories` auto: the probability with which, at most, a category of a single
        /// person shows, such as 1e-8. It should be far below one over the number of people.
        pub delta: Option<Delta> as ParsedText
            => value("DELTA")
            .only_for(Statistics::Frequency)
            .common(65, "With categories auto: a risk such as 1e-8");
        /// A public constant, or of a frequency a declared category, to put in place of missing
        /// values, so that the result is about the data with it in them; or `exclude` to leave
        /// records without a value out, which hides who has one: `neighbors` replace then becomes
        /// both. Without it they are refused.
        pub missing: Option<Missing> as ParsedText
            => value("VALUE|exclude")
            .only_for(Statistics::OfValues)
            .common(290, "In place of missing values, or exclude")
            .excludes(&[beside("from_levels", NO_RECORDS)]);
        /// Texts that stand for an empty cell, in whatever column: NA,null. In columns of numbers
        /// also numbers: -99.
        pub null: Option<Labels> as LabelList
            => value("TEXT,…")
            .shared()
            .excludes(&[beside("from_levels", NO_RECORDS)]);
        /// Column of consent tiers; needs `levels`, or a ledger that has them.
        pub privacy: Option<String> as Name
            => value("COL")
            .required(80, "Column of consent tiers")
            .incomplete_without(
                &["levels", "ledger"],
                "it is not said what each tier allows",
                || {
                    say("add")
                        .set(option::LEVELS, "strict=0.01,standard=0.1,public=inf")
                        .say(", or name a ledger that has the tiers")
                },
            )
            .excludes(&[
                beside("epsilon", "a record has a tier or a budget, not both"),
                beside("from_levels", NO_RECORDS),
            ])
            .shared().about_records();
        /// What each tier allows, for example strict=0.01,standard=0.1,public=inf.
        pub levels: Option<Tiers> as ParsedText
            => shaped(Shape::BUDGETS)
            .required(90, "Their budgets: strict=0.01,public=inf")
            .also(&["tiers", "tier", "budgets"])
            .excludes(&[beside("epsilon", "budgets are numbers, so there are no tiers")])
            .shared();
        /// What records with an empty cell of `privacy` or `epsilon` count as: a declared tier, or
        /// 0, which means that they are not used; without it they are refused.
        pub missing_consent: Option<MissingConsent> as ParsedText
            => value("TIER|0")
            .excludes(&[beside("from_levels", NO_RECORDS)])
            .shared();
        /// Column of numeric privacy budgets; inf is public, 0 is "do not use".
        pub epsilon: Option<String> as Name
            => value("COL")
            .required(100, "Or: column of numeric privacy budgets")
            .also(&["eps", "budget"])
            .excludes(&[beside("from_levels", NO_RECORDS)])
            .shared().about_records();
        /// Column that names persons, who can have many rows: each counts once, at the strictest
        /// tier of their rows; in a sum with the total of them, and `bounds` are then those of such
        /// a total. Without it each row is protected alone, and rows of one person add up.
        pub person: Option<String> as Name
            => value("COL")
            .common(250, "Column that names persons with many rows")
            .excludes(&[beside("from_levels", NO_RECORDS)])
            .shared().about_records();
        /// With what a person counts who has several rows. Numbers: the mean, total, median, min or
        /// max of them, or last:COL, the last by a column of dates, times or numbers; `bounds` are
        /// those of that number. By default it is the mean, in a sum the total, and in quantiles
        /// `rows` of them. Categories: the share of their rows in each, or with mode
        /// the most frequent one, of equally frequent ones the first declared; by default shares.
        pub per_person: Option<PerPerson> as Choice
            => shaped(Shape::PERSON_VALUE)
            .only_for(Statistics::OfValues)
            .common(255, "What counts of their rows: total, share, …")
            .incomplete_without(
                &["person", "from_levels"],
                "no column says whose rows these are",
                || {
                    say("name the column of persons with")
                        .set(option::PERSON, "COL")
                        .say(", or leave")
                        .option(option::PER_PERSON)
                        .say("out")
                },
            )
            .excludes(&[beside(
                "rows",
                "a person counts with one number or with several of their rows, not with both",
            )]);
        /// With `neighbors` add-remove or both: the least and the largest ε that people can have,
        /// from public knowledge, for example 0.01,1 or 0.01,inf. Records below are not used. Tiers
        /// need no range.
        pub epsilon_range: Option<EpsilonRange> as ParsedText
            => shaped(Shape::BUDGET_RANGE)
            .shared();
        /// With `neighbors` add-remove or both: the most that a record should spend, if you know
        /// better than a rough count of people, which a twentieth of every budget buys otherwise.
        pub clip: Option<Epsilon> as ParsedText => value("EPSILON");
        /// Column of groups: one release, or level table, for each, in one pass. Of up to four
        /// columns, COL,COL, for each combination of their groups (\, is a comma in a name). Who is
        /// in which group is public. With `from_levels` that of the table.
        pub group_by: Option<ColumnNames> as LabelList
            => shaped(Shape::COLUMNS)
            .common(260, "Column of groups: a release for each")
            .also(&["by", "group"])
            .incomplete_without(
                &["groups"],
                "the groups are not declared",
                || say("declare the groups:").set(option::GROUPS, "A,B,C"),
            );
        /// The groups, from public knowledge: A,B,C, or @FILE. Of several columns once for each, in
        /// their order. With `from_levels` all groups of the table. auto reads them off the columns
        /// first, with `neighbors` replace, where they are public.
        pub groups: Option<GroupLists> as GroupsOfColumns
            => common(270, "The groups, from public knowledge")
            .incomplete_without(
                &["group_by"],
                "no column has them",
                || say("name the column of groups:").set(option::GROUP_BY, "COL"),
            );
        /// A further group for all others, in each column; without it they are refused.
        pub other_group: Option<String> as Name
            => value("NAME")
            .needs(&["group_by"], "there are no groups");
        /// Leave groups out that have fewer records than this (with `person` fewer persons), and
        /// spend nothing on them. If `neighbors` hides how many there are, 5 % of every budget
        /// counts the records of each group first, with noise.
        pub suppress_below: Option<u64> as Whole
            => value("N")
            .needs(&["group_by"], "there are no groups")
            .excludes(&[beside(
                "check_bounds",
                "a check of bounds is of all groups, also of those that would be left out",
            )])
            .common(275, "Leave out groups with fewer records");
        /// With `person`: who has rows in several groups counts in each of them, with an equal part
        /// of their budget. It makes public who has rows in which group, also where that is the
        /// value itself, as in months in which somebody went to a doctor. With `neighbors` replace.
        pub person_groups: Option<GroupMembership> as Choice
            => shaped(Shape::GROUP_MEMBERSHIP)
            .needs(&["person"], "it is for persons who have rows in several groups")
            .excludes(&[
                beside("strata", "persons in equally many groups are the strata"),
                beside("weight", "persons in equally many groups are the strata"),
                beside("max_groups", "persons count in all of their groups or in some, not both"),
            ]);
        /// With `person` and `neighbors` add-remove or both, in how many groups a person counts at
        /// most; each spends an equal part of their budget. Which of their groups these are is
        /// fixed, and hidden. Without it persons count in the first declared of their groups.
        pub max_groups: Option<u32> as Whole
            => value("K")
            .needs(&["person"], "it is for persons who have rows in several groups");
        /// The difference of two of the groups, the first less the second, with an interval: of
        /// each quantile or share if there are several. Others spend nothing. Who is in which group
        /// is public, but for `neighbors` both.
        pub between: Option<Labels> as LabelList
            => shaped(Shape::NAMES)
            .only_for(Statistics::Estimated)
            .incomplete_without(
                &["group_by"],
                "there are no groups",
                || {
                    say("name their column and two of them:")
                        .set(option::GROUP_BY, "COL")
                        .set(option::GROUPS, "A,B")
                        .set(option::BETWEEN, "A,B")
                },
            );
        /// Column of strata, of which budgets may depend, such as age groups: the estimate keeps
        /// the share of each. Who is in which stratum is public.
        pub strata: Option<String> as Name => value("COL").only_for(Statistics::Estimated);
        /// Column of design weights, which are public: records of equal weight are a stratum, with
        /// the share of its weights. Where no data are read that have them, it needs `classes`.
        pub weight: Option<String> as Name
            => value("COL")
            .only_for(Statistics::Estimated)
            .also(&["weights"]);
        /// The strata that may occur, from public knowledge; their shares are then those of the
        /// records. Or the design weights that may occur; without it they are read off the data
        /// first.
        pub classes: Option<Labels> as LabelList => only_for(Statistics::Estimated);
        /// What part of the population each stratum is, or how large it is there:
        /// young=0.4,old=0.6.
        pub population_shares: Option<PopulationShares> as ParsedText
            => shaped(Shape::PARTS)
            .value("A=SHARE,…")
            .only_for(Statistics::Estimated);
        /// Which quantiles: the shares of records that lie below them, as 0.9 or 90%; or deciles,
        /// or percentiles. Default: 0.5.
        pub q: Ranks as ParsedText
            => shaped(Shape::NUMBERS)
            .value("Q,…")
            .only_for(Statistics::Quantile)
            .common(120, "Which quantiles: 0.25,0.5 or 90% or deciles")
            .also(&["quantiles", "percentiles", "probs"])
            .excludes(&[beside("cdf", "the distribution function is all percentiles")]);
        /// The whole distribution function: all percentiles, with intervals that hold at once.
        pub cdf: bool as Flag
            => only_for(Statistics::Quantile)
            .common(310, "The whole distribution function");
        /// The step between possible values, 1 for integers; of quantiles in place of `cells`. A
        /// mean of fewer than 8 steps does not learn first. Default: 1 if the type of the column
        /// says integers, else none.
        pub step: Option<f64> as Number
            => only_for(Statistics::Stepped)
            .common(130, "Between possible values: 1 for integers")
            .excludes(&[beside("cells", "candidates have a step or a number, not both")]);
        /// Into how many steps the bounds are divided. Default: 65536 if there is no `step`; where
        /// participation is hidden fewer, if budgets can be very different.
        pub cells: Option<u32> as Whole => only_for(Statistics::WithQuantiles);
        /// With how many of their rows each person counts, evenly spaced by rank; 1 is their
        /// median.
        pub rows: Option<u32> as Whole
            => only_for(Statistics::WithQuantiles)
            .needs(&["person", "from_levels"], "is for persons with several rows")
            .excludes(&[beside("from_levels", NO_RECORDS)]);
        /// The part of the quantiles' budget that buys the ends of their intervals; with 0 there
        /// are none. Default: the most of 0.5, 0.4, 0.3 and 0.2 that makes the expected error at
        /// most 25 % larger, else 0; of hidden people 0.2 or 0.
        pub interval_share: Option<f64> as Number
            => value("SHARE").only_for(Statistics::WithQuantiles);
        /// Parts of every budget for mean, variance and quantile (all of them together), for
        /// example mean=2,quantile=1.
        pub split: Option<Parts> as ParsedText
            => shaped(Shape::PARTS).only_for(Statistics::Several);
        /// Variance of the values (in a sum with `person` of the totals), if publicly known; of a
        /// plan also if it is expected. Without it it is measured beside the mean, which costs
        /// nothing, or the worst that the bounds allow.
        pub variance: Option<f64> as ParsedAs<KnownVariance>
            => value("V")
            .only_for(Statistics::MeanOrSum);
        /// Shrink the estimate towards the middle of the bounds where noise dominates.
        pub shrink: bool as Flag
            => only_for(Statistics::MeanOrSum)
            .excludes(&[beside("between", "the difference of shrunk means has no interval")]);
        /// Learn first where the values lie, although a ledger keeps account; without a ledger this
        /// is the default.
        pub adapt: bool as Flag
            => only_for(Statistics::MeanOrSum)
            .excludes(&[beside("no_adapt", "a mean adapts or does not")]);
        /// Do not learn first where the values lie: nobody spends more than the mean itself needs.
        /// A level table then has no sums in cells.
        pub no_adapt: bool as Flag => only_for(Statistics::MeanOrSum);
        /// The part of what the mean leaves over that learning must not touch, 0 to 1.
        pub spare: Option<f64> as Number => value("SHARE").only_for(Statistics::MeanOrSum);
        /// What is done to the noisy shares; it costs no privacy. Default: simplex.
        pub post: PostProcessing as Choice
            => shaped(Shape::POST)
            .only_for(Statistics::Frequency);
        /// Intervals of shares or quantiles that hold all at once, with the stated confidence.
        pub simultaneous: bool as Flag => only_for(Statistics::FrequencyOrQuantile);
        /// What the estimate should be close to. Default: population.
        pub target: Target as Choice
            => shaped(Shape::TARGET)
            .only_for(Statistics::OfValues)
            .common(170, "population, dataset or dataset-correlated");
        /// By how much the means of tiers may differ, if budgets have to do with values: in units
        /// of the values, as 10% of the width of the bounds, or as 5pp of shares and below
        /// quantiles; +D if stricter people have larger values, -D if smaller. Intervals then allow
        /// for it, and weights are chosen for it. Default: budgets have nothing to do with values.
        pub tiers_differ: Option<TierDifference> as ParsedText
            => value("D")
            .only_for(Statistics::Estimated)
            .common(175, "By how much the means of tiers may differ");
        /// Measure the mean of every tier apart, with its own noise: the answer shows how tiers
        /// differ, and has an interval for any difference, also one that assumes nothing.
        pub tiers_apart: bool as Flag
            => only_for(Statistics::MeanOrSum)
            .excludes(&[beside("adapt", "tiers are measured apart inside declared bounds")])
            .common(176, "Measure the mean of every tier apart");
        /// Neighbouring datasets: which ones a release must not tell apart. Default: replace.
        pub neighbors: Neighbors as Choice
            => shaped(Shape::NEIGHBORS)
            .common(180, "replace, add-remove or both")
            .shared();
        /// Confidence of the interval. Default: 0.95.
        pub confidence: Confidence as Number
            => common(190, "Confidence of intervals [default: 0.95]")
            .also(&["ci"]);
        /// How to weight records. Default: auto.
        pub estimator: EstimatorName as Choice
            => value("NAME")
            .only_for(Statistics::Estimated)
            .common(340, "How to weight records [default: auto]");
        /// PAC level of the -cp and -up estimators. Default: 0.05.
        pub beta: Beta as Number => only_for(Statistics::Weighted);
        /// Reproducible noise for tests. The release is then NOT PRIVATE.
        pub insecure_seed: Option<u64> as Whole => also(&["seed"]).shared();

        others {
            /// Part of every budget that it may spend, as one of several answers: their job
            /// decides.
            pub part: Share;
            /// Columns whose groups were read off the data: whoever runs the job decides.
            pub groups_of: Option<String>;
            /// Classes of persons by the number of their groups, which are strata: whoever runs the
            /// job decides.
            pub member_classes: Option<Labels>;
            /// Categories that occur in the data, which are private: whoever runs the job reads
            /// them, and nothing writes them.
            pub found_labels: Option<Labels>;
        }
    }
}

impl Query {
    /// Takes the options of a query out of the entries, and leaves the rest.
    pub(crate) fn take(entries: &mut Entries) -> Result<Self> {
        spelling::spell_out(entries)?;
        if !entries.has("statistic") {
            return Err(statistic::no_statistic());
        }
        Ok(Self::read(entries)?.with_add_remove_missing())
    }

    /// Value with which a person counts, if one is asked for.
    pub(crate) fn person_value(&self) -> Option<PersonValue> {
        self.per_person.as_ref().map(|per_person| per_person.value)
    }

    /// Column of the times of a person's rows, of which the last counts.
    pub(crate) fn person_time(&self) -> Option<String> {
        self.per_person.as_ref().and_then(|per_person| per_person.time.clone())
    }

    /// Options of suum-core that are set one by one; [`estimation`](Self::estimation) adds those
    /// that depend on several options.
    fn independent_options(&self) -> Options {
        Options {
            target: self.target,
            neighbors: self.neighbors,
            clip: self.clip,
            variance: self.variance,
            tiers_differ: self.tiers_differ,
            tiers_apart: self.tiers_apart,
            per_person: self.person_value(),
            beta: self.beta.0,
            confidence: self.confidence.0,
            shrink: self.shrink,
            post: self.post,
            simultaneous: self.simultaneous,
            interval_share: self.interval_share,
            share: self.part,
            spare: self.spare.unwrap_or(0.0),
            ..Options::default()
        }
    }
}
