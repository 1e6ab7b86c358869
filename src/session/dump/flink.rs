//! The tables, views and pipelines as a script for Flink.

use std::fmt::Write;
use std::path::Path;

use super::{query_of_create, quoted, without_catalog, write_setting};
use crate::catalog::{ColumnSource, Entry, Table, TableColumn, TableMode, Watermark};
use crate::plan::bind::{Binder, BoundSource};
use crate::plan::{PlanError, modes, passes};
use crate::session::pipeline::{Job, JobState};
use crate::session::show::{create_table, create_view};
use crate::session::{Error, Session};
use crate::sql::{self, Statement};

/// What is said of a table, and the options that it gets.
struct Outside {
    notes: Vec<String>,
    options: Vec<(String, String)>,
}

/// Who uses a table.
#[derive(Debug, Clone, Copy)]
struct Use {
    /// Whether a view or pipeline reads it.
    is_read: bool,
    /// Whether a pipeline writes it.
    is_written: bool,
}

impl Session {
    /// A script that makes the tables, views and pipelines in Flink: tables with Flink's connectors, views, and the
    /// pipelines in one statement set. What Flink does not have is replaced by what is nearest, and a comment says so:
    /// tables in memory and the standard streams by topics of Kafka or by the connectors `datagen` and `print`.
    pub fn flink_script(&mut self) -> String {
        let mut script = String::from("-- For Flink. Comments say what is different there.\n");
        for (key, value) in self.settings.iter().filter(|(key, _)| !key.starts_with("rowkind.")) {
            write_setting(&mut script, key, value);
        }
        let (mut tables, mut views) = (Vec::new(), Vec::new());
        for (name, entry) in self.engine.catalog.entries() {
            match entry {
                Entry::Table(table) => tables.push((name, table)),
                Entry::View(view) => views.push((name, view)),
            }
        }
        tables.sort_by_key(|(_, table)| table.id);
        for (name, table) in &tables {
            let is_read = self.engine.jobs.iter().any(|job| job.reads.iter().any(|read| read == name))
                || views.iter().any(|(_, view)| names_in(&view.query).any(|word| word == *name));
            let is_written = self.jobs_to_export().any(|job| job.sink == table.id);
            write_table(&mut script, name, table, Use { is_read, is_written });
        }
        let names: Vec<&str> = views.iter().map(|(name, _)| *name).collect();
        views.sort_by_key(|(name, _)| self.depth_of_view(name, &names, 0));
        let views: Vec<(String, String)> = views
            .iter()
            .map(|(name, view)| (without_catalog(&create_view(name, view)), view.query.clone()))
            .collect();
        for (statement, query) in views {
            script.push('\n');
            self.write_refusal(&mut script, &query);
            let _ = writeln!(script, "{statement};");
        }
        self.write_inserts(&mut script);
        script
    }

    /// The pipelines that run, or have read all there was.
    fn jobs_to_export(&self) -> impl Iterator<Item = &Job> {
        let is_wanted = |job: &&Job| match job.state {
            JobState::Running(_) | JobState::Finished => self.engine.catalog.table_by_id(job.sink).is_some(),
            JobState::Stopped | JobState::Failed(_) => false,
        };
        self.engine.jobs.iter().filter(is_wanted)
    }

    fn write_inserts(&mut self, script: &mut String) {
        let mut sets: Vec<String> = Vec::new();
        let mut inserts: Vec<String> = Vec::new();
        for job in self.jobs_to_export() {
            let text = match query_of_create(&job.statement) {
                Some(query) => format!("INSERT INTO {} {query}", quoted(&job.sink_name)),
                None => job.statement.trim().to_owned(),
            };
            let is_set = text.get(..7).is_some_and(|word| word.eq_ignore_ascii_case("EXECUTE"));
            let all = if is_set { &mut sets } else { &mut inserts };
            if !all.contains(&text) {
                all.push(text);
            }
        }
        for set in sets {
            let _ = writeln!(script, "\n{set};");
        }
        let is_set = inserts.len() > 1;
        if is_set {
            script.push_str("\nEXECUTE STATEMENT SET\nBEGIN\n");
        } else if !inserts.is_empty() {
            script.push('\n');
        }
        for insert in &inserts {
            self.write_refusal(script, insert);
            let _ = writeln!(script, "{insert};");
        }
        if is_set {
            script.push_str("END;\n");
        }
    }

    /// Says what Flink refuses of a query or an INSERT, if it does.
    fn write_refusal(&mut self, script: &mut String, text: &str) {
        if let Some(refusal) = self.refusal(text) {
            let _ = writeln!(script, "-- Flink refuses this: {}", refusal.replace('\n', " "));
        }
    }

    fn refusal(&mut self, text: &str) -> Option<String> {
        let parsed = match sql::parse(text) {
            Ok(parsed) => parsed,
            Err(error) => return Some(error.to_string()),
        };
        if let Some((word, _)) = parsed.notices.reserved_words.first() {
            return Some(format!("\"{word}\" is a reserved word, and needs backticks as a name"));
        }
        let context = self.context();
        let binder = Binder::new(&self.engine.catalog, context.clone(), true);
        let plan = match &parsed.statement {
            Statement::Query(query) => binder.bind_query(query).map(Some),
            Statement::Insert(insert) => binder.bind_insert(insert).map(|bound| match bound.source {
                BoundSource::Values(plan) | BoundSource::Query(plan) => Some(plan),
                BoundSource::Rows(_) => None,
            }),
            _ => return None,
        };
        let checked = plan.and_then(|plan| {
            let Some(plan) = plan else { return Ok(()) };
            let plan = passes::run(plan, &context, &mut |_, _| {})?;
            modes::infer(plan, true).map(|_| ()).map_err(PlanError::from)
        });
        checked.err().map(|error| Error::from(error).to_string())
    }
}

/// The words of a query that may be names.
fn names_in(query: &str) -> impl Iterator<Item = &str> {
    sql::lexemes(query)
        .filter(|lexeme| matches!(lexeme.kind, sql::LexemeKind::Word | sql::LexemeKind::Name))
        .map(|lexeme| query[lexeme.range].trim_matches('`'))
}

fn write_table(script: &mut String, name: &str, table: &Table, used: Use) {
    let Outside { mut notes, options } = match &table.connector {
        None => stand_in(name, table, used),
        Some(_) => outside(name, table),
    };
    let connector = options.iter().find(|(key, _)| key == "connector").map_or("", |(_, value)| value);
    let columns = columns(table, connector, &mut notes);
    let position = |old: usize| {
        let column = &table.columns[old].column.name;
        columns.iter().position(|found| found.column.name == *column)
    };
    let key = table.primary_key.as_ref();
    let key = key.and_then(|key| key.iter().map(|&column| position(column)).collect::<Option<Vec<usize>>>());
    let watermark = table
        .watermark
        .as_ref()
        .and_then(|watermark| Some(Watermark { column: position(watermark.column)?, ..watermark.clone() }));
    let mut there = Table::new(table.id, columns, key, table.mode);
    there.watermark = watermark;
    there.options = options;
    there.comment.clone_from(&table.comment);
    there.temporary = table.temporary;
    script.push('\n');
    for note in notes {
        let _ = writeln!(script, "-- {}", note.replace('\n', " "));
    }
    let _ = writeln!(script, "{};", without_catalog(&create_table(name, &there)));
}

/// The columns that there are in Flink.
fn columns(table: &Table, connector: &str, notes: &mut Vec<String>) -> Vec<TableColumn> {
    let mut columns = Vec::new();
    for column in &table.columns {
        let ColumnSource::Metadata { key, is_virtual } = &column.source else {
            columns.push(column.clone());
            continue;
        };
        let is_of_file = key.starts_with("file.");
        let is_of_events = !is_of_file && key != "line";
        let there = match connector {
            "filesystem" => is_of_file.then(|| key.clone()),
            "kafka" | "upsert-kafka" if is_of_events => {
                let prefix = if key.starts_with("value.") { "" } else { "value." };
                Some(format!("{prefix}{key}"))
            }
            _ => None,
        };
        match there {
            Some(key) => {
                let source = ColumnSource::Metadata { key, is_virtual: *is_virtual };
                columns.push(TableColumn { source, ..column.clone() });
            }
            None => notes.push(format!(
                "Flink's connector \"{connector}\" has no metadata \"{key}\", so the column \"{}\" is left out.",
                column.column.name
            )),
        }
    }
    columns
}

fn option(key: &str, value: &str) -> (String, String) {
    (key.to_owned(), value.to_owned())
}

/// The options of a topic of Kafka.
fn topic(name: &str, connector: &str) -> Vec<(String, String)> {
    let mut options = vec![
        option("connector", connector),
        option("topic", name),
        option("properties.bootstrap.servers", "localhost:9092"),
    ];
    if connector == "kafka" {
        options.push(option("scan.startup.mode", "earliest-offset"));
    }
    options
}

/// What stands for a table in memory.
fn stand_in(name: &str, table: &Table, used: Use) -> Outside {
    let rows = table.log().len();
    let changes = if rows == 1 { "change" } else { "changes" };
    let what = format!("In rowkind this is a table in memory, with {rows} {changes}");
    let (options, stand_in) = match table.mode {
        TableMode::Upsert => {
            let mut options = topic(name, "upsert-kafka");
            options.extend([option("key.format", "json"), option("value.format", "json")]);
            (options, "a compacted topic stands for it")
        }
        TableMode::Append | TableMode::Retract if used.is_written && !used.is_read => {
            (vec![option("connector", "print")], "here it is printed")
        }
        TableMode::Append if !used.is_written => {
            let options = vec![option("connector", "datagen"), option("number-of-rows", "10")];
            (options, "random rows stand for them")
        }
        TableMode::Append => {
            let mut options = topic(name, "kafka");
            options.push(option("format", "json"));
            (options, "a topic stands for it")
        }
        TableMode::Retract => {
            let mut options = topic(name, "kafka");
            options.push(option("format", "debezium-json"));
            (options, "a topic with events of Debezium stands for it")
        }
    };
    Outside { notes: vec![format!("{what}; {stand_in}.")], options }
}

/// The options in Flink of a connected table.
fn outside(name: &str, table: &Table) -> Outside {
    let given =
        |key: &str| table.options.iter().find(|(other, _)| other == key).map(|(_, value)| value.as_str());
    let connector = given("connector").unwrap_or_default();
    let has_key = given("key.format").is_some();
    let mut notes = Vec::new();
    let mut options = match connector {
        "filesystem" if !has_key => vec![option("connector", connector)],
        "filesystem" | "stdin" | "stdout" => {
            let upserts = has_key && table.primary_key.is_some();
            let kafka = if upserts { "upsert-kafka" } else { "kafka" };
            let was = if connector == "filesystem" {
                "a file of keys and values".to_owned()
            } else {
                format!("the {}", if connector == "stdin" { "standard input" } else { "standard output" })
            };
            notes.push(format!("In rowkind this is {was}; a topic stands for it."));
            topic(name, kafka)
        }
        connector => vec![option("connector", connector)],
    };
    // The options of a format stand behind the side that has it.
    let sides = [("key", given("key.format")), ("value", given("value.format"))];
    if connector == "faker" {
        notes.push("Flink has this connector with the jar of flink-faker on its class path.".to_owned());
    }
    let is_made_up = ["datagen", "faker"].contains(&connector);
    let is_upsert = options.iter().any(|(_, value)| value == "upsert-kafka");
    let is_file = options.iter().any(|(_, value)| value == "filesystem");
    for (key, value) in &table.options {
        match key.as_str() {
            "connector" | "changelog.mode" | "key.separator" => {}
            "seed" | "start-time" if is_made_up => {}
            "path" if is_file => write_path(value, &mut options, &mut notes),
            "path" | "source.monitor-interval" | "source.path.regex-pattern" if !is_file => {}
            "key.fields" if is_upsert => {}
            "csv.header" => {
                if value.eq_ignore_ascii_case("true") {
                    notes.push(
                        "Flink takes the columns of a line in their order, whatever the header says.".into(),
                    );
                    options.push(option("csv.ignore-first-line", "true"));
                }
            }
            "csv.ignore-first-line" => {
                notes.push("Flink before 2.4 reads the first line, too.".to_owned());
                options.push(option(key, value));
            }
            key if key.ends_with(".multi-line") => notes.push(
                "Flink reads a document from one line; write each on a line of its own (jq -c does)."
                    .to_owned(),
            ),
            key if key.starts_with("changelog-json.") => {}
            "format" | "value.format" if value == "changelog-json" => {
                notes.push("Flink has no format changelog-json; debezium-json stands for it.".to_owned());
                options.push(option(key, "debezium-json"));
            }
            _ => {
                let of_sides = sides.iter().filter(|(_, format)| key.split('.').next() == *format);
                let of_sides: Vec<_> =
                    of_sides.map(|(side, _)| option(&format!("{side}.{key}"), value)).collect();
                if of_sides.is_empty() {
                    options.push((key.clone(), value.clone()));
                }
                options.extend(of_sides);
            }
        }
    }
    Outside { notes, options }
}

/// The path as a URL, and a pattern as Flink writes it.
fn write_path(path: &str, options: &mut Vec<(String, String)>, notes: &mut Vec<String>) {
    let local = path.strip_prefix("file://").or_else(|| path.strip_prefix("file:")).unwrap_or(path);
    let absolute = std::path::absolute(local).unwrap_or_else(|_| Path::new(local).to_owned());
    let is_wild = |part: &str| part.contains(['*', '?', '[']);
    let text = absolute.display().to_string();
    if !is_wild(&text) || absolute.exists() {
        let end = if local.ends_with('/') { "/" } else { "" };
        options.push(option("path", &format!("file://{}{end}", text.trim_end_matches('/'))));
    } else {
        let folder: Vec<&str> = text.split('/').take_while(|part| !is_wild(part)).collect();
        let mut pattern = String::new();
        for c in text.chars() {
            match c {
                '*' => pattern.push_str("[^/]*"),
                '?' => pattern.push_str("[^/]"),
                '[' | ']' => pattern.push(c),
                c => pattern.push_str(&regex::escape(c.encode_utf8(&mut [0; 4]))),
            }
        }
        options.push(option("path", &format!("file://{}", folder.join("/"))));
        options.push(option("source.path.regex-pattern", &pattern));
    }
    if absolute.extension().is_some_and(|ending| ending == "zst") {
        notes.push("Flink reads .zst with the dependency zstd-jni on its class path.".to_owned());
    }
}
