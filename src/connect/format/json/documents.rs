//! Documents that may take several lines.

use super::super::{Batch, Decoder, Flaw};

/// Finds the documents of a text, one after the other: objects, or the elements of arrays of them.
#[derive(Debug, Default)]
pub(crate) struct Documents {
    place: Place,
}

/// What may come next.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Place {
    /// A document or an array.
    #[default]
    Outside,
    /// The first element of an array, or its end.
    Opened,
    /// An element.
    Element,
    /// A comma, or the end of the array.
    Behind,
}

/// Where the next document is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Next {
    /// From one byte up to another.
    At(usize, usize),
    /// There is none up to this byte, and what is behind it is not whole.
    Open(usize),
}

impl Documents {
    /// Finds the next document from a byte on. Whether the text is the `last` says if a number at its end is whole.
    ///
    /// # Errors
    /// The byte of something that cannot come there, and what should.
    pub(crate) fn next(
        &mut self,
        text: &str,
        from: usize,
        last: bool,
    ) -> Result<Next, (usize, &'static str)> {
        let bytes = text.as_bytes();
        let mut at = from;
        loop {
            at += bytes[at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            let Some(&byte) = bytes.get(at) else { return Ok(Next::Open(at)) };
            self.place = match (self.place, byte) {
                (Place::Outside, b'[') => Place::Opened,
                (Place::Opened | Place::Behind, b']') => Place::Outside,
                (Place::Behind, b',') => Place::Element,
                (Place::Behind, _) => return Err((at, "',' or ']'")),
                (Place::Outside | Place::Opened | Place::Element, _) => {
                    let Some(end) = end_of(bytes, at, last) else { return Ok(Next::Open(at)) };
                    if self.place != Place::Outside {
                        self.place = Place::Behind;
                    }
                    return Ok(Next::At(at, end));
                }
            };
            at += 1;
        }
    }

    /// Whether an array is open.
    pub(crate) fn is_open(&self) -> bool {
        self.place != Place::Outside
    }
}

/// Where the value that begins at a byte ends, if it does. What is in it is not looked at.
fn end_of(bytes: &[u8], start: usize, last: bool) -> Option<usize> {
    let mut depth = 0_usize;
    let mut at = start;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' => at = string_end(bytes, at)?,
            b'{' | b'[' => depth += 1,
            b'}' | b']' | b',' if depth == 0 => return Some(at.max(start + 1)),
            b'}' | b']' => depth -= 1,
            byte if depth == 0 && byte.is_ascii_whitespace() => return Some(at),
            _ => {}
        }
        at += 1;
        if depth == 0 && matches!(byte, b'}' | b']' | b'"') {
            return Some(at);
        }
    }
    (last && depth == 0).then_some(bytes.len())
}

/// The quote that ends the string which begins at a byte.
fn string_end(bytes: &[u8], start: usize) -> Option<usize> {
    let mut at = start + 1;
    loop {
        at += memchr::memchr2(b'"', b'\\', bytes.get(at..)?)?;
        if bytes[at] == b'"' {
            return Some(at);
        }
        at += 2;
    }
}

/// Reads documents as if each were a line.
pub(in crate::connect::format) struct DocumentDecoder<D> {
    decoder: D,
    documents: Documents,
    line: String,
}

impl<D: Decoder + 'static> DocumentDecoder<D> {
    /// What decodes documents, or lines.
    pub(in crate::connect::format) fn wrap(decoder: D, multi_line: bool) -> Box<dyn Decoder> {
        if multi_line {
            Box::new(Self { decoder, documents: Documents::default(), line: String::new() })
        } else {
            Box::new(decoder)
        }
    }
}

impl<D: Decoder> Decoder for DocumentDecoder<D> {
    fn begin(&mut self) {
        self.documents = Documents::default();
        self.decoder.begin();
    }

    fn decode(&mut self, text: &str, last: bool, batch: &mut Batch<'_>) -> Result<usize, Flaw> {
        let mut at = 0;
        while !batch.is_full() {
            let next = self.documents.next(text, at, last).map_err(|(at, expected)| {
                let rest = text[at..].lines().next().unwrap_or_default();
                Flaw::new(at, format!("{} where {expected} is expected", super::super::head_of(rest)))
            })?;
            let (start, end) = match next {
                Next::At(start, end) => (start, end),
                Next::Open(start) => {
                    at = start;
                    if last && (start < text.len() || self.documents.is_open()) {
                        return Err(Flaw::new(start, "the file ends before its document does"));
                    }
                    break;
                }
            };
            // Ends of lines can only be between values.
            self.line.clear();
            self.line
                .extend(text[start..end].chars().map(|c| if matches!(c, '\n' | '\r') { ' ' } else { c }));
            batch.begin_at(start);
            self.decoder.decode(&self.line, true, batch).map_err(|flaw| flaw.moved(start))?;
            at = end;
        }
        Ok(at)
    }

    fn skips_flaws(&self) -> bool {
        self.decoder.skips_flaws()
    }
}
