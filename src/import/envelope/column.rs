//! Rows with a code in one of their columns.

use serde_json::Value as Json;

use super::super::call::Call;
use super::super::shape::{Object, Shape};
use super::super::text::TextKind;
use super::{Codes, Events, Read, at, guess, introduction, likely_key, listed, quoted, tally};

/// The names of columns that often have such a code, in lower case.
const NAMES: [&str; 20] = [
    "op",
    "__op",
    "_op",
    "operation",
    "op_type",
    "optype",
    "op_code",
    "action",
    "type",
    "event",
    "event_type",
    "eventtype",
    "eventname",
    "change_type",
    "_change_type",
    "changetype",
    "cdc_operation",
    "kind",
    "rowkind",
    "dml_type",
];

/// The codes that are known, in lower case, and what they mean.
const KINDS: [(&str, &[&str]); 4] = [
    (
        "INSERT",
        &["c", "r", "i", "insert", "create", "created", "read", "snapshot", "load", "+i", "bootstrap-insert"],
    ),
    ("UPDATE_BEFORE", &["ub", "-u", "update_before", "update_preimage"]),
    (
        "UPDATE_AFTER",
        &[
            "u",
            "ua",
            "+u",
            "update",
            "updated",
            "update_after",
            "update_postimage",
            "modify",
            "replace",
            "upsert",
        ],
    ),
    ("DELETE", &["d", "-d", "delete", "deleted", "remove", "removed", "destroy"]),
];

/// Recognises the columns of SQL Server's change tables, of other programs, or any with such codes; or one that says
/// that a row is deleted.
pub(super) fn recognise(documents: &[Json], object: &mut Object) -> Option<Events> {
    sql_server(documents, object).or_else(|| coded(documents, object)).or_else(|| flagged(documents, object))
}

const SQL_SERVER: &str = "__$operation";

fn sql_server(documents: &[Json], object: &Object) -> Option<Events> {
    let shape = object.get(SQL_SERVER)?;
    let codes = tally(documents, &[SQL_SERVER]);
    let mut remarks = vec![introduction("A change table of SQL Server", &codes)];
    let columns = columns(object, |name| !name.starts_with("__$"));
    let op = quoted(SQL_SERVER);
    let op = if matches!(shape, Shape::Text(_)) { op } else { format!("CAST({op} AS STRING)") };
    let (key, mapping) = if codes.contains_key("3") || !codes.contains_key("4") {
        let kinds = ["DELETE", "INSERT", "UPDATE_BEFORE", "UPDATE_AFTER"];
        (Vec::new(), ["1", "2", "3", "4"].map(str::to_owned).into_iter().zip(kinds).collect())
    } else {
        let key = likely_key(&super::names(&columns));
        remarks.push(guess(&key));
        let kinds = ["DELETE", "INSERT", "UPDATE_AFTER"];
        (key, ["1", "2", "4"].map(str::to_owned).into_iter().zip(kinds).collect())
    };
    let skips = codes.keys().any(|code| !["1", "2", "3", "4"].contains(&code.as_str()));
    let call = Call { op, columns, key, mapping, skips, ..Call::default() };
    Some(Events { read: Read::Call(call), remarks })
}

/// The columns of the table that are taken, as they are.
fn columns(object: &Object, is_taken: impl Fn(&str) -> bool) -> Vec<(String, String)> {
    let names = object.members.keys().filter(|name| is_taken(name));
    names.map(|name| (name.clone(), quoted(name))).collect()
}

fn coded(documents: &[Json], object: &Object) -> Option<Events> {
    let (name, codes) = code_column(documents, object)?;
    let system = match name.as_str() {
        "Op" => "AWS DMS rows".to_owned(),
        "_change_type" => "A change data feed of Delta Lake".to_owned(),
        name => format!("Rows with a code in column {name}"),
    };
    let mut remarks = vec![introduction(&system, &codes)];
    let mut mapping = Vec::new();
    let mut kinds = Vec::new();
    for (kind, _) in KINDS {
        let of_kind: Vec<&str> =
            codes.keys().map(String::as_str).filter(|code| kind_of(code) == Some(kind)).collect();
        if !of_kind.is_empty() {
            kinds.push(kind);
            mapping.push((of_kind.join(", "), kind));
        }
    }
    let unknown: Codes =
        codes.iter().filter(|(code, _)| kind_of(code).is_none()).map(|(c, n)| (c.clone(), *n)).collect();
    if !unknown.is_empty() {
        remarks
            .push(format!("What these codes mean is not known, and they are skipped: {}.", listed(&unknown)));
    }
    let without = documents.iter().filter(|document| at(document, &[&name]).is_none()).count();
    if without > 0 {
        let rows = if without == 1 { "1 row has" } else { &format!("{without} rows have") };
        remarks.push(format!("{rows} no code, and what has none is skipped."));
    }
    let is_delta = name == "_change_type";
    let is_column = |other: &str| other != name && !(is_delta && other.starts_with("_commit_"));
    let columns = columns(object, is_column);
    // Without the row before an update, it replaces what has the same key.
    let replaces = kinds.contains(&"UPDATE_AFTER") && !kinds.contains(&"UPDATE_BEFORE");
    let key = if replaces { likely_key(&super::names(&columns)) } else { Vec::new() };
    if replaces {
        remarks.push(guess(&key));
    }
    let skips = !unknown.is_empty() || without > 0;
    let op = match object.get(&name) {
        Some(Shape::Text(_)) => quoted(&name),
        _ => format!("CAST({} AS STRING)", quoted(&name)),
    };
    let call = Call { op, columns, key, mapping, skips, ..Call::default() };
    Some(Events { read: Read::Call(call), remarks })
}

/// The column with codes: one whose name says so, or the first of a file without names if it has nothing else.
fn code_column(documents: &[Json], object: &Object) -> Option<(String, Codes)> {
    const MOST: usize = 12;
    let fits = |name: &String, most_known: usize| {
        let codes = tally(documents, &[name]);
        let all: usize = codes.values().sum();
        let known: usize =
            codes.iter().filter(|(code, _)| kind_of(code).is_some()).map(|(_, count)| count).sum();
        let is_fit = known > 0 && codes.len() <= MOST && known * most_known >= all * (most_known - 1);
        is_fit.then(|| (name.clone(), codes))
    };
    let named = |wanted: &str| object.members.keys().find(|name| name.to_ascii_lowercase() == wanted);
    let by_name = NAMES.iter().filter_map(|wanted| named(wanted)).find_map(|name| fits(name, 4));
    by_name.or_else(|| {
        let first = object.members.keys().next().filter(|name| *name == "column1")?;
        let (name, codes) = fits(first, 1000)?;
        (codes.len() > 1).then_some((name, codes))
    })
}

/// What a code means, if it is known and a mapping can name it.
fn kind_of(code: &str) -> Option<&'static str> {
    let lower = code.to_ascii_lowercase();
    KINDS.iter().find(|(_, codes)| codes.contains(&lower.as_str())).map(|(kind, _)| *kind)
}

/// Rows that are marked when they are deleted.
fn flagged(documents: &[Json], object: &Object) -> Option<Events> {
    const FLAGS: [&str; 6] = ["is_deleted", "isdeleted", "deleted", "_deleted", "__deleted", "soft_deleted"];
    let (name, shape) = object.members.iter().find_map(|(name, member)| {
        FLAGS.contains(&name.to_ascii_lowercase().as_str()).then_some((name, &member.shape))
    })?;
    let is_true = match shape {
        Shape::Boolean => quoted(name),
        Shape::Text(TextKind::Plain)
            if tally(documents, &[name]).keys().all(|c| c == "true" || c == "false") =>
        {
            format!("{} = 'true'", quoted(name))
        }
        _ => return None,
    };
    let columns = columns(object, |other| other != name);
    let key = likely_key(&super::names(&columns));
    let remarks = vec![format!("Rows that are marked as deleted in column {name}."), guess(&key)];
    let op = format!("CASE WHEN {is_true} THEN 'deleted' ELSE 'there' END");
    let mapping = vec![("there".to_owned(), "UPDATE_AFTER"), ("deleted".to_owned(), "DELETE")];
    let call = Call { op, columns, key, mapping, ..Call::default() };
    Some(Events { read: Read::Call(call), remarks })
}
