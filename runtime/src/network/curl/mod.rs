//! `curl`.

mod arguments;
mod request;

use super::fetch::{self, Failure, Fetch, Step};
use super::files::{self, Sink};
use super::report::{self, Summary};
use arguments::Arguments;
use offshoot_kernel::Invocation;
use offshoot_network::http::header::CONTENT_TYPE;
use offshoot_network::{Client, Error};
use request::{Content, Failed};
use std::time::{Duration, Instant};

/// The first wait before another attempt; each one after is twice as long.
const RETRY_DELAY: Duration = Duration::from_secs(1);
/// The longest wait.
const RETRY_DELAY_MOST: Duration = Duration::from_secs(600);

/// Runs one call.
pub(super) async fn run(client: Client, mut call: Invocation) -> u8 {
    let words: Vec<String> = call
        .arguments
        .iter()
        .skip(1)
        .map(|word| String::from_utf8_lossy(word).into_owned())
        .collect();
    let arguments = match arguments::read(&words) {
        Ok(arguments) => arguments,
        Err(text) => {
            let hint = "curl: try 'curl --help' or 'curl --manual' for more information";
            say(&mut call, &format!("curl: {text}\n{hint}\n")).await;
            return 2;
        }
    };
    match special(&arguments) {
        Some(text) => u8::from(call.stdout.write_all(text.as_bytes()).await.is_err()),
        None => transfers(&client, &mut call, &arguments).await,
    }
}

/// What is printed instead of a transfer.
fn special(arguments: &Arguments) -> Option<String> {
    if arguments.help {
        return Some(arguments::HELP.to_owned());
    }
    arguments.version.then(|| {
        format!(
            "curl 7.88.1 (offshoot {})\nProtocols: http https\nFeatures: HTTP2 SSL\n",
            env!("CARGO_PKG_VERSION")
        )
    })
}

async fn transfers(client: &Client, call: &mut Invocation, arguments: &Arguments) -> u8 {
    if arguments.urls.is_empty() {
        say(call, "curl: (2) no URL specified\n").await;
        return 2;
    }
    let most = client.policy().request_limits().request_bytes;
    let content = match request::content(arguments, call, most).await {
        Ok(content) => content,
        Err(failed) => return complain(call, arguments, failed).await,
    };
    let mut status = 0;
    for index in 0..arguments.urls.len() {
        let transfer = Transfer {
            client,
            arguments,
            content: content.as_ref(),
            index,
            began: Instant::now(),
        };
        let ended = transfer.run(call).await;
        if ended != 0 {
            status = ended;
        }
    }
    status
}

/// One URL of a call.
struct Transfer<'a> {
    client: &'a Client,
    arguments: &'a Arguments,
    content: Option<&'a Content>,
    index: usize,
    began: Instant,
}

impl Transfer<'_> {
    async fn run(&self, call: &mut Invocation) -> u8 {
        let mut summary = Summary {
            url: self.arguments.urls[self.index].clone(),
            ..Summary::default()
        };
        let result = match self.arguments.max_time {
            Some(time) => match tokio::time::timeout(time, self.attempts(call, &mut summary)).await
            {
                Ok(result) => result,
                Err(_) => Err(self.timed_out(&summary)),
            },
            None => self.attempts(call, &mut summary).await,
        };
        summary.total = self.began.elapsed();
        let mut status = 0;
        if let Err(failed) = result {
            summary.exit = failed.0;
            summary.message = failed.1.clone();
            status = complain(call, self.arguments, failed).await;
        }
        self.write_out(call, &summary).await;
        status
    }

    async fn attempts(&self, call: &mut Invocation, summary: &mut Summary) -> Result<(), Failed> {
        let mut delay = self.arguments.retry_delay.unwrap_or(RETRY_DELAY);
        for attempt in 0.. {
            let last = attempt >= self.arguments.retries;
            match self.attempt(call, summary, last).await? {
                Outcome::Done => break,
                Outcome::Again => {
                    tokio::time::sleep(delay).await;
                    if self.arguments.retry_delay.is_none() {
                        delay = (delay * 2).min(RETRY_DELAY_MOST);
                    }
                }
            }
        }
        Ok(())
    }

    /// One attempt, through all redirects.
    async fn attempt(
        &self,
        call: &mut Invocation,
        summary: &mut Summary,
        last: bool,
    ) -> Result<Outcome, Failed> {
        let url = &self.arguments.urls[self.index];
        let mut fetch = request::fetch(self.arguments, url, self.content)?;
        let mut outputs = self.outputs(call, &fetch, summary)?;
        summary.redirects = 0;
        loop {
            self.show_request(call, &fetch).await;
            let sent = fetch.send(self.client, call).await;
            let step = match sent {
                Ok(step) => step,
                Err(failure) if !last && self.is_transient(&failure) => return Ok(Outcome::Again),
                Err(failure) => return Err(failed(failure)),
            };
            let transient = matches!(step.response.status, 408 | 429 | 500 | 502 | 503 | 504);
            if !last && transient {
                return Ok(Outcome::Again);
            }
            note(summary, &step, &fetch);
            match &step.location {
                Some(to) if self.arguments.follow => {
                    self.check_redirects(&fetch, summary)?;
                    self.head(call, &mut outputs, &step).await?;
                    summary.redirects += 1;
                    self.turn(&mut fetch, step.response.status, to.clone());
                }
                _ => {
                    self.finish(call, &mut outputs, summary, step).await?;
                    return Ok(Outcome::Done);
                }
            }
        }
    }

    fn check_redirects(&self, fetch: &Fetch, summary: &Summary) -> Result<(), Failed> {
        if summary.redirects < fetch.redirects {
            return Ok(());
        }
        Err(failed(Failure::Redirects(fetch.redirects)))
    }

    fn turn(&self, fetch: &mut Fetch, status: u16, to: offshoot_network::Url) {
        let kept = match status {
            301 => self.arguments.keep_post[0],
            302 => self.arguments.keep_post[1],
            303 => self.arguments.keep_post[2],
            _ => false,
        };
        if kept {
            fetch.follow(307, to);
        } else if self.arguments.trusted {
            let headers = fetch.headers.clone();
            fetch.follow(status, to);
            for (name, value) in &headers {
                if name != CONTENT_TYPE {
                    fetch.headers.insert(name, value.clone());
                }
            }
        } else {
            fetch.follow(status, to);
        }
    }

    fn is_transient(&self, failure: &Failure) -> bool {
        match failure {
            Failure::Network(Error::Timeout { .. }) => true,
            Failure::Network(error) => self.arguments.retry_all && error.is_retryable(),
            Failure::Refused(_) => self.arguments.retry_all || self.arguments.retry_refused,
            Failure::Redirects(_) | Failure::NoNetwork => false,
        }
    }

    /// Where everything goes; files are made when the first byte comes.
    fn outputs(
        &self,
        call: &Invocation,
        fetch: &Fetch,
        summary: &mut Summary,
    ) -> Result<Outputs, Failed> {
        let name = self.output(fetch)?;
        summary.file = name.clone().unwrap_or_default();
        if self.arguments.create_directories && !summary.file.is_empty() {
            files::make_parents(call, &summary.file).map_err(unwritable)?;
        }
        let dump = self.arguments.dump_header.as_deref();
        Ok(Outputs {
            body: Sink::new(name.as_deref(), false),
            dump: dump.map(|name| Sink::new(Some(name), self.index > 0)),
        })
    }

    /// Shows the head of an answer to whom it was promised.
    async fn head(
        &self,
        call: &mut Invocation,
        outputs: &mut Outputs,
        step: &Step,
    ) -> Result<(), Failed> {
        let head = report::header_lines(&step.response);
        self.show_answer(call, &head).await;
        if let Some(dump) = &mut outputs.dump {
            dump.write(call, &head).await.map_err(unwritable)?;
        }
        let fails = self.arguments.fail && step.response.status >= 400;
        if (self.arguments.include || self.arguments.head) && !fails {
            outputs.body.write(call, &head).await.map_err(unwritable)?;
        }
        Ok(())
    }

    /// Delivers the last answer.
    async fn finish(
        &self,
        call: &mut Invocation,
        outputs: &mut Outputs,
        summary: &mut Summary,
        mut step: Step,
    ) -> Result<(), Failed> {
        let status = step.response.status;
        summary.header_bytes = report::header_lines(&step.response).len();
        self.head(call, outputs, &step).await?;
        let returned = (22, format!("The requested URL returned error: {status}"));
        if self.arguments.fail && status >= 400 {
            return Err(returned);
        }
        summary.downloaded = self.deliver(call, &mut outputs.body, &mut step).await?;
        if self.arguments.fail_with_body && status >= 400 {
            return Err(returned);
        }
        Ok(())
    }

    async fn deliver(
        &self,
        call: &mut Invocation,
        sink: &mut Sink,
        step: &mut Step,
    ) -> Result<u64, Failed> {
        let before = sink.written;
        let network = |error: Error| match error {
            Error::Broken { .. } => (18, "transfer closed before its end".to_owned()),
            error => failed(Failure::Network(error)),
        };
        while let Some(piece) = step.response.piece().await.map_err(network)? {
            let most = self.arguments.max_size.unwrap_or(u64::MAX);
            if sink.written - before + piece.len() as u64 > most {
                return Err((63, "Exceeded the maximum allowed file size".to_owned()));
            }
            sink.write(call, &piece).await.map_err(unwritable)?;
        }
        sink.open(call).map_err(unwritable)?;
        Ok(sink.written - before)
    }

    /// The file that belongs to this URL, if any.
    fn output(&self, fetch: &Fetch) -> Result<Option<String>, Failed> {
        let name = match self.arguments.outputs.get(self.index) {
            None => return Ok(None),
            Some(Some(name)) => name.clone(),
            Some(None) => {
                let none = || (23, "Remote file name has no length".to_owned());
                fetch::file_name(&fetch.url).ok_or_else(none)?
            }
        };
        Ok(Some(match &self.arguments.output_directory {
            Some(directory) if name != "-" => format!("{directory}/{name}"),
            _ => name,
        }))
    }

    async fn show_request(&self, call: &mut Invocation, fetch: &Fetch) {
        if self.arguments.verbose {
            let names: Vec<(String, String)> = fetch.headers.iter().map(pair).collect();
            say(
                call,
                &report::request_lines(&fetch.method, &fetch.url, &names),
            )
            .await;
        }
    }

    async fn show_answer(&self, call: &mut Invocation, head: &[u8]) {
        if self.arguments.verbose {
            let head = String::from_utf8_lossy(head);
            let lines: String = head.lines().map(|line| format!("< {line}\n")).collect();
            say(call, &lines).await;
        }
    }

    async fn write_out(&self, call: &mut Invocation, summary: &Summary) {
        let Some(format) = &self.arguments.write_out else {
            return;
        };
        let format = match format.strip_prefix('@') {
            Some(name) => match files::read(call, name, 1 << 20).await {
                Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
                Err(_) => return,
            },
            None => format.clone(),
        };
        let text = report::write_out(&format, summary);
        // Who does not read needs no status for it.
        let _ = call.stdout.write_all(text.as_bytes()).await;
    }

    fn timed_out(&self, summary: &Summary) -> Failed {
        let time = self.began.elapsed().as_millis();
        let text = format!(
            "Operation timed out after {time} milliseconds with {} bytes received",
            summary.downloaded
        );
        (28, text)
    }
}

/// Where a transfer's bytes go.
struct Outputs {
    body: Sink,
    /// Heads, for `--dump-header`.
    dump: Option<Sink>,
}

enum Outcome {
    Done,
    /// Worth another attempt.
    Again,
}

fn note(summary: &mut Summary, step: &Step, fetch: &Fetch) {
    let headers = &step.response.headers;
    summary.status = step.response.status;
    summary.version = report::version(step.response.version).to_owned();
    summary.method = step.method.to_string();
    summary.effective_url = step.url.to_string();
    summary.uploaded = fetch.body.len();
    summary.redirect_url = step
        .location
        .as_ref()
        .map(ToString::to_string)
        .unwrap_or_default();
    summary.headers = headers.iter().map(pair).collect();
    let kind = headers
        .get(CONTENT_TYPE)
        .map(|kind| String::from_utf8_lossy(kind.as_bytes()));
    summary.content_type = kind.unwrap_or_default().into_owned();
}

fn pair(
    (name, value): (
        &offshoot_network::http::HeaderName,
        &offshoot_network::http::HeaderValue,
    ),
) -> (String, String) {
    let value = String::from_utf8_lossy(value.as_bytes()).into_owned();
    (name.to_string(), value)
}

/// curl's status for each failure.
fn failed(failure: Failure) -> Failed {
    let error = match failure {
        Failure::Redirects(_) => return (47, failure.text()),
        Failure::NoNetwork | Failure::Refused(_) => return (7, failure.text()),
        Failure::Network(error) => error,
    };
    match &error {
        Error::Invalid { .. } => (3, format!("URL rejected: {error}")),
        Error::Resolve { host } => (6, format!("Could not resolve host: {host}")),
        Error::Timeout { .. } => (28, error.to_string()),
        Error::Secure { .. } => (60, error.to_string()),
        Error::TooLarge { .. } => (63, error.to_string()),
        Error::Broken { .. } => (56, error.to_string()),
        _ => (7, error.to_string()),
    }
}

fn unwritable(reason: String) -> Failed {
    (
        23,
        format!("Failure writing output to destination: {reason}"),
    )
}

async fn complain(call: &mut Invocation, arguments: &Arguments, (status, text): Failed) -> u8 {
    if arguments.complains() {
        say(call, &format!("curl: ({status}) {text}\n")).await;
    }
    status
}

async fn say(call: &mut Invocation, text: &str) {
    // Nobody hears that nobody hears.
    let _ = call.stderr.write_all(text.as_bytes()).await;
}
