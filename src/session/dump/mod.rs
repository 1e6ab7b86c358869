//! Scripts that make the tables and views of a session anew, with their logs.

mod flink;

use std::fmt::Write;

use super::pipeline::Job;
use super::settings::INSERT;
use super::show::{create_table, create_view};
use super::{STRICT, Session};
use crate::catalog::{Entry, Table, TableId, TableMode};
use crate::changelog::{Change, RowKind};
use crate::sql::{LexemeKind, lexemes, literal};

/// The most rows in one INSERT.
const ROWS: usize = 500;

/// The most pieces of views that name each other.
const DEEPEST: usize = 64;

impl Session {
    /// The statement that makes a table or view, without a semicolon.
    pub fn definition(&self, name: &str) -> Option<String> {
        let text = match self.catalog().get(name)? {
            Entry::Table(table) => create_table(name, table),
            Entry::View(view) => create_view(name, view),
        };
        Some(without_catalog(&text))
    }

    /// A script that makes the tables, their logs, the views and the running pipelines anew, in a session without
    /// any. The logs come out the same, change by change: rows are inserted with their kinds and in the order of
    /// their numbers, and each pipeline starts where it started. What a running pipeline wrote is left to it.
    ///
    /// Rows arrive when the script runs, so what depends on the time of arrival or on the clock is different. A
    /// table into which others have written beside its pipelines keeps its rows, and the pipelines stand in the
    /// script as comments.
    pub fn dump(&self) -> String {
        let mut script = format!("-- rowkind {}\n", env!("CARGO_PKG_VERSION"));
        let later = [INSERT, STRICT];
        for (key, value) in self.settings.iter().filter(|(key, _)| !later.contains(key)) {
            write_setting(&mut script, key, value);
        }
        let mut tables: Vec<(&str, &Table)> = Vec::new();
        let mut views = Vec::new();
        for (name, entry) in self.engine.catalog.entries() {
            match entry {
                Entry::Table(table) => tables.push((name, table)),
                Entry::View(view) => views.push((name, view)),
            }
        }
        tables.sort_by_key(|(_, table)| table.id);
        for (name, table) in &tables {
            let _ = writeln!(script, "{};", without_catalog(&create_table(name, table)));
        }
        let names: Vec<&str> = views.iter().map(|(name, _)| *name).collect();
        let depth = |name: &str| self.depth_of_view(name, &names, 0);
        views.sort_by_key(|(name, _)| depth(name));
        for (name, view) in &views {
            let _ = writeln!(script, "{};", without_catalog(&create_view(name, view)));
        }
        self.write_events(&mut script, &tables);
        for (key, value) in self.settings.iter().filter(|(key, _)| later.contains(key)) {
            write_setting(&mut script, key, value);
        }
        script
    }

    /// How many views lie under a view at most.
    fn depth_of_view(&self, name: &str, views: &[&str], depth: usize) -> usize {
        let Some(view) = self.engine.catalog.view(name).filter(|_| depth < DEEPEST) else { return depth };
        let named = lexemes(&view.query).filter_map(|lexeme| {
            let word = view.query[lexeme.range].trim_matches('`');
            let is_name = matches!(lexeme.kind, LexemeKind::Word | LexemeKind::Name);
            (is_name && word != name).then(|| views.iter().find(|view| **view == word)).flatten()
        });
        named.map(|view| self.depth_of_view(view, views, depth + 1)).max().unwrap_or(depth)
    }

    /// The rows and the pipelines, in the order in which they came.
    fn write_events(&self, script: &mut String, tables: &[(&str, &Table)]) {
        let running: Vec<&Job> = self.engine.jobs.iter().filter(|job| job.dataflow().is_some()).collect();
        let is_derived = |table: &Table| {
            let writers: Vec<&&Job> = running.iter().filter(|job| job.sink == table.id).collect();
            let written: usize = writers.iter().map(|job| job.written).sum();
            !writers.is_empty() && written == table.log().len()
        };
        let kept: Vec<&(&str, &Table)> = tables.iter().filter(|(_, table)| !is_derived(table)).collect();
        let mixed: Vec<TableId> = kept.iter().map(|(_, table)| table.id).collect();
        let mut rows: Vec<(u64, usize, usize)> = Vec::new();
        for (table, (_, entry)) in kept.iter().enumerate() {
            let log = entry.log();
            rows.extend((0..log.len()).map(|index| (log.get(index).cause.sequence, table, index)));
        }
        rows.sort_unstable();
        let mut jobs = running.iter().peekable();
        let mut last: Option<&str> = None;
        let mut write_jobs = |script: &mut String, before: u64| {
            while let Some(job) = jobs.next_if(|job| job.after < before) {
                // The pipelines of one statement set are started by one statement.
                if last.replace(&job.statement) != Some(&job.statement) {
                    let sinks = running.iter().filter(|other| other.statement == job.statement);
                    let is_mixed = sinks.clone().any(|job| mixed.contains(&job.sink));
                    write_pipeline(script, job, is_mixed);
                }
            }
        };
        let mut start = 0;
        while start < rows.len() {
            let (first, table, _) = rows[start];
            write_jobs(script, first);
            let next_job = running.iter().map(|job| job.after).filter(|after| *after >= first).min();
            let fits = |(sequence, other, _): &&(u64, usize, usize)| {
                *other == table && next_job.is_none_or(|after| *sequence <= after)
            };
            let count = rows[start..].iter().take(ROWS).take_while(fits).count().max(1);
            let (name, entry) = kept[table];
            let changes = rows[start..start + count].iter().map(|&(_, _, index)| entry.log().get(index));
            write_rows(script, name, entry, changes);
            start += count;
        }
        write_jobs(script, u64::MAX);
    }
}

fn without_catalog(text: &str) -> String {
    text.replacen("`default_catalog`.`default_database`.", "", 1)
}

fn write_setting(script: &mut String, key: &str, value: &str) {
    let _ = writeln!(script, "SET '{}' = '{}';", key.replace('\'', "''"), value.replace('\'', "''"));
}

fn quoted(name: &str) -> String {
    format!("`{}`", name.replace('`', "``"))
}

/// The rows of one INSERT. A delete that lacks what its table must have is a DELETE by the key.
fn write_rows<'a>(script: &mut String, name: &str, table: &Table, rows: impl Iterator<Item = Change<'a>>) {
    let schema = table.stored_schema();
    let lacks = |change: &Change<'_>| {
        schema
            .columns
            .iter()
            .zip(change.row)
            .any(|(column, value)| value.is_null() && !column.data_type.nullable)
    };
    let has_computed = schema.columns.len() < table.columns.len();
    let columns: Vec<String> = schema.names().map(quoted).collect();
    let list = if has_computed { format!(" ({})", columns.join(", ")) } else { String::new() };
    let mut kinds: Vec<RowKind> = Vec::new();
    let mut values = String::new();
    let write = |script: &mut String, kinds: &mut Vec<RowKind>, values: &mut String| {
        // Without kinds rows are inserted, and in an upsert table they update what is there.
        let plain = |kind: &RowKind| match kind {
            RowKind::Insert => true,
            RowKind::UpdateAfter => table.mode == TableMode::Upsert,
            RowKind::UpdateBefore | RowKind::Delete => false,
        };
        if !kinds.iter().all(plain) {
            let symbols: Vec<&str> = kinds.iter().map(|kind| kind.symbol()).collect();
            let _ = writeln!(script, "-- kinds: {}", symbols.join(" "));
        }
        if !kinds.is_empty() {
            let _ = writeln!(script, "INSERT INTO {}{list} VALUES\n{values};", quoted(name));
        }
        kinds.clear();
        values.clear();
    };
    for change in rows {
        if lacks(&change) {
            write(script, &mut kinds, &mut values);
            write_delete(script, name, table, &change);
            continue;
        }
        if !kinds.is_empty() {
            values.push_str(",\n");
        }
        kinds.push(change.kind);
        let items = schema.columns.iter().zip(change.row);
        let items: Vec<String> = items.map(|(column, value)| literal(value, &column.data_type)).collect();
        let _ = write!(values, "  ({})", items.join(", "));
    }
    write(script, &mut kinds, &mut values);
}

fn write_delete(script: &mut String, name: &str, table: &Table, change: &Change<'_>) {
    let schema = table.stored_schema();
    let key = table.stored_key().unwrap_or(&[]);
    let conditions: Vec<String> = key
        .iter()
        .map(|&column| {
            let Some(declared) = schema.columns.get(column) else { return "TRUE".to_owned() };
            let value = literal(&change.row[column], &declared.data_type);
            format!("{} = {value}", quoted(&declared.name))
        })
        .collect();
    let _ = writeln!(script, "DELETE FROM {} WHERE {};", quoted(name), conditions.join(" AND "));
}

fn write_pipeline(script: &mut String, job: &Job, is_mixed: bool) {
    let text = match query_of_create(&job.statement) {
        Some(query) => format!("INSERT INTO {} {query};", quoted(&job.sink_name)),
        None => format!("{};", job.statement),
    };
    if is_mixed {
        let _ = writeln!(script, "-- Not started, since its table has rows of others, too:");
        text.lines().for_each(|line| {
            let _ = writeln!(script, "--   {line}");
        });
    } else {
        let _ = writeln!(script, "{text}");
    }
}

/// The query of `CREATE TABLE … AS query`.
fn query_of_create(statement: &str) -> Option<&str> {
    let mut depth = 0_usize;
    for (index, lexeme) in lexemes(statement).enumerate() {
        let word = &statement[lexeme.range.clone()];
        match lexeme.kind {
            LexemeKind::Word if index == 0 && !word.eq_ignore_ascii_case("CREATE") => return None,
            LexemeKind::Word if depth == 0 && word.eq_ignore_ascii_case("AS") => {
                return Some(statement[lexeme.range.end..].trim());
            }
            LexemeKind::Symbol(b'(') => depth += 1,
            LexemeKind::Symbol(b')') => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    None
}
