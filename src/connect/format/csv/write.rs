//! Rows as CSV.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::super::number::write_decimal;
use super::super::time::{Fraction, write_clock, write_date, write_timestamp};
use super::super::{Encoder, Flaw};
use super::CsvOptions;
use crate::changelog::Change;
use crate::value::display::{write_double, write_float};
use crate::value::{Schema, TypeKind, Value};

/// The length in UTF-16 units up to which a text is looked through whether it needs quotes; a longer
/// one gets them in any case.
const LONGEST_PLAIN: usize = 24;

/// Writes lines of CSV.
#[derive(Debug)]
pub(in crate::connect::format) struct CsvEncoder {
    options: CsvOptions,
    names: Vec<String>,
    kinds: Vec<TypeKind>,
    scratch: String,
}

impl CsvEncoder {
    pub(in crate::connect::format) fn new(options: CsvOptions, schema: &Schema) -> Self {
        Self {
            options,
            names: schema.names().map(str::to_owned).collect(),
            kinds: schema.types().map(|data_type| data_type.kind.clone()).collect(),
            scratch: String::new(),
        }
    }

    fn value(&mut self, out: &mut String, value: &Value, kind: &TypeKind) {
        if value.is_null() {
            out.push_str(self.options.null_literal.as_deref().unwrap_or_default());
            return;
        }
        match kind {
            TypeKind::Char(_) | TypeKind::VarChar(_) => self.options.write_text(out, value.as_str()),
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
                self.options.write_text(out, Some(&text));
                self.scratch = text;
            }
            kind if may_need_quotes(kind) => {
                let mut text = std::mem::take(&mut self.scratch);
                text.clear();
                self.options.write_scalar(&mut text, value, kind);
                self.options.write_text(out, Some(&text));
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

impl CsvOptions {
    /// Writes a text, in quotes where Jackson writes it so: if it is long, or has a character that is
    /// not beyond the delimiter, the quote and the line end, or is the escape character or would be.
    fn write_text(&self, out: &mut String, text: Option<&str>) {
        let Some(text) = text else { return };
        let Some(quote) = self.quote else {
            out.push_str(text);
            return;
        };
        if !self.needs_quotes(text, quote) {
            out.push_str(text);
            return;
        }
        out.push(quote);
        for c in text.chars() {
            if c == quote || Some(c) == self.escape {
                out.push(c);
            }
            out.push(c);
        }
        out.push(quote);
    }

    fn needs_quotes(&self, text: &str, quote: char) -> bool {
        if text.len() > LONGEST_PLAIN && text.encode_utf16().nth(LONGEST_PLAIN).is_some() {
            return true;
        }
        let escape = self.escape.unwrap_or('\\');
        let unsafe_up_to = self.delimiter.max(quote).max('\n');
        match (u8::try_from(unsafe_up_to), u8::try_from(escape)) {
            // The bytes of a character that is not ASCII are beyond those that are.
            (Ok(unsafe_up_to @ ..0x80), Ok(escape @ ..0x80)) => {
                text.bytes().any(|byte| byte <= unsafe_up_to || byte == escape)
            }
            _ => text.chars().any(|c| c <= unsafe_up_to || c == escape),
        }
    }

    /// Writes a value that is not NULL, without quotes; one that is not of its type is nothing.
    fn write_scalar(&self, out: &mut String, value: &Value, kind: &TypeKind) -> Option<()> {
        match kind {
            TypeKind::Boolean => out.push_str(if value.as_boolean()? { "true" } else { "false" }),
            TypeKind::TinyInt | TypeKind::SmallInt | TypeKind::Int | TypeKind::BigInt => {
                out.push_str(itoa::Buffer::new().format(value.as_integer()?));
            }
            TypeKind::Float => write_float(out, value.as_float()?).ok()?,
            TypeKind::Double => write_double(out, value.as_double()?).ok()?,
            TypeKind::Decimal { .. } => write_decimal(out, value.as_decimal()?, self.plain_decimals),
            TypeKind::Char(_) | TypeKind::VarChar(_) => out.push_str(value.as_str()?),
            TypeKind::Binary(_) | TypeKind::VarBinary(_) => STANDARD.encode_string(value.as_bytes()?, out),
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
    fn begin(&mut self, out: &mut String) {
        if !self.options.header {
            return;
        }
        for (i, name) in self.names.iter().enumerate() {
            if i > 0 {
                out.push(self.options.delimiter);
            }
            self.options.write_text(out, Some(name));
        }
        out.push('\n');
    }

    fn encode(&mut self, out: &mut String, change: Change<'_>) -> Result<(), Flaw> {
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
