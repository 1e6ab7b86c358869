//! What connected tables are written through.

use std::collections::BTreeMap;

use crate::catalog::{Catalog, TableId};
use crate::changelog::Changes;
use crate::connect::{ConnectError, Streams, Writer};

/// The connected tables that are being written. Each is open until the statement that writes it ends,
/// so that what others do to its file in the meantime is respected.
#[derive(Default)]
pub(super) struct Outlets {
    pub(super) streams: Streams,
    open: BTreeMap<TableId, Box<dyn Writer>>,
}

impl Outlets {
    /// Writes changes to a connected table.
    pub(super) fn write(
        &mut self,
        catalog: &Catalog,
        table: TableId,
        changes: &Changes,
    ) -> Result<(), ConnectError> {
        if let Some(writer) = self.open.get_mut(&table) {
            return writer.write(changes);
        }
        let Some(connector) = catalog.table_by_id(table).and_then(|table| table.connector.as_ref()) else {
            return Ok(());
        };
        let writer = self.open.entry(table).or_insert(connector.writer(&self.streams)?);
        writer.write(changes)
    }

    /// Hands over all that was written.
    ///
    /// # Errors
    /// The first failure.
    pub(super) fn flush(&mut self) -> Result<(), ConnectError> {
        self.open.values_mut().try_for_each(|writer| writer.flush())
    }

    /// Hands over all that was written, and closes what is open.
    ///
    /// # Errors
    /// The first failure; the others are handed over all the same.
    pub(super) fn close(&mut self) -> Result<(), ConnectError> {
        let flushed: Vec<_> = std::mem::take(&mut self.open).into_values().map(|mut w| w.flush()).collect();
        flushed.into_iter().collect()
    }
}
