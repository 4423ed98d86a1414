//! Keys and what they make of a text.

use super::buffer::Buffer;
use super::editor::{Editor, Wish};
use offshoot_command::screen::Key;

/// Types keys: `␛` is escape, `⏎` the end of a line, `␡` backspace, `^r` is written `®`.
fn typed(text: &str, keys: &str) -> (String, (usize, usize), Wish, String) {
    let mut editor = Editor::new(Buffer::new(text.as_bytes()));
    let mut wish = Wish::Nothing;
    for key in keys.chars() {
        wish = editor.press(match key {
            '␛' => Key::Escape,
            '⏎' => Key::Enter,
            '␡' => Key::Backspace,
            '®' => Key::Control('r'),
            key => Key::Character(key),
        });
    }
    let made = String::from_utf8(editor.buffer.bytes()).unwrap();
    (made, editor.cursor, wish, editor.message)
}

#[test]
fn keys_change_the_text() {
    let text = "one two three\n  four(five)\n\nlast line\n";
    for (keys, expected) in [
        ("ix␛", "xone two three\n  four(five)\n\nlast line\n"),
        ("Ax⏎y␛", "one two threex\ny\n  four(five)\n\nlast line\n"),
        ("axy␡␛", "oxne two three\n  four(five)\n\nlast line\n"),
        ("jIx␛", "one two three\n  xfour(five)\n\nlast line\n"),
        ("onew␛", "one two three\nnew\n  four(five)\n\nlast line\n"),
        ("Onew␛", "new\none two three\n  four(five)\n\nlast line\n"),
        ("ji␡␛", "one two three  four(five)\n\nlast line\n"),
        ("x", "ne two three\n  four(five)\n\nlast line\n"),
        ("3x", " two three\n  four(five)\n\nlast line\n"),
        ("dw", "two three\n  four(five)\n\nlast line\n"),
        ("2dw", "three\n  four(five)\n\nlast line\n"),
        ("wdw.", "one \n  four(five)\n\nlast line\n"),
        ("wD", "one \n  four(five)\n\nlast line\n"),
        ("$bdb", "one three\n  four(five)\n\nlast line\n"),
        ("de", " two three\n  four(five)\n\nlast line\n"),
        ("wcwx␛", "one x three\n  four(five)\n\nlast line\n"),
        ("ccx␛", "x\n  four(five)\n\nlast line\n"),
        ("Cx␛", "x\n  four(five)\n\nlast line\n"),
        ("sx␛", "xne two three\n  four(five)\n\nlast line\n"),
        ("dd", "  four(five)\n\nlast line\n"),
        ("2dd", "\nlast line\n"),
        ("dj", "\nlast line\n"),
        ("dG", ""),
        ("Gdgg", ""),
        ("ddp", "  four(five)\none two three\n\nlast line\n"),
        (
            "yyP",
            "one two three\none two three\n  four(five)\n\nlast line\n",
        ),
        (
            "yy2p",
            "one two three\none two three\none two three\n  four(five)\n\nlast line\n",
        ),
        ("yw$p", "one two threeone \n  four(five)\n\nlast line\n"),
        ("xp", "noe two three\n  four(five)\n\nlast line\n"),
        ("J", "one two three four(five)\n\nlast line\n"),
        ("rX", "Xne two three\n  four(five)\n\nlast line\n"),
        ("3~", "ONE two three\n  four(five)\n\nlast line\n"),
        ("RXY␛", "XYe two three\n  four(five)\n\nlast line\n"),
        ("fwx", "one to three\n  four(five)\n\nlast line\n"),
        ("dtw", "wo three\n  four(five)\n\nlast line\n"),
        ("ft;x", "one two hree\n  four(five)\n\nlast line\n"),
        ("jf(d%", "one two three\n  four\n\nlast line\n"),
        (">>j<<", "\tone two three\nfour(five)\n\nlast line\n"),
        ("ddu", text),
        ("xxuu", text),
        ("xu®", "ne two three\n  four(five)\n\nlast line\n"),
        ("ix␛u", text),
        ("ix␛j.", "xone two three\nx  four(five)\n\nlast line\n"),
        ("/line⏎x", "one two three\n  four(five)\n\nlast ine\n"),
        ("d/two⏎", "two three\n  four(five)\n\nlast line\n"),
        ("/e⏎nx", "one two thre\n  four(five)\n\nlast line\n"),
        ("G?four⏎x", "one two three\n  our(five)\n\nlast line\n"),
        (":s/o/0⏎", "0ne two three\n  four(five)\n\nlast line\n"),
        (":%s/o/0/g⏎", "0ne tw0 three\n  f0ur(five)\n\nlast line\n"),
        (
            ":1,2s/\\(t\\)./&\\1/g⏎",
            "one twto thtree\n  four(five)\n\nlast line\n",
        ),
        (":2⏎dd", "one two three\n\nlast line\n"),
        (":$⏎x", "one two three\n  four(five)\n\nast line\n"),
        (":2,3d⏎", "one two three\nlast line\n"),
        ("d}", "\nlast line\n"),
    ] {
        assert_eq!(typed(text, keys).0, expected, "{keys}");
    }
}

#[test]
fn keys_move() {
    let text = "one two.three\n  four\nlast\n";
    for (keys, expected) in [
        ("l", (0, 1)),
        ("9l", (0, 9)),
        ("$", (0, 12)),
        ("$0", (0, 0)),
        ("w", (0, 4)),
        ("ww", (0, 7)),
        ("W", (0, 4)),
        ("WW", (1, 2)),
        ("e", (0, 2)),
        ("2e", (0, 6)),
        ("WWb", (0, 8)),
        ("WWB", (0, 4)),
        ("j", (1, 0)),
        ("j^", (1, 2)),
        ("$j", (1, 5)),
        ("G", (2, 0)),
        ("2G", (1, 2)),
        ("Ggg", (0, 0)),
        ("⏎", (1, 2)),
        ("fe", (0, 2)),
        ("2fe", (0, 11)),
        ("te", (0, 1)),
        ("$Fo", (0, 6)),
    ] {
        assert_eq!(typed(text, keys).1, expected, "{keys}");
    }
}

#[test]
fn lines_behind_a_colon_are_wishes() {
    let write = |path: Option<&str>, quit, force| Wish::Write {
        path: path.map(str::to_owned),
        quit,
        force,
    };
    for (keys, expected) in [
        (":w⏎", write(None, false, false)),
        (":w other⏎", write(Some("other"), false, false)),
        (":wq⏎", write(None, true, false)),
        (":x⏎", Wish::Quit { force: true }),
        ("x:x⏎", write(None, true, false)),
        ("xZZ", write(None, true, false)),
        (":q⏎", Wish::Quit { force: false }),
        (":q!⏎", Wish::Quit { force: true }),
        ("ZQ", Wish::Quit { force: true }),
        (":r file⏎", Wish::Read("file".to_owned())),
        (":set nu⏎", Wish::Nothing),
    ] {
        assert_eq!(typed("text\n", keys).2, expected, "{keys}");
    }
    assert_eq!(
        typed("text\n", ":nonsense⏎").3,
        "Not an editor command: nonsense"
    );
}

#[test]
fn the_screen_shows_the_cursor() {
    let mut editor = Editor::new(Buffer::new(b"a\tb\nlonger than it\n\xff\n"));
    editor.execute("2");
    editor.press(Key::Character('$'));
    let drawn = String::from_utf8(editor.draw((10, 6), "file")).unwrap();
    let rows: Vec<&str> = drawn
        .split("\x1b[K")
        .map(|row| row.trim_start_matches("\r\n"))
        .collect();
    assert_eq!(
        rows,
        [
            "\x1b[?25l\x1b[Ha       b",
            "longer tha",
            "n it",
            "\\xff",
            "~",
            "\"file\"  2",
            "\x1b[3;4H\x1b[?25h"
        ]
    );
}
