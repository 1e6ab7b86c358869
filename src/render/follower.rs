//! Changes of what is watched, batch after batch.

use std::io::{self, Write};

use super::changelog::continue_changelog;
use super::format::Format;
use super::table::write_rows;
use super::tally::Tally;
use super::transcript::write_log;
use super::view::{Ending, Look};
use crate::changelog::{Changes, Materialized};
use crate::session::{Collected, Header};

/// Shows the changes of something that is watched, batch after batch.
#[derive(Debug)]
pub struct Follower {
    header: Header,
    tally: Option<Tally>,
}

impl Follower {
    /// Nothing was shown yet.
    pub fn new(header: Header) -> Self {
        let tally = Tally::with_table(header.key.clone());
        Self { header, tally: Some(tally) }
    }

    /// Shows the next changes, with what all changes until now add up to.
    pub fn show(
        &mut self,
        out: &mut dyn Write,
        format: Format,
        look: Look,
        changes: &Changes,
    ) -> io::Result<()> {
        let header = &self.header;
        let mut tally = self.tally.take().unwrap_or_else(|| Tally::with_table(header.key.clone()));
        if format == Format::Changelog {
            self.tally = Some(continue_changelog(out, look, header, changes, tally)?);
            return Ok(());
        }
        changes.iter().for_each(|change| tally.count(change));
        let result = match format {
            Format::Table => {
                let rows = tally.table().into_iter().flat_map(Materialized::rows);
                write_rows(out, look, &header.schema, &header.time_zone, rows)
            }
            Format::Transcript => {
                let log =
                    Collected { header: Some(header.clone()), changes: changes.clone(), notices: vec![] };
                write_log(out, &log)
            }
            Format::Changelog | Format::Vertical | Format::Csv | Format::Jsonl => {
                let mut view = format.view(look);
                view.begin(out, header)?;
                view.changes(out, changes)?;
                view.end(out, Ending::Complete)
            }
        };
        self.tally = Some(tally);
        result
    }
}

#[cfg(test)]
mod tests {
    use super::super::view::testing::{changes, header};
    use super::*;

    #[test]
    fn what_is_followed_adds_up_over_its_batches() {
        let mut follower = Follower::new(header());
        let mut shown = |format, batch| {
            let mut out = Vec::new();
            follower.show(&mut out, format, Look::default(), &changes(batch)).unwrap();
            String::from_utf8(out).unwrap()
        };
        assert!(shown(Format::Changelog, "+I 1 a, +I 2 b").ends_with("2 changes (+I 2) → 2 rows\n"));
        assert!(shown(Format::Changelog, "-D 1 a").ends_with("1 change (-D 1) → 1 row\n"));
        assert_eq!(shown(Format::Transcript, "+I 3 c"), "+I[3, c]\n");
        assert!(shown(Format::Table, "+I 4 d").ends_with("3 rows\n"));
        assert_eq!(shown(Format::Csv, "-D 2 b"), "op,id,name\n-D,2,b\n");
    }
}
