//! The two ways in which a changelog with a key says the same thing.

use std::collections::{HashMap, HashSet};

use indexmap::IndexMap;

use super::{Cause, Change, Changes, RowKind};
use crate::value::Row;

/// How a changelog with a key says that a row became another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    /// `-U` with the old row, then `+U` with the new one; `-D` has the whole row.
    Retract,
    /// `+U` alone: the row replaces the one with its key.
    Upsert,
}

/// Turns a changelog into one that says the same in one of the encodings. It does not matter which
/// of them the given one has.
///
/// An old row and its new one need not follow each other: a join gives all old rows that a change
/// takes away before the new ones. But the entries of the logs that cause them follow each other.
#[derive(Debug)]
pub struct Encoder {
    key: Vec<usize>,
    state: State,
}

#[derive(Debug)]
enum State {
    Retract {
        /// The row of each key that is there.
        rows: HashMap<Row, Row>,
        /// The keys of which the old row is gone and the new one may follow.
        between: HashSet<Row>,
    },
    /// The old rows that are not known to be updated or gone, by their keys.
    Upsert(IndexMap<Row, (Row, Cause)>),
}

impl Encoder {
    /// An encoder for changes of which these columns are the key.
    pub fn new(encoding: Encoding, key: Vec<usize>) -> Self {
        let state = match encoding {
            Encoding::Retract => State::Retract { rows: HashMap::new(), between: HashSet::new() },
            Encoding::Upsert => State::Upsert(IndexMap::new()),
        };
        Self { key, state }
    }

    /// Appends what a change is in the encoding. A `-U` may be held back until it is known what
    /// becomes of its row.
    pub fn encode(&mut self, change: Change<'_>, out: &mut Changes) {
        let key: Row = self.key.iter().map(|&column| change.row[column].clone()).collect();
        match &mut self.state {
            State::Retract { rows, between } => retract(rows, between, key, change, out),
            State::Upsert(waiting) => upsert(waiting, key, change, out),
        }
    }

    /// Appends what is held back.
    pub fn finish(&mut self, out: &mut Changes) {
        if let State::Upsert(waiting) = &mut self.state {
            waiting.drain(..).for_each(|(_, (row, cause))| out.push(RowKind::Delete, cause, &row));
        }
    }
}

fn retract(
    rows: &mut HashMap<Row, Row>,
    between: &mut HashSet<Row>,
    key: Row,
    change: Change<'_>,
    out: &mut Changes,
) {
    match change.kind {
        RowKind::Insert | RowKind::UpdateAfter => {
            let kind = if between.remove(&key) { change.kind } else { RowKind::Insert };
            match rows.insert(key, change.row.into()) {
                Some(old) => {
                    out.push(RowKind::UpdateBefore, change.cause, &old);
                    out.push(RowKind::UpdateAfter, change.cause, change.row);
                }
                None => out.push(kind, change.cause, change.row),
            }
        }
        RowKind::UpdateBefore | RowKind::Delete => {
            if let Some(old) = rows.remove(&key) {
                out.push(change.kind, change.cause, &old);
                if change.kind == RowKind::UpdateBefore {
                    between.insert(key);
                }
            }
        }
    }
}

fn upsert(waiting: &mut IndexMap<Row, (Row, Cause)>, key: Row, change: Change<'_>, out: &mut Changes) {
    // An old row that no new one followed is gone.
    while let Some((_, (row, cause))) = waiting.first()
        && cause.sequence + 1 < change.cause.sequence
    {
        out.push(RowKind::Delete, *cause, row);
        waiting.shift_remove_index(0);
    }
    match change.kind {
        RowKind::UpdateBefore => {
            waiting.insert(key, (change.row.into(), change.cause));
        }
        RowKind::Insert | RowKind::UpdateAfter => {
            let kind = if waiting.shift_remove(&key).is_some() { RowKind::UpdateAfter } else { change.kind };
            out.push(kind, change.cause, change.row);
        }
        RowKind::Delete => {
            waiting.shift_remove(&key);
            out.push_change(change);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Value;

    /// Encodes changes such as `+I 1 a`, of which the number is the key.
    fn encoded(encoding: Encoding, text: &str) -> String {
        let mut encoder = Encoder::new(encoding, vec![0]);
        let mut out = Changes::new(2);
        for (sequence, change) in (1..).zip(text.split(", ")) {
            let parts: Vec<&str> = change.split(' ').collect();
            let row = [Value::integer(parts[1].parse::<i64>().unwrap()), Value::string(parts[2])];
            let kind = parts[0].parse().unwrap();
            let cause = Cause { sequence, arrival: 0 };
            encoder.encode(Change { kind, row: &row, cause }, &mut out);
        }
        encoder.finish(&mut out);
        let line = |change: Change<'_>| {
            format!(
                "{} {} {}",
                change.kind,
                change.row[0].as_integer().unwrap(),
                change.row[1].as_str().unwrap()
            )
        };
        out.iter().map(line).collect::<Vec<_>>().join(", ")
    }

    const RETRACT: &str = "+I 1 a, +I 2 b, -U 1 a, +U 1 c, -D 2 b, +I 2 d";
    const UPSERT: &str = "+I 1 a, +I 2 b, +U 1 c, -D 2 b, +I 2 d";

    #[test]
    fn each_encoding_becomes_the_other_and_stays_itself() {
        for given in [RETRACT, UPSERT] {
            assert_eq!(encoded(Encoding::Retract, given), RETRACT);
            assert_eq!(encoded(Encoding::Upsert, given), UPSERT);
        }
    }

    #[test]
    fn an_old_row_that_no_new_one_follows_is_gone() {
        assert_eq!(encoded(Encoding::Upsert, "+I 1 a, -U 1 a"), "+I 1 a, -D 1 a");
        assert_eq!(encoded(Encoding::Retract, "+I 1 a, -U 1 a"), "+I 1 a, -U 1 a");
        assert_eq!(
            encoded(Encoding::Upsert, "+I 1 a, -U 1 a, +U 2 a, +I 3 c"),
            "+I 1 a, +U 2 a, -D 1 a, +I 3 c"
        );
    }

    #[test]
    fn old_rows_may_all_come_before_the_new_ones() {
        let given = "-U 1 a, -U 2 b, +U 1 c, +U 2 d";
        let mut encoder = Encoder::new(Encoding::Upsert, vec![0]);
        let mut out = Changes::new(1);
        for (sequence, kind, key) in
            [(1, "-U", 1), (1, "-U", 2), (2, "+U", 1), (2, "+U", 2), (3, "-U", 1), (5, "+I", 3)]
        {
            let cause = Cause { sequence, arrival: 0 };
            let row = [Value::integer(key)];
            encoder.encode(Change { kind: kind.parse().unwrap(), row: &row, cause }, &mut out);
        }
        let kinds: Vec<_> = out.iter().map(|change| change.kind.symbol()).collect();
        assert_eq!(kinds, ["+U", "+U", "-D", "+I"]);
        let given = format!("+I 1 a, +I 2 b, {given}");
        assert_eq!(encoded(Encoding::Retract, &given), given);
    }

    #[test]
    fn a_retraction_has_the_whole_old_row_and_none_is_made_of_what_was_never_there() {
        let given = "+U 1 a, +I 1 b, -D 1 ?, -D 1 ?";
        assert_eq!(encoded(Encoding::Retract, given), "+I 1 a, -U 1 a, +U 1 b, -D 1 b");
    }
}
