//! What one result looks like in every format, at three widths, without and with colour.
//!
//! `BLESS=1 cargo test --test pictures` writes the files of `tests/pictures`. Look at what it wrote before
//! you commit it. In them the character that starts an escape sequence is `␛`.

#![expect(clippy::unwrap_used, reason = "a test fails where something is not as it should be")]

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use rowkind::Session;
use rowkind::render::{Ending, Format, Look, Side};
use rowkind::session::Collected;

/// Texts that are wide, long, empty, of many code points, or look like markup; NULL; numbers; updates.
const SCRIPT: &str = "
    CREATE TABLE people (id INT, name STRING, place STRING, note STRING, balance DECIMAL(10, 2), active BOOLEAN,
                         PRIMARY KEY (id) NOT ENFORCED);
    INSERT INTO people VALUES
      (1, 'Ada', 'London', 'a rather long note that has no place on a narrow screen', 1234.50, TRUE),
      (2, '山田太郎', '東京', '', -3.25, FALSE),
      (3, '👩‍👩‍👧‍👦 família', '<b>|', NULL, NULL, NULL),
      (1, 'Ada', 'Paris', U&'two\\000Alines', 10, TRUE);
    DELETE FROM people WHERE id = 2;
    SELECT * FROM people;";

fn result() -> Collected {
    let mut session = Session::new();
    session.run_all(SCRIPT).unwrap()
}

fn picture(result: &Collected, format: Format, look: &Look) -> String {
    let mut view = format.view(look);
    let mut out = Vec::new();
    view.begin(&mut out, result.header.as_ref().unwrap()).unwrap();
    view.changes(&mut out, &result.changes).unwrap();
    view.end(&mut out, Ending::Complete).unwrap();
    String::from_utf8(out).unwrap().replace('\u{1b}', "␛")
}

#[test]
fn every_format_looks_as_it_did() {
    // The eight colours are written as such once colour is forced on for the process.
    crossterm::style::force_color_output(true);
    let bless = std::env::var_os("BLESS").is_some_and(|value| value != "0");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pictures");
    let result = result();
    let mut different = Vec::new();
    for format in Format::ALL {
        let mut text = String::new();
        let mut last = String::new();
        for (width, colour) in [40, 80, 200].into_iter().flat_map(|width| [(width, false), (width, true)]) {
            let look = Look { width: Some(width), colour, ..Look::default() };
            let drawn = picture(&result, format, &look);
            if drawn != last {
                let colours = if colour { " in colour" } else { "" };
                writeln!(text, "== {width} columns{colours}\n{drawn}").unwrap();
            }
            last = drawn;
        }
        let path = folder.join(format!("{format}.txt"));
        if bless {
            fs::write(&path, text).unwrap();
        } else if fs::read_to_string(&path).unwrap_or_default() != text {
            different.push(format!("{}:\n{text}", path.display()));
        }
    }
    assert!(different.is_empty(), "BLESS=1 writes what is new:\n{}", different.join("\n"));
}

#[test]
fn no_line_is_wider_than_the_terminal() {
    let result = result();
    for format in [Format::Changelog, Format::Table, Format::Duality, Format::Box] {
        for width in 20..220 {
            let look = Look { width: Some(width), max_rows: Some(3), ..Look::default() };
            let drawn = picture(&result, format, &look);
            let boxes = drawn.lines().filter(|line| line.starts_with(['│', '┌', '╞', '├', '└']));
            let widest = boxes.map(unicode_width::UnicodeWidthStr::width).max().unwrap();
            assert!(widest <= width, "{format} is {widest} wide at {width}:\n{drawn}");
        }
    }
}

#[test]
fn a_pipe_is_never_cut_whatever_the_format() {
    let result = result();
    for format in Format::ALL {
        for side in Side::ALL {
            let drawn = picture(&result, format, &Look { side, ..Look::default() });
            let names = drawn.contains("família") && drawn.contains("Paris");
            assert!(names && !drawn.contains('…'), "{format} {side}:\n{drawn}");
        }
    }
}
