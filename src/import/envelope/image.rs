//! Events with the row before and after a change: Debezium, Canal, Maxwell and Oracle `GoldenGate`.

use serde_json::Value as Json;

use super::super::call::Call;
use super::super::shape::{Member, Object, Shape};
use super::super::text::TextKind;
use super::{
    By, Codes, EventFormat, Events, Read, at, columns_of, decimal, equals, guess, introduction, is_usual,
    likely_key, main_table, mapping, names, path_of, quoted, tally, tally_within,
};
use crate::value::{DataType, Field, TypeKind};

/// Where an event has its parts.
struct Parts {
    format: &'static str,
    before: Vec<&'static str>,
    after: Vec<&'static str>,
    op: Vec<&'static str>,
    table: Vec<&'static str>,
    /// The codes that the format reads.
    codes: &'static [&'static str],
    /// Those of an update and of a deletion.
    update: &'static str,
    delete: &'static str,
    /// What the codes mean.
    mapping: &'static [(&'static str, &'static str)],
}

/// Debezium's `{"before", "after", "op"}`, with a schema beside it or without.
pub(super) fn debezium(documents: &[Json], object: &mut Object, by: By) -> Option<Events> {
    let in_payload = is_usual(documents, &["payload", "op"]);
    let inside = |name: &'static str| if in_payload { vec!["payload", name] } else { vec![name] };
    let codes = tally(documents, &inside("op"));
    let has_images = documents.iter().any(|document| {
        let [before, after] = ["before", "after"].map(|name| at(document, &inside(name)));
        before.or(after).is_some_and(Json::is_object)
    });
    let is_known = |code: &String| ["c", "r", "u", "d", "t", "m"].contains(&code.as_str());
    if codes.is_empty()
        || !has_images
        || in_payload && object.object("payload").is_none()
        || !codes.keys().all(is_known)
    {
        return None;
    }
    let parts = Parts {
        format: "debezium-json",
        before: inside("before"),
        after: inside("after"),
        op: inside("op"),
        table: inside("source").into_iter().chain(["table"]).collect(),
        codes: &["c", "r", "u", "d"],
        update: "u",
        delete: "d",
        mapping: &[("c, r", "INSERT"), ("u", "UPDATE_AFTER"), ("d", "DELETE")],
    };
    let mut options = Vec::new();
    if in_payload {
        options.push(("debezium-json.schema-include".to_owned(), "true".to_owned()));
    }
    Some(events("Debezium events", &parts, documents, object, &codes, options, by))
}

/// Oracle `GoldenGate`'s `{"before", "after", "op_type"}`.
pub(super) fn ogg(documents: &[Json], object: &mut Object, by: By) -> Option<Events> {
    if !is_usual(documents, &["op_type"]) || object.object("after").or(object.object("before")).is_none() {
        return None;
    }
    let codes = tally(documents, &["op_type"]);
    let parts = Parts {
        format: "ogg-json",
        before: vec!["before"],
        after: vec!["after"],
        op: vec!["op_type"],
        table: vec!["table"],
        codes: &["I", "U", "D"],
        update: "U",
        delete: "D",
        mapping: &[("I", "INSERT"), ("U", "UPDATE_AFTER"), ("D", "DELETE")],
    };
    Some(events("Oracle GoldenGate events", &parts, documents, object, &codes, Vec::new(), by))
}

/// Reads events with two images by their format if that can read all of them, or else by a query.
fn events(
    system: &str,
    parts: &Parts,
    documents: &[Json],
    object: &mut Object,
    codes: &Codes,
    mut options: Vec<(String, String)>,
    by: By,
) -> Events {
    let table = parts.table.as_slice();
    let mut remarks = vec![introduction(system, codes)];
    let main = main_table(&tally_within(documents, object, table), &mut remarks);
    let of_table = |document: &&Json| {
        main.as_ref().is_none_or(|main| at(document, table).and_then(Json::as_str) == Some(main))
    };
    let documents: Vec<&Json> = documents.iter().filter(of_table).collect();
    let images = documents
        .iter()
        .flat_map(|document| [at(document, &parts.before), at(document, &parts.after)].into_iter().flatten());
    let row = Object::of(images);
    let lacks_before = documents.iter().filter(|document| {
        let code = at(document, &parts.op).and_then(Json::as_str);
        let needs = code == Some(parts.update) || code == Some(parts.delete);
        needs && at(document, &parts.before).is_none()
    });
    let lacking = lacks_before.count();
    let unknown = codes.keys().any(|code| !parts.codes.contains(&code.as_str()));
    if by == By::FormatOrQuery && main.is_none() && lacking == 0 && !unknown {
        if documents.iter().any(|document| document.is_null()) {
            options.push((format!("{}.ignore-parse-errors", parts.format), "true".to_owned()));
        }
        remarks.push(format!("The format {} reads them as changes.", parts.format));
        let types = Vec::new();
        let format = EventFormat { name: parts.format, options, row, types };
        return Events { read: Read::Format(format), remarks };
    }
    if lacking > 0 && by == By::FormatOrQuery {
        let have = if lacking == 1 {
            "1 update or deletion has"
        } else {
            &format!("{lacking} updates or deletions have")
        };
        remarks.push(format!("{have} no row before the change, which {} wants.", parts.format));
    }
    unify(object, parts, &row);
    let (before, after, op) = (path_of(&parts.before), path_of(&parts.after), path_of(&parts.op));
    let (old, new) = (columns_of(&before, &row), columns_of(&after, &row));
    let deleted = parts.delete;
    let columns: Vec<(String, String)> = old
        .into_iter()
        .zip(new)
        .map(|((name, old), (_, new))| {
            (name, format!("CASE WHEN {op} = '{deleted}' THEN {old} ELSE {new} END"))
        })
        .collect();
    let key = likely_key(&names(&columns));
    remarks.push(guess(&key));
    let (mapping, skips) = mapping(parts.mapping, codes);
    let conditions = main.iter().map(|main| equals(table, main)).collect();
    let call = Call { op, columns, conditions, key, mapping, skips, ..Call::default() };
    Events { read: Read::Call(call), remarks }
}

/// Gives both images the same type.
fn unify(object: &mut Object, parts: &Parts, row: &Object) {
    for path in [&parts.before, &parts.after] {
        let Some((last, outer)) = path.split_last() else { continue };
        if let Some(object) = object.object_at_mut(outer) {
            object.members.entry((*last).to_owned()).or_default().shape = Shape::Object(row.clone());
        }
        object.keep_columns(path);
    }
}

/// Maxwell's `{"database", "table", "type", "data", "old"}`.
pub(super) fn maxwell(documents: &[Json], object: &mut Object, by: By) -> Option<Events> {
    object.object("data")?;
    let codes = tally(documents, &["type"]);
    let is_known = |code: &String| {
        ["insert", "update", "delete"].contains(&code.as_str()) || code.starts_with("bootstrap-")
    };
    if codes.is_empty() || !codes.keys().any(is_known) || !is_usual(documents, &["database"]) {
        return None;
    }
    let mut remarks = vec![introduction("Maxwell events", &codes)];
    let main = main_table(&tally(documents, &["table"]), &mut remarks);
    let of_table = |document: &&Json| {
        main.as_ref().is_none_or(|main| at(document, &["table"]).and_then(Json::as_str) == Some(main))
    };
    let documents: Vec<&Json> = documents.iter().filter(of_table).collect();
    let row = Object::of(documents.iter().filter_map(|document| at(document, &["data"])));
    let is_plain = codes.keys().all(|code| ["insert", "update", "delete"].contains(&code.as_str()));
    if by == By::FormatOrQuery && main.is_none() && is_plain {
        remarks.push("The format maxwell-json reads them as changes.".to_owned());
        let format = EventFormat { name: "maxwell-json", options: Vec::new(), row, types: Vec::new() };
        return Some(Events { read: Read::Format(format), remarks });
    }
    object.keep_columns(&["data"]);
    let columns = columns_of("data", &row);
    let key = names_at(&documents, "primary_key_columns").unwrap_or_else(|| {
        let key = likely_key(&names(&columns));
        remarks.push(guess(&key));
        key
    });
    let known = [("insert, bootstrap-insert", "INSERT"), ("update", "UPDATE_AFTER"), ("delete", "DELETE")];
    let (mapping, skips) = mapping(&known, &codes);
    let conditions = main.iter().map(|main| equals(&["table"], main)).collect();
    let call = Call { op: quoted("type"), columns, conditions, key, mapping, skips, ..Call::default() };
    Some(Events { read: Read::Call(call), remarks })
}

/// The names that the first document with such a member has in it.
fn names_at(documents: &[&Json], member: &str) -> Option<Vec<String>> {
    let names = documents.iter().find_map(|document| at(document, &[member])?.as_array())?;
    let names: Vec<String> = names.iter().filter_map(|name| name.as_str().map(str::to_owned)).collect();
    (!names.is_empty()).then_some(names)
}

/// Canal's `{"data": [rows], "old": [rows], "type"}`.
pub(super) fn canal(documents: &[Json], object: &mut Object, by: By) -> Option<Events> {
    let Some(Shape::Array(data)) = object.get("data") else { return None };
    data.object()?;
    if !is_usual(documents, &["type"])
        || !["isDdl", "pkNames", "database"].iter().any(|name| object.get(name).is_some())
    {
        return None;
    }
    let codes = tally(documents, &["type"]);
    let mut remarks = vec![introduction("Canal events", &codes)];
    let with_rows = documents.iter().filter(|document| at(document, &["data"]).is_some());
    let main = main_table(&tally(with_rows, &["table"]), &mut remarks);
    let of_table = |document: &&Json| {
        main.as_ref().is_none_or(|main| at(document, &["table"]).and_then(Json::as_str) == Some(main))
    };
    let documents: Vec<&Json> = documents.iter().filter(of_table).collect();
    let rows = documents.iter().filter_map(|document| at(document, &["data"])?.as_array());
    let row = Object::of(rows.flatten());
    let type_of = |(name, member): (&String, &Member)| {
        let sql = documents.iter().find_map(|document| at(document, &["mysqlType", name])?.as_str());
        let guessed = match &member.shape {
            Shape::Text(TextKind::Number(number)) => number.data_type(),
            shape => shape.data_type(false),
        };
        (name.clone(), sql.map_or(guessed, mysql_type))
    };
    let types: Vec<(String, DataType)> = row.members.iter().map(type_of).collect();
    if by == By::Query {
        let call = canal_call(&documents, main.as_deref(), &types, &codes, &mut remarks);
        return Some(Events { read: Read::Call(call), remarks });
    }
    let mut options = Vec::new();
    if let Some(main) = main {
        options.push(("canal-json.table.include".to_owned(), regex::escape(&main)));
    } else if codes.keys().any(|code| !["INSERT", "UPDATE", "DELETE", "CREATE"].contains(&code.as_str())) {
        options.push(("canal-json.ignore-parse-errors".to_owned(), "true".to_owned()));
        remarks.push("What is no change of a row is skipped, and so is what cannot be read.".to_owned());
    }
    remarks.push("The format canal-json reads them as changes.".to_owned());
    Some(Events { read: Read::Format(EventFormat { name: "canal-json", options, row, types }), remarks })
}

/// Takes the rows out of Canal's events.
fn canal_call(
    documents: &[&Json],
    main: Option<&str>,
    types: &[(String, DataType)],
    codes: &Codes,
    remarks: &mut Vec<String>,
) -> Call {
    let columns: Vec<(String, String)> =
        types.iter().map(|(name, _)| (name.clone(), format!("r.{}", quoted(name)))).collect();
    let key = names_at(documents, "pkNames").unwrap_or_else(|| {
        let key = likely_key(&names(&columns));
        remarks.push(guess(&key));
        key
    });
    let field =
        |(name, data_type): &(String, DataType)| Field { name: name.clone(), data_type: data_type.clone() };
    let row = DataType::new(TypeKind::Row(types.iter().map(field).collect()));
    let listed: Vec<String> = columns.iter().map(|(name, _)| quoted(name)).collect();
    let (mapping, skips) =
        mapping(&[("INSERT", "INSERT"), ("UPDATE", "UPDATE_AFTER"), ("DELETE", "DELETE")], codes);
    Call {
        types: vec![("data".to_owned(), DataType::new(TypeKind::Array(row.into())))],
        op: path_of(&["e", "type"]),
        columns,
        from: Some(format!("{{}} AS e CROSS JOIN UNNEST(data) AS r ({})", listed.join(", "))),
        conditions: main.iter().map(|main| equals(&["e", "table"], main)).collect(),
        key,
        mapping,
        skips,
    }
}

/// The type of a column of `MySQL`.
fn mysql_type(text: &str) -> DataType {
    let lower = text.to_ascii_lowercase();
    let word = lower.split(['(', ' ']).next().unwrap_or_default();
    match word {
        "tinyint" | "smallint" | "mediumint" | "int" | "integer" | "bigint" | "year" => {
            DataType::new(TypeKind::BigInt)
        }
        "float" | "double" | "real" => DataType::new(TypeKind::Double),
        "date" => DataType::new(TypeKind::Date),
        "datetime" | "timestamp" => DataType::new(TypeKind::Timestamp(6)),
        "decimal" | "numeric" => decimal(&lower),
        _ => DataType::string(),
    }
}
