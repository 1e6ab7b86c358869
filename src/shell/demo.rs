//! Small catalogs with data to play with.
//!
//! Each is a script. Its first comment says what it is, and comments at its end suggest queries:
//!
//! ```text
//! -- Try: Each event is a change of a row:
//! -- SELECT * FROM orders;
//! ```

use rowkind::Session;
use rowkind::catalog::Entry;
use rowkind::render::Problem;
use rowkind::session::{Collected, Error, STRICT};
use rowkind::spelling::nearest;
use rowkind::sql::{Item, Splitter};

use super::command::Command;
use super::desk::{Desk, Spot};
use super::status::Stop;
use super::wrap::wrapped;

/// The command.
pub(super) const COMMANDS: [Command; 1] = [Command {
    name: "demo",
    aliases: &[],
    arguments: "[NAME]",
    about: "list small catalogs with data to play with, or make one and suggest queries",
    run: Desk::demo,
}];

/// A script that makes a catalog.
struct Demo {
    name: &'static str,
    script: &'static str,
}

/// The catalogs.
static DEMOS: [Demo; 3] = [
    Demo { name: "orders", script: include_str!("demo/orders.sql") },
    Demo { name: "users", script: include_str!("demo/users.sql") },
    Demo { name: "sensors", script: include_str!("demo/sensors.sql") },
];

/// The names of the catalogs.
pub(super) fn names() -> Vec<&'static str> {
    DEMOS.iter().map(|demo| demo.name).collect()
}

impl Demo {
    /// What it is, as a phrase.
    fn about(&self) -> &'static str {
        self.script.lines().next().unwrap_or("").trim_start_matches("-- ").trim_end_matches('.')
    }

    /// What it suggests to run, each with a word before it.
    fn suggestions(&self) -> Vec<(&'static str, String)> {
        let mut found: Vec<(&str, String)> = Vec::new();
        for line in self.script.lines() {
            let comment = line.strip_prefix("-- ");
            if let Some(title) = comment.and_then(|comment| comment.strip_prefix("Try: ")) {
                found.push((title, String::new()));
            } else if let (Some(comment), Some((_, query))) = (comment, found.last_mut()) {
                query.push_str(if query.is_empty() { "" } else { "\n" });
                query.push_str(comment);
            }
        }
        found
    }

    fn load(&self, session: &mut Session) -> Result<(), Error> {
        for piece in Splitter::new(self.script) {
            if let Item::Statement { text, .. } = piece?.item {
                session.execute(text, &mut Collected::default())?;
            }
        }
        Ok(())
    }
}

impl Desk {
    fn demo(&mut self, name: &str) -> Result<(), Stop> {
        if name.is_empty() {
            for demo in &DEMOS {
                self.write_comment(&format!("{}: {}", demo.name, demo.about()))?;
            }
            return Ok(());
        }
        let Some(demo) = DEMOS.iter().find(|demo| demo.name == name) else {
            let problem = Problem::new(format!("there is no demonstration \"{name}\""));
            return self.report(&match nearest(name, names()) {
                Some(near) => problem.with_hint(format!("Did you mean {near}?")),
                None => problem.with_hint(format!("There are {}.", names().join(", "))),
            });
        };
        // What is made in another session is known before anything is made here.
        let mut trial = Session::new();
        if let Err(error) = demo.load(&mut trial) {
            return self.fail(Spot::of_text(""), &error);
        }
        let taken = trial.catalog().entries().find_map(|(name, _)| {
            let entry = self.session.catalog().get(name)?;
            Some((name.to_owned(), noun(entry)))
        });
        if let Some((name, noun)) = taken {
            let problem = Problem::new(format!("{noun} \"{name}\" exists already, so nothing was made"));
            let hint = format!("DROP {} {name} first.", noun.to_uppercase());
            return self.report(&problem.with_hint(hint));
        }
        if let Err(error) = self.load_demo(demo) {
            return self.fail(Spot::of_text(""), &error);
        }
        for (name, entry) in trial.catalog().entries() {
            let comment = match entry {
                Entry::Table(table) => table.comment.as_deref(),
                Entry::View(view) => view.comment.as_deref(),
            };
            self.write_comment(&format!("{} {name}: {}", noun(entry), comment.unwrap_or_default()))?;
        }
        for (title, query) in demo.suggestions() {
            writeln!(self.output.out)?;
            self.write_comment(title)?;
            writeln!(self.output.out, "{query}")?;
        }
        Ok(())
    }

    /// Writes a comment of SQL that is no wider than the terminal.
    fn write_comment(&mut self, text: &str) -> Result<(), Stop> {
        const MARK: &str = "-- ";
        let width = self.output.look().width.unwrap_or(usize::MAX);
        for line in wrapped(text, width.saturating_sub(MARK.len())) {
            writeln!(self.output.out, "{MARK}{line}")?;
        }
        Ok(())
    }

    /// Makes a catalog. It plays the database, too, from which a strict session takes no DELETE.
    fn load_demo(&mut self, demo: &Demo) -> Result<(), Error> {
        let strict = self.session.settings().get(STRICT).map(str::to_owned);
        let Some(strict) = strict else { return demo.load(&mut self.session) };
        self.session.set(STRICT, "false")?;
        let loaded = demo.load(&mut self.session);
        self.session.set(STRICT, &strict)?;
        loaded
    }
}

/// What something in the catalog is.
fn noun(entry: &Entry) -> &'static str {
    match entry {
        Entry::Table(_) => "table",
        Entry::View(_) => "view",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_suggested_query_gives_something_in_a_strict_session_too() {
        for demo in &DEMOS {
            let mut session = Session::new();
            demo.load(&mut session).unwrap();
            session.set(STRICT, "true").unwrap();
            let suggestions = demo.suggestions();
            assert_eq!(suggestions.len(), 3, "{}", demo.name);
            for (title, query) in suggestions {
                let given = session.run_all(&query).unwrap_or_else(|error| panic!("{query}\n{error}"));
                assert!(title.ends_with(':') && given.notices.is_empty(), "{title} {:?}", given.notices);
                assert!(given.changes.len() > 2, "{query}");
            }
        }
    }

    #[test]
    fn all_can_be_loaded_together_and_say_what_they_made() {
        let mut session = Session::new();
        for demo in &DEMOS {
            demo.load(&mut session).unwrap();
            assert!(!demo.about().is_empty() && !demo.about().starts_with('-'), "{}", demo.name);
        }
        for (name, entry) in session.catalog().entries() {
            let comment = match entry {
                Entry::Table(table) => &table.comment,
                Entry::View(view) => &view.comment,
            };
            assert!(comment.is_some(), "{name}");
        }
    }
}
