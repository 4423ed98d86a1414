"""Files by the Python SDK."""

import gzip
import io
import urllib.error
import urllib.request

from e2b import (
    FileNotFoundException,
    FilesystemEventType,
    FileType,
    InvalidArgumentException,
    Sandbox,
    SandboxException,
)


def raises(kind, work):
    try:
        work()
    except kind as error:
        return error
    raise AssertionError(f"{kind.__name__} was expected")


box = Sandbox.create(timeout=120)
files = box.files
every_byte = bytes(range(256)) * 300

# Text and bytes, from everywhere to everywhere.
info = files.write("notes/a.txt", "hällo\n")
assert (info.name, info.path) == ("a.txt", "/home/user/notes/a.txt")
assert files.read("notes/a.txt") == "hällo\n"
assert files.read("/home/user/notes/../notes/a.txt") == "hällo\n"
files.write("/tmp/b", every_byte)
assert bytes(files.read("/tmp/b", format="bytes")) == every_byte
assert b"".join(files.read("/tmp/b", format="stream")) == every_byte
files.write("/tmp/empty", "")
assert files.read("/tmp/empty") == ""
files.write("/tmp/stream", io.BytesIO(every_byte))
assert bytes(files.read("/tmp/stream", format="bytes", gzip=True)) == every_byte
files.write("/tmp/zipped", every_byte, gzip=True)
assert bytes(files.read("/tmp/zipped", format="bytes")) == every_byte
written = files.write_files([{"path": "/tmp/m/1", "data": "one"}, {"path": "/tmp/m/2", "data": b"\xff"}])
assert [entry.path for entry in written] == ["/tmp/m/1", "/tmp/m/2"]
assert bytes(files.read("/tmp/m/2", format="bytes")) == b"\xff"
name = "/tmp/with space & ümlaut?.txt"
files.write(name, "odd")
assert files.read(name) == "odd"
raises(FileNotFoundException, lambda: files.read("/tmp/missing"))
raises(InvalidArgumentException, lambda: files.read("/tmp"))

# What is known of files beside their contents.
assert files.write("/tmp/noted", "x", metadata={"a": "b", "c-d": "e f"}).metadata == {"a": "b", "c-d": "e f"}
box.commands.run("mv /tmp/noted /tmp/moved")
assert files.get_info("/tmp/moved").metadata == {"a": "b", "c-d": "e f"}
assert files.get_info("/tmp/b").metadata is None
files.write("/tmp/moved", "y")
assert files.get_info("/tmp/moved").metadata is None

# What commands see of it, and the other way round.
assert box.commands.run("cat /tmp/with*; stat -c %U notes notes/a.txt").stdout == "odduser\nuser\n"
box.commands.run("echo from a command > made; chmod 750 made; ln -s made link; ln -s nowhere dangling")
assert files.read("link") == "from a command\n"

# Facts.
fact = files.get_info("made")
assert (fact.name, fact.type, fact.size, fact.mode) == ("made", FileType.FILE, 15, 0o750), fact
assert (fact.permissions, fact.owner, fact.group) == ("-rwxr-x---", "user", "user"), fact
link = files.get_info("link")
assert link.type == FileType.SYMLINK and link.symlink_target == "made", link
assert files.exists("made") and files.exists("dangling") and not files.exists("missing")
raises(FileNotFoundException, lambda: files.get_info("missing"))

# Directories.
assert files.make_dir("d/e/f") is True
assert files.make_dir("d/e/f") is False
raises(InvalidArgumentException, lambda: files.make_dir("made"))
files.write("d/e/file", "x")
assert [(e.name, e.type) for e in files.list("d")] == [("e", FileType.DIR)]
assert [e.path for e in files.list("d", depth=2)] == [f"/home/user/d/{n}" for n in ("e", "e/f", "e/file")]
raises(FileNotFoundException, lambda: files.list("missing"))
raises(InvalidArgumentException, lambda: files.list("made"))
moved = files.rename("d/e/file", "g/h")
assert moved.path == "/home/user/g/h" and files.read("g/h") == "x"
raises(FileNotFoundException, lambda: files.rename("missing", "other"))
files.remove("d")
assert not files.exists("d")
files.remove("d")

# Watching.
files.make_dir("w/sub")
flat, deep = files.watch_dir("w"), files.watch_dir("w", recursive=True, include_entry=True)
files.write("w/one", "1")
files.write("w/sub/two", "2")
seen = [(event.name, event.type) for event in flat.get_new_events()]
assert ("one", FilesystemEventType.CREATE) in seen and ("one", FilesystemEventType.WRITE) in seen, seen
assert not any("two" in name for name, _ in seen), seen
events = deep.get_new_events()
assert {event.name for event in events} == {"one", "sub/two"}, events
assert all(event.entry.size == 1 for event in events)
files.write("w/one", "longer")
files.remove("w/sub/two")
box.commands.run("chmod 600 w/one")
files.rename("w/one", "w/uno")
seen = {(event.name, event.type) for event in deep.get_new_events()}
assert ("sub/two", FilesystemEventType.REMOVE) in seen, seen
assert ("one", FilesystemEventType.RENAME) in seen and ("uno", FilesystemEventType.CREATE) in seen, seen
flat.stop()
raises(SandboxException, flat.get_new_events)
raises(FileNotFoundException, lambda: files.watch_dir("missing"))

# Signed URLs need no header.
url = box.download_url("/tmp/b")
assert urllib.request.urlopen(url).read() == every_byte
request = urllib.request.Request(
    box.upload_url("/tmp/by url", use_signature_expiration=60),
    data=gzip.compress(b"by url"),
    headers={"Content-Type": "application/octet-stream", "Content-Encoding": "gzip"},
)
urllib.request.urlopen(request)
assert files.read("/tmp/by url") == "by url"
for wrong in (url.replace("tmp", "etc"), box.download_url("/tmp/b", use_signature_expiration=-5)):
    assert raises(urllib.error.HTTPError, lambda: urllib.request.urlopen(wrong)).code == 401
box.kill()
