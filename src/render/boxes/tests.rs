//! Boxes as they are drawn, at once and as their rows come.

use super::*;
use crate::value::DataType;

/// A box with two columns, `id` aligned to the right.
fn drawn(rows: &[[&str; 2]], width: Option<usize>, stream: bool) -> (String, Option<String>) {
    let look = Look { width, ..Look::default() };
    let mut sheet = Sheet::new(&look, [("id", true), ("name", false)].into_iter());
    let mut out = Vec::new();
    for row in rows {
        for text in row {
            sheet.text(None, |out| out.push_str(text));
        }
        sheet.end_row(&mut out).unwrap();
    }
    if stream {
        sheet.flush(&mut out).unwrap();
    }
    let note = sheet.finish(&mut out).unwrap().note;
    (String::from_utf8(out).unwrap(), note)
}

#[test]
fn both_ways_of_drawing_give_the_same_box() {
    let rows = [["1", "日本"], ["-20", "ü"], ["", "x y  z "]];
    let (table, _) = drawn(&rows, None, false);
    assert_eq!(
        table,
        "┌─────┬─────────┐\n\
         │  id ┆ name    │\n\
         ╞═════╪═════════╡\n\
         │   1 ┆ 日本    │\n\
         │ -20 ┆ ü       │\n\
         │     ┆ x y  z  │\n\
         └─────┴─────────┘\n"
    );
    assert_eq!(drawn(&rows, None, true).0, table);
    assert_eq!(drawn(&[], None, true), drawn(&[], None, false));
}

#[test]
fn a_thousand_rows_are_laid_out_together_and_more_are_drawn_as_they_come() {
    let mut rows = vec![["1", "a"]; TOGETHER + 1];
    rows.push(["2", "longer"]);
    rows.push(["3", "a"]);
    let (text, note) = drawn(&rows, None, false);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "┌────┬──────┐");
    assert_eq!(
        lines[TOGETHER + 4..],
        ["├╌╌╌╌┼╌╌╌╌╌╌╌╌╌╌┤", "│  2 ┆ longer   │", "│  3 ┆ a        │", "└────┴──────────┘"]
    );
    assert_eq!(note, None);
}

#[test]
fn on_a_narrow_terminal_few_rows_are_wrapped_and_many_are_cut() {
    let rows = [["1", "a rather long name"]];
    let (text, note) = drawn(&rows, Some(20), false);
    assert_eq!(
        text,
        "┌────┬─────────────┐\n\
         │ id ┆ name        │\n\
         ╞════╪═════════════╡\n\
         │  1 ┆ a rather    │\n\
         │    ┆ long name   │\n\
         └────┴─────────────┘\n"
    );
    assert_eq!(note, None);
    let endless = "word ".repeat(1_000);
    let (text, note) = drawn(&[["1", &endless]], Some(20), false);
    assert!(text.lines().count() < 16 && text.contains('…'), "{text}");
    assert!(note.unwrap().contains("cut with …"));
    let (text, note) = drawn(&rows, Some(20), true);
    assert_eq!(text.lines().nth(3), Some("│  1 ┆ a rather l… │"));
    assert!(note.unwrap().contains("cut with …"));
}

/// A box whose rows are drawn as they come, with a `BIGINT` and a `STRING`.
fn streamed(rows: &[[&str; 2]], width: usize) -> (String, Option<String>) {
    let look = Look { width: Some(width), ..Look::default() };
    let columns = vec![Column::new("c", DataType::bigint()), Column::new("s", DataType::string())];
    let mut sheet = Sheet::of(&look, &DOTTED, &[], &Schema::new(columns), &[]);
    let mut out = Vec::new();
    for row in rows {
        for text in row {
            sheet.text(None, |out| out.push_str(text));
        }
        sheet.end_row(&mut out).unwrap();
        sheet.flush(&mut out).unwrap();
    }
    let note = sheet.finish(&mut out).unwrap().note;
    (String::from_utf8(out).unwrap(), note)
}

#[test]
fn a_streamed_box_has_room_for_what_its_types_may_need() {
    let (text, note) = streamed(&[["1", "a"], ["-9223372036854775808", "twenty characters ok"]], 80);
    assert_eq!(
        text,
        "┌──────────────────────┬──────────────────────┐\n\
         │                    c ┆ s                    │\n\
         ╞══════════════════════╪══════════════════════╡\n\
         │                    1 ┆ a                    │\n\
         │ -9223372036854775808 ┆ twenty characters ok │\n\
         └──────────────────────┴──────────────────────┘\n"
    );
    assert_eq!(note, None);
    // A text that is cut anyway takes nothing from a number.
    let long = "x".repeat(100);
    let (text, _) = streamed(&[["1", &long], ["1234567", "a"]], 60);
    assert!(text.lines().next().unwrap().starts_with(&format!("┌{}┬", "─".repeat(22))), "{text}");
    assert!(text.contains(" 1234567 ┆ a ") && text.lines().all(|line| width(line) == 60), "{text}");
}

#[test]
fn a_row_that_outgrows_a_streamed_box_begins_a_wider_one() {
    let (text, note) =
        streamed(&[["1", "a"], ["2", "a text of twenty-four ch"], ["3", "one of twenty-five charac"]], 80);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[4], "└──────────────────────┴──────────────────────┘");
    assert_eq!(lines[6], format!("│                    c ┆ s{} │", " ".repeat(31)));
    assert!(lines[8].contains("┆ a text of twenty-four ch  "), "{text}");
    assert!(lines[9].contains("┆ one of twenty-five charac  "), "{text}");
    assert_eq!((lines.len(), note), (11, None));
    // Where all the width is taken, no other box begins.
    let long = "y".repeat(100);
    let longer = "z".repeat(120);
    let (text, note) = streamed(&[["1", "a"], ["2", &long], ["3", &longer]], 60);
    assert_eq!(text.matches('┌').count(), 2, "{text}");
    assert!(text.lines().all(|line| width(line) <= 60) && note.is_some(), "{text}");
}

#[test]
fn a_number_is_not_cut_while_a_text_beside_it_could_be() {
    let text = "x".repeat(49);
    let rows: Vec<String> = ["1", "12345", "123456789"].map(str::to_owned).to_vec();
    let rows: Vec<[&str; 2]> = rows.iter().map(|number| [number.as_str(), text.as_str()]).collect();
    let (drawn, _) = streamed(&rows, 60);
    assert!(drawn.contains(" 123456789 ┆ x") && drawn.matches('┌').count() == 2, "{drawn}");
}

#[test]
fn columns_that_do_not_fit_are_named() {
    let look = Look { width: Some(40), ..Look::default() };
    let names = ["one", "two", "three", "four", "five", "six"];
    for stream in [false, true] {
        let rows = if stream { 1 } else { 2 };
        let mut sheet = Sheet::new(&look, names.iter().map(|name| (*name, false)));
        let mut out = Vec::new();
        for _ in 0..rows {
            for _ in names {
                sheet.text(None, |out| out.push_str("0123456789"));
            }
            sheet.end_row(&mut out).unwrap();
        }
        if stream {
            sheet.flush(&mut out).unwrap();
        }
        let note = sheet.finish(&mut out).unwrap().note.unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(text.lines().all(|line| width(line) <= 40), "{text}");
        assert!(text.contains("┆ … │"), "{text}");
        assert!(note.starts_with("3 columns do not fit: four to six"), "{note}");
    }
}

#[test]
fn a_single_row_that_is_too_wide_is_turned() {
    let look = Look { width: Some(30), ..Look::default() };
    let names = ["one", "two", "three", "four"];
    let mut sheet = Sheet::new(&look, names.iter().map(|name| (*name, false)));
    let mut out = Vec::new();
    for _ in names {
        sheet.text(None, |out| out.push_str("0123456789"));
    }
    sheet.end_row(&mut out).unwrap();
    assert_eq!(sheet.finish(&mut out).unwrap(), Drawn::default());
    let text = String::from_utf8(out).unwrap();
    assert_eq!(
        text,
        "─[ 1 ]────────────────────────\n  one: 0123456789\n  two: 0123456789\nthree: 0123456789\n four: 0123456789\n"
    );
}

#[test]
fn rows_in_the_middle_are_left_out() {
    let rows: Vec<String> = (1..=9).map(|i| i.to_string()).collect();
    for (limit, expected) in [(4, "1 2 · 8 9"), (3, "1 2 · 9"), (9, "1 2 3 4 5 6 7 8 9")] {
        for stream in [false, true] {
            let look = Look { max_rows: Some(limit), headers: false, ..Look::default() };
            let mut sheet = Sheet::new(&look, [("number", true)].into_iter());
            let mut out = Vec::new();
            for row in &rows {
                sheet.text(None, |out| out.push_str(row));
                sheet.end_row(&mut out).unwrap();
                if stream {
                    sheet.flush(&mut out).unwrap();
                }
            }
            let drawn = sheet.finish(&mut out).unwrap();
            assert_eq!(drawn.shown, (limit < 9).then_some(limit));
            let text = String::from_utf8(out).unwrap();
            let shown: Vec<&str> = text
                .split(|c: char| !c.is_ascii_digit() && c != '·')
                .filter(|word| !word.is_empty())
                .collect();
            assert_eq!(shown.join(" "), expected, "{text}");
        }
    }
}
