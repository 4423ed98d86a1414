"""The process behind a connection to a host beyond the sandbox: `python3 -m _relay HOST PORT`.

It reads one request of HTTP/1.1 (RFC 9112) from its standard input, has `curl` send it, and writes the answer to its
standard output. A host at port 443, or behind the byte that `_ssl` begins with, is asked by TLS.
"""

import os
import select
import subprocess
import sys

# What `_ssl` sends instead of a handshake.
SECURE = b"\0"
_OWN = {"host", "connection", "content-length", "transfer-encoding", "expect", "keep-alive", "proxy-connection", "te", "upgrade"}
_HEAD = 65536
# Seconds for the first byte: in other protocols than HTTP the server begins, and a client would wait for ever.
_PATIENCE = 5


class _Input:
    """What the client sends."""

    def __init__(self):
        self._rest = b""

    def _more(self):
        piece = os.read(0, 65536)
        self._rest += piece
        return bool(piece)

    def byte(self):
        """The first byte; none where the client sends nothing."""
        if not self._rest and not select.select([0], [], [], _PATIENCE)[0]:
            return b""
        return self._rest[:1] if self._rest or self._more() else b""

    def skip(self, count):
        self._rest = self._rest[count:]

    def line(self):
        """A line without its end; none where there is no whole one."""
        while b"\n" not in self._rest:
            if len(self._rest) > _HEAD or not self._more():
                return None
        line, _, self._rest = self._rest.partition(b"\n")
        return line.removesuffix(b"\r").decode("latin-1")

    def take(self, count):
        """At most that many bytes, in pieces."""
        while count:
            if not self._rest and not self._more():
                raise EOFError
            piece, self._rest = self._rest[:count], self._rest[count:]
            count -= len(piece)
            yield piece

    def chunks(self):
        """The content of a chunked body."""
        while size := int((self.line() or "").partition(";")[0], 16):
            yield from self.take(size)
            self.line()
        while self.line():
            pass


def _head(source):
    """Method, target and header fields of the request, None where there is none."""
    first = source.line()
    if not first or len(first.split(" ")) != 3:
        return None
    method, target, _ = first.split(" ")
    fields = []
    while line := source.line():
        name, _, value = line.partition(":")
        fields.append((name.strip(), value.strip()))
    return method, target, fields


def _url(scheme, host, port, target, fields):
    if "://" in target:
        return target
    named = next((value for name, value in fields if name.lower() == "host"), "")
    plain = f"[{host}]" if ":" in host else host
    where = named if named.rpartition(":")[0] == plain or named == plain else f"{plain}:{port}"
    return f"{scheme}://{where.removesuffix(':443' if scheme == 'https' else ':80')}{target}"


def _words(method, url, fields, sends):
    words = ["curl", "-sS", "-i", "--globoff", url]
    words += ["--head"] if method == "HEAD" else ["-X", method]
    given = {name.lower() for name, _ in fields}
    for name, value in fields:
        if name.lower() not in _OWN:
            words += ["-H", f"{name}: {value}" if value else f"{name};"]
    for name in ("Accept", "User-Agent", "Content-Type"):
        if name.lower() not in given:
            words += ["-H", name + ":"]
    return words + ["--data-binary", "@-"] * sends


def _send(source, fields, process):
    """Gives the body to `curl`."""
    lengths = {name.lower(): value for name, value in fields}
    chunked = "chunked" in lengths.get("transfer-encoding", "").lower()
    body = source.chunks() if chunked else source.take(int(lengths.get("content-length", "0")))
    try:
        for piece in body:
            process.stdin.write(piece)
        process.stdin.close()
    except BrokenPipeError:
        pass


def _write(content):
    while content:
        content = content[os.write(1, content) :]


def _answer(process):
    """Passes the answer on; whether there was one."""
    stream = process.stdout
    first = stream.readline()
    if not first:
        return False
    status = first.decode("latin-1").split(" ", 2)
    reason = status[2].strip() if len(status) > 2 else ""
    _write(f"HTTP/1.1 {status[1].strip()} {reason}\r\n".encode("latin-1"))
    while (line := stream.readline()).strip():
        if line.partition(b":")[0].lower() not in (b"connection", b"transfer-encoding", b"keep-alive"):
            _write(line)
    _write(b"Connection: close\r\n\r\n")
    while piece := stream.read1(65536):
        _write(piece)
    return True


def _refuse(message):
    """An answer that says why there is none: it was not allowed, or there is no such host or server."""
    said = message.strip().splitlines()[-1] if message.strip() else "no answer"
    said = said.partition(") ")[2] or said
    denied = "policy" in said or "no network" in said
    _write(
        f"HTTP/1.1 {403 if denied else 502} {said}\r\nContent-Type: text/plain; charset=utf-8\r\n"
        f"Content-Length: {len(said.encode()) + 1}\r\nConnection: close\r\n\r\n{said}\n".encode()
    )


def main():
    host, port = sys.argv[1], sys.argv[2]
    source = _Input()
    first = source.byte()
    if not first:
        return 1
    secure = first == SECURE
    source.skip(int(secure))
    request = _head(source)
    if request is None:
        return 1
    method, target, fields = request
    scheme = "https" if secure or port == "443" else "http"
    given = {name.lower(): value for name, value in fields}
    sends = "content-length" in given or "transfer-encoding" in given
    if given.get("expect", "").lower() == "100-continue":
        _write(b"HTTP/1.1 100 Continue\r\n\r\n")
    process = subprocess.Popen(
        _words(method, _url(scheme, host, port, target, fields), fields, sends),
        stdin=subprocess.PIPE if sends else subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    if sends:
        _send(source, fields, process)
    if not _answer(process):
        _refuse(process.stderr.read().decode("utf-8", "replace"))
    return process.wait()


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (BrokenPipeError, EOFError, ValueError):
        sys.exit(1)
