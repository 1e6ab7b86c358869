//! Whatever a file holds, what is imported of it runs.

use std::fs;
use std::path::PathBuf;
use std::sync::LazyLock;

use rowkind::Session;
use rowkind::import::Import;
use rowkind::session::Collected;

/// The endings say what is looked for first.
const NAMES: [&str; 8] = [
    "lines.csv",
    "lines.tsv",
    "documents.json",
    "2024 lines.jsonl",
    "topic.txt",
    "plain",
    "lines.csv.gz",
    "a-b.zst",
];

static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = std::env::temp_dir().join(format!("rowkind-fuzz-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("there is room");
    folder
});

/// Imports a file. The first byte chooses its name, the rest is what it holds.
pub fn import(data: &[u8]) {
    let [choice, content @ ..] = data else { return };
    let path = FOLDER.join(NAMES[usize::from(*choice) % NAMES.len()]);
    fs::write(&path, content).expect("there is room");
    let Ok(import) = Import::of(path.to_str().expect("it is text"), None) else { return };
    let mut session = Session::new();
    let run = |session: &mut Session, text: &str| {
        if let Err(error) = session.execute(text, &mut Collected::default()) {
            panic!("{error}\n{text}");
        }
    };
    run(&mut session, &import.statement);
    if let Some(query) = &import.suggestion {
        run(&mut session, &format!("EXPLAIN {query}"));
        // A value may not fit what the sample looked like, or what its code means.
        let _ = session.execute(query, &mut Collected::default());
    }
    let _ = session.execute(&format!("SELECT * FROM `{}`", import.table), &mut Collected::default());
}
