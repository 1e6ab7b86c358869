//! Random queries.

use crate::choices::Choices;
use crate::query::{
    Aggregate, Codes, Comparison, Condition, Encoding, Function, JoinKind, On, Query, Scalar, SortKey,
};
use crate::tables::{Nature, TABLES, Type, value};

/// Makes queries that Flink accepts.
pub(crate) struct Generator<'c, 'b> {
    pub(crate) choices: &'c mut Choices<'b>,
    /// The tables that may be read.
    pub(crate) tables: &'c [usize],
    /// Whether the result must not depend on the order in which rows came.
    pub(crate) deterministic: bool,
    /// Whether the rows of changes may be read as such, which no table says.
    pub(crate) logs: bool,
    /// Whether only what every database has may be there, with the same meaning.
    pub(crate) plain: bool,
}

impl Generator<'_, '_> {
    pub(crate) fn query(&mut self, depth: usize) -> Query {
        if depth == 0 {
            return self.leaf();
        }
        let kind = self.choices.below(18);
        let input = |this: &mut Self| Box::new(this.query(depth - 1));
        match kind {
            0 => self.leaf(),
            1 | 2 => {
                let input = input(self);
                self.select(input)
            }
            3..=5 => {
                let input = input(self);
                self.group(input)
            }
            6 => Query::Distinct(input(self)),
            7 => {
                let input = input(self);
                self.top(input)
            }
            8 => {
                let input = input(self);
                let order = self.order(input.types().len());
                let (offset, fetch) = (self.choices.of(&[0, 0, 1, 2]), 1 + self.choices.below(3));
                Query::Limit { input, order, offset, fetch }
            }
            9 => {
                let (left, right) = (input(self), input(self));
                union(left, right)
            }
            10 if !self.plain => {
                let input = input(self);
                self.round_trip(input)
            }
            10 | 12 => {
                let (left, right) = (input(self), input(self));
                let (left, right) = aligned(left, right);
                let (intersect, all) = (self.choices.one_in(2), self.choices.one_in(2) && !self.plain);
                Query::Set { left, right, intersect, all }
            }
            13 => {
                let (left, right) = (input(self), input(self));
                self.value(left, right)
            }
            11 => {
                let input = input(self);
                self.lag(input)
            }
            _ => {
                let (left, right) = (input(self), input(self));
                self.join(left, right)
            }
        }
    }

    /// A join or a sub-query, on columns that can be equal; a union where there are none.
    fn join(&mut self, left: Box<Query>, right: Box<Query>) -> Query {
        use JoinKind::{Full, Inner, Left, Right};
        let (types, others) = (left.types(), right.types());
        let pairs = (0..types.len()).flat_map(|a| (0..others.len()).map(move |b| (a, b)));
        let fits = |&(a, b): &(usize, usize)| (types[a] == Type::Text) == (others[b] == Type::Text);
        let pairs: Vec<(usize, usize)> = pairs.filter(fits).collect();
        if pairs.is_empty() {
            return union(left, right);
        }
        let columns = self.choices.of(&pairs);
        let (form, negated) = (self.choices.below(5), self.choices.one_in(2));
        if form == 3 {
            return Query::In { left, right, negated, columns };
        }
        if form == 4 {
            return Query::Member { left, right, columns, guarded: self.plain };
        }
        let mut equal = vec![columns];
        if self.choices.one_in(4) {
            equal.push(self.choices.of(&pairs));
        }
        let both = [types, others].concat();
        let rest = self.choices.one_in(4).then(|| self.condition(&both, 1));
        if rest.is_some() && self.choices.one_in(3) {
            equal.clear();
        }
        let on = On { equal, rest };
        if form == 2 {
            return Query::Exists { left, right, negated, on };
        }
        Query::Join { left, right, kind: self.choices.of(&[Inner, Left, Right, Full]), on }
    }

    /// A sub-query as a value, of all rows or of those with an equal column.
    fn value(&mut self, left: Box<Query>, right: Box<Query>) -> Query {
        let (types, others) = (left.types(), right.types());
        let call = Aggregate { filter: None, ..self.aggregate(&others) };
        let pairs = (0..types.len()).flat_map(|a| (0..others.len()).map(move |b| (a, b)));
        let fits = |&(a, b): &(usize, usize)| (types[a] == Type::Text) == (others[b] == Type::Text);
        let pairs: Vec<(usize, usize)> = pairs.filter(fits).collect();
        let equal = (!pairs.is_empty() && !self.choices.one_in(3)).then(|| self.choices.of(&pairs));
        let call = match (call.function, equal) {
            // Others count no rows as none where there is NULL here.
            (Function::CountRows | Function::Count | Function::CountDistinct, None) if self.plain => {
                Aggregate { function: Function::Max, ..call }
            }
            _ => call,
        };
        Query::Value { left, right, call, equal }
    }

    fn leaf(&mut self) -> Query {
        if !self.plain && self.choices.one_in(12) {
            let types = vec![Type::Int, Type::Text];
            let row = |this: &mut Self| types.iter().map(|t| value(*t, true, this.choices)).collect();
            let rows = (0..=self.choices.below(2)).map(|_| row(self)).collect();
            return Query::Values(rows, types);
        }
        let table = self.choices.of(self.tables);
        let is_log = !matches!(TABLES[table].nature, Nature::RetractCodes | Nature::UpsertCodes);
        if self.logs && is_log && self.choices.one_in(8) {
            return Query::Log(table, self.choices.of(&[Codes::Names, Codes::NoBefore, Codes::OnlyAfter]));
        }
        Query::Table(table)
    }

    fn select(&mut self, input: Box<Query>) -> Query {
        let types = input.types();
        let count = 1 + self.choices.below(types.len());
        let column = |this: &mut Self| match this.choices.below(3) {
            0 | 1 => Scalar::Column(this.choices.below(types.len())),
            _ => {
                let wanted = this.choices.of(&[Type::Int, Type::Text]);
                this.scalar(&types, wanted, 2)
            }
        };
        let columns = (0..count).map(|_| column(self)).collect();
        let condition = self.choices.one_in(2).then(|| self.condition(&types, 2));
        Query::Select { input, columns, condition }
    }

    fn group(&mut self, input: Box<Query>) -> Query {
        let types = input.types();
        let keys = self.choices.some_of(types.len(), 0);
        let count = self.choices.below(3) + usize::from(keys.is_empty());
        let mut aggregates: Vec<Aggregate> = (0..count).map(|_| self.aggregate(&types)).collect();
        // Of no rows at all others give a row.
        let counted = (self.plain && keys.is_empty()).then(|| {
            aggregates.push(Aggregate { function: Function::CountRows, column: 0, filter: None });
            let count = Scalar::Column(aggregates.len() - 1);
            Condition::Compare(Comparison::Less, Scalar::Int(0), count)
        });
        let mut output: Vec<Type> = keys.iter().map(|&key| types[key]).collect();
        output.extend(aggregates.iter().map(|aggregate| aggregate.data_type(&types)));
        let having = self.choices.one_in(4).then(|| self.condition(&output, 1));
        let having = match (counted, having) {
            (Some(counted), Some(having)) => Some(Condition::And(Box::new(counted), Box::new(having))),
            (counted, having) => counted.or(having),
        };
        Query::Group { input, keys, aggregates, having }
    }

    fn aggregate(&mut self, types: &[Type]) -> Aggregate {
        use Function::{Average, Count, CountDistinct, CountRows, Max, Min, Sum, SumDistinct};
        let column = self.choices.below(types.len());
        let function = match types[column] {
            Type::Text => self.choices.of(&[CountRows, Count, Min, Max, CountDistinct]),
            // The mean of integers is one only here.
            Type::Int | Type::BigInt if self.plain => {
                self.choices.of(&[CountRows, Sum, Min, Max, Count, CountDistinct, SumDistinct])
            }
            Type::Int | Type::BigInt => {
                self.choices.of(&[CountRows, Sum, Min, Max, Count, Average, CountDistinct, SumDistinct])
            }
        };
        let filter = self.choices.one_in(6).then(|| self.condition(types, 1));
        Aggregate { function, column, filter }
    }

    fn top(&mut self, input: Box<Query>) -> Query {
        let width = input.types().len();
        let partition = self.choices.some_of(width.min(2), 0);
        let order = self.order(width);
        // An order is needed, but need not say anything.
        let fallback = SortKey { column: 0, descending: false, nulls_reversed: false };
        let order = if order.is_empty() { vec![fallback] } else { order };
        let end = 1 + self.choices.below(3);
        let start = if self.choices.one_in(5) { 1 + self.choices.below(end) } else { 1 };
        Query::Top { input, partition, order, start, end, number: self.choices.one_in(2) }
    }

    /// An order; one that leaves nothing open where that is needed.
    fn order(&mut self, width: usize) -> Vec<SortKey> {
        let mut columns = self.choices.some_of(width, 0);
        if self.deterministic {
            let rest: Vec<usize> = (0..width).filter(|column| !columns.contains(column)).collect();
            columns.extend(rest);
        }
        columns.into_iter().map(|column| self.sort_key(column)).collect()
    }

    fn sort_key(&mut self, column: usize) -> SortKey {
        let (descending, nulls_reversed) = (self.choices.one_in(2), self.choices.one_in(5));
        SortKey { column, descending, nulls_reversed }
    }

    fn round_trip(&mut self, input: Box<Query>) -> Query {
        let upsert = |this: &mut Self, key| Encoding::Upsert { key, full_deletes: !this.choices.one_in(2) };
        let key = input.key().filter(|_| !input.is_filtered());
        let (input, encoding) = match (key, input.is_upserts()) {
            (Some(key), true) => (input, upsert(self, key)),
            (None, true) => (Box::new(Query::Distinct(input)), Encoding::Retract { codes: false }),
            (Some(key), false) if self.choices.one_in(2) => (input, upsert(self, key)),
            (_, false) => (input, Encoding::Retract { codes: self.choices.one_in(2) }),
        };
        Query::RoundTrip { input, encoding }
    }

    /// Rows that are equal in the order are in the order of their arrival, so that there must be
    /// none.
    fn lag(&mut self, mut input: Box<Query>) -> Query {
        let width = input.types().len();
        let mut partition = self.choices.some_of(width, 1);
        if self.deterministic {
            partition.truncate(2);
            let columns = partition.iter().map(|&column| Scalar::Column(column)).collect();
            input = Box::new(Query::Distinct(Box::new(Query::Select { input, columns, condition: None })));
            partition = (0..partition.len()).collect();
        }
        let order = partition.remove(self.choices.below(partition.len()));
        let (order, column) = (self.sort_key(order), self.choices.below(input.types().len()));
        Query::Lag { input, partition, order, column, offset: self.choices.of(&[1, 2, -1]) }
    }

    fn scalar(&mut self, types: &[Type], wanted: Type, depth: usize) -> Scalar {
        let fits = |column: &usize| (types[*column] == Type::Text) == (wanted == Type::Text);
        let columns: Vec<usize> = (0..types.len()).filter(fits).collect();
        let kind = if depth == 0 { self.choices.below(2) } else { self.choices.below(8) };
        let part = |this: &mut Self| Box::new(this.scalar(types, wanted, depth - 1));
        match (kind, wanted) {
            (0, _) if !columns.is_empty() => Scalar::Column(self.choices.of(&columns)),
            (0 | 1, Type::Text) => Scalar::Text(self.choices.of(&["x", "y", "", "z"])),
            (0 | 1, _) => Scalar::Int(self.choices.of(&[1, 0, 2, -1])),
            (2, _) => Scalar::Case(Box::new(self.condition(types, depth - 1)), part(self), part(self)),
            (3, _) => Scalar::Coalesce(part(self), part(self)),
            (7, _) => Scalar::NullIf(part(self), part(self)),
            (_, Type::Text) => Scalar::Concat(part(self), part(self)),
            (4, _) => Scalar::Add(part(self), part(self)),
            (5, _) => Scalar::Subtract(part(self), part(self)),
            // Products grow until they wrap, which other databases do elsewhere.
            _ if self.plain => Scalar::Subtract(part(self), part(self)),
            _ => Scalar::Multiply(part(self), part(self)),
        }
    }

    fn condition(&mut self, types: &[Type], depth: usize) -> Condition {
        let kind = if depth == 0 { self.choices.below(4) } else { self.choices.below(7) };
        let wanted = self.choices.of(&[Type::Int, Type::Text]);
        match kind {
            0 | 1 => {
                let comparison = self.choices.of(&[
                    Comparison::Equal,
                    Comparison::Less,
                    Comparison::Different,
                    Comparison::AtMost,
                ]);
                let (left, right) = (self.scalar(types, wanted, depth), self.scalar(types, wanted, depth));
                Condition::Compare(comparison, left, right)
            }
            2 => Condition::IsNull(self.scalar(types, wanted, depth)),
            3 => {
                let list = [vec![1], vec![0, 2], vec![3, 1, -1]];
                Condition::In(self.scalar(types, Type::Int, depth), self.choices.of(&list))
            }
            4 => Condition::Not(Box::new(self.condition(types, depth - 1))),
            5 => Condition::And(
                Box::new(self.condition(types, depth - 1)),
                Box::new(self.condition(types, depth - 1)),
            ),
            _ => Condition::Or(
                Box::new(self.condition(types, depth - 1)),
                Box::new(self.condition(types, depth - 1)),
            ),
        }
    }
}

fn union(left: Box<Query>, right: Box<Query>) -> Query {
    let (left, right) = aligned(left, right);
    Query::Union(left, right)
}

/// Both sides with the columns of the left one.
fn aligned(left: Box<Query>, right: Box<Query>) -> (Box<Query>, Box<Query>) {
    let (wanted, given) = (left.types(), right.types());
    if wanted.iter().zip(&given).all(|(left, right)| left == right) && wanted.len() == given.len() {
        return (left, right);
    }
    let column = |(i, wanted): (usize, &Type)| {
        let fits = |column: &usize| (given[*column] == Type::Text) == (*wanted == Type::Text);
        let found = (0..given.len()).cycle().skip(i).take(given.len()).find(fits);
        found.map_or(Scalar::Null(*wanted), Scalar::Column)
    };
    let columns = wanted.iter().enumerate().map(column).collect();
    (left, Box::new(Query::Select { input: right, columns, condition: None }))
}
