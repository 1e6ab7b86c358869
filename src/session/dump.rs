//! What makes the tables and views of a session anew.

use super::Session;
use super::show::{create_table, create_view};
use crate::catalog::Entry;

impl Session {
    /// The statement that makes a table or view, without a semicolon.
    pub fn definition(&self, name: &str) -> Option<String> {
        let text = match self.catalog().get(name)? {
            Entry::Table(table) => create_table(name, table),
            Entry::View(view) => create_view(name, view),
        };
        Some(text.replacen("`default_catalog`.`default_database`.", "", 1))
    }

    /// A script.
    pub fn dump(&self) -> String {
        String::new()
    }
}
