//! `UNNEST`.

use super::super::RunError;
use super::super::operator::Operator;
use crate::changelog::{Changes, RowKind};
use crate::expr::Context;
use crate::plan::node::Unnest as Spec;
use crate::value::{RowText, TypeKind, Value};

/// Each row once for each element of a collection that it has, beside the element. Stateless:
/// what a row added, its retraction takes back.
pub(in crate::exec) struct Unnest {
    spec: Spec,
    context: Context,
    row_text: RowText,
    element: Vec<Value>,
}

impl Unnest {
    pub(in crate::exec) fn new(spec: Spec, context: Context, row_text: RowText) -> Self {
        Self { spec, context, row_text, element: Vec::new() }
    }

    /// Makes the columns of an element.
    fn take_apart(&mut self, parts: &[Value], position: usize) {
        self.element.clear();
        self.element.extend_from_slice(parts);
        // A NULL instead of a ROW has only NULLs.
        self.element.resize(self.spec.elements, Value::NULL);
        if self.spec.ordinality {
            self.element.push(Value::integer(i64::try_from(position).unwrap_or(i64::MAX)));
        }
    }
}

impl Operator for Unnest {
    fn process(&mut self, _port: usize, input: &Changes, out: &mut Changes) -> Result<(), RunError> {
        for change in input.iter() {
            self.context.now = change.cause.arrival;
            let collection = self.spec.collection.eval(change.row, &self.context);
            let collection = collection.map_err(|error| RunError::Eval {
                error,
                row: self.row_text.of(change.row),
                cause: change.cause,
            })?;
            let of_rows = match &self.spec.collection.data_type.kind {
                TypeKind::Array(element) | TypeKind::Multiset(element) => {
                    matches!(element.kind, TypeKind::Row(_))
                }
                _ => false,
            };
            let mut position = 0;
            let mut give = |this: &mut Self, parts: &[Value], kind: RowKind| {
                position += 1;
                this.take_apart(parts, position);
                out.push_joined(kind, change.cause, change.row, &this.element);
            };
            // A number says how often the row itself comes.
            for _ in 0..collection.as_integer().unwrap_or_default() {
                give(self, &[], change.kind);
            }
            if let Some(items) = collection.as_list() {
                for item in items {
                    let parts =
                        if of_rows { item.as_list().unwrap_or_default() } else { std::slice::from_ref(item) };
                    give(self, parts, change.kind);
                }
            } else if let Some(entries) = collection.as_entries() {
                let is_map = matches!(self.spec.collection.data_type.kind, TypeKind::Map(..));
                for (key, value) in entries {
                    if is_map {
                        give(self, &[key.clone(), value.clone()], change.kind);
                        continue;
                    }
                    // The elements of a MULTISET with how often they occur.
                    for _ in 0..value.as_integer().unwrap_or_default() {
                        give(
                            self,
                            if of_rows {
                                key.as_list().unwrap_or_default()
                            } else {
                                std::slice::from_ref(key)
                            },
                            change.kind,
                        );
                    }
                }
            }
            if position == 0 && self.spec.keeps_left {
                self.element.clear();
                self.element.resize(out.width() - change.row.len(), Value::NULL);
                out.push_joined(change.kind, change.cause, change.row, &self.element);
            }
        }
        Ok(())
    }
}
