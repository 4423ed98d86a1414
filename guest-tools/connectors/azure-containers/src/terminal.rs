//! Commands: typed to a shell in a terminal, which knows no words, no status and no streams.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use offshoot_connector::machine::{self, ANSWER, Machine};
use offshoot_connector::path::unique;
use offshoot_connector::websocket::{Message, WebSocket};
use offshoot_connector::{Code, Error, Result, mark};

use crate::settings::State;

/// The program of a terminal; the service takes no arguments for it.
const SHELL: &str = "/bin/bash";
/// Bytes of a message.
const PIECE: usize = 4 << 10;
/// Bytes of a script or of a part of a file, which are typed in base64.
const TYPED: usize = 8 << 20;

/// A shell in a terminal.
struct Terminal {
    socket: WebSocket,
    heard: Vec<u8>,
}

impl Terminal {
    fn open(state: &State) -> Result<Terminal> {
        let (address, password) = state.terminal(SHELL)?;
        let socket = WebSocket::connect(&address, &[])?;
        socket.send(&Message::Text(password))?;
        Ok(Terminal {
            socket,
            heard: Vec::new(),
        })
    }

    fn say(&self, text: &str) -> Result<()> {
        // All that is typed is ASCII.
        for piece in text.as_bytes().chunks(PIECE) {
            let piece = String::from_utf8_lossy(piece).into_owned();
            self.socket.send(&Message::Text(piece))?;
        }
        Ok(())
    }

    /// Waits for a text, and gives what came before it.
    fn hear(&mut self, wanted: &str) -> Result<String> {
        let mut from = 0;
        loop {
            let rest = &self.heard[from..];
            let found = rest
                .windows(wanted.len())
                .position(|part| part == wanted.as_bytes());
            if let Some(at) = found {
                let mut before: Vec<u8> = self.heard.drain(..from + at + wanted.len()).collect();
                before.truncate(from + at);
                return Ok(String::from_utf8_lossy(&before).into_owned());
            }
            from = self.heard.len().saturating_sub(wanted.len());
            match self.socket.receive()? {
                Some(Message::Text(text)) => self.heard.extend_from_slice(text.as_bytes()),
                Some(Message::Binary(bytes)) => self.heard.extend_from_slice(&bytes),
                None => return Err(Error::new(Code::Died, "the terminal ended")),
            }
            if self.heard.len() > ANSWER {
                return Err(Error::corrupt("more output than was asked for"));
            }
        }
    }
}

/// The line that is typed first: nothing that follows is shown or has a meaning for the terminal, and exactly
/// the script is read of it. The quotes keep the line itself, which the terminal shows, from looking like what
/// is waited for. A script that did not come whole is not run.
fn greeting(id: &str, length: usize) -> String {
    format!(
        " stty -echo -icanon -onlcr; echo offshoot'-'begin-{id}; \
         exec {SHELL} -c 's=$(head -c {length}); [ ${{#s}} = {length} ] || exit; \
         s=$(printf %s \"$s\" | base64 -d); eval \"$s\"; \
         echo; echo \"offshoot-end-{id}\"'\n"
    )
}

impl State {
    /// Runs a script in whatever container the group has, and gives its output.
    pub(crate) fn shell(&self, script: &str) -> Result<String> {
        if script.len() > TYPED {
            let message = format!("limit reached: a script of more than {TYPED} bytes");
            return Err(Error::new(Code::Limit, message));
        }
        let (id, typed) = (unique(), STANDARD.encode(script));
        let mut terminal = Terminal::open(self)?;
        terminal.say(&greeting(&id, typed.len()))?;
        terminal.hear(&format!("offshoot-begin-{id}"))?;
        terminal.say(&typed)?;
        terminal.hear(&format!("offshoot-end-{id}"))
    }
}

impl Machine for State {
    /// The service has no time-out; what runs counts it.
    fn run(&self, words: &[String], _timeout_ms: Option<u64>) -> Result<String> {
        let text = machine::text(&mark::guarded(&self.id, words));
        mark::found(self.shell(&text)?)
    }

    /// What is typed is a script that holds the file.
    fn upload(&self, path: &str, content: &[u8]) -> Result<()> {
        let written = "offshoot-written";
        for (number, part) in content.chunks(TYPED / 2).enumerate() {
            let redirection = if number == 0 { ">" } else { ">>" };
            let script = format!(
                "base64 -d {redirection}'{path}' <<'.' && echo {written}\n{}\n.\n",
                STANDARD.encode(part)
            );
            if !self.shell(&script)?.contains(written) {
                return Err(Error::new(Code::Died, format!("{path} was not written")));
            }
        }
        Ok(())
    }
}
