//! Rows as CSV.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::super::number::write_decimal;
use super::super::scan::Marks;
use super::super::time::{Fraction, write_clock, write_date, write_timestamp};
use super::super::{Encoder, Flaw, Output};
use super::CsvOptions;
use crate::changelog::Change;
use crate::value::display::{write_double, write_float};
use crate::value::{Schema, TypeKind, Value};

/// The length in UTF-16 units up to which a text is looked through whether it needs quotes; a longer
/// one gets them in any case.
const LONGEST_PLAIN: usize = 24;

/// What may need quotes even if it is not the escape character.
const ESCAPE: char = '\\';

/// Writes lines of CSV.
#[derive(Debug)]
pub(in crate::connect::format) struct CsvEncoder {
    options: CsvOptions,
    names: Vec<String>,
    kinds: Vec<TypeKind>,
    quoting: Quoting,
    scratch: Output,
}

/// Which texts are in quotes.
#[derive(Debug)]
struct Quoting {
    /// None if nothing ever is.
    quote: Option<char>,
    /// A text with a character up to this one is in quotes.
    unsafe_up_to: char,
    /// So is one with this character, or with a backslash if it is not given. It stands before itself there.
    escape: Option<char>,
    /// The bytes for which quotes are needed, if they are easy to find.
    marks: Option<Marks>,
}

impl CsvEncoder {
    pub(in crate::connect::format) fn new(options: CsvOptions, schema: &Schema) -> Self {
        Self {
            names: schema.names().map(str::to_owned).collect(),
            kinds: schema.types().map(|data_type| data_type.kind.clone()).collect(),
            quoting: Quoting::new(&options),
            scratch: Output::default(),
            options,
        }
    }

    fn value(&mut self, out: &mut Output, value: &Value, kind: &TypeKind) {
        if value.is_null() {
            out.push_str(self.options.null_literal.as_deref().unwrap_or_default());
            return;
        }
        match kind {
            TypeKind::Char(_) | TypeKind::VarChar(_) => {
                self.quoting.write(out, value.as_bytes().unwrap_or_default());
            }
            TypeKind::Array(_) | TypeKind::Row(_) => {
                let mut text = std::mem::take(&mut self.scratch);
                text.clear();
                for (i, item) in value.as_list().unwrap_or_default().iter().enumerate() {
                    if i > 0 {
                        text.push(self.options.array_delimiter);
                    }
                    let kind = match kind {
                        TypeKind::Array(element) => &element.kind,
                        TypeKind::Row(fields) => &fields[i].data_type.kind,
                        kind => kind,
                    };
                    if item.is_null() {
                        text.push_str(self.options.null_literal.as_deref().unwrap_or_default());
                    } else {
                        self.options.write_scalar(&mut text, item, kind);
                    }
                }
                self.quoting.write(out, text.as_bytes());
                self.scratch = text;
            }
            kind if may_need_quotes(kind) => {
                let mut text = std::mem::take(&mut self.scratch);
                text.clear();
                self.options.write_scalar(&mut text, value, kind);
                self.quoting.write(out, text.as_bytes());
                self.scratch = text;
            }
            kind => {
                self.options.write_scalar(out, value, kind);
            }
        }
    }
}

/// Whether a scalar is written like a text; numbers and booleans are not.
fn may_need_quotes(kind: &TypeKind) -> bool {
    matches!(
        kind,
        TypeKind::Binary(_)
            | TypeKind::VarBinary(_)
            | TypeKind::Date
            | TypeKind::Time(_)
            | TypeKind::Timestamp(_)
            | TypeKind::TimestampLtz(_)
    )
}

impl Quoting {
    /// As Jackson does it: a text is in quotes if it is long, or has a character that is not beyond the
    /// delimiter, the quote and the line end, or is the escape character or would be.
    fn new(options: &CsvOptions) -> Self {
        let quote = options.quote;
        let unsafe_up_to = options.delimiter.max(quote.unwrap_or_default()).max('\n');
        let marks = Marks::new(unsafe_up_to, options.escape.unwrap_or(ESCAPE));
        Self { quote, unsafe_up_to, escape: options.escape, marks }
    }

    /// Writes a text, which is UTF-8, in quotes if it needs them.
    #[inline]
    fn write(&self, out: &mut Output, text: &[u8]) {
        let is_plain = |marks: Marks| text.len() <= LONGEST_PLAIN && marks.are_absent(text);
        if self.quote.is_none() || self.marks.is_some_and(is_plain) {
            out.push_bytes(text);
        } else {
            self.write_checked(out, &String::from_utf8_lossy(text));
        }
    }

    fn write_checked(&self, out: &mut Output, text: &str) {
        let Some(quote) = self.quote.filter(|_| self.needs_quotes(text)) else {
            out.push_str(text);
            return;
        };
        out.push(quote);
        for c in text.chars() {
            if c == quote || Some(c) == self.escape {
                out.push(c);
            }
            out.push(c);
        }
        out.push(quote);
    }

    fn needs_quotes(&self, text: &str) -> bool {
        let is_long = text.len() > LONGEST_PLAIN && text.encode_utf16().nth(LONGEST_PLAIN).is_some();
        is_long || text.chars().any(|c| c <= self.unsafe_up_to || c == self.escape.unwrap_or(ESCAPE))
    }
}

impl CsvOptions {
    /// Writes a value that is not NULL, without quotes; one that is not of its type is nothing.
    #[inline]
    fn write_scalar(&self, out: &mut Output, value: &Value, kind: &TypeKind) -> Option<()> {
        match kind {
            TypeKind::Boolean => out.push_str(if value.as_boolean()? { "true" } else { "false" }),
            TypeKind::TinyInt | TypeKind::SmallInt | TypeKind::Int | TypeKind::BigInt => {
                out.push_str(itoa::Buffer::new().format(value.as_integer()?));
            }
            TypeKind::Float => write_float(out, value.as_float()?).ok()?,
            TypeKind::Double => write_double(out, value.as_double()?).ok()?,
            TypeKind::Decimal { .. } => write_decimal(out, value.as_decimal()?, self.plain_decimals),
            TypeKind::Char(_) | TypeKind::VarChar(_) => out.push_bytes(value.as_bytes()?),
            TypeKind::Binary(_) | TypeKind::VarBinary(_) => {
                out.push_str(&STANDARD.encode(value.as_bytes()?));
            }
            TypeKind::Date => write_date(out, value.as_date()?),
            TypeKind::Time(_) => write_clock(out, value.as_time()?, 0, Fraction::Shortest),
            TypeKind::Timestamp(_) => {
                write_timestamp(out, value.as_timestamp()?, ' ', Fraction::Shortest);
            }
            TypeKind::TimestampLtz(_) => {
                write_timestamp(out, value.as_timestamp()?, ' ', Fraction::Shortest);
                out.push('Z');
            }
            TypeKind::Null
            | TypeKind::IntervalMonth
            | TypeKind::IntervalSecond
            | TypeKind::Array(_)
            | TypeKind::Map(..)
            | TypeKind::Multiset(_)
            | TypeKind::Row(_)
            | TypeKind::Bitmap => return None,
        }
        Some(())
    }
}

impl Encoder for CsvEncoder {
    fn begin(&mut self, out: &mut Output) {
        if !self.options.header {
            return;
        }
        for (i, name) in self.names.iter().enumerate() {
            if i > 0 {
                out.push(self.options.delimiter);
            }
            self.quoting.write(out, name.as_bytes());
        }
        out.push('\n');
    }

    fn encode(&mut self, out: &mut Output, change: Change<'_>) -> Result<(), Flaw> {
        let kinds = std::mem::take(&mut self.kinds);
        for (i, (value, kind)) in change.row.iter().zip(&kinds).enumerate() {
            if i > 0 {
                out.push(self.options.delimiter);
            }
            self.value(out, value, kind);
        }
        self.kinds = kinds;
        out.push('\n');
        Ok(())
    }
}
