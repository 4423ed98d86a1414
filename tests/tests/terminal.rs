//! Typing to an interactive shell.

use offshoot::{Exec, Sandbox, Terminal, TerminalEvent};

/// What is typed.
enum Key {
    Line(&'static str),
    EndOfInput,
    Interrupt,
}
use Key::{EndOfInput, Interrupt, Line};

#[tokio::test(flavor = "multi_thread")]
async fn lines_are_answered() {
    let sandbox = Sandbox::builder().env("PS1", "$ ").build().unwrap();
    let mut terminal = sandbox.terminal(Exec::default()).unwrap();
    assert_eq!(turn(&mut terminal).await.as_deref(), Some("$ "));
    let steps = [
        (Line("x=5; echo $((x * 2))"), "10\n$ "),
        (Line("for i in 1 2"), "> "),
        (Line("do echo $i; done"), "1\n2\n$ "),
        (Line("cat"), ""),
        (Line("typed"), "typed\n"),
        (EndOfInput, "$ "),
        (Line("read -p 'Name: ' name"), "Name: "),
        (Line("Ada"), "$ "),
        (Line("echo $name $-"), "Ada himBHs\n$ "),
        (
            Line("echo ${gone?not here}; echo not reached"),
            "bash: gone: not here\n$ ",
        ),
        (
            Line("if )"),
            "bash: syntax error near unexpected token `)'\n$ ",
        ),
        (Line("echo $?"), "2\n$ "),
        (Line("echo started; sleep 1000"), "started\n"),
        (Interrupt, "$ "),
        (Line("echo started; while :; do :; done"), "started\n"),
        (Interrupt, "$ "),
        (
            Line("echo $?; [ -t 0 ] && [ -t 1 ] && echo terminal"),
            "130\nterminal\n$ ",
        ),
    ];
    for (key, expected) in steps {
        match &key {
            Line(line) => terminal
                .write(format!("{line}\n").as_bytes())
                .await
                .unwrap(),
            EndOfInput => terminal.end_input(),
            Interrupt => terminal.interrupt(),
        }
        let written = if expected == "started\n" {
            // It does not read, so there is no turn to wait for.
            let TerminalEvent::Output(bytes) = terminal.next().await else {
                panic!("no output");
            };
            String::from_utf8(bytes.to_vec()).unwrap()
        } else {
            turn(&mut terminal).await.unwrap()
        };
        assert_eq!(written, expected);
    }
    terminal.write(b"exit 7\n").await.unwrap();
    assert_eq!(turn(&mut terminal).await, None);
    assert_eq!(terminal.wait().await.unwrap(), 7);
}

async fn turn(terminal: &mut Terminal) -> Option<String> {
    let written = terminal.turn().await?;
    Some(String::from_utf8(written).unwrap())
}
