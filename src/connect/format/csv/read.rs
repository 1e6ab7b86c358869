//! Rows from CSV.

use super::super::number::{decimal_value, scan_decimal, scan_integer};
use super::super::{Batch, Decoder, Flaw, is_not_a};
use super::CsvOptions;
use super::record::{Splitter, Stop};
use crate::changelog::RowKind;
use crate::spelling::nearest;
use crate::value::{Column, Schema, TypeKind, Value};

/// Reads CSV.
#[derive(Debug)]
pub(in crate::connect::format) struct CsvDecoder {
    options: CsvOptions,
    splitter: Splitter,
    /// The columns of the table, and where in the row they go.
    schema: Vec<(Column, Option<usize>)>,
    /// For each value of a record its column in [`Self::schema`].
    fields: Vec<Option<usize>>,
    width: usize,
    /// Whether the first record of the file is still to come, and is no row.
    at_head: bool,
    /// Whether a number without quotes is a number, and nothing else.
    has_plain_numbers: bool,
    row: Vec<Value>,
    scratch: String,
}

impl CsvDecoder {
    pub(in crate::connect::format) fn new(options: CsvOptions, schema: &Schema, columns: &[usize]) -> Self {
        let slot = |index: usize| columns.iter().position(|&column| column == index);
        let splitter = Splitter::new(&options);
        let literal = options.null_literal.as_deref().unwrap_or_default();
        let has_plain_numbers =
            splitter.is_simple() && !literal.starts_with(|c: char| c.is_ascii_digit() || c == '-');
        Self {
            splitter,
            schema: schema.columns.iter().enumerate().map(|(i, column)| (column.clone(), slot(i))).collect(),
            fields: (0..schema.len()).map(Some).collect(),
            width: columns.len(),
            at_head: options.header || options.ignore_first_line,
            has_plain_numbers,
            options,
            row: vec![],
            scratch: String::new(),
        }
    }

    /// Reads the record at a place into the row; gives where the next one begins.
    fn record(&mut self, text: &str, start: usize, last: bool) -> Result<usize, Stop> {
        self.row.clear();
        self.row.resize(self.width, Value::NULL);
        let mut at = start;
        let mut field = 0;
        loop {
            let (next, ends) = match self.fields.get(field) {
                Some(&column) => self.field(text, at, last, column)?,
                None => {
                    at = self.trailing(text, at, last)?;
                    break;
                }
            };
            field += 1;
            at = next;
            if ends {
                break;
            }
        }
        let needed = if self.options.fail_on_missing_columns || self.options.header {
            self.fields.len()
        } else {
            // As in Flink, whose files lack a column only if they have fewer than are wanted.
            self.width
        };
        let may_lack = self.options.ignore_parse_errors && !self.options.fail_on_missing_columns;
        if field < needed && !may_lack {
            let values = if field == 1 { "value" } else { "values" };
            let problem = format!("a line has {field} {values} where {} are expected", self.fields.len());
            // The record is read to its end, so that is where it goes on.
            return Err(Stop::Flaw(Flaw::new(start, problem)));
        }
        Ok(at)
    }

    /// Reads the value at a place for a column of the table.
    #[inline]
    fn field(
        &mut self,
        text: &str,
        at: usize,
        last: bool,
        column: Option<usize>,
    ) -> Result<(usize, bool), Stop> {
        let bytes = text.as_bytes();
        let Some((column, Some(slot))) = column.map(|column| &self.schema[column]) else {
            if self.splitter.is_simple() && !self.splitter.is_quote(bytes, at) {
                return self.splitter.behind(bytes, self.splitter.plain_end(bytes, at), last);
            }
            let piece = self.splitter.value(text, at, last, &mut self.scratch)?;
            return Ok((piece.next, piece.ends));
        };
        // What is common goes straight from the bytes.
        let number = match &column.data_type.kind {
            TypeKind::BigInt if self.has_plain_numbers => {
                scan_integer(bytes, at).map(|(number, end)| (Value::integer(number), end))
            }
            TypeKind::Decimal { precision, scale } if self.has_plain_numbers => {
                scan_decimal(bytes, at, *scale)
                    .map(|(unscaled, end)| (decimal_value(unscaled, *precision, *scale), end))
            }
            _ => None,
        };
        if let Some((value, end)) = number
            && self.splitter.is_end(bytes, end)
        {
            self.row[*slot] = value;
            return self.splitter.behind(bytes, end, last);
        }
        let piece = self.splitter.value(text, at, last, &mut self.scratch)?;
        let value = piece.slice.map_or(self.scratch.as_str(), |(start, end)| &text[start..end]);
        let kind = &column.data_type.kind;
        let value = match self.options.read(value, kind) {
            Some(value) => value,
            None if self.options.ignore_parse_errors => Value::NULL,
            None => {
                let hint = if value.is_empty() {
                    "With 'csv.null-literal' = '' nothing is read as NULL."
                } else {
                    "With 'csv.ignore-parse-errors' = 'true' it is read as NULL."
                };
                let flaw = Flaw::new(at, is_not_a(value, &kind.to_string()));
                return Err(Stop::Flaw(flaw.in_column(&column.name).with_hint(hint)));
            }
        };
        self.row[*slot] = value;
        Ok((piece.next, piece.ends))
    }

    /// Reads what comes behind the last column; gives where the next record begins.
    fn trailing(&mut self, text: &str, at: usize, last: bool) -> Result<usize, Stop> {
        let piece = self.splitter.value(text, at, last, &mut self.scratch)?;
        let value = piece.slice.map_or(self.scratch.as_str(), |(start, end)| &text[start..end]);
        if self.options.ignore_trailing_unmappable {
            return match piece.ends {
                true => Ok(piece.next),
                false => self.rest(text, piece.next, last),
            };
        }
        let is_blank = value.chars().all(|c| c <= ' ');
        if piece.ends && is_blank && self.options.allow_trailing_comma {
            return Ok(piece.next);
        }
        let problem = format!("a line has more than {} values", self.fields.len());
        Err(Stop::Flaw(Flaw::new(at, problem)))
    }

    /// Goes over the values from a place on; gives where the next record begins.
    fn rest(&mut self, text: &str, at: usize, last: bool) -> Result<usize, Stop> {
        let mut at = at;
        loop {
            let piece = self.splitter.value(text, at, last, &mut self.scratch)?;
            at = piece.next;
            if piece.ends {
                return Ok(at);
            }
        }
    }

    /// Reads the names of the columns, or the line to ignore; gives where the next record begins.
    fn head(&mut self, text: &str, start: usize, last: bool) -> Result<usize, Stop> {
        if self.options.ignore_first_line {
            return self.rest(text, start, last);
        }
        let mut names = vec![];
        let mut at = start;
        loop {
            let piece = self.splitter.value(text, at, last, &mut self.scratch)?;
            let name = piece.slice.map_or(self.scratch.as_str(), |(start, end)| &text[start..end]);
            names.push(name.to_owned());
            at = piece.next;
            if piece.ends {
                break;
            }
        }
        if names.last().is_some_and(|name| name.is_empty()) && self.options.allow_trailing_comma {
            names.pop();
        }
        if let Some((column, _)) = self.schema.iter().find(|(column, _)| !names.contains(&column.name)) {
            let flaw = Flaw::new(start, "the first line does not name a column");
            let hint = match nearest(&column.name, names.iter().map(String::as_str)) {
                Some(near) => format!("It names a column \"{near}\"."),
                None => format!("It names {}.", names.join(", ")),
            };
            return Err(Stop::Flaw(flaw.in_column(&column.name).with_hint(hint)));
        }
        let index = |name: &String| self.schema.iter().position(|(column, _)| column.name == *name);
        self.fields = names.iter().map(index).collect();
        Ok(at)
    }

    /// Where a record begins, from a place on.
    fn start(&self, text: &str, at: usize, last: bool) -> Result<Option<usize>, Stop> {
        if self.options.allow_comments {
            return self.splitter.skip_comments(text, at, last);
        }
        match text.len() - at {
            0 if last => Ok(None),
            0 => Err(Stop::More),
            _ => Ok(Some(at)),
        }
    }
}

impl Decoder for CsvDecoder {
    fn begin(&mut self) {
        self.at_head = self.options.header || self.options.ignore_first_line;
    }

    fn decode(&mut self, text: &str, last: bool, batch: &mut Batch<'_>) -> Result<usize, Flaw> {
        let mut at = 0;
        while !batch.is_full() {
            let start = match self.start(text, at, last) {
                Ok(Some(start)) => start,
                Ok(None) => return Ok(text.len()),
                Err(Stop::More) => return Ok(at),
                Err(Stop::Flaw(flaw)) => return Err(flaw),
            };
            let at_head = self.at_head;
            let read = if at_head { self.head(text, start, last) } else { self.record(text, start, last) };
            match read {
                Ok(next) => {
                    at = next;
                    self.at_head = false;
                    if !at_head {
                        batch.push(RowKind::Insert, &mut self.row);
                    }
                }
                Err(Stop::More) => return Ok(at),
                Err(Stop::Flaw(flaw)) if self.options.ignore_parse_errors && !at_head => {
                    match self.skip_flawed(text, &flaw, last) {
                        Ok(next) => at = next,
                        Err(Stop::More) => return Ok(at),
                        Err(Stop::Flaw(flaw)) => return Err(flaw),
                    }
                }
                Err(Stop::Flaw(flaw)) => return Err(flaw),
            }
        }
        Ok(at)
    }

    fn skips_flaws(&self) -> bool {
        self.options.ignore_parse_errors
    }
}

impl CsvDecoder {
    /// Where the record behind a flawed one begins.
    fn skip_flawed(&mut self, text: &str, flaw: &Flaw, last: bool) -> Result<usize, Stop> {
        if !self.splitter.is_quote(text.as_bytes(), flaw.at) {
            return self.splitter.skip_record(text, flaw.at, last);
        }
        match self.rest(text, flaw.at, last) {
            Ok(next) => Ok(next),
            // A value in quotes that is not closed goes on to the end.
            Err(Stop::Flaw(_)) => Ok(text.len()),
            Err(Stop::More) => Err(Stop::More),
        }
    }
}
