//! Formats: which text a change is, and which change a text.
//!
//! A format makes a [`Decoder`] for a source and an [`Encoder`] for a sink. A decoder gets the text
//! of a file piece by piece and gives as many changes for a line as the line means: none, one, or
//! several. What a text means follows Flink's formats, peculiarities included.

mod bytes;
mod csv;
pub(super) mod json;
mod keyed;
mod number;
mod output;
mod raw;
mod scan;
pub(super) mod time;

pub(super) use self::csv::value_of_text;
use self::json::EventMetadata;
pub(super) use self::output::Output;
use super::ConnectError;
use super::options::Options;
use crate::changelog::{Cause, Change, ChangelogMode, Changes, RowKind};
use crate::value::{Schema, Value};

/// How rows are text.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Format {
    Json(json::JsonOptions),
    /// Events of changes.
    Events(json::EnvelopeOptions),
    Raw,
    /// Lines of a key and a value.
    Keyed(Box<keyed::KeyedFormat>),
    Csv(csv::CsvOptions),
}

/// The names of the formats.
pub(super) const FORMATS: [&str; 8] =
    ["csv", "json", "raw", "debezium-json", "canal-json", "maxwell-json", "ogg-json", "changelog-json"];

impl Format {
    /// The format that the options name, for rows of a schema with a primary key, which may be empty.
    pub(super) fn take(
        connector: &str,
        options: &mut Options<'_>,
        schema: &Schema,
        primary_key: &[usize],
    ) -> Result<Self, ConnectError> {
        if let Some(keyed) = keyed::KeyedFormat::take(options, schema, primary_key)? {
            return Ok(Self::Keyed(Box::new(keyed)));
        }
        let name = options.required("format")?;
        options.set_taker(format!("connector \"{connector}\" with format \"{name}\""));
        Self::new(name, options, schema)
    }

    /// The format of this name, with its options, for rows of a schema.
    fn new(name: &str, options: &mut Options<'_>, schema: &Schema) -> Result<Self, ConnectError> {
        match name {
            "json" => {
                let taken = json::JsonOptions::take(options)?;
                json::check_types("json", schema)?;
                Ok(Self::Json(taken))
            }
            "csv" => {
                let taken = csv::CsvOptions::take(options)?;
                csv::check_types(schema)?;
                Ok(Self::Csv(taken))
            }
            "raw" => {
                raw::take_options(options)?;
                raw::check_types(schema)?;
                Ok(Self::Raw)
            }
            name => match json::Envelope::of_name(name) {
                Some(envelope) => {
                    let taken = json::EnvelopeOptions::take(envelope, options)?;
                    json::check_types(envelope.name(), schema)?;
                    Ok(Self::Events(taken))
                }
                None => Err(ConnectError::NoSuchFormat {
                    name: name.to_owned(),
                    nearest: crate::spelling::nearest(name, FORMATS),
                    known: FORMATS.to_vec(),
                }),
            },
        }
    }

    /// The kinds of changes that come out of a source and may go into a sink.
    pub(super) fn mode(&self) -> ChangelogMode {
        match self {
            Self::Json(_) | Self::Csv(_) | Self::Raw => ChangelogMode::APPEND,
            Self::Events(_) => ChangelogMode::RETRACT,
            Self::Keyed(format) => format.mode(),
        }
    }

    /// What the lines say beside their rows.
    pub(super) fn metadata(&self) -> &'static [EventMetadata] {
        match self {
            Self::Events(options) => options.metadata(),
            Self::Json(_) | Self::Csv(_) | Self::Raw | Self::Keyed(_) => &[],
        }
    }

    /// Reads rows of a schema, of which the columns at some positions are wanted, in their order, and
    /// behind them what is wanted beside the rows.
    pub(super) fn decoder(
        &self,
        schema: &Schema,
        columns: &[usize],
        metadata: &[EventMetadata],
    ) -> Box<dyn Decoder> {
        match self {
            Self::Json(options) => {
                let decoder = json::JsonDecoder::new(options.clone(), schema, columns);
                json::DocumentDecoder::wrap(decoder, options.is_multi_line())
            }
            Self::Events(options) => {
                let decoder = json::EnvelopeDecoder::new(options.clone(), schema, columns, metadata);
                json::DocumentDecoder::wrap(decoder, options.is_multi_line())
            }
            Self::Keyed(format) => Box::new(format.decoder(schema, columns)),
            Self::Raw => Box::new(raw::RawDecoder::new(schema, columns)),
            Self::Csv(options) => Box::new(csv::CsvDecoder::new(options.clone(), schema, columns)),
        }
    }

    /// Writes rows of a schema.
    pub(super) fn encoder(&self, schema: &Schema) -> Box<dyn Encoder> {
        match self {
            Self::Json(options) => Box::new(json::JsonEncoder::new(options.clone(), schema)),
            Self::Events(options) => Box::new(json::EnvelopeEncoder::new(options.clone(), schema)),
            Self::Keyed(format) => Box::new(format.encoder(schema)),
            Self::Raw => Box::new(raw::RawEncoder),
            Self::Csv(options) => Box::new(csv::CsvEncoder::new(options.clone(), schema)),
        }
    }

    /// The ending of a file's name.
    pub(super) fn extension(&self) -> &'static str {
        match self {
            Self::Json(_) | Self::Events(_) => "json",
            Self::Raw | Self::Keyed(_) => "txt",
            Self::Csv(_) => "csv",
        }
    }
}

/// Makes changes of text.
pub(super) trait Decoder: Send {
    /// A file begins.
    fn begin(&mut self) {}

    /// Decodes what the text begins with, until the batch is full or the text has no whole record
    /// any more, and gives the number of bytes that it took. The text is the file's `last` if
    /// nothing comes behind it.
    fn decode(&mut self, text: &str, last: bool, batch: &mut Batch<'_>) -> Result<usize, Flaw>;

    /// Whether what cannot be read is skipped.
    fn skips_flaws(&self) -> bool;
}

/// Makes text of changes.
pub(super) trait Encoder: Send {
    /// Appends what a file begins with.
    fn begin(&mut self, _out: &mut Output) {}

    /// Appends the line of a change. What it appended before a failure does not count.
    fn encode(&mut self, out: &mut Output, change: Change<'_>) -> Result<(), Flaw>;
}

/// What is wrong with a text or a row. It lies in a box, so that results are small where nothing is
/// wrong.
#[derive(Debug, PartialEq)]
pub(super) struct Flaw(Box<Details>);

/// The details of a [`Flaw`].
#[derive(Debug, PartialEq)]
pub(super) struct Details {
    /// The byte of the text.
    pub(super) at: usize,
    /// The column, and the fields in it, with points between them.
    pub(super) column: Option<String>,
    /// What is wrong, as a phrase.
    pub(super) problem: String,
    /// The way out, as a sentence.
    pub(super) hint: Option<String>,
}

impl Flaw {
    pub(super) fn new(at: usize, problem: impl Into<String>) -> Self {
        Self(Box::new(Details { at, column: None, problem: problem.into(), hint: None }))
    }

    /// The byte of the text.
    pub(super) fn at(&self) -> usize {
        self.0.at
    }

    /// The same, in a text that begins so many bytes earlier.
    pub(super) fn moved(mut self, bytes: usize) -> Self {
        self.0.at += bytes;
        self
    }

    /// The same, about a column, or about a field of a column.
    pub(super) fn in_column(mut self, column: &str) -> Self {
        self.0.column = Some(match self.0.column {
            None => column.to_owned(),
            Some(field) => format!("{column}.{field}"),
        });
        self
    }

    pub(super) fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.0.hint = Some(hint.into());
        self
    }

    pub(super) fn into_details(self) -> Details {
        *self.0
    }
}

/// Changes that are being read.
pub(super) struct Batch<'a> {
    out: &'a mut Changes,
    /// What was there before.
    start: usize,
    room: usize,
    next: Cause,
    /// Where in the text of the decoder's caller its own text begins.
    base: usize,
    skipped: u64,
    /// Why the first record was skipped.
    first_skipped: Option<Flaw>,
}

impl<'a> Batch<'a> {
    /// Room for so many changes; the first has this cause, and the others are numbered from there.
    pub(super) fn new(out: &'a mut Changes, room: usize, first: Cause) -> Self {
        Self { start: out.len(), out, room, next: first, base: 0, skipped: 0, first_skipped: None }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.out.len() == self.start
    }

    pub(super) fn is_full(&self) -> bool {
        self.room == 0
    }

    /// Adds a change whose values are NULL, and gives its row to be filled in.
    #[inline]
    pub(super) fn add(&mut self, kind: RowKind) -> &mut [Value] {
        let cause = self.next;
        self.next.sequence += 1;
        self.room = self.room.saturating_sub(1);
        self.out.push_nulls(kind, cause)
    }

    /// What is decoded next begins so many bytes behind the start of the text that is decoded in all.
    pub(super) fn begin_at(&mut self, base: usize) {
        self.base = base;
    }

    /// Leaves out a record because of a flaw.
    pub(super) fn skip(&mut self, flaw: Flaw) {
        self.skipped += 1;
        if self.first_skipped.is_none() {
            self.first_skipped = Some(flaw.moved(self.base));
        }
    }

    /// How many records were left out since this was last asked for, and why the first was.
    pub(super) fn take_skipped(&mut self) -> Option<(u64, Flaw)> {
        let first = self.first_skipped.take()?;
        Some((std::mem::take(&mut self.skipped), first))
    }

    /// The row of the last change.
    pub(super) fn last_row(&mut self) -> &mut [Value] {
        self.out.last_row_mut()
    }

    /// Takes the last change back.
    pub(super) fn take_back(&mut self) {
        self.out.truncate(self.out.len() - 1);
        self.next.sequence -= 1;
        self.room += 1;
    }
}

/// The beginning of a text, in quotes, for a message.
pub(super) fn head_of(text: &str) -> String {
    const LENGTH: usize = 40;
    match text.char_indices().nth(LENGTH) {
        None => format!("\"{text}\""),
        Some((end, _)) => format!("\"{}…\"", &text[..end]),
    }
}

/// Says that a text is not of a type: `"x" is not an INT`.
pub(super) fn is_not_a(text: &str, data_type: &str) -> String {
    let article = if data_type.starts_with(['A', 'I']) { "an" } else { "a" };
    format!("{} is not {article} {data_type}", head_of(text))
}
