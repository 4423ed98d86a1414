"""Other backends by name: native ones, and connectors against the service of this repository."""

import asyncio
import json
import os
import pathlib
import subprocess
import sys
import time

import pytest

import offshoot
from offshoot import (
    AsyncBackend,
    Backend,
    CapabilityError,
    ConflictError,
    ExecError,
    InvalidError,
    NotFoundError,
    OffshootError,
    PathEscapeError,
    UnavailableError,
)

REPOSITORY = pathlib.Path(__file__).resolve().parents[3]
TARGET = os.environ.get("OFFSHOOT_TARGET")
KEY = "e2b_local_key"


@pytest.fixture(scope="session")
def docker(tmp_path_factory):
    """An engine of Docker with an image, as settings of the backend."""
    if not os.environ.get("OFFSHOOT_DOCKER_TESTS"):
        pytest.skip("OFFSHOOT_DOCKER_TESTS is not set")
    directory = tmp_path_factory.mktemp("engine")
    script = [sys.executable, REPOSITORY / "host/backends/tests/engine", directory]
    with subprocess.Popen(script, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as engine:
        said = engine.stdout.readline().strip()
        if said != "ready":
            pytest.skip(said)
        yield {"socket": str(directory / "socket"), "image": "offshoot-test/busybox:1"}
        engine.stdin.close()


@pytest.fixture(scope="session")
def service():
    """E2B's service as this repository has it, as variables of the connector."""
    if not TARGET:
        pytest.skip("OFFSHOOT_TARGET is not set")
    words = [f"{TARGET}/debug/offshoot", "serve", "--e2b", "--listen", "127.0.0.1:0"]
    environment = os.environ | {"OFFSHOOT_E2B_KEY": KEY}
    with subprocess.Popen(words, env=environment, stdout=subprocess.PIPE, text=True) as server:
        address = server.stdout.readline().strip().partition("=")[2]
        yield {"E2B_API_URL": address, "E2B_SANDBOX_URL": address, "E2B_API_KEY": KEY}
        server.terminate()


@pytest.fixture
def local():
    with Backend("local").create() as sandbox:
        yield sandbox


def begun(sandbox, process, path):
    """Waits until a script has made a file."""
    while not sandbox.files.exists(path):
        time.sleep(0.01)
    return process


def exercised(backend):
    """What a backend with everything does, whatever it is; the sandbox that is left."""
    can = backend.capabilities
    assert can.exec and can.filesystem and can.streaming and can.snapshot and can.fork and can.cancel
    sandbox = backend.create(env={"GREETING": "hello"})
    assert sandbox.backend == backend.name and sandbox.capabilities.exec
    # Commands.
    every = bytes(range(256))
    assert sandbox.exec("cat", stdin=every).stdout_bytes == every
    done = sandbox.exec('echo "$GREETING $1 $X"; echo err >&2; exit 3', "a b", env={"X": "1"})
    assert (done.stdout, done.stderr, done.exit_code) == ("hello a b 1\n", "err\n", 3)
    with pytest.raises(ExecError):
        sandbox.exec("exit 3", check=True)
    seen = []
    assert sandbox.exec("echo a; cat", stdin="b", on_stdout=seen.append).stdout == "a\nb" == b"".join(seen).decode()
    late = sandbox.exec("echo before; sleep 60", timeout=1)
    assert (late.exit_code, late.timed_out, late.stdout) == (124, True, "before\n")
    # Streams.
    process = sandbox.spawn("while read -r x; do echo \"<$x>\"; done; echo e >&2; exit 5")
    process.write("in\n")
    process.close_stdin()
    assert b"".join(process) == b"<in>\n" and b"".join(process.stderr()) == b"e\n" and process.wait() == 5
    process.signal("TERM")
    with pytest.raises(ConflictError):
        process.write("more")
    killed = begun(sandbox, sandbox.spawn("echo > began; sleep 60"), "began")
    killed.kill()
    assert killed.wait() == 137
    with pytest.raises(CapabilityError):
        killed.signal("USR1")
    # Files.
    files = sandbox.files
    files.write("a/b", "text")
    files.write("a/c", every)
    assert files.read("a/b") == "text" and files.read_bytes("a/c") == every
    with pytest.raises(InvalidError):
        files.read("a/c")
    sandbox.exec("ln -s b a/link; cd a && ln -s / out", check=True)
    assert [(one.name, one.kind, one.size) for one in files.list("a")] == [
        ("b", "file", 4),
        ("c", "file", 256),
        ("link", "symlink", 0),
        ("out", "symlink", 0),
    ]
    info = files.info("a/link")
    assert (info.name, info.kind, info.size) == ("link", "file", 4) and info.modified > 1.7e9
    renames(sandbox)
    files.make_dir("d/e")
    with pytest.raises(ConflictError):
        files.make_dir("d", parents=False)
    with pytest.raises(ConflictError):
        files.remove("d")
    files.remove("d", recursive=True)
    files.remove("d", missing_ok=True)
    for lost in (lambda: files.read("d"), lambda: files.remove("d"), lambda: files.list("d")):
        with pytest.raises(NotFoundError) as raised:
            lost()
        assert raised.value.code == "NOT_FOUND" and not raised.value.retryable
    # Branches and snapshots.
    files.write("state", "0")
    snapshot = sandbox.snapshot("base")
    assert (snapshot.backend, snapshot.label) == (backend.name, "base") and abs(snapshot.created - time.time()) < 3600
    with sandbox.fork() as branch:
        branch.files.write("state", "1")
        assert files.read("state") == "0" and branch.files.read("state") == "1"
    files.write("state", "2")
    sandbox.restore(snapshot)
    assert files.read("state") == "0"
    with backend.create(snapshot=snapshot) as again:
        assert again.files.read("state") == "0" and again.exec("echo $GREETING").stdout == "hello\n"
    sandbox.delete_snapshot(snapshot)
    with pytest.raises(NotFoundError):
        sandbox.restore(snapshot)
    # Sleep.
    if can.suspend:
        sandbox.suspend()
        assert sandbox.state() == "suspended"
        sandbox.resume()
        assert sandbox.state() == "running" and files.read("state") == "0"
    return sandbox


def renames(sandbox):
    """A rename is one step, and takes the place of what it may."""
    files = sandbox.files
    files.write("r/one", "1")
    files.write("r/two", "2")
    files.make_dir("r/empty")
    files.write("r/full/x", "")
    files.rename("r/one", "r/two")
    assert files.read("r/two") == "1" and not files.exists("r/one")
    files.rename("r/two", "r/two")
    files.rename("r/full", "r/empty")
    assert files.exists("r/empty/x")
    sandbox.exec("ln -s empty r/link", check=True)
    files.rename("r/two", "r/link")
    assert files.info("r/link").kind == "file" and not files.exists("r/empty/two")
    for source, target in [("r/link", "r/empty"), ("r/empty", "r/link"), ("r", "r/below"), ("r/link", "r/link/x")]:
        with pytest.raises(ConflictError):
            files.rename(source, target)
    for source, target in [("r/none", "r/x"), ("r/link", "none/x"), ("r/none", "r/none")]:
        with pytest.raises(NotFoundError):
            files.rename(source, target)
    for source, target in [("../../x", "r/x"), ("r/link", "/../x"), ("r/link", "a/out/x")]:
        if sandbox.backend in ("local", "docker"):
            with pytest.raises(PathEscapeError):
                files.rename(source, target)
    files.remove("r", recursive=True)


def reconnected(backend, another, sandbox):
    """A second holder sees the same sandbox, and only lets it go."""
    reference = sandbox.reference()
    with another.reconnect(reference) as second:
        second.files.write("seen", "by both")
    assert sandbox.files.read("seen") == "by both"
    with pytest.raises(UnavailableError):
        second.exec("true")
    with pytest.raises(NotFoundError):
        Backend("empty").reconnect(reference)
    sandbox.destroy()
    sandbox.destroy()
    with pytest.raises(UnavailableError) as raised:
        sandbox.exec("true")
    assert raised.value.code == "SANDBOX_UNAVAILABLE"
    with pytest.raises(NotFoundError):
        another.reconnect(reference)


def test_the_hosts_own_shell_does_everything():
    backend = Backend("local")
    assert not backend.capabilities.memory_limit and backend.capabilities.isolation == "none"
    reconnected(backend, Backend("local"), exercised(backend))


def test_a_virtual_sandbox_is_a_backend_too():
    sandbox = exercised(Backend("virtual"))
    with pytest.raises(CapabilityError):
        sandbox.suspend()
    with pytest.raises(CapabilityError):
        sandbox.reference()
    sandbox.destroy()


def test_docker(docker):
    backend = Backend("docker", **docker)
    assert backend.capabilities.isolation == "container"
    reconnected(backend, Backend("docker", **docker), exercised(backend))
    limited = backend.create(memory=64 << 20, processes=50, settings={"workspace": "/elsewhere"})
    with limited:
        assert limited.cwd == "/elsewhere"
    with pytest.raises(NotFoundError, match="no-such"):
        Backend("docker", socket=docker["socket"], image="no-such/image:1").create()


def test_an_engine_that_is_not_there(tmp_path):
    backend = Backend("docker", socket=tmp_path / "none", image="debian:12")
    with pytest.raises(OffshootError) as raised:
        backend.create()
    assert raised.value.code in ("SANDBOX_UNAVAILABLE", "DIED") and "docker" in str(raised.value)


def test_empty_grants_nothing():
    backend = Backend("empty")
    assert not any(getattr(backend.capabilities, name) for name in ("exec", "filesystem", "reconnect", "suspend"))
    with backend.create() as sandbox:
        refused = [
            lambda: sandbox.exec("true"),
            lambda: sandbox.spawn("true"),
            lambda: sandbox.files.read("x"),
            lambda: sandbox.files.write("x", ""),
            lambda: sandbox.files.list(),
            lambda: sandbox.files.rename("x", "y"),
            sandbox.suspend,
            sandbox.resume,
            sandbox.reference,
        ]
        for operation in refused:
            with pytest.raises(CapabilityError) as raised:
                operation()
            assert raised.value.code == "CAPABILITY" and "empty" in str(raised.value)
        sandbox.restore(sandbox.snapshot())
        sandbox.fork().destroy()
    with pytest.raises(UnavailableError):
        sandbox.fork()
    with pytest.raises(CapabilityError):
        backend.create(memory=1 << 20)
    with pytest.raises(InvalidError, match="there is no setting image"):
        Backend("empty", image="x").create()


def test_names_and_what_makes_no_sense():
    names = Backend.names()
    assert {"virtual", "empty", "local", "docker", "kubernetes", "e2b", "databricks-sql"} <= set(names)
    assert names == sorted(names)
    with pytest.raises(NotFoundError, match="no backend nobody; there are: azure-containers, "):
        Backend("nobody")
    with pytest.raises(InvalidError, match="only a connector reads variables"):
        Backend("local", variables={"X": "1"})
    with pytest.raises(InvalidError, match="only a component"):
        Backend("e2b", manifest={})
    with pytest.raises(InvalidError):
        Backend("local", direktory="/tmp").create()
    with pytest.raises(InvalidError):
        Backend("local").create(network="everywhere")
    with pytest.raises(InvalidError):
        Backend("local").create(env={"": "x"})
    with pytest.raises(InvalidError):
        Backend("local").reconnect("no reference")
    with pytest.raises(TypeError):
        Backend("local", directory=object())


def test_each_capability_has_its_place():
    for name in Backend.names():
        assert set(vars(Backend(name).capabilities)) == set(offshoot.Capabilities.__dataclass_fields__)


def test_files_of_the_host_are_not_reached(local, tmp_path):
    with pytest.raises(PathEscapeError):
        local.files.read("/etc/passwd")
    given = Backend("local", directory=tmp_path)
    with given.create() as sandbox:
        sandbox.files.write("here", "x")
    assert (tmp_path / "here").read_text() == "x"


def test_policies_narrow_what_it_may_do():
    with Backend("local").create(policies=[{"exec": "deny", "write": ["**/open/**"]}]) as sandbox:
        assert not sandbox.capabilities.exec
        with pytest.raises(CapabilityError):
            sandbox.exec("true")
        sandbox.files.write("open/x", "1")
        # Without commands, a file is moved by the operations that are judged.
        sandbox.files.rename("open/x", "open/y")
        assert sandbox.files.read("open/y") == "1" and not sandbox.files.exists("open/x")
        with pytest.raises(offshoot.PolicyDeniedError):
            sandbox.files.rename("open/y", "y")
        assert sandbox.files.read("open/y") == "1"


def test_idle_sandboxes_sleep_and_wake():
    with Backend("local").create(idle_suspend=0.05, auto_resume=False) as sandbox:
        while sandbox.state() != "suspended":
            time.sleep(0.01)
        with pytest.raises(UnavailableError):
            sandbox.exec("true")
        sandbox.resume()
        assert sandbox.exec("echo on", check=True).stdout == "on\n"


def test_output_waits_for_its_reader(local):
    process = local.spawn("yes | head -c 20000000")
    assert sum(len(piece) for piece in process) == 20_000_000
    assert process.wait() == 0


def test_what_is_dropped_ends(local):
    process = begun(local, local.spawn("echo > began; while :; do echo >> on; sleep 0.01; done"), "began")
    del process
    while True:
        size = local.exec("wc -c < on; sleep 0.3; wc -c < on").stdout.split()
        if size[0] == size[1]:
            break


def test_the_same_for_asyncio():
    async def main():
        backend = AsyncBackend("local")
        assert backend.capabilities == Backend("local").capabilities
        async with await backend.create() as sandbox:
            results = await asyncio.gather(*(sandbox.exec(f"echo {n} > f{n}; cat f{n}") for n in range(8)))
            assert [result.stdout for result in results] == [f"{n}\n" for n in range(8)]
            await sandbox.files.rename("f0", "g")
            assert [one.name for one in await sandbox.files.list()][-1] == "g"
            process = await sandbox.spawn("cat; echo e >&2; exit 2")
            await process.write("in")
            await process.close_stdin()
            assert b"".join([piece async for piece in process]) == b"in"
            assert b"".join([piece async for piece in process.stderr()]) == b"e\n"
            assert await process.wait() == 2
            ended = await sandbox.spawn("sleep 60")
            await ended.kill()
            assert await ended.wait() == 137
            snapshot = await sandbox.snapshot()
            async with await backend.create(snapshot=snapshot) as again:
                assert await again.files.exists("g")
            async with await sandbox.fork() as branch:
                await branch.files.remove("g")
            async with await backend.reconnect(await sandbox.reference()) as second:
                assert await second.files.exists("g")
            with pytest.raises(NotFoundError):
                await sandbox.files.read("f0")
            await sandbox.suspend()
            await sandbox.resume()
            return await sandbox.state()

    assert asyncio.run(main()) == "running"


def test_cancelling_ends_the_script():
    async def main():
        async with await AsyncBackend("local").create() as sandbox:
            task = asyncio.create_task(sandbox.exec("echo > began; sleep 1; echo > went-on"))
            while not await sandbox.files.exists("began"):
                await asyncio.sleep(0.01)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            await sandbox.exec("sleep 1.5")
            return await sandbox.files.exists("went-on")

    assert asyncio.run(main()) is False


def test_a_connector_by_name(service):
    backend = Backend("e2b", variables=service)
    assert backend.capabilities.isolation == "vm"
    sandbox = exercised(backend)
    reference = sandbox.reference()
    assert KEY not in reference and KEY not in repr(backend) + repr(sandbox)
    with Backend("e2b", variables=service).reconnect(reference) as second:
        assert second.files.read("state") == "0"
    sandbox.destroy()
    wrong = Backend("e2b", variables=service | {"E2B_API_KEY": "e2b_another"})
    with pytest.raises(OffshootError) as raised:
        wrong.create()
    assert "e2b_another" not in str(raised.value)


def test_a_connector_without_its_credential(monkeypatch):
    monkeypatch.delenv("E2B_API_KEY", raising=False)
    with pytest.raises(UnavailableError, match="E2B_API_KEY is not set"):
        Backend("e2b").create()


@pytest.fixture(scope="session")
def component():
    """The connector for E2B as a file."""
    found = sorted(pathlib.Path(TARGET or "/nowhere").glob("guest/**/offshoot_connector_e2b.wasm"))
    if not found:
        pytest.skip("there is no component of the connector")
    return found[-1]


def test_a_connector_of_a_file(service, component, tmp_path):
    api = service["E2B_API_URL"]
    paths = ("/sandboxes", "/templates", "/v2/sandboxes")
    manifest = {
        "hosts": ["${BOXES_URL}"],
        "credentials": [{"origin": f"{api}{path}", "header": "X-API-Key", "env": "BOXES_KEY"} for path in paths],
        "tokens": [{"field": "envdAccessToken", "origin": f"{api}{path}", "use": api} for path in paths],
        "settings": {"api": "${BOXES_URL}", "sandbox": "${BOXES_URL}"},
    }
    variables = {"BOXES_URL": api, "BOXES_KEY": KEY}
    (tmp_path / "boxes.wasm").write_bytes(component.read_bytes())
    with pytest.raises(NotFoundError, match="boxes.json"):
        Backend(tmp_path / "boxes.wasm")
    (tmp_path / "boxes.json").write_text(json.dumps(manifest))
    backend = Backend(tmp_path / "boxes.wasm", variables=variables)
    with backend.create() as sandbox:
        assert sandbox.backend == backend.name == "boxes"
        assert sandbox.exec("echo $((6 * 7))").stdout == "42\n"
    # What the manifest does not name is not reached.
    elsewhere = Backend(tmp_path / "boxes.wasm", variables=variables, manifest=manifest | {"hosts": ["https://a.example"]})
    with pytest.raises(OffshootError) as raised:
        elsewhere.create()
    assert raised.value.code == "POLICY_DENIED"


def test_what_is_no_component(tmp_path):
    with pytest.raises(NotFoundError):
        Backend(tmp_path / "none.wasm", manifest={})
    (tmp_path / "bad.wasm").write_bytes(b"bad")
    with pytest.raises(InvalidError):
        Backend(tmp_path / "bad.wasm", manifest={})
    with pytest.raises(InvalidError, match="unknown field `host`"):
        Backend(tmp_path / "bad.wasm", manifest={"host": []})
