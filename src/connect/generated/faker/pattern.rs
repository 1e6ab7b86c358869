//! Texts that fit a pattern: a regular expression, or letters that stand for digits and letters.

use regex_syntax::ast::parse::Parser;
use regex_syntax::ast::{Ast, RepetitionKind, RepetitionRange};
use regex_syntax::hir::translate::Translator;
use regex_syntax::hir::{Class, ClassUnicode, ClassUnicodeRange, HirKind};

use super::super::random::Random;

/// The most repetitions where an expression sets no limit.
const MANY: u32 = 10;

/// The longest text of an expression, in characters.
const LONGEST: u64 = 10_000;

/// A regular expression, of which texts are made.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Pattern {
    Nothing,
    Character(char),
    /// One of these characters.
    Class(Vec<(char, char)>),
    All(Vec<Pattern>),
    One(Vec<Pattern>),
    Repeated(Box<Pattern>, u32, u32),
}

impl Pattern {
    /// Of a regular expression; of none that cannot be read, has no text, or may have a very long one.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let ast = Parser::new().parse(text).ok()?;
        let pattern = Self::of(text, &ast)?;
        (pattern.longest() <= LONGEST).then_some(pattern)
    }

    fn of(text: &str, ast: &Ast) -> Option<Self> {
        Some(match ast {
            // Where a text begins and ends is clear.
            Ast::Empty(_) | Ast::Flags(_) | Ast::Assertion(_) => Self::Nothing,
            Ast::Literal(literal) => Self::Character(literal.c),
            Ast::Dot(_) => Self::Class(vec![PRINTABLE]),
            Ast::ClassUnicode(_) | Ast::ClassPerl(_) | Ast::ClassBracketed(_) => {
                Self::Class(class_of(text, ast)?)
            }
            Ast::Group(group) => Self::of(text, &group.ast)?,
            Ast::Concat(concat) => {
                Self::All(concat.asts.iter().map(|ast| Self::of(text, ast)).collect::<Option<_>>()?)
            }
            Ast::Alternation(alternation) => {
                Self::One(alternation.asts.iter().map(|ast| Self::of(text, ast)).collect::<Option<_>>()?)
            }
            Ast::Repetition(repetition) => {
                let (min, max) = match &repetition.op.kind {
                    RepetitionKind::ZeroOrOne => (0, 1),
                    RepetitionKind::ZeroOrMore => (0, MANY),
                    RepetitionKind::OneOrMore => (1, MANY),
                    RepetitionKind::Range(RepetitionRange::Exactly(count)) => (*count, *count),
                    RepetitionKind::Range(RepetitionRange::AtLeast(min)) => (*min, min.saturating_add(MANY)),
                    RepetitionKind::Range(RepetitionRange::Bounded(min, max)) => (*min, *max),
                };
                Self::Repeated(Box::new(Self::of(text, &repetition.ast)?), min, max)
            }
        })
    }

    /// The most characters that a text can have.
    fn longest(&self) -> u64 {
        match self {
            Self::Nothing => 0,
            Self::Character(_) | Self::Class(_) => 1,
            Self::All(parts) => parts.iter().map(Self::longest).fold(0, u64::saturating_add),
            Self::One(parts) => parts.iter().map(Self::longest).max().unwrap_or_default(),
            // What is empty takes time all the same.
            Self::Repeated(part, _, max) => part.longest().max(1).saturating_mul(u64::from(*max)),
        }
    }

    /// Appends a text that fits.
    pub(super) fn write(&self, random: &mut Random, out: &mut String) {
        match self {
            Self::Nothing => {}
            Self::Character(character) => out.push(*character),
            Self::Class(ranges) => out.push(one_of(ranges, random)),
            Self::All(parts) => parts.iter().for_each(|part| part.write(random, out)),
            Self::One(parts) => parts[random.index(parts.len())].write(random, out),
            Self::Repeated(part, min, max) => {
                let count = random.within(i64::from(*min), i64::from(*max));
                (0..count).for_each(|_| part.write(random, out));
            }
        }
    }
}

/// The characters that a class means if it could mean any.
const PRINTABLE: (char, char) = (' ', '~');

/// The characters of a class. Where they are many, and for `\d`, `\w` and `\s`, they are those of ASCII that can be
/// seen.
fn class_of(text: &str, ast: &Ast) -> Option<Vec<(char, char)>> {
    const MANY: u64 = 256;
    let mut class = match Translator::new().translate(text, ast).ok()?.into_kind() {
        HirKind::Class(Class::Unicode(class)) => class,
        // A class of one character is a text.
        HirKind::Literal(literal) => {
            let text = std::str::from_utf8(&literal.0).ok()?;
            ClassUnicode::new(text.chars().map(|c| ClassUnicodeRange::new(c, c)))
        }
        _ => return None,
    };
    let ranges = |class: &ClassUnicode| -> Vec<(char, char)> {
        class.ranges().iter().map(|range| (range.start(), range.end())).collect()
    };
    let all = ranges(&class);
    if matches!(ast, Ast::ClassPerl(_)) || all.iter().copied().map(size).sum::<u64>() > MANY {
        class.intersect(&ClassUnicode::new([ClassUnicodeRange::new(PRINTABLE.0, PRINTABLE.1)]));
    }
    let seen = ranges(&class);
    let ranges = if seen.is_empty() { all } else { seen };
    (!ranges.is_empty()).then_some(ranges)
}

/// How many characters are in a range.
fn size((first, last): (char, char)) -> u64 {
    u64::from(u32::from(last) - u32::from(first)) + 1
}

fn one_of(ranges: &[(char, char)], random: &mut Random) -> char {
    let mut at = random.below(ranges.iter().copied().map(size).sum());
    for &range in ranges {
        if at < size(range) {
            // Between the first and the last there may be numbers that are no characters.
            let number = u32::from(range.0) + u32::try_from(at).unwrap_or_default();
            return char::from_u32(number).unwrap_or(range.1);
        }
        at -= size(range);
    }
    PRINTABLE.0
}

/// A text with a digit for each `#` and a letter for each `?`, of those from a first one on.
pub(super) fn filled(text: &str, digits: bool, letters: Option<char>, random: &mut Random) -> String {
    let fill = |c| match (c, letters) {
        ('#', _) if digits => one_of(&[('0', '9')], random),
        ('?', Some('A')) => one_of(&[('A', 'Z')], random),
        ('?', Some(_)) => one_of(&[('a', 'z')], random),
        (c, _) => c,
    };
    text.chars().map(fill).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_fit_the_expression_of_which_they_are_made() {
        let mut random = Random::of_column(7, "pattern");
        for text in [
            "(GET|POST|PUT){1}",
            "(bahn\\.de|app)",
            "/[a-f0-9]{2,4}\\d?",
            "[^a-z]\\w+",
            "x*.{3}",
            "(莫南|青丝){1}",
            "[äöü]",
            "^a$",
            "(|b)c",
            "\\p{Han}{2}",
        ] {
            let pattern = Pattern::parse(text).unwrap_or_else(|| panic!("{text}"));
            let regex = regex::Regex::new(&format!("^(?:{text})$")).unwrap();
            for _ in 0..100 {
                let mut made = String::new();
                pattern.write(&mut random, &mut made);
                assert!(regex.is_match(&made), "{made:?} of {text}");
            }
        }
        for wrong in ["(", "[z-a]", "a{9999}{9999}", "(?:){999999}", "[^\\x00-\\x{10FFFF}]"] {
            assert_eq!(Pattern::parse(wrong), None, "{wrong}");
        }
    }
}
