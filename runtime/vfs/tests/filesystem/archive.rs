//! Export and import as tar.

use std::io::Read;
use std::process::{Command, Stdio};

use offshoot_vfs::{Error, Kind, NewTime, OpenOptions, Quotas, Timestamp, Vfs, diff};
use tar::{Builder, EntryType, Header};

use crate::{ROOT, names, new, read, with_quotas, write};

fn archive(build: impl FnOnce(&mut Builder<Vec<u8>>)) -> Vec<u8> {
    let mut builder = Builder::new(Vec::new());
    build(&mut builder);
    builder.into_inner().unwrap()
}

/// A record with its fields as they are, however wrong.
fn record(entry_type: EntryType, name: &str, link: &str, size: u64) -> Header {
    let mut header = Header::new_ustar();
    header.set_entry_type(entry_type);
    header.set_mode(0o644);
    header.set_uid(0);
    header.set_gid(0);
    header.set_mtime(5);
    header.set_size(size);
    let fields = header.as_old_mut();
    fields.name[..name.len()].copy_from_slice(name.as_bytes());
    fields.linkname[..link.len()].copy_from_slice(link.as_bytes());
    header.set_cksum();
    header
}

fn target() -> Vfs {
    let fs = new();
    fs.create_dir(&ROOT, fs.root(), b"/in", 0o755).unwrap();
    write(&fs, "/in/old", "old");
    write(&fs, "/outside", "safe");
    fs
}

/// An import that must be refused and leave nothing.
fn refused(bytes: &[u8]) -> Error {
    let fs = target();
    let before = fs.fork();
    let error = fs.import_tar(b"/in", bytes).unwrap_err();
    assert_eq!(diff(&before, &fs).unwrap(), []);
    assert_eq!(fs.usage(), before.usage());
    error
}

fn sample() -> Vfs {
    let fs = new();
    let root = fs.root();
    let long = "n".repeat(200);
    fs.create_dir_all(&ROOT, root, format!("/t/{long}/{long}").as_bytes(), 0o2750)
        .unwrap();
    write(&fs, &format!("/t/{long}/{long}/f"), "deep");
    fs.write_file(&ROOT, root, b"/t/big", &vec![7; 300_000], 0o4755)
        .unwrap();
    fs.write_file(&ROOT, root, b"/t/\xff\x01 odd", b"bytes", 0o600)
        .unwrap();
    fs.symlink(&ROOT, "../x".repeat(60).as_bytes(), root, b"/t/s")
        .unwrap();
    fs.link(&ROOT, (root, b"/t/big"), (root, b"/t/hard"), false)
        .unwrap();
    fs.create_fifo(&ROOT, root, b"/t/p", 0o620).unwrap();
    fs.set_owner(&ROOT, root, b"/t/big", (Some(70_000), Some(3)), true)
        .unwrap();
    let time = NewTime::At(Timestamp {
        seconds: -3,
        nanoseconds: 123_456_789,
    });
    fs.set_times(&ROOT, root, b"/t/big", time, time, true)
        .unwrap();
    fs
}

#[test]
fn what_is_exported_comes_back() {
    let fs = sample();
    let mut bytes = Vec::new();
    fs.export_tar(b"/t", &mut bytes).unwrap();
    let back = new();
    back.create_dir(&ROOT, back.root(), b"/t", 0o755).unwrap();
    back.import_tar(b"/t", &bytes[..]).unwrap();
    let top = fs.stat(&ROOT, fs.root(), b"/t", true).unwrap().mode;
    back.set_mode(&ROOT, back.root(), b"/t", top).unwrap();
    assert_eq!(diff(&fs, &back).unwrap(), []);
    assert_eq!(fs.usage(), back.usage());
    let stat = |fs: &Vfs, path: &[u8]| fs.stat(&ROOT, fs.root(), path, false).unwrap();
    assert_eq!(stat(&back, b"/t/hard").inode, stat(&back, b"/t/big").inode);
    assert_eq!(
        stat(&back, b"/t/big").modified,
        stat(&fs, b"/t/big").modified
    );
    assert_eq!(stat(&back, b"/t/p").kind, Kind::Fifo);
}

#[test]
fn gnu_tar_reads_and_writes_the_same() {
    let fs = sample();
    let mut bytes = Vec::new();
    fs.export_tar(b"/t", &mut bytes).unwrap();
    let host = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str], input: Option<&[u8]>| {
        let mut command = Command::new("tar");
        command.args(arguments).current_dir(host.path());
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let input = input.unwrap_or_default().to_vec();
        let feeder = std::thread::spawn(move || std::io::Write::write_all(&mut stdin, &input));
        let mut output = Vec::new();
        child
            .stdout
            .take()
            .unwrap()
            .read_to_end(&mut output)
            .unwrap();
        feeder.join().unwrap().unwrap();
        assert!(child.wait().unwrap().success());
        output
    };
    run(&["-xpf", "-", "--no-same-owner"], Some(&bytes));
    assert_eq!(
        std::fs::read(host.path().join("hard")).unwrap(),
        vec![7; 300_000]
    );
    for format in ["--format=gnu", "--format=pax"] {
        let again = run(&["-cf", "-", format, "."], None);
        let back = new();
        back.create_dir(&ROOT, back.root(), b"/t", 0o755).unwrap();
        back.import_tar(b"/t", &again[..]).unwrap();
        let content = back
            .read_file(&ROOT, back.root(), b"/t/\xff\x01 odd")
            .unwrap();
        assert_eq!(content, b"bytes", "{format}");
        let big = back.stat(&ROOT, back.root(), b"/t/hard", true).unwrap();
        assert_eq!(
            (big.links, big.size, big.modified.seconds),
            (2, 300_000, -3),
            "{format}"
        );
        let long = "n".repeat(200);
        assert_eq!(
            read(&back, &format!("/t/{long}/{long}/f")).unwrap(),
            "deep",
            "{format}"
        );
    }
}

#[test]
fn files_are_replaced_and_open_ones_live_on() {
    let fs = target();
    let open = fs
        .open(&ROOT, fs.root(), b"/in/old", &OpenOptions::READ, 0)
        .unwrap();
    let bytes = archive(|builder| {
        builder
            .append(&record(EntryType::Regular, "./old", "", 3), &b"new"[..])
            .unwrap();
        builder
            .append(&record(EntryType::Regular, "made/for/it", "", 1), &b"x"[..])
            .unwrap();
    });
    fs.import_tar(b"/in", &bytes[..]).unwrap();
    assert_eq!(read(&fs, "/in/old").unwrap(), "new");
    assert_eq!(names(&fs, "/in/made/for"), ["it"]);
    let mut buffer = [0; 8];
    assert_eq!(open.read(&mut buffer), Ok(3));
    assert_eq!(&buffer[..3], b"old");
    let bytes_before = fs.usage().bytes;
    drop(open);
    assert_eq!(bytes_before - fs.usage().bytes, 3);
}

#[test]
fn t18_archives_that_reach_out_are_refused_whole() {
    let fine = |builder: &mut Builder<Vec<u8>>| {
        builder
            .append(&record(EntryType::Regular, "fine", "", 1), &b"x"[..])
            .unwrap();
    };
    let empty = || std::io::empty();
    for name in ["../up", "/abs", "a/../../up", "..", "a/.."] {
        let bytes = archive(|builder| {
            fine(builder);
            builder
                .append(&record(EntryType::Regular, name, "", 0), empty())
                .unwrap();
        });
        assert_eq!(refused(&bytes), Error::PathEscape, "{name}");
    }
    let through_link = archive(|builder| {
        fine(builder);
        builder
            .append(&record(EntryType::Symlink, "link", "/", 0), empty())
            .unwrap();
        builder
            .append(
                &record(EntryType::Regular, "link/outside", "", 1),
                &b"!"[..],
            )
            .unwrap();
    });
    assert_eq!(refused(&through_link), Error::PathEscape);
    for link in ["../outside", "/outside", ".."] {
        let bytes = archive(|builder| {
            fine(builder);
            builder
                .append(&record(EntryType::Link, "hard", link, 0), empty())
                .unwrap();
        });
        assert_eq!(refused(&bytes), Error::PathEscape, "{link}");
    }
    let lying = archive(|builder| {
        builder
            .append_pax_extensions([("size", &b"512"[..])])
            .unwrap();
        builder
            .append(&record(EntryType::Regular, "file", "", 0), empty())
            .unwrap();
    });
    assert_eq!(refused(&lying), Error::Corrupt);
    let device = archive(|builder| {
        builder
            .append(&record(EntryType::Char, "device", "", 0), empty())
            .unwrap();
    });
    assert_eq!(refused(&device), Error::NotSupported);
}

#[test]
fn t17_sizes_are_refused_before_memory_is_used() {
    let fs = with_quotas(Quotas {
        bytes: 1 << 20,
        ..Quotas::default()
    });
    let huge = record(EntryType::Regular, "huge", "", 7 << 30);
    let mut reads = 0;
    let header = huge.as_bytes().to_vec();
    struct Counting<'a>(std::io::Chain<&'a [u8], std::io::Repeat>, &'a mut u64);
    impl Read for Counting<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let count = self.0.read(buffer)?;
            *self.1 += count as u64;
            Ok(count)
        }
    }
    let endless = Counting(header.chain(std::io::repeat(b'x')), &mut reads);
    assert_eq!(fs.import_tar(b"/", endless), Err(Error::NoSpace));
    assert!(reads < 100_000, "{reads} bytes were read");
    // A name of gigabytes.
    let name = record(EntryType::GNULongName, "", "", 3 << 30)
        .as_bytes()
        .to_vec();
    let mut reads = 0;
    let endless = Counting(name.chain(std::io::repeat(b'n')), &mut reads);
    assert_eq!(fs.import_tar(b"/", endless), Err(Error::Corrupt));
    assert!(reads < 100_000, "{reads} bytes were read");
    // Many files that fit one by one.
    let many = archive(|builder| {
        for index in 0..9 {
            let header = record(EntryType::Regular, &format!("f{index}"), "", 200_000);
            builder
                .append(&header, std::io::repeat(1).take(200_000))
                .unwrap();
        }
    });
    assert_eq!(fs.import_tar(b"/", &many[..]), Err(Error::NoSpace));
    assert_eq!(fs.usage().bytes, 0);
    let short = &many[..100_000];
    assert_eq!(refused(short), Error::Corrupt);
    assert_eq!(refused(&[b'z'; 2048]), Error::Corrupt);
}
