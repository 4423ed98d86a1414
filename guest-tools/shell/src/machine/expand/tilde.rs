//! `~`

use crate::machine::Machine;
use crate::machine::scope;
use crate::machine::symbol::known;
use crate::machine::task::Task;
use crate::text::Text;

impl Machine {
    /// What `~` and the text after it stand for, where that is something.
    pub(in crate::machine) fn tilde(&mut self, task: &mut Task, user: &[u8]) -> Option<Text> {
        match user {
            b"" => Some(match scope::get(self, task, known::HOME) {
                Some(home) => home,
                None => self.home_of_user(),
            }),
            b"+" => scope::get(self, task, known::PWD),
            b"-" => scope::get(self, task, known::OLDPWD),
            b"root" => Some(Text::from("/root")),
            user => self.other_tilde(task, user),
        }
    }

    fn home_of_user(&self) -> Text {
        match self.identity().user.as_str() {
            "root" => Text::from("/root"),
            user => Text::from(format!("/home/{user}")),
        }
    }

    /// `~N`, `~+N`, `~-N` and `~user`.
    fn other_tilde(&mut self, task: &mut Task, user: &[u8]) -> Option<Text> {
        let text = std::str::from_utf8(user).ok()?;
        let digits = text.trim_start_matches(['+', '-']);
        if let Ok(number) = digits.parse::<usize>() {
            let mut stack = vec![task.state.directory.clone()];
            stack.extend(task.state.directories.iter().cloned());
            let at = if text.starts_with('-') {
                stack.len().checked_sub(number + 1)?
            } else {
                number
            };
            return stack.get(at).cloned();
        }
        if self.identity().user == text {
            return Some(self.home_of_user());
        }
        let users = super::super::invocation::read_file(&*self.os, b"/etc/passwd").ok()?;
        users.split(|&byte| byte == b'\n').find_map(|line| {
            let mut fields = line.split(|&byte| byte == b':');
            let found = fields.next() == Some(user);
            fields.nth(4).filter(|_| found).map(Text::from)
        })
    }
}
