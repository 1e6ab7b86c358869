//! Stretches of a statement's text, for those who write it anew with a part of it changed.

use std::ops::Range;

use super::scan::{Chunk, Scanned, Scanner};

/// The chunks of a stretch that mean something, each with how many brackets are open before it.
fn chunks(text: &str, within: Range<usize>) -> impl Iterator<Item = (usize, Scanned)> {
    let mut scanner = Scanner::new(text);
    scanner.jump(within.start);
    let mut depth = 0_usize;
    scanner.take_while(move |scanned| scanned.range.start < within.end).filter_map(move |scanned| {
        let before = depth;
        match scanned.chunk {
            Chunk::Symbol(b'(' | b'[') => depth += 1,
            Chunk::Symbol(b')' | b']') => depth = depth.saturating_sub(1),
            _ => {}
        }
        (!scanned.is_blank()).then_some((before, scanned))
    })
}

/// The call whose name starts at a byte, up to the parenthesis that closes it.
pub fn call_at(text: &str, start: usize) -> Option<Range<usize>> {
    let mut chunks =
        chunks(text, start..text.len()).skip_while(|(_, scanned)| scanned.chunk != Chunk::Symbol(b'('));
    let (depth, _) = chunks.next()?;
    let (_, close) =
        chunks.find(|(before, scanned)| *before == depth + 1 && scanned.chunk == Chunk::Symbol(b')'))?;
    Some(start..close.range.end)
}

/// What stands between the parentheses of a call.
pub fn inside(text: &str, call: Range<usize>) -> Range<usize> {
    let open = chunks(text, call.clone()).find(|(_, scanned)| scanned.chunk == Chunk::Symbol(b'('));
    open.map_or(call.end..call.end, |(_, open)| open.range.end..call.end - 1)
}

/// The arguments of a call, without the blanks around them.
pub fn arguments(text: &str, call: Range<usize>) -> Vec<Range<usize>> {
    let inside = inside(text, call);
    let commas = chunks(text, inside.clone())
        .filter(|(depth, scanned)| *depth == 0 && scanned.chunk == Chunk::Symbol(b','));
    let mut starts = vec![inside.start];
    let mut ends = Vec::new();
    for (_, comma) in commas {
        ends.push(comma.range.start);
        starts.push(comma.range.end);
    }
    ends.push(inside.end);
    starts.into_iter().zip(ends).map(|(start, end)| trimmed(text, start..end)).collect()
}

/// The first place in a stretch at which these words, in upper case, follow each other outside of
/// brackets.
pub fn find_words(text: &str, within: Range<usize>, words: &[&str]) -> Option<Range<usize>> {
    let top: Vec<Scanned> =
        chunks(text, within).filter(|(depth, _)| *depth == 0).map(|(_, scanned)| scanned).collect();
    top.windows(words.len()).find_map(|found| {
        let is_it = found.iter().zip(words).all(|(scanned, word)| {
            scanned.chunk == Chunk::Word && text[scanned.range.clone()].eq_ignore_ascii_case(word)
        });
        is_it.then(|| found[0].range.start..found[words.len() - 1].range.end)
    })
}

/// A stretch without the blanks at its ends.
pub fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let part = &text[range.clone()];
    let start = range.start + (part.len() - part.trim_start().len());
    start..start + part.trim().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_ends_at_its_own_parenthesis_and_has_its_own_arguments() {
        let text = "SELECT f( a => (SELECT ')' FROM t) -- )\n, MAP['x', g(1, 2)] ) FROM u";
        let call = call_at(text, 7).unwrap();
        assert!(text[call.clone()].ends_with("g(1, 2)] )"));
        let arguments: Vec<&str> = arguments(text, call).into_iter().map(|range| &text[range]).collect();
        assert_eq!(arguments, ["a => (SELECT ')' FROM t) -- )", "MAP['x', g(1, 2)]"]);
        assert_eq!(call_at("f(a", 0), None);
    }

    #[test]
    fn words_are_found_outside_of_brackets_and_strings() {
        let text = "(ORDER BY a) 'ORDER BY b' Order  by c";
        let found = find_words(text, 0..text.len(), &["ORDER", "BY"]).unwrap();
        assert_eq!(&text[found], "Order  by");
        assert_eq!(find_words(text, 0..text.len(), &["GROUP"]), None);
    }
}
