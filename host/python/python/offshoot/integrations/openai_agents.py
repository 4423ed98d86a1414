"""OpenAI Agents SDK: a client for `SandboxAgent`, `SandboxRunConfig(client=OffshootSandboxClient())`.

Sandboxes live in this process; what a session leaves behind is its snapshot, as with every other client.
"""

from __future__ import annotations

import io
import posixpath
import uuid
from pathlib import Path
from typing import Any, Literal, Union

from agents.sandbox.errors import (
    ExecTimeoutError,
    ExecTransportError,
    WorkspaceArchiveReadError,
    WorkspaceArchiveWriteError,
    WorkspaceReadNotFoundError,
)
from agents.sandbox.manifest import Manifest
from agents.sandbox.session.base_sandbox_session import BaseSandboxSession
from agents.sandbox.session.manager import Instrumentation
from agents.sandbox.session.sandbox_client import BaseSandboxClient, BaseSandboxClientOptions
from agents.sandbox.session.sandbox_session import SandboxSession
from agents.sandbox.session.sandbox_session_state import SandboxSessionState
from agents.sandbox.snapshot import SnapshotBase, SnapshotSpec, resolve_snapshot
from agents.sandbox.types import ExecResult, User
from agents.sandbox.workspace_paths import sandbox_path_str
from typing_extensions import override

from ..asynchronous import AsyncSandbox
from ..errors import NotFoundError, OffshootError

__all__ = ["OffshootSandboxClient", "OffshootSandboxClientOptions", "OffshootSandboxSession"]

# What the states of sessions lead to, for as long as this process lives.
_sandboxes: dict[str, AsyncSandbox] = {}


class OffshootSandboxClientOptions(BaseSandboxClientOptions):
    """What a sandbox is made with, beside its manifest."""

    type: Literal["offshoot"] = "offshoot"
    env: dict[str, str] = {}
    network: tuple[str, ...] = ()
    """What may be reached, as `METHODS ORIGIN`; nothing by default."""


class OffshootSandboxSessionState(SandboxSessionState):
    """What finds a sandbox again in this process, or makes another like it."""

    type: Literal["offshoot"] = "offshoot"
    sandbox_id: str
    options: OffshootSandboxClientOptions


class OffshootSandboxSession(BaseSandboxSession):
    """A session over a virtual sandbox."""

    state: OffshootSandboxSessionState

    def __init__(self, state: OffshootSandboxSessionState, sandbox: AsyncSandbox) -> None:
        self.state = state
        self.sandbox = sandbox

    @override
    async def _exec_internal(self, *command: Union[str, Path], timeout: Union[float, None] = None) -> ExecResult:
        words = [str(word) for word in command]
        if words[:2] == ["sudo", "-u"] and words[3:4] == ["--"]:
            # There is one user inside, who owns the workspace.
            words = words[4:]
        env = await self.state.manifest.environment.resolve()
        try:
            result = await self.sandbox.exec('"$@"', *words, env=env, timeout=timeout)
        except OffshootError as error:
            raise ExecTransportError(command=words, cause=error, retryable=error.retryable) from error
        if result.timed_out:
            raise ExecTimeoutError(command=words, timeout_s=timeout)
        return ExecResult(stdout=result.stdout_bytes, stderr=result.stderr_bytes, exit_code=result.exit_code)

    @override
    async def read(self, path: Path, *, user: Union[str, User, None] = None) -> io.IOBase:
        at = await self._validate_path_access(path)
        try:
            return io.BytesIO(await self.sandbox.files.read_bytes(sandbox_path_str(at)))
        except NotFoundError as error:
            raise WorkspaceReadNotFoundError(path=path, cause=error) from error
        except OffshootError as error:
            raise WorkspaceArchiveReadError(path=path, cause=error) from error

    @override
    async def write(self, path: Path, data: io.IOBase, *, user: Union[str, User, None] = None) -> None:
        at = await self._validate_path_access(path, for_write=True)
        try:
            await self.sandbox.files.write(sandbox_path_str(at), data.read())
        except OffshootError as error:
            raise WorkspaceArchiveWriteError(path=at, cause=error) from error

    @override
    async def running(self) -> bool:
        return self.state.sandbox_id in _sandboxes

    @override
    async def persist_workspace(self) -> io.IOBase:
        root = self.state.manifest.root
        left_out = [f"--exclude=./{skipped.as_posix()}" for skipped in self._persist_workspace_skip_relpaths()]
        result = await self.sandbox.exec('tar -C "$1" -cf - "${@:2}" .', root, *left_out)
        if result.exit_code != 0:
            raise WorkspaceArchiveReadError(path=Path(root), context={"stderr": result.stderr})
        return io.BytesIO(result.stdout_bytes)

    @override
    async def hydrate_workspace(self, data: io.IOBase) -> None:
        root = self.state.manifest.root
        try:
            await self.sandbox.files.make_dir(root)
            await self.sandbox.files.import_tar(data.read(), root)
        except OffshootError as error:
            raise WorkspaceArchiveWriteError(path=Path(root), cause=error) from error

    @override
    async def _shutdown_backend(self) -> None:
        _sandboxes.pop(self.state.sandbox_id, None)
        await self.sandbox.close()


class OffshootSandboxClient(BaseSandboxClient[OffshootSandboxClientOptions]):
    """Makes sessions over virtual sandboxes; `settings` are further ones of `AsyncSandbox`."""

    backend_id = "offshoot"
    supports_default_options = True

    def __init__(self, *, instrumentation: Union[Instrumentation, None] = None, **settings: Any) -> None:
        self._instrumentation = Instrumentation() if instrumentation is None else instrumentation
        self._settings = settings

    def _made(self, manifest: Manifest, options: OffshootSandboxClientOptions) -> tuple[str, AsyncSandbox]:
        name = uuid.uuid4().hex
        settings = {"cwd": posixpath.normpath(manifest.root), **self._settings}
        settings["env"] = {**settings.get("env", {}), **options.env}
        settings["network"] = [*settings.get("network", ()), *options.network]
        _sandboxes[name] = AsyncSandbox(**settings)
        return name, _sandboxes[name]

    @override
    async def create(
        self,
        *,
        snapshot: Union[SnapshotSpec, SnapshotBase, None] = None,
        manifest: Union[Manifest, None] = None,
        options: Union[OffshootSandboxClientOptions, None] = None,
    ) -> SandboxSession:
        manifest = Manifest() if manifest is None else manifest
        self._validate_manifest_for_create(manifest)
        options = OffshootSandboxClientOptions() if options is None else options
        name, sandbox = self._made(manifest, options)
        session = uuid.uuid4()
        state = OffshootSandboxSessionState(
            session_id=session,
            manifest=manifest,
            snapshot=resolve_snapshot(snapshot, str(session)),
            sandbox_id=name,
            options=options,
        )
        return self._wrap_session(OffshootSandboxSession(state, sandbox), instrumentation=self._instrumentation)

    @override
    async def delete(self, session: SandboxSession) -> SandboxSession:
        return session

    @override
    async def resume(self, state: SandboxSessionState) -> SandboxSession:
        if not isinstance(state, OffshootSandboxSessionState):
            raise TypeError(f"{state.type}: not the state of a session of {self.backend_id!r}")
        state.assert_path_grants_rebound()
        sandbox = _sandboxes.get(state.sandbox_id)
        found = sandbox is not None
        if sandbox is None:
            state.sandbox_id, sandbox = self._made(state.manifest, state.options)
            state.workspace_root_ready = False
        inner = OffshootSandboxSession(state, sandbox)
        inner._set_start_state_preserved(found, system=found)
        return self._wrap_session(inner, instrumentation=self._instrumentation)

    @override
    def deserialize_session_state(self, payload: dict[str, object]) -> SandboxSessionState:
        return self._deserialize_session_state_payload(payload, OffshootSandboxSessionState)
