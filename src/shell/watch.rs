//! What is watched, and how it is shown when something happens to it.

use std::io;

use rowkind::Session;
use rowkind::changelog::RowKind;
use rowkind::render::{Follower, Format, Painter, Problem, Role, Side, printable};
use rowkind::session::{Collected, Watched};
use rowkind::spelling::nearest;

use super::desk::{Desk, Spot};
use super::output::Output;
use super::screen::{KEYLESS, Notices};
use super::status::Stop;

/// What is watched, by name.
#[derive(Debug, Default)]
pub(super) struct Watch {
    followers: Vec<Followed>,
}

#[derive(Debug)]
struct Followed {
    name: String,
    /// The query, table or view as it was given.
    text: String,
    follower: Follower,
}

impl Watch {
    /// Starts to follow something, and shows what is there.
    fn start(
        &mut self,
        output: &mut Output,
        format: Format,
        [name, text]: [&str; 2],
        there: &Collected,
    ) -> io::Result<()> {
        let Some(header) = &there.header else { return Ok(()) };
        let look = output.look();
        let updates = there.changes.count(RowKind::UpdateBefore);
        if look.side == Side::Upsert && header.key.is_none() && updates > 0 {
            output.notice(KEYLESS);
        }
        let mut follower = Follower::new(name, header.clone());
        head(output, format, name)?;
        follower.show(&mut output.out, format, &look, &there.changes, None)?;
        self.followers.push(Followed { name: name.to_owned(), text: text.to_owned(), follower });
        Ok(())
    }

    /// Shows what is new, and the rows that caused it.
    pub(super) fn show(
        &mut self,
        output: &mut Output,
        format: Format,
        news: &[Watched],
        session: &Session,
    ) -> io::Result<()> {
        for Watched { name, header, changes } in news {
            let place = self.followers.iter().position(|followed| followed.name == *name);
            let place = place.unwrap_or_else(|| {
                let follower = Follower::new(name, header.clone());
                self.followers.push(Followed { name: name.clone(), text: name.clone(), follower });
                self.followers.len() - 1
            });
            head(output, format, name)?;
            let look = output.look();
            let causes = |cause| session.logged_for(name, cause);
            let follower = &mut self.followers[place].follower;
            follower.show(&mut output.out, format, &look, changes, Some(&causes))?;
        }
        Ok(())
    }

    /// Forgets what is no longer watched.
    fn keep(&mut self, watched: &[&str]) {
        self.followers.retain(|followed| watched.contains(&followed.name.as_str()));
    }
}

impl Desk {
    /// Starts to watch `QUERY`, `VIEW` or `NAME = QUERY`; without any, lists what is watched.
    pub(super) fn watch(&mut self, text: &str) -> Result<(), Stop> {
        self.watch.keep(&self.session.watched().collect::<Vec<_>>());
        if text.is_empty() {
            for Followed { name, text, .. } in &self.watch.followers {
                let equals = if name == text { String::new() } else { format!(" = {text}") };
                writeln!(self.output.out, "{name}{equals}")?;
            }
            return Ok(());
        }
        let (name, query) = named(text);
        let query_line = query.split_whitespace().collect::<Vec<_>>().join(" ");
        let name = name.map_or_else(|| query_line.clone(), str::to_owned);
        if self.session.watched().any(|watched| watched == name) {
            self.output.notice(&format!("{name} is watched already"));
            return Ok(());
        }
        match self.session.watch_as(&name, query, &mut Notices(&mut self.output)) {
            Ok(there) => {
                let names = [name.as_str(), query_line.as_str()];
                let format = self.shown_format();
                Ok(self.watch.start(&mut self.output, format, names, &there)?)
            }
            Err(error) => {
                // The place is told in the text as it was given, which may be a name alone.
                let spot = Spot::of_text(query);
                self.fail(spot, &error)
            }
        }
    }

    /// Stops watching one thing, or all.
    pub(super) fn unwatch(&mut self, name: &str) -> Result<(), Stop> {
        let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
        let count = if name.is_empty() {
            self.session.unwatch()
        } else if self.session.unwatch_one(&name) {
            1
        } else {
            let problem = Problem::new(format!("\"{name}\" is not watched"));
            let near = nearest(&name, self.session.watched());
            let hint = near.map_or_else(
                || ".watch shows what is watched.".to_owned(),
                |near| format!("Did you mean {near}?"),
            );
            return self.report(&problem.with_hint(hint));
        };
        self.watch.keep(&self.session.watched().collect::<Vec<_>>());
        if self.manner.interactive {
            let watched = if count == 1 { "1 query is" } else { &format!("{count} queries are") };
            self.output.remark(&format!("{watched} no longer watched"));
        }
        Ok(())
    }
}

/// Splits `name = query`; a query by itself has no name.
fn named(text: &str) -> (Option<&str>, &str) {
    let is_name = |name: &str| {
        name.starts_with(|c: char| c.is_alphabetic() || c == '_')
            && name.chars().all(|c| c.is_alphanumeric() || c == '_')
    };
    match text.split_once('=') {
        Some((name, query)) if is_name(name.trim()) => (Some(name.trim()), query.trim()),
        _ => (None, text),
    }
}

/// Writes the name of what is watched, where results have room for it.
fn head(output: &mut Output, format: Format, name: &str) -> io::Result<()> {
    match format {
        Format::Changelog | Format::Table | Format::Duality | Format::Box | Format::Vertical => {
            let title = Painter::new(output.look().colour).painted(Role::Heading, &printable(name));
            writeln!(output.out, "{title}")
        }
        Format::Transcript => writeln!(output.out, "-- watch: {name}"),
        Format::Markdown => writeln!(output.out, "\n`{}`\n", printable(name)),
        Format::Insert => writeln!(output.out, "-- {}", printable(name)),
        Format::Csv | Format::Tsv | Format::Jsonl | Format::Json | Format::Html => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_watch_may_have_a_name() {
        assert_eq!(named("n = SELECT a = 1 FROM t"), (Some("n"), "SELECT a = 1 FROM t"));
        assert_eq!(named("SELECT a = 1 FROM t"), (None, "SELECT a = 1 FROM t"));
        assert_eq!(named("orders"), (None, "orders"));
    }
}
