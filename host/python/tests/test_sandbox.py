"""The synchronous classes."""

import io
import tarfile
import threading

import pytest

import offshoot
from offshoot import (
    ConflictError,
    ExecError,
    InvalidError,
    LimitError,
    Limits,
    Mount,
    NotFoundError,
    OffshootError,
    PathEscapeError,
    Sandbox,
    UnavailableError,
)


@pytest.fixture
def sandbox():
    with Sandbox() as made:
        yield made


def test_a_script_gives_its_output_and_status(sandbox):
    result = sandbox.exec("echo out; echo err >&2; exit 3")
    assert (result.stdout, result.stderr, result.exit_code, result.ok) == ("out\n", "err\n", 3, False)
    assert result.command.startswith("echo out")
    assert "exit_code=3" in repr(result)


def test_the_commands_are_loaded_beforehand(sandbox):
    Sandbox.warm()
    assert sandbox.exec("node -p 1; python3 -c 'print(2)'").stdout == "1\n2\n"


def test_bytes_come_through_whole(sandbox):
    every = bytes(range(256))
    result = sandbox.exec("cat", stdin=every)
    assert result.stdout_bytes == every
    assert "\ufffd" in result.stdout


def test_arguments_variables_and_directory(sandbox):
    result = sandbox.exec('echo "$1-$2-$X" $PWD', "a b", "c", env={"X": "1"}, cwd="/tmp")
    assert result.stdout == "a b-c-1 /tmp\n"


def test_a_status_is_an_error_only_where_it_is_asked_for(sandbox):
    with pytest.raises(ExecError, match="exit status 7: why") as raised:
        sandbox.exec("echo out; echo why >&2; exit 7", check=True)
    assert raised.value.result.exit_code == 7
    assert raised.value.output.stdout == "out\n"


def test_a_timeout_is_a_result_with_the_output_so_far(sandbox):
    result = sandbox.exec("echo before; sleep 60", timeout=0.3)
    assert (result.exit_code, result.timed_out, result.stdout) == (124, True, "before\n")


def test_a_limit_is_an_error_with_the_output_so_far():
    with Sandbox(limits=Limits(output=1000)) as sandbox, pytest.raises(LimitError) as raised:
        sandbox.exec("yes")
    assert raised.value.code == "LIMIT"
    assert len(raised.value.output.stdout_bytes) == 1000


@pytest.mark.parametrize(
    ("operation", "error", "code"),
    [
        (lambda s: s.files.read("/nowhere"), NotFoundError, "NOT_FOUND"),
        (lambda s: s.files.read("../../../etc/passwd"), PathEscapeError, "PATH_ESCAPE"),
        (lambda s: s.files.make_dir("/tmp", parents=False), ConflictError, "CONFLICT"),
        (lambda s: s.exec("true", cwd="/nowhere"), NotFoundError, "NOT_FOUND"),
        (lambda s: (s.files.write("b", b"\xff"), s.files.read("b")), InvalidError, "NOT_TEXT"),
    ],
)
def test_errors_have_types_and_codes(sandbox, operation, error, code):
    with pytest.raises(error) as raised:
        operation(sandbox)
    assert raised.value.code == code
    assert isinstance(raised.value, OffshootError)


@pytest.mark.parametrize(
    ("operation", "errno"),
    [
        (lambda files: files.read("missing"), "ENOENT"),
        (lambda files: files.read("directory"), "EISDIR"),
        (lambda files: files.write("directory", ""), "EISDIR"),
        (lambda files: files.list("file"), "ENOTDIR"),
        (lambda files: files.write("file/below", ""), "ENOTDIR"),
        (lambda files: files.make_dir("file/below"), "ENOTDIR"),
        (lambda files: files.make_dir("file"), "EEXIST"),
        (lambda files: files.remove("directory"), "EISDIR"),
        (lambda files: files.info("loop"), "ELOOP"),
    ],
)
def test_errors_of_files_have_the_names_of_posix(sandbox, operation, errno):
    sandbox.exec("mkdir directory; : > file; ln -s loop loop", check=True)
    with pytest.raises(OffshootError) as raised:
        operation(sandbox.files)
    assert raised.value.errno == errno


@pytest.mark.parametrize(
    "settings",
    [
        {"limits": Limits(time=-1)},
        {"mounts": [Mount("/nonexistent", "/work")]},
        {"mounts": [Mount(".", "/work", "rw")]},
        {"secrets": [offshoot.Secret("https://example.com", "Authorization", "x")]},
    ],
)
def test_settings_that_make_no_sense_are_refused(settings):
    with pytest.raises((ValueError, OffshootError)):
        Sandbox(**settings)


def test_a_closed_sandbox_is_unavailable(sandbox):
    sandbox.close()
    sandbox.close()
    with pytest.raises(UnavailableError):
        sandbox.exec("true")


def test_files(sandbox):
    files = sandbox.files
    files.write("a/b/c.txt", "text")
    files.write_many({"a/d": memoryview(b"bytes"), "a/e": bytearray(b"more")})
    assert files.read("a/b/c.txt") == "text"
    assert [(entry.name, entry.kind, entry.size) for entry in files.list("a")] == [
        ("b", "directory", files.info("a/b").size),
        ("d", "file", 5),
        ("e", "file", 4),
    ]
    files.rename("a/d", "f")
    files.copy("f", "g")
    assert files.exists("g") and not files.exists("a/d")
    assert files.info("f").modified > 1_700_000_000
    files.remove("a", recursive=True)
    files.remove("a", missing_ok=True)
    with pytest.raises(TypeError):
        files.write("x", 3)


def test_archives_move_a_directory(sandbox):
    sandbox.files.write("tree/x", "1")
    archive = sandbox.files.export_tar("tree")
    assert "x" in "".join(tarfile.open(fileobj=io.BytesIO(archive)).getnames())
    sandbox.files.make_dir("copy")
    sandbox.files.import_tar(archive, "copy")
    assert sandbox.files.read("copy/x") == "1"


def test_branches_are_independent(sandbox):
    sandbox.files.write("state", "0")
    first, second = sandbox.fork_many(2)
    first.exec("echo 1 > state; touch new")
    assert second.files.read("state") == "0"
    found = {(change.kind, change.path) for change in sandbox.diff(first)}
    assert ("added", "/home/user/new") in found
    assert ("modified", "/home/user/state") in found


def test_a_session_keeps_the_shells_state(sandbox):
    session = sandbox.session()
    session.exec("cd /tmp; x=1; f() { echo $((x++)); }")
    session.exec("f >/dev/null")
    branch = session.fork()
    assert branch.exec("f; pwd").stdout == "2\n/tmp\n"
    assert session.exec("echo $x").stdout == "2\n"
    later = sandbox.load_session(session.export())
    assert later.exec("f").stdout == "2\n"


def test_a_process_streams_both_ways(sandbox):
    process = sandbox.spawn("while read -r x; do echo \"<$x>\"; echo e >&2; done; exit 5")
    process.write("a\n")
    pieces = iter(process)
    assert next(pieces) == b"<a>\n"
    process.write(b"b\n")
    process.close_stdin()
    assert b"".join(pieces) == b"<b>\n"
    assert b"".join(process.stderr()) == b"e\ne\n"
    assert process.wait() == 5


def test_a_process_takes_signals(sandbox):
    process = sandbox.spawn("trap 'echo got; exit 9' TERM; echo ready; while :; do sleep 0.01; done")
    pieces = iter(process)
    assert next(pieces) == b"ready\n"
    process.signal("TERM")
    assert b"".join(pieces) == b"got\n"
    assert process.wait() == 9
    ended = sandbox.spawn("sleep 600")
    ended.kill()
    assert ended.wait() == 137


def test_output_is_seen_as_it_comes(sandbox):
    seen, errors = [], []
    result = sandbox.exec(
        "echo a; echo b >&2; echo c", on_stdout=seen.append, on_stderr=errors.append
    )
    assert (b"".join(seen), b"".join(errors)) == (b"a\nc\n", b"b\n")
    assert result.stdout == "a\nc\n"


def test_a_callback_that_fails_ends_the_script(sandbox):
    def refuse(_piece):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        sandbox.exec("yes", on_stdout=refuse)


def test_commands_are_functions():
    def double(call):
        return f"{int(call.arguments[0]) * 2}\n"

    def shout(call):
        call.write(call.read().upper())
        call.write_error("done\n")
        return 4

    async def later(call):
        return f"{call.name} {call.cwd} {call.env['X']}\n"

    def fails(_call):
        raise ValueError("no")

    commands = {"double": double, "shout": shout, "later": later, "fails": fails}
    with Sandbox(commands=commands) as sandbox:
        assert sandbox.exec("double 21 | cat").stdout == "42\n"
        result = sandbox.exec("echo hi | shout")
        assert (result.stdout, result.stderr, result.exit_code) == ("HI\n", "done\n", 4)
        assert sandbox.exec("cd /tmp; X=1 later").stdout == "later /tmp 1\n"
        failed = sandbox.exec("fails")
        assert failed.exit_code == 1 and "no" in failed.stderr


def test_a_command_may_use_the_sandbox_that_it_runs_in():
    made = {}
    with Sandbox(commands={"inner": lambda call: made["s"].exec("echo inside").stdout}) as sandbox:
        made["s"] = sandbox
        assert sandbox.exec("inner | tr a-z A-Z").stdout == "INSIDE\n"


def test_mounts_show_a_folder_and_keep_it_as_it_is(tmp_path):
    (tmp_path / "x").write_text("host")
    with Sandbox(mounts=[Mount(tmp_path, "/work", "cow")]) as sandbox:
        assert sandbox.exec("cat /work/x; echo new > /work/x; cat /work/x").stdout == "hostnew\n"
    assert (tmp_path / "x").read_text() == "host"
    with Sandbox(mounts=[Mount(tmp_path, "/work")]) as sandbox:
        assert sandbox.exec("echo new > /work/x").exit_code == 1


def test_the_interpreter_is_free_while_a_script_runs(sandbox):
    counted = []
    done = threading.Event()

    def count():
        while not done.is_set():
            counted.append(1)

    thread = threading.Thread(target=count)
    thread.start()
    before = len(counted)
    sandbox.exec("sleep 0.2")
    after = len(counted)
    done.set()
    thread.join()
    assert after > before + 100


def test_a_seed_makes_runs_repeat():
    script = "date +%s%N; echo $RANDOM; head -c 8 /dev/urandom | od -An -tx1"
    first, second = (Sandbox(seed=7).exec(script).stdout for _ in range(2))
    assert first == second


def test_a_terminal_takes_turns():
    with Sandbox(env={"PS1": "$ "}) as sandbox:
        terminal = sandbox.terminal()
        assert terminal.turn() == b"$ "
        terminal.write("x=5; echo $((x * 2))\n")
        assert terminal.turn() == b"10\n$ "
        terminal.write("exit 3\n")
        assert terminal.turn() is None
        assert terminal.wait() == 3


def test_a_watcher_tells_what_happened(sandbox):
    sandbox.exec("mkdir d; echo 1 > d/changed; echo 2 > d/gone; echo 3 > d/skipped.log", check=True)
    watcher = sandbox.files.watch("d", exclude=["*.log"])
    assert watcher.look() == []
    sandbox.exec("cd d; echo 4 >> changed; rm gone; : > new; : >> skipped.log; chmod 600 new", check=True)
    told = {event.path.rpartition("/")[2]: event.kind for event in watcher.next()}
    assert told == {"changed": "written", "gone": "removed", "new": "added"}
    with pytest.raises(NotFoundError):
        sandbox.files.watch("missing")


def test_every_name_is_documented():
    for name in offshoot.__all__:
        thing = getattr(offshoot, name)
        if isinstance(thing, type):
            assert thing.__doc__, name
