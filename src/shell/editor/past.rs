//! What was typed before, as the line editor sees it: with margins.

use std::path::Path;

use rustyline::history::{FileHistory, History, SearchDirection, SearchResult};
use rustyline::{Config, Result};

use super::margin::Margin;

/// A history whose entries have margins where the line editor sees them, and none in the file.
pub(super) struct Past {
    kept: FileHistory,
    margin: Margin,
}

impl Past {
    pub(super) fn new(config: &Config) -> Self {
        Self { kept: FileHistory::with_config(config), margin: Margin::of("") }
    }

    pub(super) fn set_margin(&mut self, margin: Margin) {
        self.margin = margin;
    }

    /// The entries without margins, the oldest first.
    pub(super) fn entries(&self) -> impl Iterator<Item = &str> {
        self.kept.iter().map(String::as_str)
    }

    fn shown<'a>(&self, found: SearchResult<'a>) -> SearchResult<'a> {
        if !found.entry.contains('\n') {
            return found;
        }
        let pos = found.pos + self.margin.shift(&found.entry, found.pos);
        SearchResult { entry: self.margin.put(&found.entry).into(), pos, ..found }
    }
}

impl History for Past {
    fn get(&self, index: usize, direction: SearchDirection) -> Result<Option<SearchResult<'_>>> {
        Ok(self.kept.get(index, direction)?.map(|found| self.shown(found)))
    }

    fn add(&mut self, line: &str) -> Result<bool> {
        self.kept.add(&Margin::remove(line))
    }

    fn add_owned(&mut self, line: String) -> Result<bool> {
        self.add(&line)
    }

    fn len(&self) -> usize {
        self.kept.len()
    }

    fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    fn set_max_len(&mut self, len: usize) -> Result<()> {
        self.kept.set_max_len(len)
    }

    fn ignore_dups(&mut self, yes: bool) -> Result<()> {
        self.kept.ignore_dups(yes)
    }

    fn ignore_space(&mut self, yes: bool) {
        self.kept.ignore_space(yes);
    }

    fn save(&mut self, path: &Path) -> Result<()> {
        self.kept.save(path)
    }

    fn append(&mut self, path: &Path) -> Result<()> {
        self.kept.append(path)
    }

    fn load(&mut self, path: &Path) -> Result<()> {
        self.kept.load(path)
    }

    fn clear(&mut self) -> Result<()> {
        self.kept.clear()
    }

    fn search(
        &self,
        term: &str,
        start: usize,
        direction: SearchDirection,
    ) -> Result<Option<SearchResult<'_>>> {
        let found = self.kept.search(&Margin::remove(term), start, direction)?;
        Ok(found.map(|found| self.shown(found)))
    }

    fn starts_with(
        &self,
        term: &str,
        start: usize,
        direction: SearchDirection,
    ) -> Result<Option<SearchResult<'_>>> {
        let found = self.kept.starts_with(&Margin::remove(term), start, direction)?;
        Ok(found.map(|found| self.shown(found)))
    }
}
