"""Inspect AI: `sandbox="offshoot"` in a task.

A sample's files and setup script run in a sandbox of this process; there is no container and no daemon. The
configuration is nothing, or a mapping of `Sandbox`'s settings that are text and numbers (`cwd`, `env`, `network`).
"""

from __future__ import annotations

import errno
from typing import Any, Union, overload

from inspect_ai.util import (
    ExecResult,
    OutputLimitExceededError,
    SandboxEnvironment,
    SandboxEnvironmentLimits,
    SandboxUserUnsupportedError,
    sandboxenv,
)
from typing_extensions import Literal, override

from ..asynchronous import AsyncSandbox
from ..errors import ConflictError, InvalidError, NotFoundError, OffshootError

__all__ = ["OffshootSandboxEnvironment"]


@sandboxenv(name="offshoot")
class OffshootSandboxEnvironment(SandboxEnvironment):
    """A virtual sandbox as Inspect's environment."""

    def __init__(self, sandbox: AsyncSandbox) -> None:
        super().__init__()
        self.sandbox = sandbox

    @override
    @classmethod
    async def sample_init(cls, task_name: str, config: Any, metadata: dict[str, str]) -> dict[str, SandboxEnvironment]:
        settings = dict(config) if isinstance(config, dict) else {}
        return {"default": cls(AsyncSandbox(**settings))}

    @override
    @classmethod
    async def sample_cleanup(
        cls, task_name: str, config: Any, environments: dict[str, SandboxEnvironment], interrupted: bool
    ) -> None:
        for environment in environments.values():
            if isinstance(environment, OffshootSandboxEnvironment):
                await environment.sandbox.close()

    @override
    async def exec(
        self,
        cmd: list[str],
        input: Union[str, bytes, None] = None,
        cwd: Union[str, None] = None,
        env: Union[dict[str, str], None] = None,
        user: Union[str, None] = None,
        timeout: Union[int, None] = None,
        timeout_retry: bool = True,
        concurrency: bool = True,
    ) -> ExecResult[str]:
        if user not in (None, "user"):
            raise SandboxUserUnsupportedError(f"{user}: a sandbox has the user 'user' alone")
        limit = SandboxEnvironmentLimits.MAX_EXEC_OUTPUT_SIZE
        result = await self.sandbox.exec('"$@"', *cmd, stdin=input, cwd=cwd, env=env, timeout=timeout)
        if result.timed_out:
            raise TimeoutError("the command took too long")
        stdout, stderr = result.stdout_bytes, result.stderr_bytes
        if max(len(stdout), len(stderr)) > limit:
            raise OutputLimitExceededError(
                limit_str=SandboxEnvironmentLimits.MAX_EXEC_OUTPUT_SIZE_STR,
                truncated_output=(stdout + stderr)[-limit:].decode(errors="replace"),
            )
        if result.exit_code == 126:
            raise PermissionError(result.stderr)
        return ExecResult(result.exit_code == 0, result.exit_code, stdout.decode(), stderr.decode())

    @override
    async def write_file(self, file: str, contents: Union[str, bytes]) -> None:
        try:
            await self.sandbox.files.write(file, contents)
        except OffshootError as error:
            raise _plain(error, file) from error

    @overload
    async def read_file(self, file: str, text: Literal[True] = True) -> str: ...
    @overload
    async def read_file(self, file: str, text: Literal[False]) -> bytes: ...
    @override
    async def read_file(self, file: str, text: bool = True) -> Union[str, bytes]:
        try:
            size = (await self.sandbox.files.info(file)).size
            if size > SandboxEnvironmentLimits.MAX_READ_FILE_SIZE:
                raise OutputLimitExceededError(
                    limit_str=SandboxEnvironmentLimits.MAX_READ_FILE_SIZE_STR, truncated_output=None
                )
            content = await self.sandbox.files.read_bytes(file)
        except OffshootError as error:
            raise _plain(error, file) from error
        return content.decode() if text else content


def _plain(error: OffshootError, path: str) -> Exception:
    """The exception that Python's own file functions would raise."""
    if isinstance(error, NotFoundError):
        return FileNotFoundError(errno.ENOENT, str(error), path)
    if isinstance(error, ConflictError):
        return IsADirectoryError(errno.EISDIR, str(error), path)
    if isinstance(error, InvalidError):
        return error
    return PermissionError(errno.EACCES, str(error), path)
