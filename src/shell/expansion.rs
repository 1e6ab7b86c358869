//! One column a line: which results are shown so, and what psql calls the settings of results.

use rowkind::render::{Format, Problem};
use rowkind::spelling::nearest;

use super::desk::Desk;
use super::status::Stop;

/// Which results for eyes have one column a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Expansion {
    /// None, but for a single row that is too wide.
    Off,
    /// All.
    On,
    /// Those that are wider than the terminal.
    Auto,
}

impl Expansion {
    const ALL: [Self; 3] = [Self::Off, Self::On, Self::Auto];

    /// The name, as `.expanded` takes it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::On => "on",
            Self::Auto => "auto",
        }
    }
}

/// Does something with a value.
type Act = fn(&mut Desk, &str) -> Result<(), Stop>;

/// What `\pset` sets here, by the names that psql has for it.
pub(super) const PRINTING: [(&str, Act); 5] = [
    ("null", |desk, text| {
        desk.set_null(text);
        Ok(())
    }),
    ("format", |desk, name| match name {
        // What psql shows if nothing is asked for.
        "aligned" | "wrapped" => desk.format("changelog"),
        name => desk.format(name),
    }),
    ("expanded", Desk::expanded),
    ("tuples_only", |desk, argument| {
        let only = desk.switch("pset tuples_only", argument, !desk.output.taste.headers)?;
        desk.output.taste.headers = !only;
        Ok(())
    }),
    ("pager", Desk::pager),
];

impl Desk {
    /// The format in which a result that asks for no other is shown.
    pub(super) fn shown_format(&self) -> Format {
        let expands = self.output.taste.expansion == Expansion::On && self.manner.format.is_for_eyes();
        if expands { Format::Vertical } else { self.manner.format }
    }

    /// Sets which results have one column a line; without an argument all or none, by turns.
    pub(super) fn expanded(&mut self, argument: &str) -> Result<(), Stop> {
        let expansion = match argument {
            "" if self.output.taste.expansion == Expansion::On => Expansion::Off,
            "" => Expansion::On,
            name => match Expansion::ALL.into_iter().find(|expansion| expansion.name() == name) {
                Some(expansion) => expansion,
                None => {
                    return self
                        .report(&Problem::new(format!(".expanded is on, off or auto, not \"{name}\"")));
                }
            },
        };
        if expansion != Expansion::On && self.manner.format == Format::Vertical {
            self.manner.format = Format::Changelog;
        }
        self.output.taste.expansion = expansion;
        Ok(())
    }

    /// Does what psql's `\pset NAME VALUE` does, for what there is here.
    pub(super) fn print_setting(&mut self, argument: &str) -> Result<(), Stop> {
        if argument.is_empty() {
            return self.show_manner();
        }
        let (name, value) = argument.split_once(char::is_whitespace).unwrap_or((argument, ""));
        if let Some((_, act)) = PRINTING.iter().find(|(known, _)| *known == name) {
            return act(self, value.trim());
        }
        let problem = Problem::new(format!("there is no setting \"{name}\" of results"));
        let names = PRINTING.map(|(name, _)| name);
        self.report(&match nearest(name, names) {
            Some(near) => problem.with_hint(format!("Did you mean {near}?")),
            None => problem.with_hint(format!("The settings are {}.", names.join(", "))),
        })
    }
}
