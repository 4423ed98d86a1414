"""Compressions that this interpreter is built without: a process of the sandbox does them, for `_bz2` and `_lzma`.

`guest-tools/programs/codec/src/coder.rs` says what is sent to it and what it answers.
"""

import os
import subprocess

_PROGRAM = "/usr/bin/xz"
# How much is sent at once: what is sent is read before an answer is written.
_PIECE = 32 << 10


class Refused(Exception):
    """The data, or a setting, is not as it must be."""


class Short(Refused):
    """More memory is needed than was allowed."""


def folded(data):
    """Any buffer as bytes."""
    return data if isinstance(data, bytes) else bytes(memoryview(data))


class Coder:
    """One process that compresses or decompresses one stream; it is started by what is first sent."""

    def __init__(self, *words):
        self._words = [_PROGRAM, "--coder", *words]
        self._process = None

    def __del__(self):
        self.close()

    def close(self):
        process, self._process = self._process, None
        if process is not None:
            process.stdin.close()
            process.stdout.close()
            process.wait()

    def send(self, piece):
        """Sends at most `_PIECE` bytes."""
        if self._process is None:
            if not os.path.exists(_PROGRAM):
                raise OSError(f"bz2 and lzma need {_PROGRAM}, which this sandbox does not have")
            pipe = subprocess.PIPE
            self._process = subprocess.Popen(self._words, stdin=pipe, stdout=pipe, bufsize=0)
        left = memoryview(len(piece).to_bytes(4, "little") + piece)
        try:
            while left:
                left = left[self._process.stdin.write(left) :]
        except BrokenPipeError:
            # It has answered why it ended.
            pass

    def receive(self):
        """The letter of the next frame and its bytes."""
        head = self._read(5)
        text = self._read(int.from_bytes(head[1:], "little"))
        if head[:1] in b"xm":
            self.close()
            raise (Short if head[:1] == b"m" else Refused)(text.decode())
        if head[:1] == b"e":
            self.close()
        return head[:1], text

    def _read(self, count):
        parts = []
        while count:
            part = self._process.stdout.read(count)
            if not part:
                raise OSError("the process that compresses has ended")
            parts.append(part)
            count -= len(part)
        return b"".join(parts)


class Compressor:
    """What compressors of both modules do."""

    def __init__(self, *words):
        self._coder = Coder(*words)
        self._flushed = False

    def _run(self, piece):
        made = []
        self._coder.send(piece)
        while True:
            kind, text = self._coder.receive()
            if kind != b"d":
                return b"".join(made)
            made.append(text)

    def compress(self, data):
        if self._flushed:
            raise ValueError("Compressor has been flushed")
        data = folded(data)
        pieces = (data[at : at + _PIECE] for at in range(0, len(data), _PIECE))
        return b"".join([self._run(piece) for piece in pieces])

    def flush(self):
        if self._flushed:
            raise ValueError("Repeated call to flush()")
        self._flushed = True
        return self._run(b"")

    def __getstate__(self):
        raise TypeError(f"cannot pickle '{type(self).__name__}' object")


class Decompressor:
    """What decompressors of both modules do."""

    # What was given and not sent; whether an answer is being read; what was answered beyond what was asked for.
    _waiting, _answering, _made = b"", False, b""
    # What follows the stream, once it has ended; what was wrong with it.
    _rest = _failure = None

    def __init__(self, *words):
        self._coder = Coder(*words)

    @property
    def eof(self):
        """Whether the end of the stream was reached, and all before it was handed out."""
        return self._rest is not None and not self._made

    @property
    def unused_data(self):
        """What follows the stream."""
        return self._rest if self.eof else b""

    @property
    def needs_input(self):
        """Whether only more data would give more."""
        ended = self._rest is not None or self._failure is not None
        return not (ended or self._made or self._answering or self._waiting)

    def decompress(self, data, max_length=-1):
        if self.eof:
            raise EOFError("End of stream already reached")
        if self._failure is not None:
            raise self._failure
        if self._rest is None:
            self._waiting += folded(data)
        else:
            self._rest += folded(data)
        made, length = [self._made], len(self._made)
        # One more than what was asked for tells whether there is more.
        while (max_length < 0 or length <= max_length) and (text := self._next()) is not None:
            made.append(text)
            length += len(text)
        text = b"".join(made)
        count = length if max_length < 0 else max_length
        self._made = text[count:]
        return text[:count]

    def _next(self):
        """What the process answers next, None where it has nothing to answer."""
        if not self._answering:
            if self._rest is not None or not self._waiting:
                return None
            piece, self._waiting = self._waiting[:_PIECE], self._waiting[_PIECE:]
            self._coder.send(piece)
            self._answering = True
        try:
            kind, text = self._coder.receive()
        except Refused as error:
            self._failure = error
            raise
        if kind == b"d":
            return text
        self._answering = False
        if kind == b"e":
            self._rest, self._waiting = text + self._waiting, b""
        return b""

    def __getstate__(self):
        raise TypeError(f"cannot pickle '{type(self).__name__}' object")
