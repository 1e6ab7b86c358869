//! What is watched, and how it is shown when something happens to it.

use std::io;

use rowkind::render::{Follower, Format, Painter, Role, printable};
use rowkind::session::{Collected, Watched};

use super::output::Output;

/// What is watched, by name.
#[derive(Debug, Default)]
pub(super) struct Watch {
    followers: Vec<(String, Follower)>,
}

impl Watch {
    /// Starts to follow something, and shows what is there.
    pub(super) fn start(
        &mut self,
        output: &mut Output,
        format: Format,
        name: &str,
        there: &Collected,
    ) -> io::Result<()> {
        let Some(header) = &there.header else { return Ok(()) };
        let mut follower = Follower::new(header.clone());
        head(output, format, name)?;
        let look = output.look();
        follower.show(&mut output.out, format, look, &there.changes)?;
        self.followers.push((name.to_owned(), follower));
        Ok(())
    }

    /// Shows what is new.
    pub(super) fn show(&mut self, output: &mut Output, format: Format, news: &[Watched]) -> io::Result<()> {
        for Watched { name, header, changes } in news {
            let place = self.followers.iter().position(|(known, _)| known == name);
            let place = place.unwrap_or_else(|| {
                self.followers.push((name.clone(), Follower::new(header.clone())));
                self.followers.len() - 1
            });
            head(output, format, name)?;
            let look = output.look();
            self.followers[place].1.show(&mut output.out, format, look, changes)?;
        }
        Ok(())
    }

    /// Forgets what is no longer watched.
    pub(super) fn keep(&mut self, watched: &[&str]) {
        self.followers.retain(|(name, _)| watched.contains(&name.as_str()));
    }
}

/// Writes the name of what is watched, where results have room for it.
fn head(output: &mut Output, format: Format, name: &str) -> io::Result<()> {
    match format {
        Format::Changelog | Format::Table | Format::Vertical => {
            let title = Painter::new(output.look().colour).painted(Role::Heading, &printable(name));
            writeln!(output.out, "{title}")
        }
        Format::Transcript => writeln!(output.out, "-- watch: {name}"),
        Format::Csv | Format::Jsonl => Ok(()),
    }
}
