//! The SQL room as a whole: what parses, and that nothing makes it panic.

use proptest::prelude::*;
use rowkind::sql::{Item, Piece, Splitter, Terminator, is_complete, parse};

const ACCEPTED: &str = include_str!("sql/accepted.sql");

fn statements() -> Vec<&'static str> {
    let statement = |piece: Piece<'static>| match piece.item {
        Item::Statement { text, .. } => Some(text),
        Item::Directive(_) | Item::Command(_) => None,
    };
    Splitter::new(ACCEPTED).filter_map(|piece| statement(piece.expect("the script is whole"))).collect()
}

#[test]
fn every_accepted_form_parses() {
    let statements = statements();
    assert!(statements.len() > 90);
    for text in statements {
        if let Err(error) = parse(text) {
            panic!("{text}\n{error} at {:?}, {:?}", error.span.start, error.hint);
        }
    }
}

/// Pieces of statements, whole and broken.
fn fragment() -> impl Strategy<Value = String> {
    let tokens: Vec<String> = statements()
        .iter()
        .flat_map(|text| text.split_inclusive([' ', '(', ')', ',', '.', '[', ']']))
        .map(str::to_string)
        .collect();
    prop_oneof![
        8 => proptest::sample::select(tokens),
        1 => "[ -~]{0,6}",
        1 => "\\PC{0,3}",
        1 => proptest::sample::select(vec!["'", "`", "\"", "/*", "*/", "--", "\n", ";", "‘", "’", "\0", "\\G", "\n.x "])
            .prop_map(str::to_string),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, ..ProptestConfig::default() })]

    #[test]
    fn nothing_makes_it_panic(fragments in proptest::collection::vec(fragment(), 0..25)) {
        let text = fragments.concat();
        is_complete(&text);
        if let Err(error) = parse(&text) {
            let bytes = error.span.bytes(&text);
            prop_assert!(text.is_char_boundary(bytes.start) && text.is_char_boundary(bytes.end));
            prop_assert!(!error.message.is_empty());
        }
        let mut end = 0;
        for piece in Splitter::new(&text) {
            let Ok(Piece { item, offset, line }) = piece else { break };
            prop_assert!(offset >= end);
            prop_assert_eq!(line, text[..offset].matches('\n').count() + 1);
            end = offset;
            if let Item::Statement { text: statement, .. } = item {
                prop_assert!(text[offset..].starts_with(statement));
                let _ = parse(statement);
            }
        }
    }

    #[test]
    fn a_statement_is_complete_when_its_semicolon_ends_it(text in proptest::sample::select(statements())) {
        let with_semicolon = format!("{text};");
        prop_assert!(is_complete(&with_semicolon));
        let pieces: Vec<_> = Splitter::new(&with_semicolon).collect::<Result<_, _>>().expect("it is whole");
        prop_assert_eq!(pieces.len(), 1);
        prop_assert_eq!(pieces[0].item, Item::Statement { text, terminator: Terminator::Semicolon });
    }
}
