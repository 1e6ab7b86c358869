//! The screen without a terminal: keys in, pictures out.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::shell::editor::complete;
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use rowkind::Session;
use rowkind::render::{Painter, entry_text};
use rowkind::session::Collected;

use super::draw::draw;
use super::model::{Action, Model, State};
use crate::shell::theme::Theme;

/// A session that shows something, and the model of its screen.
struct Stage {
    session: Session,
    model: Model,
}

const QUERY: &str = "SELECT region, COUNT(*) AS cnt, SUM(amount) AS total FROM orders GROUP BY region";
/// 12:34:56 in UTC.
const NOW: i64 = 45_296_000;

impl Stage {
    fn of(query: &str) -> Self {
        let mut session = Session::with_clock(|| NOW);
        let script = "
            SET 'table.local-time-zone' = 'UTC';
            CREATE TABLE orders (id INT, region STRING, amount INT, PRIMARY KEY (id) NOT ENFORCED);
            INSERT INTO orders VALUES (1, 'EU', 100), (2, 'EU', 70), (3, '東京', 20);";
        session.run_all(script).unwrap();
        let there = session.watch_as(super::NAME, query, &mut Collected::default()).unwrap();
        let model = Model::new(query, there.header.unwrap(), &there.changes, Vec::new(), NOW);
        Self { session, model }
    }

    /// Does what the shell does with a statement that was typed.
    fn run(&mut self, statement: &str) {
        let result = self.session.execute(statement, &mut Collected::default());
        for news in self.session.take_watched() {
            self.model.feed(&news.changes);
        }
        match result {
            Ok(_) => self.model.tell(statement, "", None),
            Err(error) => self.model.tell(statement, &format!("error: {error}\n"), Some(statement)),
        }
    }

    /// Presses keys, and does what they ask for.
    fn press(&mut self, keys: &[KeyCode]) -> Action {
        let mut action = Action::Draw;
        for key in keys {
            action = self.model.on_key(KeyEvent::from(*key));
            match &action {
                Action::Run(text) => self.run(&text.clone()),
                Action::Trace(cause) => {
                    self.model.trace(self.session.logged_for(super::NAME, *cause).as_ref());
                }
                Action::Complete => {
                    let input = &self.model.input;
                    let completed = complete(&self.session, input.text(), input.cursor());
                    let (start, pairs) = completed.unwrap();
                    let texts: Vec<&str> = pairs.iter().map(|pair| pair.replacement.as_str()).collect();
                    self.model.complete(start, &texts);
                }
                Action::Draw | Action::Leave => {}
            }
        }
        action
    }

    fn enter(&mut self, text: &str) -> Action {
        let keys: Vec<KeyCode> = text.chars().map(KeyCode::Char).chain([KeyCode::Enter]).collect();
        self.press(&keys)
    }

    /// The screen in a size, as the shell shows it.
    fn screen(&mut self, width: usize, height: usize) -> String {
        self.model.size = (width, height);
        for cause in self.model.unexplained() {
            let entry = self.session.logged_for(super::NAME, cause);
            self.model.explain(cause, entry.as_ref().map(entry_text).unwrap_or_default());
        }
        let frame = draw(&self.model, (width, height));
        let lines = frame
            .lines
            .iter()
            .map(|line| line.painted(Painter::new(false), Theme::Plain).trim_end().to_owned());
        lines.collect::<Vec<_>>().join("\n")
    }

    /// Whether the screen has these texts, one below the other.
    #[track_caller]
    fn see(&mut self, texts: &[&str]) {
        let screen = self.screen(80, 24);
        let mut rest = screen.as_str();
        for text in texts {
            let Some(at) = rest.find(text) else { panic!("{text} is missing in\n{screen}") };
            rest = &rest[at + text.len()..];
        }
    }
}

/// The screen after an insert, a row in full, and the help, at three sizes.
#[test]
fn the_screen_looks_as_it_did() {
    let sizes = [(40, 12), (80, 24), (160, 40)];
    let mut stage = Stage::of(QUERY);
    stage.enter("INSERT INTO orders VALUES (4, 'US', 5), (1, 'US', 90);");
    let mut pictures = String::new();
    let mut draw = |stage: &mut Stage, what: &str| {
        for (width, height) in sizes {
            writeln!(pictures, "== {what}, {width}x{height}\n{}", stage.screen(width, height)).unwrap();
        }
    };
    draw(&mut stage, "an insert");
    stage.press(&[KeyCode::Up, KeyCode::Up, KeyCode::Enter]);
    draw(&mut stage, "a row");
    stage.press(&[KeyCode::Esc, KeyCode::Char('?')]);
    draw(&mut stage, "help");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pictures/live.txt");
    if std::env::var_os("BLESS").is_some_and(|value| value != "0") {
        fs::write(&path, pictures).unwrap();
    } else {
        assert_eq!(fs::read_to_string(&path).unwrap_or_default(), pictures, "BLESS=1 writes what is new");
    }
}

#[test]
fn no_line_is_wider_and_no_screen_taller_than_the_terminal() {
    let mut stage =
        Stage::of("SELECT *, 'a text that is quite long, and wide: 日本語' AS text, id * 2 AS d FROM orders");
    stage.enter("INSERT INTO nothing VALUES (4, 'US', 5)");
    for card in [false, true] {
        if card {
            stage.press(&[KeyCode::Esc, KeyCode::Enter]);
        }
        for width in (0..50).chain(98..102).chain([160]) {
            for height in (0..14).chain([24, 40]) {
                let frame = draw(&stage.model, (width, height));
                let widest = frame.lines.iter().map(super::line::Line::width).max().unwrap_or(0);
                assert!(widest <= width && frame.lines.len() <= height, "at {width}x{height}");
                assert!(frame.cursor.0 <= width && frame.cursor.1 <= height, "at {width}x{height}");
            }
        }
    }
}

#[test]
fn changes_ripple_into_both_panes_and_mark_their_rows() {
    let mut stage = Stage::of(QUERY);
    stage.see(&[
        "changes",
        "▸ +I ┆ 東京   ┆   1 ┆    20",
        "table",
        "  +U ┆ EU",
        "4 changes (+I 2, -U 1, +U 1) → 2 rows",
    ]);
    stage.enter("DELETE FROM orders WHERE region = 'EU' AND id = 1");
    // What changed last is marked, and nothing else.
    stage.see(&[
        "▸ +U ┆ EU     ┆   1 ┆    70",
        "table",
        "  +U ┆ EU     ┆   1 ┆    70",
        "     ┆ 東京   ┆   1 ┆    20",
    ]);
}

#[test]
fn what_is_held_comes_when_it_goes_on() {
    let mut stage = Stage::of(QUERY);
    stage.press(&[KeyCode::Char(' ')]);
    stage.enter("INSERT INTO orders VALUES (9, 'US', 1)");
    stage.see(&["held, 1 more", "→ 2 rows"]);
    stage.press(&[KeyCode::Char(' ')]);
    stage.see(&["live", "+I ┆ US", "→ 3 rows"]);
}

#[test]
fn a_key_goes_through_the_forms_of_the_changes() {
    let mut stage = Stage::of("SELECT * FROM orders");
    stage.enter("INSERT INTO orders VALUES (1, 'US', 1)");
    stage.see(&["▸ changes ─", "+U ┆  1 ┆ US", "table"]);
    stage.press(&[KeyCode::Char('m')]);
    stage.see(&[
        "▸ changes, retract ─",
        "-U ┆  1 ┆ EU",
        "+U ┆  1 ┆ US",
        "5 changes (+I 3, -U 1, +U 1) → 3 rows",
    ]);
    stage.press(&[KeyCode::Char('m')]);
    // What is counted is what is shown.
    stage.see(&["▸ changes, upsert ─", "+U ┆  1 ┆ US", "4 changes (+I 3, +U 1) → 3 rows"]);
    assert!(!stage.screen(80, 24).contains("-U ┆"));
    stage.press(&[KeyCode::Char('m')]);
    assert!(!stage.screen(80, 24).contains("changes ─"));
    stage.press(&[KeyCode::Char('m')]);
    stage.see(&["▸ changes ─"]);
}

#[test]
fn without_a_key_there_is_one_form_and_a_reason() {
    let mut stage = Stage::of("SELECT region FROM orders");
    stage.press(&[KeyCode::Char('m')]);
    stage.see(&["▸ table", "no key says which row a new one would replace"]);
}

#[test]
fn a_row_is_shown_with_the_entry_that_caused_it() {
    let mut stage = Stage::of(QUERY);
    stage.enter("INSERT INTO orders VALUES (4, 'US', NULL)");
    stage.press(&[KeyCode::Tab, KeyCode::Enter]);
    stage.see(&[
        "┌ +I row",
        "region: US",
        "total: NULL",
        "caused by +I of orders at 12:34:56.000",
        "id: 4",
        "amount: NULL",
    ]);
    stage.press(&[KeyCode::Esc]);
    assert!(stage.model.card.is_none());
}

#[test]
fn a_statement_that_fails_can_be_put_right_and_history_comes_back() {
    let mut stage = Stage::of(QUERY);
    stage.enter("INSERT INTO orders VALUES (4, 'US')");
    stage.see(&["sql> INSERT INTO orders VALUES (4, 'US')", "error: "]);
    stage.press(&[KeyCode::Backspace]);
    stage.enter(", 7)");
    stage.see(&["+I ┆ US     ┆   1 ┆     7"]);
    stage.press(&[KeyCode::Char('x'), KeyCode::Up]);
    assert_eq!(stage.model.input.text(), "INSERT INTO orders VALUES (4, 'US', 7)");
}

#[test]
fn tab_completes_what_is_typed_and_shows_what_there_is() {
    let mut stage = Stage::of(QUERY);
    stage.model.on_paste("SELECT reg");
    stage.session.run_all("CREATE TABLE ordinary (a INT)").unwrap();
    stage.model.on_paste(" FROM or");
    stage.press(&[KeyCode::Tab]);
    assert_eq!(stage.model.input.text(), "SELECT reg FROM ord");
    stage.press(&[KeyCode::Tab]);
    stage.see(&["sql> SELECT reg FROM ord", "orders", "ordinary"]);
    stage.press(&[KeyCode::Char('e'), KeyCode::Tab]);
    assert_eq!(stage.model.input.text(), "SELECT reg FROM orders");
    // What stands behind a command is completed as at the prompt.
    let mut stage = Stage::of(QUERY);
    stage.model.on_paste(".format vert");
    stage.press(&[KeyCode::Tab]);
    assert_eq!(stage.model.input.text(), ".format vertical");
}

#[test]
fn keys_leave_unless_something_is_typed() {
    let mut stage = Stage::of(QUERY);
    for key in [KeyCode::Char('q'), KeyCode::Esc] {
        assert_eq!(stage.press(&[key]), Action::Leave);
    }
    stage.press(&[KeyCode::Char('S'), KeyCode::Char('q')]);
    assert_eq!(stage.model.input.text(), "Sq");
    assert_eq!(stage.press(&[KeyCode::Esc]), Action::Draw);
    assert!(stage.model.input.is_empty());
    stage.press(&[KeyCode::Char('S')]);
    let control_c = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL);
    assert_eq!(stage.model.on_key(control_c), Action::Leave);
}

#[test]
fn the_screen_is_alive_while_nothing_comes() {
    let mut stage = Stage::of(QUERY);
    let title = |stage: &mut Stage| stage.screen(160, 40).lines().next().unwrap().to_owned();
    assert!(title(&mut stage).ends_with("  live ● 12:34:56"));
    stage.model.now += 61_000;
    stage.model.state = State::Following;
    assert!(
        title(&mut stage).ends_with("  following, unchanged for 1 min ○ 12:35:57"),
        "{}",
        title(&mut stage)
    );
    stage.model.state = State::Ended;
    stage.model.complain("error: watching .live failed".to_owned());
    assert!(title(&mut stage).ends_with("ended, unchanged for 1 min   12:35:57"), "{}", title(&mut stage));
    stage.see(&["error: watching .live failed"]);
}

#[test]
fn a_place_in_the_changes_stays_while_more_come_and_end_follows_again() {
    let mut stage = Stage::of("SELECT * FROM orders");
    stage.press(&[KeyCode::Up]);
    stage.enter("INSERT INTO orders VALUES (4, 'US', 5)");
    stage.see(&["changes, 2 of 4", "▸ +I ┆  2 ┆ EU"]);
    stage.press(&[KeyCode::End]);
    stage.see(&["▸ changes ─", "▸ +I ┆  4 ┆ US"]);
}

#[test]
fn a_paste_is_typed_and_a_long_answer_is_a_card_that_the_next_statement_closes() {
    let mut stage = Stage::of(QUERY);
    stage.model.on_paste("SELECT 1,\n2\n");
    stage.see(&["sql> SELECT 1,↵2"]);
    stage.press(&[KeyCode::Esc]);
    let long: String = (0..50).fold(String::new(), |text, line| text + &format!("line {line}\n"));
    stage.model.tell("SHOW LINES", &long, None);
    stage.see(&["┌ SHOW LINES", "│ line 0 ", "more ─"]);
    stage.press(&[KeyCode::End]);
    stage.see(&["│ line 49 ", "└─"]);
    stage.press(&[KeyCode::Char('S')]);
    assert_eq!((stage.model.input.text(), stage.model.card.is_none()), ("S", true));
}
