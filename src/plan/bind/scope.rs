//! Which names mean which columns.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use sqlparser::ast::Ident;

use super::super::error::{PlanError, PlanErrorKind};
use super::super::join::JoinKind;
use super::Visible;
use super::select::SUB_QUERIES;
use super::sub_query::SubQuery;
use crate::expr::Expr;
pub use crate::spelling::nearest;
use crate::sql::Span;
use crate::value::{Column, Schema, TypeKind};

/// The tables of a FROM clause, side by side.
#[derive(Debug, Clone, Default)]
pub(super) struct Scope {
    relations: Vec<Relation>,
    schema: Schema,
    /// The columns that USING makes one.
    merged: Vec<Merged>,
    visible: Visible,
    sub_queries: RefCell<Vec<SubQuery>>,
}

/// A table of a FROM clause.
#[derive(Debug, Clone)]
struct Relation {
    name: Option<Ident>,
    /// The table that an alias names.
    table: Option<String>,
    start: usize,
    width: usize,
}

impl Relation {
    fn is_named(&self, name: &Ident) -> bool {
        self.name.as_ref().is_some_and(|own| own.value == name.value)
    }
}

/// A column that both sides of a join have, and that is there once.
#[derive(Debug, Clone)]
struct Merged {
    name: String,
    value: Expr,
    /// The columns that it stands for.
    columns: BTreeSet<usize>,
}

/// A column that a join makes one of two.
pub(super) struct Shared {
    pub(super) name: String,
    /// What it is on the left.
    pub(super) left: Expr,
    /// What it is on the right.
    pub(super) right: Expr,
}

/// Columns from here on are those of the query around a sub-query.
pub(super) const OUTER: usize = 1 << 32;

impl Scope {
    /// The columns of one table, under a name if it has one.
    pub(super) fn of(name: Option<&Ident>, schema: &Schema) -> Self {
        let relation = Relation { name: name.cloned(), table: None, start: 0, width: schema.len() };
        Self { relations: vec![relation], schema: schema.clone(), ..Self::default() }
    }

    /// The same tables, of which the first is an alias of this one.
    pub(super) fn aliasing(mut self, table: Option<&Ident>) -> Self {
        if let Some(relation) = self.relations.first_mut() {
            relation.table = table.map(|table| table.value.clone());
        }
        self
    }

    /// All columns.
    /// Whether there is no table, as in a query without FROM.
    pub(super) fn is_empty(&self) -> bool {
        self.relations.is_empty()
    }

    pub(super) fn schema(&self) -> &Schema {
        &self.schema
    }

    /// The same tables, with what their query can see.
    pub(super) fn seeing(mut self, visible: &Visible) -> Self {
        self.visible = visible.clone();
        self
    }

    /// What a sub-query of an expression over these tables can see.
    pub(super) fn seen_from_inside(&self) -> Visible {
        let tables = Self { sub_queries: RefCell::default(), ..self.clone() };
        Visible { outer: Some(Rc::new(tables)), ..self.visible.clone() }
    }

    /// Takes in a sub-query of an expression; the column that stands for its value is returned.
    pub(super) fn add_sub_query(&self, sub_query: SubQuery) -> usize {
        let mut all = self.sub_queries.borrow_mut();
        all.push(sub_query);
        SUB_QUERIES + all.len() - 1
    }

    /// Whether an expression had a sub-query.
    pub(super) fn has_sub_queries(&self) -> bool {
        !self.sub_queries.borrow().is_empty()
    }

    /// The sub-queries of the expressions so far.
    pub(super) fn take_sub_queries(&self) -> Vec<SubQuery> {
        self.sub_queries.take()
    }

    /// The tables of this scope, then those of another one.
    pub(super) fn beside(&self, right: &Self) -> Self {
        let width = self.schema.len();
        let shifted = right.relations.iter().map(|r| Relation { start: r.start + width, ..r.clone() });
        let merged = right.merged.iter().map(|merged| Merged {
            name: merged.name.clone(),
            value: merged.value.clone().map_columns(&mut |column| column + width),
            columns: merged.columns.iter().map(|column| column + width).collect(),
        });
        Self {
            relations: self.relations.iter().cloned().chain(shifted).collect(),
            schema: self.schema.columns.iter().chain(&right.schema.columns).cloned().collect(),
            merged: self.merged.iter().cloned().chain(merged).collect(),
            visible: self.visible.clone(),
            sub_queries: RefCell::default(),
        }
    }

    /// The scope of a join: the columns of a side that may be missing may be NULL, and a semi join
    /// has no right side.
    pub(super) fn padded(mut self, left_width: usize, kind: JoinKind) -> Self {
        for (column, nullable) in
            self.schema.columns.iter_mut().enumerate().map(|(i, column)| {
                (column, if i < left_width { kind.keeps_right() } else { kind.keeps_left() })
            })
        {
            column.data_type.nullable |= nullable;
        }
        if kind.gives_left_only() {
            self.relations.retain(|relation| relation.start < left_width);
            self.merged.retain(|merged| merged.columns.iter().all(|&column| column < left_width));
            self.schema.columns.truncate(left_width);
        }
        self
    }

    /// The scope of a join with columns that are there once.
    pub(super) fn merging(mut self, columns: Vec<Shared>, kind: JoinKind) -> Self {
        if kind.gives_left_only() {
            return self;
        }
        let mut all = Vec::new();
        for Shared { name, left, right } in columns {
            let read = left.columns().into_iter().chain(right.columns()).collect();
            let value = match kind {
                JoinKind::Right => right,
                JoinKind::Full => Expr::call("COALESCE", vec![nullable(left), nullable(right)])
                    .expect("what can be compared has a common type"),
                _ => left,
            };
            self.merged.retain(|merged| merged.name != name);
            all.push(Merged { name, value, columns: read });
        }
        all.append(&mut self.merged);
        self.merged = all;
        self
    }

    /// The first name that two tables have, where it stands for the second time.
    pub(super) fn name_given_twice(&self) -> Option<&Ident> {
        let names: Vec<&Ident> =
            self.relations.iter().filter_map(|relation| relation.name.as_ref()).collect();
        let is_known = |i: usize, name: &Ident| names[..i].iter().any(|other| other.value == name.value);
        names.iter().enumerate().find(|(i, name)| is_known(*i, name)).map(|(_, name)| *name)
    }

    /// The names that both scopes have, in the order of this one.
    pub(super) fn names_in_common<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = &'a str> {
        let has = |name: &&str| other.schema.names().any(|other| other == *name);
        self.schema.names().filter(has)
    }

    /// What `*` stands for: each column with its name.
    pub(super) fn all_columns(&self) -> Vec<(String, Expr)> {
        let merged = self.merged.iter().map(|merged| (merged.name.clone(), merged.value.clone()));
        let is_merged = |column: usize| self.merged.iter().any(|merged| merged.columns.contains(&column));
        let others = (0..self.schema.len()).filter(|&column| !is_merged(column));
        merged.chain(others.map(|column| self.column(column))).collect()
    }

    /// What `table.*` stands for: each column with its name.
    pub(super) fn columns_of(&self, table: &Ident) -> Result<Vec<(String, Expr)>, PlanError> {
        let relation = self.relation(table)?;
        Ok((relation.start..relation.start + relation.width).map(|column| self.column(column)).collect())
    }

    fn column(&self, column: usize) -> (String, Expr) {
        let Column { name, data_type } = &self.schema.columns[column];
        (name.clone(), Expr::column(column, data_type.clone()))
    }

    fn relation(&self, table: &Ident) -> Result<&Relation, PlanError> {
        let relation = self.relations.iter().find(|relation| relation.is_named(table));
        relation.ok_or_else(|| self.no_such_relation(table))
    }

    /// What a name, with or without a table and with fields behind it, means: here, or else in
    /// the query around.
    pub(super) fn resolve(&self, parts: &[Ident]) -> Result<Expr, PlanError> {
        match self.resolve_here(parts)? {
            Ok(expr) => Ok(expr),
            Err(missing) => match &self.visible.outer {
                Some(outer) => {
                    let expr = outer.resolve(parts).map_err(|_| missing)?;
                    Ok(expr.map_columns(&mut |column| column + OUTER))
                }
                None => Err(missing),
            },
        }
    }

    /// What a name means in this scope; the inner error says that it has no such name.
    fn resolve_here(&self, parts: &[Ident]) -> Result<Result<Expr, PlanError>, PlanError> {
        let (first, rest) = parts.split_first().expect("a name has a part");
        if let [second, fields @ ..] = rest {
            let named = self.relations.iter().filter(|relation| relation.is_named(first));
            for relation in named {
                let range = relation.start..relation.start + relation.width;
                if let Some(column) = self.find_in(range, second)? {
                    return access(column, fields).map(Ok);
                }
            }
        }
        if let Some(merged) = self.merged.iter().find(|merged| merged.name == first.value) {
            return access(merged.value.clone(), rest).map(Ok);
        }
        if let Some(column) = self.find_in(0..self.schema.len(), first)? {
            // What is no row may still have the name of a table outside.
            return Ok(access(column, rest));
        }
        Ok(Err(match rest {
            [] => self.no_such_column(first, 0..self.schema.len()),
            [second, ..] => match self.relation(first) {
                Ok(relation) => self.no_such_column(second, relation.start..relation.start + relation.width),
                Err(error) => error,
            },
        }))
    }

    fn find_in(&self, range: std::ops::Range<usize>, name: &Ident) -> Result<Option<Expr>, PlanError> {
        let mut found = range.filter(|&column| self.schema.columns[column].name == name.value);
        let Some(column) = found.next() else { return Ok(None) };
        if let Some(other) = found.next() {
            let candidates = [column, other].map(|column| self.qualified(column)).to_vec();
            let kind = PlanErrorKind::AmbiguousColumn { name: name.value.clone(), candidates };
            return Err(kind.at(name.span));
        }
        Ok(Some(Expr::column(column, self.schema.columns[column].data_type.clone())))
    }

    fn qualified(&self, column: usize) -> String {
        let relation = self.relations.iter().find(|r| (r.start..r.start + r.width).contains(&column));
        let name = &self.schema.columns[column].name;
        match relation.and_then(|relation| relation.name.as_ref()) {
            Some(relation) => format!("{}.{name}", relation.value),
            None => name.clone(),
        }
    }

    fn no_such_column(&self, name: &Ident, range: std::ops::Range<usize>) -> PlanError {
        let names = self.schema.columns[range].iter().map(|column| column.name.as_str());
        PlanErrorKind::no_such_column(&name.value, names).at(name.span)
    }

    fn no_such_relation(&self, name: &Ident) -> PlanError {
        let name_of = |relation: &Relation| relation.name.as_ref().map(|name| name.value.clone());
        let aliased = self.relations.iter().find(|relation| relation.table.as_ref() == Some(&name.value));
        let names: Vec<String> = self.relations.iter().filter_map(name_of).collect();
        let nearest =
            aliased.and_then(name_of).or_else(|| nearest(&name.value, names.iter().map(String::as_str)));
        PlanErrorKind::NoSuchRelation { name: name.value.clone(), nearest, tables: names }.at(name.span)
    }
}

fn nullable(mut expr: Expr) -> Expr {
    expr.data_type.nullable = true;
    expr
}

/// A field of a field … of a column.
fn access(column: Expr, fields: &[Ident]) -> Result<Expr, PlanError> {
    fields.iter().try_fold(column, field)
}

/// A field of a row, by its name.
pub(super) fn field(row: Expr, name: &Ident) -> Result<Expr, PlanError> {
    let TypeKind::Row(fields) = &row.data_type.kind else {
        let data_type = row.data_type.kind.to_string();
        return Err(PlanErrorKind::NoFields { name: name.value.clone(), data_type }.at(name.span));
    };
    let Some(index) = fields.iter().position(|field| field.name == name.value) else {
        let names = fields.iter().map(|field| field.name.clone()).collect::<Vec<_>>();
        let nearest = nearest(&name.value, names.iter().map(String::as_str));
        let (name, span) = (name.value.clone(), name.span);
        let kind = PlanErrorKind::NoSuchField { name, nearest, fields: names };
        return Err(kind.at(span));
    };
    Ok(row.field(index).map_err(PlanErrorKind::from)?)
}

/// The whole stretch of a dotted name.
pub(super) fn span_of(parts: &[Ident]) -> Span {
    let spans = parts.iter().map(|part| Span::from(part.span));
    spans.reduce(Span::union).unwrap_or_else(|| sqlparser::tokenizer::Span::empty().into())
}
