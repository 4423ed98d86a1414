"""Runs cells one after the other in one interpreter: what is behind a context in Python.

The component is called once for each cell, so that nothing of it is on a stack between two of them. A cell comes as a
line of JSON on descriptor 3. What happens goes to descriptor 1 in frames, each of one write:

    RS TOKEN KIND MORE LENGTH NEWLINE CONTENT

`TOKEN` came with the cell, so that nothing that a cell prints, and no process that it starts, writes a frame. What is
written to the descriptor between frames is output of such processes. `KIND` is one of

    n  the number of the cell, before it runs
    o  text for standard output
    e  text for standard error
    r  JSON: a value that is shown, by media types, and whether it is the cell's own
    x  JSON: the exception that ended the cell: name, value, traceback
    d  the end of the cell

`MORE` is `+` where the content goes on in the next frame of the kind, else `.`.
"""

import ast
import base64
import builtins
import inspect
import io
import json
import linecache
import os
import selectors
import sys
import time
import traceback
import types

import _sandbox

_CELLS = 3
_OUTPUT = 1
# What frames of this file are told by.
_FILE = (lambda: 0).__code__.co_filename
# What is written at once goes into a pipe as one piece.
_PIECE = 3072
# Seconds until the flag is looked for again.
_LOOK = 0.02
_PAUSE = 0.05

_REPRESENTATIONS = {
    "_repr_html_": "text/html",
    "_repr_markdown_": "text/markdown",
    "_repr_svg_": "image/svg+xml",
    "_repr_png_": "image/png",
    "_repr_jpeg_": "image/jpeg",
    "_repr_pdf_": "application/pdf",
    "_repr_latex_": "text/latex",
    "_repr_json_": "application/json",
    "_repr_javascript_": "application/javascript",
}


class _Channel:
    """Where frames go."""

    def __init__(self):
        self.token = b""

    def send(self, kind, content):
        with _Unarmed():
            self._send(kind, content)

    def _send(self, kind, content):
        while True:
            piece, content = content[:_PIECE], content[_PIECE:]
            more = b"+" if content else b"."
            frame = b"\x1e%s%s%s%d\n%s" % (self.token, kind, more, len(piece), piece)
            while frame:
                frame = frame[os.write(_OUTPUT, frame) :]
            if not content:
                return

    def send_json(self, kind, value):
        text = json.dumps(value, default=repr, ensure_ascii=False)
        self.send(kind, text.encode("utf-8", "replace"))


_channel = _Channel()


class _Stream(io.TextIOBase):
    """`sys.stdout` or `sys.stderr` of cells: a line at a time, or when it is flushed."""

    encoding, errors, mode = "utf-8", "replace", "w"

    def __init__(self, kind, name, number):
        self._kind, self.name, self._number = kind, name, number
        self._held = []
        self._size = 0
        self.buffer = _Bytes(self)

    def writable(self):
        return True

    def fileno(self):
        return self._number

    def isatty(self):
        return False

    def write(self, text):
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        if text:
            self._held.append(text)
            self._size += len(text)
            if "\n" in text or self._size > _PIECE:
                self.flush()
        return len(text)

    def flush(self):
        held, self._held, self._size = "".join(self._held), [], 0
        if held:
            _channel.send(self._kind, held.encode("utf-8", "replace"))


class _Bytes(io.RawIOBase):
    """What is below a stream of text."""

    def __init__(self, stream):
        self._stream = stream

    def writable(self):
        return True

    def fileno(self):
        return self._stream.fileno()

    def write(self, content):
        self._stream.write(bytes(content).decode("utf-8", "replace"))
        self._stream.flush()
        return len(content)


class _NoInput(io.TextIOBase):
    """`sys.stdin` of cells."""

    name, encoding, mode = "<stdin>", "utf-8", "r"

    def readable(self):
        return True

    def fileno(self):
        return 0

    def isatty(self):
        return False

    def read(self, size=-1):
        raise EOFError("a cell has no standard input")

    readline = read


def _no_input(prompt=""):
    raise EOFError("a cell has no standard input: input() cannot ask anybody")


# What interrupts a cell.


class _Armed:
    """Whether the cell may be interrupted: where it computes, by the host, which sees the slot; where it waits, by
    a file that somebody makes. There are no signals that a program could handle."""

    __slots__ = ("value",)


armed = _Armed()
armed.value = False
# Where the host finds the slot, which comes behind the head of the object, and what it writes (`reach.py`).
_TOLD = "armed:%08x yes:%08x no:%08x raised:%08x" % (
    id(armed) + object.__basicsize__, id(True), id(False), id(KeyboardInterrupt)
)  # fmt: skip


class _Unarmed:
    """Nothing interrupts what is done meanwhile."""

    def __enter__(self):
        self._before, armed.value = armed.value, False

    def __exit__(self, *_):
        armed.value = self._before


class _Interrupt:
    """The file."""

    def __init__(self):
        self.flag = b""
        self._next = 0.0

    def look(self):
        """Raises where the cell is to end. At most so often is the file looked for."""
        now = time.monotonic()
        if armed.value and now >= self._next:
            self._next = now + _LOOK
            if _sandbox.exists(self.flag):
                armed.value = False
                raise KeyboardInterrupt

    def watch(self):
        """Looks now and then while code waits."""
        _wait_in_parts(self.look)


def _settle():
    """What was about to interrupt the caller does so when this is called."""


def _wait_in_parts(look):
    sleep, wait = time.sleep, _sandbox.wait

    def sleep_in_parts(seconds):
        if not seconds > _PAUSE:
            return sleep(seconds)
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            look()
            sleep(min(left, _PAUSE))

    def wait_in_parts(pid):
        pause = 0.0005
        while True:
            status = _sandbox.try_wait(pid)
            if status is not None:
                return status
            try:
                look()
            except KeyboardInterrupt:
                _sandbox.kill(pid, 2)
                wait(pid)
                raise
            sleep(pause)
            pause = min(pause * 2, _PAUSE)

    time.sleep, _sandbox.wait = sleep_in_parts, wait_in_parts
    for kind in {selectors.DefaultSelector, selectors.SelectSelector}:

        def select(self, timeout=None, *, _whole=kind.select):
            look()
            return _whole(self, _PAUSE if timeout is None else min(timeout, _PAUSE))

        kind.select = select


# What values look like.


def _plain(value):
    return value[0] if isinstance(value, tuple) and len(value) == 2 and isinstance(value[1], dict) else value


def _content(value):
    return base64.b64encode(value).decode() if isinstance(value, (bytes, bytearray)) else value


def _bundle(value):
    """The value by media types. A representation that fails is left out, and said."""
    found = {}
    if not isinstance(value, type):
        if callable(method := getattr(value, "_repr_mimebundle_", None)):
            given = _plain(_try(method) or {})
            found.update(given if isinstance(given, dict) else {})
        for name, kind in _REPRESENTATIONS.items():
            if kind not in found and callable(method := getattr(value, name, None)):
                given = _plain(_try(method))
                if given is not None:
                    found[kind] = given
    if "text/plain" not in found:
        found["text/plain"] = repr(value)
    return {kind: _content(content) for kind, content in found.items() if content is not None}


def _try(method):
    try:
        return method()
    except Exception:
        traceback.print_exc()


def _show(bundle, own):
    sys.stdout.flush()
    sys.stderr.flush()
    _channel.send_json(b"r", {"main": own, "data": bundle})


def display(*values, raw=False, **_):
    """Shows values in the cell's results. With `raw` they are mappings from media types."""
    for value in values:
        _show({kind: _content(content) for kind, content in value.items()} if raw else _bundle(value), False)


class _Shown:
    """Something that is shown as one media type."""

    kind = "text/plain"

    def __init__(self, data=None, url=None, filename=None, **_):
        if filename is not None:
            with open(filename, "rb") as file:
                data = file.read()
        self.data = data

    def _repr_mimebundle_(self, include=None, exclude=None):
        data, kind = self.data, self.kind
        if isinstance(data, bytes) and not kind.startswith(("image/", "application/pdf")):
            data = data.decode("utf-8", "replace")
        return {kind: data, "text/plain": repr(self)}

    def __repr__(self):
        return f"<IPython.core.display.{type(self).__name__} object>"


class _Image(_Shown):
    def __init__(self, data=None, url=None, filename=None, **_):
        if isinstance(data, (str, os.PathLike)):
            data, filename = None, data
        super().__init__(data, url, filename)
        jpeg = isinstance(self.data, bytes) and self.data.startswith(b"\xff\xd8")
        self.kind = "image/jpeg" if jpeg else "image/png"


def _notebook():
    """The modules by which programs show things in a notebook."""
    package, module = types.ModuleType("IPython"), types.ModuleType("IPython.display")
    kinds = {
        "HTML": "text/html", "Markdown": "text/markdown", "SVG": "image/svg+xml", "Latex": "text/latex",
        "Math": "text/latex", "JSON": "application/json", "Javascript": "application/javascript",
        "Pretty": "text/plain",
    }  # fmt: skip
    for name, kind in kinds.items():
        setattr(module, name, type(name, (_Shown,), {"kind": kind}))
    module.Image = type("Image", (_Image,), {})
    module.display, module.clear_output = display, lambda wait=False: None
    package.display, package.get_ipython, package.__path__ = module, lambda: None, []
    sys.modules.setdefault("IPython", package)
    sys.modules.setdefault("IPython.display", module)


# Cells.


def _commands(source):
    """The source with `!command` and `%pip …` as Python; for what is none."""
    lines = []
    for line in source.splitlines():
        bare = line.lstrip()
        indent = line[: len(line) - len(bare)]
        if bare.startswith("!"):
            bare = f"__import__('os').system({bare[1:]!r})and None"
        elif bare.startswith("%pip "):
            bare = f"__import__('os').system({'python3 -m ' + bare[1:]!r})and None"
        elif bare.startswith("%cd "):
            bare = f"__import__('os').chdir({bare[4:].strip()!r})"
        lines.append(indent + bare)
    return "\n".join(lines) + "\n"


def _parse(source, name):
    try:
        return ast.parse(source, name)
    except SyntaxError:
        changed = _commands(source)
        try:
            return ast.parse(changed, name)
        except SyntaxError:
            pass
        raise


def _quiet(source):
    """Whether a semicolon at the end hides the value."""
    last = source.rstrip().rsplit("\n", 1)[-1].partition("#")[0]
    return last.rstrip().endswith(";")


class _Cells:
    def __init__(self, interruptible):
        self.interrupt = _Interrupt()
        self.interruptible = interruptible
        self.count = 0
        self.loop = None
        self.main = types.ModuleType("__main__")
        self.main.__builtins__ = builtins
        self.main.__dict__.update(display=display)
        sys.modules["__main__"] = self.main
        linecache.checkcache = lambda filename=None: None

    def _evaluate(self, code):
        value = eval(code, self.main.__dict__)
        if not code.co_flags & inspect.CO_COROUTINE:
            return value
        if self.loop is None or self.loop.is_closed():
            # Only now: it wakes forty modules.
            import asyncio

            self.loop = asyncio.new_event_loop()
            if self.interruptible:
                # No thread and no signal wakes it, and it waits in parts. So nothing of it stays open.
                self.loop._close_self_pipe()
                self.loop._close_self_pipe = lambda: None
            asyncio.set_event_loop(self.loop)
        return self.loop.run_until_complete(value)

    def _compile(self, tree, name, mode):
        return compile(tree, name, mode, ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)

    def _run(self, source, name):
        tree = _parse(source, name)
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        body = self._compile(tree, name, "exec")
        ending = last and self._compile(ast.Expression(last.value), name, "eval")
        armed.value = self.interruptible
        self._evaluate(body)
        if ending is not None:
            value = self._evaluate(ending)
            if value is not None and not _quiet(source):
                self.main._ = value
                _show(_bundle(value), True)

    def run(self, cell):
        """Runs a cell and says what came of it."""
        self.count += 1
        _channel.token = cell["token"].encode()
        self.interrupt.flag = os.fsencode(cell["flag"])
        _channel.send(b"n", str(self.count).encode())
        source, name = cell["code"], f"<cell {self.count}>"
        linecache.cache[name] = len(source), None, source.splitlines(True), name
        before = dict(os.environ)
        os.environ.update(cell.get("variables") or {})
        failure = None
        try:
            try:
                self._run(source, name)
            finally:
                armed.value = False
                _settle()
        except BaseException as error:
            failure = error
        if cell.get("variables"):
            self._restore(before, cell["variables"])
        if failure is not None:
            self._report(failure)
        sys.stdout.flush()
        sys.stderr.flush()
        _channel.send(b"d", b"")

    def _restore(self, before, variables):
        for name in variables:
            if name in before:
                os.environ[name] = before[name]
            else:
                os.environ.pop(name, None)

    def _report(self, error):
        sys.last_exc = error
        try:
            shown = traceback.TracebackException.from_exception(error)
            own = [frame for frame in shown.stack if frame.filename != _FILE]
            shown.stack = traceback.StackSummary.from_list(() if isinstance(error, SyntaxError) else own)
            lines, value = "".join(shown.format()), str(error)
        except BaseException as second:
            lines, value = f"{type(error).__name__}: <{type(second).__name__} while it was shown>\n", ""
        sys.stdout.flush()
        sys.stderr.flush()
        _channel.send_json(b"x", {"name": type(error).__name__, "value": value, "traceback": lines})


def _line():
    """The next cell. Nothing is open between two of them."""
    with open(f"/dev/fd/{_CELLS}", "rb") as lines:
        return lines.readline()


def begin(interruptible):
    """Prepares for cells; what runs the next one."""
    cells = _Cells(interruptible)
    sys.stdout, sys.stderr = _Stream(b"o", "<stdout>", 1), _Stream(b"e", "<stderr>", 2)
    sys.stdin, builtins.input, builtins.display = _NoInput(), _no_input, display
    _notebook()
    if interruptible:
        cells.interrupt.watch()

    def run():
        if line := _line():
            cells.run(json.loads(line))
        else:
            _sandbox.leave(0)

    return run
