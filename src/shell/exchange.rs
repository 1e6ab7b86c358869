//! The commands that make tables of files and files of tables.

use std::io::{self, Write};
use std::path::Path;

use rowkind::changelog::Changes;
use rowkind::connect::{ConnectError, Connector, Replacement, Writer};
use rowkind::import::Import;
use rowkind::render::{Ending, Format, Look, Problem, Side};
use rowkind::session::{Collected, Error, Header, Progress, Receiver};

use super::command::Command;
use super::desk::{Desk, Spot, unwritable};
use super::output::Output;
use super::result_command::bare_name;
use super::screen::Screen;
use super::status::Stop;

/// The commands, in the order in which the help shows them.
pub(super) const COMMANDS: [Command; 2] = [
    Command {
        name: "import",
        aliases: &[],
        arguments: "FILE [as TABLE]",
        about: "make a table of CSV or JSON, and say how to read it if it is a changelog",
        run: Desk::import,
    },
    Command {
        name: "export",
        aliases: &[],
        arguments: "FILE [as FORMAT] [QUERY]",
        about: "replace a file by the rows of a query or table, or by its changes; flink FILE writes a script for Flink",
        run: Desk::export,
    },
];

/// What a file is written as.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Form {
    /// Rows or changes, as results are shown.
    Shown(Format, Side),
    /// Events, by a format of connected tables.
    Events(&'static str),
}

/// The names of the formats in which rows are written, and of that for changes.
const ROWS: [&str; 7] = ["csv", "tsv", "json", "jsonl", "md", "insert", "changelog"];

/// The formats of events.
const EVENTS: [&str; 5] = ["debezium-json", "canal-json", "maxwell-json", "ogg-json", "changelog-json"];

/// The names of all formats that a file can be written in.
pub(super) fn formats() -> Vec<&'static str> {
    ROWS.into_iter().chain(EVENTS).collect()
}

impl Desk {
    fn import(&mut self, argument: &str) -> Result<(), Stop> {
        let Some((path, rest)) = file_and_rest(argument) else {
            return self.report(&Problem::new(".import needs the name of a file"));
        };
        let name = match word_as(rest) {
            Some((name, "")) => Some(name.trim_matches('`')),
            None if rest.is_empty() => None,
            Some(_) | None => {
                let problem = Problem::new(format!("\"{rest}\" is not expected behind the name of the file"));
                return self.report(&problem.with_hint("Write .import FILE as TABLE."));
            }
        };
        let import = match Import::of(path, name) {
            Ok(import) => import,
            Err(error) => {
                let problem = Problem::new(error.to_string());
                return match error.hint() {
                    Some(hint) => self.report(&problem.with_hint(hint)),
                    None => self.report(&problem),
                };
            }
        };
        if let Err(error) = self.session.execute(&import.statement, &mut Collected::default()) {
            return self.fail(Spot::of_text(&import.statement), &error);
        }
        writeln!(self.output.out, "{};", import.statement)?;
        for remark in &import.remarks {
            writeln!(self.output.out, "-- {}", remark.replace(['\n', '\r'], " "))?;
        }
        if let Some(query) = &import.suggestion {
            writeln!(self.output.out, "-- Its rows as changes:\n{query};")?;
        }
        Ok(())
    }

    fn export(&mut self, argument: &str) -> Result<(), Stop> {
        let Some((path, rest)) = file_and_rest(argument) else {
            let problem = Problem::new(".export needs the name of a file");
            return self.report(&problem.with_hint("Its ending is .csv, .tsv, .json, .jsonl, .md or .sql."));
        };
        if path == "flink" && !rest.is_empty() {
            return self.export_script(rest);
        }
        let path = Path::new(path);
        let (form, query) = match word_as(rest) {
            Some((word, query)) => (form_of_name(word, path), query),
            None => (form_of_path(path, Side::Table), rest),
        };
        let form = match form {
            Ok(form) => form,
            Err(problem) => return self.report(&problem),
        };
        // Without a query it is what the last one gave.
        let query = if query.is_empty() { "_" } else { query };
        let is_name = !query.contains(char::is_whitespace);
        let table = if is_name && query != "_" { Some(bare_name(query)) } else { stem(path) };
        let query = if is_name { format!("SELECT * FROM {query}") } else { query.to_owned() };
        let result = match form {
            Form::Shown(format, side) => {
                let table = table.map(Into::into);
                let look = Look { side, table, headers: true, ..Look::default() };
                self.export_shown(path, &query, format, &look)?
            }
            Form::Events(format) => self.export_events(path, &query, format)?,
        };
        match result {
            Ok(count) => {
                if self.manner.interactive {
                    let noun = if count == 1 { "change" } else { "changes" };
                    self.output.remark(&format!("{count} {noun} read, \"{}\" written", path.display()));
                }
                Ok(())
            }
            Err(Failure::Statement(error)) if error.is_cancelled() => self.cancelled(None),
            Err(Failure::Statement(error)) => self.fail(Spot::of_text(&query), &error),
            Err(Failure::Connect(error)) => {
                let problem = Problem::new(error.to_string());
                match error.hint() {
                    Some(hint) => self.report(&problem.with_hint(hint)),
                    None => self.report(&problem),
                }
            }
        }
    }

    /// Writes what a query gives as results are shown.
    fn export_shown(
        &mut self,
        path: &Path,
        query: &str,
        format: Format,
        look: &Look,
    ) -> Result<Result<usize, Failure>, Stop> {
        let mut result = Ok(0);
        let written = self.run_into(path, |desk| {
            let mut screen = Screen::new(&mut desk.output, format.view(look), look.side, false);
            match desk.session.execute(query, &mut screen) {
                Ok(_) => {
                    result = Ok(screen.end(Ending::Complete)?.unwrap_or_default());
                    Ok(())
                }
                Err(error) => {
                    result = Err(Failure::Statement(error));
                    Err(Stop::Failed)
                }
            }
        });
        match written {
            Err(stop) if result.is_ok() => Err(stop),
            Ok(()) | Err(_) => Ok(result),
        }
    }

    /// Writes the changes that a query gives as events.
    fn export_events(
        &mut self,
        path: &Path,
        query: &str,
        format: &'static str,
    ) -> Result<Result<usize, Failure>, Stop> {
        let replacement = Replacement::of(path);
        let file = match replacement.open() {
            Ok(file) => file,
            Err(error) => return self.report(&unwritable(path, &error)).map(|()| Ok(0)),
        };
        let name = path.display().to_string();
        let file: Box<dyn Write + Send> = Box::new(io::BufWriter::new(file));
        let mut sink = EventSink {
            output: &mut self.output,
            format,
            name,
            file: Some(file),
            writer: None,
            failure: None,
            count: 0,
        };
        let result = self.session.execute(query, &mut sink);
        let EventSink { writer, failure, count, .. } = sink;
        let flushed = writer.map_or(Ok(()), |mut writer| writer.flush());
        let result = match (result, failure.map_or(flushed, Err)) {
            (_, Err(error)) => Err(Failure::Connect(error)),
            (Err(error), Ok(())) => Err(Failure::Statement(error)),
            (Ok(_), Ok(())) => Ok(count),
        };
        if result.is_ok()
            && let Err(error) = replacement.commit()
        {
            return self.report(&unwritable(path, &error)).map(|()| Ok(0));
        }
        Ok(result)
    }

    /// Writes the tables, views and pipelines as a script for Flink.
    fn export_script(&mut self, path: &str) -> Result<(), Stop> {
        let path = Path::new(file_and_rest(path).map_or(path, |(path, _)| path));
        let script = self.session.flink_script();
        Replacement::write(path, &script).or_else(|error| self.report(&unwritable(path, &error)))
    }
}

/// Why there is nothing to write.
enum Failure {
    Statement(Error),
    Connect(ConnectError),
}

/// Takes the changes of a query to a file of events.
struct EventSink<'a> {
    output: &'a mut Output,
    format: &'static str,
    name: String,
    /// The file, until it is known what is written.
    file: Option<Box<dyn Write + Send>>,
    writer: Option<Box<dyn Writer>>,
    failure: Option<ConnectError>,
    count: usize,
}

impl Receiver for EventSink<'_> {
    fn notice(&mut self, notice: &str) {
        self.output.notice(notice);
    }

    fn begin(&mut self, header: &Header) {
        let options = [("connector", "stdout"), ("format", self.format)];
        let options = options.map(|(key, value)| (key.to_owned(), value.to_owned()));
        let Some(file) = self.file.take() else { return };
        let connector = Connector::from_options(&options, &header.schema, &[]);
        match connector.and_then(|connector| connector.writer_into(&self.name, file)) {
            Ok(writer) => self.writer = Some(writer),
            Err(error) => self.failure = Some(error),
        }
    }

    fn changes(&mut self, changes: &Changes) -> bool {
        let Some(writer) = &mut self.writer else { return false };
        self.count += changes.len();
        self.failure = writer.write(changes).err();
        self.failure.is_none()
    }

    fn progress(&mut self, progress: &dyn Fn() -> Progress) {
        self.output.progress(progress);
    }
}

/// The name of a file, which may be in quotes, and what stands behind it.
fn file_and_rest(text: &str) -> Option<(&str, &str)> {
    let text = text.trim();
    let (path, rest) = match text.strip_prefix('\'').and_then(|text| text.split_once('\'')) {
        Some(parts) => parts,
        None => text.split_once(char::is_whitespace).unwrap_or((text, "")),
    };
    (!path.is_empty()).then(|| (path, rest.trim()))
}

/// What stands behind the name of a file, if that has ended.
pub(super) fn behind_file(text: &str) -> Option<&str> {
    let end = match text.strip_prefix('\'') {
        Some(inside) => inside.find('\'')? + 2,
        None => text.find(char::is_whitespace)?,
    };
    Some(text[end..].trim_start())
}

/// The word behind `as`, and what stands behind that.
fn word_as(text: &str) -> Option<(&str, &str)> {
    let (word, rest) = text.split_once(char::is_whitespace)?;
    if !word.eq_ignore_ascii_case("as") {
        return None;
    }
    let rest = rest.trim_start();
    let (word, rest) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    Some((word, rest.trim_start()))
}

/// The name of a file without its ending, which may be the name of a table.
fn stem(path: &Path) -> Option<String> {
    path.file_stem().and_then(|stem| stem.to_str()).map(str::to_owned)
}

fn form_of_path(path: &Path, side: Side) -> Result<Form, Problem<'static>> {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_ascii_lowercase();
    let format = match ending.as_str() {
        "csv" => Format::Csv,
        "tsv" => Format::Tsv,
        "json" => Format::Json,
        "jsonl" | "ndjson" => Format::Jsonl,
        "md" | "markdown" => Format::Markdown,
        "sql" => Format::Insert,
        _ => {
            let problem = format!("the name \"{}\" does not say what to write", path.display());
            return Err(Problem::new(problem).with_hint(
                "It ends with .csv, .tsv, .json, .jsonl, .md or .sql, or as FORMAT stands behind it.",
            ));
        }
    };
    Ok(Form::Shown(format, side))
}

fn form_of_name(name: &str, path: &Path) -> Result<Form, Problem<'static>> {
    let rows = |format| Ok(Form::Shown(format, Side::Table));
    match name {
        "csv" => rows(Format::Csv),
        "tsv" => rows(Format::Tsv),
        "json" => rows(Format::Json),
        "jsonl" => rows(Format::Jsonl),
        "md" | "markdown" => rows(Format::Markdown),
        "insert" => rows(Format::Insert),
        "changelog" => form_of_path(path, Side::Changes),
        name => match EVENTS.into_iter().find(|events| *events == name) {
            Some(events) => Ok(Form::Events(events)),
            None => Err(Problem::new(format!("\"{name}\" is no format of files"))
                .with_hint(format!("The formats are {}.", formats().join(", ")))),
        },
    }
}
