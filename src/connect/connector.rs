//! What a table is connected to.

use std::io::{Read, Write};
use std::path::PathBuf;
use std::time::Duration;

use super::file::{self, PathPattern};
use super::follow::FollowSource;
use super::format::{Decoder, Encoder, FORMATS, Format};
use super::generated::Generated;
use super::metadata::{FileMetadata, Layout, Metadata, Source};
use super::options::{KnownOption, Options};
use super::print::PrintEncoder;
use super::sink::{Blackhole, LineSink};
use super::source::LineSource;
use super::{ConnectError, Reader, Streams, Writer};
use crate::changelog::ChangelogMode;
use crate::spelling::nearest;
use crate::value::cast::is_castable;
use crate::value::{Column, DataType, Schema};

/// What a table is connected to: files, standard input or output, rows that are made up, or nothing.
#[derive(Debug, Clone, PartialEq)]
pub struct Connector {
    /// The columns that are in the data.
    schema: Schema,
    /// Where each column of the table comes from, if some are METADATA; else all are in the data.
    columns: Option<Vec<TableColumn>>,
    end: End,
}

/// Where a column comes from.
#[derive(Debug, Clone, PartialEq)]
enum TableColumn {
    /// The data, in which it is the column at this position.
    Physical(usize),
    Metadata(Metadata),
}

#[derive(Debug, Clone, PartialEq)]
enum End {
    Filesystem {
        path: PathBuf,
        pattern: Option<PathPattern>,
        /// How often to look for more, if the files are followed.
        interval: Option<Duration>,
        format: Format,
    },
    Stdin(Format),
    Stdout(Format),
    Print {
        prefix: String,
        to_stderr: bool,
    },
    Blackhole,
    Generated(Generated),
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
const CONNECTORS: [&str; 7] = ["filesystem", "stdin", "stdout", "print", "blackhole", "datagen", "faker"];

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
    /// The connector that the options of a table with these columns describe, of which some, or none,
    /// are the primary key. The options must be those of the connector and its format alone.
    ///
    /// # Errors
    /// An option is missing, unknown or wrong, or the format has no form for a column.
    pub fn from_options(
        options: &[(String, String)],
        schema: &Schema,
        primary_key: &[usize],
    ) -> Result<Self, ConnectError> {
        let mut options = Options::new(options);
        let end = Self::take(&mut options, schema, primary_key)?;
        options.finish()?;
        Ok(Self { schema: schema.clone(), columns: None, end })
    }

    /// What the options describe.
    fn take(options: &mut Options<'_>, schema: &Schema, primary_key: &[usize]) -> Result<End, ConnectError> {
        options.offer("connector", &CONNECTORS);
        options.offer("format", &FORMATS);
        let name = options.required("connector")?;
        options.set_taker(format!("connector \"{name}\""));
        Ok(match name {
            "filesystem" => {
                let path = options.required("path")?;
                let format = Format::take(name, options, schema, primary_key)?;
                for key in TUNING {
                    options.text(key);
                }
                let pattern = path_pattern(options)?;
                let interval = options.duration("source.monitor-interval")?;
                End::Filesystem { path: file::local_path(path)?, pattern, interval, format }
            }
            "stdin" => End::Stdin(Format::take(name, options, schema, primary_key)?),
            "stdout" => End::Stdout(Format::take(name, options, schema, primary_key)?),
            "print" => {
                options.text("sink.parallelism");
                let identifier = options.text("print-identifier").unwrap_or_default();
                End::Print {
                    prefix: if identifier.is_empty() { String::new() } else { format!("{identifier}> ") },
                    to_stderr: options.flag("standard-error", false)?,
                }
            }
            "blackhole" => End::Blackhole,
            "faker" => End::Generated(Generated::faker(options, schema)?),
            "datagen" => End::Generated(Generated::datagen(options, schema)?),
            name => {
                return Err(ConnectError::NoSuchConnector {
                    name: name.to_owned(),
                    nearest: nearest(name, CONNECTORS),
                    known: CONNECTORS.to_vec(),
                });
            }
        })
    }

    /// The options that a connected table with these columns can have that has some already.
    pub fn known_options(given: &[(String, String)], schema: &Schema) -> Vec<KnownOption> {
        let mut given = given.to_vec();
        loop {
            let mut options = Options::new(&given);
            let result = Self::take(&mut options, schema, &[]);
            let known = options.known();
            match result {
                // Others are asked for behind one that must be there and has any value.
                Err(ConnectError::MissingOption { key, .. }) if key == "path" => {
                    given.push((key.into_owned(), "path".to_owned()));
                }
                Err(ConnectError::MissingOption { key, .. }) if key.starts_with("fields.") => {
                    given.push((key.into_owned(), "1".to_owned()));
                }
                Err(ConnectError::BadValue { key, .. } | ConnectError::NoSuchFaker { key, .. })
                    if given.iter().any(|(given, _)| *given == key) =>
                {
                    given.retain(|(given, _)| *given != key);
                }
                _ => return known,
            }
        }
    }

    /// The keys that METADATA columns of a table with these options can have; without a connector, all
    /// keys that there are.
    pub fn known_metadata(given: &[(String, String)]) -> Vec<&'static str> {
        let of = |given: &[(String, String)]| {
            let mut options = Options::new(given);
            let schema = Schema::new(vec![]);
            let end = Self::take(&mut options, &schema, &[]).ok()?;
            let connector = Self { schema, columns: None, end };
            Some(connector.metadata_keys().collect::<Vec<_>>())
        };
        if given.iter().any(|(key, _)| key == "connector") {
            // It makes no difference where a file is.
            let path = ("path".to_owned(), "path".to_owned());
            let given: Vec<_> =
                given.iter().filter(|(key, _)| *key != path.0).cloned().chain([path.clone()]).collect();
            return of(&given).unwrap_or_default();
        }
        let mut keys = Vec::new();
        for format in FORMATS {
            let options = [("connector", "filesystem"), ("path", "path"), ("format", format)];
            let given = options.map(|(key, value)| (key.to_owned(), value.to_owned()));
            for key in of(&given).unwrap_or_default() {
                if !keys.contains(&key) {
                    keys.push(key);
                }
            }
        }
        keys
    }

    /// The same, with METADATA columns among those that are in the data: each with its position among
    /// all columns, its type and its key, in the order of their positions. What is read of them are
    /// values of [`Self::metadata_type`], which are for the plan to cast.
    ///
    /// # Errors
    /// There is no such key, or its values cannot be cast to the column's type.
    pub fn with_metadata<'a>(
        mut self,
        metadata: impl IntoIterator<Item = (usize, &'a Column, &'a str)>,
    ) -> Result<Self, ConnectError> {
        let mut columns: Vec<_> = (0..self.schema.len()).map(TableColumn::Physical).collect();
        for (position, column, key) in metadata {
            let found = self.metadata(key).ok_or_else(|| {
                let known: Vec<_> = self.metadata_keys().collect();
                ConnectError::NoSuchMetadata {
                    connector: self.name(),
                    key: key.to_owned(),
                    nearest: nearest(key, known.iter().copied()),
                    known,
                }
            })?;
            if !is_castable(&found.data_type(), &column.data_type) {
                return Err(ConnectError::MetadataType {
                    column: column.name.clone(),
                    data_type: column.data_type.to_string(),
                    given: found.data_type().to_string(),
                });
            }
            let place = position.min(columns.len());
            columns.insert(place, TableColumn::Metadata(found));
        }
        self.columns = Some(columns);
        Ok(self)
    }

    /// The type of the values of a METADATA column with this key, if there is such.
    pub fn metadata_type(&self, key: &str) -> Option<DataType> {
        self.metadata(key).map(Metadata::data_type)
    }

    fn source_format(&self) -> Option<&Format> {
        match &self.end {
            End::Filesystem { format, .. } | End::Stdin(format) => Some(format),
            End::Stdout(_) | End::Print { .. } | End::Blackhole | End::Generated(_) => None,
        }
    }

    /// The keys of METADATA columns.
    fn metadata_keys(&self) -> impl Iterator<Item = &'static str> {
        let is_file = matches!(self.end, End::Filesystem { .. });
        let of_file = FileMetadata::ALL.into_iter().filter(move |_| is_file).map(FileMetadata::key);
        let of_events = self.source_format().map_or(&[][..], Format::metadata).iter().map(|event| event.key);
        let line = self.source_format().map(|_| Metadata::LINE);
        of_file.chain(line).chain(of_events)
    }

    fn metadata(&self, key: &str) -> Option<Metadata> {
        if !self.metadata_keys().any(|known| known == key.strip_prefix("value.").unwrap_or(key)) {
            return None;
        }
        // As behind Flink's connector for Kafka what the format gives may be called so.
        let of_format = key.strip_prefix("value.").unwrap_or(key);
        let event = self.source_format()?.metadata().iter().find(|event| event.key == of_format);
        let file = FileMetadata::ALL.into_iter().find(|file| file.key() == key).map(Metadata::File);
        event.copied().map(Metadata::Event).or(file).or((key == Metadata::LINE).then_some(Metadata::Line))
    }

    /// What makes rows of these columns of the table, and how they are put together if some are
    /// METADATA.
    fn decoding(&self, format: &Format, columns: &[usize]) -> (Box<dyn Decoder>, Option<Layout>) {
        let Some(all) = &self.columns else { return (format.decoder(&self.schema, columns, &[]), None) };
        let wanted: Vec<&TableColumn> = columns.iter().map(|&column| &all[column]).collect();
        let (mut physical, mut events) = (Vec::new(), Vec::new());
        for column in &wanted {
            match column {
                TableColumn::Physical(position) => physical.push(*position),
                TableColumn::Metadata(Metadata::Event(event)) => events.push(*event),
                TableColumn::Metadata(Metadata::File(_) | Metadata::Line) => {}
            }
        }
        let (mut next_physical, mut next_event) = (0.., physical.len()..);
        let sources = wanted.iter().filter_map(|column| {
            Some(match column {
                TableColumn::Physical(_) => Source::Decoded(next_physical.next()?),
                TableColumn::Metadata(Metadata::Event(_)) => Source::Decoded(next_event.next()?),
                TableColumn::Metadata(Metadata::File(file)) => Source::File(*file),
                TableColumn::Metadata(Metadata::Line) => Source::Line,
            })
        });
        let layout = Layout::new(sources.collect(), physical.len() + events.len());
        (format.decoder(&self.schema, &physical, &events), Some(layout))
    }

    /// The name, as in `'connector' = 'filesystem'`.
    pub fn name(&self) -> &'static str {
        match &self.end {
            End::Filesystem { .. } => "filesystem",
            End::Stdin(_) => "stdin",
            End::Stdout(_) => "stdout",
            End::Print { .. } => "print",
            End::Blackhole => "blackhole",
            End::Generated(generated) => generated.connector(),
        }
    }

    /// The kinds of changes that come out, if it can be read.
    pub fn source_mode(&self) -> Option<ChangelogMode> {
        match &self.end {
            End::Filesystem { format, .. } | End::Stdin(format) => Some(format.mode()),
            End::Generated(_) => Some(ChangelogMode::APPEND),
            End::Stdout(_) | End::Print { .. } | End::Blackhole => None,
        }
    }

    /// The kinds of changes that may go in, if it can be written.
    pub fn sink_mode(&self) -> Option<SinkMode> {
        match &self.end {
            End::Filesystem { format, .. } | End::Stdout(format) => Some(SinkMode::Only(format.mode())),
            End::Print { .. } | End::Blackhole => Some(SinkMode::Any),
            End::Stdin(_) | End::Generated(_) => None,
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
        match &self.end {
            End::Filesystem { interval, .. } => interval.is_none(),
            End::Stdin(_) => true,
            End::Generated(generated) => generated.is_bounded(),
            End::Stdout(_) | End::Print { .. } | End::Blackhole => false,
        }
    }

    /// Reads from the beginning, and of the rows the columns at these positions of the schema, in
    /// their order, each once.
    ///
    /// # Errors
    /// It is no source, a file does not exist or cannot be opened, or there is no standard input.
    pub fn reader(&self, columns: &[usize], streams: &Streams) -> Result<Box<dyn Reader>, ConnectError> {
        match &self.end {
            End::Filesystem { path, interval, format, .. } if file::is_pipe(path) => {
                let (decoder, layout) = self.decoding(format, columns);
                let failed = |error| ConnectError::file("open", path.display().to_string(), &error);
                let input = streams.pipe(path).map_err(failed)?;
                Ok(Box::new(LineSource::of_pipe(path, input, interval.is_some(), decoder, layout)))
            }
            End::Filesystem { path, pattern, interval: Some(interval), format } => {
                let (connector, format, columns) = (self.clone(), format.clone(), columns.to_vec());
                let decoding = move || connector.decoding(&format, &columns);
                Ok(Box::new(FollowSource::new(path, pattern.as_ref(), *interval, Box::new(decoding))?))
            }
            End::Filesystem { path, pattern, interval: None, format } => {
                let (decoder, layout) = self.decoding(format, columns);
                Ok(Box::new(LineSource::of_files(file::list(path, pattern.as_ref())?, decoder, layout)?))
            }
            End::Stdin(_) => self.reader_of("stdin", streams.stdin().ok_or(ConnectError::NoStdin)?, columns),
            End::Generated(generated) => Ok(Box::new(generated.source(columns))),
            End::Stdout(_) | End::Print { .. } | End::Blackhole => {
                Err(ConnectError::NotASource { connector: self.name() })
            }
        }
    }

    /// Reads a stream in place of what the connector reads; see [`Self::reader`]. The name is for
    /// messages.
    ///
    /// # Errors
    /// It reads no text.
    pub fn reader_of(
        &self,
        name: &str,
        input: Box<dyn Read + Send>,
        columns: &[usize],
    ) -> Result<Box<dyn Reader>, ConnectError> {
        match &self.end {
            End::Filesystem { format, .. } | End::Stdin(format) => {
                let (decoder, layout) = self.decoding(format, columns);
                Ok(Box::new(LineSource::of_stream(name, input, decoder, layout)))
            }
            End::Stdout(_) | End::Print { .. } | End::Blackhole | End::Generated(_) => {
                Err(ConnectError::NotASource { connector: self.name() })
            }
        }
    }

    /// Writes behind what is there.
    ///
    /// # Errors
    /// It is no sink, or its file cannot be opened.
    pub fn writer(&self, streams: &Streams) -> Result<Box<dyn Writer>, ConnectError> {
        match &self.end {
            End::Filesystem { path, format, .. } => {
                let appended = file::append(path, format.extension())?;
                let encoder = format.encoder(&self.schema);
                Ok(Box::new(
                    LineSink::behind(appended, encoder, self.sink_kinds()).of_columns(self.written()),
                ))
            }
            End::Print { to_stderr: true, .. } => self.writer_into("stderr", streams.stderr()),
            _ => self.writer_into("stdout", streams.stdout()),
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
            End::Stdin(_) | End::Generated(_) => {
                return Err(ConnectError::NotASink { connector: self.name() });
            }
        };
        Ok(Box::new(LineSink::new(name, output, encoder, self.sink_kinds()).of_columns(self.written())))
    }

    /// The columns of the table that are written, if some are not.
    fn written(&self) -> Option<Vec<usize>> {
        let columns = self.columns.as_ref()?.iter().enumerate();
        let physical = columns.filter(|(_, column)| matches!(column, TableColumn::Physical(_)));
        Some(physical.map(|(position, _)| position).collect())
    }

    /// The kinds that a sink takes.
    fn sink_kinds(&self) -> ChangelogMode {
        match self.sink_mode() {
            Some(SinkMode::Only(mode)) => mode,
            Some(SinkMode::Any) | None => ChangelogMode::RETRACT,
        }
    }
}

fn path_pattern(options: &mut Options<'_>) -> Result<Option<PathPattern>, ConnectError> {
    const KEY: &str = "source.path.regex-pattern";
    let Some(pattern) = options.text(KEY) else { return Ok(None) };
    PathPattern::new(pattern).map(Some).ok_or_else(|| ConnectError::BadValue {
        key: KEY.into(),
        value: pattern.to_owned(),
        expected: "a regular expression".to_owned(),
    })
}
