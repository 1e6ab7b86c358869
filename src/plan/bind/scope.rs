//! Which names mean which columns.

use sqlparser::ast::Ident;

use super::super::error::{PlanError, PlanErrorKind};
use super::nearest;
use crate::expr::Expr;
use crate::sql::Span;
use crate::value::{Schema, TypeKind};

/// The tables of a FROM clause, side by side.
#[derive(Debug, Clone, Default)]
pub(super) struct Scope {
    relations: Vec<Relation>,
    schema: Schema,
}

/// A table of a FROM clause.
#[derive(Debug, Clone)]
struct Relation {
    name: Option<String>,
    start: usize,
    width: usize,
}

impl Scope {
    /// The columns of one table, under a name if it has one.
    pub(super) fn of(name: Option<&str>, schema: &Schema) -> Self {
        let relation = Relation { name: name.map(str::to_owned), start: 0, width: schema.len() };
        Self { relations: vec![relation], schema: schema.clone() }
    }

    /// All columns.
    pub(super) fn schema(&self) -> &Schema {
        &self.schema
    }

    /// The positions of the columns of a table, or of all.
    pub(super) fn columns_of(&self, table: &Ident) -> Result<std::ops::Range<usize>, PlanError> {
        let relation = self.relations.iter().find(|relation| relation.name.as_ref() == Some(&table.value));
        let relation = relation.ok_or_else(|| self.no_such_relation(table))?;
        Ok(relation.start..relation.start + relation.width)
    }

    /// What a name, with or without a table and with fields behind it, means.
    pub(super) fn resolve(&self, parts: &[Ident]) -> Result<Expr, PlanError> {
        let [first, rest @ ..] = parts else {
            return Err(PlanErrorKind::unsupported("an empty name").into());
        };
        if let [second, fields @ ..] = rest {
            let named = self.relations.iter().filter(|relation| relation.name.as_ref() == Some(&first.value));
            for relation in named {
                let range = relation.start..relation.start + relation.width;
                if let Some(column) = self.find_in(range, second)? {
                    return access(column, fields);
                }
            }
        }
        if let Some(column) = self.find_in(0..self.schema.len(), first)? {
            return access(column, rest);
        }
        Err(match rest {
            [] => self.no_such_column(first, 0..self.schema.len()),
            [second, ..] => match self.columns_of(first) {
                Ok(range) => self.no_such_column(second, range),
                Err(error) => error,
            },
        })
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
            Some(relation) => format!("{relation}.{name}"),
            None => name.clone(),
        }
    }

    fn no_such_column(&self, name: &Ident, range: std::ops::Range<usize>) -> PlanError {
        let names = self.schema.columns[range].iter().map(|column| column.name.as_str());
        let nearest = nearest(&name.value, names);
        PlanErrorKind::NoSuchColumn { name: name.value.clone(), nearest }.at(name.span)
    }

    fn no_such_relation(&self, name: &Ident) -> PlanError {
        let names = self.relations.iter().filter_map(|relation| relation.name.as_deref());
        let nearest = nearest(&name.value, names);
        PlanErrorKind::NoSuchRelation { name: name.value.clone(), nearest }.at(name.span)
    }
}

/// A field of a field … of a column.
fn access(column: Expr, fields: &[Ident]) -> Result<Expr, PlanError> {
    fields.iter().try_fold(column, field)
}

/// A field of a row, by its name.
pub(super) fn field(row: Expr, name: &Ident) -> Result<Expr, PlanError> {
    let TypeKind::Row(fields) = &row.data_type.kind else {
        let data_type = row.data_type.kind.to_string();
        let kind = PlanErrorKind::NoSuchField { name: name.value.clone(), data_type, nearest: None };
        return Err(kind.at(name.span));
    };
    let Some(index) = fields.iter().position(|field| field.name == name.value) else {
        let nearest = nearest(&name.value, fields.iter().map(|field| field.name.as_str()));
        let data_type = row.data_type.kind.to_string();
        let kind = PlanErrorKind::NoSuchField { name: name.value.clone(), data_type, nearest };
        return Err(kind.at(name.span));
    };
    Ok(row.field(index).map_err(PlanErrorKind::from)?)
}

/// The whole stretch of a dotted name.
pub(super) fn span_of(parts: &[Ident]) -> Span {
    let spans = parts.iter().map(|part| Span::from(part.span));
    spans.reduce(Span::union).unwrap_or_else(|| sqlparser::tokenizer::Span::empty().into())
}
