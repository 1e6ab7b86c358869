//! The functions as their own descriptions show them.

use rowkind::Session;
use rowkind::expr::function;
use rowkind::session::Collected;

/// The only row of a query.
fn row(query: &str) -> String {
    let mut collected = Collected::default();
    match Session::new().execute(query, &mut collected) {
        Ok(_) => collected.lines().collect::<Vec<_>>().join("\n"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn examples_give_the_results_they_show() {
    let mut differences = Vec::new();
    for function in function::all() {
        let Some((example, expected)) = function.example else { continue };
        let found = row(&format!("SELECT {example} AS r"));
        if found != format!("+I[{expected}]") {
            differences.push(format!("{example}\n  expected {expected}\n  found    {found}"));
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[test]
fn functions_have_different_names_and_one_sentence_each() {
    let mut names: Vec<&str> = function::all().map(|function| function.name).collect();
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count, "two functions have one name");
    for function in function::all() {
        let summary = function.summary;
        assert!(summary.ends_with('.') && !summary.contains(". "), "{}: {summary}", function.name);
        assert!(summary.starts_with(|c: char| c.is_uppercase() || c == '`'), "{}: {summary}", function.name);
        assert!(!function.syntax.is_empty(), "{} has no syntax", function.name);
    }
}
