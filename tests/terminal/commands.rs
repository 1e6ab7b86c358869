//! Commands that have to do with the terminal itself; see `commands.rs` beside the folder for the others.

use super::*;

#[test]
fn a_query_is_repeated_until_ctrl_c_and_nothing_is_said_about_it() {
    let folder = tempfile::tempdir().unwrap();
    let history = folder.path().join("history");
    let mut session = shell(&history);
    enter(&mut session, "SELECT 42 AS a \\watch 0.1");
    for _ in 0..3 {
        see(&mut session, " (every 0.1s)");
        see(&mut session, "│ +I ┆ 42 │");
    }
    press(&mut session, CTRL_C);
    let rest = session.exp_string("rowkind> ").unwrap();
    assert!(!rest.contains("cancelled") && !rest.contains("error"), "{rest}");
    sleep(Duration::from_millis(100));

    // It is still the last statement, and one entry of the history with its command.
    enter(&mut session, "\\gx");
    see(&mut session, "─[ 1 ]─ +I ─");
    see(&mut session, "a: 42");
    prompt(&mut session);
    enter(&mut session, "SELECT 1 AS b");
    enter(&mut session, "\\gdesc");
    see(&mut session, "│ b    ┆ INT  ┆ FALSE │");
    prompt(&mut session);
    press(&mut session, CTRL_D);
    session.exp_eof().unwrap();
    let kept = fs::read_to_string(&history).unwrap();
    assert_eq!(kept, "#V2\nSELECT 42 AS a \\\\watch 0.1\n\\\\gx\nSELECT 1 AS b\\n\\\\gdesc\n");
}

#[test]
fn a_command_of_the_system_has_the_terminal_and_takes_ctrl_c() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = command(&folder.path().join("history"));
    command.env("PATH", std::env::var_os("PATH").unwrap());
    let mut session = spawn_command(command, Some(PATIENCE)).unwrap();
    prompt(&mut session);
    enter(&mut session, ".shell test -t 0 && test -t 1 && echo has'' 'it'");
    see(&mut session, "has it");
    prompt(&mut session);
    enter(&mut session, "\\!echo star''ted; sleep 60; echo en''ded");
    see(&mut session, "started");
    press(&mut session, CTRL_C);
    let rest = session.exp_string("rowkind> ").unwrap();
    assert!(!rest.contains("ended") && !rest.contains("error"), "{rest}");
    sleep(Duration::from_millis(100));

    enter(&mut session, ".live SELECT 1 AS a");
    see(&mut session, "▸ +I ┆ 1");
    enter(&mut session, ".repeat");
    see(&mut session, "error:");
    press(&mut session, CTRL_C);
    prompt(&mut session);
    press(&mut session, CTRL_D);
    session.exp_eof().unwrap();
}
