//! One program with a subcommand for each behaviour that the tests need.

use std::fs;
use std::io::{self, IsTerminal, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream, ToSocketAddrs, UdpSocket};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

mod bindings {
    wit_bindgen::generate!({
        inline: "
            package test:program;
            world program {
                import wasi:cli/environment@0.2.12;
                import wasi:cli/exit@0.2.12;
                import wasi:cli/stdin@0.2.12;
                import wasi:cli/stdout@0.2.12;
                import wasi:clocks/monotonic-clock@0.2.12;
                import wasi:filesystem/preopens@0.2.12;
                import wasi:random/random@0.2.12;
                import offshoot:sandbox/vfs@0.1.0;
                import offshoot:sandbox/process@0.1.0;
            }
        ",
        path: "../../../../wit",
        world: "test:program/program",
        generate_all,
    });
}

use bindings::offshoot::sandbox::process::{self, SpawnOptions};
use bindings::offshoot::sandbox::types::{Errno, ExitStatus};
use bindings::offshoot::sandbox::vfs;
use bindings::wasi::cli::stdin::get_stdin;
use bindings::wasi::cli::stdout::get_stdout;
use bindings::wasi::cli::{environment, exit};
use bindings::wasi::clocks::monotonic_clock::subscribe_duration;
use bindings::wasi::filesystem::preopens::get_directories;
use bindings::wasi::filesystem::types::{
    Advice, Descriptor, DescriptorFlags, DescriptorType, ErrorCode, NewTimestamp, OpenFlags,
    PathFlags,
};
use bindings::wasi::random::random;

fn main() -> io::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        ["echo", ref rest @ ..] => println!("{}", rest.join(" ")),
        ["args", ..] => std::env::args().for_each(|word| println!("{word}")),
        ["env"] => std::env::vars().for_each(|(name, value)| println!("{name}={value}")),
        ["cat"] => drop(io::copy(&mut io::stdin(), &mut io::stdout())?),
        ["cat", path] => io::stdout().write_all(&fs::read(path)?)?,
        ["put", path, text] => fs::write(path, text)?,
        ["count"] => println!("{}", io::copy(&mut io::stdin(), &mut io::sink())?),
        ["head", count] => {
            let mut bytes = vec![0; count.parse().unwrap()];
            io::stdin().read_exact(&mut bytes)?;
            io::stdout().write_all(&bytes)?;
        }
        ["yes"] => loop {
            io::stdout().write_all(&[b'y'; 4096])?;
        },
        ["yes-vfs"] => loop {
            match vfs::write(1, &[b'y'; 4096]) {
                Ok(_) | Err(Errno::Again) => {}
                Err(errno) => panic!("{errno:?}"),
            }
        },
        ["exit", status] => exit::exit_with_code(status.parse().unwrap()),
        ["fail"] => std::process::exit(7),
        ["panic"] => panic!("on purpose"),
        ["serve", address, count] => serve(address, count.parse().unwrap())?,
        ["ask", address, text] => println!("{}", patiently(|| ask(address, text))?),
        ["connect", address] => match TcpStream::connect(address) {
            Ok(_) => println!("connected"),
            Err(error) => println!("{:?}", error.kind()),
        },
        ["resolve", name] => match (name, 80).to_socket_addrs() {
            Ok(addresses) => addresses.for_each(|address| println!("{address}")),
            Err(_) => println!("no such name"),
        },
        ["datagrams", address] => datagrams(address)?,
        ["sockets", count] => {
            let count: usize = count.parse().unwrap();
            let opened: Vec<_> = (0..count)
                .map_while(|_| TcpListener::bind("127.0.0.1:0").ok())
                .collect();
            println!("{}", opened.len());
        }
        ["loop"] => loop {
            std::hint::black_box(0);
        },
        ["fill"] => {
            let mut bytes = vec![1_u8; 32 << 20];
            for byte in 0_u8.. {
                bytes.fill(std::hint::black_box(byte));
            }
        }
        ["ping-pong"] => loop {
            std::hint::black_box(random::get_random_u64());
        },
        ["recurse"] => println!("{}", recurse(1)),
        ["grow", megabytes] => println!("{}", grow(megabytes.parse().unwrap())),
        ["streams", count] => {
            let streams: Vec<_> = (0..count.parse().unwrap()).map(|_| get_stdout()).collect();
            for stream in &streams {
                let room = stream.check_write().unwrap() as usize;
                stream.write(&vec![b'x'; room]).unwrap();
            }
            println!("{}", streams.len());
        }
        ["random", count] => println!("{}", random::get_random_bytes(count.parse().unwrap()).len()),
        ["handles", count] => handles(count.parse().unwrap()),
        ["listings", count] => {
            let mut open = Vec::new();
            while open.len() < count.parse().unwrap() {
                match fs::read_dir("/tmp") {
                    Ok(listing) => open.push(listing),
                    Err(_) => break,
                }
            }
            println!("{}", open.len());
        }
        ["orphans", count] => {
            for _ in 0..count.parse().unwrap() {
                if start(&["program", "exit", "0"]).is_err() {
                    break;
                }
                std::thread::sleep(Duration::from_millis(1));
            }
            println!("{}", process::list_processes().len());
        }
        ["rewrite", path] => {
            for number in 0_u64.. {
                fs::write(path, number.to_string())?;
            }
        }
        ["terminal"] => {
            let terminals = [io::stdin().is_terminal(), io::stdout().is_terminal()];
            println!("{terminals:?} {}", fs::File::open("/dev/tty").is_ok());
        }
        ["refused"] => {
            let stdin = get_stdin().blocking_read(1).is_err();
            let stdout = get_stdout().blocking_write_and_flush(b"x").is_err();
            exit::exit_with_code(u8::from(stdin) + 2 * u8::from(stdout));
        }
        ["closed"] => {
            let pid = process::spawn(&options(&["program", "refused"], vec![(2, 2)])).unwrap();
            println!("{:?}", process::wait(pid).unwrap());
        }
        ["churn", count] => {
            for _ in 0..count.parse().unwrap() {
                fs::File::open("/etc/motd")?;
            }
        }
        ["secret"] => {
            let mut bytes = vec![0xa5_u8; 4 << 20];
            std::hint::black_box(&mut bytes);
        }
        ["canary"] => println!("{}", canary()),
        ["clock"] => {
            let start = Instant::now();
            std::thread::sleep(Duration::from_millis(20));
            assert!(start.elapsed() >= Duration::from_millis(19));
            println!(
                "{}",
                SystemTime::now()
                    .duration_since(UNIX_EPOCH)
                    .unwrap()
                    .as_secs()
            );
        }
        ["numbers"] => println!("{} {}", random::get_random_u64(), random::get_random_u64()),
        ["sleep", milliseconds] => {
            std::thread::sleep(Duration::from_millis(milliseconds.parse().unwrap()));
        }
        ["enter"] => {
            let directory = environment::initial_cwd().unwrap();
            std::env::set_current_dir(&directory)?;
            fs::write("new", "relative")?;
            fs::write("/top", "absolute")?;
            println!("{directory} {}", fs::read_to_string("new")?);
        }
        ["fs"] => filesystem()?,
        ["raw"] => raw(),
        ["poll"] => poll(),
        ["identity"] => {
            let who = process::identify();
            println!("{} {} {} {}", who.uid, who.user, who.hostname, who.pid > 1);
        }
        ["spawn", ref rest @ ..] => println!("{}", spawn(rest)),
        ["bomb"] => loop {
            // Children outnumber what may run; each failure must be an error and no trap.
            if start(&["program", "bomb"]).is_err() {
                println!("refused");
                return Ok(());
            }
        },
        ["pipeline"] => pipeline(),
        ["kill-child"] => {
            let pid = start(&["program", "loop"]).unwrap();
            process::kill(pid, 15).unwrap();
            println!("{:?}", process::wait(pid));
            println!(
                "{} {}",
                process::wait(pid).unwrap_err().name(),
                process::kill(pid, 0).unwrap_err().name()
            );
        }
        ref other => panic!("no such case: {other:?}"),
    }
    Ok(())
}

fn recurse(depth: u64) -> u64 {
    if std::hint::black_box(depth) == 0 {
        return 0;
    }
    recurse(depth + 1) + std::hint::black_box(depth)
}

fn grow(megabytes: usize) -> usize {
    let mut all: Vec<Vec<u8>> = Vec::new();
    for _ in 0..megabytes {
        all.push(vec![1; 1 << 20]);
    }
    all.iter().map(|one| usize::from(one[0])).sum()
}

/// Opens files until that is refused.
fn handles(count: usize) {
    let mut open = Vec::new();
    for _ in 0..count {
        match fs::File::open("/etc/motd") {
            Ok(file) => open.push(file),
            Err(_) => break,
        }
    }
    println!("{}", open.len());
    open.clear();
    assert!(fs::File::open("/etc/motd").is_ok());
}

/// How many bytes of fresh memory are not zero.
fn canary() -> usize {
    // The pages come straight from `memory.grow`.
    const PAGES: usize = 64;
    let before = core::arch::wasm32::memory_grow(0, PAGES);
    let start = before * 65536;
    (start..start + PAGES * 65536)
        .filter(|&address| unsafe { *(address as *const u8) } != 0)
        .count()
}

/// Everything of `std::fs` that WASI has, checked on the spot.
fn filesystem() -> io::Result<()> {
    fs::create_dir("dir")?;
    assert_eq!(
        fs::create_dir("dir").unwrap_err().kind(),
        io::ErrorKind::AlreadyExists
    );
    fs::write("dir/a", "hello")?;
    assert_eq!(fs::read_to_string("dir/a")?, "hello");
    fs::OpenOptions::new()
        .append(true)
        .open("dir/a")?
        .write_all(b" world")?;
    assert_eq!(fs::read_to_string("dir/a")?, "hello world");
    let mut file = fs::OpenOptions::new()
        .read(true)
        .write(true)
        .open("dir/a")?;
    io::Seek::seek(&mut file, io::SeekFrom::Start(6))?;
    file.write_all(b"W")?;
    let mut rest = String::new();
    file.read_to_string(&mut rest)?;
    assert_eq!(rest, "orld");
    file.set_len(5)?;
    assert_eq!(file.metadata()?.len(), 5);
    file.sync_all()?;
    drop(file);
    fs::rename("dir/a", "dir/b")?;
    assert_eq!(
        fs::read("dir/a").unwrap_err().kind(),
        io::ErrorKind::NotFound
    );
    fs::hard_link("dir/b", "dir/c")?;
    fs::write("dir/c", "both")?;
    assert_eq!(fs::read_to_string("dir/b")?, "both");
    #[allow(deprecated, reason = "the only stable way on WASI")]
    fs::soft_link("b", "dir/link")?;
    assert_eq!(fs::read_link("dir/link")?.to_str(), Some("b"));
    assert_eq!(fs::read_to_string("dir/link")?, "both");
    assert!(fs::symlink_metadata("dir/link")?.is_symlink());
    let mut names: Vec<_> = fs::read_dir("dir")?
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, ["b", "c", "link"]);
    let times = fs::FileTimes::new().set_modified(UNIX_EPOCH + Duration::from_secs(1_000_000));
    fs::OpenOptions::new()
        .write(true)
        .open("dir/b")?
        .set_times(times)?;
    let modified = fs::metadata("dir/b")?.modified()?;
    assert_eq!(modified, UNIX_EPOCH + Duration::from_secs(1_000_000));
    assert!(fs::remove_dir("dir").is_err());
    assert!(fs::read_dir("dir/b").is_err());
    fs::remove_dir_all("dir")?;
    assert!(!fs::exists("dir")?);
    let unlinked = fs::File::create("gone")?;
    fs::remove_file("gone")?;
    (&unlinked).write_all(b"still here")?;
    assert_eq!(unlinked.metadata()?.len(), 10);
    println!("all good");
    Ok(())
}

fn options(words: &[&str], descriptors: Vec<(u32, u32)>) -> SpawnOptions {
    SpawnOptions {
        path: b"/bin/program".to_vec(),
        arguments: words.iter().map(|word| word.as_bytes().to_vec()).collect(),
        environment: vec![(b"FROM".to_vec(), b"parent".to_vec())],
        directory: b"/".to_vec(),
        umask: 0o022,
        descriptors,
        task: None,
    }
}

fn start(words: &[&str]) -> Result<u32, String> {
    process::spawn(&options(words, vec![(0, 0), (1, 1), (2, 2)]))
        .map_err(|errno| format!("{errno:?}"))
}

fn spawn(words: &[&str]) -> String {
    match start(words).map(process::wait) {
        Ok(Ok(ExitStatus::Exited(status))) => format!("exited {status}"),
        Ok(Ok(ExitStatus::Signalled(number))) => format!("signalled {number}"),
        other => format!("{other:?}"),
    }
}

/// `yes | head 3 | count`, from a program.
fn pipeline() {
    let first = process::pipe().unwrap();
    let second = process::pipe().unwrap();
    let yes = options(&["yes", "yes"], vec![(1, first.writer)]);
    let head = options(
        &["head", "head", "3"],
        vec![(0, first.reader), (1, second.writer)],
    );
    let count = options(&["count", "count"], vec![(0, second.reader), (1, 1)]);
    let pids: Vec<_> = [yes, head, count]
        .iter()
        .map(|one| process::spawn(one).unwrap())
        .collect();
    for end in [first.reader, first.writer, second.reader, second.writer] {
        vfs::close(end);
    }
    for pid in pids {
        println!("{:?}", process::wait(pid).unwrap());
    }
}

/// What std does not use of `wasi:filesystem`, checked on the spot.
fn raw() {
    let cwd = environment::initial_cwd().unwrap();
    assert_eq!(cwd, "/home/user");
    let (root, name) = get_directories().remove(0);
    assert_eq!(name, "/");
    let home = open(
        &root,
        "home/user",
        OpenFlags::DIRECTORY,
        DescriptorFlags::READ,
    )
    .unwrap();
    let both = DescriptorFlags::READ | DescriptorFlags::WRITE;
    let file = open(&home, "raw", OpenFlags::CREATE | OpenFlags::EXCLUSIVE, both).unwrap();
    assert_eq!(file.write(b"0123456789", 0), Ok(10));
    assert_eq!(file.read(4, 3), Ok((b"3456".to_vec(), false)));
    assert_eq!(file.read(4, 10), Ok((Vec::new(), true)));
    assert_eq!(file.get_flags(), Ok(both));
    assert_eq!(file.get_type(), Ok(DescriptorType::RegularFile));
    assert_eq!(home.get_type(), Ok(DescriptorType::Directory));
    assert_eq!(file.advise(0, 10, Advice::Sequential), Ok(()));
    assert_eq!(
        (file.sync(), file.sync_data(), home.sync()),
        (Ok(()), Ok(()), Ok(()))
    );
    let append = file.append_via_stream().unwrap();
    append.blocking_write_and_flush(b"ab").unwrap();
    assert_eq!(file.stat().unwrap().size, 12);
    let write = file.write_via_stream(1).unwrap();
    write.blocking_write_and_flush(b"X").unwrap();
    let read = file.read_via_stream(0).unwrap();
    assert_eq!(read.blocking_read(3).unwrap(), b"0X2");
    assert_eq!(read.blocking_skip(7).unwrap(), 7);
    assert_eq!(read.blocking_read(100).unwrap(), b"ab");
    assert!(read.blocking_read(1).is_err());

    let none = PathFlags::empty();
    let follow = PathFlags::SYMLINK_FOLLOW;
    home.link_at(none, "raw", &root, "tmp/other").unwrap();
    home.symlink_at("raw", "soft").unwrap();
    assert_eq!(
        home.link_at(follow, "soft", &root, "tmp/followed"),
        Err(ErrorCode::Invalid)
    );
    assert!(home.symlink_at("raw", "new/").is_err());
    assert_eq!(home.readlink_at("soft"), Ok("raw".to_owned()));
    let hash = file.metadata_hash().unwrap();
    let same = |descriptor: &Descriptor, flags, path| {
        let other = descriptor.metadata_hash_at(flags, path).unwrap();
        (other.lower, other.upper) == (hash.lower, hash.upper)
    };
    assert!(same(&root, none, "tmp/other") && same(&home, follow, "soft"));
    assert!(!same(&home, none, "soft") && !same(&root, none, "etc/motd"));
    let other = open(
        &root,
        "tmp/other",
        OpenFlags::empty(),
        DescriptorFlags::READ,
    )
    .unwrap();
    assert!(file.is_same_object(&other) && !file.is_same_object(&home));
    let at = NewTimestamp::Timestamp(bindings::wasi::clocks::wall_clock::Datetime {
        seconds: 12,
        nanoseconds: 34,
    });
    home.set_times_at(follow, "soft", NewTimestamp::NoChange, at)
        .unwrap();
    let changed = file.stat().unwrap().data_modification_timestamp.unwrap();
    assert_eq!((changed.seconds, changed.nanoseconds), (12, 34));

    type Case<'a> = (&'a str, OpenFlags, DescriptorFlags, ErrorCode);
    let cases: [Case; 11] = [
        (
            "raw",
            OpenFlags::CREATE | OpenFlags::EXCLUSIVE,
            both,
            ErrorCode::Exist,
        ),
        (
            "raw",
            OpenFlags::DIRECTORY,
            DescriptorFlags::READ,
            ErrorCode::NotDirectory,
        ),
        (".", OpenFlags::DIRECTORY, both, ErrorCode::IsDirectory),
        (
            "/home/user/raw",
            OpenFlags::empty(),
            DescriptorFlags::READ,
            ErrorCode::NotPermitted,
        ),
        (
            "raw/",
            OpenFlags::empty(),
            DescriptorFlags::READ,
            ErrorCode::NotDirectory,
        ),
        (
            "missing",
            OpenFlags::empty(),
            DescriptorFlags::READ,
            ErrorCode::NoEntry,
        ),
        ("missing/new", OpenFlags::CREATE, both, ErrorCode::NoEntry),
        (
            "",
            OpenFlags::empty(),
            DescriptorFlags::READ,
            ErrorCode::NoEntry,
        ),
        (
            "soft",
            OpenFlags::empty(),
            DescriptorFlags::READ,
            ErrorCode::Loop,
        ),
        (
            ".",
            OpenFlags::empty(),
            DescriptorFlags::WRITE,
            ErrorCode::IsDirectory,
        ),
        (
            "../../../../../../etc/shadow",
            OpenFlags::empty(),
            DescriptorFlags::READ,
            ErrorCode::NoEntry,
        ),
    ];
    for (path, flags, access, expected) in cases {
        let error = open(&home, path, flags, access).map(drop).unwrap_err();
        assert_eq!(error, expected, "{path}");
    }
    assert!(file.read_directory().is_err());
    assert_eq!(other.write(b"no", 0), Err(ErrorCode::BadDescriptor));
    assert_eq!(home.unlink_file_at(".."), Err(ErrorCode::IsDirectory));
    assert_eq!(home.rename_at("raw", &root, "tmp/moved"), Ok(()));
    assert_eq!(root.remove_directory_at("tmp"), Err(ErrorCode::NotEmpty));
    println!("all good");
}

fn open(
    at: &Descriptor,
    path: &str,
    flags: OpenFlags,
    access: DescriptorFlags,
) -> Result<Descriptor, ErrorCode> {
    at.open_at(PathFlags::empty(), path, flags, access)
}

/// Waits for input and for a timer, until the input is there.
fn poll() {
    let stdin = get_stdin();
    let input = stdin.subscribe();
    loop {
        let timer = subscribe_duration(5_000_000);
        let ready = bindings::wasi::io::poll::poll(&[&input, &timer]);
        println!("{}", if ready.contains(&0) { "input" } else { "timer" });
        if ready.contains(&0) {
            break;
        }
    }
    assert!(input.ready());
    println!("{}", stdin.read(100).unwrap().len());
}

/// Answers `count` callers with what they sent, in capitals.
fn serve(address: &str, count: usize) -> io::Result<()> {
    let listener = TcpListener::bind(address)?;
    for _ in 0..count {
        let (mut stream, _) = listener.accept()?;
        let mut heard = Vec::new();
        stream.read_to_end(&mut heard)?;
        stream.write_all(&heard.to_ascii_uppercase())?;
    }
    Ok(())
}

/// Sends a text, a hundred thousand times where it is `long`, and returns what comes back or its length.
fn ask(address: &str, text: &str) -> io::Result<String> {
    let mut stream = TcpStream::connect(address)?;
    let sent = match text {
        "long" => text.repeat(100_000),
        _ => text.to_owned(),
    };
    stream.write_all(sent.as_bytes())?;
    stream.shutdown(Shutdown::Write)?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    assert_eq!(answer, sent.to_ascii_uppercase());
    Ok(match text {
        "long" => answer.len().to_string(),
        _ => answer,
    })
}

/// Tries again until somebody listens.
fn patiently<T>(attempt: impl Fn() -> io::Result<T>) -> io::Result<T> {
    loop {
        match attempt() {
            Err(error) if error.kind() == io::ErrorKind::ConnectionRefused => {
                std::thread::sleep(Duration::from_millis(1));
            }
            result => return result,
        }
    }
}

/// Sends itself datagrams.
fn datagrams(address: &str) -> io::Result<()> {
    let (one, two) = (UdpSocket::bind(address)?, UdpSocket::bind(address)?);
    let mut buffer = [0; 100];
    for text in ["first", "second"] {
        one.send_to(text.as_bytes(), two.local_addr()?)?;
        let (count, from) = two.recv_from(&mut buffer)?;
        assert_eq!(from, one.local_addr()?);
        println!("{}", String::from_utf8_lossy(&buffer[..count]));
    }
    two.connect(one.local_addr()?)?;
    two.send(b"back")?;
    println!("{}", one.recv(&mut buffer)?);
    Ok(())
}
