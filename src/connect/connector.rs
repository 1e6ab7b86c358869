//! What a table is connected to.

use std::io::{self, Read, Write};
use std::path::PathBuf;

use super::file;
use super::format::{Encoder, FORMATS, Format};
use super::options::{KnownOption, Options};
use super::print::PrintEncoder;
use super::sink::{Blackhole, LineSink};
use super::source::LineSource;
use super::{ConnectError, Reader, Spool, Writer};
use crate::changelog::ChangelogMode;
use crate::spelling::nearest;
use crate::value::Schema;

/// What a table is connected to: files, standard input or output, or nothing.
#[derive(Debug, Clone, PartialEq)]
pub struct Connector {
    schema: Schema,
    end: End,
}

#[derive(Debug, Clone, PartialEq)]
enum End {
    Filesystem { path: PathBuf, format: Format },
    Stdin(Format),
    Stdout(Format),
    Print { prefix: String, to_stderr: bool },
    Blackhole,
}

/// Which changes a sink takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SinkMode {
    /// Those of a mode.
    Only(ChangelogMode),
    /// Whatever comes.
    Any,
}

/// The names of the connectors.
const CONNECTORS: [&str; 5] = ["filesystem", "stdin", "stdout", "print", "blackhole"];

/// Options of Flink's `filesystem` that change how fast or in how many files it writes, but nothing
/// about the rows. They are accepted, and have no effect.
const TUNING: [&str; 9] = [
    "auto-compaction",
    "compaction.file-size",
    "compaction.parallelism",
    "sink.rolling-policy.file-size",
    "sink.rolling-policy.rollover-interval",
    "sink.rolling-policy.check-interval",
    "sink.parallelism",
    "scan.parallelism",
    "source.report-statistics",
];

impl Connector {
    /// The connector that the options of a table with these columns describe. The options must be
    /// those of the connector and its format alone.
    ///
    /// # Errors
    /// An option is missing, unknown or wrong, or the format has no form for a column.
    pub fn from_options(options: &[(String, String)], schema: &Schema) -> Result<Self, ConnectError> {
        let mut options = Options::new(options);
        let end = End::take(&mut options, schema)?;
        options.finish()?;
        Ok(Self { schema: schema.clone(), end })
    }

    /// The name, as in `'connector' = 'filesystem'`.
    pub fn name(&self) -> &'static str {
        match self.end {
            End::Filesystem { .. } => "filesystem",
            End::Stdin(_) => "stdin",
            End::Stdout(_) => "stdout",
            End::Print { .. } => "print",
            End::Blackhole => "blackhole",
        }
    }

    /// The kinds of changes that come out, if it can be read.
    pub fn source_mode(&self) -> Option<ChangelogMode> {
        match &self.end {
            End::Filesystem { format, .. } | End::Stdin(format) => Some(format.mode()),
            End::Stdout(_) | End::Print { .. } | End::Blackhole => None,
        }
    }

    /// The kinds of changes that may go in, if it can be written.
    pub fn sink_mode(&self) -> Option<SinkMode> {
        match &self.end {
            End::Filesystem { format, .. } | End::Stdout(format) => Some(SinkMode::Only(format.mode())),
            End::Print { .. } | End::Blackhole => Some(SinkMode::Any),
            End::Stdin(_) => None,
        }
    }

    /// Whether it can be read.
    pub fn is_source(&self) -> bool {
        self.source_mode().is_some()
    }

    /// Whether it can be written.
    pub fn is_sink(&self) -> bool {
        self.sink_mode().is_some()
    }

    /// Whether reading comes to an end by itself.
    pub fn is_bounded(&self) -> bool {
        match self.end {
            End::Filesystem { .. } | End::Stdin(_) => true,
            End::Stdout(_) | End::Print { .. } | End::Blackhole => false,
        }
    }

    /// Whether it reads standard input, which can be read only once.
    pub fn is_stdin(&self) -> bool {
        matches!(self.end, End::Stdin(_))
    }

    /// Reads from the beginning, and of the rows the columns at these positions of the schema, in
    /// their order, each once.
    ///
    /// # Errors
    /// It is no source, a file does not exist or cannot be opened, or there is no standard input.
    pub fn reader(&self, columns: &[usize], stdin: Option<&Spool>) -> Result<Box<dyn Reader>, ConnectError> {
        match &self.end {
            End::Filesystem { path, format } => {
                let decoder = format.decoder(&self.schema, columns);
                Ok(Box::new(LineSource::of_files(file::list(path)?, decoder)?))
            }
            End::Stdin(_) => {
                let stdin = stdin.ok_or(ConnectError::NoStdin)?;
                self.reader_of("stdin", stdin.reader(), columns)
            }
            End::Stdout(_) | End::Print { .. } | End::Blackhole => {
                Err(ConnectError::NotASource { connector: self.name() })
            }
        }
    }

    /// Reads a stream in place of what the connector reads; see [`Self::reader`]. The name is for
    /// messages.
    ///
    /// # Errors
    /// It is no source.
    pub fn reader_of(
        &self,
        name: &str,
        input: Box<dyn Read + Send>,
        columns: &[usize],
    ) -> Result<Box<dyn Reader>, ConnectError> {
        match &self.end {
            End::Filesystem { format, .. } | End::Stdin(format) => {
                let decoder = format.decoder(&self.schema, columns);
                Ok(Box::new(LineSource::of_stream(name, input, decoder)))
            }
            End::Stdout(_) | End::Print { .. } | End::Blackhole => {
                Err(ConnectError::NotASource { connector: self.name() })
            }
        }
    }

    /// Writes behind what is there.
    ///
    /// # Errors
    /// It is no sink, or its file cannot be opened.
    pub fn writer(&self) -> Result<Box<dyn Writer>, ConnectError> {
        match &self.end {
            End::Filesystem { path, format } => {
                let appended = file::append(path, format.extension())?;
                let encoder = format.encoder(&self.schema);
                Ok(Box::new(LineSink::behind(appended, encoder, self.sink_kinds())))
            }
            End::Print { to_stderr: true, .. } => self.writer_into("stderr", Box::new(io::stderr())),
            _ => self.writer_into("stdout", Box::new(io::stdout())),
        }
    }

    /// Writes into a stream in place of what the connector writes to. The name is for messages.
    ///
    /// # Errors
    /// It is no sink.
    pub fn writer_into(
        &self,
        name: &str,
        output: Box<dyn Write + Send>,
    ) -> Result<Box<dyn Writer>, ConnectError> {
        let encoder: Box<dyn Encoder> = match &self.end {
            End::Filesystem { format, .. } | End::Stdout(format) => format.encoder(&self.schema),
            End::Print { prefix, .. } => Box::new(PrintEncoder::new(prefix, &self.schema)),
            End::Blackhole => return Ok(Box::new(Blackhole)),
            End::Stdin(_) => return Err(ConnectError::NotASink { connector: self.name() }),
        };
        Ok(Box::new(LineSink::new(name, output, encoder, self.sink_kinds())))
    }

    /// The kinds that a sink takes.
    fn sink_kinds(&self) -> ChangelogMode {
        match self.sink_mode() {
            Some(SinkMode::Only(mode)) => mode,
            Some(SinkMode::Any) | None => ChangelogMode::RETRACT,
        }
    }
}

impl End {
    /// What the options describe.
    fn take(options: &mut Options<'_>, schema: &Schema) -> Result<Self, ConnectError> {
        options.offer("connector", &CONNECTORS);
        options.offer("format", &FORMATS);
        let name = options.required("connector")?;
        options.set_taker(format!("connector \"{name}\""));
        Ok(match name {
            "filesystem" => {
                let path = options.required("path")?;
                let format = take_format(name, options, schema)?;
                for key in TUNING {
                    options.text(key);
                }
                End::Filesystem { path: file::local_path(path)?, format }
            }
            "stdin" => End::Stdin(take_format(name, options, schema)?),
            "stdout" => End::Stdout(take_format(name, options, schema)?),
            "print" => {
                options.text("sink.parallelism");
                let identifier = options.text("print-identifier").unwrap_or_default();
                End::Print {
                    prefix: if identifier.is_empty() { String::new() } else { format!("{identifier}> ") },
                    to_stderr: options.flag("standard-error", false)?,
                }
            }
            "blackhole" => End::Blackhole,
            name => {
                return Err(ConnectError::NoSuchConnector {
                    name: name.to_owned(),
                    nearest: nearest(name, CONNECTORS),
                    known: CONNECTORS.to_vec(),
                });
            }
        })
    }
}

/// The options that a connected table can have that has some already.
pub fn known_options(given: &[(String, String)]) -> Vec<KnownOption> {
    let mut given = given.to_vec();
    loop {
        let mut options = Options::new(&given);
        let result = End::take(&mut options, &Schema::new(vec![]));
        let known = options.known();
        match result {
            // Others are asked for behind one that must be there and has any value.
            Err(ConnectError::MissingOption { key: key @ "path", .. }) => {
                given.push((key.to_owned(), "path".to_owned()));
            }
            Err(ConnectError::BadValue { key, .. }) if given.iter().any(|(given, _)| given == key) => {
                given.retain(|(given, _)| given != key);
            }
            _ => return known,
        }
    }
}

fn take_format(connector: &str, options: &mut Options<'_>, schema: &Schema) -> Result<Format, ConnectError> {
    let name = options.required("format")?;
    options.set_taker(format!("connector \"{connector}\" with format \"{name}\""));
    Format::new(name, options, schema)
}
