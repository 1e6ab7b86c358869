//! The changes of a query in one of their two encodings, whatever shows them.

use std::io::{self, Write};

use super::view::{Ending, View};
use crate::changelog::{Changes, Encoder, Encoding};
use crate::session::Header;

/// Encodes changes before a view shows them. Without a key they stay as they are.
pub(super) struct Encoded {
    view: Box<dyn View>,
    encoding: Encoding,
    encoder: Option<Encoder>,
    changes: Changes,
}

impl Encoded {
    pub(super) fn new(view: Box<dyn View>, encoding: Encoding) -> Self {
        Self { view, encoding, encoder: None, changes: Changes::default() }
    }
}

impl View for Encoded {
    fn begin(&mut self, out: &mut dyn Write, header: &Header) -> io::Result<()> {
        self.changes.reset(header.schema.len());
        self.encoder = header.key.clone().map(|key| Encoder::new(self.encoding, key));
        self.view.begin(out, header)
    }

    fn changes(&mut self, out: &mut dyn Write, changes: &Changes) -> io::Result<()> {
        let Some(encoder) = &mut self.encoder else { return self.view.changes(out, changes) };
        self.changes.clear();
        changes.iter().for_each(|change| encoder.encode(change, &mut self.changes));
        self.view.changes(out, &self.changes)
    }

    fn flush(&mut self, out: &mut dyn Write) -> io::Result<()> {
        self.view.flush(out)
    }

    fn end(&mut self, out: &mut dyn Write, ending: Ending) -> io::Result<()> {
        if let Some(encoder) = &mut self.encoder {
            self.changes.clear();
            encoder.finish(&mut self.changes);
            self.view.changes(out, &self.changes)?;
        }
        self.view.end(out, ending)
    }
}

#[cfg(test)]
mod tests {
    use super::super::view::testing::{changes, header, shown};
    use super::super::{Format, Look, Side};
    use super::*;

    #[test]
    fn an_upsert_changelog_has_no_old_rows_where_there_is_a_key() {
        let look = Look { side: Side::Upsert, ..Look::default() };
        let log = changes("+I 1 a, -U 1 a, +U 1 b");
        let keyed = Header { key: Some(vec![0]), ..header() };
        assert_eq!(shown(&mut *Format::Csv.view(&look), &keyed, &log), "op,id,name\n+I,1,a\n+U,1,b\n");
        assert_eq!(shown(&mut *Format::Csv.view(&look), &header(), &log).lines().count(), 4);
        let look = Look { side: Side::Retract, ..Look::default() };
        let text = shown(&mut *Format::Csv.view(&look), &keyed, &changes("+I 1 a, +U 1 b"));
        assert_eq!(text, "op,id,name\n+I,1,a\n-U,1,a\n+U,1,b\n");
    }
}
