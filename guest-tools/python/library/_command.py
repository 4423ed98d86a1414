"""The command line of `python3`, which is CPython's."""

import io
import os
import sys

import _sandbox
import _store

VERSION = "3.14"
PREFIX = "/usr"
_USAGE = "usage: python3 [option] ... [-c cmd | -m mod | file | -] [arg] ...\n"
_HELP = """\
Options (and corresponding environment variables):
-b     : issue warnings about converting bytes/bytearray to str and comparing
         bytes/bytearray with str or bytes with int; also PYTHONBYTESWARNING
-B     : don't write .pyc files on import; also PYTHONDONTWRITEBYTECODE=x
-c cmd : program passed in as string (terminates option list)
-d     : accepted, without effect
-E     : ignore PYTHON* environment variables (such as PYTHONPATH)
-h     : print this help message and exit (also -? or --help)
-i     : inspect interactively after running script; also PYTHONINSPECT=x
-I     : isolate Python from the user's environment (implies -E and -s)
-m mod : run library module as a script (terminates option list)
-O     : remove assert and __debug__-dependent statements; also PYTHONOPTIMIZE=x
-OO    : do -O changes and also discard docstrings
-P     : don't prepend a potentially unsafe path to sys.path; also PYTHONSAFEPATH
-q     : don't print version and copyright messages on interactive startup
-s     : don't add user site directory to sys.path; also PYTHONNOUSERSITE=x
-S     : don't imply 'import site' on initialization
-u     : force the stdout and stderr streams to be unbuffered; also PYTHONUNBUFFERED=x
-v     : accepted, without effect
-V     : print the Python version number and exit (also --version)
-W arg : warning control; also PYTHONWARNINGS=arg
-x     : skip first line of source
-X opt : set implementation-specific option
--check-hash-based-pycs always|default|never: accepted, without effect

Arguments:
file   : program read from script file
-      : program read from stdin (default; interactive mode if a tty)
arg ...: arguments passed to program in sys.argv[1:]

CPython for WASI, in a sandbox: files, processes and the loopback network are the sandbox's. It has one
thread (a pool of threads runs what is submitted at once), no ctypes, and no extension modules but its own; bz2
and lzma are done by a process beside it. Other hosts are reached by HTTP, as the sandbox's network policy allows.
"""


class _Refused(Exception):
    """The command line is wrong."""


class _Call:
    """What the arguments ask for."""

    def __init__(self, arguments):
        self.name = arguments[0] if arguments else "python3"
        self.letters = ""
        self.warnings = []
        self.extra = []
        self.kind, self.program = "input", None
        self.argv = [""]
        self._read(arguments[1:])

    def _read(self, rest):
        while rest:
            argument = rest.pop(0)
            if argument == "-":
                self.argv = ["-", *rest]
                return
            if argument == "--":
                self._file(rest)
                return
            if argument.startswith("--"):
                self._long(argument, rest)
            elif argument.startswith("-"):
                if self._short(argument[1:], rest):
                    return
            else:
                self._file([argument, *rest])
                return

    def _file(self, rest):
        if rest:
            self.kind, self.program, self.argv = "file", rest[0], list(rest)

    def _long(self, argument, rest):
        if argument in ("--help", "--help-all", "--help-env", "--help-xoptions"):
            self.letters += "h"
        elif argument == "--version":
            self.letters += "V"
        elif argument == "--check-hash-based-pycs":
            if not rest or rest.pop(0) not in ("always", "default", "never"):
                raise _Refused("--check-hash-based-pycs must be one of 'default', 'always', or 'never'")
        else:
            raise _Refused(f"unknown option {argument}")

    def _short(self, letters, rest):
        for at, letter in enumerate(letters):
            if letter in "cmWX":
                value = letters[at + 1 :]
                if not value:
                    if not rest:
                        raise _Refused(f"Argument expected for the -{letter} option")
                    value = rest.pop(0)
                if letter == "W":
                    self.warnings.append(value)
                    return False
                if letter == "X":
                    self.extra.append(value)
                    return False
                self.kind, self.program = ("code" if letter == "c" else "module"), value
                self.argv = ["-" + letter, *rest]
                return True
            if letter not in "bBdEhiIOPqRsStuvVx?":
                raise _Refused(f"Unknown option: -{letter}")
            self.letters += letter
        return False

    def has(self, letter):
        return letter in self.letters

    def count(self, letter, variable):
        """How often an option was given, or what its variable says."""
        given = self.letters.count(letter)
        value = "" if self.has("E") or self.has("I") else os.environ.get(variable, "")
        if value:
            given = max(given, int(value) if value.isdigit() and int(value) > 0 else 1)
        return given


class _Flags(tuple):
    """`sys.flags` with other values: the interpreter's own type makes none."""

    _names = (
        "debug inspect interactive optimize dont_write_bytecode no_user_site no_site ignore_environment verbose "
        "bytes_warning quiet hash_randomization isolated dev_mode utf8_mode warn_default_encoding safe_path "
        "int_max_str_digits gil thread_inherit_context context_aware_warnings"
    ).split()

    def __getattr__(self, name):
        try:
            return self[_Flags._names.index(name)]
        except ValueError:
            raise AttributeError(name) from None

    def __repr__(self):
        return "sys.flags(" + ", ".join(f"{name}={value!r}" for name, value in zip(self._names, self)) + ")"


def adapt():
    """Fits the standard library to the sandbox, while the component is made."""
    import asyncio.unix_events

    class Watcher:
        """Asks for the ends of children now and then: there are no threads that could wait."""

        def add_child_handler(self, pid, callback, *arguments):
            self._look(asyncio.get_running_loop(), 0.0005, pid, callback, arguments)

        def _look(self, loop, pause, pid, callback, arguments):
            found, status = os.waitpid(pid, os.WNOHANG)
            if found:
                loop.call_soon(callback, pid, os.waitstatus_to_exitcode(status), *arguments)
            else:
                loop.call_later(pause, self._look, loop, min(pause * 2, 0.05), pid, callback, arguments)

    import site
    import sysconfig

    def userbase():
        given = "" if sys.flags.ignore_environment else os.environ.get("PYTHONUSERBASE", "")
        return given or os.path.join(os.path.expanduser("~"), ".local")

    # Elsewhere WASI has no home directory.
    site._getuserbase = sysconfig._getuserbase = userbase
    inside, packages = "{userbase}/lib/python{py_version_short}", "{userbase}/lib/python{py_version_short}/site-packages"
    sysconfig._HAS_USER_BASE = True
    sysconfig._INSTALL_SCHEMES["posix_user"] = {
        "stdlib": inside, "platstdlib": inside, "purelib": packages, "platlib": packages,
        "include": "{userbase}/include/python{py_version_short}", "scripts": "{userbase}/bin", "data": "{userbase}",
    }  # fmt: skip
    import socket
    import socketserver

    # One request after the other: there are no threads.
    socketserver.ThreadingMixIn.process_request = socketserver.ThreadingMixIn.process_request_thread
    socket.gethostname = lambda: _sandbox.identify()[6]
    import _executor
    import _world

    _executor.install()
    _world.install()
    asyncio.unix_events._ThreadedChildWatcher = Watcher
    asyncio.unix_events.can_use_pidfd = lambda: False
    base = asyncio.base_events.BaseEventLoop

    async def getaddrinfo(self, host, port, *, family=0, type=0, proto=0, flags=0):
        import socket

        return socket.getaddrinfo(host, port, family, type, proto, flags)

    base.getaddrinfo = getaddrinfo


# What the next call of `run` does, in the process of a context.
_step = None


def call():
    """What a call of `run` does: all that the arguments ask for, or the next step of a context."""
    if _step is None:
        arguments = _sandbox.arguments()
        if arguments[1:2] != ["--cells"]:
            main()
        _open(arguments)
        return
    try:
        _step()
    except BaseException as error:
        _report(error)
        _sandbox.leave(1)


def _open(arguments):
    """The first step of a context: opens what libc opens when it is first used. What a context holds can be captured
    while nothing else is open, so nothing may be opened later."""
    for number in range(3):
        os.isatty(number)
        if number:
            os.write(number, b"")
    os.path.exists("/dev/null")
    import _socket

    try:
        # The first address makes libc ask for the network.
        passing = _socket.socket(_socket.AF_INET, _socket.SOCK_STREAM)
        passing.bind(("127.0.0.1", 0))
        passing.close()
    except OSError:
        pass
    global _step
    _step = lambda: _prepare(arguments)


def _prepare(arguments):
    """The second step: what `python3 -c` does before it runs anything."""
    name, _, interruptible, *_ = arguments
    _begin()
    shown = [name, "-c", ""]
    call = _Call(shown)
    _configure(call, shown)
    _paths(call)
    _front("")
    import _cells

    global _step
    _step = _cells.begin(interruptible == "true")


def main():
    """Runs what the arguments ask for, and ends the process."""
    status = 1
    try:
        status = _run()
    except SystemExit as ending:
        status = _status(ending)
    except BaseException as error:
        _report(error)
    _sandbox.leave(_finish(status))


def _begin():
    """The process begins; its arguments."""
    sys.modules["_clocks"].begin()
    sys.modules["_complete"].install()
    sys.modules[_LAST] = sys.modules.pop(_LAST)
    arguments, variables, directory = _sandbox.startup()
    os.environ.clear()
    for name, value in variables:
        os.environ[name] = value
    try:
        os.chdir(directory)
    except OSError:
        pass
    _streams(False)
    return arguments


def _run():
    arguments = _begin()
    try:
        call = _Call(list(arguments))
    except _Refused as refused:
        sys.stderr.write(f"{refused}\n{_USAGE}Try `python3 -h' for more information.\n")
        return 2
    if call.has("V"):
        print("Python", sys.version if call.letters.count("V") > 1 else sys.version.split()[0])
        return 0
    if call.has("h") or call.has("?"):
        sys.stdout.write(_USAGE + _HELP)
        return 0
    _configure(call, arguments)
    _paths(call)
    return _execute(call)


def _streams(unbuffered):
    encoding = os.environ.get("PYTHONIOENCODING", "utf-8")
    encoding, _, errors = encoding.partition(":")
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        try:
            terminal = os.isatty(number)
            reading = number == 0
            raw = io.FileIO(number, "r" if reading else "w", closefd=False)
            raw.name = f"<{name}>"
            whole = unbuffered and not reading
            buffer = io.BufferedReader(raw) if reading else raw if whole else io.BufferedWriter(raw)
            stream = io.TextIOWrapper(
                buffer,
                encoding or "utf-8",
                errors or ("backslashreplace" if number == 2 else "surrogateescape" if not terminal else "strict"),
                newline=None if reading else "\n",
                line_buffering=not reading and (terminal or number == 2),
                write_through=whole,
            )
            stream.mode = "r" if reading else "w"
        except OSError:
            stream = None
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)


def _configure(call, arguments):
    isolated = call.has("I")
    ignore = isolated or call.has("E")
    variable = (lambda name: "") if ignore else (lambda name: os.environ.get(name, ""))
    sys._xoptions.clear()
    sys._xoptions.update((name, value if sign else True) for name, sign, value in (x.partition("=") for x in call.extra))
    given = variable("PYTHONWARNINGS")
    development = "dev" in sys._xoptions or bool(variable("PYTHONDEVMODE"))
    bytes_warning = call.letters.count("b")
    options = ["default"] if development else []
    options += [one for one in given.split(",") if one] + call.warnings
    options += ["error::BytesWarning" if bytes_warning > 1 else "default::BytesWarning"] * bool(bytes_warning)
    sys.warnoptions[:] = options
    if options:
        import warnings

        warnings._processoptions(options)
    old = sys.flags
    values = {name: getattr(old, name, 0) for name in _Flags._names}
    values.update(
        inspect=call.count("i", "PYTHONINSPECT"),
        interactive=int(call.has("i")),
        optimize=min(call.count("O", "PYTHONOPTIMIZE"), 2),
        dont_write_bytecode=int(bool(call.count("B", "PYTHONDONTWRITEBYTECODE"))),
        no_user_site=int(isolated or bool(call.count("s", "PYTHONNOUSERSITE"))),
        no_site=int(call.has("S")),
        ignore_environment=int(ignore),
        bytes_warning=bytes_warning,
        quiet=int(call.has("q")),
        isolated=int(isolated),
        dev_mode=development,
        utf8_mode=_utf8_mode(sys._xoptions.get("utf8"), variable("PYTHONUTF8")),
        safe_path=isolated or bool(call.count("P", "PYTHONSAFEPATH")),
    )
    sys.flags = _Flags(values[name] for name in _Flags._names)
    sys.dont_write_bytecode = bool(sys.flags.dont_write_bytecode)
    if call.count("u", "PYTHONUNBUFFERED"):
        _streams(True)
    digits = sys._xoptions.get("int_max_str_digits") or variable("PYTHONINTMAXSTRDIGITS")
    if digits and digits is not True:
        sys.set_int_max_str_digits(int(digits))
    sys.argv = list(call.argv)
    sys.orig_argv[:] = arguments
    if sys.flags.optimize:
        _optimize(sys.flags.optimize)


def _utf8_mode(option, variable):
    """As `-X utf8` says, then the variable; on otherwise, as in CPython where the locale is `C`."""
    if option is not None and option not in (True, "0", "1"):
        raise SystemExit("Fatal Python error: preconfig_init_utf8_mode: invalid -X utf8 option value")
    if option is None and variable not in ("", "0", "1"):
        raise SystemExit(
            "Fatal Python error: preconfig_init_utf8_mode: invalid PYTHONUTF8 environment variable value"
        )
    return int((variable or "1") != "0" if option is None else option != "0")


def _optimize(level):
    """Has modules from files compiled as `-O` asks for; `__debug__` of the interpreter itself cannot change."""
    from importlib import _bootstrap_external as external

    plain = external.SourceLoader.source_to_code

    def source_to_code(self, data, path, *, _optimize=-1):
        return plain(self, data, path, _optimize=level if _optimize == -1 else _optimize)

    external.SourceLoader.source_to_code = source_to_code


def _executable(name):
    """The absolute path of what was called."""
    if "/" in name:
        return os.path.abspath(name)
    for folder in os.environ.get("PATH", "/usr/bin").split(":"):
        path = os.path.join(folder or ".", name)
        if os.access(path, os.X_OK):
            return os.path.abspath(path)
    return "/usr/bin/python3"


def _paths(call):
    sys.executable = sys._base_executable = _executable(call.name)
    sys.prefix = sys.exec_prefix = sys.base_prefix = sys.base_exec_prefix = PREFIX
    sys._stdlib_dir = _store.HOME
    home = os.path.dirname(sys.executable)
    for folder in (home, os.path.dirname(home)):
        if os.path.exists(os.path.join(folder, "pyvenv.cfg")):
            sys.prefix = sys.exec_prefix = os.path.dirname(home)
            sys._base_executable = "/usr/bin/python3"
            break
    given = "" if sys.flags.ignore_environment else os.environ.get("PYTHONPATH", "")
    sys.path[:] = [os.path.abspath(one) for one in given.split(":") if given]
    sys.path += [f"{PREFIX}/lib/python314.zip", _store.HOME, f"{_store.HOME}/lib-dynload"]
    sys.path_importer_cache.clear()
    if not sys.flags.no_site:
        import site

        site.PREFIXES[:] = [sys.prefix] if sys.prefix != PREFIX else [f"{PREFIX}/local", PREFIX]
        site.ENABLE_USER_SITE = None
        site.USER_SITE = site.USER_BASE = None
        site.main()


def _execute(call):
    import types

    main = types.ModuleType("__main__")
    main.__builtins__ = sys.modules["builtins"]
    sys.modules["__main__"] = main
    first = None if sys.flags.safe_path else ""
    status = 0
    try:
        if call.kind == "code":
            _front(first)
            _plain(main, call.program + "\n", "<string>")
        elif call.kind == "module":
            _front(first if first is None else os.getcwd())
            import runpy

            runpy._run_module_as_main(call.program)
        elif call.kind == "file":
            _script(main, call)
        else:
            _front(first)
            _input(main)
    except SystemExit as ending:
        status = _status(ending)
    except BaseException as error:
        _report(error)
        status = 130 if isinstance(error, KeyboardInterrupt) else 1
    if sys.flags.inspect and call.kind != "input":
        _interact(main)
    return status


def _front(path):
    if path is not None:
        sys.path.insert(0, path)


def _plain(main, source, name):
    import linecache

    code = compile(source, name, "exec", dont_inherit=True, optimize=sys.flags.optimize)
    if name.startswith("<") and isinstance(source, str):
        linecache.cache[name] = len(source), None, source.splitlines(True), name
    main.__loader__ = sys.modules["importlib._bootstrap"].BuiltinImporter if "importlib._bootstrap" in sys.modules else None
    main.__spec__ = None
    exec(code, main.__dict__)


def _script(main, call):
    path = call.program
    if os.path.isdir(path) or _is_archive(path):
        # As CPython: what holds __main__ is on the path, also where the path is to be safe.
        sys.path.insert(0, os.path.abspath(path) if os.path.isdir(path) else path)
        import runpy

        runpy._run_module_as_main("__main__", False)
        return
    try:
        with open(path, "rb") as file:
            source = file.read()
    except OSError as error:
        sys.stderr.write(f"{call.name}: can't open file {os.path.abspath(path)!r}: [Errno {_posix(error)}] {error.strerror}\n")
        raise SystemExit(2) from None
    if call.has("x"):
        source = b"\n" + source.partition(b"\n")[2]
    if not sys.flags.safe_path:
        sys.path.insert(0, os.path.dirname(os.path.realpath(path)))
    from importlib.machinery import SourceFileLoader

    main.__file__ = path
    main.__cached__ = None
    main.__loader__ = SourceFileLoader("__main__", path)
    main.__spec__ = None
    code = compile(source, path, "exec", dont_inherit=True, optimize=sys.flags.optimize)
    exec(code, main.__dict__)


def _posix(error):
    """The number that the error has on Linux, where programs compare texts."""
    return {"EACCES": 13, "ENOENT": 2, "EISDIR": 21, "ENOTDIR": 20}.get(_name(error), error.errno)


def _name(error):
    import errno

    return errno.errorcode.get(error.errno, "")


def _is_archive(path):
    try:
        with open(path, "rb") as file:
            if file.read(2) == b"#!":
                file.seek(0, 2)
            else:
                file.seek(0)
                return file.read(4) == b"PK\x03\x04"
        import zipfile

        return path.endswith((".pyz", ".zip")) and zipfile.is_zipfile(path)
    except OSError:
        return False


def _input(main):
    if sys.stdin is not None and sys.stdin.isatty() or sys.flags.interactive:
        _interact(main, banner=not sys.flags.quiet)
        return
    source = sys.stdin.buffer.read() if sys.stdin is not None else b""
    main.__file__ = "<stdin>"
    _plain(main, source, "<stdin>")


def _interact(main, banner=False):
    import code

    text = f'Python {sys.version} on {sys.platform}\nType "help", "copyright", "credits" or "license" for more information.'
    sys.flags = _Flags(1 if name == "interactive" else value for name, value in zip(_Flags._names, sys.flags))
    code.InteractiveConsole(main.__dict__).interact(text if banner else "", exitmsg="")


def _status(ending):
    value = ending.code
    if value is None:
        return 0
    if isinstance(value, int):
        return value & 0xFF
    if sys.stderr is not None:
        print(value, file=sys.stderr)
    return 1


def _report(error):
    """Shows what nobody handled, without this module's frames."""
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_code.co_filename in (__file__, _main_file):
        trace = trace.tb_next
    error.__traceback__ = trace
    sys.last_exc = error
    try:
        sys.excepthook(type(error), error, trace)
    except BaseException as second:
        sys.__excepthook__(type(second), second, second.__traceback__)


_main_file = _report.__code__.co_filename


def _forget():
    """Drops what the program's own modules hold, so that files which it left open are written."""
    import gc

    for name in _added():
        module = sys.modules.get(name)
        loader = getattr(getattr(module, "__spec__", None), "loader", None)
        if module is not None and (name == "__main__" or type(loader).__name__ == "SourceFileLoader"):
            module.__dict__.clear()
    # Where nothing was collected so far, all that the program made is young: no walk over the whole library.
    gc.collect(2 if _collections() > _collected else 0)


def _added():
    """The names of the modules that the program has, the last one first. The others are not touched, since the system
    copies each page that is."""
    found = []
    for name in reversed(sys.modules):
        if name == _LAST:
            break
        found.append(name)
    return ["__main__", *found]


# The module after which come those of the program.
_LAST = "_command"
_collected = 0


def begin():
    """The component is made: what happened until now is none of the program's."""
    global _collected
    _collected = _collections()
    os.environ.clear()


def _collections():
    import gc

    return sum(generation["collections"] for generation in gc.get_stats())


def _flush(stream):
    try:
        stream.flush()
        return True
    except (OSError, ValueError):
        return False


def _finish(status):
    """What CPython does at its end: what was registered runs, and what was printed is written."""
    try:
        if "threading" in sys.modules:
            sys.modules["threading"]._shutdown()
        import atexit

        atexit._run_exitfuncs()
        _forget()
    except BaseException as error:
        _report(error)
    for stream in (sys.stdout, sys.stderr):
        if stream is not None and not getattr(stream, "closed", False) and not _flush(stream) and stream is sys.stdout:
            return 120
    return status
