//! What the session knows by name: tables with their schema, key, mode and stored log, and views.
//! Nothing here knows plans or execution.

mod table;
mod view;

use std::collections::BTreeMap;
use std::sync::Arc;

pub use table::{ColumnSource, Table, TableColumn, TableId, TableMode, Watermark};
pub use view::View;

use crate::changelog::Change;

/// A table or a view.
#[derive(Debug, Clone)]
pub enum Entry {
    /// A table. Boxed, since it is much larger than a view.
    Table(Box<Table>),
    /// A view.
    View(View),
}

/// All tables and views. Names are case-sensitive. A temporary entry hides a permanent one of the
/// same name.
#[derive(Debug, Clone, Default)]
pub struct Catalog {
    permanent: BTreeMap<String, Entry>,
    temporary: BTreeMap<String, Entry>,
    /// What the last query gave.
    last: Option<Entry>,
    /// Tables with other options, for the statements and pipelines that use them.
    variants: Vec<Arc<Variant>>,
    tables_made: u32,
}

/// A connected table with other options than its own, which a hint has given it in one statement. No name
/// leads to it.
#[derive(Debug, Clone)]
pub struct Variant {
    /// The table whose variant it is.
    pub origin: TableId,
    /// The options of the hint.
    pub hint: Vec<(String, String)>,
    /// The table with the options of the hint, and a number of its own.
    pub table: Table,
}

/// The name of the table that has what the last query gave. Any table or view hides it, and no list
/// shows it.
pub const LAST: &str = "_";

impl Entry {
    /// `table` or `view`, for messages.
    pub fn noun(&self) -> &'static str {
        match self {
            Self::Table(_) => "table",
            Self::View(_) => "view",
        }
    }
}

impl Catalog {
    /// The entry with exactly this name.
    pub fn get(&self, name: &str) -> Option<&Entry> {
        let named = self.temporary.get(name).or_else(|| self.permanent.get(name));
        named.or_else(|| self.last.as_ref().filter(|_| name == LAST))
    }

    /// The table with exactly this name.
    pub fn table(&self, name: &str) -> Option<&Table> {
        match self.get(name) {
            Some(Entry::Table(table)) => Some(table),
            _ => None,
        }
    }

    /// The view with exactly this name.
    pub fn view(&self, name: &str) -> Option<&View> {
        match self.get(name) {
            Some(Entry::View(view)) => Some(view),
            _ => None,
        }
    }

    /// The table with this number, also one that a temporary entry hides.
    pub fn table_by_id(&self, id: TableId) -> Option<&Table> {
        self.all_tables().find(|table| table.id == id)
    }

    /// The table with this number, to append to its log.
    pub fn table_by_id_mut(&mut self, id: TableId) -> Option<&mut Table> {
        let named = self.temporary.values_mut().chain(self.permanent.values_mut());
        named.chain(&mut self.last).find_map(|entry| match entry {
            Entry::Table(table) if table.id == id => Some(&mut **table),
            Entry::Table(_) | Entry::View(_) => None,
        })
    }

    fn all_tables(&self) -> impl Iterator<Item = &Table> {
        let named = self.temporary.values().chain(self.permanent.values());
        let named = named.chain(&self.last).filter_map(|entry| match entry {
            Entry::Table(table) => Some(&**table),
            Entry::View(_) => None,
        });
        named.chain(self.variants.iter().map(|variant| &variant.table))
    }

    /// The number that the next table gets, and those after it.
    pub fn coming_table_ids(&self) -> impl Iterator<Item = TableId> + use<> {
        (self.tables_made + 1..).map(TableId)
    }

    /// Keeps tables with other options, whose numbers are [`Self::coming_table_ids`].
    pub fn add_variants(&mut self, variants: Vec<Arc<Variant>>) {
        let last = variants.iter().map(|variant| variant.table.id.0).max();
        self.tables_made = self.tables_made.max(last.unwrap_or_default());
        self.variants.extend(variants);
    }

    /// Forgets the tables with other options that are not used.
    pub fn retain_variants(&mut self, is_used: impl Fn(TableId) -> bool) {
        self.variants.retain(|variant| is_used(variant.table.id));
    }

    /// The table that has a name, for one with other options; else the table itself.
    pub fn origin(&self, id: TableId) -> TableId {
        let variant = self.variants.iter().find(|variant| variant.table.id == id);
        variant.map_or(id, |variant| variant.origin)
    }

    /// Keeps what the last query gave, or nothing.
    pub fn set_last(&mut self, table: Option<Table>) {
        self.last = table.map(|table| Entry::Table(Box::new(table)));
    }

    /// The change in the log of a table that has this number, and the table with its name.
    pub fn logged(&self, sequence: u64) -> Option<(&str, &Table, Change<'_>)> {
        let entries = self.permanent.iter().chain(&self.temporary);
        let tables = entries.filter_map(|(name, entry)| match entry {
            Entry::Table(table) => Some((name, &**table)),
            Entry::View(_) => None,
        });
        let mut logged = tables.filter_map(|(name, table)| {
            table.log().find(sequence).map(|change| (name.as_str(), table, change))
        });
        logged.next()
    }

    /// Whether there is an entry of this name and lifetime.
    pub fn contains(&self, name: &str, temporary: bool) -> bool {
        self.room(temporary).contains_key(name)
    }

    /// A number for a new table, never used before.
    pub fn next_table_id(&mut self) -> TableId {
        self.tables_made += 1;
        TableId(self.tables_made)
    }

    /// Puts an entry under a name, in place of one of the same name and lifetime.
    pub fn put(&mut self, name: impl Into<String>, temporary: bool, entry: Entry) {
        self.room_mut(temporary).insert(name.into(), entry);
    }

    /// Takes away the entry of this name and lifetime.
    pub fn remove(&mut self, name: &str, temporary: bool) -> Option<Entry> {
        self.room_mut(temporary).remove(name)
    }

    /// All visible entries with their names, in the order of the names.
    pub fn entries(&self) -> impl Iterator<Item = (&str, &Entry)> {
        let visible: BTreeMap<&str, &Entry> = self
            .permanent
            .iter()
            .chain(&self.temporary)
            .map(|(name, entry)| (name.as_str(), entry))
            .collect();
        visible.into_iter()
    }

    fn room(&self, temporary: bool) -> &BTreeMap<String, Entry> {
        if temporary { &self.temporary } else { &self.permanent }
    }

    fn room_mut(&mut self, temporary: bool) -> &mut BTreeMap<String, Entry> {
        if temporary { &mut self.temporary } else { &mut self.permanent }
    }
}
