//! Which program wrote a change event, and how to read it.

mod column;
mod image;
mod service;
mod store;
mod wal;

use indexmap::IndexMap;
use serde_json::Value as Json;

use super::call::Call;
use super::merge::Merge;
use super::shape::{Number, Object, Shape};
use super::text::TextKind;
use super::{literal, quoted};
use crate::value::{DataType, TypeKind};

/// What was recognised.
#[derive(Debug, PartialEq)]
pub(super) struct Events {
    pub(super) read: Read,
    /// Each is a line.
    pub(super) remarks: Vec<String>,
}

/// How events are read as changes.
#[derive(Debug, PartialEq)]
pub(super) enum Read {
    /// The table has a format that reads them.
    Format(EventFormat),
    /// A query makes changes of its rows.
    Call(Call),
    /// A query puts rows together of them.
    Merge(Merge),
}

impl Read {
    /// The query, for a table with these columns, some of which get the types that it needs.
    pub(super) fn query(&self, table: &str, columns: &mut [(String, DataType)]) -> Option<String> {
        match self {
            Self::Format(_) => None,
            Self::Call(call) => {
                super::retype(columns, &call.types);
                let names: Vec<&str> = columns.iter().map(|(name, _)| name.as_str()).collect();
                Some(call.text(table, &names))
            }
            Self::Merge(merge) => Some(merge.text(table)),
        }
    }
}

/// A format of events.
#[derive(Debug, PartialEq)]
pub(super) struct EventFormat {
    pub(super) name: &'static str,
    pub(super) options: Vec<(String, String)>,
    /// What rows look like.
    pub(super) row: Object,
    /// The types that are known of columns.
    pub(super) types: Vec<(String, DataType)>,
}

/// What may read events.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum By {
    /// A format where there is one, or else a query.
    FormatOrQuery,
    /// A query, as formats of events read no lines with more than the event.
    Query,
}

/// Recognises the events of a program, or else rows with a code in one of their columns. What documents have in
/// common is changed where the parts of an event must be of one type.
pub(super) fn recognise(documents: &[Json], object: &mut Object, by: By) -> Option<Events> {
    recognise_program(documents, object, by).or_else(|| recognise_columns(documents, object))
}

/// Recognises the events of a program.
pub(super) fn recognise_program(documents: &[Json], object: &mut Object, by: By) -> Option<Events> {
    image::debezium(documents, object, by)
        .or_else(|| image::canal(documents, object, by))
        .or_else(|| image::maxwell(documents, object, by))
        .or_else(|| image::ogg(documents, object, by))
        .or_else(|| store::dynamodb(documents, object))
        .or_else(|| store::mongodb(documents, object))
        .or_else(|| store::dms(documents, object))
        .or_else(|| wal::second(documents, object))
        .or_else(|| wal::first(documents, object))
        .or_else(|| service::salesforce(documents, object))
        .or_else(|| service::shopify(documents, object))
        .or_else(|| listed_records(documents, object))
        .filter(Events::have_rows)
}

/// Recognises rows with a code in one of their columns.
pub(super) fn recognise_columns(documents: &[Json], object: &mut Object) -> Option<Events> {
    column::recognise(documents, object).filter(Events::have_rows)
}

/// Events in a list that is all there is in a document: `{"Records": [events]}`.
fn listed_records(documents: &[Json], object: &mut Object) -> Option<Events> {
    let (name, member) = object.members.first().filter(|_| object.members.len() == 1)?;
    let (name, Shape::Array(element)) = (name.clone(), &member.shape) else { return None };
    let mut record = element.object()?.clone();
    if record.get(&name).is_some() {
        return None;
    }
    let records = documents.iter().filter_map(|document| at(document, &[&name])?.as_array());
    let records: Vec<Json> = records.flatten().cloned().collect();
    let Events { read: Read::Call(mut call), remarks } = recognise(&records, &mut record, By::Query)? else {
        return None;
    };
    if call.from.is_some() || !call.types.is_empty() {
        return None;
    }
    let columns: Vec<String> = record.members.keys().map(|name| quoted(name)).collect();
    call.from = Some(format!("{{}} CROSS JOIN UNNEST({}) AS r ({})", quoted(&name), columns.join(", ")));
    object.members.get_mut(&name)?.shape = Shape::Array(Box::new(Shape::Object(record)));
    Some(Events { read: Read::Call(call), remarks })
}

/// Codes with their number, in the order in which they came.
type Codes = IndexMap<String, usize>;

/// What stands at a path of a document.
fn at<'a>(document: &'a Json, path: &[&str]) -> Option<&'a Json> {
    path.iter().try_fold(document, |value, name| value.get(name)).filter(|value| !value.is_null())
}

/// The text of a string or number.
pub(super) fn code_of(value: &Json) -> Option<String> {
    match value {
        Json::String(text) => Some(text.clone()),
        Json::Number(number) => Some(number.to_string()),
        Json::Null | Json::Bool(_) | Json::Array(_) | Json::Object(_) => None,
    }
}

/// Counts what stands at a path.
fn tally<'a>(documents: impl IntoIterator<Item = &'a Json>, path: &[&str]) -> Codes {
    let mut codes = Codes::new();
    for code in documents.into_iter().filter_map(|document| code_of(at(document, path)?)) {
        *codes.entry(code).or_default() += 1;
    }
    codes
}

/// Counts what stands at a path, if all documents have objects around it, so that a query can name it.
fn tally_within<'a>(documents: impl IntoIterator<Item = &'a Json>, object: &Object, path: &[&str]) -> Codes {
    let (_, outer) = path.split_last().unwrap_or((&"", &[]));
    if object.object_at(outer).is_some() { tally(documents, path) } else { Codes::new() }
}

/// Whether more than half of the documents that are objects have something at a path.
fn is_usual(documents: &[Json], path: &[&str]) -> bool {
    let objects = documents.iter().filter(|document| document.is_object());
    let (mut all, mut having) = (0, 0);
    for document in objects {
        all += 1;
        having += usize::from(at(document, path).is_some());
    }
    having * 2 > all
}

/// `c 3, u 1`
fn listed(codes: &Codes) -> String {
    let items: Vec<String> = codes.iter().map(|(code, count)| format!("{code} {count}")).collect();
    items.join(", ")
}

/// The remark that says who wrote the events and which operations there are.
fn introduction(system: &str, codes: &Codes) -> String {
    format!("{system}: {}.", listed(codes))
}

/// The table that most events are about, if there are several.
fn main_table(tables: &Codes, remarks: &mut Vec<String>) -> Option<String> {
    if tables.len() < 2 {
        return None;
    }
    let (main, _) = tables.iter().rev().max_by_key(|(_, count)| **count)?;
    remarks.push(format!("The events are of several tables: {}. Those of {main} are read.", listed(tables)));
    Some(main.clone())
}

/// The entries of a mapping that knows what codes of a program mean, and whether there are codes that it does not
/// know.
fn mapping(known: &[(&str, &'static str)], codes: &Codes) -> (Vec<(String, &'static str)>, bool) {
    let is_known = |code: &str| known.iter().any(|(codes, _)| codes.split(", ").any(|known| known == code));
    let skips = codes.keys().any(|code| !is_known(code));
    (known.iter().map(|(codes, kind)| ((*codes).to_owned(), *kind)).collect(), skips)
}

/// The columns that most likely say which row it is.
pub(super) fn likely_key(names: &[&str]) -> Vec<String> {
    let find = |wanted: &dyn Fn(&str) -> bool| names.iter().copied().find(|name| wanted(name));
    if let (Some(one), Some(other)) = (find(&|name| name == "pk"), find(&|name| name == "sk")) {
        return vec![one.to_owned(), other.to_owned()];
    }
    let lower = |name: &str| name.to_ascii_lowercase();
    let exact = ["id", "_id", "uuid", "pk", "key"]
        .into_iter()
        .find_map(|wanted| find(&|name: &str| lower(name) == wanted));
    let ends = |name: &str| name.ends_with("Id") || name.ends_with("ID") || lower(name).ends_with("_id");
    let key = exact.or_else(|| find(&ends)).or_else(|| names.first().copied());
    key.map(str::to_owned).into_iter().collect()
}

impl Events {
    /// Whether there is something in their rows, and also what is said to be their key.
    fn have_rows(&self) -> bool {
        match &self.read {
            Read::Format(format) => !format.row.members.is_empty(),
            Read::Call(call) => {
                let is_column = |key: &String| call.columns.iter().any(|(column, _)| column == key);
                !call.columns.is_empty() && call.key.iter().all(is_column)
            }
            Read::Merge(merge) => !merge.columns.is_empty(),
        }
    }

    /// Takes these columns for those that say which row an event is about, if it has them and they were guessed.
    pub(super) fn know_key(&mut self, key: &[String]) {
        let Read::Call(call) = &mut self.read else { return };
        let has = |name: &String| call.columns.iter().any(|(column, _)| column == name);
        if key.is_empty() || call.key.is_empty() || !key.iter().all(has) {
            return;
        }
        let guessed = guess(&call.key);
        self.remarks.retain(|remark| *remark != guessed);
        call.key = key.to_vec();
    }
}

/// The remark about a key that was guessed.
fn guess(key: &[String]) -> String {
    format!("The key was guessed: {}.", key.join(", "))
}

/// The expression for a value behind another expression, taken out of what MongoDB puts around it:
/// `{"$numberDecimal": "1.50"}`.
fn unwrapped(expression: String, shape: &Shape) -> String {
    let Some(object) = shape.object().filter(|object| object.members.len() == 1) else { return expression };
    let Some((name, member)) = object.members.first().filter(|(name, _)| name.starts_with('$')) else {
        return expression;
    };
    let inner = format!("{expression}.{}", quoted(name));
    match &member.shape {
        Shape::Text(TextKind::Number(number)) if name.starts_with("$number") => number_of(&inner, *number),
        _ => inner,
    }
}

/// The number that a text holds.
fn number_of(expression: &str, number: Number) -> String {
    format!("CAST({expression} AS {})", number.data_type())
}

/// The columns of an object behind an expression, or of the document if that is empty.
fn columns_of(base: &str, object: &Object) -> Vec<(String, String)> {
    let dot = if base.is_empty() { "" } else { "." };
    let column =
        |name: &String, shape| (name.clone(), unwrapped(format!("{base}{dot}{}", quoted(name)), shape));
    object.members.iter().map(|(name, member)| column(name, &member.shape)).collect()
}

/// The names of columns.
fn names(columns: &[(String, String)]) -> Vec<&str> {
    columns.iter().map(|(name, _)| name.as_str()).collect()
}

/// `path = 'value'`
fn equals(path: &[&str], value: &str) -> String {
    format!("{} = {}", path_of(path), literal(value))
}

/// An expression for a path.
fn path_of(path: &[&str]) -> String {
    path.iter().map(|name| quoted(name)).collect::<Vec<_>>().join(".")
}

/// The type of a column that a database calls `numeric(12,2)`.
fn decimal(text: &str) -> DataType {
    let inside =
        text.split_once('(').and_then(|(_, rest)| rest.split_once(')')).map_or("", |(inside, _)| inside);
    let mut digits = inside.split(',').map(|digits| digits.trim().parse::<u8>().ok());
    let precision = digits.next().flatten().unwrap_or(38).clamp(1, 38);
    let scale = digits.next().flatten().unwrap_or(0).min(precision);
    DataType::new(TypeKind::Decimal { precision, scale })
}
