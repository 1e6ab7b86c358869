//! Tables of lines with delimiters.

use regex::Regex;
use std::sync::LazyLock;

use super::shape::Shape;
use super::text::TextKind;

/// What is known of a file of lines with delimiters.
#[derive(Debug)]
pub(super) struct Sheet {
    pub(super) delimiter: char,
    /// Whether the first line has the names of the columns.
    pub(super) has_header: bool,
    pub(super) names: Vec<String>,
    pub(super) shapes: Vec<Shape>,
    /// What stands for NULL, if something does.
    pub(super) null: Option<&'static str>,
    /// The values, without the header.
    pub(super) records: Vec<Vec<String>>,
}

/// What may stand between values, the likelier first.
const DELIMITERS: [char; 4] = [',', ';', '\t', '|'];

/// What often stands for NULL.
const NULLS: [&str; 4] = ["", "\\N", "NULL", "null"];

impl Sheet {
    /// Looks at the texts of files, of which the last may end anywhere unless they are whole. There is none
    /// without a line.
    pub(super) fn of(texts: &[String], is_whole: bool, tabs: bool) -> Option<Self> {
        let first = texts.first()?;
        let delimiter = if tabs { '\t' } else { delimiter_of(first) };
        let mut files: Vec<_> = texts.iter().map(|text| records(text, delimiter)).collect();
        if !is_whole && let Some(last) = files.last_mut() {
            last.pop();
        }
        let width = files.iter().flatten().map(Vec::len).max()?;
        let (head, rest) = files.first()?.split_first()?;
        let has_header = is_header(head, rest, width);
        let names = names(if has_header { head.as_slice() } else { &[] }, width);
        let skipped = usize::from(has_header);
        let records: Vec<Vec<String>> =
            files.into_iter().flat_map(|file| file.into_iter().skip(skipped)).collect();
        let column = |index: usize, null: Option<&str>| shape_of(&records, index, null);
        let plain: Vec<Shape> = (0..width).map(|index| column(index, None)).collect();
        // Something stands for NULL if without it a column is more than a text.
        let null = NULLS.into_iter().find(|null| {
            (0..width).any(|index| is_text(&plain[index]) && !is_text(&column(index, Some(null))))
        });
        let shapes = (0..width).map(|index| column(index, null)).collect();
        Some(Self { delimiter, has_header, names, shapes, null, records })
    }
}

fn is_text(shape: &Shape) -> bool {
    matches!(shape, Shape::Text(TextKind::Plain) | Shape::Mixed | Shape::Nothing)
}

fn shape_of(records: &[Vec<String>], column: usize, null: Option<&str>) -> Shape {
    let values = records.iter().filter_map(|record| record.get(column));
    let mut shape = Shape::Nothing;
    for value in values.filter(|value| null != Some(value.as_str())) {
        shape.merge(value_shape(value));
    }
    // A text that is nothing else.
    if shape == Shape::Mixed { Shape::Text(TextKind::Plain) } else { shape }
}

fn value_shape(value: &str) -> Shape {
    if value.eq_ignore_ascii_case("true") || value.eq_ignore_ascii_case("false") {
        return Shape::Boolean;
    }
    match TextKind::of(value) {
        TextKind::Number(number) => Shape::Number(number),
        kind => Shape::Text(kind),
    }
}

/// The delimiter that makes the most columns of which all lines have as many; or that is most often in the first
/// line.
fn delimiter_of(text: &str) -> char {
    const LINES: usize = 100;
    let score = |delimiter: &char| {
        let mut records = records(text, *delimiter);
        records.truncate(LINES);
        let width = records.first().map_or(0, Vec::len);
        let fitting = records.iter().filter(|record| record.len() == width).count();
        let fits = records.len() < 3 || fitting * 10 >= records.len() * 9;
        if width > 1 { (fits, width) } else { (false, 0) }
    };
    // Of those with the same score the last would be taken.
    DELIMITERS.into_iter().rev().max_by_key(score).unwrap_or(',')
}

static NAME: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^[A-Za-z_$@][\w$@ .:/#()-]{0,63}$").expect("it is valid"));

/// Whether the first line has names: texts over columns that are no texts; or if all columns are texts, each once,
/// names that look like such and are no values.
fn is_header(head: &[String], rest: &[Vec<String>], width: usize) -> bool {
    let are_texts = head.len() == width
        && head.iter().any(|name| !name.trim().is_empty())
        && head.iter().all(|name| is_text(&value_shape(name)));
    if !are_texts {
        return false;
    }
    let is_typed = |column| NULLS.into_iter().any(|null| !is_text(&shape_of(rest, column, Some(null))));
    if (0..width).any(is_typed) {
        return true;
    }
    let is_value = |(column, name): (usize, &String)| {
        rest.iter().any(|record| record.get(column).is_some_and(|value| value == name))
    };
    (0..width).all(|index| NAME.is_match(&head[index]) && !head[..index].contains(&head[index]))
        && !head.iter().enumerate().any(is_value)
}

/// The names of the columns, each once; those that have none are numbered.
fn names(head: &[String], width: usize) -> Vec<String> {
    let mut names: Vec<String> = Vec::with_capacity(width);
    for index in 0..width {
        let given = head.get(index).map_or("", |name| name.trim());
        let name = if given.is_empty() { format!("column{}", index + 1) } else { given.to_owned() };
        let taken = |name: &String| names.contains(name);
        let name = if taken(&name) { format!("{name}_{}", index + 1) } else { name };
        names.push(name);
    }
    names
}

/// The records of a text, with `"` around values that hold delimiters, quotes or ends of lines.
fn records(text: &str, delimiter: char) -> Vec<Vec<String>> {
    let mut records = Vec::new();
    let mut record = Vec::new();
    let mut value = String::new();
    let mut chars = text.chars().peekable();
    let mut quoted = false;
    while let Some(c) = chars.next() {
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => {
                chars.next();
                value.push('"');
            }
            '"' if quoted => quoted = false,
            c if quoted => value.push(c),
            '"' if value.is_empty() => quoted = true,
            '\r' if chars.peek() == Some(&'\n') => {}
            '\n' => {
                record.push(std::mem::take(&mut value));
                end_record(&mut records, &mut record);
            }
            c if c == delimiter => record.push(std::mem::take(&mut value)),
            c => value.push(c),
        }
    }
    if !value.is_empty() || !record.is_empty() {
        record.push(value);
        end_record(&mut records, &mut record);
    }
    records
}

/// Keeps a record, unless its line is empty.
fn end_record(records: &mut Vec<Vec<String>>, record: &mut Vec<String>) {
    let record = std::mem::take(record);
    if record.len() > 1 || record.iter().any(|value| !value.is_empty()) {
        records.push(record);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sheet(text: &str) -> (char, bool, Vec<String>, Option<&'static str>) {
        let sheet = Sheet::of(&[text.to_owned()], true, false).unwrap();
        let columns = sheet.names.iter().zip(&sheet.shapes);
        let columns = columns.map(|(name, shape)| format!("{name} {}", shape.data_type(false)));
        (sheet.delimiter, sheet.has_header, columns.collect(), sheet.null)
    }

    #[test]
    fn delimiter_header_and_types_are_found() {
        let (delimiter, header, columns, null) =
            sheet("id;name;price;zip;since\n1;\"a;b\";1,5;00123;2024-01-01\n2;c;2,5;10115;\n");
        assert_eq!((delimiter, header, null), (';', true, Some("")));
        assert_eq!(columns, ["id BIGINT", "name STRING", "price STRING", "zip STRING", "since DATE"]);
    }

    #[test]
    fn a_line_of_values_is_no_header() {
        let (delimiter, header, columns, null) = sheet("I,1,Ada,true\nU,1,Bo,false\n");
        assert_eq!((delimiter, header, null), (',', false, None));
        assert_eq!(columns, ["column1 STRING", "column2 BIGINT", "column3 STRING", "column4 BOOLEAN"]);
        assert!(!sheet("Ada,Berlin\nBo,Paris\nAda,Rome\n").1);
        assert!(sheet("name,city\nAda,Berlin\n").1);
        assert_eq!(sheet(",id,id\n0,1,2\n").2, ["column1 BIGINT", "id BIGINT", "id_3 BIGINT"]);
    }
}
