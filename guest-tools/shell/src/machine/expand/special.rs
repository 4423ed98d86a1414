//! `$?`, `$#`, `$-`, `$!`, `$$`, `$0`.

use crate::machine::Machine;
use crate::machine::task::Task;
use crate::text::Text;

impl Machine {
    /// The value of a special parameter other than `$@` and `$*`; none where it is unset.
    pub(in crate::machine) fn special_parameter(&self, task: &Task, name: u8) -> Option<Text> {
        Some(match name {
            b'?' => Text::from(i64::from(task.state.status)),
            b'#' => Text::from(task.state.positional.as_slice().len() as i64),
            b'-' => {
                let mut letters = task.state.options.letters();
                if task.state.interactive {
                    let before = letters
                        .iter()
                        .take_while(|letter| b"abefh".contains(letter));
                    letters.insert(before.count(), b'i');
                }
                letters.extend(task.state.mode);
                Text::from(letters)
            }
            b'!' => Text::from(i64::from(task.state.background?)),
            b'$' => Text::from(i64::from(task.state.shell_pid)),
            _ => return None,
        })
    }
}
