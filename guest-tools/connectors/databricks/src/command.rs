//! Commands: Python that runs words on the cluster's driver. What is long is sent and told in pieces, which the
//! context keeps between them.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use offshoot_connector::machine::{ANSWER, Machine};
use offshoot_connector::{Code, Error, Result};
use serde_json::json;

use crate::context::Context;
use crate::settings::State;

/// Characters that are sent or told at once.
const PIECE: usize = 256 << 10;

/// The variable that what is sent is put together in.
const SENT: &str = "offshoot_sent";
/// Runs the words that were sent where the sandbox is, and tells how much they wrote and the beginning of it.
const RUN: &str = "
def offshoot_run(home, words):
    import os, subprocess
    if not os.path.isdir(home):
        return b'offshoot-lost'
    null, variables = subprocess.DEVNULL, {**os.environ, 'OFFSHOOT_SANDBOX': home}
    return subprocess.run(words, stdin=null, stdout=subprocess.PIPE, stderr=null, env=variables).stdout
import base64, json
offshoot_told = base64.b64encode(offshoot_run(*json.loads(base64.b64decode(offshoot_sent)))).decode()
print('offshoot-told', len(offshoot_told), offshoot_told[:offshoot_piece], 'offshoot-end')
";
/// Writes what was sent into a file.
const WRITE: &str = "
import base64, json
offshoot_path, offshoot_content = json.loads(base64.b64decode(offshoot_sent))
with open(offshoot_path, 'wb') as offshoot_file:
    offshoot_file.write(base64.b64decode(offshoot_content))
print('offshoot-told', 0, 'offshoot-end')
";
/// Makes the sandbox's directories, the first of which must not be there.
const MAKE: &str = "
import base64, json, os
offshoot_home, = json.loads(base64.b64decode(offshoot_sent))
os.mkdir(offshoot_home, 0o700)
os.mkdir(offshoot_home + '/files')
print('offshoot-told', 0, 'offshoot-end')
";
/// Ends what runs in the sandbox, known by the variable that it inherits, and removes the directories with all that
/// is in them.
const REMOVE: &str = "
def offshoot_end(home):
    import os, signal
    mark = ('OFFSHOOT_SANDBOX=' + home).encode()
    def is_own(name):
        try:
            with open('/proc/' + name + '/environ', 'rb') as variables:
                return mark in variables.read().split(b'\\0')
        except OSError:
            return False
    for _ in range(100):
        own = [int(name) for name in os.listdir('/proc') if name.isdigit() and is_own(name)]
        if not own:
            return
        for process in own:
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                pass
import base64, json, subprocess
offshoot_home, = json.loads(base64.b64decode(offshoot_sent))
offshoot_end(offshoot_home)
subprocess.run(['rm', '-rf', '--', offshoot_home], check=True)
print('offshoot-told', 0, 'offshoot-end')
";

/// What is told where the driver is another one.
const LOST: &[u8] = b"offshoot-lost";
/// The error's message then.
const GONE: &str = "the cluster's driver was replaced, and the sandbox's files with it";

/// The words after the mark in what was printed.
fn told(text: &str) -> Result<Vec<&str>> {
    let between = text
        .split_once("offshoot-told")
        .and_then(|(_, rest)| rest.rsplit_once("offshoot-end"));
    let Some((between, _)) = between else {
        let shown: String = text.chars().take(500).collect();
        let message = format!("the command was not run: {shown}");
        return Err(Error::new(Code::Died, message));
    };
    Ok(between.split_whitespace().collect())
}

/// Sends what Python works on, and runs it.
fn call(context: &Context<'_>, given: &serde_json::Value, python: &str) -> Result<Vec<u8>> {
    let given = STANDARD.encode(given.to_string());
    let mut begin = format!("offshoot_piece = {PIECE}\n{SENT} = ''\n");
    let mut rest = given.as_str();
    while rest.len() > PIECE {
        let (piece, later) = rest.split_at(PIECE);
        context.run(&format!("{begin}{SENT} += '{piece}'\nprint('')"))?;
        (begin, rest) = (String::new(), later);
    }
    let text = context.run(&format!("{begin}{SENT} += '{rest}'\n{python}"))?;
    let words = told(&text)?;
    let length = words.first().and_then(|word| word.parse().ok());
    let length: usize = length.ok_or_else(|| Error::corrupt("without a length"))?;
    let mut all = words.get(1).copied().unwrap_or_default().to_owned();
    if length > ANSWER {
        return Err(Error::new(Code::Limit, "limit reached: too much output"));
    }
    while all.len() < length {
        let (from, to) = (all.len(), all.len() + PIECE);
        let more = format!("print('offshoot-told', offshoot_told[{from}:{to}], 'offshoot-end')");
        let text = context.run(&more)?;
        match &told(&text)?[..] {
            [piece] => all.push_str(piece),
            _ => return Err(Error::corrupt("a piece of the output is missing")),
        }
    }
    STANDARD.decode(all).map_err(Error::corrupt)
}

impl State {
    /// Makes the sandbox's directories.
    pub(crate) fn make(&self) -> Result<()> {
        call(&Context::begin(self)?, &json!([self.home]), MAKE).map(drop)
    }

    /// Removes them.
    pub(crate) fn remove(&self) -> Result<()> {
        call(&Context::begin(self)?, &json!([self.home]), REMOVE).map(drop)
    }

    /// Whether the driver is the one that they are on.
    pub(crate) fn is_there(&self) -> Result<bool> {
        match self.run(&["/bin/true".to_owned()], None) {
            Ok(_) => Ok(true),
            Err(error) if error.message == GONE => Ok(false),
            Err(error) => Err(error),
        }
    }
}

impl Machine for State {
    fn run(&self, words: &[String], _timeout_ms: Option<u64>) -> Result<String> {
        let told = call(&Context::begin(self)?, &json!([self.home, words]), RUN)?;
        match told.as_slice() {
            LOST => Err(Error::new(Code::SandboxUnavailable, GONE)),
            told => Ok(String::from_utf8_lossy(told).into_owned()),
        }
    }

    fn upload(&self, path: &str, content: &[u8]) -> Result<()> {
        let content = STANDARD.encode(content);
        call(&Context::begin(self)?, &json!([path, content]), WRITE).map(drop)
    }
}
