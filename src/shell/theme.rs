//! The colours of what is typed.

use std::env;
use std::fmt;
use std::str::FromStr;

use rowkind::assist::Mark;

/// Which colours what is typed has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Theme {
    /// For a dark background.
    Dark,
    /// For a light background.
    Light,
    /// None.
    Plain,
}

/// What else has a colour at the prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// The prompt.
    Prompt,
    /// The continuation prompt.
    Margin,
    /// What the history suggests.
    Hint,
    /// A bracket at the cursor and its partner.
    Bracket,
    /// The name of a command.
    Command,
    /// Something that is marked.
    Marked(Mark),
}

impl Theme {
    /// All themes, with their names.
    pub(super) const ALL: [(&'static str, Self); 3] =
        [("dark", Self::Dark), ("light", Self::Light), ("none", Self::Plain)];

    /// What chooses the theme for the terminal, as if none had been chosen.
    pub(super) const AUTO: &'static str = "auto";

    /// The theme for a terminal: `COLORFGBG` has the number of the background's colour at its end. Most
    /// terminals that do not tell are dark.
    pub(super) fn of_terminal(colour: bool) -> Self {
        if colour { Self::of(env::var("COLORFGBG").ok().as_deref()) } else { Self::Plain }
    }

    fn of(colours: Option<&str>) -> Self {
        match colours.and_then(|colours| colours.rsplit(';').next()?.parse::<u8>().ok()) {
            Some(7 | 9..=15) => Self::Light,
            Some(_) | None => Self::Dark,
        }
    }

    /// The parameters of the escape sequence, of which none is no colour.
    fn codes(self, part: Part) -> &'static str {
        let (dark, light) = match part {
            Part::Prompt | Part::Marked(Mark::Relation) => ("1", "1"),
            Part::Margin | Part::Hint | Part::Marked(Mark::Comment) => ("90", "90"),
            Part::Bracket => ("1;4", "1;4"),
            Part::Command | Part::Marked(Mark::Keyword) => ("94", "34"),
            Part::Marked(Mark::Function) => ("96", "36"),
            Part::Marked(Mark::Text) => ("92", "32"),
            Part::Marked(Mark::Number) => ("95", "35"),
            Part::Marked(Mark::UnknownRelation | Mark::Error) => ("4;91", "4;31"),
        };
        match self {
            Self::Dark => dark,
            Self::Light => light,
            Self::Plain => "",
        }
    }

    /// Appends a text in its colour.
    pub(super) fn paint(self, out: &mut String, part: Part, text: &str) {
        let codes = self.codes(part);
        if codes.is_empty() {
            out.push_str(text);
        } else {
            out.push_str("\x1b[");
            out.push_str(codes);
            out.push('m');
            out.push_str(text);
            out.push_str("\x1b[0m");
        }
    }
}

impl fmt::Display for Theme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, _) = Self::ALL.iter().find(|(_, theme)| theme == self).expect("each theme has a name");
        f.write_str(name)
    }
}

impl FromStr for Theme {
    type Err = ();

    fn from_str(name: &str) -> Result<Self, ()> {
        Self::ALL.iter().find(|(known, _)| *known == name).map(|(_, theme)| *theme).ok_or(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_tells_whether_it_is_light() {
        assert_eq!(Theme::of(Some("0;15")), Theme::Light);
        assert_eq!(Theme::of(Some("0;default;7")), Theme::Light);
        assert_eq!(Theme::of(Some("15;0")), Theme::Dark);
        assert_eq!(Theme::of(Some("12;8")), Theme::Dark);
        assert_eq!(Theme::of(None), Theme::Dark);
    }

    #[test]
    fn without_a_theme_a_text_stays_as_it_is() {
        let mut out = String::new();
        Theme::Plain.paint(&mut out, Part::Marked(Mark::Error), "x");
        assert_eq!(out, "x");
        assert_eq!("light".parse::<Theme>().map(|theme| theme.to_string()), Ok("light".to_owned()));
    }
}
