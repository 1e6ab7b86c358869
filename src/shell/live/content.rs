//! What is shown: the changes, in each encoding, and the table that they add up to.

use std::collections::{HashMap, VecDeque};

use rowkind::changelog::{Cause, Change, Changes, Encoder, Encoding, Materialized, RowKind};
use rowkind::render::{Counts, Tally};
use rowkind::session::Header;
use rowkind::value::{Row, Value};

/// The changes of a query and its table.
#[derive(Debug)]
pub(super) struct Content {
    pub(super) header: Header,
    tally: Tally,
    /// The changes as they come, as retractions and as upserts; the last two only with a key.
    logs: [Log; 3],
    marks: HashMap<Row, Mark>,
    /// How many times something came.
    batch: u64,
    /// What names the row that was written last.
    latest: Option<Row>,
}

/// Which changes are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// As they come.
    Changes,
    /// With the old row before each new one.
    Retract,
    /// Without the old rows.
    Upsert,
}

/// The last changes in one form.
#[derive(Debug)]
pub(super) struct Log {
    entries: VecDeque<Entry>,
    /// How many changes there were.
    counts: Counts,
    encoder: Option<Encoder>,
}

/// A change that is kept.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Entry {
    pub(super) kind: RowKind,
    pub(super) row: Row,
    pub(super) cause: Cause,
}

/// The last change that wrote a row of the table.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mark {
    pub(super) kind: RowKind,
    pub(super) cause: Cause,
    batch: u64,
}

/// How many changes are kept of each form: nobody scrolls through more, and a stream has no end.
pub(super) const KEPT: usize = 10_000;

impl Content {
    /// Nothing yet of what has these columns.
    pub(super) fn new(header: Header) -> Self {
        let log = |encoding: Option<Encoding>| {
            let key = header.key.clone();
            let encoder = encoding.and_then(|encoding| key.map(|key| Encoder::new(encoding, key)));
            Log { entries: VecDeque::new(), counts: Counts::default(), encoder }
        };
        Self {
            tally: Tally::with_table(header.key.clone()),
            logs: [log(None), log(Some(Encoding::Retract)), log(Some(Encoding::Upsert))],
            marks: HashMap::new(),
            batch: 0,
            latest: None,
            header,
        }
    }

    /// Takes changes that came together.
    pub(super) fn feed(&mut self, changes: &Changes) {
        self.batch += 1;
        for change in changes.iter() {
            self.tally.count(change);
            let name = self.name(change.row);
            if change.kind.adds() {
                self.latest = Some(name.clone());
                self.marks.insert(name, Mark { kind: change.kind, cause: change.cause, batch: self.batch });
            } else {
                self.marks.remove(&name);
            }
        }
        let [plain, others @ ..] = &mut self.logs;
        changes.iter().for_each(|change| plain.push(change));
        for log in others {
            let Some(encoder) = &mut log.encoder else { continue };
            let mut given = Changes::new(changes.width());
            changes.iter().for_each(|change| encoder.encode(change, &mut given));
            encoder.finish(&mut given);
            given.iter().for_each(|change| log.push(change));
        }
    }

    /// What names a row: its key, or all of it.
    fn name(&self, row: &[Value]) -> Row {
        match &self.header.key {
            Some(key) => key.iter().map(|&column| row[column].clone()).collect(),
            None => row.into(),
        }
    }

    /// The changes in a form. Without a key there is only one.
    pub(super) fn log(&self, form: Form) -> &Log {
        let [changes, retract, upsert] = &self.logs;
        match form {
            Form::Retract if retract.encoder.is_some() => retract,
            Form::Upsert if upsert.encoder.is_some() => upsert,
            Form::Changes | Form::Retract | Form::Upsert => changes,
        }
    }

    /// The rows of the table.
    pub(super) fn rows(&self) -> impl Iterator<Item = &[Value]> {
        self.tally.table().into_iter().flat_map(Materialized::rows)
    }

    /// How many rows the table has.
    pub(super) fn row_count(&self) -> usize {
        self.tally.table().map_or(0, Materialized::len)
    }

    /// The last change that wrote a row.
    pub(super) fn mark(&self, row: &[Value]) -> Option<Mark> {
        self.marks.get(&self.name(row)).copied()
    }

    /// Whether it came with what came last.
    pub(super) fn is_fresh(&self, mark: Mark) -> bool {
        mark.batch == self.batch
    }

    /// The place in the table of the row that was written last, if it is still there.
    pub(super) fn latest(&self) -> Option<usize> {
        let latest = self.latest.as_ref()?;
        let is_latest = |row: &[Value]| match &self.header.key {
            Some(key) => key.iter().map(|&column| &row[column]).eq(latest),
            None => *row == **latest,
        };
        self.rows().position(is_latest)
    }

    /// What the changes in a form add up to, in words.
    pub(super) fn summary(&self, form: Form) -> String {
        self.tally.in_form(&self.log(form).counts).to_string()
    }
}

impl Log {
    fn push(&mut self, change: Change<'_>) {
        if self.entries.len() == KEPT {
            self.entries.pop_front();
        }
        self.counts.count(change.kind);
        self.entries.push_back(Entry { kind: change.kind, row: change.row.into(), cause: change.cause });
    }

    /// The changes that are kept, the oldest first.
    pub(super) fn entries(&self) -> &VecDeque<Entry> {
        &self.entries
    }

    /// How many changes there were.
    pub(super) fn total(&self) -> usize {
        self.counts.total()
    }
}
