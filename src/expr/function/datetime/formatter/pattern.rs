//! Taking a pattern apart.

use super::{Adjacent, Element, Field, Number, Sign, Style};

/// The elements of a pattern, or what is wrong with it.
pub(super) fn read(pattern: &str) -> Result<Vec<Element>, String> {
    let mut levels = vec![Level::default()];
    let mut rest = pattern.chars().peekable();
    let mut padding = None;
    while let Some(c) = rest.next() {
        if c.is_ascii_alphabetic() {
            let mut count = 1;
            while rest.next_if_eq(&c).is_some() {
                count += 1;
            }
            if c == 'p' && padding.is_none() {
                padding = Some(count);
                if !rest.peek().is_some_and(char::is_ascii_alphabetic) {
                    return Err("the letter p must be followed by another letter".to_owned());
                }
                continue;
            }
            let element = letter(c, count)?;
            let level = current(&mut levels);
            match padding.take() {
                Some(width) => level.push(Element::Padded(width, Box::new(element))),
                None => level.push(element),
            }
            continue;
        }
        match c {
            '\'' => {
                let literal = quoted(&mut rest)?;
                current(&mut levels).push(Element::Literal(literal));
            }
            '[' => {
                current(&mut levels).last_number = None;
                levels.push(Level::default());
            }
            ']' => match levels.pop() {
                Some(level) if !levels.is_empty() => {
                    current(&mut levels).push(Element::Optional(level.elements));
                }
                _ => return Err("there is a ] without a [".to_owned()),
            },
            '{' | '}' | '#' => return Err(format!("the character {c} is reserved")),
            c => current(&mut levels).push(Element::Literal(c.to_string())),
        }
    }
    // Brackets that are open close at the end.
    while let Some(level) = levels.pop() {
        match levels.last_mut() {
            Some(outer) => outer.push(Element::Optional(level.elements)),
            None => return Ok(level.elements),
        }
    }
    Ok(Vec::new())
}

/// The elements between two brackets.
#[derive(Default)]
struct Level {
    elements: Vec<Element>,
    /// The number that reserves digits for the numbers right behind it.
    last_number: Option<usize>,
}

fn current(levels: &mut [Level]) -> &mut Level {
    levels.last_mut().expect("the outermost level is never closed")
}

impl Level {
    fn push(&mut self, mut element: Element) {
        let Some((width, fixed)) = width_of(&element) else {
            self.elements.push(element);
            self.last_number = None;
            return;
        };
        let place = self.elements.len();
        match self.last_number {
            Some(base) if fixed => {
                if let Some(Adjacent::Reserves(digits)) = adjacent_of(&mut self.elements[base]) {
                    *adjacent_of(&mut self.elements[base]).expect("it is a number") =
                        Adjacent::Reserves(*digits + width);
                }
                if let Some(adjacent) = adjacent_of(&mut element) {
                    *adjacent = Adjacent::Fixed;
                }
            }
            Some(base) => {
                if let Some(adjacent) = adjacent_of(&mut self.elements[base]) {
                    *adjacent = Adjacent::Fixed;
                }
                self.last_number = Some(place);
            }
            None => self.last_number = Some(place),
        }
        self.elements.push(element);
    }
}

/// The greatest width of an element that is a number, and whether it is its only one.
fn width_of(element: &Element) -> Option<(usize, bool)> {
    match element {
        Element::Number(Number { width: (least, most), sign, .. }) => {
            Some((*most, least == most && *sign == Sign::None))
        }
        Element::TwoDigits(..) => Some((2, true)),
        Element::Fraction(digits) => Some((*digits, true)),
        _ => None,
    }
}

fn adjacent_of(element: &mut Element) -> Option<&mut Adjacent> {
    match element {
        Element::Number(number) => Some(&mut number.adjacent),
        Element::TwoDigits(_, adjacent) => Some(adjacent),
        _ => None,
    }
}

/// The text up to the closing quote; two quotes are one.
fn quoted(rest: &mut std::iter::Peekable<std::str::Chars<'_>>) -> Result<String, String> {
    let mut literal = String::new();
    loop {
        match rest.next() {
            Some('\'') if rest.next_if_eq(&'\'').is_some() => literal.push('\''),
            Some('\'') if literal.is_empty() => return Ok("'".to_owned()),
            Some('\'') => return Ok(literal),
            Some(c) => literal.push(c),
            None => return Err("the pattern ends within a quote".to_owned()),
        }
    }
}

/// The element of a letter that is repeated so many times.
fn letter(c: char, count: usize) -> Result<Element, String> {
    use Field as F;
    let too_many = || Err(format!("there are too many letters {c}"));
    let up_to_two = |field: Field| if count <= 2 { Ok(number(field, count)) } else { too_many() };
    let names = |field: Field| match count {
        1..=3 => Ok(Element::Name(field, Style::Short)),
        4 => Ok(Element::Name(field, Style::Full)),
        5 => Ok(Element::Name(field, Style::Narrow)),
        _ => too_many(),
    };
    match c {
        'u' | 'y' | 'Y' => {
            let field = match c {
                'u' => F::Year,
                'y' => F::YearOfEra,
                _ => F::WeekYear,
            };
            Ok(match count {
                2 => Element::TwoDigits(field, Adjacent::Reserves(0)),
                1..=3 => wide(field, count, Sign::Normal),
                4..=19 => wide(field, count, Sign::ExceedsPad),
                _ => return too_many(),
            })
        }
        'G' => names(F::Era),
        'Q' | 'q' if count > 2 => names(F::Quarter),
        'Q' | 'q' => Ok(number(F::Quarter, count)),
        'M' | 'L' if count > 2 => names(F::Month),
        'M' | 'L' => Ok(number(F::Month, count)),
        'E' => names(F::DayOfWeek),
        'c' if count == 2 => Err("the letters cc mean nothing".to_owned()),
        'e' | 'c' if count > 2 => names(F::DayOfWeek),
        'e' | 'c' => Ok(number(F::DayOfWeek, count)),
        'a' if count == 1 => Ok(Element::Name(F::Half, Style::Short)),
        'B' if matches!(count, 1 | 4 | 5) => Ok(Element::DayPeriod),
        'd' => up_to_two(F::Day),
        'D' if count == 1 => Ok(number(F::DayOfYear, 1)),
        'D' if count <= 3 => {
            let width = (count, 3);
            let adjacent = Adjacent::Reserves(0);
            Ok(Element::Number(Number { field: F::DayOfYear, width, sign: Sign::None, adjacent }))
        }
        'w' => up_to_two(F::WeekOfYear),
        'W' if count == 1 => Ok(number(F::WeekOfMonth, 1)),
        'F' if count == 1 => Ok(number(F::AlignedDayOfWeek, 1)),
        'H' => up_to_two(F::Hour),
        'k' => up_to_two(F::ClockHour),
        'K' => up_to_two(F::HalfHour),
        'h' => up_to_two(F::ClockHalfHour),
        'm' => up_to_two(F::Minute),
        's' => up_to_two(F::Second),
        'S' if count <= 9 => Ok(Element::Fraction(count)),
        'A' if count <= 19 => Ok(wide(F::MilliOfDay, count, Sign::None)),
        'n' if count <= 19 => Ok(wide(F::NanoOfSecond, count, Sign::None)),
        'N' if count <= 19 => Ok(wide(F::NanoOfDay, count, Sign::None)),
        'V' if count == 2 => Ok(Element::Zone(c, count)),
        'z' if count <= 4 => Ok(Element::Zone(c, count)),
        'v' | 'O' if matches!(count, 1 | 4) => Ok(Element::Zone(c, count)),
        'X' | 'x' | 'Z' if count <= 5 => Ok(Element::Zone(c, count)),
        'a' | 'B' | 'D' | 'W' | 'F' | 'S' | 'A' | 'n' | 'N' | 'V' | 'z' | 'v' | 'O' | 'X' | 'x' | 'Z' => {
            too_many()
        }
        _ => Err(format!("the letter {c} means nothing")),
    }
}

/// A number of any width, or of exactly two digits.
fn number(field: Field, count: usize) -> Element {
    let (width, sign) = if count == 1 { ((1, 19), Sign::Normal) } else { ((count, count), Sign::None) };
    Element::Number(Number { field, width, sign, adjacent: Adjacent::Reserves(0) })
}

fn wide(field: Field, least: usize, sign: Sign) -> Element {
    Element::Number(Number { field, width: (least, 19), sign, adjacent: Adjacent::Reserves(0) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_reserves_the_digits_of_those_behind_it() {
        let elements = read("yyyyMMddHH").unwrap();
        let Element::Number(year) = &elements[0] else { panic!("a year is a number") };
        assert_eq!(year.adjacent, Adjacent::Reserves(6));
        let Element::Number(year) = &read("yyyy-MM").unwrap()[0] else { panic!("a year is a number") };
        assert_eq!(year.adjacent, Adjacent::Reserves(0));
    }

    #[test]
    fn quotes_and_brackets_are_taken_apart() {
        let literal = |text: &str| Element::Literal(text.to_owned());
        assert_eq!(read("'it''s' ''").unwrap(), [literal("it's"), literal(" "), literal("'")]);
        assert_eq!(
            read("[-[/]").unwrap(),
            [Element::Optional(vec![literal("-"), Element::Optional(vec![literal("/")])])]
        );
    }

    #[test]
    fn a_wrong_pattern_is_refused() {
        for wrong in ["b", "{", "'open", "]", "ddd", "cc", "aa", "p", "MMMMMM", "SSSSSSSSSS"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
