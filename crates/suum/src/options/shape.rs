//! Shapes of values: what an option takes, for flags, keywords and JSON Schema.

use serde_json::{Value, json};

use crate::statistic::StatisticName;

/// Form of a value, as doors describe it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shape {
    pub(crate) form: Form,
    /// Name of the value in explanations; empty for one that is made from the option's name.
    pub(crate) value: &'static str,
    /// True if a command can say it once for each of several columns.
    pub(crate) is_of_each_column: bool,
    pub(crate) parts: Parts,
    pub(crate) schema: fn() -> Value,
}

/// Parts of a value that a command writes as one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Parts {
    /// One.
    One,
    /// Two ends, separated by a comma.
    Pair,
    /// Numbers, separated by commas.
    Numbers,
    /// Labels, separated by commas, which are always a list.
    Labels,
    /// Names, separated by commas; one alone is no list.
    Names,
    /// Keys with numbers, with this sign between them.
    Table(char),
}

/// Value that an option takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Nothing: it is set or not.
    Flag,
    /// A number, or nothing.
    NumberOrNothing,
    /// A number.
    Number,
    /// A number, or percentage points such as `0.5pp`.
    Length,
    /// A whole number that is not negative, of this number of bits.
    Whole(u32),
    /// One of these, each with its meaning.
    Choice(&'static [(&'static str, &'static str)]),
    /// Text, which can be the text of a number.
    NumberOrText,
    /// Text.
    Text,
}

impl Shape {
    const fn new(form: Form, value: &'static str, schema: fn() -> Value) -> Self {
        Self { form, value, is_of_each_column: false, parts: Parts::One, schema }
    }

    const fn per_column(mut self) -> Self {
        self.is_of_each_column = true;
        self
    }

    const fn with_parts(mut self, parts: Parts) -> Self {
        self.parts = parts;
        self
    }

    pub(crate) const FLAG: Self = Self::new(Form::Flag, "", || json!({"type": "boolean"}));

    pub(crate) const NAME: Self = Self::new(Form::Text, "", || json!({"type": ["string", "null"]}));

    pub(crate) const TEXT: Self = Self::new(Form::Text, "", || json!({"type": "string"}));

    pub(crate) const COUNTS: Self =
        Self::new(Form::Text, "", || json!({"type": "string"})).with_parts(Parts::Table(':'));

    pub(crate) const COUNT_CHANGES: Self =
        Self { form: Form::NumberOrText, schema: Self::NUMBER_OR_TEXT.schema, ..Self::COUNTS };

    pub(crate) const NUMBER: Self =
        Self::new(Form::Number, "", || json!({"type": ["number", "null"], "format": "double"}));

    pub(crate) const LENGTH: Self = Self::new(Form::Length, "LENGTH", || {
        json!({
            "anyOf": [
                {"type": ["number", "null"]},
                {"type": "string", "description": "percentage points, as in 0.5pp"},
            ]
        })
    });

    pub(crate) const WHOLE_32: Self = Self::new(Form::Whole(32), "", || whole("uint32"));

    pub(crate) const WHOLE_64: Self = Self::new(Form::Whole(64), "", || whole("uint64"));

    pub(crate) const NUMBER_OR_TEXT: Self =
        Self::new(Form::NumberOrText, "", || json!({"type": ["number", "string"]}));

    pub(crate) const NUMBER_OR_TRUE: Self = Self::new(
        Form::NumberOrNothing,
        "SHARE",
        || json!({"anyOf": [{"type": "number"}, {"type": "boolean"}]}),
    );

    pub(crate) const STATISTIC: Self = Self::new(Form::Text, "NAME,…", || {
        let names: Vec<&str> = StatisticName::all_names().collect();
        json!({
            "anyOf": [
                {"enum": names},
                {
                    "type": "array",
                    "items": {"type": "string", "pattern": "^([a-z-]+|q[0-9.]+)$"},
                    "minItems": 1,
                },
                {
                    "type": "string",
                    "description": "several, as in mean,variance,q50",
                    "pattern": "^ *([a-z-]+|q[0-9.]+)( *, *([a-z-]+|q[0-9.]+))* *$",
                },
            ]
        })
    })
    .with_parts(Parts::Names);

    pub(crate) const DATA: Self =
        Self::new(Form::Text, "", || one_or_more("several files, which are read as one"));

    pub(crate) const COLUMN: Self = Self::new(Form::Text, "COL,…", || {
        one_or_more("several columns, each with an answer of its own")
    })
    .with_parts(Parts::Names);

    pub(crate) const BOUNDS: Self = Self::new(Form::NumberOrText, "LO,HI|auto", || {
        json!({
            "anyOf": [
                {
                    "type": "array",
                    "description": "numbers, or dates or times in ISO 8601",
                    "items": {"type": ["number", "string"]},
                    "minItems": 2,
                    "maxItems": 2,
                },
                {"type": "string", "description": "LO,HI or auto"},
                {
                    "type": "object",
                    "description": "of several columns, by their names",
                    "additionalProperties": {"type": ["array", "string"]},
                },
            ]
        })
    })
    .with_parts(Parts::Pair)
    .per_column();

    pub(crate) const LABELS: Self =
        Self::new(Form::NumberOrText, "A,B,…", labels).with_parts(Parts::Labels);

    pub(crate) const NAMES: Self = Self::new(Form::NumberOrText, "A,B", || {
        json!({
            "anyOf": [
                {"type": "array", "items": {"type": ["string", "number"]}},
                {"type": "string", "description": "A,B,C; \\, is a comma in a name"},
            ]
        })
    })
    .with_parts(Parts::Labels);

    pub(crate) const COLUMNS: Self =
        Self::new(Form::Text, "COL", || columns(1, 4, "COL or COL,COL; \\, is a comma in a name"))
            .with_parts(Parts::Names);

    pub(crate) const TWO_COLUMNS: Self =
        Self::new(Form::Text, "COL,COL", || columns(2, 2, "COL,COL; \\, is a comma in a name"))
            .with_parts(Parts::Labels);

    pub(crate) const LABEL_LISTS: Self = Self::new(Form::NumberOrText, "A,B,…", || {
        json!({
            "anyOf": [
                labels(),
                {"type": "array", "items": labels(), "minItems": 2, "maxItems": 4},
            ]
        })
    })
    .with_parts(Parts::Labels)
    .per_column();

    pub(crate) const NUMBERS: Self = Self::new(Form::NumberOrText, "", || {
        json!({
            "anyOf": [
                {"type": "array", "items": {"type": ["string", "number"]}, "minItems": 1},
                {"type": ["string", "number"]},
            ]
        })
    })
    .with_parts(Parts::Numbers);

    pub(crate) const EDGES: Self = Self::new(Form::NumberOrText, "EDGE,…", Self::NUMBERS.schema)
        .with_parts(Parts::Numbers)
        .per_column();

    pub(crate) const BUDGETS: Self = Self::new(Form::NumberOrText, "TIER=EPSILON,…", || {
        json!({
            "anyOf": [
                {
                    "type": "object",
                    "minProperties": 1,
                    "additionalProperties": {
                        "anyOf": [{"type": "number", "minimum": 0}, {"const": "inf"}],
                    },
                },
                {"type": "string", "description": "TIER=EPSILON,…"},
            ]
        })
    })
    .with_parts(Parts::Table('='));

    pub(crate) const BUDGET_RANGE: Self = Self::new(Form::NumberOrText, "LO,HI", || {
        json!({
            "anyOf": [
                {
                    "type": "array",
                    "items": {"anyOf": [{"type": "number"}, {"const": "inf"}]},
                    "minItems": 2,
                    "maxItems": 2,
                },
                {"type": "string", "description": "LO,HI"},
            ]
        })
    })
    .with_parts(Parts::Pair);

    pub(crate) const PARTS: Self = Self::new(Form::NumberOrText, "NAME=PARTS,…", || {
        json!({
            "anyOf": [
                {"type": "object", "additionalProperties": {"type": "number"}},
                {"type": "string", "description": "NAME=PARTS,…"},
            ]
        })
    })
    .with_parts(Parts::Table('='));

    pub(crate) const POST: Self = Self::new(Form::Choice(POST), "", || choice(POST));

    pub(crate) const PERSON_VALUE: Self = Self::new(Form::Text, "WHAT", || {
        let mut schema = choice(PERSON_VALUES);
        schema["description"] = json!("last:COL is the last row by the column COL");
        json!({"anyOf": [schema, {"type": "string", "pattern": "^last:."}]})
    });

    pub(crate) const GROUP_MEMBERSHIP: Self =
        Self::new(Form::Choice(GROUP_MEMBERSHIPS), "", || choice(GROUP_MEMBERSHIPS));

    pub(crate) const TARGET: Self = Self::new(Form::Choice(TARGET), "", || choice(TARGET));

    pub(crate) const NEIGHBORS: Self = Self::new(Form::Choice(NEIGHBORS), "", || choice(NEIGHBORS));
}

fn whole(format: &str) -> Value {
    json!({"type": ["integer", "null"], "format": format, "minimum": 0})
}

/// Returns the schema of one name, or of a list, with a description of the list.
fn one_or_more(description: &str) -> Value {
    json!({
        "anyOf": [
            {"type": "string"},
            {
                "type": "array",
                "description": description,
                "items": {"type": "string"},
                "minItems": 1,
            },
        ]
    })
}

/// Returns the schema of `least` to `most` names of columns, with a description of their text.
fn columns(least: u32, most: u32, description: &str) -> Value {
    json!({
        "anyOf": [
            {"type": "array", "items": {"type": "string"}, "minItems": least, "maxItems": most},
            {"type": "string", "description": description},
        ]
    })
}

fn labels() -> Value {
    json!({
        "anyOf": [
            {"type": "array", "items": {"type": ["string", "number"]}},
            {"type": "string", "description": "A,B,C or @FILE; \\, is a comma in a label"},
        ]
    })
}

fn choice(choices: &[(&str, &str)]) -> Value {
    let (names, meanings): (Vec<&str>, Vec<&str>) = choices.iter().copied().unzip();
    json!({"enum": names, "enumDescriptions": meanings})
}

const POST: &[(&str, &str)] = &[
    ("simplex", "None negative, adding up to 1"),
    ("clamp", "Each in [0, 1]"),
    ("none", "As the noise left them"),
];

const TARGET: &[(&str, &str)] = &[
    (
        "population",
        "The population the records were drawn from; intervals assume that budgets have nothing to \
         do with values",
    ),
    ("dataset", "These records; intervals assume that budgets have nothing to do with values"),
    ("dataset-correlated", "These records; budgets may depend on values"),
];

const PERSON_VALUES: &[(&str, &str)] = &[
    ("mean", "The mean of a person's rows, each moved into the bounds"),
    ("total", "The total of a person's rows; bounds are those of a total"),
    ("median", "The median of a person's rows"),
    ("min", "The least of a person's rows"),
    ("max", "The largest of a person's rows"),
    ("share", "The share of a person's rows in each category"),
    ("mode", "The most frequent category of a person's rows; of equal ones the first declared"),
];

const GROUP_MEMBERSHIPS: &[(&str, &str)] = &[(
    "public",
    "Everybody may know who has rows in which group, and persons count in all of theirs",
)];

const NEIGHBORS: &[(&str, &str)] = &[
    (
        "replace",
        "Replace-one: hide each record's value, up to a factor of exp(ε); how many records there \
         are is public",
    ),
    (
        "add-remove",
        "Hide whether a record is in the data, up to a factor of exp(ε); two values of a record \
         can differ by up to exp(2ε). A release tells how many records there are, and their \
         budgets, only through noise; refusals and run time can tell more",
    ),
    (
        "both",
        "Both at once: whether a record is in the data and what its value is, up to a factor of \
         exp(ε). Answers are noisier; of groups each spends half",
    ),
];
