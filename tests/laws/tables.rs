//! The tables of the laws, and random valid histories of them.

use std::collections::BTreeMap;
use std::fmt::Write;

use rowkind::changelog::RowKind;
use rowkind::value::{Row, Value};

use crate::choices::Choices;

/// The type of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Type {
    Int,
    BigInt,
    Text,
}

impl Type {
    pub(crate) fn sql(self) -> &'static str {
        match self {
            Self::Int => "INT",
            Self::BigInt => "BIGINT",
            Self::Text => "STRING",
        }
    }
}

/// What a table's log is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Nature {
    /// Rows that are only appended.
    Append,
    /// Changes of all kinds, of rows that may be equal.
    Retract,
    /// Changes of all kinds, of rows with a key.
    KeyedRetract,
    /// Upserts.
    Upsert,
    /// Appended rows whose operation codes are changes of all kinds.
    RetractCodes,
    /// Appended rows whose operation codes are upserts by a key.
    UpsertCodes,
}

/// A table. Its columns are those of its rows, without the operation code.
#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) name: &'static str,
    pub(crate) nature: Nature,
    pub(crate) columns: &'static [(&'static str, Type)],
    /// The columns by which rows replace each other.
    pub(crate) key: &'static [usize],
}

use Type::{BigInt, Int, Text};

/// Tables of every nature. Those from [`KEYED`] on differ in nothing else.
pub(crate) const TABLES: [Table; 7] = [
    Table { name: "a", nature: Nature::Append, columns: &[("k", Int), ("s", Text), ("v", Int)], key: &[] },
    Table {
        name: "r",
        nature: Nature::Retract,
        columns: &[("s", Text), ("k", Int), ("v", BigInt)],
        key: &[],
    },
    Table {
        name: "w",
        nature: Nature::Upsert,
        columns: &[("k", Int), ("v", BigInt), ("s", Text)],
        key: &[2, 0],
    },
    Table { name: "u", nature: Nature::Upsert, columns: ROW, key: &[0] },
    Table { name: "p", nature: Nature::KeyedRetract, columns: ROW, key: &[0] },
    Table { name: "c", nature: Nature::RetractCodes, columns: ROW, key: &[] },
    Table { name: "d", nature: Nature::UpsertCodes, columns: ROW, key: &[0] },
];

/// The first of the tables that can hold the same history by a key.
pub(crate) const KEYED: usize = 3;

const ROW: &[(&str, Type)] = &[("k", Int), ("v", Int), ("s", Text)];

/// One change of one table. An upsert table may get a delete that has the key alone.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Event {
    pub(crate) table: usize,
    pub(crate) kind: RowKind,
    pub(crate) row: Row,
}

/// The changes of all tables, in order: only what is there is retracted.
#[derive(Debug, Clone, Default)]
pub(crate) struct History {
    pub(crate) events: Vec<Event>,
}

impl Table {
    /// The statement that makes the table.
    pub(crate) fn definition(&self) -> String {
        let columns = self.columns.iter().map(|(name, data_type)| format!("{name} {}", data_type.sql()));
        let mut elements: Vec<String> = columns.collect();
        let mode = match self.nature {
            Nature::Append => "append",
            Nature::Retract | Nature::KeyedRetract => "retract",
            Nature::Upsert => "upsert",
            Nature::RetractCodes | Nature::UpsertCodes => {
                elements.insert(1, "op STRING".to_owned());
                "append"
            }
        };
        if matches!(self.nature, Nature::KeyedRetract | Nature::Upsert) {
            let names: Vec<&str> = self.key.iter().map(|&column| self.columns[column].0).collect();
            elements.push(format!("PRIMARY KEY ({}) NOT ENFORCED", names.join(", ")));
        }
        format!("CREATE TABLE {} ({}) WITH ('changelog.mode' = '{mode}')", self.name, elements.join(", "))
    }

    pub(crate) fn types(&self) -> Vec<Type> {
        self.columns.iter().map(|(_, data_type)| *data_type).collect()
    }

    pub(crate) fn key_of(&self, row: &[Value]) -> Row {
        self.key.iter().map(|&column| row[column].clone()).collect()
    }

    /// The code of a kind in a table of codes.
    pub(crate) fn code(&self, kind: RowKind) -> &'static str {
        match (self.nature, kind) {
            (Nature::UpsertCodes, RowKind::Insert) => "c",
            (Nature::UpsertCodes, RowKind::UpdateAfter) => "u",
            (Nature::UpsertCodes, RowKind::Delete) => "d",
            _ => kind.name(),
        }
    }

    fn row(&self, choices: &mut Choices<'_>) -> Row {
        let is_key = |column| self.key.contains(&column);
        let columns = self.columns.iter().enumerate();
        columns.map(|(i, (_, data_type))| value(*data_type, !is_key(i), choices)).collect()
    }

    /// The statement that appends changes to the table, and their kinds.
    pub(crate) fn insertion(&self, events: &[Event]) -> (String, Vec<RowKind>) {
        let codes = matches!(self.nature, Nature::RetractCodes | Nature::UpsertCodes);
        let literal = |(value, (_, data_type)): (&Value, &(&str, Type))| literal(value, *data_type);
        let rows = events.iter().map(|event| {
            let mut literals: Vec<String> = event.row.iter().zip(self.columns).map(literal).collect();
            if codes {
                literals.insert(1, format!("'{}'", self.code(event.kind)));
            }
            format!("({})", literals.join(", "))
        });
        let rows: Vec<String> = rows.collect();
        let kinds = events.iter().map(|event| if codes { RowKind::Insert } else { event.kind });
        (format!("INSERT INTO {} VALUES {}", self.name, rows.join(", ")), kinds.collect())
    }
}

/// Few different values, so that rows meet.
pub(crate) fn value(data_type: Type, nullable: bool, choices: &mut Choices<'_>) -> Value {
    if nullable && choices.one_in(6) {
        return Value::NULL;
    }
    match data_type {
        Type::Int | Type::BigInt => Value::integer(choices.of(&[1, 2, 0, 3, -1])),
        Type::Text => Value::string(choices.of(&["x", "y", "", "longer than what lies inside a value"])),
    }
}

/// A value as it is written in SQL.
pub(crate) fn literal(value: &Value, data_type: Type) -> String {
    match (value.as_integer(), value.as_str()) {
        (Some(integer), _) => integer.to_string(),
        (_, Some(text)) => format!("'{text}'"),
        _ => format!("CAST(NULL AS {})", data_type.sql()),
    }
}

impl History {
    /// A valid history: each decision stream is one step in one of the tables.
    pub(crate) fn new(steps: &[Vec<u8>], tables: &[usize]) -> Self {
        let mut history = Self::default();
        let mut live: Vec<Vec<Row>> = TABLES.iter().map(|_| Vec::new()).collect();
        for step in steps.iter().filter(|_| !tables.is_empty()) {
            let mut choices = Choices::new(step);
            let table = choices.of(tables);
            history.step(table, &mut live[table], &mut choices);
        }
        history
    }

    fn step(&mut self, index: usize, live: &mut Vec<Row>, choices: &mut Choices<'_>) {
        let table = &TABLES[index];
        let mut push = |kind, row| self.events.push(Event { table: index, kind, row });
        match table.nature {
            Nature::Append => push(RowKind::Insert, table.row(choices)),
            Nature::Retract | Nature::RetractCodes => {
                let removes = choices.one_in(3) && !live.is_empty();
                if !removes {
                    let row = table.row(choices);
                    let kind = choices.of(&[RowKind::Insert, RowKind::Insert, RowKind::UpdateAfter]);
                    push(kind, row.clone());
                    live.push(row);
                    return;
                }
                let old = live.remove(choices.below(live.len()));
                match choices.below(3) {
                    0 => push(RowKind::Delete, old),
                    1 => push(RowKind::UpdateBefore, old),
                    _ => {
                        let new = table.row(choices);
                        push(RowKind::UpdateBefore, old);
                        push(RowKind::UpdateAfter, new.clone());
                        live.push(new);
                    }
                }
            }
            Nature::KeyedRetract | Nature::Upsert | Nature::UpsertCodes => {
                let new = table.row(choices);
                let key = table.key_of(&new);
                let Some(place) = live.iter().position(|row| table.key_of(row) == key) else {
                    // A soft delete's first row comes as an update.
                    let late = table.nature == Nature::UpsertCodes && choices.one_in(4);
                    push(if late { RowKind::UpdateAfter } else { RowKind::Insert }, new.clone());
                    live.push(new);
                    return;
                };
                if choices.one_in(3) {
                    let mut old = live.remove(place);
                    if table.nature != Nature::KeyedRetract && choices.one_in(2) {
                        let columns = old.iter_mut().enumerate();
                        columns
                            .filter(|(i, _)| !table.key.contains(i))
                            .for_each(|(_, value)| *value = Value::NULL);
                    }
                    push(RowKind::Delete, old);
                    return;
                }
                if table.nature == Nature::KeyedRetract {
                    push(RowKind::UpdateBefore, live[place].clone());
                }
                push(RowKind::UpdateAfter, new.clone());
                live[place] = new;
            }
        }
    }

    /// The same history of a keyed table as another of them takes it.
    pub(crate) fn encoded(&self, table: usize) -> Self {
        let whole = matches!(TABLES[table].nature, Nature::KeyedRetract | Nature::RetractCodes);
        let mut present: BTreeMap<Row, Row> = BTreeMap::new();
        let mut events = Vec::new();
        for event in &self.events {
            let key = TABLES[event.table].key_of(&event.row);
            let mut row = event.row.clone();
            if event.kind.adds() {
                let old = present.insert(key, row.clone()).filter(|_| whole);
                events.extend(old.map(|row| Event { table, kind: RowKind::UpdateBefore, row }));
            } else {
                let old = present.remove(&key).expect("only what is there is retracted");
                row = if whole { old } else { row };
            }
            events.push(Event { table, kind: event.kind, row });
        }
        Self { events }
    }

    pub(crate) fn of(&self, table: usize) -> impl Iterator<Item = &Event> {
        self.events.iter().filter(move |event| event.table == table)
    }

    /// The rows of a table after all its changes.
    pub(crate) fn contents(&self, index: usize) -> Vec<Row> {
        let table = &TABLES[index];
        let mut by_key = BTreeMap::new();
        let mut rows: Vec<Row> = Vec::new();
        for event in self.of(index) {
            match (table.nature, event.kind.adds()) {
                (Nature::Upsert | Nature::UpsertCodes, true) => {
                    by_key.insert(table.key_of(&event.row), event.row.clone());
                }
                (Nature::Upsert | Nature::UpsertCodes, false) => {
                    by_key.remove(&table.key_of(&event.row));
                }
                (_, true) => rows.push(event.row.clone()),
                (_, false) => {
                    let place = rows.iter().position(|row| *row == event.row);
                    rows.remove(place.expect("only what is there is retracted"));
                }
            }
        }
        rows.extend(by_key.into_values());
        rows
    }

    /// The history as SQL: runs of changes of one table, in order.
    pub(crate) fn runs(&self) -> impl Iterator<Item = &[Event]> {
        self.events.chunk_by(|a, b| a.table == b.table)
    }

    /// The history as a script.
    pub(crate) fn script(&self) -> String {
        let mut script = String::new();
        for table in TABLES.iter().enumerate().filter(|(i, _)| self.of(*i).next().is_some()) {
            let _ = writeln!(script, "{};", table.1.definition());
        }
        for run in self.runs() {
            let (insertion, kinds) = TABLES[run[0].table].insertion(run);
            let kinds: Vec<&str> = kinds.iter().map(|kind| kind.symbol()).collect();
            let _ = writeln!(script, "-- kinds: {}\n{insertion};", kinds.join(" "));
        }
        script
    }
}
