//! What PostgreSQL writes through wal2json, in both of its formats.

use indexmap::IndexMap;
use serde_json::Value as Json;

use super::super::call::Call;
use super::super::shape::{Object, Shape};
use super::{
    Codes, Events, Read, at, code_of, decimal, guess, introduction, is_usual, likely_key, literal,
    main_table, quoted, tally,
};
use crate::value::{DataType, Field, TypeKind};

/// Columns with their types, as PostgreSQL calls them.
type Columns = IndexMap<String, String>;

/// Format 2: `{"action", "table", "columns": [{"name", "type", "value"}], "identity": […]}`.
pub(super) fn second(documents: &[Json], object: &mut Object) -> Option<Events> {
    if !is_usual(documents, &["action"]) || object.get("columns").or(object.get("identity")).is_none() {
        return None;
    }
    let rows: Vec<&Json> = documents
        .iter()
        .filter(|document| ["columns", "identity"].iter().any(|name| at(document, &[name]).is_some()))
        .collect();
    let codes = tally(documents, &["action"]);
    let mut remarks = vec![introduction("wal2json, format 2", &codes)];
    let tables = tally(rows.iter().copied(), &["table"]);
    let main = main_table(&tables, &mut remarks).or_else(|| tables.keys().next().cloned())?;
    let mut columns = Columns::new();
    let mut keys = None;
    for row in rows.iter().filter(|row| at(row, &["table"]).and_then(Json::as_str) == Some(&main)) {
        for column in ["columns", "identity"].iter().filter_map(|name| at(row, &[name])?.as_array()).flatten()
        {
            if let (Some(name), Some(kind)) = (column["name"].as_str(), column["type"].as_str()) {
                columns.entry(name.to_owned()).or_insert_with(|| kind.to_owned());
            }
        }
        let names = |member: &str| -> Option<Vec<String>> {
            let items = at(row, &[member])?.as_array()?.iter();
            Some(items.filter_map(|item| item["name"].as_str().map(str::to_owned)).collect())
        };
        keys = keys.or_else(|| names("pk")).or_else(|| names("identity"));
    }
    for name in ["columns", "identity"] {
        object.members.entry(name.to_owned()).or_default();
    }
    object.members.entry("table".to_owned()).or_default();
    let map = |member: &str| {
        let list = |what| format!("JSON_QUERY({}, '$[*].{what}' RETURNING ARRAY<STRING>)", quoted(member));
        format!("MAP_FROM_ARRAYS({}, {})", list("name"), list("value"))
    };
    let from = format!(
        "(\n      SELECT action AS kind, `table`,\n        {} AS old_row,\n        {} AS new_row\n      FROM {{}}\n    ) AS e",
        map("identity"),
        map("columns")
    );
    let types = ["columns", "identity"].map(|name| (name.to_owned(), DataType::string())).to_vec();
    let call = call(&main, &columns, keys, &from, ["I", "U", "D"], &mut remarks);
    Some(Events { read: Read::Call(Call { types, ..call }), remarks })
}

/// Format 1: `{"change": [{"kind", "table", "columnnames", "columnvalues", "oldkeys"}]}`.
pub(super) fn first(documents: &[Json], object: &mut Object) -> Option<Events> {
    let Some(Shape::Array(change)) = object.get("change") else { return None };
    change.object().filter(|change| change.get("kind").is_some() && change.get("table").is_some())?;
    let changes: Vec<&Json> =
        documents.iter().filter_map(|document| at(document, &["change"])?.as_array()).flatten().collect();
    let codes: Codes = tally(changes.iter().copied(), &["kind"]);
    let mut remarks = vec![introduction("wal2json, format 1", &codes)];
    let tables = tally(changes.iter().copied(), &["table"]);
    let main = main_table(&tables, &mut remarks).or_else(|| tables.keys().next().cloned())?;
    let mut columns = Columns::new();
    let mut keys = None;
    for row in changes.iter().filter(|row| at(row, &["table"]).and_then(Json::as_str) == Some(&main)) {
        let texts = |path: &[&str]| -> Vec<String> {
            let items = at(row, path).and_then(Json::as_array);
            items.into_iter().flatten().filter_map(code_of).collect()
        };
        for (name, kind) in texts(&["columnnames"]).into_iter().zip(texts(&["columntypes"])) {
            columns.entry(name).or_insert(kind);
        }
        for (name, kind) in texts(&["oldkeys", "keynames"]).into_iter().zip(texts(&["oldkeys", "keytypes"])) {
            columns.entry(name).or_insert(kind);
        }
        let names = [texts(&["pk", "pknames"]), texts(&["oldkeys", "keynames"])];
        keys = keys.or_else(|| names.into_iter().find(|names| !names.is_empty()));
    }
    let field = |name: &str, data_type| Field { name: name.to_owned(), data_type };
    let texts = || DataType::new(TypeKind::Array(DataType::string().into()));
    let old = [field("keynames", texts()), field("keyvalues", texts())];
    let change = [
        field("kind", DataType::string()),
        field("table", DataType::string()),
        field("columnnames", texts()),
        field("columnvalues", texts()),
        field("oldkeys", DataType::new(TypeKind::Row(old.into_iter().collect()))),
    ];
    let change = DataType::new(TypeKind::Row(change.into_iter().collect()));
    let types = vec![("change".to_owned(), DataType::new(TypeKind::Array(change.into())))];
    let from = "(\n      SELECT c.kind, c.`table`,\n        \
         MAP_FROM_ARRAYS(c.oldkeys.keynames, c.oldkeys.keyvalues) AS old_row,\n        \
         MAP_FROM_ARRAYS(c.columnnames, c.columnvalues) AS new_row\n      \
         FROM {} CROSS JOIN UNNEST(`change`) AS c (kind, `table`, columnnames, columnvalues, oldkeys)\n    ) AS e";
    let call = call(&main, &columns, keys, from, ["insert", "update", "delete"], &mut remarks);
    Some(Events { read: Read::Call(Call { types, ..call }), remarks })
}

/// Takes an event apart into its old and its new side, so that one which changes the key takes the old row away.
fn call(
    table: &str,
    columns: &Columns,
    keys: Option<Vec<String>>,
    events: &str,
    [insert, update, delete]: [&str; 3],
    remarks: &mut Vec<String>,
) -> Call {
    let names: Vec<&str> = columns.keys().map(String::as_str).collect();
    let key = keys.unwrap_or_else(|| {
        let key = likely_key(&names);
        remarks.push(guess(&key));
        key
    });
    let column = |(name, kind): (&String, &String)| {
        let value = format!("v[{}]", literal(name));
        let expression = match sql_type(kind) {
            Some(data_type) => format!("CAST({value} AS {data_type})"),
            None => value,
        };
        (name.clone(), expression)
    };
    let moves: Vec<String> =
        key.iter().map(|name| format!("v[{name}] <> new_row[{name}]", name = literal(name))).collect();
    let from = format!(
        "{events}\n    CROSS JOIN UNNEST(ARRAY[ROW('old', old_row), ROW('new', new_row)]) AS s (side, v)"
    );
    let op = "CONCAT(kind, ' ', side)".to_owned();
    let conditions = vec![
        "v IS NOT NULL".to_owned(),
        format!("`table` = {}", literal(table)),
        format!("kind IN ('{insert}', '{update}', '{delete}')"),
        format!("({op} <> '{update} old' OR {})", moves.join(" OR ")),
    ];
    let mapping = vec![
        (format!("{insert} new, {update} new"), "UPDATE_AFTER"),
        (format!("{update} old, {delete} old"), "DELETE"),
    ];
    let columns = columns.iter().map(column).collect();
    Call { op, columns, from: Some(from), conditions, key, mapping, ..Call::default() }
}

/// The type of a column of PostgreSQL, if its values are more than text.
fn sql_type(kind: &str) -> Option<DataType> {
    let word = kind.split('(').next().unwrap_or_default();
    Some(match word {
        "smallint" | "integer" => DataType::int(),
        "bigint" => DataType::new(TypeKind::BigInt),
        "boolean" => DataType::boolean(),
        "date" => DataType::new(TypeKind::Date),
        "real" | "double precision" => DataType::new(TypeKind::Double),
        "numeric" if kind.contains('(') => decimal(kind),
        "timestamp without time zone" => DataType::new(TypeKind::Timestamp(6)),
        _ => return None,
    })
}
