//! Where files are found and put: patterns, compression, and files that are there as a whole.

use std::fs;
use std::io::{Read, Write};
use std::path::Path;

use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use rowkind::changelog::{Cause, Changes, RowKind};
use rowkind::connect::{ConnectError, Connector, Reader, Streams};
use rowkind::value::Value;

use super::common::{connect, schema};

fn csv(path: &Path, options: &str) -> Connector {
    let options = format!("connector=filesystem path={} format=csv {options}", path.display());
    connect(&options, &schema("id INT, name STRING")).expect("the options are right")
}

fn names(connector: &Connector) -> Result<Vec<String>, ConnectError> {
    let mut changes = Changes::new(1);
    let mut reader = connector.reader(&[1], &Streams::default())?;
    while reader.read(10, Cause::default(), &mut changes)? {}
    Ok(changes.iter().map(|change| change.row[0].as_str().unwrap_or("NULL").to_owned()).collect())
}

fn row(id: i64, name: &str) -> Changes {
    let mut changes = Changes::new(2);
    changes.push(RowKind::Insert, Cause::default(), &[Value::integer(id), Value::string(name)]);
    changes
}

#[test]
fn a_pattern_takes_the_files_that_fit_it_in_the_order_of_their_names() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [("b1.csv", "2,b\n"), ("a1.csv", "1,a\n"), ("a2.txt", "3,c\n"), (".a3.csv", "4,d\n")]
    {
        fs::write(folder.path().join(name), text).unwrap();
    }
    assert_eq!(names(&csv(&folder.path().join("*.csv"), "")).unwrap(), ["a", "b"]);
    assert_eq!(names(&csv(&folder.path().join("a?.*"), "")).unwrap(), ["a", "c"]);
    assert_eq!(names(&csv(&folder.path().join("[ab]1.csv"), "")).unwrap(), ["a", "b"]);
    assert_eq!(names(&csv(folder.path(), "source.path.regex-pattern=.*/a[0-9]\\..*")).unwrap(), ["a", "c"]);
    let error = names(&csv(&folder.path().join("*.json"), "")).unwrap_err();
    assert!(error.to_string().starts_with("there are no files in"), "{error}");
}

#[test]
fn compressed_files_are_read_by_the_end_of_their_names() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.csv.gz");
    let mut file = fs::File::create(&path).unwrap();
    for text in ["1,a\n", "2,b\n"] {
        let mut member = GzEncoder::new(Vec::new(), flate2::Compression::default());
        member.write_all(text.as_bytes()).unwrap();
        file.write_all(&member.finish().unwrap()).unwrap();
    }
    assert_eq!(names(&csv(&path, "")).unwrap(), ["a", "b"]);

    // `printf '1,a\n2,b\n' | zstd`
    let zstd = [
        0x28, 0xb5, 0x2f, 0xfd, 0x04, 0x58, 0x41, 0x00, 0x00, b'1', b',', b'a', b'\n', b'2', b',', b'b',
        b'\n', 0xc4, 0x14, 0x9a, 0x93,
    ];
    let path = folder.path().join("t.csv.zst");
    fs::write(&path, zstd).unwrap();
    assert_eq!(names(&csv(&path, "")).unwrap(), ["a", "b"]);

    let bytes = fs::read(folder.path().join("t.csv.gz")).unwrap();
    let path = folder.path().join("cut.csv.gz");
    fs::write(&path, &bytes[..bytes.len() - 6]).unwrap();
    let error = names(&csv(&path, "")).unwrap_err().to_string();
    assert!(error.contains("cut.csv.gz"), "{error}");
}

#[test]
fn a_compressed_file_can_be_written_behind() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.csv.gz");
    let connector = csv(&path, "");
    for (id, name) in [(1, "a"), (2, "b")] {
        let mut writer = connector.writer(&Streams::default()).unwrap();
        writer.write(&row(id, name)).unwrap();
        writer.flush().unwrap();
    }
    let mut text = String::new();
    MultiGzDecoder::new(fs::File::open(&path).unwrap()).read_to_string(&mut text).unwrap();
    assert_eq!(text, "1,a\n2,b\n");
    assert_eq!(names(&connector).unwrap(), ["a", "b"]);
}

#[test]
fn a_new_file_is_there_as_a_whole_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.csv");
    let connector = csv(&path, "");
    let mut writer = connector.writer(&Streams::default()).unwrap();
    for _ in 0..20_000 {
        writer.write(&row(1, "a name that fills the buffer")).unwrap();
    }
    assert!(!path.exists());
    writer.flush().unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap().lines().count(), 20_000);
    writer.write(&row(2, "b")).unwrap();
    writer.flush().unwrap();
    drop(writer);
    assert!(fs::read_to_string(&path).unwrap().ends_with("2,b\n"));
    let left: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["t.csv"]);
}

/// Reads what there is now.
fn names_now(reader: &mut dyn Reader) -> Vec<String> {
    let mut changes = Changes::new(1);
    let mut before = usize::MAX;
    while changes.len() != before {
        before = changes.len();
        assert!(reader.read(2, Cause::default(), &mut changes).expect("the file can be read"));
    }
    changes.iter().map(|change| change.row[0].as_str().unwrap_or("NULL").to_owned()).collect()
}

fn append(path: &Path, text: &str) {
    let file = fs::OpenOptions::new().append(true).create(true).open(path);
    file.expect("the file can be made").write_all(text.as_bytes()).expect("the file can be written");
}

#[test]
fn a_followed_file_is_read_as_it_grows_and_after_it_was_cut_or_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log.csv");
    append(&path, "1,a\n2,b\n3,");
    let connector = csv(&path, "source.monitor-interval=1ms");
    assert!(!connector.is_bounded());
    let mut reader = connector.reader(&[1], &Streams::default()).unwrap();
    assert_eq!(reader.pause(), Some(std::time::Duration::from_millis(1)));
    assert_eq!(names_now(&mut *reader), ["a", "b"]);
    assert_eq!(names_now(&mut *reader), Vec::<String>::new());
    append(&path, "c\n4,d");
    assert_eq!(names_now(&mut *reader), ["c"]);

    // Somebody rotates it: what was not a whole line is all there will be of it.
    fs::rename(&path, folder.path().join("log.1")).unwrap();
    assert_eq!(names_now(&mut *reader), Vec::<String>::new());
    append(&path, "5,e\n");
    assert_eq!(names_now(&mut *reader), ["d", "e"]);

    // Somebody empties it and goes on.
    fs::write(&path, "").unwrap();
    assert_eq!(names_now(&mut *reader), Vec::<String>::new());
    append(&path, "6,f\n");
    assert_eq!(names_now(&mut *reader), ["f"]);
}

#[test]
fn new_files_of_a_followed_directory_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let connector = csv(folder.path(), "source.monitor-interval=1ms");
    let mut reader = connector.reader(&[1], &Streams::default()).unwrap();
    assert_eq!(names_now(&mut *reader), Vec::<String>::new());
    append(&folder.path().join("b.csv"), "1,a\n");
    std::thread::sleep(std::time::Duration::from_millis(5));
    assert_eq!(names_now(&mut *reader), ["a"]);
    append(&folder.path().join("a.csv"), "2,b\n");
    append(&folder.path().join("b.csv"), "3,c\n");
    std::thread::sleep(std::time::Duration::from_millis(5));
    let mut names = names_now(&mut *reader);
    names.sort();
    assert_eq!(names, ["b", "c"]);
}
