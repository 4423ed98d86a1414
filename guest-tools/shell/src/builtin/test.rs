//! `test`, `[`

use super::{Context, Flow};
use crate::condition::{self, TestError};
use crate::machine::ShellFacts;
use crate::text::Text;

pub(super) fn run(cx: &mut Context<'_>, arguments: &[Text]) -> Flow {
    let mut facts = ShellFacts {
        machine: cx.machine,
        task: cx.task,
    };
    let answer = condition::test(arguments, &mut facts);
    conclude(cx, answer)
}

pub(super) fn bracket(cx: &mut Context<'_>, arguments: &[Text]) -> Flow {
    let mut facts = ShellFacts {
        machine: cx.machine,
        task: cx.task,
    };
    let answer = condition::bracket(arguments, &mut facts);
    conclude(cx, answer)
}

fn conclude(cx: &mut Context<'_>, answer: Result<bool, TestError>) -> Flow {
    match answer {
        Ok(answer) => Flow::Status(u8::from(!answer)),
        Err(error) => {
            cx.error(error.message());
            Flow::Status(2)
        }
    }
}
