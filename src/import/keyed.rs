//! Tables of lines that are a key, a separator and a value, as `kcat -K` prints them.

use std::collections::HashSet;

use serde_json::{Map, Value as Json};

use super::envelope::{self, By, Events, code_of, likely_key};
use super::shape::Object;
use super::text::TextKind;
use super::{Draft, option, quoted, retype};
use crate::value::{DataType, TypeKind};

/// Lines that are keys and values.
#[derive(Debug)]
pub(super) struct Keyed<'a> {
    separator: char,
    lines: Vec<Line<'a>>,
}

#[derive(Debug)]
struct Line<'a> {
    key: &'a str,
    /// The row, or none if the row of the key is deleted.
    value: Option<Members>,
}

type Members = Map<String, Json>;

/// How the keys are read.
struct Key {
    format: &'static str,
    /// The columns of each line's key.
    rows: Vec<Members>,
}

impl<'a> Keyed<'a> {
    /// Looks at the texts of files, of which the last may end anywhere unless they are whole. Each line must have a
    /// key, and behind it an object of JSON or nothing; and the keys must be more than a word with which all lines
    /// begin.
    pub(super) fn of(texts: &'a [String], is_whole: bool) -> Option<Self> {
        let mut lines: Vec<&str> = texts.iter().flat_map(|text| text.lines()).collect();
        if !is_whole {
            lines.pop();
        }
        lines.retain(|line| !line.is_empty());
        let with_value = lines.iter().find(|line| line.ends_with('}'))?;
        separators(with_value).find_map(|separator| {
            let lines = lines.iter().map(|line| Line::of(line, separator)).collect::<Option<Vec<_>>>()?;
            let keyed = Self { separator, lines };
            keyed.has_keys().then_some(keyed)
        })
    }

    fn has_keys(&self) -> bool {
        let [first, rest @ ..] = self.lines.as_slice() else { return false };
        rest.is_empty()
            || serde_json::from_str::<Json>(first.key).is_ok()
            || self.lines.iter().any(|line| line.value.is_none() || line.key != first.key)
    }

    /// The values that are there.
    fn values(&self) -> impl Iterator<Item = &Members> {
        self.lines.iter().filter_map(|line| line.value.as_ref())
    }

    /// The table, and the query if the values are change events.
    pub(super) fn draft(&self, table: &str) -> (Draft, Option<String>) {
        let values: Vec<Json> = self.values().cloned().map(Json::Object).collect();
        let mut object = Object::of(&values);
        match envelope::recognise_program(&values, &mut object, By::Query) {
            Some(events) => self.events(table, &object, events),
            None => self.rows(table),
        }
    }

    /// A table with the events of a program, each behind its key as a text.
    fn events(&self, table: &str, object: &Object, mut events: Events) -> (Draft, Option<String>) {
        if let Some(names) = self.names_of_key() {
            events.know_key(&names);
        }
        let key = self.free_name();
        let (mut columns, is_iso) = object.columns();
        columns.insert(0, (key.clone(), DataType::string()));
        let mut options = self.options("raw", &[key], true, is_iso);
        let mut remarks = vec![self.introduction()];
        let empty = self.lines.len() - self.values().count();
        if empty > 0 {
            options.push(option("json.ignore-parse-errors", "true"));
            let have = if empty == 1 { "1 line has" } else { &format!("{empty} lines have") };
            remarks.push(format!("{have} no value, as behind deletions, and what has none is skipped."));
        }
        remarks.extend(events.remarks);
        let suggestion = events.read.query(table, &mut columns);
        (Draft { columns, key: Vec::new(), options, remarks }, suggestion)
    }

    /// A table of rows, of which each replaces that of its key. If none is deleted by its key alone, but rows have
    /// codes, they are what those mean.
    fn rows(&self, table: &str) -> (Draft, Option<String>) {
        let Key { format, rows: keys } = self.key();
        let key: Vec<String> = keys.iter().flat_map(Members::keys).take(keys[0].len()).cloned().collect();
        let mut is_in_values = true;
        let mut others = HashSet::new();
        let rows = self.lines.iter().zip(&keys).map(|(line, key)| {
            let mut row = key.clone();
            for (name, value) in line.value.iter().flatten() {
                match key.get(name) {
                    None => drop(row.insert(name.clone(), value.clone())),
                    Some(same) if is_same(same, value) => {}
                    Some(_) => drop(others.insert(name)),
                }
            }
            is_in_values &= line.value.iter().all(|value| key.keys().all(|name| value.contains_key(name)));
            Json::Object(row)
        });
        let rows: Vec<Json> = rows.collect();
        let mut object = Object::of(&rows);
        let (mut columns, is_iso) = object.columns();
        if format != "json" && keys.iter().flat_map(Members::values).all(Json::is_string) {
            let texts: Vec<_> = key.iter().map(|name| (name.clone(), DataType::string())).collect();
            retype(&mut columns, &texts);
        }
        let options = self.options(format, &key, !is_in_values || !others.is_empty(), is_iso);
        let mut remarks = vec![self.introduction()];
        let others = key.iter().filter(|name| others.contains(name));
        remarks.extend(
            others.map(|name| format!("The values have another {}, which is left out.", quoted(name))),
        );
        let deletions = self.lines.len() - self.values().count();
        if deletions == 0
            && let Some(mut events) = envelope::recognise_columns(&rows, &mut object)
        {
            events.know_key(&key);
            remarks.extend(events.remarks);
            let suggestion = events.read.query(table, &mut columns);
            return (Draft { columns, key: Vec::new(), options, remarks }, suggestion);
        }
        remarks.push(match deletions {
            0 => "Each replaces the one with its key; without the primary key each is a row of its own."
                .to_owned(),
            1 => "Each replaces the one with its key; 1 has no value and deletes it.".to_owned(),
            _ => format!("Each replaces the one with its key; {deletions} have no value and delete it."),
        });
        (Draft { columns, key, options, remarks }, None)
    }

    fn introduction(&self) -> String {
        let separator = match self.separator {
            '\t' => "a tab".to_owned(),
            separator => format!("'{}'", escaped(separator)),
        };
        let lines = if self.lines.len() == 1 { "line" } else { "lines" };
        format!("{} {lines} of a key and a value with {separator} between them.", self.lines.len())
    }

    /// The options of the formats of both sides.
    fn options(
        &self,
        format: &str,
        key: &[String],
        only_in_key: bool,
        is_iso: bool,
    ) -> Vec<(String, String)> {
        let mut options = vec![option("key.format", format), option("key.fields", &key.join(";"))];
        if self.separator != '\t' {
            options.push(option("key.separator", &escaped(self.separator)));
        }
        options.push(option("value.format", "json"));
        options.extend(only_in_key.then(|| option("value.fields-include", "EXCEPT_KEY")));
        options.extend(is_iso.then(|| option("json.timestamp-format.standard", "ISO-8601")));
        options
    }

    /// Objects of JSON have columns; other keys are one column, which is a member of the values if there is such.
    fn key(&self) -> Key {
        if let Some(rows) = self.keys_of_json().filter(|rows| rows.iter().all(is_flat)) {
            return Key { format: "json", rows };
        }
        let plain: Option<Vec<String>> = self.lines.iter().map(|line| string_of(line.key)).collect();
        let is_quoted = plain.is_some();
        let texts = plain.unwrap_or_else(|| self.lines.iter().map(|line| line.key.to_owned()).collect());
        let numbers: Option<Vec<Json>> =
            texts.iter().map(|text| number_of(text)).collect::<Option<_>>().filter(|_| !is_quoted);
        let member = self.member_with(&texts, numbers.is_some());
        let is_number = match &member {
            Some(name) => self.values().any(|value| value[name].is_number()),
            None => numbers.iter().flatten().all(is_bigint),
        };
        let (values, is_number) = match numbers {
            Some(numbers) if is_number => (numbers, true),
            _ => (texts.into_iter().map(Json::String).collect(), false),
        };
        let name = member.unwrap_or_else(|| self.free_name());
        let row = |value| Members::from_iter([(name.clone(), value)]);
        let format = if is_number || is_quoted { "csv" } else { "raw" };
        Key { format, rows: values.into_iter().map(row).collect() }
    }

    /// The member that is the key in all values.
    fn member_with(&self, texts: &[String], are_numbers: bool) -> Option<String> {
        let is_key = |name: &&String| {
            let values =
                self.lines.iter().zip(texts).filter_map(|(line, text)| Some((line.value.as_ref()?, text)));
            let mut kinds = [false; 2];
            let mut are_same = true;
            for (value, text) in values {
                let value = value.get(*name);
                kinds[usize::from(value.is_some_and(Json::is_number))] = true;
                are_same &= value.and_then(code_of).as_ref() == Some(text);
            }
            let [has_texts, has_numbers] = kinds;
            are_same && is_writable(name) && !(has_numbers && (has_texts || !are_numbers))
        };
        let names: Vec<&str> = self.values().next()?.keys().filter(is_key).map(String::as_str).collect();
        likely_key(&names).into_iter().next()
    }

    /// The keys, if they are objects with the same members.
    fn keys_of_json(&self) -> Option<Vec<Members>> {
        let keys = self.lines.iter().map(|line| serde_json::from_str::<Members>(line.key).ok());
        keys.collect::<Option<Vec<_>>>().filter(|keys| are_alike(keys))
    }

    /// The names of the columns of the keys of events, which may be in a payload beside a schema.
    fn names_of_key(&self) -> Option<Vec<String>> {
        let keys = self.keys_of_json()?;
        let payload = |key: &Members| key.get("schema").and(key.get("payload")?.as_object()).cloned();
        let payloads = keys.iter().map(payload).collect::<Option<Vec<_>>>().filter(|keys| are_alike(keys));
        Some(payloads.as_ref().unwrap_or(&keys)[0].keys().cloned().collect())
    }

    /// A name for the key that no member has.
    fn free_name(&self) -> String {
        let is_free = |name: &String| self.values().all(|value| !value.contains_key(name));
        let numbered = (2..).map(|number| format!("key_{number}"));
        std::iter::once("key".to_owned()).chain(numbered).find(is_free).unwrap_or_default()
    }
}

impl<'a> Line<'a> {
    fn of(line: &'a str, separator: char) -> Option<Self> {
        let (key, value) = line.split_once(separator).filter(|(key, _)| !key.is_empty())?;
        let value = if value.is_empty() { None } else { Some(serde_json::from_str(value).ok()?) };
        Some(Self { key, value })
    }
}

/// The characters of a line before an object of JSON that ends it.
fn separators(line: &str) -> impl Iterator<Item = char> {
    line.match_indices('{').filter_map(|(at, _)| {
        let separator = line[..at].chars().next_back()?;
        let is_part = separator.is_alphanumeric() || "\"'`{}[]()\\ ".contains(separator);
        let is_object = || serde_json::from_str::<Members>(&line[at..]).is_ok();
        (!is_part && is_object()).then_some(separator)
    })
}

/// A separator as the option for it has it.
fn escaped(separator: char) -> String {
    if separator.is_control() { format!("\\u{:04x}", u32::from(separator)) } else { separator.to_string() }
}

fn are_alike(keys: &[Members]) -> bool {
    keys.first().is_some_and(|first| {
        let has_all =
            |key: &Members| key.len() == first.len() && first.keys().all(|name| key.contains_key(name));
        !first.is_empty() && keys.iter().all(has_all)
    })
}

/// Whether a key can be columns: each member has a value that is not made of others.
fn is_flat(key: &Members) -> bool {
    let is_simple = |value: &Json| value.is_string() || value.is_number() || value.is_boolean();
    key.iter().all(|(name, value)| is_simple(value) && is_writable(name))
}

/// Whether the name can stand in the option with the columns of the key.
fn is_writable(name: &str) -> bool {
    !name.is_empty() && !name.contains(';')
}

/// Whether values are the same as they are written.
fn is_same(one: &Json, other: &Json) -> bool {
    one == other || code_of(one).is_some_and(|code| code_of(other) == Some(code))
}

/// What is in a string of JSON without escapes, which is one of CSV, too.
fn string_of(text: &str) -> Option<String> {
    serde_json::from_str(text).ok().filter(|_| !text.contains('\\'))
}

fn number_of(text: &str) -> Option<Json> {
    matches!(TextKind::of(text), TextKind::Number(_)).then(|| serde_json::from_str(text).ok()).flatten()
}

fn is_bigint(number: &Json) -> bool {
    code_of(number).is_some_and(|text| match TextKind::of(&text) {
        TextKind::Number(number) => number.data_type().kind == TypeKind::BigInt,
        _ => false,
    })
}
