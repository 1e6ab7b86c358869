//! INSERT.

use sqlparser::ast::{Ident, Query, SelectItem, SetExpr, Spanned};

use super::super::error::{PlanError, PlanErrorKind};
use super::super::node::{OnConflict, Op, Plan, Sink};
use super::{Binder, Visible, table_name};
use crate::catalog::{ColumnSource, Entry, Table, TableId};
use crate::changelog::{Cause, Changes, RowKind};
use crate::connect::ConnectError;
use crate::expr::Expr;
use crate::sql::statement::{Insert, InsertSource};
use crate::sql::{self, Literal, LiteralRows, Span};
use crate::value::cast::is_castable;
use crate::value::{Column, DataType, RowText, Schema, TypeKind, Value};

/// A bound INSERT.
#[derive(Debug, Clone)]
pub struct BoundInsert {
    /// The table that takes the rows.
    pub table: TableId,
    /// Its name.
    pub name: String,
    /// Where the name stands.
    pub span: Span,
    /// Where the rows come from.
    pub source: BoundSource,
}

/// Where inserted rows come from.
#[derive(Debug, Clone)]
pub enum BoundSource {
    /// Rows of literals, all of kind `+I`, over the stored columns.
    Rows(Changes),
    /// `VALUES` with expressions, which is read at once.
    Values(Plan),
    /// A query, which goes on to be read.
    Query(Plan),
}

impl Binder<'_> {
    /// Binds an INSERT.
    ///
    /// # Errors
    /// When the table, the columns or the query are wrong.
    pub fn bind_insert(&self, insert: &Insert) -> Result<BoundInsert, PlanError> {
        let (name, hint) = sql::table_options(&insert.table).map_err(|error| Self::syntax(&error))?;
        let name = table_name(&name)?;
        let own = match self.catalog.get(&name.value) {
            Some(Entry::Table(table)) => table,
            Some(Entry::View(_)) => {
                return Err(PlanErrorKind::InsertIntoView { name: name.value.clone() }.at(name.span));
            }
            None => return Err(self.no_such_table(&name)),
        };
        let variant = hint.map(|hint| self.variant(&name, own, &hint)).transpose()?;
        let table = variant.as_ref().map_or(&**own, |variant| &variant.table);
        if let Some(connector) = table.connector.as_ref().filter(|connector| !connector.is_sink()) {
            let error = ConnectError::NotASink { connector: connector.name() };
            return Err(PlanErrorKind::from(error).at(name.span));
        }
        if insert.overwrite {
            let instead = "Use INSERT INTO; TRUNCATE TABLE empties a table first.";
            return Err(PlanErrorKind::refused("INSERT OVERWRITE", instead).at(name.span));
        }
        let on_conflict = match insert.on_conflict {
            None => OnConflict::Unspecified,
            Some(crate::sql::statement::OnConflict::Deduplicate) => OnConflict::Deduplicate,
            Some(crate::sql::statement::OnConflict::Error) => OnConflict::Error,
            Some(crate::sql::statement::OnConflict::Nothing) => OnConflict::Nothing,
        };
        if insert.on_conflict.is_some()
            && (table.stored_key().is_none() || !table.mode.changelog_mode().is_upsert())
        {
            return Err(PlanErrorKind::OnConflictWithoutKey { table: name.value.clone() }.at(name.span));
        }
        let options = variant.as_ref().map_or_else(Vec::new, |variant| variant.hint.clone());
        let target = Target { options, ..Target::new(&name, table, &insert.columns)? };
        let source = match &insert.source {
            InsertSource::Rows(rows) => {
                if let Some(changes) = self.literal_rows(rows, &target)? {
                    BoundSource::Rows(changes)
                } else {
                    let query = rows.to_query().map_err(|error| Self::syntax(&error))?;
                    self.insert_query(&query, &target, on_conflict)?
                }
            }
            InsertSource::Query(query) => self.insert_query(query, &target, on_conflict)?,
        };
        Ok(BoundInsert { table: table.id, name: name.value, span: name.span.into(), source })
    }

    fn insert_query(
        &self,
        query: &Query,
        target: &Target<'_>,
        on_conflict: OnConflict,
    ) -> Result<BoundSource, PlanError> {
        let plan = match &*query.body {
            SetExpr::Values(values) if is_bare(query) => self.values(values, true),
            _ => self.query(query, &Visible::default()),
        };
        let plan = plan.and_then(|plan| target.sink(plan, on_conflict, |column| place_of(query, column)));
        let plan = plan.map_err(|error| error.or_at(query.span()))?;
        let is_values = matches!(&*query.body, SetExpr::Values(_)) && query.with.is_none();
        Ok(if is_values { BoundSource::Values(plan) } else { BoundSource::Query(plan) })
    }

    /// Rows of literals as values of the table, or nothing if their types are mixed and need to be
    /// looked at together.
    fn literal_rows(&self, rows: &LiteralRows, target: &Target<'_>) -> Result<Option<Changes>, PlanError> {
        let stored = target.table.stored_schema();
        if rows.width() != target.columns.len() {
            let types: Vec<DataType> = rows.row(0).map(|literal| literal_expr(&literal).data_type).collect();
            let place = rows.span(0, 0).union(rows.span(0, rows.width().saturating_sub(1)));
            return Err(target.width_error(types.iter()).at(place));
        }
        let mut kinds: Vec<Option<std::mem::Discriminant<TypeKind>>> = vec![None; rows.width()];
        let mut changes = Changes::new(stored.len());
        let mut values = vec![Value::NULL; stored.len()];
        for row in 0..rows.len() {
            for (position, literal) in rows.row(row).enumerate() {
                let column = target.columns[position];
                let place = || rows.span(row, position);
                let expr = match &literal {
                    Literal::Null if self.strict => return Err(PlanErrorKind::UntypedNull.at(place())),
                    // The common case needs no typing.
                    Literal::Null => {
                        values[column] = Value::NULL;
                        continue;
                    }
                    literal => checked_literal(literal).map_err(|kind| kind.at(place()))?,
                };
                let class = std::mem::discriminant(&class_of(&expr.data_type.kind));
                if *kinds[position].get_or_insert(class) != class {
                    return Ok(None);
                }
                values[column] = self
                    .assigned(expr, &stored.columns[column], target)
                    .map_err(|error| error.or_at(place()))?;
            }
            for (index, (value, column)) in values.iter().zip(&stored.columns).enumerate() {
                if value.is_null() && !column.data_type.nullable && !is_metadata(target.table, index) {
                    let row_text = RowText::new(&stored, self.context.time_zone.clone());
                    let kind = PlanErrorKind::NullInNotNullColumn {
                        table: target.name.value.clone(),
                        column: column.name.clone(),
                        row: row_text.of(&values),
                    };
                    let given =
                        target.columns.iter().position(|&given| stored.columns[given].name == column.name);
                    return Err(kind.at(rows.span(row, given.unwrap_or(0))));
                }
            }
            changes.push(RowKind::Insert, Cause::default(), &values);
        }
        Ok(Some(changes))
    }

    fn assigned(&self, expr: Expr, column: &Column, target: &Target<'_>) -> Result<Value, PlanError> {
        let expr = target.assign(expr, column)?;
        expr.eval(&[], &self.context).map_err(|error| PlanErrorKind::Value(error).into())
    }
}

/// Whether a query is its body alone.
fn is_bare(query: &Query) -> bool {
    query.with.is_none() && query.order_by.is_none() && query.limit_clause.is_none() && query.fetch.is_none()
}

/// Where a column of a query is computed, if it is written out.
fn place_of(query: &Query, column: usize) -> Option<Span> {
    let is_star =
        |item: &SelectItem| matches!(item, SelectItem::Wildcard(_) | SelectItem::QualifiedWildcard(..));
    match &*query.body {
        SetExpr::Select(select) if !select.projection.iter().any(is_star) => {
            Some(select.projection.get(column)?.span().into())
        }
        SetExpr::Values(values) => Some(values.rows.first()?.content.get(column)?.span().into()),
        _ => None,
    }
}

/// The type of a literal, with integers, decimals and strings as one each, however long they are.
fn class_of(kind: &TypeKind) -> TypeKind {
    match kind {
        TypeKind::Int | TypeKind::BigInt => TypeKind::Int,
        TypeKind::Decimal { .. } => TypeKind::Decimal { precision: 1, scale: 0 },
        TypeKind::Char(_) | TypeKind::VarChar(_) => TypeKind::Char(1),
        TypeKind::Timestamp(_) => TypeKind::Timestamp(0),
        other => other.clone(),
    }
}

fn literal_expr(literal: &Literal<'_>) -> Expr {
    checked_literal(literal).unwrap_or_else(|_| Expr::literal(Value::NULL, DataType::new(TypeKind::Null)))
}

fn checked_literal(literal: &Literal<'_>) -> Result<Expr, PlanErrorKind> {
    super::literal::of_literal(literal)
}

/// The columns of a table that an INSERT gives.
pub(super) struct Target<'a> {
    name: &'a Ident,
    table: &'a Table,
    /// The options that a hint gives the table.
    options: Vec<(String, String)>,
    /// The positions among the stored columns, in the order of the INSERT.
    columns: Vec<usize>,
}

impl<'a> Target<'a> {
    pub(super) fn new(name: &'a Ident, table: &'a Table, listed: &[Ident]) -> Result<Self, PlanError> {
        let stored = table.stored_schema();
        let metadata = |column: &usize| is_metadata(table, *column);
        let read_only = table
            .columns
            .iter()
            .find(|column| matches!(column.source, ColumnSource::Metadata { is_virtual: false, .. }));
        if let Some(column) = read_only {
            let problem = format!("METADATA column \"{}\" cannot be written", column.column.name);
            let hint = "Declare it VIRTUAL, and it is left out.";
            return Err(PlanErrorKind::definition(problem, hint).at(name.span));
        }
        if listed.is_empty() {
            return Ok(Self {
                name,
                table,
                options: Vec::new(),
                columns: (0..stored.len()).filter(|i| !metadata(i)).collect(),
            });
        }
        let mut columns = Vec::new();
        for column in listed {
            let index = stored_column(table, column)?;
            if metadata(&index) {
                return Err(PlanErrorKind::ComputedColumn { column: column.value.clone() }.at(column.span));
            }
            if columns.contains(&index) {
                return Err(PlanErrorKind::AssignedTwice { name: column.value.clone() }.at(column.span));
            }
            columns.push(index);
        }
        let missing = stored.columns.iter().enumerate();
        let missing = missing.filter(|(index, column)| {
            !columns.contains(index) && !metadata(index) && !column.data_type.nullable
        });
        if let Some((_, column)) = missing.into_iter().next() {
            return Err(PlanErrorKind::MissingColumn { column: column.name.clone() }.at(listed[0].span));
        }
        Ok(Self { name, table, options: Vec::new(), columns })
    }

    /// The position of a column among the stored ones.
    pub(super) fn column(&self, column: &Ident) -> Result<usize, PlanError> {
        stored_column(self.table, column)
    }

    fn width_error<'b>(&self, types: impl Iterator<Item = &'b DataType>) -> PlanErrorKind {
        let types: Vec<String> = types.map(DataType::to_string).collect();
        let stored = self.table.stored_schema();
        let sink = self.columns.iter().map(|&column| {
            let Column { name, data_type } = &stored.columns[column];
            format!("{name} {data_type}")
        });
        PlanErrorKind::InsertWidth {
            table: self.name.value.clone(),
            expected: self.columns.len(),
            given: types.len(),
            sink: sink.collect::<Vec<_>>().join(", "),
            query: types.join(", "),
        }
    }

    /// An expression as a value of a column.
    pub(super) fn assign(&self, expr: Expr, column: &Column) -> Result<Expr, PlanError> {
        let given = expr.data_type.clone();
        // NULL is refused when a row has it, not by its type.
        let to = column.data_type.clone().with_nullable(true);
        Expr::assign(expr, &to).map_err(|_| {
            let kind = PlanErrorKind::InsertType {
                table: self.name.value.clone(),
                column: column.name.clone(),
                expected: to.kind.to_string(),
                given: given.kind.to_string(),
                castable: is_castable(&given, &to),
            };
            kind.into()
        })
    }

    /// The query with the table's columns, and the table above it.
    fn sink(
        &self,
        plan: Plan,
        on_conflict: OnConflict,
        place: impl Fn(usize) -> Option<Span>,
    ) -> Result<Plan, PlanError> {
        let stored = self.table.stored_schema();
        if plan.schema.len() != self.columns.len() {
            return Err(self.width_error(plan.schema.types()).into());
        }
        let given = plan.identity();
        let mut projection = Vec::with_capacity(stored.len());
        for (index, column) in stored.columns.iter().enumerate() {
            projection.push(match self.columns.iter().position(|&listed| listed == index) {
                Some(position) => {
                    let assigned = self.assign(given[position].clone(), column);
                    assigned.map_err(|error| PlanError { span: place(position), ..error })?
                }
                None => Expr::literal(Value::NULL, column.data_type.clone().with_nullable(true)),
            });
        }
        // EXPLAIN shows the columns under the names that the query gave them.
        let names = (0..stored.len()).map(|index| {
            let position = self.columns.iter().position(|&listed| listed == index);
            position
                .map_or_else(|| stored.columns[index].name.clone(), |p| plan.schema.columns[p].name.clone())
        });
        let names = names.collect();
        let plan = plan.calc(None, projection, names);
        let name = self.name.value.clone();
        Ok(Self::with_sink(plan, name, self.table, self.options.clone(), on_conflict))
    }

    fn with_sink(
        plan: Plan,
        name: String,
        table: &Table,
        options: Vec<(String, String)>,
        on_conflict: OnConflict,
    ) -> Plan {
        let stored = table.stored_schema();
        let not_null = (0..stored.len())
            .filter(|&column| !stored.columns[column].data_type.nullable && !is_metadata(table, column));
        let sink = Sink {
            table: Some(table.id),
            name,
            options,
            accepts: table.mode.changelog_mode(),
            key: table.stored_key().map(<[usize]>::to_vec),
            not_null: not_null.collect(),
            on_conflict,
            materialize: false,
        };
        Plan::new(Op::Sink(sink), vec![plan], stored)
    }
}

/// Whether a column, by its position among the stored ones, is METADATA.
fn is_metadata(table: &Table, column: usize) -> bool {
    table.stored_source(column).is_some_and(ColumnSource::is_metadata)
}

/// The position of a column among the stored ones of a table.
fn stored_column(table: &Table, column: &Ident) -> Result<usize, PlanError> {
    let stored = table.stored_schema();
    stored.index_of(&column.value).ok_or_else(|| {
        let name = column.value.clone();
        if table.schema().index_of(&name).is_some() {
            return PlanErrorKind::ComputedColumn { column: name }.at(column.span);
        }
        PlanErrorKind::no_such_column(&name, stored.names()).at(column.span)
    })
}

impl Plan {
    /// A query whose result is shown: a sink that takes all kinds and has no key.
    #[must_use]
    pub fn collected(self, strict: bool) -> Self {
        let schema: Schema = self.schema.clone();
        // Flink checks them here, too.
        let not_null =
            (0..schema.len()).filter(|&column| strict && !schema.columns[column].data_type.nullable);
        let not_null = not_null.collect();
        let sink = Sink {
            table: None,
            name: "*collect*".to_owned(),
            options: Vec::new(),
            accepts: crate::changelog::ChangelogMode::RETRACT,
            key: None,
            not_null,
            on_conflict: OnConflict::Unspecified,
            materialize: false,
        };
        Self::new(Op::Sink(sink), vec![self], schema)
    }

    /// A query whose result goes into a new table as it is.
    #[must_use]
    pub fn into_table(self, name: &str, table: &Table) -> Self {
        Target::with_sink(self, name.to_owned(), table, Vec::new(), OnConflict::Unspecified)
    }
}
