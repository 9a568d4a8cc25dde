//! Parts of a condition on rows.

/// Condition on the cells of a row: true, false or, if a cell is missing, unknown.
#[derive(Debug, Clone, PartialEq)]
pub enum Condition {
    /// True if all of these are.
    All(Vec<Condition>),
    /// True if any of these is.
    Any(Vec<Condition>),
    /// True if this is false.
    Not(Box<Condition>),
    /// A comparison of one cell.
    Test(CellTest),
}

/// A comparison of a cell with constants.
#[derive(Debug, Clone, PartialEq)]
pub struct CellTest {
    /// Index of the column among those of the filter.
    pub column: usize,
    /// The kind of its cells.
    pub kind: CellKind,
    /// The comparison.
    pub comparison: Comparison,
}

/// Type as which cells are read, told by the constants that they are compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CellKind {
    /// Anything: the cell is there or missing.
    Presence,
    /// Labels, compared byte by byte.
    Label,
    /// Truth values: `true` and 1, or `false` and 0.
    Truth,
    /// Numbers.
    Number,
    /// Dates, and dates with a time.
    Moment,
}

/// Comparison of a cell.
#[derive(Debug, Clone, PartialEq)]
pub enum Comparison {
    /// True if the cell is missing, false otherwise.
    IsMissing,
    /// True if the cell equals one of these constants, of which there is at least one.
    In(Vec<Constant>),
    /// True if the cell lies on this side of a number or a moment.
    Order(Side, Constant),
    /// True if the cell is neither below the first nor above the second.
    Between(Constant, Constant),
}

/// A side of a constant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Below it.
    Less,
    /// Below it, or equal.
    AtMost,
    /// Above it.
    More,
    /// Above it, or equal.
    AtLeast,
}

/// Constant that a cell is compared with.
#[derive(Debug, Clone, PartialEq)]
pub enum Constant {
    /// A label, without spaces around it.
    Text(String),
    /// A truth value.
    Truth(bool),
    /// A finite number.
    Number(f64),
    /// Seconds since the beginning of 1970, to the microsecond.
    Moment(f64),
}

impl Side {
    /// Operator in SQL.
    pub fn operator(self) -> &'static str {
        match self {
            Self::Less => "<",
            Self::AtMost => "<=",
            Self::More => ">",
            Self::AtLeast => ">=",
        }
    }

    /// Side of the cell if the constant stands to the left of the operator.
    pub(super) fn mirrored(self) -> Self {
        match self {
            Self::Less => Self::More,
            Self::AtMost => Self::AtLeast,
            Self::More => Self::Less,
            Self::AtLeast => Self::AtMost,
        }
    }
}

impl Constant {
    /// Kind of cells that are compared with it.
    pub fn kind(&self) -> CellKind {
        match self {
            Self::Text(_) => CellKind::Label,
            Self::Truth(_) => CellKind::Truth,
            Self::Number(_) => CellKind::Number,
            Self::Moment(_) => CellKind::Moment,
        }
    }
}

impl Condition {
    /// All tests in the condition, from left to right.
    pub fn tests(&self) -> Vec<&CellTest> {
        match self {
            Self::All(parts) | Self::Any(parts) => parts.iter().flat_map(Self::tests).collect(),
            Self::Not(inner) => inner.tests(),
            Self::Test(test) => vec![test],
        }
    }
}
