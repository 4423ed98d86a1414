//! `html-to-markdown`: HTML as Markdown, by the library `htmd`.
//!
//! `<h1>Hi</h1><p>a <b>b</b></p>` becomes `# Hi`, an empty line and `a **b**`. Scripts, styles and the head are left
//! out, and input that is not UTF-8 is read with replacement characters. A file that gives nothing prints nothing.

use htmd::HtmlToMarkdown;
use htmd::options::{BulletListMarker, CodeBlockFence, HeadingStyle, HrStyle, Options};

use crate::call::{Call, bytes};
use crate::options::{self, Opt, Parsed, Syntax, Value};
use crate::output::Output;
use crate::{quote, system};

const SYNTAX: Syntax = Syntax {
    usage: "Usage: html-to-markdown [OPTION]... [FILE]...\nConvert HTML to Markdown; with no FILE, or when FILE is -, read standard input.\n\n  -b, --bullet=CHAR         what begins an item of a list: - (default) or *\n  -c, --code=FENCE          what stands around code: ``` (default) or ~~~\n  -r, --hr=STRING           a rule: '- - -' (default), '* * *' or '_ _ _', also written without blanks\n      --heading-style=STYLE atx (default) or setext\n",
    options: &[
        Opt("b", "bullet", Value::Required),
        Opt("c", "code", Value::Required),
        Opt("r", "hr", Value::Required),
        Opt("", "heading-style", Value::Required),
    ],
    permute: true,
    status: 2,
};

/// Runs `html-to-markdown`.
pub fn run(call: &Call) -> i32 {
    let parsed = match options::parse(call, &SYNTAX) {
        Ok(parsed) => parsed,
        Err(status) => return status,
    };
    let style = match style(call, &parsed) {
        Ok(style) => style,
        Err(status) => return status,
    };
    let converter = HtmlToMarkdown::builder()
        .options(style)
        .skip_tags(vec![
            "script", "style", "head", "title", "noscript", "template",
        ])
        .build();
    let mut files = parsed.operands;
    if files.is_empty() {
        files.push(b"-".to_vec());
    }
    let (mut out, mut status) = (Output::new(), 0);
    for file in &files {
        let text = match system::read_whole(file) {
            Ok(text) => text,
            Err(failure) => {
                out.flush();
                status = call.fail(1, bytes!(quote::message(file), ": ", failure));
                continue;
            }
        };
        match converter.convert(&String::from_utf8_lossy(&text)) {
            Ok(markdown) if markdown.trim().is_empty() => {}
            Ok(markdown) => out.line(markdown.trim()),
            Err(error) => {
                out.flush();
                let failure = system::Failure::from(error);
                status = call.fail(1, bytes!(quote::message(file), ": ", failure));
            }
        }
    }
    out.finish(&call.name, status, 1)
}

/// What the options say of the output. `Err` is the exit status, after a message.
fn style(call: &Call, parsed: &Parsed) -> Result<Options, i32> {
    let refuse = |name: &str, text: &[u8]| {
        let message = bytes!("invalid argument '", text, "' for '--", name, "'");
        Err(options::usage_error(call, &SYNTAX, message))
    };
    let mut style = Options {
        bullet_list_marker: BulletListMarker::Dash,
        ul_bullet_spacing: 1,
        ol_number_spacing: 1,
        hr_style: HrStyle::Dashes,
        ..Options::default()
    };
    for (key, text) in &parsed.options {
        match (*key, text.as_slice()) {
            ("b", b"-") => style.bullet_list_marker = BulletListMarker::Dash,
            ("b", b"*") => style.bullet_list_marker = BulletListMarker::Asterisk,
            ("b", other) => return refuse("bullet", other),
            ("c", b"```") => style.code_block_fence = CodeBlockFence::Backticks,
            ("c", b"~~~") => style.code_block_fence = CodeBlockFence::Tildes,
            ("c", other) => return refuse("code", other),
            ("r", b"---" | b"- - -") => style.hr_style = HrStyle::Dashes,
            ("r", b"***" | b"* * *") => style.hr_style = HrStyle::Asterisks,
            ("r", b"___" | b"_ _ _") => style.hr_style = HrStyle::Underscores,
            ("r", other) => return refuse("hr", other),
            (_, b"atx") => style.heading_style = HeadingStyle::Atx,
            (_, b"setext" | b"setex") => style.heading_style = HeadingStyle::Setex,
            (_, other) => return refuse("heading-style", other),
        }
    }
    Ok(style)
}
