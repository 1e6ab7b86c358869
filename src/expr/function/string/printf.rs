//! `PRINTF`: the formats of Java's `Formatter`, in its English locale.
//!
//! A format that Java refuses, or an argument that does not fit its conversion, makes the result
//! NULL, as in Flink. Dates, times and intervals are the numbers that Flink keeps inside.

use std::fmt::Write;

use super::super::call::{Evaluated, failure, text, text_or_null};
use super::super::digits::Digits;
use super::super::parameter::Parameter::{Any, Text};
use super::super::parameter::{STRING, check_rest, gives_nullable};
use super::super::{Call, Category, Function};
use crate::value::display::write_text;
use crate::value::time::{split_millis, write_date};
use crate::value::{DataType, TypeKind, Value};

pub(in crate::expr::function) static FUNCTIONS: &[Function] = &[Function {
    name: "PRINTF",
    syntax: "PRINTF(format, value, …)",
    summary: "Writes the values in the format of Java's Formatter, or gives NULL if the format is wrong.",
    example: Some(("PRINTF('%05d|%-4s|', 42, 'ab')", "00042|ab  |")),
    category: Category::String,
    typing: |args| check_rest(args, &[Text], Any, true).map(|()| gives_nullable(args, STRING)),
    eval: printf,
    strict: false,
    deterministic: true,
}];

fn printf(call: &Call<'_>) -> Evaluated {
    let Some(format) = call.args[0].as_str() else { return text_or_null(None::<&str>) };
    match write_all(format, call) {
        Ok(written) => text(written),
        Err(Refusal::Format) => text_or_null(None::<&str>),
        Err(Refusal::Unsupported(conversion)) => {
            failure(format!("the conversion %{conversion} is not supported"))
        }
    }
}

/// Why a format yields nothing.
enum Refusal {
    /// Java refuses the format or the argument.
    Format,
    /// Java has a result, but one that depends on hash codes or the like.
    Unsupported(char),
}

/// The flags, width and precision of `%[index$][flags][width][.precision]conversion`.
#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "they are the flags of the format")]
struct Spec {
    left: bool,
    alternate: bool,
    plus: bool,
    space: bool,
    zero: bool,
    group: bool,
    parentheses: bool,
    width: Option<usize>,
    precision: Option<usize>,
    upper: bool,
}

fn write_all(format: &str, call: &Call<'_>) -> Result<String, Refusal> {
    let mut out = String::new();
    let mut rest = format;
    // Arguments count from 1, after the format.
    let (mut next, mut last) = (1, None);
    while let Some(at) = rest.find('%') {
        out.push_str(&rest[..at]);
        let (directive, tail) = Directive::read(&rest[at + 1..]).ok_or(Refusal::Format)?;
        rest = tail;
        match directive.conversion {
            '%' => out.push_str(&directive.spec.percent()?),
            'n' => out.push_str(directive.spec.line_end()?),
            _ => {
                let index = match directive.index {
                    Index::Number(index) => index,
                    Index::Last => last.ok_or(Refusal::Format)?,
                    Index::Next => {
                        next += 1;
                        next - 1
                    }
                };
                last = Some(index);
                let value = call.get(index).filter(|_| index > 0).ok_or(Refusal::Format)?;
                directive.write(&mut out, value, &call.types[index], call)?;
            }
        }
    }
    out.push_str(rest);
    Ok(out)
}

/// Which argument a directive writes.
enum Index {
    Next,
    Last,
    Number(usize),
}

struct Directive {
    index: Index,
    spec: Spec,
    conversion: char,
}

impl Directive {
    /// Reads what follows a `%`; gives the rest of the format too.
    fn read(text: &str) -> Option<(Self, &str)> {
        let mut index = Index::Next;
        let mut rest = text;
        let number = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        if number > 0 && rest[number..].starts_with('$') {
            index = Index::Number(rest[..number].parse().ok()?);
            rest = &rest[number + 1..];
        }
        let mut spec = Spec::default();
        loop {
            let flag = match rest.chars().next()? {
                '-' => &mut spec.left,
                '#' => &mut spec.alternate,
                '+' => &mut spec.plus,
                ' ' => &mut spec.space,
                '0' => &mut spec.zero,
                ',' => &mut spec.group,
                '(' => &mut spec.parentheses,
                '<' => {
                    index = Index::Last;
                    rest = &rest[1..];
                    continue;
                }
                _ => break,
            };
            if std::mem::replace(flag, true) {
                return None;
            }
            rest = &rest[1..];
        }
        (spec.width, rest) = read_number(rest)?;
        if let Some(after) = rest.strip_prefix('.') {
            (spec.precision, rest) = read_number(after)?;
            spec.precision?;
        }
        let conversion = rest.chars().next().filter(|&c| c.is_ascii_alphabetic() || c == '%')?;
        spec.upper = matches!(conversion, 'B' | 'H' | 'S' | 'C' | 'X' | 'E' | 'G' | 'A');
        let conversion = if spec.upper { conversion.to_ascii_lowercase() } else { conversion };
        Some((Self { index, spec, conversion }, &rest[1..]))
    }

    fn write(
        &self,
        out: &mut String,
        value: &Value,
        data_type: &DataType,
        call: &Call<'_>,
    ) -> Result<(), Refusal> {
        let spec = &self.spec;
        let kind = &data_type.kind;
        let written = match self.conversion {
            'b' => {
                spec.allow_text_flags()?;
                let truth = value.as_boolean().unwrap_or(!value.is_null());
                spec.cut(if truth { "true" } else { "false" })
            }
            's' => {
                spec.allow_text_flags()?;
                spec.cut(&java_text(value, data_type, call))
            }
            'c' => {
                spec.allow_text_flags()?;
                if spec.precision.is_some() {
                    return Err(Refusal::Format);
                }
                character(value, kind)?
            }
            'd' | 'x' | 'o' => {
                spec.check_integer(self.conversion)?;
                match integer(value, kind) {
                    _ if value.is_null() => "null".to_owned(),
                    Some(number) if self.conversion == 'd' => spec.decimal(number),
                    Some(number) => spec.unsigned(number, kind, self.conversion),
                    None => return Err(Refusal::Format),
                }
            }
            'e' | 'f' | 'g' => {
                spec.check_float(self.conversion)?;
                match value.as_double().or(value.as_float().map(f64::from)) {
                    _ if value.is_null() => "null".to_owned(),
                    Some(number) => spec.float(number, self.conversion),
                    None => return Err(Refusal::Format),
                }
            }
            'h' | 'a' => return Err(Refusal::Unsupported(self.conversion)),
            _ => return Err(Refusal::Format),
        };
        let written = if spec.upper { written.to_uppercase() } else { written };
        spec.fill(out, &written);
        Ok(())
    }
}

/// Digits that do not begin with a zero, or none.
fn read_number(text: &str) -> Option<(Option<usize>, &str)> {
    let length = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    if length == 0 {
        return Some((None, text));
    }
    // Java has no room for more than an array's length.
    let number = text[..length].parse().ok().filter(|&number| number <= 1 << 24)?;
    Some((Some(number), &text[length..]))
}

impl Spec {
    fn percent(&self) -> Result<String, Refusal> {
        let others = self.alternate || self.plus || self.space || self.zero || self.group || self.parentheses;
        if others || self.precision.is_some() || (self.left && self.width.is_none()) {
            return Err(Refusal::Format);
        }
        let mut out = String::new();
        self.fill(&mut out, "%");
        Ok(out)
    }

    fn line_end(&self) -> Result<&'static str, Refusal> {
        let plain = self.width.is_none() && self.precision.is_none() && !self.left;
        if plain { Ok("\n") } else { Err(Refusal::Format) }
    }

    /// Text takes no flag but `-`, which needs a width.
    fn allow_text_flags(&self) -> Result<(), Refusal> {
        let others = self.alternate || self.plus || self.space || self.zero || self.group || self.parentheses;
        if others || (self.left && self.width.is_none()) { Err(Refusal::Format) } else { Ok(()) }
    }

    fn check_number(&self) -> Result<(), Refusal> {
        let without_width = (self.left || self.zero) && self.width.is_none();
        let contradiction = (self.plus && self.space) || (self.left && self.zero);
        if without_width || contradiction { Err(Refusal::Format) } else { Ok(()) }
    }

    fn check_integer(&self, conversion: char) -> Result<(), Refusal> {
        let signed = self.plus || self.space || self.parentheses || self.group;
        let wrong = if conversion == 'd' { self.alternate } else { signed };
        if wrong || self.precision.is_some() { Err(Refusal::Format) } else { self.check_number() }
    }

    fn check_float(&self, conversion: char) -> Result<(), Refusal> {
        let wrong = match conversion {
            'e' => self.group,
            'g' => self.alternate,
            _ => false,
        };
        if wrong { Err(Refusal::Format) } else { self.check_number() }
    }

    fn cut(&self, text: &str) -> String {
        text.chars().take(self.precision.unwrap_or(usize::MAX)).collect()
    }

    fn fill(&self, out: &mut String, text: &str) {
        let blanks = self.width.unwrap_or(0).saturating_sub(text.encode_utf16().count());
        if !self.left {
            out.extend(std::iter::repeat_n(' ', blanks));
        }
        out.push_str(text);
        if self.left {
            out.extend(std::iter::repeat_n(' ', blanks));
        }
    }

    fn decimal(&self, number: i64) -> String {
        self.signed(number < 0, &self.grouped(&number.unsigned_abs().to_string()))
    }

    /// The number's bits, as many as its type has.
    fn unsigned(&self, number: i64, kind: &TypeKind, conversion: char) -> String {
        let bits = number.cast_unsigned();
        let bits = match kind {
            TypeKind::TinyInt => bits & 0xff,
            TypeKind::SmallInt => bits & 0xffff,
            TypeKind::BigInt | TypeKind::IntervalSecond => bits,
            _ => bits & 0xffff_ffff,
        };
        let digits = if conversion == 'x' { format!("{bits:x}") } else { format!("{bits:o}") };
        let prefix = match (self.alternate, conversion) {
            (false, _) => "",
            (true, 'x') => "0x",
            (true, _) => "0",
        };
        format!("{prefix}{}", self.zeros(&digits, prefix.len()))
    }

    fn float(&self, number: f64, conversion: char) -> String {
        let negative = number.is_sign_negative() && !number.is_nan();
        if !number.is_finite() {
            let name = if number.is_nan() { "NaN" } else { "Infinity" };
            let plain = Self { zero: false, plus: self.plus && !number.is_nan(), ..Self::default() };
            let space = Self { space: self.space && !number.is_nan(), ..plain };
            return Self { parentheses: self.parentheses, ..space }.signed(negative, name);
        }
        let digits = Digits::of(number.abs());
        let precision = self.precision.unwrap_or(6);
        let written = match conversion {
            'f' => self.grouped(&digits.fixed(precision)),
            'e' => digits.scientific(precision),
            _ => {
                // A precision of 0 means 1; it counts all digits, not those after the point.
                let precision = precision.max(1);
                let rounded = digits.rounded(precision);
                if rounded.is_zero() {
                    rounded.fixed(precision - 1)
                } else if (-3..=i64::try_from(precision).unwrap_or(i64::MAX)).contains(&rounded.point) {
                    let whole = i64::try_from(precision).unwrap_or(i64::MAX) - rounded.point;
                    self.grouped(&rounded.fixed(usize::try_from(whole).unwrap_or(0)))
                } else {
                    rounded.scientific(precision - 1)
                }
            }
        };
        let point = self.alternate && !written.contains('.');
        self.signed(negative, &if point { format!("{written}.") } else { written })
    }

    /// The digits with their sign, and with zeros between up to the width.
    fn signed(&self, negative: bool, digits: &str) -> String {
        let (before, after) = match (negative, self.parentheses) {
            (true, true) => ("(", ")"),
            (true, false) => ("-", ""),
            (false, _) if self.plus => ("+", ""),
            (false, _) if self.space => (" ", ""),
            (false, _) => ("", ""),
        };
        format!("{before}{}{after}", self.zeros(digits, before.len() + after.len()))
    }

    fn zeros(&self, digits: &str, others: usize) -> String {
        let width = if self.zero { self.width.unwrap_or(0) } else { 0 };
        let zeros = width.saturating_sub(digits.len() + others);
        "0".repeat(zeros) + digits
    }

    /// With a comma before every three digits of the whole part, if the flag asks for it.
    fn grouped(&self, digits: &str) -> String {
        if !self.group {
            return digits.to_owned();
        }
        let whole = digits.find('.').unwrap_or(digits.len());
        let mut out = String::new();
        for (i, c) in digits.char_indices() {
            if i > 0 && i < whole && (whole - i).is_multiple_of(3) {
                out.push(',');
            }
            out.push(c);
        }
        out
    }
}

/// The value of a type that Flink keeps as an integer.
fn integer(value: &Value, kind: &TypeKind) -> Option<i64> {
    match kind {
        TypeKind::Date => value.as_date().map(i64::from),
        TypeKind::Time(_) => value.as_time().map(i64::from),
        TypeKind::IntervalMonth => value.as_months().map(i64::from),
        TypeKind::IntervalSecond => value.as_millis(),
        _ => value.as_integer(),
    }
}

fn character(value: &Value, kind: &TypeKind) -> Result<String, Refusal> {
    if value.is_null() {
        return Ok("null".to_owned());
    }
    let number =
        integer(value, kind).filter(|_| !matches!(kind, TypeKind::BigInt | TypeKind::IntervalSecond));
    let number = number.and_then(|number| u32::try_from(number).ok()).ok_or(Refusal::Format)?;
    match char::from_u32(number) {
        Some(c) => Ok(c.to_string()),
        None if number <= 0x10_ffff => Ok("?".to_owned()),
        None => Err(Refusal::Format),
    }
}

/// What Java's `toString` gives for the value; nested values and bytes as a cast to `STRING` does.
fn java_text(value: &Value, data_type: &DataType, call: &Call<'_>) -> String {
    let mut out = String::new();
    match (&data_type.kind, value.as_timestamp()) {
        _ if value.is_null() => out.push_str("null"),
        (TypeKind::Boolean, _) => {
            out.push_str(if value.as_boolean() == Some(true) { "true" } else { "false" });
        }
        (_, Some((millis, nanos))) => out.push_str(&java_timestamp(millis, nanos)),
        (kind, None) => match integer(value, kind) {
            Some(number) => out.push_str(&number.to_string()),
            None => write_text(&mut out, value, data_type, &call.context.time_zone),
        },
    }
    out
}

/// What Java's `LocalDateTime.toString` gives: seconds only if they are not zero, and three, six
/// or nine digits of a fraction.
fn java_timestamp(millis: i64, nanos: u32) -> String {
    let mut out = String::new();
    let (days, time) = split_millis(millis);
    let _ = write_date(&mut out, days);
    let (seconds, fraction) = (time / 1000, time % 1000 * 1_000_000 + nanos);
    let _ = write!(out, "T{:02}:{:02}", seconds / 3600, seconds / 60 % 60);
    if seconds % 60 != 0 || fraction != 0 {
        let _ = write!(out, ":{:02}", seconds % 60);
    }
    match fraction {
        0 => Ok(()),
        _ if fraction % 1_000_000 == 0 => write!(out, ".{:03}", fraction / 1_000_000),
        _ if fraction % 1000 == 0 => write!(out, ".{:06}", fraction / 1000),
        _ => write!(out, ".{fraction:09}"),
    }
    .unwrap_or_default();
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_timestamp_shows_only_the_parts_that_are_not_zero() {
        assert_eq!(java_timestamp(0, 0), "1970-01-01T00:00");
        assert_eq!(java_timestamp(5_678, 0), "1970-01-01T00:00:05.678");
        assert_eq!(java_timestamp(0, 1_000), "1970-01-01T00:00:00.000001");
        assert_eq!(java_timestamp(0, 1), "1970-01-01T00:00:00.000000001");
    }
}
