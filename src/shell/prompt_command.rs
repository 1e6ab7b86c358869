//! The commands about the prompt, what was typed there, and how the shell is set.

use rowkind::render::Problem;

use super::command::Command;
use super::desk::Desk;
use super::editor::PROMPT;
use super::generate::VERSION;
use super::result_command::unquoted;
use super::status::Stop;
use super::theme::Theme;

/// The commands, in the order in which the help shows them.
pub(super) const COMMANDS: [Command; 8] = [
    Command {
        name: "edit",
        aliases: &["\\e"],
        arguments: "[SQL]",
        about: "edit the last statement in $VISUAL or $EDITOR; Ctrl-X Ctrl-E edits what is typed",
        run: Desk::edit,
    },
    Command {
        name: "history",
        aliases: &["\\s"],
        arguments: "[N]",
        about: "show what was typed, or the last N of it",
        run: |desk, count| desk.paged(|desk| desk.show_history(count)),
    },
    Command {
        name: "prompt",
        aliases: &[],
        arguments: "[TEXT]",
        about: "show or set the prompt; in quotes it can end with a blank",
        run: Desk::prompt,
    },
    Command {
        name: "theme",
        aliases: &[],
        arguments: "[dark | light | none | auto]",
        about: "show or set the colours of what is typed",
        run: Desk::theme,
    },
    Command {
        name: "expanded",
        aliases: &["\\x"],
        arguments: "[on | off | auto]",
        about: "show one column a line: always, or only what is too wide for the terminal",
        run: Desk::expanded,
    },
    Command {
        name: "show",
        aliases: &[],
        arguments: "",
        about: "show how the shell is set",
        run: |desk, _| desk.show_manner(),
    },
    Command {
        name: "error",
        aliases: &["\\errverbose"],
        arguments: "",
        about: "show the last error again",
        run: |desk, _| match &desk.last_problem {
            Some(problem) => Ok(write!(desk.output.out, "{problem}")?),
            None => Ok(writeln!(desk.output.out, "There was no error.")?),
        },
    },
    Command {
        name: "version",
        aliases: &[],
        arguments: "",
        about: "show the version",
        run: |desk, _| Ok(writeln!(desk.output.out, "rowkind {VERSION}")?),
    },
];

/// The rows in which the history is shown to somebody who asks for it without a number.
const SHOWN: usize = 1_000;

impl Desk {
    fn show_history(&mut self, count: &str) -> Result<(), Stop> {
        let count = match count {
            "" => SHOWN,
            count => match count.parse() {
                Ok(count) => count,
                Err(_) => {
                    return self.report(&Problem::new(format!("\"{count}\" is no number of statements")));
                }
            },
        };
        let start = self.history.len().saturating_sub(count);
        let width = self.history.len().to_string().len();
        for (index, entry) in self.history.iter().enumerate().skip(start) {
            let indent = " ".repeat(width + 2);
            let entry = entry.replace('\n', &format!("\n{indent}"));
            writeln!(self.output.out, "{:>width$}  {entry}", index + 1)?;
        }
        Ok(())
    }

    fn prompt(&mut self, text: &str) -> Result<(), Stop> {
        match unquoted(text) {
            "" if text.is_empty() => {
                writeln!(self.output.out, "'{}'", self.dress.prompt.replace('\'', "''"))?;
            }
            "" => PROMPT.clone_into(&mut self.dress.prompt),
            text if text.contains(char::is_control) => {
                return self.report(&Problem::new("a prompt is one line of text"));
            }
            quoted if quoted.len() < text.len() => self.dress.prompt = quoted.replace("''", "'"),
            bare => self.dress.prompt = format!("{bare} "),
        }
        Ok(())
    }

    fn theme(&mut self, name: &str) -> Result<(), Stop> {
        if name.is_empty() {
            return Ok(writeln!(self.output.out, "{}", self.dress.theme)?);
        }
        if let Ok(theme) = name.parse::<Theme>() {
            self.dress.theme = theme;
            return Ok(());
        }
        if name == Theme::AUTO {
            self.dress.theme = Theme::of_terminal(self.output.look().colour);
            return Ok(());
        }
        let names = Theme::ALL.map(|(name, _)| name).join(", ");
        let problem = Problem::new(format!("there is no theme \"{name}\""));
        self.report(
            &problem
                .with_hint(format!("The themes are {names}; {} takes what the terminal tells.", Theme::AUTO)),
        )
    }

    pub(super) fn show_manner(&mut self) -> Result<(), Stop> {
        let on = |on: bool| if on { "on" } else { "off" }.to_owned();
        let taste = self.output.taste.clone();
        let limit = |limit: Option<usize>| limit.unwrap_or(0).to_string();
        let null =
            taste.null.as_deref().map_or_else(|| "that of the format".to_owned(), |text| format!("'{text}'"));
        let settings = [
            ("bail", on(!self.manner.keep_going)),
            ("echo", on(self.manner.echo)),
            ("expanded", taste.expansion.name().to_owned()),
            ("format", self.format_in_full()),
            ("headers", on(taste.headers)),
            ("maxrows", limit(taste.max_rows)),
            ("maxwidth", limit(taste.max_width)),
            ("nullvalue", null),
            ("pager", self.manner.paging.name().to_owned()),
            ("prompt", format!("'{}'", self.dress.prompt)),
            ("strict", on(self.session.settings().strict)),
            ("theme", self.dress.theme.to_string()),
            ("timer", on(self.manner.timing)),
            ("view", taste.side.to_string()),
        ];
        for (name, value) in settings {
            writeln!(self.output.out, "{name:>9}: {value}")?;
        }
        Ok(())
    }
}
