//! Queries as trees. The same tree is written as SQL and evaluated by the reference.

use rowkind::value::Row;

use crate::tables::{Nature, TABLES, Type};

/// A value computed from a row.
#[derive(Debug, Clone)]
pub(crate) enum Scalar {
    Column(usize),
    Int(i64),
    Text(&'static str),
    Null(Type),
    Add(Box<Scalar>, Box<Scalar>),
    Subtract(Box<Scalar>, Box<Scalar>),
    Multiply(Box<Scalar>, Box<Scalar>),
    Concat(Box<Scalar>, Box<Scalar>),
    Coalesce(Box<Scalar>, Box<Scalar>),
    NullIf(Box<Scalar>, Box<Scalar>),
    Case(Box<Condition>, Box<Scalar>, Box<Scalar>),
}

/// A condition on a row, with three-valued logic.
#[derive(Debug, Clone)]
pub(crate) enum Condition {
    Compare(Comparison, Scalar, Scalar),
    IsNull(Scalar),
    In(Scalar, Vec<i64>),
    Not(Box<Condition>),
    And(Box<Condition>, Box<Condition>),
    Or(Box<Condition>, Box<Condition>),
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum Comparison {
    Equal,
    Different,
    Less,
    AtMost,
}

/// An aggregate over a column, or over rows without one.
#[derive(Debug, Clone)]
pub(crate) struct Aggregate {
    pub(crate) function: Function,
    pub(crate) column: usize,
    /// FILTER (WHERE …)
    pub(crate) filter: Option<Condition>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Function {
    CountRows,
    Count,
    CountDistinct,
    Sum,
    SumDistinct,
    Min,
    Max,
    Average,
}

/// A column to order by.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SortKey {
    pub(crate) column: usize,
    pub(crate) descending: bool,
    /// NULLS FIRST or NULLS LAST, against the default.
    pub(crate) nulls_reversed: bool,
}

/// Which changes `TO_CHANGELOG` gives of a table, and as what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Codes {
    /// All, by their names.
    Names,
    /// Without `UPDATE_BEFORE`.
    NoBefore,
    /// `INSERT` and `UPDATE_AFTER` alone, with one code.
    OnlyAfter,
}

/// How changes go through `TO_CHANGELOG` and back.
#[derive(Debug, Clone)]
pub(crate) enum Encoding {
    /// With all kinds, by their names or by other codes.
    Retract { codes: bool },
    /// As upserts by a key.
    Upsert { key: Vec<usize>, full_deletes: bool },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum JoinKind {
    Inner,
    Left,
    Right,
    Full,
}

/// What joins two rows: equal columns, and perhaps a condition on the columns of both.
#[derive(Debug, Clone)]
pub(crate) struct On {
    pub(crate) equal: Vec<(usize, usize)>,
    pub(crate) rest: Option<Condition>,
}

/// A query. Columns are positions in the input.
#[derive(Debug, Clone)]
pub(crate) enum Query {
    /// All of a table; of a table of codes what they describe.
    Table(usize),
    /// Constant rows.
    Values(Vec<Row>, Vec<Type>),
    /// The changes of a table as rows: the code comes first.
    Log(usize, Codes),
    Select {
        input: Box<Query>,
        columns: Vec<Scalar>,
        condition: Option<Condition>,
    },
    /// Keys, then aggregates; HAVING sees both.
    Group {
        input: Box<Query>,
        keys: Vec<usize>,
        aggregates: Vec<Aggregate>,
        having: Option<Condition>,
    },
    Distinct(Box<Query>),
    /// The rows of each partition from one number to another, perhaps with their number.
    Top {
        input: Box<Query>,
        partition: Vec<usize>,
        order: Vec<SortKey>,
        start: usize,
        end: usize,
        number: bool,
    },
    /// ORDER BY … LIMIT … OFFSET; the order may be empty.
    Limit {
        input: Box<Query>,
        order: Vec<SortKey>,
        offset: usize,
        fetch: usize,
    },
    Union(Box<Query>, Box<Query>),
    /// `INTERSECT` or `EXCEPT`, perhaps `ALL`.
    Set {
        left: Box<Query>,
        right: Box<Query>,
        intersect: bool,
        all: bool,
    },
    /// The columns of the left side, then those of the right one.
    Join {
        left: Box<Query>,
        right: Box<Query>,
        kind: JoinKind,
        on: On,
    },
    /// The rows of the left side that have a match on the right one, or have none.
    Exists {
        left: Box<Query>,
        right: Box<Query>,
        negated: bool,
        on: On,
    },
    /// The rows whose column is IN a column of a sub-query, or NOT IN it.
    In {
        left: Box<Query>,
        right: Box<Query>,
        negated: bool,
        columns: (usize, usize),
    },
    /// The columns of the left side and an aggregate of the right one, perhaps of its rows with an equal
    /// column alone: a sub-query as a value.
    Value {
        left: Box<Query>,
        right: Box<Query>,
        call: Aggregate,
        equal: Option<(usize, usize)>,
    },
    /// The columns of the left side and whether a column is IN one of a sub-query: 1, 0 or NULL. There are
    /// no rows if the sub-query has none, which a guard says, too.
    Member {
        left: Box<Query>,
        right: Box<Query>,
        columns: (usize, usize),
        guarded: bool,
    },
    /// `FROM_CHANGELOG` of `TO_CHANGELOG`.
    RoundTrip {
        input: Box<Query>,
        encoding: Encoding,
    },
    /// The value of a column in an earlier row, or in a later one if the offset is negative; it follows the
    /// columns.
    Lag {
        input: Box<Query>,
        partition: Vec<usize>,
        order: SortKey,
        column: usize,
        offset: isize,
    },
}

impl Scalar {
    pub(crate) fn data_type(&self, input: &[Type]) -> Type {
        match self {
            Self::Column(column) => input[*column],
            Self::Int(_) => Type::Int,
            Self::Text(_) | Self::Concat(..) => Type::Text,
            Self::Null(data_type) => *data_type,
            Self::NullIf(a, _) => a.data_type(input),
            Self::Add(a, b)
            | Self::Subtract(a, b)
            | Self::Multiply(a, b)
            | Self::Coalesce(a, b)
            | Self::Case(_, a, b) => match (a.data_type(input), b.data_type(input)) {
                (Type::Int, Type::BigInt) => Type::BigInt,
                (a, _) => a,
            },
        }
    }
}

impl Aggregate {
    pub(crate) fn data_type(&self, input: &[Type]) -> Type {
        match self.function {
            Function::CountRows | Function::Count | Function::CountDistinct => Type::BigInt,
            Function::Sum | Function::SumDistinct | Function::Min | Function::Max | Function::Average => {
                input[self.column]
            }
        }
    }
}

impl Query {
    pub(crate) fn types(&self) -> Vec<Type> {
        match self {
            Self::Table(table) => TABLES[*table].types(),
            Self::Values(_, types) => types.clone(),
            Self::Log(table, _) => [Type::Text].into_iter().chain(TABLES[*table].types()).collect(),
            Self::Select { input, columns, .. } => {
                let input = input.types();
                columns.iter().map(|column| column.data_type(&input)).collect()
            }
            Self::Group { input, keys, aggregates, .. } => {
                let input = input.types();
                let keys = keys.iter().map(|&key| input[key]);
                keys.chain(aggregates.iter().map(|aggregate| aggregate.data_type(&input))).collect()
            }
            Self::Distinct(input) | Self::Limit { input, .. } => input.types(),
            Self::Top { input, number, .. } => {
                let mut types = input.types();
                types.extend(number.then_some(Type::BigInt));
                types
            }
            Self::Union(left, right) | Self::Set { left, right, .. } => {
                let wider = |(left, right)| if right == Type::BigInt { right } else { left };
                left.types().into_iter().zip(right.types()).map(wider).collect()
            }
            Self::Join { left, right, .. } => [left.types(), right.types()].concat(),
            Self::Exists { left, .. } | Self::In { left, .. } => left.types(),
            Self::Value { left, right, call, .. } => {
                let mut types = left.types();
                types.push(call.data_type(&right.types()));
                types
            }
            Self::Member { left, .. } => {
                let mut types = left.types();
                types.push(Type::Int);
                types
            }
            Self::RoundTrip { input, encoding } => {
                let types = input.types();
                encoding.order(types.len()).into_iter().map(|column| types[column]).collect()
            }
            Self::Lag { input, column, .. } => {
                let mut types = input.types();
                types.push(types[*column]);
                types
            }
        }
    }

    /// The columns by which the rows are told apart, if there are such.
    pub(crate) fn key(&self) -> Option<Vec<usize>> {
        match self {
            Self::Table(table) => {
                let table = &TABLES[*table];
                let keyed =
                    matches!(table.nature, Nature::KeyedRetract | Nature::Upsert | Nature::UpsertCodes);
                keyed.then(|| table.key.to_vec())
            }
            Self::Group { input, keys, .. } if !keys.is_empty() => input.key_of_groups(keys),
            Self::Distinct(input) => input.key_of_groups(&(0..input.types().len()).collect::<Vec<_>>()),
            Self::RoundTrip { encoding: Encoding::Upsert { key, .. }, .. } => Some((0..key.len()).collect()),
            Self::Top { input, start: 1, number: false, .. }
            | Self::Limit { input, offset: 0, .. }
            | Self::Lag { input, .. } => input.key(),
            Self::Join { left, right, .. } => {
                let width = left.types().len();
                let right = right.key()?.into_iter().map(|column| width + column);
                Some(left.key()?.into_iter().chain(right).collect())
            }
            Self::Exists { left, .. } | Self::In { left, .. } => left.key(),
            Self::Select { input, columns, .. } => {
                let place =
                    |key| columns.iter().position(|c| matches!(c, Scalar::Column(column) if *column == key));
                input.key()?.into_iter().map(place).collect()
            }
            _ => None,
        }
    }

    /// What tells groups apart. Where each row is a group of its own, there are none, and the rows are
    /// still told apart by their key.
    fn key_of_groups(&self, keys: &[usize]) -> Option<Vec<usize>> {
        let place = |column| keys.iter().position(|&key| key == column);
        match self.key().and_then(|key| key.into_iter().map(place).collect()) {
            None if self.may_have_unknown_key() => None,
            None => Some((0..keys.len()).collect()),
            key => key,
        }
    }

    /// Whether grouping the rows may change nothing.
    fn may_be_groups_of_one(&self) -> bool {
        self.key().is_some() || self.may_have_unknown_key()
    }

    /// Whether the rows may differ for a reason that [`Self::key`] does not know.
    fn may_have_unknown_key(&self) -> bool {
        match self {
            Self::Join { .. }
            | Self::Set { .. }
            | Self::Value { .. }
            | Self::Member { .. }
            | Self::Limit { offset: 1.., .. }
            | Self::Limit { fetch: ..=1, .. }
            | Self::Top { start: 2.., .. }
            | Self::Top { number: true, .. } => true,
            // There is one row.
            Self::Group { keys, .. } => keys.is_empty(),
            Self::Limit { input, .. } => input.may_have_unknown_key(),
            Self::Select { input, .. } | Self::Top { input, .. } | Self::Lag { input, .. } => {
                input.may_have_unknown_key()
            }
            Self::Exists { left, .. } | Self::In { left, .. } => left.may_have_unknown_key(),
            _ => false,
        }
    }

    /// Whether a filter or a lost match may take a row away by an update, which upserts do not say.
    pub(crate) fn is_filtered(&self) -> bool {
        match self {
            Self::Group { having: Some(_), .. }
            | Self::Join { .. }
            | Self::Exists { .. }
            | Self::In { .. } => true,
            Self::Group { input, .. } | Self::Distinct(input) => {
                input.may_be_groups_of_one() && input.is_filtered()
            }
            Self::Select { input, condition, .. } => condition.is_some() || input.is_filtered(),
            Self::Top { input, .. } | Self::Limit { input, .. } | Self::Lag { input, .. } => {
                input.is_filtered()
            }
            _ => false,
        }
    }

    /// Whether a sink is wrong about the key of the rows. Flink takes what table functions without
    /// PARTITION BY give for versions of a single row, and it keeps the keys of rows that move to
    /// another number.
    pub(crate) fn has_no_real_key(&self) -> bool {
        match self {
            Self::Table(table) => TABLES[*table].nature == Nature::RetractCodes,
            Self::RoundTrip { encoding, .. } => matches!(encoding, Encoding::Retract { .. }),
            Self::Join { left, right, .. }
            | Self::Value { left, right, .. }
            | Self::Member { left, right, .. } => left.has_no_real_key() || right.has_no_real_key(),
            Self::Exists { left, .. } | Self::In { left, .. } => left.has_no_real_key(),
            Self::Log(..)
            | Self::Top { number: true, .. }
            | Self::Top { start: 2.., .. }
            | Self::Limit { offset: 1.., .. } => true,
            Self::Group { input, .. } | Self::Distinct(input) | Self::Set { left: input, all: false, .. } => {
                input.may_be_groups_of_one() && input.has_no_real_key()
            }
            Self::Top { end: 1, .. } | Self::Values(..) | Self::Set { .. } | Self::Union(..) => false,
            Self::Select { input, .. }
            | Self::Top { input, .. }
            | Self::Limit { input, .. }
            | Self::Lag { input, .. } => input.has_no_real_key(),
        }
    }

    /// Whether the rows are upserts of `FROM_CHANGELOG`. Flink hands them as they are to a
    /// `TO_CHANGELOG` with row semantics, whatever its mapping asks for, and so do we; what that
    /// gives is no retract changelog.
    pub(crate) fn is_upserts(&self) -> bool {
        match self {
            Self::Table(table) => TABLES[*table].nature == Nature::UpsertCodes,
            Self::RoundTrip { encoding, .. } => matches!(encoding, Encoding::Upsert { .. }),
            Self::Select { input, .. } => input.is_upserts(),
            Self::Union(left, right)
            | Self::Set { left, right, .. }
            | Self::Join { left, right, .. }
            | Self::Exists { left, right, .. }
            | Self::Value { left, right, .. }
            | Self::Member { left, right, .. }
            | Self::In { left, right, .. } => left.is_upserts() || right.is_upserts(),
            _ => false,
        }
    }

    /// The same query over another table than the only one that it reads.
    pub(crate) fn reading(&self, table: usize) -> Self {
        let mut query = self.clone();
        query.each_table(&mut |read| *read = table);
        query
    }

    fn each_table(&mut self, change: &mut impl FnMut(&mut usize)) {
        match self {
            Self::Table(table) | Self::Log(table, _) => change(table),
            Self::Values(..) => {}
            Self::Union(left, right)
            | Self::Set { left, right, .. }
            | Self::Join { left, right, .. }
            | Self::Exists { left, right, .. }
            | Self::Value { left, right, .. }
            | Self::Member { left, right, .. }
            | Self::In { left, right, .. } => {
                left.each_table(change);
                right.each_table(change);
            }
            Self::Select { input, .. }
            | Self::Group { input, .. }
            | Self::Distinct(input)
            | Self::Top { input, .. }
            | Self::Limit { input, .. }
            | Self::RoundTrip { input, .. }
            | Self::Lag { input, .. } => input.each_table(change),
        }
    }

    /// The tables that are read.
    pub(crate) fn tables(&self) -> Vec<usize> {
        let mut tables = Vec::new();
        self.clone().each_table(&mut |table| tables.push(*table));
        tables
    }
}

impl Encoding {
    /// The order in which columns come back: those of the partition are the first.
    pub(crate) fn order(&self, width: usize) -> Vec<usize> {
        match self {
            Self::Retract { .. } => (0..width).collect(),
            Self::Upsert { key, .. } => {
                let rest = (0..width).filter(|column| !key.contains(column));
                key.iter().copied().chain(rest).collect()
            }
        }
    }
}
