//! Draws the screen: from the model and a size to lines.

use jiff::Timestamp;
use rowkind::render::{Role, printable};

use super::content::{Content, Entry, Form, KEPT};
use super::grid::{Cell, Grid, Row};
use super::line::{Line, Style};
use super::model::{Mode, Model, Side, State};
use crate::shell::theme::Part;
use crate::shell::wrap::wrapped;

/// A screen: its lines, and the column and line of the cursor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Frame {
    pub(super) lines: Vec<Line>,
    pub(super) cursor: (usize, usize),
}

/// From this width of the terminal on the table is beside the changes, not below them, as elsewhere.
const WIDE: usize = 100;
/// Below the first height of the terminal there are no keys shown, below the second not together with a note.
const TALL: [usize; 2] = [8, 20];
/// What stands before what is typed.
const PROMPT: &str = "sql> ";
/// The keys that are shown, the most important first.
const KEYS: [(&str, &str); 8] = [
    ("q", "leave"),
    ("Enter", "row"),
    ("m", "view"),
    ("Space", "hold"),
    ("Tab", "pane"),
    ("?", "help"),
    ("↑↓←→", "scroll"),
    ("End", "follow"),
];
/// The keys that are shown while something is typed.
const TYPING: [(&str, &str); 4] =
    [("Enter", "run"), ("Tab", "complete"), ("Esc", "clear"), ("↑↓", "history")];

/// Draws the screen in a size of columns and lines.
pub(super) fn draw(model: &Model, (width, height): (usize, usize)) -> Frame {
    let note = note(model, width, (height / 3).max(1));
    let keys = usize::from(height >= TALL[usize::from(!note.is_empty())]);
    // The title, the sum and the input have a line each.
    let body = height.saturating_sub(3 + note.len() + keys);
    let mut lines = vec![title(model, width)];
    lines.extend(panes(model, width, body));
    lines.push(sum(model, width));
    if let Some(card) = &model.card {
        lay_over(&mut lines, &card.draw(width, body.max(3)), width);
    }
    let (text, column) = model.input.shown(width.saturating_sub(PROMPT.len()).max(1), &model.marks);
    let mut input = Line::of(Some(Part::Prompt), PROMPT);
    input.append(&text);
    let cursor = ((PROMPT.len() + column).min(width.saturating_sub(1)), lines.len().min(height.max(1) - 1));
    lines.push(input);
    lines.extend(note);
    if keys > 0 {
        lines.push(key_line(model, width));
    }
    for line in &mut lines {
        line.cut(width);
    }
    lines.truncate(height);
    Frame { lines, cursor }
}

/// What is looked at, and at the right the clock, which shows that the screen is alive.
fn title(model: &Model, width: usize) -> Line {
    let beat = if model.now.div_euclid(1000) % 2 == 0 { "●" } else { "○" };
    let clock = match Timestamp::from_millisecond(model.now) {
        Ok(now) => {
            let zone = &model.content.header.time_zone;
            zone.to_datetime(now).strftime("%H:%M:%S").to_string()
        }
        Err(_) => String::new(),
    };
    let (role, state) = match (&model.held, model.state) {
        (Some(held), _) if held.is_empty() => (Role::Hint, "held".to_owned()),
        (Some(held), _) => (Role::Hint, format!("held, {} more", held.len())),
        (None, State::Running) => (Role::Hint, "running".to_owned()),
        (None, State::Ended) => (Role::Error, "ended".to_owned()),
        (None, State::Following) => (Role::Dim, "following".to_owned()),
        (None, State::Live) => (Role::Dim, "live".to_owned()),
    };
    let mut right = Line::of(Some(role), &format!("  {state}"));
    let idle = model.now.saturating_sub(model.changed) / 1000;
    if width >= WIDE && idle > 0 && model.held.is_none() && model.state != State::Running {
        right.push(Some(Role::Dim), &format!(", unchanged for {}", time(idle)));
    }
    right.push(Style::Plain, " ");
    let is_over = model.state == State::Ended;
    right.push(Some(Role::Insert), if is_over { " " } else { beat });
    right.push(Style::Plain, &format!(" {clock}"));
    let mut line = Line::of(Some(Role::Heading), &printable(&model.title));
    line.fit(width.saturating_sub(right.width()));
    line.append(&right);
    line
}

/// `5 s`, `3 min`, `2 h`
fn time(seconds: i64) -> String {
    match seconds {
        ..60 => format!("{seconds} s"),
        60..3600 => format!("{} min", seconds / 60),
        _ => format!("{} h", seconds / 3600),
    }
}

/// The panes, beside or below each other.
fn panes(model: &Model, width: usize, height: usize) -> Vec<Line> {
    let pane = |side, width, height| {
        let grid = match side {
            Side::Log => log(model, rows_of(height)),
            Side::Table => table(model, rows_of(height)),
        };
        grid.draw(width, height)
    };
    if model.mode == Mode::Table {
        return pane(Side::Table, width, height);
    }
    if width < WIDE {
        let wanted = [Side::Log, Side::Table].map(|side| FRAME + model.extent(side).0.max(1));
        let [above, below] = share(wanted, height);
        let mut lines = pane(Side::Log, width, above);
        lines.extend(pane(Side::Table, width, below));
        return lines;
    }
    let rows = rows_of(height);
    let wanted = [log(model, rows).wanted(), table(model, rows).wanted()];
    let [left, right] = share(wanted, width - 1);
    // A pane that needs less than half does not leave the other one half a screen of blanks.
    let (left, right) = if wanted[0].max(wanted[1]) <= width / 2 {
        (width / 2, width - 1 - width / 2)
    } else {
        (left, right)
    };
    let rights = pane(Side::Table, right, height);
    let mut lines = pane(Side::Log, left, height);
    for (i, (line, right)) in lines.iter_mut().zip(rights).enumerate() {
        line.fit(left);
        line.push(Some(Role::Dim), if i == 0 { "┬" } else { "│" });
        line.append(&right);
    }
    lines
}

/// What a pane has besides its rows: its title and the names of its columns.
const FRAME: usize = 2;

fn rows_of(height: usize) -> usize {
    height.saturating_sub(FRAME)
}

/// Shares a length among two panes: each gets what it wants if that leaves enough for the other, or half.
fn share([first, second]: [usize; 2], length: usize) -> [usize; 2] {
    let half = length / 2;
    match (first <= half, second <= half) {
        (true, _) => [first, length - first],
        (false, true) => [length - second, second],
        (false, false) => [length - half, half],
    }
}

fn log(model: &Model, height: usize) -> Grid {
    let form = model.form();
    let log = model.content.log(form);
    let entries = log.entries();
    let mut title = match form {
        Form::Changes => "changes".to_owned(),
        Form::Retract => "changes, retract".to_owned(),
        Form::Upsert => "changes, upsert".to_owned(),
    };
    if log.total() > KEPT {
        title = format!("{title}, the last {KEPT} of {}", log.total());
    }
    let row = |entry: &Entry| Row {
        mark: Cell::text(Some(Role::of(entry.kind)), entry.kind.symbol()),
        cells: cells(&model.content, &entry.row, model.log.left, None),
        cause: model.causes.get(&entry.cause.sequence).cloned().unwrap_or_default(),
    };
    grid(model, Side::Log, title, "op", height, |window| entries.range(window).map(row).collect())
}

fn table(model: &Model, height: usize) -> Grid {
    let content = &model.content;
    let row = |row: &[_]| {
        let mark = content.mark(row).filter(|mark| content.is_fresh(*mark));
        Row {
            mark: match mark {
                Some(mark) => Cell::text(Some(Role::of(mark.kind)), mark.kind.symbol()),
                None => Cell::text(None, ""),
            },
            cells: cells(content, row, model.table.left, mark.map(|mark| Role::of(mark.kind))),
            cause: String::new(),
        }
    };
    grid(model, Side::Table, "table".to_owned(), "", height, |window| {
        content.rows().skip(window.start).take(window.len()).map(row).collect()
    })
}

/// A pane around its rows that are shown.
fn grid(
    model: &Model,
    side: Side,
    mut title: String,
    mark: &'static str,
    height: usize,
    rows: impl FnOnce(std::ops::Range<usize>) -> Vec<Row>,
) -> Grid {
    let (pane, (len, newest)) = (model.pane(side), model.extent(side));
    let window = pane.window(len, newest, height);
    let row = pane.row(len, newest);
    if let (false, Some(row)) = (pane.follows(), row) {
        title = format!("{title}, {} of {len}", row + 1);
    }
    let is_focus = model.focus() == side;
    let schema = &model.content.header.schema;
    let columns = schema.columns.iter().skip(pane.left);
    Grid {
        title,
        is_focus,
        chosen: row.filter(|_| is_focus).map(|row| row - window.start),
        mark,
        is_shifted: pane.left > 0,
        columns: columns
            .map(|column| (printable(&column.name), column.data_type.kind.is_numeric()))
            .collect(),
        rows: rows(window),
    }
}

/// The values of a row from a column on.
fn cells(content: &Content, row: &[rowkind::value::Value], left: usize, role: Option<Role>) -> Vec<Cell> {
    let header = &content.header;
    let values = row.iter().zip(header.schema.types()).skip(left);
    values.map(|(value, data_type)| Cell::value(value, data_type, &header.time_zone, role)).collect()
}

/// The line below the panes: what the changes add up to.
fn sum(model: &Model, width: usize) -> Line {
    let mut line = Line::of(Some(Role::Dim), "──");
    line.push(Style::Plain, &format!(" {} ", model.content.summary(model.form())));
    line.fill(Some(Role::Dim), '─', width);
    line
}

/// What is said, in no more lines than this.
fn note(model: &Model, width: usize, most: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    for note in model.failure.iter().chain(&model.note) {
        for text in note.text.lines() {
            // A caret stands below its place only in a line that is not broken.
            let is_whole = text.starts_with("LINE ") || text.trim_start().starts_with('^');
            let texts = if is_whole { vec![text.to_owned()] } else { wrapped(text, width) };
            lines.extend(texts.iter().map(|text| Line::of(Some(note.role), &printable(text))));
        }
    }
    lines.truncate(most);
    lines
}

fn key_line(model: &Model, width: usize) -> Line {
    let keys: &[(&str, &str)] = if model.state == State::Running {
        &[("Ctrl-C", "stop")]
    } else if model.card.is_some() {
        &[("Esc", "close"), ("↑↓", "scroll")]
    } else if model.input.is_empty() {
        &KEYS
    } else {
        &TYPING
    };
    let mut line = Line::default();
    for (key, what) in keys {
        let what = if *key == "Space" && model.held.is_some() { "go on" } else { what };
        let mut next = Line::of(Some(Role::Heading), key);
        next.push(Some(Role::Dim), &format!(" {what}"));
        if line.width() > 0 {
            if line.width() + 3 + next.width() > width {
                break;
            }
            line.push(Style::Plain, "   ");
        }
        line.append(&next);
    }
    line
}

/// Lays a card over the middle of the lines.
fn lay_over(lines: &mut [Line], card: &[Line], width: usize) {
    let wide = card.first().map_or(0, Line::width);
    let start = lines.len().saturating_sub(card.len()) / 2;
    for (line, card) in lines.iter_mut().skip(start).zip(card) {
        let left = width.saturating_sub(wide) / 2;
        let mut over = line.part(0..left);
        over.fill(Style::Plain, ' ', left);
        over.append(card);
        over.append(&line.part(left + wide..width));
        *line = over;
    }
}
