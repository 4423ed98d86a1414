//! `wget`: files by URL, without recursion.

use super::fetch::{self, Failure, Fetch, Step};
use super::files::{self, Sink};
use super::options::{self, Flag, Item, Mistake, flag, value};
use super::report;
use offshoot_kernel::Invocation;
use offshoot_network::http::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, USER_AGENT};
use offshoot_network::http::{HeaderValue, Method};
use offshoot_network::{Client, Error};
use std::time::Duration;

const HELP: &str = crate::no_network::WGET_HELP;

const TABLE: &[Flag] = &[
    value("O", "output-document"),
    value("P", "directory-prefix"),
    flag("S", "server-response"),
    value("T", "timeout"),
    value("U", "user-agent"),
    flag("V", "version"),
    value("", "body-data"),
    value("", "body-file"),
    flag("", "content-on-error"),
    flag("h", "help"),
    value("", "header"),
    value("i", "input-file"),
    value("", "max-redirect"),
    value("", "method"),
    flag("nc", "no-clobber"),
    flag("nv", "no-verbose"),
    value("", "password"),
    value("", "post-data"),
    value("", "post-file"),
    value("", "progress"),
    flag("q", "quiet"),
    flag("", "show-progress"),
    flag("", "spider"),
    value("t", "tries"),
    value("", "user"),
    flag("v", "verbose"),
];

/// Redirects that are followed where nothing else is said.
const REDIRECTS: usize = 20;
/// Attempts where nothing else is said.
const TRIES: u32 = 20;

/// GNU's statuses.
const GENERIC: u8 = 1;
const PARSE: u8 = 2;
const IO: u8 = 3;
const NETWORK: u8 = 4;
const SECURE: u8 = 5;
const SERVER: u8 = 8;

#[derive(Default)]
struct Arguments {
    urls: Vec<String>,
    input: Option<String>,
    document: Option<String>,
    prefix: Option<String>,
    headers: Vec<String>,
    agent: Option<String>,
    method: Option<String>,
    body: Option<Body>,
    user: Option<String>,
    password: Option<String>,
    redirects: Option<usize>,
    tries: Option<u32>,
    timeout: Option<Duration>,
    quiet: bool,
    brief: bool,
    no_clobber: bool,
    server_response: bool,
    spider: bool,
    content_on_error: bool,
    help: bool,
    version: bool,
}

enum Body {
    Text(String),
    File(String),
}

/// A status and what is said.
type Failed = (u8, String);

/// Runs one call.
pub(super) async fn run(client: Client, mut call: Invocation) -> u8 {
    let words = call.arguments.iter().skip(1);
    let words: Vec<String> = words
        .map(|word| String::from_utf8_lossy(word).into_owned())
        .collect();
    let mut arguments = match read(&words) {
        Ok(arguments) => arguments,
        Err(text) => {
            say(
                &mut call,
                &format!("wget: {text}\nTry `wget --help' for more options.\n"),
            )
            .await;
            return PARSE;
        }
    };
    let special = match (arguments.help, arguments.version) {
        (true, _) => Some(HELP.to_owned()),
        (_, true) => Some(format!(
            "GNU Wget 1.21.3 (offshoot {})\n",
            env!("CARGO_PKG_VERSION")
        )),
        _ => None,
    };
    if let Some(text) = special {
        return u8::from(call.stdout.write_all(text.as_bytes()).await.is_err());
    }
    match prepare(&mut arguments, &mut call, &client).await {
        Ok(body) => downloads(&client, &mut call, &arguments, &body).await,
        Err((status, text)) => {
            say(&mut call, &format!("wget: {text}\n")).await;
            status
        }
    }
}

fn read(words: &[String]) -> Result<Arguments, String> {
    let items = options::parse(TABLE, words).map_err(|mistake| match mistake {
        Mistake::Unknown(name) => format!("unrecognized or unsupported option '{name}'"),
        Mistake::NoValue(name) => format!("option '{name}' requires an argument"),
    })?;
    let mut arguments = Arguments::default();
    for item in items {
        match item {
            Item::Operand(url) => arguments.urls.push(url),
            Item::Option(name, value) => arguments.set(name, value)?,
        }
    }
    Ok(arguments)
}

impl Arguments {
    fn set(&mut self, name: &'static str, value: String) -> Result<(), String> {
        match name {
            "output-document" => self.document = Some(value),
            "directory-prefix" => self.prefix = Some(value),
            "server-response" => self.server_response = true,
            "timeout" => self.timeout = Some(Duration::from_secs_f64(number(name, &value)?)),
            "user-agent" => self.agent = Some(value),
            "body-data" | "post-data" => self.body = Some(Body::Text(value)),
            "body-file" | "post-file" => self.body = Some(Body::File(value)),
            "content-on-error" => self.content_on_error = true,
            "header" => self.headers.push(value),
            "input-file" => self.input = Some(value),
            "max-redirect" => self.redirects = Some(number(name, &value)? as usize),
            "method" => self.method = Some(value),
            "no-clobber" => self.no_clobber = true,
            "no-verbose" => self.brief = true,
            "password" => self.password = Some(value),
            "quiet" => self.quiet = true,
            "spider" => self.spider = true,
            "tries" => self.tries = Some(tries(name, &value)?),
            "user" => self.user = Some(value),
            "help" => self.help = true,
            "version" => self.version = true,
            // How progress is shown: it is not.
            _ => {}
        }
        if name.starts_with("post-") && self.method.is_none() {
            self.method = Some("POST".to_owned());
        }
        Ok(())
    }

    /// Whether what happens is told.
    fn tells(&self) -> bool {
        !self.quiet
    }
}

/// 0 is without end.
fn tries(name: &str, text: &str) -> Result<u32, String> {
    match text {
        "0" | "inf" => Ok(u32::MAX),
        _ => number(name, text).map(|number| number as u32),
    }
}

fn number(name: &str, text: &str) -> Result<f64, String> {
    let number: Option<f64> = text.parse().ok();
    number
        .filter(|number| (0.0..1e9).contains(number))
        .ok_or_else(|| format!("--{name}: Invalid number '{text}'."))
}

/// Reads the list of URLs and the body.
async fn prepare(
    arguments: &mut Arguments,
    call: &mut Invocation,
    client: &Client,
) -> Result<Vec<u8>, Failed> {
    let most = client.policy().request_limits().request_bytes;
    if let Some(name) = &arguments.input {
        let list = files::read(call, name, most)
            .await
            .map_err(|text| (IO, text))?;
        let list = String::from_utf8_lossy(&list);
        let urls = list.lines().map(str::trim).filter(|line| !line.is_empty());
        arguments.urls.extend(urls.map(str::to_owned));
    }
    if arguments.urls.is_empty() {
        return Err((GENERIC, "missing URL".to_owned()));
    }
    match &arguments.body {
        None => Ok(Vec::new()),
        Some(Body::Text(text)) => Ok(text.clone().into_bytes()),
        Some(Body::File(name)) => files::read(call, name, most)
            .await
            .map_err(|text| (IO, text)),
    }
}

async fn downloads(
    client: &Client,
    call: &mut Invocation,
    arguments: &Arguments,
    body: &[u8],
) -> u8 {
    let mut status = 0;
    let mut document = arguments
        .document
        .as_deref()
        .map(|name| Sink::new(Some(name), false));
    if let Some(sink) = &mut document
        && let Err(text) = sink.open(call)
    {
        say(call, &format!("{text}\n")).await;
        return GENERIC;
    }
    for url in &arguments.urls {
        let download = Download {
            client,
            arguments,
            body,
        };
        if let Err((failed, text)) = download.run(call, url, document.as_mut()).await {
            if arguments.tells() {
                say(call, &format!("{text}\n")).await;
            }
            // As GNU's manual has it: the lowest failure wins, but for 1.
            status = if status == 0 {
                failed
            } else {
                status.min(failed)
            };
        }
    }
    status
}

struct Download<'a> {
    client: &'a Client,
    arguments: &'a Arguments,
    body: &'a [u8],
}

impl Download<'_> {
    async fn run(
        &self,
        call: &mut Invocation,
        url: &str,
        document: Option<&mut Sink>,
    ) -> Result<(), Failed> {
        let fetch = self.fetch(url)?;
        let name = self.name(&fetch);
        if document.is_none() && self.arguments.no_clobber && files::exists(call, &name) {
            if self.arguments.tells() {
                say(
                    call,
                    &format!("File '{name}' already there; not retrieving.\n"),
                )
                .await;
            }
            return Ok(());
        }
        let work = self.attempts(call, fetch, name, document);
        match self.arguments.timeout.filter(|time| !time.is_zero()) {
            Some(time) => match tokio::time::timeout(time, work).await {
                Ok(result) => result,
                Err(_) => Err((NETWORK, format!("{url}: timed out"))),
            },
            None => work.await,
        }
    }

    fn fetch(&self, url: &str) -> Result<Fetch, Failed> {
        let usual = if self.arguments.spider { "HEAD" } else { "GET" };
        let method = self.arguments.method.as_deref().unwrap_or(usual);
        let method = Method::from_bytes(method.as_bytes())
            .map_err(|_| (GENERIC, format!("{method:?} is no method")))?;
        let mut fetch = Fetch::new(method, url).map_err(|error| (GENERIC, error.to_string()))?;
        fetch.redirects = self.arguments.redirects.unwrap_or(REDIRECTS);
        fetch.body = self.body.to_vec().into();
        self.headers(&mut fetch)?;
        Ok(fetch)
    }

    fn headers(&self, fetch: &mut Fetch) -> Result<(), Failed> {
        let headers = &mut fetch.headers;
        let agent = self.arguments.agent.as_deref().unwrap_or("Wget/1.21.3");
        if let Ok(agent) = HeaderValue::from_str(agent) {
            headers.insert(USER_AGENT, agent);
        }
        headers.insert(ACCEPT, HeaderValue::from_static("*/*"));
        if self.arguments.body.is_some() {
            let form = HeaderValue::from_static("application/x-www-form-urlencoded");
            headers.insert(CONTENT_TYPE, form);
        }
        if let Some(user) = &self.arguments.user {
            let password = self.arguments.password.as_deref().unwrap_or_default();
            if let Some(value) = fetch::basic(format!("{user}:{password}").as_bytes()) {
                headers.insert(AUTHORIZATION, value);
            }
        }
        for line in &self.arguments.headers {
            let refused = || (GENERIC, format!("--header: Invalid header '{line}'."));
            let (name, value) = fetch::header(line).ok_or_else(refused)?;
            headers.insert(name, value);
        }
        Ok(())
    }

    /// The file's name as the URL says it, `index.html` for a folder.
    fn name(&self, fetch: &Fetch) -> String {
        let mut name = fetch::file_name(&fetch.url).unwrap_or_else(|| "index.html".to_owned());
        if let Some(query) = fetch.url.query() {
            name = format!("{name}?{}", query.replace('/', "%2F"));
        }
        match &self.arguments.prefix {
            Some(prefix) => format!("{}/{name}", prefix.trim_end_matches('/')),
            None => name,
        }
    }

    async fn attempts(
        &self,
        call: &mut Invocation,
        fetch: Fetch,
        name: String,
        mut document: Option<&mut Sink>,
    ) -> Result<(), Failed> {
        let tries = self.arguments.tries.unwrap_or(TRIES);
        for attempt in 1.. {
            match self
                .attempt(call, fetch.clone(), &name, document.as_deref_mut())
                .await
            {
                Err(Stop::Again(_)) if attempt < tries => {
                    let wait = Duration::from_secs(u64::from(attempt.min(10)));
                    tokio::time::sleep(wait).await;
                }
                Err(Stop::Again(failed) | Stop::Over(failed)) => return Err(failed),
                Ok(()) => break,
            }
        }
        Ok(())
    }

    async fn attempt(
        &self,
        call: &mut Invocation,
        mut fetch: Fetch,
        name: &str,
        document: Option<&mut Sink>,
    ) -> Result<(), Stop> {
        for _ in 0..=fetch.redirects {
            self.tell(call, &format!("{} {}\n", fetch.method, fetch.url))
                .await;
            let step = fetch.send(self.client, call).await.map_err(stop)?;
            let status = step.response.status;
            self.tell(call, &format!("{status} {}\n", report::reason(status)))
                .await;
            if self.arguments.server_response {
                let head =
                    String::from_utf8_lossy(&report::header_lines(&step.response)).into_owned();
                let lines: String = head.lines().map(|line| format!("  {line}\n")).collect();
                say(call, &lines).await;
            }
            match &step.location {
                Some(to) => fetch.follow(status, to.clone()),
                None => {
                    return self
                        .finish(call, step, name, document)
                        .await
                        .map_err(Stop::Over);
                }
            }
        }
        Err(stop(Failure::Redirects(fetch.redirects)))
    }

    async fn finish(
        &self,
        call: &mut Invocation,
        mut step: Step,
        name: &str,
        document: Option<&mut Sink>,
    ) -> Result<(), Failed> {
        let status = step.response.status;
        let refused = (
            SERVER,
            format!("ERROR {status}: {}.", report::reason(status)),
        );
        if status >= 400 && !self.arguments.content_on_error {
            return Err(refused);
        }
        if self.arguments.spider {
            return Ok(());
        }
        let shown = self
            .arguments
            .document
            .as_deref()
            .unwrap_or(name)
            .to_owned();
        let mut own = Sink::new(Some(&shown), false);
        let sink = match document {
            Some(sink) => sink,
            None => {
                files::make_parents(call, name).map_err(|text| (IO, text))?;
                &mut own
            }
        };
        let before = sink.written;
        while let Some(piece) = step.response.piece().await.map_err(network)? {
            sink.write(call, &piece).await.map_err(|text| (IO, text))?;
        }
        sink.open(call).map_err(|text| (IO, text))?;
        let length = sink.written - before;
        if self.arguments.tells() {
            say(call, &format!("{} -> \"{shown}\" [{length}]\n", step.url)).await;
        }
        match status {
            400.. => Err(refused),
            _ => Ok(()),
        }
    }

    async fn tell(&self, call: &mut Invocation, text: &str) {
        if self.arguments.tells() && !self.arguments.brief {
            say(call, text).await;
        }
    }
}

/// Why an attempt failed, and whether another is worth it.
enum Stop {
    Again(Failed),
    Over(Failed),
}

fn stop(failure: Failure) -> Stop {
    match failure {
        Failure::Redirects(most) => Stop::Over((SERVER, format!("{most} redirections exceeded."))),
        Failure::NoNetwork => {
            Stop::Over((NETWORK, format!("wget: ({NETWORK}) {}", failure.text())))
        }
        Failure::Refused(_) => Stop::Over((NETWORK, format!("wget: {}", failure.text()))),
        Failure::Network(error) => match &error {
            Error::Timeout { .. } | Error::Broken { .. } => Stop::Again(network(error)),
            _ => Stop::Over(network(error)),
        },
    }
}

fn network(error: Error) -> Failed {
    let status = match &error {
        Error::Secure { .. } => SECURE,
        Error::Invalid { .. } => GENERIC,
        _ => NETWORK,
    };
    (status, format!("wget: {error}"))
}

async fn say(call: &mut Invocation, text: &str) {
    // Nobody hears that nobody hears.
    let _ = call.stderr.write_all(text.as_bytes()).await;
}
