"""Other backends by name, and sandboxes on them."""

from __future__ import annotations

import builtins
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Any

from . import _native
from ._native import ExecResult
from .errors import CapabilityError
from .files import BackendFiles
from .results import Capabilities, Snapshot
from .sandbox import checked, number
from .settings import Content, run

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["Backend", "BackendProcess", "BackendSandbox"]


def opened(
    name: str | os.PathLike[str],
    variables: Mapping[str, str] | None,
    manifest: Mapping[str, Any] | None,
    settings: Mapping[str, Any],
) -> _native.Backend:
    return built().Backend(
        json.dumps(
            {
                "name": os.fspath(name),
                "variables": dict(variables or {}),
                "manifest": manifest,
                "settings": settings,
            },
            default=os.fspath,
        )
    )


def built() -> Any:
    """The native half, where it was built with backends."""
    if not hasattr(_native, "Backend"):
        raise CapabilityError("this build of offshoot has no other backends", operation="load")
    return _native


def capabilities_of(text: str) -> Capabilities:
    return Capabilities(**json.loads(text))


def text_of(snapshot: Snapshot) -> str:
    """A snapshot as the native half reads it."""
    facts = dict(vars(snapshot))
    facts["created_ms"] = round(facts.pop("created") * 1000)
    return json.dumps(facts)


def snapshot_of(text: str) -> Snapshot:
    facts = json.loads(text)
    return Snapshot(created=facts.pop("created_ms") / 1000, **facts)


def wish_of(
    *,
    cwd: str | None,
    env: Mapping[str, str] | None,
    idle_suspend: float | None,
    auto_resume: bool,
    policies: Iterable[Mapping[str, Any]],
    settings: Mapping[str, Any] | None,
    memory: int | None = None,
    cpus: float | None = None,
    processes: int | None = None,
    network: str | None = None,
    metadata: Mapping[str, str] | None = None,
    snapshot: Snapshot | None = None,
) -> str:
    """What a sandbox is made with, as the native half reads it."""
    wish = {
        "cwd": cwd,
        "env": list((env or {}).items()),
        "idle_suspend_ms": None if idle_suspend is None else round(idle_suspend * 1000),
        "auto_resume_on_access": auto_resume,
        "policies": [dict(policy) for policy in policies],
        "settings": dict(settings or {}),
        "limits": {"memory_bytes": memory, "cpus": cpus, "processes": processes},
        "network": network,
        "metadata": dict(metadata or {}),
        "snapshot": None if snapshot is None else json.loads(text_of(snapshot)),
    }
    return json.dumps(wish, default=os.fspath)


class Backend:
    """A backend that makes sandboxes: Docker, gVisor, Kubernetes, the host's own shell, or a connector for a service.

    >>> with Backend("local").create() as sandbox:
    ...     sandbox.exec("echo $((6 * 7))").stdout
    '42\\n'
    """

    def __init__(
        self,
        name: str | os.PathLike[str],
        /,
        *,
        variables: Mapping[str, str] | None = None,
        manifest: Mapping[str, Any] | None = None,
        **settings: Any,
    ) -> None:
        """Chooses one: by its name, or by the path of a connector's component, `NAME.wasm`.

        `settings` are the backend's own (`image="debian:12"`), as docs/backends.md and docs/connectors.md list them.
        `variables` are a connector's credentials and addresses, by the names that those pages give them; what is not
        there is taken from the environment. `manifest` says what a component may do, in place of the file beside it.
        A component of a file is compiled here, which takes seconds; a service or an engine is not asked before `create`.
        """
        self._native = opened(name, variables, manifest, settings)

    @staticmethod
    def names() -> builtins.list[str]:
        """The names of all backends of this build."""
        return built().Backend.names()

    @property
    def name(self) -> str:
        """Its name; of a component, that of its file."""
        return self._native.name

    @property
    def capabilities(self) -> Capabilities:
        """What a sandbox with the backend's usual settings can and cannot do."""
        return capabilities_of(self._native.capabilities())

    def create(
        self,
        *,
        cwd: str | None = None,
        env: Mapping[str, str] | None = None,
        memory: int | None = None,
        cpus: float | None = None,
        processes: int | None = None,
        network: str | None = None,
        idle_suspend: float | None = None,
        auto_resume: bool = True,
        policies: Iterable[Mapping[str, Any]] = (),
        metadata: Mapping[str, str] | None = None,
        settings: Mapping[str, Any] | None = None,
        snapshot: Snapshot | None = None,
    ) -> BackendSandbox:
        """Makes a sandbox, or with a `snapshot` one that begins as it.

        `memory` is the bytes of all processes together; `network` the way out, where the usual one will not do;
        `idle_suspend` puts it to sleep after that many seconds without an operation, which the next one ends unless
        `auto_resume` is false; `policies` narrow what it may do (docs/policies.md); `settings` go over those of the
        backend. What the backend cannot honour is refused with `CapabilityError` before anything is made.
        """
        wish = wish_of(
            cwd=cwd,
            env=env,
            memory=memory,
            cpus=cpus,
            processes=processes,
            network=network,
            idle_suspend=idle_suspend,
            auto_resume=auto_resume,
            policies=policies,
            metadata=metadata,
            settings=settings,
            snapshot=snapshot,
        )
        return BackendSandbox._of(self._native.create(True, wish))

    def reconnect(
        self,
        reference: str,
        *,
        cwd: str | None = None,
        env: Mapping[str, str] | None = None,
        idle_suspend: float | None = None,
        auto_resume: bool = True,
        policies: Iterable[Mapping[str, Any]] = (),
        settings: Mapping[str, Any] | None = None,
    ) -> BackendSandbox:
        """Reaches a sandbox that lives, by its `reference`. Its `destroy` then only lets it go."""
        wish = wish_of(
            cwd=cwd,
            env=env,
            idle_suspend=idle_suspend,
            auto_resume=auto_resume,
            policies=policies,
            settings=settings,
        )
        return BackendSandbox._of(self._native.reconnect(True, reference, wish))

    def __repr__(self) -> str:
        return f"Backend({self.name!r})"


class BackendProcess:
    """A script that runs. Iterating gives its standard output, piece by piece."""

    def __init__(self, native: _native.BackendProcess) -> None:
        self._native = native

    def __iter__(self) -> Iterator[bytes]:
        while (piece := self._native.read_stdout(True)) is not None:
            yield piece

    def stderr(self) -> Iterator[bytes]:
        """Standard error, piece by piece."""
        while (piece := self._native.read_stderr(True)) is not None:
            yield piece

    def write(self, data: Content) -> None:
        """Writes to standard input; waits while the script does not read."""
        self._native.write(True, data)

    def close_stdin(self) -> None:
        """Ends standard input."""
        self._native.close_stdin(True)

    def signal(self, signal: str | int) -> None:
        """Sends a signal: `INT`, `TERM` or `KILL`. `CapabilityError` for what the backend cannot send."""
        self._native.signal(True, number(signal))

    def kill(self) -> None:
        """Ends it with all that it started."""
        self._native.signal(True, 9)

    def wait(self) -> int:
        """Waits for its end; the exit status. Read its output first: what nobody reads stops it in time."""
        return self._native.wait(True)


class BackendSandbox:
    """A sandbox of some backend. As a context manager, it is destroyed at the end."""

    _native: _native.BackendSandbox

    @classmethod
    def _of(cls, native: _native.BackendSandbox) -> Self:
        sandbox = cls.__new__(cls)
        sandbox._native = native
        return sandbox

    @property
    def backend(self) -> str:
        """The name of its backend."""
        return self._native.backend

    @property
    def capabilities(self) -> Capabilities:
        """What it can and cannot do, with the settings that it has."""
        return capabilities_of(self._native.capabilities())

    @property
    def cwd(self) -> str:
        """The working directory that relative paths start from."""
        return self._native.cwd

    @property
    def files(self) -> BackendFiles:
        """Its files."""
        return BackendFiles(self._native)

    def exec(
        self,
        script: str | bytes,
        *arguments: str | bytes,
        stdin: Content | None = None,
        env: Mapping[str, str] | None = None,
        cwd: str | None = None,
        timeout: float | None = None,
        check: bool = False,
        on_stdout: Callable[[bytes], object] | None = None,
        on_stderr: Callable[[bytes], object] | None = None,
    ) -> ExecResult:
        """Runs a script to its end from fresh shell state; files stay. `arguments` are `$1`, `$2` …

        A status other than 0 is a result; with `check` it raises `ExecError`. A time-out is status 124 with the output so
        far. Ctrl-C ends the script where the backend can cancel. `on_stdout` and `on_stderr` need `streaming`.
        """
        asked = run(script, arguments, stdin, env, cwd, timeout)
        return checked(self._native.exec(True, asked, on_stdout, on_stderr), check)

    def spawn(
        self,
        script: str | bytes,
        *arguments: str | bytes,
        env: Mapping[str, str] | None = None,
        cwd: str | None = None,
        timeout: float | None = None,
    ) -> BackendProcess:
        """Starts a script and returns at once, with its streams."""
        asked = run(script, arguments, None, env, cwd, timeout)
        return BackendProcess(self._native.spawn(True, asked))

    def fork(self, label: str | None = None) -> Self:
        """An independent copy: neither side sees what the other does from now on."""
        return self._of(self._native.fork(True, label))

    def snapshot(self, label: str | None = None) -> Snapshot:
        """Captures it, for `restore` and for `Backend.create`."""
        return snapshot_of(self._native.snapshot(True, label))

    def restore(self, snapshot: Snapshot) -> None:
        """Sets it back to a snapshot, byte for byte."""
        self._native.restore(True, text_of(snapshot))

    def delete_snapshot(self, snapshot: Snapshot) -> None:
        """Deletes a snapshot; one that is gone is fine."""
        self._native.delete_snapshot(True, text_of(snapshot))

    def suspend(self) -> None:
        """Puts it to sleep, for `resume`."""
        self._native.suspend(True)

    def resume(self) -> None:
        """Goes on after `suspend`."""
        self._native.resume(True)

    def state(self) -> str:
        """Where in its life it is: `running`, `suspended`, `failed`, `deleted` …"""
        return self._native.state(True)

    def reference(self) -> str:
        """How another holder reaches it, by `Backend.reconnect`. It holds no credential."""
        return self._native.reference(True)

    def destroy(self) -> None:
        """Ends it, with what runs; one that was reconnected to is only let go. Branches and snapshots stay."""
        self._native.destroy(True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.destroy()

    def __repr__(self) -> str:
        return f"BackendSandbox(backend={self.backend!r}, cwd={self.cwd!r})"
