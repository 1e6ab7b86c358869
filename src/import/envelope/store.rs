//! Events of DynamoDB, MongoDB and the AWS Database Migration Service.

use serde_json::Value as Json;

use super::super::call::Call;
use super::super::shape::{Object, Shape};
use super::super::text::TextKind;
use super::{
    Events, Read, at, columns_of, equals, guess, introduction, is_usual, likely_key, main_table, mapping,
    names, number_of, quoted, tally, tally_within, unwrapped,
};

/// Records of DynamoDB Streams.
pub(super) fn dynamodb(documents: &[Json], object: &mut Object) -> Option<Events> {
    let stream = object.object("dynamodb")?.clone();
    let keys = stream.object("Keys")?.clone();
    if !is_usual(documents, &["eventName"]) || !keys.has_attributes() {
        return None;
    }
    let codes = tally(documents, &["eventName"]);
    let remarks = vec![introduction("DynamoDB Streams records", &codes)];
    let images = documents.iter().flat_map(|document| {
        ["Keys", "NewImage", "OldImage"].map(|name| at(document, &["dynamodb", name])).into_iter().flatten()
    });
    let item = Object::of(images);
    // All have the same type, so that one attribute is read alike in each.
    if let Some(stream) = object.object_mut("dynamodb") {
        for name in ["Keys", "NewImage", "OldImage"] {
            if let Some(member) = stream.members.get_mut(name) {
                member.shape = Shape::Object(item.clone());
            }
        }
    }
    let mut columns: Vec<(String, String)> =
        keys.members.iter().map(|(name, member)| attribute("Keys", name, &member.shape)).collect();
    if stream.get("NewImage").is_some() {
        let others = item.members.iter().filter(|(name, _)| keys.get(name).is_none());
        columns.extend(others.map(|(name, member)| attribute("NewImage", name, &member.shape)));
    }
    let key = keys.members.keys().cloned().collect();
    let known = [("INSERT", "INSERT"), ("MODIFY", "UPDATE_AFTER"), ("REMOVE", "DELETE")];
    let (mapping, skips) = mapping(&known, &codes);
    let call = Call { op: "eventName".to_owned(), columns, key, mapping, skips, ..Call::default() };
    Some(Events { read: Read::Call(call), remarks })
}

/// The column of an attribute: what is in its type. What has no type is taken as it is.
fn attribute(image: &str, name: &str, shape: &Shape) -> (String, String) {
    let place = format!("dynamodb.{image}[{}]", super::literal(name));
    let types = shape.object().map(|value| {
        let types = value.members.iter().filter(|(name, _)| *name != "NULL");
        types.collect::<Vec<_>>()
    });
    let types = types.unwrap_or_default();
    let of = |kind: &str| format!("{place}.{}", quoted(kind));
    let expression = match types.as_slice() {
        [] if shape.object().is_some_and(|value| value.get("NULL").is_some()) => of("NULL"),
        [] => place,
        [(kind, member)] if *kind == "N" => match &member.shape {
            Shape::Text(TextKind::Number(number)) => number_of(&of(kind), *number),
            _ => of(kind),
        },
        [(kind, _)] => of(kind),
        several if several.iter().all(|(kind, _)| ["S", "N"].contains(&kind.as_str())) => {
            format!("COALESCE({}, {})", of("S"), of("N"))
        }
        [(kind, _), ..] => of(kind),
    };
    (name.to_owned(), expression)
}

/// A change stream of MongoDB.
pub(super) fn mongodb(documents: &[Json], object: &mut Object) -> Option<Events> {
    let id = object.object("documentKey")?.get("_id")?.clone();
    if !is_usual(documents, &["operationType"]) {
        return None;
    }
    let codes = tally(documents, &["operationType"]);
    let mut remarks = vec![introduction("A MongoDB change stream", &codes)];
    let main = main_table(&tally_within(documents, object, &["ns", "coll"]), &mut remarks);
    let mut columns = vec![("_id".to_owned(), unwrapped("documentKey._id".to_owned(), &id))];
    let of_table = |document: &&Json| {
        main.as_ref().is_none_or(|main| at(document, &["ns", "coll"]).and_then(Json::as_str) == Some(main))
    };
    let whole =
        Object::of(documents.iter().filter(of_table).filter_map(|document| at(document, &["fullDocument"])));
    object.keep_columns(&["fullDocument"]);
    // What the table has is what all collections have, so its types count.
    if let Some(all) = object.object("fullDocument") {
        let wanted = columns_of("fullDocument", all).into_iter();
        columns.extend(wanted.filter(|(name, _)| name != "_id" && whole.get(name).is_some()));
    }
    if documents.iter().any(|document| {
        at(document, &["operationType"]).and_then(Json::as_str) == Some("update")
            && at(document, &["fullDocument"]).is_none()
    }) {
        remarks.push(
            "Some updates have no fullDocument: it was gone when it was looked up, or was not asked for. \
             Their columns are NULL."
                .to_owned(),
        );
    }
    let known = [("insert", "INSERT"), ("update, replace", "UPDATE_AFTER"), ("delete", "DELETE")];
    let (mapping, skips) = mapping(&known, &codes);
    let conditions = main.iter().map(|main| equals(&["ns", "coll"], main)).collect();
    let (op, key) = ("operationType".to_owned(), vec!["_id".to_owned()]);
    let call = Call { op, columns, conditions, key, mapping, skips, ..Call::default() };
    Some(Events { read: Read::Call(call), remarks })
}

/// What the AWS Database Migration Service writes into streams: `{"data", "metadata"}`.
pub(super) fn dms(documents: &[Json], object: &mut Object) -> Option<Events> {
    object.object("data").and(object.object("metadata"))?;
    if !is_usual(documents, &["metadata", "operation"]) {
        return None;
    }
    let codes = tally(documents, &["metadata", "operation"]);
    let mut remarks = vec![introduction("AWS DMS records", &codes)];
    let table = ["metadata", "table-name"];
    let rows = documents.iter().filter(|document| at(document, &["data"]).is_some());
    let main = main_table(&tally(rows, &table), &mut remarks);
    object.keep_columns(&["data"]);
    let columns = columns_of("data", object.object("data")?);
    let key = likely_key(&names(&columns));
    remarks.push(guess(&key));
    let known = [("load, insert", "INSERT"), ("update", "UPDATE_AFTER"), ("delete", "DELETE")];
    let (mapping, skips) = mapping(&known, &codes);
    let conditions = main.iter().map(|main| equals(&table, main)).collect();
    let op = "metadata.operation".to_owned();
    let call = Call { op, columns, conditions, key, mapping, skips, ..Call::default() };
    Some(Events { read: Read::Call(call), remarks })
}
