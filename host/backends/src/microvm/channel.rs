//! The host's end of the agent's protocol: many commands over one stream.
//!
//! What a guest sends is not trusted. A frame has a limited length, a command's output no more bytes than
//! it was given room for; a guest that does not keep to it is not listened to any more.

use super::NAME;
use super::qmp::died;
use bytes::Bytes;
use offshoot_agent::{Down, Failure, Frames, MAX_UP, Start, Up, WINDOW};
use offshoot_backend::{Code, Error, Result};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::net::UnixStream;
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};
use tokio::sync::{Semaphore, mpsc, oneshot};
use tokio::time::timeout;

/// How long an agent may take to fall silent.
const SILENCE: Duration = Duration::from_secs(30);
/// Bytes of randomness for a machine that may have the same as others.
const SEED: usize = 64;

/// What a command did.
#[derive(Debug)]
pub(super) enum News {
    Stdout(Bytes),
    Stderr(Bytes),
    Exit(u8),
    Failed(Failure, String),
}

/// A command as the channel knows it.
#[derive(Debug)]
struct Command {
    news: mpsc::UnboundedSender<News>,
    /// Bytes of output that were not taken yet.
    waiting: usize,
    /// Room for standard input; closed where it is read no more.
    input: Arc<Semaphore>,
}

/// A command that was started.
#[derive(Debug)]
pub(super) struct Started {
    pub(super) id: u32,
    /// What it does; the end without an exit is the machine's.
    pub(super) news: mpsc::UnboundedReceiver<News>,
    pub(super) input: Arc<Semaphore>,
}

/// What is to be written.
#[derive(Debug)]
enum Out {
    Frame(Vec<u8>),
    /// Nothing until this ends, and then all to another stream, where that says so.
    Freeze(oneshot::Receiver<OwnedWriteHalf>),
}

#[derive(Debug, Default)]
struct Table {
    commands: HashMap<u32, Command>,
    ready: Option<oneshot::Sender<bool>>,
    frozen: Option<oneshot::Sender<()>>,
    /// How many streams came before this one, whose end is no end of the channel's.
    stream: u64,
    is_over: bool,
}

/// The stream to one agent.
#[derive(Debug)]
pub(super) struct Channel {
    table: Mutex<Table>,
    out: mpsc::UnboundedSender<Out>,
    next: AtomicU32,
    /// It was ended by its own side.
    is_closed: AtomicBool,
}

/// As long as it is kept, the agent is silent and is told nothing.
#[derive(Debug)]
pub(super) struct Frozen {
    thaw: oneshot::Sender<OwnedWriteHalf>,
}

impl Frozen {
    /// Goes on over another stream to the same agent, which answered there.
    pub(super) fn go_on(self, channel: &Arc<Channel>, stream: UnixStream) {
        let (reader, writer) = stream.into_split();
        channel.listen(reader);
        // Where nobody takes it, the channel is over.
        let _ = self.thaw.send(writer);
    }
}

/// Whether a silent agent answers over a new stream, and says nothing else.
pub(super) async fn is_heard(stream: &mut UnixStream) -> bool {
    let mut bytes = Vec::new();
    Down::Freeze.encode(&mut bytes);
    if stream.write_all(&bytes).await.is_err() {
        return false;
    }
    bytes.clear();
    Up::Frozen.encode(&mut bytes);
    let mut answer = vec![0; bytes.len()];
    stream.read_exact(&mut answer).await.is_ok() && answer == bytes
}

fn lock(table: &Mutex<Table>) -> MutexGuard<'_, Table> {
    table.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Nanoseconds since 1970.
fn now() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map_or(0, |now| u64::try_from(now.as_nanos()).unwrap_or(u64::MAX))
}

/// Bytes that nobody else knows.
async fn seed() -> Vec<u8> {
    let mut seed = vec![0; SEED];
    if let Ok(mut source) = tokio::fs::File::open("/dev/urandom").await {
        // Without it the time alone is new.
        let _ = source.read_exact(&mut seed).await;
    }
    seed
}

impl Channel {
    /// Greets the agent and waits until it answers.
    ///
    /// # Errors
    /// `DIED` where it does not, within this time; `LIMIT` where its files are not all there.
    pub(super) async fn open(stream: UnixStream, patience: Duration) -> Result<Arc<Channel>> {
        let (out, written) = mpsc::unbounded_channel();
        let (ready, answered) = oneshot::channel();
        let table = Table {
            ready: Some(ready),
            ..Table::default()
        };
        let channel = Arc::new(Channel {
            table: Mutex::new(table),
            out,
            next: AtomicU32::new(1),
            is_closed: AtomicBool::new(false),
        });
        let (reader, writer) = stream.into_split();
        tokio::spawn(write(writer, written));
        channel.listen(reader);
        channel.send(&Down::Hello(now(), seed().await));
        match timeout(patience, answered).await {
            Ok(Ok(true)) => Ok(channel),
            Ok(Ok(false)) => {
                let message = "limit reached: memory: the root file system does not fit";
                Err(Error::new(Code::Limit, "machine", message).on(NAME))
            }
            Ok(Err(_)) => Err(died("the machine ended before its agent answered")),
            Err(_) => {
                let seconds = patience.as_secs();
                Err(died(format!("no answer of the agent within {seconds} s")))
            }
        }
    }

    /// Hears the agent over this stream.
    fn listen(self: &Arc<Self>, reader: OwnedReadHalf) {
        let number = self.part();
        let weak = Arc::downgrade(self);
        tokio::spawn(async move {
            read(reader, || weak.upgrade()).await;
            if let Some(channel) = weak.upgrade()
                && lock(&channel.table).stream == number
            {
                channel.fall();
            }
        });
    }

    /// Makes the end of the stream so far none of the channel's. Where no other one follows,
    /// [`Channel::fall`] has to.
    pub(super) fn part(&self) -> u64 {
        let mut table = lock(&self.table);
        table.stream += 1;
        table.stream
    }

    /// Starts a command.
    pub(super) fn start(&self, start: Start) -> Started {
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let (told, news) = mpsc::unbounded_channel();
        let input = Arc::new(Semaphore::new(WINDOW));
        let command = Command {
            news: told,
            waiting: 0,
            input: Arc::clone(&input),
        };
        {
            let mut table = lock(&self.table);
            // Without an entry its end is heard at once.
            if !table.is_over {
                table.commands.insert(id, command);
            }
        }
        self.send(&Down::Start(id, start));
        Started { id, news, input }
    }

    pub(super) fn send(&self, down: &Down) {
        let mut bytes = Vec::new();
        down.encode(&mut bytes);
        // Whoever waits for an answer hears of the end.
        let _ = self.out.send(Out::Frame(bytes));
    }

    /// Gives room for so many bytes of output that were taken.
    pub(super) fn taken(&self, id: u32, bytes: usize) {
        if let Some(command) = lock(&self.table).commands.get_mut(&id) {
            command.waiting = command.waiting.saturating_sub(bytes);
        }
        let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
        self.send(&Down::Taken(id, bytes));
    }

    /// Listens to a command no more.
    pub(super) fn forget(&self, id: u32) {
        if let Some(command) = lock(&self.table).commands.remove(&id) {
            command.input.close();
        }
    }

    /// Makes both sides silent between two frames, as whoever goes on from a snapshot needs it.
    ///
    /// # Errors
    /// `DIED` where the agent does not answer.
    pub(super) async fn freeze(&self) -> Result<Frozen> {
        let (told, frozen) = oneshot::channel();
        let (thaw, thawed) = oneshot::channel();
        {
            let mut table = lock(&self.table);
            if table.is_over {
                return Err(died("the machine ended"));
            }
            table.frozen = Some(told);
        }
        let _ = self.out.send(Out::Freeze(thawed));
        match timeout(SILENCE, frozen).await {
            Ok(Ok(())) => Ok(Frozen { thaw }),
            Ok(Err(_)) => Err(died("the machine ended")),
            Err(_) => Err(died("the agent does not answer")),
        }
    }

    /// Whether nothing comes any more.
    pub(super) fn is_over(&self) -> bool {
        lock(&self.table).is_over
    }

    /// Ends it: all that wait hear of it, and of who ended it.
    pub(super) fn close(&self) {
        self.is_closed.store(true, Ordering::Release);
        self.fall();
    }

    /// Whether [`Channel::close`] ended it.
    pub(super) fn is_closed(&self) -> bool {
        self.is_closed.load(Ordering::Acquire)
    }

    /// Ends it, as the end of its stream does.
    pub(super) fn fall(&self) {
        let mut table = lock(&self.table);
        table.is_over = true;
        for (_, command) in table.commands.drain() {
            command.input.close();
        }
        (table.ready, table.frozen) = (None, None);
    }

    /// Takes in what the agent said; false where it may not say so.
    fn hear(&self, up: Up) -> bool {
        let mut table = lock(&self.table);
        match up {
            Up::Ready(is_whole) => table
                .ready
                .take()
                .is_none_or(|ready| ready.send(is_whole).is_ok()),
            Up::Frozen => {
                if let Some(frozen) = table.frozen.take() {
                    let _ = frozen.send(());
                }
                true
            }
            Up::Stdout(id, bytes) => table.output(id, bytes, News::Stdout),
            Up::Stderr(id, bytes) => table.output(id, bytes, News::Stderr),
            Up::Taken(id, bytes) => table.input(id, bytes),
            Up::StdinClosed(id) => {
                if let Some(command) = table.commands.get(&id) {
                    command.input.close();
                }
                true
            }
            Up::Exit(id, code) => table.end(id, News::Exit(code)),
            Up::Failed(id, failure, message) => table.end(id, News::Failed(failure, message)),
        }
    }
}

impl Table {
    fn output(&mut self, id: u32, bytes: Vec<u8>, news: fn(Bytes) -> News) -> bool {
        // Nobody listens to some that still run.
        let Some(command) = self.commands.get_mut(&id) else {
            return true;
        };
        command.waiting += bytes.len();
        // Frames without bytes would be as many as a guest likes.
        if bytes.is_empty() || command.waiting > WINDOW {
            return false;
        }
        let _ = command.news.send(news(bytes.into()));
        true
    }

    fn input(&mut self, id: u32, bytes: u32) -> bool {
        let Some(command) = self.commands.get(&id) else {
            return true;
        };
        let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
        let used = WINDOW.saturating_sub(command.input.available_permits());
        if bytes > used {
            return false;
        }
        command.input.add_permits(bytes);
        true
    }

    fn end(&mut self, id: u32, news: News) -> bool {
        if let Some(command) = self.commands.remove(&id) {
            command.input.close();
            let _ = command.news.send(news);
        }
        true
    }
}

/// Reads until the end, or until the agent breaks the protocol.
async fn read(mut stream: impl AsyncRead + Unpin, channel: impl Fn() -> Option<Arc<Channel>>) {
    let mut frames = Frames::new(MAX_UP);
    let mut buffer = vec![0; 64 << 10];
    while let Ok(length @ 1..) = stream.read(&mut buffer).await {
        frames.push(&buffer[..length]);
        let Some(channel) = channel() else { return };
        loop {
            match frames.next() {
                Ok(None) => break,
                Ok(Some(frame)) if Up::decode(&frame).is_some_and(|up| channel.hear(up)) => {}
                Ok(Some(_)) | Err(_) => return,
            }
        }
    }
}

/// Writes what is to be written, in its order.
async fn write(mut stream: OwnedWriteHalf, mut out: mpsc::UnboundedReceiver<Out>) {
    while let Some(out) = out.recv().await {
        let bytes = match out {
            Out::Frame(bytes) => bytes,
            Out::Freeze(thawed) => {
                let mut bytes = Vec::new();
                Down::Freeze.encode(&mut bytes);
                if stream.write_all(&bytes).await.is_err() {
                    return;
                }
                bytes.clear();
                // Dropping the other end says that the stream stays.
                if let Ok(other) = thawed.await {
                    stream = other;
                }
                Down::Thaw(now()).encode(&mut bytes);
                bytes
            }
        };
        if stream.write_all(&bytes).await.is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;
    use offshoot_agent::{MAX_DOWN, PIECE};

    /// An agent that says what it is told to.
    struct Agent {
        stream: UnixStream,
        frames: Frames,
    }

    impl Agent {
        async fn hear(&mut self) -> Down {
            loop {
                if let Some(frame) = self.frames.next().unwrap() {
                    return Down::decode(&frame).unwrap();
                }
                let mut buffer = vec![0; 1 << 16];
                let length = self.stream.read(&mut buffer).await.unwrap();
                assert!(length > 0, "the host went");
                self.frames.push(&buffer[..length]);
            }
        }

        async fn say(&mut self, up: &Up) {
            let mut bytes = Vec::new();
            up.encode(&mut bytes);
            // The host may have gone.
            let _ = self.stream.write_all(&bytes).await;
        }
    }

    async fn pair() -> (Arc<Channel>, Agent) {
        let (host, guest) = UnixStream::pair().unwrap();
        let mut agent = Agent {
            stream: guest,
            frames: Frames::new(MAX_DOWN),
        };
        let opened = tokio::spawn(Channel::open(host, Duration::from_secs(60)));
        assert!(matches!(agent.hear().await, Down::Hello(..)));
        agent.say(&Up::Ready(true)).await;
        (opened.await.unwrap().unwrap(), agent)
    }

    #[tokio::test]
    async fn a_guest_that_breaks_the_protocol_is_not_listened_to() {
        let much = Up::Stdout(1, vec![0; PIECE]);
        for said in [
            vec![Up::Stdout(1, Vec::new())],
            vec![much; WINDOW / PIECE + 1],
            vec![Up::Stdout(9, vec![0; MAX_UP])],
            vec![Up::Taken(1, 1)],
        ] {
            let (channel, mut agent) = pair().await;
            let mut started = channel.start(Start::default());
            for up in &said {
                agent.say(up).await;
            }
            loop {
                match started.news.recv().await {
                    Some(News::Stdout(_)) => {}
                    ended => {
                        assert!(ended.is_none(), "{ended:?}");
                        break;
                    }
                }
            }
            assert!(channel.is_over() && !channel.is_closed());
            assert!(started.input.is_closed());
            assert!(channel.freeze().await.is_err());
            assert!(channel.start(Start::default()).news.recv().await.is_none());
        }
    }

    #[tokio::test]
    async fn what_nobody_asked_for_is_passed_over() {
        let (channel, mut agent) = pair().await;
        let mut started = channel.start(Start::default());
        for up in [
            Up::Ready(false),
            Up::Frozen,
            Up::Stdout(7, b"x".to_vec()),
            Up::Exit(7, 1),
            Up::Taken(7, 5),
            Up::Exit(started.id, 3),
        ] {
            agent.say(&up).await;
        }
        let news = started.news.recv().await;
        assert!(matches!(news, Some(News::Exit(3))), "{news:?}");
        assert!(started.news.recv().await.is_none() && !channel.is_over());
    }

    #[tokio::test]
    async fn nothing_is_said_while_it_is_frozen() {
        let (channel, mut agent) = pair().await;
        let freezing = {
            let channel = Arc::clone(&channel);
            tokio::spawn(async move { channel.freeze().await })
        };
        assert_eq!(agent.hear().await, Down::Freeze);
        agent.say(&Up::Frozen).await;
        let frozen = freezing.await.unwrap().unwrap();
        channel.send(&Down::Kill(5));
        let early = timeout(Duration::from_millis(50), agent.hear()).await;
        assert!(early.is_err(), "{early:?}");
        drop(frozen);
        assert!(matches!(agent.hear().await, Down::Thaw(_)));
        assert_eq!(agent.hear().await, Down::Kill(5));
    }

    #[tokio::test]
    async fn a_silent_channel_goes_on_over_another_stream() {
        let (channel, mut agent) = pair().await;
        let mut started = channel.start(Start::default());
        assert!(matches!(agent.hear().await, Down::Start(..)));
        let freezing = {
            let channel = Arc::clone(&channel);
            tokio::spawn(async move { channel.freeze().await })
        };
        assert_eq!(agent.hear().await, Down::Freeze);
        agent.say(&Up::Frozen).await;
        let frozen = freezing.await.unwrap().unwrap();
        channel.part();
        channel.send(&Down::Kill(5));
        // One that says more than it may is not taken, nor one that ends.
        for said in [vec![Up::Exit(started.id, 3)], Vec::new()] {
            let (mut host, guest) = UnixStream::pair().unwrap();
            let frames = Frames::new(MAX_DOWN);
            let mut other = Agent {
                stream: guest,
                frames,
            };
            for up in said {
                other.say(&up).await;
            }
            drop(other);
            assert!(!is_heard(&mut host).await);
        }
        let (mut host, guest) = UnixStream::pair().unwrap();
        agent = Agent {
            stream: guest,
            frames: Frames::new(MAX_DOWN),
        };
        agent.say(&Up::Frozen).await;
        assert!(is_heard(&mut host).await);
        assert_eq!(agent.hear().await, Down::Freeze);
        frozen.go_on(&channel, host);
        assert!(matches!(agent.hear().await, Down::Thaw(_)));
        assert_eq!(agent.hear().await, Down::Kill(5));
        agent.say(&Up::Exit(started.id, 3)).await;
        let news = started.news.recv().await;
        assert!(matches!(news, Some(News::Exit(3))), "{news:?}");
        assert!(!channel.is_over());
        drop(agent);
        while !channel.is_over() {
            tokio::task::yield_now().await;
        }
    }
}
