//! Events of services: Salesforce and Shopify.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value as Json;

use super::super::call::Call;
use super::super::merge::Merge;
use super::super::shape::{Object, Shape};
use super::super::text::TextKind;
use super::{
    Codes, Events, Read, at, columns_of, equals, introduction, is_usual, literal, main_table, mapping,
    path_of, tally,
};
use crate::value::TypeKind;

const HEADER: &str = "ChangeEventHeader";

/// Salesforce's change events, which name the records that had the same change, and say of an update only what
/// changed.
pub(super) fn salesforce(documents: &[Json], object: &mut Object) -> Option<Events> {
    const PLACES: [&[&str]; 3] = [&[], &["payload"], &["data", "payload"]];
    let place = PLACES.into_iter().find(|place| {
        let has = |name| is_usual(documents, &[place, &[HEADER, name] as &[&str]].concat());
        let header = object.object_at(&[place, &[HEADER] as &[&str]].concat());
        has("changeType")
            && header.is_some_and(|header| matches!(header.get("recordIds"), Some(Shape::Array(_))))
    })?;
    let header = |name: &'static str| [place, &[HEADER, name]].concat();
    let (change_type, entity) = (header("changeType"), header("entityName"));
    let codes = tally(documents, &change_type);
    let mut remarks = vec![introduction("Salesforce change events", &codes)];
    let main = main_table(&tally(documents, &entity), &mut remarks);
    let of_table = |document: &&Json| {
        main.as_ref().is_none_or(|main| at(document, &entity).and_then(Json::as_str) == Some(main))
    };
    let events: Vec<&Json> = documents.iter().filter(of_table).collect();
    let record = Object::of(events.iter().filter_map(|document| at(document, place)));
    object.keep_columns(place);
    let mut fields = Vec::new();
    for (name, member) in record.members.iter().filter(|(name, _)| *name != HEADER) {
        Field::add(&mut fields, vec![name], &member.shape);
    }
    let expression = |field: &Field<'_>| path_of(&[place, field.path.as_slice()].concat());
    let is_taken = |name: &String| fields.iter().any(|field| field.name() == *name);
    let key = ["Id", "RecordId", "ChangedId"].map(str::to_owned).into_iter().find(|name| !is_taken(name))?;
    let op = path_of(&change_type);
    let id = ["id", "record_id", "changed_id"].into_iter().find(|name| object.get(name).is_none())?;
    let from = format!("{{}} CROSS JOIN UNNEST({}) AS r ({id})", path_of(&header("recordIds")));
    let id = format!("r.{id}");
    let mut conditions: Vec<String> = main.iter().map(|main| equals(&entity, main)).collect();
    if codes.keys().any(|code| code.starts_with("GAP_")) {
        remarks.push(
            "Events of a gap say which records changed, and not how: only deletions are taken.".to_owned(),
        );
    }
    let has_all = |document: &&Json| {
        fields.iter().all(|field| at(document, &[place, field.path.as_slice()].concat()).is_some())
    };
    let is_update = |document: &&Json| at(document, &change_type).and_then(Json::as_str) == Some("UPDATE");
    let mut updates = events.into_iter().filter(is_update).peekable();
    if updates.peek().is_some() && updates.all(|document| has_all(&document)) {
        let columns = fields.iter().map(|field| (field.name(), expression(field)));
        let columns = std::iter::once((key.clone(), id)).chain(columns).collect();
        let known =
            [("CREATE, UNDELETE", "INSERT"), ("UPDATE", "UPDATE_AFTER"), ("DELETE, GAP_DELETE", "DELETE")];
        let (mapping, skips) = mapping(&known, &codes);
        let (from, key) = (Some(from), vec![key]);
        let call = Call { op, columns, from, conditions, key, mapping, skips, ..Call::default() };
        return Some(Events { read: Read::Call(call), remarks });
    }
    remarks.push("Updates say only what changed; the query keeps what was there before.".to_owned());
    let names_of_nulls = record.object(HEADER).and_then(|header| {
        let has_names =
            |list: &&str| matches!(header.get(list), Some(Shape::Array(names)) if are_names(names));
        ["nulledFields", "changedFields"].into_iter().find(has_names)
    });
    if names_of_nulls.is_none() {
        remarks.push("Nothing names what was set to NULL, and so it is what it was before.".to_owned());
    }
    let columns = fields.iter().map(|field| {
        let value = expression(field);
        let last = match names_of_nulls {
            None => format!("LAST_VALUE({value})"),
            Some(list) => format!(
                "LAST_VALUE(CASE WHEN {value} IS NOT NULL OR ARRAY_CONTAINS({}, {}) THEN ARRAY[{value}] END)[1]",
                path_of(&header(list)),
                literal(&field.path.join(".")),
            ),
        };
        (field.name(), last)
    });
    let columns = columns.collect();
    conditions.push(format!("{op} IN ('CREATE', 'UPDATE', 'UNDELETE', 'DELETE', 'GAP_DELETE')"));
    let (key, deletions) = ((key, id), vec!["DELETE", "GAP_DELETE"]);
    let merge = Merge { from, conditions, key, op, deletions, columns };
    Some(Events { read: Read::Merge(merge), remarks })
}

/// Whether the elements of an array are names, and not the bits of which Salesforce's binary events have.
fn are_names(elements: &Shape) -> bool {
    matches!(elements, Shape::Nothing | Shape::Text(TextKind::Plain))
}

/// A field of a record, or of one of its compound fields, such as an address.
struct Field<'a> {
    path: Vec<&'a str>,
}

impl<'a> Field<'a> {
    /// Adds a field, or those of a compound field, of which an update also says only what changed.
    fn add(fields: &mut Vec<Self>, path: Vec<&'a str>, shape: &'a Shape) {
        match shape.object().filter(|_| matches!(shape.data_type(false).kind, TypeKind::Row(_))) {
            None => fields.push(Self { path }),
            Some(object) => object.members.iter().for_each(|(name, member)| {
                Self::add(fields, [path.as_slice(), &[name.as_str()]].concat(), &member.shape);
            }),
        }
    }

    fn name(&self) -> String {
        self.path.join("_")
    }
}

/// The topic of a webhook: a resource and what happened to it.
static TOPIC: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"^([a-z_]+)/([a-z_]+)$").expect("it is valid"));

/// What happens to resources, of which the event has the whole then, or the id of one that is gone.
const ACTIONS: [(&str, &[&str]); 3] = [
    ("INSERT", &["create"]),
    (
        "UPDATE_AFTER",
        &["updated", "update", "paid", "cancelled", "fulfilled", "partially_fulfilled", "enable", "disable"],
    ),
    ("DELETE", &["delete"]),
];

/// Shopify's webhooks, with the topic, which came as a header, beside the body or in it.
pub(super) fn shopify(documents: &[Json], object: &mut Object) -> Option<Events> {
    const BODIES: [&[&str]; 7] =
        [&["payload"], &["body"], &["data"], &["detail", "payload"], &["detail", "body"], &["detail"], &[]];
    let mut places = Vec::new();
    topics(object, &mut Vec::new(), &mut places);
    let (place, topics) = places.into_iter().find_map(|place| {
        let path: Vec<&str> = place.iter().map(String::as_str).collect();
        let topics = tally(documents, &path);
        let is_fit = topics.keys().any(|topic| action_of(topic).is_some())
            && topics.keys().all(|topic| TOPIC.is_match(topic))
            && is_usual(documents, &path);
        is_fit.then_some((place, topics))
    })?;
    let place: Vec<&str> = place.iter().map(String::as_str).collect();
    let body = BODIES.into_iter().find(|body| is_usual(documents, &[body, &["id"] as &[&str]].concat()))?;
    let mut remarks = vec![introduction("Shopify webhooks", &topics)];
    let mut resources = Codes::new();
    for (topic, count) in topics.iter().filter(|(topic, _)| action_of(topic).is_some()) {
        let resource = topic.split('/').next().unwrap_or_default();
        *resources.entry(resource.to_owned()).or_default() += count;
    }
    let main = main_table(&resources, &mut remarks).or_else(|| resources.keys().next().cloned())?;
    let of_resource = |document: &&Json| {
        let topic = at(document, &place).and_then(Json::as_str);
        topic.is_some_and(|topic| topic.split('/').next() == Some(&main) && action_of(topic).is_some())
    };
    let bodies = documents.iter().filter(of_resource).filter_map(|document| at(document, body));
    let resource = Object::of(bodies);
    object.keep_columns(body);
    // What the table has is what all resources have, so its types count.
    let all = object.object_at(body)?;
    let columns = columns_of(&path_of(body), all).into_iter();
    let columns =
        columns.filter(|(name, _)| resource.get(name).is_some() && (!body.is_empty() || place != [name]));
    let mapping = ACTIONS.map(|(kind, actions)| {
        let topic = |action: &&str| format!("{main}/{action}");
        let seen: Vec<String> =
            actions.iter().map(topic).filter(|topic| topics.contains_key(topic)).collect();
        let codes = if seen.is_empty() { actions.iter().take(2).map(topic).collect() } else { seen };
        (codes.join(", "), kind)
    });
    let is_known = |topic: &String| topic.split('/').next() == Some(&main) && action_of(topic).is_some();
    let skips = !topics.keys().all(is_known);
    let (op, key) = (path_of(&place), vec!["id".to_owned()]);
    let call =
        Call { op, columns: columns.collect(), key, mapping: mapping.into(), skips, ..Call::default() };
    Some(Events { read: Read::Call(call), remarks })
}

/// The places of members whose name says that they are topics.
fn topics(object: &Object, path: &mut Vec<String>, found: &mut Vec<Vec<String>>) {
    const DEEPEST: usize = 3;
    for (name, member) in &object.members {
        path.push(name.clone());
        match &member.shape {
            Shape::Text(TextKind::Plain) if name.to_ascii_lowercase().contains("topic") => {
                found.push(path.clone());
            }
            Shape::Object(inner) if path.len() < DEEPEST => topics(inner, path, found),
            _ => {}
        }
        path.pop();
    }
}

/// What happened to a resource, if its topic says so.
fn action_of(topic: &str) -> Option<&'static str> {
    let parts = TOPIC.captures(topic)?;
    ACTIONS.iter().find(|(_, actions)| actions.contains(&&parts[2])).map(|(kind, _)| *kind)
}
